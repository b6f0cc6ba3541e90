//go:build js

// Command viewer is the program of the page: it opens the scene, fills the
// panel from it, hands a person's intents to it, and lets Web Workers compute
// what it asks for. web/index.html is its document, web/main.js starts it.
package main

import (
	"encoding/json"
	"runtime"
	"syscall/js"
	"time"

	"genussink/core/job"
	"genussink/viewer/app"
	"genussink/viewer/lesson"
	"genussink/viewer/scene"
	"genussink/wasm/internal/dom"
	"genussink/wasm/internal/pool"
	"genussink/wasm/internal/port"
)

func main() {
	mark("running")
	p := &page{scene: scene.New(), elements: map[string]*dom.Element{}}
	p.embedded = dom.Document().Get("documentElement").Get("dataset").Get("embed").Type() == js.TypeString // see web/main.js
	dom.Fault = p.fault
	p.game = app.New(p.scene, app.Hooks{Frame: p.frame, Fault: p.fault, Drawn: drawn})
	if software := js.Global().Get("genussinkGraphics").Get("software").Truthy(); software { // see web/graphics.js
		p.scene.View.Software(true)
	} else {
		p.game.Largest(largest())
	}
	p.canvas()
	if p.embedded {
		p.shareScrolling()
	}
	p.controls()
	p.taskControls()
	p.terms()
	p.explain()
	p.keys()
	p.files()
	p.keeping()
	p.lessonControls()
	p.expose()
	p.id("panel").Set("inert", false)
	sent := make(chan struct{})
	go p.begin(sent)
	select {
	case <-sent:
	case <-time.After(patience):
	}
	if err := p.game.Run(); err != nil {
		p.fault(err.Error())
	}
	for { // without a picture the rest goes on
		time.Sleep(unseen)
		dom.Guard(func() {
			p.scene.Tick(unseen.Seconds())
			p.frame()
		})
	}
}

// unseen is how often a page without a picture looks after itself.
const unseen = 50 * time.Millisecond

// patience is how long the first frame waits for the first mesh to be on its way
// to the Workers. It holds the thread while shaders are made, and with it
// whatever else the page would have to do; a mesh that comes slowly is not waited for.
const patience = time.Second

// begin starts the Workers, gives them the first mesh and says that it has.
func (p *page) begin(sent chan<- struct{}) {
	workers := make(chan struct{})
	go func() {
		p.startWorkers()
		close(workers)
	}()
	p.openFirst()
	<-workers
	p.send()
	close(sent)
	p.fillGenerators()
}

// mark notes the time in the browser's performance timeline, where the
// browser's own tools show it.
func mark(name string) { js.Global().Get("performance").Call("mark", name) }

// page is everything between the document and the scene.
type page struct {
	scene    *scene.Scene
	game     *app.Game
	pool     *pool.Pool
	elements map[string]*dom.Element

	gallery    gallery
	generators []generator

	fellBack     bool   // the default was opened in the place of a mesh that could not be
	embedded     bool   // in a page of somebody else's: see embed.go
	pictured     uint64 // the mesh's revision that the browser's timeline has a mark of
	drawn        uint64 // the scene's revision that the panel shows
	tree         treeDrawing
	bags         bagsDrawing
	block        *job.Blocked // that is drawn
	matrix       matrixDrawing
	pareto       paretoDrawing
	findings     findingsDrawing
	legend       string             // what the legend was made of
	massTicks    *dom.Element       // of the legend's scale of mass; nil: it has none
	times        string             // what the table of times was made of
	stages       []scene.StageState // what the bars of times were made of
	told         scene.State        // which those who do not see the canvas have been told last
	labels       labels
	bounds       string // what the drawing of the treewidth's bounds shows
	walking      bool   // keys move the brush
	resting      bool   // frames come rarely
	newcomer     bool   // on a first visit, until something is done
	spared       bool   // the introduction is shown, and the mesh above it
	notice       string // a sentence of the page's own in the status line
	positionText string // of the playback slider
	keeper       keeper
	animator     animator
	multiples    multiples
	benchmark    benchmarkView
	lessons      lessons
}

// id is the element with the given id.
func (p *page) id(name string) *dom.Element {
	e, ok := p.elements[name]
	if !ok {
		e = dom.ByID(name)
		p.elements[name] = e
	}
	return e
}

// fault shows a panic that was caught, or anything else that is our fault.
func (p *page) fault(message string) {
	js.Global().Get("console").Call("error", message)
	p.scene.Fail("A fault of ours, please reload the page if it goes on: " + firstLine(message))
}

func firstLine(s string) string {
	for i, c := range s {
		if c == '\n' {
			return s[:i]
		}
	}
	return s
}

// maxShares is how many Workers share a solve at most: more gain little and each
// holds labels of its own. No processor is left out for the page's own thread: it needs little of one, and of two processors the second Worker makes a
// set-up 1.5 times as fast.
const maxShares = 4

