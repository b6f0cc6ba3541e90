// Package scene is the one state of the page: the mesh, the quantities on it,
// what is being computed and what is being shown. A person's intents are
// methods, the engine's answers come in through Handle, what must be computed
// goes out through Outbox, and time passes in Tick. Nothing here waits, draws
// or starts a goroutine, so one thread may call everything in any order.
//
// The page's loop: on each frame call Tick, send everything in Outbox to the
// engine, pass every answer to Handle, draw; when Revision has changed, fill
// the panel from State. Requests must reach one engine in order, except
// Brush, Partners and Distance, which any engine that has the same mesh (and
// plan) may answer. Whoever replaces a crashed engine must first tell it the
// mesh that was opened last.
package scene

import (
	"math"

	"genussink/core/job"
	"genussink/core/session"
	"genussink/viewer/camera"
	"genussink/viewer/colormap"
)

// Tool is what a press of the pointer on the mesh does.
type Tool string

// The tools. Erase takes mass from both densities.
const (
	ToolNone    Tool = "none"    // orbit; a click focuses a vertex
	ToolSource  Tool = "source"  // paint the source density
	ToolTarget  Tool = "target"  // paint the target density
	ToolErase   Tool = "erase"   // take mass away
	ToolMeasure Tool = "measure" // two clicks measure a path
)

// Mass is how mass on the move is shown.
type Mass string

// Mass on the move is shown as particles or as a density on the vertices.
const (
	MassParticles Mass = "particles"
	MassDensity   Mass = "density"
)

// Limits and defaults of the settings.
const (
	DefaultEpsilon  = 0.01 // fraction of the diagonal
	MinEpsilon      = 1e-4
	MaxEpsilon      = 1
	DefaultDelta    = 0.01 // fraction of the diagonal
	MinDelta        = 1e-4
	MaxDelta        = 0.1
	DefaultRadius   = 0.08 // brush, fraction of the diagonal
	MinRadius       = 0.002
	MaxRadius       = 0.5
	DefaultStrength = 0.7
	PlaySeconds     = 6.0 // from source to target at speed 1
	MinSpeed        = 0.05
	MaxSpeed        = 8
	Particles       = 3000 // drawn from the plan
	topPartners     = 24   // of a hovered vertex
	settleSeconds   = 0.3  // from the last change to a new solve
	atOnce          = 1e-9 // likewise of the automatic method, which has nothing to wait for
	strokeParticles = 100  // drawn from a plan that the brush is about to change
	easeSeconds     = 0.18 // of a change of colours
	jerkSeconds     = 0.05 // between frames, beyond which nothing eases
)

// Mesh is the mesh that is shown, in view units: the bounding box is centred
// at the origin and has a half diagonal of 1.
type Mesh struct {
	Points   []float32 // 3 per vertex
	Faces    []int32   // 3 per face
	Normals  []float32 // 3 per vertex, unit, 0 for an isolated vertex
	Center   [3]float64
	HalfDiag float64 // mesh units in one view unit
	Radius   float64 // of the farthest vertex from the origin, view units
	edges    []int32 // see Edges
	faceAt   []int32 // vertex v lies in the faces incident[faceAt[v]:faceAt[v+1]]; see incidence
	incident []int32
}

// Vertices is the number of vertices.
func (m *Mesh) Vertices() int { return len(m.Points) / 3 }

// Dot is a vertex drawn as a disc.
type Dot struct {
	Vertex int32
	Size   float32 // 1 is an ordinary dot
	Color  colormap.RGB
}

