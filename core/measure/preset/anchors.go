package preset

import (
	"cmp"
	"math"
	"slices"

	"genussink/core/mesh"
)

// Anchors are extreme vertices along principal axes: Left and
// Right have the least and the greatest coordinate along the first, Low and
// High along the second. An axis points to where its component of greatest
// magnitude is positive (of equal magnitudes, to six digits, the first of x,
// y, z); of several extreme vertices, to nine digits of the extent, the one
// with the smallest number is meant. Rounding so decides nothing, on symmetric
// meshes neither: the covariance is taken to twelve digits.
type Anchors struct {
	Left, Right, Low, High int32
}

// FindAnchors finds the anchors of a mesh with at least one vertex.
func FindAnchors(m *mesh.Mesh) Anchors {
	// Coordinates are halved and scaled to about 1 first: squares of very large
	// or small ones leave float64.
	lo, hi := m.Bounds()
	scale := 0.0
	for c := range 3 {
		scale = max(scale, hi[c]/2-lo[c]/2)
	}
	if scale == 0 {
		scale = 1
	}
	local := func(v int) (p [3]float64) {
		for c, x := range m.Positions[v] {
			p[c] = (x/2 - lo[c]/2) / scale
		}
		return p
	}
	var mean [3]float64
	n := len(m.Positions)
	for v := range n {
		for c, x := range local(v) {
			mean[c] += x / float64(n)
		}
	}
	var covariance [3][3]float64
	for v := range n {
		p := local(v)
		for i := range 3 {
			for j := range 3 {
				covariance[i][j] += (p[i] - mean[i]) * (p[j] - mean[j]) / float64(n)
			}
		}
	}
	digit := 1e-12 * (covariance[0][0] + covariance[1][1] + covariance[2][2])
	for i := range 3 {
		for j := range 3 {
			if digit > 0 {
				covariance[i][j] = math.Round(covariance[i][j]/digit) * digit
			}
		}
	}
	axes := principal(covariance)
	along := make([]float64, n)
	extreme := func(axis [3]float64) (least, greatest int32) {
		for v := range n {
			p := local(v)
			along[v] = p[0]*axis[0] + p[1]*axis[1] + p[2]*axis[2]
		}
		lo, hi := slices.Min(along), slices.Max(along)
		tie := 1e-9 * (hi - lo)
		return int32(slices.IndexFunc(along, func(x float64) bool { return x <= lo+tie })),
			int32(slices.IndexFunc(along, func(x float64) bool { return x >= hi-tie }))
	}
	var a Anchors
	a.Left, a.Right = extreme(axes[0])
	a.Low, a.High = extreme(axes[1])
	return a
}

// principal returns the eigenvectors of a symmetric matrix by falling
// eigenvalue, in the direction that Anchors promises, by Jacobi's rotations: gonum's mat.SVD takes 4 times as long, in
// WebAssembly 11 times, and the Worker grows by 120 kB.
func principal(a [3][3]float64) [3][3]float64 {
	v := [3][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}} // columns are the eigenvectors
	for range 30 {                                      // converges quadratically; 6 sweeps are usual
		off := a[0][1]*a[0][1] + a[0][2]*a[0][2] + a[1][2]*a[1][2]
		if off == 0 {
			break
		}
		for p := range 2 {
			for q := p + 1; q < 3; q++ {
				if a[p][q] == 0 {
					continue
				}
				theta := (a[q][q] - a[p][p]) / (2 * a[p][q])
				t := 1 / (math.Abs(theta) + math.Hypot(theta, 1))
				if theta < 0 {
					t = -t
				}
				c := 1 / math.Hypot(t, 1)
				s := t * c
				for k := range 3 {
					a[k][p], a[k][q] = c*a[k][p]-s*a[k][q], s*a[k][p]+c*a[k][q]
				}
				for k := range 3 {
					a[p][k], a[q][k] = c*a[p][k]-s*a[q][k], s*a[p][k]+c*a[q][k]
				}
				for k := range 3 {
					v[k][p], v[k][q] = c*v[k][p]-s*v[k][q], s*v[k][p]+c*v[k][q]
				}
				a[p][q], a[q][p] = 0, 0
			}
		}
	}
	order := []int{0, 1, 2}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(a[j][j], a[i][i]) })
	var axes [3][3]float64
	for k, e := range order {
		greatest := 0
		for c := range 3 {
			axes[k][c] = v[c][e]
			if math.Abs(v[c][e]) > math.Abs(v[greatest][e])*(1+1e-6) {
				greatest = c
			}
		}
		if axes[k][greatest] < 0 {
			for c := range 3 {
				axes[k][c] = -axes[k][c]
			}
		}
	}
	return axes
}
