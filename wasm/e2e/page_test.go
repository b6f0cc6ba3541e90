//go:build e2e && !js

package e2e

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"genussink/viewer/scene"
)

// Paint both densities with the pointer, solve, play: the whole path, and the
// same cost as the native tool's.
func TestPaintSolvePlay(t *testing.T) {
	t.Parallel()
	p := open(t, "?mesh=cat", wide)
	p.settled()
	p.press("Clear densities")
	p.wait("s.densities.sourceMass == 0 && s.densities.targetMass == 0")
	head, tail := p.find(0.5, 0.35), p.find(0.5, 0.7)
	p.press("Paint source")
	p.drag(head, spot{head.X + 6, head.Y + 4}, spot{head.X + 12, head.Y + 4})
	p.wait("s.densities.sourceMass > 0 && !s.densities.stroke")
	p.press("Paint target")
	p.drag(tail, spot{tail.X - 6, tail.Y}, spot{tail.X - 12, tail.Y - 4})
	p.wait("s.densities.targetMass > 0 && !s.densities.stroke")
	p.press("Paint target") // puts the tool down
	p.set("Epsilon", "-1.3")
	p.press("Solve")
	s := p.settled()
	p.picture("painted")
	r := s.Transport.Result

	densities := eval[struct{ Source, Target []float64 }](p, "(({source, target}) => ({Source: source, Target: target}))(genussink.densities())")
	dir := t.TempDir()
	files := [2]string{filepath.Join(dir, "a.txt"), filepath.Join(dir, "b.txt")}
	for i, d := range [][]float64{densities.Source, densities.Target} {
		var out strings.Builder
		for _, x := range d {
			fmt.Fprintln(&out, strconv.FormatFloat(x, 'g', -1, 64))
		}
		if err := os.WriteFile(files[i], []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	native := toolSays[struct{ Cost, Dual float64 }](t, "solve", gallery("cat.glb"), "-source", files[0], "-target", files[1],
		"-epsilon", strconv.FormatFloat(s.Transport.Epsilon, 'g', -1, 64))
	off := math.Abs(r.Cost-native.Cost) / native.Cost
	t.Logf("cost %.12g in the page, %.12g natively: relative difference %.1e", r.Cost, native.Cost, off)
	if !(off <= 1e-9) {
		t.Errorf("cost %.15g in the page, %.15g natively: relative difference %.1e, at most 1e-9", r.Cost, native.Cost, off)
	}

	if !s.Playback.Playing {
		p.press("Play")
	}
	at := p.wait("s.playback.playing").Playback.Position
	p.wait(fmt.Sprintf("s.playback.position != %v", at))
	p.press("Pause")
	p.wait("!s.playback.playing")
	p.set("Playback position", "0.5")
	p.wait("s.playback.position == 0.5")
	p.frames(2)
	p.picture("halfway")
	p.set("Mass shown as", "density")
	p.wait("s.playback.mass == 'density'")
	p.frames(20)
	p.picture("density")

	// Where mass goes from the vertex under the pointer.
	p.mouse(chromedp.MouseMoved, head, 0)
	s = p.wait("s.hover && s.hover.partners.length > 0")
	sum := 0.0
	for _, to := range s.Hover.Partners {
		sum += to.Mass
	}
	if !(sum > 0 && sum <= s.Hover.Total*(1+1e-9)) {
		t.Errorf("partners of vertex %d take %g of %g", s.Hover.Vertex, sum, s.Hover.Total)
	}

	// The same problem by the other method, beside the first.
	p.set("Method", "dense")
	s = p.wait("s.transport.result.method == 'dense' && !s.transport.solving && s.workers.unfinished == 0")
	if off := math.Abs(s.Transport.Result.Cost-r.Cost) / r.Cost; !(off <= 1e-6) { // exact is of float32
		t.Errorf("dense costs %.15g, exact %.15g: relative difference %.1e", s.Transport.Result.Cost, r.Cost, off)
	}
	p.until("document.querySelectorAll('#compare-body tr').length == 2")
}

func TestUndo(t *testing.T) {
	t.Parallel()
	p := open(t, "?mesh=cat", small)
	before := p.settled().Densities
	at := p.find(0.5, 0.5)
	p.press("Paint source")
	p.drag(at, spot{at.X + 5, at.Y + 5})
	painted := p.wait("s.densities.undo == 1 && !s.densities.stroke").Densities
	if painted.Source <= before.Source {
		t.Errorf("painting left the source's mass at %g, it was %g", painted.Source, before.Source)
	}
	p.press("Undo")
	undone := p.wait("s.densities.redo == 1").Densities
	if undone.Source != before.Source {
		t.Errorf("undo left mass %g, it was %g", undone.Source, before.Source)
	}
	p.press("Redo")
	if redone := p.wait("s.densities.redo == 0").Densities; redone.Source != painted.Source {
		t.Errorf("redo made mass %g, it was %g", redone.Source, painted.Source)
	}
	p.press("Erase")
	p.drag(at, spot{at.X + 5, at.Y + 5})
	if erased := p.wait("s.densities.undo == 2 && !s.densities.stroke").Densities; erased.Source >= painted.Source {
		t.Errorf("erasing left mass %g of %g", erased.Source, painted.Source)
	}
	p.settled() // a repaint solves by itself
}

// Cancelling, also of the search for a treewidth, shows at once, and within 100 ms nothing is computed any more, on a machine that has nothing else to do: the
// Worker has let go, or it was ended and replaced.
func TestCancel(t *testing.T) {
	quick(t)
	const bar = 100.0 // ms
	slow := slowness(2)
	p := open(t, "?mesh=cat", moving)
	p.settled()
	p.file(sphere(t, 32)) // 10,242 vertices: seconds of work
	p.wait("s.mesh.name == 'sphere.off' && s.phase == 'computing' && s.workers.unfinished > 0")
	for range 3 {
		p.press("Solve")
		p.wait("s.transport.solving && s.fraction > 0")
		p.until("!document.getElementById('cancel').disabled") // frames after the state says so
		ms := eval[float64](p, `new Promise((done) => {
			const from = performance.now();
			document.getElementById('cancel').click();
			const look = () => {
				const s = genussink.state();
				if (s.phase !== 'computing' && s.workers.unfinished === 0) return done(performance.now() - from);
				setTimeout(look);
			};
			look();
		})`)
		slow = max(slow, slowness(2))
		t.Logf("cancelled after %.0f ms", ms)
		if ms > bar*slow {
			t.Errorf("cancelling took %.0f ms, a machine %.2f times as slow as the reference: at most %.0f", ms, slow, bar)
		}
	}
	p.press("Find treewidth")
	p.wait("s.treewidth.running && s.treewidth.known && s.treewidth.bags > 0")
	p.press("Stop search")
	s := p.wait("!s.treewidth.running && s.workers.unfinished == 0")
	if s.Treewidth.Status != "cancelled" {
		t.Errorf("the search was not stopped: %+v", s.Treewidth)
	}
	slow = max(slow, slowness(2))
	t.Logf("longest from Cancel to the Worker's answer %.0f ms; %d Workers replaced", s.Workers.CancelMs, s.Workers.Replaced)
	if s.Workers.CancelMs > bar*slow {
		t.Errorf("a Worker answered a Cancel after %.0f ms, a machine %.2f times as slow as the reference: at most %.0f", s.Workers.CancelMs, slow, bar)
	}
}

// Everything is reached by Tab, in reading order, and has a name.
// Tabs and keys turn from task to task. The camera stays, nothing is computed, and what was found is there again.
func TestTasksKeepWhatIsThere(t *testing.T) {
	t.Parallel()
	p := open(t, "?mesh=cat", small)
	p.settled()
	const marks, looks = "performance.getEntriesByType('mark').length", "new URLSearchParams(location.search).get('cam') ?? ''"
	p.frames(60) // longer than the address lags behind
	pose, marked := eval[string](p, looks), eval[int](p, marks)
	result := p.state().Transport.Result
	steps := []struct {
		task scene.Task
		turn func()
	}{
		{scene.TaskSeparators, func() { p.press("Separators") }}, {scene.TaskTreewidth, func() { p.key("3") }}, {scene.TaskInspect, func() { p.press("Inspect") }},
		{scene.TaskSeparators, func() { p.key("2") }}, {scene.TaskTransport, func() { p.press("Transport") }},
	}
	for _, step := range steps {
		step.turn()
		if s := p.wait(fmt.Sprintf("s.task == %q", step.task)); s.Workers.Unfinished != 0 || s.Phase != scene.PhaseReady {
			t.Errorf("%s has %d requests under way, and is %s", step.task, s.Workers.Unfinished, s.Phase)
		}
		p.frames(3)
	}
	p.frames(60)
	if now := eval[string](p, looks); now != pose {
		t.Errorf("the camera was at %q, it is at %q", pose, now)
	}
	if now := eval[int](p, marks); now != marked {
		t.Errorf("turning to tasks has left %d marks of work", now-marked)
	}
	if now := p.state().Transport.Result; now == nil || now.Cost != result.Cost || now.Iterations != result.Iterations {
		t.Errorf("the result was %+v, it is %+v", result, now)
	}
}

// A Worker crashes in the middle of a solve, or is killed and never heard of
// again: the person is told, another takes its place, and the same solve works.
func TestWorkerDies(t *testing.T) {
	t.Parallel()
	p := open(t, "?mesh=octopus", small)
	p.settled()
	p.forgive("a Worker was replaced")
	for _, death := range []struct {
		worker   int
		silently bool
	}{{1, false}, {0, false}, {2, false}, {1, true}} {
		worker := death.worker
		replaced := p.state().Workers.Replaced
		p.press("Solve")
		p.wait("s.transport.solving")
		eval[bool](p, fmt.Sprintf("genussink.breakWorker(%d, %t), true", worker, death.silently))
		p.wait(fmt.Sprintf("s.workers.replaced == %d", replaced+1))
		// What was asked is asked again, by itself.
		s := p.wait("s.error == '' && !s.transport.solving && s.workers.unfinished == 0")
		if s.Transport.Result == nil || s.Transport.Result.Status != "converged" {
			t.Fatalf("Worker %d was replaced, and then: %+v", worker, s.Transport)
		}
	}
	// What the new ones have to know they know.
	at := p.find(0.5, 0.5)
	p.press("Paint source")
	p.drag(at, spot{at.X + 5, at.Y + 5})
	p.wait("s.densities.undo == 1 && !s.densities.stroke")
}
