package scene

import (
	"math"
	"testing"

	"genussink/core/job"
)

// automatic is a scene of the method that is the default, its mesh's densities there and its tree not.
func automatic(t testing.TB) *rig {
	r := &rig{t: t, s: New(), mesh: grid(9, 7)}
	r.s.OpenGenerated("grid", nil)
	id, _ := one[*job.Generate](r)
	r.answer(id, r.mesh)
	id, _ = one[*job.Measure](r)
	density := make([]float64, 63)
	density[3] = 1
	r.answer(id, &job.Measured{Source: density, Target: density})
	return r
}

// estimated is a quick answer: nothing was measured of dense.
func estimated(cost float64) *job.Solved {
	none := math.NaN()
	return &job.Solved{
		Kernel: job.Kernel{Method: "quantized", Delta: none, Bound: none}, Solution: job.Solution{Status: job.Converged, Cost: cost}, Representatives: 500, Estimate: job.Estimated{Cost: cost, Low: cost - 0.1, High: cost + 0.1}, LowerBound: none, DenseSetup: none, DenseSolve: none,
	}
}

// moving answers the quick solve that was asked for and its flow, and returns what is asked for behind.
func moving(r *rig, id uint32) (behind uint32, solve *job.Solve) {
	r.t.Helper()
	r.answer(id, estimated(2))
	id, _ = one[*job.Flow](r)
	r.answer(id, batchOf(3, 3))
	r.answer(id, &job.Flowed{Particles: 3})
	out := r.take()
	if len(out) != 2 {
		r.t.Fatalf("once mass moves: %v", kinds(out))
	}
	r.answer(out[0].ID, tree(63, 3))
	return out[1].ID, out[1].Body.(*job.Solve)
}

func batchOf(n int, vertex int32) *job.Flowing {
	f := &job.Flowing{Offsets: []int32{0}}
	for range n {
		f.Vertices, f.Along = append(f.Vertices, vertex, vertex+1), append(f.Along, 0, 1)
		f.Offsets = append(f.Offsets, int32(len(f.Vertices)))
	}
	return f
}

// The automatic method answers before the tree is there, and mass moves by that answer. The exact one takes its place
// where playback is, all particles at once.
func TestAutomaticMovesThenRefines(t *testing.T) {
	r := automatic(t)
	id, quick := one[*job.Solve](r)
	if quick.Method != Automatic || !math.IsInf(quick.Accuracy, 1) {
		t.Fatalf("asks by %q, accuracy %g", quick.Method, quick.Accuracy)
	}
	r.s.Tick(0.5)
	behind, exact := moving(r, id)
	if exact.Method != "exact" || exact.Patience != behindSeconds || exact.Accuracy != 0 {
		t.Fatalf("behind the quick answer: %+v", exact)
	}
	r.s.Tick(0.25)
	st := r.s.State()
	if p := st.Playback; !p.Playing || p.FirstMoveMs == nil || math.Abs(*p.FirstMoveMs-750) > 1e-6 {
		t.Errorf("playback %+v", p)
	}
	res := st.Transport.Result
	if res.Method != "quantized" || res.Representatives != 500 || res.Estimate == nil || res.Estimate.Low != 1.9 || !st.Transport.Refining || !r.s.Estimated() {
		t.Errorf("result %+v", res)
	}
	if d := st.Transport.Comparison.Rows[0].Dense; d.Setup.Known() || d.Cold.Known() || d.Warm.Known() {
		t.Errorf("dense was not measured, and is said to take %+v", d)
	}
	position := r.s.Playback.Position()
	r.answer(behind, &job.Solved{Kernel: job.Kernel{Method: "exact"}, Solution: job.Solution{Status: job.Converged, Cost: 2.05}, Estimate: job.NoEstimate()})
	id, _ = one[*job.Flow](r)
	before := r.s.ParticlePositions(nil)
	r.answer(id, batchOf(2, 30))
	if now := r.s.ParticlePositions(nil); len(now) != len(before) || now[1] != before[1] {
		t.Error("particles change before there are as many")
	}
	r.answer(id, batchOf(2, 30))
	if now := r.s.ParticlePositions(nil); len(now) < len(before) || now[1] == before[1] {
		t.Error("particles are still those of the estimate")
	}
	r.answer(id, &job.Flowed{Particles: 4})
	st = r.s.State()
	if res := st.Transport.Result; res.Method != "exact" || res.Estimate != nil || res.Cost != 2.05 || st.Transport.Refining || r.s.Playback.Position() != position || !st.Playback.Playing {
		t.Errorf("the exact result: %+v at %g, before at %g", res, r.s.Playback.Position(), position)
	}
	if out := r.take(); len(out) != 0 {
		t.Errorf("goes on after the exact result: %v", kinds(out))
	}
}

