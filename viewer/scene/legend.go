package scene

import (
	"fmt"
	"slices"

	"genussink/viewer/colormap"
	"genussink/viewer/pick"
	"genussink/viewer/timeline"
)

// Layer is something that lies on the mesh or colours it.
type Layer string

// The layers, in the order in which the legend lists them.
const (
	LayerSplit     Layer = "split"     // the separators and the cells between them
	LayerBag       Layer = "bag"       // a bag and the components that it leaves, or an elimination
	LayerField     Layer = "field"     // a number of every vertex
	LayerQuery     Layer = "query"     // where the mass of some vertices goes, or comes from
	LayerDefects   Layer = "defects"   // what is wrong with the mesh
	LayerDensities Layer = "densities" // source and target
	LayerChange    Layer = "change"    // destroyed and created mass
	LayerBetween   Layer = "between"   // the barycentre of paintings
	LayerMass      Layer = "mass"      // on the move
	LayerArrows    Layer = "arrows"    // the net flow of mass
	LayerPartners  Layer = "partners"  // of the vertex in focus; not of one that is pointed at: the line would come and go with the pointer
	LayerBlock     Layer = "block"     // a block of the kernel
	LayerPath      Layer = "path"      // measured, between two vertices each
	LayerPick      Layer = "pick"      // what was clicked
	LayerSection   Layer = "section"   // along which the mesh is cut
	LayerEdges     Layer = "edges"     // of the mesh's faces
)

// layerNames are the legend's.
var layerNames = map[Layer]string{
	LayerSplit: "Split", LayerBag: "Bag", LayerField: "Field", LayerQuery: "Question", LayerDefects: "Defects", LayerDensities: "Densities", LayerChange: "Change",
	LayerBetween: "Barycentre", LayerMass: "Mass", LayerArrows: "Arrows", LayerPartners: "Partners", LayerBlock: "Block", LayerPath: "Paths", LayerPick: "Picked", LayerSection: "Section", LayerEdges: "Edges",
}

// Name is the layer's in the legend.
func (l Layer) Name() string { return layerNames[l] }

// Mark is how something is drawn.
type Mark string

// The marks.
const (
	MarkFill  Mark = "fill"  // the surface's colour
	MarkScale Mark = "scale" // the colours of a field, from its lowest to its highest value
	MarkRamp  Mark = "ramp"  // the surface's colour, from none of it to most
	MarkLine  Mark = "line"
	MarkDot   Mark = "dot"
)

// LegendEntry is a layer that is on the screen, or that was and can be shown again.
type LegendEntry struct {
	Layer Layer        `json:"layer"`
	On    bool         `json:"on"`    // it is on the screen
	Parts []LegendPart `json:"parts"` // what of it is on the screen: empty where it is not
}

// LegendPart is a meaning of a colour.
type LegendPart struct {
	Name  string       `json:"name"`
	Color colormap.RGB `json:"color"`
	Mark  Mark         `json:"mark"`
}

// defectWords are the kinds of defects in the legend.
var defectWords = [defectCount]string{"boundary", "non-manifold edge", "non-manifold vertex", "degenerate face", "flipped face", "isolated vertex", "small component"}

