package lesson

import (
	"fmt"
	"math"
	"slices"

	"genussink/viewer/figure"
	"genussink/viewer/lesson/model"
)

func multiplying() *Lesson {
	text := &lessonTexts[5]
	return &Lesson{Text: text, Own: 60, Graph: func() *model.Graph { return model.Planar(6, 12, 8) }, Steps: []Step{
		{Text: &text.Steps[0], Takes: []Verb{Slide}, View: viewOuter, Check: checkOuter, Alone: true},
		{Text: &text.Steps[1], View: viewLine, Check: checkLine},
		{Text: &text.Steps[2], View: viewRange, Check: checkRange, Alone: true},
		{Text: &text.Steps[3], View: viewHubs, Check: checkHubs},
	}}
}

// epsilon of the lesson's blocks: work does not depend on it.
const blockEpsilon = 4

// ones is a vector to multiply with.
func ones(n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = 1
	}
	return x
}

// single is a tree of n vertices cut at its root.
func single(n int) (*model.Graph, model.Cut) {
	g := model.Tree(n)
	return g, model.Separate(g, []int{0})
}

func viewOuter(c *Context) (v View) {
	v.Slider = c.slider(Slider{Name: "n", Lo: 15, Hi: 127, Step: 16, Value: 31})
	v.Question = &Question{Lo: 0, Hi: 5000}
	n := int(math.Round(v.Slider.Value))
	g, cut := single(n)
	f := drawn(g, "A tree, cut at one vertex")
	sides(f, cut)
	v.show(f)
	b := model.BlockOf(g, cut, blockEpsilon)
	_, dense := b.Dense(ones(cut.B))
	_, cross := b.Cross(ones(cut.B))
	v.count("n", n)
	tell(&v, cut)
	v.count("dense", dense.Multiply)
	v.count("cross", cross.Multiply)
	v.after()
	v.value("ratio", float64(dense.Multiply)/float64(max(cross.Multiply, 1)), 1)
	v.after()
	if c.Revealed {
		matrix, sum := figure.Curve{Name: "with the matrix"}, figure.Curve{Name: "as a product of two vectors", Color: 1}
		chart := &figure.Chart{Title: "Multiplications", Desc: "With the matrix and without, by the number of vertices", X: figure.Axis{Label: "vertices n"}, Y: figure.Axis{Label: "multiplications", Log: true}}
		for k := 15; k <= 127; k += 16 {
			g, cut := single(k)
			b := model.BlockOf(g, cut, blockEpsilon)
			_, dense := b.Dense(ones(cut.B))
			_, cross := b.Cross(ones(cut.B))
			matrix.Points = append(matrix.Points, [2]float64{float64(k), float64(dense.Multiply)})
			sum.Points = append(sum.Points, [2]float64{float64(k), float64(cross.Multiply)})
		}
		chart.Curves = []figure.Curve{matrix, sum}
		v.show(chart)
	}
	return v
}

func checkOuter(c *Context, v View) Verdict {
	want, _ := v.Reading("cross")
	guess, _ := c.Guessed(0)
	if math.Abs(guess-want.Value) <= want.Value/10 {
		return Verdict{Pass: true}
	}
	_, cut := single(int(math.Round(v.Slider.Value)))
	return Verdict{Hint: "once", Place: vertices(0, append(cut.Members(0), cut.Members(2)...)...)}
}

// least is the share of the vertices that a cut of the reader's graph leaves on either side: a block of fewer rows or columns shows nothing.
const least = 0.1

// parted is a graph with a cut.
type parted struct {
	*model.Graph
	model.Cut
}

// pair is a graph cut by two vertices: the lesson's ring, or the most even such cut of the reader's graph.
func pair(c *Context) (*model.Graph, model.Cut) {
	p := remember(c, "pair", func() parted {
		var best model.Cut
		if c.Own {
			for a := range c.Graph.N {
				for b := range a {
					if cut := model.Separate(c.Graph, []int{b, a}); cut.Balance() > best.Balance() {
						best = cut
					}
				}
			}
		}
		if best.Balance() >= least {
			return parted{c.Graph, best}
		}
		g := model.Cycle(26)
		return parted{g, model.Separate(g, []int{0, 12})}
	})
	return p.Graph, p.Cut
}

