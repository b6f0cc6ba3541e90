package lesson_test

import (
	"math"
	"slices"
	"testing"

	"genussink/core/graph"
	"genussink/core/job"
	"genussink/core/separator"
	"genussink/viewer/figure"
	"genussink/viewer/lesson"
	"genussink/viewer/lesson/model"
)

// swept is the engine's list for a graph, each cut as its separator, checked by the core.
func swept(t *testing.T, g *model.Graph) (list [][]int) {
	t.Helper()
	d := &lesson.Desk{}
	request := &job.Sweep{}
	d.Ask(g, request)
	errand, _ := d.Take()
	cg := core(t, g)
	for _, c := range office.answer(t, errand).(*job.Swept).Cuts {
		s := separation(c)
		if err := separator.Verify(cg, s, separator.ParetoBalance); err != nil {
			t.Errorf("%s: %v", g.Name, err)
		}
		list = append(list, ints(s.S))
	}
	return list
}

// separation is a cut of the engine's as the core has it.
func separation(c job.Cut) (s separator.Separation) {
	for v, side := range c.Sides {
		part := []*[]int32{&s.A, &s.S, &s.B}[side]
		*part = append(*part, int32(v))
	}
	return s
}

// fairest is the smallest fair cut of a list.
func fairest(t *testing.T, g *graph.Graph, list [][]int) []int {
	for _, s := range list {
		if a, b, _ := split(t, g, s); a > 0 && b > 0 && 3*max(a, b) <= 2*g.Len() {
			return s
		}
	}
	t.Fatal("no fair cut")
	return nil
}

// The first lesson's cuts.
func TestCutting(t *testing.T) {
	each(t, func(t *testing.T, r *reader, own *model.Graph) {
		g := own
		if g == nil {
			g = model.Vase()
		}
		cg, n := core(t, g), g.N
		list := swept(t, g)
		fair := fairest(t, cg, list)
		a, b, largest := split(t, cg, fair)
		sizes := wants{"n": float64(n), "A": float64(a), "S": float64(len(fair)), "B": float64(b), "balance": same(a, b, n), "largest": float64(largest)}

		r.open(1, 1)
		r.wrong()
		r.toggle(0)
		r.wrong()
		r.toggle(0)
		r.toggle(fair...)
		r.hold(r.view(), sizes)
		r.right()

		r.open(1, 2)
		r.act(lesson.Predict, 0, 0, 1)
		r.wrong()
		more := slices.Clone(fair) // a cut of one vertex more
		for v := range n {
			if x, y, _ := split(t, cg, append(slices.Clone(fair), v)); !slices.Contains(more, v) && len(more) == len(fair) && x > 0 && y > 0 && 3*max(x, y) <= 2*n {
				more = append(more, v)
			}
		}
		r.toggle(more...)
		if len(more) > len(fair) {
			r.wrong() // it holds the finder's cut: one vertex is to spare
			if v := r.Verdict(); v.Hint != "spare" || len(v.Place) != 1 || slices.Contains(fair, v.Place[0].ID) {
				t.Errorf("1.2: the hint for a vertex too many is %+v", v)
			}
		}
		r.StartOver()
		r.act(lesson.Predict, 0, 0, 1)
		r.toggle(fair...)
		want := wants{"found": float64(len(fair)), "foundA": float64(a), "foundB": float64(b)}
		for k, x := range sizes {
			want[k] = x
		}
		r.hold(r.reveal(), want)
		r.right()

		r.open(1, 3)
		r.wrong()
		best := 0.0
		for _, s := range list {
			x, y, _ := split(t, cg, s)
			best = max(best, same(x, y, n))
		}
		pick := -1
		for i, s := range list {
			if x, y, _ := split(t, cg, s); same(x, y, n) >= 0.9*best && (pick < 0 || len(s) < len(list[pick])) {
				pick = i
			}
		}
		for i := range list { // the first that will not do
			if x, y, _ := split(t, cg, list[i]); same(x, y, n) < 0.9*best {
				r.act(lesson.Choose, i, 0, 0)
				r.wrong()
				break
			}
		}
		r.act(lesson.Choose, pick, 0, 0)
		var separators []figure.Lit
		for _, s := range append(slices.Clone(list), fair) { // the last is the reader's own
			separators = append(separators, figure.Lit{Vertices: slices.Clone(s)})
		}
		linked(t, r.view(), separators...)
		x, y, _ := split(t, cg, list[pick])
		r.hold(r.view(), wants{"cuts": float64(len(list)), "want": 0.9 * best, "yourS": float64(len(fair)), "yourBalance": same(a, b, n), "pickS": float64(len(list[pick])), "pickBalance": same(x, y, n)})
		r.right()
	})
}

