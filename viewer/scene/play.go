package scene

import (
	"math"

	"genussink/core/job"
	"genussink/viewer/colormap"
)

// play is the animation: particles on shortest paths, all leaving at position
// 0 and arriving at 1, so that every moment is an interpolation of the plan.
type play struct {
	flow     *job.Flowing // the paths there are, nil before the first
	former   bool         // they are of the request before
	coming   *job.Flowing // those of the request under way, until they are as many; nil: none wait
	complete bool         // all of the request's are there
	asked    int          // how many particles the request is for
	playing  bool
	start    bool // begin when the paths arrive
	position float64
	speed    float64
	loop     bool
	mass     Mass
	shown    bool // it has been played, or its position chosen
	was      Stance
	cursor   []int32 // per particle: the edge it is on, an index into Vertices
	jitter   float32 // view units: spreads particles that share an edge
	density  []float64
	spread   []float64
	degree   []float64

	solved     float64  // when the plan came, on the scene's clock
	first, all *float64 // milliseconds from then to the first frame with paths, and with all of them; nil until then
	opened     float64  // when the mesh came, on the same clock
	moved      *float64 // milliseconds from then to the first frame with mass on the move; nil until then
}

// Stance is where the playback is, as far as the picture's colours go.
type Stance int

// At rest both densities are shown and no mass is on the move. At its first
// position playback shows the source alone, at its last the target alone.
const (
	AtRest Stance = iota
	AtSource
	InMotion
	AtTarget
)

// Stance says what the picture shows. A person who paints at either end sees
// both densities.
func (s *Scene) Stance() Stance {
	p := &s.play
	switch {
	case !s.view.Flow || s.studying() || p.flow == nil || !p.shown:
		return AtRest
	case p.playing || p.position > 0 && p.position < 1:
		return InMotion
	case s.brush.paints():
		return AtRest
	case p.position == 0:
		return AtSource
	}
	return AtTarget
}

// color is the mass's: gold on the move, at an end that density's own.
func (at Stance) color() colormap.RGB {
	switch at {
	case AtSource:
		return colormap.Source()
	case AtTarget:
		return colormap.Target()
	}
	return colormap.Moving()
}

// MassColor is the colour of the particles.
func (s *Scene) MassColor() colormap.RGB { return s.Stance().color() }

// Play sets the mass in motion, from the start if it has arrived.
func (s *Scene) Play() {
	if s.play.flow == nil {
		s.play.start = true
		if s.result == nil && s.flight[toSolve] == 0 {
			s.Solve()
		} else if s.flight[toFlow] == 0 && s.flight[toSolve] == 0 {
			s.askFlow()
		}
		return
	}
	s.play.begin()
	s.recolor(true)
	s.changed()
}

// begin sets the mass in motion, from the start if it has arrived.
func (p *play) begin() {
	if p.position >= 1 {
		p.position = 0
	}
	p.playing, p.shown, p.start = true, true, false
}

// reset forgets the mesh before, and keeps how a person wants to see it.
func (p *play) reset() {
	*p = play{speed: p.speed, loop: p.loop, mass: p.mass}
}

// Pause stops the motion where it is.
func (s *Scene) Pause() {
	s.play.playing, s.play.start = false, false
	s.recolor(true)
	s.changed()
}

// Seek moves to a position, 0 at the source, 1 at the target.
func (s *Scene) Seek(position float64) {
	if math.IsNaN(position) {
		return
	}
	s.play.position, s.play.shown = min(max(position, 0), 1), true
	s.recolor(false)
	s.changed()
}

// Speed sets the playback speed: 1 takes PlaySeconds.
func (s *Scene) Speed(factor float64) {
	if !math.IsNaN(factor) {
		s.play.speed = min(max(factor, MinSpeed), MaxSpeed)
		s.changed()
	}
}

// Loop begins again at the end.
func (s *Scene) Loop(on bool) { s.set(&s.play.loop, on) }

// ShowMass chooses how moving mass is shown.
func (s *Scene) ShowMass(m Mass) {
	if (m == MassParticles || m == MassDensity) && m != s.play.mass {
		s.play.mass = m
		s.recolor(true)
		s.changed()
	}
}

func (s *Scene) askFlow() {
	if s.mesh == nil || s.flight[toOpen] != 0 || s.result == nil {
		return
	}
	s.drop(s.flight[toFlow])
	count := Particles
	if s.brush.active {
		count = strokeParticles
	}
	s.flight[toFlow] = s.send(&job.Flow{Particles: count, Seed: 1})
	s.play.asked, s.play.coming = count, nil
	s.play.former, s.play.complete, s.play.first, s.play.all = true, false, nil, nil
}

