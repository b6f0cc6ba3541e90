package session

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"genussink/core/job"
)

// full is a session that says everything, its painting of n dabs.
func full(n int) *Session {
	rng := rand.New(rand.NewPCG(3, 4))
	stroke := job.Step{Kind: job.StrokeTarget, Radius: 0.1234567890123, Strength: 0.7}
	for range n {
		stroke.Centres = append(stroke.Centres, rng.Int32N(1000))
	}
	values := job.Step{Kind: job.StepValues, Source: make([]float64, 1000), Target: make([]float64, 1000)}
	for v := range 30 {
		values.Source[v], values.Target[999-v] = rng.ExpFloat64(), rng.ExpFloat64()
	}
	return &Session{
		Mesh: "meshes/a b&c=d.glb",
		File: &job.Load{
			Name: "<b>.gltf", Data: []byte("mesh\x00\xff"), Weld: 0.5, Space: true,
			Files: []job.File{{Name: "a.bin", Data: []byte{1, 2}}, {Name: "empty", Data: []byte{}}},
		},
		Level: 3, Finder: "genus", Balance: 0.25, Cut: Cut{31, 402}, Method: "certified", Kernel: "gauss:s=2", Reach: 0.5, Debias: true, Epsilon: 0.0375, Delta: 1.0 / 3, Depth: 4,
		Repairs: []string{"weld", "orient", "weld"}, Unit: "µm", Radius: 0.05, Strength: 0.25, On: []string{"wireframe"}, Off: []string{"smooth", "flow"}, Mass: "density", Speed: 2, Moment: 0.25, Cell: 5, Bag: "widest", Gone: 17, Field: Field{"distance", 12}, Task: "inspect", Section: Section{"view", 1. / 3},
		Kept: []Kept{
			{&Painting{Vertices: 1000, First: 1, Now: 1, Steps: []job.Step{{Kind: job.StepMeasure, Measure: job.Measure{Preset: "paper"}}}}, true, 0.25},
			{&Painting{Vertices: 1000, First: 2, Now: 2, Steps: []job.Step{{Kind: job.StepClear}, {Kind: job.StrokeSource, Radius: 1, Strength: 1, Centres: []int32{3, 4}}}}, false, 0.75},
		},
		Camera: &Camera{Yaw: 1.25, Pitch: -0.5, Size: 0.5, Target: [3]float64{0.125, 0, -0.25}, Orthographic: true, Up: 2},
		Painting: &Painting{Vertices: 1000, First: 1, Now: 5, Steps: []job.Step{
			values, {Kind: job.StrokeErase, Radius: 2, Strength: 1, Centres: []int32{999, 0, 5}}, {Kind: job.StepSwap},
			{Kind: job.StepMeasure, Measure: job.Measure{Preset: "two-spots", Components: "largest"}}, stroke, {Kind: job.StepBalance}, {Kind: job.StepClear},
			{Kind: job.StrokeSource, Radius: math.SmallestNonzeroFloat64, Strength: 0, Centres: []int32{7}},
			{Kind: job.StrokeSmooth, Radius: 1, Strength: 0.5, Centres: []int32{1, 0, 9}, Pressures: []byte{255, 0, 17}},
			{Kind: job.StrokeTarget, Strength: 1, Fill: true, Anew: true, Centres: []int32{4, 5, 999}},
			{Kind: job.StrokeSource, Strength: 1, Anew: true, Centres: []int32{4}, Pressures: []byte{7}},
		}},
	}
}

// plain forgets what a painting remembers of how it was asked for.
func plain(s *Session) *Session {
	if s.Painting != nil {
		s.Painting.packed, s.Painting.outcome = nil, nil
	}
	for _, k := range s.Kept {
		k.Painting.packed = nil
	}
	return s
}

// A file brings everything back, floats bit for bit.
func TestFileLeadsBack(t *testing.T) {
	for _, s := range []*Session{full(40), {Level: -1}, {Level: -1, Kind: "torus", Params: []job.Param{{Name: "a b", Value: 1e-3}}}, {Level: 0, File: &job.Load{Name: "x.obj", Data: []byte{}}}} {
		data := Encode(s)
		back, err := Decode(data)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(back, plain(s)) {
			t.Errorf("%+v\ncame back as\n%+v", s, back)
		}
		// Whatever is missing or left over at the end is noticed.
		for n := range data {
			if _, err := Decode(data[:n]); err == nil {
				t.Fatalf("%d of %d bytes are a session", n, len(data))
			}
		}
		if _, err := Decode(append(bytes.Clone(data), 0)); err == nil || !strings.Contains(err.Error(), "after the session") {
			t.Errorf("a byte more: %v", err)
		}
	}
}

