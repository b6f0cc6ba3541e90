package scene

import (
	"reflect"
	"slices"
	"testing"

	"genussink/core/job"
	"genussink/viewer/pick"
)

// lines are the legend's layers that are on the screen, with their parts.
func lines(s *Scene) map[Layer][]string {
	on := map[Layer][]string{}
	for _, e := range s.Legend() {
		if !e.On && len(e.Parts) > 0 {
			on["parts of what is off"] = nil
		}
		if e.On {
			on[e.Layer] = []string{}
			for _, p := range e.Parts {
				on[e.Layer] = append(on[e.Layer], p.Name)
			}
		}
	}
	return on
}

// The legend lists what is on the screen, whatever a person looks at, and takes it off and puts it back.
func TestLegend(t *testing.T) {
	if got := New().Legend(); got == nil || len(got) != 0 {
		t.Errorf("without a mesh: %v", got)
	}
	r := ready(t)
	expect := func(when string, want map[Layer][]string) {
		t.Helper()
		got := lines(r.s)
		for layer, parts := range want {
			if have, ok := got[layer]; !ok || !slices.Equal(have, parts) {
				t.Errorf("%s: %s is %v, want %v", when, layer, have, parts)
			}
			delete(got, layer)
		}
		if len(got) > 0 {
			t.Errorf("%s: also %v", when, got)
		}
	}
	r.s.Playback.Pause()
	r.s.Playback.Seek(0.5)
	both := []string{"source", "target"}
	expect("on the way", map[Layer][]string{LayerDensities: both, LayerMass: {"on its way"}})
	r.s.Playback.Seek(0)
	expect("at the source", map[Layer][]string{LayerDensities: {"source"}, LayerMass: {"at the source"}})
	r.s.Playback.Seek(1)
	expect("at the target", map[Layer][]string{LayerDensities: {"target"}, LayerMass: {"at the target"}})
	r.s.Playback.Seek(0.5)
	r.s.Playback.Show(MassDensity)
	expect("as a density", map[Layer][]string{LayerMass: {"on its way: share of the mass per vertex"}})
	r.s.Playback.Show(MassParticles)
	r.s.Toggle(LayerMass)
	expect("without mass", map[Layer][]string{LayerDensities: both})
	r.s.Toggle(LayerDensities)
	expect("without both", map[Layer][]string{})
	r.s.Toggle(LayerDensities)
	r.s.Task(TaskSeparators)
	split := []string{"A", "B", "separator"}
	expect("separators", map[Layer][]string{LayerSplit: split})
	r.s.FocusCell(1)
	expect("one cell", map[Layer][]string{LayerSplit: split})
	r.s.Toggle(LayerDensities) // which the focus covers
	lie := []string{"source’s isolines", "target’s isolines"}
	expect("densities over the split", map[Layer][]string{LayerSplit: split, LayerDensities: lie})
	if r.s.Separation.cell != -1 {
		t.Error("the cell stays in focus")
	}
	r.s.Toggle(LayerSplit)
	expect("densities", map[Layer][]string{LayerDensities: both})
	r.s.Task(TaskTransport)
	r.s.Toggle(LayerMass)
	r.s.Toggle(LayerSplit)
	expect("the split under transport", map[Layer][]string{LayerSplit: {"separator"}, LayerDensities: both})
	r.s.Toggle(LayerSplit)
	expect("transport", map[Layer][]string{LayerDensities: both})

	r.s.FocusVertex(3)
	id, _ := one[*job.Partners](r)
	r.answer(id, &job.Partnered{Vertex: 3, Vertices: []int32{5}, Mass: []float64{1}})
	expect("a vertex in focus", map[Layer][]string{LayerDensities: both, LayerPartners: {"vertex", "partners of its mass"}})
	r.s.Toggle(LayerPartners)
	expect("none in focus", map[Layer][]string{LayerDensities: both})

	r.s.Task(TaskInspect)
	r.s.Inspect()
	id, _ = one[*job.Inspect](r)
	n := r.s.Mesh.Vertices()
	found := &job.Inspected{Degrees: make([]float64, n), IsolatedVertices: []int32{0}, BoundaryLoops: []job.Loop{{Vertices: []int32{0, 1, 0}}}}
	found.Degrees[0] = 3
	r.answer(id, found)
	expect("inspected", map[Layer][]string{LayerDefects: {"boundary", "isolated vertex"}})
	r.s.ShowField(FieldDegree)
	expect("a field", map[Layer][]string{LayerDefects: {"boundary", "isolated vertex"}, LayerField: {"degree"}})
	r.s.Toggle(LayerDefects)
	expect("the field alone", map[Layer][]string{LayerField: {"degree"}})
	r.s.LookAt(IsolatedVertex, 0)
	expect("one defect", map[Layer][]string{LayerDefects: {"isolated vertex"}, LayerField: {"degree"}})
	r.s.LookAt(0, -1)
	r.s.View.Wireframe(true)
	expect("the edges", map[Layer][]string{LayerEdges: {"of all faces"}, LayerField: {"degree"}})
	r.s.Toggle(LayerEdges)
	expect("without the edges", map[Layer][]string{LayerField: {"degree"}})
	r.s.Toggle(LayerMass) // which the field covers
	expect("mass", map[Layer][]string{LayerMass: {"on its way"}})
	r.s.pick(pick.Hit{Vertex: 3, Face: 0, Edge: [2]int32{3, 4}})
	r.s.View.Section("x", 0.5)
	expect("picked, and cut", map[Layer][]string{LayerMass: {"on its way"}, LayerPick: {"vertex", "edge", "face"}, LayerSection: {"where the mesh is cut"}})
	r.s.Toggle(LayerPick)
	r.s.Toggle(LayerSection)
	r.s.Toggle("height")
	expect("a layer that there is not", map[Layer][]string{LayerMass: {"on its way"}})
}

