//go:build e2e && !js

package e2e

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// An approximate method says how far its distances are from true ones, and
// what the plan costs on those.
func TestApproximateMethods(t *testing.T) {
	t.Parallel()
	p := open(t, "?mesh=cat", small)
	exact := p.settled().Transport.Result.Cost
	for _, method := range []string{"certified", "embedded", "sampled"} {
		p.set("Method", method, "change")
		if method != "sampled" { // less does not pay on a mesh of this size
			p.until("!document.getElementById('delta').disabled")
			p.set("Delta", "-1.3", "input")
		}
		p.wait("s.transport.result.method == '" + method + "' && !s.transport.solving")
		p.press("Solve")
		r := p.wait("s.transport.result.polished && s.transport.result.polished.rows > 0 && !s.transport.solving && !s.transport.stale").Transport.Result
		a := r.Accuracy
		if r.Method != method || a.Rows == 0 || a.Holds != (method != "sampled") || !(a.MeanRelative > 0 && a.MostRelative > a.MeanRelative) {
			t.Errorf("%s: %+v", method, r)
		}
		raw, polished := math.Abs(r.Cost-exact)/exact, math.Abs(r.Polished.Cost-exact)/exact
		width := (r.Polished.High - r.Polished.Low) / exact
		t.Logf("%s: cost off by %.2g, polished %.2g in an interval of %.2g", method, raw, polished, width)
		if polished > raw/2+width {
			t.Errorf("%s: cost off by %g, polished %g in an interval of %g", method, raw, polished, width)
		}
		p.until("document.getElementById('result-polished').textContent.includes('[')") // a frame later
		// Nobody asks for anything: it narrows.
		now := p.wait("s.transport.result.polished && (s.transport.result.polished.known || s.transport.result.polished.high - s.transport.result.polished.low < " + fmt.Sprint(0.8*(r.Polished.High-r.Polished.Low)) + ")").Transport.Result.Polished
		t.Logf("%s: later an interval of %.2g, from %d of %d rows", method, (now.High-now.Low)/exact, now.Rows, now.Of)
		if text := p.text("result-accuracy"); !strings.HasPrefix(text, "largest seen in 8 rows") || strings.Contains(text, "≤") || strings.Contains(text, "beyond") {
			t.Errorf("%s: distances are %q", method, text)
		}
		if bound := p.text("result-bound"); method == "sampled" != !r.Bound.Known() || r.Bound > 0 != strings.Contains(bound, "≤") || r.Bound > 0 && a.Most > float64(r.Bound) {
			t.Errorf("%s: distances at most %g too long, seen %g; the page says %q", method, r.Bound, a.Most, bound)
		}
		p.picture(method)
	}
	p.set("Method", "exact", "change")
	if r := p.wait("s.transport.result.method == 'exact' && !s.transport.solving").Transport.Result; r.Precision != "float64" || r.Bound != 0 {
		t.Errorf("exact at an epsilon of %g: %s, bound %g", r.Epsilon, r.Precision, r.Bound)
	}
	p.set("Epsilon", "-0.3", "input") // where float32 does
	r := p.wait("s.transport.result.precision == 'float32' && !s.transport.solving").Transport.Result
	if a := r.Accuracy; r.Precision != "float32" || a.Rows == 0 || !a.Holds || !(r.Bound > 0 && float64(r.Bound) <= 1e-5*r.Epsilon && a.Most <= float64(r.Bound)) || r.Polished != nil {
		t.Errorf("exact: %+v", r)
	}
	p.until("document.getElementById('result-bound').textContent.includes('≤')")
	if delta := p.text("delta-out"); delta != "not used, exact" || !strings.HasSuffix(p.text("result-bound"), ", rounding") {
		t.Errorf("exact: delta %q above the bound %q", delta, p.text("result-bound"))
	}
	// The figures of the cost, each with its sentence.
	if !(r.LowerBound > 0 && float64(r.LowerBound) <= r.Cost && r.Primal >= r.Cost && r.Dual > 0 && math.Abs(r.Primal-r.Dual-r.Gap) <= 1e-12*r.Primal) || r.Delta.Known() {
		t.Errorf("exact: %+v", r)
	}
	for _, name := range []string{"Cost ⟨P, D⟩", "Lower bound", "Primal", "Dual", "Gap", "Error bound", "Distance error"} {
		sentence := fmt.Sprintf("document.getElementById([...document.querySelectorAll('.term')].find(e => e.textContent == '%s').getAttribute('aria-describedby'))", name)
		if !eval[bool](p, sentence+".hidden") {
			t.Errorf("%s: its sentence is shown before it is asked for", name)
		}
		p.press(name)
		p.until("!" + sentence + ".hidden && " + sentence + ".textContent.length > 20")
	}
	p.picture("exact")
}
