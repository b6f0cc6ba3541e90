package scene

import (
	"math"
	"slices"
	"strings"
	"testing"

	"genussink/core/job"
	"genussink/core/session"
)

// Weights are of total 1 and none is negative. A corner has all, the middle has the same of each, and a place outside is moved in. A weight that is
// wished for is had where it can be.
func TestWeights(t *testing.T) {
	for of := 2; of <= MostPaintings; of++ {
		for i, w := range must(weightsAt(middle(of)[0], middle(of)[1], of)) {
			if math.Abs(w-1/float64(of)) > 1e-12 {
				t.Errorf("of %d: weight %d is %g in the middle", of, i, w)
			}
		}
		for i := range of {
			x, y := Corner(i, of)
			if w := must(weightsAt(x, y, of)); w[i] != 1 {
				t.Errorf("of %d: weights %v at corner %d", of, w, i)
			}
		}
		for x := -0.5; x <= 1.5; x += 0.125 {
			for y := -0.5; y <= 1.5; y += 0.125 {
				w, at := weightsAt(x, y, of)
				total := 0.0
				for _, v := range w {
					total += v
				}
				again, still := weightsAt(at[0], at[1], of)
				if math.Abs(total-1) > 1e-12 || slices.Min(w) < 0 || math.Abs(still[0]-at[0])+math.Abs(still[1]-at[1]) > 1e-12 {
					t.Fatalf("of %d at %g, %g: weights %v at %v, again %v at %v", of, x, y, w, at, again, still)
				}
				for i := range of {
					for _, wish := range []float64{0, 0.3, 1} {
						to := weigh(i, wish, at, of)
						got := must(weightsAt(to[0], to[1], of))
						if math.Abs(got[i]-wish) > 1e-12 {
							t.Fatalf("of %d at %v: painting %d wants %g and has %v", of, at, i, wish, got)
						}
						for k := range of { // the others keep their proportions
							if of < 4 && k != i && w[i] < 1-1e-9 && math.Abs(got[k]-w[k]*(1-wish)/(1-w[i])) > 1e-12 {
								t.Fatalf("of %d: %v became %v", of, w, got)
							}
						}
					}
				}
			}
		}
	}
	// In the square they are bilinear.
	if w := must(weightsAt(0.25, 0.75, 4)); !slices.Equal(w, []float64{0.5625, 0.1875, 0.1875, 0.0625}) {
		t.Errorf("square: %v", w)
	}
}

func must(weights []float64, _ [2]float64) []float64 { return weights }

// between is an answer on n vertices.
func between(n int, costs ...float64) *job.Barycentred {
	e := &job.Barycentred{Kernel: job.Kernel{Method: job.Certified, Function: "squared", Epsilon: 3}, Density: make([]float64, n), Costs: costs, Status: job.Converged, Iterations: 7, Timings: []job.Timing{{Stage: "solve", Seconds: 0.5}}}
	e.Density[1], e.Density[2] = 0.75, 0.25
	return e
}

