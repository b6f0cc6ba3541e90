//go:build e2e && !js

package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"genussink/viewer/scene"
)

// odd is a mesh with two boundary loops, an edge of three faces, a flipped face and an isolated vertex.
const odd = `OFF
11 9 0
0 0 0
2 0 0
2 2 0
0 2 0
1 1 1.5
1 1 -1.5
4 0 0
4 1 0
5 0 0
9 9 0
5 1 0
3 0 1 4
3 1 2 4
3 2 3 4
3 3 0 4
3 0 2 5
3 0 2 1
3 6 7 8
3 7 8 10
3 3 2 0
`

// The page counts what is wrong with a mesh as the tool does. It lists it and flies there. A field colours the mesh. Histograms count.
func TestInspect(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "odd.off")
	write(t, name, []byte(odd))
	var d struct {
		BoundaryLoops       [][]int32 `json:"boundary_loops"`
		NonmanifoldEdges    []int32   `json:"nonmanifold_edges"` // 2 each
		NonmanifoldVertices []int32   `json:"nonmanifold_vertices"`
		DegenerateFaces     []int32   `json:"degenerate_faces"`
		FlippedFaces        []int32   `json:"flipped_faces"`
		IsolatedVertices    []int32   `json:"isolated_vertices"`
		SmallComponents     [][]int32 `json:"small_components"`
	}
	out := tool(t, "inspect", "-json", name)
	if err := json.Unmarshal(out, &d); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	counts := []int{len(d.BoundaryLoops), len(d.NonmanifoldEdges) / 2, len(d.NonmanifoldVertices), len(d.DegenerateFaces), len(d.FlippedFaces), len(d.IsolatedVertices), len(d.SmallComponents)}

	p := open(t, "?mesh=cat", small)
	p.settled()
	p.file(name)
	p.wait("s.ready && s.mesh.name == 'odd.off' && s.mesh.examined")
	p.press("Inspect mesh")
	s := p.wait("s.findings.known")
	if !reflect.DeepEqual(s.Findings.Counts, counts) || slices.Max(counts) == 0 {
		t.Fatalf("the page finds %v, the tool %v: %s", s.Findings.Counts, counts, out)
	}
	p.picture("inspected")

	p.changes("defects", 100, func() { p.press("Show defects") })
	p.press("Show defects")

	// Of the kinds that are vertices, those of the first item.
	items := map[int][]int32{0: d.BoundaryLoops[0], 1: d.NonmanifoldEdges[:2], 5: d.IsolatedVertices[:1]}
	if len(d.SmallComponents) > 0 {
		items[6] = d.SmallComponents[0]
	}
	lines := strings.Split(odd, "\n")[2:]
	middle := func(vertices []int32) (m [3]float64) { // in view units: the box is 9 by 9 by 3
		lo, hi := [3]float64{9, 9, 9}, [3]float64{-9, -9, -9}
		for _, v := range vertices {
			for axis, word := range strings.Fields(lines[v]) {
				lo[axis], hi[axis] = min(lo[axis], numeral(word)), max(hi[axis], numeral(word))
			}
		}
		for axis, c := range [3]float64{4.5, 4.5, 0} {
			m[axis] = ((lo[axis]+hi[axis])/2 - c) / math.Sqrt(4.5*4.5*2+1.5*1.5)
		}
		return m
	}
	// One of each kind is flown to. Around the small component, the last, all else is faded.
	flown := 0
	for kind, n := range counts {
		if n == 0 {
			continue
		}
		flown++
		list := fmt.Sprintf("document.getElementById('defects').children[%d]", kind)
		p.push(list + ".querySelector('summary')")
		from := eval[string](p, "new URLSearchParams(location.search).get('cam')")
		p.push(list + ".querySelector('button')")
		p.wait(fmt.Sprintf("s.findings.kind == %d && s.findings.item == 0", kind))
		p.until(list + ".querySelector('button').ariaPressed == 'true'")
		p.until(fmt.Sprintf("new URLSearchParams(location.search).get('cam') != %q", from)) // the camera moves
		if vertices := items[kind]; len(vertices) > 0 {
			to := strings.Split(p.camera(0, "none"), ",") // once it stands
			for axis, c := range middle(vertices) {
				if got := numeral(to[4+axis]); !(math.Abs(got-c) < 2e-3) {
					t.Errorf("kind %d: the camera looks at %s, the item is at %v", kind, to, middle(vertices))
				}
			}
		}
		p.picture(fmt.Sprintf("inspected-%d", kind))
	}
	if flown < 6 {
		t.Errorf("%d kinds of defects are flown to", flown)
	}
	// Pressed once more it is let go.
	p.push("document.querySelector('#defects button[aria-pressed=true]')")
	p.wait("s.findings.item == -1")

	// Colours and histograms.
	p.press("Fit view")
	p.set("Colour by", "mean")
	p.wait("s.field.name == 'mean' && s.field.shown")
	p.until("document.getElementById('field-name').textContent == 'Mean curvature'")
	for q, words := range map[scene.Quantity]string{scene.EdgeLength: "mesh units", scene.AspectRatio: "half of them", scene.Degree: "From 0 to", scene.Angle: "°"} {
		p.set("Histogram", string(q))
		p.until("document.querySelectorAll('#histogram rect').length > 0")
		if text := p.text("histogram-note"); !strings.Contains(text, words) {
			t.Errorf("the histogram of %s says %q", q, text)
		}
	}
	p.picture("inspected-field")

	// A mesh without defects.
	p.file(sphere(t, 16))
	p.wait("s.ready && s.mesh.name == 'sphere.off' && s.mesh.examined && !s.findings.known")
	p.press("Inspect mesh")
	p.wait("s.findings.known")
	p.until("document.getElementById('inspect-note').textContent == 'Nothing is wrong with this mesh.'")
}

