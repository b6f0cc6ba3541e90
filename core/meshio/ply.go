package meshio

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"genussink/core/mesh"
	"genussink/internal/decimal"
)

// plyType is a scalar type of PLY.
type plyType struct {
	size    int
	float   bool
	signed  bool
	present bool
}

func plyTypeOf(name string) plyType {
	switch name {
	case "char", "int8":
		return plyType{1, false, true, true}
	case "uchar", "uint8":
		return plyType{1, false, false, true}
	case "short", "int16":
		return plyType{2, false, true, true}
	case "ushort", "uint16":
		return plyType{2, false, false, true}
	case "int", "int32":
		return plyType{4, false, true, true}
	case "uint", "uint32":
		return plyType{4, false, false, true}
	case "float", "float32":
		return plyType{4, true, true, true}
	case "double", "float64":
		return plyType{8, true, true, true}
	}
	return plyType{}
}

// plyProperty is one column of an element: a scalar, or a list when it has a
// count type.
type plyProperty struct {
	name  string
	count plyType
	value plyType
}

type plyElement struct {
	name       string
	rows       int64
	properties []plyProperty
}

// readPLY reads a polygon file: x, y, z of element vertex and the list
// vertex_indices of the elements face and tristrips, in text or either binary
// order. Other elements and properties are passed over, wherever they stand.
func readPLY(b *builder, data []byte, _ Options) error {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	elements, src, err := readPLYHeader(b, data)
	if err != nil {
		return err
	}
	vertices := int64(0)
	for _, e := range elements {
		if e.name == "vertex" {
			vertices += e.rows
		}
	}
	for _, e := range elements {
		// A row of a text file takes two bytes for every value, the last one
		// of the file one; a row without properties holds nothing.
		least := 0
		for _, p := range e.properties {
			switch size := p.value.size; {
			case src.order == nil:
				least += 2
			case p.count.present:
				least += p.count.size
			default:
				least += size
			}
		}
		if least == 0 {
			continue
		}
		if room := int64(src.left()); e.rows > (room+1)/int64(least) {
			return fmt.Errorf("element %s: %d rows announced, %d bytes follow", e.name, e.rows, room)
		}
		switch e.name {
		case "vertex":
			err = src.vertices(b, e)
		case "face", "tristrips":
			err = src.polygons(b, e, vertices)
		default:
			err = src.skip(e)
		}
		if err != nil {
			return err
		}
	}
	if src.order != nil && src.left() > 0 {
		b.warn("%d bytes after the last element", src.left())
	}
	return nil
}

// readPLYHeader reads up to end_header and returns the source of the rows.
func readPLYHeader(b *builder, data []byte) ([]plyElement, *plySource, error) {
	// The first line tells how lines end: with a lone CR, a binary body may
	// begin with an LF that is data.
	s := scanner{data: data}
	if string(s.field()) != "ply" {
		return nil, nil, errors.New("line 1: the file does not begin with \"ply\"")
	}
	end := []byte("\n")
	if i := bytes.IndexAny(data, "\r\n"); i >= 0 && data[i] == '\r' && lineEnd(data, i) == 1 {
		end = []byte("\r")
	}
	var elements []plyElement
	src := &plySource{}
	format := ""
	rest := data
	for number := 1; ; number++ {
		line, after, ok := bytes.Cut(rest, end)
		if !ok {
			return nil, nil, fmt.Errorf("line %d: the header has no end_header", number)
		}
		rest = after
		fail := func(format string, args ...any) ([]plyElement, *plySource, error) {
			return nil, nil, fmt.Errorf("line %d: %w", number, fmt.Errorf(format, args...))
		}
		words := strings.Fields(string(line[:min(len(line), 1024)]))
		if len(words) == 0 {
			continue
		}
		switch words[0] {
		case "ply", "comment", "obj_info":
		case "format":
			if len(words) < 2 {
				return fail("format of nothing")
			}
			switch format = words[1]; format {
			case "ascii":
				b.detail = "text"
			case "binary_little_endian":
				src.order = binary.LittleEndian
				b.detail = "binary little-endian"
			case "binary_big_endian":
				src.order = binary.BigEndian
				b.detail = "binary big-endian"
			default:
				return fail("unknown format %s", quote([]byte(format)))
			}
		case "element":
			if len(words) != 3 {
				return fail("%s is not an element with a count", quote(line))
			}
			n, ok := decimal.Int([]byte(words[2]))
			if !ok || n < 0 {
				return fail("element count %s", quote([]byte(words[2])))
			}
			if words[1] == "vertex" {
				for _, e := range elements {
					if e.name == "vertex" {
						return fail("a second element vertex")
					}
				}
			}
			elements = append(elements, plyElement{name: words[1], rows: n})
		case "property":
			if len(elements) == 0 {
				return fail("a property before any element")
			}
			var p plyProperty
			switch {
			case len(words) == 3:
				p = plyProperty{name: words[2], value: plyTypeOf(words[1])}
			case len(words) == 5 && words[1] == "list":
				p = plyProperty{name: words[4], count: plyTypeOf(words[2]), value: plyTypeOf(words[3])}
				if !p.count.present || p.count.float {
					return fail("list count of type %s", quote([]byte(words[2])))
				}
			}
			if !p.value.present {
				return fail("%s is not a property", quote(line))
			}
			last := &elements[len(elements)-1]
			last.properties = append(last.properties, p)
		case "end_header":
			if format == "" {
				return fail("the header has no format")
			}
			src.scanner = scanner{data: data, pos: len(data) - len(rest), line: number}
			return elements, src, nil
		default:
			return fail("%s is not part of a header", quote(line))
		}
	}
}

