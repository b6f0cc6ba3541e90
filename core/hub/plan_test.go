package hub_test

import (
	"context"
	"fmt"
	"math"
	"testing"
	"time"

	"genussink/core/baseline"
	"genussink/core/hub/hubtest"
	"genussink/core/hub/label"
	"genussink/core/internal/shared/genmesh"
	"genussink/core/linop"
	"genussink/core/linop/linoptest"
	"genussink/core/measure"
	"genussink/core/measure/preset"
	"genussink/core/septree"
	"genussink/core/shortest"
	"genussink/core/transport"
	"genussink/core/transport/flow"
	"genussink/internal/race"
)

// planOf solves the paper's densities and returns the plan.
func planOf(t testing.TB, k linop.Kernel, source, target []float64, epsilon float64) (*transport.Plan, *transport.Result) {
	t.Helper()
	r, err := transport.Solve(context.Background(), transport.Problem{Kernel: k, Source: source, Target: target, Epsilon: epsilon}, transport.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Status != transport.Converged {
		t.Fatalf("%s, marginal error %g", r.Status, r.MarginalError)
	}
	p, err := transport.NewPlan(k, epsilon, r.LogU, r.LogV)
	if err != nil {
		t.Fatal(err)
	}
	return p, r
}

// Every question to the plan of the exact kernel has the answer of the dense
// plan. That of the certified kernel lies within exp(delta/epsilon) of that with true distances,
// and whatever it is asked for, rows and entries too, it answers with one matrix, whose rows and
// columns sum up to the marginals.
func TestPlanAgainstDense(t *testing.T) {
	race.Alone(t)
	for name, params := range map[string]map[string]float64{
		"sphere":   {"frequency": 3}, // with ties
		"torus":    {"segments": 12, "sides": 7},
		"dumbbell": {"radius": 3},
	} {
		if testing.Short() && name != "torus" {
			continue
		}
		m, g := genmesh.Make(t, name, params)
		source, target, err := preset.Paper(m, g, preset.Floor)
		if err != nil {
			t.Fatal(err)
		}
		source[3], target[5] = 0, 0
		measure.Normalise(source)
		measure.Normalise(target)
		l := hubtest.Labels(t, g, septree.Options{Leaf: 12})
		for _, c := range []struct {
			share, tolerance float64 // epsilon and delta over the diagonal
			form             string
		}{{0.2, 0, transport.Scaling}, {0.02, 0, transport.Scaling}, {0.001, 0, transport.Log}, {0.2, 0.05, transport.Scaling}, {0.02, 0.05, transport.Scaling}, {0.001, 0.001, transport.Log}} {
			t.Run(fmt.Sprintf("%s/epsilon=%g/delta=%g", name, c.share, c.tolerance), func(t *testing.T) {
				epsilon, delta := c.share*m.Diagonal(), c.tolerance*m.Diagonal()
				k := hubtest.KernelOf(t, hubtest.BuildCover(t, l, delta), epsilon)
				p, r := planOf(t, k, source, target, epsilon)
				if r.Form != c.form {
					t.Errorf("the form is %s", r.Form)
				}
				n := g.Len()
				rows, own := make([][]float64, n), named(t, k, epsilon)
				for i := range rows {
					rows[i] = shortest.From(g, int32(i))
					for j, d := range rows[i] {
						rows[i][j] = math.Exp(r.LogU[i] + r.LogV[j] - d/epsilon)
						own[i][j] = math.Exp(r.LogU[i] + r.LogV[j] - own[i][j]/epsilon)
						if x := rows[i][j]; own[i][j] > x*math.Exp(delta/epsilon)*(1+1e-9)+1e-300 || own[i][j] < x*math.Exp(-delta/epsilon)*(1-1e-9) {
							t.Fatalf("P(%d,%d) is %g with its own distance, %g with the true one", i, j, own[i][j], x)
						}
					}
				}
				if delta == 0 {
					dense, err := baseline.NewDense(context.Background(), g, epsilon, baseline.Options{})
					if err != nil {
						t.Fatal(err)
					}
					_, want := planOf(t, dense, source, target, epsilon)
					// Either has marginals to 1e-9, which leaves the more room the smaller epsilon is.
					apart := 0.0
					for i := range rows {
						for j, d := range shortest.From(g, int32(i)) {
							apart += math.Abs(rows[i][j] - math.Exp(want.LogU[i]+want.LogV[j]-d/epsilon))
						}
					}
					if apart > 1e-9/c.share {
						t.Errorf("%g of the mass goes elsewhere than with the dense plan", apart)
					}
				}
				askRows(t, p, own)
				askMarginals(t, p, source, target)
				askProducts(t, p, own, m.Positions)
				askSample(t, p, own)
			})
		}
	}
}

func near(t testing.TB, what string, i int, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*math.Abs(want)+1e-15) {
		t.Fatalf("%s %d is %g, not %g", what, i, got, want)
	}
}

