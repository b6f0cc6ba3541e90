// Package treehost finds a host for a graph: a graph of small treewidth on the same vertices. No distance in the host is shorter than in
// the graph, and none is longer by more than a given distortion (the paper, Theorem 3.3). Exact algorithms for graphs of small treewidth
// then run on the host: the engine's method embedded takes hub labels along its decomposition (hub.Along). All that is said of lengths
// here holds up to the rounding of their sums.
//
// # Bags
//
// Both constructions start from a tree of bags. For every vertex p, the bags with p hang together. Every edge lies in a bag. So a bag
// separates the subtrees that it leaves. A bag is a union of shortest paths. They belong to a tree of shortest paths, from one root in
// every component. Its radius is R, at most the diameter D.
//
// With Options.Faces there is a bag for every face: the tree paths to its three corners. Two faces are linked across an edge that is not
// in the tree of paths. On the sphere these links make a tree. Walk around the subtree of shortest paths below p. The walk passes
// exactly the faces with p in their bag, and goes from one to the next across an edge that is not in the tree and ends below p. Only the
// edge from p to its parent stops it. So the bags with p hang together.
//
// On a surface of genus g, 2g edges are left over when the links make a tree. The walk fails only where one of them ends below p. Then p
// lies on one of 4g tree paths. These are put into every bag (bags.top). They are short, since the links close the shortest loops. Holes
// are filled by triangles from one of their vertices.
//
// Nothing of that is taken on trust. For every p the bags with p are counted, and the links between them. What does not hang together
// goes to top, as in a mesh that is no surface. The count costs width only, never distortion.
//
// Without faces the bags are those of an elimination order (least degree). They need not be made of paths, so no treewidth is promised.
// But they serve any graph, and on meshes of higher genus they are often narrower.
//
// # Nested
//
// The tree of bags is separated at its centroid, and the trees left over again, until a cell has few vertices. A separator is covered by
// portals, but for what lies in earlier ones: each of its vertices x has a portal within r, on the separator or above it. The host joins
// a vertex to all portals on the separators of the cells that hold it. These edges are as long as the distance in the whole graph.
// Within a last cell it keeps the graph's edges. An edge is left out if the shortest path between its ends runs through another portal
// that both are joined to.
//
// No host distance is too short, since every edge is as long as the distance of its ends. None is too long either. Let P be a shortest
// path between u and v. If it meets no separator, it lies in one last cell, whose edges the host has. Otherwise take the first
// separator, from the top, that has a vertex x on P of its own. P meets none above it, so it lies in one cell. So u and v are both
// joined to the portal p near x:
//
//	d(u,p) + d(p,v) <= d(u,x) + d(x,v) + 2 d(x,p) <= d(u,v) + 2r.
//
// A path pays once, not once for each level, because edges are as long as distances in the whole graph. So r = Distortion/2 will do at
// every level, without a logarithm. (One is needed where edges know distances within their cell only.) Bound is twice the largest d(x,p)
// that occurred.
//
// A bag of the host's decomposition is a chain of separators' portals. A chain has at most log2(n) separators below top, since each
// centroid halves the vertices. Each has at most 3 (R/r + 1) portals: two vertices that called for one on the same path are more than r
// apart. With Distortion = eps D that is 3 (2/eps + 1) log2(n) + leafSize: treewidth O(log n / eps) on the sphere. On a surface of genus
// g it is 4g paths more.
//
// # Emulated
//
// The theorem's O((log log n)^2 / eps) comes from an emulator of the tree of bags (Filtser and Le, Low treewidth embeddings of planar
// and minor-free metrics, FOCS 2022). The emulator is a graph on the nodes of the tree. Any two nodes are joined by few hops along the
// path between them. Ours takes at most 2 sqrt(N)-1 of N nodes. They leave components of at most sqrt(N), each beside at most two of the
// nodes taken. Every node is joined to those two. The same is done with the components, and with the skeleton of the nodes taken. Both
// hops and treewidth h satisfy h(N) = h(2 sqrt N) + 2, so they are O(log log N).
//
// A shortest path between u and v crosses the bags on the way between them in order. Follow the hops b1, ..., bk. The path has a vertex
// x1 in b1, after that x2 in b2, and so on. Each is replaced by a portal near it, which costs 2r, hence 2kr in all. So r =
// Distortion/2k. Now let u and v lie in one last component. If the path stays there, the host has its edges. Otherwise it touches one of
// the bags that the component is joined to, which costs 2r. A bag of the host's decomposition holds the portals of O(log log n) bags,
// 3(R/r + 1) each: O((log log n)^2 / eps).
//
// Here the portals are chosen once for the whole tree of shortest paths: from the root down, whenever the last one is more than r away.
// Then the bags with a portal p are all those with the vertex p, which hang together. So the host needs no copies of vertices. The
// theorem's embedding maps a vertex to several.
//
// # Deviations
//
// From the paper, whose Theorem 3.3 is that of Filtser and Le:
//
//   - Nested, the default, has not the theorem's treewidth: it is O(log n / eps). Emulated has.
//   - Portals are chosen once for the whole tree of shortest paths, and no vertex is copied.
//   - The time is not the theorem's. Distances are found by a Dijkstra search from every portal, up to the farthest vertex joined to it.
//     On meshes that is seconds at most.
//   - The constants of Emulated do not pay at any size that fits a computer. From 1,000 to 64,000 vertices paths take 6 hops. So portals
//     are 12 times as dense: for the 6 hops, and because they lie above a vertex only, not on both sides. A bag of the emulator has 10
//     to 12 nodes, where Nested has log2(n) = 10 to 16 separators that share their upper portals. Emulated is there to be compared.
//   - The later O(log log log n) treewidth (Chang et al., 2025) is not implemented.
package treehost
