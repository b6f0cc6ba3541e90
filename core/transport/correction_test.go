package transport

import (
	"context"
	"math"
	"runtime"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"genussink/core/baseline"
	"genussink/core/graph"
	"genussink/core/internal/parallel"
	"genussink/core/internal/shared"
	"genussink/core/internal/shared/gendensity"
	"genussink/core/internal/shared/gengraph"
	"genussink/core/internal/shared/genmesh"
	"genussink/core/internal/shared/realmesh"
	"genussink/core/linop"
	"genussink/core/linop/linoptest"
	"genussink/core/measure"
	"genussink/core/measure/preset"
	"genussink/core/mesh"
	"genussink/core/shortest"
	"genussink/core/transport/coarse"
	"genussink/internal/race"
)

func standIn(t testing.TB, g *graph.Graph) Coarse {
	t.Helper()
	c, err := coarse.New(context.Background(), g, dense(t, g, 1).Among)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// tally counts products, those of a plan as one.
type tally struct {
	linop.Kernel
	products, plans int
}

var _ linop.PlanMultiplier = (*tally)(nil)

func (k *tally) MulVec(ctx context.Context, dst, x []float64) ([]float64, error) {
	k.products++
	return k.Kernel.MulVec(ctx, dst, x)
}

func (k *tally) LogMulVec(ctx context.Context, dst, x []float64) ([]float64, error) {
	k.products++
	return k.Kernel.LogMulVec(ctx, dst, x)
}

func (k *tally) MulPlan(ctx context.Context, ku, kv, u, v []float64) (float64, error) {
	k.products++
	k.plans++
	return linop.MulPlan(ctx, k.Kernel, ku, kv, u, v)
}

// repaint moves 5 % of the mass to a disc of a tenth of the diagonal around the
// vertex with the most target mass.
func repaint(g *graph.Graph, diagonal float64, source, target []float64) []float64 {
	most := 0
	for i, b := range target {
		if b > target[most] {
			most = i
		}
	}
	disc, _ := shortest.NewSolver(g).Within(diagonal/10, int32(most))
	out := slices.Clone(source)
	for i := range out {
		out[i] *= 0.95
	}
	for _, v := range disc {
		out[v] += 0.05 / float64(len(disc))
	}
	return measure.Normalise(out)
}

// The products that a solve takes, cold and after 5 % of the source's mass has
// moved, the last with the cost. On spot these are 7, 9 and 14 cold
// and 5, 9 and 15 warm, without the coarse graph 14, 28 and 46 and 10, 18 and 26.
func TestProducts(t *testing.T) {
	shared.Long(t)
	shared.OneProcessor(t)
	products := func(t *testing.T, m *mesh.Mesh, g *graph.Graph) {
		source, target, err := preset.Paper(m, g, preset.Floor)
		if err != nil {
			t.Fatal(err)
		}
		var o Options
		for _, c := range []struct {
			epsilon    float64
			cold, warm int
		}{{0.2, 7, 6}, {0.05, 9, 9}, {0.02, 14, 15}} {
			epsilon := c.epsilon * m.Diagonal()
			matrix := dense(t, g, epsilon)
			if o.Coarse == nil {
				if o.Coarse, err = coarse.New(context.Background(), g, matrix.Among); err != nil {
					t.Fatal(err)
				}
			}
			k := &tally{Kernel: matrix}
			p := Problem{k, source, target, epsilon}
			o.Last = nil
			first := solve(t, p, o)
			if first.Status != Converged || k.products > c.cold {
				t.Errorf("epsilon %g: %d products, %s", c.epsilon, k.products, first.Status)
			}
			k.products = 0
			p.Source, o.Last = repaint(g, m.Diagonal(), source, target), first
			if again := solve(t, p, o); again.Status != Converged || k.products > c.warm {
				t.Errorf("epsilon %g: %d products after a repaint, %s", c.epsilon, k.products, again.Status)
			}
		}
	}
	t.Run("genus 2", func(t *testing.T) {
		m, g := genmesh.Make(t, "multi-torus", map[string]float64{"genus": 2, "edge": 0.15})
		products(t, m, g)
	})
	t.Run("spot", func(t *testing.T) {
		m, g := realmesh.Read(t, "common3d__spot.obj")
		products(t, m, g)
	})
}

// A guess of K v that does not do costs the product that ends the solve, and no more: the small problem
// is asked only about plans whose two sides have the same mass.
func TestGuessFails(t *testing.T) {
	shared.Long(t)
	shared.OneProcessor(t)
	m, g := realmesh.Read(t, "odedstein__bunny.obj")
	source, target, err := preset.Paper(m, g, preset.Floor)
	if err != nil {
		t.Fatal(err)
	}
	epsilon := 0.2 * m.Diagonal()
	k := &tally{Kernel: dense(t, g, epsilon)}
	o := Options{Coarse: standIn(t, g)}
	p := Problem{k, source, target, epsilon}
	o.Last = solve(t, p, o)
	p.Source = repaint(g, m.Diagonal(), source, target)
	k.products, k.plans = 0, 0
	again := solve(t, p, o)
	if k.plans != 2 {
		t.Fatalf("%d products of both scalings: the guess has not failed, this is no test of it", k.plans)
	}
	if again.Status != Converged || k.products != 6 || again.coarse == nil {
		t.Errorf("%s after %d products and errors of %.2g; the coarse graph still in use: %v", again.Status, k.products, again.Trace, again.coarse != nil)
	}
}

// Solves with the coarse graph and from a last result end where those without
// do, on all kinds of graphs and densities, whatever the small problem is good for.
func TestCoarseAndLastChangeNothing(t *testing.T) {
	race.Alone(t)
	shared.OneProcessor(t)
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "n")
		seed := rapid.Uint64().Draw(t, "seed")
		g := gengraph.Ladder(t, n, seed)
		if rapid.Bool().Draw(t, "apart") { // two copies that no path joins
			var edges []graph.Edge
			for v := range int32(n) {
				to, w := g.Neighbours(v)
				for k, u := range to {
					if u < v {
						edges = append(edges, graph.Edge{U: u, V: v, Weight: w[k]}, graph.Edge{U: u + int32(n), V: v + int32(n), Weight: w[k]})
					}
				}
			}
			var err error
			if g, err = graph.New(2*n, edges); err != nil {
				t.Fatal(err)
			}
		}
		epsilon := rapid.SampledFrom([]float64{3, 0.5, 0.1, 0.01}).Draw(t, "epsilon")
		matrix, err := baseline.NewDense(context.Background(), g, epsilon, baseline.Options{})
		if err != nil {
			t.Fatal(err)
		}
		c, err := coarse.New(context.Background(), g, matrix.Among)
		if err != nil {
			t.Fatal(err)
		}
		var k linop.Kernel = matrix
		if rapid.Bool().Draw(t, "log") {
			k = lowered{matrix}
		}
		draw := func(seed uint64) []float64 { // the same in every copy
			return measure.Normalise(append(gendensity.Random(n, seed), gendensity.Random(g.Len()-n, seed)[:g.Len()-n]...))
		}
		run := func(p Problem, o Options) *Result {
			o.MaxIterations = 500
			r, err := Solve(context.Background(), p, o)
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		check := func(what string, p Problem, o Options) *Result {
			got := run(p, o)
			want := run(p, Options{})
			hard := epsilon < 0.1 || want.Status != Converged // iterations without number, with whatever start
			if !hard && (got.Status != Converged || !near(got.Cost, want.Cost, 1e-7*(1+epsilon*float64(g.Len())))) {
				t.Errorf("%s: %s after %d iterations at %g, cost %.12g; without in %d %.12g", what, got.Status, got.Iterations, got.MarginalError, got.Cost, want.Iterations, want.Cost)
			}
			rows, columns := sumsOf(t, matrix, epsilon, got)
			rounding := 1e-12 + 0x1p-52*exponent(got) // of the sum of two scalings, whose exponential an entry is
			if e := min(distance(rows, p.Source), distance(columns, p.Target)); e > rounding && (o.Coarse == nil || e > 1e-9) {
				t.Fatalf("%s: rows and columns are both off, by %g or more, of which %g is rounding", what, e, rounding)
			}
			if e := max(distance(rows, p.Source), distance(columns, p.Target)); math.Abs(e-got.MarginalError) > rounding {
				t.Fatalf("%s: the marginal error is %g, reported %g", what, e, got.MarginalError)
			}
			return got
		}
		a, b := draw(seed), draw(seed+1)
		p := Problem{k, a, b, epsilon}
		first := check("cold", p, Options{Coarse: c})
		for _, again := range []Problem{
			p,
			{k, draw(seed + 2), b, epsilon},
			{k, a, draw(seed + 3), epsilon},
			{k, draw(seed + 2), draw(seed + 3), epsilon},
		} {
			check("warm", again, Options{Coarse: c, Last: first})
			check("warm, not coarse", again, Options{Last: first})
		}
		// A last result that is none of this kernel's costs iterations, not truth.
		other, err := baseline.NewDense(context.Background(), g, 2*epsilon, baseline.Options{})
		if err != nil {
			t.Fatal(err)
		}
		wrong := run(Problem{other, a, b, 2 * epsilon}, Options{})
		check("from another kernel", p, Options{Last: wrong})
	})
}

