//go:build !linux

package silence

import "time"

var start = time.Now()

// cpuTime is the clock's, where the system does not say better.
func cpuTime() time.Duration { return time.Since(start) }
