package kernel

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/dsp/fourier"

	"genussink/core/internal/growth"
)

// specs are functions with every structure: with poles and zeros off the axis, near it and many in one place, growing, steep and flat.
var specs = []string{
	"exp",
	"poly:2",
	"poly:1,0.5,0.25,0,3",
	"poly:1,-1,0.5,-0.1666,0.0416",
	"rational:1/1,2,1",
	"rational:1/1,4,6,4,1",
	"rational:3,2/2,3,1",
	"rational:1,0,1/1,0.1,0.01,2",
	"rational:1/1.0001,-2,1", // poles 1 +- 0.01 i
	"rational:0,1/1,0,1",     // zero at 0
	"rational:2,0,0,5/7,1",   // grows
	"cauchy:lambda=0,c=1",
	"cauchy:lambda=-2,c=0.001",
	"cauchy:lambda=1.5,c=0.5",
	"cauchy:lambda=-0.5,c=1e-9,p=0.5",
	"cauchy:lambda=0,c=0.2,p=2",
	"cauchy:lambda=0,c=0.2,p=7.3",
	"gauss:s=1",
	"gauss:s=0.0025",
	"gauss:s=1e4",
}

// scatters are ways to place n distances >= 0.
var scatters = map[string]func(n int, rng *rand.Rand) []float64{
	"random": func(n int, rng *rand.Rand) []float64 {
		return draw(n, func() float64 { return 2 * rng.Float64() })
	},
	"clustered": func(n int, rng *rand.Rand) []float64 {
		return draw(n, func() float64 { return []float64{0.1, 0.7, 1.3}[rng.IntN(3)] + 1e-6*rng.Float64() })
	},
	"duplicated": func(n int, rng *rand.Rand) []float64 {
		return draw(n, func() float64 { return []float64{0, 0.25, 0.5, 2, 3}[rng.IntN(5)] })
	},
	"badly scaled": func(n int, rng *rand.Rand) []float64 {
		return draw(n, func() float64 { return math.Pow(10, -14+15*rng.Float64()) })
	},
	"at one place": func(n int, _ *rand.Rand) []float64 {
		return draw(n, func() float64 { return 0.3 })
	},
}

func draw(n int, f func() float64) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = f()
	}
	return x
}

