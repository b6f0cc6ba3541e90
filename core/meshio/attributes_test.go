package meshio_test

import (
	"bytes"
	"encoding/binary"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"genussink/core/mesh"
	"genussink/core/meshio"

	"github.com/qmuntal/gltf"
)

// tent has five vertices, so that an odd number of 16 bit indices comes before
// the attributes, and one that no face uses is not among them: glTF would drop it.
func tent() (*mesh.Mesh, *meshio.Attributes) {
	m := &mesh.Mesh{
		Positions: [][3]float64{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0.5, 0.5, 1}},
		Faces:     [][3]int32{{0, 1, 4}, {1, 2, 4}, {2, 3, 4}},
	}
	return m, &meshio.Attributes{
		Colors: [][3]uint8{{0, 0, 0}, {255, 0, 0}, {0, 128, 0}, {0, 0, 255}, {255, 255, 255}},
		Values: []meshio.Attribute{
			{Name: "source", Size: 1, Values: []float64{0.5, 0.25, 0, 0.125, 0.125}},
			{Name: "cell", Size: 1, Values: []float64{1, 1, -1, 2, 2}},
			{Name: "displacement", Size: 3, Values: []float64{1, 0, 0, 0, 1, 0, 0, 0, 1, -1, 0, 0, 0.5, 0.25, 0}},
		},
	}
}

// A file with attributes is read back as the mesh, and holds them.
func TestAttributes(t *testing.T) {
	m, a := tent()
	for _, format := range []string{"ply", "glb"} {
		var file bytes.Buffer
		if err := meshio.WriteWith(&file, format, m, a); err != nil {
			t.Fatal(err)
		}
		back, err := meshio.Read("tent."+format, bytes.NewReader(file.Bytes()), meshio.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(back.Mesh.Faces, m.Faces) && format == "ply" || len(back.Mesh.Faces) != len(m.Faces) || len(back.Mesh.Positions) != len(m.Positions) {
			t.Errorf("%s: %d vertices, faces %v come back", format, len(back.Mesh.Positions), back.Mesh.Faces)
		}
		if len(back.Warnings) > 0 {
			t.Errorf("%s: our own file is odd: %q", format, back.Warnings)
		}
		if format == "ply" {
			checkPLY(t, file.Bytes(), a)
		} else {
			checkGLB(t, file.Bytes(), a)
		}
	}
}

func checkPLY(t *testing.T, file []byte, a *meshio.Attributes) {
	t.Helper()
	head, body, _ := bytes.Cut(file, []byte("end_header\n"))
	var names []string
	for _, line := range strings.Split(string(head), "\n") {
		if f := strings.Fields(line); len(f) == 3 && f[0] == "property" {
			names = append(names, f[2])
		}
	}
	want := []string{"x", "y", "z", "red", "green", "blue", "source", "cell", "displacement_x", "displacement_y", "displacement_z"}
	if !slices.Equal(names, want) {
		t.Fatalf("properties %v, want %v", names, want)
	}
	const row = 8*8 + 3
	for v := range a.Colors {
		r := body[v*row:]
		if [3]uint8(r[24:27]) != a.Colors[v] {
			t.Errorf("vertex %d: colour %v, want %v", v, r[24:27], a.Colors[v])
		}
		for k := range 5 {
			x := math.Float64frombits(binary.LittleEndian.Uint64(r[27+8*k:]))
			want := a.Values[min(k, 2)].Values[v]
			if k >= 2 {
				want = a.Values[2].Values[3*v+k-2]
			}
			if x != want {
				t.Errorf("vertex %d: property %d is %g, want %g", v, k, x, want)
			}
		}
	}
}

func checkGLB(t *testing.T, file []byte, a *meshio.Attributes) {
	t.Helper()
	doc := new(gltf.Document)
	if err := gltf.NewDecoder(bytes.NewReader(file)).Decode(doc); err != nil {
		t.Fatal(err)
	}
	read := func(name string) (numbers []float32) {
		at, ok := doc.Meshes[0].Primitives[0].Attributes[name]
		if !ok {
			t.Fatalf("no %s among %v", name, doc.Meshes[0].Primitives[0].Attributes)
		}
		view := doc.BufferViews[*doc.Accessors[at].BufferView]
		if view.ByteOffset%4 != 0 || view.ByteLength != 4*doc.Accessors[at].Count*doc.Accessors[at].Type.Components() {
			t.Fatalf("%s: %d bytes from %d on for %d vertices", name, view.ByteLength, view.ByteOffset, doc.Accessors[at].Count)
		}
		data := doc.Buffers[view.Buffer].Data[view.ByteOffset:][:view.ByteLength]
		for ; len(data) > 0; data = data[4:] {
			numbers = append(numbers, math.Float32frombits(binary.LittleEndian.Uint32(data)))
		}
		return numbers
	}
	for k, name := range []string{"_SOURCE", "_CELL"} {
		for v, x := range read(name) {
			if float64(x) != a.Values[k].Values[v] {
				t.Errorf("%s of vertex %d is %g", name, v, x)
			}
		}
	}
	for i, x := range read("_DISPLACEMENT") {
		if float64(x) != a.Values[2].Values[i] {
			t.Errorf("displacement: number %d is %g", i, x)
		}
	}
	colors := read("COLOR_0")
	if c := colors[7]; math.Abs(float64(c)-0.2158605) > 1e-6 { // sRGB 128 in linear light
		t.Errorf("green 128 is %g in linear light", c)
	}
	if colors[12] != 1 || colors[13] != 1 || colors[14] != 1 {
		t.Errorf("white is %v", colors[12:])
	}
}

// Attributes that do not fit, and formats without any, are refused.
func TestAttributesThatDoNotFit(t *testing.T) {
	m, _ := tent()
	for want, a := range map[string]*meshio.Attributes{
		"4 colours for 5 vertices":                {Colors: make([][3]uint8, 4)},
		"attribute x: 4 numbers for 5 vertices":   {Values: []meshio.Attribute{{Name: "x", Size: 1, Values: make([]float64, 4)}}},
		"attribute x: 2 numbers per vertex":       {Values: []meshio.Attribute{{Name: "x", Size: 2, Values: make([]float64, 10)}}},
		"attribute x: vertex 1 has NaN":           {Values: []meshio.Attribute{{Name: "x", Size: 1, Values: []float64{0, math.NaN(), 0, 0, 0}}}},
		"attribute x: vertex 0 has 1e+99, want a": {Values: []meshio.Attribute{{Name: "x", Size: 3, Values: slices.Concat([]float64{1e99}, make([]float64, 14))}}},
	} {
		if err := meshio.WriteWith(io.Discard, "ply", m, a); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	for _, format := range meshio.Formats() {
		err := meshio.WriteWith(io.Discard, format, m, &meshio.Attributes{})
		if holds := format == "ply" || format == "glb"; holds != (err == nil) {
			t.Errorf("%s: %v", format, err)
		}
	}
}
