package parallel

import "context"

// Pieces is how many pieces Loop cuts n values into: as many on every machine,
// so that sums over the pieces are rounded alike.
func Pieces(n int) int { return min(32, n/512+1) }

// Loop calls body for every piece [lo, hi) of [0, n), on all processors. Where ctx ends
// pieces are left out.
func Loop(ctx context.Context, n int, body func(piece, lo, hi int)) {
	count := Pieces(n)
	_ = Each(ctx, Workers(count), count, func(_, p int) {
		body(p, p*n/count, (p+1)*n/count)
	})
}
