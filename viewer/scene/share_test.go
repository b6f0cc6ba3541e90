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
		"level=-1", "level=x", "level=100000", "eps=NaN", "eps=0", "eps=7", "cam=1,2", "cam=py,0,0,0,0,0,0",
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
