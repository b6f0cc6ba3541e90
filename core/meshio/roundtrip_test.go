package meshio

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"genussink/core/internal/budget"
	"genussink/core/internal/weld"
	"genussink/core/mesh"

	"pgregory.net/rapid"
)

// exact tells the formats that keep float64 coordinates and every vertex.
func exact(format string) bool {
	return format == "obj" || format == "off" || format == "ply"
}

// again encodes a mesh and decodes it.
func again(t rapid.TB, format string, m *mesh.Mesh) *Result {
	t.Helper()
	var buf bytes.Buffer
	if err := Write(&buf, format, m); err != nil {
		t.Fatal(err)
	}
	zeros := buf.Len() - len(bytes.TrimRight(buf.Bytes(), "\x00")) // as many faces at the origin end in
	res, err := Read("a."+format, &buf, Options{})
	if err != nil {
		t.Fatal(err)
	}
	warned := 0
	if zeros >= zeroTail {
		warned = 1
	}
	if res.Format != format || len(res.Warnings) != warned || warned > 0 && !strings.Contains(res.Warnings[0], "zero bytes") {
		t.Fatalf("%s read as %s, warnings %q", format, res.Format, res.Warnings)
	}
	return res
}

// same tells whether two meshes are equal bit for bit.
func same(a, b *mesh.Mesh) bool {
	return slices.Equal(a.Faces, b.Faces) && slices.EqualFunc(a.Positions, b.Positions, func(p, q [3]float64) bool {
		for c := range p {
			if math.Float64bits(p[c]) != math.Float64bits(q[c]) {
				return false
			}
		}
		return true
	})
}

// rounded is what STL and glTF make of a mesh: float32 coordinates, vertices
// joined where equal, numbered as the faces meet them. The slow twin of weld.
func rounded(m *mesh.Mesh) *mesh.Mesh {
	out := &mesh.Mesh{}
	for _, t := range m.Faces {
		var f [3]int32
		for c, v := range t {
			var p [3]float64
			for i, x := range m.Positions[v] {
				p[i] = float64(float32(x))
			}
			at := slices.Index(out.Positions, p)
			if at < 0 {
				at = len(out.Positions)
				out.Positions = append(out.Positions, p)
			}
			f[c] = int32(at)
		}
		out.Faces = append(out.Faces, f)
	}
	return out
}

// anyMesh draws a mesh with ties, unused vertices and degenerate faces.
func anyMesh(t *rapid.T) *mesh.Mesh {
	const most = 3e38
	x := rapid.OneOf(
		rapid.SampledFrom([]float64{0, math.Copysign(0, -1), 1, -1, 0.1, 1e-300, 5e-324, most, -most}),
		rapid.Float64Range(-10, 10),
		rapid.Float64Range(-most, most))
	positions := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) [3]float64 {
		return [3]float64{x.Draw(t, "x"), x.Draw(t, "y"), x.Draw(t, "z")}
	}), 1, 30).Draw(t, "positions")
	v := rapid.Int32Range(0, int32(len(positions)-1))
	faces := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) [3]int32 {
		return [3]int32{v.Draw(t, "a"), v.Draw(t, "b"), v.Draw(t, "c")}
	}), 1, 30).Draw(t, "faces")
	m, err := mesh.New(positions, faces)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestRoundTrip(t *testing.T) {
	for _, format := range Formats() {
		t.Run(format, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				m := anyMesh(t)
				want := m
				if !exact(format) {
					want = rounded(m)
				}
				if got := again(t, format, m).Mesh; !same(got, want) {
					t.Fatalf("%v came back as %v, want %v", m, got, want)
				}
			})
		})
	}
}

// TestWideIndices writes more vertices than 16 bit indices hold.
func TestWideIndices(t *testing.T) {
	for _, n := range []int{65535, 65536} {
		m := &mesh.Mesh{Positions: make([][3]float64, n)}
		for v := range m.Positions {
			m.Positions[v] = [3]float64{float64(v), float64(v % 7), 0}
		}
		for v := 0; v+2 < n; v += 2 {
			m.Faces = append(m.Faces, [3]int32{int32(v), int32(v + 1), int32(v + 2)})
		}
		m.Faces = append(m.Faces, [3]int32{int32(n - 1), 0, 1})
		if got := again(t, "glb", m).Mesh; !same(got, m) {
			t.Errorf("%d vertices came back as %d", n, len(got.Positions))
		}
	}
}

