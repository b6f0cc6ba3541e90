package lesson_test

import (
	"math"
	"slices"
	"testing"

	"genussink/core/graph"
	"genussink/core/job"
	"genussink/core/shortest"
	"genussink/viewer/figure"
	"genussink/viewer/lesson"
	"genussink/viewer/lesson/model"
)

func TestRecursion(t *testing.T) {
	each(t, func(t *testing.T, r *reader, own *model.Graph) {
		g := own
		if g == nil {
			g = model.Grid(8, 8)
		}
		cg := core(t, g)
		d := &lesson.Desk{}
		d.Ask(g, &job.Separate{})
		errand, _ := d.Take()
		s := office.answer(t, errand).(*job.Separated)
		levels, work := 0, map[int]int{}
		inner := 0
		splits(t, g, s)
		for _, n := range s.Nodes {
			if n.Left >= 0 || n.Right >= 0 {
				levels = max(levels, int(n.Depth)+1)
				work[int(n.Depth)] += int(n.S) * int(n.A+n.S+n.B)
				inner++
			}
		}
		root, leaf := s.Nodes[0], 0
		for i, n := range s.Nodes {
			if n.Left < 0 && n.Right < 0 {
				in := 0
				for _, cell := range s.Cells {
					if int(cell) == i {
						in++
					}
				}
				leaf = max(leaf, in)
			}
		}
		r.open(5, 1)
		r.act(lesson.Predict, 0, 0, float64(levels+2))
		r.wrong()
		r.act(lesson.Predict, 0, 0, float64(levels))
		r.hold(r.reveal(), wants{"n": float64(g.N), "A": float64(root.A), "S": float64(root.S), "B": float64(root.B), "leaf": float64(leaf), "depth": float64(levels), "nodes": float64(len(s.Nodes)), "log": math.Log2(float64(g.N))})
		r.right()

		r.open(5, 2)
		heaviest, total := 0, 0
		for l := range levels {
			total += work[l]
			if work[l] > work[heaviest] {
				heaviest = l
			}
		}
		r.act(lesson.Predict, 0, 0, float64(heaviest+1))
		r.wrong()
		r.act(lesson.Predict, 0, 0, float64(heaviest))
		r.reveal()
		r.Timeline().Seek(float64(inner))
		last := job.Node{Depth: -1}
		for _, n := range s.Nodes {
			if n.Depth >= last.Depth && (n.Left >= 0 || n.Right >= 0) {
				last = n
			}
		}
		r.hold(r.view(), wants{"A": float64(last.A), "S": float64(last.S), "B": float64(last.B), "level": float64(levels - 1), "total": float64(total), "pairs": float64(g.N * g.N), "heaviest": float64(heaviest)})
		r.right()
		perLevel := make([]figure.Lit, levels)
		for i, n := range s.Nodes {
			if n.Left >= 0 || n.Right >= 0 {
				perLevel[n.Depth].Bags = append(perLevel[n.Depth].Bags, i)
			}
		}
		for v, cell := range s.Cells {
			if n := s.Nodes[cell]; n.Left >= 0 || n.Right >= 0 {
				perLevel[n.Depth].Vertices = append(perLevel[n.Depth].Vertices, v)
			}
		}
		linked(t, r.view(), perLevel...)

		r.open(5, 3)
		r.wrong()
		marked := roles(r.view(), current)
		if len(marked) != 2 {
			t.Fatalf("5.3: %v are marked", marked)
		}
		di, dj := shortest.From(cg, int32(marked[0])), shortest.From(cg, int32(marked[1]))
		best, mine, worst := -1, math.Inf(1), -1
		for v, cell := range s.Cells {
			if cell == 0 {
				if x := di[v] + dj[v]; x < mine {
					best, mine = v, x
				}
				if worst < 0 || di[v]+dj[v] > di[worst]+dj[worst] {
					worst = v
				}
			}
		}
		if di[worst]+dj[worst] > mine {
			r.toggle(worst)
			r.wrong()
		}
		// Another vertex of a side takes the place of i or j, and asks for the way anew.
		for k, x := range marked {
			side := sideOf(s.Nodes, s.Cells, marked[1-k])
			for y := range g.N {
				if y != marked[1-k] && sideOf(s.Nodes, s.Cells, y) == side && !math.IsInf(di[y], 1) {
					r.toggle(best, y)
					r.wrong()
					if now := roles(r.view(), current); !slices.Contains(now, x) || !slices.Contains(now, y) || len(now) != 2 {
						t.Errorf("5.3: after a click on %d, %v are marked, not it and %d", y, now, x)
					}
					break
				}
			}
			r.toggle(marked[1-k])
		}
		r.toggle(best)
		v := r.reveal()
		onPath, crossed := map[int]bool{}, map[int]bool{} // the vertices of the way, and the separators that hold one
		for e, role := range graphOf(v).Lines {
			if role == figure.Path {
				onPath[graphOf(v).Edges[e][0]], onPath[graphOf(v).Edges[e][1]] = true, true
			}
		}
		if len(onPath) != int(mine)+1 { // every edge is 1 long
			t.Errorf("5.3: a way of length %v has %d vertices", mine, len(onPath))
		}
		for x := range onPath {
			if n := s.Nodes[s.Cells[x]]; n.Left >= 0 || n.Right >= 0 {
				crossed[int(s.Cells[x])] = true
			}
		}
		for b, role := range v.Figures[2].(*figure.Tree).Roles {
			if (role == figure.Path) != crossed[b] {
				t.Errorf("5.3: node %d of the tree has role %v", b, role)
			}
		}
		r.hold(v, wants{"S": float64(root.S), "mine": mine, "best": mine, "d": di[marked[1]], "crossed": float64(len(crossed))})
		var through []figure.Lit
		for at, cell := range s.Cells {
			if cell == 0 {
				if y := v.Figures[1].(*figure.Chart).Dots[len(through)].Y; y != di[at]+dj[at] {
					t.Errorf("5.3: through %d it is %v, not %v", at, y, di[at]+dj[at])
				}
				through = append(through, figure.Lit{Vertices: []int{at}})
			}
		}
		linked(t, v, through...)
		if mine != di[marked[1]] {
			t.Errorf("5.3: the best way is %v, the distance %v", mine, di[marked[1]])
		}
		r.right()

		shortcuts(t, r, own)
	})
}

