// Package hubtest checks the kernels of any cover against one matrix of distances: every entry, every product, plans'
// costs and draws must be of the same distances, whole and in shards.
package hubtest

import (
	"context"
	"iter"
	"math"
	"math/rand/v2"

	"genussink/core/graph"
	"genussink/core/hub"
	"genussink/core/hub/cover"
	"genussink/core/hub/label"
	"genussink/core/linop"
	"genussink/core/linop/linoptest"
	"genussink/core/septree"
	"genussink/core/shortest"
)

// Labels are the float64 labels of a graph, whose tree is split with these options.
func Labels(t linoptest.T, g *graph.Graph, o septree.Options) *label.Labels {
	t.Helper()
	return LabelsOf(t, g, o, label.Float64)
}

// LabelsOf are those of a precision.
func LabelsOf(t linoptest.T, g *graph.Graph, o septree.Options, p label.Precision) *label.Labels {
	t.Helper()
	tree, err := septree.Split(context.Background(), g, o)
	if err != nil {
		t.Fatal(err)
	}
	l, err := label.Measure(context.Background(), tree, label.MeasureOptions{Precision: p})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// Precisions are those that labels can have.
var Precisions = []label.Precision{label.Float64, label.Float32}

// Rounded32 is a tolerance that only float32 needs.
func Rounded32(p label.Precision, tolerance float64) float64 {
	if p == label.Float32 {
		return tolerance
	}
	return 0
}

// BuildCover is the cover of labels, with this delta.
func BuildCover(t linoptest.T, l *label.Labels, delta float64) *cover.Cover {
	t.Helper()
	cov, err := cover.Build(context.Background(), l, cover.Options{Delta: delta})
	if err != nil {
		t.Fatal(err)
	}
	return cov
}

// Subject is a kernel under test.
type Subject struct {
	*hub.Kernel
	cover   *cover.Cover
	epsilon float64 // epsilon
}

// KernelOf is the kernel of a cover at epsilon.
func KernelOf(t linoptest.T, cov *cover.Cover, epsilon float64) Subject {
	t.Helper()
	k, err := hub.NewKernel(context.Background(), cov, epsilon)
	if err != nil {
		t.Fatal(err)
	}
	return Subject{k, cov, epsilon}
}

// Holds reports whether an entry is at least exp(-bound/epsilon) times the
// true one and at most the true one or, with a tolerance, exp(bound/epsilon) times that.
func Holds(cov *cover.Cover, got, want, epsilon, tolerance float64) bool {
	most := want * (1 + 1e-12)
	if tolerance > 0 {
		most *= math.Exp(cov.Bound() / epsilon)
	}
	return got <= most && got >= want*math.Exp(-cov.Bound()/epsilon)*(1-1e-12)
}

// Columns are the kernel's, one after the other: its products with unit vectors.
func Columns(t linoptest.T, k Subject) iter.Seq2[int, []float64] {
	return func(yield func(j int, column []float64) bool) {
		n, _ := k.Dims()
		x := make([]float64, n)
		for j := range n {
			x[j] = 1
			column := linoptest.Must(t, k).MulVec(nil, x)
			x[j] = 0
			if !yield(j, column) {
				return
			}
		}
	}
}

// Entries are the distances that the cover names, read off the kernel at an epsilon
// beyond that of float32 factors.
func Entries(t linoptest.T, cov *cover.Cover, n int) [][]float64 {
	epsilon := 1.0
	if cov.Labels.Precision() == label.Float32 {
		epsilon = 50 + cov.Labels.Reach
	}
	k := KernelOf(t, cov, epsilon)
	d := make([][]float64, n)
	for i, column := range Columns(t, k) {
		d[i] = column
		for j, e := range column {
			d[i][j] = max(0, -epsilon*math.Log(e))
		}
	}
	return d
}

// kernels are those of the shards and, last, of the whole.
func kernels(t linoptest.T, covers []*cover.Cover, epsilon float64) []Subject {
	list := make([]Subject, len(covers))
	for p, cov := range covers {
		list[p] = KernelOf(t, cov, epsilon)
	}
	return list
}

// Distances are all of them, and the longest there is, 1 where all are 0.
func Distances(g *graph.Graph) (exact [][]float64, scale float64) {
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

// NamedDistances reads distances off the whole kernel's entries, and checks that
// one shard has each and the others nothing.
func NamedDistances(t linoptest.T, covers []*cover.Cover, epsilon float64) [][]float64 {
	list := kernels(t, covers, epsilon)
	whole := list[len(list)-1]
	n, _ := whole.Dims()
	named := make([][]float64, n)
	x, y := make([]float64, n), make([]float64, n)
	for i := range n {
		x[i] = 1
		entries := linoptest.Must(t, whole).MulVec(nil, x)
		have := make([]int, n)
		for _, shard := range list[:len(list)-1] {
			for j, e := range linoptest.Must(t, shard).MulVec(y, x) {
				if e != 0 {
					have[j]++
					if e != entries[j] {
						t.Fatalf("K(%d,%d) is %g in a shard, %g in the whole", i, j, e, entries[j])
					}
				}
			}
		}
		x[i] = 0
		named[i] = entries
		for j, e := range entries {
			if reached := e > 0; !(e >= 0) || reached && math.Log(e) < whole.LogFloor()-1e-12 || reached != (have[j] == 1) || have[j] > 1 {
				t.Fatalf("K(%d,%d) is %g, %d shards have it, the floor is exp(%g)", i, j, e, have[j], whole.LogFloor())
			}
			named[i][j] = -epsilon * math.Log(e)
		}
	}
	return named
}

// cancels says whether differences of running sums may lose what is far below the sums: where distances
// may be off by many epsilons, by no more than that.
func cancels(k Subject) bool { return k.cover.Delta > 0 && k.LogFloor() < -linop.MaxLog }

// cancelled is the share of a row's sum that differences of running sums may lose: all terms that a row's sum is subtracted from
// go through a hub, so none is longer than the pair's own way by more than the tolerance.
func cancelled(k Subject) float64 {
	if k.cover.Delta == 0 {
		return 0
	}
	n, _ := k.Dims()
	return min(1, float64(n)*0x1p-53*math.Exp(k.cover.Tolerance/k.epsilon))
}

// CheckRows holds products to the sums over the kernel's rows, and those of logarithms to the sums over its distances.
func CheckRows(t linoptest.T, k Subject, epsilon float64, x, logx []float64) {
	y, logy := linoptest.Must(t, k).MulVec(nil, x), linoptest.Must(t, k).LogMulVec(nil, logx)
	lost := 0.0
	if cancels(k) {
		lost = k.cover.Tolerance / epsilon
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
			logged += share(logx[j]-d/epsilon, top)
		}
		plain := k.LogFloor() < -linop.MaxLog || math.Abs(sum-y[i]) <= (1e-11+cancelled(k))*y[i]
		if got := top + math.Log(logged); !plain || logy[i] != got && !(math.Abs(got-logy[i]) <= 1e-11*(1+k.cover.Labels.Reach/epsilon)+lost) {
			t.Fatalf("row %d sums up to %g, the product is %g; of logarithms to %g, the product is %g", i, sum, y[i], got, logy[i])
		}
	}
}

// CheckDraws draws targets of some vertices with numbers spread evenly over [0,1): each other vertex is drawn as often as its
// share of the row has room for them, and at the kernel's own distance.
func CheckDraws(t linoptest.T, k Subject, epsilon float64, logx []float64, logs bool, seed uint64) {
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
			total += share(logx[j]-d/epsilon, top)
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
			case !(math.Abs(far[m]-row[j]) <= 1e-12*k.cover.Labels.Reach):
				t.Fatalf("D(%d,%d) is %g where it is drawn, %g in the row", i, j, far[m], row[j])
			}
			count[j]++
		}
		for j, d := range row {
			part := share(logx[j]-d/epsilon, top) / total
			if want := part * float64(draws); top > math.Inf(-1) && !(math.Abs(count[j]-want) <= 2+1e-6*want) || part == 0 && count[j] > 0 {
				t.Fatalf("%d draws %d %g times, its share is %g", i, j, count[j], want)
			}
		}
	}
}

