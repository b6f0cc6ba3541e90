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
	mu       sync.Mutex
	vertices int // separated by members
	parts    map[int]int
}

func (s *share) Call(ctx context.Context, member int, request job.Body) (job.Body, error) {
	s.mu.Lock()
	switch b := request.(type) {
	case *job.Dissect:
		s.vertices += len(b.Offsets) - 1
	case *job.Hold:
		s.parts[b.Part] = b.Parts
	}
	s.mu.Unlock()
	return s.crew.Call(ctx, member, request)
}

// A lead and its members share a set-up, with two processors as with more: a member separates and holds about as much as the lead. Vertices and
// parts are counted, not seconds.
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
		for part := 1; part <= size; part++ {
			if team.parts[part] != size+1 {
				t.Errorf("%d members: part %d is one of %d", size, part, team.parts[part])
			}
		}
	}
}
