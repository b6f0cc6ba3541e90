package silence

import (
	"syscall"
	"time"
)

// cpuTime is what this process has had of the processors: unlike a clock it
// stands still while other programs run.
func cpuTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
