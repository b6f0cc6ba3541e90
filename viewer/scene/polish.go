package scene

import "genussink/core/job"

// refineSeconds is how long the cost on true distances is refined while nobody asks for anything.
const refineSeconds = 30

// askPolish asks what the plan costs on true distances, once mass moves: first as
// long as a quarter of the solve took, then, while nothing else is wanted, until that is known well enough.
func (s *Scene) askPolish() {
	r := s.result
	if s.mesh == nil || s.flight[toOpen] != 0 || s.flight[toSolve] != 0 || s.flight[toPolish] != 0 || s.stale || s.brush.active || r == nil {
		return
	}
	switch r.Method {
	case "certified", "embedded", "sampled":
	default:
		return // its cost is on true distances
	}
	switch p := r.Polished; {
	case p == nil:
		s.flight[toPolish] = s.send(&job.Polish{})
	case p.Refining:
		p.Refining = false
	case p.Why == "" && !p.Known && p.High-p.Low > polishEnough*p.Cost:
		p.Refining = true
		s.flight[toPolish] = s.send(&job.Polish{Seconds: refineSeconds})
	}
}

// polishEnough is what share of the cost its interval need not be narrower than.
const polishEnough = 1e-5

// polished takes what is known of the cost on true distances.
func (s *Scene) polished(e job.Estimate, why string) bool {
	if s.result == nil {
		return false
	}
	if why == "" && !(e.Low <= e.Cost && e.Cost <= e.High) {
		return false
	}
	before := s.result.Polished
	s.result.Polished = &Polished{
		Cost: finite(e.Cost), Low: finite(e.Low), High: finite(e.High), Rows: e.Rows, Of: e.Of, Pairs: e.Pairs, Known: e.Known,
		Why: why, Refining: before != nil && before.Refining,
	}
	return true
}

// endPolish ends the search for the cost on true distances: the plan is about to change.
func (s *Scene) endPolish() {
	s.drop(s.flight[toPolish])
	s.flight[toPolish] = 0
	if s.result != nil && s.result.Polished != nil {
		s.result.Polished.Refining = false
	}
}
