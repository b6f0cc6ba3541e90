package cover

import (
	"context"
	"math"
	"math/bits"

	"genussink/core/hub/label"
	"genussink/core/internal/buffer"
	"genussink/core/internal/parallel"
	"genussink/core/septree"
)

// classes are those of the vertices on both sides of a cell. Seen from the cell's separator the vertices of a class are alike: each is as far from
// any of its vertices as the class's centre is, plus an offset. On a square lattice that is cut along a column each row is one class on
// either side.
//
// A cell has classes if they are few and if all shortest paths between its two sides pass its separator, without a tolerance. Each class is one
// aggregate then. All pairs of the two sides are one tile of the aggregates, or a few, and those with the separator are one separator block. On a
// lattice a cell of m vertices has m^1.5 labels, but its tile and its separator block have about m distances.
type classes struct {
	of      []int32   // by vertex left and right, from the cell's first: its class
	offsets []float64 // likewise, in the graph's unit, >= 0
	centres []int32   // by class: its vertex nearest to the separator
	left    int       // how many classes are those of vertices on the left; they come first
}

// A cell has classes only if its two sides have at least leastClassified vertices, and at least classGain vertices for each class.
const (
	leastClassified = 64
	classGain       = 3
)

// classKeys is the number of hubs, besides the first, whose leads tell most vertices apart.
const classKeys = 4

// classifier finds classes of cells. It is scratch space.
type classifier struct {
	labels      *label.Labels // of float64
	keys        []uint64      // by vertex: the leads of a few hubs
	table       []int32       // classes plus 1, by their keys, open addressing; 0: none
	least, most []float64
	shortest    []float64 // by class left and class right: the way through the separator
	far         []float64 // by hub and class right
}

// find returns the classes of a cell; nil: it has none.
func (f *classifier) find(at int32) *classes {
	l, r := f.labels, &f.labels.Cells[at]
	if int(r.Sep-r.Lo) < leastClassified || len(r.Hubs) <= rangeAround || r.Sep == r.Hi {
		return nil // cells of few hubs have staircases
	}
	alike := l.Precision().Unit() * l.Far
	c := f.candidates(r, l.Long[at])
	if c == nil || !f.confirm(c, r, l.Long[at], alike) || !f.closed(c, r, l.Long[at], alike) {
		return nil
	}
	return c
}

// few reports whether the classes are so few that they are worth it.
func (c *classes) few() bool { return classGain*len(c.centres) <= len(c.of) }

// candidates are classes of the vertices at which a few hubs have the same leads over the first; nil: they are not few.
func (f *classifier) candidates(r *septree.Cell, rows []float64) *classes {
	size, width, count := int(r.Sep-r.Lo), int(r.Hi-r.Lo), int(r.Hi-r.Sep)
	scale := 0x1p24 / f.labels.Far // leads that differ by less count as the same for now
	if math.IsInf(scale, 1) {
		return nil
	}
	f.keys = buffer.Sized(f.keys, size)
	for v := range f.keys {
		f.keys[v] = 0
		if v >= int(r.Mid-r.Lo) {
			f.keys[v] = 1
		}
	}
	first := rows[:size]
	for i := range classKeys {
		for v, d := range rows[(i+1)*(count-1)/classKeys*width:][:size] {
			f.keys[v] = (f.keys[v] ^ uint64(int64(math.Floor((d-first[v])*scale+0.5)))) * 0x9e3779b97f4a7c15 // 2^64 over the golden ratio: Fibonacci hashing
		}
	}
	digits := bits.Len(uint(2 * size))
	f.table = buffer.Sized(f.table, 1<<digits)
	clear(f.table)
	c := &classes{of: make([]int32, size), offsets: make([]float64, size)}
	for v, key := range f.keys {
		if v == int(r.Mid-r.Lo) {
			c.left = len(c.centres)
		}
		at := key >> (64 - digits)
		for f.table[at] > 0 && f.keys[c.centres[f.table[at]-1]] != key {
			at = (at + 1) & (1<<digits - 1)
		}
		n := f.table[at] - 1
		if n < 0 {
			n = int32(len(c.centres))
			f.table[at] = n + 1
			if c.centres = append(c.centres, int32(v)); !c.few() {
				return nil
			}
		} else if first[v] < first[c.centres[n]] {
			c.centres[n] = int32(v)
		}
		c.of[v] = n
	}
	return c
}

// confirm compares the vertices of candidates at all hubs and finds their offsets. It reports whether distances from those of the centre differ by no more
// than alike.
func (f *classifier) confirm(c *classes, r *septree.Cell, rows []float64, alike float64) bool {
	size, width, count := int(r.Sep-r.Lo), int(r.Hi-r.Lo), int(r.Hi-r.Sep)
	f.least, f.most = buffer.Sized(f.least, size), buffer.Sized(f.most, size)
	centre := make([]int32, size)
	for v, n := range c.of {
		f.least[v], f.most[v], centre[v] = math.Inf(1), math.Inf(-1), c.centres[n]
	}
	for i := range count {
		row, least, most := rows[i*width:][:size], f.least[:size], f.most[:size]
		for v, w := range centre {
			d := row[v] - row[w]
			if d < least[v] {
				least[v] = d
			}
			if d > most[v] {
				most[v] = d
			}
		}
	}
	for v := range c.offsets {
		if f.most[v]-f.least[v] > alike || f.least[v] < -alike {
			return false
		}
		c.offsets[v] = max(0, (f.least[v]+f.most[v])/2)
	}
	return true
}

