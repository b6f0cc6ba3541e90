//go:build e2e && !js

package e2e

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"genussink/viewer/scene"
)

// gallery is a mesh as the page is served it.
func gallery(name string) string { return filepath.Join(root, "build/web/meshes", name) }

// sphere makes a sphere of 10 f² + 2 vertices and returns its file.
func sphere(t *testing.T, f int) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "sphere.off")
	tool(t, "generate", "sphere", "-frequency", strconv.Itoa(f), "-out", name)
	return name
}

// A file opens, and the page counts what the native tool counts.
func TestOpenFile(t *testing.T) {
	t.Parallel()
	p := open(t, "", small)
	p.settled()
	p.file(gallery("octopus.glb"))
	s := p.wait("s.mesh.examined && s.mesh.name == 'octopus.glb'")
	info := toolSays[struct {
		Vertices, Faces, Edges, Components, Genus int
		Diagonal                                  float64
	}](t, "info", gallery("octopus.glb"))
	m := s.Mesh
	if m.Vertices != info.Vertices || m.Faces != info.Faces || m.Edges != info.Edges || m.Components != info.Components ||
		m.Genus != info.Genus || m.Diagonal != info.Diagonal {
		t.Errorf("the page counts %+v, the tool %+v", m, info)
	}
	p.until(fmt.Sprintf("document.getElementById('mesh-v').textContent.replace(/\\D/g, '') == '%d'", info.Vertices))
}

