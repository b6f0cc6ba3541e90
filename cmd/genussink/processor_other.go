//go:build !unix

package main

import "math"

// processorSeconds is not known on this system.
func processorSeconds() float64 { return math.NaN() }
