package scene

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"genussink/core/job"
	"genussink/core/session"
)

// A kernel other than exp is solved with, goes with link and command, and makes an automatic method certified.
func TestKernel(t *testing.T) {
	r := automatic(t)
	r.run()
	const gauss = "gauss:s=2"
	r.s.Kernel(gauss)
	r.s.Solve()
	for _, q := range r.take() {
		if b, ok := q.Body.(*job.Solve); ok {
			if b.Function != gauss || b.Method != job.Certified || b.Delta.Value != DefaultDelta {
				t.Errorf("solves %+v", b.KernelSpec)
			}
			r.answer(q.ID, &job.Solved{Kernel: job.Kernel{Method: job.Certified, Function: gauss, Share: 1e-12, Epsilon: 3}, Solution: job.Solution{Status: job.Converged, Cost: 2}})
		}
	}
	st := r.s.State().Transport
	if st.Kernel != gauss || st.Method != job.Certified || st.Result.Kernel != gauss || st.Result.KernelError != 1e-12 {
		t.Errorf("%+v, result %+v", st, st.Result)
	}
	if len(st.Comparison.Rows) != 1 || st.Comparison.Kernel != gauss {
		t.Errorf("compares %+v", st.Comparison)
	}
	text := link(r.s)
	if sn := parse(t, text); sn.Kernel != gauss || sn.Method != job.Certified {
		t.Errorf("link %s", text)
	}
	other := opened(t, parse(t, text), grid(9, 7))
	other.run()
	if got := link(other.s); got != text {
		t.Errorf("restored link %s, want %s", got, text)
	}
	if line, _ := r.s.Command("solve", "", Look{}); !strings.Contains(line, "-method certified -epsilon 0.01 -delta 0.01 -kernel 'gauss:s=2'") {
		t.Errorf("command %s", line)
	}
	// A link that names the kernel alone; and one of exp, which is not said.
	other = opened(t, parse(t, "kernel=squared"), grid(9, 7))
	other.run()
	if st := other.s.State().Transport; st.Kernel != "squared" || st.Method != job.Certified {
		t.Errorf("%+v", st)
	}
	other.s.Kernel(job.Exp)
	if text := link(other.s); strings.Contains(text, "kernel") || other.s.State().Transport.Kernel != job.Exp {
		t.Errorf("link %s of exp", text)
	}
	if sn := parse(t, "kernel="+strings.Repeat("1", session.MaxKernel+1)); sn.Kernel != "" || len(sn.Odd) != 1 {
		t.Errorf("a kernel of any length is taken: %+v", sn)
	}
}

// The profile is asked for while somebody looks at it, once at a time and at last for the settings at hand.
func TestProfile(t *testing.T) {
	r := ready(t)
	r.s.Kernel("inverse")
	r.run()
	r.s.ShowProfile(true)
	id, first := one[*job.Profile](r)
	if first.Function != "inverse" {
		t.Errorf("asks for %+v", first)
	}
	for _, epsilon := range []float64{0.3, 0.2, 0.1} {
		r.s.Epsilon(epsilon)
	}
	for _, q := range r.take() {
		if _, ok := q.Body.(*job.Profile); ok {
			t.Error("asks for a second beside the first")
		}
	}
	r.answer(id, &job.Profiled{Rows: 2, Longest: 5, Pairs: []int32{3}, Values: []float64{1, 0.5}, Tenth: math.NaN(), Nearer: math.NaN()})
	id, last := one[*job.Profile](r)
	if last.Epsilon.Value != 0.1 {
		t.Errorf("asks at last for %+v", last)
	}
	r.answer(id, &job.Profiled{Rows: 2, Longest: 7, Pairs: []int32{3}, Values: []float64{1, 0.25}, Tenth: math.NaN(), Nearer: math.NaN()})
	st := r.s.State()
	if p := st.Transport.Profile; p == nil || p.Longest != 7 || p.Values[1] != 0.25 || p.Tenth.Known() || st.Transport.Refusal != "" {
		t.Errorf("%+v", st.Transport)
	}
	if _, err := json.Marshal(st); err != nil {
		t.Error(err)
	}
	// What is refused is said beside the choice, without an alert, and is not solved by itself.
	r.s.Kernel("gauss:s=-1")
	id, _ = one[*job.Profile](r)
	r.answer(id, &job.Failed{Kind: "input", Message: "kernel gauss:s=-1: s is -1"})
	st = r.s.State()
	if st.Transport.Refusal != "kernel gauss:s=-1: s is -1" || st.Transport.Profile != nil || st.Error != "" {
		t.Errorf("%+v, error %q", st.Transport, st.Error)
	}
	r.s.Tick(2 * settleSeconds)
	if out := r.take(); len(out) != 0 {
		t.Errorf("asks for %v", kinds(out))
	}
	// A solve of the settings before ends with them.
	r.s.Kernel("inverse")
	r.run()
	r.s.Solve()
	r.s.Kernel("gauss:s=-2")
	if !r.s.State().Transport.Solving {
		t.Fatal("no solve is under way")
	}
	for _, q := range r.take() {
		if _, ok := q.Body.(*job.Profile); ok {
			r.answer(q.ID, &job.Failed{Kind: "input", Message: "kernel gauss:s=-2: s is -2"})
		}
	}
	if st := r.s.State(); st.Transport.Solving || st.Transport.Refusal == "" {
		t.Errorf("what was refused is still solved: %+v", st.Transport)
	}
	r.s.Kernel("gauss:s=1")
	if st := r.s.State(); st.Transport.Refusal != "" {
		t.Errorf("the refusal stays: %q", st.Transport.Refusal)
	}
	// Nobody looks: nothing is asked for.
	r.run()
	r.s.ShowProfile(false)
	r.s.Epsilon(0.5)
	for _, q := range r.take() {
		if _, ok := q.Body.(*job.Profile); ok {
			t.Error("asks for a profile that nobody looks at")
		}
	}
}
