package separator

import (
	"context"

	"genussink/core/graph"
)

// A minimum vertex cut is a maximum flow in which every vertex passes one unit
// (Menger). The network is not built: a vertex v is the pair of nodes in(v)
// and out(v), numbered 2v and 2v+1, and what flows is told by the vertex
// before and after v on its flow path. Dinic's algorithm raises the flow in
// phases of a breadth-first search and augmenting depth-first searches along
// its levels.
type flow struct {
	g     *graph.Graph
	sides []side  // terminals: inA the source, inB the sink, inS may be cut
	pred  []int32 // the vertex before v on its flow path, idle or terminal
	succ  []int32 // the vertex after v; idle together with pred
	level []int32 // of a node, by breadth-first search from the source; -1: unreached
	next  []int32 // of a node, the arc to try next
	queue []int32
	path  []int32
	front []int32 // vertices next to the source
	value int
}

const (
	idle     int32 = -1
	terminal int32 = -2
)

func newFlow(g *graph.Graph) *flow {
	n := g.Len()
	return &flow{
		g: g, sides: make([]side, n),
		pred: make([]int32, n), succ: make([]int32, n),
		level: make([]int32, 2*n), next: make([]int32, 2*n),
		queue: make([]int32, 0, 2*n),
	}
}

// minCut replaces the uncommitted vertices of f.sides (inS) by a minimum
// vertex cut between the source (inA) and the sink (inB), which no edge may
// join. Of the two extreme minimum cuts it takes the better balanced. It gives
// up and reports false when the cut has more than limit vertices, leaving
// f.sides undefined.
func (f *flow) minCut(ctx context.Context, limit int) (bool, error) {
	n := len(f.sides)
	f.value = 0
	f.front = f.front[:0]
	for v := range n {
		f.pred[v], f.succ[v] = idle, idle
		if f.sides[v] == inS && f.touches(int32(v), inA) {
			f.front = append(f.front, int32(v))
		}
	}
	for {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		if !f.search() {
			break
		}
		for v := range f.next {
			f.next[v] = -1
		}
		for _, v := range f.front {
			if f.pred[v] != terminal && f.level[2*v] == 0 && f.augment(v) {
				if f.value++; f.value > limit {
					return false, nil
				}
			}
		}
	}
	f.cut()
	return true, nil
}

func (f *flow) touches(v int32, s side) bool {
	for _, t := range f.g.Targets[f.g.Offsets[v]:f.g.Offsets[v+1]] {
		if f.sides[t] == s {
			return true
		}
	}
	return false
}

// search numbers the residual network's nodes by their distance from the
// source up to the first one next to the sink, and reports whether there is one.
func (f *flow) search() bool {
	for i := range f.level {
		f.level[i] = -1
	}
	f.queue = f.queue[:0]
	visit := func(node, level int32) {
		if f.level[node] < 0 {
			f.level[node] = level
			f.queue = append(f.queue, node)
		}
	}
	for _, v := range f.front {
		visit(2*v, 0)
	}
	last := int32(-1)
	for i := 0; i < len(f.queue); i++ {
		node := f.queue[i]
		v, l := node/2, f.level[node]
		if last >= 0 && l > last {
			break
		}
		if node&1 == 0 {
			switch p := f.pred[v]; p {
			case idle:
				visit(node+1, l+1)
			case terminal:
			default:
				visit(2*p+1, l+1)
			}
			continue
		}
		if f.pred[v] != idle {
			visit(node-1, l+1)
		}
		for _, t := range f.g.Targets[f.g.Offsets[v]:f.g.Offsets[v+1]] {
			switch f.sides[t] {
			case inS:
				visit(2*t, l+1)
			case inB:
				if f.succ[v] != terminal {
					last = l
				}
			}
		}
	}
	return last >= 0
}

