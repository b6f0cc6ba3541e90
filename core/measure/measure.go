// Package measure checks densities on the vertices of a graph and brings them to one total. preset makes some.
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
	if total := Total(a); total > 0 {
		for i := range a {
			a[i] /= total
		}
	}
	return a
}

// Total is the mass of a.
func Total(a []float64) float64 {
	total := 0.0
	for _, x := range a {
		total += x
	}
	return total
}

// UnequalError says where the masses of two densities differ.
type UnequalError struct {
	Unequal, Count int     // components in which they differ, of how many
	Component      int     // the one in which they differ most
	First          int32   // its smallest vertex
	Vertices       int     // in it
	Source, Target float64 // masses
}

func (e *UnequalError) Error() string {
	vertices := "1 vertex"
	if e.Vertices != 1 {
		vertices = fmt.Sprintf("%d vertices", e.Vertices)
	}
	return fmt.Sprintf("measure: source and target differ in %d of %d components, most in component %d (%s, from vertex %d) with source mass %.6g and target mass %.6g; mass cannot move between components",
		e.Unequal, e.Count, e.Component, vertices, e.First, e.Source, e.Target)
}

// tolerance is how far two masses that must agree may differ, as a share of the greater: the rounding of densities that were written as text.
const tolerance = 1e-9

// Agree says whether two masses are the same, to 1e-9 of the greater.
func Agree(a, b float64) bool { return math.Abs(a-b) <= tolerance*max(a, b) }

// Components checks that every component of the graph holds the same mass of a
// as of b, to 1e-9 of the total mass: none can move between two. The
// error is an *UnequalError. component is as graph.Components returns it.
func Components(a, b []float64, component []int32, count int) error {
	ma, mb := masses(a, component, count), masses(b, component, count)
	total := max(Total(ma), Total(mb))
	worst, unequal := 0, 0
	for c := range count {
		if off := math.Abs(ma[c] - mb[c]); off > tolerance*total {
			if unequal++; off > math.Abs(ma[worst]-mb[worst]) {
				worst = c
			}
		}
	}
	if unequal == 0 {
		return nil
	}
	e := &UnequalError{Unequal: unequal, Count: count, Component: worst, First: -1, Source: ma[worst], Target: mb[worst]}
	for v, c := range component {
		if c == int32(worst) {
			if e.First < 0 {
				e.First = int32(v)
			}
			e.Vertices++
		}
	}
	return e
}

// Lost is what Balance had to leave out: the shares of either density's mass that lay
// in components where the other has none.
type Lost struct{ Source, Target float64 }

// Balance scales b inside every component of the graph to the share of mass that a has
// there, and both to nothing where one of them has none, and returns both as new densities
// of total 1. When no component holds mass of both it is an error.
func Balance(a, b []float64, component []int32, count int) (source, target []float64, lost Lost, err error) {
	ma, mb := masses(a, component, count), masses(b, component, count)
	ta, tb := Total(ma), Total(mb)
	for c := range count {
		switch {
		case ma[c] > 0 && mb[c] == 0:
			lost.Source += ma[c] / ta
		case mb[c] > 0 && ma[c] == 0:
			lost.Target += mb[c] / tb
		}
	}
	source, target = make([]float64, len(a)), make([]float64, len(b))
	for i, c := range component {
		if ma[c] > 0 && mb[c] > 0 {
			source[i], target[i] = a[i], b[i]/mb[c]*ma[c]
		}
	}
	if Total(source) == 0 && len(a) > 0 {
		return nil, nil, lost, fmt.Errorf("measure: none of %d components holds both source and target mass", count)
	}
	return Normalise(source), Normalise(target), lost, nil
}

func masses(a []float64, component []int32, count int) []float64 {
	m := make([]float64, count)
	for i, c := range component {
		m[c] += a[i]
	}
	return m
}
