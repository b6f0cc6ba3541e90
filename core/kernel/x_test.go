package kernel

import (
	"fmt"
	"math"
	"testing"
	"time"
)

func TestX(t *testing.T) {
	for _, spec := range []string{"cauchy:lambda=0,c=1", "cauchy:lambda=-1,c=0.01", "cauchy:lambda=0,c=1,p=3", "cauchy:lambda=0,c=0.1,p=0.5", "rational:3,2/2,3,1", "rational:1/1", "gauss:s=1", "gauss:s=0.04", "gauss:s=0.0025", "gauss:s=100"} {
		f, err := Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		for _, D := range []float64{1.5, 10} {
			for _, tol := range []float64{1e-2, 1e-3, 1e-4, 1e-6, 1e-9, 1e-11} {
				t0 := time.Now()
				s, err := Exponentials(f, D, tol)
				if err != nil {
					fmt.Println(spec, tol, err)
					continue
				}
				worst := 0.0
				for k := 0; k <= 20000; k++ {
					x := D * math.Pow(float64(k)/20000, 3)
					sc := 1.0
					if s.Relative {
						sc = f.At(x)
					}
					worst = max(worst, math.Abs(s.At(x)-f.At(x))/sc)
				}
				fmt.Printf("%-28s D=%g tol=%g terms=%d bound=%.3g worst=%.3g %v\n", spec, D, tol, len(s.Terms), s.Bound, worst, time.Since(t0).Round(time.Millisecond))
			}
		}
	}
}
