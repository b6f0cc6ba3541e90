package separator

import (
	"context"
	"math"

	"genussink/core/graph"
)

// A minimum vertex cut is a maximum flow in which every vertex passes one unit
// (Menger). The network is not built: a vertex v is the pair of nodes in(v)
// and out(v), numbered 2v and 2v+1, and what flows is told by the vertex
// before and after v on its flow path.
//
// Each vertex next to the source is tried once, by a depth-first search of the
// residual network for the sink. What a search in vain has met is closed under
// residual arcs and no later path can touch it, so it is not met again: the
// failures together take linear time. Searches go first where the sink is
// nearer by the residual distances last measured, and these are measured anew
// when the searches have met a quarter as many nodes as that met.
type flow struct {
	g     *graph.Graph
	sides []side  // terminals: inA the source, inB the sink, inS may be cut
	hops  []int32 // of a node, the residual arcs to the sink when last measured, or farAway
	pred  []int32 // the vertex before v on its flow path, idle or terminal
	succ  []int32 // the vertex after v; idle together with pred
	next  []int32 // of a node, 1 + the arc to try next; 0: not met, or free again
	met   []int32 // the nodes that the current search has met
	queue []int32
	path  []int32
	front []int32 // vertices next to the source
	value int
}

const (
	idle     int32 = -1
	terminal int32 = -2
	farAway  int32 = math.MaxInt32
)

func newFlow(g *graph.Graph) *flow {
	n := g.Len()
	return &flow{
		g: g, sides: make([]side, n), hops: make([]int32, 2*n),
		pred: make([]int32, n), succ: make([]int32, n),
		next: make([]int32, 2*n), met: make([]int32, 0, 2*n), queue: make([]int32, 0, 2*n),
	}
}

// minCut replaces the uncommitted vertices of f.sides (inS) by a minimum
// vertex cut between the source (inA) and the sink (inB), which no edge may
// join. Of the two extreme minimum cuts it takes the better balanced. It gives
// up and reports false when the cut has more than limit vertices, leaving
// f.sides undefined.
func (f *flow) minCut(ctx context.Context, limit int) (bool, error) {
	if limit < 0 {
		return false, nil
	}
	f.value = 0
	f.measureHops()
	f.front = f.front[:0]
	for v, s := range f.sides {
		f.pred[v], f.succ[v] = idle, idle
		if s == inS && f.touches(int32(v), inA) {
			f.front = append(f.front, int32(v))
		}
	}
	clear(f.next)
	searched := 0
	for _, v := range f.front {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		if f.next[2*v] != 0 {
			continue
		}
		if searched > len(f.queue)/4 { // the best of 2 to 1/32 on real meshes
			f.measureHops()
			searched = 0
		}
		if f.augment(v) {
			if f.value++; f.value > limit {
				return false, nil
			}
			searched += len(f.met)
		}
	}
	f.cut()
	return true, nil
}

// measureHops fills f.hops by breadth-first search back from the sink.
func (f *flow) measureHops() {
	g := f.g
	for i := range f.hops {
		f.hops[i] = farAway
	}
	f.queue = f.queue[:0]
	meet := func(node, hops int32) {
		if f.hops[node] == farAway {
			f.hops[node] = hops
			f.queue = append(f.queue, node)
		}
	}
	for v, s := range f.sides {
		if s == inS && f.touches(int32(v), inB) {
			meet(2*int32(v)+1, 0)
		}
	}
	for i := 0; i < len(f.queue); i++ {
		node := f.queue[i]
		v, hops := node/2, f.hops[node]+1
		if node&1 == 1 {
			switch s := f.succ[v]; s {
			case idle:
				meet(node-1, hops)
			case terminal:
			default:
				meet(2*s, hops)
			}
			continue
		}
		if f.pred[v] != idle {
			meet(node+1, hops)
		}
		for _, t := range g.Targets[g.Offsets[v]:g.Offsets[v+1]] {
			if f.sides[t] == inS {
				meet(2*t+1, hops)
			}
		}
	}
}

func (f *flow) touches(v int32, s side) bool {
	for _, t := range f.g.Targets[f.g.Offsets[v]:f.g.Offsets[v+1]] {
		if f.sides[t] == s {
			return true
		}
	}
	return false
}

// augment looks for a residual path from in(start) to the sink and sends one
// unit along it.
func (f *flow) augment(start int32) bool {
	g := f.g
	f.next[2*start] = 1
	f.met = append(f.met[:0], 2*start)
	f.path = append(f.path[:0], 2*start)
	for len(f.path) > 0 {
		node := f.path[len(f.path)-1]
		v := node / 2
		k := f.next[node] - 1
		f.next[node]++
		to := int32(-1)
		if node&1 == 0 {
			if k > 0 || f.pred[v] == terminal {
				f.path = f.path[:len(f.path)-1]
				continue
			}
			to = node + 1
			if p := f.pred[v]; p != idle {
				to = 2*p + 1 // back along the flow, against the unit that comes in
			}
		} else {
			// Arcs 0.. lead to the neighbours, the one after them back through v
			// against the unit that passes it. Two rounds: first those that lead
			// nearer to the sink, then the others.
			lo := g.Offsets[v]
			degree := g.Offsets[v+1] - lo
			second := k > degree
			if second {
				k -= degree + 1
			}
			switch {
			case k < degree:
				t := g.Targets[lo+k]
				switch f.sides[t] {
				case inS:
					to = 2 * t
				case inB:
					if f.succ[v] != terminal {
						f.send()
						return true
					}
				}
			case k == degree:
				if f.pred[v] != idle {
					to = node - 1
				}
			default:
				f.path = f.path[:len(f.path)-1]
				continue
			}
			if to >= 0 && (f.hops[to] >= f.hops[node]) != second {
				to = -1
			}
		}
		if to >= 0 && f.next[to] == 0 {
			f.next[to] = 1
			f.met = append(f.met, to)
			f.path = append(f.path, to)
		}
	}
	return false
}

// send sends one unit along f.path and frees what the search has met.
func (f *flow) send() {
	for _, m := range f.met {
		f.next[m] = 0
	}
	last := len(f.path) - 1
	for i, node := range f.path {
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
	// What the source still reaches bounds the cut nearest the source: what the
	// searches in vain have met, and the way into its neighbours. What reaches
	// the sink bounds the other cut.
	for _, v := range f.front {
		f.next[2*v] = 1
	}
	var a, b int
	for v, s := range f.sides {
		if s == inA || s == inS && f.next[2*v+1] != 0 {
			a++
		}
	}
	f.measureHops()
	for v, s := range f.sides {
		if s == inB || s == inS && f.hops[2*v] != farAway {
			b++
		}
	}
	rest := len(f.sides) - f.value
	if min(a, rest-a) >= min(b, rest-b) {
		for v, s := range f.sides {
			if s == inS {
				switch {
				case f.next[2*v+1] != 0:
					f.sides[v] = inA
				case f.next[2*v] == 0:
					f.sides[v] = inB
				}
			}
		}
		return
	}
	for v, s := range f.sides {
		if s == inS {
			switch {
			case f.hops[2*v] != farAway:
				f.sides[v] = inB
			case f.hops[2*v+1] == farAway:
				f.sides[v] = inA
			}
		}
	}
}
