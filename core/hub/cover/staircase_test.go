package cover_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"
	"unsafe"

	"genussink/core/graph"
	"genussink/core/hub/cover"
	"genussink/core/hub/hubtest"
	"genussink/core/hub/label"
	"genussink/core/hub/tile"
	"genussink/core/internal/shared"
	"genussink/core/internal/shared/gengraph"
	"genussink/core/linop"
	"genussink/core/linop/linoptest"
	"genussink/core/mesh/generate"
	"genussink/core/septree"
	"genussink/core/shortest"
	"genussink/internal/race"

	"pgregory.net/rapid"
)

// uneven is the graph with its edges' lengths drawn anew, within 30 %.
func uneven(t testing.TB, g *graph.Graph) *graph.Graph {
	r := rand.New(rand.NewPCG(6, 6))
	var edges []graph.Edge
	for v := range int32(g.Len()) {
		to, lengths := g.Neighbours(v)
		for i, u := range to {
			if u > v {
				edges = append(edges, graph.Edge{U: v, V: u, Weight: lengths[i] * (0.7 + 0.6*r.Float64())})
			}
		}
	}
	return gengraph.Build(t, g.Len(), edges)
}

// tube is rings of w vertices, one after the other.
func tube(t testing.TB, w, rings int) *graph.Graph {
	var edges []graph.Edge
	for v := range int32(w * rings) {
		if next := v - v%int32(w) + (v+1)%int32(w); next != v {
			edges = append(edges, graph.Edge{U: v, V: next, Weight: 1})
		}
		if int(v)+w < w*rings {
			edges = append(edges, graph.Edge{U: v, V: v + int32(w), Weight: 1})
		}
	}
	return gengraph.Build(t, w*rings, edges)
}

// blobs is grids of side x side, each joined to an earlier one by w edges.
func blobs(t testing.TB, count, side, w int) *graph.Graph {
	r := rand.New(rand.NewPCG(7, 7))
	size := int32(side * side)
	var edges []graph.Edge
	for b := range int32(count) {
		for _, e := range gengraph.Lattice(side, side) {
			edges = append(edges, graph.Edge{U: b*size + e[0], V: b*size + e[1], Weight: 0.7 + 0.6*r.Float64()})
		}
		if b > 0 {
			other := r.Int32N(b)
			from, to := r.IntN(side*side-side), r.IntN(side*side-side)
			for i := range w {
				edges = append(edges, graph.Edge{U: b*size + int32(from+i), V: other*size + int32(to+i), Weight: 1})
			}
		}
	}
	return gengraph.Build(t, count*side*side, edges)
}

// Staircases alone, through any number of hubs, name the true distance of every pair
// of vertices of different sides, each in one staircase; their products, those of
// logarithms, and plans' costs are the sums over these, whole and in shards, in
// either precision.
func TestStaircasesNameTheDistances(t *testing.T) {
	race.Alone(t)
	shared.Draws(t, 30)
	rapid.Check(t, func(rt *rapid.T) {
		g := gengraph.Draw(rt)
		n := g.Len()
		tree, err := septree.Split(t.Context(), g, septree.Options{Leaf: rapid.IntRange(1, 30).Draw(rt, "leaf")})
		if err != nil {
			rt.Fatal(err)
		}
		precision := rapid.SampledFrom(hubtest.Precisions).Draw(rt, "precision")
		l, err := label.Measure(t.Context(), tree, label.MeasureOptions{Precision: precision})
		if err != nil {
			rt.Fatal(err)
		}
		covers := cover.Forced(t, l, 2)
		exact, scale := hubtest.Distances(g)
		sums := 1e-12 * scale
		stored := sums + hubtest.Rounded32(precision, 0x1p-20*scale)
		named := hubtest.NamedDistances(rt, covers, scale/5)
		logs := hubtest.LoggedDistances(rt, covers, scale/1e6)
		for i := range n {
			for j, d := range exact[i] {
				for _, x := range [2]float64{named[i][j], logs[i][j]} {
					if x != d && !(x >= d-sums && x <= d+sums+covers[2].Bound()) {
						rt.Fatalf("D(%d,%d) is %g and %g, exactly %g", i, j, named[i][j], logs[i][j], d)
					}
				}
			}
		}
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "densities"), 2))
		for _, epsilon := range []float64{scale / 5, scale / 300, scale / 1e6} {
			hubtest.CheckProducts(rt, covers, logs, epsilon, sums/epsilon+stored/scale, r)
		}
	})
}

