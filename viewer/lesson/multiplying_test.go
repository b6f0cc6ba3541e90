package lesson_test

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"sort"
	"testing"

	"genussink/core/baseline"
	"genussink/core/graph"
	"genussink/core/job"
	"genussink/core/linop"
	"genussink/core/sgfi"
	"genussink/core/shortest"
	"genussink/viewer/figure"
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
		block(t, r)
	})
}

// Graphs that two vertices cut, on which the step about two separator vertices shows more than the lesson's ring.
func TestPaired(t *testing.T) {
	graphs := []*model.Graph{model.Cycle(17), model.TwoTree(24, 3), model.Grid(2, 12), dumbbell(3, 2, 3), model.Planar(3, 9, 3), model.TwoTree(40, 5), model.Path(20), model.Tree(31)}
	for at, g := range graphs {
		if testing.Short() && at > 0 {
			break
		}
		r := newReader(t, g)
		if block(t, r); r.view().Instead != "" {
			t.Errorf("graph %d shows the lesson's ring", at)
		}
	}
}

// ways are the distances of a separator's vertices from all vertices of a graph, by the core.
func ways(g *graph.Graph, cut []int) (to [][]float64) {
	for _, s := range cut {
		to = append(to, shortest.From(g, int32(s)))
	}
	return to
}

// lead is a vertex's distance to the last separator vertex, less that to the first.
func lead(to [][]float64, v int) float64 { return to[len(to)-1][v] - to[0][v] }

// block plays the step about two separator vertices: hubs by the core's distances. It returns the vertices of the row that is asked for and of
// the column where it changes over.
func block(t *testing.T, r *reader) (vertex, changes int) {
	t.Helper()
	r.open(6, 2)
	r.act(lesson.Predict, 0, 0, 1000)
	r.wrong()
	v := r.reveal()
	f, c := graphOf(v), coverOf(v)
	cg := core(t, &model.Graph{N: f.N, Edges: f.Edges})
	cut, columns := roles(v, separates), roles(v, sideB)
	rows := append(roles(v, sideA), roles(v, current)...) // the row that is asked for is marked
	slices.Sort(rows)
	a, b, largest := split(t, cg, cut)
	if len(rows) != a || len(columns) != b {
		t.Fatalf("6.2: a block of %d x %d, not %d x %d", len(rows), len(columns), a, b)
	}
	to := ways(cg, cut)
	slices.SortStableFunc(rows, func(x, y int) int { return cmpFloat(lead(to, y), lead(to, x)) })
	slices.SortStableFunc(columns, func(x, y int) int { return cmpFloat(lead(to, x), lead(to, y)) })
	runs, row, column := 0, -1, -1
	served := hubsOf(t, c)
	for i, x := range rows {
		d, change := shortest.From(cg, int32(x)), -1
		for j, y := range columns {
			k := 0
			if to[1][x]+to[1][y] < to[0][x]+to[0][y] {
				k = 1
			}
			if least := to[k][x] + to[k][y]; least != d[y] {
				t.Fatalf("6.2: the way from %d to %d through %d is %v long, the distance %v", x, y, cut[k], least, d[y])
			}
			if served[i][j] != k || !slices.Equal(c.Rows[i], []int{x}) || !slices.Equal(c.Columns[j], []int{y}) {
				t.Fatalf("6.2: hub %d of %v and %v, not %d of %d and %d", served[i][j], c.Rows[i], c.Columns[j], k, x, y)
			}
			switch {
			case j == 0:
				runs++
			case k != served[i][j-1]:
				if runs++; change < 0 {
					change = j
				}
			}
		}
		// The row that is asked for is the one next to the middle in which the hub changes, of two the later.
		if off := i - a/2; change >= 0 && (row < 0 || max(off, -off) <= a/2-row) {
			row, column = i, change
		}
	}
	if row < 0 {
		t.Fatal("6.2: in no row the hub changes")
	}
	if x := roles(v, current); len(x) != 1 || x[0] != rows[row] {
		t.Errorf("6.2: %v is marked, not %d", x, rows[row])
	}
	want := wants{"A": float64(a), "S": 2, "B": float64(b), "balance": same(a, b, f.N), "largest": float64(largest), "pairs": float64(a * b), "runs": float64(runs),
		"row": float64(row + 1), "column": float64(column + 1), "dense": float64(2 * a * b), "cross": float64(searched(to, rows, columns)), "slack": float64(max(2, b/8))}
	r.hold(v, want)
	for _, off := range []float64{want["slack"] + 1, -want["slack"] - 1} {
		if guess := want["column"] + off; guess >= 1 {
			r.act(lesson.Predict, 0, 0, guess)
			r.wrong()
		}
	}
	r.act(lesson.Predict, 0, 0, want["column"]+want["slack"])
	r.right()
	return rows[row], columns[column]
}

