package mixture_test

import (
	"math"
	"strings"
	"testing"

	"genussink/core/baseline"
	"genussink/core/internal/shared/gendensity"
	"genussink/core/internal/shared/gengraph"
	"genussink/core/linop"
	"genussink/core/linop/linoptest"
	"genussink/core/mixture"
)

// grid is the kernel exp(-D/epsilon) of a grid as a matrix.
func grid(t *testing.T, side int, epsilon float64) linop.Kernel {
	t.Helper()
	return linoptest.Value(baseline.NewDense(t.Context(), gengraph.Grid(t, side, side, 0.2, 1), epsilon, baseline.Options{}))(t)
}

// Parts of one exponential add up to it: the sum keeps what every kernel promises.
func TestPartsOfOne(t *testing.T) {
	const epsilon = 1.5
	k, err := mixture.New([]mixture.Term{{grid(t, 5, epsilon), epsilon, 0.375}, {grid(t, 5, epsilon), epsilon, 0.625}})
	if err != nil {
		t.Fatal(err)
	}
	linoptest.Kernel(t, k, epsilon)
	linoptest.Cancelled(t, k, epsilon)
}

// Every product and cost of a sum is the sum of its terms'.
func TestSum(t *testing.T) {
	weights, epsilons := []float64{2, 0.25}, []float64{0.5, 3}
	var terms []mixture.Term
	for i, w := range weights {
		terms = append(terms, mixture.Term{Kernel: grid(t, 5, epsilons[i]), Epsilon: epsilons[i], Weight: w})
	}
	k, err := mixture.New(terms)
	if err != nil {
		t.Fatal(err)
	}
	n, _ := k.Dims()
	f := func(d float64) float64 {
		return weights[0]*math.Exp(-d/epsilons[0]) + weights[1]*math.Exp(-d/epsilons[1])
	}
	x, y := gendensity.Random(n, 1), gendensity.Random(n, 2)
	logx, logy := make([]float64, n), make([]float64, n)
	for i := range x {
		logx[i], logy[i] = math.Log(x[i]), math.Log(y[i])
	}
	must := linoptest.Must(t, k)
	product, logs := must.MulVec(nil, x), must.LogMulVec(nil, logx)
	cost, floor := 0.0, math.Inf(1)
	for i := range n {
		want := 0.0
		for j, d := range must.Distances(nil, i) {
			want += f(d) * x[j]
			cost += y[i] * f(d) * x[j] * d
			floor = min(floor, math.Log(f(d)))
			if e := k.LogEntry(d); math.Abs(e-math.Log(f(d))) > 1e-12 {
				t.Fatalf("log f(%g) is %g, not %g", d, e, math.Log(f(d)))
			}
		}
		if math.Abs(product[i]-want) > 1e-12*want || math.Abs(logs[i]-math.Log(want)) > 1e-12 {
			t.Errorf("row %d is %g, its logarithm %g, not %g", i, product[i], logs[i], want)
		}
	}
	if got := must.PlanCost(logy, logx); math.Abs(got-cost) > 1e-12*cost {
		t.Errorf("a plan costs %g, not %g", got, cost)
	}
	if k.LogFloor() > floor+1e-12 {
		t.Errorf("the least entry has logarithm %g, which is less than the floor %g", floor, k.LogFloor())
	}
}

func TestRefused(t *testing.T) {
	small, large := grid(t, 3, 1), grid(t, 4, 1)
	sum, err := mixture.New([]mixture.Term{{Kernel: small, Epsilon: 1, Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	for says, terms := range map[string][]mixture.Term{
		"no terms":                         nil,
		"term 1 is of 16 x 16, the first":  {{small, 1, 1}, {large, 1, 1}},
		"the weight of term 0 is -1":       {{small, 1, -1}},
		"the weight of term 1 is NaN":      {{small, 1, 1}, {small, 1, math.NaN()}},
		"epsilon of term 0 is 0":           {{small, 0, 1}},
		"epsilon of term 0 is +Inf, not a": {{small, math.Inf(1), 1}},
		"epsilon of term 1 is 5, and its":  {{small, 1, 1}, {small, 5, 1}},
		"term 0 is no exponential":         {{sum, 1, 1}},
	} {
		if _, err := mixture.New(terms); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, not %q", err, says)
		}
	}
}
