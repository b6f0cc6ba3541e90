//go:build js

package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"syscall/js"

	"genussink/core/job"
	"genussink/viewer/lesson"
	"genussink/viewer/lesson/model"
	"genussink/viewer/timeline"
	"genussink/wasm/internal/dom"
)

// lessonKey is where the browser keeps what was done in lessons.
const lessonKey = "genussink.lessons"

// lessons shows the open lesson and passes what a reader does to its machine, which is made when a lesson is first opened.
type lessons struct {
	m       *lesson.Machine
	desk    lesson.Desk
	errand  *lesson.Errand // that the engine has, or that waits for a mesh
	asked   bool           // the engine has it
	view    lesson.View    // as it is shown, with the places that a hint points at
	closing bool           // the page after the last step
	shown   map[string]string
	figures figures
	last    float64 // when time was last looked at, ms
	address string  // in the address bar
	kept    string  // in the browser
}

func (p *page) machine() *lesson.Machine {
	l := &p.lessons
	if l.m == nil {
		l.m, l.shown = lesson.New(&l.desk), map[string]string{}
		// A browser may forbid storing; then nothing is known.
		defer func() { _ = recover() }()
		if kept := dom.Window().Get("localStorage").Call("getItem", lessonKey); kept.Type() == js.TypeString {
			l.kept = kept.String()
			l.m.Recall(l.kept)
		}
	}
	return l.m
}

// lessonState is null where no lesson is open.
func (p *page) lessonState() *lesson.State {
	if p.lessons.m == nil {
		return nil
	}
	return p.lessons.m.State()
}

// lessonControls connects the region of the lesson, and opens what the address asks for.
func (p *page) lessonControls() {
	l := &p.lessons
	p.click("learn", func() {
		if p.lessonState() != nil {
			p.closeLesson()
			return
		}
		p.machine().OpenFirst()
		p.openLesson()
	})
	p.click("close-lessons", p.closeLesson)
	p.click("lesson-next", func() { p.turn(1) })
	p.click("lesson-previous", func() { p.turn(-1) })
	p.click("lesson-check", func() {
		if verdict := l.m.Check(); verdict != nil && verdict.Pass && p.id("lesson-show").Get("hidden").Bool() {
			_ = l.m.Reveal() // where nothing has to be predicted, the answer may show
		}
		p.lessonView()
	})
	p.click("lesson-show", func() {
		if err := l.m.Reveal(); err != nil {
			p.lessonSay(err)
			return
		}
		p.lessonView()
	})
	p.click("lesson-undo", func() {
		l.m.Undo()
		l.figures.held = -1
		p.lessonView()
	})
	p.click("lesson-again", func() {
		l.m.StartOver()
		l.figures.held = -1
		p.shownAnew()
	})
	p.click("lesson-own", func() {
		if l.m.State().Own {
			l.m.SetOwn(nil)
		} else {
			l.m.SetOwn(p.aroundFocus())
		}
		l.figures.held = -1
		p.shownAnew()
	})
	p.click("lesson-teach", func() {
		l.m.Teach(!l.m.Teaching())
		p.lessonLayout()
		p.lessonView()
	})
	p.slide("lesson-x", func(x float64) {
		if s := l.view.Slider; s != nil && s.Log {
			x = math.Pow(10, x)
		}
		p.act(lesson.Act{Verb: lesson.Slide, X: x})
	})
	p.timelineControls("lesson-time", func(change func(t *timeline.Timeline)) {
		t := l.m.Timeline()
		was := t.Playing()
		if change(t); t.Playing() && !was {
			l.last = 0
		}
		p.lessonView()
	})
	p.figureControls()
	dom.Listen(dom.Window(), "hashchange", func(e js.Value) { p.lessonAddress(e.Get("newURL").String()) }) // not where the page has written since
	dom.Listen(dom.Window(), "resize", func(js.Value) {
		if p.lessonState() != nil {
			p.drawFigures()
		}
	})
	p.lessonAddress(dom.Window().Get("location").Get("href").String())
}

