package scene

import (
	"cmp"
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"genussink/core/job"
	"genussink/viewer/timeline"
)

// grid is a flat mesh of w by h vertices one unit apart.
func grid(w, h int) *job.Loaded {
	e := &job.Loaded{Name: "grid", Format: "test"}
	for y := range h {
		for x := range w {
			e.Positions = append(e.Positions, float64(x), float64(y), 0)
		}
	}
	for y := range h - 1 {
		for x := range w - 1 {
			a := int32(y*w + x)
			b, c, d := a+1, a+int32(w), a+int32(w)+1
			e.Faces = append(e.Faces, a, b, c, b, d, c)
		}
	}
	e.Report = job.Report{Vertices: w * h, Faces: len(e.Faces) / 3, Components: 1, EdgeMean: 1, Diagonal: math.Hypot(float64(w-1), float64(h-1))}
	return e
}

// tree splits n vertices into halves by number, the middle one being the
// separator, depth levels deep.
func tree(n, depth int) *job.Separated {
	e := &job.Separated{Finder: "halves", Cells: make([]int32, n)}
	var grow func(parent int32, from, to, at int) int32
	grow = func(parent int32, from, to, at int) int32 {
		i := int32(len(e.Nodes))
		e.Nodes = append(e.Nodes, job.Node{Parent: parent, Left: -1, Right: -1, Depth: int32(at)})
		for v := from; v < to; v++ {
			e.Cells[v] = i
		}
		if at == depth || to-from < 3 {
			e.Nodes[i].A = int32(to - from)
			return i
		}
		middle := (from + to) / 2
		e.Nodes[i].A, e.Nodes[i].S, e.Nodes[i].B = int32(middle-from), 1, int32(to-middle-1)
		left := grow(i, from, middle, at+1)
		right := grow(i, middle+1, to, at+1)
		e.Nodes[i].Left, e.Nodes[i].Right = left, right
		e.Cells[middle] = i
		return i
	}
	if n > 0 {
		grow(-1, 0, n, 0)
	}
	return e
}

// rig is a scene whose requests are kept and answered as a test wants.
type rig struct {
	t    testing.TB
	s    *Scene
	mesh *job.Loaded
	seen []job.Request
}

func newRig(t testing.TB, mesh *job.Loaded) *rig {
	r := &rig{t: t, s: New(), mesh: mesh}
	r.s.Transport.method = "exact" // see automatic for the method that is the default
	r.s.OpenGenerated("grid", nil)
	return r
}

// take drains the outbox. What nobody has asked for, how the mesh is shaded, it leaves out: see TestShade.
func (r *rig) take() []job.Request {
	out := slices.DeleteFunc(r.s.Outbox(), func(q job.Request) bool { _, ok := q.Body.(*job.Shade); return ok })
	r.seen = append(r.seen, out...)
	return out
}

// one returns the only request in the outbox, which must be a T.
func one[T job.Body](r *rig) (uint32, T) {
	r.t.Helper()
	out := r.take()
	if len(out) == 1 {
		if b, ok := out[0].Body.(T); ok {
			return out[0].ID, b
		}
	}
	var want T
	r.t.Fatalf("outbox %v, want one %T", kinds(out), want)
	return 0, want
}

func kinds(list []job.Request) []string {
	var out []string
	for _, r := range list {
		text, _ := json.Marshal(r.Body)
		out = append(out, string(text[:min(len(text), 60)]))
	}
	return out
}

// answer answers a request, and draws the picture where the mesh is there.
func (r *rig) answer(id uint32, body job.Body) {
	r.s.Handle(job.Event{ID: id, Body: body})
	if r.s.Mesh.Mesh != nil {
		r.s.Drawn()
	}
}

