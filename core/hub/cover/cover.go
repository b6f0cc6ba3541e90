package cover

import (
	"slices"
	"sync"
	"sync/atomic"

	"genussink/core/hub/label"
	"genussink/core/hub/tile"
	"genussink/core/septree"
)

// bundle is several vertices of a patch that some hubs see as one: each vertex is
// as far from every one of these hubs as the centre is, and its offset more, but for
// bundleShare of the slack. Seen from far away vertices close together are such, whatever
// the hub, as long as all hubs lie in much the same direction; for other directions
// there are other bundles of the same vertices, with other offsets. A product adds a
// bundle's vertices up once, for all tiles that use it, works with the centre alone, and
// hands out what arrives there. So the finer a mesh is, the more vertices a bundle has:
// directional compression, as of Engquist and Ying (SIAM J. Sci. Comput. 29, 2007), for distances
// instead of waves.
type Aggregate struct {
	centre   int32 // its rank
	From, To int32 // its vertices are Tiles.ranks[from:to], their offsets Tiles.offsets[from:to]
}

// block is what one task of the walk found. Its bundles are used nowhere else, so
// that a product sums them up, uses them and hands them out in one rank.
type Batch struct {
	Cell                            int32
	Aggregate, Tile, SeparatorBlock int32 // where it begins in Tiles.bundles, tiles and fans; it ends where the next begins
}

// fan is all pairs of a stretch of a cell's separator, the ranks [from,to), and the vertices
// of a patch, or bundles of them, each pair by its label.
type SeparatorBlock struct {
	From, To     int32
	Order, Width int // Tiles.order[order:order+width], see there
}

// pairs is the number of its pairs.
func (o *SeparatorBlock) pairs() int { return int(o.To-o.From) * o.Width }

// fanLeast is the number of vertices of a cell from which on fans take the place of
// its labels' rows: of 100 to 1,500 all alike.
const separatorBlockLeast = 400

// fanned reports whether the pairs of a cell's separator with the rest of it are fans.
func (t *Cover) hasSeparatorBlocks(r *septree.Cell) bool {
	return t.Tolerance > 0 && r.Lo < r.Sep && r.Sep < r.Hi && int(r.Hi-r.Lo) >= separatorBlockLeast
}

// labelled is the first of a cell's ranks that its separator's labels are multiplied with as they are.
func (t *Cover) DenseFrom(r *septree.Cell) int32 {
	if t.hasSeparatorBlocks(r) {
		return r.Sep
	}
	return r.Lo
}

// Len is the number of vertices.
func (t *Cover) Len() int { return t.Labels.Len() }

// stairCost is what a stair costs besides its rows and columns.
const stairCost = 10

// stair is a set of pairs of the two sides of a cell that have their shortest
// paths through one hub, as range searching finds them (package dominance; the paper,
// Sec. 3.1.2): each of its rows with all columns from some rank on. Its product takes
// two running sums of positive terms. It is exact, whatever the slack.
type Staircase struct {
	Cell, Hub  int32
	rows, cols int32
	at         int // in Tiles.treads: the ranks of rows and columns, and every row's first column, ascending
}

// parts are a stair's rows, columns and first columns.
func (s *Staircase) Sides(numbers []int32) (rows, cols, from []int32) {
	numbers = numbers[s.at:][:2*s.rows+s.cols]
	return numbers[:s.rows], numbers[s.rows:][:s.cols], numbers[s.rows+s.cols:]
}

// cost is in the units of the package's documentation.
func (s *Staircase) cost() int { return int(s.rows+s.cols) + stairCost }

// stairs is a list of them.
type staircases struct {
	List    []Staircase
	Numbers []int32 // of all
}

// drop keeps the space alone.
func (s *staircases) drop() { *s = staircases{s.List[:0], s.Numbers[:0]} }

func (s *staircases) bytes() int64 { return int64(24*cap(s.List) + 4*cap(s.Numbers)) }

// Crosses counts how the pairs of tiles are multiplied: the cells between whose two
// sides one link serves, stairs, or whatever a walk found; and the leaves, which are dense.
type Crosses struct{ Single, Range, Walk, Leaves int }

// Crosses is those of the tiles' part.
func (t *Cover) Crosses() Crosses { return t.crosses }

