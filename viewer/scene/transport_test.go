package scene

import (
	"math"
	"strings"
	"testing"

	"genussink/core/job"
)

// solvedBy takes a scene that has come to rest through one more solve, up to its flow's last path.
func solvedBy(r *rig, method string) {
	r.s.Solve()
	id, _ := one[*job.Solve](r)
	r.answer(id, &job.Solved{Kernel: job.Kernel{Method: method}, Solution: job.Solution{Status: job.Converged, Cost: 2}})
	if r.s.State().Transport.Result.Polished != nil {
		r.t.Error("polished before it was asked for")
	}
	id, _ = one[*job.Flow](r)
	r.answer(id, &job.Flowing{Offsets: []int32{0, 2}, Vertices: []int32{3, 9}, Along: []float64{0, 1}})
	if out := r.take(); len(out) != 0 {
		r.t.Fatalf("before the last path: %v", kinds(out))
	}
	r.answer(id, &job.Flowed{Particles: 1})
}

// Mass moves first; then comes the cost on true distances, and once that is there it is refined, in the background.
func TestPolishesWhenIdle(t *testing.T) {
	r := ready(t)
	solvedBy(r, "certified")
	id, first := one[*job.Polish](r)
	if first.Seconds != 0 || r.s.Phase() == PhaseComputing {
		t.Errorf("%+v, phase %s", first, r.s.Phase())
	}
	stage := r.s.State().Stage
	r.answer(id, &job.Progress{Stage: "polish", Fraction: 0.5})
	if got := r.s.State().Stage; got != stage {
		t.Errorf("stage %q", got)
	}
	r.answer(id, &job.Polishing{Estimate: job.Estimate{Cost: 2.1, Low: 2, High: 2.3, Rows: 4, Of: 40}})
	if p := r.s.State().Transport.Result.Polished; *p != (Polished{Estimate: job.Estimate{Cost: 2.1, Low: 2, High: 2.3, Rows: 4, Of: 40}}) {
		t.Errorf("%+v", p)
	}
	r.answer(id, &job.Polished{Estimate: job.Estimate{Cost: 2.1, Low: 2.05, High: 2.2, Rows: 8, Of: 40}, Timings: []job.Timing{{Stage: "polish", Seconds: 0.1}}})
	before := r.s.State()
	id, more := one[*job.Polish](r)
	if more.Seconds != refineSeconds || !before.Transport.Result.Polished.Refining || before.Timings[len(before.Timings)-1].Request != "polish" {
		t.Errorf("%+v, %+v", more, before.Transport.Result.Polished)
	}
	r.answer(id, &job.Polished{Estimate: job.Estimate{Cost: 2.11, Low: 2.1, High: 2.12, Rows: 30, Of: 40}, Timings: []job.Timing{{Stage: "refine", Seconds: 30}}})
	if out := r.take(); len(out) != 0 {
		t.Errorf("refined twice: %v", kinds(out))
	}
	if p := r.s.State().Transport.Result.Polished; p.Refining || p.High != 2.12 || before.Transport.Result.Polished.High != 2.2 {
		t.Errorf("%+v, before %+v", p, before.Transport.Result.Polished)
	}
	r.s.Solve() // another plan: nothing is known of it
	one[*job.Solve](r)
}

// The depth of the tree is that of the methods that have one.
func TestTreeDepth(t *testing.T) {
	for _, c := range []struct {
		method     string
		most, want int
	}{{"tree", 2, 2}, {"sampled", 3, 3}, {"exact", 4, 0}, {"tree", -1, 0}, {"sampled", 99, MaxLevels}} {
		r := ready(t)
		r.s.Method(c.method)
		r.s.Levels(c.most)
		r.s.Solve()
		if _, solve := one[*job.Solve](r); solve.Levels != c.want {
			t.Errorf("%s, at most %d levels: asked for %d", c.method, c.most, solve.Levels)
		}
	}
}

func TestPolishEnds(t *testing.T) {
	for name, e := range map[string]job.Polished{
		"known":         {Estimate: job.Estimate{Cost: 2, Low: 2, High: 2.1, Known: true}},
		"enough":        {Estimate: job.Estimate{Cost: 2, Low: 2, High: 2.00001}},
		"not converged": {Estimate: job.Estimate{Cost: math.NaN(), Low: math.NaN(), High: math.NaN()}, Why: "The solve stopped."},
	} {
		r := ready(t)
		solvedBy(r, "sampled")
		id, _ := one[*job.Polish](r)
		r.answer(id, &e)
		if out := r.take(); len(out) != 0 {
			t.Errorf("%s: %v", name, kinds(out))
		}
		if p := r.s.State().Transport.Result.Polished; p.Why != e.Why || p.Refining || e.Why == "" && p.Cost != 2 || e.Why != "" && p.Cost != 0 {
			t.Errorf("%s: %+v", name, p)
		}
	}
	r := ready(t)
	solvedBy(r, "exact")
	if out := r.take(); len(out) != 0 {
		t.Errorf("exact: %v", kinds(out))
	}
	r = ready(t)
	solvedBy(r, "embedded")
	id, _ := one[*job.Polish](r)
	r.answer(id, &job.Polished{Estimate: job.Estimate{Cost: 2, Low: 3, High: 4}})
	if st := r.s.State(); !strings.Contains(st.Error, "Polished") {
		t.Errorf("a cost beside its interval: %q", st.Error)
	}
}

