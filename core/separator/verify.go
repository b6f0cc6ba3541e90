package separator

import (
	"fmt"

	"genussink/core/graph"
)

// Verify checks a separation of g against the definition and the balance (Options.Balance, 0 the default). It shares nothing with the
// finders. Its error names the rule, and where it is broken. It takes time linear in the graph.
func Verify(g *graph.Graph, s Separation, balance float64) error {
	const none, left, middle, right = 0, 1, 2, 3
	n := g.Len()
	if balance == 0 {
		balance = DefaultBalance
	}
	if !(balance > 0 && balance <= 0.5) {
		return fmt.Errorf("separator: balance %g, must lie in (0, 0.5]", balance)
	}
	where := make([]byte, n)
	for i, part := range [][]int32{s.A, s.S, s.B} {
		name := "ASB"[i]
		for k, v := range part {
			if v < 0 || int(v) >= n {
				return fmt.Errorf("separator: range: %c[%d] is vertex %d of %d", name, k, v, n)
			}
			if k > 0 && part[k-1] >= v {
				return fmt.Errorf("separator: order: %c[%d] is %d after %d", name, k, v, part[k-1])
			}
			if where[v] != none {
				return fmt.Errorf("separator: disjointness: vertex %d lies in %c and %c", v, "?ASB"[where[v]], name)
			}
			where[v] = byte(left + i)
		}
	}
	for v, w := range where {
		if w == none {
			return fmt.Errorf("separator: cover: vertex %d lies nowhere", v)
		}
	}
	for v, w := range where {
		if w == middle {
			continue
		}
		to, _ := g.Neighbours(int32(v))
		for _, t := range to {
			if where[t] != w && where[t] != middle {
				return fmt.Errorf("separator: separation: edge %d-%d joins A and B", v, t)
			}
		}
	}
	for i, part := range [][]int32{s.A, s.B} {
		if len(part) == 0 {
			return fmt.Errorf("separator: balance: %c holds 0 of %d vertices", "AB"[i], n)
		}
		if float64(len(part)) > float64(n)-float64(balance*float64(n))+1e-9 {
			return fmt.Errorf("separator: balance: %c holds %d of %d vertices, more than the share %.4g", "AB"[i], len(part), n, 1-balance)
		}
	}
	return nil
}
