package hub

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"genussink/core/graph"
	"genussink/core/hub/label"
	"genussink/core/internal/shared/gengraph"
	"genussink/core/linop"
	"genussink/core/linop/linoptest"
	"genussink/core/septree"
	"genussink/core/shortest"

	"pgregory.net/rapid"
)

// Of every family of graphs, with ties, with edges of hardly any length beside
// others and with several components, in either precision: the tiles name for
// every pair one distance that is never too short and too long by at most their
// bound, and all products are those of that distance, at whatever epsilon, whole
// and in parts.
func TestTilesNameOneDistance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ctx := context.Background()
		g := gengraph.Draw(t)
		n := g.Len()
		tree, err := septree.Split(ctx, g, septree.Options{Leaf: rapid.IntRange(1, 40).Draw(t, "leaf")})
		if err != nil {
			t.Fatal(err)
		}
		precision := rapid.SampledFrom(precisions).Draw(t, "precision")
		l, err := label.Measure(ctx, tree, label.MeasureOptions{Precision: precision})
		if err != nil {
			t.Fatal(err)
		}
		exact, scale := distances(g)
		delta := scale * rapid.SampledFrom([]float64{0, 0, 1e-13, 6e-4, 0.01, 0.1, 0.4, 1e6}).Draw(t, "delta")
		const parts = 3
		walked := make([]*Tiles, parts+1) // the whole last
		for p := range walked {
			o := WalkOptions{Delta: delta}
			if p < parts {
				o.Part, o.Parts = p, parts
			}
			if walked[p], err = Walk(ctx, l, o); errors.Is(err, label.ErrFloat32) && precision == label.Float32 && delta > 0 && delta <= label.Rounding(l.Reach) {
				return
			} else if err != nil {
				t.Fatal(err)
			}
		}
		bound := walked[parts].Bound()
		sums := 1e-12 * scale                                // what sums in another order may differ by
		stored := sums + rounded32(precision, 0x1p-20*scale) // and exponentials as they are stored
		// Two epsilons whose kernels are within float64, one whose is far beyond.
		named := namedDistances(t, walked, scale/5)
		again := namedDistances(t, walked, scale/300)
		logs := loggedDistances(t, walked, scale/1e6)
		for i := range n {
			for j, d := range exact[i] {
				x := named[i][j]
				if math.IsInf(d, 1) {
					if !math.IsInf(x, 1) || !math.IsInf(again[i][j], 1) || !math.IsInf(logs[i][j], 1) {
						t.Fatalf("no path leads from %d to %d, and %g, %g, %g are named", i, j, x, again[i][j], logs[i][j])
					}
					continue
				}
				if !(x >= d-delta-sums && x <= d+bound+sums && logs[i][j] >= d-delta-sums && logs[i][j] <= d+bound+sums) {
					t.Fatalf("D(%d,%d) is %g, in logarithms %g, exactly %g, delta %g, bound %g", i, j, x, logs[i][j], d, delta, bound)
				}
				if !(math.Abs(again[i][j]-x) <= stored && math.Abs(logs[i][j]-x) <= stored && math.Abs(named[j][i]-x) <= sums) {
					t.Fatalf("D(%d,%d) is %g, at another epsilon %g, in logarithms %g, from the other side %g", i, j, x, again[i][j], logs[i][j], named[j][i])
				}
			}
		}
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "densities"), 2))
		for _, epsilon := range []float64{scale / 5, scale / 300, scale / 1e6} {
			checkProducts(t, walked, logs, epsilon, sums/epsilon+stored/scale, r)
		}
	})
}

// kernels are those of the parts and, last, of the whole.
func kernels(t *rapid.T, walked []*Tiles, epsilon float64) []*Kernel {
	list := make([]*Kernel, len(walked))
	for p, tiles := range walked {
		k, err := NewKernel(context.Background(), tiles, epsilon)
		if err != nil {
			t.Fatal(err)
		}
		list[p] = k
	}
	return list
}

// distances are all of them, and the longest there is, 1 where all are 0.
func distances(g *graph.Graph) (exact [][]float64, scale float64) {
	exact = make([][]float64, g.Len())
	for i := range exact {
		exact[i] = shortest.From(g, int32(i))
		for _, d := range exact[i] {
			if d < math.Inf(1) {
				scale = max(scale, d)
			}
		}
	}
	if scale == 0 {
		scale = 1
	}
	return exact, scale
}

