//go:build js

// Package port carries job frames between the page and its Web Workers: every
// frame is one transferable ArrayBuffer on a MessagePort, so that nothing
// depends on shared memory, which a static host cannot switch on. Pool is the
// page's end, Serve a Worker's.
package port

import (
	"syscall/js"

	"genussink/core/job"
	"genussink/wasm/internal/dom"
)

// post sends one message as a frame, beside its id, and gives the frame's
// memory away.
func post(port js.Value, id uint32, body job.Body) {
	buffer := dom.Array(job.Encode(id, body)).Get("buffer")
	port.Call("postMessage", map[string]any{"id": id, "frame": buffer}, []any{buffer})
}
