package scene

import (
	"fmt"

	"genussink/core/job"
	"genussink/core/paint"
)

// Automatic is the method that answers at once, by an estimate where nothing else is as quick, and follows the brush.
// Behind that answer a more exact one is computed, which takes its place.
const Automatic = job.Auto

// Transport is the problem's settings and its answer.
type Transport struct {
	method         string
	yielded        bool    // automatic is what was chosen, and this method has its place while something needs it
	epsilon, delta float64 // fractions of the diagonal
	kernel         string  // the function of distance over epsilon, as core/kernel reads it; "": exp
	reach          float64 // unbalanced: fraction of the diagonal; 0: balanced
	debias         bool    // the divergence is found too
	levels         int     // most levels of the separators that the methods tree and sampled go along; 0: until pieces are small

	asked    *job.Solve      // what the answer answers; nil before the first
	solved   *job.Solved     // the answer
	estimate *job.Estimate   // of its cost on true distances; nil before it is known
	why      string          // in words, why there is no such estimate
	refining bool            // that estimate's interval still narrows
	partners *job.Partnered  // of a vertex, nil: none
	forecast *job.Forecasted // what waits for a word; nil: nothing
	tree     bool            // the forecast is of the separator tree
	putOff   bool            // a person has closed the forecast, and what it is of still waits

	margins margins
	profile profile // of the function, beside the distances of the mesh

	stale      bool       // densities or settings changed after the answer
	settle     float64    // seconds until a solve by itself, 0 when none is due
	refined    bool       // what comes behind the quick answer has been asked for
	exact      *job.Solve // the last that was asked behind a quick answer; nil: none of this problem
	comparison comparison
}

// reset forgets the mesh before, and keeps the settings.
func (t *Transport) reset() {
	*t = Transport{
		method: t.method, epsilon: t.epsilon, delta: t.delta, kernel: t.kernel, reach: t.reach, debias: t.debias, levels: t.levels, refined: t.refined, profile: profile{shown: t.profile.shown},
	}
}

// Solved is the last answer, nil before the first. It must not be changed.
func (t *Transport) Solved() *job.Solved { return t.solved }

func (t *Transport) automatic() bool { return t.method == Automatic }

// estimated says whether the answer is the automatic method's, and an estimate.
func (t *Transport) estimated() bool {
	return t.automatic() && t.solved != nil && t.solved.Method == job.Quantized && !t.stale
}

// problem is what is to be solved.
func (t *Transport) problem(densities paint.Pair, method string, patience float64) *job.Solve {
	return &job.Solve{KernelSpec: t.spec(method), Source: densities[sourceSide], Target: densities[targetSide], Patience: patience, Reach: job.Fraction(t.reach), Debias: t.debias}
}

// spec is the kernel that the settings ask for.
func (t *Transport) spec(method string) job.KernelSpec {
	k := job.KernelSpec{Method: method, Function: t.kernel, Epsilon: job.Fraction(t.epsilon)}
	if job.Bounded(method) {
		k.Delta = job.Fraction(t.delta)
	}
	if job.Layered(method) {
		k.Levels = t.levels
	}
	return k
}

// warm says whether a solve is to start from the last plan: a repaint's is. With another method, epsilon or delta it
// starts from nothing, so that methods can be compared; but in logarithms, where that takes many iterations.
func (t *Transport) warm() bool {
	last := t.asked
	return t.solved != nil && last.Method == t.method &&
		(t.solved.Form == job.Log || last.KernelSpec == t.spec(last.Method))
}

// change marks the answer stale. What has changed is solved once it has settled.
func (t *Transport) change() {
	t.stale = t.solved != nil
	t.endForecast()
	if t.settle = settleSeconds; t.automatic() {
		t.settle = atOnce
	}
}

// take takes an answer. Behind one that was asked for behind a quick answer the next may start from its plan.
func (t *Transport) take(asked *job.Solve, e *job.Solved, behind bool) {
	if behind {
		t.exact = asked
	}
	t.refined, t.asked, t.solved = false, asked, e
	t.margins.forget()
	t.estimate, t.why, t.refining, t.partners = nil, "", false, nil
}

