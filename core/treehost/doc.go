// Package treehost finds, for a graph, a host: a graph of small treewidth on the
// same vertices in which no distance is shorter and none longer by more than a
// given distortion (the paper, Theorem 3.3). Exact algorithms for graphs of
// small treewidth then run on the host: the engine's method embedded takes hub
// labels along its decomposition (hub.Along). All that is said of lengths holds
// but for the rounding of their sums.
//
// # Bags
//
// Both constructions start from a tree of bags in which, for every vertex p,
// the bags with p hang together, any edge lies in a bag, and so any bag
// separates the subtrees that it leaves. Bags are unions of shortest paths:
// those of a tree of shortest paths from one root in every component (radius R,
// at most the diameter D).
//
// With Options.Faces the bags are the tree paths to the corners of a face, three
// of them, and faces hang together across edges outside the tree. On the sphere
// those links make a tree. Walking around the subtree of shortest paths
// below p, one passes exactly the faces with p in their bag, and goes from one
// to the next across an edge outside the tree that ends below p; only the
// edge from p to its parent stops the walk. So the bags with p hang together.
// On a surface of genus g, 2g edges are left over when the links make a tree,
// and the walk fails only where one of them ends below p: then p lies on one of
// 4g tree paths, which are put into every bag (bags.top; the links close the
// shortest loops, so those paths are short). Holes are filled by triangles
// from one of their vertices. Nothing of that is taken on trust: for every p the
// bags with p are counted against the links between them, and whatever does not hang
// together, in a mesh that is no surface for instance, goes to top. The count
// costs width only, never distortion.
//
// Without faces the bags are those of an elimination order (least degree).
// They need not be made of paths, so no treewidth is promised, but they serve
// any graph; on meshes of higher genus they are often narrower.
//
// # Nested
//
// The tree of bags is separated at its centroid, the trees left over again,
// until they have few vertices. The part of a separator that lies in no earlier
// one is covered by portals: each of its vertices x has one within r, chosen
// on it or above it. The host joins every vertex to all portals on the
// separators of the cells that hold it, by edges as long as the distance in
// the whole graph; within a last cell it keeps the graph's edges. An edge is left
// out where the shortest path between its ends runs through another portal
// that both are joined to.
//
// No host distance is too short, as every edge is as long as the distance of its
// ends. Let P be a shortest path between u and v. If it meets no separator it
// lies in one last cell, whose edges the host has. Otherwise take the first
// separator, from the top, whose own part has a vertex x on P. P meets none above it, so it lies
// in one cell, and u and v are both joined to the portal p near x:
//
//	d(u,p) + d(p,v) <= d(u,x) + d(x,v) + 2 d(x,p) <= d(u,v) + 2r.
//
// A path is charged once, not once for each level, because edges are as long as
// distances in the whole graph. So r = Distortion/2 will do at every level, with no
// logarithm: a logarithm in the spacing is needed only where edges know
// distances within their cell. Bound is twice the largest d(x,p) that occurred.
//
// A bag of the host's decomposition is a chain of separators' portals. There are
// at most log2(n) of them below top, as each centroid halves the vertices, and
// at most 3 (R/r + 1) portals on each: two vertices that called for one on the
// same path are more than r apart. With Distortion = eps D that is
// 3 (2/eps + 1) log2(n) + leafSize: treewidth O(log n / eps) on the sphere, with
// 4g paths more on a surface of genus g.
//
// # Emulated
//
// The theorem's O((log log n)^2 / eps) comes from an emulator of the tree of
// bags (Filtser and Le, Low treewidth embeddings of planar and minor-free metrics,
// FOCS 2022): a graph on its nodes in which any two are joined by few hops
// along the path between them. Ours takes at most 2 sqrt(N)-1 of N nodes
// that leave components of at most sqrt(N), each beside at most two of them;
// joins every node to those two; and does the same with the components and with
// the skeleton of the nodes taken. Both hops and treewidth h satisfy h(N) = h(2 sqrt N) + 2,
// so they are O(log log N).
//
// A shortest path between u and v crosses the bags on the way between them in
// order. Follow the hops b1, ..., bk: it has a vertex x1 in b1, after that x2 in b2, and
// so on; each is replaced by a portal near it, which costs 2r, hence 2kr
// in all, and r = Distortion/2k. If u and v lie in one last component, the path either
// stays there, and the host has its edges, or touches one of the bags that the
// component is joined to: 2r. A bag of the host's decomposition holds O(log log n) bags'
// portals, 3(R/r + 1) each: O((log log n)^2 / eps).
//
// Here the portals are chosen once for the whole tree of shortest paths, from the root
// down whenever the last one is more than r away. Then the bags with a portal
// are all those with p, which hang together, so that the host needs no copies of
// vertices, where the theorem's embedding maps a vertex to several.
//
// # Deviations
//
// From the paper, whose Theorem 3.3 is that of Filtser and Le:
//
//   - Nested, the default, has not the theorem's treewidth: it is O(log n / eps).
//     Emulated has.
//   - Portals are chosen once for the whole tree of shortest paths, and no vertex
//     is copied.
//   - The time is not the theorem's: distances are found by one Dijkstra search from
//     every portal, up to the farthest vertex joined to it. On meshes that is seconds at most.
//   - The constants of Emulated do not pay at any size that fits a computer: from
//     1,000 to 64,000 vertices paths take 6 hops, so that portals are 12 times as
//     dense (6 hops, and portals above a vertex only, not on both sides), and a bag
//     of the emulator has 10 to 12 nodes, where Nested has log2(n) = 10 to 16
//     separators that share their upper parts. It is there to be compared; Nested is
//     the default.
//   - The later O(log log log n) treewidth (Chang et al., 2025) is not implemented.
package treehost
