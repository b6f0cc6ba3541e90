package exponential

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestExpIsGo(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	check := func(x float64) {
		if got, want := Exp(x), math.Exp(x); math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("Exp(%v) = %v, want %v", x, got, want)
		}
	}
	for _, x := range []float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(1), math.Inf(-1), 5e-324, -5e-324, 708, 709, 709.78, 709.79, -708, -708.39, -708.4, -744.4, -745.2, 1e300, -1e300, 0x1p-28, -0x1p-28, math.Ln2 / 2, -math.Ln2 / 2} {
		check(x)
		check(math.Nextafter(x, math.Inf(1)))
		check(math.Nextafter(x, math.Inf(-1)))
	}
	for range 1_000_000 {
		check(1500 * (rng.Float64() - 0.5))
		check(rng.NormFloat64() * math.Ldexp(1, rng.IntN(40)-30))
	}
}

// What is filled in is exp but for the last bit or two, up to lengths whose factors are no normal numbers, and beyond.
func TestDecaysAreExp(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	lengths := []float64{0, 5e-324, 0x1p-60, 1, 707.9, 708, 708.4, 745, 1e9, math.MaxFloat64, math.Inf(1)}
	for range 1_000_000 {
		lengths = append(lengths, 760*rng.Float64()*rng.Float64())
	}
	for _, epsilon := range []float64{1, 0.3, 1e-300, 1e300} {
		scaled, got := make([]float64, len(lengths)), make([]float64, len(lengths))
		for i, d := range lengths {
			scaled[i] = d * epsilon
		}
		Decays(got, scaled, epsilon)
		for i, d := range scaled {
			want := Exp(-d / epsilon)
			if off := math.Abs(got[i] - want); !(off <= 3*0x1p-52*want) {
				t.Fatalf("exp(-%v/%v) = %v, want %v", d, epsilon, got[i], want)
			}
		}
	}
}

var sink float64

func BenchmarkExp(b *testing.B) {
	x := make([]float64, 1024)
	for i := range x {
		x[i] = -float64(i) * 0.037
	}
	for name, f := range map[string]func(float64) float64{"own": Exp, "math": math.Exp} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				s := 0.0
				for _, v := range x {
					s += f(v)
				}
				sink = s
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1024, "ns/exp")
		})
	}
	b.Run("many", func(b *testing.B) {
		y := make([]float64, len(x))
		for b.Loop() {
			Decays(y, x, -1)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1024, "ns/exp")
	})
}
