//go:build e2e && !js

package e2e

import "testing"

func TestZZ(t *testing.T) {
	p := openAt(t, address+"?make=sphere&p.frequency=71", small)
	p.wait("s.playback.available && s.playback.particles > 1000")
	p.press("Pause")
	p.frames(100)
	for range 2 {
		eval[bool](p, `(globalThis.longTasks = [], globalThis.obs && obs.disconnect(), globalThis.obs = new PerformanceObserver((list) => {
			for (const e of list.getEntries()) longTasks.push(e.duration);
		}), obs.observe({ type: 'longtask' }), true)`)
		p.press("Arrows")
		p.frames(60)
		t.Log(eval[[]float64](p, "longTasks"), p.state().Frame, p.state().View.Arrows)
	}
}
