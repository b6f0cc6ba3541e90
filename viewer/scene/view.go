package scene

import (
	"genussink/core/session"
	"genussink/viewer/camera"
	"genussink/viewer/colormap"
)

// View is how the mesh is looked at and what a person wants to see of it.
type View struct {
	changes *changes
	looks   ViewState
	camera  *camera.Camera
	spared  camera.Pose // see Spare
	radius  float64     // of the mesh, in view units; below 0 before the first
	wasFlat bool        // the mesh before lay in a plane
	taught  bool        // a lesson says what is shown
}

// Camera is the scene's camera; whoever moves it need tell nobody.
func (v *View) Camera() *camera.Camera { return v.camera }

// Looks is how the mesh is to be shown.
func (v *View) Looks() ViewState { return v.looks }

// Wireframe draws the edges.
func (v *View) Wireframe(on bool) { v.changes.toggle(&v.looks.Wireframe, on) }

// Hidden draws the lines that the mesh hides, dashed and faint.
func (v *View) Hidden(on bool) { v.changes.toggle(&v.looks.Hidden, on); v.changes.overlay++ }

// Smooth chooses smooth shading, else one normal per face.
func (v *View) Smooth(on bool) { v.changes.toggle(&v.looks.Smooth, on) }

// Split colours the mesh by its separation.
func (v *View) Split(on bool) { v.changes.toggle(&v.looks.Split, on); v.changes.recolor(true) }

// Densities lays source and target over the mesh.
func (v *View) Densities(on bool) { v.changes.toggle(&v.looks.Densities, on); v.changes.recolor(true) }

// Flow shows mass on the move.
func (v *View) Flow(on bool) { v.changes.toggle(&v.looks.Flow, on); v.changes.recolor(true) }

// Arrows shows the net flow of mass.
func (v *View) Arrows(on bool) { v.changes.toggle(&v.looks.Arrows, on); v.changes.overlay++ }

// ReducedMotion turns easing off and starts no playback by itself.
func (v *View) ReducedMotion(on bool) {
	v.changes.toggle(&v.looks.ReducedMotion, on)
	v.camera.Jump(on)
}

// Software says that the processor draws: what is drawn is taken from what is computed. Nothing eases then, and moving mass is
// drawn less often.
func (v *View) Software(on bool) { v.changes.toggle(&v.looks.Software, on) }

// Taught shows the split, or densities and mass, as a lesson has them, over whatever else a person looks at. When the lesson ends, what the person looked at is shown again.
func (v *View) Taught(on bool) {
	v.taught = on
	v.changes.recolor(true)
	v.changes.changed()
}

// Light chooses the ground: light, else dark.
func (v *View) Light(on bool) {
	v.changes.toggle(&v.looks.Light, on)
	v.changes.recolor(false)
}

// Orthographic chooses the projection, else perspective.
func (v *View) Orthographic(on bool) {
	v.looks.Orthographic = on
	v.camera.SetOrthographic(on)
	v.changes.changed()
}

// Spare shows the whole mesh above what covers the lower part of the picture, or in all of it where covered is 0, unless somebody has moved the
// camera. Sizes are in pixels.
func (v *View) Spare(width, height, covered float64) {
	goal := v.camera.Goal()
	if v.radius < 0 || goal != goal.Fitted(v.radius) && goal != v.spared {
		return
	}
	v.spared = goal.Above(v.radius, width, height, covered)
	v.camera.Ease(v.spared)
}

// Fit shows the whole mesh.
func (v *View) Fit() {
	if v.radius >= 0 {
		v.camera.Fit(v.radius)
	}
}

// Theme is that which the picture is drawn in.
func (v *View) Theme() colormap.Theme {
	if v.looks.Light {
		return colormap.Light
	}
	return colormap.Dark
}

// Up turns the axis "x", "y" or "z" up; another name is ignored.
func (v *View) Up(axis string) {
	switch axis {
	case "x":
		v.camera.SetUp(camera.X)
	case "y":
		v.camera.SetUp(camera.Y)
	case "z":
		v.camera.SetUp(camera.Z)
	default:
		return
	}
	v.looks.Up = axis
	v.changes.changed()
}