// Grids of every side, and the torus.
func TestGrowth(t *testing.T) {
	r := newReader(t, nil)
	r.open(1, 4)
	r.act(lesson.Predict, 0, 0, 2)
	r.wrong()
	r.act(lesson.Predict, 0, 0, 1)
	var lx, ly []float64
	sizes := map[int]int{}
	for k := 3; k <= 9; k++ {
		g := model.Grid(k, k)
		sizes[k] = len(fairest(t, core(t, g), swept(t, g)))
		lx, ly = append(lx, math.Log(float64(k*k))), append(ly, math.Log(float64(sizes[k])))
	}
	// The slope by means, rather than by sums.
	mean := func(list []float64) (m float64) {
		for _, x := range list {
			m += x / float64(len(list))
		}
		return m
	}
	mx, my, up, down := mean(lx), mean(ly), 0.0, 0.0
	for i := range lx {
		up += (lx[i] - mx) * (ly[i] - my)
		down += (lx[i] - mx) * (lx[i] - mx)
	}
	r.reveal()
	for k := 3; k <= 9; k++ {
		r.act(lesson.Slide, 0, 0, float64(k))
		r.hold(r.view(), wants{"k": float64(k), "n": float64(k * k), "S": float64(sizes[k]), "planar": math.Sqrt(8 * float64(k*k)), "slope": up / down})
		if float64(sizes[k]) > math.Sqrt(8*float64(k*k)) {
			t.Errorf("the cut of %d x %d is above the bound for planar graphs", k, k)
		}
	}
	r.right()

	for at := range meshes {
		if testing.Short() && at > 0 {
			break
		}
		office.open(at)
		r := newReader(t, nil)
		r.open(1, 5)
		r.act(lesson.Predict, 0, 0, 5)
		gs, ts := handle(t, 8)
		r.wrong()
		r.act(lesson.Predict, 0, 0, 2)
		want := wants{"n": 64, "gridS": float64(gs), "torusS": float64(ts), "ratio": float64(ts) / float64(gs)}
		v := r.reveal()
		params := map[string]float64{}
		for _, p := range meshes[at].Params {
			params[p.Name] = p.Value
		}
		mesh := surface(t, meshes[at].Kind, params)
		var cut []int // of the root of the core's separator tree, which the mesh shows
		for x, cell := range run(office.mesh, &job.Separate{}).(*job.Separated).Cells {
			if cell == 0 {
				cut = append(cut, x)
			}
		}
		if _, b, _ := split(t, mesh, cut); b == 0 {
			t.Errorf("%d vertices do not cut the mesh", len(cut))
		}
		n := float64(mesh.Len())
		want["meshN"], want["meshS"], want["meshRoot"] = n, float64(len(cut)), float64(len(cut))/math.Sqrt(n)
		if v.Canvas == nil || *v.Canvas != (lesson.Canvas{}) {
			t.Errorf("the mesh shows %v", v.Canvas)
		}
		r.hold(v, want)
		r.right()
	}
	office.open(0)
	// The step has one grid and one torus. Those of other sides say the same: a torus takes about twice as many, for a ring leaves it whole.
	for _, k := range []int{4, 5, 6, 7, 9, 10} {
		if gs, ts := handle(t, k); math.Round(float64(ts)/float64(gs)) != 2 {
			t.Errorf("the torus of %d takes %d vertices, the grid %d", k, ts, gs)
		}
	}
}

// Where the mesh at hand cannot be cut, the answer about handles says why.
func TestHandlesFail(t *testing.T) {
	r := newReader(t, nil)
	r.open(1, 5)
	r.act(lesson.Predict, 0, 0, 2)
	if err := r.Reveal(); err != nil {
		t.Fatal(err)
	}
	for r.View().Waiting {
		errand, ok := r.desk.Take()
		if !ok {
			t.Fatal("nothing is asked for")
		}
		if errand.Graph == nil {
			r.desk.Answer(errand.Key, &job.Failed{Message: "It stopped."})
		} else {
			r.desk.Answer(errand.Key, office.answer(t, errand))
		}
	}
	if v := r.View(); v.Failed != "It stopped." {
		t.Errorf("it says %q", v.Failed)
	}
}

// handle is how many vertices the smallest fair cuts of a grid and of a torus have. A ring of vertices cuts the grid, and not the torus.
func handle(t *testing.T, k int) (gridS, torusS int) {
	t.Helper()
	grid, torus := model.Grid(k, k), model.Torus(k)
	var ring []int
	for i := range k {
		ring = append(ring, i*k+k/2)
	}
	if _, b, _ := split(t, core(t, grid), ring); b == 0 {
		t.Errorf("a column leaves the grid of %d whole", k)
	}
	if _, b, _ := split(t, core(t, torus), ring); b != 0 {
		t.Errorf("a ring cuts the torus of %d", k)
	}
	return len(fairest(t, core(t, grid), swept(t, grid))), len(fairest(t, core(t, torus), swept(t, torus)))
}
