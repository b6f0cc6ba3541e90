// Package job is the language between whoever wants something computed (the
// page, the tool) and whoever computes it (core/engine): requests one way,
// events the other, plain data with a versioned binary form. It imports
// nothing of ours, so that the page's binary can speak it without linking a
// solver.
//
// A request is answered by any number of interim events (Progress, Opened, Narrowed, Flowing, Polishing, Benchmarking) and then exactly one
// final event: the result named beside the request, Failed or Cancelled. The
// engine keeps one mesh, its graph, its tree and its last plan; Load and
// Generate replace the mesh and drop the rest. A graph without faces is a mesh
// without faces whose Edges are given.
package job

import "slices"

// Interim reports whether an event leaves its request unanswered.
func Interim(b Body) bool {
	switch b.(type) {
	case *Progress, *Opened, *Narrowed, *Flowing, *Polishing, *Benchmarking:
		return true
	}
	return false
}

// Request is one of the request types below, addressed by an id of the
// sender's choice that every event in answer to it carries.
type Request struct {
	ID   uint32
	Body Body
}

// Event is one of the event types below, in answer to the request with its id.
type Event struct {
	ID   uint32
	Body Body
}

// Load opens a mesh file, or a graph's. Answer: Opened, then Loaded.
type Load struct {
	Name  string  // the file's name; its extension chooses the format
	Data  []byte  // the file
	Files []File  // further files it may refer to: a glTF's buffers, a graph's coordinates or its other table
	Weld  float64 // STL and glTF: vertices closer than this become one, in mesh units; 0 welds equal positions only
	Space bool    // a graph without coordinates is laid out in space, else in the plane
	Brief bool    // another engine examines the mesh: the answer's report has counts alone

	Repairs []string // steps that mend the mesh once it is read, in order; a graph has none
}

// The repairs of a mesh.
const (
	RepairWeld       = "weld"       // vertices at equal positions become one
	RepairDegenerate = "degenerate" // faces without area are left out
	RepairIsolated   = "isolated"   // vertices of no face are left out
	RepairOrient     = "orient"     // flipped faces are turned over
)

// Repaired is what a repair has changed.
type Repaired struct {
	Step  string
	Count int // vertices or faces that are gone, or faces turned over
}

// File is a file that comes with another.
type File struct {
	Name string
	Data []byte
}

// Generate makes a mesh by a named generator. Answer: Opened, then Loaded.
type Generate struct {
	Kind   string // a generator's name, as in `genussink generate`
	Params []Param
	Brief  bool // as of Load
}

// Param is a generator's parameter; one that is not named has its default.
type Param struct {
	Name  string
	Value float64
}

// Opened is an interim answer: the mesh as soon as it is read, to be looked at while its topology is
// examined and its graph is made. Sent to another engine as a request it opens the same mesh there, without
// reading the file again or laying a graph out again. Answer: Loaded, without the mesh.
type Opened struct {
	Name, Format string
	Positions    []float64 // 3 per vertex, mesh units
	Faces        []int32   // 3 per face
	Graph        bool      // a graph without faces: the next four fields say which
	Edges        []int32   // 2 per edge
	Lengths      []float64 // 1 per edge, mesh units
	Numbers      []float64 // what the file calls each vertex; empty: they are numbered from 1
	Flat         bool      // as of Loaded
	Diagonal     float64   // mesh units
	Warnings     []string  // of the file, for the report
	Repaired     []Repaired
	Timings      []Timing
}

// Loaded is the mesh that Load and Generate opened.
type Loaded struct {
	Name, Format string
	Positions    []float64 // 3 per vertex, mesh units
	Faces        []int32   // 3 per face
	Edges        []int32   // of a graph without faces: 2 per edge
	Flat         bool      // all lies in the plane z = 0, to be looked at from above
	Component    []int32   // where the graph has several components, of each vertex its own, numbered from 0 in the order of their first vertices: mass cannot move between them
	Report       Report
	Timings      []Timing
}