// lessonAddress opens what an address asks for.
func (p *page) lessonAddress(address string) {
	_, hash, _ := strings.Cut(address, "#")
	if !strings.HasPrefix(hash, "learn=") || hash == p.lessons.address || p.embedded {
		return
	}
	if err := p.machine().Resume(hash); err != nil {
		p.scene.Fail("The address cannot be opened: " + err.Error() + ".")
		return
	}
	p.openLesson()
}

// openLesson shows the region.
func (p *page) openLesson() {
	p.lessons.closing = false
	p.id("lesson").Show(true)
	p.lessonLayout()
	p.shownAnew()
}

// closeLesson goes back to the instrument as it was left.
func (p *page) closeLesson() {
	l := &p.lessons
	l.m.Close()
	l.m.Teach(false)
	p.id("lesson").Show(false)
	p.lessonLayout()
	p.forgetErrands()
	p.keepLesson()
	p.id("learn").Call("focus")
}

// lessonLayout gives the lesson its room beside the canvas.
func (p *page) lessonLayout() {
	root := dom.Document().Get("documentElement")
	open := p.lessonState() != nil
	root.Call("toggleAttribute", "data-lesson", open)
	root.Call("toggleAttribute", "data-teach", open && p.lessons.m.Teaching())
	p.id("learn").Attr("aria-expanded", strconv.FormatBool(open))
	p.id("lesson-teach").Press(open && p.lessons.m.Teaching())
	dom.Window().Call("dispatchEvent", js.Global().Get("Event").New("resize"))
}

// turn goes a step on or back; beyond the last step is the closing page.
func (p *page) turn(by int) {
	l := &p.lessons
	switch {
	case by < 0 && l.closing:
		l.closing = false
	case by < 0:
		l.m.Previous()
	case !l.m.Next():
		l.closing = true
	}
	p.shownAnew()
}

// shownAnew shows another step, from its top.
func (p *page) shownAnew() {
	l := &p.lessons
	l.figures.at, l.figures.held = nil, -1
	clear(l.shown)
	p.text("lesson-term", "")
	p.lessonView()
	p.id("lesson-body").Set("scrollTop", 0)
	p.id("lesson-title").Call("focus", map[string]any{"preventScroll": true})
}

func (p *page) lessonSay(err error) {
	p.id("lesson-verdict").Set("className", "hint")
	p.spans("lesson-verdict", []lesson.Span{{Text: sentence(err.Error())}})
}

func sentence(s string) string { return strings.ToUpper(s[:1]) + s[1:] + "." }

// act does something in the step.
func (p *page) act(a lesson.Act) {
	if err := p.lessons.m.Act(a); err != nil {
		p.lessonSay(err)
		return
	}
	p.lessonView()
}

