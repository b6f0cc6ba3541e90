package tile

import (
	"math"
	"slices"
)

// tile is a block of pairs of rows and columns, all in one cell. Both are put in
// an order of the tile's own, in which rows that reach the columns through the
// same hubs stand together in groups, and so do columns that a row reaches
// through the same hub, in runs. Its distances are shift less than those by way of
// the hubs.
type Tile struct {
	Cell, Rows, cols int32
	band, bands      int32 // its hubs are Tiles.bands[band:band+bands]
	order, Group     int   // where it begins in Tiles.order (rows, then columns, see Tiles) and Tiles.groups
	Run, RowHub      int   // likewise in Tiles.runs and Tiles.ways
	Shift            float64
	Distances        int // that a product takes one after the other: the columns of its bands, and the rows of its runs or, without slack, the ways
}

// band is a hub of a tile with columns [from,to), in the tile's order, that
// some rows reach through it. A hub has one for every stretch of them.
type Band struct {
	Hub      int32
	From, To uint16
}

// rowGroup is the number of rows in a group, and of their runs. Without slack every row is a group of its own, and
// size is the number of its ways, the hubs that it uses.
type RowGroup struct{ Size, Runs uint8 }

// run is a part of a group: the columns after the run before it, up to the last,
// are reached through the hub of a band; without slack through that of one of the row's ways.
type Run struct{ Band, Last uint8 }

// most is the most hubs, and the most columns, that a tile can number.
const MaxSide = math.MaxUint8

// tileList are tiles, and what they are made of.
type List struct {
	Grouped bool // rows stand in groups that share runs: there is slack
	Tiles   []Tile
	bands   []Band
	Order   []int32    // rows and columns, as slots: ranks, and then the bundles of the block; between them those of fans
	Groups  []RowGroup // of rows
	RowHubs []uint16   // without groups, by row: the hubs that it uses, by their bandStarts
	Runs    []Run      // by group
}

// empty is without tiles, but with the space.
func (l *List) Empty() List {
	return List{l.Grouped, l.Tiles[:0], l.bands[:0], l.Order[:0], l.Groups[:0], l.RowHubs[:0], l.Runs[:0]}
}

// clone is a copy no larger than it is.
func (l *List) Clone() List {
	return List{
		l.Grouped, slices.Clone(l.Tiles), slices.Clone(l.bands), slices.Clone(l.Order), slices.Clone(l.Groups), slices.Clone(l.RowHubs), slices.Clone(l.Runs),
	}
}

// grow makes room for other lists.
func (l *List) Grow(all []*List) {
	var tiles, bands, order, groups, ways, runs int
	for _, o := range all {
		tiles, bands, order = tiles+len(o.Tiles), bands+len(o.bands), order+len(o.Order)
		groups, ways, runs = groups+len(o.Groups), ways+len(o.RowHubs), runs+len(o.Runs)
	}
	l.Tiles, l.bands, l.Order = make([]Tile, 0, tiles), make([]Band, 0, bands), make([]int32, 0, order)
	l.Groups, l.RowHubs, l.Runs = make([]RowGroup, 0, groups), make([]uint16, 0, ways), make([]Run, 0, runs)
}

// add appends another list.
func (l *List) Add(o *List) {
	for _, one := range o.Tiles {
		one.band += int32(len(l.bands))
		one.order += len(l.Order)
		one.Group += len(l.Groups)
		one.Run += len(l.Runs)
		one.RowHub += len(l.RowHubs)
		l.Tiles = append(l.Tiles, one)
	}
	l.bands, l.Order, l.Groups = append(l.bands, o.bands...), append(l.Order, o.Order...), append(l.Groups, o.Groups...)
	l.RowHubs, l.Runs = append(l.RowHubs, o.RowHubs...), append(l.Runs, o.Runs...)
}

// size is the memory that they take, in bytes.
func (l *List) Size() int64 {
	return int64(72*len(l.Tiles) + 8*len(l.bands) + 4*len(l.Order) + 2*len(l.Groups) + 2*len(l.RowHubs) + 2*len(l.Runs))
}

