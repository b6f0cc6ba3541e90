// Package experiment measures the methods against one another: one run, one
// machine, the same meshes, densities and processors for all. It computes and
// formats; files and flags are the tool's.
package experiment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"time"

	"genussink/core/baseline"
	"genussink/core/graph"
	"genussink/core/hub"
	"genussink/core/hub/cover"
	"genussink/core/hub/label"
	"genussink/core/internal/heap"
	"genussink/core/linop"
	"genussink/core/measure"
	"genussink/core/measure/preset"
	"genussink/core/mesh"
	"genussink/core/septree"
	"genussink/core/sgfi"
	"genussink/core/shortest"
	"genussink/core/transport"
	"genussink/core/transport/check"
	"genussink/core/transport/coarse"
	"genussink/core/transport/polish"
)

// Case is a mesh to measure on.
type Case struct {
	Name   string
	Series string // the same for meshes of one shape; a fit needs it
	Mesh   *mesh.Mesh
}

// ScalingOptions of Scaling. The zero value works.
type ScalingOptions struct {
	Epsilon     float64   // share of the diagonal; 0: 0.2
	Deltas      []float64 // of certified, shares of the diagonal; nil: 0.003, 0.01, 0.03
	DenseLimit  int       // vertices above which dense is predicted from some of its rows; 0: 12000
	Distortion  float64   // of embedded, a share of the diagonal; 0: 0.1
	Cells       []int     // of quantized; nil: 250, 500, 1000, 2000, as far as a cell has two vertices
	Tolerance   float64   // marginal error to stop at; 0: 1e-9
	MemoryLimit int64     // bytes that a method may hold; beyond, dense is predicted and others say so; 0: any number
	Progress    func(stage string, fraction float64)

	rounds int // at most; 0: mostRounds
}

// Row is one method on one mesh: seconds, bytes, shares of the reference cost.
// NaN stands for what was not measured.
type Row struct {
	Mesh, Series string
	Vertices     int
	Method       string
	Spots        bool    // the densities are two painted spots, not the paper's
	Delta        float64 // of certified and embedded, share of the diagonal
	Cells        int     // of quantized

	// Set-up, by stage; Tree and Labels are shared by the hub methods and count for each.
	Host, Tree, Labels, Tiles, Kernel float64
	Net, Means                        float64 // of quantized: representatives and their distances, kept across repaints; the cells' mean distances

	Solve             float64 // with its coarse graph
	Polish            float64
	Estimate          float64 // of quantized: what its estimate takes
	Resolve           float64 // after a repaint of 5 % of the mass, warm, the median of several; of quantized with Means, without Estimate
	Share             float64 // Resolve over Total, of one round
	Query             float64 // P v
	Product           float64 // K x, the median of several
	Iterations, Again int     // of the solve and the warm one

	Peak          int64   // the most bytes of heap, above what the mesh itself takes, from set-up to the first re-solve
	Cost          float64 // of the plan, with the method's distances
	Polished      float64 // of the plan, on true distances
	Estimated     float64 // of quantized: what it takes the exact plan's cost for
	Low, High     float64 // an interval that Polished's true value lies in; of quantized, the exact cost
	Error         float64 // |Cost - reference| / reference
	PolishedError float64
	EstimateError float64

	Predicted bool   // from measured rows: all seconds, and Peak
	Note      string // why the rest is missing
}

// Setup is the seconds before the first product.
func (r *Row) Setup() float64 {
	return r.Host + r.Tree + r.Labels + r.Tiles + r.Kernel + r.Net + r.Means
}

// Total is set-up and solve.
func (r *Row) Total() float64 { return r.Setup() + r.Solve }

func (o *ScalingOptions) defaults() error {
	if o.Epsilon == 0 {
		o.Epsilon = 0.2
	}
	if o.Deltas == nil {
		o.Deltas = []float64{0.003, 0.01, 0.03}
	}
	if o.Distortion == 0 {
		o.Distortion = 0.1
	}
	if o.Cells == nil {
		o.Cells = []int{250, 500, 1000, 2000}
	}
	for _, k := range o.Cells {
		if k < 1 {
			return fmt.Errorf("experiment: %d cells", k)
		}
	}
	if o.DenseLimit == 0 {
		o.DenseLimit = 12000
	}
	if o.MemoryLimit <= 0 {
		o.MemoryLimit = math.MaxInt64 - 1
	}
	if o.rounds == 0 {
		o.rounds = mostRounds
	}
	if o.Progress == nil {
		o.Progress = func(string, float64) {}
	}
	for _, x := range append([]float64{o.Epsilon, o.Distortion}, o.Deltas...) {
		if !(x > 0) || math.IsInf(x, 1) {
			return fmt.Errorf("experiment: %g of the diagonal", x)
		}
	}
	return nil
}

