package meshio

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io/fs"
	"math"
	"strings"
	"testing"
	"testing/fstest"

	"genussink/core/internal/polygon"
)

// le packs values little-endian.
func le(values ...any) []byte {
	var buf bytes.Buffer
	for _, v := range values {
		if err := binary.Write(&buf, binary.LittleEndian, v); err != nil {
			panic("meshio: test data: " + err.Error())
		}
	}
	return buf.Bytes()
}

// container packs chunks into a GLB file.
func container(version, extra uint32, chunks ...any) []byte {
	var body []byte
	for i := 0; i < len(chunks); i += 2 {
		data := chunks[i+1].([]byte)
		body = append(append(body, le(uint32(len(data)), chunks[i].(uint32))...), data...)
	}
	return append(append([]byte("glTF"), le(version, uint32(12+len(body))+extra)...), body...)
}

// quadGLTF is a document of four vertices of a unit square, as float32 at 0,
// and indices 0 1 2 0 2 3 as uint16 at 48, with pieces to replace.
func quadGLTF(replace ...string) string {
	data := le([]float32{0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}, []uint16{0, 1, 2, 0, 2, 3})
	doc := `{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],` +
		`"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],` +
		`"accessors":[{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"},{"bufferView":1,"componentType":5123,"count":6,"type":"SCALAR"}],` +
		`"bufferViews":[{"buffer":0,"byteLength":48},{"buffer":0,"byteOffset":48,"byteLength":12}],` +
		`"buffers":[{"byteLength":60,"uri":"data:application/octet-stream;base64,` + base64.StdEncoding.EncodeToString(data) + `"}]}`
	return strings.NewReplacer(replace...).Replace(doc)
}

