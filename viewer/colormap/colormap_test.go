package colormap

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func draw(r *rapid.T) RGB {
	return Hex(uint32(rapid.IntRange(0, 0xFFFFFF).Draw(r, "colour")))
}

func near(a, b RGB, tolerance float64) bool {
	for k := range a {
		if math.Abs(float64(a[k])-float64(b[k])) > tolerance {
			return false
		}
	}
	return true
}

func TestConversionsLeadBack(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		c := draw(r)
		if got := FromLinear(c.Linear()); !near(got, c, 1e-6) {
			r.Fatalf("%v through linear light is %v", c, got)
		}
		if got := c.LCh().RGB(); !near(got, c, 2e-3) {
			r.Fatalf("%v through OKLab is %v", c, got)
		}
	})
}

func TestEncoderAgrees(t *testing.T) {
	e := NewEncoder()
	for i := -5; i <= 10005; i++ {
		x := float64(i) / 10000
		want, got := FromLinear([3]float64{x, x, x}), e.RGB([3]float32{float32(x), float32(x), float32(x)})
		if !near(want, got, 1e-3) {
			t.Fatalf("%g is encoded as %v, by table %v", x, want, got)
		}
	}
	if c := e.RGB([3]float32{float32(math.NaN()), float32(math.Inf(1)), 0}); c != (RGB{0, 1, 0}) {
		t.Errorf("NaN, Inf and 0 are encoded as %v", c)
	}
}

func TestKnownColours(t *testing.T) {
	// Ottosson's reference values of OKLab: white is L 1 without chroma, and
	// pure red is L 0.628, C 0.258, h 29.2 degrees.
	if w := Hex(0xFFFFFF).LCh(); math.Abs(w.L-1) > 1e-3 || w.C > 1e-3 {
		t.Errorf("white %+v", w)
	}
	if red := Hex(0xFF0000).LCh(); math.Abs(red.L-0.628) > 1e-3 || math.Abs(red.C-0.2577) > 1e-3 || math.Abs(red.H*180/math.Pi-29.23) > 0.2 {
		t.Errorf("red %+v", red)
	}
	if grey := Mix(Hex(0x000000), Hex(0xFFFFFF), 0.5); math.Abs(float64(grey[0])-0.7354) > 1e-3 {
		t.Errorf("half of black and white in linear light is %v", grey)
	}
	if !near(Left().RGB(), Hex(0x0072B2), 1e-3) || !near(Right().RGB(), Hex(0xE69F00), 1e-3) {
		t.Errorf("sides %v %v", Left().RGB(), Right().RGB())
	}
}

func TestMixStaysBetween(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		a, b := draw(r), draw(r)
		x := rapid.Float64Range(-0.5, 1.5).Draw(r, "t")
		m := Mix(a, b, x)
		for k := range m {
			if m[k] < min(a[k], b[k])-1e-6 || m[k] > max(a[k], b[k])+1e-6 {
				r.Fatalf("%g of %v in %v is %v", x, b, a, m)
			}
		}
	})
}

// The hierarchy can be read from the colours: every cell stays nearer to its
// own side's hue than to the other side's, and siblings differ, more so the
// nearer they are to the root.
func TestSplitKeepsTheHue(t *testing.T) {
	turn := func(a, b float64) float64 { return math.Abs(math.Remainder(a-b, 2*math.Pi)) }
	for name, root := range map[string]LCh{"left": Left(), "right": Right()} {
		other := Right()
		if name == "right" {
			other = Left()
		}
		before := math.Inf(1)
		cells := []LCh{root}
		for depth := 1; depth <= 5; depth++ {
			var next []LCh
			for _, c := range cells {
				a, b := Split(c, depth)
				next = append(next, a, b)
			}
			gap := next[1].L - next[0].L
			if gap <= 0 || gap > before+1e-9 {
				t.Errorf("%s, depth %d: siblings differ by %g, their parents by %g", name, depth, gap, before)
			}
			before = gap
			for _, c := range next {
				h := c.RGB().LCh()
				if turn(h.H, root.H) > turn(h.H, other.H)/2 {
					t.Errorf("%s, depth %d: hue %g, the side's is %g", name, depth, h.H, root.H)
				}
			}
			cells = next
		}
	}
}

// seen is a colour as people without one kind of cone see it: Machado,
// Oliveira and Fernandes (2009), severity 1, in linear light.
func seen(c RGB, by [3][3]float64) RGB {
	l := c.Linear()
	var out [3]float64
	for i, row := range by {
		for k, w := range row {
			out[i] += w * l[k]
		}
	}
	return FromLinear(out)
}

