//go:build e2e && !js

package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"genussink/viewer/lesson"
	"genussink/viewer/scene"
)

var (
	root    string // of the repository
	address string // of the page, with a slash at its end
	browser context.Context
	// optimising is a second browser, for tests of speed. It starts when the first of them asks for it.
	optimising    context.Context
	endOptimising = func() {}
)

// patience is when a state that does not come is given up: a test fails then.
const patience = 120 * time.Second

func TestMain(m *testing.M) {
	os.Exit(func() int {
		var err error
		if root, err = filepath.Abs("../.."); err != nil {
			panic(err)
		}
		for _, f := range []string{"build/web/viewer.wasm", "build/genussink"} {
			if _, err := os.Stat(filepath.Join(root, f)); err != nil {
				fmt.Println("e2e:", f, "is missing: run `make e2e`")
				return 1
			}
		}
		var stop func()
		address, stop, err = serve(filepath.Join(root, "build/web"), "127.0.0.1:0")
		if err != nil {
			fmt.Println("e2e:", err)
			return 1
		}
		defer stop()
		var end func()
		// Chromium spends half of a short visit on optimising code. Here it optimises only what runs longest: the loops of solves, and code that many pages share.
		// It has a page in every window for suggestions below the address bar, which takes two seconds of a processor: here it has none. Pages of a profile share
		// a process.
		if browser, end, err = launch(chromedp.Flag("js-flags", "--wasm-tiering-budget=100000000"),
			chromedp.Flag("disable-features", "WebUIOmniboxPopup,WebUIOmniboxFullPopup,WebUIOmniboxAimPopup"), chromedp.Flag("process-per-site", true)); err != nil {
			fmt.Println("e2e: Chromium does not start:", err)
			return 1
		}
		defer end()
		defer func() { endOptimising() }()
		if err := os.MkdirAll(filepath.Join(root, "build/e2e"), 0o755); err != nil {
			fmt.Println("e2e:", err)
			return 1
		}
		return m.Run()
	}())
}

// quick opens the test's pages in a browser as people have it: it optimises code. Tests of speed need that.
func quick(t *testing.T) {
	t.Helper()
	if optimising == nil {
		var err error
		if optimising, endOptimising, err = launch(); err != nil {
			t.Fatalf("Chromium does not start: %v", err)
		}
	}
	usual := browser
	browser = optimising
	t.Cleanup(func() { browser = usual })
}

// launch starts a browser.
func launch(more ...chromedp.ExecAllocatorOption) (ctx context.Context, end func(), err error) {
	allocator, cancel := chromedp.NewExecAllocator(context.Background(), append(more,
		chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck, chromedp.Headless, chromedp.NoSandbox,
		chromedp.Flag("use-gl", "angle"), chromedp.Flag("use-angle", "swiftshader"),
		chromedp.Flag("enable-unsafe-swiftshader", true), chromedp.Flag("disable-gpu-rasterization", true), chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true), chromedp.Flag("hide-scrollbars", false),
		// Several pages are open at once and none of them is in front.
		chromedp.Flag("disable-renderer-backgrounding", true), chromedp.Flag("disable-backgrounding-occluded-windows", true),
		chromedp.WSURLReadTimeout(patience),
	)...)
	ctx, leave := chromedp.NewContext(allocator)
	end = func() {
		leave()
		cancel()
	}
	if err = chromedp.Do(ctx); err != nil {
		end()
	}
	return ctx, end, err
}

