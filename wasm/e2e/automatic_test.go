//go:build e2e && !js

package e2e

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"

	"genussink/internal/absent"
)

// The automatic method is the default: mass moves by an estimate, marked as such, before the separator tree is there. The
// exact answer takes its place without a jump: in no frame does playback leap or a particle go missing.
func TestAutomaticMovesAtOnce(t *testing.T) {
	quick(t)
	p := openAt(t, address+"?mesh=gear", moving)
	s := p.wait("s.playback.firstMoveMs != null")
	r := s.Transport.Result
	t.Logf("%d vertices move after %.0f ms: %s, %d cells, %+v", s.Mesh.Vertices, *s.Playback.FirstMoveMs, r.Method, r.Representatives, r.Timings)
	if how := eval[string](p, "document.getElementById('method').value"); how != "auto" {
		t.Errorf("the method is %q", how)
	}
	if r.Method != "quantized" || r.Representatives < 250 || r.Estimate == nil || !(r.Estimate.Low < r.Estimate.Cost && r.Estimate.Cost < r.Estimate.High) {
		t.Fatalf("the first answer: %+v", r)
	}
	if cost, said := p.text("result-cost"), p.text("result-estimate"); cost == "" || []rune(cost)[0] != '≈' || said == "" {
		t.Errorf("the page says %q, %q", cost, said)
	}
	t.Logf("the page says %q: %q", p.text("result-cost"), p.text("result-estimate"))
	p.picture("automatic-estimate")
	eval[bool](p, `(() => {
		globalThis.seen = [];
		const look = (now) => {
			const { playback: b, transport: t } = genussink.state();
			seen.push({ Now: now, Position: b.position, Particles: b.particles, Method: t.result.method, Playing: b.playing });
			requestAnimationFrame(look);
		};
		requestAnimationFrame(look);
		return true;
	})()`)
	camera := eval[string](p, "new URLSearchParams(location.search).get('cam') ?? ''")
	p.wait("s.transport.result.method == 'exact' && s.playback.allParticlesMs != null && s.separation.nodes > 0")
	p.frames(5)
	type frame struct {
		Now, Position float64
		Particles     int
		Method        string
		Playing       bool
	}
	seen := eval[[]frame](p, "seen")
	all := 0
	methods := map[string]int{}
	for k, f := range seen {
		methods[f.Method]++
		if !f.Playing || f.Particles < all {
			t.Errorf("frame %d: playing %v, %d particles after %d", k, f.Playing, f.Particles, all)
		}
		all = f.Particles
		if k == 0 {
			continue
		}
		// The whole way takes 6 s; frames far apart in time move it at most 0.25 s each.
		step := f.Position - seen[k-1].Position
		if step < 0 {
			step++
		}
		if most := (f.Now-seen[k-1].Now)/6000 + 0.25/6*2; step > most {
			t.Errorf("frame %d: playback moves by %.3f in %.0f ms", k, step, f.Now-seen[k-1].Now)
		}
	}
	exact := p.state().Transport.Result
	t.Logf("%v frames; exact costs %g", methods, exact.Cost)
	if exact.Estimate != nil || exact.Representatives != 0 || !(exact.Cost > r.Estimate.Low && exact.Cost < r.Estimate.High) {
		t.Errorf("exact costs %g, the estimate was %+v", exact.Cost, *r.Estimate)
	}
	if methods["quantized"] == 0 || methods["exact"] == 0 {
		t.Errorf("frames by method: %v", methods)
	}
	if now := eval[string](p, "new URLSearchParams(location.search).get('cam') ?? ''"); camera != "" && now != camera {
		t.Errorf("the camera was %s and is %s", camera, now)
	}
	if cost := p.text("result-cost"); []rune(cost)[0] == '≈' || eval[bool](p, "document.getElementById('result-estimate-line').checkVisibility()") {
		t.Errorf("the exact cost is said to be an estimate: %q", cost)
	}
	p.picture("automatic-exact")
}

