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
	"genussink/viewer/scene"
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
	begun   bool    // the page has put the lesson behind the address before it, in the history
	leaving bool    // on the way back to that address: none is written until it is there
	kept    string  // in the browser
	canvas  canvas

	source, target []float64      // that a step has been told
	tree           *job.Separated // likewise
	seen           uint64         // the scene's revision when they were last compared
}

// canvas is what the open mesh shows for a step, and what it showed before.
type canvas struct {
	shows   *lesson.Canvas // nil: what a person has it show
	task    scene.Task     // in which
	looks   scene.ViewState
	level   int
	epsilon float64
	kernel  string
	reach   float64
}

func (p *page) machine() *lesson.Machine {
	l := &p.lessons
	if l.m == nil {
		l.m, l.shown = lesson.New(&l.desk), map[string]string{}
		if l.kept = dom.Recall(lessonKey); l.kept != "" {
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
		l.m.Check()
		p.lessonView()
		p.intoView("lesson-verdict")
	})
	p.click("lesson-show", func() {
		if err := l.m.Reveal(); err != nil {
			p.lessonView() // the verdict says why
			p.intoView("lesson-verdict")
			return
		}
		p.lessonView()
		p.intoView("lesson-reveal")
	})
	p.click("copy-lesson-command", func() { p.copyCommand("lesson-command") })
	p.click("copy-lesson-numbers", func() { p.copyCommand("lesson-numbers") })
	p.click("lesson-undo", func() {
		l.m.Undo()
		l.figures.held = -1
		p.lessonView()
	})
	p.click("lesson-again", func() {
		l.m.StartOver()
		l.figures.held = -1
		for k := range l.figures.moved {
			if p.here(k) {
				delete(l.figures.moved, k)
			}
		}
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

// lessonAddress opens the step that an address asks for. One without a step closes the lesson: whoever goes back in the history is where they were
// before it.
func (p *page) lessonAddress(address string) {
	_, hash, _ := strings.Cut(address, "#")
	l := &p.lessons
	if hash == "" && (l.leaving || p.lessonState() != nil) {
		l.begun, l.leaving = false, false
		p.keeper.link, p.keeper.revision = "", 0 // that address is of before the lesson
		if p.lessonState() != nil {
			p.closeLesson()
		}
		return
	}
	if !strings.HasPrefix(hash, "learn=") || hash == l.address || p.embedded {
		return
	}
	l.begun = false // another address may be behind this one
	if hash == lesson.End {
		p.machine().OpenLast()
		p.openLesson()
		l.closing = true
		p.shownAnew()
		return
	}
	if err := p.machine().Resume(hash); err != nil {
		why := "The address of the lesson cannot be opened: " + err.Error() + "."
		if p.scene.State().Mesh.Name == "" { // what is said at once would end the first mesh's opening
			p.keeper.news = why
			return
		}
		p.scene.Fail(why)
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
	l.closing = false
	l.m.Close()
	l.m.Teach(false)
	p.lessonCanvas(nil)
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

// intoView scrolls the step as far as it takes to show an answer: below a figure it may lie out of sight.
func (p *page) intoView(id string) {
	p.id(id).Call("scrollIntoView", map[string]any{"block": "nearest"})
}

func (p *page) lessonSay(err error) {
	p.id("lesson-verdict").Set("className", "hint")
	p.spans("lesson-verdict", []lesson.Span{{Text: sentence(err.Error())}})
}

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
		p.lessonCanvas(nil)
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
	p.lessonCanvas(v.Canvas)
	p.text("lesson-title", fmt.Sprintf("Lesson %d: %s", state.Number, open.Text.Title))
	title := fmt.Sprintf("%d of %d: %s", state.Step, state.Steps, step.Text.Title)
	if l.m.Finished() {
		title += ", done"
	}
	p.text("lesson-step", title)
	p.spans("lesson-say", lesson.Fill(step.Text.Say, &v, nil))
	p.rules(step.Text.Rules, v)
	p.spans("lesson-do", lesson.Fill(step.Text.Do, &v, nil))
	p.foot(open.Repeats(state.Step), l.m.Command(), append(step.Text.All(), open.Text.Shown)...)
	p.showOwn(v)
	p.lessonSlider(v)
	p.lessonTime(v)
	p.question(v)
	p.id("lesson-question").Class("marked", verdict != nil && verdict.Unpredicted())

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
		p.spans("lesson-verdict", lesson.Fill(step.Text.Hint(verdict), &v, verdict))
	case v.Waiting:
		say.Set("className", "")
		p.spans("lesson-verdict", []lesson.Span{{Text: "The engine is computing…"}})
	default:
		say.Set("className", "")
		p.spans("lesson-verdict", nil)
	}
	record := l.m.Record()
	if record.Revealed && step.Text.Reveal != "" && !v.Waiting && v.Failed == "" {
		p.spans("lesson-reveal", append(p.guesses(v), lesson.Fill(step.Text.Reveal, &v, nil)...))
	} else {
		p.spans("lesson-reveal", nil)
	}
	p.id("lesson-check").Show(step.Check != nil).Enable(!v.Waiting && v.Failed == "")
	p.id("lesson-show").Show(step.Text.Reveal != "").Enable(!record.Revealed)
	p.id("lesson-undo").Enable(l.m.Undoes())
	p.id("lesson-again").Enable(len(record.Acts) > 0 || record.Revealed || record.Passed || record.At > 0 || p.moved())
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
	return lesson.Around(now.Mesh.Name, offsets, targets, around, mesh.Number(around))
}

// lessonCanvas has the open mesh show what a step is about; nil: what it showed before.
func (p *page) lessonCanvas(shows *lesson.Canvas) {
	c, view := &p.lessons.canvas, &p.scene.View
	switch {
	case shows == nil && c.shows == nil, shows != nil && c.shows != nil && *shows == *c.shows:
		return
	case shows == nil:
		view.Taught(false)
		view.Split(c.looks.Split)
		view.Densities(c.looks.Densities)
		view.Flow(c.looks.Flow)
		p.scene.Separation.Level(c.level)
		p.scene.Epsilon(c.epsilon)
		p.scene.Kernel(c.kernel)
		p.scene.Reach(c.reach)
		c.shows = nil
		return
	case c.shows == nil:
		st := p.scene.State()
		c.looks, c.task, c.level, c.epsilon, c.kernel, c.reach = view.Looks(), st.Task, p.scene.Separation.Shown(), st.Transport.Epsilon, st.Transport.Kernel, st.Transport.Reach
	}
	view.Taught(true)
	moving := shows.Epsilon > 0
	view.Split(!moving)
	view.Densities(moving)
	view.Flow(moving)
	if moving {
		p.scene.Epsilon(shows.Epsilon)
		p.scene.Kernel(job.Exp) // as the lessons' plans are
		p.scene.Reach(0)
	} else {
		p.scene.Separation.Level(shows.Level)
	}
	c.shows = shows
}

// keepCanvas has the open mesh go on showing what the step is about where a person has turned to another task: that task's own looks are those that come
// back.
func (p *page) keepCanvas() {
	c := &p.lessons.canvas
	task := p.scene.State().Task
	if c.shows == nil || task == c.task {
		return
	}
	c.task, c.looks = task, p.scene.View.Looks()
	shows := c.shows
	c.shows = &lesson.Canvas{Level: -1} // another one: it is shown anew
	p.lessonCanvas(shows)
}

// showOwn shows whose graph the step has, and whether the reader's may take its place.
func (p *page) showOwn(v lesson.View) {
	l := &p.lessons
	own := l.m.Own()
	takes := l.m.Lesson().Own > 0 && !l.m.Step().Alone
	mesh := p.scene.Mesh.Mesh
	p.id("lesson-own").Show(takes).Enable(own != nil || mesh != nil && mesh.Vertices() >= leastOwn).Press(own != nil)
	says := lesson.Parse(l.m.Lesson().Text.Shown)
	switch {
	case !takes:
		says = nil
	case own == nil:
	case v.Instead != "":
		says = []lesson.Span{{Text: v.Instead}}
	default:
		says = []lesson.Span{{Text: lesson.Whose(own)}}
	}
	p.spans("lesson-whose", says)
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
			if k := int(x); k >= 0 && k < len(v.Question.Choices) { // an address may say anything
				out = append(out, "“"+v.Question.Choices[k]+"”")
			}
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
	to := p.id(id).Clear()
	p.fill(to, list)
	if words := lesson.Aloud(list); words != "" {
		to.Append(dom.New("span", "note aloud").Text(words))
	}
}

func (p *page) fill(to *dom.Element, list []lesson.Span) {
	for _, s := range list {
		switch s.Kind {
		case lesson.Value:
			to.Append(dom.New("b", "").Text(s.Text))
		case lesson.Term:
			says := lesson.Glossary[s.Key]
			b := dom.New("button", "term").Attr("type", "button").Attr("title", says).Text(s.Text)
			p.define(b, strings.ToUpper(s.Key[:1])+s.Key[1:]+": "+says)
			to.Append(b)
		case lesson.Math:
			f := lesson.Formulas[s.Key]
			to.Call("appendChild", dom.Markup(f.MathML))
		case lesson.Cite:
			c := lesson.Citation{Key: s.Key}
			if s.Text != "" {
				c.Places = []string{s.Text}
			}
			b := dom.New("button", "term cite").Attr("type", "button").Attr("title", c.String()).Text("[" + s.Key + "]")
			p.define(b, c.String())
			to.Append(b)
		default:
			to.Call("append", s.Text)
		}
	}
}

// rules lists those of a step, and which of them hold.
func (p *page) rules(texts []string, v lesson.View) {
	if !p.lessons.fresh("lesson-rules", fmt.Sprint(texts, v.Holds, v.Readings)) {
		return
	}
	list := p.id("lesson-rules").Clear()
	for i, text := range texts {
		line, mark, say := dom.New("li", ""), "○", "Does not hold: "
		if i < len(v.Holds) && v.Holds[i] {
			line, mark, say = dom.New("li", "holds"), "✓", "Holds: "
		}
		line.Append(dom.New("i", "").Attr("aria-hidden", "true").Text(mark), dom.New("span", "hidden").Text(say))
		p.fill(line, lesson.Fill(text, &v, nil))
		list.Append(line)
	}
}

// define says what a word or a source in brackets is, below the text that it stands in.
func (p *page) define(b *dom.Element, says string) {
	b.On("click", func(js.Value) {
		b.Call("closest", "p, fieldset, div").Call("after", p.id("lesson-term").Value)
		p.text("lesson-term", says)
		p.intoView("lesson-term")
	})
}

// foot shows two commands of the tool, "" for none: for a file of the reader's own, and for this step's numbers. Below them are the sources
// of what is said.
func (p *page) foot(own, numbers string, texts ...string) {
	p.id("lesson-repeat").Show(own != "")
	p.text("lesson-command", own)
	p.text("lesson-numbers", numbers)
	if !p.lessons.fresh("lesson-sources", fmt.Sprint(texts)) {
		return
	}
	list := p.id("lesson-sources").Clear()
	for _, c := range lesson.Citations(texts...) {
		list.Append(dom.New("li", "").Text(c.String()))
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
		e.Set("step", step*(1-1e-12)) // a last step that is rounded up would lie behind the end
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
	record := p.lessons.m.Record()
	p.id("lesson-stays").Show(q != nil && record.Revealed && !record.Passed).Text(lesson.PredictionStays)
	if q == nil {
		return
	}
	text := p.lessons.m.Step().Text
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
			in.Set("disabled", record.Revealed)
			x, ok := guessed(record, 0)
			in.Set("checked", ok && int(x) == i)
			continue
		}
		in.Set("readOnly", record.Revealed) // it keeps the focus
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
	p.rules(nil, lesson.View{})
	p.spans("lesson-whose", nil)
	var said []string
	for _, part := range lesson.Closing {
		said = append(said, part.Says...)
	}
	p.foot("", "", said...)
	for _, id := range []string{"lesson-slider", "lesson-timeline", "lesson-question", "lesson-stays"} {
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
		for _, n := range part.Lessons {
			b := dom.New("button", "term").Attr("type", "button").Text(fmt.Sprintf("Lesson %d", n))
			b.On("click", func(js.Value) {
				p.lessons.closing = false
				if p.lessons.m.Open(n, 1) == nil {
					p.shownAnew()
				}
			})
			to.Append(b)
			to.Call("append", " ")
		}
		to.Append(dom.New("br", ""), dom.New("br", ""))
	}
}

// lessonPlays says whether a lesson's figures are played.
func (p *page) lessonPlays() bool {
	m := p.lessons.m
	return m != nil && p.lessonState() != nil && m.Timeline().Playing()
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
	if at := p.scene.Revision(); at != l.seen {
		l.seen = at
		p.keepCanvas()
		if p.repainted() || l.tree != nil && l.tree != p.scene.Separation.Tree() {
			l.source, l.target, l.tree = nil, nil, nil
			p.forgetErrands()
		}
	}
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
	if m, is := e.Requests[0].(*job.Measure); is && m.Preset == lesson.AtHand {
		l.errand = nil
		l.desk.Answer(e.Key, p.atHand())
		p.lessonView()
		return
	}
	if _, is := e.Requests[0].(*job.Separate); is && e.Graph == nil && p.scene.Separation.Tree() != nil { // the mesh shows it
		l.tree = p.scene.Separation.Tree()
		l.errand = nil
		l.desk.Answer(e.Key, l.tree)
		p.lessonView()
		return
	}
	var graph *job.Load
	if e.Graph != nil {
		graph = &job.Load{Name: "lesson.gr", Data: e.Graph.PACE()}
	}
	l.asked = true
	l.asked = p.pool.Aside(graph, e.Requests, func(answer job.Body) {
		l.desk.Answer(e.Key, answer)
		l.errand, l.asked = nil, false
		if v := l.m.Verdict(); v != nil && v.Hint == "wait" { // a check that was waiting for this
			l.m.Check()
		}
		p.lessonView()
	})
}

// atHand is the densities on the open mesh.
func (p *page) atHand() job.Body {
	l := &p.lessons
	source, target := p.scene.Densities.Values()
	l.source, l.target = slices.Clone(source), slices.Clone(target)
	if now := p.scene.State().Densities; !(now.Source > 0 && now.Target > 0) {
		return &job.Failed{Message: "The open mesh has no mass to move. Close the lesson, and paint a source and a target."}
	}
	return &job.Measured{Source: l.source, Target: l.target}
}

// repainted says whether the densities on the open mesh are others than a step has been told.
func (p *page) repainted() bool {
	l := &p.lessons
	source, target := p.scene.Densities.Values()
	return l.source != nil && (!slices.Equal(source, l.source) || !slices.Equal(target, l.target))
}

// anotherMesh lets a mesh that is opened show what is its own.
func (p *page) anotherMesh() {
	p.lessonCanvas(nil)
	p.forgetErrands()
}

// forgetErrands ends the engine of the lessons and drops its answers: the mesh at hand is another, or nobody looks any more.
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
	address := l.m.Address()
	if l.closing {
		address = lesson.End
	}
	if address != l.address {
		p.writeLesson(address)
	}
	if l.m.State() == nil && l.kept == "" {
		return
	}
	if kept := l.m.Keep(); kept != l.kept {
		dom.Remember(lessonKey, lesson.Merge(l.kept, kept, dom.Recall(lessonKey)))
		l.kept = kept
	}
}

// writeLesson writes a step, "" for none, into the address bar. Who closes a lesson goes back in the history to where it was opened.
func (p *page) writeLesson(address string) {
	l := &p.lessons
	location, history := dom.Window().Get("location"), dom.Window().Get("history")
	write := func(how string) {
		to := location.Get("pathname").String() + location.Get("search").String()
		if address != "" {
			to += "#" + address
		}
		history.Call(how, history.Get("state"), "", to)
	}
	hash := location.Get("hash").String()
	begins := l.address == "" && hash != "#"+address // else the address has brought the lesson
	l.address = address
	switch {
	case address == "" && hash != "" && l.begun:
		l.begun, l.leaving = false, true
		history.Call("back")
		dom.After(2000, func() {
			if l.leaving && l.address == "" { // the browser has not gone back
				write("replaceState")
				p.keeper.link, p.keeper.revision = "", 0
			}
			l.leaving = false
		})
	case begins:
		l.begun, l.leaving = true, false
		write("pushState")
	default:
		write("replaceState")
	}
}
