package treekernel

import (
	"context"
	"fmt"
	"math"

	"genussink/core/internal/exponential"
	"genussink/core/internal/parallel"
	"genussink/core/linop"
)

// Kernel is exp(-d/epsilon) for the distances d of a tree. It is exact: its
// products differ from the matrix's by rounding alone. One goroutine at a time.
type Kernel struct {
	t       *Tree
	epsilon float64

	factors []factors // by program, exp(-d/epsilon) of its steps

	post        *post
	behind, got []float64 // by slot: the sum of what is behind it, and of what arrives
	behindTop   []float64 // in a log product, the exponents that these are relative to; nil until the first
	gotTop      []float64
	sweep       *sweep // nil until the first row of distances

	rise, fall, logRise, logFall func(_, part int) // bound once, so that a product allocates nothing
}

type factors struct{ up, pairs, blocks []float64 }

var (
	_ linop.Kernel = (*Kernel)(nil)
	_ linop.Scaler = (*Kernel)(nil)
)

// NewKernel prepares the kernel at epsilon > 0, in the graph's unit. Above the
// memory limit, in bytes, 0 for none, the error is a *linop.MemoryError.
func NewKernel(ctx context.Context, t *Tree, epsilon float64, limit int64) (*Kernel, error) {
	if !(epsilon > 0) || math.IsInf(epsilon, 1) {
		return nil, fmt.Errorf("treekernel: epsilon is %g, it must be positive and finite", epsilon)
	}
	k := &Kernel{t: t, epsilon: epsilon, factors: make([]factors, len(t.parts)+1)}
	if need := k.Bytes(); limit > 0 && need > limit {
		return nil, &linop.MemoryError{What: "treekernel: the tree and kernel", Vertices: t.n, Need: need, Limit: limit}
	}
	k.post = newPost(t)
	k.behind, k.got = make([]float64, t.slots), make([]float64, t.slots)
	k.rise, k.fall, k.logRise, k.logFall = k.risePart, k.fallPart, k.logRisePart, k.logFallPart
	err := parallel.Each(ctx, parallel.Workers(len(k.factors)), len(k.factors), func(_, i int) {
		p, f := t.program(i), &k.factors[i]
		f.up, f.pairs, f.blocks = factor(ctx, p.up.dist, epsilon), factor(ctx, p.pairs.dist, epsilon), factor(ctx, p.dist, epsilon)
	})
	if err == nil {
		err = ctx.Err() // a part of its own stops early
	}
	return k, err
}

// factor is exp(-d/epsilon). It stops early when ctx ends.
func factor(ctx context.Context, dist []float64, epsilon float64) []float64 {
	out := make([]float64, len(dist))
	for n, d := range dist {
		if n%(1<<16) == 0 && ctx.Err() != nil {
			break
		}
		out[n] = exponential.Exp(-d / epsilon)
	}
	return out
}

// Bytes is the memory in bytes that the kernel holds, without the tree: a
// factor for every step, up to six numbers for every slot and two for every
// vertex.
func (k *Kernel) Bytes() int64 {
	b := 6*8*int64(k.t.slots) + 2*8*int64(k.t.n)
	for i := range len(k.t.parts) + 1 {
		p := k.t.program(i)
		b += 8 * int64(len(p.up.dist)+len(p.pairs.dist)+len(p.dist))
	}
	return b
}

// Dims returns n, n.
func (k *Kernel) Dims() (rows, cols int) { return k.t.n, k.t.n }

// Epsilon is the epsilon of K, in the graph's unit.
func (k *Kernel) Epsilon() float64 { return k.epsilon }

// LogFloor is -d/epsilon for an upper bound d on the finite distances.
func (k *Kernel) LogFloor() float64 { return -k.t.diameter / k.epsilon }

func (k *Kernel) vector(dst []float64) []float64 {
	if dst == nil {
		return make([]float64, k.t.n)
	}
	if len(dst) != k.t.n {
		panic("treekernel: a vector has the wrong length")
	}
	return dst
}

