package scene

import (
	"slices"

	"genussink/core/job"
)

// RepairState is what a repair has changed.
type RepairState struct {
	Step  string `json:"step"`
	Count int    `json:"count"` // vertices or faces that are gone, or faces turned over
}

// Repairable is how much a repair would change: vertices or faces that would go, or faces to turn over. Before the mesh is inspected it is 0.
func (i *Inspection) Repairable(step string) int {
	switch {
	case i.found == nil:
	case step == job.RepairWeld:
		return i.found.Doubles
	case step == job.RepairDegenerate:
		return i.Defects(DegenerateFace)
	case step == job.RepairIsolated:
		return i.Defects(IsolatedVertex)
	case step == job.RepairOrient:
		return i.Defects(FlippedFace)
	}
	return 0
}

// Repair opens the mesh again with one more repair, and inspects it. The densities stay where the vertices do.
func (s *Scene) Repair(step string) {
	if s.Inspection.Repairable(step) > 0 {
		s.repair(append(slices.Clone(s.Mesh.source.repairs), step), step)
	}
}

// UndoRepair opens the mesh again as it was before the last repair.
func (s *Scene) UndoRepair() {
	if last := len(s.Mesh.source.repairs) - 1; last >= 0 {
		s.repair(slices.Clone(s.Mesh.source.repairs[:last]), s.Mesh.source.repairs[last])
	}
}

// repair opens the mesh again with these repairs, which differ from those before by a step.
func (s *Scene) repair(repairs []string, step string) {
	sn, complete := s.Session()
	if !complete || !s.Mesh.Mends() {
		return
	}
	sn.Repairs = repairs
	if step == job.RepairWeld || step == job.RepairIsolated { // vertices have other numbers
		sn.Painting = nil
	}
	if err := s.OpenSession(sn); err != nil {
		s.Fail("Could not repair the mesh: " + err.Error() + ".")
		return
	}
	s.Mesh.coming.inspected = true
}

// Mends says whether the mesh can be repaired: it came from a file, and has faces.
func (o *OpenMesh) Mends() bool { return o.source.load != nil && o.ready() && !o.Graph() }

// repairs is what the repairs have changed.
func (o *OpenMesh) repairs() []RepairState {
	list := make([]RepairState, 0, len(o.repaired))
	for _, r := range o.repaired {
		list = append(list, RepairState(r))
	}
	return list
}