// A Worker that dies of the more exact answer is asked for it once more, not for ever; the quick answer stands, and the person is told.
func TestDeathBehindTheQuickAnswer(t *testing.T) {
	for _, plan := range []bool{false, true} { // the quick answer's Worker died too
		r := automatic(t)
		id, _ := one[*job.Solve](r)
		behind, _ := moving(r, id)
		died := &job.Failed{Kind: "exhausted", Message: "it ran out of memory."}
		asked := 1
		for deaths := 1; behind != 0; deaths++ {
			if deaths > 2 {
				t.Fatalf("asked for what it died of %d times", deaths)
			}
			r.answer(behind, died)
			r.s.Replaced(plan)
			for behind = 0; ; {
				out := r.take()
				if len(out) == 0 {
					break
				}
				for _, q := range out {
					switch b := q.Body.(type) {
					case *job.Solve:
						if b.Method == "exact" {
							behind, asked = q.ID, asked+1
						} else {
							r.answer(q.ID, estimated(2))
						}
					case *job.Flow:
						r.answer(q.ID, batchOf(3, 3))
						r.answer(q.ID, &job.Flowed{Particles: 3})
					}
				}
			}
		}
		st := r.s.State()
		if want := unrefined + died.Message; st.Status != want && !plan || st.Error != "" || !r.s.Estimated() || st.Transport.Refining {
			t.Errorf("after %d tries: %q, %q, refining %v", asked, st.Status, st.Error, st.Transport.Refining)
		}
		r.s.Solve() // the person asks: all begins anew
		id, _ = one[*job.Solve](r)
		r.answer(id, estimated(2))
		id, _ = one[*job.Flow](r)
		r.answer(id, batchOf(3, 3))
		r.answer(id, &job.Flowed{Particles: 3})
		if _, solve := one[*job.Solve](r); solve.Method != "exact" {
			t.Errorf("asked anew: %+v", solve)
		}
	}
}

// Where exact would take long, certified or a better estimate follows by itself, and exact when it is asked for.
func TestRefinesWithinItsPatience(t *testing.T) {
	r := automatic(t)
	id, _ := one[*job.Solve](r)
	behind, _ := moving(r, id)
	long := job.Outlook{KernelSpec: job.KernelSpec{Method: "certified", Delta: job.Fraction(0.01)}, Seconds: 50}
	r.answer(behind, &job.Forecasted{Asked: job.Outlook{KernelSpec: job.KernelSpec{Method: "exact"}, Seconds: 60}, Others: []job.Outlook{long}, Limit: 1e9, Patience: behindSeconds})
	id, solve := one[*job.Solve](r)
	if solve.Method != Automatic || solve.Accuracy != 0 || r.s.State().Transport.Forecast != nil {
		t.Fatalf("goes on by %q, accuracy %g", solve.Method, solve.Accuracy)
	}
	r.answer(id, estimated(2.01))
	r.take()
	r.s.Exact()
	id, solve = one[*job.Solve](r)
	if solve.Method != "exact" || solve.Patience != 0 {
		t.Fatalf("asked for exact, asks for %q with a patience of %g", solve.Method, solve.Patience)
	}
	r.answer(id, &job.Failed{Kind: "memory", Message: "it needs 5 GB."})
	if st := r.s.State(); st.Error != "" || st.Transport.Result == nil {
		t.Errorf("the estimate does not stand: %q", st.Error)
	}
	if r.s.status != "No more exact answer: it needs 5 GB." {
		t.Errorf("says %q", r.s.status)
	}
	r.s.Exact()
	id, _ = one[*job.Solve](r)
	r.answer(id, &job.Solved{Kernel: job.Kernel{Method: "exact"}})
	if r.s.Exact(); r.s.Estimated() {
		t.Error("the exact answer is said to be an estimate")
	}

	r = automatic(t)
	id, _ = one[*job.Solve](r)
	behind, _ = moving(r, id)
	soon := job.Outlook{KernelSpec: job.KernelSpec{Method: "certified", Delta: job.Fraction(0.01)}, Seconds: 5}
	r.answer(behind, &job.Forecasted{Asked: job.Outlook{KernelSpec: job.KernelSpec{Method: "exact"}, Seconds: 60}, Others: []job.Outlook{soon}, Limit: 1e9, Patience: behindSeconds})
	if _, solve = one[*job.Solve](r); solve.Method != "certified" {
		t.Errorf("goes on by %q", solve.Method)
	}
}

