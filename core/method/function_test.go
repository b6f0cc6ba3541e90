package method_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"genussink/core/baseline"
	"genussink/core/internal/shared"
	"genussink/core/internal/shared/corpus"
	"genussink/core/internal/shared/gendensity"
	"genussink/core/job"
	"genussink/core/kernel"
	"genussink/core/linop"
	"genussink/core/method"
	"genussink/core/shortest"
	"genussink/core/team"
	"genussink/core/transport"
	"genussink/internal/race"
)

// The names of functions are those that kernels are parsed by.
func TestFunctionNames(t *testing.T) {
	const others = `kernel "sine" is not one of `
	if _, err := kernel.Parse("sine"); err == nil || err.Error() != others+strings.Join(job.Functions, ", ") {
		t.Errorf("%v, and there are %v", err, job.Functions)
	}
	for _, name := range job.Functions {
		if _, err := kernel.Parse(name); err != nil && strings.Contains(err.Error(), "is not one of") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// distances are all of a space, row by row.
func distances(t *testing.T, s *method.Space) [][]float64 {
	t.Helper()
	d, err := baseline.NewDense(t.Context(), s.Graph, 1, baseline.Options{})
	if err != nil {
		t.Fatal(err)
	}
	rows := make([][]float64, s.Graph.Len())
	for i := range rows {
		if rows[i], err = d.Distances(t.Context(), nil, i); err != nil {
			t.Fatal(err)
		}
	}
	return rows
}

// dense is f of all distances over epsilon, as a matrix, and a product with it.
func dense(t *testing.T, rows [][]float64, name string, epsilon float64) (f [][]float64, product func(x []float64) []float64) {
	t.Helper()
	own, err := kernel.Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	most := own.At(0)
	for _, row := range rows {
		entries := make([]float64, len(row))
		for j, d := range row {
			if !math.IsInf(d, 1) {
				entries[j] = own.At(d/epsilon) / most
			}
		}
		f = append(f, entries)
	}
	return f, func(x []float64) []float64 {
		y := make([]float64, len(x))
		for i := range y {
			for j, e := range f[i] {
				y[i] += e * x[j]
			}
		}
		return y
	}
}

// On a mesh of every class products with functions other than exp are those of the matrix, in logarithms too, and plans have their rows and costs.
func TestFunctionsOnCorpus(t *testing.T) {
	race.Alone(t)
	shared.OneProcessor(t)
	for at, m := range corpus.Meshes(t) {
		if testing.Short() && at%4 > 0 {
			continue
		}
		s := method.NewSpace(m.Mesh, m.Graph, 0)
		n := m.Graph.Len()
		rows, maker := distances(t, s), method.New(s, machine(1e9))
		for _, name := range []string{"inverse", "cauchy:lambda=-0.5,c=2,p=2", "rational:3,1/2,1", "squared", "gauss:s=0.5", "poly:1,-0.06,0.0009"} {
			spec, err := s.Spec(job.KernelSpec{Epsilon: job.Fraction(0.2), Function: name, Precision: job.Float64})
			if err != nil {
				t.Fatal(err)
			}
			k, err := maker.Kernel(request(t.Context()), spec)
			if err != nil {
				t.Fatalf("%s, %s: %v", m.Name, name, err)
			}
			if !(k.Made.Share > 0 && k.Made.Share <= 1e-10) || k.Made.Function != name || k.Made.Bound != 0 {
				t.Errorf("%s, %s: %+v", m.Name, name, k.Made)
			}
			f, product := dense(t, rows, name, spec.Epsilon)
			x := gendensity.Random(n, 1)
			logx := make([]float64, n)
			for i, x := range x {
				logx[i] = math.Log(x)
			}
			want := product(x)
			got, err := k.Kernel.MulVec(t.Context(), nil, x)
			if err != nil {
				t.Fatal(err)
			}
			logs, err := k.Kernel.LogMulVec(t.Context(), nil, logx)
			if err != nil {
				t.Fatal(err)
			}
			for v := range want {
				if !(math.Abs(got[v]-want[v]) <= 1.1e-10*want[v]) || !(math.Abs(math.Exp(logs[v])-want[v]) <= 1.1e-10*want[v]) {
					t.Fatalf("%s, %s: row %d is %g, in logarithms %g, dense %g", m.Name, name, v, got[v], math.Exp(logs[v]), want[v])
				}
			}
			plan, err := transport.NewPlan(k.Kernel, spec.Epsilon, logx, logx)
			if err != nil {
				t.Fatal(err)
			}
			row, err := plan.Row(t.Context(), nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			for j := range row {
				if e := x[0] * f[0][j] * x[j]; !(math.Abs(row[j]-e) <= 1e-9*e) {
					t.Fatalf("%s, %s: entry 0, %d of the plan is %g, dense %g", m.Name, name, j, row[j], e)
				}
			}
			cost, err := k.Kernel.PlanCost(t.Context(), logx, logx)
			if err != nil {
				t.Fatal(err)
			}
			both, err := linop.MulPlan(t.Context(), k.Kernel, got, nil, x, x)
			if err != nil {
				t.Fatal(err)
			}
			for i := 0; i < n; i += 1 + n/10 {
				d, err := plan.Distances(t.Context(), nil, i)
				if err != nil {
					t.Fatal(err)
				}
				for j, want := range rows[i] {
					if !(d[j] == want || math.Abs(d[j]-want) <= 1e-9*want) {
						t.Fatalf("%s, %s: %d and %d are %g apart, dense %g", m.Name, name, i, j, d[j], want)
					}
				}
			}
			all := 0.0
			for i := range n {
				for j, d := range rows[i] {
					if !math.IsInf(d, 1) {
						all += x[i] * f[i][j] * x[j] * d
					}
				}
			}
			if !(math.Abs(cost-all) <= 1e-9*all) || !(math.Abs(both-all) <= 1e-9*all) {
				t.Errorf("%s, %s: costs %.12g and %.12g, dense %.12g", m.Name, name, cost, both, all)
			}
		}
	}
}

// Where distances may be wrong, entries are within what that makes of f, and the sum's share.
func TestFunctionWithDelta(t *testing.T) {
	s := spaceOf(t, "torus", map[string]float64{"segments": 40, "sides": 20})
	var product func(x []float64) []float64
	for _, of := range []string{job.Certified, job.Embedded} {
		spec, err := s.Spec(job.KernelSpec{Method: of, Epsilon: job.Fraction(0.2), Delta: job.Fraction(0.1), Function: "inverse"})
		if err != nil {
			t.Fatal(err)
		}
		k, err := method.New(s, machine(1e9)).Kernel(request(t.Context()), spec)
		if err != nil {
			t.Fatal(err)
		}
		if product == nil {
			_, product = dense(t, distances(t, s), "inverse", spec.Epsilon)
		}
		x := gendensity.Random(s.Graph.Len(), 1)
		got, err := k.Kernel.MulVec(t.Context(), nil, x)
		if err != nil {
			t.Fatal(err)
		}
		if k.Made.Method != of || k.Made.Share > 1e-6 {
			t.Errorf("%+v", k.Made)
		}
		far := (1 + k.Made.Share) / (1 - k.Made.Bound/spec.Epsilon) // f(-delta) over f(0): nowhere does f change faster
		worst := 1.0
		for v, want := range product(x) {
			if worst = max(worst, got[v]/want, want/got[v]); !(worst <= far) {
				t.Fatalf("%s: row %d is %g, dense %g, bound %g", of, v, got[v], want, far)
			}
		}
		if worst == 1 {
			t.Errorf("%s: exact, a delta shows nothing", of)
		}
	}
}

// crew counts what members are asked for, and does it.
type crew struct {
	member team.Member
	mu     sync.Mutex
	asked  map[string]int
	alone  sync.Mutex // as in an engine, what is no row goes one by one
}

func (c *crew) Size() int { return 1 }

func (c *crew) Call(ctx context.Context, _ int, request job.Body) (job.Body, error) {
	c.mu.Lock()
	c.asked[fmt.Sprintf("%T", request)]++
	c.mu.Unlock()
	if row, ok := team.Beside(request); ok {
		return c.member.Row(ctx, row)
	}
	c.alone.Lock()
	defer c.alone.Unlock()
	return c.member.Do(ctx, request, func(string, float64) {})
}

// With members, which keep the factors of one exponential, the lead multiplies alone by other functions than exp: the products are those without members. The
// kernel of exp that comes after is shared again.
func TestFunctionsBesideMembers(t *testing.T) {
	s := spaceOf(t, "sphere", map[string]float64{"frequency": 10}) // the least that is shared
	c := &crew{member: team.Member{MemoryLimit: 1e9}, asked: map[string]int{}}
	shared := method.New(s, &method.Machine{MemoryLimit: 1e9, Now: time.Now, Lead: team.Lead{Members: c}})
	single := method.New(s, machine(1e9))
	x := gendensity.Random(s.Graph.Len(), 1)
	for at, name := range []string{job.Exp, "squared", "inverse", job.Exp} {
		spec, err := s.Spec(job.KernelSpec{Method: job.Certified, Epsilon: job.Fraction(0.2), Delta: job.Fraction(0.1), Function: name})
		if err != nil {
			t.Fatal(err)
		}
		var products [2][]float64
		before := c.asked["*job.Hold"]
		for i, m := range []*method.Maker{shared, single} {
			k, err := m.Kernel(request(t.Context()), spec)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if products[i], err = k.Kernel.MulVec(t.Context(), nil, x); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		if asked := c.asked["*job.Hold"] > before; asked != (name == job.Exp) {
			t.Errorf("kernel %d, %s: a member holds a part of it: %v", at, name, asked)
		}
		for v, y := range products[0] {
			if want := products[1][v]; !(math.Abs(y-want) <= 1e-9*want) {
				t.Fatalf("kernel %d, %s: product %d is %g, without members %g", at, name, v, y, want)
			}
		}
	}
}

// A function without a sum, or not positive up to the longest distance, is refused with the place.
func TestFunctionRefused(t *testing.T) {
	s := spaceOf(t, "sphere", map[string]float64{"frequency": 4})
	for name, says := range map[string]string{
		"features:count=32,f=gauss": "its estimate is -",
		"features:count=64,f=exp":   "must be positive up to",
		"poly:1,1":                  "does not fall near x = 0",
		"poly:1,-0.25,0.03":         "does not fall near x = 4.1",
		"rational:1,1/1":            "no sum of exponentials",
		"poly:1,-1":                 "near x = 1",
		"poly:-1":                   "is negative: f(0) = -1",
		"cauchy:c=1e-99,p=9":        "c^-p",
		"cosine":                    "is not one of",
	} {
		spec, err := s.Spec(job.KernelSpec{Epsilon: job.Fraction(0.2), Function: name})
		if err == nil {
			_, err = method.New(s, machine(1e9)).Kernel(request(t.Context()), spec)
		}
		if err == nil || !strings.Contains(err.Error(), says) || !strings.HasPrefix(err.Error(), "kernel "+name+": ") {
			t.Errorf("%s: %v, not %q", name, err, says)
		}
	}
}

// What holds up to the longest distance does, though the bound on it is longer: f falls up to x = 5, and the longest distance is 4.8.
func TestPolynomialUpToTheLongestDistance(t *testing.T) {
	s := spaceOf(t, "sphere", map[string]float64{"frequency": 4})
	spec, err := s.Spec(job.KernelSpec{Epsilon: job.Fraction(0.2), Function: "poly:1,-0.2,0.02"})
	if err != nil {
		t.Fatal(err)
	}
	k, err := method.New(s, machine(1e9)).Kernel(request(t.Context()), spec)
	if err != nil {
		t.Fatal(err)
	}
	unit := make([]float64, len(s.Component))
	unit[7] = 1
	column, err := k.Kernel.MulVec(t.Context(), nil, unit)
	if err != nil {
		t.Fatal(err)
	}
	solver, done := s.Solver()
	defer done()
	furthest := 0.0
	for v, d := range solver.Distances(nil, 7) {
		x := d / spec.Epsilon
		furthest = max(furthest, x)
		if want := 1 - 0.2*x + 0.02*x*x; !(math.Abs(column[v]-want) <= 1e-6) {
			t.Errorf("entry %d is %g, want %g", v, column[v], want)
		}
	}
	if reach := s.Reach() / spec.Epsilon; !(reach > 5 && furthest < 5) {
		t.Errorf("the longest distance is %g, its bound %g", furthest, reach)
	}
}

// Squared distance is certified whatever delta is: its products save time where those of exp do not. Entries are within what delta makes of f.
func TestSquaredWithDelta(t *testing.T) {
	s := spaceOf(t, "torus", map[string]float64{"segments": 40, "sides": 20})
	n := s.Graph.Len()
	truth := shortest.From(s.Graph, 0)
	for _, delta := range []float64{0.01, 0.1} {
		spec, err := s.Spec(job.KernelSpec{Method: job.Certified, Epsilon: job.Fraction(0.1), Delta: job.Fraction(delta), Function: "squared"})
		if err != nil {
			t.Fatal(err)
		}
		k, err := method.New(s, machine(1e9)).Kernel(request(t.Context()), spec)
		if err != nil {
			t.Fatal(err)
		}
		if k.Made.Method != job.Certified || k.Made.Function != "squared" || !(k.Made.Bound > 0 && k.Made.Bound <= spec.Delta) || !(k.Made.Share > 0 && k.Made.Share <= 1e-10) {
			t.Errorf("%+v", k.Made)
		}
		x := make([]float64, n)
		for i := range x {
			x[i] = math.Inf(-1)
		}
		x[0] = 0
		row, err := k.Kernel.LogMulVec(t.Context(), nil, x)
		if err != nil {
			t.Fatal(err)
		}
		worst := 0.0
		for j, l := range row {
			e := math.Abs(spec.Epsilon*math.Sqrt(-l) - truth[j]) // of a distance
			if worst = max(worst, e); !(e <= k.Made.Bound*(1+1e-9)) {
				t.Fatalf("delta %g: the distance to %d is off by %g, bound %g", delta, j, e, k.Made.Bound)
			}
		}
		if worst == 0 {
			t.Errorf("delta %g: exact", delta)
		}
	}
}

// Random features on a mesh are f of every pair as products of core/kernel estimate it, and no further from f than is said.
func TestFeaturesOnAMesh(t *testing.T) {
	s := spaceOf(t, "torus", map[string]float64{"segments": 16, "sides": 8})
	const name = "features:count=256,seed=3,f=gauss:s=8"
	n := s.Graph.Len()
	x := gendensity.Random(n, 1)
	f, err := kernel.Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, delta := range []float64{0, 0.01} {
		spec := job.KernelSpec{Epsilon: job.Fraction(0.4), Function: name}
		if delta > 0 {
			spec.Method, spec.Delta = job.Certified, job.Fraction(delta)
		}
		p, err := s.Spec(spec)
		if err != nil {
			t.Fatal(err)
		}
		k, err := method.New(s, machine(1e9)).Kernel(request(t.Context()), p)
		if err != nil {
			t.Fatal(err)
		}
		got, err := k.Kernel.MulVec(t.Context(), nil, x)
		if err != nil {
			t.Fatal(err)
		}
		worst := 0.0
		for i := 0; i < n; i += 5 {
			d, err := k.Kernel.Distances(t.Context(), nil, i)
			if err != nil {
				t.Fatal(err)
			}
			for j := range d {
				d[j] = max(0, d[j]) / p.Epsilon
			}
			d = append(d, 0)
			row, err := kernel.NewProduct(f, d, []float64{0})
			if err != nil {
				t.Fatal(err)
			}
			e, err := row.MulVec(t.Context(), nil, []float64{1})
			if err != nil {
				t.Fatal(err)
			}
			want, truly := 0.0, 0.0
			for j, x := range x {
				want += e[j] / e[n] * x
				truly += f.At(d[j]) * x
			}
			if !(math.Abs(got[i]-want) <= 1e-6*want) {
				t.Fatalf("delta %g: row %d is %g, by products %g", delta, i, got[i], want)
			}
			worst = max(worst, math.Abs(got[i]/truly-1))
		}
		if !(worst <= k.Made.Share && k.Made.Share < 1 && worst > 1e-9) {
			t.Errorf("delta %g: rows are off by %g, said to be at most %g", delta, worst, k.Made.Share)
		}
	}
}
