package scene

import (
	"math"

	"genussink/core/job"
)

// side names one of the two densities.
type side int

const (
	sourceSide side = iota
	targetSide
)

// pair is both densities at one moment; its slices never change once made.
type pair struct {
	values [2][]float64
	preset string
}

// densities are the two densities and the way back. A stroke works on a copy
// of its own, so that every slice in undo and redo, or handed to the engine,
// stays as it was.
type densities struct {
	now        [2][]float64
	preset     string
	undo, redo []pair
}

const (
	maxUndo      = 100
	maxUndoBytes = 64 << 20
)

func (d *densities) mass(which side) float64 {
	sum := 0.0
	for _, x := range d.now[which] {
		sum += x
	}
	return sum
}

// peak returns the largest value and how many vertices have mass.
func (d *densities) peak(which side) (top float64, count int) {
	for _, x := range d.now[which] {
		top = max(top, x)
		if x > 0 {
			count++
		}
	}
	return top, count
}

func (d *densities) reset(n int) {
	*d = densities{now: [2][]float64{make([]float64, n), make([]float64, n)}}
}

// become replaces the densities and remembers the old ones.
func (d *densities) become(p pair) {
	d.undo = append(d.undo, pair{d.now, d.preset})
	depth := maxUndo
	if n := len(d.now[sourceSide]); n > 0 {
		depth = min(depth, max(1, maxUndoBytes/(16*n)))
	}
	if over := len(d.undo) - depth; over > 0 {
		d.undo = append([]pair(nil), d.undo[over:]...)
	}
	d.redo = nil
	d.now, d.preset = p.values, p.preset
}

// step takes the last of from and puts the present on to.
func (d *densities) step(from, to *[]pair) bool {
	if len(*from) == 0 {
		return false
	}
	last := (*from)[len(*from)-1]
	*from = (*from)[:len(*from)-1]
	*to = append(*to, pair{d.now, d.preset})
	d.now, d.preset = last.values, last.preset
	return true
}

// Undo takes back the last change of the densities.
func (s *Scene) Undo() {
	s.endStroke()
	if s.dens.step(&s.dens.undo, &s.dens.redo) {
		s.repainted()
	}
}

// Redo does again what Undo took back.
func (s *Scene) Redo() {
	s.endStroke()
	if s.dens.step(&s.dens.redo, &s.dens.undo) {
		s.repainted()
	}
}

// Clear empties both densities.
func (s *Scene) Clear() {
	s.endStroke()
	if s.mesh == nil {
		return
	}
	n := s.mesh.Vertices()
	s.dens.become(pair{values: [2][]float64{make([]float64, n), make([]float64, n)}})
	s.repainted()
}

// Swap exchanges source and target.
func (s *Scene) Swap() {
	s.endStroke()
	if s.mesh == nil {
		return
	}
	d := &s.dens
	d.become(pair{values: [2][]float64{d.now[targetSide], d.now[sourceSide]}})
	s.repainted()
}

// Preset asks the engine for a pair of densities: "paper", "two-spots",
// "uniform" or "area".
func (s *Scene) Preset(name string) {
	if s.mesh == nil || s.opening != 0 {
		return
	}
	s.failure = ""
	s.endStroke()
	s.drop(s.flight.measure)
	s.flight.measure = s.send(&job.Measure{Preset: name})
}

// Densities are the source and the target, one value per vertex, not
// normalised. They must not be changed.
func (s *Scene) Densities() (source, target []float64) {
	return s.dens.now[sourceSide], s.dens.now[targetSide]
}

// repainted follows every finished change of the densities.
func (s *Scene) repainted() {
	s.recolor(true)
	s.soon()
}

// brush is the tool in hand and its stroke. The ball under it comes from the
// engine, so one request is in flight at most; a stroke's further centres
// wait in line, a mere preview keeps only the latest.
type brush struct {
	tool             Tool
	radius, strength float64
	preview          int32 // centre wanted for the ring, -1 none
	inFlight         uint32
	dab              bool // the request in flight is a dab of the stroke
	sentRadius       float64
	ball             *job.Brushed // the last answer
	ballRadius       float64      // mesh units
	ring             []float32

	active   bool // between StrokeBegin and the last dab
	released bool
	line     []int32 // centres still to ask for
	last     int32
	cover    []float64 // how thickly the stroke covers each vertex, 0 to 1
	base     [2][]float64
	unit     [2]float64
	touched  bool
}

// maxLine bounds the centres that wait: a stroke that outruns the engine
// loses its oldest dabs.
const maxLine = 512

func (b *brush) paints() bool {
	return b.tool == ToolSource || b.tool == ToolTarget || b.tool == ToolErase
}

// BrushTool takes a tool in hand.
func (s *Scene) BrushTool(t Tool) {
	switch t {
	case ToolNone, ToolSource, ToolTarget, ToolErase, ToolMeasure:
	default:
		return
	}
	if t == s.brush.tool {
		return
	}
	s.endStroke()
	s.brush.tool = t
	s.brush.ring = nil
	s.brush.ball = nil
	s.overRev++
	s.changed()
	s.pumpBrush()
}

// BrushRadius sets the brush's radius, a fraction of the diagonal.
func (s *Scene) BrushRadius(fraction float64) {
	if !math.IsNaN(fraction) {
		s.brush.radius = min(max(fraction, MinRadius), MaxRadius)
		s.changed()
		s.pumpBrush()
	}
}

// BrushSize is the brush's radius in view units.
func (s *Scene) BrushSize() float64 { return 2 * s.brush.radius }

// BrushStrength sets how much a stroke adds, 0 to 1 of the density's peak.
func (s *Scene) BrushStrength(strength float64) {
	if !math.IsNaN(strength) {
		s.brush.strength = min(max(strength, 0), 1)
		s.changed()
	}
}

