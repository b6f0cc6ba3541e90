package scene

import (
	"math"
	"slices"

	"genussink/core/job"
)

// Benchmark is a comparison of methods, ours and others', each from nothing on one problem.
type Benchmark struct {
	asked *job.Benchmark // nil before the first
	rows  []*job.Benchmarking
	paths []*paths // by row: of its plan's mass; nil: there is no plan
	now   string   // the method that runs, "" before the first
	why   string   // the last failed or was stopped: in words; "": it did not
}

// comparedParticles are drawn from each plan: as many as small pictures show.
const comparedParticles = 1000

// of is how many methods were asked for.
func (b *Benchmark) of() int {
	switch {
	case b.asked == nil:
		return 0
	case len(b.asked.Methods) == 0:
		return len(job.Contenders)
	}
	return len(b.asked.Methods)
}

// take takes what one method took.
func (b *Benchmark) take(e *job.Benchmarking, m *OpenMesh) bool {
	var p *paths
	if len(e.Offsets) > 0 {
		if !fitsFlow(&e.Flowing, m) {
			return false
		}
		p = &paths{}
		p.join(&e.Flowing)
	}
	b.rows, b.paths = append(b.rows, e), append(b.paths, p)
	return true
}

// Compare runs methods of job.Contenders on the densities at hand, one after the other; none stands for all. What was compared before is forgotten.
func (s *Scene) Compare(methods []string) {
	source, target := s.Densities.Values()
	if !s.ready() || s.Mesh.Vertices() == 0 {
		return
	}
	s.drop(toBenchmark)
	if !s.Densities.full() {
		s.Benchmark = Benchmark{why: "There is nothing to move: paint a source and a target first."}
		s.changed()
		return
	}
	b := &job.Benchmark{Epsilon: job.Fraction(s.Transport.epsilon), Source: source, Target: target, Methods: slices.Clone(methods), Particles: comparedParticles}
	s.Benchmark = Benchmark{asked: b}
	s.send(toBenchmark, b)
}

// StopComparing ends a comparison. The rows that are there stay.
func (s *Scene) StopComparing() {
	if s.flight.has(toBenchmark) {
		s.Benchmark.why = "Stopped."
		s.drop(toBenchmark)
	}
}

// BenchmarkState is what methods, ours and others', took from nothing on one problem.
type BenchmarkState struct {
	Running   bool                `json:"running"`
	Method    string              `json:"method"` // the one that runs, "" while the program starts
	Of        int                 `json:"of"`     // how many methods were asked for
	Why       string              `json:"why"`    // why it ended early, a sentence; "": it did not
	Stale     bool                `json:"stale"`  // the densities or epsilon have changed since
	Epsilon   float64             `json:"epsilon"`
	Reference string              `json:"reference"` // the method whose cost the others are compared with, "": none so far
	Rows      []BenchmarkRowState `json:"rows"`
}

// BenchmarkRowState is one method of a comparison: see job.Benchmarking.
type BenchmarkRowState struct {
	Method        string `json:"method"`
	Setting       string `json:"setting"`
	Note          string `json:"note"`
	Cost          Number `json:"cost"`  // mesh units
	Error         Number `json:"error"` // share of the reference's cost
	MarginalError Number `json:"marginalError"`
	Setup         Number `json:"setup"` // seconds
	Solve         Number `json:"solve"`
	Iterations    int    `json:"iterations"`
	Bytes         int64  `json:"memoryBytes"`
	Moves         bool   `json:"moves"` // its plan's mass can be seen: WithPlanOf
}

func (s *Scene) benchmarkState() BenchmarkState {
	b := &s.Benchmark
	st := BenchmarkState{Running: s.flight.has(toBenchmark), Of: b.of(), Why: b.why, Rows: []BenchmarkRowState{}}
	if b.asked == nil {
		return st
	}
	if st.Running {
		st.Method = b.now
	}
	source, target := s.Densities.Values()
	st.Stale = !identical(source, b.asked.Source) || !identical(target, b.asked.Target) || b.asked.Epsilon != job.Fraction(s.Transport.epsilon)
	st.Epsilon = b.asked.Epsilon.Value
	for i, r := range b.rows {
		st.Rows = append(st.Rows, BenchmarkRowState{
			Method: r.Method, Setting: r.Setting, Note: r.Note, Cost: Number(r.Cost), Error: Number(r.Error), MarginalError: Number(r.MarginalError),
			Setup: Number(r.Setup), Solve: Number(r.Solve), Iterations: r.Iterations, Bytes: r.PeakBytes, Moves: b.paths[i] != nil,
		})
		if st.Reference == "" && (r.Method == job.Dense || r.Method == job.Exact) && !math.IsNaN(r.Cost) {
			st.Reference = r.Method
		}
	}
	return st
}

// Plan names a plan that has been found: a row of the comparison with dense or, Compared, of the comparison of all methods.
type Plan struct {
	Compared bool
	Row      int
}

// paths are those of a plan's mass, nil where there are none.
func (s *Scene) paths(of Plan) *paths {
	list := s.Transport.comparison.paths
	if of.Compared {
		list = s.Benchmark.paths
	}
	if of.Row < 0 || of.Row >= len(list) {
		return nil
	}
	return list[of.Row]
}
