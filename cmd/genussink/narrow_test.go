package main

import (
	"fmt"
	"strings"
	"testing"
)

// A PACE graph of small treewidth goes the exact near-linear way, and the
// result says so.
func TestSolveNarrowGraph(t *testing.T) {
	var ladder strings.Builder
	fmt.Fprintln(&ladder, "p tw 400 598")
	for c := range 200 {
		fmt.Fprintln(&ladder, 2*c+1, 2*c+2)
		if c > 0 {
			fmt.Fprintln(&ladder, 2*c-1, 2*c+1)
			fmt.Fprintln(&ladder, 2*c, 2*c+2)
		}
	}
	path := file(t, "ladder.gr", ladder.String())
	tree := answer(t, "solve", path, "-measures", "two-spots", "-epsilon", "0.1", "-tolerance", "1e-12", "-method", "tree")
	dense := answer(t, "solve", path, "-measures", "two-spots", "-epsilon", "0.1", "-tolerance", "1e-12", "-method", "dense")
	if r := relative(tree["cost"].(float64), dense["cost"].(float64)); r > 1e-11 {
		t.Errorf("cost %v, dense %v", tree["cost"], dense["cost"])
	}
	crosses, there := tree["crosses"].(map[string]any)
	if !there || crosses["width"] != nil || tree["width"] != 2. || crosses["pairs"].(float64) < 1 {
		t.Errorf("crosses %v", tree["crosses"])
	}
	if dense["crosses"] != nil || dense["width"] != nil {
		t.Errorf("dense crosses %v", dense["crosses"])
	}
}
