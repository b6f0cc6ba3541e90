package lesson

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"genussink/core/job"
	"genussink/viewer/figure"
	"genussink/viewer/lesson/model"
)

// tree is a decomposition as a figure.
func tree(g *model.Graph, d *model.Decomposition, title string) *figure.Tree {
	t := &figure.Tree{Title: title, Desc: fmt.Sprintf(treeDesc, bagNoun.of(len(d.Bags)), d.Width()), Parent: d.Parent, Members: d.Bags, Roles: make([]figure.Role, len(d.Bags))}
	for v := range g.N {
		t.Names = append(t.Names, g.VertexName(v))
	}
	return t
}

// bagList has a row for each bag of a tree.
func bagList(t *figure.Tree) *figure.Table {
	list := &figure.Table{Title: bagsTable.title, Desc: bagsTable.desc, Head: bagsTable.names}
	for b, members := range t.Members {
		var names []string
		for _, v := range members {
			names = append(names, t.Names[v])
		}
		list.Entries = append(list.Entries, figure.Entry{Ref: figure.Ref{Kind: figure.Bag, ID: b}, Cells: []string{strconv.Itoa(b + 1), strings.Join(names, " "), strconv.Itoa(len(members))}})
	}
	return list
}

// shown is the decomposition that the lesson shows of a graph.
func shown(g *model.Graph) *model.Decomposition {
	d := model.FromOrder(g, model.MinDegree(g))
	bag, _ := d.Centroid(g)
	if bag < 0 {
		return d
	}
	var edges [][2]int
	for b, up := range d.Parent {
		if up >= 0 {
			edges = append(edges, [2]int{b, up})
		}
	}
	return model.Hang(d.Bags, edges, bag)
}

// searchSeconds is how long the engine may look for a treewidth.
const searchSeconds = 5

func decomposing() *Lesson {
	text := &lessonTexts[1]
	return &Lesson{Text: text, Own: 10, Graph: model.Seven, Steps: []Step{
		{Text: &text.Steps[0], Takes: []Verb{Toggle}, View: viewBags, Check: checkBags},
		{Text: &text.Steps[1], Takes: []Verb{Drop}, View: viewFilling, Check: checkFilling},
		{Text: &text.Steps[2], Takes: []Verb{Drop}, View: viewNarrower, Check: checkNarrower},
		{Text: &text.Steps[3], View: viewFamilies, Check: checkFamilies, Alone: true},
	}}
}

// holding is the bags of every vertex.
func holding(d *model.Decomposition, v int) (bags []int) {
	for b, bag := range d.Bags {
		if slices.Contains(bag, v) {
			bags = append(bags, b)
		}
	}
	return bags
}

func viewBags(c *Context) (v View) {
	d := shown(c.Graph)
	f, t := drawn(c.Graph, plainGraph), tree(c.Graph, d, itsDecomposition)
	rows := bagList(t)
	v.show(f, t, rows)
	v.count("n", c.Graph.N)
	v.count("bags", len(d.Bags))
	v.count("width", d.Width())
	most := 0
	for x := range c.Graph.N {
		most = max(most, len(holding(d, x)))
	}
	if a, ok := c.Last(Toggle); ok && a.A < c.Graph.N {
		f.Roles[a.A] = figure.Current
		for _, b := range holding(d, a.A) {
			t.Roles[b], rows.Entries[b].Role = figure.Current, figure.Current
		}
		v.count("mine", len(holding(d, a.A)))
	}
	v.count("most", most)
	v.after()
	return v
}

func checkBags(c *Context, _ View) Verdict {
	d, most, best := shown(c.Graph), 0, 0
	for x := range c.Graph.N {
		if n := len(holding(d, x)); n > most {
			most, best = n, x
		}
	}
	if a, ok := c.Last(Toggle); ok && a.A < c.Graph.N && len(holding(d, a.A)) == most {
		return Verdict{Pass: true}
	}
	return Verdict{Hint: "fewer", Place: bagSpots(holding(d, best)...)}
}

