package lesson

import (
	"fmt"
	"math"
	"slices"

	"genussink/core/job"
	"genussink/viewer/figure"
	"genussink/viewer/lesson/model"
)

func recursion() *Lesson {
	text := &lessonTexts[4]
	return &Lesson{Text: text, Own: 64, Graph: func() *model.Graph { return model.Grid(8, 8) }, Steps: []Step{
		{Text: &text.Steps[0], View: viewDepth, Check: checkDepth},
		{Text: &text.Steps[1], View: viewLevels, Check: checkLevels},
		{Text: &text.Steps[2], Takes: []Verb{Toggle}, View: viewCross, Check: checkCross},
		{Text: &text.Steps[3], Takes: []Verb{Toggle}, View: viewShortcut, Check: checkShortcut},
	}}
}

// below says whether a node is another, or lies below it.
func below(nodes []job.Node, node, top int32) bool {
	for ; node >= 0; node = nodes[node].Parent {
		if node == top {
			return true
		}
	}
	return false
}

// cells is the separator tree as a figure, up to a number of nodes, with the separators' vertices as its bags.
func cells(g *model.Graph, s *job.Separated, upTo int) *figure.Tree {
	t := &figure.Tree{Title: "The separator tree", Desc: fmt.Sprintf("%d nodes; every node splits its cell by a separator", len(s.Nodes))}
	for i := range min(upTo, len(s.Nodes)) {
		n := s.Nodes[i]
		t.Parent = append(t.Parent, int(n.Parent))
		var members []int
		for v, cell := range s.Cells {
			if int(cell) == i {
				members = append(members, v)
			}
		}
		t.Members = append(t.Members, members)
		words := fmt.Sprintf("S %d", n.S)
		if n.Left < 0 && n.Right < 0 {
			words = fmt.Sprint(n.A)
		}
		t.Labels = append(t.Labels, words)
	}
	t.Roles = make([]figure.Role, len(t.Parent))
	for v := range g.N {
		t.Names = append(t.Names, g.VertexName(v))
	}
	return t
}

// split colours a graph by the split of a node; vertices outside its cell are faint.
func split(f *figure.Graph, s *job.Separated, node int32) {
	n := s.Nodes[node]
	for v, cell := range s.Cells {
		switch {
		case cell == node:
			f.Roles[v] = figure.Separator
		case n.Left >= 0 && below(s.Nodes, cell, n.Left):
			f.Roles[v] = figure.SideA
		case n.Right >= 0 && below(s.Nodes, cell, n.Right):
			f.Roles[v] = figure.SideB
		default:
			f.Roles[v] = figure.Gone
		}
	}
	for i, e := range f.Edges {
		if f.Roles[e[0]] == figure.Gone || f.Roles[e[1]] == figure.Gone {
			f.Lines[i] = figure.Gone
		}
	}
}

func separated(c *Context, v *View) *job.Separated {
	s := ask[job.Separated](c, v, c.Graph, &job.Separate{})
	if s != nil && (len(s.Cells) != c.Graph.N || len(s.Nodes) == 0) {
		v.Failed = "The engine's tree is not of this graph."
		return nil
	}
	return s
}

// depth is the levels of separators: leaves have none.
func depth(s *job.Separated) (levels int) {
	for _, n := range s.Nodes {
		if n.Left >= 0 || n.Right >= 0 {
			levels = max(levels, int(n.Depth)+1)
		}
	}
	return levels
}

func viewDepth(c *Context) (v View) {
	v.Question = &Question{Lo: 1, Hi: 20}
	f := drawn(c.Graph, "The first split")
	v.show(f)
	v.count("n", c.Graph.N)
	s := separated(c, &v)
	if s == nil {
		return v
	}
	split(f, s, 0)
	root := s.Nodes[0]
	v.count("A", int(root.A))
	v.count("S", int(root.S))
	v.count("B", int(root.B))
	v.count("depth", depth(s))
	v.after()
	v.count("nodes", len(s.Nodes))
	v.after()
	v.value("log", math.Log2(float64(c.Graph.N)), 1)
	v.after()
	if c.Revealed {
		v.show(cells(c.Graph, s, len(s.Nodes)))
	}
	return v
}

func checkDepth(c *Context, v View) Verdict {
	want, _ := v.Reading("depth")
	guess, _ := c.Guessed(0)
	if math.Abs(guess-want.Value) <= 1 {
		return Verdict{Pass: true}
	}
	s := separated(c, &v)
	// The larger side of the first split: how often can it be halved?
	side := s.Nodes[0].Left
	if s.Nodes[0].B > s.Nodes[0].A {
		side = s.Nodes[0].Right
	}
	var list []int
	for x, cell := range s.Cells {
		if below(s.Nodes, cell, side) {
			list = append(list, x)
		}
	}
	return Verdict{Hint: "halve", Place: vertices(0, list...)}
}

