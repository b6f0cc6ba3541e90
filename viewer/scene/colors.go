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
	nodes      []colormap.LCh // per tree node, the colour of its cell
	base       []colormap.RGB // per vertex: the split at the level, without anything laid over it
	baseOf     baseKey
	goal, from []colormap.RGB
	shown      []colormap.RGB
	left       float64 // seconds of easing left
	pause      float64 // seconds between the last frames, the longest
	dirty      bool    // goal must be made anew
	ease       bool
	linear     [][3]float32 // base in linear light
	encoder    *colormap.Encoder
}

// baseKey is what the base colours were made for.
type baseKey struct {
	tree  *job.Separated
	mesh  *Mesh
	level int
	split bool
	theme colormap.Theme
	cell  int32
	study int // the study's revision
}

func (c *colors) reset() { *c = colors{pause: c.pause} }

// tree gives every node of a separator tree its colour, parents first.
func (c *colors) tree(t *job.Separated) {
	c.nodes = make([]colormap.LCh, len(t.Nodes))
	for i, n := range t.Nodes {
		var a, b colormap.LCh
		if i == 0 {
			a, b = colormap.Left(), colormap.Right()
		} else {
			a, b = colormap.Split(c.nodes[i], int(n.Depth))
		}
		if n.Left >= 0 {
			c.nodes[n.Left] = a
		}
		if n.Right >= 0 {
			c.nodes[n.Right] = b
		}
	}
}

// recolor makes the colours anew before they are next asked for, easing into
// them if so wanted.
func (s *Scene) recolor(ease bool) {
	s.colors.dirty = true
	s.colors.ease = s.colors.ease || ease
}

// forget is the share of the longest pause that is left after a frame.
const forget = 0.8

