package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"math"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

func serveCommand() command {
	return command{
		name:    "serve",
		summary: "Serve the page.\nIt listens on this machine only, unless -addr says otherwise; an interrupt stops it.",
		example: "serve -addr 127.0.0.1:8080 -dir build/web -open",
		setup: func(fs *flag.FlagSet) func(*call) error {
			addr := fs.String("addr", "127.0.0.1:8080", "address to listen on; port 0 takes a free one")
			dir := fs.String("dir", "build/web", "folder that holds the built page")
			open := fs.Bool("open", false, "open the page in a browser")
			return func(c *call) error { return serve(c, *addr, *dir, *open) }
		},
	}
}

func serve(c *call, addr, dir string, open bool) error {
	_, port, err := net.SplitHostPort(addr)
	if _, bad := net.LookupPort("tcp", port); err != nil || bad != nil {
		return usagef("-addr %s: want an address and a port of up to 65535, such as 127.0.0.1:8080", addr)
	}
	files := folder(dir)
	if _, err := fs.Stat(files, "index.html"); err != nil {
		if _, err := os.Stat(dir); err != nil {
			return fmt.Errorf("%s: %w (`make web` builds the page)", dir, reason(err))
		}
		return fmt.Errorf("%s: has no index.html (`make web` builds the page)", dir)
	}
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return fmt.Errorf("%s: %w", addr, reason(err))
	}
	at := listener.Addr().(*net.TCPAddr)
	url := "http://" + at.String() + "/"
	handler := pageHandler(files)
	if at.IP.IsLoopback() {
		handler = onlyHere(handler)
	} else {
		fmt.Fprintf(c.stderr, "genussink: %s: this is not the loopback address: whoever reaches this machine can open the page\n", at)
	}
	fmt.Fprintf(c.stdout, "GenusSink is at %s (Ctrl-C stops it)\n", url)
	if open {
		if err := openBrowser(url); err != nil {
			fmt.Fprintf(c.stdout, "No browser could be started: %v\n", err)
		}
	}
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		WriteTimeout:      5 * time.Minute, // the largest file over a slow line
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    1 << 16,
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return fmt.Errorf("%s: %w", addr, reason(err))
	case <-c.ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.Background(), patience/2)
	defer cancel()
	if err := server.Shutdown(grace); errors.Is(err, context.DeadlineExceeded) {
		return server.Close() // whoever is still reading has had that long
	}
	return nil
}

// folder is a folder of regular files, which may be removed and made anew while
// it is served. No link in it leads out of it.
type folder string

func (dir folder) Open(name string) (fs.File, error) {
	root, err := os.OpenRoot(string(dir))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	info, err := root.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() { // to open a pipe would wait for whoever writes to it
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return root.Open(name)
}

// onlyHere refuses requests that a page of another name makes to this machine's
// own address (DNS rebinding): a browser says in Host whom it believes to ask.
func onlyHere(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := r.Host
		if name, _, err := net.SplitHostPort(host); err == nil {
			host = name
		}
		ip := net.ParseIP(strings.Trim(host, "[]"))
		if !strings.EqualFold(host, "localhost") && (ip == nil || !ip.IsLoopback()) {
			http.Error(w, "this server answers to localhost only", http.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func openBrowser(url string) error {
	switch runtime.GOOS {
	case "darwin":
		return exec.Command("open", url).Start()
	case "windows":
		return exec.Command("rundll32", "url.dll,FileProtocolHandler", url).Start()
	}
	return exec.Command("xdg-open", url).Start()
}

// contentTypes by extension, not left to the machine's tables: a browser
// compiles WebAssembly from a stream only under its own type.
var contentTypes = map[string]string{
	".html":        "text/html; charset=utf-8",
	".css":         "text/css; charset=utf-8",
	".js":          "text/javascript; charset=utf-8",
	".mjs":         "text/javascript; charset=utf-8",
	".wasm":        "application/wasm",
	".json":        "application/json",
	".svg":         "image/svg+xml",
	".webmanifest": "application/manifest+json",
	".png":         "image/png",
	".ico":         "image/x-icon",
	".txt":         "text/plain; charset=utf-8",
	".md":          "text/plain; charset=utf-8",
	".glb":         "model/gltf-binary",
	".gltf":        "model/gltf+json",
	".obj":         "model/obj",
	".stl":         "model/stl",
}

// policy lets the page run its own scripts, compile WebAssembly, read files of other hosts when a person says so, and nothing
// else. Pictures of the canvas are blobs.
const policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; " +
	"img-src 'self' blob: data:; media-src 'self' blob:; connect-src 'self' https: http://127.0.0.1:* http://localhost:*; object-src 'none'; base-uri 'none'; form-action 'none'"

// framed is the policy for a request. A page of another host may hold the page that is made for it, embed=1, in a frame, and no other.
func framed(r *http.Request) string {
	if r.URL.Query().Get("embed") == "1" {
		return policy
	}
	return policy + "; frame-ancestors 'none'"
}

// encodings that a file may lie beside itself in, the smaller first; last the
// file as it is.
var encodings = []struct{ name, suffix string }{{"br", ".br"}, {"gzip", ".gz"}, {"identity", ""}}

// pageHandler serves a folder of static files.
func pageHandler(files fs.FS) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", framed(r))
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			h.Set("Allow", "GET, HEAD")
			http.Error(w, "only GET and HEAD", http.StatusMethodNotAllowed)
			return
		}
		name := strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/")
		if strings.HasSuffix(r.URL.Path, "/") {
			name = path.Join(name, "index.html")
		}
		if !fs.ValidPath(name) || strings.Contains("/"+name, "/.") {
			http.NotFound(w, r)
			return
		}
		h.Set("Vary", "Accept-Encoding")
		choices := slices.Clone(encodings)
		accepted := strings.Join(r.Header.Values("Accept-Encoding"), ",")
		slices.SortStableFunc(choices, func(a, b struct{ name, suffix string }) int {
			return cmp.Compare(weight(accepted, b.name), weight(accepted, a.name))
		})
		for _, e := range choices {
			if e.name != "identity" && weight(accepted, e.name) == 0 {
				continue // the file as it is stays the last resort: it is better than nothing
			}
			err := serveFile(w, r, files, name, e.name, e.suffix)
			if err == nil {
				return
			}
			if !missing(err) {
				http.Error(w, "the file cannot be read now", http.StatusInternalServerError)
				return
			}
		}
		http.NotFound(w, r)
	})
}