// Distances fills dst (len n, nil allocates) with the distances of vertex i.
func (k *Kernel) Distances(ctx context.Context, dst []float64, i int) ([]float64, error) {
	dst = k.vector(dst)
	if k.sweep == nil {
		k.sweep = newSweep(k.t)
	}
	for v := range dst {
		dst[v] = math.Inf(1)
	}
	dst[i] = 0
	if err := k.sweep.run(ctx, dst); err != nil {
		return nil, err
	}
	return dst, nil
}

// MulVec computes dst = K x.
func (k *Kernel) MulVec(ctx context.Context, dst, x []float64) ([]float64, error) {
	dst = k.vector(dst)
	if err := k.post.through(ctx, dst, k.vector(x), k.rise, k.fall); err != nil {
		return nil, err
	}
	return dst, nil
}

func (k *Kernel) risePart(_, part int) {
	p, f, behind, got := k.t.program(part), &k.factors[part], k.behind, k.got
	clear(behind[p.base:][:p.slots])
	clear(got[p.base:][:p.slots])
	for i, x := range k.post.of(p) {
		behind[p.homes[i]], got[p.homes[i]] = x, x
	}
	factor := f.up[:len(p.up.ends)]
	for i, a := range p.up.ends {
		behind[a.to] += factor[i] * behind[a.from]
	}
	for i, a := range p.pairs.ends {
		e := f.pairs[i]
		got[a.from] += e * behind[a.to]
		got[a.to] += e * behind[a.from]
	}
	for i := range p.blocks {
		b := &p.blocks[i]
		at := b.at
		for r := range b.rows {
			row, col, width := b.row+r, b.col, int(b.cols)
			if b.triangle() {
				col, width = row+1, int(b.rows-r)-1
			}
			values := f.blocks[at:][:width]
			at += width
			in, back := behind[col:][:width], got[col:][:width]
			x, sum := behind[row], 0.0
			for c, e := range values {
				sum += e * in[c]
				back[c] += e * x
			}
			got[row] += sum
		}
	}
}

func (k *Kernel) fallPart(_, part int) {
	p, got := k.t.program(part), k.got
	factor := k.factors[part].up[:len(p.up.ends)]
	for i := len(p.up.ends) - 1; i >= 0; i-- {
		a := p.up.ends[i]
		got[a.from] += factor[i] * got[a.to]
	}
	mail := k.post.of(p)
	for i, h := range p.homes {
		mail[i] = got[h]
	}
}

// exponents is a list of numbers sum[i]*exp(top[i]), 0 where top is -Inf.
type exponents struct{ top, sum []float64 }

// add adds w*exp(t) to number i.
func (e exponents) add(i int32, t, w float64) {
	switch top := e.top[i]; {
	case t <= top:
		if t > top-negligible {
			e.sum[i] += w * exponential.Exp(t-top)
		}
	case t > math.Inf(-1): // false for NaN
		if top == math.Inf(-1) {
			e.top[i], e.sum[i] = t, w
		} else {
			e.top[i], e.sum[i] = t, e.sum[i]*exponential.Exp(top-t)+w
		}
	}
}

// negligible is how far below the greatest term of a sum, in logarithm, others
// are left out. A term w*exp(t) has w up to the number n of vertices, so that
// with n < 2^31 each is below exp(22-100), n of them below exp(44-100) = 5e-25 of the sum.
const negligible = 100

// LogMulVec computes dst_i = log sum_j exp(x_j - d_ij/epsilon), on the same
// program as MulVec.
func (k *Kernel) LogMulVec(ctx context.Context, dst, x []float64) ([]float64, error) {
	dst = k.vector(dst)
	if k.behindTop == nil {
		k.behindTop, k.gotTop = make([]float64, k.t.slots), make([]float64, k.t.slots)
	}
	if err := k.post.through(ctx, dst, k.vector(x), k.logRise, k.logFall); err != nil {
		return nil, err
	}
	return dst, nil
}

