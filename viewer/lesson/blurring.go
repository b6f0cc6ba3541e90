package lesson

import (
	"fmt"
	"math"
	"slices"

	"genussink/viewer/figure"
	"genussink/viewer/lesson/model"
)

func blurring() *Lesson {
	text := &lessonTexts[6]
	return &Lesson{Text: text, Own: 36, Graph: func() *model.Graph { return model.Path(24) }, Steps: []Step{
		{Text: &text.Steps[0], Takes: []Verb{Slide}, View: viewBlur, Check: checkBlur},
		{Text: &text.Steps[1], View: viewIterations, Check: checkIterations},
		{Text: &text.Steps[2], View: viewTenth, Check: checkTenth},
		{Text: &text.Steps[3], View: viewGap, Check: checkGap},
	}}
}

// mostPlan is how many vertices a plan of the lesson may have: it is made whole.
const mostPlan = 64

// problem is two piles on the graph, at an epsilon that is a share of the distance between them. A graph that is too
// large, or falls apart, gives way to the lesson's path.
func problem(c *Context, share float64) (g *model.Graph, t *model.Transport, far float64) {
	g = c.Graph
	if g.N > mostPlan || g.N < 2 || len(g.Components(nil)) != 1 {
		g = model.Path(24)
	}
	d := g.Distances(0, nil)
	from := slices.Index(d, slices.Max(d))
	d = g.Distances(from, nil)
	to := slices.Index(d, slices.Max(d))
	source, target := model.Piles(g, from, to)
	return g, model.NewTransport(g, source, target, share*d[to]), d[to]
}

// tolerance is the marginal error at which the lesson's iterations end.
const (
	tolerance = 1e-6
	mostSteps = 20000
)

// plan is a plan as a heat map.
func plan(g *model.Graph, t *model.Transport, s model.State) *figure.Heat {
	row, col := t.Marginals(s)
	h := &figure.Heat{Title: "The plan", Desc: "From every vertex, a row, to every vertex, a column; bars are what rows and columns hold, outlines what they should", Rows: g.N, Columns: g.N, Values: t.Plan(s), RowWant: t.Source, RowHave: row, ColWant: t.Target, ColHave: col}
	for v := range g.N {
		h.RowNames = append(h.RowNames, g.VertexName(v))
	}
	h.ColName = h.RowNames
	return h
}

// piles is the masses as bars.
func piles(t *model.Transport) *figure.Chart {
	c := &figure.Chart{Title: "Two piles", Desc: "The source and the target density", X: figure.Axis{Label: "vertex"}, Y: figure.Axis{Label: "mass"}}
	for i, x := range [][]float64{t.Source, t.Target} {
		k := figure.Curve{Name: []string{"source", "target"}[i], Form: figure.Bars, Color: 2 + i}
		for v, m := range x {
			k.Points = append(k.Points, [2]float64{float64(v + 1), m})
		}
		c.Curves = append(c.Curves, k)
	}
	return c
}

// The epsilons of the slider, as shares of the distance between the piles.
const (
	sharpest = 0.01
	blurred  = 1.0
)

// wanted is how many partners the reader has to come down to: the geometric mean of the slider's ends.
func wanted(c *Context) float64 {
	return math.Sqrt(solution(c, sharpest).last.Partners * solution(c, blurred).last.Partners)
}

// outcome is a problem solved, and how many iterations that took.
type outcome struct {
	count int
	last  model.State
}

func solution(c *Context, share float64) outcome {
	return remember(c, fmt.Sprint("solution ", share), func() outcome {
		_, t, _ := problem(c, share)
		count, last := t.Iterations(tolerance, mostSteps)
		return outcome{count, last}
	})
}

// steps are the states of the iteration that the timelines show.
func steps(c *Context) []model.State {
	return remember(c, "steps", func() []model.State {
		_, t, _ := problem(c, stepShare)
		return t.Steps(tolerance, mostHalf)
	})
}

