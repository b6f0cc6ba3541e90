package sgfi

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"genussink/core/linop"
	"genussink/core/linop/linoptest"
	"genussink/internal/race"
)

func TestKernelKeepsTheContract(t *testing.T) {
	for _, s := range classified(t) {
		if s.g.Len() > 400 {
			continue // the suite costs a product's worth of distances per vertex
		}
		t.Run(s.name, func(t *testing.T) {
			switch s.name {
			case "boundary", "components", "two bridges": // one of tiles, of many roots and of range searching
			default:
				race.Alone(t)
			}
			tree := build(t, s.g, Options{LeafSize: 16, Positions: s.positions})
			for _, share := range []float64{0.2, 1e-4} { // entries, exponents
				epsilon := share * max(tree.Diameter(), 1)
				linoptest.Kernel(t, kernel(t, tree, epsilon, KernelOptions{}), epsilon)
			}
		})
	}
}

// A tree knows a bound on its distances only. Where that is too long for entries and the distances are not, a kernel holds
// entries all the same.
func TestEntriesWhereDistancesAllow(t *testing.T) {
	race.Alone(t)
	tested := 0
	for _, s := range classified(t) {
		if s.g.Len() > 400 {
			continue
		}
		tree := build(t, s.g, Options{LeafSize: 16, Positions: s.positions})
		far := 0.0
		for i := range s.g.Len() {
			for _, d := range linoptest.Value(tree.Distances(t.Context(), nil, i))(t) {
				if d < math.Inf(1) {
					far = max(far, d)
				}
			}
		}
		if !(far > 0 && far < 0.98*tree.Diameter()) {
			continue
		}
		for epsilon, exponents := range map[float64]bool{(far + tree.Diameter()) / 2 / smallestLog: false, 0.999 * far / smallestLog: true} {
			k := kernel(t, tree, epsilon, KernelOptions{})
			if k.exponents != exponents {
				t.Errorf("%s: distances up to %g, a bound of %g, epsilon %g: exponents %v", s.name, far, tree.Diameter(), epsilon, k.exponents)
			}
			linoptest.Kernel(t, k, epsilon)
		}
		tested++
	}
	if tested == 0 {
		t.Error("no tree's bound is above its distances")
	}
}

func TestProductsDoNotDependOnProcessors(t *testing.T) {
	s := icosphere(t, 3)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var want [3][]float64
	for i, procs := range []int{1, 3, 8} {
		runtime.GOMAXPROCS(procs)
		tree := build(t, s.g, Options{LeafSize: 30})
		x := masses(s.g.Len(), 9)
		got := [3][]float64{
			linoptest.Must(t, kernel(t, tree, 0.1, KernelOptions{})).MulVec(nil, x),
			linoptest.Must(t, kernel(t, tree, 1e-3, KernelOptions{})).LogMulVec(nil, x),
			{linoptest.Must(t, kernel(t, tree, 0.1, KernelOptions{})).PlanCost(x, x), linoptest.Must(t, kernel(t, tree, 1e-3, KernelOptions{})).PlanCost(x, x)},
		}
		if i == 0 {
			want = got
		}
		for j := range want {
			if !slices.Equal(got[j], want[j]) {
				t.Errorf("GOMAXPROCS %d: answer %d differs", procs, j)
			}
		}
	}
}

