package hub

import (
	"cmp"
	"math"
	"slices"

	"genussink/core/graph"
	"genussink/core/hub/label"
	"genussink/core/septree"
)

// bundle is several vertices of a patch that some hubs see as one: each vertex is
// as far from every one of these hubs as the centre is, and its offset more, but for
// bundleShare of the slack. Seen from far away vertices close together are such, whatever
// the hub, as long as all hubs lie in much the same direction; for other directions
// there are other bundles of the same vertices, with other offsets. A product adds a
// bundle's vertices up once, for all tiles that use it, works with the centre alone, and
// hands out what arrives there. So the finer a mesh is, the more vertices a bundle has:
// directional compression, as of Engquist and Ying (SIAM J. Sci. Comput. 29, 2007), for distances
// instead of waves.
type bundle struct {
	centre   int32 // its rank
	from, to int32 // its vertices are Tiles.ranks[from:to], their offsets Tiles.offsets[from:to]
}

// block is what one task of the walk found. Its bundles are used nowhere else, so
// that a product sums them up, uses them and hands them out in one rank.
type block struct {
	cell              int32
	bundle, tile, fan int32 // where it begins in Tiles.bundles, tiles and fans; it ends where the next begins
}

// fan is all pairs of a stretch of a cell's separator, the ranks [from,to), and the vertices
// of a patch, or bundles of them, each pair by its label.
type fan struct {
	from, to     int32
	order, width int // Tiles.order[order:order+width], see there
}

// pairs is the number of its pairs.
func (o *fan) pairs() int { return int(o.to-o.from) * o.width }

// fineness is how many times the spacing of vertices the slack must be for tiles to have bundles:
// at 1.4 to 1.8 products take a tenth longer than without them.
const fineness = 2

// finest is the most that Tiles.fine tells apart: beyond, patches of tiles grow no more. With 14 products take as long as
// with patches that do not grow, and the walk up to twice as long; with 3, 4 and 7 both take less.
const finest = 8

// paying is how many times the spacing of vertices the slack must be for a solve to take less time than without. At 0.69
// it took 6 % longer on a sphere, at 0.89 4 % longer on another mesh, at 0.76 to 0.86 on four between 6 % less and 2 % more, at
// 0.95 to 1.07 on three between 7 % less and 6 % more; from 1.18 on it took 2 % to 19 % less on all of six.
const paying = 1.1

// Paying is the least slack with which a solve on g takes less time than without.
func Paying(g *graph.Graph) float64 {
	sum := 0.0
	for v := range int32(g.Len()) {
		if _, lengths := g.Neighbours(v); len(lengths) > 0 {
			sum += slices.Min(lengths)
		}
	}
	return paying * sum / float64(max(1, g.Len()))
}

// spacing is the mean distance of a vertex from the nearest other one, over some leaves.
func spacing(l *label.Labels) float64 {
	var leaves []*septree.Cell
	for i := range l.Cells {
		if r := &l.Cells[i]; r.Lo == r.Sep && r.Hi-r.Sep > 1 {
			leaves = append(leaves, r)
		}
	}
	sum, count := 0.0, 0
	var row []float64
	for i := 0; i < len(leaves); i += 1 + len(leaves)/64 {
		r := leaves[i]
		for h := r.Sep; h < r.Hi; h++ {
			least := math.Inf(1)
			for j, d := range l.Row(&row, h, r.Lo, r.Hi) {
				if r.Lo+int32(j) != h {
					least = min(least, d)
				}
			}
			if least < math.Inf(1) {
				sum += least
				count++
			}
		}
	}
	return sum / float64(max(1, count))
}

// bisection are the vertices of a patch in a binary tree. A node's are a stretch of the
// order, those of its kids the two halves; node i has the kids 2i and 2i+1, the root is 1.
type bisection struct {
	order   []int32   // numbers of vertices in the patch, see patch.rank
	bundles [][]int32 // by node: those that were made of its vertices
}

// views is the number of hubs whose distances put a patch's vertices in order.
const views = 6

