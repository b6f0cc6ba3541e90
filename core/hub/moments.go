package hub

import (
	"genussink/core/hub/cover"
	"genussink/core/hub/label"
	"genussink/core/internal/buffer"
)

// row is what numbers hold for a hub moment.
type row struct {
	ranks  []int32
	values []float64
}

// of fills the row, by rank.
func (r *row) of(t *cover.Cover, n *label.Values, m *cover.HubMoment) ([]int32, []float64) {
	p := &t.Patches[m.Patch]
	r.ranks = r.ranks[:0]
	for v := p.Lo; v < p.Hi; v++ {
		r.ranks = append(r.ranks, v)
	}
	r.ranks = append(r.ranks, t.Attached[p.From:p.To]...)
	r.values = buffer.Sized(r.values, len(r.ranks))
	n.Gather(r.values, m.Hub, r.ranks)
	return r.ranks, r.values
}
