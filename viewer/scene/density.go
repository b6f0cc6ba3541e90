package scene

import (
	"math"
	"slices"

	"genussink/core/job"
	"genussink/core/paint"
	"genussink/core/session"
)

// side names one of the two densities.
type side int

const (
	sourceSide side = paint.Source
	targetSide side = paint.Target
)

// pair is both densities at one moment; its slices never change once made.
type pair struct {
	values paint.Pair
	preset string
	note   string     // how mass was dealt to several components, in words
	recipe []job.Step // what makes them from nothing
}

// densities are the two densities and the way back. A stroke works on a copy
// of its own, so that every slice in undo and redo, or handed to the engine,
// stays as it was. Each state is the one before it with the last step of its
// recipe.
type densities struct {
	pair
	undo, redo []pair
	kept       *session.Painting // of these, once asked for
	totals     [2]total
}

const (
	maxUndo      = 100
	maxUndoBytes = 64 << 20
	maxDabs      = 4096 // of a recipe; beyond it, making it anew takes longer than reading the densities
)

// total is what is asked of a density again and again.
type total struct {
	of        *float64 // its first value: the density that this is of
	mass, top float64
	count     int // vertices with mass
}

// total adds a density up, once.
func (d *densities) total(which side) *total {
	t, values := &d.totals[which], d.values[which]
	if len(values) == 0 {
		*t = total{}
	} else if t.of != &values[0] {
		*t = total{of: &values[0]}
		for _, x := range values {
			t.mass += x
			t.top = max(t.top, x)
			if x > 0 {
				t.count++
			}
		}
	}
	return t
}

func (d *densities) mass(which side) float64 { return d.total(which).mass }

// peak returns the largest value and how many vertices have mass.
func (d *densities) peak(which side) (top float64, count int) {
	t := d.total(which)
	return t.top, t.count
}

func (d *densities) reset(n int) {
	*d = densities{pair: empty(n)}
}

func empty(n int) pair {
	return pair{values: paint.Pair{make([]float64, n), make([]float64, n)}}
}

// depth is how many steps back are kept.
func (d *densities) depth() int {
	if n := len(d.values[sourceSide]); n > 0 {
		return min(maxUndo, max(1, maxUndoBytes/(16*n)))
	}
	return maxUndo
}

// become replaces the densities by what a step made of them, and remembers the
// old ones.
func (d *densities) become(p pair, step job.Step) {
	d.undo = append(d.undo, d.pair)
	if over := len(d.undo) - d.depth(); over > 0 {
		d.undo = append([]pair(nil), d.undo[over:]...)
	}
	d.redo, d.kept = nil, nil
	p.recipe = extend(d.recipe, step, p.values)
	d.pair = p
}

// extend is a recipe with one step more, which leads to values. It leaves out
// what no longer matters, and is those values where it would grow too long.
func extend(recipe []job.Step, step job.Step, values paint.Pair) []job.Step {
	if step.Begins() {
		return []job.Step{step}
	}
	dabs := len(step.Centres)
	for _, s := range recipe {
		dabs += max(len(s.Centres), 1)
	}
	if dabs > maxDabs {
		return []job.Step{{Kind: job.StepValues, Source: values[sourceSide], Target: values[targetSide]}}
	}
	return append(slices.Clip(recipe), step)
}

// step takes the last of from and puts the present on to.
func (d *densities) step(from, to *[]pair) bool {
	if len(*from) == 0 {
		return false
	}
	last := (*from)[len(*from)-1]
	*from = (*from)[:len(*from)-1]
	*to = append(*to, d.pair)
	d.pair, d.kept = last, nil
	return true
}

// Undo takes back the last change of the densities.
func (s *Scene) Undo() {
	s.endStroke()
	if s.dens.step(&s.dens.undo, &s.dens.redo) {
		s.stepped()
	}
}

// Redo does again what Undo took back.
func (s *Scene) Redo() {
	s.endStroke()
	if s.dens.step(&s.dens.redo, &s.dens.undo) {
		s.stepped()
	}
}

func (s *Scene) stepped() {
	s.recall()
	s.repainted()
}

