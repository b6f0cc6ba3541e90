package lesson_test

import (
	"fmt"
	"slices"
	"testing"

	"genussink/core/job"
	"genussink/viewer/figure"
	"genussink/viewer/lesson"
	"genussink/viewer/lesson/model"
)

// spots are places in one figure.
func spots(at int, kind figure.Kind, ids ...int) (out []lesson.Spot) {
	for _, id := range ids {
		out = append(out, lesson.Spot{Figure: at, Ref: figure.Ref{Kind: kind, ID: id}})
	}
	return out
}

// upTo lists the whole numbers from one to below another.
func upTo(from, to int) (out []int) {
	for i := from; i < to; i++ {
		out = append(out, i)
	}
	return out
}

// kite is a clique of four, 0 to 3, with a tail from 3: 4 and 5.
func kite() *model.Graph {
	return &model.Graph{Name: "kite", N: 6, Edges: [][2]int{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}, {3, 4}, {4, 5}}}
}

// serve answers what lies on the desk.
func (r *reader) serve() {
	for {
		errand, ok := r.desk.Take()
		if !ok {
			return
		}
		r.desk.Answer(errand.Key, office.answer(r.T, errand))
	}
}

// separatorTree is the engine's of a graph.
func separatorTree(t *testing.T, g *model.Graph) *job.Separated {
	t.Helper()
	return run(engineOf(t, g), &job.Separate{}).(*job.Separated)
}

