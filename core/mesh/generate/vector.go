package generate

import "math"

// Products are rounded before they are added (the conversions forbid fused
// multiply-add), so that every platform makes the same mesh. mathgl's are not.

// Vec is a point or a direction.
type Vec = [3]float64

func add(a, b Vec) Vec { return Vec{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }
func sub(a, b Vec) Vec { return Vec{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }

func scale(s float64, a Vec) Vec {
	return Vec{float64(s * a[0]), float64(s * a[1]), float64(s * a[2])}
}

func dot(a, b Vec) float64 {
	return float64(a[0]*b[0]) + float64(a[1]*b[1]) + float64(a[2]*b[2])
}

func cross(a, b Vec) Vec {
	return Vec{
		float64(a[1]*b[2]) - float64(a[2]*b[1]),
		float64(a[2]*b[0]) - float64(a[0]*b[2]),
		float64(a[0]*b[1]) - float64(a[1]*b[0]),
	}
}

func norm(a Vec) float64 { return math.Sqrt(dot(a, a)) }

// lerp is a for t = 0 and b for t = 1.
func lerp(a, b Vec, t float64) Vec { return add(a, scale(t, sub(b, a))) }

// unit is a scaled to length 1; the zero vector stays.
func unit(a Vec) Vec {
	if n := norm(a); n > 0 {
		return scale(1/n, a)
	}
	return a
}
