package meshio

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"genussink/core/mesh"
)

// fuzzDecoder feeds one decoder with what its writer makes of small meshes and
// with the given seeds. Whatever comes out must be a mesh that mesh.New takes
// and that does not change when it is written and read again; float32 formats
// may round it once.
func fuzzDecoder(f *testing.F, format string, seeds ...string) {
	for _, m := range []*mesh.Mesh{grid(1), grid(2)} {
		var buf bytes.Buffer
		if err := Write(&buf, format, m); err != nil {
			f.Fatal(err)
		}
		f.Add(buf.Bytes(), 0.0)
		f.Add(buf.Bytes(), 0.4)
	}
	for _, s := range seeds {
		f.Add([]byte(s), 0.0)
	}
	f.Fuzz(func(t *testing.T, data []byte, weld float64) {
		checkDecoder(t, format, data, Options{Weld: weld})
	})
}

// checkDecoder reads one file and holds the result against what must be true
// of every mesh.
func checkDecoder(t *testing.T, format string, data []byte, o Options) {
	res, err := Read("a."+format, bytes.NewReader(data), o)
	if err != nil {
		// The glTF decoder turns a panic into an error that says so.
		if res != nil || err.Error() == "" || strings.Contains(err.Error(), "the document is inconsistent") {
			t.Fatalf("result %v with error %q", res, err)
		}
		return
	}
	first := res.Mesh
	if _, err := mesh.New(first.Positions, first.Faces); err != nil || len(first.Faces) == 0 {
		t.Fatalf("%d faces, %v", len(first.Faces), err)
	}
	if !exact(format) {
		var buf bytes.Buffer
		if err := Write(&buf, format, first); err != nil {
			if strings.Contains(err.Error(), "beyond float32") {
				return
			}
			t.Fatal(err)
		}
		first = again(t, format, first).Mesh
		if len(first.Faces) != len(res.Mesh.Faces) || len(first.Positions) > len(res.Mesh.Positions) {
			t.Fatalf("V %d F %d came back as V %d F %d", len(res.Mesh.Positions), len(res.Mesh.Faces), len(first.Positions), len(first.Faces))
		}
	}
	if second := again(t, format, first).Mesh; !same(first, second) {
		t.Fatalf("%v came back as %v", first, second)
	}
}

func FuzzOBJ(f *testing.F) {
	fuzzDecoder(f, "obj",
		"v 0 0 0\nv 1 0 0 # c\nv 1e-1 .5 2. 1\nf 1/2/3 2//1 \\\n -1\n",
		"f 1 2 3 4 5\nv 0 0 0\nv 4 0 0\nv 1 1 0\nv 4 4 0\nv 0 4 0\nf -5 -4 -3 -2 -1\n",
		"\xff\xfev\x00 \x000\x00 \x000\x00 \x000\x00\n\x00f\x00 \x001\x00 \x001\x00 \x001\x00")
}

func FuzzOFF(f *testing.F) {
	fuzzDecoder(f, "off",
		"# a\nSTCNOFF 3 1\n0 0 0 1 2 3 4 5 6 7 8 9\n1 0 0 0\n0 1 0 0\n3 0 1 2 1 0 0\n",
		"4 1 6\n0 0 0\n4 0 0\n1 1 0\n0 4 0\n4 0 1 2 3",
		"OFF BINARY\n"+string(le([]int32{3, 1, 0}, make([]float32, 9), []int32{3, 0, 1, 2})),
		"OFF BINARY\n\x00\x00\x00\x01\x00\x00\x00\x01\x00\x00\x00\x00"+strings.Repeat("\x00", 12)+"\x00\x00\x00\x03"+strings.Repeat("\x00", 16))
}

func FuzzPLY(f *testing.F) {
	fuzzDecoder(f, "ply",
		plyHead("4", "1")+"0 0 0\n4 0 0\n1 1 0\n0 4 0\n4 0 1 2 3\n",
		"ply\r\nformat binary_big_endian 1.0\r\nelement vertex 1\r\nproperty list uchar short a\r\nproperty char x\r\nproperty double y\r\nproperty ushort z\r\n"+
			"element tristrips 1\r\nproperty list int int vertex_index\r\nend_header\r\n"+
			"\x01\x00\x00\x00"+strings.Repeat("\x00", 10)+"\x00\x00\x00\x04"+strings.Repeat("\x00", 12)+"\xff\xff\xff\xff")
}

