package engine_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"genussink/core/engine"
	"genussink/core/graph"
	"genussink/core/internal/shared"
	"genussink/core/job"
	"genussink/core/mesh/generate"
	"genussink/core/shortest"
	"genussink/internal/race"
)

// Every question against the whole matrix P, which the answer's potentials and
// Dijkstra's algorithm give.
func TestQuestionsToThePlan(t *testing.T) {
	race.Alone(t)
	shared.OneProcessor(t)
	m, err := generate.Make("sphere", map[string]float64{"frequency": 6})
	if err != nil {
		t.Fatal(err)
	}
	g, err := graph.FromMesh(m)
	if err != nil {
		t.Fatal(err)
	}
	n := g.Len()
	for _, by := range [][2]string{{"exact"}, {"exact", "float64"}, {"tree"}, {"dense"}} {
		if testing.Short() && by[0] != job.Exact {
			continue
		}
		method := strings.Join(by[:], " ")
		for _, epsilon := range []float64{0.1, 0.002} { // products as they are and in logarithms
			c := newClient(t, engine.Options{})
			_, d := c.open(sphere(6))
			d.Source[3], d.Target[5] = 0, 0
			s := ask[*job.Solved](c, &job.Solve{Source: d.Source, Target: d.Target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(epsilon), Method: by[0], Precision: by[1]}})
			off := math.Expm1(s.Bound / s.Epsilon) // at most that share of an entry
			plan := make([][]float64, n)
			for i := range plan {
				plan[i] = shortest.From(g, int32(i))
				for j, x := range plan[i] {
					plan[i][j] = math.Exp(s.LogU[i] + s.LogV[j] - x/s.Epsilon)
				}
			}
			near := func(what string, got, want float64) {
				if math.Abs(got-want) > (1e-9+off)*math.Abs(want)+1e-15 {
					t.Errorf("%s, epsilon %g: %s is %g, not %g", method, epsilon, what, got, want)
				}
			}
			row := ask[*job.Partnered](c, &job.Partners{Vertex: 40, Top: 3})
			column := ask[*job.Partnered](c, &job.Partners{Vertex: 40, Target: true})
			var best float64
			for j := range n {
				best = max(best, plan[40][j])
			}
			near("most of row 40", row.Mass[0], best)
			for k, i := range column.Vertices {
				near("column 40", column.Mass[k], plan[i][40])
			}
			near("an entry", ask[*job.Shared](c, &job.Between{From: []int32{40}, To: []int32{7}}).Mass, plan[40][7])
			from, to := []int32{1, 40, 200}, []int32{7, 300}
			want := 0.0
			for _, i := range from {
				for _, j := range to {
					want += plan[i][j]
				}
			}
			near("between", ask[*job.Shared](c, &job.Between{From: from, To: to}).Mass, want)
			centres := ask[*job.Centred](c, &job.Centres{}).Positions
			for i := range n {
				total, mean := 0.0, [3]float64{}
				for j, p := range plan[i] {
					total += p
					for k := range 3 {
						mean[k] += p * m.Positions[j][k]
					}
				}
				for k := range 3 {
					at := m.Positions[i][k]
					if total > 0 {
						at = mean[k] / total
					}
					if math.Abs(centres[3*i+k]-at) > 1e-9+2*off*m.Diagonal() {
						t.Fatalf("%s, epsilon %g: centre %d is %v, not %g", method, epsilon, i, centres[3*i:3*i+3], at)
					}
				}
			}
			drawn := ask[*job.Drawn](c, &job.Draw{Count: 4000, Seed: 9})
			if again := ask[*job.Drawn](c, &job.Draw{Count: 4000, Seed: 9}); !slices.Equal(drawn.From, again.From) || !slices.Equal(drawn.To, again.To) {
				t.Errorf("%s: the same seed draws other pairs", method)
			}
			// How many of the pairs start, and end, in the first half of the vertices.
			for _, side := range []struct {
				name  string
				drawn []int32
				mass  []float64
			}{{"from", drawn.From, d.Source}, {"to", drawn.To, d.Target}} {
				share, total, hits := 0.0, 0.0, 0.0
				for i, x := range side.mass {
					total += x
					if i < n/2 {
						share += x
					}
				}
				share /= total
				for _, v := range side.drawn {
					if int(v) < n/2 {
						hits++
					}
					if side.mass[v] == 0 {
						t.Fatalf("%s: a pair with vertex %d, which has no mass", method, v)
					}
				}
				if sd := math.Sqrt(4000 * share * (1 - share)); len(side.drawn) != 4000 || math.Abs(hits-4000*share) > 5*sd {
					t.Errorf("%s: %g of 4000 pairs %s the first half, not %g +- %g", method, hits, side.name, 4000*share, sd)
				}
			}
			for _, b := range []job.Body{&job.Between{From: []int32{-1}}, &job.Between{To: []int32{int32(n)}}} {
				refuse(c, b, "input", "does not exist")
			}
			refuse(c, &job.Draw{Count: -1}, "input", "-1 pairs")
		}
	}
}

// The sampled method's rows are those of the kernel that it solved with.
func TestSampledPlanAddsUp(t *testing.T) {
	c := newClient(t, engine.Options{})
	_, d := c.open(sphere(6))
	s := ask[*job.Solved](c, &job.Solve{Source: d.Source, Target: d.Target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.1), Method: job.Sampled}})
	p := ask[*job.Polished](c, &job.Polish{Seconds: math.Inf(1)})
	if !math.IsNaN(s.Bound) || s.Accuracy.Holds || s.Accuracy.Rows == 0 || !(s.Accuracy.MostRelative > 0) {
		t.Errorf("%+v", s)
	}
	exact := ask[*job.Solved](c, &job.Solve{Source: d.Source, Target: d.Target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.1)}})
	if s.Cost <= exact.Cost || relative(p.Cost, exact.Cost) > relative(s.Cost, exact.Cost)/2 {
		t.Errorf("cost %g, polished %g, exact %g", s.Cost, p.Cost, exact.Cost)
	}
	for _, sample := range []job.Sample{{Keep: 8}, {Farthest: true}, {Seed: 1}} {
		o := ask[*job.Solved](c, &job.Solve{Source: d.Source, Target: d.Target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.1), Method: job.Sampled, Sample: sample}})
		if o.Cost == s.Cost {
			t.Errorf("%+v makes no difference", sample)
		}
	}
	for _, method := range []string{job.Tree, job.Sampled} { // the paper's depth h
		for h, want := range map[int]int{0: 3, 1: 1} {
			o := ask[*job.Solved](c, &job.Solve{Source: d.Source, Target: d.Target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.1), Method: method, Levels: h}})
			if h > 0 && o.Depth != want || h == 0 && o.Depth < want || method == job.Tree && relative(o.Cost, exact.Cost) > 1e-6 {
				t.Errorf("%s of at most %d levels: a depth of %d, cost %g, exact %g", method, h, o.Depth, o.Cost, exact.Cost)
			}
		}
	}
	ask[*job.Solved](c, &job.Solve{Source: d.Source, Target: d.Target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.1), Method: job.Sampled}})
	for v := int32(0); v < 362; v += 40 {
		if p := ask[*job.Partnered](c, &job.Partners{Vertex: v}); math.Abs(p.Total-d.Source[v]) > 1e-8 {
			t.Errorf("row %d adds up to %g, not %g", v, p.Total, d.Source[v])
		}
	}
	refuse(c, &job.Solve{Source: d.Source, Target: d.Target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.1), Method: job.Sampled, Sample: job.Sample{Keep: -1}}}, "input", "-1")
}
