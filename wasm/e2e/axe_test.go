//go:build e2e && !js

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"genussink/viewer/lesson"
)

// violation is a rule of axe that elements break.
type violation struct {
	ID, Help string
	Nodes    []struct {
		Target         []any
		HTML           string
		FailureSummary string
	}
}

// axe lets axe-core look at the page as it is, in both themes. It fails for every element that breaks a rule. It fails for an id that two
// elements have, too.
func (p *tab) axe(where string) {
	p.t.Helper()
	p.axeWithin("document", where)
}

// axeWithin looks at a part of the page, an expression.
func (p *tab) axeWithin(part, where string) {
	p.t.Helper()
	if twice := eval[[]string](p, "[...document.querySelectorAll('[id]')].map((e) => e.id).filter((id, i, all) => all.indexOf(id) < i)"); len(twice) > 0 {
		p.t.Errorf("%s: more than one element has the id of %v", where, twice)
	}
	for _, theme := range []string{"light", "dark"} {
		p.do(emulate(theme, still))
		p.frames(2)
		for _, v := range eval[[]violation](p, "axe.run("+part+", { resultTypes: ['violations'] }).then((r) => r.violations)") {
			for _, n := range v.Nodes {
				p.t.Errorf("%s, %s: %s (%s): %v: %.300s\n%s", where, theme, v.ID, v.Help, n.Target, n.HTML, n.FailureSummary)
			}
		}
	}
}

// still is a person's wish for no motion: on their way from one theme to the other, colours are neither's.
var still = &emulation.MediaFeature{Name: "prefers-reduced-motion", Value: "reduce"}

// fetched is the newest file or folder of a pattern among what `make e2e` fetches.
func fetched(t *testing.T, pattern string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, "build/bin", pattern))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s is missing: run `make e2e` (%v)", pattern, err)
	}
	return slices.Max(files)
}

// audited opens a page that axe can look at.
func audited(t *testing.T, query string, s size) *tab {
	t.Helper()
	p := open(t, query, s, emulate("light", still))
	p.settled()
	p.audit()
	return p
}

// audit gives the page the script that axe needs.
func (p *tab) audit() {
	p.t.Helper()
	script, err := os.ReadFile(fetched(p.t, "axe-*/axe.min.js"))
	if err != nil {
		p.t.Fatal(err)
	}
	eval[bool](p, string(script)+"; true")
}

// axe finds nothing to say against any task, lesson or dialog, in either theme.
func TestAxe(t *testing.T) {
	t.Parallel()
	first := audited(t, "", wide)
	first.until("!document.getElementById('intro').hidden")
	first.axe("Introduction")
	p := audited(t, "?mesh=octopus", wide)
	for _, s := range eval[[]string](p, "[...document.querySelectorAll('summary')].map((s) => s.textContent)") {
		p.unfold(s)
	}
	for _, button := range []string{"Keep source", "Keep target", "Keep source"} {
		p.press(button)
	}
	p.until("!document.getElementById('weights').hidden")
	eval[bool](p, "document.getElementById('barycentre-result').hidden = false, true") // what it holds takes exact long
	p.axe("Transport")
	p.press("Show a block")
	p.until("document.querySelector('#block rect')")
	p.press("Show the plan as a matrix")
	p.until("document.querySelector('#matrix svg')")
	p.axe("Transport with a block of the kernel and the plan as a matrix")
	p.press("Hide block")
	p.press("Hide matrix")
	p.press("Separators")
	p.press("Size against balance")
	p.until("document.querySelectorAll('#pareto-list button').length > 1")
	p.axe("Separators")
	p.press("Treewidth")
	p.press("Find treewidth")
	p.until("!document.getElementById('treewidth-results').hidden")
	p.press("Widest bag")
	p.axe("Treewidth")
	p.press("Inspect")
	p.press("Inspect mesh")
	p.until("!document.getElementById('histograms').hidden")
	p.set("Colour by", "mean")
	p.axe("Inspect")
	p.set("Colour by", "distance")
	at := p.find(0.5, 0.5)
	p.do(chromedp.MouseClickXY(at.X, at.Y))
	p.wait("s.field.name == 'distance' && s.field.shown")
	p.set("Settled vertices", "60")
	p.wait("s.field.front.shown && s.field.front.open > 0")
	p.axe("Inspect with a front of shortest paths")
	p.press("Hide front")
	narrow := audited(t, "?mesh=cat", phone)
	for _, id := range []string{"restored", "forecast"} { // as they are seldom seen
		eval[bool](narrow, fmt.Sprintf("document.getElementById(%q).hidden = false, document.getElementById('%[1]s-text').textContent = 'What happened.', true", id))
	}
	broken := filepath.Join(t.TempDir(), "broken.off")
	write(t, broken, []byte("OFF\n1 1 0\n"))
	narrow.file(broken)
	narrow.wait("s.error")
	narrow.axe("Notices on a phone")
	narrow.press("Panel")
	narrow.axe("Panel on a phone")
	narrow.close()
	for dialog, button := range map[string]string{"gallery": "Gallery", "saving": "Save", "about": "About", "keys": "Keys", "sharing": "", "elsewhere": "", "comparing": ""} {
		if button != "" {
			p.press(button)
		} else {
			eval[bool](p, fmt.Sprintf("document.getElementById(%q).showModal(), true", dialog))
		}
		p.until(fmt.Sprintf("document.getElementById(%q).open", dialog))
		p.axe("Dialog " + dialog)
		eval[bool](p, fmt.Sprintf("document.getElementById(%q).close(), true", dialog))
	}
	eval[bool](p, "document.getElementById('learn').click(), true")
	const listed = "[...document.querySelectorAll('#lesson-list button')].map((b) => b.ariaLabel)"
	p.until(listed + ".length")
	for i, name := range eval[[]string](p, listed) {
		p.press(name)
		p.until(fmt.Sprintf("document.querySelectorAll('#lesson-list button')[%d].getAttribute('aria-current')", i))
		p.until("document.querySelector('#lesson-figures svg')")
		p.axe(name)
		if i != 6 { // lesson 7's figures have words
			continue
		}
		// Figures hold their colours: another theme has them drawn anew.
		const ink = "[...document.querySelectorAll('#lesson-figures text')].map((e) => e.getAttribute('fill')).join()"
		dark := eval[string](p, ink)
		p.do(emulate("light", still))
		p.frames(2) // a page hears of another theme when it draws
		p.until(fmt.Sprintf("%s != %q", ink, dark))
	}
}

