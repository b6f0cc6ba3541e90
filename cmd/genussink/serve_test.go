package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"genussink/internal/output"
)

var page = fstest.MapFS{
	"index.html":         {Data: []byte("<!doctype html>the page"), ModTime: time.Unix(1, 0)},
	"viewer.wasm":        {Data: []byte("wasm, plain"), ModTime: time.Unix(1, 0)},
	"viewer.wasm.br":     {Data: []byte("wasm, br"), ModTime: time.Unix(1, 0)},
	"viewer.wasm.gz":     {Data: []byte("wasm, gz"), ModTime: time.Unix(1, 0)},
	"app.js":             {Data: []byte("js"), ModTime: time.Unix(1, 0)},
	"style.css":          {Data: []byte("css"), ModTime: time.Unix(1, 0)},
	"meshes/bunny.glb":   {Data: []byte("glb"), ModTime: time.Unix(1, 0)},
	"meshes/odd.Thing":   {Data: []byte("thing"), ModTime: time.Unix(1, 0)},
	"only.json.br":       {Data: []byte("json, br"), ModTime: time.Unix(1, 0)},
	".secret":            {Data: []byte("secret"), ModTime: time.Unix(1, 0)},
	"meshes/.git/config": {Data: []byte("secret"), ModTime: time.Unix(1, 0)},
	"dir.br/index.html":  {Data: []byte("a folder named like a file"), ModTime: time.Unix(1, 0)},
}

func get(method, path string, headers ...string) *http.Response {
	r := httptest.NewRequest(method, "/", nil)
	r.URL.Path = path
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	pageHandler(page).ServeHTTP(w, r)
	return w.Result()
}

func body(r *http.Response) string {
	b, _ := io.ReadAll(r.Body)
	return string(b)
}

func TestServedFiles(t *testing.T) {
	for _, c := range []struct {
		path, accept               string
		status                     int
		content, kind, compression string
	}{
		{"/", "", 200, "<!doctype html>the page", "text/html; charset=utf-8", ""},
		{"/index.html", "br", 200, "<!doctype html>the page", "text/html; charset=utf-8", ""},
		{"/viewer.wasm", "", 200, "wasm, plain", "application/wasm", ""},
		{"/viewer.wasm", "gzip, deflate, br", 200, "wasm, br", "application/wasm", "br"},
		{"/viewer.wasm", "gzip;q=1.0, br;q=0", 200, "wasm, gz", "application/wasm", "gzip"},
		{"/viewer.wasm", "identity, *;q=0", 200, "wasm, plain", "application/wasm", ""},
		{"/viewer.wasm", "gzip, br;q=0.5", 200, "wasm, gz", "application/wasm", "gzip"},
		{"/viewer.wasm", "gzip;q=0.2, br;q=0.3, identity;q=0.9", 200, "wasm, plain", "application/wasm", ""},
		{"/viewer.wasm", "gzip;q=0.2, br;q=0.3, *;q=0.1", 200, "wasm, br", "application/wasm", "br"},
		{"/viewer.wasm", "br;q=nonsense, gzip;q=7", 200, "wasm, plain", "application/wasm", ""},
		{"/viewer.wasm", "*", 200, "wasm, br", "application/wasm", "br"},
		{"/only.json", "br", 200, "json, br", "application/json", "br"},
		{"/only.json", "gzip", 404, "", "", ""},
		{"/app.js", "", 200, "js", "text/javascript; charset=utf-8", ""},
		{"/style.css", "", 200, "css", "text/css; charset=utf-8", ""},
		{"/meshes/bunny.glb", "", 200, "glb", "model/gltf-binary", ""},
		{"/meshes/odd.Thing", "", 200, "thing", "application/octet-stream", ""},
		{"/meshes/", "", 404, "", "", ""},
		{"/meshes", "", 404, "", "", ""},
		{"/dir", "br", 404, "", "", ""},
		{"/absent", "", 404, "", "", ""},
		{"/.secret", "", 404, "", "", ""},
		{"/meshes/.git/config", "", 404, "", "", ""},
		{"/../main.go", "", 404, "", "", ""},
		{"/meshes/../app.js", "", 200, "js", "text/javascript; charset=utf-8", ""},
		{"/a\x00b", "", 404, "", "", ""},
	} {
		r := get(http.MethodGet, c.path, "Accept-Encoding", c.accept)
		if r.StatusCode != c.status || r.Header.Get("Content-Encoding") != c.compression {
			t.Errorf("%s (%s): status %d, encoding %q", c.path, c.accept, r.StatusCode, r.Header.Get("Content-Encoding"))
		}
		if c.status == 200 {
			if got := body(r); got != c.content || r.Header.Get("Content-Type") != c.kind {
				t.Errorf("%s (%s): %q as %q", c.path, c.accept, got, r.Header.Get("Content-Type"))
			}
			if r.Header.Get("Vary") != "Accept-Encoding" || r.Header.Get("Cache-Control") != "no-cache" || r.ContentLength != int64(len(c.content)) {
				t.Errorf("%s (%s): headers %v", c.path, c.accept, r.Header)
			}
		}
		if csp := r.Header.Get("Content-Security-Policy"); !strings.Contains(csp, "script-src 'self' 'wasm-unsafe-eval'") || strings.Contains(csp, "unsafe-inline") {
			t.Errorf("%s: policy %q", c.path, csp)
		}
		if r.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: headers %v", c.path, r.Header)
		}
	}
}