// levelWork is, for every level, the sum of |S| times the cell's vertices: the labels of the paper's left and right distances.
func levelWork(s *job.Separated) []float64 {
	out := make([]float64, depth(s))
	for _, n := range s.Nodes {
		if n.Left >= 0 || n.Right >= 0 {
			out[n.Depth] += float64(n.S) * float64(n.A+n.S+n.B)
		}
	}
	return out
}

// heaviest is the level with the most work, from 1.
func heaviest(s *job.Separated) int {
	work := levelWork(s)
	best := 0
	for i, x := range work {
		if x > work[best] {
			best = i
		}
	}
	return best + 1
}

// byLevel lists the nodes that split, level by level.
func byLevel(s *job.Separated) (out []int32) {
	for i, n := range s.Nodes {
		if n.Left >= 0 || n.Right >= 0 {
			out = append(out, int32(i))
		}
	}
	slices.SortStableFunc(out, func(a, b int32) int { return int(s.Nodes[a].Depth - s.Nodes[b].Depth) })
	return out
}

func viewLevels(c *Context) (v View) {
	v.Question = &Question{Lo: 1, Hi: 20}
	f := drawn(c.Graph, "The cell that splits")
	v.show(f)
	s := separated(c, &v)
	if s == nil {
		return v
	}
	order := byLevel(s)
	v.Length = len(order)
	at := c.time(v.Length)
	t := cells(c.Graph, s, len(s.Nodes))
	for b := range t.Roles {
		t.Roles[b] = figure.Gone
	}
	total := 0.0
	for i, node := range order[:at] {
		n := s.Nodes[node]
		total += float64(n.S) * float64(n.A+n.S+n.B)
		t.Roles[node] = figure.Plain
		if i == at-1 {
			t.Roles[node] = figure.Current
			split(f, s, node)
			v.count("A", int(n.A))
			v.count("S", int(n.S))
			v.count("B", int(n.B))
			v.count("level", int(n.Depth)+1)
		}
	}
	v.show(t)
	v.count("total", int(total))
	v.count("pairs", c.Graph.N*c.Graph.N)
	v.count("heaviest", heaviest(s))
	v.after()
	if c.Revealed {
		chart := &figure.Chart{Title: "Distances kept at every level", Desc: "The sum of |S| times the cell, level by level", X: figure.Axis{Label: "level"}, Y: figure.Axis{Label: "distances", Lo: 0, Hi: 1}}
		bars := figure.Curve{Form: figure.Bars}
		for i, x := range levelWork(s) {
			bars.Points = append(bars.Points, [2]float64{float64(i + 1), x})
			chart.Dots = append(chart.Dots, figure.Dot{X: float64(i + 1), Y: x, Name: fmt.Sprintf("Level %d: %.0f distances", i+1, x)})
		}
		chart.Curves = []figure.Curve{bars}
		v.show(chart)
	}
	return v
}

func checkLevels(c *Context, v View) Verdict {
	s := separated(c, &v)
	guess, ok := c.Guessed(0)
	if best := heaviest(s); ok && int(guess) == best {
		return Verdict{Pass: true}
	}
	var level []int
	for i, n := range s.Nodes {
		if int(n.Depth) == heaviest(s)-1 && n.Left >= 0 {
			level = append(level, i)
		}
	}
	return Verdict{Hint: "level", Place: bagSpots(level...)}
}

// ends are two vertices on different sides of the first split for which it matters most where the path crosses, no nearer
// than half of what is possible.
func ends(c *Context, s *job.Separated) (i, j int, separator []int) {
	i, j = -1, -1
	root := s.Nodes[0]
	var left, right []int
	for v, cell := range s.Cells {
		switch {
		case cell == 0:
			separator = append(separator, v)
		case root.Left >= 0 && below(s.Nodes, cell, root.Left):
			left = append(left, v)
		case root.Right >= 0:
			right = append(right, v)
		}
	}
	to := make([][]float64, len(separator))
	for k, x := range separator {
		to[k] = c.Graph.Distances(x, nil)
	}
	// The least way through the separator, and by how much the others are longer together.
	ways := func(a, b int) (least, more float64) {
		least = math.Inf(1)
		for k := range to {
			least = min(least, to[k][a]+to[k][b])
		}
		for k := range to {
			more += to[k][a] + to[k][b] - least
		}
		return least, more
	}
	far := 0.0
	for _, a := range left {
		for _, b := range right {
			if d, _ := ways(a, b); !math.IsInf(d, 1) {
				far = max(far, d)
			}
		}
	}
	most := -1.0
	for _, a := range left {
		for _, b := range right {
			if d, more := ways(a, b); 2*d >= far && more > most {
				i, j, most = a, b, more
			}
		}
	}
	return i, j, separator
}

