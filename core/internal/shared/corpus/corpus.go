// Package corpus holds meshes and graphs whose kind is known without looking, so that tests need nothing that lies beside the
// repository. All come from our generators and the gallery, or are made here by hand; their figures are worked out
// by hand too. Only tests use it.
package corpus

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"genussink/core/graph"
	"genussink/core/mesh"
	"genussink/core/mesh/generate"
	"genussink/core/meshio"
)

// Class is a kind of mesh.
type Class string

// The classes. A mesh is in the first that fits, from below.
const (
	Closed       Class = "closed"         // one oriented surface without boundary
	Boundary     Class = "boundary"       // one oriented surface with boundary
	OneSided     Class = "not orientable" // one surface that has no two sides
	Disconnected Class = "disconnected"   // several pieces, or isolated vertices
	NonManifold  Class = "non-manifold"   // an edge of three faces, or a vertex of two fans
	Degenerate   Class = "degenerate"     // faces without area or with a repeated vertex
)

// Invariants are what mesh.Topology must find.
type Invariants struct {
	Components, BoundaryLoops, Genus, Euler                                  int
	NonmanifoldEdges, NonmanifoldVertices, DegenerateFaces, IsolatedVertices int
	Watertight, Oriented                                                     bool
}

// Mesh is a mesh, its class, its invariants and its graph.
type Mesh struct {
	Name  string
	Class Class
	Want  Invariants
	Mesh  *mesh.Mesh
	Graph *graph.Graph
}

// closed are the invariants of an oriented surface of that genus without boundary.
func closed(genus int) Invariants {
	return Invariants{Components: 1, Genus: genus, Euler: 2 - 2*genus, Watertight: true, Oriented: true}
}

// bounded are those of a sphere with so many holes.
func bounded(loops int) Invariants {
	return Invariants{Components: 1, BoundaryLoops: loops, Euler: 2 - loops, Oriented: true}
}

