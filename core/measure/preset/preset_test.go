package preset

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"genussink/core/graph"
	"genussink/core/measure"
	"genussink/core/mesh"
	"genussink/core/shortest"
)

// sheet is a flat grid of w x h unit squares with diagonals, longest along x.
func sheet(t testing.TB, w, h int) (*mesh.Mesh, *graph.Graph) {
	t.Helper()
	var positions [][3]float64
	var faces [][3]int32
	for y := range h + 1 {
		for x := range w + 1 {
			positions = append(positions, [3]float64{float64(x), float64(y), 0})
			if x < w && y < h {
				v := int32(y*(w+1) + x)
				faces = append(faces, [3]int32{v, v + 1, v + int32(w) + 2}, [3]int32{v, v + int32(w) + 2, v + int32(w) + 1})
			}
		}
	}
	return wrap(t, positions, faces)
}

func wrap(t testing.TB, positions [][3]float64, faces [][3]int32) (*mesh.Mesh, *graph.Graph) {
	t.Helper()
	m, err := mesh.New(positions, faces)
	if err != nil {
		t.Fatal(err)
	}
	g, err := graph.FromMesh(m)
	if err != nil {
		t.Fatal(err)
	}
	return m, g
}

func TestAnchorsOfASheet(t *testing.T) {
	m, _ := sheet(t, 10, 4)
	a := FindAnchors(m)
	// The first axis is x and the second y, both pointing up; of the ties at an
	// end the smallest number wins.
	if want := (Anchors{Left: 0, Right: 10, Low: 0, High: 44}); a != want {
		t.Errorf("%+v, not %+v", a, want)
	}
}

// Moving, turning about an axis of symmetry of the order and scaling leave the
// anchors where they are.
func TestAnchorsFollowTheMesh(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		scale := math.Exp2(float64(rapid.IntRange(-900, 900).Draw(rt, "scale")))
		shift := float64(rapid.IntRange(-3, 3).Draw(rt, "shift"))
		angle := rapid.Float64Range(-0.5, 0.5).Draw(rt, "angle")
		m, _ := sheet(t, 9, 3)
		for i, p := range m.Positions {
			p[0] += 0.01 * float64(i%5) // no ties
			p[1] += 0.003 * float64(i)
			x := p[0]*math.Cos(angle) - p[1]*math.Sin(angle)
			y := p[0]*math.Sin(angle) + p[1]*math.Cos(angle)
			m.Positions[i] = [3]float64{x, y, 0}
		}
		want := FindAnchors(m)
		moved := slices.Clone(m.Positions)
		for i := range moved {
			for c := range 3 {
				moved[i][c] = (moved[i][c] + shift) * scale
			}
		}
		if got := FindAnchors(&mesh.Mesh{Positions: moved, Faces: m.Faces}); got != want {
			rt.Errorf("%+v, not %+v", got, want)
		}
	})
}

func TestPrincipalAxes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var a [3][3]float64
		for i := range 3 {
			for j := range i + 1 {
				a[i][j] = rapid.Float64Range(-2, 2).Draw(t, "entry")
				a[j][i] = a[i][j]
			}
		}
		axes := principal(a)
		last := math.Inf(1)
		for i, v := range axes {
			// A v = lambda v with lambda the Rayleigh quotient, falling.
			var av [3]float64
			lambda := 0.0
			for r := range 3 {
				for c := range 3 {
					av[r] += a[r][c] * v[c]
				}
				lambda += av[r] * v[r]
			}
			greatest := 0.0
			for r := range 3 {
				if math.Abs(av[r]-lambda*v[r]) > 1e-12 {
					t.Fatalf("axis %d of %v: %v is no eigenvector", i, a, v)
				}
				greatest = max(greatest, v[r])
			}
			if lambda > last+1e-12 {
				t.Fatalf("eigenvalue %d rises from %g to %g", i, last, lambda)
			}
			last = lambda
			for j, w := range axes {
				dot := v[0]*w[0] + v[1]*w[1] + v[2]*w[2]
				if i == j {
					dot--
				}
				if math.Abs(dot) > 1e-12 {
					t.Fatalf("axes %d and %d: %g", i, j, dot)
				}
			}
			if greatest < math.Sqrt(1./3)-1e-5 {
				t.Fatalf("axis %d points down: %v", i, v)
			}
		}
	})
}