// Every field has a scale with round ticks and says what it measures. Distances follow the clicks, the displacement follows the plan.
func TestFields(t *testing.T) {
	t.Parallel()
	p := open(t, "?mesh=cat", small)
	p.settled()
	p.press("Inspect")
	texts := func(want ...string) {
		t.Helper()
		all := eval[string](p, "document.getElementById('field-scale').textContent + ' | ' + document.getElementById('field-note').textContent")
		for _, w := range want {
			if !strings.Contains(all, w) {
				t.Errorf("no %q in %q", w, all)
			}
		}
		if n := eval[int](p, "document.querySelectorAll('#field-ticks span').length"); n < 2 || n > 7 {
			t.Errorf("%d ticks: %s", n, all)
		}
	}
	show := func(name string) pageState {
		t.Helper()
		p.set("Colour by", name)
		s := p.wait("s.field.name == '" + name + "' && s.field.shown")
		p.frames(2)
		return s
	}
	p.set("Colour by", "distance")
	p.wait("s.field.name == 'distance' && !s.field.shown")
	p.until("document.getElementById('field-note').textContent == 'Click a vertex: distances are measured from it.'")
	at := p.find(0.5, 0.5)
	p.do(chromedp.MouseClickXY(at.X, at.Y))
	first := p.wait("s.field.shown")
	if first.Field.Least != 0 || !(first.Field.Most > first.Mesh.Diagonal/2) || first.Hover.Vertex != first.Field.Vertex {
		t.Errorf("distances: %+v, the pointer is on %+v", first.Field, first.Hover)
	}
	p.until("document.getElementById('readout').textContent.includes('distance 0 m')")
	texts("Distance", "m", "From vertex")
	p.picture("field-distance")
	at = p.find(0.5, 0.25)
	p.do(chromedp.MouseClickXY(at.X, at.Y))
	p.wait(fmt.Sprintf("s.field.vertex != %d && s.field.most != %g", first.Field.Vertex, first.Field.Most))

	// Dijkstra's front from there, by slider, keys and play.
	n := first.Mesh.Vertices
	p.set("Settled vertices", "60")
	front := p.wait("s.field.front.shown && s.field.front.step == 60").Field.Front
	if front.Settled != (60*n+159)/160 || front.Open == 0 || !front.Tree || !(front.Distance > 0) {
		t.Errorf("the front: %+v", front)
	}
	p.until("document.getElementById('spread-note').textContent.startsWith('All vertices nearer than')")
	p.frames(20)
	p.picture("front")
	if _, words := p.listed(); !slices.Contains(words, "tree of shortest paths") || !slices.Contains(words, "front: reached, not settled") {
		t.Errorf("the legend has %q", words)
	}
	p.press("Front back")
	p.wait("s.field.front.step == 59")
	p.until("document.getElementById('spread').value == '59'") // a frame later
	eval[bool](p, "document.getElementById('spread').focus(), true")
	p.do(chromedp.KeyEvent(kb.ArrowRight))
	if again := p.wait("s.field.front.step == 60").Field.Front; again != front {
		t.Errorf("back and on again: %+v, not %+v", again, front)
	}
	p.set("Front speed", "8")
	p.press("Play shortest paths")
	if front = p.wait("s.field.front.step == 160 && !s.field.front.playing").Field.Front; front.Settled != n || front.Open != 0 {
		t.Errorf("in the end: %+v", front)
	}
	p.press("Hide front")
	p.wait("!s.field.front.shown")

	s := show("level")
	if s.Field.Least != 0 || s.Field.Most < 3 {
		t.Errorf("levels: %+v", s.Field)
	}
	texts("Separator level")
	if s = show("degree"); s.Field.Least < 3 || s.Field.Most > 20 {
		t.Errorf("degrees: %+v", s.Field)
	}
	texts("Degree", "edges")
	if s = show("occlusion"); s.Field.Least < 0 || !(s.Field.Most > 0.3 && s.Field.Most <= 1) {
		t.Errorf("occlusion: %+v", s.Field)
	}
	texts("Ambient occlusion", "of the sky", "%")
	if s = show("source"); !(s.Field.Most > 0 && s.Field.Most < 1) {
		t.Errorf("the source: %+v", s.Field)
	}
	texts("Source density", "of the mass", "%")
	show("target")
	if s = show("displacement"); !(s.Field.Most > 0 && s.Field.Most < s.Mesh.Diagonal) {
		t.Errorf("displacements: %+v", s.Field)
	}
	texts("Displacement", "m")
	p.unfold("Size and defects")
	p.set("Unit", "cm")
	p.wait("s.mesh.unit == 'cm'")
	p.frames(2)
	texts("Displacementcm")
	p.until("document.getElementById('mesh-diagonal').textContent.endsWith(' cm')")
	p.until("new URLSearchParams(location.search).get('unit') == 'cm'")
	p.picture("field-displacement")
	show("gaussian") // without a word the mesh is inspected
	if !p.state().Findings.Known {
		t.Error("the mesh was not inspected")
	}
}

