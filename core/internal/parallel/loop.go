package parallel

import "context"

// Pieces is how many pieces Loop cuts n values into: as many on every machine,
// so that sums over the pieces are rounded alike.
func Pieces(n int) int { return min(32, n/512+1) }

// Loop calls body for every piece [lo, hi) of [0, n), on all processors.
func Loop(n int, body func(piece, lo, hi int)) {
	_ = LoopContext(context.Background(), n, body)
}

// LoopContext is Loop until ctx ends, whose error it then returns: pieces are left out.
func LoopContext(ctx context.Context, n int, body func(piece, lo, hi int)) error {
	count := Pieces(n)
	return Each(ctx, Workers(count), count, func(_, p int) {
		body(p, p*n/count, (p+1)*n/count)
	})
}
