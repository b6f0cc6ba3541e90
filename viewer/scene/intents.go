package scene

import (
	"math"
	"slices"

	"genussink/core/job"
	"genussink/core/session"
	"genussink/viewer/camera"
	"genussink/viewer/colormap"
)

// openSource is what would open the mesh again.
type openSource struct {
	reference string           // a gallery name or address, "" for a local file
	kind      string           // a generator, "" for a file
	params    []job.Param      // of the generator
	session   *session.Session // what to show it with, nil: as it comes
}

// Of each of these at most one long request is under way.
const (
	toOpen = iota
	toExamine
	toSeparate
	toMeasure
	toSolve
	toRefine // behind a quick answer
	toFlow
	toPolish
	toWalk
	toSweep
	toStudy
	lanes
)

// flight has the ids of the long requests under way, 0 for none.
type flight [lanes]uint32

// ended forgets a request.
func (f *flight) ended(id uint32) {
	for k := range f {
		if f[k] == id {
			f[k] = 0
		}
	}
}

// land drops every long request under way.
func (s *Scene) land() {
	for _, id := range s.flight {
		s.drop(id)
	}
	s.flight = flight{}
}

// OpenFile opens a mesh file and the files it refers to. Reference is what a
// shared link names it by (a gallery name, an address), "" for a local file,
// which no link can name. The old picture stays until the new mesh is ready.
func (s *Scene) OpenFile(name string, data []byte, files []job.File, reference string) {
	s.open(&job.Load{Name: name, Data: data, Files: files}, openSource{reference: reference})
}

// OpenGenerated makes a mesh by a named generator.
func (s *Scene) OpenGenerated(kind string, params []job.Param) {
	s.open(&job.Generate{Kind: kind, Params: params}, openSource{kind: kind, params: params})
}

func (s *Scene) open(body job.Body, from openSource) {
	s.failure = ""
	s.land()
	s.settle = 0
	s.endStroke()
	s.flight[toOpen] = s.send(body)
	s.openFrom = from
	s.openLoad, _ = body.(*job.Load)
	s.stage, s.fraction = "open", 0
}

// Level shows the separator tree's splits down to a depth, clamped to what
// there is.
func (s *Scene) Level(level int) {
	level = s.clampLevel(level)
	if level == s.level {
		return
	}
	s.level = level
	s.recolor(true)
	s.changed()
}

func (s *Scene) clampLevel(level int) int {
	if s.sep == nil {
		return max(level, 0) // kept until a tree says how deep it is
	}
	return min(max(level, 0), max(len(s.levels)-1, 0))
}

// Finder chooses the separator finder ("" the default) and separates anew.
func (s *Scene) Finder(name string) {
	if name == s.finder {
		return
	}
	s.finder, s.taken = name, -1
	s.separateAnew()
}

// Balance sets the balance of separators and separates anew: no side has more than 1-share of
// the vertices. It lies in 0 to 0.5, 0 is the default; what is not a number is ignored.
func (s *Scene) Balance(share float64) {
	if math.IsNaN(share) {
		return
	}
	if share = min(max(share, 0), 0.5); share != s.balance {
		s.balance, s.taken = share, -1
		s.separateAnew()
	}
}

func (s *Scene) separateAnew() {
	s.changed()
	s.wanted = session.Cut{}
	if s.mesh != nil && s.flight[toOpen] == 0 {
		s.drop(s.flight[toSeparate])
		s.separate()
		s.soon()
	}
}

// separate asks for the separator tree.
func (s *Scene) separate() { s.separateWithin(Patience) }

func (s *Scene) separateWithin(patience float64) {
	s.forecast, s.later = nil, false
	request := &job.Separate{Finder: s.finder, Balance: s.balance, Patience: patience}
	if s.taken >= 0 {
		request.Root = s.swept.Cuts[s.taken].Sides
	}
	s.flight[toSeparate] = s.send(request)
}

// Sweep asks for the trade of a separator's size against its balance.
func (s *Scene) Sweep() {
	if s.mesh == nil || s.flight[toOpen] != 0 || s.flight[toSweep] != 0 {
		return
	}
	s.failure = ""
	s.sweep()
}

