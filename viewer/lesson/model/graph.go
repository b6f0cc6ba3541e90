// Package model computes what lessons show of small graphs: what a reader has
// cut, eliminated or put into bags, and Sinkhorn's iteration step by step. It
// is plain and slow, for some hundred vertices; what is hard to find, such as a
// smallest separator, the engine finds.
package model

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
)

// Graph is an undirected graph that a lesson shows. Edges have length 1.
type Graph struct {
	Name   string
	N      int
	Edges  [][2]int     // the smaller vertex first, each once
	Places [][2]float64 // nil: for the figure to choose
	Names  []string     // of the vertices; nil: numbers from 1
	Of     []int32      // of a patch: the number of every vertex in the whole graph
	Around int32        // of a patch: the number in the whole graph of the vertex that it lies around
}

// VertexName is what a vertex is called.
func (g *Graph) VertexName(v int) string {
	if v >= 0 && v < len(g.Names) {
		return g.Names[v]
	}
	return fmt.Sprint(v + 1)
}

// List names several vertices.
func (g *Graph) List(vertices []int) string {
	words := make([]string, len(vertices))
	for i, v := range vertices {
		words[i] = g.VertexName(v)
	}
	return strings.Join(words, ", ")
}

// Neighbours lists those of every vertex, ascending.
func (g *Graph) Neighbours() [][]int {
	degrees := make([]int, g.N)
	for _, e := range g.Edges {
		degrees[e[0]]++
		degrees[e[1]]++
	}
	next, all := make([][]int, g.N), make([]int, 2*len(g.Edges))
	for v, d := range degrees {
		next[v], all = all[:0:d], all[d:]
	}
	for _, e := range g.Edges {
		next[e[0]], next[e[1]] = append(next[e[0]], e[1]), append(next[e[1]], e[0])
	}
	for v := range next {
		slices.Sort(next[v])
	}
	return next
}

// PACE is the graph as a .gr file of the PACE challenge, which the engine opens.
func (g *Graph) PACE() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "p tw %d %d\n", g.N, len(g.Edges))
	for _, e := range g.Edges {
		fmt.Fprintf(&b, "%d %d\n", e[0]+1, e[1]+1)
	}
	return []byte(b.String())
}

// join adds an edge once.
func (g *Graph) join(u, v int) {
	if e := [2]int{min(u, v), max(u, v)}; u != v && !slices.Contains(g.Edges, e) {
		g.Edges = append(g.Edges, e)
	}
}

// letters names vertices A, B, C, ...
func letters(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = string(rune('A' + i))
	}
	return out
}

// Seven is a planar graph of seven vertices in which B, C and D leave two
// pieces, as in the paper's first figure. The paper's file has no picture: its
// caption says no more than that.
func Seven() *Graph {
	g := &Graph{Name: "seven vertices", N: 7, Names: letters(7),
		Places: [][2]float64{{0, 1}, {1.1, 0.15}, {1.2, 1.9}, {2.2, 0.8}, {3.1, 1.75}, {2.5, 2.9}, {4.1, 0.95}}}
	for _, e := range []string{"AB", "AC", "BC", "BD", "CD", "CE", "DE", "CF", "EF", "DG", "EG"} {
		g.join(int(e[0]-'A'), int(e[1]-'A'))
	}
	return g
}

// Grid has k rows of l vertices.
func Grid(k, l int) *Graph {
	g := &Graph{Name: fmt.Sprintf("%d x %d grid", k, l), N: k * l}
	for i := range k {
		for j := range l {
			v := i*l + j
			g.Places = append(g.Places, [2]float64{float64(j), float64(i)})
			if j+1 < l {
				g.Edges = append(g.Edges, [2]int{v, v + 1})
			}
			if i+1 < k {
				g.Edges = append(g.Edges, [2]int{v, v + l})
			}
		}
	}
	return g
}

