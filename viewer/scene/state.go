package scene

import (
	"encoding/json"
	"math"

	"genussink/core/job"
)

// Phase is what the page is about, in one word.
type Phase string

// The phases, the first that fits in this order: error, loading, computing,
// playing, ready.
const (
	PhaseLoading   Phase = "loading"   // a mesh is being opened, or none is open yet
	PhaseReady     Phase = "ready"     // nothing is going on
	PhaseComputing Phase = "computing" // there is something under way that a person waits for
	PhasePlaying   Phase = "playing"   // mass is on the move
	PhaseError     Phase = "error"     // the last thing asked for failed, see State.Error
)

// State is everything that the panel and a script may want to know, as plain
// data that marshals to JSON. Infinite and undefined numbers are never in it.
type State struct {
	Revision   uint64          `json:"revision"`
	Phase      Phase           `json:"phase"`
	Ready      bool            `json:"ready"`    // a mesh is shown and can be worked with, whatever the phase
	Status     string          `json:"status"`   // one sentence for the status line
	Error      string          `json:"error"`    // one sentence for the alert, "" when all is well
	Stage      string          `json:"stage"`    // of the job under way: "open", "tree", "solve", ...
	Fraction   float64         `json:"fraction"` // of the stage, 0 to 1
	Mesh       MeshState       `json:"mesh"`
	Separation SeparationState `json:"separation"`
	Treewidth  TreewidthState  `json:"treewidth"`
	Densities  DensitiesState  `json:"densities"`
	Query      *QueryState     `json:"query"` // null while nothing is asked
	Transport  TransportState  `json:"transport"`
	Barycentre BarycentreState `json:"barycentre"`
	Playback   PlaybackState   `json:"playback"`
	View       ViewState       `json:"view"`
	Hover      *HoverState     `json:"hover"` // nil when the pointer is on no vertex and none is focused
	Legend     []LegendEntry   `json:"legend"`
	Paths      []PathState     `json:"paths"`   // that were measured, or are to be
	Removed    int             `json:"removed"` // steps in which paths were taken away, that can be brought back
	Findings   FindingsState   `json:"findings"`
	Field      FieldState      `json:"field"`
	Repairs    []RepairState   `json:"repairs"`  // of the mesh, in order
	Pick       *PickState      `json:"pick"`     // nil when nothing was clicked
	Replaced   string          `json:"replaced"` // the mesh that GoBack opens again, "" where there is none
	Task       Task            `json:"task"`
	Exporting  bool            `json:"exporting"` // a file is being written
	Timings    []StageState    `json:"timings"`   // every stage since the mesh was opened, in the order in which they first came
	Frame      FrameState      `json:"frame"`     // filled in by viewer/app
}

// MeshState is the mesh that is shown.
type MeshState struct {
	Name                string   `json:"name"`
	Format              string   `json:"format"`
	Unit                string   `json:"unit"` // what one mesh unit is, in words; "": nobody has said
	Vertices            int      `json:"vertices"`
	Faces               int      `json:"faces"`
	Edges               int      `json:"edges"`
	Genus               int      `json:"genus"`
	Euler               int      `json:"euler"`
	Components          int      `json:"components"`
	BoundaryLoops       int      `json:"boundaryLoops"`
	NonmanifoldEdges    int      `json:"nonmanifoldEdges"`
	NonmanifoldVertices int      `json:"nonmanifoldVertices"`
	DegenerateFaces     int      `json:"degenerateFaces"`
	IsolatedVertices    int      `json:"isolatedVertices"`
	EdgeMin             float64  `json:"edgeMin"` // mesh units, as the next three
	EdgeMean            float64  `json:"edgeMean"`
	EdgeMax             float64  `json:"edgeMax"`
	Diagonal            float64  `json:"diagonal"`
	Examined            bool     `json:"examined"` // its topology is known: all but the first four, and the diagonal, wait for that
	Watertight          bool     `json:"watertight"`
	Oriented            bool     `json:"oriented"`
	Warnings            []string `json:"warnings"`
	Reference           string   `json:"reference"` // what a shared link names it by, "" for a local file
	Graph               bool     `json:"graph"`     // it has no faces and is drawn as a node-link picture
	Flat                bool     `json:"flat"`      // it lies in a plane
	Laid                bool     `json:"laid"`      // its places are not the file's: they were computed
	Shaded              bool     `json:"shaded"`    // creases and hollows are shown
}

