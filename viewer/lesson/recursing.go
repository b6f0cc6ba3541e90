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
		{Text: &text.Steps[4], View: viewWhole, Check: checkWhole, Mesh: true},
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
	t := &figure.Tree{Title: separatorTree, Desc: fmt.Sprintf(nodesDesc, nodeNoun.of(len(s.Nodes)))}
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
		words := fmt.Sprintf(nodeLabel, n.S)
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
		v.Failed = otherTree
		return nil
	}
	if s != nil && depth(s) == 0 {
		v.Failed = notSplit
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
	f := drawn(c.Graph, firstSplit)
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
	leaf := 0
	for _, n := range s.Nodes {
		if n.Left < 0 && n.Right < 0 {
			leaf = max(leaf, int(n.A+n.S+n.B))
		}
	}
	v.count("leaf", leaf)
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

// heaviest is the level with the most work. The root is on level 0, here as everywhere.
func heaviest(s *job.Separated) int {
	work := levelWork(s)
	best := 0
	for i, x := range work {
		if x > work[best] {
			best = i
		}
	}
	return best
}

// byLevel lists the nodes that split, level by level.
func byLevel(s *job.Separated) (out []int32) {
	for level := range depth(s) {
		for i, n := range s.Nodes {
			if int(n.Depth) == level && (n.Left >= 0 || n.Right >= 0) {
				out = append(out, int32(i))
			}
		}
	}
	return out
}

func viewLevels(c *Context) (v View) {
	v.Question = &Question{Lo: 0, Hi: 20}
	f := drawn(c.Graph, cellToSplit)
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
			v.count("level", int(n.Depth))
		}
	}
	v.show(t)
	v.count("total", int(total))
	v.count("pairs", c.Graph.N*c.Graph.N)
	v.count("heaviest", heaviest(s))
	v.after()
	if c.Revealed {
		chart := distancesChart.chart(figure.Axis{Whole: true}, figure.Axis{Lo: 0, Hi: 1})
		bars := figure.Curve{Form: figure.Bars}
		for i, x := range levelWork(s) {
			bars.Points = append(bars.Points, [2]float64{float64(i), x})
			d := figure.Dot{X: float64(i), Y: x, Name: fmt.Sprintf(levelDot, i, distanceNoun.of(int(x)))}
			for _, node := range order {
				if int(s.Nodes[node].Depth) == i {
					d.Bags, d.Vertices = append(d.Bags, int(node)), append(d.Vertices, t.Members[node]...)
				}
			}
			chart.Dot(d)
		}
		chart.Curves = []figure.Curve{bars}
		v.show(chart)
	}
	return v
}

func checkLevels(c *Context, v View) Verdict {
	s := separated(c, &v)
	guess, ok := c.Guessed(0)
	if best := heaviest(s); ok && guess == float64(best) {
		return Verdict{Pass: true}
	}
	var level []int
	for i, n := range s.Nodes {
		if int(n.Depth) == heaviest(s) && n.Left >= 0 {
			level = append(level, i)
		}
	}
	return Verdict{Hint: "level", Place: bagSpots(level...)}
}

// ends are two vertices on different sides of the first split: the reader's, or those for which it matters most where the path crosses, no
// nearer than half of what is possible. through is the separator vertex that the reader has picked for them, -1: none.
func ends(c *Context, s *job.Separated) (i, j int, separator []int, through int) {
	i, j, through = -1, -1, -1
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
	for _, a := range c.Acts {
		reached := len(to) > 0 && a.Verb == Toggle && a.A >= 0 && a.A < c.Graph.N && !math.IsInf(to[0][a.A], 1)
		switch {
		case !reached:
		case slices.Contains(separator, a.A):
			through = a.A
		case slices.Contains(left, a.A):
			i, through = a.A, -1
		default:
			j, through = a.A, -1
		}
	}
	return i, j, separator, through
}

func viewCross(c *Context) (v View) {
	f := drawn(c.Graph, whereToCross)
	v.show(f)
	s := separated(c, &v)
	if s == nil {
		return v
	}
	i, j, separator, mine := ends(c, s)
	if i < 0 || len(separator) == 0 {
		v.Failed = nothingCross
		return v
	}
	split(f, s, 0)
	f.Roles[i], f.Roles[j] = figure.Current, figure.Current
	f.Labels = make([]string, c.Graph.N) // the two of which the text speaks have letters
	f.Labels[i], f.Labels[j] = "i", "j"
	through, least := model.Via(c.Graph, separator, i, j)
	chart := crossChart.chart(figure.Axis{Whole: true}, figure.Axis{Lo: 0, Hi: 1})
	bars := figure.Curve{Form: figure.Bars}
	v.count("S", len(separator))
	if k := slices.Index(separator, mine); k >= 0 {
		f.Roles[mine] = figure.Guess
		v.value("mine", through[k], 0)
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
			chart.Dot(figure.Dot{X: float64(k + 1), Y: through[k], Name: fmt.Sprintf(crossDot, c.Graph.VertexName(separator[k])), Role: role, Vertices: separator[k : k+1]})
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
		// Further down the tree the same path crosses other separators.
		t := cells(c.Graph, s, len(s.Nodes))
		crossed := 0
		for b, n := range s.Nodes {
			if (n.Left >= 0 || n.Right >= 0) && slices.ContainsFunc(path, func(x int) bool { return int(s.Cells[x]) == b }) {
				t.Roles[b] = figure.Path
				crossed++
			}
		}
		v.count("crossed", crossed)
		v.after()
		v.show(chart, t)
	}
	return v
}

