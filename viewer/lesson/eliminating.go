package lesson

import (
	"fmt"
	"slices"

	"genussink/core/job"
	"genussink/viewer/figure"
	"genussink/viewer/lesson/model"
)

func eliminating() *Lesson {
	text := &lessonTexts[2]
	return &Lesson{Text: text, Own: 16, Graph: func() *model.Graph { return model.Planar(4, 4, 209).Lettered() }, Steps: []Step{
		{Text: &text.Steps[0], Takes: []Verb{Toggle}, View: viewFirst, Check: checkFirst},
		{Text: &text.Steps[1], Takes: []Verb{Toggle}, View: viewElimination, Check: checkElimination},
		{Text: &text.Steps[2], Takes: []Verb{Toggle}, View: viewBeat, Check: checkBeat},
		{Text: &text.Steps[3], View: viewProof, Check: checkProof},
	}}
}

// eliminated is a graph with the first vertices of an order gone.
func eliminated(g *model.Graph, order []int, title string) (*figure.Graph, []model.Elimination) {
	f := drawn(g, title)
	steps := model.Eliminate(g, order)
	gone := make([]bool, g.N)
	for _, v := range order {
		gone[v] = true
		f.Roles[v] = figure.Gone
	}
	for i, e := range g.Edges {
		if gone[e[0]] || gone[e[1]] {
			f.Lines[i] = figure.Gone
		}
	}
	for i, s := range steps {
		for _, e := range s.Added {
			if gone[e[0]] || gone[e[1]] {
				continue
			}
			f.Added = append(f.Added, e)
			role := figure.Fill
			if i < len(steps)-1 {
				role = figure.Near
			}
			f.AddedRoles = append(f.AddedRoles, role)
		}
		if i == len(steps)-1 {
			for _, v := range s.Around {
				f.Roles[v] = figure.Near
			}
		}
	}
	return f, steps
}

// growing is the tree of the bags made so far: a bag hangs on that of its first neighbour to go, once this has gone.
func growing(g *model.Graph, steps []model.Elimination) *figure.Tree {
	place := map[int]int{}
	for i, s := range steps {
		place[s.Vertex] = i
	}
	d := &model.Decomposition{}
	for _, s := range steps {
		bag := append([]int{s.Vertex}, s.Around...)
		slices.Sort(bag)
		up := -1
		for _, v := range s.Around {
			if p, ok := place[v]; ok && (up < 0 || p < up) {
				up = p
			}
		}
		d.Bags, d.Parent = append(d.Bags, bag), append(d.Parent, up)
	}
	t := tree(g, d, bagsSoFar)
	if n := len(steps); n > 0 {
		t.Roles[n-1] = figure.Current
	}
	return t
}

// fills is how many edges the elimination of every vertex would add, as the first.
func fills(g *model.Graph) (out []int) {
	for v := range g.N {
		out = append(out, len(model.Eliminate(g, []int{v})[0].Added))
	}
	return out
}

func viewFirst(c *Context) (v View) {
	var order []int
	if a, ok := c.Last(Toggle); ok && a.A < c.Graph.N {
		order = []int{a.A}
	}
	f, steps := eliminated(c.Graph, order, firstElimination)
	v.show(f)
	v.count("n", c.Graph.N)
	v.count("fewest", slices.Min(fills(c.Graph)))
	v.after()
	if len(steps) > 0 {
		v.count("degree", len(steps[0].Around))
		v.count("fill", steps[0].Fill)
	}
	return v
}

func checkFirst(c *Context, _ View) Verdict {
	list := fills(c.Graph)
	fewest := slices.Min(list)
	a, ok := c.Last(Toggle)
	switch {
	case ok && a.A < c.Graph.N && list[a.A] == fewest:
		return Verdict{Pass: true}
	case !ok || a.A >= c.Graph.N:
		return Verdict{Hint: "none", Place: vertices(0, slices.Index(list, fewest))}
	}
	e := model.Eliminate(c.Graph, []int{a.A})[0]
	var ends []int
	for _, x := range e.Added {
		ends = append(ends, x[0], x[1])
	}
	slices.Sort(ends)
	return Verdict{Hint: "fill", Place: vertices(0, slices.Compact(ends)...), Say: c.Graph.VertexName(a.A)}
}

func viewElimination(c *Context) (v View) {
	order := c.picked(c.Graph.N)
	f, steps := eliminated(c.Graph, order, allEliminations)
	v.show(f, growing(c.Graph, steps))
	v.count("left", c.Graph.N-len(order))
	width, fill, degree := 0, 0, 0
	if n := len(steps); n > 0 {
		width, fill, degree = steps[n-1].Width, steps[n-1].Fill, len(steps[n-1].Around)
	}
	v.count("width", width)
	v.count("fill", fill)
	v.count("degree", degree)
	return v
}

// remaining are the vertices that are still there.
func remaining(g *model.Graph, order []int) (out []int) {
	for v := range g.N {
		if !slices.Contains(order, v) {
			out = append(out, v)
		}
	}
	return out
}

func checkElimination(c *Context, _ View) Verdict {
	if left := remaining(c.Graph, c.picked(c.Graph.N)); len(left) > 0 {
		return Verdict{Hint: "left", Place: vertices(0, left...)}
	}
	return Verdict{Pass: true}
}

