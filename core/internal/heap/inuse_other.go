//go:build !js

package heap

import "runtime/metrics"

// inUse is how many bytes are in use, garbage not yet collected included.
func inUse() int64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}
