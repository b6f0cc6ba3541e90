package engine_test

import (
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"genussink/core/engine"
	"genussink/core/internal/shared"
	"genussink/core/job"
	"genussink/internal/race"
)

// Every shared file of several components opens and solves by itself, with the
// densities balanced in each component or in the largest.
func TestSharedFilesOfSeveralComponents(t *testing.T) {
	race.Alone(t)
	shared.OneProcessor(t)
	root := shared.Path(t)
	limit := 20_000 // vertices
	if testing.Short() {
		limit = 1_500
	}
	found, solved := 0, 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !slices.Contains([]string{".obj", ".off", ".ply", ".stl", ".glb", ".gltf", ".gr"}, strings.ToLower(filepath.Ext(path))) ||
			strings.Contains(path, "treewidth") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil || testing.Short() && len(data) > 1<<20 {
			return err
		}
		name, _ := filepath.Rel(root, path)
		c := newClient(t, engine.Options{Files: os.DirFS(filepath.Dir(path))})
		l, ok := c.do(&job.Load{Name: filepath.Base(path), Data: data}).(*job.Loaded)
		if !ok || len(l.Component) == 0 || l.Report.Edges == 0 || l.Report.Vertices > limit {
			return nil
		}
		found++
		count := int(slices.Max(l.Component)) + 1
		exact := 0.0
		for _, where := range []string{"each", "largest"} {
			m := ask[*job.Measured](c, &job.Measure{Components: where})
			mass := make([][2]float64, count)
			for v, k := range l.Component {
				mass[k][0] += m.Source[v]
				mass[k][1] += m.Target[v]
			}
			with := 0
			for k, x := range mass {
				if math.Abs(x[0]-x[1]) > 1e-12 {
					t.Errorf("%s, %s: component %d has %g and %g", name, where, k, x[0], x[1])
				}
				if x[0] > 0 {
					with++
				}
			}
			if where == "largest" && with != 1 || m.Note == "" {
				t.Errorf("%s, %s: %d components with mass; %q", name, where, with, m.Note)
			}
			s := ask[*job.Solved](c, &job.Solve{Source: m.Source, Target: m.Target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.05)}})
			if s.Status != "converged" || !(s.Cost >= 0) {
				t.Errorf("%s, %s: %s at cost %g", name, where, s.Status, s.Cost)
			}
			exact = s.Cost
			ask[*job.Flowed](c, &job.Flow{Particles: 50, Seed: 1})
		}
		if l.Report.Vertices <= 2_000 && !testing.Short() {
			m := ask[*job.Measured](c, &job.Measure{Components: "largest"})
			if s := ask[*job.Solved](c, &job.Solve{Source: m.Source, Target: m.Target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.05), Method: job.Dense}}); math.Abs(s.Cost-exact) > 1e-5*s.Cost {
				t.Errorf("%s: cost %g, of the matrix %g", name, exact, s.Cost)
			}
		}
		solved++
		t.Logf("%s: %d components of %d vertices", name, count, l.Report.Vertices)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if least := map[bool]int{true: 6, false: 15}[testing.Short()]; found < least || solved != found {
		t.Errorf("%d files of several components, %d solved; at least %d", found, solved, least)
	}
}

// Densities that are not balanced are, once asked for, and the note says what was left out.
func TestBalance(t *testing.T) {
	c := newClient(t, engine.Options{})
	l := ask[*job.Loaded](c, &job.Load{Name: "two.obj", Data: []byte(twoTriangles)})
	if want := []int32{0, 0, 0, 1, 1, 1, 2}; !slices.Equal(l.Component, want) {
		t.Fatalf("components %v, not %v", l.Component, want)
	}
	if one := ask[*job.Loaded](newClient(t, engine.Options{}), sphere(2)); len(one.Component) != 0 {
		t.Errorf("a connected mesh has components %v", one.Component)
	}
	unequal := &job.Solve{Source: []float64{3, 0, 0, 1, 0, 0, 1}, Target: []float64{0, 1, 0, 0, 0, 1, 0}, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.1)}}
	refuse(c, unequal, "unequal", "differ in 3 of 3 components")
	m := ask[*job.Measured](c, &job.Balance{Source: unequal.Source, Target: unequal.Target})
	for i, want := range [][2]float64{{0.75, 0}, {0, 0.75}, {0, 0}, {0.25, 0}, {0, 0}, {0, 0.25}, {0, 0}} {
		if math.Abs(m.Source[i]-want[0]) > 1e-15 || math.Abs(m.Target[i]-want[1]) > 1e-15 {
			t.Errorf("vertex %d has %g and %g, not %v", i, m.Source[i], m.Target[i], want)
		}
	}
	if m.Preset != "" || m.Components != "" || !strings.Contains(m.Note, "20 % of the source lay where there is no target") || strings.Contains(m.Note, "% of the target") {
		t.Errorf("%q, %q: %s", m.Preset, m.Components, m.Note)
	}
	// A painting that is made anew balances as the button did.
	again := ask[*job.Painted](c, &job.Paint{First: 2, Steps: []job.Step{{Kind: job.StepValues, Source: unequal.Source, Target: unequal.Target}, {Kind: job.StepBalance}}})
	if s := again.States[0]; !slices.Equal(s.Source, m.Source) || !slices.Equal(s.Target, m.Target) || s.Note != m.Note {
		t.Errorf("made anew: %v to %v, %q", s.Source, s.Target, s.Note)
	}
	refuse(c, &job.Paint{Steps: []job.Step{{Kind: job.StepBalance}}}, "input", "step 1 of the painting: source")
	unequal.Source, unequal.Target = m.Source, m.Target
	if s := ask[*job.Solved](c, unequal); s.Status != "converged" {
		t.Error(s.Status)
	}
	refuse(c, &job.Balance{Source: []float64{1, 0, 0, 0, 0, 0, 0}, Target: []float64{0, 0, 0, 1, 0, 0, 0}}, "input", "none of 3 components")
	refuse(c, &job.Balance{Source: []float64{1}, Target: m.Target}, "input", "source: measure: 1 values for 7")
	refuse(c, &job.Measure{Components: "some"}, "input", "some")
	if m := ask[*job.Measured](c, &job.Measure{Preset: "uniform"}); m.Source[6] != 0 || m.Note != "Each of 2 components has the share of source and target that it has of the vertices. 1 vertex without an edge has no mass." {
		t.Errorf("%v, %q", m.Source, m.Note)
	}
}
