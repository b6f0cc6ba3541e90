//go:build e2e && !js

package e2e

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// A mesh of another host opens by its address: from a link after a question, from the field at once. Nothing is asked of that
// host before, and what it does not give is explained.
func TestElsewhere(t *testing.T) {
	t.Parallel()
	mesh := read(t, sphere(t, 8))
	var mu sync.Mutex
	var asked []string
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		asked = append(asked, r.URL.Path)
		mu.Unlock()
		if r.Header.Get("Referer") != "" || r.Header.Get("Cookie") != "" {
			t.Errorf("%s: the host is told %v", r.URL.Path, r.Header)
		}
		if !strings.HasPrefix(r.URL.Path, "/closed/") {
			w.Header().Set("Access-Control-Allow-Origin", "*")
		}
		switch r.URL.Path {
		case "/open/a sphere.off", "/closed/sphere.off":
			_, _ = w.Write(mesh)
		case "/open/page.obj":
			_, _ = w.Write([]byte("<!doctype html><title>A page</title>"))
		case "/open/said.off":
			w.Header().Set("Content-Length", strconv.Itoa(1<<30))
			_, _ = w.Write(mesh)
		case "/open/unsaid.off":
			for part := bytes.Repeat([]byte(" "), 1<<20); ; {
				if _, err := w.Write(part); err != nil {
					return
				}
			}
		case "/open/broken.off":
			w.Header().Set("Content-Length", strconv.Itoa(1<<20))
			_, _ = w.Write(mesh)
		default:
			http.NotFound(w, r)
		}
	}))
	defer other.Close()
	requests := func() []string {
		mu.Lock()
		defer mu.Unlock()
		return asked
	}
	own, err := url.Parse(other.URL)
	if err != nil {
		t.Fatal(err)
	}
	const question = "document.getElementById('elsewhere').open"

	p := open(t, "?mesh="+url.QueryEscape(other.URL+"/open/a%20sphere.off"), small)
	p.forgive("request to another origin: " + other.URL)
	p.until(question)
	if said, want := p.text("elsewhere-what"), "The link wants to load a sphere.off from "+own.Host+"."; said != want {
		t.Errorf("the page asks %q, want %q", said, want)
	}
	if at := eval[string](p, "document.activeElement.textContent"); at != "Don’t open" {
		t.Errorf("Enter would press %q", at)
	}
	p.picture("elsewhere-question")
	p.press("Don’t open")
	if s := p.settled(); s.Mesh.Name == "a sphere.off" || s.Error != "" {
		t.Errorf("not allowed, the page shows %s: %q", s.Mesh.Name, s.Error)
	}
	p.until("document.getElementById('status').textContent == 'Nothing was asked of the other host.'")
	if r := requests(); len(r) != 0 {
		t.Fatalf("not allowed, the page asked for %q", r)
	}

	p = open(t, "?mesh="+url.QueryEscape(other.URL+"/open/a%20sphere.off"), small)
	p.forgive("request to another origin: " + other.URL)
	p.press("Open")
	s := p.wait("s.ready && s.mesh.name == 'a sphere.off'")
	if p.settled(); s.Mesh.Vertices != 642 || s.Error != "" {
		t.Errorf("the page shows %+v: %q", s.Mesh, s.Error)
	}
	p.until("new URLSearchParams(location.search).get('mesh') == " + strconv.Quote(other.URL+"/open/a%20sphere.off"))

	// The field asks at once: who fills it has named the host.
	for _, c := range []struct{ path, says string }{
		{"/closed/sphere.off", "lets no other site read its files (it sends no CORS header)"},
		{"/open/none.off", own.Host + " answers 404 Not Found."},
		{"/open/page.obj", "is a web page"},
		{"/open/said.off", "that the page reads from another host"},
		{"/open/unsaid.off", "that the page reads from another host"},
		{"/open/broken.off", "broke off"},
	} {
		for _, expected := range []string{"CORS policy", "404", "ERR_"} {
			p.forgive(expected)
		}
		p.press("Gallery")
		p.set("Address of a mesh", other.URL+c.path)
		p.press("Open address")
		p.wait("s.error.includes(" + strconv.Quote(c.says) + ")")
		if eval[bool](p, question) {
			t.Errorf("%s: the page asks about a host that was named", c.path)
		}
		if c.path == "/closed/sphere.off" {
			time.Sleep(200 * time.Millisecond)
			p.picture("elsewhere-refused")
		}
		p.press("Dismiss")
		if s := p.state(); s.Mesh.Name != "a sphere.off" {
			t.Errorf("%s: the mesh that was open is gone: %s", c.path, s.Mesh.Name)
		}
	}
	p.press("Gallery")
	p.set("Address of a mesh", address+"meshes/swan.glb")
	eval[bool](p, "document.getElementById('by-address').scrollIntoView(), true")
	p.picture("elsewhere-field")
	p.press("Open address")
	p.wait("s.ready && s.mesh.name == 'swan.glb'")
}
