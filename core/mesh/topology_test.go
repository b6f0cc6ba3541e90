package mesh_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"genussink/core/internal/growth"
	"genussink/core/internal/shared"
	"genussink/core/internal/shared/corpus"
	"genussink/core/mesh"

	"pgregory.net/rapid"
)

func build(t testing.TB, positions [][3]float64, faces [][3]int32) *mesh.Mesh {
	t.Helper()
	m, err := mesh.New(positions, faces)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// quads triangulates an nu x nv grid whose seams are joined by wrap, which
// maps a lattice point to its vertex.
func quads(nu, nv int, wrap func(i, j int) int32) (faces [][3]int32) {
	for i := range nu {
		for j := range nv {
			a, b, c, d := wrap(i, j), wrap(i+1, j), wrap(i+1, j+1), wrap(i, j+1)
			faces = append(faces, [3]int32{a, b, c}, [3]int32{a, c, d})
		}
	}
	return faces
}

func TestTopologyOfClassifiedMeshes(t *testing.T) {
	tetra := [][3]int32{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}
	shifted := func(faces [][3]int32, by map[int32]int32) [][3]int32 {
		out := slices.Clone(faces)
		for f := range out {
			for c := range 3 {
				if to, ok := by[out[f][c]]; ok {
					out[f][c] = to
				}
			}
		}
		return out
	}
	torus := quads(4, 5, func(i, j int) int32 { return int32(i%4*5 + j%5) })
	klein := quads(4, 5, func(i, j int) int32 {
		if i == 4 {
			i, j = 0, 10-j
		}
		return int32(i*5 + j%5)
	})
	moebius := quads(7, 1, func(i, j int) int32 {
		if i == 7 {
			i, j = 0, 1-j
		}
		return int32(2*i + j)
	})
	annulus := quads(6, 2, func(i, j int) int32 { return int32(i%6*3 + j) })
	type want struct {
		v, f, e, comps, loops, euler, genus, nmE, nmV, degenerate, isolated int
		watertight, oriented                                                bool
	}
	for _, c := range []struct {
		name  string
		n     int
		faces [][3]int32
		want  want
		warns string
	}{
		{"empty", 0, nil, want{oriented: true}, "empty"},
		{"one vertex", 1, nil, want{v: 1, isolated: 1, oriented: true}, "no faces"},
		{"one triangle", 3, [][3]int32{{0, 1, 2}}, want{v: 3, f: 1, e: 3, comps: 1, loops: 1, euler: 1, oriented: true}, "open"},
		{"tetrahedron", 4, tetra, want{v: 4, f: 4, e: 6, comps: 1, euler: 2, watertight: true, oriented: true}, ""},
		{"two tetrahedra", 8, slices.Concat(tetra, shifted(tetra, map[int32]int32{0: 4, 1: 5, 2: 6, 3: 7})),
			want{v: 8, f: 8, e: 12, comps: 2, euler: 4, watertight: true, oriented: true}, "2 separate"},
		{"two tetrahedra in one vertex", 7, slices.Concat(tetra, shifted(tetra, map[int32]int32{0: 4, 1: 5, 2: 6})),
			want{v: 7, f: 8, e: 12, comps: 1, euler: 3, nmV: 1, watertight: true, oriented: true}, "one vertex the surface touches"},
		{"two tetrahedra on one edge", 6, slices.Concat(tetra, shifted(tetra, map[int32]int32{0: 4, 1: 5})),
			want{v: 6, f: 8, e: 11, comps: 1, euler: 3, nmE: 1, nmV: 2, oriented: true}, "more than two faces"},
		{"torus", 20, torus, want{v: 20, f: 40, e: 60, comps: 1, genus: 1, watertight: true, oriented: true}, ""},
		{"Klein bottle", 20, klein, want{v: 20, f: 40, e: 60, comps: 1, watertight: true}, "only one side"},
		{"Moebius strip", 14, moebius, want{v: 14, f: 14, e: 28, comps: 1, loops: 1}, "only one side"},
		{"annulus", 18, annulus, want{v: 18, f: 24, e: 42, comps: 1, loops: 2, oriented: true}, "2 boundary loops"},
		{"torus with a hole", 20, torus[1:], want{v: 20, f: 39, e: 60, comps: 1, loops: 1, euler: -1, genus: 1, oriented: true}, "open"},
		{"one face the wrong way round", 4, [][3]int32{{0, 1, 2}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}},
			want{v: 4, f: 4, e: 6, comps: 1, euler: 2, watertight: true}, "disagree"},
		{"bow tie", 5, [][3]int32{{0, 1, 2}, {0, 3, 4}}, want{v: 5, f: 2, e: 6, comps: 1, loops: 2, euler: 1, nmV: 1, oriented: true}, "touches"},
		{"repeated vertices and an isolated one", 6, [][3]int32{{0, 1, 2}, {2, 2, 3}, {4, 4, 4}},
			want{v: 6, f: 3, e: 4, comps: 2, loops: 1, euler: 1, degenerate: 2, isolated: 1, oriented: true}, "2 faces have no area"},
		{"the same face twice", 3, [][3]int32{{0, 1, 2}, {0, 2, 1}}, want{v: 3, f: 2, e: 3, comps: 1, euler: 2, watertight: true, oriented: true}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := build(t, corpus.Scatter(c.n), c.faces).Topology()
			got := want{g.Vertices, g.Faces, g.Edges, g.Components, g.BoundaryLoops, g.Euler, g.Genus, g.NonmanifoldEdges,
				g.NonmanifoldVertices, g.DegenerateFaces, g.IsolatedVertices, g.Watertight, g.Oriented}
			if got != c.want {
				t.Errorf("got  %+v\nwant %+v", got, c.want)
			}
			all := strings.Join(g.Warnings, " ")
			if (c.warns == "") != (all == "") || !strings.Contains(all, c.warns) {
				t.Errorf("warnings %q, want %q among them", all, c.warns)
			}
		})
	}
}

