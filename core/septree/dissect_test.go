package septree

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"

	"genussink/core/internal/shared/gengraph"
	"genussink/core/internal/shared/genmesh"
	"genussink/core/separator"
)

// A tree whose parts are separated elsewhere is the tree that is separated here, by any finder, whatever
// the helpers answer.
func TestSplitElsewhere(t *testing.T) {
	m, torus := genmesh.Make(t, "torus", map[string]float64{"segments": 40, "sides": 20})
	ctx := context.Background()
	for _, finder := range separator.Names() {
		o := Options{Finder: finder, Positions: m.Positions, Faces: m.Faces}
		want, err := Split(ctx, torus, o)
		if errors.Is(err, separator.ErrNotPlanar) {
			continue
		}
		if err != nil {
			t.Fatal(finder, err)
		}
		for name, answer := range map[string]func(p Part) Dissection{
			"as here": func(p Part) Dissection {
				d, err := Dissect(ctx, p, Options{Finder: finder})
				if err != nil {
					t.Error(err)
				}
				return d
			},
			"nothing": func(Part) Dissection { return Dissection{} },
			"too few": func(p Part) Dissection { return Dissection{[]int32{0}, []int32{^1}} },
			"one twice": func(p Part) Dissection {
				return Dissection{make([]int32, p.Graph.Len()), []int32{^int32(p.Graph.Len())}}
			},
			"out of range":   func(p Part) Dissection { return Dissection{upFrom(1, p), []int32{^int32(p.Graph.Len())}} },
			"no kids":        func(p Part) Dissection { return Dissection{upFrom(0, p), []int32{int32(p.Graph.Len())}} },
			"one kid":        func(p Part) Dissection { return Dissection{upFrom(0, p), []int32{int32(p.Graph.Len()), ^0}} },
			"a size too far": func(p Part) Dissection { return Dissection{upFrom(0, p), []int32{^int32(p.Graph.Len() + 1)}} },
			"sizes left":     func(p Part) Dissection { return Dissection{upFrom(0, p), []int32{^int32(p.Graph.Len()), ^0}} },
			"vertices left":  func(p Part) Dissection { return Dissection{upFrom(0, p), []int32{^0}} },
		} {
			var asked atomic.Int32
			o := o
			o.Helpers = 3
			o.Elsewhere = func(helper int, p Part) Dissection {
				if helper < 0 || helper >= o.Helpers {
					t.Errorf("helper %d of %d", helper, o.Helpers)
				}
				asked.Add(1)
				return answer(p)
			}
			got, err := Split(ctx, torus, o)
			if err != nil {
				t.Fatal(finder, name, err)
			}
			if n := asked.Load(); n < 3 || n > 3 && name != "as here" {
				t.Errorf("%s, %s: helpers are asked %d times", finder, name, n)
			}
			if !slices.Equal(got.Order, want.Order) || !slices.EqualFunc(got.Cells, want.Cells, func(a, b Cell) bool {
				return a.Lo == b.Lo && a.Mid == b.Mid && a.Sep == b.Sep && a.Hi == b.Hi && a.Parent == b.Parent && slices.Equal(a.Hubs, b.Hubs)
			}) {
				t.Errorf("%s, %s: another tree", finder, name)
			}
		}
	}
}

// upFrom lists as many numbers as the part has vertices.
func upFrom(first int32, p Part) (list []int32) {
	for i := range int32(p.Graph.Len()) {
		list = append(list, first+i)
	}
	return list
}

func TestDissectRefuses(t *testing.T) {
	g := gengraph.Grid(t, 5, 5, 0, 1)
	for name, p := range map[string]Part{
		"depth":     {Graph: g, Depth: -1},
		"positions": {Graph: g, Positions: make([][3]float64, 24)},
		"face":      {Graph: g, Faces: [][3]int32{{0, 1, 25}}},
		"negative":  {Graph: g, Faces: [][3]int32{{0, -1, 2}}},
	} {
		if d, err := Dissect(context.Background(), p, Options{}); err == nil {
			t.Errorf("%s: %v", name, d)
		}
	}
	if _, err := Dissect(context.Background(), Part{Graph: g}, Options{Finder: "magic"}); err == nil {
		t.Error("a finder that is none")
	}
}