func FuzzSTL(f *testing.F) {
	fuzzDecoder(f, "stl", "solid a\n"+facet("0 0 0", "1 0 0", "0 1 0")+"endsolid a\n",
		"solid"+strings.Repeat(" ", 75)+"\x01\x00\x00\x00"+strings.Repeat("\x00", 51))
}

// gltfSeeds are documents that reach the accessors' corners.
func gltfSeeds() []string {
	embedded := quadGLTF()
	external := embedded[:strings.Index(embedded, "data:")] + `b"}]}`
	return []string{
		external,
		strings.Replace(external, `"indices":1`, `"indices":1,"mode":5`, 1),
		strings.Replace(external, `5126,"count":4`, `5120,"normalized":true,"count":4`, 1), //nolint:misspell // the format's name
		quadGLTF(),
		quadGLTF(`"indices":1`, `"indices":1,"mode":5`),
		quadGLTF(`"indices":1`, `"mode":6`),
		quadGLTF(`"count":4,`, `"count":4,"sparse":{"count":1,"indices":{"bufferView":1,"byteOffset":2,"componentType":5123},"values":{"bufferView":0,"byteOffset":0}},`),
		quadGLTF(`5126,"count":4`, `5122,"normalized":true,"count":4`, `"byteLength":48}`, `"byteLength":48,"byteStride":8}`), //nolint:misspell // the format's name
		quadGLTF(`{"mesh":0}`, `{"translation":[1,0,0],"rotation":[0,0,0,1],"children":[1,2]},{"mesh":0,"scale":[-2,2,2]},{"mesh":0,"matrix":[0,1,0,0,-1,0,0,0,0,0,1,0,5,6,7,1]}`),
		quadGLTF(`"bufferView":0,`, ``),
		`{"asset":{"version":"2.0"},"nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],` +
			`"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],"bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"uri":"b","byteLength":36}]}`,
	}
}

// FuzzGLTF changes, besides the text, any two numbers of the document and the
// bytes of its external buffer, which leaves the JSON whole and reaches what
// reads it.
func FuzzGLTF(f *testing.F) {
	bin := le([]float32{0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}, []uint16{0, 1, 2, 0, 2, 3})
	for i, s := range gltfSeeds() {
		f.Add([]byte(s), bin, 0.0, uint8(i), int64(i), uint8(i+7), int64(-i))
	}
	f.Fuzz(func(t *testing.T, doc, bin []byte, weld float64, at uint8, value int64, at2 uint8, value2 int64) {
		doc = setNumber(setNumber(doc, int(at), value), int(at2), value2)
		checkDecoder(t, "gltf", doc, Options{Weld: weld, Files: fstest.MapFS{"b": {Data: bin}}})
	})
}

// setNumber replaces the n-th number of a text, counted around the end.
func setNumber(text []byte, n int, value int64) []byte {
	numbers := regexp.MustCompile(`-?[0-9]+`).FindAllIndex(text, -1)
	if len(numbers) == 0 {
		return text
	}
	at := numbers[n%len(numbers)]
	return slices.Concat(text[:at[0]], strconv.AppendInt(nil, value, 10), text[at[1]:])
}

func FuzzGLB(f *testing.F) {
	var seeds []string
	for _, s := range gltfSeeds() {
		seeds = append(seeds, string(container(2, 0, uint32(chunkJSON), []byte(s))))
	}
	seeds = append(seeds, string(container(2, 0, uint32(chunkJSON),
		[]byte(`{"asset":{"version":"2.0"},"nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0},"mode":5}]}],`+
			`"accessors":[{"bufferView":0,"componentType":5121,"count":4,"type":"VEC3"}],"bufferViews":[{"buffer":0,"byteLength":12}],"buffers":[{"byteLength":12}]}`),
		uint32(chunkBIN), []byte{0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0})))
	fuzzDecoder(f, "glb", seeds...)
}
