package scene

import (
	"slices"
	"testing"

	"genussink/core/job"
)

// What is asked for is what is shown: cells down to the level, separators in their colour, the plan where there is one.
func TestExport(t *testing.T) {
	r := ready(t)
	s := r.s
	s.View.Split(true)
	s.Separation.Level(1)
	s.Export("obj")
	if len(r.take()) > 0 {
		t.Error("a file in a format that is none")
	}
	s.Export("glb")
	if s.Phase() != PhaseComputing || s.State().Status != "Writing the file…" {
		t.Errorf("meanwhile: %s, %q", s.Phase(), s.State().Status)
	}
	id, asked := one[*job.Export](r)
	n := s.Mesh.Vertices()
	if asked.Format != "glb" || asked.Mesh != "grid" || !asked.Moved || len(asked.Source) != n || len(asked.Target) != n || len(asked.Colors) != 3*n {
		t.Errorf("asked for %s of %s, plan %v, %d and %d densities, %d channels", asked.Format, asked.Mesh, asked.Moved, len(asked.Source), len(asked.Target), len(asked.Colors))
	}
	// A tree that ends below the level has the same cells.
	short := tree(n, 2)
	if want := Cells(short, 1); !slices.Equal(asked.Cells, want) {
		t.Errorf("cells %v, want %v", asked.Cells, want)
	}
	for v, c := range asked.Cells {
		node := short.Cells[v]
		if separator := !isLeaf(short.Nodes[node]); separator != (c == -1) || !separator && c != node {
			t.Fatalf("vertex %d of the node %d is in cell %d", v, node, c)
		}
	}
	for _, d := range s.Dots(nil) {
		if asked.Cells[d.Vertex] != -1 || !slices.Equal(asked.Colors[3*d.Vertex:3*d.Vertex+3], Channels(s.Painted()[d.Vertex:d.Vertex+1])) {
			t.Errorf("the disc of vertex %d: cell %d", d.Vertex, asked.Cells[d.Vertex])
		}
	}
	if file := s.Exported(); file != nil {
		t.Errorf("a file before it came: %v", file)
	}
	r.answer(id, &job.Exported{Format: "glb", Data: []byte("glTF")})
	if file := s.Exported(); file == nil || string(file.Data) != "glTF" || s.Exported() != nil {
		t.Errorf("the file %v, once", file)
	}

	s.Export("csv")
	r.take()
	s.Cancel()
	if s.flight.has(toExport) || s.State().Status != "Cancelled." {
		t.Errorf("cancelled: %q", s.State().Status)
	}
	r.take()
	s.Epsilon(0.5) // the plan is of another problem now
	s.Export("csv")
	if _, asked := one[*job.Export](r); asked.Moved {
		t.Error("a displacement of a plan that is stale")
	}
}
