package kernel

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for spec, want := range map[string]string{
		"":           `kernel "" is not one of exp, inverse, poly, rational, cauchy, squared, gauss, features`,
		"sine:1":     `kernel "sine" is not one of exp, inverse, poly, rational, cauchy, squared, gauss, features`,
		"exp:2":      `kernel exp takes no parameters, got "2"`,
		"poly:":      "kernel poly: no coefficients",
		"poly:1,x,2": `kernel poly: coefficient 1 is "x", not a number`,
		"poly:0,0":   "kernel poly: all coefficients are zero",
		"poly:1,inf": "kernel poly: coefficient 1 is +Inf, not a finite number",
		"poly:0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1": "kernel poly: the degree is 17, more than 16",
		"rational:1,2":                        "kernel rational:1,2: a stroke must stand between numerator and denominator, as in rational:1/1,2,1",
		"rational:1/0":                        "kernel rational denominator: all coefficients are zero",
		"rational:nan/1":                      "kernel rational numerator: coefficient 0 is NaN, not a finite number",
		"cauchy:lambda=-1":                    "kernel cauchy: c is missing",
		"cauchy:lambda=-1,c=0":                "kernel cauchy: c is 0, not a finite length above zero",
		"cauchy:lambda=-1,c=1,c=2":            "kernel cauchy: c is given twice",
		"cauchy:c=1,lambda=inf":               "kernel cauchy: lambda is +Inf, not a finite number",
		"cauchy:c=1,p=100":                    "kernel cauchy: p is 100, not from 0.01 to 64",
		"cauchy:c=1,d=3":                      `kernel cauchy: no parameter "d"`,
		"cauchy:c":                            `kernel cauchy: "c" is not name=value`,
		"gauss:s=-1":                          "kernel gauss: s is -1, not a finite length squared above zero",
		"gauss:s=one":                         `kernel gauss: s is "one", not a number`,
		"gauss:s=nan":                         "kernel gauss: s is NaN, not a finite length squared above zero",
		"features:count=64":                   "kernel features:count=64: f is missing, as in features:count=1024,seed=1,f=gauss:s=2",
		"features:count=64,f=poly:1":          "kernel features: the Fourier transform of poly:1 is not known; exp and gauss have one",
		"features:count=64,f=gauss:s=0":       "kernel gauss: s is 0, not a finite length squared above zero",
		"features:count=6.5,f=exp":            "kernel features: count is 6.5, not a whole number",
		"features:count=7,f=exp":              "kernel features: count is 7, not from 32 to 1048576",
		"features:count=64,seed=-1,f=gauss:s": "kernel features: seed is -1, not a whole number from 0 to 2^53",
	} {
		if f, err := Parse(spec); err == nil || err.Error() != want || f != nil {
			t.Errorf("%q: %v, %v, not %q", spec, f, err, want)
		}
	}
	for spec, want := range map[string]string{
		Default:                          "exp",
		"inverse":                        "cauchy:lambda=0,c=1",
		"gauss":                          "gauss:s=1",
		" poly:1, 0.5,-2e3,0":            "poly:1,0.5,-2000",
		"rational:1,0/+2,1,0":            "rational:1/2,1",
		"cauchy:c=2":                     "cauchy:lambda=0,c=2",
		"cauchy:p=0.5,c=1e-9,lambda=-1":  "cauchy:lambda=-1,c=1e-09,p=0.5",
		"gauss:s=0.1":                    "gauss:s=0.1",
		"features:f=gauss:s=2":           "features:count=1024,seed=1,f=gauss:s=2",
		"features:seed=7,count=64,f=exp": "features:count=64,seed=7,f=exp",
	} {
		f, err := Parse(spec)
		if err != nil || f.String() != want {
			t.Errorf("%q: %v, %v, not %q", spec, f, err, want)
			continue
		}
		if again, err := Parse(f.String()); err != nil || again.String() != want {
			t.Errorf("%q: %v, %v the second time", want, again, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, spec := range specs {
		f.Add(spec)
	}
	f.Add("features:count=64,seed=7,f=exp")
	f.Fuzz(func(t *testing.T, spec string) {
		k, err := Parse(spec)
		if err != nil {
			if k != nil || !strings.HasPrefix(err.Error(), "kernel") {
				t.Errorf("%q: %v, %v", spec, k, err)
			}
			return
		}
		again, err := Parse(k.String())
		if err != nil || again.String() != k.String() {
			t.Errorf("%q is %v, and that %v, %v", spec, k, again, err)
		}
		if k.Check(2) == nil {
			if v := k.At(1); math.IsNaN(v) || math.IsInf(v, 0) {
				t.Errorf("%v is %v at 1", k, v)
			}
		}
	})
}

func TestValues(t *testing.T) {
	for spec, want := range map[string]float64{
		"exp":                         math.Exp(-1.5),
		"poly:1,-2,3":                 1 - 2*1.5 + 3*1.5*1.5,
		"rational:1,1/2,0,1":          2.5 / 4.25,
		"cauchy:lambda=-2,c=0.5":      math.Exp(-3) / 2,
		"cauchy:lambda=1,c=0.5,p=2":   math.Exp(1.5) / 4,
		"cauchy:lambda=0,c=2.5,p=0.5": 0.5,
		"gauss:s=3":                   math.Exp(-0.75),
		"features:f=gauss:s=3":        math.Exp(-0.75),
	} {
		if got := parse(t, spec).At(1.5); math.Abs(got-want) > 1e-15*math.Abs(want) {
			t.Errorf("%s is %v at 1.5, not %v", spec, got, want)
		}
	}
}

func TestCompletelyMonotone(t *testing.T) {
	for spec, want := range map[string]bool{
		"exp": true, "poly:2": true, "poly:-2": false, "poly:3,-1": false,
		"cauchy:lambda=-1,c=1": true, "cauchy:lambda=0,c=1,p=3": true, "cauchy:lambda=0.1,c=1": false,
		"gauss:s=1": false, "features:f=exp": false,
		"rational:3,2/2,3,1": true,  // 1/(x+1) + 1/(x+2)
		"rational:1/2,3,1":   false, // 1/(x+1) - 1/(x+2): completely monotone, not known to be
		"rational:2,1/1,1":   true,  // 1 + 1/(x+1)
		"rational:0,1/1,1":   false,
		"rational:1/1,0,1":   false, // poles off the axis
		"rational:1/-1,0,1":  false, // a pole at 1
		"rational:1,0,1/1":   false,
		"rational:2/1":       true,
		"rational:-1/-1,-1":  true,
		"rational:1/1,2,1":   false, // a double pole
	} {
		if got := parse(t, spec).CompletelyMonotone(); got != want {
			t.Errorf("%s: %v", spec, got)
		}
	}
	// Those that are have differences of alternating sign.
	for _, spec := range specs {
		f := parse(t, spec)
		if !f.CompletelyMonotone() {
			continue
		}
		values := make([]float64, 8)
		for k := range values {
			values[k] = f.At(0.2 + 0.3*float64(k))
		}
		for order := range 6 {
			for k := range len(values) - order {
				if values[k] < -1e-13*f.At(0.2) {
					t.Errorf("%s: difference %d is %v", spec, order, values[k])
				}
			}
			for k := range len(values) - order - 1 {
				values[k] -= values[k+1]
			}
		}
	}
}

func TestPositive(t *testing.T) {
	for _, c := range []struct {
		spec     string
		diameter float64
		want     string
	}{
		{"exp", 700, ""},
		{"exp", 800, "kernel exp is zero or within rounding of it near x = 800, within the diameter 800"},
		{"poly:1,-1", 0.9, ""},
		{"poly:1,-1", 2, "kernel poly:1,-1 is zero or within rounding of it near x = 1, within the diameter 2"},
		{"poly:1.0001,-2,1", 5, ""},
		{"poly:1,-2,1", 5, "kernel poly:1,-2,1 is zero or within rounding of it near x = 1, within the diameter 5"},
		{"poly:-1,-1", 1, "kernel poly:-1,-1 is negative: f(0) = -1"},
		{"poly:1e-3,0,0,0,0,0,0,0,1", 1000, ""},
		{"rational:-1/-1,-1", 1, ""},
		{"rational:1,-1/1,1", 3, "kernel rational:1,-1/1,1 is zero or within rounding of it near x = 1, within the diameter 3"},
		{"rational:1/1,-1", 3, "kernel rational:1/1,-1: the denominator is zero or within rounding of it near x = 1, within the diameter 3"},
		{"gauss:s=1", math.Inf(1), "kernel: the diameter is +Inf, not a finite length"},
		{"gauss:s=1", -1, "kernel: the diameter is -1, not a finite length"},
		{"cauchy:lambda=0,c=1e-200,p=2", 1, "kernel cauchy: f(0) = c^-p is +Inf at c = 1e-200, p = 2"},
	} {
		err := Positive(parse(t, c.spec), c.diameter)
		if got := ""; err != nil && err.Error() != c.want || err == nil && got != c.want {
			t.Errorf("%s on %v: %v, not %q", c.spec, c.diameter, err, c.want)
		}
	}
}

// The sign of a polynomial by its twin, a fine grid.
func TestSignOn(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	seen := map[int]int{}
	for range 2000 {
		c := draw(1+rng.IntN(7), rng.NormFloat64)
		c[0] += 2 * rng.NormFloat64()
		width := 2 * rng.Float64()
		sign, place := signOn(c, width)
		seen[sign]++
		low, high := math.Inf(1), math.Inf(-1)
		for k := range 2001 {
			v := horner(c, width*float64(k)/2000)
			low, high = min(low, v), max(high, v)
		}
		switch {
		case sign > 0 && low <= 0, sign < 0 && high >= 0:
			t.Fatalf("%v on [0, %v]: sign %d, values from %v to %v", c, width, sign, low, high)
		case sign == 0 && math.Abs(horner(c, place)) > 1e-9:
			t.Fatalf("%v on [0, %v]: zero at %v, where it is %v", c, width, place, horner(c, place))
		}
	}
	for sign := -1; sign <= 1; sign++ {
		if seen[sign] < 100 {
			t.Errorf("sign %d was seen %d times", sign, seen[sign])
		}
	}
}

func TestInverse(t *testing.T) {
	for _, spec := range []string{"exp", "poly:1,0.5,0.25,0,3", "poly:0,0,1", "poly:3,-1", "rational:1/1,2,1", "rational:0,1/1,1",
		"cauchy:lambda=-2,c=0.1", "cauchy:lambda=5,c=1", "gauss:s=2"} {
		f := parse(t, spec)
		for _, x := range []float64{0, 1e-3, 0.4, 1.9, 2} {
			got, err := Inverse(f, f.At(x), 2)
			if err != nil || math.Abs(got-x) > 1e-12*(1+x) && math.Abs(f.At(got)-f.At(x)) > 2e-16*math.Abs(f.At(x)) {
				t.Errorf("%s: the inverse of f(%v) is %v, %v", spec, x, got, err)
			}
		}
	}
	// Sinkhorn's own h is the logarithm.
	if got, err := Inverse(Exp{}, 0.3, 10); err != nil || math.Abs(got+math.Log(0.3)) > 1e-15 {
		t.Errorf("h(0.3) is %v, %v", -got, err)
	}
	for _, c := range []struct {
		spec            string
		value, diameter float64
		want            string
	}{
		{"exp", 2, 3, "kernel exp does not take the value 2 on [0, 3], where it goes from 1 to 0.049787068367863944"},
		{"exp", math.NaN(), 3, "kernel exp does not take the value NaN on [0, 3], where it goes from 1 to 0.049787068367863944"},
		{"poly:1,-2,1", 0.5, 3, "kernel poly:1,-2,1 has no inverse on [0, 3]: it neither rises nor falls near x = 1"},
		{"poly:4", 4, 3, "kernel poly:4 has no inverse on [0, 3]: it neither rises nor falls near x = 0"},
		{"rational:0,1/1,0,1", 0.2, 3, "kernel rational:0,1/1,0,1 has no inverse on [0, 3]: it neither rises nor falls near x = 1"},
		{"cauchy:lambda=1,c=0.5", 2, 3, "kernel cauchy:lambda=1,c=0.5 has no inverse on [0, 3]: it neither rises nor falls near x = 0.5"},
	} {
		if _, err := Inverse(parse(t, c.spec), c.value, c.diameter); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, not %q", c.spec, err, c.want)
		}
	}
}

// The discs hold the roots, which are known, also where several coincide.
func TestRoots(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for range 300 {
		c := []float64{math.Exp(3 * rng.NormFloat64())}
		var known []complex128
		for len(c) <= 2+rng.IntN(8) {
			re, im := rng.NormFloat64(), rng.NormFloat64()
			factor := []float64{re*re + im*im, -2 * re, 1}
			known = append(known, complex(re, im), complex(re, -im))
			if rng.IntN(2) == 0 {
				factor, known = []float64{-re, 1}, append(known[:len(known)-2], complex(re, 0))
				if rng.IntN(3) == 0 { // again
					c, known = times(c, factor), append(known, complex(re, 0))
				}
			}
			c = times(c, factor)
		}
		found := roots(c)
		if len(found) != len(known) {
			t.Fatalf("%d roots of %v, not %d", len(found), c, len(known))
		}
		for _, k := range known {
			near := false
			for _, z := range found {
				near = near || distance(z.z-complex(0, imag(k)), real(k), real(k)) <= z.radius+1e-12
			}
			if !near {
				t.Errorf("%v: no disc of %v holds %v", c, found, k)
			}
		}
		for _, z := range found {
			if !(z.radius < 0.1) {
				t.Errorf("%v: the root %v is known to %v only", c, z.z, z.radius)
			}
		}
	}
}

func times(a, b []float64) []float64 {
	c := make([]float64, len(a)+len(b)-1)
	for i, a := range a {
		for j, b := range b {
			c[i+j] += a * b
		}
	}
	return c
}
