package scene

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"genussink/core/job"
)

// reopened answers the request that opens a mesh, which must have these repairs, and what is asked then. It says what that was.
func (r *rig) reopened(found *job.Inspected, repaired ...job.Repaired) (asked []string) {
	r.t.Helper()
	var steps []string
	for _, x := range repaired {
		steps = append(steps, x.Step)
	}
	for _, q := range r.take() {
		if load, ok := q.Body.(*job.Load); ok {
			if !slices.Equal(load.Repairs, steps) || string(load.Data) != "x" {
				r.t.Fatalf("opens %+v, want repairs %v", load, steps)
			}
			r.answer(q.ID, &job.Opened{Name: load.Name, Format: "off", Positions: r.mesh.Positions, Faces: r.mesh.Faces, Diagonal: 10, Repaired: repaired})
			r.answer(q.ID, r.mesh)
		}
	}
	n := r.s.Mesh.Vertices()
	first := job.Measured{Source: make([]float64, n), Target: make([]float64, n)}
	first.Source[0], first.Target[1] = 1, 1
	for _, q := range r.take() {
		asked = append(asked, reflect.TypeOf(q.Body).Elem().Name())
		switch b := q.Body.(type) {
		case *job.Inspect:
			r.answer(q.ID, found)
		case *job.Measure:
			r.answer(q.ID, &first)
		case *job.Paint:
			r.answer(q.ID, &job.Painted{States: slices.Repeat([]job.Measured{first}, len(b.Steps)-b.First+1)})
		default:
			r.s.flight.outbox = append(r.s.flight.outbox, q)
		}
	}
	r.run()
	return asked
}

func TestRepair(t *testing.T) {
	r := ready(t)
	r.s.OpenFile("a.off", []byte("x"), nil, "")
	r.run()
	r.s.Task(TaskInspect)
	if r.s.Repair(job.RepairOrient); len(r.take()) != 0 {
		t.Error("what is not inspected is repaired")
	}
	r.s.Inspect()
	id, _ := one[*job.Inspect](r)
	found := findings(r.s.Mesh.Mesh)
	found.Doubles = 3
	r.answer(id, found)
	for step, n := range map[string]int{job.RepairWeld: 3, job.RepairDegenerate: 0, job.RepairIsolated: 1, job.RepairOrient: 1, "polish": 0} {
		if got := r.s.Inspection.Repairable(step); got != n {
			t.Errorf("%s would change %d, want %d", step, got, n)
		}
	}
	if r.s.Repair(job.RepairDegenerate); len(r.take()) != 0 {
		t.Error("a repair that changes nothing opens the mesh again")
	}

	// The mesh is opened again with the repair, inspected again, and painted again where its vertices stay.
	r.s.Repair(job.RepairOrient)
	if asked := r.reopened(found, job.Repaired{Step: "orient", Count: 1}); !slices.Contains(asked, "Inspect") || !slices.Contains(asked, "Paint") {
		t.Errorf("of the oriented mesh is asked: %v", asked)
	}
	if st := r.s.State(); st.Task != TaskInspect || !reflect.DeepEqual(st.Repairs, []RepairState{{"orient", 1}}) || !st.Findings.Shown {
		t.Errorf("repaired: task %s, %+v, %+v", st.Task, st.Repairs, st.Findings)
	}
	if sn, complete := r.s.Session(); !complete || !slices.Equal(sn.Repairs, []string{"orient"}) || len(sn.File.Repairs) != 0 {
		t.Fatalf("the session: %v %+v", complete, sn)
	}
	r.s.Preset("uniform")
	r.run()
	if line, needs := r.s.Command("solve", "", Look{}); !strings.HasPrefix(line, "genussink solve a.genussink ") || !strings.Contains(needs, "repaired") {
		t.Errorf("the tool's line is %q, it needs %q", line, needs)
	}

	// Where vertices go the densities begin anew.
	r.s.Repair(job.RepairWeld)
	if asked := r.reopened(found, job.Repaired{Step: "orient", Count: 1}, job.Repaired{Step: "weld", Count: 3}); !slices.Contains(asked, "Measure") {
		t.Errorf("of the welded mesh is asked: %v", asked)
	}
	r.s.UndoRepair()
	r.reopened(found, job.Repaired{Step: "orient", Count: 1})
	if st := r.s.State(); len(st.Repairs) != 1 || st.Task != TaskInspect {
		t.Errorf("undone: %+v", st.Repairs)
	}

	// A mesh that no file made is not repaired.
	g := ready(t)
	g.run()
	g.s.Task(TaskInspect)
	g.s.Inspect()
	id, _ = one[*job.Inspect](g)
	g.answer(id, findings(g.s.Mesh.Mesh))
	if g.s.Repair(job.RepairOrient); len(g.take()) != 0 || g.s.Mesh.Mends() {
		t.Error("a generated mesh is repaired")
	}
}
