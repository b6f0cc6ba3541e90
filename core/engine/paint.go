package engine

import (
	"fmt"
	"math"

	"genussink/core/job"
	"genussink/core/method"
	"genussink/core/paint"
)

// paint makes densities anew from what a person did.
func (sc *scene) paint(r *run, b *job.Paint) (job.Body, error) {
	n := sc.Graph.Len()
	if b.Vertices != 0 && b.Vertices != n {
		return nil, fmt.Errorf("the densities were painted on a mesh of %d vertices, this one has %d", b.Vertices, n)
	}
	if b.First < 0 || b.First > len(b.Steps) {
		return nil, fmt.Errorf("densities after step %d of %d", b.First, len(b.Steps))
	}
	if bytes, most := 16*int64(n)*int64(len(b.Steps)-b.First+1), r.e.machine.MemoryLimit/4; bytes > most {
		return nil, &method.MemoryError{Message: fmt.Sprintf("%d steps of painting on %d vertices take %d bytes, at most %d", len(b.Steps), n, bytes, most)}
	}
	end := r.Begin("paint")
	painted := &job.Painted{States: make([]job.Measured, 0, len(b.Steps)-b.First+1)}
	said, now := &job.Measured{}, paint.Pair{make([]float64, n), make([]float64, n)}
	for i := 0; ; i++ {
		if i >= b.First {
			painted.States = append(painted.States, job.Measured{
				Preset: said.Preset, Components: said.Components, Note: said.Note, Source: now[paint.Source], Target: now[paint.Target],
			})
		}
		if i == len(b.Steps) {
			break
		}
		r.progress("paint", float64(i)/float64(len(b.Steps)))
		said = &job.Measured{}
		var err error
		made := func(m job.Body, fault error) {
			if err = fault; err == nil {
				said = m.(*job.Measured)
				now = paint.Pair{said.Source, said.Target}
			}
		}
		switch s := &b.Steps[i]; {
		case s.Stroke():
			now, err = sc.stroke(r, now, s)
		case s.Kind == job.StepMeasure:
			made(sc.measure(&s.Measure))
		case s.Kind == job.StepBalance:
			made(sc.balance(&job.Balance{Source: now[paint.Source], Target: now[paint.Target]}))
		case s.Kind == job.StepClear:
			now = paint.Pair{make([]float64, n), make([]float64, n)}
		case s.Kind == job.StepSwap:
			now[paint.Source], now[paint.Target] = now[paint.Target], now[paint.Source]
		case s.Kind == job.StepValues:
			now = paint.Pair{s.Source, s.Target}
			err = checkValues(now, n)
		default:
			err = fmt.Errorf("there is no step of the kind %q", s.Kind)
		}
		if err != nil {
			return nil, fmt.Errorf("step %d of the painting: %w", i+1, err)
		}
	}
	end()
	return painted, nil
}

// stroke draws one stroke on densities, which stay as they are.
func (sc *scene) stroke(r *run, on paint.Pair, s *job.Step) (paint.Pair, error) {
	if !(s.Strength >= 0 && s.Strength <= 1) {
		return on, fmt.Errorf("a brush of strength %g: it must lie between 0 and 1", s.Strength)
	}
	if len(s.Pressures) != 0 && len(s.Pressures) != len(s.Centres) {
		return on, fmt.Errorf("%d pressures for %d dabs", len(s.Pressures), len(s.Centres))
	}
	if s.Fill {
		for _, v := range s.Centres {
			if err := sc.check(v); err != nil {
				return on, err
			}
		}
		return paint.Fill(on, s), nil
	}
	stroke := paint.Begin(on, s)
	for i, center := range s.Centres {
		if err := r.ctx.Err(); err != nil {
			return on, err
		}
		ball, err := sc.brush(&job.Brush{Center: center, Radius: s.Radius, Edges: s.Kind == job.StrokeSmooth})
		if err != nil {
			return on, err
		}
		pressure := byte(job.FullPressure)
		if len(s.Pressures) > 0 {
			pressure = s.Pressures[i]
		}
		stroke.Dab(say(sc.Unit, ball).(*job.Brushed), pressure)
	}
	return stroke.Now, nil
}

func checkValues(p paint.Pair, n int) error {
	for k, values := range p {
		name := [2]string{"source", "target"}[k]
		if len(values) != n {
			return fmt.Errorf("the %s has %d values, the mesh %d vertices", name, len(values), n)
		}
		for v, x := range values {
			if !(x >= 0) || math.IsInf(x, 1) {
				return fmt.Errorf("the %s at vertex %d is %g: it must be finite and not negative", name, v, x)
			}
		}
	}
	return nil
}
