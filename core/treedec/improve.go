package treedec

import (
	"context"
	"errors"
	"math/rand/v2"

	"genussink/core/graph"
)

// improve makes the leaf's order anew, in whole or around a widest bag, until
// it is narrower, and returns the steps left; or until they are spent. An order
// that is as good as the one before replaces it, so that the search wanders.
func (p *piece) improve(ctx context.Context, steps int, random *rand.Rand) (left int, err error) {
	for width := p.width; steps > 0 && p.width == width; {
		used := p.decomposition.work()
		if random.IntN(4) > 0 {
			used, err = p.around(ctx, random)
		} else {
			err = p.remake(ctx, random)
		}
		if err != nil {
			return steps, err
		}
		steps -= used
	}
	return steps, nil
}

// remake offers a new order with random ties, in half of all cases by minimum
// fill.
func (p *piece) remake(ctx context.Context, random *rand.Rand) error {
	rule := []Rule{MinDegree, MinFill, MinFill, Sweep}[random.IntN(4)]
	order, _, err := eliminate(ctx, p.Graph, rule, 1+random.Uint64N(1<<62), p.Len(), p.width)
	if errors.Is(err, ErrWide) {
		return nil
	}
	if err != nil {
		return err
	}
	return p.offer(order)
}

// farFrom says that a search for a proof is not worth much time.
func farFrom(lower, width int) bool { return width > 2*lower+4 }

// work is about what it takes to make the decomposition by a rule, in steps.
func (d *Decomposition) work() (steps int) {
	for _, b := range d.Bags {
		steps += 8 + len(b)*len(b)
	}
	return 2 * steps
}

// around improves the order around one of the widest bags. Rooted at that bag
// the decomposition gives an order as good that eliminates what is far from it
// first; the graph that the last vertices then make is small, and better orders
// of it are better orders of the whole.
func (p *piece) around(ctx context.Context, random *rand.Rand) (steps int, err error) {
	n := p.Len()
	chosen := random.IntN(p.wide)
	root := 0
	for b, bag := range p.decomposition.Bags {
		if len(bag) == p.width+1 {
			if chosen--; chosen < 0 {
				root = b
				break
			}
		}
	}
	order, err := p.decomposition.OrderTo(root)
	if err != nil {
		return 0, err
	}
	last := min(n, p.width+2+random.IntN(4*p.width+40))
	d, err := FromOrder(p.Graph, order)
	if err != nil {
		return 0, err
	}
	h := lastGraph(p.Graph, d, order, last)
	part := &piece{Graph: h}
	old := make([]int32, last)
	for i := range old {
		old[i] = int32(i)
	}
	if err := part.offer(old); err != nil {
		return 0, err
	}
	before := [2]int{part.width, part.wide}
	steps = n + d.work()/8
	for range 8 {
		if err := part.remake(ctx, random); err != nil {
			return 0, err
		}
		steps += part.decomposition.work()
	}
	if low := MinorMinWidth(h); part.width == p.width && part.width > low && !farFrom(low, part.width) {
		s := newSearch(h, part.width-1)
		narrower, err := s.run(ctx, steps/8)
		if err != nil && !errors.Is(err, errPaused) && !errors.Is(err, errFull) {
			return 0, err
		}
		steps += steps/8 - s.steps
		if narrower != nil {
			local, err := narrower.Order()
			if err == nil {
				err = part.offer(local)
			}
			if err != nil {
				return 0, err
			}
		}
	}
	if before == [2]int{part.width, part.wide} && random.IntN(2) == 0 {
		return steps, nil
	}
	tail := order[n-last:]
	copy(tail, pick(tail, part.order))
	return steps, p.offer(order)
}

// lastGraph is the graph that is left when all but the last vertices of an
// order are eliminated: they make the neighbours that they have at the end a
// clique. Its vertices are numbered by their positions.
func lastGraph(g *graph.Graph, d *Decomposition, order []int32, last int) *graph.Graph {
	first := int32(len(order) - last)
	position := positions(order)
	var edges []graph.Edge
	for i, bag := range d.Bags {
		v := order[i]
		if int32(i) >= first {
			to, _ := g.Neighbours(v)
			for _, u := range to {
				if position[u] > int32(i) {
					edges = append(edges, graph.Edge{U: int32(i) - first, V: position[u] - first, Weight: 1})
				}
			}
			continue
		}
		later := int32(len(order))
		for _, u := range bag {
			if u != v {
				later = min(later, position[u])
			}
		}
		if later < first {
			continue // the bag that it hangs on says the same
		}
		for k, u := range bag {
			for _, w := range bag[:k] {
				if u != v && w != v {
					edges = append(edges, graph.Edge{U: position[u] - first, V: position[w] - first, Weight: 1})
				}
			}
		}
	}
	return build(last, edges)
}
