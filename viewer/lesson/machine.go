package lesson

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"genussink/viewer/figure"
	"genussink/viewer/lesson/model"
	"genussink/viewer/timeline"
)

// Machine walks through the lessons. What it shows follows from the place, the
// records of the steps and the engine's answers.
type Machine struct {
	lessons  []*Lesson
	source   Source
	own      func(most int) *model.Graph // the reader's graph; nil: the lessons show theirs
	owned    map[part]*model.Graph       // what it gave
	number   int                         // of the lesson, from 1; 0: none is open
	step     int                         // from 1
	records  map[place]*Record
	done     map[[2]int]bool // the checks that were passed once, by lesson and step
	timeline timeline.Timeline
	teacher  bool
	memo     map[string]any
}

// place is where something was done.
type place struct {
	lesson, step int // from 1
	own          bool
}

// part is one of the reader's graph.
type part struct {
	most  int // vertices
	along bool
}

// New is a machine with nothing done.
func New(source Source) *Machine {
	return &Machine{lessons: Lessons(), source: source, records: map[place]*Record{}, done: map[[2]int]bool{}, memo: map[string]any{}, timeline: timeline.Timeline{Pace: 0.7}}
}

// State is what the page tells of the lesson.
type State struct {
	Number int   `json:"number"`
	Step   int   `json:"step"`
	Steps  int   `json:"steps"`
	Passed bool  `json:"passed"` // this step's check
	Done   []int `json:"done"`   // lessons all of whose checks are passed
	Own    bool  `json:"own"`    // the reader's graph is shown, where the step takes one
}

// State is nil where no lesson is open.
func (m *Machine) State() *State {
	if m.number == 0 {
		return nil
	}
	return &State{m.number, m.step, len(m.lesson().Steps), m.record().Passed, m.Done(), m.own != nil}
}

func (m *Machine) lesson() *Lesson { return m.lessons[m.number-1] }

// Lesson is the open lesson, nil if none is open.
func (m *Machine) Lesson() *Lesson {
	if m.number == 0 {
		return nil
	}
	return m.lesson()
}

// Step is the open step, nil if none is open.
func (m *Machine) Step() *Step {
	if m.number == 0 {
		return nil
	}
	return &m.lesson().Steps[m.step-1]
}

func (m *Machine) recordOf(lesson, step int) *Record {
	key := place{lesson, step, m.own != nil && m.lessons[lesson-1].Own > 0}
	if m.records[key] == nil {
		m.records[key] = &Record{}
	}
	return m.records[key]
}

func (m *Machine) record() *Record { return m.recordOf(m.number, m.step) }

// Record is a copy of what was done in the open step.
func (m *Machine) Record() Record {
	if m.number == 0 {
		return Record{}
	}
	r := *m.record()
	r.Acts = slices.Clone(r.Acts)
	return r
}

// passed says whether the check of a step was passed once, on the lesson's graph or on the reader's.
func (m *Machine) passed(lesson, step int) bool { return m.done[[2]int{lesson, step}] }

// Finished says whether the check of the open step was passed once.
func (m *Machine) Finished() bool { return m.number != 0 && m.passed(m.number, m.step) }

// Done lists the lessons all of whose checks are passed.
func (m *Machine) Done() []int {
	done := []int{}
	for i, l := range m.lessons {
		all := true
		for k, s := range l.Steps {
			all = all && (s.Check == nil || m.passed(i+1, k+1))
		}
		if all {
			done = append(done, i+1)
		}
	}
	return done
}

// Open goes to a step, both counted from 1. Places that are none are an error.
func (m *Machine) Open(number, step int) error {
	if number < 1 || number > len(m.lessons) {
		return fmt.Errorf("lesson %d: there are %d", number, len(m.lessons))
	}
	if n := len(m.lessons[number-1].Steps); step < 1 || step > n {
		return fmt.Errorf("step %d of lesson %d: it has %d", step, number, n)
	}
	m.leave()
	m.number, m.step = number, step
	m.enter()
	return nil
}

// OpenFirst goes to the first step whose check is not passed, of the first lesson that has one; to the start where all are.
func (m *Machine) OpenFirst() {
	for i, l := range m.lessons {
		for k, s := range l.Steps {
			if s.Check != nil && !m.passed(i+1, k+1) {
				_ = m.Open(i+1, k+1) // it is a place
				return
			}
		}
	}
	_ = m.Open(1, 1) // there is a first
}

// OpenLast goes to the last step of all.
func (m *Machine) OpenLast() {
	last := len(m.lessons)
	_ = m.Open(last, len(m.lessons[last-1].Steps)) // it is a place
}

// Close leaves the lessons; what was done stays.
func (m *Machine) Close() {
	m.leave()
	m.number, m.step = 0, 0
}

