package squared

import (
	"math"

	"genussink/core/internal/exponential"
)

// wide are numbers part[i] * 2^(256 power[i]), beyond the range of float64: part is from 2^-128 to 2^128 or so, or 0, and power none. Sums
// and products of these need no exponential.
type wide struct {
	part  []float64
	power []int32
}

// unit is the logarithm of 2^256, none the power of 0.
const (
	unit = 256 * math.Ln2
	none = -1 << 24
)

func newWide(n int) wide { return wide{make([]float64, n), make([]int32, n)} }

// split is exp(l) as a wide number.
func split(l float64) (part float64, power int32) {
	if l == math.Inf(-1) {
		return 0, none
	}
	p := min(max(math.Round(l/unit), none/2), -none/2)
	return exponential.Exp(l - p*unit), int32(p)
}

// scaled is x as a wide number.
func scaled(x float64) (part float64, power int32) {
	if x == 0 {
		return 0, none
	}
	_, exponent := math.Frexp(x)
	p := int(math.Round(float64(exponent) / 256))
	return math.Ldexp(x, -256*p), int32(p)
}

// clear makes all 0.
func (w wide) clear() {
	clear(w.part)
	for i := range w.power {
		w.power[i] = none
	}
}

// add adds a number to number i.
func (w wide) add(i int, part float64, power int32) {
	switch own := w.power[i]; {
	case power == own:
		w.part[i] += part
	case power < own:
		w.part[i] += part * less(own-power)
	default:
		w.part[i], w.power[i] = w.part[i]*less(power-own)+part, power
	}
}

// less is 2^(-256 by), by >= 0, or 0 where that is next to nothing.
func less(by int32) float64 {
	if by >= int32(len(lesser)) {
		return 0
	}
	return lesser[by]
}

var lesser = [4]float64{1, 0x1p-256, 0x1p-512, 0x1p-768}

// log is the logarithm of number i, NaN of a negative one.
func (w wide) log(i int) float64 {
	if w.part[i] == 0 {
		return math.Inf(-1)
	}
	return math.Log(w.part[i]) + float64(w.power[i])*unit
}

// value is number i as a float64.
func (w wide) value(i int) float64 { return math.Ldexp(w.part[i], 256*int(max(w.power[i], -8))) }