// FindingsState is what is wrong with the mesh. See Inspection.Defect for the defects themselves.
type FindingsState struct {
	Running bool   `json:"running"`
	Known   bool   `json:"known"`
	Counts  []int  `json:"counts"` // by Defect; empty before they are known
	Shown   bool   `json:"shown"`  // all are drawn
	Kind    Defect `json:"kind"`   // of the one that is looked at
	Item    int    `json:"item"`   // its number among its kind, -1 none
}

// FieldState is the number of every vertex that colours the mesh. See Inspection.Values for the numbers.
type FieldState struct {
	Name    Field   `json:"name"`    // asked for, "" none
	Shown   bool    `json:"shown"`   // its values are there
	Missing string  `json:"missing"` // a sentence that says why there are no values; "" where there are
	From    float64 `json:"from"`    // the values at the ends of the colours
	To      float64 `json:"to"`
	Least   float64 `json:"least"` // of all values that are finite
	Most    float64 `json:"most"`
	Without int     `json:"without"` // vertices without a value
	Vertex  int32   `json:"vertex"`  // from which distances are measured, -1 none

	Front FrontState `json:"front"` // of distances
}

// SeparationState is the separator tree, level by level. Level L shows the
// splits of all nodes at depths 0 to L, so that level 0 is the root's split.
type SeparationState struct {
	Finder  string       `json:"finder"`  // the one asked for, "" the default
	Used    string       `json:"used"`    // the one that made the tree
	Balance float64      `json:"balance"` // no side has more than 1-balance of the vertices, as asked for; 0 the default, a third
	Level   int          `json:"level"`   // shown, 0 to len(Levels)-1
	Playing bool         `json:"playing"` // level after level is shown
	Levels  []LevelState `json:"levels"`
	Nodes   int          `json:"nodes"`
	Cell    int          `json:"cell"`    // the node in focus, -1 none
	Seconds float64      `json:"seconds"` // that the tree took, 0 where it was at hand
	Swept   bool         `json:"swept"`   // the list of cuts has been asked for and is there
	Cuts    []CutState   `json:"cuts"`    // the Pareto list: the smallest separator first, each further one larger and better balanced
	Taken   int          `json:"taken"`   // the cut at the root, -1 the finder's own
}

// CutState is one separation of the Pareto list.
type CutState struct {
	A int `json:"a"`
	S int `json:"s"`
	B int `json:"b"`
}

// TreewidthState is what is known of the treewidth, and what of it is shown on
// the mesh: a bag, or an elimination order step by step.
type TreewidthState struct {
	Running bool    `json:"running"`
	Known   bool    `json:"known"` // there are bounds
	Lower   int     `json:"lower"`
	Upper   int     `json:"upper"`
	Exact   bool    `json:"exact"`   // proved: the bounds are equal
	Status  string  `json:"status"`  // of the search that ended: "exact", "time", "bounds", "cancelled", or "file": it is a file’s; "" before
	Stage   string  `json:"stage"`   // of the search that runs
	Seconds float64 `json:"seconds"` // since it began

	Bags     int     `json:"bags"`
	Widest   int     `json:"widest"`   // a bag of the largest size, -1 without bags
	Centroid int     `json:"centroid"` // the centroid bag, -1 without bags
	Shown    int     `json:"shown"`    // the bag on the mesh, -1 none
	Pointed  int     `json:"pointed"`  // the bag pointed at in the tree of bags, -1 none
	BagSize  int     `json:"bagSize"`  // of the bag shown
	Bag      []int32 `json:"bag"`      // its vertices
	Parts    []int   `json:"parts"`    // vertices in the components that it leaves, the largest first

	Elimination EliminationState `json:"elimination"`
}

// EliminationState is the elimination order, step by step.
type EliminationState struct {
	Available bool  `json:"available"` // the graph is small enough to watch
	Shown     bool  `json:"shown"`
	Playing   bool  `json:"playing"`
	Step      int   `json:"step"` // vertices eliminated so far
	Steps     int   `json:"steps"`
	Vertex    int32 `json:"vertex"` // eliminated last, -1 at the start
	Bag       int   `json:"bag"`    // that holds it and its neighbours, -1 at the start
	Degree    int   `json:"degree"` // of it, when it was eliminated
	Added     int   `json:"added"`  // fill edges that it added
	Fill      int   `json:"fill"`   // fill edges so far
	Width     int   `json:"width"`  // the largest degree so far
}

