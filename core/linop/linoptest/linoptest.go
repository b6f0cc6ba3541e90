// Package linoptest checks that an implementation of linop.Operator or
// linop.Kernel keeps the interface's contract. Each implementation calls it
// from its own tests; comparisons with a second implementation remain theirs.
package linoptest

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"genussink/core/linop"
)

// tolerance is what sums of a few thousand terms in another order may differ
// by, relative to the sum of the terms' magnitudes.
const tolerance = 1e-12

// Operator checks an operator:
//
//  1. It is linear: A(ax + by) = a Ax + b Ay.
//  2. It is symmetric: <Ax, y> = <x, Ay>. An operator with a method MulVecT has its adjoint there: <Ax, y> = <x, A^T y>.
//  3. A nil destination gives what a reused one does, whatever that held, and
//     the destination is returned.
//  4. Reused destinations keep the products free of allocation.
//  5. The same question has the same answer to the last bit.
//  6. A vector of the wrong length panics.
//  7. Under a context that has ended a product returns nil and the context's error.
func Operator(t testing.TB, a linop.Operator) {
	t.Helper()
	operator(t, a, Allowance{})
}

func operator(t testing.TB, a linop.Operator, allowed Allowance) {
	t.Helper()
	rows, cols := a.Dims()
	adjoint := a.MulVec
	if own, ok := a.(interface {
		MulVecT(ctx context.Context, dst, x []float64) ([]float64, error)
	}); ok {
		adjoint = own.MulVecT
	}
	rng := rand.New(rand.NewPCG(11, 13))
	vector := func(n int) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = 2*rng.Float64() - 1
		}
		return x
	}
	for _, side := range []struct {
		name    string
		in, out int
		product func(ctx context.Context, dst, x []float64) ([]float64, error)
	}{{"MulVec", cols, rows, a.MulVec}, {"the adjoint", rows, cols, adjoint}} {
		multiply := func(dst, x []float64) []float64 {
			y, err := side.product(context.Background(), dst, x)
			if err != nil {
				t.Fatalf("%s: %v", side.name, err)
			}
			return y
		}
		x, y := vector(side.in), vector(side.in)
		both, size := make([]float64, side.in), make([]float64, side.in)
		for i := range both {
			both[i] = 3*x[i] - 0.5*y[i]
			size[i] = 3*math.Abs(x[i]) + 0.5*math.Abs(y[i])
		}
		ax, ay := multiply(nil, x), multiply(nil, y)
		sum, scale := multiply(nil, both), multiply(nil, size)
		for i, s := range sum {
			// The scale is the sum of magnitudes for entries of one sign.
			want := 3*ax[i] - 0.5*ay[i]
			if !(math.Abs(s-want) <= tolerance*(math.Abs(scale[i])+math.Abs(want))) {
				t.Errorf("%s is not linear: element %d is %v, want %v", side.name, i, s, want)
				break
			}
		}
		used := make([]float64, side.out)
		for i := range used {
			used[i] = math.NaN()
		}
		got := multiply(used, x)
		if len(got) != side.out || side.out > 0 && &got[0] != &used[0] {
			t.Errorf("%s does not return its destination", side.name)
		}
		for i := range got {
			if got[i] != ax[i] {
				t.Errorf("%s into a used destination: element %d is %v, was %v", side.name, i, got[i], ax[i])
				break
			}
		}
		if n := testing.AllocsPerRun(5, func() { multiply(used, x) }); n > 0 && !allowed.Messages {
			t.Errorf("%s allocates %v times into a reused destination", side.name, n)
		}
		panics(t, side.name+" of a vector too long", func() { multiply(nil, make([]float64, side.in+1)) })
		panics(t, side.name+" into a destination too long", func() { multiply(make([]float64, side.out+1), x) })
		if y, err := side.product(NewCountdown(0), nil, x); y != nil || !errors.Is(err, context.Canceled) {
			t.Errorf("%s under an ended context returns %d values and the error %v", side.name, len(y), err)
		}
	}
	x, y := vector(cols), vector(rows)
	var left, right, scale float64
	for i, v := range Value(a.MulVec(context.Background(), nil, x))(t) {
		left += v * y[i]
		scale += math.Abs(v * y[i])
	}
	for i, v := range Value(adjoint(context.Background(), nil, y))(t) {
		right += v * x[i]
		scale += math.Abs(v * x[i])
	}
	if !(math.Abs(left-right) <= tolerance*scale) {
		t.Errorf("the adjoint is none: <Ax,y> = %v, <x,A'y> = %v", left, right)
	}
}

