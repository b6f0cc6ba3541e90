package sgfi

import (
	"context"
	"math"

	"genussink/core/shortest"
)

// Candidates are found for clusters of side vertices and from these for parts
// of them. Measured on the root of a bumpy icosphere of 10,242 vertices, |S| =
// 160: 64 and 16 cost 46 additions an entry for pruning and the candidates left together,
// clusters of 32 alone 62, of 16 alone 57.
const (
	side = 64
	part = 16
)

// scratch is one worker's room for evaluating blocks.
type scratch struct {
	left         []float64 // a band's distances from the separator: cluster, then separator vertex, then vertex
	right        []float64 // the same of one cluster of columns
	all          []int32   // 0, 1, ... |S|-1
	outer, inner []int32   // candidates
}

func grow(s []float64, n int) []float64 {
	if cap(s) < n {
		return make([]float64, n)
	}
	return s[:n]
}

// tiles evaluates a block. When ctx ends it returns early with what it has.
func (k *Kernel) tiles(ctx context.Context, b block, s *scratch) []tile {
	if b.search != nil {
		tiles := make([]tile, len(b.pieces))
		for i, p := range b.pieces {
			tiles[i] = k.rangeTile(b, p)
		}
		return tiles
	}
	if b.leaf() {
		return k.leafTiles(ctx, b)
	}
	return []tile{k.crossTile(ctx, b, s)}
}

// entry is what a tile holds for the distance d.
func (k *Kernel) entry(d float64) float64 {
	if k.exponents {
		return d / k.epsilon
	}
	return math.Exp(-d / k.epsilon)
}

// leafTiles runs a Dijkstra from each of the block's rows: a diagonal tile for
// the rows among themselves and one for the columns after them.
func (k *Kernel) leafTiles(ctx context.Context, b block) []tile {
	h, w := b.to-b.from, len(b.cols)-b.to
	rows := b.rows[b.from:b.to]
	square := tile{rows: rows, cols: rows, direct: make([]float64, h*h), diagonal: true}
	wide := tile{rows: rows, cols: b.cols[b.to:], direct: make([]float64, h*w)}
	solver := shortest.NewSolver(b.node.Explicit)
	var row []float64
	for r := range h {
		if ctx.Err() != nil {
			break
		}
		row = solver.Distances(row, b.rowAt[b.from+r])
		entry := func(c int) float64 {
			d := row[b.colAt[c]]
			if b.rowMask != nil && b.rowMask[b.from+r]&b.colMask[c] != 0 {
				d = math.Inf(1)
			}
			return k.entry(d)
		}
		for c := r; c < h; c++ {
			e := entry(b.from + c)
			square.direct[r*h+c], square.direct[c*h+r] = e, e
		}
		for c := range w {
			wide.direct[r*w+c] = entry(b.to + c)
		}
	}
	if w == 0 {
		return []tile{square}
	}
	return []tile{square, wide}
}

// crossTile is the paper's cross_compute (Sec. 3.1.2) over a block: the
// least of a_i[k] + b_j[k] over k for each pair, brute force over the
// candidates k that clusters of rows and columns leave.
func (k *Kernel) crossTile(ctx context.Context, b block, w *scratch) tile {
	s, width := len(b.node.SepIDs), len(b.cols)
	t := tile{rows: b.rows[b.from:b.to], cols: b.cols, direct: make([]float64, (b.to-b.from)*width)}
	w.left = grow(w.left, (len(t.rows)+side-1)/side*side*s)
	for r := 0; r < len(t.rows); r += side {
		pack(w.left[r*s:][:side*s], b.node.LeftDist, b.rowAt[b.from+r:min(b.from+r+side, b.to)], s)
	}
	w.right = grow(w.right, side*s)
	w.all = w.all[:0]
	for k := range s {
		w.all = append(w.all, int32(k))
	}
	for c := 0; c < width; c += side {
		cols := min(side, width-c)
		pack(w.right, b.node.RightDist, b.colAt[c:c+cols], s)
		for r := 0; r < len(t.rows); r += side {
			if ctx.Err() != nil {
				return t
			}
			rows := min(side, len(t.rows)-r)
			left := w.left[r*s:][:side*s]
			w.outer = candidates(w.outer[:0], w.all, left, w.right, rows, cols, b.connected)
			for i := 0; i < rows; i += part {
				for j := 0; j < cols; j += part {
					h, v := min(part, rows-i), min(part, cols-j)
					w.inner = candidates(w.inner[:0], w.outer, left[i:], w.right[j:], h, v, b.connected)
					for len(w.inner)%4 != 0 {
						w.inner = append(w.inner, w.inner[0])
					}
					for x := range h {
						least(t.direct[(r+i+x)*width+c+j:][:v], w.inner, left[i+x:], w.right[j:])
					}
				}
			}
			for i := r; i < r+rows; i++ {
				k.finish(t.direct[i*width+c:][:cols], b, b.from+i, c)
			}
		}
	}
	return t
}

