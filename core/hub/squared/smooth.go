package squared

import (
	"math"

	"genussink/core/internal/buffer"
	"genussink/core/internal/exponential"
)

// A large rank-one block is not visited pair by pair. Its labels a and b fall into bins. On a bin of each side exp(-(a+b)^2/s) is a polynomial in a and in b,
// but for a share of 2^-46: sums of Chebyshev polynomials, of degree below nodes in each. So a vertex costs some sums over the polynomials at its label, and a pair of
// bins costs a small matrix, which depends on the sum of the two bins alone. This is the paper's product for |S| = 1 (Sec. 3.1), with
// Chebyshev polynomials where it has a Taylor series.
//
// The share: let r be half the width of a bin, and D the longest distance that counts. r is at most s/(2D) and sqrt(s)/8. Then on the
// ellipse around a bin whose half axes add up to 20 r the kernel is at most exp(11.6) times what it is in the middle. So its
// interpolation in 16 nodes is wrong by less than 4 exp(11.6)/(19 20^15) < 1e-15 of that, in the second label by three times as much, and the
// least entry of the bins is an eighth of the middle's.
const nodes = 16

// interpolated bounds the relative error of an entry by interpolation, rounding included.
const interpolated = 0x1p-44

type moments [nodes]float64

// chebyshev are the nodes, and the matrix that leads from values there to the coefficients of Chebyshev polynomials.
var chebyshev = func() (c struct {
	at     moments
	matrix [nodes]moments
}) {
	for p := range nodes {
		angle := (float64(p) + 0.5) * math.Pi / nodes
		c.at[p] = math.Cos(angle)
		for k := range nodes {
			c.matrix[k][p] = 2 * math.Cos(float64(k)*angle) / nodes
		}
		c.matrix[0][p] = 1. / nodes
	}
	return c
}()

// mostBins is how many bins of a side count: entries of what is further underflow, for a sum of 670 bins at most does not.
const mostBins = 700

// binned is one side of a block, its labels in bins.
type binned struct {
	bin  []int32   // of each member; -1: it is too far away to count
	at   []float64 // where it lies there, -1 to 1
	x, y []moments // by bin: of what is multiplied, and of the sums that arrive
}

// open puts labels in bins of a width, from the least label on, and sums up what is multiplied.
func (b *binned) open(labels, x []float64, least, most, width float64) {
	n := min(int((most-least)/width)+1, mostBins)
	b.bin, b.at, b.x, b.y = buffer.Sized(b.bin, len(labels)), buffer.Sized(b.at, len(labels)), buffer.Sized(b.x, n), buffer.Sized(b.y, n)
	clear(b.x)
	clear(b.y)
	for i, a := range labels {
		along := (a - least) / width
		bin := int(along)
		if bin >= n {
			b.bin[i] = -1
			continue
		}
		u := 2*(along-float64(bin)) - 1
		b.bin[i], b.at[i] = int32(bin), u
		m, before, t := &b.x[bin], x[i], x[i]*u
		m[0] += before
		for k := 1; k < nodes; k++ {
			m[k] += t
			before, t = t, 2*u*t-before
		}
	}
}

// close adds the sums that have arrived.
func (b *binned) close(y []float64) {
	for i, bin := range b.bin {
		if bin < 0 {
			continue
		}
		u := b.at[i]
		m, before, t := &b.y[bin], 1.0, u
		sum := m[0]
		for k := 1; k < nodes; k++ {
			sum += m[k] * t
			before, t = t, 2*u*t-before
		}
		y[i] += sum
	}
}

// smooth is the scratch space of a block's interpolation.
type smooth struct {
	rows, cols binned
	matrices   [][nodes]moments // by sum of two bins
}

// binWidth is the width of bins on which the kernel is a polynomial, in a block whose distances lie between two.
func (k *Kernel) binWidth(least, most float64) float64 {
	most = min(most, math.Sqrt(least*least-math.Log(tiny)*k.s)) // what is further underflows
	return 2 * min(k.s/(2*most), math.Sqrt(k.s)/8)
}

