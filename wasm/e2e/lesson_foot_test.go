//go:build e2e && !js

package e2e

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"genussink/viewer/lesson"
)

// A press on a source or a term explains it. A formula has its words. The foot has the command and the sources.
func TestLessonSaysWhere(t *testing.T) {
	t.Parallel()
	r := newReader(open(t, "?make=torus&p.segments=24&p.sides=10#learn=1.4", middle), pointer)
	r.at(1, 4)
	if words := eval[[]string](r.tab, "[...document.querySelectorAll('#lesson .aloud')].map((e) => e.textContent)"); len(words) != 0 {
		t.Errorf("formulas in words before there is one: %q", words)
	}
	r.choose(1)
	r.press("Reveal")
	r.until("document.querySelector('#lesson-reveal math')")
	if words := eval[string](r.tab, "document.querySelector('#lesson-reveal .aloud').innerText"); words != lesson.Formulas["planar-bound"].Words {
		t.Errorf("the formula is read as %q", words)
	}
	for name, says := range map[string]string{"[LT79]": "Cited: p. 177.", "planar": "Planar: " + lesson.Glossary["planar"]} {
		r.press(name)
		r.until("document.getElementById('lesson-term').previousElementSibling.id == 'lesson-reveal'")
		if said := r.text("lesson-term"); !strings.Contains(said, says) {
			t.Errorf("%s is said to be %q", name, said)
		}
	}
	command := lesson.Lessons()[0].Text.Command
	if shown := eval[string](r.tab, "document.getElementById('lesson-command').innerText"); shown != command {
		t.Errorf("the foot shows %q, not %q", shown, command)
	}
	numbers := strings.Fields(eval[string](r.tab, "document.getElementById('lesson-numbers').innerText"))
	if len(numbers) != 3 || numbers[2] != "1.4/g0,1_r" {
		t.Fatalf("the step's numbers are had by %q", numbers)
	}
	told := toolSays[struct{ Says, Answer string }](t, numbers[1:]...)
	plain := func(text string) string {
		return regexp.MustCompile(`\[[^\]]*\]|\([^()]*\)|\s`).ReplaceAllString(text, "")
	}
	if said := eval[string](r.tab, "document.getElementById('lesson-say').innerText"); plain(said) != plain(told.Says) {
		t.Errorf("the tool says %q, the page %q", told.Says, said)
	}
	r.press("Closing page")
	r.until("document.getElementById('lesson-title').textContent == 'What you have seen'")
	if eval[bool](r.tab, "['lesson-command', 'lesson-numbers'].some((id) => document.getElementById(id).checkVisibility())") {
		t.Error("the closing page has the command of a lesson")
	}
	r.unfold("Sources")
	if sources := eval[string](r.tab, "document.getElementById('lesson-sources').innerText"); !strings.Contains(sources, "Theorem 3.3") || strings.Contains(sources, "[LT79]") {
		t.Errorf("the closing page's sources are %q", sources)
	}
}

