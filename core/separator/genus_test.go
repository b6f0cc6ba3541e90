package separator

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"genussink/core/graph"
	"genussink/core/internal/shared"
	"genussink/core/mesh/generate"
	"genussink/internal/race"
)

// handled is a random triangulation of the sphere with tubes put on pairs of
// its faces that share no vertex, a closed surface of that many handles, or,
// with twists, tubes that come back from the other side.
func handled(n, tubes int, twisted bool, r *rand.Rand) (g *graph.Graph, faces [][3]int32, genus int) {
	_, faces = triangulation(n, 2*n, r)
	used := make([]bool, n)
	free := func(t [3]int32) bool { return !used[t[0]] && !used[t[1]] && !used[t[2]] }
	var ends [][3]int32
	for _, f := range r.Perm(len(faces)) {
		if t := faces[f]; len(ends) < 2*tubes && free(t) {
			ends = append(ends, t)
			used[t[0]], used[t[1]], used[t[2]] = true, true, true
		}
	}
	ends = ends[:len(ends)/2*2]
	faces = slices.DeleteFunc(faces, func(t [3]int32) bool { return slices.Contains(ends, t) })
	for i := 0; i < len(ends); i += 2 {
		// Around the hole of a face a, b, c its neighbours run b, a; the tube
		// has a, b. A new triangle in the middle keeps the graph simple.
		a, b := ends[i], ends[i+1]
		mid := [3]int32{int32(n), int32(n) + 1, int32(n) + 2}
		n += 3
		if !twisted {
			b[1], b[2] = b[2], b[1]
		}
		for c := range 3 {
			d := (c + 1) % 3
			faces = append(faces, [3]int32{a[c], a[d], mid[d]}, [3]int32{a[c], mid[d], mid[c]},
				[3]int32{mid[c], mid[d], b[d]}, [3]int32{mid[c], b[d], b[c]})
		}
	}
	return fromFaces(n, faces), faces, len(ends)
}

// TestGenusTheorem checks the theorem on random surfaces with handles and
// crosscaps, with faces taken out and turned round.
func TestGenusTheorem(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(12, 300).Draw(t, "n")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		g, faces, euler := handled(n, rapid.IntRange(0, 10).Draw(t, "tubes"), rapid.Bool().Draw(t, "twisted"), r)
		closed := rapid.Bool().Draw(t, "closed")
		if !closed {
			out := rapid.Float64Range(0, 1).Draw(t, "out")
			faces = slices.DeleteFunc(faces, func([3]int32) bool { return r.Float64() < out })
		}
		for f := range faces {
			if r.IntN(2) == 0 {
				faces[f][0], faces[f][1] = faces[f][1], faces[f][0]
			}
		}
		e, err := embedFaces(context.Background(), g, faces)
		if err != nil {
			t.Fatal(err)
		}
		if err := checkEmbedding(e); err != nil {
			t.Fatal(err)
		}
		if closed && e.genus() != euler {
			t.Fatalf("genus %d, want %d", e.genus(), euler)
		}
		x, err := root(context.Background(), g, Options{Faces: faces, Seed: r.Uint64()}, embedFaces)
		if err != nil {
			t.Fatal(err)
		}
		if err := checkTheorem(x); err != nil {
			t.Fatal(err)
		}
		s, err := genusFinder(t).Find(context.Background(), g, Options{Faces: faces, Balance: 0.05})
		if errors.Is(err, ErrNotPlanar) && len(faces) == 0 {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := Verify(g, s, 0.05); err != nil {
			t.Fatal(err)
		}
	})
}

