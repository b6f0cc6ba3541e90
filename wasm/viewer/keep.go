//go:build js

package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"syscall/js"

	"genussink/core/job"
	"genussink/core/session"
	"genussink/viewer/camera"
	"genussink/viewer/scene"
	"genussink/wasm/internal/dom"
)

// Sessions are kept in two tables: one has each session's settings and
// painting, written whenever they change, the other its mesh, written once.
const (
	storeName     = "genussink"
	sessionsTable = "sessions" // {at: ms, data: a session file without a mesh, opening: it has not been seen to open}
	meshesTable   = "meshes"   // a session file with nothing but the mesh
	keptSessions  = 4          // of as many pages that are open, or were
)

// keepEvery is how often the session is kept and the address bar written at
// most, in milliseconds: browsers refuse to rewrite the address more than 100
// times in 10 s.
const keepEvery = 500

// keepLate is how long keeping waits at most, in ms, for a frame that does not follow a new picture of the mesh: both of a large mesh
// at once hold the page.
const keepLate = 2000

// keeper keeps the session of this page: in the address bar, as far as a link
// carries it, and in the browser.
type keeper struct {
	store *dom.Store // nil: the browser has none
	id    string     // of this page's session in the store; the history remembers it
	off   bool       // nothing is kept in the store: the person said so
	said  bool       // that it could not be kept
	news  string     // a sentence that waits until the status line is free

	at       float64 // when it was last looked at, ms
	revision uint64  // of the scene that was kept
	pose     camera.Pose
	link     string  // in the address bar
	touched  bool    // a person has done something
	worked   bool    // and that since the page was loaded
	losses   int     // how often the graphics were lost in a row before that
	lostAt   float64 // when last, ms
	begun    kept    // what the page began with, which is nobody's work
	kept     kept
	stored   bool             // what was kept last is in the store
	restored bool             // the page goes on with a session
	waiting  *session.Session // that did not open to its end last time
}

// kept tells sessions apart.
type kept struct {
	link     string
	painting *session.Painting
	mesh     *job.Load
}

// keeping keeps the session from now on, also when the page is left.
func (p *page) keeping() {
	p.keeper.lost()
	for _, event := range []string{"pointerdown", "click", "keydown", "wheel", "input", "change", "drop"} {
		dom.Capture(dom.Window(), event, func(e js.Value) {
			p.keeper.touched, p.keeper.worked = true, true
			if tag := e.Get("target").Get("tagName"); tag.Type() == js.TypeString && tag.String() == "CANVAS" && p.keeper.waiting == nil {
				p.id("restored").Show(false) // whoever works on has kept it
			}
		})
	}
	dom.Capture(dom.Window(), "webglcontextlost", p.graphicsLost)
	dom.Listen(dom.Window(), "pagehide", func(js.Value) { p.keep(true) })
	dom.Listen(dom.Document(), "visibilitychange", func(js.Value) { p.keep(true) })
	p.click("start-fresh", p.startFresh)
	p.click("restore", func() { go p.restoreWaiting() })
	p.click("forget-now", p.forget)
	p.click("forget", p.forget)
	p.click("keep-it", func() { p.id("restored").Show(false) })
	p.click("save-session", p.saveSession)
}

// keep writes the address bar and the session, where they have changed: twice a
// second at most, or now.
func (p *page) keep(now bool) {
	k := &p.keeper
	at := js.Global().Get("performance").Call("now").Float()
	if since := at - k.at; !now && (since < keepEvery || p.game.Redrew() && since < keepLate) {
		return
	}
	k.at = at
	p.keepLesson()
	if phase := p.scene.Phase(); k.news != "" && (phase == scene.PhaseReady || phase == scene.PhasePlaying) {
		p.say(k.news)
		k.news = ""
	}
	pose := p.scene.View.Camera().Goal()
	if p.scene.Revision() == k.revision && pose == k.pose {
		return
	}
	sn, complete := p.scene.Session()
	if !complete || k.id == "" && !p.embedded {
		return
	}
	link, _ := sn.Link()
	if p.embedded {
		k.revision, k.pose = p.scene.Revision(), pose
		p.id("whole").Attr("href", "./?"+link)
		return
	}
	addressed := link != k.link && !k.off && !p.lessons.leaving
	if addressed {
		k.link = link
		dom.Window().Get("history").Call("replaceState", map[string]any{"session": k.id}, "", "?"+link+dom.Window().Get("location").Get("hash").String())
	}
	is := kept{link, sn.Painting, sn.File}
	if !k.touched {
		k.begun = is
	}
	write := !k.off && k.store != nil && is != k.begun && is != k.kept
	if write && addressed && sn.File != k.kept.mesh && !now {
		return // the mesh's file waits for another frame: the address and the file together would hold the page
	}
	k.revision, k.pose = p.scene.Revision(), pose
	if !write {
		return
	}
	changes := []dom.Change{}
	if sn.File != k.kept.mesh {
		c := dom.Change{Table: meshesTable, Key: k.id}
		if sn.File != nil {
			c.Value = dom.Array(session.Encode(&session.Session{Level: -1, File: sn.File}))
		}
		changes = append(changes, c)
	}
	k.kept, k.stored = is, false
	sn.File = nil
	changes = append(changes, dom.Change{Table: sessionsTable, Key: k.id, Value: record(session.Encode(sn), false)})
	k.store.Write(p.written, changes...)
}

