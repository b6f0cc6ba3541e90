package shortest

import (
	"math"

	"genussink/core/graph"
)

// Stepper answers Solver.Seeded's question in half of the time or less. Its queue is buckets of distance, without an order inside
// (U. Meyer and P. Sanders, "Delta-stepping: a parallelizable shortest path algorithm", 2003). A vertex that comes nearer after its turn
// has another turn, so the distances are the Solver's, to the last bit. The zero value needs Turn first. Not safe for concurrent use.
type Stepper struct {
	g      *graph.Graph
	scale  float64 // buckets per distance
	bucket [buckets][]open
	far    []open  // beyond the last bucket
	solver *Solver // takes over where edges are too different; nil until then
}

const (
	buckets   = 64
	perEdge   = 2 // buckets per edge of mean length; with 1 to 8 labels take the same time within a tenth
	mostTurns = 4 // per vertex, in the mean
)

// Turn turns to another graph.
func (s *Stepper) Turn(g *graph.Graph) {
	sum := 0.0
	for _, w := range g.Weights {
		sum += w
	}
	s.g, s.solver, s.scale = g, nil, perEdge*float64(len(g.Weights))/sum
	if !(s.scale <= math.MaxFloat64) {
		s.scale = 0 // no edges, or of next to no length: one bucket
	}
}

// Seeded fills dst, of as many numbers as there are vertices, with what Solver.Seeded does.
func (s *Stepper) Seeded(dst []float64, sources []int32, offsets []float64) {
	if s.solver == nil {
		for v := range dst[:s.g.Len()] {
			dst[v] = math.Inf(1)
		}
	}
	s.lower(dst, sources, offsets, 1)
}

// Lower is Seeded where dst holds the length of some path to every vertex already, +Inf for none. It visits those vertices alone to
// which it finds a path shorter by more than NoShorter of its length, and their neighbours. The lengths of the others stay, and those are
// too long by at most NoShorter of themselves if the lengths before differ between neighbours by no more than their edge.
func (s *Stepper) Lower(dst []float64, sources []int32, offsets []float64) {
	s.lower(dst, sources, offsets, 1+NoShorter)
}

// NoShorter is so small a share of a length that the order in which edges are added up may make as much.
const NoShorter = 0x1p-51

func (s *Stepper) lower(dst []float64, sources []int32, offsets []float64, longer float64) {
	if s.solver == nil {
		if s.run(dst[:s.g.Len()], sources, offsets, longer) {
			return
		}
		s.solver = NewSolver(s.g)
	}
	s.solver.Seeded(dst, sources, offsets)
}

// run lowers dst, unless that takes too many turns. Paths count that are shorter even if they are made longer by this factor.
func (s *Stepper) run(dst []float64, sources []int32, offsets []float64, longer float64) (ok bool) {
	s.far = s.far[:0]
	for i, v := range sources {
		if d := offsets[i]; d*longer < dst[v] {
			dst[v] = d
			s.far = append(s.far, open{d, v})
		}
	}
	for left := mostTurns * len(dst); len(s.far) > 0; {
		base := s.refill(dst)
		for at := range s.bucket {
			for i := 0; i < len(s.bucket[at]); i++ { // it may grow
				o := s.bucket[at][i]
				if o.d > dst[o.v] {
					continue
				}
				if left--; left < 0 {
					for at := range s.bucket {
						s.bucket[at] = s.bucket[at][:0]
					}
					return false
				}
				to, weights := s.g.Neighbours(o.v)
				weights = weights[:len(to)]
				far := o.d * longer
				for k, t := range to {
					if far+weights[k] < dst[t] {
						e := o.d + weights[k]
						dst[t] = e
						s.push(open{e, t}, base)
					}
				}
			}
			s.bucket[at] = s.bucket[at][:0]
		}
	}
	return true
}

// push takes in o; the first bucket begins at base.
func (s *Stepper) push(o open, base float64) {
	if x := (o.d - base) * s.scale; x < buckets {
		s.bucket[int(x)] = append(s.bucket[int(x)], o)
	} else {
		s.far = append(s.far, o)
	}
}

// refill moves what is far and near enough to the buckets, the first of which begins at base.
func (s *Stepper) refill(dst []float64) (base float64) {
	base = math.Inf(1)
	for _, o := range s.far {
		if o.d < base { // min is a call in WebAssembly
			base = o.d
		}
	}
	far := s.far
	s.far = far[:0]
	for _, o := range far {
		if o.d == dst[o.v] {
			s.push(o, base)
		}
	}
	return base
}
