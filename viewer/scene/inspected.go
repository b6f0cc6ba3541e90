package scene

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"genussink/core/job"
	"genussink/viewer/colormap"
)

// Defect is a kind of what can be wrong with a mesh.
type Defect int

// The kinds, in the order in which they are listed.
const (
	BoundaryLoop Defect = iota
	NonmanifoldEdge
	NonmanifoldVertex
	DegenerateFace
	FlippedFace
	IsolatedVertex
	SmallComponent
	defectCount
)

// checkInspected makes sure that what was found is about the mesh.
func checkInspected(e *job.Inspected, m *Mesh) bool {
	n, faces := m.Vertices(), len(m.Faces)/3
	below := func(ids []int32, end int) bool {
		return !slices.ContainsFunc(ids, func(i int32) bool { return i < 0 || int(i) >= end })
	}
	for _, l := range e.BoundaryLoops {
		if !below(l.Vertices, n) {
			return false
		}
	}
	for _, list := range [][]float64{e.Mean, e.Gaussian} {
		if len(list) != 0 && len(list) != n {
			return false
		}
	}
	for _, c := range e.SmallComponents {
		if len(c.Vertices) == 0 || !below(c.Vertices, n) {
			return false
		}
	}
	if !below(e.Edges, n) || len(e.Edges)%2 != 0 {
		return false
	}
	return below(e.NonmanifoldEdges, n) && below(e.NonmanifoldVertices, n) && below(e.IsolatedVertices, n) &&
		below(e.DegenerateFaces, faces) && below(e.FlippedFaces, faces) && len(e.NonmanifoldEdges)%2 == 0 && len(e.Degrees) == n
}

// Found is what the engine has found out about the mesh, nil before it was asked. It must not be changed.
func (i *Inspection) Found() *job.Inspected { return i.found }

// take takes what was found.
func (i *Inspection) take(e *job.Inspected, m *Mesh) bool {
	if !checkInspected(e, m) {
		return false
	}
	i.found, i.pieces = e, edgesWithin(e, m.Vertices())
	return true
}

// Defects is how many there are of a kind.
func (i *Inspection) Defects(k Defect) int {
	e := i.found
	if e == nil {
		return 0
	}
	return [defectCount]int{
		len(e.BoundaryLoops), len(e.NonmanifoldEdges) / 2, len(e.NonmanifoldVertices), len(e.DegenerateFaces), len(e.FlippedFaces), len(e.IsolatedVertices), len(e.SmallComponents),
	}[k]
}

// edgesWithin are the edges of each of the small components, two vertices each.
func edgesWithin(e *job.Inspected, n int) [][]int32 {
	piece := make([]int32, n) // of each vertex, from 1
	for k, c := range e.SmallComponents {
		for _, v := range c.Vertices {
			piece[v] = int32(k + 1)
		}
	}
	edges := make([][]int32, len(e.SmallComponents))
	for i := 0; i < len(e.Edges); i += 2 {
		if k := piece[e.Edges[i]]; k > 0 {
			edges[k-1] = append(edges[k-1], e.Edges[i:i+2]...)
		}
	}
	return edges
}

// Defect is the nth of a kind: its vertices, in the order in which its line runs through them, but for a small component, which is no line.
func (i *Inspection) Defect(k Defect, n int, m *Mesh) []int32 {
	if n < 0 || n >= i.Defects(k) {
		return nil
	}
	e := i.found
	face := func(f int32) []int32 { return append(slices.Clone(m.Faces[3*f:3*f+3]), m.Faces[3*f]) }
	switch k {
	case BoundaryLoop:
		return e.BoundaryLoops[n].Vertices
	case NonmanifoldEdge:
		return e.NonmanifoldEdges[2*n : 2*n+2]
	case NonmanifoldVertex:
		return e.NonmanifoldVertices[n : n+1]
	case DegenerateFace:
		return face(e.DegenerateFaces[n])
	case FlippedFace:
		return face(e.FlippedFaces[n])
	case SmallComponent:
		return e.SmallComponents[n].Vertices
	}
	return e.IsolatedVertices[n : n+1]
}

