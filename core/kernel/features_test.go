package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"

	"genussink/core/internal/shared"
)

// difference is exp(-x^2/s) - exp(-x^2/r)/2, whose transform has both signs, as a caller's own function.
type difference struct{ wide, narrow Gauss }

func (d difference) String() string       { return "a difference of Gaussians" }
func (d difference) At(x float64) float64 { return d.wide.At(x) - d.narrow.At(x)/2 }
func (d difference) Transform(omega float64) float64 {
	return d.wide.Transform(omega) - d.narrow.Transform(omega)/2
}
func (d difference) Frequency() float64 { return d.narrow.Frequency() }

func spectra() []Spectral {
	return []Spectral{Exp{}, Gauss{1}, Gauss{0.01}, difference{Gauss{2}, Gauss{0.1}}}
}

// The transforms are those of the functions.
func TestTransform(t *testing.T) {
	for _, f := range spectra() {
		for _, x := range []float64{0, 0.1, 0.7} {
			s := newSpectrum(f)
			got := quad.Fixed(func(u float64) float64 {
				omega, density := s.at(u)
				return density * math.Cos(2*math.Pi*omega*x)
			}, 0, 0.999, 100_000, quad.Legendre{}, 0)
			// What is left out of exp's transform is 2/(pi^2 omega) at most.
			if omega, _ := s.at(0.999); math.Abs(got-f.At(x)) > 1e-8+0.3/omega {
				t.Errorf("%v at %v: %v by its transform, not %v", f, x, got, f.At(x))
			}
		}
	}
}

// Products are within the stated error of dense: that of 16 batches, so that six standard errors, at 15 degrees of freedom, are
// passed by chance in 1 of 40,000 entries; and the estimate is not idle: it is passed by a fifth of itself in many.
func TestFeatures(t *testing.T) {
	for _, base := range spectra() {
		for name, scatter := range scatters {
			if name == "badly scaled" && base == (Spectral)(Exp{}) {
				continue // see TestFeaturesAreUnbiased
			}
			rng := rand.New(rand.NewPCG(1, 2))
			x, y := scatter(60, rng), scatter(50, rng)
			w := draw(50, rng.NormFloat64)
			f, err := NewFeatures(base, 512, 3)
			if err != nil {
				t.Fatal(err)
			}
			p, err := NewProduct(f, x, y)
			if err != nil {
				t.Fatal(err)
			}
			got := product(t, p.MulVec, w)
			stated, err := p.StandardError(t.Context(), w)
			if err != nil {
				t.Fatal(err)
			}
			want, _ := dense(f, x, y, w)
			passed := 0
			for i := range got {
				d := math.Abs(got[i] - want[i])
				if !(d <= 6*stated[i]+1e-9) {
					t.Errorf("%v, %s: entry %d is %v, not %v, with a standard error of %v", base, name, i, got[i], want[i], stated[i])
				}
				if d > stated[i]/5 {
					passed++
				}
			}
			if name == "random" && passed < 20 {
				t.Errorf("%v: the standard errors are too large: %d of 60 entries err by a fifth of it", base, passed)
			}
			transposed := product(t, p.MulVecT, draw(60, func() float64 { return 1 }))
			mirror, err := NewProduct(f, y, x)
			if err != nil {
				t.Fatal(err)
			}
			if again := product(t, mirror.MulVec, draw(60, func() float64 { return 1 })); worst(again, transposed, transposed) > 1e-9 {
				t.Errorf("%v, %s: the transpose differs", base, name)
			}
		}
	}
}

// The mean over many seeds is f, by its own spread, at every x; and four times the features err less.
func TestFeaturesAreUnbiased(t *testing.T) {
	shared.Long(t)
	for _, base := range spectra() {
		x := []float64{0, 1e-3, 0.05, 0.3, 1, 3}
		const seeds = 100
		spread := map[int]float64{}
		for _, count := range []int{64, 256} {
			sum, squares := make([]float64, len(x)), make([]float64, len(x))
			f, err := NewFeatures(base, count, 0)
			if err != nil {
				t.Fatal(err)
			}
			for seed := range uint64(seeds) {
				f.seed = seed
				p, err := NewProduct(f, x, []float64{0})
				if err != nil {
					t.Fatal(err)
				}
				for i, v := range product(t, p.MulVec, []float64{1}) {
					sum[i] += v
					squares[i] += (v - base.At(x[i])) * (v - base.At(x[i]))
				}
			}
			for i := range x {
				deviation := math.Sqrt(squares[i] / seeds)
				if d := math.Abs(sum[i]/seeds - base.At(x[i])); d > 4.5*deviation/math.Sqrt(seeds)+1e-12 {
					t.Errorf("%v, %d features: the mean at %v is off by %v, the deviation of one %v", base, count, x[i], d, deviation)
				}
				spread[count] = max(spread[count], deviation)
			}
		}
		t.Logf("%v: the deviation at worst is %.3g with 64 features, %.3g with 256", base, spread[64], spread[256])
		if !(spread[256] < 0.6*spread[64]) {
			t.Errorf("%v: %v with 64 features, %v with 256", base, spread[64], spread[256])
		}
	}
}

func TestFeaturesAreSeeded(t *testing.T) {
	var first [3][]float64
	for k, seed := range []uint64{1, 1, 2} {
		f, err := NewFeatures(Gauss{1}, 64, seed)
		if err != nil {
			t.Fatal(err)
		}
		p, err := NewProduct(f, []float64{0, 0.5, 1}, []float64{0.1})
		if err != nil {
			t.Fatal(err)
		}
		first[k] = product(t, p.MulVec, []float64{1})
	}
	if !slices.Equal(first[0], first[1]) || slices.Equal(first[0], first[2]) {
		t.Errorf("seeds 1, 1 and 2 give %v", first)
	}
}

// broken is a Spectral that is none.
type broken struct{ difference }

func (broken) Frequency() float64 { return 0 }

type infinite struct{ difference }

func (infinite) Transform(float64) float64 { return 1 }

func TestFeaturesRefuses(t *testing.T) {
	good := difference{Gauss{2}, Gauss{0.1}}
	if _, err := NewFeatures(infinite{good}, 64, 1); err == nil || !strings.Contains(err.Error(), "does not fall off") {
		t.Errorf("a transform without an integral: %v", err)
	}
	for want, make := range map[string]func() (Features, error){
		"kernel features: count is 31, not from 32 to 1048576":                                                     func() (Features, error) { return NewFeatures(good, 31, 1) },
		"kernel features: seed is 9007199254740993, more than 2^53":                                                func() (Features, error) { return NewFeatures(good, 32, 1<<53+1) },
		"kernel features: the typical frequency of a difference of Gaussians is 0, not a finite number above zero": func() (Features, error) { return NewFeatures(broken{good}, 64, 1) },
	} {
		if _, err := make(); err == nil || err.Error() != want {
			t.Errorf("%v, not %q", err, want)
		}
	}
	if f, err := NewFeatures(good, 64, 1); err != nil || Positive(f, 3) != nil || fmt.Sprint(f) != "features:count=64,seed=1,f=a difference of Gaussians" {
		t.Errorf("%v: %v, %v", f, err, Positive(f, 3))
	}
	if _, err := Inverse(Features{good, 64, 1}, 0.3, 3); err == nil {
		t.Error("a function that rises and falls has an inverse")
	}
}
