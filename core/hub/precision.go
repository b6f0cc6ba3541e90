package hub

import (
	"errors"
	"math"
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

// bytes of one number.
func (p Precision) bytes() int64 {
	if p == Float64 {
		return 8
	}
	return 4
}

// unit is by what share of itself a stored number may miss the true one: half
// the spacing of float32 would do for the nearest, all of it is for rounding
// one way. With float64 it is what paths of many edges add up to.
func (p Precision) unit() float64 {
	if p == Float32 {
		return 0x1p-23
	}
	return 4e-14
}

// ErrFloat32 is what float32 is refused for: lengths or a slack that it cannot
// express. Float64 takes them.
var ErrFloat32 = errors.New("float64 labels are needed")

// number is what a label is stored as.
type number interface{ float32 | float64 }

// numbers are one for every label of a tree: by region, (hi-sep) x (hi-lo), a
// row for every separator vertex. One of the two is nil.
type numbers struct {
	tree  *Tree
	short [][]float32
	long  [][]float64
}

func newNumbers(t *Tree, p Precision) numbers {
	n := numbers{tree: t}
	if p == Float32 {
		n.short = make([][]float32, len(t.regions))
	} else {
		n.long = make([][]float64, len(t.regions))
	}
	for i := range t.regions {
		r := &t.regions[i]
		if size := int(r.hi-r.sep) * int(r.hi-r.lo); p == Float32 {
			n.short[i] = make([]float32, size)
		} else {
			n.long[i] = make([]float64, size)
		}
	}
	return n
}

// Precision is how the numbers are stored.
func (n *numbers) Precision() Precision {
	if n.short != nil {
		return Float32
	}
	return Float64
}

// stretchOf is the row of the hub at place h over the places [lo,hi), which
// the hub's region holds.
func stretchOf[T number](t *Tree, by [][]T, h, lo, hi int32) []T {
	at := t.owner[h]
	r := &t.regions[at]
	start := int(h-r.sep)*int(r.hi-r.lo) + int(lo-r.lo)
	return by[at][start : start+int(hi-lo)]
}

// label is the number of the hub at place h and a place in its region.
func (n *numbers) label(h, place int32) float64 {
	at := n.tree.owner[h]
	r := &n.tree.regions[at]
	i := int(h-r.sep)*int(r.hi-r.lo) + int(place-r.lo)
	if n.short != nil {
		return float64(n.short[at][i])
	}
	return n.long[at][i]
}

// stretch is the row of the hub at place h over the places [lo,hi): in dst,
// which grows as it must, or where it is stored. It is not to be written to.
func (n *numbers) stretch(dst *[]float64, h, lo, hi int32) []float64 {
	if n.short == nil {
		return stretchOf(n.tree, n.long, h, lo, hi)
	}
	*dst = sized(*dst, int(hi-lo))
	n.copy(*dst, h, lo)
	return *dst
}

// copy fills dst with the row of the hub at place h from the place lo on.
func (n *numbers) copy(dst []float64, h, lo int32) {
	if n.short == nil {
		copy(dst, stretchOf(n.tree, n.long, h, lo, lo+int32(len(dst))))
		return
	}
	widen(dst, stretchOf(n.tree, n.short, h, lo, lo+int32(len(dst))))
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

// gather fills dst with the numbers of the hub at place h and some places.
func (n *numbers) gather(dst []float64, h int32, places []int32) {
	r := &n.tree.regions[n.tree.owner[h]]
	if n.short != nil {
		gather(dst, stretchOf(n.tree, n.short, h, r.lo, r.hi), -r.lo, places)
	} else {
		gather(dst, stretchOf(n.tree, n.long, h, r.lo, r.hi), -r.lo, places)
	}
}

func gather[T number](dst []float64, row []T, offset int32, places []int32) {
	dst = dst[:len(places)]
	for i, v := range places {
		dst[i] = float64(row[offset+v])
	}
}

// put stores the row of the hub at place h from the place lo on, and the rows after it, rounded up or
// down, never beyond the next float32.
func (n *numbers) put(h, lo int32, rows []float64, up bool) {
	at := n.tree.owner[h]
	r := &n.tree.regions[at]
	start := int(h-r.sep)*int(r.hi-r.lo) + int(lo-r.lo)
	if n.short == nil {
		copy(n.long[at][start:], rows)
		return
	}
	to := n.short[at][start:][:len(rows)]
	for i, x := range rows {
		to[i] = rounded(x, up)
	}
}

// rounded is x as a float32, rounded up or down. It takes no branch.
func rounded(x float64, up bool) float32 {
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

// lead is the least of the row of the hub at place h less that of the pivot,
// over the places [lo,hi): by how much the hub is longer, at least. It stops
// early once it is below enough.
func (n *numbers) lead(h, pivot, lo, hi int32, enough float64) float64 {
	if n.short != nil {
		return lead(stretchOf(n.tree, n.short, h, lo, hi), stretchOf(n.tree, n.short, pivot, lo, hi), enough)
	}
	return lead(stretchOf(n.tree, n.long, h, lo, hi), stretchOf(n.tree, n.long, pivot, lo, hi), enough)
}

func lead[T number](row, pivot []T, enough float64) float64 {
	least := math.Inf(1)
	pivot = pivot[:len(row)]
	v := 0
	for ; v+4 <= len(row); v += 4 {
		r, p := (*[4]T)(row[v:]), (*[4]T)(pivot[v:])
		a, b, c, d := float64(r[0])-float64(p[0]), float64(r[1])-float64(p[1]), float64(r[2])-float64(p[2]), float64(r[3])-float64(p[3])
		if a < least || b < least || c < least || d < least {
			if least = min(least, a, b, c, d); least < enough {
				return least
			}
		}
	}
	for ; v < len(row); v++ {
		least = min(least, float64(row[v])-float64(pivot[v]))
	}
	return least
}

// leadAt is lead over some places, given the numbers of the pivot there.
func (n *numbers) leadAt(h int32, places []int32, pivot []float64) float64 {
	r := &n.tree.regions[n.tree.owner[h]]
	if n.short != nil {
		return leadAt(stretchOf(n.tree, n.short, h, r.lo, r.hi), r.lo, places, pivot)
	}
	return leadAt(stretchOf(n.tree, n.long, h, r.lo, r.hi), r.lo, places, pivot)
}

func leadAt[T number](row []T, lo int32, places []int32, pivot []float64) float64 {
	least := math.Inf(1)
	pivot = pivot[:len(places)]
	for i, v := range places {
		if x := float64(row[v-lo]) - pivot[i]; x < least {
			least = x
		}
	}
	return least
}

// greatest is that of the row of the hub at place h over [lo,hi),
// at least 0.
func (n *numbers) greatest(h, lo, hi int32) float64 {
	if n.short != nil {
		return greatest(stretchOf(n.tree, n.short, h, lo, hi))
	}
	return greatest(stretchOf(n.tree, n.long, h, lo, hi))
}

func greatest[T number](row []T) float64 {
	var top T
	for _, d := range row {
		top = max(top, d)
	}
	return float64(top)
}

// dot is the inner product of x, by place from lo, with the row of the hub at
// place h.
func (n *numbers) dot(h, lo int32, x []float64) float64 {
	if n.short != nil {
		return dot(stretchOf(n.tree, n.short, h, lo, lo+int32(len(x))), x)
	}
	return dot(stretchOf(n.tree, n.long, h, lo, lo+int32(len(x))), x)
}

// dot adds up in four running sums.
func dot[T number](a []T, b []float64) float64 {
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

// both adds alpha times the row of the hub at place h to y, by place from lo, and
// returns its inner product with x.
func (n *numbers) both(y, x []float64, alpha float64, h, lo int32) float64 {
	if n.short != nil {
		return both(y, x, alpha, stretchOf(n.tree, n.short, h, lo, lo+int32(len(y))))
	}
	return both(y, x, alpha, stretchOf(n.tree, n.long, h, lo, lo+int32(len(y))))
}

func both[T number](y, x []float64, alpha float64, a []T) float64 {
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

// axpy adds alpha times a to y.
func axpy[T number](y []float64, alpha float64, a []T) {
	y = y[:len(a)]
	for i, x := range a {
		y[i] += alpha * float64(x)
	}
}

// numberBytes is the memory that one number for every label takes.
func numberBytes(t *Tree, p Precision) int64 {
	return p.bytes() * t.under(0, int32(len(t.regions)))
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
