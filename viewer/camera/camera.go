// Package camera looks at a mesh: a turntable that orbits a target, pans and
// zooms towards the pointer, in perspective or orthographic projection. It
// works in view units, in which the mesh's bounding box is centred at the
// origin and has a half diagonal of 1, so that a pose suits any mesh.
package camera

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"
)

const (
	fieldOfView = 30 * math.Pi / 180 // vertical: long enough a lens not to distort
	minSize     = 1e-3               // closest zoom, half the view's height in view units
	maxSize     = 20
	maxPitch    = 89.5 * math.Pi / 180 // a turntable has no way over the pole
	easeSeconds = 0.18                 // the page's motions end under 200 ms
)

// Axis is the mesh's axis that points up on the screen.
type Axis uint8

// The three axes.
const (
	X Axis = iota
	Y
	Z
)

// Pose is where the camera stands, all that a shared link needs to keep.
type Pose struct {
	Yaw, Pitch   float64    // radians; 0, 0 looks along the negative depth axis, positive pitch from above
	Size         float64    // half the shorter side of the view at the target, view units
	Target       [3]float64 // the point that is orbited, view units
	Orthographic bool
	Up           Axis
}

// Home is the pose that shows a whole mesh a little from above and aside.
func Home() Pose {
	return Pose{Yaw: -0.6, Pitch: 0.32, Size: 0.95, Up: Y}
}

// Valid says whether every number is finite and within the camera's limits.
func (p Pose) Valid() bool {
	for _, x := range []float64{p.Yaw, p.Pitch, p.Size, p.Target[0], p.Target[1], p.Target[2]} {
		if math.IsNaN(x) || math.Abs(x) > 1e3 {
			return false
		}
	}
	return p.Size >= minSize && p.Size <= maxSize && math.Abs(p.Pitch) <= maxPitch && p.Up <= Z
}

// Camera is a pose that eases towards another. The zero value is not ready:
// use New.
type Camera struct {
	now, from, goal Pose
	left            float64 // seconds of easing left
	jump            bool
}

// New stands at the home pose.
func New() *Camera {
	return &Camera{now: Home(), from: Home(), goal: Home()}
}

// Pose is where the camera is now.
func (c *Camera) Pose() Pose { return c.now }

// Goal is where it will be when easing ends.
func (c *Camera) Goal() Pose { return c.goal }

// Jump turns easing off: reduced motion.
func (c *Camera) Jump(on bool) { c.jump = on }

// Set jumps to a pose; one that is not valid is ignored.
func (c *Camera) Set(p Pose) {
	if p.Valid() {
		c.now, c.from, c.goal, c.left = p, p, p, 0
	}
}

// Ease moves to a pose in a moment; one that is not valid is ignored.
func (c *Camera) Ease(p Pose) {
	if !p.Valid() {
		return
	}
	if c.jump || p.Up != c.now.Up || p.Orthographic != c.now.Orthographic {
		c.Set(p)
		return
	}
	// The shorter way round.
	for p.Yaw-c.now.Yaw > math.Pi {
		p.Yaw -= 2 * math.Pi
	}
	for p.Yaw-c.now.Yaw < -math.Pi {
		p.Yaw += 2 * math.Pi
	}
	c.from, c.goal, c.left = c.now, p, easeSeconds
}

// Fit eases to showing all within a radius of the origin from the present side.
func (c *Camera) Fit(radius float64) {
	c.Ease(c.goal.Fitted(radius))
}

// Fitted is a pose from the same side that shows all within a radius of the
// origin.
func (p Pose) Fitted(radius float64) Pose {
	p.Target = [3]float64{}
	p.Size = min(max(1.08*radius, minSize), maxSize)
	return p
}

// Above is a pose from the same side that shows all within a radius of the origin above what covers the lower part of a picture. Sizes are in
// pixels.
func (p Pose) Above(radius, width, height, covered float64) Pose {
	p = p.Fitted(radius)
	span := min(width, height)
	if free := min(width, height-covered); free > 0 && covered > 0 {
		p.Size = min(p.Size*span/free, maxSize)
		lens := (&Camera{now: p}).Lens(width, height)
		for i, up := range lens.Up {
			p.Target[i] -= up * covered * p.Size / span
		}
	}
	return p
}

// steepest is how far from the horizon Towards stands at most: nearer to the pole a turntable spins.
const steepest = 75 * math.Pi / 180

// Towards turns a pose: it looks at its target from the direction. A pose that is less than 60 degrees away from it stays as it is.
func (p Pose) Towards(from [3]float64) Pose {
	from = turned(from, int(p.Up)+2) // to the frame where y is up
	length := math.Sqrt(from[0]*from[0] + from[1]*from[1] + from[2]*from[2])
	sy, cy := math.Sincos(p.Yaw)
	sp, cp := math.Sincos(p.Pitch)
	if !(length > 0) || from[0]*cp*sy+from[1]*sp+from[2]*cp*cy > length/2 {
		return p
	}
	p.Pitch = min(max(math.Asin(from[1]/length), -steepest), steepest)
	if math.Hypot(from[0], from[2]) > 1e-6*length {
		p.Yaw += math.Remainder(math.Atan2(from[0], from[2])-p.Yaw, 2*math.Pi)
	}
	return p
}