// flowing takes the paths of a batch of particles: they join those that are on
// their way, where these have come to.
func (s *Scene) flowing(e *job.Flowing) bool {
	if len(e.Offsets) < 2 || e.Offsets[0] != 0 || int(e.Offsets[len(e.Offsets)-1]) != len(e.Vertices) || len(e.Along) != len(e.Vertices) {
		return false
	}
	for i := 1; i < len(e.Offsets); i++ {
		if e.Offsets[i] <= e.Offsets[i-1] {
			return false
		}
	}
	for i, v := range e.Vertices {
		if s.vertex(v) < 0 || math.IsNaN(e.Along[i]) || math.IsInf(e.Along[i], 0) {
			return false
		}
	}
	p := &s.play
	f := p.flow
	if p.former {
		if p.coming == nil {
			p.coming = &job.Flowing{Offsets: []int32{0}}
		}
		f = p.coming
	}
	base := int32(len(f.Vertices))
	if int64(base)+int64(len(e.Vertices)) > math.MaxInt32 {
		return false
	}
	for _, end := range e.Offsets[1:] {
		f.Offsets = append(f.Offsets, base+end)
	}
	f.Vertices, f.Along = append(f.Vertices, e.Vertices...), append(f.Along, e.Along...)
	if p.former && len(f.Offsets)-1 < min(len(p.cursor), p.asked) {
		return true // those of the plan before go on until as many can take their place
	}
	if p.former {
		p.flow, p.coming, p.former, p.cursor = f, nil, false, p.cursor[:0]
	}
	p.cursor = append(p.cursor, f.Offsets[len(p.cursor):len(f.Offsets)-1]...)
	p.jitter = float32(0.9 * s.meta.EdgeMean / s.mesh.HalfDiag)
	if p.start && !p.playing {
		p.begin()
	}
	if p.mass == MassDensity {
		s.recolor(true)
	}
	return true
}

// Moving says whether mass on the move is to be drawn.
func (s *Scene) Moving() bool { return s.Stance() != AtRest }

// progress is the share of its way that every particle has come: slow at both
// ends, so that the eye sees it leave and arrive.
func (p *play) progress() float64 {
	t := p.position
	return t * t * (3 - 2*t)
}

// locate finds the edge that particle i is on and the share of it behind it.
func (p *play) locate(i int, progress float64) (at int32, share float64) {
	lo, hi := p.flow.Offsets[i], p.flow.Offsets[i+1]
	way := p.flow.Along[hi-1] * progress
	c := p.cursor[i]
	for c+2 < hi && p.flow.Along[c+1] <= way {
		c++
	}
	for c > lo && p.flow.Along[c] > way {
		c--
	}
	p.cursor[i] = c
	if c+1 >= hi {
		return c, 0
	}
	length := p.flow.Along[c+1] - p.flow.Along[c]
	if !(length > 0) {
		return c, 0
	}
	return c, min(max((way-p.flow.Along[c])/length, 0), 1)
}

// ParticlePositions appends 6 numbers per particle to dst: its place in view
// units, a little above the surface, and the surface's normal; nothing when no
// mass is on the move or it is shown as a density.
func (s *Scene) ParticlePositions(dst []float32) []float32 {
	if !s.Moving() || s.play.mass != MassParticles {
		return dst
	}
	p := &s.play
	progress := p.progress()
	points, normals := s.mesh.Points, s.mesh.Normals
	for i := range p.cursor {
		c, share := p.locate(i, progress)
		v := p.flow.Vertices[c]
		w := v
		if share > 0 {
			w = p.flow.Vertices[c+1]
		}
		t := float32(share)
		// A fixed offset per particle, from two low-discrepancy sequences.
		a := float32(i) * 0.754877666
		b := float32(i) * 0.569840291
		a, b = a-float32(math.Floor(float64(a)))-0.5, b-float32(math.Floor(float64(b)))-0.5
		var q, n [3]float32
		for k := 0; k < 3; k++ {
			x, y := points[3*v+int32(k)], points[3*w+int32(k)]
			q[k] = x + (y-x)*t
			x, y = normals[3*v+int32(k)], normals[3*w+int32(k)]
			n[k] = x + (y-x)*t
		}
		// Two tangents from the normal, any pair does, but not of a normal that
		// has three equal components.
		u := [3]float32{n[1], -n[0], 0}
		if n[0]*n[0]+n[1]*n[1] < n[2]*n[2]/2 {
			u = [3]float32{0, n[2], -n[1]}
		}
		r := [3]float32{n[1]*u[2] - n[2]*u[1], n[2]*u[0] - n[0]*u[2], n[0]*u[1] - n[1]*u[0]}
		for k := 0; k < 3; k++ {
			q[k] += p.jitter * (0.2*n[k] + a*u[k] + b*r[k])
		}
		dst = append(dst, q[0], q[1], q[2], n[0], n[1], n[2])
	}
	return dst
}

