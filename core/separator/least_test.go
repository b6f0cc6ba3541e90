package separator

import (
	"context"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"genussink/core/internal/parallel"
)

// How well a small separator of a planar graph can balance at all. In a
// triangulated sphere the sides of a least separator are parted by closed curves
// along edges. The faces to the left of a closed walk, modulo all faces, are the
// sum of one number per step, so all walks of a length are counted without
// being listed.

type arc [2]int32

// step is a step to another vertex and its number.
type step struct {
	to     int32
	number int
}

// sphere is a triangulated sphere. Where the mesh has a hole, a step leads from
// each vertex of its rim to each, and the hole is filled with triangles around a
// vertex that nobody pays for.
type sphere struct {
	steps [][]step // from each vertex
	faces int
}

func newSphere(t testing.TB, n int, faces [][3]int32) sphere {
	t.Helper()
	left := map[arc]int{} // the face to the left
	put := func(f int, corners [3]int32) {
		for c := range 3 {
			left[arc{corners[c], corners[(c+1)%3]}] = f
		}
	}
	for f, corners := range faces {
		put(f, corners)
	}
	after := map[int32]int32{} // on a rim
	for _, f := range faces {
		for c := range 3 {
			u, v := f[c], f[(c+1)%3]
			if _, there := left[arc{v, u}]; !there {
				after[v] = u
			}
		}
	}
	faces = slices.Clone(faces)
	count := int32(n)
	for v := range int32(n) {
		if _, open := after[v]; !open {
			continue
		}
		for u, w := v, after[v]; ; u, w = w, after[w] {
			delete(after, u)
			faces = append(faces, [3]int32{u, w, count})
			put(len(faces)-1, faces[len(faces)-1])
			if w == v {
				break
			}
		}
		count++
	}
	if len(faces) != 2*int(count)-4 || len(left) != 3*len(faces) {
		t.Fatalf("%d vertices, %d faces, %d arcs: no sphere", count, len(faces), len(left))
	}
	// A tree over the faces: an arc that it crosses has for its number the faces
	// that hang on the one to its left.
	number := map[arc]int{}
	entered := make([]arc, len(faces))
	seen := make([]bool, len(faces))
	seen[0] = true
	order := []int{0}
	for i := 0; i < len(order); i++ {
		f := faces[order[i]]
		for c := range 3 {
			a := arc{f[(c+1)%3], f[c]}
			if g := left[a]; !seen[g] {
				seen[g], entered[g] = true, a
				order = append(order, g)
			}
		}
	}
	hanging := make([]int, len(faces))
	for _, f := range slices.Backward(order[1:]) {
		a := entered[f]
		back := arc{a[1], a[0]}
		hanging[f]++
		hanging[left[back]] += hanging[f]
		number[a], number[back] = hanging[f], len(faces)-hanging[f]
	}
	s := sphere{make([][]step, n), len(faces)}
	from := make([][]step, int(count)-n) // from the middle of each hole
	for _, f := range faces {
		for c := range 3 {
			a := arc{f[c], f[(c+1)%3]}
			switch to := (step{a[1], number[a]}); {
			case int(a[0]) >= n:
				from[int(a[0])-n] = append(from[int(a[0])-n], to)
			case int(a[1]) < n:
				s.steps[a[0]] = append(s.steps[a[0]], to)
			}
		}
	}
	for h, rim := range from {
		for _, u := range rim {
			for _, v := range rim {
				if u.to != v.to {
					s.steps[u.to] = append(s.steps[u.to], step{v.to, (number[arc{u.to, int32(n + h)}] + v.number) % s.faces})
				}
			}
		}
	}
	return s
}

// residues is a set of numbers modulo the faces.
type residues []uint64

