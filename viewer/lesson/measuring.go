package lesson

import (
	"cmp"
	"fmt"
	"math"

	"genussink/core/job"
	"genussink/viewer/figure"
	"genussink/viewer/lesson/model"
)

func measuring() *Lesson {
	text := &lessonTexts[7]
	return &Lesson{Text: text, Graph: func() *model.Graph { return nil }, Steps: []Step{
		{Text: &text.Steps[0], Takes: []Verb{Slide, Choose}, View: viewMethods, Check: checkMethods, Mesh: true},
		{Text: &text.Steps[1], View: viewMemory, Check: checkMemory, Alone: true},
		{Text: &text.Steps[2], View: viewBound, Check: checkBound, Mesh: true},
		{Text: &text.Steps[3], View: viewSampled, Check: checkSampled, Mesh: true},
	}}
}

// methods are those that the lesson measures, as the engine names them. The dense matrix is the truth.
var methods = []string{job.Dense, job.Exact, job.Certified, job.Embedded, job.Sampled}

// Of all solves of the lesson: epsilon as a share of the diagonal, and the seconds that one may take.
const (
	lessonEpsilon  = 0.1
	lessonPatience = 20
	firstDelta     = 0.01
	boundDelta     = 0.1 // with less, coarse meshes have exact in the place of certified, and a bound of rounding
)

// measured is what a method took and how wrong its cost is; known is false while or where there is no answer.
type measured struct {
	method               string
	cost, error, seconds float64
	value                float64 // of the optimum: the cost, and what epsilon adds
	bytes                float64
	bound                float64 // proved, of the cost; NaN where there is none
	note                 string
	by                   string // the method that took its place; "": none did
	known                bool
}

// solve asks for one method on the mesh at hand.
func solve(c *Context, v *View, method string, delta float64) measured {
	m := measured{method: method}
	densities := ask[job.Measured](c, v, nil, &job.Measure{Preset: "paper"})
	if densities == nil {
		return m
	}
	request := &job.Solve{
		KernelSpec: job.KernelSpec{Method: method, Epsilon: job.Fraction(lessonEpsilon)},
		Source:     densities.Source, Target: densities.Target, Patience: lessonPatience,
	}
	if job.Bounded(method) {
		request.Delta = job.Fraction(delta)
	}
	var own View
	answer := ask[job.Solved](c, &own, nil, request)
	v.Waiting = v.Waiting || own.Waiting
	if answer == nil {
		m.note = own.Failed
		return m
	}
	m.known = answer.Status == job.Converged
	m.value = answer.Primal
	m.cost, m.bound, m.bytes, m.note = answer.Cost, answer.Bound, float64(answer.MemoryBytes), answer.Note
	if !m.known {
		m.note = notConverged
	}
	if answer.Method != method {
		m.by, m.note = answer.Method, fmt.Sprintf(otherMethod, answer.Method, answer.Note)
	}
	for _, list := range [][]job.Timing{answer.Setup, answer.Timings} {
		for _, t := range list {
			m.seconds += t.Seconds
		}
	}
	return m
}

// measureAll asks for all methods; errors are against the dense matrix.
func measureAll(c *Context, v *View, delta float64) []measured {
	var out []measured
	for _, method := range methods {
		out = append(out, solve(c, v, method, delta))
	}
	for i := range out {
		out[i].error = math.NaN()
		if out[0].known && out[i].known {
			out[i].error = math.Abs(out[i].cost-out[0].cost) / math.Abs(out[0].cost)
		}
	}
	return out
}

// needs says why a step has no numbers: a method that it needs came to nothing.
func (v *View) needs(list ...measured) {
	for _, m := range list {
		if !v.Waiting && v.Failed == "" && !m.known {
			v.Failed = fmt.Sprintf(noMethod, m.method, m.note)
		}
	}
}

// goal is the error that the reader has to stay below.
const goal = 0.001

// leastError is what an error of 0 is drawn at: on a logarithmic axis there is no 0.
const leastError = 1e-12

func viewMethods(c *Context) (v View) {
	v.Slider = c.slider(Slider{Name: deltaSlider, Lo: 0.001, Hi: 0.1, Step: math.Pow(10, 0.25), Value: firstDelta, Log: true})
	list := measureAll(c, &v, v.Slider.Value)
	v.needs(list[0]) // the truth
	chart := methodsChart.chart(figure.Axis{Log: true}, figure.Axis{Log: true, Lo: goal, Hi: goal})
	chart.Curves = []figure.Curve{{Name: methodsChart.names[0], Form: figure.Dashed, Color: 4}}
	least, most := math.Inf(1), 0.0
	for _, m := range list {
		if !m.known {
			continue
		}
		v.value(m.method+"Cost", m.cost, 4)
		v.read(Reading{Name: m.method + "Error", Value: m.error, Digits: 3, Share: true})
		v.value(m.method+"Seconds", m.seconds, 3)
		v.value(m.method+"Bytes", m.bytes, 0)
		least, most = min(least, m.seconds), max(most, m.seconds)
	}
	if most > 0 {
		chart.Curves[0].Points = [][2]float64{{least, goal}, {most, goal}}
	}
	weights := memoryWeights(list)
	for i, m := range list {
		d := figure.Dot{X: m.seconds, Y: max(m.error, leastError), Weight: weights[i], Label: m.method, Name: fmt.Sprintf(methodDot, m.method, m.cost, m.error, m.seconds, m.bytes/1000)}
		if m.by != "" {
			d.Name += ". " + m.note
		}
		if !m.known {
			d.X, d.Y = math.NaN(), math.NaN()
		}
		if a, ok := c.Last(Choose); ok && a.A == i {
			d.Role = figure.Current
		}
		chart.Dot(d)
	}
	v.show(chart, methodList(c, list))
	v.share("goal", goal)
	return v
}

