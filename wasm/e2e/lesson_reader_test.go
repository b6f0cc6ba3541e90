//go:build e2e && !js

package e2e

import (
	"fmt"
	"strings"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
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
}

// target is the selector of a thing in a figure.
func target(figure int, kind string, id int) string {
	return fmt.Sprintf("#figure-%d-%s-%d", figure, kind, id)
}

// place is where the middle of an element is, once it is in view.
func (r *reader) place(selector string) spot {
	r.t.Helper()
	return eval[spot](r.tab, fmt.Sprintf(`(async () => {
		const e = document.querySelector(%q);
		e.scrollIntoView({ block: 'center' });
		await new Promise(requestAnimationFrame);
		const b = document.querySelector(%[1]q).getBoundingClientRect();
		return { X: b.x + b.width / 2, Y: b.y + b.height / 2 };
	})()`, selector))
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
		at := r.place(s)
		if r.hand == pointer {
			r.do(chromedp.MouseClickXY(at.X, at.Y))
			continue
		}
		r.touch(input.DispatchTouchEventTypeTouchStart, at)
		r.touch(input.DispatchTouchEventTypeTouchEnd)
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

// keyTo presses Tab until an element has the focus: as often as there are things before it, and then on until it has.
func (r *reader) keyTo(selector string) {
	r.t.Helper()
	ahead := eval[int](r.tab, fmt.Sprintf(`(() => {
		const all = [...document.querySelectorAll('button, input, select, summary, a[href], [tabindex]')].filter((e) => e.tabIndex >= 0 && !e.disabled && e.checkVisibility());
		const at = all.indexOf(document.activeElement), to = all.findIndex((e) => e.matches(%q));
		return to < 0 ? 0 : (to - at + all.length) %% all.length;
	})()`, selector))
	here := fmt.Sprintf("document.activeElement.matches(%q)", selector)
	if eval[bool](r.tab, here) {
		return
	}
	r.do(chromedp.KeyEvent(strings.Repeat(tabs, max(ahead-2, 0))))
	for range 60 {
		if eval[bool](r.tab, here) {
			return
		}
		r.do(chromedp.KeyEvent(tabs))
	}
	r.t.Fatalf("Tab does not reach %s", selector)
}

// walk goes to a thing in a figure by Tab and the arrow keys: the fewest that lead there, by the rule that the page's
// figures follow.
func (r *reader) walk(selector string) {
	r.t.Helper()
	figure, _, _ := strings.Cut(strings.TrimPrefix(selector, "#figure-"), "-")
	host := fmt.Sprintf(".figure-host[data-figure='%s'] .target", figure)
	r.keyTo(host)
	for range 4 {
		way := eval[string](r.tab, fmt.Sprintf(`(() => {
			const all = [...document.querySelectorAll(%q)], want = document.querySelector(%q);
			const at = all.map((e) => { const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; });
			const turns = { l: [-1, 0], r: [1, 0], u: [0, -1], d: [0, 1] };
			const lined = at.map((_, i) => i).sort((i, j) => at[i][0] - at[j][0]);
			const next = (here, [x, y]) => {
				if (x && all[here].id.includes('-point-')) return lined[lined.indexOf(here) + x] ?? here;
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
// says that the engine is at work, and is pressed again once it has answered.
func (r *reader) verdict() bool {
	r.t.Helper()
	for {
		r.calm()
		r.press("Check")
		r.until("['pass', 'hint'].includes(document.getElementById('lesson-verdict').className) && document.getElementById('lesson-verdict').textContent")
		if !eval[bool](r.tab, `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() =>
			done(document.getElementById('lesson-figures').getAttribute('aria-busy') == 'true'))))`) {
			return r.state().Lesson.Passed
		}
	}
}

// wrong expects a hint that points at a place.
func (r *reader) wrong() {
	r.t.Helper()
	if r.verdict() {
		r.t.Fatalf("%d.%d is passed", r.state().Lesson.Number, r.state().Lesson.Step)
	}
	lit := eval[int](r.tab, `document.querySelectorAll('#lesson-figures [data-lit]').length`)
	if s := r.state().Lesson; len(r.marked()) == 0 && lit == 0 {
		r.t.Errorf("%d.%d: the hint %q points at nothing", s.Number, s.Step, r.text("lesson-verdict"))
	}
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

// predict guesses wrong, looks at the answer, and guesses that: what stands at a place among its numbers.
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
