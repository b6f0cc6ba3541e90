// Package lesson is what the page teaches, as data: lessons of steps, each with
// sentences, figures, a prediction, something to do, and a check that can fail.
// The Machine walks through them. Nothing here knows a document. What the
// engine has to find is asked of a Source, in job messages; all other numbers
// are computed by package model from the graph that is shown.
package lesson

import (
	"math"
	"slices"
	"strconv"

	"genussink/core/job"
	"genussink/viewer/figure"
	"genussink/viewer/lesson/model"
)

// Source answers what lessons ask of the engine.
type Source interface {
	// Ask is the engine's answer to the last of some requests in a row about a graph, or about the mesh at hand where the graph is nil. It is nil
	// until the answer is there: then the view is made anew. Requests that came to nothing are answered by *job.Failed.
	Ask(g *model.Graph, requests ...job.Body) job.Body
}

// Verb is what a reader does in a figure.
type Verb string

// The verbs.
const (
	Toggle  Verb = "v" // vertex A: remove it or put it back, choose or eliminate it
	Drop    Verb = "d" // vertex A into bag B, or out of it
	Pick    Verb = "b" // bag A
	Choose  Verb = "p" // point A
	Move    Verb = "m" // component A to the other side
	Slide   Verb = "x" // the slider to X
	Predict Verb = "g" // X, of the question A
)

// Act is one thing that a reader did.
type Act struct {
	Verb Verb
	A, B int
	X    float64
}

// Record is all that a reader did in a step. The step's view follows from it, so that a step left and opened again is as it was.
type Record struct {
	Acts     []Act
	Revealed bool
	Passed   bool     // the last check
	At       float64  // of the timeline
	verdict  *Verdict // of the last check; nil if something was done since
}

// Reading is a number of a step, which its sentences name in braces.
type Reading struct {
	Name   string
	Value  float64
	Digits int  // after the point
	Share  bool // written as per cent
	After  bool // part of the answer: hidden until it is revealed
}

// String writes the reading as sentences have it.
func (r Reading) String() string {
	switch {
	case math.IsNaN(r.Value):
		return "–"
	case math.IsInf(r.Value, 0):
		return "∞"
	case r.Share:
		return strconv.FormatFloat(100*r.Value, 'f', r.Digits, 64) + " %"
	case r.Value == 0:
		return "0"
	case math.Abs(r.Value) < math.Pow(10, -float64(r.Digits)):
		return strconv.FormatFloat(r.Value, 'g', 2, 64)
	}
	return strconv.FormatFloat(r.Value, 'f', r.Digits, 64)
}

// Question is a prediction that a reader makes before the answer shows.
type Question struct {
	Lo, Hi  float64  // of a number
	Choices []string // of a choice, which is the place of one of these; nil: a number
	Names   []string // of several numbers that are asked for together; nil: one
}

// Slider sets a number of a figure.
type Slider struct {
	Name         string
	Lo, Hi, Step float64
	Value        float64
	Log          bool // even steps multiply
}

// View is a step as it stands.
type View struct {
	Waiting  bool // the engine has not answered yet
	Failed   string
	Figures  []figure.Figure
	Readings []Reading
	Holds    []bool // of the step's rules
	Question *Question
	Slider   *Slider
	Length   int     // steps of the timeline; 0: none
	Pieces   [][]int // of what is moved from side to side, the vertices
	Marked   []Spot  // what a hint points at: see Mark
	Instead  string  // why the lesson's own graph is shown where the reader's was asked for; "" where it is not
	Canvas   *Canvas // what the open mesh shows beside the step; nil: what the reader has it show
}

// Canvas is what the open mesh shows: the mass on its way at an epsilon or, where that is 0, the separators down to a level.
type Canvas struct {
	Level   int     // from 0
	Epsilon float64 // a share of the diagonal
}

// AtHand is a preset of densities that no engine knows: those on the mesh at hand. Who answers a lesson puts them, or others, in its place.
const AtHand = "at-hand"

// Mark gives the places of a verdict the role of a hint.
func (v *View) Mark(verdict Verdict) {
	v.Marked = verdict.Place
	for _, s := range verdict.Place {
		if s.Figure >= len(v.Figures) || s.ID < 0 {
			continue
		}
		var roles *[]figure.Role
		switch f := v.Figures[s.Figure].(type) {
		case *figure.Graph:
			if roles = &f.Roles; s.Kind == figure.Edge {
				roles = &f.Lines
			}
		case *figure.Tree:
			roles = &f.Roles
		case *figure.Cover:
			roles = &f.Roles
		case *figure.Chart:
			if s.ID < len(f.Dots) {
				f.Dots[s.ID].Role = figure.Hint
			}
			continue
		default: // rows and columns of a heat map have no roles: they are lit
			continue
		}
		for len(*roles) <= s.ID {
			*roles = append(*roles, figure.Plain)
		}
		(*roles)[s.ID] = figure.Hint
	}
}

// Reading is that of a name.
func (v *View) Reading(name string) (Reading, bool) {
	i := slices.IndexFunc(v.Readings, func(r Reading) bool { return r.Name == name })
	if i < 0 {
		return Reading{}, false
	}
	return v.Readings[i], true
}

func (v *View) read(r Reading) { v.Readings = append(v.Readings, r) }