// namedDistances reads distances off the whole kernel's entries, and checks that
// one part has each and the others nothing.
func namedDistances(t *rapid.T, walked []*Tiles, epsilon float64) [][]float64 {
	list := kernels(t, walked, epsilon)
	whole := list[len(list)-1]
	n, _ := whole.Dims()
	named := make([][]float64, n)
	x, y := make([]float64, n), make([]float64, n)
	for i := range n {
		x[i] = 1
		entries := linoptest.Must(t, whole).MulVec(nil, x)
		have := make([]int, n)
		for _, part := range list[:len(list)-1] {
			for j, e := range linoptest.Must(t, part).MulVec(y, x) {
				if e != 0 {
					have[j]++
					if e != entries[j] {
						t.Fatalf("K(%d,%d) is %g in a part, %g in the whole", i, j, e, entries[j])
					}
				}
			}
		}
		x[i] = 0
		named[i] = entries
		for j, e := range entries {
			if reached := e > 0; !(e >= 0) || reached && math.Log(e) < whole.LogFloor()-1e-12 || reached != (have[j] == 1) || have[j] > 1 {
				t.Fatalf("K(%d,%d) is %g, %d parts have it, the floor is exp(%g)", i, j, e, have[j], whole.LogFloor())
			}
			named[i][j] = -epsilon * math.Log(e)
		}
	}
	return named
}

// cancels says whether differences of running sums may lose what is far below the sums: where distances
// may be off by many epsilons, by no more than that.
func cancels(k *Kernel) bool { return k.t.delta > 0 && k.LogFloor() < -linop.MaxLog }

// cancelled is the share of a row's sum that differences of running sums may lose: all terms that a row's sum is subtracted from
// go through a hub, so none is longer than the pair's own way by more than the slack.
func cancelled(k *Kernel) float64 {
	if k.t.delta == 0 {
		return 0
	}
	n, _ := k.Dims()
	return min(1, float64(n)*0x1p-53*math.Exp(k.t.slack/k.epsilon))
}

// checkRows holds products to the sums over the kernel's rows, and those of logarithms to the sums over its distances.
func checkRows(t linoptest.T, k *Kernel, epsilon float64, x, logx []float64) {
	y, logy := linoptest.Must(t, k).MulVec(nil, x), linoptest.Must(t, k).LogMulVec(nil, logx)
	lost := 0.0
	if cancels(k) {
		lost = k.t.slack / epsilon
	}
	var row, dist []float64
	for i := 0; i < len(y); i += 1 + len(y)/128 {
		row, dist = linoptest.Must(t, k).Row(k.epsilon, row, i), linoptest.Must(t, k).Distances(dist, i)
		sum, top, logged := 0.0, math.Inf(-1), 0.0
		for j, e := range row {
			sum += e * x[j]
			top = max(top, logx[j]-dist[j]/epsilon)
		}
		for j, d := range dist {
			logged += relative(logx[j]-d/epsilon, top)
		}
		plain := k.LogFloor() < -linop.MaxLog || math.Abs(sum-y[i]) <= (1e-11+cancelled(k))*y[i]
		if got := top + math.Log(logged); !plain || logy[i] != got && !(math.Abs(got-logy[i]) <= 1e-11*(1+k.t.labels.Reach/epsilon)+lost) {
			t.Fatalf("row %d sums up to %g, the product is %g; of logarithms to %g, the product is %g", i, sum, y[i], got, logy[i])
		}
	}
}

// checkDraws draws targets of some vertices with numbers spread evenly over [0,1): each other vertex is drawn as often as its
// share of the row has room for them, and at the kernel's own distance.
func checkDraws(t linoptest.T, k *Kernel, epsilon float64, logx []float64, logs bool, seed uint64) {
	n, _ := k.Dims()
	if n == 0 {
		return // nowhere to draw from
	}
	draws := 2*n + 10
	r := rand.New(rand.NewPCG(seed, 3))
	from := []int32{r.Int32N(int32(n)), r.Int32N(int32(n)), r.Int32N(int32(n))}
	var sources []int32
	var u []float64
	for _, i := range from {
		for m := range draws {
			sources, u = append(sources, i), append(u, (float64(m)+r.Float64())/float64(draws))
		}
	}
	if logs {
		linoptest.Must(t, k).LogMulVec(nil, logx)
	} else {
		x := make([]float64, n)
		for i, l := range logx {
			x[i] = math.Exp(l)
		}
		linoptest.Must(t, k).MulVec(nil, x)
	}
	targets, dist := linoptest.Must(t, k).Draw(sources, u)
	for a, i := range from {
		count, row := make([]float64, n), linoptest.Must(t, k).Distances(nil, int(i))
		own, far := targets[a*draws:][:draws], dist[a*draws:][:draws]
		top, total := math.Inf(-1), 0.0
		for j, d := range row {
			top = max(top, logx[j]-d/epsilon)
		}
		for j, d := range row {
			total += relative(logx[j]-d/epsilon, top)
		}
		for m, j := range own {
			switch {
			case top == math.Inf(-1):
				if j >= 0 {
					t.Fatalf("vertex %d has no mass and draws %d", i, j)
				}
				continue
			case j < 0:
				t.Fatalf("vertex %d draws nothing", i)
			case !(math.Abs(far[m]-row[j]) <= 1e-12*k.t.labels.Reach):
				t.Fatalf("D(%d,%d) is %g where it is drawn, %g in the row", i, j, far[m], row[j])
			}
			count[j]++
		}
		for j, d := range row {
			share := relative(logx[j]-d/epsilon, top) / total
			if want := share * float64(draws); top > math.Inf(-1) && !(math.Abs(count[j]-want) <= 2+1e-6*want) || share == 0 && count[j] > 0 {
				t.Fatalf("%d draws %d %g times, its share is %g", i, j, count[j], want)
			}
		}
	}
}

