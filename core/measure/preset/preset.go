// Package preset makes densities on the vertices of a mesh. Mass cannot move between the components of a graph,
// so the pairs that it makes have the same mass of both in every component.
//
// # Deviations
//
// From the paper (Appendix, "Details using Thingi10K data"):
//
//   - It says that anchors are extreme along principal axes, not how axes are
//     turned and ties decided. Anchors says how they are here.
//   - Its graphs are connected. Where there are several components, each has
//     anchors and a mixture of its own.
//   - The mixtures of its synthetic experiments, on the lobes of dumbbells and in
//     the parameters of pseudo-genus surfaces, are not here.
package preset

import (
	"fmt"
	"math"

	"genussink/core/graph"
	"genussink/core/measure"
	"genussink/core/mesh"
	"genussink/core/shortest"
)

// Where says which components of a graph a pair of densities lies in.
type Where string

// Vertices without an edge are left out of both, unless there are no others.
const (
	Each    Where = "each"    // all; one has the share of both densities that it has of the vertices
	Largest Where = "largest" // the one of most vertices, of several the first
)

// Pair is a source and a target, each of total 1.
type Pair struct {
	Source, Target []float64
	Floored        bool // a Gaussian's sigma is the floor: the mesh asks for less
}

// Floor is the least sigma of a Gaussian, in mesh units (the paper, Appendix, "Details using Thingi10K data").
const Floor = 1e-8

// ByName returns the source and target that a preset's name stands for: paper,
// two-spots, uniform or area (the last two are the same density twice; area gives
// a component the share that it has of the area). The empty Where is Each. The floor is
// that of sigma, in the mesh's unit.
func ByName(name string, where Where, m *mesh.Mesh, g *graph.Graph, floor float64) (Pair, error) {
	if !(floor >= 0) || math.IsInf(floor, 1) {
		return Pair{}, fmt.Errorf("preset: a floor of %g: a sigma is 0 or more, and finite", floor)
	}
	p, err := newPlaces(where, m, g)
	if err != nil {
		return Pair{}, err
	}
	var source []float64
	switch name {
	case "paper", "two-spots":
		s, err := p.spots(floor)
		if err != nil {
			return Pair{}, err
		}
		if name == "paper" {
			return Pair{s.mixture(spot{s.left, 0.7}, spot{s.low, 0.3}), s.mixture(spot{s.right, 0.65}, spot{s.high, 0.35}), s.floored}, nil
		}
		// One Gaussian each, as wide as the paper's.
		return Pair{s.mixture(spot{s.left, 1}), s.mixture(spot{s.right, 1}), s.floored}, nil
	case "uniform":
		source = make([]float64, g.Len())
		for i := range source {
			source[i] = 1
		}
	case "area":
		if len(m.Faces) == 0 {
			return Pair{}, fmt.Errorf("preset: a graph without faces has no area")
		}
		source = m.VertexAreas()
	default:
		return Pair{}, fmt.Errorf("preset: no preset %q; there are paper, two-spots, uniform and area", name)
	}
	for i, c := range p.component {
		if p.members[c] == nil {
			source[i] = 0
		}
	}
	if err := measure.Validate(source, g.Len()); err != nil {
		return Pair{}, fmt.Errorf("%w (%s)", err, name)
	}
	return Pair{Source: measure.Normalise(source), Target: append([]float64(nil), source...)}, nil
}

// Paper returns the paper's pair of geodesic Gaussian mixtures (Appendix,
// "Details using Thingi10K data"): 0.7 left + 0.3 low, and 0.65 right +
// 0.35 high, around the Anchors. A Gaussian is proportional to
// exp(-d(x,c)^2 / 2 sigma^2), of total 1, with graph distances d and
// sigma = max(0.18 diagonal, 3 mean edges, 1e-8). Where the graph has several
// components, which the paper does not treat, each has its own anchors, diagonal
// and mean edge, and mass as Each says. Both total 1. The floor of sigma, 1e-8, is Floor in the mesh's unit.
func Paper(m *mesh.Mesh, g *graph.Graph, floor float64) (source, target []float64, err error) {
	p, err := ByName("paper", Each, m, g, floor)
	return p.Source, p.Target, err
}

