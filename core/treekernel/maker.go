package treekernel

import (
	"cmp"
	"context"
	"math"
	"slices"

	"genussink/core/internal/minplus"
	"genussink/core/internal/parallel"
	"genussink/core/linop"
)

// maker writes the program of one part.
type maker struct {
	*builder
	program
	report   Report
	gatherer gatherer
	placed   []home // in the order in which they get their slots
	scratch  []float64
	counted  int64
}

// home is a vertex of the graph and its slot.
type home struct{ slot, vertex int32 }

// end drops what only building needs, and sorts the vertices.
func (m *maker) end() {
	m.gatherer, m.scratch = gatherer{}, nil
	slices.SortFunc(m.placed, func(a, b home) int { return cmp.Compare(a.vertex, b.vertex) })
	m.homes = make([]int32, len(m.placed))
	for i, h := range m.placed {
		m.homes[i] = h.slot
	}
}

// room is n numbers until it is asked for again.
func (m *maker) room(n int) []float64 {
	if cap(m.scratch) < n {
		m.scratch = make([]float64, 2*n)
	}
	return m.scratch[:n]
}

// build makes the program of a piece, its parts first.
func (m *maker) build(ctx context.Context, p piece) (built, error) {
	if err := ctx.Err(); err != nil {
		return built{}, err
	}
	if p.len() <= m.o.LeafSize {
		out := m.leaf(p)
		return out, m.account(0, p.len())
	}
	s := m.cut(p)
	parts := make([]built, len(s.parts))
	for i, part := range s.parts {
		var err error
		if parts[i], err = m.build(ctx, part); err != nil {
			return built{}, err
		}
	}
	return m.join(ctx, s, parts)
}

// account adds what the program has grown by, and will at once, to the bill,
// and the nodes of a leaf to the work done.
func (m *maker) account(more int64, nodes int) error {
	bytes := m.size() + more
	total := m.used.Add(bytes - m.counted)
	m.counted = bytes
	if m.o.MemoryLimit > 0 && total > m.o.MemoryLimit {
		return &linop.MemoryError{What: "treekernel: the tree's parts", Vertices: m.len(), Need: total, Limit: m.o.MemoryLimit}
	}
	if m.o.Progress != nil && nodes > 0 {
		m.mu.Lock()
		defer m.mu.Unlock()
		before := m.done * 100 / m.len()
		if m.done += nodes; m.done*100/m.len() > before {
			m.o.Progress("tree", float64(m.done)/float64(m.len()))
		}
	}
	return nil
}

// slotsFor gives vertices slots in a row.
func (m *maker) slotsFor(vertices []int32) int32 {
	first := m.slot(len(vertices))
	for i, v := range vertices {
		m.placed = append(m.placed, home{first + int32(i), m.order[v]})
	}
	return first
}

// leaf crosses all pairs of a small piece.
func (m *maker) leaf(p piece) built {
	m.report.Leaves++
	nodes := m.nodes[p.lo:p.hi]
	vertices := slices.Concat(nodes, p.rim) // ascending
	n := len(vertices)
	at := func(v int32) int {
		i, _ := slices.BinarySearch(vertices, v)
		return i
	}
	d := m.room(n * n)
	// The neighbours of v that come later separate it from all others that do. Those
	// of the piece's topmost nodes are in one bag.
	for i := n - 1; i >= 0; i-- {
		row := d[i*n:][:n]
		row[i] = 0
		if i >= len(nodes) {
			for j := i + 1; j < n; j++ {
				row[j] = m.distance(vertices[i], vertices[j])
				d[j*n+i] = row[j]
			}
			continue
		}
		rest := row[i+1:]
		for j := range rest {
			rest[j] = math.Inf(1)
		}
		lengths := m.lengths(vertices[i])
		for k, u := range m.above(vertices[i]) {
			via := d[at(u)*n+i+1:][:len(rest)]
			length := lengths[k]
			for j, x := range via {
				if x += length; x < rest[j] {
					rest[j] = x
				}
			}
		}
		for j, x := range rest {
			d[(i+1+j)*n+i] = x
		}
	}
	var fresh []int32
	var rows []int // of the fresh in d
	for i, v := range nodes {
		if !m.taken[v] {
			fresh, rows = append(fresh, v), append(rows, i)
		}
	}
	first := m.slotsFor(fresh)
	if len(fresh) > 0 {
		m.blocks = append(m.blocks, block{row: first, rows: int32(len(fresh)), col: first, cols: int32(len(fresh)), at: len(m.dist)})
		for k, i := range rows {
			for _, j := range rows[k+1:] {
				m.dist = append(m.dist, d[i*n+j])
			}
		}
	}
	out := m.shape(p.adh)
	var ends []int // of the adhesions in d
	for _, a := range p.adh {
		for _, v := range a.own {
			ends = append(ends, at(v))
		}
	}
	for u, i := range ends {
		for v, j := range ends {
			out.dist[u*len(ends)+v] = d[i*n+j]
		}
	}
	for a := range p.adh {
		own := ends[out.start[a]:out.start[a+1]]
		m.gatherer.begin(len(own))
		for k, i := range rows {
			far := m.gatherer.add(first + int32(k))
			for c, j := range own {
				far[c] = d[i*n+j]
			}
		}
		out.table[a] = m.gatherer.end(&m.program)
	}
	return out
}

