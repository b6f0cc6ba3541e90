package raster

// Piece is a straight piece of a line on one face of a surface.
type Piece struct {
	P, Q [3]float32
	Face int32
}

// Contours appends to dst the pieces along which a value per vertex, linear on
// every face, has one of some levels. A vertex at a level counts as above it.
func Contours(dst []Piece, points []float32, faces []int32, values, levels []float64) []Piece {
	for f := 0; f+2 < len(faces); f += 3 {
		t := faces[f : f+3 : f+3]
		x, y, z := values[t[0]], values[t[1]], values[t[2]]
		for _, level := range levels {
			if (x < level) == (y < level) && (x < level) == (z < level) {
				continue
			}
			var ends [2][3]float32
			at := 0
			for k := range 3 { // exactly two of the three edges are crossed
				v, w := t[k], t[(k+1)%3]
				v, w = min(v, w), max(v, w) // the same point from either face
				a, b := values[v], values[w]
				if (a < level) == (b < level) {
					continue
				}
				s := float32((level - a) / (b - a))
				for c := range int32(3) {
					p, q := points[3*v+c], points[3*w+c]
					ends[at][c] = p + (q-p)*s
				}
				at = 1
			}
			dst = append(dst, Piece{ends[0], ends[1], int32(f / 3)})
		}
	}
	return dst
}
