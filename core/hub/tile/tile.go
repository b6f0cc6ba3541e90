// Package tile finds the runs of tiles. A tile is a block of pairs of a few hundred rows and columns whose shortest paths
// use several hubs. Seen from one row, neighbouring columns are mostly reached through the same hub. So a tile's columns are
// put in an order in which each row needs few runs of columns, one hub for each run.
//
// A product with a run takes two additions, whatever its length: the difference of two running sums of the hub.
//
// The package knows labels, as whole numbers (label.Fixed), and nothing of trees, patches or kernels. The glossary of
// package hub has every term with its formula.
package tile

import (
	"iter"
	"math"
	"slices"
)

// Tile is a block of pairs of rows and columns, all in one cell. The tile puts its rows and its columns in an order of its
// own. A run is a stretch of columns that a row reaches through the same hub. With a tolerance, rows that reach the columns
// through the same hubs stand together in a group, and share their runs. The distance of a pair is d(h, row) + d(h, column)
// less the shift, where h is the hub of the pair's run.
type Tile struct {
	Cell, Rows, cols int32
	band, bands      int32 // its bands are List.bands[band:band+bands]
	order, Group     int   // where its slots, rows and then columns, begin in List.Order, and its groups in List.Groups
	Run, RowHub      int   // likewise in List.Runs and List.RowHubs
	Shift            float64
	Distances        int // that a product takes: of the columns of its bands, and of the rows of its runs or, without a tolerance, its row hubs
}

// Band is a hub of a tile and the columns [From,To), in the tile's order, some of which some rows reach through it. A hub
// has several bands where the columns between them are many.
type Band struct {
	Hub      int32
	From, To uint16
}

// RowGroup is the number of rows that share runs, and the number of these runs. Without a tolerance every row is a group of
// its own, and Size is the number of its row hubs, the hubs that it uses.
type RowGroup struct{ Size, Runs uint8 }

// Run is the columns after the run before it, up to Last. They are reached through the hub of a band; without a
// tolerance Band is the number of one of the row's hubs instead.
type Run struct{ Band, Last uint8 }

// MaxSide is the most hubs, and the most columns, that a tile can number.
const MaxSide = math.MaxUint8

// List are tiles, and what they are made of.
type List struct {
	Grouped bool // rows stand in groups that share runs: there is a tolerance
	Tiles   []Tile
	bands   []Band
	Order   []int32    // slots of rows and columns; who adds other blocks may keep theirs here too
	Groups  []RowGroup // of rows
	RowHubs []uint16   // without a tolerance, of each row: the hubs that it uses, each as its bands' start (see Starts)
	Runs    []Run
}

// Empty has no tiles, but keeps the space.
func (l *List) Empty() List {
	return List{l.Grouped, l.Tiles[:0], l.bands[:0], l.Order[:0], l.Groups[:0], l.RowHubs[:0], l.Runs[:0]}
}

// Clone is a copy no larger than it is.
func (l *List) Clone() List {
	return List{
		l.Grouped, slices.Clone(l.Tiles), slices.Clone(l.bands), slices.Clone(l.Order), slices.Clone(l.Groups), slices.Clone(l.RowHubs), slices.Clone(l.Runs),
	}
}

// Grow makes room for other lists.
func (l *List) Grow(all []*List) {
	var tiles, bands, order, groups, hubs, runs int
	for _, o := range all {
		tiles, bands, order = tiles+len(o.Tiles), bands+len(o.bands), order+len(o.Order)
		groups, hubs, runs = groups+len(o.Groups), hubs+len(o.RowHubs), runs+len(o.Runs)
	}
	l.Tiles, l.bands, l.Order = make([]Tile, 0, tiles), make([]Band, 0, bands), make([]int32, 0, order)
	l.Groups, l.RowHubs, l.Runs = make([]RowGroup, 0, groups), make([]uint16, 0, hubs), make([]Run, 0, runs)
}

// Add appends another list.
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

// Size is the memory that they take, in bytes.
func (l *List) Size() int64 {
	return int64(72*len(l.Tiles) + 8*len(l.bands) + 4*len(l.Order) + 2*len(l.Groups) + 2*len(l.RowHubs) + 2*len(l.Runs))
}

// Sides are the rows and the columns of a tile, in its order.
func (l *List) Sides(o *Tile) (rows, cols []int32) {
	slots := l.SlotsOf(o)
	return slots[:o.Rows], slots[o.Rows:]
}

