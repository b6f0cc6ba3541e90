//go:build e2e && !js

package e2e

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"genussink/core/graph"
	"genussink/core/treedec"
	"genussink/internal/absent"
	"genussink/viewer/scene"
)

// gridFile writes a w x h grid as a PACE file.
func gridFile(t *testing.T, w, h int) (path string, g *graph.Graph) {
	t.Helper()
	var edges []graph.Edge
	for v := range int32(w * h) {
		if int(v)%w+1 < w {
			edges = append(edges, graph.Edge{U: v, V: v + 1, Weight: 1})
		}
		if int(v)/w+1 < h {
			edges = append(edges, graph.Edge{U: v, V: v + int32(w), Weight: 1})
		}
	}
	g, err := graph.New(w*h, edges)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := g.WritePACE(&out); err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), fmt.Sprintf("grid-%dx%d.gr", w, h))
	if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return path, g
}

// node is the middle of a node of the drawn separator tree.
func (p *tab) node(i int) spot {
	p.t.Helper()
	p.frames(2) // what the state says is then also what the panel shows
	return eval[spot](p, fmt.Sprintf(`(() => {
		const c = document.querySelector('#tree circle[data-node="%d"]');
		c.scrollIntoView({ block: 'center' });
		const r = c.getBoundingClientRect();
		return { X: r.x + r.width / 2, Y: r.y + r.height / 2 };
	})()`, i))
}

func (p *tab) click(at spot) {
	p.t.Helper()
	p.mouse(chromedp.MouseMoved, at, 0)
	p.frames(1)
	p.mouse(chromedp.MousePressed, at, 1)
	p.frames(1)
	p.mouse(chromedp.MouseReleased, at, 0)
	p.frames(1)
}

// The list of separators by size and balance: any of it can be the root's. The
// tree and the mesh show each other's cells, by pointer and by keys.
func TestSeparatorPanel(t *testing.T) {
	t.Parallel()
	p := open(t, "?mesh=cat", small)
	s := p.settled()
	n := s.Mesh.Vertices
	p.press("Size against balance")
	s = p.wait("s.separation.swept && s.phase != 'computing'")
	cuts := s.Separation.Cuts
	if len(cuts) == 0 || s.Separation.Taken != -1 {
		t.Fatalf("swept %+v", s.Separation)
	}
	for i, c := range cuts {
		if c.A+c.S+c.B != n || i > 0 && c.S <= cuts[i-1].S {
			t.Errorf("cut %d of %d vertices: %+v", i, n, c)
		}
	}
	p.until(fmt.Sprintf("document.querySelectorAll('#pareto-list button').length == %d", len(cuts)))
	p.press(eval[string](p, "document.querySelector('#pareto-list button').ariaLabel"))
	s = p.wait("s.separation.taken == 0 && s.phase != 'computing'")
	if root := s.Separation.Levels[0]; root.A != cuts[0].A || root.S != cuts[0].S || root.B != cuts[0].B {
		t.Errorf("the root's separation is %+v, taken was %+v", root, cuts[0])
	}
	p.until("document.querySelector('#pareto-list button').ariaPressed == 'true'")
	p.settled()
	p.until("document.querySelector('#pareto-figure-point-0').ariaLabel.endsWith(', now')")
	p.picture("pareto")
	// The chart's dots are taken too, by pointer and by keys.
	last := len(cuts) - 1
	dot := p.place(fmt.Sprintf("#pareto-figure-point-%d circle", last))
	p.do(chromedp.MouseClickXY(dot.X, dot.Y))
	p.wait(fmt.Sprintf("s.separation.taken == %d && s.phase != 'computing'", last))
	p.until(fmt.Sprintf("document.activeElement.matches('#pareto-figure-point-%d[aria-label$=now]')", last))
	if words := eval[string](p, fmt.Sprintf("document.querySelector('#pareto-figure-point-%d title').textContent", last)); !strings.HasPrefix(words, fmt.Sprintf("%d vertices, smaller side ", cuts[last].S)) {
		t.Errorf("the dot of %+v is named %q", cuts[last], words)
	}
	p.do(chromedp.KeyEvent(left), chromedp.KeyEvent(enter))
	p.wait(fmt.Sprintf("s.separation.taken == %d && s.phase != 'computing'", last-1))
	p.until(fmt.Sprintf("document.activeElement.matches('#pareto-figure-point-%d[tabindex=\"0\"]')", last-1))
	p.press("Finder’s own")
	p.wait("s.separation.taken == -1 && s.phase != 'computing'")
	p.settled()

	// Level by level, with the lessons' control.
	p.set("Separator level", "0")
	p.wait("s.separation.level == 0")
	p.set("Level speed", "8")
	p.press("Level on")
	p.wait("s.separation.level == 1")
	p.press("Level back")
	p.wait("s.separation.level == 0")
	p.press("Play levels")
	p.wait("s.separation.playing && s.separation.level > 1")
	s = p.wait("!s.separation.playing")
	if last := len(s.Separation.Levels) - 1; s.Separation.Level != last {
		t.Errorf("played to level %d of %d", s.Separation.Level, last)
	}
	p.until("document.getElementById('level').value == document.getElementById('level').max")

	p.click(p.node(1))
	s = p.wait("s.separation.cell == 1")
	if s.Separation.Level != 1 {
		t.Errorf("level %d for a node at depth 1", s.Separation.Level)
	}
	p.frames(30)
	p.picture("cell")
	// Click on the mesh: the tree follows.
	at := p.find(0.5, 0.5)
	h := p.state().Hover
	p.click(at)
	s = p.wait(fmt.Sprintf("s.separation.cell == %d", h.Node))
	p.until(fmt.Sprintf("document.querySelector('#tree circle[data-node=\"%d\"]').ariaSelected == 'true'", h.Node))
	p.press("Fit view") // takes the keyboard to the panel
	eval[bool](p, "document.querySelector('#tree circle[tabindex=\"0\"]').focus(), true")
	for s.Separation.Cell != 0 { // up to the root, which is let go of when it is there
		p.do(chromedp.KeyEvent(kb.ArrowUp), chromedp.KeyEvent(kb.Enter))
		s = p.wait(fmt.Sprintf("s.separation.cell != %d", s.Separation.Cell))
	}
	p.do(chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.Enter))
	p.wait("s.separation.cell == 1")
	p.do(chromedp.KeyEvent(kb.Escape))
	p.wait("s.separation.cell == -1")
}

