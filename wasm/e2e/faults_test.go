//go:build e2e && !js

package e2e

import (
	"encoding/binary"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp/kb"
)

// Faults of the browser. After each one the page says in a sentence what happened. All that does not
// need the lost part goes on. Other tests have dead Workers (TestWorkerDies), missing WebAssembly and WebGL (TestMissing)
// and a store that keeps nothing (TestNoStore).

// Worker scripts are blocked: the page says so once and does not try for ever.
func TestWorkersBlocked(t *testing.T) {
	t.Parallel()
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
	p.set("Epsilon", "-1.5")
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
	p.set("Epsilon", "-1")
	if s := p.settled(); s.Error != "" || s.Workers.Replaced != 0 {
		t.Errorf("and then: %q, %d Workers replaced", s.Error, s.Workers.Replaced)
	}
}

// The clocks jump while the page solves and plays: that of the wall a day ahead and two back, that of the page a
// day ahead, as after a machine's sleep; it never goes back, by its definition. Nothing ends, nothing is taken for dead, and what is shown of time
// stays finite and not negative.
func TestClockJumps(t *testing.T) {
	t.Parallel()
	p := open(t, "?mesh=cat", small, onNewDocument(`{
		globalThis.jump = 0;
		globalThis.slept = 0;
		const date = Date.now, clock = performance.now.bind(performance), frame = requestAnimationFrame;
		Date.now = () => date() + jump;
		performance.now = () => clock() + slept;
		globalThis.requestAnimationFrame = (f) => frame((at) => f(at + slept));
	}`))
	p.settled()
	p.set("Epsilon", "-1.3")
	p.settled()
	for _, jump := range []string{"jump = 864e5", "jump = -864e5", "slept = 864e5", "jump = 0"} {
		before := p.settled().Workers.Replaced // a Worker that does not let go at once of what is cancelled is ended
		eval[bool](p, "document.getElementById('epsilon').focus(), true")
		p.key(kb.ArrowRight) // one step: nothing is cancelled
		p.wait("s.transport.solving || s.transport.stale")
		eval[bool](p, jump+", true")
		s := p.settled()
		if s.Error != "" || s.Workers.Replaced != before || s.Workers.CancelMs < 0 {
			t.Errorf("%s: %q, %d Workers replaced", jump, s.Error, s.Workers.Replaced)
		}
		for _, x := range s.Transport.Result.Timings {
			if !(x.Seconds >= 0 && x.Seconds < 3600) {
				t.Errorf("%s: %s took %g s", jump, x.Stage, x.Seconds)
			}
		}
		p.wait("s.playback.available && s.playback.position >= 0 && s.playback.position <= 1")
		p.frames(5)
	}
}

// loseGraphics has the canvas lose its context, as when the graphics driver starts anew.
func (p *tab) loseGraphics() {
	p.t.Helper()
	eval[bool](p, "document.querySelector('canvas').getContext('webgl2').getExtension('WEBGL_lose_context').loseContext(), true")
}

// The graphics are lost and come back ten times: each time the page is loaded anew, says why, and goes on with the mesh, the
// painting and what was done last.
func TestGraphicsLostTenTimes(t *testing.T) {
	t.Parallel()
	p := kept(t, "", small)
	p.settled()
	p.file(sphere(t, 8))
	p.wait("s.ready && s.mesh.name == 'sphere.off'")
	p.settled()
	p.paint("Paint source", [2]float64{0.45, 0.5}, [2]float64{0.5, 0.55})
	p.settled()
	for n := range 10 {
		p.press("Wireframe")
		p.wait("s.session.kept")
		want := p.held()
		if want.Undo != 1 || want.View.Wireframe == (n%2 == 1) {
			t.Fatalf("loss %d: %d steps, %+v", n, want.Undo, want.View)
		}
		p.renewed(p.loseGraphics)
		p.is("graphics lost", want)
		if said := p.text("restored-text"); said != "The browser took the graphics away, and the page was loaded anew. Restored your last session." {
			t.Fatalf("loss %d: the page says %q", n, said)
		}
		if n == 0 {
			p.picture("graphics-lost")
		}
	}
	if s := p.settled(); s.Error != "" || s.Mesh.Name != "sphere.off" {
		t.Errorf("%q, mesh %s", s.Error, s.Mesh.Name)
	}
	// Lost three times with nothing done between they are lost for good: no page is loaded for ever. The tenth time was the first.
	p.renewed(p.loseGraphics)
	p.settled()
	p.loseGraphics()
	p.until("document.querySelector('[role=alert]').textContent.includes('again and again')")
	p.press("Clear densities") // which needs no picture
	p.wait("s.densities.undo == 2 && s.session.kept")
}

