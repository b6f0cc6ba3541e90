package sgfi

import (
	"context"
	"math"
	"slices"
	"sync"

	"genussink/core/graph"
	"genussink/core/linop"
	"genussink/core/shortest"
)

// Tree is the separation graph field integrator of a graph. Any number of
// goroutines may use one.
type Tree struct {
	Graph *graph.Graph
	Root  *Node

	sampled  bool // distances are upper bounds
	diameter float64

	mu     sync.Mutex
	blocks []block // of every kernel; nil until the first one is asked for

	single, ranged, paired int // nodes by the form of their cross_compute
}

// Node is one node of the tree; the fields are the paper's (Sec. 3.1.2). It
// stands for a graph whose vertices are AIDs, SepIDs and BIDs together: the
// whole graph at the root, G^S[A+S] and G^S[B+S] of the parent below it. All
// ids are vertices of the whole graph, in ascending order. A matrix is
// row-major; a distance is +Inf where no path leads.
//
// A leaf has Explicit, all its vertices in LeftIDs, and nothing else: vertex i
// of Explicit is LeftIDs[i].
type Node struct {
	SepDist   []float64 // sep_dist_matrix, |S| x |S|
	LeftDist  []float64 // left_distances, |A| x |S|
	RightDist []float64 // right_distances, |B| x |S|

	LeftIDs, SepIDs, RightIDs []int32

	Explicit    *graph.Graph // explicit_graph, nil unless a leaf
	Left, Right *Node        // left_sgfi, right_sgfi; nil in a leaf
}

// reach is an upper bound on the finite distances between vertices of the
// node: through one separator vertex for a pair that the separator separates.
func (n *Node) reach() float64 {
	if n.Explicit != nil {
		return diameterBound(n.Explicit)
	}
	left, leftWhole := farthest(n.LeftDist, len(n.SepIDs))
	right, rightWhole := farthest(n.RightDist, len(n.SepIDs))
	most, least := 0.0, math.Inf(1)
	for k := range left {
		most, least = max(most, left[k]+right[k]), min(least, left[k]+right[k])
	}
	if len(left) > 0 && leftWhole && rightWhole { // every pair has a path through every k
		most = least
	}
	return max(most, n.Left.reach(), n.Right.reach())
}

// diameterBound is twice the eccentricity of a vertex in the middle of a long
// shortest path, in the component where that is greatest.
func diameterBound(g *graph.Graph) (bound float64) {
	solver := shortest.NewSolver(g)
	seen := make([]bool, g.Len())
	eccentricity := func(v int32) (far int32, d float64) {
		reached, distance := solver.Within(math.Inf(1), v)
		for _, u := range reached {
			seen[u] = true
		}
		far = reached[len(reached)-1]
		return far, distance[far]
	}
	for v := range seen {
		if seen[v] {
			continue
		}
		far, _ := eccentricity(int32(v))
		farther, _ := eccentricity(far)
		path, _ := solver.Path(far, farther)
		_, d := eccentricity(path[len(path)/2])
		bound = max(bound, 2*d)
	}
	return bound
}

// farthest returns the greatest finite distance of each column, 0 where there
// is none, and whether all distances are finite.
func farthest(d []float64, columns int) (far []float64, whole bool) {
	far, whole = make([]float64, columns), true
	for i := 0; i < len(d); i += columns {
		for k, x := range d[i : i+columns] {
			if math.IsInf(x, 1) {
				whole = false
			} else if x > far[k] {
				far[k] = x
			}
		}
	}
	return far, whole
}

// Diameter is an upper bound on the finite distances, usually a few per cent
// above the greatest.
func (t *Tree) Diameter() float64 { return t.diameter }

// locate finds v in the node: the part it lies in and its row there.
func (n *Node) locate(v int32) (part, row int) {
	for part, ids := range [...][]int32{n.LeftIDs, n.SepIDs, n.RightIDs} {
		if row, ok := slices.BinarySearch(ids, v); ok {
			return part, row
		}
	}
	panic("sgfi: vertex out of range")
}

// The parts of a node.
const (
	inLeft = iota
	inSep
	inRight
	inBoth // of a shortcut alone
)