// A link carries the settings and the densities, without mesh and way back, as
// long as it stays short.
func TestLinkLeadsBack(t *testing.T) {
	s := full(300)
	text, whole := s.Link()
	if !whole || len(text) > MaxLink {
		t.Fatalf("%d characters, whole %t", len(text), whole)
	}
	back, err := ParseLink("?" + text)
	if err != nil {
		t.Fatal(err)
	}
	want := *s
	want.File = nil
	want.Painting = &Painting{Vertices: 1000, First: 2, Now: 2, Steps: s.Painting.Steps[3:5]}
	if !reflect.DeepEqual(plain(back), plain(&want)) {
		t.Errorf("%+v\ncame back as\n%+v", want, *back)
	}
	long := full(5000)
	text, whole = long.Link()
	if whole || strings.Contains(text, "paint=") || len(text) > MaxLink {
		t.Errorf("5000 dabs: %d characters, whole %t", len(text), whole)
	}
	// What every mesh begins with need not be said.
	s.Painting = &Painting{Vertices: 9, First: 1, Now: 1, Steps: []job.Step{{Kind: job.StepMeasure, Measure: job.Measure{Preset: First}}}}
	if text, whole = s.Link(); !whole || strings.Contains(text, "paint=") {
		t.Errorf("%s", text)
	}
}

// Settings may be too long for a link. A file holds them all the same.
func TestFileOfLongSettings(t *testing.T) {
	s := &Session{Level: -1, Mesh: "https://example.org/" + strings.Repeat("a", MaxLink)}
	back, err := Decode(Encode(s))
	if err != nil || !reflect.DeepEqual(back, s) {
		t.Errorf("%v, %v", back, err)
	}
}

// A camera that was turned round and round looks from where it did.
func TestCameraTurnsBack(t *testing.T) {
	text, _ := (&Session{Level: -1, Camera: &Camera{Yaw: 0.5 + 300*math.Pi, Size: 1}}).Link()
	back, err := ParseLink(text)
	if err != nil || math.Abs(back.Camera.Yaw-0.5) > 1e-3 {
		t.Errorf("%s: %+v, %v", text, back, err)
	}
}

// Links of before mean what they meant.
func TestOldLinks(t *testing.T) {
	for _, text := range []string{
		"mesh=cat&level=2&finder=genus&method=certified&eps=0.05&delta=0.02&cam=py,0.1,0.2,0.9,0,0,0",
		"v=2&mesh=cat&level=2&finder=genus&method=certified&eps=0.05&delta=0.02&cam=py,0.1,0.2,0.9,0,0,0",
	} {
		old, err := ParseLink(text)
		if err != nil {
			t.Fatal(err)
		}
		now, _ := old.Link()
		again, err := ParseLink(now)
		if err != nil || !reflect.DeepEqual(again, old) || old.Mesh != "cat" || old.Level != 2 || old.Finder != "genus" || old.Epsilon != 0.05 || old.Balance != 0 || old.Cut != (Cut{}) || old.Painting != nil {
			t.Errorf("%+v, again %+v, %v", old, again, err)
		}
	}
}

// A task in a link that a person types stands for what it shows, but for what the link says otherwise. A page's link says all of it.
func TestTypedTask(t *testing.T) {
	for text, want := range map[string][2][]string{
		"task=separators":                {{"split"}, {"densities", "flow"}},
		"task=separators&on=densities":   {{"densities", "split"}, {"flow"}},
		"task=inspect&off=flow,smooth":   {nil, {"flow", "smooth", "densities"}},
		"task=treewidth":                 {nil, {"densities", "flow"}},
		"task=transport":                 {nil, nil},
		"":                               {nil, nil},
		"v=3&task=separators":            {nil, nil},
		"v=3&task=separators&on=arrows":  {{"arrows"}, nil},
		"v=3&on=split&off=densities":     {{"split"}, {"densities"}},
		"task=separators&off=split,loop": {nil, {"split", "loop", "densities", "flow"}},
	} {
		s, err := ParseLink(text)
		if err != nil || !slices.Equal(s.On, want[0]) || !slices.Equal(s.Off, want[1]) {
			t.Errorf("%q: on %q, off %q, %v; want %q", text, s.On, s.Off, err, want)
		}
	}
}