func TestLengthsAndAreas(t *testing.T) {
	// A 3-4-5 triangle and one folded flat on its short side.
	m := build(t, [][3]float64{{0, 0, 0}, {3, 0, 0}, {0, 4, 0}, {1, 0, 0}}, [][3]int32{{0, 1, 2}, {1, 0, 3}})
	g := m.Topology()
	if g.EdgeMin != 1 || g.EdgeMax != 5 || g.EdgeMean != 3 || g.Diagonal != 5 || g.DegenerateFaces != 1 {
		t.Errorf("min %g mean %g max %g diagonal %g degenerate %d", g.EdgeMin, g.EdgeMean, g.EdgeMax, g.Diagonal, g.DegenerateFaces)
	}
	if a := m.VertexAreas(); !slices.Equal(a, []float64{2, 2, 2, 0}) {
		t.Errorf("vertex areas %v", a)
	}
	// Tiny and huge triangles are as good as others.
	for _, s := range []float64{1e-150, 1e150} {
		m := build(t, [][3]float64{{0, 0, 0}, {s, 0, 0}, {0, s, 0}}, [][3]int32{{0, 1, 2}})
		if g := m.Topology(); g.DegenerateFaces != 0 || g.EdgeMin != s {
			t.Errorf("scale %g: %d degenerate faces, shortest edge %g", s, g.DegenerateFaces, g.EdgeMin)
		}
	}
}

