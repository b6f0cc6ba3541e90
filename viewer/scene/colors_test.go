package scene

import (
	"math"
	"testing"

	"genussink/core/job"
	"genussink/core/paint"
	"genussink/viewer/colormap"
)

// A colour bar shows the colours that are drawn.
func TestDensityColor(t *testing.T) {
	r := ready(t)
	r.run()
	r.s.Playback.Pause()
	r.s.View.Flow(false)
	for range 20 {
		r.s.Tick(0.1)
	}
	n := r.s.Mesh.Vertices()
	values := make([]float64, n)
	for v := range values {
		values[v] = float64(v) / float64(n-1)
	}
	r.s.Densities.become(pair{values: paint.Pair{values, make([]float64, n)}}, job.Step{Kind: job.StepClear})
	r.s.repainted()
	for range 20 {
		r.s.Tick(0.1)
	}
	for v, got := range r.s.Colors() {
		want := DensityColor(colormap.Source(), r.s.View.Theme(), values[v])
		for k := range got {
			if math.Abs(float64(got[k])-float64(want[k])) > 2./255 {
				t.Fatalf("with %.2f of the peak a vertex has %v, the bar %v", values[v], got, want)
			}
		}
	}
}