// places are the components of a graph that presets put mass in.
type places struct {
	mesh      *mesh.Mesh
	graph     *graph.Graph
	component []int32   // of each vertex
	members   [][]int32 // of each component, nil where it gets no mass
	total     int       // vertices that get mass
}

func newPlaces(where Where, m *mesh.Mesh, g *graph.Graph) (*places, error) {
	n := len(m.Positions)
	if g.Len() != n {
		return nil, fmt.Errorf("preset: a graph of %d vertices for a mesh of %d", g.Len(), n)
	}
	if n == 0 {
		return nil, fmt.Errorf("preset: a mesh without vertices has no densities")
	}
	p := &places{mesh: m, graph: g}
	var count int
	p.component, count = g.Components()
	p.members = make([][]int32, count)
	for v, c := range p.component {
		p.members[c] = append(p.members[c], int32(v))
	}
	largest := 0
	for c := range p.members {
		if len(p.members[c]) > len(p.members[largest]) {
			largest = c
		}
	}
	switch where {
	case "", Each:
		if g.Edges() > 0 {
			for c, ids := range p.members {
				if len(ids) == 1 {
					p.members[c] = nil
				}
			}
		}
	case Largest:
		for c := range p.members {
			if c != largest {
				p.members[c] = nil
			}
		}
	default:
		return nil, fmt.Errorf("preset: no components %q; there are %q and %q", where, Each, Largest)
	}
	for _, ids := range p.members {
		p.total += len(ids)
	}
	return p, nil
}

// spots makes Gaussians in every place at once.
type spots struct {
	*places
	solver                 *shortest.Solver
	left, right, low, high []int32   // anchors of the places
	sigma                  []float64 // by component
	floored                bool      // one is the floor
}

// A spot is a Gaussian in every place, around its centre.
type spot struct {
	centres []int32
	weight  float64
}

func (p *places) spots(floor float64) (*spots, error) {
	s := &spots{places: p, solver: shortest.NewSolver(p.graph), sigma: make([]float64, len(p.members))}
	for c, ids := range p.members {
		if ids == nil {
			continue
		}
		part := &mesh.Mesh{Positions: make([][3]float64, len(ids))}
		edge, edges := 0.0, 0
		for i, v := range ids {
			part.Positions[i] = p.mesh.Positions[v]
			_, lengths := p.graph.Neighbours(v)
			for _, w := range lengths {
				edge += w
			}
			edges += len(lengths)
		}
		if edges > 0 {
			edge /= float64(edges)
		}
		own := max(0.18*part.Diagonal(), 3*edge)
		s.sigma[c] = max(own, min(floor, math.MaxFloat64))
		s.floored = s.floored || own < floor && len(ids) > 1
		if math.IsInf(s.sigma[c], 1) {
			return nil, fmt.Errorf("preset: the mesh's diagonal or its mean edge is too long for a float64")
		}
		a := FindAnchors(part)
		s.left, s.right = append(s.left, ids[a.Left]), append(s.right, ids[a.Right])
		s.low, s.high = append(s.low, ids[a.Low]), append(s.high, ids[a.High])
	}
	return s, nil
}

func (s *spots) mixture(parts ...spot) []float64 {
	mix := make([]float64, len(s.component))
	d := make([]float64, len(s.component))
	total := make([]float64, len(s.members))
	for _, p := range parts {
		s.solver.Distances(d, p.centres...)
		clear(total)
		for i, c := range s.component {
			x := d[i] / s.sigma[c]      // 0 where there is no mass, of an infinite distance
			d[i] = math.Exp(-x * x / 2) // the centre itself has 1, so the total is positive
			total[c] += d[i]
		}
		for i, c := range s.component {
			if ids := s.members[c]; ids != nil {
				share := float64(len(ids)) / float64(s.total)
				mix[i] += p.weight * share * (d[i] / total[c])
			}
		}
	}
	return measure.Normalise(mix)
}