func (s *Scene) sweep() {
	s.flight[toSweep] = s.send(&job.Sweep{})
	s.stage, s.fraction = "sweep", 0
}

// Take separates anew with a cut of the list at the root, or, with -1, with
// the finder's own. A graph of several components has no one root.
func (s *Scene) Take(cut int) {
	if s.swept == nil || cut < -1 || cut >= len(s.swept.Cuts) || cut == s.taken || s.meta.Pieces > 1 {
		return
	}
	s.taken = cut
	s.separateAnew()
}

// sweptUp takes the list of cuts.
func (s *Scene) sweptUp(e *job.Swept) bool {
	for _, c := range e.Cuts {
		if len(c.Sides) != s.mesh.Vertices() {
			return false
		}
	}
	s.swept = e
	s.taken = -1
	if want := s.wanted; want != (session.Cut{}) {
		s.wanted = session.Cut{}
		if s.taken = slices.IndexFunc(e.Cuts, func(c job.Cut) bool { return sizeOf(c) == want }); s.taken < 0 {
			s.warnOfLink("The link's separation is not in this mesh's list: the finder's own is shown.")
		}
		s.separate()
	}
	return true
}

// FocusCell shows one node of the separator tree: its split, all else faded;
// -1 lets go.
func (s *Scene) FocusCell(node int32) {
	if s.sep == nil || node < -1 || int(node) >= len(s.sep.Nodes) || node == s.cell {
		return
	}
	s.cell = node
	if node >= 0 {
		s.study.hide()
		s.view.Split = true
		depth := int(s.sep.Nodes[node].Depth)
		if isLeaf(s.sep.Nodes[node]) {
			depth = max(depth, s.level)
		}
		s.level = s.clampLevel(depth)
	}
	s.overRev++
	s.recolor(true)
	s.changed()
}

// cellAt is the tree's node at the shown level in which a vertex lies, and the
// node below it on the way to the vertex, -1 where that is none.
func (s *Scene) cellAt(v int32) (node, from int32) {
	node, from = s.sep.Cells[v], -1
	for int(s.sep.Nodes[node].Depth) > s.level {
		from, node = node, s.sep.Nodes[node].Parent
	}
	return node, from
}

// Epsilon sets the regularisation, a fraction of the diagonal, clamped to
// MinEpsilon and MaxEpsilon; what is not a number is ignored.
func (s *Scene) Epsilon(fraction float64) {
	if math.IsNaN(fraction) {
		return
	}
	fraction = min(max(fraction, MinEpsilon), MaxEpsilon)
	if fraction != s.transport.Epsilon {
		s.transport.Epsilon = fraction
		s.soon()
	}
}

// Delta sets by how much the certified method may have a distance wrong, a
// fraction of the diagonal, clamped to MinDelta and MaxDelta; what is not a
// number is ignored.
func (s *Scene) Delta(fraction float64) {
	if math.IsNaN(fraction) {
		return
	}
	fraction = min(max(fraction, MinDelta), MaxDelta)
	if fraction != s.transport.Delta {
		s.transport.Delta = fraction
		s.soon()
	}
}

// Method chooses how the kernel is multiplied by: Automatic, "" or "exact", "certified",
// "embedded", "sampled", "support", "quantized", "tree", "dense".
func (s *Scene) Method(name string) {
	if name != s.transport.Method {
		s.transport.Method = name
		s.soon()
	}
}

// Kernel chooses the kernel: "" or "exp".
func (s *Scene) Kernel(name string) {
	if name != s.transport.Kernel {
		s.transport.Kernel = name
		s.soon()
	}
}

// Solve transports the source to the target now.
func (s *Scene) Solve() {
	clear(s.retried)
	s.solveWithin(Patience)
}

func (s *Scene) solveWithin(patience float64) {
	s.endStroke() // what is handed out must not be painted on
	s.failure = ""
	s.changed()
	s.settle = 0
	if s.mesh == nil || s.flight[toOpen] != 0 {
		return
	}
	if s.dens.mass(sourceSide) <= 0 || s.dens.mass(targetSide) <= 0 {
		s.failure = "Paint a source and a target first: each needs some mass."
		return
	}
	if u := s.unequal(); u != nil {
		s.failure = u.Sentence()
		return
	}
	s.drop(s.flight[toSolve])
	s.endBehind()
	s.endForecast()
	s.endPolish()
	s.ask(patience)
}

