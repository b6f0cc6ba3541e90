package experiment

import (
	"context"
	"strings"
	"testing"

	"genussink/core/internal/shared/realmesh"
	"genussink/core/mesh/generate"
)

// What docs/engineering/measurements.md says that exact and certified are held to, in one run of all methods: how many times
// less than dense they take in time and memory, how far their costs are off, and what share of set-up and solve
// they take to solve anew after 5 % of the mass has moved.
func BenchmarkBars(b *testing.B) {
	for _, c := range []struct {
		name, file       string
		subdivide        int
		exact, certified float64 // times less than dense
	}{
		{"spot", "common3d__spot.obj", 0, 0, 0}, // 2,930 vertices
		{"bunny2", "meshlabjs__bunny5k_asc.obj", 1, 3, 5},
		{"heptoroid", "meshlabjs__heptoroid_50k.ply", 0, 5, 5},
		{"spot4", "common3d__spot.obj", 2, 5, 15},
	} {
		b.Run(c.name, func(b *testing.B) {
			m, _ := realmesh.Read(b, c.file)
			m, err := generate.Subdivide(m, c.subdivide)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				rows := map[string]*Row{}
				err := Scaling(context.Background(), []Case{{Name: c.name, Mesh: m}}, ScalingOptions{Deltas: []float64{0.01}}, func(r Row) {
					if !r.Spots {
						rows[r.name()] = &r
					}
					b.Log(&r)
				})
				if err != nil {
					b.Fatal(err)
				}
				dense, float32s, certified := rows["dense"], rows["dense float32"], rows["certified"]
				quickest := min(dense.Total(), float32s.Total())
				hold := func(what string, got, most float64) {
					if !(got <= most) {
						b.Errorf("%s: %.3g, at most %.3g", what, got, most)
					}
				}
				for method, most := range map[string]float64{"exact float32": 1e-6, "exact float64": 1e-10} {
					exact := rows[method]
					hold(method+", share of dense's time", exact.Total()*c.exact/quickest, 1)
					if c.exact > 0 {
						hold(method+", share of dense float32's memory", float64(exact.Peak)/float64(float32s.Peak), 1./3)
					}
					hold(method+", error", exact.Error, most)
					b.ReportMetric(quickest/exact.Total(), "dense/"+strings.ReplaceAll(method, " ", "-"))
				}
				hold("certified, share of dense's time", certified.Total()*c.certified/quickest, 1)
				hold("certified, error", certified.Error, 1e-3)
				hold("certified, error polished", certified.PolishedError, 1e-4)
				for _, method := range []string{"exact float32", "exact float64", "certified"} {
					hold(method+", re-solve's share of set-up and solve", rows[method].Share, 1./20)
				}
				b.ReportMetric(quickest/certified.Total(), "dense/certified")
				b.ReportMetric(1/certified.Share, "total/re-solve")
			}
		})
	}
}
