package inspect_test

import (
	"math"
	"slices"
	"testing"

	"genussink/core/graph"
	"genussink/core/inspect"
	"genussink/core/internal/shared/corpus"
	"genussink/core/internal/shared/genmesh"
	"genussink/core/mesh"
)

// A sphere of radius r has mean curvature 1/r and Gaussian curvature 1/r^2 everywhere.
func TestCurvatureOfSphere(t *testing.T) {
	m, _ := genmesh.Make(t, "sphere", map[string]float64{"frequency": 12})
	for scale, factor := range map[string]float64{"unit": 1, "large": 1000} {
		big := &mesh.Mesh{Faces: m.Faces}
		for _, p := range m.Positions {
			big.Positions = append(big.Positions, [3]float64{factor * p[0], factor * p[1], factor * p[2]})
		}
		r := mesh.Distance(big.Positions[0], [3]float64{})
		c := inspect.Curvature(big)
		for v := range c.Mean {
			if got := c.Mean[v] * r; !(math.Abs(got-1) < 0.05) {
				t.Fatalf("%s: mean curvature of vertex %d is %g / r", scale, v, got)
			}
			if got := c.Gaussian[v] * r * r; !(math.Abs(got-1) < 0.1) {
				t.Fatalf("%s: Gaussian curvature of vertex %d is %g / r^2", scale, v, got)
			}
		}
	}
}

// On every closed mesh without defects the curvatures add up to 2 pi times the Euler characteristic (Gauss and Bonnet).
func TestGaussBonnet(t *testing.T) {
	tried := 0
	for _, m := range append(corpus.Meshes(t), corpus.Gallery(t)...) {
		if !m.Want.Watertight || m.Want.DegenerateFaces > 0 || m.Want.NonmanifoldVertices > 0 || m.Want.IsolatedVertices > 0 {
			continue
		}
		tried++
		c := inspect.Curvature(m.Mesh)
		sum, area := 0.0, 0.0
		for v, k := range c.Gaussian {
			sum += k * c.Area[v]
			area += c.Area[v]
		}
		if want := 2 * math.Pi * float64(m.Want.Euler); !(math.Abs(sum-want) < 1e-8*float64(len(c.Area))) {
			t.Errorf("%s: the total curvature is %.12g, want %.12g", m.Name, sum, want)
		}
		for f := range m.Mesh.Faces {
			area -= m.Mesh.FaceArea(f)
		}
		if !(math.Abs(area) < 1e-9) {
			t.Errorf("%s: the areas of the vertices are %g more than those of the faces", m.Name, area)
		}
	}
	if tried < 5 {
		t.Errorf("%d closed meshes", tried)
	}
}

// A tetrahedron and what can be said of it by hand; a fold of two faces; a face without area.
func TestShapes(t *testing.T) {
	solid := &mesh.Mesh{
		Positions: [][3]float64{{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}},
		Faces:     [][3]int32{{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}},
	}
	near := func(what string, got, want float64) {
		t.Helper()
		if !(math.Abs(got-want) < 1e-12) {
			t.Errorf("%s is %.15g, want %.15g", what, got, want)
		}
	}
	g, err := graph.FromMesh(solid)
	if err != nil {
		t.Fatal(err)
	}
	ends, lengths := inspect.Edges(g)
	if want := []int32{0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 2, 3}; !slices.Equal(ends, want) {
		t.Errorf("edges %v", ends)
	}
	for i, length := range lengths {
		near("edge", length, math.Sqrt(8))
		near("bend", inspect.Bends(solid)[i].Angle, 180-math.Acos(1.0/3)*180/math.Pi)
	}
	for f, ratio := range inspect.AspectRatios(solid) {
		near("aspect ratio", ratio, 1)
		near("degree", inspect.Degrees(g)[f], 3)
	}
	near("mean curvature's sign", math.Copysign(1, inspect.Curvature(solid).Mean[0]), 1)

	folded := &mesh.Mesh{
		Positions: [][3]float64{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 1, 1e-9}, {2, 0, 0}},
		Faces:     [][3]int32{{0, 1, 2}, {0, 1, 3}, {0, 1, 4}},
	}
	if bends := inspect.Bends(folded); len(bends) != 0 {
		t.Errorf("an edge of three faces bends: %v", bends)
	}
	folded.Faces = folded.Faces[:2]
	if bends := inspect.Bends(folded); len(bends) != 1 || !(bends[0].Angle > 179.9) || bends[0].Edge != [2]int32{0, 1} {
		t.Errorf("a fold bends by %v", bends)
	}
	flat := &mesh.Mesh{Positions: folded.Positions, Faces: [][3]int32{{0, 1, 4}}}
	if ratio := inspect.AspectRatios(flat)[0]; !math.IsInf(ratio, 1) {
		t.Errorf("a face without area has aspect ratio %g", ratio)
	}
	if c := inspect.Curvature(flat); !math.IsNaN(c.Mean[0]) || !math.IsNaN(c.Gaussian[3]) {
		t.Errorf("curvature %v where there is no inside", c)
	}
}