// Scaling measures every method on every case, smallest first, and calls found
// with each row as soon as there is one: when ctx ends, what was found stays. Meshes of up to
// 50,000 vertices are measured in three to nine rounds, times and peaks are their medians.
// The reference cost is that of dense in float64, or of exact in float64
// where dense was predicted.
func Scaling(ctx context.Context, cases []Case, o ScalingOptions, found func(Row)) error {
	if err := o.defaults(); err != nil {
		return err
	}
	cases = slices.Clone(cases)
	slices.SortStableFunc(cases, func(a, b Case) int { return len(a.Mesh.Positions) - len(b.Mesh.Positions) })
	for _, c := range cases {
		if err := scaleOne(ctx, c, o, found); err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
	}
	return nil
}

// trial is one mesh with everything that the methods have in common.
type trial struct {
	ScalingOptions
	ctx              context.Context
	c                Case
	g                *graph.Graph
	diagonal         float64
	epsilon          float64
	source, target   []float64
	repainted, brush []float64 // another source; the set that is asked for
	spots            [2][]float64
	reference        float64
	spotsReference   float64
	products         int // of a solve, for dense where it is predicted
	iterations       int
	again            int
	againProducts    int
	found            func(Row)
}

func scaleOne(ctx context.Context, c Case, o ScalingOptions, found func(Row)) error {
	exponent := c.Mesh.Exponent() // float32 holds the distances then; no figure is a length
	c.Mesh = c.Mesh.Scaled(-exponent)
	t := &trial{ScalingOptions: o, ctx: ctx, c: c, reference: math.NaN(), spotsReference: math.NaN()}
	var err error
	if t.g, err = graph.FromMesh(c.Mesh); err != nil {
		return err
	}
	t.diagonal = c.Mesh.Diagonal()
	t.epsilon = o.Epsilon * t.diagonal
	p, err := preset.ByName("paper", preset.Each, c.Mesh, t.g, math.Ldexp(preset.Floor, -exponent))
	if err != nil {
		return err
	}
	t.source, t.target = p.Source, p.Target
	t.repaint()
	var all [][]Row // by method and round
	reported := 0
	start := time.Now()
	for round, last := 0, false; !last; round++ {
		last = t.g.Len() > often || round+1 == o.rounds || round+1 >= leastRounds && time.Since(start) > enough
		at := 0
		t.found = func(r Row) {
			r.Share = r.Resolve / r.Total()
			if round == 0 {
				all = append(all, nil)
			}
			all[at] = append(all[at], r)
			if at++; last {
				found(middle(all[at-1]))
				reported = at
			}
		}
		if err = t.round(); err != nil {
			break
		}
	}
	for _, rows := range all[reported:] { // interrupted
		found(middle(rows))
	}
	return err
}

// On meshes of at most often vertices every method is measured in rounds, one method after the other, leastRounds
// to mostRounds, the fewer the longer they take: shared machines are now faster and now slower.
const (
	often       = 50000
	leastRounds = 3
	mostRounds  = 9
	enough      = 30 * time.Second
)

// middle is the last of the rows with the medians of all their times and peaks.
func middle(rows []Row) Row {
	r := rows[len(rows)-1]
	for _, field := range []func(*Row) *float64{
		func(r *Row) *float64 { return &r.Host },
		func(r *Row) *float64 { return &r.Tree },
		func(r *Row) *float64 { return &r.Labels },
		func(r *Row) *float64 { return &r.Tiles },
		func(r *Row) *float64 { return &r.Kernel },
		func(r *Row) *float64 { return &r.Net },
		func(r *Row) *float64 { return &r.Means },
		func(r *Row) *float64 { return &r.Solve },
		func(r *Row) *float64 { return &r.Polish },
		func(r *Row) *float64 { return &r.Estimate },
		func(r *Row) *float64 { return &r.Resolve },
		func(r *Row) *float64 { return &r.Share },
		func(r *Row) *float64 { return &r.Query },
		func(r *Row) *float64 { return &r.Product },
	} {
		values := make([]float64, len(rows))
		for i := range rows {
			values[i] = *field(&rows[i])
		}
		*field(&r) = halfway(values)
	}
	peaks := make([]int64, len(rows))
	for i := range rows {
		peaks[i] = rows[i].Peak
	}
	r.Peak = halfway(peaks)
	return r
}

