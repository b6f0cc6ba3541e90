package job

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Bags come back as they went in, for random trees of bags in which each vertex has a random subtree; so do the bags of each vertex.
func TestDecompositionBags(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 7))
	for range 300 {
		n, count := 1+r.IntN(30), 1+r.IntN(20)
		number := r.Perm(count) // bags are numbered in no order of the tree
		parents, children := make([]int32, count), make([][]int, count)
		for i, b := range number {
			if parents[b] = -1; i > 0 {
				up := number[r.IntN(i)]
				parents[b], children[up] = int32(up), append(children[up], b)
			}
		}
		bags, order := make([][]int32, count), make([]int32, n)
		for v := range n {
			order[v] = int32(v)
			for stack := []int{r.IntN(count)}; len(stack) > 0; {
				b := stack[len(stack)-1]
				stack = stack[:len(stack)-1]
				bags[b] = append(bags[b], int32(v))
				for _, c := range children[b] {
					if r.IntN(2) == 0 {
						stack = append(stack, c)
					}
				}
			}
		}
		d := NewDecomposition(bags, parents, order)
		if !d.Valid(n) || int(d.Root()) != number[0] {
			t.Fatalf("of %v below %v comes %+v", bags, parents, d)
		}
		if all := d.Bags(func() {}); !slices.EqualFunc(all, bags, slices.Equal) {
			t.Fatalf("all of %v below %v are %v", bags, parents, all)
		}
		for b, bag := range bags {
			if got := d.Bag(int32(b)); !slices.Equal(got, bag) || int(d.Sizes[b]) != len(bag) {
				t.Fatalf("bag %d of %v below %v is %v, of size %d", b, bags, parents, got, d.Sizes[b])
			}
		}
		for v := range int32(n) {
			holding := d.Holding(v)
			for b, bag := range bags {
				if slices.Contains(bag, v) != slices.Contains(holding, int32(b)) {
					t.Fatalf("vertex %d of %v below %v is held by %v", v, bags, parents, holding)
				}
			}
			if unique := slices.Compact(slices.Sorted(slices.Values(holding))); len(unique) != len(holding) {
				t.Fatalf("vertex %d is held twice: %v", v, holding)
			}
			for _, end := range d.Ends[d.Offsets[v]:d.Offsets[v+1]] {
				for _, c := range children[end] {
					if slices.Contains(bags[c], v) {
						t.Fatalf("bag %d is an end of vertex %d, and bag %d below holds it too", end, v, c)
					}
				}
			}
		}
	}
}
