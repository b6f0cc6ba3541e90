package job

import "slices"

// The stages of a solve, as Timings and Progress name them.
const (
	StageLoad     = "load"
	StageLayout   = "layout" // of a graph without coordinates
	StageHost     = "host"   // embedded: the graph of small treewidth
	StageTree     = "tree"   // the separator tree, or that of a tree decomposition
	StageLabels   = "labels"
	StageCover    = "tiles" // which hub serves which pairs
	StageKernel   = "kernel"
	StageCoarse   = "coarse" // the stand-in for the graph that a solve is corrected by
	StageRows     = "rows"   // support: true distances
	StageNet      = "net"    // quantized: representatives
	StageCells    = "cells"  // quantized: the mass that each represents
	StageSolve    = "solve"
	StageDebias   = "debias"   // each density to itself
	StageEstimate = "estimate" // quantized: what the exact plan would cost
	StageMinimum  = "minimum"  // the unregularised optimum
	StageExamine  = "examine"  // the kernel's distances against true ones
	StagePolish   = "polish"   // what the plan costs on true distances
	StageRefine   = "refine"   // the same, going on
	StageApply    = "apply"    // a product
)

// SetupStages are those before a solve, in order.
var SetupStages = []string{StageHost, StageTree, StageLabels, StageCover, StageKernel, StageCoarse, StageRows, StageNet, StageCells}

// Laid says whether a graph's positions were computed: by the stages that opening it took.
func Laid(opening []Timing) bool {
	return slices.ContainsFunc(opening, func(t Timing) bool { return t.Stage == StageLayout })
}
