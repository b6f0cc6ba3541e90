package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"genussink/core/job"
	"genussink/core/separator"
	"genussink/core/treedec"
)

const (
	defaultSeconds = 60        // of a search for tree decompositions
	maxSeconds     = 24 * 3600 // a search may be asked for
)

// decompose looks for tree decompositions until their width is proved to be
// the treewidth or the time is over, and tells of every better one.
func (e *Engine) decompose(r *run, sc *scene, b *job.Decompose) (job.Body, error) {
	seconds := b.Seconds
	if seconds == 0 {
		seconds = defaultSeconds
	}
	if !(seconds > 0 && seconds <= maxSeconds) {
		return nil, fmt.Errorf("a search of %g seconds: it must take more than 0 and at most %d", seconds, maxSeconds)
	}
	end := r.Begin("treewidth")
	limit := time.Duration(seconds * float64(time.Second))
	timed, cancel := context.WithTimeout(r.ctx, limit)
	defer cancel()
	least := treedec.Degeneracy(sc.Graph) // which the search may come to later
	var told *treedec.Decomposition
	var fault error
	result, err := treedec.Treewidth(requestContext{timed, r.ctx}, sc.Graph, treedec.Options{
		Progress: r.progress,
		Begin: func(ctx context.Context) ([]int32, error) {
			share, cancel := context.WithTimeout(ctx, limit/4)
			defer cancel()
			return separator.Dissect(requestContext{share, ctx}, sc.Graph, separator.Options{Positions: sc.Mesh.Positions})
		},
		Improved: func(best treedec.Result) {
			n := &job.Narrowed{Lower: max(best.Lower, least), Upper: best.Decomposition.Width()}
			if best.Decomposition != told {
				told = best.Decomposition
				if n.Decomposition, fault = flatten(told); fault != nil {
					cancel()
					return
				}
			}
			r.tell(n)
		},
	})
	if fault != nil {
		return nil, fault
	}
	// Only the search's own time may end it and leave an answer.
	status := "bounds"
	over := errors.Is(err, context.DeadlineExceeded) && r.ctx.Err() == nil
	switch {
	case result.Exact:
		status = "exact"
	case over && result.Decomposition == nil:
		return nil, fmt.Errorf("no tree decomposition was found in %g seconds", seconds)
	case over:
		status = "time"
	case err != nil:
		return nil, err
	}
	end()
	d, err := flatten(result.Decomposition)
	if err != nil {
		return nil, err
	}
	return &job.Decomposed{
		Lower: max(result.Lower, least), Upper: result.Decomposition.Width(), Exact: result.Exact, Status: status,
		Decomposition: d, Timings: r.Timings,
	}, nil
}

// checked is the decomposition of a file.
func (sc *scene) checked(b *job.Check) (job.Body, error) {
	d, err := treedec.CheckPACE(bytes.NewReader(b.Data), sc.Graph)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", b.Name, err)
	}
	flat, err := flatten(d)
	if err != nil {
		return nil, err
	}
	least := treedec.Degeneracy(sc.Graph)
	return &job.Decomposed{Lower: least, Upper: d.Width(), Exact: least == d.Width(), Status: "file", Decomposition: flat}, nil
}

// flatten is a decomposition as plain data.
func flatten(d *treedec.Decomposition) (flat job.Decomposition, err error) {
	if len(d.Bags) == 0 {
		return job.NewDecomposition(nil, nil, nil), nil
	}
	centroid, err := d.Centroid()
	if err != nil {
		return flat, err
	}
	parents, err := d.Parents(centroid)
	if err != nil {
		return flat, err
	}
	order, err := d.OrderTo(centroid)
	if err != nil {
		return flat, err
	}
	return job.NewDecomposition(d.Bags, parents, order), nil
}