// Report is the topology and size of a mesh, as `genussink info` prints it.
type Report struct {
	Vertices, Faces, Edges, Components, BoundaryLoops int
	Euler, Genus                                      int // Genus: sum over the orientable components
	NonmanifoldEdges, NonmanifoldVertices             int
	DegenerateFaces, IsolatedVertices                 int
	EdgeMin, EdgeMean, EdgeMax, Diagonal              float64 // mesh units
	Watertight, Oriented                              bool
	Warnings                                          []string // in words, for a person
}

// Separate builds the separator tree and describes it. Answer: Separated or Forecasted.
type Separate struct {
	Finder   string  // "" the default, or one of separator.Names
	Balance  float64 // neither side has more than 1-Balance of the vertices; 0 the default, a third
	Depth    int     // most levels, 0 until pieces are small
	Patience float64 // seconds: a tree that would take longer is not begun, the answer is Forecasted; 0: any
	Root     []byte  // of a connected graph: the root's separation, as in Cut.Sides; empty: the finder's. The method "tree" splits by its finder all the same.
}

// Separated describes the separator tree. Cells[v] is the node that v ends in:
// the node whose separator v belongs to, or the leaf that holds it. The cell
// of v at level L is the ancestor of Cells[v] at depth L, or Cells[v] itself
// where that is shallower. Leaves hold two vertices or, of large graphs, a
// 256th of all, or what is a complete graph; those that Solve computes with may be larger.
type Separated struct {
	Finder  string
	Nodes   []Node // the root first, parents before children
	Cells   []int32
	Timings []Timing
}

// Node is one node of the separator tree. A leaf has S = B = 0 and all its
// vertices in A.
type Node struct {
	Parent, Left, Right int32 // places in Nodes; -1 where there is none
	Depth               int32 // the root's is 0
	A, S, B             int32 // vertices on the left, in the separator, on the right
}

// Sweep asks for the trade of a separator's size against its balance. Answer:
// Swept.
type Sweep struct{}

// Swept is the Pareto list of separations of the whole graph: the smallest
// separator first, each further one larger and better balanced.
type Swept struct {
	Cuts    []Cut
	Timings []Timing
}

// Cut is one separation.
type Cut struct {
	A, S, B int32
	Sides   []byte // of each vertex: 0 in A, 1 in S, 2 in B
}

// Decompose looks for ever narrower tree decompositions of the graph, and for
// ever better reasons why there are none narrower, until the two meet or the
// time is over. Answer: any number of Narrowed, then Decomposed.
type Decompose struct {
	Seconds float64 // at most; 0: 60
}

// Check reads a tree decomposition of the graph from a PACE .td file, and checks it. Answer: Decomposed, or Failed with the line.
type Check struct {
	Name string // of the file
	Data []byte
}

// Narrowed is an interim answer: bounds on the treewidth that are better than
// before. A Decomposition without Offsets is the one sent before.
type Narrowed struct {
	Lower, Upper int
	Decomposition
}

// Decomposed is the outcome of Decompose, and of Check. The treewidth is proved where Lower
// and Upper are equal, and Exact says so.
type Decomposed struct {
	Lower, Upper int
	Exact        bool
	Status       string // "exact", "time": it was over, "bounds": no search could go on, "file": of Check, no search was made
	Decomposition
	Timings []Timing
}

// Measure asks for a pair of densities. Answer: Measured.
type Measure struct {
	Preset     string // "paper", "two-spots", "uniform", "area"
	Components string // of several: "" or "each", which has its own share of both, or "largest", the others having none
}

// Balance asks for densities with which mass need not move between components:
// those given, the target scaled in every component to the source's share there,
// and neither where there is but one of them. Answer: Measured.
type Balance struct {
	Source, Target []float64 // as in Solve
}

