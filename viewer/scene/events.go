package scene

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"genussink/core/job"
	"genussink/core/paint"
	"genussink/core/session"
)

// Handle takes an answer of the engine. An id that is not awaited (cancelled,
// or of a mesh that is gone) is ignored.
func (s *Scene) Handle(ev job.Event) {
	asked, ok := s.pending[ev.ID]
	if !ok {
		return
	}
	if p, ok := ev.Body.(*job.Progress); ok {
		if ev.ID == s.flight[toExamine] {
			return // beside what the status line is about
		}
		if ev.ID == s.flight[toStudy] {
			s.study.stage = p.Stage
			s.changed()
			return
		}
		if ev.ID == s.flight[toPolish] {
			return // it goes on while nobody waits
		}
		s.stage, s.fraction = p.Stage, min(max(finite(p.Fraction), 0), 1)
		s.changed()
		return
	}
	if n, ok := ev.Body.(*job.Narrowed); ok {
		s.changed()
		if ev.ID == s.flight[toStudy] && !s.narrowed(n) {
			s.malformed("Narrowed")
		}
		return
	}
	if f, ok := ev.Body.(*job.Flowing); ok {
		s.changed()
		if !s.flowing(f) {
			s.malformed("Flowing")
		}
		return
	}
	if e, ok := ev.Body.(*job.Polishing); ok {
		s.changed()
		if !s.polished(e.Estimate, "") {
			s.malformed("Polishing")
		}
		return
	}
	if o, ok := ev.Body.(*job.Opened); ok {
		s.changed()
		if ev.ID == s.flight[toOpen] && !s.opened(ev.ID, o) {
			s.malformed("Opened")
		}
		return
	}
	delete(s.pending, ev.ID)
	s.changed()
	switch e := ev.Body.(type) {
	case *job.Loaded:
		if !s.loaded(ev.ID, e) {
			s.malformed("Loaded")
			return
		}
	case *job.Separated:
		s.flight[toSeparate] = 0
		if !s.separated(e) {
			s.malformed("Separated")
		}
		s.next()
	case *job.Swept:
		s.flight[toSweep] = 0
		if !s.sweptUp(e) {
			s.malformed("Swept")
		}
	case *job.Decomposed:
		s.flight[toStudy] = 0
		if !s.decomposed(e) {
			s.malformed("Decomposed")
		}
	case *job.Measured:
		s.flight[toMeasure] = 0
		if !s.measured(e, asked) {
			s.malformed("Measured")
		}
		s.next()
	case *job.Painted:
		s.flight[toMeasure] = 0
		if !s.painted(e, asked) {
			s.malformed("Painted")
		}
		s.next()
	case *job.Brushed:
		s.brushed(e)
	case *job.Path:
		s.flight[toWalk] = 0
		s.pathFound(e)
	case *job.Solved:
		if ev.ID == s.flight[toRefine] {
			s.exact = asked.(*job.Solve)
			delete(s.retried, "behind")
		}
		s.refined = false
		s.ended(asked, ev.ID)
		s.solvedAs = asked.(*job.Solve)
		s.solved(e)
		if !s.brush.active { // of a stroke under way nobody will compare
			s.comparison.solved(s.solvedAs, e)
		}
	case *job.Partnered:
		s.partnerPending = false
		if len(e.Mass) == len(e.Vertices) {
			s.partners = e
			s.overRev++
		}
		s.askPartners()
	case *job.Flowed:
		s.flight[toFlow] = 0
		delete(s.retried, "solve") // the new plan works
		if s.play.complete = !s.play.former && e.Particles == len(s.play.cursor); !s.play.complete {
			s.malformed("Flowed")
		}
		s.askPolish()
		s.due(0)
	case *job.Polished:
		s.comparison.polished(e.Timings)
		s.flight[toPolish] = 0
		if !s.polished(e.Estimate, e.Why) {
			s.malformed("Polished")
		}
		s.askPolish()
	case *job.Forecasted:
		s.forecasted(asked, ev.ID, e)
	case *job.Failed:
		s.failed(asked, ev.ID, e)
	case *job.Cancelled:
		s.ended(asked, ev.ID)
	}
	s.ledger.note(ev.Body)
	s.onward()
}

func (s *Scene) malformed(what string) {
	s.failure = "The engine's answer " + what + " does not fit the mesh; please open the mesh again."
}