// The last step on graphs that have a side in need of a shortcut.
func TestShortcuts(t *testing.T) {
	graphs := []*model.Graph{model.Tree(40), model.Planar(6, 6, 1), model.Planar(7, 8, 2), model.Planar(7, 8, 4), model.Planar(7, 8, 1),
		patched(surface(t, "sphere", map[string]float64{"frequency": 3}), 20)(64)}
	for at, g := range graphs {
		if testing.Short() && at > 0 {
			break
		}
		r := newReader(t, g)
		if shortcuts(t, r, g); r.view().Instead != "" {
			t.Errorf("graph %d shows the lesson's ring", at)
		}
	}
}

// distances are those of all pairs of some vertices, by the core, in the graph that they induce.
func distances(g *graph.Graph, among []int) map[[2]int]float64 {
	out := map[[2]int]float64{}
	part := g.Induced(shorts(among))
	for i, x := range among {
		for j, d := range shortest.From(part, int32(i)) {
			out[[2]int{x, among[j]}] = d
		}
	}
	return out
}

// shortcuts plays the step about them: which pairs of the separator need one, and for which vertices it matters most, by the core's distances. It
// returns these vertices, and the pair that they need.
func shortcuts(t *testing.T, r *reader, own *model.Graph) (vertices, pair [2]int) {
	t.Helper()
	r.open(5, 4)
	v := r.view()
	g := own
	if own == nil || v.Instead != "" {
		g = model.Cycle(14)
	}
	cg := core(t, g)
	gone, cut, marked := roles(v, out), roles(v, separates), roles(v, current)
	var all, with, side []int // the whole graph, the side with its separator, and without
	for x := range g.N {
		all = append(all, x)
		if !slices.Contains(gone, x) {
			if with = append(with, x); !slices.Contains(cut, x) {
				side = append(side, x)
			}
		}
	}
	if g == own && !slices.ContainsFunc(swept(t, g), func(s []int) bool { return slices.Equal(s, cut) }) {
		t.Errorf("5.4: %v is no cut of the engine's", cut)
	}
	for _, x := range side {
		next, _ := cg.Neighbours(int32(x))
		for _, y := range next {
			if slices.Contains(gone, int(y)) {
				t.Errorf("5.4: %d and %d are joined past %v", x, y, cut)
			}
		}
	}
	truth, inside := distances(cg, all), distances(cg, with)
	var pairs [][2]int // that need a shortcut
	need, most := -1, 0.0
	// By how much two vertices are too far apart inside, if a shortcut lies on their way.
	lacks := func(s, x, y int, u int) float64 {
		way := min(truth[[2]int{x, s}]+truth[[2]int{u, y}], truth[[2]int{x, u}]+truth[[2]int{s, y}]) + truth[[2]int{s, u}]
		if way > truth[[2]int{x, y}] {
			return 0
		}
		return inside[[2]int{x, y}] - truth[[2]int{x, y}]
	}
	for i, s := range cut {
		for _, u := range cut[i+1:] {
			if truth[[2]int{s, u}] == inside[[2]int{s, u}] {
				continue
			}
			pairs = append(pairs, [2]int{s, u})
			if need >= 0 {
				continue
			}
			for k, x := range side {
				for _, y := range side[:k] {
					most = max(most, lacks(s, x, y, u))
				}
			}
			if most > 0 {
				need = len(pairs) - 1
			}
		}
	}
	if need < 0 || len(marked) != 2 {
		t.Fatalf("5.4: %v are marked, no two vertices need a shortcut", marked)
	}
	x, y, p := marked[0], marked[1], pairs[need]
	if got := lacks(p[0], x, y, p[1]); got != most {
		t.Errorf("5.4: the shortcut %v brings %d and %d closer by %v, others by %v", p, x, y, got, most)
	}
	r.wrong() // none is picked
	if two := r.Verdict().Place; len(two) != 2 || two[0].ID != x || two[1].ID != y {
		t.Errorf("5.4: the hint points at %v, not at %d and %d", two, x, y)
	}
	r.toggle(side[0], side[1])
	r.wrong()
	if two := r.Verdict().Place; r.Verdict().Hint != "which" || len(two) != 2 || two[0].ID != p[0] || two[1].ID != p[1] {
		t.Errorf("5.4: the hint is %+v, not about %v", r.Verdict(), p)
	}
	r.StartOver()
	r.toggle(pairs[len(pairs)-1][:]...)
	r.hold(r.reveal(), wants{"S": float64(len(cut)), "needed": float64(len(pairs)), "detour": inside[[2]int{x, y}], "true": truth[[2]int{x, y}], "length": truth[p]})
	if added := graphOf(r.view()).Added; !slices.Equal(added, pairs) {
		t.Errorf("5.4: the shortcuts are %v, not %v", added, pairs)
	}
	r.right()
	return [2]int{x, y}, p
}

