package camera

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"pgregory.net/rapid"
)

func pose(r *rapid.T) Pose {
	f := func(name string, lo, hi float64) float64 { return rapid.Float64Range(lo, hi).Draw(r, name) }
	return Pose{
		Yaw: f("yaw", -4, 4), Pitch: f("pitch", -1.5, 1.5), Size: math.Exp(f("log size", -4, 0)),
		Target:       [3]float64{f("x", -1, 1), f("y", -1, 1), f("z", -1, 1)},
		Orthographic: rapid.Bool().Draw(r, "orthographic"), Up: Axis(rapid.IntRange(0, 2).Draw(r, "up")),
	}
}

func at(p Pose) *Camera {
	c := New()
	c.Set(p)
	return c
}

func point(r *rapid.T) [3]float64 {
	f := func(name string) float64 { return rapid.Float64Range(-0.57, 0.57).Draw(r, name) }
	return [3]float64{f("px"), f("py"), f("pz")}
}

func size(r *rapid.T) (w, h float64) {
	return float64(rapid.IntRange(400, 3000).Draw(r, "width")), float64(rapid.IntRange(400, 3000).Draw(r, "height"))
}

func TestUnprojectUndoesProject(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		w, h := size(r)
		l := at(pose(r)).Lens(w, h)
		p := point(r)
		x, y, z := l.Project(p)
		if z <= 1e-3 {
			return
		}
		back := l.Unproject(x, y, z)
		o, d := l.Ray(x, y)
		along := 0.0
		for k := range p {
			along += (p[k] - o[k]) * d[k]
		}
		for k := range p {
			if math.Abs(back[k]-p[k]) > 1e-9 || math.Abs(o[k]+d[k]*along-p[k]) > 1e-9 {
				r.Fatalf("%v appears at (%g, %g, %g), which leads back to %v; its ray starts at %v along %v", p, x, y, z, back, o, d)
			}
		}
	})
}

func TestMatricesAgree(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		w, h := size(r)
		l := at(pose(r)).Lens(w, h)
		p := point(r)
		x, y, z := l.Project(p)
		if z <= l.Near {
			return
		}
		clip := l.Projection().Mul4(l.View()).Mul4x1(mgl64.Vec4{p[0], p[1], p[2], 1})
		gx, gy := (clip[0]/clip[3]+1)/2*w, (1-clip[1]/clip[3])/2*h
		tolerance := 1e-6 * (1 + math.Abs(x) + math.Abs(y))
		if math.Abs(gx-x) > tolerance || math.Abs(gy-y) > tolerance {
			r.Fatalf("projected to (%g, %g), the matrices say (%g, %g)", x, y, gx, gy)
		}
	})
}

func TestDepthIsLinearOnTheScreen(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		w, h := size(r)
		l := at(pose(r)).Lens(w, h)
		p, q := point(r), point(r)
		x0, _, z0 := l.Project(p)
		x1, _, z1 := l.Project(q)
		if z0 < l.Near || z1 < l.Near || math.Abs(x1-x0) < 1e-3 {
			return
		}
		var m [3]float64
		for k := range m {
			m[k] = (p[k] + q[k]) / 2
		}
		xm, _, zm := l.Project(m)
		s := (xm - x0) / (x1 - x0)
		want := l.Depth(z0) + s*(l.Depth(z1)-l.Depth(z0))
		if d := math.Abs(l.Depth(zm) - want); d > 1e-7 {
			r.Fatalf("depth in between is off by %g", d)
		}
		if d := l.Depth(z0); d < -1e-9 || d > 1+1e-9 {
			r.Fatalf("depth %g of a point in the unit ball", d)
		}
	})
}