// ended forgets a request that has no result.
func (s *Scene) ended(asked job.Body, id uint32) {
	s.flight.ended(id)
	switch asked.(type) {
	case *job.Brush:
		s.brush.inFlight, s.brush.dab = 0, false
		s.finishStroke()
		s.pumpBrush()
	case *job.Partners:
		s.partnerPending = false
	case *job.Sweep:
		if s.wanted != (session.Cut{}) { // the tree waited for the list
			s.wanted = session.Cut{}
			s.separate()
		}
	case *job.Distance:
		if s.path != nil && !s.path.Known {
			s.path = nil
			s.overRev++
		}
	}
}

func (s *Scene) failed(asked job.Body, id uint32, e *job.Failed) {
	behind := id == s.flight[toRefine]
	s.ended(asked, id)
	died := e.Kind == "crash" || e.Kind == "exhausted"
	if behind { // the quick answer stands
		if died && !s.retried["behind"] {
			s.retried["behind"] = true
			solve := asked.(*job.Solve)
			s.askBehind(solve.Method, solve.Patience)
			return
		}
		s.status = unrefined + e.Message
		return
	}
	if died && s.again(asked) {
		return
	}
	var what string
	switch a := asked.(type) {
	case *job.Load:
		what = "Could not open " + a.Name
	case *job.Generate:
		what = "Could not make " + a.Kind
	case *job.Separate:
		what = "Could not separate the mesh"
	case *job.Sweep:
		what = "Could not list separators"
	case *job.Decompose:
		what = "The search for the treewidth stopped"
	case *job.Measure:
		what = "Could not make the densities"
	case *job.Balance:
		what = "Could not balance the masses"
	case *job.Paint:
		what = "Could not paint the densities again"
		s.painting = nil
		s.begin()
	case *job.Solve:
		what = "Could not solve"
	case *job.Flow:
		what = "Could not draw the paths"
	case *job.Polish:
		what = "Could not find the cost on true distances"
	case *job.Distance:
		what = "Could not measure the path"
	case *job.Brush, *job.Partners:
		if !died {
			return // a preview that is not there says enough
		}
		what = "The brush stopped"
	default:
		what = "Something failed"
	}
	s.failure = what + ": " + e.Message
	switch e.Kind {
	case "crash":
		s.failure += " Please try again."
	case "exhausted":
		switch asked.(type) {
		case *job.Solve:
			s.failure += " A larger epsilon takes less, and the method quantized the least."
		case *job.Load, *job.Generate:
			s.failure += " A smaller mesh may fit."
		}
	}
	s.next()
}

// again asks once more for what a Worker took with it when it died, and says
// false where it has died of that before, or where nobody can ask again.
func (s *Scene) again(asked job.Body) bool {
	var kind string
	within := 0.0 // a plan that was there may take as long again
	switch a := asked.(type) {
	case *job.Separate:
		kind = "separate"
	case *job.Measure, *job.Paint:
		kind = "measure"
	case *job.Solve:
		kind, within = "solve", a.Patience
	case *job.Flow:
		return true // the plan is gone too: see Replaced
	case *job.Partners, *job.Polish:
		kind = "question" // the plan is gone, and it may die of the same one again
	default:
		return false
	}
	if s.retried[kind] {
		return false
	}
	switch kind {
	case "separate":
		s.separate()
	case "measure":
		s.flight[toMeasure] = s.send(asked)
	case "solve":
		s.solveWithin(within)
	}
	s.retried[kind] = true
	return true
}

// Replaced says that a Worker died and that another is in its place, after its
// requests have failed. With the one that held the plan the plan is gone: it is
// solved anew, once, unless the person has asked for something since.
func (s *Scene) Replaced(plan bool) {
	if !strings.HasPrefix(s.status, unrefined) {
		s.status = "A background program stopped and was replaced."
	}
	s.changed()
	if !plan || s.result == nil || s.flight[toOpen] != 0 || s.flight[toSolve] != 0 || s.brush.active || s.settle > 0 || s.failure != "" {
		return
	}
	s.partners = nil
	if !s.again(&job.Solve{}) {
		s.failure = "The background program stopped again and was replaced; press Solve to try once more."
	}
}

