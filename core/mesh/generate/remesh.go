package generate

import (
	"cmp"
	"math"
	"runtime"
	"slices"
	"sync"

	"genussink/core/mesh"
)

// remesher makes the triangles of a closed manifold mesh nearly equilateral
// and of one size, in the manner of Botsch and Kobbelt (Symposium on Geometry
// Processing, 2004): split long edges, collapse short ones, flip towards six
// neighbours each, move vertices along the surface. Every step that would end
// the mesh being a closed manifold is left out.
type remesher struct {
	field     Field
	edge      float64 // the length wanted
	positions []Vec
	faces     [][3]int32 // a face that is gone is {-1, -1, -1}
	around    [][]int32  // vertex -> its faces; none once the vertex is gone
}

func (r *remesher) index() {
	r.around = make([][]int32, len(r.positions))
	for f, t := range r.faces {
		for _, v := range t {
			r.around[v] = append(r.around[v], int32(f))
		}
	}
}

// edges lists every edge once, with its length as of now.
func (r *remesher) edges() (list [][2]int32, lengths []float64) {
	for _, t := range r.faces {
		for c := range 3 {
			if u, v := t[c], t[(c+1)%3]; u < v { // its other face has it the other way round
				list = append(list, [2]int32{u, v})
				lengths = append(lengths, r.distance(u, v))
			}
		}
	}
	return list, lengths
}

func (r *remesher) distance(u, v int32) float64 { return norm(sub(r.positions[u], r.positions[v])) }

// sides returns the face that runs from u to v and the one from v to u, and
// the third vertex of each; ok is false when there is no such edge any more.
func (r *remesher) sides(u, v int32) (f, g, a, b int32, ok bool) {
	f, g = -1, -1
	for _, h := range r.around[u] {
		t := r.faces[h]
		for c := range 3 {
			if t[c] != u {
				continue
			}
			if t[(c+1)%3] == v {
				f, a = h, t[(c+2)%3]
			} else if t[(c+2)%3] == v {
				g, b = h, t[(c+1)%3]
			}
		}
	}
	return f, g, a, b, f >= 0 && g >= 0
}

func (r *remesher) replaceVertex(f, old, now int32) {
	for c := range 3 {
		if r.faces[f][c] == old {
			r.faces[f][c] = now
		}
	}
}

func (r *remesher) leave(v, f int32) {
	if i := slices.Index(r.around[v], f); i >= 0 {
		r.around[v] = slices.Delete(r.around[v], i, i+1)
	}
}

// split halves the edges that are too long, the longest first.
func (r *remesher) split() {
	list, lengths := r.edges()
	order := make([]int, 0, len(list)/8)
	for i, d := range lengths {
		if d > 4.0/3*r.edge {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(lengths[j], lengths[i]) })
	for _, i := range order {
		u, v := list[i][0], list[i][1]
		f, g, a, b, ok := r.sides(u, v)
		if !ok {
			continue
		}
		m := int32(len(r.positions))
		r.positions = append(r.positions, lerp(r.positions[u], r.positions[v], 0.5))
		f2, g2 := int32(len(r.faces)), int32(len(r.faces)+1)
		r.faces = append(r.faces, [3]int32{m, v, a}, [3]int32{v, m, b})
		r.replaceVertex(f, v, m)
		r.replaceVertex(g, v, m)
		r.leave(v, f)
		r.leave(v, g)
		r.around[v] = append(r.around[v], f2, g2)
		r.around[a] = append(r.around[a], f2)
		r.around[b] = append(r.around[b], g2)
		r.around = append(r.around, []int32{f, f2, g, g2})
	}
}

// collapse merges the ends of edges that are too short, the shortest first.
func (r *remesher) collapse() {
	list, lengths := r.edges()
	order := make([]int, 0, len(list)/8)
	for i, d := range lengths {
		if d < 4.0/5*r.edge {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(lengths[i], lengths[j]) })
	for _, i := range order {
		u, v := list[i][0], list[i][1]
		f, g, a, b, ok := r.sides(u, v)
		if !ok || r.distance(u, v) >= 4.0/5*r.edge || len(r.around[a]) < 4 || len(r.around[b]) < 4 || r.common(u, v) != 2 {
			continue
		}
		middle := lerp(r.positions[u], r.positions[v], 0.5)
		if !r.mayMove(u, v, middle) || !r.mayMove(v, u, middle) {
			continue
		}
		for _, h := range [2]int32{f, g} {
			for _, w := range r.faces[h] {
				r.leave(w, h)
			}
			r.faces[h] = [3]int32{-1, -1, -1}
		}
		for _, h := range r.around[v] {
			r.replaceVertex(h, v, u)
		}
		r.around[u] = append(r.around[u], r.around[v]...)
		r.around[v] = nil
		r.positions[u] = middle
	}
}

// common counts the vertices that both ends of an edge are joined to. Two of
// them (the link condition) mean that merging the ends keeps the surface.
func (r *remesher) common(u, v int32) (n int) {
	for _, f := range r.around[u] {
		for c, w := range r.faces[f] {
			// each neighbour w of u once: the one that follows u in f
			if w == u {
				if x := r.faces[f][(c+1)%3]; x != v && r.joined(x, v) {
					n++
				}
			}
		}
	}
	return n
}

