//go:build e2e && !js

package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"genussink/wasm/internal/segment"
)

// What a person downloads is what `make dist` makes: brotli at its best, level 11. Even at lower levels, which take a half and a twentieth of the
// time, it is small enough. The lessons add at most 200 kB: by so much the viewer is smaller with stubs in their place.
func TestSizes(t *testing.T) {
	t.Parallel()
	sizes := map[string]int{}
	for name, budget := range map[string]int{"viewer.wasm": 3_200_000, "worker.wasm": 2_000_000, "published.wasm": 2_500_000} {
		level := better
		if name == "published.wasm" {
			level = good
		}
		sizes[name] = packed(t, filepath.Join(root, "build/web", name), level)
		if sizes[name] > budget {
			t.Errorf("%s: %d bytes after brotli, at most %d", name, sizes[name], budget)
		}
	}
	// The page is all that is fetched before a mesh, but for what Workers run.
	page := sizes["viewer.wasm"]
	for _, name := range []string{"index.html", "style.css", "main.js", "graphics.js", "wasm_exec.js", "generators.json", "sizes.json", "manifest.webmanifest", "icon.svg"} {
		page += packed(t, filepath.Join(root, "build/web", name), better)
	}
	for _, name := range []string{"poster-light.png", "poster-dark.png"} { // the poster: one of them
		info, err := os.Stat(filepath.Join(root, "build/web/meshes", name))
		if err != nil {
			t.Fatal(err)
		}
		page += int(info.Size()) / 2
	}
	t.Logf("the page: %d bytes", page)
	if budget := 3_200_000; page > budget {
		t.Errorf("the page: %d bytes after brotli, at most %d", page, budget)
	}
	const budget = 200_000
	if more := sizes["viewer.wasm"] - packed(t, unlearned(t), better); more > budget || more < budget/4 {
		t.Errorf("lessons add %d bytes after brotli, at most %d", more, budget)
	}
}

// Levels of brotli.
const (
	good   = 9
	better = 10
)

// packed is how many bytes of a file are left after brotli of a level, with the window of wasm/pack. It is node's, which takes half the time.
func packed(t *testing.T, file string, level int) int {
	t.Helper()
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	const script = `const { constants: c, brotliCompressSync } = require('zlib'), data = require('fs').readFileSync(process.argv[1]);
		const params = { [c.BROTLI_PARAM_QUALITY]: +process.argv[2], [c.BROTLI_PARAM_LGWIN]: 24, [c.BROTLI_PARAM_SIZE_HINT]: data.length };
		console.log(brotliCompressSync(data, { params }).length);`
	out, err := exec.Command("node", "-e", script, file, strconv.Itoa(level)).Output()
	if err != nil {
		t.Fatal(err)
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(out)))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s: %d bytes, %d after brotli %d", file, info.Size(), n, level)
	return n
}

// unlearned builds the viewer without lessons, as wasm/pack would write it, into a file.
func unlearned(t *testing.T) (file string) {
	t.Helper()
	folder := t.TempDir()
	replace := map[string]string{}
	for _, name := range []string{"lessons.go", "figures.go"} {
		stub, err := filepath.Abs(filepath.Join("testdata/unlearned", name))
		if err != nil {
			t.Fatal(err)
		}
		replace[filepath.Join("wasm/viewer", name)] = stub
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, "overlay.json"), overlay, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	build := exec.Command("make", "viewer.wasm", "PROGRAMS="+folder, "OVERLAY="+filepath.Join(folder, "overlay.json"))
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	file = filepath.Join(folder, "viewer.wasm")
	program, err := os.ReadFile(file)
	if err == nil {
		program, err = segment.Merge(program)
	}
	if err == nil {
		err = os.WriteFile(file, program, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return file
}
