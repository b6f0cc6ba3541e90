package transport

import "math"

// prediction guesses log K v after a step of v, without a product: it changes by as much as that of the small
// problem does when the correction takes its solution for the wanted marginals instead of those found. What the
// step has in common with the one before is off by as much as that one was.
//
// The error of a guess is some 1/200 of that of the marginals before the step, less where steps have much in
// common. So the guess before a solve's last product will do: that product, of both scalings (linop.MulPlan),
// tells the errors of both marginals.
type prediction struct {
	logv  []float64 // before the step
	guess []float64 // of log K v after it, but for what the steps have in common
	step  []float64 // of log v
	share float64   // of the last step in it

	// The last step: it, its marginal error, and its guess's error, by vertex and in all, L1.
	known bool
	last  []float64
	error float64
	miss  []float64
	off   float64
}

func newPrediction(room *workspace) *prediction {
	return &prediction{logv: room.vector(), guess: room.vector(), step: room.vector(), last: room.vector(), miss: room.vector()}
}

// look makes the guess, given log K v before the correction's step, the log v that it led to, and the masses of v's side.
func (f *prediction) look(k *correction, kv, logv, mass []float64) {
	copy(f.guess, kv)
	k.follow(f.guess, k.wanted.kv, k.found.kv)
	with, own := 0.0, 0.0 // of step times last, of last squared
	for j, m := range mass {
		if m > 0 {
			f.step[j] = logv[j] - f.logv[j]
			with += m * f.step[j] * f.last[j]
			own += m * f.last[j] * f.last[j]
		}
	}
	if f.share = with / own; !finite(f.share) {
		f.share = 0 // there is no last one
	}
}

// predict sets kv to the guess, if that is likely to be off by no more than the
// tolerance where the marginal error is e before the step: by as large a share of e as the last one, but for what
// the steps have in common.
func (f *prediction) predict(kv []float64, e, tolerance float64) bool {
	ratio := e / f.error
	if !f.known || !(f.off*math.Sqrt(max(ratio*ratio/16, ratio*ratio-f.share*f.share)) <= tolerance) {
		return false
	}
	for i, x := range f.guess {
		kv[i] = x + f.share*f.miss[i]
	}
	return true
}

// learn is told what log K v became, the masses of its side, and the marginal error before the step.
func (f *prediction) learn(kv, mass []float64, e float64) {
	f.off = 0
	for i, a := range mass {
		f.miss[i] = 0
		if a > 0 {
			f.miss[i] = kv[i] - f.guess[i]
			f.off += a * math.Abs(f.miss[i])
		}
	}
	f.last, f.step = f.step, f.last
	f.error, f.known = e, finite(f.off)
}