// LevelState sums over the tree's inner nodes at one depth.
type LevelState struct {
	Level int `json:"level"`
	Nodes int `json:"nodes"`
	A     int `json:"a"`    // vertices left of a separator
	S     int `json:"s"`    // vertices in a separator
	B     int `json:"b"`    // vertices right of a separator
	MaxS  int `json:"maxS"` // the largest separator
}

// DensitiesState is the pair of densities and the brush.
type DensitiesState struct {
	Preset    string  `json:"preset"`     // the last preset, "" once painted over
	Source    float64 `json:"sourceMass"` // before the engine's normalisation
	Target    float64 `json:"targetMass"`
	SourceN   int     `json:"sourceVertices"` // vertices with mass
	TargetN   int     `json:"targetVertices"`
	SourceMax float64 `json:"sourceMax"` // largest value on a vertex: the colour bar's end
	TargetMax float64 `json:"targetMax"`
	Tool      Tool    `json:"tool"`
	Radius    float64 `json:"brushRadius"`   // fraction of the diagonal
	Strength  float64 `json:"brushStrength"` // 0 to 1
	Shape     Shape   `json:"brushShape"`
	Symmetry  string  `json:"symmetry"` // the axis across which the mesh mirrors onto itself: "x", "y" or "z"; "" none, or not known yet
	Mirrored  bool    `json:"mirrored"` // strokes are mirrored there
	Stroke    bool    `json:"stroke"`   // the brush is down, or its last dabs are not back yet
	Undo      int     `json:"undo"`     // steps that can be undone
	Redo      int     `json:"redo"`

	Components string        `json:"components"` // of several, which presets put mass in: "each" or "largest"
	Count      int           `json:"count"`      // of components, isolated vertices included
	Note       string        `json:"note"`       // how a preset or a balancing dealt mass to several components, "" for one and once painted over
	Unequal    *UnequalState `json:"unequal"`    // null while every component has as much of the source as of the target
}

// QueryState is a question on the plan: where the mass of some vertices goes, or comes from.
type QueryState struct {
	Target   bool    `json:"target"`   // the question is where the target's mass at them comes from; else it is where the source's mass goes
	Vertices int     `json:"vertices"` // that are selected
	Share    float64 `json:"share"`    // of all of the density's mass
	Known    bool    `json:"known"`    // the answer is there
	Mass     float64 `json:"mass"`     // that the plan moves from or to them, of 1 in all
	Most     int     `json:"most"`     // the fewest vertices that nine tenths of it lie on
}

// UnequalState says where source and target have different masses, between which
// none can move.
type UnequalState struct {
	Count      int     `json:"count"`      // components in which they differ
	Components int     `json:"components"` // in all
	Component  int     `json:"component"`  // in which they differ most, numbered from 0 in the order of their first vertices
	Vertex     int32   `json:"vertex"`     // its first
	Vertices   int     `json:"vertices"`   // in it
	Source     float64 `json:"source"`     // its share of all of the source's mass, 0 to 1
	Target     float64 `json:"target"`
	Mendable   bool    `json:"mendable"` // some component has mass of both, so that BalanceMasses leaves some
}

