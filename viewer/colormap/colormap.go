// Package colormap holds the page's colours: the hues of a separation, of the
// densities and of mass on the move, a perceptual table for scalar fields, and
// the conversions between sRGB, linear light and OKLab that mixing needs.
package colormap

import "math"

// RGB is an sRGB colour, gamma encoded, each channel in [0, 1].
type RGB [3]float32

// Hex returns the colour 0xRRGGBB.
func Hex(c uint32) RGB {
	return RGB{float32(c>>16&255) / 255, float32(c>>8&255) / 255, float32(c&255) / 255}
}

// The colours that carry a meaning. Blue and orange are of Okabe and Ito's
// palette, which people with any colour vision tell apart.
func left() RGB  { return Hex(0x0072B2) }
func right() RGB { return Hex(0xE69F00) }

// Theme is the ground that the picture stands on.
type Theme uint8

// The two themes.
const (
	Dark Theme = iota
	Light
)

// Linear returns the channels in linear light.
func (c RGB) Linear() [3]float64 {
	var l [3]float64
	for i, x := range c {
		l[i] = toLinear(float64(x))
	}
	return l
}

// FromLinear encodes linear light, clipped to the gamut.
func FromLinear(l [3]float64) RGB {
	var c RGB
	for i, x := range l {
		c[i] = float32(toEncoded(min(max(x, 0), 1)))
	}
	return c
}

// Encoder is FromLinear by table, for whole meshes at once: within 1/1000 of
// it. The table is over the root of linear light, where encoding is almost a
// straight line.
type Encoder [1025]float32

// NewEncoder makes the table.
func NewEncoder() *Encoder {
	e := new(Encoder)
	for i := range e {
		root := float64(i) / float64(len(e)-1)
		e[i] = float32(toEncoded(root * root))
	}
	return e
}

// RGB encodes linear light, clipped to the gamut; what is not a number is 0.
func (e *Encoder) RGB(l [3]float32) RGB {
	var c RGB
	for k, x := range l {
		switch {
		case x >= 1:
			c[k] = 1
		case x > 0:
			c[k] = e[int(math.Sqrt(float64(x))*float64(len(e)-1)+0.5)]
		}
	}
	return c
}

func toLinear(x float64) float64 {
	if x <= 0.04045 {
		return x / 12.92
	}
	return math.Pow((x+0.055)/1.055, 2.4)
}

func toEncoded(x float64) float64 {
	if x <= 0.0031308 {
		return x * 12.92
	}
	return 1.055*math.Pow(x, 1/2.4) - 0.055
}

// LCh is a colour in OKLab's polar form: lightness in [0, 1], chroma, and hue
// in radians. Equal steps of lightness look equal whatever the hue.
type LCh struct{ L, C, H float64 }

// LCh converts to OKLab's polar form.
func (c RGB) LCh() LCh {
	lin := c.Linear()
	l := math.Cbrt(0.4122214708*lin[0] + 0.5363325363*lin[1] + 0.0514459929*lin[2])
	m := math.Cbrt(0.2119034982*lin[0] + 0.6806995451*lin[1] + 0.1073969566*lin[2])
	s := math.Cbrt(0.0883024619*lin[0] + 0.2817188376*lin[1] + 0.6299787005*lin[2])
	a := 1.9779984951*l - 2.4285922050*m + 0.4505937099*s
	b := 0.0259040371*l + 0.7827717662*m - 0.8086757660*s
	return LCh{0.2104542553*l + 0.7936177850*m - 0.0040720468*s, math.Hypot(a, b), math.Atan2(b, a)}
}

// RGB converts from OKLab's polar form, clipped to the gamut.
func (c LCh) RGB() RGB {
	a, b := c.C*math.Cos(c.H), c.C*math.Sin(c.H)
	l := c.L + 0.3963377774*a + 0.2158037573*b
	m := c.L - 0.1055613458*a - 0.0638541728*b
	s := c.L - 0.0894841775*a - 1.2914855480*b
	l, m, s = l*l*l, m*m*m, s*s*s
	return FromLinear([3]float64{
		4.0767416621*l - 3.3077115913*m + 0.2309699292*s,
		-1.2684380046*l + 2.6097574011*m - 0.3413193965*s,
		-0.0041960863*l - 0.7034186147*m + 1.7076147010*s,
	})
}

// Mix blends t of b into a in linear light.
func Mix(a, b RGB, t float64) RGB {
	if t <= 0 {
		return a
	}
	if t >= 1 {
		return b
	}
	x, y := a.Linear(), b.Linear()
	for i := range x {
		x[i] += (y[i] - x[i]) * t
	}
	return FromLinear(x)
}

// Left and Right are the sides A and B of the root's separation.
func Left() LCh { return left().LCh() }