// serve starts the real server on a folder, and says where it listens.
func serve(dir, addr string) (address string, stop func(), err error) {
	cmd := exec.Command(filepath.Join(root, "build/genussink"), "serve", "-addr", addr, "-dir", dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := cmd.Start(); err != nil {
		return "", nil, err
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		for _, word := range strings.Fields(lines.Text()) {
			if strings.HasPrefix(word, "http://") {
				go func() {
					for lines.Scan() { // the server must not stand still for a full pipe
					}
				}()
				return word, func() {
					_ = cmd.Process.Signal(os.Interrupt)
					_ = cmd.Wait()
				}, nil
			}
		}
	}
	return "", nil, fmt.Errorf("the server names no address")
}

// tool runs the native tool and returns what it prints.
func tool(t *testing.T, args ...string) []byte {
	t.Helper()
	cmd := exec.Command(filepath.Join(root, "build/genussink"), args...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("genussink %s: %v\n%s", strings.Join(args, " "), err, &stderr)
	}
	return out
}

// toolSays is the object that a command of the tool answers with -json.
func toolSays[T any](t *testing.T, args ...string) (o T) {
	t.Helper()
	if err := json.Unmarshal(tool(t, append(args, "-json")...), &o); err != nil {
		t.Fatal(err)
	}
	return o
}

// tab is one open page and what went wrong on it.
type tab struct {
	t       *testing.T
	ctx     context.Context
	profile context.Context // whose tab it is

	close    func() // as a person closes a tab
	mu       sync.Mutex
	troubles []string
	forgiven []string // parts of messages that a test expects
}

// size is a window's size in CSS pixels.
type size struct {
	width, height int64
	scale         float64
	mobile        bool
	still         bool // reduced motion is asked for
}

var (
	// Software GL is bound by pixels and by pictures: behaviour is tested with few of them. A page that plays takes one of two
	// processors as long as it is open.
	small  = size{960, 560, 0.5, false, true}
	moving = size{960, 560, 0.5, false, false}
	wide   = size{1440, 900, 0.5, false, true}
	fine   = size{1440, 900, 1, false, true} // for what is read from pixels
	middle = size{1024, 768, 0.5, false, true}
	phone  = size{390, 844, 1, true, true}
)

// open opens an address below the page's in a new tab, of a profile that other tests have used before. What the page says on
// the console as an error or a warning, requests to another origin and
// violated policies fail the test at its end.
func open(t *testing.T, query string, s size, prepare ...chromedp.Action[chromedp.Void]) *tab {
	t.Helper()
	if browser == optimising { // compiling is a part of what a visit takes
		return openAt(t, address+exact(query), s, prepare...)
	}
	own := takeProfile(t)
	p := tabAt(own.ctx, t, address+exact(query), s, nil, append(prepare, noServiceWorker)...)
	end := p.close
	p.close = sync.OnceFunc(func() {
		end()
		own.giveBack()
	})
	return p
}

// profile is a profile of the browser. A page in it holds the compiled programs. Pages beside that one share its process and need not compile them again.
type profile struct {
	ctx context.Context
	end func()
}

// spare are the profiles that no test uses.
var spare struct {
	sync.Mutex
	profiles []profile
}

// takeProfile takes a spare profile and empties it, or makes a new one.
func takeProfile(t *testing.T) profile {
	t.Helper()
	var own profile
	spare.Lock()
	if last := len(spare.profiles) - 1; last >= 0 {
		own, spare.profiles = spare.profiles[last], spare.profiles[:last]
	}
	spare.Unlock()
	if own.ctx == nil {
		own = newProfile(t)
	}
	if _, err := chromedp.Call(own.ctx, storage.ClearDataForOrigin, storage.ClearDataForOriginParams{Origin: strings.TrimSuffix(address, "/"), StorageTypes: "all"}); err != nil {
		t.Fatal(err)
	}
	return own
}

func newProfile(t *testing.T) profile {
	t.Helper()
	ctx, end := chromedp.NewContext(browser, chromedp.WithNewBrowserContext())
	err := chromedp.Do(ctx, chromedp.Navigate(address+"manifest.webmanifest"))
	if err == nil {
		_, err = chromedp.Run(ctx, chromedp.Evaluate[bool](`(async () => {
			globalThis.programs = await Promise.all(['viewer.wasm', 'worker.wasm'].map((name) => WebAssembly.compileStreaming(fetch(name))));
			return true;
		})()`, chromedp.EvalAwaitPromise))
	}
	if err != nil {
		end()
		t.Fatal(err)
	}
	return profile{ctx, end}
}

// giveBack makes a profile spare, unless its page has ended.
func (o profile) giveBack() {
	ctx, cancel := context.WithTimeout(o.ctx, 10*time.Second)
	defer cancel()
	if alive, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("programs.length == 2")); err != nil || !alive {
		o.end()
		return
	}
	spare.Lock()
	defer spare.Unlock()
	spare.profiles = append(spare.profiles, o)
}