// SetUp turns an axis up, from the home side, all else as it is.
func (c *Camera) SetUp(a Axis) {
	p := c.goal
	p.Yaw, p.Pitch, p.Up = Home().Yaw, Home().Pitch, a
	c.Ease(p)
}

// SetOrthographic chooses the projection; the target keeps its size.
func (c *Camera) SetOrthographic(on bool) {
	p := c.goal
	p.Orthographic = on
	c.Set(p)
}

// Tick advances easing by dt seconds and says whether the camera moved.
func (c *Camera) Tick(dt float64) bool {
	if c.left <= 0 {
		return false
	}
	c.left = max(c.left-max(dt, 0), 0)
	t := 1 - c.left/easeSeconds
	t = t * t * (3 - 2*t)
	mix := func(a, b float64) float64 { return a + (b-a)*t }
	c.now.Yaw = mix(c.from.Yaw, c.goal.Yaw)
	c.now.Pitch = mix(c.from.Pitch, c.goal.Pitch)
	c.now.Size = math.Exp(mix(math.Log(c.from.Size), math.Log(c.goal.Size)))
	for i := range c.now.Target {
		c.now.Target[i] = mix(c.from.Target[i], c.goal.Target[i])
	}
	if c.left == 0 {
		c.now = c.goal
	}
	return true
}

// Orbit turns by a drag of dx, dy pixels over a view that is height pixels
// high: the view's height is half a turn.
func (c *Camera) Orbit(dx, dy, height float64) {
	if height <= 0 {
		return
	}
	p := c.now
	p.Yaw = math.Remainder(p.Yaw-dx/height*math.Pi, 2*math.Pi)
	p.Pitch = min(max(p.Pitch+dy/height*math.Pi, -maxPitch), maxPitch)
	c.Set(p)
}

// Pan moves the target so that what is at its distance follows the pointer.
func (c *Camera) Pan(dx, dy, width, height float64) {
	if !(width > 0 && height > 0) {
		return
	}
	l := c.Lens(width, height)
	p := c.now
	s := 2 * p.Size / min(width, height)
	for i := range p.Target {
		p.Target[i] += (l.Up[i]*dy - l.Right[i]*dx) * s
		p.Target[i] = min(max(p.Target[i], -10), 10)
	}
	c.Set(p)
}

// Zoom scales the view by factor (below 1 comes closer) and keeps what is
// under the pointer, at the target's distance, where it is.
func (c *Camera) Zoom(factor, x, y, width, height float64) {
	if !(factor > 0) || math.IsInf(factor, 0) || !(width > 0 && height > 0) {
		return
	}
	p := c.now
	size := min(max(p.Size*factor, minSize), maxSize)
	l := c.Lens(width, height)
	s := 2 * (p.Size - size) / min(width, height)
	dx, dy := (x-width/2)*s, (height/2-y)*s
	for i := range p.Target {
		p.Target[i] = min(max(p.Target[i]+l.Right[i]*dx+l.Up[i]*dy, -10), 10)
	}
	p.Size = size
	c.Set(p)
}

// Lens is a pose made ready to project onto a picture of Width by Height
// pixels: a point p lies at depth z = Forward.(p-Eye) in front of the eye.
type Lens struct {
	Eye, Right, Up, Forward [3]float64
	Width, Height           float64
	Focal                   float64 // pixels: x = Width/2 + Focal Right.(p-Eye)/z; orthographic without the /z
	Near, Far               float64 // z of the nearest and farthest that a mesh can reach
	Orthographic            bool
	Section                 Plane
}

// turned is a vector whose axes are turned cyclically: what was axis by is axis 0.
func turned(v [3]float64, by int) [3]float64 {
	return [3]float64{v[by%3], v[(by+1)%3], v[(by+2)%3]}
}

// Lens makes the camera's pose ready for a picture's size.
func (c *Camera) Lens(width, height float64) Lens {
	p := c.now
	sy, cy := math.Sincos(p.Yaw)
	sp, cp := math.Sincos(p.Pitch)
	// In the frame where y is up; a cyclic turn of the axes brings up the one asked for.
	turn := func(v [3]float64) [3]float64 { return turned(v, 4-int(p.Up)) }
	l := Lens{
		Width: width, Height: height, Orthographic: p.Orthographic,
		Right:   turn([3]float64{cy, 0, -sy}),
		Up:      turn([3]float64{-sp * sy, cp, -sp * cy}),
		Forward: turn([3]float64{-cp * sy, -sp, -cp * cy}),
	}
	// A picture that is higher than wide shows the size across instead.
	span := min(width, height)
	distance := p.Size / math.Tan(fieldOfView/2)
	if p.Orthographic {
		l.Focal = span / 2 / p.Size
		distance = 12 // outside of every mesh that can be panned to
	} else {
		l.Focal = span / 2 / math.Tan(fieldOfView/2)
	}
	var middle float64 // depth of the mesh's centre
	for i := range l.Eye {
		l.Eye[i] = p.Target[i] - l.Forward[i]*distance
		middle -= l.Eye[i] * l.Forward[i]
	}
	// The bounding sphere has radius 1; the margin is for what is drawn just off the surface.
	l.Far = middle + 1.02
	l.Near = max(middle-1.02, distance/64)
	if p.Orthographic {
		l.Near = middle - 1.02
	}
	l.Far = max(l.Far, l.Near*1.001+1e-6)
	return l
}

