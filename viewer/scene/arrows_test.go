package scene

import (
	"math"
	"slices"
	"testing"
)

// pathsAlong are those of particles along vertices.
func pathsAlong(list ...[]int32) *paths {
	p := &paths{}
	for _, vertices := range list {
		p.particles = append(p.particles, particle{vertices: vertices, along: make([]float64, len(vertices))})
	}
	return p
}

// line is a path graph.
func line(t *testing.T, vertices int) *Mesh {
	t.Helper()
	var positions []float64
	var edges []int32
	for v := range vertices {
		positions = append(positions, float64(v), 0, 0)
		if v > 0 {
			edges = append(edges, int32(v-1), int32(v))
		}
	}
	m, ok := newMesh(positions, nil, edges)
	if !ok {
		t.Fatal("no mesh")
	}
	return m
}

// run is the vertices from one to another, by a step.
func run(from, to, step int32) (path []int32) {
	for v := from; v != to+step; v += step {
		path = append(path, v)
	}
	return path
}

// finish follows to the end, and says in how many steps.
func (n *netFlow) finish(m *Mesh, flow *paths) (steps int) {
	for steps = 1; !n.follow(m, flow, arrowWork); steps++ {
	}
	return steps
}

// divideAll divides to the end.
func (n *netFlow) divideAll() {
	for work := arrowWork; !n.divide(&work); work = arrowWork {
	}
}

// Arrows on a path all point the way that the mass goes, and all of it crosses each.
func TestArrowsAlongAPath(t *testing.T) {
	var n netFlow
	n.finish(line(t, 1000), pathsAlong(run(0, 999, 1), run(0, 999, 1)))
	if len(n.arrows) < arrowPatches/4 || len(n.arrows) >= mostPatches {
		t.Errorf("%d arrows", len(n.arrows))
	}
	for _, a := range n.arrows {
		if a.Direction[0] < 0.999 || math.Abs(a.Share-1) > 1e-4 {
			t.Fatalf("%+v", a)
		}
	}
	// Half of it turns back halfway: what is left crosses.
	n.finish(n.mesh, pathsAlong(run(0, 999, 1), append(run(0, 499, 1), run(498, 0, -1)...)))
	for _, a := range n.arrows {
		turns := math.Abs(float64(a.At[0])*n.mesh.HalfDiag+n.mesh.Center[0]-499) < float64(n.spacing)*n.mesh.HalfDiag
		if a.Direction[0] < 0.999 || !turns && math.Abs(a.Share-0.5) > 0.01 {
			t.Fatalf("%+v", a)
		}
	}
}

// As much mass goes one way as the other: there are no arrows. Paths that come later are added to the sums.
func TestOppositeFlowsCancel(t *testing.T) {
	m := line(t, 1000)
	var n netFlow
	f := pathsAlong(run(0, 999, 1))
	n.finish(m, f)
	if len(n.arrows) == 0 {
		t.Fatal("no arrows")
	}
	both := pathsAlong(run(0, 999, 1), run(999, 0, -1))
	f.particles = both.particles
	n.finish(m, f)
	for _, a := range n.arrows {
		if a.Share > 1e-4 {
			t.Fatalf("%+v", a)
		}
	}
}

// Where two arrows would overlap, only the one with more mass is there.
func TestArrowsKeepTheirDistance(t *testing.T) {
	n := netFlow{mesh: line(t, 1000)}
	n.divideAll()
	border := int32(300)
	for n.patch[border] == n.patch[border+1] {
		border++
	}
	n.finish(n.mesh, pathsAlong(run(border-2, border+2, 1), run(border-1, border+2, 1)))
	if len(n.arrows) != 1 || n.arrows[0].Direction[0] < 0.999 {
		t.Errorf("%+v on both sides of the border of two patches", n.arrows)
	}
}

// Where mass parts, the shares of both branches are together all of it. Where none goes there is no arrow.
func TestArrowsWhereMassParts(t *testing.T) {
	e := grid(60, 41)
	m, ok := newMesh(e.Positions, e.Faces, nil)
	if !ok {
		t.Fatal("no mesh")
	}
	row := func(y int32) []int32 { return run(60*y, 60*y+59, 1) }
	list := [][]int32{row(5), row(5), row(5), row(35)} // three quarters below, one above
	var n netFlow
	n.finish(m, pathsAlong(list...))
	shares, counts := [2]float64{}, [2]int{}
	for _, a := range n.arrows {
		if a.Direction[0] < 0.999 || math.Abs(float64(a.Normal[2])) < 0.999 {
			t.Fatalf("%+v", a)
		}
		y := float64(a.At[1])*m.HalfDiag + m.Center[1]
		k := 0
		switch {
		case math.Abs(y-5) < 2.5:
		case math.Abs(y-35) < 2.5:
			k = 1
		default:
			t.Fatalf("an arrow at %g, where nothing goes", y)
		}
		shares[k] += a.Share
		counts[k]++
	}
	if counts[0] == 0 || counts[1] == 0 {
		t.Fatalf("%v arrows", counts)
	}
	below, above := shares[0]/float64(counts[0]), shares[1]/float64(counts[1])
	if math.Abs(below-0.75) > 1e-4 || math.Abs(above-0.25) > 1e-4 {
		t.Errorf("%g below and %g above", below, above)
	}
}

