package kernel

import (
	"math"
	"testing"
)

// grid is points of [0, diameter], dense at 0 and all over.
func grid(diameter float64) []float64 {
	x := []float64{0, diameter}
	for k := range 4000 {
		x = append(x, diameter*float64(k)/4000, diameter*math.Pow(10, -12*float64(k)/4000))
	}
	return x
}

// The bound holds on dense grids, and is not much more than the error.
func TestExponentialsBound(t *testing.T) {
	for _, spec := range []string{"exp", "poly:3", "cauchy:lambda=0,c=1", "cauchy:lambda=-1,c=0.01", "cauchy:lambda=0,c=1,p=3", "cauchy:lambda=-3,c=0.1,p=0.5",
		"cauchy:lambda=0,c=2,p=40", "cauchy:lambda=0,c=1,p=0.05", "rational:3,2/2,3,1", "rational:2,1/1,1", "rational:7/1", "gauss:s=1", "gauss:s=0.04", "gauss:s=0.0025", "gauss:s=100"} {
		f := parse(t, spec)
		for _, diameter := range []float64{0, 0.3, 1.5, 20} {
			for _, tolerance := range []float64{0.3, 1e-2, 1e-4, 1e-7, 1e-10} {
				s, err := Exponentials(f, diameter, tolerance)
				if err != nil {
					t.Fatal(spec, diameter, tolerance, err)
				}
				if _, gauss := f.(Gauss); s.Relative == gauss {
					t.Errorf("%s: relative %v", spec, s.Relative)
				}
				if !(s.Bound <= tolerance) {
					t.Errorf("%s, diameter %v: the bound %v is more than %v", spec, diameter, s.Bound, tolerance)
				}
				for k, term := range s.Terms {
					if s.Relative && (imag(term.Rate) != 0 || imag(term.Weight) != 0 || !(real(term.Weight) > 0) || !(real(term.Rate) >= 0)) || real(term.Rate) < 0 {
						t.Errorf("%s: term %d is %v", spec, k, term)
					}
				}
				most := 0.0
				for _, x := range grid(diameter) {
					scale := f.At(0)
					if s.Relative {
						scale = f.At(x)
					}
					most = max(most, math.Abs(s.At(x)-f.At(x))/scale)
				}
				if !(most <= s.Bound+4e-15) { // the values compared are rounded too
					t.Errorf("%s, diameter %v, tolerance %v: the error is %.3g, the bound %.3g, of %d terms", spec, diameter, tolerance, most, s.Bound, len(s.Terms))
				}
				t.Logf("%-28s diameter %4v, tolerance %5.0e: %2d terms, bound %.1e, error %.1e", spec, diameter, tolerance, len(s.Terms), s.Bound, most)
			}
		}
	}
}

// The bound tells: a sum with a term changed breaks it.
func TestExponentialsBoundFails(t *testing.T) {
	for _, spec := range []string{"cauchy:lambda=0,c=1", "gauss:s=0.04"} {
		f := parse(t, spec)
		s, err := Exponentials(f, 2, 1e-6)
		if err != nil {
			t.Fatal(err)
		}
		for k := range s.Terms {
			old := s.Terms[k].Weight
			s.Terms[k].Weight *= 1.01
			most := 0.0
			for _, x := range grid(2) {
				most = max(most, math.Abs(s.At(x)-f.At(x)))
			}
			s.Terms[k].Weight = old
			if most <= s.Bound && math.Abs(real(old)) > 1e-3 {
				t.Errorf("%s: 1 %% more of term %d, %v, goes unseen", spec, k, s.Terms[k])
			}
		}
	}
}

// How many terms: of real sums not many more than the best approximation of 1/x on [1, R] can have, by its asymptotic error
// 16 exp(-pi^2 k/log(8R)) (Braess and Hackbusch, 2005); of Gauss few, whatever the diameter.
func TestExponentialsAreFew(t *testing.T) {
	for _, r := range []float64{10, 100, 1e4, 1e6} {
		for _, tolerance := range []float64{1e-3, 1e-6, 1e-9} {
			s, err := Exponentials(parse(t, "cauchy:lambda=0,c=1"), r-1, tolerance)
			if err != nil {
				t.Fatal(err)
			}
			// That bound is of the absolute error, which allows more than ours.
			best := math.Log(16/tolerance) * math.Log(8*r) / (math.Pi * math.Pi)
			t.Logf("1/x on [1, %g] to %g of itself: %d terms; the best absolute approximation has about %.1f", r, tolerance, len(s.Terms), best)
			if float64(len(s.Terms)) > 1.5*best+2 {
				t.Errorf("1/x on [1, %g] to %g takes %d terms, the best absolute approximation about %.1f", r, tolerance, len(s.Terms), best)
			}
		}
	}
	for tolerance, most := range map[float64]int{1e-2: 3, 1e-3: 4, 1e-4: 5, 1e-6: 7} {
		for _, diameter := range []float64{1, 10, 1000, 1e6} {
			s, err := Exponentials(parse(t, "gauss:s=1"), diameter, tolerance)
			if err != nil {
				t.Fatal(err)
			}
			if len(s.Terms) > most {
				t.Errorf("exp(-x^2) on [0, %g] to %g takes %d terms, more than %d", diameter, tolerance, len(s.Terms), most)
			}
		}
	}
}

func TestExponentialsRefuses(t *testing.T) {
	for _, c := range []struct {
		spec                string
		diameter, tolerance float64
		want                string
	}{
		{"exp", 1, 0, "kernel: the tolerance of a sum of exponentials is 0, not from 1e-12 to 0.5"},
		{"exp", 1, math.NaN(), "kernel: the tolerance of a sum of exponentials is NaN, not from 1e-12 to 0.5"},
		{"exp", -1, 0.1, "kernel: the diameter is -1, not a finite length"},
		{"poly:1,2", 1, 0.1, "kernel poly:1,2: no sum of exponentials with a proved error is known"},
		{"rational:1/1,0,1", 1, 0.1, "kernel rational:1/1,0,1: no sum of exponentials with a proved error is known"},
		{"cauchy:lambda=1,c=1", 1, 0.1, "kernel cauchy:lambda=1,c=1: no sum of exponentials with a proved error is known"},
		{"features:f=exp", 1, 0.1, "kernel features:count=1024,seed=1,f=exp: no sum of exponentials with a proved error is known"},
		{"cauchy:lambda=-1,c=1", 1e4, 1e-11, "kernel cauchy:lambda=-1,c=1: rounding alone may err by 4e-11, more than half the tolerance 1e-11"},
	} {
		if _, err := Exponentials(parse(t, c.spec), c.diameter, c.tolerance); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, not %q", c.spec, err, c.want)
		}
	}
}

func BenchmarkExponentials(b *testing.B) {
	for _, spec := range []string{"cauchy:lambda=0,c=0.01", "gauss:s=0.0025"} {
		b.Run(spec, func(b *testing.B) {
			f := parse(b, spec)
			for b.Loop() {
				if _, err := Exponentials(f, 1.5, 1e-6); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