// splits holds the engine's separator tree to a graph: the sizes and the depth of every node are those of the cells below it, and every edge
// lies within a path of the tree, so that no separator is passed by.
func splits(t *testing.T, g *model.Graph, s *job.Separated) {
	t.Helper()
	above := func(node int32) (path []int32) { // from the node up
		for ; node >= 0; node = s.Nodes[node].Parent {
			path = append(path, node)
		}
		return path
	}
	in := make([]int32, len(s.Nodes)) // vertices in a node or below it
	own := make([]int32, len(s.Nodes))
	for _, cell := range s.Cells {
		own[cell]++
		for _, node := range above(cell) {
			in[node]++
		}
	}
	size := func(node int32) int32 {
		if node < 0 {
			return 0
		}
		return in[node]
	}
	for i, n := range s.Nodes {
		want := job.Node{A: size(n.Left), S: own[i], B: size(n.Right)}
		if n.Left < 0 && n.Right < 0 {
			want = job.Node{A: own[i]}
		}
		if n.A != want.A || n.S != want.S || n.B != want.B || int(n.Depth) != len(above(int32(i)))-1 {
			t.Errorf("node %d is %+v, not %d, %d and %d at depth %d", i, n, want.A, want.S, want.B, len(above(int32(i)))-1)
		}
	}
	for _, e := range g.Edges {
		if u, v := s.Cells[e[0]], s.Cells[e[1]]; !slices.Contains(above(u), v) && !slices.Contains(above(v), u) {
			t.Errorf("the edge %v joins two sides", e)
		}
	}
}

