package engine

import (
	"errors"
	"math"

	"genussink/core/graph"
	"genussink/core/job"
	"genussink/core/mesh"
)

// unit is the length that a scene computes in, as a power of two of mesh units: its mesh has
// an extent of about 1, whatever it is in mesh units. So labels of float32, squares and areas
// neither overflow nor underflow, and as a power of two changes no digit, every result scales with the mesh. Messages are
// in mesh units: requests are brought to the unit where they are read, events by say.
type unit int

// from is a length in mesh units, in the scene's.
func (u unit) from(x float64) float64 { return math.Ldexp(x, -int(u)) }

// in is a length of the scene, in mesh units.
func (u unit) in(x float64) float64 { return math.Ldexp(x, int(u)) }

// measured is a graph with its lengths in the unit; it shares all but these.
func (u unit) measured(g *graph.Graph) *graph.Graph {
	scaled := &graph.Graph{Offsets: g.Offsets, Targets: g.Targets, Weights: make([]float64, len(g.Weights))}
	for i, w := range g.Weights {
		scaled.Weights[i] = u.from(w)
	}
	return scaled
}

// unitOf is that of a mesh and, where its edges are not the mesh's, of their lengths.
func unitOf(m *mesh.Mesh, lengths []float64) unit {
	exponent, longest := m.Exponent(), 0.0
	for _, w := range lengths {
		longest = max(longest, w)
	}
	if _, own := math.Frexp(longest); longest > 0 {
		exponent = max(exponent, own)
	}
	return unit(exponent)
}

// least is the shortest that the longest path of a mesh may be, in mesh units. What rounding adds to a distance is
// then still a number with digits.
const least = 0x1p-1010

// fits refuses a scene whose distances float64 cannot hold in mesh units, too long or too short.
func (sc *scene) fits() error {
	switch reach := sc.unit.in(sc.reach()); {
	case math.IsInf(reach, 1):
		return errors.New("paths are too long for a float64: scale the mesh down, by 1e-300 for example")
	case reach > 0 && reach < least:
		return errors.New("paths are too short for a float64 to hold all their digits: scale the mesh up, by 1e300 for example")
	}
	return nil
}

// say brings the lengths of an event to mesh units and returns it.
func (u unit) say(b job.Body) job.Body {
	var numbers []*float64
	var lists [][]float64
	switch b := b.(type) {
	case *job.Loaded:
		r := &b.Report
		numbers = []*float64{&r.EdgeMin, &r.EdgeMean, &r.EdgeMax, &r.Diagonal}
	case *job.Brushed:
		lists = [][]float64{b.Distances}
	case *job.Path:
		numbers = []*float64{&b.Length}
	case *job.Solved:
		a, x := &b.Accuracy, &b.Estimate
		numbers = []*float64{&b.Epsilon, &b.Delta, &b.Bound, &b.Cost, &b.Primal, &b.Dual, &b.Gap, &b.LowerBound, &a.Least, &a.Most, &a.Mean, &x.Cost, &x.Low, &x.High}
	case *job.Polishing:
		numbers = []*float64{&b.Cost, &b.Low, &b.High}
	case *job.Polished:
		numbers = []*float64{&b.Cost, &b.Low, &b.High}
	case *job.Applied:
		numbers = []*float64{&b.Epsilon, &b.Delta, &b.Bound}
	case *job.Partnered:
		lists = [][]float64{b.Distances, b.True}
	case *job.Centred:
		lists = [][]float64{b.Positions}
	case *job.Flowing:
		lists = [][]float64{b.Along}
	}
	for _, x := range numbers {
		*x = u.in(*x)
	}
	for _, list := range lists {
		for i, x := range list {
			list[i] = u.in(x)
		}
	}
	return b
}
