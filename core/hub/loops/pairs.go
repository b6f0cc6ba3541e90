package loops

import (
	"genussink/core/hub/label"
	"genussink/core/hub/tile"
)

// Pair is a number of each of a plan's two scalings, or of what the kernel makes of them.
type Pair struct{ U, V float64 }

// Plus is the sum with f times a pair. A value, not a pointer: running sums must stay in registers.
func (p Pair) Plus(f float64, x Pair) Pair { return Pair{p.U + f*x.U, p.V + f*x.V} }

// Times is f times a pair.
func (p Pair) Times(f float64) Pair { return Pair{f * p.U, f * p.V} }

// less is the difference.
func (p Pair) less(q Pair) Pair { return Pair{p.U - q.U, p.V - q.V} }

// RunningPair is Running of both scalings.
type RunningPair struct{ before, change Pair }

// BothPairs multiplies a row of labels by x, both scalings, and adds here times the row to u and v. It returns the sum without the
// distances, and with them the cost.
func BothPairs[S, T label.Float](u, v []float64, x []Pair, factors []T, dist []S, here Pair) (sum, cost Pair) {
	u, v, factors, dist = u[:len(x)], v[:len(x)], factors[:len(x)], dist[:len(x)]
	for i, x := range x {
		f := float64(factors[i])
		x.U *= f
		x.V *= f
		sum.U += x.U
		sum.V += x.V
		u[i] += f * here.U
		v[i] += f * here.V
		d := float64(dist[i])
		cost.U += d * x.U
		cost.V += d * x.V
	}
	return sum, cost
}

// BlockPairs is BothPairs where both scalings of y lie together. It returns the cost of all pairs.
func BlockPairs(y, x []Pair, factors, dist []float64, here Pair) (sum Pair, cost float64) {
	y, factors, dist = y[:len(x)], factors[:len(x)], dist[:len(x)]
	var moved Pair
	for i, x := range x {
		f := factors[i]
		sum = sum.Plus(f, x)
		moved = moved.Plus(f*dist[i], x)
		y[i] = y[i].Plus(f, here)
	}
	return sum, here.U*moved.V + here.V*moved.U
}

// InnerPairs is the product of a row with others of its own separator: the cost of one scaling alone, for the other end has the other.
func InnerPairs[S, T label.Float](x []Pair, factors []T, dist []S) (sum Pair, cost float64) {
	factors, dist = factors[:len(x)], dist[:len(x)]
	for i, x := range x {
		f := float64(factors[i])
		sum = sum.Plus(f, x)
		cost += f * float64(dist[i]) * x.V
	}
	return sum, cost
}

// SumUpPairs is SumUpColumns of both scalings.
func SumUpPairs[T label.Float](sums []RunningPair, x []Pair, factors []T) {
	var sum Pair
	sums, x = sums[:len(factors)+1], x[:len(factors)]
	for j, f := range factors {
		sums[j] = RunningPair{before: sum}
		sum = sum.Plus(float64(f), x[j])
	}
	sums[len(factors)] = RunningPair{before: sum}
}

// MultiplyPairs is MultiplyRow of both scalings. It returns the cost of the row's share of the distances.
func MultiplyPairs[S, T label.Float](x Pair, factors []T, dist []S, hubs []uint16, sums []RunningPair, runs []tile.Run) (y Pair, cost float64) {
	var moved Pair
	dist, hubs = dist[:len(factors)], hubs[:len(factors)]
	from := 0
	for _, r := range runs {
		f, d := float64(factors[r.Band]), float64(dist[r.Band])
		a, b, to := tile.Ends(r, hubs[r.Band], sums, from)
		from = to
		u, v := f*(b.before.U-a.before.U), f*(b.before.V-a.before.V)
		y.U += u
		y.V += v
		moved.U += d * u
		moved.V += d * v
		u, v = f*x.U, f*x.V
		a.change.U += u
		a.change.V += v
		b.change.U -= u
		b.change.V -= v
	}
	return y, x.U*moved.V + x.V*moved.U
}

// HandDownPairs is HandDownColumns of both scalings. It returns the cost of the columns' share of the distances.
func HandDownPairs[S, T label.Float](y, x []Pair, sums []RunningPair, factors []T, dist []S) (cost float64) {
	var sum Pair
	sums, x, y, dist = sums[:len(factors)], x[:len(factors)], y[:len(factors)], dist[:len(factors)]
	for j, f := range factors {
		sum = sum.Plus(1, sums[j].change)
		var mass float64
		y[j], mass = y[j].Arrive(float64(f), sum, x[j])
		cost += float64(dist[j]) * mass
	}
	return cost
}

// Arrive is the sum with f times another, at a slot scaled by x, and the mass that this brings, both ways.
func (p Pair) Arrive(f float64, sum, x Pair) (y Pair, mass float64) {
	u, v := f*sum.U, f*sum.V
	return Pair{p.U + u, p.V + v}, x.U*v + x.V*u
}