func difference(a, b RGB) float64 {
	x, y := a.LCh(), b.LCh()
	da := x.C*math.Cos(x.H) - y.C*math.Cos(y.H)
	db := x.C*math.Sin(x.H) - y.C*math.Sin(y.H)
	return math.Sqrt((x.L-y.L)*(x.L-y.L) + da*da + db*db)
}

func TestMeaningsAreToldApartByEveryone(t *testing.T) {
	visions := map[string][3][3]float64{
		"usual":        {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
		"protanopia":   {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
		"deuteranopia": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
		"tritanopia":   {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
	}
	left, right := Left().RGB(), Right().RGB()
	pairs := map[string][2]RGB{
		"A and B":                  {left, right},
		"source and target":        {Source(), Target()},
		"source and A":             {Source(), left},
		"target and A":             {Target(), left},
		"target and B":             {Target(), right},
		"mass and A":               {Moving(), left},
		"mass and target":          {Moving(), Target()},
		"separator and B, dark":    {Separator(Dark), right},
		"separator and A, light":   {Separator(Light), left},
		"separator and seam":       {Separator(Dark), Seam(Dark)},
		"separator and seam,light": {Separator(Light), Seam(Light)},
	}
	for i := range Components + 1 {
		for j := range i {
			pairs[fmt.Sprintf("components %d and %d", j, i)] = [2]RGB{Component(j), Component(i)}
		}
		if c := Component(i).LCh(); c.C > 0.1 {
			t.Errorf("component %d is loud: chroma %.2f", i, c.C)
		}
	}
	// 0.1 in OKLab is about five just noticeable differences.
	for vision, matrix := range visions {
		for pair, c := range pairs {
			if d := difference(seen(c[0], matrix), seen(c[1], matrix)); d < 0.1 {
				t.Errorf("%s: %s differ by %.3f", vision, pair, d)
			}
		}
	}
}

// An amount has one hue. The more there is, the brighter it is on dark and the deeper on light; none hides nothing.
func TestAmount(t *testing.T) {
	for name, peak := range map[string]RGB{"source": Source(), "target": Target(), "moving": Moving(), "between": Between()} {
		for _, theme := range []Theme{Dark, Light} {
			if _, opacity := Amount(peak, theme, 0); opacity != 0 {
				t.Errorf("%s: none hides %g of what is under it", name, opacity)
			}
			before := -1.0
			for i := 10; i <= 100; i++ {
				c, opacity := Amount(peak, theme, float64(i)/100)
				lch := c.LCh()
				brighter := lch.L
				if theme == Light {
					brighter = -lch.L
				}
				if off := math.Remainder(lch.H-peak.LCh().H, 2*math.Pi); opacity != 1 || math.Abs(off) > 0.15 || i > 10 && brighter <= before {
					t.Errorf("%s, theme %d, %d %%: %+v, off in hue by %.2f, opacity %g, before %.3f", name, theme, i, lch, off, opacity, before)
				}
				before = brighter
			}
		}
	}
}

func TestViridisGrowsLighter(t *testing.T) {
	before := -1.0
	for i := range 101 {
		l := Viridis(float64(i) / 100).LCh().L
		if l <= before {
			t.Errorf("at %d %% lightness %g after %g", i, l, before)
		}
		before = l
	}
	if Viridis(-3) != Viridis(0) || Viridis(7) != Viridis(1) || Viridis(0) != Hex(0x440154) || Viridis(1) != Hex(0xFDE725) {
		t.Error("the ends are not the table's")
	}
	if c := Viridis(math.NaN()); c[0] != c[1] || c[1] != c[2] {
		t.Errorf("what is not a number is %v", c)
	}
}

// The page's stylesheet has the picture's colours.
func TestStylesheet(t *testing.T) {
	css, err := os.ReadFile("../../web/style.css")
	if err != nil {
		t.Fatal(err)
	}
	hex := func(c RGB) string {
		return fmt.Sprintf("#%02x%02x%02x", int(255*c[0]+0.5), int(255*c[1]+0.5), int(255*c[2]+0.5))
	}
	for name, want := range map[string]string{
		"a": hex(Left().RGB()), "b": hex(Right().RGB()), "s": "light-dark(" + hex(Separator(Light)) + ", " + hex(Separator(Dark)) + ")",
		"source": hex(Source()), "target": hex(Target()), "gold": hex(Moving()),
	} {
		if line := "  --" + name + ": " + want + ";\n"; !strings.Contains(string(css), line) {
			t.Errorf("the stylesheet lacks %q", line)
		}
	}
}