// SlotsOf are a tile's rows and then its columns.
func (l *List) SlotsOf(o *Tile) []int32 { return l.Order[o.order:][:o.Rows+o.cols] }

// BandsOf are a tile's bands.
func (l *List) BandsOf(o *Tile) []Band { return l.bands[o.band:][:o.bands] }

// Columns are the columns of a band. The product's factors for them begin at At, among those of the tile.
type Columns struct {
	Band
	At int
}

// ColumnsOf visits the bands of a tile, by their number.
func (l *List) ColumnsOf(o *Tile) iter.Seq2[int, Columns] {
	return func(yield func(int, Columns) bool) {
		at := 0
		for n, b := range l.BandsOf(o) {
			if !yield(n, Columns{b, at}) {
				return
			}
			at += int(b.To - b.From)
		}
	}
}

// Rows are the rows of a group. Their runs begin at Run and their row hubs at RowHub, among those of all tiles. The
// product's factors for them begin at At, among those of the tile. With four fields it can be kept in registers.
type Rows struct {
	Run, RowHub, At int
	RowGroup
}

// RowsOf visits the row groups of a tile, by their first row. All products but the plain ones go by it:
// these would take longer, see multiplyTile of package hub.
func (l *List) RowsOf(o *Tile) iter.Seq2[int, Rows] {
	return func(yield func(int, Rows) bool) {
		run, hub, at, first := o.Run, o.RowHub, 0, 0
		for _, b := range l.BandsOf(o) {
			at += int(b.To - b.From)
		}
		for _, g := range l.Groups[o.Group:] {
			if first == int(o.Rows) || !yield(first, Rows{run, hub, at, g}) {
				return
			}
			run += int(g.Runs)
			if l.Grouped {
				first, at = first+int(g.Size), at+int(g.Size)*int(g.Runs)
			} else {
				first, at, hub = first+1, at+int(g.Size), hub+int(g.Size)
			}
		}
	}
}

// Each calls f for the runs of a tile: of the rows [first,last) and the columns
// from on, in the tile's order.
func (l *List) Each(o *Tile, f func(run Run, first, last, from int)) {
	var names FirstBands
	bands := l.BandsOf(o)
	if !l.Grouped {
		names.Set(bands)
	}
	for first, rows := range l.RowsOf(o) {
		last := first + 1
		if l.Grouped {
			last = first + int(rows.Size)
		}
		from := 0
		for _, r := range l.Runs[rows.Run:][:rows.Runs] {
			if !l.Grouped {
				r.Band = BandAt(bands, names[l.RowHubs[rows.RowHub+int(r.Band)]], from)
			}
			f(r, first, last, from)
			from = int(r.Last) + 1
		}
	}
}

// TileCost is that of a tile's product, in the units of package hub. Fitted to all tiles of three meshes it tells the
// times of most to a tenth.
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

// BandAt is the band of a hub that has a column, given the hub's first band.
func BandAt(bands []Band, first uint8, column int) uint8 {
	for int(bands[first].To) <= column {
		first++
	}
	return first
}

// Starts say where the running sums of a tile's bands begin, by band, less the band's first column: sum j of the band is at
// Starts[band]+j. The bands of one hub have the same start, so that a row needs one number for each of its hubs. Those of another hub
// come after them. No start is negative, and all fit in 16 bits. Hubs that serve late columns only come first, which
// gives each hub a greater start than the one before.
type Starts [MaxSide + 1]uint16

// Set sets them, and returns where the sums end. A band has one for every column and one after the last.
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

// FirstBands are the first bands of hubs, by start.
type FirstBands [math.MaxUint16 + 1]uint8

// Set sets those of a tile's hubs.
func (names *FirstBands) Set(bands []Band) {
	var starts Starts
	starts.Set(bands)
	for n := range bands {
		if n == 0 || starts[n] != starts[n-1] {
			names[starts[n]] = uint8(n)
		}
	}
}

// BandSums are the running sums of a band, among those of a tile.
func BandSums[T any](sums []T, s *Starts, n int, b Band) []T {
	return sums[s[n]+b.From:][:b.To-b.From+1]
}

// Ends are the running sums before the first column of a run, from, and before that of the next run, to, given the start
// of its band.
func Ends[T any](r Run, start uint16, sums []T, from int) (first, next *T, to int) {
	to = int(r.Last) + 1
	return &sums[int(start)+from], &sums[int(start)+to], to
}
