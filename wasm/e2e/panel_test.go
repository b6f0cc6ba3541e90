//go:build e2e && !js

package e2e

import (
	"slices"
	"testing"

	"genussink/internal/golden"
)

// Every task's controls fit a window of 1440 x 900 with a solved mesh, folded as they come. In a lower one they scroll below the mesh's
// name, its counts, Solve and the tasks, unless something is unfolded up there.
func TestPanelFits(t *testing.T) {
	t.Parallel()
	p := audited(t, "?mesh=cat&method=auto", wide)
	p.wait("s.transport.comparison.rows.length == 2") // the estimate, and what comes behind it
	p.settled()
	const sizes = "((s) => [s.scrollHeight, s.clientHeight, s.scrollWidth, s.clientWidth])(document.getElementById('sections'))"
	const stays = "['mesh-name', 'mesh-v', 'solve', 'task-inspect'].filter((id) => { const e = document.getElementById(id), b = e.getBoundingClientRect(); return !e.contains(document.elementFromPoint(b.x + b.width / 2, b.y + b.height / 2)); })"
	fits := func(what string) {
		p.frames(5)
		p.picture("panel-" + what)
		if s := eval[[4]int](p, sizes); s[0] > s[1] || s[2] > s[3] {
			t.Errorf("%s needs %d x %d pixels of %d x %d", what, s[2], s[0], s[3], s[1])
		}
	}
	for _, task := range []string{"Painting", "Transport", "Separators", "Treewidth", "Inspect"} {
		if task == "Painting" { // with a brush in hand, other masses, and why automatic took what it took
			p.paint("Paint source", [2]float64{0.5, 0.5}, [2]float64{0.55, 0.5})
			p.paint("Paint target", [2]float64{0.5, 0.7}, [2]float64{0.5, 0.75}, [2]float64{0.5, 0.8})
			p.settled()
			p.until("document.getElementById('mass-note').textContent != ''")
			p.press("Paint source")
			fits(task)
			p.press("Paint source")
			continue
		}
		p.press(task)
		switch task {
		case "Treewidth":
			p.press("Find treewidth")
			p.wait("s.treewidth.bags > 10")
			p.press("Stop search")
			p.wait("!s.treewidth.running")
			p.press("Centroid bag")
			p.wait("s.treewidth.shown >= 0")
		case "Inspect":
			p.press("Inspect mesh")
			p.wait("s.findings.known")
			p.set("Colour by", "gaussian")
			p.wait("s.field.shown")
		}
		fits(task)
		p.resize(size{1440, 600, 0.5, false, true})
		if eval[bool](p, "((s) => (s.scrollTop = 9999, s.scrollTop == 0))(document.getElementById('sections'))") {
			t.Errorf("%s does not scroll in a low window", task)
		}
		if gone := eval[[]string](p, stays); len(gone) > 0 {
			t.Errorf("%s, scrolled down: %v are out of sight", task, gone)
		}
		p.resize(wide)
	}
	p.resize(size{1440, 600, 0.5, false, true})
	eval[bool](p, "((s) => { [...document.querySelectorAll('#head summary')].forEach((e) => e.click()); s.scrollTop = 9999; return true; })(document.getElementById('sections'))")
	if gone := eval[[]string](p, stays); len(gone) == 0 {
		t.Error("what is unfolded above the tasks covers them for good")
	}
}

// What **View** offers is seen: each of its controls draws another picture.
func TestViewControls(t *testing.T) {
	t.Parallel()
	p := audited(t, "?mesh=cat", fine)
	p.settled()
	p.press("Separators")
	p.set("Separator level", "2")
	p.wait("s.separation.level == 2 && s.mesh.shaded")
	p.frames(60)
	before := p.canvas()
	for _, c := range []struct {
		name string
		do   func()
		then string
	}{
		{"Wireframe", func() { p.press("Wireframe") }, "s.view.wireframe"},
		{"Hidden lines", func() { p.press("Hidden lines") }, "s.view.hidden"},
		{"Smooth shading", func() { p.press("Smooth shading") }, "!s.view.smooth"},
		{"Orthographic", func() { p.press("Orthographic") }, "s.view.orthographic"},
		{"Up axis", func() { p.set("Up axis", "z") }, "s.view.up == 'z'"},
	} {
		c.do()
		p.wait(c.then)
		p.frames(60)
		now := p.canvas()
		if n := golden.Unlike(before, now, step); n < 300 {
			t.Errorf("%s changes %d pixels", c.name, n)
		}
		before = now
	}
	p.picture("view-controls")
}

// Timings are copied as JSON, and begin anew where they are reset.
func TestTimings(t *testing.T) {
	t.Parallel()
	p := open(t, "?mesh=cat", small, onNewDocument("navigator.clipboard.writeText = (text) => (globalThis.copied = text, Promise.resolve())"))
	p.settled()
	p.press("Copy as JSON")
	p.until("globalThis.copied")
	if stages := eval[[]string](p, "JSON.parse(copied).timings.map((s) => s.request)"); !slices.Contains(stages, "solve") {
		t.Errorf("copied are the stages %q", stages)
	}
	p.press("Reset")
	if s := p.wait("s.timings.length == 0"); s.Transport.Result == nil {
		t.Error("the result is reset too")
	}
}
