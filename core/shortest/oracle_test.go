package shortest

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"genussink/core/graph"
)

// TestOracle compares distances with SciPy's in testdata/oracle.txt.
func TestOracle(t *testing.T) {
	f, err := os.Open("testdata/oracle.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	var name string
	var n, compared int
	var edges []graph.Edge
	var solver *Solver
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		text := lines.Text()
		words := strings.Fields(text)
		switch words[0] {
		case "#":
		case "graph":
			edges, solver = nil, nil
			if _, err := fmt.Sscanf(text, "graph %s %d", &name, &n); err != nil {
				t.Fatal(err)
			}
		case "edge":
			var e graph.Edge
			if _, err := fmt.Sscanf(text, "edge %d %d %g", &e.U, &e.V, &e.Weight); err != nil {
				t.Fatal(err)
			}
			edges = append(edges, e)
		case "from":
			if solver == nil {
				g, err := graph.New(n, edges)
				if err != nil {
					t.Fatal(err)
				}
				solver = NewSolver(g)
			}
			source, err := strconv.Atoi(words[1])
			if err != nil || len(words) != 2+n {
				t.Fatalf("%q: %v", text, err)
			}
			for v, got := range solver.Distances(nil, int32(source)) {
				want, err := strconv.ParseFloat(words[2+v], 64)
				if err != nil {
					t.Fatal(err)
				}
				compared++
				if got != want && !(math.Abs(got-want) <= 1e-14*want) {
					t.Errorf("%s: from %d to %d: %v, SciPy has %v", name, source, v, got, want)
				}
			}
		default:
			t.Fatalf("%q", text)
		}
	}
	if err := lines.Err(); err != nil || compared < 1000 {
		t.Errorf("%d distances compared, %v", compared, err)
	}
}
