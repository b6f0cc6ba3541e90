package scene

import "genussink/core/job"

// Debias has every solve find the Sinkhorn divergence too, which takes two more solves. It is of balanced transport, of exp alone and of methods
// whose kernel is of the whole graph: automatic becomes exact. What comes later and cannot have it ends it: a reach, another kernel or method.
func (s *Scene) Debias(on bool) {
	t := &s.Transport
	if on == t.debias || on && !t.debiasable() {
		return
	}
	if t.debias = on; !on {
		t.unyield()
		s.changed() // the answer stays one
		return
	}
	if !job.Whole(t.usual()) {
		t.yield(job.Exact)
		s.Say("The divergence needs the kernel of the whole mesh: the method is exact now.")
	}
	s.soon()
}

// by takes a method.
func (t *Transport) by(method string) {
	t.method, t.yielded = method, false
	t.debias = t.debias && job.Whole(t.usual())
}

// debiasable says whether kernel and reach allow it.
func (t *Transport) debiasable() bool { return t.kernel == "" && t.reach == 0 }
