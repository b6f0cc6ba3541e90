package scene

import (
	"fmt"
	"math"
	"slices"

	"genussink/core/job"
	"genussink/core/session"
	"genussink/viewer/colormap"
	"genussink/viewer/timeline"
)

// Separation is the separator tree, the cut at its root and what of them is shown.
type Separation struct {
	changes  *changes
	finder   string            // asked for, "" the default
	balance  float64           // no side has more than 1-balance of the vertices; 0 the default, a third
	timeline timeline.Timeline // of the levels; before there is a tree it may stand deeper than the tree will be
	due      bool              // the tree waits: for mass to move where the method is automatic, otherwise for the picture

	tree   *job.Separated // nil: none
	levels []LevelState
	hues   []colormap.LCh // of each node of the tree, of its cell
	cell   int32          // the node in focus, -1 none
	cuts   *job.Swept     // the list of cuts, nil before it is asked for
	taken  int            // the cut that is the root's separation, -1 none
	patch  patch          // asked for last

	wanted  session.Cut // the cut that a link asks for, until the list is there; zero: none
	linked  int         // a link's level, until the tree is there
	focused int32       // a link's cell in focus, until the tree is there; 0: none
}

// patch says whether a tree's separators have all corners of a face at a level.
type patch struct {
	tree  *job.Separated
	level int
	there bool
}

// patched says so of what is shown.
func (p *Separation) patched(m *Mesh) bool {
	if p.patch.tree != p.tree || p.patch.level != p.Shown() {
		p.patch = patch{p.tree, p.Shown(), patched(m.Faces, Cells(p.tree, p.Shown()))}
	}
	return p.patch.there
}

// reset forgets the mesh before, and keeps what a person wants.
func (p *Separation) reset() {
	*p = Separation{changes: p.changes, finder: p.finder, balance: p.balance, timeline: p.timeline, cell: -1, taken: -1}
	p.timeline.Pause()
	p.timeline.Pace, p.timeline.End = levelSeconds, math.MaxInt32
}

// waits says whether the tree waits for the list of cuts, of which a link wants one.
func (p *Separation) waits() bool { return p.wanted != session.Cut{} }

// Tree is the separator tree, nil before the first. It must not be changed.
func (p *Separation) Tree() *job.Separated { return p.tree }

// Shown is the deepest level that is shown.
func (p *Separation) Shown() int { return p.timeline.Step() }

// Timeline is of the levels, the root's split at its start. It must not be changed but by Move.
func (p *Separation) Timeline() *timeline.Timeline { return &p.timeline }

// Move moves the timeline: the tree's splits are shown down to the depth where it stands.
func (p *Separation) Move(change func(t *timeline.Timeline)) {
	before := p.Shown()
	change(&p.timeline)
	if p.Shown() != before {
		p.changes.recolor(true)
	}
	p.changes.changed()
}

// Level shows the tree's splits down to a level. A level deeper than the tree shows all of it.
func (p *Separation) Level(level int) { p.Move(timeline.To(float64(level))) }

// tick lets time pass.
func (p *Separation) tick(dt float64) {
	if p.timeline.Tick(dt) {
		p.changes.recolor(true)
		p.changes.changed()
	}
}

// levelSeconds is how long a level stays while they are played.
const levelSeconds = 1.2

// request asks for the tree. It waits no longer.
func (p *Separation) request(patience float64) *job.Separate {
	p.due = false
	r := &job.Separate{Finder: p.finder, Balance: p.balance, Patience: patience}
	if p.taken >= 0 {
		r.Root = p.cuts.Cuts[p.taken].Sides
	}
	return r
}

