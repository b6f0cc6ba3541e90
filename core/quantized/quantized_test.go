package quantized

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"genussink/core/baseline"
	"genussink/core/graph"
	"genussink/core/internal/shared/genmesh"
	"genussink/core/linop/linoptest"
	"genussink/core/measure"
	"genussink/core/shortest"
	"genussink/core/transport"
	"genussink/core/transport/check"
	"genussink/internal/race"
)

// netOf is a net of k cells.
func netOf(t testing.TB, g *graph.Graph, k int) *Net {
	t.Helper()
	s := shortest.NewSpread(g)
	if _, err := s.Extend(context.Background(), k); err != nil {
		t.Fatal(err)
	}
	net, err := NewNet(context.Background(), g, s, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	return net
}

func cellsOf(t testing.TB, net *Net, mass []float64) *Cells {
	t.Helper()
	c, err := net.Cells(context.Background(), mass)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// spot is a density of the vertices within a radius of a centre, falling to 0 at its edge.
func spot(g *graph.Graph, centre int32, radius float64) []float64 {
	x := shortest.From(g, centre)
	for v, d := range x {
		x[v] = max(0, 1-d/radius)
	}
	return measure.Normalise(x)
}

func random(n int, seed uint64) []float64 {
	rng := rand.New(rand.NewPCG(seed, 1))
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.Float64()
	}
	return measure.Normalise(x)
}

func mean(a, b []float64) []float64 {
	m := make([]float64, len(a))
	for i := range a {
		m[i] = (a[i] + b[i]) / 2
	}
	return m
}

// two are two tori without a path from one to the other.
func two(t testing.TB) *graph.Graph {
	_, g := genmesh.Make(t, "torus", map[string]float64{"segments": 24, "sides": 12})
	n := int32(g.Len())
	var edges []graph.Edge
	for v := range n {
		next, weights := g.Neighbours(v)
		for i, w := range next {
			if v < w {
				edges = append(edges, graph.Edge{U: v, V: w, Weight: weights[i]}, graph.Edge{U: v + n, V: w + n, Weight: 2 * weights[i]})
			}
		}
	}
	both, err := graph.New(int(2*n), edges)
	if err != nil {
		t.Fatal(err)
	}
	return both
}

// Where every cell is one vertex its kernel is the dense matrix.
func TestKernelOfVertices(t *testing.T) {
	_, g := genmesh.Make(t, "torus", map[string]float64{"segments": 20, "sides": 9})
	all := make([]float64, g.Len())
	for v := range all {
		all[v] = 1
	}
	c, err := NewSupport(g).Cells(context.Background(), all, all)
	if err != nil {
		t.Fatal(err)
	}
	k, err := NewKernel(context.Background(), c, 0.3)
	if err != nil {
		t.Fatal(err)
	}
	linoptest.Kernel(t, k, 0.3)
	dense, err := baseline.NewDense(context.Background(), g, 0.3, baseline.Options{})
	if err != nil {
		t.Fatal(err)
	}
	x := random(g.Len(), 3)
	want, got := linoptest.Must(t, dense).MulVec(nil, x), linoptest.Must(t, k).MulVec(nil, x)
	for i := range want {
		if math.Abs(got[i]-want[i]) > 1e-12*want[i] {
			t.Fatalf("product %d is %v, dense %v", i, got[i], want[i])
		}
	}
}

// A kernel of cells is that of their distances, entry by entry, in whatever way it is asked; vertices without a cell have none.
func TestKernelOfCells(t *testing.T) {
	g := two(t)
	net := netOf(t, g, 40)
	c := cellsOf(t, net, random(g.Len(), 1))
	some := *c
	some.Of = slices.Clone(c.Of)
	some.Of[5], some.Of[100] = -1, -1
	for name, c := range map[string]*Cells{"all": c, "some": &some} {
		const epsilon = 0.5
		k, err := NewKernel(context.Background(), c, epsilon)
		if err != nil {
			t.Fatal(err)
		}
		linoptest.Operator(t, k)
		n, m := g.Len(), c.Count()
		u, v := random(n, 2), random(n, 3)
		logu, logv := make([]float64, n), make([]float64, n)
		for i := range u {
			logu[i], logv[i] = math.Log(u[i]), math.Log(v[i])
		}
		product, logs, cost := linoptest.Must(t, k).MulVec(nil, v), linoptest.Must(t, k).LogMulVec(nil, logv), 0.0
		for i := range n {
			row, distances, sum := linoptest.Must(t, k).Row(k.epsilon, nil, i), linoptest.Must(t, k).Distances(nil, i), 0.0
			for j := range n {
				d := math.Inf(1)
				if c.Of[i] >= 0 && c.Of[j] >= 0 {
					d = c.Distance[int(c.Of[i])*m+int(c.Of[j])]
				}
				x := math.Exp(-d / epsilon)
				if distances[j] != d || math.Abs(row[j]-x) > 1e-15 {
					t.Fatalf("%s: entry %d, %d is %v at distance %v, want %v at %v", name, i, j, row[j], distances[j], x, d)
				}
				if sum += x * v[j]; x > 0 {
					cost += u[i] * x * v[j] * d
				}
			}
			if math.Abs(product[i]-sum) > 1e-12*sum || sum > 0 && math.Abs(logs[i]-math.Log(sum)) > 1e-12 || sum == 0 && logs[i] != math.Inf(-1) {
				t.Fatalf("%s: row %d: product %v, its logarithm %v, want %v", name, i, product[i], logs[i], sum)
			}
		}
		if got := linoptest.Must(t, k).PlanCost(logu, logv); math.Abs(got-cost) > 1e-12*cost {
			t.Errorf("%s: cost %v, want %v", name, got, cost)
		}
	}
}

// Drawn targets follow K_ij x_j, in scalings and in logarithms: chi-square over cells and the vertices of one.
func TestDraw(t *testing.T) {
	race.Alone(t)
	g := two(t)
	c := cellsOf(t, netOf(t, g, 12), random(g.Len(), 1))
	k, err := NewKernel(context.Background(), c, 0.7)
	if err != nil {
		t.Fatal(err)
	}
	x := random(g.Len(), 9)
	x[7], x[30] = 0, 0
	logx := make([]float64, len(x))
	for i := range x {
		logx[i] = math.Log(x[i])
	}
	for _, form := range []string{"scalings", "logarithms"} {
		if form == "scalings" {
			linoptest.Must(t, k).MulVec(nil, x)
		} else {
			linoptest.Must(t, k).LogMulVec(nil, logx)
		}
		const draws = 200000
		rng := rand.New(rand.NewPCG(4, 4))
		sources, u := make([]int32, draws), make([]float64, draws)
		for i := range sources {
			sources[i], u[i] = 3, rng.Float64()
		}
		targets, dist := linoptest.Must(t, k).Draw(sources, u)
		seen, want, total := make([]float64, len(x)), linoptest.Must(t, k).Row(k.epsilon, nil, 3), 0.0
		for j := range want {
			want[j] *= x[j]
			total += want[j]
		}
		d := linoptest.Must(t, k).Distances(nil, 3)
		for i, j := range targets {
			seen[j]++
			if dist[i] != d[j] {
				t.Fatalf("%s: target %d at distance %v, want %v", form, j, dist[i], d[j])
			}
		}
		chi, bins := 0.0, 0
		for j := range want {
			expected := want[j] / total * draws
			if expected == 0 && seen[j] > 0 {
				t.Fatalf("%s: vertex %d has no mass and is drawn", form, j)
			}
			if expected > 5 {
				chi += (seen[j] - expected) * (seen[j] - expected) / expected
				bins++
			}
		}
		if limit := float64(bins) + 5*math.Sqrt(2*float64(bins)); chi > limit || bins < 50 {
			t.Errorf("%s: chi-square %g of %d bins, at most %g", form, chi, bins, limit)
		}
	}
}

// Between painted spots support costs what the dense matrix does, whether they are apart, overlap or are the same, and whichever is the
// smaller. What has been searched is not searched again.
func TestSupportIsExact(t *testing.T) {
	_, g := genmesh.Make(t, "torus", map[string]float64{"segments": 40, "sides": 18})
	s := NewSupport(g)
	ctx := context.Background()
	for _, epsilon := range []float64{0.5, 0.05} {
		dense, err := baseline.NewDense(ctx, g, epsilon, baseline.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for name, pair := range map[string][2][]float64{
			"apart":   {spot(g, 0, 0.5), spot(g, 400, 0.8)},
			"swapped": {spot(g, 400, 0.8), spot(g, 0, 0.5)},
			"overlap": {spot(g, 0, 0.9), spot(g, 20, 0.8)},
			"same":    {spot(g, 0, 0.5), spot(g, 0, 0.5)},
		} {
			a, b := pair[0], pair[1]
			want, err := transport.Solve(ctx, transport.Problem{Kernel: dense, Source: a, Target: b, Epsilon: epsilon}, transport.Options{})
			if err != nil {
				t.Fatal(err)
			}
			c, err := s.Cells(ctx, a, b)
			if err != nil {
				t.Fatal(err)
			}
			got, err := Solve(ctx, c, a, b, epsilon, transport.Options{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if r := got.Result; r.Status != transport.Converged || math.Abs(r.Cost-want.Cost) > 1e-9*want.Cost+1e-12 || math.Abs(r.Dual-want.Dual) > 1e-8*math.Abs(want.Dual)+1e-9 {
				t.Errorf("%s, epsilon %g: cost %v, dual value %v, dense %v and %v", name, epsilon, r.Cost, r.Dual, want.Cost, want.Dual)
			}
			marginals(t, name, got, a, b)
		}
	}
	rows := len(s.rows)
	if _, err := s.Cells(ctx, spot(g, 0, 0.5), spot(g, 400, 0.7)); err != nil || len(s.rows) != rows {
		t.Errorf("%d rows before, %d after a painting within the last ones: %v", rows, len(s.rows), err)
	}
	if _, err := s.Cells(ctx, spot(g, 0, 0.5), spot(g, 600, 0.7)); err != nil || len(s.rows) != rows {
		t.Errorf("%d rows before, %d after another target: %v", rows, len(s.rows), err)
	}
}

// marginals holds the plan between the vertices to its marginals.
func marginals(t *testing.T, name string, s *Solution, a, b []float64) {
	t.Helper()
	ones := make([]float64, len(a))
	for i := range ones {
		ones[i] = 1
	}
	p, err := transport.NewPlan(s.Kernel, s.Kernel.epsilon, s.Result.LogU, s.Result.LogV)
	if err != nil {
		t.Fatal(err)
	}
	off := 0.0
	for i, x := range linoptest.Value(p.Push(t.Context(), nil, ones))(t) {
		off += math.Abs(x - a[i])
	}
	for j, x := range linoptest.Value(p.Pull(t.Context(), nil, ones))(t) {
		off += math.Abs(x - b[j])
	}
	if off > 1e-8 {
		t.Errorf("%s: the plan misses its marginals by %g", name, off)
	}
}

// A plan between cells, spread over their vertices, is that of Sinkhorn's iteration with the kernel of all vertices.
func TestSpreadPlan(t *testing.T) {
	g := two(t)
	n := g.Len()
	a, b := random(n, 5), random(n, 6)
	for i := range n / 2 { // the same mass in either component, and places without any
		a[i+n/2], b[i+n/2] = b[i], a[i]
		if i%7 == 0 {
			a[i], b[i+n/2] = 0, 0
		}
	}
	measure.Normalise(a)
	measure.Normalise(b)
	component, count := g.Components()
	a, b, _, err := measure.Balance(a, b, component, count)
	if err != nil {
		t.Fatal(err)
	}
	net := netOf(t, g, 50)
	c := cellsOf(t, net, mean(a, b))
	const epsilon = 0.3
	s, err := Solve(context.Background(), c, a, b, epsilon, transport.Options{Tolerance: 1e-12}, nil)
	if err != nil {
		t.Fatal(err)
	}
	direct, err := transport.Solve(context.Background(), transport.Problem{Kernel: s.Kernel, Source: a, Target: b, Epsilon: epsilon}, transport.Options{Tolerance: 1e-12})
	if err != nil {
		t.Fatal(err)
	}
	for what, pair := range map[string][2]float64{
		"cost": {s.Result.Cost, direct.Cost}, "primal": {s.Result.Primal, direct.Primal}, "dual": {s.Result.Dual, direct.Dual},
		"lower bound": {
			linoptest.Value(check.LowerBound(context.Background(), transport.Problem{Kernel: s.Kernel, Source: a, Target: b, Epsilon: epsilon}, s.Result, g, shortest.NewSolver(g)))(t),
			linoptest.Value(check.LowerBound(context.Background(), transport.Problem{Kernel: s.Kernel, Source: a, Target: b, Epsilon: epsilon}, direct, g, shortest.NewSolver(g)))(t),
		},
	} {
		if math.Abs(pair[0]-pair[1]) > 1e-9*math.Abs(pair[1]) {
			t.Errorf("%s is %v, of all vertices %v", what, pair[0], pair[1])
		}
	}
	marginals(t, "spread", s, a, b)
}

// Distances of cells are the means of true ones: exactly where all is within a hop but for the second order of the cells' size, nearly
// along hops. Merged cells have the means of theirs.
func TestMeanDistances(t *testing.T) {
	race.Alone(t)
	for _, c := range []struct {
		kind   string
		params map[string]float64
		cells  int
	}{
		{"torus", map[string]float64{"segments": 40, "sides": 18}, 60},
		{"sphere", map[string]float64{"frequency": 12}, 90},
		{"multi-torus", nil, 120},
	} {
		_, g := genmesh.Make(t, c.kind, c.params)
		n := g.Len()
		mass := random(n, 8)
		cells := cellsOf(t, netOf(t, g, c.cells), mass)
		k := cells.Count()
		want := make([]float64, k*k)
		solver, row := shortest.NewSolver(g), make([]float64, n)
		for v := range n {
			for w, d := range solver.Distances(row, int32(v)) {
				want[int(cells.Of[v])*k+int(cells.Of[w])] += d * mass[v] * mass[w] / (cells.Mass[cells.Of[v]] * cells.Mass[cells.Of[w]])
			}
		}
		var off, signed, total float64
		for i := range k {
			for j := range k {
				got := cells.Distance[i*k+j]
				if got != cells.Distance[j*k+i] {
					t.Fatalf("%s: %d to %d is %v, back %v", c.kind, i, j, got, cells.Distance[j*k+i])
				}
				off, signed, total = off+math.Abs(got-want[i*k+j]), signed+got-want[i*k+j], total+want[i*k+j]
			}
		}
		if off > 1e-2*total || math.Abs(signed) > 3e-3*total {
			t.Errorf("%s: mean distances are off by %.2g of themselves, on average by %.2g", c.kind, off/total, signed/total)
		}
		half := cells.Merge(k / 2)
		var before, after float64
		for i := range k {
			for j := range k {
				before += cells.Distance[i*k+j] * cells.Mass[i] * cells.Mass[j]
			}
		}
		for i := range k / 2 {
			for j := range k / 2 {
				after += half.Distance[i*(k/2)+j] * half.Mass[i] * half.Mass[j]
			}
		}
		if math.Abs(before-after) > 1e-10*before {
			t.Errorf("%s: the mean of all distances is %v, of merged cells %v", c.kind, before, after)
		}
	}
}

// A net of several components knows that no path leads from one to another; with fewer cells than components there is none.
func TestComponents(t *testing.T) {
	g := two(t)
	net := netOf(t, g, 30)
	c := cellsOf(t, net, random(g.Len(), 1))
	component, _ := g.Components()
	for v := range g.Len() {
		for w := range g.Len() {
			d := c.Distance[int(c.Of[v])*c.Count()+int(c.Of[w])]
			if (component[v] == component[w]) != (d < math.Inf(1)) || math.IsNaN(d) {
				t.Fatalf("vertices %d and %d of components %d and %d are %v apart", v, w, component[v], component[w], d)
			}
		}
	}
	if _, _, ok := net.Path(nil, nil, 0, int32(g.Len()-1)); ok {
		t.Error("a path between components")
	}
	s := shortest.NewSpread(g)
	if _, err := s.Extend(context.Background(), 1); err != nil {
		t.Fatal(err)
	}
	if _, err := NewNet(context.Background(), g, s, false, nil); err == nil {
		t.Error("a net with a component left out")
	}
}

// Paths are shortest paths.
func TestPath(t *testing.T) {
	for _, kind := range []string{"torus", "sphere", "multi-torus"} {
		_, g := genmesh.Make(t, kind, nil)
		net := netOf(t, g, 60)
		solver := shortest.NewSolver(g)
		rng := rand.New(rand.NewPCG(5, 6))
		for range 100 {
			from, to := int32(rng.IntN(g.Len())), int32(rng.IntN(g.Len()))
			path, along, ok := net.Path([]int32{9}, []float64{9}, from, to)
			if !ok || path[0] != 9 || along[0] != 9 || path[1] != from || path[len(path)-1] != to || len(path) != len(along) {
				t.Fatalf("%s: %v, %v from %d to %d", kind, path, along, from, to)
			}
			want := solver.To(nil, []int32{to}, from)[0]
			if got := along[len(along)-1]; math.Abs(got-want) > 1e-6*want {
				t.Fatalf("%s: a path of %v from %d to %d, the shortest is %v", kind, got, from, to, want)
			}
			sum := 0.0
			for i := 2; i < len(path); i++ {
				next, weights := g.Neighbours(path[i-1])
				e, found := slices.BinarySearch(next, path[i])
				if !found {
					t.Fatalf("%s: no edge from %d to %d", kind, path[i-1], path[i])
				}
				if sum += weights[e]; math.Abs(sum-along[i]) > 1e-12 {
					t.Fatalf("%s: vertex %d is %v along, want %v", kind, i, along[i], sum)
				}
			}
		}
	}
}

// When its context ends, whatever is under way says so.
func TestCancelled(t *testing.T) {
	_, g := genmesh.Make(t, "torus", nil)
	net := netOf(t, g, 120)
	a, b := random(g.Len(), 1), random(g.Len(), 2)
	c := cellsOf(t, net, mean(a, b))
	s, err := Solve(context.Background(), c, a, b, 0.3, transport.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	spread := shortest.NewSpread(g)
	for what, do := range map[string]func() error{
		"spread": func() error { _, err := spread.Extend(ctx, 9); return err },
		"net": func() error {
			_, err := NewNet(ctx, g, &shortest.Spread{Vertices: net.Representatives, Nearest: net.Of, Far: make([]float64, g.Len())}, false, nil)
			return err
		},
		"cells":    func() error { _, err := net.Cells(ctx, a); return err },
		"support":  func() error { _, err := NewSupport(g).Cells(ctx, a, b); return err },
		"solve":    func() error { _, err := Solve(ctx, c, a, b, 0.3, transport.Options{}, nil); return err },
		"estimate": func() error { _, err := s.Estimate(ctx, net, 4, transport.Options{}); return err },
	} {
		if err := do(); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
