package engine_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"testing"

	"genussink/core/engine"
	"genussink/core/job"
	"genussink/core/meshio"
)

// Every format has the mesh in mesh units and what the request brought; the displacement is the plan's.
func TestExport(t *testing.T) {
	c := newClient(t, engine.Options{})
	l, d := c.open(&job.Generate{Kind: "dumbbell", Params: []job.Param{{Name: "radius", Value: 5}}})
	n := l.Report.Vertices
	cells, colors := make([]int32, n), make([]byte, 3*n)
	for v := range cells {
		cells[v], colors[3*v] = int32(v%5)-1, byte(v)
	}
	request := job.Export{Mesh: "bell", Source: d.Source, Target: d.Target, Cells: cells, Colors: colors}
	as := func(format string, moved bool) []byte {
		r := request
		r.Format, r.Moved = format, moved
		e := ask[*job.Exported](c, &r)
		if e.Format != format {
			t.Errorf("asked for %s, told of %s", format, e.Format)
		}
		return e.Data
	}
	refuse(c, &job.Export{Format: "csv", Moved: true}, "input", "nothing has been solved")
	if head, _, _ := bytes.Cut(as("csv", false), []byte("\n")); string(head) != "vertex,x,y,z,source,target,cell" {
		t.Errorf("without a plan: %s", head)
	}
	ask[*job.Solved](c, &job.Solve{Source: d.Source, Target: d.Target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.1), Method: job.Exact}})
	centres := ask[*job.Centred](c, &job.Centres{}).Positions

	for _, format := range []string{"glb", "ply"} {
		back, err := meshio.Read("x."+format, bytes.NewReader(as(format, true)), meshio.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if len(back.Mesh.Positions) != n || len(back.Mesh.Faces) != l.Report.Faces {
			t.Errorf("%s: %d vertices and %d faces, want %d and %d", format, len(back.Mesh.Positions), len(back.Mesh.Faces), n, l.Report.Faces)
		}
	}
	table, err := csv.NewReader(bytes.NewReader(as("csv", true))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var o map[string]any
	if err := json.Unmarshal(as("json", true), &o); err != nil {
		t.Fatal(err)
	}
	if want := "vertex,x,y,z,source,target,displacement_x,displacement_y,displacement_z,cell"; strings.Join(table[0], ",") != want || len(table) != n+1 || o["mesh"] != "bell" {
		t.Fatalf("%d lines below %v; mesh %v", len(table)-1, table[0], o["mesh"])
	}
	for v := range n {
		want := []float64{float64(v), l.Positions[3*v], l.Positions[3*v+1], l.Positions[3*v+2], d.Source[v], d.Target[v]}
		for k := range 3 {
			want = append(want, centres[3*v+k]-l.Positions[3*v+k])
		}
		for k, w := range append(want, float64(cells[v])) {
			x, err := strconv.ParseFloat(table[v+1][k], 64)
			if err != nil || math.Abs(x-w) > 1e-9*math.Abs(w)+1e-12 {
				t.Fatalf("%s of vertex %d is %s, want %g", table[0][k], v, table[v+1][k], w)
			}
			if list, ok := o[table[0][k]].([]any); k > 0 && (!ok || list[v] != x) {
				t.Fatalf("%s of vertex %d is not %g in json", table[0][k], v, x)
			}
		}
	}
}

func TestExportRefuses(t *testing.T) {
	c := newClient(t, engine.Options{})
	refuse(c, &job.Export{Format: "csv"}, "input", "no mesh")
	l, d := c.open(sphere(2))
	n := l.Report.Vertices
	for words, b := range map[string]*job.Export{
		`format "obj"`:                     {Format: "obj"},
		"target: a vector of 0 values":     {Format: "csv", Source: d.Source},
		"source: value 3 of the vector is": {Format: "csv", Source: append(append(make([]float64, 3), math.NaN()), make([]float64, n-4)...), Target: d.Target},
		"1 cells for 42 vertices":          {Format: "csv", Cells: make([]int32, 1)},
		"4 channels of colours for 42":     {Format: "ply", Colors: make([]byte, 4)},
	} {
		refuse(c, b, "input", words)
	}
	c = newClient(t, engine.Options{})
	ask[*job.Loaded](c, paceGrid(3, 3))
	refuse(c, &job.Export{Format: "glb"}, "input", "no faces")
	if data := ask[*job.Exported](c, &job.Export{Format: "csv"}).Data; bytes.Count(data, []byte("\n")) != 10 {
		t.Errorf("a graph of 9 vertices: %s", data)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, ok := (<-c.start(ctx, &job.Export{Format: "csv"}).final).(*job.Cancelled); !ok {
		t.Error("a cancelled export ends otherwise")
	}
}