// Distance is the shortest-path distance of two vertices, in the graph's unit,
// found by descending to the node that separates them; +Inf where no path leads.
// It panics when a vertex is out of range. In a sampled tree it is what a
// Kernel multiplies with, the true distance or more, and separator
// vertices belong to the left where two of them meet.
func (t *Tree) Distance(i, j int32) float64 {
	n := t.Root
	for n.Explicit == nil {
		pi, ri := n.locate(i)
		pj, rj := n.locate(j)
		if pi > pj {
			pi, ri, pj, rj = pj, rj, pi, ri
		}
		s := len(n.SepIDs)
		switch {
		case pi == inLeft && pj == inRight:
			d := math.Inf(1)
			b := n.RightDist[rj*s:][:s]
			for k, a := range n.LeftDist[ri*s:][:s] {
				d = min(d, a+b[k])
			}
			return d
		case t.sampled && pj == inRight:
			n = n.Right
		case t.sampled:
			n = n.Left
		case pi == inLeft && pj == inSep:
			return n.LeftDist[ri*s+rj]
		case pi == inSep && pj == inSep:
			return n.SepDist[ri*s+rj]
		case pi == inSep && pj == inRight:
			return n.RightDist[rj*s+ri]
		case pi == inLeft:
			n = n.Left
		default:
			n = n.Right
		}
	}
	_, ri := n.locate(i)
	_, rj := n.locate(j)
	return shortest.From(n.Explicit, int32(ri))[rj]
}

// Distances fills dst (len n, nil allocates) with the distances of vertex i
// from all vertices, +Inf where no path leads.
func (t *Tree) Distances(ctx context.Context, dst []float64, i int) ([]float64, error) {
	if dst == nil {
		dst = make([]float64, t.Graph.Len())
	} else if len(dst) != t.Graph.Len() {
		panic("sgfi: Distances: destination has the wrong length")
	}
	if err := t.Root.distances(ctx, dst, int32(i), t.sampled); err != nil {
		return nil, err
	}
	return dst, nil
}

var _ linop.Distancer = (*Tree)(nil)

func (n *Node) distances(ctx context.Context, dst []float64, i int32, sampled bool) error {
	for n.Explicit == nil {
		if err := ctx.Err(); err != nil {
			return err
		}
		s := len(n.SepIDs)
		part, row := n.locate(i)
		switch {
		case part == inLeft:
			through(dst, n.RightIDs, n.RightDist, n.LeftDist[row*s:][:s])
			n = n.Left
		case part == inRight:
			through(dst, n.LeftIDs, n.LeftDist, n.RightDist[row*s:][:s])
			n = n.Right
		case sampled:
			if err := n.Right.distances(ctx, dst, i, sampled); err != nil {
				return err
			}
			n = n.Left // and here the separator's once more
		default:
			for j, v := range n.LeftIDs {
				dst[v] = n.LeftDist[j*s+row]
			}
			for j, v := range n.RightIDs {
				dst[v] = n.RightDist[j*s+row]
			}
			for j, v := range n.SepIDs {
				dst[v] = n.SepDist[row*s+j]
			}
			return ctx.Err()
		}
	}
	_, row := n.locate(i)
	for j, d := range shortest.From(n.Explicit, int32(row)) {
		dst[n.LeftIDs[j]] = d
	}
	return ctx.Err()
}

// through writes the distances of ids from a vertex at distance a[k] from
// separator vertex k, on the other side.
func through(dst []float64, ids []int32, dist, a []float64) {
	s := len(a)
	for j, v := range ids {
		d := math.Inf(1)
		for k, b := range dist[j*s:][:s] {
			if x := a[k] + b; x < d {
				d = x
			}
		}
		dst[v] = d
	}
}

// Crosses counts the nodes by the form that cross_compute has in a kernel: with
// one separator vertex, by range searching, or pair by pair.
func (t *Tree) Crosses() (single, ranged, paired int) {
	_, _ = t.plan(context.Background()) // never cancelled
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.single, t.ranged, t.paired
}

// Depth is how many levels of separators the tree has, the paper's h (Sec. 3.3): 0 of one leaf.
func (t *Tree) Depth() int { return t.Root.depth() }

func (n *Node) depth() int {
	if n.Explicit != nil {
		return 0
	}
	return 1 + max(n.Left.depth(), n.Right.depth())
}

// Bytes is the memory in bytes that the nodes hold.
func (t *Tree) Bytes() int64 { return t.Root.bytes() }

func (n *Node) bytes() int64 {
	b := 8*(len(n.SepDist)+len(n.LeftDist)+len(n.RightDist)) + 4*(len(n.LeftIDs)+len(n.SepIDs)+len(n.RightIDs))
	if g := n.Explicit; g != nil {
		return int64(b + 4*len(g.Offsets) + 12*len(g.Targets))
	}
	return int64(b) + n.Left.bytes() + n.Right.bytes()
}