// bisected are a patch's, made when they are first asked for: vertices that are close together stand
// next to each other, for a node's are parted by their distance from the hub that tells
// them apart best.
func (k *walker) bisected(p *patch) *bisection {
	if p.bisection != nil {
		return p.bisection
	}
	size, stretch := p.len(), int(p.hi-p.lo)
	c := &bisection{order: make([]int32, size), bundles: make([][]int32, 4*size)}
	for i := range c.order {
		c.order[i] = int32(i)
	}
	hubs := k.l.Cells[k.cell].Hubs
	count := min(views, len(hubs))
	far := make([]float64, count*size)
	for n := range count {
		h, row := hubs[(2*n+1)*len(hubs)/(2*count)], far[n*size:][:size]
		k.l.CopyRow(row[:stretch], h, p.lo)
		for i, v := range p.riders {
			row[stretch+i] = k.l.At(h, v)
		}
	}
	c.part(1, 0, size, far)
	p.bisection = c
	return c
}

// part puts a node's vertices in order, given their distances by hub.
func (c *bisection) part(node, lo, hi int, far []float64) {
	if hi-lo <= 2 {
		return
	}
	part, size := c.order[lo:hi], len(c.order)
	best, widest := far, -1.0
	for row := far; len(row) > 0; row = row[size:] {
		least, most := math.Inf(1), math.Inf(-1)
		for _, v := range part {
			least, most = min(least, row[v]), max(most, row[v])
		}
		if most-least > widest {
			best, widest = row, most-least
		}
	}
	mid := (lo + hi) / 2
	halve(part, mid-lo, best)
	c.part(2*node, lo, mid, far)
	c.part(2*node+1, mid, hi, far)
}

// halve puts the vertices with the least values first, so many (Hoare's selection).
func halve(vertices []int32, count int, value []float64) {
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

// bundleMost is the most vertices of a bundle: larger ones are few.
const bundleMost = 64

// enter lists the entries of a tile's side, bundles of the patch that it is or vertices, given the hubs that were kept, and reports whether
// they are at most so many. If not there are none of the bundles.
func (k *walker) enter(s *side, p *patch, kept []int32, limit int) bool {
	if k.fine <= 1 || p == nil {
		s.entries, s.lowest = s.ranks, nil
		return s.len() <= limit
	}
	before, ranks := len(k.bundles), len(k.ranks)
	k.condense(s, p, k.weaver.pivots, kept, k.delta*bundleShare)
	if s.len() <= limit {
		return true
	}
	k.bundles, k.ranks, k.offsets = k.bundles[:before], k.ranks[:ranks], k.offsets[:ranks]
	for i, list := range p.bisection.bundles {
		for len(list) > 0 && int(list[len(list)-1]) >= before {
			list = list[:len(list)-1]
		}
		p.bisection.bundles[i] = list
	}
	return false
}

// condense replaces the vertices of a side, those of a patch, by bundles, as large as the hubs that were
// kept allow within the slack; some are asked first.
func (k *walker) condense(s *side, p *patch, first, kept []int32, slack float64) {
	s.entries, s.centres, s.lowest = s.entries[:0], s.centres[:0], s.lowest[:0]
	k.bundle(s, k.bisected(p), 1, 0, s.len(), first, kept, slack)
	s.condense(kept)
}

// bundle appends the vertices of a node to the side's entries.
func (k *walker) bundle(s *side, c *bisection, node, lo, hi int, first, kept []int32, slack float64) {
	centre := c.order[(lo+hi)/2]
	entry, lowest := s.ranks[centre], 0.0
	if hi-lo > 1 {
		b := int32(-1)
		if hi-lo <= bundleMost {
			b = k.bundleOf(s, c, node, c.order[lo:hi], first, kept, slack)
		}
		if b < 0 {
			mid := (lo + hi) / 2
			k.bundle(s, c, 2*node, lo, mid, first, kept, slack)
			k.bundle(s, c, 2*node+1, mid, hi, first, kept, slack)
			return
		}
		entry = ^b
		for _, offset := range k.offsets[k.bundles[b].from:k.bundles[b].to] {
			lowest = min(lowest, k.steps.length(offset))
		}
	}
	s.entries, s.centres, s.lowest = append(s.entries, entry), append(s.centres, centre), append(s.lowest, lowest)
}

// bundleOf is the number of a bundle of the vertices, -1 if they are none for these hubs, some of
// which are asked first.
func (k *walker) bundleOf(s *side, c *bisection, node int, vertices, first, kept []int32, slack float64) int32 {
	size := s.len()
	centre := vertices[len(vertices)/2]
	lowest := k.l.Scale.Fixed(slack + float64(k.steps))
	var least, most [bundleMost]float64
	for i := range vertices {
		least[i], most[i] = math.Inf(1), math.Inf(-1)
	}
	for _, hubs := range [2][]int32{first, kept} {
		for _, n := range hubs {
			row := s.plain[int(n)*size:][:size]
			base := row[centre]
			for i, v := range vertices {
				d := k.l.Scale.Length(row[v] - base)
				least[i], most[i] = min(least[i], d), max(most[i], d)
				if most[i]-least[i] > 2*slack || row[v] < lowest { // no distance becomes negative
					return -1
				}
			}
		}
	}
	fits := func(i int, offset uint16) bool {
		d := k.steps.length(offset)
		return most[i]-d <= slack && d-least[i] <= slack
	}
search:
	for _, b := range c.bundles[node] {
		for i, offset := range k.offsets[k.bundles[b].from:k.bundles[b].to] {
			if !fits(i, offset) {
				continue search
			}
		}
		return b
	}
	b, from := int32(len(k.bundles)), int32(len(k.ranks))
	base := k.l.Cells[k.cell].Lo
	for i, v := range vertices {
		offset := k.steps.number((least[i] + most[i]) / 2)
		if !fits(i, offset) {
			k.ranks, k.offsets = k.ranks[:from], k.offsets[:from]
			return -1
		}
		k.ranks, k.offsets = append(k.ranks, base+s.ranks[v]), append(k.offsets, offset)
	}
	k.bundles = append(k.bundles, bundle{base + s.ranks[centre], from, int32(len(k.ranks))})
	c.bundles[node] = append(c.bundles[node], b)
	return b
}

// rankBundles puts the bundles of a copy in the order of their sizes, so that a processor foresees where each ends.
func (f *finds) rankBundles(original *finds) {
	order, rank := make([]int32, len(f.bundles)), make([]int32, len(f.bundles))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(i, j int32) int {
		a, b := &original.bundles[i], &original.bundles[j]
		return cmp.Or(cmp.Compare(a.to-a.from, b.to-b.from), cmp.Compare(i, j))
	})
	from := int32(0)
	for at, i := range order {
		o := original.bundles[i]
		copy(f.ranks[from:], original.ranks[o.from:o.to])
		copy(f.offsets[from:], original.offsets[o.from:o.to])
		to := from + o.to - o.from
		f.bundles[at], rank[i], from = bundle{o.centre, from, to}, int32(at), to
	}
	for i, e := range f.order {
		if e < 0 {
			f.order[i] = ^rank[^e]
		}
	}
}

