// Package experiment measures the methods against one another: one run, one
// machine, the same meshes, densities and processors for all. It computes and
// formats; files and flags are the tool's.
//
// # Deviations
//
// From the paper (Appendix, "Details on the pseudo-genus family"), in Dumbbells and PseudoGenus:
//
//   - It says of the dumbbells' densities only that they are mixtures of two Gaussians, the source's on the left lobe and the
//     target's on the right: middles, widths and shares are ours.
//   - It gives no epsilon for the pseudo-genus surfaces, and densities in a parameter that ours do not have: both
//     are those of other meshes.
package experiment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"time"

	"genussink/core/graph"
	"genussink/core/hub/label"
	"genussink/core/internal/heap"
	"genussink/core/job"
	"genussink/core/linop"
	"genussink/core/measure"
	"genussink/core/measure/preset"
	"genussink/core/mesh"
	"genussink/core/method"
	"genussink/core/shortest"
	"genussink/core/transport"
	"genussink/core/transport/check"
	"genussink/core/transport/polish"
)

// Case is a mesh or a graph to measure on.
type Case struct {
	Name   string
	Series string // the same for meshes of one shape; a fit needs it
	Mesh   *mesh.Mesh
	Graph  *graph.Graph // nil: the mesh's edges
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
	Rounds      int       // at most, of meshes of up to 50,000 vertices; 0: 9
	Progress    func(stage string, fraction float64)
}

// Row is one method on one mesh: seconds, bytes, shares of the reference cost. Methods, precisions and stages have the names that
// a solve gives them.
// NaN stands for what was not measured.
type Row struct {
	Mesh, Series string
	Vertices     int
	Method       string  // what was made
	Requested    string  // what was asked for, where exact was made in its place; else ""
	Precision    string  // of dense and exact, which are measured in both
	Spots        bool    // the densities are two painted spots, not the paper's
	Delta        float64 // of certified and embedded, share of the diagonal
	Cells        int     // of quantized

	job.Solution // with costs of the method's distances, in mesh units, as all costs are

	Stages []job.Timing // of the set-up; tree and labels are shared by the hub methods and count for each

	Solve    float64
	Polish   float64
	Estimate float64 // of quantized: what its estimate takes
	Resolve  float64 // after a repaint of 5 % of the mass, warm, the median of several; of quantized with its cells, without Estimate
	Share    float64 // Resolve over Total, of one round
	Query    float64 // P v
	Product  float64 // K x, the median of several
	Again    int     // iterations of the warm solve

	Peak          int64   // the most bytes of heap, above what the mesh itself takes, from set-up to the first re-solve
	Polished      float64 // of the plan, on true distances
	Estimated     float64 // of quantized: what it takes the exact plan's cost for
	Low, High     float64 // an interval that Polished's true value lies in; of quantized, the exact cost
	Error         float64 // |Cost - reference| / reference
	PolishedError float64
	EstimateError float64

	Predicted bool   // from measured rows: all seconds, and Peak
	Note      string // why the rest is missing
}

// Setup is the seconds before the solve.
func (r *Row) Setup() (sum float64) {
	for _, t := range r.Stages {
		sum += t.Seconds
	}
	return sum
}

