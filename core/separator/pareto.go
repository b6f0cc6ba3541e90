package separator

import (
	"context"
	"errors"
	"math"

	"genussink/core/graph"
)

// Pareto returns the trade of size against balance: separations by the default
// finder for balances from o.Balance (0: 0.05) to 0.45 in steps of 0.05, without
// those that another one beats in size and in balance; the smallest first, so
// that each further one is larger and better balanced. ErrNoSeparation where
// none was found.
func Pareto(ctx context.Context, g *graph.Graph, o Options) ([]Separation, error) {
	if _, err := leastSide(g.Len(), o.Balance); err != nil {
		return nil, err
	}
	from := o.Balance
	if from == 0 {
		from = 0.05
	}
	f, err := ByName("")
	if err != nil {
		return nil, err
	}
	var list []Separation
	smallest := math.MaxInt
	for step := 9; step >= 1; step-- { // from the best balanced down, each must be smaller
		o.Balance = max(from, float64(step)/20)
		s, err := f.Find(ctx, g, o)
		if err != nil && !errors.Is(err, ErrNoSeparation) {
			return nil, err
		}
		if err == nil && (len(s.S) < smallest || len(s.S) == smallest && lighter(s) > lighter(list[0])) {
			for len(list) > 0 && lighter(list[0]) <= lighter(s) {
				list = list[1:]
			}
			list = append([]Separation{s}, list...)
			smallest = len(s.S)
		}
		if o.Balance == from {
			break
		}
	}
	if list == nil {
		return nil, ErrNoSeparation
	}
	return list, nil
}

// lighter is the size of the smaller side.
func lighter(s Separation) int { return min(len(s.A), len(s.B)) }