// round measures every method once.
func (t *trial) round() error {
	n := t.g.Len()
	whole := n <= t.DenseLimit && baseline.DenseBytes(n) <= t.MemoryLimit
	if whole {
		if err := dense[float64](t, "dense"); err != nil {
			return err
		}
		if err := dense[float32](t, "dense float32"); err != nil {
			return err
		}
	}
	if err := t.hubs(); err != nil {
		return err
	}
	for _, method := range []func() error{t.sampled, t.embedded, t.quantized, t.support} {
		if err := method(); err != nil {
			return err
		}
	}
	if !whole {
		if err := predict[float64](t, "dense"); err != nil {
			return err
		}
		return predict[float32](t, "dense float32")
	}
	return nil
}

// spotRadius is that of a painted spot, a share of the diagonal.
const spotRadius = 0.08

// repaint moves 5 % of the source's mass to a disc of a tenth of the diagonal
// around the vertex with the most target mass. It paints spots around that and the vertex with the most source mass too.
func (t *trial) repaint() {
	solver := shortest.NewSolver(t.g)
	var centres [2]int32
	for side, density := range [2][]float64{t.source, t.target} {
		for i, x := range density {
			if x > density[centres[side]] {
				centres[side] = int32(i)
			}
		}
		spot, _ := solver.Within(spotRadius*t.diagonal, centres[side])
		t.spots[side] = make([]float64, len(density))
		for _, v := range spot {
			t.spots[side][v] = 1 / float64(len(spot))
		}
	}
	disc, _ := solver.Within(t.diagonal/10, centres[1])
	t.repainted, t.brush = slices.Clone(t.source), make([]float64, t.g.Len())
	for i := range t.repainted {
		t.repainted[i] *= 0.95
	}
	for _, v := range disc {
		t.repainted[v] += 0.05 / float64(len(disc))
		t.brush[v] = 1
	}
	measure.Normalise(t.repainted)
}

func (t *trial) row(method string) Row {
	nan := math.NaN()
	return Row{
		Mesh: t.c.Name, Series: t.c.Series, Vertices: t.g.Len(), Method: method,
		Solve: nan, Polish: nan, Estimate: nan, Resolve: nan, Query: nan, Product: nan,
		Cost: nan, Polished: nan, Estimated: nan, Low: nan, High: nan, Error: nan, PolishedError: nan, EstimateError: nan,
	}
}

// stopwatch is the seconds that f takes.
func stopwatch(f func()) float64 {
	start := time.Now()
	f()
	return time.Since(start).Seconds()
}

func dense[T baseline.Float](t *trial, method string) error {
	r := t.row(method)
	m := heap.Watch()
	defer m.Stop()
	m.Restart()
	var k *baseline.Matrix[T]
	var err error
	r.Kernel = stopwatch(func() {
		k, err = baseline.NewMatrix[T](t.ctx, t.g, t.epsilon, baseline.Options{MemoryLimit: t.MemoryLimit, Progress: t.Progress})
	})
	var refused *linop.MemoryError
	if errors.As(err, &refused) {
		return predict[T](t, method)
	}
	if err != nil {
		return err
	}
	return t.run(&r, k, m, nil)
}

// predict fills a row of dense from some of its rows. A solve takes it the
// products that it took the first method.
func predict[T baseline.Float](t *trial, method string) error {
	r := t.row(method)
	t.Progress(method, 0)
	p, err := baseline.Predict[T](t.ctx, t.g, t.epsilon, 512, false, time.Now)
	if err != nil {
		return err
	}
	r.Predicted = true
	r.Kernel, r.Product, r.Query = p.Build, p.Product, p.Product
	if t.products > 0 {
		r.Solve, r.Resolve = float64(t.products)*p.Product, float64(t.againProducts)*p.Product
	}
	r.Iterations, r.Again = t.iterations, t.again
	r.Peak = baseline.Bytes[T](t.g.Len())
	r.Note = fmt.Sprintf("predicted from %d rows", p.Rows)
	t.found(r)
	return nil
}

// counted counts the products of a kernel; a cost counts for two.
type counted struct {
	linop.Kernel
	products int
}

var (
	_ linop.Kernel         = (*counted)(nil)
	_ linop.PlanMultiplier = (*counted)(nil)
)

func (c *counted) MulVec(ctx context.Context, dst, x []float64) ([]float64, error) {
	c.products++
	return c.Kernel.MulVec(ctx, dst, x)
}

