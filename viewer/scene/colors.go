package scene

import (
	"math"
	"slices"

	"genussink/core/job"
	"genussink/viewer/colormap"
)

// colors are the vertices' colours: what they should be, what they were when
// that changed, and what is shown in between.
type colors struct {
	revision   uint64
	base       []colormap.RGB // per vertex: the fill, without anything laid over it
	baseOf     baseKey
	goal, from []colormap.RGB
	shown      []colormap.RGB
	left       float64 // seconds of easing left
	was        Stance  // at the last frame
	pause      float64 // seconds between the last frames, the longest
	dirty      bool    // goal must be made anew
	ease       bool
	linear     [][3]float32 // base in linear light
	encoder    *colormap.Encoder
	ramp       *ramp
}

// baseKey is what the fill was made for.
type baseKey struct {
	fill      Fill
	tree      *job.Separated
	mesh      *Mesh
	level     int
	theme     colormap.Theme
	cell      int32
	treewidth int // its revision
	field     int // its revision
	piece     int // the small component in focus, -1 none
	query     int // its revision
}

func (c *colors) reset() { *c = colors{pause: c.pause, revision: c.revision} }

// renew makes the colours anew before they are next asked for, easing into
// them if so wanted.
func (c *colors) renew(ease bool) {
	c.dirty = true
	c.ease = c.ease || ease
}

// settle ends easing, and has the colours made anew without.
func (c *colors) settle() { c.left, c.dirty, c.ease = 0, true, false }

// forget is the share of the longest pause that is left after a frame.
const forget = 0.8

// tick lets time pass, of colours that are fresh. Where frames are so slow that easing would be jerks nothing eases: each step would be a whole picture more,
// drawn while others compute.
func (c *colors) tick(dt float64) {
	c.pause = max(dt, forget*c.pause)
	if c.left > 0 {
		if c.left -= dt; c.left < 0 || c.pause > jerkSeconds {
			c.left = 0
		}
		c.blend()
		c.revision++
	}
}

func (c *colors) blend() {
	if c.left == 0 {
		copy(c.shown, c.goal)
		return
	}
	t := float32(1 - c.left/easeSeconds)
	t = t * t * (3 - 2*t)
	for v := range c.shown {
		for k := range c.shown[v] {
			c.shown[v][k] = c.from[v][k] + (c.goal[v][k]-c.from[v][k])*t
		}
	}
}

// freshen makes the colours anew where they are not fresh: paint makes them for n vertices. They ease into them if that is wanted at all.
func (c *colors) freshen(n int, eases bool, paint func(dst []colormap.RGB) (lines bool)) {
	if !c.dirty {
		return
	}
	ease := c.ease && eases && len(c.shown) == n
	c.dirty, c.ease = false, false
	if len(c.goal) != n {
		c.goal, c.from, c.shown = make([]colormap.RGB, n), make([]colormap.RGB, n), make([]colormap.RGB, n)
	}
	if ease {
		copy(c.from, c.shown)
	}
	lines := paint(c.goal)
	if !lines && c.left == 0 && slices.Equal(c.goal, c.shown) {
		return // nothing to ease into, nothing to draw anew
	}
	if ease {
		c.left = easeSeconds
		c.blend()
	} else if c.left > 0 {
		c.blend() // a stroke during easing: go on towards the new goal
	} else {
		copy(c.shown, c.goal)
	}
	c.revision++
}

// strong is the opacity of a density's peak.
const strong = 0.95

// cover is what is laid over the fill.
type cover struct {
	densities [2][]float64 // of source and target, with what to multiply each by: 0 shows none
	per       [2]float64
	mass      []float64 // on the move, nil: none, or particles
	perMass   float64
	tint      colormap.RGB // its colour; black: by where it is on its way
	through   bool         // what it lies on is seen through it
}

// mixes says whether a vertex has so much of both densities that their mixture is seen: a quarter of each one's peak. With less it looks like
// the fill.
func (c cover) mixes() bool {
	const seen = 0.25
	source, target := c.densities[sourceSide], c.densities[targetSide]
	for v := range source {
		if source[v]*c.per[sourceSide] >= seen && target[v]*c.per[targetSide] >= seen {
			return true
		}
	}
	return false
}

// ramp is the colours of mass on the move, in linear light: by how much of it there is, none to most.
type ramp struct {
	of    rampKey
	steps [1024]struct {
		light  [3]float32
		opaque float32
	}
}

// rampKey is what a ramp was made for.
type rampKey struct {
	color   colormap.RGB // the most of the mass
	theme   colormap.Theme
	through bool // in that one colour, the more opaque the more there is
}

// rampOf makes the colours of mass, unless it has them.
func (c *colors) rampOf(of rampKey) *ramp {
	if c.ramp != nil && c.ramp.of == of {
		return c.ramp
	}
	c.ramp = &ramp{of: of}
	for i := range c.ramp.steps {
		share, step := float64(i)/float64(len(c.ramp.steps)-1), &c.ramp.steps[i]
		if of.through {
			step.light, step.opaque = light(of.color), strong*shade(share)
			continue
		}
		tone, opacity := colormap.Amount(of.color, of.theme, share)
		step.light, step.opaque = light(tone), float32(opacity)
	}
	return c.ramp
}

