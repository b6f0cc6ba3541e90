package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"image"
	"image/gif"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"genussink/core/meshio"
	"genussink/internal/golden"
	"genussink/internal/race"
)

var update = flag.Bool("update", false, "write the golden pictures anew")

// catMesh is a mesh of the gallery.
func catMesh() string { return filepath.Join("..", "..", "assets", "meshes", "cat.glb") }

// ring is a mesh that takes little to solve.
func ring(t *testing.T, name string) string {
	t.Helper()
	return generated(t, name, "torus", "-segments", "32", "-sides", "16")
}

// heights are the vertices' heights, a field.
func heights(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile(catMesh())
	if err != nil {
		t.Fatal(err)
	}
	m, err := meshio.Read("cat.glb", bytes.NewReader(data), meshio.Options{})
	if err != nil {
		t.Fatal(err)
	}
	y := make([]float64, len(m.Mesh.Positions))
	for v, p := range m.Mesh.Positions {
		y[v] = p[1]
	}
	return file(t, "height.txt", lines(y...))
}

// Each fill in both themes, as the golden pictures have it. Where rounding puts
// an edge on the other side a pixel may differ; one in a hundred may.
func TestGoldenPictures(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute with the race detector, which finds the same in shorter tests")
	}
	field, graph := heights(t), filepath.Join(t.TempDir(), "grid.gr")
	ok(t, "generate", "grid", "-side", "6", "-out", graph)
	for _, what := range fills {
		for _, theme := range []string{"dark", "light"} {
			name := what + "-" + theme + ".png"
			out := filepath.Join(t.TempDir(), name)
			mesh := catMesh()
			if what == "bag" || what == "elimination" {
				mesh = graph // whose treewidth is proved at once: the search does not end by the clock
			}
			args := []string{"picture", mesh, "-what", what, "-theme", theme, "-size", "120x90", "-out", out, "-method", "exact", "-position", "0.4"}
			switch what {
			case "field":
				args = append(args, "-field", field)
			case "split":
				args = append(args, "-level", "1")
			case "elimination":
				args = append(args, "-gone", "15")
			}
			ok(t, args...)
			accepted := filepath.Join("testdata", "pictures", name)
			if *update {
				data, err := os.ReadFile(out)
				if err == nil {
					err = os.WriteFile(accepted, data, 0o644)
				}
				if err != nil {
					t.Fatal(err)
				}
				continue
			}
			got, want := golden.Read(t, out), golden.Read(t, accepted)
			if n := golden.Unlike(got, want, 8); n > 120*90/100 {
				t.Errorf("%s: %d pixels differ from %s (to accept them: go test ./cmd/genussink -run Golden -update)", what, n, accepted)
			}
		}
	}
}

// The golden pictures are of different fills and themes: the test can fail.
func TestGoldenPicturesDiffer(t *testing.T) {
	var before image.Image
	for _, what := range fills {
		dark := golden.Read(t, filepath.Join("testdata", "pictures", what+"-dark.png"))
		light := golden.Read(t, filepath.Join("testdata", "pictures", what+"-light.png"))
		if n := golden.Unlike(dark, light, 8); n < 120*90/2 {
			t.Errorf("%s: the themes differ in %d pixels", what, n)
		}
		if before != nil {
			if n := golden.Unlike(dark, before, 8); n < 250 {
				t.Errorf("%s differs from the fill before in %d pixels", what, n)
			}
		}
		before = dark
	}
}

// Arrows lie over the transport's picture.
func TestPictureOfArrows(t *testing.T) {
	race.Alone(t)
	dir, mesh := t.TempDir(), ring(t, "ring.off")
	draw := func(name string, more ...string) image.Image {
		out := filepath.Join(dir, name)
		args := append([]string{"picture", mesh, "-what", "transport", "-size", "240x180", "-samples", "1", "-mass", "density", "-out", out}, more...)
		if code, _, stderr := tool(t, "", args...); code != 0 {
			t.Fatalf("exit %d: %s", code, stderr)
		}
		return golden.Read(t, out)
	}
	if n := golden.Unlike(draw("without.png"), draw("with.png", "-arrows"), 8); n < 300 {
		t.Errorf("arrows change %d pixels", n)
	}
}

