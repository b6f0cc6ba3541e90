package scene

import (
	"genussink/core/session"
	"genussink/viewer/camera"
	"genussink/viewer/colormap"
)

// view is how the mesh is looked at and what a person wants to see of it.
type view struct {
	ViewState
	camera  *camera.Camera
	wasFlat bool // the mesh before lay in a plane
}

// theme is the palette.
func (v *view) theme() colormap.Theme {
	if v.Light {
		return colormap.Light
	}
	return colormap.Dark
}

// up turns the axis "x", "y" or "z" up, and says whether it is one.
func (v *view) up(axis string) bool {
	switch axis {
	case "x":
		v.camera.SetUp(camera.X)
	case "y":
		v.camera.SetUp(camera.Y)
	case "z":
		v.camera.SetUp(camera.Z)
	default:
		return false
	}
	v.Up = axis
	return true
}

// approach looks at a new mesh: from the present side or, at what lies in a plane, from above it.
func (v *view) approach(m *openMesh) {
	p := v.camera.Goal()
	switch {
	case m.flat:
		p.Yaw, p.Pitch, p.Up, v.Up = 0, 0, camera.Y, "y"
	case v.wasFlat:
		p.Yaw, p.Pitch = camera.Home().Yaw, camera.Home().Pitch
	}
	v.wasFlat = m.flat
	v.camera.Set(p.Fitted(m.Radius))
}

// resume looks at a new mesh from where a session's camera stands, else from the usual side.
func (v *view) resume(c *session.Camera, m *openMesh) {
	pose := camera.Home().Fitted(m.Radius)
	switch {
	case c != nil:
		pose = poseOf(c)
	case m.flat:
		pose = v.camera.Goal() // from above
	}
	v.camera.Set(pose)
	v.Orthographic = pose.Orthographic
	v.Up = string("xyz"[pose.Up])
}

func poseOf(c *session.Camera) camera.Pose {
	return camera.Pose{Yaw: c.Yaw, Pitch: c.Pitch, Size: c.Size, Target: c.Target, Orthographic: c.Orthographic, Up: camera.Axis(c.Up)}
}

// kept is the camera as a session has it.
func (v *view) kept() *session.Camera {
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
)

// Showing is what is on the screen. A legend lists this and nothing else.
type Showing struct {
	Fill      Fill
	Dots      bool   // the separators of FillSeparation, the bag, or the vertex that is eliminated with its neighbours
	Densities bool   // source and target lie over the fill
	Mass      Stance // mass lies over it too, unless AtRest
	Moving    Mass   // how
}

// showing is what is on the screen. A cell, a bag or an elimination that is looked at is there for its graph alone:
// densities and mass on the move would cover it.
func (v *view) showing(p *separation, w *treewidth, b *playback, painting bool) Showing {
	on := Showing{Densities: v.Densities, Moving: b.mass}
	switch {
	case w.elimination != nil:
		on.Fill = FillElimination
	case w.shown():
		on.Fill = FillBag
	case p.tree != nil && v.Split:
		on.Fill = FillSeparation
	}
	on.Dots = on.Fill != FillPlain
	if p.cell >= 0 || w.shown() {
		on.Densities = false
	} else if v.Flow {
		on.Mass = b.stance(painting)
	}
	return on
}