// turn is the row of a block of two hubs that the step asks about, and the first column that the other hub serves.
func turn(hubs [][]int) (row, column int) {
	row = len(hubs) / 2
	for i := range hubs { // the row next to the middle in which the hub changes
		for _, r := range []int{len(hubs)/2 + i, len(hubs)/2 - i} {
			if r >= 0 && r < len(hubs) {
				if k := change(hubs[r]); k < len(hubs[r]) {
					return r, k
				}
			}
		}
	}
	return row, change(hubs[row])
}

func change(row []int) int {
	for j := 1; j < len(row); j++ {
		if row[j] != row[0] {
			return j
		}
	}
	return len(row)
}

// cover is a block as a figure.
func cover(g *model.Graph, cut model.Cut, b *model.Block, title string) *figure.Cover {
	f := &figure.Cover{Title: title, Desc: fmt.Sprintf("%d rows, %d columns; the colour is the separator vertex on the shortest path", len(b.Rows), len(b.Columns)), Hubs: b.Hubs(), RowOf: b.Of}
	for _, s := range cut.Removed {
		f.HubNames = append(f.HubNames, g.VertexName(s))
	}
	return f
}

func viewLine(c *Context) (v View) {
	g, cut := pair(c)
	b := model.BlockOf(g, cut, blockEpsilon)
	full := cover(g, cut, &b, "Who serves the pair")
	row, column := turn(full.Hubs)
	v.Question = &Question{Lo: 1, Hi: float64(len(b.Columns) + 1)}
	f := drawn(g, "Two separator vertices")
	sides(f, cut)
	f.Roles[b.Of[row]] = figure.Current
	v.show(f)
	if c.Own && g != c.Graph {
		v.Instead = noPair
	}
	tell(&v, cut)
	v.count("row", row+1)
	v.count("column", column+1)
	v.after()
	v.count("runs", full.Runs())
	v.after()
	v.count("pairs", len(b.Rows)*len(b.Columns))
	_, dense := b.Dense(ones(len(b.Columns)))
	_, cross := b.Cross(ones(len(b.Columns)))
	v.count("dense", dense.Total())
	v.after()
	v.count("cross", cross.Total())
	v.after()
	if c.Revealed {
		full.Mark = &[2]int{row, min(column, len(b.Columns)-1)}
		v.show(full)
	} else { // the rows before the one that is asked for
		full.Hubs = full.Hubs[:row]
		v.show(full)
	}
	return v
}

func checkLine(c *Context, v View) Verdict {
	want, _ := v.Reading("column")
	if guess, ok := c.Guessed(0); ok && math.Abs(guess-want.Value) < 0.5 {
		return Verdict{Pass: true}
	}
	g, cut := pair(c)
	b := model.BlockOf(g, cut, blockEpsilon)
	row, column := turn(b.Hubs())
	return Verdict{Hint: "line", Place: vertices(0, b.Of[row], b.To[min(column, len(b.To)-1)])}
}

// Strips of about so many vertices are cut across; their width is the separator's size.
const (
	stripVertices = 240
	widest        = 6
)

// strip is a planar strip of a width, cut in the middle.
func strip(width int) (*model.Graph, model.Cut) {
	length := stripVertices / width
	g := model.Planar(width, length, 7)
	var middle []int
	for i := range width {
		middle = append(middle, i*length+length/2)
	}
	return g, model.Separate(g, middle)
}

// work is what a product over a strip's middle takes, with the matrix and without.
func work(c *Context, width int) (dense, cross int) {
	both := remember(c, fmt.Sprint("work ", width), func() [2]int {
		g, cut := strip(width)
		b := model.BlockOf(g, cut, blockEpsilon)
		_, d := b.Dense(ones(cut.B))
		_, x := b.Cross(ones(cut.B))
		return [2]int{d.Total(), x.Total()}
	})
	return both[0], both[1]
}

// crossover is the first width whose range search takes more operations than the matrix; one more than the widest where none does.
func crossover(c *Context) int {
	for w := 1; w <= widest; w++ {
		if dense, cross := work(c, w); cross > dense {
			return w
		}
	}
	return widest + 1
}

