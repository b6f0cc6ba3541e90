// Package race says which tests the race detector need not see. Only tests use it.
package race

import "testing"

// Alone leaves the test out under the race detector: it takes long there, and runs on one goroutine, or as shorter tests do that
// the detector sees. As WebAssembly it runs, for what compilers make of its code.
func Alone(t testing.TB) {
	t.Helper()
	if enabled {
		t.Skip("left out under the race detector")
	}
}