// Meshes are small: of 3 to 1,100 vertices.
func Meshes(t testing.TB) []Mesh {
	t.Helper()
	list := []Mesh{
		{Name: "triangle", Class: Boundary, Want: bounded(1), Mesh: &mesh.Mesh{Positions: Scatter(3), Faces: [][3]int32{{0, 1, 2}}}},
		{Name: "tetrahedron", Class: Closed, Want: closed(0), Mesh: &mesh.Mesh{Positions: Scatter(4), Faces: [][3]int32{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}}},
		{Name: "sphere", Class: Closed, Want: closed(0), Mesh: made(t, "sphere", map[string]float64{"frequency": 4})},
		{Name: "pseudo-genus", Class: Closed, Want: closed(0), Mesh: made(t, "pseudo-genus", map[string]float64{"order": 2, "vertices": 152})},
		{Name: "torus", Class: Closed, Want: closed(1), Mesh: made(t, "torus", map[string]float64{"segments": 12, "sides": 8})},
		{Name: "three holes", Class: Closed, Want: closed(3), Mesh: made(t, "multi-torus", map[string]float64{"genus": 3, "edge": 0.2})},
		{Name: "dumbbell", Class: Boundary, Want: bounded(1), Mesh: made(t, "dumbbell", map[string]float64{"radius": 6, "width": 2})},
		{Name: "tube", Class: Boundary, Want: bounded(2), Mesh: band(16, 6, false)},
		{Name: "plate with holes", Class: Boundary, Want: bounded(5), Mesh: plate(13, 4)},
		{Name: "Moebius strip", Class: OneSided, Want: Invariants{Components: 1, BoundaryLoops: 1}, Mesh: band(17, 4, true)},
		{Name: "Klein bottle", Class: OneSided, Want: Invariants{Components: 1, Watertight: true}, Mesh: klein(12, 9)},
	}
	byName := func(name string) *mesh.Mesh {
		return list[slices.IndexFunc(list, func(m Mesh) bool { return m.Name == name })].Mesh
	}
	ball, ring := byName("sphere"), byName("torus")
	apart := closed(1)
	apart.Components, apart.Euler, apart.IsolatedVertices = 2, 2, 2
	list = append(list, Mesh{Name: "sphere, torus and two vertices", Class: Disconnected, Want: apart, Mesh: &mesh.Mesh{
		Positions: append(side(ball, ring), [3]float64{9, 9, 9}, [3]float64{-9, 9, 9}), Faces: beside(ball, ring),
	}})

	// Two spheres that share a vertex: the second one's first is the first one's.
	kissing := &mesh.Mesh{Positions: side(ball, ball), Faces: beside(ball, ball)}
	glue(kissing, map[int32]int32{int32(len(ball.Positions)): 0})
	pinched := closed(0)
	pinched.NonmanifoldVertices, pinched.Euler = 1, 3
	list = append(list, Mesh{Name: "two spheres that share a vertex", Class: NonManifold, Want: pinched, Mesh: kissing})

	// Three pages on one spine of five edges. Around each of its vertices lie three fans, and the rest of a page's edge counts as a loop.
	const pages, spine, width = 3, 6, 4
	book := &mesh.Mesh{Positions: Scatter(spine + pages*spine*(width-1))}
	for p := range pages {
		book.Faces = append(book.Faces, lattice(width, spine, func(i, j int) int32 {
			if i == 0 {
				return int32(j)
			}
			return int32(spine + (p*(width-1)+i-1)*spine + j)
		})...)
	}
	list = append(list, Mesh{Name: "book of three pages", Class: NonManifold, Mesh: book, Want: Invariants{
		Components: 1, NonmanifoldEdges: spine - 1, Euler: 1, BoundaryLoops: pages, NonmanifoldVertices: spine, Oriented: true,
	}})

	// A sphere with an edge cut in two for one of its faces only: what gapes there is a face without area. One face more names a vertex twice.
	torn := &mesh.Mesh{Positions: slices.Clone(ball.Positions), Faces: slices.Clone(ball.Faces)}
	f := torn.Faces[0]
	a, b := torn.Positions[f[0]], torn.Positions[f[1]]
	middle := int32(len(torn.Positions))
	torn.Positions = append(torn.Positions, [3]float64{(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2})
	torn.Faces[0] = [3]int32{f[0], middle, f[2]}
	torn.Faces = append(torn.Faces, [3]int32{middle, f[1], f[2]}, [3]int32{f[0], f[1], middle}, [3]int32{f[0], f[0], f[1]})
	flat := closed(0)
	flat.DegenerateFaces = 2
	list = append(list, Mesh{Name: "sphere with faces without area", Class: Degenerate, Want: flat, Mesh: torn})

	for i := range list {
		m := &list[i]
		checked, err := mesh.New(m.Mesh.Positions, m.Mesh.Faces)
		if err == nil {
			m.Graph, err = graph.FromMesh(checked)
		}
		if err != nil {
			t.Fatalf("%s: %v", m.Name, err)
		}
	}
	return list
}

// Surfaces are the meshes whose every piece is a surface, with two sides or one.
func Surfaces(t testing.TB) []Mesh {
	t.Helper()
	return slices.DeleteFunc(Meshes(t), func(m Mesh) bool { return m.Class == NonManifold || m.Class == Degenerate })
}

// Gallery are the closed surfaces of assets/meshes, of 2,000 to 12,000 vertices, by the manifest there.
func Gallery(t testing.TB) []Mesh {
	t.Helper()
	folder := filepath.Join(root(t), "assets", "meshes")
	data, err := os.ReadFile(filepath.Join(folder, "MANIFEST.json"))
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct {
		Meshes []struct {
			File  string
			Genus int
		}
	}
	if err := json.Unmarshal(data, &manifest); err != nil {
		t.Fatal(err)
	}
	var list []Mesh
	for _, entry := range manifest.Meshes {
		data, err := os.ReadFile(filepath.Join(folder, entry.File))
		if err != nil {
			t.Fatal(err)
		}
		r, err := meshio.Read(entry.File, bytes.NewReader(data), meshio.Options{})
		if err != nil {
			t.Fatal(err)
		}
		m := Mesh{Name: entry.File, Class: Closed, Want: closed(entry.Genus), Mesh: r.Mesh}
		if m.Graph, err = graph.FromMesh(m.Mesh); err != nil {
			t.Fatal(err)
		}
		list = append(list, m)
	}
	return list
}

// root is the repository's folder.
func root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	for err == nil {
		if _, missing := os.Stat(filepath.Join(dir, "go.mod")); missing == nil {
			return dir
		}
		if up := filepath.Dir(dir); up != dir {
			dir = up
			continue
		}
		err = os.ErrNotExist
	}
	t.Fatal("no go.mod above the test: ", err)
	return ""
}

