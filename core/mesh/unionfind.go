package mesh

// unionFind keeps disjoint sets of 0..n-1. The root of a set is its smallest
// element, so that roots do not depend on the order of the unions. An element
// may also differ from its root by a parity, which tells the two sides of a
// surface apart.
type unionFind struct {
	parent []int32
	flip   []bool // parity against the parent
}

func newUnionFind(n int) *unionFind {
	u := &unionFind{parent: make([]int32, n), flip: make([]bool, n)}
	for i := range u.parent {
		u.parent[i] = int32(i)
	}
	return u
}

// find returns the root of x.
func (u *unionFind) find(x int32) int32 {
	r, _ := u.findParity(x)
	return r
}

// findParity returns the root of x and the parity between the two: whether x
// lies on the other side than its root. On the way it shortens the path: every
// second element on it gets its grandparent as its parent (path halving).
func (u *unionFind) findParity(x int32) (root int32, parity bool) {
	for u.parent[x] != x {
		p := u.parent[x]
		if g := u.parent[p]; g != p {
			u.parent[x] = g
			u.flip[x] = u.flip[x] != u.flip[p]
		}
		parity = parity != u.flip[x]
		x = u.parent[x]
	}
	return x, parity
}

func (u *unionFind) union(x, y int32) { u.unionParity(x, y, false) }

// unionParity joins the sets of x and y so that the two have the given parity,
// and reports false when they already have the other one.
func (u *unionFind) unionParity(x, y int32, parity bool) bool {
	rx, px := u.findParity(x)
	ry, py := u.findParity(y)
	if rx == ry {
		return (px != py) == parity
	}
	if rx > ry {
		rx, ry = ry, rx
	}
	u.parent[ry] = rx
	u.flip[ry] = (px != py) != parity
	return true
}
