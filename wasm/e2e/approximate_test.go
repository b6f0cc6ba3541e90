//go:build e2e && !js

package e2e

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// An approximate method says how far its distances are from true ones, and
// what the plan costs on those.
func TestApproximateMethods(t *testing.T) {
	t.Parallel()
	p := open(t, "?mesh=cat", small)
	exact := p.settled().Transport.Result.Cost
	for _, method := range []string{"certified", "embedded", "sampled"} {
		p.set("Method", method)
		if method != "sampled" { // less does not pay on a mesh of this size
			p.until("!document.getElementById('delta').disabled")
			p.set("Delta", "-1.3")
		}
		p.wait("s.transport.result.method == '" + method + "' && !s.transport.solving")
		p.press("Solve")
		r := p.wait("s.transport.result.polished && s.transport.result.polished.rows > 0 && !s.transport.solving && !s.transport.stale").Transport.Result
		a := r.Accuracy
		if r.Method != method || a.Rows == 0 || a.Holds != (method != "sampled") || !(a.MeanRelative > 0 && a.MostRelative > a.MeanRelative) {
			t.Errorf("%s: %+v", method, r)
		}
		raw, polished := math.Abs(r.Cost-exact)/exact, math.Abs(r.Polished.Cost-exact)/exact
		width := (r.Polished.High - r.Polished.Low) / exact
		t.Logf("%s: cost off by %.2g, polished %.2g in an interval of %.2g", method, raw, polished, width)
		if polished > raw/2+width {
			t.Errorf("%s: cost off by %g, polished %g in an interval of %g", method, raw, polished, width)
		}
		p.until("document.getElementById('result-polished').textContent.includes('at most')") // a frame later
		// Nobody asks for anything: it narrows.
		now := p.wait("s.transport.result.polished && (s.transport.result.polished.known || s.transport.result.polished.high - s.transport.result.polished.low < " + fmt.Sprint(0.8*(r.Polished.High-r.Polished.Low)) + ")").Transport.Result.Polished
		t.Logf("%s: later an interval of %.2g, from %d of %d rows", method, (now.High-now.Low)/exact, now.Rows, now.Of)
		if text := p.text("result-accuracy"); !strings.HasPrefix(text, "largest seen in 8 rows") || strings.Contains(text, "≤") || strings.Contains(text, "beyond") {
			t.Errorf("%s: distances are %q", method, text)
		}
		if bound := p.text("result-bound"); method == "sampled" != !r.Bound.Known() || r.Bound > 0 != strings.Contains(bound, "≤") || r.Bound > 0 && a.Most > float64(r.Bound) {
			t.Errorf("%s: distances at most %g too long, seen %g; the page says %q", method, r.Bound, a.Most, bound)
		}
		p.picture(method)
	}
	p.set("Method", "exact")
	if r := p.wait("s.transport.result.method == 'exact' && !s.transport.solving").Transport.Result; r.Precision != "float64" || r.Bound != 0 {
		t.Errorf("exact at an epsilon of %g: %s, bound %g", r.Epsilon, r.Precision, r.Bound)
	}
	p.set("Epsilon", "-0.3") // where float32 does
	r := p.wait("s.transport.result.precision == 'float32' && !s.transport.solving").Transport.Result
	if a := r.Accuracy; r.Precision != "float32" || a.Rows == 0 || !a.Holds || !(r.Bound > 0 && float64(r.Bound) <= 1e-5*r.Epsilon && a.Most <= float64(r.Bound)) || r.Polished != nil {
		t.Errorf("exact: %+v", r)
	}
	p.until("document.getElementById('result-bound').textContent.includes('≤')")
	if delta := p.text("delta-out"); delta != "not used, exact" || !strings.HasSuffix(p.text("result-bound"), ", rounding") {
		t.Errorf("exact: delta %q above the bound %q", delta, p.text("result-bound"))
	}
	// The figures of the cost, each with its sentence.
	if !(r.LowerBound > 0 && float64(r.LowerBound) <= r.Cost && r.Primal >= r.Cost && r.Dual > 0 && math.Abs(r.Primal-r.Dual-r.Gap) <= 1e-12*r.Primal) || r.Delta.Known() {
		t.Errorf("exact: %+v", r)
	}
	for _, name := range []string{"Cost ⟨P, D⟩", "Lower bound", "Primal", "Dual", "Gap", "Error bound", "Distance error"} {
		sentence := fmt.Sprintf("document.getElementById([...document.querySelectorAll('.term')].find(e => e.textContent == '%s').getAttribute('aria-describedby'))", name)
		if !eval[bool](p, sentence+".hidden") {
			t.Errorf("%s: its sentence is shown before it is asked for", name)
		}
		p.press(name)
		p.until("!" + sentence + ".hidden && " + sentence + ".textContent.length > 20")
	}
	p.picture("exact")
	kernels(t, p)
	reach(t, p)
	debiased(t, p)
	barycentre(t, p)
}