// TransportState is the problem's settings and the last answer.
type TransportState struct {
	Method     string          `json:"method"`
	Epsilon    float64         `json:"epsilon"` // fraction of the diagonal
	Delta      float64         `json:"delta"`   // fraction of the diagonal, for the methods "certified" and "embedded"
	Levels     int             `json:"levels"`  // most levels of separators, for the methods "tree" and "sampled": the paper's depth h; 0: until pieces are small
	Kernel     string          `json:"kernel"`  // the function of distance over epsilon, as the tool's -kernel
	Reach      float64         `json:"reach"`   // unbalanced, fraction of the diagonal: how far mass moves rather than be destroyed and created; 0: balanced
	Debias     bool            `json:"debias"`  // the divergence is found too
	Profile    *ProfileState   `json:"profile"` // of that function; null before it is asked for
	Yielded    bool            `json:"yielded"` // automatic was chosen, and the method has its place while a kernel, a reach or the divergence needs it
	Refusal    string          `json:"refusal"` // why no solve takes that function, a sentence; "" where nothing is known against it
	Solving    bool            `json:"solving"`
	Refining   bool            `json:"refining"` // behind a quick answer a more exact one is under way
	Stale      bool            `json:"stale"`    // densities or settings changed after the result
	Forecast   *ForecastState  `json:"forecast"` // what waits for a word, since it would take long or too much memory; nil: nothing
	Result     *ResultState    `json:"result"`   // nil before the first
	Iterations IterationsState `json:"iterations"`
	Block      BlockState      `json:"block"`
	Matrix     MatrixState     `json:"matrix"`
	Comparison ComparisonState `json:"comparison"` // what methods took at this epsilon, beside dense
	Benchmark  BenchmarkState  `json:"benchmark"`  // what the methods of the paper take, each from nothing
}

// ProfileState is a function of distance, beside a sample of the mesh's distances: see job.Profiled. Lengths are in mesh units.
type ProfileState struct {
	Rows    int       `json:"rows"`
	Longest float64   `json:"longest"`
	Pairs   []int32   `json:"pairs"`
	Values  []float64 `json:"values"`
	Tenth   Number    `json:"tenth"`
	Nearer  Number    `json:"nearer"`
}

// ResultState is the evidence of the last solve: see job.Solved.
type ResultState struct {
	job.Solution
	Method           string         `json:"method"`
	Requested        string         `json:"requestedMethod"` // where another method was taken, else ""
	Note             string         `json:"note"`            // why
	Kernel           string         `json:"kernel"`
	KernelError      float64        `json:"kernelError"` // proved: by what share of itself the function may be off; 0 of exp
	Epsilon          float64        `json:"epsilon"`     // mesh units
	Reach            float64        `json:"reach"`       // mesh units; 0: balanced
	Destroyed        float64        `json:"destroyed"`   // with a reach: share of the source's mass; the source without it and with Created is the target
	Created          float64        `json:"created"`
	RootMeanSquare   Number         `json:"rootMeanSquare"`   // mesh units: the root of <P, D^2>; null but of squared distance
	Divergence       Number         `json:"divergence"`       // mesh units: the entropic cost, debiased; null where it was not asked for
	DivergenceWithin Number         `json:"divergenceWithin"` // the divergence is wrong by at most this; null: nothing is proved
	Estimate         *job.Estimated `json:"estimate"`         // of quantized: what the exact plan would cost; null where there is none
	Representatives  int            `json:"representatives"`  // of quantized: cells that the mass was gathered in; else 0
	LowerBound       Number         `json:"lowerBound"`
	Precision        string         `json:"precision"` // how distances are kept: float64 or float32
	Delta            Number         `json:"delta"`     // mesh units: by how much a distance was allowed to be wrong
	Depth            int            `json:"depth"`     // levels of separators in the tree that products go along, -1 of methods that have none
	Bound            Number         `json:"bound"`     // mesh units, proved: by how much a distance may be wrong, and with it the optimum
	Polished         *Polished      `json:"polished"`  // null before it is asked for, and of methods whose cost is on true distances
	Accuracy         job.Accuracy   `json:"accuracy"`
	MemoryBytes      int64          `json:"memoryBytes"`
	DenseBytes       int64          `json:"denseBytes"`
	DenseSeconds     float64        `json:"denseSeconds"`
	Threads          int            `json:"threads"`
	SolvedVertices   int            `json:"vertices"`
	SolvedEdges      int            `json:"edges"`
	Seconds          float64        `json:"seconds"` // the sum of the timings
	Timings          []Timing       `json:"timings"`
}

// Polished is what the plan costs on true distances, mesh units.
type Polished struct {
	job.Estimate
	Why      string `json:"why"`      // in words, why there is none: then the rest says nothing
	Refining bool   `json:"refining"` // the interval still narrows
}