// emptied are the bags that the reader fills: up to three of the last in the tree, but not the root.
func emptied(d *model.Decomposition) (out []int) {
	for b := len(d.Bags) - 1; b >= 0 && len(out) < 3; b-- {
		if d.Parent[b] >= 0 {
			out = append(out, b)
		}
	}
	slices.Sort(out)
	return out
}

// filled is the decomposition with the last bags as the reader has filled them.
func filled(c *Context) *model.Decomposition {
	full := shown(c.Graph)
	d := &model.Decomposition{Bags: slices.Clone(full.Bags), Parent: full.Parent}
	empty := emptied(full)
	for _, b := range empty {
		d.Bags[b] = nil
	}
	drop(c, d, empty)
	return d
}

// drop puts the vertices that the reader has dropped on some bags into them, and those that were in them out.
func drop(c *Context, d *model.Decomposition, bags []int) {
	for _, a := range c.Acts {
		if a.Verb != Drop || a.A >= c.Graph.N || !slices.Contains(bags, a.B) {
			continue
		}
		if i, in := slices.BinarySearch(d.Bags[a.B], a.A); in {
			d.Bags[a.B] = slices.Delete(slices.Clone(d.Bags[a.B]), i, i+1)
		} else {
			d.Bags[a.B] = slices.Insert(slices.Clone(d.Bags[a.B]), i, a.A)
		}
	}
}

// narrowed is the decomposition with vertices that the reader has taken out of bags, or put into them.
func narrowed(c *Context) *model.Decomposition {
	d := shown(c.Graph)
	all := make([]int, len(d.Bags))
	for b := range all {
		all[b] = b
	}
	drop(c, d, all)
	return d
}

// rules shows a graph and a tree of its bags, marks in both what breaks the three rules, and counts it.
func rules(c *Context, v *View, d *model.Decomposition, title string) *figure.Tree {
	f, t := drawn(c.Graph, plainGraph), tree(c.Graph, d, title)
	broken := map[string]int{}
	for _, x := range d.Check(c.Graph) {
		broken[x.Rule]++
		switch x.Rule {
		case "vertex":
			f.Roles[x.Vertices[0]] = figure.Hint
		case "edge":
			if i := slices.Index(f.Edges, [2]int{x.Vertices[0], x.Vertices[1]}); i >= 0 {
				f.Lines[i] = figure.Hint
			}
		case "connected":
			f.Roles[x.Vertices[0]] = figure.Hint
			for _, b := range x.Bags {
				t.Roles[b] = figure.Hint
			}
		}
	}
	v.show(f, t)
	for _, rule := range []struct{ broken, reading string }{{"vertex", "loose"}, {"edge", "uncovered"}, {"connected", "torn"}} {
		v.count(rule.reading, broken[rule.broken])
		v.Holds = append(v.Holds, broken[rule.broken] == 0)
	}
	v.count("width", d.Width())
	return t
}

func viewFilling(c *Context) (v View) {
	d := filled(c)
	t := rules(c, &v, d, bagsToFill)
	for _, b := range emptied(d) {
		if t.Roles[b] == figure.Plain {
			t.Roles[b] = figure.Near
		}
	}
	return v
}

func checkFilling(c *Context, _ View) Verdict {
	d := filled(c)
	list := d.Check(c.Graph)
	if len(list) == 0 {
		return Verdict{Pass: true}
	}
	x := list[0]
	return Verdict{Hint: x.Rule, Place: append(vertices(0, x.Vertices...), bagSpots(x.Bags...)...), Say: fmt.Sprintf(brokenRules[x.Rule], c.Graph.VertexName(x.Vertices[0]), c.Graph.VertexName(x.Vertices[len(x.Vertices)-1]))}
}

