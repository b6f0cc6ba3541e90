package meshio

import (
	"fmt"
	"math"
)

// Attributes is what a file says of every vertex besides its position.
type Attributes struct {
	Colors [][3]uint8 // sRGB, one per vertex; nil for none
	Values []Attribute
}

// Attribute is a number or a vector per vertex. A PLY file has a property of its
// name, or three with _x, _y and _z behind it; in glTF it is _NAME, in capitals.
type Attribute struct {
	Name   string    // small letters
	Size   int       // numbers per vertex: 1 or 3
	Values []float64 // finite; glTF keeps them in float32
}

// check makes sure that there is as much as the vertices need.
func (a *Attributes) check(vertices int) error {
	if a.Colors != nil && len(a.Colors) != vertices {
		return fmt.Errorf("%d colours for %d vertices", len(a.Colors), vertices)
	}
	for _, x := range a.Values {
		if x.Size != 1 && x.Size != 3 {
			return fmt.Errorf("attribute %s: %d numbers per vertex, want 1 or 3", x.Name, x.Size)
		}
		if len(x.Values) != vertices*x.Size {
			return fmt.Errorf("attribute %s: %d numbers for %d vertices", x.Name, len(x.Values), vertices)
		}
		for i, v := range x.Values {
			if math.IsNaN(v) || math.Abs(v) > math.MaxFloat32 {
				return fmt.Errorf("attribute %s: vertex %d has %g, want a finite number within float32", x.Name, i/x.Size, v)
			}
		}
	}
	return nil
}
