package squared

import (
	"context"
	"errors"
	"math"
	"testing"

	"genussink/core/hub/hubtest"
	"genussink/core/internal/shared/gendensity"
	"genussink/core/internal/shared/genmesh"
	"genussink/core/linop/linoptest"
	"genussink/core/septree"
)

// Sums in logarithms are the same from all rows kept, from some, from none and from blocks where these lose nothing, product after product. A product that is
// given up spoils none after it.
func TestKeptRows(t *testing.T) {
	m, g := genmesh.Make(t, "torus", map[string]float64{"segments": 30, "sides": 14})
	n := g.Len()
	for _, delta := range []float64{0, 0.002} {
		c := hubtest.BuildCover(t, hubtest.Labels(t, g, septree.Options{Positions: m.Positions}), delta*m.Diagonal())
		for _, share := range []float64{0.02, 0.005} {
			epsilon := share * m.Diagonal()
			var kernels []*Kernel
			for _, rows := range []int{n, 40, 0} {
				k, err := New(t.Context(), c, epsilon*epsilon)
				if err != nil {
					t.Fatal(err)
				}
				if !k.kept.whole() || k.fromRows() != (delta == 0) || k.Bytes() < k.kept.most {
					t.Fatalf("room for %d bytes of %d rows, from rows %v", k.kept.most, n, k.fromRows())
				}
				if rows < n {
					k.Keep(int64(8 * n * rows))
				}
				kernels = append(kernels, k)
			}
			for seed := range uint64(3) {
				x := gendensity.Random(n, seed)
				for i := range x {
					if x[i] = 3000 * x[i] * float64(n); i%9 == int(seed) {
						x[i] = math.Inf(-1)
					}
				}
				want, err := kernels[2].LogMulVec(t.Context(), nil, x)
				if err != nil {
					t.Fatal(err)
				}
				for _, k := range kernels[:2] {
					if _, err := k.LogMulVec(linoptest.NewCountdown(30), nil, x); !errors.Is(err, context.Canceled) && err != nil {
						t.Fatal(err)
					}
					got, err := k.LogMulVec(t.Context(), nil, x)
					if err != nil {
						t.Fatal(err)
					}
					for i, y := range got {
						if !(math.Abs(y-want[i]) <= 1e-11*math.Abs(want[i])) && y != want[i] {
							t.Fatalf("delta %g, epsilon %g, %d rows kept: row %d is %.15g, without them %.15g", delta, share, k.kept.most/int64(8*n), i, y, want[i])
						}
					}
				}
			}
			if kernels[0].fromRows() != (delta == 0 || share < 0.01) || kernels[1].fromRows() || kernels[2].fromRows() {
				t.Errorf("delta %g, epsilon %g: from rows %v, %v, %v", delta, share, kernels[0].fromRows(), kernels[1].fromRows(), kernels[2].fromRows())
			}
			kept := 0
			for _, row := range kernels[1].kept.costs {
				if row != nil {
					kept++
				}
			}
			if kept != 40 {
				t.Errorf("%d rows are kept, there is room for 40", kept)
			}
		}
	}
}
