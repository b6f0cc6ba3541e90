package pool

import (
	"context"
	"fmt"
	"testing"

	"genussink/core/engine"
	"genussink/core/job"
)

// engines is a host whose Workers are engines. It counts what they read and lay out.
type engines struct {
	*browser
	stages map[string]int
}

// worked is a Worker with an engine, which answers on the host's clock.
type worked struct {
	fake
	host *engines
	e    *engine.Engine
}

func (h *engines) Start(heard Heard) (Conn, error) {
	w := &worked{fake: fake{heard: heard, lead: -1}, host: h, e: engine.New(engine.Options{})}
	return w, nil
}

func (w *worked) Post(id uint32, b job.Body) { w.frame(job.Encode(id, b)) }
func (w *worked) Forward(id uint32, f Frame) { w.Post(id, f.(frame).body) }
func (w *worked) Help(int, Conn)             {}

func (w *worked) frame(bytes []byte) {
	w.host.After(0, func() {
		id, body, err := job.Decode(bytes)
		if err != nil {
			w.host.t.Fatalf("%v", err)
		}
		if w.ended {
			return
		}
		w.e.Run(context.Background(), job.Request{ID: id, Body: body}, func(ev job.Event) {
			if p, ok := ev.Body.(*job.Progress); ok {
				w.host.stages[p.Stage]++
			}
			_, answer, _ := job.Decode(job.Encode(ev.ID, ev.Body)) // nothing is shared
			w.says(ev.ID, answer)
		})
	})
}

// A file is read and laid out once, whichever Workers start, die and work with it, and nobody keeps a second copy.
func TestMeshIsReadOnce(t *testing.T) {
	strip := "v 0 0 0\nv 0 1 0\n" // 10 squares in a row, each of two triangles
	for k := range 10 {
		a := 2*k + 1
		strip += fmt.Sprintf("v %d 0 0\nv %d 1 0\nf %d %d %d\nf %d %d %d\n", k+1, k+1, a, a+2, a+1, a+1, a+2, a+3)
	}
	for name, c := range map[string]struct {
		open  job.Body
		want  map[string]int
		edges int
	}{
		"mesh":      {&job.Load{Name: "a.obj", Data: []byte(strip)}, map[string]int{"load": 1}, 41},
		"graph":     {&job.Load{Name: "a.gr", Data: []byte("p tw 4 4\n1 2\n2 3\n3 4\n4 1\n")}, map[string]int{"load": 1, "layout": 1}, 4},
		"generated": {&job.Generate{Kind: "sphere", Params: []job.Param{{Name: "frequency", Value: 2}}}, map[string]int{"load": 1}, 120},
	} {
		h := &engines{browser: &browser{t: t, now: 1}, stages: map[string]int{}}
		got := map[uint32][]job.Body{}
		p := New(h, 2, func(e job.Event) { got[e.ID] = append(got[e.ID], e.Body) }, func(bool) {})
		var last uint32
		ask := func(b job.Body) job.Body {
			last++
			p.Send(job.Request{ID: last, Body: b})
			h.wait(1)
			if list := got[last]; len(list) > 0 {
				return list[len(list)-1]
			}
			return nil
		}
		if l, ok := ask(c.open).(*job.Loaded); !ok || l.Report.Edges != c.edges {
			t.Fatalf("%s: opened by %+v", name, got[last])
		}
		for _, b := range got[last] {
			if o, ok := b.(*job.Opened); ok && &o.Positions[0] != &p.mesh.Positions[0] {
				t.Errorf("%s: the mesh is kept twice", name)
			}
		}
		questions := func(when string) {
			for _, q := range []job.Body{&job.Distance{From: 0, To: 2}, &job.Separate{}, &job.Sweep{}} {
				if f, ok := ask(q).(*job.Failed); ok || got[last] == nil {
					t.Errorf("%s, %s: %T is answered %v", name, when, q, f)
				}
			}
		}
		questions("at first")
		for _, i := range []int{Interactive, Compute, p.study()} {
			p.workers[i].Conn.(*worked).heard.Crashed("it stopped")
			questions("replaced")
		}
		for stage, want := range c.want {
			if h.stages[stage] != want {
				t.Errorf("%s: stage %s %d times, want %d", name, stage, h.stages[stage], want)
			}
		}
		// The next mesh takes the place of this one.
		before := p.mesh
		ask(&job.Load{Name: "b.obj", Data: []byte(strip)})
		if p.mesh == before || p.mesh.Name != "b.obj" || p.Unfinished() != 0 {
			t.Errorf("%s: %s is kept, %d requests are under way", name, p.mesh.Name, p.Unfinished())
		}
	}
}
