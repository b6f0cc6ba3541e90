package shared

import (
	"syscall/js"
	"time"
)

// Processor is a clock of the processor time that node has taken.
func Processor() time.Time {
	used := js.Global().Get("process").Call("cpuUsage") // microseconds
	return time.Unix(0, int64(1000*(used.Get("user").Float()+used.Get("system").Float())))
}
