package kernel

import (
	"context"
	"fmt"
	"math"

	"genussink/core/internal/exponential"
)

// Gauss is f(x) = exp(-x^2/s), s > 0: the kernel of squared distance.
type Gauss struct{ s float64 }

// NewGauss wants s > 0, a length squared.
func NewGauss(s float64) (Gauss, error) {
	if !(s > 0) || math.IsInf(s, 0) {
		return Gauss{}, fmt.Errorf("kernel gauss: s is %v, not a finite length squared above zero", s)
	}
	return Gauss{s}, nil
}

func (f Gauss) String() string { return "gauss:s=" + number(f.s) }

// Square is s.
func (f Gauss) Square() float64 { return f.s }

// At is exp(-x^2/s).
func (f Gauss) At(x float64) float64 { return exponential.Exp(-x * (x / f.s)) }

// Check takes any diameter.
func (f Gauss) Check(diameter float64) error {
	if !(f.s > 0) {
		return fmt.Errorf("kernel gauss: s is %v", f.s)
	}
	return span(diameter)
}

// CompletelyMonotone is false: f is flat at 0.
func (Gauss) CompletelyMonotone() bool { return false }

func (f Gauss) sign(diameter float64) (int, float64) { return vanishing(f, diameter) }

func (f Gauss) slope(diameter float64) (int, float64) { return falling(f, diameter) }

// Transform is the Fourier transform, sqrt(pi s) exp(-pi^2 s omega^2).
func (f Gauss) Transform(omega float64) float64 {
	return math.Sqrt(math.Pi*f.s) * exponential.Exp(-math.Pi*math.Pi*f.s*omega*omega)
}

// Frequency is where the transform has fallen to 1/e.
func (f Gauss) Frequency() float64 { return 1 / (math.Pi * math.Sqrt(f.s)) }

func (f Gauss) method(x, y []float64) method {
	m := &gaussTransform{s: f.s}
	m.sides[0], m.sides[1] = m.boxes(x), m.boxes(y)
	return m
}

// gaussTransform multiplies with exp(-(x_i + y_j)^2/s): the fast Gauss transform of Greengard and Strain (1991), in the form that keeps small entries
// right. Both sides are cut into boxes of half width r = sqrt(s/2). With x = a+u and y = b+v, a and b the middles of boxes and m = a+b,
//
//	(x+y)^2 = (m^2/2 + 2mu + u^2) + (m^2/2 + 2mv + v^2) + 2uv,   exp(-2uv/s) = sum_k (-2uv/s)^k/k!,
//
// where |2uv/s| <= 1, so that what terms > 17 add up to is less than e^2/17! = 2e-14 of an entry. Boxes whose entries
// underflow are left out; what remains are fewer than 20 on each side.
type gaussTransform struct {
	s     float64
	sides [2][]box
}

const gaussTerms = 17

// A box holds the points whose x/(2r) has the whole part at.
type box struct {
	at     int
	points []int32
	offset []float64 // from the middle, in units of sqrt(s)
}

// reach is a distance in units of sqrt(s) at which f underflows.
const reach = 27.3

// boxes are the boxes that hold points x, but for those out of reach.
func (m *gaussTransform) boxes(x []float64) []box {
	var all [20]box
	unit := math.Sqrt(m.s)
	for i, x := range x {
		if z := x / unit; z < reach {
			at := int(z / math.Sqrt2)
			b := &all[at]
			b.at, b.points, b.offset = at, append(b.points, int32(i)), append(b.offset, z-boxMiddle(at))
		}
	}
	var some []box
	for _, b := range all {
		if len(b.points) > 0 {
			some = append(some, b)
		}
	}
	return some
}

// boxMiddle is in units of sqrt(s).
func boxMiddle(at int) float64 { return (float64(at) + 0.5) * math.Sqrt2 }

// meet reports whether any entry of the boxes' points does not underflow.
func meet(a, b box) bool { return float64(a.at+b.at)*math.Sqrt2 < reach }

func (m *gaussTransform) multiply(ctx context.Context, dst, w []float64, transposed bool) error {
	to, from := m.sides[0], m.sides[1]
	if transposed {
		to, from = from, to
	}
	clear(dst)
	for _, a := range to {
		for _, b := range from {
			if !meet(a, b) {
				continue
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			middle := boxMiddle(a.at) + boxMiddle(b.at)
			var moments [gaussTerms]float64
			for k, j := range b.points {
				v := b.offset[k]
				term := w[j] * exponential.Exp(-middle*middle/2-(2*middle+v)*v)
				for k := range moments {
					moments[k] += term
					term *= v
				}
			}
			factor := 1.0
			for k := range moments {
				moments[k] *= factor
				factor *= -2 / float64(k+1)
			}
			for k, i := range a.points {
				u := a.offset[k]
				dst[i] += exponential.Exp(-middle*middle/2-(2*middle+u)*u) * horner(moments[:], u)
			}
		}
	}
	return nil
}

func (m *gaussTransform) steps() int64 {
	total := int64(0)
	for _, a := range m.sides[0] {
		for _, b := range m.sides[1] {
			if meet(a, b) {
				total += gaussTerms * int64(len(a.points)+len(b.points)+1)
			}
		}
	}
	return total
}
