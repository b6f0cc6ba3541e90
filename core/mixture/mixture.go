// Package mixture multiplies by f(D) for a graph's distances D and a function f that is a sum of exponentials with positive weights:
//
//	f(x) = sum_k w_k exp(-r_k x),   f(D) y = sum_k w_k (exp(-r_k D) y).
//
// Each exponential is a kernel of ours, and all are made of the same labels and cover: only their factors differ. A product takes as many
// products as there are terms, for example 12 for 1/(x+1) up to x = 20 with an error of 1e-6 (core/kernel, Exponentials).
//
// # Deviations
//
// The paper multiplies with other functions than exp through separators of one vertex (Sec. 3.1.2 and Appendix A of the paper; core/kernel has these
// products). Separators of meshes have many vertices, and a pair's shortest path goes through one of them. Exponentials are the functions
// whose products need not know the pairs of each.
package mixture

import (
	"context"
	"errors"
	"fmt"
	"math"

	"genussink/core/internal/buffer"
	"genussink/core/internal/exponential"
	"genussink/core/linop"
)

// A Term is Weight times a kernel exp(-D/Epsilon).
type Term struct {
	Kernel  linop.Kernel
	Epsilon float64 // positive, in the unit of D
	Weight  float64 // positive
}

// Kernel is the sum of its terms. Its costs are of the distances themselves. One goroutine at a time.
type Kernel struct {
	terms []Term
	n     int
	room  [2][]float64
}

var (
	_ linop.Kernel         = (*Kernel)(nil)
	_ linop.PlanMultiplier = (*Kernel)(nil)
	_ linop.LogEntrier     = (*Kernel)(nil)
)

// New adds up kernels of the same distances.
func New(terms []Term) (*Kernel, error) {
	if len(terms) == 0 {
		return nil, errors.New("mixture: no terms")
	}
	n, _ := terms[0].Kernel.Dims()
	for k, t := range terms {
		rows, cols := t.Kernel.Dims()
		switch {
		case rows != n || cols != n:
			return nil, fmt.Errorf("mixture: term %d is of %d x %d, the first of %d", k, rows, cols, n)
		case !(t.Weight > 0) || math.IsInf(t.Weight, 1):
			return nil, fmt.Errorf("mixture: the weight of term %d is %g, not positive", k, t.Weight)
		case !(t.Epsilon > 0) || math.IsInf(t.Epsilon, 1):
			return nil, fmt.Errorf("mixture: epsilon of term %d is %g, not a positive length", k, t.Epsilon)
		}
		if _, other := t.Kernel.(linop.LogEntrier); other {
			return nil, fmt.Errorf("mixture: term %d is no exponential", k)
		}
		if own, known := t.Kernel.(linop.Scaler); known && own.Epsilon() != t.Epsilon {
			return nil, fmt.Errorf("mixture: epsilon of term %d is %g, and its kernel's is %g", k, t.Epsilon, own.Epsilon())
		}
	}
	return &Kernel{terms: terms, n: n, room: [2][]float64{make([]float64, n), make([]float64, n)}}, nil
}

// Dims returns n, n.
func (k *Kernel) Dims() (rows, cols int) { return k.n, k.n }

// MulVec computes dst = f(D) x.
func (k *Kernel) MulVec(ctx context.Context, dst, x []float64) ([]float64, error) {
	dst = buffer.Vector(dst, k.n)
	clear(dst)
	for _, t := range k.terms {
		if _, err := t.Kernel.MulVec(ctx, k.room[0], x); err != nil {
			return nil, err
		}
		add(dst, t.Weight, k.room[0])
	}
	return dst, nil
}

func add(y []float64, alpha float64, x []float64) {
	for i, x := range x {
		y[i] += alpha * x
	}
}

// LogMulVec computes dst_i = log sum_j f(D_ij) exp(x_j).
func (k *Kernel) LogMulVec(ctx context.Context, dst, x []float64) ([]float64, error) {
	dst = buffer.Vector(dst, k.n)
	for i := range dst {
		dst[i] = math.Inf(-1)
	}
	for _, t := range k.terms {
		if _, err := t.Kernel.LogMulVec(ctx, k.room[0], x); err != nil {
			return nil, err
		}
		w := math.Log(t.Weight)
		for i, y := range k.room[0] {
			dst[i] = logSum(dst[i], w+y)
		}
	}
	return dst, nil
}

// logSum is log(exp(a) + exp(b)).
func logSum(a, b float64) float64 {
	top := max(a, b)
	if top == math.Inf(-1) {
		return top
	}
	return top + math.Log1p(exponential.Exp(min(a, b)-top))
}

// PlanCost is sum_ij P_ij D_ij for P_ij = exp(logu_i) f(D_ij) exp(logv_j).
func (k *Kernel) PlanCost(ctx context.Context, logu, logv []float64) (cost float64, err error) {
	for _, t := range k.terms {
		w := math.Log(t.Weight)
		for i, u := range logu {
			k.room[0][i] = u + w
		}
		own, err := t.Kernel.PlanCost(ctx, k.room[0], logv)
		if err != nil {
			return 0, err
		}
		cost += own
	}
	return cost, nil
}

// MulPlan is linop.MulPlan.
func (k *Kernel) MulPlan(ctx context.Context, ku, kv, u, v []float64) (cost float64, err error) {
	clear(ku)
	clear(kv)
	var own []float64
	if kv != nil {
		own = k.room[1]
	}
	for _, t := range k.terms {
		c, err := linop.MulPlan(ctx, t.Kernel, k.room[0], own, u, v)
		if err != nil {
			return 0, err
		}
		cost += t.Weight * c
		add(ku, t.Weight, k.room[0])
		add(kv, t.Weight, own)
	}
	return cost, nil
}

// LogFloor is a lower bound on the logarithm of f at a distance: the best that one term says.
func (k *Kernel) LogFloor() float64 {
	floor := math.Inf(-1)
	for _, t := range k.terms {
		floor = max(floor, math.Log(t.Weight)+t.Kernel.LogFloor())
	}
	return floor
}

// LogEntry is log f(d).
func (k *Kernel) LogEntry(d float64) float64 {
	total := math.Inf(-1)
	for _, t := range k.terms {
		total = logSum(total, math.Log(t.Weight)-d/t.Epsilon)
	}
	return total
}

// Distances fills dst (len n, nil allocates) with row i of D. Any number of goroutines may call it where the terms' kernels allow that.
func (k *Kernel) Distances(ctx context.Context, dst []float64, i int) ([]float64, error) {
	return k.terms[0].Kernel.Distances(ctx, dst, i)
}
