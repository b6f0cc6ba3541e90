// Package baseline holds the methods that the tree is measured against. Dense
// is the yardstick and the oracle: every pair's distance, kept. It is the
// brute force that the paper compares with (Sec. 4).
//
// # Deviations
//
// From the paper: the matrix is symmetric, and only the half on and above the
// diagonal is kept. The other methods of Sec. 4 are in published.
package baseline

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync/atomic"
	"unsafe"

	"genussink/core/graph"
	"genussink/core/internal/exponential"
	"genussink/core/internal/parallel"
	"genussink/core/linop"
	"genussink/core/shortest"
)

const (
	tile   = 64 // side of a tile: 32 KB of float64, one core's first cache
	cells  = tile * tile
	strips = 16 // parallel pieces of a product, fixed so that sums do not depend on the processors
)

// Matrix is the Gibbs kernel exp(-d/epsilon) of all pairs' shortest-path
// distances, from one Dijkstra per vertex. Both matrices are symmetric and
// only tiles on and above the diagonal are kept: Bytes(n) in all. A product
// reads every kept entry once, for its row and for its column, and adds up in
// float64 whatever the entries are. Entries of float32 are right to 6e-8 of
// themselves as long as they do not underflow, which needs d < 87 epsilon.
type Matrix[T Float] struct {
	n, side int   // vertices; tiles in a row
	held    []int // the rows of tiles that are there: all, but for Predict
	first   []int // row of tiles -> where its first begins, the one on the diagonal
	epsilon float64
	floor   float64
	d, k    []T // distances and kernel, tile (I,J), I <= J, from at(I,J), row-major

	// The product under way. Each strip adds into its own vector, and the
	// vectors are added in a fixed order: the answer does not depend on timing.
	ctx                                            context.Context
	x, y                                           []float64
	sum, top                                       [strips][]float64
	cost                                           [strips]float64
	multiply, logMultiply, integrate, integrateLog func(worker, strip int) // bound once, so that products do not allocate
}

// Float is what a Matrix holds.
type Float interface{ float32 | float64 }

// Dense is the oracle.
type Dense = Matrix[float64]

var (
	_ linop.Kernel = (*Matrix[float64])(nil)
	_ linop.Kernel = (*Matrix[float32])(nil)
	_ linop.Rower  = (*Dense)(nil)
	_ linop.Scaler = (*Dense)(nil)
)

// Options of NewDense.
type Options struct {
	MemoryLimit int64                                // bytes that DenseBytes may not exceed; 0: no limit
	Progress    func(stage string, fraction float64) // told "kernel" and the share of the rows done, by one goroutine at a time; nil: nobody asks
	row         func() (end func())                  // called when a row begins, returns what is called at its end; nil: nobody. From any goroutine
}

// DenseBytes is Bytes of Dense.
func DenseBytes(n int) int64 { return Bytes[float64](n) }

// Bytes is the memory in bytes that NewMatrix holds for n vertices: half of
// the distances and half of the kernel, in whole tiles.
func Bytes[T Float](n int) int64 {
	if n > 1<<29 {
		return math.MaxInt64
	}
	var entry T
	side := (int64(n) + tile - 1) / tile
	return int64(unsafe.Sizeof(entry)) * cells * side * (side + 1)
}

// NewDense is NewMatrix for float64.
func NewDense(ctx context.Context, g *graph.Graph, epsilon float64, o Options) (*Dense, error) {
	return NewMatrix[float64](ctx, g, epsilon, o)
}

// NewMatrix computes all distances of g, on all processors, and their kernel
// for epsilon > 0 in the graph's unit. Above the memory limit the error is a
// *linop.MemoryError.
func NewMatrix[T Float](ctx context.Context, g *graph.Graph, epsilon float64, o Options) (*Matrix[T], error) {
	return newMatrix[T](ctx, g.Len(), epsilon, o, 1, 1, dijkstra(g))
}

// NewMatrixOf computes the kernel of given distances, n x n, symmetric: row fills dst with row i, from any goroutine. A
// distance may be +Inf, and that of a vertex from itself more than 0.
func NewMatrixOf[T Float](ctx context.Context, n int, epsilon float64, o Options, row func(dst []float64, i int)) (*Matrix[T], error) {
	return newMatrix[T](ctx, n, epsilon, o, 1, 1, func() func(dst []float64, i int) { return row })
}

// dijkstra makes what computes rows of g's distances, one for each goroutine.
func dijkstra(g *graph.Graph) func() func(dst []float64, i int) {
	return func() func(dst []float64, i int) {
		solver := shortest.NewSolver(g)
		return func(dst []float64, i int) { solver.Distances(dst, int32(i)) }
	}
}