func genusFinder(t interface{ Fatal(...any) }) Finder {
	f, err := ByName("genus")
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestGenusOnGenerated checks the theorem on tori and chains of tori of
// several sizes, and on a Klein bottle, and the finder's answer with it.
func TestGenusOnGenerated(t *testing.T) {
	race.Alone(t)
	type surface struct {
		name  string
		g     *graph.Graph
		faces [][3]int32
		euler int
	}
	var list []surface
	add := func(euler int, kind string, params map[string]float64) {
		m, err := generate.Make(kind, params)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, surface{fmt.Sprint(kind, params), fromFaces(len(m.Positions), m.Faces), m.Faces, euler})
	}
	add(0, "sphere", map[string]float64{"frequency": 12})
	add(0, "dumbbell", nil)
	add(2, "torus", map[string]float64{"segments": 5, "sides": 5})
	add(2, "torus", map[string]float64{"segments": 100, "sides": 10})
	add(2, "torus", map[string]float64{"segments": 60, "sides": 60})
	for g := 2; g <= 8; g += 3 {
		add(2*g, "multi-torus", map[string]float64{"genus": float64(g), "edge": 0.15})
	}
	g, faces := torus(30, 40, true)
	list = append(list, surface{"Klein bottle", g, faces, 2})
	for _, c := range list {
		for seed := range uint64(3) {
			x, err := root(context.Background(), c.g, Options{Faces: c.faces, Seed: seed}, embedFaces)
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
				continue
			}
			if x.genus() != c.euler {
				t.Errorf("%s: Euler genus %d, want %d", c.name, x.genus(), c.euler)
			}
			if err := checkTheorem(x); err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
		}
		n := c.g.Len()
		s, err := find(t, "genus", c.g, Options{Faces: c.faces})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if err := Verify(c.g, s, 0); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		t.Logf("%-45s n %5d k %2d |S| %4d, bound %.0f", c.name, n, c.euler, len(s.S), math.Sqrt(float64(8*(c.euler+1)*n)))
	}
}

// TestGenusRealMeshes checks the theorem and the finder on every component of
// the shared meshes that is a surface.
func TestGenusRealMeshes(t *testing.T) {
	shared.Long(t)
	tried := 0
	for _, m := range realMeshes(t, 100, 30000) {
		start := time.Now()
		s, err := find(t, "genus", m.g, Options{Faces: m.mesh.Faces})
		took := time.Since(start)
		if err != nil {
			t.Errorf("%s: %v", m.name, err)
			continue
		}
		if err := Verify(m.g, s, 0); err != nil {
			t.Errorf("%s: %v", m.name, err)
		}
		n, genus := m.g.Len(), m.mesh.Topology().Genus
		t.Logf("%-32s n %5d genus %4d |A| %5d |S| %4d |B| %5d |S|/sqrt((g+1)n) %.2f  %.1f ms", m.name, n, genus,
			len(s.A), len(s.S), len(s.B), float64(len(s.S))/math.Sqrt(float64((genus+1)*n)), float64(took.Microseconds())/1000)
		if _, count := m.g.Components(); count > 1 {
			continue
		}
		tried++
		x, err := root(context.Background(), m.g, Options{Faces: m.mesh.Faces}, embedSurface)
		if err != nil {
			t.Errorf("%s: %v", m.name, err)
			continue
		}
		if err := checkTheorem(x); err != nil {
			t.Errorf("%s: %v", m.name, err)
		}
	}
	if tried < 20 {
		t.Errorf("only %d meshes of one component", tried)
	}
}

// TestNotSurface gives faces that form none, and asks for the place.
func TestNotSurface(t *testing.T) {
	ring, faces := torus(7, 7, false)
	cone := slices.Clone(faces) // another torus through vertex 0, and an edge between them
	for _, f := range faces {
		for c := range 3 {
			if f[c] > 0 {
				f[c] += 48
			}
		}
		cone = append(cone, f)
	}
	var pairs [][2]int32
	for _, f := range cone {
		pairs = append(pairs, [2]int32{f[0], f[1]}, [2]int32{f[1], f[2]}, [2]int32{f[2], f[0]})
	}
	cases := []struct {
		name  string
		g     *graph.Graph
		faces [][3]int32
		want  string
	}{
		{"a third face", ring, append(slices.Clone(faces), faces[0]), "an edge has a third face"},
		{"tori that share a vertex", build(t, 97, pairs...), cone, "they close up around a vertex without all its edges, at [0]"},
		{"no edge", ring, append(slices.Clone(faces), [3]int32{0, 20, 40}), "the graph lacks an edge of a face"},
	}
	for _, c := range cases {
		_, err := find(t, "genus", c.g, Options{Faces: c.faces})
		if !errors.Is(err, ErrNotSurface) || err.Error() != fmt.Sprintf("%v: %s", ErrNotSurface, c.want) && c.name != "a third face" && c.name != "no edge" {
			t.Errorf("%s: %v", c.name, err)
		}
		t.Log(err)
	}
}
