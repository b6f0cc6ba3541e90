package tile

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"genussink/core/hub/label"
	"genussink/core/internal/buffer"
)

// maxGroup is the most rows in a group.
const maxGroup = 64

// Builder finds the runs of one tile after the other. It is scratch space, into which labels are copied so that what is
// compared lies together.
type Builder struct {
	// Tie is the relative difference of two path lengths that counts as
	// rounding. Any one of the hubs on a shortest path will do.
	Tie   float64
	Scale label.Scale // of the labels

	// Alike is by how much the leads of hubs may differ between vertices of a class.
	Alike label.Fixed

	GroupSize int           // rows that a group may have, of late
	Sides     [2]Side       // rows, columns
	rows      []label.Fixed // by row and hub, the rows in order
	cols      []label.Fixed // by hub and column, the columns in order, and the last one again until the last block is full
	span      int           // columns of cols

	samples   []sampled     // by hub
	Pivots    []int32       // hubs that the sampled paths use
	pairs     []int         // by pivot: a sampled pair that uses it
	used      []bool        // by hub: it is a pivot
	kept      []int32       // hubs that are left
	lengths   []label.Fixed // of the paths from one sampled vertex
	signed    []signed      // of the side that is put in order
	unordered []int32       // its vertices, by their signatures

	leads            []label.Fixed      // of a batch's pivots, by hub: the least lead of the hub over the pivot
	leadsAt          []int32            // by block and pivot: where its leads end; 0: not yet known
	ways             []label.Fixed      // by hub and probed pair: the way's length
	shortest, limits []label.Fixed      // by probed pair: the shortest way's length, and up to which one serves; negative once a chosen one does
	serves           []int              // by hub: the pairs left that it serves, at most
	chosen           []int32            // hubs to be preferred
	preferred        []int32            // the same, as Sides numbers them
	found            []int32            // hubs that are nearest for some sampled vertex, as Sides numbers them
	groupLabels      []label.Fixed      // by pivot and hub: the group seen from the pivot
	seen             []bool             // by pivot: over has them
	allHubs          []int32            // all hubs: 0, 1, ...
	rivals, near     []int32            // of one group
	shortestKeys     [chunk]label.Fixed // of a row and block, see nearestOf
	served           []columnSet        // by hub: those that it is used for
	order            []int32            // those that serve any, as the tile has them
	bands            []Band             // of the tile, hubs as they are numbered among those kept
	firstBand        []uint8            // by hub: its first band
	sortKeys         []sortKey          // the tile's groups or, without a tolerance, its classes of rows
	entries          []int32            // their rows, with a tolerance
	lasts            []uint8            // by class of columns, in order: its last column
	runs             []Run              // and runs
}

// Side is the rows or the columns of a tile.
type Side struct {
	Ranks      []int32       // from the cell's first; of an aggregate the centre
	Entries    []int32       // as in Cover.order
	Lowest     []float64     // of an aggregate the least offset; 0 of a vertex
	Centres    []int32       // scratch space
	condensed  []label.Fixed // likewise
	Labels     []label.Fixed // labels by hub, before any was dropped, and vertex
	order      []int32       // its vertices, as they stand in ranks
	signatures []signature   // of its vertices
	classes                  // of its vertices
}

// Len is the number of its vertices.
func (s *Side) Len() int { return len(s.Ranks) }

// row is the labels of a hub.
func (s *Side) row(n int32) []label.Fixed { return s.Labels[int(n)*s.Len():][:s.Len()] }

