package planar

import "context"

const none int32 = -1

// leftRight is the left-right planarity test (de Fraysseix and Rosenstiehl, in
// the formulation of Brandes, The left-right planarity test, 2009). A
// depth-first search orients the edges, tree edges away from the root and back
// edges towards it. A back edge leaves the tree path below it on the left or
// on the right; the graph is planar when the sides can be chosen so that no
// two back edges cross. The choices that depend on each other are kept on a
// stack of conflict pairs.
//
// Edges are named by their arc in the direction of the orientation. Loops over
// all edges are spelt out with cursors, because recursion would be as deep as
// the longest path.
type leftRight struct {
	ctx              context.Context
	steps            int
	offsets, targets []int32
	twin             []int32 // of an arc

	root   []int32 // one vertex of every component
	height []int32 // of a vertex, in the tree
	parent []int32 // the tree edge into a vertex, none at a root
	cursor []int32 // where the walk stands in the edges of a vertex

	low     []int32 // of an edge: the lowest height it returns to, none on the arcs against the orientation
	nesting []int32 // of an edge: twice low, and one more when it returns to several heights
	ref     []int32 // of an edge: the one whose side it takes relative to, or none
	opposed []bool  // of an edge: its side is the other one of ref's

	start []int32 // of a vertex: its first place in out
	out   []int32 // edges that leave a vertex, by nesting

	pairs   []conflict
	bottom  []int32 // of a vertex: len(pairs) when its current edge began
	lowEdge []int32 // of a vertex: the back edge by which the tree edge into it returns lowest
}

// interval is a chain of back edges, from the one that returns highest down
// along ref to the one that returns lowest; both are none when it is empty.
type interval struct{ low, high int32 }

func (i interval) empty() bool { return i.low == none && i.high == none }

var nothing = interval{none, none}

// conflict is a conflict pair: two intervals of back edges that must lie on different sides of the tree path.
type conflict struct{ left, right interval }

func newLeftRight(ctx context.Context, offsets, targets []int32) *leftRight {
	return &leftRight{ctx: ctx, offsets: offsets, targets: targets}
}

// interrupted asks the context once in a while.
func (t *leftRight) interrupted() error {
	if t.steps++; t.steps&(1<<14-1) == 0 {
		return t.ctx.Err()
	}
	return nil
}

// test reports whether the graph is planar.
func (t *leftRight) test() (bool, error) {
	n := len(t.offsets) - 1
	if err := t.ctx.Err(); err != nil {
		return false, err
	}
	if m := len(t.targets) / 2; n > 2 && m > 3*n-6 {
		return false, nil // Euler's formula
	}
	t.twin = twins(t.offsets, t.targets)
	if err := t.orient(); err != nil {
		return false, err
	}
	t.sort()
	return t.sides()
}

// nones is n times none.
func nones(n int) []int32 {
	s := make([]int32, n)
	for i := range s {
		s[i] = none
	}
	return s
}

// orient searches depth first and finds the low points.
func (t *leftRight) orient() error {
	n, arcs := int32(len(t.offsets)-1), len(t.targets)
	t.height, t.parent = nones(int(n)), nones(int(n))
	t.cursor = append(make([]int32, 0, n), t.offsets[:n]...)
	t.low, t.nesting = nones(arcs), make([]int32, arcs)
	low2 := make([]int32, arcs) // the second lowest height
	for r := range n {
		if t.height[r] != none {
			continue
		}
		t.root = append(t.root, r)
		t.height[r] = 0
		for v := r; ; {
			if err := t.interrupted(); err != nil {
				return err
			}
			a := t.cursor[v]
			if a < t.offsets[v+1] {
				w := t.targets[a]
				if t.low[t.twin[a]] != none { // the edge is oriented towards v
					t.cursor[v]++
					continue
				}
				if t.height[w] == none {
					t.low[a], low2[a] = t.height[v], t.height[v]
					t.height[w], t.parent[w] = t.height[v]+1, a
					v = w
					continue
				}
				t.low[a], low2[a] = t.height[w], t.height[v]
				t.finish(v, a, low2)
				t.cursor[v]++
				continue
			}
			a = t.parent[v]
			if a == none {
				break
			}
			v = t.targets[t.twin[a]]
			t.finish(v, a, low2)
			t.cursor[v]++
		}
	}
	t.ref = low2 // no longer needed as such
	for a := range t.ref {
		t.ref[a] = none
	}
	return nil
}

