package model

import (
	"math"
	"slices"
)

// Cut is what a reader has done by taking vertices away: the components that
// are left, dealt to two sides as evenly as they can be. A is the larger side.
type Cut struct {
	Removed []int
	Parts   [][]int
	Side    []int8 // of every vertex: 0 in A, 1 in S, 2 in B
	A, S, B int
}

// Separate takes vertices away.
func Separate(g *Graph, removed []int) Cut {
	c := Cut{Removed: removed, Parts: g.Components(removed), S: len(removed)}
	// Which sums of sizes can be had, and with which component last: the one next to half is the best.
	n := g.N - c.S
	with := make([]int, n+1)
	for i := range with {
		with[i] = -1
	}
	with[0] = len(c.Parts)
	for i, part := range c.Parts {
		for sum := n; sum >= len(part); sum-- {
			if with[sum] < 0 && with[sum-len(part)] >= 0 && with[sum-len(part)] != i {
				with[sum] = i
			}
		}
	}
	best := 0
	for sum := range with {
		if with[sum] >= 0 && abs(2*sum-n) < abs(2*best-n) {
			best = sum
		}
	}
	left := map[int]bool{}
	for sum := best; sum > 0; sum -= len(c.Parts[with[sum]]) {
		left[with[sum]] = true
	}
	if 2*best < n || 2*best == n && n > 0 && !left[0] { // A is the larger side; of equal ones that with the largest part
		for i := range c.Parts {
			left[i] = !left[i]
		}
	}
	return c.dealt(g.N, func(i int) bool { return left[i] })
}

// Deal puts the components on sides by hand: those that left holds on A.
func (c Cut) Deal(n int, left []bool) Cut {
	return c.dealt(n, func(i int) bool { return left[i] })
}

func (c Cut) dealt(n int, left func(int) bool) Cut {
	c.A, c.B, c.Side = 0, 0, make([]int8, n)
	for _, v := range c.Removed {
		c.Side[v] = 1
	}
	for i, part := range c.Parts {
		if left(i) {
			c.A += len(part)
			continue
		}
		c.B += len(part)
		for _, v := range part {
			c.Side[v] = 2
		}
	}
	return c
}

// Largest is how many vertices the largest component has.
func (c Cut) Largest() int {
	if len(c.Parts) == 0 {
		return 0
	}
	return len(c.Parts[0])
}

// Balance is the smaller side's share of all vertices.
func (c Cut) Balance() float64 {
	return float64(min(c.A, c.B)) / float64(max(c.A+c.S+c.B, 1))
}

// Fair says whether no side holds more than two thirds of the vertices, and neither is empty.
func (c Cut) Fair() bool { return c.A > 0 && c.B > 0 && 3*max(c.A, c.B) <= 2*(c.A+c.S+c.B) }

// Members lists the vertices of A (0), S (1) or B (2).
func (c Cut) Members(side int8) (out []int) {
	for v, s := range c.Side {
		if s == side {
			out = append(out, v)
		}
	}
	return out
}

func abs(x int) int { return max(x, -x) }

// Via is how far two vertices are apart through each vertex of a separator,
// and the place of the least; where no vertex joins them the least is -1.
func Via(g *Graph, separator []int, i, j int) (through []float64, least int) {
	di, dj := g.Distances(i, nil), g.Distances(j, nil)
	least = -1
	best := math.Inf(1)
	for k, s := range separator {
		through = append(through, di[s]+dj[s])
		if through[k] < best {
			best, least = through[k], k
		}
	}
	return through, least
}

// Shortcut is an edge between two separator vertices that G^S[A+S] has and the
// induced graph has not, or longer (the paper, Sec. 3.1.2).
type Shortcut struct {
	S, T         int
	Length       float64 // in the whole graph
	Inside       float64 // without leaving the side; +Inf where no path leads
	From, To     int     // two vertices of the side that need it most
	Detour, True float64 // how far these are apart inside, and in truth
}

// Needed says whether two vertices of the side are farther apart inside it than in the whole graph, for want of the shortcut.
func (x Shortcut) Needed() bool { return x.Detour > x.True }

// Shortcuts are those of a side, 0 for A or 2 for B, by separator vertices.
func Shortcuts(g *Graph, c Cut, side int8) (out []Shortcut) {
	allowed := make([]bool, g.N)
	for v, s := range c.Side {
		allowed[v] = s == side || s == 1
	}
	full, inside := make([][]float64, g.N), make([][]float64, g.N)
	for v := range allowed {
		if allowed[v] {
			full[v], inside[v] = g.Distances(v, nil), g.Distances(v, allowed)
		}
	}
	removed := append([]int(nil), c.Removed...)
	slices.Sort(removed)
	for i, s := range removed {
		for _, t := range removed[i+1:] {
			if !(full[s][t] < inside[s][t]) {
				continue
			}
			x := Shortcut{S: s, T: t, Length: full[s][t], Inside: inside[s][t]}
			for v := range allowed {
				for w := range v {
					if allowed[v] && allowed[w] && c.Side[v] == side && c.Side[w] == side {
						short := min(full[v][s]+full[s][t]+full[t][w], full[v][t]+full[s][t]+full[s][w])
						if short == full[v][w] && inside[v][w]-full[v][w] > x.Detour-x.True {
							x.From, x.To, x.Detour, x.True = w, v, inside[v][w], full[v][w]
						}
					}
				}
			}
			out = append(out, x)
		}
	}
	return out
}
