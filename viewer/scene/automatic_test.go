package scene

import (
	"math"
	"slices"
	"testing"

	"genussink/core/job"
)

// exactly is a new scene that solves by exact.
func exactly() *Scene {
	s := New()
	s.Method("exact")
	return s
}

// automatic is a new page that has opened a mesh.
func automatic(t *testing.T) *rig {
	r := &rig{t: t, s: New(), mesh: grid(9, 7)}
	r.s.OpenGenerated("grid", nil)
	id, _ := one[*job.Generate](r)
	r.answer(id, r.mesh)
	return r
}

var moving = &job.Flowing{Offsets: []int32{0, 3, 4}, Vertices: []int32{0, 1, 2, 5}, Along: []float64{0, 1, 2, 0}}

// By itself a mesh is solved at once, before it is separated; then comes its separator tree, then the exact answer, without a jump in the picture.
func TestAutomaticComesFirst(t *testing.T) {
	r := automatic(t)
	id, _ := one[*job.Measure](r) // and no Separate
	source, target := make([]float64, 63), make([]float64, 63)
	source[3], target[9] = 1, 1
	r.answer(id, &job.Measured{Preset: "paper", Source: source, Target: target})
	id, quick := one[*job.Solve](r)
	if quick.Method != Automatic || !math.IsInf(quick.Accuracy, 1) {
		t.Fatalf("asks for %q with accuracy %g", quick.Method, quick.Accuracy)
	}
	none := math.NaN()
	r.answer(id, &job.Solved{
		Method: "quantized", Requested: Automatic, Status: "converged", Cost: 2, Representatives: 500, Estimate: job.Estimated{Cost: 1.9, Low: 1.8, High: 2.1},
		LowerBound: none, Bound: none, Delta: none, DenseSetup: none, DenseSolve: none,
	})
	result := r.s.State().Transport.Result
	if result.Representatives != 500 || result.Estimate == nil || *result.Estimate != (EstimateState{1.9, 1.8, 2.1}) || result.LowerBound.Known() {
		t.Errorf("result %+v", result)
	}
	if rows := r.s.State().Transport.Comparison.Rows; len(rows) != 0 {
		t.Errorf("compared: %+v", rows)
	}
	id, _ = one[*job.Flow](r)
	r.answer(id, moving)
	r.s.Tick(0.1)
	p := r.s.State().Playback
	if !p.Playing || p.FirstMoveMs == nil || math.Abs(*p.FirstMoveMs-100) > 1e-6 {
		t.Errorf("playback %+v", p)
	}
	r.answer(id, &job.Flowed{Particles: 2})
	id, _ = one[*job.Separate](r)
	r.answer(id, tree(63, 3))
	id, behind := one[*job.Solve](r)
	if behind.Method != "exact" || behind.Patience != behindSeconds || &behind.Source[0] != &quick.Source[0] {
		t.Fatalf("behind it asks for %q with a patience of %g s", behind.Method, behind.Patience)
	}
	if r.s.State().Transport.Solving {
		t.Error("what comes behind is not waited for")
	}
	r.s.Tick(0.1)
	before := r.s.State().Playback
	r.answer(id, &job.Solved{Method: "exact", Status: "converged", Cost: 1.95, Estimate: job.Estimated{Cost: none, Low: none, High: none}})
	id, _ = one[*job.Flow](r)
	r.answer(id, moving)
	r.answer(id, &job.Flowed{Particles: 2})
	if got := r.take(); len(got) != 0 {
		t.Errorf("then it asks %v", kinds(got))
	}
	after := r.s.State()
	if after.Playback.Position != before.Position || !after.Playback.Playing || after.Transport.Result.Method != "exact" || after.Transport.Result.Estimate != nil {
		t.Errorf("after exact: %+v, %+v", after.Playback, after.Transport.Result)
	}
}

