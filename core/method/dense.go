package method

import (
	"context"
	"fmt"

	"genussink/core/baseline"
	"genussink/core/job"
	"genussink/core/linop"
)

// matrix is the dense kernel in a precision.
type matrix interface {
	linop.Kernel
	metric
}

func (m *Maker) denseKernel(r *Run, p Spec, limit int64) (*Kernel, error) {
	defer r.Begin(job.StageKernel)()
	k, err := baseline.NewDense(r.Context, m.Graph, p.Epsilon, baseline.Options{MemoryLimit: limit, Progress: r.Progress})
	if err != nil {
		return nil, err
	}
	return m.dense(p, k, job.Float64), nil
}

// ShortDense is the dense kernel in float32, which no solve offers: a bench measures it beside the one in float64.
func (m *Maker) ShortDense(r *Run, p Spec) (*Kernel, error) {
	end := r.Begin(job.StageKernel)
	k, err := baseline.NewMatrix[float32](r.Context, m.Graph, p.Epsilon, baseline.Options{MemoryLimit: m.MemoryLimit, Progress: r.Progress})
	if err != nil {
		return nil, err
	}
	end()
	made := m.dense(p, k, job.Float32)
	made.Stages = []job.Timing{r.Latest()}
	return made, nil
}

func (m *Maker) dense(p Spec, k matrix, precision string) *Kernel {
	made := p.made(k, m.DenseBytes(precision))
	made.Made.Precision, made.metric = precision, k
	return made
}

// DenseBytes is what the dense kernel holds in a precision.
func (s *Space) DenseBytes(precision string) int64 {
	if precision == job.Float32 {
		return baseline.Bytes[float32](s.Graph.Len())
	}
	return baseline.DenseBytes(s.Graph.Len())
}

// denseRows is how many rows of the dense matrix are computed to predict what
// all of them would take.
const denseRows = 8

// DenseRate is what the dense matrix takes here, in scalings or in logarithms, predicted from some of its rows. In haste it is not
// measured, and zero if it was not before.
func (m *Maker) DenseRate(ctx context.Context, epsilon float64, log, haste bool) (baseline.Prediction, error) {
	rate := &m.kept.rates[0]
	if log {
		rate = &m.kept.rates[1]
	}
	if rate.Rows == 0 && !haste {
		measured, err := baseline.Predict[float64](ctx, m.Graph, epsilon, denseRows, log, m.Now)
		if err != nil {
			return *rate, err
		}
		*rate = measured
	}
	return *rate, nil
}

// PredictDense predicts from so many rows what the dense matrix takes in a precision.
func (m *Maker) PredictDense(ctx context.Context, epsilon float64, precision string, rows int) (baseline.Prediction, error) {
	switch precision {
	case job.Float32:
		return baseline.Predict[float32](ctx, m.Graph, epsilon, rows, false, m.Now)
	case job.Float64:
		return baseline.Predict[float64](ctx, m.Graph, epsilon, rows, false, m.Now)
	}
	return baseline.Prediction{}, fmt.Errorf("method: there is no dense matrix of %q", precision)
}
