package scene

import (
	"math"

	"genussink/core/job"
	"genussink/viewer/colormap"
)

// Inspection is what a person looks at: a vertex, measured paths, and what the engine has found out about the mesh.
type Inspection struct {
	hover, focus int32      // vertices, -1 none
	picked       *PickState // what was clicked, nil: nothing
	paths        []measured
	removed      [][]measured // paths that were taken away, by step
	numbered     int          // paths so far
	unseen       bool         // the paths are not drawn

	found  *job.Inspected // nil before it was asked for
	shown  bool           // all defects are drawn
	kind   Defect         // of the one that is looked at
	item   int            // its number among its kind, -1 none
	lines  []Line         // that are drawn of them
	pieces [][]int32      // the edges of each small component
	aside  []bool         // what lies outside the small component that is looked at; nil: none is

	shownField
}

// reset looks at nothing.
func (i *Inspection) reset() {
	*i = Inspection{hover: -1, focus: -1, item: -1, shownField: shownField{origin: -1}}
}

// vertex is the vertex in focus, else the one pointed at; -1 none.
func (i *Inspection) vertex() int32 {
	if i.focus >= 0 {
		return i.focus
	}
	return i.hover
}

// markers appends the discs of what is looked at: the partners of the vertex's mass by their share, itself unless
// the brush hides it, and the ends of the paths.
func (i *Inspection) markers(dst []Dot, partners *job.Partnered, brush bool, m *OpenMesh) []Dot {
	if partners != nil && len(partners.Mass) > 0 {
		top := partners.Mass[0]
		for k := len(partners.Vertices) - 1; k >= 0; k-- {
			if w := m.vertex(partners.Vertices[k]); w >= 0 && top > 0 {
				size := float32(0.6 + 1.4*math.Sqrt(min(max(partners.Mass[k]/top, 0), 1)))
				dst = append(dst, Dot{w, size, colormap.Moving()})
			}
		}
	}
	at := int32(-1)
	if i.field == FieldDistance {
		at = i.origin
	}
	if i.picked != nil && i.picked.Vertex >= 0 {
		at = i.picked.Vertex
	}
	if at >= 0 {
		dst = append(dst, Dot{at, 1.6, PickedVertex()})
	}
	if v := i.vertex(); v >= 0 && !brush {
		dst = append(dst, Dot{v, 1.6, colormap.Source()})
	}
	for _, p := range i.paths {
		for _, w := range []int32{p.from, p.to} {
			if w >= 0 {
				dst = append(dst, Dot{w, 1.6, colormap.Path(p.number - 1)})
			}
		}
	}
	return dst
}
