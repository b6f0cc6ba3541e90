//go:build e2e && !js

package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// bagsBox is the middle of the tree of bags, brought into view.
func (p *tab) bagsBox() spot {
	p.t.Helper()
	p.until("document.querySelector('#bags svg path')")
	return eval[spot](p, `(async () => {
		const b = document.getElementById('bags');
		b.scrollIntoView({ block: 'center' });
		for (let i = 0; i < 4; i++) await new Promise(requestAnimationFrame);
		const r = b.getBoundingClientRect();
		return { X: r.x + r.width / 2, Y: r.y + r.height / 2 };
	})()`)
}

// wheel turns a mouse's wheel.
func (p *tab) wheel(at spot, by float64) {
	p.t.Helper()
	call(p, input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseWheel, X: at.X, Y: at.Y, DeltaX: 1, DeltaY: by}) // the protocol wants both
}

// key presses a key and lets go of it.
func (p *tab) key(name string) {
	p.t.Helper()
	p.do(chromedp.KeyEvent(name))
}

const zoomed = "document.getElementById('bags').classList.contains('zoomed')"

// The tree of bags of a small graph: linked with the vertices both ways, searched, walked by keys, saved, and made step by step.
func TestBagTree(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := open(t, "?mesh=cat", middle)
	allowDownloads(p, dir)
	p.settled()
	path, _ := gridFile(t, 5, 5)
	p.file(path)
	p.wait("s.ready && s.mesh.graph && s.mesh.vertices == 25")
	p.settled()
	p.press("Find treewidth")
	s := p.wait("!s.treewidth.running && s.treewidth.known")
	bags := s.Treewidth.Bags

	// Pointing at the root marks it, and a click chooses it.
	p.bagsBox()
	eval[bool](p, "document.getElementById('bags').focus(), true")
	p.key(home)
	s = p.wait("s.treewidth.shown == s.treewidth.centroid")
	p.until("document.getElementById('bag-note').textContent.startsWith('Bag " + fmt.Sprint(s.Treewidth.Centroid+1) + ":')")
	p.key("\u0301")
	p.wait("s.treewidth.shown >= 0 && s.treewidth.shown != s.treewidth.centroid")
	p.key("\u0304")
	p.wait("s.treewidth.shown == s.treewidth.centroid")
	p.frames(10)
	p.picture("bags-small")

	// A search by vertex lights its bags, Enter shows them in turn.
	eval[bool](p, "document.getElementById('bags-find').focus(), true")
	p.key("13")
	p.until("/^[1-9].* found/.test(document.getElementById('bags-note').textContent)")
	p.key("\r")
	s = p.wait("s.treewidth.shown != s.treewidth.centroid || s.treewidth.bag.includes(12)")
	if !slices.Contains(s.Treewidth.Bag, 12) { // the file numbers from 1
		t.Errorf("vertex 13 is not in the bag found: %v", s.Treewidth.Bag)
	}
	p.set("Find bags", "bag 99")
	p.until("document.getElementById('bags-note').textContent.includes('no bag 99')")
	p.set("Find bags", "")

	// From the mesh: the vertex pointed at lights bags.
	p.press("Hide bag")
	p.wait("s.treewidth.shown == -1")
	p.frames(4)
	before := eval[string](p, "document.querySelector('#bags svg').outerHTML")
	p.find(0.4, 0.4)
	p.frames(4)
	if after := eval[string](p, "document.querySelector('#bags svg').outerHTML"); after == before {
		t.Error("pointing at a vertex lights no bag")
	}

	// From the tree: the bag pointed at is marked on the mesh, and a click shows it.
	box := p.bagsBox()
	for y := box.Y - 112; y < box.Y+112 && p.state().Treewidth.Pointed < 0; y += 8 {
		p.mouse(chromedp.MouseMoved, spot{box.X, y}, 0)
		p.frames(2)
		if p.state().Treewidth.Pointed >= 0 {
			at := p.state().Treewidth.Pointed
			p.mouse(chromedp.MousePressed, spot{box.X, y}, 1)
			p.mouse(chromedp.MouseReleased, spot{box.X, y}, 0)
			p.wait(fmt.Sprintf("s.treewidth.shown == %d", at))
		}
	}
	if p.state().Treewidth.Shown < 0 {
		t.Error("no bag is found by the pointer")
	}

	// The elimination makes the bags.
	p.press("Step on")
	s = p.wait("s.treewidth.elimination.step == 1")
	if b := s.Treewidth.Elimination.Bag; b < 0 || b >= bags {
		t.Errorf("the first step makes bag %d of %d", b, bags)
	}
	p.set("Elimination step", "12")
	p.wait("s.treewidth.elimination.step == 12")
	p.bagsBox()
	p.picture("bags-elimination")
	p.press("Hide elimination")

	p.press("Save")
	p.press("Tree of bags (SVG)")
	if svg := string(downloaded(t, dir, "grid-5x5-tree-of-bags.svg")); !strings.Contains(svg, "<path") || strings.Contains(svg, "NaN") {
		t.Errorf("saved %.300s", svg)
	}
}

// A mesh with thousands of bags: wheel, buttons, keys, pinch and drag move the window.
func TestBagTreeOfMesh(t *testing.T) {
	t.Parallel()
	p := audited(t, "?mesh=octopus", middle)
	p.press("Treewidth")
	p.press("Find treewidth")
	p.wait("s.treewidth.running && s.treewidth.bags > 1000")
	p.press("Stop search")
	s := p.wait("!s.treewidth.running && s.workers.unfinished == 0")
	t.Logf("%d bags of %d vertices", s.Treewidth.Bags, s.Mesh.Vertices)
	p.press("Centroid bag")
	p.wait("s.treewidth.shown >= 0")
	box := p.bagsBox()
	p.frames(10)
	p.picture("bags-mesh")
	p.wheel(box, -400)
	p.until(zoomed)
	shown := func() string { return eval[string](p, "document.querySelector('#bags svg').outerHTML") }
	before := shown()
	p.drag(box, spot{box.X + 30, box.Y}, spot{box.X + 60, box.Y + 20})
	p.frames(4)
	if shown() == before {
		t.Error("a drag does not pan")
	}
	p.press("Whole tree")
	p.until("!" + zoomed)
	for range 30 {
		if eval[bool](p, "!!document.querySelector('#bags svg text')") {
			break
		}
		p.press("Zoom in on the tree")
		p.frames(2)
	}
	p.until("document.querySelector('#bags svg text')")
	p.picture("bags-mesh-near")
	p.axe("Tree of bags")
	p.picture("bags-mesh-near-dark")
	eval[bool](p, "document.getElementById('bags').focus(), true")
	p.key("0")
	p.until("!" + zoomed)
	p.key("+")
	p.until(zoomed)
	p.key("-")
	p.until("!" + zoomed)

	p.resize(phone)
	p.frames(10)
	if eval[bool](p, "!document.getElementById('bags').checkVisibility()") {
		p.press("Panel")
	}
	box = p.bagsBox()
	p.touch(input.DispatchTouchEventTypeTouchStart, spot{box.X - 20, box.Y}, spot{box.X + 20, box.Y})
	for x := 30.0; x <= 100; x += 10 {
		p.touch(input.DispatchTouchEventTypeTouchMove, spot{box.X - x, box.Y}, spot{box.X + x, box.Y})
	}
	p.touch(input.DispatchTouchEventTypeTouchEnd)
	p.until(zoomed)
	p.frames(4)
	p.picture("bags-phone")
}