// run answers everything, as an engine would, until nothing is asked.
func (r *rig) run() {
	n := len(r.mesh.Positions) / 3
	for out := r.take(); len(out) > 0; out = r.take() {
		for _, q := range out {
			switch b := q.Body.(type) {
			case *job.Generate, *job.Load:
				r.answer(q.ID, r.mesh)
			case *job.Separate:
				r.answer(q.ID, tree(n, 3))
			case *job.Decompose:
				r.answer(q.ID, &job.Decomposed{Lower: 9, Upper: 9, Exact: true, Status: "exact", Decomposition: window(n, 10)})
			case *job.Sweep:
				e := &job.Swept{}
				for size := 1; size < 4; size++ {
					c := job.Cut{A: int32(5 * size), S: int32(size), B: int32(n - 6*size), Sides: make([]byte, n)}
					c.Sides[0] = byte(size)
					e.Cuts = append(e.Cuts, c)
				}
				r.answer(q.ID, e)
			case *job.Measure:
				e := &job.Measured{Preset: b.Preset, Source: make([]float64, n), Target: make([]float64, n)}
				e.Source[0], e.Target[n-1] = 1, 1
				r.answer(q.ID, e)
			case *job.Paint:
				e := &job.Painted{States: make([]job.Measured, len(b.Steps)-b.First+1)}
				for i := range e.States {
					e.States[i] = job.Measured{Source: make([]float64, n), Target: make([]float64, n)}
					e.States[i].Source[i], e.States[i].Target[n-1-i] = 1, 1
				}
				r.answer(q.ID, e)
			case *job.Solve:
				r.answer(q.ID, &job.Solved{Solution: job.Solution{Status: job.Converged, Iterations: 3, Cost: 2, Trace: []float64{0.1, math.NaN()}}, Timings: []job.Timing{{Stage: "solve", Seconds: 0.5}}})
			case *job.Flow:
				r.answer(q.ID, &job.Flowing{Offsets: []int32{0, 3, 4}, Vertices: []int32{0, 1, 2, 5}, Along: []float64{0, 1, 2, 0}})
				r.answer(q.ID, &job.Flowed{Particles: 2})
			case *job.Brush:
				r.answer(q.ID, r.ball(b))
			case *job.Distance:
				r.answer(q.ID, &job.Path{Vertices: []int32{b.From, b.To}, Length: 3})
			case *job.Partners:
				r.answer(q.ID, &job.Partnered{Vertex: b.Vertex, Vertices: []int32{1, 2}, Mass: []float64{0.3, 0.1}, Total: 0.4})
			case *job.Push:
				e := &job.Pushed{Values: make([]float64, n)}
				for v, x := range b.Values { // mass goes to the opposite vertex, and comes from there
					e.Values[n-1-v] = x / float64(n)
				}
				r.answer(q.ID, e)
			case *job.Profile:
				r.answer(q.ID, &job.Profiled{Rows: 4, Longest: 2, Pairs: []int32{1, 2}, Values: []float64{1, 0.5, 0}, Tenth: math.NaN(), Nearer: math.NaN()})
			case *job.Inspect:
				r.answer(q.ID, findings(r.s.Mesh.Mesh))
			case *job.Cancel:
				r.answer(q.ID, &job.Cancelled{})
			default:
				r.t.Fatalf("unexpected request %T", q.Body)
			}
		}
	}
}

// ball is by Manhattan distance, which on a grid without its diagonals is the
// distance along edges.
func (r *rig) ball(b *job.Brush) *job.Brushed {
	e := &job.Brushed{Center: b.Center}
	for v := int32(0); int(v) < len(r.mesh.Positions)/3; v++ {
		d := 0.0
		for k := range int32(3) {
			d += math.Abs(r.mesh.Positions[3*v+k] - r.mesh.Positions[3*b.Center+k])
		}
		if d <= b.Radius {
			e.Vertices, e.Distances = append(e.Vertices, v), append(e.Distances, d)
		}
	}
	if b.Tree { // in the order of distance, each after one that is nearer by 1
		at := map[int32]float64{}
		for k, v := range e.Vertices {
			at[v] = e.Distances[k]
		}
		slices.SortStableFunc(e.Vertices, func(v, w int32) int { return cmp.Compare(at[v], at[w]) })
		for k, v := range e.Vertices {
			e.Distances[k] = at[v]
			before := v
			for u, d := range at {
				p, q := r.mesh.Positions[3*u:], r.mesh.Positions[3*v:]
				if d == at[v]-1 && math.Abs(p[0]-q[0])+math.Abs(p[1]-q[1])+math.Abs(p[2]-q[2]) == 1 {
					before = u
				}
			}
			e.Before = append(e.Before, before)
		}
	}
	return e
}

// ready is a scene that has come to rest after opening.
func ready(t testing.TB) *rig {
	r := newRig(t, grid(9, 7))
	r.run()
	if st := r.s.State(); st.Error != "" || !st.Ready {
		t.Fatalf("not ready: %+v", st)
	}
	return r
}

