package figure

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Overview is a tree of any number of bags, seen through a window that zooms and pans. Far out the bags are dots, close up
// boxes with words. At most MaxDrawn bags are drawn: of larger trees, subtrees below a size are part of the bag that they hang from.
type Overview struct {
	bags           Bags
	order          []int32
	name           func(v int32) string
	nodes          []int32 // the bags drawn, level by level from the root
	node           []int32 // of each bag, the place in nodes of the bag that stands for it
	made           []int32 // of each bag, the place in the elimination order of its first vertex; nil until asked for
	plan           *tidy
	x              []float64 // of the nodes, neighbours 1 apart
	across, levels float64
	words          bool    // boxes have their members' names, else the bags' numbers
	widest         float64 // what stands in a box, in units of the text's size

	zoom, x0, y0 float64 // of the window: 1 shows all; its middle, in units of the layout
}

// MaxDrawn is how many bags of a tree are drawn at most.
const MaxDrawn = 5000

// Bags tells what they hold.
type Bags interface {
	Bag(b int32) (vertices []int32)
	Holding(v int32) (bags []int32)
}

// NewOverview makes a tree of bags ready to be drawn. It is given the parent of each, -1 of the root alone, and the number of its
// vertices. Order is an elimination order. It takes linear time.
func NewOverview(bags Bags, parent, sizes, order []int32, name func(v int32) string) *Overview {
	n := len(parent)
	o := &Overview{bags: bags, order: order, name: name, node: make([]int32, n), zoom: 1}
	walk := levels(parent)
	below := make([]int32, n) // bags of each subtree
	for i := len(walk) - 1; i >= 0; i-- {
		b := walk[i]
		if below[b]++; parent[b] >= 0 {
			below[parent[b]] += below[b]
		}
	}
	least := int32(1)
	if n > MaxDrawn {
		sizes := slices.Sorted(slices.Values(below))
		least = sizes[n-1-MaxDrawn] + 1
	}
	var up []int
	for _, b := range walk {
		switch above := parent[b]; {
		case above < 0:
			up = append(up, -1)
		case below[b] >= least:
			up = append(up, int(o.node[above]))
		default:
			o.node[b] = o.node[above]
			continue
		}
		o.node[b] = int32(len(o.nodes))
		o.nodes = append(o.nodes, b)
	}
	o.plan = newTidy(up)
	width := make([]float64, len(up))
	for i := range width {
		width[i] = 1
	}
	o.x = o.plan.place(width, 0)
	for i, x := range o.x {
		o.across, o.levels = max(o.across, x+0.5), max(o.levels, float64(o.plan.depth[i]+1))
	}
	o.words = n <= 400 && !slices.ContainsFunc(sizes, func(size int32) bool { return size > 5 })
	for _, b := range o.nodes {
		if o.widest = max(o.widest, letters(o.label(b))); !o.words && len(o.nodes) > 400 {
			o.widest = letters(strconv.Itoa(n))
			break
		}
	}
	o.Fit()
	return o
}

// levels lists the bags level by level from the root, on each in the order of their parents.
func levels(parent []int32) (walk []int32) {
	first := make([]int32, len(parent)+2) // of each bag in children, those of no bag before all
	for _, p := range parent {
		first[p+2]++
	}
	for i := 1; i < len(first); i++ {
		first[i] += first[i-1]
	}
	children := make([]int32, len(parent))
	at := slices.Clone(first)
	for b, p := range parent {
		children[at[p+1]] = int32(b)
		at[p+1]++
	}
	walk = append(walk, children[:first[1]]...)
	for i := 0; i < len(walk); i++ {
		walk = append(walk, children[first[walk[i]+1]:first[walk[i]+2]]...)
	}
	return walk
}

// Hidden is how many bags are part of another's dot.
func (o *Overview) Hidden() int { return len(o.node) - len(o.nodes) }

// label is what stands in a bag's box.
func (o *Overview) label(b int32) string {
	if !o.words {
		return strconv.Itoa(int(b) + 1)
	}
	var words []string
	for _, v := range o.bags.Bag(b) {
		words = append(words, o.name(v))
	}
	return strings.Join(words, " ")
}

