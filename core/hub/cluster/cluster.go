// Package cluster has the clusters and patches of a separator tree, which the pairs of a cover are made of. It knows distances
// of vertices from hubs, and not which hub serves which pairs.
//
// The glossary of package hub has every term with its formula.
package cluster

import (
	"math"

	"genussink/core/hub/label"
	"genussink/core/hub/tile"
)

// A tile has at most TileSide columns, as many as a byte can number, and at
// most RowSide rows; smaller clusters are not split further. More rows share what a
// column costs, more columns what a row costs, and both need more hubs. With 192 and 384 a product takes a
// twentieth longer, a tenth on meshes of 3,000 vertices, with 128 and 256 a sixth. Where tiles have aggregates columns
// are counted as these, and patches have more vertices.
const (
	TileSide = tile.MaxSide
	RowSide  = 768
)

// Cluster is a range of ranks whose vertices lie close together: a cell, or
// a stretch of a leaf.
type Cluster struct {
	Lo, Hi int32
	kids   [2]int32 // clusters of [Lo,sep), -1 for none; a small cluster has none
	sep    int32    // the ranks of a cell's separator, [sep,Hi), are in no kid

	// Centre is the rank of a vertex in the cluster and radius the largest
	// distance from it to the others; +Inf where it is not known.
	Centre int32
	radius float64
}

// Clusters are the clusters of all cells, parents before children; cell i
// is cluster Of[i].
type Clusters struct {
	list []Cluster
	Of   []int32

	// A separator's vertices would make small clusters and thin tiles. Instead each goes
	// along with the side of its cell that is next to it, and so on down to a leaf:
	// Anchor is a rank there, by rank, and anchorDistance a bound on how far that is.
	Anchor         []int32
	anchorDistance []float64
}

// New makes the clusters of a graph's cells.
func New(l *label.Labels) *Clusters {
	c := &Clusters{Of: make([]int32, len(l.Cells)), Anchor: make([]int32, l.Len()), anchorDistance: make([]float64, l.Len())}
	for i := range l.Cells {
		if l.Cells[i].Parent < 0 {
			c.cell(l, int32(i))
		}
	}
	var row []float64
	for i := len(l.Cells) - 1; i >= 0; i-- { // children first
		r := &l.Cells[i]
		for v := r.Sep; v < r.Hi; v++ {
			c.Anchor[v] = v
			if r.Lo < r.Sep {
				next, least := r.Lo, math.Inf(1)
				for n, d := range l.Row(&row, v, r.Lo, r.Sep) {
					if d < least {
						next, least = r.Lo+int32(n), d
					}
				}
				c.Anchor[v], c.anchorDistance[v] = c.Anchor[next], least+c.anchorDistance[next]
			}
		}
	}
	return c
}

func (c *Clusters) add(lo, hi int32) int32 {
	c.list = append(c.list, Cluster{Lo: lo, Hi: hi, kids: [2]int32{-1, -1}, sep: hi, Centre: lo, radius: math.Inf(1)})
	return int32(len(c.list) - 1)
}

func (c *Clusters) cell(l *label.Labels, at int32) int32 {
	r := &l.Cells[at]
	if r.Lo == r.Sep {
		id := c.stretch(l, r.Sep, r.Hi)
		c.Of[at] = id
		return id
	}
	id := c.add(r.Lo, r.Hi)
	c.Of[at] = id
	c.list[id].sep = r.Sep
	if r.Sep < r.Hi {
		c.centred(l, id, (r.Sep+r.Hi)/2)
	}
	kids := [2]int32{c.cell(l, r.Left), c.cell(l, r.Right)}
	c.list[id].kids = kids
	return id
}

