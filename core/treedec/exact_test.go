package treedec

import (
	"bytes"
	"context"
	"errors"
	mathbits "math/bits"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"genussink/core/graph"
	"genussink/core/internal/shared"
)

// slowTreewidth tries all elimination orders by dynamic programming over the
// sets of vertices eliminated first.
func slowTreewidth(g *graph.Graph) int {
	n := g.Len()
	adj := make([]int, n)
	for v := range adj {
		to, _ := g.Neighbours(int32(v))
		for _, u := range to {
			adj[v] |= 1 << u
		}
	}
	// degree is the number of vertices outside set that v reaches through set.
	degree := func(set, v int) int {
		reached, outside, todo := 1<<v, 0, adj[v]
		for todo != 0 {
			u := mathbits.TrailingZeros(uint(todo))
			todo &= todo - 1
			if reached>>u&1 == 1 {
				continue
			}
			reached |= 1 << u
			if set>>u&1 == 1 {
				todo |= adj[u] &^ reached
			} else {
				outside++
			}
		}
		return outside
	}
	best := make([]int, 1<<n)
	best[0] = -1
	for set := 1; set < 1<<n; set++ {
		best[set] = n
		for v := range n {
			if set>>v&1 == 1 {
				before := set &^ (1 << v)
				best[set] = min(best[set], max(best[before], degree(before, v)))
			}
		}
	}
	return best[1<<n-1]
}

func TestTreewidthIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t, 11)
		want := slowTreewidth(g)
		r, err := Treewidth(context.Background(), g, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Decomposition.Validate(g); err != nil {
			t.Fatal(err)
		}
		if !r.Exact || r.Lower != want || r.Decomposition.Width() != want {
			t.Fatalf("width %d, lower bound %d, exact %v; the treewidth is %d", r.Decomposition.Width(), r.Lower, r.Exact, want)
		}
		// The search alone, without reduction and bounds, part by part.
		component, count := g.Components()
		low := -1
		for c := range count {
			var part []int32
			for v, k := range component {
				if int(k) == c {
					part = append(part, int32(v))
				}
			}
			sub := g.Induced(part)
			tw := slowTreewidth(sub)
			low = max(low, tw)
			for width := 0; width <= tw; width++ {
				d, err := newSearch(sub, width).run(context.Background(), 1<<40)
				if err != nil {
					t.Fatal(err)
				}
				if (d != nil) != (width == tw) {
					t.Fatalf("decided %v for width %d of a graph of treewidth %d", d != nil, width, tw)
				}
				if d != nil {
					if err := d.Validate(sub); err != nil {
						t.Fatal(err)
					}
					if d.Width() > width {
						t.Fatalf("width %d, asked for %d", d.Width(), width)
					}
				}
			}
		}
		if low != want {
			t.Fatalf("parts of treewidth %d in a graph of %d", low, want)
		}
	})
}

