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

// holds is what an open page takes, by what takes it: bytes, and numbers of things.
func (p *tab) holds() map[string]float64 {
	p.t.Helper()
	call(p, heapprofiler.CollectGarbage, cdp.Empty{})
	holds := map[string]float64{"the page's program": eval[float64](p, "pageMemory.buffer.byteLength")}
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

// Twelve meshes of 2,494 to 12,118 vertices are opened one after the other, the two largest first, and each is solved. What the
// page and its Workers hold then is what those need: from the third mesh on nothing of it grows by more than a fifth. The memory of a
// WebAssembly program never shrinks.
func TestMemoryStays(t *testing.T) {
	quick(t)
	if _, err := os.Stat("/proc/self/statm"); err != nil {
		t.Skip("there is no /proc to read memory from: ", err)
	}
	p := open(t, "?mesh=tee", small, onNewDocument(`{
		const make = WebAssembly.instantiate;
		WebAssembly.instantiate = async (...what) => {
			const made = await make(...what);
			globalThis.pageMemory = made.exports.mem;
			return made;
		};
	}`))
	call(p, performance.Enable, performance.EnableParams{})
	p.settled()
	var third map[string]float64
	for i, name := range []string{"tee", "gear", "cat", "swan", "octopus", "tee", "dancer", "gear", "pretzel", "amphora", "gear", "tee"} {
		if i > 0 {
			p.file(gallery(name + ".glb"))
			p.wait("s.mesh.name == '" + name + ".glb'")
		}
		p.settled()
		holds := p.holds()
		t.Log(name, holds)
		if i == 2 {
			third = holds
		}
		for _, what := range slices.Sorted(maps.Keys(third)) {
			if holds[what] > 1.2*third[what] {
				t.Errorf("%d meshes later, with %s: %s: %.0f, and was %.0f", i-2, name, what, holds[what], third[what])
			}
		}
	}
	if len(third) != 5 {
		t.Errorf("measured is %v", third)
	}
}
