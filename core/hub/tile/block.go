package tile

import (
	"math"

	"genussink/core/hub/label"
)

// chunk is the number of columns of a block. Hubs are compared for a whole block at a time.
const chunk = 16

// matrix has the label of hub n at column j in labels[n*stride+j].
type matrix struct {
	labels []label.Fixed
	stride int
}

// from is the same matrix from a column on.
func (m matrix) from(column int) matrix { return matrix{m.labels[column:], m.stride} }

// nearestOf finds the shortest ways from a row to the first block of cols. They go through some of the given hubs, of which there are 1 to
// MaxSide+1. Each key is a way's length and, in its last bits, its hub's index in hubs. So one comparison gives both.
func nearestOf(keys *[chunk]label.Fixed, row []label.Fixed, cols matrix, hubs []int32) {
	if wide {
		nearestByFours(keys, &row[0], 1, &cols.labels[0], cols.stride, &hubs[0], len(hubs), -1)
		return
	}
	for j := range keys {
		keys[j] = math.MaxInt64
	}
	for i, n := range hubs {
		own, col := row[n]+label.Fixed(i), (*[chunk]label.Fixed)(cols.labels[int(n)*cols.stride:])
		keys[0], keys[1] = min(keys[0], own+col[0]), min(keys[1], own+col[1])
		keys[2], keys[3] = min(keys[2], own+col[2]), min(keys[3], own+col[3])
		keys[4], keys[5] = min(keys[4], own+col[4]), min(keys[5], own+col[5])
		keys[6], keys[7] = min(keys[6], own+col[6]), min(keys[7], own+col[7])
		keys[8], keys[9] = min(keys[8], own+col[8]), min(keys[9], own+col[9])
		keys[10], keys[11] = min(keys[10], own+col[10]), min(keys[11], own+col[11])
		keys[12], keys[13] = min(keys[12], own+col[12]), min(keys[13], own+col[13])
		keys[14], keys[15] = min(keys[14], own+col[14]), min(keys[15], own+col[15])
	}
}

// leadsOf finds the lead of every hub over a pivot in a block of columns: by how much its label is longer than the pivot's, at least. The
// block is the first one of cols. There is one hub or more.
func leadsOf(leads []label.Fixed, pivot *[chunk]label.Fixed, cols matrix) {
	if wide {
		leadsByFours(&leads[0], len(leads), pivot, &cols.labels[0], cols.stride)
		return
	}
	for n := range leads {
		col := (*[chunk]label.Fixed)(cols.labels[n*cols.stride:])
		first := min(col[0]-pivot[0], col[1]-pivot[1], col[2]-pivot[2], col[3]-pivot[3])
		second := min(col[4]-pivot[4], col[5]-pivot[5], col[6]-pivot[6], col[7]-pivot[7])
		first = min(first, col[8]-pivot[8], col[9]-pivot[9], col[10]-pivot[10], col[11]-pivot[11])
		second = min(second, col[12]-pivot[12], col[13]-pivot[13], col[14]-pivot[14], col[15]-pivot[15])
		leads[n] = min(first, second)
	}
}
