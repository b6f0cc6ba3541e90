package scene

import (
	"fmt"
	"slices"
	"strings"

	"genussink/core/job"
	"genussink/core/paint"
	"genussink/core/session"
)

// Handle takes an answer of the engine. An id that is not awaited (cancelled,
// or of a mesh that is gone) is ignored.
func (s *Scene) Handle(ev job.Event) {
	asked, ok := s.flight.with(ev.ID)
	if !ok {
		return
	}
	if job.Interim(ev.Body) {
		s.interim(asked, ev.Body)
		return
	}
	s.flight.end(asked)
	s.changed()
	switch e := ev.Body.(type) {
	case *job.Loaded:
		if !s.check(s.loaded(asked.kind, e), e) {
			return
		}
	case *job.Separated:
		s.check(s.separated(e), e)
		s.next()
	case *job.Swept:
		s.check(s.listed(e), e)
	case *job.Decomposed:
		before := s.Treewidth.revision
		if s.check(s.Treewidth.take(e, s.Mesh.Mesh), e) {
			if s.Treewidth.linked.gone > 0 && s.Treewidth.elimination == nil {
				s.Mesh.odd = append(s.Mesh.odd, "The link shows an elimination, this mesh is too large for one.")
			}
			s.Treewidth.linked = linkedStudy{}
			delete(s.shelf, LayerBag) // one of the decomposition before
			s.status = s.Treewidth.sentence()
		}
		s.studied(before)
	case *job.Measured:
		s.check(s.measured(asked.body, e), e)
		s.next()
	case *job.Painted:
		if asked.kind == toRemember {
			s.check(s.remembered(e), e)
			break
		}
		p, ok := asked.body.(*job.Paint)
		s.check(ok && s.Densities.remade(e, p), e)
		s.recolor(true)
		s.next()
	case *job.Brushed:
		if asked.kind == toSpread {
			s.check(s.spread(e), e)
		} else {
			s.brushed(e)
		}
	case *job.Profiled:
		s.profiled(e)
	case *job.Centred:
		s.check(s.centred(e), e)
	case *job.Path:
		s.check(s.walked(e), e)
	case *job.Benchmarked:
		s.Benchmark.now = ""
	case *job.Inspected:
		s.check(s.inspected(e), e)
	case *job.Shaded:
		s.check(s.Mesh.shaded(e, s.eases()), e)
	case *job.Mirrored:
		if s.check(e.Axis == "" || len(e.Partners) == s.Mesh.Vertices() && s.Mesh.all(slices.DeleteFunc(slices.Clone(e.Partners), func(v int32) bool { return v == -1 })), e) {
			s.Mesh.mirror = e
		}
	case *job.Exported:
		s.exported = e
	case *job.Solved:
		s.solved(asked, e)
	case *job.Barycentred:
		s.check(s.barycentred(e), e)
	case *job.Blocked:
		s.check(s.blocked(e), e)
	case *job.Retraced:
		s.check(s.retraced(e), e)
	case *job.Partnered:
		if s.Transport.partnered(e) {
			s.overlay++
		}
		s.askPartners()
	case *job.Pushed:
		switch asked.kind {
		case toChange:
			s.check(s.marginal(e.Values), e)
		case toMatrix:
			s.check(s.column(e.Values), e)
		default:
			s.check(s.Query.take(e.Values), e)
			s.recolor(true)
			s.askQuery()
		}
	case *job.Flowed:
		s.flight.retried[toSolve] = false // the new plan works
		if s.check(s.Playback.finish(e.Particles), e) {
			s.Transport.comparison.moved(s.Playback.flow)
		}
		s.askPolish()
		s.due(0)
	case *job.Polished:
		s.Transport.comparison.polished(e.Timings)
		s.check(s.Transport.polished(e.Estimate, e.Why), e)
		s.askPolish()
	case *job.Forecasted:
		s.forecasted(asked, e)
	case *job.Failed:
		s.failed(asked, e)
	case *job.Cancelled:
		s.ended(asked)
	}
	s.ledger.note(ev.Body)
	s.onward()
}