func made(t testing.TB, kind string, params map[string]float64) *mesh.Mesh {
	t.Helper()
	m, err := generate.Make(kind, params)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Scatter places n vertices in general position.
func Scatter(n int) [][3]float64 {
	p := make([][3]float64, n)
	for i := range p {
		x := float64(i)
		p[i] = [3]float64{math.Cos(x), math.Sin(1.7 * x), math.Sin(x*x + 1)}
	}
	return p
}

// lattice triangulates w x h vertices.
func lattice(w, h int, at func(i, j int) int32) (faces [][3]int32) {
	for i := range w - 1 {
		for j := range h - 1 {
			a, b, c, d := at(i, j), at(i+1, j), at(i+1, j+1), at(i, j+1)
			faces = append(faces, [3]int32{a, b, c}, [3]int32{a, c, d})
		}
	}
	return faces
}

// band is a strip h vertices wide whose ends are joined after w, as a tube or, turned over, as a Moebius strip.
func band(w, h int, turned bool) *mesh.Mesh {
	m := &mesh.Mesh{}
	for i := range w {
		turn := 2 * math.Pi * float64(i) / float64(w)
		for j := range h {
			across, up := 0.0, float64(j)/float64(h-1)-0.5
			if turned {
				across, up = up*math.Cos(turn/2), up*math.Sin(turn/2)
			}
			m.Positions = append(m.Positions, [3]float64{(1 + across) * math.Cos(turn), (1 + across) * math.Sin(turn), up})
		}
	}
	m.Faces = lattice(w+1, h, func(i, j int) int32 {
		if i == w && turned {
			j = h - 1 - j
		}
		return int32(i%w*h + j)
	})
	return m
}

// klein is a tube whose ends are joined the wrong way round.
func klein(w, h int) *mesh.Mesh {
	m := &mesh.Mesh{Positions: Scatter(w * h)}
	m.Faces = lattice(w+1, h+1, func(i, j int) int32 {
		if i == w {
			j = 2*h - j
		}
		return int32(i%w*h + j%h)
	})
	return m
}

// plate is a square of side x side vertices without so many cells, none of which touch.
func plate(side, holes int) *mesh.Mesh {
	m := &mesh.Mesh{}
	for i := range side {
		for j := range side {
			m.Positions = append(m.Positions, [3]float64{float64(i), float64(j), 0})
		}
	}
	faces := lattice(side, side, func(i, j int) int32 { return int32(i*side + j) })
	for k := range holes { // a cell is two faces
		cell := (2+3*(k/2))*(side-1) + 2 + 4*(k%2)
		faces[2*cell], faces[2*cell+1] = [3]int32{-1}, [3]int32{-1}
	}
	m.Faces = slices.DeleteFunc(faces, func(f [3]int32) bool { return f[0] < 0 })
	return m
}

// side are the vertices of two meshes, the second moved away from the first.
func side(a, b *mesh.Mesh) [][3]float64 {
	p := slices.Clone(a.Positions)
	for _, q := range b.Positions {
		p = append(p, [3]float64{q[0] + 4, q[1], q[2]})
	}
	return p
}

// beside are the faces of two meshes whose vertices follow one another.
func beside(a, b *mesh.Mesh) [][3]int32 {
	faces, n := slices.Clone(a.Faces), int32(len(a.Positions))
	for _, f := range b.Faces {
		faces = append(faces, [3]int32{f[0] + n, f[1] + n, f[2] + n})
	}
	return faces
}

// glue makes vertices one with others, and takes them out.
func glue(m *mesh.Mesh, with map[int32]int32) {
	number := make([]int32, len(m.Positions))
	var kept [][3]float64
	for v := range number {
		if _, gone := with[int32(v)]; !gone {
			number[v] = int32(len(kept))
			kept = append(kept, m.Positions[v])
		}
	}
	for f := range m.Faces {
		for c, v := range m.Faces[f] {
			if to, gone := with[v]; gone {
				v = to
			}
			m.Faces[f][c] = number[v]
		}
	}
	m.Positions = kept
}
