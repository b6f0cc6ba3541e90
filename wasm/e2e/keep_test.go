//go:build e2e && !js

package e2e

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/chromedp"

	"genussink/core/engine"
	"genussink/core/job"
	"genussink/core/session"
	"genussink/viewer/scene"
)

// held is what must not be lost.
type held struct {
	Mesh      string
	Vertices  int
	Densities map[string][]float64
	Undo      int
	Radius    float64
	Transport []any
	Finder    string
	Balance   float64
	Level     int
	View      scene.ViewState
	Mass      scene.Mass
	Speed     float64
	Camera    string
}

func (p *tab) held() held {
	p.t.Helper()
	s := p.settled()
	return held{
		Mesh: s.Mesh.Name, Vertices: s.Mesh.Vertices,
		Densities: eval[map[string][]float64](p, "genussink.densities()"), Undo: s.Densities.Undo, Radius: s.Densities.Radius,
		Transport: []any{s.Transport.Method, s.Transport.Epsilon, s.Transport.Delta},
		Finder:    s.Separation.Finder, Balance: s.Separation.Balance, Level: s.Separation.Level,
		View: s.View, Mass: s.Playback.Mass, Speed: s.Playback.Speed,
		Camera: eval[string](p, "new URLSearchParams(location.search).get('cam')"),
	}
}

// is holds the page to what was.
func (p *tab) is(what string, want held) {
	p.t.Helper()
	p.until("new URLSearchParams(location.search).has('cam')")
	got := p.held()
	if !reflect.DeepEqual(got, want) {
		for _, h := range []*held{&got, &want} {
			h.Densities = map[string][]float64{"sum": {sum(h.Densities["source"]), sum(h.Densities["target"])}}
		}
		p.t.Errorf("%s: the page shows\n%+v\nand showed\n%+v", what, got, want)
	}
}

func sum(x []float64) (total float64) {
	for _, x := range x {
		total += x
	}
	return total
}