// Measured is a source and a target density, each summing to 1, with the same
// mass of both in every component.
type Measured struct {
	Preset         string    // "" of Balance
	Components     string    // "each" or "largest"; "" of Balance
	Note           string    // for a person: how the mass was dealt to several components, and where spots have the least sigma; mostly ""
	Source, Target []float64 // one per vertex
}

// Brush asks which vertices lie within the distance Radius of the vertex Center, along edges. Answer: Brushed.
type Brush struct {
	Center int32
	Radius float64 // mesh units
	Edges  bool    // also those between these vertices
	Tree   bool    // also that of the shortest paths to them
}

// Brushed lists vertices in order of distance from the brush's centre.
type Brushed struct {
	Center    int32
	Vertices  []int32
	Distances []float64 // mesh units

	// Where asked for: the edges between them, 2 places in Vertices each, and their lengths, mesh units.
	Edges   []int32
	Lengths []float64

	Before []int32 // where asked for: of each, the vertex before it on its shortest path; of the centre itself
}

// Step is one change of the densities, as a person made it. The same steps on
// the same mesh make the same densities.
type Step struct {
	Kind             string
	Measure          Measure   // StepMeasure: the preset
	Radius, Strength float64   // a stroke: of its brush, mesh units and 0 to 1
	Centres          []int32   // a stroke: where it dabbed, in order; a fill: its vertices, ascending
	Pressures        []byte    // a stroke of a pen: how hard at each centre, to FullPressure; empty: fully
	Fill             bool      // the stroke covers its centres alone, each as thickly
	Anew             bool      // a stroke of one density: what was there is gone before it
	Source, Target   []float64 // StepValues: the densities themselves
}

// The kinds of steps. Those that begin with Stroke are strokes of the brush.
const (
	StepMeasure  = "measure" // a preset
	StrokeSource = "source"
	StrokeTarget = "target"
	StrokeErase  = "erase"  // takes from both
	StrokeSmooth = "smooth" // evens both out
	StepClear    = "clear"
	StepSwap     = "swap"   // source and target change places
	StepValues   = "values" // in place of what cannot be made anew
	StepBalance  = "balance"
)

// FullPressure is that of a dab of a stroke's whole strength.
const FullPressure = 255

// Begins says whether a step makes its densities from nothing, so that those
// before it do not matter to the outcome.
func (s *Step) Begins() bool {
	return s.Kind == StepMeasure || s.Kind == StepClear || s.Kind == StepValues
}

// Stroke says whether a step is a stroke of the brush.
func (s *Step) Stroke() bool {
	return s.Kind == StrokeSource || s.Kind == StrokeTarget || s.Kind == StrokeErase || s.Kind == StrokeSmooth
}

// Paint makes densities anew from steps, beginning with none. Answer: Painted.
type Paint struct {
	Vertices int // of the mesh that was painted on; 0: not known
	Steps    []Step
	First    int // the first state to answer with, that after Steps[:First]
}

// Painted are the densities after Steps[:First], after one more, and so on to
// the last.
type Painted struct {
	States []Measured
}

// Inspect lists what is wrong with the mesh and measures its shape. Answer: Inspected.
type Inspect struct{}

// Inspected lists the mesh's defects, as core/mesh's Defects does, and has the values of core/inspect. A graph without faces has
// edges and degrees alone.
type Inspected struct {
	BoundaryLoops       []Loop
	NonmanifoldEdges    []int32 // 2 per edge
	NonmanifoldVertices []int32
	DegenerateFaces     []int32
	FlippedFaces        []int32
	IsolatedVertices    []int32
	SmallComponents     []Component // all but the largest, and but for isolated vertices, the largest first
	Doubles             int         // vertices at the place of one before them
	Edges               []int32     // 2 per edge
	EdgeLengths         []float64   // 1 per edge, mesh units
	AspectRatios        []float64   // 1 per face; 1 is equilateral, without area it is infinite
	Degrees             []float64   // 1 per vertex
	Bent                []int32     // 2 per edge of two faces
	Angles              []float64   // 1 per bent edge: between the normals of its two faces, degrees
	Mean, Gaussian      []float64   // curvatures, 1 per vertex, per mesh unit and per mesh unit squared; NaN on the boundary
	Timings             []Timing
}