// opened shows a mesh whose topology is still being examined: the rest of the answer with that id.
func (s *Scene) opened(id uint32, e *job.Opened) bool {
	m, ok := newMesh(e.Positions, e.Faces, e.Edges)
	if !ok {
		s.flight[toOpen] = 0
		delete(s.pending, id)
		return false
	}
	examined := s.pending[id]
	s.show(m, MeshState{Name: e.Name, Format: e.Format, Faces: len(e.Faces) / 3, Diagonal: finite(e.Diagonal), Flat: e.Flat, Laid: laid(e.Timings)})
	s.pending[id], s.flight[toExamine] = examined, id
	return true
}

// laid says whether the engine found positions for vertices that had none.
func laid(stages []job.Timing) bool {
	return slices.ContainsFunc(stages, func(t job.Timing) bool { return t.Stage == "layout" })
}

// loaded takes what is to be known of a mesh, and shows it unless it is shown already.
func (s *Scene) loaded(id uint32, e *job.Loaded) bool {
	if id != s.flight[toExamine] {
		s.flight[toOpen] = 0
		m, ok := newMesh(e.Positions, e.Faces, e.Edges)
		if !ok {
			return false
		}
		s.show(m, MeshState{Name: e.Name, Format: e.Format, Flat: e.Flat, Laid: laid(e.Timings)})
	}
	s.flight[toExamine] = 0
	parts, ok := newComponents(e.Component, s.mesh.Vertices())
	if !ok {
		return false
	}
	parts.largest = s.components.largest
	s.components = parts
	r, m := e.Report, &s.meta
	m.Examined, m.Vertices, m.Faces, m.Edges = true, r.Vertices, r.Faces, r.Edges
	m.Genus, m.Euler, m.Pieces, m.Loops = r.Genus, r.Euler, r.Components, r.BoundaryLoops
	m.BadEdges, m.BadVerts, m.BadFaces, m.Isolated = r.NonmanifoldEdges, r.NonmanifoldVertices, r.DegenerateFaces, r.IsolatedVertices
	m.EdgeMin, m.EdgeMean, m.EdgeMax, m.Diagonal = finite(r.EdgeMin), finite(r.EdgeMean), finite(r.EdgeMax), finite(r.Diagonal)
	m.Tight, m.Oriented, m.Warnings = r.Watertight, r.Oriented, append(append([]string{}, r.Warnings...), s.odd...)
	if s.wanted != (session.Cut{}) { // a link's cut, of which meshes of several components have none
		if m.Pieces == 1 {
			s.sweep()
		} else {
			s.wanted = session.Cut{}
			s.separate()
		}
	}
	return true
}

// show puts a mesh in the place of the one before, and asks for its separators and densities.
func (s *Scene) show(m *Mesh, meta MeshState) {
	s.flight[toOpen] = 0
	meta.Vertices, meta.Edges, meta.Graph = m.Vertices(), len(m.edges)/2, m.Graph()
	meta.Warnings, meta.Reference = []string{}, s.openFrom.reference
	s.mesh, s.meta, s.forecast = m, meta, nil
	s.load = s.openLoad
	s.source = s.openFrom
	s.meshRev++
	s.overRev++
	// Whatever is still on its way concerns the old mesh.
	clear(s.pending)
	s.sep, s.levels, s.cell, s.swept, s.taken, s.wanted = nil, nil, -1, nil, -1, session.Cut{}
	s.study.reset()
	s.dens.reset(m.Vertices())
	s.components = components{count: 1} // until the mesh is examined
	b := &s.brush
	b.inFlight, b.dab, b.ball, b.ring, b.active, b.line, b.preview = 0, false, nil, nil, false, nil, -1
	s.result, s.stale, s.settle, s.later = nil, false, 0, false
	s.play.reset()
	s.play.opened = s.clock
	s.hover, s.focus, s.partners, s.partnerPending = -1, -1, nil, false
	s.path, s.pathLine = nil, nil
	s.ledger, s.comparison, s.solvedAs, s.exact = nil, comparison{}, nil, nil
	s.status = ""
	s.odd, s.linked = nil, 0
	clear(s.retried)
	s.cam.Set(s.viewpoint(meta.Flat).Fitted(m.Radius))
	sn := s.source.session
	if s.source.session = nil; sn != nil {
		s.resume(sn)
	}
	s.colors.reset()
	s.recolor(false)
	s.flight = flight{}
	if m.Vertices() > 0 {
		if s.wanted == (session.Cut{}) {
			s.later = true
		}
		if s.painting = nil; sn != nil && sn.Painting != nil {
			s.painting = sn.Painting
			s.flight[toMeasure] = s.send(s.painting.Request())
		} else {
			s.begin()
		}
		s.play.start = !s.view.ReducedMotion
	}
}

