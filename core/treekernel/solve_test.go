package treekernel

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"genussink/core/baseline"
	"genussink/core/graph"
	"genussink/core/mesh/generate"
	"genussink/core/transport"
	"genussink/core/treehost"
)

// TestSolve: the whole of Sinkhorn on this kernel is that on the matrix, in
// both forms.
func TestSolve(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	ctx := context.Background()
	for name, g := range map[string]*graph.Graph{
		"tree":            randomTree(t, 300, 300, rng, rng.Float64),
		"3 x n":           strip(t, 3, 100, rng.Float64),
		"series-parallel": seriesParallel(t, 300, rng, rng.Float64),
	} {
		n := g.Len()
		source, target := make([]float64, n), make([]float64, n)
		for v := range n / 2 { // the rest has no mass
			source[v], target[n-1-v] = rng.Float64(), rng.Float64()
		}
		scale(source)
		scale(target)
		tree := build(t, g, decompose(t, g), Options{})
		for share, form := range map[float64]string{0.1: transport.Scaling, 1e-3: transport.Log} {
			epsilon := share * tree.Diameter()
			dense, err := baseline.NewDense(ctx, g, epsilon, baseline.Options{})
			if err != nil {
				t.Fatal(err)
			}
			p := transport.Problem{Kernel: dense, Source: source, Target: target, Epsilon: epsilon}
			o := transport.Options{MaxIterations: 60}
			if form == transport.Log {
				o.MaxIterations = 6 // far from the solution the accelerated iteration magnifies rounding
			}
			want, err := transport.Solve(ctx, p, o)
			if err != nil {
				t.Fatal(err)
			}
			p.Kernel = kernel(t, tree, epsilon)
			got, err := transport.Solve(ctx, p, o)
			if err != nil {
				t.Fatal(err)
			}
			if got.Form != form || got.Iterations != want.Iterations || math.Abs(got.Cost-want.Cost) > 1e-11*want.Cost || math.Abs(got.Dual-want.Dual) > 1e-11*math.Abs(want.Dual) {
				t.Errorf("%s at %g diameters: %s %d %v %v, the matrix gives %s %d %v %v", name, share,
					got.Form, got.Iterations, got.Cost, got.Dual, want.Form, want.Iterations, want.Cost, want.Dual)
			}
		}
	}
}

func scale(x []float64) {
	total := 0.0
	for _, m := range x {
		total += m
	}
	for i := range x {
		x[i] /= total
	}
}

// TestHost: hosts of meshes are what else has a decomposition. They are wider,
// and may have vertices that the mesh has not.
func TestHost(t *testing.T) {
	m, err := generate.Make("sphere", map[string]float64{"frequency": 9})
	if err != nil {
		t.Fatal(err)
	}
	g, err := graph.FromMesh(m)
	if err != nil {
		t.Fatal(err)
	}
	for at, distortion := range []float64{0.8, 0.2} {
		if at > 0 && testing.Short() {
			break // the first is wide enough for rows to be shared
		}
		host, err := treehost.Embed(context.Background(), g, treehost.Options{Distortion: distortion, Faces: m.Faces})
		if err != nil {
			t.Fatal(err)
		}
		tree := build(t, host.Graph, host.Decomposition, Options{})
		if w := tree.Report().Width; w > host.Decomposition.Width() || w < 10 {
			t.Errorf("width %d from a decomposition of width %d", w, host.Decomposition.Width())
		}
		k := kernel(t, tree, 0.1)
		for i := 0; i < g.Len(); i += 200 {
			checkRow(t, host.Graph, k, i)
		}
	}
}