// searched is how many operations cross_compute takes for a block, by hand from the distances to the separator's vertices: for each of them a
// product for every column, a difference to each other one for every row and column, and the search.
func searched(to [][]float64, rows, columns []int) (operations int) {
	for k := range to {
		var others []int
		for l := range to {
			if l != k {
				others = append(others, l)
			}
		}
		operations += len(columns) + len(others)*(len(rows)+len(columns)) + pairs(to, k, others, rows, columns)
	}
	return operations
}

// pairs is how many operations the search for the pairs of one separator vertex k takes, against others. Each pair is looked at: whether it
// is k's depends on the two ways alone.
func pairs(to [][]float64, k int, others, rows, columns []int) (operations int) {
	nearer := func(x, y, l int) bool { // the way from x to y through k is no longer than that through l; of equal ones the first counts
		own, other := to[k][x]+to[k][y], to[l][x]+to[l][y]
		return own < other || own == other && k < l
	}
	a, b := len(rows), len(columns)
	switch {
	case a == 0 || b == 0:
		return 0
	case len(others) == 0: // one sum, and in every row a product and a sum
		return b - 1 + 2*a
	case a*b <= 16: // pair by pair, up to the first comparison that fails
		for _, x := range rows {
			for _, y := range columns {
				lost := slices.IndexFunc(others, func(l int) bool { return !nearer(x, y, l) })
				if operations += lost + 1; lost < 0 {
					operations += len(others) + 2
				}
			}
		}
		return operations
	}
	l := others[0]
	// Rows in the order of how far k is behind l, columns of how far it is ahead.
	ordered := func(list []int, sign float64) []int {
		list = slices.Clone(list)
		slices.SortFunc(list, func(x, y int) int {
			operations++
			return cmpFloat(sign*(to[k][x]-to[l][x]), sign*(to[k][y]-to[l][y]))
		})
		return list
	}
	rows, columns = ordered(rows, 1), ordered(columns, -1)
	if len(others) == 1 { // running sums: each column that is met is compared and added, and each row stops at a column, if there is one left
		met := 0
		for _, x := range rows {
			won := 0
			for _, y := range columns {
				if nearer(x, y, l) {
					won++
				}
			}
			if won < b {
				operations++
			}
			if won > 0 {
				operations += 2
			}
			met = max(met, won)
		}
		return operations + 2*met
	}
	middle := rows[(a-1)/2]
	// Halving compares once in each step, and once more what it has found.
	halve := func(list []int, beyond func(x int) bool) int {
		at := sort.Search(len(list), func(i int) bool { operations++; return beyond(list[i]) })
		if at < len(list) {
			operations++
		}
		return at
	}
	behind := func(x int) float64 { return to[k][x] - to[l][x] }
	less := halve(rows, func(x int) bool { return behind(x) >= behind(middle) })
	upTo := halve(rows, func(x int) bool { return behind(x) > behind(middle) })
	from := halve(columns, func(y int) bool { return nearer(middle, y, l) })
	return operations + pairs(to, k, others[1:], rows[:upTo], columns[from:]) + pairs(to, k, others, rows[upTo:], columns[from:]) + pairs(to, k, others, rows[:less], columns[:from])
}

// hubsOf is the hub of every pair of a row and a column. Each pair lies in one run.
func hubsOf(t *testing.T, c *figure.Cover) [][]int {
	t.Helper()
	out := make([][]int, len(c.Rows))
	for i := range out {
		out[i] = slices.Repeat([]int{-1}, len(c.Columns))
	}
	for _, r := range c.Runs {
		for i := r.FirstRow; i < r.LastRow; i++ {
			for j := r.From; j < r.To; j++ {
				if out[i][j] >= 0 {
					t.Fatalf("row %d, column %d lie in two runs", i, j)
				}
				out[i][j] = r.Hub
			}
		}
	}
	for i, row := range out {
		if j := slices.Index(row, -1); j >= 0 {
			t.Fatalf("row %d, column %d lie in no run", i, j)
		}
	}
	return out
}

