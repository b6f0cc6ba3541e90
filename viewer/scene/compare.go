package scene

import (
	"math"
	"slices"

	"genussink/core/job"
)

// ComparisonState is what methods took on this mesh with one kernel at one epsilon, beside the dense matrix.
type ComparisonState struct {
	Epsilon float64       `json:"epsilon"` // mesh units
	Kernel  string        `json:"kernel"`  // the function of distance over that
	Reach   float64       `json:"reach"`   // mesh units; 0: balanced
	Rows    []MethodState `json:"rows"`    // in the order in which they were first solved by
}

// MethodState is what one method took. Set-up is all that a solve needs before it begins (Contains). It is counted once,
// also if an earlier request made it. A cold solve starts from nothing, a warm one from the method's last plan. The two
// times are kept apart. Dense always starts from nothing.
type MethodState struct {
	Method   string   `json:"method"`
	Delta    Number   `json:"delta"` // mesh units
	Threads  int      `json:"threads"`
	Setup    float64  `json:"setup"` // seconds, once
	Contains []string `json:"contains"`
	Cold     Number   `json:"cold"`   // seconds of the last solve from nothing, null before
	Warm     Number   `json:"warm"`   // seconds of the last solve from a plan
	Polish   Number   `json:"polish"` // seconds of the last estimate of the cost on true distances
	Cost     Number   `json:"cost"`   // mesh units, null where it was for other densities than the last solve's
	Bytes    int64    `json:"memoryBytes"`
	Moves    bool     `json:"moves"` // its plan's mass can be seen: WithPlanOf

	Dense Predicted `json:"dense"`
	Off   Number    `json:"off"` // of dense: the relative error of the prediction of its set-up and cold solve
}

// Predicted is what the dense matrix would take, on as many threads and for as many iterations, null where nothing was measured: see job.Solved.
type Predicted struct {
	Setup Number `json:"setup"`
	Cold  Number `json:"cold"`
	Warm  Number `json:"warm"`
}

// comparison is that state, with the densities that its costs belong to.
type comparison struct {
	ComparisonState
	source, target []float64
	latest         int      // the row of the last solve
	paths          []*paths // by row: of its plan's mass; nil: not known, or its plan is for other densities
}

var unknown = Number(math.NaN())

// solved records the answer e to the request asked.
func (c *comparison) solved(asked *job.Solve, e *job.Solved) {
	if c.Epsilon != e.Epsilon || c.Kernel != e.Function || c.Reach != e.Reach {
		*c = comparison{ComparisonState: ComparisonState{Epsilon: e.Epsilon, Kernel: e.Function, Reach: e.Reach}}
	}
	if !identical(c.source, asked.Source) || !identical(c.target, asked.Target) {
		for i := range c.Rows {
			c.Rows[i].Cost = unknown
		}
		clear(c.paths)
		c.source, c.target = asked.Source, asked.Target
	}
	delta := Number(e.Delta)
	if !job.Bounded(e.Method) { // exact in certified's place is exact
		delta = unknown
	}
	c.latest = slices.IndexFunc(c.Rows, func(m MethodState) bool {
		return m.Method == e.Method && (m.Delta == delta || !m.Delta.Known())
	})
	if c.latest < 0 {
		c.latest = len(c.Rows)
		c.Rows = append(c.Rows, MethodState{
			Method: e.Method, Delta: delta, Cold: unknown, Warm: unknown, Polish: unknown, Off: unknown,
			Dense: Predicted{Setup: unknown, Cold: unknown, Warm: unknown},
		})
		c.paths = append(c.paths, nil)
	}
	c.paths[c.latest] = nil
	m := &c.Rows[c.latest]
	m.Threads, m.Cost, m.Bytes = e.Threads, Number(e.Cost), e.MemoryBytes
	m.Setup, m.Contains = 0, []string{}
	for _, t := range e.Setup {
		m.Setup += finite(t.Seconds)
		m.Contains = append(m.Contains, t.Stage)
	}
	solve := 0.0
	for _, t := range e.Timings {
		if t.Stage == job.StageSolve {
			solve += finite(t.Seconds)
		}
	}
	m.Dense.Setup = Number(e.DenseSetup)
	if e.Warm {
		m.Warm, m.Dense.Warm = Number(solve), Number(e.DenseSolve)
	} else {
		m.Cold, m.Dense.Cold = Number(solve), Number(e.DenseSolve)
	}
	if took := m.Setup + float64(m.Cold); e.Method == job.Dense && took > 0 {
		m.Off = Number(float64(m.Dense.Setup+m.Dense.Cold)/took - 1)
	}
}

// moved records the paths of the last solve's plan.
func (c *comparison) moved(p *paths) {
	if c.latest < len(c.paths) {
		c.paths[c.latest] = p
	}
}

// polished records the time of the estimate of the last solve's cost.
func (c *comparison) polished(list []job.Timing) {
	if c.latest < len(c.Rows) {
		m := &c.Rows[c.latest]
		for _, t := range list {
			if t.Stage == job.StagePolish { // not what refines it while nothing else is done
				m.Polish = Number(finite(t.Seconds))
			}
		}
	}
}

func (c *comparison) state() ComparisonState {
	out := ComparisonState{Epsilon: finite(c.Epsilon), Kernel: c.Kernel, Reach: finite(c.Reach), Rows: slices.Clone(c.Rows)}
	if out.Rows == nil {
		out.Rows = []MethodState{}
	}
	for i := range out.Rows {
		out.Rows[i].Contains = slices.Clone(out.Rows[i].Contains)
		out.Rows[i].Moves = c.paths[i] != nil
	}
	return out
}

// WithPlanOf calls draw while the scene shows the moving mass of a plan, at a position from 0 to 1. It reports whether the plan
// has paths. Nothing else of the scene changes, and afterwards all is as before. Flow arrows, which are those of the page's plan, are not shown.
func (s *Scene) WithPlanOf(plan Plan, position float64, draw func()) bool {
	flow := s.paths(plan)
	if flow == nil || !(position >= 0 && position <= 1) {
		return false
	}
	was, arrows := s.Playback, s.View.looks.Arrows
	defer func() {
		s.Playback, s.View.looks.Arrows = was, arrows
		s.recolor(false)
	}()
	p := &s.Playback
	p.flow, p.shown, s.View.looks.Arrows = flow, true, false
	p.line.Pause()
	p.line.Seek(position)
	s.colors.settle()
	draw()
	return true
}

// identical reports whether two densities are one: they never change once made.
func identical(a, b []float64) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}
