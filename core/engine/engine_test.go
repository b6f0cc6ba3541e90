package engine_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"genussink/core/engine"
	"genussink/core/graph"
	"genussink/core/internal/shared"
	"genussink/core/job"
	"genussink/core/mesh/generate"
	"genussink/core/shortest"
	"genussink/internal/race"
)

// client numbers requests and checks the rules that every answer obeys.
type client struct {
	t    testing.TB
	e    *engine.Engine
	mu   sync.Mutex
	last uint32
}

func newClient(t testing.TB, o engine.Options) *client { return &client{t: t, e: engine.New(o)} }

// pending is a request under way.
type pending struct {
	id    uint32
	heard chan string   // a stage, when it is first heard of
	told  []job.Body    // interim answers other than Progress
	final chan job.Body // what the request ended in
}

// yielding lets others run whenever it is asked, as the Worker's context does:
// where there is one thread nothing else would.
type yielding struct{ context.Context }

func (y yielding) Err() error {
	runtime.Gosched()
	return y.Context.Err()
}

func (c *client) start(ctx context.Context, body job.Body) *pending {
	c.mu.Lock()
	c.last++
	p := &pending{id: c.last, heard: make(chan string, 100), final: make(chan job.Body, 1)}
	c.mu.Unlock()
	go func() {
		furthest := map[string]float64{}
		var final job.Body
		c.e.Run(yielding{ctx}, job.Request{ID: p.id, Body: body}, func(ev job.Event) {
			if ev.ID != p.id {
				c.t.Errorf("request %d: event for %d", p.id, ev.ID)
			}
			if final != nil {
				c.t.Errorf("%T: %+v after the final event", body, ev.Body)
			}
			if !job.Interim(ev.Body) {
				final = ev.Body
				return
			}
			progress, ok := ev.Body.(*job.Progress)
			if !ok {
				p.told = append(p.told, ev.Body)
				return
			}
			before, known := furthest[progress.Stage]
			if known && progress.Fraction <= before || !(progress.Fraction >= 0 && progress.Fraction <= 1) {
				c.t.Errorf("%T: stage %s goes from %g to %g", body, progress.Stage, before, progress.Fraction)
			}
			furthest[progress.Stage] = progress.Fraction
			if !known {
				p.heard <- progress.Stage
			}
		})
		if final == nil {
			c.t.Errorf("%T: no final event", body)
		}
		p.final <- final
	}()
	return p
}

func (c *client) do(body job.Body) job.Body {
	return <-c.start(context.Background(), body).final
}

// wait blocks until the request has reached a stage.
func (p *pending) wait(t testing.TB, stage string) {
	t.Helper()
	timeout := time.After(20 * time.Second)
	for {
		select {
		case s := <-p.heard:
			if s == stage {
				return
			}
		case <-timeout:
			t.Fatalf("stage %s is not reached", stage)
		}
	}
}

func ask[Answer job.Body](c *client, body job.Body) Answer {
	c.t.Helper()
	answer, ok := c.do(body).(Answer)
	if !ok {
		c.t.Fatalf("%T is answered otherwise: %v", body, c.do(body))
	}
	return answer
}

// flow joins the batches of paths.
func flowing(c *client, body *job.Flow) *job.Flowing {
	c.t.Helper()
	p := c.start(context.Background(), body)
	done, ok := (<-p.final).(*job.Flowed)
	all := &job.Flowing{Offsets: []int32{0}}
	for _, b := range p.told {
		f := b.(*job.Flowing)
		base := int32(len(all.Vertices))
		for _, o := range f.Offsets[1:] {
			all.Offsets = append(all.Offsets, base+o)
		}
		all.Vertices, all.Along = append(all.Vertices, f.Vertices...), append(all.Along, f.Along...)
	}
	if !ok || done.Particles != body.Particles || len(all.Offsets) != body.Particles+1 || !slices.Equal(stages(done.Timings), []string{"paths"}) {
		c.t.Fatalf("%+v is answered by %d paths and %+v", body, len(all.Offsets)-1, done)
	}
	return all
}

