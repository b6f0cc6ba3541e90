// Package generate makes meshes: those of the paper's synthetic experiments, and spheres and tori of every genus. It makes graphs
// without faces too: the paper's dumbbells and grids. And it makes the surface of a Field, which describes a solid: a ball, a capsule, a box, or a smooth union of solids.
//
// # Deviations
//
// From the paper (Appendix, "Details on the pseudo-genus family"):
//
//   - The mesh "dumbbell" has a diagonal in every cell. Its bridge has a width of at least two vertices, for one of width 1 has no
//     faces. The kind "dumbbell-graph" is the paper's, up to two vertices: see dumbbellPoints.
//   - The paper gives no formula for its pseudo-genus surfaces. Here they are rows of balls and squashed necks, with any number of
//     vertices.
package generate

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"genussink/core/graph"
	"genussink/core/mesh"
)

// Kind is a generator that Make knows by name.
type Kind struct {
	Name        string
	Description string // one sentence
	Params      []Param
	Graph       bool                                      // it is a graph without faces, that MakeGraph makes
	make        func(value []float64) (*mesh.Mesh, error) // of a mesh; values in the order of Params
	join        func(value []float64) (*graph.Graph, [][3]float64, error)
}

// Param is a parameter of a generator.
type Param struct {
	Name              string
	Default, Min, Max float64
	Unit              string // "mesh units", or what is counted
	Integer           bool   // only whole numbers are allowed
}

// units is the unit of lengths.
const units = "mesh units"

// Kinds lists the generators.
func Kinds() []Kind {
	return []Kind{
		{
			Name:        "sphere",
			Description: "A unit sphere from the icosahedron, each of whose edges is cut into as many parts as the frequency says.",
			Params:      []Param{{"frequency", 16, 1, 80, "parts of an edge", true}},
			make:        func(v []float64) (*mesh.Mesh, error) { return icosphere(int(v[0])) },
		},
		{
			Name:        "torus",
			Description: "A torus with radius 1 to the middle of its tube.",
			Params: []Param{
				{"minor", 0.4, 0.01, 0.99, units, false},
				{"segments", 72, 3, 500, "vertices around the hole", true},
				{"sides", 30, 3, 500, "vertices around the tube", true},
			},
			make: func(v []float64) (*mesh.Mesh, error) { return torus(v[0], int(v[1]), int(v[2])) },
		},
		{
			Name:        "multi-torus",
			Description: "A chain of tori that have grown together: a closed surface of the given genus.",
			Params: []Param{
				{"genus", 2, 1, 12, "holes", true},
				{"edge", 0.1, 0.07, 0.2, units, false},
			},
			make: func(v []float64) (*mesh.Mesh, error) { return multiTorus(int(v[0]), v[1]) },
		},
		{
			Name:        "dumbbell",
			Description: "The paper's planar dumbbell as a mesh: two discs of lattice points and a bridge as long as their radius.",
			Params: []Param{
				{"radius", 18, 2, 120, "lattice steps of 1 mesh unit", true},
				{"width", 2, 2, 9, "vertices across the bridge", true},
			},
			make: func(v []float64) (*mesh.Mesh, error) { return dumbbell(int(v[0]), int(v[1])) },
		},
		{
			Name:        "pseudo-genus",
			Description: "The paper's closed surface of genus 0 that seems to have handles: its necks are narrow and squashed.",
			Params: []Param{
				{"order", 1, 1, 3, "necks", true},
				{"vertices", 4268, 100, 50000, "vertices", true},
			},
			make: func(v []float64) (*mesh.Mesh, error) { return pseudoGenus(int(v[0]), int(v[1])) },
		},
		{
			Name:        "dumbbell-graph",
			Description: "The paper's dumbbell itself, a graph without faces: its bridge may be one vertex wide.",
			Params: []Param{
				{"radius", 18, 2, 120, "lattice steps of 1 mesh unit", true},
				{"width", 1, 1, 9, "vertices across the bridge", true},
			},
			Graph: true,
			join:  func(v []float64) (*graph.Graph, [][3]float64, error) { return DumbbellGraph(int(v[0]), int(v[1])) },
		},
		{
			Name:        "grid",
			Description: "The square grid as a graph without faces. Its treewidth is the number of vertices on a side.",
			Params:      []Param{{"side", 8, 2, 200, "vertices on a side", true}},
			Graph:       true,
			join:        func(v []float64) (*graph.Graph, [][3]float64, error) { return gridGraph(int(v[0])) },
		},
	}
}

// Make makes the mesh called kind. Parameters that are not given have
// their default; an unknown name and a value out of range are errors that say
// what is allowed.
func Make(kind string, params map[string]float64) (*mesh.Mesh, error) {
	k, values, err := find(kind, params)
	if err == nil && k.Graph {
		err = fmt.Errorf("generate: %s has no faces", kind)
	}
	if err != nil {
		return nil, err
	}
	return k.make(values)
}

// MakeGraph makes the graph without faces called kind, and the places of its vertices, mesh units. Parameters are as Make's.
func MakeGraph(kind string, params map[string]float64) (*graph.Graph, [][3]float64, error) {
	k, values, err := find(kind, params)
	if err == nil && !k.Graph {
		err = fmt.Errorf("generate: %s has faces", kind)
	}
	if err != nil {
		return nil, nil, err
	}
	return k.join(values)
}

