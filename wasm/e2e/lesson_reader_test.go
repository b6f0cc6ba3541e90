//go:build e2e && !js

package e2e

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/chromedp"

	"genussink/viewer/figure"
	"genussink/viewer/lesson"
)

// hand is what a reader plays with.
type hand int

const (
	pointer hand = iota
	finger
	keys // alone
)

// reader plays lessons on a page.
type reader struct {
	*tab
	hand
	desk    *lesson.Desk
	machine *lesson.Machine // beside the page
}

func newReader(p *tab, h hand) *reader {
	desk := &lesson.Desk{}
	return &reader{p, h, desk, lesson.New(desk)}
}

// target is the selector of a thing in a figure.
func target(figure int, kind string, id int) string {
	return fmt.Sprintf("#figure-%d-%s-%d", figure, kind, id)
}

// pick clicks or taps things, or walks to them and presses Enter.
func (r *reader) pick(selectors ...string) {
	r.t.Helper()
	for _, s := range selectors {
		if r.hand == keys {
			r.walk(s)
			r.do(chromedp.KeyEvent(enter))
			continue
		}
		if strings.Contains(s, "-point-") {
			s += " circle" // beside it stands its name, whose middle may be nearer to another
		}
		at := r.place(s)
		if r.hand == pointer {
			r.do(chromedp.MouseClickXY(at.X, at.Y))
			continue
		}
		r.tap(at)
	}
}

// press presses a button of the lesson.
func (r *reader) press(name string) {
	r.t.Helper()
	if r.hand != keys {
		r.tab.press(name)
		return
	}
	r.until(fmt.Sprintf("[...document.querySelectorAll('#lesson button')].some((b) => (b.ariaLabel || b.textContent.trim()) == %q && !b.disabled)", name))
	id := eval[string](r.tab, fmt.Sprintf("[...document.querySelectorAll('#lesson button')].find((b) => (b.ariaLabel || b.textContent.trim()) == %q).id", name))
	r.keyTo("#" + id)
	r.do(chromedp.KeyEvent(enter))
}

// Keys as chromedp writes them.
const (
	enter = "\r"
	tabs  = "\t"
	down  = "\u0301"
	left  = "\u0302"
	right = "\u0303"
	up    = "\u0304"
	home  = "\u0306"
)

// keyTo presses Tab, or Shift and Tab where that is shorter, until an element has the focus: as often as there are things on the way, and then on
// until it has.
func (r *reader) keyTo(selector string) {
	r.t.Helper()
	ahead := eval[int](r.tab, fmt.Sprintf(`(() => {
		const all = [...document.querySelectorAll('button, input, select, summary, a[href], [tabindex]')].filter((e) => e.tabIndex >= 0 && !e.disabled && e.checkVisibility());
		const at = all.indexOf(document.activeElement), to = all.findIndex((e) => e.matches(%q));
		if (at < 0 || to < 0) return 0;
		const ahead = (to - at + all.length) %% all.length;
		return ahead <= all.length / 2 ? ahead : ahead - all.length;
	})()`, selector))
	here := fmt.Sprintf("document.activeElement.matches(%q)", selector)
	if eval[bool](r.tab, here) {
		return
	}
	step := func(times int) {
		var to []chromedp.KeyOption
		if ahead < 0 {
			to = append(to, chromedp.KeyModifiers(chromedp.ModifierShift))
		}
		r.do(chromedp.KeyEvent(strings.Repeat(tabs, times), to...))
	}
	step(max(max(ahead, -ahead)-2, 0))
	for range 60 {
		if eval[bool](r.tab, here) {
			return
		}
		step(1)
	}
	r.t.Fatalf("Tab does not reach %s", selector)
}

