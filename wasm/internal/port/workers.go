//go:build js

package port

import (
	"syscall/js"

	"genussink/core/job"
	"genussink/wasm/internal/dom"
	"genussink/wasm/internal/pool"
)

// Workers is the browser as the pool's host.
type Workers struct {
	Program js.Value // what they all run: a compiled WebAssembly.Module, or the address that each fetches one from
	Lead    bool     // the first is the one that web/main.js has started already
}

var _ pool.Host = Workers{}

// After calls f later.
func (Workers) After(milliseconds int, f func()) { dom.After(milliseconds, f) }

// Now is the page's time.
func (Workers) Now() float64 { return js.Global().Get("performance").Call("now").Float() }

// Warn writes to the console.
func (Workers) Warn(text string) { js.Global().Get("console").Call("warn", text) }

// Start makes a Worker, or takes over the one that runs already. A browser may refuse.
func (h Workers) Start(heard pool.Heard) (pool.Conn, error) {
	line, err := h.line()
	if err != nil {
		return nil, err
	}
	w := &worker{Value: line.Get("worker"), port: line.Get("port")}
	// A script error, the program's exit, or its port closed; an end that says
	// nothing is found out by its silence.
	w.listeners = []dom.Listener{
		dom.Listen(w.port, "message", func(e js.Value) {
			data := e.Get("data")
			if data.Get("pulse").Truthy() {
				heard.Pulse()
				return
			}
			heard.Frame(uint32(data.Get("id").Int()), frame{data.Get("frame")})
		}),
		dom.Listen(w.Value, "error", func(e js.Value) {
			e.Call("preventDefault")
			why := "it stopped"
			if m := e.Get("message"); m.Type() == js.TypeString {
				why = m.String()
			}
			heard.Crashed(why)
		}),
		dom.Listen(w.Value, "message", func(e js.Value) { heard.Crashed(e.Get("data").String()) }),
		dom.Listen(w.port, "close", func(js.Value) { heard.Crashed("the browser ended it") }),
	}
	w.port.Call("start")
	return w, nil
}

// line is a Worker and the near end of its port, as web/main.js makes them.
func (h Workers) line() (line js.Value, err error) {
	page := js.Global()
	if lead := page.Get("genussinkLead"); h.Lead && lead.Truthy() {
		page.Delete("genussinkLead")
		return lead, nil
	}
	err = dom.Try(func() { line = page.Call("genussinkLine", h.Program) })
	return line, err
}

// worker is the line to a Worker.
type worker struct {
	js.Value
	port      js.Value
	listeners []dom.Listener
}

// frame is an encoded message in an ArrayBuffer.
type frame struct{ js.Value }

// Decode copies the message out of the buffer.
func (f frame) Decode() (job.Body, error) {
	_, body, err := job.Decode(dom.Bytes(f.Value))
	return body, err
}

// Post sends a message.
func (w *worker) Post(id uint32, b job.Body) { post(w.port, id, b) }

// Forward sends a frame on.
func (w *worker) Forward(id uint32, f pool.Frame) {
	w.port.Call("postMessage", map[string]any{"id": id, "frame": f.(frame).Value})
}

// Pulse asks whether the Worker is there.
func (w *worker) Pulse() { w.port.Call("postMessage", map[string]any{"pulse": true}) }

// Help gives the Worker a line to a helper.
func (w *worker) Help(number int, helper pool.Conn) {
	channel := js.Global().Get("MessageChannel").New()
	near, far := channel.Get("port1"), channel.Get("port2")
	w.port.Call("postMessage", map[string]any{"helper": number, "port": near}, []any{near})
	helper.(*worker).port.Call("postMessage", map[string]any{"lead": true, "port": far}, []any{far})
}

// Break makes the Worker end.
func (w *worker) Break(silently bool) {
	w.Call("postMessage", map[string]any{"silently": silently})
}

// End ends the Worker, unheard.
func (w *worker) End() {
	for _, l := range w.listeners {
		l.Release()
	}
	w.Call("terminate")
}
