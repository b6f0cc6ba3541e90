package meshio

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"genussink/core/internal/polygon"
	"genussink/core/internal/weld"
	"genussink/core/mesh"
)

const (
	stlHeader = 84 // 80 bytes of anything and the triangle count
	stlFacet  = 50
)

// binarySTLSize is the size that the count of a binary file announces.
func binarySTLSize(data []byte) int {
	return stlHeader + stlFacet*int(binary.LittleEndian.Uint32(data[80:]))
}

// binarySTLSized tells whether the file has just the size of its count.
func binarySTLSized(data []byte) bool {
	return len(data) >= stlHeader && binarySTLSize(data) == len(data)
}

// readSTL reads text or binary STL and welds it. Binary files may begin with
// "solid" too, so a file is text only when its size does not fit its count and
// its beginning holds no zero byte.
func readSTL(b *builder, data []byte, o Options) error {
	unmarked := bytes.TrimPrefix(data, []byte("\ufeff"))
	head := unmarked[:min(len(unmarked), 1024)]
	word := firstWord(head)
	text := (word == "solid" || word == "facet") && bytes.IndexByte(head, 0) < 0
	if text && !binarySTLSized(data) {
		b.detail = "text"
		if err := textSTL(b, unmarked); err != nil {
			return err
		}
	} else {
		b.detail = "binary"
		if err := binarySTL(b, data); err != nil {
			return err
		}
	}
	b.positions = weld.Join(b.positions, b.faces, o.Weld)
	return nil
}

func binarySTL(b *builder, data []byte) error {
	if len(data) < stlHeader {
		return fmt.Errorf("the file is neither text nor binary: its %d bytes are fewer than a binary header's %d", len(data), stlHeader)
	}
	size := binarySTLSize(data)
	if size > len(data) {
		return fmt.Errorf("byte 80: %d triangles announced, room for %d in the file's %d bytes",
			(size-stlHeader)/stlFacet, (len(data)-stlHeader)/stlFacet, len(data))
	}
	if size < len(data) {
		b.warn("%d bytes after the last triangle", len(data)-size)
	}
	n := (size - stlHeader) / stlFacet
	if err := b.room(n); err != nil {
		return err
	}
	b.positions = make([][3]float64, 0, 3*n)
	for f := range n {
		facet := data[stlHeader+stlFacet*f:]
		for c := range 3 {
			var p [3]float64
			for i := range p {
				p[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(facet[12+12*c+4*i:])))
			}
			if !finite(p) {
				return fmt.Errorf("triangle %d: corner %d at %g is not finite", f, c, p)
			}
			b.positions = append(b.positions, p)
		}
	}
	b.corners()
	return nil
}

// corners makes every three positions a face.
func (b *builder) corners() {
	b.faces = make([][3]int32, len(b.positions)/3)
	for f := range b.faces {
		v := int32(3 * f)
		b.faces[f] = [3]int32{v, v + 1, v + 2}
	}
}

func textSTL(b *builder, data []byte) error {
	s := scanner{data: data}
	corners := 0 // of the facet so far
	for f := s.token(); f != nil; f = s.token() {
		switch strings.ToLower(string(f[:min(len(f), 16)])) {
		case "solid", "endsolid":
			s.nextLine() // a name may say anything
		case "normal":
			for range 3 {
				s.token()
			}
		case "outer", "loop":
		case "facet", "endfacet":
			if corners != 0 {
				return s.errorf("%s before endloop", quote(f))
			}
		case "vertex":
			var p [3]float64
			for c := range p {
				x, err := s.coordinate(c, s.token())
				if err != nil {
					return err
				}
				p[c] = x
			}
			b.positions = append(b.positions, p)
			corners++
		case "endloop":
			if corners != 3 {
				return s.errorf("a facet of %d vertices, want 3", corners)
			}
			corners = 0
		default:
			return s.errorf("%s is not part of an STL file", quote(f))
		}
	}
	if corners != 0 {
		return s.errorf("in a facet: %w", errTruncated)
	}
	b.corners()
	return nil
}

func writeSTL(w *bufio.Writer, m *mesh.Mesh) error {
	if uint64(len(m.Faces)) > math.MaxUint32 {
		return fmt.Errorf("%d triangles, at most %d", len(m.Faces), uint32(math.MaxUint32))
	}
	var head [stlHeader]byte
	copy(head[:], "binary STL by GenusSink")
	binary.LittleEndian.PutUint32(head[80:], uint32(len(m.Faces)))
	_, _ = w.Write(head[:])
	var row [stlFacet]byte
	for _, t := range m.Faces {
		for i, x := range normal(m.Positions, t) {
			binary.LittleEndian.PutUint32(row[4*i:], math.Float32bits(float32(x)))
		}
		for c, v := range t {
			q, err := single(int(v), m.Positions[v])
			if err != nil {
				return err
			}
			for i, x := range q {
				binary.LittleEndian.PutUint32(row[12+12*c+4*i:], math.Float32bits(x))
			}
		}
		_, _ = w.Write(row[:])
	}
	return w.Flush()
}

// normal is the unit normal of a triangle, zero when it has no area.
func normal(positions [][3]float64, t [3]int32) [3]float64 {
	n := polygon.Normal(positions, t)
	length := mesh.Distance(n, [3]float64{})
	if !(length > 0) || math.IsInf(length, 0) {
		return [3]float64{}
	}
	for i := range n {
		n[i] /= length
	}
	return n
}