// A file that is no mesh gives one clear sentence; the old mesh stays.
func TestBrokenFile(t *testing.T) {
	t.Parallel()
	p := open(t, "?mesh=cat", small)
	before := p.settled()
	name := filepath.Join(t.TempDir(), "broken.obj")
	if err := os.WriteFile(name, []byte("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	p.file(name)
	s := p.wait("s.phase == 'error'")
	p.until("document.querySelector('[role=alert]').textContent != ''")
	alert := p.alert()
	t.Logf("alert: %s", alert)
	if !strings.Contains(alert, "broken.obj") || !strings.Contains(alert, "9") {
		t.Errorf("the alert says %q: which file, and what is wrong with it?", alert)
	}
	p.picture("alert")
	if s.Mesh.Name != before.Mesh.Name || s.Mesh.Vertices != before.Mesh.Vertices {
		t.Errorf("a broken file replaced %s by %s", before.Mesh.Name, s.Mesh.Name)
	}
	p.press("Dismiss")
	p.wait("s.error == ''")
	p.until("document.querySelector('[role=alert]').textContent == ''")
	// Two meshes are not one, and a dialog does not cover what is said of them.
	p.press("About")
	p.until("document.getElementById('about').open")
	p.file(sphere(t, 4), name)
	if s := p.wait("s.phase == 'error'"); !strings.Contains(s.Error, "sphere.off and broken.obj together") || s.Mesh.Name != before.Mesh.Name {
		t.Errorf("of two meshes the page says %q, and shows %s", s.Error, s.Mesh.Name)
	}
	p.until("document.querySelectorAll('dialog[open]').length == 0")
	p.press("Dismiss")
	// A name is text, whatever it looks like.
	odd := filepath.Join(t.TempDir(), "<img src=x onerror=alert(1)>.off")
	if err := os.WriteFile(odd, []byte("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	p.file(odd)
	p.wait("s.mesh.vertices == 3")
	p.until(fmt.Sprintf("document.getElementById('mesh-name').textContent === %q", filepath.Base(odd)))
	if n := eval[int](p, "document.querySelectorAll('#panel img').length"); n > 0 {
		t.Error("a file's name became HTML")
	}
}

func TestDrop(t *testing.T) {
	t.Parallel()
	p := open(t, "?mesh=cat", small)
	p.settled()
	data := &input.DragData{Items: []*input.DragDataItem{}, Files: []string{gallery("swan.glb")}, DragOperationsMask: 1}
	for _, kind := range []input.DispatchDragEventType{"dragEnter", "dragOver", "drop"} {
		call(p, input.DispatchDragEvent, input.DispatchDragEventParams{Type: kind, X: 300, Y: 200, Data: data})
		if kind == "dragOver" {
			p.frames(1)
			if eval[bool](p, "document.getElementById('drop').hidden") {
				t.Error("nothing says that a file may be dropped")
			}
		}
	}
	p.wait("s.ready && s.mesh.name == 'swan.glb'")
	if !eval[bool](p, "document.getElementById('drop').hidden") {
		t.Error("the page still waits for a drop")
	}
}

func TestGallery(t *testing.T) {
	t.Parallel()
	p := open(t, "?mesh=cat", wide)
	p.settled()
	p.press("Gallery")
	p.frames(2)
	p.picture("gallery")
	p.set("Generator", "torus")
	p.set("Minor", "0.3")
	p.press("Generate")
	s := p.wait("s.ready && s.mesh.genus == 1")
	if s.Mesh.Vertices != 72*30 {
		t.Errorf("the torus has %d vertices, want %d", s.Mesh.Vertices, 72*30)
	}
}

// The address chooses the mesh and the view, and the page writes it.
func TestAddress(t *testing.T) {
	t.Parallel()
	p := open(t, "?mesh=swan&level=2&eps=0.05", small)
	s := p.settled()
	if s.Mesh.Name != "swan.glb" || s.Separation.Level != 2 || s.Transport.Epsilon != 0.05 {
		t.Errorf("the address asked for swan, level 2, epsilon 0.05; shown are %s, %d, %g", s.Mesh.Name, s.Separation.Level, s.Transport.Epsilon)
	}
	p.set("Separator level", "1")
	p.wait("s.separation.level == 1 && new URLSearchParams(location.search).get('level') == '1'")

	p = open(t, "?mesh=swan&task=separators", small) // as a person types it
	if s := p.settled(); s.Task != scene.TaskSeparators || !s.View.Split || s.View.Densities || s.View.Flow {
		t.Errorf("the address asked for separators; shown are %s, %+v", s.Task, s.View)
	}

	p = open(t, "?mesh=http://example.com/mesh.obj", small)
	p.wait("s.phase == 'error'")
	p.until("document.querySelector('[role=alert]').textContent != ''")
	if alert := p.alert(); !strings.Contains(alert, "read by https only") {
		t.Errorf("a mesh of another origin, by http: %q", alert)
	}

	// A value that makes no sense is told of, and the rest of the address counts.
	p = open(t, "?mesh=swan&eps=7&at=5&level=9999999999999999999&cam=py,0,0,1e30,0,0,0&balance=0.25", small)
	if s := p.settled(); s.Mesh.Name != "swan.glb" || s.Separation.Balance != 0.25 || len(s.Mesh.Warnings) != 4 || s.Error != "" || s.Transport.Result == nil {
		t.Errorf("of an address with values that make no sense: %s, balance %g, warnings %q, error %q", s.Mesh.Name, s.Separation.Balance, s.Mesh.Warnings, s.Error)
	}
	// What cannot be made at all: the cat is there, and why.
	p = open(t, "?make=bogus", small)
	if s := p.wait("s.ready && s.mesh.name == 'cat.glb' && s.error"); !strings.Contains(s.Error, `no kind "bogus"`) {
		t.Errorf("of a generator that there is not: %q", s.Error)
	}

	p = open(t, "?make=torus&p.segments=40&p.sides=20", small)
	if s := p.settled(); s.Mesh.Vertices != 800 || s.Mesh.Genus != 1 {
		t.Errorf("a torus of 40 by 20 has %d vertices and genus %d", s.Mesh.Vertices, s.Mesh.Genus)
	}
}

// What the page cannot do without is named in a sentence.
func TestMissing(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ script, want string }{
		"WebAssembly": {"delete globalThis.WebAssembly", "has no WebAssembly"},
		"WebGL":       {"HTMLCanvasElement.prototype.getContext = () => null", "no WebGL 2"},
		"WebGL 2":     {"delete globalThis.WebGL2RenderingContext; HTMLCanvasElement.prototype.getContext = () => null", "no WebGL 2"},
	} {
		t.Run(name, func(t *testing.T) {
			p := open(t, "", small, func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
				_, err := cdp.Call(ctx, target, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: c.script})
				return chromedp.Void{}, err
			})
			p.until("document.querySelector('.missing')")
			if got := p.text("loading-text"); !strings.Contains(got, c.want) {
				t.Errorf("without %s the page says %q", name, got)
			}
			if got := p.text("status"); !strings.Contains(got, c.want) {
				t.Errorf("without %s the status is %q", name, got)
			}
		})
	}
}

// Any static host will do, under any path, without types, headers or
// compression of its own.
func TestStaticHost(t *testing.T) {
	t.Parallel()
	files := http.StripPrefix("/some/where/", http.FileServer(http.Dir(filepath.Join(root, "build/web"))))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, ".wasm") {
			w.Header().Set("Content-Type", "application/octet-stream")
		}
		files.ServeHTTP(w, r)
	}))
	defer server.Close()
	p := openAt(t, server.URL+"/some/where/", small)
	p.settled()
}
