package engine_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"genussink/core/engine"
	"genussink/core/internal/shared"
	"genussink/core/job"
)

// Of a graph without faces the vertices without an edge are isolated, and no others: as its report counts them.
func TestInspectGraph(t *testing.T) {
	c := newClient(t, engine.Options{})
	l := ask[*job.Loaded](c, &job.Load{Name: "a.gr", Data: []byte("p tw 5 3\n1 2\n2 3\n3 1\n")})
	r := ask[*job.Inspected](c, &job.Inspect{})
	if !slices.Equal(r.IsolatedVertices, []int32{3, 4}) || l.Report.IsolatedVertices != 2 {
		t.Errorf("isolated: %v, by the report %d", r.IsolatedVertices, l.Report.IsolatedVertices)
	}
}

// A strip of two squares with one face turned over, one without area and a vertex of no face, in two sizes.
func TestInspect(t *testing.T) {
	const text = "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 0 1 0\nv 1 1 0\nv 2 1 0\nv 5 5 5\n" +
		"f 1 2 5\nf 1 5 4\nf 2 3 6\nf 2 5 6\nf 1 2 2\n"
	for factor, data := range map[float64]string{1: text, 1024: strings.NewReplacer("v 1 ", "v 1024 ", "v 2 ", "v 2048 ", " 1 0\n", " 1024 0\n", "5 5 5", "5120 5120 5120").Replace(text)} {
		c := newClient(t, engine.Options{})
		ask[*job.Loaded](c, &job.Load{Name: "strip.obj", Data: []byte(data)})
		r := ask[*job.Inspected](c, &job.Inspect{})
		one := func(what string, list []int32, want int32) {
			t.Helper()
			if len(list) != 1 || list[0] != want {
				t.Errorf("%s: %v, want %d", what, list, want)
			}
		}
		one("flipped faces", r.FlippedFaces, 3)
		one("faces without area", r.DegenerateFaces, 4)
		one("vertices without a face", r.IsolatedVertices, 6)
		if len(r.BoundaryLoops) != 1 || len(r.BoundaryLoops[0].Vertices) != 7 || len(r.NonmanifoldEdges)+len(r.NonmanifoldVertices) != 0 {
			t.Errorf("boundary %v, non-manifold %v %v", r.BoundaryLoops, r.NonmanifoldEdges, r.NonmanifoldVertices)
		}
		if len(r.EdgeLengths) != 9 || len(r.Edges) != 18 || r.EdgeLengths[0] != factor || r.Degrees[0] != 3 || r.Degrees[6] != 0 {
			t.Errorf("edges %v of lengths %v, degrees %v", r.Edges, r.EdgeLengths, r.Degrees)
		}
		if len(r.SmallComponents) != 0 {
			t.Errorf("components %v", r.SmallComponents)
		}
		for i, angle := range r.Angles {
			if angle != 0 {
				t.Errorf("the flat strip bends by %g degrees at %v", angle, r.Bent[2*i:2*i+2])
			}
		}
		for v, k := range r.Mean {
			if !math.IsNaN(k) { // all of it is boundary
				t.Errorf("mean curvature %g at vertex %d", k, v)
			}
		}
	}
	// Two triangles apart.
	c := newClient(t, engine.Options{})
	ask[*job.Loaded](c, &job.Load{Name: "two.obj", Data: []byte("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 5 0 0\nv 6 0 0\nv 5 1 0\nf 1 2 3\nf 4 5 6\n")})
	if r := ask[*job.Inspected](c, &job.Inspect{}); len(r.SmallComponents) != 1 || !slices.Equal(r.SmallComponents[0].Vertices, []int32{3, 4, 5}) {
		t.Errorf("components %v", r.SmallComponents)
	}
	// Curvatures are per mesh unit: those of a tetrahedron of edges sqrt(8) by hand, and a thousandth in size.
	for _, factor := range []float64{1, 0.001} {
		var text strings.Builder
		for _, p := range [][3]float64{{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}} {
			fmt.Fprintln(&text, "v", factor*p[0], factor*p[1], factor*p[2])
		}
		text.WriteString("f 1 2 3\nf 1 4 2\nf 1 3 4\nf 2 4 3\n")
		c := newClient(t, engine.Options{})
		ask[*job.Loaded](c, &job.Load{Name: "solid.obj", Data: []byte(text.String())})
		r := ask[*job.Inspected](c, &job.Inspect{})
		area := 2 * math.Sqrt(3) // a quarter of the surface
		if got, want := r.Gaussian[0]*factor*factor, math.Pi/area; !(math.Abs(got-want) < 1e-9) {
			t.Errorf("Gaussian curvature %g / factor^2, want %g", got, want)
		}
		// The edges at a vertex add up to four times the way to the middle, each with cotangents of 60 degrees on either side.
		if got, want := r.Mean[0]*factor, 4*math.Sqrt(3)/math.Sqrt(3)/(2*area); !(math.Abs(got-want) < 1e-9) {
			t.Errorf("mean curvature %g / factor, want %g", got, want)
		}
	}
}

