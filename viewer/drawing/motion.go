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
	closer := math.Min(pose.Fitted(float64(s.Mesh.Radius)).Size/pose.Size, 2)
	radius := math.Max(math.Min(0.009*math.Min(lens.Width, lens.Height), 4.6*pixel)*closer, 1.2*pixel)
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
			b.Segment(lens, raised(from, above), raised(to, above), float32(radius*(0.95-0.16*float64(k))), dim, alpha)
		}
	}
	for _, i := range d.shown {
		b.Point(lens, [3]float32(d.beads[6*i:6*i+3]), [3]float32{}, raster.Bead, float32(radius), color, 1)
	}
}

// raised is a place of six numbers, moved along the normal that they end with.
func raised(q []float32, by float32) [3]float32 {
	return [3]float32{q[0] + by*q[3], q[1] + by*q[4], q[2] + by*q[5]}
}

// grazing is the cosine to the line of sight below which a bead is left out: it
// is spread along the surface's tangent, and beyond an outline it would hover.
const grazing = 0.22

// thin chooses the particles to show: those on the near side, and of those
// whose middles fall into one square of the picture's the first.
func (d *Drawing) thin(lens *camera.Lens, radius float64) {
	side := 1.6 * radius
	clear(d.taken)
	d.shown = d.shown[:0]
	closed := d.closed()
	for i := 0; i+5 < len(d.beads); i += 6 {
		q := [3]float64{float64(d.beads[i]), float64(d.beads[i+1]), float64(d.beads[i+2])}
		x, y, z := lens.Project(q)
		if z < lens.Near || lens.Section.Behind(q) < 0 {
			continue
		}
		facing, length, surface := 0.0, 0.0, false
		for k, toward := range lens.Sight(q) {
			normal := float64(d.beads[i+3+k])
			facing += toward * normal
			length += toward * toward
			surface = surface || normal != 0
		}
		facing /= math.Sqrt(length)
		if surface && (closed && facing < grazing || math.Abs(facing) < grazing) {
			continue
		}
		at := [2]int32{int32(math.Floor(x / side)), int32(math.Floor(y / side))}
		if !d.taken[at] {
			d.taken[at] = true
			d.shown = append(d.shown, i/6)
		}
	}
}
