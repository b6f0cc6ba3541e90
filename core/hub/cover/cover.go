// Package cover finds out which hub serves which pairs of vertices. A pair's distance is the sum of two hub labels, those
// of the hub on a shortest path between the two. A cover puts every pair of a graph's vertices in exactly one block, a
// set of rows and columns, and says through which hubs the block's paths go. It knows distances and no epsilon: one
// cover serves every kernel function.
//
// Build walks down pairs of clusters of the two sides of each cell (a dual tree traversal). It drops the hubs that no
// pair of the two clusters needs, and stops where one hub is left, or where the clusters are small enough for a tile.
// Where a cell has few hubs, range searching takes the walk's place (the paper, Sec. 3.1.2).
//
// The glossary of package hub has every term with its formula.
//
// # Deviations
//
// From the paper:
//
//   - Range searching, the paper's cross_compute (Sec. 3.1.2), is for cells of few hubs and only where it costs less than
//     a walk; its halves with few vertices are looked through pair by pair.
package cover

import (
	"slices"
	"sync"
	"sync/atomic"

	"genussink/core/hub/cluster"
	"genussink/core/hub/label"
	"genussink/core/hub/tile"
	"genussink/core/internal/buffer"
	"genussink/core/septree"
)

// Aggregate is several vertices of a patch that some hubs see as one. Each of these hubs is as far from a vertex as from
// the aggregate's centre, plus the vertex's offset, but for aggregateShare of the tolerance. Vertices that lie close
// together are such for all far hubs in much the same direction. For another direction the same vertices are in another
// aggregate, with other offsets. Without a tolerance an aggregate is a class of one side of a cell.
//
// A product sums an aggregate's vertices up once for all blocks of its batch, works with the centre alone, and hands out
// what arrives there. The finer a mesh is, the more vertices an aggregate has. This is directional compression (Engquist
// and Ying, SIAM J. Sci. Comput. 29, 2007) for distances instead of waves.
type Aggregate struct {
	centre   int32 // its rank
	From, To int32 // its vertices are Cover.Ranks[From:To], their offsets Cover.Offsets[From:To]
}

// Batch is the tiles and separator blocks that one task of Build found. They share aggregates, which no other batch uses.
type Batch struct {
	Cell int32
	// Where its contents begin in Cover.Aggregates, Tiles and SeparatorBlocks. They end where those of the next batch begin.
	Aggregate, Tile, SeparatorBlock int32
}

// SeparatorBlock is all pairs of some separator vertices of a cell, the ranks [From,To), with the vertices of a patch or of both sides, or
// with aggregates of these. The distance of a pair is its label.
type SeparatorBlock struct {
	From, To     int32
	Order, Width int // their slots are Cover.Order[Order:Order+Width]
}

// Pairs is the number of its pairs.
func (o *SeparatorBlock) Pairs() int { return int(o.To-o.From) * o.Width }

// separatorBlockLeast is the least number of vertices of a cell that has separator blocks; smaller cells have rows of labels.
// Products took the same time with any value from 100 to 1,500.
const separatorBlockLeast = 400

// hasSeparatorBlocks reports whether the pairs of a cell's separator with its two sides are separator blocks.
func (t *Cover) hasSeparatorBlocks(r *septree.Cell) bool {
	if r.Lo == r.Sep || r.Sep == r.Hi {
		return false
	}
	if t.Tolerance == 0 {
		return t.HasClasses(t.Labels.Owner[r.Sep])
	}
	return int(r.Hi-r.Lo) >= separatorBlockLeast
}

// HasClasses reports whether the two sides of a cell have classes, without a tolerance.
func (t *Cover) HasClasses(cell int32) bool { return t.classified != nil && t.classified[cell] }

// DenseFrom is the rank in a cell from which on the pairs with the cell's separator are in rows of labels.
func (t *Cover) DenseFrom(r *septree.Cell) int32 {
	if t.hasSeparatorBlocks(r) {
		return r.Sep
	}
	return r.Lo
}

// Len is the number of vertices.
func (t *Cover) Len() int { return t.Labels.Len() }

// staircaseCost is what a staircase block costs besides its rows and columns.
const staircaseCost = 10

