package septree

import (
	"context"
	"fmt"
	"slices"

	"genussink/core/graph"
	"genussink/core/treedec"
)

// Along finds the tree of g along a tree decomposition, which must be valid. A cell is the vertices of some subtrees of the
// decomposition. Its separator is what one bag has that no cell above has. Of Options it uses Leaf and Progress alone.
func Along(ctx context.Context, g *graph.Graph, d *treedec.Decomposition, o Options) (*Tree, error) {
	n := g.Len()
	if o.Leaf < 0 {
		return nil, fmt.Errorf("septree: leaves of %d vertices, at least 1 is possible", o.Leaf)
	}
	if o.Leaf == 0 {
		o.Leaf = DefaultLeaf
	}
	roots, err := piecesAlong(ctx, g, d, o)
	if err != nil {
		return nil, err
	}
	t := &Tree{Order: make([]int32, 0, n), Rank: make([]int32, n), Owner: make([]int32, n)}
	for _, p := range roots {
		t.number(p, -1, 0)
	}
	return t, t.finish(ctx, g)
}

// piecesAlong cuts a tree decomposition into pieces, of every component the root.
func piecesAlong(ctx context.Context, g *graph.Graph, d *treedec.Decomposition, o Options) (roots []*piece, err error) {
	a := &along{o: o, placed: make([]bool, g.Len())}
	starts, err := a.components(ctx, g, d)
	if err != nil {
		return nil, err
	}
	for _, bag := range starts {
		p, err := a.split(ctx, a.subtrees([]int32{bag}))
		if err != nil {
			return nil, err
		}
		roots = append(roots, p)
	}
	return roots, nil
}

// along cuts a tree decomposition into pieces.
type along struct {
	o          Options
	bags       [][]int32 // each of one component
	neighbours [][]int32 // of a bag: its neighbours
	residents  [][]int32 // of a bag: vertices, each in one bag that holds it
	dead       []bool    // bags that separated a cell
	placed     []bool    // vertices in a separator
	done       int
}

// components takes the decomposition apart by the components of g, and returns a bag
// of each.
func (a *along) components(ctx context.Context, g *graph.Graph, d *treedec.Decomposition) (starts []int32, err error) {
	component, count := g.Components()
	starts = make([]int32, count)
	for c := range starts {
		starts[c] = -1
	}
	home := make([]bool, len(component))
	parts := make([][]int32, len(d.Bags)) // of a bag
	for i, bag := range d.Bags {
		if i%1024 == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
		for _, v := range bag {
			k := slices.IndexFunc(parts[i], func(p int32) bool { return component[a.bags[p][0]] == component[v] })
			if k < 0 {
				k = len(parts[i])
				parts[i] = append(parts[i], int32(len(a.bags)))
				a.bags, a.neighbours, a.residents = append(a.bags, nil), append(a.neighbours, nil), append(a.residents, nil)
			}
			p := parts[i][k]
			a.bags[p] = append(a.bags[p], v)
			if starts[component[v]] < 0 {
				starts[component[v]] = p
			}
			if !home[v] {
				home[v] = true
				a.residents[p] = append(a.residents[p], v)
			}
		}
	}
	for _, e := range d.Tree {
		for _, p := range parts[e[0]] {
			for _, q := range parts[e[1]] {
				if component[a.bags[p][0]] == component[a.bags[q][0]] {
					a.neighbours[p], a.neighbours[q] = append(a.neighbours[p], q), append(a.neighbours[q], p)
				}
			}
		}
	}
	a.dead = make([]bool, len(a.bags))
	return starts, ctx.Err()
}

// A subtree is a part of the decomposition without dead bags, parents before
// children.
type subtree []visit

// A visit is to a bag from another, which is given by its position in the list of visits.
type visit struct {
	bag, from int32
	weight    int // vertices that are not placed at home in the bag, and in those below
	heavy     int // the heaviest subtree below
}

func (b subtree) weight() int { return b[0].weight }

// subtrees visits the subtrees that hang at the bags, and drops those that have
// no vertex left.
func (a *along) subtrees(bags []int32) (list []subtree) {
	for _, bag := range bags {
		if a.dead[bag] {
			continue
		}
		walk := []visit{{bag: bag, from: -1}}
		for i := 0; i < len(walk); i++ {
			for _, v := range a.residents[walk[i].bag] {
				if !a.placed[v] {
					walk[i].weight++
				}
			}
			before := int32(-1)
			if walk[i].from >= 0 {
				before = walk[walk[i].from].bag
			}
			for _, j := range a.neighbours[walk[i].bag] {
				if j != before && !a.dead[j] {
					walk = append(walk, visit{bag: j, from: int32(i)})
				}
			}
		}
		for i := len(walk) - 1; i > 0; i-- {
			up := &walk[walk[i].from]
			up.weight += walk[i].weight
			up.heavy = max(up.heavy, walk[i].weight)
		}
		if walk[0].weight > 0 {
			list = append(list, walk)
		}
	}
	return list
}

// split cuts a cell: several subtrees by themselves, in order, so that
// neighbours stay together, and one at the bag that leaves the lightest.
func (a *along) split(ctx context.Context, list []subtree) (*piece, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	total := 0
	for _, b := range list {
		total += b.weight()
	}
	if total <= a.o.Leaf {
		return a.leaf(list), nil
	}
	p := &piece{}
	if len(list) == 1 {
		walk := list[0]
		bag, least := int32(0), total+1
		for _, at := range walk {
			if worst := max(at.heavy, total-at.weight); worst < least {
				bag, least = at.bag, worst
			}
		}
		for _, v := range a.bags[bag] {
			if !a.placed[v] {
				a.placed[v] = true
				p.separator = append(p.separator, v)
			}
		}
		a.dead[bag] = true
		rest := a.subtrees(a.neighbours[bag])
		if len(rest) < 2 {
			// Nothing to part: the bag has half the vertices or more.
			leaf := a.leaf(rest)
			leaf.separator = append(leaf.separator, p.separator...)
			return leaf, nil
		}
		a.settled(len(p.separator))
		list, total = rest, total-len(p.separator)
	}
	// The two sides that differ least.
	cut, left := 1, list[0].weight()
	for cut+1 < len(list) && 2*left+list[cut].weight() <= total {
		left += list[cut].weight()
		cut++
	}
	var err error
	if p.left, err = a.split(ctx, list[:cut]); err != nil {
		return nil, err
	}
	p.right, err = a.split(ctx, list[cut:])
	return p, err
}

func (a *along) leaf(list []subtree) *piece {
	p := &piece{}
	for _, b := range list {
		for _, at := range b {
			for _, v := range a.residents[at.bag] {
				if !a.placed[v] {
					a.placed[v] = true
					p.separator = append(p.separator, v)
				}
			}
		}
	}
	a.settled(len(p.separator))
	return p
}

func (a *along) settled(count int) {
	if a.done += count; a.o.Progress != nil {
		a.o.Progress("tree", float64(a.done)/float64(len(a.placed)))
	}
}
