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

// Cold is compared with cold and warm with warm: a second solve leaves the first one's time in
// its place, set-up stands apart from both and polishing from all, and a measured run of dense says by how much the
// prediction missed it.
func TestComparison(t *testing.T) {
	r := newRig(t, grid(4, 4))
	r.run()
	none := math.NaN()
	solve := func(e job.Solved, polish float64) MethodState {
		t.Helper()
		e.Status, e.Epsilon = "converged", 0.5
		r.s.Solve()
		for out := r.take(); len(out) > 0; out = r.take() {
			for _, q := range out {
				switch q.Body.(type) {
				case *job.Solve:
					r.answer(q.ID, &e)
				case *job.Flow:
					r.answer(q.ID, &job.Flowed{})
				case *job.Polish:
					r.answer(q.ID, &job.Polished{Estimate: job.Estimate{Cost: 2, Low: 2, High: 2, Known: true}, Timings: []job.Timing{{Stage: "polish", Seconds: polish}}})
				}
			}
		}
		rows := r.s.State().Transport.Comparison.Rows
		for _, m := range rows {
			if m.Method == e.Method {
				return m
			}
		}
		t.Fatalf("%v has no row of %s", rows, e.Method)
		return MethodState{}
	}
	setup := []job.Timing{{Stage: "labels", Seconds: 3}, {Stage: "kernel", Seconds: 1}}
	took := func(seconds float64) []job.Timing {
		return []job.Timing{{Stage: "kernel", Seconds: 1}, {Stage: "solve", Seconds: seconds}, {Stage: "examine", Seconds: 9}}
	}
	cold := solve(job.Solved{Kernel: job.Kernel{Method: "exact", Delta: none, MemoryBytes: 7}, Solution: job.Solution{Cost: 2}, Threads: 3, Setup: setup, Timings: took(0.5), DenseSetup: 40, DenseSolve: 6}, 0)
	if cold.Setup != 4 || cold.Cold != 0.5 || cold.Warm.Known() || cold.Polish.Known() || cold.Threads != 3 || cold.Cost != 2 || cold.Bytes != 7 || strings.Join(cold.Contains, " ") != "labels kernel" ||
		cold.Dense.Setup != 40 || cold.Dense.Cold != 6 || cold.Dense.Warm.Known() || cold.Off.Known() {
		t.Errorf("cold: %+v", cold)
	}
	warm := solve(job.Solved{Kernel: job.Kernel{Method: "exact", Delta: none}, Warm: true, Solution: job.Solution{Cost: 2.5}, Threads: 3, Setup: setup, Timings: took(0.04), DenseSetup: 40, DenseSolve: 2}, 0)
	if warm.Setup != 4 || warm.Cold != 0.5 || warm.Warm != 0.04 || warm.Dense.Cold != 6 || warm.Dense.Warm != 2 || warm.Cost != 2.5 {
		t.Errorf("warm: %+v", warm)
	}
	dense := solve(job.Solved{Kernel: job.Kernel{Method: "dense", Delta: none}, Solution: job.Solution{Cost: 2.5}, Threads: 1, Setup: []job.Timing{{Stage: "kernel", Seconds: 100}}, Timings: took(25), DenseSetup: 120, DenseSolve: 30}, 0)
	if dense.Cold != 25 || dense.Setup != 100 || math.Abs(float64(dense.Off)-0.2) > 1e-12 || dense.Threads != 1 {
		t.Errorf("dense: %+v", dense)
	}
	certified := solve(job.Solved{Kernel: job.Kernel{Method: "certified", Delta: 0.1}, Solution: job.Solution{Cost: 2.6}, Setup: setup, Timings: took(0.3), DenseSetup: 40, DenseSolve: 6}, 0.25)
	if certified.Polish != 0.25 || certified.Cold != 0.3 || certified.Delta != 0.1 {
		t.Errorf("certified: %+v", certified)
	}
	// Exact in certified's place is no other method than exact.
	solve(job.Solved{Kernel: job.Kernel{Method: "exact", Requested: "certified", Delta: 0.1}, Warm: true, Solution: job.Solution{Cost: 2.5}, Threads: 3, Setup: setup, Timings: took(0.04), DenseSetup: 40, DenseSolve: 2}, 0)
	if rows := r.s.State().Transport.Comparison.Rows; len(rows) != 3 || rows[0].Cost != 2.5 || rows[0].Delta.Known() {
		t.Errorf("%+v", rows)
	}
	// What has no value is null, and the costs of another problem have none.
	r.s.Clear()
	r.s.Preset("paper")
	r.run()
	solve(job.Solved{Kernel: job.Kernel{Method: "exact", Delta: none}, Solution: job.Solution{Cost: 9}, Threads: 3, Setup: setup, Timings: took(0.6)}, 0)
	st := r.s.State()
	text, err := json.Marshal(st.Transport.Comparison)
	if err != nil || !strings.Contains(string(text), `"off":null`) {
		t.Errorf("%s, %v", text, err)
	}
	for _, m := range st.Transport.Comparison.Rows {
		if m.Cost.Known() != (m.Method == "exact") {
			t.Errorf("%s of another problem costs %g", m.Method, m.Cost)
		}
	}
}

// The mass of a row's plan is seen for as long as it is drawn, and no longer; rows of another problem have none.
func TestWithPlanOf(t *testing.T) {
	r := ready(t)
	r.s.Playback.Pause()
	r.s.Playback.Show(MassDensity)
	r.s.Playback.Seek(0.25)
	r.s.Toggle(LayerArrows)
	before, paths, arrows := slices.Clone(r.s.Colors()), r.s.Playback.flow, slices.Clone(r.s.Arrows())
	var within []colormap.RGB
	if !r.s.WithPlanOf(Plan{}, 0.75, func() {
		within = slices.Clone(r.s.Colors())
		if len(r.s.Arrows()) > 0 {
			t.Error("the arrows are another plan's")
		}
	}) {
		t.Fatalf("no paths of %+v", r.s.State().Transport.Comparison.Rows)
	}
	if slices.Equal(within, before) {
		t.Error("the mass is where it was at another moment")
	}
	r.s.Playback.Seek(0.75)
	if !slices.Equal(r.s.Colors(), within) {
		t.Error("the mass is not where the same plan has it at this moment")
	}
	r.s.Playback.Seek(0.25)
	if !slices.Equal(r.s.Colors(), before) || r.s.Playback.flow != paths || len(arrows) == 0 || !slices.Equal(r.s.Arrows(), arrows) {
		t.Error("the scene is not as it was")
	}
	for _, bad := range []struct {
		row      int
		position float64
	}{{-1, 0}, {1, 0}, {0, -0.1}, {0, math.NaN()}} {
		if r.s.WithPlanOf(Plan{Row: bad.row}, bad.position, func() { t.Errorf("%+v is drawn", bad) }) {
			t.Errorf("%+v has paths", bad)
		}
	}
	c := &r.s.Transport.comparison
	c.solved(&job.Solve{Source: []float64{1}, Target: []float64{1}}, &job.Solved{Kernel: job.Kernel{Method: "another", Epsilon: c.Epsilon}})
	for i, m := range c.state().Rows {
		if m.Moves || r.s.WithPlanOf(Plan{Row: i}, 0.5, func() {}) {
			t.Errorf("row %d moves the mass of another problem", i)
		}
	}
}
