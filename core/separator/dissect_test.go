package separator

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"genussink/core/graph"
	"genussink/core/internal/shared"
	"genussink/core/treedec"
)

func width(t interface{ Fatal(...any) }, g *graph.Graph, order []int32) int {
	d, err := treedec.FromOrder(g, order)
	if err != nil {
		t.Fatal(err)
	}
	return d.Width()
}

func minDegree(t interface{ Fatal(...any) }, g *graph.Graph) int {
	order, err := treedec.Order(context.Background(), g, treedec.MinDegree, 0)
	if err != nil {
		t.Fatal(err)
	}
	return width(t, g, order)
}

// TestDissectHolds wants an order of arbitrary graphs, no wider than minimum
// degree's.
func TestDissectHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t, 150)
		o := Options{Balance: rapid.SampledFrom([]float64{0, 1e-9, 0.1, 0.5}).Draw(t, "balance"), Seed: rapid.Uint64().Draw(t, "seed")}
		order, err := Dissect(context.Background(), g, o)
		if err != nil {
			t.Fatal(err)
		}
		if got, bound := width(t, g, order), minDegree(t, g); got > bound { // width refuses what is no order
			t.Fatalf("width %d, minimum degree %d", got, bound)
		}
		// What it takes its width for is its width, whatever was enough.
		f, err := ByName("")
		if err != nil {
			t.Fatal(err)
		}
		order, claimed, err := dissect(context.Background(), f, g, g.Len(), rapid.IntRange(-1, 10).Draw(t, "enough"), o)
		if err != nil {
			t.Fatal(err)
		}
		if got := max(0, width(t, g, order)); got != claimed {
			t.Fatalf("width %d, it says %d", got, claimed)
		}
	})
}

func TestDissectGrids(t *testing.T) {
	for _, c := range []struct{ w, h, most int }{{1, 1, 0}, {60, 1, 1}, {200, 3, 3}, {50, 50, 83}} {
		g := build(t, c.w*c.h, grid(c.w, c.h)...)
		order, err := Dissect(context.Background(), g, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got, bound := width(t, g, order), minDegree(t, g); got > c.most || got > bound {
			t.Errorf("grid %dx%d: width %d, minimum degree %d, at most %d expected", c.w, c.h, got, bound, c.most)
		}
	}
	g := build(t, 400, grid(20, 20)...)
	ended := 0
	for left := 0; ; left += 7 {
		if _, err := Dissect(&limited{context.Background(), left}, g, Options{}); err == nil {
			break
		} else if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		ended++
	}
	if ended < 4 {
		t.Errorf("ended early only %d times", ended)
	}
	if _, err := Dissect(context.Background(), g, Options{Balance: 2}); err == nil {
		t.Error("a balance of 2 is accepted")
	}
}

// TestDissectRealMeshes compares the width with that of minimum degree on large
// meshes.
func TestDissectRealMeshes(t *testing.T) {
	shared.Long(t)
	var ratios []float64
	for _, m := range realMeshes(t, 8000, 10000) {
		start := time.Now()
		order, err := Dissect(context.Background(), m.g, Options{Positions: m.mesh.Positions})
		if err != nil {
			t.Fatal(err)
		}
		took := time.Since(start).Seconds()
		got, bound := width(t, m.g, order), minDegree(t, m.g)
		t.Logf("%-32s n %5d width %4d, minimum degree %4d  %.2f s", m.name, m.g.Len(), got, bound, took)
		if got > bound {
			t.Errorf("%s: width %d, minimum degree %d", m.name, got, bound)
		}
		ratios = append(ratios, float64(got)/float64(bound))
	}
	slices.Sort(ratios)
	if len(ratios) < 3 || ratios[len(ratios)/2] > 0.85 {
		t.Errorf("%d meshes, widths over minimum degree's %.2f, the median at most 0.85 wanted", len(ratios), ratios)
	}
}