// Legend lists what is on the screen and what its colours mean. Layers that are not on the screen, but are there to be shown, are off.
func (s *Scene) Legend() []LegendEntry {
	list := []LegendEntry{}
	if !s.Mesh.ready() {
		return list
	}
	on, theme := s.Showing(), s.View.Theme()
	add := func(layer Layer, shown bool, parts ...LegendPart) {
		if !shown || parts == nil {
			parts = []LegendPart{}
		}
		list = append(list, LegendEntry{layer, shown, parts})
	}
	taken := func(layer Layer) { // unless it is listed
		if off, ok := s.shelf[layer]; ok && off.task == s.task && !slices.ContainsFunc(list, func(e LegendEntry) bool { return e.Layer == layer }) {
			add(layer, false)
		}
	}
	if s.Separation.tree != nil {
		parts := []LegendPart{{"separator", colormap.Separator(theme), MarkLine}}
		if !on.Hairline {
			parts = append([]LegendPart{{"A", colormap.Left().RGB(), MarkFill}, {"B", colormap.Right().RGB(), MarkFill}}, parts...)
			if on.Fill == FillSeparation && s.Separation.patched(s.Mesh.Mesh) {
				parts = append(parts, LegendPart{"within separators", colormap.Seam(theme), MarkFill})
			}
		}
		add(LayerSplit, on.Fill == FillSeparation || on.Hairline, parts...)
	}
	switch on.Fill {
	case FillBag:
		add(LayerBag, true, s.Treewidth.legend(theme)...)
	case FillElimination:
		add(LayerBag, true, LegendPart{"eliminated last", colormap.Moving(), MarkDot}, LegendPart{"its neighbours", colormap.Separator(theme), MarkDot},
			LegendPart{"fill edges", colormap.Moving(), MarkLine})
	case FillQuery:
		what := "where their mass goes"
		if s.Query.side == targetSide {
			what = "where their mass comes from"
		}
		add(LayerQuery, true, LegendPart{"selected vertices", colormap.Accent(), MarkFill}, LegendPart{what, colormap.Moving(), MarkFill})
	case FillField:
		parts := []LegendPart{{string(s.Inspection.field), colormap.Viridis(1), MarkScale}}
		if s.Inspection.field == FieldDistance {
			parts = s.Inspection.front.legend(parts, theme)
		}
		add(LayerField, true, parts...)
	}
	for _, l := range [...]Layer{LayerBag, LayerField, LayerQuery} {
		taken(l)
	}
	if s.Inspection.found != nil && s.task == TaskInspect {
		var parts []LegendPart
		some := false
		for k := range defectCount {
			if s.Inspection.Defects(k) == 0 {
				continue
			}
			some = true
			if s.Inspection.shown || s.Inspection.item >= 0 && s.Inspection.kind == k {
				parts = append(parts, LegendPart{defectWords[k], colormap.Defect(int(k)), MarkLine})
			}
		}
		if some {
			add(LayerDefects, parts != nil, parts...)
		}
	}
	dense := on.Mass != AtRest && on.Moving == MassDensity
	var densities []LegendPart
	source, target, mark := "source", "target", MarkFill
	switch {
	case s.Iterations.frame() != nil:
		source, target = "the plan’s rows", "the plan’s columns"
	case on.Outlines && s.Mesh.Graph():
		mark = MarkDot
	case on.Outlines:
		source, target, mark = "source’s isolines", "target’s isolines", MarkLine
	}
	if (on.Outlines || on.Mass != AtTarget && !dense) && s.Densities.mass(sourceSide) > 0 {
		densities = append(densities, LegendPart{source, colormap.Source(), mark})
	}
	if (on.Outlines || on.Mass != AtSource && !dense) && s.Densities.mass(targetSide) > 0 {
		densities = append(densities, LegendPart{target, colormap.Target(), mark})
	}
	if len(densities) == 2 && mark == MarkFill && s.cover(on).mixes() {
		densities = append(densities, LegendPart{"both", bothColor(), MarkFill})
	}
	if s.Iterations.frame() != nil && !s.Mesh.Graph() {
		densities = append(densities, LegendPart{"isolines: what is wanted", colormap.Source(), MarkLine})
	}
	switch {
	case s.Matrix.pointed():
		add(LayerDensities, true, LegendPart{"the row’s cell", colormap.Source(), MarkFill}, LegendPart{"the column’s cell", colormap.Target(), MarkFill})
	case !dense || on.Outlines: // else the mass is shown in their place
		add(LayerDensities, (on.Densities || on.Outlines) && densities != nil, densities...)
	}
	if s.Transport.unbalanced() {
		parts := []LegendPart{{"destroyed", colormap.Source(), MarkFill}, {"created", colormap.Target(), MarkFill}}
		if on.Change && s.cover(on).mixes() {
			parts = append(parts, LegendPart{"both", bothColor(), MarkFill})
		}
		add(LayerChange, on.Change, parts...)
	}
	if s.Barycentre.found != nil {
		add(LayerBetween, on.Between, LegendPart{"between the paintings, none to most", colormap.Between(), MarkRamp})
	}
	// Mass at rest is no layer: the densities show it, and nothing is there to take off or to put back.
	if moving := on.Mass != AtRest; moving || s.Playback.flow != nil && (!s.View.looks.Flow || !s.uncovered()) {
		mark := MarkDot
		what := map[Stance]string{AtSource: "at the source", InMotion: "on its way", AtTarget: "at the target"}[on.Mass]
		if dense {
			mark, what = MarkRamp, what+": share of the mass per vertex"
		}
		add(LayerMass, moving, LegendPart{what, on.Mass.Color(), mark})
	}
	if s.Playback.flow != nil {
		add(LayerArrows, on.Arrows, LegendPart{"net flow", colormap.Moving(), MarkLine})
	}
	if v := s.Inspection.focus; v >= 0 && s.task == TaskTransport && s.Transport.partnersOf(v) != nil {
		add(LayerPartners, true, LegendPart{"vertex", colormap.Source(), MarkDot}, LegendPart{"partners of its mass", colormap.Moving(), MarkDot})
	}
	taken(LayerPartners)
	if s.Blocks.found != nil {
		add(LayerBlock, true, LegendPart{"rows", colormap.Left().RGB(), MarkDot}, LegendPart{"columns", colormap.Right().RGB(), MarkDot}, LegendPart{"hubs", colormap.Separator(theme), MarkDot})
	}
	taken(LayerBlock)
	var paths []LegendPart
	for _, p := range s.Inspection.paths {
		if p.path != nil {
			paths = append(paths, LegendPart{fmt.Sprint(p.number), colormap.Path(p.number - 1), MarkLine})
		}
	}
	if paths != nil {
		add(LayerPath, !s.Inspection.unseen, paths...)
	}
	if p := s.Inspection.picked; p != nil {
		add(LayerPick, true, p.legend()...)
	}
	taken(LayerPick)
	if s.View.looks.Section.Axis != "" && !s.Mesh.Graph() {
		add(LayerSection, true, LegendPart{"where the mesh is cut", colormap.Accent(), MarkLine})
	}
	taken(LayerSection)
	if s.View.looks.Wireframe && !s.Mesh.Graph() {
		add(LayerEdges, true, LegendPart{"of all faces", colormap.Wire(theme), MarkLine})
	}
	taken(LayerEdges)
	return list
}

