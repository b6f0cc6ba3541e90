//go:build e2e && !js

package e2e

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// listed are the names of the legend's buttons that are pressed, and the words next to their colours.
func (p *tab) listed() (names, words []string) {
	p.t.Helper()
	names = eval[[]string](p, "[...document.querySelectorAll('#legend button[aria-pressed=true]')].map((b) => b.ariaLabel)")
	return names, eval[[]string](p, "[...document.querySelectorAll('#legend button > span')].map((s) => s.textContent)")
}

// The legend lists what is on the screen, in every task, and each line takes its layer off the screen and puts it back.
func TestLegend(t *testing.T) {
	t.Parallel()
	p := open(t, "?mesh=cat", wide)
	p.settled()
	p.wait("s.mesh.shaded") // creases and hollows come by themselves
	p.set("Playback position", "0.5")
	for _, c := range []struct {
		do           func()
		state        string
		names, words []string
	}{
		{func() {}, "s.playback.position == 0.5", []string{"Densities", "Mass"}, []string{"source", "target", "on its way"}},
		{func() { p.press("Mass") }, "!s.view.flow", []string{"Densities"}, []string{"source", "target"}},
		{func() { p.press("Densities") }, "!s.view.densities", nil, nil},
		{func() { p.press("Mass") }, "s.view.flow", []string{"Mass"}, []string{"on its way"}},
		{func() { p.press("Separators") }, "s.task == 'separators'", []string{"Split"}, []string{"A", "B", "separator"}},
		{func() { p.press("Densities") }, "s.view.densities", []string{"Split", "Densities"}, []string{"A", "B", "separator", "source’s isolines", "target’s isolines"}},
		{func() { p.press("Split") }, "!s.view.split", []string{"Densities"}, []string{"source", "target"}},
		{func() { p.press("Transport") }, "s.task == 'transport'", []string{"Densities", "Mass"}, []string{"source", "target", "on its way"}},
		{func() { p.press("Split") }, "s.view.split", []string{"Split", "Densities", "Mass"}, []string{"separator", "source", "target", "on its way"}},
		{func() { p.press("Split") }, "!s.view.split", []string{"Densities", "Mass"}, []string{"source", "target", "on its way"}},
	} {
		c.do()
		s := p.wait(c.state)
		p.frames(4)
		names, words := p.listed()
		if !slices.Equal(names, c.names) && len(names)+len(c.names) > 0 || !slices.Equal(words, c.words) && len(words)+len(c.words) > 0 {
			t.Errorf("%s: the legend lists %q with %q", c.state, names, words)
		}
		on := 0
		for _, e := range s.Legend {
			if e.On {
				on++
			}
		}
		if on != len(c.names) {
			t.Errorf("%s: the state lists %+v", c.state, s.Legend)
		}
	}
	// What it says is there: mass in its colour, and none once it is off.
	p.frames(20)
	with := p.tints().moving
	p.press("Mass")
	p.wait("!s.view.flow")
	p.frames(20)
	if without := p.tints().moving; with < 300 || without > with/20 {
		t.Errorf("%d pixels of mass on the move, %d without", with, without)
	}
	p.press("Mass")
	p.set("Mass shown as", "density")
	p.until("document.querySelector('#legend-mass .ramp') && document.querySelectorAll('#legend-mass .ticks span').length > 2 && document.getElementById('legend-mass').textContent.includes('share of the mass')")
	p.frames(20)
	p.picture("legend-density")
	p.do(chromedp.MouseClickXY(560, 520)) // on the mesh
	p.until("document.getElementById('legend-partners')")
	p.picture("legend-partners")
	for _, on := range []bool{false, true, false} { // it comes back
		p.press("Partners")
		p.until(fmt.Sprintf("document.getElementById('legend-partners').ariaPressed == '%t'", on))
	}
	p.press("Separators")
	p.frames(20)
	p.picture("legend")
	p.changes("isolines over the split", 200, func() { p.press("Densities") })
}

