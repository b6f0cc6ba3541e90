package method

import (
	"errors"
	"fmt"
	"math"
	"sync"

	"genussink/core/graph"
	"genussink/core/job"
	"genussink/core/mesh"
	"genussink/core/shortest"
)

// Unit is the length that is computed in, as a power of two of mesh units: a mesh has
// an extent of about 1, whatever it is in mesh units. So labels of float32, squares and areas
// neither overflow nor underflow, and as a power of two changes no digit, every result scales with the mesh.
type Unit int

// From is a length in mesh units, in the unit.
func (u Unit) From(x float64) float64 { return math.Ldexp(x, -int(u)) }

// In is a length in the unit, in mesh units.
func (u Unit) In(x float64) float64 { return math.Ldexp(x, int(u)) }

// unitOf is that of a mesh and, where its edges are not the mesh's, of their lengths.
func unitOf(m *mesh.Mesh, lengths []float64) Unit {
	exponent, longest := m.Exponent(), 0.0
	for _, w := range lengths {
		longest = max(longest, w)
	}
	if _, own := math.Frexp(longest); longest > 0 {
		exponent = max(exponent, own)
	}
	return Unit(exponent)
}

// Space is a graph whose shortest paths are the distances, with the mesh that has its vertices. It does not change: safe for
// concurrent use.
type Space struct {
	Unit      Unit
	Mesh      *mesh.Mesh     // in the unit; without faces where the graph is no mesh's
	Graph     *graph.Graph   // in the unit
	Diagonal  float64        // of the mesh's bounding box, in the unit
	Component []int32        // of each vertex, in the graph
	Count     int            // of components
	Reach     func() float64 // a bound on the distances, once asked for

	solvers sync.Pool
}

// Scaled is a mesh in a unit of its own.
func Scaled(m *mesh.Mesh) (*mesh.Mesh, Unit) {
	u := unitOf(m, nil)
	return m.Scaled(-int(u)), u
}

// ScaledGraph is a graph, and the mesh that has its vertices, in a unit of their own. The graph shares all but its lengths.
func ScaledGraph(m *mesh.Mesh, g *graph.Graph) (*mesh.Mesh, *graph.Graph, Unit) {
	u := unitOf(m, g.Weights)
	scaled := &graph.Graph{Offsets: g.Offsets, Targets: g.Targets, Weights: make([]float64, len(g.Weights))}
	for i, w := range g.Weights {
		scaled.Weights[i] = u.From(w)
	}
	return m.Scaled(-int(u)), scaled, u
}

// NewSpace is the space of a mesh and its graph, both in the unit.
func NewSpace(m *mesh.Mesh, g *graph.Graph, u Unit) *Space {
	s := &Space{Unit: u, Mesh: m, Graph: g, Diagonal: m.Diagonal()}
	s.Component, s.Count = g.Components()
	s.solvers.New = func() any { return shortest.NewSolver(g) }
	s.Reach = sync.OnceValue(s.farthest)
	return s
}

// Solver lends a solver of the graph, until done is called.
func (s *Space) Solver() (solver *shortest.Solver, done func()) {
	solver = s.solvers.Get().(*shortest.Solver)
	return solver, func() { s.solvers.Put(solver) }
}

// farthest is twice the greatest distance from a vertex of each component: no distance is greater.
func (s *Space) farthest() (reach float64) {
	sources, found := make([]int32, 0, s.Count), make([]bool, s.Count)
	for v, c := range s.Component {
		if !found[c] {
			found[c], sources = true, append(sources, int32(v))
		}
	}
	solver, done := s.Solver()
	defer done()
	for _, d := range solver.Distances(nil, sources...) {
		reach = max(reach, 2*d)
	}
	return reach
}

// least is a lower bound on the length of a mesh's longest path, in mesh units. Of shorter paths float64 could not hold the rounding
// errors.
const least = 0x1p-1010

// fits refuses a space whose distances float64 cannot hold in mesh units, too long or too short.
func (s *Space) fits() error {
	switch reach := s.Unit.In(s.Reach()); {
	case math.IsInf(reach, 1):
		return errors.New("paths are too long for a float64: scale the mesh down, by 1e-300 for example")
	case reach > 0 && reach < least:
		return errors.New("paths are too short for a float64 to hold all their digits: scale the mesh up, by 1e300 for example")
	}
	return nil
}

// Spec is a complete job.KernelSpec, with lengths in the unit of a space.
type Spec struct {
	Method          string
	Function        string
	Epsilon, Delta  float64 // Delta is 0 for methods that have none
	Host            string
	Precision       string // "": the method's own
	Levels          int
	Sample          job.Sample
	Representatives int

	alone bool // the cover is not shared with members, which keep the factors of one exponential
}

// Spec checks what is asked for, and brings it to the space's unit.
func (s *Space) Spec(asked job.KernelSpec) (p Spec, err error) {
	if err := s.fits(); err != nil {
		return p, err
	}
	if asked, err = asked.Complete(); err != nil {
		return p, err
	}
	p = Spec{
		Method: asked.Method, Function: asked.Function, Host: asked.Host, Precision: asked.Precision, Levels: asked.Levels, Sample: asked.Sample,
		Representatives: asked.Representatives,
	}
	if p.Epsilon, err = s.Length("epsilon", asked.Epsilon); err == nil && job.Bounded(p.Method) {
		p.Delta, err = s.Length("delta", asked.Delta)
	}
	return p, err
}

// Length turns a positive length into the unit.
func (s *Space) Length(name string, l job.Length) (float64, error) {
	x := l.Value * s.Diagonal
	if l.Units {
		x = s.Unit.From(l.Value)
	}
	switch {
	case x > 0 && x < math.Inf(1):
		return x, nil
	case l.Units:
		return 0, fmt.Errorf("%s is %g, the bounding box's diagonal %g: they are too far apart to be computed with", name, l.Value, s.Unit.In(s.Diagonal))
	}
	return 0, fmt.Errorf("%s is %g of the bounding box's diagonal, which is %g: give it in mesh units", name, l.Value, s.Unit.In(s.Diagonal))
}

// allowed is the delta of a specification, NaN for methods that have none.
func (p Spec) allowed() float64 {
	if p.Delta == 0 {
		return math.NaN()
	}
	return p.Delta
}

// of is a specification of another method, all else being its own.
func (p Spec) of(method string) Spec {
	return Spec{Method: method, Function: p.Function, Epsilon: p.Epsilon}
}
