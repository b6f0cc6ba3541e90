package planar

import (
	"context"
	"fmt"
	"slices"
	"sort"

	"genussink/core/graph"
)

// Witness proves that a graph is not planar: a subdivision of K5 or K3,3 in it.
type Witness struct {
	Branch []int32   // 5 vertices of K5, or 6 of K3,3, each of the first three joined to each of the last three
	Paths  [][]int32 // the 10 or 9 paths between branch vertices, with their ends
}

// Name is "K5" or "K3,3".
func (w *Witness) Name() string {
	if len(w.Branch) == 5 {
		return "K5"
	}
	return "K3,3"
}

// Verify checks the witness against g and names what fails.
func (w *Witness) Verify(g *graph.Graph) error {
	const branch, inner = 1, 2
	var joined [6][6]bool
	place := func(v int32) int { return slices.Index(w.Branch, v) }
	switch {
	case len(w.Branch) == 5 && len(w.Paths) == 10:
		for i := range 5 {
			joined[i][i] = true
		}
	case len(w.Branch) == 6 && len(w.Paths) == 9:
		for i := range 6 {
			for j := range 6 {
				joined[i][j] = i/3 == j/3
			}
		}
	default:
		return fmt.Errorf("planar: %d branch vertices and %d paths", len(w.Branch), len(w.Paths))
	}
	use := make([]byte, g.Len())
	take := func(v int32, as byte) error {
		if v < 0 || int(v) >= len(use) {
			return fmt.Errorf("planar: vertex %d of %d", v, len(use))
		}
		if use[v] != 0 {
			return fmt.Errorf("planar: vertex %d is used twice", v)
		}
		use[v] = as
		return nil
	}
	for _, v := range w.Branch {
		if err := take(v, branch); err != nil {
			return err
		}
	}
	for k, p := range w.Paths {
		if len(p) < 2 {
			return fmt.Errorf("planar: path %d has %d vertices", k, len(p))
		}
		i, j := place(p[0]), place(p[len(p)-1])
		if i < 0 || j < 0 {
			return fmt.Errorf("planar: path %d ends in %d and %d, not both branch vertices", k, p[0], p[len(p)-1])
		}
		if joined[i][j] {
			return fmt.Errorf("planar: path %d joins %d and %d, which %s does not ask for", k, p[0], p[len(p)-1], w.Name())
		}
		joined[i][j], joined[j][i] = true, true
		for _, v := range p[1 : len(p)-1] {
			if err := take(v, inner); err != nil {
				return err
			}
		}
		for at, v := range p[1:] {
			to, _ := g.Neighbours(p[at])
			if _, ok := slices.BinarySearch(to, v); !ok {
				return fmt.Errorf("planar: path %d has no edge from %d to %d", k, p[at], v)
			}
		}
	}
	return nil // as many paths as pairs, and none twice
}

// Kuratowski returns a witness that g is not planar, nil if it is. It tests
// subgraphs for planarity: about a logarithm of the edges for each of the few
// edges that the witness needs outside a breadth-first tree.
func Kuratowski(ctx context.Context, g *graph.Graph) (*Witness, error) {
	if planar, err := newLeftRight(ctx, g.Offsets, g.Targets).test(); planar || err != nil {
		return nil, err
	}
	h := &subgraph{ctx: ctx, g: g, twin: Twins(g), kept: make([]bool, len(g.Targets))}
	outside := h.forest()
	// Grow the tree by edges that are needed: with those found so far, the
	// first prefix of the rest that is not planar ends in one.
	for {
		var failed error
		k := sort.Search(len(outside), func(k int) bool {
			if failed != nil {
				return true
			}
			h.set(outside[:k], true)
			planar, err := h.planar()
			h.set(outside[:k], false)
			failed = err
			return err != nil || !planar
		})
		if failed != nil {
			return nil, failed
		}
		if k == 0 {
			break
		}
		h.set(outside[k-1:k], true)
		outside = outside[:k-1]
	}
	// What is left has few chains; drop those that are not needed.
	_, chains := h.chains()
	for _, c := range chains {
		h.set(c, false)
		planar, err := h.planar()
		if err != nil {
			return nil, err
		}
		if planar {
			h.set(c, true)
		}
	}
	branch, chains := h.chains()
	w := &Witness{Branch: branch}
	for _, c := range chains {
		path := []int32{h.from(c[0])}
		for _, a := range c {
			path = append(path, g.Targets[a])
		}
		w.Paths = append(w.Paths, path)
	}
	if len(branch) == 6 { // the side of the first, then the other
		other := map[int32]bool{}
		for _, p := range w.Paths {
			if p[0] == branch[0] {
				other[p[len(p)-1]] = true
			} else if p[len(p)-1] == branch[0] {
				other[p[0]] = true
			}
		}
		slices.SortStableFunc(branch, func(u, v int32) int {
			switch {
			case other[u] == other[v]:
				return 0
			case other[v]:
				return -1
			}
			return 1
		})
	}
	return w, nil
}

