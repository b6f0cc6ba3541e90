package lesson_test

import (
	"slices"
	"testing"

	"genussink/viewer/lesson"
	"genussink/viewer/lesson/model"
)

func TestSeparating(t *testing.T) {
	each(t, func(t *testing.T, r *reader, own *model.Graph) {
		g := own
		if g == nil {
			g = model.TwoTree(16, 4)
		}
		cg := core(t, g)
		parts := func(bag []int) int {
			var rest []int32
			for v := range g.N {
				if !slices.Contains(bag, v) {
					rest = append(rest, int32(v))
				}
			}
			_, n := cg.Induced(rest).Components()
			return n
		}
		r.open(4, 1)
		d := bagsOf(r.view())
		if err := asCore(g, d).Validate(cg); err != nil {
			t.Fatal(err)
		}
		busiest := 0
		for b := range d.Bags {
			if parts(d.Bags[b]) > parts(d.Bags[busiest]) {
				busiest = b
			}
		}
		next := 0
		for b, up := range d.Parent {
			if up == busiest || b == busiest && up >= 0 {
				next++
			}
		}
		pieces := float64(parts(d.Bags[busiest]))
		r.act(lesson.Predict, 0, 0, pieces+1)
		r.wrong()
		r.act(lesson.Predict, 0, 0, pieces)
		r.hold(r.reveal(), wants{"size": float64(len(d.Bags[busiest])), "next": float64(next), "pieces": pieces})
		r.right()

		r.open(4, 2)
		r.wrong()
		leaves := func(b int) int { _, _, l := split(t, cg, d.Bags[b]); return l }
		for b := range d.Bags {
			r.act(lesson.Pick, b, 0, 0)
			r.hold(r.view(), wants{"n": float64(g.N), "largest": float64(leaves(b)), "pieces": float64(parts(d.Bags[b]))})
			if 2*leaves(b) > g.N {
				r.wrong()
			} else {
				r.right()
			}
		}
		r.open(4, 3)
		c, err := asCore(g, d).Centroid()
		if err != nil {
			t.Fatal(err)
		}
		if 2*leaves(c) > g.N {
			t.Errorf("the core's centroid leaves %d of %d", leaves(c), g.N)
		}
		r.act(lesson.Predict, 0, 0, 0)
		r.wrong()
		v := r.reveal()
		looked, _ := v.Reading("looked")
		r.Timeline().Seek(looked.Value)
		v = r.view()
		belowReading, _ := v.Reading("below")
		if 2*belowReading.Value < float64(g.N) || looked.Value > float64(len(d.Bags)) {
			t.Errorf("4.3: the walk ends after %v bags with %v of %d vertices", looked.Value, belowReading.Value, g.N)
		}
		// The bag where it ends, and what hangs below it, have at least half; before it no bag has.
		found, walk := d.Centroid(g)
		want := wants{"n": float64(g.N), "half": float64(g.N) / 2, "bags": float64(len(d.Bags)), "looked": float64(len(walk)), "below": float64(hangs(d, found)), "largest": float64(leaves(found))}
		for _, w := range walk[:len(walk)-1] {
			if 2*hangs(d, w.Bag) >= g.N {
				t.Errorf("4.3: the walk passes bag %d", w.Bag)
			}
		}
		r.hold(v, want)
		r.act(lesson.Predict, 0, 0, looked.Value)
		r.right()

		r.open(4, 4)
		n := parts(d.Bags[found])
		if n > 1 {
			r.wrong()
		}
		for tries := 0; tries < 3*n && !r.check().Pass; tries++ {
			// Do as the hint says.
			for _, spot := range r.Verdict().Place {
				if spot.Figure == 1 {
					r.act(lesson.Move, spot.ID, 0, 0)
				}
			}
		}
		r.right()
		v = r.view()
		a, _ := v.Reading("A")
		b, _ := v.Reading("B")
		r.hold(v, wants{"n": float64(g.N), "pieces": float64(n), "A": a.Value, "S": float64(g.N) - a.Value - b.Value, "B": b.Value, "larger": max(a.Value, b.Value) / float64(g.N)})
		if s := float64(len(d.Bags[found])); a.Value+b.Value+s != float64(g.N) || 3*max(a.Value, b.Value) > 2*float64(g.N) {
			t.Errorf("4.4: %v + %v + %v of %d", a.Value, s, b.Value, g.N)
		}
	})
}
