package scene

import (
	"fmt"
	"math"
)

// massTolerance is how far a component's shares of the two densities may be
// apart, as the engine has it.
const massTolerance = 1e-9

// components are those of the mesh's graph: mass cannot move between them.
type components struct {
	of    []int32 // the component of each vertex; nil where there is but one
	count int
}

// newComponents checks what came with a mesh of n vertices.
func newComponents(of []int32, n int) (c components, ok bool) {
	if len(of) == 0 {
		return components{count: 1}, true
	}
	if len(of) != n {
		return c, false
	}
	for _, k := range of {
		if k < 0 || int(k) >= n {
			return c, false
		}
		c.count = max(c.count, int(k)+1)
	}
	c.of = of
	return c, true
}

// unequal says where the densities' masses differ, nil where they are equal in
// every component or one of them has no mass yet.
func (d *Densities) unequal(c *components) *UnequalState {
	total := [2]float64{d.mass(sourceSide), d.mass(targetSide)}
	if c.count < 2 || !(total[sourceSide] > 0 && total[targetSide] > 0) {
		return nil
	}
	masses := make([][2]float64, c.count)
	for k, values := range d.values {
		for v, x := range values {
			masses[c.of[v]][k] += x / total[k]
		}
	}
	u := &UnequalState{Component: -1, Components: c.count, Vertex: -1}
	worst := 0.0
	for k, m := range masses {
		u.Mendable = u.Mendable || m[sourceSide] > 0 && m[targetSide] > 0
		off := math.Abs(m[sourceSide] - m[targetSide])
		if off > massTolerance {
			u.Count++
		}
		if off > worst {
			worst, u.Component, u.Source, u.Target = off, k, m[sourceSide], m[targetSide]
		}
	}
	if u.Count == 0 {
		return nil
	}
	for v, k := range c.of {
		if int(k) == u.Component {
			if u.Vertex < 0 {
				u.Vertex = int32(v)
			}
			u.Vertices++
		}
	}
	return u
}

// Sentence explains the difference to a person.
func (u *UnequalState) Sentence() string {
	vertices := "1 vertex, number"
	if u.Vertices != 1 {
		vertices = fmt.Sprintf("%d vertices, the first is", u.Vertices)
	}
	advice := "Balance masses gives the target the source’s share everywhere."
	if !u.Mendable {
		advice = "Paint both in one component."
	}
	return fmt.Sprintf("No mass moves between the %d components, and in %d of them source and target differ: component %d (%s %d) has %.3g %% of the source and %.3g %% of the target. %s",
		u.Components, u.Count, u.Component, vertices, u.Vertex, 100*u.Source, 100*u.Target, advice)
}
