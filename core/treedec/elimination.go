package treedec

import (
	"slices"

	"genussink/core/graph"
)

// elimination is a graph that loses vertices and gains edges. Its rows ascend
// and may name vertices that are gone until they are tidied, so that a vertex
// of a million neighbours can lose them one by one.
type elimination struct {
	rows   [][]int32
	degree []int32 // neighbours left
	gone   []bool
	simple []bool  // known to have a clique for neighbours, which stays so
	arcs   int     // the degrees together
	marked []bool  // all false between calls
	merged []int32 // scratch
}

func newElimination(g *graph.Graph) *elimination {
	n := g.Len()
	e := &elimination{rows: make([][]int32, n), degree: make([]int32, n), gone: make([]bool, n), simple: make([]bool, n), arcs: len(g.Targets), marked: make([]bool, n)}
	targets := slices.Clone(g.Targets)
	for v := range e.rows {
		lo, hi := g.Offsets[v], g.Offsets[v+1]
		e.rows[v], e.degree[v] = targets[lo:hi:hi], hi-lo
	}
	return e
}

// neighbours are those of v that are left, ascending; the slice is v's row.
func (e *elimination) neighbours(v int32) []int32 {
	row := e.rows[v]
	if len(row) > int(e.degree[v]) {
		row = slices.DeleteFunc(row, func(u int32) bool { return e.gone[u] })
		e.rows[v] = row
	}
	return row
}

// remove takes v out and returns the neighbours that it had. Rows that are
// half gone are tidied, which costs no more than what went.
func (e *elimination) remove(v int32) []int32 {
	around := e.neighbours(v)
	e.rows[v], e.gone[v] = nil, true
	e.arcs -= 2 * len(around)
	for _, u := range around {
		e.degree[u]--
		if len(e.rows[u]) > 2*int(e.degree[u]) {
			e.neighbours(u)
		}
	}
	return around
}

// eliminate removes v, joins its neighbours and returns them.
func (e *elimination) eliminate(v int32) []int32 {
	around := e.remove(v)
	if len(around) < 2 || e.simple[v] {
		return around
	}
	for _, u := range around {
		if len(e.rows[u]) <= 16*len(around) {
			e.merge(u, around)
			continue
		}
		for _, w := range around {
			if w != u {
				e.put(u, w)
			}
		}
	}
	for _, u := range around {
		if int(e.degree[u]) == len(around)-1 {
			e.simple[u] = true
		}
	}
	return around
}

// merge adds the vertices, but u itself, to the row of u.
func (e *elimination) merge(u int32, vertices []int32) {
	out := e.merged[:0]
	a, b := e.rows[u], vertices
	for len(a) > 0 && len(b) > 0 {
		switch w := b[0]; {
		case e.gone[a[0]]:
			a = a[1:]
		case a[0] < w:
			out, a = append(out, a[0]), a[1:]
		case a[0] == w:
			out, a, b = append(out, w), a[1:], b[1:]
		case w == u:
			b = b[1:]
		default:
			out, b = append(out, w), b[1:]
		}
	}
	for _, w := range a {
		if !e.gone[w] {
			out = append(out, w)
		}
	}
	for _, w := range b {
		if w != u {
			out = append(out, w)
		}
	}
	e.arcs += len(out) - int(e.degree[u])
	e.rows[u], e.degree[u] = append(e.rows[u][:0], out...), int32(len(out))
	e.merged = out
}

// put adds w to the row of u and reports whether it was missing.
func (e *elimination) put(u, w int32) bool {
	k, there := slices.BinarySearch(e.rows[u], w)
	if !there {
		e.rows[u] = slices.Insert(e.rows[u], k, w)
		e.degree[u]++
		e.arcs++
	}
	return !there
}

// fill is the number of edges missing between the neighbours of v.
func (e *elimination) fill(v int32) int {
	around := e.neighbours(v)
	for _, u := range around {
		e.marked[u] = true
	}
	there := 0
	for _, u := range around {
		if len(e.rows[u]) > 16*len(around) {
			there += common(around, e.rows[u])
			continue
		}
		for _, w := range e.rows[u] {
			if e.marked[w] {
				there++
			}
		}
	}
	for _, u := range around {
		e.marked[u] = false
	}
	return (len(around)*(len(around)-1) - there) / 2
}

// common counts what two ascending rows share. The first must not name
// vertices that are gone.
func common(a, b []int32) (count int) {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b) > 16*len(a) {
		for _, v := range a {
			k, there := slices.BinarySearch(b, v)
			if b = b[k:]; there {
				count++
			}
		}
		return count
	}
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			a = a[1:]
		case b[0] < a[0]:
			b = b[1:]
		default:
			count++
			a, b = a[1:], b[1:]
		}
	}
	return count
}

// fills keeps the fill of every vertex that is left, edge by edge.
type fills struct {
	*elimination
	fill    []int
	changed func(v int32) // called for every vertex whose fill may have changed
}

// eliminate removes v and joins its neighbours.
func (f *fills) eliminate(v int32) {
	around := f.remove(v)
	for _, u := range around {
		if f.fill[u] == 0 {
			continue
		}
		// The neighbours of u that v did not have were missing an edge to v.
		f.fill[u] -= int(f.degree[u]) - common(around, f.rows[u])
		f.changed(u)
	}
	if f.fill[v] > 0 {
		for i, a := range around {
			for _, b := range around[i+1:] {
				f.join(a, b)
			}
		}
	}
}

// join adds the edge between a and b if it is missing.
func (f *fills) join(a, b int32) {
	if int(f.degree[a]) > int(f.degree[b]) {
		a, b = b, a
	}
	if !f.put(a, b) {
		return
	}
	shared := 0
	both := func(c int32) {
		shared++
		f.fill[c]--
		f.changed(c)
	}
	row, other := f.neighbours(a), f.rows[b]
	if len(other) > 16*len(row) {
		for _, c := range row {
			k, there := slices.BinarySearch(other, c)
			if other = other[k:]; there {
				both(c)
			}
		}
	} else {
		for i, j := 0, 0; i < len(row) && j < len(other); {
			c, d := row[i], other[j]
			if c == d {
				both(c)
			}
			if c <= d {
				i++
			}
			if d <= c {
				j++
			}
		}
	}
	f.put(b, a)
	f.fill[a] += int(f.degree[a]) - 1 - shared
	f.fill[b] += int(f.degree[b]) - 1 - shared
}
