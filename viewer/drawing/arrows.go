package drawing

import (
	"math"

	"genussink/viewer/camera"
	"genussink/viewer/colormap"
	"genussink/viewer/raster"
	"genussink/viewer/scene"
)

// slant is the cosine to the line of sight below which an arrow is left out: it is drawn straight, and near an outline would leave the surface.
const slant = 0.25

// arrows draws the net flow: a shaft and a head each, with a dark outline, a little above the surface.
func (d *Drawing) arrows(b *raster.Batch, lens *camera.Lens, pixel float64) {
	dark := colormap.Moving().LCh()
	dark.L, dark.C = 0.22, 0.04
	passes := [...]struct {
		color colormap.RGB
		more  float64 // width
	}{{dark.RGB(), 2 * 1.4 * pixel}, {colormap.Moving(), 0}}
	for _, a := range d.scene.Arrows() {
		sight, facing := d.sight(lens, a)
		if d.scene.Mesh.Closed() && facing < slant {
			continue
		}
		above := 0.12 * a.Length
		if facing < 0 { // the far side of an open surface
			above = -above
		}
		at := raised([]float32{a.At[0], a.At[1], a.At[2], a.Normal[0], a.Normal[1], a.Normal[2]}, above)
		// Both barbs lie across the line of sight, so that the head is a head from wherever it is seen.
		side := across(a.Direction, sight)
		place := func(along, aside float32) (q [3]float32) {
			for k := range q {
				q[k] = at[k] + a.Length*(along*a.Direction[k]+aside*side[k])
			}
			return q
		}
		width := math.Min(math.Max(0.13*d.onScreen(lens, float64(a.Length)), 1.6*pixel), 9*pixel)
		tail, tip, inLeft, inRight, left, right := place(-0.5, 0), place(0.5, 0), place(0.2, 0.12), place(0.2, -0.12), place(0.2, 0.24), place(0.2, -0.24)
		for _, p := range passes {
			for _, line := range [...][2][3]float32{{tail, tip}, {left, tip}, {right, tip}, {inLeft, tip}, {inRight, tip}} {
				b.Segment(lens, line[0], line[1], float32(width+p.more), p.color, 1)
			}
		}
	}
}

// sight is the unit vector from an arrow to the eye, facing its cosine to the normal, 1 where there is none.
func (d *Drawing) sight(lens *camera.Lens, a scene.Arrow) (sight [3]float32, facing float32) {
	toward := lens.Sight([3]float64{float64(a.At[0]), float64(a.At[1]), float64(a.At[2])})
	length := 0.0
	for _, x := range toward {
		length += x * x
	}
	surface := false
	for k := range sight {
		sight[k] = float32(toward[k] / math.Sqrt(length))
		facing += sight[k] * a.Normal[k]
		surface = surface || a.Normal[k] != 0
	}
	if !surface {
		facing = 1
	}
	return sight, facing
}

// across is a unit vector at right angles to two others, 0 where they are parallel.
func across(u, v [3]float32) [3]float32 {
	w := [3]float32{u[1]*v[2] - u[2]*v[1], u[2]*v[0] - u[0]*v[2], u[0]*v[1] - u[1]*v[0]}
	if length := float32(math.Sqrt(float64(w[0]*w[0] + w[1]*w[1] + w[2]*w[2]))); length > 0 {
		return [3]float32{w[0] / length, w[1] / length, w[2] / length}
	}
	return w
}
