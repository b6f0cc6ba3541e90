//go:build e2e && !js

package e2e

import (
	"context"
	"encoding/json"
	"math"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"genussink/viewer/scene"
)

// processors makes the page believe that the machine has so many.
func processors(n int64) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, emulation.SetHardwareConcurrencyOverride, emulation.SetHardwareConcurrencyOverrideParams{HardwareConcurrency: n})
		return err
	})
}

// The set-up of exact on the gear, in a page that was just opened, with two Workers. It takes at most three times as long as in the tool with two
// threads. On a slower machine than the reference the limit is 3.6: WebAssembly is slower there by more than the tool is
// (docs/engineering/set-up.md). Page and tool take turns, three at least. While the limit is not met there are more, up to nine. The
// least time of either counts, since other programs may slow a turn.
func TestSetUpAgainstTheTool(t *testing.T) {
	bar := 3.0
	if slowness(1) > 1.3 {
		bar = 3.6
	}
	stages := []string{"tree", "labels", "tiles", "kernel"}
	least, native := math.Inf(1), math.Inf(1)
	var ratios []float64
	for run := 0; run < 3 || run < 9 && least/native > bar; run++ {
		page := 0.0
		t.Run("", func(t *testing.T) {
			p := open(t, "?mesh=gear&method=exact&eps=0.2", moving, processors(2))
			p.until("performance.getEntriesByName('solved').length > 0") // the state costs a processor more
			s := p.state()
			timings := append([]scene.Timing{{Stage: "tree", Seconds: s.Separation.Seconds}}, s.Transport.Result.Timings...)
			page = milliseconds(timings, stages...)
			t.Logf("in the page: %.0f ms: %v", page, timings)
		})
		var r struct{ Seconds map[string]float64 }
		out := tool(t, "solve", filepath.Join(root, "assets/meshes/gear.glb"), "-threads", "2", "-measures", "paper", "-epsilon", "0.2", "-json")
		if err := json.Unmarshal(out, &r); err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for _, stage := range stages {
			sum += 1e3 * r.Seconds[stage]
		}
		t.Logf("in the tool: %.0f ms: %v", sum, r.Seconds)
		least, native = min(least, page), min(native, sum)
		ratios = append(ratios, page/sum)
	}
	t.Logf("in the page with two Workers %.0f ms, in the tool with two threads %.0f: %.2f times as long; run by run %.2f", least, native, least/native, ratios)
	if !(least/native <= bar) {
		t.Errorf("a set-up in the page takes %.2f times as long as in the tool, at most %g", least/native, bar)
	}
}