func record(data []byte, opening bool) js.Value {
	return js.ValueOf(map[string]any{"at": js.Global().Get("Date").Call("now"), "data": dom.Array(data), "opening": opening})
}

// sessionState is what a script may know of keeping.
type sessionState struct {
	Kept     bool `json:"kept"`     // what is shown is in the browser's store
	Restored bool `json:"restored"` // the page went on with what was there
}

func (p *page) sessionState() sessionState {
	k := &p.keeper
	return sessionState{k.stored && k.revision == p.scene.Revision() && k.pose == p.scene.View.Camera().Goal(), k.restored}
}

// written follows every attempt to keep something.
func (p *page) written(err error) {
	k := &p.keeper
	if err == nil {
		k.said, k.stored = false, k.kept != kept{}
		return
	}
	k.kept = kept{} // try again at the next change
	if !k.said {
		k.said, k.news = true, "Session not kept: "+err.Error()+"."
	}
}

// recall finds the session that a page with this address goes on with: its own,
// where it was reloaded, else, where the address says nothing, the last one of
// all. Call it from a goroutine of its own.
func (p *page) recall(search string) (sn *session.Session, opening bool, err error) {
	k := &p.keeper
	state := dom.Window().Get("history").Get("state")
	own := ""
	if state.Type() == js.TypeObject && state.Get("session").Type() == js.TypeString {
		own = state.Get("session").String()
	}
	if k.id = own; own == "" {
		k.id = newID()
	}
	late := func(s *dom.Store) { k.store, k.revision = s, 0 } // what is there by then is kept
	if k.store, err = dom.OpenStore(storeName, late, sessionsTable, meshesTable); err != nil {
		k.store = nil
		return nil, false, fmt.Errorf("sessions are not kept: %w", err)
	}
	keys, err := k.store.Keys(sessionsTable)
	if err != nil {
		return nil, false, fmt.Errorf("the last session is not to be had: %w", err)
	}
	records := map[string]js.Value{}
	for _, key := range keys {
		if records[key], err = k.store.Read(sessionsTable, key); err != nil {
			return nil, false, fmt.Errorf("the last session is not to be had: %w", err)
		}
	}
	when := func(key string) float64 { return records[key].Get("at").Float() }
	slices.SortFunc(keys, func(a, b string) int { return int(when(b) - when(a)) })
	if len(keys) > keptSessions {
		var changes []dom.Change
		for _, key := range keys[keptSessions:] {
			if key != own {
				changes = append(changes, dom.Change{Table: sessionsTable, Key: key}, dom.Change{Table: meshesTable, Key: key})
			}
		}
		k.store.Write(p.written, changes...)
	}
	from := own
	if own == "" && len(search) < 2 && len(keys) > 0 {
		from = keys[0]
	}
	r, ok := records[from]
	if !ok {
		return nil, false, nil
	}
	data := dom.Bytes(r.Get("data"))
	if sn, err = session.Decode(data); err != nil {
		return nil, false, fmt.Errorf("the last session cannot be read: %w", err)
	}
	mesh, err := k.store.Read(meshesTable, from)
	if err != nil {
		return nil, false, fmt.Errorf("the last session’s mesh cannot be read: %w", err)
	}
	if !mesh.IsUndefined() {
		with, err := session.Decode(dom.Bytes(mesh))
		if err != nil {
			return nil, false, fmt.Errorf("the last session’s mesh cannot be read: %w", err)
		}
		sn.File = with.File
	}
	if r.Get("opening").Bool() {
		k.id = newID() // this one stays as it is
		return sn, true, nil
	}
	// Should it take the page with it, it is not opened by itself again.
	changes := []dom.Change{{Table: sessionsTable, Key: k.id, Value: record(data, true)}}
	if from != k.id {
		changes = append(changes, dom.Change{Table: meshesTable, Key: k.id, Value: mesh})
	}
	k.store.Write(p.written, changes...)
	return sn, false, nil
}

func newID() string {
	return strconv.FormatInt(int64(js.Global().Get("Date").Call("now").Float()), 36) +
		strconv.FormatInt(int64(js.Global().Get("Math").Call("random").Float()*(1<<53)), 36)
}