// name is the method, and the one that took its place.
func (m measured) name() string {
	if m.by == "" {
		return m.method
	}
	return m.method + " (" + m.by + ")"
}

// same says whether one method gave both answers.
func (m measured) same(other measured) bool {
	return cmp.Or(m.by, m.method) == cmp.Or(other.by, other.method)
}

// memoryWeights are the methods' places between the least and the most memory, on a logarithmic scale from 0 to 1.
func memoryWeights(list []measured) []float64 {
	out, lo, hi := make([]float64, len(list)), math.Inf(1), math.Inf(-1)
	for i, m := range list {
		if out[i] = math.Log(m.bytes); m.known && m.bytes > 0 {
			lo, hi = min(lo, out[i]), max(hi, out[i])
		}
	}
	for i, x := range out {
		if out[i] = 0; x >= lo && hi > lo {
			out[i] = (x - lo) / (hi - lo)
		}
	}
	return out
}

// quickest is the index of the fastest method whose error is at most the goal, -1 if there is none.
func quickest(list []measured) int {
	best := -1
	for i, m := range list {
		if m.known && m.error <= goal && (best < 0 || m.seconds < list[best].seconds) {
			best = i
		}
	}
	return best
}

func checkMethods(c *Context, v View) Verdict {
	list := measureAll(c, &v, v.Slider.Value)
	best := quickest(list)
	a, ok := c.Last(Choose)
	switch {
	case !ok || a.A >= len(list) || !list[a.A].known:
		return Verdict{Hint: "none", Place: pointSpots(0, best)}
	case !(list[a.A].error <= goal):
		return Verdict{Hint: "wrong", Place: pointSpots(0, a.A), Say: methods[a.A]}
	case list[a.A].seconds > list[best].seconds && !list[a.A].same(list[best]):
		return Verdict{Hint: "slow", Place: pointSpots(0, best), Say: methods[a.A]}
	}
	return Verdict{Pass: true}
}

// memorySide is the side of the smaller grid of the step about memory. The larger grid is twice as long.
const memorySide = 16

// kept is how many kB a method keeps of a graph's kernel, while it moves the mass on all vertices to itself; 0 where the engine is not done.
func kept(c *Context, v *View, g *model.Graph, method string) float64 {
	var own View
	answer := ask[job.Solved](c, &own, g, &job.Solve{KernelSpec: job.KernelSpec{Method: method, Epsilon: job.Fraction(lessonEpsilon)}, Source: ones(g.N), Target: ones(g.N)})
	v.Waiting = v.Waiting || own.Waiting
	if answer == nil {
		v.needs(measured{method: method, note: own.Failed})
		return 0
	}
	return float64(answer.MemoryBytes) / 1000
}

func viewMemory(c *Context) (v View) {
	v.Question = &Question{Lo: 1, Hi: 1e7}
	grids := []*model.Graph{model.Grid(memorySide, memorySide), model.Grid(memorySide, 2*memorySide)}
	var memory [2][2]float64 // by method, then by grid
	chart := memoryChart.chart(figure.Axis{Lo: 0, Hi: float64(grids[1].N)}, figure.Axis{Lo: 0, Hi: 1})
	for m, method := range []string{job.Dense, job.Exact} {
		k := figure.Curve{Name: method, Color: m}
		for i, g := range grids {
			x, y := float64(g.N), kept(c, &v, g, method)
			memory[m][i] = y
			if y == 0 || method == job.Exact && i == 1 && !c.Revealed {
				continue
			}
			k.Points = append(k.Points, [2]float64{x, y})
			chart.Dot(figure.Dot{X: x, Y: y, Name: fmt.Sprintf(memoryDot, method, vertexNoun.of(g.N), y)})
		}
		chart.Curves = append(chart.Curves, k)
	}
	v.show(chart)
	if v.Waiting || v.Failed != "" {
		return v
	}
	v.count("n", grids[0].N)
	v.count("twice", grids[1].N)
	v.value("denseKB", memory[0][0], 0)
	v.value("denseTwiceKB", memory[0][1], 0)
	v.value("denseRatio", memory[0][1]/memory[0][0], 1)
	v.value("exactKB", memory[1][0], 0)
	v.value("exactTwiceKB", memory[1][1], 0)
	v.after()
	v.value("exactRatio", memory[1][1]/memory[1][0], 1)
	v.after()
	return v
}