// augment looks for a path along the levels from in(start) to the sink and
// sends one unit along it.
func (f *flow) augment(start int32) bool {
	g := f.g
	f.path = append(f.path[:0], 2*start)
	for len(f.path) > 0 {
		node := f.path[len(f.path)-1]
		v, l := node/2, f.level[node]
		to := int32(-1)
		// Arc -1 is the one inside the vertex or back along the flow; arcs 0.. of
		// an out node lead to the neighbours.
		if k := f.next[node]; k < 0 {
			f.next[node] = 0
			if node&1 == 1 {
				if f.pred[v] != idle {
					to = node - 1
				}
			} else if p := f.pred[v]; p == idle {
				to = node + 1
			} else if p != terminal {
				to = 2*p + 1
			}
		} else if degree := g.Offsets[v+1] - g.Offsets[v]; node&1 == 1 && k < degree {
			f.next[node]++
			t := g.Targets[g.Offsets[v]+k]
			switch f.sides[t] {
			case inS:
				to = 2 * t
			case inB:
				if f.succ[v] != terminal {
					f.send()
					return true
				}
			}
		} else {
			f.level[node] = -1 // a dead end
			f.path = f.path[:len(f.path)-1]
			continue
		}
		if to >= 0 && f.level[to] == l+1 {
			f.path = append(f.path, to)
		}
	}
	return false
}

// send sends one unit along f.path, whose nodes are then out of the phase.
func (f *flow) send() {
	last := len(f.path) - 1
	for i, node := range f.path {
		f.level[node] = -1
		v := node / 2
		if node&1 == 0 {
			if i == 0 {
				f.pred[v] = terminal
			} else if before := f.path[i-1]; before/2 != v {
				f.pred[v] = before / 2
			} else {
				f.pred[v], f.succ[v] = idle, idle // back through v: its unit goes another way
			}
			continue
		}
		if i == last {
			f.succ[v] = terminal
		} else if after := f.path[i+1]; after/2 != v {
			f.succ[v] = after / 2
		}
	}
}

// cut turns the saturated flow into sides.
func (f *flow) cut() {
	g := f.g
	// After the last search f.level tells what the source reaches: the cut
	// nearest the source.
	var a, b int
	for v, s := range f.sides {
		if s == inA || s == inS && f.level[2*v+1] >= 0 {
			a++
		}
	}
	// The cut nearest the sink: what reaches it.
	reaches := f.next
	clear(reaches)
	f.queue = f.queue[:0]
	visit := func(node int32) {
		if reaches[node] == 0 {
			reaches[node] = 1
			f.queue = append(f.queue, node)
		}
	}
	for v, s := range f.sides {
		if s == inS && f.touches(int32(v), inB) {
			visit(2*int32(v) + 1)
		}
	}
	for i := 0; i < len(f.queue); i++ {
		node := f.queue[i]
		v := node / 2
		if node&1 == 1 {
			switch s := f.succ[v]; s {
			case idle:
				visit(node - 1)
			case terminal:
			default:
				visit(2 * s)
			}
			continue
		}
		if f.pred[v] != idle {
			visit(node + 1)
		}
		for _, t := range g.Targets[g.Offsets[v]:g.Offsets[v+1]] {
			if f.sides[t] == inS {
				visit(2*t + 1)
			}
		}
	}
	for v, s := range f.sides {
		if s == inB || s == inS && reaches[2*v] != 0 {
			b++
		}
	}
	rest := len(f.sides) - f.value
	if min(a, rest-a) >= min(b, rest-b) {
		for v, s := range f.sides {
			if s == inS {
				switch {
				case f.level[2*v+1] >= 0:
					f.sides[v] = inA
				case f.level[2*v] < 0:
					f.sides[v] = inB
				}
			}
		}
		return
	}
	for v, s := range f.sides {
		if s == inS {
			switch {
			case reaches[2*v] != 0:
				f.sides[v] = inB
			case reaches[2*v+1] == 0:
				f.sides[v] = inA
			}
		}
	}
}
