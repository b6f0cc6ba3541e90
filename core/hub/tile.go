package hub

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// tile is a block of pairs: rows [rlo,rhi), columns [clo,chi). Its columns are
// put in an order of its own, in which each row is a few runs of columns that
// share a hub.
type tile struct {
	rlo, rhi, clo, chi int32
	band, bands        int32 // its hubs are Tiles.bands[band:band+bands]
	order, run         int   // where it begins in Tiles.order and Tiles.runs
}

// band is a hub of a tile with the columns [from,to), in the tile's order,
// that some row reaches through it.
type band struct {
	hub      int32
	from, to uint16
}

// run is a part of a row: the columns after the run before it, up to the last,
// are reached through the hub of a band. A row ends with the tile's last column.
type run struct{ band, last uint8 }

// most is the most hubs, and the most columns, that a tile can number.
const most = math.MaxUint8

// blockSide is the number of columns for which hubs are dropped together.
const blockSide = 16

// weaver is the scratch space in which the runs of one tile are found. Labels
// are copied so that what is compared lies together.
type weaver struct {
	// tie is the relative difference of two path lengths that is taken for
	// rounding: of the hubs that a shortest path passes any one will do.
	tie float64

	rows  []float64 // by row and hub
	plain []float64 // by hub and column
	cols  []float64 // the same, the columns in order
	mids  []float64 // by block and hub: the label of the block's middle column; the last block is the whole

	buffer     []float64 // a row of labels
	order      []uint8   // the columns
	line       []int32   // hubs that are used, as they stand side by side
	keys       []float64 // by column: its place in order
	sums, wins []float64 // by hub
	sampled    [samples]paths
	pivots     []int32  // hubs that the sampled rows use
	lengths    []uint64 // of one of these rows, by column

	leads        []float64         // by block, pivot and hub: the least lead of the hub over the pivot
	all          []int32           // all hubs: 0, 1, ...
	rivals, near []int32           // of one row
	least        [blockSide]uint64 // of a row and block: the ways' lengths and hubs, see weave
	from         []uint16          // by hub: the columns it is used for
	to           []uint16
}

// resolve settles the pairs of the places a and b, whose shortest paths all go
// through one of the hubs. Runs spend a third of the slack: on a mesh of 9,000
// vertices, with one per cent of the diagonal, that makes 60 % more runs than all of
// it, at a quarter of the error of the cost.
func (k *walker) resolve(a, b stretch, hubs []int32) {
	s := &k.weaver
	hubs = s.prune(k.l, a, b, hubs)
	count := len(hubs)
	if count > most {
		k.halves(a, b, hubs)
		return
	}
	height, width := int(a.hi-a.lo), int(b.hi-b.lo)
	s.load(k.l, a, b, hubs)
	t := tile{rlo: a.lo, rhi: a.hi, clo: b.lo, chi: b.hi, band: int32(len(k.bands)), order: len(k.order), run: len(k.runs)}
	k.order = append(k.order, s.order...)
	for v := range height {
		k.runs = s.weave(k.runs, s.rows[v*count:][:count], width, k.delta/3)
	}
	// Only the hubs that are used make bands.
	var to [most]uint8
	for n, h := range hubs {
		if s.to[n] > 0 {
			to[n] = uint8(t.bands)
			t.bands++
			k.bands = append(k.bands, band{h, s.from[n], s.to[n]})
		}
	}
	for i := t.run; i < len(k.runs); i++ {
		k.runs[i].band = to[k.runs[i].band]
	}
	k.tiles = append(k.tiles, t)
}

// prune drops the hubs that are nowhere better than one of those that the
// sampled rows use, which make the line.
func (s *weaver) prune(l *Labels, a, b stretch, hubs []int32) []int32 {
	used := make([]bool, len(hubs))
	pivots := s.pivots[:0]
	for i, v := range [samples]int32{a.lo, (a.lo + a.hi) / 2, a.hi - 1} {
		p := &s.sampled[i]
		width := int(b.hi - b.lo)
		s.lengths = sized(s.lengths, width)
		keys := s.lengths
		p.least, p.through = sized(p.least, width), sized(p.through, width)
		for j := range keys {
			keys[j] = math.MaxUint64
		}
		for n, h := range hubs {
			start, tag := l.label(h, v), uint64(n)
			for j, d := range l.stretch(&s.buffer, h, b.lo, b.hi)[:len(keys)] {
				keys[j] = min(keys[j], math.Float64bits(start+d)&^hubMask|tag)
			}
		}
		for j, key := range keys {
			n := int32(key & hubMask)
			p.least[j], p.through[j] = math.Float64frombits(key), n
			if !used[n] {
				used[n] = true
				pivots = append(pivots, n)
			}
		}
	}
	s.pivots = pivots
	kept := make([]int32, 0, len(hubs))
	middle := (b.lo + b.hi) / 2
	place := make([]int32, len(hubs))
	for n, h := range hubs {
		stays := true
		if !used[n] {
			for _, m := range pivots {
				pivot := hubs[m]
				// The lead in the middle bounds the least from above.
				enough := l.label(pivot, middle) - l.label(h, middle)
				la := l.lead(h, pivot, a.lo, a.hi, enough)
				if la >= enough && la+l.lead(h, pivot, b.lo, b.hi, -la) >= 0 {
					stays = false
					break
				}
			}
		}
		if stays {
			place[n] = int32(len(kept))
			kept = append(kept, h)
		}
	}
	for i := range s.sampled {
		for j, n := range s.sampled[i].through {
			s.sampled[i].through[j] = place[n]
		}
	}
	s.line = s.line[:0]
	for _, n := range pivots {
		s.line = append(s.line, place[n])
	}
	return kept
}