// The step on the engine's block, on the lesson's graph and on others: its numbers are those of the runs, which lie along shortest ways, as far
// as delta allows. A graph without a block gives way to the lesson's.
func TestStored(t *testing.T) {
	torus := surface(t, "torus", map[string]float64{"segments": 24, "sides": 10})
	graphs := []*model.Graph{nil, patched(torus, 7)(160), patched(surface(t, "sphere", map[string]float64{"frequency": 5}), 7)(160), model.Planar(10, 16, 3),
		model.Grid(13, 12), model.Cycle(160), dumbbell(9, 3, 4), model.Tree(160), model.Path(4)}
	gathered := 0
	for at, own := range graphs {
		if testing.Short() && at > 1 {
			break
		}
		r := newReader(t, own)
		if r.open(6, 4); (r.view().Instead != "") != (at > 5) {
			t.Fatalf("graph %d: %q", at, r.view().Instead)
		}
		if at > 6 {
			continue // as of the one before
		}
		half := coverOf(r.view())
		r.act(lesson.Predict, 0, 0, 30)
		r.wrong()
		v := r.reveal()
		f, c := graphOf(v), coverOf(v)
		cg := core(t, &model.Graph{N: f.N, Edges: f.Edges})
		served := hubsOf(t, c)
		if shown := hubsOf(t, half); !slices.EqualFunc(shown, served[:(len(served)+1)/2], slices.Equal[[]int]) {
			t.Errorf("graph %d: before the answer %d of %d rows are shown", at, len(shown), len(served))
		}
		distance := map[int][]float64{}
		from := func(x int) []float64 {
			if distance[x] == nil {
				distance[x] = shortest.From(cg, int32(x))
			}
			return distance[x]
		}
		a, b, inRows, hubs := 0, 0, 0, map[int]bool{}
		for _, list := range c.Columns {
			b += len(list)
		}
		for i, row := range served {
			a += len(c.Rows[i])
			for j, k := range row {
				if hubs[k] = true; j == 0 || k != row[j-1] {
					inRows++
				}
				for _, x := range c.Rows[i] {
					for _, y := range c.Columns[j] {
						if way := from(c.Hubs[k])[x] + from(c.Hubs[k])[y]; way < from(x)[y] || way > from(x)[y]+2*4 {
							t.Fatalf("graph %d: the way from %d to %d through %d is %g long, not %g", at, x, y, c.Hubs[k], way, from(x)[y])
						}
					}
				}
			}
		}
		gathered += a - len(c.Rows) + b - len(c.Columns)
		for x, role := range f.Roles {
			if in := slices.Contains(c.Hubs, x); in != (role == separates) || in != (f.Labels[x] != "") {
				t.Errorf("graph %d: vertex %d has role %v and label %q", at, x, role, f.Labels[x])
			}
		}
		perRow := float64(inRows) / float64(len(c.Rows))
		r.hold(v, wants{"A": float64(a), "B": float64(b), "rows": float64(len(c.Rows)), "columns": float64(len(c.Columns)), "hubs": float64(len(hubs)),
			"delta": 4, "pairs": float64(a * b), "runs": float64(len(c.Runs)), "perRow": perRow})
		for _, off := range []float64{-1.6, 1.6} {
			r.act(lesson.Predict, 0, 0, perRow+off)
			r.wrong()
		}
		r.act(lesson.Predict, 0, 0, perRow+1.4)
		r.right()
	}
	if gathered == 0 && !testing.Short() {
		t.Error("no row and no column stands for several vertices")
	}
}

// Where the engine fails, the step says so, on the reader's graph and on the lesson's.
func TestStoredFails(t *testing.T) {
	r := newReader(t, model.Grid(13, 12))
	if err := r.Open(6, 4); err != nil {
		t.Fatal(err)
	}
	for asked := range 2 {
		if v := r.View(); !v.Waiting || v.Failed != "" || len(v.Figures) != 1 {
			t.Fatalf("asked %d times: waiting %v, %q, %d figures", asked, v.Waiting, v.Failed, len(v.Figures))
		}
		errand, ok := r.desk.Take()
		if !ok || len(errand.Requests) != 2 {
			t.Fatalf("asked is %v", errand.Requests)
		}
		r.desk.Answer(errand.Key, &job.Failed{Message: "It stopped."})
	}
	if v := r.View(); v.Failed != "It stopped." || r.Check() != nil {
		t.Errorf("it says %q", v.Failed)
	}
}