// walk goes to a thing in a figure by Tab and the arrow keys: the fewest that lead there, by the rule that the page's
// figures follow. To a point of a chart it goes through the points from left to right.
func (r *reader) walk(selector string) {
	r.t.Helper()
	figure, _, _ := strings.Cut(strings.TrimPrefix(selector, "#figure-"), "-")
	host := fmt.Sprintf(".figure-host[data-figure='%s'] .target", figure)
	r.keyTo(host)
	if strings.Contains(selector, "-point-") { // from the leftmost on to the right, as far as there are any: two may lie at one place
		here := fmt.Sprintf("document.activeElement.matches(%q)", selector)
		count := eval[int](r.tab, fmt.Sprintf("document.querySelectorAll(%q).length", host))
		r.do(chromedp.KeyEvent(strings.Repeat(left, count)))
		for range count {
			if eval[bool](r.tab, here) {
				return
			}
			r.do(chromedp.KeyEvent(right))
		}
		r.t.Fatalf("arrows do not lead to %s", selector)
	}
	for range 4 {
		way := eval[string](r.tab, fmt.Sprintf(`(() => {
			const all = [...document.querySelectorAll(%q)], want = document.querySelector(%q);
			const at = all.map((e) => { const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; });
			const turns = { l: [-1, 0], r: [1, 0], u: [0, -1], d: [0, 1] };
			const next = (here, [x, y]) => {
				let best = Infinity, to = here;
				at.forEach(([X, Y], i) => {
					const dx = X - at[here][0], dy = Y - at[here][1];
					const along = dx * x + dy * y, off = Math.abs(dx * y + dy * x);
					if (along > 0.5 && along + 2 * off < best) { best = along + 2 * off; to = i; }
				});
				return to;
			};
			const from = all.indexOf(document.activeElement), ways = new Map([[from, '']]);
			for (const i of ways.keys()) for (const [key, turn] of Object.entries(turns)) {
				const j = next(i, turn);
				if (!ways.has(j)) ways.set(j, ways.get(i) + key);
			}
			return ways.get(all.indexOf(want)) ?? 'none';
		})()`, host, selector))
		if way == "none" {
			break
		}
		if way != "" {
			r.do(chromedp.KeyEvent(strings.NewReplacer("l", left, "r", right, "u", up, "d", down).Replace(way)))
		}
		if eval[bool](r.tab, fmt.Sprintf("document.activeElement.matches(%q)", selector)) {
			return
		}
	}
	r.t.Fatalf("arrows do not lead to %s", selector)
}

// at waits until a step is shown, and the engine has answered.
func (r *reader) at(number, step int) {
	r.t.Helper()
	r.wait(fmt.Sprintf("s.lesson && s.lesson.number == %d && s.lesson.step == %d", number, step))
	r.calm()
}

func (r *reader) calm() {
	r.t.Helper()
	r.until("document.getElementById('lesson-figures').getAttribute('aria-busy') == 'false'")
}

// marked are the things that a hint points at, and that the pointer can reach.
func (r *reader) marked() []string {
	r.t.Helper()
	return eval[[]string](r.tab, `[...document.querySelectorAll('#lesson-figures .target')].filter((e) => e.getAttribute('aria-label').includes('look here')).map((e) => '#' + e.id)`)
}

// verdict is what Check says: whether the step is passed. What a step asks of the engine may be asked only then: Check
// says that the engine is at work, and the page checks again by itself.
func (r *reader) verdict() bool {
	r.t.Helper()
	r.calm()
	r.press("Check")
	r.until(`((v) => ['pass', 'hint'].includes(v.className) && v.textContent && !v.textContent.includes('again in a moment'))(document.getElementById('lesson-verdict'))`)
	return r.state().Lesson.Passed
}

// wrong expects a hint that points at a place: the one that a machine beside the page points at after the same acts. Of the mesh at hand only
// the page knows how long its methods took, so there a place is enough.
func (r *reader) wrong() {
	r.t.Helper()
	if r.verdict() {
		r.t.Fatalf("%d.%d is passed", r.state().Lesson.Number, r.state().Lesson.Step)
	}
	said, s := r.text("lesson-verdict"), r.state().Lesson
	if lesson.Lessons()[s.Number-1].Steps[s.Step-1].Mesh {
		if lit := eval[int](r.tab, `document.querySelectorAll('#lesson-figures [data-lit], #lesson-question.marked').length`); len(r.marked()) == 0 && lit == 0 {
			r.t.Errorf("%d.%d: the hint %q points at nothing", s.Number, s.Step, said)
		}
		return
	}
	for deadline := time.Now().Add(10 * time.Second); ; r.frames(3) { // the page writes its address after a while
		amiss := r.amiss(s, said)
		if amiss == "" {
			return
		}
		if time.Now().After(deadline) {
			r.t.Fatalf("%d.%d: the hint is %q; %s", s.Number, s.Step, said, amiss)
		}
	}
}

// amiss says in what the page's hint is another than that of a machine beside the page, "" for in nothing.
func (r *reader) amiss(s *lesson.State, said string) string {
	want, words := r.beside(s)
	if want == nil || !strings.HasPrefix(said, words) {
		return fmt.Sprintf("it has to be %q", words)
	}
	if asks := eval[bool](r.tab, "document.getElementById('lesson-question').classList.contains('marked')"); asks || want.Unpredicted() {
		if asks != want.Unpredicted() {
			return fmt.Sprintf("the prediction is marked: %v", asks)
		}
		return ""
	}
	if len(want.Place) == 0 {
		return "it points at nothing"
	}
	marked := r.marked()
	for _, place := range want.Place {
		id := target(place.Figure, string(place.Kind), place.ID)
		shown := slices.Contains(marked, id)
		switch place.Kind {
		case figure.Row, figure.Column: // they are lit
			shown = eval[bool](r.tab, fmt.Sprintf("!!document.querySelector(%q)", id+"[data-lit]"))
		case figure.Edge: // no pointer reaches one
			shown = true
		}
		if !shown {
			return fmt.Sprintf("it has to point at %s, and points at %v", id, marked)
		}
	}
	return ""
}