// exact is a query that asks for exact where it names a mesh and no method.
func exact(query string) string {
	query, lesson, _ := strings.Cut(query, "#")
	if (strings.Contains(query, "mesh=") || strings.Contains(query, "make=")) && !strings.Contains(query, "method=") {
		query += "&method=exact"
	}
	if lesson != "" {
		query += "#" + lesson
	}
	return query
}

// openAt opens an address in a new profile, which nothing is left of.
// The page keeps nothing for use without a network, which would cost a processor that others measure.
func openAt(t *testing.T, where string, s size, prepare ...chromedp.Action[chromedp.Void]) *tab {
	t.Helper()
	return keeping(t, where, s, append(prepare, noServiceWorker)...)
}

// noServiceWorker is a browser without service workers.
var noServiceWorker = onNewDocument("delete Navigator.prototype.serviceWorker")

// keeping is openAt where the page may be kept for use without a network.
func keeping(t *testing.T, where string, s size, prepare ...chromedp.Action[chromedp.Void]) *tab {
	t.Helper()
	return tabAt(browser, t, where, s, []chromedp.ContextOption{chromedp.WithNewBrowserContext()}, prepare...)
}

// kept opens an address below the page's in a new profile. The profile lasts as long as the test. Function again opens more tabs of it.
func kept(t *testing.T, query string, s size, prepare ...chromedp.Action[chromedp.Void]) *tab {
	t.Helper()
	profile, end := chromedp.NewContext(browser, chromedp.WithNewBrowserContext())
	t.Cleanup(end)
	if err := chromedp.Do(profile); err != nil {
		t.Fatal(err)
	}
	return tabAt(profile, t, address+exact(query), s, nil, append(prepare, noServiceWorker)...)
}

// again opens an address in the profile of a kept tab, with what pages before have left there.
func again(p *tab, query string, s size, prepare ...chromedp.Action[chromedp.Void]) *tab {
	p.t.Helper()
	return tabAt(p.profile, p.t, address+query, s, nil, append(prepare, noServiceWorker)...)
}

// tabAt opens an address in a new tab of a profile.
func tabAt(profile context.Context, t *testing.T, where string, s size, options []chromedp.ContextOption, prepare ...chromedp.Action[chromedp.Void]) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(profile, options...)
	p := &tab{t: t, ctx: ctx, close: cancel, profile: profile}
	own, err := url.Parse(where)
	if err != nil {
		t.Fatal(err)
	}
	err = chromedp.Listen(ctx, func(event any) {
		switch e := event.(type) {
		case *runtime.EventExceptionThrown:
			p.trouble(fmt.Sprintf("exception: %s %+v", e.ExceptionDetails.Text, e.ExceptionDetails.Exception))
		case *runtime.EventConsoleAPICalled:
			if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeWarning || e.Type == runtime.ConsoleAPICalledTypeAssert {
				var words []string
				for _, a := range e.Args {
					words = append(words, string(a.Value))
				}
				p.trouble("console: " + strings.Join(words, " "))
			}
		case *cdplog.EventEntryAdded:
			if e.Entry.Level == cdplog.EntryLevelError || e.Entry.Level == cdplog.EntryLevelWarning {
				p.trouble("log: " + e.Entry.Text)
			}
		case *network.EventRequestWillBeSent:
			if u, err := url.Parse(e.Request.URL); err == nil && u.Host != own.Host && u.Scheme != "blob" && u.Scheme != "data" {
				p.trouble("request to another origin: " + e.Request.URL)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() && ctx.Err() == nil {
			p.picture("failed-" + strings.ReplaceAll(t.Name(), "/", "-"))
		}
		p.close()
		p.mu.Lock()
		defer p.mu.Unlock()
	troubles:
		for _, x := range p.troubles {
			for _, f := range p.forgiven {
				if strings.Contains(x, f) {
					continue troubles
				}
			}
			t.Errorf("the page is in trouble: %s", x)
		}
	})
	call(p, network.Enable, network.EnableParams{})
	call(p, cdplog.Enable, cdp.Empty{})
	p.resize(s)
	if s.still {
		call(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{still}})
	}
	p.do(prepare...)
	p.do(chromedp.Navigate(where))
	return p
}