// finish settles the nesting of edge a from v and hands its low points on to
// the tree edge into v.
func (t *leftRight) finish(v, a int32, low2 []int32) {
	t.nesting[a] = 2 * t.low[a]
	if low2[a] < t.height[v] {
		t.nesting[a]++
	}
	e := t.parent[v]
	if e == none {
		return
	}
	switch {
	case t.low[a] < t.low[e]:
		low2[e] = min(t.low[e], low2[a])
		t.low[e] = t.low[a]
	case t.low[a] > t.low[e]:
		low2[e] = min(low2[e], t.low[a])
	default:
		low2[e] = min(low2[e], low2[a])
	}
}

// sort lists the edges that leave each vertex by nesting, with two counting
// sorts.
func (t *leftRight) sort() {
	n, arcs := len(t.offsets)-1, int32(len(t.targets))
	// Nesting lies between -2n and 2n.
	count := make([]int32, 4*n+2)
	for a := range arcs {
		if t.low[a] != none {
			count[int(t.nesting[a])+2*n+1]++
		}
	}
	for i := 1; i < len(count); i++ {
		count[i] += count[i-1]
	}
	byNesting := make([]int32, arcs/2)
	for a := range arcs {
		if t.low[a] != none {
			k := int(t.nesting[a]) + 2*n
			byNesting[count[k]] = a
			count[k]++
		}
	}
	t.start = make([]int32, n+1)
	for v := range n {
		k := t.start[v]
		for a := t.offsets[v]; a < t.offsets[v+1]; a++ {
			if t.low[a] != none {
				k++
			}
		}
		t.start[v+1] = k
	}
	place := count[:n]
	copy(place, t.start)
	t.out = make([]int32, arcs/2)
	for _, a := range byNesting {
		v := t.targets[t.twin[a]]
		t.out[place[v]] = a
		place[v]++
	}
}

// sides walks the tree and gathers which back edges must lie on the same side
// or on different ones; false when that cannot be.
func (t *leftRight) sides() (bool, error) {
	n := len(t.offsets) - 1
	t.opposed = make([]bool, len(t.targets))
	t.bottom, t.lowEdge = make([]int32, n), nones(n)
	copy(t.cursor, t.start)
	for _, r := range t.root {
		for v := r; ; {
			if err := t.interrupted(); err != nil {
				return false, err
			}
			if k := t.cursor[v]; k < t.start[v+1] {
				a := t.out[k]
				w := t.targets[a]
				t.bottom[v] = int32(len(t.pairs))
				if t.parent[w] == a {
					v = w
					continue
				}
				t.pairs = append(t.pairs, conflict{nothing, interval{a, a}})
				if !t.integrate(v, a, a) {
					return false, nil
				}
				t.cursor[v]++
				continue
			}
			e := t.parent[v]
			if e == none {
				break
			}
			u := t.targets[t.twin[e]]
			t.leave(u, e)
			if !t.integrate(u, e, t.lowEdge[v]) {
				return false, nil
			}
			v = u
			t.cursor[v]++
		}
	}
	return true, nil
}

// integrate joins the return edges of edge a from v, the lowest of which is
// low, with those of the edges before it.
func (t *leftRight) integrate(v, a, low int32) bool {
	if t.low[a] >= t.height[v] {
		return true // it returns nowhere below v
	}
	if t.cursor[v] == t.start[v] {
		t.lowEdge[v] = low
		return true
	}
	return t.constrain(v, a)
}

func (t *leftRight) pop() conflict {
	p := t.pairs[len(t.pairs)-1]
	t.pairs = t.pairs[:len(t.pairs)-1]
	return p
}

// conflicts reports whether some edge of the interval returns above edge a's
// lowest return.
func (t *leftRight) conflicts(i interval, a int32) bool {
	return !i.empty() && t.low[i.high] > t.low[a]
}

// constrain puts the return edges of a on one side, and those before that
// conflict with them on the other.
func (t *leftRight) constrain(v, a int32) bool {
	e := t.parent[v]
	p := conflict{nothing, nothing}
	for {
		q := t.pop()
		if !q.left.empty() {
			q.left, q.right = q.right, q.left
		}
		if !q.left.empty() {
			return false
		}
		if t.low[q.right.low] > t.low[e] {
			if p.right.empty() {
				p.right.high = q.right.high
			} else {
				t.ref[p.right.low] = q.right.high
			}
			p.right.low = q.right.low
		} else { // it returns as low as the lowest of all: same side as that
			t.ref[q.right.low] = t.lowEdge[v]
		}
		if len(t.pairs) == int(t.bottom[v]) {
			break
		}
	}
	for len(t.pairs) > 0 {
		q := t.pairs[len(t.pairs)-1]
		if !t.conflicts(q.left, a) && !t.conflicts(q.right, a) {
			break
		}
		t.pop()
		if t.conflicts(q.right, a) {
			q.left, q.right = q.right, q.left
		}
		if t.conflicts(q.right, a) {
			return false
		}
		if p.right.low != none {
			t.ref[p.right.low] = q.right.high
		}
		if q.right.low != none {
			p.right.low = q.right.low
		}
		if p.left.empty() {
			p.left.high = q.left.high
		} else {
			t.ref[p.left.low] = q.left.high
		}
		p.left.low = q.left.low
	}
	if !p.left.empty() || !p.right.empty() {
		t.pairs = append(t.pairs, p)
	}
	return true
}

