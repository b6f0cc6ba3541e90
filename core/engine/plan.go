package engine

import (
	"context"
	"errors"
	"fmt"

	"genussink/core/job"
	"genussink/core/linop"
	"genussink/core/method"
	"genussink/core/team"
	"genussink/core/transport"
	"genussink/core/transport/flow"
)

// maxParticles bounds a Flow: a path has some hundred vertices.
const maxParticles = 1 << 20

var errNoPlan = errors.New("nothing has been solved for this mesh yet")

// over is the plan over the kernel, ready to be asked by one request that has it to itself.
func (s *solved) over(sc *scene) (*transport.Plan, error) {
	k := s.kernel.Kernel
	if !knowsRows(s.kernel) {
		k = rows{k, sc}
	}
	return transport.NewPlan(k, s.kernel.Spec.Epsilon, s.result.LogU, s.result.LogV)
}

// beside is the plan for a question about rows alone, whatever else its kernel does meanwhile.
func (s *solved) beside(sc *scene) (*transport.Plan, error) {
	if k, ok := s.kernel.Kernel.(*team.Kernel); ok {
		return transport.NewPlan(k.Beside(), s.kernel.Spec.Epsilon, s.result.LogU, s.result.LogV)
	}
	return s.over(sc)
}

// knowsRows reports whether the kernel's own rows are to be had at any time. Those of the others are exact, and
// found by Dijkstra's algorithm.
func knowsRows(k *method.Kernel) bool {
	return k.Cover != nil || k.Spec.Method == job.Sampled || k.Spec.Method == job.Support || k.Spec.Method == job.Quantized
}

// rows is an exact kernel whose distances are found without it. It hides the kernel's own rows and draws, which linop then has
// from these distances.
type rows struct {
	linop.Kernel
	sc *scene
}

var _ linop.Wrapper = rows{}

func (k rows) Wrapped() linop.Kernel { return k.Kernel }

func (k rows) Distances(ctx context.Context, dst []float64, i int) ([]float64, error) {
	s, done := k.sc.Solver()
	defer done()
	return s.DistancesContext(ctx, dst, []int32{int32(i)}, nil)
}

// partners needs one row. It takes no queue, unless a member has lost its part of the kernel: then it waits for
// whoever made it do so, and asks the plan that is there by then.
func (e *Engine) partners(r *run, sc *scene, b *job.Partners) (job.Body, error) {
	if err := sc.check(b.Vertex); err != nil {
		return nil, err
	}
	last := sc.plan.Load()
	if last == nil {
		return nil, errNoPlan
	}
	plan, err := last.beside(sc)
	if err != nil {
		return nil, err
	}
	answer := &job.Partnered{Vertex: b.Vertex}
	ask := func(plan *transport.Plan) error {
		partners, total, err := plan.Top(r.ctx, int(b.Vertex), b.Target, b.Top)
		if err != nil {
			return err
		}
		answer.Vertices, answer.Mass, answer.Total = nil, nil, total
		for _, p := range partners {
			answer.Vertices = append(answer.Vertices, p.Vertex)
			answer.Mass = append(answer.Mass, p.Mass)
		}
		if b.Distances {
			row, err := plan.Distances(r.ctx, nil, int(b.Vertex))
			if err != nil {
				return err
			}
			answer.Distances = make([]float64, len(partners))
			for k, p := range partners {
				answer.Distances[k] = row[p.Vertex]
			}
			s, done := sc.Solver()
			defer done()
			answer.True = s.To(nil, answer.Vertices, b.Vertex)
		}
		return r.ctx.Err()
	}
	if err = ask(plan); errors.Is(err, team.ErrLost) {
		err = e.ask(r, sc, ask)
	}
	if err != nil {
		return nil, err
	}
	return answer, nil
}