// missing says of an error of opening a file that there is none to be served:
// neither a missing file, nor a name that no file can have, nor a link that leads out of the folder is a fault of the server.
func missing(err error) bool {
	var errno syscall.Errno
	return !errors.As(err, &errno) || slices.Contains([]syscall.Errno{syscall.ENOENT, syscall.ENOTDIR, syscall.ELOOP, syscall.ENAMETOOLONG, syscall.EINVAL}, errno)
}

// serveFile sends name from the file name+suffix, unless that cannot be read.
// Folders are not listed.
func serveFile(w http.ResponseWriter, r *http.Request, files fs.FS, name, encoding, suffix string) error {
	f, err := files.Open(name + suffix)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	content, seeks := f.(io.ReadSeeker)
	if !seeks || !info.Mode().IsRegular() {
		return fs.ErrNotExist
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, content); err != nil {
		return err
	}
	if _, err := content.Seek(0, io.SeekStart); err != nil {
		return err
	}
	h := w.Header()
	kind := contentTypes[strings.ToLower(path.Ext(name))]
	if kind == "" {
		kind = "application/octet-stream"
	}
	h.Set("Content-Type", kind)
	h.Set("Cache-Control", "no-cache") // ask every time; the tag makes the answer short
	h.Set("ETag", fmt.Sprintf(`"%x%s"`, sum.Sum(nil)[:16], suffix))
	if encoding != "identity" {
		h.Set("Content-Encoding", encoding)
		h.Set("Content-Length", strconv.FormatInt(info.Size(), 10))
	}
	http.ServeContent(w, r, name, time.Time{}, content) // the tag tells versions apart, times do not
	return nil
}

// weight is how much an Accept-Encoding header wants a coding, 0 to 1. One that
// it does not name has the weight of *, or else 0; the file as it is has the least
// above 0 then, so that whatever is named comes first.
func weight(header, coding string) float64 {
	rest := 0.0
	if coding == "identity" {
		rest = math.SmallestNonzeroFloat64
	}
	for item := range strings.SplitSeq(header, ",") {
		name, parameters, _ := strings.Cut(item, ";")
		name = strings.TrimSpace(name)
		q := 1.0
		if key, value, ok := strings.Cut(parameters, "="); ok && strings.EqualFold(strings.TrimSpace(key), "q") {
			var err error
			if q, err = strconv.ParseFloat(strings.TrimSpace(value), 64); err != nil || !(q >= 0 && q <= 1) {
				q = 0
			}
		}
		if strings.EqualFold(name, coding) {
			return q
		}
		if name == "*" {
			rest = q
		}
	}
	return rest
}

// reason is an error of the system without the call and the path that Go puts
// before it.
func reason(err error) error {
	var pathError *fs.PathError
	var opError *net.OpError
	var sysError *os.SyscallError
	if errors.As(err, &sysError) {
		return sysError.Err
	}
	if errors.As(err, &pathError) {
		return pathError.Err
	}
	if errors.As(err, &opError) {
		return opError.Err
	}
	return err
}
