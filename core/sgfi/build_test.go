package sgfi

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync/atomic"
	"testing"

	"genussink/core/graph"
	"genussink/core/separator"
)

func TestOutline(t *testing.T) {
	for _, s := range classified(t) {
		tree := build(t, s.g, Options{LeafSize: 20})
		nodes, cells := tree.Outline()
		var count int32
		for i, c := range nodes {
			if (c.Parent < 0) != (i == 0) || int(c.Parent) >= i || (c.Left < 0) != (c.Right < 0) {
				t.Fatalf("%s: node %d is %+v", s.name, i, c)
			}
			if i > 0 && c.Depth != nodes[c.Parent].Depth+1 {
				t.Errorf("%s: node %d at depth %d below one at %d", s.name, i, c.Depth, nodes[c.Parent].Depth)
			}
			inside := c.S
			if c.Left < 0 {
				inside = c.A
				if c.S != 0 || c.B != 0 {
					t.Errorf("%s: leaf %d is %+v", s.name, i, c)
				}
			} else {
				l, r := nodes[c.Left], nodes[c.Right]
				if l.A+l.S+l.B != c.A || r.A+r.S+r.B != c.B {
					t.Errorf("%s: node %d of %d, %d, %d has children of %d and %d", s.name, i, c.A, c.S, c.B, l.A+l.S+l.B, r.A+r.S+r.B)
				}
			}
			var there int32
			for _, cell := range cells {
				if int(cell) == i {
					there++
				}
			}
			if there != inside {
				t.Errorf("%s: %d vertices end in node %d, it counts %d", s.name, there, i, inside)
			}
			count += inside
		}
		if int(count) != s.g.Len() {
			t.Errorf("%s: %d vertices counted, of %d", s.name, count, s.g.Len())
		}
		if r := tree.Root; r.Explicit == nil {
			if err := separator.Verify(s.g, separator.Separation{A: r.LeftIDs, S: r.SepIDs, B: r.RightIDs}, 0); err != nil {
				t.Errorf("%s: the root: %v", s.name, err)
			}
		}
	}
}

func TestDistance(t *testing.T) {
	for _, s := range classified(t) {
		all := oracle(t, s.g, 1)
		tree := build(t, s.g, Options{LeafSize: 16})
		far := 0.0
		for i := 0; i < s.g.Len(); i += 1 + s.g.Len()/40 {
			row := tree.Distances(nil, int32(i))
			for j, d := range row {
				want := all.Distance(i, j)
				near(t, s.name, []float64{d}, []float64{want}, 1e-13)
				if j%17 == 0 {
					near(t, s.name, []float64{tree.Distance(int32(i), int32(j))}, []float64{want}, 1e-13)
				}
				if want < math.Inf(1) {
					far = max(far, want)
				}
			}
		}
		if tree.Diameter() < far*(1-1e-13) {
			t.Errorf("%s: a diameter of at most %g, but some are %g apart", s.name, tree.Diameter(), far)
		}
	}
}

func TestBuildRefuses(t *testing.T) {
	g := icosphere(t, 1).g
	for _, o := range []Options{{Finder: "none"}, {Balance: 0.7}, {Balance: math.NaN()}, {Depth: -1}, {LeafSize: -1}, {Positions: make([][3]float64, 3)}} {
		if _, err := Build(context.Background(), g, o); err == nil {
			t.Errorf("%+v: no error", o)
		}
	}
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Build(cancelled, g, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestBuildProgress(t *testing.T) {
	s := icosphere(t, 3)
	last := 0.0
	build(t, s.g, Options{Progress: func(stage string, fraction float64) {
		if stage != "tree" || fraction < last || fraction > 1 {
			t.Errorf("%s %g after %g", stage, fraction, last)
		}
		last = fraction
	}})
	if last < 0.9 {
		t.Errorf("ended at %g", last)
	}
}

func TestDepth(t *testing.T) {
	s := icosphere(t, 3)
	for depth := 1; depth <= 4; depth++ {
		tree := build(t, s.g, Options{Depth: depth})
		if d := tree.Root.depth(); d != depth {
			t.Errorf("asked for %d levels, got %d", depth, d)
		}
	}
}

// TestDelegate builds children as another thread would, from bytes.
func TestDelegate(t *testing.T) {
	s := icosphere(t, 3)
	for _, depth := range []int{0, 2} {
		var taken, declined atomic.Int32
		o := Options{LeafSize: 30, Depth: depth, Positions: s.positions}
		want := build(t, s.g, o)
		o.Delegate = func(ctx context.Context, g *graph.Graph, o Options) (*Node, error) {
			if g.Len() > 300 {
				declined.Add(1)
				return nil, nil
			}
			taken.Add(1)
			there, err := ParseGraph(AppendGraph(nil, g))
			if err != nil {
				return nil, err
			}
			tree, err := Build(ctx, there, o)
			if err != nil {
				return nil, err
			}
			return ParseNode(AppendNode(nil, tree.Root))
		}
		got := build(t, s.g, o)
		if depth == 0 && (taken.Load() == 0 || declined.Load() == 0) {
			t.Errorf("%d children taken, %d declined", taken.Load(), declined.Load())
		}
		if !slices.Equal(AppendNode(nil, got.Root), AppendNode(nil, want.Root)) {
			t.Errorf("depth %d: the tree differs from one built in one place", depth)
		}
	}
}

func TestDelegateFails(t *testing.T) {
	s := icosphere(t, 3)
	lost := errors.New("lost")
	_, err := Build(context.Background(), s.g, Options{Delegate: func(context.Context, *graph.Graph, Options) (*Node, error) { return nil, lost }})
	if !errors.Is(err, lost) {
		t.Errorf("got %v", err)
	}
	_, err = Build(context.Background(), s.g, Options{Delegate: func(ctx context.Context, g *graph.Graph, o Options) (*Node, error) {
		return &Node{LeftIDs: []int32{0}, Explicit: g}, nil
	}})
	if err == nil {
		t.Error("a node of other vertices was accepted")
	}
}