// While the brush moves the solve follows it: answers come while the button is down, one at a time. On a machine that has
// nothing else to do mass moves 1.5 s after a mesh of up to 134,000 vertices was read; at some 10,000 vertices 15 answers come a second, each takes
// its Worker at most 50 ms, and the picture follows within 100 ms, as particles; at 134,000 come 5 a second.
func TestSolveFollowsTheBrush(t *testing.T) {
	quick(t)
	for _, c := range []struct {
		name, file                  string
		rateBar                     float64 // answers a second, with their particles, where the brush never waits
		movesBar, solveBar, lateBar float64 // ms
		allBar                      float64 // ms from the first solve's end to all particles
	}{
		{"10k", "cgal__turbine.off", 15, 1500, 50, 100, 1000},
		{"134k", "common3d__igea.ply", 5, 1500, math.Inf(1), math.Inf(1), 3000},
	} {
		try := func(t *testing.T) (missed []string) {
			miss := func(format string, args ...any) { missed = append(missed, fmt.Sprintf(format, args...)) }
			file := filepath.Join(root, "../shared/data/meshes", c.file)
			if _, err := os.Stat(file); err != nil {
				absent.Skip(t, err)
			}
			p := open(t, "?mesh=cat&eps=0.2&method=auto", moving, processors(2))
			p.settled()
			slow := slowness(2)
			p.file(file)
			s := p.wait(fmt.Sprintf("s.mesh.name == %q && s.playback.firstMoveMs != null && s.playback.allParticlesMs != null", c.file))
			moves, first, all := *s.Playback.FirstMoveMs, *s.Playback.FirstParticlesMs, *s.Playback.AllParticlesMs
			slow = max(slow, slowness(2))
			t.Logf("%s: first particles %.0f ms after the solve's end, all %d after %.0f; a machine %.2f times as slow as the reference", s.Transport.Result.Method, first, s.Playback.Particles, all, slow)
			if !(all <= c.allBar*slow) {
				miss("all particles %.0f ms after the solve's end, a machine %.2f times as slow as the reference: at most %.0f", all, slow, c.allBar)
			}
			t.Logf("moves %.0f ms after it was read: %+v", moves, s.Transport.Result.Timings)
			t.Log(eval[string](p, "performance.getEntriesByType('mark').slice(-14).map((m) => `${m.name} ${m.startTime.toFixed(0)}`).join(', ')"))
			p.picture("follow-" + c.name)
			at := p.find(0.5, 0.5)
			p.press("Paint source")
			eval[bool](p, `(() => {
				globalThis.taken = [], globalThis.late = [];
				let moved = 0;
				addEventListener('pointermove', (e) => { if (e.buttons) moved ||= performance.now(); }, { capture: true });
				let before = '';
				const look = () => {
					const { transport: t, playback: b, densities: d } = genussink.state();
					const key = String(t.result?.timings.map((x) => x.seconds));
					if (key != before && d.stroke) {
						taken.push({ Ms: 1e3 * t.result.seconds, Method: t.result.method, Stages: t.result.timings.map((x) => x.stage + ' ' + Math.round(1e3 * x.seconds)).join(', ') });
						before = key;
					}
					if (b.firstParticlesMs != null && moved && b.firstParticlesMs != globalThis.lastFirst) {
						globalThis.lastFirst = b.firstParticlesMs;
						if (d.stroke) late.push(performance.now() - moved);
						moved = 0;
					}
					requestAnimationFrame(look);
				};
				performance.clearMarks();
				requestAnimationFrame(look);
				return true;
			})()`)
			p.mouse(chromedp.MousePressed, at, 1)
			from := eval[float64](p, "performance.now()")
			for k := 0; ; k++ {
				a := float64(k) / 6
				p.mouse(chromedp.MouseMoved, spot{at.X + 25*math.Sin(a), at.Y + 25*math.Cos(a) - 25}, 1)
				if now := eval[float64](p, "performance.now()"); now-from > 4000 {
					break
				}
			}
			type answer struct {
				Ms             float64
				Method, Stages string
			}
			solved := eval[[]float64](p, "performance.getEntriesByName('solved').map((m) => m.startTime)")
			asked := eval[int](p, "performance.getEntriesByName('asked').length")
			// From each question to the last particles before the next: moves come as seldom as the picture.
			turns := eval[[]float64](p, `(() => {
				const turns = [];
				let from = null, to = null;
				for (const { name, startTime: at } of performance.getEntriesByType('mark')) {
					if (name == 'paths') to = at;
					if (name != 'asked') continue;
					if (from != null && to > from) turns.push(to - from);
					from = at;
				}
				return turns.sort((a, b) => a - b);
			})()`)
			taken, late := eval[[]answer](p, "taken"), eval[[]float64](p, "late")
			took := eval[float64](p, "performance.now()") - from
			if s := p.state(); !s.Densities.Stroke {
				t.Error("the stroke has ended")
			}
			p.picture("follow-stroke-" + c.name)
			p.mouse(chromedp.MouseReleased, at, 0)
			p.wait("!s.densities.stroke && !s.transport.stale && !s.transport.solving")
			slow = max(slow, slowness(2))
			rate := float64(len(solved)) / (took / 1e3)
			var ms []float64
			for _, a := range taken {
				ms = append(ms, a.Ms)
			}
			slices.Sort(ms)
			slices.Sort(late)
			if len(ms) == 0 || len(late) == 0 || len(turns) < 3 {
				t.Fatalf("%d answers, %d pictures, %d turns while the brush moves", len(ms), len(late), len(turns))
			}
			turn := turns[len(turns)/2]
			t.Logf("%d asked, %d solved in %.1f s: %.1f a second; one with its particles takes %.0f ms (%.0f to %.0f); a machine %.2f times as slow as the reference", asked, len(solved), took/1e3, rate, turn, turns[0], turns[len(turns)-1], slow)
			t.Logf("a solve takes %.0f ms (%.0f to %.0f); a picture follows %.0f ms after its move (%.0f to %.0f); the last: %+v", ms[len(ms)/2], ms[0], ms[len(ms)-1], late[len(late)/2], late[0], late[len(late)-1], taken[len(taken)-1])
			if asked > len(solved)+1 {
				t.Errorf("%d solves are asked and %d answered: they queue", asked, len(solved))
			}
			if !(turn*c.rateBar <= 1000*slow) || !(ms[len(ms)/2] <= c.solveBar*slow) || !(late[len(late)/2] <= c.lateBar*slow) {
				miss("at least %.0f answers a second, with their particles, at most %.0f ms a solve, %.0f to the picture", c.rateBar, c.solveBar, c.lateBar)
			}
			if !(moves <= c.movesBar*slow) {
				miss("mass moves %.0f ms after the file was read", moves)
			}
			p.close() // another try has the machine to itself
			return missed
		}
		t.Run(c.name, func(t *testing.T) { threeTries(t, func() []string { return try(t) }) })
	}
}