func TestOpeningLeadsToMotion(t *testing.T) {
	r := newRig(t, grid(9, 7))
	if got := r.s.Phase(); got != PhaseLoading {
		t.Errorf("phase %s while opening", got)
	}
	id, _ := one[*job.Generate](r)
	r.answer(id, r.mesh)
	out := r.take()
	if len(out) != 2 {
		t.Fatalf("after Loaded: %v", kinds(out))
	}
	if m, ok := out[0].Body.(*job.Measure); !ok || m.Preset != "paper" {
		t.Fatalf("first request %v", kinds(out))
	}
	if got := r.s.Phase(); got != PhaseComputing {
		t.Errorf("phase %s while separating", got)
	}
	r.answer(out[1].ID, tree(63, 3))
	if got := r.take(); len(got) != 0 {
		t.Fatalf("solves without densities: %v", kinds(got))
	}
	source, target := make([]float64, 63), make([]float64, 63)
	source[3], target[9] = 1, 1
	r.answer(out[0].ID, &job.Measured{Preset: "paper", Source: source, Target: target})
	id, solve := one[*job.Solve](r)
	if !slices.Equal(solve.Source, source) || solve.Epsilon != job.Fraction(DefaultEpsilon) || solve.Warm {
		t.Errorf("first solve %+v", solve)
	}
	r.answer(id, &job.Progress{Stage: "solve", Fraction: 0.5})
	if st := r.s.State(); st.Stage != "solve" || st.Fraction != 0.5 || !st.Transport.Solving {
		t.Errorf("under way: %+v", st)
	}
	r.answer(id, &job.Solved{Solution: job.Solution{Status: job.Converged, Cost: 1.5}})
	id, flow := one[*job.Flow](r)
	if flow.Particles != Particles {
		t.Errorf("%d particles", flow.Particles)
	}
	if !r.s.Starting() {
		t.Error("mass is not about to move after the first solve")
	}
	r.answer(id, &job.Flowing{Offsets: []int32{0, 2}, Vertices: []int32{3, 9}, Along: []float64{0, 1}})
	if st := r.s.State(); !st.Playback.Playing || st.Phase != PhaseComputing || r.s.Starting() {
		t.Errorf("after the first path: %s, %+v, about to move %v", st.Phase, st.Playback, r.s.Starting())
	}
	r.answer(id, &job.Flowed{Particles: 1})
	st := r.s.State()
	if st.Phase != PhasePlaying || !st.Playback.Playing || st.Transport.Result == nil || st.Transport.Result.Cost != 1.5 {
		t.Errorf("at the end: %+v", st)
	}
	r.s.Tick(0.2)
	if p := r.s.Playback.Position(); math.Abs(p-0.2/PlaySeconds) > 1e-12 {
		t.Errorf("position %g after 0.2 s", p)
	}
	if r.s.Showing().Mass == AtRest || len(r.s.ParticlePositions(nil)) != 6 {
		t.Error("no particle in motion")
	}
}

func TestEveryMeshPlaysByItself(t *testing.T) {
	r := ready(t)
	for _, reference := range []string{"", "b"} { // own and gallery
		r.s.Playback.Pause()
		r.s.OpenFile("b.obj", []byte("x"), nil, reference)
		r.run()
		if st := r.s.State(); !st.Playback.Playing || st.Phase != PhasePlaying {
			t.Errorf("mesh %q: phase %s, playback %+v", reference, st.Phase, st.Playback)
		}
	}
	r.s.Playback.Pause()
	r.s.Solve()
	r.run()
	if r.s.State().Playback.Playing {
		t.Error("a second solve plays against a person's will")
	}
	r.s.View.ReducedMotion(true)
	r.s.OpenFile("c.obj", []byte("x"), nil, "")
	r.run()
	if st := r.s.State(); st.Playback.Playing || !st.Playback.Available || st.Phase != PhaseReady || r.s.Showing().Mass != AtRest {
		t.Errorf("reduced motion: phase %s, playback %+v", st.Phase, st.Playback)
	}
}

