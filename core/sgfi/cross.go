package sgfi

import (
	"context"
	"math"

	"genussink/core/internal/exponential"
	"genussink/core/internal/minplus"
	"genussink/core/shortest"
)

// side is the number of vertices in the clusters that share their candidates.
// At the root of a bumpy icosphere of 10,242 vertices, |S| = 160, pruning and
// the candidates left cost 62 additions an entry together. Clusters of 16
// would cost 57 and ones of 16 within 64 only 46, but those took no less time: their loops are too short.
const side = 32

// scratch is one worker's room for evaluating blocks.
type scratch struct {
	left  []float64 // a band's distances from the separator: cluster, then separator vertex, then vertex
	right []float64 // the same of one cluster of columns
	keep  []int32
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
	return exponential.Exp(-d / k.epsilon)
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
	for c := 0; c < width; c += side {
		cols := min(side, width-c)
		pack(w.right, b.node.RightDist, b.colAt[c:c+cols], s)
		for r := 0; r < len(t.rows); r += side {
			if ctx.Err() != nil {
				return t
			}
			rows := min(side, len(t.rows)-r)
			left := w.left[r*s:][:side*s]
			w.candidates(left, w.right, s, rows, cols, b.connected)
			for i := range rows {
				out := t.direct[(r+i)*width+c:][:cols]
				w.least(out, left[i:], w.right)
				if b.rowMask != nil && b.colMask != nil && b.rowMask[b.from+r+i] != 0 {
					for j := range out {
						if b.rowMask[b.from+r+i]&b.colMask[c+j] != 0 {
							out[j] = math.Inf(1)
						}
					}
				}
				for j, d := range out {
					out[j] = k.entry(d)
				}
			}
		}
	}
	return t
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

// candidates fills w.keep with the separator vertices that may be the least
// somewhere in a cluster of rows and columns, in fours, the last repeated.
// The one that serves the clusters' middles best, l, rules out k when
//
//	min_i (a_i[k] - a_i[l]) + min_j (b_j[k] - b_j[l]) >= 0,
//
// because then l does at least as well for every pair.
func (w *scratch) candidates(left, right []float64, s, rows, cols int, connected bool) {
	w.keep = w.keep[:0]
	if connected {
		mi, mj := rows/2, cols/2
		l, best := 0, math.Inf(1)
		for k := range s {
			if d := left[k*side+mi] + right[k*side+mj]; d < best {
				l, best = k, d
			}
		}
		al, bl := left[l*side:][:rows], right[l*side:][:cols]
		for k := range s {
			if k == l {
				w.keep = append(w.keep, int32(k))
				continue
			}
			ak, bk := left[k*side:][:len(al)], right[k*side:][:len(bl)]
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
			if !(a+b >= 0) {
				w.keep = append(w.keep, int32(k))
			}
		}
	} else {
		for k := range s {
			w.keep = append(w.keep, int32(k))
		}
	}
	for len(w.keep)%4 != 0 {
		w.keep = append(w.keep, w.keep[len(w.keep)-1])
	}
}

// least computes out_j = min over the kept k of left[k*side] + right[k*side+j].
func (w *scratch) least(out, left, right []float64) {
	n := len(out)
	for j := range out {
		out[j] = math.Inf(1)
	}
	for q := 0; q+4 <= len(w.keep); q += 4 {
		k0, k1, k2, k3 := int(w.keep[q])*side, int(w.keep[q+1])*side, int(w.keep[q+2])*side, int(w.keep[q+3])*side
		minplus.Four(out, right[k0:][:n], right[k1:][:n], right[k2:][:n], right[k3:][:n], left[k0], left[k1], left[k2], left[k3])
	}
}
