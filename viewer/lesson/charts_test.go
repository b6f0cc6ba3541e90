package lesson_test

import (
	"cmp"
	"context"
	"math"
	"slices"
	"testing"

	"genussink/core/shortest"
	"genussink/core/treedec"
	"genussink/viewer/figure"
	"genussink/viewer/lesson"
	"genussink/viewer/lesson/model"
)

// places are points of a chart.
type places [][2]float64

// chart is the only one of a step.
func (r *reader) chart() *figure.Chart {
	r.Helper()
	for _, f := range r.view().Figures {
		if c, ok := f.(*figure.Chart); ok {
			return c
		}
	}
	r.Fatalf("%s has no chart", r.Address())
	return nil
}

// charted holds a step's chart to the dots and the curves that are wanted.
func (r *reader) charted(dots places, curves ...places) {
	r.Helper()
	c := r.chart()
	have := []places{nil}
	for _, d := range c.Dots {
		have[0] = append(have[0], [2]float64{d.X, d.Y})
	}
	for _, k := range c.Curves {
		have = append(have, k.Points)
	}
	near := func(a, b [2]float64) bool {
		for k := range a {
			if !(math.Abs(a[k]-b[k]) <= 1e-7*max(1e-3, math.Abs(b[k]))) && !(math.IsNaN(a[k]) && math.IsNaN(b[k])) {
				return false
			}
		}
		return true
	}
	if want := append([]places{dots}, curves...); !slices.EqualFunc(have, want, func(a, b places) bool { return slices.EqualFunc(a, b, near) }) {
		r.Errorf("%s: %q has %v, not %v", r.Address(), c.Title, have, want)
	}
}

// counted are values at first, first + 1, ...
func counted(first int, values ...float64) (out places) {
	for i, y := range values {
		out = append(out, [2]float64{float64(first + i), y})
	}
	return out
}

// The dots and curves of charts of cuts lie where the core's graphs put them.
func TestChartsOfCuts(t *testing.T) {
	g := model.Planar(5, 9, 6)
	cg, list := core(t, g), swept(t, g)
	r := newReader(t, g)
	own := []int{4, 13, 22, 31, 40} // a column
	r.open(1, 2)
	r.toggle(own...)
	r.open(1, 3)
	var dots places
	for _, s := range append(slices.Clone(list), own) {
		a, b, _ := split(t, cg, s)
		dots = append(dots, [2]float64{same(a, b, g.N), float64(len(s))})
	}
	curve := slices.Clone(dots[:len(list)])
	slices.SortFunc(curve, func(a, b [2]float64) int { return cmp.Compare(a[0], b[0]) })
	want, most := 0.9*curve[len(curve)-1][0], 0.0
	for _, p := range curve {
		most = max(most, p[1])
	}
	r.charted(dots, curve, places{{want, 0}, {want, most}})

	r.open(1, 4)
	r.act(lesson.Predict, 0, 0, 1)
	r.reveal()
	var sizes, root, bound places
	for k := 3; k <= 9; k++ {
		g := model.Grid(k, k)
		sizes = append(sizes, [2]float64{float64(k * k), float64(len(fairest(t, core(t, g), swept(t, g))))})
	}
	for n := 0.0; n <= 81; n += 3 {
		root, bound = append(root, [2]float64{n, math.Sqrt(n)}), append(bound, [2]float64{n, math.Sqrt(8 * n)})
	}
	r.charted(sizes, sizes, root, bound)
}

// met are the neighbours that each vertex of an order has when it is eliminated, by hand.
func met(g *model.Graph, order []int) (out []float64) {
	next := make([]map[int]bool, g.N)
	for v := range next {
		next[v] = map[int]bool{}
	}
	for _, e := range g.Edges {
		next[e[0]][e[1]], next[e[1]][e[0]] = true, true
	}
	for _, v := range order {
		out = append(out, float64(len(next[v])))
		for a := range next[v] {
			for b := range next[v] {
				next[a][b] = a != b
			}
			delete(next[a], a)
			delete(next[a], v)
		}
	}
	return out
}

