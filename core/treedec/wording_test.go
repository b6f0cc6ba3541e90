package treedec

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"genussink/core/internal/wording"
)

// Whatever is wrong with a .td file, the error is words for a person and names
// the place.
func TestErrorsAreWords(t *testing.T) {
	const seed = 17
	text := []byte("c a path\ns td 3 2 4\nb 1 1 2\nb 2 2 3\nb 3 3 4\n1 2\n2 3\n")
	rng := rand.New(rand.NewPCG(seed, 0))
	wrong := 0
	for range 3000 {
		if _, err := ReadPACE(bytes.NewReader(wording.Mutate(rng, text))); err != nil {
			wrong++
			if fault := wording.Fault(err); fault != "" {
				t.Errorf("seed %d: %s", seed, fault)
			}
		}
	}
	if wrong < 1000 {
		t.Errorf("only %d mutants were refused", wrong)
	}
}
