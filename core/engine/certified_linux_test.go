package engine_test

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"testing"

	"genussink/core/engine"
	"genussink/core/internal/shared"
	"genussink/core/job"
)

// processorSeconds is the processor time that the program has taken, all threads
// together.
func processorSeconds(t *testing.T) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// A solve that asks for certified at 1 %, all of it, takes no longer than exact from 5,000 vertices on. Where exact is taken
// it is the very same kernel. Otherwise both are solved in turns, each from nothing, in processor
// time, which what else runs on the machine hardly changes; the least of some
// rounds is taken, which differs by up to 2 % when the same is measured twice: 3 %
// are left for that. docs/engineering/measurements.md has up to 35,000 vertices, measured by hand.
func TestCertifiedIsNoSlower(t *testing.T) {
	shared.Long(t)
	const rounds, noise = 10, 1.03
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, test := range []struct {
		name    string // of the gallery, or of a generator
		epsilon float64
		taken   string
	}{
		{"sphere", 0.2, "exact"}, {"sphere", 0.02, "exact"}, // 5,292 vertices
		{"trefoil", 0.02, "exact"},         // 5,710
		{"octopus", 0.02, "exact"},         // 5,064
		{"gear", 0.02, "exact"},            // 11,751
		{"large sphere", 0.2, "certified"}, // 20,252
		{"large sphere", 0.02, "certified"},
	} {
		var open job.Body = sphere(23)
		switch test.name {
		case "sphere":
		case "large sphere":
			open = sphere(45)
		default:
			data, err := os.ReadFile(filepath.Join("..", "..", "assets", "meshes", test.name+".glb"))
			if err != nil {
				t.Fatal(err)
			}
			open = &job.Load{Name: test.name + ".glb", Data: data}
		}
		least, last := map[string]float64{}, map[string]*job.Solved{}
		for round := range rounds {
			for _, method := range []string{"exact", "certified"} {
				c := newClient(t, engine.Options{})
				_, d := c.open(open)
				s := &job.Solve{Source: d.Source, Target: d.Target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(test.epsilon), Method: method}, Tolerance: 1e-9}
				if method == job.Certified {
					s.Delta = job.Fraction(0.01)
				}
				if test.taken == "exact" { // the very same kernel shows it in a few iterations
					s.MaxIterations = 5
				}
				runtime.GC()
				before := processorSeconds(t)
				last[method] = ask[*job.Solved](c, s)
				if seconds := processorSeconds(t) - before; round == 0 || seconds < least[method] {
					least[method] = seconds
				}
			}
			// One round is enough where it is clear, by as much as two differ.
			if test.taken == "exact" || least["certified"] <= least["exact"]*(2-noise) || round > 0 && least["certified"] <= least["exact"]*noise {
				break
			}
		}
		exact, certified := last["exact"], last["certified"]
		t.Logf("%s at %g: exact %.3f s, certified (which took %s) %.3f s, ratio %.3f", test.name, test.epsilon, least["exact"], certified.Method, least["certified"], least["certified"]/least["exact"])
		switch {
		case certified.Method != test.taken:
			t.Errorf("%s at %g: %s was taken", test.name, test.epsilon, certified.Method)
		case test.taken == "exact":
			if certified.Precision != exact.Precision || certified.Cost != exact.Cost || certified.MemoryBytes != exact.MemoryBytes || !slices.Equal(stages(certified.Timings), stages(exact.Timings)) {
				t.Errorf("%s at %g: certified took exact in %s, %v; exact is in %s, %v", test.name, test.epsilon, certified.Precision, stages(certified.Timings), exact.Precision, stages(exact.Timings))
			}
		case least["certified"] > least["exact"]*noise:
			t.Errorf("%s at %g: certified takes %.3f s, exact %.3f s", test.name, test.epsilon, least["certified"], least["exact"])
		}
	}
}
