package transport

import (
	"context"

	"genussink/core/internal/parallel"
)

// pieces is how many pieces a loop over n values is cut into: as many on every machine,
// so that sums over the pieces are rounded alike.
func pieces(n int) int { return min(32, n/512+1) }

// sideBySide calls the two on two processors.
func sideBySide(first, second func()) {
	_ = parallel.Each(context.Background(), parallel.Workers(2), 2, func(_, i int) {
		if i == 0 {
			first()
		} else {
			second()
		}
	})
}

// loop calls body for every piece [lo, hi) of [0, n), on all processors. Where ctx ends
// pieces are left out.
func loop(ctx context.Context, n int, body func(piece, lo, hi int)) {
	count := pieces(n)
	_ = parallel.Each(ctx, parallel.Workers(count), count, func(_, p int) {
		body(p, p*n/count, (p+1)*n/count)
	})
}
