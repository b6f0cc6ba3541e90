package lesson_test

import (
	"reflect"
	"slices"
	"testing"

	"genussink/core/graph"
	"genussink/core/mesh/generate"
	"genussink/viewer/lesson"
	"genussink/viewer/lesson/model"
)

// surface is the graph of a mesh.
func surface(t *testing.T, kind string, params map[string]float64) *graph.Graph {
	t.Helper()
	m, err := generate.Make(kind, params)
	if err != nil {
		t.Fatal(err)
	}
	g, err := graph.FromMesh(m)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// patched gives the part of a graph around a vertex, as the page does.
func patched(g *graph.Graph, around int32) func(most int) *model.Graph {
	return func(most int) *model.Graph {
		out := model.Patch(g.Offsets, g.Targets, around, most)
		out.Name = "patch"
		return out
	}
}

// A reader's graph takes the place of each lesson's that has one, no larger than it may be; every step has its words and figures.
func TestOwn(t *testing.T) {
	graphs := []*graph.Graph{
		surface(t, "torus", map[string]float64{"segments": 24, "sides": 10}), core(t, model.Path(4)), surface(t, "sphere", map[string]float64{"frequency": 1}),
		surface(t, "dumbbell", map[string]float64{"radius": 6, "width": 2}), core(t, model.Tree(200)), core(t, model.Clique(6)),
	}
	if testing.Short() {
		graphs = graphs[:2]
	}
	for _, g := range graphs {
		r := newReader(t, nil)
		r.SetOwn(patched(g, int32(g.Len()/2)))
		for i, l := range lesson.Lessons() {
			for k, s := range l.Steps {
				r.open(i+1, k+1)
				if l.Own == 0 {
					if r.Own() != nil {
						t.Errorf("%d shows a reader's graph", i+1)
					}
					continue
				}
				v := r.view()
				own := r.Own()
				if most := max(l.Own, s.Own); own.N != min(most, g.Len()) {
					t.Errorf("%d.%d: %d of %d vertices, at most %d", i+1, k+1, own.N, g.Len(), most)
				}
				if f := graphOf(v); f != nil && !s.Alone && v.Instead == "" && (f.N != own.N || !slices.Equal(f.Edges, own.Edges)) {
					t.Errorf("%d.%d shows another graph, of %d vertices", i+1, k+1, f.N)
				}
				show(t, "own", own, v)
				if v.Failed == "" {
					whole(t, v, s.Text.Say, nil)
				}
				if s.Text.Reveal == "" || s.Mesh {
					continue
				}
				if q := v.Question; q != nil {
					for which := range max(1, len(q.Names)) {
						r.act(lesson.Predict, which, 0, q.Lo)
					}
				}
				if v = r.reveal(); v.Failed == "" {
					whole(t, v, s.Text.Reveal, nil)
				}
			}
		}
	}
	// A graph of one vertex has no plan. The step shows the lesson's path, and says so.
	r := newReader(t, nil)
	r.SetOwn(func(int) *model.Graph { return &model.Graph{N: 1, Name: "a vertex", Of: []int32{0}} })
	for step := range 4 {
		if r.open(7, step+1); r.view().Instead == "" {
			t.Errorf("7.%d shows one vertex", step+1)
		}
	}
}

// The reader's graph in the lesson on the plan is numbered along its longest way: source and target lie at either end of its rows, as on the
// lesson's own path.
func TestOwnAlong(t *testing.T) {
	for _, g := range []*graph.Graph{surface(t, "torus", map[string]float64{"segments": 24, "sides": 10}), core(t, model.Tree(200)), core(t, model.Cycle(30))} {
		r := newReader(t, nil)
		r.SetOwn(patched(g, int32(g.Len()/3)))
		r.open(7, 1)
		own := r.Own()
		plain := model.Patch(g.Offsets, g.Targets, int32(g.Len()/3), own.N)
		if len(own.Edges) != len(plain.Edges) || own.N != plain.N {
			t.Fatalf("%d vertices and %d edges of %d and %d", own.N, len(own.Edges), plain.N, len(plain.Edges))
		}
		edges := map[[2]int32]bool{}
		for _, e := range plain.Edges {
			u, v := plain.Of[e[0]], plain.Of[e[1]]
			edges[[2]int32{min(u, v), max(u, v)}] = true
		}
		for _, e := range own.Edges {
			if u, v := own.Of[e[0]], own.Of[e[1]]; !edges[[2]int32{min(u, v), max(u, v)}] || e[0] >= e[1] {
				t.Fatalf("edge %v is of %d and %d, which the patch has not", e, u, v)
			}
		}
		d := own.Distances(0, nil)
		if !slices.IsSorted(d) {
			t.Errorf("the rows lie %v from the first", d)
		}
	}
}

// What is done on the reader's graph is kept apart from what was done before, and counts as done.
func TestOwnIsApart(t *testing.T) {
	r := newReader(t, nil)
	r.open(3, 1)
	r.toggle(5)
	before, view := r.Record(), drawn(r.view())
	kept := r.Keep()
	r.SetOwn(patched(core(t, model.Tree(200)), 100))
	if len(r.Record().Acts) != 0 || r.Address() != "learn=3.1" || !r.State().Own {
		t.Errorf("%+v at %s", r.Record(), r.Address())
	}
	for k := range r.State().Steps {
		r.open(3, k+1)
		switch k {
		case 0:
			r.toggle(r.Own().N - 1) // a leaf
		case 3:
			r.act(lesson.Predict, 0, 0, 1)
		default:
			for v := range r.Own().N {
				r.toggle(r.Own().N - 1 - v)
			}
		}
		r.right()
	}
	if !slices.Contains(r.State().Done, 3) {
		t.Errorf("done are %v", r.State().Done)
	}
	if want := kept + "3.2/k\n3.3/k\n3.4/k\n"; r.Keep() != want { // what is passed is done
		t.Errorf("kept is %q, not %q", r.Keep(), want)
	}
	// An address that says what was done means the lesson's graph.
	if err := r.Resume("learn=3.1/v5"); err != nil || r.State().Own {
		t.Errorf("%+v, %v", r.State(), err)
	}
	if !reflect.DeepEqual(r.Record(), before) || !reflect.DeepEqual(drawn(r.view()), view) {
		t.Errorf("%+v, not %+v", r.Record(), before)
	}
	r.SetOwn(patched(core(t, model.Path(50)), 0))
	r.SetOwn(nil)
	if !reflect.DeepEqual(r.Record(), before) || !reflect.DeepEqual(drawn(r.view()), view) {
		t.Errorf("after the reader's graph the lesson's is %+v, not %+v", r.Record(), before)
	}
}

// Where the reader's graph shows nothing of what a step is about, the step says so and shows the lesson's.
func TestInstead(t *testing.T) {
	ring, sheet := core(t, model.Cycle(30)), surface(t, "torus", map[string]float64{"segments": 24, "sides": 10})
	for _, c := range []struct {
		g            *graph.Graph
		number, step int
		instead      bool
	}{
		{ring, 6, 2, false}, {sheet, 6, 2, true},
		{sheet, 6, 4, false}, {core(t, model.Clique(9)), 6, 4, true},
		{core(t, model.Tree(40)), 5, 4, false}, {ring, 5, 4, true}, {core(t, model.Clique(6)), 5, 4, true},
	} {
		r := newReader(t, nil)
		r.SetOwn(patched(c.g, 0))
		r.open(c.number, c.step)
		v := r.view()
		if (v.Instead != "") != c.instead || v.Failed != "" || len(v.Readings) < 3 {
			t.Errorf("%d.%d, %d vertices: %q, %q, %v", c.number, c.step, c.g.Len(), v.Instead, v.Failed, v.Readings)
		}
	}
}
