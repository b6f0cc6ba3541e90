//go:build !js && !race

package engine_test

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"genussink/core/baseline"
	"genussink/core/engine"
	"genussink/core/internal/heap"
	"genussink/core/internal/shared"
	"genussink/core/job"
)

// A mesh of 20,494 vertices is solved within the limit that the engine was given
// and the Go runtime too, at an epsilon that needs logarithms as well: a
// fifteenth of n x n. With less the refusal comes before the memory is taken.
func TestMemoryLimitHolds(t *testing.T) {
	shared.Long(t)
	const limit = 208 << 20
	body := &job.Generate{Kind: "dumbbell", Params: []job.Param{{Name: "radius", Value: 57}}}
	for _, c := range []struct {
		method   string
		limit    int64 // bytes
		epsilons []float64
		refusal  string
	}{
		{"exact", limit, []float64{0.2, 0.0005}, ""},
		{"certified", limit, []float64{0.2}, ""},
		{"exact", limit / 5, nil, "no other method fits"},
		{"dense", limit, nil, "exact gives the same answer to 7 digits"},
		{"tree", limit, nil, "exact gives the same answer to 7 digits"},
	} {
		t.Run(fmt.Sprintf("%s/%d MB", c.method, c.limit>>20), func(t *testing.T) {
			// The runtime may take half as much again: what Dijkstra's algorithm and the
			// cover need besides, and garbage.
			most := c.limit + c.limit/2
			defer debug.SetMemoryLimit(debug.SetMemoryLimit(most))
			e := newClient(t, engine.Options{MemoryLimit: c.limit})
			l, d := e.open(body)
			if n := l.Report.Vertices; n < 20000 || 15*limit > baseline.DenseBytes(n) {
				t.Fatalf("%d vertices: n x n takes %d bytes", n, baseline.DenseBytes(n))
			}
			runtime.GC()
			meter := heap.Watch()
			defer meter.Stop()
			s := &job.Solve{Source: d.Source, Target: d.Target, KernelSpec: job.KernelSpec{Method: c.method, Epsilon: job.Fraction(0.2)}, MaxIterations: 1}
			if c.method == job.Certified {
				s.Delta = job.Fraction(0.01)
			}
			if c.refusal != "" {
				if failed, ok := e.do(s).(*job.Failed); !ok || failed.Kind != "memory" || !strings.Contains(failed.Message, c.refusal) {
					t.Errorf("answered %T, want a refusal with %q", failed, c.refusal)
				}
			}
			for _, epsilon := range c.epsilons {
				s.Epsilon = job.Fraction(epsilon)
				solved := ask[*job.Solved](e, s)
				if want := map[float64]string{0.2: "scaling", 0.0005: "log"}[epsilon]; solved.Form != want {
					t.Errorf("epsilon %g: the form is %s", epsilon, solved.Form)
				}
				if solved.Method != c.method {
					t.Errorf("epsilon %g: %s was taken", epsilon, solved.Method)
				}
				if solved.MemoryBytes > c.limit || solved.PeakBytes < solved.MemoryBytes {
					t.Errorf("epsilon %g: %d bytes are held, %d were at most", epsilon, solved.MemoryBytes, solved.PeakBytes)
				}
				t.Logf("epsilon %g: %d MB held", epsilon, solved.MemoryBytes>>20)
			}
			if peak := meter.Peak(); peak > most {
				t.Errorf("%d bytes were in use, the limit is %d", peak, c.limit)
			} else {
				t.Logf("at most %d MB in use", peak>>20)
			}
		})
	}
}
