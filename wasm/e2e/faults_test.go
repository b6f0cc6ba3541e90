//go:build e2e && !js

package e2e

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
)

// What a browser may do to a page. After each fault the person is told what happened, in a sentence, and what still can
// work does. Dead Workers, a missing WebAssembly and a missing WebGL have tests of their own (TestWorkerDies, TestMissing); so has
// a store that keeps nothing (TestNoStore).

// altered serves the page with a script put before one of its files.
func altered(t *testing.T, name, script string) string {
	t.Helper()
	files := http.FileServer(http.Dir(filepath.Join(root, "build/web")))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/"+name {
			files.ServeHTTP(w, r)
			return
		}
		data, err := os.ReadFile(filepath.Join(root, "build/web", name))
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "text/javascript")
		_, _ = w.Write(append([]byte(script), data...))
	}))
	t.Cleanup(server.Close)
	return server.URL + "/"
}

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

// A Worker's WebAssembly memory is exhausted, really: the person reads so, and smaller meshes open as before.
func TestMemoryExhausted(t *testing.T) {
	const room = 3000 // pages of 64 KiB that Go may still take
	where := altered(t, "worker.js", fmt.Sprintf(`{
		const instantiate = WebAssembly.instantiate;
		WebAssembly.instantiate = async (module, imports) => {
			const instance = await instantiate(module, imports), memory = instance.exports.mem;
			memory.grow(65536 - %d - memory.buffer.byteLength / 65536);
			return instance;
		};
	}`, room))
	p := openAt(t, where+"?mesh=cat", small)
	p.forgive("a Worker was replaced")
	p.forgive("out of memory")
	p.settled()
	name := filepath.Join(t.TempDir(), "large.obj")
	if err := os.WriteFile(name, []byte("v 0 0 0\nv 1 0 0\nv 0 1 0\n"+strings.Repeat("f 1 2 3\n", 1_500_000)), 0o644); err != nil {
		t.Fatal(err)
	}
	p.file(name)
	s := p.wait("s.error != '' && s.workers.unfinished == 0")
	if !strings.Contains(s.Error, "large.obj") || !strings.Contains(s.Error, "ran out of memory") || s.Workers.Replaced == 0 {
		t.Errorf("the page says %q, %d Workers were replaced", s.Error, s.Workers.Replaced)
	}
	p.picture("memory-exhausted")
	p.press("Dismiss")
	p.file(sphere(t, 6))
	p.wait("s.ready && s.mesh.vertices == 362")
	p.settled()
}

// The graphics context is lost ten times, and the page goes on each time with what it was.
func TestContextLostOften(t *testing.T) {
	times := 10
	if testing.Short() {
		times = 2
	}
	p := open(t, "?mesh=cat", small)
	p.settled()
	p.set("Epsilon", "-1.2", "input")
	p.paint("Paint source", [2]float64{0.45, 0.5}, [2]float64{0.5, 0.55})
	p.settled()
	p.wait("s.session.kept")
	want := p.held()
	for range times {
		p.renewed(func() {
			eval[bool](p, "document.querySelector('canvas').getContext('webgl2').getExtension('WEBGL_lose_context').loseContext(), true")
		})
		p.is("after the context was lost", want)
		if said := p.text("restored-text"); said != "Restored your last session." {
			t.Errorf("the page says %q", said)
		}
		p.wait("s.session.kept")
	}
}

// A tab is frozen in the middle of a solve and thawed: it goes on, and no Worker is taken for dead.
func TestFrozenTab(t *testing.T) {
	p := open(t, "?mesh=octopus", small)
	p.settled()
	for range 3 {
		p.set("Epsilon", "-1.5", "input")
		p.press("Solve")
		p.wait("s.transport.solving")
		call(p, page.SetWebLifecycleState, page.SetWebLifecycleStateParams{State: page.SetWebLifecycleStateStateFrozen})
		call(p, page.SetWebLifecycleState, page.SetWebLifecycleStateParams{State: page.SetWebLifecycleStateStateActive})
		if s := p.settled(); s.Error != "" || s.Workers.Replaced != 0 {
			t.Errorf("after it was frozen: %q, %d Workers replaced", s.Error, s.Workers.Replaced)
		}
		p.set("Epsilon", "-1", "input")
		p.settled()
	}
}

// The clocks jump, a day ahead and two back, while the page solves and plays: nothing ends, nothing is taken for dead, and
// what is shown of time stays finite and not negative.
func TestClockJumps(t *testing.T) {
	p := open(t, "?mesh=cat", small, onNewDocument(`{
		globalThis.jump = 0;
		const date = Date.now, clock = performance.now.bind(performance), frame = requestAnimationFrame;
		Date.now = () => date() + jump;
		performance.now = () => clock() + jump;
		globalThis.requestAnimationFrame = (f) => frame((at) => f(at + jump));
	}`))
	p.settled()
	for _, jump := range []string{"864e5", "-864e5", "0"} {
		p.set("Epsilon", "-1.3", "input")
		p.press("Solve")
		eval[bool](p, "jump = "+jump+", true")
		s := p.settled()
		if s.Error != "" || s.Workers.Replaced != 0 || s.Workers.CancelMs < 0 {
			t.Errorf("the clock jumped by %s ms: %q, %d Workers replaced", jump, s.Error, s.Workers.Replaced)
		}
		for _, x := range s.Transport.Result.Timings {
			if !(x.Seconds >= 0 && x.Seconds < 3600) {
				t.Errorf("the clock jumped by %s ms: %s took %g s", jump, x.Stage, x.Seconds)
			}
		}
		p.wait("s.playback.available && s.playback.position >= 0 && s.playback.position <= 1")
		p.set("Epsilon", "-1", "input")
		p.settled()
		p.frames(5)
	}
}
