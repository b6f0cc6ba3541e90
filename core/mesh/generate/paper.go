package generate

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"genussink/core/graph"
	"genussink/core/mesh"
)

// dumbbellPoints lists the lattice points of the paper's dumbbell (the
// appendix "Details on the pseudo-genus family") and gives each its number:
// two discs x² + y² <= r² whose nearest points are r + 1 steps apart, and a
// bridge of w rows from the one to the other. For w = 1 that is r points more
// than the discs have: 644, 2036, 4268, 7284, 11092, 15740 and 19746 points
// for r = 10, 18, 26, 34, 42, 50 and 56. The paper's sequence of vertex counts
// is these, rounded down to the next that leaves 2 when divided by 3.
func dumbbellPoints(r, w int) (points [][2]int, number map[[2]int]int32) {
	second := 3*r + 1 // x of the second disc's middle; the first one's is 0
	number = make(map[[2]int]int32)
	for x := -r; x <= second+r; x++ {
		for y := -r; y <= r; y++ {
			disc := x*x+y*y <= r*r || (x-second)*(x-second)+y*y <= r*r
			bridge := x >= 0 && x <= second && y >= -(w-1)/2 && y <= w/2
			if disc || bridge {
				number[[2]int{x, y}] = int32(len(points))
				points = append(points, [2]int{x, y})
			}
		}
	}
	return points, number
}

// centred places lattice points with the dumbbell's middle at the origin.
func centred(points [][2]int, r int) [][3]float64 {
	positions := make([][3]float64, len(points))
	for i, p := range points {
		positions[i] = Vec{float64(p[0]) - float64(3*r+1)/2, float64(p[1]), 0}
	}
	return positions
}

// DumbbellGraph is the graph of the paper's dumbbell with discs of radius r
// and a bridge w vertices wide and r long: the planar grid, whose edges, all
// of length 1, join the lattice points that are 1 apart. A bridge of width 1
// is a path, which no mesh can have; the mesh kind "dumbbell" starts at width
// 2 and has a diagonal in every cell besides. Positions are in lattice steps.
func DumbbellGraph(r, w int) (*graph.Graph, [][3]float64, error) {
	if r < 2 || r > 1000 || w < 1 || w > r {
		return nil, nil, fmt.Errorf("generate: dumbbell of radius %d and width %d; allowed are radii from 2 to 1000 and widths from 1 to the radius", r, w)
	}
	points, number := dumbbellPoints(r, w)
	g, err := lattice(points, number)
	return g, centred(points, r), err
}

// gridGraph is the k x k grid: vertices at lattice points, edges of length 1 between those that are 1 apart.
func gridGraph(k int) (*graph.Graph, [][3]float64, error) {
	var points [][2]int
	var positions [][3]float64
	number := make(map[[2]int]int32)
	for y := range k {
		for x := range k {
			p := [2]int{x, y}
			number[p] = int32(len(points))
			points, positions = append(points, p), append(positions, Vec{float64(x), float64(y), 0})
		}
	}
	g, err := lattice(points, number)
	return g, positions, err
}

// lattice is the graph of lattice points whose edges, of length 1, join those that are 1 apart.
func lattice(points [][2]int, number map[[2]int]int32) (*graph.Graph, error) {
	var edges []graph.Edge
	for i, p := range points {
		for _, q := range [2][2]int{{p[0] + 1, p[1]}, {p[0], p[1] + 1}} {
			if j, ok := number[q]; ok {
				edges = append(edges, graph.Edge{U: int32(i), V: j, Weight: 1})
			}
		}
	}
	return graph.New(len(points), edges)
}

// dumbbell triangulates every lattice cell with four corners, alternating the
// diagonal, and rounds off the discs with a triangle in every cell with three.
func dumbbell(r, w int) (*mesh.Mesh, error) {
	if w > r {
		return nil, fmt.Errorf("generate: dumbbell: the width is %d, more than the radius %d", w, r)
	}
	points, number := dumbbellPoints(r, w)
	var faces [][3]int32
	for _, p := range points {
		addCell(&faces, number, p[0], p[1])
		// A cell without its first corner is found from its second one.
		if _, ok := number[[2]int{p[0] - 1, p[1]}]; !ok {
			addCell(&faces, number, p[0]-1, p[1])
		}
	}
	return mesh.New(centred(points, r), faces)
}

// addCell adds the triangles of the cell whose lowest corner is (x, y).
func addCell(faces *[][3]int32, number map[[2]int]int32, x, y int) {
	var there []int32
	for _, c := range [4][2]int{{x, y}, {x + 1, y}, {x + 1, y + 1}, {x, y + 1}} {
		if v, ok := number[c]; ok {
			there = append(there, v)
		}
	}
	switch len(there) {
	case 3:
		*faces = append(*faces, [3]int32{there[0], there[1], there[2]})
	case 4:
		a, b, c, d := there[0], there[1], there[2], there[3]
		if (x+y)&1 != 0 {
			a, b, c, d = b, c, d, a
		}
		*faces = append(*faces, [3]int32{a, b, c}, [3]int32{a, c, d})
	}
}

