package engine

import (
	"context"
	"fmt"
	"math"
	"slices"

	"genussink/core/baseline"
	"genussink/core/hub/label"
	"genussink/core/internal/heap"
	"genussink/core/job"
	"genussink/core/quantized"
	"genussink/core/shortest"
	"genussink/core/transport"
	"genussink/core/transport/check"
)

// The methods that look at the densities first: their kernels are of these alone.
const (
	support   = "support"   // true distances between the vertices that have mass
	quantize  = "quantized" // mass gathered in cells
	automatic = "auto"      // of the two and exact the quickest that is accurate enough
)

// fast is what the methods support and quantized keep of a mesh from one painting to the next. In the solving lane.
type fast struct {
	spread  *shortest.Spread
	net     *quantized.Net
	support *quantized.Support
	last    *quantized.Solution // of quantized
}

const (
	firstCells   = 500  // representatives that quantized begins with
	hastyCells   = 250  // of meshes from hasty vertices on, where any accuracy will do
	mostCells    = 4000 // their distances take 0.5 GB
	hasty        = 50000
	fewVertices  = 1000 // up to which auto takes exact: it is as quick
	accuracyGoal = 1e-3
	checkRows    = 16 // rows of true distances on either side that an estimate takes
)

// What a net of k cells takes, in edges that Dijkstra's algorithm looks at, for each edge of the graph and for each
// pair of cells. Measured on meshes of 3,000 to 134,000 vertices.
const (
	netCost  = 110
	pairCost = 70
)

// choose returns what auto takes, and why, in words.
func (e *Engine) choose(ctx context.Context, sc *scene, p plea, source, target []float64) (method, why string) {
	n := sc.graph.Len()
	if n <= fewVertices {
		return exact, "On so small a mesh exact is as quick as any other method."
	}
	edges := float64(sc.graph.Edges())
	small, others := quantized.Vertices(source, target)
	rows := e.seconds(sc, 2*edges*float64(len(small)), false)
	whole := job.Outlook{Seconds: math.Inf(1)}
	if !p.any { // else what a forecast takes is too long
		q := plea{method: exact, epsilon: p.epsilon}
		if whole, _ = e.outlook(ctx, sc, q); sc.kernelOf(q) != nil {
			whole.Seconds = 0
		}
	}
	cells := e.seconds(sc, e.netEdges(sc, firstCells), false)
	if sc.fast.net != nil {
		cells = 0
	}
	fits := supportBytes(n, len(small), len(others)) < e.limit/2
	switch {
	case sc.count > firstCells/2:
		return exact, fmt.Sprintf("There are %d components, and each would need cells of its own.", sc.count)
	case whole.Seconds <= min(rows, cells):
		return exact, "Here exact is as quick as any other method."
	case fits && rows <= whole.Seconds && (rows <= cells || rows <= supportPatience):
		return support, fmt.Sprintf("%d and %d vertices have mass: true distances between them are quicker than those between all.", len(small), len(others))
	}
	return quantize, ""
}

// supportPatience is how many seconds the exact answer of support may take before quantized is preferred.
const supportPatience = 0.3

// supportBytes is what support holds: a row of all n distances for each vertex of the smaller side, and distances and kernel of those with mass.
func supportBytes(n, small, others int) int64 {
	m := int64(small + others)
	return 24*m*m + 8*int64(small)*int64(n)
}

// netEdges is what a net of k cells takes, in edges.
func (e *Engine) netEdges(sc *scene, k int) float64 {
	return netCost*2*float64(sc.graph.Edges()) + pairCost*float64(k)*float64(k)
}

