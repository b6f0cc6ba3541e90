//go:build e2e && !js

package e2e

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"genussink/viewer/scene"
)

// A list that has the focus shows what holds, once a person's choice has had its time.
func TestListFollows(t *testing.T) {
	t.Parallel()
	p := open(t, "?mesh=cat", small)
	p.settled()
	p.set("Preset", "two-spots")
	p.wait("s.densities.preset == 'two-spots'")
	p.until("document.activeElement.id == 'preset'")
	p.until("!document.getElementById('undo').disabled")             // frames after the state says so
	eval[bool](p, "(document.getElementById('undo').click(), true)") // a person's click would take the focus
	p.wait("s.densities.preset == 'paper'")
	p.until("document.activeElement.id == 'preset' && document.getElementById('preset').value == 'paper'")
}

// What the asking brush selects, and where the plan takes its mass: on the mesh, and in words.
func TestQuery(t *testing.T) {
	t.Parallel()
	p := open(t, "?mesh=cat", small)
	p.settled()
	p.set("Preset", "uniform")
	p.wait("s.densities.preset == 'uniform'")
	p.settled()
	at := p.find(0.5, 0.5)
	p.press("Where does this go?")
	p.drag(at, spot{at.X + 8, at.Y + 4}, spot{at.X + 16, at.Y + 4})
	s := p.wait("s.query?.known && !s.densities.stroke && s.workers.unfinished == 0")
	q := s.Query
	if want := float64(q.Vertices) / float64(s.Mesh.Vertices); math.Abs(q.Share-want) > 1e-9 || math.Abs(q.Mass-want) > 1e-6 {
		t.Errorf("%d of %d vertices: share %g, mass %g", q.Vertices, s.Mesh.Vertices, q.Share, q.Mass)
	}
	if q.Most < 1 || s.Densities.Undo != 1 {
		t.Errorf("%+v, %d steps to undo", q, s.Densities.Undo)
	}
	p.until("/ % of the source is selected; nine tenths of it goes to [0-9,]+ vertices\\./.test(document.getElementById('query-note').textContent.replaceAll('\u202f', ' '))")
	p.frames(20)
	p.picture("query")
	p.press("Where does it come from?")
	p.drag(at, spot{at.X + 8, at.Y + 4})
	if q := p.wait("s.query?.known && s.query.target && !s.densities.stroke").Query; !(q.Share > 0) {
		t.Errorf("where it comes from: %+v", q)
	}
	p.do(chromedp.KeyEvent("\x1b"))
	p.wait("!s.query && s.densities.tool == 'none'")
}

// On a phone the brush in hand is seen, also while the panel is closed: it changes, its stroke is undone, and it is put down.
func TestBrushInHandOnAPhone(t *testing.T) {
	t.Parallel()
	p := openAt(t, address, phone)
	p.settled()
	p.press("Paint your own")
	p.wait("s.densities.tool == 'source'")
	p.frames(30) // the mesh takes the card's room
	p.tap(p.find(0.5, 0.5))
	p.wait("s.densities.undo == 1 && !s.densities.stroke")
	p.picture("phone-brush")
	p.press("Target")
	p.wait("s.densities.tool == 'target'")
	p.press("Undo stroke")
	p.wait("s.densities.undo == 0")
	p.press("Done")
	p.wait("s.densities.tool == 'none'")
	p.until("!document.getElementById('hand').checkVisibility()")
}

// values are the two densities.
func (p *tab) values() (source, target []float64) {
	p.t.Helper()
	v := eval[struct{ Source, Target []float64 }](p, "(({source, target}) => ({Source: source, Target: target}))(genussink.densities())")
	return v.Source, v.Target
}

