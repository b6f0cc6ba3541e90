//go:build e2e && !js

package e2e

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Cold is compared with cold and warm with warm, set-up apart: a second solve
// leaves the first one's time where it is, dense always starts from nothing, and once it has run its prediction says by how much it was
// off. Stages of earlier solves stay in the timings, the paths' among them.
func TestComparisonWithDense(t *testing.T) {
	p := open(t, "?mesh=cat", wide)
	first := p.settled().Transport.Comparison.Rows[0]
	if first.Method != "exact" || !(first.Cold > 0) || first.Warm.Known() || !(first.Setup > 0) || !(first.Dense.Setup > 0 && first.Dense.Cold > 0) || first.Threads < 1 {
		t.Fatalf("after the first solve %+v", first)
	}
	block(t, p)
	matrix(t, p)
	p.press("Solve")
	s := p.wait("s.transport.comparison.rows[0].warm > 0 && !s.transport.solving && s.timings.some(t => t.stage == 'paths')")
	if again := s.Transport.Comparison.Rows[0]; again.Cold != first.Cold || again.Setup != first.Setup {
		t.Errorf("a second solve makes %+v of %+v", again, first)
	}
	stages := map[string]bool{}
	for _, stage := range s.Timings {
		stages[stage.Stage] = true
	}
	for _, stage := range []string{"tree", "labels", "tiles", "kernel", "solve", "paths"} {
		if !stages[stage] {
			t.Errorf("the timings lack %s: %v", stage, s.Timings)
		}
	}
	p.set("Method", "dense")
	p.wait("s.transport.result.method == 'dense' && !s.transport.solving")
	p.press("Solve")
	s = p.wait("s.transport.comparison.rows.length == 2 && !s.transport.solving && s.timings.some(t => t.stage == 'solve' && t.runs == 4)")
	dense := s.Transport.Comparison.Rows[1]
	if off := float64(dense.Off); dense.Method != "dense" || dense.Warm.Known() || !(dense.Cold > 0) || math.IsNaN(off) || off <= -1 {
		t.Errorf("dense: %+v", dense)
	}
	t.Logf("dense on %d thread takes %.2f + %.2f s, was predicted to take %.2f + %.2f s: %+.0f %%; exact on %d: %.2f + %.2f s",
		dense.Threads, dense.Setup, dense.Cold, dense.Dense.Setup, dense.Dense.Cold, 100*dense.Off, first.Threads, first.Setup, first.Cold)
	p.until("document.getElementById('times-note').textContent.includes('off by')")
	if n := eval[int](p, "document.querySelectorAll('#times-body tr').length"); n != 3 {
		t.Errorf("%d rows of times", n)
	}
	if text := p.text("times-body"); !strings.Contains(text, "dense, measured") || !strings.Contains(text, "dense, predicted") {
		t.Errorf("the table says %q", text)
	}
	eval[bool](p, "document.getElementById('h-timings').scrollIntoView(), true")
	p.frames(2)
	p.picture("comparison")
	eval[bool](p, "document.getElementById('result').scrollIntoView(), true")
	p.press("Dual")
	p.press("Primal")
	p.frames(2)
	p.picture("result")

	// Its iterations, one after the other, as they were: the chart marks the one that the mesh shows.
	trace := s.Transport.Result.Trace
	p.press("Iteration on")
	s = p.wait("s.transport.iterations.shown && s.transport.iterations.iteration == 1")
	it := s.Transport.Iterations
	if it.Error != trace[0] || it.Count != len(trace) || !it.Rows || it.Columns || s.Playback.Playing {
		t.Errorf("after one iteration %+v; the error was %g", it, trace[0])
	}
	p.until("document.querySelectorAll('#trace .mark').length == 1 && document.getElementById('iterate-note').textContent.startsWith('The rows fit the source.')")
	if got := eval[string](p, "document.getElementById('iterate').getAttribute('aria-valuetext')"); got != fmt.Sprintf("1 of %d", len(trace)) {
		t.Errorf("the slider says %q", got)
	}
	at := func() string {
		p.frames(2) // what the state says is then also what the panel shows
		return eval[string](p, "document.querySelector('#trace .mark').getAttribute('x1')")
	}
	marked := at()
	p.frames(30)
	p.picture("iterations")
	p.set("Iteration speed", "8")
	p.press("Play iterations")
	s = p.wait("!s.transport.iterations.playing && s.transport.iterations.step == s.transport.iterations.steps")
	if it = s.Transport.Iterations; it.Iteration != len(trace) || it.Error != s.Transport.Result.MarginalError {
		t.Errorf("in the end %+v", it)
	}
	if at() == marked {
		t.Error("the mark has not moved")
	}
	eval[bool](p, "document.getElementById('iterate').focus(), true")
	p.do(chromedp.KeyEvent(kb.Home))
	p.wait("s.transport.iterations.step == 0")
	p.do(chromedp.KeyEvent(kb.ArrowRight))
	if again := p.wait("s.transport.iterations.iteration == 1").Transport.Iterations; again.Error != trace[0] || at() != marked {
		t.Errorf("back at the first iteration: %+v, marked at %s, not %s", again, at(), marked)
	}
	p.press("Hide iterations")
	p.wait("!s.transport.iterations.shown")
	p.until("!document.querySelector('#trace .mark')")
}