// lowest is the lowest height that a pair's edges return to.
func (t *leftRight) lowest(p conflict) int32 {
	switch {
	case p.left.empty():
		return t.low[p.right.low]
	case p.right.empty():
		return t.low[p.left.low]
	}
	return min(t.low[p.left.low], t.low[p.right.low])
}

// leave drops the back edges that return to u when the walk goes back over the
// tree edge e from u, and gives e the side of the highest that is left.
func (t *leftRight) leave(u, e int32) {
	for len(t.pairs) > 0 && t.lowest(t.pairs[len(t.pairs)-1]) == t.height[u] {
		if p := t.pop(); p.left.low != none {
			t.opposed[p.left.low] = true
		}
	}
	if len(t.pairs) > 0 {
		p := t.pop()
		t.trim(u, &p.left, p.right.low)
		t.trim(u, &p.right, p.left.low)
		t.pairs = append(t.pairs, p)
	}
	if t.low[e] < t.height[u] {
		top := t.pairs[len(t.pairs)-1]
		l, r := top.left.high, top.right.high
		if l != none && (r == none || t.low[l] > t.low[r]) {
			t.ref[e] = l
		} else {
			t.ref[e] = r
		}
	}
}

// trim drops the edges that return to u from the upper end of an interval. One
// that becomes empty goes opposite to its partner.
func (t *leftRight) trim(u int32, i *interval, partner int32) {
	for i.high != none && t.targets[i.high] == u {
		i.high = t.ref[i.high]
	}
	if i.high == none && i.low != none {
		t.ref[i.low] = partner
		t.opposed[i.low] = true
		i.low = none
	}
}

// embed turns the sides into the order of the arcs around each vertex.
func (t *leftRight) embed() (*Embedding, error) {
	n, arcs := len(t.offsets)-1, int32(len(t.targets))
	var chain []int32
	for a := range arcs {
		if t.low[a] == none {
			continue
		}
		// Resolve the sides along the references, which afterwards are none.
		chain = chain[:0]
		at := a
		for t.ref[at] != none {
			chain = append(chain, at)
			at = t.ref[at]
		}
		side := t.opposed[at]
		for i := len(chain) - 1; i >= 0; i-- {
			side = side != t.opposed[chain[i]]
			t.opposed[chain[i]], t.ref[chain[i]] = side, none
		}
		if t.opposed[a] {
			t.nesting[a] = -t.nesting[a]
		}
	}
	t.sort()
	// Rings of arcs around the vertices: first those that leave along the
	// orientation; the walk puts the others in.
	clockwise, back := t.nesting, t.ref // both are done with
	for v := range n {
		lo, hi := t.start[v], t.start[v+1]
		for k := lo; k < hi; k++ {
			a, b := t.out[k], t.out[lo]
			if k+1 < hi {
				b = t.out[k+1]
			}
			clockwise[a], back[b] = b, a
		}
	}
	insert := func(a, after int32) {
		before := clockwise[after]
		clockwise[after], back[a] = a, after
		clockwise[a], back[before] = before, a
	}
	left, right := make([]int32, n), make([]int32, n) // of a vertex on the path of the walk: where back edges arrive
	copy(t.cursor, t.start)
	for _, r := range t.root {
		for v := r; ; {
			if err := t.interrupted(); err != nil {
				return nil, err
			}
			if k := t.cursor[v]; k < t.start[v+1] {
				a := t.out[k]
				w, b := t.targets[a], t.twin[a]
				t.cursor[v]++
				switch {
				case t.parent[w] == a:
					if t.start[w] < t.start[w+1] {
						insert(b, back[t.out[t.start[w]]])
					} else {
						clockwise[b], back[b] = b, b
					}
					left[v], right[v] = a, a
					v = w
				case t.opposed[a]:
					insert(b, back[left[w]])
					left[w] = b
				default:
					insert(b, right[w])
				}
				continue
			}
			e := t.parent[v]
			if e == none {
				break
			}
			v = t.targets[t.twin[e]]
		}
	}
	next := t.low
	for a := range arcs {
		next[a] = clockwise[t.twin[a]]
	}
	return &Embedding{Twin: t.twin, Next: next}, nil
}
