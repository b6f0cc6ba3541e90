package engine_test

import (
	"strings"
	"testing"

	"genussink/core/engine"
	"genussink/core/internal/shared"
	"genussink/core/job"
)

// Where a tolerance would cost time instead of saving it, certified takes exact, says
// so and why, and keeps the kernel for the next request of either name. Where
// exact has no room, or delta is large enough, it is what was asked for.
func TestCertifiedTakesExact(t *testing.T) {
	shared.Long(t)
	c := newClient(t, engine.Options{})
	loaded, d := c.open(sphere(22)) // 4,842 vertices
	s := &job.Solve{Source: d.Source, Target: d.Target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.2), Method: job.Certified, Delta: job.Fraction(0.01)}, Tolerance: 1e-6}
	small := ask[*job.Solved](c, s)
	if small.Method != job.Exact || small.Requested != job.Certified || !strings.Contains(small.Note, "exact was taken") || !(small.Bound < 1e-5*loaded.Report.Diagonal) {
		t.Errorf("delta 1 %%: method %s for %s, bound %g, %q", small.Method, small.Requested, small.Bound, small.Note)
	}
	s.Method, s.Delta = "exact", job.Length{}
	if again := ask[*job.Solved](c, s); again.Cost != small.Cost || again.Requested != "" || again.Note != "" || stages(again.Timings)[0] != "solve" {
		t.Errorf("exact after it: cost %g and %g, method %s for %q, %v", again.Cost, small.Cost, again.Method, again.Requested, stages(again.Timings))
	}
	s.Method, s.Delta = "certified", job.Fraction(0.05)
	large := ask[*job.Solved](c, s)
	if large.Method != job.Certified || large.Requested != "" || large.Note != "" || large.MemoryBytes >= small.MemoryBytes {
		t.Errorf("delta 5 %%: method %s for %q, %d bytes of %d", large.Method, large.Requested, large.MemoryBytes, small.MemoryBytes)
	}
	c = newClient(t, engine.Options{MemoryLimit: small.MemoryBytes * 4 / 5})
	c.open(sphere(22))
	s.Delta = job.Fraction(0.01)
	if tight := ask[*job.Solved](c, s); tight.Method != job.Certified || tight.Requested != "" {
		t.Errorf("with %d bytes: method %s for %q", small.MemoryBytes*4/5, tight.Method, tight.Requested)
	}
}