// bothColor is the colour of a vertex that has as much of the source as of the target.
func bothColor() colormap.RGB { return colormap.Mix(colormap.Source(), colormap.Target(), 0.5) }

// patched says whether some face has all three corners in separators, or in a bag: there the number of the cell is -1. Such a face has a colour of its own,
// colormap.Seam.
func patched(faces, cells []int32) bool {
	for f := 0; f+2 < len(faces); f += 3 {
		if cells[faces[f]] < 0 && cells[faces[f+1]] < 0 && cells[faces[f+2]] < 0 {
			return true
		}
	}
	return false
}

// uncovered says whether densities and mass may be shown: nothing is looked at for its graph alone.
func (s *Scene) uncovered() bool {
	return !s.Iterations.shown && s.Blocks.found == nil && !s.Barycentre.visible() && !s.Transport.margins.shown && s.Inspection.values == nil && !s.Query.shown() && s.Separation.cell < 0 && !s.Treewidth.shown()
}

// uncover ends what keeps densities and mass from being shown.
func (s *Scene) uncover() {
	s.ShowChange(false)
	s.ShowBarycentre(false)
	s.ShowField(FieldNone)
	s.stopAsking()
	s.FocusCell(-1)
	s.ShowBag(-1)
	s.HideIterations()
}