func TestReducedMotionStartsNothing(t *testing.T) {
	r := &rig{t: t, s: New(), mesh: grid(5, 5)}
	r.s.View.ReducedMotion(true)
	r.s.OpenGenerated("grid", nil)
	r.run()
	if st := r.s.State(); st.Playback.Playing || !st.Playback.Available {
		t.Errorf("playback %+v", st.Playback)
	}
}

func TestOpeningKeepsTheOldPicture(t *testing.T) {
	r := ready(t)
	old := r.s.Mesh.Mesh
	solveID := uint32(0)
	r.s.Solve()
	for _, q := range r.take() {
		solveID = q.ID
	}
	r.s.OpenFile("broken.obj", []byte("?"), nil, "")
	out := r.take()
	if len(out) != 2 {
		t.Fatalf("opening sends %v", kinds(out))
	}
	if c, ok := out[0].Body.(*job.Cancel); !ok || c.Request != solveID {
		t.Errorf("the solve under way is not cancelled: %v", kinds(out))
	}
	if r.s.Mesh.Mesh != old || r.s.Phase() != PhaseLoading {
		t.Errorf("while opening: the old mesh is gone, or phase %s", r.s.Phase())
	}
	// Nothing may be asked of vertices that the engine may no longer have.
	r.s.BrushTool(ToolSource)
	r.s.Hover(3)
	r.s.StrokeBegin(3)
	r.s.MeasurePath(1, 2)
	r.s.Preset("uniform")
	r.s.Finder("level-set")
	r.s.Solve()
	for range 10 {
		r.s.Tick(0.1)
	}
	if got := r.take(); len(got) != 0 {
		t.Errorf("while opening the scene asks %v", kinds(got))
	}
	r.answer(out[1].ID, &job.Failed{Kind: "input", Message: "obj: line 1: no idea"})
	st := r.s.State()
	if r.s.Mesh.Mesh != old || st.Phase != PhaseError || st.Error != "Could not open broken.obj: obj: line 1: no idea" {
		t.Errorf("after failing: phase %s, error %q", st.Phase, st.Error)
	}
	// What was under way begins again.
	if again := r.take(); len(again) != 1 || again[0].ID == solveID {
		t.Errorf("after failing the scene asks %v", kinds(again))
	} else if _, ok := again[0].Body.(*job.Solve); !ok {
		t.Errorf("after failing the scene asks %v", kinds(again))
	}
	// An answer to the solve of before is stale.
	before := r.s.Revision()
	r.answer(solveID, &job.Solved{Solution: job.Solution{Cost: 99}})
	if r.s.Revision() != before || r.s.State().Transport.Result.Cost == 99 {
		t.Error("a stale answer was taken")
	}
	r.s.Dismiss()
	if r.s.State().Error != "" {
		t.Error("the error stays")
	}
}

// Whoever waits for a file or a comparison is told that another mesh has ended it.
func TestAnotherMeshEndsWork(t *testing.T) {
	for what, begin := range map[string]func(s *Scene){
		"The file was not saved":              func(s *Scene) { s.Export("csv") },
		"The comparison of methods has ended": func(s *Scene) { s.Compare([]string{job.Dense}) },
	} {
		r := ready(t)
		begin(r.s)
		r.take()
		r.s.OpenGenerated("grid", nil)
		r.run()
		if odd := r.s.State().Mesh.Warnings; !slices.Contains(odd, what+": another mesh was opened.") {
			t.Errorf("%s: %q", what, odd)
		}
	}
}

func TestAnswersForTheOldMeshAreIgnored(t *testing.T) {
	r := ready(t)
	r.s.BrushTool(ToolSource)
	r.s.Hover(60)
	id, _ := one[*job.Brush](r)
	r.mesh = grid(2, 2)
	r.s.OpenGenerated("grid", nil)
	r.run()
	r.answer(id, &job.Brushed{Center: 60, Vertices: []int32{60}, Distances: []float64{0}})
	if n := r.s.Mesh.Vertices(); n != 4 || len(r.s.Brush.Ring()) != 0 {
		t.Errorf("%d vertices, ring %v", n, r.s.Brush.Ring())
	}
}

