package separator

import (
	"context"

	"genussink/core/graph"
)

// cutter finds minimum vertex cuts between two growing sets of terminals (Hamann and Strasser, Graph bisection with Pareto
// optimization, JEA 23, 2018). A maximum flow in which every vertex passes one unit is such a cut (Menger). The network is not built.
// A vertex v stands for the two nodes in(v) and out(v), numbered 2v and 2v+1. The flow is known by the vertices before and after v on
// the flow path of v.
//
// The network has two ends that are alike: 0 the source, 1 the sink. Seen from end e, one comes into v by the node 2v+e and leaves it
// by the other. All that is kept per end is meant as seen from there.
type cutter struct {
	g *graph.Graph
	n int

	joined    [2][]int32 // when the vertex became a terminal of the end, 0: it is none
	before    [2][]int32 // the vertex before it on its flow path, idle or terminal
	from      [2][]int32 // of a node that a residual path from the end reaches, the node before, first at its start; else unmet
	front     [2][]int32 // vertices next to terminals of the end, no terminals of it
	rim       [2][]bool  // the same
	terminals [2]int
	inside    [2]int     // vertices that residual paths leave, terminals too
	queue     [2][]int32 // nodes met since the end last absorbed
	now       int32      // counts absorptions
	value     int

	touched []int32 // of a vertex, the last round of augment that sent a unit through it
	round   int32
	path    []int32
}

const (
	idle     int32 = -1
	terminal int32 = -2
	unmet    int32 = -1
	first    int32 = -2
)

func newCutter(g *graph.Graph) *cutter {
	n := g.Len()
	c := &cutter{g: g, n: n, touched: make([]int32, n)}
	for e := range 2 {
		c.joined[e], c.before[e] = make([]int32, n), make([]int32, n)
		c.from[e], c.rim[e] = make([]int32, 2*n), make([]bool, n)
	}
	return c
}

// start takes up the vertices that are inA in sides as the terminals of end 0
// and those inB as the terminals of end 1, and finds a maximum flow. It reports
// false where an edge joins the two or the flow has more than limit units.
func (c *cutter) start(ctx context.Context, sides []side, limit int) (bool, error) {
	if limit < 0 {
		return false, nil
	}
	c.value, c.now, c.round = 0, 1, 0
	clear(c.touched)
	for e, s := range [2]side{inA, inB} {
		clear(c.rim[e])
		c.front[e] = c.front[e][:0]
		c.terminals[e] = 0
		for v := range c.n {
			c.before[e][v], c.joined[e][v] = idle, 0
			if sides[v] == s {
				c.joined[e][v] = 1
			}
		}
	}
	for v, s := range sides {
		switch s {
		case inA:
			c.join(0, int32(v))
		case inB:
			c.join(1, int32(v))
		}
	}
	for _, v := range c.front[0] {
		if c.joined[1][v] != 0 {
			return false, nil
		}
	}
	if ok, err := c.augment(ctx, 0, c.front[0], limit); !ok || err != nil {
		return false, err
	}
	c.search(0)
	return true, nil
}

// join makes a vertex a terminal of the end. Then no path goes through it, as seen from the other end.
func (c *cutter) join(e int, v int32) {
	c.joined[e][v] = c.now
	c.terminals[e]++
	if u := c.before[1-e][v]; u >= 0 {
		c.before[e][u] = terminal
	}
	c.before[1-e][v] = terminal
	c.rim[e][v] = false
	for _, t := range c.g.Targets[c.g.Offsets[v]:c.g.Offsets[v+1]] {
		if c.joined[e][t] == 0 && !c.rim[e][t] {
			c.rim[e][t] = true
			c.front[e] = append(c.front[e], t)
		}
	}
}

// search finds anew what residual paths from the end reach.
func (c *cutter) search(e int) {
	from := c.from[e]
	for i := range from {
		from[i] = unmet
	}
	c.queue[e] = c.queue[e][:0]
	c.inside[e] = c.terminals[e]
	for _, v := range c.front[e] {
		if c.rim[e][v] {
			c.meet(e, 2*v+int32(e), first)
		}
	}
	c.grow(e, 0)
}

func (c *cutter) meet(e int, node, before int32) {
	if c.from[e][node] == unmet {
		c.from[e][node] = before
		c.queue[e] = append(c.queue[e], node)
	}
}

// grow follows residual paths from the nodes of the queue at i and beyond.
func (c *cutter) grow(e, i int) {
	g, from, before, joined := c.g, c.from[e], c.before[e], c.joined[e]
	queue := c.queue[e]
	in := int32(e)
	for ; i < len(queue); i++ {
		node := queue[i]
		v := node >> 1
		if node&1 == in {
			next := node ^ 1
			switch u := before[v]; u {
			case idle:
			case terminal:
				continue
			default:
				next = 2*u + 1 - in // back along the flow, against the unit that comes in
			}
			if from[next] == unmet {
				from[next] = node
				queue = append(queue, next)
			}
			continue
		}
		c.inside[e]++
		if before[v] != idle && from[node^1] == unmet { // back through v
			from[node^1] = node
			queue = append(queue, node^1)
		}
		for _, t := range g.Targets[g.Offsets[v]:g.Offsets[v+1]] {
			if next := 2*t + in; from[next] == unmet && joined[t] == 0 {
				from[next] = node
				queue = append(queue, next)
			}
		}
	}
	c.queue[e] = queue
}

