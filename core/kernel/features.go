package kernel

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// Spectral is a function that, continued evenly to x < 0, has an integrable Fourier transform.
type Spectral interface {
	// String is a specification or, for a function of the caller's own, a name.
	String() string

	// At is f(x), x >= 0, a finite number.
	At(x float64) float64

	// Transform is tau(omega) = integral of f(|x|) cos(2 pi omega x) over the line, real and even; it may be negative.
	Transform(omega float64) float64

	// Frequency is a frequency, per length, by which much of the transform's integral has come, > 0. It governs how well features work, not what they estimate.
	Frequency() float64
}

const (
	batches = 16      // independent estimates, whose spread tells the error
	cells   = 1 << 13 // of the table by which frequencies are drawn

	// MostFeatures is the largest number of random features.
	MostFeatures = 1 << 20
)

// Features is a Spectral function by random features (Appendix A, "Fourier analysis and random features", of the paper):
//
//	f(x+y) = 2 integral_0^inf tau(omega) cos(2 pi omega (x+y)) d omega,   cos(a+b) = cos a cos b - sin a sin b.
//
// Frequencies are drawn from the positive part of tau and from the negative part apart, each with its share of the number. Products estimate, without bias;
// Product.StandardError says how well. An estimate need not be positive where f is.
type Features struct {
	f     Spectral
	count int
	seed  uint64
}

// NewFeatures has count features, from 32 to MostFeatures; it is rounded up to whole batches. The same seed gives the same features.
func NewFeatures(f Spectral, count int, seed uint64) (Features, error) {
	if count < 2*batches || count > MostFeatures {
		return Features{}, fmt.Errorf("kernel features: count is %d, not from %d to %d", count, 2*batches, MostFeatures)
	}
	if scale := f.Frequency(); !(scale > 0) || math.IsInf(scale, 0) {
		return Features{}, fmt.Errorf("kernel features: the typical frequency of %v is %v, not a finite number above zero", f, scale)
	}
	if seed > 1<<53 {
		return Features{}, fmt.Errorf("kernel features: seed is %d, more than 2^53", seed)
	}
	s := newSpectrum(f)
	for _, m := range s.mass {
		if math.IsNaN(m) || math.IsInf(m, 0) {
			return Features{}, fmt.Errorf("kernel features: the Fourier transform of %v adds up to %v", f, m)
		}
	}
	for _, octave := range [...]float64{40, 40.3, 41} {
		omega := f.Frequency() * math.Exp2(octave)
		if v := omega * f.Transform(omega); !(math.Abs(v) <= 1e-3*(s.mass[0]+s.mass[1])) {
			return Features{}, fmt.Errorf("kernel features: the Fourier transform of %v does not fall off: it is %v at frequency %.3g", f, v/omega, omega)
		}
	}
	if s.mass[0]+s.mass[1] == 0 {
		return Features{}, fmt.Errorf("kernel features: the Fourier transform of %v is zero", f)
	}
	return Features{f, count, seed}, nil
}

func (f Features) String() string {
	return fmt.Sprintf("features:count=%d,seed=%d,f=%v", f.count, f.seed, f.f)
}

// At is the function itself, not an estimate.
func (f Features) At(x float64) float64 { return f.f.At(x) }

// Check is the function's, if it has one.
func (f Features) Check(diameter float64) error {
	if own, ok := f.f.(Function); ok {
		return own.Check(diameter)
	}
	return span(diameter)
}

// CompletelyMonotone is false: estimates are not.
func (Features) CompletelyMonotone() bool { return false }

// looks is at how many points a function of the caller's own is looked at for its sign and slope.
const looks = 1000

func (f Features) sign(diameter float64) (int, float64) {
	if own, ok := f.f.(Function); ok {
		return own.sign(diameter)
	}
	first := f.At(0)
	for k := range looks + 1 {
		if x := diameter * float64(k) / looks; !(f.At(x)*first > 0) {
			return 0, x
		}
	}
	return int(math.Copysign(1, first)), 0
}

