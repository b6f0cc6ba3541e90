package measure

import (
	"fmt"
	"math"
)

// Validate reports what keeps a from being a density on n vertices: a wrong
// length, or the first value that is negative, NaN or infinite, or no mass at
// all, or more than a float64 holds. Vertices without mass are legal.
func Validate(a []float64, n int) error {
	if len(a) != n {
		return fmt.Errorf("measure: %d values for %d vertices", len(a), n)
	}
	total := 0.0
	for i, x := range a {
		if !(x >= 0) || math.IsInf(x, 1) {
			return fmt.Errorf("measure: value %d is %g, it must be finite and not negative", i, x)
		}
		total += x
	}
	switch {
	case n > 0 && total == 0:
		return fmt.Errorf("measure: all %d values are 0, there is no mass to move", n)
	case math.IsInf(total, 1):
		return fmt.Errorf("measure: the total mass is too large for a float64")
	}
	return nil
}

// Normalise divides a by its sum, in place, and returns it. Without mass it
// stays as it is.
func Normalise(a []float64) []float64 {
	if total := sum(a); total > 0 {
		for i := range a {
			a[i] /= total
		}
	}
	return a
}

func sum(a []float64) float64 {
	total := 0.0
	for _, x := range a {
		total += x
	}
	return total
}

// Components checks that every component of the graph holds the same mass of a
// as of b, to tolerance times the total mass: none can move between two. The
// error names the first component that does not, by its smallest vertex, with
// both masses. component is as graph.Components returns it.
func Components(a, b []float64, component []int32, count int, tolerance float64) error {
	ma, mb := masses(a, component, count), masses(b, component, count)
	total := max(sum(ma), sum(mb))
	for c := range count {
		if math.Abs(ma[c]-mb[c]) > tolerance*total {
			first := 0
			for component[first] != int32(c) {
				first++
			}
			return fmt.Errorf("measure: component %d of %d (from vertex %d) has source mass %g and target mass %g; mass cannot move between components",
				c, count, first, ma[c], mb[c])
		}
	}
	return nil
}

// Balance scales b inside every component of the graph to the mass that a has
// there, and a to nothing where b has none, and returns both as new densities
// of total 1. When no component holds mass of both it is an error.
func Balance(a, b []float64, component []int32, count int) (source, target []float64, err error) {
	ma, mb := masses(a, component, count), masses(b, component, count)
	source, target = make([]float64, len(a)), make([]float64, len(b))
	for i, c := range component {
		if ma[c] > 0 && mb[c] > 0 {
			source[i], target[i] = a[i], b[i]/mb[c]*ma[c]
		}
	}
	if sum(source) == 0 && len(a) > 0 {
		return nil, nil, fmt.Errorf("measure: none of %d components holds both source and target mass", count)
	}
	return Normalise(source), Normalise(target), nil
}

func masses(a []float64, component []int32, count int) []float64 {
	m := make([]float64, count)
	for i, c := range component {
		m[c] += a[i]
	}
	return m
}