// fanLeast is the number of vertices of a cell from which on fans take the place of
// its labels' rows: of 100 to 1,500 all alike.
const fanLeast = 400

// fanSide is the most hubs of a fan.
const fanSide = 16

// fanShare is the share of the slack that the bundles of a fan spend. What they are off
// by has no sign, so that little of it is left in the mean.
const fanShare = 0.5

// fanned reports whether the pairs of a cell's separator with the rest of it are fans.
func (t *Tiles) fanned(r *septree.Cell) bool {
	return t.slack > 0 && r.Lo < r.Sep && r.Sep < r.Hi && int(r.Hi-r.Lo) >= fanLeast
}

// fan finds the fans of a patch and the separator of its cell.
func (k *walker) fan(p *patch) {
	r := &k.l.Cells[k.cell]
	s := &k.weaver.sides[1]
	hubs := make([]int32, 0, fanSide)
	for from := r.Sep; from < r.Hi; from += fanSide {
		to := min(from+fanSide, r.Hi)
		hubs = hubs[:0]
		for h := from; h < to; h++ {
			hubs = append(hubs, h)
		}
		s.ranks = p.ranks(r.Lo)
		s.load(k.l, r.Lo, hubs)
		all := k.weaver.numbers(len(hubs))
		k.condense(s, p, []int32{0, int32(len(hubs)) - 1}, all, k.delta*fanShare)
		k.fans = append(k.fans, fan{from, to, len(k.order), len(s.entries)})
		k.distances += k.fans[len(k.fans)-1].pairs()
		k.order = append(k.order, s.entries...)
	}
	k.err = k.ctx.Err()
}

// labelled is the first of a cell's ranks that its separator's labels are multiplied with as they are.
func (t *Tiles) labelled(r *septree.Cell) int32 {
	if t.fanned(r) {
		return r.Sep
	}
	return r.Lo
}
