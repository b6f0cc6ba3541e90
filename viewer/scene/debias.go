package scene

import "genussink/core/job"

// Debias has every solve find the Sinkhorn divergence too, which takes two more solves. It is of balanced transport and of methods whose kernel
// is of the whole graph: automatic becomes exact. What comes later and cannot have it ends it: a reach or a method.
func (s *Scene) Debias(on bool) {
	t := &s.Transport
	if on == t.debias || on && t.reach > 0 {
		return
	}
	t.debias = on
	changed := t.fit()
	if !on {
		s.changed() // the answer stays one
		return
	}
	if changed {
		s.sayFitted()
	}
	s.soon()
}

// by takes a method.
func (t *Transport) by(method string) {
	t.method, t.yielded = method, false
	t.debias = t.debias && job.Whole(t.usual())
}