// A press covers a component or a cell; the smoothing brush keeps the mass.
func TestFillAndSmooth(t *testing.T) {
	t.Parallel()
	p := open(t, "?mesh=cat", small)
	p.settled()
	at := p.find(0.5, 0.5)
	before := p.state().Densities
	p.press("Smooth")
	p.drag(at, spot{at.X + 8, at.Y + 4})
	p.press("Clear densities")
	p.press("Paint source")
	p.set("Brush covers", "component")
	p.do(chromedp.MouseClickXY(at.X, at.Y))
	s := p.wait("s.densities.sourceVertices == s.mesh.vertices")
	source, _ := p.values()
	if slices.Min(source) != slices.Max(source) || s.Densities.Undo < 2 {
		t.Errorf("filled with %g to %g, %d steps to undo", slices.Min(source), slices.Max(source), s.Densities.Undo)
	}
	p.press("Paint target")
	p.wait("s.separation.nodes > 0")
	p.set("Brush covers", "cell")
	p.mouse(chromedp.MouseMoved, spot{at.X + 1, at.Y}, 0)
	p.frames(3)
	p.do(chromedp.MouseClickXY(at.X, at.Y))
	s = p.wait("s.densities.targetMass > 0")
	root := s.Separation.Levels[0]
	if got := s.Densities.TargetN; got != root.A && got != root.B && got != root.S {
		t.Errorf("%d vertices are filled, the cells have %d, %d and %d", got, root.A, root.S, root.B)
	}
	p.frames(20)
	p.picture("filled")

	p.set("Brush covers", "disc")
	p.press("Smooth")
	mass := s.Densities.Target
	_, was := p.values()
	edge := p.find(0.5, 0.6)
	p.drag(edge, at, spot{at.X + 10, at.Y - 20}, spot{at.X - 30, at.Y - 60})
	s = p.wait(fmt.Sprintf("s.densities.undo > %d && !s.densities.stroke", s.Densities.Undo))
	_, now := p.values()
	if off := math.Abs(s.Densities.Target-mass) / mass; off > 1e-12 || slices.Equal(was, now) || slices.Min(now) < 0 {
		t.Errorf("smoothing changed the mass by %g of it; the same as before: %t", off, slices.Equal(was, now))
	}
	p.press("Undo")
	p.wait("s.densities.redo == 1")
	if _, undone := p.values(); !slices.Equal(undone, was) {
		t.Error("undo does not take the smoothing back")
	}
	if before.Shape != scene.ShapeDisc {
		t.Errorf("the brush is a %s at first", before.Shape)
	}
}

// A pen paints as hard as it is pressed, a mouse fully.
func TestPenPressure(t *testing.T) {
	t.Parallel()
	p := open(t, "?mesh=cat", small)
	p.settled()
	at := p.find(0.5, 0.5)
	p.press("Paint source")
	dab := func(pointer input.DispatchMouseEventPointerType, force float64) float64 {
		p.press("Clear densities")
		p.wait("s.densities.sourceMass == 0")
		for _, kind := range []input.DispatchMouseEventType{chromedp.MouseMoved, chromedp.MousePressed, chromedp.MouseReleased} {
			e := input.DispatchMouseEventParams{Type: kind, X: at.X, Y: at.Y, PointerType: pointer, Force: force}
			if kind != chromedp.MouseMoved {
				e.Button, e.ClickCount = input.MouseButtonLeft, 1
			}
			if kind == chromedp.MousePressed {
				e.Buttons = 1
			}
			call(p, input.DispatchMouseEvent, e)
			p.frames(2)
		}
		return p.wait("s.densities.sourceMass > 0 && !s.densities.stroke").Densities.Source
	}
	full, half := dab("mouse", 0), dab("pen", 0.5)
	if share := half / full; math.Abs(share-0.5) > 0.01 {
		t.Errorf("a pen that is pressed half paints %g of what a mouse does", share)
	}
	if again := dab("mouse", 0); again != full {
		t.Errorf("after the pen the mouse paints %g, before it painted %g", again, full)
	}
}