// Right is the side B of the root's separation.
func Right() LCh { return right().LCh() }

// Split makes the colours of a cell's two sides at the tree's given depth (1
// for the children of the root's sides) from the cell's own: lighter and
// darker within its hue, by half as much at each level, so that the sum of
// all levels stays within the hue's range.
func Split(cell LCh, depth int) (a, b LCh) {
	step := 0.105 * math.Pow(0.62, float64(max(depth, 1)-1))
	a, b = cell, cell
	a.L = max(cell.L-step, 0.24)
	b.L = min(cell.L+step, 0.92)
	a.H -= step * 0.8
	b.H += step * 0.8
	// Chroma shrinks towards black and white, where the gamut does.
	for _, c := range []*LCh{&a, &b} {
		c.C = cell.C * (1 - 1.1*max(0, math.Abs(c.L-cell.L)-0.02))
	}
	return a, b
}

// Source is the source density's colour.
func Source() RGB { return Hex(0x2FCB86) }

// Target is the target density's colour.
func Target() RGB { return Hex(0xC56FF0) }

// Moving is the colour of mass on the move.
func Moving() RGB { return Hex(0xFFC22E) }

// Separator is the colour of separator vertices: bright on dark, dark on light.
func Separator(t Theme) RGB {
	if t == Light {
		return Hex(0x14171C)
	}
	return Hex(0xFAFBFF)
}

// Seam is the surface under a separator's dots: a groove that they stand out
// from.
func Seam(t Theme) RGB {
	if t == Light {
		return Hex(0xB9C0CA)
	}
	return Hex(0x4A5563)
}

// Halo surrounds a separator's dots so that they stand out from either side.
func Halo(t Theme) RGB {
	if t == Light {
		return Hex(0xFFFFFF)
	}
	return Hex(0x10131A)
}

// Clay is the colour of a mesh with nothing on it, a warm grey.
func Clay(t Theme) RGB {
	if t == Light {
		return Hex(0xD0CBC4)
	}
	return Hex(0xB4ADA4)
}

// Ground returns the background's colours, top and bottom of a faint gradient.
func Ground(t Theme) (top, bottom RGB) {
	if t == Light {
		return Hex(0xF7F8FA), Hex(0xE3E6EB)
	}
	return Hex(0x23272E), Hex(0x14161A)
}

// Defect is the colour of a kind of defect, of seven: hues of Okabe and Ito's and between them, none of them a density's.
func Defect(kind int) RGB {
	return Hex([...]uint32{0x56B4E9, 0xE3342F, 0xFF7A1A, 0xF0E442, 0xE754A6, 0x8FA3B0, 0x00B894}[kind])
}

// Components is how many components that a bag leaves have colours of their own.
const Components = 5

// Component is the colour of the nth largest component, from 0, that a bag leaves: quiet hues, none of them a split's, of different lightness.
// The smallest share the last.
func Component(n int) RGB {
	return [Components + 1]LCh{{0.80, 0.08, 3.3}, {0.60, 0.09, 5.9}, {0.91, 0.09, 1.7}, {0.49, 0.06, 2.6}, {0.70, 0.08, 5.1}, {0.38, 0.01, 4.4}}[min(n, Components)].RGB()
}

// Path is the colour of the nth of several paths, from 0. There are six, which come again.
func Path(n int) RGB {
	return Hex([...]uint32{0x56B4E9, 0xE3342F, 0x009E73, 0xF0E442, 0xCC79A7, 0xFF7A1A}[n%6])
}

// Between is the colour of a barycentre: of a density that lies between others.
func Between() RGB { return Hex(0xF2622E) }

// solid is the least amount that hides the surface completely.
const solid = 0.06

// Amount is the colour of an amount between 0, none, and 1, the most. Its opacity says how much it hides the surface, 0 to 1. All colours
// have the peak's hue. More is brighter on dark and deeper on light. Lightness follows the amount to the power 3/4: thin parts can be seen.
func Amount(peak RGB, on Theme, amount float64) (color RGB, opacity float64) {
	amount = min(max(amount, 0), 1)
	few, most := peak.LCh(), peak.LCh()
	few.L, few.C = 0.42, 0.09
	if on == Light {
		few.L, few.C = 0.91, 0.09
		most.L, most.C = 0.72*most.L, 0.8*most.C
	}
	t := math.Pow(amount, 0.75)
	few.L += (most.L - few.L) * t
	few.C += (most.C - few.C) * t
	return few.RGB(), min(amount/solid, 1)
}

// Accent is the one colour of what a person points at: rings, picked points.
func Accent() RGB { return Hex(0x56B4E9) }

// Wire is the colour of a wireframe.
func Wire(t Theme) RGB {
	if t == Light {
		return Hex(0x2A2F37)
	}
	return Hex(0x0B0D10)
}
