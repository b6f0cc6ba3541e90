package hub_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"genussink/core/graph"
	"genussink/core/hub/cover"
	"genussink/core/hub/hubtest"
	"genussink/core/hub/label"
	"genussink/core/hub/tile"
	"genussink/core/internal/shared"
	"genussink/core/internal/shared/gendensity"
	"genussink/core/internal/shared/gengraph"
	"genussink/core/linop/linoptest"
	"genussink/core/mesh/generate"
	"genussink/core/separator"
	"genussink/core/septree"
	"genussink/internal/race"

	"pgregory.net/rapid"
)

// shardsOf are the covers of all shards and, last, the whole one.
func shardsOf(t linoptest.T, l *label.Labels, shards int) []*cover.Cover {
	t.Helper()
	covers := make([]*cover.Cover, shards+1)
	for p := range covers {
		o := cover.Options{}
		if p < shards {
			o.Shard, o.Shards = p, shards
		}
		var err error
		if covers[p], err = cover.Build(context.Background(), l, o); err != nil {
			t.Fatal(err)
		}
	}
	return covers
}

// checkClasses holds the covers of labels, whole and in shards, to the graph's distances: in every entry and every product.
func checkClasses(t linoptest.T, g *graph.Graph, covers []*cover.Cover, seed uint64) {
	t.Helper()
	exact, scale := hubtest.Distances(g)
	for _, named := range [][][]float64{hubtest.NamedDistances(t, covers, scale/5), hubtest.LoggedDistances(t, covers, scale/1e6)} {
		for i := range exact {
			for j, d := range exact[i] {
				if !(math.Abs(named[i][j]-d) <= 1e-12*scale) {
					t.Fatalf("D(%d,%d) is %g, not %g", i, j, named[i][j], d)
				}
			}
		}
	}
	r := rand.New(rand.NewPCG(seed, 3))
	for _, epsilon := range []float64{scale / 5, scale / 300, scale / 1e6} {
		hubtest.CheckProducts(t, covers, exact, epsilon, 1e-12*scale/epsilon+1e-12, r)
	}
}

