package scene

import (
	"math"
	"slices"

	"genussink/core/job"
)

// Automatic is the method that answers at once, if need be with an estimate, and follows the brush; exact comes behind it where
// that does not take long.
const Automatic = "auto"

const (
	behindSeconds   = 10  // that exact may be expected to take behind an answer at once; else that is made as accurate as a tenth of a percent
	strokeParticles = 300 // drawn while the brush moves
)

// estimated says whether a request takes whatever answer is quickest.
func estimated(b *job.Solve) bool { return b.Method == Automatic && math.IsInf(b.Accuracy, 1) }

// onward begins what waits for mass to move: the separator tree, then the exact answer behind an estimate.
func (s *Scene) onward() {
	if s.mesh == nil || s.opening != 0 || s.flight.measure != 0 || s.flight.solve != 0 || s.flight.flow != 0 || s.settle > 0 || s.brush.active {
		return
	}
	if s.later {
		s.later = false
		s.separate()
		return
	}
	if s.flight.separate != 0 || s.flight.behind != 0 || s.result == nil || s.stale || s.asked != nil ||
		s.transport.Method != Automatic || s.solvedAs == nil || !estimated(s.solvedAs) || s.result.Method == "support" || s.result.Method == "exact" {
		return
	}
	s.endPolish()
	s.behind("exact")
}

// behind asks for a better answer than the estimate that is shown.
func (s *Scene) behind(method string) {
	s.asked = &job.Solve{
		Source: s.dens.values[sourceSide], Target: s.dens.values[targetSide],
		Epsilon: s.transport.Epsilon, Method: method, Kernel: s.transport.Kernel, Patience: behindSeconds,
	}
	s.flight.behind = s.send(s.asked)
}

// leaveBehind gives up the answer behind an estimate.
func (s *Scene) leaveBehind() {
	s.drop(s.flight.behind)
	s.flight.behind, s.asked = 0, nil
}

// follow solves what the brush has painted so far, the latest at a time: while one answer is on its way the next waits.
func (s *Scene) follow() {
	b := &s.brush
	if !b.active || !b.painted || s.transport.Method != Automatic || s.flight.solve != 0 || s.flight.flow != 0 || s.flight.separate != 0 ||
		s.dens.mass(sourceSide) <= 0 || s.dens.mass(targetSide) <= 0 || s.unequal() != nil {
		return
	}
	b.painted = false
	s.forecast = nil
	s.flight.solve = s.send(&job.Solve{
		Source: slices.Clone(s.dens.values[sourceSide]), Target: slices.Clone(s.dens.values[targetSide]), // the stroke goes on
		Epsilon: s.transport.Epsilon, Method: Automatic, Accuracy: math.Inf(1), Kernel: s.transport.Kernel,
	})
}
