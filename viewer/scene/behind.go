package scene

import "genussink/core/job"

// Automatic is the method that answers at once, by an estimate where nothing else is as quick, and follows the brush.
// Behind that answer a more exact one is computed, which takes its place.
const Automatic = "auto"

// behindSeconds is how many seconds the answer behind the quick one may be expected to take without being asked for.
const behindSeconds = 10.0

func (s *Scene) automatic() bool { return s.transport.Method == Automatic }

// due solves what has changed once it has settled: dt seconds have passed. The automatic method goes on while the brush
// moves, one solve and its first paths at a time, always of the latest densities.
func (s *Scene) due(dt float64) {
	if s.settle <= 0 || s.mesh == nil || s.flight[toOpen] != 0 || s.flight[toMeasure] != 0 {
		return
	}
	if s.automatic() {
		if s.flight[toSolve] != 0 || s.brush.active && s.flight[toFlow] != 0 {
			return
		}
	} else if s.brush.active || s.flight[toSeparate] != 0 {
		return
	}
	if s.settle -= max(dt, atOnce); s.settle > 0 {
		return
	}
	s.settle = 0
	// What cannot be solved the panel explains, without an alert.
	if !(s.dens.mass(sourceSide) > 0 && s.dens.mass(targetSide) > 0) || s.unequal() != nil {
		return
	}
	if s.brush.active {
		s.ask(Patience)
	} else {
		s.Solve()
	}
}

// onward goes on to what waits for mass to move: the separator tree, which the picture shows, then behind an estimate the
// exact answer where that takes little time.
func (s *Scene) onward() {
	if s.mesh == nil || s.flight[toOpen] != 0 || s.flight[toMeasure] != 0 || s.flight[toSolve] != 0 || s.flight[toFlow] != 0 || s.settle > 0 || s.brush.active {
		return
	}
	if s.later && s.drawn == s.meshRev {
		s.separate()
	}
	if s.Estimated() && !s.refined && !s.retried["behind"] && s.flight[toRefine] == 0 && s.solvedAs.Accuracy > 0 {
		s.refined = true
		s.askBehind("exact", behindSeconds)
	}
}

// Drawn says that the mesh is in the picture. What takes long begins then: where processors are few the picture would wait for it.
func (s *Scene) Drawn() {
	if s.drawn == s.meshRev {
		return
	}
	s.drawn = s.meshRev
	if s.later && !s.automatic() {
		s.separate()
		return
	}
	s.onward()
}

// unrefined begins the sentence on why an estimate stays one.
const unrefined = "No more exact answer: "

// quantized is the method whose cost is an estimate.
const quantized = "quantized"

// Exact asks for the exact answer in place of an estimate, however long it takes.
func (s *Scene) Exact() {
	if s.Estimated() {
		clear(s.retried)
		s.endBehind()
		s.forecast = nil
		s.askBehind("exact", 0)
	}
}

// Estimated says whether the answer shown is the automatic method's, and an estimate.
func (s *Scene) Estimated() bool {
	return s.automatic() && s.result != nil && s.result.Method == quantized && !s.stale && s.flight[toOpen] == 0
}

func (s *Scene) askBehind(method string, patience float64) {
	body := s.problem(method, patience)
	body.Warm = s.exact != nil && s.exact.Epsilon == body.Epsilon
	s.flight[toRefine] = s.send(body)
	s.stage, s.fraction = "solve", 0
}

// instead asks for what takes less time than the exact answer: certified or, where that takes long too, one by an estimate
// that is within the usual accuracy.
func (s *Scene) instead(asked *job.Solve, e *job.Forecasted) {
	if asked.Method != "exact" {
		return
	}
	for _, o := range e.Others {
		if o.Method == "certified" && o.Seconds <= behindSeconds && o.Bytes <= e.Limit {
			s.askBehind(o.Method, behindSeconds)
			return
		}
	}
	s.askBehind(Automatic, behindSeconds)
}

// endBehind ends the work on a more exact answer: another problem is to be solved.
func (s *Scene) endBehind() {
	s.drop(s.flight[toRefine])
	s.flight[toRefine] = 0
}