// The legend lists what Inspect and Treewidth show: defects, a field, a path, a section and a bag. A click on a line takes its layer off the screen,
// another brings it back.
func TestLegendOfFindings(t *testing.T) {
	t.Parallel()
	p := open(t, "?mesh=cat", wide)
	p.settled()
	listed := func(when, state string, layers map[string]string) {
		t.Helper()
		p.wait(state)
		p.frames(4)
		names, words := p.listed()
		if len(names) != len(layers) {
			t.Errorf("%s, the legend lists %q", when, names)
		}
		for name, word := range layers {
			if !slices.Contains(names, name) || !slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, word) }) {
				t.Errorf("%s, %s is not listed with %q: %q, %q", when, name, word, names, words)
			}
		}
	}
	p.press("Inspect")
	p.set("Colour by", "mean")
	listed("coloured by curvature", "s.field.shown", map[string]string{"Field": "mean curvature"})
	p.changes("a field", 2000, func() { p.press("Field") })
	listed("the field off", "!s.field.shown", nil)
	p.press("Field")
	p.press("Measure distance")
	for _, at := range [][2]float64{{0.36, 0.25}, {0.5, 0.8}} {
		spot := p.find(at[0], at[1])
		p.do(chromedp.MouseClickXY(spot.X, spot.Y))
		p.frames(2)
	}
	listed("a path measured", "s.paths.length == 1 && s.paths[0].known && s.field.shown", map[string]string{"Field": "mean curvature", "Paths": "1"})
	p.press("Measure distance")
	p.changes("a path", 20, func() { p.press("Paths") })
	listed("the path off", "s.paths.length == 1", map[string]string{"Field": "mean curvature"})
	p.press("Field")
	p.set("Section axis", "x")
	listed("cut", "s.view.section.axis == 'x' && !s.field.shown", map[string]string{"Section": ""})
	p.set("Section axis", "")

	p.press("Treewidth")
	p.press("Find treewidth")
	p.wait("s.treewidth.bags > 0")
	if p.state().Treewidth.Running {
		p.press("Stop search")
	}
	p.press("Centroid bag")
	listed("a bag shown", "s.treewidth.shown >= 0 && !s.treewidth.running", map[string]string{"Bag": "bag"})
	p.changes("a bag", 500, func() { p.press("Bag") })
	listed("the bag off", "s.treewidth.shown < 0", nil)

	name := filepath.Join(t.TempDir(), "odd.off")
	write(t, name, []byte(odd))
	p.file(name)
	p.wait("s.ready && s.mesh.name == 'odd.off' && s.mesh.examined")
	p.press("Inspect")
	p.press("Inspect mesh")
	listed("inspected", "s.findings.known", map[string]string{"Defects": "boundary"})
	p.changes("defects", 100, func() { p.press("Defects") })
	listed("the defects off", "s.findings.known", nil)
}

// On a phone the legend has its words, and covers nothing that is pressed.
func TestLegendOnAPhone(t *testing.T) {
	t.Parallel()
	p := open(t, "?mesh=cat", phone)
	p.settled()
	p.frames(20)
	p.picture("legend-phone")
	if names, words := p.listed(); !slices.Contains(names, "Densities") || !slices.Contains(words, "source") {
		t.Errorf("the legend lists %q with %q", names, words)
	}
	if small := eval[[]float64](p, "[...document.querySelectorAll('#legend span i:not(.swatch)')].map((e) => e.getBoundingClientRect().height)"); len(small) == 0 || slices.Min(small) < 8 {
		t.Errorf("words are %v pixels high", small)
	}
	p.press("Densities")
	p.wait("!s.view.densities")
	for _, name := range []string{"Share", "Save"} {
		if !eval[bool](p, `(() => {
			const b = [...document.querySelectorAll('button')].find((b) => (b.ariaLabel || b.textContent.trim()) == '`+name+`');
			const r = b.getBoundingClientRect();
			return b.contains(document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2));
		})()`) {
			t.Errorf("%s is covered", name)
		}
	}
}

// Flow arrows come on request, over mass and without it, and go.
func TestFlowArrows(t *testing.T) {
	t.Parallel()
	p := open(t, "?mesh=octopus", wide)
	p.settled()
	p.set("Playback position", "0.5")
	p.press("Mass")
	p.wait("s.playback.position == 0.5 && !s.view.flow")
	p.frames(20)
	none := p.tints().moving
	p.press("Flow arrows")
	p.wait("s.view.arrows && s.legend.some((l) => l.layer == 'arrows' && l.on && l.parts[0].mark == 'line')")
	p.frames(20)
	some := p.tints().moving
	p.picture("arrows")
	p.press("Switch theme")
	p.press("Mass")
	p.wait("s.view.flow && s.view.arrows")
	p.frames(20)
	p.picture("arrows-mass")
	p.press("Mass")
	p.press("Arrows") // in the legend
	p.wait("!s.view.flow && !s.view.arrows")
	p.frames(20)
	if after := p.tints().moving; some < 1500 || none > some/20 || after > some/20 {
		t.Errorf("%d pixels of arrows, %d before and %d after", some, none, after)
	}
	if pressed := eval[string](p, "document.getElementById('arrows').ariaPressed"); pressed != "false" {
		t.Errorf("the button is pressed: %q", pressed)
	}
}