// newMatrix leaves out all rows of tiles but one in every so many, and of their rows computes one in every step; the
// others stay 0.
func newMatrix[T Float](ctx context.Context, n int, epsilon float64, o Options, every, step int, source func() func(dst []float64, i int)) (*Matrix[T], error) {
	if !(epsilon > 0) || math.IsInf(epsilon, 1) {
		return nil, fmt.Errorf("baseline: epsilon is %g, it must be positive and finite", epsilon)
	}
	limit := o.MemoryLimit
	if limit <= 0 {
		limit = math.MaxInt64 - 1
	}
	if need := Bytes[T](n); need > limit {
		return nil, &linop.MemoryError{What: "baseline: the distances and the kernel", Vertices: n, Need: need, Limit: limit}
	}
	m := &Matrix[T]{n: n, side: (n + tile - 1) / tile, epsilon: epsilon}
	m.first = make([]int, m.side)
	total := 0
	var rows []int
	for I := every / 2; I < m.side; I += every {
		m.held, m.first[I] = append(m.held, I), total
		total += cells * (m.side - I)
		for i := I * tile; i < min(I*tile+tile, n); i += step {
			rows = append(rows, i)
		}
	}
	m.d, m.k = make([]T, total), make([]T, total)
	if o.row != nil { // the first write to a page is slow, and rows far apart share no page: measured rows are written to memory in use
		clear(m.d)
		clear(m.k)
	}
	m.multiply, m.logMultiply = m.mulStrip, m.logStrip
	m.integrate, m.integrateLog = m.costStrip, m.costLogStrip

	workers := parallel.Workers(len(rows))
	fill := make([]func(dst []float64, i int), workers)
	row := make([][]float64, workers)
	far := make([]float64, workers) // greatest finite distance
	for w := range workers {
		fill[w], row[w] = source(), make([]float64, n)
	}
	var done atomic.Int64
	err := parallel.Each(ctx, workers, len(rows), func(w, at int) {
		i := rows[at]
		if o.row != nil {
			defer o.row()()
		}
		fill[w](row[w], i)
		far[w] = max(far[w], m.keep(i, row[w]))
		if c := done.Add(1); o.Progress != nil && w == 0 {
			o.Progress("kernel", float64(c)/float64(len(rows)))
		}
	})
	if err != nil {
		return nil, err
	}
	m.floor = -slices.Max(far) / epsilon
	for s := range strips {
		m.sum[s], m.top[s] = make([]float64, n), make([]float64, n)
	}
	return m, nil
}

// keep stores the part of row i right of the diagonal, and its kernel, and
// returns the greatest finite distance in it.
func (m *Matrix[T]) keep(i int, row []float64) (far float64) {
	I, r := i/tile, i%tile
	for J := I; J < m.side; J++ {
		from := m.at(I, J) + r*tile
		d, k := m.d[from:from+tile], m.k[from:from+tile]
		first := 0
		if I == J {
			first = r
		}
		for c := first; c < tile && J*tile+c < m.n; c++ {
			x := row[J*tile+c]
			d[c], k[c] = T(x), T(exponential.Exp(-x/m.epsilon))
			if x > far && x < math.Inf(1) {
				far = x
			}
			if I == J { // the diagonal's tiles are whole
				mirror := m.at(I, I) + c*tile + r
				m.d[mirror], m.k[mirror] = d[c], k[c]
			}
		}
	}
	return far
}

// at is where tile (I,J), I <= J, begins.
func (m *Matrix[T]) at(I, J int) int { return m.first[I] + cells*(J-I) }

// Dims returns n, n.
func (m *Matrix[T]) Dims() (rows, cols int) { return m.n, m.n }

// Epsilon is the regularisation the kernel was made for, in the graph's unit.
func (m *Matrix[T]) Epsilon() float64 { return m.epsilon }

// LogFloor is -d/epsilon for the greatest finite distance d.
func (m *Matrix[T]) LogFloor() float64 { return m.floor }

// Distance is the distance of i and j, +Inf where no path leads.
func (m *Matrix[T]) Distance(i, j int) float64 {
	if i > j {
		i, j = j, i
	}
	return float64(m.d[m.at(i/tile, j/tile)+i%tile*tile+j%tile])
}

// Among returns the distances of some vertices from one another, m x m in the
// order given.
func (m *Matrix[T]) Among(ctx context.Context, vertices []int32) ([]float64, error) {
	out := make([]float64, 0, len(vertices)*len(vertices))
	for _, i := range vertices {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for _, j := range vertices {
			out = append(out, m.Distance(int(i), int(j)))
		}
	}
	return out, nil
}

// Distances fills dst (len n, nil allocates) with row i of the distances.
func (m *Matrix[T]) Distances(ctx context.Context, dst []float64, i int) ([]float64, error) {
	return m.row(ctx, dst, i, m.d)
}

