//go:build e2e && !js

package e2e

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"genussink/viewer/lesson"
	"genussink/viewer/lesson/model"
)

// reader plays lessons on a page: with the pointer, a finger, or keys alone.
type reader struct {
	*tab
	finger bool
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

// pick clicks or taps things.
func (r *reader) pick(selectors ...string) {
	r.t.Helper()
	for _, s := range selectors {
		at := r.place(s)
		if !r.finger {
			r.do(chromedp.MouseClickXY(at.X, at.Y))
			continue
		}
		r.touch(input.DispatchTouchEventTypeTouchStart, at)
		r.touch(input.DispatchTouchEventTypeTouchEnd)
	}
}

func (r *reader) touch(kind input.DispatchTouchEventType, fingers ...spot) {
	r.t.Helper()
	e := input.DispatchTouchEventParams{Type: kind, TouchPoints: []*input.TouchPoint{}}
	for i, f := range fingers {
		id := float64(i)
		e.TouchPoints = append(e.TouchPoints, &input.TouchPoint{X: f.X, Y: f.Y, ID: &id})
	}
	call(r.tab, input.DispatchTouchEvent, e)
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
	eval[bool](r.tab, fmt.Sprintf("(() => { const e = document.querySelectorAll('#lesson-question input')[%d]; e.focus(); e.select?.(); return true; })()", which))
	r.do(chromedp.KeyEvent(x))
}

func (r *reader) choose(which int) {
	r.t.Helper()
	r.pick(fmt.Sprintf("#lesson-question label:nth-of-type(%d) input", which+1))
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

func vertices(list []int) (out []string) {
	for _, v := range list {
		out = append(out, target(0, "vertex", v))
	}
	return out
}

// band is a fair cut of a graph that lies across the page: what stands in its middle.
func band(g *model.Graph) (cut []int) {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, p := range g.Places {
		lo, hi = min(lo, p[0]), max(hi, p[0])
	}
	for wide := 0.0; ; wide += 0.1 {
		cut = nil
		for v, p := range g.Places {
			if math.Abs(p[0]-(lo+hi)/2) <= wide {
				cut = append(cut, v)
			}
		}
		if c := model.Separate(g, cut); c.A > 0 && c.B > 0 && 3*max(c.A, c.B) <= 2*g.N {
			return cut
		}
		if wide > hi-lo {
			return nil
		}
	}
}

// narrow is the narrowest of some orders that take a vertex with the fewest fill edges, ties by chance.
func narrow(g *model.Graph) (best []int) {
	least := g.N
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 1))
		next := make([]map[int]bool, g.N)
		for v := range next {
			next[v] = map[int]bool{}
		}
		for _, e := range g.Edges {
			next[e[0]][e[1]], next[e[1]][e[0]] = true, true
		}
		var order []int
		width := 0
		for len(order) < g.N {
			at, fewest, ties := -1, 0, 0
			for v := range g.N {
				if slices.Contains(order, v) {
					continue
				}
				fill := 0
				for a := range next[v] {
					for b := range next[v] {
						if a < b && !next[a][b] {
							fill++
						}
					}
				}
				if at < 0 || fill < fewest {
					at, fewest, ties = v, fill, 1
				} else if fill == fewest {
					if ties++; random.IntN(ties) == 0 {
						at = v
					}
				}
			}
			width = max(width, len(next[at]))
			for a := range next[at] {
				for b := range next[at] {
					if a != b {
						next[a][b] = true
					}
				}
				delete(next[a], at)
			}
			order = append(order, at)
		}
		if width < least {
			least, best = width, order
		}
	}
	return best
}

