package cover

import (
	"math"

	"genussink/core/hub/label"
	"genussink/core/hub/tile"
)

// A tile has at most tileSide columns, as many as a byte can number, and at
// most rowSide rows; smaller clusters are not split further. More rows share what a
// column costs, more columns what a row costs, and both need more hubs. With 192 and 384 a product takes a
// twentieth longer, a tenth on meshes of 3,000 vertices, with 128 and 256 a sixth. Where tiles have aggregates columns
// are counted as these, and patches have more vertices (newBuilder).
const (
	tileSide = tile.MaxSide
	rowSide  = 768
)

// cluster is a range of ranks whose vertices lie close together: a cell, or
// a stretch of a leaf.
type cluster struct {
	lo, hi int32
	kids   [2]int32 // clusters of [lo,sep), -1 for none; a small cluster has none
	sep    int32    // the ranks of a cell's separator, [sep,hi), are in no kid

	// centre is the rank of a vertex in the cluster and radius the largest
	// distance from it to the others; +Inf where it is not known.
	centre int32
	radius float64
}

// clusters are the clusters of all cells, parents before children; cell i
// is cluster of[i].
type clusters struct {
	list []cluster
	of   []int32

	// A separator's vertices would make small clusters and thin tiles. Instead each goes
	// along with the side of its cell that is next to it, and so on down to a leaf:
	// anchor is a rank there, by rank, and away a bound on how far that is.
	anchor         []int32
	anchorDistance []float64
}

func newClusters(l *label.Labels) *clusters {
	c := &clusters{of: make([]int32, len(l.Cells)), anchor: make([]int32, l.Len()), anchorDistance: make([]float64, l.Len())}
	for i := range l.Cells {
		if l.Cells[i].Parent < 0 {
			c.cell(l, int32(i))
		}
	}
	var row []float64
	for i := len(l.Cells) - 1; i >= 0; i-- { // children first
		r := &l.Cells[i]
		for v := r.Sep; v < r.Hi; v++ {
			c.anchor[v] = v
			if r.Lo < r.Sep {
				next, least := r.Lo, math.Inf(1)
				for n, d := range l.Row(&row, v, r.Lo, r.Sep) {
					if d < least {
						next, least = r.Lo+int32(n), d
					}
				}
				c.anchor[v], c.anchorDistance[v] = c.anchor[next], least+c.anchorDistance[next]
			}
		}
	}
	return c
}

func (c *clusters) add(lo, hi int32) int32 {
	c.list = append(c.list, cluster{lo: lo, hi: hi, kids: [2]int32{-1, -1}, sep: hi, centre: lo, radius: math.Inf(1)})
	return int32(len(c.list) - 1)
}

func (c *clusters) cell(l *label.Labels, at int32) int32 {
	r := &l.Cells[at]
	if r.Lo == r.Sep {
		id := c.stretch(l, r.Sep, r.Hi)
		c.of[at] = id
		return id
	}
	id := c.add(r.Lo, r.Hi)
	c.of[at] = id
	c.list[id].sep = r.Sep
	if r.Sep < r.Hi {
		c.centred(l, id, (r.Sep+r.Hi)/2)
	}
	kids := [2]int32{c.cell(l, r.Left), c.cell(l, r.Right)}
	c.list[id].kids = kids
	return id
}

// stretch is the cluster of the vertices [lo,hi) of a leaf.
func (c *clusters) stretch(l *label.Labels, lo, hi int32) int32 {
	id := c.add(lo, hi)
	c.centred(l, id, (lo+hi)/2)
	if int(hi-lo) > tileSide {
		mid := (lo + hi) / 2
		kids := [2]int32{c.stretch(l, lo, mid), c.stretch(l, mid, hi)}
		c.list[id].kids = kids
	}
	return id
}

// centred makes the hub at rank h, whose cell holds the cluster, its centre.
func (c *clusters) centred(l *label.Labels, id, h int32) {
	k := &c.list[id]
	k.centre = h
	k.radius = l.Greatest(h, k.lo, k.hi)
}

// patch is a cluster and the vertices that go along with it, as one side of a
// cell's pairs: attached vertices are those from separators around the cluster, inside
// that side.
type patch struct {
	*cluster
	id        int32
	attached  []int32
	radius    float64    // about the cluster's centre, attached vertices included
	kids      [2]*patch  // once they are asked for
	bisection *bisection // likewise
}

func (c *clusters) patch(id int32, attached []int32) *patch {
	p := &patch{cluster: &c.list[id], id: id, attached: attached}
	p.radius = p.cluster.radius
	for _, v := range attached {
		p.radius = max(p.radius, p.cluster.radius+c.anchorDistance[v])
	}
	return p
}

func (p *patch) len() int { return int(p.hi-p.lo) + len(p.attached) }

// rank is the rank of a vertex, in no order of meaning.
func (p *patch) rank(i int) int32 {
	if n := int(p.hi - p.lo); i >= n {
		return p.attached[i-n]
	}
	return p.lo + int32(i)
}

// samples is the number of vertices that tell most hubs from a pivot.
const patchSamples = 4

// samples are ranks spread over the patch, which is not empty.
func (p *patch) sample() (ranks [patchSamples]int32) {
	for i := range ranks {
		ranks[i] = p.rank(i * (p.len() - 1) / (patchSamples - 1))
	}
	return ranks
}

// ranks lists the ranks less base.
func (p *patch) ranks(base int32) []int32 {
	list := make([]int32, p.len())
	for i := range list {
		list[i] = p.rank(i) - base
	}
	return list
}

// split returns the two patches that partition p, nil where its cluster has no kids.
func (c *clusters) split(p *patch) [2]*patch {
	if p.kids[0] == nil && p.cluster.kids[0] >= 0 {
		for i, id := range p.cluster.kids {
			lo, hi := c.list[id].lo, c.list[id].hi
			var attached []int32
			for _, v := range p.attached {
				if h := c.anchor[v]; h >= lo && h < hi {
					attached = append(attached, v)
				}
			}
			for v := p.sep; v < p.hi; v++ {
				if h := c.anchor[v]; h >= lo && h < hi {
					attached = append(attached, v)
				}
			}
			p.kids[i] = c.patch(id, attached)
		}
	}
	return p.kids
}

// cut lists the patches depth levels below p, and those above that have none below.
func (c *clusters) cut(p *patch, depth int) []*patch {
	if depth == 0 || p.cluster.kids[0] < 0 {
		return []*patch{p}
	}
	kids := c.split(p)
	return append(c.cut(kids[0], depth-1), c.cut(kids[1], depth-1)...)
}

// small lists the patches that partition p, the largest that are no more than rowSide vertices
// or cannot be split.
func (c *clusters) small(p *patch) []*patch {
	if p.len() == 0 {
		return nil
	}
	if p.len() <= rowSide || p.cluster.kids[0] < 0 {
		return []*patch{p}
	}
	kids := c.split(p)
	return append(c.small(kids[0]), c.small(kids[1])...)
}
