package cover

import (
	"genussink/core/hub/label"
	"genussink/core/internal/buffer"
)

// MomentRow is what values there are for the vertices of a hub moment. The zero value has space for none.
type MomentRow struct {
	ranks  []int32
	values []float64
}

// Of fills the row, by rank, with what l has for the hub.
func (r *MomentRow) Of(t *Cover, l *label.Values, m *HubMoment) (ranks []int32, values []float64) {
	p := &t.Patches[m.Patch]
	r.ranks = r.ranks[:0]
	for v := p.Lo; v < p.Hi; v++ {
		r.ranks = append(r.ranks, v)
	}
	r.ranks = append(r.ranks, t.Attached[p.From:p.To]...)
	r.values = buffer.Sized(r.values, len(r.ranks))
	l.Gather(r.values, m.Hub, r.ranks)
	return r.ranks, r.values
}
