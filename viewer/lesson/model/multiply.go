package model

import (
	"cmp"
	"math"
	"slices"
)

// Block is the part of a kernel between the two sides of a separator: the
// distance of row i and column j is the least over k of Rows[i][k] + Columns[j][k]
// (the paper, Sec. 3.1.2).
type Block struct {
	Rows, Columns [][]float64 // distances to the separator's vertices
	Of, To        []int       // the vertices of rows and columns
	Epsilon       float64
}

// BlockOf is the block of a cut, with its rows and columns in the order of
// their differences to the first and last separator vertex, or of their
// distance where there is one.
func BlockOf(g *Graph, c Cut, epsilon float64) Block {
	var to [][]float64
	for _, s := range c.Removed {
		to = append(to, g.Distances(s, nil))
	}
	side := func(vertices []int, sign float64) (rows [][]float64, of []int) {
		of = slices.Clone(vertices)
		slices.SortStableFunc(of, func(v, w int) int {
			if len(to) < 2 {
				return cmp.Compare(to[0][v], to[0][w])
			}
			return cmp.Compare(sign*(to[0][v]-to[len(to)-1][v]), sign*(to[0][w]-to[len(to)-1][w]))
		})
		for _, v := range of {
			row := make([]float64, len(to))
			for k := range to {
				row[k] = to[k][v]
			}
			rows = append(rows, row)
		}
		return rows, of
	}
	b := Block{Epsilon: epsilon}
	b.Rows, b.Of = side(c.Members(0), 1)
	b.Columns, b.To = side(c.Members(2), -1)
	return b
}

// Hub is the separator vertex that the shortest path of a pair takes: of equal ones the first.
func (b *Block) Hub(i, j int) int {
	best := 0
	for k := range b.Rows[i] {
		if b.Rows[i][k]+b.Columns[j][k] < b.Rows[i][best]+b.Columns[j][best] {
			best = k
		}
	}
	return best
}

// Hubs are those of all pairs.
func (b *Block) Hubs() [][]int {
	out := make([][]int, len(b.Rows))
	for i := range out {
		out[i] = make([]int, len(b.Columns))
		for j := range out[i] {
			out[i][j] = b.Hub(i, j)
		}
	}
	return out
}

// Work counts operations.
type Work struct {
	Multiply, Add, Compare int
}

// Total is all of them.
func (w Work) Total() int { return w.Multiply + w.Add + w.Compare }

// Dense is the product with the block's matrix, which is made beforehand and not counted.
func (b *Block) Dense(x []float64) (y []float64, w Work) {
	y = make([]float64, len(b.Rows))
	for i := range y {
		for j := range b.Columns {
			k := b.Hub(i, j)
			y[i] += math.Exp(-(b.Rows[i][k]+b.Columns[j][k])/b.Epsilon) * x[j]
		}
	}
	w.Multiply, w.Add = len(b.Rows)*len(b.Columns), len(b.Rows)*len(b.Columns)
	return y, w
}

// Cross is the same product without the matrix, by the paper's cross_compute
// (Sec. 3.1.2): for every separator vertex k the pairs that it serves are found
// by range search, with one dimension for each other vertex. Exponentials are
// made beforehand and not counted. Of equal separator vertices the first serves
// the pair, where the paper's strict inequality would leave it out.
func (b *Block) Cross(x []float64) (y []float64, w Work) {
	y = make([]float64, len(b.Rows))
	if len(b.Rows) == 0 || len(b.Columns) == 0 {
		return y, w
	}
	hubs := len(b.Rows[0])
	for k := range hubs {
		s := search{work: &w, y: y, hub: k}
		for i, row := range b.Rows {
			p := point{index: i, value: math.Exp(-row[k] / b.Epsilon)}
			for l := range row {
				if l != k {
					p.at = append(p.at, row[k]-row[l])
				}
			}
			s.rows = append(s.rows, p)
		}
		for j, column := range b.Columns {
			p := point{index: j, value: math.Exp(-column[k]/b.Epsilon) * x[j]}
			w.Multiply++
			for l := range column {
				if l != k {
					p.at = append(p.at, column[l]-column[k])
				}
			}
			s.columns = append(s.columns, p)
		}
		w.Add += (hubs - 1) * (len(b.Rows) + len(b.Columns))
		s.find(s.rows, s.columns, 0)
	}
	return y, w
}

// point is a row, or a column, of one separator vertex: w or z of the paper.
type point struct {
	index int
	value float64
	at    []float64
}

type search struct {
	rows, columns []point
	work          *Work
	y             []float64
	hub           int
}

// served says whether, in a dimension, a row at w is served for a column at z: that separator vertex stands before this
// one's, and has to be strictly farther, or after it.
func (s *search) served(dim int, w, z float64) bool {
	s.work.Compare++
	if dim < s.hub {
		return w < z
	}
	return w <= z
}

// few is how many pairs are looked at one by one: to halve them would cost more.
const few = 16

// find adds up what columns give to rows, as far as the dimensions from dim on allow.
func (s *search) find(rows, columns []point, dim int) {
	switch {
	case len(rows) == 0 || len(columns) == 0:
		return
	case dim == len(rows[0].at): // all of them: a product of two vectors
		sum := columns[0].value
		for _, c := range columns[1:] {
			sum += c.value
			s.work.Add++
		}
		for _, r := range rows {
			s.give(r, sum)
		}
		return
	case len(rows)*len(columns) <= few:
		for _, r := range rows {
			for _, c := range columns {
				ok := true
				for d := dim; ok && d < len(r.at); d++ {
					ok = s.served(d, r.at[d], c.at[d])
				}
				if ok {
					s.give(r, c.value)
				}
			}
		}
		return
	}
	s.sort(rows, dim)
	s.sort(columns, dim)
	if dim == len(rows[0].at)-1 { // running sums, from the last column down
		sum, j := 0.0, len(columns)
		for i := len(rows) - 1; i >= 0; i-- {
			for j > 0 && s.served(dim, rows[i].at[dim], columns[j-1].at[dim]) {
				j--
				sum += columns[j].value
				s.work.Add++
			}
			if j < len(columns) {
				s.give(rows[i], sum)
			}
		}
		return
	}
	middle := rows[(len(rows)-1)/2].at[dim]
	bound := func(list []point, before func(x float64) bool) int {
		i, _ := slices.BinarySearchFunc(list, middle, func(p point, _ float64) int {
			if before(p.at[dim]) {
				return -1
			}
			return 1
		})
		return i
	}
	less := bound(rows, func(x float64) bool { s.work.Compare++; return x < middle })
	upTo := bound(rows, func(x float64) bool { s.work.Compare++; return x <= middle })
	from := bound(columns, func(x float64) bool { return !s.served(dim, middle, x) })
	// Columns that serve the middle serve all rows up to it; the others only rows below it.
	s.find(slices.Clone(rows[:upTo]), slices.Clone(columns[from:]), dim+1)
	s.find(rows[upTo:], columns[from:], dim)
	s.find(rows[:less], columns[:from], dim)
}

func (s *search) give(r point, sum float64) {
	s.y[r.index] += r.value * sum
	s.work.Multiply++
	s.work.Add++
}

func (s *search) sort(list []point, dim int) {
	order := make([]int, len(list)) // to sort numbers takes the page's program fewer bytes
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		s.work.Compare++
		return cmp.Compare(list[a].at[dim], list[b].at[dim])
	})
	unsorted := append([]point(nil), list...)
	for i, k := range order {
		list[i] = unsorted[k]
	}
}
