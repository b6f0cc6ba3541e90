package scene

import (
	"fmt"
	"slices"

	"genussink/core/job"
	"genussink/viewer/colormap"
	"genussink/viewer/timeline"
)

// Treewidth is what is known of the mesh's treewidth and what of it is shown: a
// bag with the components that it leaves, or an elimination order.
type Treewidth struct {
	finding
	known        bool
	lower, upper int
	exact        bool

	linked           linkedStudy        // until it is shown
	found            *job.Decomposition // the narrowest so far
	widest, centroid int32              // bags of it, -1 none
	bag, pointed     int32              // on the mesh, and in the tree of bags, -1 none
	holds, marked    []int32            // their vertices
	part             []int32            // of each vertex, the component that the bag leaves it in; -1 in the bag
	parts            []int              // vertices in each, the largest first
	patched          bool               // the bag has all corners of a face
	revision         int                // of what is shown

	elimination *elimination // on the mesh, nil: none
	script      *script      // of the order found, nil until asked for
	timeline    timeline.Timeline
}

// finding is how far the search is that runs, or how the last one ended.
type finding struct {
	stage   string
	seconds float64 // since it began
	status  string
}

// linkedStudy is what a link wants shown of the decomposition that a search finds: a kind of bag, or so many vertices eliminated.
type linkedStudy struct {
	bag  string
	gone int
}

// said is what a link says of what is shown. Which number a bag has is the search's, which may find another decomposition elsewhere: of the
// bags a link knows the centroid and the widest.
func (d *Treewidth) said() (bag string, gone int) {
	switch {
	case d.elimination != nil:
		gone = d.timeline.Step()
	case d.bag < 0:
	case d.bag == d.centroid:
		bag = "centroid"
	case d.bag == d.widest:
		bag = "widest"
	}
	return bag, gone
}

func (d *Treewidth) reset() {
	timeline.To(0)(&d.timeline)
	*d = Treewidth{widest: -1, centroid: -1, bag: -1, pointed: -1, revision: d.revision + 1, timeline: d.timeline}
}

// Found is the narrowest tree decomposition, nil before the first. It must not be changed.
func (d *Treewidth) Found() *job.Decomposition { return d.found }

// Timeline is of the elimination order, all vertices being there at its start. It must not be changed but by Eliminate.
func (d *Treewidth) Timeline() *timeline.Timeline { return &d.timeline }

// begin begins a search.
func (d *Treewidth) begin() { d.finding = finding{} }

// shown says whether the mesh shows a bag or an elimination.
func (d *Treewidth) shown() bool { return d.bag >= 0 || d.elimination != nil }

// hide takes it off the mesh.
func (d *Treewidth) hide() {
	if d.shown() {
		timeline.To(0)(&d.timeline)
		d.bag, d.holds, d.part, d.parts, d.patched, d.elimination = -1, nil, nil, nil, false, nil
		d.revision++
	}
}

// narrow takes better bounds of the search under way.
func (d *Treewidth) narrow(e *job.Narrowed, m *Mesh) bool {
	if len(e.Offsets) > 0 && !d.adopt(&e.Decomposition, m) {
		return false
	}
	d.known, d.lower, d.upper, d.exact = true, e.Lower, e.Upper, e.Lower == e.Upper
	return true
}

// take takes the search's outcome.
func (d *Treewidth) take(e *job.Decomposed, m *Mesh) bool {
	if !d.adopt(&e.Decomposition, m) {
		return false
	}
	least := e.Lower
	if d.known && e.Status == "file" { // a search may have proved more
		least = max(least, d.lower)
	}
	d.known, d.lower, d.upper, d.exact, d.status = true, least, e.Upper, least == e.Upper, e.Status
	return true
}

// sentence tells of the outcome.
func (d *Treewidth) sentence() string {
	if d.exact {
		return fmt.Sprintf("Treewidth %d, proved.", d.upper)
	}
	return fmt.Sprintf("Treewidth between %d and %d.", d.lower, d.upper)
}

// adopt takes a decomposition, unless it is out of bounds or the one at hand.
// A bag that is shown gives way to the one of its kind in the new one.
func (d *Treewidth) adopt(e *job.Decomposition, m *Mesh) bool {
	if !e.Valid(m.Vertices()) {
		return false
	}
	if d.found != nil && slices.Equal(e.Parents, d.found.Parents) && slices.Equal(e.Ends, d.found.Ends) && slices.Equal(e.Tops, d.found.Tops) && slices.Equal(e.Order, d.found.Order) {
		return true
	}
	bag, eliminating := int32(-1), d.elimination != nil || d.linked.gone > 0
	wasWidest, wasCentroid := d.bag >= 0 && d.bag == d.widest || d.linked.bag == "widest", d.bag >= 0 && d.bag == d.centroid || d.linked.bag == "centroid"
	d.hide()
	d.point(-1)
	d.found, d.centroid, d.widest, d.script = e, e.Root(), -1, nil
	if len(e.Sizes) > 0 {
		d.widest = int32(slices.Index(e.Sizes, slices.Max(e.Sizes)))
	}
	switch {
	case wasCentroid:
		bag = d.centroid
	case wasWidest:
		bag = d.widest
	}
	if eliminating {
		d.eliminate(timeline.To(float64(d.linked.gone)), m)
	} else {
		d.show(bag, m)
	}
	d.revision++
	return true
}

