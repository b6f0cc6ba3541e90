package treedec

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"genussink/core/graph"
)

// answer is a line of testdata/oracle.txt; -1 stands for a dash.
type answer struct {
	name               string
	g                  *graph.Graph
	width, clique      int
	chordal            bool
	minDegree, minFill int // networkx's widths
}

func answers(t *testing.T) (list []answer) {
	t.Helper()
	f, err := os.Open("testdata/oracle.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		words := strings.Fields(lines.Text())
		var numbers [6]int
		for i, w := range words[1:7] {
			numbers[i] = -1
			if w != "-" {
				if numbers[i], err = strconv.Atoi(w); err != nil {
					t.Fatal(err)
				}
			}
		}
		var edges []graph.Edge
		for _, w := range words[7:] {
			e := graph.Edge{Weight: 1}
			if _, err := fmt.Sscanf(w, "%d-%d", &e.U, &e.V); err != nil {
				t.Fatal(err)
			}
			edges = append(edges, e)
		}
		g, err := graph.New(numbers[0], edges)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, answer{words[0], g, numbers[1], numbers[2], numbers[3] == 1, numbers[4], numbers[5]})
	}
	if err := lines.Err(); err != nil || len(list) < 1000 {
		t.Fatalf("%d graphs, %v", len(list), err)
	}
	return list
}

// TestOracle compares widths with what networkx and a brute force of its own
// found: exact where they are, never above the heuristics, and the clique
// number less one where the graph is chordal.
func TestOracle(t *testing.T) {
	ctx := context.Background()
	for _, a := range answers(t) {
		r, err := Treewidth(ctx, a.g, Options{Rounds: 2})
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Decomposition.Validate(a.g); err != nil {
			t.Errorf("%s: %v", a.name, err)
		}
		width := r.Decomposition.Width()
		if a.width >= 0 && (width != a.width || !r.Exact) {
			t.Errorf("%s: width %d, lower bound %d, exact %v; the treewidth is %d", a.name, width, r.Lower, r.Exact, a.width)
		}
		if width > min(a.minDegree, a.minFill) || r.Lower > min(a.minDegree, a.minFill) || width < a.clique-1 {
			t.Errorf("%s: bounds %d and %d; networkx has %d by minimum degree, %d by minimum fill, cliques of %d",
				a.name, r.Lower, width, a.minDegree, a.minFill, a.clique)
		}
		if low := max(Degeneracy(a.g), MinorMinWidth(a.g)); a.width >= 0 && low > a.width || low > r.Lower {
			t.Errorf("%s: lower bound %d, then %d, the treewidth is %d", a.name, low, r.Lower, a.width)
		}
		order, err := searchMCSM(ctx, a.g)
		if err != nil {
			t.Fatal(err)
		}
		d, err := FromOrder(a.g, order)
		if err != nil {
			t.Fatal(err)
		}
		if added := d.edges() - a.g.Edges(); (added == 0) != a.chordal {
			t.Errorf("%s: %d edges make it chordal, networkx says chordal %v", a.name, added, a.chordal)
		}
	}
}

// edges counts those that the bags of an elimination order make.
func (d *Decomposition) edges() (count int) {
	for _, b := range d.Bags {
		count += len(b) - 1
	}
	return count
}