// plays are the lessons, each step once wrong and once right.
var plays = [][]func(r *reader, g *model.Graph){
	{
		func(r *reader, g *model.Graph) {
			r.wrong()
			r.pick(vertices(band(g))...)
			r.right()
		},
		func(r *reader, g *model.Graph) {
			r.pick(vertices(band(g))...)
			r.pick(target(0, "vertex", 0)) // one more than it takes
			r.wrong()
			smallest := r.marked()
			r.press("Start over")
			r.pick(smallest...)
			r.right()
		},
		func(r *reader, g *model.Graph) { r.wrong(); r.follow() },
		func(r *reader, g *model.Graph) { r.choice(0, 1) },
		func(r *reader, g *model.Graph) { r.predict("0.5", 1) },
	},
	{
		func(r *reader, g *model.Graph) {
			r.wrong()
			for v := range g.N {
				r.pick(target(0, "vertex", v))
				if r.verdict() {
					return
				}
			}
			r.t.Error("no vertex will do")
		},
		func(r *reader, g *model.Graph) {
			r.wrong()
			full := eval[[]string](r.tab, `(async () => {
				document.getElementById('lesson-previous').click();
				const full = [...document.querySelectorAll('#lesson-figures [data-kind=bag]')].sort((a, b) => a.dataset.id - b.dataset.id).map((e) => e.dataset.vertices);
				document.getElementById('lesson-next').click();
				return full;
			})()`)
			first := true
			for b, text := range full {
				has := eval[string](r.tab, fmt.Sprintf("document.querySelector(%q).dataset.vertices ?? ''", target(1, "bag", b)))
				for _, word := range strings.Fields(text) {
					if slices.Contains(strings.Fields(has), word) {
						continue
					}
					v, _ := strconv.Atoi(word)
					if first { // the first is dragged, the others are picked
						from := r.place(target(0, "vertex", v))
						to := eval[spot](r.tab, fmt.Sprintf("(({x, y, width, height}) => ({X: x + width / 2, Y: y + height / 2}))(document.querySelector(%q).getBoundingClientRect())", target(1, "bag", b)))
						r.drag(from, spot{(from.X + to.X) / 2, (from.Y + to.Y) / 2}, to)
						first = false
						continue
					}
					r.pick(target(0, "vertex", v), target(1, "bag", b))
				}
			}
			r.right()
		},
		func(r *reader, g *model.Graph) { r.predict("1", 0) },
		func(r *reader, g *model.Graph) { r.predict("7", 0, 1, 2, 3) },
	},
	{
		func(r *reader, g *model.Graph) { r.wrong(); r.follow() },
		func(r *reader, g *model.Graph) {
			r.wrong()
			for v := range g.N {
				r.pick(target(0, "vertex", v))
			}
			r.right()
		},
		func(r *reader, g *model.Graph) { r.wrong(); r.pick(vertices(narrow(g))...); r.right() },
		func(r *reader, g *model.Graph) { r.predict("1", 2) },
	},
	{
		func(r *reader, g *model.Graph) { r.predict("12", 0) },
		func(r *reader, g *model.Graph) { r.wrong(); r.follow() },
		func(r *reader, g *model.Graph) { r.predict("1", 0) },
		func(r *reader, g *model.Graph) { r.wrong(); r.follow() },
	},
	{
		func(r *reader, g *model.Graph) { r.predict("20", 0) },
		func(r *reader, g *model.Graph) { r.predict("20", 0) },
		func(r *reader, g *model.Graph) { r.wrong(); r.follow() },
		func(r *reader, g *model.Graph) {
			r.wrong()
			r.pick(target(0, "vertex", 0), target(0, "vertex", 1))
			r.wrong() // this hint names a pair in need
			pair := r.marked()
			r.press("Start over")
			r.pick(pair...)
			r.right()
		},
	},
	{
		func(r *reader, g *model.Graph) { r.predict("0", 0) },
		func(r *reader, g *model.Graph) { r.predict("1000", 0) },
		func(r *reader, g *model.Graph) { r.predict("1", 0) },
		func(r *reader, g *model.Graph) { r.predict("10", 0) },
	},
	{
		func(r *reader, g *model.Graph) {
			r.wrong()
			eval[bool](r.tab, "document.getElementById('lesson-x').focus(), true")
			r.do(chromedp.KeyEvent(home))
			r.right()
		},
		func(r *reader, g *model.Graph) { r.choice(1, 0) },
		func(r *reader, g *model.Graph) { r.predict("1", 0) },
		func(r *reader, g *model.Graph) {
			r.wrong()
			r.press("Reveal")
			truth := eval[string](r.tab, "document.querySelector('#lesson-reveal b').textContent")
			n, _ := strconv.Atoi(truth)
			r.press("Timeline on")
			for range n - 1 {
				r.press("Timeline on")
			}
			r.right()
		},
	},
	{
		func(r *reader, g *model.Graph) { r.wrong(); r.follow() },
		func(r *reader, g *model.Graph) { r.choice(1, 0) },
		func(r *reader, g *model.Graph) { r.choice(0, 1) },
	},
}

