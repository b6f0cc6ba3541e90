package treekernel

import "math"

// table is the vertices of a piece as an adhesion sees them. Two vertices
// whose distances from the adhesion's vertices differ by the same amount
// everywhere are one class: to whatever lies beyond they are the same but for
// that amount. So cross_compute (the paper, Sec. 3.1.2) need not see them apart. Where shortest
// paths run together, as on trees and strips, a class is all that lies behind
// the vertex where they do, and there are few.
//
// What is a class for an adhesion stays in a class for all adhesions beyond
// it, so that the classes of a piece are made of those of its parts.
type table struct {
	first int32     // its slots, one for every class
	far   []float64 // distances of each class from the adhesion's vertices, the least 0
}

// gatherer makes a table.
type gatherer struct {
	columns int
	slots   []int32   // what is gathered
	far     []float64 // and its distances, row by row

	keys   []int64
	bucket []int32
}

func (g *gatherer) begin(columns int) {
	g.columns = columns
	g.slots, g.far = g.slots[:0], g.far[:0]
}

// add makes room for one more slot's distances.
func (g *gatherer) add(slot int32) []float64 {
	g.slots = append(g.slots, slot)
	n := len(g.far)
	for range g.columns {
		g.far = append(g.far, 0)
	}
	return g.far[n:]
}

// grain is the share of the greatest distance of a table by which distances may differ that
// are taken for the same: some units of what float64 can say, since sums along
// one path and another round apart. A class has the distances of its first member,
// so the error is that of rounding.
const grain = -49

// end makes the classes and the arcs that lead there.
func (g *gatherer) end(p *program) table {
	n, w := len(g.slots), g.columns
	most := 0.0
	for _, d := range g.far {
		most = max(most, d)
	}
	_, exponent := math.Frexp(most)
	unit := max(math.Ldexp(1, exponent+grain), 0x1p-1022)
	size := 4
	for size < 2*n {
		size *= 2
	}
	if cap(g.bucket) < size {
		g.bucket = make([]int32, size)
	}
	g.bucket = g.bucket[:size]
	for i := range g.bucket {
		g.bucket[i] = -1
	}
	g.keys = g.keys[:0]
	t := table{first: p.base + p.slots}
	count := int32(0)
	for i, slot := range g.slots {
		row := g.far[i*w:][:w]
		least := row[0]
		for _, d := range row {
			least = min(least, d)
		}
		at := len(g.keys)
		hash := uint64(0)
		for k := range row {
			row[k] -= least
			key := int64(math.RoundToEven(row[k] / unit))
			g.keys = append(g.keys, key)
			hash = (hash ^ uint64(key)) * 0x9e3779b97f4a7c15
			hash ^= hash >> 32
		}
		key := g.keys[at:]
		b := int(hash) & (size - 1)
		for ; g.bucket[b] >= 0; b = (b + 1) & (size - 1) {
			if same(g.keys[int(g.bucket[b])*w:][:w], key) {
				break
			}
		}
		if g.bucket[b] < 0 {
			g.bucket[b] = count
			count++
			t.far = append(t.far, row...)
		} else {
			g.keys = g.keys[:at]
		}
		p.up.add(slot, t.first+g.bucket[b], least)
	}
	p.slots += count
	return t
}

func same(a, b []int64) bool {
	for i, k := range a {
		if k != b[i] {
			return false
		}
	}
	return true
}