// add adds those of other, each larger by shift.
func (r residues) add(other residues, shift, modulus int) {
	for _, s := range [2]int{shift, shift - modulus} {
		words, low := s>>6, uint(s&63) // of a negative shift too
		for i := range r {
			at := i - words
			if at >= 0 && at < len(other) {
				r[i] |= other[at] << low
			}
			if low > 0 && at > 0 && at <= len(other) {
				r[i] |= other[at-1] >> (64 - low)
			}
		}
	}
	if low := uint(modulus & 63); low > 0 {
		r[len(r)-1] &= 1<<low - 1
	}
}

// enclosed returns, for every length up to most, how many faces at most have
// closed walks of that length on either side, whichever has fewer.
func (s sphere) enclosed(t testing.TB, most int) []int {
	best := make([]int, most+1)
	var mu sync.Mutex
	workers := parallel.Workers(len(s.steps))
	if err := parallel.Each(context.Background(), workers, len(s.steps), func(_, root int) {
		mu.Lock()
		found := slices.Clone(best)
		mu.Unlock()
		s.from(int32(root), found)
		mu.Lock()
		for length, x := range found {
			best[length] = max(best[length], x)
		}
		mu.Unlock()
	}); err != nil {
		t.Fatal(err)
	}
	return best
}

// from raises what is found to what closed walks have of which root is the first
// vertex: each is two walks of half its length to the vertex opposite.
func (s sphere) from(root int32, found []int) {
	half := len(found) / 2
	at := map[int32]int{root: 0}
	near, hops := []int32{root}, []int{0}
	for i := 0; i < len(near) && hops[i] < half; i++ {
		for _, a := range s.steps[near[i]] {
			if _, met := at[a.to]; !met && a.to > root {
				at[a.to] = len(near)
				near, hops = append(near, a.to), append(hops, hops[i]+1)
			}
		}
	}
	empty := func() residues { return make(residues, (s.faces+63)/64) }
	walks := make([][]residues, half+1) // by length and end
	walks[0] = make([]residues, len(near))
	walks[0][0] = empty()
	walks[0][0][0] = 1
	for k := 1; k <= half; k++ {
		walks[k] = make([]residues, len(near))
		for i, v := range near {
			if i == 0 || hops[i] > k {
				continue
			}
			for _, a := range s.steps[v] {
				if j, met := at[a.to]; met && walks[k-1][j] != nil {
					if walks[k][i] == nil {
						walks[k][i] = empty()
					}
					walks[k][i].add(walks[k-1][j], (s.faces-a.number)%s.faces, s.faces) // the step is taken the other way
				}
			}
		}
	}
	before := make([]int, 2*s.faces+1) // residues of the longer walk, counted twice round
	for i := 1; i < len(near); i++ {
		for k := 1; k <= half; k++ {
			there := walks[k][i]
			if there == nil {
				continue
			}
			for x := range 2 * s.faces {
				r := x % s.faces
				before[x+1] = before[x] + int(there[r>>6]>>uint(r&63)&1)
			}
			for _, back := range walks[k-1 : k+1] {
				length := 2 * k
				if &back[0] != &walks[k][0] {
					length--
				}
				if back[i] == nil || length >= len(found) {
					continue
				}
				x := found[length]
				for q, word := range back[i] {
					for ; word != 0; word &= word - 1 {
						r := 64*q + bits.TrailingZeros64(word)
						for x < s.faces/2 && before[r+s.faces-x] > before[r+x+1] { // some there is r+x+1 to r+faces-x-1
							x++
						}
					}
				}
				found[length] = x
			}
		}
	}
}

// balances returns, for every number of vertices up to most, a bound on the
// smaller side of a separator of so many. One side lies within curves around
// discs that have no more outside than inside: a face of the sphere cut along all
// the curves, from which each of them is seen so, exists because the curves cut
// it like a tree. Discs may touch, k of them in k-1 vertices that count once.
func (s sphere) balances(t testing.TB, most int) []int {
	disc := s.enclosed(t, most)
	for length, f := range disc {
		disc[length] = (f - length + 2) / 2 // vertices inside, by Euler's formula
		if length > 0 {
			disc[length] = max(disc[length], disc[length-1])
		}
	}
	bound := slices.Clone(disc)
	for size := range bound {
		for length := 2; length < size; length++ {
			bound[size] = max(bound[size], disc[length]+bound[size+1-length])
		}
	}
	for size := range bound {
		bound[size] = min(bound[size], (len(s.steps)-size)/2)
	}
	return bound
}