// Project returns where a point appears, in pixels from the picture's left
// top corner, and its distance z along Forward; it is behind the eye if z is
// not positive, where x and y mean nothing.
func (l *Lens) Project(p [3]float64) (x, y, z float64) {
	dx, dy, dz := p[0]-l.Eye[0], p[1]-l.Eye[1], p[2]-l.Eye[2]
	z = dx*l.Forward[0] + dy*l.Forward[1] + dz*l.Forward[2]
	f := l.Focal
	if !l.Orthographic {
		if z <= 0 {
			return 0, 0, z
		}
		f /= z
	}
	x, y = dx*l.Right[0]+dy*l.Right[1]+dz*l.Right[2], dx*l.Up[0]+dy*l.Up[1]+dz*l.Up[2]
	return l.Width/2 + f*x, l.Height/2 - f*y, z
}

// Sight returns a vector from a point towards the eye, of any length.
func (l *Lens) Sight(p [3]float64) [3]float64 {
	if l.Orthographic {
		return [3]float64{-l.Forward[0], -l.Forward[1], -l.Forward[2]}
	}
	return [3]float64{l.Eye[0] - p[0], l.Eye[1] - p[1], l.Eye[2] - p[2]}
}

// Facing is positive where a normal at a point faces the eye, and negative where it faces away; a zero normal faces nowhere, 0.
func (l *Lens) Facing(p, normal [3]float32) float64 {
	toward := l.Sight([3]float64{float64(p[0]), float64(p[1]), float64(p[2])})
	return toward[0]*float64(normal[0]) + toward[1]*float64(normal[1]) + toward[2]*float64(normal[2])
}

// Slant is the cosine of the angle between a normal of length 1 at a point and the line of sight. It is 1 where the surface faces the eye,
// 0 at an outline, and negative where the surface faces away. A zero normal counts as 1.
func (l *Lens) Slant(p, normal [3]float32) float64 {
	if normal == [3]float32{} {
		return 1
	}
	toward := l.Sight([3]float64{float64(p[0]), float64(p[1]), float64(p[2])})
	return l.Facing(p, normal) / math.Sqrt(toward[0]*toward[0]+toward[1]*toward[1]+toward[2]*toward[2])
}

// Unproject returns the point that appears at x, y at distance z.
func (l *Lens) Unproject(x, y, z float64) [3]float64 {
	f := 1 / l.Focal
	if !l.Orthographic {
		f *= z
	}
	a, b := (x-l.Width/2)*f, (l.Height/2-y)*f
	var p [3]float64
	for i := range p {
		p[i] = l.Eye[i] + l.Forward[i]*z + l.Right[i]*a + l.Up[i]*b
	}
	return p
}

// Ray returns the ray through a pixel, its direction of length 1.
func (l *Lens) Ray(x, y float64) (origin, direction [3]float64) {
	if l.Orthographic {
		return l.Unproject(x, y, 0), l.Forward
	}
	return l.Eye, mgl64.Vec3(l.Unproject(x, y, 1)).Sub(l.Eye).Normalize()
}

// Depth turns a distance z into a number that is linear on the screen across
// a triangle: 1 at Near, 0 at Far.
func (l *Lens) Depth(z float64) float64 {
	if l.Orthographic {
		return (l.Far - z) / (l.Far - l.Near)
	}
	return (1/z - 1/l.Far) / (1/l.Near - 1/l.Far)
}

// View is the matrix from view units to the eye's frame (x right, y up,
// looking along -z).
func (l *Lens) View() mgl64.Mat4 {
	e, f, u := mgl64.Vec3(l.Eye), mgl64.Vec3(l.Forward), mgl64.Vec3(l.Up)
	return mgl64.LookAtV(e, e.Add(f), u)
}

// Projection is the matrix from the eye's frame to clip coordinates.
func (l *Lens) Projection() mgl64.Mat4 {
	if l.Orthographic {
		h, v := l.Width/2/l.Focal, l.Height/2/l.Focal
		return mgl64.Ortho(-h, h, -v, v, l.Near, l.Far)
	}
	return mgl64.Perspective(2*math.Atan(l.Height/2/l.Focal), l.Width/l.Height, l.Near, l.Far)
}
