package scene

import (
	"genussink/core/job"
	"genussink/viewer/colormap"
)

// mostCells is the most cells that the matrix has rows of; where the level shown has more, a level above it is taken.
const mostCells = 32

// Group is a row of the matrix and a column: vertices whose mass is added up.
type Group struct {
	Path     string // the way from the root to the cell: A left, B right; "": the vertices of all separators
	Vertices int
	Want     [2]float64 // the share of source and target that they have
}

// Matrix is the last solve's plan between the cells of the separator tree: how much mass each sends to each. A column is one product of
// the plan with the indicator of its cell.
type Matrix struct {
	wanted bool
	of     matrixKey // what groups and values are of; zero: nothing
	level  int       // that the cells are of
	groups []Group   // the cells from left to right in the tree, then the separators
	group  []int32   // of every vertex
	values []float64 // row by row, shares of the mass
	done   int       // columns that are there
	lit    [2]int    // the groups pointed at, as a row and as a column; -1 none
}

// matrixKey tells one matrix from another.
type matrixKey struct {
	plan  *job.Solved
	tree  *job.Separated
	level int // shown
}

// Values are the entries, row by row: the mass, of 1 in all, that a group sends to another. Nil while not all are known. They must not be changed.
func (m *Matrix) Values() []float64 {
	if m.done < len(m.groups) {
		return nil
	}
	return m.values
}

// Groups are the rows, and the columns. They must not be changed.
func (m *Matrix) Groups() []Group { return m.groups }

// Of is the group of every vertex. It must not be changed.
func (m *Matrix) Of() []int32 { return m.group }

// begin makes an empty matrix.
func (m *Matrix) begin(key matrixKey, asked *job.Solve) {
	m.forget()
	m.of = key
	if key == (matrixKey{}) {
		return
	}
	m.level, m.groups, m.group = grouped(key.tree, key.level)
	m.values = make([]float64, len(m.groups)*len(m.groups))
	total := [2]float64{}
	for side, density := range [2][]float64{sourceSide: asked.Source, targetSide: asked.Target} {
		for v, x := range density {
			m.groups[m.group[v]].Want[side] += x
			total[side] += x
		}
	}
	if asked.Reach.Value > 0 { // the masses may differ: both are told in shares of the source's
		total[targetSide] = total[sourceSide]
	}
	for i := range m.groups {
		for side := range total {
			m.groups[i].Want[side] /= total[side]
		}
	}
}

// forget forgets the matrix, but for whether it is wanted.
func (m *Matrix) forget() { *m = Matrix{wanted: m.wanted, lit: [2]int{-1, -1}} }

// grouped are the cells of a tree at a level, or at the deepest one above it that has few enough of them, and the separators down to there. Cells without
// vertices are left out.
func grouped(t *job.Separated, level int) (at int, groups []Group, of []int32) {
	for at = level; ; at-- {
		rank := make([]int32, len(t.Nodes)) // of nodes that are cells
		groups = groups[:0]
		var walk func(node int32, path string)
		walk = func(node int32, path string) {
			n := t.Nodes[node]
			if isLeaf(n) || int(n.Depth) > at {
				rank[node] = int32(len(groups))
				groups = append(groups, Group{Path: path})
				return
			}
			rank[node] = -1
			if n.Left >= 0 {
				walk(n.Left, path+"A")
			}
			if n.Right >= 0 {
				walk(n.Right, path+"B")
			}
		}
		walk(0, "")
		groups = append(groups, Group{})
		of = make([]int32, len(t.Cells))
		for v, c := range t.Cells {
			for int(t.Nodes[c].Depth) > at+1 {
				c = t.Nodes[c].Parent
			}
			if of[v] = rank[c]; of[v] < 0 {
				of[v] = int32(len(groups) - 1)
			}
			groups[of[v]].Vertices++
		}
		kept, number := groups[:0], make([]int32, len(groups))
		for i, g := range groups {
			if number[i] = int32(len(kept)); g.Vertices > 0 {
				kept = append(kept, g)
			}
		}
		for v, g := range of {
			of[v] = number[g]
		}
		if groups = kept; at <= 0 || len(groups) <= mostCells+1 {
			return at, groups, of
		}
	}
}

// request asks for the next column, nil where all are there.
func (m *Matrix) request() *job.Push {
	if m.done >= len(m.groups) {
		return nil
	}
	column := make([]float64, len(m.group))
	for v, g := range m.group {
		if int(g) == m.done {
			column[v] = 1
		}
	}
	return &job.Push{Values: column}
}

// take takes a column: the mass that every vertex sends to its cell.
func (m *Matrix) take(values []float64) bool {
	if len(values) != len(m.group) || m.done >= len(m.groups) {
		return false
	}
	for v, x := range values {
		m.values[int(m.group[v])*len(m.groups)+m.done] += x
	}
	m.done++
	return true
}

