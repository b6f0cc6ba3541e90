package treedec

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"genussink/core/graph"
)

// TestLastGraph eliminates on a matrix what lastGraph takes from the bags.
func TestLastGraph(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t, 20)
		n := g.Len()
		order := make([]int32, n)
		for v := range order {
			order[v] = int32(v)
		}
		order = rapid.Permutation(order).Draw(t, "order")
		last := rapid.IntRange(0, n).Draw(t, "last")
		d, err := FromOrder(g, order)
		if err != nil {
			t.Fatal(err)
		}
		e := newElimination(g)
		for _, v := range order[:n-last] {
			e.eliminate(v)
		}
		var edges []graph.Edge
		position := positions(order)
		for _, v := range order[n-last:] {
			for _, u := range e.neighbours(v) {
				edges = append(edges, graph.Edge{U: position[u] - int32(n-last), V: position[v] - int32(n-last), Weight: 1})
			}
		}
		if got, want := lastGraph(g, d, order, last), build(last, edges); !reflect.DeepEqual(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}

// TestSweep holds every step of a sweep to its rule.
func TestSweep(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t, 20)
		n := g.Len()
		seed := rapid.Uint64().Draw(t, "seed")
		order, err := Order(context.Background(), g, Sweep, seed)
		if err != nil {
			t.Fatal(err)
		}
		taken, met := make([]bool, n), make([]bool, n)
		key := func(v int32) int {
			k := 0
			to, _ := g.Neighbours(v)
			for _, u := range to {
				if !met[u] {
					k++
				}
			}
			if !met[v] {
				k += n
			}
			return k
		}
		for i, v := range order {
			for u := range int32(n) {
				if !taken[u] && key(u) < key(v) && (i > 0 || seed == 0) {
					t.Fatalf("position %d: vertex %d has key %d, %d has %d", i, v, key(v), u, key(u))
				}
			}
			taken[v], met[v] = true, true
			to, _ := g.Neighbours(v)
			for _, u := range to {
				met[u] = true
			}
		}
		if _, err := FromOrder(g, order); err != nil {
			t.Fatal(err)
		}
	})
}

// TestImprovement never makes an order worse, and the bags that it settles for
// are those of the order.
func TestImprovement(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t, 30)
		component, _ := g.Components()
		var part []int32
		for v, c := range component {
			if c == 0 {
				part = append(part, int32(v))
			}
		}
		if part == nil {
			return
		}
		g = g.Induced(part)
		p := &piece{Graph: g}
		order := make([]int32, g.Len())
		for v := range order {
			order[v] = int32(v)
		}
		if err := p.offer(rapid.Permutation(order).Draw(t, "order")); err != nil {
			t.Fatal(err)
		}
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		for range 10 {
			width, wide := p.width, p.wide
			if _, err := p.around(context.Background(), random); err != nil {
				t.Fatal(err)
			}
			if p.width > width || p.width == width && p.wide > wide {
				t.Fatalf("%d bags of width %d after %d of width %d", p.wide, p.width, wide, width)
			}
			if w := eliminationWidth(g, p.order); w != p.width {
				t.Fatalf("width %d, the order has %d", p.width, w)
			}
		}
	})
}

// TestHardWidths holds graphs whose greedy orders are far from the best to the
// bar of 5 % after a few rounds, which take no time limit to be the same
// everywhere.
func TestHardWidths(t *testing.T) {
	for _, p := range instances(t) {
		if !strings.Contains(p.name, "ex106") && !strings.Contains(p.name, "ex136") {
			continue
		}
		r, err := Treewidth(context.Background(), p.g, Options{Rounds: 3})
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Decomposition.Validate(p.g); err != nil {
			t.Errorf("%s: %v", p.name, err)
		}
		if w := r.Decomposition.Width(); 20*w > 21*p.width || w < p.width || r.Lower > p.width {
			t.Errorf("%s: width %d, lower bound %d, treewidth %d", p.name, w, r.Lower, p.width)
		}
	}
}

// TestTreewidthRepeats: the same seed gives the same decomposition.
func TestTreewidthRepeats(t *testing.T) {
	g := grid(t, 9, 9, true)
	var first Result
	for try := range 2 {
		r, err := Treewidth(context.Background(), g, Options{Rounds: 2, Seed: 5})
		if err != nil {
			t.Fatal(err)
		}
		if try == 0 {
			first = r
		} else if !reflect.DeepEqual(r, first) {
			t.Error("two answers for one seed")
		}
	}
}

// TestBegin begins with orders that no rule finds, and with none.
func TestBegin(t *testing.T) {
	g := grid(t, 12, 12, false)
	columns := make([]int32, 0, 144)
	for x := range int32(12) {
		for y := range int32(12) {
			columns = append(columns, 12*y+x)
		}
	}
	bounds := 0
	with := func(order []int32, err error) Options {
		return Options{Rounds: 1, Improved: func(Result) { bounds++ }, Begin: func(context.Context) ([]int32, error) {
			if bounds != 1 {
				t.Errorf("begins after %d bounds", bounds)
			}
			return order, err
		}}
	}
	r, err := Treewidth(context.Background(), g, with(columns, nil))
	if err != nil {
		t.Fatal(err)
	}
	if w := r.Decomposition.Width(); w != 12 {
		t.Errorf("width %d, the order has 12", w)
	}
	bounds = 0
	if r, err = Treewidth(context.Background(), g, with(nil, context.DeadlineExceeded)); err != nil || r.Decomposition.Width() > 20 {
		t.Errorf("out of time: %+v, %v", r, err)
	}
	wrong := errors.New("wrong")
	bounds = 0
	if r, err = Treewidth(context.Background(), g, with(nil, wrong)); !errors.Is(err, wrong) || r.Decomposition == nil || r.Lower != 2 {
		t.Errorf("a fault: %+v, %v", r, err)
	}
	for _, bad := range [][]int32{columns[:143], append(slices.Clone(columns[:143]), 144), append(slices.Clone(columns[:143]), columns[0])} {
		bounds = 0
		if _, err := Treewidth(context.Background(), g, with(bad, nil)); err == nil || !strings.Contains(err.Error(), "order") {
			t.Errorf("an order that is none: error %v", err)
		}
	}
}

// TestProgress: fractions rise within a stage.
func TestProgress(t *testing.T) {
	last := map[string]float64{}
	_, err := Treewidth(context.Background(), grid(t, 7, 7, true), Options{Rounds: 4, Progress: func(stage string, fraction float64) {
		if before, there := last[stage]; stage == "" || fraction < 0 || fraction > 1 || there && fraction < before {
			t.Errorf("%q at %v after %v", stage, fraction, before)
		}
		last[stage] = fraction
	}})
	if err != nil || len(last) != 3 {
		t.Errorf("stages %v, %v", last, err)
	}
}