func panics(t testing.TB, what string, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("%s does not panic", what)
		}
	}()
	f()
}

// Allowance is what a kernel may do that the contract forbids. The zero value is nothing.
type Allowance struct {
	Rounding float64 // by what share an entry may differ from exp(-D/epsilon): factors may be float32
	Messages bool    // products ask other processes, and so they allocate
}

// Kernel checks a whole Gibbs kernel for the given epsilon, which costs a few
// rows of distances and a product each for every vertex; a few hundred
// vertices are enough. Besides the Operator's contract:
//
//  1. Distances are symmetric, not negative, and 0 on the diagonal; a reused
//     destination is returned.
//  2. -D/epsilon is nowhere below LogFloor where D is finite; of a linop.LogEntrier its own LogEntry stands for -D/epsilon, here and below.
//  3. MulVec is the sum over exp(-D/epsilon), LogMulVec that in the log domain;
//     so the latter is log MulVec exp where that can be represented, and finite
//     where it cannot.
//  4. -Inf, no mass, is legal in LogMulVec, and -Inf comes out where nothing
//     arrives.
//  5. PlanCost is the sum over pairs.
//  6. LogMulVec does not allocate into a reused destination; a vector of the
//     wrong length panics.
//  7. A method with the name of an optional one has its form, so that it is
//     found; a row is that of the distances; a draw is of the product made
//     last, one of its terms, and at their distance.
//  8. A context that ends, before a method begins or while it works, is its
//     error, without an answer. The next product is right again.
func Kernel(t testing.TB, k linop.Kernel, epsilon float64) {
	t.Helper()
	KernelBut(t, k, epsilon, Allowance{})
}

// KernelBut is Kernel but for what is allowed.
func KernelBut(t testing.TB, k linop.Kernel, epsilon float64, allowed Allowance) {
	t.Helper()
	operator(t, k, allowed)
	n, cols := k.Dims()
	if n != cols {
		t.Fatalf("a kernel of %d rows and %d columns", n, cols)
	}
	entry := linop.LogEntry(k, epsilon)
	rows := distances(t, k, entry)
	rng := rand.New(rand.NewPCG(17, 19))
	x := make([]float64, n)
	for i := range x {
		if rng.IntN(4) > 0 {
			x[i] = rng.Float64()
		}
	}
	compare(t, "MulVec", Must(t, k).MulVec(nil, x), func(i int) float64 {
		sum := 0.0
		for j, d := range rows[i] {
			sum += math.Exp(entry(d)) * x[j]
		}
		return sum
	}, allowed.relative)
	logs := func(spread float64) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = spread * (2*rng.Float64() - 1)
			if rng.IntN(4) == 0 {
				x[i] = math.Inf(-1)
			}
		}
		return x
	}
	// 5: representable; 1e4: exp of the logarithms is 0 or infinite. One
	// vertex: what lies far from it, or apart, is a row of one term or none.
	alone := make([]float64, n)
	for i := range alone {
		alone[i] = math.Inf(-1)
	}
	if n > 0 {
		alone[n/2] = -1e4
	}
	for _, x := range [][]float64{logs(5), logs(1e4), alone} {
		compare(t, "LogMulVec", Must(t, k).LogMulVec(nil, x), func(i int) float64 { return logSum(x, rows[i], entry) }, allowed.absolute)
	}
	ctx := context.Background()
	dst := make([]float64, n)
	if a := testing.AllocsPerRun(5, func() { _, _ = k.LogMulVec(ctx, dst, x) }); a > 0 && !allowed.Messages {
		t.Errorf("LogMulVec allocates %v times into a reused destination", a)
	}
	cost(t, k, rows, logs(3), logs(3), entry, allowed)
	// A plan whose scalings cannot be represented themselves.
	u, v := logs(3), logs(3)
	for i := range u {
		u[i] += 2000
		v[i] -= 2000
	}
	cost(t, k, rows, u, v, entry, allowed)
	panics(t, "LogMulVec of a vector too long", func() { _, _ = k.LogMulVec(ctx, nil, make([]float64, n+1)) })
	panics(t, "PlanCost of a vector too long", func() { _, _ = k.PlanCost(ctx, make([]float64, n+1), make([]float64, n)) })
	panics(t, "PlanCost of a second vector too long", func() { _, _ = k.PlanCost(ctx, make([]float64, n), make([]float64, n+1)) })
	panics(t, "Distances into a destination too long", func() { _, _ = k.Distances(ctx, make([]float64, n+1), 0) })
	claims(t, k, rows, epsilon)
	Cancelled(t, k, epsilon)
}