// crossover plays the step about range search, on the strips that it always has. TestCounts holds its numbers on other strips.
func crossover(t *testing.T, r *reader) {
	r.open(6, 3)
	r.act(lesson.Predict, 0, 0, 1)
	r.wrong()
	at, least, most := 7, [7]int{}, [7]int{}
	var wanted [7]wants
	for w := 6; w >= 1; w-- {
		length := 240 / w
		g := model.Planar(w, length, 7)
		var middle []int
		for i := range w {
			middle = append(middle, i*length+length/2)
		}
		cg := core(t, g)
		a, b, largest := split(t, cg, middle)
		dense, cross := counts(t, g, middle)
		if dense != 2*a*b {
			t.Errorf("6.3: the matrix takes %d operations for %d x %d", dense, a, b)
		}
		if cross > dense {
			at = w
		}
		least[w], most[w] = cross, dense
		wanted[w] = wants{"n": float64(g.N), "A": float64(a), "S": float64(w), "B": float64(b), "balance": same(a, b, g.N), "largest": float64(largest), "dimensions": float64(w - 1)}
		r.act(lesson.Slide, 0, 0, float64(w))
		r.hold(r.view(), with(wanted[w], "served", search(t, r.view(), cg, middle)))
	}
	// Another row, where the search is drawn.
	r.act(lesson.Slide, 0, 0, 3)
	was := roles(r.view(), current)
	for _, x := range roles(r.view(), sideA)[:20] {
		r.toggle(x)
		v := r.view()
		if now := roles(v, current); len(now) != 1 || now[0] != x || len(was) != 1 {
			t.Errorf("6.3: after a click on %d the row is %v", x, now)
		}
		g := model.Planar(3, 80, 7)
		r.hold(v, with(wanted[3], "served", search(t, v, core(t, g), []int{40, 120, 200})))
	}
	r.reveal()
	for w := 6; w >= 1; w-- {
		r.act(lesson.Slide, 0, 0, float64(w))
		v := r.view()
		want := with(wanted[w], "served", r.reading("served"))
		want["cross"], want["dense"], want["crossover"] = float64(least[w]), float64(most[w]), float64(at)
		r.hold(v, want)
		chart := v.Figures[len(v.Figures)-1].(*figure.Chart)
		for i := range 6 {
			x, role := float64(i+1), figure.Plain
			if i+1 == w {
				role = figure.Current
			}
			if d := chart.Dots[i]; d.X != x || d.Y != float64(least[i+1]) || d.Role != role ||
				chart.Curves[0].Points[i] != [2]float64{x, float64(most[i+1])} || chart.Curves[1].Points[i] != [2]float64{x, float64(least[i+1])} {
				t.Errorf("6.3: at |S| = %d the curves have %v, %v and %+v", i+1, chart.Curves[0].Points[i], chart.Curves[1].Points[i], d)
			}
		}
	}
	for _, off := range []float64{-2, 2} {
		r.act(lesson.Predict, 0, 0, float64(at)+off)
		r.wrong()
	}
	r.act(lesson.Predict, 0, 0, float64(at))
	r.right()
}