// named is the distances that the kernel multiplies with.
func named(t linoptest.T, k hubtest.Subject, epsilon float64) [][]float64 {
	n, _ := k.Dims()
	x := make([]float64, n)
	for i := range x {
		x[i] = math.Inf(-1)
	}
	d := make([][]float64, n)
	for i := range d {
		x[i] = 0
		d[i] = linoptest.Must(t, k).LogMulVec(nil, x)
		x[i] = math.Inf(-1)
		for j := range d[i] {
			d[i][j] *= -epsilon
		}
	}
	return d
}

// askMarginals adds up rows and columns.
func askMarginals(t *testing.T, p *transport.Plan, source, target []float64) {
	t.Helper()
	sent, received := 0.0, 0.0 // by how much they differ
	for i := range source {
		for side, line := range [2][]float64{linoptest.Value(p.Row(t.Context(), nil, i))(t), linoptest.Value(p.Column(t.Context(), nil, i))(t)} {
			total := 0.0
			for _, x := range line {
				total += x
			}
			if side == 0 {
				sent += math.Abs(total - source[i])
			} else {
				received += math.Abs(total - target[i])
			}
		}
	}
	if !(max(sent, received) <= 1.1e-9) { // a solve stops at 1e-9
		t.Errorf("rows differ from the source by %g, columns from the target by %g", sent, received)
	}
}

// askRows asks for rows, columns, entries and the most of them.
func askRows(t *testing.T, p *transport.Plan, m [][]float64) {
	for i := range m {
		row, column := linoptest.Value(p.Row(t.Context(), nil, i))(t), linoptest.Value(p.Column(t.Context(), nil, i))(t)
		for j := range m {
			near(t, "row's entry", j, row[j], m[i][j], 1e-9)
			near(t, "column's entry", j, column[j], m[j][i], 1e-9)
			if (i+j)%5 == 0 { // every one takes a row
				near(t, "entry", j, linoptest.Value(p.Entry(t.Context(), i, j))(t), m[i][j], 1e-9)
			}
		}
		for _, target := range []bool{false, true} {
			line := row
			if target {
				line = column
			}
			top, total, err := p.Top(t.Context(), i, target, 7)
			if err != nil {
				t.Fatal(err)
			}
			all := 0.0
			for _, x := range line {
				all += x
			}
			near(t, "total", i, total, all, 1e-12)
			listed := map[int32]bool{}
			for k, partner := range top {
				near(t, "partner", k, partner.Mass, line[partner.Vertex], 1e-12)
				listed[partner.Vertex] = true
			}
			if len(listed) != len(top) {
				t.Fatalf("vertex %d: a partner twice in %v", i, top)
			}
			for j, x := range line { // who is not listed has no more than who is
				if x > 0 && !listed[int32(j)] && (len(top) < 7 || x > top[6].Mass) {
					t.Fatalf("vertex %d: %d with %g is not among the first: %v", i, j, x, top)
				}
			}
		}
	}
}

// askProducts asks for P x, P^T x, the mass between two sets and barycentres.
func askProducts(t *testing.T, p *transport.Plan, m [][]float64, positions [][3]float64) {
	n := len(m)
	x, set := make([]float64, n), make([]float64, n)
	for i := range x {
		x[i] = 1 + math.Sin(float64(3*i))
	}
	from, to := []int32{1, 5, int32(n - 2)}, []int32{0, 7, int32(n / 2)}
	for _, j := range to {
		set[j] = 1
	}
	between := 0.0
	push, pull, sent, centres := linoptest.Value(p.Push(t.Context(), nil, x))(t), linoptest.Value(p.Pull(t.Context(), nil, x))(t), linoptest.Value(p.Push(t.Context(), nil, set))(t), linoptest.Value(p.Barycentres(t.Context(), nil, positions))(t)
	for i := range m {
		var px, ptx, total, into float64
		var centre [3]float64
		for j, q := range positions {
			px += m[i][j] * x[j]
			ptx += m[j][i] * x[j]
			total += m[i][j]
			into += m[i][j] * set[j]
			for c := range 3 {
				centre[c] += m[i][j] * q[c]
			}
		}
		near(t, "P x", i, push[i], px, 1e-9)
		near(t, "P^T x", i, pull[i], ptx, 1e-9)
		near(t, "mass into the set from", i, sent[i], into, 1e-9)
		for _, s := range from {
			if int(s) == i {
				between += into
			}
		}
		for c := range 3 {
			want := positions[i][c]
			if total > 0 {
				want = centre[c] / total
			}
			if math.Abs(centres[i][c]-want) > 1e-9 {
				t.Fatalf("barycentre %d is %v, its coordinate %d should be %g", i, centres[i], c, want)
			}
		}
	}
	near(t, "mass between two sets,", 0, linoptest.Value(p.Between(t.Context(), from, to))(t), between, 1e-9)
}