// A new solve, a stroke and a setting each cancel it.
func TestPolishGivesWay(t *testing.T) {
	for name, intent := range map[string]func(s *Scene){
		"solve":   func(s *Scene) { s.Solve() },
		"setting": func(s *Scene) { s.Epsilon(0.5) },
		"stroke":  func(s *Scene) { s.BrushTool(ToolSource); s.StrokeBegin(4) },
		"cancel":  func(s *Scene) { s.Cancel() },
	} {
		r := ready(t)
		solvedBy(r, "certified")
		id, _ := one[*job.Polish](r)
		intent(r.s)
		cancelled := false
		for _, q := range r.take() {
			if c, ok := q.Body.(*job.Cancel); ok && c.Request == id {
				cancelled = true
			}
		}
		r.answer(id, &job.Polished{Estimate: job.Estimate{Cost: 9, Low: 9, High: 9}}) // too late
		if p := r.s.State().Transport.Result.Polished; !cancelled || p != nil {
			t.Errorf("%s: cancelled %v, %+v", name, cancelled, p)
		}
	}
}

// Where another method was taken than the one that was asked for, the result says which, and why.
func TestResultSaysWhatWasTaken(t *testing.T) {
	r := ready(t)
	r.s.Solve()
	id, _ := one[*job.Solve](r)
	r.answer(id, &job.Solved{Solution: job.Solution{Status: job.Converged}, Kernel: job.Kernel{Method: "exact", Requested: "certified", Note: "Exact was taken."}})
	if got := r.s.State().Transport.Result; got.Method != "exact" || got.Requested != "certified" || got.Note != "Exact was taken." {
		t.Errorf("%s for %s, %q", got.Method, got.Requested, got.Note)
	}
}

// A solve starts from the last plan after a repaint, not with other settings.
func TestWarm(t *testing.T) {
	at := Transport{method: "exact", epsilon: 0.1, delta: 0.01}
	if at.warm() {
		t.Error("warm before the first answer")
	}
	asked := at.problem([2][]float64{{1}, {1}}, "exact", 3)
	if at.take(asked, &job.Solved{Solution: job.Solution{Form: job.Scaling}}, false); !at.warm() || at.exact != nil {
		t.Error("cold after a repaint")
	}
	if at.epsilon = 0.2; at.warm() {
		t.Error("warm at another epsilon")
	}
	if at.solved.Form = "log"; !at.warm() {
		t.Error("cold in logarithms")
	}
	if at.method = "dense"; at.warm() {
		t.Error("warm with another method")
	}
	if at.take(asked, at.solved, true); at.exact != asked {
		t.Error("the answer behind a quick one is forgotten")
	}
}

// What changes makes the answer stale and is solved once it settles; a forecast of the tree stays true for the automatic method.
func TestTransportChange(t *testing.T) {
	at := Transport{method: "exact", forecast: &job.Forecasted{}, tree: true}
	if at.change(); at.stale || at.settle != settleSeconds || at.forecast != nil {
		t.Errorf("%+v", at)
	}
	at.solved, at.method, at.forecast = &job.Solved{Kernel: job.Kernel{Method: job.Quantized}}, Automatic, &job.Forecasted{}
	if !at.estimated() {
		t.Error("an estimate is none")
	}
	if at.change(); !at.stale || at.settle != atOnce || at.forecast == nil || at.estimated() {
		t.Errorf("%+v", at)
	}
	if tree, ok := at.proceed(0); tree || ok {
		t.Error("a choice that the forecast does not offer")
	}
	if tree, ok := at.proceed(-1); !tree || !ok || at.forecast != nil {
		t.Error("the tree is not to be made")
	}
	at.forecast, at.tree = &job.Forecasted{Others: []job.Outlook{{KernelSpec: job.KernelSpec{Method: "certified", Delta: job.Fraction(9)}}}}, false
	if tree, ok := at.proceed(0); tree || !ok || at.method != "certified" || at.delta != MaxDelta {
		t.Errorf("method %s with delta %g", at.method, at.delta)
	}
}