// stretch is the cluster of the vertices [lo,hi) of a leaf.
func (c *Clusters) stretch(l *label.Labels, lo, hi int32) int32 {
	id := c.add(lo, hi)
	c.centred(l, id, (lo+hi)/2)
	if int(hi-lo) > TileSide {
		mid := (lo + hi) / 2
		kids := [2]int32{c.stretch(l, lo, mid), c.stretch(l, mid, hi)}
		c.list[id].kids = kids
	}
	return id
}

// centred makes the hub at rank h, whose cell holds the cluster, its centre.
func (c *Clusters) centred(l *label.Labels, id, h int32) {
	k := &c.list[id]
	k.Centre = h
	k.radius = l.Greatest(h, k.Lo, k.Hi)
}

// Patch is a cluster and the vertices that go along with it, as one side of a
// cell's pairs: attached vertices are those from separators around the cluster, inside
// that side.
type Patch struct {
	*Cluster
	ID        int32
	Attached  []int32
	Radius    float64    // about the cluster's centre, attached vertices included
	kids      [2]*Patch  // once they are asked for
	bisection *Bisection // likewise
}

// Patch is the patch of a cluster and these attached vertices.
func (c *Clusters) Patch(id int32, attached []int32) *Patch {
	p := &Patch{Cluster: &c.list[id], ID: id, Attached: attached}
	p.Radius = p.radius
	for _, v := range attached {
		p.Radius = max(p.Radius, p.radius+c.anchorDistance[v])
	}
	return p
}

// Leaf reports whether it cannot be split.
func (p *Patch) Leaf() bool { return p.Cluster.kids[0] < 0 }

// Len is the number of its vertices.
func (p *Patch) Len() int { return int(p.Hi-p.Lo) + len(p.Attached) }

// Rank is the rank of a vertex, in no order of meaning.
func (p *Patch) Rank(i int) int32 {
	if n := int(p.Hi - p.Lo); i >= n {
		return p.Attached[i-n]
	}
	return p.Lo + int32(i)
}

// Samples is the number of vertices that tell most hubs from a pivot.
const Samples = 4

// Sample is ranks spread over the patch, which is not empty.
func (p *Patch) Sample() (ranks [Samples]int32) {
	for i := range ranks {
		ranks[i] = p.Rank(i * (p.Len() - 1) / (Samples - 1))
	}
	return ranks
}

// Ranks lists the ranks less base.
func (p *Patch) Ranks(base int32) []int32 {
	list := make([]int32, p.Len())
	for i := range list {
		list[i] = p.Rank(i) - base
	}
	return list
}

// Split returns the two patches that partition p, nil where its cluster has no kids.
func (c *Clusters) Split(p *Patch) [2]*Patch {
	if p.kids[0] == nil && p.Cluster.kids[0] >= 0 {
		for i, id := range p.Cluster.kids {
			lo, hi := c.list[id].Lo, c.list[id].Hi
			var attached []int32
			for _, v := range p.Attached {
				if h := c.Anchor[v]; h >= lo && h < hi {
					attached = append(attached, v)
				}
			}
			for v := p.sep; v < p.Hi; v++ {
				if h := c.Anchor[v]; h >= lo && h < hi {
					attached = append(attached, v)
				}
			}
			p.kids[i] = c.Patch(id, attached)
		}
	}
	return p.kids
}

// Cut lists the patches depth levels below p, and those above that have none below.
func (c *Clusters) Cut(p *Patch, depth int) []*Patch {
	if depth == 0 || p.Leaf() {
		return []*Patch{p}
	}
	kids := c.Split(p)
	return append(c.Cut(kids[0], depth-1), c.Cut(kids[1], depth-1)...)
}

// Small lists the patches that partition p, the largest that are no more than RowSide vertices
// or cannot be split.
func (c *Clusters) Small(p *Patch) []*Patch {
	if p.Len() == 0 {
		return nil
	}
	if p.Len() <= RowSide || p.Leaf() {
		return []*Patch{p}
	}
	kids := c.Split(p)
	return append(c.Small(kids[0]), c.Small(kids[1])...)
}