// ask sends the solve.
func (s *Scene) ask(patience float64) {
	s.drop(s.flight[toFlow])
	s.flight[toFlow] = 0
	body := s.problem(s.transport.Method, patience)
	if body.Warm = s.warm(); s.automatic() {
		body.Accuracy = math.Inf(1)
	}
	s.flight[toSolve] = s.send(body)
	s.stage, s.fraction = "solve", 0
}

// problem is what is to be solved. A stroke's densities, which go on to change, are copied.
func (s *Scene) problem(method string, patience float64) *job.Solve {
	source, target := s.Densities()
	if s.brush.active {
		source, target = slices.Clone(source), slices.Clone(target)
	}
	return &job.Solve{
		Source: source, Target: target, Method: method, Patience: patience,
		Epsilon: s.transport.Epsilon, Delta: s.transport.Delta, Kernel: s.transport.Kernel,
	}
}

// warm says whether a solve is to start from the last plan: a repaint's is. With another method, epsilon or delta it
// starts from nothing, so that methods can be compared; but in logarithms, where that takes many iterations.
func (s *Scene) warm() bool {
	last, now := s.solvedAs, s.transport
	return s.result != nil && last != nil && last.Method == now.Method &&
		(s.result.Form == "log" || last.Epsilon == now.Epsilon && last.Delta == now.Delta)
}

// Preparing says whether a separation or a solve is due or under way.
func (s *Scene) Preparing() bool {
	return s.settle > 0 || s.later || s.flight[toSeparate] != 0 || s.flight[toSolve] != 0 || s.flight[toRefine] != 0
}

// Cancel stops everything long that is under way.
func (s *Scene) Cancel() {
	s.settle, s.later, s.refined = 0, false, true
	s.StopTreewidth()
	for lane, id := range s.flight {
		if lane == toExamine {
			continue // of a mesh that is shown everything is to be known
		}
		if _, ok := s.pending[id]; ok {
			s.status = "Cancelled."
		}
		s.drop(id)
		s.flight[lane] = 0
	}
	s.changed()
}

