package scene

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"genussink/core/job"
	"genussink/viewer/camera"
)

func TestLinkLeadsBack(t *testing.T) {
	r := ready(t)
	r.s.OpenFile("spot.obj", nil, nil, "meshes/a b&c=d.glb")
	r.run()
	r.s.Level(2)
	r.s.Epsilon(0.0375)
	r.s.Method("dense")
	pose := camera.Pose{Yaw: 1.25, Pitch: -0.5, Size: 0.5, Target: [3]float64{0.125, 0, -0.25}, Orthographic: true, Up: camera.Z}
	r.s.Camera().Set(pose)
	text := r.s.Link().Encode()
	sh, err := DecodeShare("?" + text)
	if err != nil {
		t.Fatal(err)
	}
	if sh.Mesh != "meshes/a b&c=d.glb" || sh.Level != 2 || sh.Epsilon != 0.0375 || sh.Method != "dense" || *sh.Camera != pose {
		t.Errorf("%s gives %+v, camera %+v", text, sh, sh.Camera)
	}
	// Another page shows the same thing.
	other := &rig{t: t, s: New(), mesh: grid(9, 7)}
	other.s.Restore(sh)
	other.s.OpenFile("spot.obj", nil, nil, sh.Mesh)
	other.run()
	if got := other.s.Link().Encode(); got != text {
		t.Errorf("restored link %s, want %s", got, text)
	}
	if st := other.s.State(); st.View.Up != "z" || !st.View.Orthographic || st.Separation.Level != 2 {
		t.Errorf("restored %+v", st.View)
	}
}

// A link carries the balance, and the separation taken from the list: the list is
// made before the tree, which then is asked for once.
func TestLinkCarriesTheSeparation(t *testing.T) {
	r := ready(t)
	r.s.OpenFile("spot.obj", nil, nil, "spot")
	r.run()
	r.s.Balance(0.25)
	r.s.Sweep()
	r.run()
	r.s.Take(1)
	r.run()
	link := r.s.Link()
	text := link.Encode()
	if !strings.Contains(text, "balance=0.25&cut=2.10&") || !strings.HasPrefix(text, "v=2&") {
		t.Errorf("link %s", text)
	}
	restored := func(sh Share, mesh *job.Loaded) *rig {
		other := &rig{t: t, s: New(), mesh: mesh}
		other.s.Restore(sh)
		other.s.OpenFile("spot.obj", nil, nil, sh.Mesh)
		return other
	}
	sh, err := DecodeShare(text)
	if err != nil {
		t.Fatal(err)
	}
	other := restored(sh, grid(9, 7))
	id, _ := one[*job.Load](other)
	other.answer(id, other.mesh)
	if got := other.s.Link().Encode(); !strings.Contains(got, "cut=2.10") {
		t.Errorf("while the list is made the link is %s", got)
	}
	for _, q := range other.take() {
		if _, sweep := q.Body.(*job.Sweep); !sweep {
			if _, measure := q.Body.(*job.Measure); !measure {
				t.Errorf("asks for %T before the list is there", q.Body)
			}
		}
	}
	other = restored(sh, grid(9, 7))
	other.run()
	trees := 0
	for _, q := range other.seen {
		if b, ok := q.Body.(*job.Separate); ok {
			trees++
			if b.Balance != 0.25 || len(b.Root) != 63 || b.Root[0] != 2 {
				t.Errorf("asked for %+v", b)
			}
		}
	}
	if st := other.s.State(); trees != 1 || st.Separation.Taken != 1 || st.Separation.Balance != 0.25 || !st.Separation.Swept || st.Transport.Result == nil || len(st.Mesh.Warnings) != 0 {
		t.Errorf("%d trees, %+v, warnings %v", trees, st.Separation, st.Mesh.Warnings)
	}
	if got := other.s.Link().Encode(); got != text {
		t.Errorf("restored link %s, want %s", got, text)
	}

	// A cut that the mesh has not: the finder's own, with a word about it.
	gone := sh
	gone.Cut.smaller++
	other = restored(gone, grid(9, 7))
	other.run()
	if st := other.s.State(); st.Separation.Taken != -1 || st.Transport.Result == nil || len(st.Mesh.Warnings) != 1 {
		t.Errorf("without the cut: %+v, warnings %v", st.Separation, st.Mesh.Warnings)
	}
	// Several components have no one root.
	parts := grid(9, 7)
	parts.Report.Components = 2
	other = restored(sh, parts)
	other.run()
	if st := other.s.State(); st.Separation.Swept || st.Transport.Result == nil {
		t.Errorf("of two components: %+v", st.Separation)
	}
	// No list: a tree none the less. Another finder meanwhile: no cut.
	for name, act := range map[string]func(r *rig, sweep uint32){
		"failed":    func(r *rig, sweep uint32) { r.answer(sweep, &job.Failed{Kind: "input", Message: "none"}) },
		"cancelled": func(r *rig, sweep uint32) { r.answer(sweep, &job.Cancelled{}) },
		"overruled": func(r *rig, sweep uint32) { r.s.Finder("level-set") },
	} {
		other = restored(sh, grid(9, 7))
		id, _ := one[*job.Load](other)
		other.answer(id, other.mesh)
		out := other.take()
		act(other, out[0].ID)
		out = other.take()
		if len(out) != 1 {
			t.Fatalf("%s: %v", name, kinds(out))
		}
		if b, ok := out[0].Body.(*job.Separate); !ok || b.Root != nil {
			t.Errorf("%s: %v", name, kinds(out))
		}
		if got := other.s.Link(); got.Cut != (cutSize{}) {
			t.Errorf("%s: the link keeps the cut %v", name, got.Cut)
		}
	}
}

