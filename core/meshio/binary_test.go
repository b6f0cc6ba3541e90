package meshio

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	"genussink/core/mesh/generate"
)

// TestPLYTypes writes x, the list count, the indices and a property to pass
// over in every type that can hold them, in both byte orders.
func TestPLYTypes(t *testing.T) {
	cast := map[string]func(int) any{
		"char": func(i int) any { return int8(i) }, "int8": func(i int) any { return int8(i) },
		"uchar": func(i int) any { return uint8(i) }, "uint8": func(i int) any { return uint8(i) },
		"short": func(i int) any { return int16(i) }, "int16": func(i int) any { return int16(i) },
		"ushort": func(i int) any { return uint16(i) }, "uint16": func(i int) any { return uint16(i) },
		"int": func(i int) any { return int32(i) }, "int32": func(i int) any { return int32(i) },
		"uint": func(i int) any { return uint32(i) }, "uint32": func(i int) any { return uint32(i) },
		"float": func(i int) any { return float32(i) }, "float32": func(i int) any { return float32(i) },
		"double": func(i int) any { return float64(i) }, "float64": func(i int) any { return float64(i) },
	}
	for name, as := range cast {
		for format, order := range map[string]binary.ByteOrder{"binary_little_endian": binary.LittleEndian, "binary_big_endian": binary.BigEndian} {
			isFloat := strings.HasPrefix(name, "f") || strings.HasPrefix(name, "d")
			count := name
			if isFloat {
				count = "uchar"
			}
			var buf bytes.Buffer
			put := func(values ...any) {
				for _, v := range values {
					if err := binary.Write(&buf, order, v); err != nil {
						t.Fatal(err)
					}
				}
			}
			buf.WriteString("ply\nformat " + format + " 1.0\nelement vertex 3\nproperty " + name + " skipped\nproperty " + name +
				" x\nproperty float y\nproperty double z\nelement other 1\nproperty list " + count + " " + name +
				" a\nelement face 1\nproperty list " + count + " " + name + " vertex_indices\nend_header\n")
			for v := range 3 {
				put(as(9), as(100+v), float32(v), float64(v)/3)
			}
			put(cast[count](2), as(7), as(7), cast[count](3), as(0), as(1), as(2))
			res, err := Read("a.ply", &buf, Options{})
			if err != nil {
				t.Errorf("%s %s: %v", format, name, err)
				continue
			}
			m := res.Mesh
			if len(m.Positions) != 3 || len(m.Faces) != 1 || m.Faces[0] != [3]int32{0, 1, 2} {
				t.Fatalf("%s %s: %v", format, name, m)
			}
			for v, p := range m.Positions {
				if p != [3]float64{float64(100 + v), float64(v), float64(v) / 3} {
					t.Errorf("%s %s: vertex %d at %v", format, name, v, p)
				}
			}
		}
	}
	// Negative values keep their sign.
	data := "ply\nformat binary_big_endian 1.0\nelement vertex 1\nproperty char x\nproperty short y\nproperty int z\n" +
		"element face 1\nproperty list uchar uchar vertex_indices\nend_header\n\xff\xff\xfe\xff\xff\xff\xfd\x03\x00\x00\x00"
	res, err := Read("a.ply", strings.NewReader(data), Options{})
	if err != nil || res.Mesh.Positions[0] != [3]float64{-1, -2, -3} {
		t.Errorf("negative coordinates: %v, %v", res, err)
	}
}

// TestBinaryOFF reads both orders, with and without the colour count, and cut
// short at every byte.
func TestBinaryOFF(t *testing.T) {
	for _, order := range []binary.ByteOrder{binary.BigEndian, binary.LittleEndian} {
		for _, colours := range []bool{false, true} {
			var buf bytes.Buffer
			put := func(values ...any) {
				for _, v := range values {
					if err := binary.Write(&buf, order, v); err != nil {
						t.Fatal(err)
					}
				}
			}
			buf.WriteString("OFF BINARY\n")
			put([]int32{4, 2, 0}, []float32{0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0})
			put([]int32{3, 0, 1, 2})
			if colours {
				put(int32(4), []float32{1, 1, 1, 1})
			}
			put([]int32{4, 0, 1, 2, 3})
			if colours {
				put(int32(0))
			}
			res, err := Read("a.off", bytes.NewReader(buf.Bytes()), Options{})
			if err != nil || len(res.Mesh.Positions) != 4 || len(res.Mesh.Faces) != 3 || res.Detail != "binary "+orderName(order) {
				t.Fatalf("%v, colours %v: %v, %v", order, colours, res, err)
			}
			for n := range buf.Len() {
				if res, err := Read("a.off", bytes.NewReader(buf.Bytes()[:n]), Options{}); err == nil {
					t.Errorf("%v, colours %v, %d of %d bytes read as %v", order, colours, n, buf.Len(), res.Mesh)
				}
			}
		}
	}
}

// A file whose end was not written, and is zeros, says so in every format: text by an error, binary by a warning at least.
func TestZeroTails(t *testing.T) {
	m, err := generate.Make("sphere", map[string]float64{"frequency": 4})
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range Formats() {
		var file bytes.Buffer
		if err := Write(&file, format, m); err != nil {
			t.Fatal(err)
		}
		whole := file.Bytes()
		for _, zeros := range []int{zeroTail, len(whole) / 2, len(whole) - 200} {
			data := bytes.Clone(whole)
			clear(data[len(data)-zeros:])
			res, err := Read("a."+format, bytes.NewReader(data), Options{})
			binary := format == "glb" || format == "ply" || format == "stl"
			switch {
			case err == nil && (!binary || !strings.Contains(strings.Join(res.Warnings, " "), "zero bytes")):
				t.Errorf("%s, %d zeros: %d vertices, warnings %q", format, zeros, len(res.Mesh.Positions), res.Warnings)
			case err != nil && !binary && !strings.Contains(err.Error(), "zero bytes") && !strings.Contains(err.Error(), `\x00`):
				t.Errorf("%s, %d zeros: %v", format, zeros, err)
			}
		}
	}
}