// deltaOf is a delta for the methods that have one.
func deltaOf(method string, delta job.Length) job.Length {
	if job.Bounded(method) {
		return delta
	}
	return job.Length{}
}

func refuse(c *client, body job.Body, kind, words string) {
	c.t.Helper()
	failed, ok := c.do(body).(*job.Failed)
	if !ok || failed.Kind != kind || !strings.Contains(failed.Message, words) {
		c.t.Errorf("%T %.200s: got %+v, want Failed %s with %q", body, fmt.Sprintf("%+v", body), failed, kind, words)
	}
}

func sphere(frequency float64) *job.Generate {
	return &job.Generate{Kind: "sphere", Params: []job.Param{{Name: "frequency", Value: frequency}}}
}

// open opens a mesh and returns the paper's densities for it.
func (c *client) open(body job.Body) (*job.Loaded, *job.Measured) {
	c.t.Helper()
	loaded := ask[*job.Loaded](c, body)
	return loaded, ask[*job.Measured](c, &job.Measure{})
}

func stages(timings []job.Timing) (names []string) {
	for _, t := range timings {
		names = append(names, t.Stage)
	}
	return names
}

const twoTriangles = "v 0 0 0\nv 3 0 0\nv 0 4 0\nv 9 9 9\nv 10 9 9\nv 9 10 9\nv 7 7 7\nf 1 2 3\nf 4 5 6\n"

func TestLoad(t *testing.T) {
	c := newClient(t, engine.Options{})
	l := ask[*job.Loaded](c, &job.Load{Name: "two.obj", Data: []byte(twoTriangles)})
	if l.Name != "two.obj" || l.Format != "obj" || len(l.Positions) != 21 || !slices.Equal(l.Faces, []int32{0, 1, 2, 3, 4, 5}) {
		t.Errorf("loaded %+v", l)
	}
	r := l.Report
	if r.Vertices != 7 || r.Faces != 2 || r.Edges != 6 || r.Components != 2 || r.IsolatedVertices != 1 || r.EdgeMax != 5 || r.BoundaryLoops != 2 {
		t.Errorf("report %+v", r)
	}
	if got := stages(l.Timings); !slices.Equal(got, []string{"load", "graph", "topology"}) {
		t.Errorf("timings %v", l.Timings)
	}
	refuse(c, &job.Load{Name: "bad.obj", Data: []byte("v 0 0 0\nf 1 2 3\n")}, "input", "line 2")
	refuse(c, &job.Generate{Kind: "cube"}, "input", "cube")
	refuse(c, &job.Generate{Kind: "sphere", Params: []job.Param{{Name: "frequency", Value: math.NaN()}}}, "input", "frequency")
	// A failed opening leaves the mesh that was there.
	if p := ask[*job.Path](c, &job.Distance{From: 1, To: 2}); p.Length != 5 {
		t.Errorf("distance %+v", p)
	}
}

