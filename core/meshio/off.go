package meshio

import (
	"bufio"
	"fmt"
	"strings"

	"genussink/core/mesh"
	"genussink/internal/decimal"
)

// readOFF reads Geomview's object file format, text or binary. The keyword is
// optional; its prefixes ST, C and N announce texture coordinates, colours and
// normals, which are passed over. Vertices may be laid out freely; what follows
// a face's corners on their line is its colour. The prefixes 4 and n, for
// other dimensions than three, are errors.
func readOFF(b *builder, data []byte, _ Options) error {
	b.detail = "text"
	s := scanner{data: decodeText(data)}
	first := s.token()
	if first == nil {
		return fmt.Errorf("no faces: the file has comments only")
	}
	extra := 0
	counts := make([]int64, 0, 3)
	if n, ok := decimal.Int(first); ok {
		counts = append(counts, n)
	} else {
		word := string(first)
		prefix, ok := strings.CutSuffix(word, "OFF")
		if !ok {
			return s.errorf("%s where OFF is wanted", quote(first))
		}
		if strings.ContainsAny(prefix, "4n") {
			return s.errorf("%s: vertices of other than three dimensions are not supported", quote(first))
		}
		for _, field := range []struct {
			name string
			size int
		}{{"ST", 2}, {"C", 4}, {"N", 3}} {
			if rest, ok := strings.CutPrefix(prefix, field.name); ok {
				prefix = rest
				extra += field.size
			}
		}
		if prefix != "" {
			return s.errorf("unknown keyword %s", quote(first))
		}
		if word != "OFF" {
			b.detail = "text, " + word
		}
		at := s
		if string(s.field()) == "BINARY" {
			if extra > 0 {
				return s.errorf("%s BINARY is not supported, OFF BINARY is", word)
			}
			s.nextLine()
			return readBinaryOFF(b, s.data[s.pos:])
		}
		s = at
	}
	for len(counts) < 2 {
		n, err := s.integer([]string{"vertex count", "face count"}[len(counts)])
		if err != nil {
			return err
		}
		counts = append(counts, n)
	}
	// The edge count means nothing, and some writers leave it out. It ends the
	// line of the face count, or stands on its own line.
	edges := s
	if s.field() == nil {
		s = edges
		if _, ok := decimal.Int(s.token()); !ok || s.field() != nil {
			s = edges
		}
	}
	nv, nf := counts[0], counts[1]
	// A vertex takes at least the six bytes of "0 0 0\n", a face two.
	if room := int64(s.left()); nv < 0 || nf < 0 || nv > (room+1)/6 || nf > (room+1)/2 {
		return s.errorf("%d vertices and %d faces announced, %d bytes follow", nv, nf, room)
	}
	if err := b.budget.Check(vertexBytes*nv+faceBytes*nf, "%d vertices and %d faces", nv, nf); err != nil {
		return err
	}
	b.positions = make([][3]float64, 0, nv)
	for range nv {
		var p [3]float64
		for c := range p {
			x, err := s.coordinate(c, s.token())
			if err != nil {
				return err
			}
			p[c] = x
		}
		b.positions = append(b.positions, p)
		if extra > 0 {
			// Colours have three or four parts, so a line that holds any of
			// them is taken to hold them all.
			if s.field() != nil {
				s.nextLine()
				continue
			}
			for range extra {
				if s.token() == nil {
					return s.errorf("vertex %d: %w", len(b.positions)-1, errTruncated)
				}
			}
		}
	}
	b.faces = make([][3]int32, 0, nf)
	var corners []int32
	for f := range nf {
		n, err := s.integer("corner count")
		if err != nil {
			return err
		}
		if n < 0 || n > int64(s.left()+1)/2 {
			return s.errorf("face %d: %d corners announced, %d bytes follow", f, n, s.left())
		}
		corners = corners[:0]
		for range n {
			v, err := s.integer("vertex index")
			if err != nil {
				return err
			}
			if v < 0 || v >= nv {
				return s.errorf("face %d: vertex index %d of %d vertices", f, v, nv)
			}
			corners = append(corners, int32(v))
		}
		if err := b.polygon(corners); err != nil {
			return s.errorf("%w", err)
		}
		s.nextLine()
	}
	return nil
}

func writeOFF(w *bufio.Writer, m *mesh.Mesh) error {
	_, _ = fmt.Fprintf(w, "OFF\n%d %d 0\n", len(m.Positions), len(m.Faces))
	var buf []byte
	for _, p := range m.Positions {
		buf = append(appendPoint(buf[:0], p), '\n')
		_, _ = w.Write(buf)
	}
	for _, t := range m.Faces {
		_, _ = fmt.Fprintf(w, "3 %d %d %d\n", t[0], t[1], t[2])
	}
	return w.Flush()
}