// beside is the verdict of a machine that does again what the page's address says was done. It gives the hint's words too, up to the first
// source or formula, which the page writes in another way. The verdict is nil while the address is of another step.
func (r *reader) beside(s *lesson.State) (*lesson.Verdict, string) {
	r.t.Helper()
	m, address := r.machine, eval[string](r.tab, "decodeURIComponent(location.hash.slice(1))")
	if address == "" { // the page has not written it yet
		return nil, "a hint"
	}
	if err := m.Resume(address); err != nil {
		r.t.Fatal(err)
	}
	if !strings.Contains(address, "/") { // nothing is done
		m.StartOver()
	}
	if state := m.State(); state.Number != s.Number || state.Step != s.Step {
		return nil, "a hint of another step"
	}
	answered(r.t, m, r.desk)
	verdict := m.Check()
	for answer(r.t, r.desk) { // what only the check asks
		verdict = m.Check()
	}
	v := answered(r.t, m, r.desk)
	words := lesson.Written(lesson.Fill(m.Step().Text.Hint(verdict), &v, verdict))
	if i := strings.IndexAny(words, "[("); i >= 0 {
		words = words[:i]
	}
	return verdict, strings.TrimSpace(words)
}

// right expects that all is well, and goes on.
func (r *reader) right() {
	r.t.Helper()
	if !r.verdict() {
		s := r.state().Lesson
		r.t.Fatalf("%d.%d: %s", s.Number, s.Step, r.text("lesson-verdict"))
	}
}

// follow does what the hint points at until the step is passed.
func (r *reader) follow() {
	r.t.Helper()
	for range 12 {
		if r.verdict() {
			return
		}
		if m := r.marked(); len(m) > 0 { // the last is a bag or a dot, where there is one
			r.pick(m[len(m)-1])
		}
	}
	r.t.Fatalf("hints lead nowhere: %s", r.text("lesson-verdict"))
}

// guess writes a prediction.
func (r *reader) guess(which int, x string) {
	r.t.Helper()
	if r.hand == keys {
		r.keyTo(fmt.Sprintf("#lesson-question label:nth-of-type(%d) input", which+1)) // what it holds is selected
	} else {
		eval[bool](r.tab, fmt.Sprintf("(() => { const e = document.querySelectorAll('#lesson-question input')[%d]; e.focus(); e.select?.(); return true; })()", which))
	}
	r.do(chromedp.KeyEvent(x))
}

func (r *reader) choose(which int) {
	r.t.Helper()
	choice := fmt.Sprintf("#lesson-question label:nth-of-type(%d) input", which+1)
	if r.hand != keys {
		r.pick(choice)
		return
	}
	r.keyTo("#lesson-question input:checked, #lesson-question:not(:has(:checked)) input")
	r.do(chromedp.KeyEvent(" "))
	for range 8 {
		if eval[bool](r.tab, fmt.Sprintf("document.activeElement.matches(%q)", choice)) {
			return
		}
		r.do(chromedp.KeyEvent(down))
	}
	r.t.Fatalf("arrows do not lead to %s", choice)
}

// predict guesses wrong and looks at the answer. Then the prediction stays, so that the answer cannot be copied: it starts over, and guesses what
// stands at a place among the answer's numbers.
func (r *reader) predict(wrong string, places ...int) {
	r.t.Helper()
	r.calm()
	for i := range places {
		r.guess(i, wrong)
	}
	r.wrong()
	r.press("Reveal")
	r.until("document.querySelectorAll('#lesson-reveal b').length > 0")
	r.calm()
	truth := eval[[]string](r.tab, "[...document.querySelectorAll('#lesson-reveal b')].map((e) => e.textContent)")
	if stays := eval[bool](r.tab, "document.getElementById('lesson-stays').checkVisibility() && [...document.querySelectorAll('#lesson-question input')].every((e) => e.readOnly || e.disabled)"); !stays {
		r.t.Error("the answer is shown, and the prediction can be changed")
	}
	r.press("Start over")
	r.calm()
	for i, k := range places {
		r.guess(i, truth[k])
	}
	r.right()
}

func (r *reader) choice(wrong, right int) {
	r.t.Helper()
	r.calm()
	r.choose(wrong)
	r.wrong()
	r.choose(right)
	r.right()
}