// call runs a command of the browser's protocol.
func call[P, R any](p *tab, command cdp.Command[P, R], params P) R {
	p.t.Helper()
	r, err := chromedp.Call(p.ctx, command, params)
	if err != nil {
		p.t.Fatal(err)
	}
	return r
}

func (p *tab) resize(s size) {
	p.t.Helper()
	call(p, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: s.width, Height: s.height, DeviceScaleFactor: s.scale, Mobile: s.mobile,
	})
}

func (p *tab) trouble(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.troubles = append(p.troubles, text)
}

// forgive says that a test expects troubles that contain the text.
func (p *tab) forgive(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.forgiven = append(p.forgiven, text)
}

func (p *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	if err := chromedp.Do(p.ctx, actions...); err != nil {
		p.t.Fatal(err)
	}
}

// eval evaluates a script on the page; a promise is awaited.
func eval[T any](p *tab, script string) T {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](script, chromedp.EvalAwaitPromise))
	if err != nil {
		p.t.Fatalf("%s: %v", script, err)
	}
	return v
}

// pageState is what window.genussink.state() returns.
type pageState struct {
	scene.State
	Workers struct {
		Count, Replaced, Unfinished int
		CancelMs                    float64
	} `json:"workers"`
	Lesson *lesson.State `json:"lesson"`
}

func (p *tab) state() pageState {
	p.t.Helper()
	return eval[pageState](p, "genussink.state()")
}

// wait returns the state once a condition on it, a script over s, holds.
func (p *tab) wait(condition string) pageState {
	p.t.Helper()
	p.until("((s) => s && (" + condition + "))(globalThis.genussink?.state())")
	return p.state()
}

// until waits for a script to say true.
func (p *tab) until(condition string) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	script := fmt.Sprintf(`new Promise((done, fail) => {
		const look = () => {
			try { if (%s) return done(true); } catch (e) { return fail(e); }
			setTimeout(look, 20);
		};
		look();
	})`, condition)
	if _, err := chromedp.Run(ctx, chromedp.Evaluate[bool](script, chromedp.EvalAwaitPromise)); err != nil {
		now, _ := chromedp.Run(p.ctx, chromedp.Evaluate[string]("JSON.stringify({...globalThis.genussink?.state(), text: document.getElementById('loading-text').textContent})"))
		p.t.Fatalf("never %s: %v; now %.1500s", condition, err, now)
	}
}

// settled waits until nothing is under way and a result is there.
func (p *tab) settled() pageState {
	p.t.Helper()
	return p.wait("s.ready && !s.transport.solving && s.transport.result && !s.transport.stale && s.playback.available && s.phase != 'computing' && s.workers.unfinished == 0")
}

// reveal clicks on what hides an element until it is seen: the tab of its task, and what folds it away. The script finds the element.
func (p *tab) reveal(find string) {
	p.t.Helper()
	for range 4 {
		hidden := eval[bool](p, fmt.Sprintf(`((e) => {
			if (!e || e.checkVisibility()) return false;
			const folds = [];
			for (let d = e.parentElement?.closest('details:not([open])'); d; d = d.parentElement?.closest('details:not([open])')) folds.unshift(d.querySelector('summary'));
			globalThis.hiding = [document.getElementById(e.closest('[role=tabpanel][hidden]')?.getAttribute('aria-labelledby')), ...folds].find((x) => x?.checkVisibility());
			return !!hiding;
		})(%s)`, find))
		if !hidden {
			return
		}
		p.push("hiding")
	}
}

