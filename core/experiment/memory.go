package experiment

import (
	"runtime"
	"runtime/metrics"
	"sync"
	"time"
)

// meter watches how much heap is in use, garbage not yet collected included.
type meter struct {
	mu          sync.Mutex
	base, most  int64
	quit, ended chan struct{}
}

// newMeter collects garbage and counts from there.
func newMeter() *meter {
	m := &meter{quit: make(chan struct{}), ended: make(chan struct{})}
	runtime.GC()
	m.base = heap()
	m.most = m.base
	go func() {
		defer close(m.ended)
		tick := time.NewTicker(5 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-m.quit:
				return
			case <-tick.C:
				m.look()
			}
		}
	}()
	return m
}

func (m *meter) look() {
	now := heap()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.most = max(m.most, now)
}

// peak is the most bytes that were in use at once above the start's.
func (m *meter) peak() int64 {
	m.look()
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.most - m.base
}

// restart collects garbage and forgets the peak; what is kept of before, so
// many bytes, still counts.
func (m *meter) restart(kept int64) {
	runtime.GC()
	now := heap()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.most, m.base = now, now-kept
}

func (m *meter) stop() {
	close(m.quit)
	<-m.ended
}

func heap() int64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}
