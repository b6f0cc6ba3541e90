package main

import (
	"math"

	"genussink/core/mesh/generate"
)

// The y axis points up and faces look along z.

type vec = generate.Vec

// pair is a part and its mirror image in x = 0.
func pair(f generate.Field) generate.Field { return generate.Mirror(f) }

// cat sits, its tail in the air.
func cat() generate.Field {
	g := generate.Union
	body := g(0.3,
		generate.Ellipsoid(vec{0, 0.55, -0.24}, vec{0.46, 0.5, 0.52}),
		generate.Capsule(vec{0, 0.6, 0}, vec{0, 1.06, 0.18}, 0.38, 0.26),
	)
	neck := generate.Capsule(vec{0, 1.1, 0.2}, vec{0, 1.5, 0.3}, 0.19, 0.165)
	skull := g(0.1,
		generate.Ellipsoid(vec{0, 1.69, 0.34}, vec{0.4, 0.32, 0.34}),
		pair(generate.Place(generate.Capsule(vec{}, vec{0, 0.33, 0}, 0.17, 0.035),
			vec{0.19, 1.87, 0.28}, vec{0.96, -0.28, 0}, vec{0.28, 0.96, 0})), // ears
	)
	head := g(0.07, skull,
		pair(generate.Ellipsoid(vec{0.075, 1.575, 0.63}, vec{0.12, 0.1, 0.12})), // muzzle
		generate.Capsule(vec{0, 1.8, 0.58}, vec{0, 1.64, 0.73}, 0.07, 0.05),     // nose
		generate.Sphere(vec{0, 1.49, 0.57}, 0.09),                               // chin
	)
	legs := g(0.1,
		pair(generate.Capsule(vec{0.19, 0.85, 0.2}, vec{0.18, 0.12, 0.4}, 0.17, 0.11)),
		pair(generate.Ellipsoid(vec{0.18, 0.1, 0.5}, vec{0.13, 0.1, 0.18})),
		pair(generate.Ellipsoid(vec{0.38, 0.38, -0.2}, vec{0.23, 0.38, 0.4})),
		pair(generate.Ellipsoid(vec{0.5, 0.1, 0.08}, vec{0.13, 0.1, 0.25})),
	)
	tail := generate.Tube(
		generate.Curve(30, vec{0, 0.25, -0.6}, vec{0.1, 0.18, -0.98}, vec{0.3, 0.5, -1.22}, vec{0.22, 0.95, -1.16}, vec{-0.05, 1.28, -1.22}, vec{-0.16, 1.5, -1.46}, vec{-0.1, 1.72, -1.5}),
		generate.Taper(30, 0.17, 0.14, 0.12, 0.12, 0.12, 0.09))
	return g(0.14, g(0.1, body, legs), neck, head, tail)
}

// octopus walks on eight arms.
func octopus() generate.Field {
	parts := []generate.Field{
		generate.Ellipsoid(vec{0, 1.25, -0.16}, vec{0.52, 0.66, 0.56}),
		generate.Capsule(vec{0, 0.85, -0.02}, vec{0, 0.5, 0}, 0.4, 0.36),
		pair(generate.Sphere(vec{0.3, 0.92, 0.3}, 0.14)),
	}
	for i := range 8 {
		turn := 2 * math.Pi * (float64(i) + 0.5) / 8
		s, c := math.Sincos(turn)
		bend := 0.5 * math.Sin(float64(3*i)+0.6) // each arm swings its own way
		lift := 0.14 * math.Sin(float64(5*i)+1)
		at := func(r, h, swing float64) vec {
			return vec{r*s + swing*bend*c, h, r*c - swing*bend*s}
		}
		arm := generate.Curve(28, at(0.15, 0.5, 0), at(0.5, 0.36, 0), at(0.85, 0.14+lift*0.3, 0.25),
			at(1.25, 0.16, 0.8), at(1.6, 0.28+lift, 0.9), at(1.8, 0.55+lift, 0.5), at(1.66, 0.74+lift, 0.15))
		parts = append(parts, generate.Tube(arm, generate.Taper(28, 0.24, 0.2, 0.165, 0.14, 0.115, 0.085, 0.05)))
	}
	return generate.Union(0.16, parts...)
}