// Where nothing is kept, a page that loses its graphics stays: what was done can be saved.
func TestGraphicsLostUnkept(t *testing.T) {
	t.Parallel()
	p := open(t, "", small, onNewDocument("Object.defineProperty(globalThis, 'indexedDB', { value: undefined })"))
	p.settled()
	p.file(sphere(t, 8))
	p.wait("s.ready && s.mesh.name == 'sphere.off'")
	p.settled()
	dir := t.TempDir()
	allowDownloads(p, dir)
	eval[bool](p, "globalThis.before = true")
	p.loseGraphics()
	p.until("document.querySelector('[role=alert]').textContent.includes('does not keep this session: save it as a session file')")
	p.picture("graphics-lost-unkept")
	time.Sleep(time.Second) // as long as a reload takes
	if !eval[bool](p, "globalThis.before === true") {
		t.Fatal("the page was loaded anew, and the mesh is lost")
	}
	p.unfold("Session")
	p.press("Save session file")
	file := filepath.Join(dir, "sphere.genussink")
	for end := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		if _, err := os.Stat(file); err == nil {
			break
		}
		if time.Now().After(end) {
			t.Fatal("no session file was saved")
		}
	}
	if out := string(tool(t, "info", "-json", file)); !strings.Contains(out, `"vertices":642,`) {
		t.Errorf("the session file: %s", out)
	}
	// What the address says survives without a store.
	q := open(t, "?mesh=cat", small, onNewDocument("Object.defineProperty(globalThis, 'indexedDB', { value: undefined })"))
	q.settled()
	q.press("Swap")
	q.wait("s.densities.undo == 1")
	q.until("new URLSearchParams(location.search).has('paint')")
	before := eval[map[string][]float64](q, "genussink.densities()")
	q.renewed(q.loseGraphics)
	q.settled()
	if after := eval[map[string][]float64](q, "genussink.densities()"); !reflect.DeepEqual(before, after) {
		t.Error("the painting in the address is lost")
	}
}

// limited serves the page with a program whose memory may have so many bytes and no more: there WebAssembly's memory is really exhausted.
func limited(t *testing.T, program string, most int) (address string) {
	t.Helper()
	folder := http.FileServer(http.Dir(filepath.Join(root, "build/web")))
	data, err := os.ReadFile(filepath.Join(root, "build/web", program))
	if err != nil {
		t.Fatal(err)
	}
	data = withMemory(t, data, most)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/"+program {
			folder.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/wasm")
		_, _ = w.Write(data)
	}))
	t.Cleanup(server.Close)
	return server.URL + "/"
}

// withMemory sets the most bytes that a module's memory may have; at least those that it begins with.
func withMemory(t *testing.T, module []byte, most int) []byte {
	t.Helper()
	const memories = 5
	for at := 8; at < len(module); {
		size, n := binary.Uvarint(module[at+1:])
		body := at + 1 + n
		if module[at] != memories {
			at = body + int(size)
			continue
		}
		least, _ := binary.Uvarint(module[body+2:]) // behind the number of memories and a flag: there is a least, and no most
		if module[body] != 1 || module[body+1] != 0 {
			t.Fatalf("the memories are %x", module[body:body+int(size)])
		}
		pages := max(least, uint64(most)>>16)
		section := binary.AppendUvarint(binary.AppendUvarint([]byte{1, 1}, least), pages)
		return slices.Concat(module[:at], binary.AppendUvarint([]byte{memories}, uint64(len(section))), section, module[body+int(size):])
	}
	t.Fatal("the module has no memory")
	return nil
}

