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

// chunk is the number of columns for which hubs are dropped together.
const chunk = 16

// pathSamples is the number of rows, and of columns, whose shortest paths tell prune which hubs to compare the others with.
const pathSamples = 16

// orderSamples is the number of vertices from which arrange looks at the other side, and fewOrderSamples that with a tolerance, where it looks
// at both sides and runs cost less of a product. With 16 instead of 32 exact has a ninth more runs and products take a
// fifteenth longer, with 64 it has a twentieth fewer and the walk takes a tenth longer; certified has a seventh fewer with 32, products take
// a thirtieth less and the walk a sixth longer.
const orderSamples, fewOrderSamples = 32, 16

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

	Pivots    []int32       // hubs that the sampled paths use
	pairs     []int         // by pivot: a sampled pair that uses it
	used      []bool        // by hub: it is a pivot
	kept      []int32       // hubs that are left
	lengths   []label.Fixed // of the paths from one sampled vertex
	classes   []class       // of the side that is put in order
	unordered []int32       // its vertices, by their names

	leads            []label.Fixed      // of a batch's pivots, by hub: the least lead of the hub over the pivot
	leadsAt          []int32            // by block and pivot: where its leads end; 0: not yet known
	probed           []label.Fixed      // by hub and probed pair: the way's length
	shortest, limits []label.Fixed      // by probed pair: the shortest way's length, and up to which one serves; negative once a chosen one does
	serves           []int              // by hub: the pairs left that it serves, at most
	chosen           []int32            // hubs to be preferred
	groupLabels      []label.Fixed      // by pivot and hub: the group seen from the pivot
	seen             []bool             // by pivot: over has them
	allHubs          []int32            // all hubs: 0, 1, ...
	rivals, near     []int32            // of one group
	shortestKeys     [chunk]label.Fixed // of a row and block: the ways' lengths and hubs, see nearestInChunk
	served           []columnSet        // by hub: those that it is used for
	order            []int32            // those that serve any, as the tile has them
	bands            []Band             // of the tile, hubs as they are numbered among those kept
	firstBand        []uint8            // by hub: its first band
	sortKeys         []sortKey          // the tile's groups
	entries          []int32            // their rows
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
	for at, size, height := 0, max(1, s.GroupSize), s.Sides[0].Len(); at < height; {
		var runs []Run
		if tolerance == 0 {
			size, runs = 1, s.exactRuns(l.Runs, at)
		} else {
			size = min(size, height-at)
			var ok bool
			if runs, ok = s.sharedRuns(l.Runs, at, at+size, allowed); !ok {
				size = (size + 1) / 2
				continue
			}
			t.Distances += size * (len(runs) - len(l.Runs))
		}
		group, from := RowGroup{uint8(size), uint8(len(runs) - len(l.Runs))}, 0
		own := runs[len(l.Runs):]
		for i := range own {
			own[i].Last = s.lasts[own[i].Last]
			s.served[own[i].Band].add(from, int(own[i].Last)+1)
			from = int(own[i].Last) + 1
		}
		l.Groups, l.Runs = append(l.Groups, group), runs
		for range s.Sides[0].of(s.Sides[0].order[at])[1:] {
			l.Groups, l.Runs = append(l.Groups, group), append(l.Runs, own...)
		}
		at += size
		size = min(2*size, maxGroup)
		s.GroupSize = size
	}
	if tolerance > 0 {
		t.Shift = min(s.surplus(l.Groups[t.Group:], l.Runs[t.Run:]), delta)
	}
	s.makeBands(l.Runs[t.Run:], len(cols))
	if tolerance > 0 {
		for _, n := range s.order {
			t.Shift = min(t.Shift, s.Sides[0].leastLabel(kept[n], s.Scale)+s.Sides[1].leastLabel(kept[n], s.Scale)-step)
		}
	}
	t.bands = int32(len(s.bands))
	for _, b := range s.bands {
		t.Distances += int(b.To - b.From)
		l.bands = append(l.bands, Band{hubs[kept[b.Hub]], b.From, b.To})
	}
	s.sortRows(l, &t)
	l.Tiles = append(l.Tiles, t)
	return t.Distances
}

