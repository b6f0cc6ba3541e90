//go:build e2e && !js

package e2e

import (
	"fmt"
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

// Two methods' plans side by side: a picture each, on one camera, of the moment that the slider says. The mass of both is
// elsewhere at another moment, and the scene behind is as it was.
func TestSideBySide(t *testing.T) {
	t.Parallel()
	p := open(t, "?mesh=cat", wide)
	p.settled()
	p.set("Method", "sampled", "change")
	p.press("Solve")
	p.wait("s.transport.comparison.rows.filter(r => r.moves).length == 2 && !s.transport.solving")
	p.press("Pause")
	before := p.state().Playback.Position
	p.press("Side by side")
	p.forgive("willReadFrequently") // what this test does, no page
	const drawn = `[...document.querySelectorAll('#multiples-grid canvas')].map((c) => {
		const { data } = c.getContext('2d').getImageData(0, 0, c.width, c.height);
		let sum = 0;
		for (let i = 0; i < data.length; i++) sum = (sum * 31 + data[i]) % 1000003;
		return data[3] ? sum : -1;
	})`
	p.until(drawn + ".every((x) => x >= 0) && document.querySelectorAll('#multiples-grid canvas').length == 2")
	first := eval[[]int](p, drawn)
	if first[0] == first[1] {
		t.Error("the plans of exact and sampled look the same")
	}
	p.picture("multiples")
	p.set("Moment", "0.2", "input")
	p.until(fmt.Sprintf("%s.every((x, i) => x != %s[i])", drawn, strings.ReplaceAll(fmt.Sprint(first), " ", ",")))
	captions := eval[[]string](p, "[...document.querySelectorAll('#multiples-grid figcaption')].map((c) => c.textContent)")
	for i, m := range []string{"exact", "sampled"} {
		if !strings.HasPrefix(captions[i], m+": cost ") {
			t.Errorf("picture %d is of %q", i, captions[i])
		}
	}
	p.resize(phone)
	p.frames(2)
	p.picture("multiples-phone")
	p.press("Close")
	if after := p.state().Playback; after.Position != before || after.Playing {
		t.Errorf("the playback was at %g and is at %+v", before, after)
	}
}