// distances checks and returns all rows.
func distances(t testing.TB, k linop.Kernel, entry func(d float64) float64) [][]float64 {
	t.Helper()
	n, _ := k.Dims()
	floor := k.LogFloor()
	if !(floor <= 0) || math.IsInf(floor, -1) {
		t.Errorf("LogFloor is %v", floor)
	}
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = Must(t, k).Distances(nil, i)
		if len(rows[i]) != n {
			t.Fatalf("Distances: a row of %d for %d vertices", len(rows[i]), n)
		}
	}
	for i, row := range rows {
		if row[i] != 0 {
			t.Errorf("Distances: %d is %v from itself", i, row[i])
		}
		for j, d := range row {
			back := rows[j][i]
			if !(d >= 0) || d != back && !(math.Abs(d-back) <= 1e-14*float64(n)*d) {
				t.Fatalf("Distances: from %d to %d %v, back %v", i, j, d, back)
			}
			if d < math.Inf(1) && entry(d) < floor-1e-12*math.Abs(floor) {
				t.Fatalf("LogFloor is %v, the entry of %d and %d has the logarithm %v", floor, i, j, entry(d))
			}
		}
	}
	if n > 0 {
		used := make([]float64, n)
		for i := range used {
			used[i] = math.NaN()
		}
		if got := Must(t, k).Distances(used, n-1); &got[0] != &used[0] {
			t.Error("Distances does not return its destination")
		}
		for j, d := range used {
			if d != rows[n-1][j] {
				t.Fatalf("Distances into a used destination: element %d is %v, was %v", j, d, rows[n-1][j])
			}
		}
	}
	return rows
}

func (a Allowance) relative(got, want float64) bool {
	return got == want || math.Abs(got-want) <= (tolerance+a.Rounding)*math.Abs(want)+1e-300
}

// absolute compares logarithms: absolute differences there are relative ones
// of what they stand for.
func (a Allowance) absolute(got, want float64) bool {
	return got == want || math.Abs(got-want) <= tolerance*max(1, math.Abs(want))+a.Rounding
}

func compare(t testing.TB, what string, got []float64, want func(i int) float64, equal func(got, want float64) bool) {
	t.Helper()
	for i, g := range got {
		if w := want(i); !equal(g, w) {
			t.Errorf("%s: element %d is %v, want %v", what, i, g, w)
			return
		}
	}
}

// logSum is log sum_j exp(x_j) K_j for entries K_j at the distances d_j.
func logSum(x, d []float64, entry func(d float64) float64) float64 {
	top := math.Inf(-1)
	for j, x := range x {
		top = max(top, x+entry(d[j]))
	}
	if math.IsInf(top, -1) {
		return top
	}
	sum := 0.0
	for j, x := range x {
		sum += math.Exp(x + entry(d[j]) - top)
	}
	return top + math.Log(sum)
}