// Loop is a boundary loop: its vertices along it, the first of them again at its end unless a non-manifold edge ends it.
type Loop struct{ Vertices []int32 }

// Shade makes the surface ready to be drawn. Answer: Shaded.
type Shade struct{}

// Shaded is the surface as core/shade's Shade makes it: vertices are doubled at creases. A graph without faces has none.
type Shaded struct {
	Faces   []int32   // 3 vertices per face
	Doubles []int32   // which vertices of the mesh those are that follow the mesh's own
	Normals []float32 // 3 per vertex, doubles too
	Open    []float32 // 1 per vertex, doubles too: how open to the sky it is, 0 to 1
}

// Component is a component of the graph: its vertices, ascending.
type Component struct{ Vertices []int32 }

// Mirror asks whether the mesh mirrors onto itself. Answer: Mirrored.
type Mirror struct{}

// Mirrored says across which axis it does, at the middle of its bounding box.
type Mirrored struct {
	Axis     string  // "x", "y" or "z"; "": none
	Partners []int32 // of each vertex the one nearest to its mirror image, -1 where that is not close by; empty without an axis
}

// Distance asks for a shortest path. Answer: Path.
type Distance struct {
	From, To int32
}

// Path is a shortest path on the mesh's edge graph: not the surface's
// geodesic, which is shorter. Length is +Inf and Vertices empty between
// components.
type Path struct {
	Vertices []int32
	Length   float64
}

// Solve transports a source density to a target. Answer: Solved or Forecasted.
type Solve struct {
	KernelSpec
	Source, Target []float64 // one per vertex, >= 0, finite; normalised by the engine, with a Reach both by the source's total
	Reach          Length    // unbalanced: mass moves about this far rather than be destroyed here and created there (transport.Options); zero: balanced
	Debias         bool      // find the Sinkhorn divergence too, which takes two more solves; not with a Reach
	Tolerance      float64   // L1 marginal error to stop at, 0 for 1e-9
	MaxIterations  int       // 0 the default
	Patience       float64   // seconds: what would take longer, or more memory than there is, is not begun, the answer is Forecasted; 0: any
	Warm           bool      // start from the last potentials where they fit
	Accuracy       float64   // quantized and auto: how wrong the cost may be by its estimate, as a share of it; 0: 1e-3; +Inf: whatever is quickest is good enough
}

// Solved is the evidence of a solve. Costs are in mesh units per unit of mass.
type Solved struct {
	Kernel
	Solution
	Vertices, Edges        int
	Representatives        int       // of quantized: cells that the mass was gathered in; 0 elsewhere
	Estimate               Estimated // of quantized: what the exact plan would cost
	LowerBound             float64   // no plan costs less on true distances, entropic or not; NaN with a reach
	Reach                  float64   // mesh units; 0: balanced
	Destroyed, Created     float64   // with a reach: mass, in shares of the source's; the source less Destroyed and with Created is the target
	RootMeanSquare         float64   // the root of <P, D^2>; NaN but of squared distance
	Divergence             float64   // OT(a,b) - (OT(a,a) + OT(b,b))/2, OT being the entropic cost as Primal has it; NaN: not asked for
	DivergenceWithin       float64   // the divergence is wrong by at most this; NaN: nothing is proved
	Accuracy               Accuracy  // where Bound is not 0, and of embedded and sampled
	LogU, LogV             []float64 // log scalings, -Inf without mass
	PeakBytes              int64     // the most that the heap held meanwhile, with garbage
	DenseBytes             int64     // what an n x n kernel would hold
	Warm                   bool      // it started from the last plan; dense, and another method than the last, starts from nothing
	Setup                  []Timing  // what the solve needed before it began, whichever request made it
	DenseSetup, DenseSolve float64   // seconds of the dense matrix, to be made and for the same solve, on as many threads: predicted from some rows; NaN where none was measured
	Threads                int       // this process's, and one for each member with a part of the kernel
	Timings                []Timing
}