// Everything by keys: open a file of one's own, paint the source and the target, watch, share.
func TestMainJobByKeyboard(t *testing.T) {
	t.Parallel()
	p := open(t, "?mesh=cat", small)
	p.settled()
	key := func(name string, times int) {
		for range times {
			p.do(chromedp.KeyEvent(name))
		}
	}
	tab := func(selector string) { // to an element
		t.Helper()
		for range 120 {
			if eval[bool](p, fmt.Sprintf("document.activeElement.matches(%q)", selector)) {
				return
			}
			key("\t", 1)
		}
		t.Fatalf("Tab does not reach %s", selector)
	}
	call(p, page.SetInterceptFileChooserDialog, page.SetInterceptFileChooserDialogParams{Enabled: true})
	asked := make(chan struct{}, 1)
	if err := chromedp.Listen(p.ctx, func(event any) {
		if _, ok := event.(*page.EventFileChooserOpened); ok {
			asked <- struct{}{}
		}
	}); err != nil {
		t.Fatal(err)
	}
	tab("canvas")
	key("o", 1)
	select {
	case <-asked:
	case <-time.After(patience):
		t.Fatal("the key O opens no file dialog")
	}
	p.file(sphere(t, 10)) // what a person chooses in the system's dialog
	p.wait("s.mesh.name == 'sphere.off'")
	p.settled()
	tab("#clear")
	key(kb.Enter, 1)
	p.wait("s.densities.sourceMass == 0 && s.densities.targetMass == 0")
	p.until("document.getElementById('status').textContent == 'Paint a source and a target, or choose a preset.'")
	tab("canvas")
	key("s", 1)
	p.wait("s.densities.tool == 'source'")
	pose := eval[string](p, "new URLSearchParams(location.search).get('cam')")
	key(kb.ArrowLeft, 1)
	first := p.wait("s.hover").Hover.Vertex
	key(kb.ArrowLeft, 5)
	if at := p.wait(fmt.Sprintf("s.hover.vertex != %d", first)).Hover.Vertex; at == first {
		t.Error("arrows do not walk")
	}
	p.until("/^Vertex [0-9,]+, source 0/.test(document.getElementById('cursor').textContent)")
	key(kb.Enter, 1)
	source := p.wait("s.densities.sourceMass > 0 && !s.densities.stroke")
	p.until("/^Vertex [0-9,]+, source [1-9.]*[1-9]/.test(document.getElementById('cursor').textContent)")
	key("t", 1)
	key(kb.ArrowRight, 9)
	key(kb.ArrowDown, 3)
	key(" ", 1)
	target := p.wait("s.densities.targetMass > 0 && !s.densities.stroke")
	if source.Hover.Vertex == target.Hover.Vertex || !(target.Hover.Target > 0) {
		t.Errorf("source at %d, target at %d: %+v", source.Hover.Vertex, target.Hover.Vertex, target.Hover)
	}
	// A second dab there, and the masses differ, which is explained.
	key(" ", 1)
	p.wait("s.densities.targetMass > 1.01 * s.densities.sourceMass && !s.densities.stroke")
	p.until("document.getElementById('mass-note').textContent == 'Each is scaled to a mass of 1, then moved.'")
	p.frames(5)
	p.picture("keyboard")
	if now := eval[string](p, "new URLSearchParams(location.search).get('cam')"); now != pose {
		t.Errorf("the camera was at %s, it is at %s", pose, now)
	}
	key(kb.Escape, 1) // which does not end the solve that follows the brush
	p.wait("s.densities.tool == 'none'")
	p.settled()
	if !p.state().Playback.Playing {
		key(" ", 1)
	}
	p.wait("s.playback.playing")
	tab("#share")
	key(kb.Enter, 1)
	p.until("document.getElementById('sharing').open")
}

// With the mouse the same job takes six actions: drop a file, take the brush of the source, paint, take the target's, paint, share.
// What was painted plays by itself meanwhile, and the file that is shared brings it back elsewhere.
func TestMainJobTakesSixActions(t *testing.T) {
	t.Parallel()
	p := open(t, "", moving)
	p.settled()
	dir := t.TempDir()
	allowDownloads(p, dir)
	eval[bool](p, `(() => {
		globalThis.actions = [];
		for (const kind of ['pointerdown', 'keydown', 'wheel']) addEventListener(kind, (e) => globalThis.actions.push(kind + ' ' + (e.target.id || e.target.tagName)), { capture: true });
		document.getElementById('file').addEventListener('change', () => globalThis.actions.push('file'), { capture: true });
		return true;
	})()`)
	p.file(sphere(t, 10))
	p.wait("s.ready && s.mesh.name == 'sphere.off'")
	p.settled()
	for i, tool := range []string{"Paint source", "Paint target"} {
		p.press(tool)
		at := p.find(0.4+0.2*float64(i), 0.5)
		p.drag(at, spot{at.X, at.Y + 20}, spot{at.X, at.Y + 40})
		p.wait(fmt.Sprintf("s.densities.undo == %d && !s.densities.stroke", i+1))
	}
	s := p.settled()
	// What moves is what was painted, and nothing of the preset that the mesh came with.
	source, target := p.values()
	painted := [2]int{}
	for v := range source {
		if source[v] > 0 {
			painted[0]++
		}
		if target[v] > 0 {
			painted[1]++
		}
	}
	if n := s.Mesh.Vertices; painted[0] == 0 || painted[1] == 0 || painted[0] > n/2 || painted[1] > n/2 {
		t.Errorf("of %d vertices %d have source and %d have target", n, painted[0], painted[1])
	}
	p.wait("s.playback.playing")
	p.press("Share")
	p.until("document.getElementById('sharing').open")
	if actions := eval[[]string](p, "globalThis.actions"); len(actions) != 6 {
		t.Errorf("%d actions: %q", len(actions), actions)
	}
	file := filepath.Join(dir, "sphere.genussink")
	p.saved(file)
	other := open(t, "?mesh=swan", small)
	other.settled()
	other.file(file)
	other.wait("s.mesh.name == 'sphere.off'")
	got := other.settled()
	if got.Densities.Undo != 2 || math.Abs(got.Transport.Result.Cost-s.Transport.Result.Cost) > 1e-6*s.Transport.Result.Cost {
		t.Errorf("elsewhere: %d strokes, cost %g; here %g", got.Densities.Undo, got.Transport.Result.Cost, s.Transport.Result.Cost)
	}
}

