package treedec

import (
	"encoding/binary"
	mathbits "math/bits"
	"slices"
)

// bits is a set of vertices; the sets of one search have the same length.
type bits []uint64

func (b bits) add(v int32)    { b[v>>6] |= 1 << (v & 63) }
func (b bits) remove(v int32) { b[v>>6] &^= 1 << (v & 63) }

func (b bits) has(v int32) bool { return b[v>>6]>>(v&63)&1 == 1 }

// first is the smallest vertex, -1 if there is none.
func (b bits) first() int32 {
	for w, x := range b {
		if x != 0 {
			return int32(w<<6 + mathbits.TrailingZeros64(x))
		}
	}
	return -1
}

func (b bits) count() (n int) {
	for _, x := range b {
		n += mathbits.OnesCount64(x)
	}
	return n
}

// countWith is the size of the union.
func (b bits) countWith(c bits) (n int) {
	c = c[:len(b)]
	for w, x := range b {
		n += mathbits.OnesCount64(x | c[w])
	}
	return n
}

func (b bits) meets(c bits) bool {
	c = c[:len(b)]
	for w, x := range b {
		if x&c[w] != 0 {
			return true
		}
	}
	return false
}

// within reports whether b is part of the union of c and d.
func (b bits) within(c, d bits) bool {
	c, d = c[:len(b)], d[:len(b)]
	for w, x := range b {
		if x&^c[w]&^d[w] != 0 {
			return false
		}
	}
	return true
}

func (b bits) equals(c bits) bool { return slices.Equal(b, c) }

func (b bits) with(c bits) bits {
	u := slices.Clone(b)
	for w, x := range c {
		u[w] |= x
	}
	return u
}

func (b bits) each(visit func(v int32)) {
	for w, x := range b {
		for ; x != 0; x &= x - 1 {
			visit(int32(w<<6 + mathbits.TrailingZeros64(x)))
		}
	}
}

func (b bits) key() string {
	k := make([]byte, 0, 8*len(b))
	for _, x := range b {
		k = binary.LittleEndian.AppendUint64(k, x)
	}
	return string(k)
}