// A click says which vertex, edge and face are under the pointer; a click beside the mesh lets go.
func TestPick(t *testing.T) {
	t.Parallel()
	p := open(t, "?mesh=cat", wide)
	p.settled()
	p.press("Inspect")
	at := p.find(0.5, 0.5)
	p.do(chromedp.MouseClickXY(at.X, at.Y))
	s := p.wait("s.pick")
	k := s.Pick
	if k.Vertex != s.Hover.Vertex || !slices.Contains(k.Corners[:], k.Vertex) || !slices.Contains(k.Corners[:], k.Edge[0]) || !slices.Contains(k.Corners[:], k.Edge[1]) {
		t.Errorf("picked %+v, the pointer is on %+v", k, s.Hover)
	}
	if sum := k.Angles[0] + k.Angles[1] + k.Angles[2]; !(sum > 179.999 && sum < 180.001 && k.Area > 0 && k.EdgeLength > 0) {
		t.Errorf("measured %+v", k)
	}
	p.frames(2)
	if text := p.text("pick"); !strings.Contains(text, fmt.Sprint(k.Vertex)) || !strings.Contains(text, "Corners") {
		t.Errorf("the panel says %q", text)
	}
	p.picture("pick")
	p.do(chromedp.MouseClickXY(40, 300)) // beside the mesh, below the legend
	p.wait("!s.pick")

	// A graph without faces has edges alone, and the numbers of its file.
	name := filepath.Join(t.TempDir(), "edge.gr")
	write(t, name, []byte("p tw 2 1\n1 2\n"))
	p.file(name)
	p.wait("s.ready && s.mesh.name == 'edge.gr' && s.mesh.examined")
	p.press("Inspect")
	p.frames(60)
	middle := eval[spot](p, "(({width, height}) => ({X: width / 2, Y: height / 2}))(document.querySelector('canvas').getBoundingClientRect())")
	p.do(chromedp.MouseClickXY(middle.X, middle.Y))
	k = p.wait("s.pick").Pick
	if k.Face != -1 || k.Vertex != -1 || k.Edge != [2]int32{0, 1} || k.EdgeLength != 1 {
		t.Errorf("of a graph: %+v", k)
	}
	p.frames(2)
	if text := p.text("pick-edge"); text != "1, 2" {
		t.Errorf("the edge is called %q", text)
	}
}