// Minimum asks for the least cost that moves one density to another along edges, unregularised: W1. It needs no kernel. Answer: Minimised.
type Minimum struct {
	Source, Target []float64 // as in Solve
}

// Minimised is the flow of the least cost, and its certificate. Lengths are in mesh units, masses in shares of the whole.
type Minimised struct {
	Cost       float64   // no plan costs less
	Dual       float64   // what the potentials prove: the same but for rounding
	From, To   []int32   // edges along which mass moves, in its direction
	Mass       []float64 // how much
	Potential  []float64 // of each vertex: falls by an edge's length along those with mass, and by no more along any
	Iterations int       // of the network simplex
	Timings    []Timing
}

// Barycentre asks for the density that lies between others: the weighted sum of the entropic costs of moving them to it is the least. Answer: Barycentred.
type Barycentre struct {
	KernelSpec
	Densities     []float64 // one after the other, each as Source in Solve
	Weights       []float64 // one per density, positive, of any total
	Tolerance     float64   // as in Solve
	MaxIterations int       // as in Solve
}

// Barycentred is the density that Barycentre asked for.
type Barycentred struct {
	Kernel
	Density       []float64 // of total 1
	Costs         []float64 // of moving each density to it, in mesh units, on the kernel's distances
	Status        string    // as in Solution
	Iterations    int
	MarginalError float64 // how far the plans' columns are from the density, as a share of the mass
	Timings       []Timing
}

// Profile asks how a kernel's function falls over the distances of the mesh, and whether a solve takes it. Answer: Profiled.
type Profile struct {
	KernelSpec
}

// Profiled is a function of distance beside a sample of the distances, from some vertices to all.
type Profiled struct {
	Rows    int       // so many vertices
	Longest float64   // of the sample, mesh units
	Pairs   []int32   // of the sample, by distance: in bins of one width from 0 to Longest; pairs between components are left out
	Values  []float64 // f over f(0), at distances in equal steps from 0 to Longest
	Tenth   float64   // the distance at which f is a tenth of f(0), mesh units; NaN where it is more everywhere
	Nearer  float64   // the share of Pairs that is not farther apart than that; NaN likewise
}

// Polish asks what the plan solved last costs on true distances. A further request goes on where the one before
// ended. Answer: any number of Polishing, then Polished.
type Polish struct {
	Seconds float64 // at most, but for one step; 0: a quarter of what set-up and solve took; +Inf: until the interval is narrow enough
}

// Polishing is an interim answer.
type Polishing struct {
	Estimate
}

// Polished is the outcome of Polish.
type Polished struct {
	Estimate        // NaN where there is none
	Why      string // there is none: in words, for a person; else ""
	Timings  []Timing
}

// Retrace asks how the plan solved last was come to: it is solved again, from the same start. A solve keeps nothing for it but its start, and so
// costs no more for it. Answer: Retraced.
type Retrace struct{}

// Retraced are the marginals of the plan after its iterations: after each of the first ten, and then after fewer and fewer; always
// after the last.
type Retraced struct {
	Trace   []float64 // the marginal error after every iteration, as in Solution
	Frames  []Frame
	Timings []Timing
}

// Frame is the plan after an iteration. Rows and Columns are its sums, one per vertex, in shares of the mass. A side that is empty has the sums
// that are wanted, but for rounding: its potential was made for them.
type Frame struct {
	Iteration     int32 // from 1
	Rows, Columns []float32
}

// Block asks for a tile of the kernel of the plan solved last, as it is stored: the number-th of those that this engine holds, the one of the most
// rows times columns first. Answer: Blocked.
type Block struct{ Number int }