// large makes a file of 20 MB, whose mesh takes some hundred to open.
func large(t *testing.T) string {
	t.Helper()
	const facets = 400_000
	data := binary.LittleEndian.AppendUint32(make([]byte, 80, 84+50*facets), facets)
	for i := range uint32(facets) {
		facet := make([]byte, 50)
		for corner, c := range [3][2]uint32{{0, 0}, {1, 0}, {0, 1}} {
			binary.LittleEndian.PutUint32(facet[12+12*corner:], math.Float32bits(float32(i%2000+c[0])))
			binary.LittleEndian.PutUint32(facet[16+12*corner:], math.Float32bits(float32(i/2000+c[1])))
		}
		data = append(data, facet...)
	}
	name := filepath.Join(t.TempDir(), "large.stl")
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

// A Worker's memory is exhausted in the middle of a solve, or while a mesh is opened: the page says so, another Worker takes its
// place, and mesh and painting are there and can be worked with.
func TestWorkerMemoryExhausted(t *testing.T) {
	t.Parallel()
	p := openAt(t, limited(t, "worker.wasm", 128<<20)+"?mesh=cat", small)
	p.forgive("a Worker was replaced")
	p.settled()
	p.file(sphere(t, 36)) // 12,962 vertices
	p.wait("s.ready && s.mesh.name == 'sphere.off'")
	p.settled()
	p.paint("Paint source", [2]float64{0.45, 0.5}, [2]float64{0.5, 0.55})
	p.settled()
	painted := eval[map[string][]float64](p, "genussink.densities()")
	holds := func(what string) {
		t.Helper()
		if s := p.state(); s.Mesh.Name != "sphere.off" || s.Mesh.Vertices != 12962 || s.Densities.Undo != 1 || !reflect.DeepEqual(painted, eval[map[string][]float64](p, "genussink.densities()")) {
			t.Errorf("%s: mesh %s, %d steps, or other densities", what, s.Mesh.Name, s.Densities.Undo)
		}
	}
	p.set("Epsilon", "-2")
	p.set("Method", "exact")
	s := p.wait("s.error != '' && s.workers.unfinished == 0")
	if s.Error != "Could not solve: The background program ran out of memory and was replaced. A larger epsilon takes less, and the method quantized the least." || s.Workers.Replaced == 0 {
		t.Errorf("the page says %q, %d Workers were replaced", s.Error, s.Workers.Replaced)
	}
	p.picture("worker-memory")
	holds("after the solve")
	// What the page advises helps.
	p.press("Dismiss")
	p.set("Method", "quantized")
	if s := p.settled(); s.Error != "" || s.Transport.Result.Method != "quantized" {
		t.Errorf("quantized: %q", s.Error)
	}
	// A mesh that is too large leaves the one that is there, and what was painted on it.
	p.file(large(t))
	s = p.wait("s.error != '' && s.workers.unfinished == 0")
	if s.Error != "Could not open large.stl: The background program ran out of memory and was replaced. A smaller mesh may fit." {
		t.Errorf("the page says %q", s.Error)
	}
	holds("after opening")
	p.press("Dismiss")
	p.press("Undo")
	p.wait("s.densities.undo == 0")
	p.press("Redo")
	p.wait("s.densities.undo == 1")
	p.paint("Paint target", [2]float64{0.5, 0.5}, [2]float64{0.5, 0.55})
	if s := p.settled(); s.Error != "" || s.Densities.Undo != 2 {
		t.Errorf("painting on: %q, %d steps", s.Error, s.Densities.Undo)
	}
}

// There is no memory for any Worker: the page says so, and does not try for ever.
func TestNoMemoryForWorkers(t *testing.T) {
	t.Parallel()
	p := openAt(t, limited(t, "worker.wasm", 0), small)
	for _, expected := range []string{"background programs", "a Worker was replaced"} {
		p.forgive(expected)
	}
	s := p.wait("s.error != '' && s.workers.count == 0 && s.workers.unfinished == 0")
	if !strings.Contains(s.Error, "out of memory") || !strings.Contains(s.Error, "Close other pages and programs") {
		t.Errorf("the page says %q", s.Error)
	}
}

// The page's own program runs out of memory: it says so, and loaded anew it goes on with what was kept.
func TestPageMemoryExhausted(t *testing.T) {
	t.Parallel()
	address := limited(t, "viewer.wasm", 96<<20)
	p := openAt(t, address, small)
	for _, expected := range []string{"the browser gives it no more memory", "Go program has already exited"} {
		p.forgive(expected)
	}
	p.settled()
	p.press("Swap")
	p.settled()
	p.wait("s.session.kept")
	want := p.held()
	p.file(large(t))
	p.until("document.querySelector('.missing')")
	if got := p.text("loading-text"); got != "GenusSink could not go on: the browser gives it no more memory. Reload the page to try again." {
		t.Errorf("the page says %q", got)
	}
	p.picture("page-memory")
	p.renewed(func() { call(p, page.Reload, page.ReloadParams{}) })
	p.is("loaded anew", want)
}
