package engine_test

import (
	"bytes"
	"math"
	"testing"

	"genussink/core/engine"
	"genussink/core/internal/shared"
	"genussink/core/internal/shared/corpus"
	"genussink/core/job"
	"genussink/core/meshio"
	"genussink/internal/race"
)

// offFile is a mesh of the corpus as a file.
func offFile(t *testing.T, m corpus.Mesh) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := meshio.Write(&b, "off", m.Mesh); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A mesh of every class opens and solves by itself, with the densities balanced in each component or in the largest, and costs
// what it costs with the matrix.
func TestCorpus(t *testing.T) {
	race.Alone(t)
	shared.OneProcessor(t)
	for at, mesh := range corpus.Meshes(t) {
		if testing.Short() && at%3 > 0 {
			continue
		}
		c := newClient(t, engine.Options{})
		l := ask[*job.Loaded](c, &job.Load{Name: "mesh.off", Data: offFile(t, mesh)})
		component, count := mesh.Graph.Components()
		if (len(l.Component) > 0) != (count > 1) || l.Report.Vertices != len(component) {
			t.Errorf("%s: %d vertices, components of %d", mesh.Name, l.Report.Vertices, len(l.Component))
			continue
		}
		for _, where := range []string{"each", "largest"} {
			m := ask[*job.Measured](c, &job.Measure{Components: where})
			mass := make([][2]float64, count)
			for v, k := range component {
				mass[k][0] += m.Source[v]
				mass[k][1] += m.Target[v]
			}
			with := 0
			for k, x := range mass {
				if math.Abs(x[0]-x[1]) > 1e-12 {
					t.Errorf("%s, %s: component %d has %g and %g", mesh.Name, where, k, x[0], x[1])
				}
				if x[0] > 0 {
					with++
				}
			}
			if where == "largest" && with != 1 || (m.Note == "") != (count == 1) {
				t.Errorf("%s, %s: %d components with mass; %q", mesh.Name, where, with, m.Note)
			}
			s := &job.Solve{Source: m.Source, Target: m.Target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.1), Precision: "float64"}}
			exact := ask[*job.Solved](c, s)
			ask[*job.Flowed](c, &job.Flow{Particles: 50, Seed: 1})
			s.Method, s.Precision = "dense", ""
			if dense := ask[*job.Solved](c, s); relative(exact.Cost, dense.Cost) > 1e-8 || exact.Status != "converged" {
				t.Errorf("%s, %s: cost %.15g, dense %.15g; %s", mesh.Name, where, exact.Cost, dense.Cost, exact.Status)
			}
		}
	}
}

// Auto is within 2e-3 of exact on a mesh of every clone, whatever the densities.
func TestAutomaticOnCorpus(t *testing.T) {
	shared.Long(t)
	shared.OneProcessor(t)
	took := map[string]int{}
	for _, mesh := range corpus.Meshes(t) {
		if n := mesh.Graph.Len(); n > 100 && mesh.Class == corpus.Closed {
			automatic(t, mesh.Name+".off", offFile(t, mesh), took)
		}
	}
	if took["support"] == 0 || took["quantized"]+took["exact"] == 0 {
		t.Errorf("taken: %v", took)
	}
}
