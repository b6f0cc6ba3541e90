package separator

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"genussink/core/graph"
	"genussink/core/internal/parallel"
	"genussink/core/shortest"
)

// steppers keep the space of their queues from one graph to the next.
var steppers = sync.Pool{New: func() any { return new(shortest.Stepper) }}

// orders are the vertex orders that cuts are looked for along: for each two
// (p, q) of three vertices far apart, the vertices by d(p,.)-d(q,.), and where
// positions are known, also along that many axes, those along which the graph
// is longest. More landmarks gain nothing (14 real meshes of genus 0).
func orders(ctx context.Context, g *graph.Graph, o Options, axes int) ([][]int32, error) {
	const count = 3
	stepper := steppers.Get().(*shortest.Stepper)
	defer steppers.Put(stepper)
	stepper.Turn(g)
	n := g.Len()
	distances := func(v int32) []float64 {
		d := make([]float64, n)
		stepper.Seeded(d, []int32{v}, []float64{0})
		return d
	}
	start := int32(rand.New(rand.NewPCG(o.Seed, 0)).IntN(n))
	if degree(g, start) == n-1 {
		start = leastDegree(g)
	}
	// Landmarks: each is farthest from those before it; the first is farthest
	// from the start and replaces it.
	var landmarks []int32
	var from [][]float64
	nearest := distances(start)
	for range count {
		far := int32(0)
		for v, d := range nearest {
			if d > nearest[far] {
				far = int32(v)
			}
		}
		d := distances(far)
		if len(landmarks) == 0 {
			copy(nearest, d)
		} else {
			for v, x := range d {
				nearest[v] = math.Min(nearest[v], x)
			}
		}
		landmarks, from = append(landmarks, far), append(from, d)
	}
	var keys [][]float64
	for j := range landmarks {
		for i := range j {
			key := make([]float64, n)
			for v := range key {
				key[v] = from[i][v] - from[j][v]
			}
			keys = append(keys, key)
		}
	}
	if o.Positions != nil {
		for _, axis := range longestAxes(o.Positions)[:axes] {
			key := make([]float64, n)
			for v, p := range o.Positions {
				key[v] = p[axis]
			}
			keys = append(keys, key)
		}
	}
	list := make([][]int32, len(keys))
	return list, each(ctx, g, len(keys), func(_, i int) { list[i] = sorted(keys[i]) })
}

// beside is the number of vertices from which on the orders of a graph are looked at side by side.
const beside = 2000

// each is parallel.Each where the graph is large, with at most n workers.
func each(ctx context.Context, g *graph.Graph, n int, body func(worker, i int)) error {
	workers := 1
	if g.Len() >= beside {
		workers = parallel.Workers(n)
	}
	return parallel.Each(ctx, workers, n, body)
}

// longestAxes are the coordinates, the one that varies most first.
func longestAxes(positions [][3]float64) []int {
	var length [3]float64
	for c := range 3 {
		lo, hi := positions[0][c], positions[0][c]
		for _, p := range positions {
			lo, hi = math.Min(lo, p[c]), math.Max(hi, p[c])
		}
		length[c] = hi - lo
	}
	axes := []int{0, 1, 2}
	slices.SortStableFunc(axes, func(a, b int) int { return cmp.Compare(length[b], length[a]) })
	return axes
}

// sorted returns the vertices by key, ties by number. They are dealt to as many buckets of keys, and each bucket is sorted.
func sorted(key []float64) []int32 {
	n := len(key)
	least, most := slices.Min(key), slices.Max(key)
	scale := float64(n) / (most - least)
	order := make([]int32, n)
	if !(scale > 0 && scale <= math.MaxFloat64) { // one key, or a NaN or an infinity
		for v := range order {
			order[v] = int32(v)
		}
		sortByKey(order, key)
		return order
	}
	bucket := func(k float64) int {
		if x := (k - least) * scale; x < float64(n) {
			return int(x)
		}
		return n - 1
	}
	ends := make([]int32, n+1) // of the buckets before, and then of the bucket itself
	for _, k := range key {
		ends[bucket(k)+1]++
	}
	for i := range n {
		ends[i+1] += ends[i]
	}
	for v, k := range key {
		at := &ends[bucket(k)]
		order[*at] = int32(v)
		*at++
	}
	from := int32(0)
	for _, to := range ends[:n] {
		for i := from + 1; i < to; i++ {
			if key[order[i-1]] > key[order[i]] { // where many have the same key they are in order already
				sortByKey(order[from:to], key)
				break
			}
		}
		from = to
	}
	return order
}

func sortByKey(vertices []int32, key []float64) {
	slices.SortFunc(vertices, func(v, w int32) int {
		return cmp.Or(cmp.Compare(key[v], key[w]), cmp.Compare(v, w)) // a NaN comes first
	})
}

func degree(g *graph.Graph, v int32) int { return int(g.Offsets[v+1] - g.Offsets[v]) }

func leastDegree(g *graph.Graph) int32 {
	best := int32(0)
	for v := range int32(g.Len()) {
		if degree(g, v) < degree(g, best) {
			best = v
		}
	}
	return best
}
