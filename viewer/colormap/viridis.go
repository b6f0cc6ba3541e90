package colormap

import "math"

// Viridis is the scalar field's colour at t in [0, 1]: matplotlib's viridis
// (Smith and van der Walt, 2015, in the public domain) by ten of its colours,
// even in lightness and legible with any colour vision. What is not a number
// is grey.
func Viridis(t float64) RGB {
	stops := [...]uint32{0x440154, 0x482878, 0x3E4989, 0x31688E, 0x26828E, 0x1F9E89, 0x35B779, 0x6ECE58, 0xB5DE2B, 0xFDE725}
	if math.IsNaN(t) {
		return Hex(0x808080)
	}
	x := min(max(t, 0), 1) * float64(len(stops)-1)
	i := min(int(x), len(stops)-2)
	a, b := Hex(stops[i]), Hex(stops[i+1])
	for k := range a {
		a[k] += (b[k] - a[k]) * float32(x-float64(i))
	}
	return a
}