// On a mesh that mirrors onto itself a stroke is made on both sides.
func TestMirroredStrokes(t *testing.T) {
	t.Parallel()
	p := openAt(t, address, small)
	p.wait("s.ready")
	file := sphere(t, 10)
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	p.file(file)
	p.wait("s.mesh.name == 'sphere.off'")
	axis := p.wait("s.densities.symmetry").Densities.Symmetry
	p.press("Clear densities")
	at := p.find(0.3, 0.4)
	p.press("Mirror strokes across " + axis)
	p.wait("s.densities.mirrored")
	p.press("Paint source")
	p.set("Brush radius", "0.05")
	p.drag(at, spot{at.X + 4, at.Y + 4})
	p.wait("s.densities.sourceMass > 0 && !s.densities.stroke")
	p.frames(5)
	p.picture("mirrored")
	source, _ := p.values()
	points := make([][3]float64, len(source))
	lines := strings.Split(string(data), "\n")[2:]
	for v := range points {
		if _, err := fmt.Sscan(lines[v], &points[v][0], &points[v][1], &points[v][2]); err != nil {
			t.Fatalf("%q: %v", lines[v], err)
		}
	}
	sums := [2]float64{} // on either side of the plane
	for v, q := range points {
		if x := q[strings.Index("xyz", axis)]; x > 1e-9 {
			sums[0] += source[v]
		} else if x < -1e-9 {
			sums[1] += source[v]
		}
	}
	if !(sums[0] > 0) || math.Abs(sums[0]-sums[1]) > 1e-6*sums[0] {
		t.Errorf("mass %g on one side, %g on the other", sums[0], sums[1])
	}
}

// While it is solved, nothing moves away from under the pointer: what a solve
// says has its place from the start.
func TestNothingJumps(t *testing.T) {
	t.Parallel()
	p := open(t, "", small)
	p.settled()
	p.set("Epsilon", "-1.4") // and scrolls to it
	p.settled()
	eval[bool](p, `(() => {
		const buttons = ['tasks', 'solve', 'cancel', 'tool-source', 'tool-target', 'tool-erase', 'undo'].map((id) => document.getElementById(id));
		const tops = () => buttons.map((b) => b.getBoundingClientRect().top);
		const first = tops();
		globalThis.stages = 0;
		globalThis.jumps = [];
		new MutationObserver(() => {
			globalThis.stages += !document.getElementById('progress').classList.contains('idle');
			tops().forEach((y, i) => { if (y !== first[i]) globalThis.jumps.push(buttons[i].id + ' ' + (y - first[i])); });
		}).observe(document.getElementById('panel'), { subtree: true, childList: true, attributes: true, characterData: true });
		return true;
	})()`)
	for _, epsilon := range []string{"-1.5", "-1.2"} {
		p.set("Epsilon", epsilon)
		p.settled()
	}
	if n := eval[int](p, "globalThis.stages"); n == 0 {
		t.Fatal("no stage was shown")
	}
	if jumps := eval[[]string](p, "globalThis.jumps"); len(jumps) > 0 {
		t.Errorf("moved by pixels: %q", jumps)
	}
}