// debiased finds the divergence, on a page that has settled.
func debiased(t *testing.T, p *tab) {
	p.set("Kernel", "exp")
	p.set("Method", "auto")
	p.click(p.place("#debias"))
	r := p.wait("s.transport.result.divergence && !s.transport.stale && !s.transport.solving && s.transport.method == 'exact'").Transport.Result
	p.until("document.getElementById('result-divergence').textContent.includes('±') && document.getElementById('result-divergence').checkVisibility() && location.search.includes('debias=1')")
	told := toolSays[struct{ Divergence float64 }](t, "solve", gallery("cat.glb"), "-measures", "paper", "-epsilon", "0.1", "-debias")
	if d := float64(r.Divergence); !(d > 0 && d < r.Primal) || math.Abs(d-told.Divergence) > 1e-6*d {
		t.Errorf("the page's divergence is %g, the tool's %g, the primal %g", d, told.Divergence, r.Primal)
	}
	p.picture("debiased")
	p.set("Kernel", "gauss")
	squared := p.wait("s.transport.result.divergence && s.transport.result.kernel == 'gauss:s=1' && !s.transport.stale && !s.transport.solving && s.transport.method == 'certified'").Transport.Result
	if d := float64(squared.Divergence); !(d > 0 && d < squared.Primal) {
		t.Errorf("of squared distance the divergence is %g, the primal %g", d, squared.Primal)
	}
	p.set("Kernel", "exp")
	p.wait("s.transport.debias && s.transport.result.kernel == 'exp' && !s.transport.stale && !s.transport.solving && s.transport.method == 'exact'")
	p.click(p.place("#debias"))
	p.wait("!s.transport.debias && !s.transport.stale")
}

