package lesson

import (
	"fmt"
	"math"
	"slices"

	"genussink/core/job"
	"genussink/viewer/figure"
	"genussink/viewer/lesson/model"
)

// drawn is a graph as a figure.
func drawn(g *model.Graph, title string) *figure.Graph {
	f := &figure.Graph{Title: title, Desc: fmt.Sprintf(graphDesc, g.Name, vertexNoun.of(g.N), edgeNoun.of(len(g.Edges))), N: g.N, Edges: g.Edges, Places: g.Places, Roles: make([]figure.Role, g.N), Lines: make([]figure.Role, len(g.Edges))}
	if g.Names != nil || g.N <= 30 {
		for v := range g.N {
			f.Labels = append(f.Labels, g.VertexName(v))
		}
	}
	return f
}

// sides colours a graph by a cut, where it falls apart.
func sides(f *figure.Graph, c model.Cut) {
	for v, s := range c.Side {
		switch {
		case s == 1:
			f.Roles[v] = figure.Separator
		case len(c.Parts) < 2:
		case s == 0:
			f.Roles[v] = figure.SideA
		default:
			f.Roles[v] = figure.SideB
		}
	}
	for i, e := range f.Edges {
		if c.Side[e[0]] == 1 || c.Side[e[1]] == 1 {
			f.Lines[i] = figure.Gone
		}
	}
}

// tell adds the sizes of a cut.
func tell(v *View, c model.Cut) {
	v.count("A", c.A)
	v.count("S", c.S)
	v.count("B", c.B)
	v.share("balance", c.Balance())
	v.count("largest", c.Largest())
}

// found is a cut of the engine's as the model has it.
func found(g *model.Graph, x job.Cut) model.Cut {
	var removed []int
	for v, s := range x.Sides {
		if s == 1 && v < g.N {
			removed = append(removed, v)
		}
	}
	return model.Separate(g, removed)
}

// smallestFair is the first of a list of cuts, which is in order of size, that leaves no more than two thirds on a side.
func smallestFair(g *model.Graph, swept *job.Swept) (model.Cut, bool) {
	for _, x := range swept.Cuts {
		if c := found(g, x); c.Fair() {
			return c, true
		}
	}
	return model.Cut{}, false
}

func cutting() *Lesson {
	text := &lessonTexts[0]
	return &Lesson{Text: text, Own: 60, Graph: func() *model.Graph { return model.Vase() }, Steps: []Step{
		{Text: &text.Steps[0], Takes: []Verb{Toggle}, View: viewCut, Check: checkCut},
		{Text: &text.Steps[1], Takes: []Verb{Toggle}, View: viewSmallest, Check: checkSmallest},
		{Text: &text.Steps[2], Takes: []Verb{Choose}, View: viewFront, Check: checkFront},
		{Text: &text.Steps[3], Takes: []Verb{Slide}, View: viewGrid, Check: checkGrid, Alone: true},
		{Text: &text.Steps[4], View: viewGenus, Check: checkGenus, Alone: true, Mesh: true},
	}}
}

func viewCut(c *Context) (v View) {
	cut := model.Separate(c.Graph, c.toggled(c.Graph.N))
	f := drawn(c.Graph, graphToCut)
	sides(f, cut)
	v.show(f)
	v.count("n", c.Graph.N)
	tell(&v, cut)
	return v
}