// Holding lists the bags that hold all of the vertices.
func (o *Overview) Holding(vertices ...int32) (bags []int) {
	hold := make([]int, len(o.node))
	for _, v := range vertices {
		for _, b := range o.bags.Holding(v) {
			hold[b]++
		}
	}
	for b, count := range hold {
		if count == len(vertices) {
			bags = append(bags, b)
		}
	}
	return bags
}

// Search lists the bags that words ask for: "bag 3" or "b3" is a bag, "12" or "12 40" are the bags that hold these vertices.
// The vertex of a number is asked for; -1 is none.
func (o *Overview) Search(words string, vertex func(number int) int32) (bags []int, err error) {
	words = strings.ToLower(strings.TrimSpace(words))
	kind := strings.TrimRight(words, "0123456789 ,")
	byBag := kind == "b" || kind == "bag"
	rest := words
	if byBag || kind == "v" || kind == "vertex" || kind == "vertices" {
		rest = words[len(kind):]
	}
	var vertices []int32
	for _, word := range strings.FieldsFunc(rest, func(r rune) bool { return r == ' ' || r == ',' }) {
		number, err := strconv.Atoi(word)
		if err != nil {
			return nil, fmt.Errorf("%q is no number: write 12 for a vertex, or bag 3", word)
		}
		if byBag {
			if number < 1 || number > len(o.node) {
				return nil, fmt.Errorf("there is no bag %d: they are 1 to %d", number, len(o.node))
			}
			bags = append(bags, number-1)
			continue
		}
		v := vertex(number)
		if v < 0 {
			return nil, fmt.Errorf("there is no vertex %d", number)
		}
		vertices = append(vertices, v)
	}
	if vertices != nil {
		return o.Holding(vertices...), nil
	}
	slices.Sort(bags)
	return bags, nil
}

// Walk is the bag that an arrow key leads to from another: up to its parent, down to its first child, left and right within the level.
func (o *Overview) Walk(bag int, key string) int {
	if len(o.nodes) == 0 {
		return -1
	}
	if bag < 0 {
		return int(o.nodes[0])
	}
	here := int(o.node[bag])
	to := here
	switch key {
	case "ArrowUp":
		to = max(o.plan.parent[here], 0)
	case "ArrowDown":
		if kids := o.plan.children[here]; len(kids) > 0 {
			to = kids[0]
		}
	case "ArrowLeft":
		to = max(here-1, 0)
	case "ArrowRight":
		to = min(here+1, len(o.nodes)-1)
	case "Home":
		to = 0
	case "End":
		to = len(o.nodes) - 1
	}
	if (key == "ArrowLeft" || key == "ArrowRight") && o.plan.depth[to] != o.plan.depth[here] {
		to = here
	}
	return int(o.nodes[to])
}

// scale is how many pixels a unit of the layout takes: at zoom 1 the tree fits the window; no further apart than boxes stand.
func (o *Overview) scale(l Look) (sx, sy, maxX, maxY float64) {
	margin := l.text()
	maxX, maxY = l.text()*(o.widest+bagPad+bagGap), l.text()*(bagHeight+levelGap)
	sx, sy = (l.Width-2*margin)/max(o.across, 1), (l.Height-2*margin)/max(o.levels, 1)
	return min(sx*o.zoom, maxX), min(sy*o.zoom, maxY), maxX / sx, maxY / sy
}

// Fit shows the whole tree.
func (o *Overview) Fit() { o.zoom, o.x0, o.y0 = 1, o.across/2, o.levels/2 }

// Fits says whether the whole tree is shown.
func (o *Overview) Fits() bool { return o.zoom == 1 }

// Zoom makes what is shown larger by a factor. What lies at a place of the drawing stays there.
func (o *Overview) Zoom(factor, x, y float64, l Look) {
	sx, sy, _, _ := o.scale(l)
	dx, dy := x-l.Width/2, y-l.Height/2
	o.x0, o.y0 = o.x0+dx/sx, o.y0+dy/sy
	_, _, most, other := o.scale(l)
	o.zoom = min(max(o.zoom*factor, 1), max(most, other, 1))
	sx, sy, _, _ = o.scale(l)
	o.x0, o.y0 = o.x0-dx/sx, o.y0-dy/sy
	o.Pan(0, 0, l)
}

