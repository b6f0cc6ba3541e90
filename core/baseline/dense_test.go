package baseline

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"genussink/core/graph"
	"genussink/core/linop"
	"genussink/core/linop/linoptest"
	"genussink/core/shortest"
)

// random is a graph of n vertices in one or more components, with ties and
// edges of length 0.
func random(t testing.TB, n int, seed uint64) *graph.Graph {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	var edges []graph.Edge
	for v := 1; v < n; v++ {
		if r.IntN(40) == 0 {
			continue // often a new component
		}
		for range 2 {
			edges = append(edges, graph.Edge{U: int32(v), V: int32(max(0, v-1-r.IntN(12))), Weight: float64(r.IntN(5)) / 2})
		}
	}
	g, err := graph.New(n, edges)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func dense(t testing.TB, g *graph.Graph, epsilon float64) *Dense {
	t.Helper()
	m, err := NewDense(context.Background(), g, epsilon, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func near(a, b, tolerance float64) bool {
	return a == b || math.Abs(a-b) <= tolerance*max(math.Abs(a), math.Abs(b))
}

// Every product against the sum it stands for, straight from Dijkstra.
func TestDenseAgainstSums(t *testing.T) {
	for _, n := range []int{0, 1, 2, 63, 64, 65, 130, 300} {
		for _, epsilon := range []float64{0.01, 1.5} {
			g := random(t, n, uint64(n))
			m := dense(t, g, epsilon)
			r := rand.New(rand.NewPCG(7, uint64(n)))
			x, logx, logu := make([]float64, n), make([]float64, n), make([]float64, n)
			for i := range n {
				x[i], logx[i], logu[i] = r.NormFloat64(), 3*r.NormFloat64(), r.NormFloat64()
				if r.IntN(4) == 0 {
					logx[i] = math.Inf(-1)
				}
			}
			y, logy := linoptest.Must(t, m).MulVec(nil, x), linoptest.Must(t, m).LogMulVec(nil, logx)
			cost, far := 0.0, 0.0
			backwards := make([]int32, n)
			for i := range backwards {
				backwards[i] = int32(n - 1 - i)
			}
			among, err := m.Among(context.Background(), backwards)
			if err != nil {
				t.Fatal(err)
			}
			for i := range n {
				d := shortest.From(g, int32(i))
				got := linoptest.Must(t, m).Distances(nil, i)
				sum, size, logsum := 0.0, 0.0, 0.0
				for j := range n {
					if !near(d[j], got[j], 1e-14) || m.Distance(i, j) != got[j] || m.Distance(j, i) != got[j] || among[(n-1-j)*n+n-1-i] != got[j] {
						t.Fatalf("n=%d: distance %d-%d is %g, %g in the row, not %g", n, i, j, m.Distance(i, j), got[j], d[j])
					}
					k := math.Exp(-d[j] / epsilon)
					sum += k * x[j]
					size += math.Abs(k * x[j])
					logsum += math.Exp(logx[j] - d[j]/epsilon)
					if d[j] < math.Inf(1) {
						cost += d[j] * math.Exp(logu[i]+logx[j]-d[j]/epsilon)
						far = max(far, d[j])
					}
				}
				if math.Abs(y[i]-sum) > 1e-13*size {
					t.Errorf("n=%d: (K x)_%d = %g, not %g", n, i, y[i], sum)
				}
				if want := math.Log(logsum); want > -600 && !(math.Abs(logy[i]-want) <= 1e-12) {
					t.Errorf("n=%d: log product %d is %g, not %g", n, i, logy[i], want)
				}
				if math.IsNaN(logy[i]) {
					t.Errorf("n=%d: log product %d is NaN", n, i)
				}
			}
			if got := linoptest.Must(t, m).PlanCost(logu, logx); !near(got, cost, 1e-12) {
				t.Errorf("n=%d: cost %g, not %g", n, got, cost)
			}
			// One value of u out of reach of plain numbers: the sum is in logarithms.
			if n > 1 {
				logu[0], logx[0] = -1000, math.Inf(-1)
				plain := linoptest.Must(t, m).PlanCost(logu, logx)
				logu[0] = math.Inf(-1)
				if got := linoptest.Must(t, m).PlanCost(logu, logx); !near(got, plain, 1e-12) {
					t.Errorf("n=%d: cost %g in logarithms, %g without", n, plain, got)
				}
			}
			if !near(m.LogFloor(), -far/epsilon, 1e-14) {
				t.Errorf("n=%d: floor %g, not %g", n, m.LogFloor(), -far/epsilon)
			}
		}
	}
}

func TestDenseKeepsTheContract(t *testing.T) {
	for _, n := range []int{0, 1, 65, 200} {
		linoptest.Kernel(t, dense(t, random(t, n, 4), 0.7), 0.7)
	}
}

// The log form goes where the kernel itself is 0.
func TestDenseLogBelowUnderflow(t *testing.T) {
	g, err := graph.New(3, []graph.Edge{{U: 0, V: 1, Weight: 5000}})
	if err != nil {
		t.Fatal(err)
	}
	inf := math.Inf(-1)
	got := linoptest.Must(t, dense(t, g, 1)).LogMulVec(nil, []float64{2, inf, inf})
	for i, want := range []float64{2, -4998, inf} {
		if got[i] != want {
			t.Errorf("log product %d is %g, not %g", i, got[i], want)
		}
	}
}

func TestDenseRefuses(t *testing.T) {
	g := random(t, 100, 1)
	for _, epsilon := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if _, err := NewDense(context.Background(), g, epsilon, Options{}); err == nil || !strings.Contains(err.Error(), "epsilon") {
			t.Errorf("epsilon %g: %v", epsilon, err)
		}
	}
	var memory *linop.MemoryError
	need := DenseBytes(100)
	if _, err := NewDense(context.Background(), g, 1, Options{MemoryLimit: need - 1}); !errors.As(err, &memory) || memory.Need != need {
		t.Errorf("memory: %v", err)
	}
	if _, err := NewDense(context.Background(), g, 1, Options{MemoryLimit: need}); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := NewDense(ctx, g, 1, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if DenseBytes(math.MaxInt32) != math.MaxInt64 || DenseBytes(1<<29) <= 0 {
		t.Error("DenseBytes overflows")
	}
}

func TestDenseAllocatesNothing(t *testing.T) {
	m := dense(t, random(t, 200, 2), 1)
	x, y := make([]float64, 200), make([]float64, 200)
	if a := testing.AllocsPerRun(5, func() {
		sure := linoptest.Must(t, m)
		sure.MulVec(y, x)
		sure.LogMulVec(y, x)
		sure.Distances(y, 3)
	}); a != 0 {
		t.Errorf("%g allocations", a)
	}
}

func BenchmarkDenseMulVec(b *testing.B) {
	const n = 3000
	m := dense(b, random(b, n, 3), 1)
	x, y := make([]float64, n), make([]float64, n)
	b.Run("exp", func(b *testing.B) {
		for b.Loop() {
			linoptest.Must(b, m).MulVec(y, x)
		}
	})
	b.Run("log", func(b *testing.B) {
		for b.Loop() {
			linoptest.Must(b, m).LogMulVec(y, x)
		}
	})
	b.Run("cost", func(b *testing.B) {
		for b.Loop() {
			linoptest.Must(b, m).PlanCost(x, x)
		}
	})
}