// load copies the labels of a tile and puts its columns in order.
func (s *weaver) load(l *Labels, a, b stretch, hubs []int32) {
	count, height, width := len(hubs), int(a.hi-a.lo), int(b.hi-b.lo)
	blocks := (width + blockSide - 1) / blockSide
	s.rows, s.plain, s.cols = sized(s.rows, count*height), sized(s.plain, count*width), sized(s.cols, count*width)
	for n, h := range hubs {
		for v, d := range l.stretch(&s.buffer, h, a.lo, a.hi) {
			s.rows[v*count+n] = d
		}
		copy(s.plain[n*width:], l.stretch(&s.buffer, h, b.lo, b.hi))
	}
	s.arrange(count, height, width)
	for n := range count {
		labels, col := s.plain[n*width:][:width], s.cols[n*width:][:width]
		for j, v := range s.order {
			col[j] = labels[v]
		}
	}
	s.mids = sized(s.mids, count*(blocks+1))
	for i := range blocks {
		mid := (i*blockSide + min((i+1)*blockSide, width)) / 2
		for n := range count {
			s.mids[i*count+n] = s.cols[n*width+mid]
		}
	}
	for n := range count {
		s.mids[blocks*count+n] = s.cols[n*width+width/2]
	}
	s.leads = sized(s.leads, (blocks+1)*count*count)
	for i := range s.leads {
		s.leads[i] = math.NaN() // not known
	}
	for len(s.all) < count {
		s.all = append(s.all, int32(len(s.all)))
	}
	s.from, s.to = sized(s.from, count), sized(s.to, count)
	clear(s.to)
	for n := range s.from {
		s.from[n] = math.MaxUint16
	}
}

// arrange finds an order of the columns in which a row's hubs take long turns.
// On a surface the hubs of a tile stand in a line, or nearly, and the columns
// that a row reaches through each of them in the same sequence. A column's place is
// that of its hub, and between the boundaries to the hubs before and after it by
// how much longer the ways through those are; the mean over a few rows.
func (s *weaver) arrange(count, height, width int) {
	s.order = sized(s.order, width)
	for j := range s.order {
		s.order[j] = uint8(j)
	}
	one := s.farthest(s.line[0], width)
	other := s.farthest(one, width)
	if one == other {
		return // no two hubs differ
	}
	// In line by how much nearer to one end than to the other the columns are, that hubs are used for.
	s.keys, s.sums, s.wins = sized(s.keys, width), sized(s.sums, count), sized(s.wins, count)
	clear(s.sums)
	clear(s.wins)
	for i := range samples {
		for j, n := range s.sampled[i].through {
			s.sums[n] += s.plain[int(one)*width+j] - s.plain[int(other)*width+j]
			s.wins[n]++
		}
	}
	slices.SortFunc(s.line, func(m, n int32) int {
		return cmp.Compare(s.sums[m]*s.wins[n], s.sums[n]*s.wins[m])
	})
	clear(s.keys)
	for i, v := range [samples]int{0, height / 2, height - 1} {
		row := s.rows[v*count:][:count]
		for j, n := range s.sampled[i].through {
			least := s.sampled[i].least[j]
			at, before, after := 0, math.Inf(1), math.Inf(1)
			for r, m := range s.line {
				if m == n {
					at, before, after = r, after, math.Inf(1)
				} else {
					after = min(after, row[m]+s.plain[int(m)*width+j]-least)
				}
			}
			s.keys[j] += float64(at)
			switch {
			case at == 0:
				s.keys[j] += 1 / (1 + after/least)
			case at == len(s.line)-1:
				s.keys[j] += 1 - 1/(1+before/least)
			case before+after > 0:
				s.keys[j] += before / (before + after)
			}
		}
	}
	slices.SortStableFunc(s.order, func(i, j uint8) int { return cmp.Compare(s.keys[i], s.keys[j]) })
}