func viewRange(c *Context) (v View) {
	v.Question = &Question{Lo: 1, Hi: widest + 1}
	g, cut := strip(3)
	f := drawn(g, "A strip, cut across")
	f.Places = nil
	for _, p := range g.Places { // or it would be a line
		f.Places = append(f.Places, [2]float64{p[0], 12 * p[1]})
	}
	sides(f, cut)
	v.show(f)
	tell(&v, cut)
	v.count("n", g.N)
	v.count("crossover", crossover(c))
	v.after()
	if !c.Revealed {
		return v
	}
	matrix, search := figure.Curve{Name: "with the matrix"}, figure.Curve{Name: "range search", Color: 1}
	chart := &figure.Chart{Title: "Operations of a product", Desc: "Additions, multiplications and comparisons, counted while they are done", X: figure.Axis{Label: "|S|"}, Y: figure.Axis{Label: "operations", Log: true}}
	for w := 1; w <= widest; w++ {
		dense, cross := work(c, w)
		matrix.Points = append(matrix.Points, [2]float64{float64(w), float64(dense)})
		search.Points = append(search.Points, [2]float64{float64(w), float64(cross)})
		chart.Dots = append(chart.Dots, figure.Dot{X: float64(w), Y: float64(cross), Name: fmt.Sprintf("|S| = %d: %d operations", w, cross)})
		switch w {
		case 1:
			v.count("crossOne", cross)
		case 3:
			v.count("crossThree", cross)
			v.count("denseThree", dense)
		}
	}
	chart.Curves = []figure.Curve{matrix, search}
	v.show(chart)
	return v
}

func checkRange(c *Context, _ View) Verdict {
	guess, ok := c.Guessed(0)
	if ok && math.Abs(guess-float64(crossover(c))) <= 1 {
		return Verdict{Pass: true}
	}
	if !c.Revealed {
		_, cut := strip(3)
		return Verdict{Hint: "dimensions", Place: vertices(0, cut.Removed...)}
	}
	return Verdict{Hint: "curve", Place: pointSpots(1, min(crossover(c), widest)-1)}
}

// wide is a graph cut by several vertices: the middle of the lesson's strip, or of the reader's graph the vertices in the
// middle between two far ends.
func wide(c *Context) (*model.Graph, model.Cut) {
	g := c.Graph
	if c.Own {
		d := g.Distances(0, nil)
		far := slices.Max(d)
		if !math.IsInf(far, 0) {
			var middle []int
			for v, x := range d {
				if x == math.Floor(far/2) {
					middle = append(middle, v)
				}
			}
			if cut := model.Separate(g, middle); cut.Balance() >= least {
				return g, cut
			}
		}
		g = model.Planar(6, 12, 8)
	}
	var middle []int
	for i := range 6 {
		middle = append(middle, i*12+6)
	}
	return g, model.Separate(g, middle)
}

func viewHubs(c *Context) (v View) {
	v.Question = &Question{Lo: 1, Hi: 10}
	g, cut := wide(c)
	b := model.BlockOf(g, cut, blockEpsilon)
	f := drawn(g, "A wider separator")
	sides(f, cut)
	v.show(f)
	if c.Own && g != c.Graph {
		v.Instead = noMiddle
	}
	full := cover(g, cut, &b, "The hubs of the block")
	tell(&v, cut)
	v.count("pairs", len(b.Rows)*len(b.Columns))
	v.count("runs", full.Runs())
	v.after()
	v.value("perRow", float64(full.Runs())/float64(len(b.Rows)), 1)
	v.after()
	if c.Revealed {
		v.show(full)
	} else {
		full.Hubs = full.Hubs[:1]
		v.show(full)
	}
	return v
}

func checkHubs(c *Context, v View) Verdict {
	want, _ := v.Reading("perRow")
	if guess, ok := c.Guessed(0); ok && math.Abs(guess-want.Value) <= 1.5 {
		return Verdict{Pass: true}
	}
	g, cut := wide(c)
	b := model.BlockOf(g, cut, blockEpsilon)
	full := cover(g, cut, &b, "")
	if !c.Revealed {
		full.Hubs = full.Hubs[:1]
	}
	runs := make([]Spot, full.Runs())
	for i := range runs {
		runs[i] = Spot{1, figure.Ref{Kind: figure.Run, ID: i}}
	}
	return Verdict{Hint: "runs", Place: runs}
}
