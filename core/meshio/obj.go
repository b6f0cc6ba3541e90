package meshio

import (
	"bufio"
	"bytes"
	"fmt"
	"strconv"

	"genussink/core/mesh"
	"genussink/internal/decimal"
)

// readOBJ reads the polygons of a Wavefront OBJ file, UTF-8 or UTF-16: the v
// and f statements, negative (relative) indices and line continuations.
// Texture and normal indices, weights and vertex colours, groups, materials,
// lines and points are passed over.
func readOBJ(b *builder, data []byte, _ Options) error {
	b.detail = "text"
	s := scanner{data: decodeText(data)}
	if n := len(s.data) - len(bytes.TrimRight(s.data, "\x00")); n > 0 {
		return fmt.Errorf("the file ends in %d zero bytes: it was cut short, or not written to its end", n)
	}
	var corners []int32
	ahead, aheadLine := int64(0), 0 // the largest index beyond the vertices so far
	for ok := true; ok; ok = s.nextLine() {
		switch keyword := s.field(); string(keyword) {
		case "v":
			var p [3]float64
			for c := range p {
				x, err := s.coordinate(c, s.field())
				if err != nil {
					return err
				}
				p[c] = x
			}
			b.positions = append(b.positions, p)
			if err := b.room(0); err != nil {
				return s.errorf("%w", err)
			}
		case "f", "fo":
			corners = corners[:0]
			for f := s.field(); f != nil; f = s.field() {
				v, ok := decimal.Int(beforeSlash(f))
				n := int64(len(b.positions))
				switch {
				case !ok:
					return s.errorf("face corner %s has no vertex index", quote(f))
				case v == 0:
					return s.errorf("vertex index 0, indices start at 1")
				case v < 0:
					if v += n + 1; v < 1 {
						return s.errorf("vertex index %s with %d vertices so far", quote(f), n)
					}
				case v > limitMaxBytes:
					return s.errorf("vertex index %d is out of range", v)
				case v > n && v > ahead:
					ahead, aheadLine = v, s.line+1
				}
				corners = append(corners, int32(v-1))
			}
			if err := b.polygon(corners); err != nil {
				return s.errorf("%w", err)
			}
		default:
			if bytes.IndexByte(keyword, 0) >= 0 {
				return s.errorf("%s is not text: the file is damaged there", quote(keyword))
			}
		}
	}
	if ahead > int64(len(b.positions)) {
		s.line = aheadLine - 1
		return s.errorf("vertex index %d of %d vertices", ahead, len(b.positions))
	}
	return nil
}

func beforeSlash(f []byte) []byte {
	for i, c := range f {
		if c == '/' {
			return f[:i]
		}
	}
	return f
}

func writeOBJ(w *bufio.Writer, m *mesh.Mesh) error {
	var buf []byte
	for _, p := range m.Positions {
		buf = append(appendPoint(append(buf[:0], 'v', ' '), p), '\n')
		_, _ = w.Write(buf)
	}
	for _, t := range m.Faces {
		buf = append(buf[:0], 'f')
		for _, v := range t {
			buf = strconv.AppendInt(append(buf, ' '), int64(v)+1, 10)
		}
		_, _ = w.Write(append(buf, '\n'))
	}
	return w.Flush()
}

// appendPoint writes the shortest decimals that read back exactly.
func appendPoint(buf []byte, p [3]float64) []byte {
	for c, x := range p {
		if c > 0 {
			buf = append(buf, ' ')
		}
		buf = strconv.AppendFloat(buf, x, 'g', -1, 64)
	}
	return buf
}