// Pan moves what is shown by pixels, as far as there is something to see.
func (o *Overview) Pan(dx, dy float64, l Look) {
	sx, sy, _, _ := o.scale(l)
	within := func(x, size, window float64) float64 {
		if size <= window {
			return size / 2
		}
		return min(max(x, window/2), size-window/2)
	}
	margin := l.text()
	o.x0 = within(o.x0-dx/sx, o.across, (l.Width-2*margin)/sx)
	o.y0 = within(o.y0-dy/sy, o.levels, (l.Height-2*margin)/sy)
}

// place is where a node is drawn.
func (o *Overview) place(node int, sx, sy float64, l Look) (x, y float64) {
	return (o.x[node]-o.x0)*sx + l.Width/2, (float64(o.plan.depth[node])+0.5-o.y0)*sy + l.Height/2
}

// Reveal moves the window so that a bag is in it.
func (o *Overview) Reveal(bag int, l Look) {
	sx, sy, _, _ := o.scale(l)
	x, y := o.place(int(o.node[bag]), sx, sy, l)
	if margin := l.text(); x < margin || y < margin || x > l.Width-margin || y > l.Height-margin {
		o.Pan(l.Width/2-x, l.Height/2-y, l)
	}
}

// Place is where a bag is drawn, in pixels.
func (o *Overview) Place(bag int, l Look) (x, y float64) {
	sx, sy, _, _ := o.scale(l)
	return o.place(int(o.node[bag]), sx, sy, l)
}

// Nearest is the bag at most so many pixels from a place, -1 where none is.
func (o *Overview) Nearest(x, y, within float64, l Look) int {
	sx, sy, _, _ := o.scale(l)
	boxes, w, h := o.boxes(sx, sy, l), 0.0, 0.0
	bag := -1
	for i, b := range o.nodes {
		px, py := o.place(i, sx, sy, l)
		if py-y > within+l.text() || y-py > within+l.text() {
			continue
		}
		if boxes {
			w, h = l.text()*(letters(o.label(b))+bagPad), l.text()*bagHeight
		}
		if d := math.Hypot(max(0, math.Abs(px-x)-w/2), max(0, math.Abs(py-y)-h/2)) + math.Hypot(px-x, py-y)/50; d < within {
			within, bag = d, int(b)
		}
	}
	return bag
}

// boxes says whether there is room for words.
func (o *Overview) boxes(sx, sy float64, l Look) bool {
	return sx >= 0.98*l.text()*(o.widest+bagPad+bagGap) && sy >= l.text()*(bagHeight+0.5)
}

// Marks are what is marked in an overview.
type Marks struct {
	Chosen, Pointed int   // bags, -1: none
	Lit             []int // bags that hold what is pointed at or searched for
	Step            int   // vertices eliminated so far: bags that are not made yet are faint; -1: all are there
}

// mark is how a node is drawn.
type mark uint8

const (
	faint mark = iota
	plain
	bright
	pointed
	chosen
	markCount
)

func (o *Overview) marks(m Marks) []mark {
	if m.Step >= 0 && o.made == nil {
		o.made = make([]int32, len(o.node))
		for i, v := range slices.Backward(o.order) {
			for _, b := range o.bags.Holding(v) {
				o.made[b] = int32(i)
			}
		}
	}
	out := make([]mark, len(o.nodes))
	for i, b := range o.nodes {
		if m.Step < 0 || int(o.made[b]) < m.Step {
			out[i] = plain
		}
	}
	set := func(b int, as mark) {
		if b >= 0 && b < len(o.node) {
			out[o.node[b]] = as
		}
	}
	for _, b := range m.Lit {
		set(b, bright)
	}
	set(m.Pointed, pointed)
	set(m.Chosen, chosen)
	return out
}

