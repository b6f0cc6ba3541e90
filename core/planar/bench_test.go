package planar

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
)

// BenchmarkEmbed embeds random triangulations whose vertices have random
// numbers, the worst case for the caches.
func BenchmarkEmbed(b *testing.B) {
	for _, n := range []int{1000, 10000, 100000} {
		r := rand.New(rand.NewPCG(1, 1))
		g := build(b, n, scramble(n, stack(n, n, r), r))
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				if _, err := Embed(context.Background(), g); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/vertex")
		})
	}
}

// BenchmarkKuratowski finds a witness in triangulated tori.
func BenchmarkKuratowski(b *testing.B) {
	for _, side := range []int32{18, 58, 183} {
		var pairs [][2]int32
		for y := range side {
			for x := range side {
				v, right, up := y*side+x, y*side+(x+1)%side, (y+1)%side*side+x
				pairs = append(pairs, [2]int32{v, right}, [2]int32{v, up}, [2]int32{v, (y+1)%side*side + (x+1)%side})
			}
		}
		g := build(b, int(side*side), pairs)
		b.Run(fmt.Sprintf("%d edges", g.Edges()), func(b *testing.B) {
			for b.Loop() {
				w, err := Kuratowski(context.Background(), g)
				if err != nil || w.Verify(g) != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
