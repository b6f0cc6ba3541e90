package scene

import (
	"math"
	"slices"

	"genussink/core/job"
	"genussink/viewer/colormap"
	"genussink/viewer/timeline"
)

// front is Dijkstra's algorithm from the vertex that distances are measured from, step by step: which vertices are settled, and which are
// reached and wait.
type front struct {
	of       *job.Brushed
	rank     []int32 // of each vertex, how many are settled before it; -1: it is never reached
	before   []int32 // of each vertex, the one before it on the shortest path; itself of the first, -1 where none leads
	timeline timeline.Timeline
	shown    bool
	open     []int32 // reached and not settled where the timeline stands
}

const (
	mostFronts   = 160  // steps, each of which settles as many vertices
	frontSeconds = 10.0 // of all steps, within the limits of an elimination's
	mostBranches = 5000 // vertices of a graph whose tree of shortest paths is drawn: more is only a blur
)

// take takes the distances, which list the vertices as they are settled.
func (f *front) take(e *job.Brushed, n int) bool {
	if len(e.Before) != len(e.Vertices) {
		return false
	}
	rank, before := make([]int32, n), make([]int32, n)
	for v := range rank {
		rank[v], before[v] = -1, -1
	}
	for k, v := range e.Vertices {
		if u := e.Before[k]; rank[v] >= 0 || u < 0 || int(u) >= n || rank[u] < 0 && (k > 0 || u != v) {
			return false
		}
		rank[v], before[v] = int32(k), e.Before[k]
	}
	f.of, f.rank, f.before = e, rank, before
	steps := min(len(e.Vertices), mostFronts)
	f.timeline.End, f.timeline.Pace = float64(steps), min(max(frontSeconds/float64(max(steps, 1)), shortestStep), longestStep)
	f.timeline.Seek(f.timeline.At())
	return true
}

// settled is how many vertices are settled where the timeline stands.
func (f *front) settled() int {
	if f.timeline.End == 0 {
		return 0
	}
	return int(math.Ceil(float64(len(f.of.Vertices)) * float64(f.timeline.Step()) / f.timeline.End))
}

// has says whether a vertex is settled where the timeline stands, or whether nobody asks.
func (f *front) has(v int) bool {
	return !f.shown || f.rank[v] >= 0 && int(f.rank[v]) < f.settled()
}

// look finds the vertices that are reached and wait.
func (f *front) look(m *Mesh) {
	f.open = f.open[:0]
	settled := f.settled()
	if settled == 0 {
		f.open = append(f.open, f.of.Vertices[:min(1, len(f.of.Vertices))]...)
		return
	}
	offsets, targets := m.Neighbours()
	for _, v := range f.of.Vertices[:settled] {
		for _, w := range targets[offsets[v]:offsets[v+1]] {
			if int(f.rank[w]) >= settled {
				f.open = append(f.open, w)
			}
		}
	}
	slices.Sort(f.open)
	f.open = slices.Compact(f.open)
}

// readable says whether the tree of shortest paths can be told apart.
func (f *front) readable() bool { return len(f.rank) <= mostBranches }

// branches appends the edges of the tree of shortest paths to the vertices that are settled, two vertices each, where they are shown.
func (f *front) branches(dst []int32) []int32 {
	if !f.shown || !f.readable() {
		return dst
	}
	for _, v := range f.of.Vertices[:f.settled()] {
		if u := f.before[v]; u != v {
			dst = append(dst, u, v)
		}
	}
	return dst
}

// markers appends the discs of the vertices that are reached and wait.
func (f *front) markers(dst []Dot) []Dot {
	if f.shown {
		for _, v := range f.open {
			dst = append(dst, Dot{v, 0.9, colormap.Accent()})
		}
	}
	return dst
}

// legend appends what is on the screen of it.
func (f *front) legend(parts []LegendPart, theme colormap.Theme) []LegendPart {
	if !f.shown {
		return parts
	}
	parts = append(parts, LegendPart{"not settled", colormap.Clay(theme), MarkFill}, LegendPart{"front: reached, not settled", colormap.Accent(), MarkDot})
	if f.readable() {
		parts = append(parts, LegendPart{"tree of shortest paths", colormap.Separator(theme), MarkLine})
	}
	return parts
}

// FrontState is Dijkstra's algorithm from a vertex, step by step.
type FrontState struct {
	Available bool    `json:"available"` // the distances are there
	Shown     bool    `json:"shown"`
	Playing   bool    `json:"playing"`
	Step      int     `json:"step"`
	Steps     int     `json:"steps"`
	Settled   int     `json:"settled"`  // vertices whose distance is final
	Reached   int     `json:"reached"`  // in all, that a path leads to
	Open      int     `json:"open"`     // reached, and not settled: the front
	Distance  float64 `json:"distance"` // of the vertex settled last, mesh units
	Tree      bool    `json:"tree"`     // the tree of shortest paths is drawn
}

// state is what the panel shows.
func (f *front) state() FrontState {
	st := FrontState{Available: f.of != nil, Shown: f.shown, Playing: f.timeline.Playing(), Step: f.timeline.Step(), Steps: int(f.timeline.End)}
	if f.of == nil {
		return st
	}
	st.Reached = len(f.of.Vertices)
	if f.shown {
		st.Settled, st.Open, st.Tree = f.settled(), len(f.open), f.readable()
		if st.Settled > 0 {
			st.Distance = finite(f.of.Distances[st.Settled-1])
		}
	}
	return st
}

// Branches appends the edges of the tree of shortest paths that is shown, two vertices each.
func (c *shownField) Branches(dst []int32) []int32 { return c.front.branches(dst) }

// Front is the timeline of the vertices that Dijkstra's algorithm settles. It must not be changed but by Spread.
func (c *shownField) Front() *timeline.Timeline { return &c.front.timeline }

// Spread moves the timeline of the distances from a vertex, and shows which vertices are settled where it stands, which are reached,
// and the tree of shortest paths.
func (s *Scene) Spread(change func(t *timeline.Timeline)) {
	c := &s.Inspection.shownField
	if c.field != FieldDistance || c.front.of == nil {
		return
	}
	c.front.shown = true
	change(&c.front.timeline)
	s.spreadOn()
}

// HideFront shows all distances at once.
func (s *Scene) HideFront() {
	f := &s.Inspection.front
	if f.shown {
		timeline.To(0)(&f.timeline)
		f.shown = false
		s.spreadOn()
	}
}

// spreadOn shows the front where it is now.
func (s *Scene) spreadOn() {
	c := &s.Inspection.shownField
	if c.front.shown {
		c.front.look(s.Mesh.Mesh)
	}
	c.made++
	s.overlay++
	s.recolor(!c.front.timeline.Playing()) // which would lag behind
	s.changed()
}
