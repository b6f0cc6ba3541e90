package scene

import (
	"path"
	"slices"
	"strings"

	"genussink/core/job"
	"genussink/core/session"
	"genussink/viewer/pick"
	"genussink/viewer/timeline"
)

// OpenFile opens a mesh file and the files it refers to. Reference is what a
// shared link names it by (a gallery name, an address), "" for a local file,
// which no link can name. The old picture stays until the new mesh is ready. A PACE graph turns to the task treewidth. A tree decomposition (.td)
// is taken for the mesh or graph that it comes with, or for the one that is shown.
func (s *Scene) OpenFile(name string, data []byte, files []job.File, reference string) {
	if decomposes(name) {
		s.openDecomposition(job.File{Name: name, Data: data})
		return
	}
	from := openSource{chosen: true, reference: reference}
	for i, f := range files {
		if decomposes(f.Name) {
			from.decomposition = &files[i]
		}
	}
	files = slices.DeleteFunc(slices.Clone(files), func(f job.File) bool { return decomposes(f.Name) })
	from.load = &job.Load{Name: name, Data: data, Files: files}
	s.open(from)
}

// decomposes says whether a file is a tree decomposition by its name.
func decomposes(name string) bool { return strings.EqualFold(path.Ext(name), ".td") }

// openDecomposition has a file's tree decomposition checked, and shows it if it is one of the graph that is shown.
func (s *Scene) openDecomposition(f job.File) {
	if !s.ready() || s.Mesh.Vertices() == 0 {
		s.Fail(f.Name + " is the tree decomposition of a graph: open the graph first, or both together.")
		return
	}
	s.failure = ""
	s.flight.interrupted = interrupted{finding: s.Treewidth.finding}
	s.interrupt(toDecompose)
	s.Task(TaskTreewidth)
	s.Treewidth.begin()
	s.send(toDecompose, &job.Check{Name: f.Name, Data: f.Data})
}

// OpenGenerated makes a mesh by a named generator.
func (s *Scene) OpenGenerated(kind string, params []job.Param) {
	s.open(openSource{kind: kind, params: params})
}

func (s *Scene) open(from openSource) {
	s.failure = ""
	if !s.flight.has(toOpen) { // else what was under way before that one
		s.flight.interrupted = interrupted{settle: s.Transport.settle, finding: s.Treewidth.finding}
	}
	for k := range kindCount {
		if !traits[k].spared {
			s.interrupt(k)
		}
	}
	s.Transport.settle = 0
	s.endStroke()
	s.send(toOpen, from.request())
	s.Mesh.coming = from
	s.stage, s.fraction = "open", 0
}

// interrupted is what has ended for a file that is being read. If that is refused it begins again.
type interrupted struct {
	questions []question
	settle    float64 // of the transport
	finding   finding // of the treewidth
}

// interrupt ends the request of a kind. What reads a file does not begin again.
func (s *Scene) interrupt(k kind) {
	if q := s.flight.asked[k]; q.id != 0 && k != toOpen && k != toExamine {
		s.flight.interrupted.questions = append(s.flight.interrupted.questions, q)
	}
	s.drop(k)
}

// takeUp begins again what has ended for a file that was refused.
func (s *Scene) takeUp() {
	i := s.flight.interrupted
	s.flight.interrupted = interrupted{}
	s.Treewidth.finding = i.finding
	s.Transport.settle = max(s.Transport.settle, i.settle)
	for _, q := range i.questions {
		if b, ok := q.body.(*job.Benchmark); ok {
			s.Benchmark = Benchmark{asked: b}
		}
		s.send(q.kind, q.body)
	}
}

// Space lays a graph without coordinates out anew, in space or in the plane.
func (s *Scene) Space(on bool) {
	from := s.Mesh.source
	if from.load == nil || !s.ready() || !s.Mesh.Graph() || from.load.Space == on {
		return
	}
	again := *from.load
	again.Space, from.load = on, &again
	s.open(from)
}

// Finder chooses the separator finder ("" the default) and builds the separator tree anew.
func (s *Scene) Finder(name string) {
	if name != s.Separation.finder {
		s.Separation.finder, s.Separation.taken = name, -1
		s.separateAnew()
	}
}

// Balance sets the balance of separators and builds the separator tree anew. No side of a separator then has more than a part of
// 1-share of the vertices. The share lies between 0 and 0.5; 0 stands for the default. NaN is ignored.
func (s *Scene) Balance(share float64) {
	if set(&s.Separation.balance, share, 0, 0.5) {
		s.Separation.taken = -1
		s.separateAnew()
	}
}

