//go:build unix

package main

import (
	"math"
	"syscall"
	"time"
)

// processorSeconds is how many seconds of processors the process has taken.
func processorSeconds() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return math.NaN()
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}