// sentence tells how the solve ended.
func (t *Transport) sentence() string {
	switch e := t.solved; {
	case e.Status == job.Iterations:
		return fmt.Sprintf("Stopped after %d iterations with a marginal error of %.2g.", e.Iterations, e.MarginalError)
	case e.Iterations != 1:
		return fmt.Sprintf("Solved in %d iterations.", e.Iterations)
	}
	return "Solved in 1 iteration."
}

// refineSeconds is how long the cost on true distances is refined while nobody asks for anything.
const refineSeconds = 30

// polishEnough is what share of the cost its interval need not be narrower than.
const polishEnough = 1e-5

// polish is what is to be asked next about the plan's cost on true distances, nil: nothing.
// First as long as a quarter of the solve took, then, while nothing else is wanted, until that is known well enough.
func (t *Transport) polish() *job.Polish {
	switch t.solved.Method {
	case job.Certified, job.Embedded, job.Sampled:
	default:
		return nil // its cost is on true distances
	}
	switch p := t.estimate; {
	case p == nil:
		return &job.Polish{}
	case t.refining:
		t.refining = false
	case t.why == "" && !p.Known && p.High-p.Low > polishEnough*p.Cost:
		t.refining = true
		return &job.Polish{Seconds: refineSeconds}
	}
	return nil
}

// polished takes what is known of the cost on true distances.
func (t *Transport) polished(e job.Estimate, why string) bool {
	if t.solved == nil || why == "" && !(e.Low <= e.Cost && e.Cost <= e.High) {
		return false
	}
	t.estimate, t.why = &e, why
	return true
}

// partnered takes a vertex's partners.
func (t *Transport) partnered(e *job.Partnered) bool {
	if len(e.Mass) != len(e.Vertices) {
		return false
	}
	t.partners = e
	return true
}

// partnersOf are a vertex's, nil where they are not known.
func (t *Transport) partnersOf(vertex int32) *job.Partnered {
	if t.partners != nil && t.partners.Vertex == vertex {
		return t.partners
	}
	return nil
}

// state is what the panel shows.
func (t *Transport) state() TransportState {
	return TransportState{
		Method: t.method, Epsilon: t.epsilon, Delta: t.delta, Levels: t.levels, Stale: t.stale,
		Kernel: t.function(), Yielded: t.yielded, Reach: t.reach, Debias: t.debias, Profile: t.profile.state(), Refusal: t.profile.refusal,
		Forecast: t.forecastState(), Result: t.result(), Comparison: t.comparison.state(),
	}
}

// result is the evidence of the answer, nil before the first.
func (t *Transport) result() *ResultState {
	e := t.solved
	if e == nil {
		return nil
	}
	r := &ResultState{
		Solution: e.Finite(), Accuracy: e.Accuracy.Finite(),
		Method: e.Method, Requested: e.Requested, Note: e.Note, Kernel: e.Function, KernelError: finite(e.Share),
		Epsilon: finite(e.Epsilon), Precision: e.Precision, Delta: Number(e.Delta), Bound: Number(e.Bound), LowerBound: Number(e.LowerBound),
		Reach: finite(e.Reach), Destroyed: finite(e.Destroyed), Created: finite(e.Created), RootMeanSquare: Number(e.RootMeanSquare), Divergence: Number(e.Divergence), DivergenceWithin: Number(e.DivergenceWithin),
		MemoryBytes: e.MemoryBytes, DenseBytes: e.DenseBytes, Depth: e.Depth,
		Representatives: e.Representatives, Threads: e.Threads, SolvedVertices: e.Vertices, SolvedEdges: e.Edges, Timings: timings(e.Timings),
	}
	if c := e.Estimate; c.Low <= c.Cost && c.Cost <= c.High {
		r.Estimate = &c
	}
	for _, stage := range r.Timings {
		r.Seconds += stage.Seconds
	}
	if p := t.estimate; p != nil {
		r.Polished = &Polished{Estimate: p.Finite(), Why: t.why, Refining: t.refining}
	}
	return r
}