// LoggedDistances does the same by products of logarithms.
func LoggedDistances(t linoptest.T, covers []*cover.Cover, epsilon float64) [][]float64 {
	list := kernels(t, covers, epsilon)
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
		for _, shard := range list[:len(list)-1] {
			for j, e := range linoptest.Must(t, shard).LogMulVec(y, x) {
				if e > math.Inf(-1) {
					have[j]++
					if e != named[i][j] {
						t.Fatalf("log K(%d,%d) is %g in a shard, %g in the whole", i, j, e, named[i][j])
					}
				}
			}
		}
		x[i] = math.Inf(-1)
		for j, e := range named[i] {
			if reached := e > math.Inf(-1); math.IsNaN(e) || reached != (have[j] == 1) || have[j] > 1 {
				t.Fatalf("log K(%d,%d) is %g, %d shards have it", i, j, e, have[j])
			}
			named[i][j] *= -epsilon
		}
	}
	return named
}

// CheckProducts holds products of random vectors, with ranks of no mass, and the
// cost of a random plan, to the sums over the distances, relative to these.
func CheckProducts(t linoptest.T, covers []*cover.Cover, d [][]float64, epsilon, tolerance float64, r *rand.Rand) {
	list := kernels(t, covers, epsilon)
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
		CheckRows(t, k, epsilon, x, logx)
		if !cancels(k) {
			CheckDraws(t, k, epsilon, logx, true, r.Uint64())
		}
		if k.LogFloor() > -linop.MaxLog {
			CheckDraws(t, k, epsilon, logx, false, r.Uint64())
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
				within("product in shards", i, plain[i], sum, cancelled(k))
			}
			within("product of logarithms", i, math.Exp(z[i]), sum, 0)
			within("product of logarithms in shards", i, logged[i], sum, 0)
		}
		// Of mass that moves next to nothing the distance is what sums of longer ways differ by.
		if most := tolerance*(want+epsilon*moved) + 1e-290; math.Abs(c-want) > most || math.Abs(cost-c) > most {
			t.Fatalf("epsilon %g: cost %g, in shards %g, not %g; mass %g", epsilon, c, cost, want, moved)
		}
	}
}

// share is exp(t-top), 0 where both are -Inf.
func share(t, top float64) float64 {
	if t == math.Inf(-1) {
		return 0
	}
	return math.Exp(t - top)
}
