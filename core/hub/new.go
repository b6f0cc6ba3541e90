package hub

import (
	"context"
	"fmt"
	"math"

	"genussink/core/graph"
	"genussink/core/hub/cover"
	"genussink/core/hub/label"
	"genussink/core/septree"
)

// Options of New. Lengths are in the graph's unit.
type Options struct {
	Epsilon   float64         // positive
	Delta     float64         // by how much a distance may be wrong; 0: exact, but for rounding
	Precision label.Precision // of distances; the zero value is label.Float32, which rounds them by a share of 6e-8
	Positions [][3]float64    // of the vertices, which help to find separators; nil: none
}

// New makes the kernel exp(-d/epsilon) of a graph's shortest-path distances: separator tree, labels, tiles and
// factors, one after the other. Kernel.Cover says by how much its distances may be wrong, and other kernels are made of it.
func New(ctx context.Context, g *graph.Graph, o Options) (*Kernel, error) {
	if err := checkEpsilon(o.Epsilon); err != nil {
		return nil, err
	}
	tree, err := septree.Split(ctx, g, septree.Options{Positions: o.Positions})
	if err != nil {
		return nil, err
	}
	labels, err := label.Measure(ctx, tree, label.MeasureOptions{Precision: o.Precision})
	if err != nil {
		return nil, err
	}
	tiles, err := cover.Build(ctx, labels, cover.Options{Delta: o.Delta})
	if err != nil {
		return nil, err
	}
	return NewKernel(ctx, tiles, o.Epsilon)
}

func checkEpsilon(epsilon float64) error {
	if !(epsilon > 0) || math.IsInf(epsilon, 1) {
		return fmt.Errorf("hub: epsilon is %g, not a positive length", epsilon)
	}
	return nil
}