// TestRangeSearch holds range searching against brute force on separators of
// one to four vertices, with distances in general position and full of ties.
func TestRangeSearch(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	random := rng.Float64
	few := func() float64 { return float64(rng.IntN(4)) }
	for s := 1; s <= rangeSeparator; s++ {
		for name, draw := range map[string]func() float64{"random": random, "ties": few} {
			n := &Node{SepDist: make([]float64, s*s), SepIDs: make([]int32, s)}
			const rows, cols = 130, 90
			var at [2][]int32
			for i := range int32(rows) {
				n.LeftIDs, at[0] = append(n.LeftIDs, i), append(at[0], i)
			}
			for j := range int32(cols) {
				n.RightIDs, at[1] = append(n.RightIDs, rows+j), append(at[1], j)
			}
			for range rows * s {
				n.LeftDist = append(n.LeftDist, draw())
			}
			for range cols * s {
				n.RightDist = append(n.RightDist, draw())
			}
			r := newRangeSearch(n)
			r.limit = math.MaxInt
			r.pieces(context.Background(), at[0], at[1])
			count := make([]int, rows*cols)
			k := &Kernel{epsilon: 1, exponents: true}
			for _, p := range r.found {
				tile := k.rangeTile(block{node: n, search: r}, p)
				for i, v := range p.rows {
					for j, w := range p.cols {
						var d float64
						if p.tested {
							d = tile.direct[i*len(p.cols)+j]
						} else {
							d = tile.left[i] + tile.right[j]
						}
						if math.IsInf(d, 1) {
							continue
						}
						count[int(v)*cols+int(w)]++
						want := math.Inf(1)
						for l := range s {
							want = min(want, n.LeftDist[int(v)*s+l]+n.RightDist[int(w)*s+l])
						}
						if math.Abs(d-want) > 1e-15*want {
							t.Fatalf("%s, |S|=%d: the pair %d, %d is at %v, want %v", name, s, v, w, d, want)
						}
					}
				}
			}
			for pair, c := range count {
				if c != 1 {
					t.Fatalf("%s, |S|=%d: the pair %d, %d is covered %d times", name, s, pair/cols, pair%cols, c)
				}
			}
		}
	}
}

// TestTreesAndPathsAreNearLinear: with separators of one vertex the kernel of
// 8,000 vertices, 256 MB as half a matrix, must take a few MB.
func TestTreesAndPathsAreNearLinear(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	for name, g := range map[string]subject{
		"path": {g: path(t, 8000, rng.Float64)},
		"tree": {g: tree(t, 8000, rng)},
	} {
		tree := build(t, g.g, Options{})
		k := kernel(t, tree, 0.2*tree.Diameter(), KernelOptions{})
		if k.Bytes() > 10<<20 {
			t.Errorf("%s: the kernel takes %d bytes", name, k.Bytes())
		}
		x := make([]float64, 8000)
		x[77] = 1
		want := linoptest.Value(tree.Distances(t.Context(), nil, 77))(t)
		for i, y := range linoptest.Must(t, k).MulVec(nil, x) {
			if w := math.Exp(-want[i] / k.Epsilon()); math.Abs(y-w) > 1e-12*w {
				t.Fatalf("%s: entry 77, %d is %v, want %v", name, i, y, w)
			}
		}
	}
}

func TestNewKernelRefuses(t *testing.T) {
	s := icosphere(t, 2)
	tree := build(t, s.g, Options{})
	ctx := context.Background()
	for _, epsilon := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if _, err := NewKernel(ctx, tree, epsilon, KernelOptions{}); err == nil {
			t.Errorf("epsilon %g: no error", epsilon)
		}
	}
	need := kernelBytes(tree)
	var tooBig *linop.MemoryError
	if _, err := NewKernel(ctx, tree, 1, KernelOptions{MemoryLimit: need - 1}); !errors.As(err, &tooBig) || tooBig.Need != need {
		t.Errorf("a byte too few: %v", err)
	}
	kernel(t, tree, 1, KernelOptions{MemoryLimit: need})
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := NewKernel(cancelled, tree, 1, KernelOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestKernelProgress(t *testing.T) {
	tree := build(t, icosphere(t, 3).g, Options{})
	last := 0.0
	kernel(t, tree, 1, KernelOptions{Progress: func(stage string, fraction float64) {
		if stage != "kernel" || fraction < last || fraction > 1+1e-9 {
			t.Errorf("%s %g after %g", stage, fraction, last)
		}
		last = fraction
	}})
	if math.Abs(last-1) > 1e-9 {
		t.Errorf("ended at %g", last)
	}
}

// kernelBytes is the memory in bytes that the tiles of a whole kernel take.
func kernelBytes(t *Tree) int64 {
	plan, _ := t.plan(context.Background()) // never cancelled
	var total int64
	for _, b := range plan {
		total += b.bytes()
	}
	return total
}