// Patches cover the mesh evenly, each connected to its middle; a mesh without any flow, or of isolated vertices, has no arrows.
func TestPatches(t *testing.T) {
	e := grid(100, 100)
	m, ok := newMesh(e.Positions, e.Faces, nil)
	if !ok {
		t.Fatal("no mesh")
	}
	var n netFlow
	n.finish(m, pathsAlong([]int32{7}))
	if len(n.arrows) != 0 {
		t.Errorf("%d arrows of mass that stays", len(n.arrows))
	}
	sizes := make([]int, len(n.patches))
	for v, i := range n.patch {
		if i < 0 {
			t.Fatalf("vertex %d is in no patch", v)
		}
		sizes[i]++
	}
	if len(sizes) < arrowPatches/2 || len(sizes) > mostPatches {
		t.Errorf("%d patches", len(sizes))
	}
	for i, size := range sizes {
		if size > 5*10000/len(sizes) {
			t.Errorf("patch %d has %d vertices", i, size)
		}
	}
	lone, ok := newMesh([]float64{0, 0, 0, 1, 0, 0}, nil, []int32{})
	if !ok {
		t.Fatal("no mesh")
	}
	n.finish(lone, pathsAlong([]int32{0}, []int32{1}))
	if len(n.arrows) != 0 {
		t.Errorf("%d arrows between vertices that nothing joins", len(n.arrows))
	}
}

// Arrows are shown on request, once there are paths, where nothing covers the flow; the legend lists them then.
func TestArrowsOnRequest(t *testing.T) {
	r := newRig(t, grid(6, 6))
	r.run()
	legend := func() *LegendEntry {
		for _, e := range r.s.Legend() {
			if e.Layer == LayerArrows {
				return &e
			}
		}
		return nil
	}
	if len(r.s.Arrows()) != 0 || legend() == nil || legend().On {
		t.Errorf("without a request there are %d arrows, and in the legend %+v", len(r.s.Arrows()), legend())
	}
	before := r.s.OverlayRevision()
	r.s.Toggle(LayerArrows)
	if !r.s.State().View.Arrows || r.s.OverlayRevision() == before || len(r.s.Arrows()) == 0 || !legend().On || legend().Parts[0].Mark != MarkLine {
		t.Errorf("%d arrows, in the legend %+v", len(r.s.Arrows()), legend())
	}
	r.s.View.Flow(false)
	if len(r.s.Arrows()) == 0 {
		t.Error("without mass there are no arrows")
	}
	r.s.ShowValues(make([]float64, 36), 0, 1)
	if len(r.s.Arrows()) != 0 {
		t.Error("a field has arrows")
	}
	r.s.Toggle(LayerArrows)
	if len(r.s.Arrows()) == 0 {
		t.Error("what is asked for is covered")
	}
	r.s.Task(TaskSeparators)
	if len(r.s.Arrows()) != 0 {
		t.Error("the separators have arrows")
	}
	r.s.Toggle(LayerArrows)
	r.s.Toggle(LayerArrows)
	if len(r.s.Arrows()) != 0 || r.s.View.Looks().Arrows {
		t.Error("they stay")
	}
}

// Where time passes arrows take some frames, each of little work, and are then what they are made at once.
func TestArrowsComeInSteps(t *testing.T) {
	e := grid(250, 200)
	m, _ := newMesh(e.Positions, e.Faces, nil)
	var list [][]int32
	for y := range int32(200) {
		for range 5 {
			list = append(list, run(250*y, 250*y+249, 1))
		}
	}
	f := pathsAlong(list...)
	var n, small netFlow
	steps := n.finish(m, f)
	if steps < 4 || steps > 40 {
		t.Errorf("%d steps", steps)
	}
	for tries := 0; !small.follow(m, f, 1000); tries++ {
		if tries > 10_000 {
			t.Fatal("small steps do not end")
		}
	}
	if len(n.arrows) == 0 || !slices.Equal(small.arrows, n.arrows) || !slices.Equal(small.patch, n.patch) {
		t.Errorf("%d arrows in large steps, %d in small ones", len(n.arrows), len(small.arrows))
	}

	r := newRig(t, grid(6, 6))
	r.run()
	r.s.Tick(0.1)
	r.s.Toggle(LayerArrows)
	before := r.s.OverlayRevision()
	if r.s.Arrows(); len(r.s.Arrows()) == 0 && r.s.OverlayRevision() == before {
		t.Error("a step is over, and nothing asks for the next")
	}
}

func BenchmarkArrows(b *testing.B) {
	const w, h = 250, 200
	e := grid(w, h)
	var list [][]int32
	for i := range int32(Particles) {
		y := i % h
		list = append(list, run(w*y, w*y+w-1, 1))
	}
	f := pathsAlong(list...)
	b.Run("patches", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			m, _ := newMesh(e.Positions, e.Faces, nil)
			b.StartTimer()
			n := netFlow{mesh: m}
			n.divideAll()
		}
	})
	b.Run("paths", func(b *testing.B) {
		m, _ := newMesh(e.Positions, e.Faces, nil)
		n := netFlow{mesh: m}
		n.divideAll()
		for b.Loop() {
			n.flow = nil
			n.finish(m, f)
		}
	})
}
