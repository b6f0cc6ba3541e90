package scene

import (
	"strings"
	"testing"

	"genussink/core/job"
)

// Solves find the divergence where it is asked for, by exact in the place of automatic. Link and command say so. A reach and a method of two
// densities end it, another kernel does not.
func TestDebias(t *testing.T) {
	r := automatic(t)
	r.run()
	r.s.Debias(true)
	r.s.Solve()
	found := false
	for _, q := range r.take() {
		if b, ok := q.Body.(*job.Solve); ok {
			if found = true; !b.Debias || b.Method != job.Exact {
				t.Errorf("solves %+v", b)
			}
			r.answer(q.ID, &job.Solved{Kernel: job.Kernel{Method: job.Exact, Function: job.Exp, Epsilon: 3}, Divergence: 0.5, DivergenceWithin: 1e-9, Solution: job.Solution{Status: job.Converged, Cost: 2}})
		}
	}
	if res := r.s.State().Transport.Result; !found || res.Divergence != 0.5 || res.DivergenceWithin != 1e-9 {
		t.Errorf("asked %v, result %+v", found, res)
	}
	text := link(r.s)
	if sn := parse(t, text); !sn.Debias || sn.Method != job.Exact {
		t.Errorf("link %s", text)
	}
	other := opened(t, parse(t, text), grid(9, 7))
	other.run()
	if got := link(other.s); got != text {
		t.Errorf("restored link %s, want %s", got, text)
	}
	if line, _ := r.s.Command("solve", "", Look{}); !strings.Contains(line, " -debias") {
		t.Errorf("command %s", line)
	}
	if line, _ := r.s.Command("picture", "", Look{Zoom: 1}); strings.Contains(line, "-debias") {
		t.Errorf("command %s", line)
	}
	r.run()
	r.s.Debias(false)
	if st := r.s.State().Transport; st.Stale || st.Debias || st.Result.Divergence != 0.5 || strings.Contains(link(r.s), "debias") {
		t.Errorf("without it %+v, link %s", st, link(r.s))
	}
	for what, end := range map[string]func(){
		"reach": func() { r.s.Reach(0.5) }, "method": func() { r.s.Method(job.Quantized) },
	} {
		r.s.Reach(0)
		r.s.Kernel(job.Exp)
		r.s.Method(job.Exact)
		r.s.Debias(true)
		if !r.s.State().Transport.Debias {
			t.Fatalf("%s: it is not taken", what)
		}
		if end(); r.s.State().Transport.Debias {
			t.Errorf("%s: it stays", what)
		}
		if what == "method" {
			continue
		}
		if r.s.Debias(true); r.s.State().Transport.Debias {
			t.Errorf("%s: it is taken", what)
		}
	}
	for text, want := range map[string]bool{
		"debias=1": true, "debias=1&method=tree": true, "debias=1&method=quantized": false, "debias=1&reach=0.5": false, "debias=1&kernel=squared": true,
	} {
		other := opened(t, parse(t, text), grid(9, 7))
		other.run()
		if st := other.s.State(); st.Transport.Debias != want || (len(st.Mesh.Warnings) == 0) != want {
			t.Errorf("%s: %v, warnings %v", text, st.Transport.Debias, st.Mesh.Warnings)
		}
	}
}