// subgraph is a choice of edges of a graph.
type subgraph struct {
	ctx  context.Context
	g    *graph.Graph
	twin []int32
	kept []bool // of an arc
}

func (h *subgraph) from(a int32) int32 { return h.g.Targets[h.twin[a]] }

func (h *subgraph) set(arcs []int32, kept bool) {
	for _, a := range arcs {
		h.kept[a], h.kept[h.twin[a]] = kept, kept
	}
}

// forest keeps a breadth-first forest and lists the other edges, one arc of
// each, in the order in which the search meets them.
func (h *subgraph) forest() (outside []int32) {
	n := h.g.Len()
	seen := make([]bool, n)
	queue := make([]int32, 0, n)
	listed := make([]bool, len(h.kept))
	for r := range int32(n) {
		if seen[r] {
			continue
		}
		seen[r] = true
		queue = append(queue[:0], r)
		for i := 0; i < len(queue); i++ {
			v := queue[i]
			for a := h.g.Offsets[v]; a < h.g.Offsets[v+1]; a++ {
				b := h.twin[a]
				switch w := h.g.Targets[a]; {
				case !seen[w]:
					seen[w] = true
					queue = append(queue, w)
					h.kept[a], h.kept[b] = true, true
				case !h.kept[a] && !listed[b]:
					listed[a] = true
					outside = append(outside, a)
				}
			}
		}
	}
	return outside
}

// planar tests the edges that are kept.
func (h *subgraph) planar() (bool, error) {
	n := h.g.Len()
	offsets := make([]int32, n+1)
	var targets []int32
	for v := range n {
		for a := h.g.Offsets[v]; a < h.g.Offsets[v+1]; a++ {
			if h.kept[a] {
				targets = append(targets, h.g.Targets[a])
			}
		}
		offsets[v+1] = int32(len(targets))
	}
	return newLeftRight(h.ctx, offsets, targets).test()
}

// chains drops the edges that lie on no cycle and on no path between cycles,
// and returns the vertices of degree three or more, ascending, and the paths of
// arcs between them.
func (h *subgraph) chains() (branch []int32, chains [][]int32) {
	n := int32(h.g.Len())
	degree := make([]int32, n)
	var leaves []int32
	for v := range n {
		for a := h.g.Offsets[v]; a < h.g.Offsets[v+1]; a++ {
			if h.kept[a] {
				degree[v]++
			}
		}
		if degree[v] == 1 {
			leaves = append(leaves, v)
		}
	}
	only := func(v, but int32) int32 { // an arc from v that is kept, other than but
		for a := h.g.Offsets[v]; a < h.g.Offsets[v+1]; a++ {
			if h.kept[a] && a != but {
				return a
			}
		}
		return none
	}
	for len(leaves) > 0 {
		v := leaves[len(leaves)-1]
		leaves = leaves[:len(leaves)-1]
		if degree[v] != 1 {
			continue
		}
		a := only(v, none)
		h.kept[a], h.kept[h.twin[a]] = false, false
		degree[v] = 0
		w := h.g.Targets[a]
		if degree[w]--; degree[w] == 1 {
			leaves = append(leaves, w)
		}
	}
	done := make([]bool, len(h.kept))
	for v := range n {
		if degree[v] < 3 {
			continue
		}
		branch = append(branch, v)
		for a := h.g.Offsets[v]; a < h.g.Offsets[v+1]; a++ {
			if !h.kept[a] || done[a] {
				continue
			}
			chain := []int32{a}
			for degree[h.g.Targets[chain[len(chain)-1]]] == 2 {
				last := chain[len(chain)-1]
				chain = append(chain, only(h.g.Targets[last], h.twin[last]))
			}
			done[h.twin[chain[len(chain)-1]]] = true
			chains = append(chains, chain)
		}
	}
	return branch, chains
}
