package hub

import "math"

// A tile has at most tileSide columns, so that a byte can number them, and at
// most rowSide rows; smaller clusters are not split further. More rows share what a
// column costs, more columns what a row costs, and both need more hubs; of 64
// to 255 and 192 to 1,500 about the fastest on meshes of 3,000 to 47,000 vertices.
const (
	tileSide = 192
	rowSide  = 384
)

// cluster is a range of places whose vertices lie close together: a region, or
// a stretch of a region's separator.
type cluster struct {
	lo, hi int32
	kids   [3]int32 // clusters that partition it, -1 for none; a small cluster has none

	// centre is the place of a vertex in the cluster and radius the largest
	// distance from it to the others; +Inf where it is not known.
	centre int32
	radius float64
}

// clusters are the clusters of all regions, parents before children; region i
// is cluster of[i].
type clusters struct {
	list []cluster
	of   []int32
}

func newClusters(l *Labels) *clusters {
	c := &clusters{of: make([]int32, len(l.regions))}
	for i := range l.regions {
		if l.regions[i].parent < 0 {
			c.region(l, int32(i))
		}
	}
	return c
}

func (c *clusters) add(lo, hi int32) int32 {
	c.list = append(c.list, cluster{lo: lo, hi: hi, kids: [3]int32{-1, -1, -1}, centre: lo, radius: math.Inf(1)})
	return int32(len(c.list) - 1)
}

func (c *clusters) region(l *Labels, at int32) int32 {
	r := &l.regions[at]
	if r.lo == r.sep {
		id := c.stretch(l, r.sep, r.hi)
		c.of[at] = id
		return id
	}
	id := c.add(r.lo, r.hi)
	c.of[at] = id
	kids := [3]int32{c.region(l, r.left), c.region(l, r.right), -1}
	if r.sep < r.hi {
		kids[2] = c.stretch(l, r.sep, r.hi)
		c.centred(l, id, (r.sep+r.hi)/2)
	}
	c.list[id].kids = kids
	return id
}

// stretch is the cluster of the separator vertices [lo,hi) of one region.
func (c *clusters) stretch(l *Labels, lo, hi int32) int32 {
	id := c.add(lo, hi)
	c.centred(l, id, (lo+hi)/2)
	if hi-lo > tileSide {
		mid := (lo + hi) / 2
		kids := [3]int32{c.stretch(l, lo, mid), c.stretch(l, mid, hi), -1}
		c.list[id].kids = kids
	}
	return id
}

// centred makes the hub at place h, whose region holds the cluster, its centre.
func (c *clusters) centred(l *Labels, id, h int32) {
	k := &c.list[id]
	k.centre, k.radius = h, l.greatest(h, k.lo, k.hi)
}
