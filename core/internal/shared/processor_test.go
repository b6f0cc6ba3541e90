package shared

import (
	"testing"
	"time"
)

// Processor time passes while something is computed, and not while nothing is.
func TestProcessor(t *testing.T) {
	start := Processor()
	time.Sleep(200 * time.Millisecond)
	idle := Processor().Sub(start)
	sum := 0.0
	for start = Processor(); Processor().Sub(start) < 10*time.Millisecond; {
		for i := range 1000 {
			sum += 1 / float64(i+1)
		}
	}
	if sum == 0 || idle > 150*time.Millisecond {
		t.Errorf("asleep for 200 ms: %v of a processor", idle)
	}
}