// Staircase is a staircase block: pairs of the two sides of a cell whose shortest paths go through one hub. Each row is
// paired with all columns from some column on, and later rows begin at later columns. Range searching finds these blocks
// (package dominance; the paper, Sec. 3.1.2). A product takes two running sums of positive terms. The distances are
// exact, whatever the tolerance.
type Staircase struct {
	Cell, Hub  int32
	rows, cols int32
	at         int // where its numbers begin: the ranks of its rows, those of its columns, and the first column of each row, ascending
}

// Sides are the ranks of its rows, those of its columns, and the first column of each row, given the numbers of all
// staircase blocks.
func (s *Staircase) Sides(numbers []int32) (rows, cols, from []int32) {
	numbers = numbers[s.at:][:2*s.rows+s.cols]
	return numbers[:s.rows], numbers[s.rows:][:s.cols], numbers[s.rows+s.cols:]
}

// Climb visits the block from its last row to its first. Before each row it visits the columns that this row has and no
// later row has, in descending order. Rows and columns are numbers among those of Sides.
func (s *Staircase) Climb(numbers []int32, column, row func(n int)) {
	_, cols, from := s.Sides(numbers)
	at := len(cols)
	for n := len(from) - 1; n >= 0; n-- {
		for at > int(from[n]) {
			at--
			column(at)
		}
		row(n)
	}
}

// Descend visits the block from its first row to its last. After each row it visits the columns that no later row has, in
// ascending order. Rows and columns are numbers among those of Sides.
func (s *Staircase) Descend(numbers []int32, column, row func(n int)) {
	_, cols, from := s.Sides(numbers)
	for n := range from {
		row(n)
		to := len(cols)
		if n+1 < len(from) {
			to = int(from[n+1])
		}
		for at := int(from[n]); at < to; at++ {
			column(at)
		}
	}
}

// cost is that of its product, in the units of package hub.
func (s *Staircase) cost() int { return int(s.rows+s.cols) + staircaseCost }

// staircases are some staircase blocks.
type staircases struct {
	List    []Staircase
	Numbers []int32 // of all
}

// drop keeps the space alone.
func (s *staircases) drop() { *s = staircases{s.List[:0], s.Numbers[:0]} }

func (s *staircases) bytes() int64 { return int64(24*cap(s.List) + 4*cap(s.Numbers)) }

// Crosses counts cells by how the pairs of their two sides are multiplied: in a single rank-one block, in staircase blocks
// that range searching found, or by a cover. Leaves have no sides and are dense.
type Crosses struct{ Single, Range, Cover, Leaves int }

// Crosses returns the counts for the cells of the cover's shard.
func (t *Cover) Crosses() Crosses { return t.crosses }

// Cover says through which hubs the shortest paths between the vertices of a graph go. Every pair of vertices is in
// exactly one of:
//   - a row of labels: one of the two is in the separator of a small cell or, where the tolerance is 0, of a cell without classes;
//   - a separator block: one of the two is in the separator of any other cell;
//   - a rank-one block: all pairs of two patches go through one hub;
//   - a tile: of two small patches, with a list of the hubs that each row uses;
//   - a staircase block: of the two sides of a cell with few hubs.
//
// The rank of a vertex is its position in the order of the separator tree. Blocks name vertices by slots: the slots below n are ranks,
// slot n+i stands for the i-th aggregate of the batch.
//
// Delta and tolerance: no distance is off by more than delta. What rounding leaves of delta is the tolerance. It is
// spent once. The walk drops hubs exactly, as if the tolerance were 0; a rank-one block or a run accepts one hub in the
// place of all that were left, where its paths are longer than the shortest by at most the tolerance. If all paths were too long that
// would show in the cost of a transport plan. So the distances of a rank-one block and of a tile are the lengths of their
// paths less a shift, the mean surplus of some sampled paths. Errors go both ways and their mean is next to 0.
type Cover struct {
	Labels         *label.Labels
	clusters       *cluster.Clusters
	Delta          float64 // no distance is off by more, in any kernel; in the graph's unit, as all lengths here
	Tolerance      float64 // what is left of delta when labels, and distances to whole steps, are rounded; 0: exact
	fineness       float64 // the tolerance over aggregateSpacing spacings of vertices, from 1 to maxFineness; beyond 1 tiles have aggregates
	Step           Step    // of the distances of tiles and separator blocks, with a tolerance
	classified     []bool  // without a tolerance, by cell: its two sides have classes; nil: those of none have
	firstAggregate []int32 // likewise, where its batch begins in Aggregates; -1: it has none here
	shard, shards  int

	Slots      int // the most that a batch has, ranks included
	Staircases staircases
	crosses    Crosses

	Patches  []Patch
	Attached []int32 // the attached vertices of all patches, by rank
	Moments  []HubMoment
	RankOnes []RankOne
	Batches  []Batch // the last one is empty: it is where the others end
	contents
	packed packed // with a tolerance

	indexing sync.Mutex            // held by who makes the index
	index    atomic.Pointer[index] // nil until somebody asks
	readers  sync.Pool             // of *Reader
}

