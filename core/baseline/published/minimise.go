package published

import "math"

// memory is how many steps, with the changes of the gradient, a direction comes from: as in SciPy's L-BFGS-B.
const memory = 10

// box is a convex function of variables in bounds.
type box struct {
	low, high []float64
	// evaluate computes it at x, with its gradient g and a positive diagonal h in place of its second derivative.
	evaluate func(g, h, x []float64) (f float64, err error)
}

// place is where a box was evaluated.
type place struct {
	x, g, h []float64
	f       float64
}

// step is from one place to the next, and how the gradient changed.
type step struct{ dx, dg []float64 }

// minimise lowers the function from x, which is within the bounds. The direction is that of L-BFGS for the variables that are free, and of h
// for those at a bound that the gradient holds there; a step is cut at the bounds (two-metric projection: Bertsekas 1982; Schmidt, Kim and
// Sra 2011, Sec. 3). It ends where missed, the sum of what the gradient is and the bounds do not explain (the
// conditions of Karush, Kuhn and Tucker), is at most tolerance; after most evaluations; or where rounding leaves no lower value.
func (b *box) minimise(x []float64, tolerance float64, most int) (at []float64, evaluations int, missed float64, err error) {
	n := len(x)
	now, next := place{x: x, g: make([]float64, n), h: make([]float64, n)}, place{x: make([]float64, n), g: make([]float64, n), h: make([]float64, n)}
	d, free := make([]float64, n), make([]bool, n)
	var steps []step // oldest first
	if now.f, err = b.evaluate(now.g, now.h, now.x); err != nil {
		return nil, 0, 0, err
	}
	evaluations = 1
	for {
		if missed = b.missed(&now); missed <= tolerance {
			return now.x, evaluations, missed, nil
		}
		near := min(1e-6, missed) // to a bound is as good as at it: no step is cut to nothing
		for i, g := range now.g {
			free[i] = !(g > 0 && now.x[i] <= b.low[i]+near || g < 0 && now.x[i] >= b.high[i]-near)
		}
		now.direction(d, free, steps)
		for length := 1.0; ; length /= 2 {
			if evaluations >= most {
				return now.x, evaluations, missed, nil
			}
			descent := 0.0
			for i, v := range d {
				next.x[i] = min(max(now.x[i]+length*v, b.low[i]), b.high[i])
				descent -= now.g[i] * (next.x[i] - now.x[i])
			}
			if descent > 0 && length > 1e-9 {
				if next.f, err = b.evaluate(next.g, next.h, next.x); err != nil {
					return nil, evaluations, missed, err
				}
				evaluations++
				if now.lowered(&next, descent) {
					break
				}
				continue
			}
			if steps == nil {
				return now.x, evaluations, missed, nil
			}
			steps, length = nil, 2
			now.direction(d, free, nil)
		}
		if len(steps) == memory {
			steps = steps[1:]
		}
		s := step{make([]float64, n), make([]float64, n)}
		for i := range s.dx {
			s.dx[i], s.dg[i] = next.x[i]-now.x[i], next.g[i]-now.g[i]
		}
		steps = append(steps, s)
		now, next = next, now
	}
}

// missed is the sum of the gradient's values but for those that hold a variable at its bound.
func (b *box) missed(at *place) (sum float64) {
	for i, g := range at.g {
		if !(g > 0 && at.x[i] <= b.low[i] || g < 0 && at.x[i] >= b.high[i]) {
			sum += math.Abs(g)
		}
	}
	return sum
}

// lowered reports whether the function fell by enough of what the gradient promised or, where its values are the same but for rounding,
// whether the gradients say so (Hager and Zhang 2005).
func (p *place) lowered(next *place, descent float64) bool {
	const enough, rounding = 1e-4, 1e-13
	if next.f <= p.f-enough*descent {
		return true
	}
	rise := 0.0
	for i, g := range next.g {
		rise += g * (next.x[i] - p.x[i])
	}
	return math.Abs(next.f-p.f) <= rounding*(1+math.Abs(p.f)) && rise <= (1-2*enough)*descent
}

// direction sets d to less than 0 times the gradient: by the steps' two loops (Nocedal 1980) among the free variables, by h for the others.
func (p *place) direction(d []float64, free []bool, steps []step) {
	dot := func(a, b []float64) (sum float64) {
		for i, x := range a {
			if free[i] {
				sum += x * b[i]
			}
		}
		return sum
	}
	for i, g := range p.g {
		d[i] = -g
	}
	shares, curvatures := make([]float64, len(steps)), make([]float64, len(steps))
	for k := len(steps) - 1; k >= 0; k-- {
		s := steps[k]
		if curvatures[k] = dot(s.dx, s.dg); curvatures[k] > 0 {
			shares[k] = dot(s.dx, d) / curvatures[k]
			for i, y := range s.dg {
				if free[i] {
					d[i] -= shares[k] * y
				}
			}
		}
	}
	for i, h := range p.h {
		d[i] /= h
	}
	for k, s := range steps {
		if curvatures[k] > 0 {
			share := shares[k] - dot(s.dg, d)/curvatures[k]
			for i, x := range s.dx {
				if free[i] {
					d[i] += share * x
				}
			}
		}
	}
}
