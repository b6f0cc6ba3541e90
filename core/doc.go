// Package core is the map of the packages below it; it holds no code of its own.
//
// Everything under core is pure computation: no syscall/js, no ebiten, no
// network, no disk (imports_test.go says which package may import which). Data goes
// one way:
//
//	bytes -> graphio -> graph -> layout -> mesh (of vertices alone)
//	bytes -> meshio -> mesh -> graph -> {shortest, separator} -> {septree -> hub/label -> hub/cluster -> hub/cover -> hub, sgfi} (a linop.Kernel)
//	                           graph -> treedec -> treekernel (a linop.Kernel too)
//	                           graph -> treehost -> hub (on a host of small treewidth)
//	                  graph, measure -> quantized (a linop.Kernel of few cells)
//	                   mesh -> measure/preset -> transport (Result = evidence, Plan = queries)
//	          graph, measure -> mincost (no kernel)
//	                  graph -> transport/coarse -> transport -> transport/{check, polish, flow}
//	graph, job.KernelSpec -> method (a linop.Kernel of any of these, and what is known of it) -> engine, benchmark
//	           method, baseline/published -> benchmark -> experiment
//	engine: job.Request in, job.Event out
//
// One line per package. Each imports only what stands above it:
//
//	mesh           indexed triangle mesh; topology; mesh/repair mends meshes
//	shade          a surface made ready to be drawn: vertices doubled at creases, how open to the sky each is
//	meshio         GLB, glTF, OBJ, STL, PLY and OFF from an io.Reader, with limits
//	graph          weighted undirected graph in CSR form, from a mesh or a file
//	mesh/generate  makes meshes and graphs
//	inspect        what a person looks for on a mesh: lengths, shapes of faces, angles, curvature, symmetry; its defects are listed by mesh
//	graphio        graphs without faces: PACE and DIMACS .gr files, road tables
//	shortest       Dijkstra: once, or many times on one graph; buckets instead of a heap where distances alone are asked for
//	planar         planarity: an embedding in the sphere, or a Kuratowski witness
//	layout         places for the vertices of a graph that has none
//	treedec        tree decompositions: elimination orders and their improvement, exact search, Validate, nice form, PACE files
//	separator      balanced separations (A, S, B): finders, Pareto, nested dissection, Verify
//	kernel         functions f of generalised Sinkhorn: products f(x_i + y_j), sums of exponentials; knows no graph
//	linop          operators known by their products; linoptest is their conformance suite
//	treehost       hosts of small treewidth, distances at most a given length too long
//	sgfi           the paper's separation graph field integrator: its tree, Algorithm 1, its kernel
//	treekernel     the same on a tree decomposition: near-linear on graphs of small treewidth
//	septree        the separator tree of a graph: nested dissection, whole or in parts
//	hub/label      hub labels: the distances from every cell's separator, and paths down them
//	hub/tile       which hub serves which pairs of a few hundred rows and columns
//	hub/cluster    clusters and patches: vertices that lie close together, whose pairs a cover settles at once
//	hub/cover      which hub serves which pairs of a graph; it knows distances and no epsilon, so that one serves every kernel
//	hub/loops      the inner loops of products: slices of factors in, sums out
//	hub/logdomain  products and a plan's cost where factors would underflow: distances and logarithms in, logarithms out
//	hub/squared    the kernel exp(-D^2/s) of squared distance on a cover, and any other function: every pair once, by a small table for each tile
//	hub            exact and certified kernels, and their products: what solves on ordinary meshes; hub/hubtest checks them
//	baseline       the dense oracle: all pairs, the whole matrix
//	job            requests, events and what a solve found, as plain data; imports nothing of ours
//	measure        densities on vertices, checked and balanced; measure/preset makes some on a mesh
//	mincost        the unregularised optimum, W1: the cheapest flow along edges, by the network simplex; it needs no kernel
//	transport      Sinkhorn over any linop.Kernel, balanced or not; barycentres; plan queries; it solves and nothing else, and knows no graph
//	baseline/published  the methods of others that the paper compares with
//	transport/coarse  a small stand-in for a graph, by which a solve takes fewer products
//	transport/check   what true distances say of an answer: a lower bound, the errors of a kernel's distances
//	transport/polish  what a plan costs on true distances, with an interval
//	transport/flow    particles of a plan on shortest paths, for animation
//	quantized      few cells instead of many vertices, with an estimate of what that costs; true distances between the vertices with mass alone
//	mixture        kernels of functions other than exp on ordinary meshes: sums of exponential kernels on one cover
//	team           one graph's tree, cover and kernel shared with engines elsewhere: a lead and its members
//	method         one way to a kernel: a specification in, a kernel out, with its bound, bytes and stages; forecasts; what is kept for the next
//	benchmark      the methods that the paper compares, side by side on one problem: each from nothing, its cost on true distances
//	experiment     the methods side by side: tables and plots of what they take and miss
//	paint          what a brush does to densities, for whoever shows it and whoever does it again
//	session        what a person has made of a page, as a link and as a file
//	animation      pictures that follow each other as a gif
//	engine         runs requests on the packages above
//
// Three exact kernels stand side by side. sgfi is the paper's recursion, exact wherever
// its n^2/2 kernel entries fit, and the reference; hub keeps labels and the
// hubs that pairs of clusters use instead, a few per cent of that, and lets
// several Workers share the work. Both split with the finders of separator.
// treekernel splits at the bags of a tree decomposition and takes the time of a few
// numbers per vertex where these are small. The tests of all hold them to the dense oracle.
//
// Package hub has several packages below it. The search for one tile's runs asks for rows, columns and hubs alone and is
// a third of a cover's code: hub/tile. Clusters know distances and no blocks: hub/cluster. The inner loops of products know no cover: hub/loops. In the log domain products take
// distances and need no kernel's factors: hub/logdomain.
//
// hub/tile has the one piece of assembly. It compares four labels at a time where an amd64 processor has AVX2, which Go's compiler does not use: tiles
// of exact take 0.7 of the time. Other processors and the page run the same loops in Go, and a property test holds the one to the other.
//
// Outside core: viewer shows events and teaches, and knows of core only job, paint and session; wasm holds the
// page's three programs; cmd/genussink is the same engine for a shell, and draws
// the page's pictures without a window (viewer/still). What is drawn of a scene is said once, in viewer/drawing, for the window and for these;
// internal/output writes the files of all programs, each whole or not at all;
// internal/decimal reads numbers, in one syntax everywhere.
//
// Habits. A fast thing has a slow twin in its tests. Destination first, nil
// allocates. Options work when zero. Data that is wrong, from a file or a person, is an error with value and place. Panics are for
// misuse by a program: a nil graph, a slice of the wrong length. A formula from the paper cites its section. A package that
// implements something of the paper lists under "Deviations" where it leaves it
// (deviations_test.go).
package core
