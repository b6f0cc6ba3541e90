package scene

import "genussink/core/job"

// margins is where a plan with a reach destroys and creates mass.
type margins struct {
	shown bool
	rows  []float64    // what each vertex sends, nil before it is known
	mass  [2][]float64 // destroyed where it was the source's or came, created where it is the target's or went: 1 per vertex, shares of the source's mass; nil before they are known
	peak  [2]float64
}

// forget forgets a plan's.
func (c *margins) forget() { *c = margins{shown: c.shown} }

// take finds what is destroyed and created from the plan's marginals: the source without the one and with the other is the target. Both are of a
// source of total 1, as in job.Solved.
func (c *margins) take(asked *job.Solve, columns []float64) {
	total := 0.0
	for _, x := range asked.Source {
		total += x
	}
	c.mass, c.peak = [2][]float64{make([]float64, len(columns)), make([]float64, len(columns))}, [2]float64{}
	for v, arrives := range columns {
		for _, gone := range []float64{asked.Source[v]/total - c.rows[v], arrives - asked.Target[v]/total} {
			if gone > 0 {
				c.mass[sourceSide][v] += gone
			} else {
				c.mass[targetSide][v] -= gone
			}
		}
		for side, mass := range c.mass {
			c.peak[side] = max(c.peak[side], mass[v])
		}
	}
}

// cover lays it over the fill.
func (c *margins) cover() cover {
	return cover{densities: c.mass, per: [2]float64{inverse(c.peak[sourceSide], 0), inverse(c.peak[targetSide], 0)}}
}

// Reach lets masses differ, with how far mass moves rather than be destroyed here and created there: a fraction of the diagonal, clamped to
// MinReach and MaxReach; 0: masses do not differ. It is of exp alone, and of methods whose kernel is of the whole graph: automatic becomes exact.
func (s *Scene) Reach(fraction float64) {
	t := &s.Transport
	was := t.reach
	if fraction == 0 {
		t.reach = 0
	} else if !set(&t.reach, fraction, MinReach, MaxReach) || t.kernel != "" {
		t.reach = was
		return
	}
	if t.reach == was {
		return
	}
	if t.reach > 0 {
		t.debias = false
	}
	if t.fit() && t.reach > 0 {
		s.sayFitted()
	}
	s.soon()
}

// unequal says where masses differ that must not, nil where they may.
func (s *Scene) unequal() *UnequalState {
	if s.Transport.reach > 0 {
		return nil
	}
	return s.Densities.unequal(&s.Mesh.components)
}

// ShowChange shows where the plan destroys and creates mass.
func (s *Scene) ShowChange(on bool) {
	c := &s.Transport.margins
	if c.shown == on {
		return
	}
	c.shown = on
	s.recolor(true)
	s.changed()
	s.askChange()
}

// askChange asks for the plan's marginals, if what they tell is to be shown.
func (s *Scene) askChange() {
	t := &s.Transport
	if t.margins.shown && t.unbalanced() && t.margins.mass[sourceSide] == nil && !s.flight.has(toChange) {
		ones := make([]float64, s.Mesh.Vertices())
		for v := range ones {
			ones[v] = 1
		}
		s.send(toChange, &job.Push{Values: ones, Transpose: t.margins.rows != nil})
	}
}

// marginal takes the rows' sums, then those of the columns.
func (s *Scene) marginal(values []float64) bool {
	c := &s.Transport.margins
	if len(values) != s.Mesh.Vertices() {
		return false
	}
	if c.rows == nil {
		c.rows = values
		s.askChange()
		return true
	}
	c.take(s.Transport.asked, values)
	s.recolor(true)
	return true
}

// unbalanced says whether the answer is with a reach.
func (t *Transport) unbalanced() bool { return t.solved != nil && t.solved.Reach > 0 }

// usual is the method that is asked for, by its name.
func (t *Transport) usual() string {
	if t.method == "" {
		return job.Exact
	}
	return t.method
}