func TestPaperIsItsFormula(t *testing.T) {
	m, g := sheet(t, 12, 5)
	source, target, err := Paper(m, g, Floor)
	if err != nil {
		t.Fatal(err)
	}
	edge := 0.0
	for _, w := range g.Weights {
		edge += w / float64(len(g.Weights))
	}
	sigma := max(0.18*math.Hypot(12, 5), 3*edge)
	mix := func(wa float64, a int32, wb float64, b int32) []float64 {
		one := func(c int32) []float64 {
			d := shortest.From(g, c)
			total := 0.0
			for i, x := range d {
				d[i] = math.Exp(-x * x / (2 * sigma * sigma))
				total += d[i]
			}
			for i := range d {
				d[i] /= total
			}
			return d
		}
		x, y := one(a), one(b)
		for i := range x {
			x[i] = wa*x[i] + wb*y[i]
		}
		return x
	}
	// Left and low are vertex 0, right is 12, high is 65, all by the smallest number.
	for name, pair := range map[string][2][]float64{
		"source": {source, mix(0.7, 0, 0.3, 0)},
		"target": {target, mix(0.65, 12, 0.35, 65)},
	} {
		total := 0.0
		for i, x := range pair[0] {
			total += x
			if math.Abs(x-pair[1][i]) > 1e-15 {
				t.Errorf("%s %d is %g, not %g", name, i, x, pair[1][i])
			}
		}
		if math.Abs(total-1) > 1e-14 {
			t.Errorf("%s totals %g", name, total)
		}
	}
}