// broken is a square of two triangles that share no vertex, the second turned over, with a face without area and a vertex of no face.
const broken = "v 0 0 0\nv 9 9 9\nv 1 0 0\nv 1 1 0\nv 0 0 0\nv 1 1 0\nv 0 1 0\nf 1 3 4\nf 5 7 6\nf 5 7 7\n"

// Repairs are made in order when a file is opened, and what each has changed is said. Another engine opens the mended mesh.
func TestRepairs(t *testing.T) {
	c := newClient(t, engine.Options{})
	ask[*job.Loaded](c, &job.Load{Name: "a.obj", Data: []byte(broken)})
	if r := ask[*job.Inspected](c, &job.Inspect{}); r.Doubles != 2 {
		t.Errorf("%d vertices at the place of another", r.Doubles)
	}
	steps := []string{job.RepairWeld, job.RepairDegenerate, job.RepairIsolated, job.RepairOrient}
	var opened *job.Opened
	var loaded *job.Loaded
	engine.New(engine.Options{}).Run(context.Background(), job.Request{ID: 1, Body: &job.Load{Name: "a.obj", Data: []byte(broken), Repairs: steps}}, func(e job.Event) {
		switch b := e.Body.(type) {
		case *job.Opened:
			opened = b
		case *job.Loaded:
			loaded = b
		}
	})
	if opened == nil || loaded == nil || !slices.Equal(opened.Repaired, []job.Repaired{{Step: "weld", Count: 2}, {Step: "degenerate", Count: 1}, {Step: "isolated", Count: 1}, {Step: "orient", Count: 1}}) {
		t.Fatalf("opened %+v", opened)
	}
	for what, l := range map[string]*job.Loaded{"opened": loaded, "adopted": ask[*job.Loaded](newClient(t, engine.Options{}), opened)} {
		if r := l.Report; r.Vertices != 4 || r.Faces != 2 || r.Components != 1 || !r.Oriented {
			t.Errorf("%s: %+v", what, r)
		}
	}
	for _, l := range []*job.Load{
		{Name: "a.obj", Data: []byte(broken), Repairs: []string{"polish"}},
		{Name: "a.gr", Data: []byte("p tw 2 1\n1 2\n"), Repairs: []string{job.RepairWeld}},
		{Name: "a.obj", Data: []byte("v 0 0 0\nv 1 0 0\nf 1 2 2\n"), Repairs: []string{job.RepairDegenerate}},
	} {
		if f := ask[*job.Failed](c, l); f.Kind != "input" || !strings.Contains(f.Message, "repair") {
			t.Errorf("%s of %s: %+v", l.Repairs, l.Name, f)
		}
	}
}

// A file that came broken is mended.
func TestRepairsOfSharedFile(t *testing.T) {
	data, err := os.ReadFile(shared.Path(t, filepath.FromSlash("meshes/manifold__112932.stl")))
	if err != nil {
		t.Fatal(err)
	}
	c := newClient(t, engine.Options{})
	before := ask[*job.Loaded](c, &job.Load{Name: "a.stl", Data: data}).Report
	after := ask[*job.Loaded](c, &job.Load{Name: "a.stl", Data: data, Repairs: []string{job.RepairDegenerate}}).Report
	if before.DegenerateFaces == 0 || after.DegenerateFaces != 0 || after.Faces != before.Faces-before.DegenerateFaces {
		t.Errorf("%+v, mended %+v", before, after)
	}
}
