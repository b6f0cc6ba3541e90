package engine_test

import (
	"slices"
	"testing"

	"genussink/core/engine"
	"genussink/core/job"
	"genussink/core/paint"
)

// Steps make, in one request, bit for bit what the brush made dab by dab, after
// every one of them.
func TestPaintingIsMadeAnew(t *testing.T) {
	c := newClient(t, engine.Options{})
	loaded, d := c.open(sphere(10))
	now := paint.Pair{d.Source, d.Target}
	steps := []job.Step{{Kind: job.StepMeasure, Measure: job.Measure{Preset: d.Preset}}}
	states := []paint.Pair{now}
	did := func(step job.Step, after paint.Pair) {
		now = after
		steps, states = append(steps, step), append(states, after)
	}
	pressure, anew := byte(job.FullPressure), true
	stroke := func(kind string, radius, strength float64, along ...int32) {
		s := paint.Begin(now, &job.Step{Kind: kind, Radius: radius * loaded.Report.Diagonal, Strength: strength, Anew: anew})
		for _, v := range along {
			ball := ask[*job.Brushed](c, &job.Brush{Center: v, Radius: radius * loaded.Report.Diagonal, Edges: kind == job.StrokeSmooth})
			s.Dab(ball, pressure)
		}
		did(s.Step, s.Now)
	}
	stroke(job.StrokeSource, 0.08, 0.7, 3, 4, 5, 900)
	if states[1][paint.Source][500] != 0 || !slices.Equal(states[1][paint.Target], d.Target) {
		t.Error("a stroke that paints the source anew does not begin on nothing, or takes the target too")
	}
	anew = false
	stroke(job.StrokeErase, 0.2, 0.9, 3, 300)
	pressure = 90
	stroke(job.StrokeTarget, 0.1, 0.8, 500, 501)
	pressure = job.FullPressure
	stroke(job.StrokeSmooth, 0.15, 0.8, 3, 4, 900)
	for _, kind := range []string{job.StrokeSource, job.StrokeTarget, job.StrokeErase, job.StrokeSmooth} {
		fill := job.Step{Kind: kind, Fill: true, Strength: 0.6, Centres: []int32{2, 3, 40, 41}}
		did(fill, paint.Fill(now, &fill))
	}
	did(job.Step{Kind: job.StepSwap}, paint.Pair{now[paint.Target], now[paint.Source]})
	stroke(job.StrokeTarget, 0, 1, 17)
	did(job.Step{Kind: job.StepValues, Source: now[paint.Target], Target: d.Source}, paint.Pair{now[paint.Target], d.Source})
	stroke(job.StrokeErase, 0.1, 1, 7)
	n := loaded.Report.Vertices
	did(job.Step{Kind: job.StepClear}, paint.Pair{make([]float64, n), make([]float64, n)})
	stroke(job.StrokeTarget, 0.05, 0.3, 20, 21) // the first dab on nothing has mass
	stroke(job.StrokeTarget, 0.5, 0.3)          // a stroke that was lifted at once
	for _, first := range []int{0, 1, 4, len(steps)} {
		p := ask[*job.Painted](c, &job.Paint{Vertices: n, Steps: steps, First: first})
		if len(p.States) != len(steps)-first+1 {
			t.Fatalf("from %d: %d states", first, len(p.States))
		}
		for i, s := range p.States {
			if first+i == 0 {
				continue // nothing yet
			}
			want := states[first+i-1]
			if !slices.Equal(s.Source, want[paint.Source]) || !slices.Equal(s.Target, want[paint.Target]) {
				t.Errorf("from %d: after step %d, %s, the densities are others", first, first+i, steps[first+i-1].Kind)
			}
			if named := s.Preset != ""; named != (steps[first+i-1].Kind == job.StepMeasure) {
				t.Errorf("after step %d the preset is %q", first+i, s.Preset)
			}
		}
	}
	refuse(c, &job.Paint{Vertices: n + 1, Steps: steps}, "input", "mesh of 1003 vertices, this one has 1002")
	refuse(c, &job.Paint{Steps: steps, First: len(steps) + 1}, "input", "after step")
	for words, step := range map[string]job.Step{
		"vertex 1002 does not exist":      {Kind: job.StrokeSource, Centres: []int32{1002}},
		"radius -1":                       {Kind: job.StrokeSource, Radius: -1, Centres: []int32{0}},
		"strength 2":                      {Kind: job.StrokeErase, Strength: 2},
		"kind \"varnish\"":                {Kind: "varnish"},
		"no preset \"nothing\"":           {Kind: job.StepMeasure, Measure: job.Measure{Preset: "nothing"}},
		"the source has 0 values":         {Kind: job.StepValues},
		"the target at vertex 0 is -0.5":  {Kind: job.StepValues, Source: d.Source, Target: append([]float64{-0.5}, d.Target[1:]...)},
		"vertex 1003 does not exist":      {Kind: job.StrokeSource, Fill: true, Centres: []int32{1003}},
		"1 pressures for 2 dabs":          {Kind: job.StrokeSource, Pressures: []byte{3}, Centres: []int32{1, 2}},
		"step 2 of the painting: a brush": {Kind: job.StrokeErase, Strength: -1},
	} {
		refuse(c, &job.Paint{Steps: []job.Step{{Kind: job.StepClear}, step}}, "input", words)
	}
	small := newClient(t, engine.Options{MemoryLimit: 100 << 10})
	small.open(sphere(10))
	refuse(small, &job.Paint{Steps: steps}, "memory", "take")
}
