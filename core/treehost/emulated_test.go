package treehost

import (
	"math"
	"math/rand/v2"
	"testing"
)

// trees are rooted trees, parents before children.
func trees(n int) map[string]tree {
	r := rand.New(rand.NewPCG(1, 9))
	make_ := func(up func(i int) int) tree {
		t := tree{make([]int32, n), make([]int32, n)}
		for i := range n {
			t.nodes[i], t.up[i] = int32(i), none
			if i > 0 {
				t.up[i] = int32(up(i))
			}
		}
		return t
	}
	return map[string]tree{
		"path":   make_(func(i int) int { return i - 1 }),
		"star":   make_(func(int) int { return 0 }),
		"binary": make_(func(i int) int { return (i - 1) / 2 }),
		"random": make_(func(i int) int { return r.IntN(i) }),
		"comb":   make_(func(i int) int { return max(0, i-2+i%2) }),
	}
}

// TestCut: the promises that the bounds rest on.
func TestCut(t *testing.T) {
	for _, n := range []int{4, 5, 17, 100, 5000} {
		for name, tr := range trees(n) {
			chosen := tr.cut()
			count := 0
			size, beside := make([]int, n), make([]int, n) // of the component, by its root's position
			top := make([]int32, n)
			for i := range int32(n) {
				up := tr.up[i]
				switch {
				case chosen[i]:
					count++
					if i > 0 && !chosen[up] {
						beside[top[up]]++
					}
				case i == 0:
					top[i] = i
					size[i]++
				case chosen[up]:
					top[i] = i
					size[i]++
					beside[i]++
				default:
					top[i] = top[up]
					size[top[i]]++
				}
			}
			root := math.Sqrt(float64(n))
			if float64(count) > 2*root-1 || count == 0 {
				t.Errorf("%s of %d: %d nodes chosen", name, n, count)
			}
			for i := range n {
				if float64(size[i]) > root || beside[i] > 2 {
					t.Errorf("%s of %d: a component of %d nodes beside %d chosen ones", name, n, size[i], beside[i])
				}
			}
		}
	}
}

// levels is how often n can be replaced by 2 sqrt(n)-1 until it is at most 3.
func levels(n int) (count int) {
	for ; n > skeletonSize; count++ {
		n = int(2*math.Sqrt(float64(n))) - 1
	}
	return count
}

// TestEmulator: hops and sizes of cliques are O(log log n), and hops run along
// the tree path: every two nodes of a skeleton are joined by at most so many
// that lie between them, in order.
func TestEmulator(t *testing.T) {
	for _, n := range []int{1, 2, 3, 4, 10, 60, 1000, 100_000} {
		for name, tr := range trees(n) {
			e := &emulator{clique: make([]int32, n)}
			hops, err := e.emulate(t.Context(), tr, nil, none, true)
			if err != nil {
				t.Fatal(err)
			}
			bound := 2 * levels(n)
			if hops > bound {
				t.Errorf("%s of %d: %d hops, 2 log log is %d", name, n, hops, bound)
			}
			for i, c := range e.cliques {
				if len(c.members)+len(c.anchors) > skeletonSize+bound {
					t.Fatalf("%s of %d: a clique of %d and %d nodes, 2 log log is %d", name, n, len(c.members), len(c.anchors), bound)
				}
				if c.parent >= int32(i) {
					t.Fatalf("%s of %d: clique %d hangs on %d", name, n, i, c.parent)
				}
			}
			if n > 100 {
				continue
			}
			joined := make([][]bool, n)
			for i := range joined {
				joined[i] = make([]bool, n)
			}
			for _, c := range e.cliques {
				for _, u := range c.members {
					for _, v := range append(c.members, c.anchors...) {
						joined[u][v], joined[v][u] = true, true
					}
				}
			}
			for u := range int32(n) {
				for v := range u {
					if steps := shortcut(joined, pathBetween(tr, u, v)); steps-1 > hops {
						t.Fatalf("%s of %d: %d nodes between %d and %d, promised %d", name, n, steps-1, u, v, hops)
					}
				}
			}
		}
	}
}

func pathBetween(t tree, u, v int32) (path []int32) {
	var back []int32
	for u != v { // parents have smaller numbers
		if u > v {
			path = append(path, u)
			u = t.up[u]
		} else {
			back = append(back, v)
			v = t.up[v]
		}
	}
	path = append(path, u)
	for i := len(back) - 1; i >= 0; i-- {
		path = append(path, back[i])
	}
	return path
}

// shortcut is how many steps, each between nodes that are joined, lead along
// the path from its first node to its last.
func shortcut(joined [][]bool, path []int32) int {
	steps := make([]int, len(path))
	for i := 1; i < len(path); i++ {
		steps[i] = math.MaxInt32
		for j := range i {
			if joined[path[j]][path[i]] {
				steps[i] = min(steps[i], steps[j]+1)
			}
		}
	}
	return steps[len(path)-1]
}