// Take builds the separator tree anew, with one cut of the Pareto list as the
// separation of its root; -1 takes the finder's own. It does nothing on a graph
// of several components: no single separation is the root's there.
func (s *Scene) Take(cut int) {
	p := &s.Separation
	if p.cuts == nil || cut < -1 || cut >= len(p.cuts.Cuts) || cut == p.taken || s.Mesh.report.Components > 1 {
		return
	}
	p.taken = cut
	s.separateAnew()
}

func (s *Scene) separateAnew() {
	s.changed()
	s.Separation.wanted = session.Cut{}
	if s.ready() {
		s.drop(toSeparate)
		s.separate(Patience)
		s.soon()
	}
}

// Sweep asks for the Pareto list: the cuts that trade a separator's size against its balance.
func (s *Scene) Sweep() {
	if s.ready() && !s.flight.has(toSweep) {
		s.failure = ""
		s.sweep()
	}
}

// FocusCell shows one node of the separator tree: its split, all else faded;
// -1 lets go.
func (s *Scene) FocusCell(node int32) {
	if !s.Separation.focus(node) {
		return
	}
	if node >= 0 {
		s.Treewidth.hide()
		s.View.looks.Split = true
	}
	s.overlay++
	s.recolor(true)
	s.changed()
}

// FindTreewidth begins the search for tree decompositions, which goes on until
// the treewidth is proved, its time is over or StopTreewidth.
func (s *Scene) FindTreewidth() {
	if !s.ready() || s.Mesh.Vertices() == 0 || s.flight.has(toDecompose) {
		return
	}
	s.failure = ""
	s.Treewidth.begin()
	s.send(toDecompose, &job.Decompose{})
}

// StopTreewidth ends the search; what it has found stays.
func (s *Scene) StopTreewidth() {
	s.Treewidth.linked = linkedStudy{}
	if s.flight.has(toDecompose) {
		s.drop(toDecompose)
		s.Treewidth.status = "cancelled"
	}
}

// ShowBag shows a bag on the mesh, and the components that it leaves; -1 takes
// it away.
func (s *Scene) ShowBag(bag int) {
	before := s.Treewidth.revision
	s.Treewidth.linked = linkedStudy{}
	if s.Treewidth.show(int32(bag), s.Mesh.Mesh) && bag >= 0 {
		s.FocusCell(-1)
	}
	s.studied(before)
}

// PointBag marks a bag's vertices on the mesh while it is pointed at; -1 ends that.
func (s *Scene) PointBag(bag int) {
	if d := &s.Treewidth; bag >= -1 && bag < d.bags() && bag != int(d.pointed) {
		d.point(int32(bag))
		s.overlay++
		s.changed()
	}
}

// Eliminate changes the timeline of the elimination order that was found, and shows it. After its step n, n vertices are eliminated.
func (s *Scene) Eliminate(change func(t *timeline.Timeline)) {
	before := s.Treewidth.revision
	s.Treewidth.linked = linkedStudy{}
	if s.Treewidth.eliminate(change, s.Mesh.Mesh) {
		s.FocusCell(-1)
	}
	s.studied(before)
}

// HideElimination takes the elimination order off the mesh.
func (s *Scene) HideElimination() {
	before := s.Treewidth.revision
	if s.Treewidth.elimination != nil {
		s.Treewidth.hide()
	}
	s.studied(before)
}

// Preset asks the engine for a pair of densities: "paper", "two-spots",
// "uniform" or "area".
func (s *Scene) Preset(name string) {
	s.remeasure(func() job.Body { return s.Densities.request(name) })
}

// BalanceMasses scales the target in every component to the source's share of
// mass there, and takes away what has no counterpart: one step of undo.
func (s *Scene) BalanceMasses() {
	s.remeasure(func() job.Body {
		source, target := s.Densities.Values()
		return &job.Balance{Source: source, Target: target}
	})
}

// remeasure asks for other densities, once a stroke is ended.
func (s *Scene) remeasure(request func() job.Body) {
	if !s.ready() {
		return
	}
	s.failure = ""
	s.endStroke()
	s.drop(toMeasure)
	s.send(toMeasure, request())
}

// Components chooses what presets do on a mesh of several components. With "each",
// every component gets a source and a target. With "largest", only the largest gets them.
// Another name is ignored. The preset that is shown is made anew.
func (s *Scene) Components(where string) {
	d, largest := &s.Densities, where == "largest"
	if where != "each" && !largest || largest == d.largest {
		return
	}
	d.largest = largest
	s.changed()
	if d.preset != "" {
		s.Preset(d.preset)
	}
}

// Undo takes back the last change of the densities.
func (s *Scene) Undo() { s.step((*Densities).back) }

// Redo does again what Undo took back.
func (s *Scene) Redo() { s.step((*Densities).forth) }

func (s *Scene) step(way func(d *Densities) bool) {
	s.endStroke()
	if way(&s.Densities) {
		s.Densities.recall()
		s.repainted()
	}
}