// dissolve is the share of their way in which particles part from the source,
// and again join the target.
const dissolve = 0.1

// massDensity returns mass per vertex at the present position, 1 in all, and
// its largest value. It mixes three densities of mass 1: at the ends the source
// and the target themselves, between them the particles', which is blurred over
// three rings of edges, as particles are few.
func (s *Scene) massDensity() (mass []float64, top float64) {
	p, n := &s.play, s.mesh.Vertices()
	if len(p.density) != n {
		p.density, p.spread, p.degree = make([]float64, n), make([]float64, n), make([]float64, n)
		for _, v := range s.mesh.Edges() {
			p.degree[v]++
		}
	}
	progress := p.progress()
	var ends [2]float64 // shares of the source and of the target, each over its mass
	rest := 1.0
	for k, way := range []float64{progress, 1 - progress} {
		if m := s.dens.mass(side(k)); way < dissolve && m > 0 {
			w := (1 - way/dissolve) * (1 - way/dissolve)
			ends[k], rest = w/m, 1-w
		}
	}
	clear(p.density)
	if rest > 0 {
		each := rest / float64(len(p.cursor))
		for i := range p.cursor {
			c, share := p.locate(i, progress)
			p.density[p.flow.Vertices[c]] += each * (1 - share)
			if share > 0 {
				p.density[p.flow.Vertices[c+1]] += each * share
			}
		}
		s.blur()
	}
	for k, w := range ends {
		if w > 0 {
			for v, x := range s.dens.values[k] {
				p.density[v] += w * x
			}
		}
	}
	for _, x := range p.density {
		top = max(top, x)
	}
	return p.density, top
}

// blur spreads the density over three rings of edges and keeps its mass: half
// of what is at a vertex goes to its neighbours, in equal parts.
func (s *Scene) blur() {
	p, edges := &s.play, s.mesh.Edges()
	for range 3 {
		for v, x := range p.density {
			if p.degree[v] > 0 {
				p.spread[v] = 0.5 * x
				p.density[v] = 0.5 * x / p.degree[v]
			} else {
				p.spread[v], p.density[v] = x, 0
			}
		}
		for e := 0; e+1 < len(edges); e += 2 {
			v, w := edges[e], edges[e+1]
			p.spread[v] += p.density[w]
			p.spread[w] += p.density[v]
		}
		p.density, p.spread = p.spread, p.density
	}
}

// timePaths notes the first frame that shows paths of the last solve, and the
// first that shows all of them.
func (s *Scene) timePaths() {
	p := &s.play
	if p.moved == nil && p.playing && p.flow != nil {
		since := 1e3 * (s.clock - p.opened)
		p.moved = &since
		s.changed()
	}
	since := 1e3 * (s.clock - p.solved)
	if p.first == nil && p.flow != nil && !p.former {
		p.first = &since
		s.changed()
	}
	if p.all == nil && p.first != nil && p.complete {
		p.all = &since
		s.changed()
	}
}

// Tick lets dt seconds pass: playback, easing, the solve after a repaint.
func (s *Scene) Tick(dt float64) {
	if !(dt > 0) {
		return
	}
	s.clock += dt
	s.timePaths()
	dt = min(dt, 0.25) // a page that slept does not jump
	s.cam.Tick(dt)
	s.tickStudy(dt)
	if p := &s.play; p.playing {
		p.position += dt * p.speed / PlaySeconds
		if p.position >= 1 {
			if p.loop {
				p.position -= math.Floor(p.position)
			} else {
				p.position, p.playing = 1, false
			}
			s.changed()
		}
		if p.mass == MassDensity && s.view.Flow {
			s.recolor(false)
		}
	}
	if at := s.Stance(); at != s.play.was {
		s.play.was = at
		s.recolor(true)
	}
	s.colors.tick(dt, s)
	s.due(dt)
}