// quick solves by support or quantized. In the solving lane.
func (e *Engine) quick(r *run, sc *scene, p plea, b *job.Solve, source, target []float64, requested, why string) (done *job.Solved, enough bool, err error) {
	meter := heap.Watch()
	defer meter.Stop()
	begun := e.now()
	o := transport.Options{Tolerance: b.Tolerance, MaxIterations: b.MaxIterations, Progress: r.progress}
	var s *quantized.Solution
	estimate := job.Estimated{Cost: math.NaN(), Low: math.NaN(), High: math.NaN()}
	count, enough := 0, true
	if p.method == support {
		s, err = e.supported(r, sc, p, o, source, target)
	} else {
		s, estimate, enough, err = e.gathered(r, sc, p, b, o, source, target)
		if s != nil {
			count = s.Kernel.Cells().Count()
		}
	}
	if err != nil {
		return nil, false, err
	}
	k := &kernel{Kernel: s.Kernel, plea: p, stored: label.Float64, width: -1, bytes: s.Kernel.Bytes(), stages: slices.Clone(r.timings)}
	k.rows = s.Kernel
	if p.method == quantize {
		k.bound = math.NaN()
		k.bytes += sc.fast.net.Bytes()
	}
	problem := transport.Problem{Kernel: s.Kernel, Source: source, Target: target, Epsilon: p.epsilon}
	lower := math.NaN()
	if !p.any {
		solver := sc.solver()
		lower = check.LowerBound(r.ctx, problem, s.Result, sc.graph, solver)
		sc.solvers.Put(solver)
	}
	if err := r.ctx.Err(); err != nil {
		return nil, false, err
	}
	result := s.Result
	sc.plan.Store(&solved{kernel: k, problem: problem, result: result, lower: lower, seconds: e.now().Sub(begun).Seconds()})
	if requested == p.method {
		requested, why = "", ""
	}
	done = &job.Solved{
		Method: p.method, Requested: requested, Note: why, Kernel: "exp", Form: result.Form, Status: result.Status,
		Vertices: sc.graph.Len(), Edges: sc.graph.Edges(), Epsilon: p.epsilon, Precision: k.stored.String(), Delta: math.NaN(), Bound: k.bound, Width: k.width,
		Iterations: result.Iterations, MarginalError: result.MarginalError, Trace: result.Trace,
		Cost: result.Cost, Primal: result.Primal, Dual: result.Dual, Gap: result.Gap, LowerBound: lower, LogU: slices.Clone(result.LogU), LogV: slices.Clone(result.LogV),
		Representatives: count, Estimate: estimate,
		MemoryBytes: k.bytes, DenseBytes: baseline.DenseBytes(sc.graph.Len()), Threads: threads(), DenseSetup: math.NaN(), DenseSolve: math.NaN(),
	}
	if rate, err := e.rate(r.ctx, sc, p, result.Form == transport.Log); err != nil {
		return nil, false, err
	} else if rate.Rows > 0 {
		done.DenseSetup, done.DenseSolve = rate.Build, float64(2*result.Iterations)*rate.Product+rate.Cost
	}
	done.Timings = r.timings
	done.PeakBytes = meter.Peak()
	return done, enough, nil
}

// supported solves between the vertices with mass.
func (e *Engine) supported(r *run, sc *scene, p plea, o transport.Options, source, target []float64) (*quantized.Solution, error) {
	if sc.fast.support == nil {
		sc.fast.support = quantized.NewSupport(sc.graph)
	}
	small, others := quantized.Vertices(source, target)
	if need := supportBytes(sc.graph.Len(), len(small), len(others)); need > e.limit {
		return nil, &memoryError{fmt.Sprintf("%d vertices have mass: true distances between them need %s, and %s are allowed. The method quantized needs less.", len(small)+len(others), gigabytes(need), gigabytes(e.limit))}
	}
	end := r.begin("rows")
	cells, err := sc.fast.support.Cells(r.ctx, source, target)
	if err != nil {
		return nil, err
	}
	end()
	defer r.begin("solve")()
	return quantized.Solve(r.ctx, cells, source, target, p.epsilon, o, nil)
}

