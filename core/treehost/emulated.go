package treehost

import (
	"context"
	"math"
	"slices"
)

// Sizes of trees that are not cut further: of a skeleton, whose nodes stand
// for many portals each, and of any other tree, of whose nodes only the
// vertices count.
const (
	skeletonSize = 3
	plainSize    = 16
)

// emulator finds a graph on the nodes of a tree in which any two are joined by
// few hops, all along the path between them, and a tree decomposition of it.
// Nodes are bags of the embedding, and behind them one leaf for every vertex.
type emulator struct {
	cliques []clique
	clique  []int32 // of a bag in a skeleton: the clique that it is a member of there
}

// a clique is a bag of the emulator's decomposition: members are joined to each
// other and to anchors.
type clique struct {
	parent           int32
	members, anchors []int32
}

// a tree is a rooted tree of nodes, parents before children; up is the position
// of a node's parent.
type tree struct{ nodes, up []int32 }

// cut chooses at most 2 sqrt(n)-1 nodes, with any two their lowest common
// ancestor, that leave components of at most sqrt(n) nodes.
func (t tree) cut() (chosen []bool) {
	n := len(t.nodes)
	chosen = make([]bool, n)
	limit := int(math.Sqrt(float64(n)))
	size := make([]int, n)   // of what hangs together below
	below := make([]int8, n) // subtrees with a chosen node, up to two
	for i := n - 1; i >= 0; i-- {
		size[i]++
		if size[i] > limit || below[i] > 1 {
			chosen[i] = true
			size[i] = 0
		}
		if i > 0 {
			size[t.up[i]] += size[i]
			if chosen[i] || below[i] > 0 {
				below[t.up[i]] = min(2, below[t.up[i]]+1)
			}
		}
	}
	return chosen
}

// emulate adds the cliques of a tree, every one with the given anchors, and
// returns the first of them and how many nodes, at most, a path between two of
// the tree's needs in between.
func (e *emulator) emulate(ctx context.Context, t tree, anchors []int32, parent int32, skeleton bool) (hops int, err error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	n := len(t.nodes)
	size := plainSize
	if skeleton {
		size = skeletonSize
	}
	if n <= size {
		if skeleton {
			for _, v := range t.nodes {
				e.clique[v] = int32(len(e.cliques))
			}
		}
		e.cliques = append(e.cliques, clique{parent, t.nodes, anchors})
		return 0, nil
	}
	chosen := t.cut()
	// The skeleton: chosen nodes under their nearest chosen ancestors.
	nearest := make([]int32, n)  // position of the nearest chosen node above or here
	position := make([]int32, n) // of a chosen node in the skeleton, of another in its component
	top := make([]int32, n)      // of a node not chosen: position of its component's root
	var bones tree
	components := make(map[int32]*tree)
	ends := make(map[int32]int32) // of a component: the chosen node below it
	var roots []int32
	for i := range int32(n) {
		up := t.up[i]
		above := none
		if i > 0 {
			above = nearest[up]
		}
		if chosen[i] {
			nearest[i], position[i] = i, int32(len(bones.nodes))
			bones.nodes = append(bones.nodes, t.nodes[i])
			if above == none {
				bones.up = append(bones.up, none)
			} else {
				bones.up = append(bones.up, position[above])
			}
			if i > 0 && !chosen[up] {
				ends[top[up]] = i
			}
			continue
		}
		nearest[i] = above
		if i == 0 || chosen[up] {
			top[i], position[i] = i, 0
			components[i] = &tree{[]int32{t.nodes[i]}, []int32{none}}
			roots = append(roots, i)
			continue
		}
		top[i] = top[up]
		component := components[top[i]]
		position[i] = int32(len(component.nodes))
		component.nodes = append(component.nodes, t.nodes[i])
		component.up = append(component.up, position[up])
	}
	between, err := e.emulate(ctx, bones, anchors, parent, true)
	if err != nil {
		return 0, err
	}
	hops = between + 2
	for _, r := range roots {
		var ties []int32
		if nearest[r] != none {
			ties = append(ties, t.nodes[nearest[r]])
		}
		if end, ok := ends[r]; ok {
			ties = append(ties, t.nodes[end])
		}
		within, err := e.emulate(ctx, *components[r], slices.Concat(anchors, ties), e.holds(ties), skeleton)
		if err != nil {
			return 0, err
		}
		hops = max(hops, within)
	}
	return hops, nil
}

// holds is a clique that holds all of one or two neighbours in a skeleton.
func (e *emulator) holds(ties []int32) int32 {
	for _, v := range ties {
		c := e.cliques[e.clique[v]]
		if !slices.ContainsFunc(ties, func(u int32) bool { return !slices.Contains(c.members, u) && !slices.Contains(c.anchors, u) }) {
			return e.clique[v]
		}
	}
	panic("treehost: neighbours in a skeleton without a clique")
}