// closed reports whether all shortest paths between the two sides pass the separator. A path that does not pass it leaves the cell over an edge of a
// vertex p on the left and comes back to a vertex q on the right. No such way from p to q may be shorter than the one through the separator.
func (f *classifier) closed(c *classes, r *septree.Cell, rows []float64, slack float64) bool {
	l, around := f.labels, r.Outside()
	back := make([]bool, r.Sep-r.Mid) // by vertex on the right: an edge from outside ends there
	for _, a := range around {
		to, _ := l.Graph.Neighbours(a)
		for _, v := range to {
			if v >= r.Mid && v < r.Sep {
				back[v-r.Mid] = true
			}
		}
	}
	if len(around) > 0 {
		f.throughSeparator(c, r, rows)
	}
	right, far := len(c.centres)-c.left, c.of[r.Mid-r.Lo:]
	for _, a := range around {
		row := label.RowOf(l.Tree, l.Long, a, r.Mid, r.Sep)
		to, lengths := l.Graph.Neighbours(a)
		for i, v := range to {
			if v < r.Lo || v >= r.Mid {
				continue
			}
			p := v - r.Lo
			ways := f.shortest[int(c.of[p])*right:][:right]
			for q, d := range row {
				if back[q] && lengths[i]+d < ways[int(far[q])-c.left]+c.offsets[p]+c.offsets[int(r.Mid-r.Lo)+q]-slack {
					return false
				}
			}
		}
	}
	return true
}

// throughSeparator finds the shortest ways between the centres of all classes through the separator.
func (f *classifier) throughSeparator(c *classes, r *septree.Cell, rows []float64) {
	width, count, right := int(r.Hi-r.Lo), int(r.Hi-r.Sep), c.centres[c.left:]
	f.far, f.shortest = buffer.Sized(f.far, count*len(right)), buffer.Sized(f.shortest, c.left*len(right))
	for i := range count {
		row, far := rows[i*width:], f.far[i*len(right):]
		for j, v := range right {
			far[j] = row[v]
		}
	}
	for n, v := range c.centres[:c.left] {
		ways := f.shortest[n*len(right):][:len(right)]
		for j := range ways {
			ways[j] = math.Inf(1)
		}
		for i := range count {
			near := rows[i*width+int(v)]
			for j, d := range f.far[i*len(right):][:len(right)] {
				if d += near; d < ways[j] {
					ways[j] = d
				}
			}
		}
	}
}

// crossClasses settles all pairs of the two sides of the builder's cell and those of the sides with the separator, given the sides' classes.
func (k *builder) crossClasses(c *classes) {
	r := &k.labels.Cells[k.cell]
	ends := make([]int32, len(c.centres)+1) // by class: where its vertices end in Ranks, and where the next one's so far
	ends[0] = int32(len(k.Ranks))
	for _, n := range c.of {
		ends[n+1]++
	}
	for n := range c.centres {
		ends[n+1] += ends[n]
	}
	k.Ranks, k.Lengths = append(k.Ranks, c.of...), append(k.Lengths, c.offsets...) // to be put in order
	for v, n := range c.of {
		k.Ranks[ends[n]], k.Lengths[ends[n]] = r.Lo+int32(v), c.offsets[v]
		ends[n]++
	}
	o := SeparatorBlock{r.Sep, r.Hi, len(k.Order), len(c.centres)}
	from := int32(len(k.Ranks) - len(c.of))
	k.entries = make([]int32, len(c.of))
	for n, v := range c.centres {
		k.entries[v] = ^int32(len(k.Aggregates))
		k.Aggregates, k.Order = append(k.Aggregates, Aggregate{r.Lo + v, from, ends[n]}), append(k.Order, k.entries[v])
		from = ends[n]
	}
	k.SeparatorBlocks = append(k.SeparatorBlocks, o)
	k.distances += o.Pairs()
	hubs := r.Hubs[len(r.Outside()):]
	rows, cols := c.centres[:c.left], c.centres[c.left:]
	if len(rows) < len(cols) {
		rows, cols = cols, rows
	}
	if left := k.buildTile(rows, cols, hubs); left != nil {
		k.splitTile(rows, cols, left)
	}
	k.entries, k.err = nil, k.ctx.Err()
}

// findClasses finds the classes of all cells, by cell; nil: none has any, and of a cell that it has none.
func (t *Cover) findClasses(ctx context.Context) (list []*classes, err error) {
	l := t.Labels
	if t.Tolerance > 0 || l.Precision() != label.Float64 { // what looks alike does not once it is rounded to float32
		return nil, nil
	}
	list = make([]*classes, len(l.Cells))
	spare := make([]classifier, parallel.Workers(len(list)))
	if err := parallel.Each(ctx, len(spare), len(list), func(w, at int) {
		spare[w].labels = l
		list[at] = spare[w].find(int32(at))
	}); err != nil {
		return nil, err
	}
	t.classified, t.firstAggregate = make([]bool, len(list)), make([]int32, len(list))
	for at, c := range list {
		t.classified[at], t.firstAggregate[at] = c != nil, -1
	}
	return list, nil
}