// lessonView shows the step as it stands.
func (p *page) lessonView() {
	l := &p.lessons
	open := l.m.Lesson()
	if open == nil {
		return
	}
	p.lessonList()
	p.id("lesson-figures").Show(!l.closing)
	for _, id := range []string{"lesson-check", "lesson-show", "lesson-undo", "lesson-again", "lesson-own", "lesson-next"} {
		p.id(id).Show(!l.closing)
	}
	if l.closing {
		p.showClosing()
		return
	}
	state, step := l.m.State(), l.m.Step()
	verdict := l.m.Verdict()
	v := l.m.View()
	if verdict != nil {
		v.Mark(*verdict)
	}
	l.view = v
	p.text("lesson-title", fmt.Sprintf("Lesson %d: %s", state.Number, open.Text.Title))
	p.text("lesson-step", fmt.Sprintf("%d of %d: %s", state.Step, state.Steps, step.Text.Title))
	p.spans("lesson-say", lesson.Fill(step.Text.Say, &v, nil))
	p.spans("lesson-do", lesson.Fill(step.Text.Do, &v, nil))
	p.formulas(step.Text.Say)
	p.sources(step.Text)
	p.text("lesson-command", open.Text.Command)
	p.showOwn(v)
	p.lessonSlider(v)
	p.lessonTime(v)
	p.question(v)

	say := p.id("lesson-verdict")
	switch {
	case v.Failed != "":
		say.Set("className", "hint")
		p.spans("lesson-verdict", []lesson.Span{{Text: v.Failed}})
	case verdict != nil && verdict.Pass:
		say.Set("className", "pass")
		p.spans("lesson-verdict", lesson.Fill("Right. "+step.Text.Why, &v, verdict))
	case verdict != nil:
		say.Set("className", "hint")
		p.spans("lesson-verdict", lesson.Fill(step.Text.Hints[verdict.Hint], &v, verdict))
	case v.Waiting:
		say.Set("className", "")
		p.spans("lesson-verdict", []lesson.Span{{Text: "The engine is computing…"}})
	default:
		p.spans("lesson-verdict", nil)
	}
	record := l.m.Record()
	if record.Revealed && step.Text.Reveal != "" && !v.Waiting {
		p.spans("lesson-reveal", append(p.guesses(v), lesson.Fill(step.Text.Reveal, &v, nil)...))
	} else {
		p.spans("lesson-reveal", nil)
	}
	p.id("lesson-check").Show(step.Check != nil).Enable(!v.Waiting && v.Failed == "")
	p.id("lesson-show").Show(step.Text.Reveal != "").Enable(!record.Revealed)
	p.id("lesson-undo").Enable(len(record.Acts) > 0)
	p.id("lesson-again").Enable(len(record.Acts) > 0 || record.Revealed || record.Passed || record.At > 0)
	p.id("lesson-previous").Enable(state.Number > 1 || state.Step > 1)
	p.id("lesson-figures").Attr("aria-busy", strconv.FormatBool(v.Waiting))
	p.drawFigures()
	p.askEngine()
}

// leastOwn is how many vertices a reader's mesh has to have to take the place of a lesson's graph.
const leastOwn = 4

// aroundFocus gives the part of the mesh at hand around the vertex in focus, around its first where none is.
func (p *page) aroundFocus() func(most int) *model.Graph {
	mesh, now, around := &p.scene.Mesh, p.scene.State(), int32(0)
	if at := now.Hover; at != nil && at.Focused {
		around = at.Vertex
	}
	offsets, targets := mesh.Neighbours()
	return func(most int) *model.Graph {
		g := model.Patch(offsets, targets, around, most)
		g.Name = now.Mesh.Name
		if g.N < mesh.Vertices() {
			g.Name += fmt.Sprintf(" around vertex %d", mesh.Number(around))
		}
		return g
	}
}

// showOwn shows whose graph the step has, and whether the reader's may take its place.
func (p *page) showOwn(v lesson.View) {
	l := &p.lessons
	own := l.m.Own()
	takes := l.m.Lesson().Own > 0 && !l.m.Step().Alone
	mesh := p.scene.Mesh.Mesh
	p.id("lesson-own").Show(takes).Enable(own != nil || mesh != nil && mesh.Vertices() >= leastOwn).Press(own != nil)
	switch {
	case own == nil || !takes:
		p.text("lesson-whose", "")
	case v.Instead != "":
		p.text("lesson-whose", v.Instead)
	default:
		p.text("lesson-whose", lesson.Whose(own))
	}
}

// guesses are the reader's predictions, to stand beside the truth.
func (p *page) guesses(v lesson.View) []lesson.Span {
	if v.Question == nil {
		return nil
	}
	var out []string
	for q := range max(1, len(v.Question.Names)) {
		x, ok := guessed(p.lessons.m.Record(), q)
		switch {
		case !ok:
		case v.Question.Choices != nil:
			out = append(out, "“"+v.Question.Choices[int(x)]+"”")
		default:
			out = append(out, strconv.FormatFloat(x, 'g', 6, 64))
		}
	}
	if out == nil {
		return nil
	}
	return []lesson.Span{{Text: "You said " + strings.Join(out, ", ") + ". "}}
}

