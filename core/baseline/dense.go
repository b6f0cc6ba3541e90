// Package baseline holds the methods that the tree is measured against. Dense
// is the yardstick and the oracle: every pair's distance, kept.
package baseline

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"genussink/core/graph"
	"genussink/core/internal/parallel"
	"genussink/core/linop"
	"genussink/core/shortest"
)

const (
	tile   = 64 // side of a tile: 32 KB of float64, one core's first cache
	cells  = tile * tile
	strips = 16 // parallel pieces of a product, fixed so that sums do not depend on the processors
)

// Dense is the Gibbs kernel exp(-d/epsilon) of all pairs' shortest-path
// distances, from one Dijkstra per vertex. Both matrices are symmetric and
// only tiles on and above the diagonal are kept: DenseBytes(n) in all. A
// product reads every kept entry once, for its row and for its column.
type Dense struct {
	n, side int // vertices; tiles in a row
	epsilon float64
	floor   float64
	d, k    []float64 // distances and kernel, tile (I,J), I <= J, from at(I,J), row-major

	// The product under way. Each strip adds into its own vector, and the
	// vectors are added in a fixed order: the answer does not depend on timing.
	x, y                                           []float64
	sum, top                                       [strips][]float64
	cost                                           [strips]float64
	multiply, logMultiply, integrate, integrateLog func(worker, strip int) // bound once, so that products do not allocate
}

var _ linop.Kernel = (*Dense)(nil)

// Options of NewDense.
type Options struct {
	MemoryLimit int64                                // bytes that DenseBytes may not exceed; 0: no limit
	Progress    func(stage string, fraction float64) // told "kernel" and the share of the rows done, by one goroutine at a time; nil: nobody asks
}

// MemoryError says that something would not fit.
type MemoryError struct {
	Vertices    int
	Need, Limit int64 // bytes
}

func (e *MemoryError) Error() string {
	return fmt.Sprintf("baseline: the dense kernel of %d vertices needs %d bytes, the limit is %d", e.Vertices, e.Need, e.Limit)
}

// DenseBytes is the memory in bytes that NewDense holds for n vertices: half
// of the distances and half of the kernel, in whole tiles of float64.
func DenseBytes(n int) int64 {
	if n > 1<<29 {
		return math.MaxInt64
	}
	side := (int64(n) + tile - 1) / tile
	return 8 * cells * side * (side + 1)
}