// home is the Home key as chromedp writes it.
const home = "\u0306"

// Each lesson is played through, step by step, once wrong and once right.
func TestLessons(t *testing.T) {
	t.Parallel()
	for i, play := range plays {
		t.Run(fmt.Sprint(i+1), func(t *testing.T) {
			r := &reader{tab: open(t, "?mesh=cat&method=exact&on=wireframe#", size{1024, 768, 1, false, false})}
			r.wait("s.ready")
			lessons := lesson.Lessons()
			eval[bool](r.tab, fmt.Sprintf("(location.hash = 'learn=%d.1', true)", i+1))
			if len(play) != len(lessons[i].Steps) {
				t.Fatalf("%d steps are played, %d there are", len(play), len(lessons[i].Steps))
			}
			for k, step := range play {
				r.at(i+1, k+1)
				step(r, lessons[i].Graph())
				if k+1 < len(play) {
					r.press("Next step")
				}
			}
			if done := r.state().Lesson.Done; !slices.Contains(done, i+1) {
				t.Errorf("done are %v", done)
			}
		})
	}
}

// figureState is what a step shows, but for where the Tab key stands.
const figureState = "document.getElementById('lesson-body').innerText + [...document.querySelectorAll('#lesson-figures svg')].map((e) => e.outerHTML.replace(/ tabindex=\"-?[0-9]\"/g, '')).join('')"

// Learn opens beside the mesh, Esc goes back; steps are as they were left, by the button, by the address, and in a browser that comes again.
func TestLessonIsResumed(t *testing.T) {
	r := &reader{tab: kept(t, "?mesh=cat", size{1024, 768, 1, false, false})}
	r.wait("s.ready && s.lesson === null")
	eval[bool](r.tab, "localStorage.removeItem('genussink.lessons'), document.querySelector('canvas').focus(), true")
	r.do(chromedp.KeyEvent("l"))
	r.at(1, 1)
	g := lesson.Lessons()[0].Graph()
	r.pick(vertices(band(g)[:2])...)
	r.do(chromedp.MouseClickXY(r.place("#lesson-step").X, r.place("#lesson-step").Y)) // away from the figure
	before := eval[string](r.tab, figureState)
	r.press("Next step")
	r.at(1, 2)
	r.press("Previous step")
	r.at(1, 1)
	if after := eval[string](r.tab, figureState); after != before {
		t.Errorf("the step before is another:\n%s\nwas\n%s", after, before)
	}
	r.until("location.hash.startsWith('#learn=1.1/v')")
	address := eval[string](r.tab, "location.search + location.hash")
	r.do(chromedp.KeyEvent("\x1b"))
	r.wait("s.lesson === null")
	r.until("location.hash == '' && document.getElementById('lesson').hidden && document.getElementById('panel').checkVisibility()")

	eval[bool](r.tab, "localStorage.removeItem('genussink.lessons'), true")
	other := &reader{tab: again(t, address, size{1024, 768, 1, false, false})}
	other.at(1, 1)
	if after := eval[string](other.tab, figureState); after != before {
		t.Errorf("the address opens another step:\n%s\nwas\n%s", after, before)
	}
	other.until("localStorage.getItem('genussink.lessons')?.startsWith('1.1/v')")
	back := &reader{tab: again(t, "?mesh=cat&method=exact", size{1024, 768, 1, false, false})}
	back.wait("s.ready && s.lesson === null")
	back.press("Learn")
	back.at(1, 1)
	if after := eval[string](back.tab, figureState); after != before {
		t.Errorf("the browser remembers another step:\n%s\nwas\n%s", after, before)
	}
}