func guessed(r lesson.Record, question int) (float64, bool) {
	for i := len(r.Acts) - 1; i >= 0; i-- {
		if a := r.Acts[i]; a.Verb == lesson.Predict && a.A == question {
			return a.X, true
		}
	}
	return 0, false
}

// lessonList shows the lessons, which are done and which is open.
func (p *page) lessonList() {
	l := &p.lessons
	list := p.id("lesson-list")
	if !list.Get("firstChild").Truthy() {
		for i, x := range lesson.Lessons() {
			p.entry(list, strconv.Itoa(i+1), fmt.Sprintf("Lesson %d: %s", i+1, x.Text.Title), func() {
				l.closing = false
				if l.m.Open(i+1, 1) == nil {
					p.shownAnew()
				}
			})
		}
		p.entry(list, "End", "Closing page", func() {
			l.closing = true
			p.shownAnew()
		})
	}
	state := l.m.State()
	buttons := list.Call("querySelectorAll", "button")
	for i := range buttons.Length() {
		b := buttons.Index(i)
		done := slices.Contains(state.Done, i+1)
		b.Get("classList").Call("toggle", "done", done)
		name := b.Get("title").String()
		if done {
			name += ", done"
		}
		b.Set("ariaLabel", name)
		if i+1 == state.Number && !l.closing || l.closing && i == buttons.Length()-1 {
			b.Call("setAttribute", "aria-current", "true")
		} else {
			b.Call("removeAttribute", "aria-current")
		}
	}
}

func (p *page) entry(list *dom.Element, words, name string, f func()) {
	b := dom.New("button", "").Attr("type", "button").Attr("title", name).Text(words)
	b.On("click", func(js.Value) { f() })
	list.Append(dom.New("li", "").Append(b))
}

// fresh says whether something is to be shown anew, which is known by its key.
func (l *lessons) fresh(id, key string) bool {
	if old, ok := l.shown[id]; ok && old == key {
		return false
	}
	l.shown[id] = key
	return true
}

// spans fills an element with the parts of sentences.
func (p *page) spans(id string, list []lesson.Span) {
	if !p.lessons.fresh(id, fmt.Sprint(list)) {
		return
	}
	p.fill(p.id(id).Clear(), list)
}

func (p *page) fill(to *dom.Element, list []lesson.Span) {
	for _, s := range list {
		switch s.Kind {
		case lesson.Value:
			to.Append(dom.New("b", "").Text(s.Text))
		case lesson.Term:
			says := lesson.Glossary[s.Key]
			b := dom.New("button", "term").Attr("type", "button").Attr("title", says).Text(s.Text)
			b.On("click", func(js.Value) { p.text("lesson-term", strings.ToUpper(s.Key[:1])+s.Key[1:]+": "+says) })
			to.Append(b)
		case lesson.Math:
			f := lesson.Formulas[s.Key]
			to.Call("appendChild", dom.Markup(f.MathML))
		case lesson.Cite:
			what := strings.TrimSuffix(lesson.References[s.Key].Text, ".")
			if s.Text != "" {
				what += ", " + s.Text
			}
			to.Append(dom.New("span", "cite").Attr("title", what).Text("[" + s.Key + "]"))
		default:
			to.Call("append", s.Text)
		}
	}
}

// formulas says those of a text in words.
func (p *page) formulas(text string) {
	var words []string
	for _, s := range lesson.Parse(text) {
		if s.Kind == lesson.Math {
			words = append(words, lesson.Formulas[s.Key].Words)
		}
	}
	p.text("lesson-words", strings.Join(words, " "))
}