func (d *Treewidth) bags() int {
	if d.found == nil {
		return 0
	}
	return len(d.found.Parents)
}

// show shows a bag on the mesh, and the components that it leaves; -1 takes
// it away, or the elimination. It says whether that is news.
func (d *Treewidth) show(bag int32, m *Mesh) bool {
	if bag < -1 || int(bag) >= d.bags() || bag == d.bag && d.elimination == nil {
		return false
	}
	d.hide()
	if d.revision++; bag >= 0 {
		d.bag, d.holds = bag, d.found.Bag(bag)
		d.part, d.parts = leaves(m, d.holds)
		d.patched = patched(m.Faces, d.part)
	}
	return true
}

// point marks a bag's vertices on the mesh; -1 none's.
func (d *Treewidth) point(bag int32) {
	if d.pointed, d.marked = bag, nil; bag >= 0 {
		d.marked = d.found.Bag(bag)
	}
}

// leaves finds the components of a mesh's graph without some of its vertices:
// the component of each vertex, -1 for those taken out, and the components'
// sizes, the largest first.
func leaves(m *Mesh, without []int32) (part []int32, sizes []int) {
	part = make([]int32, m.Vertices())
	const unseen = -2
	for v := range part {
		part[v] = unseen
	}
	for _, v := range without {
		part[v] = -1
	}
	offsets, targets := m.Neighbours()
	type size struct{ number, count int32 }
	var found []size
	var stack []int32
	for v := range int32(len(part)) {
		if part[v] != unseen {
			continue
		}
		number := int32(len(found))
		count := int32(0)
		part[v] = number
		for stack = append(stack[:0], v); len(stack) > 0; count++ {
			u := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			for _, t := range targets[offsets[u]:offsets[u+1]] {
				if part[t] == unseen {
					part[t] = number
					stack = append(stack, t)
				}
			}
		}
		found = append(found, size{number, count})
	}
	slices.SortStableFunc(found, func(a, b size) int { return int(b.count - a.count) })
	rank := make([]int32, len(found))
	for i, f := range found {
		rank[f.number] = int32(i)
		sizes = append(sizes, int(f.count))
	}
	for v, p := range part {
		if p >= 0 {
			part[v] = rank[p]
		}
	}
	return part, sizes
}

// fill appends the vertices' colours: those of the components that the bag leaves, the largest first.
func (d *Treewidth) fill(dst []colormap.RGB, theme colormap.Theme) []colormap.RGB {
	colors := [colormap.Components + 2]colormap.RGB{colormap.Seam(theme)} // of part -1, which is the bag, and up
	for i := range colormap.Components + 1 {
		colors[1+i] = colormap.Component(i)
	}
	for _, p := range d.part {
		dst = append(dst, colors[1+min(p, colormap.Components)])
	}
	return dst
}

// legend are the bag and the components that it leaves: the largest with their sizes, and how many there are beside them.
func (d *Treewidth) legend(theme colormap.Theme) []LegendPart {
	parts := []LegendPart{{"bag", colormap.Separator(theme), MarkDot}}
	if d.patched {
		parts = append(parts, LegendPart{"within the bag", colormap.Seam(theme), MarkFill})
	}
	for i, n := range d.parts {
		if i == colormap.Components {
			return append(parts, LegendPart{fmt.Sprintf("%d smaller", len(d.parts)-i), colormap.Component(i), MarkFill})
		}
		parts = append(parts, LegendPart{counted(n), colormap.Component(i), MarkFill})
	}
	return parts
}

// Revision changes with what is shown; it is not 0 then.
func (d *Treewidth) Revision() int { return d.revision }

// Part is the component of each vertex that the bag shown leaves, -1 in the bag; nil without a bag. It must not be changed.
func (d *Treewidth) Part() []int32 { return d.part }

// dots appends the discs of the bag shown, or of the vertex that is
// eliminated and its neighbours.
func (d *Treewidth) dots(dst []Dot, theme colormap.Theme) []Dot {
	color := colormap.Separator(theme)
	if e := d.elimination; e != nil {
		if at := e.at(); at != nil {
			for _, v := range at.around {
				dst = append(dst, Dot{v, 1.15, color})
			}
			dst = append(dst, Dot{at.vertex, 1.7, colormap.Moving()})
		}
		return dst
	}
	for _, v := range d.holds {
		dst = append(dst, Dot{v, 1.1, color})
	}
	return dst
}

// markers appends the discs of the bag that is pointed at.
func (d *Treewidth) markers(dst []Dot) []Dot {
	for _, v := range d.marked {
		dst = append(dst, Dot{v, 1.3, colormap.Accent()})
	}
	return dst
}

// state is what the panel shows.
func (d *Treewidth) state(running bool) TreewidthState {
	st := TreewidthState{
		Running: running, Known: d.known, Lower: d.lower, Upper: d.upper, Exact: d.exact,
		Status: d.status, Stage: d.stage, Seconds: d.seconds,
		Bags: d.bags(), Widest: int(d.widest), Centroid: int(d.centroid), Shown: int(d.bag), Pointed: int(d.pointed),
		Bag: append([]int32{}, d.holds...), BagSize: len(d.holds), Parts: append([]int{}, d.parts...),
		Elimination: d.eliminationState(),
	}
	return st
}
