//go:build e2e

package e2e

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"genussink/viewer/scene"
)

// What the asking brush selects, and where the plan takes its mass: on the mesh, and in words.
func TestQuery(t *testing.T) {
	t.Parallel()
	p := open(t, "?mesh=cat", small)
	p.settled()
	p.set("Preset", "uniform", "change")
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
	p.set("Brush covers", "component", "change")
	p.do(chromedp.MouseClickXY(at.X, at.Y))
	s := p.wait("s.densities.sourceVertices == s.mesh.vertices")
	source, _ := p.values()
	if slices.Min(source) != slices.Max(source) || s.Densities.Undo < 2 {
		t.Errorf("filled with %g to %g, %d steps to undo", slices.Min(source), slices.Max(source), s.Densities.Undo)
	}
	p.press("Paint target")
	p.wait("s.separation.nodes > 0")
	p.set("Brush covers", "cell", "change")
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

	p.set("Brush covers", "disc", "change")
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