// Tiles say which hubs the shortest paths between the vertices of a graph go
// through. They know distances only, neither epsilon nor the kernel's
// function, so one Tiles serves every epsilon.
//
// Every pair of ranks is in exactly one of:
//   - the rows of a cell's labels, when one of the two is in its separator: the
//     leaves', and others' while they are small or there is no slack, as they are; or else
//     a fan, in which bundles stand for vertices;
//   - a link: all pairs of two patches go through one hub;
//   - a tile: two small patches, or bundles of their vertices, the runs of their rows listed;
//   - a stair: rows and columns of a whole cell with few hubs.
//
// With slack delta > 0 the hub named for a pair may make its path longer than
// the shortest by at most delta. Slack is spent once: the walk drops hubs exactly
// (slack 0) while it descends, and a link or a run accepts one hub against all
// that were left. All paths being too long would show in the transport's cost, so
// the distances of a link or a tile are those paths less their mean surplus, taken
// from a sample and at most delta: a distance is off by at most delta either way, and
// by next to nothing in the mean. Where labels are float32, the slack is what their
// rounding leaves of delta.
type Cover struct {
	Labels        *label.Labels
	clusters      *clusters
	Delta         float64 // no distance is off by more, in any kernel
	Tolerance     float64 // of it what the rounding of labels, and to steps, leaves
	fineness      float64 // the slack in fineness spacings of vertices, from 1 to finest; beyond 1 tiles have bundles
	Step          Step    // of tiles and fans
	shard, shards int

	Slots      int // the most that a block has
	Staircases staircases
	crosses    Crosses

	Patches  []Patch
	Attached []int32 // of all patches
	Moments  []HubMoment
	RankOnes []RankOne
	Batches  []Batch // the last one is empty: it is where the others end
	contents
	packed packed // with slack

	indexing sync.Mutex            // who makes the index
	index    atomic.Pointer[index] // nil until somebody asks
	readers  sync.Pool             // of *reader
}

// finds are the contents of a block, or of all of them one after the other.
type contents struct {
	Aggregates      []Aggregate
	Ranks           []int32  // of the bundles
	Offsets         []uint16 // of the bundles, in steps
	SeparatorBlocks []SeparatorBlock
	tile.List
	distances int // that products take one after the other, of fans and tiles
}

// empty is without finds, but with the space.
func (f *contents) empty() contents {
	return contents{f.Aggregates[:0], f.Ranks[:0], f.Offsets[:0], f.SeparatorBlocks[:0], f.List.Empty(), 0}
}

// clone is a copy no larger than it is.
func (f *contents) clone() contents {
	return contents{slices.Clone(f.Aggregates), slices.Clone(f.Ranks), slices.Clone(f.Offsets), slices.Clone(f.SeparatorBlocks), f.List.Clone(), f.distances}
}

// grow makes room for the finds of walkers.
func (f *contents) grow(all []*builder) {
	var aggregates, ranks, fans int
	var lists []*tile.List
	for _, o := range all {
		aggregates, ranks, fans, lists = aggregates+len(o.Aggregates), ranks+len(o.Ranks), fans+len(o.SeparatorBlocks), append(lists, &o.List)
	}
	f.Aggregates, f.Ranks, f.Offsets, f.SeparatorBlocks = make([]Aggregate, 0, aggregates), make([]int32, 0, ranks), make([]uint16, 0, ranks), make([]SeparatorBlock, 0, fans)
	f.List.Grow(lists)
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
	f.Ranks, f.Offsets = append(f.Ranks, o.Ranks...), append(f.Offsets, o.Offsets...)
	f.List.Add(&o.List)
	f.distances += o.distances
}

func (f *contents) size() int64 {
	return int64(12*len(f.Aggregates)+6*len(f.Ranks)+32*len(f.SeparatorBlocks)) + f.List.Size()
}

// linedBytes is the memory that a kernel takes for the factors and the distances of tiles without slack, in bytes.
func (f *contents) OrderedBytes(factors, distances label.Precision) int64 {
	return int64(16*len(f.Tiles)) + (factors.Bytes()+distances.Bytes())*int64(f.distances)
}

// members are the ranks of a patch: [lo,hi) and Tiles.riders[from:to].
type Patch struct{ Lo, Hi, From, To int32 }

func (m *Patch) Len() int { return int(m.Hi - m.Lo + m.To - m.From) }

// moment is a patch seen from a hub: the sum over the patch of
// exp(-d(hub,.)/epsilon) x is needed, and what arrives at the hub is handed
// out to the patch with the same factors.
type HubMoment struct{ Hub, Patch int32 }

// link joins two moments of one hub. Its distances are shift less than those by
// way of the hub.
type RankOne struct {
	A, B  int32
	Shift float64
}

// centres are the ranks of a block's slots, a bundle's that of its centre. Dst has room
// for them, unless there are no bundles.
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

// Bound is by how much a distance may be wrong, in the graph's unit: what
// Walk was allowed or, where that was nothing, the rounding of float32 labels.
func (t *Cover) Bound() float64 { return t.Delta }

// patchBytes is the memory of the patches and the moments, in bytes.
func (t *Cover) patchBytes() int64 {
	return int64(16*cap(t.Patches) + 4*cap(t.Attached) + 8*cap(t.Moments))
}

// momentBytes is the memory that a kernel takes for the moments' factors.
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
