package quantized

import "math"

// Cells are disjoint sets of vertices with a distance for every two of them.
type Cells struct {
	Of       []int32   // the cell of every vertex, -1 where it has none
	Mass     []float64 // of each cell
	Distance []float64 // k x k, symmetric; +Inf where no path leads

	further []float64 // k x k, of a net's cells: by how much cell j is further from the representative of cell i than its own representative is
}

// Count is the number of cells, k.
func (c *Cells) Count() int { return len(c.Mass) }

// Sum adds up the masses of each cell's vertices.
func (c *Cells) Sum(mass []float64) []float64 {
	sums := make([]float64, c.Count())
	for v, m := range mass {
		if cell := c.Of[v]; cell >= 0 {
			sums[cell] += m
		}
	}
	return sums
}

// Merge has every cell join the nearest of the first k cells. Cells from which no path leads to these join the first of
// them in their component. Distances are means of those at hand, by mass.
func (c *Cells) Merge(k int) *Cells {
	m := c.Count()
	into, kept := make([]int, m), make([]int, 0, m)
	weight := make([]float64, m)
	for i := range m {
		into[i] = len(kept)
		least := math.Inf(1)
		for at, j := range kept {
			if d := c.Distance[i*m+j]; i >= k && d < least {
				into[i], least = at, d
			}
		}
		if into[i] == len(kept) {
			kept = append(kept, i)
		}
		weight[i] = max(c.Mass[i], tiny)
	}
	k = len(kept)
	out := &Cells{Of: make([]int32, len(c.Of)), Mass: make([]float64, k), Distance: make([]float64, k*k)}
	for v, i := range c.Of {
		if out.Of[v] = -1; i >= 0 {
			out.Of[v] = int32(into[i])
		}
	}
	weights := make([]float64, k)
	for i, at := range into {
		out.Mass[at] += c.Mass[i]
		weights[at] += weight[i]
	}
	for i, at := range into {
		row, from := out.Distance[at*k:][:k], c.Distance[i*m:][:m]
		for j, d := range from {
			row[into[j]] += d * weight[i] * weight[j]
		}
	}
	for i := range k {
		for j := range k {
			out.Distance[i*k+j] /= weights[i] * weights[j]
		}
	}
	return out
}

// tiny is what a cell without mass weighs in a mean.
const tiny = 1e-30
