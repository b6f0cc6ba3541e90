package engine

import (
	"context"
	"math"

	"genussink/core/job"
)

// How large a profile is: its sample has about so many distances, from so many vertices at least and at most.
const (
	sampledDistances         = 400_000
	leastSampled             = 4
	mostSampled              = 64
	profileBins, profileSize = 40, 161
)

// sample is some of the distances, sorted into bins.
type sample struct {
	rows    int
	longest float64 // in the unit
	far     []float64
}

// sample measures distances from vertices that lie evenly among all, in their order, to all others. One that another is at is no pair.
func (sc *scene) sample(ctx context.Context) (*sample, error) {
	sc.sampling.Lock()
	defer sc.sampling.Unlock()
	if sc.sampled != nil {
		return sc.sampled, nil
	}
	n := sc.Graph.Len()
	s := &sample{rows: min(n, max(leastSampled, min(mostSampled, sampledDistances/max(n, 1))))}
	solver, done := sc.Solver()
	defer done()
	var row []float64
	for k := range s.rows {
		from := int32(k * n / s.rows)
		var err error
		if row, err = solver.DistancesContext(ctx, row, []int32{from}, nil); err != nil {
			return nil, err
		}
		for v, d := range row {
			if int32(v) != from && !math.IsInf(d, 1) {
				s.far = append(s.far, d)
				s.longest = max(s.longest, d)
			}
		}
	}
	sc.sampled = s
	return s, nil
}

// profile says how a kernel's function falls over the distances of the mesh.
func (sc *scene) profile(r *run, b *job.Profile) (job.Body, error) {
	p, err := sc.Spec(b.KernelSpec)
	if err != nil {
		return nil, err
	}
	at, err := sc.maker.Check(&r.Run, p)
	if err != nil {
		return nil, err
	}
	s, err := sc.sample(r.ctx)
	if err != nil {
		return nil, err
	}
	out := &job.Profiled{
		Rows: s.rows, Longest: s.longest, Pairs: make([]int32, profileBins), Values: make([]float64, profileSize), Tenth: math.NaN(), Nearer: math.NaN(),
	}
	top := at(0)
	for i := range out.Values {
		out.Values[i] = at(s.longest*float64(i)/(profileSize-1)/p.Epsilon) / top
	}
	if far := s.longest / p.Epsilon; at(far) <= top/10 { // every f that a solve takes falls
		near := 0.0
		for range 60 {
			if x := near + (far-near)/2; at(x) <= top/10 {
				far = x
			} else {
				near = x
			}
		}
		out.Tenth = far * p.Epsilon
	}
	nearer := 0
	for _, d := range s.far {
		if d <= out.Tenth {
			nearer++
		}
		out.Pairs[min(int(profileBins*d/s.longest), profileBins-1)]++
	}
	if !math.IsNaN(out.Tenth) && len(s.far) > 0 {
		out.Nearer = float64(nearer) / float64(len(s.far))
	}
	return out, nil
}
