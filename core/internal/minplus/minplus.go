// Package minplus has the inner loops of products in which sums stand for
// products and least values for sums: distances through a set of vertices.
package minplus

import "math"

// Row computes out_j = min over k of a_k + b_kj, the row of b for a_k starting at
// b[k*stride]; +Inf without any.
func Row(out, a, b []float64, stride int) {
	for j := range out {
		out[j] = math.Inf(1)
	}
	n := len(out)
	k := 0
	for ; k+4 <= len(a); k += 4 {
		Four(out, b[k*stride:][:n], b[(k+1)*stride:][:n], b[(k+2)*stride:][:n], b[(k+3)*stride:][:n], a[k], a[k+1], a[k+2], a[k+3])
	}
	for ; k < len(a); k++ {
		x, row := a[k], b[k*stride:][:n]
		for j, m := range out {
			if d := x + row[j]; d < m {
				out[j] = d
			}
		}
	}
}

// Four computes out_j = min(out_j, a0+b0_j, ..., a3+b3_j). Branches are
// quicker than the built-in min here, natively and in WebAssembly: they are
// seldom taken.
func Four(out, b0, b1, b2, b3 []float64, a0, a1, a2, a3 float64) {
	b0, b1, b2, b3 = b0[:len(out)], b1[:len(out)], b2[:len(out)], b3[:len(out)]
	for j, m := range out {
		if d := a0 + b0[j]; d < m {
			m = d
		}
		if d := a1 + b1[j]; d < m {
			m = d
		}
		if d := a2 + b2[j]; d < m {
			m = d
		}
		if d := a3 + b3[j]; d < m {
			m = d
		}
		out[j] = m
	}
}