// fewHubs are graphs some of whose cells range searching crosses: through two hubs,
// and through three where every path leads over one of three centres.
func fewHubs(t testing.TB) map[string]*graph.Graph {
	dumbbell, _, err := generate.DumbbellGraph(14, 2)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 1))
	var spokes []graph.Edge
	for v := range int32(3000) {
		for centre := range int32(3) {
			spokes = append(spokes, graph.Edge{U: centre, V: 3 + v, Weight: 3 + r.Float64()})
		}
	}
	return map[string]*graph.Graph{
		"cycle":           tube(t, 900, 1),
		"uneven cycle":    uneven(t, tube(t, 900, 1)),
		"ladder":          uneven(t, tube(t, 2, 400)),
		"dumbbell":        dumbbell,
		"uneven dumbbell": uneven(t, dumbbell),
		"blobs":           blobs(t, 6, 12, 2),
		"three centres":   gengraph.Build(t, 3003, spokes),
	}
}

// Build takes staircases where they pay, and nothing of a cell's cover stays with
// them; all products are those of the true distances, also with a tolerance.
func TestStaircasesWherePaid(t *testing.T) {
	race.Alone(t)
	for name, g := range fewHubs(t) {
		if testing.Short() && (name == "uneven cycle" || name == "uneven dumbbell" || name == "blobs") {
			continue
		}
		n := g.Len()
		const step = 5 // of the rows that are looked at
		d := make([][]float64, 0, n/step+1)
		for i := 0; i < n; i += step {
			d = append(d, shortest.From(g, int32(i)))
		}
		rng := rand.New(rand.NewPCG(8, 8))
		x, logs, rows := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range x {
			logs[i], rows[i] = -3*rng.Float64(), math.Inf(-1)
			if x[i] = math.Exp(logs[i]); i%9 == 4 {
				x[i], logs[i] = 0, math.Inf(-1)
			}
			if i%step == 0 {
				rows[i] = logs[i]
			}
		}
		for _, precision := range hubtest.Precisions {
			for _, delta := range []float64{0, 0.5} {
				l := hubtest.LabelsOf(t, g, septree.Options{}, precision)
				cov := hubtest.BuildCover(t, l, delta)
				c := cov.Crosses()
				if c.Range == 0 && delta == 0 {
					t.Errorf("%s, %v: %+v", name, precision, c)
				}
				for _, s := range cov.Staircases.List {
					if slices.ContainsFunc(cov.Tiles, func(o tile.Tile) bool { return o.Cell == s.Cell }) {
						t.Fatalf("%s, %v, delta %g: cell %d has staircases and tiles", name, precision, delta, s.Cell)
					}
				}
				const epsilon = 6.0
				k := hubtest.KernelOf(t, cov, epsilon)
				y, z, cost, want := linoptest.Must(t, k).MulVec(nil, x), linoptest.Must(t, k).LogMulVec(nil, logs), linoptest.Must(t, k).PlanCost(rows, logs), 0.0
				ratio := math.Exp(cov.Bound()/epsilon) * (1 + 1e-11)
				for i := 0; i < n; i += step {
					sum := 0.0
					for j, d := range d[i/step] {
						sum += math.Exp(-d/epsilon) * x[j]
						want += x[i] * x[j] * math.Exp(-d/epsilon) * d
					}
					for _, got := range [2]float64{y[i], math.Exp(z[i])} {
						if got > sum*ratio || got < sum/ratio {
							t.Fatalf("%s, %v, delta %g: row %d is %g, %g through logarithms, explicitly %g", name, precision, delta, i, y[i], math.Exp(z[i]), sum)
						}
					}
				}
				if delta == 0 && math.Abs(cost-want) > (1e-11+hubtest.Rounded32(precision, 0x1p-18))*want {
					t.Errorf("%s, %v: cost %g, explicitly %g", name, precision, cost, want)
				}
			}
		}
	}
}

