package treehost

import (
	"context"
	"fmt"
	"math"
	"testing"

	"genussink/core/graph"
	"genussink/core/internal/shared"
	"genussink/core/internal/shared/corpus"
	"genussink/core/internal/shared/genmesh"
	"genussink/core/internal/shared/realmesh"
	"genussink/core/shortest"
	"genussink/internal/race"
)

// diameter is a lower bound on the diameter, by two sweeps, hardly ever short of it.
func diameter(g *graph.Graph) float64 {
	s := shortest.NewSolver(g)
	reached, _ := s.Within(inf, 0)
	reached, dist := s.Within(inf, reached[len(reached)-1])
	return dist[reached[len(reached)-1]]
}

func spread(n, count int) (rows []int32) {
	for i := range min(n, count) {
		rows = append(rows, int32(i*n/min(n, count)))
	}
	return rows
}

// TestGenus: what goes to every bag is 4g shortest paths at most, and nothing
// on the sphere; the host's width is what the package comment proves.
func TestGenus(t *testing.T) {
	for _, c := range []struct {
		kind   string
		params map[string]float64
		genus  int
	}{
		{"sphere", map[string]float64{"frequency": 8}, 0},
		{"dumbbell", map[string]float64{"radius": 8}, 0}, // with a boundary
		{"torus", map[string]float64{"segments": 40, "sides": 20}, 1},
		{"multi-torus", map[string]float64{"genus": 3, "edge": 0.2}, 3},
	} {
		t.Run(c.kind, func(t *testing.T) {
			m, g := genmesh.Make(t, c.kind, c.params)
			f, err := grow(g)
			if err != nil {
				t.Fatal(err)
			}
			b, err := fromFaces(g, f, m.Faces)
			if err != nil {
				t.Fatal(err)
			}
			inner := make([]bool, g.Len()) // has a child in top
			for _, v := range b.top {
				if p := b.parent[v]; p != none {
					inner[p] = true
				}
			}
			paths := 0
			for _, v := range b.top {
				if !inner[v] {
					paths++
				}
			}
			if paths > 4*c.genus {
				t.Errorf("%d paths in every bag of a surface of genus %d", paths, c.genus)
			}
			big := radius(t, g)
			for _, construction := range constructions {
				o := Options{Distortion: 0.3 * big, Faces: m.Faces, Construction: construction}
				h, err := Embed(t.Context(), g, o)
				if err != nil {
					t.Fatal(err)
				}
				verify(t, g, h, o, spread(g.Len(), 20))
				proved := (2/0.3+1)*(3*math.Log2(float64(g.Len()))+float64(4*c.genus)) + leafSize
				if w := h.Decomposition.Width(); construction == Nested && float64(w) > proved {
					t.Errorf("width %d, proved %.0f", w, proved)
				}
			}
		})
	}
}

var meshes = []struct {
	file  string
	genus int
}{
	{"common3d__spot.obj", 0},
	{"odedstein__cat-low-resolution.obj", 0},
	{"odedstein__plane_holes.obj", 0}, // 27 holes
	{"cgal__blobby_3cc.off", 0},       // three components
	{"cgal__elephant.off", 3},
	{"libigl__fertility.off", 4},
	{"cgal__turbine.off", 11},
	{"gc__moebius.obj", 0}, // not orientable
}

// TestMeshes holds hosts of real meshes to their bounds.
func TestMeshes(t *testing.T) {
	shared.Long(t)
	for _, c := range meshes {
		t.Run(c.file, func(t *testing.T) {
			m, g := realmesh.Read(t, c.file)
			bounded(t, m.Faces, g, c.genus, 0)
		})
	}
}

// TestCorpus holds hosts of a mesh of every class to their bounds.
func TestCorpus(t *testing.T) {
	race.Alone(t)
	for _, m := range corpus.Meshes(t) {
		t.Run(m.Name, func(t *testing.T) { bounded(t, m.Mesh.Faces, m.Graph, m.Want.Genus, leafSize) })
	}
}

// bounded holds hosts of a mesh to their bound over sampled rows, and their width to log2(n)/eps times 1 on the sphere, and a share of
// the genus more. On small meshes a last cell counts, too: it adds so many vertices as are given.
func bounded(t *testing.T, faces [][3]int32, g *graph.Graph, genus, cell int) {
	t.Helper()
	d := diameter(g)
	for _, o := range []Options{
		{Distortion: 0.2 * d, Faces: faces},
		{Distortion: 0.05 * d, Faces: faces},
		{Distortion: 0.2 * d},
		{Distortion: 0.4 * d, Faces: faces, Construction: Emulated},
	} {
		if g.Len() > 5000 && (o.Construction == Emulated || o.Distortion < 0.1*d) {
			continue // the benchmark has them
		}
		h, err := Embed(t.Context(), g, o)
		if err != nil {
			t.Fatal(err)
		}
		worst := verify(t, g, h, o, spread(g.Len(), 8))
		eps := o.Distortion / d
		constant := float64(h.Decomposition.Width()-cell) * eps / math.Log2(float64(g.Len()))
		t.Logf("%d vertices, eps %.2f, construction %d, faces %v: width %d = %.2f log2(n)/eps, bound %.3f, worst seen %.3f diameters",
			g.Len(), eps, o.Construction, o.Faces != nil, h.Decomposition.Width(), constant, h.Bound/d, worst/d)
		if o.Construction == Nested && constant > 1+0.1*float64(genus) {
			t.Errorf("width %d is %.2f log2(n)/eps", h.Decomposition.Width(), constant)
		}
	}
}

// BenchmarkEmbed measures width and distortion against eps.
func BenchmarkEmbed(b *testing.B) {
	for _, c := range meshes[:7] {
		m, g := realmesh.Read(b, c.file)
		d := diameter(g)
		for _, eps := range []float64{0.4, 0.2, 0.1, 0.05} {
			for _, way := range []struct {
				name string
				o    Options
			}{
				{"nested", Options{Faces: m.Faces}},
				{"nested without faces", Options{}},
				{"emulated", Options{Faces: m.Faces, Construction: Emulated}},
			} {
				b.Run(fmt.Sprintf("%s/%s/eps=%g", c.file, way.name, eps), func(b *testing.B) {
					o := way.o
					o.Distortion = eps * d
					var h *Host
					for b.Loop() {
						var err error
						if h, err = Embed(context.Background(), g, o); err != nil {
							b.Fatal(err)
						}
					}
					b.ReportMetric(float64(h.Decomposition.Width()), "width")
					b.ReportMetric(float64(h.Decomposition.Width())*eps/math.Log2(float64(g.Len())), "log2(n)/eps")
					b.ReportMetric(verify(b, g, h, o, spread(g.Len(), 32))/d, "distortion/D")
					b.ReportMetric(float64(len(h.Portals)), "portals")
				})
			}
		}
	}
}