// leave keeps the timeline's position with its step.
func (m *Machine) leave() {
	if m.number != 0 {
		m.record().At = m.timeline.At()
	}
}

func (m *Machine) enter() {
	m.timeline.Pause()
	m.timeline.End = math.MaxInt32
	m.timeline.Seek(m.record().At)
	m.View()
}

// Next goes one step on, to the next lesson at the end; it says whether there was one.
func (m *Machine) Next() bool {
	switch {
	case m.number == 0:
		return false
	case m.step < len(m.lesson().Steps):
		return m.Open(m.number, m.step+1) == nil
	case m.number < len(m.lessons):
		return m.Open(m.number+1, 1) == nil
	}
	return false
}

// Previous goes one step back; it says whether there was one. The step is as it was left.
func (m *Machine) Previous() bool {
	switch {
	case m.number == 0:
		return false
	case m.step > 1:
		return m.Open(m.number, m.step-1) == nil
	case m.number > 1:
		return m.Open(m.number-1, len(m.lessons[m.number-2].Steps)) == nil
	}
	return false
}

// context is what the open step is shown from.
func (m *Machine) context() *Context {
	c := &Context{Source: m.source, Record: m.record(), memo: m.memo}
	if c.Graph = m.Own(); c.Graph != nil {
		c.Own = true
	} else {
		c.Graph = m.lesson().Graph()
	}
	number := m.number
	c.step = func(step int) *Record { return m.recordOf(number, step) }
	m.record().At = m.timeline.At()
	return c
}

// View is the open step as it stands: readings that are the answer are left out until it is revealed.
func (m *Machine) View() View {
	if m.number == 0 {
		return View{}
	}
	c := m.context()
	v := m.Step().View(c)
	if !v.Waiting { // until then the length is not known
		m.timeline.End = float64(v.Length)
		if m.timeline.At() > m.timeline.End {
			m.timeline.Seek(m.timeline.End)
			v = m.Step().View(m.context())
		}
	}
	if !c.Revealed {
		v.Readings = slices.DeleteFunc(slices.Clone(v.Readings), func(r Reading) bool { return r.After })
	}
	return v
}

// Timeline is the control of what happens in time in the open step.
func (m *Machine) Timeline() *timeline.Timeline { return &m.timeline }

// Tick lets seconds pass, and says whether the view changed.
func (m *Machine) Tick(seconds float64) bool { return m.number != 0 && m.timeline.Tick(seconds) }

// maxActs is how many acts of a step are kept; a reader who does more begins to lose the first.
const maxActs = 2000

// Act does something in the open step. A verb that the step does not take, or a number that is none, is an error.
func (m *Machine) Act(a Act) error {
	if m.number == 0 {
		return errors.New("no lesson is open")
	}
	v := m.View()
	switch {
	case math.IsNaN(a.X) || math.IsInf(a.X, 0):
		return fmt.Errorf("%v is not a number to set", a.X)
	case a.Verb == Predict && v.Question == nil, a.Verb != Predict && !slices.Contains(m.Step().Takes, a.Verb):
		return fmt.Errorf("this step takes no %q", a.Verb)
	case a.Verb == Predict && m.record().Revealed:
		return errors.New("the answer is shown: start over to predict again")
	case a.Verb == Predict && (a.A < 0 || a.A >= max(1, len(v.Question.Names))):
		return fmt.Errorf("question %d: there are %d", a.A, max(1, len(v.Question.Names)))
	case a.Verb == Predict && v.Question.Choices != nil && (a.X < 0 || int(a.X) >= len(v.Question.Choices)):
		return fmt.Errorf("choice %v: there are %d", a.X, len(v.Question.Choices))
	case a.Verb == Toggle && gone(&v, a.A):
		return errors.New("this vertex is not there any more")
	case a.A < 0 || a.B < 0:
		return fmt.Errorf("%d, %d: places count from 0", a.A, a.B)
	}
	r := m.record()
	// Of a slider or a prediction only where it comes to rest counts.
	if n := len(r.Acts); n > 0 && (a.Verb == Slide || a.Verb == Predict) && r.Acts[n-1].Verb == a.Verb && r.Acts[n-1].A == a.A {
		r.Acts = r.Acts[: n-1 : n-1]
	}
	r.Acts = append(r.Acts[:len(r.Acts):len(r.Acts)], a)
	if len(r.Acts) > maxActs {
		r.Acts = r.Acts[len(r.Acts)-maxActs:]
	}
	r.verdict = nil
	return nil
}

// gone says whether a vertex has left the first graph of a view.
func gone(v *View, vertex int) bool {
	for _, f := range v.Figures {
		if g, ok := f.(*figure.Graph); ok {
			return vertex >= 0 && vertex < len(g.Roles) && g.Roles[vertex] == figure.Gone
		}
	}
	return false
}

