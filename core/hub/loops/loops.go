// Package loops has the inner loops of products: over the columns of a band, the runs of a row, a row of labels, a
// staircase block. They take slices of factors and distances and know neither a cover nor a context. Each is a function of its own so
// that its variables find room in registers.
//
// Products share the walk over a tile (tile.List.ColumnsOf and RowsOf) where that costs nothing, but not the loops within a band
// or a row. A plain product and one of both scalings of a plan have loops of their own, and so have stored factors and codes. With the weight as a
// type one loop would do for several. But Go calls the methods of a type parameter through a dictionary, for every entry:
// Staircase has the figures.
package loops

import (
	"genussink/core/hub/label"
	"genussink/core/hub/tile"
)

// Running is what a band knows of a column, in the tile's order: the sum of
// factor times x over its columns before this one, and by how much what arrives
// from the rows at its hub for this column differs from that for the one before.
type Running struct{ Before, Change float64 }

// SumUpColumns sets a band's running sums of x over its columns, with these factors. The
// loops over a tile are functions of their own so that their variables find room in registers.
func SumUpColumns[T label.Float](sums []Running, x []float64, factors []T) {
	sum := 0.0
	sums, x = sums[:len(factors)+1], x[:len(factors)]
	j := 0
	for ; j+1 < len(factors); j += 2 { // by two: one addition waits for the last, not two
		first, second := float64(factors[j])*x[j], float64(factors[j+1])*x[j+1]
		sums[j], sums[j+1] = Running{Before: sum}, Running{Before: sum + first}
		sum += first + second
	}
	if j < len(factors) {
		sums[j] = Running{Before: sum}
		sum += float64(factors[j]) * x[j]
	}
	sums[len(factors)] = Running{Before: sum}
}

// MultiplyRow is the product of a row with a tile's columns, by its runs, given the factors of its row hubs. It
// adds to the running sums what the row, scaled by x, hands out.
func MultiplyRow[T label.Float](x float64, factors []T, hubs []uint16, sums []Running, runs []tile.Run) (y float64) {
	hubs = hubs[:len(factors)]
	from := 0
	for _, r := range runs {
		f := float64(factors[r.Band])
		a, b, to := tile.Ends(r, hubs[r.Band], sums, from)
		from = to
		y += f * (b.Before - a.Before)
		f *= x
		a.Change += f
		b.Change -= f
	}
	return y
}

// HandDownColumns adds to a band's columns what has arrived from the rows.
func HandDownColumns[T label.Float](y []float64, sums []Running, factors []T) {
	sum := 0.0
	sums, y = sums[:len(factors)], y[:len(factors)]
	for j, f := range factors {
		sum += sums[j].Change
		y[j] += float64(f) * sum
	}
}

// DotAt is the inner product of x at some ranks with as many factors, in two sums.
func DotAt(x []float64, ranks []int32, factors []float64) float64 {
	var s0, s1 float64
	factors = factors[:len(ranks)]
	i := 0
	for ; i+1 < len(ranks); i += 2 {
		s0 += factors[i] * x[ranks[i]]
		s1 += factors[i+1] * x[ranks[i+1]]
	}
	if i < len(ranks) {
		s0 += factors[i] * x[ranks[i]]
	}
	return s0 + s1
}

// AxpyAt adds alpha times as many factors to y at some ranks.
func AxpyAt(y []float64, alpha float64, ranks []int32, factors []float64) {
	factors = factors[:len(ranks)]
	for i, v := range ranks {
		y[v] += factors[i] * alpha
	}
}

// Staircase adds the pairs of a staircase block to y, both ways, with its hub's factors from the rank lo on: to a row the sum
// of its columns, from the last on, and to a column that of the rows so far.
//
// It has a loop of its own, as the product with a plan's two scalings does, where those of logarithms and
// costs share cover.Staircase.Climb. With the sum as a type parameter, whose methods Go calls through a dictionary, 1,000 rows and columns
// took 45 us instead of 25, and with two scalings and distances 66 instead of 35 (medians of 12 in turn).
func Staircase[T label.Float](x, y []float64, factors []T, lo int32, rows, cols, from []int32) {
	sum, at := 0.0, len(cols)
	for n := len(rows) - 1; n >= 0; n-- {
		for _, j := range cols[from[n]:at] {
			sum += float64(factors[j-lo]) * x[j]
		}
		at = int(from[n])
		i := rows[n]
		y[i] += float64(factors[i-lo]) * sum
	}
	sum = 0
	for n, i := range rows {
		sum += float64(factors[i-lo]) * x[i]
		to := len(cols)
		if n+1 < len(rows) {
			to = int(from[n+1])
		}
		for _, j := range cols[from[n]:to] {
			y[j] += float64(factors[j-lo]) * sum
		}
	}
}
