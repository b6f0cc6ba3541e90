package figure

import "fmt"

// Block is a tile of a kernel as it is stored: rows, columns, and runs of one hub.
type Block struct {
	Rows, Columns int
	Runs          []BlockRun
}

// BlockRun is the rows [FirstRow,LastRow) that reach the columns [From,To) through a hub, numbered from 0.
type BlockRun struct{ FirstRow, LastRow, From, To, Hub int }

// SVG draws the block: rows down, columns across, a colour for each hub.
func (b *Block) SVG(prefix string, l Look) string {
	s := begin(prefix, l, "A block of the kernel", fmt.Sprintf("rows down: %d, columns across: %d, runs: %d; a colour for each hub", b.Rows, b.Columns, len(b.Runs)))
	w, h := l.Width/float64(max(b.Columns, 1)), l.Height/float64(max(b.Rows, 1))
	gap := min(0.1*h, 0.5)
	for _, r := range b.Runs {
		s.rect(w*float64(r.From), h*float64(r.FirstRow), w*float64(r.To-r.From)-gap, h*float64(r.LastRow-r.FirstRow)-gap, 0, shade{fill: hubColor(r.Hub)})
	}
	return s.end()
}
