package dominance

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
)

// tally counts the visits of each pair.
type tally struct {
	t     *testing.T
	s     *Search
	cols  int
	count []int
	hub   []int
}

func (v *tally) pair(hub int, i, j int32) {
	v.count[int(i)*v.cols+int(j)]++
	v.hub[int(i)*v.cols+int(j)] = hub
}

func (v *tally) Stairs(hub int, rows, cols, from []int32) int {
	for n, i := range rows {
		if n > 0 && from[n] < from[n-1] || int(from[n]) >= len(cols) {
			v.t.Fatalf("row %d begins at %d of %d after %v", n, from[n], len(cols), from[:n])
		}
		for _, j := range cols[from[n]:] {
			v.pair(hub, i, j)
		}
	}
	return len(rows) + len(cols)
}

func (v *tally) Few(hub int, rows, cols []int32) int {
	for _, i := range rows {
		for _, j := range cols {
			if v.s.Belongs(hub, i, j) {
				v.pair(hub, i, j)
			}
		}
	}
	return len(rows) * len(cols)
}

// Every pair is visited once, at a hub that is best, whether distances are in
// general position or full of ties.
func TestEveryPairOnce(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	const n, m = 130, 90
	ctx := context.Background()
	for hubs := 1; hubs <= 5; hubs++ {
		for name, draw := range map[string]func() float64{"random": rng.Float64, "ties": func() float64 { return float64(rng.IntN(4)) }, "zero": func() float64 { return 0 }} {
			a, b := make([]float64, n*hubs), make([]float64, m*hubs)
			var rows, cols []int32
			for i := range a {
				a[i] = draw()
			}
			for j := range b {
				b[j] = draw()
			}
			for i := range int32(n) {
				if i%7 > 0 {
					rows = append(rows, i)
				}
			}
			for j := range int32(m) {
				cols = append(cols, m-1-j)
			}
			s := New(a, b, hubs)
			v := &tally{t, s, m, make([]int, n*m), make([]int, n*m)}
			if !s.Run(ctx, rows, cols, math.MaxInt, v) {
				t.Fatal("gave up")
			}
			for i := range n {
				for j := range m {
					if want := min(1, i%7); v.count[i*m+j] != want {
						t.Fatalf("%s, %d hubs: the pair %d, %d is visited %d times", name, hubs, i, j, v.count[i*m+j])
					}
					if i%7 == 0 {
						continue
					}
					best := math.Inf(1)
					for k := range hubs {
						best = min(best, a[i*hubs+k]+b[j*hubs+k])
					}
					k := v.hub[i*m+j]
					if d := a[i*hubs+k] + b[j*hubs+k]; d-best > 1e-15*best {
						t.Fatalf("%s, %d hubs: the pair %d, %d is at %v through %d, but %v apart", name, hubs, i, j, d, k, best)
					}
				}
			}
			if s.Run(ctx, rows, cols, 10, v) {
				t.Errorf("%s, %d hubs: a limit of 10 was enough", name, hubs)
			}
			ended, cancel := context.WithCancel(ctx)
			cancel()
			if s.Run(ended, rows, cols, math.MaxInt, v) {
				t.Error("went on without a context")
			}
			if !s.Run(ctx, nil, cols, 1<<20, v) || !s.Run(ctx, rows, nil, 1<<20, v) {
				t.Error("nothing to do was too much")
			}
		}
	}
}
