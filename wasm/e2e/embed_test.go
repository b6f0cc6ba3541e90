//go:build e2e && !js

package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// A page of another host holds the mesh in a frame, by the code that this page gives: the canvas and the bar alone. The wheel
// and one finger scroll that page; a drag of the mouse and two fingers turn the mesh.
func TestEmbed(t *testing.T) {
	t.Parallel()
	p := open(t, "?mesh=cat", small, onNewDocument("navigator.clipboard.writeText = (text) => (globalThis.copied = text, Promise.resolve())"))
	p.settled()
	p.press("Swap")
	p.settled()
	p.unfold("Session")
	p.press("Copy embed code")
	p.until("document.getElementById('status').textContent == 'Embed code copied, painting included.'")
	code := eval[string](p, "copied")
	if !strings.HasPrefix(code, `<iframe src="`+address+"?embed=1&amp;") || !strings.Contains(code, "mesh=cat&amp;") || !strings.Contains(code, "&amp;paint=") {
		t.Fatalf("the code is %s", code)
	}
	p.file(sphere(t, 4))
	p.wait("s.mesh.name == 'sphere.off' && s.ready && s.mesh.examined")
	p.settled()
	p.press("Copy embed code")
	p.until("document.getElementById('status').textContent == 'The mesh is a file of your own, which no address carries.'")

	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			w.WriteHeader(http.StatusNoContent) // the browser asks for an icon
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<!doctype html><title>A page</title><body style='margin:0 auto;width:640px'><p style='height:60px'>An article.<p>%s<p style='height:2000px'>And more.", code)
	}))
	defer host.Close()
	const frameTop, frameHeight = 60 + 4*16, 480
	p = openAt(t, host.URL, size{960, 700, 1, false, false})
	p.forgive("request to another origin: " + address)
	tree := call(p, page.GetFrameTree, cdp.Empty{})
	for end := time.Now().Add(patience); len(tree.FrameTree.ChildFrames) == 0 || !strings.HasPrefix(tree.FrameTree.ChildFrames[0].Frame.URL, address); tree = call(p, page.GetFrameTree, cdp.Empty{}) {
		if time.Now().After(end) {
			t.Fatal("no frame")
		}
		time.Sleep(20 * time.Millisecond)
	}
	frame := tree.FrameTree.ChildFrames[0].Frame.ID
	world := call(p, page.CreateIsolatedWorld, page.CreateIsolatedWorldParams{FrameID: frame}).ExecutionContextID
	inside := func(script string) (text string) {
		t.Helper()
		r := call(p, runtime.Evaluate, runtime.EvaluateParams{Expression: "String(" + script + ")", ContextID: world, AwaitPromise: new(true), ReturnByValue: new(true)})
		if r.ExceptionDetails != nil {
			t.Fatalf("%s: %+v", script, r.ExceptionDetails.Exception)
		}
		if err := json.Unmarshal([]byte(r.Result.Value), &text); err != nil {
			t.Fatal(err)
		}
		return text
	}
	until := func(script string) {
		t.Helper()
		for end := time.Now().Add(patience); inside(script) != "true"; time.Sleep(20 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("never %s", script)
			}
		}
	}
	link := "document.getElementById('whole').href"
	until("document.getElementById('play')?.textContent == 'Pause' && " + link + ".includes('&cam=')")
	p.picture("embed")
	seen := strings.Split(inside("[...document.querySelectorAll('body > :not(main), main > *')].filter((e) => e.checkVisibility()).map((e) => e.id || e.tagName)"), ",")
	slices.Sort(seen)
	if got := strings.Join(seen, " "); got != "CANVAS bar labels notices" { // the last two are empty
		t.Errorf("the frame shows %s", got)
	}
	// The camera that the link to the whole page has, once it is at rest.
	camera := func() []string {
		t.Helper()
		for before := ""; ; {
			u, err := url.Parse(inside(link))
			if err != nil {
				t.Fatal(err)
			}
			now := u.Query().Get("cam")
			if now == before {
				if u.Query().Get("mesh") != "cat" || u.Query().Has("embed") {
					t.Errorf("the link to the whole page is %s", u)
				}
				return strings.Split(now, ",")
			}
			before = now
			time.Sleep(1200 * time.Millisecond)
			eval[bool](p, "(async () => { for (let i = 0; i < 60; i++) await new Promise(requestAnimationFrame); return true; })()") // longer than it eases and the address lags behind
		}
	}
	scrolled := func() float64 { return eval[float64](p, "scrollY") }
	first := camera()
	middle := spot{480, frameTop + frameHeight/2}

	call(p, input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: "mouseWheel", X: middle.X, Y: middle.Y, DeltaX: 1e-9, DeltaY: 60})
	p.until("scrollY == 60")
	middle.Y -= 60
	if c := camera(); !slices.Equal(c, first) {
		t.Errorf("the wheel moved the camera from %v to %v", first, c)
	}
	for i, kind := range []input.DispatchMouseEventType{chromedp.MousePressed, chromedp.MouseMoved, chromedp.MouseMoved, chromedp.MouseReleased} {
		p.mouse(kind, spot{middle.X + 40*float64(i), middle.Y}, min(1, int64(3-i)))
		time.Sleep(100 * time.Millisecond)
	}
	turned := camera()
	if turned[1] == first[1] || turned[3] != first[3] || scrolled() != 60 {
		t.Errorf("a drag moved the camera from %v to %v, and the page to %g", first, turned, scrolled())
	}

	touch := func(kind input.DispatchTouchEventType, fingers ...spot) {
		p.touch(kind, fingers...)
		time.Sleep(50 * time.Millisecond)
	}
	touch(input.DispatchTouchEventTypeTouchStart, spot{middle.X, middle.Y + 50})
	for y := 30.0; y >= -50; y -= 20 {
		touch(input.DispatchTouchEventTypeTouchMove, spot{middle.X, middle.Y + y})
	}
	touch(input.DispatchTouchEventTypeTouchEnd)
	p.until("scrollY > 100")
	if c := camera(); !slices.Equal(c, turned) {
		t.Errorf("one finger moved the camera from %v to %v", turned, c)
	}
	was := scrolled()
	middle.Y -= was - 60
	touch(input.DispatchTouchEventTypeTouchStart, spot{middle.X - 40, middle.Y})
	touch(input.DispatchTouchEventTypeTouchStart, spot{middle.X - 40, middle.Y}, spot{middle.X + 40, middle.Y})
	for x := 20.0; x <= 100; x += 20 {
		touch(input.DispatchTouchEventTypeTouchMove, spot{middle.X - 40 + x, middle.Y}, spot{middle.X + 40 + x, middle.Y})
	}
	touch(input.DispatchTouchEventTypeTouchEnd)
	if c := camera(); c[1] == turned[1] || !slices.Equal(c[4:], turned[4:]) || scrolled() != was {
		t.Errorf("two fingers moved the camera from %v to %v, and the page from %g to %g", turned, c, was, scrolled())
	}
	p.picture("embed-turned")
}
