package shared

import (
	"syscall"
	"time"
)

// Processor is a clock of the processor time that the process has taken. What else runs on the machine is not in it, but for its share of the caches.
func Processor() time.Time {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Unix(0, u.Utime.Nano()+u.Stime.Nano())
}
