package coarse

import (
	"context"
	"math"
	"testing"

	"genussink/core/baseline"
	"genussink/core/graph"
	"genussink/core/internal/shared/gengraph"
	"genussink/core/internal/shared/genmesh"
	"genussink/core/linop/linoptest"
	"genussink/core/shortest"
	"genussink/core/transport"
)

var _ transport.Coarse = (*Graph)(nil)

func standIn(ctx context.Context, t testing.TB, g *graph.Graph) (*Graph, error) {
	t.Helper()
	k, err := baseline.NewDense(context.Background(), g, 1, baseline.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return New(ctx, g, k.Among)
}

func TestNew(t *testing.T) {
	apart, err := graph.New(5, []graph.Edge{{U: 0, V: 1, Weight: 1}, {U: 2, V: 3, Weight: 0}})
	if err != nil {
		t.Fatal(err)
	}
	none, err := graph.New(0, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, torus := genmesh.Make(t, "torus", map[string]float64{"segments": 40, "sides": 20})
	for name, g := range map[string]*graph.Graph{"none": none, "one": gengraph.Ladder(t, 1, 0), "apart": apart, "ladder": gengraph.Ladder(t, 300, 3), "torus": torus} {
		c, err := standIn(context.Background(), t, g)
		if err != nil {
			t.Fatal(err)
		}
		n := g.Len()
		m := len(c.representatives)
		if m > representatives(n) || n > 0 && m == 0 {
			t.Errorf("%s: %d representatives of %d vertices", name, m, n)
		}
		if int64(8*len(c.distance)+12*len(c.near)) > Bytes(n) {
			t.Errorf("%s: more bytes than said", name)
		}
		values := make([]float64, m)
		for r, v := range c.representatives {
			values[r] = float64(r + 1)
			for s, d := range shortest.NewSolver(g).To(nil, c.representatives, v) {
				if want := c.distance[r*m+s]; d != want && !(math.Abs(d-want) <= 1e-12*max(1, d)) {
					t.Errorf("%s: representatives %d and %d are %g apart, not %g", name, r, s, d, c.distance[r*m+s])
				}
			}
		}
		mass := 0.0
		ones := make([]float64, n)
		for v := range n {
			ones[v] = 1
			total := 0.0
			for i, w := range c.weight[v*nearest:][:nearest] {
				if w != 0 && c.near[v*nearest+i] < 0 || !(math.Abs(w) < 10) {
					t.Fatalf("%s: vertex %d has the weight %g of representative %d", name, v, w, c.near[v*nearest+i])
				}
				total += w
			}
			if math.Abs(total-1) > 1e-12 {
				t.Errorf("%s: the weights of vertex %d total %g", name, v, total)
			}
		}
		for r, v := range c.representatives {
			if got := c.value(values, int(v)); math.Abs(got-values[r]) > 1e-9 {
				t.Errorf("%s: representative %d has the value %g, not its own", name, r, got)
			}
		}
		for _, x := range c.Restrict(ones) {
			mass += x
		}
		if math.Abs(mass-float64(n)) > 1e-9*float64(n) {
			t.Errorf("%s: a mass of %g of %d vertices", name, mass, n)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := standIn(ctx, t, torus); err == nil {
		t.Error("cancelled: no error")
	}
}

// A kernel that is given up is an error and no kernel, and the next is right.
func TestKernelIsGivenUp(t *testing.T) {
	_, torus := genmesh.Make(t, "torus", map[string]float64{"segments": 40, "sides": 20})
	c := linoptest.Value(standIn(context.Background(), t, torus))(t)
	epsilon := 1.0
	linoptest.GivenUp(t, linoptest.Slice("Kernel", func(ctx context.Context) ([]float64, error) {
		epsilon++ // else the kernel is at hand
		return c.Kernel(ctx, epsilon)
	}))
	for i, k := range linoptest.Value(c.Kernel(t.Context(), epsilon))(t) {
		if want := math.Exp(-c.distance[i] / epsilon); !(math.Abs(k-want) <= 1e-14) {
			t.Fatalf("entry %d is %g, want %g", i, k, want)
		}
	}
}