// interim takes an answer that is not the last of its request.
func (s *Scene) interim(asked question, answer job.Body) {
	switch e := answer.(type) {
	case *job.Progress:
		switch {
		case traits[asked.kind].unseen:
			return
		case asked.kind == toDecompose:
			s.Treewidth.stage = e.Stage
		case asked.kind == toBenchmark:
			s.Benchmark.now = e.Stage // a method
		default:
			s.stage, s.fraction = e.Stage, min(max(finite(e.Fraction), 0), 1)
		}
	case *job.Narrowed:
		before := s.Treewidth.revision
		if s.check(s.Treewidth.narrow(e, s.Mesh.Mesh), e) {
			delete(s.shelf, LayerBag)
		}
		s.studied(before)
	case *job.Flowing:
		if s.check(s.Playback.flowing(e, &s.Mesh, s.View.looks.Flow), e) {
			if s.Playback.mass == MassDensity {
				s.recolor(true)
			}
			if s.View.looks.Arrows {
				s.overlay++
			}
		}
	case *job.Benchmarking:
		s.check(s.Benchmark.take(e, &s.Mesh), e)
	case *job.Polishing:
		s.check(s.Transport.polished(e.Estimate, ""), e)
	case *job.Opened:
		if asked.kind == toOpen {
			s.check(s.opened(asked, e), e)
		}
	}
	s.changed()
}

// check passes on whether an answer fits the mesh, and says so where it does not.
func (s *Scene) check(fits bool, answer job.Body) bool {
	if !fits {
		s.failure = "The engine's answer " + strings.TrimPrefix(fmt.Sprintf("%T", answer), "*job.") + " does not fit the mesh; please open the mesh again."
	}
	return fits
}

// opened shows a mesh whose topology is still being examined: the rest of the answer to the same request.
func (s *Scene) opened(asked question, e *job.Opened) bool {
	s.flight.end(asked)
	m, ok := newMesh(e.Positions, e.Faces, e.Edges)
	if ok && len(m.edges) == 2*len(e.Lengths) {
		m.lengths = e.Lengths
	}
	if ok {
		s.show(m, e)
		s.flight.await(question{toExamine, asked.id, asked.body})
	}
	return ok
}

// loaded takes what is to be known of a mesh, and shows it unless it is shown already.
func (s *Scene) loaded(asked kind, e *job.Loaded) bool {
	if asked == toOpen {
		m, ok := newMesh(e.Positions, e.Faces, e.Edges)
		if !ok {
			return false
		}
		s.show(m, &job.Opened{Name: e.Name, Format: e.Format, Flat: e.Flat, Diagonal: e.Report.Diagonal, Timings: e.Timings})
	}
	if !s.Mesh.examine(e) {
		return false
	}
	s.askProfile()
	if s.Separation.waits() { // for a link's cut, of which meshes of several components have none
		if e.Report.Components == 1 {
			s.sweep()
		} else {
			s.Separation.wanted = session.Cut{}
			s.separate(Patience)
		}
	}
	return true
}

// show puts a mesh in the place of the one before, and asks for its separators and densities.
func (s *Scene) show(m *Mesh, e *job.Opened) {
	coming := s.Mesh.coming
	sn := coming.session
	if lost := s.lost(&coming); lost != nil || s.replaced != nil && coming.session == s.replaced.session {
		s.replaced = lost
	}
	s.Mesh.show(m, e)
	ended := s.flight.interrupted.questions
	s.flight.forget()
	s.Separation.reset()
	s.Treewidth.reset()
	s.Densities.reset(m.Vertices())
	s.Brush.reset()
	s.Query.end()
	s.Transport.reset()
	s.Barycentre.reset()
	s.Iterations.forget()
	s.Blocks, s.Benchmark = Blocks{}, Benchmark{}
	s.Matrix.wanted = false
	s.Matrix.forget()
	s.Playback.reset(s.clock)
	s.Inspection.reset()
	s.colors.reset()
	s.ledger, s.status, s.shelf = nil, "", nil
	s.overlay++
	s.View.approach(&s.Mesh)
	if sn != nil {
		s.resume(sn)
	}
	for _, q := range ended {
		if why := traits[q.kind].lost; why != "" {
			s.Mesh.odd = append(s.Mesh.odd, why+": another mesh was opened.")
		}
	}
	if coming.inspected {
		s.task = TaskInspect
		s.Inspect()
	}
	if coming.chosen && e.Format == "PACE" {
		s.Task(TaskTreewidth)
	}
	s.recolor(false)
	if m.Vertices() == 0 {
		return
	}
	s.Separation.due = !s.Separation.waits()
	if sn != nil && sn.Painting != nil {
		s.Densities.remaking = sn.Painting
		s.send(toMeasure, sn.Painting.Request())
	} else {
		s.begin()
	}
	s.Playback.start = !s.View.looks.ReducedMotion && (sn == nil || sn.Moment == 0)
	if td := coming.decomposition; td != nil {
		s.openDecomposition(*td)
	}
}

