// Package silence tells tests for how long a computation does not ask its context.
package silence

import (
	"context"
	"runtime"
	"time"

	"genussink/core/internal/shared"
)

// Context never ends and notes when it is asked. One goroutine at a time.
type Context struct {
	context.Context
	Asked   int
	Longest time.Duration // of the processors' time, between two questions
	Where   string        // the stack that broke the longest silence

	last time.Time
}

// Err is nil.
func (c *Context) Err() error {
	now := shared.Processor()
	if gap := now.Sub(c.last); c.Asked > 0 && gap > c.Longest {
		c.Longest = gap
		stack := make([]byte, 2048)
		c.Where = string(stack[:runtime.Stack(stack, false)])
	}
	c.Asked++
	c.last = now
	return nil
}
