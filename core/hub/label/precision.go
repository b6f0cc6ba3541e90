package label

import (
	"errors"
	"math"

	"genussink/core/internal/buffer"
	"genussink/core/septree"
)

// Precision is how labels, and a kernel's factors, are stored. Whatever it is,
// Dijkstra's algorithm, path lengths, sums and products are of float64.
type Precision int

// The precisions. What float32 may add to a distance is bounded, see rounding.
const (
	Float32 Precision = iota
	Float64
)

func (p Precision) String() string {
	if p == Float64 {
		return "float64"
	}
	return "float32"
}

// Bytes of one number.
func (p Precision) Bytes() int64 {
	if p == Float64 {
		return 8
	}
	return 4
}

// Unit is by what share of itself a stored number may miss the true one: half
// the spacing of float32 would do for the nearest, all of it is for rounding
// one way. With float64 it is what paths of many edges add up to.
func (p Precision) Unit() float64 {
	if p == Float32 {
		return 0x1p-23
	}
	return 4e-14
}

// ErrFloat32 is what float32 is refused for: lengths or a tolerance that it cannot
// express. Float64 takes them.
var ErrFloat32 = errors.New("float64 labels are needed")

// Float is what a label is stored as.
type Float interface{ float32 | float64 }

// Values are one for every label of a tree: by cell, (hi-sep) x (hi-lo), a
// row for every separator vertex. One of the two is nil.
type Values struct {
	Tree  *septree.Tree
	Short [][]float32
	Long  [][]float64
}

// NewValues makes room for one number for every label of a tree.
func NewValues(t *septree.Tree, p Precision) Values {
	n := Values{Tree: t}
	if p == Float32 {
		n.Short = make([][]float32, len(t.Cells))
	} else {
		n.Long = make([][]float64, len(t.Cells))
	}
	for i := range t.Cells {
		r := &t.Cells[i]
		if size := int(r.Hi-r.Sep) * int(r.Hi-r.Lo); p == Float32 {
			n.Short[i] = make([]float32, size)
		} else {
			n.Long[i] = make([]float64, size)
		}
	}
	return n
}

// Precision is how the numbers are stored.
func (n *Values) Precision() Precision {
	if n.Short != nil {
		return Float32
	}
	return Float64
}

// RowOf is the row of the hub at rank h over the ranks [lo,hi), which
// the hub's cell holds.
func RowOf[T Float](t *septree.Tree, by [][]T, h, lo, hi int32) []T {
	at := t.Owner[h]
	r := &t.Cells[at]
	start := int(h-r.Sep)*int(r.Hi-r.Lo) + int(lo-r.Lo)
	return by[at][start : start+int(hi-lo)]
}

// At is the number of the hub at rank h and a rank in its cell.
func (n *Values) At(h, rank int32) float64 {
	at := n.Tree.Owner[h]
	r := &n.Tree.Cells[at]
	i := int(h-r.Sep)*int(r.Hi-r.Lo) + int(rank-r.Lo)
	if n.Short != nil {
		return float64(n.Short[at][i])
	}
	return n.Long[at][i]
}

// Row is the row of the hub at rank h over the ranks [lo,hi): in dst,
// which grows as it must, or where it is stored. It is not to be written to.
func (n *Values) Row(dst *[]float64, h, lo, hi int32) []float64 {
	if n.Short == nil {
		return RowOf(n.Tree, n.Long, h, lo, hi)
	}
	*dst = buffer.Sized(*dst, int(hi-lo))
	n.CopyRow(*dst, h, lo)
	return *dst
}

// CopyRow fills dst with the row of the hub at rank h from the rank lo on.
func (n *Values) CopyRow(dst []float64, h, lo int32) {
	if n.Short == nil {
		copy(dst, RowOf(n.Tree, n.Long, h, lo, lo+int32(len(dst))))
		return
	}
	widen(dst, RowOf(n.Tree, n.Short, h, lo, lo+int32(len(dst))))
}

// widen fills dst with as many numbers. Loops take eight steps at a time because WebAssembly jumps through a table, at the price of
// some such steps, wherever Go does.
func widen(dst []float64, from []float32) {
	dst = dst[:len(from)]
	i := 0
	for ; i+8 <= len(from); i += 8 {
		x, y := (*[8]float32)(from[i:]), (*[8]float64)(dst[i:])
		y[0], y[1], y[2], y[3] = float64(x[0]), float64(x[1]), float64(x[2]), float64(x[3])
		y[4], y[5], y[6], y[7] = float64(x[4]), float64(x[5]), float64(x[6]), float64(x[7])
	}
	for ; i < len(from); i++ {
		dst[i] = float64(from[i])
	}
}

