package separator

import (
	"context"
	"slices"

	"genussink/core/graph"
)

// ParetoBalance is the least balance of a list when Options does not say.
const ParetoBalance = 0.05

// Pareto returns separations of every size that pays: each has at least the share o.Balance (0: ParetoBalance) of the vertices on
// either side, and none is beaten by another in both size and balance. The smallest comes first. Each further one is larger and better
// balanced. ErrNoSeparation says that none was found.
func Pareto(ctx context.Context, g *graph.Graph, o Options) ([]Separation, error) {
	if o.Balance == 0 {
		o.Balance = ParetoBalance
	}
	least, err := check(ctx, g, o)
	if err != nil {
		return nil, err
	}
	p := divide(g, o)
	var list trades[Separation]
	if s, ok := p.whole(least); ok {
		list = list.add(len(s.S), lighter(s), s)
	}
	if !complete(p.g) {
		part, err := sweep(ctx, p.g, p.o, p.least(least), p.n)
		if err != nil {
			return nil, err
		}
		for _, t := range part {
			if s := p.extend(t.cut); lighter(s) >= least {
				list = list.add(t.size, lighter(s), s)
			}
		}
	}
	if list == nil {
		return nil, ErrNoSeparation
	}
	found := make([]Separation, len(list))
	for i, t := range list {
		found[i] = t.cut
	}
	return found, nil
}

// trades is a list of cuts of which each is larger and better balanced than
// the one before.
type trades[T any] []trade[T]

type trade[T any] struct {
	size, lighter int
	cut           T
}

// lacks reports whether no entry is as small and as balanced.
func (l trades[T]) lacks(size, lighter int) bool {
	return !slices.ContainsFunc(l, func(t trade[T]) bool { return t.size <= size && t.lighter >= lighter })
}

// add adds a cut, if the list lacks it, and drops those that it makes useless.
func (l trades[T]) add(size, lighter int, cut T) trades[T] {
	if !l.lacks(size, lighter) {
		return l
	}
	l = slices.DeleteFunc(l, func(t trade[T]) bool { return t.size >= size && t.lighter <= lighter })
	at := 0
	for at < len(l) && l[at].size < size {
		at++
	}
	return slices.Insert(l, at, trade[T]{size, lighter, cut})
}
