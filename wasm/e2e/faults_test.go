//go:build e2e && !js

package e2e

import (
	"strings"
	"testing"
)

// What a browser may do to a page. After each fault the person is told what happened, in a sentence, and what still can
// work does. Dead Workers, a missing WebAssembly and a missing WebGL have tests of their own (TestWorkerDies, TestMissing); so has
// a store that keeps nothing (TestNoStore).

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
