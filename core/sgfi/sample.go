package sgfi

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"genussink/core/separator"
	"genussink/core/shortest"
)

// Sample is how separators are thinned out: the paper's practical variant (the
// paper, Sec. 3.3) keeps log log n random vertices of each and deals the
// others to the children at random. A path from one side to the other must
// then lead through a vertex that was kept, so that distances are too long,
// the more the deeper the tree is, and never too short. The zero value is the
// paper's.
type Sample struct {
	Keep     int    // vertices to keep; 0: log log n, to base 2, rounded, of the whole graph
	Farthest bool   // keep vertices far apart from one another, not random ones
	Seed     uint64 // of all choices
}

// LogLog is log log n to base 2, rounded, and at least 1.
func LogLog(n int) int {
	return max(1, int(math.Round(math.Log2(max(1, math.Log2(float64(max(2, n))))))))
}

func (s *Sample) check(n int) error {
	if s.Keep < 0 {
		return fmt.Errorf("sgfi: a sample of %d vertices", s.Keep)
	}
	if s.Keep == 0 {
		s.Keep = LogLog(n)
	}
	return nil
}

// thin keeps some of a separator and deals the rest. The piece's path makes
// the choice independent of the order in which nodes are built.
func (s *Sample) thin(p piece, sep separator.Separation) separator.Separation {
	if len(sep.S) <= s.Keep {
		return sep
	}
	rng := rand.New(rand.NewPCG(s.Seed, p.path))
	rest := slices.Clone(sep.S)
	rng.Shuffle(len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
	if s.Farthest {
		spread(p, rest, s.Keep)
	}
	out := separator.Separation{A: slices.Clone(sep.A), S: slices.Clone(rest[:s.Keep]), B: slices.Clone(sep.B)}
	for _, v := range rest[s.Keep:] {
		if rng.IntN(2) == 0 {
			out.A = append(out.A, v)
		} else {
			out.B = append(out.B, v)
		}
	}
	for _, ids := range [][]int32{out.A, out.S, out.B} {
		slices.Sort(ids)
	}
	return out
}

// spread moves vertices that are far apart to the front of s: after the first
// each is the one farthest from those before it.
func spread(p piece, s []int32, keep int) {
	solver := shortest.NewSolver(p.g)
	near := make([]float64, len(s)) // from the front
	for i := range near {
		near[i] = math.Inf(1)
	}
	var d []float64
	for k := 1; k < keep; k++ {
		d = solver.Distances(d, s[k-1])
		far := k
		for i := k; i < len(s); i++ {
			near[i] = min(near[i], d[s[i]])
			if near[i] > near[far] {
				far = i
			}
		}
		s[k], s[far] = s[far], s[k]
		near[k], near[far] = near[far], near[k]
	}
}

// rejoin gives every component of a child that the dealing has cut off from
// the separator an edge to it, as long as the way there was: from its nearest vertex
// to the nearest separator vertex. dist are the distances of the side ids from the
// separator.
func (c *piece) rejoin(node *Node, ids []int32, dist []float64) {
	component, count := c.g.Components()
	if count == 1 {
		return
	}
	s := len(node.SepIDs)
	if s == 0 {
		return
	}
	held := make([]bool, count) // has a separator vertex
	position := func(v int32) int32 {
		at, _ := slices.BinarySearch(c.ids, v)
		return int32(at)
	}
	for _, v := range node.SepIDs {
		held[component[position(v)]] = true
	}
	bridges := make([]arc, count)
	for i := range bridges {
		bridges[i].weight = math.Inf(1)
	}
	for i, v := range ids {
		at := position(v)
		b := &bridges[component[at]]
		for k, d := range dist[i*s:][:s] {
			if d < b.weight {
				*b = arc{at, position(node.SepIDs[k]), d}
			}
		}
	}
	var extra []arc
	for i, b := range bridges {
		if !held[i] && b.weight < math.Inf(1) {
			extra = append(extra, b, arc{b.to, b.from, b.weight})
		}
	}
	slices.SortFunc(extra, func(a, b arc) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) })
	c.g = join(c.g, extra)
}
