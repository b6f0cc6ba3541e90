package scene

import (
	"math"
	"slices"

	"genussink/core/job"
	"genussink/core/paint"
	"genussink/core/session"
	"genussink/viewer/colormap"
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

// Densities are the two densities and the way back. A stroke works on a copy
// of its own, so that every slice in undo and redo, or handed to the engine,
// stays as it was. The last step of a state's recipe makes it from the state
// before it.
type Densities struct {
	pair
	undo, redo []pair
	kept       *session.Painting // of these, once asked for
	remaking   *session.Painting // a session's that is being made anew
	largest    bool              // of several components presets lie in the largest alone, else each has its own
	totals     [2]total
	strokes    int // how often a stroke has changed values in place
}

// Version differs where densities do.
type Version struct {
	of      [2]*float64 // their first values
	strokes int
}

// Version is that of the present densities.
func (d *Densities) Version() (v Version) {
	for side, values := range d.values {
		if len(values) > 0 {
			v.of[side] = &values[0]
		}
	}
	v.strokes = d.strokes
	return v
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
func (d *Densities) total(which side) *total {
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

func (d *Densities) mass(which side) float64 { return d.total(which).mass }

// dots appends a dot for every vertex that has mass, by its share of the peak.
func (d *Densities) dots(dst []Dot) []Dot {
	for which, color := range []colormap.RGB{sourceSide: colormap.Source(), targetSide: colormap.Target()} {
		per := inverse(d.peak(side(which)))
		for v, mass := range d.values[which] {
			if mass > 0 {
				dst = append(dst, Dot{Vertex: int32(v), Size: float32(0.25 + 0.35*math.Sqrt(mass*per)), Color: color})
			}
		}
	}
	return dst
}

// peak returns the largest value and how many vertices have mass.
func (d *Densities) peak(which side) (top float64, count int) {
	t := d.total(which)
	return t.top, t.count
}

func (d *Densities) reset(n int) {
	*d = Densities{pair: empty(n)}
}

func empty(n int) pair {
	return pair{values: paint.Pair{make([]float64, n), make([]float64, n)}}
}

// depth is how many steps back are kept.
func (d *Densities) depth() int {
	if n := len(d.values[sourceSide]); n > 0 {
		return min(maxUndo, max(1, maxUndoBytes/(16*n)))
	}
	return maxUndo
}

// become replaces the densities by what a step made of them, and remembers the
// old ones.
func (d *Densities) become(p pair, step job.Step) {
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
	dabs := dabsOf(&step)
	for _, s := range recipe {
		dabs += dabsOf(&s)
	}
	if dabs > maxDabs {
		return []job.Step{{Kind: job.StepValues, Source: values[sourceSide], Target: values[targetSide]}}
	}
	return append(slices.Clip(recipe), step)
}

// dabsOf is how many dabs take as long to make anew as a step.
func dabsOf(s *job.Step) int {
	if s.Fill {
		return 1
	}
	return max(len(s.Centres), 1)
}

// step takes the last of from and puts the present on to.
func (d *Densities) step(from, to *[]pair) bool {
	if len(*from) == 0 {
		return false
	}
	last := (*from)[len(*from)-1]
	*from = (*from)[:len(*from)-1]
	*to = append(*to, d.pair)
	d.pair, d.kept = last, nil
	return true
}

// recall takes the components that presets lie in from the densities' own.
func (d *Densities) recall() {
	for _, step := range slices.Backward(d.recipe) {
		if step.Kind == job.StepMeasure {
			d.largest = step.Measure.Components == "largest"
			return
		}
	}
}

// replaced says whether a stroke of a kind paints its density anew: while that is still a preset's. Who paints does not mean to add to it.
func (d *Densities) replaced(kind string) bool {
	if kind != job.StrokeSource && kind != job.StrokeTarget {
		return false
	}
	for _, step := range slices.Backward(d.recipe) {
		switch {
		case step.Kind == job.StepMeasure:
			return true
		case step.Kind == job.StepSwap:
			kind = map[string]string{job.StrokeSource: job.StrokeTarget, job.StrokeTarget: job.StrokeSource}[kind]
		case step.Kind == job.StepBalance, step.Stroke() && step.Kind != kind && step.Kind != job.StrokeErase && step.Kind != job.StrokeSmooth:
		default:
			return false
		}
	}
	return false
}

// back takes back the last change, and forth does it again.
func (d *Densities) back() bool  { return d.step(&d.undo, &d.redo) }
func (d *Densities) forth() bool { return d.step(&d.redo, &d.undo) }

// clear empties both.
func (d *Densities) clear() {
	d.become(empty(len(d.values[sourceSide])), job.Step{Kind: job.StepClear})
}

// swap exchanges source and target.
func (d *Densities) swap() {
	d.become(pair{values: paint.Pair{d.values[targetSide], d.values[sourceSide]}}, job.Step{Kind: job.StepSwap})
}

// request asks for a pair of densities by name.
func (d *Densities) request(preset string) *job.Measure {
	m := &job.Measure{Preset: preset}
	if d.largest {
		m.Components = "largest"
	}
	return m
}

// Values are the source and the target, one value per vertex, not
// normalised. They must not be changed.
func (d *Densities) Values() (source, target []float64) {
	return d.values[sourceSide], d.values[targetSide]
}

// full says whether both have mass.
func (d *Densities) full() bool { return d.mass(sourceSide) > 0 && d.mass(targetSide) > 0 }

// first says whether there has been nothing yet, which no undo need bring back.
func (d *Densities) first() bool {
	return len(d.undo) == 0 && d.mass(sourceSide) == 0 && d.mass(targetSide) == 0
}

// begin takes a mesh's first pair.
func (d *Densities) begin(p pair, step job.Step) {
	p.recipe = []job.Step{step}
	d.pair, d.kept = p, nil
}

// fits says whether an answer has densities of this mesh.
func (d *Densities) fits(e *job.Measured) bool {
	n := len(d.values[sourceSide])
	if len(e.Source) != n || len(e.Target) != n {
		return false
	}
	for k := range e.Source {
		if a, b := e.Source[k], e.Target[k]; !(a >= 0 && b >= 0) || math.IsInf(a, 0) || math.IsInf(b, 0) {
			return false
		}
	}
	return true
}

// remade takes the densities of a painting that was made anew, and the way
// back and forth as it was.
func (d *Densities) remade(e *job.Painted, asked *job.Paint) bool {
	if d.remaking == nil || len(e.States) != len(asked.Steps)-asked.First+1 {
		return false
	}
	at := d.remaking.Now - asked.First
	d.remaking = nil
	states := make([]pair, 0, len(e.States))
	recipe := asked.Steps[session.Since(asked.Steps[:asked.First]):asked.First]
	for i := range e.States {
		state := &e.States[i]
		if !d.fits(state) {
			return false
		}
		if i > 0 {
			recipe = extend(recipe, asked.Steps[asked.First+i-1], paint.Pair{state.Source, state.Target})
		}
		states = append(states, pair{paint.Pair{state.Source, state.Target}, state.Preset, state.Note, recipe})
	}
	d.undo, d.pair, d.kept = states[:at:at], states[at], nil
	d.redo = states[at+1:]
	slices.Reverse(d.redo)
	d.recall()
	return true
}

// painted shows what a stroke has painted so far, in place.
func (d *Densities) painted(values paint.Pair) {
	d.values, d.totals = values, [2]total{}
	d.strokes++
}

// painting is the recipe of the densities, with the way back and forth; the
// same as before while they are the same.
func (d *Densities) painting() *session.Painting {
	if d.kept != nil {
		return d.kept
	}
	states := append(slices.Clone(d.undo), d.pair)
	for i := len(d.redo) - 1; i >= 0; i-- {
		states = append(states, d.redo[i])
	}
	p := &session.Painting{Vertices: len(d.values[sourceSide]), Steps: slices.Clone(states[0].recipe)}
	p.First = len(p.Steps)
	for _, state := range states[1:] {
		p.Steps = append(p.Steps, state.recipe[len(state.recipe)-1])
	}
	p.Now = p.First + len(d.undo)
	d.kept = p
	return p
}

// share is what share of a density's mass is at a vertex.
func (d *Densities) share(which side, v int32) float64 {
	if total := d.mass(which); total > 0 {
		return d.values[which][v] / total
	}
	return 0
}

// state is what the panel shows of them.
func (d *Densities) state(c *components) DensitiesState {
	st := DensitiesState{
		Preset: d.preset, Note: d.note, Source: d.mass(sourceSide), Target: d.mass(targetSide),
		Components: "each", Count: c.count, Undo: len(d.undo), Redo: len(d.redo),
	}
	if d.largest {
		st.Components = "largest"
	}
	st.SourceMax, st.SourceN = d.peak(sourceSide)
	st.TargetMax, st.TargetN = d.peak(targetSide)
	return st
}