func cost(t testing.TB, k linop.Kernel, rows [][]float64, logu, logv []float64, entry func(d float64) float64, allowed Allowance) {
	t.Helper()
	want := 0.0
	for i, row := range rows {
		for j, d := range row {
			if d > 0 && d < math.Inf(1) {
				want += d * math.Exp(logu[i]+entry(d)+logv[j])
			}
		}
	}
	// Logarithms of thousands lose three digits in the sum logu + logv alone.
	if got := Must(t, k).PlanCost(logu, logv); !(math.Abs(got-want) <= (1e-10+allowed.Rounding)*want+1e-300) {
		t.Errorf("PlanCost is %v, want %v", got, want)
	}
	u, v := make([]float64, len(logu)), make([]float64, len(logv))
	if !linop.Scalings(u, v, logu, logv, k.LogFloor()) {
		return
	}
	ku, kv := make([]float64, len(u)), make([]float64, len(v))
	if got := Must(t, k).MulPlan(ku, kv, u, v); !(math.Abs(got-want) <= (1e-10+allowed.Rounding)*want+1e-300) {
		t.Errorf("MulPlan is %v, want %v", got, want)
	}
	for _, side := range [2]struct{ x, got []float64 }{{u, ku}, {v, kv}} {
		for i, want := range Must(t, k).MulVec(nil, side.x) {
			if !(math.Abs(side.got[i]-want) <= 1e-12*want) {
				t.Fatalf("MulPlan, row %d: %v, MulVec has %v", i, side.got[i], want)
			}
		}
	}
}

// row is by how much an entry of Row may differ from exp(-D/epsilon), as a share: a kernel's factors may be float32.
const row = 1e-6

// claims checks the optional abilities.
func claims(t testing.TB, k linop.Kernel, rows [][]float64, epsilon float64) {
	t.Helper()
	ctx, n := context.Background(), len(rows)
	_, rower := k.(linop.Rower)
	_, drawer := k.(linop.Drawer)
	_, multiplier := k.(linop.PlanMultiplier)
	for name, claimed := range map[string]bool{"Row": rower, "Draw": drawer, "MulPlan": multiplier} {
		if _, has := reflect.TypeOf(k).MethodByName(name); has && !claimed {
			t.Errorf("%s has not the form that linop asks for", name)
		}
	}
	if n == 0 {
		return
	}
	for _, i := range []int{0, n / 2, n - 1} {
		for j, got := range Must(t, k).Row(epsilon, nil, i) {
			if want := math.Exp(linop.LogEntry(k, epsilon)(rows[i][j])); !(math.Abs(got-want) <= row*want+1e-30) {
				t.Fatalf("Row %d, element %d is %v, want %v", i, j, got, want)
			}
		}
	}
	x, logx := make([]float64, n), make([]float64, n)
	for i := range x {
		x[i] = float64(i % 3)
		logx[i] = math.Log(x[i])
	}
	sources, u := make([]int32, 5*n), make([]float64, 5*n)
	for a := range sources {
		sources[a], u[a] = int32(a%n), float64(a/n)/5
	}
	for _, p := range []struct {
		name    string
		product func(ctx context.Context, dst, x []float64) ([]float64, error)
		x       []float64
	}{{"MulVec", k.MulVec, x}, {"LogMulVec", k.LogMulVec, logx}} {
		product := Value(p.product(ctx, nil, p.x))(t)
		targets, dist := Must(t, k).Draw(sources, u)
		if targets == nil {
			if drawer {
				t.Errorf("Draw after %s gives no targets", p.name)
			}
			continue
		}
		for a, j := range targets {
			i := sources[a]
			if none := p.name == "MulVec" && product[i] == 0 || math.IsInf(product[i], -1); none || j < 0 {
				if none != (j < 0) {
					t.Fatalf("Draw after %s: %d from %d, whose product is %v", p.name, j, i, product[i])
				}
				continue
			}
			if x[j] == 0 || !(math.Abs(dist[a]-rows[i][j]) <= 1e-12*(1+rows[i][j])) {
				t.Fatalf("Draw after %s: from %d to %d, which has %v, at %v of %v", p.name, i, j, x[j], dist[a], rows[i][j])
			}
		}
	}
}
