package loops

import (
	"genussink/core/hub/cover"
	"genussink/core/hub/tile"
	"genussink/core/internal/exponential"
)

// Table is a value for every code.
type Table [2 * cover.Origin]float64

// Both adds alpha times the values of codes to y and returns their inner product with x, in
// two sums, for one waits for the addition before.
func (t *Table) Both(y, x []float64, alpha float64, codes []uint16) float64 {
	var s0, s1 float64
	x, codes = x[:len(y)], codes[:len(y)]
	i := 0
	for ; i+1 < len(y); i += 2 {
		f0, f1 := t[codes[i]&cover.CodeMask], t[codes[i+1]&cover.CodeMask]
		y[i] += alpha * f0
		y[i+1] += alpha * f1
		s0 += f0 * x[i]
		s1 += f1 * x[i+1]
	}
	if i < len(y) {
		f := t[codes[i]&cover.CodeMask]
		y[i] += alpha * f
		s0 += f * x[i]
	}
	return s0 + s1
}

// Dot is the inner product of x at some ranks with the values of as many codes, in two sums.
func (t *Table) Dot(x []float64, ranks []int32, codes []uint16) float64 {
	var s0, s1 float64
	codes = codes[:len(ranks)]
	i := 0
	for ; i+1 < len(ranks); i += 2 {
		s0 += t[codes[i]&cover.CodeMask] * x[ranks[i]]
		s1 += t[codes[i+1]&cover.CodeMask] * x[ranks[i+1]]
	}
	if i < len(ranks) {
		s0 += t[codes[i]&cover.CodeMask] * x[ranks[i]]
	}
	return s0 + s1
}

// Axpy adds alpha times the values of codes to y at as many ranks.
func (t *Table) Axpy(y []float64, alpha float64, ranks []int32, codes []uint16) {
	codes = codes[:len(ranks)]
	for i, v := range ranks {
		y[v] += t[codes[i]&cover.CodeMask] * alpha
	}
}

// TableOf is exp(-length/epsilon).
func TableOf(s cover.Step, epsilon float64) *Table {
	t := new(Table)
	for i := range t {
		t[i] = exponential.Exp(-s.Length(uint16(i)) / epsilon)
	}
	return t
}

// SumUpPairs is SumUpPairs with the values of codes.
func (t *Table) SumUpPairs(sums []RunningPair, x []Pair, d []uint16) {
	var sum Pair
	sums, x = sums[:len(d)+1], x[:len(d)]
	for j, d := range d {
		sums[j] = RunningPair{before: sum}
		sum = sum.Plus(t[d&cover.CodeMask], x[j])
	}
	sums[len(d)] = RunningPair{before: sum}
}

// multiplyPair is MultiplyPairs of one row, before gain.
func (t *Table) multiplyPair(x Pair, shift float64, sums []RunningPair, starts *tile.Starts, runs []tile.Run, codes []uint16) (y Pair, cost float64) {
	var moved Pair
	from := 0
	for i, d := range codes[:len(runs)] {
		a, b, to := tile.Ends(runs[i], starts[runs[i].Band], sums, from)
		from = to
		f := t[d&cover.CodeMask]
		out := b.before.less(a.before).Times(f)
		y, moved = y.Plus(1, out), moved.Plus(cover.StepsOf(d)-shift, out)
		a.change = a.change.Plus(f, x)
		b.change = b.change.Plus(-f, x)
	}
	return y, x.U*moved.V + x.V*moved.U
}

// MultiplyPairs sets ys to the product of a row group with a tile's columns, times gain, by their runs. It adds to the running
// sums what the rows, scaled by xs, hand out. It returns the cost of the rows' share of the distances, less the shift.
func (t *Table) MultiplyPairs(ys, xs []Pair, gain, shift float64, sums []RunningPair, starts *tile.Starts, runs []tile.Run, codes []uint16) (total float64) {
	if len(xs) == 1 { // the most frequent
		ys[0], total = t.multiplyPair(xs[0].Times(gain), shift, sums, starts, runs, codes)
		ys[0] = ys[0].Times(gain)
		return total
	}
	from := 0
	for _, r := range runs {
		a, b, to := tile.Ends(r, starts[r.Band], sums, from)
		from = to
		in, cost := t.BothPairs(ys, xs, b.before.less(a.before).Times(gain), shift, codes)
		codes = codes[len(xs):]
		total += cost
		a.change = a.change.Plus(gain, in)
		b.change = b.change.Plus(-gain, in)
	}
	return total
}

// BothPairs is Both of both scalings. It returns the cost of these shares of the distances, less the shift.
func (t *Table) BothPairs(y, x []Pair, alpha Pair, shift float64, codes []uint16) (sum Pair, cost float64) {
	x, codes = x[:len(y)], codes[:len(y)]
	var moved Pair
	for i, d := range codes {
		f, x := t[d&cover.CodeMask], x[i]
		sum = sum.Plus(f, x)
		moved = moved.Plus(f*(cover.StepsOf(d)-shift), x)
		y[i] = y[i].Plus(f, alpha)
	}
	return sum, alpha.U*moved.V + alpha.V*moved.U
}

// HandDownPairs is HandDownPairs with the values of codes.
func (t *Table) HandDownPairs(y, x []Pair, sums []RunningPair, d []uint16) (cost float64) {
	var sum Pair
	sums, x, y = sums[:len(d)], x[:len(d)], y[:len(d)]
	for j, d := range d {
		sum = sum.Plus(1, sums[j].change)
		var mass float64
		y[j], mass = y[j].Arrive(t[d&cover.CodeMask], sum, x[j])
		cost += cover.StepsOf(d) * mass
	}
	return cost
}