// The finder and the balance chosen make the split: the page's is the one that
// the tool finds and verifies, and its numbers are shown.
func TestFinderAndBalance(t *testing.T) {
	t.Parallel()
	mesh := filepath.Join(root, "assets/meshes/cat.glb")
	p := open(t, "?mesh=cat", small)
	p.settled()
	seen := map[scene.LevelState]bool{}
	for _, c := range []struct{ finder, balance string }{
		{"", "0.35"}, {"level-set", "0.3"}, {"level-set", "0.45"}, {"flow-cutter", "0.45"}, {"lipton-tarjan", "0.1"},
	} {
		p.set("Separator finder", c.finder)
		want, err := strconv.ParseFloat(c.balance, 64)
		if err != nil {
			t.Fatal(err)
		}
		p.set("Balance", strconv.Itoa(int(math.Round(60*want)))) // sixtieths
		s := p.wait(fmt.Sprintf("s.separation.finder == %q && s.separation.balance == %s && s.phase != 'computing' && !s.transport.stale && s.workers.unfinished == 0", c.finder, c.balance))
		found := toolSays[struct {
			A, S, B int
			Ratio   float64 `json:"s_over_sqrt_n"`
			Balance float64
			Finder  string
		}](t, "separate", mesh, "-finder", c.finder, "-balance", c.balance, "-levels", "1")
		top := s.Separation.Levels[0]
		if s.Error != "" || top.A != found.A || top.S != found.S || top.B != found.B || s.Separation.Used != found.Finder {
			t.Errorf("%s at %s: the root is %+v by %s, the tool's %+v; %s", c.finder, c.balance, top, s.Separation.Used, found, s.Error)
		}
		if seen[top] {
			t.Errorf("%s at %s: the split %+v has not changed", c.finder, c.balance, top)
		}
		seen[top] = true
		if found.Balance < want-1/float64(s.Mesh.Vertices) {
			t.Errorf("%s: the smaller side holds %g, %s was asked for", c.finder, found.Balance, c.balance)
		}
		p.until(fmt.Sprintf("document.getElementById('cell-s').textContent.replace(/\\D/g, '') == '%d'", found.S))
		for id, want := range map[string]string{"cell-a": strconv.Itoa(found.A), "cell-b": strconv.Itoa(found.B), "cell-ratio": fmt.Sprintf("%.2f", found.Ratio)} {
			if got := p.text(id); strings.Map(digits, got) != strings.Map(digits, want) {
				t.Errorf("%s at %s: %s says %q, want %s", c.finder, c.balance, id, got, want)
			}
		}
		p.picture("finder-" + c.finder + c.balance)
	}
}

