package meshio

import (
	"errors"
	"fmt"
	"math"

	"genussink/core/internal/budget"
	"genussink/core/internal/polygon"
	"genussink/core/mesh"
)

// builder gathers what a decoder finds. Its corners are indices into positions
// that the decoder has checked, or checks before it returns.
type builder struct {
	name      string // of the file, without its folder
	format    string
	detail    string
	positions [][3]float64
	faces     [][3]int32
	warnings  []string
	small     int // polygons of one or two corners, left out
	budget    budget.Budget
	limit     int64 // Options.MaxMemory
	size      int   // of the file and what was read beside it, in bytes
	splitter  polygon.Splitter
}

func (b *builder) warn(format string, args ...any) {
	b.warnings = append(b.warnings, fmt.Sprintf(format, args...))
}

// grow tells the budget that there are so many bytes more to read.
func (b *builder) grow(bytes int) {
	b.size += bytes
	b.budget = budget.Of(b.limit, b.size)
}

// room is an error where the mesh, with that many faces more, takes more memory than it may.
func (b *builder) room(faces int) error {
	v, f := len(b.positions), len(b.faces)+faces
	return b.budget.Check(vertexBytes*int64(v)+faceBytes*int64(f), "%d vertices and %d faces", v, f)
}

// polygon adds a polygon as corners-2 triangles, none when it has fewer than
// three corners.
func (b *builder) polygon(corners []int32) error {
	if err := b.room(len(corners)); err != nil {
		return err
	}
	switch len(corners) {
	case 0, 1, 2:
		b.small++
	case 3:
		b.faces = append(b.faces, [3]int32(corners))
	default:
		b.faces = b.splitter.Split(b.faces, b.positions, corners)
	}
	return nil
}

// strip adds a triangle strip, whose every second triangle is turned over.
func (b *builder) strip(corners []int32) error {
	if err := b.room(len(corners)); err != nil {
		return err
	}
	for i := 0; i+2 < len(corners); i++ {
		odd := i & 1
		b.faces = append(b.faces, [3]int32{corners[i], corners[i+1+odd], corners[i+2-odd]})
	}
	return nil
}

// result wraps up, with the checks that are the same for all formats.
func (b *builder) result() (*Result, error) {
	if b.small > 0 {
		polygons := "polygons"
		if b.small == 1 {
			polygons = "polygon"
		}
		b.warn("%d %s of fewer than three corners left out", b.small, polygons)
	}
	if b.splitter.Spent() {
		b.warn("concave polygons too large or too many: the last ones split as if convex")
	}
	if len(b.faces) == 0 {
		return nil, fmt.Errorf("no faces: the file has %d vertices and no triangle", len(b.positions))
	}
	m, err := mesh.New(b.positions, b.faces)
	if err != nil {
		return nil, err
	}
	return &Result{Mesh: m, Format: b.format, Detail: b.detail, Warnings: b.warnings}, nil
}

func finite(p [3]float64) bool {
	// x-x is NaN for infinities and NaN.
	return p[0]-p[0]+(p[1]-p[1])+(p[2]-p[2]) == 0
}

// single converts to float32, the coordinates of STL and glTF.
func single(v int, p [3]float64) (q [3]float32, err error) {
	for c, x := range p {
		q[c] = float32(x)
		if math.IsInf(float64(q[c]), 0) {
			return q, fmt.Errorf("vertex %d: coordinate %c = %g is beyond float32", v, "xyz"[c], x)
		}
	}
	return q, nil
}

var errTruncated = errors.New("the file ends too early")
