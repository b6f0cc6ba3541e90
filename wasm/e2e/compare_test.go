//go:build e2e && !js

package e2e

import (
	"math"
	"strings"
	"testing"
)

// Cold is compared with cold and warm with warm, set-up apart: a second solve
// leaves the first one's time where it is, dense always starts from nothing, and once it has run its prediction says by how much it was
// off. Stages of earlier solves stay in the timings, the paths' among them.
func TestComparisonWithDense(t *testing.T) {
	p := open(t, "?mesh=cat", wide)
	first := p.settled().Transport.Comparison.Rows[0]
	if first.Method != "exact" || !(first.Cold > 0) || first.Warm.Known() || !(first.Setup > 0) || !(first.Dense.Setup > 0 && first.Dense.Cold > 0) || first.Threads < 1 {
		t.Fatalf("after the first solve %+v", first)
	}
	p.press("Solve")
	s := p.wait("s.transport.comparison.rows[0].warm > 0 && !s.transport.solving && s.timings.some(t => t.stage == 'paths')")
	if again := s.Transport.Comparison.Rows[0]; again.Cold != first.Cold || again.Setup != first.Setup {
		t.Errorf("a second solve makes %+v of %+v", again, first)
	}
	stages := map[string]bool{}
	for _, stage := range s.Timings {
		stages[stage.Stage] = true
	}
	for _, stage := range []string{"tree", "labels", "tiles", "kernel", "solve", "paths"} {
		if !stages[stage] {
			t.Errorf("the timings lack %s: %v", stage, s.Timings)
		}
	}
	p.set("Method", "dense", "change")
	p.wait("s.transport.result.method == 'dense' && !s.transport.solving")
	p.press("Solve")
	s = p.wait("s.transport.comparison.rows.length == 2 && !s.transport.solving && s.timings.some(t => t.stage == 'solve' && t.runs == 4)")
	dense := s.Transport.Comparison.Rows[1]
	if off := float64(dense.Off); dense.Method != "dense" || dense.Warm.Known() || !(dense.Cold > 0) || math.IsNaN(off) || off <= -1 {
		t.Errorf("dense: %+v", dense)
	}
	t.Logf("dense on %d thread takes %.2f + %.2f s, was predicted to take %.2f + %.2f s: %+.0f %%; exact on %d: %.2f + %.2f s",
		dense.Threads, dense.Setup, dense.Cold, dense.Dense.Setup, dense.Dense.Cold, 100*dense.Off, first.Threads, first.Setup, first.Cold)
	p.until("document.getElementById('times-note').textContent.includes('off by')")
	if n := eval[int](p, "document.querySelectorAll('#times-body tr').length"); n != 3 {
		t.Errorf("%d rows of times", n)
	}
	if text := p.text("times-body"); !strings.Contains(text, "dense, measured") || !strings.Contains(text, "dense, predicted") {
		t.Errorf("the table says %q", text)
	}
	eval[bool](p, "document.getElementById('h-timings').scrollIntoView(), true")
	p.frames(2)
	p.picture("comparison")
	eval[bool](p, "document.getElementById('result').scrollIntoView(), true")
	p.press("Dual")
	p.press("Primal")
	p.frames(2)
	p.picture("result")
}
