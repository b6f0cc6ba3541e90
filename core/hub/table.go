package hub

import (
	"genussink/core/hub/cover"
	"genussink/core/hub/tile"
	"genussink/core/internal/exponential"
)

// table is a value for every number of steps.
type table [2 * cover.Origin]float64

// both adds alpha times the values of the numbers to y and returns their inner product with x, in
// two sums, for one waits for the addition before.
func (t *table) both(y, x []float64, alpha float64, numbers []uint16) float64 {
	var s0, s1 float64
	x, numbers = x[:len(y)], numbers[:len(y)]
	i := 0
	for ; i+1 < len(y); i += 2 {
		f0, f1 := t[numbers[i]&cover.CodeMask], t[numbers[i+1]&cover.CodeMask]
		y[i] += alpha * f0
		y[i+1] += alpha * f1
		s0 += f0 * x[i]
		s1 += f1 * x[i+1]
	}
	if i < len(y) {
		f := t[numbers[i]&cover.CodeMask]
		y[i] += alpha * f
		s0 += f * x[i]
	}
	return s0 + s1
}

// dot is the inner product of x at some ranks with the values of as many numbers, in two sums.
func (t *table) dot(x []float64, ranks []int32, numbers []uint16) float64 {
	var s0, s1 float64
	numbers = numbers[:len(ranks)]
	i := 0
	for ; i+1 < len(ranks); i += 2 {
		s0 += t[numbers[i]&cover.CodeMask] * x[ranks[i]]
		s1 += t[numbers[i+1]&cover.CodeMask] * x[ranks[i+1]]
	}
	if i < len(ranks) {
		s0 += t[numbers[i]&cover.CodeMask] * x[ranks[i]]
	}
	return s0 + s1
}

// axpy adds alpha times the values of the numbers to y at as many ranks.
func (t *table) axpy(y []float64, alpha float64, ranks []int32, numbers []uint16) {
	numbers = numbers[:len(ranks)]
	for i, v := range ranks {
		y[v] += t[numbers[i]&cover.CodeMask] * alpha
	}
}

// tableOf is exp(-length/epsilon).
func tableOf(s cover.Step, epsilon float64) *table {
	t := new(table)
	for i := range t {
		t[i] = exponential.Exp(-s.Length(uint16(i)) / epsilon)
	}
	return t
}

// sumUpPairs is sumUpColumns of columns at these numbers of steps from the hub.
func (t *table) sumUpPairs(sums []runningPair, x []pair, d []uint16) {
	var sum pair
	sums, x = sums[:len(d)+1], x[:len(d)]
	for j, d := range d {
		sums[j] = runningPair{before: sum}
		sum = sum.plus(t[d&cover.CodeMask], x[j])
	}
	sums[len(d)] = runningPair{before: sum}
}

// multiplyPair is multiplyPairs of one row, not yet times gain.
func (t *table) multiplyPair(x pair, shift float64, sums []runningPair, starts *tile.Starts, runs []tile.Run, dist []uint16) (y pair, cost float64) {
	var moved pair
	from := 0
	for i, d := range dist[:len(runs)] {
		a, b, to := tile.Ends(runs[i], starts[runs[i].Band], sums, from)
		from = to
		f := t[d&cover.CodeMask]
		out := b.before.less(a.before).times(f)
		y, moved = y.plus(1, out), moved.plus(cover.StepsOf(d)-shift, out)
		a.change = a.change.plus(f, x)
		b.change = b.change.plus(-f, x)
	}
	return y, x.u*moved.v + x.v*moved.u
}

// multiplyPairs is the product of a group of rows with a tile's columns, times gain, by their runs, with the cost
// of the rows' part of the distances, less the shift.
func (t *table) multiplyPairs(ys, xs []pair, gain, shift float64, sums []runningPair, starts *tile.Starts, runs []tile.Run, dist []uint16) (total float64) {
	from := 0
	for _, r := range runs {
		a, b, to := tile.Ends(r, starts[r.Band], sums, from)
		from = to
		in, cost := t.bothPairs(ys, xs, b.before.less(a.before).times(gain), shift, dist)
		dist = dist[len(xs):]
		total += cost
		a.change = a.change.plus(gain, in)
		b.change = b.change.plus(-gain, in)
	}
	return total
}

// bothPairs is both, with the cost of these parts of the distances, less the shift.
func (t *table) bothPairs(y, x []pair, alpha pair, shift float64, numbers []uint16) (sum pair, cost float64) {
	x, numbers = x[:len(y)], numbers[:len(y)]
	var moved pair
	for i, d := range numbers {
		f, x := t[d&cover.CodeMask], x[i]
		sum = sum.plus(f, x)
		moved = moved.plus(f*(cover.StepsOf(d)-shift), x)
		y[i] = y[i].plus(f, alpha)
	}
	return sum, alpha.u*moved.v + alpha.v*moved.u
}

// handDownPairs is handDown of one band, with the cost of the columns' part of the distances.
func (t *table) handDownPairs(y, x []pair, sums []runningPair, d []uint16) (cost float64) {
	var sum pair
	sums, x, y = sums[:len(d)], x[:len(d)], y[:len(d)]
	for j, d := range d {
		sum = sum.plus(1, sums[j].change)
		var mass float64
		y[j], mass = y[j].arrive(t[d&cover.CodeMask], sum, x[j])
		cost += cover.StepsOf(d) * mass
	}
	return cost
}