// open points at why a cut is not fair: a way that is still open, or the side that is too large.
func open(g *model.Graph, cut model.Cut) Verdict {
	if cut.A > 0 && cut.B > 0 {
		large := int8(0)
		if cut.B > cut.A {
			large = 2
		}
		return Verdict{Hint: "lopsided", Place: vertices(0, cut.Members(large)...)}
	}
	if len(cut.Parts) == 0 {
		return Verdict{Hint: "nothing", Place: vertices(0, cut.Removed...)}
	}
	// The longest of the shortest ways that are left, from the first vertex of what is left.
	part := cut.Parts[0]
	allowed := make([]bool, g.N)
	for _, v := range part {
		allowed[v] = true
	}
	far := func(from int) (int, []float64) {
		d := g.Distances(from, allowed)
		return slices.MaxFunc(part, func(a, b int) int { return int(d[a] - d[b]) }), d
	}
	a, _ := far(part[0])
	b, d := far(a)
	way := []int{b}
	next := g.Neighbours()
	for x := b; x != a; {
		i := slices.IndexFunc(next[x], func(w int) bool { return allowed[w] && d[w] == d[x]-1 })
		x = next[x][i]
		way = append(way, x)
	}
	return Verdict{Hint: "open", Place: vertices(0, way...)}
}

func checkCut(c *Context, _ View) Verdict {
	cut := model.Separate(c.Graph, c.toggled(c.Graph.N))
	if cut.Fair() {
		return Verdict{Pass: true}
	}
	return open(c.Graph, cut)
}

func viewSmallest(c *Context) (v View) {
	v = viewCut(c)
	v.Question = &Question{Lo: 1, Hi: float64(max(2, c.Graph.N/3))}
	swept := ask[job.Swept](c, &v, c.Graph, &job.Sweep{})
	if swept == nil {
		return v
	}
	best, ok := smallestFair(c.Graph, swept)
	if !ok {
		v.Failed = noFairCut
		return v
	}
	v.count("found", best.S)
	v.after()
	v.count("foundA", best.A)
	v.after()
	v.count("foundB", best.B)
	v.after()
	if c.Revealed {
		f := drawn(c.Graph, findersCut)
		sides(f, best)
		v.show(f)
	}
	return v
}

func checkSmallest(c *Context, v View) Verdict {
	cut := model.Separate(c.Graph, c.toggled(c.Graph.N))
	if !cut.Fair() {
		return open(c.Graph, cut)
	}
	best, _ := smallestFair(c.Graph, ask[job.Swept](c, &v, c.Graph, &job.Sweep{}))
	if cut.S <= best.S {
		return Verdict{Pass: true}
	}
	without := func(list, others []int) []int {
		return slices.DeleteFunc(slices.Clone(list), func(x int) bool { return slices.Contains(others, x) })
	}
	if missing := without(best.Removed, cut.Removed); len(missing) > 0 {
		return Verdict{Hint: "larger", Place: vertices(0, missing...)}
	}
	return Verdict{Hint: "spare", Place: vertices(0, without(cut.Removed, best.Removed)...)}
}

// point is a cut as a point of the front.
func point(c model.Cut) figure.Cut {
	return figure.Cut{Size: c.S, Balance: c.Balance(), Vertices: c.Removed}
}

// cuts are the engine's as points of the front.
func cuts(g *model.Graph, swept *job.Swept) (out []model.Cut, points []figure.Cut) {
	for _, x := range swept.Cuts {
		c := found(g, x)
		out = append(out, c)
		points = append(points, point(c))
	}
	return out, points
}

// evenEnough is the share that a cut has to reach: nine tenths of the best balance there is.
func evenEnough(points []figure.Cut) float64 {
	best := 0.0
	for _, p := range points {
		best = max(best, p.Balance)
	}
	return 0.9 * best
}

