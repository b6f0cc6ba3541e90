package scene

import (
	"math"
	"slices"

	"genussink/core/session"
	"genussink/viewer/camera"
)

// SectionState is a plane across which the mesh is cut. What lies between it and the eye is not shown.
type SectionState struct {
	Axis     string  `json:"axis"`     // that the plane is normal to: "x", "y", "z" or "view", the direction of view; "" no plane
	Position float64 `json:"position"` // along the mesh's extent in that direction, 0 to 1
}

// Section cuts the mesh across an axis at a position, which is clamped; the axis "" shows the whole mesh. Another name, and what is not a
// number, are ignored.
func (v *View) Section(axis string, position float64) {
	if axis != "" && !slices.Contains(session.Axes, axis) || math.IsNaN(position) {
		return
	}
	if to := (SectionState{axis, min(max(position, 0), 1)}); to != v.looks.Section {
		v.looks.Section = to
		v.changes.changed()
	}
}

// Lens is what the camera sees in a picture of so many pixels, with the section's plane.
func (s *Scene) Lens(width, height float64) camera.Lens {
	l := s.View.camera.Lens(width, height)
	on := s.View.looks.Section
	if on.Axis == "" || s.Mesh.Mesh == nil || s.Mesh.Graph() {
		return l
	}
	plane := camera.Plane{Normal: l.Forward}
	if on.Axis != "view" {
		plane.Normal = [3]float64{}
		plane.Normal[on.Axis[0]-'x'] = 1
	}
	low, high := math.Inf(1), math.Inf(-1)
	for v := range int32(s.Mesh.Vertices()) {
		at := plane.Behind(s.Mesh.point(v))
		low, high = min(low, at), max(high, at)
	}
	plane.Offset = low*(1-on.Position) + high*on.Position
	if plane.Behind(l.Eye) > 0 {
		for k := range plane.Normal {
			plane.Normal[k] = -plane.Normal[k]
		}
		plane.Offset = -plane.Offset
	}
	l.Section = plane
	return l
}