func TestLoadFindsBuffers(t *testing.T) {
	dir := shared.Path(t, "meshes", "draco__Fox")
	read := func(name string) []byte {
		data, err := os.ReadFile(dir + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	fox := &job.Load{Name: "Fox.gltf", Data: read("Fox.gltf")}
	refuse(newClient(t, engine.Options{}), fox, "input", "Fox.bin")
	onDisk := ask[*job.Loaded](newClient(t, engine.Options{Files: os.DirFS(dir)}), fox)
	fox.Files = []job.File{{Name: "dropped/Fox.bin", Data: read("Fox.bin")}}
	came := ask[*job.Loaded](newClient(t, engine.Options{}), fox)
	if onDisk.Report.Vertices != 290 || !slices.Equal(onDisk.Positions, came.Positions) {
		t.Errorf("%d vertices from disk, %d from memory, want 290", onDisk.Report.Vertices, came.Report.Vertices)
	}
}

func TestWithoutMeshOrPlan(t *testing.T) {
	c := newClient(t, engine.Options{})
	bodies := []job.Body{
		&job.Separate{}, &job.Measure{}, &job.Brush{}, &job.Distance{}, &job.Solve{}, &job.Apply{},
		&job.Partners{}, &job.Push{}, &job.Flow{}, &job.Sweep{}, &job.Decompose{},
	}
	for _, b := range bodies {
		refuse(c, b, "input", "no mesh")
	}
	ask[*job.Loaded](c, sphere(2))
	refuse(c, &job.Partners{}, "input", "nothing has been solved")
	refuse(c, &job.Push{Values: make([]float64, 42)}, "input", "nothing has been solved")
	refuse(c, &job.Flow{}, "input", "nothing has been solved")
	refuse(c, &job.Multiply{}, "input", "no part")
	refuse(c, &job.Progress{}, "input", "not a request")
	if _, ok := c.do(&job.Cancel{Request: 12345}).(*job.Cancelled); !ok {
		t.Error("Cancel of nothing is not answered by Cancelled")
	}
}

func TestSeparate(t *testing.T) {
	c := newClient(t, engine.Options{})
	l := ask[*job.Loaded](c, sphere(8))
	s := ask[*job.Separated](c, &job.Separate{Finder: "level-set", Depth: 3})
	if s.Finder != "level-set" || len(s.Cells) != l.Report.Vertices || !slices.Contains(stages(s.Timings), "tree") {
		t.Fatalf("separated %+v", s)
	}
	root := s.Nodes[0]
	if root.Parent != -1 || int(root.A+root.S+root.B) != l.Report.Vertices || root.S == 0 {
		t.Errorf("root %+v of %d vertices", root, l.Report.Vertices)
	}
	ends := make([]int32, len(s.Nodes)) // vertices that end in each node
	for _, cell := range s.Cells {
		ends[cell]++
	}
	for i, n := range s.Nodes {
		own := n.S
		if n.Left < 0 {
			own = n.A
			if n.S != 0 || n.B != 0 {
				t.Errorf("leaf %d: %+v", i, n)
			}
		} else if n.Depth >= 3 || s.Nodes[n.Left].Parent != int32(i) || s.Nodes[n.Right].Depth != n.Depth+1 {
			t.Errorf("node %d: %+v", i, n)
		}
		if ends[i] != own {
			t.Errorf("node %d: %+v, and %d vertices end there", i, n, ends[i])
		}
	}
	if again := ask[*job.Separated](c, &job.Separate{Finder: "level-set", Depth: 3}); len(again.Timings) != 0 || len(again.Nodes) != len(s.Nodes) {
		t.Errorf("the same tree is built again: %v", again.Timings)
	}
	refuse(c, &job.Separate{Finder: "scissors"}, "input", "scissors")
	refuse(c, &job.Separate{Balance: 0.9}, "input", "0.9")
	refuse(c, &job.Separate{Depth: -1}, "input", "-1")
}

func TestQuestions(t *testing.T) {
	c := newClient(t, engine.Options{})
	ask[*job.Loaded](c, sphere(6))
	m, err := generate.Make("sphere", map[string]float64{"frequency": 6})
	if err != nil {
		t.Fatal(err)
	}
	g, err := graph.FromMesh(m)
	if err != nil {
		t.Fatal(err)
	}
	dist := shortest.From(g, 17)
	b := ask[*job.Brushed](c, &job.Brush{Center: 17, Radius: 0.5})
	within := 0
	for _, d := range dist {
		if d <= 0.5 {
			within++
		}
	}
	if len(b.Vertices) != within || b.Vertices[0] != 17 || !slices.IsSorted(b.Distances) {
		t.Errorf("brush of %d vertices, want %d: %v", len(b.Vertices), within, b.Distances)
	}
	for i, v := range b.Vertices {
		if b.Distances[i] != dist[v] {
			t.Errorf("vertex %d at %g, want %g", v, b.Distances[i], dist[v])
		}
	}
	p := ask[*job.Path](c, &job.Distance{From: 17, To: 300})
	if p.Length != dist[300] || p.Vertices[0] != 17 || p.Vertices[len(p.Vertices)-1] != 300 {
		t.Errorf("path %+v, want length %g", p, dist[300])
	}
	for _, preset := range []string{"paper", "two-spots", "uniform", "area"} {
		d := ask[*job.Measured](c, &job.Measure{Preset: preset})
		for _, density := range [][]float64{d.Source, d.Target} {
			sum := 0.0
			for _, x := range density {
				sum += x
			}
			if len(density) != g.Len() || math.Abs(sum-1) > 1e-12 {
				t.Errorf("%s: %d values of total %g", preset, len(density), sum)
			}
		}
	}
	refuse(c, &job.Brush{Center: -1}, "input", "vertex -1")
	refuse(c, &job.Brush{Center: int32(g.Len())}, "input", fmt.Sprint(g.Len()))
	refuse(c, &job.Brush{Radius: -1}, "input", "radius -1")
	refuse(c, &job.Brush{Radius: math.NaN()}, "input", "radius NaN")
	refuse(c, &job.Distance{From: 0, To: math.MaxInt32}, "input", "2147483647")
	refuse(c, &job.Measure{Preset: "gauss"}, "input", "gauss")
	if all := ask[*job.Brushed](c, &job.Brush{Radius: math.Inf(1)}); len(all.Vertices) != g.Len() {
		t.Errorf("an endless brush reaches %d of %d vertices", len(all.Vertices), g.Len())
	}
	two := newClient(t, engine.Options{})
	ask[*job.Loaded](two, &job.Load{Name: "two.obj", Data: []byte(twoTriangles)})
	if p := ask[*job.Path](two, &job.Distance{From: 0, To: 3}); !math.IsInf(p.Length, 1) || len(p.Vertices) != 0 {
		t.Errorf("a path between components: %+v", p)
	}
}

func TestSameNumberTwice(t *testing.T) {
	c := newClient(t, engine.Options{})
	_, d := c.open(sphere(4))
	p := c.start(context.Background(), endless(d))
	p.wait(t, "solve")
	c.mu.Lock()
	c.last = p.id - 1
	c.mu.Unlock()
	refuse(c, &job.Brush{}, "input", "still running")
	c.do(&job.Cancel{Request: p.id})
	<-p.final
}

// endless is a solve that does not end by itself.
func endless(d *job.Measured) *job.Solve {
	return &job.Solve{Source: d.Source, Target: d.Target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.1)}, Tolerance: 1e-300, MaxIterations: math.MaxInt32}
}