// barycentre finds the density between two paintings and four, on a page that has settled.
func barycentre(t *testing.T, p *tab) {
	p.unfold("Barycentre")
	p.set("Method", "certified")
	p.wait("s.transport.method == 'certified' && !s.transport.solving && !s.transport.stale")
	p.press("Keep source")
	p.press("Keep target")
	p.wait("s.barycentre.paintings.length == 2")
	p.press("Compute barycentre")
	two := p.wait("s.barycentre.known && s.barycentre.shown && !s.barycentre.computing && s.phase != 'computing'").Barycentre
	if two.Status != "converged" || two.Kernel != "squared" || two.Method != "certified" || two.Stale || !(two.Paintings[0].Cost > 0 && two.Paintings[1].Cost > 0) || two.Paintings[0].Weight != 0.5 {
		t.Errorf("of two: %+v", two)
	}
	p.wait("s.legend.some(e => e.layer == 'between' && e.on && e.parts.length == 1) && !s.legend.some(e => ['densities', 'mass', 'change'].includes(e.layer) && e.on)")
	if eval[string](p, "document.getElementById('weights-point').getAttribute('aria-valuetext')") != "painting 1 50\u202f%, painting 2 50\u202f%" {
		t.Error(eval[string](p, "document.getElementById('weights-point').getAttribute('aria-valuetext')"))
	}
	p.picture("barycentre-2")
	// By keys and by its number a weight is another; the barycentre follows.
	eval[bool](p, "document.getElementById('weights-point').focus(), true")
	p.key(kb.ArrowRight)
	moved := p.wait("Math.abs(s.barycentre.paintings[1].weight - 0.52) < 1e-9 && !s.barycentre.stale && !s.barycentre.computing").Barycentre
	if !(moved.Paintings[1].Cost < two.Paintings[1].Cost && moved.Paintings[0].Cost > two.Paintings[0].Cost) {
		t.Errorf("nearer to the second: %+v, before %+v", moved.Paintings, two.Paintings)
	}
	p.set("Painting 1", "90")
	p.wait("Math.abs(s.barycentre.paintings[0].weight - 0.9) < 1e-9 && !s.barycentre.stale && !s.barycentre.computing")
	// Four, and a pointer that drags through the square: the last place counts.
	p.set("Preset", "two-spots")
	p.wait("s.densities.preset == 'two-spots' && !s.transport.solving && !s.transport.stale && !s.barycentre.shown")
	p.press("Keep source")
	p.press("Keep target")
	p.wait("s.barycentre.paintings.length == 4 && !s.barycentre.known")
	p.until("document.getElementById('keep-source').disabled")
	p.press("Compute barycentre")
	p.wait("s.barycentre.known && !s.barycentre.computing")
	middle := p.place("#weights-drawing")
	scale := eval[float64](p, "document.getElementById('weights-drawing').getBoundingClientRect().width / 272")
	at := func(x, y float64) spot { return spot{middle.X + scale*(x-136), middle.Y + scale*(y-80)} }
	p.drag(at(136, 80), at(106, 80), at(106, 50))
	four := p.wait("Math.abs(s.barycentre.at[0] - 0.25) < 0.01 && Math.abs(s.barycentre.at[1] - 0.75) < 0.01 && !s.barycentre.stale && !s.barycentre.computing").Barycentre
	if w := four.Paintings; math.Abs(w[0].Weight-0.5625) > 0.01 || math.Abs(w[3].Weight-0.0625) > 0.01 || four.Status != "converged" {
		t.Errorf("of four: %+v", four)
	}
	p.picture("barycentre-4")
	p.press("Remove painting 4")
	p.wait("s.barycentre.paintings.length == 3 && !s.barycentre.known && !s.barycentre.shown && Math.abs(s.barycentre.paintings[2].weight - 1/3) < 1e-9")
	p.press("Undo removal")
	back := p.wait("s.barycentre.paintings.length == 4 && s.barycentre.removed == 0").Barycentre
	if back.At != four.At || back.Paintings[3].Number != 4 {
		t.Errorf("painting 4 came back as %+v", back)
	}
	if text := p.alert(); text != "" {
		t.Errorf("the page alerts %q", text)
	}
}