// While the brush moves one solve at a time follows it, each of the latest densities. The work behind is given up with the first dab and begins again on release.
func TestSolvesFollowTheBrush(t *testing.T) {
	r := automatic(t)
	id, first := one[*job.Solve](r)
	behind, _ := moving(r, id)
	r.s.BrushTool(ToolSource)
	r.s.BrushRadius(0.1)
	r.s.StrokeBegin(30)
	dab := func() {
		t.Helper()
		for _, q := range r.take() {
			if b, ok := q.Body.(*job.Brush); ok {
				r.answer(q.ID, r.ball(b))
				return
			}
		}
		t.Fatal("no dab")
	}
	dab()
	out := r.take()
	if len(out) != 2 || out[0].Body.(*job.Cancel).Request != behind {
		t.Fatalf("after the first dab: %v", kinds(out))
	}
	id = out[1].ID
	solve := out[1].Body.(*job.Solve)
	if !math.IsInf(solve.Accuracy, 1) || solve.Source[30] <= first.Source[30] {
		t.Errorf("follows with %+v", solve)
	}
	was := solve.Source[31]
	for _, v := range []int32{31, 32, 33} {
		r.s.StrokeMove(v)
		dab()
		if out := r.take(); len(out) != 0 {
			t.Fatalf("queues: %v", kinds(out))
		}
	}
	if solve.Source[31] != was {
		t.Error("what was asked changes under the brush")
	}
	r.answer(id, estimated(3))
	id, asked := one[*job.Flow](r)
	if asked.Particles != strokeParticles {
		t.Errorf("%d particles of a plan about to change", asked.Particles)
	}
	r.answer(id, batchOf(strokeParticles, 3))
	r.answer(id, &job.Flowed{Particles: strokeParticles})
	id, solve = one[*job.Solve](r)
	if solve.Source[33] <= was {
		t.Error("the next solve is not of the latest densities")
	}
	if st := r.s.State(); !st.Transport.Solving || !st.Densities.Stroke {
		t.Errorf("while it follows: %+v", st.Transport)
	}
	r.answer(id, estimated(3.1))
	id, _ = one[*job.Flow](r)
	r.answer(id, batchOf(strokeParticles, 3))
	r.answer(id, &job.Flowed{Particles: strokeParticles})
	if out := r.take(); len(out) != 0 {
		t.Fatalf("nothing has changed, and it asks for %v", kinds(out))
	}
	r.s.StrokeEnd()
	r.s.Tick(0.001)
	id, solve = one[*job.Solve](r)
	if source, _ := r.s.Densities.Values(); &solve.Source[0] != &source[0] {
		t.Error("the last solve is not of the stroke's end")
	}
	r.answer(id, estimated(3.1))
	id, asked = one[*job.Flow](r)
	if asked.Particles != Particles {
		t.Errorf("%d particles after the stroke", asked.Particles)
	}
	r.answer(id, batchOf(3000, 3))
	r.answer(id, &job.Flowed{Particles: 3000})
	if _, solve = one[*job.Solve](r); solve.Method != "exact" {
		t.Errorf("behind the stroke by %q", solve.Method)
	}
}

// Where a kernel, a reach or the divergence needs another method, that one takes automatic's place, and says so. Automatic is back once
// nothing needs it, but for a method that was chosen meanwhile.
func TestAutomaticComesBack(t *testing.T) {
	for name, c := range map[string]struct {
		on, off func(s *Scene)
		method  string
	}{
		"kernel":     {func(s *Scene) { s.Kernel("squared") }, func(s *Scene) { s.Kernel("exp") }, job.Certified},
		"reach":      {func(s *Scene) { s.Reach(0.5) }, func(s *Scene) { s.Reach(0) }, job.Exact},
		"divergence": {func(s *Scene) { s.Debias(true) }, func(s *Scene) { s.Debias(false) }, job.Exact},
		"both":       {func(s *Scene) { s.Reach(0.5); s.Kernel("squared") }, func(s *Scene) { s.Kernel("exp") }, job.Certified},
		"two":        {func(s *Scene) { s.Debias(true); s.Kernel("squared") }, func(s *Scene) { s.Kernel("exp"); s.Debias(false) }, job.Certified},
	} {
		s := automatic(t).s
		c.on(s)
		if got := s.State().Transport.Method; got != c.method || !s.State().Transport.Yielded {
			t.Errorf("%s: the method is %q", name, got)
		}
		if c.off(s); s.State().Transport.Method != Automatic || s.State().Transport.Yielded {
			t.Errorf("%s taken back: the method is %q", name, s.State().Transport.Method)
		}
		c.on(s)
		if s.Method(job.Tree); s.State().Transport.Method != job.Tree {
			t.Errorf("%s: tree is not taken", name)
		}
		// Automatic is chosen while it cannot be had: the method has its place at once. The divergence it ends.
		if s.Method(Automatic); s.State().Transport.Method != c.method && s.State().Transport.Method != Automatic || s.State().Transport.Method == Automatic && name != "divergence" {
			t.Errorf("%s: automatic is chosen, the method is %q", name, s.State().Transport.Method)
		}
		c.on(s)
		s.Method(job.Embedded)
		if c.off(s); s.State().Transport.Method != job.Embedded {
			t.Errorf("%s: the method chosen is %q", name, s.State().Transport.Method)
		}
	}
}