// digits drops what parts a number's groups.
func digits(r rune) rune {
	if r >= '0' && r <= '9' || r == '.' {
		return r
	}
	return -1
}

// A link carries the finder, the balance and the separation taken; one of before
// that still opens.
func TestSharedSeparation(t *testing.T) {
	t.Parallel()
	p := open(t, "?mesh=cat&finder=level-set&level=1", small) // as links were
	s := p.settled()
	if sep := s.Separation; sep.Finder != "level-set" || sep.Used != "level-set" || sep.Level != 1 || sep.Balance != 0 || sep.Taken != -1 || s.Error != "" {
		t.Errorf("an old link shows %+v", sep)
	}
	p.set("Balance", "15") // sixtieths
	p.press("Size against balance")
	p.wait("s.separation.swept && s.phase != 'computing'")
	p.until("document.querySelectorAll('#pareto-list button').length > 2") // a frame later
	p.press(eval[string](p, "document.querySelectorAll('#pareto-list button')[2].ariaLabel"))
	before := p.wait("s.separation.taken == 2 && s.phase != 'computing' && !s.transport.stale")
	p.until("new URLSearchParams(location.search).has('cut')")
	link := eval[string](p, "location.search")

	again := open(t, link, small)
	after := again.settled()
	if a, b := after.Separation, before.Separation; a.Taken != 2 || a.Balance != 0.25 || a.Levels[0] != b.Levels[0] || a.Nodes != b.Nodes || a.Finder != b.Finder || after.Error != "" {
		t.Errorf("%s shows %+v, it was %+v", link, a, b)
	}
	again.until("document.querySelectorAll('#pareto-list button')[2]?.ariaPressed == 'true'")
	if got := eval[string](again, "new URLSearchParams(location.search).get('cut')"); !strings.Contains(link, "cut="+got) {
		t.Errorf("of %s the cut becomes %s", link, got)
	}
}

