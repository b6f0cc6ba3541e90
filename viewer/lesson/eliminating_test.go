package lesson_test

import (
	"context"
	"slices"
	"testing"

	"genussink/core/treedec"
	"genussink/viewer/figure"
	"genussink/viewer/lesson"
	"genussink/viewer/lesson/model"
)

func TestEliminating(t *testing.T) {
	each(t, func(t *testing.T, r *reader, own *model.Graph) {
		g := own
		if g == nil {
			g = model.Planar(4, 4, 209)
		}
		cg := core(t, g)
		fill := func(v int) int { // pairs of neighbours that are not joined
			n, _ := cg.Neighbours(int32(v))
			missing := 0
			for i, a := range n {
				row, _ := cg.Neighbours(a)
				for _, b := range n[i+1:] {
					if _, ok := slices.BinarySearch(row, b); !ok {
						missing++
					}
				}
			}
			return missing
		}
		best, worst := 0, 0
		for v := range g.N {
			if fill(v) < fill(best) {
				best = v
			}
			if fill(v) > fill(worst) {
				worst = v
			}
		}
		degree := func(v int) float64 { n, _ := cg.Neighbours(int32(v)); return float64(len(n)) }
		r.open(3, 1)
		r.wrong()
		if fill(worst) > fill(best) {
			r.toggle(worst)
			r.wrong()
		}
		r.toggle(best)
		r.hold(r.reveal(), wants{"n": float64(g.N), "fewest": float64(fill(best)), "degree": degree(best), "fill": float64(fill(best))})
		r.right()

		// Any order will do; half of it first.
		var order []int
		for v := range g.N {
			order = append(order, (v*5+2)%g.N)
		}
		if len(slices.Compact(slices.Sorted(slices.Values(order)))) < g.N {
			order = nil
			for v := range g.N {
				order = append(order, v)
			}
		}
		r.open(3, 2)
		r.toggle(order[:g.N/2]...)
		r.wrong()
		r.toggle(order[g.N/2:]...)
		raw, err := treedec.FromOrder(cg, shorts(order))
		if err != nil {
			t.Fatal(err)
		}
		fills := -cg.Edges()
		for _, bag := range raw.Bags { // every vertex has as many later neighbours as its bag has others
			fills += len(bag) - 1
		}
		r.hold(r.view(), wants{"left": 0, "width": float64(raw.Width()), "fill": float64(fills), "degree": 0})
		r.right()

		rule, err := treedec.Order(context.Background(), cg, treedec.MinDegree, 0)
		if err != nil {
			t.Fatal(err)
		}
		ruled, err := treedec.FromOrder(cg, rule)
		if err != nil {
			t.Fatal(err)
		}
		tw := treewidth(t, g)
		good, err := tw.Decomposition.Order()
		if err != nil {
			t.Fatal(err)
		}
		if own == nil && ruled.Width() <= tw.Decomposition.Width() {
			t.Error("the rule is as good as can be: there is nothing to beat")
		}
		r.open(3, 3)
		r.wrong()
		r.toggle(ints(rule)...)
		if ruled.Width() > tw.Decomposition.Width() {
			r.wrong()
		}
		r.StartOver()
		r.toggle(ints(good)...)
		goodFill := -cg.Edges()
		narrow, err := treedec.FromOrder(cg, good)
		if err != nil {
			t.Fatal(err)
		}
		for _, bag := range narrow.Bags {
			goodFill += len(bag) - 1
		}
		w := float64(tw.Decomposition.Width())
		r.hold(r.reveal(), wants{"left": 0, "width": w, "fill": float64(goodFill), "degree": 0, "rule": float64(ruled.Width()), "upper": w})
		r.right()
		var made []figure.Lit // a bag for each vertex that goes
		for k, v := range good {
			made = append(made, figure.Lit{Vertices: []int{int(v)}, Bags: []int{k}})
			if !slices.Contains(bagsOf(r.view()).Bags[k], int(v)) {
				t.Errorf("3.3: bag %d is not that of vertex %d", k, v)
			}
		}
		linked(t, r.view(), made...)

		r.open(3, 4)
		for _, guess := range []float64{w - 1, w + 1} {
			r.act(lesson.Predict, 0, 0, guess)
			r.wrong()
		}
		r.act(lesson.Predict, 0, 0, w)
		r.reveal()
		r.Timeline().Seek(float64(g.N))
		bound := float64(treedec.MinorMinWidth(cg))
		r.hold(r.view(), wants{"n": float64(g.N), "sofar": bound, "degree": 0, "bound": bound, "upper": w, "lower": float64(tw.Lower)})
		r.right()
	})
}