func (p *page) startWorkers() {
	module, err := dom.Await(js.Global().Get("genussinkWorker"))
	if err != nil {
		p.scene.Fail("The computing program could not be loaded (" + err.Error() + "). Reload the page to try again.")
		return
	}
	cores := 2
	if n := js.Global().Get("navigator").Get("hardwareConcurrency"); n.Type() == js.TypeNumber {
		cores = n.Int()
	}
	mark("workers")
	p.pool = pool.New(port.Workers{Program: module, Lead: true}, min(maxShares, cores), p.handle, p.scene.Replaced)
	p.pool.Published = port.Workers{Program: js.ValueOf("published.wasm")}
}

// handle takes an answer from the Workers.
func (p *page) handle(e job.Event) {
	switch e.Body.(type) {
	case *job.Opened:
		if m := p.lessons.m; m != nil {
			m.SetOwn(nil) // another mesh is at hand
			p.lessonView()
		}
	case *job.Loaded:
		mark("loaded")
		p.anotherMesh()
		p.id("bags-find").SetInput("") // asked of the mesh before
	case *job.Separated:
		mark("separated")
	case *job.Solved:
		mark("solved")
	case *job.Flowing:
		mark("paths")
	}
	p.scene.Handle(e)
	if _, failed := e.Body.(*job.Failed); failed {
		p.openOther()
	}
	p.takeExported()
	p.send() // what follows need not wait for a frame
	if p.resting && !job.Interim(e.Body) {
		js.Global().Get("genussinkGraphics").Call("wake")
	}
}

// frame is called once per frame, after the scene was updated: what it asks
// for goes out, what has changed is shown.
func (p *page) frame() {
	p.send()
	if drawn := p.game.Pictured(); drawn != p.pictured {
		p.pictured = drawn
		mark("pictured")
	}
	p.recording()
	p.showPosition()
	p.showMassScale()
	if p.drawn != p.scene.Revision() {
		p.drawn = p.scene.Revision()
		p.show(p.state().State)
	}
	p.placeLabels() // those that belong to this mesh
	p.bagsFrame()
	p.lessonFrame()
	p.keep(false)
	p.rest(p.game.Resting() && !p.lessonPlays())
}

// rest tells web/graphics.js whether frames may come more rarely.
func (p *page) rest(resting bool) {
	if p.resting != resting {
		p.resting = resting
		js.Global().Get("genussinkGraphics").Set("resting", resting)
	}
}

// send hands what the scene asks for to the Workers.
func (p *page) send() {
	if p.pool != nil {
		for _, r := range p.scene.Outbox() {
			if _, ok := r.Body.(*job.Solve); ok {
				mark("asked")
			}
			p.pool.Send(r)
		}
	}
}

// state is what window.genussink.state() returns.
type state struct {
	scene.State
	Session sessionState  `json:"session"`
	Workers workers       `json:"workers"`
	Lesson  *lesson.State `json:"lesson"`
	Shown   bool          `json:"shown"` // the panel says what this state says
}

type workers struct {
	Count      int     `json:"count"`
	Replaced   int     `json:"replaced"`   // crashed, killed or ended because they did not let go
	CancelMs   float64 `json:"cancelMs"`   // longest from a Cancel to the end of its request
	Unfinished int     `json:"unfinished"` // requests under way
}

func (p *page) state() state {
	s := state{State: p.scene.State()}
	s.Frame = p.game.Stats()
	s.Session = p.sessionState()
	s.Lesson = p.lessonState()
	s.Shown = p.drawn == p.scene.Revision()
	if p.pool != nil {
		s.Workers = workers{p.pool.Len(), p.pool.Replaced, p.pool.CancelMax, p.pool.Unfinished()}
	}
	return s
}

// expose makes window.genussink, for scripts and tests: state() is plain data,
// densities() the two densities, memory() the bytes that the page's program holds once its garbage is collected,
// breakWorker(i, silently) ends a Worker as a crash or a kill would.
func (p *page) expose() {
	plain := func(v any) js.Value {
		text, err := json.Marshal(v)
		if err != nil {
			p.fault(err.Error())
			return js.Null()
		}
		return js.Global().Get("JSON").Call("parse", string(text))
	}
	js.Global().Set("genussink", map[string]any{
		"state": js.FuncOf(func(js.Value, []js.Value) (v any) {
			dom.Guard(func() { v = plain(p.state()) })
			return v
		}),
		"densities": js.FuncOf(func(js.Value, []js.Value) (v any) {
			dom.Guard(func() {
				source, target := p.scene.Densities.Values()
				v = plain(map[string][]float64{"source": source, "target": target})
			})
			return v
		}),
		"matrix": js.FuncOf(func(js.Value, []js.Value) (v any) {
			dom.Guard(func() { v = plain(p.plainMatrix()) })
			return v
		}),
		"memory": js.FuncOf(func(js.Value, []js.Value) any {
			runtime.GC()
			var now runtime.MemStats
			runtime.ReadMemStats(&now)
			return float64(now.HeapAlloc)
		}),
		"breakWorker": dom.Func(func(args []js.Value) { p.pool.Break(args[0].Int(), len(args) > 1 && args[1].Truthy()) }),
	})
}