// Measured paths stay, each in the list and with a label over the picture, until they are removed.
func TestPaths(t *testing.T) {
	t.Parallel()
	p := open(t, "?mesh=cat", fine)
	p.settled()
	p.press("Measure distance")
	for _, at := range [][2]float64{{0.36, 0.25}, {0.5, 0.8}, {0.6, 0.4}, {0.45, 0.6}} {
		spot := p.find(at[0], at[1])
		p.do(chromedp.MouseClickXY(spot.X, spot.Y))
		p.frames(2)
	}
	s := p.wait("s.paths.length == 2 && s.paths.every((x) => x.known)")
	for _, path := range s.Paths {
		if !(path.Straight > 0 && path.Straight <= path.Length && path.Edges > 1) {
			t.Errorf("measured %+v", path)
		}
	}
	p.frames(3)
	boxes := `[...document.querySelectorAll('#labels span:not(.out)')].map((e) => e.getBoundingClientRect())`
	if n := eval[int](p, "document.querySelectorAll('#paths li').length"); n != 2 {
		t.Errorf("%d are listed", n)
	}
	if text := p.text("labels"); !strings.Contains(text, "1: ") || !strings.Contains(text, "2: ") {
		t.Errorf("the labels say %q", text)
	}
	p.picture("paths")
	p.labelsSaved("cat.png", 2)
	before := eval[string](p, "JSON.stringify("+boxes+")")
	p.drag(spot{40, 600}, spot{140, 600})
	p.frames(3)
	if eval[string](p, "JSON.stringify("+boxes+")") == before {
		t.Error("the labels do not turn with the mesh")
	}
	p.press("Remove path 1")
	p.wait("s.paths.length == 1 && s.paths[0].number == 2")
	p.changes("a measured path", 100, func() { p.press("Remove all paths") })
	p.wait("s.paths.length == 0")
	p.until("document.querySelectorAll('#labels span').length == 0")
	p.press("Undo removal")
	p.wait("s.paths.length == 1 && s.paths[0].number == 2 && s.paths[0].known")
	p.press("Undo removal")
	p.wait("s.paths.length == 2 && s.paths[0].number == 1 && s.removed == 0")
	p.until("document.querySelectorAll('#labels span').length > 0 && !document.getElementById('return-paths').checkVisibility()")
	// A mesh with fewer vertices than the labels' are of takes them away.
	p.file(sphere(t, 4))
	p.wait("s.mesh.name == 'sphere.off'")
	if s := p.settled(); s.Error != "" || len(s.Paths) != 0 {
		t.Errorf("another mesh has %d paths, and says %q", len(s.Paths), s.Error)
	}
	p.until("document.querySelectorAll('#labels span').length == 0")
}