// TestGLTF changes one piece of a good document at a time.
func TestGLTF(t *testing.T) {
	files := fstest.MapFS{
		"a b.bin": {Data: le([]float32{0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}, []uint16{0, 1, 2, 0, 2, 3})},
		"short":   {Data: make([]byte, 59)},
		"dir/x":   {Data: make([]byte, 60)},
	}
	// external refers to a file instead of the embedded data.
	external := func(uri string) []string {
		embedded := quadGLTF()
		i := strings.Index(embedded, "data:")
		return []string{strings.TrimSuffix(embedded[i:], `"}]}`), uri}
	}
	cases := []struct {
		what    string
		replace []string
		files   fs.FS
		v, f    int
		err     string
	}{
		{"good", nil, nil, 4, 2, ""},
		{"no default scene", []string{`"scene":0,`, ``}, nil, 4, 2, ""},
		{"no scene", []string{`"scene":0,"scenes":[{"nodes":[0]}],`, ``}, nil, 4, 2, ""},
		{"scene beyond", []string{`"scene":0`, `"scene":1`}, nil, 0, 0, "scene 1 of 1"},
		{"scene negative", []string{`"scene":0`, `"scene":-1`}, nil, 0, 0, "scene -1 of 1"},
		{"scene null", []string{`[{"nodes":[0]}]`, `[null]`}, nil, 0, 0, "scene 0 is null"},
		{"node beyond", []string{`"nodes":[0]`, `"nodes":[1]`}, nil, 0, 0, "node 1 of 1"},
		{"node negative", []string{`"nodes":[0]`, `"nodes":[-1]`}, nil, 0, 0, "node -1 of 1"},
		{"node null", []string{`[{"mesh":0}]`, `[null]`}, nil, 0, 0, "node 0 is null"},
		{"node twice", []string{`"nodes":[0]`, `"nodes":[0,0]`}, nil, 0, 0, "node 0 occurs twice"},
		{"own child", []string{`{"mesh":0}`, `{"mesh":0,"children":[0]}`}, nil, 0, 0, "node 0 is its own ancestor"},
		{"loop", []string{`{"mesh":0}`, `{"children":[1]},{"mesh":0,"children":[2]},{"children":[0]}`}, nil, 0, 0, "is its own ancestor"},
		{"loop apart", []string{`{"mesh":0}`, `{"mesh":0},{"children":[2]},{"children":[1]}`}, nil, 0, 0, "is its own ancestor"},
		{"two parents", []string{`{"mesh":0}`, `{"children":[2]},{"children":[2]},{"mesh":0}`}, nil, 0, 0, "node 2 is a child of node 0 and of node 1"},
		{"child beyond", []string{`{"mesh":0}`, `{"mesh":0,"children":[7]}`}, nil, 0, 0, "node 0: child 7 of 1"},
		{"mesh beyond", []string{`{"mesh":0}`, `{"mesh":1}`}, nil, 0, 0, "mesh 1 of 1"},
		{"mesh null", []string{`"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}]`, `"meshes":[null]`}, nil, 0, 0, "mesh 0 is null"},
		{"no mesh", []string{`{"mesh":0}`, `{}`}, nil, 0, 0, "no faces: no node"},
		{"two nodes apart", []string{`"nodes":[0]`, `"nodes":[0,1]`, `{"mesh":0}`, `{"mesh":0},{"mesh":0,"translation":[5,0,0]}`}, nil, 8, 4, ""},
		{"two nodes alike", []string{`"nodes":[0]`, `"nodes":[0,1]`, `{"mesh":0}`, `{"mesh":0},{"mesh":0}`}, nil, 4, 4, ""},
		{"matrix and TRS", []string{`{"mesh":0}`, `{"mesh":0,"scale":[1,1,1],"matrix":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}`}, nil, 0, 0, "both matrix and TRS"},
		{"overflow", []string{`{"mesh":0}`, `{"mesh":0,"scale":[1e308,1e308,1],"children":[1]},{"mesh":0,"scale":[1e308,1,1]}`}, nil, 0, 0, "is not finite"},
		{"strip", []string{`"indices":1`, `"indices":1,"mode":5`}, nil, 4, 4, ""},
		{"fan", []string{`"indices":1`, `"indices":1,"mode":6`}, nil, 4, 4, ""},
		{"points", []string{`"indices":1`, `"indices":1,"mode":0`}, nil, 0, 0, "no faces"},
		{"mode beyond", []string{`"indices":1`, `"indices":1,"mode":7`}, nil, 0, 0, "mode"},
		{"no indices", []string{`,"indices":1`, ``}, nil, 3, 1, ""},
		{"no indices, fan", []string{`"indices":1`, `"mode":6`}, nil, 4, 2, ""},
		{"no position", []string{`"POSITION"`, `"NORMAL"`}, nil, 0, 0, "no attribute POSITION"},
		{"position beyond", []string{`"POSITION":0`, `"POSITION":2`}, nil, 0, 0, "POSITION: accessor 2 of 2"},
		{"position negative", []string{`"POSITION":0`, `"POSITION":-1`}, nil, 0, 0, "POSITION: accessor -1 of 2"},
		{"position of wrong type", []string{`"VEC3"`, `"VEC4"`}, nil, 0, 0, "type VEC4, want VEC3"},
		{"indices of wrong type", []string{`"SCALAR"`, `"VEC2"`}, nil, 0, 0, "type VEC2, want SCALAR"},
		{"signed indices", []string{`5123`, `5122`}, nil, 0, 0, "indices of component type SHORT"},
		{"float indices", []string{`5123`, `5126`}, nil, 0, 0, "indices of component type FLOAT"},
		{"unknown component", []string{`5123`, `5124`}, nil, 0, 0, "unknown component type: 5124"},
		{"count zero", []string{`"count":6`, `"count":0`}, nil, 0, 0, "count"},
		{"count negative", []string{`"count":6`, `"count":-6`}, nil, 0, 0, "count"},
		{"count huge", []string{`"count":4`, `"count":9000000000000000000`}, nil, 0, 0, "9000000000000000000 elements"},
		{"count beyond the view", []string{`"count":4`, `"count":5`}, nil, 0, 0, "5 elements of 12 bytes, 12 apart, in 48 bytes"},
		{"zeros without end", []string{`"bufferView":0,`, ``, `"count":4`, `"count":4000000`}, nil, 0, 0, "more than"},
		{"zeros", []string{`"bufferView":0,`, ``}, nil, 1, 2, ""},
		{"offset beyond", []string{`"bufferView":0,`, `"bufferView":0,"byteOffset":49,`}, nil, 0, 0, "offset 49 of 48"},
		{"offset negative", []string{`"bufferView":0,`, `"bufferView":0,"byteOffset":-1,`}, nil, 0, 0, "offset -1 of 48"},
		{"offset past the last element", []string{`"bufferView":0,`, `"bufferView":0,"byteOffset":4,`}, nil, 0, 0, "in 44 bytes"},
		{"view beyond", []string{`"bufferView":0,`, `"bufferView":2,`}, nil, 0, 0, "buffer view 2 of 2"},
		{"view negative", []string{`"bufferView":0,`, `"bufferView":-1,`}, nil, 0, 0, "buffer view -1 of 2"},
		{"view too long", []string{`"byteLength":12`, `"byteLength":13`}, nil, 0, 0, "13 bytes at 48 of a buffer of 60"},
		{"view overflows", []string{`"byteLength":12`, `"byteLength":9223372036854775807`}, nil, 0, 0, "of a buffer of 60"},
		{"view negative length", []string{`"byteLength":12`, `"byteLength":-1`}, nil, 0, 0, "-1 bytes at 48"},
		{"stride", []string{`"byteLength":48}`, `"byteLength":48,"byteStride":16}`, `"count":4`, `"count":3`, `,"indices":1`, ``}, nil, 2, 1, ""},
		{"stride too small", []string{`"byteLength":48}`, `"byteLength":48,"byteStride":8}`}, nil, 0, 0, "stride 8 of elements of 12"},
		{"stride negative", []string{`"byteLength":48}`, `"byteLength":48,"byteStride":-12}`}, nil, 0, 0, "stride -12"},
		{"stride too large", []string{`"byteLength":48}`, `"byteLength":48,"byteStride":16}`}, nil, 0, 0, "4 elements of 12 bytes, 16 apart, in 48"},
		{"buffer beyond", []string{`"buffer":0,"byteLength":48`, `"buffer":1,"byteLength":48`}, nil, 0, 0, "buffer 1 of 1"},
		{"buffer too long", []string{`"byteLength":60`, `"byteLength":61`}, nil, 0, 0, "byteLength 61, the data has 60"},
		{"index beyond", []string{`"count":4`, `"count":3`}, nil, 0, 0, "element 5 is beyond the 3 vertices"},
		{"not base64", []string{`;base64`, `;utf8`}, nil, 0, 0, "is not base64"},
		{"bad base64", []string{`base64,AAAA`, `base64,A*AA`}, nil, 0, 0, "byte 1 of the data uri"},
		{"sparse", []string{`"count":4,`, `"count":4,"sparse":{"count":1,"indices":{"bufferView":1,"byteOffset":2,"componentType":5123},"values":{"bufferView":0,"byteOffset":0}},`}, nil, 3, 2, ""},
		{"sparse twice", []string{`"count":4,`, `"count":4,"sparse":{"count":2,"indices":{"bufferView":0,"byteOffset":0,"componentType":5123},"values":{"bufferView":0,"byteOffset":0}},`}, nil, 0, 0, "sparse index 0 after 0: they must rise"},
		{"sparse falling", []string{`"count":4,`, `"count":4,"sparse":{"count":3,"indices":{"bufferView":1,"byteOffset":2,"componentType":5123},"values":{"bufferView":0,"byteOffset":0}},`}, nil, 0, 0, "sparse index 0 after 2: they must rise"},
		{"sparse view beyond", []string{`"count":4,`, `"count":4,"sparse":{"count":1,"indices":{"bufferView":9,"componentType":5123},"values":{"bufferView":0}},`}, nil, 0, 0, "buffer view 9 of 2"},
		{"sparse values beyond", []string{`"count":4,`, `"count":4,"sparse":{"count":1,"indices":{"bufferView":1,"componentType":5123},"values":{"bufferView":-9}},`}, nil, 0, 0, "buffer view -9 of 2"},
		{"sparse values short", []string{`"count":4,`, `"count":4,"sparse":{"count":1,"indices":{"bufferView":1,"componentType":5123},"values":{"bufferView":0,"byteOffset":40}},`}, nil, 0, 0, "sparse values: 1 elements of 12 bytes"},
		{"primitive null", []string{`[{"attributes":{"POSITION":0},"indices":1}]`, `[null]`}, nil, 0, 0, "mesh 0: primitive 0 is null"},
		{"sparse index beyond", []string{`"count":4,`, `"count":4,"sparse":{"count":1,"indices":{"bufferView":0,"byteOffset":14,"componentType":5123},"values":{"bufferView":0,"byteOffset":0}},`}, nil, 0, 0, "sparse index 16256 of 4"},
		{"sparse count beyond", []string{`"count":4,`, `"count":4,"sparse":{"count":5,"indices":{"bufferView":1,"componentType":5123},"values":{"bufferView":0}},`}, nil, 0, 0, "5 sparse elements of 4"},
		{"sparse count negative", []string{`"count":4,`, `"count":4,"sparse":{"count":-1,"indices":{"bufferView":1,"componentType":5123},"values":{"bufferView":0}},`}, nil, 0, 0, "-1 sparse elements of 4"},
		{"sparse float indices", []string{`"count":4,`, `"count":4,"sparse":{"count":1,"indices":{"bufferView":1,"componentType":5126},"values":{"bufferView":0}},`}, nil, 0, 0, "sparse indices of component type FLOAT"},
		{"quantised", []string{`"componentType":5126,"count":4`, `"componentType":5122,"normalized":true,"count":4`, `"byteOffset":48`, `"byteOffset":48`}, nil, -1, 2, ""}, //nolint:misspell // the format's name
		{"morph targets", []string{`"indices":1`, `"indices":1,"targets":[{"POSITION":0}]`}, nil, 4, 2, ""},
		{"scaled to nothing", []string{`{"mesh":0}`, `{"mesh":0,"scale":[0,0,0]}`}, nil, 1, 2, ""},
		{"Draco without fall-back", []string{`"bufferView":0,`, ``, `"indices":1`, `"indices":1,"extensions":{"KHR_draco_mesh_compression":{}}`}, nil, 0, 0, "the extension \"KHR_draco_mesh_compression\""},
		{"Draco with fall-back", []string{`"indices":1`, `"indices":1,"extensions":{"KHR_draco_mesh_compression":{}}`}, nil, 4, 2, ""},
		{"meshopt without fall-back", []string{`"buffer":0,"byteLength":48`, `"buffer":1,"byteLength":48,"extensions":{"EXT_meshopt_compression":{}}`, `"}]}`, `"},{"byteLength":48}]}`}, nil, 0, 0, "the extension \"EXT_meshopt_compression\""},
		{"meshopt with fall-back", []string{`"byteLength":48}`, `"byteLength":48,"extensions":{"EXT_meshopt_compression":{}}}`}, nil, 4, 2, ""},
		{"version 1", []string{`"2.0"`, `"1.0"`}, nil, 0, 0, "glTF version \"1.0\""},
		{"no asset", []string{`"asset":{"version":"2.0"},`, ``}, nil, 0, 0, "no object \"asset\""},
		{"required extension", []string{`"scene":0`, `"extensionsRequired":["KHR_materials_unlit","EXT_mesh_gpu_instancing"],"scene":0`}, nil, 0, 0, "extension \"EXT_mesh_gpu_instancing\""},
		{"harmless extension", []string{`"scene":0`, `"extensionsRequired":["KHR_materials_unlit"],"scene":0`}, nil, 4, 2, ""},
		{"external, none given", external("a%20b.bin"), nil, 0, 0, "in the file \"a b.bin\", which is missing"},
		{"external", external("a%20b.bin"), files, 4, 2, ""},
		{"external, dotted", external("./dir/../a%20b.bin"), files, 4, 2, ""},
		{"external, absent", external("gone"), files, 0, 0, "in the file \"gone\", which is missing: choose both files together, a.gltf and gone"},
		{"external, short", external("short"), files, 0, 0, "byteLength 60, the data has 59"},
		{"external, folder", external("dir"), files, 0, 0, "buffer 0: "},
		{"external, above", external("../a"), files, 0, 0, "is not a file beside this one"},
		{"external, absolute", external("/etc/passwd"), files, 0, 0, "is not a file beside this one"},
		{"external, network", external("http://example.org/a"), files, 0, 0, "is not a file beside this one"},
	}
	for _, c := range cases {
		t.Run(c.what, func(t *testing.T) {
			doc := quadGLTF(c.replace...)
			if len(c.replace) > 0 && doc == quadGLTF() {
				t.Fatal("nothing replaced")
			}
			res, err := Read("a.gltf", strings.NewReader(doc), Options{Files: c.files})
			if err != nil {
				if c.err == "" || !strings.Contains(err.Error(), c.err) {
					t.Fatalf("error %q, want %q", err, c.err)
				}
				return
			}
			if c.err != "" || c.v >= 0 && len(res.Mesh.Positions) != c.v || len(res.Mesh.Faces) != c.f {
				t.Errorf("V %d F %d, want %d, %d, error %q", len(res.Mesh.Positions), len(res.Mesh.Faces), c.v, c.f, c.err)
			}
		})
	}
}

