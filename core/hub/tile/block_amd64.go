package tile

import (
	"golang.org/x/sys/cpu"

	"genussink/core/hub/label"
)

// wide reports whether this processor has AVX2: instructions for four numbers at a time. With them exact's tiles take 0.7 of the time.
// GODEBUG=cpu.avx2=off in the environment makes it false.
var wide = cpu.X86.HasAVX2

// nearestOf finds the shortest ways from a row to the columns of a block, the first chunk ones of cols. They go through some of the given
// hubs, of which there are at most MaxSide+1. Each key is a way's length and, in its last bits, its hub's index in hubs. So one comparison
// gives both.
func nearestOf(keys *[chunk]label.Fixed, row []label.Fixed, cols matrix, hubs []int32) {
	if !wide {
		nearestInGo(keys, row, cols, hubs)
		return
	}
	nearestByFours(keys, &row[0], 1, &cols.labels[0], cols.stride, &hubs[0], len(hubs), -1)
}

// leadsOf finds the least lead of each hub over a pivot in a block of columns, the first chunk ones of cols.
func leadsOf(leads []label.Fixed, pivot *[chunk]label.Fixed, cols matrix) {
	if !wide {
		leadsInGo(leads, pivot, cols)
		return
	}
	leadsByFours(&leads[0], len(leads), pivot, &cols.labels[0], cols.stride)
}

// waysByBlocks fills in the keys of shortestWays, given the labels of the vertex in the first column of row. It reports whether it has:
// it needs an AVX2 processor, and a block of columns at least.
func waysByBlocks(keys []label.Fixed, row, cols matrix, hubs []int32) bool {
	if !wide || len(keys) < chunk {
		return false
	}
	for j := 0; j < len(keys); j += chunk {
		at := min(j, len(keys)-chunk)
		nearestByFours((*[chunk]label.Fixed)(keys[at:]), &row.labels[0], row.stride, &cols.labels[at], cols.stride, &hubs[0], len(hubs), ^(keyMask &^ label.HubMask))
	}
	return true
}

// nearestByFours is nearestOf, with the row's labels rowStride apart. Lengths are compared by the bits of keep. Nothing checks
// bounds: count is that of the hubs, at least 1.
//
//go:noescape
func nearestByFours(keys *[chunk]label.Fixed, row *label.Fixed, rowStride int, cols *label.Fixed, stride int, hubs *int32, count int, keep label.Fixed)

// leadsByFours is leadsOf. count is that of the leads, at least 1.
//
//go:noescape
func leadsByFours(leads *label.Fixed, count int, pivot *[chunk]label.Fixed, cols *label.Fixed, stride int)