// sideOf is the child of the root that holds a vertex's cell. It is 0 for a vertex of the root's separator.
func sideOf(nodes []job.Node, cells []int32, v int) int {
	at := int(cells[v])
	for at > 0 && nodes[at].Parent > 0 {
		at = int(nodes[at].Parent)
	}
	return at
}

// The last step tells the core's separator tree of the mesh at hand. As the timeline moves on, the mesh shows level after level.
func TestWholeMesh(t *testing.T) {
	defer office.open(0)
	for i := range meshes {
		if testing.Short() && i > 0 {
			break
		}
		office.open(i)
		r := newReader(t, nil)
		r.open(5, 5)
		g := model.Grid(8, 8)
		few := splitLevels(run(engineOf(t, g), &job.Separate{}).(*job.Separated))
		s := run(office.mesh, &job.Separate{}).(*job.Separated)
		want := splitLevels(s)
		n, total := float64(len(s.Cells)), 0.0
		for _, x := range s.Nodes {
			if x.Left >= 0 || x.Right >= 0 {
				total += float64(x.S) * float64(x.A+x.S+x.B)
			}
		}
		for _, guess := range []float64{float64(len(want) - 3), float64(len(want) + 3)} {
			r.act(lesson.Predict, 0, 0, guess)
			r.wrong()
		}
		r.act(lesson.Predict, 0, 0, float64(len(want)-2))
		if v := r.view(); v.Length != 0 || len(v.Figures) != 1 {
			t.Errorf("before the answer there is a timeline of %d, and %d figures", v.Length, len(v.Figures))
		}
		r.reveal()
		for at := range want {
			r.Timeline().Seek(float64(at))
			v := r.view()
			r.hold(v, wants{"n": n, "few": 64, "fewDepth": float64(len(few)), "first": float64(want[0][1]), "level": float64(at), "nodes": float64(want[at][0]), "inS": float64(want[at][1]),
				"depth": float64(len(want)), "ratio": n / 64, "total": total, "share": total / (n * n)})
			if v.Canvas == nil || v.Canvas.Level != at {
				t.Errorf("at %d the mesh shows %v", at+1, v.Canvas)
			}
		}
		r.right()
	}
}

// leaf answers for a mesh at hand that is not split, and has an engine answer for graphs.
type leaf struct{ *testing.T }

func (l leaf) Ask(g *model.Graph, requests ...job.Body) job.Body {
	if g != nil {
		return run(engineOf(l.T, g), requests[0])
	}
	return &job.Separated{Nodes: []job.Node{{Parent: -1, Left: -1, Right: -1, A: 4}}, Cells: make([]int32, 4)}
}

// Steps about a mesh, or a graph, that is one cell say so.
func TestOneCell(t *testing.T) {
	m := lesson.New(leaf{t})
	for _, address := range []string{"learn=5.5/g0,5_t3_r", "learn=1.5/g0,1_r"} {
		if err := m.Resume(address); err != nil {
			t.Fatal(err)
		}
		if v := m.View(); v.Failed == "" || v.Waiting {
			t.Errorf("%s of a tetrahedron: %q, waiting %v", address, v.Failed, v.Waiting)
		}
	}
	m.SetOwn(func(int) *model.Graph { return model.Clique(4) })
	for _, address := range []string{"learn=5.1", "learn=5.2", "learn=5.3"} {
		if err := m.Repeat(address); err != nil {
			t.Fatal(err)
		}
		if v := m.View(); v.Failed == "" || m.Check() != nil {
			t.Errorf("%s of a clique: %q", address, v.Failed)
		}
	}
}

// splitLevels is how many nodes of every depth split, and the vertices of their separators: counted from the cells.
func splitLevels(s *job.Separated) (out [][2]int) {
	for i, x := range s.Nodes {
		if x.Left < 0 && x.Right < 0 {
			continue
		}
		for int(x.Depth) >= len(out) {
			out = append(out, [2]int{})
		}
		out[x.Depth][0]++
		for _, cell := range s.Cells {
			if int(cell) == i {
				out[x.Depth][1]++
			}
		}
	}
	return out
}