// TestOneFileManyBuffers names one external file by many buffers: it is read
// once.
func TestOneFileManyBuffers(t *testing.T) {
	const n = 50
	doc := strings.Builder{}
	part := func(name, format string) {
		doc.WriteString(`,"` + name + `":[`)
		for i := range n {
			if i > 0 {
				doc.WriteString(",")
			}
			doc.WriteString(strings.ReplaceAll(format, "#", fmt.Sprint(i)))
		}
		doc.WriteString("]")
	}
	doc.WriteString(`{"asset":{"version":"2.0"}`)
	part("nodes", `{"mesh":#}`)
	part("meshes", `{"primitives":[{"attributes":{"POSITION":#}}]}`)
	part("accessors", `{"bufferView":#,"componentType":5126,"count":3,"type":"VEC3"}`)
	part("bufferViews", `{"buffer":#,"byteLength":36}`)
	part("buffers", `{"uri":"x","byteLength":1048576}`)
	doc.WriteString("}")
	before := allocated()
	res, err := Read("a.gltf", strings.NewReader(doc.String()), Options{Files: fstest.MapFS{"x": {Data: make([]byte, 1<<20)}}})
	if err != nil {
		t.Fatal(err)
	}
	if used := allocated() - before; used > 10<<20 {
		t.Errorf("%d bytes allocated for a file of %d", used, 1<<20)
	}
	if len(res.Mesh.Faces) != n || res.Detail != "text, external buffers" {
		t.Errorf("%d faces, detail %q", len(res.Mesh.Faces), res.Detail)
	}
}