// press clicks the button with an accessible name, with a real pointer, once
// it is there and enabled. What folds it away is opened first.
func (p *tab) press(name string) {
	p.t.Helper()
	named := fmt.Sprintf("[...document.querySelectorAll('button')].filter((b) => (b.ariaLabel || b.textContent.trim()) === %q)", name)
	p.until(named + ".length")
	p.reveal(fmt.Sprintf("((all) => all.find((b) => b.checkVisibility()) ?? all.find((b) => b.closest('details, [role=tabpanel]')))(%s)", named))
	// Where a dialog is open, its own.
	button := named + ".find((b) => b.checkVisibility() && !b.disabled && (document.querySelector('dialog[open]')?.contains(b) ?? true))"
	p.until(button)
	// Two frames, so that what the state says is also where the panel shows it.
	at := eval[spot](p, fmt.Sprintf(`(async () => {
		for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame);
		const b = %[1]s;
		b.scrollIntoView({ block: 'center' });
		for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame); // a click finds what was where it is before the scrolling was drawn
		const r = b.getBoundingClientRect(), X = r.x + r.width / 2, Y = r.y + r.height / 2;
		const hit = document.elementFromPoint(X, Y);
		if (!b.contains(hit)) throw new Error(%[2]q + ' is covered by ' + (hit?.id || hit?.tagName));
		globalThis.missed = true;
		addEventListener('click', (e) => {
			const on = e.target.closest('button');
			globalThis.missed = !on || (on.ariaLabel || on.textContent.trim()) !== %[2]q;
		}, { once: true, capture: true });
		return { X, Y };
	})()`, button, name))
	p.do(chromedp.MouseClickXY(at.X, at.Y))
	missed, err := chromedp.Run(p.ctx, chromedp.Evaluate[bool]("!!globalThis.missed"))
	if err == nil && missed { // a button that loads another page leaves none to ask
		p.t.Fatalf("%q moved away from under the pointer", name)
	}
}

// unfold opens the details with a summary, once they are there.
func (p *tab) unfold(summary string) {
	p.t.Helper()
	find := fmt.Sprintf("[...document.querySelectorAll('summary')].find((s) => s.textContent == %q)", summary)
	p.until(find)
	p.reveal(find)
	if !eval[bool](p, find+".parentElement.open") {
		p.push(find)
	}
}

// unfoldAll opens all that folds and is seen.
func (p *tab) unfoldAll() {
	p.t.Helper()
	eval[int](p, "[...document.querySelectorAll('details')].filter((d) => d.checkVisibility() && (d.open = true)).length")
}

// set gives the control with an accessible name a value as a person does: a choice from its list by keys, a slider by the pointer and then by keys, words
// by typing them.
func (p *tab) set(name, value string) {
	p.t.Helper()
	find := fmt.Sprintf(`document.getElementById([...document.querySelectorAll('label')].find((l) => l.textContent.trim() === %q).htmlFor)`, name)
	p.reveal(find)
	c := eval[struct {
		Kind        string
		X, Y, Width float64
		Low, High   float64 // a slider's ends
		Steps       float64 // from a slider's lower end to the value; 0: it has no steps
		Off         float64 // by how much a slider may miss the value: half a step, or a hundredth of its range
		Down        int     // choices
	}](p, fmt.Sprintf(`(async () => {
		const e = %s, to = %q;
		const least = 4; // frames until the task's panel is filled, of which every other is left out where the processor draws
		for (let i = 0; i < least || e.disabled && i < 300; i++) await new Promise(requestAnimationFrame);
		if (e.disabled) throw new Error(%q + ' is disabled');
		e.scrollIntoView({ block: 'center' });
		e.focus({ preventScroll: true });
		if (e.select) e.select();
		const options = [...e.options ?? []], at = options.findIndex((o) => o.value === to);
		if (e.options && at < 0) throw new Error(%q + ' has no choice ' + to);
		for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame);
		const r = e.getBoundingClientRect();
		return { kind: e.localName === 'select' ? 'select' : e.type, X: r.x, Y: r.y + r.height / 2, width: r.width,
			low: +e.min, high: e.max === '' ? 100 : +e.max, steps: e.step === 'any' ? 0 : (to - e.min) / (e.step || 1), off: e.step === 'any' ? (e.max - e.min) / 100 : (e.step || 1) / 2, down: at - e.selectedIndex };
	})()`, find, value, name, name))
	arrows := func(n int, forth, back string) {
		if n < 0 {
			n, forth = -n, back
		}
		for range n {
			p.key(forth)
		}
	}
	switch c.Kind {
	case "select":
		if c.Down != 0 {
			p.key(" ")
			arrows(c.Down, kb.ArrowDown, kb.ArrowUp)
			p.key(kb.Enter)
			if eval[bool](p, find+".matches(':open')") { // the key's character opens the list once more
				p.key(kb.Escape)
			}
		}
	case "range":
		const thumb = 16 // pixels
		to, err := strconv.ParseFloat(value, 64)
		if err != nil {
			p.t.Fatal(err)
		}
		p.do(chromedp.MouseClickXY(c.X+thumb/2+(c.Width-thumb)*(to-c.Low)/(c.High-c.Low), c.Y))
		if c.Steps > 0 {
			arrows(int(math.Round(c.Steps-eval[float64](p, "(e => (e.value - e.min) / (e.step || 1))("+find+")"))), kb.ArrowRight, kb.ArrowLeft)
		}
	default:
		if value == "" {
			p.key(kb.Delete)
		}
		p.do(chromedp.KeyEvent(value), chromedp.KeyEvent(kb.Tab))
	}
	if got := eval[string](p, find+".value"); got != value && !(c.Kind == "range" && math.Abs(numeral(got)-numeral(value)) <= c.Off) {
		p.t.Fatalf("%s is %q, not %q", name, got, value)
	}
}

