package cover

import (
	"context"
	"slices"
	"testing"

	"genussink/core/graph"
	"genussink/core/hub/label"
	"genussink/core/hub/tile"
	"genussink/core/internal/shared/gengraph"
	"genussink/core/septree"
	"genussink/internal/race"
)

// coverOf are the labels and the tiles of a graph, with a delta of a share of the reach.
func coverOf(t *testing.T, g *graph.Graph, share float64) (*label.Labels, *Cover) {
	t.Helper()
	tree, err := septree.Split(t.Context(), g, septree.Options{})
	if err != nil {
		t.Fatal(err)
	}
	l, err := label.Measure(t.Context(), tree, label.MeasureOptions{Precision: label.Float64})
	if err != nil {
		t.Fatal(err)
	}
	cov, err := Build(t.Context(), l, Options{Delta: share * l.Reach})
	if err != nil {
		t.Fatal(err)
	}
	return l, cov
}

// Without a tolerance a tile's rows stand in the order of the number of their runs, each run within a band that serves
// its columns, and no two hubs start at the same sum.
func TestTilesWithoutTolerance(t *testing.T) {
	race.Alone(t)
	_, cov := coverOf(t, gengraph.Grid(t, 60, 60, 0.3, 3), 0)
	stretches := 0
	for i := range cov.Tiles {
		o := &cov.Tiles[i]
		bands := cov.BandsOf(o)
		var starts tile.Starts
		starts.Set(bands)
		hubs := map[int32]bool{}
		for n, b := range bands {
			again := n > 0 && b.Hub == bands[n-1].Hub
			if n > 0 && (starts[n] < starts[n-1] || again != (starts[n] == starts[n-1]) || again && b.From <= bands[n-1].To) {
				t.Fatalf("tile %d: bands %d and %d of %d start at %d and %d", i, n-1, n, len(bands), starts[n-1], starts[n])
			}
			if again {
				stretches++
			} else if hubs[b.Hub] {
				t.Fatalf("tile %d: the bands of hub %d do not stand together", i, b.Hub)
			}
			hubs[b.Hub] = true
		}
		runs := make([]int, o.Rows)
		cov.Each(o, func(r tile.Run, row, _, from int) {
			runs[row]++
			if b := bands[r.Band]; from < int(b.From) || int(r.Last) >= int(b.To) {
				t.Fatalf("tile %d: a run of columns %d to %d in a band of %d to %d", i, from, r.Last, b.From, b.To-1)
			}
		})
		if !slices.IsSorted(runs) {
			t.Fatalf("tile %d: rows of %d runs", i, runs)
		}
	}
	if stretches == 0 {
		t.Error("no hub has two bands: this is no test of them")
	}
}

// What a product goes through in loops of varying length stands in the order of that: the aggregates of a batch by
// their vertices, the groups of a tile by their rows and runs.
func TestOrderOfSizes(t *testing.T) {
	_, cov := coverOf(t, gengraph.Grid(t, 40, 25, 0, 1), 0.1)
	sizes, groups := map[int]bool{}, map[[2]int]bool{}
	for n := range len(cov.Batches) - 1 {
		b, end := &cov.Batches[n], &cov.Batches[n+1]
		last := 0
		for _, o := range cov.Aggregates[b.Aggregate:end.Aggregate] {
			size := int(o.To - o.From)
			if size < last {
				t.Fatalf("block %d: an aggregate of %d vertices after one of %d", n, size, last)
			}
			last, sizes[size] = size, true
		}
		for i := b.Tile; i < end.Tile; i++ {
			o, last := cov.Tiles[i], [2]int{}
			for _, g := range cov.Groups[o.Group:] {
				next := [2]int{int(g.Size), int(g.Runs)}
				if slices.Compare(next[:], last[:]) < 0 {
					t.Fatalf("tile %d: a group of %v rows and runs after one of %v", i, next, last)
				}
				last, groups[next] = next, true
				if o.Rows -= int32(g.Size); o.Rows == 0 {
					break
				}
			}
		}
	}
	if len(sizes) < 2 || len(groups) < 3 {
		t.Errorf("%d sizes of aggregates and %d of groups: this is no test of their order", len(sizes), len(groups))
	}
}

// A side with more entries than a byte can number leaves no aggregates behind, and those made before can still be used.
func TestEntriesBeyondTheLimit(t *testing.T) {
	l, cov := coverOf(t, gengraph.Grid(t, 34, 30, 0.3, 2), 0.05)
	k := newBuilder(context.Background(), cov, nil)
	r := &l.Cells[0]
	p := k.clusters.Patch(k.clusters.Of[r.Left], nil)
	s := &tile.Side{}
	enter := func(hubs []int32, limit int) bool {
		s.Ranks = p.Ranks(r.Lo)
		s.Load(l, r.Lo, hubs)
		k.tileBuilder.Pivots = k.tileBuilder.Numbers(1)
		return k.entriesOf(s, p, k.tileBuilder.Numbers(len(hubs)), limit)
	}
	if !enter(r.Hubs[:1], tile.MaxSide) || len(k.Aggregates) == 0 {
		t.Fatalf("%d entries of %d vertices with one hub, %d aggregates", len(s.Entries), p.Len(), len(k.Aggregates))
	}
	aggregates, ranks, entries := len(k.Aggregates), len(k.Ranks), slices.Clone(s.Entries)
	for _, limit := range []int{1, 5} {
		if enter(r.Hubs[len(r.Hubs)-3:], limit) || len(k.Aggregates) != aggregates || len(k.Ranks) != ranks || len(k.Offsets) != ranks {
			t.Fatalf("limit %d, %d entries: %d aggregates of %d vertices, there were %d of %d", limit, len(s.Entries), len(k.Aggregates), len(k.Ranks), aggregates, ranks)
		}
		for node, list := range p.Bisection(k.labels, r.Hubs).Aggregates {
			for _, b := range list {
				if int(b) >= aggregates {
					t.Fatalf("limit %d: node %d has aggregate %d of %d", limit, node, b, aggregates)
				}
			}
		}
	}
	if !enter(r.Hubs[:1], tile.MaxSide) || !slices.Equal(s.Entries, entries) {
		t.Errorf("the entries are %v, before %v", s.Entries, entries)
	}
	if !enter(r.Hubs[len(r.Hubs)-3:], tile.MaxSide) || len(k.Aggregates) == aggregates {
		t.Error("other hubs see the same aggregates: nothing was tested")
	}
}
