package engine_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"genussink/core/engine"
	"genussink/core/internal/shared"
	"genussink/core/job"
)

// crew is a team of engines in this process. Messages go through the codec, as
// they do between Workers.
type crew struct {
	members []*engine.Engine
	last    atomic.Uint32
	mu      sync.Mutex
	asked   map[string]int // by type of request
	dead    func(member int, request job.Body) bool
}

func newCrew(size int) *crew {
	c := &crew{asked: map[string]int{}}
	for range size {
		c.members = append(c.members, engine.New(engine.Options{}))
	}
	return c
}

func (c *crew) Size() int { return len(c.members) }

func (c *crew) Call(ctx context.Context, member int, request job.Body) (job.Body, error) {
	c.mu.Lock()
	c.asked[fmt.Sprintf("%T", request)]++
	dead := c.dead != nil && c.dead(member, request)
	c.mu.Unlock()
	if dead {
		return nil, errors.New("the member is dead")
	}
	id, body, err := job.Decode(job.Encode(c.last.Add(1), request))
	if err != nil {
		return nil, err
	}
	var answer job.Body
	c.members[member].Run(ctx, job.Request{ID: id, Body: body}, func(ev job.Event) {
		if _, ok := ev.Body.(*job.Progress); !ok {
			_, answer, err = job.Decode(job.Encode(ev.ID, ev.Body))
		}
	})
	return answer, err
}

func teamMesh() *job.Generate { return sphere(10) } // 1,002 vertices

// epsilons in both of the kernel's forms.
var teamEpsilons = []float64{0.2, 0.0015}

// alone is what the solves come to without a team.
func alone(t *testing.T) (*job.Measured, map[float64]*job.Solved) {
	solvedAlone.Do(func() {
		c := newClient(t, engine.Options{})
		_, teamDensities = c.open(teamMesh())
		teamCosts = map[float64]*job.Solved{}
		for _, epsilon := range teamEpsilons {
			teamCosts[epsilon] = ask[*job.Solved](c, teamSolve(teamDensities, epsilon))
		}
	})
	return teamDensities, teamCosts
}

var (
	solvedAlone   sync.Once
	teamDensities *job.Measured
	teamCosts     map[float64]*job.Solved
)

func teamSolve(d *job.Measured, epsilon float64) *job.Solve {
	return &job.Solve{Source: d.Source, Target: d.Target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(epsilon)}, MaxIterations: 10}
}

func TestTeamSharesASolve(t *testing.T) {
	d, want := alone(t)
	dense := map[float64][]float64{}
	lone := newClient(t, engine.Options{})
	lone.open(teamMesh())
	for _, epsilon := range teamEpsilons {
		dense[epsilon] = ask[*job.Applied](lone, &job.Apply{Values: d.Source, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(epsilon), Method: job.Dense}}).Values
	}
	for _, size := range []int{1, 3} {
		team := newCrew(size)
		c := newClient(t, engine.Options{Team: team})
		c.open(teamMesh())
		for _, epsilon := range teamEpsilons {
			s := ask[*job.Solved](c, teamSolve(d, epsilon))
			if r := relative(s.Cost, want[epsilon].Cost); r > 1e-12 || s.Iterations != want[epsilon].Iterations || s.Form != want[epsilon].Form {
				t.Errorf("%d members, epsilon %g: cost %.15g in %d (%s), alone %.15g in %d (%s)", size, epsilon,
					s.Cost, s.Iterations, s.Form, want[epsilon].Cost, want[epsilon].Iterations, want[epsilon].Form)
			}
			shared := ask[*job.Applied](c, &job.Apply{Values: d.Source, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(epsilon), Precision: job.Float64}})
			for i, y := range dense[epsilon] {
				if relative(shared.Values[i], y) > 1e-12 {
					t.Fatalf("%d members: product %d is %g, dense %g", size, i, shared.Values[i], y)
				}
			}
		}
		ask[*job.Flowed](c, &job.Flow{Particles: 10})
		for kind, least := range map[string]int{"*job.Dissect": size, "*job.Hold": size, "*job.Tune": 2 * size, "*job.Multiply": 20 * size} {
			if team.asked[kind] < least {
				t.Errorf("%d members are asked %d times for %s", size, team.asked[kind], kind)
			}
		}
	}
}

