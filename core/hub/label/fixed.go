package label

import "math"

// Fixed is a length as a whole number, of which a tile's builder compares very many. Whole numbers are compared without a
// branch; in Go's WebAssembly the bits of a float64 would go through memory for that. The unit is 2^-53 of the power of two above the
// greatest label, and a length is less than a unit too short. The number is that of the units times 256: the last bits are free for the
// number of a hub. Sums of two do not overflow.
type Fixed int64

// HubMask are the bits that are free.
const HubMask = 1<<8 - 1

// Scale turns lengths into fixed and back.
type Scale struct {
	up, on     float64 // powers of two: the product of both is beyond a float64 where lengths are tiny
	down, back float64 // their inverses
}

// scaleTo is that of labels up to far.
func scaleTo(far float64) Scale {
	_, above := math.Frexp(far)
	half := (53 - above) / 2
	rest := 53 - above - half
	return Scale{math.Ldexp(1, half), math.Ldexp(1, rest), math.Ldexp(1, -half), math.Ldexp(1, -rest)}
}

// Fixed is a length as a whole number.
func (c *Scale) Fixed(d float64) Fixed { return Fixed(d*c.up*c.on) << 8 }

// Length is what Fixed was made of, but for rounding.
func (c *Scale) Length(x Fixed) float64 { return float64(x>>8) * c.down * c.back }

// Fix fills dst with the labels of the hub at rank h from the rank lo on.
func (l *Labels) Fix(dst []Fixed, h, lo int32) {
	if l.Short != nil {
		fix(dst, RowOf(l.Tree, l.Short, h, lo, lo+int32(len(dst))), &l.Scale)
	} else {
		fix(dst, RowOf(l.Tree, l.Long, h, lo, lo+int32(len(dst))), &l.Scale)
	}
}

func fix[T Float](dst []Fixed, from []T, c *Scale) {
	dst = dst[:len(from)]
	own := *c
	i := 0
	for ; i+4 <= len(from); i += 4 {
		x, y := (*[4]T)(from[i:]), (*[4]Fixed)(dst[i:])
		y[0], y[1], y[2], y[3] = own.Fixed(float64(x[0])), own.Fixed(float64(x[1])), own.Fixed(float64(x[2])), own.Fixed(float64(x[3]))
	}
	for ; i < len(from); i++ {
		dst[i] = own.Fixed(float64(from[i]))
	}
}

// FixAt fills dst with the labels of the hub at rank h at some ranks, which count from base.
func (l *Labels) FixAt(dst []Fixed, h, base int32, ranks []int32) {
	r := &l.Cells[l.Owner[h]]
	if l.Short != nil {
		fixAt(dst, RowOf(l.Tree, l.Short, h, base, r.Hi), ranks, &l.Scale)
	} else {
		fixAt(dst, RowOf(l.Tree, l.Long, h, base, r.Hi), ranks, &l.Scale)
	}
}

func fixAt[T Float](dst []Fixed, from []T, ranks []int32, c *Scale) {
	dst = dst[:len(ranks)]
	own := *c
	for i, v := range ranks {
		dst[i] = own.Fixed(float64(from[v]))
	}
}

// LeadFixed is the least of row less pivot: the lead of a hub over the pivot, see Values.Lead. It stops early once it is
// below enough.
func LeadFixed(row, pivot []Fixed, enough Fixed) Fixed {
	least := Fixed(math.MaxInt64)
	pivot = pivot[:len(row)]
	v := 0
	for ; v+8 <= len(row); v += 8 {
		r, p := (*[8]Fixed)(row[v:]), (*[8]Fixed)(pivot[v:])
		first := min(least, r[0]-p[0], r[1]-p[1], r[2]-p[2], r[3]-p[3])
		if least = min(first, r[4]-p[4], r[5]-p[5], r[6]-p[6], r[7]-p[7]); least < enough {
			return least
		}
	}
	for ; v < len(row); v++ {
		least = min(least, row[v]-pivot[v])
	}
	return least
}
