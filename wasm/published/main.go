//go:build js

// Command published is the program of the Web Worker that compares methods: the engine, with the methods of others beside ours. The page
// fetches it when somebody first asks for a comparison. web/worker.js starts it.
package main

import (
	"fmt"
	"os"
	"syscall/js"

	"genussink/core/benchmark"
	"genussink/core/engine"
	"genussink/wasm/internal/port"
)

func main() {
	e := engine.New(engine.Options{
		Benchmark: benchmark.Answer,
		Logf:      func(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) },
	})
	port.Serve(js.Global().Get("genussinkPort"), new(port.Team), e.Run)
}
