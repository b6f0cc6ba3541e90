package scene

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"genussink/core/job"
	"genussink/viewer/colormap"
)

// Methods are compared one after the other, each a whole row. What is stopped keeps the rows that are there, and other densities make them stale.
func TestBenchmark(t *testing.T) {
	r := ready(t)
	state := func() BenchmarkState { return r.s.State().Transport.Benchmark }
	source, target := r.s.Densities.Values()
	r.s.Compare([]string{job.Dense, job.Heat})
	id, asked := one[*job.Benchmark](r)
	if asked.Epsilon != job.Fraction(r.s.Transport.epsilon) || !identical(asked.Source, source) || !identical(asked.Target, target) || asked.Particles == 0 || !slices.Equal(asked.Methods, []string{"dense", "heat"}) {
		t.Errorf("asked: %+v", asked)
	}
	if r.s.Phase() == PhaseComputing || !state().Running || state().Of != 2 {
		t.Errorf("%s, %+v", r.s.Phase(), state())
	}
	r.answer(id, &job.Progress{Stage: "dense"})
	none := math.NaN()
	r.answer(id, &job.Benchmarking{Method: "dense", Cost: 2, Error: 0, Setup: 3, Solve: 4, PeakBytes: 5, Flowing: job.Flowing{Offsets: []int32{0, 2}, Vertices: []int32{3, 9}, Along: []float64{0, 1}}})
	r.answer(id, &job.Benchmarking{Method: "heat", Note: "refused: no", Cost: none, Error: none, Setup: none, Solve: none, Bound: none, MarginalError: none})
	st := state()
	if !st.Running || st.Method != "dense" || st.Reference != "dense" || len(st.Rows) != 2 || !st.Rows[0].Moves || st.Rows[1].Moves || st.Rows[1].Cost.Known() || st.Stale {
		t.Errorf("%+v", st)
	}
	if text, err := json.Marshal(st); err != nil || !strings.Contains(string(text), `"cost":null`) {
		t.Errorf("%s, %v", text, err)
	}
	r.answer(id, &job.Benchmarked{Reference: "dense"})
	if state().Running || state().Why != "" {
		t.Errorf("in the end: %+v", state())
	}
	before := slices.Clone(r.s.Colors())
	var within []colormap.RGB
	if !r.s.WithPlanOf(Plan{Compared: true}, 0.5, func() { within = slices.Clone(r.s.Colors()) }) || !slices.Equal(before, r.s.Colors()) || len(within) == 0 {
		t.Error("the mass of dense's plan cannot be seen, or the scene is not as it was")
	}
	for _, none := range []Plan{{Compared: true, Row: 1}, {Compared: true, Row: 2}, {Compared: true, Row: -1}} {
		if r.s.WithPlanOf(none, 0.5, func() {}) {
			t.Errorf("%+v has paths", none)
		}
	}

	r.s.Compare(nil)
	id, _ = one[*job.Benchmark](r)
	r.answer(id, &job.Benchmarking{Method: "dense", Cost: 2})
	r.s.StopComparing()
	if out := r.take(); len(out) != 1 || out[0].Body.(*job.Cancel).Request != id {
		t.Errorf("stopping asks for %+v", out)
	}
	r.answer(id, &job.Benchmarking{Method: "exact", Cost: 2})
	if st = state(); st.Running || len(st.Rows) != 1 || st.Why != "Stopped." || st.Of != len(job.Contenders) {
		t.Errorf("stopped: %+v", st)
	}

	r.s.Compare([]string{job.Heat})
	id, _ = one[*job.Benchmark](r)
	r.answer(id, &job.Failed{Kind: "input", Message: "no"})
	if st = state(); st.Why != "Could not compare the methods: no" || r.s.State().Error != "" || len(st.Rows) != 0 {
		t.Errorf("failed: %+v", st)
	}
	r.s.Compare([]string{job.Heat})
	id, _ = one[*job.Benchmark](r)
	r.answer(id, &job.Benchmarking{Method: "heat", Flowing: job.Flowing{Offsets: []int32{0, 1}, Vertices: []int32{9999}, Along: []float64{0}}})
	if st = state(); len(st.Rows) != 0 || r.s.State().Error == "" {
		t.Errorf("paths beyond the mesh are taken: %+v", st)
	}
	r.s.Dismiss()
	r.s.Clear()
	if !state().Stale {
		t.Error("of other densities it is not stale")
	}
	r.take()
	r.s.Compare(nil)
	if out := r.take(); len(out) != 1 || !strings.Contains(state().Why, "paint a source") { // the Cancel of the last
		t.Errorf("without densities: %+v, %+v", out, state())
	}
}
