// Package treekernel multiplies by exp(-d/epsilon) on graphs of small treewidth in
// near-linear time and memory, exactly: the paper's separation graph field
// integrator built from a tree decomposition (Sec. 3.1.2). Build makes the Tree
// from a graph and a decomposition, NewKernel the Gibbs kernel from the Tree.
//
// As in the paper, a piece of the graph is split at the bag in the middle of
// its decomposition, the sides have sub-trees of the same decomposition, which
// is not made again, and all bags become cliques of shortcut edges, so that
// distances within a piece are those of the graph.
//
// # Deviations
//
// From the paper, without changing what is computed:
//
//   - The shortcut edges are found in two sweeps over the decomposition
//     (chordal) instead of a Dijkstra from every separator vertex.
//   - A child has the vertices of its side alone. Pairs with an end in the
//     separator are multiplied at the node, so that none is counted twice and
//     Algorithm 1 need not subtract (l. 10), which logarithms cannot.
//   - cross_compute works on classes of vertices that the separator cannot tell
//     apart (table). A node's classes are made of its children's, so that
//     sums are shared between levels: where classes are few, as on trees and
//     strips, a product takes linear time, not n log n.
//   - Sides that meet in a bag have their shortest paths through the vertices
//     that the bag shares with either: at most the width of the decomposition,
//     one less than the bag.
//   - For two hubs range searching is one sort, and for more the last
//     coordinate is (package dominance). Where classes are few, hubs more than
//     four, or the search would take more steps than there are pairs, all pairs
//     of classes are kept.
//   - Small sides of one bag are one leaf.
//
// Distances are those of float64 sums; two that differ by less than 2^-49 of
// the greatest in their table count as the same.
package treekernel