// hubMask are the last bits of a sampled length: they name its hub.
const hubMask = 1<<24 - 1

// samples is the number of rows that prune and arrange look at.
const samples = 3

// paths are the shortest paths from one row.
type paths struct {
	least   []float64 // by column: the length
	through []int32   // and the hub
}

// farthest is the hub in line whose distances to the columns differ most from
// those of hub n, in their spread.
func (s *weaver) farthest(n int32, width int) int32 {
	base := s.plain[int(n)*width:][:width]
	far, widest := n, 0.0
	for _, m := range s.line {
		low, high := math.Inf(1), math.Inf(-1)
		for j, d := range s.plain[int(m)*width:][:width] {
			low, high = min(low, d-base[j]), max(high, d-base[j])
		}
		if high-low > widest {
			far, widest = m, high-low
		}
	}
	return far
}

// leadsOver are the least leads of hubs over a pivot within a block, NaN where
// they are not known, and the block's columns. The block after the last is the whole.
func (s *weaver) leadsOver(pivot int32, block, count, width int) (leads []float64, from, to int) {
	leads = s.leads[(block*count+int(pivot))*count:][:count]
	if from = block * blockSide; from >= width {
		return leads, 0, width
	}
	return leads, from, min(from+blockSide, width)
}

// nearest is the hub of the shortest way to the middle column of a block.
func (s *weaver) nearest(row []float64, block int) int32 {
	least, pivot := math.Inf(1), 0
	for n, d := range s.mids[block*len(row):][:len(row)] {
		if d += row[n]; d < least {
			least, pivot = d, n
		}
	}
	return int32(pivot)
}

// weave appends the runs of a row, whose labels are given by hub. A run goes on
// while its hub's way is the shortest, up to the slack; where the next one begins
// is settled by which of the two is the shorter.
func (s *weaver) weave(runs []run, row []float64, width int, slack float64) []run {
	blocks := (width + blockSide - 1) / blockSide
	current := s.nearest(row, blocks)
	if s.choose(row, s.all[:len(row)], current, blocks, width, slack) {
		s.use(current, 0, width)
		return append(runs, run{uint8(current), uint8(width - 1)})
	}
	s.rivals, s.near = s.near, s.rivals
	began := 0
	end := func(j int) {
		if j > began {
			runs = append(runs, run{uint8(current), uint8(j - 1)})
			s.use(current, began, j)
			began = j
		}
	}
	current = s.nearest(row, 0)
	start, labels := row[current], s.cols[int(current)*width:][:width]
	for i := range blocks {
		if s.choose(row, s.rivals, current, i, width, slack) {
			continue
		}
		// The ways to the block's columns: the shortest's length, with the hub's place
		// among those near in the last bits, so that one comparison settles both.
		from, to := i*blockSide, min((i+1)*blockSide, width)
		mask := uint64(1)<<bits.Len(uint(len(s.near)-1)) - 1
		least := s.least[:to-from]
		for j := range least {
			least[j] = math.MaxUint64
		}
		for i, n := range s.near {
			own, tag := row[n], uint64(i)
			for j, d := range s.cols[int(n)*width+from:][:len(least)] {
				least[j] = min(least[j], math.Float64bits(own+d)&^mask|tag)
			}
		}
		for j, key := range least {
			at := from + j
			if start+labels[at] <= math.Float64frombits(key)*(1+s.tie)+slack {
				continue
			}
			next := s.near[key&mask]
			own, other := row[next], s.cols[int(next)*width:][:width]
			for at > began && own+other[at-1] < start+labels[at-1] {
				at--
			}
			end(at)
			current, start, labels = next, own, other
		}
	}
	end(width)
	return runs
}

// choose reports whether hub current serves the block within the slack against
// all rivals. Otherwise near are those that are better than it somewhere in the
// block, and itself.
func (s *weaver) choose(row []float64, rivals []int32, current int32, block, width int, slack float64) bool {
	leads, from, to := s.leadsOver(current, block, len(row), width)
	own, serves := row[current], true
	near := append(s.near[:0], current)
	for _, n := range rivals {
		d := leads[n]
		if d != d {
			d = lead(s.cols[int(n)*width:][from:to], s.cols[int(current)*width:][from:to], math.Inf(-1))
			leads[n] = d
		}
		if gain := row[n] - own + d; gain < 0 && n != current {
			near = append(near, n)
			serves = serves && gain >= -slack
		}
	}
	s.near = near
	return serves
}

// use widens the band of a hub.
func (s *weaver) use(n int32, from, to int) {
	s.from[n], s.to[n] = min(s.from[n], uint16(from)), max(s.to[n], uint16(to))
}
