package meshio

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"genussink/core/internal/polygon"
)

// TestText reads small hand-written files: V, F and part of the only warning,
// or part of the error.
func TestText(t *testing.T) {
	const square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"
	cases := []struct {
		what, name, data string
		v, f             int
		warning, err     string
	}{
		{"triangle", "a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", 3, 1, "", ""},
		{"upper case name", "A.OBJ", square + "f 1 2 3 4", 4, 2, "", ""},
		{"all corner forms", "a.obj", square + "f 1/9/9 2//9 3/7 4//\n", 4, 2, "", ""},
		{"negative indices", "a.obj", square + "f -4 -3 -2\nv 5 5 5\nf -1 -5 -4", 5, 2, "", ""},
		{"index before its vertex", "a.obj", "f 1 2 3 4\n" + square, 4, 2, "", ""},
		{"index beyond", "a.obj", square + "f 1 2 3\nf 1 2 5\ng 1", 0, 0, "", "line 6: vertex index 5 of 4 vertices"},
		{"negative beyond", "a.obj", square + "f 1 2 -5", 0, 0, "", "line 5: vertex index \"-5\" with 4 vertices so far"},
		{"huge index", "a.obj", square + "f 1 2 99999999999", 0, 0, "", "99999999999 is out of range"},
		{"longer than an integer", "a.obj", square + "f 1 2 9999999999999999999999", 0, 0, "", "line 5"},
		{"zero", "a.obj", square + "f 0 1 2", 0, 0, "", "line 5: vertex index 0"},
		{"no index", "a.obj", square + "f /1 1 2", 0, 0, "", "line 5: face corner \"/1\""},
		{"continuation", "a.obj", square + "f 1 2 \\\n 3 \\\r\n4\nf 1 2 3", 4, 3, "", ""},
		{"continuation keeps lines", "a.obj", square + "f 1 2 \\\n 3\nf 0", 0, 0, "", "line 7"},
		{"CR", "a.obj", strings.ReplaceAll(square+"f 1 2 3", "\n", "\r"), 4, 1, "", ""},
		{"CRLF and tabs", "a.obj", strings.NewReplacer("\n", "\r\n", " ", "\t").Replace(square + "f 1 2 3"), 4, 1, "", ""},
		{"comments", "a.obj", "# v 1\n" + square + "f 1 2 3 # 4\n#", 4, 1, "", ""},
		{"weights and colours", "a.obj", "v 0 0 0 1\nv 1 0 0 .5 .5 .5\nv 0 1 0\nf 1 2 3", 3, 1, "", ""},
		{"isolated vertex", "a.obj", square + "f 1 2 3", 4, 1, "", ""},
		{"two corners", "a.obj", square + "f 1 2\nf 1 2 3", 4, 1, "1 polygon of fewer than three", ""},
		{"no faces", "a.obj", square, 0, 0, "", "no faces: the file has 4 vertices"},
		{"only small faces", "a.obj", square + "f 1 2", 0, 0, "", "no faces"},
		{"nothing", "a.obj", "", 0, 0, "", "no faces: the file is empty"},
		{"infinity by overflow", "a.obj", "v 1e999 0 0", 0, 0, "", "line 1: coordinate x = \"1e999\""},
		{"unused NaN", "a.obj", square + "v nan 0 0\nf 1 2 3", 0, 0, "", "line 5"},
		{"zeros at the end", "a.obj", square + "f 1 2 3\nf 1 3" + strings.Repeat("\x00", 99), 0, 0, "", "the file ends in 99 zero bytes"},
		{"zeros in a comment at the end", "a.obj", square + "f 1 2 3\n# " + strings.Repeat("\x00", 99), 0, 0, "", "the file ends in 99 zero bytes"},
		{"zeros between", "a.obj", square + strings.Repeat("\x00", 99) + "\nf 1 2 3\n", 0, 0, "", "line 5: \"\\x00\\x00"},
		{"UTF-8 mark", "a.obj", "\xef\xbb\xbf" + square + "f 1 2 3", 4, 1, "", ""},
		{"UTF-16 little-endian", "a.obj", utf16File(square + "f 1 2 3"), 4, 1, "", ""},

		{"plain", "a.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", 3, 1, "", ""},
		{"no keyword", "a.off", "3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", 3, 1, "", ""},
		{"counts on the keyword's line", "a.off", "OFF 3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", 3, 1, "", ""},
		{"no edge count", "a.off", "OFF\n3 1\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", 3, 1, "", ""},
		{"every number on its line", "a.off", "OFF\n3\n1\n0\n0\n0\n0\n1\n0\n0\n0\n1\n0\n3\n0\n1\n2", 3, 1, "", ""},
		{"vertices on one line", "a.off", "OFF 3 1 3 0 0 0 1 0 0 0 1 0 3 0 1 2 255 0 0", 3, 1, "", ""},
		{"vertices on one line of their own", "a.off", "OFF 3 1 0\n0 0 0 1 0 0 0 1 0\n3 0 1 2 255 0 0", 3, 1, "", ""},
		{"face colours", "a.off", "OFF\n4 2 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2 1 0 0\n3 0 2 3 .5 .5 .5 1", 4, 2, "", ""},
		{"vertex colours", "a.off", "COFF\n3 1 0\n0 0 0 1 1 1 1\n1 0 0 255 255 255\n0 1 0 9 9 9 9\n3 0 1 2\n", 3, 1, "", ""},
		{"normals, free", "a.off", "NOFF\n3 1 0\n0 0 0\n0 0 1\n1 0 0\n0 0 1\n0 1 0\n0 0 1\n3 0 1 2\n", 3, 1, "", ""},
		{"everything", "a.off", "STCNOFF\n3 1 0\n0 0 0 0 0 1 1 1 1 1 0 0\n1 0 0 0 0 1 1 1 1 1 0 0\n0 1 0 0 0 1 1 1 1 1 0 0\n3 0 1 2\n", 3, 1, "", ""},
		{"comments", "a.off", "# OFF\nOFF # 1\n3 1 0 # 2\n0 0 0 # 3\n1 0 0\n#\n0 1 0\n\n3 0 1 2\n", 3, 1, "", ""},
		{"n dimensions", "a.off", "nOFF\n3\n3 1 0", 0, 0, "", "\"nOFF\": vertices of other than three"},
		{"no format", "a.off", "Hello", 0, 0, "", "line 1: \"Hello\" where OFF is wanted"},
		{"index beyond", "a.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n", 0, 0, "", "line 6: face 0: vertex index 3 of 3"},
		{"negative index", "a.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 -1\n", 0, 0, "", "line 6: face 0: vertex index -1"},
		{"huge polygon", "a.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n999999999 0 1 2\n", 0, 0, "", "line 6: face 0: 999999999 corners"},
		{"truncated", "a.off", "OFF\n3 2 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", 0, 0, "", "corner count: the file ends too early"},
		{"negative count", "a.off", "OFF\n-3 1 0\n", 0, 0, "", "-3 vertices"},
		{"comments only", "a.off", "# nothing\n", 0, 0, "", "no faces: the file has comments only"},
		{"counts missing", "a.off", "OFF\n3", 0, 0, "", "face count: the file ends too early"},
		{"strange prefix", "a.off", "XOFF\n", 0, 0, "", "unknown keyword \"XOFF\""},
		{"binary with colours", "a.off", "COFF BINARY\n", 0, 0, "", "COFF BINARY is not supported"},
		{"truncated normals", "a.off", "NOFF\n1 1 0\n0 0 0\n0 0\n", 0, 0, "", "vertex 0: the file ends too early"},
		{"strange index", "a.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 b\n", 0, 0, "", "line 6: vertex index = \"b\" is not a whole number"},
		{"no faces", "a.off", "OFF\n1 0 0\n0 0 0\n", 0, 0, "", "no faces"},
		{"NaN", "a.off", "OFF\n3 1 0\n0 0 0\n1 0 NaN\n0 1 0\n3 0 1 2\n", 0, 0, "", "line 4: coordinate z"},

		{"plain", "a.ply", plyHead("3", "1") + "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", 3, 1, "", ""},
		{"CRLF", "a.ply", strings.ReplaceAll(plyHead("3", "1")+"0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", "\n", "\r\n"), 3, 1, "", ""},
		{"CR", "a.ply", strings.ReplaceAll(plyHead("3", "1")+"0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", "\n", "\r"), 3, 1, "", ""},
		{"lists everywhere", "a.ply", "ply\nformat ascii 1.0\ncomment end_header\nelement patch 1\nproperty list char float a\nelement vertex 3\n" +
			"property list uchar int n\nproperty double z\nproperty double y\nproperty list int short m\nproperty float x\n" +
			"element face 1\nproperty uchar red\nproperty list uchar uint vertex_index\nproperty list uchar float uv\nend_header\n" +
			"2 .5 .5\n1 7 0 0 0 0\n0 0 0 2 1 1 1\n0 0 1 1 5 0\n255 3 0 1 2 2 .1 .2\n", 3, 1, "", ""},
		{"faces first", "a.ply", "ply\nformat ascii 1.0\nelement face 1\nproperty list uchar int vertex_indices\nelement vertex 4\n" +
			"property float x\nproperty float y\nproperty float z\nend_header\n4 0 1 2 3\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n", 4, 2, "", ""},
		{"two face elements", "a.ply", plyHead("3", "1")[:len(plyHead("3", "1"))-len("end_header\n")] +
			"element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n3 0 2 1\n", 3, 2, "", ""},
		{"strips", "a.ply", "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n" +
			"element tristrips 1\nproperty list int int vertex_indices\nend_header\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n9 0 1 3 2 -1 0 1 2 -1\n", 4, 3, "", ""},
		{"element of nothing", "a.ply", strings.Replace(plyHead("3", "1"), "element face", "element void 99999999999\n\nelement face", 1) + "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", 3, 1, "", ""},
		{"unknown format", "a.ply", "ply\nformat morse 1.0\n", 0, 0, "", "line 2: unknown format \"morse\""},
		{"format of nothing", "a.ply", "ply\nformat\n", 0, 0, "", "line 2: format of nothing"},
		{"element without count", "a.ply", "ply\nformat ascii 1.0\nelement vertex\n", 0, 0, "", "line 3: \"element vertex\" is not an element"},
		{"negative count", "a.ply", plyHead("-3", "1"), 0, 0, "", "line 3: element count \"-3\""},
		{"two vertex elements", "a.ply", "ply\nformat ascii 1.0\nelement vertex 1\nelement vertex 1\n", 0, 0, "", "line 4: a second element vertex"},
		{"stray property", "a.ply", "ply\nformat ascii 1.0\nproperty float x\n", 0, 0, "", "line 3: a property before any element"},
		{"strange header", "a.ply", "ply\nformat ascii 1.0\nfoo\n", 0, 0, "", "line 3: \"foo\" is not part of a header"},
		{"truncated vertices", "a.ply", plyHead("3", "1") + "0.00000 0.00000 0.00000\n1 0 0\n", 0, 0, "", "vertex 2: the file ends too early"},
		{"truncated skipped list", "a.ply", strings.Replace(plyHead("3", "1"), "float z\n", "float z\nproperty list uchar int n\n", 1) + "0 0 0 99", 0, 0, "", "rows announced"},
		{"not a number", "a.ply", plyHead("3", "1") + "0 0 zero\n1 0 0\n0 1 0\n3 0 1 2\n", 0, 0, "", "vertex 0: \"zero\" is not a number"},
		{"skipped nonsense", "a.ply", strings.Replace(plyHead("3", "1"), "float z\n", "float z\nproperty float nx\n", 1) + "0 0 0 1.#IND\n1 0 0 nan\n0 1 0 -nan(ind)\n3 0 1 2\n", 3, 1, "", ""},
		{"not ply", "a.ply", "plyx\n", 0, 0, "", "line 1: the file does not begin with"},
		{"no format", "a.ply", "ply\nend_header\n", 0, 0, "", "line 2: the header has no format"},
		{"float list count", "a.ply", "ply\nformat ascii 1.0\nelement face 1\nproperty list float int vertex_indices\nend_header\n", 0, 0, "", "line 4: list count of type \"float\""},
		{"unknown type", "a.ply", "ply\nformat ascii 1.0\nelement face 1\nproperty quad x\nend_header\n", 0, 0, "", "line 4: \"property quad x\" is not a property"},
		{"no x", "a.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty float a\nend_header\n1\n", 0, 0, "", "lacks one of the properties x, y, z"},
		{"no list", "a.ply", "ply\nformat ascii 1.0\nelement face 1\nproperty float a\nend_header\n1\n", 0, 0, "", "face has no list vertex_indices"},
		{"huge count", "a.ply", plyHead("353535235358", "1") + "0 0 0\n", 0, 0, "", "vertex: 353535235358 rows announced, 6 bytes follow"},
		{"index beyond", "a.ply", plyHead("3", "1") + "0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n", 0, 0, "", "face 0: vertex index 3 of 3"},
		{"fractional index", "a.ply", plyHead("3", "1") + "0 0 0\n1 0 0\n0 1 0\n3 0 1 1.5\n", 0, 0, "", "1.5 where a whole number is wanted"},
		{"infinite vertex", "a.ply", plyHead("3", "1") + "0 0 0\n1 0 inf\n0 1 0\n3 0 1 2\n", 0, 0, "", "vertex 1: coordinate z = +Inf"},

		{"two solids", "a.stl", "solid a facet\n" + facet("0 0 0", "1 0 0", "0 1 0") + "endsolid a\nsolid\n" + facet("0 0 0", "0 1 0", "0 0 1") + "endsolid", 4, 2, "", ""},
		{"upper case", "a.stl", strings.ToUpper("solid a\n" + facet("0 0 0", "1 0 0", "0 1 0") + "endsolid a\n"), 3, 1, "", ""},
		{"mark", "a.stl", "\ufeffsolid\n" + facet("0 0 0", "1 0 0", "0 1 0"), 3, 1, "", ""},
		{"no normal", "a.stl", "solid\nfacet outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 endloop endfacet endsolid", 3, 1, "", ""},
		{"normal of nothing", "a.stl", "solid\n" + strings.Replace(facet("0 0 0", "1 0 0", "0 1 0"), "0 0 1", "-nan(ind) nan 1.#IND", 1), 3, 1, "", ""},
		{"no end", "a.stl", "solid\n" + facet("0 0 0", "1 0 0", "0 1 0"), 3, 1, "", ""},
		{"minus zero is zero", "a.stl", "solid\n" + facet("0 0 0", "1 0 0", "0 1 0") + facet("-0 0 -0", "0 1 0", "0 0 1"), 4, 2, "", ""},
		{"degenerate facet", "a.stl", "solid\n" + facet("0 0 0", "1 0 0", "0 0 0"), 2, 1, "", ""},
		{"facet of two", "a.stl", "solid\nfacet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0 endloop endfacet", 0, 0, "", "a facet of 2 vertices"},
		{"unclosed loop", "a.stl", "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nendfacet", 0, 0, "", "line 5: \"endfacet\" before endloop"},
		{"cut off", "a.stl", "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0", 0, 0, "", "in a facet: the file ends too early"},
		{"strange word", "a.stl", "solid\nfacet rainbow 0 0 1", 0, 0, "", "line 2: \"rainbow\" is not part"},
		{"short", "a.stl", "hello", 0, 0, "", "neither text nor binary"},
		{"binary of no size", "a.stl", strings.Repeat("\x00", 80) + "\x02\x00\x00\x00" + strings.Repeat("\x00", 50), 0, 0, "", "2 triangles announced, room for 1"},
		{"trailing bytes", "a.stl", "solid" + strings.Repeat("\x00", 75) + "\x01\x00\x00\x00" + strings.Repeat("\x00", 52), 1, 1, "2 bytes after", ""},
		{"binary NaN", "a.stl", strings.Repeat("\x00", 80) + "\x01\x00\x00\x00" + strings.Repeat("\xff", 50), 0, 0, "", "triangle 0: corner 0 at [NaN NaN NaN] is not finite"},

		{"sniffed OBJ", "a", "# hi\n" + square + "f 1 2 3", 4, 1, "", ""},
		{"sniffed OFF", "a.txt", "# hi\nOFF 3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", 3, 1, "", ""},
		{"sniffed PLY", "", plyHead("3", "1") + "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", 3, 1, "", ""},
		{"sniffed glTF", "a.json", quadGLTF(), 4, 2, "", ""},
		{"sniffed STL", "a.b.c", "solid\n" + facet("0 0 0", "1 0 0", "0 1 0"), 3, 1, "", ""},
		{"unknown", "a.xyz", "Kaydara", 0, 0, "", "the file \"a.xyz\" is none of glb, gltf, obj, off, ply, stl"},
		{"of another kind", "a.fbx", "Kaydara", 0, 0, "", "a.fbx is an Autodesk FBX scene, which is not read here: open it in Blender"},
		{"empty and unknown", "a", "", 0, 0, "", "is none of"},
	}
	for _, c := range cases {
		t.Run(c.name+"/"+c.what, func(t *testing.T) {
			res, err := Read(c.name, strings.NewReader(c.data), Options{})
			if err != nil {
				if c.err == "" || !strings.Contains(err.Error(), c.err) {
					t.Fatalf("error %q, want %q", err, c.err)
				}
				return
			}
			if c.err != "" || len(res.Mesh.Positions) != c.v || len(res.Mesh.Faces) != c.f {
				t.Errorf("V %d F %d, want %d, %d, error %q", len(res.Mesh.Positions), len(res.Mesh.Faces), c.v, c.f, c.err)
			}
			if got := strings.Join(res.Warnings, "; "); (c.warning == "") != (got == "") || !strings.Contains(got, c.warning) {
				t.Errorf("warnings %q, want %q", got, c.warning)
			}
			if res.Detail == "" {
				t.Error("no detail")
			}
		})
	}
}