// The number of processors changes no digit.
func TestProcessorsChangeNothing(t *testing.T) {
	m, g := genmesh.Make(t, "torus", map[string]float64{"segments": 64, "sides": 36})
	if parallel.Pieces(g.Len()) < 2 {
		t.Fatalf("%d vertices are too few", g.Len())
	}
	source, target, err := preset.Paper(m, g, preset.Floor)
	if err != nil {
		t.Fatal(err)
	}
	epsilon := 0.2 * m.Diagonal()
	k := dense(t, g, epsilon)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var first []*Result
	for _, processors := range []int{1, 3} {
		runtime.GOMAXPROCS(processors)
		var o Options
		if o.Coarse, err = coarse.New(context.Background(), g, k.Among); err != nil {
			t.Fatal(err)
		}
		p := Problem{k, source, target, epsilon}
		cold := solve(t, p, o)
		p.Source, o.Last = repaint(g, m.Diagonal(), source, target), cold
		results := []*Result{cold, solve(t, p, o)}
		if first == nil {
			first = results
		}
		for i, r := range results {
			if !slices.Equal(r.LogU, first[i].LogU) || !slices.Equal(r.LogV, first[i].LogV) || r.Cost != first[i].Cost || r.Gap != first[i].Gap || !slices.Equal(r.Trace, first[i].Trace) {
				t.Errorf("solve %d on %d processors: cost %.17g, gap %g, trace %g; on one %.17g, %g, %g", i, processors, r.Cost, r.Gap, r.Trace, first[i].Cost, first[i].Gap, first[i].Trace)
			}
		}
	}
}