func checkCross(c *Context, v View) Verdict {
	i, j, separator, mine := ends(c, separated(c, &v))
	through, least := model.Via(c.Graph, separator, i, j)
	k := slices.Index(separator, mine)
	switch {
	case k < 0:
		return Verdict{Hint: "outside", Place: vertices(0, separator...)}
	case through[k] == through[least]:
		return Verdict{Pass: true}
	}
	return Verdict{Hint: "longer", Place: vertices(0, separator[least]), Say: fmt.Sprintf("%.0f", through[k]-through[least])}
}

// detour is a cut in which two vertices of a side need a shortcut: the first of the reader's graph, or where it has none of
// the lesson's ring. Of the shortcuts, the one at need is the first that two such vertices need.
func detour(c *Context, v *View) (g *model.Graph, cut model.Cut, side int8, list []model.Shortcut, need int) {
	if c.Own {
		g = c.Graph
		swept := ask[job.Swept](c, v, g, &job.Sweep{})
		if v.Waiting {
			return g, cut, 0, nil, -1
		}
		if swept == nil { // a clique has no cut
			swept, v.Failed = &job.Swept{}, ""
		}
		for _, x := range swept.Cuts {
			cut = found(g, x)
			for _, side = range []int8{0, 2} {
				list = model.Shortcuts(g, cut, side)
				if need = slices.IndexFunc(list, model.Shortcut.Needed); need >= 0 {
					return g, cut, side, list, need
				}
			}
		}
		v.Instead = noDetour
	}
	g = model.Cycle(14).Lettered()
	cut = model.Separate(g, []int{0, 4})
	return g, cut, 0, model.Shortcuts(g, cut, 0), 0 // the larger part
}

func viewShortcut(c *Context) (v View) {
	g, cut, side, list, need := detour(c, &v)
	if v.Waiting {
		return v
	}
	f := drawn(g, oneSide)
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
	x := list[need]
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
	g, _, _, list, need := detour(c, &v)
	picked := c.toggled(g.N)
	if len(picked) == 2 && slices.ContainsFunc(list, func(x model.Shortcut) bool { return x.S == picked[0] && x.T == picked[1] }) {
		return Verdict{Pass: true}
	}
	if len(picked) != 2 {
		return Verdict{Hint: "two", Place: vertices(0, list[need].From, list[need].To)}
	}
	return Verdict{Hint: "which", Place: vertices(0, list[need].S, list[need].T)}
}

// level is what the nodes of one depth add up to.
type level struct{ nodes, separators int }

func levels(s *job.Separated) []level {
	out := make([]level, depth(s))
	for _, n := range s.Nodes {
		if n.Left >= 0 || n.Right >= 0 {
			out[n.Depth].nodes++
			out[n.Depth].separators += int(n.S)
		}
	}
	return out
}

// viewWhole is about the tree of the mesh at hand, beside that of the lesson's graph. The mesh shows the levels as they are played.
func viewWhole(c *Context) (v View) {
	v.Question = &Question{Lo: 1, Hi: 40}
	small := separated(c, &v)
	s := ask[job.Separated](c, &v, nil, &job.Separate{})
	if small == nil || s == nil {
		return v
	}
	if depth(s) == 0 {
		v.Failed = notSplit
		return v
	}
	n := len(s.Cells)
	list := levels(s)
	f := drawn(c.Graph, smallGraph)
	split(f, small, 0)
	v.show(f)
	v.Canvas = &Canvas{}
	v.count("n", n)
	v.count("few", c.Graph.N)
	v.count("fewDepth", depth(small))
	v.count("first", int(s.Nodes[0].S))
	if c.Revealed { // before, the timeline's length would tell
		v.Length = len(list) - 1
		v.Canvas.Level = c.time(v.Length)
		now := list[v.Canvas.Level]
		v.count("level", v.Canvas.Level)
		v.count("nodes", now.nodes)
		v.count("inS", now.separators)
		v.show(levelChart(list, v.Canvas.Level))
	}
	total := 0.0
	for _, x := range levelWork(s) {
		total += x
	}
	v.count("depth", len(list))
	v.after()
	v.value("ratio", float64(n)/float64(max(c.Graph.N, 1)), 1)
	v.after()
	v.value("total", total, 0)
	v.after()
	v.share("share", total/(float64(n)*float64(n)))
	v.after()
	return v
}

// levelChart has a bar for each level of a tree, one of them the present.
func levelChart(list []level, at int) *figure.Chart {
	chart := levelsChart.chart(figure.Axis{Whole: true}, figure.Axis{Lo: 0, Hi: 1})
	bars := figure.Curve{Form: figure.Bars}
	for i, l := range list {
		x, y := float64(i), float64(l.separators)
		role := figure.Plain
		if i == at {
			role = figure.Current
		}
		bars.Points = append(bars.Points, [2]float64{x, y})
		chart.Dot(figure.Dot{X: x, Y: y, Role: role, Name: fmt.Sprintf(nodesDot, i, nodeNoun.of(l.nodes), vertexNoun.of(l.separators))})
	}
	chart.Curves = []figure.Curve{bars}
	return chart
}

// depthSlack is by how many levels a prediction of the mesh's depth may be off.
const depthSlack = 2

func checkWhole(c *Context, v View) Verdict {
	want := depth(ask[job.Separated](c, &v, nil, &job.Separate{}))
	guess, ok := c.Guessed(0)
	if ok && math.Abs(guess-float64(want)) <= depthSlack {
		return Verdict{Pass: true}
	}
	var all []int
	for x := range c.Graph.N {
		all = append(all, x)
	}
	if ok && guess > float64(want) {
		return Verdict{Hint: "high", Place: vertices(0, all...)}
	}
	return Verdict{Hint: "low", Place: vertices(0, all...)}
}
