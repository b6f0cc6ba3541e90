package quantized

import (
	"context"
	"math"

	"genussink/core/baseline"
	"genussink/core/internal/exponential"
	"genussink/core/linop"
)

// Kernel is the n x n kernel exp(-D/epsilon) where D_ij is the distance of the cells of i and j. A vertex without a cell
// reaches nothing, nor does anything reach it. It serves one goroutine at a time, but for Row and Distances.
type Kernel struct {
	cells   *Cells
	small   *baseline.Dense // of the cells, k x k
	epsilon float64
	x, y, z []float64 // k each
	top     []float64
	factor  []float64 // of the product made last, for Draw; nil: there is none
	logs    bool      // factor is of logarithms
	members [][]int32 // the vertices of each cell; nil until Draw needs them
}

var (
	_ linop.Kernel = (*Kernel)(nil)
	_ linop.Rower  = (*Kernel)(nil)
	_ linop.Drawer = (*Kernel)(nil)
)

// NewKernel is the cells' kernel. It holds 8 bytes for every pair of cells.
func NewKernel(ctx context.Context, c *Cells, epsilon float64) (*Kernel, error) {
	k := c.Count()
	small, err := baseline.NewMatrixOf[float64](ctx, k, epsilon, baseline.Options{}, func(dst []float64, i int) { copy(dst, c.Distance[i*k:][:k]) })
	if err != nil {
		return nil, err
	}
	return &Kernel{cells: c, small: small, epsilon: epsilon, x: make([]float64, k), y: make([]float64, k), z: make([]float64, k), top: make([]float64, k)}, nil
}

// Cells are those that the kernel is of.
func (k *Kernel) Cells() *Cells { return k.cells }

// Bytes is the memory that the kernel holds, with its cells.
func (k *Kernel) Bytes() int64 {
	m := k.cells.Count()
	return baseline.DenseBytes(m) + 8*int64(m)*int64(m) + 4*int64(len(k.cells.Of))
}

// Dims returns n, n.
func (k *Kernel) Dims() (rows, cols int) { return len(k.cells.Of), len(k.cells.Of) }

// LogFloor is -D/epsilon for the greatest finite distance D.
func (k *Kernel) LogFloor() float64 { return k.small.LogFloor() }

func (k *Kernel) vector(dst []float64) []float64 {
	if dst == nil {
		return make([]float64, len(k.cells.Of))
	}
	if len(dst) != len(k.cells.Of) {
		panic("quantized: vector of the wrong length")
	}
	return dst
}

// sum adds x up over the vertices of each cell. x has an entry for each vertex, y gets one for each cell.
func (k *Kernel) sum(y, x []float64) {
	clear(y)
	for v, cell := range k.cells.Of {
		if cell >= 0 {
			y[cell] += x[v]
		}
	}
}

// spread gives every vertex the entry of y of its cell. The argument nothing is the value for a
// vertex without a cell.
func (k *Kernel) spread(dst, y []float64, nothing float64) {
	for v, cell := range k.cells.Of {
		if dst[v] = nothing; cell >= 0 {
			dst[v] = y[cell]
		}
	}
}

// MulVec computes dst = K x: a product with the k x k kernel, and a look at every vertex.
func (k *Kernel) MulVec(ctx context.Context, dst, x []float64) ([]float64, error) {
	dst = k.vector(dst)
	k.factor = nil
	k.sum(k.x, k.vector(x))
	if _, err := k.small.MulVec(ctx, k.y, k.x); err != nil {
		return nil, err
	}
	k.spread(dst, k.y, 0)
	k.factor, k.logs = x, false
	return dst, nil
}

// logSum sets y to the logarithms of what the vertices of each cell have of exp(x).
func (k *Kernel) logSum(y, x []float64) {
	for i := range y {
		k.top[i], y[i] = math.Inf(-1), 0
	}
	for v, cell := range k.cells.Of {
		if cell >= 0 {
			k.top[cell] = max(k.top[cell], x[v])
		}
	}
	for v, cell := range k.cells.Of {
		if cell >= 0 && x[v] > math.Inf(-1) {
			y[cell] += exponential.Exp(x[v] - k.top[cell])
		}
	}
	for i, s := range y {
		if y[i] = math.Inf(-1); s > 0 {
			y[i] = k.top[i] + math.Log(s)
		}
	}
}

// LogMulVec computes dst_i = log sum_j exp(x_j - D_ij/epsilon).
func (k *Kernel) LogMulVec(ctx context.Context, dst, x []float64) ([]float64, error) {
	dst = k.vector(dst)
	k.factor = nil
	k.logSum(k.x, k.vector(x))
	if _, err := k.small.LogMulVec(ctx, k.y, k.x); err != nil {
		return nil, err
	}
	k.spread(dst, k.y, math.Inf(-1))
	k.factor, k.logs = x, true
	return dst, nil
}