// plySource yields the values of the body one after the other, from text when
// order is nil.
type plySource struct {
	scanner
	order binary.ByteOrder
}

// place puts the row before an error, and for text the line.
func (s *plySource) place(e plyElement, row int64, err error) error {
	if s.order == nil {
		return s.errorf("%s %d: %w", e.name, row, err)
	}
	return fmt.Errorf("%s %d: %w", e.name, row, err)
}

// number reads the next value.
func (s *plySource) number(t plyType) (float64, error) {
	if s.order == nil {
		f := s.token()
		if f == nil {
			return 0, errTruncated
		}
		x, ok := decimal.Float(f)
		if !ok {
			return 0, fmt.Errorf("%s is not a number", quote(f))
		}
		return x, nil
	}
	if s.left() < t.size {
		return 0, errTruncated
	}
	d := s.data[s.pos:]
	s.pos += t.size
	switch {
	case t.size == 8:
		return math.Float64frombits(s.order.Uint64(d)), nil
	case t.float:
		return float64(math.Float32frombits(s.order.Uint32(d))), nil
	case t.size == 4 && t.signed:
		return float64(int32(s.order.Uint32(d))), nil
	case t.size == 4:
		return float64(s.order.Uint32(d)), nil
	case t.size == 2 && t.signed:
		return float64(int16(s.order.Uint16(d))), nil
	case t.size == 2:
		return float64(s.order.Uint16(d)), nil
	case t.signed:
		return float64(int8(d[0])), nil
	}
	return float64(d[0]), nil
}

// whole reads the next value as a whole number that fits an int64.
func (s *plySource) whole(t plyType) (int64, error) {
	x, err := s.number(t)
	if err != nil {
		return 0, err
	}
	if x != math.Trunc(x) || math.Abs(x) > 1<<53 {
		return 0, fmt.Errorf("%g where a whole number is wanted", x)
	}
	return int64(x), nil
}

// length reads the count of a list and checks that the list can follow.
func (s *plySource) length(p plyProperty) (int, error) {
	n, err := s.whole(p.count)
	if err != nil {
		return 0, err
	}
	size := p.value.size
	if s.order == nil {
		size = 2
	}
	if n < 0 || n > int64(s.left()+1)/int64(size) {
		return 0, fmt.Errorf("list of %d values announced, %d bytes follow", n, s.left())
	}
	return int(n), nil
}

// skipProperty passes over one property of a row.
func (s *plySource) skipProperty(p plyProperty) error {
	n := 1
	if p.count.present {
		var err error
		if n, err = s.length(p); err != nil {
			return err
		}
	}
	if s.order != nil {
		if n *= p.value.size; n > s.left() {
			return errTruncated
		}
		s.pos += n
		return nil
	}
	for range n {
		if s.token() == nil { // what it says does not matter
			return errTruncated
		}
	}
	return nil
}

func (s *plySource) skip(e plyElement) error {
	for row := range e.rows {
		for _, p := range e.properties {
			if err := s.skipProperty(p); err != nil {
				return s.place(e, row, err)
			}
		}
	}
	return nil
}

