package method

import (
	"context"
	"fmt"
	"math"

	"genussink/core/job"
	"genussink/core/quantized"
	"genussink/core/shortest"
	"genussink/core/transport"
)

// Cells that the method quantized begins with.
const (
	FirstCells = 500
	hastyCells = 250  // of graphs of hasty vertices or more, where any accuracy will do
	mostCells  = 4000 // their distances take 0.5 GB
)

const (
	hasty       = 50000
	fewVertices = 1000 // up to which auto takes exact: it is as quick
)

// What a net of k cells takes, in edges that Dijkstra's algorithm looks at, for each edge of the graph and for each
// pair of cells. Measured on meshes of 3,000 to 134,000 vertices.
const (
	netCost  = 110
	pairCost = 70
)

// supportPatience is how many seconds the exact answer of support may take before quantized is preferred.
const supportPatience = 0.3

// Choose returns what auto takes between two densities, and why, in words. In haste nobody waits for exact.
func (m *Maker) Choose(ctx context.Context, p Spec, haste bool, source, target []float64) (method, why string) {
	n := m.Graph.Len()
	if n <= fewVertices {
		return job.Exact, "On so small a mesh exact is as quick as any other method."
	}
	edges := float64(m.Graph.Edges())
	small, others := quantized.Vertices(source, target)
	_, parts := m.parts(source, target)
	rows := m.Seconds(2*edges*float64(len(small)), false)
	whole := math.Inf(1)
	if !haste { // else what a forecast takes is too long
		exact := p.of(job.Exact)
		if look, _ := m.Outlook(ctx, exact); m.Known(exact) == nil {
			whole = look.Seconds
		} else {
			whole = 0
		}
	}
	cells := m.netSeconds(FirstCells)
	if m.covers(source, target) {
		cells = 0
	}
	fits := supportBytes(n, len(small), len(others)) < m.MemoryLimit/2
	switch {
	case parts > FirstCells/2:
		return job.Exact, fmt.Sprintf("%d components have mass, and each would need cells of its own.", parts)
	case whole <= min(rows, cells):
		return job.Exact, "Here exact is as quick as any other method."
	case fits && rows <= whole && (rows <= cells || rows <= supportPatience):
		return job.Support, fmt.Sprintf("%d and %d vertices have mass: true distances between them are quicker than those between all.", withMass(source), withMass(target))
	}
	return job.Quantized, ""
}

// withMass is how many vertices have mass.
func withMass(density []float64) (count int) {
	for _, x := range density {
		if x > 0 {
			count++
		}
	}
	return count
}

// supportBytes is what support holds: a row of all n distances for each vertex of the smaller side, and distances and kernel of those with mass.
func supportBytes(n, small, others int) int64 {
	all := int64(small + others)
	return 24*all*all + 8*int64(small)*int64(n)
}

// netSeconds is what a net of k cells is expected to take.
func (m *Maker) netSeconds(k int) float64 {
	return m.Seconds(netCost*2*float64(m.Graph.Edges())+pairCost*float64(k)*float64(k), false)
}

// Found is a solution of the methods support and quantized.
type Found struct {
	*quantized.Solution
	Count    int           // of quantized: cells; 0 of support
	Estimate job.Estimated // of quantized: what the exact plan would cost
	Enough   bool          // the cost is as accurate as was asked for
}

// SolveSupport solves between the vertices that have mass, by true distances between them. It takes the stages "rows" and "solve".
func (m *Maker) SolveSupport(r *Run, p Spec, source, target []float64, o transport.Options) (*Found, error) {
	cells, err := m.support(r, source, target)
	if err != nil {
		return nil, err
	}
	defer r.Begin(job.StageSolve)()
	s, err := quantized.Solve(r.Context, cells, source, target, p.Epsilon, o, nil)
	if err != nil {
		return nil, err
	}
	return &Found{Solution: s, Estimate: job.NoEstimate(), Enough: true}, nil
}