// Scene is the state. The zero value is not ready: use New.
type Scene struct {
	revision uint64 // of State
	colorRev uint64 // of Colors
	overRev  uint64 // of dots, ring, path and markers
	meshRev  uint64 // of Mesh

	outbox  []job.Request
	lastID  uint32
	pending map[uint32]job.Body // in flight: id -> what was asked
	retried map[string]bool     // what a Worker has died of since the person last asked for something

	mesh     *Mesh
	meta     MeshState
	source   openSource // where the mesh came from
	load     *job.Load  // what opened it, nil for a generated one
	openFrom openSource
	openLoad *job.Load
	odd      []string          // what of a link could not be shown, sentences
	linked   int               // the link's separator level until the tree is there
	wasFlat  bool              // the mesh before lay in a plane
	painting *session.Painting // that is being made anew

	cam   *camera.Camera
	view  ViewState
	theme colormap.Theme

	sep     *job.Separated
	levels  []LevelState
	level   int
	finder  string
	balance float64 // no side has more than 1-balance of the vertices; 0 the default, a third
	cell    int32   // the tree's node in focus, -1 none
	swept   *job.Swept
	taken   int         // the cut of swept that is the root's separation, -1 none
	wanted  session.Cut // the cut that a link asks for, until the list is there; zero: none
	study   study

	dens       densities
	components components
	brush      brush
	flight     flight
	later      bool       // the separator tree waits: for mass to move where the method is automatic, otherwise for the picture
	drawn      uint64     // revision of the mesh in the picture
	refined    bool       // what comes behind the quick answer has been asked for
	exact      *job.Solve // the last that was asked behind a quick answer; nil: none of this problem

	forecast  *ForecastState // nil: nothing waits for a word
	result    *ResultState
	stale     bool
	transport TransportState
	settle    float64 // seconds until a solve by itself, 0 when none is due

	play  play
	clock float64 // seconds that have passed

	hover, focus   int32 // -1 none
	partners       *job.Partnered
	partnerWant    int32
	partnerPending bool

	path     *PathState
	pathLine []int32

	colors colors

	stage      string
	fraction   float64
	failure    string
	status     string
	ledger     ledger
	comparison comparison
	solvedAs   *job.Solve // what the result answers
}

// New is a scene without a mesh. Open one first.
func New() *Scene {
	s := &Scene{
		pending:   map[uint32]job.Body{},
		retried:   map[string]bool{},
		cam:       camera.New(),
		view:      ViewState{Smooth: true, Up: "y", Split: true, Densities: true, Flow: true},
		transport: TransportState{Method: Automatic, Epsilon: DefaultEpsilon, Delta: DefaultDelta},
		hover:     -1, focus: -1, partnerWant: -1, cell: -1, taken: -1,
	}
	s.brush.tool, s.brush.radius, s.brush.strength = ToolNone, DefaultRadius, DefaultStrength
	s.brush.preview = -1
	s.study.reset()
	s.play.speed, s.play.loop, s.play.mass = 1, true, MassParticles
	return s
}

// Revision changes whenever State would, apart from the playback position.
func (s *Scene) Revision() uint64 { return s.revision }

// Camera is the scene's camera; whoever moves it need tell nobody.
func (s *Scene) Camera() *camera.Camera { return s.cam }

// Mesh is the mesh to draw, nil before the first. It must not be changed.
func (s *Scene) Mesh() *Mesh { return s.mesh }

// Closed promises that whatever of the mesh faces away is hidden: one closed
// and oriented component. Before the mesh is examined it promises nothing.
func (s *Scene) Closed() bool {
	return s.meta.Tight && s.meta.Oriented && s.meta.Pieces == 1
}

// Flat says whether the mesh lies in a plane.
func (s *Scene) Flat() bool { return s.meta.Flat }

// MeshRevision changes with the mesh.
func (s *Scene) MeshRevision() uint64 { return s.meshRev }

// Outbox takes what must be sent to the engine, in order.
func (s *Scene) Outbox() []job.Request {
	out := s.outbox
	s.outbox = nil
	return out
}

// Position is the playback position, 0 at the source, 1 at the target: the
// one part of State that changes without a new revision.
func (s *Scene) Position() float64 { return s.play.position }

// ColorTheme is the theme that the picture is drawn in.
func (s *Scene) ColorTheme() colormap.Theme { return s.theme }

// Looks is how the mesh is to be shown.
func (s *Scene) Looks() ViewState { return s.view }

// Tool is the tool in hand.
func (s *Scene) Tool() Tool { return s.brush.tool }

func (s *Scene) changed() { s.revision++ }

// send queues a request and remembers it until its final event.
func (s *Scene) send(body job.Body) uint32 {
	s.lastID++
	if s.lastID == 0 { // ids may wrap, 0 means none
		s.lastID++
	}
	s.pending[s.lastID] = body
	s.outbox = append(s.outbox, job.Request{ID: s.lastID, Body: body})
	s.changed()
	return s.lastID
}

// drop forgets a request in flight and asks the engine to stop it.
func (s *Scene) drop(id uint32) {
	if id == 0 {
		return
	}
	if _, ok := s.pending[id]; !ok {
		return
	}
	delete(s.pending, id)
	s.lastID++
	s.outbox = append(s.outbox, job.Request{ID: s.lastID, Body: &job.Cancel{Request: id}})
	s.changed()
}

func finite(x float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0
	}
	return x
}
