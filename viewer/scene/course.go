package scene

import (
	"math"
	"slices"

	"genussink/core/job"
	"genussink/core/paint"
	"genussink/viewer/timeline"
)

// What happens by itself: what is asked for when something else has come, and what passes with time.

// separate asks for the separator tree.
func (s *Scene) separate(patience float64) {
	s.Transport.forecast = nil
	s.send(toSeparate, s.Separation.request(patience))
}

// sweep asks for the Pareto list of cuts: the separator's size against its balance.
func (s *Scene) sweep() {
	s.send(toSweep, &job.Sweep{})
	s.stage, s.fraction = "sweep", 0
}

// next solves a new mesh once its densities are there. Methods other than automatic wait for the separator tree too.
func (s *Scene) next() {
	automatic := s.Transport.automatic()
	tree := automatic || !s.Separation.due && !s.flight.has(toSeparate) && !s.Separation.waits() && s.Transport.forecast == nil
	if tree && !s.flight.has(toOpen, toMeasure, toSolve) && s.Transport.solved == nil && s.Transport.settle == 0 && s.failure == "" && s.solvable() {
		s.Solve()
	}
}

// solvable says whether both densities have mass, the same in every component, and room to move.
func (s *Scene) solvable() bool {
	return s.Densities.full() && s.unequal() == nil && s.Mesh.Radius > 0
}

// due solves what has changed once it has settled: dt seconds have passed. The automatic method goes on while the brush
// moves, one solve and its first paths at a time, always of the latest densities.
func (s *Scene) due(dt float64) {
	t := &s.Transport
	if t.settle <= 0 || !s.ready() || s.flight.has(toMeasure) {
		return
	}
	if t.automatic() {
		if s.flight.has(toSolve) || s.Brush.painting() && s.flight.has(toFlow) {
			return
		}
	} else if s.Brush.painting() || s.flight.has(toSeparate) {
		return
	}
	if t.settle -= max(dt, atOnce); t.settle > 0 {
		return
	}
	t.settle = 0
	switch { // what cannot be solved the panel explains, without an alert
	case !s.solvable():
	case s.Brush.painting():
		s.ask(Patience)
	default:
		s.Solve()
	}
}

// onward goes on to what waits for mass to move: the separator tree, which the picture shows, then behind an estimate the
// exact answer where that takes little time.
func (s *Scene) onward() {
	t := &s.Transport
	if !s.ready() || s.flight.has(toMeasure, toSolve, toFlow) || t.settle > 0 || s.Brush.painting() {
		return
	}
	if s.Separation.due && s.Mesh.drawn == s.Mesh.revision {
		s.separate(Patience)
	}
	if s.Estimated() && !t.refined && !s.flight.retried[toRefine] && !s.flight.has(toRefine) && t.asked.Accuracy > 0 {
		t.refined = true
		s.askBehind(job.Exact, behindSeconds)
	}
}

// idle asks for what makes the picture better, once nothing has been under way for a while.
func (s *Scene) idle(dt float64) {
	busy := s.Mesh.drawn != s.Mesh.revision || s.Transport.settle > 0 || s.Separation.due || s.Brush.active ||
		s.flight.has(toOpen, toSolve, toSeparate, toMeasure, toSweep, toRefine, toBarycentre, toRemember, toFlow, toExamine, toPolish, toMatrix, toDecompose, toInspect)
	if s.idled += dt; busy {
		s.giveWay()
	}
	if s.idled > idleSeconds {
		s.Shade()
		s.seekMirror()
	}
}

// giveWay ends what nobody waits for. It is asked for again once nothing has been under way for a while.
func (s *Scene) giveWay() {
	s.idled = 0
	s.flight.drop(toShade)
	if s.flight.drop(toMirror) {
		s.Mesh.mirror = nil
	}
}

// seekMirror asks once whether the mesh mirrors onto itself.
func (s *Scene) seekMirror() {
	if s.ready() && s.Mesh.mirror == nil && s.Mesh.Vertices() > 0 && !s.flight.has(toMirror, toShade) {
		s.Mesh.mirror = &job.Mirrored{}
		s.send(toMirror, &job.Mirror{})
	}
}