// The first lesson by touch on a narrow screen.
func TestLessonByTouch(t *testing.T) {
	t.Parallel()
	r := &reader{tab: open(t, "?mesh=cat", phone), finger: true}
	r.wait("s.ready")
	r.press("Learn")
	eval[bool](r.tab, "(location.hash = 'learn=1.1/', true)")
	for k, step := range plays[0] {
		r.at(1, k+1)
		step(r, lesson.Lessons()[0].Graph())
		if k < len(plays[0])-1 {
			r.press("Next step")
		}
	}
}

// keyTo presses Tab until an element has the focus.
func (r *reader) keyTo(selector string) {
	r.t.Helper()
	for range 60 {
		if eval[bool](r.tab, fmt.Sprintf("document.activeElement.matches(%q)", selector)) {
			return
		}
		r.do(chromedp.KeyEvent("\t"))
	}
	r.t.Fatalf("Tab does not reach %s", selector)
}

// arrows walks to a thing in a figure.
func (r *reader) arrows(selector string) {
	r.t.Helper()
	for range 80 {
		d := eval[spot](r.tab, fmt.Sprintf(`(() => {
			const mid = (e) => { const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; };
			const [x, y] = mid(document.activeElement), [X, Y] = mid(document.querySelector(%q));
			return { X: X - x, Y: Y - y };
		})()`, selector))
		if eval[bool](r.tab, fmt.Sprintf("document.activeElement.matches(%q)", selector)) {
			return
		}
		key := "\u0303" // right
		switch {
		case math.Abs(d.Y) > math.Abs(d.X) && d.Y > 0:
			key = "\u0301"
		case math.Abs(d.Y) > math.Abs(d.X):
			key = "\u0304"
		case d.X < 0:
			key = "\u0302"
		}
		r.do(chromedp.KeyEvent(key))
	}
	r.t.Fatalf("arrows do not lead to %s", selector)
}

// Lessons by keys alone: the first, with its cut, a dot on the chart, a choice and a number.
func TestLessonByKeys(t *testing.T) {
	t.Parallel()
	r := &reader{tab: open(t, "?mesh=cat", size{1024, 768, 1, false, false})}
	r.wait("s.ready")
	eval[bool](r.tab, "localStorage.removeItem('genussink.lessons'), document.querySelector('canvas').focus(), true")
	r.do(chromedp.KeyEvent("l"))
	r.at(1, 1)
	press := func(selector string) {
		t.Helper()
		r.keyTo(selector)
		r.do(chromedp.KeyEvent("\r"))
	}
	for _, v := range band(lesson.Lessons()[0].Graph()) {
		r.keyTo("#lesson-figures .target")
		r.arrows(target(0, "vertex", v))
		r.do(chromedp.KeyEvent("\r"))
	}
	press("#lesson-check")
	r.wait("s.lesson.passed")
	press("#lesson-next")
	r.at(1, 2)
	press("#lesson-next")
	r.at(1, 3)
	press("#lesson-check")
	r.until("document.getElementById('lesson-verdict').className == 'hint'")
	want := r.marked()[0]
	r.keyTo("#lesson-figures .target")
	r.arrows(want)
	r.do(chromedp.KeyEvent("\r"))
	press("#lesson-check")
	r.wait("s.lesson.passed")
	press("#lesson-next")
	r.at(1, 4)
	r.keyTo("#lesson-question input")
	r.do(chromedp.KeyEvent("\u0301")) // the second choice
	press("#lesson-check")
	r.wait("s.lesson.passed")
	r.do(chromedp.KeyEvent("\x1b"))
	r.wait("s.lesson === null")
}
