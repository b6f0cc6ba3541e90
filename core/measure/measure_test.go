package measure

import (
	"errors"
	"math"
	"strings"
	"testing"
)

func TestValidate(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		a    []float64
		n    int
		want string // "" for no error
	}{
		{nil, 0, ""},
		{[]float64{0, 1}, 2, ""},
		{[]float64{1}, 2, "1 values for 2"},
		{[]float64{0, 0}, 2, "no mass"},
		{[]float64{1, -2}, 2, "value 1 is -2"},
		{[]float64{nan, 1}, 2, "value 0 is NaN"},
		{[]float64{1, 1, inf}, 3, "value 2 is +Inf"},
		{[]float64{1e308, 1e308}, 2, "too large"},
	} {
		err := Validate(c.a, c.n)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: want %q, got %v", c.a, c.want, err)
		}
	}
	if a := Normalise([]float64{0, 0}); a[0] != 0 {
		t.Errorf("nothing normalised is %v", a)
	}
}

func TestComponentsAndBalance(t *testing.T) {
	component := []int32{0, 0, 1, 1, 2}
	a := []float64{0.25, 0.25, 0.5, 0, 0}
	b := []float64{0, 0.5, 0.2, 0.3, 0}
	if err := Components(a, b, component, 3); err != nil {
		t.Error(err)
	}
	bad := []float64{0, 0.4, 0.2, 0.2, 0.2}
	err := Components(a, bad, component, 3)
	if err == nil || !strings.Contains(err.Error(), "differ in 3 of 3 components, most in component 2 (1 vertex, from vertex 4) with source mass 0 and target mass 0.2;") {
		t.Errorf("unbalanced: %v", err)
	}
	var unequal *UnequalError
	if errors.As(err, &unequal); *unequal != (UnequalError{Unequal: 3, Count: 3, Component: 2, First: 4, Vertices: 1, Target: 0.2}) {
		t.Errorf("unbalanced: %+v", unequal)
	}
	source, target, lost, err := Balance(a, bad, component, 3)
	if err != nil {
		t.Fatal(err)
	}
	if err := Components(source, target, component, 3); err != nil {
		t.Error(err)
	}
	if target[4] != 0 || math.Abs(target[1]-0.5) > 1e-15 || math.Abs(Total(target)-1) > 1e-15 || math.Abs(Total(source)-1) > 1e-15 {
		t.Errorf("balanced: %v and %v", source, target)
	}
	if lost.Source != 0 || math.Abs(lost.Target-0.2) > 1e-15 {
		t.Errorf("balanced, and lost %+v", lost)
	}
	if _, _, _, err := Balance([]float64{1, 0, 0, 0, 0}, []float64{0, 0, 0, 0, 1}, component, 3); err == nil {
		t.Error("nothing in common is balanced")
	}
}
