//go:build e2e && !js

package e2e

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/heapprofiler"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/cdproto/systeminfo"
	"github.com/chromedp/chromedp"
)

const pageProgram = "the page's program"

// holds is what an open page takes, by what takes it: bytes, and numbers of things.
func (p *tab) holds() map[string]float64 {
	p.t.Helper()
	call(p, heapprofiler.CollectGarbage, cdp.Empty{})
	holds := map[string]float64{pageProgram: eval[float64](p, "genussink.memory()")}
	info, err := chromedp.CallBrowser(p.ctx, systeminfo.GetProcessInfo, cdp.Empty{})
	if err != nil {
		p.t.Fatal(err)
	}
	for _, i := range info.ProcessInfo {
		if i.Type != "renderer" && i.Type != "GPU" {
			continue
		}
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", i.ID))
		if err != nil {
			continue // it has just ended
		}
		var size, resident, shared float64 // pages
		if _, err := fmt.Sscan(string(text), &size, &resident, &shared); err != nil {
			p.t.Fatal(err)
		}
		holds["processes of type "+i.Type] += (resident - shared) * float64(os.Getpagesize())
	}
	for _, m := range call(p, performance.GetMetrics, cdp.Empty{}).Metrics {
		if m.Name == "Nodes" || m.Name == "JSEventListeners" {
			holds[m.Name] = m.Value
		}
	}
	return holds
}

// turn turns the mesh to and fro. Ebiten keeps a list of triangles for every second frame, each as long as that frame's longest: one
// frame more now and then, and both have seen the mesh.
func (p *tab) turn() {
	p.t.Helper()
	at := spot{120, 180}
	p.mouse(chromedp.MouseMoved, at, 0)
	p.mouse(chromedp.MousePressed, at, 1)
	for k := range 12 {
		p.mouse(chromedp.MouseMoved, spot{at.X + 20*float64(k%4), at.Y}, 1)
		p.frames(1 + k%3)
	}
	p.mouse(chromedp.MouseReleased, at, 0)
	p.frames(1)
}

// Thirteen meshes of 2,494 to 12,118 vertices are opened one after the other. Each is solved, painted on, solved again and turned. The
// two largest come first, one of them twice. What the page and its Workers hold then is what such meshes need. Ten meshes follow, and
// nothing grows by more than a fifth.
//
// The page's program is an exception. Its memory grows as Go happens to collect garbage, so its bytes in use are measured. They may grow by a
// half: Ebiten keeps lists of triangles, which took up to 5 of 19 MB. A page that keeps the arrays of all ten meshes needs 9 MB more,
// and fails.
func TestMemoryStays(t *testing.T) {
	quick(t)
	if _, err := os.Stat("/proc/self/statm"); err != nil {
		t.Skip("there is no /proc to read memory from: ", err)
	}
	p := open(t, "?mesh=gear", small)
	call(p, performance.Enable, performance.EnableParams{})
	var before map[string]float64
	for i, name := range []string{"gear", "tee", "gear", "cat", "swan", "octopus", "dancer", "tee", "pretzel", "amphora", "tee", "cat", "gear"} {
		if i > 0 {
			p.file(gallery(name + ".glb"))
			p.wait("s.mesh.name == '" + name + ".glb'")
		}
		p.settled()
		p.paint("Paint source", [2]float64{0.5, 0.5}, [2]float64{0.52, 0.5})
		p.press("Solve")
		p.settled()
		p.turn()
		holds := p.holds()
		t.Log(name, holds)
		if i == 2 {
			before = holds
		}
		for _, what := range slices.Sorted(maps.Keys(before)) {
			most := 1.2
			if what == pageProgram {
				most = 1.5
			}
			if holds[what] > most*before[what] {
				t.Errorf("%d meshes later, with %s: %s: %.0f, and was %.0f", i-2, name, what, holds[what], before[what])
			}
		}
	}
	if len(before) != 5 {
		t.Errorf("measured is %v", before)
	}
}