// renewed does what makes the page load again, and waits until it has.
func (p *tab) renewed(do func()) {
	p.t.Helper()
	eval[bool](p, "globalThis.before = true")
	do()
	for end := time.Now().Add(patience); ; {
		now, err := chromedp.Run(p.ctx, chromedp.Evaluate[bool]("!globalThis.before && !!globalThis.genussink?.state().ready"))
		if err == nil && now { // in between there is no page to ask
			return
		}
		if time.Now().After(end) {
			p.t.Fatalf("the page does not come back: %v", err)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// paint draws a stroke of a tool on the mesh, through places given as fractions
// of the canvas, and puts the tool down.
func (p *tab) paint(tool string, through ...[2]float64) {
	p.t.Helper()
	undo := p.state().Densities.Undo
	p.press(tool)
	at := p.find(through[0][0], through[0][1])
	spots := []spot{at}
	for i := 1; i < len(through); i++ {
		spots = append(spots, spot{at.X + 900*(through[i][0]-through[0][0]), at.Y + 500*(through[i][1]-through[0][1])})
	}
	p.drag(spots...)
	p.wait(fmt.Sprintf("s.densities.undo == %d && !s.densities.stroke", undo+1))
	p.press(tool)
	p.wait("s.densities.tool == 'none'")
}

// findMass puts the pointer on a vertex that has mass.
func (p *tab) findMass() {
	p.t.Helper()
	for k := range 81 {
		p.find(0.3+0.05*float64(k%9), 0.3+0.05*float64(k/9))
		if h := p.wait("s.hover").Hover; h.Source > 0 || h.Target > 0 {
			return
		}
	}
	p.t.Fatal("no vertex under the pointer has mass")
}

// An own mesh, strokes, settings and the camera survive a reload, a closed tab, a
// lost WebGL context and a dead Worker; what is forgotten is gone.
func TestNothingIsLost(t *testing.T) {
	t.Parallel()
	p := kept(t, "", small)
	p.settled()
	if s := p.state(); eval[bool](p, "genussink.state().session.kept || genussink.state().session.restored") || eval[bool](p, "!document.getElementById('restored').hidden") {
		t.Errorf("a first visit goes on with something: %+v", s.Mesh)
	}
	name := filepath.Join(t.TempDir(), "<b>own & mine.off")
	data, err := os.ReadFile(sphere(t, 10))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
	p.file(name)
	p.wait(fmt.Sprintf("s.ready && s.mesh.name == %q", filepath.Base(name)))
	p.settled()
	p.set("Brush radius", "0.05")
	p.paint("Paint source", [2]float64{0.45, 0.5}, [2]float64{0.5, 0.55}, [2]float64{0.5, 0.45})
	p.paint("Paint target", [2]float64{0.55, 0.4}, [2]float64{0.5, 0.45})
	p.paint("Erase", [2]float64{0.5, 0.5})
	p.set("Epsilon", "-1.3")
	p.set("Method", "certified")
	p.until("!document.getElementById('delta').disabled")
	p.set("Delta", "-1.6")
	p.set("Separator level", "2")
	p.press("Transport")
	p.set("Speed", "2")
	p.unfold("View")
	p.press("Wireframe")
	still := p.camera(1, ",none,,,,,")
	at := p.find(0.5, 0.5)
	p.drag(at, spot{at.X + 40, at.Y + 10}, spot{at.X + 90, at.Y + 20})
	p.camera(1, still)
	p.mouse(chromedp.MouseMoved, spot{5, 300}, 0)
	p.settled()
	want := p.held()
	if want.Undo != 3 || !want.View.Wireframe {
		t.Fatalf("not done: %+v", want)
	}
	p.wait("s.session.kept")

	p.renewed(func() { call(p, page.Reload, page.ReloadParams{}) })
	p.is("reloaded", want)
	if !eval[bool](p, "genussink.state().session.restored") || p.text("restored-text") != "Restored your last session." {
		t.Error("nothing says that the session was restored")
	}
	p.picture("restored")
	// Each stroke can still be taken back, and done again.
	for _, button := range []string{"Undo", "Undo", "Undo", "Redo", "Redo", "Redo"} {
		p.press(button)
	}
	p.wait("s.densities.redo == 0")
	p.is("undone and redone", want)
	p.wait("s.session.kept")

	// The tab is closed, another opened.
	p.close()
	p = again(p, "", small)
	p.is("in a new tab", want)
	p.wait("s.session.kept")

	// The WebGL context is lost: ebiten loads the page anew.
	p.renewed(func() {
		eval[bool](p, "document.querySelector('canvas').getContext('webgl2').getExtension('WEBGL_lose_context').loseContext(), true")
	})
	p.is("after the context was lost", want)

	// A Worker dies, by a crash and without a word, with the plan or without it.
	p.forgive("a Worker was replaced")
	for i, death := range []struct {
		worker   int
		silently bool
	}{{1, false}, {0, false}, {1, true}} {
		eval[bool](p, fmt.Sprintf("genussink.breakWorker(%d, %t), true", death.worker, death.silently))
		p.wait(fmt.Sprintf("s.workers.replaced == %d", i+1))
		s := p.settled()
		if s.Error != "" || s.Transport.Result.Status != "converged" {
			t.Errorf("Worker %d is replaced: %q, %+v", death.worker, s.Error, s.Transport.Result)
		}
		p.is("after a Worker's death", want)
	}
	p.findMass() // the plan answers
	p.wait("s.hover && s.hover.partners.length > 0")

	// An explicit link wins, and does not overwrite what is kept.
	other := again(p, "?mesh=swan", small)
	if s := other.settled(); s.Mesh.Name != "swan.glb" || s.Transport.Epsilon == want.Transport[2] {
		t.Errorf("a link to the swan shows %s, epsilon %g", s.Mesh.Name, s.Transport.Epsilon)
	}
	other.close()

	p.mouse(chromedp.MouseMoved, spot{5, 300}, 0)
	p.unfold("Session")
	p.press("Forget this session")
	p.until("document.getElementById('status').textContent.startsWith('All sessions are forgotten')")
	p.renewed(func() { call(p, page.Reload, page.ReloadParams{}) })
	s := p.settled()
	if s.Mesh.Name == want.Mesh || s.Transport.Epsilon == want.Transport[2] || s.Densities.Undo != 0 || eval[bool](p, "genussink.state().session.restored") {
		t.Errorf("what was forgotten is there: %+v", s.Mesh)
	}
	if n := p.records("meshes"); n != 0 {
		t.Errorf("the browser still keeps %d meshes", n)
	}
}

// records is how many records a table of kept sessions has.
func (p *tab) records(table string) int {
	p.t.Helper()
	return eval[int](p, fmt.Sprintf(`new Promise((done, fail) => {
		const open = indexedDB.open('genussink');
		open.onerror = fail;
		open.onsuccess = () => {
			const count = open.result.transaction(%[1]q).objectStore(%[1]q).count();
			count.onsuccess = () => done(count.result);
		};
	})`, table))
}

// Starting fresh leaves the session behind, in the browser. What comes next is kept, until all is forgotten.
func TestStartFresh(t *testing.T) {
	t.Parallel()
	p := kept(t, "?mesh=swan", small)
	p.settled()
	p.set("Epsilon", "-1")
	p.settled()
	p.press("Clear densities")
	p.wait("s.densities.sourceMass == 0 && s.session.kept")
	p.close()
	p = again(p, "", small)
	if s := p.wait("s.ready && s.session.restored"); s.Mesh.Name != "swan.glb" || s.Densities.Source != 0 {
		t.Errorf("restored %s with %g", s.Mesh.Name, s.Densities.Source)
	}
	p.press("Start fresh")
	p.wait("s.mesh.name == 'cat.glb' || (s.ready && s.mesh.name != 'swan.glb')")
	s := p.settled()
	if s.Transport.Epsilon == 0.1 || s.Densities.Source == 0 || s.Densities.Undo != 0 {
		t.Errorf("fresh is %+v", s.Densities)
	}
	p.press("Swap")
	p.wait("s.densities.undo == 1 && s.session.kept")
	want := p.held()
	p.renewed(func() { call(p, page.Reload, page.ReloadParams{}) })
	p.is("kept anew", want)
	if n := p.records("sessions"); n != 3 { // the first one, as it was restored, and the new one
		t.Errorf("%d sessions are kept: what was left is lost", n)
	}
	p.unfold("Session")
	p.press("Forget this session")
	p.until("document.getElementById('status').textContent.startsWith('All sessions are forgotten')")
	if n := p.records("sessions"); n != 0 {
		t.Errorf("%d sessions are kept after all were forgotten", n)
	}
}

// noted is a script. It keeps all that the status line says in a list, said.
const noted = `
	; addEventListener('DOMContentLoaded', () => {
		const status = document.getElementById('status');
		globalThis.said = [];
		new MutationObserver(() => said.push(status.textContent)).observe(status, { childList: true, characterData: true, subtree: true });
	});`

// A browser that keeps nothing is no broken page.
func TestNoStore(t *testing.T) {
	t.Parallel()
	for what, script := range map[string]string{
		"no IndexedDB": "Object.defineProperty(globalThis, 'indexedDB', { value: undefined })",
		"forbidden":    "IDBFactory.prototype.open = () => { throw new DOMException('not here', 'SecurityError'); }",
		"full":         "IDBObjectStore.prototype.put = () => { throw new DOMException('full', 'QuotaExceededError'); }",
		"quota":        "", // of one byte
	} {
		t.Run(what, func(t *testing.T) {
			quota := storage.OverrideQuotaForOriginParams{Origin: strings.TrimSuffix(address, "/")}
			if what == "quota" {
				size := 1.0
				quota.QuotaSize = &size
			}
			limit := chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
				_, err := cdp.Call(ctx, target, storage.OverrideQuotaForOrigin, quota)
				return err
			})
			p := open(t, "?mesh=cat", small, limit, onNewDocument(script+noted))
			defer call(p, storage.OverrideQuotaForOrigin, storage.OverrideQuotaForOriginParams{Origin: quota.Origin}) // the usual one again
			p.settled()
			p.press("Swap")
			p.wait("s.densities.undo == 1")
			sentence := map[string]string{"no IndexedDB": "Sessions are not kept: the browser has no store.", "forbidden": "Sessions are not kept: ", "full": "Session not kept: there is no room left for it.", "quota": "Session not kept: there is no room left for it."}[what]
			p.until(fmt.Sprintf("said.some((s) => s.includes(%q))", sentence))
			s := p.settled()
			if s.Error != "" || eval[bool](p, "genussink.state().session.kept") {
				t.Errorf("%q, kept without a store", s.Error)
			}
			p.press("Swap")
			p.wait("s.densities.undo == 2")
			// The address carries a painting that is not too long.
			p.until("new URLSearchParams(location.search).has('paint')")
		})
	}
}

// When a store opens late, what was done before is kept.
func TestLateStore(t *testing.T) {
	t.Parallel()
	p := open(t, "?mesh=cat", small, onNewDocument(`{
		const open = IDBFactory.prototype.open, allowed = new Promise((allow) => { globalThis.allow = () => (allow(), true); });
		IDBFactory.prototype.open = function (...of) {
			const request = open.apply(this, of), late = new EventTarget();
			const pass = (event) => { late.result = request.result; late.dispatchEvent(new Event(event)); };
			request.addEventListener('upgradeneeded', () => pass('upgradeneeded'));
			request.addEventListener('success', () => allowed.then(() => pass('success')));
			return late;
		};
	}`+noted))
	p.until("globalThis.said?.some((s) => s.includes('Sessions are not kept: the browser’s store does not answer.'))")
	p.settled()
	p.press("Swap")
	p.wait("s.densities.undo == 1")
	p.settled()
	if p.state().Error != "" || eval[bool](p, "genussink.state().session.kept") {
		t.Error("kept without a store")
	}
	eval[bool](p, "allow()")
	p.wait("s.session.kept")
}

// Another mesh can be undone: the one before comes back, with its painting and all steps of undo.
func TestGoBack(t *testing.T) {
	t.Parallel()
	p := open(t, "?mesh=cat", small)
	p.settled()
	p.paint("Paint source", [2]float64{0.45, 0.5}, [2]float64{0.5, 0.55})
	p.press("Swap")
	p.wait("s.densities.undo == 2")
	want := p.settled()
	p.file(gallery("tee.glb"))
	p.wait("s.mesh.name == 'tee.glb'")
	p.settled()
	p.until("document.getElementById('replaced').checkVisibility() && document.getElementById('replaced-text').textContent.includes('cat.glb')")
	p.picture("go-back")
	p.press("Go back")
	p.wait("s.mesh.name == 'cat.glb'")
	now := p.settled()
	if a, b := want.Densities, now.Densities; b.Undo != 2 || math.Abs(a.Source-b.Source) > 1e-9*a.Source || math.Abs(a.Target-b.Target) > 1e-9*a.Target || math.Abs(now.Transport.Result.Cost-want.Transport.Result.Cost) > 1e-6*want.Transport.Result.Cost {
		t.Errorf("the mesh came back with %+v, cost %g; it had %+v, cost %g", b, now.Transport.Result.Cost, a, want.Transport.Result.Cost)
	}
	p.until("!document.getElementById('replaced').checkVisibility()")
	p.press("Undo")
	p.wait("s.densities.undo == 1")
}

// Where the browser allows no copying the page says so, also in a dialog, and never that something was copied.
func TestNothingIsCopied(t *testing.T) {
	t.Parallel()
	for prepare, why := range map[string]string{
		"delete Navigator.prototype.clipboard":                                           "only to addresses of https",
		"navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'))": "not allowed",
	} {
		p := open(t, "?mesh=cat", small, onNewDocument(prepare))
		p.settled()
		p.press("Share")
		p.until(fmt.Sprintf("document.getElementById('status').textContent.startsWith('Nothing was copied: ') && document.getElementById('status').textContent.includes(%q)", why))
		p.press("Save")
		p.press("Copy command")
		p.until("document.querySelector('#saving .said').textContent.startsWith('Nothing was copied: ')")
		p.frames(4)
		if said := p.text("status"); !strings.HasPrefix(said, "Nothing was copied") {
			t.Errorf("the page says %q", said)
		}
		p.picture("nothing-copied")
		p.close()
	}
}

// A link carries a small painting. A large one, and an own mesh, go into a
// session file, which the page and the tool open.
func TestShare(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := open(t, "?mesh=cat", small, onNewDocument("navigator.clipboard.writeText = (text) => (globalThis.copied = text, Promise.resolve())"))
	p.settled()
	p.paint("Paint source", [2]float64{0.45, 0.5}, [2]float64{0.5, 0.55})
	p.settled()
	p.press("Share")
	p.until("document.getElementById('status').textContent.includes('Link copied, painting included.')")
	p.picture("share-link")
	want := p.held()
	link := eval[string](p, "location.href")
	if copied := eval[string](p, "copied"); copied != link || !strings.Contains(link, "&paint=") {
		t.Errorf("the address is %s, copied was %s", link, copied)
	}
	// In another browser, as it were: nothing is kept there.
	u, err := url.Parse(link)
	if err != nil {
		t.Fatal(err)
	}
	other := open(t, "?"+u.RawQuery, small)
	want.Undo = 0 // a link carries no way back
	other.is("by link", want)
	other.close()

	// Many strokes do not fit: those of a session that has them already, and one more.
	cat, err := os.ReadFile(gallery("cat.glb"))
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	long := &session.Session{Mesh: "cat", File: &job.Load{Name: "cat.glb", Data: cat}, Level: -1, Painting: &session.Painting{Vertices: want.Vertices, First: 1}}
	long.Painting.Steps = []job.Step{{Kind: job.StepMeasure, Measure: job.Measure{Preset: session.First}}}
	for range 30 {
		stroke := job.Step{Kind: job.StrokeTarget, Radius: 0.1, Strength: 0.5}
		for range 100 {
			stroke.Centres = append(stroke.Centres, rng.Int32N(int32(want.Vertices)))
		}
		long.Painting.Steps = append(long.Painting.Steps, stroke)
	}
	long.Painting.Now = len(long.Painting.Steps)
	name := filepath.Join(dir, "long.genussink")
	if err := os.WriteFile(name, session.Encode(long), 0o644); err != nil {
		t.Fatal(err)
	}
	p.file(name)
	p.wait("s.densities.undo == 30")
	p.settled()
	p.paint("Paint target", [2]float64{0.5, 0.5}, [2]float64{0.45, 0.55})
	p.mouse(chromedp.MouseMoved, spot{5, 300}, 0)
	p.settled()
	if eval[bool](p, "new URLSearchParams(location.search).has('paint')") {
		t.Error("3,000 dabs fit into a link")
	}
	want = p.held()
	allowDownloads(p, dir)
	p.press("Share")
	p.until("document.getElementById('sharing').open")
	if why := p.text("sharing-why"); !strings.Contains(why, "too long for a link") {
		t.Errorf("the page says %q", why)
	}
	p.frames(2)
	p.picture("share-file")
	file := filepath.Join(dir, "cat.genussink")
	data := p.saved(file)
	other = open(t, "?mesh=swan", small)
	other.settled()
	other.file(file)
	other.wait("s.mesh.name == 'cat.glb'")
	other.is("from a file", want)
	result := other.state().Transport.Result

	// The tool reads the same.
	solved := toolSays[struct {
		Vertices int
		Cost     float64
	}](t, "solve", file)
	if solved.Vertices != want.Vertices || math.Abs(solved.Cost-result.Cost) > 1e-6*result.Cost {
		t.Errorf("the tool solves %d vertices at cost %.9g, the page %d at %.9g", solved.Vertices, solved.Cost, want.Vertices, result.Cost)
	}
	// So does an engine that is no browser's: the densities are the page's, but for exp's last place.
	s, err := session.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	e := engine.New(engine.Options{})
	for i, q := range []job.Body{s.File, s.Painting.Outcome().Request()} {
		e.Run(context.Background(), job.Request{ID: uint32(i + 1), Body: q}, func(ev job.Event) {
			p, ok := ev.Body.(*job.Painted)
			if !ok {
				return
			}
			for name, got := range map[string][]float64{"source": p.States[0].Source, "target": p.States[0].Target} {
				most := slices.Max(got)
				for v, x := range want.Densities[name] {
					if math.Abs(got[v]-x) > 1e-12*most {
						t.Fatalf("the %s at vertex %d is %g here, %g on the page, at most %g", name, v, got[v], x, most)
					}
				}
			}
			t.Logf("%d steps on %d vertices, the file has %d bytes", len(s.Painting.Steps), s.Painting.Vertices, len(data))
		})
	}
	// A damaged one is a sentence, and changes nothing.
	broken := filepath.Join(dir, "broken.genussink")
	if err := os.WriteFile(broken, data[:len(data)/2], 0o644); err != nil {
		t.Fatal(err)
	}
	other.file(broken)
	other.wait("s.error != ''")
	if alert := other.state().Error; !strings.Contains(alert, "broken.genussink") || !strings.Contains(alert, "ends") {
		t.Errorf("of half a file the page says %q", alert)
	}
	other.press("Dismiss")
	other.is("after half a file", want)
}

// What a person is told, in both themes and on a phone.
func TestKeepPictures(t *testing.T) {
	t.Parallel()
	for theme, s := range map[string]size{"light": wide, "dark": phone} {
		p := kept(t, "?mesh=octopus", s, emulate(theme))
		p.settled()
		if s == phone {
			p.press("Panel")
		}
		p.press("Swap")
		p.wait("s.densities.undo == 1 && s.session.kept")
		p.close()
		p = again(p, "", s, emulate(theme))
		p.settled()
		p.press("Pause")
		p.frames(12)
		p.picture("restored-" + theme)
		if s == phone {
			p.stands("restored")
			p.file(filepath.Join(root, "README.md"))
			p.stands("alert")
			p.picture("alert-phone")
			p.press("Dismiss")
		}
		eval[bool](p, "document.getElementById('sharing').showModal(), true")
		p.frames(2)
		p.picture("sharing-" + theme)
		if wide := eval[float64](p, "document.documentElement.scrollWidth"); wide > float64(s.width) {
			t.Errorf("%s: the page is %g wide on a screen of %d", theme, wide, s.width)
		}
		p.close()
	}
}

func onNewDocument(script string) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: script})
		return err
	})
}

// stands says what a notice covers of the legend, the bar and the buttons, and whether it is not seen whole.
func (p *tab) stands(id string) {
	p.t.Helper()
	p.until(fmt.Sprintf("document.getElementById(%q).checkVisibility()", id))
	p.frames(2)
	if covered := eval[[]string](p, fmt.Sprintf(`(() => {
		const notice = document.getElementById(%q), box = notice.getBoundingClientRect(), found = [];
		if (box.width < 100 || box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight || notice.scrollHeight > notice.clientHeight) found.push('itself');
		for (const e of document.querySelectorAll('#legend > *, #bar, button')) {
			const r = e.getBoundingClientRect();
			if (e.checkVisibility() && !notice.contains(e) && r.left < box.right && r.right > box.left && r.top < box.bottom && r.bottom > box.top) found.push(e.id || e.textContent);
		}
		return found;
	})()`, id)); len(covered) > 0 {
		p.t.Errorf("%s covers %q", id, covered)
	}
}
