// Package repair mends meshes. Every function leaves its mesh as it is, returns a mended one, and how much it has changed: the same mesh
// and 0 where there is nothing to do.
package repair

import "genussink/core/mesh"

// Weld joins vertices at equal positions: the first of them stays. It returns how many are gone. Faces stay, also those that lose a corner.
func Weld(m *mesh.Mesh) (*mesh.Mesh, int) {
	first := make(map[[3]float64]int32, len(m.Positions)) // keys compare as numbers: -0 is 0
	as := make([]int32, len(m.Positions))
	for v, p := range m.Positions {
		w, ok := first[p]
		if !ok {
			w = int32(v)
			first[p] = w
		}
		as[v] = w
	}
	return renumber(m, as)
}

// DropIsolated leaves out the vertices of no face. It returns how many are gone.
func DropIsolated(m *mesh.Mesh) (*mesh.Mesh, int) {
	as := make([]int32, len(m.Positions))
	for v := range as {
		as[v] = -1
	}
	for _, f := range m.Faces {
		for _, v := range f {
			as[v] = v
		}
	}
	return renumber(m, as)
}

// renumber keeps the vertices that stand for themselves, in their order. The others become those that they stand for; -1 of a vertex of no
// face.
func renumber(m *mesh.Mesh, as []int32) (*mesh.Mesh, int) {
	number := make([]int32, len(as))
	kept := make([][3]float64, 0, len(as))
	for v, w := range as {
		if int(w) == v {
			number[v] = int32(len(kept))
			kept = append(kept, m.Positions[v])
		}
	}
	gone := len(as) - len(kept)
	if gone == 0 {
		return m, 0
	}
	faces := make([][3]int32, len(m.Faces))
	for f, corners := range m.Faces {
		for c, v := range corners {
			faces[f][c] = number[as[v]]
		}
	}
	return &mesh.Mesh{Positions: kept, Faces: faces}, gone
}

// DropDegenerate leaves out the faces that name a vertex twice or have no area. It returns how many are gone. Where such a face joins its
// neighbours a slit is left.
func DropDegenerate(m *mesh.Mesh) (*mesh.Mesh, int) {
	bad := m.Defects().DegenerateFaces
	if len(bad) == 0 {
		return m, 0
	}
	faces, next := make([][3]int32, 0, len(m.Faces)-len(bad)), 0
	for f, corners := range m.Faces {
		if next < len(bad) && int(bad[next]) == f {
			next++
			continue
		}
		faces = append(faces, corners)
	}
	return &mesh.Mesh{Positions: m.Positions, Faces: faces}, len(bad)
}

// Orient turns the fewest faces over that make every orientable piece agree about its outside. It returns how many.
func Orient(m *mesh.Mesh) (*mesh.Mesh, int) {
	bad := m.Defects().FlippedFaces
	if len(bad) == 0 {
		return m, 0
	}
	faces := append([][3]int32{}, m.Faces...)
	for _, f := range bad {
		faces[f][1], faces[f][2] = faces[f][2], faces[f][1]
	}
	return &mesh.Mesh{Positions: m.Positions, Faces: faces}, len(bad)
}
