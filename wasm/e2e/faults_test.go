//go:build e2e && !js

package e2e

import (
	"strings"
	"testing"
)

// Faults of the browser. After each one the page says in a sentence what happened. All that does not
// need the lost part goes on. Other tests have dead Workers (TestWorkerDies), missing WebAssembly and WebGL (TestMissing)
// and a store that keeps nothing (TestNoStore).

// Worker scripts are blocked: the page says so once and does not try for ever.
func TestWorkersBlocked(t *testing.T) {
	for what, script := range map[string]string{
		"forbidden": "globalThis.Worker = class { constructor() { throw new DOMException('blocked by a policy', 'SecurityError'); } }",
		"missing":   "{ const W = Worker; globalThis.Worker = class extends W { constructor(url) { super('missing-' + url); globalThis.started = (globalThis.started ?? 0) + 1; } }; }",
	} {
		t.Run(what, func(t *testing.T) {
			p := open(t, "", small, onNewDocument(script))
			for _, expected := range []string{"background programs", "a Worker was replaced", "404"} {
				p.forgive(expected)
			}
			s := p.wait("s.error != '' && s.workers.count == 0 && s.workers.unfinished == 0")
			if !strings.Contains(s.Error, "does not let this page start its background programs") {
				t.Errorf("the page says %q", s.Error)
			}
			p.until("document.querySelector('[role=alert]').textContent.includes('Worker scripts')")
			p.picture("workers-blocked-" + what)
			// Whatever is asked is answered, and nothing is started any more.
			before := eval[int](p, "globalThis.started ?? 0")
			p.press("Dismiss")
			p.file(sphere(t, 4))
			p.wait("s.error.includes('background programs') && s.workers.unfinished == 0")
			if after := eval[int](p, "globalThis.started ?? 0"); after != before || before > 12 {
				t.Errorf("%d Workers were started, and %d later", before, after-before)
			}
		})
	}
}

// A tab is frozen in the middle of a solve and thawed: its thread stands still for longer than a Worker is asked whether it is there.
// It goes on, and no Worker is taken for dead. The browser's own freezing (Page.setWebLifecycleState) does not let a
// headless page go on, so its events are sent and the thread is held.
func TestFrozenTab(t *testing.T) {
	p := open(t, "?mesh=octopus", small)
	p.settled()
	p.set("Epsilon", "-1.5", "input")
	p.press("Solve")
	p.wait("s.transport.solving")
	eval[bool](p, `(() => {
		document.dispatchEvent(new Event('freeze'));
		for (const end = performance.now() + 7000; performance.now() < end;);
		document.dispatchEvent(new Event('resume'));
		return true;
	})()`)
	if s := p.settled(); s.Error != "" || s.Workers.Replaced != 0 {
		t.Errorf("after it was frozen: %q, %d Workers replaced", s.Error, s.Workers.Replaced)
	}
	p.set("Epsilon", "-1", "input")
	if s := p.settled(); s.Error != "" || s.Workers.Replaced != 0 {
		t.Errorf("and then: %q, %d Workers replaced", s.Error, s.Workers.Replaced)
	}
}

// The clocks jump while the page solves and plays: that of the wall a day ahead and two back, that of the page a
// day ahead, as after a machine's sleep; it never goes back, by its definition. Nothing ends, nothing is taken for dead, and what is shown of time
// stays finite and not negative.
func TestClockJumps(t *testing.T) {
	p := open(t, "?mesh=cat", small, onNewDocument(`{
		globalThis.jump = 0;
		globalThis.slept = 0;
		const date = Date.now, clock = performance.now.bind(performance), frame = requestAnimationFrame;
		Date.now = () => date() + jump;
		performance.now = () => clock() + slept;
		globalThis.requestAnimationFrame = (f) => frame((at) => f(at + slept));
	}`))
	p.settled()
	for _, jump := range []string{"jump = 864e5", "jump = -864e5", "slept = 864e5", "jump = 0"} {
		p.set("Epsilon", "-1.3", "input")
		p.press("Solve")
		eval[bool](p, jump+", true")
		s := p.settled()
		if s.Error != "" || s.Workers.Replaced != 0 || s.Workers.CancelMs < 0 {
			t.Errorf("%s: %q, %d Workers replaced", jump, s.Error, s.Workers.Replaced)
		}
		for _, x := range s.Transport.Result.Timings {
			if !(x.Seconds >= 0 && x.Seconds < 3600) {
				t.Errorf("%s: %s took %g s", jump, x.Stage, x.Seconds)
			}
		}
		p.wait("s.playback.available && s.playback.position >= 0 && s.playback.position <= 1")
		p.set("Epsilon", "-1", "input")
		p.settled()
		p.frames(5)
	}
}
