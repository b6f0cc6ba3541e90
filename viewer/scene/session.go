package scene

import (
	"fmt"
	"slices"

	"genussink/core/job"
	"genussink/core/session"
	"genussink/viewer/camera"
)

func sizeOf(c job.Cut) session.Cut { return session.Cut{S: int(c.S), Smaller: int(min(c.A, c.B))} }

// toggles are what a session's On and Off switch.
func (s *Scene) toggles() map[string]*bool {
	return map[string]*bool{
		"wireframe": &s.view.Wireframe, "smooth": &s.view.Smooth, "split": &s.view.Split,
		"densities": &s.view.Densities, "flow": &s.view.Flow, "loop": &s.play.loop,
	}
}

// Session is what a person has made of the page. It is not to be kept while it
// is incomplete: while a mesh or its densities are on their way, or a stroke.
// Its slices must not be changed.
func (s *Scene) Session() (sn *session.Session, complete bool) {
	p := s.cam.Goal()
	sn = &session.Session{
		Mesh: s.source.reference, Kind: s.source.kind, Params: s.source.params, File: s.load,
		Level: s.level, Finder: s.finder, Balance: s.balance, Cut: s.wanted,
		Epsilon: s.transport.Epsilon,
		Camera:  &session.Camera{Yaw: p.Yaw, Pitch: p.Pitch, Size: p.Size, Target: p.Target, Orthographic: p.Orthographic, Up: int(p.Up)},
	}
	if s.taken >= 0 {
		sn.Cut = sizeOf(s.swept.Cuts[s.taken])
	}
	// What is as on a new page is not said, but for what the tool would not know.
	fresh := New()
	if !s.automatic() {
		sn.Method = s.transport.Method
	}
	if m := s.transport.Method; s.transport.Delta != fresh.transport.Delta || m == "certified" || m == "embedded" {
		sn.Delta = s.transport.Delta
	}
	if s.brush.radius != fresh.brush.radius || s.brush.strength != fresh.brush.strength {
		sn.Radius, sn.Strength = s.brush.radius, s.brush.strength
	}
	if s.play.mass != fresh.play.mass {
		sn.Mass = string(s.play.mass)
	}
	if s.play.speed != fresh.play.speed {
		sn.Speed = s.play.speed
	}
	usual := fresh.toggles()
	for _, name := range session.Toggles {
		switch on := *s.toggles()[name]; {
		case on == *usual[name]:
		case on:
			sn.On = append(sn.On, name)
		default:
			sn.Off = append(sn.Off, name)
		}
	}
	if s.mesh != nil {
		sn.Painting = s.dens.painting(s.mesh.Vertices())
	}
	return sn, s.mesh != nil && s.flight[toOpen] == 0 && s.flight[toMeasure] == 0 && s.painting == nil && !s.brush.active
}

// painting is the recipe of the densities, with the way back and forth; the
// same as before while they are the same.
func (d *densities) painting(vertices int) *session.Painting {
	if d.kept != nil {
		return d.kept
	}
	states := append(slices.Clone(d.undo), d.pair)
	for i := len(d.redo) - 1; i >= 0; i-- {
		states = append(states, d.redo[i])
	}
	p := &session.Painting{Vertices: vertices, Steps: slices.Clone(states[0].recipe)}
	p.First = len(p.Steps)
	for _, state := range states[1:] {
		p.Steps = append(p.Steps, state.recipe[len(state.recipe)-1])
	}
	p.Now = p.First + len(d.undo)
	d.kept = p
	return p
}