// What happens in time plays at a speed, and goes on and back; an act is undone; the teacher's view is large, without a panel, and walks by arrows.
func TestLessonControls(t *testing.T) {
	t.Parallel()
	r := newReader(open(t, "?make=torus&p.segments=24&p.sides=10#learn=3.2", wide), pointer)
	r.at(3, 2)
	before := eval[string](r.tab, figureState)
	r.pick("#lesson-figures .target")
	r.until("!document.getElementById('lesson-undo').disabled")
	r.press("Undo step")
	r.until("document.getElementById('lesson-undo').disabled")
	if after := eval[string](r.tab, figureState); after != before {
		t.Errorf("undone:\n%s\nwas\n%s", after, before)
	}

	r.press("Next step")
	r.press("Next step")
	r.at(3, 4)
	position := func() int { return eval[int](r.tab, "document.getElementById('lesson-time').valueAsNumber") }
	r.press("Timeline on")
	r.press("Timeline on")
	r.press("Timeline back")
	if at := position(); at != 1 {
		t.Errorf("two on and one back is at %d", at)
	}
	r.set("Timeline speed", "8")
	r.press("Play timeline")
	r.until("(e => e.value == e.max && +e.max > 3)(document.getElementById('lesson-time'))")

	r.press("Teacher’s view")
	r.until("!document.getElementById('panel').checkVisibility() && getComputedStyle(document.getElementById('lesson-say')).fontSize == '20px'")
	r.do(chromedp.KeyEvent(left))
	r.at(3, 3)
	r.do(chromedp.KeyEvent(right))
	r.at(3, 4)
	r.press("Teacher’s view")
	r.until("document.getElementById('panel').checkVisibility()")

	// A dot that is pointed at is lit, with its vertex and its bag; a vertex lights its dot.
	eval[bool](r.tab, "location.hash = 'learn=3.3/v5_v6', true")
	r.until("document.querySelectorAll('#figure-3 .target').length == 2")
	for _, at := range []string{target(3, "point", 1), target(0, "vertex", 6)} {
		r.mouse(chromedp.MouseMoved, r.place(at), 0)
		r.until("[...document.querySelectorAll('#figure-3 [data-lit=true]')].map((e) => e.id) == 'figure-3-point-1' && document.querySelector('#figure-0-vertex-6[data-lit=true]') && document.querySelector('#figure-1-bag-1[data-lit=true]')")
		r.picture("lesson-lit-" + at[len("#figure-0-"):])
	}

	// The open mesh shows what the step is about, and then again what it showed.
	level := r.state().Separation.Level
	eval[bool](r.tab, "location.hash = 'learn=5.5', true")
	r.wait("s.view.split && !s.view.densities && !s.view.flow && s.separation.level == 0")
	eval[bool](r.tab, "location.hash = 'learn=5.5/g0,5_r', true")
	r.until("document.querySelectorAll('#lesson-figures svg').length == 2")
	for range 2 {
		r.press("Timeline on")
	}
	r.wait("s.separation.level == 2")
	r.picture("lesson-mesh")
	epsilon := r.state().Transport.Epsilon
	eval[bool](r.tab, "location.hash = 'learn=7.5', true")
	r.wait("!s.view.split && s.view.densities && s.view.flow && Math.abs(s.transport.epsilon - 0.5) < 1e-6")
	r.until("document.getElementById('lesson-figures').ariaBusy == 'false'")
	r.wait("s.transport.result && !s.transport.stale")
	r.until(fmt.Sprintf("document.getElementById('lesson-say').textContent.includes('costs %.4f, and took')", r.state().Transport.Result.Cost))
	r.picture("lesson-mesh-blurred")
	r.press("Close lessons")
	r.wait(fmt.Sprintf("!s.view.split && s.view.densities && s.view.flow && s.separation.level == %d && s.transport.epsilon == %g", level, epsilon))

	// It does so whatever a person looked at, and in whatever task; what was looked at is there again.
	r.press("Inspect")
	r.set("Colour by", "mean")
	r.wait("s.field.name == 'mean' && s.field.shown")
	eval[bool](r.tab, "location.hash = 'learn=5.5', true")
	r.wait("s.view.split && s.separation.level == 2") // where its timeline was left
	r.until("((on) => on('Split') && !on('Field'))((name) => [...document.querySelectorAll('#legend button[aria-pressed=true]')].some((b) => b.ariaLabel == name))")
	r.press("Transport")
	r.wait("s.task == 'transport' && s.view.split && !s.view.densities")
	r.press("Close lessons")
	r.wait("!s.view.split && s.view.densities && s.view.flow")

	// An address may say anything: a choice that there is not is none.
	eval[bool](r.tab, "location.hash = 'learn=7.2/g0,9_r', true")
	r.at(7, 2)
	r.until("document.getElementById('lesson-reveal').textContent.startsWith('The rows fit first.')")
}

// A vertex is dragged to another place, by mouse and by finger, and nothing else is done. Start over puts it back.
func TestLessonDrag(t *testing.T) {
	t.Parallel()
	for _, hand := range []hand{pointer, finger} {
		s := middle
		if hand == finger {
			s = phone
		}
		r := newReader(open(t, "?make=torus&p.segments=24&p.sides=10#learn=3.2", s), hand)
		r.at(3, 2)
		stands := func() spot { // in the drawing
			return eval[spot](r.tab, fmt.Sprintf("((a, b) => ({ X: b.x - a.x + b.width / 2, Y: b.y - a.y + b.height / 2 }))(document.getElementById('figure-0').getBoundingClientRect(), document.querySelector(%q).getBoundingClientRect())", target(0, "vertex", 5)+" circle:last-of-type"))
		}
		from := r.place(target(0, "vertex", 5))
		stood, to := stands(), spot{from.X + 37, from.Y - 23}
		if hand == pointer {
			r.drag(from, spot{from.X + 10, from.Y}, to)
		} else {
			r.touch(input.DispatchTouchEventTypeTouchStart, from)
			r.touch(input.DispatchTouchEventTypeTouchMove, spot{from.X + 10, from.Y})
			r.touch(input.DispatchTouchEventTypeTouchMove, to)
			r.touch(input.DispatchTouchEventTypeTouchEnd)
		}
		at := stands()
		if math.Hypot(at.X-stood.X-37, at.Y-stood.Y+23) > 8 { // the drawing may have become a little smaller
			t.Errorf("%v: from %v by 37, -23, and it stands at %v", hand, stood, at)
		}
		if !eval[bool](r.tab, "document.getElementById('lesson-undo').disabled") {
			t.Errorf("%v: the drag eliminated a vertex", hand)
		}
		r.picture(fmt.Sprintf("lesson-drag-%v", hand))
		r.press("Start over")
		r.until("document.getElementById('lesson-again').disabled")
		if at := stands(); math.Hypot(at.X-stood.X, at.Y-stood.Y) > 8 {
			t.Errorf("%v: started over, and it stands at %v, not at %v", hand, at, stood)
		}
		r.pick(target(0, "vertex", 5))
		r.until("!document.getElementById('lesson-undo').disabled")
	}
}

// The instrument explains terms by the lessons' lines.
func TestTermsAreTheLessons(t *testing.T) {
	t.Parallel()
	p := open(t, "?mesh=octopus", wide)
	p.settled()
	terms := eval[[][2]string](p, "[...document.querySelectorAll('[data-term]')].map((e) => [e.dataset.term, e.title || e.textContent])")
	if len(terms) < 7 {
		t.Errorf("only %v are explained", terms)
	}
	for _, x := range terms {
		if says := lesson.Glossary[x[0]]; says == "" || x[1] != says {
			t.Errorf("%s is said to be %q, and in lessons %q", x[0], x[1], says)
		}
	}
}