func TestWriteErrors(t *testing.T) {
	one := &mesh.Mesh{Positions: [][3]float64{{0, 0, 1e39}}, Faces: [][3]int32{{0, 0, 0}}}
	for _, format := range Formats() {
		err := Write(io.Discard, format, one)
		if exact(format) != (err == nil) || err != nil && !strings.Contains(err.Error(), "vertex 0: coordinate z = 1e+39 is beyond float32") {
			t.Errorf("%s: beyond float32: %v", format, err)
		}
		if err := Write(io.Discard, format, &mesh.Mesh{Positions: one.Positions}); err == nil || !strings.Contains(err.Error(), "no faces") {
			t.Errorf("%s: no faces: %v", format, err)
		}
		for want, bad := range map[string]*mesh.Mesh{
			"vertex 7 of 1":       {Positions: one.Positions[:1], Faces: [][3]int32{{0, 0, 7}}},
			"coordinate y is NaN": {Positions: [][3]float64{{0, math.NaN(), 0}}, Faces: one.Faces},
		} {
			if err := Write(io.Discard, format, bad); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: made by hand: %v, want %q", format, err, want)
			}
		}
		small := &mesh.Mesh{Positions: [][3]float64{{0, 0, 1}}, Faces: one.Faces}
		if err := Write(brokenPipe{}, format, small); !errors.Is(err, errPipe) {
			t.Errorf("%s: write error lost: %v", format, err)
		}
	}
	if err := Write(io.Discard, "fbx", one); err == nil || !strings.Contains(err.Error(), "\"fbx\", want one of glb, gltf") {
		t.Errorf("unknown format: %v", err)
	}
}

var errPipe = errors.New("pipe broken")

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errPipe }
func (brokenPipe) Read([]byte) (int, error)  { return 0, errPipe }

func TestReadError(t *testing.T) {
	if _, err := Read("a.obj", brokenPipe{}, Options{}); !errors.Is(err, errPipe) {
		t.Errorf("read error lost: %v", err)
	}
}

// grid is a flat mesh of 2*n*n triangles.
func grid(n int) *mesh.Mesh {
	m := &mesh.Mesh{}
	for y := range n + 1 {
		for x := range n + 1 {
			m.Positions = append(m.Positions, [3]float64{float64(x) / 3, float64(y) / 3, 0})
		}
	}
	for y := range n {
		for x := range n {
			v := int32(y*(n+1) + x)
			w := v + int32(n) + 1
			m.Faces = append(m.Faces, [3]int32{v, v + 1, w + 1}, [3]int32{v, w + 1, w})
		}
	}
	return m
}

// TestMemory holds what a decoder allocates, garbage included, against the
// size of its input: bombs that announce much, and files whose bytes turn into
// as many vertices, corners or objects as they can.
func TestMemory(t *testing.T) {
	const k = 20_000
	rep := strings.Repeat
	var plyHeader = "ply\nformat binary_little_endian 1.0\nelement vertex %d\nproperty %s x\nproperty %s y\nproperty %s z\n" +
		"element face %d\nproperty list uchar uchar vertex_indices\nend_header\n"
	cases := []struct {
		what, name, data string
		constant         uint64 // bytes beside 100 times the input
	}{
		{"OFF counts", "a.off", "OFF\n353535235358 353535235358 0\n0 0 0\n", 1 << 20},
		{"OFF polygon", "a.off", "OFF\n1 1 0\n0 0 0\n353535235358 0 0 0", 1 << 20},
		{"OFF binary", "a.off", "OFF BINARY\n" + rep("\x7f\xff\xff\xff", 3), 1 << 20},
		{"PLY counts", "a.ply", fmt.Sprintf(plyHeader, 1<<40, "char", "char", "char", 1<<40), 1 << 20},
		{"PLY list", "a.ply", strings.ReplaceAll(fmt.Sprintf(plyHeader, 1, "char", "char", "char", 1), "list uchar", "list uint") + "\x00\x00\x00\xff\xff\xff\xff", 1 << 20},
		{"STL count", "a.stl", rep("\x00", 80) + "\xff\xff\xff\xff", 1 << 20},
		{"GLB chunk", "a.glb", "glTF\x02\x00\x00\x00\x14\x00\x00\x00\xff\xff\xff\xffJSON", 1 << 20},
		{"glTF count", "a.gltf", quadGLTF(`"bufferView":0,`, ``, `"count":4`, `"count":1000000000000`), 1 << 20},
		{"glTF zeros", "a.gltf", quadGLTF(`"bufferView":0,`, ``, `"count":4`, `"count":300000`), 60 << 20},
		{"glTF instances", "a.gltf", quadGLTF(`"nodes":[0]`, `"nodes":[0]`, `{"mesh":0}`, `{"children":[1`+childList(k)+`]},{"mesh":0}`+rep(`,{"mesh":0}`, k)), 200 << 20},
		{"glTF objects", "a.gltf", quadGLTF(`{"mesh":0}`, `{"mesh":0}`+rep(`,{}`, k)), 200 << 20},
		{"glTF object flood", "a.gltf", quadGLTF(`{"mesh":0}`, `{"mesh":0}`+rep(`,{}`, 2<<20)), 1 << 20},
		{"OBJ polygon", "a.obj", "v 0 0 0\nf" + rep(" 1", k), 1 << 20},
		{"OBJ vertices", "a.obj", rep("v 0 0 0\n", k) + "f 1 1 1", 1 << 20},
		{"OFF points", "a.off", fmt.Sprintf("OFF\n1 %d 0\n0 0 0\n", k) + rep("0\n", k), 1 << 20},
		{"PLY empty faces", "a.ply", fmt.Sprintf(plyHeader, 1, "char", "char", "char", k) + "\x00\x00\x00" + rep("\x00", k), 1 << 20},
		{"PLY vertices", "a.ply", fmt.Sprintf(plyHeader, k, "char", "char", "char", 1) + rep("\x00", 3*k) + "\x03\x00\x00\x00", 1 << 20},
		{"STL facets", "a.stl", "solid\n" + rep("vertex 0 0 0 vertex 1 1 1 vertex 2 2 2 endloop\n", k/10), 1 << 20},
	}
	for _, c := range cases {
		t.Run(c.what, func(t *testing.T) {
			before := allocated()
			_, err := Read(c.name, strings.NewReader(c.data), Options{})
			used := allocated() - before
			if most := 100*uint64(len(c.data)) + c.constant; used > most {
				t.Errorf("%d bytes allocated for %d, want at most %d (error %v)", used, len(c.data), most, err)
			}
			t.Logf("%.1f bytes a byte of %d, %v", float64(used)/float64(len(c.data)), len(c.data), err)
		})
	}
}

