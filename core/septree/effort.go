package septree

import (
	"context"
	"math"

	"genussink/core/graph"
	"genussink/core/treedec"
)

// Effort is how much there is to do for a graph once its tree is known.
type Effort struct {
	Labels float64 // distances that label.Measure finds
	Cover  float64 // what cover.Build settles: the sum over cells of hubs x (left x right)^(3/4)
}

// Effort counts what there is to do.
func (t *Tree) Effort() (e Effort) {
	for i := range t.Cells {
		r := &t.Cells[i]
		e.Labels += float64(r.Labels())
		e.Cover += float64(len(r.Hubs)) * math.Pow(float64(r.Mid-r.Lo)*float64(r.Sep-r.Mid), 0.75)
	}
	return e
}

// EffortOf guesses the effort for a connected graph of n vertices without its tree. The guess is that of a mesh.
func EffortOf(n int) Effort {
	labels := 3.1 * math.Pow(float64(n), 1.5)
	return Effort{labels, 0.3 * math.Sqrt(float64(n)) * labels}
}

// EffortAlong is the effort for a graph whose tree Along finds. It looks only at the components of the graph. In every cell it counts
// all vertices of the separators above as hubs.
func EffortAlong(ctx context.Context, g *graph.Graph, d *treedec.Decomposition) (e Effort, err error) {
	roots, err := piecesAlong(ctx, g, d, Options{Leaf: DefaultLeaf})
	for _, p := range roots {
		e.along(p, 0)
	}
	return e, err
}

// along adds a piece, below separators of so many vertices, and returns its vertices.
func (e *Effort) along(p *piece, above int) (size int) {
	own := len(p.separator)
	if p.left == nil {
		e.Labels += float64(own) * float64(own)
		return own
	}
	left, right := e.along(p.left, above+own), e.along(p.right, above+own)
	size = left + right + own
	e.Labels += float64(own) * float64(size)
	e.Cover += float64(above+own) * math.Pow(float64(left)*float64(right), 0.75)
	return size
}