// Where another host serves the page, all that holds is its own policy: it allows no script and no style in the document.
func TestPolicyOfThePage(t *testing.T) {
	document, err := os.ReadFile(filepath.Join("..", "..", "web", "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	policy := regexp.MustCompile(`<meta http-equiv="Content-Security-Policy" content="([^"]*)">`).FindSubmatch(document)
	if policy == nil {
		t.Fatal("the page has no policy")
	}
	for _, want := range []string{"default-src 'self'", "script-src 'self' 'wasm-unsafe-eval'", "style-src 'self'", "object-src 'none'", "base-uri 'none'", "form-action 'none'"} {
		if !slices.Contains(strings.Split(string(policy[1]), "; "), want) {
			t.Errorf("the page's policy %q is without %s", policy[1], want)
		}
	}
	if inline := regexp.MustCompile(`<script>|<style|\sstyle="|\son[a-z]+="`).Find(document); inline != nil {
		t.Errorf("the page has %q", inline)
	}
}

// A page of another host may frame the embedded page alone.
func TestFraming(t *testing.T) {
	for query, framed := range map[string]bool{"": false, "embed=1": true, "mesh=cat&embed=1": true, "embed=0": false, "embed": false} {
		r := httptest.NewRequest(http.MethodGet, "/?"+query, nil)
		w := httptest.NewRecorder()
		pageHandler(page).ServeHTTP(w, r)
		if csp := w.Result().Header.Get("Content-Security-Policy"); strings.Contains(csp, "frame-ancestors 'none'") == framed || !strings.Contains(csp, "default-src 'self'") {
			t.Errorf("%q: policy %q", query, csp)
		}
	}
}

func TestServedTags(t *testing.T) {
	plain, br := get(http.MethodGet, "/viewer.wasm"), get(http.MethodGet, "/viewer.wasm", "Accept-Encoding", "br")
	if plain.Header.Get("ETag") == "" || plain.Header.Get("ETag") == br.Header.Get("ETag") {
		t.Errorf("tags %q and %q", plain.Header.Get("ETag"), br.Header.Get("ETag"))
	}
	again := get(http.MethodGet, "/viewer.wasm", "Accept-Encoding", "br", "If-None-Match", br.Header.Get("ETag"))
	if again.StatusCode != http.StatusNotModified || body(again) != "" {
		t.Errorf("the same again: %d", again.StatusCode)
	}
	if two := get(http.MethodGet, "/viewer.wasm", "Accept-Encoding", "gzip", "Accept-Encoding", "br"); two.Header.Get("Content-Encoding") != "br" {
		t.Errorf("two header lines: encoding %q", two.Header.Get("Content-Encoding"))
	}
	part := get(http.MethodGet, "/viewer.wasm", "Range", "bytes=6-10")
	if part.StatusCode != http.StatusPartialContent || body(part) != "plain" {
		t.Errorf("a part: %d", part.StatusCode)
	}
	head := get(http.MethodHead, "/viewer.wasm")
	if head.StatusCode != http.StatusOK || body(head) != "" || head.ContentLength != 11 {
		t.Errorf("HEAD: %d, %d bytes", head.StatusCode, head.ContentLength)
	}
	if post := get(http.MethodPost, "/"); post.StatusCode != http.StatusMethodNotAllowed || post.Header.Get("Allow") != "GET, HEAD" {
		t.Errorf("POST: %d", post.StatusCode)
	}
}

// Tags come from content alone: a file built anew with the same bytes is the same.
func TestServedTagsOfContent(t *testing.T) {
	tag := func(content string, at int64) string {
		w := httptest.NewRecorder()
		pageHandler(fstest.MapFS{"a.js": {Data: []byte(content), ModTime: time.Unix(at, 0)}}).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/a.js", nil))
		return w.Result().Header.Get("ETag")
	}
	if a, b := tag("one", 1), tag("one", 2); a != b {
		t.Errorf("the same content: %q and %q", a, b)
	}
	if a, b := tag("one", 1), tag("two", 1); a == b {
		t.Errorf("other content of the same size and time: both %q", a)
	}
}

// faulty cannot open anything.
type faulty struct{ err error }

func (f faulty) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: f.err}
}

func TestServedFaults(t *testing.T) {
	for err, want := range map[error]int{
		syscall.EMFILE: 500, syscall.ENFILE: 500, syscall.EIO: 500, syscall.EACCES: 500,
		fs.ErrNotExist: 404, syscall.ENOENT: 404, syscall.ENOTDIR: 404, syscall.ELOOP: 404,
	} {
		w := httptest.NewRecorder()
		pageHandler(faulty{err}).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/a.js", nil))
		if w.Code != want {
			t.Errorf("%v: status %d, want %d", err, w.Code, want)
		}
	}
}

// A page elsewhere that has its name lead here must get nothing.
func TestServedHosts(t *testing.T) {
	handler := onlyHere(pageHandler(page))
	for host, want := range map[string]int{
		"localhost": 200, "LocalHost:8080": 200, "127.0.0.1:8080": 200, "127.0.0.2": 200, "[::1]:8080": 200, "[::1]": 200,
		"example.org": 421, "example.org:8080": 421, "localhost.example.org": 421, "10.0.0.1": 421, "": 421, "[::2]:80": 421,
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Host = host
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("host %q: status %d, want %d", host, w.Code, want)
		}
	}
}

func statusOf(t *testing.T, address string) int {
	t.Helper()
	r, err := http.Get("http://" + address)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	return r.StatusCode
}

// The real program: it says where it is, answers, and stops when interrupted.
func TestServe(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"index.html", "app.js"} {
		data, err := fs.ReadFile(page, name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	outside := filepath.Join(t.TempDir(), "outside.txt")
	if err := os.WriteFile(outside, []byte("outside"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, "link.txt")); err != nil {
		t.Fatal(err)
	}
	ctx, interrupt := context.WithCancel(context.Background())
	defer interrupt()
	said, stdout := io.Pipe()
	var stderr bytes.Buffer
	done := make(chan int, 1)
	go func() {
		done <- run(ctx, &output.Set{}, []string{"serve", "-addr", "127.0.0.1:0", "-dir", dir}, nil, stdout, &stderr)
	}()
	line, err := bufio.NewReader(said).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	_, address, _ := strings.Cut(line, "http://")
	address, _, _ = strings.Cut(address, " ")
	if !strings.HasPrefix(address, "127.0.0.1:") {
		t.Fatalf("it says %q", line)
	}
	for path, want := range map[string]int{"": 200, "app.js": 200, "link.txt": 404, "%2e%2e/outside.txt": 404, "%00": 404, strings.Repeat("a", 5000): 404} {
		r, err := http.Get("http://" + address + path)
		if err != nil {
			t.Fatal(err)
		}
		if r.StatusCode != want {
			t.Errorf("/%s: status %d, want %d", path, r.StatusCode, want)
		}
		if err := r.Body.Close(); err != nil {
			t.Fatal(err)
		}
	}
	// The folder is built anew while it is served.
	if err := os.Rename(dir, dir+".old"); err != nil {
		t.Fatal(err)
	}
	if status := statusOf(t, address); status != 404 {
		t.Errorf("without its folder: status %d", status)
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "index.html"), []byte("anew"), 0o644); err != nil {
		t.Fatal(err)
	}
	if status := statusOf(t, address); status != 200 {
		t.Errorf("the folder made anew: status %d", status)
	}
	if code, _, message := tool(t, "", "serve", "-addr", strings.TrimSuffix(address, "/"), "-dir", dir); code != 1 || !strings.Contains(message, "address already in use") {
		t.Errorf("a second one at the same address: exit %d, %q", code, message)
	}
	interrupt()
	if code := <-done; code != 0 || stderr.Len() > 0 {
		t.Errorf("exit %d, stderr %q", code, &stderr)
	}
}