// Undo takes the last act back; it says whether there was one.
func (m *Machine) Undo() bool {
	last := m.last()
	if last < 0 {
		return false
	}
	r := m.record()
	r.Acts = append(r.Acts[:last:last], r.Acts[last+1:]...)
	r.verdict = nil
	return true
}

// Undoes says whether there is an act that Undo takes back.
func (m *Machine) Undoes() bool { return m.last() >= 0 }

// last is the place of the act that can be taken back, -1 for none. A prediction stays once the answer is shown.
func (m *Machine) last() int {
	if m.number == 0 {
		return -1
	}
	r := m.record()
	at := len(r.Acts) - 1
	for at >= 0 && r.Revealed && r.Acts[at].Verb == Predict {
		at--
	}
	return at
}

// StartOver forgets what was done in the open step.
func (m *Machine) StartOver() {
	if m.number != 0 {
		*m.record() = Record{}
		delete(m.done, [2]int{m.number, m.step})
		m.enter()
	}
}

// Reveal shows the answer. Where a prediction is asked for it has to be made before: the verdict says so, too.
func (m *Machine) Reveal() error {
	if m.number == 0 {
		return errors.New("no lesson is open")
	}
	c, v := m.context(), m.View()
	if !c.predicted(v.Question) {
		m.record().verdict = &Verdict{Hint: unpredicted}
		return errors.New("make your prediction first")
	}
	m.record().Revealed = true
	return nil
}

// Check judges what was done in the open step, and returns the verdict. The verdict is nil where the step has no check, while the
// engine has not answered yet, and where it has failed. What passes reveals the answer.
func (m *Machine) Check() *Verdict {
	if m.number == 0 || m.Step().Check == nil {
		return nil
	}
	c := m.context()
	v := m.Step().View(c)
	if v.Waiting || v.Failed != "" {
		return nil
	}
	verdict := Verdict{Hint: unpredicted}
	if c.predicted(v.Question) {
		verdict = m.Step().Check(c, v)
	}
	if r := m.record(); verdict.Pass {
		r.Passed, r.Revealed = true, true
		m.done[[2]int{m.number, m.step}] = true
	} else {
		r.Passed = false
	}
	m.record().verdict = &verdict
	return &verdict
}

// Verdict is the verdict of the open step's last check, nil if something was done since.
func (m *Machine) Verdict() *Verdict {
	if m.number == 0 {
		return nil
	}
	return m.record().verdict
}

// Around gives the part of a reader's graph around a vertex, for SetOwn. The neighbours of vertex v are targets[offsets[v]:offsets[v+1]]; number is
// what a person calls the vertex.
func Around(name string, offsets, targets []int32, around int32, number int) func(most int) *model.Graph {
	return func(most int) *model.Graph {
		g := model.Patch(offsets, targets, around, most)
		if g.Name = name; g.N < len(offsets)-1 {
			g.Name += fmt.Sprintf(partOf, number)
		}
		return g
	}
}

// SetOwn shows the reader's graph in the lessons that take one: own gives a part of it with at most so many vertices.
// Nil shows the lessons' own graphs again, and forgets what was done on the reader's.
func (m *Machine) SetOwn(own func(most int) *model.Graph) {
	if m.own == nil && own == nil {
		return
	}
	m.leave()
	m.own, m.owned, m.memo = own, map[part]*model.Graph{}, map[string]any{}
	for key := range m.records {
		if key.own {
			delete(m.records, key)
		}
	}
	if m.number != 0 {
		m.enter()
	}
}

// Own is the reader's graph where the open lesson shows it, else nil.
func (m *Machine) Own() *model.Graph {
	if m.own == nil || m.number == 0 || m.lesson().Own == 0 {
		return nil
	}
	of := part{max(m.lesson().Own, m.Step().Own), m.lesson().Along}
	g := m.owned[of]
	if g == nil {
		if g = m.own(of.most); of.along {
			g = g.Along()
		}
		if g.Places == nil {
			g.Places = figure.Layout(g.N, g.Edges)
		}
		m.owned[of] = g
	}
	return g
}

// Teach turns the teacher's view on or off: large type, no panel, arrow keys go on and back.
func (m *Machine) Teach(on bool) { m.teacher = on }

// Teaching says whether the teacher's view is on.
func (m *Machine) Teaching() bool { return m.teacher }

// Key is the number of steps that a key goes forward in the teacher's view. It is negative for back, and 0 for other keys.
func (m *Machine) Key(key string) int {
	if m.teacher && m.number > 0 {
		switch key {
		case "ArrowRight", "PageDown":
			return 1
		case "ArrowLeft", "PageUp":
			return -1
		}
	}
	return 0
}