func (v *View) count(name string, x int) { v.read(Reading{Name: name, Value: float64(x)}) }
func (v *View) value(name string, x float64, digits int) {
	v.read(Reading{Name: name, Value: x, Digits: digits})
}
func (v *View) share(name string, x float64) {
	v.read(Reading{Name: name, Value: x, Digits: 1, Share: true})
}

// after makes the reading added last a part of the answer.
func (v *View) after() { v.Readings[len(v.Readings)-1].After = true }

func (v *View) show(figures ...figure.Figure) { v.Figures = append(v.Figures, figures...) }

// Spot is a thing in a figure.
type Spot struct {
	Figure int // its place in the view
	figure.Ref
}

// Verdict is the outcome of a check: that all is well, or a hint and the places that it points at.
type Verdict struct {
	Pass  bool
	Hint  string // key of the step's hints
	Place []Spot
	Say   string // a sentence that stands in the hint for {what}
}

func vertices(figureAt int, list ...int) []Spot { return spots(figureAt, figure.Vertex, list) }

// bagSpots are bags of the tree, which stands beside the graph.
func bagSpots(list ...int) []Spot { return spots(1, figure.Bag, list) }

func pointSpots(figureAt int, list ...int) []Spot { return spots(figureAt, figure.Point, list) }

func spots(figureAt int, kind figure.Kind, list []int) (out []Spot) {
	for _, id := range list {
		out = append(out, Spot{figureAt, figure.Ref{Kind: kind, ID: id}})
	}
	return out
}

// Context is what a step is shown from.
type Context struct {
	Source Source
	Graph  *model.Graph // the lesson's, or the reader's own
	Own    bool         // it is the reader's
	*Record
	step func(number int) *Record // another step of the lesson, from 1
	memo map[string]any           // what is slow to compute and follows from the graph alone
}

// remember computes something once for a graph.
func remember[T any](c *Context, key string, compute func() T) T {
	if known, ok := c.memo[key].(T); ok {
		return known
	}
	x := compute()
	if c.memo != nil {
		c.memo[key] = x
	}
	return x
}

// Last is the last act of a verb.
func (c *Context) Last(v Verb) (Act, bool) {
	for i := len(c.Acts) - 1; i >= 0; i-- {
		if c.Acts[i].Verb == v {
			return c.Acts[i], true
		}
	}
	return Act{}, false
}

// toggled lists the vertices that were toggled an odd number of times, ascending.
func (r *Record) toggled(n int) (out []int) {
	odd := make([]bool, n)
	for _, a := range r.Acts {
		if a.Verb == Toggle && a.A >= 0 && a.A < n {
			odd[a.A] = !odd[a.A]
		}
	}
	for v, on := range odd {
		if on {
			out = append(out, v)
		}
	}
	return out
}

// picked lists the vertices in the order in which they were first toggled.
func (r *Record) picked(n int) (out []int) {
	for _, a := range r.Acts {
		if a.Verb == Toggle && a.A >= 0 && a.A < n && !slices.Contains(out, a.A) {
			out = append(out, a.A)
		}
	}
	return out
}

// Guessed is the last prediction for a question.
func (c *Context) Guessed(question int) (float64, bool) {
	for i := len(c.Acts) - 1; i >= 0; i-- {
		if a := c.Acts[i]; a.Verb == Predict && a.A == question {
			return a.X, true
		}
	}
	return math.NaN(), false
}

// predicted says whether all predictions are made that a question asks for; nil asks for none.
func (c *Context) predicted(q *Question) bool {
	if q != nil {
		for i := range max(1, len(q.Names)) {
			if _, ok := c.Guessed(i); !ok {
				return false
			}
		}
	}
	return true
}

// slider is one at its last position.
func (c *Context) slider(s Slider) *Slider {
	if a, ok := c.Last(Slide); ok && !math.IsNaN(a.X) {
		s.Value = min(max(a.X, s.Lo), s.Hi)
	}
	return &s
}

// time is the timeline's position, at most the given length.
func (c *Context) time(length int) int { return min(max(int(c.At), 0), length) }

// ask is an answer of one kind, nil where it is not there; the view says why.
func ask[T any, P interface {
	*T
	job.Body
}](c *Context, v *View, g *model.Graph, requests ...job.Body) P {
	switch answer := c.Source.Ask(g, requests...).(type) {
	case nil:
		v.Waiting = true
	case P:
		return answer
	case *job.Failed:
		v.Failed = answer.Message
	case *job.Forecasted:
		v.Failed = tooLong
	default:
		v.Failed = noAnswer
	}
	return nil
}

// Step is a step of a lesson.
type Step struct {
	Text  *StepText
	Takes []Verb // beside predictions
	View  func(c *Context) View
	Check func(c *Context, v View) Verdict // nil: there is nothing to check
	Own   int                              // how many vertices of the reader's graph it takes, where that is more than the lesson does
	Mesh  bool                             // it asks about the mesh at hand
	Alone bool                             // it shows graphs of its own: the reader's takes no place in it
}

// Lesson is a few steps about one idea.
type Lesson struct {
	Text  *Text
	Graph func() *model.Graph
	Own   int  // how many vertices of the reader's graph may take its place; 0: none
	Along bool // which are numbered along its longest way, as figures with a row for each show them
	Steps []Step
}

// Lessons are all of them, in order.
func Lessons() []*Lesson {
	return []*Lesson{cutting(), decomposing(), eliminating(), separating(), recursion(), multiplying(), blurring(), measuring()}
}