// TestTreewidthEndsWithContext ends the search after more and more questions: the error is
// the context's, and what is there already is valid.
func TestTreewidthEndsWithContext(t *testing.T) {
	g := grid(t, 5, 6, false)
	found := 0
	for left := 0; ; left += 1 + left/8 {
		r, err := Treewidth(&limited{context.Background(), left}, g, Options{})
		if r.Decomposition != nil {
			found++
			if err := r.Decomposition.Validate(g); err != nil {
				t.Fatal(err)
			}
			if r.Exact != (r.Lower == r.Decomposition.Width()) || r.Lower > 5 || r.Decomposition.Width() < 5 {
				t.Fatalf("width %d, lower bound %d, exact %v; the treewidth is 5", r.Decomposition.Width(), r.Lower, r.Exact)
			}
		}
		if err == nil {
			if !r.Exact {
				t.Error("not exact at the end")
			}
			break
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	if found < 3 {
		t.Errorf("only %d results on the way", found)
	}
	if _, err := Treewidth(context.Background(), g, Options{Rounds: -1}); err == nil {
		t.Error("-1 rounds are accepted")
	}
}

// limited is a context that ends at the count-th question.
type limited struct {
	context.Context
	left int
}

func (l *limited) Err() error {
	if l.left--; l.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestProvedWidths proves the treewidth of named graphs, most of which no bound
// settles.
func TestProvedWidths(t *testing.T) {
	tried := 0
	for _, p := range instances(t) {
		if p.g.Len() > 50 || p.width > 12 { // the Gray graph of 54 vertices takes over 30 s
			continue
		}
		tried++
		r, err := Treewidth(context.Background(), p.g, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Decomposition.Validate(p.g); err != nil {
			t.Errorf("%s: %v", p.name, err)
		}
		if !r.Exact || r.Lower != p.width {
			t.Errorf("%s: width %d, lower bound %d, exact %v; the treewidth is %d", p.name, r.Decomposition.Width(), r.Lower, r.Exact, p.width)
		}
	}
	if tried < 6 {
		t.Errorf("only %d graphs tried", tried)
	}
}

// instance is a graph of the shared data with its treewidth from INDEX.md.
type instance struct {
	name  string
	g     *graph.Graph
	width int
}

func instances(t testing.TB) (list []instance) {
	t.Helper()
	index, err := os.ReadFile(shared.Path(t, "INDEX.md"))
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile(`(?m)^\| (treewidth/pace\S+\.gr) \| \d+ \| \d+ \| (\d+) \|`)
	for _, m := range row.FindAllStringSubmatch(string(index), -1) {
		data, err := os.ReadFile(shared.Path(t, filepath.FromSlash(m[1])))
		if err != nil {
			t.Fatal(err)
		}
		n, edges, err := graph.ReadPACE(bytes.NewReader(data))
		if err != nil {
			t.Fatalf("%s: %v", m[1], err)
		}
		g, err := graph.New(n, edges)
		if err != nil {
			t.Fatalf("%s: %v", m[1], err)
		}
		width, err := strconv.Atoi(m[2])
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, instance{m[1], g, width})
	}
	if len(list) < 40 {
		t.Fatalf("only %d graphs in the index", len(list))
	}
	return list
}

// TestOptimalDecompositions reads the decompositions that stand beside the
// PACE graphs: valid, and as wide as the index says.
func TestOptimalDecompositions(t *testing.T) {
	for _, p := range instances(t) {
		if !strings.Contains(p.name, "pace2017") {
			continue
		}
		data, err := os.ReadFile(shared.Path(t, filepath.FromSlash(strings.TrimSuffix(p.name, ".gr")+".td")))
		if err != nil {
			t.Fatal(err)
		}
		d, err := ReadPACE(bytes.NewReader(data))
		if err != nil {
			t.Errorf("%s: %v", p.name, err)
			continue
		}
		if err := d.Validate(p.g); err != nil {
			t.Errorf("%s: %v", p.name, err)
		}
		if d.Width() != p.width {
			t.Errorf("%s: width %d, the index says %d", p.name, d.Width(), p.width)
		}
		if low := max(Degeneracy(p.g), MinorMinWidth(p.g)); low > p.width {
			t.Errorf("%s: lower bound %d of treewidth %d", p.name, low, p.width)
		}
	}
}

// BenchmarkPACE bounds every PACE graph of the shared data. The bars: in 10 s a
// width within 5 % or 1 of the treewidth, and in 30 s proofs for two thirds of
// the graphs of treewidth at most 12.
func BenchmarkPACE(b *testing.B) {
	graphs := instances(b)
	bound := func(p instance, limit time.Duration) Result {
		ctx, cancel := context.WithTimeout(context.Background(), limit)
		defer cancel()
		start := time.Now()
		r, err := Treewidth(ctx, p.g, Options{})
		if err != nil && !errors.Is(err, context.DeadlineExceeded) {
			b.Fatal(err)
		}
		if err := r.Decomposition.Validate(p.g); err != nil {
			b.Fatalf("%s: %v", p.name, err)
		}
		width := r.Decomposition.Width()
		if r.Lower > p.width || width < p.width || r.Exact != (width == r.Lower) {
			b.Errorf("%s: a wrong bound", p.name)
		}
		b.Logf("%s: treewidth %d, found %d, lower bound %d, exact %v, %.1f s", p.name, p.width, width, r.Lower, r.Exact, time.Since(start).Seconds())
		return r
	}
	for b.Loop() {
		small, proved, all := 0, 0, 0
		for _, p := range graphs {
			r := bound(p, 10*time.Second)
			if width := r.Decomposition.Width(); width > p.width+1 && 20*width > 21*p.width {
				b.Errorf("%s: width %d, treewidth %d", p.name, width, p.width)
			}
			if !r.Exact {
				r = bound(p, 30*time.Second)
			}
			if p.width <= 12 {
				small++
			}
			if r.Exact {
				all++
				if p.width <= 12 {
					proved++
				}
			}
		}
		b.Logf("%d of %d graphs proved, %d of %d of treewidth at most 12", all, len(graphs), proved, small)
		if 3*proved < 2*small {
			b.Errorf("%d of %d graphs of treewidth at most 12 proved", proved, small)
		}
	}
}