// An item is what is joined at a bag: the classes of a part, or the bag's own
// fresh vertices.
type item struct {
	first int32
	far   []float64 // distances of each class from the bag's vertices, row by row
	hubs  []int     // the positions in the bag that separate it from other items, ascending
	part  int       // -1: of none, or of several
}

// join crosses the parts of a split with each other, and shows them to the
// adhesions of the whole.
func (m *maker) join(ctx context.Context, s *split, parts []built) (built, error) {
	m.report.Nodes++
	bag := append([]int32{s.x}, m.above(s.x)...) // ascending
	w := len(bag)
	inBag := make([]float64, w*w)
	for u := range bag {
		for v := range u {
			d := m.distance(bag[u], bag[v])
			inBag[u*w+v], inBag[v*w+u] = d, d
		}
	}
	hubs := func(own []int32) []int {
		at := make([]int, len(own))
		for i, v := range own {
			at[i], _ = slices.BinarySearch(bag, v)
		}
		return at
	}
	out := m.shape(s.adh)
	var items, free []item // free of adhesions to elsewhere
	if len(s.fresh) > 0 {
		first := m.slotsFor(s.fresh)
		it := item{first: first, part: -1}
		m.blocks = append(m.blocks, block{row: first, rows: int32(len(s.fresh)), col: first, cols: int32(len(s.fresh)), at: len(m.dist)})
		for i, v := range s.fresh {
			u, _ := slices.BinarySearch(bag, v)
			it.hubs = append(it.hubs, u)
			it.far = append(it.far, inBag[u*w:][:w]...)
			for _, v := range s.fresh[i+1:] {
				m.dist = append(m.dist, m.distance(bag[u], v))
			}
		}
		items = append(items, it)
	}
	partHubs := make([][]int, len(parts))
	for i := range parts {
		p := &parts[i]
		out.depth = max(out.depth, p.depth+1)
		t := &p.table[0]
		at := hubs(p.adh[0].own)
		partHubs[i] = at
		if len(t.far) == 0 {
			continue
		}
		it := item{first: t.first, hubs: at, part: i, far: make([]float64, len(t.far)/len(at)*w)}
		for c := 0; c*len(at) < len(t.far); c++ {
			carry(it.far[c*w:][:w], t.far[c*len(at):][:len(at)], at, inBag)
		}
		if len(p.adh) > 1 {
			items = append(items, it)
		} else {
			free = append(free, it)
		}
	}
	for len(free) > 2 { // in pairs, so that many parts at one bag are no more work than few
		half := free[:0]
		for i := 0; i < len(free); i += 2 {
			if i+1 == len(free) {
				half = append(half, free[i])
				continue
			}
			if err := m.cross(ctx, &free[i], &free[i+1], w); err != nil {
				return out, err
			}
			half = append(half, m.unite(&free[i], &free[i+1], w))
		}
		free = half
		if err := ctx.Err(); err != nil {
			return out, err
		}
	}
	items = append(items, free...)
	for i := range items {
		for j := range i {
			if err := m.cross(ctx, &items[i], &items[j], w); err != nil {
				return out, err
			}
		}
		if err := ctx.Err(); err != nil {
			return out, err
		}
		if err := m.account(0, 0); err != nil {
			return out, err
		}
	}
	// ways[a] is the distances of the bag's vertices from those of adhesion a.
	ways := make([][]float64, len(s.adh))
	for a, h := range s.host {
		own := s.adh[a].own
		way := make([]float64, w*len(own))
		if h.part < 0 {
			for t, u := range hubs(s.adh[a].own) {
				for v := range bag {
					way[v*len(own)+t] = inBag[v*w+u]
				}
			}
		} else {
			d, stride := parts[h.part].between(0, h.adh)
			for v := range bag {
				row := way[v*len(own):][:len(own)]
				for t := range row {
					row[t] = math.Inf(1)
				}
				for k, u := range partHubs[h.part] {
					for t := range row {
						row[t] = min(row[t], inBag[v*w+u]+d[k*stride+t])
					}
				}
			}
		}
		ways[a] = way
	}
	stride := out.start[len(s.adh)]
	for a, h := range s.host {
		for c, i := range s.host[:a] {
			na, nc := out.start[a+1]-out.start[a], out.start[c+1]-out.start[c]
			for u := range na {
				for v := range nc {
					d := math.Inf(1)
					if h.part >= 0 && h.part == i.part {
						own, by := parts[h.part].between(h.adh, i.adh)
						d = own[u*by+v]
					} else {
						for k := range bag {
							d = min(d, ways[a][k*na+u]+ways[c][k*nc+v])
						}
					}
					out.dist[(out.start[a]+u)*stride+out.start[c]+v] = d
					out.dist[(out.start[c]+v)*stride+out.start[a]+u] = d
				}
			}
		}
		out.table[a] = m.show(items, parts, h, ways[a], w)
	}
	return out, m.account(0, 0)
}