func (c *counted) LogMulVec(ctx context.Context, dst, x []float64) ([]float64, error) {
	c.products++
	return c.Kernel.LogMulVec(ctx, dst, x)
}

func (c *counted) PlanCost(ctx context.Context, logu, logv []float64) (float64, error) {
	c.products += 2
	return c.Kernel.PlanCost(ctx, logu, logv)
}

// MulPlan is linop.MulPlan.
func (c *counted) MulPlan(ctx context.Context, ku, kv, u, v []float64) (float64, error) {
	c.products += 3
	if kv != nil {
		c.products++
	}
	return linop.MulPlan(ctx, c.Kernel, ku, kv, u, v)
}

// truth is what a method's cost on true distances is estimated from.
type truth struct {
	polish.Options
	own      linop.Distancer
	distance func(i, j int32) float64 // nil: not at hand
}

// polishShare is what share of set-up and solve polishing takes at most.
const polishShare = 0.2

// run solves with a kernel, asks the plan, and reports the row.
func (t *trial) run(r *Row, kernel linop.Kernel, m *heap.Meter, truth *truth) error {
	k := &counted{Kernel: kernel}
	problem := transport.Problem{Kernel: k, Source: t.source, Target: t.target, Epsilon: t.epsilon}
	o := transport.Options{Tolerance: t.Tolerance, Progress: t.Progress}
	var result *transport.Result
	var err error
	r.Solve = stopwatch(func() {
		if metric, ok := kernel.(interface {
			Among(ctx context.Context, vertices []int32) ([]float64, error)
		}); ok {
			o.Coarse, err = coarse.New(t.ctx, t.g, metric.Among)
		}
		if err == nil {
			result, err = transport.Solve(t.ctx, problem, o)
		}
	})
	if err != nil {
		return err
	}
	if t.products == 0 { // the first method's, dense or exact
		t.products, t.iterations = k.products, result.Iterations
	}
	r.Iterations, r.Cost = result.Iterations, result.Cost
	if result.Status != transport.Converged {
		r.Note = fmt.Sprintf("stopped at a marginal error of %.2g", result.MarginalError)
	}
	if truth != nil && result.Status == transport.Converged {
		t.Progress("polish", 0)
		o := polish.Refinement{Now: time.Now, Own: truth.own, Distance: truth.distance}
		start := time.Now()
		if o.Plan, err = transport.NewPlan(kernel, t.epsilon, result.LogU, result.LogV); err != nil {
			return err
		}
		truth.LowerBound = check.LowerBound(t.ctx, problem, result, t.g, shortest.NewSolver(t.g))
		c, err := polish.New(problem, result, t.g, truth.Options)
		if err != nil {
			return err
		}
		o.Seconds = polishShare*r.Total() - time.Since(start).Seconds()
		p, err := c.Refine(t.ctx, o)
		if err != nil {
			return err
		}
		r.Polish = time.Since(start).Seconds()
		r.Polished, r.Low, r.High = p.Cost, p.Low, p.High
	}
	plan, err := transport.NewPlan(kernel, t.epsilon, result.LogU, result.LogV)
	if err != nil {
		return err
	}
	problem.Source, o.Last = t.repainted, result
	var again *transport.Result
	resolve := func() {
		if err == nil {
			k.products = 0
			again, err = transport.Solve(t.ctx, problem, o)
		}
	}
	resolve()
	r.Peak = m.Peak() // once through: repeated calls leave garbage
	m.Pause()
	r.Resolve = median(resolve)
	if err != nil {
		return err
	}
	if t.againProducts == 0 {
		t.againProducts, t.again = k.products, again.Iterations
	}
	r.Again = again.Iterations
	if err := t.ask(r, plan, kernel); err != nil {
		return err
	}
	if math.IsNaN(t.reference) {
		t.reference = r.Cost
	}
	r.Error = math.Abs(r.Cost-t.reference) / t.reference
	r.PolishedError = math.Abs(r.Polished-t.reference) / t.reference
	t.found(*r)
	return nil
}

// ask measures a query of a plan and a product of its kernel.
func (t *trial) ask(r *Row, plan *transport.Plan, kernel linop.Kernel) (err error) {
	y := make([]float64, t.g.Len())
	r.Query = median(func() {
		if err == nil {
			_, err = plan.Push(t.ctx, y, t.brush)
		}
	})
	r.Product = median(func() {
		if err == nil {
			_, err = kernel.MulVec(t.ctx, y, t.source)
		}
	})
	return err
}

