package scene

import (
	"strings"
	"testing"

	"genussink/core/job"
)

// What would take long is not begun: the person is told, and chooses.
func TestForecastWaitsForAWord(t *testing.T) {
	r := treeForecast(t)
	if f := r.s.State().Transport.Forecast; f == nil || !f.Tree || f.Asked.Seconds != 50 {
		t.Fatalf("forecast %+v", f)
	}
	if out := r.take(); len(out) != 0 {
		t.Fatalf("goes on by itself: %v", kinds(out))
	}
	r.s.Proceed(-1)
	id, separate := one[*job.Separate](r)
	if separate.Patience != 0 || r.s.State().Transport.Forecast != nil {
		t.Errorf("asked again, with a patience of %g s", separate.Patience)
	}
	r.answer(id, tree(63, 3))
	id, solve := one[*job.Solve](r)
	if solve.Patience != Patience {
		t.Errorf("solves with a patience of %g s", solve.Patience)
	}
	said := &job.Forecasted{
		Asked: job.Outlook{KernelSpec: job.KernelSpec{Method: "exact"}, Seconds: 90, Bytes: 5e9}, Limit: 2e9, Patience: Patience,
		Others: []job.Outlook{{KernelSpec: job.KernelSpec{Method: "certified", Delta: job.Fraction(0.03)}, Seconds: 15, Bytes: 1e9}, {KernelSpec: job.KernelSpec{Method: "sampled"}, Seconds: 9, Bytes: 1e9}},
	}
	r.answer(id, said)
	st := r.s.State()
	if f := st.Transport.Forecast; f == nil || f.Tree || f.Asked.Bytes != 5e9 || f.Limit != 2e9 || len(f.Others) != 2 || st.Phase != PhaseReady || st.Error != "" {
		t.Fatalf("forecast %+v, %s %q", f, st.Phase, st.Error)
	}
	if r.s.Tick(1); len(r.take()) != 0 {
		t.Fatal("goes on by itself")
	}
	r.s.Proceed(0)
	id, solve = one[*job.Solve](r)
	if solve.Method != "certified" || solve.Delta != job.Fraction(0.03) || solve.Patience != 0 {
		t.Errorf("chose %s at delta %v, patience %g s", solve.Method, solve.Delta, solve.Patience)
	}
	// Another setting is another question.
	r.answer(id, said)
	r.s.Epsilon(0.1)
	if r.s.State().Transport.Forecast != nil {
		t.Error("the forecast outlives its question")
	}
	r.s.Tick(0.2)
	r.s.Tick(0.2)
	if _, solve = one[*job.Solve](r); solve.Patience != Patience || solve.Epsilon != job.Fraction(0.1) {
		t.Errorf("then asks %+v", solve)
	}
}

// A forecast that was put off comes back where it matters again.
func TestForecastIsPutOff(t *testing.T) {
	r := treeForecast(t)
	putOff := func() {
		t.Helper()
		r.s.PutOff()
		if st := r.s.State(); st.Transport.Forecast == nil || !st.Transport.Forecast.PutOff || !strings.HasSuffix(st.Status, " to choose again.") {
			t.Fatalf("put off: %+v, %q", st.Transport.Forecast, st.Status)
		}
		if r.s.Tick(1); len(r.take()) != 0 {
			t.Fatal("goes on though it was put off")
		}
	}
	putOff()
	if r.s.Task(TaskSeparators); r.s.State().Transport.Forecast.PutOff {
		t.Error("the task of separators does not ask again")
	}
	r.s.Proceed(-1)
	id, _ := one[*job.Separate](r)
	r.answer(id, tree(63, 3))
	said := &job.Forecasted{Asked: job.Outlook{KernelSpec: job.KernelSpec{Method: "exact"}, Seconds: 90}, Patience: Patience}
	id, _ = one[*job.Solve](r)
	r.answer(id, said)
	putOff()
	r.s.Solve()
	id, _ = one[*job.Solve](r)
	r.answer(id, said)
	if f := r.s.State().Transport.Forecast; f == nil || f.PutOff {
		t.Errorf("Solve does not ask again: %+v", f)
	}
}

// treeForecast is a mesh whose separator tree would take long.
func treeForecast(t *testing.T) *rig {
	t.Helper()
	r := newRig(t, grid(9, 7))
	id, _ := one[*job.Generate](r)
	r.answer(id, r.mesh)
	out := r.take()
	separate := out[1].Body.(*job.Separate)
	if separate.Patience != Patience {
		t.Errorf("separates with a patience of %g s", separate.Patience)
	}
	r.answer(out[1].ID, &job.Forecasted{Asked: job.Outlook{Seconds: 50}, Patience: Patience})
	density := make([]float64, 63)
	density[3] = 1
	r.answer(out[0].ID, &job.Measured{Preset: "paper", Source: density, Target: density})
	return r
}
