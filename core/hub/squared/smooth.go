package squared

import (
	"math"
	"slices"

	"genussink/core/internal/buffer"
)

// A large rank-one block is not visited pair by pair. Its labels a and b are put in bins. For two bins exp(-(a+b)^2/s) is nearly a polynomial, of a degree below
// nodes in a and in b. It is off by a share of 2^-46 at most. The polynomial is written in Chebyshev polynomials. A vertex adds to one sum for each
// of them. Two bins then cost one small matrix. It depends on the sum of the two bins alone. This is the paper's product for |S| = 1 (Sec. 3.1), with
// Chebyshev polynomials where it has a Taylor series.
//
// The share: let r be half the width of a bin, and D the longest distance that counts. r is at most s/(2D) and sqrt(s)/8. Then on the
// ellipse around a bin whose half axes add up to 20 r the kernel is at most exp(11.6) times what it is in the middle. So its
// interpolation in 16 nodes is wrong by less than 4 exp(11.6)/(19 20^15) < 1e-15 of that, in the second label by three times as much, and the
// least entry of the bins is an eighth of the middle's.
//
// A polynomial of a degree below nodes is its own interpolation, on one bin of each side: these are the moments of Appendix A.
const nodes = 16

// interpolated bounds the error of an entry by interpolation, rounding included, as a share of the greatest entry of its bins.
const interpolated = 0x1p-44

// leastOfPolynomial is the least value of a polynomial that is interpolated: others lose too many digits beside it.
const leastOfPolynomial = 0x1p-10

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

// mostBins is how many bins of a side count. They begin at the block's least distance, or at 0 where that is negative. Entries underflow beyond
// 670 bins.
const mostBins = 700

// binned is one side of a block, its labels in bins.
type binned struct {
	bin  []int32   // of each member; -1: it is too far away to count
	at   []float64 // where it lies there, -1 to 1
	x, y []moments // by bin: of what is multiplied, and of the sums that arrive
}

// open puts labels in n bins of a width, from the least label on, and sums up what is multiplied.
func (b *binned) open(labels, x []float64, least, width float64, n int) {
	b.bin, b.at, b.x, b.y = buffer.Sized(b.bin, len(labels)), buffer.Sized(b.at, len(labels)), buffer.Sized(b.x, n), buffer.Sized(b.y, n)
	clear(b.x)
	clear(b.y)
	for i, a := range labels {
		along := (a - least) / width
		if along > float64(n) {
			b.bin[i] = -1
			continue
		}
		bin := min(int(along), n-1)
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

// binWidth is the width of bins on which the kernel is a polynomial, in a block whose distances lie between two. With a tolerance both may be
// below 0.
//
// The error of a bin is a share of its greatest entry. Entries that are weighed by distance grow with the distance. So a bin is at most twice as
// wide as the block's longest distance.
func (k *Kernel) binWidth(least, most float64) float64 {
	width := min(math.Sqrt(k.s)/4, 2*max(math.Abs(least), math.Abs(most)))
	near := max(0, least)
	if far := min(most, math.Sqrt(near*near-math.Log(tiny)*k.s)); far > 0 { // what is further underflows
		width = min(width, k.s/far)
	}
	return max(width, math.SmallestNonzeroFloat64)
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
	if k.f != nil && (!k.polynomial || k.form.power > 1) { // a power of 2 makes the degree too high
		return false
	}
	pairs := float64(len(near)) * float64(len(far))
	if costVertex*float64(len(near)+len(far)) > pairs {
		return false
	}
	a0, a1 := slices.Min(near), slices.Max(near)
	b0, b1 := slices.Min(far), slices.Max(far)
	least := a0 + b0 - shift
	rows, cols, most := 1, 1, 1
	rowWidth, colWidth := max(a1-a0, math.SmallestNonzeroFloat64), max(b1-b0, math.SmallestNonzeroFloat64)
	if k.f == nil {
		rowWidth = k.binWidth(least, a1+b1-shift)
		colWidth = rowWidth
		below := math.Ceil(max(0, -least) / rowWidth) // bins of negative distances
		if below > mostBins {
			return false
		}
		most = mostBins + int(below)
		rows, cols = int(min((a1-a0)/rowWidth+1, float64(most))), int(min((b1-b0)/colWidth+1, float64(most)))
	} else if least < 0 {
		return false // there it counts as 0, which is no polynomial
	}
	if costVertex*float64(len(near)+len(far))+costBins*float64(rows*cols)+costMatrix*float64(rows+cols) > pairs {
		return false
	}
	s := &w.smooth
	s.rows.open(near, w.rows.x, a0, rowWidth, rows)
	s.cols.open(far, w.cols.x, b0, colWidth, cols)
	s.matrices = buffer.Sized(s.matrices, min(rows+cols-1, most))
	for n := range s.matrices {
		k.matrix(&s.matrices[n], least+float64(n)*rowWidth, rowWidth/2, colWidth/2, scale)
	}
	for i := range s.rows.x {
		if k.over() {
			return true
		}
		for j := range s.cols.x {
			if i+j >= len(s.matrices) {
				break
			}
			apply(&s.matrices[i+j], &s.cols.x[j], &s.rows.y[i])
			back(&s.matrices[i+j], &s.rows.x[i], &s.cols.y[j])
		}
	}
	s.rows.close(w.rows.y)
	s.cols.close(w.cols.y)
	return true
}

// matrix makes the coefficients of two bins, whose least distance is first. half and other are half their widths.
func (k *Kernel) matrix(m *[nodes]moments, first, half, other, scale float64) {
	var values, once [nodes]moments
	factor := k.factor(scale)
	for p, u := range chebyshev.at {
		for q, v := range chebyshev.at {
			values[p][q] = k.entry(first+half*(1+u)+other*(1+v), scale, factor)
		}
	}
	for i := range once {
		back(&values, &chebyshev.matrix[i], &once[i]) // the coefficients of the rows' polynomials
	}
	for i := range m {
		m[i] = moments{}
		apply(&chebyshev.matrix, &once[i], &m[i])
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

// back adds the transpose of m times x to y.
func back(m *[nodes]moments, x, y *moments) {
	for i, x := range x {
		r := &m[i]
		for j := range y {
			y[j] += r[j] * x
		}
	}
}
