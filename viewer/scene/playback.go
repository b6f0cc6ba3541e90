package scene

import (
	"math"

	"genussink/core/job"
	"genussink/viewer/colormap"
	"genussink/viewer/timeline"
)

// Playback is the animation: particles on shortest paths, all leaving at position
// 0 and arriving at 1, so that every moment is an interpolation of the plan.
type Playback struct {
	changes  *changes
	flow     *paths            // nil before the first
	former   bool              // they are of the request before
	coming   *paths            // those of the request under way, until they are as many; nil: none wait
	complete bool              // all of the request's are there
	asked    int               // how many particles the request is for
	line     timeline.Timeline // from the source, 0, to the target, 1
	start    bool              // begin when the paths arrive
	left     bool              // it stands while another task is looked at, and goes on or begins afterwards
	mass     Mass
	shown    bool      // it has been played, or its position chosen
	above    float32   // view units: how far above the surface particles move
	dense    []float64 // mass per vertex, see density
	most     float64   // of it, that is shown at full strength
	spread   []float64
	degree   []float64
	net      netFlow // see Arrows

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

// stance says where it is. Whoever paints at either end sees both densities.
func (p *Playback) stance(painting bool) Stance {
	switch {
	case p.flow == nil || !p.shown:
		return AtRest
	case p.line.Playing() || p.line.At() > 0 && p.line.At() < 1:
		return InMotion
	case painting:
		return AtRest
	case p.line.At() == 0:
		return AtSource
	}
	return AtTarget
}

// Color is the mass's: gold on the move, at an end that density's own.
func (at Stance) Color() colormap.RGB {
	switch at {
	case AtSource:
		return colormap.Source()
	case AtTarget:
		return colormap.Target()
	}
	return colormap.Moving()
}

// begin sets the mass in motion, from the start if it has arrived.
func (p *Playback) begin() {
	p.line.Play()
	p.shown, p.start = true, false
}

// reset forgets the mesh before, and keeps how a person wants to see it.
func (p *Playback) reset(clock float64) {
	p.line.Pause()
	p.line.Seek(0)
	*p = Playback{changes: p.changes, line: p.line, mass: p.mass, opened: clock}
}

// clear takes the mass away: what is to move has changed, and cannot yet. If it moved, it does again as soon as it can.
func (p *Playback) clear(clock float64) {
	start := p.start || p.line.Playing()
	p.reset(clock)
	p.start = start
}

// leave stops the motion while something else is looked at; enter goes on.
func (p *Playback) leave() {
	if p.line.Playing() {
		p.Pause()
		p.left = true
	}
}

func (p *Playback) enter() {
	if p.left && p.flow != nil {
		p.begin()
	}
	p.left = false
}

// Pause stops the motion where it is.
func (p *Playback) Pause() {
	p.line.Pause()
	p.start, p.left = false, false
	p.changes.recolor(true)
	p.changes.changed()
}

// Seek moves to a position, 0 at the source, 1 at the target.
func (p *Playback) Seek(position float64) {
	if math.IsNaN(position) {
		return
	}
	p.line.Seek(position)
	p.shown = true
	p.changes.recolor(false)
	p.changes.changed()
}

// Position is 0 at the source, 1 at the target: the one part of State that changes without a new revision.
func (p *Playback) Position() float64 { return p.line.At() }

// Speed sets the playback speed: 1 takes PlaySeconds.
func (p *Playback) Speed(factor float64) {
	p.line.SetSpeed(factor)
	p.changes.changed()
}

// Loop begins again at the end.
func (p *Playback) Loop(on bool) { p.changes.toggle(&p.line.Loop, on) }

// Show chooses how moving mass is shown.
func (p *Playback) Show(m Mass) {
	if (m == MassParticles || m == MassDensity) && m != p.mass {
		p.mass = m
		p.changes.recolor(true)
		p.changes.changed()
	}
}

// request asks for the paths of so many particles; those there are go on until these have come.
func (p *Playback) request(particles int) *job.Flow {
	p.asked, p.coming = particles, nil
	p.former, p.complete, p.first, p.all = true, false, nil, nil
	return &job.Flow{Particles: particles, Seed: 1}
}

// finish notes that the paths of so many particles have been sent, and says whether they are there.
func (p *Playback) finish(particles int) bool {
	p.complete = !p.former && particles == p.flow.count()
	return p.complete
}

// flowing takes the paths of a batch of particles: they join those that are on their way, where these have come to. Where mass is not seen,
// it waits with its first motion until it is.
func (p *Playback) flowing(e *job.Flowing, m *OpenMesh, seen bool) bool {
	if !fitsFlow(e, m) {
		return false
	}
	if p.former {
		if p.coming == nil {
			p.coming = &paths{}
		}
		p.coming.join(e)
		if p.coming.count() < min(p.flow.count(), p.asked) {
			return true // those of the plan before go on until as many can take their place
		}
		p.flow, p.coming, p.former = p.coming, nil, false
	} else {
		p.flow.join(e)
	}
	p.above = float32(min(0.06*finite(m.report.EdgeMean)/m.HalfDiag, 0.01))
	switch {
	case !p.start || p.line.Playing():
	case seen:
		p.begin()
	default:
		p.start, p.left = false, true
	}
	return true
}

// progress is the share of its way that every particle has come: slow at both
// ends, so that the eye sees it leave and arrive.
func (p *Playback) progress() float64 { return progressAt(p.line.At()) }

func progressAt(position float64) float64 { return position * position * (3 - 2*position) }

// place appends 6 numbers to dst: where particle i is with a share of its way behind it, in view
// units, a little above the surface, and the surface's normal.
func (p *Playback) place(dst []float32, m *Mesh, i int, progress float64) []float32 {
	on := &p.flow.particles[i]
	at, share := on.locate(progress)
	next := at
	if share > 0 {
		next++
	}
	v, w := on.vertices[at], on.vertices[next]
	// A fixed offset per particle, from two low-discrepancy sequences.
	a, b := fraction(float64(i)*0.754877666)-0.5, fraction(float64(i)*0.569840291)-0.5
	far, t := min(float32(math.Sqrt(float64(a*a+b*b))), 0.5), float32(share)
	x, y := on.towards(m, at, a, b), on.towards(m, next, a, b)
	var q, n [3]float32
	for k := range int32(3) {
		from, to := m.Normals[3*v+k], m.Normals[3*w+k]
		n[k] = from + (to-from)*t
		from, to = m.Points[3*v+k], m.Points[3*w+k]
		from, to = from+far*(m.Points[3*x+k]-from), to+far*(m.Points[3*y+k]-to)
		q[k] = from + (to-from)*t + p.above*n[k]
	}
	return append(dst, q[0], q[1], q[2], n[0], n[1], n[2])
}

// fraction is what a positive number exceeds a whole one by. math.Mod takes several times as long.
func fraction(x float64) float32 { return float32(x - math.Floor(x)) }

// beside is the neighbour of v that lies most nearly in a direction: a along one tangent and b along another. On the way to a neighbour a
// particle stays on the surface. Where no neighbour lies that way, it is v itself.
func (m *Mesh) beside(v int32, a, b float32) int32 {
	at, n := m.Points[3*v:3*v+3], m.Normals[3*v:3*v+3]
	// Two tangents from the normal, any pair does, but not of a normal that
	// has three equal components.
	u := [3]float32{n[1], -n[0], 0}
	if n[0]*n[0]+n[1]*n[1] < n[2]*n[2]/2 {
		u = [3]float32{0, n[2], -n[1]}
	}
	r := [3]float32{n[1]*u[2] - n[2]*u[1], n[2]*u[0] - n[0]*u[2], n[0]*u[1] - n[1]*u[0]}
	d := [3]float32{a*u[0] + b*r[0], a*u[1] + b*r[1], a*u[2] + b*r[2]}
	offsets, targets := m.Neighbours()
	best, most := v, float32(0)
	for _, w := range targets[offsets[v]:offsets[v+1]] {
		e := [3]float32{m.Points[3*w] - at[0], m.Points[3*w+1] - at[1], m.Points[3*w+2] - at[2]}
		along := e[0]*d[0] + e[1]*d[1] + e[2]*d[2]
		if along <= 0 {
			continue
		}
		if share := along * along / (e[0]*e[0] + e[1]*e[1] + e[2]*e[2]); share > most {
			best, most = w, share
		}
	}
	return best
}

// dissolve is the share of their way in which particles part from the source,
// and again join the target.
const dissolve = 0.1

// density returns the mass of each vertex at the present position, 1 in all, and the mass that is shown at full strength. That is twice
// a mean over the mass of the density it meets, or the largest if that is less: a few dense vertices do not leave the rest pale. The mean
// is of roots, squared, which a few count little in.
// The density is a mixture of three. At the ends it is the source or the target. In between it is the particles', blurred over some rings of
// edges, because particles are few.
func (p *Playback) density(m *Mesh, d *Densities) (mass []float64, top float64) {
	n := m.Vertices()
	if len(p.dense) != n {
		p.dense, p.spread, p.degree = make([]float64, n), make([]float64, n), make([]float64, n)
		for _, v := range m.Edges() {
			p.degree[v]++
		}
	}
	progress := p.progress()
	var ends [2]float64 // shares of the source and of the target, each over its mass
	rest := 1.0
	for k, way := range []float64{progress, 1 - progress} {
		if own := d.mass(side(k)); way < dissolve && own > 0 {
			w := (1 - way/dissolve) * (1 - way/dissolve)
			ends[k], rest = w/own, 1-w
		}
	}
	clear(p.dense)
	if rest > 0 {
		each := rest / float64(p.flow.count())
		for i := range p.flow.particles {
			on := &p.flow.particles[i]
			at, share := on.locate(progress)
			p.dense[on.vertices[at]] += each * (1 - share)
			if share > 0 {
				p.dense[on.vertices[at+1]] += each * share
			}
		}
		p.blur(m.Edges())
	}
	for k, w := range ends {
		if w > 0 {
			for v, x := range d.values[k] {
				p.dense[v] += w * x
			}
		}
	}
	peak, roots := 0.0, 0.0 // the mass is 1: roots is that of the density where mass is, in the mean
	for _, x := range p.dense {
		peak, roots = max(peak, x), roots+x*math.Sqrt(x)
	}
	return p.dense, min(peak, 2*roots*roots)
}

// rings is how often the density of particles is blurred: with fewer, thin mass shows single particles; with more, a narrow stream is washed out.
const rings = 8

// blur spreads the density over rings of edges and keeps its mass: in each, half of what is at a vertex goes to its neighbours, in equal parts.
func (p *Playback) blur(edges []int32) {
	for range rings {
		for v, x := range p.dense {
			if p.degree[v] > 0 {
				p.spread[v] = 0.5 * x
				p.dense[v] = 0.5 * x / p.degree[v]
			} else {
				p.spread[v], p.dense[v] = x, 0
			}
		}
		for e := 0; e+1 < len(edges); e += 2 {
			v, w := edges[e], edges[e+1]
			p.spread[v] += p.dense[w]
			p.spread[w] += p.dense[v]
		}
		p.dense, p.spread = p.spread, p.dense
	}
}

// frame notes the first frame that shows paths of the last solve, the
// first that shows all of them, and the first with mass on the move. It says whether it was one of these.
func (p *Playback) frame(clock float64) (noted bool) {
	note := func(when **float64, since float64, seen bool) {
		if *when == nil && seen {
			took := 1e3 * (clock - since)
			*when, noted = &took, true
		}
	}
	note(&p.moved, p.opened, p.line.Playing() && p.flow != nil)
	note(&p.first, p.solved, p.flow != nil && !p.former)
	note(&p.all, p.solved, p.first != nil && p.complete)
	return noted
}

// tick moves on by dt seconds and says whether that came to the end.
func (p *Playback) tick(dt float64) (ended bool) {
	before := p.line.At()
	return p.line.Tick(dt) && (p.line.At() < before || !p.line.Playing())
}

// state is what the panel shows.
func (p *Playback) state() PlaybackState {
	return PlaybackState{
		Available: p.flow != nil, Playing: p.line.Playing(), Position: p.line.At(),
		Speed: p.line.Speed(), Loop: p.line.Loop, Particles: p.flow.count(), Mass: p.mass,
		FirstParticlesMs: p.first, AllParticlesMs: p.all, FirstMoveMs: p.moved,
	}
}