// askSample draws pairs with the probabilities of the plan's matrix. Chi-square over blocks.
func askSample(t *testing.T, p *transport.Plan, own [][]float64) {
	const draws, blocks = 50000, 5
	n := len(own)
	pairs, err := p.Sample(t.Context(), draws, 42)
	if err != nil {
		t.Fatal(err)
	}
	var seen, expected [blocks][blocks]float64
	all := 0.0
	for i := range own {
		for j, x := range own[i] {
			all += x
			expected[i*blocks/n][j*blocks/n] += draws * x
		}
	}
	for _, q := range pairs {
		if own[q.From][q.To] == 0 {
			t.Fatalf("the pair %v has no mass", q)
		}
		seen[int(q.From)*blocks/n][int(q.To)*blocks/n]++
	}
	chi := 0.0
	for a := range blocks {
		for b := range blocks {
			d := seen[a][b] - expected[a][b]/all
			chi += d * d / max(expected[a][b]/all, 1)
		}
	}
	if len(pairs) != draws || chi > 62 { // 24 degrees of freedom: 1 in 30,000, and the seed is fixed
		t.Errorf("%d pairs, chi-square %g", len(pairs), chi)
	}
}

// BenchmarkPlan times questions in products of the kernel, and those for rows, as ever, in
// runs of Dijkstra's algorithm, though they need none.
func BenchmarkPlan(b *testing.B) {
	g, positions, diagonal, source, target := mesh(b, "cgal__turbine.off")
	l := hubtest.Labels(b, g, septree.Options{Positions: positions})
	n := g.Len()
	epsilon := 0.2 * diagonal
	for _, delta := range []float64{0, 0.01} {
		k := hubtest.KernelOf(b, hubtest.BuildCover(b, l, delta*diagonal), epsilon)
		p, _ := planOf(b, k, source, target, epsilon)
		y, centres, brush := make([]float64, n), make([][3]float64, n), []int32{}
		for v := range int32(n / 20) {
			brush = append(brush, v)
		}
		solver := shortest.NewSolver(g)
		i := 0
		next := func() int { i = (i + 101) % n; return i }
		for _, c := range []struct {
			name     string
			question func()
			unit     string
			measure  func()
		}{
			{"push", func() { linoptest.Value(p.Push(b.Context(), y, source))(b) }, "products", func() { linoptest.Must(b, k).MulVec(y, source) }},
			{"pull", func() { linoptest.Value(p.Pull(b.Context(), y, source))(b) }, "products", func() { linoptest.Must(b, k).MulVec(y, source) }},
			{"between", func() { linoptest.Value(p.Between(b.Context(), brush, brush))(b) }, "products", func() { linoptest.Must(b, k).MulVec(y, source) }},
			{"barycentres", func() { linoptest.Value(p.Barycentres(b.Context(), centres, positions))(b) }, "products", func() { linoptest.Must(b, k).MulVec(y, source) }},
			{"row", func() { linoptest.Value(p.Row(b.Context(), y, next()))(b) }, "Dijkstras", func() { solver.Distances(y, int32(next())) }},
			{"column", func() { linoptest.Value(p.Column(b.Context(), y, next()))(b) }, "Dijkstras", func() { solver.Distances(y, int32(next())) }},
			{"top 10", func() {
				if _, _, err := p.Top(b.Context(), next(), false, 10); err != nil {
					b.Fatal(err)
				}
			}, "Dijkstras", func() { solver.Distances(y, int32(next())) }},
			{"entry", func() { linoptest.Value(p.Entry(b.Context(), next(), 7))(b) }, "Dijkstras", func() { solver.Distances(y, int32(next())) }},
			{"1000 pairs", func() {
				if _, err := p.Sample(context.Background(), 1000, uint64(next())); err != nil {
					b.Fatal(err)
				}
			}, "Dijkstras", func() { solver.Distances(y, int32(next())) }},
		} {
			b.Run(fmt.Sprintf("delta=%g/%s", delta, c.name), func(b *testing.B) {
				var asked, measured time.Duration
				for b.Loop() {
					start := time.Now()
					c.question()
					middle := time.Now()
					c.measure()
					asked, measured = asked+middle.Sub(start), measured+time.Since(middle)
				}
				b.ReportMetric(asked.Seconds()/measured.Seconds(), c.unit)
			})
		}
	}
}