// replaced is what a person had made of the last mesh before on which they made anything.
type replaced struct {
	name    string
	session *session.Session
}

// lost is what a person has made of this mesh that goes with it: strokes, or paintings that were kept for a barycentre, which the mesh that comes does
// not take over.
func (s *Scene) lost(coming *openSource) *replaced {
	sn, _ := s.Session()
	stroked := sn.Painting != nil && slices.ContainsFunc(sn.Painting.Steps, func(step job.Step) bool { return step.Kind != job.StepMeasure })
	if next := coming.session; !stroked && len(sn.Kept) == 0 || next != nil && next.Painting == sn.Painting {
		return nil
	}
	return &replaced{s.Mesh.name, sn}
}

// GoBack opens the mesh again that was replaced, with what was painted on it.
func (s *Scene) GoBack() {
	if s.replaced == nil {
		return
	}
	if err := s.OpenSession(s.replaced.session); err != nil {
		s.Fail("Could not go back: " + err.Error() + ".")
	}
}

// ForgetReplaced forgets the mesh that was replaced.
func (s *Scene) ForgetReplaced() {
	s.replaced = nil
	s.changed()
}

// begin asks for the densities that a mesh begins with.
func (s *Scene) begin() { s.send(toMeasure, &job.Measure{Preset: session.First}) }

func (s *Scene) separated(e *job.Separated) bool {
	odd, ok := s.Separation.take(e, s.Mesh.Vertices())
	if !ok {
		return false
	}
	if odd != "" {
		s.Mesh.odd = append(s.Mesh.odd, odd)
	}
	s.overlay++
	s.recolor(true)
	if cell := s.Separation.focused; cell > 0 {
		s.Separation.focused = 0
		if nodes := len(e.Nodes); int(cell) >= nodes {
			s.Mesh.odd = append(s.Mesh.odd, fmt.Sprintf("The link's cell is %d, the separator tree has %d.", cell, nodes))
		}
		s.FocusCell(cell)
	}
	if d := &s.Treewidth; d.linked != (linkedStudy{}) && d.found == nil {
		s.FindTreewidth()
	}
	return true
}

// listed takes the list of cuts. The tree waits for it where a link wants one of them.
func (s *Scene) listed(e *job.Swept) bool {
	wanted, found, ok := s.Separation.list(e, s.Mesh.Vertices())
	if wanted {
		if !found {
			s.Mesh.odd = append(s.Mesh.odd, "The link's separation is not in this mesh's list: the finder's own is shown.")
		}
		s.separate(Patience)
	}
	return ok
}

func (s *Scene) measured(asked job.Body, e *job.Measured) bool {
	if !s.Densities.fits(e) {
		return false
	}
	p := pair{values: paint.Pair{e.Source, e.Target}, preset: e.Preset, note: e.Note}
	step := job.Step{Kind: job.StepBalance}
	m, preset := asked.(*job.Measure)
	if preset {
		step = job.Step{Kind: job.StepMeasure, Measure: *m}
	}
	if preset && s.Transport.solved == nil && s.Densities.first() {
		s.Densities.begin(p, step)
		s.recolor(true)
		return true
	}
	s.endStroke()
	s.Densities.become(p, step)
	s.repainted()
	return true
}

// brushed takes the ball under the brush.
func (s *Scene) brushed(e *job.Brushed) {
	if len(e.Distances) != len(e.Vertices) || !s.Mesh.all(e.Vertices) {
		s.Brush.dab = false
		return
	}
	dab := s.Brush.received(e, s.Mesh.Mesh)
	s.overlay++
	if dab {
		s.dab(e)
	}
	s.finishStroke()
	s.pumpBrush()
}

