// Package random makes random input. Only tests use it.
package random

import "math/rand/v2"

// Triangulation is a random triangulation of the sphere with n >= 3 vertices: they are put into
// random faces, then random edges flipped where that makes no parallel edge.
func Triangulation(n, flips int, r *rand.Rand) [][3]int32 {
	faces := [][3]int32{{0, 1, 2}, {0, 2, 1}}
	for v := int32(3); int(v) < n; v++ {
		f := r.IntN(len(faces))
		t := faces[f]
		faces[f] = [3]int32{t[0], t[1], v}
		faces = append(faces, [3]int32{t[1], t[2], v}, [3]int32{t[2], t[0], v})
	}
	corner := make(map[[2]int32]int, 3*len(faces)) // half-edge to face
	for f, t := range faces {
		for c := range 3 {
			corner[[2]int32{t[c], t[(c+1)%3]}] = f
		}
	}
	for range flips {
		f, c := r.IntN(len(faces)), r.IntN(3)
		u, v, w := faces[f][c], faces[f][(c+1)%3], faces[f][(c+2)%3]
		other := corner[[2]int32{v, u}]
		x := faces[other][0] + faces[other][1] + faces[other][2] - u - v
		if _, there := corner[[2]int32{w, x}]; there || w == x {
			continue
		}
		delete(corner, [2]int32{u, v})
		delete(corner, [2]int32{v, u})
		faces[f], faces[other] = [3]int32{u, x, w}, [3]int32{x, v, w}
		for _, k := range []int{f, other} {
			for c := range 3 {
				corner[[2]int32{faces[k][c], faces[k][(c+1)%3]}] = k
			}
		}
	}
	return faces
}