// Torus is the k x k grid with opposite ends joined, k at least 3: it lies on a surface of genus 1.
func Torus(k int) *Graph {
	g := Grid(k, k)
	g.Name = fmt.Sprintf("%d x %d torus", k, k)
	for i := range k {
		g.join(i*k, i*k+k-1)
		g.join(i, (k-1)*k+i)
	}
	return g
}

// Vase is two grids, one larger than the other, with a neck between them that widens from one vertex to three: the more
// even a cut is to be, the more vertices it takes.
func Vase() *Graph {
	g := &Graph{Name: "dumbbell whose neck widens"}
	// The lowest and highest row of every column.
	var columns [][2]int
	for _, part := range []struct{ many, lo, hi int }{{4, 1, 4}, {2, 2, 2}, {4, 2, 3}, {3, 1, 3}, {6, 0, 4}} {
		for range part.many {
			columns = append(columns, [2]int{part.lo, part.hi})
		}
	}
	at := map[[2]int]int{}
	for x, c := range columns {
		for y := c[0]; y <= c[1]; y++ {
			at[[2]int{x, y}] = g.N
			if left, ok := at[[2]int{x - 1, y}]; ok {
				g.join(left, g.N)
			}
			if up, ok := at[[2]int{x, y - 1}]; ok {
				g.join(up, g.N)
			}
			g.N++
			g.Places = append(g.Places, [2]float64{float64(x), float64(y)})
		}
	}
	return g
}

// Path has n vertices in a row.
func Path(n int) *Graph {
	g := Grid(1, n)
	g.Name = fmt.Sprintf("path of %d", n)
	return g
}

// Cycle has n vertices in a ring; two have one edge, and one has none.
func Cycle(n int) *Graph {
	g := &Graph{Name: fmt.Sprintf("cycle of %d", n), N: n}
	for v := range n {
		g.join(v, (v+1)%n)
		a := 2 * math.Pi * float64(v) / float64(n)
		g.Places = append(g.Places, [2]float64{math.Sin(a), -math.Cos(a)})
	}
	return g
}

// Tree is a tree of n vertices, each with up to two below it.
func Tree(n int) *Graph {
	g := &Graph{Name: fmt.Sprintf("tree of %d", n), N: n}
	for v := 1; v < n; v++ {
		g.join((v-1)/2, v)
	}
	return g
}

// Clique has n vertices, each joined with each.
func Clique(n int) *Graph {
	g := Cycle(n)
	g.Name = fmt.Sprintf("clique of %d", n)
	for v := range n {
		for u := range v {
			g.join(u, v)
		}
	}
	return g
}

// Planar is a connected planar graph: a k x l grid with diagonals here and there, and some edges less.
func Planar(k, l int, seed uint64) *Graph {
	r := rand.New(rand.NewPCG(seed, 21))
	g := Grid(k, l)
	g.Name = fmt.Sprintf("planar graph %d", seed)
	for i := range k - 1 {
		for j := range l - 1 {
			v := i*l + j
			switch r.IntN(4) {
			case 0:
				g.join(v, v+l+1)
			case 1:
				g.join(v+1, v+l)
			}
		}
	}
	for range k * l / 5 {
		i := r.IntN(len(g.Edges))
		less := &Graph{N: g.N, Edges: slices.Delete(slices.Clone(g.Edges), i, i+1)}
		if len(less.Components(nil)) == 1 {
			g.Edges = less.Edges
		}
	}
	return g
}

// Components lists the connected components that are left without some
// vertices: the largest first, of equal ones that with the smallest vertex.
func (g *Graph) Components(without []int) [][]int {
	next := g.Neighbours()
	seen := make([]bool, g.N)
	for _, v := range without {
		seen[v] = true
	}
	var out [][]int
	for s := range g.N {
		if seen[s] {
			continue
		}
		seen[s] = true
		part := []int{s}
		for i := 0; i < len(part); i++ {
			for _, w := range next[part[i]] {
				if !seen[w] {
					seen[w] = true
					part = append(part, w)
				}
			}
		}
		slices.Sort(part)
		out = append(out, part)
		for i := len(out) - 1; i > 0 && len(out[i-1]) < len(part); i-- { // the larger first
			out[i-1], out[i] = part, out[i-1]
		}
	}
	return out
}