func (f Features) slope(diameter float64) (int, float64) {
	if own, ok := f.f.(Function); ok {
		return own.slope(diameter)
	}
	all := f.At(diameter) - f.At(0)
	for k := range looks {
		x, next := diameter*float64(k)/looks, diameter*float64(k+1)/looks
		if !((f.At(next)-f.At(x))*all > 0) {
			return 0, x
		}
	}
	return int(math.Copysign(1, all)), 0
}

func (f Features) method(x, y []float64) method {
	m := &features{row: x, column: y}
	s := newSpectrum(f.f)
	total := s.mass[0] + s.mass[1]
	perBatch := (f.count + batches - 1) / batches
	rng := rand.New(rand.NewPCG(f.seed, 0x9e3779b97f4a7c15))
	for range batches {
		var batch []wave
		for sign, mass := range s.mass {
			share := perBatch
			if mass < total {
				share = min(max(1, int(math.Round(float64(perBatch)*mass/total))), perBatch-1)
			}
			if mass > 0 {
				batch = append(batch, s.draw(sign, share, rng)...)
			}
		}
		m.batches = append(m.batches, batch)
	}
	return m
}

// A Table is what random features make of f, at the points of a grid on [0, diameter]; between these it is a straight line.
type Table struct {
	values  []float64
	perUnit float64 // points per length
	least   float64 // of the values
	share   float64 // by what share of f one is off, the most
}

// intervals is the number of those of a Table.
const intervals = 1 << 14

// Table estimates f at the points of a grid, all from the features that products take: f(x+y) is a product's entry, but for a factor that makes f(0) right. It is an error where an estimate is not
// positive, or above that of f(0): Sinkhorn needs a positive kernel, greatest at 0.
func (f Features) Table(ctx context.Context, diameter float64) (*Table, error) {
	if err := Positive(f, diameter); err != nil {
		return nil, err
	}
	t := &Table{values: make([]float64, intervals+1)}
	if diameter > 0 {
		t.perUnit = intervals / diameter
	}
	x := make([]float64, intervals+1)
	for i := range x {
		x[i] = diameter * float64(i) / intervals
	}
	if err := f.method(x, []float64{0}).multiply(ctx, t.values, []float64{1}, false); err != nil {
		return nil, err
	}
	least, top := 0, t.values[0]
	if !(top*f.At(0) > 0) {
		return nil, fmt.Errorf("kernel %v: its estimate at 0 is %.3g", f, top)
	}
	for i := range t.values {
		t.values[i] *= f.At(0) / top
	}
	next := 0.0 // f(0) is right
	for i, v := range t.values {
		if v > t.values[0] {
			return nil, fmt.Errorf("kernel %v: its estimate is %.3g near x = %.6g, and %.3g at 0 where it must be greatest", f, v, x[i], t.values[0])
		}
		if v < t.values[least] {
			least = i
		}
		if off := next; i < intervals {
			// A straight line is off by what its ends are and, within, by as much as f itself bends.
			next = math.Abs(t.values[i+1] - f.At(x[i+1]))
			bend := math.Abs(f.At((x[i]+x[i+1])/2) - (f.At(x[i])+f.At(x[i+1]))/2)
			t.share = max(t.share, (max(off, next)+2*bend)/min(f.At(x[i]), f.At(x[i+1])))
		}
	}
	if t.least = t.values[least]; !(t.least > 0) {
		return nil, fmt.Errorf("kernel %v: its estimate is %.3g near x = %.6g and must be positive up to %.6g. More features may do, or a greater epsilon", f, t.least, x[least], diameter)
	}
	return t, nil
}

// At is the table's value at x, from 0 on; beyond the diameter it is the last.
func (t *Table) At(x float64) float64 {
	at := x * t.perUnit
	i := int(min(at, intervals-1))
	part := min(at-float64(i), 1)
	return t.values[i] + part*(t.values[i+1]-t.values[i])
}

// Least is the least value.
func (t *Table) Least() float64 { return t.least }

// Share is the most by which a value is off, as a share of f.
func (t *Table) Share() float64 { return t.share }

// spectrum is the transform on a line made finite, omega = frequency tan(pi u/2), 0 < u < 1: f(x) = integral of density(u)
// cos(2 pi omega x). Its cells have the mass of the positive and of the negative part, estimated; what is drawn is weighted by what the density truly is.
type spectrum struct {
	f     Spectral
	cells [2][]float64 // running sums
	mass  [2]float64
}