// On lattices that are cut straight, the two sides of a cell have classes.
func TestClassesOnLattices(t *testing.T) {
	for _, width := range []int{1, 3} {
		t.Run(fmt.Sprint("width ", width), func(t *testing.T) {
			if width > 1 {
				race.Alone(t)
			}
			g, positions, err := generate.DumbbellGraph(7, width)
			if err != nil {
				t.Fatal(err)
			}
			covers := shardsOf(t, hubtest.Labels(t, g, septree.Options{Positions: positions}), 3)
			sum := 0
			for _, c := range covers {
				sum += len(c.Aggregates)
			}
			if whole := len(covers[3].Aggregates); whole == 0 || sum != 2*whole {
				t.Fatalf("%d aggregates, %d in shards", whole, sum-whole)
			}
			checkClasses(t, g, covers, uint64(width))
		})
	}
	// What looks alike does not once it is rounded to float32, and on a mesh hardly two vertices do.
	g, positions, err := generate.DumbbellGraph(7, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range []*label.Labels{
		hubtest.LabelsOf(t, g, septree.Options{Positions: positions}, label.Float32),
		hubtest.Labels(t, gengraph.Grid(t, 20, 20, 0.2, 1), septree.Options{}),
	} {
		if c := hubtest.BuildCover(t, l, 0); len(c.Aggregates) > 0 {
			t.Errorf("%d aggregates", len(c.Aggregates))
		}
	}
}

// handled is a lattice of w x h vertices, whose edges have the length step, and a handle from the first vertex of the first row to that of the last.
// The handle is rungs vertices, and its edges have the length short. The separation has the lattice on one side and the handle on the other. Its separator
// is the two vertices between them.
func handled(w, h int, step float64, rungs int, short float64) (edges []graph.Edge, positions [][3]float64, s separator.Separation) {
	s = separator.Separation{S: []int32{0, int32(w * (h - 1))}}
	for y := range h {
		for x := range w {
			v := int32(y*w + x)
			positions = append(positions, [3]float64{step * float64(x), step * float64(y), 0})
			if x+1 < w {
				edges = append(edges, graph.Edge{U: v, V: v + 1, Weight: step})
			}
			if y+1 < h {
				edges = append(edges, graph.Edge{U: v, V: v + int32(w), Weight: step})
			}
			if v != s.S[0] && v != s.S[1] {
				s.A = append(s.A, v)
			}
		}
	}
	before := s.S[0]
	for i := range rungs {
		v := int32(w*h + i)
		positions = append(positions, [3]float64{-step, step * float64(i), 1})
		edges = append(edges, graph.Edge{U: before, V: v, Weight: short})
		s.B, before = append(s.B, v), v
	}
	edges = append(edges, graph.Edge{U: before, V: s.S[1], Weight: short})
	return edges, positions, s
}

// Where a shortest path between the two sides of a cell leaves the cell, the separator is not enough, however few classes there are: paths from
// the first rows to the last ones go over the handle. Over a very short one go paths from the separator, too, which tells the vertices of a row apart. Over a long one no path goes.
func TestClassesWherePathsLeave(t *testing.T) {
	race.Alone(t)
	for short, classes := range map[float64]bool{0.1: false, 1: false, 5: false, 40: true} {
		if testing.Short() && (short == 1 || short == 5) {
			continue
		}
		edges, positions, root := handled(8, 30, 1, 3, short)
		g := gengraph.Build(t, len(positions), edges)
		covers := shardsOf(t, hubtest.Labels(t, g, septree.Options{Positions: positions, Root: &root}), 2)
		largest := false // the first cell of the lattice has classes
		for _, b := range covers[2].Batches {
			if b.Cell >= 0 {
				r := &covers[2].Labels.Cells[b.Cell]
				largest = largest || covers[2].HasClasses(b.Cell) && r.Hi-r.Lo > 200
			}
		}
		if largest != classes {
			t.Errorf("with a handle of edges of length %g the whole lattice has classes: %t", short, largest)
		}
		checkClasses(t, g, covers, 5)
	}
}

// A lattice whose separators, and whose classes, are more than a byte can number.
func TestMoreClassesThanAByteCanNumber(t *testing.T) {
	shared.Long(t)
	const w, h, epsilon = 265, 270, 40.0
	edges, positions, root := handled(w, h, 1, 1, 1e6)
	l := hubtest.Labels(t, gengraph.Build(t, len(positions), edges), septree.Options{Positions: positions, Root: &root})
	c := hubtest.BuildCover(t, l, 0)
	large := false
	for at, r := range l.Cells {
		large = large || c.HasClasses(int32(at)) && r.Hi-r.Sep > tile.MaxSide
	}
	if !large {
		t.Fatal("no separator of so many vertices sees classes")
	}
	k := linoptest.Must(t, hubtest.KernelOf(t, c, epsilon))
	x := gendensity.Random(len(positions), 1)
	y := k.MulVec(nil, x)
	for i := 0; i < w*h; i += w*h/25 + 7 {
		sum := x[w*h] * math.Exp(-(1e6+math.Min(float64(i%w+i/w), float64(i%w+h-1-i/w)))/epsilon)
		d := k.Distances(nil, i)
		for j := range w * h {
			far := math.Abs(float64(i%w-j%w)) + math.Abs(float64(i/w-j/w))
			if d[j] != far {
				t.Fatalf("D(%d,%d) is %g, not %g", i, j, d[j], far)
			}
			sum += x[j] * math.Exp(-far/epsilon)
		}
		if !(math.Abs(y[i]-sum) <= 1e-12*sum) {
			t.Errorf("row %d is %g, not %g", i, y[i], sum)
		}
	}
}

// On a random lattice all distances are the graph's. Its edges have any length, some of them are a little longer, and it has a handle.
func TestClassesOfAnyLattice(t *testing.T) {
	race.Alone(t)
	shared.Draws(t, 20)
	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.IntRange(7, 11).Draw(t, "columns"), rapid.IntRange(11, 22).Draw(t, "rows")
		step := rapid.SampledFrom([]float64{1, 0.1, 1.0 / 3, 1e-9}).Draw(t, "step")
		short := step * rapid.SampledFrom([]float64{0, 0.01, 0.9, 3, 100}).Draw(t, "handle")
		edges, positions, root := handled(w, h, step, rapid.IntRange(1, 4).Draw(t, "rungs"), short)
		longer := rapid.SampledFrom([]float64{0, 1e-14, 1e-12, 5e-10}).Draw(t, "longer")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 4))
		for i := range edges {
			if r.IntN(20) == 0 {
				edges[i].Weight *= 1 + longer
			}
		}
		g, err := graph.New(len(positions), edges)
		if err != nil {
			t.Fatal(err)
		}
		o := septree.Options{Positions: positions}
		if rapid.Bool().Draw(t, "root") {
			o.Root = &root
		}
		checkClasses(t, g, shardsOf(t, hubtest.Labels(t, g, o), 2), rapid.Uint64().Draw(t, "densities"))
	})
}
