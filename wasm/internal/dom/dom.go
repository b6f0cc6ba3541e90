//go:build js

// Package dom is the little of the browser's document that the page needs:
// elements by id, text, attributes and listeners. Data reaches the document
// as text nodes and attribute values only, never as HTML; figures and formulas are XML of the program's own.
package dom

import (
	"errors"
	"fmt"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall/js"
	"time"
)

// Fault receives what a callback panicked with. A panic that leaves a callback ends
// the whole program, and with it the page; so every callback made here
// recovers and reports to Fault instead. Set it before listening.
var Fault = func(message string) { js.Global().Get("console").Call("error", message) }

// Guard runs f and reports a panic to Fault.
func Guard(f func()) {
	defer func() {
		if r := recover(); r != nil {
			Fault(fmt.Sprintf("%v\n%s", r, debug.Stack()))
		}
	}()
	f()
}

// Func makes a callback for JavaScript that hands its arguments to f. Release
// it when nothing calls it any more.
func Func(f func(args []js.Value)) js.Func {
	return js.FuncOf(func(_ js.Value, args []js.Value) any {
		Guard(func() { f(args) })
		return nil
	})
}

// Once makes a callback that releases itself after its first call.
func Once(f func(args []js.Value)) js.Func {
	var fn js.Func
	fn = Func(func(args []js.Value) {
		fn.Release()
		f(args)
	})
	return fn
}

// After runs f on the event loop once the given time has passed.
func After(milliseconds int, f func()) {
	js.Global().Call("setTimeout", Once(func([]js.Value) { f() }), milliseconds)
}

// Await waits for a promise; what it rejects with becomes the error. Never
// call it from a callback, only from a goroutine of its own: the event loop
// must run for the promise to settle.
func Await(promise js.Value) (js.Value, error) {
	type outcome struct {
		value js.Value
		err   error
	}
	done := make(chan outcome, 1)
	var ok, bad js.Func
	ok = Func(func(args []js.Value) {
		var v js.Value
		if len(args) > 0 {
			v = args[0]
		}
		done <- outcome{value: v}
	})
	bad = Func(func(args []js.Value) { done <- outcome{err: thrown(args[0])} })
	promise.Call("then", ok, bad)
	o := <-done
	ok.Release()
	bad.Release()
	return o.value, o.err
}

// thrown is what JavaScript throws, in its own words.
func thrown(v js.Value) error {
	if !v.Truthy() {
		return errors.New("the browser does not say why")
	}
	if v.Type() == js.TypeObject {
		if v.Get("name").Equal(js.ValueOf("QuotaExceededError")) {
			return errors.New("there is no room left for it")
		}
		if m := v.Get("message"); m.Type() == js.TypeString && m.String() != "" {
			return errors.New(strings.TrimRight(m.String(), "."))
		}
	}
	return errors.New(js.Global().Call("String", v).String())
}

// Try turns what JavaScript throws into an error.
func Try(f func()) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case js.Error:
			err = thrown(r.Value)
		case error:
			err = r
		default:
			panic(r)
		}
	}()
	f()
	return nil
}

// Pauses lets the page live on during a long job: the job has a goroutine of its own, and calls Pause between its steps.
type Pauses struct{ since time.Time }

// stretch is how long a job goes on without a pause.
const stretch = 25 * time.Millisecond

// Pause gives the page its turn where the last one was a while ago. It waits for the event loop: to sleep would not, since a
// goroutine that sleeps goes on at once where the time was over before others came to rest.
func (p *Pauses) Pause() {
	if time.Since(p.since) > stretch {
		turn := make(chan struct{})
		After(0, func() { close(turn) })
		<-turn
		p.since = time.Now()
	}
}

// Bytes copies an ArrayBuffer or a Uint8Array into Go memory.
func Bytes(v js.Value) []byte {
	if v.InstanceOf(js.Global().Get("ArrayBuffer")) {
		v = js.Global().Get("Uint8Array").New(v)
	}
	b := make([]byte, v.Length())
	js.CopyBytesToGo(b, v)
	return b
}

// Array copies bytes into a new Uint8Array.
func Array(b []byte) js.Value {
	a := js.Global().Get("Uint8Array").New(len(b))
	js.CopyBytesToJS(a, b)
	return a
}

// Listener is a listener that can be taken off again.
type Listener struct {
	target js.Value
	event  string
	fn     js.Func
	opts   any
}

// Listen calls f for every event of the given name at target.
func Listen(target js.Value, event string, f func(e js.Value)) Listener {
	return listen(target, event, f, false)
}

// Capture is Listen in the capturing phase, before any listener of a
// descendant, with the right to prevent the default action.
func Capture(target js.Value, event string, f func(e js.Value)) Listener {
	return listen(target, event, f, map[string]any{"capture": true, "passive": false})
}

func listen(target js.Value, event string, f func(e js.Value), opts any) Listener {
	fn := Func(func(args []js.Value) { f(args[0]) })
	target.Call("addEventListener", event, fn, opts)
	return Listener{target, event, fn, opts}
}

// Release takes the listener off and frees its callback.
func (l Listener) Release() {
	l.target.Call("removeEventListener", l.event, l.fn, l.opts)
	l.fn.Release()
}

