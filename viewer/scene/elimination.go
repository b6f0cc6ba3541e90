package scene

import (
	"math"
	"slices"

	"genussink/core/job"
	"genussink/viewer/timeline"
)

// An elimination order is watched on graphs of at most maxWatched vertices
// whose order adds at most maxFill edges: more is only a blur.
const (
	maxWatched   = 1500
	maxFill      = 60_000
	watchSeconds = 14.0 // of a whole order, within the limits below
	shortestStep = 1.0 / 30
	longestStep  = 0.7
)

// script is an elimination order with what happens in each of its steps.
type script struct {
	steps []eliminationStep
	ok    bool // the graph is small enough
}

// eliminationStep is the elimination of one vertex: its neighbours become a
// clique.
type eliminationStep struct {
	vertex int32
	around []int32 // its neighbours by then
	added  []int32 // fill edges, 2 vertices each
	bag    int     // that holds the vertex and its neighbours
	width  int     // the largest degree so far
	fill   int     // fill edges so far
}

// elimination is a position in the playback of an elimination order.
type elimination struct {
	*script
	step int // vertices that are gone
	gone []bool
}

// newScript plays an elimination order through.
func newScript(m *Mesh, found *job.Decomposition) *script {
	out := &script{}
	if m.Vertices() > maxWatched {
		return out
	}
	offsets, targets := m.Neighbours()
	rows := make([]map[int32]bool, m.Vertices())
	for v := range rows {
		rows[v] = map[int32]bool{}
		for _, t := range targets[offsets[v]:offsets[v+1]] {
			if int(t) != v {
				rows[v][t] = true
			}
		}
	}
	width, fill := 0, 0
	for _, v := range found.Order {
		step := eliminationStep{vertex: v, around: make([]int32, 0, len(rows[v]))}
		for u := range rows[v] {
			step.around = append(step.around, u)
		}
		slices.Sort(step.around)
		for i, u := range step.around {
			delete(rows[u], v)
			for _, w := range step.around[:i] {
				if !rows[u][w] {
					rows[u][w], rows[w][u] = true, true
					step.added = append(step.added, w, u)
				}
			}
		}
		width, fill = max(width, len(step.around)), fill+len(step.added)/2
		if fill > maxFill {
			return &script{}
		}
		step.width, step.fill = width, fill
		step.bag = int(found.Tops[v])
		out.steps = append(out.steps, step)
	}
	out.ok = true
	return out
}

// at is the last step taken, nil before the first.
func (e *elimination) at() *eliminationStep {
	if e.step == 0 {
		return nil
	}
	return &e.steps[e.step-1]
}

// pace is how many seconds a step takes while playing.
func (e *script) pace() float64 {
	return min(max(watchSeconds/float64(max(len(e.steps), 1)), shortestStep), longestStep)
}

// eliminate moves the timeline of the elimination order found, and shows as many vertices gone as it says. It says whether there is an
// order to be shown.
func (d *Treewidth) eliminate(change func(t *timeline.Timeline), m *Mesh) bool {
	if d.found == nil {
		return false
	}
	if d.script == nil {
		d.script = newScript(m, d.found)
	}
	if !d.script.ok {
		return false
	}
	if d.elimination == nil {
		d.hide()
		d.elimination = &elimination{script: d.script, gone: make([]bool, m.Vertices())}
		d.timeline.End, d.timeline.Pace = float64(len(d.script.steps)), d.script.pace()
	}
	change(&d.timeline)
	d.elimination.to(d.timeline.Step())
	d.revision++
	return true
}

// to goes to a step.
func (e *elimination) to(step int) {
	for ; e.step < step; e.step++ {
		e.gone[e.steps[e.step].vertex] = true
	}
	for ; e.step > step; e.step-- {
		e.gone[e.steps[e.step-1].vertex] = false
	}
}

// search counts the seconds of the search that runs. It says whether another full second has passed.
func (d *Treewidth) search(dt float64) (second bool) {
	before := math.Floor(d.seconds)
	d.seconds += dt
	return math.Floor(d.seconds) != before
}

// FillEdges appends the fill edges between vertices that are still there, 2
// vertices each, and says how many of the last belong to the last step. Their
// order does not matter.
func (d *Treewidth) FillEdges(dst []int32) (edges []int32, last int) {
	e := d.elimination
	if e == nil {
		return dst, 0
	}
	for i := range e.steps[:e.step] {
		added := e.steps[i].added
		for k := 0; k < len(added); k += 2 {
			if !e.gone[added[k]] && !e.gone[added[k+1]] {
				dst = append(dst, added[k], added[k+1])
			}
		}
	}
	if at := e.at(); at != nil {
		last = len(at.added) / 2
	}
	return dst, last
}

func (d *Treewidth) eliminationState() EliminationState {
	st := EliminationState{Vertex: -1, Bag: -1, Available: d.found != nil && len(d.found.Order) <= maxWatched && (d.script == nil || d.script.ok)}
	if d.found != nil {
		st.Steps = len(d.found.Order)
	}
	e := d.elimination
	if e == nil {
		return st
	}
	st.Shown, st.Playing, st.Step = true, d.timeline.Playing(), e.step
	if at := e.at(); at != nil {
		st.Vertex, st.Bag, st.Degree, st.Added, st.Fill, st.Width = at.vertex, at.bag, len(at.around), len(at.added)/2, at.fill, at.width
	}
	return st
}