func viewBlur(c *Context) (v View) {
	v.Slider = c.slider(Slider{Name: "epsilon", Lo: sharpest, Hi: blurred, Step: 1.1, Value: blurred, Log: true})
	g, t, far := problem(c, v.Slider.Value)
	last := solution(c, v.Slider.Value).last
	v.show(plan(g, t, last), piles(t))
	v.value("far", far, 0)
	v.value("epsilon", t.Epsilon, 2)
	v.value("partners", last.Partners, 2)
	v.value("cost", last.Cost, 3)
	v.value("want", wanted(c), 2)
	return v
}

func checkBlur(c *Context, v View) Verdict {
	partners, _ := v.Reading("partners")
	if partners.Value <= wanted(c) {
		return Verdict{Pass: true}
	}
	// The row with the most mass is the one to look at.
	_, t, _ := problem(c, v.Slider.Value)
	row := slices.Index(t.Source, slices.Max(t.Source))
	return Verdict{Hint: "blurred", Place: []Spot{{0, figure.Ref{Kind: figure.Row, ID: row}}}}
}

// stepShare is the epsilon of the steps about iterations.
const (
	stepShare = 0.1
	mostHalf  = 400 // half steps that the timeline has
)

// errorChart is the chart of marginal errors after every half step.
func errorChart(states []model.State, at int) *figure.Chart {
	c := &figure.Chart{Title: "Marginal errors", Desc: "How far the rows and the columns are from what they should hold, after every half step", X: figure.Axis{Label: "half step", Lo: 0, Hi: float64(len(states) - 1), Fixed: true}, Y: figure.Axis{Label: "L1 error", Log: true, Lo: tolerance, Hi: 1}}
	rows, cols := figure.Curve{Name: "rows"}, figure.Curve{Name: "columns", Color: 1}
	for k, s := range states[:at+1] {
		// A side that has just been fitted is off by rounding alone: nothing to draw.
		if s.RowError > 1e-12 {
			rows.Points = append(rows.Points, [2]float64{float64(k), s.RowError})
		}
		if s.ColError > 1e-12 {
			cols.Points = append(cols.Points, [2]float64{float64(k), s.ColError})
		}
	}
	c.Curves = []figure.Curve{rows, cols}
	return c
}

// fits is which side a state fits: 0 the rows, 1 the columns, 2 both, 3 neither.
func fits(s model.State) int {
	switch rows, cols := s.RowError < 1e-9, s.ColError < 1e-9; {
	case rows && cols:
		return 2
	case rows:
		return 0
	case cols:
		return 1
	}
	return 3
}

func viewIterations(c *Context) (v View) {
	v.Question = &Question{Choices: lessonTexts[6].Steps[1].Choices}
	g, t, _ := problem(c, stepShare)
	states := steps(c)
	v.Length = len(states) - 1
	at := c.time(v.Length)
	s := states[at]
	v.show(plan(g, t, s), errorChart(states, at))
	v.count("half", at)
	v.value("rowError", s.RowError, 4)
	v.value("colError", s.ColError, 4)
	v.count("steps", len(states)-1)
	v.after()
	if n := len(states); n > 6 {
		// Over the last steps of the rows: by how much the columns' error shrinks in one iteration.
		last := n - 1
		if last%2 == 0 {
			last--
		}
		v.value("factor", states[last-2].ColError/states[last].ColError, 2)
		v.after()
	}
	return v
}

func checkIterations(c *Context, _ View) Verdict {
	_, t, _ := problem(c, stepShare)
	states := steps(c)
	if guess, ok := c.Guessed(0); ok && int(guess) == fits(states[1]) {
		return Verdict{Pass: true}
	}
	return Verdict{Hint: "rows", Place: []Spot{{0, figure.Ref{Kind: figure.Row, ID: slices.Index(t.Source, slices.Max(t.Source))}}}}
}

// iterationsAt is how many iterations an epsilon takes.
func iterationsAt(c *Context, share float64) int {
	return solution(c, share).count
}

// tenthShare is the epsilon that a tenth is taken of.
const tenthShare = 0.2