// sumsOf are the sums of the plan's rows and columns, by the kernel's logarithms.
func sumsOf(t *rapid.T, k *baseline.Dense, epsilon float64, r *Result) (rows, columns []float64) {
	p, err := NewPlan(lowered{k}, epsilon, r.LogU, r.LogV)
	if err != nil {
		t.Fatal(err)
	}
	ones := make([]float64, p.Len())
	for i := range ones {
		ones[i] = 1
	}
	return linoptest.Value(p.Push(t.Context(), nil, ones))(t), linoptest.Value(p.Pull(t.Context(), nil, ones))(t)
}

// exponent is the greatest finite scaling of a result, as a logarithm without its sign.
func exponent(r *Result) (most float64) {
	for _, side := range [][]float64{r.LogU, r.LogV} {
		for _, x := range side {
			if x = math.Abs(x); !math.IsInf(x, 1) {
				most = max(most, x)
			}
		}
	}
	return most
}

// distance is that of two densities in L1.
func distance(a, b []float64) (d float64) {
	for i, x := range a {
		d += math.Abs(x - b[i])
	}
	return d
}

// slowGap is the gap by two products: the rows of the feasible plan as they are.
func slowGap(t *testing.T, s *state) float64 {
	t.Helper()
	product := func(dst, logx, logmass []float64) {
		if err := s.product(dst, logx, logmass); err != nil {
			t.Fatal(err)
		}
	}
	n := s.n
	x, y := make([]float64, n), make([]float64, n) // logarithms
	w, ku, kv := make([]float64, n), make([]float64, n), make([]float64, n)
	before := 0.0
	for i, k := range s.kv {
		if row := math.Exp(s.logu[i] + k); s.a[i] > 0 {
			before += row
			x[i] = min(0, s.loga[i]-s.logu[i]-k)
		}
		w[i] = s.logu[i] + x[i]
	}
	value, lost, after := 0.0, 0.0, 0.0
	product(ku, w, s.logb)
	for j, k := range ku {
		if s.b[j] > 0 {
			y[j] = min(0, s.logb[j]-s.logv[j]-k)
			column := math.Exp(s.logv[j] + y[j] + k)
			value += (column-s.b[j])*s.logv[j] + column*y[j]
			lost += max(0, s.b[j]-column)
			after += column
		}
		y[j] += s.logv[j]
	}
	product(kv, y, s.loga)
	for i, k := range kv {
		if s.a[i] > 0 {
			row := math.Exp(w[i] + k)
			value += (row-s.a[i])*s.logu[i] + row*x[i]
		}
	}
	return s.epsilon * (value + before - after + lost*(1-s.kernel.LogFloor()))
}

