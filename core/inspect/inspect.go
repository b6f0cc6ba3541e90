// Package inspect measures a mesh for a person who looks at it: the shapes of its edges and faces, and how it bends.
// What is wrong with a mesh is listed by mesh.Defects.
package inspect

import (
	"cmp"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"genussink/core/graph"
	"genussink/core/mesh"
)

// Edges are a graph's edges, two vertices each with the smaller first, in ascending order, and their lengths.
func Edges(g *graph.Graph) (ends []int32, lengths []float64) {
	for v := range int32(g.Len()) {
		to, length := g.Neighbours(v)
		for i, u := range to {
			if u > v {
				ends, lengths = append(ends, v, u), append(lengths, length[i])
			}
		}
	}
	return ends, lengths
}

// SmallComponents are a graph's components but the largest, or the first of those, and but for single vertices: the vertices of
// each, ascending. The largest comes first.
func SmallComponents(g *graph.Graph) [][]int32 {
	component, count := g.Components()
	members := make([][]int32, count)
	for v, c := range component {
		members[c] = append(members[c], int32(v))
	}
	slices.SortStableFunc(members, func(a, b []int32) int { return cmp.Compare(len(b), len(a)) })
	return slices.DeleteFunc(members[min(1, count):], func(m []int32) bool { return len(m) == 1 })
}

// Isolated are the vertices of a graph that have no edge.
func Isolated(g *graph.Graph) (list []int32) {
	for v := range int32(g.Len()) {
		if g.Offsets[v] == g.Offsets[v+1] {
			list = append(list, v)
		}
	}
	return list
}

// AspectRatios say how far each face is from equilateral: the longest edge over the diameter of the inscribed circle, divided by what
// it is for an equilateral face. 1 is the best; a face without area has infinity.
func AspectRatios(m *mesh.Mesh) []float64 {
	ratios := make([]float64, len(m.Faces))
	for f, v := range m.Faces {
		p, q, r := m.Positions[v[0]], m.Positions[v[1]], m.Positions[v[2]]
		a, b, c := mesh.Distance(q, r), mesh.Distance(r, p), mesh.Distance(p, q)
		longest := max(a, b, c)
		if area := m.FaceArea(f); area > 0 {
			ratios[f] = longest / area * (a + b + c) / (4 * math.Sqrt(3))
		} else {
			ratios[f] = math.Inf(1)
		}
	}
	return ratios
}

// Degrees are the numbers of edges at each vertex.
func Degrees(g *graph.Graph) []float64 {
	degrees := make([]float64, g.Len())
	for v := range degrees {
		to, _ := g.Neighbours(int32(v))
		degrees[v] = float64(len(to))
	}
	return degrees
}

// Bend is an edge of two faces and the angle between their normals, in degrees: 0 where the surface is flat, 180 where it folds back.
type Bend struct {
	Edge  [2]int32 // the smaller vertex first
	Angle float64
}

// Bends are those of all edges of two faces that have an area, in ascending order of the edges.
func Bends(m *mesh.Mesh) []Bend {
	type half struct {
		edge    [2]int32
		face    int32
		forward bool
	}
	halves := make([]half, 0, 3*len(m.Faces))
	for f, v := range m.Faces {
		for c := range 3 {
			a, b := v[c], v[(c+1)%3]
			if a != b {
				halves = append(halves, half{[2]int32{min(a, b), max(a, b)}, int32(f), a < b})
			}
		}
	}
	slices.SortStableFunc(halves, func(a, b half) int { return slices.Compare(a.edge[:], b.edge[:]) })
	var bends []Bend
	for i := 0; i < len(halves); {
		j := i + 1
		for j < len(halves) && halves[j].edge == halves[i].edge {
			j++
		}
		if j-i == 2 {
			n, k := normal(m, halves[i].face), normal(m, halves[i+1].face)
			if halves[i].forward == halves[i+1].forward { // one of the two is turned over
				k = k.Mul(-1)
			}
			if n != (mgl64.Vec3{}) && k != (mgl64.Vec3{}) {
				bends = append(bends, Bend{halves[i].edge, math.Atan2(n.Cross(k).Len(), n.Dot(k)) * 180 / math.Pi})
			}
		}
		i = j
	}
	return bends
}

// normal is a face's unit normal; zero for a face without area.
func normal(m *mesh.Mesh, f int32) mgl64.Vec3 {
	v := m.Faces[f]
	p := mgl64.Vec3(m.Positions[v[0]])
	n := mgl64.Vec3(m.Positions[v[1]]).Sub(p).Cross(mgl64.Vec3(m.Positions[v[2]]).Sub(p))
	if l := n.Len(); l > 0 {
		return n.Mul(1 / l)
	}
	return mgl64.Vec3{}
}

