package engine

import (
	"context"
	"errors"
	"fmt"

	"genussink/core/job"
	"genussink/core/transport"
)

// maxParticles bounds a Flow: a path has some hundred vertices.
const maxParticles = 1 << 20

var errNoPlan = errors.New("nothing has been solved for this mesh yet")

// over is the plan over the kernel, ready to be asked by one request. It takes
// distances from Dijkstra's algorithm, so that a question about rows alone need
// not wait for the kernel; those of the sampled method are too far from them.
func (s *solved) over(ctx context.Context, sc *scene) (*transport.Plan, error) {
	if s.kernel.method == sampled { // whose tree anyone may ask at any time
		return transport.NewPlan(patient{s.kernel, ctx}, s.kernel.epsilon, s.result.LogU, s.result.LogV)
	}
	return transport.NewPlan(rows{patient{s.kernel, ctx}, sc}, s.kernel.epsilon, s.result.LogU, s.result.LogV)
}

// rows is a kernel whose rows are found without it.
type rows struct {
	patient
	sc *scene
}

func (k rows) Distances(dst []float64, i int) []float64 {
	dst, over := k.over(dst)
	if over {
		return dst
	}
	s := k.sc.solver()
	defer k.sc.solvers.Put(s)
	return s.Distances(dst, int32(i))
}

// partners needs one row, and no lane.
func (sc *scene) partners(ctx context.Context, b *job.Partners) (job.Body, error) {
	if err := sc.check(b.Vertex); err != nil {
		return nil, err
	}
	last := sc.plan.Load()
	if last == nil {
		return nil, errNoPlan
	}
	plan, err := last.over(ctx, sc)
	if err != nil {
		return nil, err
	}
	partners, total := plan.Top(int(b.Vertex), b.Target, b.Top)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	answer := &job.Partnered{Vertex: b.Vertex, Total: total}
	for _, p := range partners {
		answer.Vertices = append(answer.Vertices, p.Vertex)
		answer.Mass = append(answer.Mass, p.Mass)
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
			values = plan.Pull(nil, b.Values)
		} else {
			values = plan.Push(nil, b.Values)
		}
		return nil
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
	err := e.ask(r, sc, func(plan *transport.Plan) error {
		if len(b.From) == 1 && len(b.To) == 1 {
			shared.Mass = plan.Entry(int(b.From[0]), int(b.To[0]))
		} else {
			shared.Mass = plan.Between(b.From, b.To)
		}
		return nil
	})
	return shared, err
}

// centres needs four products.
func (e *Engine) centres(r *run, sc *scene) (job.Body, error) {
	centred := &job.Centred{}
	err := e.ask(r, sc, func(plan *transport.Plan) error {
		for _, p := range plan.Barycenters(nil, sc.mesh.Positions) {
			centred.Positions = append(centred.Positions, p[:]...)
		}
		return nil
	})
	return centred, err
}

// draw needs the kernel for the masses of the rows, and the rows drawn.
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

// flow needs the kernel for the masses of the rows, which it draws from. It
// tells of every batch of paths as soon as it has it.
func (e *Engine) flow(r *run, sc *scene, b *job.Flow) (job.Body, error) {
	if b.Particles < 0 || b.Particles > maxParticles {
		return nil, fmt.Errorf("%d particles: 0 to %d are possible", b.Particles, maxParticles)
	}
	err := e.ask(r, sc, func(plan *transport.Plan) error {
		defer r.begin("paths")()
		return transport.Flow(r.ctx, plan, sc.graph, b.Particles, b.Seed, func(p transport.Paths) {
			r.tell(&job.Flowing{Offsets: p.Offsets, Vertices: p.Vertices, Along: p.Along})
		})
	})
	if err != nil {
		return nil, err
	}
	return &job.Flowed{Particles: b.Particles, Timings: r.timings}, nil
}

// ask asks the plan with the kernel to itself.
func (e *Engine) ask(r *run, sc *scene, question func(*transport.Plan) error) error {
	if err := e.solving.enter(r); err != nil {
		return err
	}
	defer e.solving.leave()
	last := sc.plan.Load()
	if last == nil {
		return errNoPlan
	}
	defer sc.use(r, last.kernel)()
	plan, err := last.over(r.ctx, sc)
	if err != nil {
		return err
	}
	if err := question(plan); err != nil {
		return err
	}
	if err := r.ctx.Err(); err != nil {
		return err
	}
	return failureOf(last.kernel)
}
