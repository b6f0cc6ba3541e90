// Package scene is the one state of the page: the mesh, the quantities on it,
// what is being computed and what is being shown. A person's intents are
// methods, of the scene or of the sub-state that they concern. The engine's answers
// come in through Handle, what must be computed goes out through Outbox, and time passes in Tick. Nothing here waits, draws
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
	"genussink/viewer/camera"
	"genussink/viewer/colormap"
	"genussink/viewer/timeline"
)

// Tool is what a press of the pointer on the mesh does.
type Tool string

// The tools. Erase takes mass from both densities.
const (
	ToolNone    Tool = "none"    // orbit; a click focuses a vertex
	ToolSource  Tool = "source"  // paint the source density
	ToolTarget  Tool = "target"  // paint the target density
	ToolErase   Tool = "erase"   // take mass away
	ToolSmooth  Tool = "smooth"  // even both densities out
	ToolGoes    Tool = "goes"    // select vertices, and see where their share of the source goes
	ToolComes   Tool = "comes"   // select vertices, and see where their share of the target comes from
	ToolMeasure Tool = "measure" // two clicks measure a path
)

// Brush says whether the tool is a brush, that a press puts down on the mesh.
func (t Tool) Brush() bool {
	_, asks := asking[t]
	return asks || strokes[t] != ""
}

// Shape is what a brush covers.
type Shape string

// The shapes. A component or a cell is covered by one press, as thickly everywhere.
const (
	ShapeDisc      Shape = "disc"      // what lies within the radius
	ShapeComponent Shape = "component" // of the mesh
	ShapeCell      Shape = "cell"      // of the separator tree at the level shown, or the separator
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
	MinReach        = 0.01 // fraction of the diagonal, where masses may differ
	MaxReach        = 10
	MaxLevels       = 12   // of the separators that the methods tree and sampled go along, that can be asked for
	DefaultRadius   = 0.08 // brush, fraction of the diagonal
	MinRadius       = 0.002
	MaxRadius       = 0.5
	DefaultStrength = 0.7
	PlaySeconds     = 6.0  // from source to target at speed 1
	Particles       = 3000 // drawn from the plan
	topPartners     = 24   // of a hovered vertex
	settleSeconds   = 0.3  // from the last change to a new solve
	atOnce          = 1e-9 // likewise of the automatic method, which has nothing to wait for
	strokeParticles = 100  // drawn from a plan that the brush is about to change
	idleSeconds     = 0.4  // without anything under way, until the picture is made better
	easeSeconds     = 0.2  // of a change of colours
	jerkSeconds     = 0.05 // between frames, beyond which nothing eases
)

// Dot is a vertex drawn as a disc.
type Dot struct {
	Vertex int32
	Size   float32 // 1 is an ordinary dot
	Color  colormap.RGB
}

// Scene is the state. The zero value is not ready: use New. It takes what a person wants and what the engine
// answers to the sub-states that it is about, and does what concerns several of them. What concerns one alone is asked of that one:
// s.View.Smooth(true). A sub-state knows of no other one but by the arguments of its methods.
type Scene struct {
	changes
	clock float64 // seconds that have passed

	Mesh       OpenMesh
	Separation Separation
	Treewidth  Treewidth
	Densities  Densities
	Brush      Brush
	Query      Query
	Transport  Transport
	Barycentre Barycentre
	Benchmark  Benchmark
	Iterations Iterations
	Blocks     Blocks
	Matrix     Matrix
	Playback   Playback
	View       View
	Inspection Inspection
	flight     flight
	ledger     ledger
	task       Task
	shelf      map[Layer]shelved // what the legend took off the screen
	replaced   *replaced
	idled      float64       // seconds since anything was under way
	exported   *job.Exported // a file that nobody has taken yet; nil: none

	stage    string  // of what is under way
	fraction float64 // of the stage
	failure  string  // the last, a sentence; "": none
	status   string  // what was done last, a sentence
}

// New is a scene without a mesh. Open one first.
func New() *Scene {
	s := &Scene{task: TaskTransport}
	s.Transport = Transport{method: Automatic, epsilon: DefaultEpsilon, delta: DefaultDelta}
	s.Brush = Brush{changes: &s.changes, tool: ToolNone, shape: ShapeDisc, pressure: job.FullPressure, radius: DefaultRadius, strength: DefaultStrength}
	s.Playback = Playback{changes: &s.changes, line: timeline.Timeline{End: 1, Pace: PlaySeconds, Smooth: true, Loop: true}, mass: MassParticles}
	s.Separation.changes = &s.changes
	s.View = View{changes: &s.changes, looks: ViewState{Smooth: true, Up: "y", Densities: true, Flow: true, Section: SectionState{Position: 0.5}}, camera: camera.New(), radius: -1}
	s.Matrix.forget()
	s.Barycentre.reset()
	s.Separation.reset()
	s.Treewidth.reset()
	s.Brush.reset()
	s.Inspection.reset()
	return s
}

// changes are what whoever shows the scene has to look at again. The scene and its sub-states note them.
type changes struct {
	revision uint64 // of State
	overlay  uint64 // revision of dots, ring, path and markers
	colors   colors
}

// Revision changes whenever State would, apart from the playback position.
func (c *changes) Revision() uint64 { return c.revision }

// OverlayRevision changes with dots, markers, the ring and the path.
func (c *changes) OverlayRevision() uint64 { return c.overlay }

func (c *changes) changed() { c.revision++ }

func (c *changes) toggle(flag *bool, on bool) {
	if *flag != on {
		*flag = on
		c.changed()
	}
}

// recolor makes the colours anew before they are next asked for, easing into
// them if so wanted.
func (c *changes) recolor(ease bool) { c.colors.renew(ease) }

// Outbox takes what must be sent to the engine, in order.
func (s *Scene) Outbox() []job.Request {
	out := s.flight.outbox
	s.flight.outbox = nil
	return out
}

// set changes a number, clamped to a range, and says whether it did; what is not a number is ignored.
func set(number *float64, to, least, most float64) bool {
	to = min(max(to, least), most)
	if math.IsNaN(to) || to == *number {
		return false
	}
	*number = to
	return true
}

func finite(x float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0
	}
	return x
}
