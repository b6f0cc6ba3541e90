package transport

import (
	"context"
	"math"

	"genussink/core/internal/exponential"
	"genussink/core/linop"
)

// tiny is the most vertices of a problem that is annealed: a step takes the time of their number to the third.
const tiny = 64

// steep is the greatest distance over epsilon up to which a problem is begun from nothing.
const steep = 8

// A problem with another cost than the distance, such as squared distance, is begun by easier ones where products must be in logarithms.
const (
	cooling   = 2.25 // each has an epsilon that is smaller by this
	roughly   = 1e-2 // and this tolerance,
	patiently = 100  // within so many iterations
)

// temper returns log u to begin with, nil where it knows none. The first problem's epsilon is an eighth of the largest cost. The optimal
// epsilon log(u/a) changes little from one epsilon to the next, so that each problem begins near its solution. On the cat, squared distance at 2 % of the
// diagonal takes 69 iterations instead of 481, and 40 for the problems before.
func temper(ctx context.Context, p Problem, o Options) (logu []float64, err error) {
	own, ok := p.Kernel.(linop.Temperer)
	first := steep / -p.Kernel.LogFloor()
	if !ok || !(first < 1) {
		return nil, nil
	}
	for share := first; share < 1; share *= cooling {
		kernel, err := own.Tempered(ctx, share)
		if kernel == nil || err != nil {
			return nil, err
		}
		easier := p
		easier.Kernel = kernel
		s, err := solvePotentials(ctx, easier, Options{Tolerance: roughly, MaxIterations: patiently, LogU: logu})
		if err != nil {
			return nil, err
		}
		next := min(share*cooling, 1)
		logu = make([]float64, s.n)
		for i, l := range s.logu {
			if logu[i] = math.Inf(-1); s.a[i] > 0 {
				logu[i] = s.loga[i] + (l-s.loga[i])*next/share
			}
		}
		s.space.leave()
		if o.Progress != nil {
			o.Progress("solve", begun*math.Log(next/first)/math.Log(1/first))
		}
	}
	return logu, nil
}

// begun is the share of a solve's progress that its easier problems are.
const begun = 0.3

// anneal begins a tiny problem whose epsilon is small beside its costs. There a step of Sinkhorn's iteration
// moves the potentials by some epsilon only, and neither Anderson's choice nor the coarse graph makes it many: on the four
// vertices of a tetrahedron 10,000 did not do. Newton's method on the dual problem does, where epsilon falls from the
// greatest distance, by half at a time, and each problem begins near its solution.
func (s *state) anneal() error {
	far := -s.kernel.LogFloor() * s.epsilon
	entry := linop.LogEntry(s.kernel, s.epsilon)
	w := &newton{}
	for j, b := range s.b {
		if b > 0 {
			w.to, w.b, w.logb = append(w.to, j), append(w.b, b), append(w.logb, s.logb[j])
		}
	}
	for i, a := range s.a {
		if a > 0 {
			w.a, w.loga = append(w.a, a), append(w.loga, s.loga[i])
			row, err := s.kernel.Distances(s.ctx, nil, i)
			if err != nil {
				return err
			}
			for _, j := range w.to {
				w.cost = append(w.cost, -entry(row[j])*s.epsilon)
			}
		}
	}
	n := len(w.b)
	w.plan, w.columns, w.hessian = make([]float64, len(w.cost)), make([]float64, n), make([]float64, n*n)
	potential, logv := make([]float64, n), make([]float64, n) // epsilon log(v/b)
	for epsilon := far; ; epsilon = max(epsilon/2, s.epsilon) {
		if err := s.ctx.Err(); err != nil {
			return err
		}
		for j, g := range potential {
			logv[j] = w.logb[j] + g/epsilon
		}
		tolerance := 1e-3
		if epsilon == s.epsilon {
			tolerance = s.tolerance / 2
		}
		logv = w.solve(logv, epsilon, tolerance)
		if epsilon == s.epsilon {
			break
		}
		for j, l := range logv {
			potential[j] = epsilon * (l - w.logb[j])
		}
	}
	for k, j := range w.to {
		s.logv[j] = logv[k]
	}
	return nil
}

// newton maximises the dual value of a small problem over log v, log u being exact for it. Rows and columns have mass.
type newton struct {
	to         []int     // vertices of the columns
	a, b       []float64 // masses
	loga, logb []float64
	cost       []float64 // rows x columns
	plan       []float64 // likewise, of the log v looked at last
	columns    []float64 // its sums
	hessian    []float64 // columns x columns: less the second derivatives
}

