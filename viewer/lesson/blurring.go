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

func blurring() *Lesson {
	text := &lessonTexts[6]
	return &Lesson{Text: text, Own: 36, Along: true, Graph: func() *model.Graph { return model.Path(24) }, Steps: []Step{
		{Text: &text.Steps[0], Takes: []Verb{Slide}, View: viewBlur, Check: checkBlur},
		{Text: &text.Steps[1], View: viewIterations, Check: checkIterations},
		{Text: &text.Steps[2], View: viewTenth, Check: checkTenth},
		{Text: &text.Steps[3], View: viewGap, Check: checkGap},
		{Text: &text.Steps[4], Takes: []Verb{Slide}, View: viewBlurred, Check: checkBlurred, Alone: true, Mesh: true},
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

// given says in the view where the lesson's path has taken the place of the reader's graph.
func (v *View) given(c *Context, g *model.Graph) {
	if g != c.Graph {
		v.Instead = noPlan
	}
}

// tolerance is the marginal error at which the lesson's iterations end.
const (
	tolerance = 1e-6
	mostSteps = 20000
)

// plan is a plan as a heat map.
func plan(g *model.Graph, t *model.Transport, s model.State) *figure.Heat {
	row, col := t.Marginals(s)
	h := &figure.Heat{Title: planHeat.title, Desc: planHeat.desc, Rows: g.N, Columns: g.N, Values: t.Plan(s), RowWant: t.Source, RowHave: row, ColWant: t.Target, ColHave: col}
	for v := range g.N {
		h.RowNames = append(h.RowNames, g.VertexName(v))
	}
	h.ColName = h.RowNames
	return h
}

// piles is the masses as bars.
func piles(t *model.Transport) *figure.Chart {
	c := pilesChart.chart(figure.Axis{}, figure.Axis{})
	for i, x := range [][]float64{t.Source, t.Target} {
		k := figure.Curve{Name: pilesChart.names[i], Form: figure.Bars, Color: 2 + i}
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
	v.Slider = c.slider(Slider{Name: pathSlider, Lo: sharpest, Hi: blurred, Step: 1.1, Value: blurred, Log: true})
	g, t, far := problem(c, v.Slider.Value)
	v.given(c, g)
	last := solution(c, v.Slider.Value).last
	v.Length = int(far)
	chart, moving := piles(t), figure.Curve{Name: pilesChart.names[2], Color: 4}
	chart.Y.Hi = max(slices.Max(t.Source), slices.Max(t.Target))
	for k, m := range t.Moving(g, last, float64(c.time(v.Length))/far) {
		moving.Points = append(moving.Points, [2]float64{float64(k + 1), m})
	}
	chart.Curves = append(chart.Curves, moving)
	v.show(plan(g, t, last), chart)
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
	c := errorsChart.chart(figure.Axis{Lo: 0, Hi: float64(len(states) - 1), Fixed: true}, figure.Axis{Log: true, Lo: tolerance, Hi: 1})
	rows, cols := figure.Curve{Name: errorsChart.names[0]}, figure.Curve{Name: errorsChart.names[1], Color: 1}
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
	v.given(c, g)
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
	factor := math.Inf(1) // the first step fits both
	if n := len(states); n > 3 {
		// The factor by which one iteration divides the columns' error: of the last two states that come right after the rows were
		// fitted.
		last := n - 1
		if last%2 == 0 {
			last--
		}
		factor = states[last-2].ColError / states[last].ColError
	}
	v.value("factor", factor, 2)
	v.after()
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
	v.given(c, g)
	v.value("epsilon", tenthShare*far, 2)
	v.value("tenth", tenthShare*far/10, 3)
	v.value("halfEpsilon", tenthShare*far/2, 2)
	v.count("base", base)
	v.count("halved", iterationsAt(c, tenthShare/2))
	if !c.Revealed {
		v.show(plan(g, t, solution(c, tenthShare).last), needed(c, tenthShare/2, tenthShare))
		v.count("count", iterationsAt(c, tenthShare/10))
		v.after()
		return v
	}
	var shares []float64
	for i := range 5 {
		shares = append(shares, tenthShare*math.Pow(10, -float64(4-i)/4))
	}
	v.show(needed(c, shares...))
	v.count("count", iterationsAt(c, shares[0]))
	v.after()
	return v
}

// needed is the chart of how many iterations some epsilons take.
func needed(c *Context, shares ...float64) *figure.Chart {
	chart := neededChart.chart(figure.Axis{Log: true, Lo: tenthShare / 10, Hi: tenthShare}, figure.Axis{Log: true})
	k := figure.Curve{}
	for _, share := range shares {
		n := iterationsAt(c, share)
		k.Points = append(k.Points, [2]float64{share, float64(n)})
		chart.Dot(figure.Dot{X: share, Y: float64(n), Label: strconv.Itoa(n), Name: fmt.Sprintf(iterationsDot, share, iterationNoun.of(n))})
	}
	chart.Curves = []figure.Curve{k}
	return chart
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
	if guess > want.Value {
		return Verdict{Hint: "many", Place: pointSpots(1, 0, 1)}
	}
	return Verdict{Hint: "few", Place: pointSpots(1, 0, 1)}
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
	g, _, _ := problem(c, stepShare)
	v.given(c, g)
	states := steps(c)
	v.Length = len(states) - 1
	at := c.time(v.Length)
	s := states[at]
	chart := optimumChart.chart(figure.Axis{Lo: 1, Hi: float64(len(states) - 1), Fixed: true}, figure.Axis{Lo: 0, Hi: states[len(states)-1].Primal})
	primal, dual := figure.Curve{Name: optimumChart.names[0]}, figure.Curve{Name: optimumChart.names[1], Color: 1}
	for k, x := range states {
		if k > 0 && k <= max(at, 1) {
			primal.Points = append(primal.Points, [2]float64{float64(k), x.Primal})
			dual.Points = append(dual.Points, [2]float64{float64(k), x.Dual})
		}
	}
	chart.Curves = []figure.Curve{primal, dual}
	for k, x := range states {
		if k > 0 && k <= max(at, 1) {
			chart.Dot(figure.Dot{X: float64(k), Y: x.Primal, Name: fmt.Sprintf(gapDot, k, x.Primal, x.Dual)})
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

// The epsilons of the last step's slider, as shares of the mesh's diagonal, and by which share of the sharpest plan's cost a plan
// may cost more.
const (
	sharpMesh = 0.02
	blurMesh  = 0.5
	allowed   = 0.02
)

// moved is the plan of the densities on the mesh at hand at an epsilon.
func moved(c *Context, v *View, epsilon float64) *job.Solved {
	densities := ask[job.Measured](c, v, nil, &job.Measure{Preset: AtHand})
	if densities == nil {
		return nil
	}
	return ask[job.Solved](c, v, nil, &job.Solve{
		KernelSpec: job.KernelSpec{Method: job.Exact, Epsilon: job.Fraction(epsilon)},
		Source:     densities.Source, Target: densities.Target, Patience: lessonPatience,
	})
}

// viewBlurred has the mass on the mesh at hand move at the slider's epsilon, and compares with the sharpest.
func viewBlurred(c *Context) (v View) {
	v.Slider = c.slider(Slider{Name: diagonalSlider, Lo: sharpMesh, Hi: blurMesh, Step: math.Pow(blurMesh/sharpMesh, 1.0/8), Value: blurMesh, Log: true})
	epsilon := v.Slider.Value
	v.Canvas = &Canvas{Epsilon: epsilon}
	v.share("epsilon", epsilon)
	v.share("least", sharpMesh)
	v.share("allowed", allowed)
	sharp, now := moved(c, &v, sharpMesh), moved(c, &v, epsilon)
	if sharp == nil || now == nil {
		return v
	}
	most := (1 + allowed) * sharp.Cost
	costs := costsChart.chart(figure.Axis{Log: true, Lo: sharpMesh, Hi: blurMesh}, figure.Axis{Lo: 0, Hi: most})
	costs.Curves = []figure.Curve{{Name: costsChart.names[0], Form: figure.Dashed, Points: [][2]float64{{sharpMesh, most}, {blurMesh, most}}}}
	errors := tracesChart.chart(figure.Axis{Whole: true}, figure.Axis{Log: true})
	for i, s := range []*job.Solved{now, sharp} {
		x, role := []float64{epsilon, sharpMesh}[i], []figure.Role{figure.Current, figure.Truth}[i]
		name := tracesChart.names[i]
		costs.Dot(figure.Dot{X: x, Y: s.Cost, Role: role, Label: name, Name: fmt.Sprintf(costDot, name, s.Cost, 100*x)})
		k := figure.Curve{Name: name, Color: i}
		for n, e := range s.Trace {
			k.Points = append(k.Points, [2]float64{float64(n + 1), e})
		}
		errors.Curves = append(errors.Curves, k)
	}
	v.show(costs, errors)
	v.value("cost", now.Cost, 4)
	v.count("iterations", now.Iterations)
	v.value("sharpCost", sharp.Cost, 4)
	v.count("sharpIterations", sharp.Iterations)
	v.share("excess", now.Cost/sharp.Cost-1)
	return v
}

func checkBlurred(c *Context, v View) Verdict {
	if excess, ok := v.Reading("excess"); ok && excess.Value <= allowed {
		return Verdict{Pass: true}
	}
	return Verdict{Hint: "blurred", Place: pointSpots(0, 0)}
}