// sides are the rows and the columns of a tile, in its order.
func (l *List) Sides(o *Tile) (rows, cols []int32) {
	slots := l.SlotsOf(o)
	return slots[:o.Rows], slots[o.Rows:]
}

// slotsOf are a tile's rows and then its columns, bandsOf its bands.
func (l *List) SlotsOf(o *Tile) []int32 { return l.Order[o.order:][:o.Rows+o.cols] }
func (l *List) BandsOf(o *Tile) []Band  { return l.bands[o.band:][:o.bands] }

// each calls f for the runs of a tile: of the rows [first,last) and the columns
// from on, in the tile's order.
func (l *List) Each(o *Tile, f func(run Run, first, last, from int)) {
	groups, ways, runs := l.Groups[o.Group:], l.RowHubs[o.RowHub:], l.Runs[o.Run:]
	var names FirstBands
	bands := l.BandsOf(o)
	if !l.Grouped {
		names.Set(bands)
	}
	for first := 0; first < int(o.Rows); groups = groups[1:] {
		g := groups[0]
		last := first + int(g.Size)
		if !l.Grouped {
			last = first + 1
		}
		from := 0
		for _, r := range runs[:g.Runs] {
			if !l.Grouped {
				r.Band = BandAt(bands, names[ways[r.Band]], from)
			}
			f(r, first, last, from)
			from = int(r.Last) + 1
		}
		runs = runs[g.Runs:]
		if !l.Grouped {
			ways = ways[g.Size:]
		}
		first = last
	}
}

// tileCost is that of a tile's product, in the units of the package's documentation. Fitted
// to all tiles of three meshes it tells the times of most to a tenth.
func (l *List) TileCost(n int) int {
	o, runs := &l.Tiles[n], len(l.Runs)
	if n+1 < len(l.Tiles) {
		runs = l.Tiles[n+1].Run
	}
	columns := 0 // up and down
	for _, b := range l.bands[o.band:][:o.bands] {
		columns += int(b.To - b.From)
	}
	return (5*columns+2*(o.Distances-columns)+6*(runs-o.Run))/6 + int(o.Rows+o.cols)
}

// serving is the band of a hub that has a column, given the hub's first.
func BandAt(bands []Band, first uint8, column int) uint8 {
	for int(bands[first].To) <= column {
		first++
	}
	return first
}

// bandStarts are where the sums of a tile's bands begin, less the band's first column: those of a hub's bands are as
// far apart as their columns, those of another hub come after them. They begin at most, so that no start is
// negative, and all fit in 16 bits. As hubs that serve late columns only come first, each has a greater start than
// the one before.
type Starts [MaxSide + 1]uint16

// of sets them, and returns where the sums end: a band has one for every column and for the one after the last.
func (s *Starts) Set(bands []Band) (end int) {
	end = MaxSide
	for n, b := range bands {
		if n > 0 && bands[n-1].Hub == b.Hub {
			s[n] = s[n-1]
		} else {
			s[n] = uint16(end) - b.From
		}
		end = int(s[n]) + int(b.To) + 1
	}
	return end
}

// hubNames are by start the first bands of the hubs.
type FirstBands [math.MaxUint16 + 1]uint8

func (names *FirstBands) Set(bands []Band) {
	var starts Starts
	starts.Set(bands)
	for n := range bands {
		if n == 0 || starts[n] != starts[n-1] {
			names[starts[n]] = uint8(n)
		}
	}
}

// sumsOf are those of a band.
func BandSums[T any](sums []T, s *Starts, n int, b Band) []T {
	return sums[s[n]+b.From:][:b.To-b.From+1]
}

// ends are what a run's band, which starts there, knows of the run's first column, from, and of the column to, the next run's
// first.
func Ends[T any](r Run, start uint16, sums []T, from int) (first, next *T, to int) {
	to = int(r.Last) + 1
	return &sums[int(start)+from], &sums[int(start)+to], to
}