// numeral is the number that a slider's value is.
func numeral(value string) float64 {
	x, err := strconv.ParseFloat(value, 64)
	if err != nil {
		return math.NaN()
	}
	return x
}

// file gives files to the input named "Mesh file".
func (p *tab) file(paths ...string) {
	p.t.Helper()
	p.do(chromedp.SetUploadFiles(`input[aria-label="Mesh file"]`, paths))
}

// mouse sends one pointer event to the page.
func (p *tab) mouse(kind input.DispatchMouseEventType, at spot, buttons int64) {
	p.t.Helper()
	e := input.DispatchMouseEventParams{Type: kind, X: at.X, Y: at.Y, Buttons: buttons}
	if kind != chromedp.MouseMoved {
		e.ClickCount = 1
	}
	if kind != chromedp.MouseMoved || buttons != 0 {
		e.Button = input.MouseButtonLeft
	}
	call(p, input.DispatchMouseEvent, e)
}

// camera waits until the camera in the address has another value than from at a
// place and has come to rest, and returns it: projection and up, yaw, pitch,
// size, target.
func (p *tab) camera(differs int, from string) string {
	p.t.Helper()
	p.until(fmt.Sprintf("(new URLSearchParams(location.search).get('cam')?.split(',')[%d] ?? %[2]q) != %[2]q", differs, strings.Split(from, ",")[differs]))
	for now := ""; ; {
		before := now
		if now = eval[string](p, "new URLSearchParams(location.search).get('cam')"); now == before {
			return now
		}
		p.frames(60) // longer than it eases and the address lags behind
	}
}

// frames waits until the page has drawn n more frames. One at rest is kept awake meanwhile.
func (p *tab) frames(n int) {
	p.t.Helper()
	from := p.state().Frame.Frames
	p.until(fmt.Sprintf("(genussinkGraphics.wake(), genussink.state().frame.frames >= %d)", from+n))
}

// spot is a place in the window, CSS pixels.
type spot struct{ X, Y float64 }

// find looks for the mesh around a place given as fractions of the canvas and
// returns the nearest place that shows a vertex.
func (p *tab) find(fx, fy float64) spot {
	p.t.Helper()
	canvas := eval[spot](p, "(({width, height}) => ({X: width, Y: height}))(document.querySelector('canvas').getBoundingClientRect())")
	for ring := range 12 {
		for _, d := range [][2]float64{{0, 0}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, -1}, {1, -1}, {-1, 1}} {
			if ring == 0 && d != [2]float64{} {
				continue
			}
			at := spot{canvas.X * (fx + 0.03*float64(ring)*d[0]), canvas.Y * (fy + 0.03*float64(ring)*d[1])}
			p.mouse(chromedp.MouseMoved, at, 0)
			p.frames(2)
			if h := p.state().Hover; h != nil {
				return at
			}
		}
	}
	p.t.Fatalf("no mesh around (%g, %g) of the canvas", fx, fy)
	return spot{}
}

// touch puts fingers down, moves or lifts them.
func (p *tab) touch(kind input.DispatchTouchEventType, fingers ...spot) {
	p.t.Helper()
	if err := p.tryTouch(kind, fingers...); err != nil {
		p.t.Fatal(err)
	}
}

