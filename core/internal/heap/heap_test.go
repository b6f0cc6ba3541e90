package heap

import (
	"runtime"
	"testing"
	"time"
)

func TestMeter(t *testing.T) {
	m := Watch()
	defer m.Stop()
	m.Restart()
	before := m.Peak()
	hold(40 << 20)
	runtime.GC()
	after := m.Peak()
	if after-before < 39<<20 || after > 60<<20 { // little else comes and goes
		t.Errorf("a peak of %d bytes, before %d", after, before)
	}
	large := make([]byte, 10<<20+4096) // some of what was there before may be freed
	m.Forget()
	if held := m.Peak(); held < 10<<20 || held > 30<<20 {
		t.Errorf("%d bytes held", held)
	}
	runtime.KeepAlive(large)
	m.Restart()
	if m.Peak() > 20<<20 {
		t.Errorf("%d bytes after a restart", m.Peak())
	}
}

// A paused meter sees only what is in use when it is asked, until it forgets.
func TestPause(t *testing.T) {
	m := Watch()
	defer m.Stop()
	m.Restart()
	m.Pause()
	time.Sleep(2 * interval) // a look may be under way
	hold(40 << 20)
	runtime.GC()
	if m.Peak() > 20<<20 {
		t.Errorf("paused, a peak of %d bytes", m.Peak())
	}
	m.Forget()
	hold(40 << 20)
	runtime.GC()
	if m.Peak() < 39<<20 {
		t.Errorf("a peak of %d bytes of more", m.Peak())
	}
}

// hold has so many bytes for a while.
func hold(bytes int) {
	large := make([]byte, bytes)
	time.Sleep(5 * interval)
	runtime.KeepAlive(large)
}
