package lesson_test

import (
	"math"
	"slices"
	"testing"

	"genussink/core/graph"
	"genussink/core/shortest"
	"genussink/viewer/lesson"
	"genussink/viewer/lesson/model"
)

// The sixth lesson: products with a block, by its matrix and through its separator.
func TestMultiplying(t *testing.T) {
	each(t, func(t *testing.T, r *reader, own *model.Graph) {
		if own == nil {
			for _, n := range []int{15, 31, 47, 79, 111, 127} {
				r.open(6, 1)
				r.StartOver()
				r.act(lesson.Slide, 0, 0, float64(n))
				cg := core(t, model.Tree(n))
				a, b, largest := split(t, cg, []int{0})
				r.act(lesson.Predict, 0, 0, float64(a*b))
				r.wrong()
				r.act(lesson.Predict, 0, 0, float64(a+b))
				r.hold(r.reveal(), wants{"n": float64(n), "A": float64(a), "S": 1, "B": float64(b), "balance": same(a, b, n), "largest": float64(largest), "dense": float64(a * b), "cross": float64(a + b), "ratio": float64(a*b) / float64(a+b)})
				r.right()
			}
			crossover(t, r)
		}
		for step := range 2 {
			block(t, r, own, []int{2, 4}[step])
		}
	})
}

// block plays a step about a block: hubs by the core's distances.
func block(t *testing.T, r *reader, own *model.Graph, step int) {
	r.open(6, step)
	r.act(lesson.Predict, 0, 0, 1000)
	r.wrong()
	v := r.reveal()
	f := graphOf(v)
	cut := roles(v, separates)
	var edges []graph.Edge
	for _, e := range f.Edges {
		edges = append(edges, graph.Edge{U: int32(e[0]), V: int32(e[1]), Weight: 1})
	}
	cg, err := graph.New(f.N, edges)
	if err != nil {
		t.Fatal(err)
	}
	a, b, largest := split(t, cg, cut)
	c := coverOf(v)
	if len(c.Hubs) != a || len(c.Hubs[0]) != b {
		t.Errorf("6.%d: a block of %d x %d, not %d x %d", step, len(c.Hubs), len(c.Hubs[0]), a, b)
	}
	to := make([][]float64, len(cut))
	for k, s := range cut {
		to[k] = shortest.From(cg, int32(s))
	}
	columns := roles(v, sideB) // in the block's order
	slices.SortStableFunc(columns, func(x, y int) int {
		l := len(to) - 1
		return cmpFloat(to[l][x]-to[0][x], to[l][y]-to[0][y])
	})
	runs := 0
	for i, row := range c.Hubs {
		d := shortest.From(cg, int32(c.RowOf[i]))
		for j, k := range row {
			if to[k][c.RowOf[i]]+to[k][columns[j]] != d[columns[j]] {
				t.Fatalf("6.%d: hub %d is not on the way from %d to %d", step, cut[k], c.RowOf[i], columns[j])
			}
			if j == 0 || k != row[j-1] {
				runs++
			}
		}
	}
	want := wants{"A": float64(a), "S": float64(len(cut)), "B": float64(b), "balance": same(a, b, f.N), "largest": float64(largest), "pairs": float64(a * b), "runs": float64(runs)}
	if step == 4 {
		want["perRow"] = float64(runs) / float64(a)
		r.hold(v, want)
		r.act(lesson.Predict, 0, 0, want["perRow"])
		r.right()
		return
	}
	row, _ := v.Reading("row")
	column := 1
	for column < b && c.Hubs[int(row.Value)-1][column] == c.Hubs[int(row.Value)-1][0] {
		column++
	}
	want["row"], want["column"], want["dense"] = row.Value, float64(column+1), float64(2*a*b)
	cross, _ := v.Reading("cross")
	want["cross"] = cross.Value
	// Sorting dominates: a few comparisons for each of the a + b vertices and each of two hubs.
	if n := float64(a + b); cross.Value < 2*n || cross.Value > 2*n*(4*math.Log2(n)+8) {
		t.Errorf("6.2: %v operations for %v vertices", cross.Value, n)
	}
	r.hold(v, want)
	r.act(lesson.Predict, 0, 0, float64(column+1))
	r.right()
}

// crossover plays the step about range search.
func crossover(t *testing.T, r *reader) {
	r.open(6, 3)
	r.act(lesson.Predict, 0, 0, 1)
	r.wrong()
	v := r.reveal()
	n, _ := v.Reading("n")
	a, b, largest := 0, 0, 0
	want := wants{"n": n.Value}
	at := 7
	for w := 6; w >= 1; w-- {
		length := 240 / w
		g := model.Planar(w, length, 7)
		var middle []int
		for i := range w {
			middle = append(middle, i*length+length/2)
		}
		x, y, l := split(t, core(t, g), middle)
		cut := model.Separate(g, middle)
		blk := model.BlockOf(g, cut, 4)
		ones := make([]float64, cut.B)
		for j := range ones {
			ones[j] = 1
		}
		dense, d := blk.Dense(ones)
		cross, c := blk.Cross(ones)
		for i := range dense {
			if math.Abs(dense[i]-cross[i]) > 1e-12*dense[i] {
				t.Fatalf("6.3: |S| = %d: row %d is %v, not %v", w, i, cross[i], dense[i])
			}
		}
		if d.Total() != 2*x*y {
			t.Errorf("6.3: the matrix takes %d operations for %d x %d", d.Total(), x, y)
		}
		if c.Total() > d.Total() {
			at = w
		}
		switch w {
		case 3:
			a, b, largest = x, y, l
			want["crossThree"], want["denseThree"] = float64(c.Total()), float64(d.Total())
		case 1:
			want["crossOne"] = float64(c.Total())
		}
	}
	want["A"], want["S"], want["B"], want["balance"], want["largest"], want["crossover"] = float64(a), 3, float64(b), same(a, b, int(n.Value)), float64(largest), float64(at)
	r.hold(v, want)
	r.act(lesson.Predict, 0, 0, float64(at))
	r.right()
}