// contents are what batches are made of: those of one batch, or of all one after the other.
type contents struct {
	Aggregates      []Aggregate
	Ranks           []int32   // of the aggregates
	Offsets         []uint16  // of the aggregates, in steps, with a tolerance
	Lengths         []float64 // without one: their offsets as lengths
	SeparatorBlocks []SeparatorBlock
	tile.List
	distances int // that products take one after the other, of separator blocks and tiles
}

// empty has nothing in it, but keeps the space.
func (f *contents) empty() contents {
	return contents{f.Aggregates[:0], f.Ranks[:0], f.Offsets[:0], f.Lengths[:0], f.SeparatorBlocks[:0], f.Empty(), 0}
}

// clone is a copy no larger than it is.
func (f *contents) clone() contents {
	return contents{
		slices.Clone(f.Aggregates), slices.Clone(f.Ranks), slices.Clone(f.Offsets), slices.Clone(f.Lengths), slices.Clone(f.SeparatorBlocks), f.Clone(), f.distances,
	}
}

// grow makes room for the finds of builders.
func (f *contents) grow(all []*builder) {
	var aggregates, ranks, offsets, separatorBlocks int
	var lists []*tile.List
	for _, o := range all {
		aggregates, ranks, offsets = aggregates+len(o.Aggregates), ranks+len(o.Ranks), offsets+len(o.Offsets)
		separatorBlocks, lists = separatorBlocks+len(o.SeparatorBlocks), append(lists, &o.List)
	}
	f.Aggregates, f.Ranks, f.SeparatorBlocks = make([]Aggregate, 0, aggregates), make([]int32, 0, ranks), make([]SeparatorBlock, 0, separatorBlocks)
	f.Offsets, f.Lengths = make([]uint16, 0, offsets), make([]float64, 0, ranks-offsets)
	f.Grow(lists)
}

// add appends others.
func (f *contents) add(o *contents) {
	for _, one := range o.Aggregates {
		one.From += int32(len(f.Ranks))
		one.To += int32(len(f.Ranks))
		f.Aggregates = append(f.Aggregates, one)
	}
	for _, one := range o.SeparatorBlocks {
		one.Order += len(f.Order)
		f.SeparatorBlocks = append(f.SeparatorBlocks, one)
	}
	f.Ranks, f.Offsets, f.Lengths = append(f.Ranks, o.Ranks...), append(f.Offsets, o.Offsets...), append(f.Lengths, o.Lengths...)
	f.Add(&o.List)
	f.distances += o.distances
}

func (f *contents) size() int64 {
	return int64(12*len(f.Aggregates)+4*len(f.Ranks)+2*len(f.Offsets)+8*len(f.Lengths)+32*len(f.SeparatorBlocks)) + f.Size()
}

// OrderedBytes is the memory that a kernel takes for the factors and the distances of tiles and separator blocks without a tolerance, in bytes.
func (f *contents) OrderedBytes(factors, distances label.Precision) int64 {
	return int64(16*len(f.Tiles)+8*len(f.SeparatorBlocks)+8*len(f.Lengths)) + (factors.Bytes()+distances.Bytes())*int64(f.distances)
}

// Patch is a cluster and the vertices attached to it: the ranks [Lo,Hi) and Cover.Attached[From:To].
type Patch struct{ Lo, Hi, From, To int32 }