// Document is the page's document.
func Document() js.Value { return js.Global().Get("document") }

// Window is the page's window.
func Window() js.Value { return js.Global() }

// Element is an element of the page that remembers what it was last told, so
// that saying the same thing again costs nothing.
type Element struct {
	js.Value
	known  map[string]string
	chosen time.Time // when a person chose from the list last
	told   bool      // SetInput has been asked
	wanted string    // for this value
}

// ByID finds an element of the static page. It panics when there is none: page
// and program are built together.
func ByID(id string) *Element {
	v := Document().Call("getElementById", id)
	if v.IsNull() {
		panic("dom: the page has no element with id " + id)
	}
	return &Element{Value: v}
}

// New makes an element that is not in the page yet.
func New(tag, class string) *Element {
	v := Document().Call("createElement", tag)
	if class != "" {
		v.Set("className", class)
	}
	return &Element{Value: v}
}

// NewSVG makes an element of an SVG picture.
func NewSVG(tag, class string) *Element {
	v := Document().Call("createElementNS", "http://www.w3.org/2000/svg", tag)
	if class != "" {
		v.Call("setAttribute", "class", class)
	}
	return &Element{Value: v}
}

// Markup is an element that the program itself has written as XML: a figure or a
// formula, whose words are escaped. It panics where that is no XML.
func Markup(text string) js.Value {
	root := js.Global().Get("DOMParser").New().Call("parseFromString", text, "application/xml").Get("documentElement")
	if root.Get("tagName").String() == "parsererror" || root.Call("querySelector", "parsererror").Truthy() {
		panic("dom: not XML: " + text)
	}
	return Document().Call("importNode", root, true)
}

// once reports whether a property gets a new value, and remembers it.
func (e *Element) once(property, value string) bool {
	if old, ok := e.known[property]; ok && old == value {
		return false
	}
	if e.known == nil {
		e.known = map[string]string{}
	}
	e.known[property] = value
	return true
}

// Text replaces the element's contents by a text node and returns the element.
func (e *Element) Text(s string) *Element {
	if e.once("text", s) {
		e.Set("textContent", s)
	}
	return e
}

// Attr sets an attribute and returns the element.
func (e *Element) Attr(name, value string) *Element {
	if e.once("attribute "+name, value) {
		e.Call("setAttribute", name, value)
	}
	return e
}

// Number sets an attribute to a number.
func (e *Element) Number(name string, x float64) *Element {
	return e.Attr(name, strconv.FormatFloat(x, 'f', -1, 64))
}

// Style sets one CSS property of the element and returns the element.
func (e *Element) Style(property, value string) *Element {
	if e.once("style "+property, value) {
		e.Get("style").Call("setProperty", property, value)
	}
	return e
}

// Class switches a class on or off.
func (e *Element) Class(name string, on bool) *Element {
	if e.once("class "+name, strconv.FormatBool(on)) {
		e.Get("classList").Call("toggle", name, on)
	}
	return e
}

// Show shows or hides the element.
func (e *Element) Show(shown bool) *Element {
	if e.once("shown", strconv.FormatBool(shown)) {
		e.Set("hidden", !shown)
	}
	return e
}

// Enable enables or disables a control.
func (e *Element) Enable(enabled bool) *Element {
	if e.once("enabled", strconv.FormatBool(enabled)) {
		e.Set("disabled", !enabled)
	}
	return e
}

// Check ticks a box, or takes its tick away.
func (e *Element) Check(checked bool) *Element {
	e.Set("checked", checked)
	return e
}

// Press sets the state of a toggle button.
func (e *Element) Press(pressed bool) *Element {
	return e.Attr("aria-pressed", strconv.FormatBool(pressed))
}

// Append adds children and returns the element.
func (e *Element) Append(children ...*Element) *Element {
	for _, c := range children {
		e.Call("appendChild", c.Value)
	}
	return e
}

// Clear takes all children out.
func (e *Element) Clear() *Element {
	e.Call("replaceChildren")
	delete(e.known, "text")
	return e
}

// On listens at the element for the page's lifetime.
func (e *Element) On(event string, f func(e js.Value)) *Element {
	Listen(e.Value, event, f)
	return e
}

// Input is the value of a control as text.
func (e *Element) Input() string { return e.Get("value").String() }

// InputNumber is the value of a slider.
func (e *Element) InputNumber() float64 { return e.Get("valueAsNumber").Float() }

// SetInput moves a control to a value, unless a person holds it right now: a list for a while after a choice, which may not hold yet, and anything else
// while it has the focus.
func (e *Element) SetInput(value string) {
	e.told, e.wanted = true, value
	if e.Get("value").String() == value {
		return
	}
	list := e.Get("tagName").String() == "SELECT"
	if held := Document().Get("activeElement").Equal(e.Value); held && (!list || time.Since(e.chosen) < settling) {
		return
	}
	e.Set("value", value)
}

// settling is how long a choice may take until it holds.
const settling = 3 * time.Second

// Chosen says that a person has just chosen from the list. Once that has had its time, the list shows what holds.
func (e *Element) Chosen() {
	e.chosen = time.Now()
	After(int(settling.Milliseconds())+1, func() {
		if e.told {
			e.SetInput(e.wanted)
		}
	})
}