// support is what that solves between.
func (m *Maker) support(r *Run, source, target []float64) (*quantized.Cells, error) {
	if m.kept.support == nil {
		m.kept.support = quantized.NewSupport(m.Graph)
	}
	small, others := quantized.Vertices(source, target)
	if need := supportBytes(m.Graph.Len(), len(small), len(others)); need > m.MemoryLimit {
		return nil, &MemoryError{fmt.Sprintf("%d vertices have mass: true distances between them need %s, and %s are allowed. The method quantized needs less.", len(small)+len(others), Gigabytes(need), Gigabytes(m.MemoryLimit))}
	}
	end := r.Begin(job.StageRows)
	cells, err := m.kept.support.Cells(r.Context, source, target)
	if err != nil {
		return nil, err
	}
	end()
	return cells, nil
}

// Goal is when a solution between cells is good enough.
type Goal struct {
	Accuracy float64 // how wrong the cost may be by its estimate, as a share of it; 0: 1e-3
	Haste    bool    // what is there first is
}

const (
	accuracyGoal = 1e-3
	checkRows    = 16 // rows of true distances on either side that an estimate takes
)

// Gather solves between cells, of which it takes more until the estimate of the cost is accurate enough; or between as many as
// the specification asks for. Where it is not accurate enough and more cells would take longer than exact, it says so. It starts
// from what it found last, where that has as many cells. It takes the stages "net", "cells", "solve" and "estimate".
func (m *Maker) Gather(r *Run, p Spec, source, target []float64, o transport.Options, g Goal) (*Found, error) {
	n := m.Graph.Len()
	if g.Accuracy == 0 {
		g.Accuracy = accuracyGoal
	}
	_, parts := m.parts(source, target)
	count := min(max(FirstCells, 2*parts), n)
	rough := g.Haste && n >= hasty
	if rough {
		count = max(hastyCells, 2*parts)
	}
	if net := m.kept.net; m.covers(source, target) && (!g.Haste || len(net.Representatives) <= FirstCells) {
		count = max(count, len(net.Representatives))
	}
	if p.Representatives > 0 {
		count = min(p.Representatives, n)
	}
	for {
		if _, err := m.net(r, source, target, count, rough); err != nil {
			return nil, err
		}
		s, err := m.SolveCells(r, p, source, target, o, m.kept.solution)
		if err != nil {
			return nil, err
		}
		m.kept.solution = s
		end := r.Begin(job.StageEstimate)
		checks := checkRows
		if g.Haste {
			checks = 0
		}
		e, err := s.Estimate(r.Context, m.kept.net, checks, transport.Options{Tolerance: 1e-6})
		if err != nil {
			return nil, err
		}
		end()
		found := &Found{Solution: s, Count: s.Kernel.Cells().Count(), Estimate: job.Estimated{Cost: e.Cost, Low: e.Low, High: e.High}}
		miss := (e.High - e.Low) / 2
		if found.Enough = p.Representatives > 0 || g.Haste || miss <= g.Accuracy*e.Cost; found.Enough {
			return found, nil
		}
		// The error falls as cells grow in number.
		need := count
		for ; miss > g.Accuracy*e.Cost && need <= mostCells; miss /= 2 {
			need *= 2
		}
		exact := p
		exact.Method, exact.Representatives = job.Exact, 0
		whole, _ := m.Outlook(r.Context, exact)
		if need > min(n/2, mostCells) || m.netSeconds(need) > whole.Seconds {
			return found, nil
		}
		count = need
	}
}

// SolveCells solves between the cells of the net at hand, from a solution found before, where that has as many. It takes the
// stages "cells" and "solve".
func (m *Maker) SolveCells(r *Run, p Spec, source, target []float64, o transport.Options, last *quantized.Solution) (*quantized.Solution, error) {
	mass := make([]float64, m.Graph.Len())
	for v := range mass {
		mass[v] = (source[v] + target[v]) / 2
	}
	end := r.Begin(job.StageCells)
	cells, err := m.kept.net.Cells(r.Context, mass)
	if err != nil {
		return nil, err
	}
	end()
	defer r.Begin(job.StageSolve)()
	return quantized.Solve(r.Context, cells, source, target, p.Epsilon, o, last)
}