// tick lets time pass. Where frames are so slow that easing would be jerks nothing eases: each step would be a whole picture more,
// drawn while others compute.
func (c *colors) tick(dt float64, s *Scene) {
	c.pause = max(dt, forget*c.pause)
	s.freshen()
	if c.left > 0 {
		if c.left -= dt; c.left < 0 || c.pause > jerkSeconds {
			c.left = 0
		}
		c.blend()
		s.colorRev++
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

// Colors are the vertices' colours at this moment, one per vertex; they must
// not be changed. ColorRevision says when to look again.
func (s *Scene) Colors() []colormap.RGB {
	s.freshen()
	return s.colors.shown
}

// ColorRevision changes with Colors.
func (s *Scene) ColorRevision() uint64 {
	s.freshen()
	return s.colorRev
}

func (s *Scene) freshen() {
	c := &s.colors
	if !c.dirty || s.mesh == nil {
		return
	}
	n := s.mesh.Vertices()
	ease := c.ease && !s.view.ReducedMotion && len(c.shown) == n
	c.dirty, c.ease = false, false
	if len(c.goal) != n {
		c.goal, c.from, c.shown = make([]colormap.RGB, n), make([]colormap.RGB, n), make([]colormap.RGB, n)
	}
	if ease {
		copy(c.from, c.shown)
	}
	s.paint(c.goal)
	if c.left == 0 && slices.Equal(c.goal, c.shown) {
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
	s.colorRev++
}

// strong is the opacity of a density's peak.
const strong = 0.95

// paint computes every vertex's colour. What is laid over the split is mixed
// in linear light.
func (s *Scene) paint(dst []colormap.RGB) {
	c := &s.colors
	key := baseKey{s.sep, s.mesh, s.level, s.view.Split, s.theme, s.cell, s.study.revision}
	if key != c.baseOf || len(c.base) != len(dst) {
		c.base = s.baseColors(c.base[:0])
		c.baseOf = key
		c.linear = linear(c.linear[:0], c.base)
	}
	if c.encoder == nil {
		c.encoder = colormap.NewEncoder()
	}
	source, target := s.dens.values[sourceSide], s.dens.values[targetSide]
	var perSource, perTarget float64
	if s.view.Densities && !s.studying() {
		perSource, perTarget = inverse(s.dens.peak(sourceSide)), inverse(s.dens.peak(targetSide))
	}
	at := s.Stance()
	var mass []float64
	var perMass float64
	if at != AtRest && s.play.mass == MassDensity {
		var top float64
		mass, top = s.massDensity()
		perMass = inverse(top, 0)
	}
	dim, opaque := float32(0), float32(strong)
	switch {
	case at == InMotion:
		dim, opaque = 0.5, 0.55
	case at != AtRest:
		dim = 0.5
		if at == AtTarget || mass != nil { // the mass is the density
			perSource = 0
		}
		if at == AtSource || mass != nil {
			perTarget = 0
		}
	}
	_, bottom := colormap.Ground(s.theme)
	ground, green, purple, gold := light(bottom), light(colormap.Source()), light(colormap.Target()), light(at.color())
	for v := range dst {
		g, p := shade(source[v]*perSource), shade(target[v]*perTarget)
		m := float32(0)
		if mass != nil {
			m = shade(mass[v] * perMass)
		}
		if g == 0 && p == 0 && m == 0 && dim == 0 {
			dst[v] = c.base[v]
			continue
		}
		over := opaque * (1 - (1-g)*(1-p))
		part := float32(0)
		if p > 0 {
			part = p / (g + p)
		}
		m *= strong
		x := c.linear[v]
		for k := range x {
			y := x[k] + (ground[k]-x[k])*dim
			y += (green[k] + (purple[k]-green[k])*part - y) * over
			x[k] = y + (gold[k]-y)*m
		}
		dst[v] = c.encoder.RGB(x)
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

// baseColors appends the colour of each vertex without anything laid over it.
func (s *Scene) baseColors(dst []colormap.RGB) []colormap.RGB {
	if s.study.shown() {
		dst = s.studyColors(dst)
	} else {
		dst = s.splitColors(dst)
	}
	_, bottom := colormap.Ground(s.theme)
	for v, faded := range s.Faded() {
		if faded {
			dst[v] = colormap.Mix(dst[v], bottom, fade)
		}
	}
	return dst
}

// fade is how much of the ground's colour is mixed into what is out of focus.
const fade = 0.82

// Faded says of each vertex whether it is out of focus: eliminated, or outside
// the cell looked at. Nil where none is.
func (s *Scene) Faded() []bool {
	switch {
	case s.study.elimination != nil:
		return s.study.elimination.gone
	case s.study.shown() || s.cell <= 0 || s.sep == nil || !s.view.Split:
		return nil
	}
	// Whether a node lies in the focused one's subtree, parents first.
	inside := make([]bool, len(s.sep.Nodes))
	for i, n := range s.sep.Nodes {
		inside[i] = int32(i) == s.cell || n.Parent >= 0 && inside[n.Parent]
	}
	faded := make([]bool, len(s.sep.Cells))
	for v, c := range s.sep.Cells {
		faded[v] = !inside[c]
	}
	return faded
}

// splitColors appends the colour of each vertex's cell at the level shown.
func (s *Scene) splitColors(dst []colormap.RGB) []colormap.RGB {
	n := s.mesh.Vertices()
	clay := colormap.Clay(s.theme)
	if s.sep == nil || !s.view.Split || len(s.colors.nodes) != len(s.sep.Nodes) {
		for range n {
			dst = append(dst, clay)
		}
		return dst
	}
	shown := make([]colormap.RGB, len(s.sep.Nodes)) // of what ends in the node
	for i, node := range s.sep.Nodes {
		switch {
		case int(node.Depth) > s.level+1:
			shown[i] = shown[node.Parent]
		case int(node.Depth) <= s.level && !isLeaf(node):
			shown[i] = colormap.Seam(s.theme)
		case i == 0:
			shown[i] = clay
		default:
			shown[i] = s.colors.nodes[i].RGB()
		}
	}
	for _, c := range s.sep.Cells {
		dst = append(dst, shown[c])
	}
	return dst
}

// Dots appends the vertices that are drawn as discs: the separators of the
// levels shown, the root's largest. OverlayRevision or ColorRevision says when
// to look again.
func (s *Scene) Dots(dst []Dot) []Dot {
	if s.mesh != nil && s.study.shown() {
		return s.studyDots(dst)
	}
	if s.mesh == nil || s.sep == nil || !s.view.Split {
		return dst
	}
	color := colormap.Separator(s.theme)
	faded := s.Faded()
	for v, c := range s.sep.Cells {
		node := s.sep.Nodes[c]
		if isLeaf(node) || int(node.Depth) > s.level || faded != nil && faded[v] {
			continue
		}
		size := float32(math.Max(0.45, math.Pow(0.82, float64(node.Depth))))
		dst = append(dst, Dot{Vertex: int32(v), Size: size, Color: color})
	}
	return dst
}

// Markers appends the discs of what is pointed at: the focused or hovered
// vertex, the partners of its mass by their share, the ends of a measured
// path.
func (s *Scene) Markers(dst []Dot) []Dot {
	if s.mesh == nil {
		return dst
	}
	v := s.focus
	if v < 0 {
		v = s.hover
	}
	if s.partners != nil && s.partners.Vertex == v && len(s.partners.Mass) > 0 {
		top := s.partners.Mass[0]
		for i := len(s.partners.Vertices) - 1; i >= 0; i-- {
			w := s.vertex(s.partners.Vertices[i])
			if w >= 0 && top > 0 {
				size := float32(0.6 + 1.4*math.Sqrt(min(max(s.partners.Mass[i]/top, 0), 1)))
				dst = append(dst, Dot{w, size, colormap.Moving()})
			}
		}
	}
	if v >= 0 && !s.brush.paints() {
		dst = append(dst, Dot{v, 1.6, colormap.Source()})
	}
	if s.path != nil {
		for _, w := range []int32{s.path.From, s.path.To} {
			if w >= 0 {
				dst = append(dst, Dot{w, 1.6, colormap.Accent()})
			}
		}
	}
	return dst
}

// PathLine is the measured path's vertices.
func (s *Scene) PathLine() []int32 { return s.pathLine }

// OverlayRevision changes with dots, markers, the ring and the path.
func (s *Scene) OverlayRevision() uint64 { return s.overRev }