// Stage is what a stage of the set-up took, 0 where there was none.
func (r *Row) Stage(name string) (seconds float64) {
	for _, t := range r.Stages {
		if t.Stage == name {
			seconds += t.Seconds
		}
	}
	return seconds
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
	if o.Rounds == 0 {
		o.Rounds = mostRounds
	}
	if o.Progress == nil {
		o.Progress = func(string, float64) {}
	}
	for _, delta := range append([]float64{o.Distortion}, o.Deltas...) {
		asked := job.KernelSpec{Method: job.Certified, Epsilon: job.Fraction(o.Epsilon), Delta: job.Fraction(delta)}
		if _, err := asked.Complete(); err != nil {
			return fmt.Errorf("experiment: %w", err)
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
	space            *method.Space
	machine          *method.Machine
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

// scaled is the mesh and the graph in the unit that kernels are made in.
func (c Case) scaled() (m *mesh.Mesh, g *graph.Graph, unit method.Unit, err error) {
	if c.Graph != nil {
		m, g, unit = method.ScaledGraph(c.Mesh, c.Graph)
		return m, g, unit, nil
	}
	m, unit = method.Scaled(c.Mesh)
	g, err = graph.FromMesh(m)
	return m, g, unit, err
}

func scaleOne(ctx context.Context, c Case, o ScalingOptions, found func(Row)) error {
	m, g, unit, err := c.scaled()
	if err != nil {
		return err
	}
	t := &trial{
		ScalingOptions: o, ctx: ctx, c: c, space: method.NewSpace(m, g, unit), machine: &method.Machine{MemoryLimit: o.MemoryLimit, Now: time.Now},
		g: g, diagonal: m.Diagonal(), reference: math.NaN(), spotsReference: math.NaN(),
	}
	t.epsilon = o.Epsilon * t.diagonal
	if t.source, t.target, err = preset.Paper(m, g, unit.From(preset.Floor)); err != nil {
		return err
	}
	t.repaint()
	var all [][]Row // by method and round
	reported := 0
	start := time.Now()
	for round, last := 0, false; !last; round++ {
		last = t.g.Len() > often || round+1 == o.Rounds || round+1 >= leastRounds && time.Since(start) > enough
		at := 0
		t.found = func(r Row) {
			r.Share = r.Resolve / r.Total()
			for _, cost := range append(r.Lengths(), &r.Polished, &r.Estimated, &r.Low, &r.High) {
				*cost = unit.In(*cost)
			}
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
	r.Stages = slices.Clone(r.Stages)
	for i, stage := range r.Stages {
		values := make([]float64, len(rows))
		for j := range rows {
			values[j] = rows[j].Stage(stage.Stage)
		}
		r.Stages[i].Seconds = halfway(values)
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
	whole := n <= t.DenseLimit && t.space.DenseBytes(job.Float64) <= t.MemoryLimit
	if whole {
		if err := t.dense(); err != nil {
			return err
		}
		if err := t.denseShort(); err != nil {
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
		if err := t.predict(job.Float64); err != nil {
			return err
		}
		return t.predict(job.Float32)
	}
	return nil
}

// spotRadius is that of a painted spot, a share of the diagonal.
const spotRadius = 0.08

// repaint makes three densities. The repainted source has 95 % of the source's mass
// where it was. The other 5 % lies in a disc around the vertex with the most target
// mass, of a radius of a tenth of the diagonal; t.brush is 1 on this disc. The two spots are smaller discs, of
// spotRadius: one around the vertex with the most source mass, one around that with
// the most target mass.
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
		Solution: job.Solution{Cost: nan}, Polished: nan, Estimated: nan, Low: nan, High: nan, Error: nan, PolishedError: nan, EstimateError: nan,
	}
}

// stopwatch is the seconds that f takes.
func stopwatch(f func()) float64 {
	start := time.Now()
	f()
	return time.Since(start).Seconds()
}

// maker is one that has made nothing yet.
func (t *trial) maker() *method.Maker { return method.New(t.space, t.machine) }

// start is a request whose stages a row is told.
func (t *trial) start() *method.Run {
	return &method.Run{Context: t.ctx, Now: time.Now, Progress: t.Progress}
}

// refused notes that there was no room for a method, or says false.
func (t *trial) refused(r *Row, err error) bool {
	if !method.IsMemory(err) && !errors.Is(err, label.ErrFloat32) {
		return false
	}
	r.Note = strings.TrimSuffix(err.Error(), ".")
	t.found(*r)
	return true
}

// dense measures the matrix.
func (t *trial) dense() error {
	r := t.row(job.Dense)
	r.Precision = job.Float64
	m := heap.Watch()
	defer m.Stop()
	m.Restart()
	err := t.solve(&r, t.maker(), job.KernelSpec{Method: job.Dense}, m)
	if method.IsMemory(err) {
		return t.predict(job.Float64)
	}
	return err
}

// denseShort measures the matrix in float32, which no solve offers.
func (t *trial) denseShort() error {
	r := t.row(job.Dense)
	r.Precision = job.Float32
	m := heap.Watch()
	defer m.Stop()
	m.Restart()
	spec, err := t.spec(job.KernelSpec{Method: job.Dense})
	if err != nil {
		return err
	}
	maker, run := t.maker(), t.start()
	k, err := maker.ShortDense(run, spec)
	if method.IsMemory(err) {
		return t.predict(job.Float32)
	}
	if err != nil {
		return err
	}
	return t.with(&r, maker, run, spec, k, m)
}

// predictedRows is from how many rows of the dense matrix its times are predicted.
const predictedRows = 512

// predict fills a row of dense from some of its rows. A solve takes it the
// products that it took the first method.
func (t *trial) predict(precision string) error {
	r := t.row(job.Dense)
	r.Precision = precision
	t.Progress(r.name(), 0)
	p, err := t.maker().PredictDense(t.ctx, t.epsilon, precision, predictedRows)
	if err != nil {
		return err
	}
	r.Predicted = true
	r.Stages = []job.Timing{{Stage: job.StageKernel, Seconds: p.Build}}
	r.Product, r.Query = p.Product, p.Product
	if t.products > 0 {
		r.Solve, r.Resolve = float64(t.products)*p.Product, float64(t.againProducts)*p.Product
	}
	r.Iterations, r.Again = t.iterations, t.again
	r.Peak = t.space.DenseBytes(precision)
	r.Note = fmt.Sprintf("predicted from %d rows", p.Rows)
	t.found(r)
	return nil
}

// truth is what a method's cost on true distances is estimated from.
type truth struct {
	polish.Options
	own      linop.Distancer
	distance func(i, j int32) float64 // nil: not at hand
}

// polishShare is what share of set-up and solve polishing takes at most.
const polishShare = 0.2

// solve makes the kernel that is asked for, and runs with it.
func (t *trial) solve(r *Row, maker *method.Maker, asked job.KernelSpec, m *heap.Meter) error {
	spec, err := t.spec(asked)
	if err != nil {
		return err
	}
	run := t.start()
	k, err := maker.Kernel(run, spec)
	if err != nil {
		return err
	}
	return t.with(r, maker, run, spec, k, m)
}

// spec is the specification of a kernel of the trial's epsilon.
func (t *trial) spec(asked job.KernelSpec) (method.Spec, error) {
	asked.Epsilon = job.Fraction(t.Epsilon)
	return t.space.Spec(asked)
}

// with runs with a kernel that a specification asked for.
func (t *trial) with(r *Row, maker *method.Maker, run *method.Run, spec method.Spec, k *method.Kernel, m *heap.Meter) error {
	c, took, err := maker.Coarse(run, k)
	if err != nil {
		return err
	}
	r.Method = k.Made.Method
	r.Requested, _ = maker.Instead(k, spec)
	if r.Stages = slices.Clone(k.Stages); c != nil {
		r.Stages = append(r.Stages, took)
	}
	var known *truth
	if spec.Method == job.Sampled || job.Bounded(spec.Method) {
		known = &truth{own: k.Rows, distance: k.Distance}
		known.Least, known.Most = maker.Errors(k)
	}
	if err := t.run(r, k.Kernel, c, m, known); err != nil || r.Method != job.Exact || r.Precision != job.Float64 {
		return err
	}
	return t.exactSpots(*r, k.Kernel)
}

// run solves with a kernel and its coarse graph, asks the plan, and reports the row.
func (t *trial) run(r *Row, kernel linop.Kernel, c transport.Coarse, m *heap.Meter, truth *truth) error {
	k := &method.Tally{Kernel: kernel, Now: time.Now}
	problem := transport.Problem{Kernel: k, Source: t.source, Target: t.target, Epsilon: t.epsilon}
	o := transport.Options{Tolerance: t.Tolerance, Progress: t.Progress, Coarse: c}
	var result *transport.Result
	var err error
	r.Solve = stopwatch(func() { result, err = transport.Solve(t.ctx, problem, o) })
	if err != nil {
		return err
	}
	if t.products == 0 { // the first method's, dense or exact
		t.products, t.iterations = products(k), result.Iterations
	}
	r.Solution = result.Solution
	if result.Status != job.Converged {
		r.Note = fmt.Sprintf("stopped at a marginal error of %.2g", result.MarginalError)
	}
	if truth != nil && result.Status == job.Converged {
		t.Progress(job.StagePolish, 0)
		o := polish.Refinement{Now: time.Now, Own: truth.own, Distance: truth.distance}
		start := time.Now()
		if o.Plan, err = transport.NewPlan(kernel, t.epsilon, result.LogU, result.LogV); err != nil {
			return err
		}
		if truth.LowerBound, err = check.LowerBound(t.ctx, problem, result, t.g, shortest.NewSolver(t.g)); err != nil {
			return err
		}
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
			k.Products, k.Costs = 0, 0
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
		t.againProducts, t.again = products(k), again.Iterations
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

// products is how many products a kernel was asked for; a cost counts for two.
func products(k *method.Tally) int { return k.Products + 2*k.Costs }

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
	maker := t.maker()
	m := heap.Watch()
	defer m.Stop()
	m.Restart()
	for _, c := range []struct {
		method, precision string
		deltas            []float64
	}{
		{job.Exact, job.Float64, []float64{0}},
		{job.Exact, job.Float32, []float64{0}},
		{job.Certified, "", t.Deltas},
	} {
		for _, delta := range c.deltas {
			r := t.row(c.method)
			r.Delta, r.Precision = delta, c.precision
			err := t.solve(&r, maker, job.KernelSpec{Method: c.method, Precision: c.precision, Delta: job.Fraction(delta)}, m)
			if err != nil && !t.refused(&r, err) {
				return err
			}
			m.Forget()
		}
		maker.Forget()
		m.Forget()
	}
	return nil
}

// sampled measures the paper's practical variant.
func (t *trial) sampled() error {
	r := t.row(job.Sampled)
	m := heap.Watch()
	defer m.Stop()
	m.Restart()
	err := t.solve(&r, t.maker(), job.KernelSpec{Method: job.Sampled}, m)
	if err != nil && t.refused(&r, err) {
		return nil
	}
	return err
}

// Machine says where a run was made.
func Machine() string {
	return fmt.Sprintf("%s/%s, %s, %d processors", runtime.GOOS, runtime.GOARCH, runtime.Version(), runtime.GOMAXPROCS(0))
}