// begin asks for the densities that a mesh begins with.
func (s *Scene) begin() { s.flight[toMeasure] = s.send(&job.Measure{Preset: session.First}) }

// next solves a new mesh once its densities are there. Methods other than automatic wait for the separator tree too.
func (s *Scene) next() {
	if (s.automatic() || !s.later && s.flight[toSeparate] == 0 && s.wanted == (session.Cut{})) && s.flight[toMeasure] == 0 && s.flight[toSolve] == 0 && s.flight[toOpen] == 0 &&
		s.result == nil && s.settle == 0 && s.failure == "" && (s.forecast == nil || s.automatic()) &&
		s.dens.mass(sourceSide) > 0 && s.dens.mass(targetSide) > 0 && s.unequal() == nil {
		s.Solve()
	}
}

func (s *Scene) separated(e *job.Separated) bool {
	levels, ok := checkTree(e, s.mesh.Vertices())
	if !ok {
		return false
	}
	s.sep, s.levels, s.cell = e, levels, -1
	s.level = s.clampLevel(s.level)
	if s.linked > s.level {
		s.warnOfLink(fmt.Sprintf("The link's separator level is %d, the deepest here is %d.", s.linked, s.level))
	}
	s.linked = 0
	s.colors.tree(e)
	s.overRev++
	s.recolor(true)
	return true
}

// checkTree makes sure that drawing a tree cannot run out of its bounds, and
// sums up its levels.
func checkTree(e *job.Separated, n int) ([]LevelState, bool) {
	if len(e.Cells) != n || len(e.Nodes) == 0 && n > 0 {
		return nil, false
	}
	levels := []LevelState{}
	for i, node := range e.Nodes {
		if i == 0 && node.Parent != -1 || i > 0 && (node.Parent < 0 || int(node.Parent) >= i) {
			return nil, false
		}
		if i == 0 && node.Depth != 0 || i > 0 && node.Depth != e.Nodes[node.Parent].Depth+1 {
			return nil, false
		}
		for _, c := range []int32{node.Left, node.Right} {
			if c != -1 && (int(c) <= i || int(c) >= len(e.Nodes)) {
				return nil, false
			}
		}
		if node.Left == -1 && node.Right == -1 {
			continue
		}
		for len(levels) <= int(node.Depth) {
			levels = append(levels, LevelState{Level: len(levels)})
		}
		l := &levels[node.Depth]
		l.Nodes++
		l.A += int(node.A)
		l.S += int(node.S)
		l.B += int(node.B)
		l.MaxS = max(l.MaxS, int(node.S))
	}
	for _, c := range e.Cells {
		if c < 0 || int(c) >= len(e.Nodes) {
			return nil, false
		}
	}
	return levels, true
}

func (s *Scene) measured(e *job.Measured, asked job.Body) bool {
	if !s.fits(e) {
		return false
	}
	p := pair{values: paint.Pair{e.Source, e.Target}, preset: e.Preset, note: e.Note}
	step := job.Step{Kind: job.StepBalance}
	m, preset := asked.(*job.Measure)
	if preset {
		step = job.Step{Kind: job.StepMeasure, Measure: *m}
	}
	if preset && s.result == nil && len(s.dens.undo) == 0 && s.dens.mass(sourceSide) == 0 && s.dens.mass(targetSide) == 0 {
		p.recipe = []job.Step{step}
		s.dens.pair, s.dens.kept = p, nil // the first pair: nothing is lost by it
		s.recolor(true)
		return true
	}
	s.endStroke()
	s.dens.become(p, step)
	s.repainted()
	return true
}

// fits says whether densities are some of this mesh.
func (s *Scene) fits(e *job.Measured) bool {
	n := s.mesh.Vertices()
	if len(e.Source) != n || len(e.Target) != n {
		return false
	}
	for k := range e.Source {
		if a, b := e.Source[k], e.Target[k]; !(a >= 0 && b >= 0) || math.IsInf(a, 0) || math.IsInf(b, 0) {
			return false
		}
	}
	return true
}