// StrokeBegin puts the brush down on a vertex.
func (s *Scene) StrokeBegin(vertex int32) {
	vertex = s.vertex(vertex)
	if vertex < 0 || !s.brush.paints() || s.opening != 0 {
		return
	}
	s.endStroke()
	b := &s.brush
	b.active, b.released, b.touched = true, false, false
	b.cover = make([]float64, s.mesh.Vertices())
	for k := range b.base {
		b.base[k] = s.dens.now[k]
		b.unit[k], _ = s.dens.peak(side(k))
	}
	b.line = append(b.line[:0], vertex)
	b.last = vertex
	s.changed()
	s.pumpBrush()
}

// StrokeMove drags the brush to a vertex; -1 (beside the mesh) is skipped.
func (s *Scene) StrokeMove(vertex int32) {
	vertex = s.vertex(vertex)
	b := &s.brush
	if vertex < 0 || !b.active || b.released || vertex == b.last {
		return
	}
	b.last = vertex
	b.line = append(b.line, vertex)
	if len(b.line) > maxLine {
		b.line = append(b.line[:0], b.line[len(b.line)-maxLine:]...)
	}
	s.pumpBrush()
}

// StrokeEnd lifts the brush. The stroke is one step of undo.
func (s *Scene) StrokeEnd() {
	if !s.brush.active {
		return
	}
	s.brush.released = true
	s.finishStroke()
}

// finishStroke closes a released stroke once its last dab is painted.
func (s *Scene) finishStroke() {
	b := &s.brush
	if b.active && b.released && len(b.line) == 0 && !b.dab {
		s.endStroke()
	}
}

// endStroke closes the stroke now; dabs that are not back yet are lost.
func (s *Scene) endStroke() {
	b := &s.brush
	if !b.active {
		return
	}
	painted := s.dens.now
	b.active, b.line, b.dab = false, b.line[:0], false
	if b.touched {
		s.dens.now = b.base
		s.dens.become(pair{values: painted})
		s.repainted()
	}
	b.base, b.cover = [2][]float64{}, nil
	s.changed()
}

// pumpBrush sends the next brush request if none is in flight.
func (s *Scene) pumpBrush() {
	b := &s.brush
	for s.mesh != nil && s.opening == 0 && b.inFlight == 0 {
		radius := b.radius * 2 * s.mesh.HalfDiag
		var center int32
		dab := len(b.line) > 0
		if dab {
			center = b.line[0]
			b.line = b.line[1:]
		} else if b.paints() && b.preview >= 0 {
			center = b.preview
		} else {
			return
		}
		if b.ball != nil && b.ball.Center == center && b.ballRadius == radius {
			if !dab {
				return
			}
			s.dab(b.ball)
			s.finishStroke()
			continue
		}
		b.dab, b.sentRadius = dab, radius
		// Not through send: a preview is no news for the panel.
		rev := s.revision
		b.inFlight = s.send(&job.Brush{Center: center, Radius: radius})
		s.revision = rev
		return
	}
}

// brushed takes the engine's ball.
func (s *Scene) brushed(e *job.Brushed) {
	b := &s.brush
	dab := b.dab
	b.inFlight, b.dab = 0, false
	if len(e.Distances) != len(e.Vertices) {
		return
	}
	for _, v := range e.Vertices {
		if s.vertex(v) < 0 {
			return
		}
	}
	b.ball, b.ballRadius = e, b.sentRadius
	b.ring = s.mesh.isoline(b.ring[:0], e, b.ballRadius)
	s.overRev++
	if dab && b.active {
		s.dab(e)
	}
	s.finishStroke()
	s.pumpBrush()
}

// dab lays one ball of the stroke on. A stroke covers a vertex as thickly as
// its nearest centre does, however many dabs the pointer's speed made of it.
func (s *Scene) dab(e *job.Brushed) {
	b := &s.brush
	if !b.touched {
		b.touched = true
		for k := range s.dens.now {
			s.dens.now[k] = append([]float64(nil), b.base[k]...)
		}
	}
	sum := 0.0
	for i := range e.Vertices {
		sum += falloff(e.Distances[i], b.ballRadius)
	}
	for k := range b.unit {
		if b.unit[k] <= 0 && sum > 0 {
			b.unit[k] = 1 / sum // the first dab on nothing has mass 1 at full strength
		}
	}
	for i, v := range e.Vertices {
		w := b.strength * falloff(e.Distances[i], b.ballRadius)
		if !(w > b.cover[v]) {
			continue
		}
		b.cover[v] = w
		switch b.tool {
		case ToolSource:
			s.dens.now[sourceSide][v] = b.base[sourceSide][v] + w*b.unit[sourceSide]
		case ToolTarget:
			s.dens.now[targetSide][v] = b.base[targetSide][v] + w*b.unit[targetSide]
		case ToolErase:
			for k := range s.dens.now {
				x := b.base[k][v] * (1 - w)
				if x < b.unit[k]*1e-3 { // an eraser leaves nothing that cannot be seen
					x = 0
				}
				s.dens.now[k][v] = x
			}
		}
	}
	s.recolor(false)
	s.changed()
}

// falloff is the brush's profile: 1 at the centre, 0 at the radius, smooth.
func falloff(d, radius float64) float64 {
	if !(radius > 0) || d <= 0 {
		return 1
	}
	t := d / radius
	if t >= 1 {
		return 0
	}
	return (1 - t*t) * (1 - t*t)
}

// Ring is the brush's outline, 6 numbers per segment in view units: where
// distance along the edges reaches the radius.
func (s *Scene) Ring() []float32 {
	if !s.brush.paints() || (s.brush.preview < 0 && !s.brush.active) {
		return nil
	}
	return s.brush.ring
}
