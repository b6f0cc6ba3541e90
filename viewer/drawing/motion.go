package drawing

import (
	"math"

	"genussink/viewer/camera"
	"genussink/viewer/raster"
)

// trail is the number of pieces of a bead's trail, stride how far apart their
// ends are in the playback's position.
const (
	trail  = 4
	stride = 0.012
)

// mass draws particles as beads, each with a trail behind it. Where beads
// would cover each other fewer are drawn.
func (d *Drawing) mass(b *raster.Batch, lens *camera.Lens, pixel float64) {
	s := d.scene
	d.beads = s.ParticlePositions(d.beads[:0])
	if len(d.beads) == 0 {
		return
	}
	pose := s.View.Camera().Pose()
	span := math.Min(lens.Width, lens.Height)
	closer := math.Min(pose.Fitted(float64(s.Mesh.Radius)).Size/pose.Size, 2)
	radius := math.Max(math.Min(0.009*span, math.Max(4.6*pixel, 0.0045*span))*closer, 1.2*pixel)
	if s.Mesh.Graph() { // the large dots of a small graph show around it
		radius = max(0.9*min(float64(d.dotRadius(lens, pixel)), 6.5*pixel), 2.6*pixel)
	}
	d.thin(lens, radius)
	for k := range d.trails {
		d.trails[k] = s.ParticlesBefore(d.trails[k][:0], d.shown, stride*float64(k+1))
	}
	color := s.Showing().Mass.Color()
	faint := color.LCh()
	faint.L -= 0.06
	dim := faint.RGB()
	above := float32(0.2 * radius / d.onScreen(lens, 1)) // of a trail, so that it does not run into the surface
	for k := trail - 1; k >= 0; k-- {
		alpha := 0.75 * float32(trail-k) / trail
		for i, particle := range d.shown {
			from, to := d.trails[k][6*i:6*i+6], d.beads[6*particle:6*particle+6]
			if k > 0 {
				to = d.trails[k-1][6*i : 6*i+6]
			}
			if d.faces(lens, from) {
				thin := float32(raster.Pressed(lens, [3]float32(to), [3]float32(to[3:])))
				b.Segment(lens, raised(from, thin*above), raised(to, thin*above), thin*float32(radius*(0.95-0.16*float64(k))), dim, alpha)
			}
		}
	}
	for _, i := range d.shown {
		b.Bead(lens, [3]float32(d.beads[6*i:6*i+3]), [3]float32(d.beads[6*i+3:6*i+6]), float32(radius), color)
	}
}

// raised is a place of six numbers, moved along the normal that they end with.
func raised(q []float32, by float32) [3]float32 {
	return [3]float32{q[0] + by*q[3], q[1] + by*q[4], q[2] + by*q[5]}
}

// grazing is the cosine to the line of sight below which a bead is left out: it
// is spread along the surface's tangent, and beyond an outline it would hover.
const grazing = 0.3

// faces says whether the surface faces the eye well enough at a place of six numbers, a point and a normal. The far side of a closed mesh
// does not.
func (d *Drawing) faces(lens *camera.Lens, q []float32) bool {
	slant := lens.Slant([3]float32(q), [3]float32(q[3:]))
	if !d.closed() {
		slant = math.Abs(slant)
	}
	return slant >= grazing
}

// apart is how far the middles of two beads are at least, in radii.
const apart = 2.3

// thin chooses the particles to show: those on the near side, and of those that would touch the first. No square of the grid has room for
// two, so that a bead's neighbours are at most two squares away.
func (d *Drawing) thin(lens *camera.Lens, radius float64) {
	gap := apart * radius
	side := gap / math.Sqrt2
	const margin = 2
	columns, rows := int(lens.Width/side)+1+2*margin, int(lens.Height/side)+1+2*margin
	d.taken = append(d.taken[:0], make([]int32, columns*rows)...)
	d.places, d.shown = d.places[:0], d.shown[:0]
	free := func(x, y float64, at int) bool {
		for row := -margin; row <= margin; row++ {
			for _, other := range d.taken[at+row*columns-margin : at+row*columns+margin+1] {
				if other > 0 && math.Hypot(d.places[other-1][0]-x, d.places[other-1][1]-y) < gap {
					return false
				}
			}
		}
		return true
	}
	for i := 0; i+5 < len(d.beads); i += 6 {
		q := [3]float64{float64(d.beads[i]), float64(d.beads[i+1]), float64(d.beads[i+2])}
		x, y, z := lens.Project(q)
		if z < lens.Near || lens.Section.Behind(q) < 0 || !d.faces(lens, d.beads[i:i+6]) {
			continue
		}
		if x < 0 || y < 0 || x >= lens.Width || y >= lens.Height {
			continue
		}
		if at := (int(y/side)+margin)*columns + int(x/side) + margin; free(x, y, at) {
			d.places, d.shown = append(d.places, [2]float64{x, y}), append(d.shown, i/6)
			d.taken[at] = int32(len(d.shown))
		}
	}
}