// Sums are what the rows and the columns add up to.
func (m *Matrix) Sums() (rows, columns []float64) {
	n := len(m.groups)
	rows, columns = make([]float64, n), make([]float64, n)
	for k, x := range m.values {
		rows[k/n] += x
		columns[k%n] += x
	}
	return rows, columns
}

// MatrixState is the plan between the cells of the separator tree.
type MatrixState struct {
	Available bool `json:"available"` // there are a plan, that is up to date, and a separator tree
	Wanted    bool `json:"wanted"`    // it is shown, or will be
	Shown     bool `json:"shown"`
	Done      int  `json:"done"`   // columns that are there
	Groups    int  `json:"groups"` // rows, and columns: the cells, and all separators as one
	Level     int  `json:"level"`  // of the tree, that the cells are of
	Row       int  `json:"row"`    // that is pointed at, -1 none
	Column    int  `json:"column"`
}

// matrixState is what the panel shows.
func (s *Scene) matrixState() MatrixState {
	m := &s.Matrix
	return MatrixState{
		Available: s.matrixKey() != matrixKey{}, Wanted: m.wanted, Shown: m.wanted && m.groups != nil && m.Values() != nil,
		Done: m.done, Groups: len(m.groups), Level: m.level, Row: m.lit[0], Column: m.lit[1],
	}
}

// matrixKey is the matrix that can be had, zero: none.
func (s *Scene) matrixKey() matrixKey {
	t := &s.Transport
	if t.solved == nil || t.stale || s.Separation.tree == nil || len(s.Separation.tree.Cells) == 0 || s.flight.has(toSolve, toOpen) {
		return matrixKey{}
	}
	return matrixKey{t.solved, s.Separation.tree, s.Separation.Shown()}
}

// ShowMatrix shows the plan as a matrix, or hides it. While it is wanted it follows the plan and the separators' level.
func (s *Scene) ShowMatrix(on bool) {
	m := &s.Matrix
	if on == m.wanted || on && !s.ready() {
		return
	}
	s.drop(toMatrix)
	s.PointMatrix(-1, -1)
	m.forget()
	m.wanted = on
	s.followMatrix()
	s.changed()
}

// PointMatrix shows on the mesh where the cells of a row and of a column lie, all else faded; -1 is none of them.
func (s *Scene) PointMatrix(row, column int) {
	m, at := &s.Matrix, [2]int{row, column}
	if min(row, column) < -1 || max(row, column) >= max(len(m.groups), 1) || at == m.lit {
		return
	}
	m.lit = at
	s.recolor(true)
	s.changed()
}

// tint is how much of source's and target's colour is mixed into what is pointed at.
const tint = 0.7

// pointed says whether a cell of the matrix is pointed at.
func (m *Matrix) pointed() bool { return max(m.lit[0], m.lit[1]) >= 0 }

// light lights the cells pointed at: the row's in the source's colour, the column's in the target's, and all else fades.
func (m *Matrix) light(colors []colormap.RGB, theme colormap.Theme) {
	if !m.pointed() {
		return
	}
	row, column := int32(m.lit[0]), int32(m.lit[1])
	_, ground := colormap.Ground(theme)
	for v, g := range m.group {
		switch {
		case g == row && g == column:
			colors[v] = colormap.Mix(colors[v], colormap.Mix(colormap.Source(), colormap.Target(), 0.5), tint)
		case g == row:
			colors[v] = colormap.Mix(colors[v], colormap.Source(), tint)
		case g == column:
			colors[v] = colormap.Mix(colors[v], colormap.Target(), tint)
		default:
			colors[v] = colormap.Mix(colors[v], ground, fade)
		}
	}
}

// followMatrix begins the matrix anew where the plan, the tree or the level is another.
func (s *Scene) followMatrix() {
	m, key := &s.Matrix, s.matrixKey()
	if !m.wanted || s.task != TaskTransport || key == m.of || s.Brush.painting() || s.Separation.timeline.Playing() {
		return
	}
	if key.plan == m.of.plan && key.tree == m.of.tree {
		if level, _, _ := grouped(key.tree, key.level); level == m.level { // both levels have too many cells
			m.of = key
			return
		}
	}
	s.drop(toMatrix)
	s.PointMatrix(-1, -1)
	m.begin(key, s.Transport.asked)
	s.askMatrix()
	s.changed()
}

// askMatrix asks for the next column. What goes on while nobody asks for anything waits for the last.
func (s *Scene) askMatrix() {
	if q := s.Matrix.request(); q != nil {
		s.endPolish()
		s.send(toMatrix, q)
	} else if len(s.Matrix.groups) > 0 {
		s.askPolish()
	}
}

// column takes a column.
func (s *Scene) column(values []float64) bool {
	if !s.Matrix.take(values) {
		return false
	}
	s.askMatrix()
	return true
}