// The gap is never below the one that knows the rows, and not far above.
func TestGapNeedsNoProduct(t *testing.T) {
	race.Alone(t)
	shared.OneProcessor(t)
	const n = 140
	worst, guessed := 0.0, 0
	for _, epsilon := range []float64{2, 0.3, 0.1, 0.02} {
		for seed := range uint64(4) {
			g := gengraph.Ladder(t, n, seed)
			p := Problem{dense(t, g, epsilon), gendensity.Random(n, 2*seed+1), gendensity.Random(n, 2*seed+2), epsilon}
			for _, iterations := range []int{1, 2, 3, 5, 8, 13, 100, -100} {
				o := Options{MaxIterations: iterations}
				if iterations < 0 { // with rows that are a little off too
					o = Options{Coarse: standIn(t, g), Tolerance: 1e-8}
				}
				s, err := solvePotentials(context.Background(), p, o)
				if err != nil {
					t.Fatal(err)
				}
				if e := distance(s.rows, s.a); e > 1e-12 {
					guessed++
				}
				want, got := slowGap(t, s), s.gap()
				if got < want-1e-13*epsilon || got > 3*want+1e-12*epsilon {
					t.Errorf("epsilon %g, %d iterations: gap %g, with products %g", epsilon, iterations, got, want)
				}
				if want > 1e-9 {
					worst = max(worst, got/want)
				}
				for i := range s.logu { // another gauge
					s.logu[i] += 7
					s.kv[i] -= 7
					s.ku[i] += 7
					s.logv[i] -= 7
				}
				if moved := s.gap(); !near(moved/got, 1, 1e-6) && math.Abs(moved-got) > 1e-13 {
					t.Errorf("epsilon %g, %d iterations: gap %g, in another gauge %g", epsilon, iterations, got, moved)
				}
			}
		}
	}
	if guessed == 0 {
		t.Error("all rows are exact")
	}
	t.Logf("at most %.3g times; %d with rows that are off", worst, guessed)
}

// What a solve leaves to the next one is nothing that its result keeps: neither later solves nor ones at the
// same time change it.
func TestResultsStay(t *testing.T) {
	m, g := genmesh.Make(t, "torus", map[string]float64{"segments": 20, "sides": 12})
	source, target, err := preset.Paper(m, g, preset.Floor)
	if err != nil {
		t.Fatal(err)
	}
	epsilon := 0.2 * m.Diagonal()
	p := Problem{dense(t, g, epsilon), source, target, epsilon}
	o := Options{Coarse: standIn(t, g)}
	o.Last = solve(t, p, o)
	p.Source = repaint(g, m.Diagonal(), source, target)
	want := solve(t, p, o) // turned, with a last result
	kept := func(r *Result) [][]float64 {
		return [][]float64{r.LogU, r.LogV, r.products.kv, r.products.ku, r.wanted.kv, r.wanted.ku, r.target, r.Trace}
	}
	var before [][]float64
	for _, r := range []*Result{o.Last, want} {
		for _, x := range kept(r) {
			before = append(before, slices.Clone(x))
		}
	}
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			p, o := p, Options{Coarse: standIn(t, g), Last: o.Last}
			p.Kernel = dense(t, g, epsilon)
			for range 5 {
				p.Source, p.Target = p.Target, p.Source
				if _, err := Solve(context.Background(), p, o); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	for i, x := range append(kept(o.Last), kept(want)...) {
		if !slices.Equal(x, before[i]) {
			t.Errorf("vector %d of the results has changed", i)
		}
	}
}