// Build appends a tile of a cell to the list. The tile has the entries of both sides. Its pairs go through the hubs that were kept, and
// its runs are within the tolerance. Its shift is the mean surplus of its ways, but at most delta, and small enough that no distance is
// less than the step. Build returns the number of distances that a product takes one after the other.
func (s *Builder) Build(l *List, cell int32, hubs, kept []int32, tolerance, delta, step float64) (distances int) {
	rows, cols := s.Sides[0].Ranks, s.Sides[1].Ranks
	allowed := s.Scale.Fixed(tolerance)
	for i := range s.Sides {
		if s.Sides[i].members = nil; tolerance == 0 {
			s.Sides[i].classify(kept, s.Alike)
		}
	}
	s.prepare(kept, allowed)
	t := Tile{
		Cell: cell, Rows: int32(len(rows)), cols: int32(len(cols)), band: int32(len(l.bands)),
		order: len(l.Order), Group: len(l.Groups), Run: len(l.Runs), RowHub: len(l.RowHubs),
	}
	s.lasts = s.lasts[:0]
	for i := range s.Sides {
		for _, v := range s.Sides[i].order {
			for _, v := range s.Sides[i].of(v) {
				l.Order = append(l.Order, s.Sides[i].Entries[v])
			}
			if i == 1 {
				s.lasts = append(s.lasts, uint8(len(l.Order)-t.order-len(rows)-1))
			}
		}
	}
	if tolerance == 0 {
		s.findExactRuns()
		s.makeBands(s.runs, len(cols))
	} else {
		s.findSharedRuns(l, &t, allowed)
		t.Shift = min(s.surplus(l.Groups[t.Group:], l.Runs[t.Run:]), delta)
		s.makeBands(l.Runs[t.Run:], len(cols))
		for _, n := range s.order {
			t.Shift = min(t.Shift, s.Sides[0].leastLabel(kept[n], s.Scale)+s.Sides[1].leastLabel(kept[n], s.Scale)-step)
		}
	}
	t.bands = int32(len(s.bands))
	for _, b := range s.bands {
		t.Distances += int(b.To - b.From)
		l.bands = append(l.bands, Band{hubs[kept[b.Hub]], b.From, b.To})
	}
	if tolerance == 0 {
		s.addRows(l, &t)
	} else {
		s.sortGroups(l, &t)
	}
	l.Tiles = append(l.Tiles, t)
	return t.Distances
}

// findExactRuns finds the runs of each class of rows, and the classes' keys.
func (s *Builder) findExactRuns() {
	s.runs, s.sortKeys = s.runs[:0], s.sortKeys[:0]
	for at := range s.Sides[0].Len() {
		known := len(s.runs)
		s.runs = s.exactRuns(s.runs, at)
		s.serve(s.runs[known:])
		s.sortKeys = append(s.sortKeys, keyOf(RowGroup{Runs: uint8(len(s.runs) - known)}, at, known))
	}
}

// findSharedRuns appends a tile's groups of rows, and their runs.
func (s *Builder) findSharedRuns(l *List, t *Tile, tolerance label.Fixed) {
	for at, size, height := 0, max(1, s.GroupSize), s.Sides[0].Len(); at < height; {
		size = min(size, height-at)
		known := len(l.Runs)
		runs, ok := s.sharedRuns(l.Runs, at, at+size, tolerance)
		if !ok {
			size = (size + 1) / 2
			continue
		}
		l.Runs = runs
		s.serve(l.Runs[known:])
		t.Distances += size * (len(l.Runs) - known)
		l.Groups = append(l.Groups, RowGroup{uint8(size), uint8(len(l.Runs) - known)})
		at += size
		size = min(2*size, maxGroup)
		s.GroupSize = size
	}
}

// serve turns the classes of columns at which some runs end into columns, and adds these runs to what their hubs serve.
func (s *Builder) serve(runs []Run) {
	from := 0
	for i := range runs {
		r := &runs[i]
		r.Last = s.lasts[r.Last]
		s.served[r.Band].add(from, int(r.Last)+1)
		from = int(r.Last) + 1
	}
}

// addRows appends the rows of a tile without a tolerance. Rows are ordered by the number of their runs: a processor then predicts better
// where loops end, and products of exact take an eighth less time. The runs name hubs in a list of those that the row uses.
func (s *Builder) addRows(l *List, t *Tile) {
	slices.Sort(s.sortKeys)
	var starts Starts
	starts.Set(l.bands[t.band:])
	side, rows := &s.Sides[0], l.Order[t.order:][:t.Rows]
	for _, o := range s.sortKeys {
		g, class, from := o.split()
		runs, first := s.runs[from:][:g.Runs], len(l.RowHubs)
		for i, r := range runs {
			n := slices.Index(l.RowHubs[first:], starts[r.Band])
			if n < 0 {
				n = len(l.RowHubs) - first
				l.RowHubs = append(l.RowHubs, starts[r.Band])
			}
			runs[i].Band = uint8(n)
		}
		end := len(l.RowHubs)
		g.Size = uint8(end - first)
		for i, v := range side.of(side.order[class]) {
			rows[i] = side.Entries[v]
			l.Groups, l.Runs = append(l.Groups, g), append(l.Runs, runs...)
			if i > 0 {
				l.RowHubs = append(l.RowHubs, l.RowHubs[first:end]...)
			}
		}
		rows = rows[len(side.of(side.order[class])):]
	}
	t.Distances += len(l.RowHubs) - t.RowHub
}