// Colours of more than one thing are in the legend while they are seen: of faces that separators or a bag have to themselves, and of vertices
// that have both densities.
func TestLegendOfMixedColours(t *testing.T) {
	r := ready(t)
	tells := func(when string, layer Layer, part string, want bool) {
		t.Helper()
		if parts := lines(r.s)[layer]; slices.Contains(parts, part) != want {
			t.Errorf("%s: %s has %v; %q is among them: want %t", when, layer, parts, part, want)
		}
	}
	r.s.Task(TaskSeparators)
	tells("separators", LayerSplit, "within separators", false)
	found := *r.s.Separation.tree
	found.Cells = slices.Clone(found.Cells)
	for _, v := range r.s.Mesh.Faces[:3] {
		found.Cells[v] = 0
	}
	r.s.Separation.tree = &found
	tells("a face of separators", LayerSplit, "within separators", true)
	r.s.Task(TaskTransport)
	tells("lines of separators", LayerSplit, "within separators", false)

	studiedBag(r.s, func(TreewidthState) int { return 0 })
	tells("a bag with a face", LayerBag, "within the bag", true)
	r.s.ShowBag(-1)
	studiedBag(r.s, func(TreewidthState) int { return -1 })
	if r.s.Treewidth.patched {
		t.Error("a bag that is gone has a face")
	}

	r.s.Task(TaskTransport)
	r.s.Playback.Pause()
	r.s.Playback.Seek(0.5)
	tells("densities apart", LayerDensities, "both", false)
	r.s.Clear()
	r.paintOn(ToolSource, 31)
	r.paintOn(ToolTarget, 31)
	r.s.BrushTool(ToolNone)
	tells("densities in one place", LayerDensities, "both", true)
	r.s.View.Densities(false)
	tells("no densities", LayerDensities, "both", false)
}

// What the legend takes off stays in it, and comes back: a bag, a field, a section, what was picked, partners and a question.
func TestLegendBringsBack(t *testing.T) {
	s := studied(t)
	s.Task(TaskTreewidth)
	s.ShowBag(2)
	listed := func(layer Layer) (there, on bool) {
		for _, e := range s.Legend() {
			if e.Layer == layer {
				return true, e.On
			}
		}
		return false, false
	}
	toggle := func(layer Layer, want bool) {
		t.Helper()
		s.Toggle(layer)
		if there, on := listed(layer); !there || on != want {
			t.Errorf("%s: listed %v, on %v, want %v", layer, there, on, want)
		}
	}
	toggle(LayerBag, false)
	if s.Treewidth.bag != -1 {
		t.Error("the bag stays")
	}
	toggle(LayerBag, true)
	if s.Treewidth.bag != 2 {
		t.Errorf("bag %d comes back, want 2", s.Treewidth.bag)
	}
	s.Toggle(LayerBag)
	s.Task(TaskTransport)
	if there, _ := listed(LayerBag); there {
		t.Error("another task lists the bag that was taken off")
	}

	r := ready(t)
	s = r.s
	s.Task(TaskInspect)
	s.ShowField(FieldLevel)
	toggle(LayerField, false)
	toggle(LayerField, true)
	if s.Inspection.field != FieldLevel {
		t.Errorf("the field %q comes back", s.Inspection.field)
	}
	s.View.Section("x", 0.25)
	toggle(LayerSection, false)
	toggle(LayerSection, true)
	if got := s.View.looks.Section; got.Axis != "x" || got.Position != 0.25 {
		t.Errorf("the section %+v comes back", got)
	}
	s.pick(pick.Hit{Vertex: 3, Face: 0, Edge: [2]int32{3, 4}})
	before := *s.Inspection.picked
	toggle(LayerPick, false)
	toggle(LayerPick, true)
	if got := *s.Inspection.picked; got != before {
		t.Errorf("%+v comes back, want %+v", got, before)
	}

	s.Task(TaskTransport)
	r.run()
	s.FocusVertex(2)
	partners := func() {
		t.Helper()
		id, asked := one[*job.Partners](r)
		r.answer(id, &job.Partnered{Vertex: asked.Vertex, Vertices: []int32{5}, Mass: []float64{1}})
		if there, on := listed(LayerPartners); !there || !on || s.Inspection.focus != 2 {
			t.Errorf("partners of %d, listed %v, on %v", s.Inspection.focus, there, on)
		}
	}
	partners()
	toggle(LayerPartners, false)
	s.Toggle(LayerPartners)
	partners()
	s.FocusVertex(-1)
	r.run()
	s.BrushTool(ToolGoes)
	s.StrokeBegin(0)
	r.run()
	s.StrokeEnd()
	asked := s.State().Query
	toggle(LayerQuery, false)
	toggle(LayerQuery, true)
	r.run()
	if got := s.State().Query; !reflect.DeepEqual(got, asked) || s.Brush.tool != ToolGoes {
		t.Errorf("the question %+v comes back, want %+v", got, asked)
	}
}