// Blocked is the tile (hub/tile). A row or a column is a vertex or, of certified, an aggregate of vertices that are multiplied as one: row i stands for
// RowVertices[RowStarts[i]:RowStarts[i+1]].
type Blocked struct {
	Number, Count             int // of how many tiles
	RowStarts, RowVertices    []int32
	ColumnStarts, ColVertices []int32
	Runs                      []int32 // 5 each: rows from and to, columns from and to, and the hub, a vertex, through which they reach each other
}

// Hubs are those of the runs, each once, in the order in which runs name them.
func (b *Blocked) Hubs() (hubs []int32) {
	for k := 4; k < len(b.Runs); k += 5 {
		if !slices.Contains(hubs, b.Runs[k]) {
			hubs = append(hubs, b.Runs[k])
		}
	}
	return hubs
}

// Partners asks where a vertex's mass goes (or, at the target, comes from).
// Needs a solved plan. Answer: Partnered.
type Partners struct {
	Vertex int32
	Top    int  // how many, 0 for all with mass
	Target bool // the vertex is on the target's side

	Distances bool // also how far away they are
}

// Partnered lists partners by mass, most first.
type Partnered struct {
	Vertex   int32
	Vertices []int32
	Mass     []float64 // P_ij
	Total    float64   // the vertex's whole mass

	// Where asked for: the distances that the plan was solved with, D_ij, and the lengths of shortest paths along the mesh's
	// edges, mesh units.
	Distances, True []float64
}

// Push applies the solved plan to a vector: P v, or P^T v. Answer: Pushed.
type Push struct {
	Values    []float64
	Transpose bool
}

// Pushed is the product that Push asked for.
type Pushed struct {
	Values []float64
}

// Between asks how much mass the vertices of one set send to those of another,
// by the solved plan. A vertex that is named twice counts once. Answer: Shared.
type Between struct {
	From, To []int32
}

// Shared is the mass that Between asked for.
type Shared struct {
	Mass float64
}

// Centres asks for the plan's barycentric map. Answer: Centred.
type Centres struct{}

// Centred holds for every vertex the mean position of what it sends, 3
// coordinates in mesh units; its own position where it sends nothing.
type Centred struct {
	Positions []float64
}

// Draw asks for pairs of vertices drawn from the solved plan, each with
// probability P_ij. Answer: Drawn.
type Draw struct {
	Count int
	Seed  uint64
}

// Drawn are pairs, From[k] to To[k], in ascending order of From.
type Drawn struct {
	From, To []int32
}

// Flow asks for mass on the move along shortest paths: pairs drawn from the
// solved plan. Answer: any number of Flowing, then Flowed.
type Flow struct {
	Particles int
	Seed      uint64
}

// Flowing is an interim answer: the paths of a batch of particles. Particle p of
// it visits Vertices[Offsets[p]:Offsets[p+1]], source first, at the distances
// from its start in Along, in mesh units. Every particle carries the same
// mass, and every batch is a fair sample of the plan.
type Flowing struct {
	Offsets, Vertices []int32
	Along             []float64
}

// Flowed says that the paths of all particles have been sent.
type Flowed struct {
	Particles int
	Timings   []Timing
}

// Export asks for a file of the mesh with what is known of its vertices. Answer: Exported.
type Export struct {
	Format         string    // "glb", "ply", "csv" or "json"
	Mesh           string    // the mesh's name, as a json file says it
	Source, Target []float64 // densities, one per vertex; both empty: without
	Moved          bool      // with the displacement from each vertex to the mean of what it sends, which needs a solved plan
	Cells          []int32   // of each vertex its node in the separator tree, -1 in a separator; empty: without
	Colors         []byte    // sRGB, 3 per vertex; empty: without. csv and json have none
}

// Animate asks for a gif of pictures that follow each other. It needs no mesh. Answer: Exported.
type Animate struct {
	Width, Height int
	Delay         int    // of each picture, hundredths of a second
	Frames        []byte // one picture after the other, 4 bytes a pixel: red, green, blue and an opacity of 255
}

