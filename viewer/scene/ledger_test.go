package scene

import (
	"math"
	"slices"
	"testing"

	"genussink/core/job"
)

// Every stage since the mesh was opened stays in the timings, whatever came
// after it: a solve that repeats nothing takes none away, and the paths have
// their stage. What was done again says the last time, the first and how often.
func TestTimingsStay(t *testing.T) {
	r := newRig(t, grid(4, 4))
	r.mesh.Timings = []job.Timing{{Stage: "load", Seconds: 1}}
	solves := [][]job.Timing{
		{{Stage: "labels", Seconds: 2}, {Stage: "tiles", Seconds: 3}, {Stage: "kernel", Seconds: 4}, {Stage: "solve", Seconds: 5}},
		{{Stage: "solve", Seconds: 0.5}},
		{{Stage: "host", Seconds: 8}, {Stage: "tiles", Seconds: 7}, {Stage: "tiles", Seconds: 1}, {Stage: "solve", Seconds: math.NaN()}},
	}
	want := []StageState{
		{"open", "load", 1, 1, 1},
		{"separate", "tree", 6, 6, 1},
		{"solve", "labels", 2, 2, 1}, {"solve", "tiles", 8, 3, 2}, {"solve", "kernel", 4, 4, 1}, {"solve", "solve", 0, 5, 3}, {"solve", "host", 8, 8, 1},
		{"flow", "paths", 9, 9, 3},
	}
	answer := func(timings []job.Timing) {
		n := r.mesh.Report.Vertices
		for out := r.take(); len(out) > 0; out = r.take() {
			for _, q := range out {
				switch q.Body.(type) {
				case *job.Generate:
					r.answer(q.ID, r.mesh)
				case *job.Separate:
					e := tree(n, 3)
					e.Timings = []job.Timing{{Stage: "tree", Seconds: 6}}
					r.answer(q.ID, e)
				case *job.Measure:
					e := &job.Measured{Source: make([]float64, n), Target: make([]float64, n)}
					e.Source[0], e.Target[n-1] = 1, 1
					r.answer(q.ID, e)
				case *job.Solve:
					r.answer(q.ID, &job.Solved{Solution: job.Solution{Status: job.Converged}, Timings: timings})
				case *job.Flow:
					r.answer(q.ID, &job.Flowed{Timings: []job.Timing{{Stage: "paths", Seconds: 9}}})
				}
			}
		}
	}
	for i, timings := range solves {
		if i > 0 {
			r.s.Solve()
		}
		answer(timings)
	}
	if got := r.s.State().Timings; !slices.Equal(got, want) {
		t.Errorf("timings\n%v, want\n%v", got, want)
	}
	before := r.s.Revision()
	if r.s.ResetTimings(); len(r.s.State().Timings) != 0 || r.s.Revision() == before {
		t.Error("the timings are not reset")
	}
	r.s.Solve()
	answer(solves[1])
	if got := r.s.State().Timings; len(got) != 2 || got[0] != (StageState{"solve", "solve", 0.5, 0.5, 1}) {
		t.Errorf("after a reset: %v", got)
	}
	r.s.OpenGenerated("grid", nil)
	answer(solves[1])
	if got := r.s.State().Timings; len(got) != 4 || got[0].Request != "open" {
		t.Errorf("of another mesh: %v", got)
	}
}
