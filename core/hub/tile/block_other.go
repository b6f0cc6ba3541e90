//go:build !amd64

package tile

import "genussink/core/hub/label"

// nearestOf finds the shortest ways from a row to the columns of a block, the first chunk ones of cols. They go through some of the given
// hubs, of which there are at most MaxSide+1. Each key is a way's length and, in its last bits, its hub's index in hubs. So one comparison
// gives both.
func nearestOf(keys *[chunk]label.Fixed, row []label.Fixed, cols matrix, hubs []int32) {
	nearestInGo(keys, row, cols, hubs)
}

// leadsOf finds the least lead of each hub over a pivot in a block of columns, the first chunk ones of cols.
func leadsOf(leads []label.Fixed, pivot *[chunk]label.Fixed, cols matrix) {
	leadsInGo(leads, pivot, cols)
}

// waysByBlocks is for processors that compare several numbers at a time.
func waysByBlocks([]label.Fixed, matrix, matrix, []int32) bool { return false }
