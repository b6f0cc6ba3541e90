package figure

import "math"

// maxStress is the greatest number of vertices for which Layout minimises the stress. That takes about a hundred rounds
// of n^2 steps.
const maxStress = 400

// Layout places the vertices of a graph in the plane by stress majorisation (Gansner, Koren and North, Graph drawing by
// stress majorization, 2004): the distance of two vertices on paper comes close to the number of edges between them. It
// is deterministic, and the longer axis lies across. More than 400 vertices are placed on a circle.
func Layout(n int, edges [][2]int) [][2]float64 {
	places := make([][2]float64, n)
	order := visit(n, edges)
	for i, v := range order {
		a := 2 * math.Pi * float64(i) / float64(max(n, 1))
		// Radii differ a little, or majorisation would stay on the circle's symmetry.
		r := 1 + 0.1*math.Mod(0.618034*float64(i), 1)
		places[v] = [2]float64{r * math.Cos(a), r * math.Sin(a)}
	}
	if n < 3 || n > maxStress {
		return places
	}
	d := hops(n, edges)
	scale := 0.0
	for _, row := range d {
		for _, x := range row {
			scale = max(scale, x)
		}
	}
	for i := range places {
		places[i][0] *= scale / 2
		places[i][1] *= scale / 2
	}
	last := math.Inf(1)
	for range 300 {
		next := make([][2]float64, n)
		stress := 0.0
		for i := range n {
			var sum [2]float64
			weight := 0.0
			for j := range n {
				if i == j {
					continue
				}
				w := 1 / (d[i][j] * d[i][j])
				dx, dy := places[i][0]-places[j][0], places[i][1]-places[j][1]
				far := math.Hypot(dx, dy)
				stress += w * (far - d[i][j]) * (far - d[i][j])
				pull := 0.0
				if far > 1e-9 {
					pull = d[i][j] / far
				}
				sum[0] += w * (places[j][0] + pull*dx)
				sum[1] += w * (places[j][1] + pull*dy)
				weight += w
			}
			next[i] = [2]float64{sum[0] / weight, sum[1] / weight}
		}
		places = next
		if last-stress < 1e-5*stress {
			break
		}
		last = stress
	}
	return lying(places)
}

// visit lists the vertices by depth-first search, so that a path or cycle starts untangled.
func visit(n int, edges [][2]int) []int {
	next := neighbours(n, edges)
	seen := make([]bool, n)
	var order []int
	for s := range n {
		if seen[s] {
			continue
		}
		for stack := []int{s}; len(stack) > 0; {
			v := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if seen[v] {
				continue
			}
			seen[v] = true
			order = append(order, v)
			for i := len(next[v]) - 1; i >= 0; i-- {
				stack = append(stack, next[v][i])
			}
		}
	}
	return order
}

func neighbours(n int, edges [][2]int) [][]int {
	next := make([][]int, n)
	for _, e := range edges {
		next[e[0]], next[e[1]] = append(next[e[0]], e[1]), append(next[e[1]], e[0])
	}
	return next
}

// hops is the number of edges between all pairs; between components it is two more than the most within one.
func hops(n int, edges [][2]int) [][]float64 {
	next := neighbours(n, edges)
	d, most := make([][]float64, n), 0.0
	for s := range d {
		d[s] = make([]float64, n)
		for queue := []int{s}; len(queue) > 0; queue = queue[1:] {
			for _, w := range next[queue[0]] {
				if w != s && d[s][w] == 0 {
					d[s][w] = d[s][queue[0]] + 1
					most = max(most, d[s][w])
					queue = append(queue, w)
				}
			}
		}
	}
	for i := range d {
		for j := range d[i] {
			if i != j && d[i][j] == 0 {
				d[i][j] = most + 2
			}
		}
	}
	return d
}

// lying turns places so that their longer axis lies across.
func lying(places [][2]float64) [][2]float64 {
	var mean [2]float64
	for _, p := range places {
		mean[0] += p[0] / float64(len(places))
		mean[1] += p[1] / float64(len(places))
	}
	var xx, xy, yy float64
	for _, p := range places {
		x, y := p[0]-mean[0], p[1]-mean[1]
		xx, xy, yy = xx+x*x, xy+x*y, yy+y*y
	}
	sin, cos := math.Sincos(-math.Atan2(2*xy, xx-yy) / 2)
	out := make([][2]float64, len(places))
	for i, p := range places {
		x, y := p[0]-mean[0], p[1]-mean[1]
		out[i] = [2]float64{cos*x - sin*y, sin*x + cos*y}
	}
	return out
}
