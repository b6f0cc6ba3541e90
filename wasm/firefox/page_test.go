//go:build firefox && !js

package firefox

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	_ "image/png" // screenshots
	"math"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"genussink/viewer/scene"
)

// start starts a program that ends with the test.
func start(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		done := make(chan error, 1)
		go func() { done <- cmd.Wait() }()
		select {
		case <-done:
		case <-time.After(10 * time.Second):
			_ = cmd.Process.Kill()
			<-done
		}
	})
}

// within calls ready until it says nothing more is missing.
func within(t *testing.T, what string, ready func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !ready(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s does not come", what)
		}
	}
}

// serve starts the real server and returns the page's address.
func serve(t *testing.T, root string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	at := l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	start(t, exec.Command(filepath.Join(root, "build/genussink"), "serve", "-addr", at, "-dir", filepath.Join(root, "build/web")))
	within(t, "the server", func() bool {
		c, err := net.Dial("tcp", at)
		return err == nil && c.Close() == nil
	})
	return "http://" + at + "/"
}

// browser is a Firefox with a window: without one it has no WebGL 2 where the processor draws.
type browser struct {
	*marionette
	t *testing.T
}

func launch(t *testing.T) *browser {
	t.Helper()
	profile := t.TempDir()
	preferences := `user_pref("marionette.port", 0);
user_pref("webgl.force-enabled", true);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("app.normandy.enabled", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
`
	if err := os.WriteFile(filepath.Join(profile, "user.js"), []byte(preferences), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("firefox-esr", "--marionette", "--no-remote", "--profile", profile, "about:blank")
	cmd.Env = append(os.Environ(), "HOME="+profile)
	start(t, cmd)
	var port []byte
	within(t, "Firefox", func() bool {
		port, _ = os.ReadFile(filepath.Join(profile, "MarionetteActivePort"))
		return len(port) > 0
	})
	m, err := attach("127.0.0.1:" + strings.TrimSpace(string(port)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = m.conn.Close() })
	return &browser{m, t}
}

func (b *browser) do(command string, parameters any) json.RawMessage {
	b.t.Helper()
	result, err := b.call(command, parameters)
	if err != nil {
		b.t.Fatal(err)
	}
	return result
}

// eval is the value of a script on the page.
func eval[T any](b *browser, script string) T {
	b.t.Helper()
	result := b.do("WebDriver:ExecuteScript", map[string]any{"script": "return JSON.stringify(" + script + ")", "args": []any{}})
	var text struct{ Value string }
	var v T
	if err := json.Unmarshal(result, &text); err != nil {
		b.t.Fatalf("%s: %v", script, err)
	}
	if err := json.Unmarshal([]byte(text.Value), &v); err != nil {
		b.t.Fatalf("%s: %s: %v", script, text.Value, err)
	}
	return v
}

// wait waits until a condition on the page's state s, a script, holds, and returns the state.
func (b *browser) wait(condition string) scene.State {
	b.t.Helper()
	within(b.t, condition, func() bool { return eval[bool](b, "((s) => !!s && ("+condition+"))(window.genussink?.state())") })
	return eval[scene.State](b, "genussink.state()")
}

// element finds an element, for commands.
func (b *browser) element(selector string) string {
	b.t.Helper()
	var found struct{ Value map[string]string }
	if err := json.Unmarshal(b.do("WebDriver:FindElement", map[string]any{"using": "css selector", "value": selector}), &found); err != nil {
		b.t.Fatal(err)
	}
	for _, id := range found.Value {
		return id
	}
	return ""
}

// press clicks an element with a real pointer.
func (b *browser) press(selector string) {
	b.t.Helper()
	b.do("WebDriver:ElementClick", map[string]any{"id": b.element(selector)})
}

// drag moves the pointer over the page with its button held.
func (b *browser) drag(x, y, dx, dy int) {
	b.t.Helper()
	move := func(x, y int) map[string]any {
		return map[string]any{"type": "pointerMove", "duration": 100, "origin": "viewport", "x": x, "y": y}
	}
	b.do("WebDriver:PerformActions", map[string]any{"actions": []any{map[string]any{"type": "pointer", "id": "mouse", "actions": []any{
		move(x, y), map[string]any{"type": "pointerDown", "button": 0}, move(x+dx/2, y+dy/2), move(x+dx, y+dy), map[string]any{"type": "pointerUp", "button": 0},
	}}}})
}

// picture keeps a screenshot, and returns it.
func (b *browser) picture(name string) image.Image {
	b.t.Helper()
	var shot struct{ Value string }
	if err := json.Unmarshal(b.do("WebDriver:TakeScreenshot", map[string]any{"full": false}), &shot); err != nil {
		b.t.Fatal(err)
	}
	file, err := base64.StdEncoding.DecodeString(shot.Value)
	if err != nil {
		b.t.Fatal(err)
	}
	if err := os.MkdirAll("../../build/e2e", 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile("../../build/e2e/"+name+".png", file, 0o644); err != nil {
		b.t.Fatal(err)
	}
	m, _, err := image.Decode(bytes.NewReader(file))
	if err != nil {
		b.t.Fatal(err)
	}
	return m
}

const settled = "s.ready && !s.transport.solving && s.transport.result && !s.transport.stale && s.playback.available && s.phase != 'computing' && s.workers.unfinished == 0"

// In Firefox a mesh opens, is solved as the tool solves it, and plays; a drag turns; a file opens, brushes paint on it, its mass moves, and it is shared.
func TestMainJob(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	b := launch(t)
	b.do("WebDriver:SetWindowRect", map[string]any{"width": 1100, "height": 700})
	b.do("WebDriver:Navigate", map[string]any{"url": serve(t, root) + "?mesh=cat&method=exact"})
	s := b.wait(settled)
	t.Log(eval[string](b, "performance.getEntriesByType('mark').map((m) => `${m.name} ${m.startTime.toFixed(0)}`).join(', ')"))
	var solved struct{ Cost float64 }
	out, err := exec.Command(filepath.Join(root, "build/genussink"), "solve", filepath.Join(root, "build/web/meshes/cat.glb"), "-measures", "paper", "-method", "exact", "-epsilon", "0.01", "-json").Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, &solved); err != nil {
		t.Fatal(err)
	}
	if cost := s.Transport.Result.Cost; !(math.Abs(cost-solved.Cost) <= 1e-6*solved.Cost) || s.Error != "" {
		t.Errorf("the page's plan costs %g, the tool's %g: %q", cost, solved.Cost, s.Error)
	}
	b.wait("s.playback.playing && s.playback.particles > 0")
	from := b.wait("true").Playback.Position
	b.wait(fmt.Sprintf("s.playback.position != %g", from))
	picture := b.picture("firefox")
	seen := map[color.Color]bool{}
	for y := 100; y < 400; y += 3 {
		for x := 100; x < 600; x += 3 {
			seen[picture.At(x, y)] = true
		}
	}
	if len(seen) < 200 {
		t.Errorf("the picture has %d colours", len(seen))
	}

	const camera = "new URLSearchParams(location.search).get('cam')"
	within(t, "a camera in the address", func() bool { return eval[string](b, "String("+camera+")") != "null" })
	before := eval[string](b, camera)
	b.drag(300, 250, 120, 20)
	within(t, "another camera", func() bool { return eval[string](b, camera) != before })

	// The job: a file of one's own, a source and a target on it, mass on its way, and share.
	own := filepath.Join(t.TempDir(), "ball.off")
	if out, err := exec.Command(filepath.Join(root, "build/genussink"), "generate", "sphere", "-frequency", "12", "-out", own).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	b.do("WebDriver:ElementSendKeys", map[string]any{"id": b.element("#file"), "text": own})
	b.wait("s.mesh.name == 'ball.off'")
	cost := b.wait(settled).Transport.Result.Cost
	b.press("#tool-source")
	b.drag(360, 280, 20, 10)
	b.wait("s.densities.undo == 1 && !s.densities.stroke && s.densities.preset == ''")
	b.press("#tool-target")
	b.drag(400, 330, 20, 10)
	b.wait("s.densities.undo == 2 && !s.densities.stroke && s.densities.targetVertices < s.mesh.vertices")
	if s := b.wait(settled); s.Mesh.Vertices != 1442 || s.Transport.Result.Cost == cost || s.Error != "" {
		t.Errorf("on %d vertices the plan costs %g, that of the preset %g: %q", s.Mesh.Vertices, s.Transport.Result.Cost, cost, s.Error)
	}
	b.wait("s.playback.playing && s.playback.particles > 0")
	from = b.wait("true").Playback.Position
	b.wait(fmt.Sprintf("s.playback.position != %g", from))
	b.picture("firefox-own")
	b.press("#share")
	within(t, "the dialog that says what a link cannot carry", func() bool { return eval[bool](b, "document.getElementById('sharing').open") })
}