// block looks at the kernel as it is stored, block by block.
func block(t *testing.T, p *tab) {
	t.Helper()
	p.press("Show a block")
	b := p.wait("s.transport.block.shown").Transport.Block
	if b.Number != 0 || b.Count < 2 || b.Rows*b.Columns < 4 || b.Runs < 1 || b.Hubs < 1 {
		t.Errorf("a block: %+v", b)
	}
	p.until(fmt.Sprintf("document.querySelectorAll('#block rect').length == %d", b.Runs))
	p.frames(10)
	p.picture("block")
	if names, _ := p.listed(); slices.Contains(names, "Mass") || !slices.Contains(names, "Block") {
		t.Errorf("with a block on the mesh the legend lists %q", names)
	}
	p.press("Next block")
	if next := p.wait("s.transport.block.number == 1").Transport.Block; next.Rows*next.Columns > b.Rows*b.Columns {
		t.Errorf("after %+v comes %+v", b, next)
	}
	p.press("Hide block")
	p.wait("!s.transport.block.shown")
	p.until("!document.querySelector('#block rect')")
}

// Two methods' plans side by side: a picture each, on one camera, of the moment that the slider says. The mass of both is
// elsewhere at another moment, and the scene behind is as it was.
func TestSideBySide(t *testing.T) {
	t.Parallel()
	p := open(t, "?mesh=cat&eps=0.1", wide)
	p.settled()
	p.set("Method", "sampled")
	p.press("Solve")
	p.wait("s.transport.comparison.rows.filter(r => r.moves).length == 2 && !s.transport.solving")
	before := p.state().Playback.Position
	p.press("Compare methods")
	p.forgive("willReadFrequently") // what this test does, no page
	const drawn = `[...document.querySelectorAll('#multiples-grid canvas')].map((c) => {
		const { data } = c.getContext('2d').getImageData(0, 0, c.width, c.height);
		let sum = 0;
		for (let i = 0; i < data.length; i++) sum = (sum * 31 + data[i]) % 1000003;
		return data[3] ? sum : -1;
	})`
	p.until(drawn + ".every((x) => x >= 0) && document.querySelectorAll('#multiples-grid canvas').length == 2")
	first := eval[[]int](p, drawn)
	if first[0] == first[1] {
		t.Error("the plans of exact and sampled look the same")
	}
	// One camera: the mesh covers the same pixels in both. Turned, it covers others.
	const covered = `[...document.querySelectorAll('#multiples-grid canvas')].map((c) => {
		const { data } = c.getContext('2d').getImageData(0, 0, c.width, c.height), columns = [];
		for (let y = 0; y < c.height; y += 4) {
			const at = 4 * y * c.width, row = data.subarray(at, at + 4 * c.width);
			let left = 0;
			while (left < c.width && Math.abs(row[4 * left] - row[0]) + Math.abs(row[4 * left + 1] - row[1]) < 24) left++;
			columns.push(left);
		}
		return columns;
	})`
	outlines := eval[[][]int](p, covered)
	if off := apart(outlines[0], outlines[1]); off > 0.02 {
		t.Errorf("the two pictures have outlines that differ in %.0f %% of their rows", 100*off)
	}
	p.press("Close")
	p.drag(spot{200, 760}, spot{420, 760}) // beside the mesh: this turns it
	p.press("Compare methods")
	p.until(drawn + fmt.Sprintf(".every((x, i) => x >= 0 && x != %s[i])", strings.ReplaceAll(fmt.Sprint(first), " ", ",")))
	p.until(drawn + ".length == 2")
	if off := apart(outlines[0], eval[[][]int](p, covered)[0]); off < 0.2 {
		t.Errorf("after the mesh was turned its outline differs in %.0f %% of the rows", 100*off)
	}
	first = eval[[]int](p, drawn)
	p.picture("multiples")
	p.set("Moment", "0.2")
	p.until(fmt.Sprintf("%s.every((x, i) => x != %s[i])", drawn, strings.ReplaceAll(fmt.Sprint(first), " ", ",")))
	captions := eval[[]string](p, "[...document.querySelectorAll('#multiples-grid figcaption')].map((c) => c.textContent)")
	for i, m := range []string{"exact", "sampled"} {
		if !strings.HasPrefix(captions[i], m+": cost ") {
			t.Errorf("picture %d is of %q", i, captions[i])
		}
	}
	compared(t, p)
	p.press("Close")
	if after := p.state().Playback; after.Position != before || after.Playing {
		t.Errorf("the playback was at %g and is at %+v", before, after)
	}
}