// sources lists those that a step names.
func (p *page) sources(t *lesson.StepText) {
	if !p.lessons.fresh("lesson-sources", t.Title) {
		return
	}
	list := p.id("lesson-sources").Clear()
	var known []string
	texts := []string{t.Say, t.Do, t.Ask, t.Reveal, t.Why}
	for _, hint := range t.Hints {
		texts = append(texts, hint)
	}
	for _, text := range texts {
		for _, s := range lesson.Parse(text) {
			if s.Kind == lesson.Cite && !slices.Contains(known, s.Key) {
				known = append(known, s.Key)
			}
		}
	}
	slices.Sort(known)
	for _, key := range known {
		list.Append(dom.New("li", "").Text("[" + key + "] " + lesson.References[key].Text))
	}
}

func (p *page) lessonSlider(v lesson.View) {
	p.id("lesson-slider").Show(v.Slider != nil)
	s := v.Slider
	if s == nil {
		return
	}
	at := func(x float64) float64 { return x }
	step := s.Step
	if s.Log {
		at, step = math.Log10, math.Log10(s.Step)
	}
	e := p.id("lesson-x")
	if p.lessons.fresh("lesson-x", fmt.Sprint(s.Name, s.Lo, s.Hi)) {
		e.Set("min", at(s.Lo))
		e.Set("max", at(s.Hi))
		e.Set("step", step)
		p.text("lesson-x-name", s.Name)
	}
	if math.Abs(e.InputNumber()-at(s.Value)) > step/2 {
		e.Set("value", at(s.Value))
	}
	p.text("lesson-x-out", strconv.FormatFloat(s.Value, 'g', 3, 64))
}

func (p *page) lessonTime(v lesson.View) {
	p.id("lesson-timeline").Show(v.Length > 0)
	p.showTimeline("lesson-time", "timeline", p.lessons.m.Timeline(), v.Length)
}

// question shows the prediction that is asked for, with what was said.
func (p *page) question(v lesson.View) {
	q := v.Question
	box := p.id("lesson-question").Show(q != nil)
	if q == nil {
		return
	}
	text := p.lessons.m.Step().Text
	record := p.lessons.m.Record()
	if p.lessons.fresh("lesson-question", fmt.Sprint(text.Ask, *q)) {
		legend := dom.New("legend", "")
		p.fill(legend, lesson.Fill(text.Ask, &v, nil))
		box.Clear().Append(legend)
		for i, choice := range q.Choices {
			in := dom.New("input", "").Attr("type", "radio").Attr("name", "lesson-choice")
			in.On("change", func(js.Value) { p.act(lesson.Act{Verb: lesson.Predict, X: float64(i)}) })
			box.Append(dom.New("label", "").Append(in, dom.New("span", "").Text(choice)))
		}
		if q.Choices == nil {
			names := q.Names
			if names == nil {
				names = []string{"Your prediction"}
			}
			for i, name := range names {
				in := dom.New("input", "").Attr("type", "number").Attr("step", "any").Number("min", q.Lo).Number("max", q.Hi)
				in.On("input", func(js.Value) {
					if x := in.InputNumber(); !math.IsNaN(x) {
						p.act(lesson.Act{Verb: lesson.Predict, A: i, X: x})
					}
				})
				in.On("keydown", func(e js.Value) {
					if e.Get("key").String() == "Enter" {
						p.id("lesson-check").Call("click")
					}
				})
				box.Append(dom.New("label", "").Append(dom.New("span", "").Text(strings.ToUpper(name[:1])+name[1:]), in))
			}
		}
	}
	inputs := box.Call("querySelectorAll", "input")
	for i := range inputs.Length() {
		in := inputs.Index(i)
		if q.Choices != nil {
			x, ok := guessed(record, 0)
			in.Set("checked", ok && int(x) == i)
			continue
		}
		want := ""
		if x, ok := guessed(record, i); ok {
			want = strconv.FormatFloat(x, 'f', -1, 64)
		}
		if !dom.Document().Get("activeElement").Equal(in) && in.Get("value").String() != want {
			in.Set("value", want)
		}
	}
}