// degrees is a chart of the neighbours met at every elimination. A dot of the reader's order is about the vertex, and the bag that it made.
func degrees(mine, rule []model.Elimination) *figure.Chart {
	chart := degreesChart.chart(figure.Axis{}, figure.Axis{Lo: 0, Hi: 1})
	for i, list := range [][]model.Elimination{mine, rule} {
		curve := figure.Curve{Name: degreesChart.names[i], Form: figure.Steps, Color: i}
		for k, s := range list {
			curve.Points = append(curve.Points, [2]float64{float64(k + 1), float64(len(s.Around))})
		}
		chart.Curves = append(chart.Curves, curve)
	}
	for k, s := range mine {
		chart.Dot(figure.Dot{X: float64(k + 1), Y: float64(len(s.Around)), Name: fmt.Sprintf(eliminationDot, k+1, neighbourNoun.of(len(s.Around))), Vertices: []int{s.Vertex}, Bags: []int{k}})
	}
	return chart
}

func viewBeat(c *Context) (v View) {
	v = viewElimination(c)
	rule := model.MinDegree(c.Graph)
	v.count("rule", model.Width(c.Graph, rule))
	v.Length = c.Graph.N
	other, _ := eliminated(c.Graph, rule[:c.time(c.Graph.N)], leastDegree)
	v.show(other, degrees(model.Eliminate(c.Graph, c.picked(c.Graph.N)), model.Eliminate(c.Graph, rule)))
	if found := ask[job.Decomposed](c, &v, c.Graph, &job.Decompose{Seconds: searchSeconds}); found != nil {
		v.count("upper", found.Upper)
		v.after()
	}
	return v
}

func checkBeat(c *Context, v View) Verdict {
	order := c.picked(c.Graph.N)
	if left := remaining(c.Graph, order); len(left) > 0 {
		return Verdict{Hint: "left", Place: vertices(0, left...)}
	}
	rule, _ := v.Reading("rule")
	upper, _ := v.Reading("upper")
	steps := model.Eliminate(c.Graph, order)
	width := steps[len(steps)-1].Width
	// Where the rule finds the optimum it cannot be beaten: to be as good is to pass.
	if width < int(rule.Value) || width == int(upper.Value) {
		return Verdict{Pass: true}
	}
	i := slices.IndexFunc(steps, func(s model.Elimination) bool { return len(s.Around) == width })
	return Verdict{Hint: "wide", Place: append(vertices(0, steps[i].Vertex), pointSpots(3, i)...), Say: c.Graph.VertexName(steps[i].Vertex)}
}

func viewProof(c *Context) (v View) {
	v.Question = &Question{Lo: 1, Hi: float64(max(2, min(c.Graph.N-1, 12)))}
	steps, bound := model.Contract(c.Graph)
	v.Length = len(steps)
	at := c.time(v.Length)
	v.show(contracted(c.Graph, steps[:at]))
	v.count("n", c.Graph.N)
	least := 0
	if at > 0 {
		least = steps[at-1].Bound
		v.count("degree", steps[at-1].Degree)
	}
	v.count("sofar", least)
	v.count("bound", bound)
	v.after()
	if found := ask[job.Decomposed](c, &v, c.Graph, &job.Decompose{Seconds: searchSeconds}); found != nil {
		v.count("upper", found.Upper)
		v.after()
		v.count("lower", found.Lower)
		v.after()
		if c.Revealed {
			v.show(tree(c.Graph, hung(&found.Decomposition), narrowest))
		}
	}
	return v
}

// contracted is a graph after contractions: vertices that have gone into a neighbour are gone, and their edges lead from that.
func contracted(g *model.Graph, steps []model.Contraction) *figure.Graph {
	f := drawn(g, contraction)
	into := make([]int, g.N)
	for v := range into {
		into[v] = v
	}
	for i, s := range steps {
		f.Roles[s.Vertex] = figure.Gone
		for v := range into {
			if into[v] == s.Vertex {
				into[v] = s.Into
			}
		}
		if i == len(steps)-1 && s.Into >= 0 {
			f.Roles[s.Into] = figure.Current
		}
	}
	for i, e := range g.Edges {
		a, b := into[e[0]], into[e[1]]
		if a == e[0] && b == e[1] {
			continue
		}
		f.Lines[i] = figure.Gone
		if x := [2]int{min(a, b), max(a, b)}; a >= 0 && b >= 0 && a != b && !slices.Contains(g.Edges, x) && !slices.Contains(f.Added, x) {
			f.Added = append(f.Added, x)
		}
	}
	return f
}

func checkProof(c *Context, v View) Verdict {
	upper, _ := v.Reading("upper")
	guess, _ := c.Guessed(0)
	if guess == upper.Value {
		return Verdict{Pass: true}
	}
	if guess < upper.Value {
		return Verdict{Hint: "low", Place: vertices(0, stuck(c.Graph)...)}
	}
	steps := model.Eliminate(c.Graph, model.MinDegree(c.Graph))
	i := slices.IndexFunc(steps, func(s model.Elimination) bool { return len(s.Around) == steps[len(steps)-1].Width })
	return Verdict{Hint: "high", Place: vertices(0, append([]int{steps[i].Vertex}, steps[i].Around...)...)}
}