// Clear empties both densities.
func (s *Scene) Clear() { s.repaint((*Densities).clear) }

// Swap exchanges source and target.
func (s *Scene) Swap() { s.repaint((*Densities).swap) }

func (s *Scene) repaint(change func(d *Densities)) {
	s.endStroke()
	if s.Mesh.ready() {
		change(&s.Densities)
		s.repainted()
	}
}

// BrushTool takes a tool in hand.
func (s *Scene) BrushTool(t Tool) {
	switch t {
	case ToolNone, ToolSource, ToolTarget, ToolErase, ToolSmooth, ToolGoes, ToolComes, ToolMeasure:
	default:
		return
	}
	if t == s.Brush.tool {
		return
	}
	s.endStroke()
	s.endQuery()
	if s.Inspection.begun() >= 0 {
		s.measureClick(-1)
	}
	s.Brush.take(t)
	if t.Brush() {
		s.ShowField(FieldNone) // which would hide what is painted
		s.ShowBarycentre(false)
		s.HideIterations()
	}
	s.overlay++
	s.changed()
	s.pumpBrush()
}

// BrushRadius sets the brush's radius, a fraction of the diagonal.
func (s *Scene) BrushRadius(fraction float64) {
	if set(&s.Brush.radius, fraction, MinRadius, MaxRadius) {
		s.changed()
		s.pumpBrush()
	}
}

// StrokeBegin puts the brush down on a vertex. The stroke keeps the radius and
// the strength that it begins with. A component or a cell is covered at once.
func (s *Scene) StrokeBegin(vertex int32) {
	vertex = s.Mesh.vertex(vertex)
	if vertex < 0 || !s.Brush.tool.Brush() || s.flight.has(toOpen) {
		return
	}
	s.endStroke()
	if side, asks := asking[s.Brush.tool]; asks { // every stroke asks anew
		s.endQuery()
		s.Query.begin(side, s.Mesh.Vertices())
	} else if s.Brush.shape == ShapeDisc {
		s.endPolish()
		if s.Transport.automatic() { // its solves follow the brush
			s.drop(toFlow)
		}
	}
	if s.Brush.shape != ShapeDisc {
		s.fill(vertex)
		return
	}
	s.Brush.begin(vertex, s.twin(vertex), s.Mesh.Mesh, &s.Densities)
	s.changed()
	s.pumpBrush()
}

// StrokeMove drags the brush to a vertex; -1 (beside the mesh) is skipped.
func (s *Scene) StrokeMove(vertex int32) {
	vertex = s.Mesh.vertex(vertex)
	s.Brush.move(vertex, s.twin(vertex))
	s.pumpBrush()
}

// StrokeEnd lifts the brush. The stroke is one step of undo.
func (s *Scene) StrokeEnd() {
	s.Brush.released = true
	s.finishStroke()
}

// Epsilon sets the regularisation, a fraction of the diagonal. It is clamped to
// MinEpsilon and MaxEpsilon; NaN is ignored.
func (s *Scene) Epsilon(fraction float64) {
	if set(&s.Transport.epsilon, fraction, MinEpsilon, MaxEpsilon) {
		s.soon()
		s.askProfile()
		s.refitBarycentre()
	}
}

// Delta sets the largest error of a distance that the certified method may make,
// as a fraction of the diagonal. It is clamped to MinDelta and MaxDelta; NaN is ignored.
func (s *Scene) Delta(fraction float64) {
	if set(&s.Transport.delta, fraction, MinDelta, MaxDelta) {
		s.soon()
		s.askProfile()
		s.refitBarycentre()
	}
}

// Levels sets the most levels of separators that the methods tree and sampled use: the paper's depth h. It is clamped to
// 0 to MaxLevels; 0: they split until pieces are small.
func (s *Scene) Levels(most int) {
	if most = min(max(most, 0), MaxLevels); most != s.Transport.levels {
		if s.Transport.levels = most; job.Layered(s.Transport.method) {
			s.soon()
		}
		s.changed()
	}
}

// Method chooses the method: Automatic, "" or "exact", "certified",
// "embedded", "sampled", "support", "quantized", "tree", "dense".
func (s *Scene) Method(name string) {
	if t := &s.Transport; name != t.method {
		t.by(name)
		if t.automatic() && t.fit() {
			s.sayFitted()
		}
		s.soon()
		s.askProfile()
		s.refitBarycentre()
	}
}

// Solve transports the source to the target now.
func (s *Scene) Solve() {
	s.flight.retried = [kindCount]bool{}
	s.solveWithin(Patience)
}

// Exact asks for the exact answer in place of an estimate, however long it takes.
func (s *Scene) Exact() {
	if s.Estimated() {
		s.flight.retried = [kindCount]bool{}
		s.drop(toRefine)
		s.Transport.forecast = nil
		s.askBehind(job.Exact, 0)
	}
}

