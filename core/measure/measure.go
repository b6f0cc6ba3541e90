// Package measure makes densities on the vertices of a mesh, and checks those
// that come from elsewhere.
//
// # Deviations
//
// From the paper (Appendix, "Details using Thingi10K data"):
//
//   - It says that anchors are extreme along principal axes, not how axes are
//     turned and ties decided. FindAnchors says how they are here.
//   - The mixtures of its synthetic experiments, on the lobes of dumbbells and in
//     the parameters of pseudo-genus surfaces, are not here.
package measure

import (
	"fmt"
	"math"

	"genussink/core/graph"
	"genussink/core/mesh"
	"genussink/core/shortest"
)

// ByName returns the source and target that a preset's name stands for: paper,
// two-spots, uniform or area (the last two are the same density twice).
func ByName(name string, m *mesh.Mesh, g *graph.Graph) (source, target []float64, err error) {
	switch name {
	case "paper":
		return Paper(m, g)
	case "two-spots":
		return TwoSpots(m, g)
	case "uniform":
		n := len(m.Positions)
		return Uniform(n), Uniform(n), nil
	case "area":
		if source, err = Area(m); err != nil {
			return nil, nil, err
		}
		return source, append([]float64(nil), source...), nil
	}
	return nil, nil, fmt.Errorf("measure: no preset %q; there are paper, two-spots, uniform and area", name)
}

// Paper returns the paper's pair of geodesic Gaussian mixtures (Appendix,
// "Details using Thingi10K data"): 0.7 left + 0.3 low, and 0.65 right +
// 0.35 high, around the Anchors. A component is proportional to
// exp(-d(x,c)^2 / 2 sigma^2), of total 1, with graph distances d and
// sigma = max(0.18 diagonal, 3 mean edges, 1e-8). Both total 1.
func Paper(m *mesh.Mesh, g *graph.Graph) (source, target []float64, err error) {
	s, err := newSpots(m, g)
	if err != nil {
		return nil, nil, err
	}
	return s.mixture(spot{s.anchors.Left, 0.7}, spot{s.anchors.Low, 0.3}),
		s.mixture(spot{s.anchors.Right, 0.65}, spot{s.anchors.High, 0.35}), nil
}

// TwoSpots returns one geodesic Gaussian each, around the left and the right
// anchor, as wide as the paper's.
func TwoSpots(m *mesh.Mesh, g *graph.Graph) (source, target []float64, err error) {
	s, err := newSpots(m, g)
	if err != nil {
		return nil, nil, err
	}
	return s.mixture(spot{s.anchors.Left, 1}), s.mixture(spot{s.anchors.Right, 1}), nil
}

// Uniform gives each of n vertices 1/n.
func Uniform(n int) []float64 {
	a := make([]float64, n)
	for i := range a {
		a[i] = 1 / float64(n)
	}
	return a
}

// Area gives every vertex a third of the area of the faces around it, of total
// 1. A mesh without area is an error.
func Area(m *mesh.Mesh) ([]float64, error) {
	a := m.VertexAreas()
	if err := Validate(a, len(m.Positions)); err != nil {
		return nil, fmt.Errorf("%w (the faces' areas)", err)
	}
	return Normalise(a), nil
}

// spots makes Gaussians on one mesh.
type spots struct {
	solver  *shortest.Solver
	anchors Anchors
	sigma   float64
	n       int
}

type spot struct {
	centre int32
	weight float64
}

func newSpots(m *mesh.Mesh, g *graph.Graph) (*spots, error) {
	n := len(m.Positions)
	if g.Len() != n {
		return nil, fmt.Errorf("measure: a graph of %d vertices for a mesh of %d", g.Len(), n)
	}
	if n == 0 {
		return nil, fmt.Errorf("measure: a mesh without vertices has no anchors")
	}
	edge := 0.0
	if len(g.Weights) > 0 {
		edge = sum(g.Weights) / float64(len(g.Weights))
	}
	sigma := max(0.18*m.Diagonal(), 3*edge, 1e-8)
	if math.IsInf(sigma, 1) {
		return nil, fmt.Errorf("measure: the mesh's diagonal or its mean edge is too long for a float64")
	}
	return &spots{solver: shortest.NewSolver(g), anchors: FindAnchors(m, g), sigma: sigma, n: n}, nil
}

func (s *spots) mixture(parts ...spot) []float64 {
	mix := make([]float64, s.n)
	d := make([]float64, s.n)
	for _, p := range parts {
		s.solver.Distances(d, p.centre)
		for i, x := range d {
			x /= s.sigma
			d[i] = math.Exp(-x * x / 2) // the centre itself has 1, so the total is positive
		}
		for i, x := range Normalise(d) {
			mix[i] += p.weight * x
		}
	}
	return Normalise(mix)
}