// The vertices of a small graph have their file's numbers beside them, and these do not cover each other.
func TestNumbers(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "grid.gr")
	var text strings.Builder
	edges := 0
	for y := range 6 {
		for x := range 6 {
			v := 6*y + x + 1
			if x < 5 {
				fmt.Fprintf(&text, "%d %d\n", v, v+1)
				edges++
			}
			if y < 5 {
				fmt.Fprintf(&text, "%d %d\n", v, v+6)
				edges++
			}
		}
	}
	write(t, name, fmt.Appendf(nil, "p tw 36 %d\n%s", edges, &text))
	p := open(t, "?mesh=cat", fine)
	p.settled()
	p.file(name)
	p.wait("s.ready && s.mesh.name == 'grid.gr' && s.mesh.examined")
	p.frames(90)
	shown := eval[[]string](p, "[...document.querySelectorAll('#labels span:not(.out)')].map((e) => e.textContent)")
	if !slices.Contains(shown, "1") || !slices.Contains(shown, "36") || slices.Contains(shown, "0") || len(shown) < 30 {
		t.Errorf("%d numbers are shown: %v", len(shown), shown)
	}
	if n := eval[int](p, `(() => {
		const b = [...document.querySelectorAll('#labels span:not(.out)')].map((e) => e.getBoundingClientRect());
		let n = 0;
		for (const i in b) for (const j in b) if (i < j && Math.min(b[i].right, b[j].right) - Math.max(b[i].left, b[j].left) > 1 && Math.min(b[i].bottom, b[j].bottom) - Math.max(b[i].top, b[j].top) > 1) n++;
		return n;
	})()`); n > 0 {
		t.Errorf("%d pairs of numbers cover each other", n)
	}
	p.picture("numbers")
	p.labelsSaved("grid.png", len(shown))
	p.resize(phone)
	p.frames(30)
	p.picture("numbers-phone")
}

// labelsSaved checks that a picture of twice the size has that many labels: their letters stand where the page shows them.
func (p *tab) labelsSaved(name string, count int) {
	p.t.Helper()
	type letters struct{ X, Y, Width, Height, R, G, B float64 }
	labels := eval[[]letters](p, `[...document.querySelectorAll('#labels span:not(.out)')].map((e) => {
		const { x, y, width, height } = e.getBoundingClientRect(), [R, G, B] = getComputedStyle(e).color.match(/\d+/g).map(Number);
		return { x, y, width, height, R, G, B };
	})`)
	if len(labels) != count {
		p.t.Fatalf("%d labels are shown, not %d", len(labels), count)
	}
	saved := downloads(p)
	p.press("Save")
	p.set("Picture size", "2")
	p.press("Save picture")
	file := saved(name)
	p.press("Close")
	picture, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		p.t.Fatal(err)
	}
	for _, l := range labels {
		ink := 0
		for y := int(2 * l.Y); y < int(2*(l.Y+l.Height)); y++ {
			for x := int(2 * l.X); x < int(2*(l.X+l.Width)); x++ {
				r, g, b, _ := picture.At(x, y).RGBA()
				if math.Abs(float64(r>>8)-l.R)+math.Abs(float64(g>>8)-l.G)+math.Abs(float64(b>>8)-l.B) < 24 {
					ink++
				}
			}
		}
		if ink < 8 {
			p.t.Errorf("%s: %d pixels of ink in the label at %.0f, %.0f", name, ink, l.X, l.Y)
		}
	}
}

