//go:build e2e && !js

package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"genussink/viewer/scene"
)

func TestKeyboard(t *testing.T) {
	t.Parallel()
	p := open(t, "?mesh=cat", small)
	p.settled()
	var order []string
	walk := func() {
		order = nil
		for range 100 {
			at := eval[string](p, `(() => {
				const e = document.activeElement;
				if (!e || e === document.body) return '';
				const name = e.ariaLabel || (e.labels?.length ? e.labels[0].textContent : e.textContent);
				return e.tagName + ' ' + name.trim();
			})()`)
			if at == "" || len(order) > 0 && order[0] == at {
				break
			}
			order = append(order, at)
			p.do(chromedp.KeyEvent("\t"))
		}
		t.Logf("%d stops: %s", len(order), strings.Join(order, " | "))
	}
	for _, c := range []struct {
		task scene.Task
		key  string
		want []string
	}{
		{scene.TaskTransport, "1", []string{"CANVAS Mesh view", "BUTTON Open mesh", "BUTTON Gallery", "BUTTON Fit view", "BUTTON Solve", "SUMMARY View", "SUMMARY Session", "BUTTON Transport",
			"BUTTON Paint source", "BUTTON Paint target", "BUTTON Erase", "SUMMARY Brush", "SUMMARY Ask the plan", "SELECT Preset", "BUTTON Clear densities",
			"SELECT Method", "INPUT Epsilon", "SUMMARY Options", "SUMMARY All figures", "SUMMARY Timings", "INPUT Playback position"}},
		{scene.TaskSeparators, "2", []string{"BUTTON Separators", "INPUT Separator level", "SELECT Separator finder", "INPUT Balance"}},
		{scene.TaskTreewidth, "3", []string{"BUTTON Treewidth", "BUTTON Find treewidth"}},
		{scene.TaskInspect, "4", []string{"BUTTON Inspect", "BUTTON Inspect mesh", "BUTTON Measure distance", "SUMMARY Size and defects"}},
	} {
		eval[bool](p, "document.activeElement.blur(), document.querySelector('canvas').focus(), true")
		p.do(chromedp.KeyEvent(c.key))
		p.wait(fmt.Sprintf("s.task == %q", c.task))
		p.frames(2)
		walk()
		from := 0
		for _, want := range c.want {
			i := slices.Index(order[from:], want)
			if i < 0 {
				t.Errorf("%s is not reached by Tab after %s", want, order[max(0, from-1)])
				continue
			}
			from += i + 1
		}
	}
	// Arrows go along the tasks.
	eval[bool](p, "document.getElementById('task-inspect').focus(), true")
	p.do(chromedp.KeyEvent(kb.ArrowRight)) // the right arrow: to the first again
	p.wait("s.task == 'transport'")
	p.until("document.activeElement.id == 'task-transport'")
	// Keys do what the list of keys says.
	eval[bool](p, "document.querySelector('canvas').focus(), true")
	wire := p.state().View.Wireframe
	p.do(chromedp.KeyEvent("w"))
	p.wait(fmt.Sprintf("s.view.wireframe == %t", !wire))
	p.do(chromedp.KeyEvent("]"))
	p.wait("s.separation.level == 1")
	p.do(chromedp.KeyEvent("["))
	p.wait("s.separation.level == 0")
	p.do(chromedp.KeyEvent("s"))
	p.wait("s.densities.tool == 'source'")
	p.do(chromedp.KeyEvent("\x1b"))
	p.wait("s.densities.tool == 'none'")
	p.do(chromedp.KeyEvent("?"))
	p.until("document.getElementById('keys').open")
	p.picture("keys")
	// Every control has a name that a screen reader can say.
	nameless := eval[[]string](p, `[...document.querySelectorAll('button, input, select')].filter((e) =>
		!(e.ariaLabel || (e.labels?.length && e.labels[0].textContent.trim()) || (e.tagName == 'BUTTON' && e.textContent.trim()))).map((e) => e.id)`)
	if len(nameless) > 0 {
		t.Errorf("controls without a name: %v", nameless)
	}
}