func TestUpIsUp(t *testing.T) {
	for axis, up := range [][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}} {
		for _, ortho := range []bool{false, true} {
			p := Home()
			p.Up, p.Orthographic = Axis(axis), ortho
			l := at(p).Lens(800, 600)
			x0, y0, _ := l.Project([3]float64{})
			x1, y1, _ := l.Project(up)
			if math.Abs(x0-400) > 1e-9 || math.Abs(y0-300) > 1e-9 {
				t.Errorf("the target appears at (%g, %g)", x0, y0)
			}
			if math.Abs(x1-x0) > 1e-6 || y1 >= y0 {
				t.Errorf("up %c leads from (%g, %g) to (%g, %g)", "xyz"[axis], x0, y0, x1, y1)
			}
			// A right-handed frame: the mesh is not mirrored.
			r, u, f := mgl64.Vec3(l.Right), mgl64.Vec3(l.Up), mgl64.Vec3(l.Forward)
			if d := r.Cross(u).Add(f).Len(); d > 1e-12 {
				t.Errorf("frame %v %v %v is not right-handed", r, u, f)
			}
		}
	}
}

// Whatever axis is up, a camera that turns towards a side stands there, but for the poles. One that sees the side already stays.
func TestTowards(t *testing.T) {
	for axis := range 3 {
		p := Home()
		p.Up, p.Target = Axis(axis), [3]float64{0.1, -0.2, 0.3}
		for _, from := range [][3]float64{{1, 0, 0}, {-1, 0, 0}, {0, 2, 0}, {0, -1, 0}, {0, 0, 3}, {0, 0, -1}, {1, -1, 1}, {-0.1, 0.3, -0.7}} {
			turned := p.Towards(from)
			l := at(turned).Lens(800, 600)
			side := mgl64.Vec3(from).Normalize()
			across := -mgl64.Vec3(l.Forward).Dot(side)
			if across < math.Cos(60*math.Pi/180)-1e-9 || turned.Target != p.Target || turned.Size != p.Size || !turned.Valid() {
				t.Errorf("%c is up, from %v: %+v, %.2f of the way", "xyz"[axis], from, turned, across)
			}
			before := at(p).Lens(800, 600)
			if seen := -mgl64.Vec3(before.Forward).Dot(side) > 0.5+1e-9; seen != (turned == p) {
				t.Errorf("%c is up, from %v: seen %v, turned to %+v", "xyz"[axis], from, seen, turned)
			}
			if math.Abs(turned.Yaw-p.Yaw) > math.Pi+1e-9 {
				t.Errorf("from %v it goes the long way round, to %g", from, turned.Yaw)
			}
		}
		if p.Towards([3]float64{}) != p {
			t.Error("it turns to nowhere")
		}
	}
}

func TestZoomKeepsWhatIsUnderThePointer(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		w, h := size(r)
		c := at(pose(r))
		l := c.Lens(w, h)
		x, y := rapid.Float64Range(0, w).Draw(r, "x"), rapid.Float64Range(0, h).Draw(r, "y")
		_, _, z := l.Project(c.Pose().Target)
		p := l.Unproject(x, y, z)
		factor := rapid.Float64Range(0.5, 2).Draw(r, "factor")
		c.Zoom(factor, x, y, w, h)
		l = c.Lens(w, h)
		gx, gy, _ := l.Project(p)
		if math.Abs(gx-x) > 1e-6*w || math.Abs(gy-y) > 1e-6*h {
			r.Fatalf("zooming by %g moves (%g, %g) to (%g, %g)", factor, x, y, gx, gy)
		}
	})
}

func TestPanFollowsThePointer(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		w, h := size(r)
		c := at(pose(r))
		before := c.Pose().Target
		dx, dy := rapid.Float64Range(-50, 50).Draw(r, "dx"), rapid.Float64Range(-50, 50).Draw(r, "dy")
		c.Pan(dx, dy, w, h)
		l := c.Lens(w, h)
		x, y, _ := l.Project(before)
		if math.Abs(x-w/2-dx) > 1e-6*w || math.Abs(y-h/2-dy) > 1e-6*h {
			r.Fatalf("panning by (%g, %g) moves the target by (%g, %g)", dx, dy, x-w/2, y-h/2)
		}
	})
}