// Nothing else waits for a solve, and a cancelled one ends at once.
func TestBesidesASolve(t *testing.T) {
	c := newClient(t, engine.Options{})
	_, d := c.open(sphere(10))
	ask[*job.Solved](c, &job.Solve{Source: d.Source, Target: d.Target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.1)}})
	p := c.start(context.Background(), endless(d))
	p.wait(t, "solve")
	waiting := c.start(context.Background(), &job.Push{Values: d.Source})
	waiting.wait(t, "waiting")
	ask[*job.Brushed](c, &job.Brush{Center: 3, Radius: 0.3})
	ask[*job.Path](c, &job.Distance{From: 3, To: 99})
	ask[*job.Partnered](c, &job.Partners{Vertex: 5, Top: 4})
	ask[*job.Measured](c, &job.Measure{})
	select {
	case b := <-p.final:
		t.Fatalf("the endless solve has ended: %+v", b)
	case b := <-waiting.final:
		t.Fatalf("Push did not wait for the solve: %+v", b)
	default:
	}
	for _, q := range []*pending{waiting, p} {
		start := shared.Processor()
		c.do(&job.Cancel{Request: q.id})
		final := <-q.final
		if took := shared.Processor().Sub(start); took > time.Second {
			t.Errorf("cancelled after %v of processors", took)
		}
		if _, ok := final.(*job.Cancelled); !ok {
			t.Errorf("cancelled, and answered %+v", final)
		}
	}
	// The plan from before is still there.
	ask[*job.Pushed](c, &job.Push{Values: d.Source})
}