// axe finds nothing to say against any step of a lesson with its answer, in either theme.
func TestAxeSteps(t *testing.T) {
	t.Parallel()
	p := audited(t, "?make=torus&p.segments=24&p.sides=10", middle)
	steps := func(looks string) {
		for i, l := range lesson.Lessons() {
			for step := range l.Steps {
				at := fmt.Sprintf("%d.%d", i+1, step+1)
				eval[bool](p, fmt.Sprintf("location.hash = 'learn=%s/t1e9_r', true", at))
				p.wait(fmt.Sprintf("s.lesson && s.lesson.number == %d && s.lesson.step == %d", i+1, step+1))
				p.until("document.querySelector('#lesson-figures svg') && document.getElementById('lesson-figures').ariaBusy == 'false'")
				if l.Steps[step].Text.Reveal != "" {
					p.until("document.getElementById('lesson-reveal').textContent != ''")
				}
				p.axeWithin("document.getElementById('lesson')", at+" "+looks)
				if over := eval[float64](p, "Math.max(...['lesson', 'lesson-body'].map((id) => document.getElementById(id)).map((e) => e.scrollWidth - e.clientWidth))"); over > 0 {
					t.Errorf("%s %s is %g pixels too wide", at, looks, over)
				}
			}
		}
	}
	steps("beside the mesh")
	p.press("Teacher’s view")
	steps("in the teacher's view")
	p.press("Teacher’s view")
	p.resize(phone)
	steps("on a phone")
}

// covered lists the controls that, brought into view, cannot be pressed in their middle or whose text is cut off.
const covered = `(async () => {
	const bad = [];
	const name = (e) => e.id || e.ariaLabel || e.textContent.trim();
	const top = document.querySelector('dialog[open]') || document;
	for (const e of top.querySelectorAll('button, select, input, summary, output, dt, dd, .note, [role=status], #legend button *')) {
		if (e.matches('#file, .hidden') || !e.checkVisibility({ visibilityProperty: true })) continue;
		e.scrollIntoView({ block: 'center' });
		const r = e.getBoundingClientRect(), x = r.x + r.width / 2, y = r.y + r.height / 2;
		if (!r.width || !r.height) continue;
		if (r.left < -1 || r.right > innerWidth + 1 || y < 0 || y > innerHeight) bad.push(name(e) + ' is off the screen');
		else if (e.matches('button, select, input, summary') && !e.disabled) {
			const hit = document.elementFromPoint(x, y);
			if (!e.contains(hit)) bad.push(name(e) + ' is covered by ' + (hit?.id || hit?.tagName));
		}
		if (!e.matches('select, input') && (e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 1) && getComputedStyle(e).display != 'inline') bad.push(name(e) + ' is cut off');
	}
	if (top.scrollWidth > top.clientWidth) bad.push(top.id + ' scrolls sideways');
	const share = document.getElementById('actions').getBoundingClientRect();
	for (const e of document.querySelectorAll('#legend button')) {
		const r = e.getBoundingClientRect();
		if (r.right > share.left && r.left < share.right && r.bottom > share.top && r.top < share.bottom) bad.push(name(e) + ' lies under Share');
	}
	if (document.documentElement.scrollWidth > innerWidth) bad.push('the page is ' + document.documentElement.scrollWidth + ' wide');
	return bad;
})()`