// finish turns the distances of a row from column c on into entries.
func (k *Kernel) finish(out []float64, b block, row, c int) {
	if b.rowMask != nil && b.colMask != nil && b.rowMask[row] != 0 {
		for j := range out {
			if b.rowMask[row]&b.colMask[c+j] != 0 {
				out[j] = math.Inf(1)
			}
		}
	}
	for j, d := range out {
		out[j] = k.entry(d)
	}
}

// pack writes the distances of up to side vertices separator vertex by
// separator vertex.
func pack(dst, dist []float64, at []int32, s int) {
	for i, v := range at {
		for k, d := range dist[int(v)*s:][:s] {
			dst[k*side+i] = d
		}
	}
}

// candidates appends to dst the separator vertices of from that may be the
// least somewhere in a cluster of rows and columns. The one that serves the
// cluster's middles best, l, rules out k when
//
//	min_i (a_i[k] - a_i[l]) + min_j (b_j[k] - b_j[l]) >= 0,
//
// because then l does at least as well for every pair.
func candidates(dst, from []int32, left, right []float64, rows, cols int, connected bool) []int32 {
	if !connected { // differences of infinite distances say nothing
		return append(dst, from...)
	}
	mi, mj := rows/2, cols/2
	l, best := int32(0), math.Inf(1)
	for _, k := range from {
		if d := left[int(k)*side+mi] + right[int(k)*side+mj]; d < best {
			l, best = k, d
		}
	}
	al, bl := left[int(l)*side:][:rows], right[int(l)*side:][:cols]
	for _, k := range from {
		ak, bk := left[int(k)*side:][:len(al)], right[int(k)*side:][:len(bl)]
		a, b := math.Inf(1), bk[mj]-bl[mj]
		for i, x := range al {
			if d := ak[i] - x; d < a {
				a = d
			}
		}
		for j := 0; j < len(bl) && a+b >= 0; j++ {
			if d := bk[j] - bl[j]; d < b {
				b = d
			}
		}
		if k == l || a+b < 0 {
			dst = append(dst, k)
		}
	}
	return dst
}

// least computes out_j = min over k of left[k*side] + right[k*side+j], for
// candidates k a multiple of four in number.
func least(out []float64, candidates []int32, left, right []float64) {
	n := len(out)
	for j := range out {
		out[j] = math.Inf(1)
	}
	for q := 0; q+4 <= len(candidates); q += 4 {
		k0, k1, k2, k3 := int(candidates[q])*side, int(candidates[q+1])*side, int(candidates[q+2])*side, int(candidates[q+3])*side
		lower(out, right[k0:][:n], right[k1:][:n], right[k2:][:n], right[k3:][:n], left[k0], left[k1], left[k2], left[k3])
	}
}

// lower computes out_j = min(out_j, a0+b0_j, ..., a3+b3_j). Branches are
// quicker than the built-in min here, natively and in WebAssembly: they are
// seldom taken.
func lower(out, b0, b1, b2, b3 []float64, a0, a1, a2, a3 float64) {
	b0, b1, b2, b3 = b0[:len(out)], b1[:len(out)], b2[:len(out)], b3[:len(out)]
	for j, m := range out {
		if d := a0 + b0[j]; d < m {
			m = d
		}
		if d := a1 + b1[j]; d < m {
			m = d
		}
		if d := a2 + b2[j]; d < m {
			m = d
		}
		if d := a3 + b3[j]; d < m {
			m = d
		}
		out[j] = m
	}
}
