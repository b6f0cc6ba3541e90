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

// Begin puts the brush down on densities. Of the step count its kind, its radius in mesh units, its strength, which is the share
// of a density's peak that a dab adds at its centre, 0 to 1, and whether it paints anew.
func Begin(on Pair, step *job.Step) *Stroke {
	on = ground(on, step)
	return &Stroke{Step: job.Step{Kind: step.Kind, Radius: step.Radius, Strength: step.Strength, Anew: step.Anew}, Now: on, base: on, unit: peaks(on)}
}

// ground is what a stroke is laid on: one that paints anew begins on nothing.
func ground(on Pair, step *job.Step) Pair {
	for k, kind := range [2]string{job.StrokeSource, job.StrokeTarget} {
		if step.Anew && step.Kind == kind {
			on[k] = make([]float64, len(on[k]))
		}
	}
	return on
}

func peaks(of Pair) (peak [2]float64) {
	for k := range of {
		for _, x := range of[k] {
			peak[k] = max(peak[k], x)
		}
	}
	return peak
}

// Dab lays on the ball of vertices around a centre, pressed so hard, 0 to job.FullPressure. The ball of a smoothing
// stroke has its edges.
// A stroke covers a vertex as thickly as its nearest centre does, however many
// dabs the pointer's speed made of it; smoothing goes on with every dab.
func (s *Stroke) Dab(ball *job.Brushed, pressure byte) {
	if s.cover == nil {
		s.cover = make([]float64, len(s.base[Source]))
		for k := range s.Now {
			s.Now[k] = slices.Clone(s.base[k])
		}
	}
	if pressure != job.FullPressure || s.Step.Pressures != nil {
		for len(s.Step.Pressures) < len(s.Step.Centres) {
			s.Step.Pressures = append(s.Step.Pressures, job.FullPressure)
		}
		s.Step.Pressures = append(s.Step.Pressures, pressure)
	}
	s.Step.Centres = append(s.Step.Centres, ball.Center)
	strength := s.Step.Strength * (float64(pressure) / job.FullPressure)
	if s.Step.Kind == job.StrokeSmooth {
		s.smooth(ball, strength)
		return
	}
	sum := 0.0
	for _, d := range ball.Distances {
		sum += falloff(d, s.Step.Radius)
	}
	for k := range s.unit {
		if s.unit[k] <= 0 && sum > 0 {
			s.unit[k] = 1 / sum // the first dab on nothing has mass 1 at full strength
		}
	}
	for i, v := range ball.Vertices {
		w := strength * falloff(ball.Distances[i], s.Step.Radius)
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
				s.Now[k][v] = erased(s.base[k][v], w, s.unit[k])
			}
		}
	}
}

// erased is what an eraser of weight w leaves of x, where the density's peak is unit: nothing that cannot be seen.
func erased(x, w, unit float64) float64 {
	if x *= 1 - w; x < unit*1e-3 {
		return 0
	}
	return x
}

// diffusions is how many steps of diffusion one dab is.
const diffusions = 12

// smooth lets mass flow along the ball's edges from where there is more of it to where there is less: the more the shorter an edge is, and less
// towards the brush's rim. What is in the ball stays in it.
func (s *Stroke) smooth(ball *job.Brushed, strength float64) {
	conductance := make([]float64, len(ball.Lengths)) // of the edges
	sum := make([]float64, len(ball.Vertices))        // of those at each vertex
	for e, length := range ball.Lengths {
		if length > 0 {
			conductance[e] = 1 / length
			sum[ball.Edges[2*e]] += conductance[e]
			sum[ball.Edges[2*e+1]] += conductance[e]
		}
	}
	for e := range conductance { // no vertex loses more than half of what it has in a step
		if a, b := ball.Edges[2*e], ball.Edges[2*e+1]; conductance[e] > 0 {
			rim := falloff(max(ball.Distances[a], ball.Distances[b]), s.Step.Radius)
			conductance[e] *= 0.5 * strength * rim / max(sum[a], sum[b])
		}
	}
	flow := sum
	for _, values := range s.Now {
		for range diffusions {
			clear(flow)
			for e, c := range conductance {
				a, b := ball.Edges[2*e], ball.Edges[2*e+1]
				x := c * (values[ball.Vertices[a]] - values[ball.Vertices[b]])
				flow[a] -= x
				flow[b] += x
			}
			for i, v := range ball.Vertices {
				values[v] += flow[i]
			}
		}
	}
}

// Fill gives all vertices of a fill the same: of one density its strength times the peak (of none, a share of mass 1), or what erasing and smoothing
// leave.
func Fill(on Pair, step *job.Step) Pair {
	on = ground(on, step)
	now, unit := Pair{slices.Clone(on[Source]), slices.Clone(on[Target])}, peaks(on)
	for k, values := range now {
		mean := 0.0
		for _, v := range step.Centres {
			mean += values[v] / float64(len(step.Centres))
		}
		if unit[k] <= 0 {
			unit[k] = 1 / float64(len(step.Centres))
		}
		for _, v := range step.Centres {
			switch {
			case step.Kind == job.StrokeSource && k == Source, step.Kind == job.StrokeTarget && k == Target:
				values[v] = step.Strength * unit[k]
			case step.Kind == job.StrokeErase:
				values[v] = erased(on[k][v], step.Strength, unit[k])
			case step.Kind == job.StrokeSmooth:
				values[v] = (1-step.Strength)*on[k][v] + step.Strength*mean
			}
		}
	}
	return now
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