func (s *smooth) bytes() int64 {
	bytes := 8 * nodes * nodes * cap(s.matrices)
	for _, b := range []*binned{&s.rows, &s.cols} {
		bytes += 4*cap(b.bin) + 8*cap(b.at) + 8*nodes*(cap(b.x)+cap(b.y))
	}
	return int64(bytes)
}

// What a product by interpolation costs, in pairs of vertices visited one by one: a vertex, a pair of bins, a sum of two bins.
const (
	costVertex = 12
	costBins   = 40
	costMatrix = 800
)

// interpolate adds the pairs of a block with the labels near of its rows and far of its columns, if that takes less time than to visit
// them.
func (k *Kernel) interpolate(w *worker, near, far []float64, shift, scale float64) bool {
	if k.f != nil {
		return false
	}
	pairs := float64(len(near)) * float64(len(far))
	if costVertex*float64(len(near)+len(far)) > pairs {
		return false
	}
	a0, a1 := extent(near)
	b0, b1 := extent(far)
	least := max(0, a0+b0-shift)
	width := k.binWidth(least, a1+b1-shift)
	rows, cols := min((a1-a0)/width+1, mostBins), min((b1-b0)/width+1, mostBins)
	if costVertex*float64(len(near)+len(far))+costBins*rows*cols+costMatrix*(rows+cols) > pairs {
		return false
	}
	s := &w.smooth
	s.rows.open(near, w.rows.x, a0, a1, width)
	s.cols.open(far, w.cols.x, b0, b1, width)
	s.matrices = buffer.Sized(s.matrices, min(len(s.rows.x)+len(s.cols.x)-1, mostBins))
	for n := range s.matrices {
		first := a0 + b0 - shift + float64(n)*width // of the pairs of these bins the least distance
		k.matrix(&s.matrices[n], first+width, width/2, scale)
	}
	for i := range s.rows.x {
		if k.over() {
			return true
		}
		for j := range s.cols.x {
			if i+j >= len(s.matrices) {
				break
			}
			apply(&s.matrices[i+j], &s.rows.x[i], &s.cols.y[j])
			apply(&s.matrices[i+j], &s.cols.x[j], &s.rows.y[i])
		}
	}
	s.rows.close(w.rows.y)
	s.cols.close(w.cols.y)
	return true
}

// matrix makes the coefficients of two bins of a half width, whose middles have a distance: symmetric, for the kernel knows only the sum.
func (k *Kernel) matrix(m *[nodes]moments, middle, half, scale float64) {
	var values, once [nodes]moments
	for p, u := range chebyshev.at {
		for q, v := range chebyshev.at[:p+1] {
			d := middle + half*(u+v)
			e := exponential.Exp(k.LogEntry(d) - scale)
			if k.form.weighed {
				e *= d / k.longest
			}
			values[p][q], values[q][p] = e, e
		}
	}
	for i := range once {
		apply(&values, &chebyshev.matrix[i], &once[i])
	}
	for i := range m {
		m[i] = moments{}
		apply(&once, &chebyshev.matrix[i], &m[i])
	}
}

// apply adds m x to y.
func apply(m *[nodes]moments, x, y *moments) {
	for i := range m {
		r := &m[i]
		var a, b, c, d float64
		for j := 0; j < nodes; j += 4 {
			a += r[j] * x[j]
			b += r[j+1] * x[j+1]
			c += r[j+2] * x[j+2]
			d += r[j+3] * x[j+3]
		}
		y[i] += (a + b) + (c + d)
	}
}

func extent(labels []float64) (least, most float64) {
	least, most = math.Inf(1), math.Inf(-1)
	for _, a := range labels {
		least, most = min(least, a), max(most, a)
	}
	return least, most
}