// TestTransforms moves the square's corner (1, 0, 0) and looks where it went,
// and whether a mirrored square still faces +z.
func TestTransforms(t *testing.T) {
	half := math.Sqrt2 / 2
	for _, c := range []struct {
		what, nodes string
		want        [3]float64
		z           float64
	}{
		{"translation", `{"mesh":0,"translation":[1,2,3]}`, [3]float64{2, 2, 3}, 1},
		{"scale", `{"mesh":0,"scale":[2,3,4]}`, [3]float64{2, 0, 0}, 6},
		{"mirror", `{"mesh":0,"scale":[-1,1,1]}`, [3]float64{-1, 0, 0}, 1},
		{"quarter turn", fmt.Sprintf(`{"mesh":0,"rotation":[0,0,%g,%g]}`, half, half), [3]float64{0, 1, 0}, 1},
		{"all", fmt.Sprintf(`{"mesh":0,"rotation":[0,0,%g,%g],"scale":[3,1,1],"translation":[10,0,0]}`, half, half), [3]float64{10, 3, 0}, 3},
		{"matrix", `{"mesh":0,"matrix":[0,1,0,0,-1,0,0,0,0,0,1,0,5,6,7,1]}`, [3]float64{5, 7, 7}, 1},
		{"hierarchy", `{"translation":[1,0,0],"scale":[2,2,2],"children":[1]},{"mesh":0,"translation":[0,1,0]}`, [3]float64{3, 2, 0}, 4},
		{"skin", `{"mesh":0,"skin":0,"translation":[1,2,3]}`, [3]float64{2, 2, 3}, 1}, // no joints: the skin does nothing
	} {
		doc := quadGLTF(`{"mesh":0}`, c.nodes, `"scene":0`, `"skins":[{"joints":[0]}],"scene":0`)
		res, err := Read("a.gltf", strings.NewReader(doc), Options{})
		if err != nil {
			t.Errorf("%s: %v", c.what, err)
			continue
		}
		// The first face is the corners 0, 1, 2 of the square, mirrored 0, 2, 1.
		z, near := 0.0, math.Inf(1)
		for _, f := range res.Mesh.Faces {
			z += polygon.Normal(res.Mesh.Positions, f)[2] / 2
		}
		for _, p := range res.Mesh.Positions {
			near = min(near, math.Hypot(math.Hypot(p[0]-c.want[0], p[1]-c.want[1]), p[2]-c.want[2]))
		}
		if near > 1e-15*10 || math.Abs(z-c.z) > 1e-12 {
			t.Errorf("%s: positions %v, area along z %g, want %v and %g", c.what, res.Mesh.Positions, z, c.want, c.z)
		}
	}
}