func parse(t testing.TB, spec string) Function {
	t.Helper()
	f, err := Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// matrix is the dense matrix of a Product. An entry of sizes is the sum of the absolute values of that entry's terms.
type matrix struct{ entries, sizes [][]float64 }

func newMatrix(f Function, x, y []float64) matrix {
	fill := func(at func(x float64) float64) [][]float64 {
		rows := make([][]float64, len(x))
		for i, x := range x {
			rows[i] = make([]float64, len(y))
			for j, y := range y {
				rows[i][j] = at(x + y)
			}
		}
		return rows
	}
	m := matrix{entries: fill(f.At)}
	m.sizes = m.entries
	if p, ok := f.(Polynomial); ok { // of its terms
		c := make([]float64, len(p.c))
		for k, v := range p.c {
			c[k] = math.Abs(v)
		}
		m.sizes = fill(Polynomial{c}.At)
	}
	return m
}

// multiply is the product with w, and the sums of absolute values.
func (m matrix) multiply(w []float64) (sums, sizes []float64) {
	sums, sizes = make([]float64, len(m.entries)), make([]float64, len(m.entries))
	for i, row := range m.entries {
		for j, e := range row {
			sums[i] += e * w[j]
			sizes[i] += math.Abs(m.sizes[i][j] * w[j])
		}
	}
	return sums, sizes
}

// multiplyT is that of the transposed matrix, of so many rows.
func (m matrix) multiplyT(rows int, w []float64) (sums, sizes []float64) {
	sums, sizes = make([]float64, rows), make([]float64, rows)
	for i, row := range m.entries {
		for j, e := range row {
			sums[j] += e * w[i]
			sizes[j] += math.Abs(m.sizes[i][j] * w[i])
		}
	}
	return sums, sizes
}

// dense is the slow twin of MulVec, and the sums of absolute values.
func dense(f Function, x, y, w []float64) (sums, sizes []float64) {
	return newMatrix(f, x, y).multiply(w)
}

// product is what a product of a Product returns; the test fails where that is an error.
func product(t testing.TB, multiply func(ctx context.Context, dst, w []float64) ([]float64, error), w []float64) []float64 {
	t.Helper()
	y, err := multiply(t.Context(), nil, w)
	if err != nil {
		t.Fatal(err)
	}
	return y
}

// worst is the greatest error as a share of sizes, but for underflow.
func worst(got, want, sizes []float64) float64 {
	most := 0.0
	for i := range got {
		d := math.Abs(got[i] - want[i])
		if !(d <= 1e-290) {
			most = max(most, d/sizes[i])
		}
		if math.IsNaN(d) {
			return math.NaN()
		}
	}
	return most
}

func TestProductIsDense(t *testing.T) {
	for _, spec := range specs {
		f := parse(t, spec)
		for name, scatter := range scatters {
			rng := rand.New(rand.NewPCG(1, 2))
			for _, n := range [][2]int{{0, 3}, {1, 1}, {40, 7}, {500, 800}} {
				x, y := scatter(n[0], rng), scatter(n[1], rng)
				p, err := NewProduct(f, x, y)
				if err != nil {
					t.Fatal(spec, name, err)
				}
				if r, c := p.Dims(); r != n[0] || c != n[1] {
					t.Fatalf("%d by %d, not %v", r, c, n)
				}
				twin := newMatrix(f, x, y)
				for weights, draws := range map[string]func() float64{
					"signed": rng.NormFloat64,
					"badly scaled": func() float64 {
						return math.Pow(10, 20*rng.Float64()-10)
					},
				} {
					w, u := draw(n[1], draws), draw(n[0], draws)
					want, sizes := twin.multiply(w)
					if e := worst(product(t, p.MulVec, w), want, sizes); !(e <= 1e-10) {
						t.Errorf("%s, %s, %v, weights %s: error %.3g", spec, name, n, weights, e)
					}
					want, sizes = twin.multiplyT(n[1], u)
					if e := worst(product(t, p.MulVecT, u), want, sizes); !(e <= 1e-10) {
						t.Errorf("%s, %s, %v, weights %s: error %.3g transposed", spec, name, n, weights, e)
					}
				}
			}
		}
	}
}

// What lies far apart in size stays right where the sides differ, and where one point is heavy.
func TestProductOfUnlikeSides(t *testing.T) {
	for _, spec := range specs {
		f := parse(t, spec)
		for rows, left := range scatters {
			for cols, right := range scatters {
				rng := rand.New(rand.NewPCG(3, 4))
				x, y := left(200, rng), right(300, rng)
				p, err := NewProduct(f, x, y)
				if err != nil {
					t.Fatal(err)
				}
				w := draw(300, rng.Float64)
				w[17] = 1e12
				want, sizes := dense(f, x, y, w)
				if e := worst(product(t, p.MulVec, w), want, sizes); !(e <= 1e-10) {
					t.Errorf("%s, %s by %s: error %.3g", spec, rows, cols, e)
				}
			}
		}
	}
}

// The test of exactness can fail: one that interpolates too little does.
func TestDenseTells(t *testing.T) {
	f := parse(t, "cauchy:lambda=0,c=0.1")
	rng := rand.New(rand.NewPCG(1, 2))
	x, y := scatters["random"](900, rng), scatters["random"](900, rng)
	m := newMultipole(x, y, 0, f.At, func(low, high, grown float64) float64 { return -50 })
	w, got := draw(900, rng.Float64), make([]float64, 900)
	if err := m.multiply(t.Context(), got, w, false); err != nil {
		t.Fatal(err)
	}
	want, sizes := dense(f, x, y, w)
	if e := worst(got, want, sizes); e <= 1e-10 {
		t.Errorf("one interval for all errs by %.3g only", e)
	}
}

// The work grows with the power 1.2 of n at most, to 100,000 points on both sides.
func TestSteps(t *testing.T) {
	for name, scatter := range scatters {
		var sides [][2][]float64
		for _, n := range []int{1_000, 10_000, 100_000} {
			if n > 10_000 && testing.Short() {
				continue
			}
			rng := rand.New(rand.NewPCG(5, 6))
			sides = append(sides, [2][]float64{scatter(n, rng), scatter(n, rng)})
		}
		for _, spec := range append([]string{"features:count=256,seed=1,f=gauss:s=1"}, specs...) {
			f := parse(t, spec)
			var sizes, steps []float64
			for _, side := range sides {
				p, err := NewProduct(f, side[0], side[1])
				if err != nil {
					t.Fatal(err)
				}
				sizes, steps = append(sizes, float64(len(side[0]))), append(steps, float64(p.Steps()))
			}
			last := len(sizes) - 1
			e := growth.Power(sizes, steps)
			t.Logf("%-40s %-12s n^%.3f, %.0f per point, dense / this %.0f at %.0f", spec, name, e, steps[last]/sizes[last]/2,
				sizes[last]*sizes[last]/steps[last], sizes[last])
			if e > 1.2 {
				t.Errorf("%s, %s: the steps grow like n^%.3f: %v", spec, name, e, steps)
			}
		}
	}
}

// Appendix A of the paper multiplies rational functions by an FFT on a grid. Its error is small against the largest entry
// of the result. The error of this package's product is small against every entry.
func TestFourierOnGrid(t *testing.T) {
	f := parse(t, "rational:1/1,4,6,4,1")
	const n, h = 2000, 0.5
	w := draw(n, rand.New(rand.NewPCG(7, 8)).Float64)
	x := make([]float64, n)
	for i := range x {
		x[i] = h * float64(i)
	}
	want, sizes := dense(f, x, x, w)
	p, err := NewProduct(f, x, x)
	if err != nil {
		t.Fatal(err)
	}
	if e := worst(product(t, p.MulVec, w), want, sizes); !(e <= 1e-10) {
		t.Errorf("the product errs by %.3g of an entry", e)
	}
	byFourier := make([]float64, n)
	hankel(byFourier, func(k int) float64 { return f.At(h * float64(k)) }, w)
	top := 0.0
	for i := range want {
		top = max(top, math.Abs(byFourier[i]-want[i]))
	}
	if top > 1e-12*slices.Max(want) {
		t.Errorf("the FFT errs by %.3g of the largest entry: it is no twin", top/slices.Max(want))
	}
	e := worst(byFourier, want, sizes)
	t.Logf("the FFT errs by %.3g of the largest entry, and by %.3g of an entry", top/slices.Max(want), e)
	if e < 1e-10 {
		t.Errorf("the FFT errs by %.3g of an entry: then this package should use it", e)
	}
}

// hankel is dst_i = sum_j value(i+j) w_j by one cyclic convolution, its length a product of powers of 2, 3 and 5.
func hankel(dst []float64, value func(int) float64, w []float64) {
	n := len(dst) + 2*len(w)
	for !smooth(n) {
		n++
	}
	fft := fourier.NewFFT(n)
	a, b := make([]float64, n), make([]float64, n)
	for k := range len(dst) + len(w) - 1 {
		a[k] = value(k)
	}
	for j := range w {
		b[(n-j)%n] = w[j]
	}
	p, q := fft.Coefficients(nil, a), fft.Coefficients(nil, b)
	for k := range p {
		p[k] *= q[k]
	}
	for i, v := range fft.Sequence(nil, p)[:len(dst)] {
		dst[i] = v / float64(n)
	}
}

func smooth(n int) bool {
	for _, p := range [...]int{2, 3, 5} {
		for n%p == 0 {
			n /= p
		}
	}
	return n == 1
}

func TestProductRefuses(t *testing.T) {
	for _, c := range []struct {
		spec string
		x, y []float64
		want string
	}{
		{"exp", []float64{0, -1}, []float64{1}, "kernel: distance x[1] is -1, not a finite length"},
		{"exp", []float64{0}, []float64{1, math.NaN()}, "kernel: distance y[1] is NaN, not a finite length"},
		{"exp", []float64{math.Inf(1)}, []float64{1}, "kernel: distance x[0] is +Inf, not a finite length"},
		{"rational:1/-3,1", []float64{2}, []float64{1.5}, "kernel rational:1/-3,1: the denominator is zero or within rounding of it near x = 3, within the diameter 3.5"},
		{"poly:0,0,1", []float64{1e160}, []float64{0}, "kernel poly: its terms add up to +Inf at the diameter 1e+160"},
		{"cauchy:lambda=2,c=1", []float64{400}, []float64{0}, "kernel cauchy: exp(lambda x) overflows at the diameter 400 and lambda = 2"},
	} {
		if _, err := NewProduct(parse(t, c.spec), c.x, c.y); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, not %q", c.spec, err, c.want)
		}
	}
}

