package engine

import (
	"genussink/core/job"
	"genussink/core/mincost"
)

// minimum needs the graph alone.
func (sc *scene) minimum(r *run, b *job.Minimum) (job.Body, error) {
	end := r.Begin(job.StageMinimum)
	o, err := mincost.Solve(r.ctx, sc.Graph, b.Source, b.Target)
	if err != nil {
		return nil, err
	}
	end()
	done := &job.Minimised{Cost: o.Cost, Dual: o.Dual, Potential: o.Potential, Iterations: o.Iterations, Timings: r.Timings}
	for _, a := range o.Flow {
		done.From, done.To, done.Mass = append(done.From, a.From), append(done.To, a.To), append(done.Mass, a.Mass)
	}
	return done, nil
}
