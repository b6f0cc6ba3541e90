package engine

import (
	"context"
	"errors"
	"math"

	"genussink/core/job"
	"genussink/core/transport"
)

// again solves a plan again from where it began, and tells watch of its iterations.
type again func(ctx context.Context, progress func(stage string, fraction float64), watch transport.Watch) error

// repeat solves a problem again.
func repeat(p transport.Problem, o transport.Options) again {
	return func(ctx context.Context, progress func(stage string, fraction float64), watch transport.Watch) error {
		o.Progress, o.Watch = progress, watch
		_, err := transport.Solve(ctx, p, o)
		return err
	}
}

const (
	firstFrames = 10 // iterations that are all kept
	mostFrames  = 40
	frameBytes  = 32 << 20 // of all frames, as far as one of them allows
)

// spaced are the iterations that are kept, of so many on n vertices: the first are all there, then they lie at even ratios.
func spaced(count, n int) map[int]bool {
	most := min(mostFrames, max(frameBytes/(4*max(n, 1)), 1))
	keep := map[int]bool{}
	for i := 1; i <= min(count, firstFrames, most); i++ {
		keep[i] = true
	}
	for k := 1; k <= most-firstFrames; k++ {
		at := firstFrames * math.Pow(float64(count)/firstFrames, float64(k)/float64(most-firstFrames))
		keep[int(math.Round(at))] = true
	}
	return keep
}

// retrace needs the kernel, and takes as long as the solve did.
func (e *Engine) retrace(r *run, sc *scene) (answer job.Body, err error) {
	err = e.withPlan(r, sc, func(last *solved) error {
		answer, err = last.retrace(r)
		return err
	})
	return answer, err
}

func (last *solved) retrace(r *run) (job.Body, error) {
	if last.reach != 0 {
		return nil, errors.New("the last plan is of unbalanced transport, whose iterations are not told")
	}
	answer := &job.Retraced{Trace: last.result.Trace}
	keep := spaced(len(answer.Trace), len(last.problem.Source))
	end := r.Begin(job.StageSolve)
	err := last.again(r.ctx, r.progress, func(iteration int, rows, columns []float64) {
		if keep[iteration] || iteration == len(answer.Trace) {
			answer.Frames = append(answer.Frames, job.Frame{Iteration: int32(iteration), Rows: shorts(rows), Columns: shorts(columns)})
		}
	})
	if err != nil {
		return nil, err
	}
	end()
	answer.Timings = r.Timings
	return answer, nil
}

// shorts are numbers as float32.
func shorts(x []float64) []float32 {
	var out []float32
	for _, v := range x {
		out = append(out, float32(v))
	}
	return out
}
