package scene

import (
	"slices"

	"genussink/core/job"
	"genussink/viewer/colormap"
)

// Blocks is what is shown of how the last solve's kernel is stored: one of its tiles.
type Blocks struct {
	found *job.Blocked // nil: none is shown
}

// Block is the tile that is shown, nil: none. It must not be changed.
func (b *Blocks) Block() *job.Blocked { return b.found }

// fitsBlock makes sure that drawing one cannot run out of its bounds.
func fitsBlock(e *job.Blocked, m *OpenMesh) bool {
	count := func(starts, vertices []int32) int32 {
		if len(starts) < 2 || starts[0] != 0 || int(starts[len(starts)-1]) != len(vertices) || !slices.IsSorted(starts) || !m.all(vertices) {
			return -1
		}
		return int32(len(starts) - 1)
	}
	rows, columns := count(e.RowStarts, e.RowVertices), count(e.ColumnStarts, e.ColVertices)
	if rows < 0 || columns < 0 || len(e.Runs)%5 != 0 {
		return false
	}
	for k := 0; k < len(e.Runs); k += 5 {
		r := e.Runs[k : k+5]
		if r[0] < 0 || r[0] >= r[1] || r[1] > rows || r[2] < 0 || r[2] >= r[3] || r[3] > columns || m.vertex(r[4]) < 0 {
			return false
		}
	}
	return true
}

// markers appends the discs of the block's vertices.
func (b *Blocks) markers(dst []Dot, theme colormap.Theme) []Dot {
	if b.found == nil {
		return dst
	}
	for _, v := range b.found.RowVertices {
		dst = append(dst, Dot{v, 0.9, colormap.Left().RGB()})
	}
	for _, v := range b.found.ColVertices {
		dst = append(dst, Dot{v, 0.9, colormap.Right().RGB()})
	}
	for _, v := range b.found.Hubs() {
		dst = append(dst, Dot{v, 1.3, colormap.Separator(theme)})
	}
	return dst
}

// BlockState is a block of the kernel as it is stored.
type BlockState struct {
	Available bool `json:"available"` // the last solve's kernel is stored in blocks
	Waiting   bool `json:"waiting"`
	Shown     bool `json:"shown"`
	Number    int  `json:"number"` // from 0, the largest first
	Count     int  `json:"count"`
	Rows      int  `json:"rows"`
	Columns   int  `json:"columns"`
	Pairs     int  `json:"pairs"` // of vertices
	Runs      int  `json:"runs"`
	Hubs      int  `json:"hubs"`
	Gathered  int  `json:"gathered"` // rows and columns that are aggregates of several vertices
}

// state is what the panel shows.
func (b *Blocks) state(t *Transport, waiting bool) BlockState {
	st := BlockState{Waiting: waiting, Shown: b.found != nil}
	if t.solved != nil {
		switch t.solved.Method {
		case job.Exact, job.Certified, job.Embedded:
			st.Available = !t.stale && t.solved.Width < 0
		}
	}
	e := b.found
	if e == nil {
		return st
	}
	st.Number, st.Count, st.Rows, st.Columns = e.Number, e.Count, len(e.RowStarts)-1, len(e.ColumnStarts)-1
	st.Pairs, st.Runs, st.Hubs = len(e.RowVertices)*len(e.ColVertices), len(e.Runs)/5, len(e.Hubs())
	for _, starts := range [2][]int32{e.RowStarts, e.ColumnStarts} {
		for i := 1; i < len(starts); i++ {
			if starts[i] > starts[i-1]+1 {
				st.Gathered++
			}
		}
	}
	return st
}

// ShowBlock shows a stored block of the last solve's kernel. Blocks are numbered from 0. The number -1 shows none, and one that is too
// large shows the last.
func (s *Scene) ShowBlock(number int) {
	b := &s.Blocks
	s.drop(toBlock)
	if number >= 0 {
		if b.found != nil {
			number = min(number, b.found.Count-1)
		}
		if s.ready() && b.state(&s.Transport, false).Available {
			s.send(toBlock, &job.Block{Number: number})
		}
		return
	}
	if b.found != nil {
		b.found = nil
		s.recolor(true)
		s.overlay++
		s.changed()
	}
}

// blocked takes the block that was asked for.
func (s *Scene) blocked(e *job.Blocked) bool {
	if !fitsBlock(e, &s.Mesh) {
		return false
	}
	s.Blocks.found = e
	s.Playback.Pause() // mass would cover it
	s.overlay++
	return true
}
