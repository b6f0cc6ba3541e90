package method

import (
	"context"
	"fmt"
	"math"

	"genussink/core/baseline"
	"genussink/core/job"
	"genussink/core/quantized"
	"genussink/core/shortest"
)

// Cells that the method quantized begins with.
const (
	FirstCells = 500
	HastyCells = 250  // of graphs of hasty vertices or more, where any accuracy will do
	MostCells  = 4000 // their distances take 0.5 GB
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
	cells := m.NetSeconds(FirstCells)
	if m.kept.net != nil {
		cells = 0
	}
	fits := supportBytes(n, len(small), len(others)) < m.MemoryLimit/2
	switch {
	case m.Count > FirstCells/2:
		return job.Exact, fmt.Sprintf("There are %d components, and each would need cells of its own.", m.Count)
	case whole <= min(rows, cells):
		return job.Exact, "Here exact is as quick as any other method."
	case fits && rows <= whole && (rows <= cells || rows <= supportPatience):
		return job.Support, fmt.Sprintf("%d and %d vertices have mass: true distances between them are quicker than those between all.", len(small), len(others))
	}
	return job.Quantized, ""
}

// supportBytes is what support holds: a row of all n distances for each vertex of the smaller side, and distances and kernel of those with mass.
func supportBytes(n, small, others int) int64 {
	all := int64(small + others)
	return 24*all*all + 8*int64(small)*int64(n)
}

// NetSeconds is what a net of k cells is expected to take.
func (m *Maker) NetSeconds(k int) float64 {
	return m.Seconds(netCost*2*float64(m.Graph.Edges())+pairCost*float64(k)*float64(k), false)
}

// Support is what the method support solves between: the vertices that have mass, and true distances between them. It takes the
// stage "rows".
func (m *Maker) Support(r *Run, source, target []float64) (*quantized.Cells, error) {
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

// Haste says whether a net is made in haste where any accuracy will do.
func (m *Maker) Haste() bool { return m.Graph.Len() >= hasty }

// KeptNet is the net at hand, nil: there is none.
func (m *Maker) KeptNet() *quantized.Net { return m.kept.net }

// Net is the net of so many cells: the one at hand, or a new one, which takes the stage "net". One made in haste serves those
// in haste.
func (m *Maker) Net(r *Run, count int, haste bool) (*quantized.Net, error) {
	if net := m.kept.net; net != nil && len(net.Representatives) == count && (haste || !net.Hasty()) {
		return net, nil
	}
	n := m.Graph.Len()
	if need := quantized.NetBytes(n, count); need > m.MemoryLimit {
		return nil, &MemoryError{fmt.Sprintf("The cells of %d vertices need %s and %s are allowed.", n, Gigabytes(need), Gigabytes(m.MemoryLimit))}
	}
	if count < m.Count {
		return nil, fmt.Errorf("the mesh has %d components: quantized needs a representative in each, and has %d", m.Count, count)
	}
	end := r.Begin(job.StageNet)
	if m.kept.spread == nil || len(m.kept.spread.Vertices) > count {
		m.kept.spread = shortest.NewSpread(m.Graph)
	}
	if _, err := m.kept.spread.Extend(r.Context, count); err != nil {
		return nil, err
	}
	net, err := quantized.NewNet(r.Context, m.Graph, m.kept.spread, haste, func(f float64) { r.Progress(job.StageNet, f) })
	if err != nil {
		return nil, err
	}
	end()
	m.kept.net = net
	return net, nil
}

// Cells are the cells of a net, each mass being shared out over what it covers. They take the stage "cells".
func (m *Maker) Cells(r *Run, net *quantized.Net, mass []float64) (*quantized.Cells, error) {
	end := r.Begin(job.StageCells)
	cells, err := net.Cells(r.Context, mass)
	if err != nil {
		return nil, err
	}
	end()
	return cells, nil
}

// Between is the kernel that a solution of the methods support and quantized was found with.
func (m *Maker) Between(r *Run, p Spec, s *quantized.Solution) *Kernel {
	k := p.made(s.Kernel, s.Kernel.Bytes())
	k.Rows = s.Kernel
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
		count = FirstCells
	}
	net, err := m.Net(r, min(count, n), false)
	if err != nil {
		return nil, err
	}
	defer r.Begin(job.StageKernel)()
	alike := make([]float64, n)
	for v := range alike {
		alike[v] = 1
	}
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

// denseRows is how many rows of the dense matrix are computed to predict what
// all of them would take.
const denseRows = 8

// DenseRate is what the dense matrix takes here, in scalings or in logarithms, predicted from some of its rows. In haste it is not
// measured, and zero if it was not before.
func (m *Maker) DenseRate(ctx context.Context, epsilon float64, log, haste bool) (baseline.Prediction, error) {
	rate := &m.kept.rates[0]
	if log {
		rate = &m.kept.rates[1]
	}
	if rate.Rows == 0 && !haste {
		measured, err := baseline.Predict[float64](ctx, m.Graph, epsilon, denseRows, log, m.Now)
		if err != nil {
			return *rate, err
		}
		*rate = measured
	}
	return *rate, nil
}