func TestRepaintSolvesOnceItSettles(t *testing.T) {
	r := ready(t)
	r.s.Swap()
	if st := r.s.State(); !st.Transport.Stale || !r.s.Preparing() {
		t.Error("the result is not stale after a swap, or no solve is due")
	}
	r.s.Tick(settleSeconds / 2)
	r.s.Swap()
	r.s.Tick(settleSeconds * 0.8)
	if got := r.take(); len(got) != 0 {
		t.Fatalf("solves before it settles: %v", kinds(got))
	}
	r.s.Tick(settleSeconds * 0.3)
	id, solve := one[*job.Solve](r)
	if !solve.Warm {
		t.Error("starts cold")
	}
	// Another change while solving cancels and solves again.
	r.s.Epsilon(0.05)
	r.s.Tick(settleSeconds)
	r.s.Tick(0.1)
	out := r.take()
	if len(out) != 2 || out[0].Body.(*job.Cancel).Request != id || out[1].Body.(*job.Solve).Epsilon != job.Fraction(0.05) {
		t.Fatalf("a change while solving sends %v", kinds(out))
	}
	r.answer(id, &job.Cancelled{})
	r.answer(out[1].ID, &job.Solved{})
	if st := r.s.State(); st.Transport.Stale || st.Transport.Solving || r.s.Preparing() {
		t.Errorf("%+v", st.Transport)
	}
}

func TestNoMassNoSolve(t *testing.T) {
	r := ready(t)
	r.s.Say("Solved.")
	r.s.Clear()
	for tool, want := range map[Tool]string{ToolNone: "Paint a source and a target, or choose a preset.", ToolSource: "Paint a target.", ToolTarget: "Paint a source."} {
		if r.s.BrushTool(tool); tool != ToolNone {
			r.s.StrokeBegin(20)
			r.s.StrokeEnd()
			for range 3 {
				for _, q := range r.take() {
					if b, ok := q.Body.(*job.Brush); ok {
						r.answer(q.ID, r.ball(b))
					}
				}
				r.s.Tick(0.1)
			}
		}
		if got := r.s.State().Status; got != want {
			t.Errorf("with the tool %v: status %q, want %q", tool, got, want)
		}
		if tool != ToolNone {
			r.s.Undo()
		}
	}
	r.s.BrushTool(ToolNone)
	r.take()
	for range 10 {
		r.s.Tick(0.1)
	}
	if got := r.take(); len(got) != 0 {
		t.Errorf("solves nothing: %v", kinds(got))
	}
	r.s.Solve()
	if st := r.s.State(); st.Error == "" || st.Phase != PhaseError {
		t.Errorf("no word about missing mass: %+v", st)
	}
}

func TestCancelStopsEverything(t *testing.T) {
	r := ready(t)
	r.s.Solve()
	id, _ := one[*job.Solve](r)
	r.s.Cancel()
	cancel, c := one[*job.Cancel](r)
	if c.Request != id {
		t.Errorf("cancels %d, not %d", c.Request, id)
	}
	r.answer(id, &job.Cancelled{})
	r.answer(cancel, &job.Cancelled{})
	for range 10 {
		r.s.Tick(0.1)
	}
	if st := r.s.State(); st.Transport.Solving || st.Phase == PhaseComputing || len(r.take()) != 0 {
		t.Errorf("after cancelling: %+v", st.Phase)
	}
}

// Whatever a person waits for is under way in so many words, and ends with Cancel.
func TestCancelEndsWhatIsWaitedFor(t *testing.T) {
	for what, c := range map[string]struct {
		ask  func(s *Scene)
		says string
	}{
		"inspect":      {(*Scene).Inspect, "Inspecting the mesh…"},
		"curvature":    {func(s *Scene) { s.ShowField(FieldMean) }, "Inspecting the mesh…"},
		"distances":    {func(s *Scene) { s.ShowField(FieldDistance); s.MeasureFrom(3) }, "Measuring the distances…"},
		"displacement": {func(s *Scene) { s.ShowField(FieldDisplacement) }, "Finding the displacement…"},
		"iterations":   {func(s *Scene) { s.Iterate((*timeline.Timeline).Forward) }, "Solving again to show the iterations…"},
	} {
		r := ready(t)
		c.ask(r.s)
		r.take()
		if st := r.s.State(); st.Phase != PhaseComputing || st.Status != c.says {
			t.Errorf("%s: %s, %q", what, st.Phase, st.Status)
		}
		r.s.Cancel()
		one[*job.Cancel](r)
		if st := r.s.State(); st.Phase == PhaseComputing || st.Field.Name != FieldNone || st.Transport.Iterations.Waiting {
			t.Errorf("%s was cancelled: %s, %+v", what, st.Phase, st.Field)
		}
	}
}

