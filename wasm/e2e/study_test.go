//go:build e2e && !js

package e2e

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"genussink/core/graph"
	"genussink/core/treedec"
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
	return eval[spot](p, fmt.Sprintf(`(() => {
		const c = document.querySelectorAll('#tree circle')[%d];
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
	p.picture("pareto")
	p.press("Finder’s own")
	p.wait("s.separation.taken == -1 && s.phase != 'computing'")
	p.settled()

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
	p.until(fmt.Sprintf("document.querySelectorAll('#tree circle')[%d].ariaSelected == 'true'", h.Node))
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

// The treewidth of a grid is proved, its decomposition shown bag by bag, its
// order vertex by vertex, and saved as a file that the library accepts.
func TestTreewidthPanel(t *testing.T) {
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
	p.set("Elimination step", "20", "input")
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
	if s.Workers.CancelMs > 100 || s.Workers.CancelMs == 0 {
		t.Errorf("stopping took %.0f ms", s.Workers.CancelMs)
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
	p.set("Graph layout", "space", "change")
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
		t.Skipf("shared data absent: %v", err)
	}
	return path
}

// Road networks: one with coordinates, in two tables, and one in 22 pieces.
func TestRoads(t *testing.T) {
	edges := roads(t, "manhattan_taxi", "edges.csv")
	p := open(t, "?mesh=cat", small)
	p.settled()
	p.file(edges, roads(t, "manhattan_taxi", "points.csv"))
	p.wait("s.ready && s.mesh.graph && s.mesh.vertices == 4091")
	s := p.settled()
	if m := s.Mesh; m.Edges != 7338 || m.Laid || !m.Flat || m.Pieces != 1 {
		t.Errorf("opened %+v", m)
	}
	if s.Transport.Result.Status != "converged" || s.Separation.Levels[0].S == 0 || s.Separation.Levels[0].S > 64 {
		t.Errorf("%s; root %+v", s.Transport.Result.Status, s.Separation.Levels[0])
	}
	p.frames(20)
	p.picture("roads")
	p.set("Separator level", "5", "input")
	p.frames(30)
	p.picture("roads-5")

	p.file(roads(t, "rome99", "rome99.gr"))
	p.wait("s.mesh.vertices == 3353")
	s = p.settled()
	if s.Error != "" || s.Transport.Result.Status != "converged" {
		t.Errorf("%q, %+v", s.Error, s.Transport)
	}
	if s.Mesh.Pieces != 22 || !slices.ContainsFunc(s.Mesh.Warnings, func(w string) bool { return strings.Contains(w, "22 components") }) {
		t.Errorf("opened %+v", s.Mesh)
	}
	p.frames(30)
	p.picture("rome")
}