// methodList has a row for each method: what it found and took.
func methodList(c *Context, list []measured) *figure.Table {
	t := &figure.Table{Title: methodsTable.title, Desc: methodsTable.desc, Head: methodsTable.names}
	for i, m := range list {
		line := figure.Entry{Ref: figure.Ref{Kind: figure.Point, ID: i}, Cells: []string{m.name()}}
		if a, ok := c.Last(Choose); ok && a.A == i {
			line.Role = figure.Current
		}
		for _, r := range []Reading{{Value: m.cost, Digits: 4}, {Value: m.error, Digits: 4}, {Value: m.seconds, Digits: 3}, {Value: m.bytes / 1000}} {
			if !m.known {
				r.Value = math.NaN()
			}
			line.Cells = append(line.Cells, r.String())
		}
		t.Entries = append(t.Entries, line)
	}
	return t
}

// memorySlack is by which share of the truth a prediction may be off.
const memorySlack = 0.25

func checkMemory(c *Context, v View) Verdict {
	exact, _ := v.Reading("exactTwiceKB")
	guess, _ := c.Guessed(0)
	switch {
	case guess > (1+memorySlack)*exact.Value:
		return Verdict{Hint: "high", Place: pointSpots(0, 1)} // dense on the larger grid
	case guess < (1-memorySlack)*exact.Value:
		return Verdict{Hint: "low", Place: pointSpots(0, 2)} // exact on the smaller
	}
	return Verdict{Pass: true}
}

func viewBound(c *Context) (v View) {
	v.Question = &Question{Choices: lessonTexts[7].Steps[2].Choices}
	truth, certified := solve(c, &v, job.Exact, 0), solve(c, &v, job.Certified, boundDelta)
	v.needs(truth, certified)
	chart := boundChart.chart(figure.Axis{Lo: 0.5, Hi: 2.5, Fixed: true, Bare: true}, figure.Axis{})
	chart.Y.Hi = certified.bound
	if certified.known && truth.known {
		v.value("bound", certified.bound, 5)
		v.value("measured", math.Abs(certified.value-truth.value), 7)
		v.after()
		chart.Dot(figure.Dot{X: 1, Y: certified.bound, Label: boundChart.names[0]})
		if c.Revealed {
			chart.Dot(figure.Dot{X: 2, Y: math.Abs(certified.value - truth.value), Label: boundChart.names[1], Role: figure.Truth})
		}
	}
	v.show(chart)
	return v
}

// within is the choice that is true of the measurement: 0 within the bound, 1 beyond.
func within(bound, measured float64) int {
	if measured <= bound {
		return 0
	}
	return 1
}

func checkBound(c *Context, v View) Verdict {
	bound, _ := v.Reading("bound")
	measured, _ := v.Reading("measured")
	if guess, ok := c.Guessed(0); ok && int(guess) == within(bound.Value, measured.Value) {
		return Verdict{Pass: true}
	}
	return Verdict{Hint: "bound", Place: pointSpots(0, 0)}
}

func viewSampled(c *Context) (v View) {
	v.Question = &Question{Choices: lessonTexts[7].Steps[3].Choices}
	truth, sampled := solve(c, &v, job.Dense, 0), solve(c, &v, job.Sampled, 0)
	v.needs(truth, sampled)
	chart := sampledChart.chart(figure.Axis{Lo: 0.5, Hi: 2.5, Fixed: true, Bare: true}, figure.Axis{Lo: 0, Hi: truth.cost})
	if truth.known {
		chart.Dot(figure.Dot{X: 1, Y: truth.cost, Label: job.Dense, Role: figure.Truth})
		v.value("denseCost", truth.cost, 4)
	}
	if sampled.known && truth.known {
		v.value("sampledCost", sampled.cost, 4)
		v.after()
		v.read(Reading{Name: "sampledError", Value: math.Abs(sampled.cost-truth.cost) / truth.cost, Digits: 2, Share: true, After: true})
		if c.Revealed {
			chart.Dot(figure.Dot{X: 2, Y: sampled.cost, Label: job.Sampled, Role: figure.Guess})
		}
	}
	v.show(chart)
	return v
}

// promise is what a method's bound says: 0 a bound that is proved, 1 none.
func promise(m measured) int {
	if m.known && !math.IsNaN(m.bound) {
		return 0
	}
	return 1
}

func checkSampled(c *Context, v View) Verdict {
	if guess, ok := c.Guessed(0); ok && int(guess) == promise(solve(c, &v, job.Sampled, 0)) {
		return Verdict{Pass: true}
	}
	return Verdict{Hint: "none", Place: pointSpots(0, 0)}
}
