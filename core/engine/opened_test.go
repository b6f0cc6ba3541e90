package engine_test

import (
	"context"
	"reflect"
	"slices"
	"testing"

	"genussink/core/engine"
	"genussink/core/job"
)

// A mesh is told of before its topology is, and opens from that on another engine as from its file.
func TestOpenedBeforeLoaded(t *testing.T) {
	c := newClient(t, engine.Options{})
	p := c.start(context.Background(), &job.Load{Name: "two.obj", Data: []byte(twoTriangles)})
	loaded := (<-p.final).(*job.Loaded)
	if len(p.told) != 1 {
		t.Fatalf("told of %d things on the way", len(p.told))
	}
	o := p.told[0].(*job.Opened)
	if o.Name != "two.obj" || o.Format != "obj" || o.Diagonal != loaded.Report.Diagonal ||
		!slices.Equal(o.Positions, loaded.Positions) || !slices.Equal(o.Faces, loaded.Faces) {
		t.Errorf("told of %+v, loaded %+v", o, loaded)
	}

	other := newClient(t, engine.Options{})
	l := ask[*job.Loaded](other, o)
	if !reflect.DeepEqual(l.Report, loaded.Report) || len(l.Report.Warnings) == 0 || !slices.Equal(l.Component, loaded.Component) || l.Positions != nil {
		t.Errorf("from what was told: %+v, loaded %+v", l, loaded)
	}
	if got := stages(l.Timings); !slices.Equal(got, []string{"load", "graph", "topology"}) {
		t.Errorf("stages %v", got)
	}
	brief := ask[*job.Loaded](newClient(t, engine.Options{}), &job.Load{Name: "two.obj", Data: []byte(twoTriangles), Brief: true})
	if r := brief.Report; r.Vertices != 7 || r.Edges != 6 || r.Components != 0 {
		t.Errorf("in brief: %+v", r)
	}
	want, got := ask[*job.Path](c, &job.Distance{From: 0, To: 2}), ask[*job.Path](other, &job.Distance{From: 0, To: 2})
	if want.Length != got.Length || got.Length != 4 {
		t.Errorf("distances %g and %g, want 4", want.Length, got.Length)
	}
	refuse(other, &job.Opened{Positions: []float64{1, 2}}, "input", "triples")
	refuse(other, &job.Opened{Positions: []float64{1, 2, 3}, Faces: []int32{0, 0, 1}}, "input", "1")
}
