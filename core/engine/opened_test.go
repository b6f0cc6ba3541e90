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

// A graph without faces opens on another engine as it was read and laid out, by the names of its file.
func TestGraphOpensFromWhatWasTold(t *testing.T) {
	tables := []job.File{{Name: "edges.csv", Data: []byte("1,7,8\n2,8,9\n3,9,7\n")}}
	for name, load := range map[string]*job.Load{
		"grid": paceGrid(4, 3), "alone": {Name: "alone.gr", Data: []byte("p tw 3 0\n")},
		"tables": {Name: "points.csv", Data: []byte("7,40.5,-74\n8,40.501,-74\n9,40.501,-74.001\n"), Files: tables},
	} {
		c, other := newClient(t, engine.Options{}), newClient(t, engine.Options{})
		p := c.start(context.Background(), load)
		loaded, ok := (<-p.final).(*job.Loaded)
		if !ok || len(p.told) != 1 {
			t.Fatalf("%s: told of %d things on the way", name, len(p.told))
		}
		o := p.told[0].(*job.Opened)
		if !o.Graph || o.Flat != loaded.Flat || o.Diagonal != loaded.Report.Diagonal || !slices.Equal(o.Positions, loaded.Positions) || !slices.Equal(o.Edges, loaded.Edges) {
			t.Errorf("%s: told of %+v, loaded %+v", name, o, loaded)
		}
		_, sent, err := job.Decode(job.Encode(1, o))
		if err != nil {
			t.Fatal(err)
		}
		l := ask[*job.Loaded](other, sent)
		loaded.Positions, loaded.Edges = nil, nil
		if !reflect.DeepEqual(l, loaded) {
			t.Errorf("%s: from what was told %+v, loaded %+v", name, l, loaded)
		}
		last := int32(l.Report.Vertices - 1)
		want, got := ask[*job.Path](c, &job.Distance{From: 0, To: last}), ask[*job.Path](other, &job.Distance{From: 0, To: last})
		if !reflect.DeepEqual(want, got) {
			t.Errorf("%s: paths %+v and %+v", name, want, got)
		}
	}
	c := newClient(t, engine.Options{})
	two := []float64{0, 0, 0, 1, 0, 0}
	refuse(c, &job.Opened{Graph: true, Positions: two, Edges: []int32{0, 1}}, "input", "2 ends")
	refuse(c, &job.Opened{Graph: true, Positions: two, Edges: []int32{0, 2}, Lengths: []float64{1}}, "input", "2")
	refuse(c, &job.Opened{Graph: true, Positions: two, Edges: []int32{0, 1}, Lengths: []float64{-1}}, "input", "-1")
	refuse(c, &job.Opened{Graph: true, Positions: two, Numbers: []float64{1}}, "input", "1 numbers")
}