// augment sends units from end e into the given vertices of its front, until none of them has a residual path to the other end. It
// keeps up to date what the other end reaches. It reports false if the flow exceeds limit units.
func (c *cutter) augment(ctx context.Context, e int, into []int32, limit int) (bool, error) {
	for {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		c.search(1 - e)
		c.round++
		sent := false
		for _, v := range into {
			if node := 2*v + int32(e); c.from[1-e][node] != unmet && c.send(e, node) {
				if c.value++; c.value > limit {
					return false, nil
				}
				sent = true
			}
		}
		if !sent {
			return true, nil
		}
	}
}

// send sends one unit along the path that the search from the other end found,
// unless another unit of this round has changed it.
func (c *cutter) send(e int, node int32) bool {
	c.path = c.path[:0]
	for ; node != first; node = c.from[1-e][node] {
		if c.touched[node>>1] == c.round {
			return false
		}
		c.path = append(c.path, node)
	}
	before, after := c.before[e], c.before[1-e]
	for i, node := range c.path {
		v := node >> 1
		c.touched[v] = c.round
		if node&1 == int32(e) {
			if i == 0 {
				before[v] = terminal
			} else if u := c.path[i-1] >> 1; u != v {
				before[v] = u
			} else {
				before[v], after[v] = idle, idle // back through v: its unit goes another way
			}
			continue
		}
		if i == len(c.path)-1 {
			after[v] = terminal
		} else if u := c.path[i+1] >> 1; u != v {
			after[v] = u
		}
	}
	return true
}

// absorb makes all that residual paths from the end leave terminals of it.
func (c *cutter) absorb(e int) {
	c.now++
	for _, node := range c.queue[e] {
		if node&1 != int32(e) {
			c.join(e, node>>1)
		}
	}
	c.queue[e] = c.queue[e][:0]
	kept := c.front[e][:0]
	for _, v := range c.front[e] {
		if c.rim[e][v] {
			kept = append(kept, v)
		}
	}
	c.front[e] = kept
}

// pierce makes a vertex of the front a terminal of the end. The end must have absorbed all that it reaches. It reports false if the
// flow exceeds limit units.
func (c *cutter) pierce(ctx context.Context, e int, v int32, limit int) (bool, error) {
	raises := c.raises(e, v)
	known := len(c.front[e])
	c.now++
	c.join(e, v)
	c.inside[e]++
	into := c.front[e][known:]
	if raises {
		if ok, err := c.augment(ctx, e, into, limit); !ok || err != nil {
			return false, err
		}
	}
	for _, t := range into {
		c.meet(e, 2*t+int32(e), first)
	}
	c.grow(e, 0)
	return true, nil
}

// raises reports whether the flow grows when the vertex joins the end.
func (c *cutter) raises(e int, v int32) bool { return c.from[1-e][2*v+1-int32(e)] != unmet }

// lighter is the smaller side of the minimum cut nearest to the end.
func (c *cutter) lighter(e int) int { return min(c.inside[e], c.n-c.value-c.inside[e]) }

// cut writes the minimum cut nearest to the end: that of now, or, if the time
// is not 0, that when the end had absorbed what it had by then.
func (c *cutter) cut(sides []side, e int, time int32) {
	near, far := inA, inB
	if e == 1 {
		near, far = inB, inA
	}
	for v := range sides {
		sides[v] = far
	}
	for v := range int32(c.n) {
		j := c.joined[e][v]
		if time == 0 {
			if j == 0 && c.from[e][2*v+1-int32(e)] == unmet {
				continue
			}
		} else if j == 0 || j > time {
			continue
		}
		sides[v] = near
		for _, t := range c.g.Targets[c.g.Offsets[v]:c.g.Offsets[v+1]] {
			if sides[t] == far {
				sides[t] = inS
			}
		}
	}
}

// minCut replaces the vertices that are inS in sides by a minimum cut between
// those inA and those inB, of the two extreme ones the better balanced. It
// reports false, and leaves sides alone, where an edge joins A and B or the cut
// has more than limit vertices.
func (c *cutter) minCut(ctx context.Context, sides []side, limit int) (bool, error) {
	if ok, err := c.start(ctx, sides, limit); !ok || err != nil {
		return false, err
	}
	e := 0
	if c.lighter(1) > c.lighter(0) {
		e = 1
	}
	c.cut(sides, e, 0)
	return true, nil
}

// ends makes the first count vertices of an order A, the last count B and the
// others S.
func ends(sides []side, order []int32, count int) {
	for i, v := range order {
		switch {
		case i < count:
			sides[v] = inA
		case i >= len(order)-count:
			sides[v] = inB
		default:
			sides[v] = inS
		}
	}
}