// Each flag of the camera's and the lines' changes the picture; so does the vertex that distances are measured from, and so do a mesh's defects.
func TestPictureFlags(t *testing.T) {
	race.Alone(t)
	dir := t.TempDir()
	open := filepath.Join(dir, "open.off")
	ok(t, "generate", "dumbbell", "-radius", "8", "-out", open)
	drawn := 0
	draw := func(args ...string) image.Image {
		drawn++
		out := filepath.Join(dir, fmt.Sprintf("%d.png", drawn))
		ok(t, append([]string{"picture", "-size", "240x180", "-samples", "1", "-out", out}, args...)...)
		return golden.Read(t, out)
	}
	for _, c := range []struct {
		mesh   string
		before []string
		more   []string
		pixels int
	}{
		{catMesh(), []string{"-what", "plain"}, []string{"-flat"}, 400},
		{catMesh(), []string{"-what", "plain"}, []string{"-orthographic"}, 200},
		{catMesh(), []string{"-what", "split", "-level", "2"}, []string{"-hidden"}, 50},
		{catMesh(), []string{"-what", "distance"}, []string{"-vertex", "1000"}, 2000},
		{open, []string{"-what", "plain"}, []string{"-what", "defects"}, 200},
	} {
		was := append([]string{c.mesh}, c.before...)
		if n := golden.Unlike(draw(was...), draw(append(was, c.more...)...), 8); n < c.pixels {
			t.Errorf("%v changes %d pixels of %v, want %d", c.more, n, was, c.pixels)
		}
	}
}

// A graph without faces is drawn as its edges, in the colours of its vertices; curvature it has none.
func TestPictureOfGraph(t *testing.T) {
	dir := t.TempDir()
	graph, out := filepath.Join(dir, "grid.gr"), filepath.Join(dir, "grid.png")
	ok(t, "generate", "grid", "-side", "6", "-out", graph)
	ok(t, "picture", graph, "-what", "split", "-size", "240x180", "-out", out)
	m := golden.Read(t, out)
	tinted := 0
	for y := range m.Bounds().Dy() {
		for x := range m.Bounds().Dx() {
			if r, g, b, _ := m.At(x, y).RGBA(); max(r, g, b)-min(r, g, b) > 0x4000 {
				tinted++
			}
		}
	}
	if tinted < 300 {
		t.Errorf("%d pixels have a side's colour", tinted)
	}
	if code, _, stderr := tool(t, "", "picture", graph, "-what", "mean", "-out", out); code == 0 || !strings.Contains(stderr, "grid.gr: ") {
		t.Errorf("the curvature of a graph: exit %d, %q", code, stderr)
	}
}

// Beads lie on the mesh, also at its outline: no pixel of theirs is more than four from the mesh, less than a radius.
func TestBeadsStayOnTheMesh(t *testing.T) {
	race.Alone(t)
	dir := t.TempDir()
	draw := func(what string) image.Image {
		out := filepath.Join(dir, what+".png")
		ok(t, "picture", catMesh(), "-what", what, "-position", "0.12", "-method", "exact", "-size", "800x700", "-out", out)
		return golden.Read(t, out)
	}
	plain, moving := draw("plain"), draw("transport")
	unlike := func(m image.Image, x, y, step int) bool { // the ground has one colour in a row
		r, g, b, _ := m.At(x, y).RGBA()
		r0, g0, b0, _ := m.At(0, y).RGBA()
		return max(r, r0)-min(r, r0) > uint32(step)<<8 || max(g, g0)-min(g, g0) > uint32(step)<<8 || max(b, b0)-min(b, b0) > uint32(step)<<8
	}
	const far = 4
	outside, beads := 0, 0
	for y := far; y < 700-far; y++ {
	pixels:
		for x := far; x < 800-far; x++ {
			if r, _, b, _ := moving.At(x, y).RGBA(); r > 2*b && r > 0x6000 {
				beads++
			}
			if !unlike(moving, x, y, 40) {
				continue
			}
			for dy := -far; dy <= far; dy++ {
				for dx := -far; dx <= far; dx++ {
					if dx*dx+dy*dy <= far*far && unlike(plain, x+dx, y+dy, 12) {
						continue pixels
					}
				}
			}
			outside++
		}
	}
	if outside > 0 || beads < 2000 {
		t.Errorf("%d of %d pixels of beads stand off the mesh", outside, beads)
	}
}

