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
		wave /= math.Sqrt(math.Sqrt(1 + wave*wave*wave*wave)) // flat crests and roots
		return (r - pitch - depth*wave) * 0.75                // the flanks are steeper than a distance
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
	const reach, outer, inner, branch = 1.35, 0.44, 0.31, 0.88 // branch is the scale of the third pipe
	left, right, top := vec{-reach, 0, 0}, vec{reach, 0, 0}, vec{0, reach, 0}
	rim := generate.Union(0.1,
		generate.Cylinder(vec{-2 * reach, 0, 0}, vec{2 * reach, 0, 0}, inner, 0),
		generate.Cylinder(vec{}, vec{0, 2 * reach, 0}, branch*inner, 0))
	solid := []generate.Field{
		generate.Cylinder(left, right, outer, 0),
		generate.Cylinder(vec{}, top, branch*outer, 0),
	}
	var bolts []generate.Field
	for _, end := range []vec{left, right, top} {
		along := func(s float64) vec { return vec{s * end[0] / reach, s * end[1] / reach, 0} }
		solid = append(solid, generate.Cylinder(along(reach-0.2), along(reach), 0.8, 0.04))
		for i := range 4 {
			s, c := math.Sincos(math.Pi/4 + math.Pi/2*float64(i))
			from, to := along(reach-0.6), along(2*reach)
			for _, p := range []*vec{&from, &to} {
				p[0] += 0.62 * c * end[1] / reach
				p[1] += 0.62 * c * end[0] / reach
				p[2] += 0.62 * s
			}
			bolts = append(bolts, generate.Cylinder(from, to, 0.1, 0))
		}
	}
	return generate.Subtract(0.04, generate.Union(0.14, solid...), rim, generate.Union(0, bolts...))
}

// amphora is a hollow vase with two handles.
func amphora() generate.Field {
	around := func(f func(r, y float64) float64) generate.Field {
		return func(p vec) float64 { return f(math.Sqrt(p[0]*p[0]+p[2]*p[2]), p[1]) }
	}
	// The wall follows a profile of radii over the height, by cubic splines.
	heights := generate.Curve(60, vec{0.34, 0, 0}, vec{0.27, 0.12, 0}, vec{0.2, 0.24, 0}, vec{0.44, 0.6, 0}, vec{0.72, 1.15, 0},
		vec{0.7, 1.6, 0}, vec{0.42, 1.98, 0}, vec{0.24, 2.25, 0}, vec{0.23, 2.55, 0}, vec{0.36, 2.85, 0})
	radius := func(y float64) float64 {
		for i := 1; i < len(heights); i++ {
			if y < heights[i][1] {
				a, b := heights[i-1], heights[i]
				return a[0] + (b[0]-a[0])*(y-a[1])/(b[1]-a[1])
			}
		}
		return heights[len(heights)-1][0]
	}
	wallDistance := func(r, y float64) float64 {
		y = min(max(y, 0), 2.85)
		slope := (radius(y+0.01) - radius(y-0.01)) / 0.02
		return (r - radius(y)) / math.Sqrt(1+slope*slope)
	}
	outside := around(wallDistance)
	inside := around(func(r, y float64) float64 { return wallDistance(r, y) + 0.12 })
	slab := func(lo, hi float64) generate.Field {
		return func(p vec) float64 { return max(lo-p[1], p[1]-hi) }
	}
	handle := generate.Tube(
		generate.Curve(40, vec{0.62, 1.72, 0}, vec{0.86, 1.95, 0}, vec{0.88, 2.38, 0}, vec{0.62, 2.58, 0}, vec{0.26, 2.46, 0}),
		generate.Taper(40, 0.09, 0.075, 0.075, 0.09))
	hollow := generate.Intersect(0.2, inside, slab(0.5, 4))
	wall := generate.Intersect(0.06, outside, slab(0, 2.85))
	// The handles end in the wall, not in the hollow.
	return generate.Subtract(0.05, generate.Union(0.1, wall, pair(handle)), hollow)
}

// trefoil is a tube along the simplest knot.
func trefoil() generate.Field {
	const n = 240
	points := make([]vec, n+1)
	for i := range points {
		t := 2 * math.Pi * float64(i%n) / n
		points[i] = vec{0.5 * (math.Sin(t) + 2*math.Sin(2*t)), 0.5 * (math.Cos(t) - 2*math.Cos(2*t)), -0.5 * math.Sin(3*t)}
	}
	return generate.Tube(points, generate.Taper(n+1, 0.24, 0.24))
}

// pretzel is one strand of dough whose ends lie on its middle: genus 3.
func pretzel() generate.Field {
	strand := generate.Curve(150,
		vec{0.5, -0.82, 0.16}, vec{0.3, -0.42, 0.14}, vec{0, 0.02, -0.1}, vec{-0.32, 0.5, -0.06}, vec{-0.75, 0.78, 0}, vec{-1.14, 0.5, 0},
		vec{-1.14, -0.05, 0}, vec{-0.75, -0.68, 0}, vec{0, -1, 0}, vec{0.75, -0.68, 0}, vec{1.14, -0.05, 0},
		vec{1.14, 0.5, 0}, vec{0.75, 0.78, 0}, vec{0.32, 0.5, 0.06}, vec{0, 0.02, 0.12}, vec{-0.3, -0.42, 0.14}, vec{-0.5, -0.82, 0.16})
	return generate.Tube(strand, generate.Taper(150, 0.13, 0.15, 0.17, 0.2, 0.24, 0.27, 0.24, 0.2, 0.17, 0.15, 0.13))
}
