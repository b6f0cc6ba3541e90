package scene

import (
	"math"
	"sort"

	"genussink/core/job"
)

// paths are the paths of a plan's particles. Each stays in the memory of the batch that brought it: to join batches would copy millions of
// vertices.
type paths struct{ particles []particle }

// particle is one share of the mass, and its shortest path.
type particle struct {
	vertices []int32   // of the path, the source first
	along    []float64 // by place: the distance from the source, mesh units
	at       int       // the place before the edge where it was last found
	beside   []int32   // by place: 1 more than what towards found, 0: not looked for yet; nil: nowhere yet
}

// count is how many there are.
func (p *paths) count() int {
	if p == nil {
		return 0
	}
	return len(p.particles)
}

// join adds a batch, which must fit: see fitsFlow.
func (p *paths) join(e *job.Flowing) {
	for i, lo := range e.Offsets[:len(e.Offsets)-1] {
		hi := e.Offsets[i+1]
		p.particles = append(p.particles, particle{vertices: e.Vertices[lo:hi], along: e.Along[lo:hi]})
	}
}

// fitsFlow makes sure that moving mass on these paths cannot run out of their bounds.
func fitsFlow(e *job.Flowing, m *OpenMesh) bool {
	if len(e.Offsets) < 2 || e.Offsets[0] != 0 || int(e.Offsets[len(e.Offsets)-1]) != len(e.Vertices) || len(e.Along) != len(e.Vertices) {
		return false
	}
	for i := 1; i < len(e.Offsets); i++ {
		if e.Offsets[i] <= e.Offsets[i-1] {
			return false
		}
	}
	for i, v := range e.Vertices {
		if m.vertex(v) < 0 || math.IsNaN(e.Along[i]) || math.IsInf(e.Along[i], 0) {
			return false
		}
	}
	return true
}

// locate finds the edge that the particle is on, by the place before it, and the share of it behind it. It looks next to where the
// particle was, and then everywhere.
func (p *particle) locate(progress float64) (at int, share float64) {
	along := p.along
	way := along[len(along)-1] * progress
	on := func(k int) bool { // the edge after vertex k of the path, or its last vertex
		return (k == 0 || along[k] <= way) && (k+2 >= len(along) || along[k+1] > way)
	}
	k := p.at
	if k+2 < len(along) && !on(k) {
		k++
	}
	if !on(k) {
		k = sort.Search(max(len(along)-1, 1), func(k int) bool { return k > 0 && along[k] > way }) - 1
	}
	p.at = k
	if k+1 >= len(along) {
		return k, 0
	}
	length := along[k+1] - along[k]
	if !(length > 0) {
		return k, 0
	}
	return k, min(max((way-along[k])/length, 0), 1)
}

// towards is a neighbour of one place of the path. A particle is drawn a little beside its path, towards that vertex. The side, a and b along two
// tangents, is the same at all places.
func (p *particle) towards(m *Mesh, place int, a, b float32) int32 {
	if p.beside == nil {
		p.beside = make([]int32, len(p.vertices))
	}
	if p.beside[place] == 0 {
		p.beside[place] = 1 + m.beside(p.vertices[place], a, b)
	}
	return p.beside[place] - 1
}