// Every hint of every step comes up on a graph that is not the lesson's, where there can be one, and points at the places that are worked out
// here: by hand, or from the core.
func TestHints(t *testing.T) {
	defer office.open(0)
	guess := func(r *reader, x float64) { r.act(lesson.Predict, 0, 0, x) }
	path, tree := func() *model.Graph { return model.Path(9) }, func() *model.Graph { return model.Tree(9) }
	none := func() *model.Graph { return nil }
	front := func() *model.Graph { return model.Planar(5, 9, 6) }
	// Of a graph's cuts: the index of the smallest that is even enough, and of the first that an act is wanted for.
	pick := func(t *testing.T, wrong func(balance, want float64, size, best int) bool) (best, bad int) {
		g := front()
		list, balances, most := swept(t, g), []float64(nil), 0.0
		for _, s := range list {
			a, b, _ := split(t, core(t, g), s)
			balances = append(balances, same(a, b, g.N))
			most = max(most, balances[len(balances)-1])
		}
		best = slices.IndexFunc(balances, func(x float64) bool { return x >= 0.9*most }) // they are in order of size
		bad = slices.IndexFunc(balances, func(x float64) bool {
			i := slices.Index(balances, x)
			return wrong(x, 0.9*most, len(list[i]), len(list[best]))
		})
		if bad < 0 {
			t.Fatalf("no cut of %v and %v is wrong", list, balances)
		}
		return best, bad
	}
	split0 := func(t *testing.T, g *model.Graph) (s *job.Separated, separator, larger []int) {
		s = separatorTree(t, g)
		side := s.Nodes[0].Left
		if s.Nodes[0].B > s.Nodes[0].A {
			side = s.Nodes[0].Right
		}
		for x := range g.N {
			switch sideOf(s.Nodes, s.Cells, x) {
			case 0:
				separator = append(separator, x)
			case int(side):
				larger = append(larger, x)
			}
		}
		return s, separator, larger
	}
	// The bags next to one in a tree.
	beside := func(d *model.Decomposition, bag int) (out []int) {
		for b, up := range d.Parent {
			if up == bag || d.Parent[bag] == b {
				out = append(out, b)
			}
		}
		return out
	}
	source := func(r *reader) int {
		x, _, _ := apart(r.T, r.Own())
		return slices.Index(x, slices.Max(x))
	}
	finder := func(t *testing.T) int { return fairest(t, core(t, path()), swept(t, path()))[0] }
	names := []string{"dense", "exact", "certified", "embedded", "sampled"}
	quickest := func(r *reader) (best int) {
		best = -1
		for i, name := range names {
			v := r.view()
			if e, ok := v.Reading(name + "Error"); ok && e.Value <= 0.001 && (best < 0 || r.reading(name+"Seconds") < r.reading(names[best]+"Seconds")) {
				best = i
			}
		}
		return best
	}
	seen := map[string]bool{}
	for _, c := range []struct {
		number, step int
		hint         string
		graph        func() *model.Graph
		play         func(r *reader) []lesson.Spot // what it comes to
	}{
		{1, 1, "open", path, func(r *reader) []lesson.Spot { r.toggle(0); return spots(0, figure.Vertex, upTo(1, 9)...) }},
		{1, 1, "lopsided", path, func(r *reader) []lesson.Spot { r.toggle(1); return spots(0, figure.Vertex, upTo(2, 9)...) }},
		{1, 1, "nothing", path, func(r *reader) []lesson.Spot {
			r.toggle(upTo(0, 9)...)
			return spots(0, figure.Vertex, upTo(0, 9)...)
		}},
		{1, 2, "open", path, func(r *reader) []lesson.Spot {
			guess(r, 1)
			r.toggle(8)
			return spots(0, figure.Vertex, upTo(0, 8)...)
		}},
		{1, 2, "lopsided", path, func(r *reader) []lesson.Spot {
			guess(r, 1)
			r.toggle(7)
			return spots(0, figure.Vertex, upTo(0, 7)...)
		}},
		{1, 2, "nothing", path, func(r *reader) []lesson.Spot {
			guess(r, 1)
			r.toggle(upTo(0, 9)...)
			return spots(0, figure.Vertex, upTo(0, 9)...)
		}},
		{1, 2, "larger", path, func(r *reader) []lesson.Spot {
			guess(r, 1)
			r.toggle(finder(r.T)-1, finder(r.T)+1)
			return spots(0, figure.Vertex, finder(r.T))
		}},
		{1, 2, "spare", path, func(r *reader) []lesson.Spot {
			guess(r, 1)
			r.toggle(finder(r.T), 8)
			return spots(0, figure.Vertex, 8)
		}},
		{1, 3, "none", front, func(r *reader) []lesson.Spot {
			best, _ := pick(r.T, func(float64, float64, int, int) bool { return true })
			return spots(0, figure.Point, best)
		}},
		{1, 3, "uneven", front, func(r *reader) []lesson.Spot {
			best, bad := pick(r.T, func(balance, want float64, _, _ int) bool { return balance < want })
			r.act(lesson.Choose, bad, 0, 0)
			return spots(0, figure.Point, best)
		}},
		{1, 3, "large", front, func(r *reader) []lesson.Spot {
			best, bad := pick(r.T, func(balance, want float64, size, best int) bool { return balance >= want && size > best })
			r.act(lesson.Choose, bad, 0, 0)
			return spots(0, figure.Point, best)
		}},
		{1, 4, "wait", none, func(r *reader) []lesson.Spot { guess(r, 2); return spots(0, figure.Vertex, 0) }},
		{1, 4, "row", none, func(r *reader) []lesson.Spot {
			r.act(lesson.Slide, 0, 0, 7)
			guess(r, 2)
			r.check() // asks for all grids
			r.serve()
			return spots(0, figure.Vertex, 3, 10, 17, 24, 31, 38, 45)
		}},
		{1, 4, "curve", none, func(r *reader) []lesson.Spot { guess(r, 2); r.reveal(); return spots(1, figure.Point, 0, 6) }},
		{1, 5, "ring", none, func(r *reader) []lesson.Spot {
			guess(r, 5)
			return spots(1, figure.Vertex, 0, 8, 16, 24, 32, 40, 48, 56)
		}},
		{2, 1, "fewer", path, func(r *reader) []lesson.Spot {
			r.toggle(0)
			d := bagsOf(r.view())
			for x := range 9 {
				if in := holders(d, x); len(in) > 1 { // of a path no vertex is in more
					return spots(1, figure.Bag, in...)
				}
			}
			return nil
		}},
		{2, 2, "vertex", path, func(r *reader) []lesson.Spot {
			d := bagsOf(r.view())
			return spots(0, figure.Vertex, slices.IndexFunc(upTo(0, 9), func(x int) bool { return holders(d, x) == nil }))
		}},
		{2, 2, "edge", path, func(r *reader) []lesson.Spot {
			empty := slices.IndexFunc(bagsOf(r.view()).Bags, func(b []int) bool { return len(b) == 0 })
			for x := range 9 {
				if holders(bagsOf(r.view()), x) == nil {
					r.act(lesson.Drop, x, empty, 0)
				}
			}
			d := bagsOf(r.view())
			for x := range 8 { // the edges of a path
				if !slices.ContainsFunc(holders(d, x), func(b int) bool { return slices.Contains(d.Bags[b], x+1) }) {
					return spots(0, figure.Vertex, x, x+1)
				}
			}
			return nil
		}},
		{2, 2, "connected", path, func(r *reader) []lesson.Spot {
			v := r.view()
			d := bagsOf(v)
			for x := range 8 { // every edge that is in no bag into an empty one
				if slices.ContainsFunc(holders(d, x), func(b int) bool { return slices.Contains(d.Bags[b], x+1) }) {
					continue
				}
				empty := slices.IndexFunc(d.Bags, func(b []int) bool { return len(b) == 0 })
				r.act(lesson.Drop, x, empty, 0)
				r.act(lesson.Drop, x+1, empty, 0)
				d = bagsOf(r.view())
			}
			for x := range 9 {
				if in := holders(d, x); len(in) == 2 && d.Parent[in[0]] != in[1] && d.Parent[in[1]] != in[0] {
					return append(spots(0, figure.Vertex, x), spots(1, figure.Bag, in...)...)
				}
			}
			// They hang together: one more place tears them.
			last := slices.IndexFunc(d.Bags, func(b []int) bool { return slices.Contains(b, 8) })
			r.act(lesson.Drop, 0, last, 0)
			return append(spots(0, figure.Vertex, 0), spots(1, figure.Bag, holders(bagsOf(r.view()), 0)...)...)
		}},
		{2, 3, "low", kite, func(r *reader) []lesson.Spot { guess(r, 2); return spots(0, figure.Vertex, 0, 1, 2, 3) }},
		{2, 3, "high", kite, func(r *reader) []lesson.Spot {
			guess(r, 4)
			return spots(1, figure.Bag, slices.IndexFunc(bagsOf(r.view()).Bags, func(b []int) bool { return len(b) == 4 }))
		}},
		{2, 3, "high", kite, func(r *reader) []lesson.Spot { // the bags are others after the answer
			guess(r, 4)
			return spots(1, figure.Bag, slices.IndexFunc(bagsOf(r.reveal()).Bags, func(b []int) bool { return len(b) == 4 }))
		}},
		{2, 4, "low", none, func(r *reader) []lesson.Spot {
			for i, x := range []float64{1, 2, 4, 3} {
				r.act(lesson.Predict, i, 0, x)
			}
			return spots(3, figure.Vertex, 0, 1, 2, 3, 4)
		}},
		{2, 4, "high", none, func(r *reader) []lesson.Spot {
			for i, x := range []float64{2, 2, 4, 4} {
				r.act(lesson.Predict, i, 0, x)
			}
			return spots(0, figure.Vertex, 1, 4) // the first leaf, and what it hangs from
		}},
		{3, 1, "none", tree, func(*reader) []lesson.Spot { return spots(0, figure.Vertex, 4) }},
		{3, 1, "fill", tree, func(r *reader) []lesson.Spot { r.toggle(1); return spots(0, figure.Vertex, 0, 3, 4) }},
		{3, 2, "left", path, func(r *reader) []lesson.Spot { r.toggle(2, 5); return spots(0, figure.Vertex, 0, 1, 3, 4, 6, 7, 8) }},
		{3, 3, "left", path, func(r *reader) []lesson.Spot { r.toggle(7, 8); return spots(0, figure.Vertex, upTo(0, 7)...) }},
		{3, 3, "wide", path, func(r *reader) []lesson.Spot {
			r.toggle(0, 3, 1, 2, 4, 5, 6, 7, 8)
			return append(spots(0, figure.Vertex, 3), spots(3, figure.Point, 1)...)
		}},
		{3, 4, "low", kite, func(r *reader) []lesson.Spot { guess(r, 2); return spots(0, figure.Vertex, 0, 1, 2, 3) }},
		{3, 4, "high", kite, func(r *reader) []lesson.Spot { guess(r, 4); return spots(0, figure.Vertex, 0, 1, 2, 3) }},
		{4, 1, "pieces", tree, func(r *reader) []lesson.Spot {
			v := r.view()
			guess(r, 9)
			bag := slices.Index(v.Figures[1].(*figure.Tree).Roles, separates)
			return spots(1, figure.Bag, beside(bagsOf(v), bag)...)
		}},
		{4, 2, "none", path, func(r *reader) []lesson.Spot {
			d := bagsOf(r.view())
			c, _ := climb(d, 9)
			return spots(1, figure.Bag, append(beside(d, c), c)...)
		}},
		{4, 2, "heavy", path, func(r *reader) []lesson.Spot {
			d := bagsOf(r.view())
			end := slices.IndexFunc(d.Bags, func(b []int) bool { return slices.Contains(b, 8) })
			r.act(lesson.Pick, end, 0, 0)
			rest := upTo(0, slices.Min(d.Bags[end]))
			return append(spots(0, figure.Vertex, rest...), spots(1, figure.Bag, beside(d, end)...)...)
		}},
		{4, 3, "low", tree, func(r *reader) []lesson.Spot {
			guess(r, 2)
			_, way := climb(bagsOf(r.view()), 9)
			return spots(1, figure.Bag, way[1])
		}},
		{4, 3, "high", tree, func(r *reader) []lesson.Spot {
			guess(r, 99)
			c, _ := climb(bagsOf(r.view()), 9)
			return spots(1, figure.Bag, c)
		}},
		{4, 4, "move", path, func(r *reader) []lesson.Spot {
			return append(spots(1, figure.Point, 0), spots(0, figure.Vertex, r.view().Pieces[0]...)...)
		}},
		{5, 1, "halve", front, func(r *reader) []lesson.Spot {
			guess(r, 19)
			_, _, larger := split0(r.T, front())
			return spots(0, figure.Vertex, larger...)
		}},
		{5, 2, "level", front, func(r *reader) []lesson.Spot {
			guess(r, 19)
			s := separatorTree(r.T, front())
			work := map[int32]int{}
			for _, n := range s.Nodes {
				if n.Left >= 0 || n.Right >= 0 {
					work[n.Depth] += int(n.S) * int(n.A+n.S+n.B)
				}
			}
			best := int32(0)
			for l := range int32(len(work)) {
				if work[l] > work[best] {
					best = l
				}
			}
			var nodes []int
			for i, n := range s.Nodes {
				if n.Depth == best && n.Left >= 0 {
					nodes = append(nodes, i)
				}
			}
			return spots(1, figure.Bag, nodes...)
		}},
		{5, 3, "outside", front, func(r *reader) []lesson.Spot {
			_, separator, _ := split0(r.T, front())
			return spots(0, figure.Vertex, separator...)
		}},
		{5, 3, "longer", front, func(r *reader) []lesson.Spot {
			_, separator, _ := split0(r.T, front())
			ends, to := roles(r.view(), current), ways(core(r.T, front()), separator)
			long := func(k int) float64 { return to[k][ends[0]] + to[k][ends[1]] }
			best, worst := 0, 0
			for k := range separator {
				if long(k) < long(best) {
					best = k
				}
				if long(k) > long(worst) {
					worst = k
				}
			}
			r.toggle(separator[worst])
			return spots(0, figure.Vertex, separator[best])
		}},
		{5, 4, "two", func() *model.Graph { return model.Planar(6, 6, 1) }, func(r *reader) []lesson.Spot {
			marked, _ := shortcuts(r.T, r, r.Own())
			r.StartOver()
			return spots(0, figure.Vertex, marked[:]...)
		}},
		{5, 4, "which", func() *model.Graph { return model.Planar(7, 8, 2) }, func(r *reader) []lesson.Spot {
			marked, pair := shortcuts(r.T, r, r.Own())
			r.StartOver()
			r.toggle(marked[:]...)
			return spots(0, figure.Vertex, pair[:]...)
		}},
		{5, 5, "low", path, func(r *reader) []lesson.Spot { guess(r, 0); return spots(0, figure.Vertex, upTo(0, 9)...) }},
		{5, 5, "high", path, func(r *reader) []lesson.Spot { guess(r, 40); return spots(0, figure.Vertex, upTo(0, 9)...) }},
		{6, 1, "once", none, func(r *reader) []lesson.Spot {
			r.act(lesson.Slide, 0, 0, 15)
			guess(r, 4000)
			return spots(0, figure.Vertex, upTo(1, 15)...)
		}},
		{6, 2, "line", func() *model.Graph { return model.Cycle(17) }, func(r *reader) []lesson.Spot {
			row, column := block(r.T, r)
			r.StartOver()
			guess(r, 1000)
			return spots(0, figure.Vertex, row, column)
		}},
		{6, 3, "dimensions", none, func(r *reader) []lesson.Spot {
			r.act(lesson.Slide, 0, 0, 4)
			guess(r, 40)
			return spots(0, figure.Vertex, 30, 90, 150, 210)
		}},
		{6, 3, "curve", none, func(r *reader) []lesson.Spot {
			guess(r, 40)
			r.reveal()
			return spots(2, figure.Point, int(min(r.reading("crossover"), 6))-1) // crossover holds that to hand counts
		}},
		{6, 4, "runs", func() *model.Graph { return model.Planar(10, 16, 3) }, func(r *reader) []lesson.Spot {
			guess(r, 30)
			var ids []int
			c, last := coverOf(r.view()), (int(r.reading("rows"))+1)/2-1
			for id, run := range c.Runs {
				if run.FirstRow <= last && last < run.LastRow {
					ids = append(ids, id)
				}
			}
			if last != len(c.Rows)-1 {
				r.Errorf("%d rows are shown, not %d", len(c.Rows), last+1)
			}
			return spots(1, figure.Run, ids...)
		}},
		{7, 1, "blurred", tree, func(r *reader) []lesson.Spot { return spots(0, figure.Row, source(r)) }},
		{7, 2, "rows", tree, func(r *reader) []lesson.Spot { guess(r, 3); return spots(0, figure.Row, source(r)) }},
		{7, 3, "few", tree, func(r *reader) []lesson.Spot { guess(r, 1); return spots(1, figure.Point, 0, 1) }},
		{7, 3, "many", tree, func(r *reader) []lesson.Spot { guess(r, 5000); return spots(1, figure.Point, 0, 1) }},
		{7, 3, "steep", tree, func(r *reader) []lesson.Spot { guess(r, 5000); r.reveal(); return spots(0, figure.Point, 0, 4) }},
		{7, 4, "early", tree, func(r *reader) []lesson.Spot {
			first := r.firstClose()
			r.Timeline().Seek(float64(first - 1))
			return spots(0, figure.Point, max(first-2, 0))
		}},
		{7, 4, "late", tree, func(r *reader) []lesson.Spot {
			first := r.firstClose()
			r.Timeline().Seek(float64(first + 2))
			return spots(0, figure.Point, first-1)
		}},
		{7, 5, "blurred", none, func(*reader) []lesson.Spot { return spots(0, figure.Point, 0) }},
		{8, 1, "none", none, func(r *reader) []lesson.Spot { return spots(0, figure.Point, quickest(r)) }},
		{8, 1, "wrong", none, func(r *reader) []lesson.Spot {
			bad := slices.IndexFunc(names, func(name string) bool { return r.reading(name+"Error") > 0.001 })
			r.act(lesson.Choose, bad, 0, 0)
			return spots(0, figure.Point, bad)
		}},
		{8, 1, "slow", none, func(r *reader) []lesson.Spot {
			best := quickest(r)
			r.act(lesson.Choose, slices.IndexFunc(names, func(name string) bool {
				return r.reading(name+"Error") <= 0.001 && r.reading(name+"Seconds") > r.reading(names[best]+"Seconds")
			}), 0, 0)
			return spots(0, figure.Point, best)
		}},
		{8, 2, "low", none, func(r *reader) []lesson.Spot { guess(r, 1); return spots(0, figure.Point, 2) }},
		{8, 2, "high", none, func(r *reader) []lesson.Spot { guess(r, 1e7); return spots(0, figure.Point, 1) }},
		{8, 3, "bound", none, func(r *reader) []lesson.Spot { guess(r, 1); return spots(0, figure.Point, 0) }},
		{8, 4, "none", none, func(r *reader) []lesson.Spot { guess(r, 0); return spots(0, figure.Point, 0) }},
	} {
		name := fmt.Sprintf("%d.%d %s", c.number, c.step, c.hint)
		seen[name] = true
		if office.open(0); lesson.Lessons()[c.number-1].Steps[c.step-1].Mesh {
			office.open(2)
		}
		r := newReader(t, c.graph())
		r.open(c.number, c.step)
		want := c.play(r)
		r.wrong()
		verdict := r.Verdict()
		if verdict.Hint != c.hint || !slices.Equal(ordered(verdict.Place), ordered(want)) {
			t.Errorf("%s: the hint is %q at %v, not at %v", name, verdict.Hint, verdict.Place, want)
		}
	}
	for i, l := range lesson.Lessons() {
		for k, s := range l.Steps {
			for hint := range s.Text.Hints {
				if name := fmt.Sprintf("%d.%d %s", i+1, k+1, hint); !seen[name] {
					t.Errorf("nothing leads to the hint %s", name)
				}
			}
		}
	}
}

// ordered are places in order, as words.
func ordered(list []lesson.Spot) (out []string) {
	for _, s := range list {
		out = append(out, fmt.Sprint(s.Figure, s.Kind, s.ID))
	}
	slices.Sort(out)
	return out
}

// holders are the bags with a vertex.
func holders(d *model.Decomposition, v int) (bags []int) {
	for b, bag := range d.Bags {
		if slices.Contains(bag, v) {
			bags = append(bags, b)
		}
	}
	return bags
}

// firstClose is the first half step of 7.4 at which the gap is at most a hundredth of the plan's value.
func (r *reader) firstClose() int {
	for half := 1; ; half++ {
		if r.Timeline().Seek(float64(half)); r.reading("gapShare") <= 0.01 {
			return half
		}
	}
}
