package hub

import "math"

// fixed is a length as a whole number. The walk compares whole numbers without a branch. In Go's WebAssembly
// the bits of a float64 would go through memory for that. A fixed is a label in 2^-53 of the power of two above the greatest one,
// less than that too short, times 256: the last bits are free for a hub's place. Sums of two do not overflow.
type fixed int64

// hubMask are the bits that are free.
const hubMask = 1<<8 - 1

// scale turns lengths into fixed and back.
type scale struct {
	up, on     float64 // powers of two: the product of both is beyond a float64 where lengths are tiny
	down, back float64 // their inverses
}

// scaleTo is that of labels up to far.
func scaleTo(far float64) scale {
	_, above := math.Frexp(far)
	half := (53 - above) / 2
	rest := 53 - above - half
	return scale{math.Ldexp(1, half), math.Ldexp(1, rest), math.Ldexp(1, -half), math.Ldexp(1, -rest)}
}

func (c *scale) fixed(d float64) fixed { return fixed(d*c.up*c.on) << 8 }

func (c *scale) length(x fixed) float64 { return float64(x>>8) * c.down * c.back }

// fix fills dst with the labels of the hub at place h from the place lo on.
func (l *Labels) fix(dst []fixed, h, lo int32) {
	if l.short != nil {
		fix(dst, stretchOf(l.Tree, l.short, h, lo, lo+int32(len(dst))), &l.scale)
	} else {
		fix(dst, stretchOf(l.Tree, l.long, h, lo, lo+int32(len(dst))), &l.scale)
	}
}

func fix[T number](dst []fixed, from []T, c *scale) {
	dst = dst[:len(from)]
	own := *c
	i := 0
	for ; i+4 <= len(from); i += 4 {
		x, y := (*[4]T)(from[i:]), (*[4]fixed)(dst[i:])
		y[0], y[1], y[2], y[3] = own.fixed(float64(x[0])), own.fixed(float64(x[1])), own.fixed(float64(x[2])), own.fixed(float64(x[3]))
	}
	for ; i < len(from); i++ {
		dst[i] = own.fixed(float64(from[i]))
	}
}

// leadFixed is lead.
func leadFixed(row, pivot []fixed, enough fixed) fixed {
	least := fixed(math.MaxInt64)
	pivot = pivot[:len(row)]
	v := 0
	for ; v+8 <= len(row); v += 8 {
		r, p := (*[8]fixed)(row[v:]), (*[8]fixed)(pivot[v:])
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
