package engine_test

import (
	"math"
	"slices"
	"testing"

	"genussink/core/engine"
	"genussink/core/job"
	"genussink/internal/race"
)

// The method tree follows a tree decomposition where the graph is narrow, and
// separators elsewhere or when a separator tree of some kind is asked for.
func TestNarrowGraph(t *testing.T) {
	race.Alone(t)
	c := newClient(t, engine.Options{})
	_, m := c.open(paceGrid(4, 60))
	s := &job.Solve{Source: m.Source, Target: m.Target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.1), Method: job.Tree}, Tolerance: 1e-12}
	narrow := ask[*job.Solved](c, s)
	if x := narrow.Crosses; narrow.Width != 4 || x.Single+x.Range+x.Pairs == 0 || !slices.Equal(stages(narrow.Timings), []string{"tree", "kernel", "solve"}) {
		t.Errorf("a grid of 4 x 60: %+v, %v", x, narrow.Timings)
	}
	again := *s
	again.Epsilon = job.Fraction(0.2)
	if a := ask[*job.Solved](c, &again); !slices.Equal(stages(a.Timings), []string{"kernel", "solve"}) || a.Crosses != narrow.Crosses {
		t.Errorf("at another epsilon the tree is made again: %v", a.Timings)
	}
	ask[*job.Solved](c, s)
	row := ask[*job.Partnered](c, &job.Partners{Vertex: 7})
	pushed := ask[*job.Pushed](c, &job.Push{Values: ones(240)})
	c.open(paceGrid(4, 60))
	ask[*job.Separated](c, &job.Separate{Finder: "level-set"})
	separators := ask[*job.Solved](c, s)
	if separators.Width != -1 {
		t.Errorf("with a finder: %+v", separators.Crosses)
	}
	s.Method = ""
	if s := ask[*job.Solved](c, s); s.Width != -1 {
		t.Errorf("exact with a finder: width %d", s.Width)
	}
	if x := ask[*job.Solved](c, s).Crosses; x.Range+x.Cover == 0 || x.Leaves != x.Single+x.Range+x.Cover+1 || x.Pairs != 0 {
		t.Errorf("exact with a finder: %+v", x)
	}
	c.open(paceGrid(4, 60))
	if e := ask[*job.Solved](c, s); e.Method != job.Exact || e.Crosses != narrow.Crosses || relative(e.Cost, narrow.Cost) > 1e-12 {
		t.Errorf("exact on a grid of 4 x 60: %+v, cost %g, with the tree %g", e.Crosses, e.Cost, narrow.Cost)
	}
	s.Method = job.Dense
	dense := ask[*job.Solved](c, s)
	for _, got := range []*job.Solved{narrow, separators} {
		if r := relative(got.Cost, dense.Cost); r > 1e-11 || got.Iterations != narrow.Iterations {
			t.Errorf("cost %.15g in %d iterations, dense %.15g; narrow in %d iterations", got.Cost, got.Iterations, dense.Cost, narrow.Iterations)
		}
	}
	if dense.Crosses != (job.Crosses{}) {
		t.Errorf("dense: %+v", dense.Crosses)
	}
	want := ask[*job.Partnered](c, &job.Partners{Vertex: 7})
	if relative(row.Total, want.Total) > 1e-9 || len(row.Vertices) != len(want.Vertices) {
		t.Errorf("partners %v in %d, dense %v in %d", row.Total, len(row.Vertices), want.Total, len(want.Vertices))
	}
	for i, v := range ask[*job.Pushed](c, &job.Push{Values: ones(240)}).Values {
		if math.Abs(pushed.Values[i]-v) > 1e-10*v {
			t.Fatalf("pushed %v to %d, dense %v", pushed.Values[i], i, v)
		}
	}

	_, m = c.open(paceGrid(50, 50))
	if wide := ask[*job.Solved](c, &job.Solve{Source: m.Source, Target: m.Target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.1), Method: job.Tree}}); wide.Width != -1 {
		t.Errorf("a grid of 50 x 50: %+v", wide.Crosses)
	}

	tight := newClient(t, engine.Options{MemoryLimit: 20_000})
	_, m = tight.open(paceGrid(4, 60))
	refuse(tight, &job.Solve{Source: m.Source, Target: m.Target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.1), Method: job.Tree}}, "memory", "no other method fits")
}

func ones(n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = 1
	}
	return x
}
