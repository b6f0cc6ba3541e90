package hub

import "math"

// Effort is how much there is to do for a graph once its tree is known.
type Effort struct {
	Labels float64 // distances that Measure finds
	Walk   float64 // of Walk: over regions, hubs x (left x right)^(3/4), see Labels.effort
}

// Effort counts.
func (t *Tree) Effort() (e Effort) {
	for i := range t.regions {
		r := &t.regions[i]
		e.Labels += float64(r.labels())
		e.Walk += float64(len(r.hubs)) * math.Pow(float64(r.mid-r.lo)*float64(r.sep-r.mid), 0.75)
	}
	return e
}

// EffortOf is what the tree of a connected graph of n vertices asks for, roughly: that of a mesh.
func EffortOf(n int) Effort {
	labels := 3.1 * math.Pow(float64(n), 1.5)
	return Effort{labels, 0.3 * math.Sqrt(float64(n)) * labels}
}
