package lesson

import (
	"fmt"
	"slices"
	"strconv"

	"genussink/viewer/figure"
	"genussink/viewer/lesson/model"
)

func separating() *Lesson {
	text := &lessonTexts[3]
	return &Lesson{Text: text, Own: 24, Graph: func() *model.Graph { return model.TwoTree(16, 4).Lettered() }, Steps: []Step{
		{Text: &text.Steps[0], View: viewPieces, Check: checkPieces},
		{Text: &text.Steps[1], Takes: []Verb{Pick}, View: viewCentroid, Check: checkCentroid},
		{Text: &text.Steps[2], View: viewWalk, Check: checkWalk},
		{Text: &text.Steps[3], Takes: []Verb{Move}, View: viewJoin, Check: checkJoin},
	}}
}

// hungFromEnd is the decomposition of the lesson's graph, hung from a leaf, so that the centroid has to be looked for.
func hungFromEnd(g *model.Graph) *model.Decomposition {
	return model.FromOrder(g, model.MinDegree(g))
}

// around lists the bags next to a bag.
func around(d *model.Decomposition, bag int) (out []int) {
	for b, up := range d.Parent {
		if up == bag {
			out = append(out, b)
		}
	}
	if d.Parent[bag] >= 0 {
		out = append(out, d.Parent[bag])
	}
	slices.Sort(out)
	return out
}

// pieces colours a graph by what a bag leaves: the pieces in turn, the bag as the separator.
func pieces(f *figure.Graph, c model.Cut) {
	sides(f, c)
	turn := []figure.Role{figure.SideA, figure.SideB, figure.Truth, figure.Guess, figure.Current}
	for i, part := range c.Parts {
		for _, v := range part {
			f.Roles[v] = turn[i%len(turn)]
		}
	}
}

// busiest is the bag that leaves the most pieces, the first of several.
func busiest(g *model.Graph, d *model.Decomposition) (bag, parts int) {
	for b := range d.Bags {
		if n := len(model.Separate(g, d.Bags[b]).Parts); n > parts {
			bag, parts = b, n
		}
	}
	return bag, parts
}

func viewPieces(c *Context) (v View) {
	d := hungFromEnd(c.Graph)
	bag, parts := busiest(c.Graph, d)
	v.Question = &Question{Lo: 1, Hi: float64(min(c.Graph.N, 12))}
	f, t := drawn(c.Graph, plainGraph), tree(c.Graph, d, itsBags)
	t.Roles[bag] = figure.Separator
	for _, x := range d.Bags[bag] {
		f.Roles[x] = figure.Separator
	}
	v.show(f, t)
	v.count("size", len(d.Bags[bag]))
	v.count("next", len(around(d, bag)))
	v.count("pieces", parts)
	v.after()
	if c.Revealed {
		pieces(f, model.Separate(c.Graph, d.Bags[bag]))
	}
	return v
}

func checkPieces(c *Context, v View) Verdict {
	d := hungFromEnd(c.Graph)
	bag, parts := busiest(c.Graph, d)
	if guess, ok := c.Guessed(0); ok && guess == float64(parts) {
		return Verdict{Pass: true}
	}
	return Verdict{Hint: "pieces", Place: bagSpots(around(d, bag)...)}
}

func viewCentroid(c *Context) (v View) {
	d := hungFromEnd(c.Graph)
	f, t := drawn(c.Graph, bagLeaves), tree(c.Graph, d, bagToPick)
	v.show(f, t)
	v.count("n", c.Graph.N)
	if a, ok := c.Last(Pick); ok && a.A < len(d.Bags) {
		t.Roles[a.A] = figure.Separator
		cut := model.Separate(c.Graph, d.Bags[a.A])
		pieces(f, cut)
		v.count("largest", cut.Largest())
		v.count("pieces", len(cut.Parts))
	}
	return v
}

func checkCentroid(c *Context, _ View) Verdict {
	d := hungFromEnd(c.Graph)
	a, ok := c.Last(Pick)
	if !ok || a.A >= len(d.Bags) {
		bag, _ := d.Centroid(c.Graph)
		return Verdict{Hint: "none", Place: bagSpots(append(around(d, bag), bag)...)}
	}
	cut := model.Separate(c.Graph, d.Bags[a.A])
	if 2*cut.Largest() <= c.Graph.N {
		return Verdict{Pass: true}
	}
	// The neighbour on the side of the largest piece.
	var heavy []int
	for _, b := range around(d, a.A) {
		if slices.ContainsFunc(d.Bags[b], func(v int) bool { return slices.Contains(cut.Parts[0], v) }) {
			heavy = append(heavy, b)
		}
	}
	if heavy == nil {
		heavy = around(d, a.A)
	}
	return Verdict{Hint: "heavy", Place: append(bagSpots(heavy...), vertices(0, cut.Parts[0]...)...)}
}

