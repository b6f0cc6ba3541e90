//go:build js

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