// SVG draws what the window shows. All edges are one path, and all dots of a kind: thousands of elements are slow to lay out.
func (o *Overview) SVG(prefix, title, desc string, m Marks, l Look) string {
	s := begin(prefix, l, title, desc)
	colors, marks := l.palette(), o.marks(m)
	sx, sy, _, _ := o.scale(l)
	boxes := o.boxes(sx, sy, l)
	radius := min(max(0.4*min(sx, sy), 1), 0.4*l.text())
	out := func(x0, y0, x1, y1 float64) bool {
		reach := l.text() * (o.widest + bagPad)
		return max(x0, x1) < -reach || min(x0, x1) > l.Width+reach || max(y0, y1) < -reach || min(y0, y1) > l.Height+reach
	}
	var room [48]byte
	point := func(letter byte, x, y float64) { // to a tenth of a pixel, as number; ten thousand of them in a frame
		at := appendTenth(append(room[:0], letter), x)
		s.Write(appendTenth(append(at, ' '), y))
	}
	fmt.Fprintf(s, `<path fill="none" stroke="%s" stroke-width="%s" d="`, colors.line, number(min(max(radius, 0.4), 1)))
	for i, up := range o.plan.parent {
		if up < 0 {
			continue
		}
		x0, y0 := o.place(up, sx, sy, l)
		x1, y1 := o.place(i, sx, sy, l)
		if !out(x0, y0, x1, y1) {
			point('M', x0, y0)
			point('L', x1, y1)
		}
	}
	s.WriteString(`"/>`)
	accent := strong(l.accent(), l.Theme)
	looks := [markCount]shade{{fill: l.palette().line}, {fill: colors.ink}, {fill: accent}, {fill: accent}, l.shade(Current)}
	for k := range markCount {
		look, r := looks[k], radius
		if k > plain {
			r = max(r, 3)
		}
		if k > bright {
			r = max(r, 4.5)
		}
		if !boxes {
			if k == chosen {
				s.dots(2*r+3, colors.ink)
				o.eachNode(marks, k, func(i int) { x, y := o.place(i, sx, sy, l); point('M', x, y); s.WriteString("h0") })
				s.WriteString(`"/>`)
			}
			s.dots(2*r, look.fill)
			o.eachNode(marks, k, func(i int) {
				if x, y := o.place(i, sx, sy, l); !out(x, y, x, y) {
					point('M', x, y)
					s.WriteString("h0")
				}
			})
			s.WriteString(`"/>`)
			continue
		}
		h := l.shade(Plain)
		switch k {
		case faint:
			h = l.shade(Gone)
			h.fill = colors.ground
		case bright:
			h.stroke, h.width = accent, 3
		case pointed:
			h.stroke, h.width = accent, 4
		case chosen:
			h = l.shade(Current)
		}
		o.eachNode(marks, k, func(i int) {
			x, y := o.place(i, sx, sy, l)
			if out(x, y, x, y) {
				return
			}
			words := o.label(o.nodes[i])
			wide, high := l.text()*(letters(words)+bagPad), l.text()*bagHeight
			s.rect(x-wide/2, y-high/2, wide, high, 6, h)
			s.text(words, x, y+0.36*l.text(), "middle", h.letter, false)
		})
	}
	return s.end()
}

// appendTenth appends a number to a tenth, several times as quickly as strconv does.
func appendTenth(dst []byte, x float64) []byte {
	n := int64(math.Round(10 * x))
	if n < 0 {
		dst, n = append(dst, '-'), -n
	}
	if dst = strconv.AppendInt(dst, n/10, 10); n%10 != 0 {
		dst = append(dst, '.', byte('0'+n%10))
	}
	return dst
}

func (o *Overview) eachNode(marks []mark, k mark, f func(i int)) {
	for i, m := range marks {
		if m == k {
			f(i)
		}
	}
}

// dots begins a path whose points without length are discs.
func (s *svg) dots(width float64, color string) {
	fmt.Fprintf(s, `<path fill="none" stroke-linecap="round" stroke="%s" stroke-width="%s" d="`, color, number(width))
}