// PlanCost is sum_ij P_ij D_ij for P_ij = exp(logu_i - D_ij/epsilon + logv_j).
func (k *Kernel) PlanCost(ctx context.Context, logu, logv []float64) (float64, error) {
	k.logSum(k.x, k.vector(logu))
	k.logSum(k.z, k.vector(logv))
	return k.small.PlanCost(ctx, k.x, k.z)
}

// Distances fills dst (len n, nil allocates) with row i of D: the distances from the cell of vertex i to the cell of every
// vertex, +Inf where either vertex has no cell. Any goroutine may call it.
func (k *Kernel) Distances(ctx context.Context, dst []float64, i int) ([]float64, error) {
	dst = k.vector(dst)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	own, m := k.cells.Of[i], k.cells.Count()
	for v, cell := range k.cells.Of {
		if dst[v] = math.Inf(1); cell >= 0 && own >= 0 {
			dst[v] = k.cells.Distance[int(own)*m+int(cell)]
		}
	}
	return dst, nil
}

// Row fills dst (len n, nil allocates) with row i of K. From any goroutine.
func (k *Kernel) Row(ctx context.Context, dst []float64, i int) ([]float64, error) {
	dst = k.vector(dst)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	clear(dst)
	if own := k.cells.Of[i]; own >= 0 {
		m := k.cells.Count()
		row := make([]float64, m)
		for j, d := range k.cells.Distance[int(own)*m:][:m] {
			row[j] = exponential.Exp(-d / k.epsilon)
		}
		k.spread(dst, row, 0)
	}
	return dst, nil
}

// Draw is linop.Draw: a cell first, then one of its vertices.
func (k *Kernel) Draw(ctx context.Context, sources []int32, u []float64) (targets []int32, dist []float64, err error) {
	if err := ctx.Err(); err != nil || k.factor == nil {
		return nil, nil, err
	}
	m := k.cells.Count()
	if k.members == nil {
		k.members = make([][]int32, m)
		for v, cell := range k.cells.Of {
			if cell >= 0 {
				k.members[cell] = append(k.members[cell], int32(v))
			}
		}
	}
	targets, dist = make([]int32, len(sources)), make([]float64, len(sources))
	// The factor's logarithms, of each cell's vertices together, and running sums from each source's cell.
	if !k.logs {
		k.sum(k.x, k.factor)
		for i, x := range k.x {
			k.x[i] = math.Log(x)
		}
	} else {
		k.logSum(k.x, k.factor)
	}
	running := make([][]float64, m)
	for i, source := range sources {
		targets[i] = -1
		own := k.cells.Of[source]
		if own < 0 {
			continue
		}
		row := k.cells.Distance[int(own)*m:][:m]
		if running[own] == nil {
			if err := ctx.Err(); err != nil {
				return nil, nil, err
			}
			sums, total, top := make([]float64, m), 0.0, math.Inf(-1)
			for j, d := range row {
				top = max(top, k.x[j]-d/k.epsilon)
			}
			for j, d := range row {
				if t := k.x[j] - d/k.epsilon; t > math.Inf(-1) {
					total += exponential.Exp(t - top)
				}
				sums[j] = total
			}
			running[own] = sums
		}
		sums := running[own]
		if sums[m-1] == 0 {
			continue
		}
		cell, before, in := pick(sums, u[i]*sums[m-1])
		targets[i] = k.pickVertex(cell, (u[i]*sums[m-1]-before)/in)
		dist[i] = row[cell]
	}
	return targets, dist, nil
}

// pick finds the first running sum above x, the one before it and their difference.
func pick(sums []float64, x float64) (at int, before, in float64) {
	lo, hi := 0, len(sums)-1
	for lo < hi {
		if mid := (lo + hi) / 2; sums[mid] > x {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	for lo > 0 && sums[lo] == sums[lo-1] { // x is the whole sum, but for rounding: the last that has any
		lo--
	}
	if lo > 0 {
		before = sums[lo-1]
	}
	return lo, before, sums[lo] - before
}

// pickVertex is the vertex of a cell at which the running sum of the factor reaches a share of the whole.
func (k *Kernel) pickVertex(cell int, share float64) int32 {
	value := func(v int32) float64 {
		if k.logs {
			return exponential.Exp(k.factor[v] - k.x[cell])
		}
		return k.factor[v]
	}
	total := 0.0
	for _, v := range k.members[cell] {
		total += value(v)
	}
	sum, last := 0.0, int32(-1)
	for _, v := range k.members[cell] {
		x := value(v)
		if x > 0 {
			last = v
		}
		if sum += x; sum > share*total {
			break
		}
	}
	return last
}
