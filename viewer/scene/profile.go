package scene

import (
	"slices"

	"genussink/core/job"
)

// profile is the kernel's function beside a sample of the mesh's distances.
type profile struct {
	shown   bool          // somebody looks at it
	found   *job.Profiled // nil before it is known, and of a function that is refused
	refusal string        // why no solve takes the function, a sentence; "": nothing is known against it
	due     bool          // what is under way is of other settings
}

func (p *profile) state() *ProfileState {
	e := p.found
	if e == nil {
		return nil
	}
	return &ProfileState{
		Rows: e.Rows, Longest: finite(e.Longest), Pairs: slices.Clone(e.Pairs), Values: slices.Clone(e.Values), Tenth: Number(e.Tenth), Nearer: Number(e.Nearer),
	}
}

// function is that of the kernel.
func (t *Transport) function() string {
	if t.kernel == "" {
		return job.Exp
	}
	return t.kernel
}

// choose takes a function. A reach is of exp alone: another function ends it.
func (t *Transport) choose(name string) {
	if name == job.Exp {
		name = ""
	}
	if t.kernel = name; name != "" {
		t.reach = 0
	}
	t.fit()
}

// fit has another method take automatic's place while a kernel, a reach or the divergence needs one, and gives it back then. A reach and the
// divergence need a kernel of the whole graph: where a method without one was chosen, exact takes its place for good. It says whether the
// method is another one now.
func (t *Transport) fit() (changed bool) {
	was := t.method
	if t.yielded || t.automatic() {
		switch t.yielded = true; {
		case t.kernel != "":
			t.method = job.Certified
		case t.reach > 0 || t.debias:
			t.method = job.Exact
		default:
			t.method, t.yielded = Automatic, false
		}
	} else if (t.reach > 0 || t.debias) && !job.Whole(t.usual()) {
		t.method = job.Exact
	}
	return t.method != was
}

// sayFitted says why another method has automatic's place.
func (s *Scene) sayFitted() {
	switch t := &s.Transport; {
	case t.kernel != "":
		s.Say("The automatic method has the kernel exp alone: the method is certified now.")
	case t.reach > 0:
		s.Say("A reach needs the kernel of the whole mesh: the method is exact now.")
	case t.debias:
		s.Say("The divergence needs the kernel of the whole mesh: the method is exact now.")
	}
}

// Kernel chooses the function of distance over epsilon, as the tool's -kernel has it; "" or "exp": exp. Where the method is automatic, which has
// exp alone, it becomes certified.
func (s *Scene) Kernel(name string) {
	t := &s.Transport
	was, method := t.function(), t.method
	if t.choose(name); t.function() == was {
		return
	}
	if t.yielded && t.method != method && t.kernel != "" {
		s.sayFitted()
	}
	t.profile.refusal = ""
	s.soon()
	s.askProfile()
	s.refitBarycentre()
}

// ShowProfile says whether somebody looks at the kernel's function.
func (s *Scene) ShowProfile(on bool) {
	if on != s.Transport.profile.shown {
		s.Transport.profile.shown = on
		s.changed()
		s.askProfile()
	}
}

// askProfile asks for the profile of the function while somebody looks at it.
func (s *Scene) askProfile() {
	p := &s.Transport.profile
	if !p.shown || !s.ready() || s.Mesh.Vertices() == 0 {
		return
	}
	if p.due = s.flight.has(toProfile); !p.due {
		s.send(toProfile, &job.Profile{KernelSpec: s.Transport.spec(s.Transport.method)})
	}
}

func (s *Scene) profiled(e *job.Profiled) {
	p := &s.Transport.profile
	p.found, p.refusal = e, ""
	if p.due {
		s.askProfile()
	}
}

// unprofiled takes why there is no profile: a solve would be refused for the same reason. None is begun by itself, and one under way ends.
func (s *Scene) unprofiled(e *job.Failed) {
	p := &s.Transport.profile
	if p.due {
		s.askProfile()
		return
	}
	p.found, p.refusal = nil, e.Message
	s.Transport.settle = 0
	s.drop(toSolve) // of settings before
}
