package transport

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"genussink/core/graph"
	"genussink/core/internal/shared/gendensity"
	"genussink/core/internal/shared/gengraph"
	"genussink/core/linop/linoptest"
)

// solved is a plan with its matrix, in either form.
func solved(t testing.TB, n int, log bool) (*Plan, *graph.Graph, [][]float64) {
	t.Helper()
	bridge, epsilon := 0.0, 0.5
	if log {
		bridge = 400
	}
	g := gengraph.Bridged(t, n, bridge)
	k := dense(t, g, epsilon)
	a, b := gendensity.Halves(t, n)
	r := solve(t, Problem{k, a, b, epsilon}, Options{})
	p, err := NewPlan(k, epsilon, r.LogU, r.LogV)
	if err != nil {
		t.Fatal(err)
	}
	if p.scaled == log {
		t.Fatalf("scaled is %v", p.scaled)
	}
	return p, g, matrix(g, epsilon, r)
}

func TestPlanAgainstMatrix(t *testing.T) {
	const n = 80
	for _, log := range []bool{false, true} {
		p, _, m := solved(t, n, log)
		x := make([]float64, n)
		positions := make([][3]float64, n)
		for i := range x {
			x[i] = math.Sin(float64(3 * i))
			positions[i] = [3]float64{float64(i % 7), x[i], 1e3 * float64(i*i%11)}
		}
		push, pull, centres := linoptest.Value(p.Push(t.Context(), nil, x))(t), linoptest.Value(p.Pull(t.Context(), nil, x))(t), linoptest.Value(p.Barycentres(t.Context(), nil, positions))(t)
		self := slices.Clone(x)
		linoptest.Value(p.Push(t.Context(), self, self))(t)
		for i := range n {
			row, column := linoptest.Value(p.Row(t.Context(), nil, i))(t), linoptest.Value(p.Column(t.Context(), nil, i))(t)
			var px, ptx, total float64
			var centre [3]float64
			for j := range n {
				if !near(row[j], m[i][j], 1e-13) || !near(column[j], m[j][i], 1e-13) || !near(linoptest.Value(p.Entry(t.Context(), i, j))(t), m[i][j], 1e-13) {
					t.Fatalf("log=%v: entry %d,%d is %g in the row, %g in the column, %g alone, not %g", log, i, j, row[j], column[j], linoptest.Value(p.Entry(t.Context(), i, j))(t), m[i][j])
				}
				px += m[i][j] * x[j]
				ptx += m[j][i] * x[j]
				total += m[i][j]
				for c := range 3 {
					centre[c] += m[i][j] * positions[j][c]
				}
			}
			if !near(push[i], px, 1e-13) || !near(pull[i], ptx, 1e-13) || self[i] != push[i] {
				t.Errorf("log=%v: products %d are %g and %g (in place %g), not %g and %g", log, i, push[i], pull[i], self[i], px, ptx)
			}
			for c := range 3 {
				want := positions[i][c]
				if total > 0 {
					want = centre[c] / total
				}
				if !near(centres[i][c], want, 1e-10) {
					t.Errorf("log=%v: barycentre %d[%d] is %g, not %g", log, i, c, centres[i][c], want)
				}
			}
		}
		from, to := []int32{1, 5, 70}, []int32{0, 3, 44, 79}
		want := 0.0
		for _, i := range from {
			for _, j := range to {
				want += m[i][j]
			}
		}
		if got := linoptest.Value(p.Between(t.Context(), from, to))(t); !near(got, want, 1e-13) {
			t.Errorf("log=%v: %g between two sets, not %g", log, got, want)
		}
		if got := linoptest.Value(p.Between(t.Context(), append(from, from...), append(to, to[0])))(t); !near(got, want, 1e-13) {
			t.Errorf("log=%v: %g where vertices are named twice, not %g", log, got, want)
		}
	}
}

func TestTop(t *testing.T) {
	const n = 80
	p, _, m := solved(t, n, false)
	for v := range n {
		for _, target := range []bool{false, true} {
			var want []Partner
			total := 0.0
			for j := range n {
				mass := m[v][j]
				if target {
					mass = m[j][v]
				}
				total += mass
				if mass > 0 {
					want = append(want, Partner{int32(j), mass})
				}
			}
			slices.SortFunc(want, func(a, b Partner) int {
				return cmp.Or(cmp.Compare(b.Mass, a.Mass), cmp.Compare(a.Vertex, b.Vertex))
			})
			for _, k := range []int{0, 1, 5, 1000} {
				got, sum, err := p.Top(t.Context(), v, target, k)
				if err != nil {
					t.Fatal(err)
				}
				if wanted := len(want); len(got) != min(cmp.Or(k, wanted), wanted) || !near(sum, total, 1e-13) {
					t.Fatalf("vertex %d: %d of %d partners with %g of %g", v, len(got), len(want), sum, total)
				}
				for i, g := range got {
					if !near(g.Mass, want[i].Mass, 1e-13) || (i > 0 && g.Mass > got[i-1].Mass) {
						t.Errorf("vertex %d: partner %d is %v, not %v", v, i, g, want[i])
					}
				}
			}
		}
	}
}