// Links of before they said their version mean what they meant.
func TestOldLinks(t *testing.T) {
	old, err := DecodeShare("mesh=cat&level=2&finder=genus&method=certified&eps=0.05&delta=0.02&cam=py,0.1,0.2,0.9,0,0,0")
	if err != nil {
		t.Fatal(err)
	}
	now, err := DecodeShare(old.Encode())
	if err != nil || !reflect.DeepEqual(now, old) || old.Mesh != "cat" || old.Level != 2 || old.Finder != "genus" || old.Balance != 0 || old.Cut != (cutSize{}) {
		t.Errorf("%+v, again %+v, %v", old, now, err)
	}
}

func TestLinkToAGenerator(t *testing.T) {
	s := New()
	s.OpenGenerated("torus", []job.Param{{Name: "major radius", Value: 1.5}, {Name: "n", Value: 40}})
	for _, q := range s.Outbox() {
		s.Handle(job.Event{ID: q.ID, Body: grid(3, 3)})
	}
	sh, err := DecodeShare("#" + s.Link().Encode())
	if err != nil {
		t.Fatal(err)
	}
	if sh.Kind != "torus" || !reflect.DeepEqual(sh.Params, []job.Param{{Name: "major radius", Value: 1.5}, {Name: "n", Value: 40}}) {
		t.Errorf("%+v", sh)
	}
}

func TestLinksThatMakeNoSense(t *testing.T) {
	for _, text := range []string{
		"v=0", "v=3", "v=x", "balance=0", "balance=0.6", "balance=NaN", "cut=", "cut=3", "cut=0.5", "cut=5.0", "cut=a.b", "cut=99999999999.1", "level=-1", "level=x", "level=100000", "eps=NaN", "eps=0", "eps=7", "cam=1,2", "cam=py,0,0,0,0,0,0",
		"cam=qy,0,0,1,0,0,0", "cam=pw,0,0,1,0,0,0", "cam=py,0,9,1,0,0,0", "cam=py,Inf,0,1,0,0,0", "mesh=%zz", "p.n=one",
		strings.Repeat("a", maxShare+1), strings.Repeat("p.a=1&", maxParams+1),
	} {
		if sh, err := DecodeShare(text); err == nil {
			t.Errorf("%.40s: no error, %+v", text, sh)
		} else if sh.Camera != nil || sh.Level != -1 {
			t.Errorf("%.40s: an error and something else: %+v", text, sh)
		}
	}
	for _, text := range []string{"", "?", "#", "other=1", "mesh=bunny&unknown"} {
		if _, err := DecodeShare(text); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// Whatever decodes must encode to something that decodes to the same.
func FuzzDecodeShare(f *testing.F) {
	f.Add("mesh=a%20b&level=3&eps=0.01&method=exact&cam=py,0.1,0.2,0.9,0,0,0")
	f.Add("#make=torus&p.n=40&p.%72=0.5&finder=level-set")
	f.Add("v=2&balance=0.25&cut=31.402&v=1")
	f.Add("cam=oz,-1e-3,1,20,10,-10,0&p.=0")
	f.Fuzz(func(t *testing.T, text string) {
		sh, err := DecodeShare(text)
		if err != nil {
			return
		}
		if sh.Camera != nil {
			c := sh.Camera
			for _, x := range []*float64{&c.Yaw, &c.Pitch, &c.Size, &c.Target[0], &c.Target[1], &c.Target[2]} {
				if math.IsNaN(*x) || math.IsInf(*x, 0) {
					t.Fatalf("%q: camera %+v", text, c)
				}
			}
			if !c.Valid() {
				t.Fatalf("%q: camera %+v", text, c)
			}
		}
		again := sh.Encode()
		if len(again) > maxShare {
			return // escapes make it longer than what is read back
		}
		back, err := DecodeShare(again)
		if err != nil {
			t.Fatalf("%q: %q: %v", text, again, err)
		}
		if third := back.Encode(); third != again {
			t.Fatalf("%q: %q, then %q", text, again, third)
		}
	})
}