// Mass as a density is strong, in one hue, over a scale of it.
func TestPictureOfDensity(t *testing.T) {
	race.Alone(t)
	mesh := ring(t, "ring.off")
	for _, theme := range []string{"dark", "light"} {
		out := filepath.Join(t.TempDir(), "density.png")
		ok(t, "picture", mesh, "-what", "transport", "-mass", "density", "-method", "exact", "-size", "400x300", "-theme", theme, "-out", out)
		m := golden.Read(t, out)
		gold := [2]int{}
		for y := range 300 {
			for x := range 400 {
				if r, _, b, _ := m.At(x, y).RGBA(); r > 0x6000 && 10*r > 15*b {
					gold[y/270]++ // the scale is in the last tenth
				}
			}
		}
		if gold[0] < 1500 || gold[1] < 600 {
			t.Errorf("%s: %d pixels of mass, %d of its scale", theme, gold[0], gold[1])
		}
	}
}

// A gif of the transport shows the source first and the target last, and one of a
// turntable ends a step before where it began.
func TestAnimations(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute with the race detector, which finds the same in shorter tests")
	}
	out, mesh := filepath.Join(t.TempDir(), "a.gif"), ring(t, "ring.off")
	for _, args := range [][]string{
		{"-what", "transport", "-method", "exact", "-frames", "5"},
		{"-what", "transport", "-method", "exact", "-frames", "5", "-mass", "density"},
		{"-what", "plain", "-turntable", "5"},
	} {
		ok(t, append([]string{"picture", mesh, "-size", "80x60", "-samples", "1", "-seconds", "2", "-out", out}, args...)...)
		data, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		g, err := gif.DecodeAll(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if len(g.Image) != 5 || g.Config.Width != 80 || g.Config.Height != 60 || g.Delay[0] != 40 || g.LoopCount != 0 {
			t.Errorf("%v: %d frames of %d by %d, %d hundredths each", args, len(g.Image), g.Config.Width, g.Config.Height, g.Delay[0])
		}
		for k, m := range g.Image[1:] {
			if m.Bounds().Dx() < 10 {
				t.Errorf("%v: frame %d does not differ from the one before", args, k+1)
			}
		}
	}
}

// A sheet has a place for every mesh.
func TestSheet(t *testing.T) {
	out := filepath.Join(t.TempDir(), "sheet.png")
	ball := generated(t, "ball.obj", "sphere", "-frequency", "4")
	got := answer(t, "picture", catMesh(), ball, ball, "-what", "plain", "-size", "100x80", "-out", out)
	m := golden.Read(t, out)
	if got["meshes"] != 3.0 || m.Bounds().Dx() < 300 || m.Bounds().Dx()%100 != 0 {
		t.Errorf("%v, a sheet of %v", got, m.Bounds())
	}
	for n, want := range map[int]int{1: 1, 2: 2, 4: 2, 10: 5, 12: 4} {
		if k := columnsOf(n, 1.1); k != want {
			t.Errorf("%d pictures in rows of %d, want %d", n, k, want)
		}
	}
}

