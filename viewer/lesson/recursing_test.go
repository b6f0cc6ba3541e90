package lesson_test

import (
	"math"
	"slices"
	"testing"

	"genussink/core/job"
	"genussink/core/shortest"
	"genussink/viewer/lesson"
	"genussink/viewer/lesson/model"
)

func TestRecursion(t *testing.T) {
	each(t, func(t *testing.T, r *reader, own *model.Graph) {
		g := own
		if g == nil {
			g = model.Grid(8, 8)
		}
		cg := core(t, g)
		d := &lesson.Desk{}
		d.Ask(g, &job.Separate{})
		errand, _ := d.Take()
		s := office.answer(t, errand).(*job.Separated)
		levels, work := 0, map[int]int{}
		inner := 0
		for _, n := range s.Nodes {
			if n.Left >= 0 || n.Right >= 0 {
				levels = max(levels, int(n.Depth)+1)
				work[int(n.Depth)+1] += int(n.S) * int(n.A+n.S+n.B)
				inner++
			}
		}
		root := s.Nodes[0]
		r.open(5, 1)
		r.act(lesson.Predict, 0, 0, float64(levels+2))
		r.wrong()
		r.act(lesson.Predict, 0, 0, float64(levels))
		r.hold(r.reveal(), wants{"n": float64(g.N), "A": float64(root.A), "S": float64(root.S), "B": float64(root.B), "depth": float64(levels), "nodes": float64(len(s.Nodes)), "log": math.Log2(float64(g.N))})
		r.right()

		r.open(5, 2)
		heaviest, total := 1, 0
		for l := 1; l <= levels; l++ {
			total += work[l]
			if work[l] > work[heaviest] {
				heaviest = l
			}
		}
		r.act(lesson.Predict, 0, 0, float64(heaviest+1))
		r.wrong()
		r.act(lesson.Predict, 0, 0, float64(heaviest))
		r.reveal()
		r.Timeline().Seek(float64(inner))
		last := job.Node{Depth: -1}
		for _, n := range s.Nodes {
			if n.Depth >= last.Depth && (n.Left >= 0 || n.Right >= 0) {
				last = n
			}
		}
		r.hold(r.view(), wants{"A": float64(last.A), "S": float64(last.S), "B": float64(last.B), "level": float64(levels), "total": float64(total), "pairs": float64(g.N * g.N), "heaviest": float64(heaviest)})
		r.right()

		r.open(5, 3)
		r.wrong()
		marked := roles(r.view(), current)
		if len(marked) != 2 {
			t.Fatalf("5.3: %v are marked", marked)
		}
		di, dj := shortest.From(cg, int32(marked[0])), shortest.From(cg, int32(marked[1]))
		best, mine, worst := -1, math.Inf(1), -1
		for v, cell := range s.Cells {
			if cell == 0 {
				if x := di[v] + dj[v]; x < mine {
					best, mine = v, x
				}
				if worst < 0 || di[v]+dj[v] > di[worst]+dj[worst] {
					worst = v
				}
			}
		}
		if di[worst]+dj[worst] > mine {
			r.toggle(worst)
			r.wrong()
		}
		r.toggle(best)
		r.hold(r.reveal(), wants{"S": float64(root.S), "mine": mine, "best": mine, "d": di[marked[1]]})
		if mine != di[marked[1]] {
			t.Errorf("5.3: the best way is %v, the distance %v", mine, di[marked[1]])
		}
		r.right()

		r.open(5, 4)
		v := r.reveal()
		needed, _ := v.Reading("needed")
		r.wrong()
		h := g
		if own == nil || v.Instead != "" {
			h = model.Cycle(14)
		}
		// The hint's own pair, for want of another: it has to be one that the core finds farther apart inside.
		r.toggle(0)
		r.toggle(h.N - 1)
		verdict := r.check()
		if verdict.Pass || verdict.Hint != "which" {
			t.Fatalf("5.4: %+v", verdict)
		}
		x, y := verdict.Place[0].ID, verdict.Place[1].ID
		r.StartOver()
		r.reveal()
		r.toggle(x, y)
		v = r.view()
		gone := roles(v, out)
		var inside []int32
		place := map[int]int{}
		for u := range h.N {
			if !slices.Contains(gone, u) {
				place[u] = len(inside)
				inside = append(inside, int32(u))
			}
		}
		ch := core(t, h)
		part := ch.Induced(inside)
		if a, b := shortest.From(part, int32(place[x]))[place[y]], shortest.From(ch, int32(x))[y]; !(a > b) {
			t.Errorf("5.4: %d and %d are %v apart inside, %v in truth", x, y, a, b)
		}
		// The pair in need, by the hint for too few.
		r.StartOver()
		r.reveal()
		two := r.check().Place
		p, q := two[0].ID, two[1].ID
		r.toggle(x, y)
		v = r.view()
		size, _ := v.Reading("S")
		r.hold(v, wants{"S": size.Value, "needed": needed.Value, "detour": shortest.From(part, int32(place[p]))[place[q]], "true": shortest.From(ch, int32(p))[q], "length": shortest.From(ch, int32(x))[y]})
		r.right()
	})
}
