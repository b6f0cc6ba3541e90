//go:build js

// Command worker is the program of the page's Web Workers: the engine behind a
// port. web/worker.js starts it.
package main

import (
	"fmt"
	"os"
	"syscall/js"

	"genussink/core/engine"
	"genussink/wasm/internal/port"
)

func main() {
	team := new(port.Team)
	e := engine.New(engine.Options{
		Team: team,
		Logf: func(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) },
	})
	port.Serve(js.Global().Get("genussinkPort"), team, e.Run)
}
