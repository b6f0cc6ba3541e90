package engine_test

import (
	"math"
	"testing"

	"genussink/core/engine"
	"genussink/core/graph"
	"genussink/core/job"
	"genussink/core/mesh/generate"
	"genussink/core/shortest"
	"genussink/internal/race"
)

// A block is stored as it is shown: each of its pairs lies in one run, and the way through the run's hub is a shortest path, or by delta longer.
func TestBlock(t *testing.T) {
	race.Alone(t)
	m, err := generate.Make("sphere", map[string]float64{"frequency": 12})
	if err != nil {
		t.Fatal(err)
	}
	g, err := graph.FromMesh(m)
	if err != nil {
		t.Fatal(err)
	}
	c := newClient(t, engine.Options{})
	_, d := c.open(sphere(12))
	refuse(c, &job.Block{}, "input", "nothing has been solved")
	known := map[int32][]float64{}
	from := func(v int32) []float64 {
		if known[v] == nil {
			known[v] = shortest.From(g, v)
		}
		return known[v]
	}
	for _, spec := range []job.KernelSpec{{Method: job.Exact, Precision: "float64"}, {Method: job.Certified, Delta: job.Fraction(0.1)}} {
		spec.Epsilon = job.Fraction(0.1)
		s := ask[*job.Solved](c, &job.Solve{Source: d.Source, Target: d.Target, KernelSpec: spec})
		bound := s.Delta
		if spec.Method == job.Exact {
			bound = 1e-9
		}
		size, aggregates, hubs := math.MaxInt, 0, 0
		for n := range 2 {
			b := ask[*job.Blocked](c, &job.Block{Number: n})
			rows, columns := len(b.RowStarts)-1, len(b.ColumnStarts)-1
			if rows*columns > size || b.Number != n || b.Count < 2 || len(b.Runs)%5 != 0 {
				t.Fatalf("%s: block %d of %d is %d x %d", spec.Method, b.Number, b.Count, rows, columns)
			}
			size = rows * columns
			aggregates += len(b.RowVertices) - rows + len(b.ColVertices) - columns
			seen := make([]bool, size)
			different := map[int32]bool{}
			for k := 0; k < len(b.Runs); k += 5 {
				run := b.Runs[k : k+5]
				hub := from(run[4])
				different[run[4]] = true
				for i := run[0]; i < run[1]; i++ {
					u := b.RowVertices[b.RowStarts[i]]
					way := from(u)
					for j := run[2]; j < run[3]; j++ {
						if at := int(i)*columns + int(j); seen[at] {
							t.Fatalf("%s: row %d, column %d lie in two runs", spec.Method, i, j)
						} else {
							seen[at] = true
						}
						v := b.ColVertices[b.ColumnStarts[j]]
						if longer := hub[u] + hub[v] - way[v]; longer > 2.5*bound+1e-9 {
							t.Fatalf("%s: from %d to %d through %d is %g longer", spec.Method, u, v, run[4], longer)
						}
					}
				}
			}
			for at, in := range seen {
				if !in {
					t.Fatalf("%s: row %d, column %d lie in no run", spec.Method, at/columns, at%columns)
				}
			}
			hubs = max(hubs, len(different))
		}
		if hubs < 2 {
			t.Errorf("%s: no block has two hubs", spec.Method)
		}
		if (aggregates > 0) != (spec.Method == job.Certified) {
			t.Errorf("%s: aggregates stand for %d vertices more", spec.Method, aggregates)
		}
		refuse(c, &job.Block{Number: 1 << 30}, "input", "the kernel has the blocks 0 to")
		refuse(c, &job.Block{Number: -1}, "input", "the kernel has the blocks 0 to")
	}
	ask[*job.Solved](c, &job.Solve{Source: d.Source, Target: d.Target, KernelSpec: job.KernelSpec{Method: job.Dense, Epsilon: job.Fraction(0.1)}})
	refuse(c, &job.Block{}, "input", "the method dense has no blocks")
}