// recall takes the components that presets lie in from the densities' own.
func (s *Scene) recall() {
	for _, step := range slices.Backward(s.dens.recipe) {
		if step.Kind == job.StepMeasure {
			s.components.largest = step.Measure.Components == "largest"
			return
		}
	}
}

// Clear empties both densities.
func (s *Scene) Clear() {
	s.endStroke()
	if s.mesh == nil {
		return
	}
	s.dens.become(empty(s.mesh.Vertices()), job.Step{Kind: job.StepClear})
	s.repainted()
}

// Swap exchanges source and target.
func (s *Scene) Swap() {
	s.endStroke()
	if s.mesh == nil {
		return
	}
	d := &s.dens
	d.become(pair{values: paint.Pair{d.values[targetSide], d.values[sourceSide]}}, job.Step{Kind: job.StepSwap})
	s.repainted()
}

// Preset asks the engine for a pair of densities: "paper", "two-spots",
// "uniform" or "area".
func (s *Scene) Preset(name string) {
	if s.mesh == nil || s.flight[toOpen] != 0 {
		return
	}
	s.failure = ""
	s.endStroke()
	s.drop(s.flight[toMeasure])
	m := s.components.preset(name)
	s.flight[toMeasure] = s.send(&m)
}

// Densities are the source and the target, one value per vertex, not
// normalised. They must not be changed.
func (s *Scene) Densities() (source, target []float64) {
	return s.dens.values[sourceSide], s.dens.values[targetSide]
}

// repainted follows every finished change of the densities.
func (s *Scene) repainted() {
	s.painting = nil // one that was cancelled while it was made anew
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
	before   paint.Pair    // the densities that the stroke began on
	stroke   *paint.Stroke // what it paints
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

// strokes are the steps that the painting tools make.
var strokes = map[Tool]string{ToolSource: job.StrokeSource, ToolTarget: job.StrokeTarget, ToolErase: job.StrokeErase}

// meshRadius is the brush's radius in mesh units.
func (b *brush) meshRadius(m *Mesh) float64 { return b.radius * 2 * m.HalfDiag }

// StrokeBegin puts the brush down on a vertex. The stroke keeps the radius and
// the strength that it begins with.
func (s *Scene) StrokeBegin(vertex int32) {
	vertex = s.vertex(vertex)
	if vertex < 0 || !s.brush.paints() || s.flight[toOpen] != 0 {
		return
	}
	s.endStroke()
	s.endPolish()
	if s.automatic() { // its solves follow the brush
		s.drop(s.flight[toFlow])
		s.flight[toFlow] = 0
	}
	b := &s.brush
	b.active, b.released = true, false
	b.before = s.dens.values
	b.stroke = paint.Begin(b.before, strokes[b.tool], b.meshRadius(s.mesh), b.strength)
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
	b.active, b.line, b.dab = false, b.line[:0], false
	if len(b.stroke.Step.Centres) > 0 {
		s.dens.values = b.before
		s.dens.become(pair{values: b.stroke.Now}, b.stroke.Step)
		s.repainted()
	}
	b.before, b.stroke = paint.Pair{}, nil
	s.changed()
}

// pumpBrush sends the next brush request if none is in flight.
func (s *Scene) pumpBrush() {
	b := &s.brush
	for s.mesh != nil && s.flight[toOpen] == 0 && b.inFlight == 0 {
		radius := b.meshRadius(s.mesh)
		var center int32
		dab := len(b.line) > 0
		if dab {
			radius = b.stroke.Step.Radius
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

// dab lays one ball of the stroke on.
func (s *Scene) dab(e *job.Brushed) {
	b := &s.brush
	b.stroke.Dab(e.Center, e.Vertices, e.Distances)
	s.dens.values, s.dens.totals = b.stroke.Now, [2]total{} // painted in place
	s.recolor(false)
	s.changed()
	if s.automatic() {
		s.soon()
		s.due(0)
	}
}

// Ring is the brush's outline, 6 numbers per segment in view units: where
// distance along the edges reaches the radius.
func (s *Scene) Ring() []float32 {
	if !s.brush.paints() || (s.brush.preview < 0 && !s.brush.active) {
		return nil
	}
	return s.brush.ring
}
