package hub

import (
	"context"
)

// Among is that of the labels.
func (k *Kernel) Among(ctx context.Context, vertices []int32) ([]float64, error) {
	return k.cover.Labels.Among(ctx, vertices)
}
