package hub

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"genussink/core/graph"
	"genussink/core/internal/shared/gengraph"
	"genussink/core/separator"
	"genussink/core/septree"
	"genussink/core/shortest"

	"pgregory.net/rapid"
)

// A set of columns is one, whatever stretches it is made of.
func TestColumnSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var set columnSet
		var want [most + 2]bool
		for range rapid.IntRange(0, 8).Draw(t, "stretches") {
			from := rapid.IntRange(0, most-1).Draw(t, "from")
			to := rapid.IntRange(from+1, most).Draw(t, "to")
			set.add(from, to)
			for i := from; i < to; i++ {
				want[i] = true
			}
		}
		at, one := rapid.IntRange(0, most).Draw(t, "at"), rapid.Bool().Draw(t, "one")
		first := at
		for first <= most && want[first] != one {
			first++
		}
		if got := set.next(at, one); got != first {
			t.Fatalf("from column %d on the first that is one (%v) is %d, not %d", at, one, got, first)
		}
	})
}

// Without slack a tile's rows stand in the order of the number of their runs, each run within a band that serves
// its columns, and no two hubs start at the same sum.
func TestTilesWithoutSlack(t *testing.T) {
	tiles := walk(t, labels(t, gengraph.Grid(t, 60, 60, 0.3, 3), septree.Options{}), 0)
	stretches := 0
	for i := range tiles.tiles {
		o := &tiles.tiles[i]
		bands := tiles.bandsOf(o)
		var starts bandStarts
		starts.of(bands)
		hubs := map[int32]bool{}
		for n, b := range bands {
			again := n > 0 && b.hub == bands[n-1].hub
			if n > 0 && (starts[n] < starts[n-1] || again != (starts[n] == starts[n-1]) || again && b.from <= bands[n-1].to) {
				t.Fatalf("tile %d: bands %d and %d of %d start at %d and %d", i, n-1, n, len(bands), starts[n-1], starts[n])
			}
			if again {
				stretches++
			} else if hubs[b.hub] {
				t.Fatalf("tile %d: the bands of hub %d do not stand together", i, b.hub)
			}
			hubs[b.hub] = true
		}
		runs := make([]int, o.rows)
		tiles.each(o, func(r run, row, _, from int) {
			runs[row]++
			if b := bands[r.band]; from < int(b.from) || int(r.last) >= int(b.to) {
				t.Fatalf("tile %d: a run of columns %d to %d in a band of %d to %d", i, from, r.last, b.from, b.to-1)
			}
		})
		if !slices.IsSorted(runs) {
			t.Fatalf("tile %d: rows of %d runs", i, runs)
		}
	}
	if stretches == 0 {
		t.Error("no hub has two bands: this is no test of them")
	}
}

// What a product goes through in loops of varying length stands in the order of that: the bundles of a block by
// their vertices, the groups of a tile by their rows and runs.
func TestRanked(t *testing.T) {
	l := labels(t, gengraph.Grid(t, 40, 25, 0, 1), septree.Options{})
	tiles := walk(t, l, 0.1*l.Reach)
	sizes, groups := map[int]bool{}, map[[2]int]bool{}
	for n := range len(tiles.blocks) - 1 {
		b, end := &tiles.blocks[n], &tiles.blocks[n+1]
		last := 0
		for _, o := range tiles.bundles[b.bundle:end.bundle] {
			size := int(o.to - o.from)
			if size < last {
				t.Fatalf("block %d: a bundle of %d vertices after one of %d", n, size, last)
			}
			last, sizes[size] = size, true
		}
		for i := b.tile; i < end.tile; i++ {
			o, last := tiles.tiles[i], [2]int{}
			for _, g := range tiles.groups[o.group:] {
				next := [2]int{int(g.size), int(g.runs)}
				if slices.Compare(next[:], last[:]) < 0 {
					t.Fatalf("tile %d: a group of %v rows and runs after one of %v", i, next, last)
				}
				last, groups[next] = next, true
				if o.rows -= int32(g.size); o.rows == 0 {
					break
				}
			}
		}
	}
	if len(sizes) < 2 || len(groups) < 3 {
		t.Errorf("%d sizes of bundles and %d of groups: this is no test of their order", len(sizes), len(groups))
	}
}

// Patches whose pairs need more hubs than a byte can number are split, and leaves halved.
func TestMoreHubsThanAByteCanNumber(t *testing.T) {
	const between, side = 300, 40
	for _, leaf := range []int{side, side / 4} {
		rng := rand.New(rand.NewPCG(7, 7))
		n := between + 2*side
		var edges []graph.Edge
		root := &separator.Separation{}
		for v := range int32(n) {
			switch {
			case v < between:
				root.S = append(root.S, v)
				continue
			case v < between+side:
				root.A = append(root.A, v)
			default:
				root.B = append(root.B, v)
			}
			if v != between && v != between+side { // no shortest path, but by these a side can be separated
				edges = append(edges, graph.Edge{U: v - 1, V: v, Weight: 10})
			}
			for h := range int32(between) {
				edges = append(edges, graph.Edge{U: v, V: h, Weight: 1 + rng.Float64()})
			}
		}
		g, err := graph.New(n, edges)
		if err != nil {
			t.Fatal(err)
		}
		l := labels(t, g, septree.Options{Root: root, Leaf: leaf})
		for _, delta := range []float64{0, 0.02} {
			tiles := walk(t, l, delta)
			if len(tiles.tiles) < 2 {
				t.Errorf("leaves of %d, delta %g: %d tiles, no patch had too many hubs", leaf, delta, len(tiles.tiles))
			}
			k, exact := kernelOf(t, tiles, 0.5), shortest.NewSolver(g)
			for j, column := range columns(t, k) {
				for i, d := range exact.Distances(nil, int32(j)) {
					if got := -0.5 * math.Log(column[i]); !(math.Abs(got-d) <= delta+1e-12) {
						t.Fatalf("leaves of %d, delta %g: the distance of %d and %d is %g, exact %g", leaf, delta, i, j, got, d)
					}
				}
			}
		}
	}
}