func viewCross(c *Context) (v View) {
	f := drawn(c.Graph, "Which separator vertex does the path cross?")
	v.show(f)
	s := separated(c, &v)
	if s == nil {
		return v
	}
	i, j, separator := ends(c, s)
	if i < 0 || len(separator) == 0 {
		v.Failed = "This graph's first split has no separator to cross."
		return v
	}
	split(f, s, 0)
	f.Roles[i], f.Roles[j] = figure.Current, figure.Current
	through, least := model.Via(c.Graph, separator, i, j)
	chart := &figure.Chart{Title: "The way through each separator vertex", Desc: "d(i,s) + d(s,j) for every s of the separator", X: figure.Axis{Label: "s of the separator"}, Y: figure.Axis{Label: "d(i,s) + d(s,j)", Lo: 0, Hi: 1}}
	bars := figure.Curve{Form: figure.Bars}
	v.count("S", len(separator))
	if a, ok := c.Last(Toggle); ok {
		if k := slices.Index(separator, a.A); k >= 0 {
			f.Roles[a.A] = figure.Guess
			v.value("mine", through[k], 0)
		}
	}
	v.value("best", through[least], 0)
	v.after()
	v.value("d", c.Graph.Distances(i, nil)[j], 0)
	v.after()
	if c.Revealed {
		for k := range separator {
			bars.Points = append(bars.Points, [2]float64{float64(k + 1), through[k]})
			role := figure.Plain
			if through[k] == through[least] {
				role = figure.Truth
			}
			chart.Dots = append(chart.Dots, figure.Dot{X: float64(k + 1), Y: through[k], Name: "Through " + c.Graph.VertexName(separator[k]), Role: role})
		}
		chart.Curves = []figure.Curve{bars}
		path := append(c.Graph.Route(i, separator[least]), c.Graph.Route(separator[least], j)...)
		for e, x := range f.Edges {
			for k := range len(path) - 1 {
				if x == [2]int{min(path[k], path[k+1]), max(path[k], path[k+1])} {
					f.Lines[e] = figure.Path
				}
			}
		}
		v.show(chart)
	}
	return v
}

func checkCross(c *Context, v View) Verdict {
	i, j, separator := ends(c, separated(c, &v))
	through, least := model.Via(c.Graph, separator, i, j)
	a, ok := c.Last(Toggle)
	k := -1
	if ok {
		k = slices.Index(separator, a.A)
	}
	switch {
	case k < 0:
		return Verdict{Hint: "outside", Place: vertices(0, separator...)}
	case through[k] == through[least]:
		return Verdict{Pass: true}
	}
	return Verdict{Hint: "longer", Place: vertices(0, separator[least]), Say: fmt.Sprintf("%.0f", through[k]-through[least])}
}

// detour is a cut in which a side needs shortcuts: the first of the reader's graph, or where it has none of the lesson's ring.
func detour(c *Context, v *View) (g *model.Graph, cut model.Cut, side int8, list []model.Shortcut) {
	if c.Own {
		g = c.Graph
		swept := ask[job.Swept](c, v, g, &job.Sweep{})
		if swept == nil {
			return g, cut, 0, nil
		}
		for _, x := range swept.Cuts {
			cut = found(g, x)
			for _, side = range []int8{0, 2} {
				if list = model.Shortcuts(g, cut, side); len(list) > 0 {
					return g, cut, side, list
				}
			}
		}
		v.Instead = noDetour
	}
	g = model.Cycle(14).Lettered()
	cut = model.Separate(g, []int{0, 5})
	side = 0 // the larger part
	return g, cut, side, model.Shortcuts(g, cut, side)
}

func viewShortcut(c *Context) (v View) {
	g, cut, side, list := detour(c, &v)
	if v.Waiting || v.Failed != "" {
		return v
	}
	f := drawn(g, "One side with its separator")
	sides(f, cut)
	for x, s := range cut.Side {
		if s == 2-side {
			f.Roles[x] = figure.Gone
		}
	}
	for i, e := range f.Edges {
		if a, b := cut.Side[e[0]], cut.Side[e[1]]; a != 2-side && b != 2-side {
			f.Lines[i] = figure.Plain
		} else {
			f.Lines[i] = figure.Gone
		}
	}
	picked := c.toggled(g.N)
	for _, x := range picked {
		f.Roles[x] = figure.Guess
	}
	v.count("S", cut.S)
	v.count("needed", len(list))
	x := list[0]
	f.Roles[x.From], f.Roles[x.To] = figure.Current, figure.Current
	v.value("detour", x.Detour, 0)
	v.value("true", x.True, 0)
	v.value("length", x.Length, 0)
	v.after()
	if c.Revealed {
		for _, x := range list {
			f.Added = append(f.Added, [2]int{x.S, x.T})
		}
	}
	v.show(f)
	return v
}

func checkShortcut(c *Context, v View) Verdict {
	g, _, _, list := detour(c, &v)
	picked := c.toggled(g.N)
	if len(picked) == 2 && slices.ContainsFunc(list, func(x model.Shortcut) bool { return x.S == picked[0] && x.T == picked[1] }) {
		return Verdict{Pass: true}
	}
	if len(picked) != 2 {
		return Verdict{Hint: "two", Place: vertices(0, list[0].From, list[0].To)}
	}
	return Verdict{Hint: "which", Place: vertices(0, list[0].S, list[0].T)}
}