// Charts of eliminations, of the pieces that a bag leaves, and of separator trees.
func TestChartsOfTrees(t *testing.T) {
	g := model.Planar(4, 4, 5)
	rule, err := treedec.Order(context.Background(), core(t, g), treedec.MinDegree, 0)
	if err != nil {
		t.Fatal(err)
	}
	r := newReader(t, g)
	r.open(3, 3)
	order := []int{5, 6, 9, 0, 15, 3}
	r.toggle(order...)
	mine := counted(1, met(g, order)...)
	r.charted(mine, mine, counted(1, met(g, ints(rule))...))

	r = newReader(t, model.Tree(21))
	r.open(4, 3)
	d := bagsOf(r.view())
	found, _ := climb(d, 21)
	var rest []int32
	for x := range int32(21) {
		if !slices.Contains(d.Bags[found], int(x)) {
			rest = append(rest, x)
		}
	}
	component, count := core(t, model.Tree(21)).Induced(rest).Components()
	sizes := make([]float64, count)
	for _, c := range component {
		sizes[c]++
	}
	slices.SortFunc(sizes, func(a, b float64) int { return cmp.Compare(b, a) })
	r.open(4, 4)
	r.act(lesson.Move, 1, 0, 0)
	r.charted(counted(1, sizes...))
	for i, d := range r.chart().Dots {
		if want := map[bool]figure.Role{true: sideB, false: sideA}[i == 1]; d.Role != want {
			t.Errorf("4.4: piece %d has the role %v", i, d.Role)
		}
	}

	g = model.Planar(5, 9, 6)
	cg, s := core(t, g), separatorTree(t, g)
	work := make([]float64, len(splitLevels(s)))
	for _, n := range s.Nodes {
		if n.Left >= 0 || n.Right >= 0 {
			work[n.Depth] += float64(n.S) * float64(n.A+n.S+n.B)
		}
	}
	r = newReader(t, g)
	r.open(5, 2)
	r.act(lesson.Predict, 0, 0, 1)
	r.reveal()
	r.charted(counted(0, work...), counted(0, work...))

	r.open(5, 3)
	ends := roles(r.view(), current)
	var through []float64
	di, dj := shortest.From(cg, int32(ends[0])), shortest.From(cg, int32(ends[1]))
	for v, cell := range s.Cells {
		if cell == 0 {
			through = append(through, di[v]+dj[v])
		}
	}
	r.reveal()
	r.charted(counted(1, through...), counted(1, through...))
}

// Charts of products: the operations are counted by hand.
func TestChartsOfProducts(t *testing.T) {
	r := newReader(t, nil)
	r.open(6, 1)
	r.act(lesson.Predict, 0, 0, 1)
	r.reveal()
	var matrix, sum places
	for n := 15; n <= 127; n += 16 {
		a, b, _ := split(t, core(t, model.Tree(n)), []int{0})
		matrix, sum = append(matrix, [2]float64{float64(n), float64(a * b)}), append(sum, [2]float64{float64(n), float64(a + b)})
	}
	r.charted(nil, matrix, sum)

	r.open(6, 3)
	r.act(lesson.Slide, 0, 0, 4) // at 3 another chart stands before it
	r.act(lesson.Predict, 0, 0, 1)
	r.reveal()
	var dense, cross []float64
	for w := 1; w <= 6; w++ {
		length := 240 / w
		g := model.Planar(w, length, 7)
		var middle []int
		for i := range w {
			middle = append(middle, i*length+length/2)
		}
		d, c := counts(t, g, middle)
		dense, cross = append(dense, float64(d)), append(cross, float64(c))
	}
	r.charted(counted(1, cross...), counted(1, dense...), counted(1, cross...))
}

// half is where Sinkhorn's iteration stands: the errors of rows and columns, the value of the plan made to fit, and that of the dual.
type half struct{ row, column, primal, dual float64 }

// halves are the states of Sinkhorn's iteration in its plain form, from v = 1 and u = 1 on, by the core's distances. The values are those of
// <P, D> + epsilon KL(P | a b^T), and the plan is made to fit by Algorithm 2 of Altschuler, Weed and Rigollet.
func halves(t *testing.T, g *model.Graph, p *model.Transport, most int) (out []half) {
	t.Helper()
	n, a, b, eps := g.N, p.Source, p.Target, p.Epsilon
	d := make([][]float64, n)
	for i := range d {
		d[i] = shortest.From(core(t, g), int32(i))
	}
	u, v := slices.Repeat([]float64{1}, n), slices.Repeat([]float64{1}, n)
	plan := func(i, j int) float64 { return u[i] * math.Exp(-d[i][j]/eps) * v[j] }
	over := func(f func(j int) float64) (sum float64) {
		for j := range n {
			sum += f(j)
		}
		return sum
	}
	for step := 0; step <= most; step++ {
		for i := range n {
			switch {
			case step == 0:
			case step%2 == 1:
				u[i] *= a[i] / over(func(j int) float64 { return plan(i, j) })
			default:
				v[i] *= b[i] / over(func(j int) float64 { return plan(j, i) })
			}
		}
		var h half
		x := make([]float64, n) // the scale of each row, then of each column
		y := make([]float64, n)
		for i := range n {
			row := over(func(j int) float64 { return plan(i, j) })
			h.row += math.Abs(row - a[i])
			x[i] = min(1, a[i]/row)
			h.column += math.Abs(over(func(j int) float64 { return plan(j, i) }) - b[i])
		}
		for j := range n {
			y[j] = min(1, b[j]/over(func(i int) float64 { return x[i] * plan(i, j) }))
		}
		lacks, lackOf := make([]float64, n), make([]float64, n)
		for i := range n {
			lacks[i] = a[i] - over(func(j int) float64 { return x[i] * plan(i, j) * y[j] })
			lackOf[i] = b[i] - over(func(j int) float64 { return x[j] * plan(j, i) * y[i] })
		}
		lack, mass := over(func(i int) float64 { return lacks[i] }), 0.0
		for i := range n {
			for j := range n {
				mass += plan(i, j)
				fit := x[i] * plan(i, j) * y[j]
				if lack > 0 {
					fit += lacks[i] * lackOf[j] / lack
				}
				h.primal += fit*d[i][j] + eps*fit*math.Log(fit/(a[i]*b[j]))
			}
			h.dual += eps * (a[i]*math.Log(u[i]/a[i]) + b[i]*math.Log(v[i]/b[i]))
		}
		h.dual += eps * (1 - mass)
		out = append(out, h)
	}
	return out
}

