// Package paint is what a brush does to a pair of densities. Whoever shows a
// stroke as it is drawn and whoever draws it again later call the same code, so
// that both make the same numbers, bit for bit.
package paint

import (
	"slices"

	"genussink/core/job"
)

// Pair is a source and a target density, one value per vertex each.
type Pair [2][]float64

// The places of the two densities in a Pair.
const (
	Source = iota
	Target
)

// Stroke is one stroke of the brush on its way. Its dabs must have the radius
// and come in the order in which they are to be repeated.
type Stroke struct {
	Step  job.Step // what has been done so far
	Now   Pair     // the densities with it; before the first dab those that it began on
	base  Pair     // those that it began on, never written to
	unit  [2]float64
	cover []float64 // how thickly the stroke covers each vertex, 0 to 1
}

// Begin puts the brush down on densities: kind is job.StrokeSource,
// job.StrokeTarget or job.StrokeErase, radius in mesh units, strength the share
// of a density's peak that a dab adds at its centre, 0 to 1.
func Begin(on Pair, kind string, radius, strength float64) *Stroke {
	s := &Stroke{Step: job.Step{Kind: kind, Radius: radius, Strength: strength}, Now: on, base: on}
	for k := range on {
		for _, x := range on[k] {
			s.unit[k] = max(s.unit[k], x)
		}
	}
	return s
}

// Dab lays on the ball of vertices around a centre, at distances in mesh units.
// A stroke covers a vertex as thickly as its nearest centre does, however many
// dabs the pointer's speed made of it.
func (s *Stroke) Dab(center int32, vertices []int32, distances []float64) {
	if s.cover == nil {
		s.cover = make([]float64, len(s.base[Source]))
		for k := range s.Now {
			s.Now[k] = slices.Clone(s.base[k])
		}
	}
	s.Step.Centres = append(s.Step.Centres, center)
	sum := 0.0
	for _, d := range distances {
		sum += falloff(d, s.Step.Radius)
	}
	for k := range s.unit {
		if s.unit[k] <= 0 && sum > 0 {
			s.unit[k] = 1 / sum // the first dab on nothing has mass 1 at full strength
		}
	}
	for i, v := range vertices {
		w := s.Step.Strength * falloff(distances[i], s.Step.Radius)
		if !(w > s.cover[v]) {
			continue
		}
		s.cover[v] = w
		switch s.Step.Kind {
		case job.StrokeSource:
			s.Now[Source][v] = s.base[Source][v] + w*s.unit[Source]
		case job.StrokeTarget:
			s.Now[Target][v] = s.base[Target][v] + w*s.unit[Target]
		case job.StrokeErase:
			for k := range s.Now {
				x := s.base[k][v] * (1 - w)
				if x < s.unit[k]*1e-3 { // an eraser leaves nothing that cannot be seen
					x = 0
				}
				s.Now[k][v] = x
			}
		}
	}
}

// falloff is the brush's profile: 1 at the centre, 0 at the radius, smooth.
func falloff(d, radius float64) float64 {
	if !(radius > 0) || d <= 0 {
		return 1
	}
	t := d / radius
	if t >= 1 {
		return 0
	}
	return (1 - t*t) * (1 - t*t)
}
