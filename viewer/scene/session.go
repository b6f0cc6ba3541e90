package scene

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"genussink/core/job"
	"genussink/core/session"
	"genussink/viewer/timeline"
)

// toggles are what a session's On and Off switch.
func (s *Scene) toggles() map[string]*bool {
	return map[string]*bool{
		"wireframe": &s.View.looks.Wireframe, "smooth": &s.View.looks.Smooth, "split": &s.View.looks.Split,
		"densities": &s.View.looks.Densities, "flow": &s.View.looks.Flow, "arrows": &s.View.looks.Arrows, "loop": &s.Playback.line.Loop, "hidden": &s.View.looks.Hidden,
	}
}

// suggested is the task that a session is of which names none.
func (l *ViewState) suggested() Task {
	if l.Split && !l.Densities {
		return TaskSeparators
	}
	return TaskTransport
}

// Session is what a person has made of the page. It is not to be kept while it
// is incomplete: while a mesh or its densities are on their way, or a stroke.
// Its slices must not be changed.
func (s *Scene) Session() (sn *session.Session, complete bool) {
	from, p, t, b, play := &s.Mesh.source, &s.Separation, &s.Transport, &s.Brush, &s.Playback
	sn = &session.Session{
		Mesh: from.reference, Kind: from.kind, Params: from.params, File: from.load, Repairs: from.repairs,
		Level: p.Shown(), Finder: p.finder, Balance: p.balance, Cut: p.cut(),
		Epsilon: t.epsilon, Camera: s.View.kept(),
	}
	if s.Mesh.unit != unitOf(s.Mesh.format) {
		sn.Unit = s.Mesh.unit
	}
	// What is as on a new page is not said, but for what the tool would not know.
	fresh := New()
	if !t.automatic() {
		sn.Method = t.method
	}
	if t.delta != fresh.Transport.delta || job.Bounded(t.method) {
		sn.Delta = t.delta
	}
	sn.Depth, sn.Kernel, sn.Reach, sn.Debias = t.levels, t.kernel, t.reach, t.debias
	if b.radius != fresh.Brush.radius || b.strength != fresh.Brush.strength {
		sn.Radius, sn.Strength = b.radius, b.strength
	}
	if play.mass != fresh.Playback.mass {
		sn.Mass = string(play.mass)
	}
	if play.line.Speed() != fresh.Playback.line.Speed() {
		sn.Speed = play.line.Speed()
	}
	if at := play.line.At(); play.shown && !play.line.Playing() && play.flow != nil && !play.start && !play.left {
		sn.Moment = at
	}
	if p.cell > 0 {
		sn.Cell = int(p.cell)
	}
	sn.Bag, sn.Gone = s.Treewidth.said()
	if f := s.Inspection.field; f != FieldGiven {
		if sn.Field.Name = string(f); f == FieldDistance {
			sn.Field.From = max(int(s.Inspection.origin), 0)
		}
	}
	if s.task != s.View.looks.suggested() {
		sn.Task = string(s.task)
	}
	if on := s.View.looks.Section; on.Axis != "" {
		sn.Section = session.Section(on)
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
	if s.Mesh.ready() {
		sn.Painting = s.Densities.painting()
		sn.Kept = s.Barycentre.kept()
	}
	return sn, s.ready() && !s.flight.has(toMeasure, toRemember) && s.Densities.remaking == nil && !b.active
}

// OpenSession opens the mesh of a session, from its bytes or by its generator,
// and shows it with the session's settings and painting. A setting that the page
// cannot show is among the mesh's warnings, and the usual one stands in its place.
func (s *Scene) OpenSession(sn *session.Session) error {
	if sn.File == nil && sn.Kind == "" {
		return errors.New("the session has no mesh")
	}
	s.open(openSource{reference: sn.Mesh, kind: sn.Kind, params: sn.Params, load: sn.File, repairs: sn.Repairs, session: sn})
	return nil
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
	s.Mesh.odd = slices.Clone(sn.Odd)
	s.Unit(sn.Unit)
	within := func(what string, x, lo, hi float64) float64 {
		taken := min(max(x, lo), hi)
		if taken != x {
			s.Mesh.odd = append(s.Mesh.odd, fmt.Sprintf("The link's %s is %g, not between %g and %g: %g is taken.", what, x, lo, hi, taken))
		}
		return taken
	}
	p := &s.Separation
	p.finder, p.balance, p.wanted = sn.Finder, sn.Balance, sn.Cut
	p.timeline.Seek(float64(sn.Level)) // clamped once the tree is there
	p.linked = p.Shown()
	method := cmp.Or(sn.Method, Automatic)
	if !slices.Contains(job.Methods, method) {
		s.Mesh.odd = append(s.Mesh.odd, fmt.Sprintf("The link's method is %.40q, which this page does not know: %s is taken.", method, Automatic))
		method = Automatic
	}
	s.Transport.by(method)
	s.Transport.epsilon = within("epsilon", or(sn.Epsilon, DefaultEpsilon), MinEpsilon, MaxEpsilon)
	s.Transport.delta = within("delta", or(sn.Delta, DefaultDelta), MinDelta, MaxDelta)
	kernel := sn.Kernel
	if function, _, _ := strings.Cut(kernel, ":"); function != "" && !slices.Contains(job.Functions, function) {
		s.Mesh.odd = append(s.Mesh.odd, fmt.Sprintf("The link's kernel is %.40q, which this page does not know: %s is taken.", kernel, job.Exp))
		kernel = ""
	}
	s.Transport.kernel, s.Transport.reach, s.Transport.debias = "", 0, false
	if sn.Reach != 0 {
		s.Transport.reach = within("reach", sn.Reach, MinReach, MaxReach)
		if kernel != "" && kernel != job.Exp {
			s.Mesh.odd = append(s.Mesh.odd, "The link has a reach, which is of the kernel exp alone: it is left out.")
		}
	}
	s.Transport.choose(kernel)
	if s.Transport.debias = sn.Debias && s.Transport.reach == 0 && (s.Transport.yielded || s.Transport.automatic() || job.Whole(s.Transport.usual())); s.Transport.debias {
		s.Transport.fit()
	} else if sn.Debias {
		s.Mesh.odd = append(s.Mesh.odd, "The link asks for the divergence, which is of balanced transport with a method of the whole mesh: it is left out.")
	}
	s.Transport.levels = int(within("tree depth", float64(sn.Depth), 0, MaxLevels))
	s.Barycentre.coming = sn.Kept
	s.remember()
	s.Brush.radius, s.Brush.strength = DefaultRadius, DefaultStrength
	if sn.Radius != 0 {
		s.Brush.radius, s.Brush.strength = within("brush radius", sn.Radius, MinRadius, MaxRadius), within("brush strength", sn.Strength, 0, 1)
	}
	s.Playback.mass = MassParticles
	switch mass := Mass(sn.Mass); mass {
	case "", MassParticles:
	case MassDensity:
		s.Playback.mass = mass
	default:
		s.Mesh.odd = append(s.Mesh.odd, fmt.Sprintf("The link shows moving mass as %.40q, which this page does not know: %s is taken.", mass, MassParticles))
	}
	s.Playback.line.SetSpeed(within("playback speed", or(sn.Speed, 1), timeline.MinSpeed, timeline.MaxSpeed))
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
	switch s.task = Task(sn.Task); s.task {
	case TaskTransport, TaskSeparators, TaskTreewidth, TaskInspect:
	default:
		if s.task = s.View.looks.suggested(); sn.Field.Name != "" { // which no other task shows
			s.task = TaskInspect
		}
		if sn.Task != "" {
			s.Mesh.odd = append(s.Mesh.odd, fmt.Sprintf("The link begins with the task %.40q, which this page does not know: %s is taken.", sn.Task, s.task))
		}
	}
	s.View.looks.Section = fresh.View.looks.Section
	if s.task == TaskInspect {
		s.View.Section(sn.Section.Axis, sn.Section.Position)
		s.ShowDefects(true)
		f, from := Field(sn.Field.Name), sn.Field.From
		if f != FieldGiven { // nobody gives any
			s.ShowField(f)
		}
		switch {
		case s.Inspection.field != f:
			s.Mesh.odd = append(s.Mesh.odd, fmt.Sprintf("The link colours the mesh by %.40q, which this page does not know.", f))
		case f == FieldDistance && from >= s.Mesh.Vertices():
			s.Mesh.odd = append(s.Mesh.odd, fmt.Sprintf("The link measures distances from vertex %d, the mesh has %d.", from, s.Mesh.Vertices()))
		case f == FieldDistance:
			s.MeasureFrom(int32(from))
		}
	}
	p.focused = int32(sn.Cell)
	s.Treewidth.linked = linkedStudy{sn.Bag, sn.Gone}
	if sn.Moment > 0 {
		s.Playback.Seek(sn.Moment)
	}
	camera := sn.Camera
	if camera != nil && !poseOf(camera).Valid() {
		s.Mesh.odd = append(s.Mesh.odd, "The link's camera is out of range: the usual one is taken.")
		camera = nil
	}
	s.View.resume(camera, &s.Mesh)
}