// swan swims, its wings folded.
func swan() generate.Field {
	g := generate.Union
	body := g(0.25,
		generate.Ellipsoid(vec{0, 0.36, 0}, vec{0.5, 0.4, 0.85}),
		generate.Capsule(vec{0, 0.45, -0.6}, vec{0, 0.68, -1.12}, 0.2, 0.06),
		generate.Capsule(vec{0, 0.4, 0.5}, vec{0, 0.62, 0.72}, 0.3, 0.2),
	)
	wing := g(0.16,
		generate.Place(generate.Ellipsoid(vec{}, vec{0.13, 0.3, 0.66}), vec{0.4, 0.56, -0.1}, vec{0.924, 0.3827, 0}, vec{-0.3827, 0.924, 0}),
		generate.Capsule(vec{0.36, 0.66, -0.45}, vec{0.16, 0.9, -1.02}, 0.17, 0.07),
	)
	neck := generate.Tube(
		generate.Curve(30, vec{0, 0.5, 0.62}, vec{0, 0.85, 0.92}, vec{0, 1.3, 0.78}, vec{0, 1.72, 0.58}, vec{0, 2.0, 0.76}, vec{0, 1.98, 1.0}),
		generate.Taper(30, 0.25, 0.18, 0.135, 0.12, 0.12, 0.14))
	head := g(0.08,
		generate.Ellipsoid(vec{0, 1.97, 1.02}, vec{0.155, 0.15, 0.22}),
		generate.Capsule(vec{0, 1.92, 1.18}, vec{0, 1.8, 1.46}, 0.095, 0.05),
	)
	return g(0.1, g(0.08, body, pair(wing)), neck, head)
}

// dancer stands on one leg with the other drawn up and both arms raised.
func dancer() generate.Field {
	g := generate.Union
	trunk := g(0.14,
		generate.Ellipsoid(vec{0, 1.98, 0}, vec{0.27, 0.2, 0.17}),        // hips
		generate.Capsule(vec{0, 2.05, 0}, vec{0, 2.4, 0.02}, 0.17, 0.16), // waist
		generate.Ellipsoid(vec{0, 2.62, 0.02}, vec{0.27, 0.3, 0.185}),    // chest
		pair(generate.Sphere(vec{0.27, 2.8, 0}, 0.12)),                   // shoulders
	)
	head := g(0.05,
		generate.Capsule(vec{0, 2.85, 0}, vec{0, 3.12, 0.03}, 0.1, 0.095),
		generate.Ellipsoid(vec{0, 3.34, 0.05}, vec{0.185, 0.235, 0.215}),
		generate.Sphere(vec{0, 3.5, -0.14}, 0.115), // a bun
	)
	limb := func(radii []float64, joints ...vec) generate.Field {
		return generate.Tube(generate.Curve(36, joints...), generate.Taper(36, radii...))
	}
	arm := []float64{0.115, 0.105, 0.09, 0.085, 0.065, 0.06, 0.075, 0.045}
	leg := []float64{0.19, 0.175, 0.14, 0.125, 0.13, 0.09, 0.075}
	left := limb(arm, vec{0.28, 2.8, 0}, vec{0.62, 3.02, 0.06}, vec{0.72, 3.42, 0.12}, vec{0.4, 3.82, 0.14})
	right := limb(arm, vec{-0.28, 2.8, 0}, vec{-0.66, 2.68, 0.16}, vec{-1.02, 2.78, 0.36}, vec{-1.34, 2.98, 0.4})
	standing := g(0.05,
		limb(leg, vec{0.14, 1.92, 0}, vec{0.13, 1.1, 0.03}, vec{0.1, 0.2, -0.02}),
		generate.Capsule(vec{0.1, 0.12, -0.03}, vec{0.12, 0.07, 0.3}, 0.095, 0.06),
	)
	raised := g(0.05,
		limb(leg, vec{-0.14, 1.92, 0}, vec{-0.5, 1.62, 0.42}, vec{-0.62, 1.35, 0.44}, vec{-0.4, 1.02, 0.22}, vec{-0.14, 0.82, 0.2}),
		generate.Capsule(vec{-0.1, 0.8, 0.2}, vec{0.04, 0.58, 0.3}, 0.075, 0.05),
	)
	return g(0.07, trunk, head, left, right, standing, raised)
}
