package baseline

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"genussink/core/linop/linoptest"
)

// Entries of float32 are the float64 ones rounded, and products add up as the
// float64 ones do.
func TestDense32(t *testing.T) {
	for _, n := range []int{0, 1, 64, 130, 300} {
		g := random(t, n, 3)
		want := dense(t, g, 2)
		got, err := NewMatrix[float32](context.Background(), g, 2, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if 2*Bytes[float32](n) != DenseBytes(n) {
			t.Errorf("n=%d: %d bytes, %d in float64", n, Bytes[float32](n), DenseBytes(n))
		}
		r := rand.New(rand.NewPCG(1, uint64(n)))
		x, logx := make([]float64, n), make([]float64, n)
		for i := range x {
			x[i] = r.Float64()
			logx[i] = math.Log(x[i])
		}
		y, z := linoptest.Must(t, want).MulVec(nil, x), linoptest.Must(t, got).MulVec(nil, x)
		logy, logz := linoptest.Must(t, want).LogMulVec(nil, logx), linoptest.Must(t, got).LogMulVec(nil, logx)
		for i := range y {
			if !near(y[i], z[i], 1.2e-7) || !near(logy[i], logz[i], 1e-5) {
				t.Fatalf("n=%d: row %d is %g (log %g), not %g (%g)", n, i, z[i], logz[i], y[i], logy[i])
			}
		}
		if a, b := linoptest.Must(t, want).PlanCost(logx, logx), linoptest.Must(t, got).PlanCost(logx, logx); !near(a, b, 2.4e-7) {
			t.Errorf("n=%d: cost %g, not %g", n, b, a)
		}
	}
}

func TestPredict(t *testing.T) {
	for _, n := range []int{0, 1, 100, 1000} {
		g := random(t, n, 5)
		p, err := Predict[float64](context.Background(), g, 1, 128, false, time.Now)
		if err != nil {
			t.Fatal(err)
		}
		if p.Rows > n || p.Rows < min(n, 128) || n > 0 && !(p.Build > 0 && p.Product > 0 && p.Cost > 0) {
			t.Errorf("n=%d: %+v", n, p)
		}
		if few, err := Predict[float64](context.Background(), g, 1, 8, true, time.Now); err != nil || few.Rows > 16 || few.Rows < min(n, 1) || n > 0 && !(few.Build > 0 && few.Product > 0 && few.Cost > 0) {
			t.Errorf("n=%d: from a few rows %+v, %v", n, few, err)
		}
	}
	// What the prediction is made from holds the whole matrix's entries and no others.
	g := random(t, 1000, 5)
	whole := dense(t, g, 1)
	part, err := newMatrix[float64](context.Background(), g.Len(), 1, Options{}, 5, 1, dijkstra(g))
	if err != nil {
		t.Fatal(err)
	}
	for _, I := range part.held {
		for k := range (part.side - I) * cells {
			if part.k[part.first[I]+k] != whole.k[whole.first[I]+k] {
				t.Fatalf("row of tiles %d differs", I)
			}
		}
	}
	if len(part.held) != 3 || len(part.k) >= len(whole.k)/3 {
		t.Errorf("%d rows of tiles, %d entries of %d", len(part.held), len(part.k), len(whole.k))
	}
}