// emulate makes the pieces of the emulated construction.
func emulate(ctx context.Context, b *bags, distortion float64) (pieces []piece, portal []bool, bound float64, err error) {
	n, count := len(b.home), int32(len(b.corners))
	e := &emulator{clique: make([]int32, count)}
	for i := range e.clique {
		e.clique[i] = none
	}
	inTop := make([]bool, n)
	for _, v := range b.top {
		inTop[v] = true
	}
	residents := make([][]int32, count)
	for v, home := range b.home {
		if !inTop[v] {
			residents[home] = append(residents[home], int32(v))
		}
	}
	// Every component's tree, without subtrees that lead to no vertex.
	seen := make([]bool, count)
	hops := 1 // a path may touch top, or a bag beside it
	for i := range count {
		if seen[i] {
			continue
		}
		t := b.hang(i, residents, seen)
		if len(t.nodes) == 0 {
			continue
		}
		h, err := e.emulate(ctx, t, nil, none, false)
		if err != nil {
			return nil, nil, 0, err
		}
		hops = max(hops, h)
	}
	// A vertex on a bag has a portal within the radius, among its ancestors.
	radius := distortion / 2 / float64(hops)
	portal = make([]bool, n)
	above := make([]float64, n) // distance of the nearest portal up the tree
	tolerance := 0.0
	for _, v := range b.order {
		p := b.parent[v]
		if p != none {
			above[v] = above[p] + b.dist[v] - b.dist[p]
		}
		if p == none || above[v] > radius {
			portal[v], above[v] = true, 0
		}
		tolerance = max(tolerance, above[v])
	}
	portalsOf := make([][]int32, count)
	portals := func(bag int32) []int32 {
		if portalsOf[bag] == nil {
			set := []int32{}
			for _, v := range b.corners[bag] {
				for ; v != none; v = b.parent[v] {
					if portal[v] {
						set = append(set, v)
					}
				}
			}
			slices.Sort(set)
			portalsOf[bag] = slices.Compact(set)
		}
		return portalsOf[bag]
	}
	var top []int32
	for _, v := range b.top {
		if portal[v] {
			top = append(top, v)
		}
	}
	root := none
	if len(top) > 0 {
		root = 0
		pieces = append(pieces, piece{none, top, nil})
	}
	offset := int32(len(pieces))
	for i, c := range e.cliques {
		p := piece{parent: root}
		if c.parent != none {
			p.parent = c.parent + offset
		}
		for _, m := range c.members {
			switch {
			case m >= count:
				p.members = append(p.members, m-count)
			case e.clique[m] == int32(i):
				p.members = append(p.members, portals(m)...)
			}
		}
		for _, a := range c.anchors {
			p.anchors = append(p.anchors, portals(a)...)
		}
		p.anchors = append(p.anchors, top...)
		slices.Sort(p.members)
		p.members = slices.Compact(p.members)
		slices.Sort(p.anchors)
		p.anchors = slices.Compact(p.anchors)
		pieces = append(pieces, p)
	}
	for _, v := range b.top {
		if !portal[v] {
			pieces = append(pieces, piece{root, []int32{v}, top})
		}
	}
	return pieces, portal, 2 * float64(hops) * tolerance, nil
}

// hang makes the tree of the bags that hang together with one of them. Bags
// without residents are left out where no more than one subtree below them has
// any; every resident is a leaf, numbered after all bags.
func (b *bags) hang(bag int32, residents [][]int32, seen []bool) tree {
	type visit struct {
		bag, from int32
		subtrees  int   // with residents
		kept      int32 // position in the tree of the bag or, where that is left out, of the one above
	}
	walk := []visit{{bag: bag, from: none}}
	seen[bag] = true
	for i := 0; i < len(walk); i++ {
		for _, j := range b.links[walk[i].bag] {
			if !seen[j] {
				seen[j] = true
				walk = append(walk, visit{bag: j, from: int32(i)})
			}
		}
	}
	for i := len(walk) - 1; i > 0; i-- {
		if walk[i].subtrees > 0 || len(residents[walk[i].bag]) > 0 {
			walk[walk[i].from].subtrees++
		}
	}
	var t tree
	for i := range walk {
		at := &walk[i]
		at.kept = none
		if at.from != none {
			at.kept = walk[at.from].kept
		}
		if own := residents[at.bag]; at.subtrees > 1 || len(own) > 0 {
			t.nodes, t.up = append(t.nodes, at.bag), append(t.up, at.kept)
			at.kept = int32(len(t.nodes)) - 1
			for _, v := range own {
				t.nodes, t.up = append(t.nodes, int32(len(b.corners))+v), append(t.up, at.kept)
			}
		}
	}
	return t
}