func viewFront(c *Context) (v View) {
	swept := ask[job.Swept](c, &v, c.Graph, &job.Sweep{})
	if swept == nil {
		return v
	}
	list, points := cuts(c.Graph, swept)
	var own *figure.Cut
	for step := 2; step >= 1 && own == nil; step-- {
		if cut := model.Separate(c.Graph, c.step(step).toggled(c.Graph.N)); cut.A > 0 && cut.B > 0 {
			own = new(point(cut))
			v.count("yourS", cut.S)
			v.share("yourBalance", cut.Balance())
		}
	}
	chart := figure.Front(frontChart.title, frontChart.desc, points, own)
	most := 0.0
	for _, p := range points {
		most = max(most, float64(p.Size))
	}
	want := evenEnough(points)
	chart.Curves = append(chart.Curves, figure.Curve{Name: frontChart.names[0], Form: figure.Dashed, Color: 4, Points: [][2]float64{{want, 0}, {want, most}}})
	f := drawn(c.Graph, pickedCut)
	v.count("cuts", len(list))
	v.share("want", want)
	if a, ok := c.Last(Choose); ok && a.A < len(list) {
		sides(f, list[a.A])
		chart.Dots[a.A].Role = figure.Current
		v.count("pickS", list[a.A].S)
		v.share("pickBalance", list[a.A].Balance())
	}
	v.show(chart, f)
	return v
}

func checkFront(c *Context, v View) Verdict {
	list, points := cuts(c.Graph, ask[job.Swept](c, &v, c.Graph, &job.Sweep{}))
	want, best := evenEnough(points), -1
	for i, p := range points {
		if p.Balance >= want && (best < 0 || p.Size < points[best].Size) {
			best = i
		}
	}
	a, ok := c.Last(Choose)
	switch {
	case !ok || a.A >= len(list):
		return Verdict{Hint: "none", Place: pointSpots(0, best)}
	case points[a.A].Balance < want:
		return Verdict{Hint: "uneven", Place: pointSpots(0, best)}
	case points[a.A].Size > points[best].Size:
		return Verdict{Hint: "large", Place: pointSpots(0, best)}
	}
	return Verdict{Pass: true}
}

// The grids of the step, by their side.
const (
	leastGrid = 3
	mostGrid  = 9
)

// gridSizes are |S| of the smallest fair cuts of all grids; nil where the engine is not done.
func gridSizes(c *Context, v *View) (sizes [][2]float64) {
	for k := leastGrid; k <= mostGrid; k++ {
		g := model.Grid(k, k)
		swept := ask[job.Swept](c, v, g, &job.Sweep{})
		if swept == nil {
			continue
		}
		if cut, ok := smallestFair(g, swept); ok {
			sizes = append(sizes, [2]float64{float64(g.N), float64(cut.S)})
		}
	}
	if v.Waiting || v.Failed != "" {
		return nil
	}
	return sizes
}

// growth is the slope of a line through points on logarithmic axes: 0 where y stays, 1/2 where it grows like the root, 1 like x.
func growth(points [][2]float64) float64 {
	var sx, sy, sxx, sxy float64
	n := float64(len(points))
	for _, p := range points {
		x, y := math.Log(p[0]), math.Log(p[1])
		sx, sy, sxx, sxy = sx+x, sy+y, sxx+x*x, sxy+x*y
	}
	return (n*sxy - sx*sy) / (n*sxx - sx*sx)
}

// growthChoice is the choice that a slope is nearest to: constant, root, in proportion.
func growthChoice(slope float64) int { return min(max(int(math.Round(2*slope)), 0), 2) }

func viewGrid(c *Context) (v View) {
	v.Slider = c.slider(Slider{Name: gridSlider, Lo: leastGrid, Hi: mostGrid, Step: 1, Value: 5})
	v.Question = &Question{Choices: lessonTexts[0].Steps[3].Choices}
	k := int(math.Round(v.Slider.Value))
	g := model.Grid(k, k)
	f := drawn(g, gridCut)
	v.count("k", k)
	v.count("n", g.N)
	if swept := ask[job.Swept](c, &v, g, &job.Sweep{}); swept != nil {
		if cut, ok := smallestFair(g, swept); ok {
			sides(f, cut)
			v.count("S", cut.S)
			v.value("planar", math.Sqrt(8*float64(g.N)), 1)
		}
	}
	v.show(f)
	if !c.Revealed {
		return v
	}
	sizes := gridSizes(c, &v)
	if sizes == nil {
		return v
	}
	v.value("slope", growth(sizes), 2)
	v.after()
	v.show(gridChart(sizes))
	return v
}

