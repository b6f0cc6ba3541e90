// Package cputime tells tests how long something took of the processors: unlike
// a clock it stands still while other programs run.
package cputime

import (
	"syscall"
	"time"
)

// Now is what this process has had of the processors until now. Where the system is another, as in
// a browser, it is the time since the process started.
func Now() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
