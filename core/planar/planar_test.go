package planar

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/csv"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"genussink/core/graph"
	"genussink/core/internal/random"
	"genussink/core/internal/shared"
)

func build(t interface{ Fatal(...any) }, n int, pairs [][2]int32) *graph.Graph {
	edges := make([]graph.Edge, len(pairs))
	for i, p := range pairs {
		edges[i] = graph.Edge{U: p[0], V: p[1], Weight: 1}
	}
	g, err := graph.New(n, edges)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// decide returns whether the graph is planar; it checks that Embed and
// Kuratowski agree and that their proofs hold.
func decide(g *graph.Graph) (bool, error) {
	e, err := Embed(context.Background(), g)
	if err != nil && !errors.Is(err, ErrNotPlanar) {
		return false, err
	}
	w, werr := Kuratowski(context.Background(), g)
	if werr != nil {
		return false, werr
	}
	if (err == nil) != (w == nil) {
		return false, fmt.Errorf("Embed says %w, Kuratowski %v", err, w)
	}
	if w != nil {
		return false, w.Verify(g)
	}
	return true, e.Verify(g)
}

//go:embed testdata/verdicts.txt
var verdicts string

// graph6 decodes McKay's format for graphs of up to 62 vertices.
func graph6(t *testing.T, s string) *graph.Graph {
	n := int32(s[0] - 63)
	var pairs [][2]int32
	bit := 0
	for v := range n {
		for u := range v {
			if (s[1+bit/6]-63)>>(5-bit%6)&1 == 1 {
				pairs = append(pairs, [2]int32{u, v})
			}
			bit++
		}
	}
	return build(t, int(n), pairs)
}

// TestVerdicts compares the verdicts with those of networkx on all graphs of
// up to 7 vertices and on random ones of 8 to 14.
func TestVerdicts(t *testing.T) {
	count := [2]int{}
	for line := range strings.Lines(verdicts) {
		name, want, _ := strings.Cut(strings.TrimSpace(line), " ")
		if name == "#" || strings.Contains(name, "/") {
			continue
		}
		got, err := decide(graph6(t, name))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got != (want == "1") {
			t.Errorf("%s: planar is %v, networkx says %s", name, got, want)
		}
		if got {
			count[1]++
		} else {
			count[0]++
		}
	}
	t.Logf("%d planar, %d not", count[1], count[0])
	if count[0] < 1000 || count[1] < 1000 {
		t.Errorf("%d planar graphs and %d others are too few", count[1], count[0])
	}
}

// TestVerdictsOnFiles does so on the shared roads and PACE graphs.
func TestVerdictsOnFiles(t *testing.T) {
	tried := 0
	for line := range strings.Lines(verdicts) {
		name, want, _ := strings.Cut(strings.TrimSpace(line), " ")
		if !strings.Contains(name, "/") {
			continue
		}
		data, err := os.ReadFile(shared.Path(t, strings.Split(name, "/")...))
		if err != nil {
			t.Fatal(err)
		}
		got, err := decide(readAny(t, name, data))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got != (want == "1") {
			t.Errorf("%s: planar is %v, networkx says %s", name, got, want)
		}
		tried++
	}
	if tried < 40 {
		t.Errorf("only %d files", tried)
	}
}

// readAny reads a PACE graph, DIMACS arcs "a u v w", or rows of edge, from, to.
func readAny(t *testing.T, name string, data []byte) *graph.Graph {
	var pairs [][2]int32
	most := int32(0)
	add := func(u, v string) {
		a, err := strconv.Atoi(u)
		b, berr := strconv.Atoi(v)
		if err != nil || berr != nil {
			t.Fatalf("%s: edge %s-%s", name, u, v)
		}
		pairs = append(pairs, [2]int32{int32(a), int32(b)})
		most = max(most, int32(a), int32(b))
	}
	switch {
	case strings.HasSuffix(name, ".csv"):
		rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			add(r[1], r[2])
		}
	case strings.HasPrefix(name, "roads/"):
		for line := range strings.Lines(string(data)) {
			if f := strings.Fields(line); len(f) == 4 && f[0] == "a" {
				add(f[1], f[2])
			}
		}
	default:
		n, edges, err := graph.ReadPACE(bytes.NewReader(data))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		g, err := graph.New(n, edges)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return g
	}
	return build(t, int(most)+1, pairs)
}