// Line is a line along edges, through vertices. One of a single vertex is a disc.
type Line struct {
	Vertices []int32
	Color    colormap.RGB
	Strong   bool // the one that a person looks at
}

// maxLines is how many lines of a kind of defects are drawn: more are only a blur. All of them are counted, and can be listed.
const maxLines = 2000

// outline appends the lines of the nth defect of a kind: one, or a small component's edges, as long as there are at most so many lines.
func (i *Inspection) outline(dst []Line, k Defect, n int, m *Mesh, most int) []Line {
	color, strong := colormap.Defect(int(k)), k == i.kind && n == i.item
	if k != SmallComponent {
		return append(dst, Line{i.Defect(k, n, m), color, strong})
	}
	for at := 0; at < len(i.pieces[n]) && len(dst) < most; at += 2 {
		dst = append(dst, Line{i.pieces[n][at : at+2], color, strong})
	}
	return dst
}

// draw makes the lines: the defects, where they are shown, what was clicked, measured paths, and the defect that is looked at.
func (i *Inspection) draw(m *Mesh) {
	i.lines, i.aside = nil, nil
	if i.shown {
		for k := range defectCount {
			most := len(i.lines) + maxLines
			for n := 0; n < i.Defects(k) && len(i.lines) < most; n++ {
				if k != i.kind || n != i.item {
					i.lines = i.outline(i.lines, k, n, m, most)
				}
			}
		}
	}
	i.lines = i.courses(i.picked.outline(i.lines))
	at := i.Defect(i.kind, i.item, m)
	if at == nil {
		return
	}
	i.lines = i.outline(i.lines, i.kind, i.item, m, len(i.lines)+maxLines)
	if i.kind == SmallComponent {
		i.aside = make([]bool, m.Vertices())
		for v := range i.aside {
			i.aside[v] = true
		}
		for _, v := range at {
			i.aside[v] = false
		}
	}
}

// faded is the small component around which all else is faded, -1 none.
func (i *Inspection) faded() int {
	if i.aside == nil {
		return -1
	}
	return i.item
}

// Lines are drawn on the mesh: defects, what was clicked, and measured paths.
func (i *Inspection) Lines() []Line { return i.lines }

// Inspect asks what is wrong with the mesh and how it is shaped.
func (s *Scene) Inspect() {
	if !s.ready() || s.Mesh.Vertices() == 0 || s.flight.has(toInspect) || s.Inspection.found != nil {
		return
	}
	s.failure = ""
	s.send(toInspect, &job.Inspect{})
}

// Shade asks how the surface is to be drawn, unless that is known or cannot be.
func (s *Scene) Shade() {
	if s.Mesh.shadeable() && !s.flight.has(toShade) {
		s.send(toShade, &job.Shade{})
	}
}

// inspected takes the answer, and shows what is wrong.
func (s *Scene) inspected(e *job.Inspected) bool {
	if !s.Inspection.take(e, s.Mesh.Mesh) {
		return false
	}
	s.Inspection.shown = s.task == TaskInspect
	s.redrawLines()
	return true
}

// ShowDefects draws all defects, or none but the one that is looked at.
func (s *Scene) ShowDefects(on bool) {
	s.toggle(&s.Inspection.shown, on)
	s.redrawLines()
}

func (s *Scene) redrawLines() {
	s.recolor(true) // around a small component
	if s.Mesh.ready() {
		s.Inspection.draw(s.Mesh.Mesh)
	}
	s.overlay++
}

// near is how much of the mesh is seen around a defect: this part of its size, and twice the defect at least.
const near = 0.12