// apart is the share of numbers that differ by more than 1.
func apart(a, b []int) float64 {
	off := 0
	for i := range a {
		if max(a[i]-b[i], b[i]-a[i]) > 1 {
			off++
		}
	}
	return float64(off) / float64(len(a))
}

// contenders has the open dialog run these methods and no others.
func (p *tab) contenders(methods ...string) {
	p.t.Helper()
	for i, box := range eval[[]struct {
		Name    string
		Checked bool
	}](p, "[...document.querySelectorAll('#contenders label')].map((l) => ({ Name: l.textContent, Checked: l.querySelector('input').checked }))") {
		if slices.Contains(methods, box.Name) != box.Checked {
			p.click(p.place(fmt.Sprintf("#contenders label:nth-of-type(%d)", i+1)))
		}
	}
}

// compared runs methods of the paper in the open dialog: a row, a dot and a picture for each, and nothing half done where it is stopped.
func compared(t *testing.T, p *tab) {
	t.Helper()
	if n := eval[int](p, "performance.getEntriesByName(new URL('published.wasm', location).href).length"); n != 0 {
		t.Error("the program that compares was fetched before it was asked for")
	}
	p.press("Run methods")
	p.wait("s.transport.benchmark.rows.length > 0 && s.transport.benchmark.running")
	p.press("Stop methods")
	// How many are done by then is up to the machine. Those that are stay, whole, and no other begins.
	b := p.wait("!s.transport.benchmark.running").Transport.Benchmark
	if len(b.Rows) == b.Of || b.Rows[0].Method != "dense" || b.Rows[0].Error != 0 || b.Why != "Stopped." {
		t.Errorf("stopped: %+v", b)
	}
	for _, r := range b.Rows {
		if r.Note == "" && !(r.Cost > 0 && r.Error < 1) {
			t.Errorf("stopped, a row is half done: %+v", r)
		}
	}
	p.frames(30)
	if now := p.state().Transport.Benchmark; len(now.Rows) != len(b.Rows) {
		t.Errorf("stopped with %d rows, and now %d", len(b.Rows), len(now.Rows))
	}
	if n := eval[int](p, "document.querySelectorAll('#benchmark-body tr').length"); n != len(b.Rows) {
		t.Errorf("stopped, the table has %d rows of %d", n, len(b.Rows))
	}
	methods := []string{"dense", "exact", "sampled", "heat", "nystroem", "ambient"}
	p.contenders(methods...)
	p.press("Run methods")
	b = p.wait("!s.transport.benchmark.running && s.transport.benchmark.rows.length == 6").Transport.Benchmark
	known := 0
	for i, r := range b.Rows {
		t.Logf("%-10s cost %.5g error %.2g set-up %.3f s solve %.3f s %d bytes %s", r.Method, r.Cost, r.Error, r.Setup, r.Solve, r.Bytes, r.Note)
		if r.Method != methods[i] || (r.Note == "") != r.Cost.Known() {
			t.Errorf("row %d: %+v", i, r)
		}
		if r.Error.Known() {
			known++
		}
	}
	if e := b.Rows[1].Error; !(e < 1e-6) || b.Reference != "dense" || b.Why != "" || b.Stale {
		t.Errorf("exact is %g off: %+v", e, b)
	}
	if result := p.state().Transport.Result; math.Abs(float64(b.Rows[2].Cost)-result.Polished.Cost) > 0.05*result.Polished.Cost {
		t.Errorf("sampled costs %g here and %g there", b.Rows[2].Cost, result.Polished.Cost)
	}
	p.until(fmt.Sprintf("document.querySelectorAll('#benchmark-chart .target').length == %d && document.querySelectorAll('#benchmark-body tr').length == 6", known))
	p.until("document.querySelectorAll('#multiples-grid canvas').length >= 5")
	p.frames(2)
	p.picture("compare")
	p.audit()
	p.axe("Dialog comparing, filled")
	saved := downloads(p)
	p.press("Table (CSV)")
	text := string(saved("cat-methods.csv"))
	if lines := strings.Split(strings.TrimSpace(text), "\n"); len(lines) != 7 || !strings.HasPrefix(lines[1], fmt.Sprintf(`dense,"float64",%v,0,`, float64(b.Rows[0].Cost))) {
		t.Errorf("the table is saved as\n%s", text)
	}
	p.press("Chart (SVG)")
	if text := string(saved("cat-error-against-time.svg")); strings.Count(text, "<circle") != known || !strings.Contains(text, ">nystroem<") {
		t.Errorf("the chart is saved as\n%s", text)
	}
	p.resize(phone)
	p.frames(2)
	p.picture("compare-phone")
	if over := eval[float64](p, "(() => { const d = document.getElementById('comparing'); return d.scrollWidth - d.clientWidth; })()"); over > 0 {
		t.Errorf("on a phone the dialog is %g pixels too wide", over)
	}
}