// BenchmarkFlow times 3,000 particles, from a solved plan to all their paths, and the first batch of them; and what
// they take of it: the draw, and a row as it is hovered over.
func BenchmarkFlow(b *testing.B) {
	for _, c := range []struct {
		mesh  string
		delta float64
	}{{"cgal__turbine.off", 0}, {"cgal__turbine.off", 0.01}, {"common3d__igea.ply", 0.01}} {
		b.Run(fmt.Sprintf("%s/delta=%g", c.mesh, c.delta), func(b *testing.B) {
			g, positions, diagonal, source, target := mesh(b, c.mesh)
			l := hubtest.LabelsOf(b, g, septree.Options{Positions: positions}, label.Float32)
			epsilon := 0.05 * diagonal
			k := hubtest.KernelOf(b, hubtest.BuildCover(b, l, c.delta*diagonal), epsilon)
			r, err := transport.Solve(b.Context(), transport.Problem{Kernel: k, Source: source, Target: target, Epsilon: epsilon}, transport.Options{Tolerance: 1e-6})
			if err != nil {
				b.Fatal(err)
			}
			p, err := transport.NewPlan(k, epsilon, r.LogU, r.LogV)
			if err != nil {
				b.Fatal(err)
			}
			linoptest.Value(p.Row(b.Context(), nil, 0))(b) // makes the index
			var first, all, draw, row, product time.Duration
			for b.Loop() {
				start, batches := time.Now(), 0
				if err := flow.Draw(b.Context(), p, g, l, 3000, 1, func(flow.Paths) {
					if batches++; batches == 1 {
						first += time.Since(start)
					}
				}); err != nil {
					b.Fatal(err)
				}
				all += time.Since(start)
				start = time.Now()
				if _, err := p.Sample(b.Context(), 3000, 2); err != nil {
					b.Fatal(err)
				}
				draw += time.Since(start)
				start = time.Now()
				linoptest.Value(p.Row(b.Context(), nil, g.Len()/3))(b)
				row += time.Since(start)
				start = time.Now()
				linoptest.Must(b, k).MulVec(nil, source)
				product += time.Since(start)
			}
			for unit, d := range map[string]time.Duration{"first-ms": first, "all-ms": all, "draw-ms": draw, "row-ms": row, "product-ms": product} {
				b.ReportMetric(d.Seconds()*1e3/float64(b.N), unit)
			}
		})
	}
}

// Three thousand particles, drawn and with all their paths, take at most half the runs of Dijkstra's algorithm that one for
// each of their sources would be. They take a tenth as machine code and a third as WebAssembly, whose exponentials are slower.
func TestFlowTakesNoSearches(t *testing.T) {
	race.Alone(t)
	m, g := genmesh.Make(t, "sphere", map[string]float64{"frequency": 16})
	source, target, err := preset.Paper(m, g, preset.Floor)
	if err != nil {
		t.Fatal(err)
	}
	epsilon := 0.05 * m.Diagonal()
	l := hubtest.LabelsOf(t, g, septree.Options{}, label.Float32)
	solver, y := shortest.NewSolver(g), make([]float64, g.Len())
	for _, share := range []float64{0, 0.01} {
		p, _ := planOf(t, hubtest.KernelOf(t, hubtest.BuildCover(t, l, share*m.Diagonal()), epsilon), source, target, epsilon)
		const particles = 3000
		sources := map[int32]bool{}
		pairs, err := p.Sample(t.Context(), particles, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range pairs {
			sources[q.From] = true
		}
		least := math.Inf(1)
		for round := range uint64(5) { // the quietest of some: the machine does other things too
			start := time.Now()
			if err := flow.Draw(t.Context(), p, g, l, particles, round, func(flow.Paths) {}); err != nil {
				t.Fatal(err)
			}
			flow := time.Since(start)
			start = time.Now()
			const runs = 40
			for i := range int32(runs) {
				solver.Distances(y, i*int32(g.Len())/runs)
			}
			least = min(least, runs*flow.Seconds()/time.Since(start).Seconds())
		}
		if t.Logf("delta %g: %d sources, as long as %.0f runs", share, len(sources), least); least > float64(len(sources))/2 {
			t.Errorf("delta %g: %d particles of %d sources take as long as %.0f runs of Dijkstra's algorithm", share, particles, len(sources), least)
		}
	}
}
