package treehost

import (
	"cmp"
	"context"
	"slices"

	"genussink/core/graph"
	"genussink/core/shortest"
)

// leafSize is the number of vertices up to which a cell is not separated: the
// portals of its separators would be hardly fewer.
const leafSize = 16

// nested separates the tree of bags at one of them, the trees that are left
// again, and so on. Every vertex is joined to the portals on the separators of
// all cells that hold it.
type nested struct {
	g         *graph.Graph
	b         *bags
	radius    float64 // within which a separator's vertex has a portal
	solver    *shortest.Solver
	residents [][]int32 // of a bag: the vertices at home there
	placed    []bool    // of a vertex: it is in a separator
	dead      []bool    // of a bag: it was a separator
	turn      []int32   // of a vertex in a separator: how many were placed before it
	turns     int32     // placed so far
	near      []float64 // of a vertex in a separator: the distance of the nearest portal
	inChain   []int32   // of a portal: the last separation below it

	separations int32
	pieces      []piece
	portal      []bool
	tolerance   float64 // the largest of near
}

// a cell is the tree of bags that hangs together with one of them.
type cell struct {
	bag, parent int32   // parent is the piece of the separator above
	chain       []int32 // the portals of all separators above
}

func nest(ctx context.Context, g *graph.Graph, b *bags, distortion float64, report func(float64)) (*nested, error) {
	n := g.Len()
	s := &nested{
		g: g, b: b, radius: distortion / 2, solver: shortest.NewSolver(g), residents: make([][]int32, len(b.corners)),
		placed: make([]bool, n), dead: make([]bool, len(b.corners)), turn: make([]int32, n), near: make([]float64, n), inChain: make([]int32, n),
		portal: make([]bool, n),
	}
	for v, home := range b.home {
		s.residents[home] = append(s.residents[home], int32(v))
		s.near[v] = inf
	}
	var top [][]int32
	far := slices.Clone(b.top)
	slices.SortStableFunc(far, func(u, v int32) int { return cmp.Compare(b.dist[v], b.dist[u]) })
	for _, v := range far {
		top = append(top, s.climb(v))
	}
	chain, parent := s.separate(top, nil, none)

	var todo []cell
	var walk []visit
	seen := make([]bool, len(b.corners))
	for i := range b.corners {
		if !seen[i] {
			todo = append(todo, cell{int32(i), parent, chain})
			walk = s.walk(walk[:0], int32(i))
			for _, at := range walk {
				seen[at.bag] = true
			}
		}
	}
	done := len(b.top)
	for len(todo) > 0 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		report(float64(done) / float64(n))
		r := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		walk = s.walk(walk[:0], r.bag)
		bag, total := s.centroid(walk)
		if total <= leafSize {
			s.leaf(walk, r)
			done += total
			continue
		}
		var own [][]int32
		if b.closed {
			for _, v := range b.corners[bag] {
				own = append(own, s.climb(v))
			}
		} else {
			own = [][]int32{slices.DeleteFunc(slices.Clone(b.corners[bag]), func(v int32) bool { return s.placed[v] })}
			for _, v := range own[0] {
				s.place(v)
			}
		}
		for _, path := range own {
			done += len(path)
		}
		s.dead[bag] = true
		chain, parent := s.separate(own, r.chain, r.parent)
		for _, j := range b.links[bag] {
			if !s.dead[j] {
				todo = append(todo, cell{j, parent, chain})
			}
		}
	}
	return s, nil
}

func (s *nested) place(v int32) {
	s.placed[v], s.turn[v] = true, s.turns
	s.turns++
}

// climb places what is not placed yet of the tree path to v, from v up.
func (s *nested) climb(v int32) (path []int32) {
	for ; v != none && !s.placed[v]; v = s.b.parent[v] {
		s.place(v)
		path = append(path, v)
	}
	return path
}

// a visit is to a bag from another, by its position in the walk.
type visit struct {
	bag, from int32
	weight    int // unplaced vertices at home in the bag, and then below it too
	heavy     int // the heaviest subtree below
}

// walk visits the bags of a cell, parents before children.
func (s *nested) walk(walk []visit, bag int32) []visit {
	walk = append(walk, visit{bag: bag, from: none})
	for i := 0; i < len(walk); i++ {
		for _, v := range s.residents[walk[i].bag] {
			if !s.placed[v] {
				walk[i].weight++
			}
		}
		before := none
		if walk[i].from != none {
			before = walk[walk[i].from].bag
		}
		for _, j := range s.b.links[walk[i].bag] {
			if j != before && !s.dead[j] {
				walk = append(walk, visit{bag: j, from: int32(i)})
			}
		}
	}
	return walk
}

// centroid is the bag of which no subtree has more than half the vertices.
func (s *nested) centroid(walk []visit) (bag int32, total int) {
	for i := len(walk) - 1; i > 0; i-- {
		up := &walk[walk[i].from]
		up.weight += walk[i].weight
		up.heavy = max(up.heavy, walk[i].weight)
	}
	total = walk[0].weight
	best := total + 1
	for _, at := range walk {
		if worst := max(at.heavy, total-at.weight); worst < best {
			bag, best = at.bag, worst
		}
	}
	return bag, total
}

// separate covers the paths of a separator, placed just now, by portals. It
// returns the portals that vertices below it see, and the piece that holds them.
func (s *nested) separate(paths [][]int32, chain []int32, parent int32) ([]int32, int32) {
	first := s.turns // turn of the separator's first vertex
	for _, path := range paths {
		first -= int32(len(path))
	}
	s.separations++
	for _, q := range chain {
		s.inChain[q] = s.separations
	}
	var portals []int32
	last := first // turn of the path's last vertex, plus one
	for _, path := range paths {
		last += int32(len(path))
		for _, x := range path {
			if s.near[x] < inf {
				continue
			}
			ball, dist := s.solver.Within(s.radius, x)
			if k := slices.IndexFunc(ball, func(q int32) bool { return s.inChain[q] == s.separations }); k >= 0 {
				s.near[x] = dist[ball[k]]
				continue
			}
			// The farthest portal that covers x covers most of what comes after it.
			p := x
			for _, v := range slices.Backward(ball) {
				if s.placed[v] && s.turn[x] <= s.turn[v] && s.turn[v] < last {
					p = v
					break
				}
			}
			s.near[x] = dist[p]
			s.portal[p] = true
			portals = append(portals, p)
			ball, dist = s.solver.Within(s.radius, p)
			for _, v := range ball {
				if s.placed[v] && s.turn[v] >= first {
					s.near[v] = min(s.near[v], dist[v])
				}
			}
		}
	}
	if len(portals) > 0 {
		s.pieces = append(s.pieces, piece{parent, portals, chain})
		parent = int32(len(s.pieces)) - 1
		chain = slices.Concat(chain, portals)
	}
	for _, path := range paths {
		for _, v := range path {
			s.tolerance = max(s.tolerance, s.near[v])
			if !s.portal[v] {
				s.pieces = append(s.pieces, piece{parent, []int32{v}, chain})
			}
		}
	}
	return chain, parent
}

// leaf makes a piece of the vertices of a cell.
func (s *nested) leaf(walk []visit, r cell) {
	var members []int32
	for _, at := range walk {
		for _, v := range s.residents[at.bag] {
			if !s.placed[v] {
				members = append(members, v)
			}
		}
	}
	if len(members) > 0 {
		s.pieces = append(s.pieces, piece{r.parent, members, r.chain})
	}
}