// KeptNet is the net at hand, nil: there is none in which all vertices with mass have a cell.
func (m *Maker) KeptNet(source, target []float64) *quantized.Net {
	if !m.covers(source, target) {
		return nil
	}
	return m.kept.net
}

// parts says which components have mass, and how many do.
func (m *Maker) parts(source, target []float64) (has []bool, count int) {
	has = make([]bool, m.Count)
	for v, c := range m.Component {
		if (source[v] > 0 || target[v] > 0) && !has[c] {
			has[c] = true
			count++
		}
	}
	return has, count
}

// covers says whether there is a net, and every vertex with mass has a cell in it.
func (m *Maker) covers(source, target []float64) bool {
	return m.kept.net != nil && m.kept.net.Covers(source) && m.kept.net.Covers(target)
}

// net is the net of so many cells, in the components that have mass: the one at hand, or a new one, which takes the stage "net". One
// made in haste serves those in haste.
func (m *Maker) net(r *Run, source, target []float64, count int, haste bool) (*quantized.Net, error) {
	if !m.covers(source, target) {
		m.kept.spread, m.kept.net = nil, nil
	}
	if net := m.kept.net; net != nil && len(net.Representatives) == count && (haste || !net.Hasty()) {
		return net, nil
	}
	n := m.Graph.Len()
	if need := quantized.NetBytes(n, count); need > m.MemoryLimit {
		return nil, &MemoryError{fmt.Sprintf("The cells of %d vertices need %s and %s are allowed.", n, Gigabytes(need), Gigabytes(m.MemoryLimit))}
	}
	has, parts := m.parts(source, target)
	if count < parts {
		return nil, fmt.Errorf("quantized needs a cell in each component that has mass: %d components have, and it has %d cells", parts, count)
	}
	end := r.Begin(job.StageNet)
	if m.kept.spread == nil || len(m.kept.spread.Vertices) > count {
		m.kept.spread = shortest.NewSpread(m.Graph)
		for v, c := range m.Component {
			if !has[c] {
				m.kept.spread.Leave(int32(v))
			}
		}
	}
	if _, err := m.kept.spread.Extend(r.Context, count); err != nil {
		return nil, err
	}
	net, err := quantized.NewNet(r.Context, m.Graph, m.kept.spread, haste, func(f float64) { r.tell(job.StageNet, f) })
	if err != nil {
		return nil, err
	}
	end()
	m.kept.net = net
	return net, nil
}

// Between is the kernel that a solution was found with.
func (m *Maker) Between(p Spec, f *Found) *Kernel {
	k := p.made(f.Kernel, f.Kernel.Bytes())
	k.Rows = f.Kernel
	if p.Method == job.Quantized {
		k.Made.Bound = math.NaN()
		k.Made.MemoryBytes += m.kept.net.Bytes()
	}
	return k
}

// Quantized is quantized's kernel for any vector: of as many cells as asked for, or FirstCells, in which all vertices count alike.
func (m *Maker) Quantized(r *Run, p Spec) (*Kernel, error) {
	n := m.Graph.Len()
	count := p.Representatives
	if count == 0 {
		count = max(FirstCells, 2*m.Count)
	}
	alike := make([]float64, n)
	for v := range alike {
		alike[v] = 1
	}
	net, err := m.net(r, alike, alike, min(count, n), false)
	if err != nil {
		return nil, err
	}
	defer r.Begin(job.StageKernel)()
	cells, err := net.Cells(r.Context, alike)
	if err != nil {
		return nil, err
	}
	k, err := quantized.NewKernel(r.Context, cells, p.Epsilon)
	if err != nil {
		return nil, err
	}
	made := p.made(k, k.Bytes()+net.Bytes())
	made.Made.Bound = math.NaN()
	return made, nil
}
