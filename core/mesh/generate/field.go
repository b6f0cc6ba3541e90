package generate

import "math"

// Field is a solid: negative inside, positive outside, zero on its surface,
// and near the surface about the distance to it, in mesh units. Any number of
// goroutines may call one.
type Field func(p Vec) float64

// Sphere is a ball.
func Sphere(centre Vec, radius float64) Field {
	return func(p Vec) float64 { return norm(sub(p, centre)) - radius }
}

// Ellipsoid has its axes along the coordinate axes.
func Ellipsoid(centre, radii Vec) Field {
	return func(p Vec) float64 {
		d := sub(p, centre)
		a := Vec{d[0] / radii[0], d[1] / radii[1], d[2] / radii[2]}
		k := norm(a)
		g := norm(Vec{a[0] / radii[0], a[1] / radii[1], a[2] / radii[2]})
		if g == 0 {
			return -min(radii[0], radii[1], radii[2])
		}
		return float64(k*(k-1)) / g // the distance to first order
	}
}

// Capsule is the hull of a ball of radius ra at a and one of radius rb at b.
func Capsule(a, b Vec, ra, rb float64) Field {
	ab := sub(b, a)
	length2 := dot(ab, ab)
	return func(p Vec) float64 {
		t := 0.0
		if length2 > 0 {
			t = min(max(dot(sub(p, a), ab)/length2, 0), 1)
		}
		return norm(sub(p, add(a, scale(t, ab)))) - ra - float64(t*(rb-ra))
	}
}

// Tube follows the points, with a radius at each of them. It is the union of
// the capsules between them, where those too far away to matter are passed
// over by runs.
func Tube(points []Vec, radii []float64) Field {
	if len(points) < 2 || len(radii) != len(points) {
		panic("generate: Tube: not two points or more with a radius each")
	}
	type run struct {
		centre   Vec
		radius   float64
		capsules []Field
	}
	const longest = 6
	var runs []run
	for i := 0; i+1 < len(points); i += longest {
		end := min(i+longest, len(points)-1)
		r := run{centre: points[(i+end)/2]}
		for j := i; j <= end; j++ {
			r.radius = max(r.radius, norm(sub(points[j], r.centre))+radii[j])
			if j < end {
				r.capsules = append(r.capsules, Capsule(points[j], points[j+1], radii[j], radii[j+1]))
			}
		}
		runs = append(runs, r)
	}
	least := func(r *run, p Vec) float64 { return norm(sub(p, r.centre)) - r.radius }
	return func(p Vec) float64 {
		nearest, bound := 0, math.Inf(1)
		for i := range runs {
			if l := least(&runs[i], p); l < bound {
				nearest, bound = i, l
			}
		}
		d := math.Inf(1)
		for _, f := range runs[nearest].capsules {
			d = min(d, f(p))
		}
		for i := range runs {
			if i == nearest || least(&runs[i], p) >= d {
				continue
			}
			for _, f := range runs[i].capsules {
				d = min(d, f(p))
			}
		}
		return d
	}
}

// Curve is a spline of n points through the given ones (Catmull and Rom),
// coordinate by coordinate; together with Tube it makes limbs and tails.
func Curve(n int, through ...Vec) []Vec {
	if n < 2 || len(through) < 2 {
		panic("generate: Curve: less than two points")
	}
	at := func(i int) Vec { return through[min(max(i, 0), len(through)-1)] }
	points := make([]Vec, n)
	for i := range points {
		s := float64(i*(len(through)-1)) / float64(n-1)
		k := min(int(s), len(through)-2)
		t := s - float64(k)
		a, b, c, d := at(k-1), at(k), at(k+1), at(k+2)
		for x := range 3 {
			c1 := (c[x] - a[x]) / 2
			c2 := a[x] - float64(2.5*b[x]) + 2*c[x] - d[x]/2
			c3 := (d[x]-a[x])/2 + float64(1.5*(b[x]-c[x]))
			points[i][x] = b[x] + float64(t*(c1+float64(t*(c2+float64(t*c3)))))
		}
	}
	return points
}

// Taper is n numbers along the given ones, joined by straight lines.
func Taper(n int, values ...float64) []float64 {
	if n < 2 || len(values) < 2 {
		panic("generate: Taper: less than two numbers")
	}
	out := make([]float64, n)
	for i := range out {
		s := float64(i*(len(values)-1)) / float64(n-1)
		k := min(int(s), len(values)-2)
		out[i] = values[k] + float64((s-float64(k))*(values[k+1]-values[k]))
	}
	return out
}

// Ring is a torus around the z axis through centre.
func Ring(centre Vec, major, minor float64) Field {
	return func(p Vec) float64 {
		d := sub(p, centre)
		return length(length(d[0], d[1])-major, d[2]) - minor
	}
}

// Cylinder is a rod from a to b with rims rounded within it.
func Cylinder(a, b Vec, radius, round float64) Field {
	axis := unit(sub(b, a))
	middle := lerp(a, b, 0.5)
	half := norm(sub(b, a)) / 2
	return func(p Vec) float64 {
		d := sub(p, middle)
		along := dot(d, axis)
		across := norm(sub(d, scale(along, axis)))
		return roundedCorner(across-radius, math.Abs(along)-half, round)
	}
}

// Prism is a profile in the plane, a field of x and y, made as thick as twice
// half around z = 0, its rims rounded within it.
func Prism(profile func(x, y float64) float64, half, round float64) Field {
	return func(p Vec) float64 { return roundedCorner(profile(p[0], p[1]), math.Abs(p[2])-half, round) }
}

// roundedCorner is the intersection of two half spaces at right angles.
func roundedCorner(a, b, round float64) float64 {
	a, b = a+round, b+round
	return length(max(a, 0), max(b, 0)) + min(max(a, b), 0) - round
}

// Union joins solids; where two come nearer than about k, a fillet of that
// size fills the gap.
func Union(k float64, fields ...Field) Field {
	return func(p Vec) float64 {
		d := math.Inf(1)
		for _, f := range fields {
			d = smoothMin(d, f(p), k)
		}
		return d
	}
}

// Subtract takes holes away from a solid, rounding the rims by about k.
func Subtract(k float64, solid Field, holes ...Field) Field {
	return func(p Vec) float64 {
		d := solid(p)
		for _, f := range holes {
			d = -smoothMin(-d, f(p), k)
		}
		return d
	}
}

// Intersect keeps what all solids share, rounding the rims by about k.
func Intersect(k float64, fields ...Field) Field {
	return func(p Vec) float64 {
		d := math.Inf(-1)
		for _, f := range fields {
			d = -smoothMin(-d, -f(p), k)
		}
		return d
	}
}

// Mirror repeats the half of a solid with x >= 0 on the other side.
func Mirror(f Field) Field {
	return func(p Vec) float64 { return f(Vec{math.Abs(p[0]), p[1], p[2]}) }
}

// Place turns a solid by the rotation that takes the x, y and z axes to the
// orthonormal columns x, y and their cross product, and then moves its origin
// to at.
func Place(f Field, at, x, y Vec) Field {
	z := cross(x, y)
	return func(p Vec) float64 {
		d := sub(p, at)
		return f(Vec{dot(d, x), dot(d, y), dot(d, z)})
	}
}

// smoothMin is the minimum, with a quadratic blend where a and b differ by
// less than k.
func smoothMin(a, b, k float64) float64 {
	h := k - math.Abs(a-b)
	if h <= 0 {
		return min(a, b)
	}
	return min(a, b) - float64(h*h)/(4*k)
}

func length(x, y float64) float64 { return math.Sqrt(float64(x*x) + float64(y*y)) }
