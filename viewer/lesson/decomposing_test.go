package lesson_test

import (
	"context"
	"slices"
	"testing"

	"genussink/core/treedec"
	"genussink/viewer/lesson"
	"genussink/viewer/lesson/model"
)

// cleaned is the core's decomposition by the rule of least degree.
func cleaned(t *testing.T, g *model.Graph) *treedec.Decomposition {
	t.Helper()
	d, err := treedec.Eliminate(context.Background(), core(t, g), treedec.MinDegree, 0)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestDecomposing(t *testing.T) {
	each(t, func(t *testing.T, r *reader, own *model.Graph) {
		g := own
		if g == nil {
			g = model.Seven()
		}
		d := cleaned(t, g)
		in := make([]int, g.N)
		for _, bag := range d.Bags {
			for _, v := range bag {
				in[v]++
			}
		}
		most, least := slices.Index(in, slices.Max(in)), slices.Index(in, slices.Min(in))
		r.open(2, 1)
		r.wrong()
		if in[least] < in[most] {
			r.toggle(least)
			r.wrong()
		}
		r.toggle(most)
		v := r.reveal()
		r.hold(v, wants{"n": float64(g.N), "bags": float64(len(d.Bags)), "width": float64(d.Width()), "mine": float64(in[most]), "most": float64(in[most])})
		r.right()

		// Fill with what the bags of the tree were.
		full := bagsOf(v)
		r.open(2, 2)
		empty := bagsOf(r.view())
		r.wrong()
		r.hold(r.view(), violations(t, g, empty))
		for b, bag := range full.Bags {
			if len(empty.Bags[b]) == 0 {
				for i, v := range bag {
					r.act(lesson.Drop, v, b, 0)
					if i == 0 {
						r.hold(r.view(), violations(t, g, bagsOf(r.view())))
					}
				}
			}
		}
		r.hold(r.view(), violations(t, g, bagsOf(r.view())))
		r.right()
		r.act(lesson.Drop, full.Bags[slices.IndexFunc(empty.Bags, func(b []int) bool { return len(b) == 0 })][0], slices.IndexFunc(empty.Bags, func(b []int) bool { return len(b) == 0 }), 0)
		r.wrong()

		tw := treewidth(t, g)
		w := float64(tw.Decomposition.Width())
		r.open(2, 3)
		for _, guess := range []float64{w - 1, w + 1} {
			r.act(lesson.Predict, 0, 0, guess)
			r.wrong()
		}
		r.act(lesson.Predict, 0, 0, w)
		r.hold(r.reveal(), wants{"width": float64(d.Width()), "upper": w, "lower": float64(tw.Lower), "largest": w + 1})
		r.right()
		if own != nil {
			return
		}
		r.open(2, 4)
		want, names := wants{}, []string{"tree", "cycle", "grid", "clique"}
		for i, g := range []*model.Graph{model.Tree(9), model.Cycle(8), model.Grid(4, 4), model.Clique(5)} {
			want[names[i]], want[names[i]+"N"] = float64(treewidth(t, g).Decomposition.Width()), float64(g.N)
			if i > 0 {
				r.act(lesson.Predict, i, 0, want[names[i]])
			}
		}
		r.wrong()
		r.act(lesson.Predict, 0, 0, want["tree"]+1)
		r.wrong()
		r.act(lesson.Predict, 0, 0, want["tree"])
		r.hold(r.reveal(), want)
		r.right()
	})
}