// over is the colour x, in linear light, under a share of the most mass.
func (r *ramp) over(x [3]float32, share float64) [3]float32 {
	if !(share > 0) {
		return x
	}
	step := &r.steps[int(min(share, 1)*float64(len(r.steps)-1)+0.5)]
	for k := range x {
		x[k] += (step.light[k] - x[k]) * step.opaque
	}
	return x
}

// fill makes the colours of the fill, unless it has them.
func (c *colors) fill(key baseKey, n int, paint func(dst []colormap.RGB) []colormap.RGB) {
	if key != c.baseOf || len(c.base) != n {
		c.base = paint(c.base[:0])
		c.baseOf = key
		c.linear = linear(c.linear[:0], c.base)
	}
}

// lay computes every vertex's colour. What is laid over the fill is mixed in linear light.
func (c *colors) lay(dst []colormap.RGB, over cover, at Stance, theme colormap.Theme) {
	if c.encoder == nil {
		c.encoder = colormap.NewEncoder()
	}
	dim, opaque := float32(0), float32(strong)
	switch {
	case at == InMotion:
		dim, opaque = 0.5, 0.55
		if over.mass != nil { // which alone is shown
			dim, over.per = 0.7, [2]float64{}
		}
	case at != AtRest:
		dim = 0.5
		if at == AtTarget || over.mass != nil { // the mass is the density
			over.per[sourceSide] = 0
		}
		if at == AtSource || over.mass != nil {
			over.per[targetSide] = 0
		}
	}
	source, target := over.densities[sourceSide], over.densities[targetSide]
	perSource, perTarget, mass, perMass := over.per[sourceSide], over.per[targetSide], over.mass, over.perMass
	_, bottom := colormap.Ground(theme)
	ground, green, purple := light(bottom), light(colormap.Source()), light(colormap.Target())
	moving := at.Color()
	if over.tint != (colormap.RGB{}) {
		moving = over.tint
	}
	gold := c.rampOf(rampKey{moving, theme, over.through})
	for v := range dst {
		g, p := shade(source[v]*perSource), shade(target[v]*perTarget)
		m := 0.0
		if mass != nil {
			m = mass[v] * perMass
		}
		if g == 0 && p == 0 && m == 0 && dim == 0 {
			dst[v] = c.base[v]
			continue
		}
		share := opaque * (1 - (1-g)*(1-p))
		part := float32(0)
		if p > 0 {
			part = p / (g + p)
		}
		x := c.linear[v]
		for k := range x {
			y := x[k] + (ground[k]-x[k])*dim
			x[k] = y + (green[k]+(purple[k]-green[k])*part-y)*share
		}
		dst[v] = c.encoder.RGB(gold.over(x, m))
	}
}

func inverse(peak float64, _ int) float64 {
	if peak > 0 {
		return 1 / peak
	}
	return 0
}

// shade turns a share of the peak into an opacity, x to the power 3/4: a
// density's thin parts can be seen, and the split under them.
func shade(x float64) float32 {
	if !(x > 0) {
		return 0
	}
	root := math.Sqrt(min(x, 1))
	return float32(root * math.Sqrt(root))
}

// DensityColor is what a density of a colour looks like on a plain mesh at rest, where it has a share of its peak.
func DensityColor(color colormap.RGB, theme colormap.Theme, share float64) colormap.RGB {
	x, over := colormap.Clay(theme).Linear(), color.Linear()
	for k := range x {
		x[k] += (over[k] - x[k]) * strong * float64(shade(share))
	}
	return colormap.FromLinear(x)
}

func light(c colormap.RGB) [3]float32 {
	l := c.Linear()
	return [3]float32{float32(l[0]), float32(l[1]), float32(l[2])}
}

// linear appends colours in linear light; runs of equal ones, which a split
// consists of, cost nothing.
func linear(dst [][3]float32, colors []colormap.RGB) [][3]float32 {
	seen := map[colormap.RGB][3]float32{}
	for v, c := range colors {
		if v > 0 && c == colors[v-1] {
			dst = append(dst, dst[v-1])
			continue
		}
		l, ok := seen[c]
		if !ok {
			l = light(c)
			seen[c] = l
		}
		dst = append(dst, l)
	}
	return dst
}

// fade is how much of the ground's colour is mixed into what is out of focus.
const fade = 0.82

// fadeOut mixes what is out of focus into the ground.
func fadeOut(colors []colormap.RGB, faded []bool, theme colormap.Theme) []colormap.RGB {
	_, bottom := colormap.Ground(theme)
	for v, out := range faded {
		if out {
			colors[v] = colormap.Mix(colors[v], bottom, fade)
		}
	}
	return colors
}