// stopAsking puts the tool down that asks, if it is in hand: the question ends with it.
func (s *Scene) stopAsking() {
	if _, ok := asking[s.Brush.tool]; ok {
		s.BrushTool(ToolNone)
	}
}

// shelved says how a layer comes back that the legend took off the screen. The legend lists it in one task.
type shelved struct {
	task Task
	back func()
}

// shelve keeps a layer that is taken off in the legend.
func (s *Scene) shelve(layer Layer, back func()) {
	if s.shelf == nil {
		s.shelf = map[Layer]shelved{}
	}
	s.shelf[layer] = shelved{s.task, back}
}

// Toggle takes a layer off the screen, or puts it there: what would cover it goes.
func (s *Scene) Toggle(layer Layer) {
	shown := false
	for _, e := range s.Legend() {
		shown = shown || e.Layer == layer && e.On
	}
	if off, ok := s.shelf[layer]; ok && !shown {
		off.back()
		return
	}
	switch layer {
	case LayerSplit:
		if !shown {
			s.ShowField(FieldNone)
			s.ShowBarycentre(false)
			s.stopAsking()
			s.ShowBag(-1)
		}
		s.View.Split(!shown)
	case LayerDensities:
		s.HideIterations()
		if !shown {
			s.uncover()
		}
		s.View.Densities(!shown)
	case LayerChange:
		if !shown {
			s.uncover()
		}
		s.ShowChange(!shown)
	case LayerBetween:
		s.ShowBarycentre(!shown)
	case LayerMass:
		if !shown {
			s.uncover()
			s.ShowBlock(-1)
		}
		s.View.Flow(!shown)
	case LayerArrows:
		if !shown {
			s.uncover()
			s.ShowBlock(-1)
		}
		s.View.Arrows(!shown)
	case LayerBag:
		if at := s.Treewidth.timeline.At(); s.Treewidth.elimination != nil {
			s.shelve(layer, func() { s.Eliminate(timeline.To(at)) })
		} else if bag := int(s.Treewidth.bag); bag >= 0 {
			s.shelve(layer, func() { s.ShowBag(bag) })
		}
		s.ShowBag(-1)
	case LayerQuery:
		tool, q := s.Brush.tool, s.Query
		s.shelve(layer, func() {
			s.BrushTool(tool)
			s.Query.begin(q.side, len(q.set))
			s.selected(q.vertices())
		})
		s.stopAsking()
	case LayerField:
		field := s.Inspection.field
		s.shelve(layer, func() { s.ShowField(field) })
		s.ShowField(FieldNone)
	case LayerDefects:
		s.ShowDefects(!shown)
		s.LookAt(0, -1)
	case LayerPartners:
		vertex := s.Inspection.focus
		s.shelve(layer, func() { s.FocusVertex(vertex) })
		s.FocusVertex(-1)
	case LayerBlock:
		if b := s.Blocks.found; b != nil {
			s.shelve(layer, func() { s.ShowBlock(b.Number) })
		}
		s.ShowBlock(-1)
	case LayerPick:
		if p := s.Inspection.picked; p != nil {
			s.shelve(layer, func() { s.pick(pick.Hit{Vertex: p.Vertex, Edge: p.Edge, Face: p.Face}) })
		}
		s.LetGo()
	case LayerSection:
		cut := s.View.looks.Section
		s.shelve(layer, func() { s.View.Section(cut.Axis, s.View.looks.Section.Position) })
		s.View.Section("", cut.Position)
	case LayerEdges:
		s.shelve(layer, func() { s.View.Wireframe(true) })
		s.View.Wireframe(false)
	case LayerPath:
		s.Inspection.unseen = shown
		s.redrawLines()
		s.changed()
	}
}