func plyHead(vertices, faces string) string {
	return "ply\nformat ascii 1.0\nelement vertex " + vertices + "\nproperty float x\nproperty float y\nproperty float z\n" +
		"element face " + faces + "\nproperty list uchar int vertex_indices\nend_header\n"
}

func facet(a, b, c string) string {
	return "facet normal 0 0 1\nouter loop\nvertex " + a + "\nvertex " + b + "\nvertex " + c + "\nendloop\nendfacet\n"
}

func utf16File(s string) string {
	out := []byte{0xFF, 0xFE}
	for _, u := range utf16.Encode([]rune(s)) {
		out = append(out, byte(u), byte(u>>8))
	}
	return string(out)
}

func TestOptions(t *testing.T) {
	tri := "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
	for _, c := range []struct {
		o   Options
		err string
	}{
		{Options{}, ""},
		{Options{Weld: 1, MaxBytes: int64(len(tri))}, ""},
		{Options{MaxBytes: int64(len(tri)) - 1}, "more than 31 bytes"},
		{Options{MaxBytes: -1}, "limit of -1 bytes"},
		{Options{MaxBytes: 1 << 40}, "limit of 1099511627776 bytes"},
		{Options{Weld: -1}, "weld tolerance -1"},
		{Options{Weld: math.NaN()}, "weld tolerance NaN"},
		{Options{Weld: math.Inf(1)}, "weld tolerance +Inf"},
	} {
		_, err := Read("a.obj", strings.NewReader(tri), c.o)
		if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%+v: error %v, want %q", c.o, err, c.err)
		}
	}
}