// OpenSession opens the mesh of a session, from its bytes or by its generator,
// and shows it with the session's settings and painting. What the page cannot
// show is an error, and changes nothing.
func (s *Scene) OpenSession(sn *session.Session) error {
	switch {
	case sn.Epsilon != 0 && !(sn.Epsilon >= MinEpsilon && sn.Epsilon <= MaxEpsilon):
		return fmt.Errorf("epsilon is %g, not between %g and %g", sn.Epsilon, MinEpsilon, float64(MaxEpsilon))
	case sn.Delta != 0 && !(sn.Delta >= MinDelta && sn.Delta <= MaxDelta):
		return fmt.Errorf("delta is %g, not between %g and %g", sn.Delta, MinDelta, MaxDelta)
	case sn.Camera != nil && !poseOf(sn.Camera).Valid():
		return fmt.Errorf("the camera stands out of range: %+v", *sn.Camera)
	case sn.File == nil && sn.Kind == "":
		return fmt.Errorf("the session has no mesh")
	}
	from := openSource{reference: sn.Mesh, kind: sn.Kind, params: sn.Params, session: sn}
	if sn.File != nil {
		s.open(sn.File, from)
	} else {
		s.open(&job.Generate{Kind: sn.Kind, Params: sn.Params}, from)
	}
	return nil
}

// warnOfLink says what of a link is not shown as it says.
func (s *Scene) warnOfLink(sentence string) {
	s.odd = append(s.odd, sentence)
	s.meta.Warnings = append(s.meta.Warnings, sentence)
	s.changed()
}

func poseOf(c *session.Camera) camera.Pose {
	return camera.Pose{Yaw: c.Yaw, Pitch: c.Pitch, Size: c.Size, Target: c.Target, Orthographic: c.Orthographic, Up: camera.Axis(c.Up)}
}

// resume takes over a session's settings, for the mesh that has just come.
func (s *Scene) resume(sn *session.Session) {
	fresh := New()
	or := func(x, usual float64) float64 {
		if x == 0 {
			return usual
		}
		return x
	}
	s.odd = slices.Clone(sn.Odd)
	within := func(what string, x, lo, hi float64) float64 {
		taken := min(max(x, lo), hi)
		if taken != x {
			s.odd = append(s.odd, fmt.Sprintf("The link's %s is %g, not between %g and %g: %g is taken.", what, x, lo, hi, taken))
		}
		return taken
	}
	s.finder, s.balance = sn.Finder, sn.Balance
	s.wanted = sn.Cut
	s.level = max(sn.Level, 0) // clamped once the tree is there
	s.linked = s.level
	if s.transport.Method = sn.Method; sn.Method == "" {
		s.transport.Method = Automatic
	}
	s.transport.Epsilon, s.transport.Delta = or(sn.Epsilon, DefaultEpsilon), or(sn.Delta, DefaultDelta)
	s.brush.radius, s.brush.strength = DefaultRadius, DefaultStrength
	if sn.Radius != 0 {
		s.brush.radius, s.brush.strength = within("brush radius", sn.Radius, MinRadius, MaxRadius), within("brush strength", sn.Strength, 0, 1)
	}
	s.play.mass = MassParticles
	switch mass := Mass(sn.Mass); mass {
	case "", MassParticles:
	case MassDensity:
		s.play.mass = mass
	default:
		s.odd = append(s.odd, fmt.Sprintf("The link shows moving mass as %.40q, which this page does not know: %s is taken.", mass, MassParticles))
	}
	s.play.speed = within("playback speed", or(sn.Speed, 1), MinSpeed, MaxSpeed)
	toggles, usual := s.toggles(), fresh.toggles()
	for name, flag := range toggles {
		*flag = *usual[name]
	}
	for _, name := range sn.On {
		*toggles[name] = true
	}
	for _, name := range sn.Off {
		*toggles[name] = false
	}
	pose := camera.Home().Fitted(s.mesh.Radius)
	switch {
	case sn.Camera != nil:
		pose = poseOf(sn.Camera)
	case s.meta.Flat:
		pose = s.cam.Goal() // from above
	}
	s.cam.Set(pose)
	s.view.Orthographic = pose.Orthographic
	s.view.Up = string("xyz"[pose.Up])
	s.meta.Warnings = slices.Clone(s.odd)
}
