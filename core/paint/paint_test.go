package paint

import (
	"math"
	"slices"
	"testing"

	"genussink/core/job"
)

// ball is a path of n vertices, one unit apart, around the one in the middle.
func ball(n int) *job.Brushed {
	b := &job.Brushed{Center: int32(n / 2)}
	for v := range int32(n) {
		b.Vertices = append(b.Vertices, v)
		b.Distances = append(b.Distances, math.Abs(float64(v-b.Center)))
		if v > 0 {
			b.Edges, b.Lengths = append(b.Edges, v-1, v), append(b.Lengths, 1)
		}
	}
	return b
}

func sum(values []float64) (s float64) {
	for _, x := range values {
		s += x
	}
	return s
}

func TestSmoothEvensOutAndKeepsMass(t *testing.T) {
	const n = 9
	before := Pair{make([]float64, n), make([]float64, n)}
	before[Source][4], before[Target][3] = 2, 5
	s := Begin(before, &job.Step{Kind: job.StrokeSmooth, Radius: 5, Strength: 1})
	for range 3 {
		spread := slices.Max(s.Now[Source])
		s.Dab(ball(n), job.FullPressure)
		if top := slices.Max(s.Now[Source]); !(top < spread) {
			t.Errorf("the peak was %g, it is %g", spread, top)
		}
	}
	for k, mass := range []float64{2, 5} {
		if got := sum(s.Now[k]); math.Abs(got-mass) > 1e-12 || slices.Min(s.Now[k]) < 0 {
			t.Errorf("mass %g is %g now: %v", mass, got, s.Now[k])
		}
	}
	if sum(before[Source]) != 2 || before[Source][4] != 2 {
		t.Error("the densities before have changed")
	}
	long := ball(n)
	for e := range long.Lengths {
		if e >= n/2 {
			long.Lengths[e] = 10
		}
	}
	one := Begin(before, &job.Step{Kind: job.StrokeSmooth, Radius: 5, Strength: 1})
	one.Dab(long, job.FullPressure)
	if left, right := one.Now[Source][3], one.Now[Source][5]; !(left > 2*right) {
		t.Errorf("along a long edge flows %g, along a short one %g", right, left)
	}
	coincident := ball(n)
	clear(coincident.Lengths)
	still := Begin(before, &job.Step{Kind: job.StrokeSmooth, Radius: 5, Strength: 1})
	if still.Dab(coincident, job.FullPressure); !slices.Equal(still.Now[Source], before[Source]) {
		t.Error("mass flows along edges without length")
	}
}

func TestPressureScalesTheStrength(t *testing.T) {
	before := Pair{make([]float64, 5), make([]float64, 5)}
	before[Source][0] = 1
	s := Begin(before, &job.Step{Kind: job.StrokeSource, Radius: 2, Strength: 0.5})
	s.Dab(&job.Brushed{Center: 1, Vertices: []int32{1}, Distances: []float64{0}}, job.FullPressure)
	s.Dab(&job.Brushed{Center: 2, Vertices: []int32{2}, Distances: []float64{0}}, 51)
	if s.Now[Source][1] != 0.5 || math.Abs(s.Now[Source][2]-0.1) > 1e-15 {
		t.Errorf("painted %v", s.Now[Source])
	}
	if want := []byte{255, 51}; !slices.Equal(s.Step.Pressures, want) {
		t.Errorf("pressures %v, want %v", s.Step.Pressures, want)
	}
}

func TestFill(t *testing.T) {
	on := Pair{{4, 0, 1, 3}, {0, 0, 0, 0}}
	for _, c := range []struct {
		kind           string
		source, target []float64
	}{
		{job.StrokeSource, []float64{4, 2, 2, 3}, []float64{0, 0, 0, 0}},
		{job.StrokeTarget, []float64{4, 0, 1, 3}, []float64{0, 0.25, 0.25, 0}}, // where there is nothing: of mass 1
		{job.StrokeErase, []float64{4, 0, 0.5, 3}, []float64{0, 0, 0, 0}},
		{job.StrokeSmooth, []float64{4, 0.25, 0.75, 3}, []float64{0, 0, 0, 0}},
	} {
		got := Fill(on, &job.Step{Kind: c.kind, Fill: true, Strength: 0.5, Centres: []int32{1, 2}})
		if !slices.Equal(got[Source], c.source) || !slices.Equal(got[Target], c.target) {
			t.Errorf("%s: %v", c.kind, got)
		}
	}
	anew := Fill(on, &job.Step{Kind: job.StrokeSource, Fill: true, Anew: true, Strength: 1, Centres: []int32{1, 2}})
	if !slices.Equal(anew[Source], []float64{0, 0.5, 0.5, 0}) || !slices.Equal(anew[Target], on[Target]) {
		t.Errorf("anew: %v", anew)
	}
	if !slices.Equal(on[Source], []float64{4, 0, 1, 3}) {
		t.Error("the densities before have changed")
	}
}