// childList lists the nodes 2 to n.
func childList(n int) string {
	var b strings.Builder
	for i := 2; i <= n; i++ {
		fmt.Fprintf(&b, ",%d", i)
	}
	return b.String()
}

func BenchmarkRead(b *testing.B) {
	m := grid(200)
	for _, format := range Formats() {
		var buf bytes.Buffer
		if err := Write(&buf, format, m); err != nil {
			b.Fatal(err)
		}
		b.Run(format, func(b *testing.B) {
			b.SetBytes(int64(buf.Len()))
			for b.Loop() {
				if _, err := Read("a."+format, bytes.NewReader(buf.Bytes()), Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestGridWeld compares the grid with a search over all kept positions.
func TestGridWeld(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.OneOf(rapid.Float64Range(-2, 2), rapid.Map(rapid.IntRange(-4, 4), func(i int) float64 { return float64(i) / 2 }))
		points := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) [3]float64 {
			return [3]float64{x.Draw(t, "x"), x.Draw(t, "y"), x.Draw(t, "z")}
		}), 1, 60).Draw(t, "points")
		tolerance := rapid.SampledFrom([]float64{1e-9, 0.3, 0.5, 1, 10}).Draw(t, "tolerance")
		find := weld.Within(tolerance)
		var kept [][3]float64
		numbers := make(map[[3]float64]int32)
		for _, p := range points {
			want, met := numbers[p]
			if !met {
				want = int32(len(kept))
				nearest := tolerance
				for v := len(kept) - 1; v >= 0; v-- {
					if d := mesh.Distance(p, kept[v]); d <= nearest {
						want, nearest = int32(v), d
					}
				}
				numbers[p] = want
			}
			if got := find(kept, p); got != want {
				t.Fatalf("%v is %d, want %d of %v", p, got, want, kept)
			}
			if int(want) == len(kept) {
				kept = append(kept, p)
			}
		}
	})
}

// Ordinary meshes open by default: in every format a file that needs more than a small file's budget brings enough bytes along,
// also where most of them lie in a file beside it.
func TestOrdinaryFilesStayWithinTheirBudgets(t *testing.T) {
	const side = 545
	grid := &mesh.Mesh{}
	for v := range (side + 1) * (side + 1) {
		grid.Positions = append(grid.Positions, [3]float64{float64(v % (side + 1)), float64(v / (side + 1)), 1})
	}
	for f := range side * side {
		a := int32(f + f/side)
		grid.Faces = append(grid.Faces, [3]int32{a, a + 1, a + side + 1}, [3]int32{a + 1, a + side + 2, a + side + 1})
	}
	if need := vertexBytes*len(grid.Positions) + faceBytes*len(grid.Faces); need < budget.Least {
		t.Fatalf("the mesh takes %d bytes, which any file may", need)
	}
	hold := func(name string, data []byte, o Options) {
		t.Helper()
		if res, err := Read(name, bytes.NewReader(data), o); err != nil || len(res.Mesh.Positions) != len(grid.Positions) || len(res.Mesh.Faces) != len(grid.Faces) {
			t.Errorf("%s of %d bytes: %v", name, len(data), err)
		}
	}
	for _, format := range Formats() {
		if testing.Short() && format != "glb" {
			continue
		}
		var file bytes.Buffer
		if err := Write(&file, format, grid); err != nil {
			t.Fatal(err)
		}
		data := bytes.Clone(file.Bytes())
		hold("grid."+format, data, Options{})
		if format != "glb" {
			continue
		}
		text := int(binary.LittleEndian.Uint32(data[12:]))
		document := bytes.Replace(data[20:20+text], []byte(`"buffers":[{`), []byte(`"buffers":[{"uri":"grid.bin",`), 1)
		hold("grid.gltf", document, Options{Files: fstest.MapFS{"grid.bin": {Data: data[20+text+8:]}}})
	}
}
