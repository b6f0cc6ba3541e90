package job

import "slices"

// Decomposition is a tree decomposition that hangs from a centroid: a bag without which no component keeps more than half the vertices.
// The bags of a vertex hang together: they are the paths from its ends up to its top. So the ends and the top of each vertex say all.
// A list of what each bag holds would have millions of vertices.
type Decomposition struct {
	Parents       []int32 // of each bag, -1 of the root
	Sizes         []int32 // of each bag, the vertices in it
	Tops          []int32 // of each vertex, its bag nearest the root
	Offsets, Ends []int32 // of vertex v, its lowest bags: Ends[Offsets[v]:Offsets[v+1]]. No other bag of v hangs from them.
	Order         []int32 // an elimination order of the same width
}

// NewDecomposition makes a decomposition of its bags, the parent of each, and an elimination order of all vertices. It must be valid.
func NewDecomposition(bags [][]int32, parents, order []int32) Decomposition {
	n := len(order)
	d := Decomposition{Parents: parents, Sizes: make([]int32, len(bags)), Tops: make([]int32, n), Offsets: make([]int32, n+1), Order: order}
	type end struct{ vertex, bag int32 }
	var ends []end
	next := make([]int32, n) // of each vertex, the bag above the last one with it
	for v := range next {
		next[v] = -1
	}
	for _, b := range slices.Backward(preorder(parents)) { // a bag right after all that hang from it
		d.Sizes[b] = int32(len(bags[b]))
		for _, v := range bags[b] {
			if next[v] != b {
				ends = append(ends, end{v, b})
				d.Offsets[v+1]++
			}
			d.Tops[v], next[v] = b, parents[b]
		}
	}
	for v := range n {
		d.Offsets[v+1] += d.Offsets[v]
	}
	d.Ends = make([]int32, len(ends))
	at := slices.Clone(d.Offsets)
	for _, e := range ends {
		d.Ends[at[e.vertex]] = e.bag
		at[e.vertex]++
	}
	return d
}

// preorder lists the bags below the first root, each before those that hang from it, whose subtrees follow one another.
func preorder(parents []int32) []int32 {
	first, sibling := make([]int32, len(parents)), make([]int32, len(parents))
	for b := range first {
		first[b] = -1
	}
	var stack []int32
	for b, p := range slices.Backward(parents) {
		if p < 0 {
			stack = []int32{int32(b)}
			continue
		}
		sibling[b], first[p] = first[p], int32(b)
	}
	var walk []int32
	for len(stack) > 0 {
		b := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		walk = append(walk, b)
		for c := first[b]; c >= 0; c = sibling[c] {
			stack = append(stack, c)
		}
	}
	return walk
}

// Root is the bag that all others hang from, -1 where there is none.
func (d *Decomposition) Root() int32 { return int32(slices.Index(d.Parents, -1)) }

// Bag is the vertices of a bag, ascending. It takes time in proportion to all bags and vertices.
func (d *Decomposition) Bag(b int32) []int32 {
	const below, above = 1, 2 // the bag itself is both
	side := make([]uint8, len(d.Parents))
	walk := preorder(d.Parents)
	for i := slices.Index(walk, b); i < len(walk); i++ {
		c := walk[i]
		if c != b && (d.Parents[c] < 0 || side[d.Parents[c]]&below == 0) {
			break
		}
		side[c] = below
	}
	for c := b; c >= 0; c = d.Parents[c] {
		side[c] |= above
	}
	vertices := make([]int32, 0, d.Sizes[b])
	for v, top := range d.Tops {
		if side[top]&above != 0 && slices.ContainsFunc(d.Ends[d.Offsets[v]:d.Offsets[v+1]], func(c int32) bool { return side[c]&below != 0 }) {
			vertices = append(vertices, int32(v))
		}
	}
	return vertices
}

// Holding is the bags that hold a vertex.
func (d *Decomposition) Holding(v int32) []int32 { return d.holding(v, make([]bool, len(d.Parents))) }

// holding marks the bags too; none may be marked.
func (d *Decomposition) holding(v int32, marked []bool) (bags []int32) {
	for _, b := range d.Ends[d.Offsets[v]:d.Offsets[v+1]] {
		for ; b >= 0 && !marked[b]; b = d.Parents[b] {
			marked[b] = true
			if bags = append(bags, b); b == d.Tops[v] {
				break
			}
		}
	}
	return bags
}

// Bags is the vertices of all bags, ascending. Between two vertices it calls pause.
func (d *Decomposition) Bags(pause func()) [][]int32 {
	bags := make([][]int32, len(d.Parents))
	marked := make([]bool, len(bags))
	for v := range int32(len(d.Tops)) {
		for _, b := range d.holding(v, marked) {
			marked[b] = false
			if bags[b] == nil {
				bags[b] = make([]int32, 0, d.Sizes[b])
			}
			bags[b] = append(bags[b], v)
		}
		pause()
	}
	return bags
}

// Valid says whether the decomposition is one of so many vertices, as far as to be used.
func (d *Decomposition) Valid(vertices int) bool {
	bags := len(d.Parents)
	within := func(list []int32, least, below int) bool {
		return !slices.ContainsFunc(list, func(x int32) bool { return int(x) < least || int(x) >= below })
	}
	seen := make([]bool, vertices)
	return len(d.Sizes) == bags && within(d.Parents, -1, bags) && len(preorder(d.Parents)) == bags &&
		within(d.Sizes, 0, vertices+1) && len(d.Tops) == vertices && within(d.Tops, 0, bags) &&
		len(d.Offsets) == vertices+1 && d.Offsets[0] == 0 && int(d.Offsets[vertices]) == len(d.Ends) && slices.IsSorted(d.Offsets) &&
		within(d.Ends, 0, bags) && len(d.Order) == vertices && within(d.Order, 0, vertices) &&
		!slices.ContainsFunc(d.Order, func(v int32) bool {
			again := seen[v]
			seen[v] = true
			return again
		})
}