// stack lists the edges of a random triangulation of the sphere.
func stack(n, flips int, r *rand.Rand) [][2]int32 {
	var edges [][2]int32
	for _, f := range random.Triangulation(n, flips, r) {
		for c := range 3 {
			if u, v := f[c], f[(c+1)%3]; u < v { // every edge has a face on either side
				edges = append(edges, [2]int32{u, v})
			}
		}
	}
	return edges
}

// scramble gives the vertices random numbers.
func scramble(n int, pairs [][2]int32, r *rand.Rand) [][2]int32 {
	number := r.Perm(n)
	out := make([][2]int32, len(pairs))
	for i, p := range pairs {
		out[i] = [2]int32{int32(number[p[0]]), int32(number[p[1]])}
	}
	return out
}

func drawStack(t *rapid.T, limit int) (int, [][2]int32, *rand.Rand) {
	n := rapid.IntRange(3, limit).Draw(t, "n")
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	return n, stack(n, rapid.IntRange(0, 5*n).Draw(t, "flips"), r), r
}

// TestPlanarStays embeds random triangulations of the sphere and their
// subgraphs, connected or not.
func TestPlanarStays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, pairs, r := drawStack(t, 200)
		keep := rapid.Float64Range(0, 1).Draw(t, "keep")
		pairs = slices.DeleteFunc(pairs, func([2]int32) bool { return r.Float64() > keep })
		g := build(t, n, scramble(n, pairs, r))
		planar, err := decide(g)
		if err != nil {
			t.Fatal(err)
		}
		if !planar {
			t.Fatal("a planar graph is called not planar")
		}
	})
}

// subdivided is K5 or K3,3 with paths of random lengths, on vertices from
// first.
func subdivided(five bool, first int32, longest int, r *rand.Rand) (pairs [][2]int32, end int32) {
	end = first + 6
	join := func(u, v int32) {
		for range r.IntN(longest) {
			pairs = append(pairs, [2]int32{u, end})
			u = end
			end++
		}
		pairs = append(pairs, [2]int32{u, v})
	}
	for i := range int32(6) {
		for j := range i {
			if five && i < 5 || !five && i%2 != j%2 {
				join(first+i, first+j)
			}
		}
	}
	return pairs, end
}

// TestGrafted puts a subdivision of K5 or K3,3 beside a triangulation with
// holes and ties them together.
func TestGrafted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, pairs, r := drawStack(t, 100)
		keep := rapid.Float64Range(0, 1).Draw(t, "keep")
		pairs = slices.DeleteFunc(pairs, func([2]int32) bool { return r.Float64() > keep })
		graft, end := subdivided(rapid.Bool().Draw(t, "K5"), int32(n), rapid.IntRange(1, 20).Draw(t, "longest"), r)
		pairs = append(pairs, graft...)
		for range rapid.IntRange(0, 5).Draw(t, "ties") {
			pairs = append(pairs, [2]int32{int32(r.IntN(n)), int32(n + r.IntN(int(end)-n))})
		}
		planar, err := decide(build(t, int(end), scramble(int(end), pairs, r)))
		if err != nil {
			t.Fatal(err)
		}
		if planar {
			t.Fatal("a graph with a Kuratowski subdivision is called planar")
		}
	})
}

// TestOneEdgeMore adds an edge to a maximal planar graph.
func TestOneEdgeMore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, pairs, r := drawStack(t, 60)
		u, v := int32(r.IntN(n)), int32(r.IntN(n))
		g := build(t, n, append(pairs, [2]int32{u, v}))
		planar, err := decide(g)
		if err != nil {
			t.Fatal(err)
		}
		if want := g.Edges() == 3*n-6; planar != want {
			t.Fatalf("planar is %v", planar)
		}
	})
}

