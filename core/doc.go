// Package core is the map of the house; it holds no code of its own.
//
// Everything under core is pure computation: no syscall/js, no ebiten, no
// network, no disk (imports_test.go holds every room to its doors). Data walks
// one way:
//
//	bytes -> meshio -> mesh -> graph -> {shortest, separator} -> sgfi (a linop.Kernel)
//	                   mesh -> measure -> transport (Result = evidence, Plan = queries)
//	engine: job.Request in, job.Event out
//
// One line per room, in the order of import:
//
//	mesh           indexed triangle mesh; topology; mesh/generate makes meshes
//	meshio         GLB, glTF, OBJ, STL, PLY and OFF from an io.Reader, with limits
//	graph          weighted undirected graph in CSR form, from a mesh or a file
//	shortest       Dijkstra: once, or many times on one graph
//	separator      balanced separations (A, S, B): finders and Verify
//	linop          operators known by their products; linoptest is their conformance suite
//	sgfi           the separation graph field integrator: the tree, and its kernel
//	baseline       the dense oracle: all pairs, the whole matrix
//	measure        densities on vertices
//	transport      Sinkhorn over any linop.Kernel; plan queries; flow for animation
//	job            requests and events as plain data; imports nothing of ours
//	engine         runs requests on the packages above
//
// Outside core: viewer shows events and knows of core only job; wasm holds the
// page's two programs; cmd/genussink is the same engine for a shell.
//
// Habits. A fast thing has a slow twin in its tests. Destination first, nil
// allocates. Options work when zero. Panics are for misuse, errors for data,
// with value and place. A formula from the paper cites its section; where we
// leave the paper the package says so under "Deviations".
package core
