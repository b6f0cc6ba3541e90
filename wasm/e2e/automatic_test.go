//go:build e2e && !js

package e2e

import (
	"math"
	"testing"

	"github.com/chromedp/chromedp"
)

// A mesh is solved at once by itself, and mass moves; then exact comes behind the estimate, which held its cost, without a jump.
func TestAutomaticAtOnce(t *testing.T) {
	p := openAt(t, address+"?mesh=cat", wide)
	first := p.wait("s.playback.firstMoveMs != null && s.transport.result && s.transport.result.estimate")
	r := first.Transport.Result
	if first.Transport.Method != "auto" || r.Method != "quantized" || r.Representatives == 0 {
		t.Errorf("the method is %q, the result's %q with %d cells", first.Transport.Method, r.Method, r.Representatives)
	}
	p.until("!document.getElementById('result-estimate-line').hidden && document.getElementById('result-estimate').textContent.includes('[')")
	p.picture("automatic-estimate")
	jump := eval[float64](p, `new Promise((done) => {
		let jump = 0, last = genussink.state().playback, exact = 0;
		const look = () => {
			const s = genussink.state(), now = s.playback;
			let step = now.position - last.position;
			if (step < -0.5) step += 1; // it begins again
			jump = Math.max(jump, Math.abs(step));
			last = now;
			if (s.transport.result.method == 'exact' && now.particles == 3000) exact++;
			if (exact > 20) return done(jump);
			requestAnimationFrame(look);
		};
		look();
	})`)
	s := p.settled()
	exact := s.Transport.Result
	if exact.Method != "exact" || exact.Estimate != nil || !s.Playback.Playing {
		t.Errorf("in the end %q, estimate %v, playing %v", exact.Method, exact.Estimate, s.Playback.Playing)
	}
	if e := r.Estimate; !(e.Low <= exact.Cost && exact.Cost <= e.High) {
		t.Errorf("the estimate was %v, between %v and %v; exact costs %v", e.Cost, e.Low, e.High, exact.Cost)
	}
	if jump > 0.25 {
		t.Errorf("playback jumped by %.2f of its way", jump)
	}
	t.Logf("mass moved %.0f ms after the mesh was read, estimate %.4g within %.1g, exact %.4g", *first.Playback.FirstMoveMs, r.Estimate.Cost, (r.Estimate.High-r.Estimate.Low)/2, exact.Cost)
	p.picture("automatic-exact")
}

// While the brush moves the solve follows, many times a stroke; once it is lifted the last painting is solved.
func TestSolveFollowsBrush(t *testing.T) {
	p := openAt(t, address+"?mesh=cat", wide)
	p.settled()
	p.press("Paint source")
	at := p.find(0.5, 0.5)
	asked := func() float64 { return eval[float64](p, "performance.getEntriesByName('asked').length") }
	before, cost := asked(), p.state().Transport.Result.Cost
	p.mouse(chromedp.MouseMoved, at, 0)
	p.frames(1)
	p.mouse(chromedp.MousePressed, at, 1)
	p.frames(1)
	seen := map[float64]bool{}
	for k := range 40 {
		angle := float64(k) / 6
		p.mouse(chromedp.MouseMoved, spot{at.X + 25*math.Cos(angle), at.Y + 25*math.Sin(angle)}, 1)
		p.frames(2)
		if s := p.state(); s.Transport.Result != nil && s.Densities.Stroke {
			seen[s.Transport.Result.Cost] = true
		}
	}
	during := asked() - before
	took := eval[[]float64](p, "performance.getEntriesByName('solved').map((s) => s.startTime - performance.getEntriesByName('asked').findLast((a) => a.startTime <= s.startTime).startTime)")
	p.picture("automatic-stroke")
	p.mouse(chromedp.MouseReleased, at, 0)
	p.wait("!s.densities.stroke")
	s := p.settled()
	t.Logf("%g solves in a stroke of 40 moves, %d costs seen; the last took %.0f ms", during, len(seen), took[len(took)-2:])
	if during < 10 || len(seen) < 8 {
		t.Errorf("%g solves in a stroke of 40 moves, %d costs seen", during, len(seen))
	}
	if s.Transport.Result.Cost == cost {
		t.Error("the cost is that of before")
	}
}
