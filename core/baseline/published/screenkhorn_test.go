package published

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"genussink/core/job"
	"genussink/core/transport"
)

// The gradient is that of differences, and the minimum has the conditions of Karush, Kuhn and Tucker: free variables have none, and at a
// bound it points out of the box.
func TestScreenedOptimality(t *testing.T) {
	for _, p := range problems(t) {
		for _, budget := range []float64{0.25, 0.5, 0.75, 1} {
			s, err := screen(context.Background(), p.dense(t), budget)
			if err != nil {
				t.Fatal(err)
			}
			x, err := s.warm()
			if err != nil {
				t.Fatal(err)
			}
			n := len(x)
			g, h := make([]float64, n), make([]float64, n)
			value := func(x []float64) float64 {
				f, err := s.evaluate(g, h, x)
				if err != nil {
					t.Fatal(err)
				}
				return f
			}
			value(x)
			for i, want := range append([]float64(nil), g...) {
				const by = 1e-5
				x[i] += by
				up := value(x)
				x[i] -= 2 * by
				down := value(x)
				x[i] += by
				if got := (up - down) / (2 * by); !(math.Abs(got-want) < 1e-7) {
					t.Errorf("budget %g: derivative %d is %g, not %g", budget, i, got, want)
				}
			}
			dual := box{s.low, s.high, s.evaluate}
			least, _, _, err := dual.minimise(x, 1e-10, 500)
			if err != nil {
				t.Fatal(err)
			}
			value(least)
			held := 0
			for i, v := range g {
				low, high := least[i] <= s.low[i], least[i] >= s.high[i]
				if least[i] < s.low[i] || least[i] > s.high[i] || !(math.Abs(v) <= 1e-10 || low && v > 0 || high && v < 0) {
					t.Errorf("budget %g: variable %d is %g in [%g, %g], with a derivative of %g", budget, i, least[i], s.low[i], s.high[i], v)
				}
				if low || high {
					held++
				}
			}
			if (held > 0) != (budget < 1) {
				t.Errorf("budget %g: %d variables at a bound", budget, held)
			}
		}
	}
}

// Minimise finds the least point of a steep quadratic in a box, whose every face it may lie on: coordinates in turn find the same.
func TestMinimise(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		const n = 12
		var a [n][n]float64
		b, x, slow := make([]float64, n), make([]float64, n), make([]float64, n)
		quadratic := box{low: make([]float64, n), high: make([]float64, n)}
		for i := range n {
			b[i], quadratic.high[i] = rng.NormFloat64(), 1
			x[i], slow[i] = 0.5, 0.5
			v := make([]float64, n)
			for k := range v {
				v[k] = rng.NormFloat64()
			}
			for k := range n {
				for l := range n {
					a[k][l] += v[k] * v[l] * math.Pow(10, float64(i%3)) / 10
				}
			}
		}
		for i := range n {
			a[i][i] += 0.1
		}
		quadratic.evaluate = func(g, h, x []float64) (f float64, err error) {
			for i := range n {
				g[i], h[i] = -b[i], a[i][i]
				for j := range n {
					g[i] += a[i][j] * x[j]
				}
				f += x[i] * (g[i] - b[i]) / 2
			}
			return f, nil
		}
		x, evaluations, missed, err := quadratic.minimise(x, 1e-9, 5000)
		if err != nil || !(missed <= 1e-9) {
			t.Fatalf("%d evaluations: %g missed, %v", evaluations, missed, err)
		}
		for range 20000 {
			for i := range n {
				rest := b[i] + a[i][i]*slow[i]
				for j := range n {
					rest -= a[i][j] * slow[j]
				}
				slow[i] = min(max(rest/a[i][i], 0), 1)
			}
		}
		for i := range n {
			if !(math.Abs(x[i]-slow[i]) < 1e-7) {
				t.Errorf("coordinate %d is %g, not %g", i, x[i], slow[i])
			}
		}
	}
}

// Vertices without mass, as on painted spots, are neither screened nor served; mass other than 1 scales the plan; a budget that is spent says so.
func TestScreenkhornSpots(t *testing.T) {
	ctx := context.Background()
	p := problems(t)[1].dense(t)
	for i := range p.Source {
		if p.Source[i] *= 3; i >= 20 {
			p.Source[i] = 0
		}
		if p.Target[i] *= 3; i < 30 {
			p.Target[i] = 0
		}
	}
	total := 0.0
	for _, side := range [][]float64{p.Source, p.Target} {
		sum := 0.0
		for _, x := range side {
			sum += x
		}
		for i := range side {
			side[i] *= 2 / sum
		}
	}
	exact, err := transport.Solve(ctx, p, transport.Options{Tolerance: 1e-12})
	if err != nil {
		t.Fatal(err)
	}
	r, err := Screenkhorn(ctx, p, ScreenkhornOptions{Budget: 1})
	if err != nil || r.Status != job.Converged || !(math.Abs(r.Cost/exact.Cost-1) < 1e-8) || !(r.MarginalError < 1e-8) {
		t.Errorf("%+v, %v: not %g", r, err, exact.Cost)
	}
	r, err = Screenkhorn(ctx, p, ScreenkhornOptions{})
	if err != nil || r.Status != job.Converged || !(r.MarginalError > 1e-3) || !(math.Abs(r.Cost/exact.Cost-1) < 0.2) {
		t.Errorf("%+v, %v: not %g", r, err, exact.Cost)
	}
	for i := range p.Source {
		if math.IsInf(r.LogU[i], -1) != (p.Source[i] == 0) || math.IsInf(r.LogV[i], -1) != (p.Target[i] == 0) {
			t.Errorf("vertex %d: %g and %g", i, r.LogU[i], r.LogV[i])
		}
		row, err := p.Kernel.(interface {
			Row(ctx context.Context, dst []float64, i int) ([]float64, error)
		}).Row(ctx, nil, i)
		if err != nil {
			t.Fatal(err)
		}
		for j, k := range row {
			total += math.Exp(r.LogU[i]+r.LogV[j]) * k
		}
	}
	if !(math.Abs(total-2) < 1e-12) {
		t.Errorf("a plan of mass %.15g", total)
	}
	if r, err := Screenkhorn(ctx, p, ScreenkhornOptions{MaxEvaluations: 1}); err != nil || r.Status != job.Iterations || r.Iterations != 1 {
		t.Errorf("%+v, %v", r, err)
	}
}