// IsGraph says whether there is a kind of this name that is a graph without faces.
func IsGraph(kind string) bool {
	return slices.ContainsFunc(Kinds(), func(k Kind) bool { return k.Name == kind && k.Graph })
}

// find is the generator called kind and the values of its parameters.
func find(kind string, params map[string]float64) (k Kind, values []float64, err error) {
	kinds := Kinds()
	i := slices.IndexFunc(kinds, func(k Kind) bool { return k.Name == kind })
	if i < 0 {
		var names []string
		for _, k := range kinds {
			names = append(names, k.Name)
		}
		return k, nil, fmt.Errorf("generate: no kind %q; there are %s", kind, strings.Join(names, ", "))
	}
	k = kinds[i]
	values = make([]float64, len(k.Params))
	var names []string
	for i, p := range k.Params {
		values[i] = p.Default
		names = append(names, p.Name)
	}
	var given []string
	for name := range params {
		given = append(given, name)
	}
	slices.Sort(given) // so that of several mistakes the same one is reported
	for _, name := range given {
		i := slices.Index(names, name)
		if i < 0 {
			return k, nil, fmt.Errorf("generate: %s has no parameter %q; it has %s", kind, name, strings.Join(names, ", "))
		}
		p, x := k.Params[i], params[name]
		whole := ""
		if p.Integer {
			whole = "a whole number "
		}
		if !(x >= p.Min && x <= p.Max) || p.Integer && x != math.Trunc(x) {
			return k, nil, fmt.Errorf("generate: %s: %s is %g; allowed is %sfrom %g to %g (%s)", kind, name, x, whole, p.Min, p.Max, p.Unit)
		}
		values[i] = x
	}
	return k, values, nil
}

// icosphere is the geodesic polyhedron with 10 f² + 2 vertices.
func icosphere(f int) (*mesh.Mesh, error) {
	g := (1 + math.Sqrt(5)) / 2
	corners := []Vec{
		{-1, g, 0}, {1, g, 0}, {-1, -g, 0}, {1, -g, 0},
		{0, -1, g}, {0, 1, g}, {0, -1, -g}, {0, 1, -g},
		{g, 0, -1}, {g, 0, 1}, {-g, 0, -1}, {-g, 0, 1},
	}
	sides := [][3]int{
		{0, 11, 5}, {0, 5, 1}, {0, 1, 7}, {0, 7, 10}, {0, 10, 11},
		{1, 5, 9}, {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
		{3, 9, 4}, {3, 4, 2}, {3, 2, 6}, {3, 6, 8}, {3, 8, 9},
		{4, 9, 5}, {2, 4, 11}, {6, 2, 10}, {8, 6, 7}, {9, 8, 1},
	}
	var positions [][3]float64
	var faces [][3]int32
	known := make(map[[12]int]int32) // weights of the corners -> vertex
	for _, s := range sides {
		at := func(i, j int) int32 { // i parts towards the second corner, j towards the third
			var w [12]int
			w[s[0]], w[s[1]], w[s[2]] = f-i-j, i, j
			v, ok := known[w]
			if !ok {
				v = int32(len(positions))
				known[w] = v
				var p Vec
				for c, x := range w {
					p = add(p, scale(float64(x), corners[c]))
				}
				positions = append(positions, unit(p))
			}
			return v
		}
		for i := range f {
			for j := range f - i {
				faces = append(faces, [3]int32{at(i, j), at(i+1, j), at(i, j+1)})
				if i+j < f-1 {
					faces = append(faces, [3]int32{at(i+1, j), at(i+1, j+1), at(i, j+1)})
				}
			}
		}
	}
	return mesh.New(positions, faces)
}

func torus(minor float64, segments, sides int) (*mesh.Mesh, error) {
	var positions [][3]float64
	var faces [][3]int32
	at := func(i, j int) int32 { return int32(i%segments*sides + j%sides) }
	for i := range segments {
		su, cu := math.Sincos(2 * math.Pi * float64(i) / float64(segments))
		for j := range sides {
			sv, cv := math.Sincos(2 * math.Pi * float64(j) / float64(sides))
			r := 1 + float64(minor*cv)
			positions = append(positions, Vec{r * cu, r * su, minor * sv})
			faces = append(faces, [3]int32{at(i, j), at(i+1, j), at(i+1, j+1)}, [3]int32{at(i, j), at(i+1, j+1), at(i, j+1)})
		}
	}
	return mesh.New(positions, faces)
}

func multiTorus(genus int, edge float64) (*mesh.Mesh, error) {
	const major, minor, apart = 1, 0.38, 1.9
	middle := float64(genus-1) * apart / 2
	rings := make([]Field, genus)
	for i := range rings {
		rings[i] = Ring(Vec{apart*float64(i) - middle}, major, minor)
	}
	reach := major + minor + 2*edge
	return Surface(Union(0.35, rings...), Vec{-middle - reach, -reach, -minor - 0.1 - 2*edge}, Vec{middle + reach, reach, minor + 0.1 + 2*edge}, edge)
}