// pseudoGenus is a row of order+1 balls joined by order narrow necks, the
// necks squashed in z, with exactly n vertices: two poles, and rings around
// the x axis whose numbers of vertices are in proportion to their lengths.
func pseudoGenus(order, n int) (*mesh.Mesh, error) {
	const (
		apart   = 2.7  // between the middles of two balls of radius 1
		neck    = 0.2  // radius in y
		squash  = 0.35 // of the neck in z
		samples = 4096
	)
	half := float64(order)*apart/2 + 1
	// profile is the radius in y at x and the factor from y to z: half balls at
	// the ends, a cosine from each ball's middle to the next neck's.
	profile := func(x float64) (radius, flat float64) {
		if d := math.Abs(x) - (half - 1); d >= 0 {
			return math.Sqrt(max(1-float64(d*d), 0)), 1
		}
		t := (1 + math.Cos(2*math.Pi*(x+half-1)/apart)) / 2
		return neck + float64((1-neck)*t), squash + float64((1-squash)*t)
	}
	around := func(radius, flat float64) float64 { // an ellipse, by the mean of its axes' squares
		return 2 * math.Pi * radius * math.Sqrt((1+float64(flat*flat))/2)
	}
	// Arc length along the profile, and the area, by samples that crowd at the poles.
	xs, arc := make([]float64, samples+1), make([]float64, samples+1)
	area, last := 0.0, 0.0
	for i := range xs {
		xs[i] = -half * math.Cos(math.Pi*float64(i)/samples)
		radius, flat := profile(xs[i])
		if i > 0 {
			d := length(xs[i]-xs[i-1], radius-last)
			arc[i] = arc[i-1] + d
			area += float64(d * around(radius, flat))
		}
		last = radius
	}
	total := arc[samples]
	edge := math.Sqrt(2 * area / (math.Sqrt(3) * float64(n)))
	rings := min(max(int(math.Round(total/(edge*math.Sqrt(3)/2)))-1, 3), (n-2)/4)

	xOf, lengths := make([]float64, rings), make([]float64, rings)
	k, whole := 0, 0.0
	for i := range rings {
		s := total * float64(i+1) / float64(rings+1)
		for arc[k+1] < s {
			k++
		}
		xOf[i] = xs[k] + float64((s-arc[k])/(arc[k+1]-arc[k])*(xs[k+1]-xs[k]))
		lengths[i] = around(profile(xOf[i]))
		whole += lengths[i]
	}
	counts := apportion(n-2, 4, lengths, whole)

	positions := [][3]float64{{-half, 0, 0}}
	var faces [][3]int32
	previous := ring{first: 0, n: 1}
	for i, m := range counts {
		radius, flat := profile(xOf[i])
		r := ring{first: int32(len(positions)), n: m, turn: float64(i%2) / 2}
		for j := range m {
			s, c := math.Sincos(2 * math.Pi * r.angle(j))
			positions = append(positions, Vec{xOf[i], radius * c, radius * flat * s})
		}
		faces = stitch(faces, previous, r)
		previous = r
	}
	positions = append(positions, Vec{half, 0, 0})
	faces = stitch(faces, previous, ring{first: int32(len(positions) - 1), n: 1})
	return mesh.New(positions, faces)
}

// apportion shares n out in proportion to the weights, at least least to each:
// first what is whole, then one to each of the largest remainders.
func apportion(n, least int, weights []float64, sum float64) []int {
	counts, rest, order := make([]int, len(weights)), make([]float64, len(weights)), make([]int, len(weights))
	free := n - least*len(weights)
	left := free
	for i, w := range weights {
		share := float64(free) * w / sum
		whole := int(share)
		counts[i], rest[i], order[i] = least+whole, share-float64(whole), i
		left -= whole
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(rest[j], rest[i]) })
	for _, i := range order[:left] {
		counts[i]++
	}
	return counts
}

// ring is a circle of vertices, or a pole when n is 1.
type ring struct {
	first int32
	n     int
	turn  float64 // of its first vertex, in steps of the ring
}

func (r ring) angle(j int) float64 { return (float64(j) + r.turn) / float64(r.n) } // in turns

func (r ring) at(j int) int32 { return r.first + int32(j%r.n) }

// stitch fills the band between two neighbouring rings, of which b has the
// larger x, with triangles, going on at each step on the ring that is behind.
func stitch(faces [][3]int32, a, b ring) [][3]int32 {
	i, j, endA, endB := 0, 0, a.n, b.n
	if a.n == 1 {
		endA = 0
	}
	if b.n == 1 {
		endB = 0
	}
	for i < endA || j < endB {
		if j == endB || i < endA && a.angle(i+1) <= b.angle(j+1) {
			faces = append(faces, [3]int32{a.at(i), a.at(i + 1), b.at(j)})
			i++
		} else {
			faces = append(faces, [3]int32{a.at(i), b.at(j + 1), b.at(j)})
			j++
		}
	}
	return faces
}