// BenchmarkProduct is against BenchmarkDense: the same matrix and vector.
func BenchmarkProduct(b *testing.B) {
	for _, spec := range []string{"exp", "poly:1,0.5,0.25,0,3", "rational:1/1,2,1", "cauchy:lambda=-2,c=0.001", "gauss:s=0.0025"} {
		for _, n := range []int{1_000, 10_000, 100_000} {
			b.Run(fmt.Sprintf("%s/%d", spec, n), func(b *testing.B) {
				rng := rand.New(rand.NewPCG(9, 10))
				x, y, w := scatters["random"](n, rng), scatters["random"](n, rng), draw(n, rng.Float64)
				p, err := NewProduct(parse(b, spec), x, y)
				if err != nil {
					b.Fatal(err)
				}
				dst := make([]float64, n)
				for b.Loop() {
					if _, err := p.MulVec(b.Context(), dst, w); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkDense(b *testing.B) {
	for _, n := range []int{1_000, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(9, 10))
			x, y, w := scatters["random"](n, rng), scatters["random"](n, rng), draw(n, rng.Float64)
			f := parse(b, "rational:1/1,2,1")
			for b.Loop() {
				dst := make([]float64, n)
				for i, x := range x {
					for j, y := range y {
						dst[i] += f.At(x+y) * w[j]
					}
				}
			}
		})
	}
}