// Estimated says whether the answer shown is the automatic method's, and an estimate.
func (s *Scene) Estimated() bool { return s.Transport.estimated() && !s.flight.has(toOpen) }

// Proceed begins the work that waits behind a forecast: with -1 what was asked for, with 0, 1, ... one of the other methods that the
// forecast offers, in their order.
func (s *Scene) Proceed(other int) {
	switch tree, ok := s.Transport.proceed(other); {
	case tree:
		s.separate(0)
	case ok:
		s.solveWithin(0)
	}
}

// PutOff closes the forecast without a choice. It comes back with the question: a solve's when it is asked for again, the separator tree's where
// the tree is to be seen.
func (s *Scene) PutOff() {
	if s.Transport.forecast != nil {
		s.Transport.putOff = true
		s.changed()
	}
}

// Preparing says whether a separation or a solve is due or under way.
func (s *Scene) Preparing() bool {
	return s.Transport.settle > 0 || s.Separation.due || s.flight.has(toSeparate, toSolve, toRefine)
}

// Starting says whether mass begins to move as soon as its paths come, which have been asked for.
func (s *Scene) Starting() bool { return s.Playback.start && s.flight.has(toFlow) }

// Cancel stops everything long that is under way.
func (s *Scene) Cancel() {
	s.Transport.settle, s.Separation.due, s.Transport.refined = 0, false, true
	s.StopTreewidth()
	s.giveWay()
	s.Inspection.paths = slices.DeleteFunc(s.Inspection.paths, func(p measured) bool { return p.path == nil && p.to >= 0 })
	for k := range kindCount {
		// Of a mesh that is shown everything is to be known.
		if asked := s.flight.asked[k]; !traits[k].spared && k != toExamine && s.flight.drop(k) {
			s.ended(asked)
			s.status, s.flight.interrupted = "Cancelled.", interrupted{}
		}
	}
	s.changed()
}

// Play sets the mass in motion, from the start if it has arrived.
func (s *Scene) Play() {
	s.ShowField(FieldNone) // which would hide it
	s.ShowBarycentre(false)
	s.HideIterations()
	s.ShowBlock(-1)
	if !s.View.looks.Flow {
		s.Task(TaskTransport) // where it is seen
	}
	p := &s.Playback
	if p.flow == nil {
		p.start = true
		switch {
		case s.flight.has(toSolve):
		case s.Transport.solved == nil:
			s.Solve()
		case !s.flight.has(toFlow):
			s.askFlow()
		}
		return
	}
	p.begin()
	s.recolor(true)
	s.changed()
}

// Hover says which vertex is under the pointer, -1 for none. Where a plan is
// known, its partners are asked for.
func (s *Scene) Hover(vertex int32) { s.look(&s.Inspection.hover, vertex) }

// FocusVertex keeps showing one vertex's partners, whatever the pointer is
// on; -1 lets go.
func (s *Scene) FocusVertex(vertex int32) { s.look(&s.Inspection.focus, vertex) }

func (s *Scene) look(which *int32, vertex int32) {
	if vertex = s.Mesh.vertex(vertex); vertex != *which {
		*which = vertex
		s.overlay++
		s.changed()
		s.askPartners()
	}
}

// Click is a press and release on a place of the mesh, or beside it, without a
// drag: it picks for the measuring tool. Without a tool
// it focuses, and where the mesh is inspected it says what is there.
func (s *Scene) Click(hit pick.Hit) {
	vertex := s.Mesh.vertex(hit.Vertex)
	i := &s.Inspection
	switch s.Brush.tool {
	case ToolMeasure:
		s.measureClick(vertex)
	case ToolNone:
		if s.task == TaskInspect {
			s.pick(hit)
			return
		}
		if vertex == i.focus {
			vertex = -1
		}
		s.FocusVertex(vertex)
		if s.Separation.cell >= 0 { // the focus follows the hand, and ends beside the mesh
			cell := int32(-1)
			if vertex >= 0 {
				cell, _ = s.Separation.at(vertex)
			}
			s.FocusCell(cell)
		}
	}
}

// Dismiss takes the error away.
func (s *Scene) Dismiss() {
	if s.failure != "" {
		s.Fail("")
	}
}

// Fail shows an error that did not come from the engine: a file that could
// not be fetched, a panic that was caught.
func (s *Scene) Fail(message string) {
	s.failure = message
	s.changed()
}

// Say puts a sentence on the status line until something else happens.
func (s *Scene) Say(message string) {
	s.status = message
	s.changed()
}

// ResetTimings empties the list of stages.
func (s *Scene) ResetTimings() {
	s.ledger = nil
	s.changed()
}
