//go:build !js

// Package exponential has e^x for inner loops.
package exponential

import "math"

// Exp is math.Exp.
func Exp(x float64) float64 { return math.Exp(x) }
