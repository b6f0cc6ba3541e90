package transport

import (
	"context"
	"math"
	"slices"

	"genussink/core/internal/exponential"
	"genussink/core/internal/parallel"
)

// Coarse is a small problem that stands in for one of n vertices: m of them, the representatives, with a kernel k of
// their own, and an interpolation W, n x m. The large kernel is about W k W^T. Solve corrects its potentials by it
// (correction). Values of this type are compared, so they are best pointers. One solve uses it at a time.
type Coarse interface {
	Len() (vertices, representatives int)
	Kernel(ctx context.Context, epsilon float64) ([]float64, error) // k, row by row; not to be changed
	Restrict(x []float64) []float64                                 // the masses x of the vertices, handed to the representatives
	Interpolate(y, x []float64)                                     // y += W x
}

// correction improves a step of Sinkhorn's iteration: by the small problem, which has
// the marginals handed to the representatives. It is solved for the marginals that are
// wanted and for those that the plan has. By as much as its log K^T u differ, those of
// the plan will still change: a multigrid method's coarse correction (the full
// approximation scheme of Brandt 1977). What the small problem cannot see, the
// products smooth away.
type correction struct {
	c          Coarse
	kernel     []float64 // of the small problem, m x m
	ctx        context.Context
	tolerance  float64
	source     []float64
	wanted     products  // for the marginals that are wanted
	found      products  // of the problem solved last
	step       *anderson // of the problem solved last: the next one is much the same
	prediction *prediction
	logv       []float64 // scratch
	x          []float64
}

// products are log K v and log K^T u of a solution.
type products struct{ kv, ku []float64 }

// turned are the products where source and target change places.
func (p products) turned() products { return products{p.ku, p.kv} }

// accuracy is what share of the plan's marginal error the small problem's may have.
const accuracy = 1e-3

// patience is how many iterations a small problem may take.
const patience = 300

// newCorrection solves the small problem for the marginals a and b to a tolerance
// that no later one goes below, from the ku of one solved before, nil where there is none; room is for vectors as long as those. nil: in vain.
func newCorrection(ctx context.Context, c Coarse, epsilon float64, a, b []float64, tolerance float64, ku []float64, room *workspace) (*correction, error) {
	_, m := c.Len()
	kernel, err := c.Kernel(ctx, epsilon)
	if err != nil {
		return nil, err
	}
	k := &correction{
		c: c, kernel: kernel, ctx: ctx, tolerance: tolerance, source: c.Restrict(a),
		found: products{make([]float64, m), make([]float64, m)}, logv: make([]float64, m), x: make([]float64, m),
		prediction: newPrediction(room),
	}
	if ku == nil {
		ku = make([]float64, m)
	}
	if ok, err := k.solve(c.Restrict(b), tolerance, ku); !ok {
		return nil, err
	}
	k.wanted = products{slices.Clone(k.found.kv), slices.Clone(k.found.ku)}
	return k, nil
}

// solve runs Sinkhorn's iteration on the small problem from a log K^T u. False: it
// does not come to the tolerance, or there is an error.
func (k *correction) solve(target []float64, tolerance float64, ku []float64) (ok bool, err error) {
	logs, image, v := make([]float64, len(target)), make([]float64, len(target)), make([]float64, len(target))
	for i, b := range target {
		logs[i] = math.Log(b)
		if k.logv[i] = logs[i] - ku[i]; !finite(k.logv[i]) {
			k.logv[i] = 0 // a place that had no mass, or has none
		}
	}
	step := newAnderson(target, &workspace{n: len(target)})
	step.inherit(k.step)
	k.step = step
	for range patience {
		for i, l := range k.logv {
			v[i] = 0
			if target[i] > 0 {
				v[i] = exponential.Exp(l)
			}
		}
		if err := k.multiply(k.found.kv, v); err != nil {
			return false, err
		}
		for i, a := range k.source {
			k.x[i] = 0
			if a > 0 {
				k.x[i] = a / k.found.kv[i]
			}
		}
		if err := k.multiply(k.found.ku, k.x); err != nil {
			return false, err
		}
		e := 0.0
		for i, b := range target {
			y := k.found.ku[i]
			k.found.ku[i] = math.Log(y)
			if b > 0 {
				e += math.Abs(v[i]*y - b)
				image[i] = logs[i] - k.found.ku[i]
			}
		}
		if !finite(e) {
			return false, nil
		}
		if e <= tolerance {
			for i, y := range k.found.kv {
				k.found.kv[i] = math.Log(y)
			}
			return true, nil
		}
		step.next(k.logv, image, nil, e)
	}
	return false, nil
}

// multiply sets y = k x, unless the context ends.
func (k *correction) multiply(y, x []float64) error {
	m := len(y)
	rows := ((1<<15)/m + 4) &^ 3 // a part takes some 10 us; four rows are summed alike in whatever part
	parts := (m + rows - 1) / rows
	return parallel.Each(k.ctx, parallel.Workers(parts), parts, func(_, part int) {
		i, end := part*rows, min(m, (part+1)*rows)
		for ; i+4 <= end; i += 4 {
			fourProducts(y[i:i+4], k.kernel[i*m:][:4*m], x)
		}
		for ; i < end; i++ {
			y[i] = product(k.kernel[i*m:][:m], x)
		}
	})
}

// fourProducts sets y to four rows, one after the other, times x.
func fourProducts(y, rows, x []float64) {
	m := len(x)
	r0, r1, r2, r3 := rows[:m], rows[m:][:m], rows[2*m:][:m], rows[3*m:][:m]
	var s0, s1, s2, s3 float64
	for i, x := range x {
		s0 += r0[i] * x
		s1 += r1[i] * x
		s2 += r2[i] * x
		s3 += r3[i] * x
	}
	y[0], y[1], y[2], y[3] = s0, s1, s2, s3
}

// correct improves image, the next log v, given the masses of the plan's
// columns and their error. False: it is what it was.
func (k *correction) correct(image, columns []float64, e float64) (ok bool, err error) {
	if ok, err := k.solve(k.c.Restrict(columns), max(k.tolerance, accuracy*e), k.wanted.ku); !ok {
		return false, err
	}
	k.follow(image, k.found.ku, k.wanted.ku)
	return true, nil
}

// follow adds to y what the values of the representatives change by.
func (k *correction) follow(y, after, before []float64) {
	for i := range k.x {
		if k.x[i] = after[i] - before[i]; !finite(k.x[i]) {
			k.x[i] = 0 // nothing reaches it
		}
	}
	k.c.Interpolate(y, k.x)
}