// Curvatures are how a surface bends at its vertices. A vertex on the boundary, of no face, or of a face without area, has NaN.
type Curvatures struct {
	Mean     []float64 // 1 / mesh unit; positive where a closed surface bulges outwards, whichever way its faces are turned
	Gaussian []float64 // 1 / mesh unit squared: the angle that the faces lack of a full turn, over the area
	Area     []float64 // mesh units squared: each vertex's part of its faces, which add up to the surface
}

// Curvature is the discrete curvature of Meyer et al., "Discrete differential-geometry operators for triangulated 2-manifolds" (2003),
// with their mixed areas: where a face is acute, the points nearest to the vertex; of an obtuse face a half or a quarter.
func Curvature(m *mesh.Mesh) Curvatures {
	n := len(m.Positions)
	c := Curvatures{make([]float64, n), make([]float64, n), make([]float64, n)}
	laplacian := make([]mgl64.Vec3, n) // of the positions, by cotangents
	normals := make([]mgl64.Vec3, n)
	for v := range c.Gaussian {
		c.Gaussian[v] = 2 * math.Pi
	}
	d := m.Defects()
	inside, sides := interior(m, d.BoundaryLoops), outward(m, d)
	for f, v := range m.Faces {
		area := m.FaceArea(f)
		if area == 0 { // its angles are not known
			inside[v[0]], inside[v[1]], inside[v[2]] = false, false, false
			continue
		}
		p := [3]mgl64.Vec3{m.Positions[v[0]], m.Positions[v[1]], m.Positions[v[2]]}
		obtuse := -1        // the corner that is
		var near [3]float64 // the points nearest to each corner, if none is
		for k := range 3 {
			i, j := (k+1)%3, (k+2)%3
			a, b := p[i].Sub(p[k]), p[j].Sub(p[k])
			cross, dot := a.Cross(b), a.Dot(b)
			c.Gaussian[v[k]] -= math.Atan2(cross.Len(), dot)
			normals[v[k]] = normals[v[k]].Add(cross.Mul(sides[f]))
			edge := p[j].Sub(p[i]).Mul(dot / cross.Len() / 2)
			laplacian[v[i]] = laplacian[v[i]].Add(edge)
			laplacian[v[j]] = laplacian[v[j]].Sub(edge)
			near[i] += edge.Dot(p[j].Sub(p[i])) / 4
			near[j] += edge.Dot(p[j].Sub(p[i])) / 4
			if dot < 0 {
				obtuse = k
			}
		}
		for k := range 3 {
			switch obtuse {
			case -1:
				c.Area[v[k]] += near[k]
			case k:
				c.Area[v[k]] += area / 2
			default:
				c.Area[v[k]] += area / 4
			}
		}
	}
	for v := range n {
		if !inside[v] || !(c.Area[v] > 0) {
			c.Mean[v], c.Gaussian[v] = math.NaN(), math.NaN()
			continue
		}
		c.Gaussian[v] /= c.Area[v]
		c.Mean[v] = laplacian[v].Len() / (2 * c.Area[v])
		if laplacian[v].Dot(normals[v]) > 0 { // towards the outside: a hollow
			c.Mean[v] = -c.Mean[v]
		}
	}
	return c
}

// outward is 1 for a face whose normal points out of the surface, -1 for one whose normal points in. Faces of a piece agree but for the flipped ones. Out of
// a closed surface is where its volume comes out positive; of an open one, where most of its normals point.
func outward(m *mesh.Mesh, d *mesh.Defects) []float64 {
	sides := slices.Repeat([]float64{1}, len(m.Faces))
	for _, f := range d.FlippedFaces {
		sides[f] = -1
	}
	if len(d.BoundaryLoops) > 0 || len(m.Faces) == 0 {
		return sides
	}
	volume, from := 0.0, mgl64.Vec3(m.Positions[0])
	for f, v := range m.Faces {
		p := mgl64.Vec3(m.Positions[v[0]]).Sub(from)
		volume += sides[f] * p.Dot(mgl64.Vec3(m.Positions[v[1]]).Sub(from).Cross(mgl64.Vec3(m.Positions[v[2]]).Sub(from)))
	}
	if volume < 0 {
		for f := range sides {
			sides[f] = -sides[f]
		}
	}
	return sides
}

// interior says of every vertex whether a face names it and no boundary runs through it.
func interior(m *mesh.Mesh, loops [][]int32) []bool {
	inside := make([]bool, len(m.Positions))
	for _, v := range m.Faces {
		inside[v[0]], inside[v[1]], inside[v[2]] = true, true, true
	}
	for _, loop := range loops {
		for _, v := range loop {
			inside[v] = false
		}
	}
	return inside
}

// Finite are the values that are finite, in a list of its own.
func Finite(values []float64) []float64 {
	return slices.DeleteFunc(slices.Clone(values), func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) })
}