func (p *tab) tryTouch(kind input.DispatchTouchEventType, fingers ...spot) error {
	e := input.DispatchTouchEventParams{Type: kind, TouchPoints: []*input.TouchPoint{}}
	for i, f := range fingers {
		id := float64(i)
		e.TouchPoints = append(e.TouchPoints, &input.TouchPoint{X: f.X, Y: f.Y, ID: &id})
	}
	_, err := chromedp.Call(p.ctx, input.DispatchTouchEvent, e)
	return err
}

// tap touches a spot with one finger. The finger leaves without waiting for the page: one that stays for half a second is a long press.
func (p *tab) tap(at spot) {
	p.t.Helper()
	down := make(chan error, 1)
	go func() { down <- p.tryTouch(input.DispatchTouchEventTypeTouchStart, at) }()
	time.Sleep(50 * time.Millisecond)
	if err := errors.Join(p.tryTouch(input.DispatchTouchEventTypeTouchEnd), <-down); err != nil {
		p.t.Fatal(err)
	}
}

// place is where the middle of an element is, once it is in view and has stayed for three frames.
func (p *tab) place(selector string) spot {
	p.t.Helper()
	return p.where(fmt.Sprintf("document.querySelector(%q)", selector))
}

// where is place of an element that a script finds.
func (p *tab) where(find string) spot {
	p.t.Helper()
	return eval[spot](p, fmt.Sprintf(`(async () => {
		const at = () => {
			const e = %s;
			e.scrollIntoView({ block: 'center' });
			const b = e.getBoundingClientRect();
			return { X: b.x + b.width / 2, Y: b.y + b.height / 2 };
		};
		let last = at();
		for (let same = 0; same < 3; ) {
			await new Promise(requestAnimationFrame);
			const now = at();
			same = now.X == last.X && now.Y == last.Y ? same + 1 : 0;
			last = now;
		}
		return last;
	})()`, find))
}

// push clicks an element that a script finds, whether the page draws or not.
func (p *tab) push(find string) {
	p.t.Helper()
	at := p.where(find)
	p.do(chromedp.MouseClickXY(at.X, at.Y))
}

// drag presses at a spot, moves through others, and lets go.
func (p *tab) drag(through ...spot) {
	p.t.Helper()
	first, last := through[0], through[len(through)-1]
	p.mouse(chromedp.MouseMoved, first, 0)
	p.frames(1)
	p.mouse(chromedp.MousePressed, first, 1)
	p.frames(1)
	for _, s := range through[1:] {
		p.mouse(chromedp.MouseMoved, s, 1)
		p.frames(1)
	}
	p.mouse(chromedp.MouseReleased, last, 0)
	p.frames(1)
}

// picture keeps a screenshot.
func (p *tab) picture(name string) {
	png, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		p.t.Errorf("picture %s: %v", name, err)
		return
	}
	if err := os.WriteFile(filepath.Join(root, "build/e2e", name+".png"), png, 0o644); err != nil {
		p.t.Error(err)
	}
}

// text is the text of the element with an id, once the panel says what the state does. Where no frames come that is not waited for.
func (p *tab) text(id string) string {
	p.t.Helper()
	return p.content(fmt.Sprintf("document.getElementById(%q)", id))
}

// alert is what the page says in its alert, likewise.
func (p *tab) alert() string {
	p.t.Helper()
	return p.content("document.querySelector('[role=alert]')")
}

func (p *tab) content(find string) string {
	p.t.Helper()
	return eval[string](p, fmt.Sprintf(`new Promise((done) => {
		const late = performance.now() + 2000;
		const shown = () => {
			try { return globalThis.genussink?.state()?.shown !== false; } catch { return true; } // its program has ended
		};
		const look = () => shown() || performance.now() > late ? done(%s.textContent) : setTimeout(look, 10);
		look();
	})`, find))
}

// allowDownloads lets the page save files in a folder.
func allowDownloads(p *tab, dir string) {
	p.t.Helper()
	if _, err := chromedp.CallBrowser(p.ctx, cdpbrowser.SetDownloadBehavior, cdpbrowser.SetDownloadBehaviorParams{
		Behavior: cdpbrowser.SetDownloadBehaviorBehaviorAllow, DownloadPath: dir, BrowserContextID: chromedp.FromContext(p.ctx).BrowserContextID, //nolint:misspell // the protocol's name
	}); err != nil {
		p.t.Fatal(err)
	}
}