// TestTopologyAgainstCounting compares with plain counting in maps on random
// faces, which have every defect there is.
func TestTopologyAgainstCounting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 9).Draw(t, "n")
		v := rapid.Int32Range(0, int32(n-1))
		faces := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) [3]int32 {
			return [3]int32{v.Draw(t, "a"), v.Draw(t, "b"), v.Draw(t, "c")}
		}), 0, 14).Draw(t, "faces")
		m, err := mesh.New(corpus.Scatter(n), faces)
		if err != nil {
			t.Fatal(err)
		}
		g := m.Topology()

		edges := map[[2]int32][]int{} // edge -> its faces in the surface
		around := map[int32][]int{}
		surface := 0
		reach := make([][]bool, n)
		for i := range reach {
			reach[i] = make([]bool, n)
		}
		for f, v := range faces {
			whole := v[0] != v[1] && v[1] != v[2] && v[2] != v[0]
			if whole {
				surface++
			}
			for c := range 3 {
				lo, hi := min(v[c], v[(c+1)%3]), max(v[c], v[(c+1)%3])
				reach[lo][hi], reach[hi][lo], reach[lo][lo] = true, true, true
				reach[hi][hi] = true
				if lo != hi {
					if _, ok := edges[[2]int32{lo, hi}]; !ok {
						edges[[2]int32{lo, hi}] = nil
					}
				}
				if whole {
					edges[[2]int32{lo, hi}] = append(edges[[2]int32{lo, hi}], f)
					around[v[c]] = append(around[v[c]], f)
				}
			}
		}
		for k := range n {
			for i := range n {
				for j := range n {
					reach[i][j] = reach[i][j] || reach[i][k] && reach[k][j]
				}
			}
		}
		components, isolated := 0, 0
		for i := range n {
			if !reach[i][i] {
				isolated++
			} else if slices.Index(reach[i], true) == i {
				components++
			}
		}
		nmE, surfaceEdges, open := 0, 0, 0
		for _, fs := range edges {
			if len(fs) > 2 {
				nmE++
			}
			if len(fs) > 0 {
				surfaceEdges++
			}
			if len(fs) == 1 {
				open++
			}
		}
		// A vertex is manifold when its faces form one path or cycle across
		// edges of exactly two faces.
		nmV := 0
		for x, fs := range around {
			seen := map[int]bool{fs[0]: true}
			bad := false
			for again := true; again; {
				again = false
				for e, side := range edges {
					if e[0] != x && e[1] != x {
						continue
					}
					bad = bad || len(side) > 2
					if len(side) == 2 && seen[side[0]] != seen[side[1]] {
						seen[side[0]], seen[side[1]], again = true, true, true
					}
				}
			}
			if bad || len(seen) != len(fs) {
				nmV++
			}
		}
		if g.Edges != len(edges) || len(m.Edges()) != len(edges) || g.Components != components || g.IsolatedVertices != isolated ||
			g.NonmanifoldEdges != nmE || g.NonmanifoldVertices != nmV || g.Euler != len(around)-surfaceEdges+surface ||
			g.Watertight != (surface > 0 && open == 0 && nmE == 0) {
			t.Fatalf("%v\ngot %+v\nwant edges %d components %d isolated %d non-manifold %d/%d euler %d", faces, *g,
				len(edges), components, isolated, nmE, nmV, len(around)-surfaceEdges+surface)
		}
		if nmE == 0 && nmV == 0 && g.Oriented && 2*components-g.Euler-g.BoundaryLoops != 2*g.Genus && g.DegenerateFaces == 0 {
			t.Fatalf("Euler %d, %d loops, %d components, genus %d", g.Euler, g.BoundaryLoops, components, g.Genus)
		}
	})
}

// The time grows like the size, up to as many vertices as the largest shared mesh has: least times of several rounds, more where
// few show more. Memory that no cache holds, and sorting around vertices, take the rest.
func TestTopologyIsQuick(t *testing.T) {
	shared.Long(t)
	const bar = 1.25
	sizes := []int{46, 92, 183, 366}
	var meshes []*mesh.Mesh
	var squares, least []float64
	for _, n := range sizes {
		meshes = append(meshes, build(t, corpus.Scatter(n*n), quads(n, n, func(i, j int) int32 { return int32(i%n*n + j%n) })))
		squares, least = append(squares, float64(n*n)), append(least, math.Inf(1))
	}
	power := math.Inf(1)
	for round := 0; round < 2 || round < 20 && power > bar; round++ {
		for k, m := range meshes {
			runs := len(meshes[len(meshes)-1].Faces) / len(m.Faces) // as long as the largest takes
			start := shared.Processor()
			for range runs {
				if g := m.Topology(); g.Genus != 1 || !g.Watertight || g.Edges != 3*sizes[k]*sizes[k] {
					t.Fatalf("%+v", *g)
				}
			}
			least[k] = min(least[k], shared.Processor().Sub(start).Seconds()/float64(runs))
		}
		power = growth.Power(squares, least)
	}
	if power > bar {
		t.Errorf("the time grows like n^%.2f: %.2g s", power, least)
	}
}