func viewTenth(c *Context) (v View) {
	base := iterationsAt(c, tenthShare)
	v.Question = &Question{Lo: 1, Hi: 5000}
	g, t, far := problem(c, tenthShare)
	v.value("epsilon", tenthShare*far, 2)
	v.value("tenth", tenthShare*far/10, 3)
	v.count("base", base)
	if !c.Revealed {
		v.show(plan(g, t, solution(c, tenthShare).last))
		v.count("count", iterationsAt(c, tenthShare/10))
		v.after()
		return v
	}
	chart := &figure.Chart{Title: "Iterations until the error is small", Desc: "By epsilon, as a share of the distance between the piles", X: figure.Axis{Label: "epsilon / distance", Log: true}, Y: figure.Axis{Label: "iterations", Log: true}}
	k := figure.Curve{}
	for i := range 5 {
		share := tenthShare * math.Pow(10, -float64(4-i)/4)
		n := iterationsAt(c, share)
		k.Points = append(k.Points, [2]float64{share, float64(n)})
		chart.Dots = append(chart.Dots, figure.Dot{X: share, Y: float64(n), Name: fmt.Sprintf("%.3f: %d iterations", share, n)})
	}
	chart.Curves = []figure.Curve{k}
	v.show(chart)
	v.count("count", int(k.Points[0][1]))
	v.after()
	return v
}

func checkTenth(c *Context, v View) Verdict {
	want, _ := v.Reading("count")
	guess, _ := c.Guessed(0)
	if guess > 0 && guess <= 2*want.Value && 2*guess >= want.Value {
		return Verdict{Pass: true}
	}
	if c.Revealed {
		return Verdict{Hint: "steep", Place: pointSpots(0, 0, 4)}
	}
	_, t, _ := problem(c, tenthShare)
	return Verdict{Hint: "few", Place: []Spot{{0, figure.Ref{Kind: figure.Row, ID: slices.Index(t.Source, slices.Max(t.Source))}}}}
}

// closeEnough is the gap, as a share of the cost, that the reader looks for.
const closeEnough = 0.01

// firstClose is the first half step whose gap is small enough; the last where none is.
func firstClose(states []model.State) int {
	i := slices.IndexFunc(states, func(s model.State) bool { return s.Gap <= closeEnough*math.Abs(s.Primal) })
	if i < 0 {
		return len(states) - 1
	}
	return i
}

func viewGap(c *Context) (v View) {
	states := steps(c)
	v.Length = len(states) - 1
	at := c.time(v.Length)
	s := states[at]
	chart := &figure.Chart{Title: "What is known of the optimum", Desc: "The value of a plan that fits, and the dual value, after every half step", X: figure.Axis{Label: "half step", Lo: 1, Hi: float64(len(states) - 1), Fixed: true}, Y: figure.Axis{Label: "entropic cost", Lo: 0, Hi: states[len(states)-1].Primal}}
	primal, dual := figure.Curve{Name: "a plan that fits"}, figure.Curve{Name: "the dual", Color: 1}
	for k, x := range states {
		if k > 0 && k <= max(at, 1) {
			primal.Points = append(primal.Points, [2]float64{float64(k), x.Primal})
			dual.Points = append(dual.Points, [2]float64{float64(k), x.Dual})
		}
	}
	chart.Curves = []figure.Curve{primal, dual}
	for k, x := range states {
		if k > 0 && k <= max(at, 1) {
			chart.Dots = append(chart.Dots, figure.Dot{X: float64(k), Y: x.Primal, Name: fmt.Sprintf("Half step %d: at most %.4f, at least %.4f", k, x.Primal, x.Dual)})
		}
	}
	v.show(chart)
	v.count("half", at)
	v.value("primal", s.Primal, 4)
	v.value("dual", s.Dual, 4)
	v.value("gap", s.Gap, 4)
	v.share("gapShare", s.Gap/math.Abs(s.Primal))
	v.count("first", firstClose(states))
	v.after()
	return v
}

func checkGap(c *Context, v View) Verdict {
	states := steps(c)
	first, at := firstClose(states), c.time(v.Length)
	dots := len(v.Figures[0].(*figure.Chart).Dots)
	switch {
	case at == first:
		return Verdict{Pass: true}
	case at < first:
		return Verdict{Hint: "early", Place: pointSpots(0, dots-1)}
	}
	return Verdict{Hint: "late", Place: pointSpots(0, min(max(first, 1), dots)-1)}
}