// One finger turns the mesh. With a brush in hand it paints. Two fingers move the mesh and zoom.
func TestTouch(t *testing.T) {
	t.Parallel()
	p := open(t, "?mesh=cat", small)
	p.settled()
	at := p.find(0.5, 0.5)
	touch := func(kind input.DispatchTouchEventType, fingers ...spot) {
		p.touch(kind, fingers...)
		p.frames(1)
	}
	still := p.camera(1, ",none,,,,,")
	touch(input.DispatchTouchEventTypeTouchStart, at)
	touch(input.DispatchTouchEventTypeTouchMove, spot{at.X + 20, at.Y})
	touch(input.DispatchTouchEventTypeTouchMove, spot{at.X + 40, at.Y})
	touch(input.DispatchTouchEventTypeTouchEnd)
	turned := p.camera(1, still)
	if size := strings.Split(turned, ",")[3]; size != strings.Split(still, ",")[3] {
		t.Errorf("one finger changed the size: %s, then %s", still, turned)
	}
	touch(input.DispatchTouchEventTypeTouchStart, spot{at.X - 20, at.Y}, spot{at.X + 20, at.Y})
	touch(input.DispatchTouchEventTypeTouchMove, spot{at.X - 40, at.Y}, spot{at.X + 40, at.Y})
	touch(input.DispatchTouchEventTypeTouchMove, spot{at.X - 60, at.Y}, spot{at.X + 60, at.Y})
	touch(input.DispatchTouchEventTypeTouchEnd)
	zoomed := p.camera(3, turned)
	if yaw := strings.Split(zoomed, ",")[1]; yaw != strings.Split(turned, ",")[1] {
		t.Errorf("two fingers turned the mesh: %s, then %s", turned, zoomed)
	}
	p.press("Clear densities")
	p.wait("s.densities.sourceMass == 0")
	p.press("Paint source")
	at = p.find(0.5, 0.5) // the mesh has moved
	touch(input.DispatchTouchEventTypeTouchStart, at)
	touch(input.DispatchTouchEventTypeTouchMove, spot{at.X + 5, at.Y + 5})
	touch(input.DispatchTouchEventTypeTouchEnd)
	p.wait("s.densities.sourceMass > 0 && !s.densities.stroke")

	// A tap that is over before the next frame.
	p.press("Clear densities")
	p.wait("s.densities.sourceMass == 0")
	eval[bool](p, fmt.Sprintf(`['pointerdown', 'pointerup'].every((name) => document.querySelector('canvas').dispatchEvent(
		new PointerEvent(name, {isPrimary: true, pointerType: 'touch', clientX: %g, clientY: %g})))`, at.X, at.Y))
	p.wait("s.densities.sourceMass > 0 && !s.densities.stroke")
}

// The wheel zooms, a drag with the right button moves, one with the left turns.
func TestMouse(t *testing.T) {
	t.Parallel()
	p := open(t, "?mesh=cat", small)
	p.settled()
	at := p.find(0.5, 0.5)
	p.mouse(chromedp.MouseMoved, at, 0)
	for _, beside := range []string{"document.getElementById('panel')", "document.getElementById('share')"} { // at once: the mouse is seen nowhere on its way
		p.wait("s.hover")
		p.mouse(chromedp.MouseMoved, p.where(beside), 0)
		p.wait("!s.hover")
		p.mouse(chromedp.MouseMoved, at, 0)
	}
	before := p.camera(1, ",none,,,,,")
	call(p, input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: "mouseWheel", X: at.X, Y: at.Y, DeltaX: 1e-9, DeltaY: -240})
	zoomed := p.camera(3, before)
	p.drag(at, spot{at.X + 30, at.Y}, spot{at.X + 60, at.Y})
	turned := p.camera(1, zoomed)
	right := func(kind input.DispatchMouseEventType, x float64) {
		call(p, input.DispatchMouseEvent, input.DispatchMouseEventParams{
			Type: kind, X: x, Y: at.Y, Button: input.MouseButtonRight, Buttons: 2, ClickCount: 1,
		})
		p.frames(1)
	}
	right(chromedp.MousePressed, at.X)
	right(chromedp.MouseMoved, at.X+30)
	right(chromedp.MouseMoved, at.X+60)
	right(chromedp.MouseReleased, at.X+60)
	moved := p.camera(4, turned)
	if a, b := strings.Split(turned, ","), strings.Split(moved, ","); a[1] != b[1] || a[3] != b[3] {
		t.Errorf("moving turned or zoomed: %s, then %s", turned, moved)
	}
}
