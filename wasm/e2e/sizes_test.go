//go:build e2e && !js

package e2e

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/andybalholm/brotli"
)

// What a person downloads is what `make dist` makes: brotli at its best. The lessons add at most 200 kB to that: by so much the viewer is
// smaller with stubs in their place.
func TestSizes(t *testing.T) {
	t.Parallel()
	sizes := map[string]int{}
	for name, budget := range map[string]int{"viewer.wasm": 3_200_000, "worker.wasm": 2_000_000, "published.wasm": 2_500_000} {
		level := brotli.BestCompression
		if name == "published.wasm" { // even so it is small enough, and that takes a twentieth of the time
			level = 9
		}
		sizes[name] = packed(t, filepath.Join(root, "build/web", name), level)
		if sizes[name] > budget {
			t.Errorf("%s: %d bytes after brotli, at most %d", name, sizes[name], budget)
		}
	}
	// The page is all that is fetched before a mesh, but for what Workers run.
	page := sizes["viewer.wasm"]
	for _, name := range []string{"index.html", "style.css", "main.js", "graphics.js", "wasm_exec.js", "generators.json", "sizes.json", "manifest.webmanifest", "icon.svg"} {
		page += packed(t, filepath.Join(root, "build/web", name), brotli.BestCompression)
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
	folder := t.TempDir()
	unlearned(t, folder)
	const budget = 200_000
	if more := sizes["viewer.wasm"] - packed(t, filepath.Join(folder, "viewer.wasm"), brotli.BestCompression); more > budget || more < budget/4 {
		t.Errorf("lessons add %d bytes after brotli, at most %d", more, budget)
	}
}

// packed is how many bytes of a file are left after brotli of a level, with the window of wasm/pack. The best level is node's: the same bytes as
// wasm/pack's in half the time.
func packed(t *testing.T, file string, level int) int {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if level == brotli.BestCompression {
		script := `const { constants: c, brotliCompressSync } = require('zlib'), data = require('fs').readFileSync(process.argv[1]);
			process.stdout.write(brotliCompressSync(data, { params: { [c.BROTLI_PARAM_QUALITY]: 11, [c.BROTLI_PARAM_LGWIN]: 24, [c.BROTLI_PARAM_SIZE_HINT]: data.length } }));`
		compress := exec.Command("node", "-e", script, file)
		compress.Stdout, compress.Stderr = &out, os.Stderr
		err = compress.Run()
	} else {
		w := brotli.NewWriterOptions(&out, brotli.WriterOptions{Quality: level, LGWin: 24})
		if _, err = w.Write(data); err == nil {
			err = w.Close()
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s: %d bytes, %d after brotli %d", file, len(data), out.Len(), level)
	return out.Len()
}

// unlearned builds the viewer without lessons into a folder.
func unlearned(t *testing.T, folder string) {
	t.Helper()
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
}