// sortGroups sorts the groups of a tile by their size, then by the number of their runs, as addRows does.
func (s *Builder) sortGroups(l *List, t *Tile) {
	rows, groups, runs := l.Order[t.order:][:t.Rows], l.Groups[t.Group:], l.Runs[t.Run:]
	s.sortKeys, s.entries, s.runs = s.sortKeys[:0], append(s.entries[:0], rows...), append(s.runs[:0], runs...)
	row, from := 0, 0
	for _, g := range groups {
		s.sortKeys = append(s.sortKeys, keyOf(g, row, from))
		row, from = row+int(g.Size), from+int(g.Runs)
	}
	slices.Sort(s.sortKeys)
	for i, o := range s.sortKeys {
		g, row, from := o.split()
		groups[i] = g
		rows, runs = rows[copy(rows, s.entries[row:][:g.Size]):], runs[copy(runs, s.runs[from:][:g.Runs]):]
	}
}

// sortKey is a group, and where its rows and runs were: numbers in the order of the groups.
type sortKey uint64

func keyOf(g RowGroup, row, run int) sortKey {
	return sortKey(g.Size)<<56 | sortKey(g.Runs)<<48 | sortKey(row)<<32 | sortKey(run)
}

func (o sortKey) split() (g RowGroup, row, run int) {
	return RowGroup{uint8(o >> 56), uint8(o >> 48)}, int(uint16(o >> 32)), int(uint32(o))
}

// bandGap is the most columns between two stretches of a hub that one band has. With 2 there are a twentieth
// fewer columns and two fifths more bands, which cost as much.
const bandGap = 8

// makeBands finds the bands of all hubs that serve some of the width columns, and has the runs name them. Hubs that serve late columns
// only come first. This gives each a start of its own (Starts).
func (s *Builder) makeBands(runs []Run, width int) {
	s.order = s.order[:0]
	for n := range s.served {
		if s.served[n] != (columnSet{}) {
			s.order = append(s.order, int32(n))
		}
	}
	slices.SortFunc(s.order, func(m, n int32) int {
		return cmp.Or(cmp.Compare(s.served[n].next(0, true), s.served[m].next(0, true)), cmp.Compare(m, n))
	})
	for apart := bandGap; ; apart *= 2 { // until a byte can name them: at last each hub has one
		s.bands = s.bands[:0]
		for _, n := range s.order {
			set := &s.served[n]
			s.firstBand[n] = uint8(len(s.bands))
			for from := set.next(0, true); from < width; {
				to := set.next(from, false)
				next := set.next(to, true)
				for next < width && next-to <= apart {
					to = set.next(next, false)
					next = set.next(to, true)
				}
				s.bands = append(s.bands, Band{n, uint16(from), uint16(to)})
				from = next
			}
		}
		if len(s.bands) <= MaxSide {
			break
		}
	}
	from := 0
	for i := range runs {
		r := &runs[i]
		r.Band = BandAt(s.bands, s.firstBand[r.Band], from)
		if from = int(r.Last) + 1; from == width {
			from = 0
		}
	}
}

// columnSet are some of a tile's columns.
type columnSet [(MaxSide + 1) / 64]uint64

// add adds the columns [from,to).
func (c *columnSet) add(from, to int) {
	for w := from / 64; w*64 < to; w++ {
		c[w] |= ^uint64(0) << max(0, from-w*64) & (^uint64(0) >> max(0, w*64+64-to))
	}
}

// next is the first column from at on that is in the set (one) or that is not in it (not one). It is beyond MaxSide if there is none.
func (c *columnSet) next(at int, one bool) int {
	for at <= MaxSide {
		w := c[at/64]
		if !one {
			w = ^w
		}
		if w >>= at % 64; w != 0 {
			return at + bits.TrailingZeros64(w)
		}
		at = (at/64 + 1) * 64
	}
	return at
}