// Exported is a file.
type Exported struct {
	Format string
	Data   []byte
}

// Apply multiplies a vector by the kernel. Answer: Applied.
type Apply struct {
	KernelSpec
	Values []float64 // one per vertex, finite
}

// Applied is the product that Apply asked for.
type Applied struct {
	Kernel
	Values  []float64
	Timings []Timing
}

// Cancel stops the request with the id Request; that one is answered by
// Cancelled, Cancel itself by Cancelled with its own id.
type Cancel struct {
	Request uint32
}

// Progress says how far a request has come.
type Progress struct {
	Stage    string  // "tree", "kernel", "solve", ...; "waiting" for another request
	Fraction float64 // of the stage, 0 to 1
}

// Failed ends a request that could not be done.
type Failed struct {
	Kind    string // "input": the data's fault; "unequal": source and target have different masses in a component; "memory": it would not fit; "internal": ours; "crash": its worker died; "exhausted": it died because it had no more memory; "blocked": no worker can be started
	Message string // one sentence for a person, with the value and the place
}

// Cancelled ends a request that was cancelled.
type Cancelled struct{}

// Timing is what one stage took, in order.
type Timing struct {
	Stage   string
	Seconds float64
}

// The messages below pass between engines that share one solve: the lead sends
// them to the members of its team, never a page or a tool.

// Dissect asks a member to separate a part of a graph, as Separate does the whole. Answer: Dissected.
type Dissect struct {
	Offsets, Targets []int32
	Weights          []float64
	Positions        []float64 // 3 for each vertex, a hint; may be empty
	Faces            []int32   // 3 for each; may be empty
	Finder           string
	Balance          float64
	Levels           int // at most, of the whole tree; 0: until leaves are small
	Depth            int // of the part in that tree
}

// Dissected is the part's tree: its pieces, parents before children, left before right.
type Dissected struct {
	Vertices []int32 // of every piece's separator, of a leaf all
	Sizes    []int32 // by piece: how many; of a leaf ^n
}

// Hold hands a member the lead's labels and asks it to build its part of the
// cover, in place of what it held before. Answer: Held.
type Hold struct {
	Order, Sizes, Hubs []int32
	Offsets, Targets   []int32 // the graph, numbered by ranks
	Weights            []float64
	Distances          [][]float64 // by cell: the labels
	Short              [][]float32 // or, where they are float32
	Delta              float64     // mesh units
	Part, Parts        int         // this part, of how many
	Cover              int         // the lead's number of the cover
}

// Held says that the part is ready.
type Held struct {
	Bytes int64 // held by the labels and the part
}

// Tune asks a member to make the kernel of the part it holds. Answer: Tuned.
type Tune struct {
	Epsilon float64 // mesh units
}

// Tuned says that the kernel is ready.
type Tuned struct {
	Bytes int64 // held by the kernel, labels and cover included
}

// Multiply asks a member for the product with the part it holds. Answer:
// Multiplied.
type Multiply struct {
	Product string    // "vec", "log", "cost" or "plan", after the methods of linop.Kernel and linop.MulPlan; "row", "distances", "draw" or "logdraw"
	Epsilon float64   // of the kernel, mesh units: another than the one tuned last is made first
	Cover   int       // Hold.Cover of the part: another than the one held is refused
	X, Y    []float64 // the vector; for "cost" the log scalings on either side, for "plan" the scalings; for "row" and "distances" a vertex; for draws the vector of the product and, in turns, sources and numbers in [0,1)
}

// Multiplied is the part's share of the product: the shares of all parts are
// added ("log": in the log domain). For "cost" it is one number, for "plan" both products and then that. Of "row" and
// "distances" a part has some values, 0 and +Inf elsewhere. For draws it is, in turns, targets and distances.
type Multiplied struct {
	Values []float64
}