// solve returns a log v whose marginal error is within the tolerance, or the best there is.
func (w *newton) solve(logv []float64, epsilon, tolerance float64) []float64 {
	n := len(w.b)
	step, next := make([]float64, n), make([]float64, n)
	value := w.look(logv, epsilon)
	for range patience {
		e, rise := 0.0, 0.0
		for j, b := range w.b {
			step[j] = b - w.columns[j]
			e += math.Abs(step[j])
		}
		if !finite(value) || e <= tolerance {
			break
		}
		gradient := append([]float64(nil), step...)
		w.curvature()
		w.divide(step)
		w.settle(step)
		far := 1.0
		for j, g := range gradient {
			rise += g * step[j]
			far = max(far, math.Abs(step[j])/longest)
		}
		found := false
		for share := 1 / far; share > 1e-4/far && rise > 0 && !found; share /= 2 {
			for j, l := range logv {
				next[j] = l + share*step[j]
			}
			at, off := w.look(next, epsilon), 0.0
			for j, b := range w.b {
				off += math.Abs(b - w.columns[j])
			}
			if found = at >= value+1e-4*share*rise || off < e/2; found { // near the solution the value does not tell
				value = at
			}
		}
		if !found { // Sinkhorn's step raises the value always, but for rounding
			last := value
			w.look(logv, epsilon)
			for j, l := range logv {
				next[j] = l + w.logb[j] - math.Log(w.columns[j])
			}
			if value = w.look(next, epsilon); !(value > last) {
				return logv
			}
		}
		logv, next = next, logv
	}
	return logv
}

// settle takes a constant from the step of each component. It changes nothing in the plan. It comes from rounding alone, divided by next to nothing.
// In large potentials the digits that count would be lost.
func (w *newton) settle(step []float64) {
	n := len(w.b)
	sums := make([][2]float64, len(w.a)) // by the first row that reaches a column: of its component
	first := make([]int, n)
	for j, b := range w.b {
		for first[j] < len(w.a)-1 && math.IsInf(w.cost[first[j]*n+j], 1) {
			first[j]++
		}
		sum := &sums[first[j]]
		sum[0], sum[1] = sum[0]+b*step[j], sum[1]+b
	}
	for j, i := range first {
		step[j] -= sums[i][0] / sums[i][1]
	}
}

// longest is by how much a step may change log v: further away the plan is another one.
const longest = 8

// look sets the plan and its columns' sums and returns the dual value over epsilon, but for a constant.
func (w *newton) look(logv []float64, epsilon float64) (value float64) {
	n := len(w.b)
	clear(w.columns)
	for j, b := range w.b {
		value += b * logv[j]
	}
	for i, a := range w.a {
		row := w.plan[i*n:][:n]
		for j, d := range w.cost[i*n:][:n] {
			row[j] = logv[j] - d/epsilon
		}
		logu := w.loga[i] - exponential.LogSum(row)
		value += a * logu
		for j, l := range row {
			row[j] = exponential.Exp(l + logu)
			w.columns[j] += row[j]
		}
	}
	return value
}

// curvature sets the Hessian: the columns' sums on the diagonal, less P^T diag(1/a) P.
func (w *newton) curvature() {
	n := len(w.b)
	clear(w.hessian)
	for i, a := range w.a {
		row := w.plan[i*n:][:n]
		for j, p := range row {
			for k, q := range row[:j] {
				w.hessian[j*n+k] -= p * q / a
			}
			w.hessian[j*n+j] += p * (a - p) / a
		}
	}
}

// divide solves H x = x by Cholesky's decomposition. A column that is all but in the space of those before has a
// pivot of what rounding leaves: every component has one, since a constant added to its log v changes nothing. gonum's
// Cholesky gives up where that is below zero. It takes 8 times as long for 8 columns, 0.75 times for 64, in WebAssembly 12 and 2.5 times.
func (w *newton) divide(x []float64) {
	n := len(x)
	h := w.hessian
	for j := range n {
		own := h[j*n : j*n+j+1]
		whole := own[j]
		for k := range j {
			other := h[k*n : k*n+k+1]
			for l, c := range other[:k] {
				own[k] -= own[l] * c
			}
			own[k] /= other[k]
			own[j] -= own[k] * own[k]
			x[j] -= own[k] * x[k]
		}
		own[j] = math.Sqrt(max(own[j], 1e-13*whole, 0x1p-1000))
		x[j] /= own[j]
	}
	for j := n - 1; j >= 0; j-- {
		for k := j + 1; k < n; k++ {
			x[j] -= h[k*n+j] * x[k]
		}
		x[j] /= h[j*n+j]
	}
}
