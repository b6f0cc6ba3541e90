package lesson_test

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"genussink/core/job"
	"genussink/core/treedec"
	"genussink/viewer/figure"
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
		list := v.Figures[2].(*figure.Table)
		if len(list.Entries) != len(d.Bags) {
			t.Errorf("2.1: %d rows for %d bags", len(list.Entries), len(d.Bags))
		}
		for b, bag := range bagsOf(v).Bags {
			var names []string
			for _, v := range bag {
				names = append(names, g.VertexName(v))
			}
			row := list.Entries[b]
			if want := []string{fmt.Sprint(b + 1), strings.Join(names, " "), fmt.Sprint(len(bag))}; !slices.Equal(row.Cells, want) || (row.Role == figure.Current) != slices.Contains(bag, most) {
				t.Errorf("2.1: row %d is %v, not %v, and has the role %v", b, row.Cells, want, row.Role)
			}
		}
		r.right()

		// Fill with what the bags of the tree were.
		full := bagsOf(v)
		r.open(2, 2)
		empty := bagsOf(r.view())
		r.wrong()
		rules := func() {
			t.Helper()
			v, now := r.view(), violations(t, g, bagsOf(r.view()))
			r.hold(v, now)
			if want := []bool{now["loose"] == 0, now["uncovered"] == 0, now["torn"] == 0}; !slices.Equal(v.Holds, want) {
				t.Errorf("rules hold: %v, not %v", v.Holds, want)
			}
		}
		rules()
		for b, bag := range full.Bags {
			if len(empty.Bags[b]) == 0 {
				for i, v := range bag {
					r.act(lesson.Drop, v, b, 0)
					if i == 0 {
						rules()
					}
				}
			}
		}
		rules()
		r.right()
		r.act(lesson.Drop, full.Bags[slices.IndexFunc(empty.Bags, func(b []int) bool { return len(b) == 0 })][0], slices.IndexFunc(empty.Bags, func(b []int) bool { return len(b) == 0 }), 0)
		r.wrong()

		tw := treewidth(t, g)
		w := float64(tw.Decomposition.Width())
		r.open(2, 3)
		rules()
		widest := slices.IndexFunc(full.Bags, func(bag []int) bool { return len(bag) == d.Width()+1 })
		r.act(lesson.Drop, full.Bags[widest][0], widest, 0) // out of the bag
		if len(bagsOf(r.view()).Bags[widest]) != d.Width() {
			t.Errorf("bag %d holds %v", widest, bagsOf(r.view()).Bags[widest])
		}
		rules()
		r.act(lesson.Drop, full.Bags[widest][0], widest, 0) // and in again
		rules()
		for _, guess := range []float64{w - 1, w + 1} {
			r.act(lesson.Predict, 0, 0, guess)
			r.wrong()
		}
		// With the answer on the screen the hint still points at the largest of the reader's own bags.
		r.act(lesson.Predict, 0, 0, w+1)
		r.reveal()
		r.wrong()
		if place := r.Verdict().Place; len(place) != 1 || place[0].Figure != 1 || len(full.Bags[place[0].ID]) != d.Width()+1 {
			t.Errorf("2.3: with the answer the hint points at %v", place)
		}
		r.act(lesson.Predict, 0, 0, w)
		answer := r.reveal()
		if mine := bagsOf(answer); !reflect.DeepEqual(mine.Bags, full.Bags) {
			t.Errorf("2.3: with the answer the reader's bags are %v", mine.Bags)
		}
		best := answer.Figures[2].(*figure.Tree)
		narrowest := asCore(g, &model.Decomposition{Bags: best.Members, Parent: best.Parent})
		if err := narrowest.Validate(core(t, g)); err != nil || float64(narrowest.Width()) != w {
			t.Errorf("2.3: the narrowest has width %d, not %v; %v", narrowest.Width(), w, err)
		}
		// Its bags have numbers of their own: no bag of the reader's is lit with one.
		if lit := figure.Select(best.Targets(figureLook)[0].Ref, answer.Figures...); len(lit.Bags) != 1 || lit.Bags[0] < len(full.Bags) || !slices.Equal(lit.Vertices, best.Members[lit.Bags[0]-len(full.Bags)]) {
			t.Errorf("2.3: a bag of the narrowest lights %+v", lit)
		}
		r.hold(answer, wants{"loose": 0, "uncovered": 0, "torn": 0, "width": float64(asCore(g, full).Width()), "upper": w, "lower": float64(tw.Lower), "largest": w + 1})
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

// The four families have at other sizes the treewidths that the text names, by the core and by what the step asks the engine. The step itself
// shows one graph of each, and has no other to choose.
func TestFamilies(t *testing.T) {
	for _, f := range []struct {
		make  func(size int) *model.Graph
		width func(size int) int
		sizes []int
	}{
		{model.Tree, func(int) int { return 1 }, []int{2, 5, 12, 31, 64}},
		{model.Cycle, func(int) int { return 2 }, []int{3, 5, 12, 25, 40}},
		{func(k int) *model.Graph { return model.Grid(k, k) }, func(k int) int { return k }, []int{2, 3, 5, 6, 7}},
		{model.Clique, func(n int) int { return n - 1 }, []int{3, 4, 6, 7, 12}},
	} {
		for _, size := range f.sizes {
			g := f.make(size)
			d := &lesson.Desk{}
			d.Ask(g, &job.Decompose{Seconds: 5})
			errand, _ := d.Take()
			found := office.answer(t, errand).(*job.Decomposed)
			if w, c := f.width(size), treewidth(t, g).Decomposition.Width(); c != w || found.Upper != w || found.Lower != w {
				t.Errorf("%s: the treewidth is %d, the core's %d, the engine's %d to %d", g.Name, w, c, found.Lower, found.Upper)
			}
		}
	}
}