// How the cells of some graphs are crossed.
func TestCrosses(t *testing.T) {
	for name, c := range map[string]struct {
		g    *graph.Graph
		like func(x cover.Crosses) bool
	}{
		"none":       {gengraph.Build(t, 0, nil), func(x cover.Crosses) bool { return x == cover.Crosses{} }},
		"one":        {gengraph.Build(t, 1, nil), func(x cover.Crosses) bool { return x == cover.Crosses{Leaves: 1} }},
		"path":       {gengraph.Grid(t, 3000, 1, 0.3, 1), func(x cover.Crosses) bool { return x.Single > 30 && x.Range+x.Cover == 0 }},
		"cycle":      {uneven(t, tube(t, 3000, 1)), func(x cover.Crosses) bool { return x.Single > 30 && x.Range > 0 }},
		"ladder":     {uneven(t, tube(t, 2, 1500)), func(x cover.Crosses) bool { return x.Single == 0 && x.Range > 10*x.Cover }},
		"square":     {gengraph.Grid(t, 30, 30, 0.3, 2), func(x cover.Crosses) bool { return x.Single+x.Range == 0 && x.Cover > 10 }},
		"components": {gengraph.Random(t, 400, 150, 5), func(x cover.Crosses) bool { return x.Leaves > 200 }},
	} {
		tree, err := septree.Split(t.Context(), c.g, septree.Options{Leaf: 64})
		if err != nil {
			t.Fatal(err)
		}
		l, err := label.Measure(t.Context(), tree, label.MeasureOptions{Precision: label.Float64})
		if err != nil {
			t.Fatal(err)
		}
		x := hubtest.BuildCover(t, l, 0).Crosses()
		leaves, inner := 0, 0
		for i := range l.Cells {
			if r := &l.Cells[i]; r.Lo == r.Sep {
				leaves++
			} else if len(r.Hubs) > 0 {
				inner++
			}
		}
		if x.Leaves != leaves || x.Single+x.Range+x.Cover != inner {
			t.Errorf("%s: %+v of %d leaves and %d other cells", name, x, leaves, inner)
		}
		if !c.like(x) {
			t.Errorf("%s: %+v", name, x)
		}
	}
}

// A walk whose context ends, at whatever time, returns its error, and a product
// stops.
func TestStaircasesEnd(t *testing.T) {
	race.Alone(t)
	for name, g := range fewHubs(t) {
		if testing.Short() && name != "ladder" && name != "three centres" {
			continue
		}
		l := hubtest.Labels(t, g, septree.Options{})
		asked := func(calls int) (*cover.Cover, int, error) {
			ctx := linoptest.NewCountdown(calls)
			cov, err := cover.Build(ctx, l, cover.Options{})
			return cov, ctx.Asked(), err
		}
		cov, all, err := asked(-1)
		if err != nil {
			t.Fatal(err)
		}
		for calls := 0; calls < all; calls += 1 + all/40 {
			if cov, _, err := asked(calls); !errors.Is(err, context.Canceled) || cov != nil {
				t.Errorf("%s: asked %d of %d times: %v", name, calls, all, err)
			}
		}
		k := hubtest.KernelOf(t, cov, 5)
		x := make([]float64, g.Len())
		product := func(calls int) (int, error) {
			ctx := linoptest.NewCountdown(calls)
			_, err := k.MulVec(ctx, nil, x)
			return ctx.Asked(), err
		}
		if all, err = product(-1); err != nil {
			t.Fatal(err)
		}
		for calls := 0; calls < all; calls += 1 + all/40 {
			if _, err := product(calls); !errors.Is(err, context.Canceled) {
				t.Errorf("%s: a product that asked %d of %d times: %v", name, calls, all, err)
			}
		}
	}
}