func TestPresets(t *testing.T) {
	m, g := sheet(t, 6, 2)
	for _, name := range []string{"paper", "two-spots", "uniform", "area"} {
		p, err := ByName(name, "", m, g, Floor)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, x := range [][]float64{p.Source, p.Target} {
			if err := measure.Validate(x, len(m.Positions)); err != nil || math.Abs(measure.Total(x)-1) > 1e-14 {
				t.Errorf("%s: total %g, %v", name, measure.Total(x), err)
			}
		}
	}
	if _, err := ByName("none", "", m, g, Floor); err == nil || !strings.Contains(err.Error(), `"none"`) {
		t.Errorf("unknown preset: %v", err)
	}
	for _, floor := range []float64{math.NaN(), math.Inf(1), -1} {
		if _, err := ByName("paper", "", m, g, floor); err == nil || !strings.Contains(err.Error(), "floor") {
			t.Errorf("a floor of %g: %v", floor, err)
		}
	}
	if _, err := ByName("paper", "some", m, g, Floor); err == nil || !strings.Contains(err.Error(), `"some"`) {
		t.Errorf("unknown components: %v", err)
	}
	area, err := ByName("area", Each, m, g, Floor)
	if err != nil {
		t.Fatal(err)
	}
	for v, want := range map[int]float64{0: 2, 1: 3, 8: 6} { // sixths of a unit square: 12 squares, 72 sixths
		if math.Abs(area.Source[v]-want/72) > 1e-15 {
			t.Errorf("area of vertex %d is %g, not %g/72", v, area.Source[v], want)
		}
	}
	// Degenerate meshes: one vertex, no vertex, no area, a huge diagonal.
	one, oneGraph := wrap(t, [][3]float64{{1, 2, 3}}, nil)
	if a, b, err := Paper(one, oneGraph, Floor); err != nil || a[0] != 1 || b[0] != 1 {
		t.Errorf("one vertex: %v, %v, %v", a, b, err)
	}
	if _, err := ByName("area", Each, one, oneGraph, Floor); err == nil || !strings.Contains(err.Error(), "area") {
		t.Error("a mesh without area has an area density")
	}
	none, noneGraph := wrap(t, nil, nil)
	if _, _, err := Paper(none, noneGraph, Floor); err == nil {
		t.Error("a mesh without vertices has anchors")
	}
	if _, _, err := Paper(one, g, Floor); err == nil {
		t.Error("a mesh with another's graph passes")
	}
	huge, _ := wrap(t, [][3]float64{{-1e308}, {1e308}, {0, 1e308}}, nil)
	hugeGraph, err := graph.New(3, []graph.Edge{{U: 0, V: 1, Weight: 1}, {U: 1, V: 2, Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := Paper(huge, hugeGraph, Floor); err == nil {
		t.Error("an infinite diagonal passes")
	}
}

// kit is a mesh of several components: sheets, a square, a lone triangle, and
// vertices that no face uses.
func kit(t testing.TB) (*mesh.Mesh, *graph.Graph) {
	var positions [][3]float64
	var faces [][3]int32
	for i, size := range [][2]int{{6, 2}, {1, 1}, {9, 3}} {
		m, _ := sheet(t, size[0], size[1])
		first := int32(len(positions))
		for _, p := range m.Positions {
			positions = append(positions, [3]float64{p[0] + 20*float64(i), p[1], 0})
		}
		for _, f := range m.Faces {
			faces = append(faces, [3]int32{f[0] + first, f[1] + first, f[2] + first})
		}
		positions = append(positions, [3]float64{-5, float64(i), 1}) // unused
	}
	first := int32(len(positions))
	positions = append(positions, [3]float64{0, 9, 0}, [3]float64{1, 9, 0}, [3]float64{0, 10, 0})
	return wrap(t, positions, append(faces, [3]int32{first, first + 1, first + 2}))
}

// Every preset has the same mass of both densities in every component: that of
// the component's share of the vertices (area: of the area), or all of it in the
// largest; and vertices without an edge have none.
func TestPresetsOfSeveralComponents(t *testing.T) {
	m, g := kit(t)
	component, count := g.Components()
	size, area := make([]float64, count), make([]float64, count)
	used, largest := 0.0, 0
	for v, x := range m.VertexAreas() {
		size[component[v]]++
		area[component[v]] += x
	}
	whole := measure.Total(area)
	for c, n := range size {
		if n > 1 {
			used += n
		}
		if n > size[largest] {
			largest = c
		}
	}
	for _, name := range []string{"paper", "two-spots", "uniform", "area"} {
		for _, where := range []Where{Each, Largest} {
			p, err := ByName(name, where, m, g, Floor)
			if err != nil {
				t.Fatal(err)
			}
			a, b := p.Source, p.Target
			if err := measure.Components(a, b, component, count); err != nil {
				t.Errorf("%s, %s: %v", name, where, err)
			}
			ma, mb := make([]float64, count), make([]float64, count)
			for v, c := range component {
				ma[c] += a[v]
				mb[c] += b[v]
			}
			for c := range count {
				want := size[c] / used
				switch {
				case where == Largest && c == largest:
					want = 1
				case where == Largest || size[c] == 1:
					want = 0
				case name == "area":
					want = area[c] / whole
				}
				if math.Abs(ma[c]-want) > 1e-14 || math.Abs(mb[c]-want) > 1e-14 {
					t.Errorf("%s, %s: component %d of %g vertices has mass %g and %g, not %g", name, where, c, size[c], ma[c], mb[c], want)
				}
			}
		}
	}
	// A component has in miniature what it has alone.
	var ids []int32
	for v, c := range component {
		if c == int32(largest) {
			ids = append(ids, int32(v))
		}
	}
	alone := &mesh.Mesh{Positions: make([][3]float64, len(ids))}
	for i, v := range ids {
		alone.Positions[i] = m.Positions[v]
	}
	want, _, err := Paper(alone, g.Induced(ids), Floor)
	if err != nil {
		t.Fatal(err)
	}
	for where, share := range map[Where]float64{Each: size[largest] / used, Largest: 1} {
		p, err := ByName("paper", where, m, g, Floor)
		if err != nil {
			t.Fatal(err)
		}
		got := p.Source
		for i, v := range ids {
			if math.Abs(got[v]-share*want[i]) > 1e-15 {
				t.Fatalf("%s: vertex %d has %g, alone %g", where, v, got[v], want[i])
			}
		}
	}
	// Points without an edge: each is a component, and all have the same.
	points, none := wrap(t, [][3]float64{{0}, {1}, {2}}, nil)
	if a, b, err := Paper(points, none, Floor); err != nil || !slices.Equal(a, b) || math.Abs(a[0]-1./3) > 1e-15 {
		t.Errorf("points: %v, %v, %v", a, b, err)
	}
}
