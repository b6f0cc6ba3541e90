package main

import (
	"math"

	"genussink/core/mesh/generate"
)

// gear has 18 teeth, a web with six holes, and a bored hub.
func gear() generate.Field {
	const teeth, pitch, depth = 18, 1.3, 0.17
	profile := func(x, y float64) float64 {
		r := math.Sqrt(x*x + y*y)
		wave := 1.6 * math.Cos(teeth*math.Atan2(y, x))
		wave /= math.Sqrt(1 + wave*wave*wave*wave) // flat crests and roots
		wave /= 0.93
		return (r - pitch - depth*wave) * 0.75 // the flanks are steeper than a distance
	}
	axle := func(radius, half, round float64) generate.Field {
		return generate.Cylinder(vec{0, 0, -half}, vec{0, 0, half}, radius, round)
	}
	solid := generate.Union(0.08,
		generate.Subtract(0.08, generate.Prism(profile, 0.22, 0.04), generate.Union(0,
			generate.Cylinder(vec{0, 0, 0.11}, vec{0, 0, 2}, 0.95, 0.05),
			generate.Cylinder(vec{0, 0, -0.11}, vec{0, 0, -2}, 0.95, 0.05))),
		axle(0.42, 0.34, 0.05))
	holes := []generate.Field{axle(0.22, 2, 0)}
	for i := range 6 {
		s, c := math.Sincos(math.Pi * float64(i) / 3)
		holes = append(holes, generate.Cylinder(vec{0.68 * c, 0.68 * s, -2}, vec{0.68 * c, 0.68 * s, 2}, 0.165, 0))
	}
	return generate.Subtract(0.05, solid, holes...)
}

// tee joins three pipes, each with a flange and four bolt holes.
func tee() generate.Field {
	const reach, outer, inner = 1.35, 0.44, 0.31
	var solid, holes []generate.Field
	for _, d := range []vec{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}} {
		at := func(along, across, turn float64) vec { // a point seen from the pipe's axis
			s, c := math.Sincos(turn)
			if d[0] != 0 {
				return vec{along * d[0], across * c, across * s}
			}
			return vec{across * c, along * d[1], across * s}
		}
		solid = append(solid,
			generate.Cylinder(vec{}, at(reach, 0, 0), outer, 0),
			generate.Cylinder(at(reach-0.2, 0, 0), at(reach, 0, 0), 0.8, 0.04))
		holes = append(holes, generate.Cylinder(vec{}, at(reach+1, 0, 0), inner, 0))
		for i := range 4 {
			turn := math.Pi/4 + math.Pi/2*float64(i)
			holes = append(holes, generate.Cylinder(at(reach-0.6, 0.62, turn), at(reach+1, 0.62, turn), 0.095, 0))
		}
	}
	return generate.Subtract(0.04, generate.Union(0.16, solid...), generate.Union(0.1, holes[0], holes[5], holes[10]),
		generate.Union(0, append(append(holes[1:5:5], holes[6:10]...), holes[11:]...)...))
}

// trefoil is a tube along the simplest knot.
func trefoil() generate.Field {
	const n = 120
	points := make([]vec, n+1)
	for i := range points {
		t := 2 * math.Pi * float64(i%n) / n
		r := 1 + 0.42*math.Cos(3*t)
		points[i] = vec{r * math.Cos(2*t), r * math.Sin(2*t), 0.5 * math.Sin(3*t)}
	}
	return generate.Tube(0.01, points, generate.Taper(n+1, 0.22, 0.22))
}

// pretzel is one strand of dough whose ends lie on its middle: genus 3.
func pretzel() generate.Field {
	strand := generate.Curve(90,
		vec{0.5, -0.82, 0.16}, vec{0.3, -0.42, 0.14}, vec{0, 0.02, -0.1}, vec{-0.32, 0.5, -0.06}, vec{-0.75, 0.78, 0}, vec{-1.14, 0.5, 0},
		vec{-1.14, -0.05, 0}, vec{-0.75, -0.68, 0}, vec{0, -1, 0}, vec{0.75, -0.68, 0}, vec{1.14, -0.05, 0},
		vec{1.14, 0.5, 0}, vec{0.75, 0.78, 0}, vec{0.32, 0.5, 0.06}, vec{0, 0.02, 0.12}, vec{-0.3, -0.42, 0.14}, vec{-0.5, -0.82, 0.16})
	return generate.Tube(0.03, strand, generate.Taper(90, 0.13, 0.15, 0.17, 0.2, 0.24, 0.27, 0.24, 0.2, 0.17, 0.15, 0.13))
}