// sortRows sorts the groups of a tile by their size, then by the number of their runs. So a processor predicts the ends of loops better
// (products of exact take an eighth less time). Without a tolerance it lists the hubs that each row uses, and has the runs name those.
func (s *Builder) sortRows(l *List, t *Tile) {
	rows, groups, runs := l.Order[t.order:][:t.Rows], l.Groups[t.Group:], l.Runs[t.Run:]
	s.sortKeys, s.entries, s.runs = s.sortKeys[:0], append(s.entries[:0], rows...), append(s.runs[:0], runs...)
	row, from := 0, 0
	for _, g := range groups {
		s.sortKeys = append(s.sortKeys, sortKey(g.Size)<<56|sortKey(g.Runs)<<48|sortKey(row)<<32|sortKey(from))
		row, from = row+int(g.Size), from+int(g.Runs)
	}
	slices.Sort(s.sortKeys)
	var starts Starts
	starts.Set(l.bands[t.band:])
	for i, o := range s.sortKeys {
		g, row, from := o.split()
		named := runs[:copy(runs, s.runs[from:][:g.Runs])]
		rows, runs = rows[copy(rows, s.entries[row:][:g.Size]):], runs[len(named):]
		groups[i] = g
		if l.Grouped {
			continue
		}
		first := len(l.RowHubs)
		for i, r := range named {
			n := slices.Index(l.RowHubs[first:], starts[r.Band])
			if n < 0 {
				n = len(l.RowHubs) - first
				l.RowHubs = append(l.RowHubs, starts[r.Band])
			}
			named[i].Band = uint8(n)
		}
		groups[i].Size = uint8(len(l.RowHubs) - first)
	}
	t.Distances += len(l.RowHubs) - t.RowHub
}

// sortKey is a group, and where its rows and runs were: numbers in the order of the groups.
type sortKey uint64

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
		for j := run; j < size; j++ {
			row[j] = l.Scale.Fixed(l.At(h, base+s.Ranks[j]))
		}
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

// findPivots lists the hubs that shortest paths between some pairs use: the pivots.
func (s *Builder) findPivots(count int) {
	var keys [pathSamples][pathSamples]label.Fixed
	for i := range keys {
		for j := range keys[i] {
			keys[i][j] = math.MaxInt64
		}
	}
	height, width := s.Sides[0].Len(), s.Sides[1].Len()
	for n := range count {
		row, col := s.Sides[0].Labels[n*height:][:height], s.Sides[1].Labels[n*width:][:width]
		var far [pathSamples]label.Fixed
		for j := range far {
			far[j] = col[sampleOf(j, width)]&^keyMask | label.Fixed(n)
		}
		for i := range keys {
			d := row[sampleOf(i, height)] &^ keyMask
			for j := 0; j < pathSamples; j += 4 {
				k, f := (*[4]label.Fixed)(keys[i][j:]), (*[4]label.Fixed)(far[j:])
				k[0], k[1], k[2], k[3] = min(k[0], d+f[0]), min(k[1], d+f[1]), min(k[2], d+f[2]), min(k[3], d+f[3])
			}
		}
	}
	s.used = buffer.Sized(s.used, count)
	clear(s.used)
	s.Pivots, s.pairs = s.Pivots[:0], s.pairs[:0]
	for i := range keys {
		for j, key := range keys[i] {
			if n := int32(key & keyMask); !s.used[n] {
				s.used[n] = true
				s.Pivots, s.pairs = append(s.Pivots, n), append(s.pairs, i*pathSamples+j)
			}
		}
	}
}

// Numbers are 0 to count-1.
func (s *Builder) Numbers(count int) []int32 {
	for len(s.allHubs) < count {
		s.allHubs = append(s.allHubs, int32(len(s.allHubs)))
	}
	return s.allHubs[:count]
}