// Row fills dst (len n, nil allocates) with row i of the kernel.
func (m *Matrix[T]) Row(ctx context.Context, dst []float64, i int) ([]float64, error) {
	return m.row(ctx, dst, i, m.k)
}

// row is a row of the distances or of the kernel.
func (m *Matrix[T]) row(ctx context.Context, dst []float64, i int, of []T) ([]float64, error) {
	dst = m.vector(dst)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	I, r := i/tile, i%tile
	for J := range m.side {
		to := dst[J*tile : min(J*tile+tile, m.n)]
		if J >= I {
			for c, x := range of[m.at(I, J)+r*tile:][:len(to)] {
				to[c] = float64(x)
			}
			continue
		}
		column := of[m.at(J, I)+r:]
		for c := range to {
			to[c] = float64(column[c*tile])
		}
	}
	return dst, nil
}

func (m *Matrix[T]) vector(dst []float64) []float64 {
	if dst == nil {
		return make([]float64, m.n)
	}
	if len(dst) != m.n {
		panic("baseline: vector of the wrong length")
	}
	return dst
}

// MulVec computes dst = K x.
func (m *Matrix[T]) MulVec(ctx context.Context, dst, x []float64) ([]float64, error) {
	dst = m.vector(dst)
	m.x = m.vector(x)
	if err := m.run(ctx, m.multiply); err != nil {
		return nil, err
	}
	copy(dst, m.sum[0])
	for _, sum := range m.sum[1:] {
		for i, y := range sum {
			dst[i] += y
		}
	}
	return dst, nil
}

// run runs a stage of a product under a context.
func (m *Matrix[T]) run(ctx context.Context, strip func(worker, strip int)) error {
	m.ctx = ctx
	defer func() { m.ctx = nil }()
	workers := 1
	if m.n > 256 { // below, starting goroutines takes longer than the product
		workers = parallel.Workers(strips)
	}
	if err := parallel.Each(ctx, workers, strips, strip); err != nil {
		return err
	}
	return ctx.Err() // a strip may have given up
}

// tiles calls do for the tiles (I,J) of a strip. Long rows of tiles are paired
// with short ones, so that strips weigh alike.
func (m *Matrix[T]) tiles(strip int, do func(I, J int)) {
	for at, I := range m.held {
		if min(at, len(m.held)-1-at)%strips == strip {
			if m.ctx.Err() != nil { // run asks again
				return
			}
			for J := I; J < m.side; J++ {
				do(I, J)
			}
		}
	}
}

func (m *Matrix[T]) mulStrip(_, s int) {
	y := m.sum[s]
	clear(y)
	m.tiles(s, func(I, J int) {
		k := m.k[m.at(I, J):][:cells]
		rows, cols := min(tile, m.n-I*tile), min(tile, m.n-J*tile)
		if I == J {
			for r := range rows {
				y[I*tile+r] += dot(k[r*tile:][:cols], m.x[J*tile:][:cols])
			}
			return
		}
		xi, yi := m.x[I*tile:][:tile], y[I*tile:][:tile] // only the last tile of a row is narrow
		xj, yj := m.x[J*tile:][:cols], y[J*tile:][:cols]
		for r := 0; r < tile; r += 4 {
			four(k[r*tile:][:4*tile], xi[r:][:4], yi[r:][:4], xj, yj)
		}
	})
}

// four adds four rows of a tile to a product: yi += k xj, yj += k^T xi.
func four[T Float](k []T, xi, yi, xj, yj []float64) {
	k0, k1, k2, k3 := k[:len(xj)], k[tile:][:len(xj)], k[2*tile:][:len(xj)], k[3*tile:][:len(xj)]
	yj = yj[:len(xj)]
	x0, x1, x2, x3 := xi[0], xi[1], xi[2], xi[3]
	var s0, s1, s2, s3 float64
	for c, x := range xj {
		a, b, e, f := float64(k0[c]), float64(k1[c]), float64(k2[c]), float64(k3[c])
		s0 += a * x
		s1 += b * x
		s2 += e * x
		s3 += f * x
		yj[c] += (a*x0 + b*x1) + (e*x2 + f*x3)
	}
	yi[0] += s0
	yi[1] += s1
	yi[2] += s2
	yi[3] += s3
}

func dot[T Float](a []T, b []float64) float64 {
	var s float64
	b = b[:len(a)]
	for i, x := range a {
		s += float64(x) * b[i]
	}
	return s
}

