package scene

import (
	"math"

	"genussink/core/job"
	"genussink/core/paint"
)

// Brush is the tool in hand and its stroke. The ball under it comes from the
// engine, so one request is under way at most; a stroke's further centres
// wait in line, a mere preview keeps only the latest.
type Brush struct {
	changes          *changes
	tool             Tool
	radius, strength float64
	shape            Shape
	mirrored         bool  // strokes are mirrored too, where the mesh can be
	pressure         byte  // of the pen now, to job.FullPressure
	at               place // of the stroke's dab that is asked for
	preview          int32 // centre wanted for the ring, -1 none
	dab              bool  // the request under way is a dab of the stroke
	sentRadius       float64
	ball             *job.Brushed // the last answer
	ballRadius       float64      // mesh units
	ring             []float32

	active   bool    // between StrokeBegin and the last dab
	reach    float64 // the stroke's radius, mesh units
	released bool
	line     []place // still to ask for
	last     place
	before   paint.Pair    // the densities that the stroke began on
	stroke   *paint.Stroke // what it paints; nil of a tool that asks
}

// place is where the brush was, and how hard it was pressed there.
type place struct {
	vertex   int32
	pressure byte // to job.FullPressure
}

// maxLine bounds the centres that wait: a stroke that outruns the engine
// loses its oldest dabs.
const maxLine = 512

// painting says whether a stroke that changes the densities is under way.
func (b *Brush) painting() bool { return b.active && b.stroke != nil }

// strokes are the steps that the painting tools make.
var strokes = map[Tool]string{ToolSource: job.StrokeSource, ToolTarget: job.StrokeTarget, ToolErase: job.StrokeErase, ToolSmooth: job.StrokeSmooth}

// reset forgets the mesh before, and puts down the tool in hand: a drag that is to turn the next mesh must not paint on it.
func (b *Brush) reset() {
	*b = Brush{changes: b.changes, tool: ToolNone, shape: b.shape, mirrored: b.mirrored, pressure: b.pressure, radius: b.radius, strength: b.strength, preview: -1}
}

// Tool is the tool in hand.
func (b *Brush) Tool() Tool { return b.tool }

// Size is the brush's radius in view units.
func (b *Brush) Size() float64 { return 2 * b.radius }

// Strength sets how much a stroke adds, 0 to 1 of the density's peak.
func (b *Brush) Strength(strength float64) {
	if set(&b.strength, strength, 0, 1) {
		b.changes.changed()
	}
}

// Press says how hard a pen is pressed, 0 to 1, which is how much of its strength the brush has from now on. A mouse presses fully.
func (b *Brush) Press(pressure float64) {
	if pressure >= 0 && pressure <= 1 {
		b.pressure = byte(math.Round(job.FullPressure * pressure))
	}
}

// take takes a tool in hand.
func (b *Brush) take(t Tool) { b.tool, b.ring, b.ball = t, nil, nil }

// meshRadius is the brush's radius in mesh units.
func (b *Brush) meshRadius(m *Mesh) float64 { return b.radius * 2 * m.HalfDiag }

// begin puts the brush down on a vertex and its twin, -1 for none. The stroke keeps the radius and
// the strength that it begins with.
func (b *Brush) begin(vertex, twin int32, m *Mesh, d *Densities) {
	b.active, b.released, b.before = true, false, d.values
	b.reach, b.stroke = b.meshRadius(m), nil
	if kind := strokes[b.tool]; kind != "" {
		b.stroke = paint.Begin(d.values, &job.Step{Kind: kind, Radius: b.reach, Strength: b.strength, Anew: d.replaced(kind)})
	}
	b.last = place{vertex, b.pressure}
	b.line = b.line[:0]
	b.draw(twin)
}

// draw puts the last place in line, and its twin.
func (b *Brush) draw(twin int32) {
	b.line = append(b.line, b.last)
	if twin >= 0 && twin != b.last.vertex {
		b.line = append(b.line, place{twin, b.last.pressure})
	}
}

// move drags the brush to a vertex and its twin.
func (b *Brush) move(vertex, twin int32) {
	if vertex < 0 || !b.active || b.released || vertex == b.last.vertex && b.pressure <= b.last.pressure {
		return
	}
	b.last = place{vertex, b.pressure}
	b.draw(twin)
	if len(b.line) > maxLine {
		b.line = append(b.line[:0], b.line[len(b.line)-maxLine:]...)
	}
}

// done says whether a released stroke has its last dab.
func (b *Brush) done() bool { return b.active && b.released && len(b.line) == 0 && !b.dab }

// end ends the stroke, of which dabs that are not back yet are lost. Where it has painted, it
// returns the densities that it began on and the stroke.
func (b *Brush) end() (before paint.Pair, stroke *paint.Stroke) {
	before, stroke = b.before, b.stroke
	b.active, b.line, b.dab = false, b.line[:0], false
	b.before, b.stroke = paint.Pair{}, nil
	if stroke == nil || len(stroke.Step.Centres) == 0 {
		return paint.Pair{}, nil
	}
	return before, stroke
}

// next is what the brush needs next: a ball to ask for, or a dab of the ball at hand; both nil: nothing.
func (b *Brush) next(m *Mesh) (ask *job.Brush, dab *job.Brushed) {
	radius := b.meshRadius(m)
	var center int32
	dabs := len(b.line) > 0
	switch {
	case dabs:
		radius = b.reach
		center, b.at = b.line[0].vertex, b.line[0]
		b.line = b.line[1:]
	case b.tool.Brush() && b.preview >= 0:
		center = b.preview
	default:
		return nil, nil
	}
	if b.ball != nil && b.ball.Center == center && b.ballRadius == radius {
		if dabs {
			return nil, b.ball
		}
		return nil, nil
	}
	b.dab, b.sentRadius = dabs, radius
	return &job.Brush{Center: center, Radius: radius, Edges: b.tool == ToolSmooth}, nil
}

// received takes the engine's ball, of which every vertex is the mesh's, and says whether it is a dab of the stroke.
func (b *Brush) received(e *job.Brushed, m *Mesh) (dab bool) {
	dab, b.dab = b.dab && b.active, false
	b.ball, b.ballRadius = e, b.sentRadius
	b.ring = m.isoline(b.ring[:0], e, b.ballRadius)
	return dab
}

// Ring is the brush's outline, 6 numbers per segment in view units: where
// distance along the edges reaches the radius. Nil without one.
func (b *Brush) Ring() []float32 {
	if !b.tool.Brush() || (b.preview < 0 && !b.active) {
		return nil
	}
	return b.ring
}