// A file that is no mesh and no graph says what it is; what a graph's file has
// and the graph has not is counted.
func TestForeignFiles(t *testing.T) {
	t.Parallel()
	p := open(t, "?mesh=cat", small)
	p.settled()
	for name, c := range map[string]struct{ content, want string }{
		"graph.gr.xz": {"\xfd7zXZ\x00", "unpack it first"},
		"graph.td":    {"c\ns td 1 1 1\nb 1 1\n", "graph.td: line 2: not valid: size: made for 1 vertices, the graph has "},
		"notes.txt":   {"hello", "neither by name nor by content"},
	} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(c.content), 0o644); err != nil {
			t.Fatal(err)
		}
		p.file(path)
		p.wait("s.phase == 'error'")
		p.until(fmt.Sprintf("document.querySelector('[role=alert]').textContent.includes(%q)", c.want))
		p.press("Dismiss")
		p.wait("s.phase != 'error'")
	}
	path := filepath.Join(t.TempDir(), "loops.gr")
	if err := os.WriteFile(path, []byte("p tw 4 5\n1 1\n1 2\n2 1\n2 3\n3 4\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	p.file(path)
	s := p.wait("s.ready && s.mesh.name == 'loops.gr' && s.mesh.examined") // its warnings come then
	if s.Mesh.Edges != 3 || !slices.ContainsFunc(s.Mesh.Warnings, func(w string) bool { return strings.Contains(w, "1 of the file's 5 edges lead") }) {
		t.Errorf("opened %+v", s.Mesh)
	}
}

// The treewidth of a grid is proved, its decomposition shown bag by bag, its
// order vertex by vertex, and saved as a file that the library accepts.
func TestTreewidthPanel(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := open(t, "?mesh=cat", small)
	allowDownloads(p, dir)
	p.settled()
	path, g := gridFile(t, 6, 6)
	p.file(path)
	p.wait("s.ready && s.mesh.graph && s.mesh.vertices == 36")
	p.settled()
	p.press("Find treewidth")
	s := p.wait("!s.treewidth.running && s.treewidth.known")
	tw := s.Treewidth
	if !tw.Exact || tw.Lower != 6 || tw.Upper != 6 || tw.Status != "exact" {
		t.Fatalf("treewidth of a 6 x 6 grid: %+v", tw)
	}
	p.until("document.getElementById('treewidth-note').textContent.includes('6: proved')")
	p.press("Widest bag")
	if s = p.wait("s.treewidth.shown >= 0"); s.Treewidth.BagSize != 7 {
		t.Errorf("the widest bag holds %d vertices", s.Treewidth.BagSize)
	}
	p.press("Centroid bag")
	s = p.wait("s.treewidth.shown == s.treewidth.centroid")
	sum := s.Treewidth.BagSize
	for _, size := range s.Treewidth.Parts {
		sum += size
	}
	if sum != 36 || s.Treewidth.Parts[0] > 18 {
		t.Errorf("the centroid bag of %d leaves %v", s.Treewidth.BagSize, s.Treewidth.Parts)
	}
	p.frames(30)
	p.picture("centroid")
	p.press("Hide bag")
	p.wait("s.treewidth.shown == -1")
	p.press("Step on")
	s = p.wait("s.treewidth.elimination.step == 1")
	if e := s.Treewidth.Elimination; e.Vertex < 0 || s.Treewidth.Shown != -1 || e.Degree != 2 {
		t.Errorf("after one step %+v", e)
	}
	p.set("Elimination step", "20")
	p.wait("s.treewidth.elimination.step == 20")
	p.frames(30)
	p.picture("elimination")
	p.press("Play elimination")
	p.wait("s.treewidth.elimination.playing && s.treewidth.elimination.step > 22")
	p.press("Pause elimination")
	s = p.wait("!s.treewidth.elimination.playing")
	at := s.Treewidth.Elimination.Step
	p.press("Step back")
	p.wait(fmt.Sprintf("s.treewidth.elimination.step == %d", at-1))
	p.press("Play elimination")
	s = p.wait("s.treewidth.elimination.step == 36 && !s.treewidth.elimination.playing")
	if e := s.Treewidth.Elimination; e.Width != 6 {
		t.Errorf("at the end %+v", e)
	}
	p.press("Hide elimination")
	p.wait("!s.treewidth.elimination.shown")

	p.press("Save .td")
	d, err := treedec.ReadPACE(bytes.NewReader(downloaded(t, dir, "grid-6x6.td")))
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Validate(g); err != nil {
		t.Error(err)
	}
	if d.Width() != 6 {
		t.Errorf("the file's width is %d", d.Width())
	}

	// A file's decomposition is checked and shown. One that is none says where it fails, and what was shown stays.
	one := filepath.Join(dir, "one.td")
	all := "s td 1 36 36\nb 1"
	for v := range 36 {
		all += fmt.Sprint(" ", v+1)
	}
	for content, want := range map[string]string{
		all + "\n":                  "",
		all + "\nb 1 1\n":           "one.td: line 3: bag 1 a second time",
		"s td 1 1 36\nb 1 1\n":      "one.td: not valid: vertex: vertex 2 lies in no bag",
		"c\nc\ns td 1 1 9\nb 1 1\n": "one.td: line 3: not valid: size: made for 9 vertices, the graph has 36",
	} {
		if err := os.WriteFile(one, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		p.file(one)
		if want == "" {
			p.wait("s.treewidth.status == 'file' && s.treewidth.bags == 1 && s.treewidth.upper == 35 && s.treewidth.lower == 6 && !s.treewidth.exact")
			p.until("document.getElementById('treewidth-note').textContent.includes('the file’s')")
			continue
		}
		p.wait("s.phase == 'error'")
		p.until(fmt.Sprintf("document.querySelector('[role=alert]').textContent.includes(%q)", want))
		p.press("Dismiss")
	}
	p.file(filepath.Join(dir, "grid-6x6.td"))
	p.wait("s.treewidth.status == 'file' && s.treewidth.exact && s.treewidth.upper == 6 && s.treewidth.bags > 1")
	p.until("document.querySelector('#bags svg')")
	p.file(path, filepath.Join(dir, "grid-6x6.td")) // both together
	p.wait("s.ready && s.treewidth.status == 'file' && s.treewidth.upper == 6 && s.task == 'treewidth'")
}

// downloaded waits for a file to be there whole.
func downloaded(t *testing.T, dir, name string) []byte {
	t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if data, err := os.ReadFile(filepath.Join(dir, name)); err == nil && len(data) > 0 {
			return data
		}
	}
	t.Fatalf("%s never comes", name)
	return nil
}

// A search that would go on shows its bounds, and ends at once when it is told
// to; what it has found stays, and the solved plan is not lost.
func TestTreewidthStops(t *testing.T) {
	t.Parallel()
	p := open(t, "?mesh=octopus", small)
	p.settled()
	p.press("Find treewidth")
	p.wait("s.treewidth.running && s.treewidth.known && s.treewidth.bags > 0")
	p.press("Stop search")
	s := p.wait("!s.treewidth.running && s.workers.unfinished == 0")
	tw := s.Treewidth
	if tw.Status != "cancelled" || tw.Exact || tw.Lower < 1 || tw.Upper <= tw.Lower || tw.Bags == 0 {
		t.Errorf("stopped with %+v", tw)
	}
	if s.Workers.CancelMs == 0 { // TestCancel has how long it may take
		t.Error("the Worker was not told to stop")
	}
	t.Logf("treewidth of %s between %d and %d after %.1f s; stopped within %.0f ms", s.Mesh.Name, tw.Lower, tw.Upper, tw.Seconds, s.Workers.CancelMs)
	p.press("Centroid bag")
	s = p.wait("s.treewidth.shown >= 0")
	if 2*s.Treewidth.Parts[0] > s.Mesh.Vertices {
		t.Errorf("the centroid leaves %v of %d", s.Treewidth.Parts, s.Mesh.Vertices)
	}
	if s.Transport.Result == nil || s.Error != "" {
		t.Errorf("the plan is lost: %q", s.Error)
	}
}

// A graph without faces is drawn, painted, separated and solved like a mesh.
func TestGraph(t *testing.T) {
	t.Parallel()
	p := open(t, "?mesh=cat", small)
	p.settled()
	path, _ := gridFile(t, 30, 20)
	p.file(path)
	p.wait("s.ready && s.mesh.name == 'grid-30x20.gr'")
	s := p.settled()
	if m := s.Mesh; !m.Graph || !m.Flat || !m.Laid || m.Vertices != 600 || m.Edges != 1150 || m.Faces != 0 {
		t.Errorf("opened %+v", m)
	}
	if s.Separation.Levels[0].S > 30 || s.Transport.Result.Status != "converged" {
		t.Errorf("root %+v, %s", s.Separation.Levels[0], s.Transport.Result.Status)
	}
	p.wait("s.playback.playing || s.playback.available")
	p.picture("graph")
	at := p.find(0.5, 0.5)
	p.press("Paint source")
	p.drag(at, spot{at.X + 20, at.Y + 10})
	p.wait("s.densities.undo >= 1 && !s.densities.stroke")
	p.settled()
	eval[bool](p, "document.querySelectorAll('details').forEach((d) => d.open = true), true")
	p.set("Graph layout", "space")
	p.wait("s.ready && !s.mesh.flat")
	p.settled()
	p.frames(20)
	p.picture("graph-space")
}

// roads is a file of the shared data beside the repository.
func roads(t *testing.T, elem ...string) string {
	t.Helper()
	path := filepath.Join(append([]string{root, "..", "shared", "data", "roads"}, elem...)...)
	if _, err := os.Stat(path); err != nil {
		absent.Skip(t, err)
	}
	return path
}

// Road networks: one with coordinates, in two tables, and one in 22 pieces.
func TestRoads(t *testing.T) {
	t.Parallel()
	edges := roads(t, "manhattan_taxi", "edges.csv")
	p := open(t, "?mesh=cat", small)
	p.settled()
	p.file(edges, roads(t, "manhattan_taxi", "points.csv"))
	p.wait("s.ready && s.mesh.graph && s.mesh.vertices == 4091")
	s := p.settled()
	if m := s.Mesh; m.Edges != 7338 || m.Laid || !m.Flat || m.Components != 1 {
		t.Errorf("opened %+v", m)
	}
	if s.Transport.Result.Status != "converged" || s.Separation.Levels[0].S == 0 || s.Separation.Levels[0].S > 64 {
		t.Errorf("%s; root %+v", s.Transport.Result.Status, s.Separation.Levels[0])
	}
	p.frames(20)
	p.picture("roads")
	p.set("Separator level", "5")
	p.frames(30)
	p.picture("roads-5")

	p.file(roads(t, "rome99", "rome99.gr"))
	p.wait("s.mesh.vertices == 3353")
	s = p.settled()
	if s.Error != "" || s.Transport.Result.Status != "converged" {
		t.Errorf("%q, %+v", s.Error, s.Transport)
	}
	if s.Mesh.Components != 22 || !slices.ContainsFunc(s.Mesh.Warnings, func(w string) bool { return strings.Contains(w, "22 components") }) {
		t.Errorf("opened %+v", s.Mesh)
	}
	p.frames(30)
	p.picture("rome")
}
