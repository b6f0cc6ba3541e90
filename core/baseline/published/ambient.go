package published

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"genussink/core/graph"
)

// mostFeatures is the largest number of features of Ambient.
const mostFeatures = 1 << 16

// NewAmbient is the Gaussian kernel exp(-|x-y|^2/epsilon^2) of the vertices' positions, in the unit of the graph, by count positive
// random features (Scetbon and Cuturi 2020, Lemma 1): all entries are positive. It knows nothing of the
// graph but for the cost. The same seed gives the same features.
func NewAmbient(ctx context.Context, g *graph.Graph, positions [][3]float64, epsilon float64, count int, seed uint64) (*Kernel, error) {
	if count < 1 || count > mostFeatures {
		return nil, fmt.Errorf("published: %d features, not from 1 to %d", count, mostFeatures)
	}
	rng := rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))
	normal := make([][3]float64, count)
	for k := range normal {
		for c := range 3 {
			normal[k][c] = rng.NormFloat64()
		}
	}
	return newAmbient(ctx, g, positions, epsilon, normal)
}

// newAmbient makes one feature of each draw from the standard normal distribution.
//
// With beta = epsilon^2, a ball of radius R around the origin that holds all points of dimension m = 3 and
// q = R^2 / (2 beta m W(R^2/(beta m))), W being Lambert's function, the kernel is the mean of phi(x,u) phi(y,u) over u ~ N(0, q beta/4), where
// phi(x,u) = (2q)^(m/4) exp(-2 |x-u|^2/beta + |u|^2/(q beta)).
func newAmbient(ctx context.Context, g *graph.Graph, positions [][3]float64, epsilon float64, normal [][3]float64) (*Kernel, error) {
	if err := positive("epsilon", epsilon); err != nil {
		return nil, err
	}
	n := g.Len()
	if len(positions) != n || n == 0 {
		return nil, fmt.Errorf("published: %d positions for %d vertices", len(positions), n)
	}
	lo, hi := positions[0], positions[0]
	for _, p := range positions {
		for c, x := range p {
			lo[c], hi[c] = min(lo[c], x), max(hi[c], x)
		}
	}
	radius2 := 0.0
	points := make([][3]float64, n) // in units of epsilon: beta is 1
	for i, p := range positions {
		sum := 0.0
		for c, x := range p {
			points[i][c] = (x - (lo[c]/2 + hi[c]/2)) / epsilon
			sum += points[i][c] * points[i][c]
		}
		radius2 = max(radius2, sum)
	}
	if !(radius2 > 0 && radius2 < 1e12) {
		return nil, fmt.Errorf("published: the radius of the positions is %g epsilon", math.Sqrt(radius2))
	}
	const m = 3.0
	q := radius2 / (2 * m * lambert(radius2/m))
	features, least := mat.NewDense(n, len(normal), nil), math.Inf(-1)
	for k, z := range normal {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		lowest := math.Inf(1)
		for i, x := range points {
			log := m / 4 * math.Log(2*q)
			for c := range 3 {
				u := z[c] * math.Sqrt(q) / 2
				log += u*u/q - 2*(x[c]-u)*(x[c]-u)
			}
			log -= math.Log(float64(len(normal))) / 2
			lowest = min(lowest, log)
			features.Set(i, k, math.Exp(log))
		}
		least = max(least, 2*lowest)
	}
	right := mat.DenseCopyOf(features.T())
	return &Kernel{g, epsilon, &factors{features, right, mat.NewVecDense(len(normal), nil), least}}, nil
}

// lambert is Lambert's W(x) for x > 0, the w with w e^w = x, by Newton's method on w + log w = log x, which converges from everywhere.
func lambert(x float64) float64 {
	w := math.Log1p(x)
	for range 50 {
		next := w * (1 + math.Log(x) - math.Log(w)) / (1 + w)
		if math.Abs(next-w) <= 1e-15*w {
			break
		}
		w = next
	}
	return w
}
