package planar

import (
	"fmt"

	"genussink/core/graph"
)

// Clockwise is the arc after a clockwise around the vertex that a leaves.
func (e *Embedding) Clockwise(a int32) int32 { return e.Next[e.Twin[a]] }

// Verify checks the embedding against g: every arc is answered by its twin,
// the arcs of a vertex form one cycle around it, and in every component
// vertices - edges + faces = 2 (Euler's formula, which holds of no rotation
// system but those of the sphere). It names the place that fails.
func (e *Embedding) Verify(g *graph.Graph) error {
	arcs := len(g.Targets)
	if len(e.Twin) != arcs || len(e.Next) != arcs {
		return fmt.Errorf("planar: %d twins and %d successors for %d arcs", len(e.Twin), len(e.Next), arcs)
	}
	entered := make([]bool, arcs) // is the successor of an arc
	for v := range int32(g.Len()) {
		for a := g.Offsets[v]; a < g.Offsets[v+1]; a++ {
			w := g.Targets[a]
			if b := e.Twin[a]; b < g.Offsets[w] || b >= g.Offsets[w+1] || g.Targets[b] != v {
				return fmt.Errorf("planar: twin: arc %d from %d to %d is not answered by %d", a, v, w, b)
			}
			b := e.Next[a]
			if b < g.Offsets[w] || b >= g.Offsets[w+1] {
				return fmt.Errorf("planar: face: arc %d ends in %d, its successor %d does not start there", a, w, b)
			}
			if entered[b] {
				return fmt.Errorf("planar: face: arc %d succeeds two arcs", b)
			}
			entered[b] = true
		}
	}
	for v := range int32(g.Len()) {
		first, degree := g.Offsets[v], int32(0)
		for a := first; degree == 0 || a != first; a = e.Clockwise(a) {
			if g.Offsets[v+1] == first {
				break
			}
			degree++
		}
		if degree != g.Offsets[v+1]-first {
			return fmt.Errorf("planar: rotation: %d of the %d arcs of vertex %d in one cycle", degree, g.Offsets[v+1]-first, v)
		}
	}
	component, count := g.Components()
	euler := make([]int, count)   // vertices - edges + faces
	example := make([]int, count) // a vertex of the component
	seen := make([]bool, arcs)
	for v, c := range component {
		euler[c]++
		example[c] = v
		row := g.Offsets[v+1] - g.Offsets[v]
		if row == 0 {
			euler[c]++ // the face around an isolated vertex
		}
		for a := g.Offsets[v]; a < g.Offsets[v+1]; a++ {
			if e.Twin[a] > a {
				euler[c]--
			}
			if !seen[a] {
				euler[c]++
				for b := a; !seen[b]; b = e.Next[b] {
					seen[b] = true
				}
			}
		}
	}
	for c, x := range euler {
		if x != 2 {
			return fmt.Errorf("planar: Euler: vertices - edges + faces is %d in the component of vertex %d", x, example[c])
		}
	}
	return nil
}