// approach looks at a new mesh: from the present side or, at what lies in a plane, from above it.
func (v *View) approach(m *OpenMesh) {
	p := v.camera.Goal()
	switch {
	case m.flat:
		p.Yaw, p.Pitch, p.Up, v.looks.Up = 0, 0, camera.Y, "y"
	case v.wasFlat:
		p.Yaw, p.Pitch = camera.Home().Yaw, camera.Home().Pitch
	}
	v.wasFlat, v.radius = m.flat, m.Radius
	v.camera.Set(p.Fitted(m.Radius))
}

// resume looks at a new mesh from where a session's camera stands, else from the usual side.
func (v *View) resume(c *session.Camera, m *OpenMesh) {
	pose := camera.Home().Fitted(m.Radius)
	switch {
	case c != nil:
		pose = poseOf(c)
	case m.flat:
		pose = v.camera.Goal() // from above
	}
	v.camera.Set(pose)
	v.looks.Orthographic = pose.Orthographic
	v.looks.Up = string("xyz"[pose.Up])
}

func poseOf(c *session.Camera) camera.Pose {
	return camera.Pose{Yaw: c.Yaw, Pitch: c.Pitch, Size: c.Size, Target: c.Target, Orthographic: c.Orthographic, Up: camera.Axis(c.Up)}
}

// kept is the camera as a session has it.
func (v *View) kept() *session.Camera {
	p := v.camera.Goal()
	return &session.Camera{Yaw: p.Yaw, Pitch: p.Pitch, Size: p.Size, Target: p.Target, Orthographic: p.Orthographic, Up: int(p.Up)}
}

// Fill is what the surface's colours mean: one thing at a time.
type Fill int

// The meanings.
const (
	FillPlain       Fill = iota // nothing
	FillSeparation              // the cells of the separator tree at a level
	FillBag                     // the components that a bag leaves
	FillElimination             // which vertices are eliminated
	FillField                   // a number of every vertex
	FillQuery                   // vertices that are asked about, and where their mass goes or comes from
)

// Showing is what is on the screen. A legend lists this and nothing else.
type Showing struct {
	Fill      Fill
	Dots      bool   // the separators of FillSeparation, the bag, or the vertex that is eliminated with its neighbours
	Hairline  bool   // the separators are thin lines over another fill
	Densities bool   // source and target lie over the fill
	Outlines  bool   // source and target are isolines over FillSeparation
	Mass      Stance // mass lies over it too, unless AtRest
	Moving    Mass   // how
	Arrows    bool   // so does the net flow
	Change    bool   // destroyed and created mass lies over the fill, and nothing else
	Between   bool   // likewise the barycentre
}

// showing is what is on the screen during a task. A field, a cell, a bag or an elimination that is looked at is there for its graph alone:
// densities and mass on the move would cover it. Cells are filled where separators are the task: densities are outlines there. Elsewhere
// densities are filled, and separators are lines.
func (v *View) showing(task Task, p *Separation, w *Treewidth, b *Playback, i *Inspection, q *Query, t *Transport, painting bool) Showing {
	on := Showing{Densities: v.looks.Densities, Moving: b.mass, Arrows: v.looks.Arrows && b.flow != nil}
	switch {
	case v.taught:
		if p.tree != nil && v.looks.Split {
			on.Fill = FillSeparation
		}
	case i.values != nil:
		return Showing{Fill: FillField, Moving: b.mass}
	case q.shown():
		return Showing{Fill: FillQuery, Moving: b.mass}
	case t.margins.shown && t.margins.mass[sourceSide] != nil:
		return Showing{Change: true, Moving: b.mass}
	case w.elimination != nil:
		on.Fill = FillElimination
	case w.shown():
		on.Fill = FillBag
	case p.tree != nil && v.looks.Split && (task == TaskSeparators || p.cell >= 0):
		on.Fill = FillSeparation
		on.Densities, on.Outlines, on.Moving = false, v.looks.Densities, MassParticles
	case p.tree != nil && v.looks.Split:
		on.Hairline = true
	}
	on.Dots = on.Fill != FillPlain || on.Hairline
	if !v.taught && (p.cell >= 0 || w.shown()) {
		on.Densities, on.Outlines, on.Arrows = false, false, false
	} else if v.looks.Flow {
		on.Mass = b.stance(painting)
	}
	return on
}
