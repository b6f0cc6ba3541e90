package flow

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"genussink/core/baseline"
	"genussink/core/internal/shared/gendensity"
	"genussink/core/internal/shared/gengraph"
	"genussink/core/linop"
	"genussink/core/shortest"
	"genussink/core/transport"
)

func TestDrawWalksShortestPaths(t *testing.T) {
	const n, particles = 80, 500
	g := gengraph.Bridged(t, n, 400)
	const epsilon = 0.5
	k, err := baseline.NewDense(t.Context(), g, epsilon, baseline.Options{})
	if err != nil {
		t.Fatal(err)
	}
	asked := &asks{Kernel: k}
	a, b := gendensity.Halves(t, n)
	r, err := transport.Solve(t.Context(), transport.Problem{Kernel: asked, Source: a, Target: b, Epsilon: epsilon}, transport.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := transport.NewPlan(asked, epsilon, r.LogU, r.LogV)
	if err != nil {
		t.Fatal(err)
	}
	pairs, err := p.Sample(t.Context(), batch, 7)
	if err != nil {
		t.Fatal(err)
	}
	rest, err := p.Sample(t.Context(), particles-batch, ^uint64(7))
	if err != nil {
		t.Fatal(err)
	}
	pairs = append(pairs, rest...)
	slices.SortFunc(pairs, byEnds)
	asked.draws = nil
	var drawn []transport.Pair
	batches := 0
	check := func(path []int32, along []float64) {
		pair := transport.Pair{From: path[0], To: path[len(path)-1], Distance: along[len(along)-1]}
		k := len(drawn)
		drawn = append(drawn, pair)
		if along[0] != 0 {
			t.Fatalf("particle %d goes %v at %v", k, path, along)
		}
		for i := 1; i < len(path); i++ {
			to, w := g.Neighbours(path[i-1])
			at := slices.Index(to, path[i])
			if at < 0 || !near(along[i], along[i-1]+w[at]) {
				t.Fatalf("particle %d: step %d from %d to %d", k, i, path[i-1], path[i])
			}
		}
		if d := shortest.From(g, pair.From)[pair.To]; !near(along[len(along)-1], d) {
			t.Errorf("particle %d walks %g, shortest is %g", k, along[len(along)-1], d)
		}
	}
	err = Draw(context.Background(), p, g, nil, particles, 7, func(flow Paths) {
		if batches++; batches == 1 && !slices.Equal(asked.draws, []int{batch}) {
			t.Errorf("before the first batch there were draws of %v particles", asked.draws)
		}
		last := len(flow.Offsets) - 1
		if flow.Offsets[0] != 0 || len(flow.Along) != len(flow.Vertices) || int(flow.Offsets[last]) != len(flow.Vertices) {
			t.Fatalf("%d offsets, %d vertices, %d distances", len(flow.Offsets), len(flow.Vertices), len(flow.Along))
		}
		for k := range last {
			check(flow.Vertices[flow.Offsets[k]:flow.Offsets[k+1]], flow.Along[flow.Offsets[k]:flow.Offsets[k+1]])
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if batches < 2 || slices.IsSortedFunc(drawn, byEnds) {
		t.Errorf("%d batches, in the order of the vertices: %v", batches, slices.IsSortedFunc(drawn, byEnds))
	}
	slices.SortFunc(drawn, byEnds)
	if !slices.EqualFunc(drawn, pairs, func(a, b transport.Pair) bool { return byEnds(a, b) == 0 && near(a.Distance, b.Distance) }) {
		t.Error("the particles are not the pairs drawn")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	never := func(flow Paths) { t.Errorf("a batch of %d", len(flow.Offsets)-1) }
	if err := Draw(ctx, p, g, nil, particles, 7, never); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if err := Draw(context.Background(), p, g, nil, 0, 7, never); err != nil {
		t.Errorf("no particles: %v", err)
	}
}

var _ linop.Drawer = (*asks)(nil)

func (k *asks) Draw(ctx context.Context, sources []int32, _ []float64) ([]int32, []float64, error) {
	k.draws = append(k.draws, len(sources))
	return nil, nil, ctx.Err()
}

// asks notes how many targets are drawn at a time, from rows.
type asks struct {
	linop.Kernel
	draws []int
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-14*max(1, math.Abs(a), math.Abs(b)) }

func byEnds(a, b transport.Pair) int {
	return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
}