// TestVerifyRejects spoils valid proofs.
func TestVerifyRejects(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	g := build(t, 50, stack(50, 100, r))
	e, err := Embed(context.Background(), g)
	if err != nil {
		t.Fatal(err)
	}
	for range 200 {
		bad := &Embedding{Twin: slices.Clone(e.Twin), Next: slices.Clone(e.Next)}
		a, b := r.IntN(len(bad.Next)), r.IntN(len(bad.Next))
		list := bad.Next
		if r.IntN(4) == 0 {
			list = bad.Twin
		}
		if list[a], list[b] = list[b], list[a]; a != b && bad.Verify(g) == nil {
			t.Fatalf("two entries swapped, %d and %d, and nobody notices", a, b)
		}
		// Another order around a vertex of degree four or more crosses edges.
		v := int32(r.IntN(50))
		lo, hi := g.Offsets[v], g.Offsets[v+1]
		if hi-lo < 4 {
			continue
		}
		x := lo + int32(r.IntN(int(hi-lo)))
		y := e.Clockwise(x)
		z := e.Clockwise(y)
		turned := &Embedding{Twin: e.Twin, Next: slices.Clone(e.Next)}
		turned.Next[e.Twin[x]], turned.Next[e.Twin[z]], turned.Next[e.Twin[y]] = z, y, e.Clockwise(z)
		if err := turned.Verify(g); err == nil || !strings.Contains(err.Error(), "Euler") {
			t.Fatalf("vertex %d with two arcs in the wrong order: %v", v, err)
		}
	}
	if err := (&Embedding{}).Verify(g); err == nil {
		t.Error("an empty embedding passes")
	}
	k33 := build(t, 7, [][2]int32{{0, 3}, {0, 4}, {0, 5}, {1, 3}, {1, 4}, {1, 5}, {2, 3}, {2, 4}, {2, 6}, {6, 5}})
	good, err := Kuratowski(context.Background(), k33)
	if err != nil {
		t.Fatal(err)
	}
	if good.Name() != "K3,3" || good.Verify(k33) != nil {
		t.Fatalf("witness %+v", good)
	}
	for name, spoil := range map[string]func(w *Witness){
		"a path missing":         func(w *Witness) { w.Paths = w.Paths[1:] },
		"a path twice":           func(w *Witness) { w.Paths[1] = w.Paths[0] },
		"no edge":                func(w *Witness) { w.Paths[0] = []int32{w.Branch[0], w.Branch[1]} },
		"another graph's vertex": func(w *Witness) { w.Branch[0] = 70 },
		"a branch vertex twice":  func(w *Witness) { w.Branch[0] = w.Branch[1] },
		"the sides mixed":        func(w *Witness) { w.Branch[0], w.Branch[5] = w.Branch[5], w.Branch[0] },
		"an empty path":          func(w *Witness) { w.Paths[3] = nil },
	} {
		bad := &Witness{Branch: slices.Clone(good.Branch), Paths: slices.Clone(good.Paths)}
		spoil(bad)
		if bad.Verify(k33) == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// TestDeep runs over a path and a wheel that would overflow a recursion, and
// over nothing at all.
func TestDeep(t *testing.T) {
	const n = 300000
	var pairs [][2]int32
	for v := int32(1); v < n; v++ {
		pairs = append(pairs, [2]int32{v - 1, v})
	}
	for _, g := range []*graph.Graph{build(t, n, pairs), build(t, 0, nil), build(t, 3, nil), build(t, 2, [][2]int32{{0, 1}})} {
		if planar, err := decide(g); err != nil || !planar {
			t.Errorf("%d vertices: planar is %v, %v", g.Len(), planar, err)
		}
	}
	for v := int32(2); v < n; v++ {
		pairs = append(pairs, [2]int32{0, v})
	}
	g := build(t, n, pairs)
	e, err := Embed(context.Background(), g)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Verify(g); err != nil {
		t.Error(err)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Embed(ended, g); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := Kuratowski(ended, g); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