// take shows a tree of so many vertices. Where a link wants more levels than there are, that is said in words.
func (p *Separation) take(e *job.Separated, vertices int) (odd string, ok bool) {
	levels, ok := checkTree(e, vertices)
	if !ok {
		return "", false
	}
	p.tree, p.levels, p.hues, p.cell = e, levels, hues(e), -1
	p.timeline.End = float64(max(len(levels)-1, 0))
	p.timeline.Seek(p.timeline.At())
	if p.linked > p.Shown() {
		odd = fmt.Sprintf("The link's separator level is %d, the deepest here is %d.", p.linked, p.Shown())
	}
	p.linked = 0
	return odd, true
}

// list keeps the list of cuts and selects the one that a link wants. It says whether a link wanted one, and whether the list has it. It is not ok,
// and keeps nothing, where a cut is not one of so many vertices.
func (p *Separation) list(e *job.Swept, vertices int) (wanted, found, ok bool) {
	for _, c := range e.Cuts {
		if len(c.Sides) != vertices {
			return false, false, false
		}
	}
	p.cuts, p.taken = e, -1
	if wanted = p.waits(); wanted {
		p.taken = slices.IndexFunc(e.Cuts, func(c job.Cut) bool { return sizeOf(c) == p.wanted })
		p.wanted = session.Cut{}
	}
	return wanted, p.taken >= 0, true
}

func sizeOf(c job.Cut) session.Cut { return session.Cut{S: int(c.S), Smaller: int(min(c.A, c.B))} }

// cut is the cut that a link to this separation asks for.
func (p *Separation) cut() session.Cut {
	if p.taken >= 0 {
		return sizeOf(p.cuts.Cuts[p.taken])
	}
	return p.wanted
}

// focus shows one node's split, -1 none, and says whether that is news. The level follows the node.
func (p *Separation) focus(node int32) bool {
	if p.tree == nil || node < -1 || int(node) >= len(p.tree.Nodes) || node == p.cell {
		return false
	}
	if p.cell = node; node >= 0 {
		depth := int(p.tree.Nodes[node].Depth)
		if isLeaf(p.tree.Nodes[node]) {
			depth = max(depth, p.Shown())
		}
		timeline.To(float64(depth))(&p.timeline)
	}
	return true
}

// at is the tree's node at the shown level in which a vertex lies, and the
// node below it on the way to the vertex, -1 where that is none.
func (p *Separation) at(v int32) (node, from int32) {
	node, from = p.tree.Cells[v], -1
	for int(p.tree.Nodes[node].Depth) > p.Shown() {
		from, node = node, p.tree.Nodes[node].Parent
	}
	return node, from
}

// inspect says where a vertex lies.
func (p *Separation) inspect(h *HoverState) {
	h.Node = -1
	if p.tree == nil {
		return
	}
	node, from := p.at(h.Vertex)
	n := p.tree.Nodes[node]
	h.Node, h.Depth, h.A, h.S, h.B = int(node), int(n.Depth), int(n.A), int(n.S), int(n.B)
	switch {
	case isLeaf(n):
		h.Side = "leaf"
	case from == -1:
		h.Side = "S"
	case from == n.Left:
		h.Side = "A"
	default:
		h.Side = "B"
	}
}

func isLeaf(n job.Node) bool { return n.Left == -1 && n.Right == -1 }

// checkTree makes sure that drawing a tree cannot run out of its bounds, and
// sums up its levels.
func checkTree(e *job.Separated, n int) ([]LevelState, bool) {
	if len(e.Cells) != n || len(e.Nodes) == 0 && n > 0 {
		return nil, false
	}
	levels := []LevelState{}
	for i, node := range e.Nodes {
		if i == 0 && node.Parent != -1 || i > 0 && (node.Parent < 0 || int(node.Parent) >= i) {
			return nil, false
		}
		if i == 0 && node.Depth != 0 || i > 0 && node.Depth != e.Nodes[node.Parent].Depth+1 {
			return nil, false
		}
		for _, c := range []int32{node.Left, node.Right} {
			if c != -1 && (int(c) <= i || int(c) >= len(e.Nodes)) {
				return nil, false
			}
		}
		if node.Left == -1 && node.Right == -1 {
			continue
		}
		for len(levels) <= int(node.Depth) {
			levels = append(levels, LevelState{Level: len(levels)})
		}
		l := &levels[node.Depth]
		l.Nodes++
		l.A += int(node.A)
		l.S += int(node.S)
		l.B += int(node.B)
		l.MaxS = max(l.MaxS, int(node.S))
	}
	for _, c := range e.Cells {
		if c < 0 || int(c) >= len(e.Nodes) {
			return nil, false
		}
	}
	return levels, true
}