// Prune lists the hubs that are kept. It drops each hub for which some pivot has a way as short for every pair. Where a pivot itself is
// such a hub, as on lattices, whose hubs tie, it drops each for which any other has.
func (s *Builder) Prune(count int) []int32 {
	s.findPivots(count)
	s.kept = s.kept[:0]
	for n := range int32(count) {
		if s.used[n] || !slices.ContainsFunc(s.Pivots, func(m int32) bool { return s.replaces(m, n) }) {
			s.kept = append(s.kept, n)
		}
	}
	drop := func(n int32, instead func(m int32) bool) {
		if slices.ContainsFunc(s.kept, func(m int32) bool { return m != n && instead(m) && s.replaces(m, n) }) {
			at, _ := slices.BinarySearch(s.kept, n)
			s.kept = slices.Delete(s.kept, at, at+1)
			s.used[n] = false
		}
	}
	pivots := len(s.Pivots)
	rows, cols := &s.Sides[0], &s.Sides[1]
	for i, n := range s.Pivots {
		r, c := sampleOf(s.pairs[i]/pathSamples, rows.Len()), sampleOf(s.pairs[i]%pathSamples, cols.Len())
		way := func(m int32) label.Fixed { return rows.row(m)[r] + cols.row(m)[c] }
		drop(n, func(m int32) bool { return way(m) <= way(n) })
	}
	s.Pivots = slices.DeleteFunc(s.Pivots, func(n int32) bool { return !s.used[n] })
	for n := int32(0); n < int32(count) && len(s.Pivots) < pivots; n++ {
		if _, kept := slices.BinarySearch(s.kept, n); kept && !s.used[n] {
			drop(n, func(int32) bool { return true })
		}
	}
	return s.kept
}

// replaces reports whether a hub has a way as short as another's for every pair.
func (s *Builder) replaces(hub, other int32) bool {
	pa, pb, ra, rb := s.Sides[0].row(hub), s.Sides[1].row(hub), s.Sides[0].row(other), s.Sides[1].row(other)
	height, width := len(ra), len(rb)
	// A few leads bound the least from above.
	enough := max(pb[0]-rb[0], pb[width/4]-rb[width/4], pb[width/2]-rb[width/2], pb[3*width/4]-rb[3*width/4], pb[width-1]-rb[width-1])
	if min(ra[0]-pa[0], ra[height/4]-pa[height/4], ra[height/2]-pa[height/2], ra[3*height/4]-pa[3*height/4], ra[height-1]-pa[height-1]) < enough {
		return false
	}
	la := label.LeadFixed(ra, pa, enough)
	return la >= enough && la+label.LeadFixed(rb, pb, -la) >= 0
}

// sampleOf is the i-th sample of a side of so many vertices.
func sampleOf(i, size int) int { return (2*i + 1) * size / (2 * pathSamples) }

// keyMask is a mask of the last bits of a length, which name its hub. It has so
// many bits that two lengths that differ by rounding alone, also that of float32,
// count as equal. Then the first hub wins. With fewer bits float32 makes 8 % more runs.
const keyMask = 1<<42 - 1