// Where exact would take long the estimate is made more accurate instead; what fails behind it leaves it as it is.
func TestBehindAnEstimate(t *testing.T) {
	r := automatic(t)
	none := math.NaN()
	estimate := &job.Solved{Method: "quantized", Status: "converged", Cost: 2, Estimate: job.Estimated{Cost: 1.9, Low: 1.8, High: 2.1}, Bound: none}
	var asked []*job.Solve
	for range 20 {
		for _, q := range r.take() {
			switch b := q.Body.(type) {
			case *job.Measure:
				e := &job.Measured{Source: make([]float64, 63), Target: make([]float64, 63)}
				e.Source[3], e.Target[9] = 1, 1
				r.answer(q.ID, e)
			case *job.Separate:
				r.answer(q.ID, tree(63, 3))
			case *job.Flow:
				r.answer(q.ID, moving)
				r.answer(q.ID, &job.Flowed{Particles: 2})
			case *job.Solve:
				asked = append(asked, b)
				switch {
				case b.Method == "exact":
					r.answer(q.ID, &job.Forecasted{Asked: job.Outlook{Method: "exact", Seconds: 90}, Patience: b.Patience})
				case b.Accuracy == 0:
					r.answer(q.ID, &job.Failed{Message: "no room"})
				default:
					r.answer(q.ID, estimate)
				}
			default:
				t.Fatalf("asks %T", q.Body)
			}
		}
	}
	if len(asked) != 3 || asked[1].Method != "exact" || asked[2].Method != Automatic || asked[2].Accuracy != 0 {
		t.Fatalf("asked %d times", len(asked))
	}
	if st := r.s.State(); st.Transport.Forecast != nil || st.Error != "" || st.Transport.Result.Estimate == nil {
		t.Errorf("forecast %v, error %q, result %+v", st.Transport.Forecast, st.Error, st.Transport.Result)
	}
}

// While the brush moves the solve follows, one at a time, of what is painted by then; the one behind an estimate is given up.
func TestSolveFollowsTheBrush(t *testing.T) {
	r := automatic(t)
	n := 63
	quick := func(b *job.Solve) *job.Solved {
		return &job.Solved{Method: "quantized", Status: "converged", Cost: 2, Estimate: job.Estimated{Cost: 1.9, Low: 1.8, High: 2.1}}
	}
	var behind uint32
	for behind == 0 {
		for _, q := range r.take() {
			switch b := q.Body.(type) {
			case *job.Measure:
				e := &job.Measured{Source: make([]float64, n), Target: make([]float64, n)}
				e.Source[3], e.Target[9] = 1, 1
				r.answer(q.ID, e)
			case *job.Separate:
				r.answer(q.ID, tree(n, 3))
			case *job.Flow:
				r.answer(q.ID, moving)
				r.answer(q.ID, &job.Flowed{Particles: 2})
			case *job.Solve:
				if b.Method == "exact" {
					behind = q.ID
				} else {
					r.answer(q.ID, quick(b))
				}
			}
		}
	}
	r.s.BrushTool(ToolSource)
	r.s.StrokeBegin(20)
	out := r.take()
	if c, ok := out[0].Body.(*job.Cancel); !ok || c.Request != behind {
		t.Fatalf("the stroke begins with %v", kinds(out))
	}
	var solves []*job.Solve
	var open []job.Request
	answer := func(list []job.Request) {
		for _, q := range list {
			switch b := q.Body.(type) {
			case *job.Brush:
				r.answer(q.ID, r.ball(b))
			case *job.Solve:
				solves, open = append(solves, b), append(open, q)
			case *job.Flow:
				if b.Particles != strokeParticles {
					t.Errorf("%d particles while the brush moves", b.Particles)
				}
				r.answer(q.ID, moving)
				r.answer(q.ID, &job.Flowed{Particles: 2})
			}
		}
	}
	answer(out)
	for _, v := range []int32{21, 22, 23, 24} {
		r.s.StrokeMove(v)
		answer(r.take())
		answer(r.take())
	}
	if len(solves) != 1 {
		t.Fatalf("%d solves under way at once", len(solves))
	}
	if now, _ := r.s.Densities(); &now[0] == &solves[0].Source[0] {
		t.Error("what is handed out is painted on")
	}
	r.answer(open[0].ID, quick(solves[0]))
	answer(r.take())
	answer(r.take())
	now, _ := r.s.Densities()
	if len(solves) != 2 || !slices.Equal(solves[1].Source, now) {
		t.Fatalf("%d solves; the last is not of what is painted by now", len(solves))
	}
	r.s.StrokeEnd()
	answer(r.take())
	r.s.Tick(briefly)
	answer(r.take())
	if len(solves) != 3 || !slices.Equal(solves[2].Source, now) || r.s.flight.solve != open[2].ID {
		t.Errorf("%d solves once the brush is lifted", len(solves))
	}
}