// LookAt flies to the nth defect of a kind, to a side from which it is seen, and marks it. It lets go of one that is marked already; a number that there is not marks none.
func (s *Scene) LookAt(k Defect, n int) {
	i := &s.Inspection
	if n == i.item && k == i.kind {
		n = -1
	}
	at := i.Defect(k, n, s.Mesh.Mesh)
	if i.kind, i.item = k, n; at == nil {
		i.kind, i.item = 0, -1
	}
	s.redrawLines()
	s.changed()
	if at == nil {
		return
	}
	p := s.View.camera.Goal()
	lo, hi, outward := [3]float64{}, [3]float64{}, [3]float64{}
	for c := range lo {
		lo[c], hi[c] = math.Inf(1), math.Inf(-1)
		for _, v := range at {
			x := float64(s.Mesh.Points[3*int(v)+c])
			lo[c], hi[c] = min(lo[c], x), max(hi[c], x)
			outward[c] += float64(s.Mesh.Normals[3*int(v)+c]) / float64(len(at))
		}
	}
	size := 0.0
	for c := range lo {
		p.Target[c] = (lo[c] + hi[c]) / 2
		size = max(size, hi[c]-lo[c])
	}
	p.Size = max(near*s.Mesh.Radius, size)
	if mgl64.Vec3(outward).Len() < 0.3 { // a hole at the end of a tube, a vertex alone
		outward = p.Target
	}
	if !s.Mesh.Graph() {
		p = p.Towards(outward)
	}
	s.View.camera.Ease(p)
}

// findings is what the panel shows of the inspection.
func (i *Inspection) findings(asked bool) FindingsState {
	st := FindingsState{Running: asked, Known: i.found != nil, Shown: i.shown, Kind: i.kind, Item: i.item, Counts: []int{}}
	if i.found == nil {
		return st
	}
	for k := range defectCount {
		st.Counts = append(st.Counts, i.Defects(k))
	}
	return st
}

// ordered are the finite ones of the values, the least first.
func ordered(values []float64) []float64 {
	known := make([]float64, 0, len(values))
	for _, x := range values {
		if !math.IsNaN(x) && !math.IsInf(x, 0) {
			known = append(known, x)
		}
	}
	slices.Sort(known)
	return known
}

// Quantity is something that a histogram counts.
type Quantity string

// The quantities.
const (
	EdgeLength  Quantity = "edge"   // mesh units
	AspectRatio Quantity = "aspect" // 1 is an equilateral face
	Degree      Quantity = "degree" // edges at a vertex
	Angle       Quantity = "angle"  // between the faces of an edge, degrees: 0 is flat
)

// Histogram counts a quantity in bins of the same width, of which the last holds its upper end too. What is infinite is left out and counted apart.
type Histogram struct {
	From, To float64 // of the bins together
	Bins     []int
	Median   float64
	Infinite int
}

// Histogram is that of a quantity of the mesh, in at most so many bins; whole numbers have a bin each where these are enough. It has no bins
// where there is nothing to count.
func (i *Inspection) Histogram(q Quantity, most int) (h Histogram) {
	if i.found == nil || most < 1 {
		return h
	}
	values := map[Quantity][]float64{
		EdgeLength: i.found.EdgeLengths, AspectRatio: i.found.AspectRatios, Degree: i.found.Degrees, Angle: i.found.Angles,
	}[q]
	known := ordered(values)
	if h.Infinite = len(values) - len(known); len(known) == 0 {
		return h
	}
	h.From, h.To, h.Median = known[0], known[len(known)-1], known[len(known)/2]
	bins := most
	if q == Degree && h.To-h.From < float64(most) {
		bins = int(h.To-h.From) + 1
		h.From, h.To = h.From-0.5, h.To+0.5
	} else if h.From == h.To {
		bins = 1
	}
	h.Bins = make([]int, bins)
	for _, x := range known {
		at := 0
		if h.To > h.From {
			at = min(int((x-h.From)/(h.To-h.From)*float64(bins)), bins-1)
		}
		h.Bins[at]++
	}
	return h
}