// Staircases are counted in what tiles take, and refused where that is too much.
func TestStaircasesBytes(t *testing.T) {
	race.Alone(t)
	for name, g := range fewHubs(t) {
		l := hubtest.Labels(t, g, septree.Options{})
		cov := hubtest.BuildCover(t, l, 0)
		s := &cov.Staircases
		if own := int64(len(s.List))*int64(unsafe.Sizeof(cover.Staircase{})) + 4*int64(len(s.Numbers)); cover.StaircaseBytes(cov) != own || cov.Bytes() < own {
			t.Errorf("%s: staircases of %d bytes, %d said, tiles of %d", name, own, cover.StaircaseBytes(cov), cov.Bytes())
		}
		if _, err := cover.Build(t.Context(), l, cover.Options{MemoryLimit: 10 * cov.Bytes()}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		var refused *linop.MemoryError
		if _, err := cover.Build(t.Context(), l, cover.Options{MemoryLimit: cover.StaircaseBytes(cov) / 2}); !errors.As(err, &refused) || refused.Need <= cover.StaircaseBytes(cov)/2 {
			t.Errorf("%s: half of %d bytes: %v", name, cover.StaircaseBytes(cov), err)
		}
	}
}

// medianOf is the median time of some runs.
func medianOf(runs int, f func()) time.Duration {
	times := make([]time.Duration, runs)
	for i := range times {
		start := time.Now()
		f()
		times[i] = time.Since(start)
	}
	slices.Sort(times)
	return times[runs/2]
}

// BenchmarkCross times both ways to cross the first cells of graphs with few
// hubs: set-up and product of the walk's tiles and rank-one blocks and of staircases, and which
// of the two is taken. A product takes one processor.
func BenchmarkCross(b *testing.B) {
	type example struct {
		name string
		g    *graph.Graph
	}
	var examples []example
	for _, r := range []int{18, 42} {
		for _, w := range []int{1, 2, 3, 4, 5, 6, 8} {
			g, _, err := generate.DumbbellGraph(r, w)
			if err != nil {
				b.Fatal(err)
			}
			examples = append(examples, example{fmt.Sprintf("dumbbell-%d-%d", r, w), g}, example{fmt.Sprintf("uneven-dumbbell-%d-%d", r, w), uneven(b, g)})
		}
	}
	for _, w := range []int{1, 2, 3, 4, 5, 6, 8} {
		examples = append(examples,
			example{fmt.Sprintf("strip-%d", w), gengraph.Grid(b, 12000/w, w, 0.3, 3)},
			example{fmt.Sprintf("tube-%d", w), uneven(b, tube(b, w, 12000/w))},
		)
	}
	for _, w := range []int{2, 3, 4, 5} {
		examples = append(examples, example{fmt.Sprintf("blobs-%d", w), blobs(b, 20, 24, w)})
	}
	examples = append(examples, example{"grid", gengraph.Grid(b, 60, 60, 0.3, 3)})
	ctx := b.Context()
	for _, e := range examples {
		l := hubtest.Labels(b, e.g, septree.Options{})
		for at, cells := 0, 0; at < len(l.Cells) && cells < 4; at++ {
			r := &l.Cells[at]
			if r.Lo == r.Sep || len(r.Hubs) == 0 || len(r.Hubs) > cover.RangeAround {
				continue
			}
			k := cover.NewCrossing(ctx, l, int32(at))
			hubs := k.Hubs
			cells++
			b.Run(fmt.Sprintf("%s/%dx%d/hubs=%d-%d", e.name, r.Mid-r.Lo, r.Sep-r.Mid, len(r.Hubs), len(hubs)), func(b *testing.B) {
				product := func() time.Duration { // of what was found
					kernel, x, y := hubtest.KernelOf(b, k.Cover(), 2), make([]float64, l.Len()), make([]float64, l.Len())
					defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
					return medianOf(15, func() { linoptest.Must(b, kernel).MulVec(y, x) })
				}
				ns := func(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e3 }
				for b.Loop() {
					k.Forget()
					idle := product()
					b.ReportMetric(ns(medianOf(3, k.Descend)), "walk-setup-us")
					b.ReportMetric(float64(k.Cost()), "walk-cost")
					b.ReportMetric(ns(product()-idle), "walk-us")
					b.ReportMetric(ns(medianOf(3, k.Search)), "range-setup-us")
					cost, _ := k.Staircases()
					b.ReportMetric(float64(cost), "range-cost")
					b.ReportMetric(ns(product()-idle), "range-us")
					b.ReportMetric(ns(medianOf(3, k.Cross)), "setup-us")
					_, taken := k.Staircases()
					b.ReportMetric(float64(min(taken, 1)), "range-taken")
				}
			})
		}
	}
}
