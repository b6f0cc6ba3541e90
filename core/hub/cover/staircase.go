package cover

import (
	"math"

	"genussink/core/hub/cluster"
	"genussink/core/internal/dominance"
	"genussink/core/septree"
)

// rangeHubs is the most hubs for which a cell's pairs are searched, once those
// that another one serves everywhere as well are left out, and rangeAround the most
// before that. Cells of so few hubs are one task.
const (
	rangeHubs   = 4
	rangeAround = 8
)

// rangeGain is how many times less staircases must cost than what the walk found, and
// one in rangeSample rows and columns tells first whether they might. On the graphs of
// BenchmarkCross the search takes 75 to 100 ns for a row or column of a staircase, as much as 40
// products do.
const (
	rangeGain   = 2
	rangeSample = 4
)

// momentGain is how many times less a rank-one block's vertices cost than a staircase's or a tile's: their
// labels stand together.
const momentGain = 3

// cross settles all pairs of the two sides of the builder's cell, a and b, by
// range searching or by a walk, whichever makes the cheaper product.
func (k *builder) cross(a, b *cluster.Patch) {
	r := &k.labels.Cells[k.cell]
	if len(r.Hubs) > rangeAround {
		k.pairs(a, b, r.Hubs)
		return
	}
	hubs := k.neededHubs(r)
	if len(hubs) == 2 && k.tolerance == 0 {
		k.search(hubs, 1, math.MaxInt) // two staircases at most: nothing costs less
		return
	}
	k.pairs(a, b, hubs)
	if len(hubs) < 2 || len(hubs) > rangeHubs || k.err != nil {
		return
	}
	if limit := k.cost(); k.search(hubs, rangeSample, limit/rangeSample) && k.search(hubs, 1, limit) {
		k.rankOnes, k.contents = k.rankOnes[:0], k.empty()
	}
}

// neededHubs lists the hubs of a cell but for those that another one serves
// everywhere as well.
func (k *builder) neededHubs(r *septree.Cell) (hubs []int32) {
	label := k.labels.At
	middle := (r.Mid + r.Sep) / 2
	over := func(h, g int32) bool { // h is nowhere shorter than g
		enough := label(g, middle) - label(h, middle) // the lead in the middle bounds the least from above
		least := k.labels.Lead(h, g, r.Lo, r.Mid, enough)
		return least >= enough && least+k.labels.Lead(h, g, r.Mid, r.Sep, -least) >= 0
	}
	hubs = append(hubs, r.Hubs...)
	for i := 0; i < len(hubs); {
		if k.err = k.ctx.Err(); k.err != nil {
			return hubs
		}
		served := false
		for j := 0; j < len(hubs) && !served; j++ {
			served = j != i && over(hubs[i], hubs[j])
		}
		if served {
			hubs = append(hubs[:i], hubs[i+1:]...)
		} else {
			i++
		}
	}
	return hubs
}

// cost is that of what the builder has found, in the units of the package's
// documentation.
func (k *builder) cost() (sum int) {
	seen := map[HubMoment]bool{}
	for _, c := range k.rankOnes {
		for _, p := range [2]*cluster.Patch{c.a, c.b} {
			if m := (HubMoment{c.hub, p.ID}); !seen[m] {
				seen[m] = true
				sum += p.Len() / momentGain
			}
		}
	}
	for n := range k.Tiles {
		sum += k.TileCost(n)
	}
	return sum
}

// search finds the staircases of one in step of the cell's rows and columns. It reports
// whether they cost rangeGain times less than the limit, and took sorting no more rows
// and columns than that; otherwise there are none.
func (k *builder) search(hubs []int32, step int32, limit int) bool {
	r := &k.labels.Cells[k.cell]
	rows, cols := every(step, r.Mid-r.Lo), every(step, r.Sep-r.Mid)
	k.staircases.drop()
	if limit < rangeGain*(len(rows)+len(cols)) {
		return false // every vertex is in some staircase
	}
	s := dominance.New(k.columns(hubs, r.Lo, r.Mid), k.columns(hubs, r.Mid, r.Sep), len(hubs))
	if !s.Run(k.ctx, rows, cols, limit, &finder{k.cell, r.Lo, r.Mid, hubs, s, &k.staircases}) {
		k.staircases.drop()
		k.err = k.ctx.Err()
		return false
	}
	return true
}

// columns are the labels of the ranks [lo,hi), rank by rank.
func (k *builder) columns(hubs []int32, lo, hi int32) []float64 {
	labels := make([]float64, int(hi-lo)*len(hubs))
	var row []float64
	for n, h := range hubs {
		for i, d := range k.labels.Row(&row, h, lo, hi) {
			labels[i*len(hubs)+n] = d
		}
	}
	return labels
}

// every lists one in step of the numbers below n.
func every(step, n int32) (list []int32) {
	for i := int32(0); i < n; i += step {
		list = append(list, i)
	}
	return list
}

// finder keeps what a search of a cell finds as staircases.
type finder struct {
	cell     int32
	row, col int32 // the ranks of the first row and the first column
	hubs     []int32
	search   *dominance.Search
	found    *staircases
}

// Stairs implements dominance.Visitor.
func (f *finder) Stairs(hub int, rows, cols, from []int32) int {
	return f.add(hub, rows, f.row, cols, f.col, from)
}

func (f *finder) add(hub int, rows []int32, row int32, cols []int32, col int32, from []int32) int {
	s := Staircase{f.cell, f.hubs[hub], int32(len(rows)), int32(len(cols)), len(f.found.Numbers)}
	f.found.List = append(f.found.List, s)
	numbers := f.found.Numbers
	for _, i := range rows {
		numbers = append(numbers, row+i)
	}
	for _, j := range cols {
		numbers = append(numbers, col+j)
	}
	f.found.Numbers = append(numbers, from...)
	return rangeGain * s.cost()
}

// Few implements dominance.Visitor: a staircase for each vertex of the shorter side, as
// its only row.
func (f *finder) Few(hub int, rows, cols []int32) (cost int) {
	own, others, first, second := rows, cols, f.row, f.col
	turned := len(rows) > len(cols)
	if turned {
		own, others, first, second = cols, rows, f.col, f.row
	}
	var met []int32
	for n, i := range own {
		met = met[:0]
		for _, j := range others {
			row, col := i, j
			if turned {
				row, col = j, i
			}
			if f.search.Belongs(hub, row, col) {
				met = append(met, j)
			}
		}
		if len(met) > 0 {
			cost += f.add(hub, own[n:n+1], first, met, second, []int32{0})
		}
	}
	return cost
}