func newSpectrum(f Spectral) *spectrum {
	s := &spectrum{f: f}
	for k := range cells {
		_, density := s.at((float64(k) + 0.5) / cells)
		for sign := range s.cells {
			part := max(0, density)
			if sign == 1 {
				part = max(0, -density)
			}
			s.mass[sign] += part / cells
		}
	}
	// Every cell may be drawn from for either part, if rarely, since the midpoint does not tell all of it.
	for sign := range s.cells {
		if s.mass[sign] == 0 {
			continue
		}
		s.cells[sign] = make([]float64, cells+1)
		for k := range cells {
			part := 0.0
			for _, at := range [...]float64{0, 0.5, 1} {
				if _, d := s.at(min(max((float64(k)+at)/cells, 1e-9), 1-1e-9)); sign == 0 == (d > 0) {
					part = max(part, math.Abs(d))
				}
			}
			s.cells[sign][k+1] = s.cells[sign][k] + part + 1e-3*s.mass[sign]
		}
	}
	return s
}

func (s *spectrum) at(u float64) (omega, density float64) {
	t := math.Tan(math.Pi / 2 * u)
	omega = s.f.Frequency() * t
	return omega, 2 * s.f.Transform(omega) * s.f.Frequency() * math.Pi / 2 * (1 + t*t)
}

// draw draws n frequencies of a part, one from each n-th of its mass.
func (s *spectrum) draw(sign, n int, rng *rand.Rand) []wave {
	sums := s.cells[sign]
	total := sums[cells]
	out := make([]wave, n)
	for k := range out {
		target := (float64(k) + rng.Float64()) / float64(n) * total
		cell, _ := slices.BinarySearch(sums[1:cells], target)
		probability := (sums[cell+1] - sums[cell]) / total * cells // density of u
		u := (float64(cell) + rng.Float64()) / cells
		omega, density := s.at(u)
		if sign == 0 {
			density = max(0, density)
		} else {
			density = min(0, density)
		}
		out[k] = wave{2 * math.Pi * omega, density / probability / float64(n)}
	}
	return out
}

// A wave is weight cos(frequency z), its frequency in radians per length.
type wave struct{ frequency, weight float64 }

// features multiplies with the mean of the batches.
type features struct {
	row, column []float64
	batches     [][]wave
}

func (m *features) multiply(ctx context.Context, dst, w []float64, transposed bool) error {
	x, y := m.row, m.column
	if transposed {
		x, y = y, x
	}
	clear(dst)
	for _, batch := range m.batches {
		if err := add(ctx, dst, batch, x, y, w); err != nil {
			return err
		}
	}
	for i := range dst {
		dst[i] /= batches
	}
	return nil
}

// add adds the batch's estimate.
func add(ctx context.Context, dst []float64, batch []wave, x, y, w []float64) error {
	for _, v := range batch {
		if err := ctx.Err(); err != nil {
			return err
		}
		c, s := 0.0, 0.0
		for j, y := range y {
			sin, cos := math.Sincos(v.frequency * y)
			c += cos * w[j]
			s += sin * w[j]
		}
		c, s = c*v.weight, s*v.weight
		for i, x := range x {
			sin, cos := math.Sincos(v.frequency * x)
			dst[i] += cos*c - sin*s
		}
	}
	return nil
}

func (m *features) standardError(ctx context.Context, w []float64) ([]float64, error) {
	mean, squares, one := make([]float64, len(m.row)), make([]float64, len(m.row)), make([]float64, len(m.row))
	for k, batch := range m.batches {
		clear(one)
		if err := add(ctx, one, batch, m.row, m.column, w); err != nil {
			return nil, err
		}
		for i, v := range one { // Welford, 1962
			d := v - mean[i]
			mean[i] += d / float64(k+1)
			squares[i] += d * (v - mean[i])
		}
	}
	for i, s := range squares {
		squares[i] = math.Sqrt(s / (batches - 1) / batches)
	}
	return squares, nil
}

func (m *features) steps() int64 {
	n := int64(0)
	for _, batch := range m.batches {
		n += int64(len(batch))
	}
	return 2 * n * (int64(len(m.row)) + int64(len(m.column)))
}