// Whoever opens another mesh can go back to the one that was painted on, with all steps of undo.
func TestGoBack(t *testing.T) {
	r := ready(t)
	open := func() {
		r.s.OpenFile("a.off", []byte("x"), nil, "")
		r.run()
	}
	if open(); r.s.State().Replaced != "" {
		t.Error("there is something to go back to, and nothing was painted")
	}
	r.s.OpenGenerated("grid", nil)
	r.run()
	r.s.Swap()
	r.s.Swap()
	if open(); r.s.State().Replaced != "grid" || r.s.State().Densities.Undo != 0 {
		t.Fatalf("replaced: %q, %d steps of undo", r.s.State().Replaced, r.s.State().Densities.Undo)
	}
	if open(); r.s.State().Replaced != "grid" { // on the mesh in between nothing was painted
		t.Errorf("two meshes later replaced: %q", r.s.State().Replaced)
	}
	r.s.GoBack()
	r.run()
	if st := r.s.State(); st.Mesh.Name != "grid" || st.Densities.Undo != 2 || st.Replaced != "" {
		t.Errorf("back on %s with %d steps of undo, replaced: %q", st.Mesh.Name, st.Densities.Undo, st.Replaced)
	}
	open()
	if r.s.ForgetReplaced(); r.s.State().Replaced != "" {
		t.Error("what was parted with is still there")
	}
	if r.s.GoBack(); len(r.take()) != 0 {
		t.Error("the page goes back to what was parted with")
	}
}

// What a Worker took with it when it died is asked for again, once; then the
// person is told.
func TestCrashIsMadeGood(t *testing.T) {
	for kind, advice := range map[string]string{"crash": "Please try again.", "exhausted": "A larger epsilon takes less, and the method quantized the least."} {
		crashIsMadeGood(t, kind, advice)
	}
}

func crashIsMadeGood(t *testing.T, kind, advice string) {
	t.Helper()
	r := ready(t)
	crash := &job.Failed{Kind: kind, Message: "the worker died."}
	r.s.Solve()
	id, first := one[*job.Solve](r)
	r.answer(id, crash)
	r.s.Replaced(true)
	id, again := one[*job.Solve](r)
	if st := r.s.State(); st.Error != "" || !st.Transport.Solving || !slices.Equal(again.Source, first.Source) {
		t.Errorf("after one crash: %q, %+v", st.Error, again)
	}
	r.answer(id, crash)
	r.s.Replaced(true)
	if st := r.s.State(); st.Error != "Could not solve: the worker died. "+advice || st.Transport.Solving {
		t.Errorf("after two: %q", st.Error)
	}
	if got := r.take(); len(got) > 0 {
		t.Errorf("and asks %v", kinds(got))
	}
	r.s.Dismiss()
	r.s.Solve() // the person asks: all begins anew
	r.run()
	// One that dies while nothing is asked takes the plan with it.
	r.s.Hover(4)
	r.run()
	r.s.Replaced(false)
	if got := r.take(); len(got) > 0 {
		t.Errorf("a Worker without the plan died: asks %v", kinds(got))
	}
	r.s.Replaced(true)
	id, _ = one[*job.Solve](r)
	r.answer(id, &job.Solved{Solution: job.Solution{Status: job.Converged, Cost: 2}})
	for _, q := range r.take() { // the plan's questions are the death of the next one too
		r.answer(q.ID, crash)
	}
	r.s.Replaced(true)
	if got := r.take(); len(got) > 0 || !strings.Contains(r.s.State().Error, "again") {
		t.Errorf("dies of the plan's questions: asks %v, says %q", kinds(got), r.s.State().Error)
	}
	// A plan that has worked may be lost again; a question that kills it is not asked for ever.
	r = ready(t)
	for range 3 {
		r.s.Replaced(true)
		r.run()
		if st := r.s.State(); st.Error != "" || st.Transport.Result == nil || !st.Playback.Available {
			t.Fatalf("lost again: %q, %+v", st.Error, st.Playback)
		}
	}
	for i := range 2 {
		r.s.Hover(int32(5))
		for _, q := range r.take() {
			if _, ok := q.Body.(*job.Partners); ok {
				r.answer(q.ID, crash)
			}
		}
		r.s.Replaced(true)
		if said := r.s.State().Error != ""; said != (i == 1) {
			t.Errorf("a question killed the plan %d times: %q", i+1, r.s.State().Error)
		}
		for _, q := range r.take() {
			if _, ok := q.Body.(*job.Solve); ok {
				r.answer(q.ID, &job.Solved{Solution: job.Solution{Status: job.Converged, Cost: 2}})
			}
		}
	}
	// The tree, the densities and those of a painting.
	r = newRig(t, grid(9, 7))
	id, _ = one[*job.Generate](r)
	r.answer(id, r.mesh)
	for range 2 {
		for _, q := range r.take() {
			r.answer(q.ID, crash)
		}
		r.s.Replaced(true)
	}
	if st := r.s.State(); st.Error == "" {
		t.Error("died twice, and not a word")
	}
	r = newRig(t, grid(9, 7))
	id, _ = one[*job.Generate](r)
	r.answer(id, r.mesh)
	for _, q := range r.take() {
		r.answer(q.ID, crash)
	}
	r.s.Replaced(true)
	r.run()
	if st := r.s.State(); st.Error != "" || st.Transport.Result == nil || st.Densities.Preset != "paper" {
		t.Errorf("made good: %q, %+v", st.Error, st.Densities)
	}
}