func viewNarrower(c *Context) (v View) {
	v.Question = &Question{Lo: 1, Hi: float64(max(2, min(c.Graph.N-1, 12)))}
	found := ask[job.Decomposed](c, &v, c.Graph, &job.Decompose{Seconds: searchSeconds})
	d := narrowed(c)
	rules(c, &v, d, bagsToNarrow)
	if found == nil {
		return v
	}
	if c.Revealed {
		best := hung(&found.Decomposition)
		t := tree(c.Graph, best, narrowestFound)
		t.First = len(d.Bags)
		for b, bag := range best.Bags {
			if len(bag) == found.Upper+1 {
				t.Roles[b] = figure.Truth
			}
		}
		v.show(t)
	}
	v.count("upper", found.Upper)
	v.after()
	v.count("lower", found.Lower)
	v.after()
	v.count("largest", found.Upper+1)
	v.after()
	return v
}

// hung is a decomposition of the engine's as the model has it, hung from its centroid.
func hung(d *job.Decomposition) *model.Decomposition {
	out := &model.Decomposition{}
	for b, up := range d.Parents {
		var bag []int
		for _, v := range d.Bag(int32(b)) {
			bag = append(bag, int(v))
		}
		out.Bags, out.Parent = append(out.Bags, bag), append(out.Parent, int(up))
	}
	return out
}

// stuck is the place that makes small bags impossible: where the graph, contracted, has a vertex of the most neighbours.
func stuck(g *model.Graph) (around []int) {
	steps, bound := model.Contract(g)
	into := make([]int, g.N) // what a vertex has been contracted into
	for v := range into {
		into[v] = v
	}
	rows := g.Neighbours()
	for _, s := range steps {
		if s.Degree == bound {
			around = []int{s.Vertex}
			for _, w := range rows[s.Vertex] {
				if w := into[w]; w != s.Vertex && !slices.Contains(around, w) {
					around = append(around, w)
				}
			}
			slices.Sort(around)
			return around
		}
		if s.Into >= 0 {
			rows[s.Into] = append(slices.Clone(rows[s.Into]), rows[s.Vertex]...)
			for v := range into {
				if into[v] == s.Vertex {
					into[v] = s.Into
				}
			}
		}
	}
	return around
}

func checkNarrower(c *Context, v View) Verdict {
	found := ask[job.Decomposed](c, &v, c.Graph, &job.Decompose{Seconds: searchSeconds})
	guess, _ := c.Guessed(0)
	if guess == float64(found.Upper) {
		return Verdict{Pass: true}
	}
	if guess < float64(found.Upper) {
		return Verdict{Hint: "low", Place: vertices(0, stuck(c.Graph)...)}
	}
	d := narrowed(c)
	large := slices.IndexFunc(d.Bags, func(bag []int) bool { return len(bag) == d.Width()+1 })
	return Verdict{Hint: "high", Place: bagSpots(large)}
}

// families are graphs whose treewidth is known.
func families() []*model.Graph {
	return []*model.Graph{model.Tree(9), model.Cycle(8), model.Grid(4, 4), model.Clique(5)}
}

var familyNames = []string{"tree", "cycle", "grid", "clique"}

func viewFamilies(c *Context) (v View) {
	v.Question = &Question{Lo: 1, Hi: 8, Names: lessonTexts[1].Steps[3].Choices}
	for i, g := range families() {
		v.show(drawn(g, g.Name))
		v.count(familyNames[i]+"N", g.N)
		if found := ask[job.Decomposed](c, &v, g, &job.Decompose{Seconds: searchSeconds}); found != nil {
			v.count(familyNames[i], found.Upper)
			v.after()
		}
	}
	return v
}

func checkFamilies(c *Context, v View) Verdict {
	for i, g := range families() {
		found := ask[job.Decomposed](c, &v, g, &job.Decompose{Seconds: searchSeconds})
		if guess, ok := c.Guessed(i); !ok || guess != float64(found.Upper) {
			hint := "high"
			if !ok || guess < float64(found.Upper) {
				hint = "low"
			}
			return Verdict{Hint: hint, Place: vertices(i, stuck(g)...), Say: g.Name}
		}
	}
	return Verdict{Pass: true}
}
