//go:build !js

package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
)

// A build that fails half way and is taken back leaves no compressed file that
// says something else than the plain one.
func TestWriteAfterFailure(t *testing.T) {
	out := filepath.Join(t.TempDir(), "web")
	pages := func(content string) map[string][]byte {
		return map[string][]byte{"app.js": []byte(content), "other.js": []byte("other")}
	}
	if err := os.Mkdir(out, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := write(out, pages("first"), 4); err != nil {
		t.Fatal(err)
	}
	agree(t, out, "first")

	obstacle := filepath.Join(out, "other.js.gz")
	if err := os.Remove(obstacle); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(obstacle, "in the way"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(out, "other.js.br")); err != nil {
		t.Fatal(err)
	}
	if err := write(out, pages("second"), 4); err == nil {
		t.Fatal("a folder in the way of a file is no error")
	}
	agree(t, out, "second")

	if err := os.RemoveAll(obstacle); err != nil {
		t.Fatal(err)
	}
	if err := write(out, pages("first"), 4); err != nil {
		t.Fatal(err)
	}
	agree(t, out, "first")
}

// The service worker has each file's hash, the page's own by its address, and a version that changes with any of them.
func TestServiceVersions(t *testing.T) {
	made := func(page, program string) string {
		return string(service(map[string][]byte{"index.html": []byte(page), "meshes/cat.glb": []byte("cat"), "service.js": []byte(program)}))
	}
	first := made("page", "program")
	for _, want := range []string{
		`"./":"sha256-NmAxWprz3yVdjxmrB35Hl4IrQUiKDioEvGr3EhPCMnQ="`, // printf page | openssl dgst -sha256 -binary | base64
		`"./?embed=1":"sha256-`, `"meshes/cat.glb":"sha256-`, "late = 'published.wasm'", "\nprogram",
	} {
		if !strings.Contains(first, want) {
			t.Errorf("%s\nlacks %s", first, want)
		}
	}
	if strings.Contains(first, `"service.js"`) || strings.Contains(first, `"index.html"`) {
		t.Errorf("%s\nnames itself, or the page twice", first)
	}
	version := func(text string) string {
		_, text, _ = strings.Cut(text, "version = '")
		text, _, _ = strings.Cut(text, "'")
		return text
	}
	if v := version(first); len(v) != 16 || v != version(made("page", "program")) || v == version(made("other", "program")) || v == version(made("page", "other")) {
		t.Errorf("versions %q, %q, %q, %q", v, version(made("page", "program")), version(made("other", "program")), version(made("page", "other")))
	}
}

// With a base the page says where its picture is, whole; a base that is no page's address is an error.
func TestPreview(t *testing.T) {
	page, err := os.ReadFile("../../web/index.html")
	if err != nil {
		t.Fatal(err)
	}
	for base, want := range map[string]string{
		"https://example.org": "https://example.org/", "https://example.org/a/b": "https://example.org/a/b/", "http://127.0.0.1:8080/a/": "http://127.0.0.1:8080/a/",
	} {
		got, err := preview(page, base)
		if err != nil {
			t.Fatal(err)
		}
		for _, tag := range []string{`<meta property="og:url" content="` + want + `">`, `<meta property="og:image" content="` + want + `share.png">`} {
			if !strings.Contains(string(got), tag) {
				t.Errorf("%s: no %s", base, tag)
			}
		}
	}
	for _, base := range []string{"example.org", "/a/", "ftp://example.org/", "https://", "https://example.org/?a", "://"} {
		if _, err := preview(page, base); err == nil || !strings.Contains(err.Error(), base) {
			t.Errorf("%q: %v", base, err)
		}
	}
	if strings.Contains(string(page), "og:image") {
		t.Error("without a base the page names a picture, which no preview can find")
	}
}

// agree fails unless app.js and its compressed forms all say want.
func agree(t *testing.T, out, want string) {
	t.Helper()
	for suffix, open := range map[string]func(io.Reader) (io.Reader, error){
		"":    func(r io.Reader) (io.Reader, error) { return r, nil },
		".br": func(r io.Reader) (io.Reader, error) { return brotli.NewReader(r), nil },
		".gz": func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
	} {
		data, err := os.ReadFile(filepath.Join(out, "app.js"+suffix))
		if err != nil {
			t.Fatal(err)
		}
		r, err := open(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(r); err != nil || string(got) != want {
			t.Errorf("app.js%s says %q, %v, want %q", suffix, got, err, want)
		}
	}
}

// The programs are the same bytes whatever GOFLAGS says, and beside the page's files lies the loader of the toolchain that built them.
func TestProgramsAreReproducible(t *testing.T) {
	if testing.Short() {
		t.Skip("left out under -short: it links the programs twice")
	}
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip(err)
	}
	var built [2]string
	for i, flags := range []string{"-buildvcs=true -tags=odd", "-buildvcs=false -trimpath=false -gcflags=genussink/core/paint=-N"} {
		built[i] = t.TempDir()
		cmd := exec.Command("make", "programs", "PROGRAMS="+built[i])
		cmd.Dir = "../.."
		cmd.Env = append(os.Environ(), "GOFLAGS="+flags, "MAKEFLAGS=")
		if said, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("GOFLAGS=%q: %v\n%s", flags, err, said)
		}
	}
	for _, name := range []string{"viewer.wasm", "worker.wasm", late} {
		a, err := os.ReadFile(filepath.Join(built[0], name))
		if err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(filepath.Join(built[1], name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(a, b) {
			t.Errorf("%s differs: %d and %d bytes", name, len(a), len(b))
		}
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib/wasm/wasm_exec.js"))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile("../../web/wasm_exec.js"); err != nil || !bytes.Equal(got, want) {
		t.Errorf("web/wasm_exec.js has %d bytes, %v: the toolchain's has %d", len(got), err, len(want))
	}
}
