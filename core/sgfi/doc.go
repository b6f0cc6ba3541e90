// Package sgfi is the separation graph field integrator of the paper (Sec.
// 3.1): a tree of separators over a graph that knows all shortest-path
// distances, and multiplies by matrices of a function of them. Build makes the
// Tree from a graph, NewKernel the Gibbs kernel exp(-d/epsilon) from the Tree.
//
// Everything here is exact, but for a tree with Options.Sample: the whole
// separator is kept at every level, and a product differs from the dense matrix's by rounding alone.
// With a sample, the paper's practical variant, distances are too long, by far for
// vertices on either side of a separator and close to it; never too short.
//
// # Deviations
//
// From the paper, without changing what is computed:
//
//   - G^S[A+S] has an edge between two separator vertices only where a
//     shortest path runs between them through B and meets S nowhere in
//     between, not between all pairs (see measure). Distances are the same.
//   - Ids are vertices of the whole graph at every level, so that Algorithm 1
//     need not cut down its vectors.
//   - A Kernel is evaluated once and applied often: its tiles leave out the
//     pairs that Algorithm 1 counts twice, where Integrate subtracts them
//     (l. 10) as the paper does.
//   - cross_compute recurses as in Sec. 3.1.2 for separators of at most four
//     vertices where that pays, with ties decided (package dominance); for others
//     it compares all candidates that a test on clusters of rows and columns
//     leaves (see candidates).
//   - In a sampled tree, Kernel takes the pairs of two separator vertices from
//     the left child, where Integrate, as the paper's l. 10, adds both children's and
//     subtracts the separator's own; a part of a child that the dealing has cut off from the
//     separator gets an edge to it.
//   - A child that would keep most of its parent is not split further.
package sgfi
