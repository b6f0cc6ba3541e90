//go:build e2e && !js

package e2e

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"
	cdptarget "github.com/chromedp/cdproto/target"
	"github.com/chromedp/cdproto/tracing"
	"github.com/chromedp/chromedp"
)

// Once it was open the page needs no server: it opens below any path, solves, and has its gallery. A new version takes over
// whole, at the second reload at the latest, and only where no other page runs the old one. What was done stays.
func TestOffline(t *testing.T) {
	quick(t)
	dir := t.TempDir()
	page := filepath.Join(dir, "below", "a path")
	if err := os.CopyFS(page, os.DirFS(filepath.Join(root, "build/web"))); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "index.html"), []byte("<!doctype html>another page"), 0o644); err != nil {
		t.Fatal(err)
	}
	where, stop, err := serve(dir, "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { stop() }()
	at, err := url.Parse(where)
	if err != nil {
		t.Fatal(err)
	}
	p := keeping(t, where+"below/a%20path/", small)
	first := p.settled().Mesh.Name
	if eval[bool](p, "!!navigator.serviceWorker.controller") {
		t.Error("the first visit is served by a service worker already")
	}
	eval[bool](p, "navigator.serviceWorker.ready.then(() => true)")
	versions := func() []string { return eval[[]string](p, "caches.keys()") }
	old := versions()
	if len(old) != 1 {
		t.Fatalf("kept versions: %q", old)
	}

	stop()
	p.forgive("ERR_CONNECTION_REFUSED") // the browser asks for a newer version
	p.renewed(func() { eval[bool](p, "location.reload(), true") })
	if s := p.settled(); s.Mesh.Name != first || s.Error != "" {
		t.Errorf("without a server: %s, then %s: %q", first, s.Mesh.Name, s.Error)
	}
	p.file(sphere(t, 8)) // which no address names
	p.wait("s.ready && s.mesh.name == 'sphere.off'")
	p.press("Swap")
	p.press("Solve")
	p.settled()
	p.press("Gallery")
	p.until("[...document.querySelectorAll('#cards img')].filter((i) => i.checkVisibility()).every((i) => i.complete && i.naturalWidth > 0)")
	p.picture("offline")
	eval[bool](p, "document.getElementById('gallery').close(), true")
	p.wait("s.session.kept")

	// A version whose files are not all there is not taken.
	version := regexp.MustCompile(`version = '[0-9a-f]{16}'`)
	program := filepath.Join(page, "service.js")
	html := filepath.Join(page, "index.html")
	before := read(t, html)
	after := bytes.Replace(before, []byte("<title "), []byte("<meta name=version content=new><title "), 1)
	changed := bytes.ReplaceAll(version.ReplaceAll(read(t, program), []byte("version = 'next'")), hash(before), hash(after))
	for _, suffix := range []string{".br", ".gz"} {
		for _, file := range []string{html, program} {
			if err := os.Remove(file + suffix); err != nil {
				t.Fatal(err)
			}
		}
	}
	write(t, program, changed)
	if _, stop, err = serve(dir, at.Host); err != nil {
		t.Fatal(err)
	}
	p.forgive("Failed to find a valid digest")
	failed := eval[bool](p, `(async () => {
		const r = await navigator.serviceWorker.getRegistration();
		const over = new Promise((done) => r.addEventListener('updatefound', () => {
			const n = r.installing;
			n.addEventListener('statechange', () => done(n.state == 'redundant'));
		}));
		await r.update();
		return over;
	})()`)
	if now := versions(); !failed || len(now) != 1 || now[0] != old[0] {
		t.Errorf("a version that lacks a file: failed %v, kept %q", failed, now)
	}

	// With all its files it is, but not while another page runs the old one.
	write(t, html, after)
	eval[bool](p, `(async () => {
		const r = await navigator.serviceWorker.getRegistration();
		await r.update();
		while (!r.waiting) await new Promise((done) => setTimeout(done, 20));
		return true;
	})()`)
	const renewed = "!!document.querySelector('meta[name=version]')"
	other, err := chromedp.CallBrowser(p.ctx, cdptarget.CreateTarget, cdptarget.CreateTargetParams{
		URL: where + "below/a%20path/style.css", Background: new(true), BrowserContextID: chromedp.FromContext(p.ctx).BrowserContextID,
	})
	if err != nil {
		t.Fatal(err)
	}
	p.renewed(func() { eval[bool](p, "location.reload(), true") })
	if s := p.settled(); eval[bool](p, renewed) || s.Mesh.Name != "sphere.off" {
		t.Errorf("beside another page: the new version: %v, with %s", eval[bool](p, renewed), s.Mesh.Name)
	}
	if _, err := chromedp.CallBrowser(p.ctx, cdptarget.CloseTarget, cdptarget.CloseTargetParams(other)); err != nil {
		t.Fatal(err)
	}
	for reloads := 0; reloads < 2 && !eval[bool](p, renewed); reloads++ { // on a busy machine the old version ends more than 3 s after the first
		p.renewed(func() { eval[bool](p, "location.reload(), true") })
		p.settled()
	}
	p.until(renewed)
	p.until("document.title == 'sphere.off · GenusSink'")
	if s := p.settled(); s.Mesh.Name != "sphere.off" || s.Error != "" || s.Densities.Undo != 1 {
		t.Errorf("the new version opens with %s, %d steps: %q", s.Mesh.Name, s.Densities.Undo, s.Error)
	}
	if said := p.text("restored-text"); said != "Restored your last session." {
		t.Errorf("the new version says %q", said)
	}
	if now := versions(); len(now) != 1 || now[0] == old[0] {
		t.Errorf("the new version keeps %q", now)
	}
	// The program that compares methods is kept once it has been asked for.
	compare := func(when string) {
		p.press("Compare methods")
		p.contenders("exact", "ambient")
		p.press("Run methods")
		if b := p.wait("!s.transport.benchmark.running && s.transport.benchmark.rows.length > 0").Transport.Benchmark; len(b.Rows) != 2 || !b.Rows[0].Cost.Known() || b.Why != "" {
			t.Errorf("%s, methods compare as %+v", when, b)
		}
		p.press("Close")
	}
	compare("with a server")
	stop()
	p.renewed(func() { eval[bool](p, "location.reload(), true") })
	if p.settled(); !eval[bool](p, renewed) {
		t.Error("without a server, the page is not the new one")
	}
	compare("without a server")
}

