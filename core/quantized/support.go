package quantized

import (
	"context"
	"math"

	"genussink/core/graph"
	"genussink/core/internal/parallel"
	"genussink/core/shortest"
)

// Support knows true distances from vertices that have had mass. It keeps them for the next painting of the same graph.
type Support struct {
	graph *graph.Graph
	rows  map[int32]row
}

// row is the distances from a vertex, +Inf where they are not known, or no path leads there if it is complete.
type row struct {
	distance []float64
	complete bool
}

// keep bounds the memory of rows from one painting to the next, in bytes.
const keep = 256 << 20

// NewSupport knows nothing yet.
func NewSupport(g *graph.Graph) *Support { return &Support{graph: g, rows: map[int32]row{}} }

// Vertices lists the vertices with mass. The first list is the side, source or target, with fewer of them; where both have as many,
// the source. The second list is what the other side has besides.
func Vertices(source, target []float64) (smaller, others []int32) {
	var a, b []int32
	for v := range source {
		if source[v] > 0 {
			a = append(a, int32(v))
		}
		if target[v] > 0 {
			b = append(b, int32(v))
		}
	}
	small := source
	if len(b) < len(a) {
		a, b, small = b, a, target
	}
	for _, v := range b {
		if !(small[v] > 0) {
			others = append(others, v)
		}
	}
	return a, others
}

// Cells has a cell for each vertex with mass on either side, and true distances. A plan between the two sides asks for no others, so
// its kernel is exact. Two vertices of the larger side alone have distance +Inf: no plan asks for it. For each new vertex of the
// smaller side it runs a Dijkstra search, as far as the vertices of the other side.
func (s *Support) Cells(ctx context.Context, source, target []float64) (*Cells, error) {
	n := s.graph.Len()
	small, others := Vertices(source, target)
	all := append(append([]int32(nil), small...), others...)
	rows := make([]row, len(small))
	var missing []int
	for i, v := range small {
		rows[i] = s.rows[v]
		if !rows[i].knows(all) {
			missing = append(missing, i)
		}
	}
	solvers := make([]*shortest.Solver, parallel.Workers(len(missing)))
	reach := make([][]float64, len(solvers))
	if err := parallel.Each(ctx, len(solvers), len(missing), func(w, at int) {
		if solvers[w] == nil {
			solvers[w], reach[w] = shortest.NewSolver(s.graph), make([]float64, len(all))
		}
		i := missing[at]
		if r := &rows[i]; r.distance != nil { // it was not enough before: all, once and for all
			solvers[w].Distances(r.distance, small[i])
			r.complete = true
			return
		}
		r := row{distance: make([]float64, n)}
		solvers[w].To(reach[w], all, small[i])
		for v := range r.distance {
			r.distance[v], _ = solvers[w].At(int32(v))
		}
		for _, d := range reach[w] {
			r.complete = r.complete || math.IsInf(d, 1) // it looked everywhere
		}
		rows[i] = r
	}); err != nil {
		return nil, err
	}
	if 8*int64(n)*int64(len(s.rows)+len(missing)) > keep {
		clear(s.rows)
	}
	m := len(all)
	c := &Cells{Of: make([]int32, n), Mass: make([]float64, m), Distance: make([]float64, m*m)}
	for v := range c.Of {
		c.Of[v] = -1
	}
	for j, v := range all {
		c.Of[v] = int32(j)
		c.Mass[j] = source[v] + target[v]
	}
	for i := range m {
		if i < len(small) {
			s.rows[small[i]] = rows[i]
			for j := i + 1; j < m; j++ {
				d := rows[i].distance[all[j]]
				c.Distance[i*m+j], c.Distance[j*m+i] = d, d
			}
			continue
		}
		for j := i + 1; j < m; j++ {
			c.Distance[i*m+j], c.Distance[j*m+i] = math.Inf(1), math.Inf(1)
		}
	}
	return c, nil
}

func (r row) knows(vertices []int32) bool {
	if r.distance == nil || r.complete {
		return r.distance != nil
	}
	for _, v := range vertices {
		if math.IsInf(r.distance[v], 1) {
			return false
		}
	}
	return true
}