func (s *Scene) solved(asked question, e *job.Solved) {
	solve, behind, t := asked.body.(*job.Solve), asked.kind == toRefine, &s.Transport
	if behind {
		s.flight.retried[toRefine] = false
	}
	s.forgetIterations()
	s.ShowBlock(-1)
	t.take(solve, e, behind)
	s.displace()
	s.drop(toChange)
	s.askChange()
	t.stale = t.settle > 0 || s.Brush.painting() && !t.automatic()
	s.status = t.sentence()
	s.overlay++
	s.askPartners()
	s.Query.due = true
	s.askQuery()
	delete(s.shelf, LayerBlock) // one of the kernel before
	s.Playback.solved = s.clock
	s.askFlow()
	if !s.Brush.painting() { // of a stroke under way nobody will compare
		t.comparison.solved(solve, e)
	}
}

// forecasted keeps what is said in answer to a separation or a solve: nothing goes on by itself, but behind a quick answer.
func (s *Scene) forecasted(asked question, e *job.Forecasted) {
	if solve, ok := asked.body.(*job.Solve); ok && asked.kind == toRefine && solve.Patience > 0 {
		if method := s.Transport.instead(solve, e); method != "" {
			s.askBehind(method, behindSeconds)
		}
		return
	}
	s.Transport.forecast, s.Transport.tree, s.Transport.putOff = e, asked.kind == toSeparate, false
}

// ended takes back what waits for a request that has no result.
func (s *Scene) ended(asked question) {
	if ended := traits[asked.kind].ended; ended != nil {
		ended(s)
	}
}

func (s *Scene) failed(asked question, e *job.Failed) {
	s.ended(asked)
	if asked.kind == toProfile && e.Kind == "input" {
		s.unprofiled(e)
		return
	}
	if asked.kind == toBenchmark { // its dialog says so
		s.Benchmark.why = couldNot(asked) + ": " + e.Message
		return
	}
	died := e.Kind == "crash" || e.Kind == "exhausted"
	if died && s.again(asked) {
		return
	}
	if asked.kind == toRefine { // the quick answer stands
		s.status = unrefined + e.Message
		return
	}
	if traits[asked.kind].spared && !died {
		return
	}
	s.failure = couldNot(asked) + ": " + e.Message
	if _, ok := asked.body.(*job.Paint); ok && asked.kind == toMeasure {
		s.Densities.remaking = nil
		s.begin()
	}
	switch e.Kind {
	case "crash":
		s.failure += " Please try again."
	case "exhausted":
		s.failure += traits[asked.kind].room
	}
	if _, ok := asked.body.(*job.Check); (ok || asked.kind == toOpen) && !died {
		s.takeUp()
	}
	s.next()
}

// unrefined begins the sentence on why an estimate stays one.
const unrefined = "No more exact answer: "

// couldNot says in words what failed.
func couldNot(asked question) string {
	switch a := asked.body.(type) {
	case *job.Load:
		return "Could not open " + a.Name
	case *job.Generate:
		return "Could not make " + a.Kind
	case *job.Balance:
		return "Could not balance the masses"
	case *job.Check:
		return "The decomposition cannot be taken"
	case *job.Paint:
		return "Could not paint the densities again"
	}
	return traits[asked.kind].failed
}

// again asks once more for what a Worker took with it when it died, and says
// false where it has died of that before, or where nobody can ask again.
func (s *Scene) again(asked question) bool {
	k := asked.kind
	switch k {
	case toFlow:
		return true // Replaced asks again
	case toPartners:
		k = toPolish // it may die of the same question again
	}
	again := traits[k].again
	if again == nil || s.flight.retried[k] {
		return false
	}
	again(s, asked.body)
	s.flight.retried[k] = true
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
	if !plan || s.Transport.solved == nil || s.flight.has(toOpen, toSolve) || s.Brush.painting() || s.Transport.settle > 0 || s.failure != "" {
		return
	}
	s.Transport.partners = nil
	if !s.again(question{kind: toSolve, body: &job.Solve{}}) {
		s.failure = "The background program stopped again and was replaced; press Solve to try once more."
	}
}