// Gather fills dst with the numbers of the hub at rank h and some ranks.
func (n *Values) Gather(dst []float64, h int32, ranks []int32) {
	r := &n.Tree.Cells[n.Tree.Owner[h]]
	if n.Short != nil {
		gather(dst, RowOf(n.Tree, n.Short, h, r.Lo, r.Hi), -r.Lo, ranks)
	} else {
		gather(dst, RowOf(n.Tree, n.Long, h, r.Lo, r.Hi), -r.Lo, ranks)
	}
}

func gather[T Float](dst []float64, row []T, offset int32, ranks []int32) {
	dst = dst[:len(ranks)]
	for i, v := range ranks {
		dst[i] = float64(row[offset+v])
	}
}

// PutRows stores the row of the hub at rank h from the rank lo on, and the rows after it, rounded up or
// down, never beyond the next float32.
func (n *Values) PutRows(h, lo int32, rows []float64, up bool) {
	at := n.Tree.Owner[h]
	r := &n.Tree.Cells[at]
	start := int(h-r.Sep)*int(r.Hi-r.Lo) + int(lo-r.Lo)
	if n.Short == nil {
		copy(n.Long[at][start:], rows)
		return
	}
	to := n.Short[at][start:][:len(rows)]
	for i, x := range rows {
		to[i] = Round32(x, up)
	}
}

// Round32 is x as a float32, rounded up or down. It takes no branch.
func Round32(x float64, up bool) float32 {
	f := math.Float32bits(float32(x)) // the nearest
	next := f
	if y := float64(math.Float32frombits(f)); up {
		if y < x {
			next = f + 1
		}
	} else if y > x {
		next = f - 1
	}
	return math.Float32frombits(next)
}

// Lead is the least of the row of the hub at rank h less that of the pivot,
// over the ranks [lo,hi): by how much the hub is longer, at least. It stops
// early once it is below enough.
func (n *Values) Lead(h, pivot, lo, hi int32, enough float64) float64 {
	if n.Short != nil {
		return lead(RowOf(n.Tree, n.Short, h, lo, hi), RowOf(n.Tree, n.Short, pivot, lo, hi), enough)
	}
	return lead(RowOf(n.Tree, n.Long, h, lo, hi), RowOf(n.Tree, n.Long, pivot, lo, hi), enough)
}

func lead[T Float](row, pivot []T, enough float64) float64 {
	const apart = 16 // most leads below enough show at one of so many ranks
	least := math.Inf(1)
	pivot = pivot[:len(row)]
	for v := apart / 2; v < len(row); v += apart {
		if d := float64(row[v]) - float64(pivot[v]); d < least {
			least = d
		}
	}
	if least < enough {
		return least
	}
	v := 0
	for ; v+4 <= len(row); v += 4 {
		r, p := (*[4]T)(row[v:]), (*[4]T)(pivot[v:])
		a, b, c, d := float64(r[0])-float64(p[0]), float64(r[1])-float64(p[1]), float64(r[2])-float64(p[2]), float64(r[3])-float64(p[3])
		if a < least || b < least || c < least || d < least {
			if b < a {
				a = b
			}
			if d < c {
				c = d
			}
			if c < a {
				a = c
			}
			if least = a; least < enough {
				return least
			}
		}
	}
	for ; v < len(row); v++ {
		least = min(least, float64(row[v])-float64(pivot[v]))
	}
	return least
}

// LeadAt is lead over some ranks, given the numbers of the pivot there.
func (n *Values) LeadAt(h int32, ranks []int32, pivot []float64) float64 {
	r := &n.Tree.Cells[n.Tree.Owner[h]]
	if n.Short != nil {
		return leadAt(RowOf(n.Tree, n.Short, h, r.Lo, r.Hi), r.Lo, ranks, pivot)
	}
	return leadAt(RowOf(n.Tree, n.Long, h, r.Lo, r.Hi), r.Lo, ranks, pivot)
}

func leadAt[T Float](row []T, lo int32, ranks []int32, pivot []float64) float64 {
	least := math.Inf(1)
	pivot = pivot[:len(ranks)]
	for i, v := range ranks {
		if x := float64(row[v-lo]) - pivot[i]; x < least {
			least = x
		}
	}
	return least
}

// Greatest is that of the row of the hub at rank h over [lo,hi),
// at least 0.
func (n *Values) Greatest(h, lo, hi int32) float64 {
	if n.Short != nil {
		return greatest(RowOf(n.Tree, n.Short, h, lo, hi))
	}
	return greatest(RowOf(n.Tree, n.Long, h, lo, hi))
}