// A value that makes no sense is left out and told of; the rest of the link counts. A later version is an error, and a text too long.
func TestLinksThatMakeNoSense(t *testing.T) {
	var parameters strings.Builder
	for i := range maxParams + 1 {
		fmt.Fprintf(&parameters, "p.a%d=1&", i)
	}
	for _, text := range []string{
		"balance=0", "balance=0.6", "balance=NaN", "cut=", "cut=3", "cut=0.5", "cut=5.0", "cut=a.b", "cut=99999999999.1", "level=-1", "level=x", "level=100000",
		"eps=NaN", "eps=0", "eps=-1", "delta=0", "depth=0", "depth=1001", "depth=x", "cam=1,2", "cam=qy,0,0,1,0,0,0", "cam=pw,0,0,1,0,0,0", "cam=py,Inf,0,1,0,0,0", "mesh=%zz", "p.n=one",
		"brush=1", "brush=0,1", "brush=1,2", "on=", "off=everything", "speed=0", "at=0", "at=2", "cell=0", "cell=x", "field=distance,x", "field=distance,-1", "paint=!", "paint=AAAA",
		parameters.String(),
	} {
		s, err := ParseLink("v=3&eps=0.25&" + text)
		if err != nil || s.Epsilon != 0.25 || len(s.Odd) == 0 || !strings.Contains(strings.Join(s.Odd, " "), "left out") {
			t.Errorf("%.40s: %v, %+v", text, err, s)
			continue
		}
		if again, _ := s.Link(); !strings.HasPrefix(text, "p.a") && again != "v=3&eps=0.25" {
			t.Errorf("%s: the rest is %s", text, again)
		}
	}
	for _, text := range []string{"v=0", "v=4", "v=x", strings.Repeat("a", MaxLink+2)} {
		if s, err := ParseLink(text); err == nil || s != nil {
			t.Errorf("%.40s: %v, %+v", text, err, s)
		}
	}
	for _, text := range []string{"", "?", "#", "other=1", "mesh=bunny&unknown"} {
		if _, err := ParseLink(text); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// A painting that no page makes is refused with what is wrong and where.
func TestPaintingsThatMakeNoSense(t *testing.T) {
	for want, change := range map[string]func(p *Painting){
		"on 0 vertices":            func(p *Painting) { p.Vertices, p.Steps = 0, nil; p.First, p.Now = 0, 0 },
		"stands at 19":             func(p *Painting) { p.Now = 19 },
		"goes back to 3":           func(p *Painting) { p.First, p.Now = 3, 2 },
		"step 2 of the painting":   func(p *Painting) { p.Steps[1].Strength = 2 },
		"radius NaN":               func(p *Painting) { p.Steps[1].Radius = math.NaN() },
		"vertex 1000 of 1000":      func(p *Painting) { p.Steps[1].Centres = []int32{1000} },
		"source at vertex 7 is -1": func(p *Painting) { p.Steps[0].Source[7] = -1 },
		"target at vertex 0 is":    func(p *Painting) { p.Steps[0].Target[0] = math.Inf(1) },
	} {
		s := full(4)
		change(s.Painting)
		if _, err := Decode(Encode(s)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// A painting that inflates without end is stopped.
func TestInflatesWithinLimits(t *testing.T) {
	bomb := deflated(make([]byte, maxPainting+1))
	if len(bomb) > 1<<20 {
		t.Fatalf("%d bytes", len(bomb))
	}
	if _, err := decodePainting(bomb); err == nil || !strings.Contains(err.Error(), "more than") {
		t.Errorf("%d bytes of zeros: %v", maxPainting+1, err)
	}
}

// Whatever parses must be written as something that parses to the same.
func FuzzParseLink(f *testing.F) {
	f.Add("mesh=a%20b&level=3&eps=0.01&method=exact&cam=py,0.1,0.2,0.9,0,0,0")
	f.Add("#make=torus&p.n=40&p.%72=0.5&finder=level-set")
	f.Add("v=2&balance=0.25&cut=31.402&v=1")
	f.Add("cam=oz,-1e-3,1,20,10,-10,0&p.=0")
	text, _ := full(5).Link()
	f.Add(text)
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseLink(text)
		if err != nil {
			return
		}
		again, whole := s.Link()
		if !whole || len(again) > MaxLink {
			return // escapes make it longer than what is read back
		}
		back, err := ParseLink(again)
		if err != nil {
			t.Fatalf("%q: %q: %v", text, again, err)
		}
		if third, _ := back.Link(); third != again {
			t.Fatalf("%q: %q, then %q", text, again, third)
		}
	})
}

// Whatever decodes is encoded as something that decodes to the same.
func FuzzDecode(f *testing.F) {
	f.Add(Encode(full(5)))
	f.Add(Encode(&Session{Level: -1, Kind: "torus", Params: []job.Param{{Name: "n", Value: 4}}}))
	f.Add([]byte(magic))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Decode(data)
		if err != nil {
			return
		}
		again := Encode(s)
		back, err := Decode(again)
		if err != nil {
			t.Fatalf("%q: %v", again, err)
		}
		if third := Encode(back); !bytes.Equal(third, again) {
			t.Fatalf("%q, then %q", again, third)
		}
	})
}

// Likewise of a painting alone, whose compression hides it from FuzzDecode.
func FuzzPainting(f *testing.F) {
	f.Add([]byte("\x09\x00\x01\x01\x00\x05paper"))
	f.Add([]byte("\x09\x00\x02\x02\x04\x05"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := decodePainting(deflated(data))
		if err != nil {
			return
		}
		back, err := decodePainting(encodePainting(p))
		p.packed = nil
		if err != nil || !reflect.DeepEqual(back, p) {
			t.Fatalf("%+v, then %+v: %v", p, back, err)
		}
	})
}
