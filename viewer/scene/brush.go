package scene

import (
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
	preview          int32 // centre wanted for the ring, -1 none
	dab              bool  // the request under way is a dab of the stroke
	sentRadius       float64
	ball             *job.Brushed // the last answer
	ballRadius       float64      // mesh units
	ring             []float32

	active   bool    // between StrokeBegin and the last dab
	reach    float64 // the stroke's radius, mesh units
	released bool
	line     []int32 // centres still to ask for
	last     int32
	before   paint.Pair    // the densities that the stroke began on
	stroke   *paint.Stroke // what it paints; nil of a tool that asks
}

// maxLine bounds the centres that wait: a stroke that outruns the engine
// loses its oldest dabs.
const maxLine = 512

// painting says whether a stroke that changes the densities is under way.
func (b *Brush) painting() bool { return b.active && b.stroke != nil }

// strokes are the steps that the painting tools make.
var strokes = map[Tool]string{ToolSource: job.StrokeSource, ToolTarget: job.StrokeTarget, ToolErase: job.StrokeErase}

// reset forgets the mesh before, and keeps the tool in hand.
func (b *Brush) reset() {
	*b = Brush{changes: b.changes, tool: b.tool, radius: b.radius, strength: b.strength, preview: -1}
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

// take takes a tool in hand.
func (b *Brush) take(t Tool) { b.tool, b.ring, b.ball = t, nil, nil }

// meshRadius is the brush's radius in mesh units.
func (b *Brush) meshRadius(m *Mesh) float64 { return b.radius * 2 * m.HalfDiag }

// begin puts the brush down on a vertex. The stroke keeps the radius and
// the strength that it begins with.
func (b *Brush) begin(vertex int32, m *Mesh, values paint.Pair) {
	b.active, b.released, b.before = true, false, values
	b.reach, b.stroke = b.meshRadius(m), nil
	if kind := strokes[b.tool]; kind != "" {
		b.stroke = paint.Begin(values, kind, b.reach, b.strength)
	}
	b.line, b.last = append(b.line[:0], vertex), vertex
}

// move drags the brush to a vertex.
func (b *Brush) move(vertex int32) {
	if vertex < 0 || !b.active || b.released || vertex == b.last {
		return
	}
	b.last = vertex
	b.line = append(b.line, vertex)
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
		center = b.line[0]
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
	return &job.Brush{Center: center, Radius: radius}, nil
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
