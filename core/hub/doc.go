// Package hub multiplies by the kernel K = exp(-D/epsilon) of a graph's shortest-path distances D, without forming it. It
// is the kernel for ordinary meshes, whose separators are too large for the paper's cross_compute (Sec. 3.1.2).
//
// New makes a kernel of a graph in one call. ExampleNew works everything below out on a path of ten vertices.
//
// # A picture in words
//
// Cut a mesh in two along a short closed line of vertices, the separator. A shortest path from one side to the other
// crosses the line, and the vertex where it does is its hub. So a distance across the line is the sum of two: from one end to
// the hub, and from the hub to the other end. It is enough to know the distances of the separator's few vertices. Cut
// both sides again, and so on, until the pieces are small: that is the separator tree (package septree), and these
// distances are the hub labels (package label).
//
// Now look at two patches that lie far apart on different sides. All paths between them go through one hub, as all roads between
// two countries may lead over one pass. Their block of the kernel is then a column times a row, of rank one: sum up one patch at
// the hub, multiply, and hand out to the other patch. Patches that lie closer together use several hubs. Their block is a
// tile: for each row it lists the runs of columns that go through the same hub, and a run costs two additions, however
// long it is. Package cover finds out which hub serves which pairs; package tile finds the runs.
//
// Finally let distances be wrong by delta. Then vertices that lie close together look like one to far hubs, which makes blocks
// smaller, and one hub may stand for several, which makes them fewer.
//
// # Glossary
//
// In all formulas f_h(v) = exp(-d(h,v)/epsilon), x is what is multiplied and y the product.
//
//	rank             a vertex's position in the order of the separator tree: every cell is a range of ranks
//	cell             a piece of the graph in the tree: left side L, right side R, separator S
//	hubs of a cell   S and the vertices around the cell: each shortest path from L to R passes one of them
//	label            d(h,v), the distance of a separator vertex h of a cell from a vertex v of that cell
//	way              a path from i to j through a hub h, of length d(h,i) + d(h,j); D(i,j) is the least over the hubs
//	cluster, patch   vertices that lie close together; a patch is a cluster and the vertices attached to it
//	attached vertex  a separator vertex inside one side, which goes along with the cluster next to it
//	lead             of a hub g over a hub h on a patch P: min over v in P of d(g,v) - d(h,v). If the leads on two
//	                 patches add up to 0 or more, no pair of the two needs g
//	hub moment       m(h,P) = sum over v in P of f_h(v) x_v
//	rank-one block   y_i += exp(s/epsilon) f_h(i) m(h,Q) for all i in P, and the same for Q and P
//	shift            s, by how much the block's distances are less than the lengths of its ways
//	tile             a block of few rows and columns, with runs
//	run              columns [p,q) that a row i reaches through h: y_i += f_h(i) (B_h(q) - B_h(p))
//	running sum      B_h(q) = sum over the columns j < q of f_h(j) x_j
//	band             a stretch of columns over which a hub has running sums
//	class            vertices of a side, of a tile or of a cell, at which the lead of each hub over each other is the same
//	row group        rows of a tile that share runs
//	staircase block  row i with all columns from c(i) on: y_i += f_h(i) sum over j >= c(i) of f_h(j) x_j
//	separator block  y_h += sum over v of f_h(v) x_v for some h in S and all v of a patch or of both sides, and the other way round
//	aggregate        vertices v with d(h,v) = d(h,c) + o_v for a centre c and some hubs h: X_c = sum of exp(-o_v/epsilon) x_v
//	slot             what a block calls a row or a column: a rank or an aggregate
//	batch            the tiles and separator blocks that share aggregates
//	delta            by how much a distance may be wrong
//	tolerance        what rounding leaves of delta, see cover.Cover
//	step, code       with a tolerance a distance is code x step, the code in two bytes, see cover.Step
//	lane             one of cover.Lanes shares of a product, which run side by side
//	shard            a share of all pairs that has a kernel of its own; the products of all shards add up to the whole
//
// # Deviations
//
// From the paper:
//
//   - Cells are induced subgraphs without shortcut edges, and the distances are
//     those of the whole graph, so that a pair split at a cell needs the cell's
//     separator and the vertices around the cell, nothing else (see septree.Cell).
//   - The dual walk of package cover takes the place of cross_compute where separators have more
//     than a few vertices. Range searching remains for the others.
//   - With a tolerance a distance may be off by delta either way. The paper has no such form.
//   - Labels and tiles grow faster than n on meshes, as separators do: the time is
//     not near-linear, as it is in the paper for small treewidth.
//
// # Which product for which pairs
//
// Pairs within a leaf, and those of a small cell's separator, are multiplied entry by entry: below
// septree.DefaultLeaf vertices nothing else pays, as measured. For the two sides of a cell the walk decides pair of
// patches by pair of patches, by the cost of a product in units of a few nanoseconds:
//
//	rank-one block  (rows + columns) / momentGain, once for all rank-one blocks of the patch and the hub
//	tile            (5 columns of its bands + 2 distances of its rows + 6 runs) / 6 + rows + columns
//	split           the sum over the halves
//
// A rank-one block costs least and is taken wherever one hub serves. Two patches are split while they have more than
// rowSide and tileSide vertices, or more than these where they have aggregates, and while the columns or the hubs are more
// than a byte can number. Up to there half of a tile needs nearly as many hubs as the whole, so that splitting only
// repeats columns. Beyond, the hubs per row grow with the tile's width.
//
// With a tolerance products grow more slowly than the number of pairs, labels or tiles does: the finer the mesh, the
// larger are the aggregates.
//
// A cell can be crossed whole by the paper's range searching instead (Sec. 3.1.2), which finds staircase blocks:
//
//	staircase block  rows + columns, of one hub
//
// Where the separator sees many vertices alike, the two sides of a cell are classes. On a square lattice that is cut
// along a column each row is one class on either side. If all shortest paths between the sides pass the separator, and
// there is no tolerance, each class is one aggregate. Then one tile has all pairs of the two sides, or a few if a byte
// cannot number its columns or hubs, and a separator block has the pairs with the separator. On dumbbells of 20,000
// vertices, whose lobes are discs of a lattice, tiles and products take three tenths of the time that they take with
// the walk.
//
// Hubs are left out where another one serves everywhere as well. If two are left and there is no tolerance, that settles
// it, for there are two staircase blocks at most. On dumbbells, strips and tubes of 700 to 6,000 vertices a side their
// product took a half to a seventh of the time of rank-one blocks and tiles. Otherwise, up to rangeHubs hubs, the walk goes
// first, and staircase blocks take its place where they cost at most half. With three hubs between discs of 5,600 vertices
// their product took 0.4 to 0.5 of the time; on strips and tubes, where the walk stays, 1 to 1.9. With five or more hubs
// the search took longer than 50 products saved, up to 25,000 vertices a side. A row or column of a staircase block took
// 1.8 to 2.7 ns, a unit of a walk's cost 1.8 to 2.3, less where the processor has the tile at hand. BenchmarkCross of
// package cover has both, cell by cell.
//
// Where separators are a few vertices throughout, package treekernel does better than all this. The engine takes it for
// exact solves up to a width that is measured there. Sampled separators (package sgfi) have no bound and are taken on request
// alone.
package hub
