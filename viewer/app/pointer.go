package app

import (
	"math"
	"runtime"

	"github.com/hajimehoshi/ebiten/v2"
)

// act is what a press of the pointer has begun.
type act int

const (
	idle act = iota
	orbit
	pan
	paint
	pinch // two fingers: pan, or turn, and zoom
)

// DragPixels is how far a press moves, in pixels of the page, to be more than a click.
const DragPixels = 4

const (
	wheelFactor = 1.15 // a notch of the wheel zooms by this
	maxNotches  = 4    // in one frame
)

// pointer turns mouse and touch into the scene's intents.
type pointer struct {
	act          act
	x, y         float64 // last place, pixels of the frame
	fromX, fromY float64 // where the press began
	moved        bool
	hoverX       float64
	hoverY       float64
	touches      []ebiten.TouchID
	touching     bool
	spread       float64 // between two fingers
	pressed      bool
	turns        bool // two fingers turn; one has nothing to do with the mesh
	looks        int  // how often update has looked
	away         bool // the mouse is elsewhere on the page
}

func newPointer() pointer { return pointer{hoverX: math.NaN()} }

func (p *pointer) update(g *Game) {
	p.looks++
	p.touches = ebiten.AppendTouchIDs(p.touches[:0])
	if len(p.touches) > 0 || p.touching {
		p.touch(g)
		return
	}
	x, y := ebiten.CursorPositionF()
	left := ebiten.IsMouseButtonPressed(ebiten.MouseButtonLeft)
	other := ebiten.IsMouseButtonPressed(ebiten.MouseButtonRight) || ebiten.IsMouseButtonPressed(ebiten.MouseButtonMiddle)
	down := left || other
	switch {
	case down && !p.pressed:
		shift := ebiten.IsKeyPressed(ebiten.KeyShift)
		p.begin(g, x, y, other || shift)
	case down:
		p.move(g, x, y)
	case p.pressed:
		p.move(g, x, y)
		if p.end(g); p.away {
			g.scene.Hover(-1)
		}
	default:
		p.hover(g, x, y)
	}
	p.pressed = down
	p.wheel(g, x, y)
}

// begin decides what a press does: the other button pans, a brush paints where
// it meets the mesh, and everything else orbits.
func (p *pointer) begin(g *Game, x, y float64, other bool) {
	p.x, p.y, p.fromX, p.fromY, p.moved = x, y, x, y, false
	p.act = orbit
	if other {
		p.act = pan
		return
	}
	if g.scene.Brush.Tool().Brush() {
		if v := g.at(x, y); v >= 0 {
			p.act = paint
			g.scene.Hover(v)
			g.scene.StrokeBegin(v)
		}
	}
}

// Looks counts how often the pointer has been looked at: once a frame.
func (g *Game) Looks() int { return g.pointer.looks }

// Away says that the mouse has left the frame, or is back. Its position does not always tell. A fast mouse is gone between two looks, and a button
// may lie on the frame.
func (g *Game) Away(away bool) {
	p := &g.pointer
	p.away, p.hoverX = away, math.NaN()
	if away && !p.pressed {
		g.scene.Hover(-1)
	}
}

// Tap is a finger that was lifted before anybody looked, at a place in pixels of the page: frames may be slow.
func (g *Game) Tap(x, y float64) {
	p := &g.pointer
	if p.act != idle || p.turns {
		return
	}
	p.begin(g, x*g.pixel, y*g.pixel, false)
	p.end(g)
}

func (p *pointer) move(g *Game, x, y float64) {
	dx, dy := x-p.x, y-p.y
	if dx == 0 && dy == 0 {
		return
	}
	if math.Hypot(x-p.fromX, y-p.fromY) > DragPixels*g.pixel {
		p.moved = true
	}
	c := g.scene.View.Camera()
	w, h := float64(g.width), float64(g.height)
	switch p.act {
	case orbit:
		if !p.moved {
			return // a click must not turn the mesh
		}
		c.Orbit(dx, dy, h)
	case pan:
		c.Pan(dx, dy, w, h)
	case paint:
		p.stroke(g, x, y)
	}
	p.x, p.y = x, y
}

// stroke follows the pointer in steps that leave no gaps between dabs.
func (p *pointer) stroke(g *Game, x, y float64) {
	state := g.scene.Brush.Size()
	pixels := state * math.Min(float64(g.width), float64(g.height)) / 2 / g.scene.View.Camera().Pose().Size
	steps := math.Ceil(math.Hypot(x-p.x, y-p.y) / max(0.3*pixels, 2))
	steps = min(steps, 64)
	for i := 1.0; i <= steps; i++ {
		t := i / steps
		g.scene.StrokeMove(g.at(p.x+(x-p.x)*t, p.y+(y-p.y)*t))
	}
	g.scene.Hover(g.at(x, y))
}

func (p *pointer) end(g *Game) {
	switch {
	case p.act == paint:
		g.scene.StrokeEnd()
	case p.act == orbit && !p.moved:
		g.scene.Click(g.under(p.fromX, p.fromY))
	}
	p.act = idle
}

// hover looks under the pointer at most once a frame, and only when it moved.
func (p *pointer) hover(g *Game, x, y float64) {
	if p.away || x == p.hoverX && y == p.hoverY {
		return
	}
	outside := x < 0 || y < 0 || x >= float64(g.width) || y >= float64(g.height)
	if !outside && !g.foreseen {
		return // until it is, in a few frames
	}
	p.hoverX, p.hoverY = x, y
	if outside {
		g.scene.Hover(-1)
		return
	}
	g.scene.Hover(g.at(x, y))
}

func (p *pointer) wheel(g *Game, x, y float64) {
	_, notches := ebiten.Wheel()
	if notches == 0 {
		return
	}
	if runtime.GOOS == "js" {
		notches /= 100 // a browser tells pixels
	}
	notches = min(max(notches, -maxNotches), maxNotches)
	g.scene.View.Camera().Zoom(math.Pow(wheelFactor, -notches), x, y, float64(g.width), float64(g.height))
}

// touch: one finger orbits or paints, two pan, or turn, and zoom.
func (p *pointer) touch(g *Game) {
	switch len(p.touches) {
	case 0:
		if p.act != pinch {
			p.end(g)
		}
		p.act, p.touching = idle, false
		g.scene.Hover(-1)
		p.hoverX, p.hoverY = ebiten.CursorPositionF() // a mouse that rests elsewhere does not hover
	case 1:
		x, y := ebiten.TouchPositionF(p.touches[0])
		switch {
		case !p.touching:
			p.touching = true
			p.begin(g, x, y, false)
		case p.act == pinch:
			// One finger was lifted first: the other does nothing.
		default:
			p.move(g, x, y)
		}
	default:
		ax, ay := ebiten.TouchPositionF(p.touches[0])
		bx, by := ebiten.TouchPositionF(p.touches[1])
		x, y, spread := (ax+bx)/2, (ay+by)/2, math.Hypot(ax-bx, ay-by)
		if p.act != pinch {
			if p.act == paint {
				g.scene.StrokeEnd()
			}
			p.act, p.touching = pinch, true
		} else {
			w, h := float64(g.width), float64(g.height)
			if p.turns {
				g.scene.View.Camera().Orbit(x-p.x, y-p.y, h)
			} else {
				g.scene.View.Camera().Pan(x-p.x, y-p.y, w, h)
			}
			if spread > 0 && p.spread > 0 {
				g.scene.View.Camera().Zoom(p.spread/spread, x, y, w, h)
			}
		}
		p.x, p.y, p.spread = x, y, spread
	}
}