func greatest[T Float](row []T) float64 {
	var top T
	for _, d := range row {
		if d > top { // max is a call in WebAssembly
			top = d
		}
	}
	return float64(top)
}

// Dot is the inner product of x, by rank from lo, with the row of the hub at
// rank h.
func (n *Values) Dot(h, lo int32, x []float64) float64 {
	if n.Short != nil {
		return Dot(RowOf(n.Tree, n.Short, h, lo, lo+int32(len(x))), x)
	}
	return Dot(RowOf(n.Tree, n.Long, h, lo, lo+int32(len(x))), x)
}

// Dot adds up in four running sums.
func Dot[T Float](a []T, b []float64) float64 {
	var s0, s1, s2, s3 float64
	b = b[:len(a)]
	for len(a) >= 4 {
		s0 += float64(a[0]) * b[0]
		s1 += float64(a[1]) * b[1]
		s2 += float64(a[2]) * b[2]
		s3 += float64(a[3]) * b[3]
		a, b = a[4:], b[4:]
	}
	for i, x := range a {
		s0 += float64(x) * b[i]
	}
	return (s0 + s1) + (s2 + s3)
}

// DotAxpy adds alpha times the row of the hub at rank h to y, by rank from lo, and
// returns its inner product with x.
func (n *Values) DotAxpy(y, x []float64, alpha float64, h, lo int32) float64 {
	if n.Short != nil {
		return Both(y, x, alpha, RowOf(n.Tree, n.Short, h, lo, lo+int32(len(y))))
	}
	return Both(y, x, alpha, RowOf(n.Tree, n.Long, h, lo, lo+int32(len(y))))
}

// Both adds alpha times a to y and returns the inner product of a with x.
func Both[T Float](y, x []float64, alpha float64, a []T) float64 {
	var s0, s1, s2, s3 float64
	x, y = x[:len(a)], y[:len(a)]
	i := 0
	for ; i+3 < len(a); i += 4 {
		f0, f1, f2, f3 := float64(a[i]), float64(a[i+1]), float64(a[i+2]), float64(a[i+3])
		s0 += f0 * x[i]
		s1 += f1 * x[i+1]
		s2 += f2 * x[i+2]
		s3 += f3 * x[i+3]
		y[i] += alpha * f0
		y[i+1] += alpha * f1
		y[i+2] += alpha * f2
		y[i+3] += alpha * f3
	}
	for ; i < len(a); i++ {
		f := float64(a[i])
		s0 += f * x[i]
		y[i] += alpha * f
	}
	return (s0 + s1) + (s2 + s3)
}

// Axpy adds alpha times a to y.
func Axpy[T Float](y []float64, alpha float64, a []T) {
	y = y[:len(a)]
	for i, x := range a {
		y[i] += alpha * float64(x)
	}
}

// numberBytes is the memory that one number for every label takes.
func numberBytes(t *septree.Tree, p Precision) int64 {
	labels := int64(0)
	for i := range t.Cells {
		labels += t.Cells[i].Labels()
	}
	return p.Bytes() * labels
}

// Rounding is by how much float32 may make a distance longer, in the graph's
// unit, the distances at most reach and epsilon too. With u = 2^-23:
//
//   - a label d is stored as the next float32 that is not below it, at most
//     (1+u) d, so that a path's two labels add up to no less than the path and
//     to at most (1+u) times it, and so does the least of these sums;
//   - a run goes on with a hub that is (1+u) times as long as the least, since
//     the labels could not tell: (1+u)^2 in all;
//   - a factor is stored as the next float32 that is not above exp(-d/epsilon),
//     at least 1-u of it while it is a normal number (Kernel sees to that), and an
//     entry is two factors: that is a distance longer by -2 epsilon log(1-u).
//
// Together (2u+u^2) reach + 2(u+u^2) epsilon, and a few 2^-53 of the float64 in
// between. Labels below 2^-126 are spaced by 2^-149 and add two of these.
func Rounding(reach float64) float64 {
	return 0x1.001p-21*reach + 0x1p-147
}

// lowest is the exponent of the least factor that float32 holds as a normal
// number, with all its digits: 2^-126 is exp(-87.3).
const lowest = -87

// FactorPrecision is how the factors are stored: as the labels are, where
// rounding allows for it.
func (l *Labels) FactorPrecision(epsilon float64) Precision {
	if l.Precision() == Float32 && epsilon <= l.Reach && -l.Far/epsilon >= lowest {
		return Float32
	}
	return Float64
}

// FactorBytes is the memory that a kernel of the labels takes for its factors,
// in bytes.
func (l *Labels) FactorBytes(epsilon float64) int64 {
	return numberBytes(l.Tree, l.FactorPrecision(epsilon))
}