func (k *Kernel) logRisePart(_, part int) {
	p, scale := k.t.program(part), 1/k.epsilon
	behind, got := exponents{k.behindTop, k.behind}, exponents{k.gotTop, k.got}
	for i := p.base; i < p.base+p.slots; i++ {
		behind.top[i], behind.sum[i] = math.Inf(-1), 0
		got.top[i], got.sum[i] = math.Inf(-1), 0
	}
	for i, x := range k.post.of(p) {
		behind.add(p.homes[i], x, 1)
		got.add(p.homes[i], x, 1)
	}
	for i, a := range p.up.ends {
		behind.add(a.to, behind.top[a.from]-p.up.dist[i]*scale, behind.sum[a.from])
	}
	for i, a := range p.pairs.ends {
		d := p.pairs.dist[i] * scale
		got.add(a.from, behind.top[a.to]-d, behind.sum[a.to])
		got.add(a.to, behind.top[a.from]-d, behind.sum[a.from])
	}
	for i := range p.blocks {
		p.blocks[i].each(p.dist, func(row, col int32, dist []float64) {
			top, sum := behind.top[row], behind.sum[row]
			for c, d := range dist {
				c := col + int32(c)
				d *= scale
				got.add(row, behind.top[c]-d, behind.sum[c])
				got.add(c, top-d, sum)
			}
		})
	}
}

func (k *Kernel) logFallPart(_, part int) {
	p, scale := k.t.program(part), 1/k.epsilon
	got := exponents{k.gotTop, k.got}
	for i := len(p.up.ends) - 1; i >= 0; i-- {
		a := p.up.ends[i]
		got.add(a.from, got.top[a.to]-p.up.dist[i]*scale, got.sum[a.to])
	}
	mail := k.post.of(p)
	for i, h := range p.homes {
		mail[i] = got.top[h]
		if got.top[h] > math.Inf(-1) {
			mail[i] += math.Log(got.sum[h])
		}
	}
}

// PlanCost is sum_ij P_ij d_ij for P_ij = exp(logu_i - d_ij/epsilon + logv_j).
// A step through which many pairs run takes their sum with and without the
// distance; both scalings of a pair stand on either side.
func (k *Kernel) PlanCost(ctx context.Context, logu, logv []float64) (float64, error) {
	posts := [2]*post{k.post, newPost(k.t)}
	for s, x := range [2][]float64{logu, logv} {
		if err := posts[s].each(ctx, k.vector(x), posts[s].put); err != nil {
			return 0, err
		}
	}
	n := k.t.slots
	top := [2][]float64{make([]float64, n), make([]float64, n)}
	sum := [2][]float64{make([]float64, n), make([]float64, n)}
	far := [2][]float64{make([]float64, n), make([]float64, n)} // the sum with the distance
	costs := make([]float64, len(k.t.parts)+1)
	scale := 1 / k.epsilon
	rise := func(_, part int) {
		p := k.t.program(part)
		for s := range posts {
			top, sum, far := top[s], sum[s], far[s]
			for i := p.base; i < p.base+p.slots; i++ {
				top[i] = math.Inf(-1)
			}
			for i, l := range posts[s].of(p) {
				if h := p.homes[i]; l > math.Inf(-1) {
					top[h], sum[h] = l, 1
				}
			}
			for i, a := range p.up.ends {
				d := p.up.dist[i]
				t := top[a.from] - d*scale
				if math.IsInf(t, -1) {
					continue
				}
				w, f := 1.0, far[a.from]+d*sum[a.from]
				if t > top[a.to] {
					e := exponential.Exp(top[a.to] - t)
					sum[a.to] *= e
					far[a.to] *= e
					top[a.to] = t
				} else {
					w = exponential.Exp(t - top[a.to])
				}
				sum[a.to] += w * sum[a.from]
				far[a.to] += w * f
			}
		}
		cost := 0.0
		cross := func(a, b int32, d float64) {
			for s := range 2 {
				if t := top[s][a] + top[1-s][b] - d*scale; t > -745 { // else it is 0
					cost += exponential.Exp(t) * (sum[s][a]*(far[1-s][b]+d*sum[1-s][b]) + far[s][a]*sum[1-s][b])
				}
			}
		}
		for i, a := range p.pairs.ends {
			cross(a.from, a.to, p.pairs.dist[i])
		}
		for i := range p.blocks {
			p.blocks[i].each(p.dist, func(row, col int32, dist []float64) {
				for c, d := range dist {
					cross(row, col+int32(c), d)
				}
			})
		}
		costs[part] = cost
	}
	if err := k.t.run(ctx, rise, func(_, _ int) {}); err != nil {
		return 0, err
	}
	total := 0.0
	for _, c := range costs {
		total += c
	}
	return total, nil
}
