package engine

import (
	"context"
	"errors"
	"fmt"

	"genussink/core/hub/label"
	"genussink/core/internal/exponential"
	"genussink/core/job"
	"genussink/core/transport"
	"genussink/core/transport/flow"
)

// maxParticles bounds a Flow: a path has some hundred vertices.
const maxParticles = 1 << 20

var errNoPlan = errors.New("nothing has been solved for this mesh yet")

// over is the plan over the kernel, ready to be asked by one request that has it to itself.
func (s *solved) over(ctx context.Context, sc *scene) (*transport.Plan, error) {
	k := s.kernel.patient(ctx)
	if s.kernel.knowsRows() {
		return transport.NewPlan(k, s.kernel.epsilon, s.result.LogU, s.result.LogV)
	}
	return transport.NewPlan(rows{k, sc}, s.kernel.epsilon, s.result.LogU, s.result.LogV)
}

// beside is the plan for a question about rows alone, whatever else its kernel does meanwhile. Once the
// question is asked, lost is why it has no answer, if it has none.
func (s *solved) beside(ctx context.Context, sc *scene) (p *transport.Plan, lost *error, err error) {
	lost = new(error)
	if k, ok := s.kernel.Kernel.(*teamKernel); ok {
		p, err = transport.NewPlan(lines{s.kernel.patient(ctx), k, lost}, s.kernel.epsilon, s.result.LogU, s.result.LogV)
	} else {
		p, err = s.over(ctx, sc)
	}
	return p, lost, err
}

// knowsRows reports whether the kernel's own rows are to be had at any time. Those of the others are exact, and
// found by Dijkstra's algorithm.
func (k *kernel) knowsRows() bool {
	_, hub := k.Kernel.(*teamKernel)
	return hub || k.method == sampled || k.method == support || k.method == quantize
}

// rows is an exact kernel whose rows are found without it.
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

// Row is linop.Row.
func (k rows) Row(dst []float64, i int) []float64 {
	dst = k.Distances(dst, i)
	for j, d := range dst {
		dst[j] = exponential.Exp(-d / k.epsilon)
	}
	return dst
}

// lines is a team's kernel whose rows are asked for beside its products.
type lines struct {
	patient
	team *teamKernel
	lost *error
}

func (k lines) ask(product string, dst []float64, i int) []float64 {
	dst, over := k.over(dst)
	if over {
		return dst
	}
	if _, err := k.team.line(k.ctx, product, dst, i); err != nil {
		*k.lost = err
	}
	return dst
}

func (k lines) Distances(dst []float64, i int) []float64 { return k.ask(productDistances, dst, i) }

// Row is linop.Row.
func (k lines) Row(dst []float64, i int) []float64 { return k.ask(productRow, dst, i) }

// partners needs one row. It takes no lane, unless a member has lost its part of the kernel: then it waits for
// whoever made it do so, and asks the plan that is there by then.
func (e *Engine) partners(r *run, sc *scene, b *job.Partners) (job.Body, error) {
	if err := sc.check(b.Vertex); err != nil {
		return nil, err
	}
	last := sc.plan.Load()
	if last == nil {
		return nil, errNoPlan
	}
	plan, lost, err := last.beside(r.ctx, sc)
	if err != nil {
		return nil, err
	}
	answer := &job.Partnered{Vertex: b.Vertex}
	ask := func(plan *transport.Plan) error {
		answer.Vertices, answer.Mass = nil, nil
		var partners []transport.Partner
		partners, answer.Total = plan.Top(int(b.Vertex), b.Target, b.Top)
		for _, p := range partners {
			answer.Vertices = append(answer.Vertices, p.Vertex)
			answer.Mass = append(answer.Mass, p.Mass)
		}
		if b.Distances && r.ctx.Err() == nil {
			row := plan.Distances(nil, int(b.Vertex))
			answer.Distances = make([]float64, len(partners))
			for k, p := range partners {
				answer.Distances[k] = row[p.Vertex]
			}
			s := sc.solver()
			defer sc.solvers.Put(s)
			answer.True = s.To(nil, answer.Vertices, b.Vertex)
		}
		return r.ctx.Err()
	}
	if err := ask(plan); err != nil {
		return nil, err
	}
	if *lost != nil {
		if err := e.ask(r, sc, ask); err != nil {
			return nil, err
		}
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
		defer r.begin("paths")()
		return flow.Draw(r.ctx, plan, sc.graph, sc.pathfinder(), b.Particles, b.Seed, func(p flow.Paths) {
			r.tell(&job.Flowing{Offsets: p.Offsets, Vertices: p.Vertices, Along: p.Along})
		})
	})
	if err != nil {
		return nil, err
	}
	return &job.Flowed{Particles: b.Particles, Timings: r.timings}, nil
}

// pathfinder walks down the labels of the scene's graph, nil where there are none. Those of embedded are of another graph. In
// the solving lane.
func (sc *scene) pathfinder() flow.Pathfinder {
	if sc.held.labels != nil {
		return sc.held.labels
	}
	if sc.fast.net != nil {
		return sc.fast.net
	}
	if k := sc.plan.Load().kernel; k.method == exact || k.method == certified {
		if l, ok := k.metric.(*label.Labels); ok {
			return l
		}
	}
	return nil
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