func gridChart(sizes [][2]float64) *figure.Chart {
	chart := gridsChart.chart(figure.Axis{}, figure.Axis{Lo: 0, Hi: 1})
	root := figure.Curve{Name: gridsChart.names[1], Form: figure.Dashed, Color: 1}
	bound := figure.Curve{Name: gridsChart.names[2], Form: figure.Dashed, Color: 2}
	for n := 0.0; n <= mostGrid*mostGrid; n += 3 {
		root.Points = append(root.Points, [2]float64{n, math.Sqrt(n)})
		bound.Points = append(bound.Points, [2]float64{n, math.Sqrt(8 * n)})
	}
	chart.Curves = []figure.Curve{{Name: gridsChart.names[0], Points: sizes}, root, bound}
	for _, p := range sizes {
		chart.Dot(figure.Dot{X: p[0], Y: p[1], Name: fmt.Sprintf(sizeDot, vertexNoun.of(int(p[0])), p[1])})
	}
	return chart
}

func checkGrid(c *Context, v View) Verdict {
	sizes := gridSizes(c, &v)
	if sizes == nil {
		return Verdict{Hint: "wait", Place: vertices(0, 0)}
	}
	guess, ok := c.Guessed(0)
	if ok && int(guess) == growthChoice(growth(sizes)) {
		return Verdict{Pass: true}
	}
	if !c.Revealed { // the cut runs along a row or column: as many vertices as the grid has sides
		k := int(math.Round(v.Slider.Value))
		row := make([]int, k)
		for i := range row {
			row[i] = k/2 + i*k
		}
		return Verdict{Hint: "row", Place: vertices(0, row...)}
	}
	return Verdict{Hint: "curve", Place: pointSpots(1, 0, len(sizes)-1)}
}

// torusSide is the side of the grid and of the torus that are compared.
const torusSide = 8

func viewGenus(c *Context) (v View) {
	v.Question = &Question{Lo: 0.5, Hi: 5}
	var cutOf [2]model.Cut
	for i, g := range []*model.Graph{model.Grid(torusSide, torusSide), model.Torus(torusSide)} {
		f := drawn(g, gridAndTorus[i])
		f.Stubs = 2
		if swept := ask[job.Swept](c, &v, g, &job.Sweep{}); swept != nil {
			cutOf[i], _ = smallestFair(g, swept)
			if cutOf[i].S > 0 && (i == 0 || c.Revealed) {
				sides(f, cutOf[i])
			}
		}
		v.show(f)
	}
	if v.Waiting || v.Failed != "" {
		return v
	}
	v.count("n", torusSide*torusSide)
	v.count("gridS", cutOf[0].S)
	v.count("torusS", cutOf[1].S)
	v.after()
	v.value("ratio", float64(cutOf[1].S)/float64(cutOf[0].S), 2)
	v.after()
	if c.Revealed {
		// The mesh at hand too, which shows its first cut.
		if s := ask[job.Separated](c, &v, nil, &job.Separate{}); s != nil && depth(s) == 0 {
			v.Failed = notSplit
		} else if s != nil {
			n, cut := len(s.Cells), int(s.Nodes[0].S)
			v.count("meshN", n)
			v.count("meshS", cut)
			v.value("meshRoot", float64(cut)/math.Sqrt(float64(n)), 2)
			v.Canvas = &Canvas{}
		}
	}
	return v
}

func checkGenus(c *Context, v View) Verdict {
	ratio, _ := v.Reading("ratio")
	guess, _ := c.Guessed(0)
	if math.Abs(guess-ratio.Value) <= ratio.Value/4 {
		return Verdict{Pass: true}
	}
	// Around the torus and back: a ring does not part it, two do.
	ring := make([]int, torusSide)
	for i := range ring {
		ring[i] = i * torusSide
	}
	return Verdict{Hint: "ring", Place: vertices(1, ring...)}
}