// Wrong calls say what is wrong, and nothing is written.
func TestPictureErrors(t *testing.T) {
	race.Alone(t)
	out := filepath.Join(t.TempDir(), "p.png")
	short := file(t, "short.txt", "1\n2\n")
	for want, args := range map[string][]string{
		"-what heat: must be one of split, source, target, densities, transport, displacement, defects, bag, elimination, field, plain, mean, gaussian": {"-what", "heat"},
		"-vertex 2585: the vertices are 0 to 2584":                           {"-what", "distance", "-vertex", "2585"},
		"-vertex -1: must be 0 or more":                                      {"-vertex", "-1"},
		"-what field needs -field FILE":                                      {"-what", "field"},
		"a picture of 15 by 900 pixels; width and height must be 16 to 8192": {"-size", "15x900"},
		"a picture of 36000 by 900 pixels":                                   {"-size", "9000x225", "-scale", "4"},
		"192 million samples, at most 80 million":                            {"-size", "4000x3000", "-samples", "4"},
		"want a width and a height such as 1200x900":                         {"-size", "0x10"},
		"-scale 5: must be 1 to 4":                                           {"-scale", "5"},
		"-samples 0: must be 1 to 4":                                         {"-samples", "0"},
		"-elevation 90: must be -89 to 89":                                   {"-elevation", "90"},
		"-zoom 0: must be 0.1 to 100":                                        {"-zoom", "0"},
		"-vertex is not seen with -what split: take distance":                {"-what", "split", "-vertex", "5"},
		"-bag is not seen with -what split: take bag":                        {"-what", "split", "-bag", "widest"},
		"-gone is not seen with -what bag: take elimination":                 {"-what", "bag", "-gone", "5"},
		"-bag middle: must be centroid or widest":                            {"-bag", "middle"},
		"-gone -1: must be 0 or more":                                        {"-gone", "-1"},
		"-gone 2586: the mesh has 2585 vertices":                             {"-what", "elimination", "-search", "100ms", "-gone", "2586"},
		"-what elimination: the mesh is too large for it":                    {"-what", "elimination", "-search", "100ms"},
		"-search 0s: must be more than 0 and at most an hour":                {"-search", "0s"},
		"-theme blue: must be dark or light":                                 {"-theme", "blue"},
		"-level -1: must be 0 to 64":                                         {"-level", "-1"},
		"-level 60: the separator tree has the levels 0 to":                  {"-level", "60"},
		"-arrows needs -what transport":                                      {"-arrows"},
		"-turntable 8: needs a .gif":                                         {"-turntable", "8"},
		"-mass dust: must be particles or density":                           {"-mass", "dust"},
		"-up w: must be x, y or z":                                           {"-up", "w"},
		"want x, y, z or view, a colon and a number from 0 to 1":             {"-section", "w:0.5"},
		"a number from 0 to 1, such as x:0.5":                                {"-section", "x:1.5"},
		"number from 0 to 1, such as x:0.5":                                  {"-section", "x:0x1p-1"},
		"-position 2: must be 0 to 1":                                        {"-position", "2"},
		"2 numbers, the mesh has 2585 vertices":                              {"-what", "field", "-field", short},
		"a .gif shows one mesh, several make a .png":                         {catMesh(), "-out", filepath.Join(filepath.Dir(out), "p.gif")},
		"the extension must be .png or .gif":                                 {"-out", filepath.Join(filepath.Dir(out), "p.jpg")},
		"a .gif needs -what transport or -turntable FRAMES":                  {"-out", filepath.Join(filepath.Dir(out), "p.gif")},
	} {
		code, _, stderr := tool(t, "", append([]string{"picture", catMesh(), "-out", out}, args...)...)
		if code == 0 || !strings.Contains(stderr, want) {
			t.Errorf("%v: exit %d, %q, want %q", args, code, stderr, want)
		}
	}
	graph := file(t, "g.gr", "p tw 3 2\n1 2\n2 3\n")
	if code, _, stderr := tool(t, "", "export", graph, "-out", filepath.Join(filepath.Dir(out), "g.ply")); code != 1 || !strings.Contains(stderr, "without faces") {
		t.Errorf("a graph: exit %d, %q", code, stderr)
	}
	table := filepath.Join(t.TempDir(), "g.csv")
	ok(t, "export", graph, "-out", table)
	if lines, err := os.ReadFile(table); err != nil || strings.Count(string(lines), "\n") != 4 {
		t.Errorf("a graph as a table: %v\n%s", err, lines)
	}
	if left, err := os.ReadDir(filepath.Dir(out)); err != nil || len(left) > 0 {
		t.Errorf("%v, %v is left behind", err, left)
	}
}

// A section leaves out what is in front of its plane.
func TestPictureSection(t *testing.T) {
	race.Alone(t)
	draw := func(more ...string) image.Image {
		t.Helper()
		out := filepath.Join(t.TempDir(), "p.png")
		if code, _, stderr := tool(t, "", append([]string{"picture", catMesh(), "-what", "plain", "-size", "120x90", "-samples", "1", "-out", out}, more...)...); code != 0 {
			t.Fatalf("%v: exit %d, %q", more, code, stderr)
		}
		return golden.Read(t, out)
	}
	none := draw("-section", "view:1")
	covered := func(m image.Image) (n int) {
		for y := range 90 {
			for x := range 120 {
				if m.At(x, y) != none.At(x, y) {
					n++
				}
			}
		}
		return n
	}
	whole, half := covered(draw()), covered(draw("-section", "x:0.5"))
	if whole <= 1000 || half >= whole*9/10 || half <= whole/10 {
		t.Errorf("the mesh covers %d pixels, the part behind the section %d", whole, half)
	}
}

