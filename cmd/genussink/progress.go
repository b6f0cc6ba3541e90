package main

import (
	"fmt"
	"io"
	"os"
	"sync"
)

// progressLine is the one line on a terminal that says what is going on; where
// there is no terminal it says nothing.
type progressLine struct {
	mu    sync.Mutex
	w     io.Writer // nil: no terminal
	drawn bool
}

func newProgressLine(stderr io.Writer) *progressLine {
	if f, ok := stderr.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			return &progressLine{w: stderr}
		}
	}
	return &progressLine{}
}

// show replaces the line.
func (p *progressLine) show(stage string, fraction float64) {
	if p.w == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.drawn = true
	fmt.Fprintf(p.w, "\r\x1b[K%s %3.0f %%", stage, 100*fraction)
}

// clear takes the line away, before anything else is printed.
func (p *progressLine) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.drawn {
		p.drawn = false
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
