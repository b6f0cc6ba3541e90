package camera

// Plane cuts a mesh in two: what is in front of it is not seen. The zero value has everything behind it.
type Plane struct {
	Normal [3]float64 // unit, away from the eye
	Offset float64    // of the plane along its normal, view units
}

// Behind is how far a point lies behind the plane, below 0 in front of it.
func (p Plane) Behind(q [3]float64) float64 {
	return p.Normal[0]*q[0] + p.Normal[1]*q[1] + p.Normal[2]*q[2] - p.Offset
}