func hash(data []byte) []byte {
	sum := sha256.Sum256(data)
	return []byte(base64.StdEncoding.EncodeToString(sum[:]))
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func write(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// The page can be installed: the browser reads its manifest without a complaint, and its icons are there in the sizes that it says.
func TestInstallable(t *testing.T) {
	t.Parallel()
	p := open(t, "?mesh=cat", small)
	p.settled()
	told := call(p, cdppage.GetAppManifest, cdppage.GetAppManifestParams{})
	if len(told.Errors) > 0 || told.URL != address+"manifest.webmanifest" {
		t.Fatalf("manifest %q: %+v", told.URL, told.Errors)
	}
	var manifest struct {
		Name    string
		Display string
		Start   string `json:"start_url"`
		Icons   []struct{ Src, Sizes, Type, Purpose string }
	}
	if err := json.Unmarshal([]byte(told.Data), &manifest); err != nil {
		t.Fatal(err)
	}
	sizes := map[string]bool{}
	for _, icon := range manifest.Icons {
		sizes[icon.Sizes+icon.Purpose] = true
		if icon.Sizes == "any" {
			continue
		}
		found := eval[string](p, fmt.Sprintf("(async () => { const i = new Image(); i.src = %q; await i.decode(); return i.naturalWidth + 'x' + i.naturalHeight; })()", icon.Src))
		if found != icon.Sizes {
			t.Errorf("%s is of %s pixels, the manifest says %s", icon.Src, found, icon.Sizes)
		}
	}
	if manifest.Name != "GenusSink" || manifest.Display != "standalone" || manifest.Start != "./" || !sizes["192x192"] || !sizes["512x512"] || !sizes["512x512maskable"] {
		t.Errorf("%+v", manifest)
	}
}

// What the browser has optimised of the page's programs is there at the next visit.
func TestOptimisedCodeIsKept(t *testing.T) {
	profile, end, err := launch() // a browser's main profile: others keep no code
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(end)
	p := tabAt(profile, t, address+"?mesh=gear&method=exact", small, nil, noServiceWorker)
	hit := map[string]bool{} // the programs that were taken as they were kept
	collected := make(chan map[string]bool, 1)
	event := regexp.MustCompile(`"url":"[^"]*/(\w+\.wasm)"},.*"v8\.wasm\.moduleCacheHit"`)
	if err := chromedp.Listen(p.ctx, func(e any) {
		switch e := e.(type) {
		case *tracing.EventDataCollected:
			for _, v := range e.Value {
				if m := event.FindSubmatch(v); m != nil {
					hit[string(m[1])] = true
				}
			}
		case *tracing.EventTracingComplete:
			collected <- maps.Clone(hit)
		}
	}); err != nil {
		t.Fatal(err)
	}
	p.settled()
	for deadline, kept := time.Now().Add(patience), hit; len(kept) < 2; kept = <-collected { // code is kept once the browser has enough of it
		if time.Now().After(deadline) {
			t.Fatalf("programs taken as they were kept: %v, want both", kept)
		}
		time.Sleep(3 * time.Second)
		call(p, tracing.Start, tracing.StartParams{TraceConfig: &tracing.TraceConfig{IncludedCategories: []string{"disabled-by-default-devtools.timeline"}}})
		p.do(chromedp.Navigate(address + "?mesh=gear&method=exact"))
		p.settled()
		call(p, tracing.End, cdp.Empty{})
	}
}