// LogMulVec computes dst_i = log sum_j exp(x_j - d_ij/epsilon).
func (m *Matrix[T]) LogMulVec(ctx context.Context, dst, x []float64) ([]float64, error) {
	dst = m.vector(dst)
	m.x = m.vector(x)
	if err := m.run(ctx, m.logMultiply); err != nil {
		return nil, err
	}
	for i := range dst {
		top := math.Inf(-1)
		for s := range strips {
			top = max(top, m.top[s][i])
		}
		sum := 0.0
		if top > math.Inf(-1) {
			for s := range strips {
				sum += m.sum[s][i] * exponential.Exp(m.top[s][i]-top)
			}
		}
		dst[i] = top + math.Log(sum)
	}
	return dst, nil
}

func (m *Matrix[T]) logStrip(_, s int) {
	sum, top := m.sum[s], m.top[s]
	clear(sum)
	for i := range top {
		top[i] = math.Inf(-1)
	}
	inverse := 1 / m.epsilon
	var terms [tile]float64
	add := func(i int, d []T, stride int, x []float64) {
		greatest := math.Inf(-1)
		for c, x := range x {
			t := x - float64(d[c*stride])*inverse
			terms[c] = t
			if t > greatest {
				greatest = t
			}
		}
		if greatest == math.Inf(-1) {
			return
		}
		if greatest > top[i] {
			sum[i] *= exponential.Exp(top[i] - greatest)
			top[i] = greatest
		}
		t := 0.0
		for _, term := range terms[:len(x)] {
			t += exponential.Exp(term - top[i])
		}
		sum[i] += t
	}
	m.tiles(s, func(I, J int) {
		d := m.d[m.at(I, J):][:cells]
		rows, cols := min(tile, m.n-I*tile), min(tile, m.n-J*tile)
		for r := range rows {
			add(I*tile+r, d[r*tile:], 1, m.x[J*tile:][:cols])
		}
		if I != J {
			for c := range cols {
				add(J*tile+c, d[c:], tile, m.x[I*tile:][:rows])
			}
		}
	})
}

// PlanCost is sum_ij P_ij d_ij for P_ij = exp(logu_i - d_ij/epsilon + logv_j).
func (m *Matrix[T]) PlanCost(ctx context.Context, logu, logv []float64) (float64, error) {
	m.x, m.y = m.vector(logu), m.vector(logv)
	u, v := m.sum[0], m.sum[1] // scratch
	strip := m.integrateLog
	if linop.Scalings(u, v, logu, logv, m.floor) {
		m.x, m.y, strip = u, v, m.integrate
	}
	if err := m.run(ctx, strip); err != nil {
		return 0, err
	}
	total := 0.0
	for _, c := range m.cost {
		total += c
	}
	return total, nil
}

func (m *Matrix[T]) costStrip(_, s int) {
	total := 0.0
	m.tiles(s, func(I, J int) {
		at := m.at(I, J)
		i, j := m.part(I), m.part(J)
		ui, vi := m.x[i[0]:i[1]], m.y[i[0]:i[1]]
		uj, vj := m.x[j[0]:j[1]], m.y[j[0]:j[1]]
		for r, u := range ui {
			v := vi[r]
			if I == J {
				v = 0 // the tile is whole
			}
			d, k := m.d[at+r*tile:][:len(uj)], m.k[at+r*tile:][:len(uj)]
			var out, back float64
			for c, x := range d {
				if x := float64(x); x < math.Inf(1) { // 0 times infinity is none of the plan's
					x *= float64(k[c])
					out += x * vj[c]
					back += x * uj[c]
				}
			}
			total += u*out + v*back
		}
	})
	m.cost[s] = total
}

func (m *Matrix[T]) costLogStrip(_, s int) {
	inverse := 1 / m.epsilon
	// rows and columns are the strides: swapped, they transpose the tile.
	add := func(d []T, rows, columns int, u, v []float64) float64 {
		total := 0.0
		for r, lu := range u {
			if lu == math.Inf(-1) {
				continue
			}
			row := d[r*rows:]
			for c, lv := range v {
				if x := float64(row[c*columns]); x > 0 && x < math.Inf(1) {
					total += x * exponential.Exp(lu+lv-x*inverse)
				}
			}
		}
		return total
	}
	total := 0.0
	m.tiles(s, func(I, J int) {
		d := m.d[m.at(I, J):][:cells]
		i, j := m.part(I), m.part(J)
		total += add(d, tile, 1, m.x[i[0]:i[1]], m.y[j[0]:j[1]])
		if I != J {
			total += add(d, 1, tile, m.x[j[0]:j[1]], m.y[i[0]:i[1]])
		}
	})
	m.cost[s] = total
}

// part is the range of vertices of tile row I.
func (m *Matrix[T]) part(I int) [2]int { return [2]int{I * tile, min(I*tile+tile, m.n)} }