// TestLeastSeparators: on small triangulations, with holes and without, no set of
// vertices separates better than the bound, found by trying all; a finder does not
// either.
func TestLeastSeparators(t *testing.T) {
	const n = 11
	met, tried := 0, 0
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 3))
		g, faces := triangulation(n, 40, r)
		if seed%2 == 1 { // a hole
			faces = slices.Delete(faces, 3, 4)
		}
		bound := newSphere(t, n, faces).balances(t, n)
		most := make([]int, n+1)
		for set := range 1 << n {
			sides := make([]side, n)
			for v := range n {
				if set>>v&1 == 1 {
					sides[v] = inS
				}
			}
			size := bits.OnesCount(uint(set))
			most[size] = max(most[size], bestDeal(g.Offsets, g.Targets, sides))
		}
		for size := 1; size <= n; size++ {
			if most[size] > bound[size] {
				t.Errorf("seed %d: %d vertices leave %d on either side, at most %d are possible", seed, size, most[size], bound[size])
			}
			if most[size] > 0 {
				tried++
				if most[size] == bound[size] {
					met++
				}
			}
		}
		s, err := find(t, "flow-cutter", g, Options{Balance: 0.2})
		if err == nil && lighter(s) > most[len(s.S)] {
			t.Errorf("seed %d: found %d with %d", seed, len(s.S), lighter(s))
		}
	}
	t.Logf("%d of %d bounds are met", met, tried)
	if 4*met < 3*tried {
		t.Errorf("only %d of %d bounds are met", met, tried)
	}
}

// bestDeal is the smaller side when the components outside S are dealt as well as
// can be.
func bestDeal(offsets, targets []int32, sides []side) int {
	sums := 1 // a bit for each sum of sizes
	total := 0
	seen := make([]bool, len(sides))
	for v := range sides {
		if seen[v] || sides[v] == inS {
			continue
		}
		stack, size := []int32{int32(v)}, 0
		seen[v] = true
		for ; len(stack) > 0; size++ {
			u := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			for _, w := range targets[offsets[u]:offsets[u+1]] {
				if !seen[w] && sides[w] != inS {
					seen[w] = true
					stack = append(stack, w)
				}
			}
		}
		sums |= sums << size
		total += size
	}
	best := 0
	for a := range total + 1 {
		if sums>>a&1 == 1 {
			best = max(best, min(a, total-a))
		}
	}
	return best
}

// BenchmarkLeastSeparators bounds what smaller separators can do on the shared mesh
// that takes the largest one for its genus: what flow-cutter finds is a least one.
func BenchmarkLeastSeparators(b *testing.B) {
	const balance = 1.0 / 3
	meshes := slices.DeleteFunc(realMeshes(b, 2533, 2533), func(m realMesh) bool { return m.name != "meshlabjs__bunny5k_asc.off" })
	m := meshes[0]
	s, err := find(b, "flow-cutter", m.g, Options{Balance: balance, Positions: m.mesh.Positions})
	if err != nil {
		b.Fatal(err)
	}
	wanted := int(math.Floor(balance * float64(m.g.Len())))
	for b.Loop() {
		for size, most := range newSphere(b, m.g.Len(), m.mesh.Faces).balances(b, len(s.S)-1) {
			b.Logf("%d vertices leave at most %d on either side", size, most)
			if most >= wanted {
				b.Errorf("%d vertices may leave %d, %d were found", size, most, len(s.S))
			}
		}
	}
}