// shortestWays finds the lengths of the shortest paths from a vertex of one side to all vertices of the other. The last bits of each
// length name the path's hub, by its index in hubs.
func (s *Builder) shortestWays(from *Side, v int, to *Side, hubs []int32) []label.Fixed {
	width, height := to.Len(), from.Len()
	s.lengths = buffer.Sized(s.lengths, width)
	keys := s.lengths
	for j := range keys {
		keys[j] = math.MaxInt64
	}
	way := func(i int) (start label.Fixed, labels []label.Fixed) {
		n := int(hubs[i])
		return from.Labels[n*height+v], to.Labels[n*width:][:len(keys)]
	}
	i := 0
	for ; i+1 < len(hubs); i += 2 { // by two: the keys are read and written half as often
		a, first := way(i)
		b, second := way(i + 1)
		m, n := label.Fixed(i), label.Fixed(i+1)
		lower := func(key, d, e label.Fixed) label.Fixed { return min(key, (a+d)&^keyMask|m, (b+e)&^keyMask|n) }
		j := 0
		for ; j+8 <= len(keys); j += 8 {
			k, d, e := (*[8]label.Fixed)(keys[j:]), (*[8]label.Fixed)(first[j:]), (*[8]label.Fixed)(second[j:])
			k[0], k[1] = lower(k[0], d[0], e[0]), lower(k[1], d[1], e[1])
			k[2], k[3] = lower(k[2], d[2], e[2]), lower(k[3], d[3], e[3])
			k[4], k[5] = lower(k[4], d[4], e[4]), lower(k[5], d[5], e[5])
			k[6], k[7] = lower(k[6], d[6], e[6]), lower(k[7], d[7], e[7])
		}
		for ; j < len(keys); j++ {
			keys[j] = lower(keys[j], first[j], second[j])
		}
	}
	if i < len(hubs) {
		a, labels := way(i)
		for j, key := range keys {
			keys[j] = min(key, (a+labels[j])&^keyMask|label.Fixed(i))
		}
	}
	return keys
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
		s.orderSide(1, kept, fewOrderSamples)
		s.orderSide(0, kept, fewOrderSamples)
	} else {
		s.orderSide(1, kept, orderSamples)
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
	s.chosen = append(s.chosen[:0], s.Numbers(count)...)
	if tolerance > 0 {
		s.chooseHubs(count, tolerance/2)
	}
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

// signature are the hubs through which a vertex is reached from those that look at it, a byte each, and then zeros.
type signature [orderSamples / 8]uint64

// compare orders them, as numbers in a row.
func (n *signature) compare(o *signature) int {
	for k, x := range n {
		if y := o[k]; x < y {
			return -1
		} else if x > y {
			return 1
		}
	}
	return 0
}

// differences is how many of them differ.
func (n *signature) differences(o *signature) (count int) {
	const low = 0x7f7f7f7f7f7f7f7f // of every byte but the first bit
	for i := range n {
		x := n[i] ^ o[i]
		count += bits.OnesCount64(((x & low) + low | x) &^ low)
	}
	return count
}

// class are the vertices left[from:to], which have the same names.
type class struct {
	signature
	from, to int32
}

// orderSide puts a side in an order in which runs are long. The signature of a vertex names the hubs through which some vertices of the
// other side reach it. After each vertex comes the one of the rest whose signature differs least. Shortening this tour by exchanges
// (2-opt) would save 4 % of the runs, and take longer than the whole walk.
func (s *Builder) orderSide(i int, kept []int32, looks int) {
	here, there := &s.Sides[i], &s.Sides[1-i]
	here.signatures = buffer.Sized(here.signatures, here.Len())
	clear(here.signatures)
	for n := range looks {
		for j, key := range s.shortestWays(there, (2*n+1)*there.Len()/(2*looks), here, kept) {
			here.signatures[j][n/8] |= uint64(uint8(key)) << (n % 8 * 8)
		}
	}
	slices.SortFunc(here.order, func(i, j int32) int {
		return cmp.Or(here.signatures[i].compare(&here.signatures[j]), cmp.Compare(i, j))
	})
	s.unordered, s.classes = append(s.unordered[:0], here.order...), s.classes[:0]
	for at, v := range s.unordered {
		if last := len(s.classes) - 1; last >= 0 && s.classes[last].signature == here.signatures[v] {
			s.classes[last].to++
		} else {
			s.classes = append(s.classes, class{here.signatures[v], int32(at), int32(at + 1)})
		}
	}
	order, next := here.order[:0], 0
	for all := s.classes; len(all) > 0; {
		last := len(all) - 1
		o := all[next]
		all[next], all = all[last], all[:last]
		order = append(order, s.unordered[o.from:o.to]...)
		least := math.MaxInt
		for n := range all {
			if count := all[n].differences(&o.signature); count < least {
				least, next = count, n
			}
		}
	}
}

// leadsOver are the least leads of all hubs over a pivot within a block of columns. The
// block after the last one stands for all columns.
func (s *Builder) leadsOver(pivot int32, block, count int) []label.Fixed {
	if to := int(s.leadsAt[block*count+int(pivot)]); to > 0 {
		return s.leads[to-count : to]
	}
	return s.findLeads(pivot, block, count)
}

// findLeads computes what leadsOver returns, the first time that it is asked for.
func (s *Builder) findLeads(pivot int32, block, count int) []label.Fixed {
	blocks := s.span / chunk
	if block == blocks {
		for i := range blocks {
			s.leadsOver(pivot, i, count)
		}
	}
	s.leads = slices.Grow(s.leads, count)[:len(s.leads)+count]
	s.leadsAt[block*count+int(pivot)] = int32(len(s.leads))
	leads := s.leads[len(s.leads)-count:]
	if block < blocks {
		s.leadsIn(leads, pivot, block*chunk)
		return leads
	}
	copy(leads, s.leadsOver(pivot, 0, count))
	for i := 1; i < blocks; i++ {
		for n, d := range s.leadsOver(pivot, i, count)[:count] {
			leads[n] = min(leads[n], d)
		}
	}
	return leads
}

// leadsIn finds the hubs' leads over a pivot in the block of columns that begins at from.
func (s *Builder) leadsIn(leads []label.Fixed, pivot int32, from int) {
	base := (*[chunk]label.Fixed)(s.cols[int(pivot)*s.span+from:])
	for n := range leads {
		col := (*[chunk]label.Fixed)(s.cols[n*s.span+from:])
		first := min(col[0]-base[0], col[1]-base[1], col[2]-base[2], col[3]-base[3])
		second := min(col[4]-base[4], col[5]-base[5], col[6]-base[6], col[7]-base[7])
		first = min(first, col[8]-base[8], col[9]-base[9], col[10]-base[10], col[11]-base[11])
		second = min(second, col[12]-base[12], col[13]-base[13], col[14]-base[14], col[15]-base[15])
		leads[n] = min(first, second)
	}
}

// nearest is that one of the hubs through which the way from a row to a column is shortest.
func (s *Builder) nearest(row []label.Fixed, column int, hubs []int32) int32 {
	least, pivot := label.Fixed(math.MaxInt64), int32(0)
	for _, n := range hubs {
		if d := row[n] + s.cols[int(n)*s.span+column]; d < least {
			least, pivot = d, n
		}
	}
	return pivot
}

// Probes is the number of rows, and that of columns, whose pairs are probed.
const Probes = 12

// chooseHubs chooses hubs so that every probed pair has one that serves it within the tolerance. It
// is greedy: it takes the hub that serves the most pairs, then the hub that serves the most of the
// pairs that are left, and so on.
func (s *Builder) chooseHubs(count int, tolerance label.Fixed) {
	height, width := s.Sides[0].Len(), s.Sides[1].Len()
	across, down := min(Probes, width), min(Probes, height)
	pairs := across * down
	s.probed, s.shortest = buffer.Sized(s.probed, pairs*count), buffer.Sized(s.shortest, pairs)
	for i := range s.shortest {
		s.shortest[i] = math.MaxInt64
	}
	for n := range count {
		for i := range down {
			r := s.rows[(2*i+1)*height/(2*down)*count+n]
			for j := range across {
				d := r + s.cols[n*s.span+(2*j+1)*width/(2*across)]
				s.probed[n*pairs+i*across+j] = d
				s.shortest[i*across+j] = min(s.shortest[i*across+j], d)
			}
		}
	}
	s.limits, s.serves = buffer.Sized(s.limits, pairs), buffer.Sized(s.serves, count)
	for i, d := range s.shortest {
		s.limits[i] = d + label.Fixed(float64(d)*s.Tie) + tolerance
	}
	for n := range s.serves {
		s.serves[n] = pairs
	}
	s.chosen = s.chosen[:0]
	for left := pairs; left > 0; {
		most, at := 0, 0
		for n, before := range s.serves {
			if before <= most {
				continue // it serves fewer and fewer
			}
			serves := 0
			for i, d := range s.probed[n*pairs:][:pairs] {
				if d <= s.limits[i] {
					serves++
				}
			}
			if s.serves[n] = serves; serves > most {
				most, at = serves, n
			}
		}
		s.chosen = append(s.chosen, int32(at))
		for i, d := range s.probed[at*pairs:][:pairs] {
			if d <= s.limits[i] {
				s.limits[i] = -1
			}
		}
		left -= most
	}
}

// rowSet is a few rows as one. Seen from a pivot its label of a hub is the
// least lead of the hub over the pivot, plus the largest label of the pivot,
// so that it is a label when there is one row, and never negative.
type rowSet struct {
	rows  []label.Fixed // by row and hub
	count int
}

// labelsFrom has for each hub n the least over the rows of d(n,row) - d(pivot,row), plus the greatest d(pivot,row).
func (s *Builder) labelsFrom(g rowSet, pivot int32) []label.Fixed {
	if len(g.rows) == g.count {
		return g.rows
	}
	over := s.groupLabels[int(pivot)*g.count:][:g.count]
	if s.seen[pivot] {
		return over
	}
	s.seen[pivot] = true
	top := g.rows[pivot]
	for n, d := range g.rows[:g.count] {
		over[n] = d - top
	}
	for rows := g.rows[g.count:]; len(rows) > 0; rows = rows[g.count:] {
		own := rows[pivot]
		top = max(top, own)
		n := 0
		for ; n+4 <= len(over); n += 4 {
			o, d := (*[4]label.Fixed)(over[n:]), (*[4]label.Fixed)(rows[n:])
			o[0], o[1], o[2], o[3] = min(o[0], d[0]-own), min(o[1], d[1]-own), min(o[2], d[2]-own), min(o[3], d[3]-own)
		}
		for ; n < len(over); n++ {
			over[n] = min(over[n], rows[n]-own)
		}
	}
	for n := range over {
		over[n] += top
	}
	return over
}

// exactRuns appends the exact runs of a row. A run goes on while the way through its
// hub is the shortest. The next run begins at the first column for which the way
// through the next hub is shorter.
func (s *Builder) exactRuns(runs []Run, at int) []Run {
	count, width := len(s.rows)/s.Sides[0].Len(), s.Sides[1].Len()
	row := s.rows[at*count:][:count]
	blocks := (width + chunk - 1) / chunk
	current := s.nearest(row, width/2, s.allHubs[:count])
	if s.findRivals(row, s.allHubs[:count], current, blocks, 0); len(s.near) == 1 {
		return append(runs, Run{uint8(current), uint8(width - 1)})
	}
	s.rivals, s.near = s.near, s.rivals
	began := 0
	current = s.nearest(row, min(width, chunk)/2, s.rivals)
	labels := s.cols[int(current)*s.span:][:width]
	for i := range blocks {
		if s.findRivals(row, s.rivals, current, i, 0); len(s.near) == 1 {
			continue
		}
		from, to := i*chunk, min((i+1)*chunk, width)
		s.nearestInChunk(row, from)
		rank := label.Fixed(0) // of the current hub among those near
		for j, key := range s.shortestKeys[:to-from] {
			if key&label.HubMask == rank {
				continue
			}
			at := from + j
			next := s.near[key&label.HubMask]
			if float64(row[current]+labels[at]) <= float64(key)*(1+s.Tie) {
				continue
			}
			other := s.cols[int(next)*s.span:][:width]
			for at > began && row[next]+other[at-1] < row[current]+labels[at-1] {
				at--
			}
			if at > began {
				runs = append(runs, Run{uint8(current), uint8(at - 1)})
				began = at
			}
			current, labels, rank = next, other, key&label.HubMask
		}
	}
	return append(runs, Run{uint8(current), uint8(width - 1)})
}

// nearestInChunk finds the shortest way of a row through the hubs near, for each column of the block that begins at from. It leaves
// them in shortestKeys: lengths, whose last bits are the hub's index in near. So one comparison gives both.
func (s *Builder) nearestInChunk(row []label.Fixed, from int) {
	for j := range s.shortestKeys {
		s.shortestKeys[j] = math.MaxInt64
	}
	least := &s.shortestKeys
	for i, n := range s.near {
		own, col := row[n]+label.Fixed(i), (*[chunk]label.Fixed)(s.cols[int(n)*s.span+from:])
		least[0], least[1] = min(least[0], own+col[0]), min(least[1], own+col[1])
		least[2], least[3] = min(least[2], own+col[2]), min(least[3], own+col[3])
		least[4], least[5] = min(least[4], own+col[4]), min(least[5], own+col[5])
		least[6], least[7] = min(least[6], own+col[6]), min(least[7], own+col[7])
		least[8], least[9] = min(least[8], own+col[8]), min(least[9], own+col[9])
		least[10], least[11] = min(least[10], own+col[10]), min(least[11], own+col[11])
		least[12], least[13] = min(least[12], own+col[12]), min(least[13], own+col[13])
		least[14], least[15] = min(least[14], own+col[14]), min(least[15], own+col[15])
	}
}

// sharedRuns appends the runs that the rows [from,to) share. A run goes on until, for some row, another
// way is shorter by more than the tolerance. The next run goes through the hub that is nearest to the
// middle row: the nearest of the chosen hubs or, if that does not serve all rows, of all rivals. If
// neither does, there are no shared runs, and it returns false. A single row always has runs.
func (s *Builder) sharedRuns(runs []Run, from, to int, tolerance label.Fixed) ([]Run, bool) {
	count, width := len(s.rows)/s.Sides[0].Len(), s.Sides[1].Len()
	g := rowSet{s.rows[from*count : to*count], count}
	middle := s.rows[(from+to)/2*count:][:count]
	clear(s.seen)
	blocks := (width + chunk - 1) / chunk
	current := s.nearest(middle, width/2, s.chosen)
	seen := s.labelsFrom(g, current)
	if s.findRivals(seen, s.allHubs[:count], current, blocks, -tolerance); len(s.near) == 1 {
		return append(runs, Run{uint8(current), uint8(width - 1)}), true
	}
	s.findRivals(seen, s.allHubs[:count], current, blocks, 0)
	s.rivals, s.near = s.near, s.rivals
	began := 0
	current = s.nearest(middle, min(width, chunk)/2, s.chosen)
	seen = s.labelsFrom(g, current)
	for i := range blocks {
		at, end, tries := i*chunk, min((i+1)*chunk, width), 0
		for {
			s.findRivals(seen, s.rivals, current, i, -tolerance)
			if served := s.firstUnserved(seen, at, end, tolerance); served > at {
				at, tries = served, 0
			}
			if at == end {
				break
			}
			switch {
			case tries == 2 && to-from == 1: // but for rounding it serves
				at, tries = at+1, 0
				continue
			case tries == 2:
				return runs, false
			case tries == 0 && at > began:
				runs = append(runs, Run{uint8(current), uint8(at - 1)})
				began = at
			}
			current = s.nearest(middle, at, [2][]int32{s.chosen, s.rivals}[tries])
			seen = s.labelsFrom(g, current)
			tries++
		}
	}
	return append(runs, Run{uint8(current), uint8(width - 1)}), true
}

// firstUnserved is the first of the columns [from,to) for which the first hub of near does not serve
// all rows of a group within the tolerance: another hub of near has a shorter way. to if there is none.
func (s *Builder) firstUnserved(seen []label.Fixed, from, to int, tolerance label.Fixed) int {
	current := s.near[0]
	labels := s.cols[int(current)*s.span:][from:to]
	for _, n := range s.near[1:] {
		ahead := seen[current] - tolerance - seen[n]
		for j, d := range s.cols[int(n)*s.span+from:][:len(labels)] {
			if d-labels[j] < ahead {
				labels = labels[:j]
				break
			}
		}
	}
	return from + len(labels)
}

// surplus is by how much the ways of the probed pairs are longer than the
// shortest ways, on average. If it is subtracted from all distances of the tile, the
// errors cancel on average.
func (s *Builder) surplus(groups []RowGroup, runs []Run) float64 {
	height, width := s.Sides[0].Len(), s.Sides[1].Len()
	across, down := min(Probes, width), min(Probes, height)
	pairs := across * down
	total, end := label.Fixed(0), int(groups[0].Size)
	for i := range down {
		row := (2*i + 1) * height / (2 * down)
		for end <= row { // to the group of the row
			runs, groups = runs[groups[0].Runs:], groups[1:]
			end += int(groups[0].Size)
		}
		at := 0
		for j := range across {
			for int(runs[at].Last) < (2*j+1)*width/(2*across) {
				at++
			}
			total += (s.probed[int(runs[at].Band)*pairs+i*across+j] - s.shortest[i*across+j]) / label.Fixed(pairs)
		}
	}
	return s.Scale.Length(total)
}

// findRivals sets near to the hub current and to those rivals that may be nearer. A rival may be nearer if, somewhere in the block,
// the way through it is shorter than the way through current plus below. seen is the outcome of labelsFrom
// for current.
func (s *Builder) findRivals(seen []label.Fixed, rivals []int32, current int32, block int, below label.Fixed) {
	leads := s.leadsOver(current, block, len(seen))[:len(seen)]
	least := seen[current] + below
	near := buffer.Sized(s.near, len(rivals)+1)
	near[0] = current
	count := 1
	take := func(n int32) {
		near[count] = n
		if seen[n]+leads[n] < least { // not so of the current one
			count++
		}
	}
	for ; len(rivals) >= 4; rivals = rivals[4:] {
		four := (*[4]int32)(rivals)
		take(four[0])
		take(four[1])
		take(four[2])
		take(four[3])
	}
	for _, n := range rivals {
		take(n)
	}
	s.near = near[:count]
}
