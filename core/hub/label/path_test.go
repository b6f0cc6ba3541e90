package label

import (
	"math"
	"slices"
	"testing"

	"genussink/core/graph"
	"genussink/core/internal/shared"
	"genussink/core/internal/shared/gengraph"
	"genussink/core/internal/shared/realmesh"
	"genussink/core/septree"
	"genussink/core/shortest"

	"pgregory.net/rapid"
)

// checkPath reports whether the labels find a path, which must then be one, along the edges it names, and no longer than the
// shortest but for rounding.
func checkPath(t interface{ Fatalf(string, ...any) }, g *graph.Graph, l *Labels, from, to int32, want float64) bool {
	const before = 2
	path, along, ok := l.Path(make([]int32, before, 8), make([]float64, before), from, to)
	if len(path) < before || len(along) != len(path) || !ok && len(path) > before {
		t.Fatalf("%d to %d: %d vertices, %d distances, %v", from, to, len(path), len(along), ok)
	}
	if path, along = path[before:], along[before:]; !ok {
		return false
	}
	if path[0] != from || along[0] != 0 || path[len(path)-1] != to {
		t.Fatalf("%d to %d: the path is %v at %v", from, to, path, along)
	}
	for i := 1; i < len(path); i++ {
		next, weights := g.Neighbours(path[i-1])
		if at := slices.Index(next, path[i]); at < 0 || math.Abs(along[i]-along[i-1]-weights[at]) > 1e-15*along[i] {
			t.Fatalf("%d to %d: step %d goes from %d to %d, %g to %g", from, to, i, path[i-1], path[i], along[i-1], along[i])
		}
	}
	if d := along[len(along)-1]; !(math.Abs(d-want) <= (1e-13+rounded32(l.Precision(), 0x1p-22))*want) {
		t.Fatalf("%d to %d: the path is %g long, the shortest %g", from, to, d, want)
	}
	return true
}

// Of every family of graphs, with ties, edges of hardly any length and several components, in either precision, every path is
// a shortest one, and one is found wherever one leads, unless edges are as short as the labels' rounding.
func TestPath(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := gengraph.Draw(t)
		tree, err := septree.Split(t.Context(), g, septree.Options{Leaf: rapid.IntRange(1, 40).Draw(t, "leaf")})
		if err != nil {
			t.Fatal(err)
		}
		p := rapid.SampledFrom(precisions).Draw(t, "precision")
		l, err := Measure(t.Context(), tree, MeasureOptions{Precision: p})
		if err != nil {
			t.Fatal(err)
		}
		least := math.Inf(1)
		for _, w := range g.Weights {
			least = min(least, w)
		}
		solver := shortest.NewSolver(g)
		var d []float64
		for i := range int32(g.Len()) {
			d = solver.Distances(d, i)
			for j, want := range d {
				found := checkPath(t, g, l, i, int32(j), want)
				if reached := !math.IsInf(want, 1); found && !reached || reached && !found && least > 4*p.Unit()*l.Reach {
					t.Fatalf("from %d to %d, %g, a path is found: %v", i, j, want, found)
				}
			}
		}
	})
}

// Paths on real meshes, with handles, boundaries and several components.
func TestPathOnMeshes(t *testing.T) {
	shared.Long(t)
	for _, name := range []string{"cgal__eight.off", "trimesh__pins.glb", "common3d__spot.obj", "cgal__elephant-with-holes.off"} {
		m, g := realmesh.Read(t, name)
		pathsHold(t, name, m, g)
	}
}
