package experiment

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"

	"genussink/core/kernel"
)

// KernelNames are the functions that Kernels measures: one of each class.
var KernelNames = []string{"exp", "inverse", "poly:1,2,3", "rational:3,1/2,1", "cauchy:lambda=-0.5,c=2,p=2", "gauss:s=4", "features:count=256,seed=1,f=gauss:s=4"}

// What Kernels measures on: points on [0, extent], whose sums reach twice as far, how sizes grow, and how many rows are computed one by one.
const (
	kernelExtent    = 5.0
	kernelGrowth    = 4
	kernelRows      = 64
	kernelTolerance = 1e-6 // of sums of exponentials
)

// LeastPoints is the smallest size that Kernels measures.
const LeastPoints = 1000

// KernelRow is one function at one size.
type KernelRow struct {
	Kernel     string
	Points     int     // on either side
	Product    float64 // seconds of one structured product
	Dense      float64 // seconds of the same product entry by entry, by some of its rows
	Steps      int64   // of the structured product, see kernel.Product
	Exponent   float64 // of the steps' growth since the size before; NaN at the first
	Error      float64 // the largest of the rows that were computed one by one, as a share of sum_j |f(x_i + y_j) w_j|, both ways; random features err by a share of f(0), which is more
	Deviations float64 // of random features: root mean square of error over stated standard error, about 1 where that is right; NaN of others
	Terms      int     // of its sum of exponentials with an error of 1e-6; 0: there is none
	TermsError float64 // the error of that sum as it was found on a grid, in the bound's unit; NaN without one
	TermsBound float64 // proved; NaN without one
	Half       float64 // the distance at which f is half of f(0), which generalised Sinkhorn's h finds; NaN where there is none
}

// Kernels measures products with f(x_i + y_j), the case of one separating vertex (Appendix A of the paper), at sizes up to the largest. Found
// is given each row when it is there.
func Kernels(ctx context.Context, largest int, found func(KernelRow)) error {
	for _, name := range KernelNames {
		f, err := kernel.Parse(name)
		if err != nil {
			return err
		}
		before := KernelRow{}
		for n := LeastPoints; n <= largest; n *= kernelGrowth {
			r, err := kernelRow(ctx, f, n)
			if err != nil {
				return fmt.Errorf("%s, %d points: %w", name, n, err)
			}
			r.Kernel, r.Exponent = name, math.NaN()
			if before.Points > 0 {
				r.Exponent = math.Log(float64(r.Steps)/float64(before.Steps)) / math.Log(float64(n)/float64(before.Points))
			}
			found(r)
			before = r
		}
	}
	return ctx.Err()
}

func kernelRow(ctx context.Context, f kernel.Function, n int) (r KernelRow, err error) {
	rng := rand.New(rand.NewPCG(uint64(n), 7))
	draw := func(most float64) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = most * rng.Float64()
		}
		return x
	}
	x, y, w := draw(kernelExtent), draw(kernelExtent), draw(1)
	p, err := kernel.NewProduct(f, x, y)
	if err != nil {
		return r, err
	}
	rows, cols := p.Dims()
	r = KernelRow{Points: rows, Steps: p.Steps(), Deviations: math.NaN(), TermsError: math.NaN(), TermsBound: math.NaN(), Half: math.NaN()}
	forth, back := make([]float64, rows), make([]float64, cols)
	r.Product = ofThree(func() {
		if err == nil {
			_, err = p.MulVec(ctx, forth, w)
		}
	})
	if err != nil {
		return r, err
	}
	if _, err := p.MulVecT(ctx, back, w); err != nil {
		return r, err
	}
	stated, err := p.StandardError(ctx, w)
	if err != nil {
		return r, err
	}
	squares, picked := 0.0, 0
	miss := func(a float64, others []float64, got float64) (off float64) {
		want, scale := 0.0, 0.0
		for j, b := range others {
			v := f.At(a+b) * w[j]
			want += v
			scale += math.Abs(v)
		}
		off = math.Abs(got - want)
		r.Error = max(r.Error, off/scale)
		return off
	}
	dense := ofThree(func() {
		picked, squares = 0, 0
		for i := 0; i < rows; i += max(1, rows/kernelRows) {
			off := miss(x[i], y, forth[i])
			if stated != nil {
				squares += off / stated[i] * off / stated[i]
			}
			picked++
		}
	})
	r.Dense = dense * float64(rows) / float64(picked)
	for j := 0; j < cols; j += max(1, cols/kernelRows) {
		miss(y[j], x, back[j])
	}
	if stated != nil {
		r.Deviations = math.Sqrt(squares / float64(picked))
	}
	diameter := slices.Max(x) + slices.Max(y)
	if half, err := kernel.Inverse(f, f.At(0)/2, diameter); err == nil {
		r.Half = half
	}
	if sum, err := kernel.Exponentials(f, diameter, kernelTolerance); err == nil {
		r.Terms, r.TermsBound, r.TermsError = len(sum.Terms), sum.Bound, 0
		for i := range 1001 {
			at := diameter * float64(i) / 1000
			unit := f.At(0)
			if sum.Relative {
				unit = f.At(at)
			}
			r.TermsError = max(r.TermsError, math.Abs(sum.At(at)-f.At(at))/unit)
		}
	}
	return r, ctx.Err()
}

// ofThree is the middle one of the seconds that f takes, of three times.
func ofThree(f func()) float64 { return halfway([]float64{stopwatch(f), stopwatch(f), stopwatch(f)}) }

var kernelColumns = []column[KernelRow]{
	{"kernel", func(r *KernelRow) any { return r.Kernel }},
	{"points", func(r *KernelRow) any { return r.Points }},
	{"product_s", func(r *KernelRow) any { return r.Product }},
	{"dense_s", func(r *KernelRow) any { return r.Dense }},
	{"steps", func(r *KernelRow) any { return int(r.Steps) }},
	{"exponent", func(r *KernelRow) any { return r.Exponent }},
	{"error", func(r *KernelRow) any { return r.Error }},
	{"deviations", func(r *KernelRow) any { return r.Deviations }},
	{"terms", func(r *KernelRow) any { return r.Terms }},
	{"terms_error", func(r *KernelRow) any { return r.TermsError }},
	{"terms_bound", func(r *KernelRow) any { return r.TermsBound }},
	{"half", func(r *KernelRow) any { return r.Half }},
}

// KernelsCSV writes rows of Kernels as a table.
func KernelsCSV(w io.Writer, rows []KernelRow) error { return writeCSV(w, kernelColumns, rows) }

// String is a line.
func (r *KernelRow) String() string {
	return fmt.Sprintf("%-40s %8s  product %-10s dense %-10s exponent %-8s error %-10s terms %d",
		r.Kernel, thousands(r.Points), duration(r.Product), duration(r.Dense), number(r.Exponent), share(r.Error), r.Terms)
}