// Whenever members die, the job succeeds and the answer is the same.
func TestTeamLosesMembers(t *testing.T) {
	d, want := alone(t)
	products := 0
	for name, dead := range map[string]func(member int, request job.Body) bool{
		"all from the start":    func(int, job.Body) bool { return true },
		"one from the start":    func(m int, r job.Body) bool { return m == 1 },
		"one after the tree":    func(m int, r job.Body) bool { _, dissect := r.(*job.Dissect); return !dissect && m == 0 },
		"all but for the cover": func(m int, r job.Body) bool { _, hold := r.(*job.Hold); return !hold },
		"one midway": func(m int, r job.Body) bool {
			if _, ok := r.(*job.Multiply); ok {
				products++
				return m == 1 && products > 8
			}
			return false
		},
	} {
		t.Run(name, func(t *testing.T) {
			if name != "one midway" && name != "one after the tree" {
				shared.Long(t) // core/team loses members like that, too
			}
			products = 0
			var mu sync.Mutex
			logged := 0
			team := newCrew(2)
			team.dead = dead
			c := newClient(t, engine.Options{Team: team, Logf: func(string, ...any) {
				mu.Lock()
				logged++
				mu.Unlock()
			}})
			c.open(teamMesh())
			for _, epsilon := range teamEpsilons {
				s := ask[*job.Solved](c, teamSolve(d, epsilon))
				if r := relative(s.Cost, want[epsilon].Cost); r > 1e-12 {
					t.Errorf("epsilon %g: cost %.15g, alone %.15g", epsilon, s.Cost, want[epsilon].Cost)
				}
			}
			if logged == 0 {
				t.Error("nobody is told that a member is lost")
			}
		})
	}
}

// A member that is replaced has forgotten its part; one that panics says so.
func TestTeamMemberForgets(t *testing.T) {
	d, want := alone(t)
	team := newCrew(2)
	c := newClient(t, engine.Options{Team: team})
	c.open(teamMesh())
	ask[*job.Solved](c, teamSolve(d, 0.2))
	team.members[1] = engine.New(engine.Options{})
	if s := ask[*job.Solved](c, teamSolve(d, 0.2)); relative(s.Cost, want[0.2].Cost) > 1e-12 {
		t.Errorf("cost %.15g, alone %.15g", s.Cost, want[0.2].Cost)
	}
}

func TestTeamIsCancelled(t *testing.T) {
	d, _ := alone(t)
	team := newCrew(2)
	c := newClient(t, engine.Options{Team: team})
	c.open(teamMesh())
	for _, stage := range []string{"labels", "tiles", "solve"} {
		body := endless(d)
		p := c.start(context.Background(), body)
		p.wait(t, stage)
		start := shared.Processor()
		c.do(&job.Cancel{Request: p.id})
		if _, ok := (<-p.final).(*job.Cancelled); !ok {
			t.Errorf("cancelled in %s, and not answered so", stage)
		}
		if took := shared.Processor().Sub(start); took > time.Second {
			t.Errorf("cancelled in %s after %v of processors", stage, took)
		}
	}
	ask[*job.Solved](c, teamSolve(d, 0.1))
}

// With one processor the calls must leave before the lead begins its own part.
func TestTeamOnOneProcessor(t *testing.T) {
	shared.OneProcessor(t)
	d, want := alone(t)
	c := newClient(t, engine.Options{Team: newCrew(2)})
	c.open(teamMesh())
	if s := ask[*job.Solved](c, teamSolve(d, 0.2)); relative(s.Cost, want[0.2].Cost) > 1e-12 {
		t.Errorf("cost %.15g, alone %.15g", s.Cost, want[0.2].Cost)
	}
}