// Len is the number of its vertices.
func (m *Patch) Len() int { return int(m.Hi - m.Lo + m.To - m.From) }

// HubMoment is a patch seen from a hub. A product needs the sum over the patch of exp(-d(hub,.)/epsilon) x, and hands
// out to the patch, with the same factors, what arrives at the hub.
type HubMoment struct{ Hub, Patch int32 }

// RankOne is a rank-one block: all pairs of the patches of two hub moments of one hub, Cover.Moments[A] and [B]. The
// distance of a pair is the sum of its two labels less the shift.
type RankOne struct {
	A, B  int32
	Shift float64
}

// centres are the ranks of some slots of a batch: of an aggregate that of its centre. dst has room for them, unless
// the batch has no aggregates.
func (t *Cover) centres(dst, slots []int32, aggregates []Aggregate) []int32 {
	if len(aggregates) == 0 {
		return slots
	}
	n := int32(t.Labels.Len())
	dst = dst[:len(slots)]
	for i, v := range slots {
		if v >= n {
			v = aggregates[v-n].centre
		}
		dst[i] = v
	}
	return dst
}

// Offset is how much farther than the aggregate's centre its vertex Ranks[at] is.
func (t *Cover) Offset(at int32) float64 {
	if t.Tolerance == 0 {
		return t.Lengths[at]
	}
	return t.Step.Length(t.Offsets[at])
}

// aggregatesOf are the aggregates of a cell's batch, without a tolerance; nil: it has none.
func (t *Cover) aggregatesOf(cell int32) []Aggregate {
	if t.firstAggregate == nil || t.firstAggregate[cell] < 0 {
		return nil
	}
	return t.Aggregates[t.firstAggregate[cell]:]
}

// Centres are the ranks of a cell's slots, of an aggregate that of its centre, without a tolerance: in dst, which grows as it must, or, where
// the cell has no aggregates, the slots themselves.
func (t *Cover) Centres(dst *[]int32, cell int32, slots []int32) []int32 {
	*dst = buffer.Sized(*dst, len(slots))
	return t.centres(*dst, slots, t.aggregatesOf(cell))
}

// Gather fills dst with the labels of a hub at some slots, without a tolerance. Of a hub's cells only the one whose separator it is in has aggregates
// that it sees.
func (t *Cover) Gather(dst []float64, hub int32, slots []int32) {
	aggregates := t.aggregatesOf(t.Labels.Owner[hub])
	var ranks [tile.MaxSide]int32
	for len(slots) > 0 {
		count := min(len(slots), len(ranks))
		t.Labels.Gather(dst[:count], hub, t.centres(ranks[:], slots[:count], aggregates))
		dst, slots = dst[count:], slots[count:]
	}
}

// at is the label of a hub at a slot, without a tolerance.
func (t *Cover) at(hub, slot int32) float64 {
	if n := int32(t.Labels.Len()); slot >= n {
		slot = t.aggregatesOf(t.Labels.Owner[hub])[slot-n].centre
	}
	return t.Labels.At(hub, slot)
}

// Bound is by how much a distance may be wrong, in the graph's unit: the delta that Build was given or, where that was 0,
// the rounding of float32 labels.
func (t *Cover) Bound() float64 { return t.Delta }

// patchBytes is the memory of the patches and the hub moments, in bytes.
func (t *Cover) patchBytes() int64 {
	return int64(16*cap(t.Patches) + 4*cap(t.Attached) + 8*cap(t.Moments))
}

// MomentBytes is the memory that a kernel takes for the hub moments' factors.
func (t *Cover) MomentBytes(p label.Precision) int64 {
	bytes := int64(8 * len(t.Moments))
	for _, m := range t.Moments {
		bytes += p.Bytes() * int64(t.Patches[m.Patch].Len())
	}
	return bytes
}

// Bytes is the memory of the tiles, in bytes, without the labels'.
func (t *Cover) Bytes() int64 {
	return t.patchBytes() + int64(16*cap(t.RankOnes)+16*cap(t.Batches)) + t.size() + t.Staircases.bytes() + t.packed.bytes()
}