// NewDense computes all distances of g, on all processors, and their kernel
// for epsilon > 0 in the graph's unit. Above the memory limit the error is a
// *MemoryError.
func NewDense(ctx context.Context, g *graph.Graph, epsilon float64, o Options) (*Dense, error) {
	if !(epsilon > 0) || math.IsInf(epsilon, 1) {
		return nil, fmt.Errorf("baseline: epsilon is %g, it must be positive and finite", epsilon)
	}
	n := g.Len()
	limit := o.MemoryLimit
	if limit <= 0 {
		limit = math.MaxInt64 - 1
	}
	if need := DenseBytes(n); need > limit {
		return nil, &MemoryError{Vertices: n, Need: need, Limit: limit}
	}
	m := &Dense{n: n, side: (n + tile - 1) / tile, epsilon: epsilon}
	m.d = make([]float64, cells*(m.side*(m.side+1)/2))
	m.k = make([]float64, len(m.d))
	m.multiply, m.logMultiply = m.mulStrip, m.logStrip
	m.integrate, m.integrateLog = m.costStrip, m.costLogStrip

	workers := parallel.Workers(n)
	solver := make([]*shortest.Solver, workers)
	row := make([][]float64, workers)
	far := make([]float64, workers) // greatest finite distance
	for w := range workers {
		solver[w], row[w] = shortest.NewSolver(g), make([]float64, n)
	}
	var done atomic.Int64
	err := parallel.Each(ctx, workers, n, func(w, i int) {
		solver[w].Distances(row[w], int32(i))
		far[w] = max(far[w], m.keep(i, row[w]))
		if c := done.Add(1); o.Progress != nil && w == 0 {
			o.Progress("kernel", float64(c)/float64(n))
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
func (m *Dense) keep(i int, row []float64) (far float64) {
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
			d[c], k[c] = x, math.Exp(-x/m.epsilon)
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
func (m *Dense) at(I, J int) int { return cells * (I*m.side - I*(I-1)/2 + J - I) }

// Dims returns n, n.
func (m *Dense) Dims() (rows, cols int) { return m.n, m.n }

// Epsilon is the regularisation the kernel was made for, in the graph's unit.
func (m *Dense) Epsilon() float64 { return m.epsilon }

// LogFloor is -d/epsilon for the greatest finite distance d.
func (m *Dense) LogFloor() float64 { return m.floor }

// Distance is the distance of i and j, +Inf where no path leads.
func (m *Dense) Distance(i, j int) float64 {
	if i > j {
		i, j = j, i
	}
	return m.d[m.at(i/tile, j/tile)+i%tile*tile+j%tile]
}

// Distances fills dst (len n, nil allocates) with row i of the distances.
func (m *Dense) Distances(dst []float64, i int) []float64 {
	dst = m.vector(dst)
	I, r := i/tile, i%tile
	for J := range m.side {
		to := dst[J*tile : min(J*tile+tile, m.n)]
		if J >= I {
			copy(to, m.d[m.at(I, J)+r*tile:])
			continue
		}
		column := m.d[m.at(J, I)+r:]
		for c := range to {
			to[c] = column[c*tile]
		}
	}
	return dst
}

func (m *Dense) vector(dst []float64) []float64 {
	if dst == nil {
		return make([]float64, m.n)
	}
	if len(dst) != m.n {
		panic("baseline: vector of the wrong length")
	}
	return dst
}

// MulVec computes dst = K x.
func (m *Dense) MulVec(dst, x []float64) []float64 {
	dst = m.vector(dst)
	m.x = m.vector(x)
	m.run(m.multiply)
	copy(dst, m.sum[0])
	for _, sum := range m.sum[1:] {
		for i, y := range sum {
			dst[i] += y
		}
	}
	return dst
}

// MulVecT computes dst = K^T x, which is K x.
func (m *Dense) MulVecT(dst, x []float64) []float64 { return m.MulVec(dst, x) }

func (m *Dense) run(strip func(worker, strip int)) {
	workers := 1
	if m.n > 256 { // below, starting goroutines takes longer than the product
		workers = parallel.Workers(strips)
	}
	_ = parallel.Each(context.Background(), workers, strips, strip) // never cancelled
}

// tiles calls do for the tiles (I,J) of a strip. Long rows of tiles are paired
// with short ones, so that strips weigh alike.
func (m *Dense) tiles(strip int, do func(I, J int)) {
	for I := range m.side {
		if min(I, m.side-1-I)%strips == strip {
			for J := I; J < m.side; J++ {
				do(I, J)
			}
		}
	}
}

func (m *Dense) mulStrip(_, s int) {
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
func four(k, xi, yi, xj, yj []float64) {
	k0, k1, k2, k3 := k[:len(xj)], k[tile:][:len(xj)], k[2*tile:][:len(xj)], k[3*tile:][:len(xj)]
	yj = yj[:len(xj)]
	x0, x1, x2, x3 := xi[0], xi[1], xi[2], xi[3]
	var s0, s1, s2, s3 float64
	for c, x := range xj {
		a, b, e, f := k0[c], k1[c], k2[c], k3[c]
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

func dot(a, b []float64) float64 {
	var s float64
	b = b[:len(a)]
	for i, x := range a {
		s += x * b[i]
	}
	return s
}

// LogMulVec computes dst_i = log sum_j exp(x_j - d_ij/epsilon).
func (m *Dense) LogMulVec(dst, x []float64) []float64 {
	dst = m.vector(dst)
	m.x = m.vector(x)
	m.run(m.logMultiply)
	for i := range dst {
		top := math.Inf(-1)
		for s := range strips {
			top = max(top, m.top[s][i])
		}
		sum := 0.0
		if top > math.Inf(-1) {
			for s := range strips {
				sum += m.sum[s][i] * math.Exp(m.top[s][i]-top)
			}
		}
		dst[i] = top + math.Log(sum)
	}
	return dst
}

func (m *Dense) logStrip(_, s int) {
	sum, top := m.sum[s], m.top[s]
	clear(sum)
	for i := range top {
		top[i] = math.Inf(-1)
	}
	inverse := 1 / m.epsilon
	var terms [tile]float64
	add := func(i int, d []float64, stride int, x []float64) {
		greatest := math.Inf(-1)
		for c, x := range x {
			t := x - d[c*stride]*inverse
			terms[c] = t
			if t > greatest {
				greatest = t
			}
		}
		if greatest == math.Inf(-1) {
			return
		}
		if greatest > top[i] {
			sum[i] *= math.Exp(top[i] - greatest)
			top[i] = greatest
		}
		t := 0.0
		for _, term := range terms[:len(x)] {
			t += math.Exp(term - top[i])
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
func (m *Dense) PlanCost(logu, logv []float64) float64 {
	m.x, m.y = m.vector(logu), m.vector(logv)
	u, v := m.sum[0], m.sum[1] // scratch
	strip := m.integrateLog
	if linop.Scalings(u, v, logu, logv, m.floor) {
		m.x, m.y, strip = u, v, m.integrate
	}
	m.run(strip)
	total := 0.0
	for _, c := range m.cost {
		total += c
	}
	return total
}

func (m *Dense) costStrip(_, s int) {
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
				if x < math.Inf(1) { // 0 times infinity is none of the plan's
					x *= k[c]
					out += x * vj[c]
					back += x * uj[c]
				}
			}
			total += u*out + v*back
		}
	})
	m.cost[s] = total
}

func (m *Dense) costLogStrip(_, s int) {
	inverse := 1 / m.epsilon
	// rows and columns are the strides: swapped, they transpose the tile.
	add := func(d []float64, rows, columns int, u, v []float64) float64 {
		total := 0.0
		for r, lu := range u {
			if lu == math.Inf(-1) {
				continue
			}
			row := d[r*rows:]
			for c, lv := range v {
				if x := row[c*columns]; x > 0 && x < math.Inf(1) {
					total += x * math.Exp(lu+lv-x*inverse)
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
func (m *Dense) part(I int) [2]int { return [2]int{I * tile, min(I*tile+tile, m.n)} }