// median is the middle one of the seconds that f takes, of three times or as many, up to 31, as
// have room in a second: what else a machine does slows single ones down.
func median(f func()) float64 {
	var times []float64
	for sum := 0.0; len(times) < 3 || len(times) < 31 && sum < 1; {
		t := stopwatch(f)
		times, sum = append(times, t), sum+t
	}
	return halfway(times)
}

// halfway is the middle one of the values, which it sorts.
func halfway[T cmp.Ordered](values []T) T {
	slices.Sort(values)
	return values[len(values)/2]
}

// hubs measures exact and certified, which share the tree, and each precision's
// labels: exact has both, certified float32.
func (t *trial) hubs() error {
	var tree *septree.Tree
	var err error
	m := heap.Watch()
	defer m.Stop()
	m.Restart()
	split := stopwatch(func() {
		tree, err = septree.Split(t.ctx, t.g, septree.Options{Positions: t.c.Mesh.Positions, Faces: t.c.Mesh.Faces, Progress: t.Progress})
	})
	if err != nil {
		return err
	}
	for _, c := range []struct {
		method    string
		precision label.Precision
		deltas    []float64
	}{
		{"exact float64", label.Float64, []float64{0}},
		{"exact float32", label.Float32, []float64{0}},
		{"certified", label.Float32, t.Deltas},
	} {
		var labels *label.Labels
		measure := stopwatch(func() {
			labels, err = label.Measure(t.ctx, tree, label.MeasureOptions{Precision: c.precision, MemoryLimit: t.MemoryLimit, Progress: t.Progress})
		})
		for _, delta := range c.deltas {
			r := t.row(c.method)
			r.Delta, r.Tree, r.Labels = delta, split, measure
			if err == nil {
				err = t.hub(&r, labels, m)
			}
			if errors.Is(err, label.ErrFloat32) || errors.As(err, new(*linop.MemoryError)) {
				r.Note = err.Error()
				t.found(r)
			} else if err != nil {
				return err
			}
			if labels == nil {
				break
			}
			err = nil
			m.Forget()
		}
		labels = nil
		m.Forget()
	}
	return nil
}

func (t *trial) hub(r *Row, labels *label.Labels, m *heap.Meter) error {
	k, tiles, err := t.walk(r, labels, r.Delta*t.diagonal)
	if err != nil {
		return err
	}
	if r.Delta > 0 {
		return t.run(r, k, m, &truth{
			polish.Options{Least: -tiles.Bound(), Most: tiles.Bound()},
			tiles, labels.Distance,
		})
	}
	if err := t.run(r, k, m, nil); err != nil || labels.Precision() != label.Float64 {
		return err
	}
	return t.exactSpots(*r, k)
}

// walk makes the tiles and the kernel of labels.
func (t *trial) walk(r *Row, labels *label.Labels, delta float64) (k *hub.Kernel, tiles *cover.Cover, err error) {
	r.Tiles = stopwatch(func() {
		tiles, err = cover.Build(t.ctx, labels, cover.Options{Delta: delta, MemoryLimit: t.MemoryLimit, Progress: t.Progress})
	})
	if err != nil {
		return nil, nil, err
	}
	r.Kernel = stopwatch(func() { k, err = hub.NewKernel(t.ctx, tiles, t.epsilon) })
	return k, tiles, err
}

// sampled measures the paper's practical variant.
func (t *trial) sampled() (err error) {
	r := t.row("sampled")
	m := heap.Watch()
	defer m.Stop()
	m.Restart()
	var tree *sgfi.Tree
	var k *sgfi.Kernel
	r.Tree = stopwatch(func() {
		tree, err = sgfi.Build(t.ctx, t.g, sgfi.Options{
			Positions: t.c.Mesh.Positions, Sample: &sgfi.Sample{}, MemoryLimit: t.MemoryLimit, Progress: t.Progress,
		})
	})
	if err == nil {
		r.Kernel = stopwatch(func() {
			k, err = sgfi.NewKernel(t.ctx, tree, t.epsilon, sgfi.KernelOptions{MemoryLimit: t.MemoryLimit, Progress: t.Progress})
		})
	}
	var memory *linop.MemoryError
	if errors.As(err, &memory) {
		r.Note = err.Error()
		t.found(r)
		return nil
	}
	if err != nil {
		return err
	}
	return t.run(&r, k, m, &truth{polish.Options{Most: math.Inf(1)}, k, nil})
}

// Machine says where a run was made.
func Machine() string {
	return fmt.Sprintf("%s/%s, %s, %d processors", runtime.GOOS, runtime.GOARCH, runtime.Version(), runtime.GOMAXPROCS(0))
}