// painted takes the densities of a painting that was made anew, and the way
// back and forth as it was.
func (s *Scene) painted(e *job.Painted, asked job.Body) bool {
	p, ok := asked.(*job.Paint)
	if !ok || s.painting == nil || len(e.States) != len(p.Steps)-p.First+1 {
		return false
	}
	now := s.painting.Now
	s.painting = nil
	states := make([]pair, 0, len(e.States))
	recipe := p.Steps[session.Since(p.Steps[:p.First]):p.First]
	for i := range e.States {
		state := &e.States[i]
		if !s.fits(state) {
			return false
		}
		if i > 0 {
			step := p.Steps[p.First+i-1]
			recipe = extend(recipe, step, paint.Pair{state.Source, state.Target})
		}
		states = append(states, pair{paint.Pair{state.Source, state.Target}, state.Preset, state.Note, recipe})
	}
	at := now - p.First
	s.dens.undo, s.dens.pair, s.dens.kept = states[:at:at], states[at], nil
	s.dens.redo = states[at+1:]
	slices.Reverse(s.dens.redo)
	s.recall()
	s.recolor(true)
	return true
}

func (s *Scene) solved(e *job.Solved) {
	s.result = &ResultState{
		Method: e.Method, Requested: e.Requested, Note: e.Note, Kernel: e.Kernel, Form: e.Form, Status: e.Status,
		Epsilon: finite(e.Epsilon), Precision: e.Precision, Delta: Number(e.Delta), Bound: Number(e.Bound), Iterations: e.Iterations, MarginalError: finite(e.MarginalError),
		Cost: finite(e.Cost), LowerBound: Number(e.LowerBound), Primal: finite(e.Primal), Dual: finite(e.Dual), Gap: finite(e.Gap),
		Accuracy: Accuracy{
			Rows: e.Accuracy.Rows, Least: finite(e.Accuracy.Least), Most: finite(e.Accuracy.Most), Mean: finite(e.Accuracy.Mean),
			MostRelative: finite(e.Accuracy.MostRelative), MeanRelative: finite(e.Accuracy.MeanRelative), Holds: e.Accuracy.Holds,
		},
		MemoryBytes: e.MemoryBytes, DenseBytes: e.DenseBytes,
		Representatives: e.Representatives, Threads: e.Threads, SolvedVertices: e.Vertices, SolvedEdges: e.Edges, Timings: timings(e.Timings),
	}
	if c := e.Estimate; c.Low <= c.Cost && c.Cost <= c.High {
		s.result.Estimate = &EstimateState{Cost: c.Cost, Low: c.Low, High: c.High}
	}
	s.result.Trace = make([]float64, len(e.Trace))
	for i, x := range e.Trace {
		s.result.Trace[i] = finite(x)
	}
	for _, t := range s.result.Timings {
		s.result.Seconds += t.Seconds
	}
	s.stale = s.settle > 0 || s.brush.active && !s.automatic()
	s.status = "Solved in 1 iteration."
	if e.Iterations != 1 {
		s.status = fmt.Sprintf("Solved in %d iterations.", e.Iterations)
	}
	if e.Status == "iterations" {
		s.status = fmt.Sprintf("Stopped after %d iterations with a marginal error of %.2g.", e.Iterations, e.MarginalError)
	}
	s.partners = nil
	s.overRev++
	s.askPartners()
	s.play.solved = s.clock
	s.askFlow()
}

func (s *Scene) pathFound(e *job.Path) {
	if s.path == nil {
		return
	}
	for _, v := range e.Vertices {
		if s.vertex(v) < 0 {
			s.malformed("Path")
			return
		}
	}
	s.path.Known = true
	s.path.Connected = !math.IsInf(e.Length, 0)
	s.path.Length = finite(e.Length)
	s.path.Edges = max(len(e.Vertices)-1, 0)
	s.pathLine = e.Vertices
	s.overRev++
}

// askPartners asks for the partners of the focused or hovered vertex, one
// request at a time, the latest wish wins.
func (s *Scene) askPartners() {
	s.brush.preview = s.hover
	s.pumpBrush()
	v := s.focus
	if v < 0 {
		v = s.hover
	}
	if s.partners != nil && s.partners.Vertex != v {
		s.partners = nil
		s.overRev++
	}
	if v < 0 || s.brush.paints() || s.partnerPending || s.partners != nil ||
		s.result == nil || s.flight[toSolve] != 0 || s.flight[toOpen] != 0 {
		return
	}
	s.partnerPending = true
	s.send(&job.Partners{Vertex: v, Top: topPartners})
}
