package scene

import (
	"math"
	"slices"

	"genussink/core/job"
	"genussink/viewer/camera"
	"genussink/viewer/colormap"
)

// measured is a path that was measured, or is to be.
type measured struct {
	number   int       // by which a person knows it, from 1
	from, to int32     // its ends; to is -1 until it is picked
	path     *job.Path // nil before it is known
}

// PathState is a measured shortest path on the edge graph.
type PathState struct {
	Number    int     `json:"number"` // from 1, and no other path's since the mesh was opened
	From      int32   `json:"from"`
	To        int32   `json:"to"` // -1 until the second vertex is picked
	Length    float64 `json:"length"`
	Straight  float64 `json:"straight"` // from end to end, through everything
	Edges     int     `json:"edges"`
	Middle    int32   `json:"middle"`    // a vertex halfway, -1 without a path
	Connected bool    `json:"connected"` // false: they lie in different components, Length is 0
	Known     bool    `json:"known"`     // false while the answer is awaited
}

// Color is the path's.
func (p *PathState) Color() colormap.RGB { return colormap.Path(p.Number - 1) }

// Halfway is the vertex of a measured path that is nearest to its middle, of those that face the eye; the middle where none does, -1
// where there is no path of that number.
func (s *Scene) Halfway(number int, lens *camera.Lens) int32 {
	i := &s.Inspection
	k := slices.IndexFunc(i.paths, func(p measured) bool { return p.number == number && p.path != nil && len(p.path.Vertices) > 0 })
	if k < 0 {
		return -1
	}
	vertices := i.paths[k].path.Vertices
	middle := len(vertices) / 2
	for off := 0; off <= middle; off++ {
		for _, at := range []int{middle - off, middle + off} {
			if at < len(vertices) && s.Mesh.slant(lens, vertices[at]) > 0 {
				return vertices[at]
			}
		}
	}
	return vertices[middle]
}

// begun is the path of which only the first end is picked, -1 none.
func (i *Inspection) begun() int {
	if last := len(i.paths) - 1; last >= 0 && i.paths[last].to < 0 {
		return last
	}
	return -1
}

// begin picks the first end of a path.
func (i *Inspection) begin(from int32) {
	i.unseen = false
	i.numbered++
	i.paths = append(i.paths, measured{i.numbered, from, -1, nil})
}

// state is what the panel shows of the paths.
func (i *Inspection) state(m *Mesh) []PathState {
	list := make([]PathState, 0, len(i.paths))
	for _, p := range i.paths {
		st := PathState{Number: p.number, From: p.from, To: p.to, Middle: -1}
		if p.to >= 0 {
			st.Straight = finite(distance(m.Position(p.from), m.Position(p.to)))
		}
		if p.path != nil {
			st.Known, st.Connected = true, !math.IsInf(p.path.Length, 0)
			st.Length, st.Edges = finite(p.path.Length), max(len(p.path.Vertices)-1, 0)
			if st.Connected && len(p.path.Vertices) > 0 {
				st.Middle = p.path.Vertices[len(p.path.Vertices)/2]
			}
		}
		list = append(list, st)
	}
	return list
}

// measureClick picks the next end of a path; beside the mesh it forgets the first.
func (s *Scene) measureClick(vertex int32) {
	i := &s.Inspection
	switch at := i.begun(); {
	case at >= 0 && vertex >= 0:
		i.paths[at].to = vertex
		s.walk()
	case at >= 0:
		i.paths = i.paths[:at]
	case vertex >= 0:
		i.begin(vertex)
	}
	s.redrawLines()
	s.changed()
}

// MeasurePath asks for the shortest path between two vertices, beside those that are measured already.
func (s *Scene) MeasurePath(from, to int32) {
	from, to = s.Mesh.vertex(from), s.Mesh.vertex(to)
	if from < 0 || to < 0 || s.flight.has(toOpen) {
		return
	}
	if at := s.Inspection.begun(); at >= 0 {
		s.Inspection.paths = s.Inspection.paths[:at]
	}
	s.Inspection.begin(from)
	s.measureClick(to)
}

// walk asks for the first path that is not known yet, one at a time.
func (s *Scene) walk() {
	if s.flight.has(toWalk) {
		return
	}
	if at := s.Inspection.pending(); at >= 0 {
		p := s.Inspection.paths[at]
		s.send(toWalk, &job.Distance{From: p.from, To: p.to})
	}
}

// pending is the first path that is not known yet, which walk asks for; -1 none.
func (i *Inspection) pending() int {
	return slices.IndexFunc(i.paths, func(p measured) bool { return p.path == nil && p.to >= 0 })
}

// walked takes the path that walk has asked for.
func (s *Scene) walked(e *job.Path) bool {
	i := &s.Inspection
	at := i.pending()
	if at < 0 || !s.Mesh.all(e.Vertices) {
		s.unwalked()
		return false
	}
	i.paths[at].path = e
	s.redrawLines()
	s.walk()
	return true
}

// unwalked forgets the path that walk has asked for: it cannot be measured.
func (s *Scene) unwalked() {
	i := &s.Inspection
	if at := i.pending(); at >= 0 {
		i.paths = slices.Delete(i.paths, at, at+1)
		s.redrawLines()
		s.walk()
	}
}

// RemovePath takes the path with a number away, 0 all. ReturnPaths brings them back.
func (s *Scene) RemovePath(number int) {
	i := &s.Inspection
	gone := slices.DeleteFunc(slices.Clone(i.paths), func(p measured) bool { return p.path == nil || number != 0 && p.number != number })
	i.paths = slices.DeleteFunc(i.paths, func(p measured) bool { return number == 0 || p.number == number })
	if len(gone) > 0 {
		i.removed = append(i.removed, gone)
	}
	s.drop(toWalk)
	s.walk()
	s.redrawLines()
	s.changed()
}

// ReturnPaths brings back the paths that the last call of RemovePath took away.
func (s *Scene) ReturnPaths() {
	i := &s.Inspection
	last := len(i.removed) - 1
	if last < 0 {
		return
	}
	i.paths = append(i.paths, i.removed[last]...)
	slices.SortFunc(i.paths, func(p, q measured) int { return p.number - q.number })
	i.removed, i.unseen = i.removed[:last], false
	s.redrawLines()
	s.changed()
}

// courses appends the measured paths as lines.
func (i *Inspection) courses(dst []Line) []Line {
	for _, p := range i.paths {
		if p.path != nil && !i.unseen {
			dst = append(dst, Line{p.path.Vertices, colormap.Path(p.number - 1), false})
		}
	}
	return dst
}