// Repairs say what they would change and what they have changed. The mended mesh is the page's, and by its session the tool's; undo brings back
// the one before.
func TestRepair(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name := filepath.Join(dir, "odd.off")
	write(t, name, []byte(odd))
	p := open(t, "?mesh=cat", wide)
	allowDownloads(p, dir)
	p.settled()
	p.file(name)
	p.wait("s.ready && s.mesh.name == 'odd.off' && s.mesh.examined")
	p.press("Inspect mesh")
	p.wait("s.findings.known")
	p.unfold("Repair")
	p.press("Drop isolated vertices: 1 vertex would go")
	s := p.wait("s.ready && s.repairs.length == 1 && s.findings.known && s.mesh.examined")
	if s.Mesh.Vertices != 10 || s.Mesh.IsolatedVertices != 0 || s.Task != scene.TaskInspect || s.Repairs[0].Count != 1 {
		t.Errorf("repaired: %+v, %+v", s.Mesh, s.Repairs)
	}
	p.until("document.getElementById('repaired').textContent == 'Dropped isolated vertices: 1 vertex gone.'")
	p.wait("s.densities.sourceMass > 0")
	p.press("Orient faces: 1 face would turn over")
	s = p.wait("s.ready && s.repairs.length == 2 && s.findings.known && s.mesh.examined")
	if s.Findings.Counts[scene.FlippedFace] != 0 {
		t.Errorf("oriented: %v", s.Findings.Counts)
	}
	p.wait("s.densities.sourceMass > 0")
	p.picture("repaired")
	p.unfold("Session")
	p.press("Save session file")
	file := filepath.Join(dir, "odd.genussink")
	for range 200 {
		if _, err := os.Stat(file); err == nil {
			break
		}
		p.frames(1)
	}
	if out := string(tool(t, "info", "-json", file)); !strings.Contains(strings.ReplaceAll(out, " ", ""), `"vertices":10,`) {
		t.Errorf("the tool opens the session as %s", out)
	}
	p.press("Undo repair")
	p.wait("s.ready && s.repairs.length == 1 && s.findings.known && s.densities.sourceMass > 0")
	p.press("Undo repair")
	if s = p.wait("s.ready && s.repairs.length == 0 && s.findings.known && s.mesh.examined"); s.Mesh.Vertices != 11 || s.Findings.Counts[scene.FlippedFace] != 1 {
		t.Errorf("undone: %+v", s.Mesh)
	}
}

// A pyramid's four sides as triangles with corners of their own, and a face without area.
const soup = `OFF
15 5 0
0 0 0
2 0 0
1 1 1.5
2 0 0
2 2 0
1 1 1.5
2 2 0
0 2 0
1 1 1.5
0 2 0
0 0 0
1 1 1.5
0 0 0
1 0 0
2 0 0
3 0 1 2
3 3 4 5
3 6 7 8
3 9 10 11
3 12 13 14
`

// Triangles that share no vertices are welded. A face without area is dropped. The page says what each step changed, and both can be undone.
func TestRepairSoup(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "soup.off")
	write(t, name, []byte(soup))
	p := open(t, "?mesh=cat", wide)
	p.settled()
	p.file(name)
	p.wait("s.ready && s.mesh.name == 'soup.off' && s.mesh.examined")
	p.press("Inspect mesh")
	if s := p.wait("s.findings.known"); s.Mesh.Vertices != 15 || s.Mesh.Components != 5 {
		t.Errorf("the file is read as %+v", s.Mesh)
	}
	p.unfold("Repair")
	p.press("Weld equal vertices: 9 vertices would go")
	s := p.wait("s.ready && s.repairs.length == 1 && s.findings.known && s.mesh.examined")
	if s.Mesh.Vertices != 6 || s.Mesh.Components != 1 || s.Mesh.DegenerateFaces != 1 {
		t.Errorf("welded: %+v", s.Mesh)
	}
	p.until("document.getElementById('repaired').textContent == 'Welded equal vertices: 9 vertices gone.'")
	list := fmt.Sprintf("document.getElementById('defects').children[%d]", scene.DegenerateFace)
	p.push(list + ".querySelector('summary')")
	p.changes("a degenerate face", 50, func() {
		p.push(list + ".querySelector('button')")
		p.wait(fmt.Sprintf("s.findings.item == 0 && s.findings.kind == %d", scene.DegenerateFace))
	})
	p.press("Drop degenerate faces: 1 face would go")
	s = p.wait("s.ready && s.repairs.length == 2 && s.findings.known && s.mesh.examined")
	if s.Mesh.Faces != 4 || s.Mesh.DegenerateFaces != 0 || s.Mesh.IsolatedVertices != 1 || s.Mesh.BoundaryLoops != 1 {
		t.Errorf("without the face: %+v", s.Mesh)
	}
	p.until("document.getElementById('repaired').lastElementChild.textContent == 'Dropped degenerate faces: 1 face gone.'")
	for left := 1; left >= 0; left-- {
		p.press("Undo repair")
		s = p.wait(fmt.Sprintf("s.ready && s.repairs.length == %d && s.findings.known && s.mesh.examined", left))
	}
	if s.Mesh.Vertices != 15 || s.Mesh.Faces != 5 {
		t.Errorf("undone: %+v", s.Mesh)
	}
}