// showClosing shows what comes after the last step.
func (p *page) showClosing() {
	p.text("lesson-title", "What you have seen")
	p.text("lesson-step", "")
	for _, id := range []string{"lesson-do", "lesson-verdict", "lesson-reveal"} {
		p.spans(id, nil)
	}
	p.text("lesson-words", "")
	p.text("lesson-whose", "")
	for _, id := range []string{"lesson-slider", "lesson-timeline", "lesson-question"} {
		p.id(id).Show(false)
	}
	if !p.lessons.fresh("lesson-say", "closing") {
		return
	}
	to := p.id("lesson-say").Clear()
	for _, part := range lesson.Closing {
		to.Append(dom.New("b", "").Text(part.Title))
		to.Append(dom.New("br", ""))
		for _, say := range part.Says {
			p.fill(to, lesson.Parse(say+" "))
		}
		if n := part.Lesson; n > 0 {
			b := dom.New("button", "term").Attr("type", "button").Text(fmt.Sprintf("Lesson %d", n))
			b.On("click", func(js.Value) {
				p.lessons.closing = false
				if p.lessons.m.Open(n, 1) == nil {
					p.shownAnew()
				}
			})
			to.Append(b)
		}
		to.Append(dom.New("br", ""), dom.New("br", ""))
	}
}

// lessonFrame lets time pass.
func (p *page) lessonFrame() {
	l := &p.lessons
	if p.lessonState() == nil {
		return
	}
	now := js.Global().Get("performance").Call("now").Float()
	if l.last > 0 && !l.closing && l.m.Tick((now-l.last)/1000) {
		p.lessonView()
	}
	l.last = now
	p.askEngine()
}

// askEngine hands the next question to the engine beside the page's.
func (p *page) askEngine() {
	l := &p.lessons
	if p.pool == nil || l.asked {
		return
	}
	if l.errand == nil {
		e, ok := l.desk.Take()
		if !ok {
			return
		}
		l.errand = &e
	}
	e := l.errand
	var graph *job.Load
	if e.Graph != nil {
		graph = &job.Load{Name: "lesson.gr", Data: e.Graph.PACE()}
	}
	l.asked = true
	l.asked = p.pool.Aside(graph, e.Request, func(answer job.Body) {
		l.desk.Answer(e.Key, answer)
		l.errand, l.asked = nil, false
		if v := l.m.Verdict(); v != nil && v.Hint == "wait" { // a check that was waiting for this
			l.m.Check()
		}
		p.lessonView()
	})
}

// forgetErrands ends the engine of the lessons and drops its answers: another mesh was opened, or nobody looks any more.
func (p *page) forgetErrands() {
	l := &p.lessons
	if l.m == nil {
		return
	}
	l.desk.Forget()
	l.errand, l.asked = nil, false
	if p.pool != nil {
		p.pool.EndAside()
	}
	p.lessonView()
}

// keepLesson writes the step into the address bar, and what was done into the browser.
func (p *page) keepLesson() {
	l := &p.lessons
	if l.m == nil {
		return
	}
	if address := l.m.Address(); address != l.address {
		l.address = address
		location := dom.Window().Get("location")
		to := location.Get("pathname").String() + location.Get("search").String()
		if address != "" {
			to += "#" + address
		}
		history := dom.Window().Get("history")
		history.Call("replaceState", history.Get("state"), "", to)
	}
	if l.m.State() == nil && l.kept == "" {
		return
	}
	if kept := l.m.Keep(); kept != l.kept {
		l.kept = kept
		defer func() { _ = recover() }() // a browser may forbid storing
		dom.Window().Get("localStorage").Call("setItem", lessonKey, kept)
	}
}