// TestStripWinding checks that a strip and a fan turn all triangles alike.
func TestStripWinding(t *testing.T) {
	for mode, indices := range map[int]string{5: "[0,1,3,2]", 6: "[0,1,2,3]"} {
		var order []uint16
		for _, c := range indices {
			if c >= '0' && c <= '9' {
				order = append(order, uint16(c-'0'))
			}
		}
		data := le([]float32{0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}, order, []uint16{0, 0})
		i := strings.Index(quadGLTF(), "base64,")
		old := strings.TrimSuffix(quadGLTF()[i:], `"}]}`)
		doc := quadGLTF(old, "base64,"+base64.StdEncoding.EncodeToString(data), `"count":6`, `"count":4`, `"indices":1`, fmt.Sprintf(`"indices":1,"mode":%d`, mode))
		res, err := Read("a.gltf", strings.NewReader(doc), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if len(res.Mesh.Faces) != 2 {
			t.Fatalf("mode %d: faces %v", mode, res.Mesh.Faces)
		}
		for _, f := range res.Mesh.Faces {
			if z := polygon.Normal(res.Mesh.Positions, f)[2]; z != 1 {
				t.Errorf("mode %d: face %v has area %g along z", mode, f, z/2)
			}
		}
	}
}

func TestContainer(t *testing.T) {
	const jsonKind, binKind = uint32(chunkJSON), uint32(chunkBIN)
	data := le([]float32{0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}, []uint16{0, 1, 2, 0, 2, 3})
	whole := quadGLTF()
	i := strings.Index(whole, `,"uri"`)
	doc := []byte(whole[:i] + "}]}")
	embedded := []byte(whole)
	for _, c := range []struct {
		what string
		data []byte
		err  string
	}{
		{"good", container(2, 0, jsonKind, doc, binKind, data), ""},
		{"padded", container(2, 0, jsonKind, append(doc, ' ', ' '), binKind, append(data, 0, 0)), ""},
		{"embedded", container(2, 0, jsonKind, embedded), ""},
		{"unknown chunk", container(2, 0, jsonKind, doc, uint32(7), data, binKind, data), ""},
		{"trailing", append(container(2, 0, jsonKind, doc, binKind, data), 1, 2, 3), ""},
		{"JSON under the name", embedded, ""},
		{"no binary chunk", container(2, 0, jsonKind, doc), "no uri and no binary chunk"},
		{"no chunk", container(2, 0), "no JSON chunk"},
		{"version 1", container(1, 0, jsonKind, doc, binKind, data), "GLB version 1"},
		{"too long", container(2, 1, jsonKind, doc, binKind, data), "length"},
		{"binary first", container(2, 0, binKind, data, jsonKind, doc), "chunk 0 has type \"BIN\\x00\""},
		{"two JSON", container(2, 0, jsonKind, doc, jsonKind, doc), "chunk 1: a second chunk"},
		{"two binary", container(2, 0, jsonKind, doc, binKind, data, binKind, data), "chunk 2: a second chunk"},
		{"short binary", container(2, 0, jsonKind, doc, binKind, data[:59]), "byteLength 60, the data has 59"},
		{"header only", []byte("glTF\x02\x00\x00\x00"), "is not the 12 byte header"},
		{"length below header", append([]byte("glTF"), le(uint32(2), uint32(4))...), "length 4"},
	} {
		res, err := Read("a.glb", bytes.NewReader(c.data), Options{})
		switch {
		case err != nil:
			if c.err == "" || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: error %q, want %q", c.what, err, c.err)
			}
		case c.err != "" || len(res.Mesh.Positions) != 4 || len(res.Mesh.Faces) != 2:
			t.Errorf("%s: V %d F %d, want 4, 2, error %q", c.what, len(res.Mesh.Positions), len(res.Mesh.Faces), c.err)
		}
	}
}

// Brackets without end are no stack overflow, and are named.
func TestDeepJSON(t *testing.T) {
	for _, deep := range []string{strings.Repeat("[", 200_000), `{"asset":{"version":"2.0"},"extras":` + strings.Repeat(`{"a":`, 200_000)} {
		if _, err := Read("a.gltf", strings.NewReader(deep), Options{}); err == nil || !strings.Contains(err.Error(), "nested too deeply") {
			t.Errorf("%.20s...: %v", deep, err)
		}
	}
}