// Charts of Sinkhorn's iteration.
func TestChartsOfTransport(t *testing.T) {
	r := newReader(t, model.Tree(21))
	r.open(7, 2)
	g := r.Own()
	source, target, far := apart(t, g)
	problem := func(share float64) *model.Transport { return model.NewTransport(g, source, target, share*far) }
	const at = 5
	states := halves(t, g, problem(0.1), at)
	var rows, columns, primal, dual places
	for k, h := range states {
		if h.row > 1e-12 {
			rows = append(rows, [2]float64{float64(k), h.row})
		}
		if h.column > 1e-12 {
			columns = append(columns, [2]float64{float64(k), h.column})
		}
		if k > 0 {
			primal, dual = append(primal, [2]float64{float64(k), h.primal}), append(dual, [2]float64{float64(k), h.dual})
		}
	}
	r.Timeline().Seek(at)
	r.charted(nil, rows, columns)
	r.open(7, 4)
	r.Timeline().Seek(at)
	r.charted(primal, primal, dual)

	r.open(7, 3)
	needed := func(share float64) [2]float64 {
		rows, _ := twin(t, g, problem(share), 40000)
		return [2]float64{share, float64((len(rows) + 1) / 2)}
	}
	before := places{needed(0.1), needed(0.2)}
	r.charted(before, before)
	r.act(lesson.Predict, 0, 0, 1)
	r.reveal()
	var after places
	for _, root := range []float64{10, math.Sqrt(math.Sqrt(1000)), math.Sqrt(10), math.Sqrt(math.Sqrt(10)), 1} {
		after = append(after, needed(0.2/root))
	}
	r.charted(after, after)
}

// Charts of measurements, by the numbers that TestMeasuring holds to the engine's.
func TestChartsOfMeasurements(t *testing.T) {
	defer office.open(0)
	office.open(2)
	r := newReader(t, nil)
	r.open(8, 1)
	var dots places
	least, most, nan := math.Inf(1), 0.0, math.NaN()
	for _, name := range []string{"dense", "exact", "certified", "embedded", "sampled"} {
		v := r.view()
		seconds, ok := v.Reading(name + "Seconds")
		if !ok {
			dots = append(dots, [2]float64{nan, nan})
			continue
		}
		least, most = min(least, seconds.Value), max(most, seconds.Value)
		dots = append(dots, [2]float64{seconds.Value, max(r.reading(name+"Error"), 1e-12)})
	}
	r.charted(dots, places{{least, 0.001}, {most, 0.001}})

	r.open(8, 2)
	dense := places{{256, r.reading("denseKB")}, {512, r.reading("denseTwiceKB")}}
	exact := places{{256, r.reading("exactKB")}}
	r.charted(slices.Concat(dense, exact), dense, exact)
	r.act(lesson.Predict, 0, 0, 1)
	r.reveal()
	exact = append(exact, [2]float64{512, r.reading("exactTwiceKB")})
	r.charted(slices.Concat(dense, exact), dense, exact)

	r.open(8, 3)
	r.charted(places{{1, r.reading("bound")}})
	r.act(lesson.Predict, 0, 0, 1)
	r.reveal()
	r.charted(counted(1, r.reading("bound"), r.reading("measured")))

	r.open(8, 4)
	r.charted(places{{1, r.reading("denseCost")}})
	r.act(lesson.Predict, 0, 0, 1)
	r.reveal()
	r.charted(counted(1, r.reading("denseCost"), r.reading("sampledCost")))
}
