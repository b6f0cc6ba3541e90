package scene

import (
	"math"
	"slices"
	"testing"

	"genussink/core/job"
	"genussink/viewer/colormap"
	"genussink/viewer/timeline"
)

// Dijkstra's algorithm is watched one vertex after the other: what is settled has its colour, what is reached is marked, and the tree of
// shortest paths grows. A step back restores the picture before.
func TestFront(t *testing.T) {
	r := ready(t) // 9 by 7
	r.s.View.ReducedMotion(true)
	r.s.Task(TaskInspect)
	r.s.ShowField(FieldDistance)
	r.s.Spread((*timeline.Timeline).Forward) // there is nothing to watch
	r.s.Click(on(0))
	id, b := one[*job.Brush](r)
	if !b.Tree {
		t.Error("the tree is not asked for")
	}
	r.answer(id, r.ball(b))
	whole := slices.Clone(r.s.Colors())
	if st := r.s.State().Field.Front; !st.Available || st.Shown || st.Steps != 63 || st.Reached != 63 {
		t.Fatalf("%+v", st)
	}
	r.s.Spread(timeline.To(0))
	if st := r.s.State().Field.Front; st.Settled != 0 || st.Open != 1 || !st.Tree {
		t.Errorf("at the start: %+v", st)
	}
	clay, plain := colormap.Clay(r.s.View.Theme()), 0
	for _, c := range r.s.Colors() {
		if c == clay {
			plain++
		}
	}
	if plain != 63 {
		t.Errorf("%d vertices are grey at the start", plain)
	}
	type look struct {
		state    FrontState
		colors   []colormap.RGB
		branches []int32
		dots     []Dot
	}
	see := func() look {
		return look{r.s.State().Field.Front, slices.Clone(r.s.Colors()), r.s.Inspection.Branches(nil), r.s.Markers(nil)}
	}
	var seen []look
	for step := 1; step <= 63; step++ {
		r.s.Spread((*timeline.Timeline).Forward)
		now := see()
		seen = append(seen, now)
		if now.state.Settled != step || len(now.branches) != 2*(step-1) || len(now.dots) != now.state.Open+1 {
			t.Fatalf("step %d: %+v, %d numbers in branches, %d dots", step, now.state, len(now.branches), len(now.dots))
		}
		settled := r.s.Inspection.distances.Vertices[:step]
		all := r.s.Inspection.distances.Vertices
		if step < 63 && !slices.ContainsFunc(now.dots[:now.state.Open], func(d Dot) bool { return d.Vertex == all[step] }) {
			t.Errorf("step %d: %d, the next, is not on the front", step, all[step])
		}
		if now.state.Distance != r.s.Inspection.distances.Distances[step-1] {
			t.Errorf("step %d: at a distance of %g", step, now.state.Distance)
		}
		for v, c := range now.colors {
			if in := slices.Contains(settled, int32(v)); in == (c == clay) || in && c != whole[v] {
				t.Fatalf("step %d: vertex %d has colour %v", step, v, c)
			}
		}
		for k := 0; k < len(now.branches); k += 2 { // each is found from one that is settled before
			if i, j := slices.Index(settled, now.branches[k]), slices.Index(settled, now.branches[k+1]); i < 0 || i >= j {
				t.Errorf("step %d: a branch from %d to %d", step, now.branches[k], now.branches[k+1])
			}
		}
		offsets, targets := r.s.Mesh.Neighbours()
		for _, d := range now.dots[:now.state.Open] {
			if slices.Contains(settled, d.Vertex) || !slices.ContainsFunc(targets[offsets[d.Vertex]:offsets[d.Vertex+1]], func(w int32) bool { return slices.Contains(settled, w) }) {
				t.Errorf("step %d: %d is not on the front", step, d.Vertex)
			}
		}
	}
	if last := seen[62].state; last.Open != 0 || last.Distance != 14 {
		t.Errorf("in the end: %+v", last)
	}
	for step := 62; step >= 1; step-- {
		r.s.Spread((*timeline.Timeline).Back)
		if now := see(); now.state != seen[step-1].state || !slices.Equal(now.colors, seen[step-1].colors) || !slices.Equal(now.dots, seen[step-1].dots) {
			t.Fatalf("back at step %d: %+v", step, now.state)
		}
	}
	legend := func() (parts []string) {
		for _, e := range r.s.Legend() {
			if e.Layer == LayerField {
				for _, p := range e.Parts {
					parts = append(parts, p.Name)
				}
			}
		}
		return parts
	}
	if parts := legend(); len(parts) != 4 {
		t.Errorf("the legend has %q", parts)
	}

	r.s.Spread((*timeline.Timeline).Play)
	for range 400 {
		r.s.Tick(0.1)
	}
	if st := r.s.State().Field.Front; st.Playing || st.Settled != 63 {
		t.Errorf("played: %+v", st)
	}
	// Another vertex: the front goes on from there, at the same step.
	r.s.Spread(timeline.To(20))
	r.s.Click(on(4))
	id, b = one[*job.Brush](r)
	r.answer(id, r.ball(b))
	if st := r.s.State().Field.Front; !st.Shown || st.Settled != 20 || !slices.Contains(r.s.Inspection.Branches(nil), 4) {
		t.Errorf("from another vertex: %+v", st)
	}
	r.s.HideFront()
	if parts := legend(); len(parts) != 1 || len(r.s.Inspection.Branches(nil)) != 0 || slices.Contains(r.s.Colors(), clay) {
		t.Errorf("hidden: %q", parts)
	}
	r.s.Spread(timeline.To(20))
	r.s.ShowField(FieldNone)
	if st := r.s.State().Field.Front; st.Shown || len(r.s.Inspection.Branches(nil)) != 0 {
		t.Errorf("without the field: %+v", st)
	}

	// Large meshes settle some vertices at a step.
	n := 1000
	e := &job.Brushed{}
	for v := range int32(n) {
		e.Vertices, e.Distances, e.Before = append(e.Vertices, v), append(e.Distances, float64(v)), append(e.Before, max(v-1, 0))
	}
	var f front
	if !f.take(e, n) || f.timeline.End != mostFronts {
		t.Fatalf("%+v", f.timeline)
	}
	for _, c := range [][2]int{{0, 0}, {1, 7}, {80, 500}, {mostFronts, n}} {
		if f.timeline.Seek(float64(c[0])); f.settled() != c[1] {
			t.Errorf("step %d: %d settled, not %d", c[0], f.settled(), c[1])
		}
	}
	for name, broken := range map[string]func(e *job.Brushed){
		"no tree":   func(e *job.Brushed) { e.Before = nil },
		"unsettled": func(e *job.Brushed) { e.Before[5] = 9 },
		"a second":  func(e *job.Brushed) { e.Before[5] = 5 },
		"beyond":    func(e *job.Brushed) { e.Before[5] = int32(n) },
		"below":     func(e *job.Brushed) { e.Before[5] = math.MinInt32 },
		"twice":     func(e *job.Brushed) { e.Vertices[5] = 4 },
	} {
		other := &job.Brushed{Vertices: slices.Clone(e.Vertices), Distances: e.Distances, Before: slices.Clone(e.Before)}
		broken(other)
		if f.take(other, n) {
			t.Errorf("%s: taken", name)
		}
	}
}