func viewWalk(c *Context) (v View) {
	d := hungFromEnd(c.Graph)
	bag, walk := d.Centroid(c.Graph)
	v.Question = &Question{Lo: 1, Hi: float64(len(d.Bags))}
	v.Length = 0
	f, t := drawn(c.Graph, plainGraph), tree(c.Graph, d, leavesUp)
	v.show(f, t)
	v.count("n", c.Graph.N)
	v.value("half", float64(c.Graph.N)/2, 1)
	v.count("bags", len(d.Bags))
	v.count("looked", len(walk))
	v.after()
	if c.Revealed {
		v.Length = len(walk)
		at := c.time(len(walk))
		for _, w := range walk[:at] {
			t.Roles[w.Bag] = figure.Near
		}
		if at > 0 {
			t.Roles[walk[at-1].Bag] = figure.Current
			v.count("below", walk[at-1].Below)
		}
		if at == len(walk) {
			t.Roles[bag] = figure.Truth
			pieces(f, model.Separate(c.Graph, d.Bags[bag]))
			v.count("largest", d.Leaves(c.Graph, bag))
		}
	}
	return v
}

func checkWalk(c *Context, _ View) Verdict {
	d := hungFromEnd(c.Graph)
	_, walk := d.Centroid(c.Graph)
	guess, _ := c.Guessed(0)
	if guess == float64(len(walk)) {
		return Verdict{Pass: true}
	}
	// Where the walk is after as many bags as the reader said, or where it ended before.
	hint, last := "low", max(int(guess), 1)
	if last > len(walk) {
		hint, last = "high", len(walk)
	}
	at := walk[last-1]
	return Verdict{Hint: hint, Place: bagSpots(at.Bag), Say: strconv.Itoa(at.Below)}
}

// dealt is the centroid's cut with the reader's dealing: all pieces on A, those moved an odd number of times on B.
func dealt(c *Context) model.Cut {
	d := hungFromEnd(c.Graph)
	bag, _ := d.Centroid(c.Graph)
	cut := model.Separate(c.Graph, d.Bags[bag])
	left := make([]bool, len(cut.Parts))
	for i := range left {
		left[i] = true
	}
	for _, a := range c.Acts {
		if a.Verb == Move && a.A < len(left) {
			left[a.A] = !left[a.A]
		}
	}
	return cut.Deal(c.Graph.N, left)
}

func viewJoin(c *Context) (v View) {
	cut := dealt(c)
	f := drawn(c.Graph, piecesPick)
	sides(f, cut)
	chart := piecesChart.chart(figure.Axis{Lo: 0.5, Hi: float64(len(cut.Parts)) + 0.5, Fixed: true, Bare: true}, figure.Axis{Lo: 0, Hi: 1})
	for i, part := range cut.Parts {
		role := figure.SideA
		if cut.Side[part[0]] == 2 {
			role = figure.SideB
		}
		chart.Dot(figure.Dot{X: float64(i + 1), Y: float64(len(part)), Label: fmt.Sprintf(pieceLabel, c.Graph.VertexName(part[0])), Role: role, Vertices: part})
	}
	v.show(f, chart)
	v.Pieces = cut.Parts
	v.count("n", c.Graph.N)
	v.count("pieces", len(cut.Parts))
	v.count("A", cut.A)
	v.count("S", cut.S)
	v.count("B", cut.B)
	v.share("larger", float64(max(cut.A, cut.B))/float64(max(c.Graph.N, 1)))
	return v
}

func checkJoin(c *Context, _ View) Verdict {
	cut := dealt(c)
	if 3*max(cut.A, cut.B) <= 2*c.Graph.N && (cut.B > 0 || len(cut.Parts) < 2) {
		return Verdict{Pass: true}
	}
	large := int8(0)
	if cut.B > cut.A {
		large = 2
	}
	// The largest piece of the heavier side that the other has room for.
	for i, part := range cut.Parts {
		if cut.Side[part[0]] == large && 3*(min(cut.A, cut.B)+len(part)) <= 2*c.Graph.N {
			return Verdict{Hint: "move", Place: append(pointSpots(1, i), vertices(0, part...)...)}
		}
	}
	return Verdict{Hint: "move", Place: vertices(0, cut.Members(large)...)}
}