// Drawn pairs follow the plan: chi-square over cells of rows and columns.
func TestSampleFollowsThePlan(t *testing.T) {
	const n, draws, blocks = 60, 200000, 6
	p, _, m := solved(t, n, false)
	pairs, err := p.Sample(t.Context(), draws, 42)
	if err != nil || len(pairs) != draws {
		t.Fatalf("%d pairs, %v", len(pairs), err)
	}
	var seen, expected [blocks][blocks]float64
	for _, pair := range pairs {
		if m[pair.From][pair.To] == 0 {
			t.Fatalf("pair %v has no mass", pair)
		}
		seen[pair.From*blocks/n][pair.To*blocks/n]++
	}
	chi := 0.0
	for i := range n {
		for j := range n {
			expected[i*blocks/n][j*blocks/n] += m[i][j] * draws
		}
	}
	for i := range blocks {
		for j := range blocks {
			chi += (seen[i][j] - expected[i][j]) * (seen[i][j] - expected[i][j]) / max(expected[i][j], 1)
		}
	}
	if chi > 80 { // 35 degrees of freedom: 1 in 20,000, and the seed is fixed
		t.Errorf("chi-square %g", chi)
	}
	again, err := p.Sample(t.Context(), draws, 42)
	if err != nil || !slices.Equal(pairs, again) {
		t.Errorf("the same seed draws other pairs, %v", err)
	}
	if other, _ := p.Sample(t.Context(), draws, 43); slices.Equal(pairs, other) {
		t.Error("another seed draws the same pairs")
	}
}

// A sample is given up while it draws.
func TestSampleIsGivenUp(t *testing.T) {
	g := gengraph.Ladder(t, 3, 1)
	uniform := []float64{0, 0, 0}
	p, err := NewPlan(dense(t, g, 1), 1, uniform, uniform)
	if err != nil {
		t.Fatal(err)
	}
	for after := range 6 { // the product asks, too
		if _, err := p.Sample(linoptest.NewCountdown(after), 20*drawn, 1); !errors.Is(err, context.Canceled) {
			t.Errorf("given up after %d questions: %v", after, err)
		}
	}
}

func TestPlanRefuses(t *testing.T) {
	g := gengraph.Ladder(t, 3, 1)
	k := dense(t, g, 1)
	zero, none := make([]float64, 3), []float64{math.Inf(-1), math.Inf(-1), math.Inf(-1)}
	for _, c := range []struct {
		epsilon    float64
		logu, logv []float64
		want       string
	}{
		{1, zero[:2], zero, "2 and 3 potentials"},
		{0, zero, zero, "epsilon is 0"},
		{1, zero, []float64{0, math.NaN(), 0}, "log v of vertex 1 is NaN"},
		{1, []float64{0, 0, math.Inf(1)}, zero, "log u of vertex 2 is +Inf"},
	} {
		if _, err := NewPlan(k, c.epsilon, c.logu, c.logv); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("want %q, got %v", c.want, err)
		}
	}
	p, err := NewPlan(k, 1, none, zero)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Sample(t.Context(), 1, 0); err == nil {
		t.Error("a plan without mass is sampled")
	}
	if _, err := p.Sample(t.Context(), -1, 0); err == nil {
		t.Error("-1 pairs are sampled")
	}
	if _, err := p.Sample(t.Context(), math.MaxInt32+1, 0); err == nil {
		t.Error("more pairs than there can be are sampled")
	}
	ctx := t.Context()
	for _, v := range []int{-1, 3} {
		_, row := p.Row(ctx, nil, v)
		_, column := p.Column(ctx, nil, v)
		_, first := p.Entry(ctx, v, 0)
		_, second := p.Entry(ctx, 0, v)
		_, distances := p.Distances(ctx, nil, v)
		_, _, top := p.Top(ctx, v, true, 1)
		_, from := p.Between(ctx, []int32{int32(v)}, []int32{0})
		_, to := p.Between(ctx, []int32{0}, []int32{0, int32(v)})
		for what, err := range map[string]error{"row": row, "column": column, "entry": first, "entry's column": second, "distances": distances, "top": top, "from": from, "to": to} {
			if want := fmt.Sprintf("vertex %d of a plan of 3", v); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", what, err, want)
			}
		}
	}
	if row := linoptest.Value(p.Row(t.Context(), nil, 0))(t); row[0] != 0 || row[2] != 0 {
		t.Errorf("a row without mass is %v", row)
	}
}
