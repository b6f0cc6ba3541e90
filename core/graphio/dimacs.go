package graphio

import (
	"bytes"
	"fmt"
	"math"

	"genussink/core/graph"
	"genussink/core/internal/budget"
	"genussink/core/internal/pace"
	"genussink/internal/decimal"
)

// isDIMACS reports whether the problem line is DIMACS'.
func isDIMACS(data []byte) bool {
	lines := pace.Lines(bytes.NewReader(data))
	for lines.Scan() {
		if f := bytes.Fields(lines.Bytes()); len(f) > 0 && string(f[0]) == "p" {
			return len(f) > 1 && string(f[1]) == "sp"
		}
	}
	return false
}

// readDIMACS reads a graph in the format of the ninth DIMACS challenge:
// a line "p sp vertices arcs", then as many lines "a from to length".
func readDIMACS(file File, most budget.Budget) (*Network, error) {
	lines := pace.Lines(bytes.NewReader(file.Data))
	n, m, line := -1, 0, 0
	var edges []graph.Edge
	fail := func(format string, args ...any) (*Network, error) {
		return nil, fmt.Errorf("%s: line %d: %w", file.Name, line, fmt.Errorf(format, args...))
	}
	for lines.Scan() {
		line++
		f := bytes.Fields(lines.Bytes())
		if len(f) == 0 || f[0][0] == 'c' {
			continue
		}
		switch string(f[0]) {
		case "p":
			if n >= 0 || len(f) != 4 || string(f[1]) != "sp" {
				return fail("want one problem line \"p sp vertices arcs\"")
			}
			var err error
			if n, err = pace.Number(f[2], 0, graph.MaxPACEVertices); err == nil {
				m, err = pace.Number(f[3], 0, 1<<30)
			}
			if err != nil {
				return fail("%w", err)
			}
		case "a":
			if n < 0 || len(f) != 4 {
				return fail("want \"a from to length\" after the problem line")
			}
			if len(edges) == m {
				return fail("more than the %d arcs announced", m)
			}
			u, err := pace.Number(f[1], 1, n)
			if err != nil {
				return fail("%w", err)
			}
			v, err := pace.Number(f[2], 1, n)
			if err != nil {
				return fail("%w", err)
			}
			w, ok := decimal.Float(f[3])
			if !ok || !(w >= 0) {
				return fail("%.40q is not a length", f[3])
			}
			if !isLength(w) {
				return fail("the edge from %d to %d is %.40s long, %g to %g can be computed with", u, v, f[3], 1/maxCoordinate, maxCoordinate)
			}
			edges = append(edges, graph.Edge{U: int32(u - 1), V: int32(v - 1), Weight: w})
		default:
			return fail("it begins with %.40q, want c, p or a", f[0])
		}
	}
	if err := lines.Err(); err != nil {
		return fail("%w", pace.LineError(err))
	}
	if n < 0 {
		return nil, fmt.Errorf("%s: the file has no problem line \"p sp vertices arcs\"", file.Name)
	}
	if len(edges) < m {
		return fail("the file ends after %d of %d arcs", len(edges), m)
	}
	net := &Network{Format: "DIMACS", budget: most}
	if err := net.join(n, edges, true); err != nil {
		return net, err
	}
	if alone, longer := net.oneWay(edges); alone+longer > 0 {
		net.Warnings = append(net.Warnings, fmt.Sprintf("In the file %d of the graph's %d edges lead one way alone, and %d are longer one way. Distances go both ways, by the shorter.", alone, net.Graph.Edges(), longer))
	}
	return net, nil
}

// isLength says whether an edge may be so long.
func isLength(x float64) bool { return x == 0 || 1/maxCoordinate <= x && x <= maxCoordinate }

// oneWay counts the edges that arcs make without a way back, and those with a longer one.
func (net *Network) oneWay(arcs []graph.Edge) (alone, longer int) {
	g := net.Graph
	least := make([]float64, len(g.Targets)) // of the arcs of each direction
	for i := range least {
		least[i] = math.Inf(1)
	}
	for _, e := range arcs {
		if e.U != e.V {
			at := net.place(e.U, e.V)
			least[at] = min(least[at], e.Weight)
		}
	}
	for i, x := range least {
		switch {
		case math.IsInf(x, 1):
			alone++
		case x > g.Weights[i]:
			longer++
		}
	}
	return alone, longer
}

// readCoordinates reads the challenge's .co files: lines "v vertex x y", one
// for every vertex, x and y in millionths of a degree.
func readCoordinates(file File, n int) ([][2]float64, error) {
	lines := pace.Lines(bytes.NewReader(file.Data))
	at := make([][2]float64, n)
	seen := make([]bool, n)
	count, line := 0, 0
	for lines.Scan() {
		line++
		f := bytes.Fields(lines.Bytes())
		if len(f) == 0 || string(f[0]) != "v" {
			continue
		}
		if len(f) != 4 {
			return nil, fmt.Errorf("%s: line %d: want \"v vertex x y\"", file.Name, line)
		}
		v, err := pace.Number(f[1], 1, n)
		if err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", file.Name, line, err)
		}
		for k := range 2 {
			x, ok := decimal.Float(f[2+k])
			if !ok || !(math.Abs(x) <= maxCoordinate) {
				return nil, fmt.Errorf("%s: line %d: %.40q is not a coordinate", file.Name, line, f[2+k])
			}
			at[v-1][k] = x / 1e6
		}
		if !seen[v-1] {
			seen[v-1] = true
			count++
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: line %d: %w", file.Name, line+1, pace.LineError(err))
	}
	if count < n {
		return nil, fmt.Errorf("%s: coordinates for %d of %d vertices", file.Name, count, n)
	}
	return at, nil
}

// maxCoordinate bounds coordinates and lengths. It leaves room to square the
// sum of as many as there can be vertices.
const maxCoordinate = 1e100