// At 200 % of screens of 1024, 1440 and 2560 pixels and on a narrow phone every control can be brought into view and pressed, with all that
// folds open, and no text is cut off.
func TestZoom(t *testing.T) {
	t.Parallel()
	for name, s := range map[string]size{
		"zoomed": {720, 450, 1, false, true}, "half": {512, 384, 1, false, true}, "wide": {1280, 800, 1, false, true}, "narrow": {320, 640, 1, true, true},
	} {
		p := open(t, "?mesh=octopus", s, emulate("light", still))
		p.settled()
		look := func(where string) {
			p.unfoldAll()
			p.frames(4)
			for _, bad := range eval[[]string](p, covered) {
				t.Errorf("%s, %s: %s", name, where, bad)
			}
			p.picture("zoom-" + name + "-" + where)
		}
		if s.width < 600 {
			p.press("Panel")
		}
		for _, task := range []string{"Transport", "Separators", "Treewidth", "Inspect"} {
			p.press(task)
			look(task)
		}
		p.press("Inspect mesh")
		p.wait("s.findings.known")
		for _, field := range []string{"gaussian", "displacement", "occlusion"} {
			p.set("Colour by", field)
			p.wait("s.field.shown && s.field.name == '" + field + "'")
			look(field)
		}
		for _, dialog := range []string{"gallery", "saving", "about", "keys", "sharing", "elsewhere", "comparing"} {
			eval[bool](p, fmt.Sprintf("document.getElementById(%q).showModal(), true", dialog))
			look(dialog)
			eval[bool](p, fmt.Sprintf("document.getElementById(%q).close(), true", dialog))
		}
		p.press("Learn")
		p.until("document.querySelector('#lesson-figures svg')")
		look("lesson")
	}
}

// With a wish for more contrast, muted text has 7 : 1 and the borders of controls 4.5 : 1; a page without it has less.
func TestMoreContrast(t *testing.T) {
	t.Parallel()
	p := audited(t, "?mesh=octopus", wide)
	for _, theme := range []string{"light", "dark"} {
		for _, wish := range []string{"no-preference", "more"} {
			p.do(emulate(theme, still, &emulation.MediaFeature{Name: "prefers-contrast", Value: wish}))
			p.frames(2)
			contrast := func(element, colour, ground string) float64 {
				return eval[float64](p, fmt.Sprintf(`(() => {
					const { Color, getContrast } = axe.commons.color, s = getComputedStyle(document.querySelector(%q));
					const parse = (text) => { const c = new Color(); c.parseString(text); return c; };
					return getContrast(parse(getComputedStyle(document.querySelector(%q)).backgroundColor), parse(s[%q]));
				})()`, element, ground, colour))
			}
			text, border := contrast("#h-mesh", "color", "#panel"), contrast("#open", "borderTopColor", "#open")
			if more := wish == "more"; more != (text >= 7) || more != (border >= 4.5) {
				t.Errorf("%s, contrast %s: muted text %.2f, borders %.2f", theme, wish, text, border)
			}
			p.picture("contrast-" + theme + "-" + wish)
		}
	}
}

// said is what the accessibility tree has in live regions: politeness and text.
func (p *tab) said() (all []string) {
	p.t.Helper()
	tree := call(p, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	nodes := map[accessibility.NodeID]*accessibility.Node{}
	for _, n := range tree.Nodes {
		nodes[n.NodeID] = n
	}
	for _, n := range tree.Nodes {
		if n.Ignored || n.Role == nil || string(n.Role.Value) != `"StaticText"` {
			continue
		}
		for up := n; up != nil; up = nodes[up.ParentID] {
			if up.Role != nil && (string(up.Role.Value) == `"status"` || string(up.Role.Value) == `"alert"`) {
				all = append(all, strings.Trim(string(up.Role.Value), `"`)+": "+strings.Trim(string(n.Name.Value), `"`))
				break
			}
		}
	}
	return all
}

// What changes on the canvas is in live regions, where a screen reader hears it: the solve, its result, what is on
// the mesh, and what went wrong.
func TestAnnounced(t *testing.T) {
	t.Parallel()
	p := open(t, "?mesh=cat", small)
	p.settled()
	heard := func(what string) {
		t.Helper()
		for end := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
			all := p.said()
			if slices.ContainsFunc(all, func(s string) bool { return strings.HasPrefix(s, what) }) {
				return
			}
			if time.Now().After(end) {
				t.Fatalf("never said %q, but %q", what, all)
			}
		}
	}
	heard("status: Solved in ")
	eval[bool](p, `globalThis.heard = [], new MutationObserver(() => heard.push(document.querySelector('#status').textContent)).observe(document.querySelector('#status'), { childList: true, characterData: true, subtree: true }), true`)
	p.set("Epsilon", "-1.5")
	p.until("heard.includes('Solving…') && heard.at(-1).startsWith('Solved in ')")
	heard("status: Solved in ")
	p.press("Separators")
	heard("status: On the mesh: Split: A, B, separator.")
	p.press("Transport")
	p.press("Clear densities")
	p.until("document.getElementById('told').textContent.endsWith('Source on 0 vertices, target on 0 vertices.')")
	heard("status: Nothing is on the mesh.")
	bad := filepath.Join(t.TempDir(), "bad.off")
	if err := os.WriteFile(bad, []byte("OFF\n1 1 0\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	p.file(bad)
	p.wait("s.error")
	heard("alert: ")
}
