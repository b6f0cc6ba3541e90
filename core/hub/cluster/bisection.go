package cluster

import (
	"math"

	"genussink/core/hub/label"
)

// Bisection is a binary tree of the vertices of a patch. A node's are a stretch of the
// order, those of its kids the two halves; node i has the kids 2i and 2i+1, the root is 1.
type Bisection struct {
	Order      []int32   // numbers of vertices in the patch, see Patch.Rank
	Aggregates [][]int32 // by node: the aggregates that a cover has made of its vertices
}

// bisectionHubs is the number of hubs whose distances put a patch's vertices in order.
const bisectionHubs = 6

// Bisection is that of the patch, on one side of a cell with these hubs. It is made when it is first asked for. Vertices that lie
// close together stand next to each other: a node's are divided by their distance from the hub that tells them apart best.
func (p *Patch) Bisection(l *label.Labels, hubs []int32) *Bisection {
	if p.bisection != nil {
		return p.bisection
	}
	size, stretch := p.Len(), int(p.Hi-p.Lo)
	c := &Bisection{Order: make([]int32, size), Aggregates: make([][]int32, 4*size)}
	for i := range c.Order {
		c.Order[i] = int32(i)
	}
	count := min(bisectionHubs, len(hubs))
	far := make([]float64, count*size)
	for n := range count {
		h, row := hubs[(2*n+1)*len(hubs)/(2*count)], far[n*size:][:size]
		l.CopyRow(row[:stretch], h, p.Lo)
		for i, v := range p.Attached {
			row[stretch+i] = l.At(h, v)
		}
	}
	c.sort(1, 0, size, far)
	p.bisection = c
	return c
}

// sort puts a node's vertices in order, given their distances by hub.
func (c *Bisection) sort(node, lo, hi int, far []float64) {
	if hi-lo <= 2 {
		return
	}
	own, size := c.Order[lo:hi], len(c.Order)
	best, widest := far, -1.0
	for row := far; len(row) > 0; row = row[size:] {
		least, most := math.Inf(1), math.Inf(-1)
		for _, v := range own {
			d := row[v]
			if d < least { // min and max are calls in WebAssembly
				least = d
			}
			if d > most {
				most = d
			}
		}
		if most-least > widest {
			best, widest = row, most-least
		}
	}
	mid := (lo + hi) / 2
	selectLeast(own, mid-lo, best)
	c.sort(2*node, lo, mid, far)
	c.sort(2*node+1, mid, hi, far)
}

// selectLeast puts the vertices with the least values first, so many (Hoare's selection).
func selectLeast(vertices []int32, count int, value []float64) {
	for len(vertices) > 1 {
		pivot := value[vertices[len(vertices)/2]]
		i, j := 0, len(vertices)-1
		for i <= j {
			for value[vertices[i]] < pivot {
				i++
			}
			for value[vertices[j]] > pivot {
				j--
			}
			if i <= j {
				vertices[i], vertices[j] = vertices[j], vertices[i]
				i++
				j--
			}
		}
		switch { // [0,j] <= pivot, [i,len) >= pivot
		case count <= j:
			vertices = vertices[:j+1]
		case count >= i:
			vertices, count = vertices[i:], count-i
		default:
			return
		}
	}
}