// reach lets masses differ, on a page that has settled.
func reach(t *testing.T, p *tab) {
	p.set("Method", "auto")
	p.set("Reach", "-1")
	p.wait("s.transport.result.reach > 0 && s.transport.result.method == 'exact' && !s.transport.stale && !s.transport.solving")
	p.set("Reach", "-0.7")
	r := p.wait("Math.abs(s.transport.result.reach / s.mesh.diagonal - Math.pow(10, -0.7)) < 1e-9 && !s.transport.stale && !s.transport.solving && s.playback.available").Transport.Result
	if !(r.Destroyed > 0.01 && r.Destroyed < 1 && math.Abs(r.Destroyed-r.Created) < 1e-6) {
		t.Errorf("destroys %g, creates %g", r.Destroyed, r.Created)
	}
	p.until("document.getElementById('result-destroyed').textContent.endsWith('%') && document.getElementById('result-created').checkVisibility() && location.search.includes('reach=0.1995')")
	told := toolSays[struct{ Cost, Destroyed, Created float64 }](t, "solve", gallery("cat.glb"), "-measures", "paper", "-epsilon", "0.1", "-reach", fmt.Sprint(math.Pow(10, -0.7)))
	if math.Abs(told.Cost-r.Cost) > 1e-6*told.Cost || math.Abs(told.Destroyed-r.Destroyed) > 1e-6 || math.Abs(told.Created-r.Created) > 1e-6 {
		t.Errorf("the page has %+v, the tool %+v", r, told)
	}
	p.press("Change")
	p.wait("s.legend.some(e => e.layer == 'change' && e.on && e.parts.length == 2) && !s.legend.some(e => e.layer == 'densities' && e.on)")
	p.picture("reach")
	p.press("Densities")
	p.wait("s.legend.some(e => e.layer == 'densities' && e.on) && !s.legend.some(e => e.layer == 'change' && e.on)")
	p.set("Kernel", "gauss")
	p.until("document.getElementById('reach').disabled && document.getElementById('reach-note').textContent == 'A reach works only with the kernel exp.'")
	p.wait("s.transport.reach == 0 && s.transport.result.kernel == 'gauss:s=1' && s.transport.result.reach == 0 && !s.transport.stale")
}

