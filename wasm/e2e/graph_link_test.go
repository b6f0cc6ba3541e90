//go:build e2e && !js

package e2e

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"
)

// A link makes the same graph as the tool does, and Treewidth finds the same width.
func TestGraphByLink(t *testing.T) {
	t.Parallel()
	for link, make := range map[string][]string{
		"?make=grid&p.side=6":                       {"grid", "-side", "6"},
		"?make=dumbbell-graph&p.radius=3&p.width=1": {"dumbbell-graph", "-radius", "3", "-width", "1"},
	} {
		file := filepath.Join(t.TempDir(), "graph.gr")
		tool(t, append(append([]string{"generate"}, make...), "-out", file)...)
		info := toolSays[struct{ Vertices, Edges int }](t, "info", file)
		width := toolSays[struct {
			Width int
			Lower int `json:"lower_bound"`
		}](t, "treedec", file)
		p := open(t, link, wide)
		s := p.wait("s.mesh.graph && s.mesh.vertices > 0")
		if s.Mesh.Vertices != info.Vertices || s.Mesh.Edges != info.Edges {
			t.Errorf("%s has %d vertices and %d edges, by the tool %d and %d", link, s.Mesh.Vertices, s.Mesh.Edges, info.Vertices, info.Edges)
		}
		p.press("Find treewidth")
		s = p.wait("s.treewidth.known && !s.treewidth.running")
		if !s.Treewidth.Exact || s.Treewidth.Upper != width.Width || width.Lower != width.Width || width.Width < 3 {
			t.Errorf("%s has a treewidth of %d to %d, by the tool %d to %d", link, s.Treewidth.Lower, s.Treewidth.Upper, width.Lower, width.Width)
		}
		if make[0] != "grid" {
			continue
		}
		// The address says which bag is shown, and how far an elimination is. A page that begins with it searches, and shows the same.
		p.press("Widest bag")
		p.until("location.search.includes('bag=widest')")
		shown := p.state().Treewidth.Bag
		p.do(chromedp.Reload())
		if again := p.wait("s.treewidth.shown >= 0 && !s.treewidth.running").Treewidth; !slices.Equal(again.Bag, shown) || again.Shown != again.Widest {
			t.Errorf("loaded again, the page shows bag %v, not %v", again.Bag, shown)
		}
		p.set("Elimination step", "7")
		p.until("location.search.includes('gone=7') && !location.search.includes('bag=')")
		p.do(chromedp.Reload())
		p.wait("s.treewidth.elimination.step == 7 && !s.treewidth.running && s.task == 'treewidth'")
	}
}

// The slider of the tree's depth is what the tool's -levels is.
func TestTreeDepth(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "torus.off")
	tool(t, "generate", "torus", "-segments", "24", "-sides", "10", "-out", file)
	for _, method := range []string{"tree", "sampled"} {
		want := toolSays[struct{ Depth, Iterations int }](t, "solve", file, "-measures", "paper", "-epsilon", "0.2", "-method", method, "-levels", "2")
		p := open(t, "?make=torus&p.segments=24&p.sides=10&method="+method, wide)
		whole := p.settled().Transport.Result.Depth
		p.set("Tree depth", "2")
		p.press("Solve")
		s := p.wait("s.ready && s.transport.result.depth == 2")
		if whole <= 2 || s.Transport.Result.Depth != want.Depth || p.text("result-depth") != "2 levels of separators" {
			t.Errorf("%s: a tree of %d levels is cut at %d, by the tool at %d, and said to have %q", method, whole, s.Transport.Result.Depth, want.Depth, p.text("result-depth"))
		}
	}
}
