package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path"
	"runtime"
	"strconv"
	"strings"
	"time"
)

func serveCommand() command {
	return command{
		name:    "serve",
		summary: "Serve the page. It listens on this machine only, unless -addr says otherwise; an interrupt stops it.",
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
	root, err := os.OpenRoot(dir) // no link in the folder leads out of it
	if err != nil {
		return fmt.Errorf("%s: %w (`make web` builds the page)", dir, reason(err))
	}
	defer root.Close()
	if _, err := root.Stat("index.html"); err != nil {
		return fmt.Errorf("%s: has no index.html (`make web` builds the page)", dir)
	}
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return fmt.Errorf("%s: %w", addr, reason(err))
	}
	url := "http://" + listener.Addr().String() + "/"
	fmt.Fprintf(c.stdout, "GenusSink is at %s (Ctrl-C stops it)\n", url)
	if open {
		if err := openBrowser(url); err != nil {
			fmt.Fprintf(c.stdout, "No browser could be started: %v\n", err)
		}
	}
	server := &http.Server{
		Handler:           pageHandler(root.FS()),
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
	grace, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	if err := server.Shutdown(grace); errors.Is(err, context.DeadlineExceeded) {
		return server.Close() // whoever is still reading had three seconds
	}
	return nil
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
	".html": "text/html; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".mjs":  "text/javascript; charset=utf-8",
	".wasm": "application/wasm",
	".json": "application/json",
	".svg":  "image/svg+xml",
	".png":  "image/png",
	".ico":  "image/x-icon",
	".txt":  "text/plain; charset=utf-8",
	".md":   "text/plain; charset=utf-8",
	".glb":  "model/gltf-binary",
	".gltf": "model/gltf+json",
	".obj":  "model/obj",
	".stl":  "model/stl",
}

// policy lets the page run its own scripts, compile WebAssembly, and nothing
// else. Pictures of the canvas are blobs.
const policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; " +
	"img-src 'self' blob: data:; media-src 'self' blob:; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// encodings that a file may lie beside itself in, the smaller first.
var encodings = []struct{ name, suffix string }{{"br", ".br"}, {"gzip", ".gz"}}

// pageHandler serves a folder of static files.
func pageHandler(files fs.FS) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
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
		for _, e := range encodings {
			if accepts(r.Header.Get("Accept-Encoding"), e.name) && serveFile(w, r, files, name, e.name, e.suffix) {
				return
			}
		}
		if !serveFile(w, r, files, name, "", "") {
			http.NotFound(w, r)
		}
	})
}

// serveFile sends name from the file name+suffix, and reports whether there is
// one. Folders are not listed.
func serveFile(w http.ResponseWriter, r *http.Request, files fs.FS, name, encoding, suffix string) bool {
	f, err := files.Open(name + suffix)
	if err != nil {
		return false
	}
	defer f.Close()
	info, err := f.Stat()
	content, seeks := f.(io.ReadSeeker)
	if err != nil || !seeks || !info.Mode().IsRegular() {
		return false
	}
	h := w.Header()
	kind := contentTypes[strings.ToLower(path.Ext(name))]
	if kind == "" {
		kind = "application/octet-stream"
	}
	h.Set("Content-Type", kind)
	h.Set("Cache-Control", "no-cache") // ask every time; the tag makes the answer short
	h.Set("ETag", fmt.Sprintf(`"%x-%x%s"`, info.ModTime().UnixNano(), info.Size(), suffix))
	if encoding != "" {
		h.Set("Content-Encoding", encoding)
		h.Set("Content-Length", strconv.FormatInt(info.Size(), 10))
	}
	http.ServeContent(w, r, name, info.ModTime(), content)
	return true
}

// accepts reports whether an Accept-Encoding header admits a coding.
func accepts(header, coding string) bool {
	any := false
	for _, item := range strings.Split(header, ",") {
		name, parameters, _ := strings.Cut(item, ";")
		name = strings.TrimSpace(name)
		q := 1.0
		if _, value, ok := strings.Cut(parameters, "="); ok {
			var err error
			if q, err = strconv.ParseFloat(strings.TrimSpace(value), 64); err != nil {
				q = 0
			}
		}
		if strings.EqualFold(name, coding) {
			return q > 0
		}
		any = any || name == "*" && q > 0
	}
	return any
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