// twin is the vertex to which a stroke at another vertex is mirrored, -1 for none.
func (s *Scene) twin(vertex int32) int32 {
	if of := s.Mesh.mirror; s.Brush.mirrored && vertex >= 0 && of != nil && of.Axis != "" {
		return of.Partners[vertex]
	}
	return -1
}

// Drawn says that the mesh is in the picture. What takes long begins then: where processors are few the picture would wait for it.
func (s *Scene) Drawn() {
	if s.Mesh.drawn == s.Mesh.revision {
		return
	}
	s.Mesh.drawn = s.Mesh.revision
	if s.Separation.due && !s.Transport.automatic() {
		s.separate(Patience)
		return
	}
	s.onward()
}

func (s *Scene) solveWithin(patience float64) {
	s.endStroke() // what is handed out must not be painted on
	s.failure = ""
	s.changed()
	s.Transport.settle = 0
	if !s.ready() {
		return
	}
	if !s.Densities.full() {
		s.failure = "Paint a source and a target first: each needs some mass."
		return
	}
	if u := s.unequal(); u != nil {
		s.failure = u.Sentence()
		return
	}
	s.drop(toSolve)
	s.drop(toRefine)
	s.Transport.endForecast()
	s.endPolish()
	s.ask(patience)
}

// ask sends the solve.
func (s *Scene) ask(patience float64) {
	s.drop(toFlow)
	body := s.Transport.problem(s.handed(), s.Transport.method, patience)
	if body.Warm = s.Transport.warm(); s.Transport.automatic() {
		body.Accuracy = math.Inf(1)
	}
	s.send(toSolve, body)
	s.stage, s.fraction = "solve", 0
}

// askBehind asks for another answer behind the quick one.
func (s *Scene) askBehind(method string, patience float64) {
	body := s.Transport.problem(s.handed(), method, patience)
	body.Warm = s.Transport.exact != nil && s.Transport.exact.Epsilon == body.Epsilon
	s.send(toRefine, body)
	s.stage, s.fraction = "solve", 0
}

// handed are the densities to hand out. A stroke's, which go on to change, are copied.
func (s *Scene) handed() paint.Pair {
	p := s.Densities.values
	if s.Brush.painting() {
		p[sourceSide], p[targetSide] = slices.Clone(p[sourceSide]), slices.Clone(p[targetSide])
	}
	return p
}

// soon marks the answer stale and solves by itself when changes have settled.
func (s *Scene) soon() {
	s.flight.retried = [kindCount]bool{}
	s.endPolish()
	s.drop(toRefine)
	s.forgetIterations()
	s.ShowBlock(-1)
	s.Transport.change()
	s.changed()
}

// askFlow asks for the paths of the plan's mass.
func (s *Scene) askFlow() {
	if !s.ready() || s.Transport.solved == nil {
		return
	}
	s.drop(toFlow)
	count := Particles
	if s.Brush.painting() {
		count = strokeParticles
	}
	s.send(toFlow, s.Playback.request(count))
}

// askPolish asks what the plan costs on true distances, once mass moves.
func (s *Scene) askPolish() {
	if !s.ready() || s.flight.has(toSolve, toPolish, toMatrix) || s.Transport.stale || s.Brush.painting() || s.Transport.solved == nil {
		return
	}
	if p := s.Transport.polish(); p != nil {
		s.send(toPolish, p)
	}
}

// endPolish ends the search for the cost on true distances: the plan is about to change.
func (s *Scene) endPolish() {
	s.drop(toPolish)
	s.Transport.refining = false
}

// askPartners asks for the partners of the focused or hovered vertex. One
// request is under way at a time; the next one is for the latest vertex.
func (s *Scene) askPartners() {
	t, v := &s.Transport, s.Inspection.vertex()
	s.Brush.preview = s.Inspection.hover
	s.pumpBrush()
	if t.partners != nil && t.partners.Vertex != v {
		t.partners = nil
		s.overlay++
	}
	if v < 0 || s.Brush.tool.Brush() || t.partners != nil || t.solved == nil || s.flight.has(toPartners, toSolve, toOpen) {
		return
	}
	s.send(toPartners, &job.Partners{Vertex: v, Top: topPartners})
}

