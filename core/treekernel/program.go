package treekernel

// program is a kernel as a straight-line program on slots. A slot is a variable that holds a number. Every vertex has a slot, and so has every
// class of vertices (see table). A step has a length d and multiplies by exp(-d/epsilon). Steps are made once. They serve every epsilon, and
// products, sums of logarithms, plan costs and distances alike.
//
// A product has three phases. It runs up the arcs: every slot gets the sum of the slots below it. It crosses each separator, both ways. It runs
// down the same arcs in the opposite order, and hands out what has arrived. Lengths are >= 0, and those on the way from one vertex to another
// add up to their distance. So every factor is at most 1, and nothing is ever subtracted.
type program struct {
	base, slots int32 // its own slots are [base, base+slots)

	mail   int     // where its vertices' values begin (see post)
	homes  []int32 // the slots of its vertices, ascending by vertex
	up     arcs    // in an order in which a slot is complete before it is read
	pairs  arcs    // single pairs that cross
	blocks []block
	dist   []float64 // of the blocks
}

// arcs are pairs of slots and their lengths.
type arcs struct {
	ends []ends
	dist []float64
}

type ends struct{ from, to int32 }

func (a *arcs) add(from, to int32, d float64) {
	a.ends = append(a.ends, ends{from, to})
	a.dist = append(a.dist, d)
}

// cut drops all but the first n.
func (a *arcs) cut(n int) { a.ends, a.dist = a.ends[:n], a.dist[:n] }

// block is all pairs of two runs of slots, row by row from dist[at]; or with
// col = row the pairs of one run, each once: row r has the columns after r.
// The slots of such a run meet themselves too, at distance 0.
type block struct {
	row, rows, col, cols int32
	at                   int
}

func (b *block) triangle() bool { return b.row == b.col }

// slot makes a run of n slots.
func (p *program) slot(n int) int32 {
	first := p.base + p.slots
	p.slots += int32(n)
	return first
}

// move gives the program's slots another base.
func (p *program) move(base int32) {
	by := base - p.base
	p.base = base
	for i := range p.homes {
		p.homes[i] += by
	}
	for _, ends := range [...][]ends{p.up.ends, p.pairs.ends} {
		for i := range ends {
			ends[i].from += by
			ends[i].to += by
		}
	}
	for i := range p.blocks {
		p.blocks[i].row += by
		p.blocks[i].col += by
	}
}

// size is the memory in bytes that it holds.
func (p *program) size() int64 {
	return 8*int64(len(p.homes)) + // and the part of each vertex
		16*int64(len(p.up.ends)+len(p.pairs.ends)) + 24*int64(len(p.blocks)) + 8*int64(len(p.dist))
}
