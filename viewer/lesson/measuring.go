package lesson

import (
	"fmt"
	"math"

	"genussink/core/job"
	"genussink/viewer/figure"
	"genussink/viewer/lesson/model"
)

func measuring() *Lesson {
	text := &lessonTexts[7]
	return &Lesson{Text: text, Graph: func() *model.Graph { return nil }, Steps: []Step{
		{Text: &text.Steps[0], Takes: []Verb{Slide, Choose}, View: viewMethods, Check: checkMethods},
		{Text: &text.Steps[1], View: viewBound, Check: checkBound},
		{Text: &text.Steps[2], View: viewSampled, Check: checkSampled},
	}}
}

// methods are those that the lesson measures, as the engine names them. The dense matrix is the truth.
var methods = []string{job.Dense, job.Exact, job.Certified, job.Embedded, job.Sampled}

// Of all solves of the lesson: epsilon as a share of the diagonal, and the seconds that one may take.
const (
	lessonEpsilon  = 0.1
	lessonPatience = 20
	firstDelta     = 0.01
)

// measured is what a method took and how wrong its cost is; known is false while or where there is no answer.
type measured struct {
	method               string
	cost, error, seconds float64
	bytes                float64
	bound                float64 // proved, of the cost; NaN where there is none
	status, note         string
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
	m.known, m.status = true, answer.Status
	m.cost, m.bound, m.bytes, m.note = answer.Cost, answer.Bound, float64(answer.MemoryBytes), answer.Note
	if answer.Method != method {
		m.note = "It was solved by " + answer.Method + ". " + answer.Note
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

// goal is the error that the reader has to stay below.
const goal = 0.001

// leastError is what an error of 0 is drawn at: on a logarithmic axis there is no 0.
const leastError = 1e-12

func viewMethods(c *Context) (v View) {
	v.Slider = c.slider(Slider{Name: "delta", Lo: 0.001, Hi: 0.1, Step: math.Pow(10, 0.25), Value: firstDelta, Log: true})
	list := measureAll(c, &v, v.Slider.Value)
	chart := &figure.Chart{Title: "Error against time", Desc: "Every method on the mesh at hand, measured now", X: figure.Axis{Label: "seconds", Log: true}, Y: figure.Axis{Label: "error of the cost", Log: true, Lo: goal, Hi: goal}}
	chart.Curves = []figure.Curve{{Name: "the goal", Form: figure.Dashed, Color: 4}}
	least, most := math.Inf(1), 0.0
	for _, m := range list {
		if !m.known {
			continue
		}
		v.value(m.method+"Cost", m.cost, 4)
		v.Readings = append(v.Readings, Reading{Name: m.method + "Error", Value: m.error, Digits: 3, Share: true})
		v.value(m.method+"Seconds", m.seconds, 3)
		v.value(m.method+"Bytes", m.bytes, 0)
		least, most = min(least, m.seconds), max(most, m.seconds)
	}
	if most > 0 {
		chart.Curves[0].Points = [][2]float64{{least, goal}, {most, goal}}
	}
	for i, m := range list {
		d := figure.Dot{X: m.seconds, Y: max(m.error, leastError), Label: m.method, Name: fmt.Sprintf("%s: error %.3g, %.3g s", m.method, m.error, m.seconds)}
		if !m.known {
			d.X, d.Y = math.NaN(), math.NaN()
		}
		if a, ok := c.Last(Choose); ok && a.A == i {
			d.Role = figure.Current
		}
		chart.Dots = append(chart.Dots, d)
	}
	v.show(chart)
	v.share("goal", goal)
	return v
}

// quickest is the method below the goal that takes the least time.
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
	case list[a.A].seconds > list[best].seconds:
		return Verdict{Hint: "slow", Place: pointSpots(0, best), Say: methods[a.A]}
	}
	return Verdict{Pass: true}
}

func viewBound(c *Context) (v View) {
	v.Question = &Question{Choices: lessonTexts[7].Steps[1].Choices}
	truth, certified := solve(c, &v, job.Exact, 0), solve(c, &v, job.Certified, firstDelta)
	chart := &figure.Chart{Title: "Bound and measurement", Desc: "How wrong the certified distances may be, and how wrong the cost is", X: figure.Axis{Lo: 0.5, Hi: 2.5, Fixed: true, Bare: true}, Y: figure.Axis{Label: "mesh units"}}
	chart.Y.Hi = certified.bound
	if certified.known && truth.known {
		v.value("bound", certified.bound, 5)
		v.value("measured", math.Abs(certified.cost-truth.cost), 7)
		v.after()
		chart.Dots = append(chart.Dots, figure.Dot{X: 1, Y: certified.bound, Label: "bound"})
		if c.Revealed {
			chart.Dots = append(chart.Dots, figure.Dot{X: 2, Y: math.Abs(certified.cost - truth.cost), Label: "measured", Role: figure.Truth})
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
	v.Question = &Question{Choices: lessonTexts[7].Steps[2].Choices}
	truth, sampled := solve(c, &v, job.Dense, 0), solve(c, &v, job.Sampled, 0)
	chart := &figure.Chart{Title: "Costs", Desc: "The cost by the dense matrix and by sampled separators", X: figure.Axis{Lo: 0.5, Hi: 2.5, Fixed: true, Bare: true}, Y: figure.Axis{Label: "cost", Lo: 0, Hi: truth.cost}}
	if truth.known {
		chart.Dots = append(chart.Dots, figure.Dot{X: 1, Y: truth.cost, Label: job.Dense, Role: figure.Truth})
		v.value("denseCost", truth.cost, 4)
	}
	if sampled.known && truth.known {
		v.value("sampledCost", sampled.cost, 4)
		v.after()
		v.Readings = append(v.Readings, Reading{Name: "sampledError", Value: math.Abs(sampled.cost-truth.cost) / truth.cost, Digits: 2, Share: true, After: true})
		if c.Revealed {
			chart.Dots = append(chart.Dots, figure.Dot{X: 2, Y: sampled.cost, Label: job.Sampled, Role: figure.Guess})
		}
	}
	if !sampled.known && !v.Waiting { // a separator of which nothing was kept may leave mass that reaches nothing
		v.Failed = ""
		v.count("disconnected", 1)
		v.after()
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