// TestWeld joins two triangles whose shared edge is off by 0.1.
func TestWeld(t *testing.T) {
	data := "solid\n" + facet("0 0 0", "1 0 0", "0 1 0") + facet("1.1 0 0", "1 1 0", "0 1.1 0") + facet("9 9 9", "8 9 9", "9 8 9")
	for _, c := range []struct {
		weld float64
		v    int
	}{{0, 9}, {0.05, 9}, {0.11, 7}, {100, 1}, {1e300, 1}, {1e-300, 9}} {
		res, err := Read("a.stl", strings.NewReader(data), Options{Weld: c.weld})
		if err != nil {
			t.Fatal(err)
		}
		if v := len(res.Mesh.Positions); v != c.v || len(res.Mesh.Faces) != 3 {
			t.Errorf("weld %g: V %d F %d, want %d and 3", c.weld, v, len(res.Mesh.Faces), c.v)
		}
		if res.Mesh.Positions[0] != [3]float64{} || res.Mesh.Faces[0][0] != 0 {
			t.Errorf("weld %g: not numbered by first appearance: %v", c.weld, res.Mesh)
		}
	}
}

// TestConcave splits polygons that a fan would leave: the areas of the
// triangles add up to the polygon's, all turned the same way.
func TestConcave(t *testing.T) {
	for name, outline := range map[string][][2]float64{
		"arrow":  {{0, 0}, {2, -2}, {0, 3}, {-2, -2}},
		"L":      {{1, 1}, {1, 3}, {0, 3}, {0, 0}, {3, 0}, {3, 1}},
		"comb":   {{0, 0}, {7, 0}, {7, 5}, {6, 5}, {6, 1}, {5, 1}, {5, 5}, {4, 5}, {4, 1}, {3, 1}, {3, 5}, {2, 5}, {2, 1}, {1, 1}, {1, 5}, {0, 5}},
		"convex": {{0, 0}, {2, 0}, {3, 1}, {2, 2}, {0, 2}},
		"bridge": {{0, 0}, {9, 0}, {9, 9}, {0, 9}, {0, 0}, {3, 3}, {3, 6}, {6, 6}, {6, 3}, {3, 3}}, // a hole, cut open
	} {
		for start := range outline {
			for axis := range 3 {
				for _, flip := range []bool{false, true} {
					var obj bytes.Buffer
					face := "f"
					area := 0.0
					for i := range outline {
						k := (start + i) % len(outline)
						if flip {
							k = len(outline) - 1 - k
						}
						var p [3]float64
						p[axis], p[(axis+1)%3] = outline[k][0], outline[k][1]
						obj.WriteString("v" + " " + num(p[0]) + " " + num(p[1]) + " " + num(p[2]) + "\n")
						face += " " + strconv.Itoa(i+1)
						q := outline[(k+1)%len(outline)]
						area += (outline[k][0]*q[1] - outline[k][1]*q[0]) / 2
					}
					obj.WriteString(face)
					res, err := Read("a.obj", &obj, Options{})
					if err != nil {
						t.Fatal(err)
					}
					if len(res.Mesh.Faces) != len(outline)-2 {
						t.Fatalf("%s: %d triangles of %d corners", name, len(res.Mesh.Faces), len(outline))
					}
					sum := 0.0
					for _, f := range res.Mesh.Faces {
						n := polygon.Normal(res.Mesh.Positions, f)
						sum += math.Abs(n[0]+n[1]+n[2]) / 2
					}
					if math.Abs(sum-math.Abs(area)) > 1e-12*sum {
						t.Errorf("%s from %d, axis %d: triangles cover %g, the polygon %g", name, start, axis, sum, area)
					}
				}
			}
		}
	}
}

// TestEarWork reads a star with too many corners to clip, which must neither
// take long nor lose a triangle, and says so.
func TestEarWork(t *testing.T) {
	const n = 20_000
	var obj, face bytes.Buffer
	for i := range n {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / n)
		r := 1 - float64(i%2)/2
		obj.WriteString("v " + num(r*cos) + " " + num(r*sin) + " 0\n")
		face.WriteString(" " + strconv.Itoa(i+1))
	}
	obj.WriteString("f")
	obj.Write(face.Bytes())
	res, err := Read("a.obj", &obj, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Mesh.Faces) != n-2 || len(res.Warnings) != 1 || !strings.Contains(res.Warnings[0], "split as if convex") {
		t.Errorf("%d faces, warnings %q", len(res.Mesh.Faces), res.Warnings)
	}
}

func num(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