// counts are the operations of a product with the block of a cut, with the matrix and without, by hand. The lesson's model has to count as many,
// and its product has to be that of the core's kernels.
func counts(t *testing.T, g *model.Graph, removed []int) (dense, cross int) {
	t.Helper()
	cg, cut := core(t, g), model.Separate(g, removed)
	to, b := ways(cg, removed), model.BlockOf(g, cut, 4)
	x, whole := make([]float64, len(b.To)), make([]float64, g.N)
	for j, v := range b.To {
		x[j] = 1 + math.Sin(float64(7*v))/2
		whole[v] = x[j]
	}
	ctx := context.Background()
	oracle, err := baseline.NewDense(ctx, cg, 4, baseline.Options{})
	if err != nil {
		t.Fatal(err)
	}
	tree, err := sgfi.Build(ctx, cg, sgfi.Options{LeafSize: 16})
	if err != nil {
		t.Fatal(err)
	}
	paper, err := sgfi.NewKernel(ctx, tree, 4, sgfi.KernelOptions{})
	if err != nil {
		t.Fatal(err)
	}
	byMatrix, d := b.Dense(x)
	bySearch, c := b.Cross(x)
	for name, kernel := range map[string]linop.Operator{"dense": oracle, "paper": paper} {
		y, err := kernel.MulVec(ctx, nil, whole)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range b.Of {
			if off := max(math.Abs(byMatrix[i]-y[v]), math.Abs(bySearch[i]-y[v])); !(off <= 1e-9*y[v]) {
				t.Fatalf("%s, |S| = %d: row %d is %v and %v, by the core's %s kernel %v", g.Name, len(removed), v, byMatrix[i], bySearch[i], name, y[v])
			}
		}
	}
	dense, cross = 2*len(b.Of)*len(b.To), searched(to, b.Of, b.To)
	if d.Total() != dense || c.Total() != cross {
		t.Errorf("%s, |S| = %d: %d and %d operations are counted, not %d and %d", g.Name, len(removed), d.Total(), c.Total(), dense, cross)
	}
	return dense, cross
}

// What a product takes, on other graphs than the lesson's strips: five strips of each width, and the engine's cuts of graphs that are none.
func TestCounts(t *testing.T) {
	hold := func(g *model.Graph, cut []int) {
		if dense, _ := counts(t, g, cut); dense == 0 {
			t.Errorf("%s without %v is one piece", g.Name, cut)
		}
	}
	for seed := uint64(1); seed <= 5; seed++ {
		for width := 1; width <= 6; width++ {
			length := 10 + 3*int(seed)
			var across []int
			for i := range width {
				across = append(across, i*length+length/2-int(seed))
			}
			hold(model.Planar(width, length, seed), across)
		}
	}
	for _, g := range others(t) {
		for _, cut := range swept(t, g) {
			hold(g, cut)
		}
	}
}

// with is what is wanted, and one number more.
func with(w wants, name string, x float64) wants {
	out := maps.Clone(w)
	out[name] = x
	return out
}

// search is how many columns the first separator vertex serves of the row that the step marks, by the core's distances. Those are the columns that are
// marked and, where the search is drawn, those of the dots that it finds.
func search(t *testing.T, v lesson.View, g *graph.Graph, cut []int) float64 {
	t.Helper()
	row := roles(v, current)[0]
	to := ways(g, cut)
	var served []int
	for _, x := range append(roles(v, sideB), roles(v, figure.Near)...) {
		if d := shortest.From(g, int32(row)); to[0][row]+to[0][x] == d[x] {
			served = append(served, x)
		}
	}
	slices.Sort(served)
	if marked := roles(v, figure.Near); !slices.Equal(marked, served) {
		t.Errorf("6.3: of row %d the columns %v are marked, and %v are served", row, marked, served)
	}
	if len(cut) != 3 {
		return float64(len(served))
	}
	chart := v.Figures[1].(*figure.Chart)
	corner := chart.Curves[0].Points[1]
	if want := [2]float64{to[0][row] - to[1][row], to[0][row] - to[2][row]}; corner != want {
		t.Errorf("6.3: the corner of row %d is %v, not %v", row, corner, want)
	}
	places := map[[2]float64][]int{}
	for _, x := range append(roles(v, sideB), served...) {
		p := [2]float64{to[1][x] - to[0][x], to[2][x] - to[0][x]}
		places[p] = append(places[p], x)
	}
	found := 0
	for i, d := range chart.Dots {
		p := [2]float64{d.X, d.Y}
		slices.Sort(places[p])
		if lit := figure.Select(figure.Ref{Kind: figure.Point, ID: i}, v.Figures...); d.Label != fmt.Sprint(len(places[p])) || !slices.Equal(lit.Vertices, places[p]) {
			t.Errorf("6.3: at %v there are the columns %v, and the dot says %s and lights %v", p, places[p], d.Label, lit.Vertices)
		}
		if d.Role == figure.Near {
			found += len(places[p])
		}
		delete(places, p)
	}
	if len(places) > 0 || found != len(served) {
		t.Errorf("6.3: places without a dot: %v; the dots found have %d columns of %d", places, found, len(served))
	}
	return float64(len(served))
}