// gathered solves between cells, of which it takes more until the estimate of the cost is accurate enough. Where it is not
// and more cells would take longer than exact, it says so.
func (e *Engine) gathered(r *run, sc *scene, p plea, b *job.Solve, o transport.Options, source, target []float64) (s *quantized.Solution, estimate job.Estimated, enough bool, err error) {
	n := sc.graph.Len()
	goal := b.Accuracy
	if goal == 0 {
		goal = accuracyGoal
	}
	count := min(firstCells, n)
	haste := p.any && n >= hasty
	if haste {
		count = hastyCells
	}
	if net := sc.fast.net; net != nil && (!p.any || len(net.Representatives) <= firstCells) {
		count = max(count, len(net.Representatives))
	}
	if b.Representatives > 0 {
		count = min(b.Representatives, n)
	}
	mass := make([]float64, n)
	for v := range mass {
		mass[v] = (source[v] + target[v]) / 2
	}
	for {
		net, err := e.net(r, sc, count, haste)
		if err != nil {
			return nil, estimate, false, err
		}
		end := r.begin("cells")
		cells, err := net.Cells(r.ctx, mass)
		if err != nil {
			return nil, estimate, false, err
		}
		end()
		end = r.begin("solve")
		if s, err = quantized.Solve(r.ctx, cells, source, target, p.epsilon, o, sc.fast.last); err != nil {
			return nil, estimate, false, err
		}
		sc.fast.last = s
		end()
		end = r.begin("estimate")
		checks := checkRows
		if p.any {
			checks = 0
		}
		found, err := s.Estimate(r.ctx, net, checks, transport.Options{Tolerance: 1e-6})
		if err != nil {
			return nil, estimate, false, err
		}
		end()
		estimate = job.Estimated{Cost: found.Cost, Low: found.Low, High: found.High}
		miss := (found.High - found.Low) / 2
		if b.Representatives > 0 || p.any || miss <= goal*found.Cost {
			return s, estimate, true, nil
		}
		// The error falls as cells grow in number.
		need := count
		for ; miss > goal*found.Cost && need <= mostCells; miss /= 2 {
			need *= 2
		}
		whole, _ := e.outlook(r.ctx, sc, plea{method: exact, epsilon: p.epsilon})
		if need > min(n/2, mostCells) || e.seconds(sc, e.netEdges(sc, need), false) > whole.Seconds {
			return s, estimate, false, nil
		}
		count = need
	}
}

// net is that of so many representatives: the one at hand, or a new one. One made in haste serves those in haste.
func (e *Engine) net(r *run, sc *scene, count int, haste bool) (*quantized.Net, error) {
	if net := sc.fast.net; net != nil && len(net.Representatives) == count && (haste || !net.Hasty()) {
		return net, nil
	}
	n, k := int64(sc.graph.Len()), int64(count)
	if need := quantized.NetBytes(int(n), count); need > e.limit {
		return nil, &memoryError{fmt.Sprintf("The cells of %d vertices need %s and %s are allowed.", n, gigabytes(need), gigabytes(e.limit))}
	}
	if k < int64(sc.count) {
		return nil, fmt.Errorf("the mesh has %d components: quantized needs a representative in each, and has %d", sc.count, k)
	}
	end := r.begin("net")
	if sc.fast.spread == nil || len(sc.fast.spread.Vertices) > count {
		sc.fast.spread = shortest.NewSpread(sc.graph)
	}
	if _, err := sc.fast.spread.Extend(r.ctx, count); err != nil {
		return nil, err
	}
	net, err := quantized.NewNet(r.ctx, sc.graph, sc.fast.spread, haste, func(f float64) { r.progress("net", f) })
	if err != nil {
		return nil, err
	}
	end()
	sc.fast.net = net
	return net, nil
}

// cellKernel is quantized's kernel for any vector: of so many cells, 0: those there are, in which all vertices count alike.
func (e *Engine) cellKernel(r *run, sc *scene, p plea, count int) (*kernel, error) {
	n := sc.graph.Len()
	if count == 0 {
		count = firstCells
	}
	net, err := e.net(r, sc, min(count, n), false)
	if err != nil {
		return nil, err
	}
	defer r.begin("kernel")()
	alike := make([]float64, n)
	for v := range alike {
		alike[v] = 1
	}
	cells, err := net.Cells(r.ctx, alike)
	if err != nil {
		return nil, err
	}
	k, err := quantized.NewKernel(r.ctx, cells, p.epsilon)
	if err != nil {
		return nil, err
	}
	return &kernel{Kernel: k, plea: p, stored: label.Float64, width: -1, bytes: k.Bytes() + net.Bytes(), bound: math.NaN()}, nil
}