func TestFinite(t *testing.T) {
	if got := inspect.Finite([]float64{3, math.NaN(), 1, math.Inf(-1)}); !slices.Equal(got, []float64{3, 1}) {
		t.Errorf("%v", got)
	}
}

// Components are listed by size, those of one size by their first vertex; the largest and single vertices are not.
func TestSmallComponents(t *testing.T) {
	for _, c := range []struct {
		n     int
		edges []graph.Edge
		want  [][]int32
	}{
		{0, nil, nil},
		{1, nil, nil},
		{3, []graph.Edge{{U: 0, V: 2, Weight: 1}}, nil},
		{10, []graph.Edge{{U: 0, V: 9, Weight: 1}, {U: 2, V: 3, Weight: 1}, {U: 4, V: 5, Weight: 1}, {U: 5, V: 8, Weight: 1}, {U: 1, V: 6, Weight: 1}, {U: 6, V: 7, Weight: 1}}, [][]int32{{4, 5, 8}, {0, 9}, {2, 3}}},
	} {
		g, err := graph.New(c.n, c.edges)
		if err != nil {
			t.Fatal(err)
		}
		got := inspect.SmallComponents(g)
		if len(got) != len(c.want) || !slices.EqualFunc(got, c.want, slices.Equal) {
			t.Errorf("%d vertices, %v: %v, want %v", c.n, c.edges, got, c.want)
		}
	}
}

// A sphere has positive mean curvature, also if some or all of its faces are flipped. A vertex of a face without area has none.
func TestCurvatureOfTurnedFaces(t *testing.T) {
	m, _ := genmesh.Make(t, "sphere", map[string]float64{"frequency": 6})
	turned := func(which func(f int) bool) *mesh.Mesh {
		out := &mesh.Mesh{Positions: m.Positions, Faces: slices.Clone(m.Faces)}
		for f := range out.Faces {
			if v := &out.Faces[f]; which(f) {
				v[1], v[2] = v[2], v[1]
			}
		}
		return out
	}
	for name, which := range map[string]func(f int) bool{
		"some": func(f int) bool { return slices.Contains(m.Faces[f][:], 0) }, "all": func(int) bool { return true },
		"most": func(f int) bool { return !slices.Contains(m.Faces[f][:], 0) },
	} {
		for v, k := range inspect.Curvature(turned(which)).Mean {
			if !(math.Abs(k-1) < 0.1) {
				t.Fatalf("%s flipped: the mean curvature of vertex %d is %g", name, v, k)
			}
		}
	}
	// A flat plate whose inner vertex lies on an edge of a face without area.
	plate := &mesh.Mesh{
		Positions: [][3]float64{{0, 0, 0}, {-1, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, -1, 0}},
		Faces:     [][3]int32{{1, 0, 3}, {0, 2, 3}, {1, 2, 0}, {1, 4, 2}},
	}
	if c := inspect.Curvature(plate); !math.IsNaN(c.Mean[0]) || !math.IsNaN(c.Gaussian[0]) {
		t.Errorf("beside a face without area: %g and %g", c.Mean[0], c.Gaussian[0])
	}
}
