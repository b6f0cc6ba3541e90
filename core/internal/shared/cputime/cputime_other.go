//go:build !linux

package cputime

import "time"

var start = time.Now()

// Now is the time since the process started.
func Now() time.Duration { return time.Since(start) }