// kernels takes other functions of distance than exp, by one worker, on a page that has settled.
func kernels(t *testing.T, p *tab) {
	p.set("Method", "auto")
	p.set("Epsilon", "-1")
	eval[bool](p, "(document.getElementById('kernel-box').open = true)")
	p.wait("s.transport.profile && s.transport.profile.values.length == 161 && !s.transport.solving")
	p.until("document.querySelectorAll('#kernel-plot rect').length == 40 && document.getElementById('kernel-help').textContent.includes('Proved')")
	p.picture("kernel-exp")
	p.set("Kernel", "gauss")
	p.set("s, positive", "2")
	r := p.wait("s.transport.result.kernel == 'gauss:s=2' && !s.transport.solving && !s.transport.stale").Transport.Result
	if r.Method != "certified" || !(r.KernelError > 0 && r.KernelError < 1e-10) || r.Threads != 1 || r.Status != "converged" {
		t.Errorf("squared distance: %+v", r)
	}
	p.until("document.getElementById('result-kernel').textContent.startsWith('exp(−d²/(2 ε²)), within') && document.getElementById('kernel-now').textContent == 'exp(−d²/(2 ε²))'")
	state := p.wait("s.transport.profile.tenth > 0 && s.transport.kernel == 'gauss:s=2' && Math.abs(s.transport.profile.tenth / s.transport.result.epsilon - Math.sqrt(2 * Math.log(10))) < 1e-6")
	if pr := state.Transport.Profile; !(pr.Nearer > 0 && pr.Nearer < 1) || !strings.Contains(p.text("kernel-note"), "a sample of the distances") {
		t.Errorf("profile %+v, note %q", pr, p.text("kernel-note"))
	}
	p.until("!document.getElementById('kernel-team').hidden && location.search.includes('kernel=gauss%3As%3D2')")
	p.picture("kernel-squared")
	// The tool finds the same cost.
	told := toolSays[struct {
		Cost float64
		Root float64 `json:"root_mean_square"`
	}](t, "solve", gallery("cat.glb"), "-measures", "paper", "-method", "certified", "-delta", fmt.Sprint(state.Transport.Delta), "-epsilon", "0.1", "-kernel", "gauss:s=2")
	if root := float64(r.RootMeanSquare); math.Abs(told.Cost-r.Cost) > 1e-6*told.Cost || math.Abs(told.Root-root) > 1e-6*told.Root || !(root > r.Cost) {
		t.Errorf("the page's cost is %g and %g, the tool's %+v", r.Cost, root, told)
	}
	p.until("document.getElementById('result-square').checkVisibility() && document.getElementById('result-square').textContent != ''")
	p.press("√⟨P, D²⟩")
	p.until("document.getElementById('why-square').checkVisibility()")
	// What cannot be taken is refused where it is chosen, and says why.
	p.set("s, positive", "-1")
	p.until("document.getElementById('kernel-refusal').textContent == 'This cannot be solved: kernel gauss: s is -1, not a finite length squared above zero.'")
	p.picture("kernel-refused")
	p.set("Kernel", "rational")
	p.until("document.getElementById('kernel-below').value == '1,1'")
	p.set("P: p₀, p₁, …", "1,-1")
	p.until("document.getElementById('kernel-refusal').textContent.includes('Sinkhorn needs a positive kernel')")
	p.set("Kernel", "cauchy")
	if r := p.wait("s.transport.result.kernel == 'cauchy:lambda=0,c=1,p=1' && !s.transport.solving && !s.transport.stale && s.transport.refusal == ''").Transport.Result; !(r.KernelError > 0 && r.KernelError <= 1e-6) || r.Threads != 1 {
		t.Errorf("1/(x+1): %+v", r)
	}
	// A polynomial, and random features, which a small epsilon asks too much of.
	p.set("Kernel", "poly") // one that can be solved with
	p.wait("s.transport.kernel.startsWith('poly:1,-') && s.transport.result.kernel == s.transport.kernel && !s.transport.solving && !s.transport.stale && s.transport.refusal == ''")
	p.set("p₀, p₁, …", "1,-0.04,0.0004")
	if r := p.wait("s.transport.result.kernel == 'poly:1,-0.04,0.0004' && !s.transport.solving && !s.transport.stale && s.transport.refusal == ''").Transport.Result; !(r.KernelError > 0 && r.KernelError <= 1e-6) || r.Status != "converged" {
		t.Errorf("(1 - x/50)^2: %+v", r)
	}
	p.until("document.getElementById('kernel-now').textContent == 'P of d/ε, P: 1,−0.04,0.0004'")
	p.picture("kernel-polynomial")
	p.set("p₀, p₁, …", "1,-1")
	p.until("document.getElementById('kernel-refusal').textContent.includes('Sinkhorn needs a positive kernel')")
	p.set("Kernel", "features") // one that can be solved with
	p.wait("s.transport.kernel.startsWith('features:count=1024,seed=1,f=gauss:s=1000') && s.transport.result.kernel == s.transport.kernel && !s.transport.solving && !s.transport.stale && s.transport.refusal == ''")
	p.set("f", "gauss:s=1000")
	r = p.wait("s.transport.result.kernel == 'features:count=1024,seed=1,f=gauss:s=1000' && !s.transport.solving && !s.transport.stale && s.transport.refusal == ''").Transport.Result
	p.until("document.getElementById('kernel-now').textContent == '1024 random features of exp(−d²/(1000 ε²))'")
	p.picture("kernel-features")
	random := toolSays[struct{ Cost float64 }](t, "solve", gallery("cat.glb"), "-measures", "paper", "-method", "certified", "-delta", fmt.Sprint(state.Transport.Delta), "-epsilon", "0.1", "-kernel", "features:count=1024,seed=1,f=gauss:s=1000")
	if math.Abs(random.Cost-r.Cost) > 1e-6*random.Cost || r.Status != "converged" {
		t.Errorf("with random features the page's cost is %g, the tool's %g: %+v", r.Cost, random.Cost, r)
	}
	p.set("f", "gauss:s=8")
	p.until("document.getElementById('kernel-refusal').textContent.includes('its estimate is')")
	p.picture("kernel-features-refused")
	p.set("Kernel", "exp")
	p.wait("s.transport.kernel == 'exp' && !s.transport.stale")
	p.set("Method", "tree")
	p.set("Kernel", "cauchy")
	p.until("document.getElementById('kernel-refusal').textContent.includes('the method tree has exp alone; exact, certified and embedded have others')")
	if text := p.alert(); text != "" {
		t.Errorf("the page alerts %q", text)
	}
	p.set("Kernel", "exp")
	p.wait("s.transport.result.method == 'tree' && !s.transport.stale && s.transport.kernel == 'exp' && s.transport.refusal == ''")
}
