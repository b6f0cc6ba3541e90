package transport

import (
	"context"
	"errors"
	"math"
	"testing"
)

func TestDivergenceAgainstOracle(t *testing.T) {
	problems, cases := oracleCases(t), otherCases(t)
	o := Options{Tolerance: 1e-12}
	for i, c := range cases {
		p := Problem{dense(t, problems[i].graph, problems[i].Epsilon), problems[i].Source, problems[i].Target, problems[i].Epsilon}
		r := solve(t, p, o)
		value, within, err := Divergence(t.Context(), p, r, o)
		if err != nil || !near(value/c.Divergence, 1, 1e-8) || !(within < 1e-8*c.Divergence) {
			t.Errorf("problem %d: %.12g within %g, not %.12g: %v", i, value, within, c.Divergence, err)
		}
		p.Target = p.Source
		if value, within, err := Divergence(t.Context(), p, solve(t, p, o), o); err != nil || math.Abs(value) > within+1e-12*r.Primal {
			t.Errorf("problem %d: %g from the source to itself: %v", i, value, err)
		}
		if i == 0 {
			ended, cancel := context.WithCancel(t.Context())
			cancel()
			if _, _, err := Divergence(ended, p, r, o); !errors.Is(err, context.Canceled) {
				t.Errorf("cancelled: %v", err)
			}
		}
	}
}
