package lesson_test

import (
	"fmt"
	"slices"
	"testing"

	"genussink/core/graph"
	"genussink/viewer/figure"
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
		found, way := climb(d, g.N)
		if at := slices.Index(way, c); at >= 0 && at < len(way)-1 {
			t.Errorf("4.3: the core's centroid %d is passed before %d", c, found)
		}
		// The hint points at where the walk is after as many bags, and says what it has counted there.
		for _, guess := range []int{0, len(way) - 1, len(way) + 1} {
			r.act(lesson.Predict, 0, 0, float64(guess))
			r.wrong()
			at := way[min(max(guess, 1), len(way))-1]
			if hint := r.Verdict(); len(hint.Place) != 1 || hint.Place[0].ID != at || hint.Say != fmt.Sprint(hangs(d, at)) || (hint.Hint == "high") != (guess > len(way)) {
				t.Errorf("4.3: of %d bags the hint is %+v, the bag %d holds %d", guess, hint, at, hangs(d, at))
			}
		}
		r.reveal()
		for i, bag := range way {
			r.Timeline().Seek(float64(i + 1))
			want := wants{"n": float64(g.N), "half": float64(g.N) / 2, "bags": float64(len(d.Bags)), "looked": float64(len(way)), "below": float64(hangs(d, bag))}
			if bag == found {
				want["largest"] = float64(leaves(found))
			}
			r.hold(r.view(), want)
		}
		r.act(lesson.Predict, 0, 0, float64(len(way)))
		r.right()

		r.open(4, 4)
		n := parts(d.Bags[found])
		pieceOf := make([]figure.Lit, n)
		for i, f := range r.view().Figures[1].(*figure.Chart).Dots { // in the order of the dots, by a vertex of each
			pieceOf[i].Vertices = component(cg, d.Bags[found], f.Vertices[0])
			if f.Y != float64(len(pieceOf[i].Vertices)) {
				t.Errorf("4.4: the piece of %d has %v vertices, not %d", f.Vertices[0], f.Y, len(pieceOf[i].Vertices))
			}
		}
		linked(t, r.view(), pieceOf...)
		if n > 1 {
			r.wrong()
		}
		moved := make([]bool, n)
		for tries := 0; tries < 3*n && !r.check().Pass; tries++ {
			dealt(t, r, cg, d.Bags[found], moved)
			// Do as the hint says.
			for _, spot := range r.Verdict().Place {
				if spot.Figure == 1 {
					r.act(lesson.Move, spot.ID, 0, 0)
					moved[spot.ID] = !moved[spot.ID]
				}
			}
		}
		r.right()
		if a, b := dealt(t, r, cg, d.Bags[found], moved); 3*max(a, b) > 2*g.N {
			t.Errorf("4.4: %d and %d of %d", a, b, g.N)
		}
	})
}

// component are the vertices that one reaches without some others, by the core.
func component(g *graph.Graph, without []int, from int) (list []int) {
	var rest []int32
	for v := range g.Len() {
		if !slices.Contains(without, v) {
			rest = append(rest, int32(v))
		}
	}
	of, _ := g.Induced(rest).Components()
	for i, c := range of {
		if c == of[slices.Index(rest, int32(from))] {
			list = append(list, int(rest[i]))
		}
	}
	return list
}

// climb is the walk for the centroid, by hand: the bags from the deepest up, of equal ones the first, until one has half of n vertices in it
// and below.
func climb(d *model.Decomposition, n int) (found int, way []int) {
	levels := map[int][]int{}
	for b := range d.Bags {
		depth := 0
		for x := d.Parent[b]; x >= 0; x = d.Parent[x] {
			depth++
		}
		levels[depth] = append(levels[depth], b)
	}
	for depth := len(d.Bags); depth >= 0; depth-- {
		for _, b := range levels[depth] {
			if way = append(way, b); 2*hangs(d, b) >= n {
				return b, way
			}
		}
	}
	return -1, way
}

// dealt holds step 4.4 to the core's components of what a bag leaves, each on the side where it has been moved.
func dealt(t *testing.T, r *reader, g *graph.Graph, bag []int, moved []bool) (a, b int) {
	t.Helper()
	v := r.view()
	var rest []int32
	for x := range int32(g.Len()) {
		if !slices.Contains(bag, int(x)) {
			rest = append(rest, x)
		}
	}
	component, count := g.Induced(rest).Components()
	pieces := make([][]int, count)
	for i, c := range component {
		pieces[c] = append(pieces[c], int(rest[i]))
	}
	if len(v.Pieces) != count {
		t.Fatalf("4.4: %d pieces, not %d", len(v.Pieces), count)
	}
	var right []int
	for i, piece := range v.Pieces {
		if !slices.ContainsFunc(pieces, func(p []int) bool { return slices.Equal(p, piece) }) {
			t.Errorf("4.4: %v is no component", piece)
		}
		if moved[i] {
			right = append(right, piece...)
		}
	}
	a, b = len(rest)-len(right), len(right)
	r.hold(v, wants{"n": float64(g.Len()), "pieces": float64(count), "A": float64(a), "S": float64(len(bag)), "B": float64(b), "larger": float64(max(a, b)) / float64(g.Len())})
	if slices.Sort(right); count > 1 && !slices.Equal(roles(v, sideB), right) {
		t.Errorf("4.4: side B shows %v, not %v", roles(v, sideB), right)
	}
	return a, b
}
