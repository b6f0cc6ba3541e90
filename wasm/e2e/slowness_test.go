//go:build e2e && !js

package e2e

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// reference is how long one thread of the reference machine takes to sort 2^20 numbers. Bars in milliseconds hold on that machine when it is
// idle. The figure is derived, not measured: another machine takes 164 ms, and its set-up of the gear takes 1.84 times as long
// as the reference machine's (docs/engineering/set-up.md).
const reference = 89 * time.Millisecond

// sorting is how long some threads take, at once, to sort 2^20 numbers each.
func sorting(threads int) time.Duration {
	random := rand.New(rand.NewPCG(1, 2))
	numbers := make([]float64, 1<<20)
	for i := range numbers {
		numbers[i] = random.Float64()
	}
	copies := make([][]float64, threads)
	for i := range copies {
		copies[i] = slices.Clone(numbers)
	}
	var wait sync.WaitGroup
	start := time.Now()
	for _, own := range copies {
		wait.Go(func() { slices.Sort(own) })
	}
	wait.Wait()
	return time.Since(start)
}

// slowness is how many times as long some threads at once take here as one thread of the reference machine: the median of three, at
// least 1. Other programs that run here add to it; with one thread they add less.
func slowness(threads int) float64 {
	var ratios []float64
	for range 3 {
		ratios = append(ratios, max(1, sorting(threads).Seconds()/reference.Seconds()))
	}
	slices.Sort(ratios)
	return ratios[1]
}

// bareWorkers is how long so many Workers of a bare page take at once, in ms. Each runs a loop over 2 MB, which takes one alone about two seconds: as
// long as the set-up that it is compared with. Two processors may be two threads of one. Then two Workers take nearly twice as long as one.
func bareWorkers(t *testing.T, count int) float64 {
	t.Helper()
	p := openAt(t, "about:blank", small)
	took := eval[float64](p, fmt.Sprintf(`(async () => {
		const loop = 'data:text/javascript,' + encodeURIComponent('postMessage(0); onmessage = () => { const a = new Float64Array(2 ** 18); let s = 0; for (let r = 0; r < 2 ** 13; r++) for (let i = 0; i < a.length; i++) a[i] = s += a[i] * 1e-9; postMessage(s); }');
		const workers = Array.from({ length: %d }, () => new Worker(loop)), answers = () => Promise.all(workers.map((w) => new Promise((done, failed) => { w.onmessage = done; w.onerror = failed; })));
		await answers();
		const all = answers(), from = performance.now();
		for (const w of workers) w.postMessage(0);
		await all;
		return performance.now() - from;
	})()`, count))
	p.close()
	return took
}

// compiling is how long a bare page takes to compile both programs at once, in ms: the median of three.
func compiling(t *testing.T) float64 {
	t.Helper()
	var times []float64
	for range 3 {
		p := openAt(t, address+"wasm_exec.js", small)
		times = append(times, eval[float64](p, `(async () => {
			const from = performance.now();
			await Promise.all(['viewer.wasm', 'worker.wasm'].map(async (f) => WebAssembly.compileStreaming(new Response((await fetch(f)).body, { headers: { 'Content-Type': 'application/wasm' } }))));
			return performance.now() - from;
		})()`))
		p.forgive("404 (Not Found)") // it has no icon
		p.close()
	}
	slices.Sort(times)
	return times[1]
}

// threeTries fails a test of speed if each of three tries misses a bar. A try says which it misses. Slowness does not tell all that slows a
// machine.
func threeTries(t *testing.T, try func() (missed []string)) {
	t.Helper()
	for k := range 3 {
		missed := try()
		if len(missed) == 0 {
			return
		}
		t.Logf("try %d: %s", k+1, strings.Join(missed, "; "))
	}
	t.Error("no try of three met every bar")
}