// Dismiss takes the error away.
func (s *Scene) Dismiss() {
	if s.failure != "" {
		s.failure = ""
		s.changed()
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

// Hover says which vertex is under the pointer, -1 for none. Where a plan is
// known, its partners are asked for.
func (s *Scene) Hover(vertex int32) {
	vertex = s.vertex(vertex)
	if vertex == s.hover {
		return
	}
	s.hover = vertex
	s.overRev++
	s.changed()
	s.askPartners()
}

// FocusVertex keeps showing one vertex's partners, whatever the pointer is
// on; -1 lets go.
func (s *Scene) FocusVertex(vertex int32) {
	vertex = s.vertex(vertex)
	if vertex == s.focus {
		return
	}
	s.focus = vertex
	s.overRev++
	s.changed()
	s.askPartners()
}

// Click is a press and release on a vertex (-1: beside the mesh) without a
// drag: it picks for the measuring tool and focuses without a tool.
func (s *Scene) Click(vertex int32) {
	vertex = s.vertex(vertex)
	switch s.brush.tool {
	case ToolMeasure:
		switch {
		case vertex < 0:
			s.ClearPath()
		case s.path == nil || s.path.To >= 0:
			s.path = &PathState{From: vertex, To: -1}
			s.pathLine = nil
		default:
			s.MeasurePath(s.path.From, vertex)
		}
		s.overRev++
		s.changed()
	case ToolNone:
		if vertex == s.focus {
			vertex = -1
		}
		s.FocusVertex(vertex)
		if s.cell >= 0 { // the focus follows the hand, and ends beside the mesh
			cell := int32(-1)
			if vertex >= 0 {
				cell, _ = s.cellAt(vertex)
			}
			s.FocusCell(cell)
		}
	}
}

// MeasurePath asks for the shortest path between two vertices.
func (s *Scene) MeasurePath(from, to int32) {
	from, to = s.vertex(from), s.vertex(to)
	if from < 0 || to < 0 || s.flight[toOpen] != 0 {
		return
	}
	s.drop(s.flight[toWalk])
	s.path, s.pathLine = &PathState{From: from, To: to}, nil
	s.flight[toWalk] = s.send(&job.Distance{From: from, To: to})
	s.overRev++
}

// ClearPath forgets the measured path.
func (s *Scene) ClearPath() {
	s.drop(s.flight[toWalk])
	s.path, s.pathLine, s.flight[toWalk] = nil, nil, 0
	s.overRev++
	s.changed()
}

// Wireframe draws the edges.
func (s *Scene) Wireframe(on bool) { s.set(&s.view.Wireframe, on) }

// Smooth chooses smooth shading, else one normal per face.
func (s *Scene) Smooth(on bool) { s.set(&s.view.Smooth, on) }

// ShowSplit colours the mesh by its separation.
func (s *Scene) ShowSplit(on bool) { s.set(&s.view.Split, on); s.recolor(true) }

// ShowDensities lays source and target over the mesh.
func (s *Scene) ShowDensities(on bool) { s.set(&s.view.Densities, on); s.recolor(true) }

// ShowFlow shows mass on the move.
func (s *Scene) ShowFlow(on bool) { s.set(&s.view.Flow, on); s.recolor(true) }

// ReducedMotion turns easing off and starts no playback by itself.
func (s *Scene) ReducedMotion(on bool) {
	s.set(&s.view.ReducedMotion, on)
	s.cam.Jump(on)
}

func (s *Scene) set(flag *bool, on bool) {
	if *flag != on {
		*flag = on
		s.changed()
	}
}

// Theme chooses the ground: dark or light.
func (s *Scene) Theme(light bool) {
	s.set(&s.view.Light, light)
	s.theme = colormap.Dark
	if light {
		s.theme = colormap.Light
	}
	s.recolor(false)
}

// Orthographic chooses the projection, else perspective.
func (s *Scene) Orthographic(on bool) {
	s.view.Orthographic = on
	s.cam.SetOrthographic(on)
	s.changed()
}

// Up turns the axis "x", "y" or "z" up; another name is ignored.
func (s *Scene) Up(axis string) {
	switch axis {
	case "x":
		s.cam.SetUp(camera.X)
	case "y":
		s.cam.SetUp(camera.Y)
	case "z":
		s.cam.SetUp(camera.Z)
	default:
		return
	}
	s.view.Up = axis
	s.changed()
}

// viewpoint is where a new mesh is looked at from: the present side, or, for
// what lies in a plane, from above it.
func (s *Scene) viewpoint(flat bool) camera.Pose {
	p := s.cam.Goal()
	switch {
	case flat:
		p.Yaw, p.Pitch, p.Up, s.view.Up = 0, 0, camera.Y, "y"
	case s.wasFlat:
		p.Yaw, p.Pitch = camera.Home().Yaw, camera.Home().Pitch
	}
	s.wasFlat = flat
	return p
}

// Space lays a graph without coordinates out anew, in space or in the plane.
func (s *Scene) Space(on bool) {
	if s.load == nil || !s.meta.Graph || s.load.Space == on || s.flight[toOpen] != 0 {
		return
	}
	again := *s.load
	again.Space = on
	s.open(&again, s.source)
}

// Fit shows the whole mesh.
func (s *Scene) Fit() {
	if s.mesh != nil {
		s.cam.Fit(s.mesh.Radius)
	}
}

// vertex is v, or -1 where there is no such vertex.
func (s *Scene) vertex(v int32) int32 {
	if s.mesh == nil || v < 0 || int(v) >= s.mesh.Vertices() {
		return -1
	}
	return v
}

// soon marks the result stale and solves by itself when changes have settled.
func (s *Scene) soon() {
	clear(s.retried)
	s.endPolish()
	s.endBehind()
	s.stale = s.result != nil
	s.endForecast()
	if s.settle = settleSeconds; s.automatic() {
		s.settle = atOnce
	}
	s.changed()
}