// leastLabel is a lower bound on the labels of a hub on a side.
func (s *Side) leastLabel(n int32, c label.Scale) float64 {
	size, least := s.Len(), math.Inf(1)
	for i, x := range s.Labels[int(n)*size:][:size] {
		d := c.Length(x)
		if s.Lowest != nil {
			d += s.Lowest[i]
		}
		if d < least { // min is a call in WebAssembly
			least = d
		}
	}
	return least
}

// Load copies the labels of these hubs for the side's ranks, which count from base.
func (s *Side) Load(l *label.Labels, base int32, hubs []int32) {
	size := s.Len()
	s.Labels = buffer.Sized(s.Labels, len(hubs)*size)
	run := 1 // a patch is one stretch of ranks and then some
	for run < size && s.Ranks[run] == s.Ranks[run-1]+1 {
		run++
	}
	for n, h := range hubs {
		row := s.Labels[n*size:][:size]
		l.Fix(row[:run], h, base+s.Ranks[0])
		l.FixAt(row[run:], h, base, s.Ranks[run:])
	}
}

// Condense reduces the side to the vertices named in Centres, by their position in Ranks. Of the labels it copies those of the hubs that
// were kept.
func (s *Side) Condense(kept []int32) {
	size, width := s.Len(), len(s.Centres)
	s.condensed = buffer.Sized(s.condensed, len(s.Labels)/size*width)
	for _, n := range kept {
		row, to := s.Labels[int(n)*size:][:size], s.condensed[int(n)*width:][:width]
		for i, v := range s.Centres {
			to[i] = row[v]
		}
	}
	for i, v := range s.Centres {
		s.Centres[i] = s.Ranks[v]
	}
	s.Ranks, s.Labels, s.condensed = s.Centres, s.condensed, s.Labels
}

// prepare puts the columns in order. With a tolerance it puts the rows in order too, so that rows can share runs. It copies the
// labels of the hubs that were kept in these orders, and clears what the search for runs fills.
func (s *Builder) prepare(kept []int32, tolerance label.Fixed) {
	count := len(kept)
	for i := range s.Sides {
		side := &s.Sides[i]
		side.order = buffer.Sized(side.order, side.Len())
		for v := range side.order {
			side.order[v] = int32(v)
		}
	}
	if tolerance > 0 {
		s.chooseHubs(kept, tolerance/2)
		s.preferred = s.preferred[:0]
		for _, n := range s.chosen {
			s.preferred = append(s.preferred, kept[n])
		}
		s.orderSide(1, s.preferred) // most runs go through these few
		s.orderSide(0, s.preferred)
	} else {
		s.orderSide(1, kept)
	}
	rows, cols := &s.Sides[0], &s.Sides[1]
	height, width := rows.Len(), cols.Len()
	blocks := (width + chunk - 1) / chunk
	s.span = blocks * chunk
	s.rows, s.cols = buffer.Sized(s.rows, count*height), buffer.Sized(s.cols, count*s.span)
	s.transpose(kept)
	for i, n := range kept {
		labels, col := cols.Labels[int(n)*width:][:width], s.cols[i*s.span:][:s.span]
		for j, v := range cols.order {
			col[j] = labels[v]
		}
		for j := width; j < len(col); j++ {
			col[j] = col[width-1]
		}
	}
	s.leads, s.leadsAt = s.leads[:0], buffer.Sized(s.leadsAt, (blocks+1)*count)
	clear(s.leadsAt)
	s.groupLabels, s.seen = buffer.Sized(s.groupLabels, count*count), buffer.Sized(s.seen, count)
	s.served, s.firstBand = buffer.Sized(s.served, count), buffer.Sized(s.firstBand, count)
	clear(s.served)
}

// transpose fills the rows' labels, by row and hub.
func (s *Builder) transpose(kept []int32) {
	side, count := &s.Sides[0], len(kept)
	height := side.Len()
	labels := func(i int) []label.Fixed { return side.Labels[int(kept[i])*height:][:height] }
	i := 0
	for ; i+4 <= count; i += 4 { // by four: what is written lies together
		a, b, c, d := labels(i), labels(i+1), labels(i+2), labels(i+3)
		to := s.rows[i:]
		for j, v := range side.order {
			four := (*[4]label.Fixed)(to[j*count:])
			four[0], four[1], four[2], four[3] = a[v], b[v], c[v], d[v]
		}
	}
	for ; i < count; i++ {
		a := labels(i)
		for j, v := range side.order {
			s.rows[j*count+i] = a[v]
		}
	}
}