func TestStateIsPlainData(t *testing.T) {
	r := ready(t)
	r.s.Hover(3)
	r.run()
	r.s.MeasurePath(0, 5)
	r.run()
	for _, st := range []State{New().State(), r.s.State()} {
		text, err := json.Marshal(st)
		if err != nil {
			t.Fatal(err)
		}
		var back State
		if err := json.Unmarshal(text, &back); err != nil {
			t.Error(err)
		}
		again, err := json.Marshal(back)
		if err != nil || string(again) != string(text) {
			t.Errorf("not the same after JSON: %s", again)
		}
	}
}

func TestEmptyAndTinyMeshes(t *testing.T) {
	for _, mesh := range []*job.Loaded{
		{Name: "nothing"},
		{Name: "a point", Positions: []float64{1, 2, 3}, Report: job.Report{Vertices: 1}},
		{Name: "points", Positions: []float64{0, 0, 0, 1, 1, 1}},
		{Name: "a face", Positions: []float64{0, 0, 0, 1, 0, 0, 0, 1, 0}, Faces: []int32{0, 1, 2}},
		{Name: "degenerate", Positions: []float64{0, 0, 0, 0, 0, 0, 0, 0, 0}, Faces: []int32{0, 1, 2, 0, 0, 0}},
		{Name: "huge", Positions: []float64{-1e308, 0, 0, 1e308, 0, 0, 0, 1e308, 0}, Faces: []int32{0, 1, 2}},
	} {
		r := newRig(t, mesh)
		id, _ := one[*job.Generate](r)
		r.answer(id, mesh)
		n := len(mesh.Positions) / 3
		for _, q := range r.take() {
			switch q.Body.(type) {
			case *job.Separate:
				r.answer(q.ID, tree(n, 3))
			case *job.Measure:
				r.answer(q.ID, &job.Measured{Source: make([]float64, n), Target: make([]float64, n)})
			}
		}
		r.s.Tick(1)
		st := r.s.State()
		if st.Error != "" || r.s.Mesh.Vertices() != n || len(r.s.Colors()) != n {
			t.Errorf("%s: error %q, %d vertices, %d colours", mesh.Name, st.Error, r.s.Mesh.Vertices(), len(r.s.Colors()))
		}
		for _, x := range r.s.Mesh.Points {
			if math.IsNaN(float64(x)) || math.Abs(float64(x)) > 1.0001 {
				t.Errorf("%s: point %g", mesh.Name, x)
			}
		}
	}
}