// loggedDistances does the same by products of logarithms.
func loggedDistances(t *rapid.T, walked []*Tiles, epsilon float64) [][]float64 {
	list := kernels(t, walked, epsilon)
	whole := list[len(list)-1]
	n, _ := whole.Dims()
	named := make([][]float64, n)
	x, y := make([]float64, n), make([]float64, n)
	for i := range x {
		x[i] = math.Inf(-1)
	}
	for i := range n {
		x[i] = 0
		named[i] = linoptest.Must(t, whole).LogMulVec(nil, x)
		have := make([]int, n)
		for _, part := range list[:len(list)-1] {
			for j, e := range linoptest.Must(t, part).LogMulVec(y, x) {
				if e > math.Inf(-1) {
					have[j]++
					if e != named[i][j] {
						t.Fatalf("log K(%d,%d) is %g in a part, %g in the whole", i, j, e, named[i][j])
					}
				}
			}
		}
		x[i] = math.Inf(-1)
		for j, e := range named[i] {
			if reached := e > math.Inf(-1); math.IsNaN(e) || reached != (have[j] == 1) || have[j] > 1 {
				t.Fatalf("log K(%d,%d) is %g, %d parts have it", i, j, e, have[j])
			}
			named[i][j] *= -epsilon
		}
	}
	return named
}

// checkProducts holds products of random vectors, with ranks of no mass, and the
// cost of a random plan, to the sums over the distances, relative to these.
func checkProducts(t *rapid.T, walked []*Tiles, d [][]float64, epsilon, tolerance float64, r *rand.Rand) {
	list := kernels(t, walked, epsilon)
	n := len(d)
	logs := func() []float64 {
		x := make([]float64, n)
		for i := range x {
			if x[i] = 8 * r.NormFloat64(); r.IntN(4) == 0 {
				x[i] = math.Inf(-1)
			}
		}
		return x
	}
	within := func(what string, i int, got, want, lost float64) {
		if !(got == want || math.Abs(got-want) <= (tolerance+lost)*math.Abs(want)+1e-290) {
			t.Fatalf("epsilon %g: %s %d is %g, not %g", epsilon, what, i, got, want)
		}
	}
	logx, u, v := logs(), logs(), logs()
	x := make([]float64, n)
	for i, l := range logx {
		x[i] = math.Exp(l)
	}
	for _, k := range list {
		checkRows(t, k, epsilon, x, logx)
		if !cancels(k) {
			checkDraws(t, k, epsilon, logx, true, r.Uint64())
		}
		if k.LogFloor() > -linop.MaxLog {
			checkDraws(t, k, epsilon, logx, false, r.Uint64())
		}
	}
	plain, logged, cost := make([]float64, n), make([]float64, n), 0.0
	for p, k := range list {
		y, z, c := linoptest.Must(t, k).MulVec(nil, x), linoptest.Must(t, k).LogMulVec(nil, logx), linoptest.Must(t, k).PlanCost(u, v)
		if p < len(list)-1 {
			for i := range y {
				plain[i] += y[i]
				logged[i] += math.Exp(z[i])
			}
			cost += c
			continue
		}
		want, moved := 0.0, 0.0
		for i := range n {
			sum := 0.0
			for j, d := range d[i] {
				sum += math.Exp(logx[j] - d/epsilon)
				if mass := math.Exp(u[i] + v[j] - d/epsilon); mass > 0 {
					want += mass * d
					moved += mass
				}
			}
			if !cancels(k) { // else the shift is beyond what factors are within
				within("product", i, y[i], sum, cancelled(k))
				within("product in parts", i, plain[i], sum, cancelled(k))
			}
			within("product of logarithms", i, math.Exp(z[i]), sum, 0)
			within("product of logarithms in parts", i, logged[i], sum, 0)
		}
		// Of mass that moves next to nothing the distance is what sums of longer ways differ by.
		if most := tolerance*(want+epsilon*moved) + 1e-290; math.Abs(c-want) > most || math.Abs(cost-c) > most {
			t.Fatalf("epsilon %g: cost %g, in parts %g, not %g; mass %g", epsilon, c, cost, want, moved)
		}
	}
}