func (r *remesher) joined(u, v int32) bool {
	return slices.ContainsFunc(r.around[u], func(f int32) bool { return slices.Contains(r.faces[f][:], v) })
}

// mayMove reports whether the faces of u, but for those with v, neither turn
// over nor get too long an edge when u moves to p.
func (r *remesher) mayMove(u, v int32, p Vec) bool {
	for _, f := range r.around[u] {
		t := r.faces[f]
		if slices.Contains(t[:], v) {
			continue
		}
		before := r.normal(t)
		var q [3]Vec
		for c, w := range t {
			q[c] = r.positions[w]
			if w == u {
				q[c] = p
			} else if norm(sub(q[c], p)) > 4.0/3*r.edge {
				return false
			}
		}
		after := cross(sub(q[1], q[0]), sub(q[2], q[0]))
		if dot(before, after) <= 0.3*norm(before)*norm(after) {
			return false
		}
	}
	return true
}

// normal is a face's normal, as long as twice its area.
func (r *remesher) normal(t [3]int32) Vec {
	p := r.positions[t[0]]
	return cross(sub(r.positions[t[1]], p), sub(r.positions[t[2]], p))
}

// flip turns the edges whose turning brings the four vertices concerned nearer
// to six neighbours.
func (r *remesher) flip() {
	list, _ := r.edges()
	off := func(v int32, change int) int {
		d := len(r.around[v]) + change - 6
		return d * d
	}
	for _, e := range list {
		u, v := e[0], e[1]
		f, g, a, b, ok := r.sides(u, v)
		if !ok || a == b || len(r.around[u]) < 4 || len(r.around[v]) < 4 || r.joined(a, b) {
			continue
		}
		if off(u, -1)+off(v, -1)+off(a, 1)+off(b, 1) >= off(u, 0)+off(v, 0)+off(a, 0)+off(b, 0) {
			continue
		}
		n := unit(add(r.normal(r.faces[f]), r.normal(r.faces[g])))
		first, second := [3]int32{a, u, b}, [3]int32{b, v, a}
		if dot(unit(r.normal(first)), n) < 0.6 || dot(unit(r.normal(second)), n) < 0.6 {
			continue
		}
		r.faces[f], r.faces[g] = first, second
		r.leave(v, f)
		r.leave(u, g)
		r.around[a] = append(r.around[a], g)
		r.around[b] = append(r.around[b], f)
	}
}

// relax moves every vertex along the surface towards the middle of its
// neighbours and back onto the surface, which new vertices have yet to reach.
func (r *remesher) relax() {
	moved := make([]Vec, len(r.positions))
	parallel(len(moved), func(v int) {
		fs := r.around[v]
		if len(fs) == 0 {
			return
		}
		var middle, n Vec
		for _, f := range fs {
			t := r.faces[f]
			n = add(n, r.normal(t))
			c := slices.Index(t[:], int32(v))
			middle = add(middle, r.positions[t[(c+1)%3]])
		}
		d := sub(scale(1/float64(len(fs)), middle), r.positions[v])
		n = unit(n)
		d = sub(d, scale(dot(d, n), n))
		moved[v] = r.project(add(r.positions[v], scale(0.6, d)))
	})
	r.positions = moved
}

// settle takes every vertex onto the surface.
func (r *remesher) settle() {
	parallel(len(r.positions), func(v int) {
		if len(r.around[v]) > 0 {
			r.positions[v] = r.project(r.positions[v])
		}
	})
}

// parallel calls do with 0 to n-1 from as many goroutines as there are
// processors.
func parallel(n int, do func(i int)) {
	workers := runtime.GOMAXPROCS(0)
	if workers == 1 || n < 256 {
		for i := range n {
			do(i)
		}
		return
	}
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() {
			for i := w * n / workers; i < (w+1)*n/workers; i++ {
				do(i)
			}
		})
	}
	all.Wait()
}

// project takes a point near the surface onto it by one of Newton's steps, no
// longer than half an edge.
func (r *remesher) project(p Vec) Vec {
	h := r.edge / 1000
	value := r.field(p)
	var g Vec
	for c := range 3 {
		q := p
		q[c] += h
		g[c] = (r.field(q) - value) / h
	}
	g2 := dot(g, g)
	if !(g2 > 1e-12) || math.IsInf(g2, 1) {
		return p
	}
	limit := r.edge / 2 / math.Sqrt(g2)
	return sub(p, scale(min(max(value/g2, -limit), limit), g))
}

// mesh leaves out what is gone.
func (r *remesher) mesh() (*mesh.Mesh, error) {
	number := make([]int32, len(r.positions))
	var positions [][3]float64
	var faces [][3]int32
	for v, fs := range r.around {
		if len(fs) > 0 {
			number[v] = int32(len(positions))
			positions = append(positions, r.positions[v])
		}
	}
	for _, t := range r.faces {
		if t[0] >= 0 {
			faces = append(faces, [3]int32{number[t[0]], number[t[1]], number[t[2]]})
		}
	}
	return mesh.New(positions, faces)
}