func TestOrbitStaysOnTheTurntable(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		c := New()
		for range rapid.IntRange(1, 20).Draw(r, "drags") {
			c.Orbit(rapid.Float64Range(-900, 900).Draw(r, "dx"), rapid.Float64Range(-900, 900).Draw(r, "dy"), 600)
		}
		if p := c.Pose(); !p.Valid() || math.Abs(p.Yaw) > math.Pi+1e-9 || p.Size != Home().Size {
			r.Fatalf("%+v", p)
		}
		l := c.Lens(800, 600)
		if x, y, _ := l.Project([3]float64{}); math.Abs(x-400) > 1e-9 || math.Abs(y-300) > 1e-9 {
			r.Fatalf("the target has moved to (%g, %g)", x, y)
		}
	})
}

func TestEasingEnds(t *testing.T) {
	c := New()
	p := Home()
	p.Yaw, p.Size = p.Yaw+3, 0.2
	c.Ease(p)
	if c.Pose() != Home() || c.Goal() != p {
		t.Error("easing jumps")
	}
	c.Tick(easeSeconds / 2)
	if now := c.Pose(); now == Home() || now == p {
		t.Errorf("half-way %+v", now)
	}
	for range 10 {
		c.Tick(easeSeconds / 8)
	}
	if c.Pose() != p || c.Tick(1) {
		t.Errorf("in the end %+v", c.Pose())
	}
	c.Jump(true)
	c.Fit(0.5)
	if got := c.Pose(); got.Size != 0.54 || got.Yaw != p.Yaw {
		t.Errorf("reduced motion: %+v", got)
	}
}

func TestNonsenseIsIgnored(t *testing.T) {
	c := New()
	nan, inf := math.NaN(), math.Inf(1)
	bad := Home()
	bad.Yaw = nan
	c.Set(bad)
	c.Ease(bad)
	c.Orbit(nan, 1, 600)
	c.Orbit(1, 1, 0)
	c.Pan(1, 1, 0, 0)
	c.Pan(nan, 1, 600, 600)
	c.Zoom(nan, 1, 1, 600, 600)
	c.Zoom(inf, 1, 1, 600, 600)
	c.Zoom(-1, 1, 1, 600, 600)
	c.Zoom(0.5, nan, 1, 600, 600)
	if c.Pose() != Home() {
		t.Errorf("%+v", c.Pose())
	}
}

// What lies around the origin is seen above what covers the lower part of a picture, and is as large as that allows.
func TestAbove(t *testing.T) {
	for _, up := range []Axis{X, Y, Z} {
		for _, size := range [][3]float64{{390, 700, 200}, {700, 390, 150}, {500, 500, 100}} {
			p := Home()
			p.Up = up
			c := New()
			c.Set(p.Above(0.9, size[0], size[1], size[2]))
			lens := c.Lens(size[0], size[1])
			x, y, depth := lens.Project([3]float64{})
			if want := (size[1] - size[2]) / 2; math.Abs(x-size[0]/2) > 1e-6 || math.Abs(y-want) > 0.02*size[1] {
				t.Errorf("up %d, %g: the middle is at %g, %g, not at %g", up, size, x, y, want)
			}
			if got, want := lens.Focal/depth, min(size[0], size[1]-size[2])/2/(1.08*0.9); math.Abs(got/want-1) > 0.03 {
				t.Errorf("up %d, %g: a unit is %g pixels, not %g", up, size, got, want)
			}
		}
	}
	if p := Home(); p.Above(0.9, 500, 500, 0) != p.Fitted(0.9) || p.Above(0.9, 500, 100, 100) != p.Fitted(0.9) {
		t.Error("with nothing covered, or all, the pose is another")
	}
}