// resume opens the session that the page goes on with, if there is one, and
// says so.
func (p *page) resume(search string) bool {
	why := ""
	if p.keeper.losses > 0 {
		why = "The browser took the graphics away, and the page was loaded anew. "
		p.keeper.news = strings.TrimSpace(why)
	}
	sn, opening, err := p.recall(search)
	if err == nil && sn != nil && opening {
		p.keeper.waiting, p.keeper.news = sn, ""
		p.offer(why + "Your last session did not open to its end last time.")
		return false
	}
	if err == nil && sn != nil {
		err = p.openSession(sn)
	}
	if err != nil {
		text := err.Error()
		p.keeper.news = why + strings.ToUpper(text[:1]) + text[1:] + "."
		return false
	}
	if sn == nil {
		return false
	}
	p.keeper.touched, p.keeper.restored, p.keeper.news = true, true, "" // it is a person's work
	p.offer(why + "Restored your last session.")
	return true
}

// lost reads what graphicsLost has noted in the browser's history.
func (k *keeper) lost() {
	state := dom.Window().Get("history").Get("state")
	if state.Type() == js.TypeObject && state.Get("losses").Type() == js.TypeNumber && state.Get("lostAt").Type() == js.TypeNumber {
		k.losses, k.lostAt = state.Get("losses").Int(), state.Get("lostAt").Float()
	}
}

// The graphics that are lost so often in a row, each time within so many milliseconds and with nothing done between, are lost for good.
const (
	mostLosses = 3
	soonLost   = 60_000
)

// graphicsLost follows the loss of the canvas's context. Ebiten loads the page anew then, and that goes on with what
// is kept. Where not all is kept, or where that does not help, the page stays as it is, without a picture.
func (p *page) graphicsLost(e js.Value) {
	k := &p.keeper
	p.keep(true)
	now := js.Global().Get("Date").Call("now").Float()
	if k.worked || now-k.lostAt > soonLost || now < k.lostAt {
		k.losses = 0
	}
	k.losses++
	var why string
	switch {
	case k.losses >= mostLosses:
		why = "The browser took the graphics away, again and again. Close other pages that draw, or restart the browser, and reload this page."
	case !p.survives():
		why = "The browser took the graphics away, and it does not keep this session: save it as a session file, then reload the page."
	default:
		dom.Window().Get("history").Call("replaceState", map[string]any{"session": k.id, "losses": k.losses, "lostAt": now}, "")
		return
	}
	e.Call("preventDefault")
	e.Call("stopPropagation")
	p.scene.Fail(why)
	js.Global().Get("genussinkGraphics").Set("largest", 0) // no picture can be saved
	p.game.Stop()
}

// survives says whether the page, loaded anew, goes on with all that it shows.
func (p *page) survives() bool {
	k := &p.keeper
	switch {
	case p.embedded: // which shows what its address says
		return true
	case k.off:
		return false
	}
	if k.store != nil && !k.said {
		return true
	}
	sn, _ := p.scene.Session()
	_, whole := sn.Link()
	return whole && !sn.Own()
}

// offer says what became of the last session, with what can be done about it,
// until something else is done.
func (p *page) offer(sentence string) {
	p.text("restored-text", sentence)
	p.id("restore").Show(p.keeper.waiting != nil)
	p.id("keep-it").Show(p.keeper.waiting == nil)
	p.id("restored").Show(true)
}

func (p *page) restoreWaiting() {
	sn := p.keeper.waiting
	p.keeper.waiting, p.keeper.touched = nil, true
	p.id("restored").Show(false)
	if sn == nil {
		return
	}
	if err := p.openSession(sn); err != nil {
		p.scene.Fail("The last session cannot be opened: " + err.Error() + ".")
	}
}

// forget deletes every session that the browser keeps, and keeps nothing more
// of this page.
func (p *page) forget() {
	k := &p.keeper
	k.off, k.waiting, k.stored = true, nil, false
	p.leaveSession()
	const sentence = "All sessions are forgotten; nothing more is kept."
	if k.store == nil {
		k.news = sentence
		return
	}
	k.store.Write(func(err error) {
		if err != nil {
			p.scene.Fail("The browser could not forget the sessions: " + err.Error() + ".")
			return
		}
		k.news = sentence
	}, dom.Change{Table: sessionsTable}, dom.Change{Table: meshesTable})
}

// startFresh begins a new session. The old one stays in the browser. So do the sessions of other tabs.
func (p *page) startFresh() {
	p.leaveSession()
	p.keeper = keeper{store: p.keeper.store, id: newID(), news: "Begun anew; the session before stays in this browser."}
	go func() {
		if err := p.openSession(&session.Session{Level: -1}); err != nil {
			p.scene.Fail("Could not begin anew: " + err.Error() + ".")
		}
	}()
}

// leaveSession takes the session out of the address bar, and ends what is offered of it.
func (p *page) leaveSession() {
	p.id("restored").Show(false)
	location := dom.Window().Get("location")
	dom.Window().Get("history").Call("replaceState", js.Null(), "", location.Get("pathname").String()+location.Get("hash").String())
}