// Distances is the number of edges from a vertex to all, through vertices that allowed holds; nil allows all. It is +Inf
// where no path leads.
func (g *Graph) Distances(from int, allowed []bool) []float64 {
	next := g.Neighbours()
	d := make([]float64, g.N)
	for v := range d {
		d[v] = math.Inf(1)
	}
	d[from] = 0
	for queue := []int{from}; len(queue) > 0; queue = queue[1:] {
		for _, w := range next[queue[0]] {
			if math.IsInf(d[w], 1) && (allowed == nil || allowed[w]) {
				d[w] = d[queue[0]] + 1
				queue = append(queue, w)
			}
		}
	}
	return d
}

// Route is a shortest path between two vertices, both included; nil where there is none.
func (g *Graph) Route(from, to int) []int {
	d := g.Distances(to, nil)
	if math.IsInf(d[from], 1) {
		return nil
	}
	next, path := g.Neighbours(), []int{from}
	for v := from; v != to; {
		i := slices.IndexFunc(next[v], func(w int) bool { return d[w] == d[v]-1 })
		v = next[v][i]
		path = append(path, v)
	}
	return path
}

// TwoTree begins with a triangle and joins every further vertex to both ends of an edge: its treewidth is 2.
func TwoTree(n int, seed uint64) *Graph {
	r := rand.New(rand.NewPCG(seed, 22))
	g := &Graph{Name: fmt.Sprintf("2-tree %d", seed), N: n}
	g.join(0, 1)
	for v := 2; v < n; v++ {
		e := g.Edges[r.IntN(len(g.Edges))]
		g.join(e[0], v)
		g.join(e[1], v)
	}
	return g
}

// Lettered is the graph with vertices A, B, C, ...; of more than 26 they stay numbers.
func (g *Graph) Lettered() *Graph {
	if g.N <= 26 {
		g.Names = letters(g.N)
	}
	return g
}

// Patch is the part of a graph around a vertex: the vertices that a breadth-first search meets first, at most so many, with
// the edges among them. The neighbours of vertex v are targets[offsets[v]:offsets[v+1]]. Of says which each vertex is in the
// whole graph.
func Patch(offsets, targets []int32, around int32, most int) *Graph {
	g, at := &Graph{Of: []int32{around}, Around: around}, map[int32]int{around: 0}
	for v := 0; v < len(g.Of); v++ {
		x := g.Of[v]
		for _, y := range targets[offsets[x]:offsets[x+1]] {
			if _, met := at[y]; !met && len(g.Of) < most {
				at[y] = len(g.Of)
				g.Of = append(g.Of, y)
			}
			if w, in := at[y]; in && w < v {
				g.Edges = append(g.Edges, [2]int{w, v})
			}
		}
	}
	g.N = len(g.Of)
	return g.Lettered()
}

// Along is the same graph with other numbers. Two searches find a long shortest path: the first finds a vertex far from vertex 0, the
// second starts there. Vertices are numbered by their distance from that start.
func (g *Graph) Along() *Graph {
	d := g.Distances(0, nil)
	d = g.Distances(slices.Index(d, slices.Max(d)), nil)
	order := make([]int, g.N)
	for v := range order {
		order[v] = v
	}
	slices.SortStableFunc(order, func(u, v int) int { return cmp.Compare(d[u], d[v]) })
	at := make([]int, g.N)
	out := &Graph{Name: g.Name, N: g.N, Around: g.Around}
	for k, v := range order {
		at[v] = k
		if g.Of != nil {
			out.Of = append(out.Of, g.Of[v])
		}
		if g.Places != nil {
			out.Places = append(out.Places, g.Places[v])
		}
	}
	for _, e := range g.Edges {
		u, v := at[e[0]], at[e[1]]
		out.Edges = append(out.Edges, [2]int{min(u, v), max(u, v)})
	}
	return out.Lettered()
}