// A picture of a plan that is none yet says so by its exit status.
func TestPictureOfUnconvergedPlan(t *testing.T) {
	race.Alone(t)
	out := filepath.Join(t.TempDir(), "p.png")
	code, _, stderr := tool(t, "", "picture", ring(t, "ring.off"), "-what", "displacement", "-size", "40x30", "-samples", "1", "-method", "exact", "-iterations", "1", "-tolerance", "1e-12", "-out", out)
	if code != 3 || !strings.Contains(stderr, "has not converged") {
		t.Errorf("exit %d, %q", code, stderr)
	}
	golden.Read(t, out)
}

// What export writes reads back as the mesh, with the same numbers in all formats.
func TestExport(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute with the race detector, which finds the same in shorter tests")
	}
	dir, path := t.TempDir(), ring(t, "ring.glb") // whose coordinates are those of a glb: 32 bits
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	mesh, err := meshio.Read("ring.glb", bytes.NewReader(data), meshio.Options{})
	if err != nil {
		t.Fatal(err)
	}
	read := func(format string) []byte {
		out := filepath.Join(dir, "x."+format)
		ok(t, "export", path, "-method", "exact", "-level", "1", "-out", out)
		data, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	for _, format := range []string{"glb", "ply"} {
		back, err := meshio.Read("x."+format, bytes.NewReader(read(format)), meshio.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if len(back.Warnings) > 0 || len(back.Mesh.Positions) != len(mesh.Mesh.Positions) || len(back.Mesh.Faces) != len(mesh.Mesh.Faces) {
			t.Fatalf("%s: %d vertices, %d faces, %q", format, len(back.Mesh.Positions), len(back.Mesh.Faces), back.Warnings)
		}
		for v, p := range back.Mesh.Positions {
			if p != mesh.Mesh.Positions[v] {
				t.Fatalf("%s: vertex %d is at %v, was at %v", format, v, p, mesh.Mesh.Positions[v])
			}
		}
	}
	table, err := csv.NewReader(bytes.NewReader(read("csv"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var o map[string]any
	if err := json.Unmarshal(read("json"), &o); err != nil {
		t.Fatal(err)
	}
	if want := "vertex,x,y,z,source,target,displacement_x,displacement_y,displacement_z,cell"; strings.Join(table[0], ",") != want || len(table) != len(mesh.Mesh.Positions)+1 {
		t.Fatalf("%d lines below %v, want %s", len(table), table[0], want)
	}
	masses := map[string]float64{}
	separator := 0
	for k, name := range table[0] {
		if k == 0 {
			continue
		}
		values := o[name].([]any)
		for v := range mesh.Mesh.Positions {
			x, err := strconv.ParseFloat(table[v+1][k], 64)
			if err != nil || x != values[v].(float64) {
				t.Fatalf("%s of vertex %d is %s in the table and %v in the object", name, v, table[v+1][k], values[v])
			}
			masses[name] += x
			if name == "cell" && x == -1 {
				separator++
			}
		}
	}
	if math.Abs(masses["source"]-masses["target"]) > 1e-9*masses["source"] || separator < 10 || separator > 500 {
		t.Errorf("masses %g and %g, %d vertices in separators", masses["source"], masses["target"], separator)
	}
	for want, args := range map[string][]string{
		"needs -out FILE": {}, "the extension must be one of glb, ply, csv, json": {"-out", filepath.Join(dir, "x.stl")}, "-what heat": {"-what", "heat", "-out", filepath.Join(dir, "y.ply")},
	} {
		if code, _, stderr := tool(t, "", append([]string{"export", catMesh()}, args...)...); code != 2 || !strings.Contains(stderr, want) {
			t.Errorf("%v: exit %d, %q", args, code, stderr)
		}
	}
}
