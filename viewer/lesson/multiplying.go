package lesson

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"genussink/core/job"
	"genussink/viewer/figure"
	"genussink/viewer/lesson/model"
)

func multiplying() *Lesson {
	text := &lessonTexts[5]
	return &Lesson{Text: text, Own: 60, Graph: stored, Steps: []Step{
		{Text: &text.Steps[0], Takes: []Verb{Slide}, View: viewOuter, Check: checkOuter, Alone: true},
		{Text: &text.Steps[1], View: viewLine, Check: checkLine},
		{Text: &text.Steps[2], Takes: []Verb{Slide, Toggle}, View: viewRange, Check: checkRange, Alone: true},
		{Text: &text.Steps[3], View: viewHubs, Check: checkHubs, Own: storedOwn},
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
	v.Slider = c.slider(Slider{Name: treeSlider, Lo: 15, Hi: 127, Step: 16, Value: 31})
	v.Question = &Question{Lo: 0, Hi: 5000}
	n := int(math.Round(v.Slider.Value))
	g, cut := single(n)
	f := drawn(g, treeCut)
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
		matrix, sum := figure.Curve{Name: productsChart.names[0]}, figure.Curve{Name: productsChart.names[1], Color: 1}
		chart := productsChart.chart(figure.Axis{}, figure.Axis{Log: true})
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

// pair is a graph cut by two vertices. It is the reader's graph with the most even such cut, if both vertices serve pairs of some row. Else it is
// the lesson's ring.
func pair(c *Context) (*model.Graph, model.Cut) {
	p := remember(c, "pair", func() parted {
		var best model.Cut
		if c.Own {
			for a := range c.Graph.N {
				for b := range a {
					cut := model.Separate(c.Graph, []int{b, a})
					if cut.Balance() < least || cut.Balance() <= best.Balance() {
						continue
					}
					block := model.BlockOf(c.Graph, cut, blockEpsilon)
					if row, _ := turn(block.Hubs()); row >= 0 {
						best = cut
					}
				}
			}
		}
		if best.S > 0 {
			return parted{c.Graph, best}
		}
		g := model.Cycle(30)
		return parted{g, model.Separate(g, []int{0, 14})}
	})
	return p.Graph, p.Cut
}

// turn is a place where the hub changes in a block of two hubs: the row nearest to the middle that has one, and the first column of the other
// hub in it. Both are -1 if the hub changes in no row.
func turn(hubs [][]int) (row, column int) {
	for i := range hubs {
		for _, r := range []int{len(hubs)/2 + i, len(hubs)/2 - i} {
			if r >= 0 && r < len(hubs) {
				if k := change(hubs[r]); k < len(hubs[r]) {
					return r, k
				}
			}
		}
	}
	return -1, -1
}

func change(row []int) int {
	for j := 1; j < len(row); j++ {
		if row[j] != row[0] {
			return j
		}
	}
	return len(row)
}

// cover is a block as a figure, each row with runs of its own.
func cover(g *model.Graph, cut model.Cut, b *model.Block, title string) *figure.Cover {
	f := &figure.Cover{Title: title, Desc: fmt.Sprintf(servedDesc, rowNoun.of(len(b.Rows)), columnNoun.of(len(b.Columns))), Hubs: cut.Removed}
	for i, row := range b.Hubs() {
		f.Rows = append(f.Rows, []int{b.Of[i]})
		for j, from := 1, 0; j <= len(row); j++ {
			if j == len(row) || row[j] != row[from] {
				f.Runs = append(f.Runs, figure.BlockRun{FirstRow: i, LastRow: i + 1, From: from, To: j, Hub: row[from]})
				from = j
			}
		}
	}
	for _, v := range b.To {
		f.Columns = append(f.Columns, []int{v})
	}
	for _, s := range cut.Removed {
		f.HubNames = append(f.HubNames, g.VertexName(s))
	}
	return f
}

func viewLine(c *Context) (v View) {
	g, cut := pair(c)
	b := model.BlockOf(g, cut, blockEpsilon)
	full := cover(g, cut, &b, servedPairs)
	row, column := turn(b.Hubs())
	v.Question = &Question{Lo: 1, Hi: float64(len(b.Columns) + 1)}
	f := drawn(g, twoCut)
	sides(f, cut)
	f.Roles[b.Of[row]] = figure.Current
	v.show(f)
	if c.Own && g != c.Graph {
		v.Instead = noPair
	}
	tell(&v, cut)
	v.count("row", row+1)
	v.count("slack", slack(len(b.Columns)))
	v.count("column", column+1)
	v.after()
	v.count("runs", len(full.Runs))
	v.after()
	v.count("pairs", len(b.Rows)*len(b.Columns))
	_, dense := b.Dense(ones(len(b.Columns)))
	_, cross := b.Cross(ones(len(b.Columns)))
	v.count("dense", dense.Total())
	v.after()
	v.count("cross", cross.Total())
	v.after()
	if c.Revealed {
		full.Mark = &[2]int{row, column}
		v.show(full)
	} else { // the rows before the one that is asked for
		full.Rows = full.Rows[:row]
		full.Runs = slices.DeleteFunc(full.Runs, func(r figure.BlockRun) bool { return r.FirstRow >= row })
		v.show(full)
	}
	return v
}

// slack is by how many of some columns a prediction may be off.
func slack(columns int) int { return max(2, columns/8) }

func checkLine(c *Context, v View) Verdict {
	g, cut := pair(c)
	b := model.BlockOf(g, cut, blockEpsilon)
	want, _ := v.Reading("column")
	if guess, ok := c.Guessed(0); ok && math.Abs(guess-want.Value) <= float64(slack(len(b.Columns))) {
		return Verdict{Pass: true}
	}
	row, column := turn(b.Hubs())
	return Verdict{Hint: "line", Place: vertices(0, b.Of[row], b.To[column])}
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
	v.Slider = c.slider(Slider{Name: stripSlider, Lo: 1, Hi: widest, Step: 1, Value: 3})
	width := int(math.Round(v.Slider.Value))
	g, cut := strip(width)
	f := drawn(g, stripCut)
	f.Places = nil
	for _, p := range g.Places { // or it would be a line
		f.Places = append(f.Places, [2]float64{p[0], p[1] * 0.2 * float64(stripVertices/width) / float64(width)})
	}
	sides(f, cut)
	v.show(f)
	tell(&v, cut)
	b := remember(c, fmt.Sprint("strip ", width), func() model.Block { return model.BlockOf(g, cut, blockEpsilon) })
	row := 0
	for _, a := range c.Acts {
		if at := slices.Index(b.Of, a.A); a.Verb == Toggle && at >= 0 { // of side A
			row = at
		}
	}
	f.Roles[b.Of[row]] = figure.Current
	served := 0
	for j, x := range b.To {
		if b.Hub(row, j) == 0 {
			f.Roles[x] = figure.Near
			served++
		}
	}
	v.count("served", served)
	v.count("dimensions", width-1)
	if width == 3 {
		v.show(searched(&b, row))
	}
	v.count("n", g.N)
	v.count("crossover", crossover(c))
	v.after()
	if !c.Revealed {
		return v
	}
	matrix, search := figure.Curve{Name: operationsChart.names[0]}, figure.Curve{Name: operationsChart.names[1], Color: 1}
	chart := operationsChart.chart(figure.Axis{}, figure.Axis{Log: true})
	for w := 1; w <= widest; w++ {
		dense, cross := work(c, w)
		matrix.Points = append(matrix.Points, [2]float64{float64(w), float64(dense)})
		search.Points = append(search.Points, [2]float64{float64(w), float64(cross)})
		dot := figure.Dot{X: float64(w), Y: float64(cross), Name: fmt.Sprintf(workDot, w, operationNoun.of(cross))}
		if w == width {
			dot.Role = figure.Current
			v.count("cross", cross)
			v.count("dense", dense)
		}
		chart.Dot(dot)
	}
	chart.Curves = []figure.Curve{matrix, search}
	v.show(chart)
	return v
}

func checkRange(c *Context, v View) Verdict {
	guess, ok := c.Guessed(0)
	if ok && math.Abs(guess-float64(crossover(c))) <= 1 {
		return Verdict{Pass: true}
	}
	if !c.Revealed {
		return Verdict{Hint: "dimensions", Place: separators(v)}
	}
	return Verdict{Hint: "curve", Place: pointSpots(len(v.Figures)-1, min(crossover(c), widest)-1)}
}

// separators are the separator's vertices in the first figure.
func separators(v View) (out []Spot) {
	for x, role := range v.Figures[0].(*figure.Graph).Roles {
		if role == figure.Separator {
			out = append(out, vertices(0, x)...)
		}
	}
	return out
}

// searched is the search that finds the columns of a row which the first of three separator vertices serves: they lie to the right of the row's
// corner and above it, or on its edges. Columns that lie at one place are one dot, with their number.
func searched(b *model.Block, row int) *figure.Chart {
	a := b.Rows[row]
	cornerX, cornerY := a[0]-a[1], a[0]-a[2]
	x := figure.Axis{Whole: true, Lo: cornerX - 1, Hi: cornerX + 1}
	y := figure.Axis{Whole: true, Lo: cornerY - 1, Hi: cornerY + 1}
	var dots []figure.Dot
	for j, to := range b.Columns {
		d := figure.Dot{X: to[1] - to[0], Y: to[2] - to[0]}
		at := slices.IndexFunc(dots, func(e figure.Dot) bool { return e.X == d.X && e.Y == d.Y })
		if at < 0 {
			at, dots = len(dots), append(dots, d)
		}
		dots[at].Vertices = append(dots[at].Vertices, b.To[j])
		x.Lo, x.Hi = min(x.Lo, d.X-1), max(x.Hi, d.X+1)
		y.Lo, y.Hi = min(y.Lo, d.Y-1), max(y.Hi, d.Y+1)
	}
	for i := range dots {
		d := &dots[i]
		d.Label, d.Name = strconv.Itoa(len(d.Vertices)), lostDot
		if d.X >= cornerX && d.Y >= cornerY {
			d.Role, d.Name = figure.Near, servedDot
		}
		d.Name = fmt.Sprintf(d.Name, columnNoun.of(len(d.Vertices)))
	}
	chart := searchChart.chart(x, y)
	chart.Dots = dots
	chart.Curves = []figure.Curve{{Name: searchChart.names[0], Form: figure.Dashed, Color: 4, Points: [][2]float64{{cornerX, y.Hi}, {cornerX, cornerY}, {x.Hi, cornerY}}}}
	return chart
}

// stored is the graph of the last step: large enough that the engine stores a block of it.
func stored() *model.Graph { return model.Planar(10, 18, 8) }

// storedOwn is how many vertices of the reader's graph the engine stores a block of. Where there are many fewer it multiplies entry by entry.
const storedOwn = 160

// storedDelta is by how much the block's distances may be wrong, in edges: so much that vertices are gathered.
const storedDelta = 4

// stores asks the engine for the largest block of a kernel of the graph, as it is stored. The plan that it solves for that is from the mass on all
// vertices to itself: it takes few iterations.
func stores(c *Context, v *View, g *model.Graph) *job.Blocked {
	solve := &job.Solve{Source: ones(g.N), Target: ones(g.N),
		KernelSpec: job.KernelSpec{Method: job.Certified, Delta: job.Units(storedDelta), Epsilon: job.Fraction(lessonEpsilon)}}
	return ask[job.Blocked](c, v, g, solve, &job.Block{})
}

// lists are lists that lie one after the other, each from its start.
func lists(starts, all []int32) (out [][]int) {
	for i := range len(starts) - 1 {
		var list []int
		for _, v := range all[starts[i]:starts[i+1]] {
			list = append(list, int(v))
		}
		out = append(out, list)
	}
	return out
}

// shownRows is how many of a stored block's rows are shown before the answer.
func shownRows(rows int) int { return (rows + 1) / 2 }

// hubName names hub k of a stored block by a letter: it fits into a vertex.
func hubName(k int) string {
	if k < 26 {
		return string(rune('a' + k))
	}
	return fmt.Sprint(k + 1)
}

func viewHubs(c *Context) (v View) {
	v.Question = &Question{Lo: 1, Hi: 30}
	g := c.Graph
	b := stores(c, &v, g)
	if v.Failed != "" && c.Own {
		v.Failed, v.Instead, g = "", noBlock, stored()
		b = stores(c, &v, g)
	}
	f := drawn(g, blockPlace)
	f.Labels = make([]string, g.N) // of the hubs alone
	v.show(f)
	if b == nil {
		return v
	}
	hubs := b.Hubs()
	full := &figure.Cover{Title: storedBlock, Rows: lists(b.RowStarts, b.RowVertices), Columns: lists(b.ColumnStarts, b.ColVertices), Runs: figure.BlockRuns(b.Runs, hubs)}
	full.Desc = fmt.Sprintf(storedDesc, rowNoun.of(len(full.Rows)), columnNoun.of(len(full.Columns)))
	for _, x := range b.RowVertices {
		f.Roles[x] = figure.SideA
	}
	for _, x := range b.ColVertices {
		f.Roles[x] = figure.SideB
	}
	for k, h := range hubs {
		f.Roles[h], f.Labels[h] = figure.Separator, hubName(k)
		full.Hubs, full.HubNames = append(full.Hubs, int(h)), append(full.HubNames, f.Labels[h])
	}
	inRows := 0 // each run counted in each of its rows
	for _, r := range full.Runs {
		inRows += r.LastRow - r.FirstRow
	}
	v.count("A", len(b.RowVertices))
	v.count("B", len(b.ColVertices))
	v.count("rows", len(full.Rows))
	v.count("columns", len(full.Columns))
	v.count("hubs", len(hubs))
	v.count("delta", storedDelta)
	v.count("pairs", len(b.RowVertices)*len(b.ColVertices))
	v.count("runs", len(full.Runs))
	v.after()
	v.value("perRow", float64(inRows)/float64(len(full.Rows)), 1)
	v.after()
	if !c.Revealed {
		half := shownRows(len(full.Rows))
		full.Rows = full.Rows[:half]
		full.Runs = slices.DeleteFunc(full.Runs, func(r figure.BlockRun) bool { return r.FirstRow >= half })
		for i := range full.Runs {
			full.Runs[i].LastRow = min(full.Runs[i].LastRow, half)
		}
	}
	v.show(full)
	return v
}

func checkHubs(c *Context, v View) Verdict {
	want, _ := v.Reading("perRow")
	if guess, ok := c.Guessed(0); ok && math.Abs(guess-want.Value) <= 1.5 {
		return Verdict{Pass: true}
	}
	var runs []Spot // of the last row that is shown before the answer
	rows, _ := v.Reading("rows")
	for id, r := range v.Figures[1].(*figure.Cover).Runs {
		if last := shownRows(int(rows.Value)) - 1; r.FirstRow <= last && last < r.LastRow {
			runs = append(runs, Spot{1, figure.Ref{Kind: figure.Run, ID: id}})
		}
	}
	return Verdict{Hint: "runs", Place: runs}
}