// hues gives every node of a separator tree its colour, parents first.
func hues(t *job.Separated) []colormap.LCh {
	colors := make([]colormap.LCh, len(t.Nodes))
	for i, n := range t.Nodes {
		var a, b colormap.LCh
		if i == 0 {
			a, b = colormap.Left(), colormap.Right()
		} else {
			a, b = colormap.Split(colors[i], int(n.Depth))
		}
		if n.Left >= 0 {
			colors[n.Left] = a
		}
		if n.Right >= 0 {
			colors[n.Right] = b
		}
	}
	return colors
}

// faded says of each vertex whether it lies outside the cell in focus; nil where none does.
func (p *Separation) faded() []bool {
	if p.cell <= 0 {
		return nil
	}
	// Whether a node lies in the focused one's subtree, parents first.
	inside := make([]bool, len(p.tree.Nodes))
	for i, n := range p.tree.Nodes {
		inside[i] = int32(i) == p.cell || n.Parent >= 0 && inside[n.Parent]
	}
	faded := make([]bool, len(p.tree.Cells))
	for v, c := range p.tree.Cells {
		faded[v] = !inside[c]
	}
	return faded
}

// fill appends the colour of each vertex's cell at the level shown.
func (p *Separation) fill(dst []colormap.RGB, theme colormap.Theme) []colormap.RGB {
	shown := make([]colormap.RGB, len(p.tree.Nodes)) // of what ends in the node
	for i, node := range p.tree.Nodes {
		switch {
		case int(node.Depth) > p.Shown()+1:
			shown[i] = shown[node.Parent]
		case int(node.Depth) <= p.Shown() && !isLeaf(node):
			shown[i] = colormap.Seam(theme)
		case i == 0:
			shown[i] = colormap.Clay(theme)
		default:
			shown[i] = p.hues[i].RGB()
		}
	}
	for _, c := range p.tree.Cells {
		dst = append(dst, shown[c])
	}
	return dst
}

// dots appends the vertices of the separators of the levels shown, the root's largest.
func (p *Separation) dots(dst []Dot, theme colormap.Theme) []Dot {
	color := colormap.Separator(theme)
	faded := p.faded()
	for v, c := range p.tree.Cells {
		node := p.tree.Nodes[c]
		if isLeaf(node) || int(node.Depth) > p.Shown() || faded != nil && faded[v] {
			continue
		}
		size := float32(math.Max(0.45, math.Pow(0.82, float64(node.Depth))))
		dst = append(dst, Dot{Vertex: int32(v), Size: size, Color: color})
	}
	return dst
}

// state is what the panel shows.
func (p *Separation) state() SeparationState {
	st := SeparationState{
		Finder: p.finder, Balance: p.balance, Level: p.Shown(), Playing: p.timeline.Playing(), Levels: append([]LevelState{}, p.levels...),
		Cell: int(p.cell), Swept: p.cuts != nil, Cuts: []CutState{}, Taken: p.taken,
	}
	if p.tree != nil {
		st.Used, st.Nodes = p.tree.Finder, len(p.tree.Nodes)
		for _, t := range p.tree.Timings {
			st.Seconds += finite(t.Seconds)
		}
	}
	if p.cuts != nil {
		for _, c := range p.cuts.Cuts {
			st.Cuts = append(st.Cuts, CutState{int(c.A), int(c.S), int(c.B)})
		}
	}
	return st
}
