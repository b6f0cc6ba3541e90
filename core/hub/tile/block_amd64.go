package tile

import (
	"golang.org/x/sys/cpu"

	"genussink/core/hub/label"
)

// wide reports whether this processor has AVX2: instructions for four numbers at a time. With them exact's tiles take 0.7 of the time.
// GODEBUG=cpu.avx2=off in the environment makes it false.
var wide = cpu.X86.HasAVX2

// nearestByFours is nearestOf, with the row's labels rowStride apart. Lengths are compared by the bits of keep. Nothing checks
// bounds: count is that of the hubs, at least 1.
//
//go:noescape
func nearestByFours(keys *[chunk]label.Fixed, row *label.Fixed, rowStride int, cols *label.Fixed, stride int, hubs *int32, count int, keep label.Fixed)

// leadsByFours is leadsOf. count is that of the leads, at least 1.
//
//go:noescape
func leadsByFours(leads *label.Fixed, count int, pivot *[chunk]label.Fixed, cols *label.Fixed, stride int)
