// Package heap watches how much memory the program's heap holds.
package heap

import (
	"runtime"
	"sync"
	"time"
)

// interval is how often a Meter looks. What comes and goes between two looks is
// missed; what takes a gigabyte takes longer to fill.
const interval = 10 * time.Millisecond

// Meter keeps the greatest number of bytes that were in use at once, garbage
// not yet collected included.
type Meter struct {
	mu          sync.Mutex
	base, most  int64
	tick        *time.Ticker
	quit, ended chan struct{}
}

// Watch starts a meter, which Stop ends.
func Watch() *Meter {
	m := &Meter{most: inUse(), tick: time.NewTicker(interval), quit: make(chan struct{}), ended: make(chan struct{})}
	go func() {
		defer close(m.ended)
		defer m.tick.Stop()
		for {
			select {
			case <-m.quit:
				return
			case <-m.tick.C:
				m.look()
			}
		}
	}()
	return m
}

func (m *Meter) look() {
	now := inUse()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.most = max(m.most, now)
}

// Peak is the most bytes that were in use at once until now.
func (m *Meter) Peak() int64 {
	m.look()
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.most - m.base
}

// Pause has the meter look no more until it forgets: loops on all processors that take less than a millisecond
// lose a processor to every look, a solve of 20 ms up to a half of its time.
func (m *Meter) Pause() { m.tick.Stop() }

// Restart collects garbage and forgets the peak. What is in use by now does not count.
func (m *Meter) Restart() {
	now := collected()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.most, m.base = now, now
	m.tick.Reset(interval)
}

// Forget collects garbage and forgets the peak. What is in use and counts goes on counting.
func (m *Meter) Forget() {
	now := collected()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.most = now
	m.tick.Reset(interval)
}

// collected is how much is in use once garbage has been collected, what the helpers of the last
// parallel loop still held for a moment included.
func collected() int64 {
	time.Sleep(interval)
	runtime.GC()
	return inUse()
}

// Stop ends the watch.
func (m *Meter) Stop() {
	close(m.quit)
	<-m.ended
}