// Cancelling ends a large job within 100 ms of one processor, whatever it is doing. The bar is
// held by the median: a single time says more about what else the machine does.
func TestCancelLatency(t *testing.T) {
	shared.OneProcessor(t)
	c := newClient(t, engine.Options{MemoryLimit: 8 << 30})
	_, d := c.open(sphere(14))
	for _, method := range []string{"exact", "dense"} {
		var times []time.Duration
		for k := range 9 {
			s := endless(d)
			s.Method, s.Epsilon = method, job.Fraction(0.01+0.001*float64(k)) // a kernel of its own
			p := c.start(context.Background(), s)
			<-p.heard // what has not begun cannot be cancelled
			time.Sleep(time.Duration(k) * 20 * time.Millisecond)
			start := shared.Processor()
			c.do(&job.Cancel{Request: p.id})
			final := <-p.final
			times = append(times, shared.Processor().Sub(start))
			if _, ok := final.(*job.Cancelled); !ok {
				t.Errorf("%s: cancelled, and answered %+v", method, final)
			}
		}
		slices.Sort(times)
		t.Logf("%s: cancelled after %v", method, times)
		if times[4] > 100*time.Millisecond {
			t.Errorf("%s: cancelled after %v in the median", method, times[4])
		}
	}
}

func TestCallersContextCancels(t *testing.T) {
	c := newClient(t, engine.Options{})
	_, d := c.open(sphere(4))
	ctx, cancel := context.WithCancel(context.Background())
	p := c.start(ctx, endless(d))
	p.wait(t, "solve")
	cancel()
	if _, ok := (<-p.final).(*job.Cancelled); !ok {
		t.Error("not cancelled")
	}
}

func TestOpeningEndsWhatRuns(t *testing.T) {
	c := newClient(t, engine.Options{})
	_, d := c.open(sphere(4))
	p := c.start(context.Background(), endless(d))
	p.wait(t, "solve")
	l := ask[*job.Loaded](c, sphere(3))
	if _, ok := (<-p.final).(*job.Cancelled); !ok {
		t.Error("a solve on the mesh before goes on")
	}
	if b := ask[*job.Brushed](c, &job.Brush{Radius: math.Inf(1)}); len(b.Vertices) != l.Report.Vertices {
		t.Errorf("the mesh has %d vertices, want %d", len(b.Vertices), l.Report.Vertices)
	}
	refuse(c, &job.Push{Values: make([]float64, l.Report.Vertices)}, "input", "nothing has been solved")
}

func TestPanicBecomesFailed(t *testing.T) {
	var log strings.Builder
	broken := false
	c := newClient(t, engine.Options{
		Now: func() time.Time {
			if broken {
				panic("the clock is broken")
			}
			return time.Now()
		},
		Logf: func(format string, args ...any) { fmt.Fprintf(&log, format, args...) },
	})
	_, d := c.open(sphere(2))
	broken = true
	failed, ok := c.do(&job.Solve{Source: d.Source, Target: d.Target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.2)}}).(*job.Failed)
	if !ok || failed.Kind != "internal" || !strings.Contains(failed.Message, "the clock is broken") || strings.Contains(failed.Message, "goroutine") {
		t.Errorf("a panic is answered by %+v", failed)
	}
	if !strings.Contains(log.String(), "goroutine") {
		t.Errorf("the stack is not in the log: %q", log.String())
	}
	broken = false
	ask[*job.Solved](c, &job.Solve{Source: d.Source, Target: d.Target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.2)}}) // and nothing is left locked
}

func TestProgressIsHeldBack(t *testing.T) {
	race.Alone(t)
	now := time.Unix(0, 0)
	c := newClient(t, engine.Options{Now: func() time.Time { return now }})
	_, d := c.open(sphere(8))
	events := 0
	c.e.Run(context.Background(), job.Request{ID: 77, Body: &job.Solve{Source: d.Source, Target: d.Target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.1)}}}, func(ev job.Event) {
		if _, ok := ev.Body.(*job.Progress); ok {
			events++
		}
	})
	if events != 7 { // one each for tree, labels, tiles, kernel, coarse, solve and examine, as no time passes
		t.Errorf("%d progress events while the clock stands still, want 7", events)
	}
}
