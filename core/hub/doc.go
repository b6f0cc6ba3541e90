// Package hub multiplies by exp(-d/epsilon) through hub labels: every vertex
// knows its distance to the separators of the cells that hold it, which
// answers any distance exactly, and a dual walk over pairs of clusters finds
// out which separator vertex (hub) a block of pairs goes through.
//
// It is the engine for ordinary meshes, whose separators are too large for the
// paper's cross_compute (Sec. 3.1.2).
//
// # Deviations
//
// From the paper:
//
//   - Cells are induced subgraphs without shortcut edges, and the distances are
//     those of the whole graph, so that a pair split at a cell needs the cell's
//     separator and the vertices around the cell, nothing else (see septree.Cell).
//   - The walk takes the place of cross_compute where separators have more than a
//     few vertices. Range searching remains for the others.
//   - With slack a distance may be off by delta either way. The paper has no such
//     form.
//   - Labels and tiles grow faster than n on meshes, as separators do: the time is
//     not near-linear, as it is in the paper for small treewidth.
//
// # Which product for which pairs
//
// Pairs within a leaf, and those of a small cell's separator, are multiplied entry by
// entry (dense): below DefaultLeaf vertices, as measured, nothing else pays. For the two
// sides of a cell the walk decides pair of patches by pair of patches, by what a product
// will cost, in units of a few nanoseconds:
//
//	link   (rows + columns) / linkGain, once for all links of the patch and the hub
//	tile   (5 columns of its bands + 2 rows of its runs, or its rows' ways, + 6 runs) / 6 + rows + columns
//	split  the sum over the parts
//
// A link costs least and is taken wherever one hub serves. A tile is split while its patches
// have more than rowSide and tileSide vertices, or more than that where they are bundled, and while its columns or hubs
// are more than a byte can number: up to there a part needs nearly as many
// hubs as the whole, so that splitting only repeats columns; beyond, the hubs per row
// grow with the tile's width. The figures are next to these constants.
//
// With slack, the rows and columns of tiles, and of fans, which are the pairs of a separator
// with its cell, are bundles of vertices: as many as the hubs in question see as one.
// A bundle costs its vertices once for all tiles and fans that use it. So a product grows
// more slowly than the number of pairs, labels or tiles does: the finer the mesh, the larger are the bundles.
// Their distances are numbers of steps, some 8,000 for the longest, so that a pair takes two bytes and one table
// has the factors, whatever epsilon is.
//
// A cell can be crossed whole by the paper's range searching instead
// (Sec. 3.1.2), which finds stairs:
//
//	stair  rows + columns, one hub's
//
// Hubs are left out that another one serves everywhere as well as. With two left and
// no slack that is the whole choice, for there are two stairs at most: on dumbbells,
// strips and tubes of 700 to 6,000 vertices a side their product took a half to a seventh
// of the time that links and tiles did. Otherwise, up to rangeHubs, the walk goes
// first, and stairs take its place where they cost at most half, the search being given
// up once they cost more: with three hubs between discs of 5,600 vertices their product took
// 0.4 to 0.5 of the time, on strips and tubes, where the walk stays, 1 to 1.9. With five
// or more the search took longer than 50 products saved, up to 25,000 vertices a side. A
// stair's row or column took 1.8 to 2.7 ns, a unit of a walk's cost 1.8 to 2.3, less
// where the processor has the tile at hand. BenchmarkCross has both, cell by cell.
//
// Where separators are a few vertices throughout, package narrow does better than
// all this, by its own choice at every node; the engine takes it for exact solves up
// to a width that is measured there. Sampled separators (package sgfi) have no bound
// and are taken on request alone.
package hub