func (s *plySource) vertices(b *builder, e plyElement) error {
	axis := make([]int, len(e.properties)) // 0, 1, 2 for x, y, z, else -1
	found := 0
	for i, p := range e.properties {
		axis[i] = -1
		if c := strings.Index("xyz", p.name); len(p.name) == 1 && c >= 0 && !p.count.present {
			axis[i] = c
			found |= 1 << c
		}
	}
	if found != 7 {
		return errors.New("element vertex lacks one of the properties x, y, z")
	}
	if err := b.budget.Check(vertexBytes*e.rows, "%d vertices", e.rows); err != nil {
		return err
	}
	b.positions = make([][3]float64, e.rows)
	for row := range e.rows {
		pos := &b.positions[row]
		for i, p := range e.properties {
			if axis[i] < 0 {
				if err := s.skipProperty(p); err != nil {
					return s.place(e, row, err)
				}
				continue
			}
			x, err := s.number(p.value)
			if err != nil {
				return s.place(e, row, err)
			}
			if x-x != 0 {
				return s.place(e, row, fmt.Errorf("coordinate %s = %g is not finite", p.name, x))
			}
			pos[axis[i]] = x
		}
	}
	return nil
}

// polygons reads the corner lists of faces, or of strips in which a negative
// index starts anew.
func (s *plySource) polygons(b *builder, e plyElement, vertices int64) error {
	list := -1
	for i, p := range e.properties {
		if p.count.present && (p.name == "vertex_indices" || p.name == "vertex_index") {
			list = i
		}
	}
	if list < 0 {
		return fmt.Errorf("element %s has no list vertex_indices", e.name)
	}
	strips := e.name == "tristrips"
	if err := b.room(int(e.rows)); err != nil && !strips {
		return err
	}
	if !strips && b.faces == nil {
		b.faces = make([][3]int32, 0, e.rows)
	}
	var corners []int32
	for row := range e.rows {
		for i, p := range e.properties {
			if i != list {
				if err := s.skipProperty(p); err != nil {
					return s.place(e, row, err)
				}
				continue
			}
			n, err := s.length(p)
			if err != nil {
				return s.place(e, row, err)
			}
			corners = corners[:0]
			for range n {
				v, err := s.whole(p.value)
				if err != nil {
					return s.place(e, row, err)
				}
				if strips && v < 0 {
					if err := b.strip(corners); err != nil {
						return s.place(e, row, err)
					}
					corners = corners[:0]
					continue
				}
				if v < 0 || v >= vertices {
					return s.place(e, row, fmt.Errorf("vertex index %d of %d vertices", v, vertices))
				}
				corners = append(corners, int32(v))
			}
			add := b.polygon
			if strips {
				add = b.strip
			}
			if err := add(corners); err != nil {
				return s.place(e, row, err)
			}
		}
	}
	return nil
}

func writePLY(w *bufio.Writer, m *mesh.Mesh, a *Attributes) error {
	if a == nil {
		a = &Attributes{}
	}
	_, _ = fmt.Fprintf(w, "ply\nformat binary_little_endian 1.0\n"+
		"element vertex %d\nproperty double x\nproperty double y\nproperty double z\n", len(m.Positions))
	if a.Colors != nil {
		_, _ = io.WriteString(w, "property uchar red\nproperty uchar green\nproperty uchar blue\n")
	}
	for _, x := range a.Values {
		if x.Size == 1 {
			_, _ = fmt.Fprintf(w, "property double %s\n", x.Name)
			continue
		}
		for _, c := range "xyz" {
			_, _ = fmt.Fprintf(w, "property double %s_%c\n", x.Name, c)
		}
	}
	_, _ = fmt.Fprintf(w, "element face %d\nproperty list uchar int vertex_indices\nend_header\n", len(m.Faces))
	var row []byte
	for v, p := range m.Positions {
		row = row[:0]
		for _, x := range p {
			row = binary.LittleEndian.AppendUint64(row, math.Float64bits(x))
		}
		if a.Colors != nil {
			row = append(row, a.Colors[v][:]...)
		}
		for _, x := range a.Values {
			for _, y := range x.Values[v*x.Size : (v+1)*x.Size] {
				row = binary.LittleEndian.AppendUint64(row, math.Float64bits(y))
			}
		}
		_, _ = w.Write(row)
	}
	for _, t := range m.Faces {
		row = append(row[:0], 3)
		for _, v := range t {
			row = binary.LittleEndian.AppendUint32(row, uint32(v))
		}
		_, _ = w.Write(row)
	}
	return w.Flush()
}