// Paintings are kept and weighed; their barycentre takes the place of the densities on the mesh. Of weights that change while one is under way the latest are
// asked for, and what was asked of other paintings is no longer wanted.
func TestBarycentre(t *testing.T) {
	r := automatic(t)
	r.run()
	n := r.s.Mesh.Vertices()
	r.s.FindBarycentre()
	r.s.KeepPainting(false)
	r.s.FindBarycentre()
	if line, needs := r.s.Command("barycentre", "", Look{}); line != "" || needs == "" {
		t.Errorf("command %s; %s", line, needs)
	}
	if out := r.take(); len(out) != 0 {
		t.Errorf("of fewer than two it asks for %v", kinds(out))
	}
	r.s.KeepPainting(true)
	source, target := r.s.Densities.Values()
	r.s.FindBarycentre()
	id, q := one[*job.Barycentre](r)
	if q.Function != "squared" || q.Method != job.Certified || q.Delta.Value != DefaultDelta || q.Epsilon != job.Fraction(session.LeastBetween) ||
		!slices.Equal(q.Weights, []float64{0.5, 0.5}) || !slices.Equal(q.Densities, slices.Concat(source, target)) {
		t.Errorf("asks for %+v with %v", q.KernelSpec, q.Weights)
	}
	if st := r.s.State(); st.Phase != PhaseComputing || !st.Barycentre.Computing || st.Status != "Finding the barycentre…" {
		t.Errorf("%s: %s", st.Phase, st.Status)
	}
	r.s.PlaceWeights(0.6, 0)
	r.s.PlaceWeights(0.75, 0.4)
	if out := r.take(); len(out) != 0 {
		t.Errorf("beside the first it asks for %v", kinds(out))
	}
	r.answer(id, between(n, 2, 3))
	st := r.s.State()
	if b := st.Barycentre; !b.Known || !b.Shown || !b.Stale || b.Paintings[0].Cost != 2 || b.Paintings[1].Cost != 3 || b.Iterations != 7 || b.Seconds != 0.5 || b.Most != 0.75 || b.Epsilon != 3 {
		t.Errorf("%+v", b)
	}
	id, q = one[*job.Barycentre](r)
	if !slices.Equal(q.Weights, []float64{0.25, 0.75}) {
		t.Errorf("asks then for %v", q.Weights)
	}
	r.answer(id, between(n, 4, 1))
	st = r.s.State()
	if on := lines(r.s); !slices.Equal(on[LayerBetween], []string{"between the paintings, none to most"}) || len(on[LayerDensities])+len(on[LayerMass]) > 0 || st.Barycentre.Stale || !r.s.Showing().Between {
		t.Errorf("legend %v, %+v", on, st.Barycentre)
	}
	if colors := r.s.Colors(); colors[1] == colors[0] || colors[1] == colors[2] {
		t.Errorf("colours %v", colors[:3])
	}
	// One without weight is left out, and has no cost.
	r.s.Weigh(0, 1)
	id, q = one[*job.Barycentre](r)
	if !slices.Equal(q.Weights, []float64{1}) || !slices.Equal(q.Densities, source) {
		t.Errorf("asks for %v of %d values", q.Weights, len(q.Densities))
	}
	r.answer(id, between(n, 0.5))
	if b := r.s.State().Barycentre; b.Paintings[0].Cost != 0.5 || b.Paintings[1].Cost.Known() {
		t.Errorf("%+v", b.Paintings)
	}
	// The same place again asks for nothing. Another epsilon does, and a kernel of squared distance; what is not shown follows none.
	r.s.PlaceWeights(0, 0)
	r.s.Kernel("gauss:s=2")
	id, q = one[*job.Barycentre](r)
	if q.Function != "gauss:s=2" {
		t.Errorf("asks for %+v", q.KernelSpec)
	}
	r.answer(id, between(n, 0.5))
	r.s.Toggle(LayerBetween)
	r.s.Epsilon(0.5)
	for _, q := range r.take() {
		if _, ok := q.Body.(*job.Barycentre); ok {
			t.Error("asks for what is not shown")
		}
	}
	if b := r.s.State().Barycentre; b.Shown || !b.Stale {
		t.Errorf("%+v", b)
	}
	// Painting covers it, and so does play.
	r.s.Toggle(LayerBetween)
	if r.s.BrushTool(ToolSource); r.s.State().Barycentre.Shown {
		t.Error("it covers what is painted")
	}
	r.s.BrushTool(ToolNone)
	// A painting more: what was found is of others. The answer to what was asked before is nobody's.
	r.run()
	r.s.FindBarycentre()
	id, _ = one[*job.Barycentre](r)
	r.s.KeepPainting(false)
	r.answer(id, between(n, 9))
	if b := r.s.State().Barycentre; b.Known || b.Computing || len(b.Paintings) != 3 || b.Paintings[2].Number != 3 {
		t.Errorf("%+v", b)
	}
	r.s.DropPainting(0)
	r.s.KeepPainting(true)
	r.s.KeepPainting(true)
	r.s.KeepPainting(true)
	if b := r.s.State().Barycentre; len(b.Paintings) != 4 || b.Paintings[2].Number != 1 || b.Paintings[3].Number != 4 || b.Paintings[3].Weight != 0.25 {
		t.Errorf("%+v", b)
	}
	// What was dropped finds no room, then its old place; its number is another's by now. The weights come back with the last one dropped.
	r.s.ReturnPainting()
	if b := r.s.State().Barycentre; len(b.Paintings) != 4 || b.Removed != 1 {
		t.Errorf("%+v", b)
	}
	r.s.PlaceWeights(0.25, 0.25)
	r.s.DropPainting(3)
	was := r.s.State().Barycentre
	r.s.ReturnPainting()
	if b := r.s.State().Barycentre; len(was.Paintings) != 3 || was.At == b.At || b.At != [2]float64{0.25, 0.25} || b.Paintings[3].Number != 4 {
		t.Errorf("%+v", b)
	}
	r.s.DropPainting(1)
	r.s.DropPainting(1)
	for range 3 {
		r.s.ReturnPainting()
	}
	if b := r.s.State().Barycentre; len(b.Paintings) != 4 || b.Removed != 1 || b.Paintings[1].Number != 3 || b.Paintings[2].Number != 1 {
		t.Errorf("%+v", b)
	}
	// What fails is said. What does not fit is an error.
	r.take()
	r.s.FindBarycentre()
	id, q = one[*job.Barycentre](r)
	r.answer(id, &job.Failed{Kind: "input", Message: "no"})
	if st := r.s.State(); st.Error != "Could not find the barycentre: no" || st.Barycentre.Known {
		t.Errorf("%q", st.Error)
	}
	r.s.FindBarycentre()
	id, _ = one[*job.Barycentre](r)
	r.answer(id, between(n, 1, 2, 3))
	if st := r.s.State(); !strings.Contains(st.Error, "does not fit") || st.Barycentre.Known || len(q.Weights) != 4 {
		t.Errorf("%q", st.Error)
	}
	// Cancel ends it.
	r.s.FindBarycentre()
	r.s.PlaceWeights(0.1, 0.1)
	r.s.Cancel()
	r.take()
	if st := r.s.State(); st.Barycentre.Computing {
		t.Errorf("%+v", st.Barycentre)
	}
	if line, needs := r.s.Command("barycentre", "", Look{}); !strings.HasSuffix(line, ".genussink -method certified -epsilon 0.5 -delta 0.01 -kernel 'gauss:s=2' -tolerance 1e-06 -out grid-barycentre.txt") || !strings.Contains(needs, "save the session file") {
		t.Errorf("command %s; %s", line, needs)
	}
	// Whatever method the page solves with, a barycentre asks for one that has such kernels.
	for _, method := range job.Methods {
		r.s.Transport.method = method
		spec := r.s.Barycentre.wish(&r.s.Transport).spec
		if _, err := spec.Complete(); err != nil || !job.Whole(spec.Method) {
			t.Errorf("beside %s it asks for %s: %v", method, spec.Method, err)
		}
	}
	// Link and session file bring the paintings and their weights back.
	r.s.DropPainting(3)
	r.s.Weigh(1, 0.6)
	text := link(r.s)
	sn := parse(t, text)
	if len(sn.Kept) != 3 || !sn.Kept[0].Target || sn.Kept[1].Target || !sn.Kept[2].Target || math.Abs(sn.Kept[1].Weight-0.6) > 1e-12 {
		t.Fatalf("link %s", text)
	}
	before := r.s.State().Barycentre
	other := opened(t, sn, grid(9, 7))
	other.run()
	if b := other.s.State().Barycentre; len(b.Paintings) != 3 || math.Abs(b.At[0]-before.At[0])+math.Abs(b.At[1]-before.At[1]) > 1e-12 || b.Known {
		t.Errorf("restored %+v, want %+v", b, before)
	}
	if _, complete := other.s.Session(); !complete || len(parse(t, link(other.s)).Kept) != 3 {
		t.Errorf("restored, the link is %s", link(other.s))
	}
	// A new mesh has none.
	r.s.OpenGenerated("grid", nil)
	r.run()
	if b := r.s.State().Barycentre; len(b.Paintings) != 0 || b.Known {
		t.Errorf("%+v", b)
	}
}

// What has no mass is not kept, nor what has other shares of its mass in the components: both say why.
func TestPaintingsThatCannotBeKept(t *testing.T) {
	r := apart(t)
	r.s.KeepPainting(false)
	r.paintOn(ToolSource, 4)
	r.s.StrokeEnd()
	r.s.KeepPainting(false)
	if st := r.s.State(); len(st.Barycentre.Paintings) != 1 || !strings.Contains(st.Error, "The source and painting 1 differ in ") || !strings.HasSuffix(st.Error, "Paint the same shares.") {
		t.Errorf("%d paintings, %q", len(st.Barycentre.Paintings), st.Error)
	}
	r.s.Clear()
	r.s.KeepPainting(true)
	if st := r.s.State(); len(st.Barycentre.Paintings) != 1 || st.Error != "The target has no mass: paint it first." {
		t.Errorf("%d paintings, %q", len(st.Barycentre.Paintings), st.Error)
	}
}