// pumpBrush sends the next brush request if none is under way.
func (s *Scene) pumpBrush() {
	if s.Brush.shape != ShapeDisc && s.ready() {
		s.outline()
		return
	}
	for s.ready() && !s.flight.has(toBrush) {
		ask, ball := s.Brush.next(s.Mesh.Mesh)
		if ask != nil {
			s.flight.send(toBrush, ask) // a preview is no news for the panel
		}
		if ball == nil {
			return
		}
		s.dab(ball)
		s.finishStroke()
	}
}

// dab lays one ball of the stroke on.
func (s *Scene) dab(e *job.Brushed) {
	stroke := s.Brush.stroke
	if stroke == nil {
		s.selected(e.Vertices)
		return
	}
	stroke.Dab(e, s.Brush.at.pressure)
	s.Densities.painted(stroke.Now)
	s.recolor(false)
	s.changed()
	if s.Transport.automatic() {
		s.soon()
		s.due(0)
	}
}

// finishStroke closes a released stroke once its last dab is painted.
func (s *Scene) finishStroke() {
	if s.Brush.done() {
		s.endStroke()
	}
}

// endStroke closes the stroke now; dabs that are not back yet are lost.
func (s *Scene) endStroke() {
	if !s.Brush.active {
		return
	}
	if before, stroke := s.Brush.end(); stroke != nil {
		s.Densities.values = before
		s.Densities.become(pair{values: stroke.Now}, stroke.Step)
		s.repainted()
	}
	s.changed()
}

// repainted follows every finished change of the densities.
func (s *Scene) repainted() {
	s.status = ""
	s.ShowBarycentre(false)
	s.Densities.remaking = nil // one that was cancelled while it was made anew
	if s.Densities.mass(sourceSide) <= 0 || s.Densities.mass(targetSide) <= 0 {
		s.drop(toFlow)
		s.Playback.clear(s.clock)
	}
	s.recolor(true)
	s.soon()
}

// studied draws anew if the treewidth's revision is no longer the one before.
func (s *Scene) studied(before int) {
	if s.Treewidth.revision != before {
		s.overlay++
		s.recolor(true)
		s.changed()
	}
}

// Played says whether anything is played: what it shows changes with time.
func (s *Scene) Played() bool {
	return s.Playback.line.Playing() || s.Separation.timeline.Playing() || s.Treewidth.timeline.Playing() || s.Iterations.timeline.Playing() || s.Inspection.front.timeline.Playing()
}

// Tick lets dt seconds pass: playback, easing, the solve after a repaint.
func (s *Scene) Tick(dt float64) {
	if !(dt > 0) {
		return
	}
	s.clock += dt
	if s.Playback.frame(s.clock) {
		s.changed()
	}
	if s.flight.has(toDecompose) && s.Treewidth.search(dt) {
		s.changed()
	}
	dt = min(dt, 0.25) // a page that slept does not jump
	s.View.camera.Tick(dt)
	if s.Treewidth.timeline.Tick(dt) {
		s.Eliminate(func(*timeline.Timeline) {})
	}
	s.Separation.tick(dt)
	if s.Iterations.timeline.Tick(dt) {
		s.Iterate(func(*timeline.Timeline) { s.Iterations.look() })
	}
	if s.Inspection.front.timeline.Tick(dt) {
		s.Spread(func(*timeline.Timeline) {})
	}
	if p := &s.Playback; p.line.Playing() {
		if p.tick(dt) {
			s.changed()
		}
		if p.mass == MassDensity && s.View.looks.Flow {
			s.recolor(false)
		}
	}
	if at := s.Showing().Mass; at != s.colors.was {
		s.colors.was = at
		s.recolor(true)
		s.changed()
	}
	s.freshen()
	if s.Mesh.ready() {
		s.colors.tick(dt)
		s.Mesh.tick(dt)
	}
	s.followMatrix()
	s.due(dt)
	s.idle(dt)
}
