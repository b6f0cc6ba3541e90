// Package quantized solves transport between few cells instead of many vertices, and says how wrong that is.
//
// The method:
//
//  1. Take k vertices, each farthest from those before it: the representatives.
//  2. Every vertex joins the nearest of them. Those are the cells.
//  3. From each representative run Dijkstra's algorithm as far as six radii: its hops are exact.
//  4. Longer distances are shortest paths along hops.
//  5. The first representatives have a row of true distances each, a view. Views say by how much hops are too long.
//  6. The distance of two cells is the mean over their masses, from hops and views.
//  7. Sinkhorn's iterations run on the k x k kernel.
//  8. A plan between cells is spread over their vertices in proportion to mass, so that its marginals are those asked for.
//  9. An estimate compares k cells with half as many, and some rows with true distances. It comes with an interval.
//
// Steps 1 to 5 are of the graph alone (Net). They serve every density and epsilon.
// Support is the other way to few cells: one for each vertex that has mass, at true distances. It is exact.
//
// Sources: farthest points, Gonzalez (1985); a quantized plan, Chowdhury, Miller and Needham (Quantized Gromov-Wasserstein,
// 2021); coarse to fine, Merigot (2011) and Schmitzer (2019); landmarks, Goldberg and Harrelson (2005). docs/QUANTIZED.md has them in full, with measurements.
//
// # Deviations
//
// The problem is that of the paper, Sec. 1. The method is not: the paper has none of this. Its proofs do not cover it. What an estimate's
// interval holds was measured, not proved.
package quantized
