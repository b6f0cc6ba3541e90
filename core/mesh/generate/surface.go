package generate

import (
	"fmt"
	"math"

	"genussink/core/mesh"
)

// maxCells bounds the grid of Surface.
const maxCells = 1 << 25

// Surface meshes the zero set of a field within the box from lo to hi by
// triangles whose edges are about as long as edge, all in mesh units. The
// result is closed, manifold and oriented outwards whatever the field is:
// marching tetrahedra make it so, and remeshing keeps it so. What crosses the
// box is cut off by it. Parts thinner than an edge may be lost.
func Surface(field Field, lo, hi Vec, edge float64) (*mesh.Mesh, error) {
	if !(edge > 0) || math.IsInf(edge, 1) {
		return nil, fmt.Errorf("generate: edge length %g", edge)
	}
	var size [3]int // lattice points along each axis
	cells := 1.0
	for c := range 3 {
		n := math.Ceil((hi[c]-lo[c])/edge) + 1
		if !(n >= 2) {
			return nil, fmt.Errorf("generate: the box is empty: %c from %g to %g", "xyz"[c], lo[c], hi[c])
		}
		if cells *= n; !(cells <= maxCells) {
			return nil, fmt.Errorf("generate: edges of %g are too short for the box: more than %d cells", edge, maxCells)
		}
		size[c] = int(n)
	}
	r := &remesher{field: field, edge: edge}
	r.march(lo, size)
	r.index()
	for range 6 {
		r.split()
		r.collapse()
		r.flip()
		r.relax()
	}
	r.settle()
	return r.mesh()
}

// march runs marching tetrahedra: every cube of the lattice is cut into the
// six tetrahedra around its diagonal, alike everywhere, so that neighbouring
// cubes agree on their common face. A field value of 0 counts as outside, as
// does all of the lattice's hull.
func (r *remesher) march(lo Vec, size [3]int) {
	at := func(i, j, k int) int { return (k*size[1]+j)*size[0] + i }
	values := make([]float64, size[0]*size[1]*size[2])
	point := func(v int) Vec {
		return add(lo, scale(r.edge, Vec{float64(v % size[0]), float64(v / size[0] % size[1]), float64(v / (size[0] * size[1]))}))
	}
	parallel(len(values), func(v int) {
		values[v] = r.field(point(v))
		i, j, k := v%size[0], v/size[0]%size[1], v/(size[0]*size[1])
		if hull := i == 0 || j == 0 || k == 0 || i == size[0]-1 || j == size[1]-1 || k == size[2]-1; hull {
			values[v] = max(values[v], r.edge/10)
		}
	})
	step := func(corner int) int { return at(corner&1, corner>>1&1, corner>>2) }
	crossing := make(map[[2]int]int32)
	vertex := func(u, v int) int32 { // where the surface crosses the lattice edge
		key := [2]int{min(u, v), max(u, v)}
		id, ok := crossing[key]
		if !ok {
			u, v := key[0], key[1]
			t := values[u] / (values[u] - values[v])
			id = int32(len(r.positions))
			r.positions = append(r.positions, lerp(point(u), point(v), min(max(t, 0.02), 0.98)))
			crossing[key] = id
		}
		return id
	}
	// triangle adds the triangle that crosses three lattice edges, each given
	// inside corner first, with its front to the outside.
	triangle := func(cube int, e [3][2]int) {
		var mid [3]Vec
		var outward Vec
		for i, c := range e {
			p, q := point(step(c[0])), point(step(c[1]))
			mid[i] = lerp(p, q, 0.5)
			outward = add(outward, sub(q, p))
		}
		if dot(cross(sub(mid[1], mid[0]), sub(mid[2], mid[0])), outward) < 0 {
			e[1], e[2] = e[2], e[1]
		}
		var f [3]int32
		for i, c := range e {
			f[i] = vertex(cube+step(c[0]), cube+step(c[1]))
		}
		r.faces = append(r.faces, f)
	}
	tetrahedra := [6][4]int{{0, 1, 3, 7}, {0, 1, 5, 7}, {0, 2, 3, 7}, {0, 2, 6, 7}, {0, 4, 5, 7}, {0, 4, 6, 7}}
	for k := range size[2] - 1 {
		for j := range size[1] - 1 {
			for i := range size[0] - 1 {
				cube := at(i, j, k)
				inside := 0
				for c := range 8 {
					if values[cube+step(c)] < 0 {
						inside++
					}
				}
				if inside == 0 || inside == 8 {
					continue
				}
				for _, tet := range tetrahedra {
					var in, out []int
					for _, c := range tet {
						if values[cube+step(c)] < 0 {
							in = append(in, c)
						} else {
							out = append(out, c)
						}
					}
					switch len(in) {
					case 1:
						triangle(cube, [3][2]int{{in[0], out[0]}, {in[0], out[1]}, {in[0], out[2]}})
					case 2:
						triangle(cube, [3][2]int{{in[0], out[0]}, {in[0], out[1]}, {in[1], out[1]}})
						triangle(cube, [3][2]int{{in[0], out[0]}, {in[1], out[1]}, {in[1], out[0]}})
					case 3:
						triangle(cube, [3][2]int{{in[0], out[0]}, {in[1], out[0]}, {in[2], out[0]}})
					}
				}
			}
		}
	}
}
