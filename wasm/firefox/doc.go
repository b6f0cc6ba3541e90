// Package firefox holds a test of the built page's main job in Firefox: see `make firefox`. The other browser tests are in wasm/e2e.
package firefox