// carry turns a class's distances from some positions of the bag into those from
// all.
func carry(dst, far []float64, at []int, inBag []float64) {
	w := len(dst)
	for u := range dst {
		dst[u] = math.Inf(1)
	}
	for k, v := range at {
		for u, d := range inBag[v*w:][:w] {
			if d += far[k]; d < dst[u] {
				dst[u] = d
			}
		}
	}
}

// show makes the classes of all items as an adhesion sees them that hangs on a
// part or on the bag itself, way being the distances of the bag's vertices from
// its own.
func (m *maker) show(items []item, parts []built, h hostAdhesion, way []float64, w int) table {
	columns := len(way) / w
	var host table
	others := len(items)
	if h.part >= 0 {
		host = parts[h.part].table[h.adh]
		for i := range items {
			if items[i].part == h.part {
				others--
			}
		}
		if others == 0 {
			return host
		}
	}
	g := &m.gatherer
	g.begin(columns)
	for c := 0; c*columns < len(host.far); c++ {
		copy(g.add(host.first+int32(c)), host.far[c*columns:][:columns])
	}
	for i := range items {
		it := &items[i]
		if h.part >= 0 && it.part == h.part {
			continue
		}
		for c := 0; c*w < len(it.far); c++ {
			far := g.add(it.first + int32(c))
			for t := range far {
				far[t] = math.Inf(1)
			}
			for _, u := range it.hubs {
				a, d := it.far[c*w+u], way[u*columns:][:columns]
				for t := range far {
					far[t] = min(far[t], a+d[t])
				}
			}
		}
	}
	return g.end(&m.program)
}

// unite makes one item of two.
func (m *maker) unite(a, b *item, w int) item {
	g := &m.gatherer
	g.begin(w)
	for _, it := range [...]*item{a, b} {
		for c := 0; c*w < len(it.far); c++ {
			copy(g.add(it.first+int32(c)), it.far[c*w:][:w])
		}
	}
	t := g.end(&m.program)
	hubs := slices.Concat(a.hubs, b.hubs)
	slices.Sort(hubs)
	return item{first: t.first, far: t.far, hubs: slices.Compact(hubs), part: -1}
}

// cross is the paper's cross_compute (Sec. 3.1.2) for the classes of two
// items: through the hubs of the one that has fewer.
func (m *maker) cross(ctx context.Context, a, b *item, w int) error {
	if len(b.hubs) < len(a.hubs) {
		a, b = b, a
	}
	s, rows, cols := len(a.hubs), len(a.far)/w, len(b.far)/w
	if rows == 1 && cols == 1 {
		d := math.Inf(1)
		for _, u := range a.hubs {
			d = min(d, a.far[u]+b.far[u])
		}
		m.report.Single++
		m.pairs.add(a.first, b.first, d)
		return nil
	}
	near, far := a.through(a.hubs, w), b.through(a.hubs, w)
	if s <= rangeHubs && min(rows, cols) >= rangeLeast {
		r := ranged{p: &m.program, hubs: s, row: a.first, col: b.first, a: near, b: far}
		if r.cross(ctx, rows*cols/rangeGain) {
			m.report.Range++
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	if err := m.account(8*int64(rows)*int64(cols), 0); err != nil {
		return err
	}
	m.report.Pairs++
	at := len(m.dist)
	m.blocks = append(m.blocks, block{a.first, int32(rows), b.first, int32(cols), at})
	m.dist = slices.Grow(m.dist, rows*cols)[:at+rows*cols]
	columns := make([]float64, len(far)) // hub by hub
	for j := range cols {
		for u := range s {
			columns[u*cols+j] = far[j*s+u]
		}
	}
	row := func(_, i int) { minplus.Row(m.dist[at+i*cols:][:cols], near[i*s:][:s], columns, cols) }
	if rows*cols*s < parallelWork {
		for i := range rows {
			row(0, i)
		}
		return nil
	}
	return parallel.Each(ctx, parallel.Workers(rows), rows, row)
}

// parallelWork is from how many additions on a block's rows are spread over the
// processors: a millisecond of one.
const parallelWork = 1 << 20

// through is the distances of each class from some of the bag's vertices.
func (it *item) through(hubs []int, w int) []float64 {
	out := make([]float64, 0, len(it.far)/w*len(hubs))
	for c := 0; c < len(it.far); c += w {
		for _, u := range hubs {
			out = append(out, it.far[c+u])
		}
	}
	return out
}