func TestAnswersThatDoNotFitAreErrors(t *testing.T) {
	for _, c := range []struct {
		name string
		body func(q job.Request) job.Body
	}{
		{"positions", func(q job.Request) job.Body { return &job.Loaded{Positions: []float64{1}} }},
		{"faces", func(q job.Request) job.Body {
			return &job.Loaded{Positions: []float64{1, 2, 3}, Faces: []int32{0, 0, 1}}
		}},
		{"not finite", func(q job.Request) job.Body { return &job.Loaded{Positions: []float64{1, 2, math.NaN()}} }},
	} {
		r := newRig(t, nil)
		out := r.take()
		r.answer(out[0].ID, c.body(out[0]))
		if r.s.State().Error == "" {
			t.Errorf("%s: no error", c.name)
		}
	}
	for name, e := range map[string]*job.Separated{
		"no nodes":        {Cells: make([]int32, 63)},
		"few cells":       {Cells: make([]int32, 3), Nodes: []job.Node{{Parent: -1, Left: -1, Right: -1}}},
		"cell":            {Cells: slices.Repeat([]int32{7}, 63), Nodes: []job.Node{{Parent: -1, Left: -1, Right: -1}}},
		"child":           {Cells: make([]int32, 63), Nodes: []job.Node{{Parent: -1, Left: 9, Right: -1}}},
		"loop":            {Cells: make([]int32, 63), Nodes: []job.Node{{Parent: -1, Left: 0, Right: 0}}},
		"parent":          {Cells: make([]int32, 63), Nodes: []job.Node{{Parent: 4, Left: -1, Right: -1}}},
		"depth":           {Cells: make([]int32, 63), Nodes: []job.Node{{Parent: -1, Left: -1, Right: -1, Depth: 3}}},
		"negative child":  {Cells: make([]int32, 63), Nodes: []job.Node{{Parent: -1, Left: -2, Right: -1}}},
		"second no child": {Cells: make([]int32, 63), Nodes: []job.Node{{Parent: -1, Left: -1, Right: -1}, {Parent: -1, Left: -1, Right: -1}}},
	} {
		r := ready(t)
		r.s.Finder("level-set")
		id, _ := one[*job.Separate](r)
		r.answer(id, e)
		if r.s.State().Error == "" {
			t.Errorf("tree with a wrong %s: no error", name)
		}
		r.s.Separation.Level(1)
		r.s.Colors()
	}
	for name, e := range map[string]*job.Flowing{
		"nothing":  {},
		"offsets":  {Offsets: []int32{0, 9}, Vertices: []int32{1}, Along: []float64{0}},
		"vertices": {Offsets: []int32{0, 1}, Vertices: []int32{100}, Along: []float64{0}},
		"along":    {Offsets: []int32{0, 1}, Vertices: []int32{1}, Along: []float64{math.NaN()}},
		"empty":    {Offsets: []int32{0, 0, 1}, Vertices: []int32{1}, Along: []float64{0}},
		"start":    {Offsets: []int32{1, 2}, Vertices: []int32{1, 2}, Along: []float64{0, 1}},
		"rest":     {Offsets: []int32{0, 1}, Vertices: []int32{1, 2}, Along: []float64{0, 1}},
	} {
		r := ready(t)
		r.s.Solve()
		id, _ := one[*job.Solve](r)
		r.answer(id, &job.Solved{})
		id, _ = one[*job.Flow](r)
		r.answer(id, e)
		if r.s.State().Error == "" {
			t.Errorf("flow with wrong %s: no error", name)
		}
		r.s.Tick(0.1)
		r.s.ParticlePositions(nil)
	}
}

// No sub-state holds another one, and what the engine answers is one's alone. Changes are no sub-state: all note them.
func TestSubStatesKnowNoOther(t *testing.T) {
	scene := reflect.TypeFor[Scene]()
	states := map[reflect.Type]bool{scene: true}
	for k := range scene.NumField() {
		if f := scene.Field(k).Type; f.Kind() == reflect.Struct && f != reflect.TypeFor[changes]() {
			states[f] = true
		}
	}
	if len(states) != 17 {
		t.Errorf("%d structs, of which one is the scene", len(states))
	}
	owners := map[reflect.Type]reflect.Type{}
	for state := range states {
		if state == scene {
			continue
		}
		for k := range state.NumField() {
			f := state.Field(k)
			of := f.Type
			if of.Kind() == reflect.Pointer {
				of = of.Elem()
			}
			if states[of] {
				t.Errorf("%v has %s, a %v", state, f.Name, f.Type)
			}
			if of.PkgPath() != reflect.TypeFor[job.Solved]().PkgPath() {
				continue
			}
			if other := owners[of]; other != nil && other != state {
				t.Errorf("%v and %v both have a %v", state, other, of)
			}
			owners[of] = state
		}
	}
}