// PlaybackState is the animation of mass.
type PlaybackState struct {
	Available bool    `json:"available"`
	Playing   bool    `json:"playing"`
	Position  float64 `json:"position"` // 0 at the source, 1 at the target
	Speed     float64 `json:"speed"`    // 1 takes PlaySeconds
	Loop      bool    `json:"loop"`
	Particles int     `json:"particles"` // whose paths are there
	Mass      Mass    `json:"mass"`

	// From the solve's end to the first frame with paths of its plan, and to the
	// first with all of them; nil until then.
	FirstParticlesMs *float64 `json:"firstParticlesMs"`
	AllParticlesMs   *float64 `json:"allParticlesMs"`
	FirstMoveMs      *float64 `json:"firstMoveMs"` // from the mesh file's being read to the first frame with mass on the move; nil until then
}

// Task is what a person is about: the panel shows its controls, and the mesh what it is about.
type Task string

// The tasks.
const (
	TaskTransport  Task = "transport"
	TaskSeparators Task = "separators"
	TaskTreewidth  Task = "treewidth"
	TaskInspect    Task = "inspect"
)

// ViewState is how the mesh is shown.
type ViewState struct {
	Wireframe     bool         `json:"wireframe"`
	Hidden        bool         `json:"hidden"` // lines that the mesh hides are drawn too, dashed and faint
	Smooth        bool         `json:"smooth"` // smooth shading, else one normal per face
	Orthographic  bool         `json:"orthographic"`
	Up            string       `json:"up"` // "x", "y" or "z"
	Split         bool         `json:"split"`
	Densities     bool         `json:"densities"`
	Flow          bool         `json:"flow"`
	Arrows        bool         `json:"arrows"` // the net flow of mass
	Light         bool         `json:"light"`  // the light theme
	ReducedMotion bool         `json:"reducedMotion"`
	Software      bool         `json:"software"` // the processor draws
	Section       SectionState `json:"section"`
}

// HoverState is the vertex under the pointer, or the focused one.
type HoverState struct {
	Vertex   int32          `json:"vertex"`
	Focused  bool           `json:"focused"`
	Source   float64        `json:"source"` // share of the source's mass at the vertex
	Target   float64        `json:"target"`
	Side     string         `json:"side"` // "A", "S", "B" of the cell's split, or "leaf"
	Node     int            `json:"node"` // the tree's node there at the shown level, -1 without a tree
	Depth    int            `json:"depth"`
	A        int            `json:"a"` // that node's split
	S        int            `json:"s"`
	B        int            `json:"b"`
	Partners []PartnerState `json:"partners"` // where its mass goes, most first
	Total    float64        `json:"total"`    // its whole mass in the plan
}

// PartnerState is a vertex and the mass that goes to it.
type PartnerState struct {
	Vertex int32   `json:"vertex"`
	Mass   float64 `json:"mass"`
}

// Timing is what one stage took.
type Timing struct {
	Stage   string  `json:"stage"`
	Seconds float64 `json:"seconds"`
}

// FrameState is the cost of drawing, main-thread milliseconds in Update and
// Draw over the last frames, GPU work apart.
type FrameState struct {
	Median float64 `json:"medianMs"` // over frames in which the mesh was redrawn
	Worst  float64 `json:"worstMs"`
	Idle   float64 `json:"idleMs"`  // median over frames in which it was not
	Frames int     `json:"frames"`  // frames since the page opened
	Shown  int     `json:"shown"`   // of them, those in which anything was drawn: where all is as it was, nothing is
	Redraw int     `json:"redraws"` // of them, those in which the mesh was redrawn
	Mode   string  `json:"mode"`    // "depth" or "painter"
}

// Number is one that may have no value: NaN here, null in JSON.
type Number float64

// Known says whether it has a value.
func (x Number) Known() bool { return !math.IsNaN(float64(x)) && !math.IsInf(float64(x), 0) }

// MarshalJSON writes null where there is no value.
func (x Number) MarshalJSON() ([]byte, error) {
	if !x.Known() {
		return []byte("null"), nil
	}
	return json.Marshal(float64(x))
}

// UnmarshalJSON is the inverse of MarshalJSON.
func (x *Number) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*x = Number(math.NaN())
		return nil
	}
	return json.Unmarshal(text, (*float64)(x))
}

func timings(list []job.Timing) []Timing {
	out := make([]Timing, 0, len(list))
	for _, t := range list {
		out = append(out, Timing{Stage: t.Stage, Seconds: finite(t.Seconds)})
	}
	return out
}