// push needs the kernel.
func (e *Engine) push(r *run, sc *scene, b *job.Push) (job.Body, error) {
	if err := sc.vector(b.Values); err != nil {
		return nil, err
	}
	var values []float64
	err := e.ask(r, sc, func(plan *transport.Plan) (err error) {
		if b.Transpose {
			values, err = plan.Pull(r.ctx, nil, b.Values)
		} else {
			values, err = plan.Push(r.ctx, nil, b.Values)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return &job.Pushed{Values: values}, nil
}

// between needs the kernel, or one row for two vertices.
func (e *Engine) between(r *run, sc *scene, b *job.Between) (job.Body, error) {
	for _, set := range [][]int32{b.From, b.To} {
		for _, v := range set {
			if err := sc.check(v); err != nil {
				return nil, err
			}
		}
	}
	shared := &job.Shared{}
	err := e.ask(r, sc, func(plan *transport.Plan) (err error) {
		if len(b.From) == 1 && len(b.To) == 1 {
			shared.Mass, err = plan.Entry(r.ctx, int(b.From[0]), int(b.To[0]))
		} else {
			shared.Mass, err = plan.Between(r.ctx, b.From, b.To)
		}
		return err
	})
	return shared, err
}

// centres needs four products.
func (e *Engine) centres(r *run, sc *scene) (job.Body, error) {
	centred := &job.Centred{}
	err := e.ask(r, sc, func(plan *transport.Plan) error {
		centres, err := plan.Barycentres(r.ctx, nil, sc.Mesh.Positions)
		for _, p := range centres {
			centred.Positions = append(centred.Positions, p[:]...)
		}
		return err
	})
	return centred, err
}

// draw needs the kernel.
func (e *Engine) draw(r *run, sc *scene, b *job.Draw) (job.Body, error) {
	if b.Count < 0 || b.Count > maxParticles {
		return nil, fmt.Errorf("%d pairs: 0 to %d are possible", b.Count, maxParticles)
	}
	drawn := &job.Drawn{}
	err := e.ask(r, sc, func(plan *transport.Plan) error {
		pairs, err := plan.Sample(r.ctx, b.Count, b.Seed)
		for _, p := range pairs {
			drawn.From, drawn.To = append(drawn.From, p.From), append(drawn.To, p.To)
		}
		return err
	})
	return drawn, err
}

// flow needs the kernel, which draws. It
// tells of every batch of paths as soon as it has it.
func (e *Engine) flow(r *run, sc *scene, b *job.Flow) (job.Body, error) {
	if b.Particles < 0 || b.Particles > maxParticles {
		return nil, fmt.Errorf("%d particles: 0 to %d are possible", b.Particles, maxParticles)
	}
	err := e.ask(r, sc, func(plan *transport.Plan) error {
		defer r.Begin("paths")()
		return flow.Draw(r.ctx, plan, sc.Graph, sc.pathfinder(), b.Particles, b.Seed, func(p flow.Paths) {
			r.tell(&job.Flowing{Offsets: p.Offsets, Vertices: p.Vertices, Along: p.Along})
		})
	})
	if err != nil {
		return nil, err
	}
	return &job.Flowed{Particles: b.Particles, Timings: r.Timings}, nil
}

// pathfinder finds paths with what the solve has left, nil where that is nothing. In
// the queue of solves.
func (sc *scene) pathfinder() flow.Pathfinder {
	last := sc.plan.Load()
	if l := sc.maker.Labels(last.kernel); l != nil {
		return l
	}
	if net := sc.maker.KeptNet(last.problem.Source, last.problem.Target); net != nil {
		return net
	}
	return nil
}

// ask asks the plan with the kernel to itself.
func (e *Engine) ask(r *run, sc *scene, question func(*transport.Plan) error) error {
	return e.withPlan(r, sc, func(last *solved) error {
		plan, err := last.over(sc)
		if err != nil {
			return err
		}
		if err := question(plan); err != nil {
			return err
		}
		return r.ctx.Err()
	})
}

// withPlan does something with the plan that was solved last, and has its kernel to itself.
func (e *Engine) withPlan(r *run, sc *scene, do func(last *solved) error) error {
	return e.alone(r, func() error {
		last := sc.plan.Load()
		if last == nil {
			return errNoPlan
		}
		return do(last)
	})
}
