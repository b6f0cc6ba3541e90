package engine_test

import (
	"context"
	"sync"
	"testing"

	"genussink/core/engine"
	"genussink/core/internal/shared"
	"genussink/core/job"
)

// share counts what members do of a set-up, whatever the machine is busy with.
type share struct {
	*crew
	mu        sync.Mutex
	vertices  int // separated by members
	distances int // found by members
	labels    int // of the whole graph
	parts     map[int]int
}

func (s *share) Call(ctx context.Context, member int, request job.Body) (job.Body, error) {
	answer, err := s.crew.Call(ctx, member, request)
	s.mu.Lock()
	defer s.mu.Unlock()
	switch b := request.(type) {
	case *job.Dissect:
		s.vertices += len(b.Offsets) - 1
	case *job.Hold:
		s.labels = 0
		for _, d := range b.Distances {
			s.labels += len(d)
		}
		for _, d := range b.Short {
			s.labels += len(d)
		}
		s.parts[b.Part] = b.Parts
	}
	if b, ok := answer.(*job.Rowed); ok {
		s.distances += len(b.Distances)
	}
	return answer, err
}

// A lead and its members share a set-up, with two processors as with more: a member separates, measures and holds about as
// much as the lead. Vertices, distances and parts are counted, not seconds. Who finds which distances depends on who is free, so
// that a quarter of a fair share is asked for.
func TestWhoDoesWhatOfASetUp(t *testing.T) {
	shared.Long(t)
	for _, size := range []int{1, 3} {
		team := &share{crew: newCrew(size), parts: map[int]int{}}
		c := newClient(t, engine.Options{Team: team})
		_, d := c.open(sphere(20)) // 4,002 vertices
		ask[*job.Solved](c, teamSolve(d, teamEpsilons[0]))
		fair := float64(size) / float64(size+1)
		if done := float64(team.vertices) / 4002; done < fair/2 || done > 1 {
			t.Errorf("%d members separate %.2f of the vertices", size, done)
		}
		if done := float64(team.distances) / float64(team.labels); done < fair/4 || done > 1 {
			t.Errorf("%d members find %.2f of the distances", size, done)
		}
		for part := 1; part <= size; part++ {
			if team.parts[part] != size+1 {
				t.Errorf("%d members: part %d is one of %d", size, part, team.parts[part])
			}
		}
	}
}
