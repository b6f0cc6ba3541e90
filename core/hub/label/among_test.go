package label

import (
	"context"
	"testing"

	"genussink/core/internal/shared/gengraph"
	"genussink/core/septree"
)

// Among gives what Distance gives, of all vertices, of some in any order, of
// one more than once, and of none.
func TestAmong(t *testing.T) {
	for name, g := range gengraph.All(t) {
		l := labels(t, g, septree.Options{})
		n := int32(g.Len())
		var all, some []int32
		for v := range n {
			all = append(all, v)
			if w := n - 1 - v; w%3 == 0 {
				some = append(some, w, v)
			}
		}
		for _, vertices := range [][]int32{all, some, nil} {
			got, err := l.Among(context.Background(), vertices)
			if err != nil {
				t.Fatal(err)
			}
			m := len(vertices)
			if len(got) != m*m {
				t.Fatalf("%s: %d distances of %d vertices", name, len(got), m)
			}
			for i, v := range vertices {
				for j, w := range vertices {
					if want := l.Distance(v, w); !agrees(got[i*m+j], want, l.Precision()) {
						t.Fatalf("%s: %d and %d are %g apart, not %g", name, v, w, got[i*m+j], want)
					}
				}
			}
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if _, err := l.Among(ctx, all); err == nil && n > 0 {
			t.Errorf("%s: cancelled: no error", name)
		}
	}
}
