package figure

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"genussink/viewer/colormap"
)

// members are the vertices of each bag.
type members [][]int32

func (m members) Bag(b int32) []int32 { return m[b] }

func (m members) Holding(v int32) (bags []int32) {
	for b, bag := range m {
		if slices.Contains(bag, v) {
			bags = append(bags, int32(b))
		}
	}
	return bags
}

// overview is that of a random tree of n bags of two vertices, of which bag 0 is the root.
func overview(n int, seed uint64) *Overview {
	var bags members
	var parent, sizes, order []int32
	for b, up := range many(n, seed).Parent {
		bags = append(bags, []int32{int32(b), int32(b) + 1})
		parent, sizes, order = append(parent, int32(up)), append(sizes, 2), append(order, int32(b))
	}
	return NewOverview(bags, parent, sizes, append(order, int32(n)), func(v int32) string { return strconv.Itoa(int(v)) })
}

var panelLook = Look{Width: 272, Height: 240, Theme: colormap.Light}

// Every bag is drawn or part of a bag above it, whatever their number; nodes of a level do not overlap.
func TestOverviewLayout(t *testing.T) {
	for _, n := range []int{0, 1, 7, 3000, MaxDrawn + 1, 30_000} {
		o := overview(n, 3)
		if len(o.nodes) > MaxDrawn || n <= MaxDrawn && o.Hidden() != 0 || len(o.nodes)+o.Hidden() != n {
			t.Errorf("of %d bags %d are drawn, %d hidden", n, len(o.nodes), o.Hidden())
		}
		for i := 1; i < len(o.nodes); i++ {
			if o.plan.depth[i] < o.plan.depth[i-1] || o.plan.depth[i] == o.plan.depth[i-1] && o.x[i] < o.x[i-1]+1-1e-6 {
				t.Fatalf("of %d bags node %d stands at %g of level %d, the one before at %g of level %d", n, i, o.x[i], o.plan.depth[i], o.x[i-1], o.plan.depth[i-1])
			}
		}
		text := o.SVG("x", "t", "d", Marks{Chosen: n - 1, Pointed: -1, Step: -1}, panelLook)
		if strings.Count(text, "<path") > 12 || strings.Contains(text, "NaN") {
			t.Errorf("%d bags: %d paths", n, strings.Count(text, "<path"))
		}
	}
	// Bag numbers say nothing of the tree.
	bags := members{{1, 3}, {0}, {0, 1}, {2, 3}}
	o := NewOverview(bags, []int32{2, 2, -1, 0}, []int32{2, 1, 2, 2}, []int32{2, 3, 0, 1}, func(v int32) string { return strconv.Itoa(int(v)) })
	if !slices.Equal(o.nodes, []int32{2, 0, 1, 3}) || !slices.Equal(o.plan.parent, []int{-1, 0, 0, 1}) {
		t.Errorf("nodes %v below %v", o.nodes, o.plan.parent)
	}
	// After two steps of the elimination bags 3 and 0 are there, which hold vertices 2 and 3.
	if got := o.marks(Marks{Chosen: -1, Pointed: -1, Step: 2}); !slices.Equal(got, []mark{faint, plain, faint, plain}) {
		t.Errorf("after two steps the bags are marked %v", got)
	}
	if text := o.SVG("x", "t", "d", Marks{Chosen: -1, Pointed: -1, Step: -1}, panelLook); !strings.Contains(text, ">0 1</text>") {
		t.Errorf("a small tree does not name its vertices: %s", text)
	}
}

// Coordinates are written as number writes them.
func TestAppendTenth(t *testing.T) {
	for _, x := range []float64{0, -0.04, 0.05, -0.1, 9.96, -12.34, 271.949, 100} {
		if got := string(appendTenth(nil, x)); got != number(x) {
			t.Errorf("%g is %s, want %s", x, got, number(x))
		}
	}
}

// The place that is zoomed at stays where it is. Zoom ends where words fit, and leads back. A bag that is revealed lies in the window, and Nearest
// finds it where it is drawn.
func TestOverviewWindow(t *testing.T) {
	o, r := overview(3000, 5), rand.New(rand.NewPCG(1, 2))
	bag := int(o.nodes[len(o.nodes)/2])
	for range 12 {
		x0, y0 := o.Place(bag, panelLook)
		o.Zoom(1.5, x0, y0, panelLook)
		x1, y1 := o.Place(bag, panelLook)
		if math.Hypot(x1-x0, y1-y0) > 40 { // the window ends at the tree's edges
			t.Fatalf("bag %d moves from (%g, %g) to (%g, %g)", bag, x0, y0, x1, y1)
		}
	}
	o.Zoom(1e9, 136, 120, panelLook)
	for range 50 {
		b := int(o.nodes[r.IntN(len(o.nodes))])
		o.Reveal(b, panelLook)
		x, y := o.Place(b, panelLook)
		if x < 0 || y < 0 || x > panelLook.Width || y > panelLook.Height {
			t.Fatalf("bag %d is revealed at (%g, %g)", b, x, y)
		}
		if got := o.Nearest(x, y, 10, panelLook); got != b {
			t.Fatalf("at bag %d is bag %d", b, got)
		}
		if text := o.SVG("x", "t", "d", Marks{Chosen: b, Pointed: -1, Step: -1}, panelLook); !strings.Contains(text, fmt.Sprintf(">%d</text>", b+1)) {
			t.Fatalf("no box says %d", b+1)
		}
	}
	for range 60 {
		o.Zoom(0.5, 20, 20, panelLook)
	}
	if !o.Fits() || o.Nearest(-500, -500, 10, panelLook) != -1 {
		t.Error("the whole tree does not come back")
	}
}

// Words find a bag by its number, and bags by their vertices; errors name what is wrong.
func TestOverviewSearch(t *testing.T) {
	o := overview(3000, 7)
	vertex := func(n int) int32 { return int32(min(n, 3001) - 1) } // numbered from 1
	for words, want := range map[string][]int{
		"bag 3": {2}, "B3": {2}, "bag 3, 1": {0, 2}, "12": {10, 11}, "vertex 12": {10, 11}, "v12": {10, 11}, "12 13": {11}, "12 40": nil, "": nil, "bag": nil,
	} {
		if got, err := o.Search(words, vertex); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q finds %v, %v; want %v", words, got, err, want)
		}
	}
	for words, want := range map[string]string{"bag 3001": "3001", "bag 0": "bag 0", "0": "vertex 0", "sand": `"sand"`, "1e9": `"1e9"`} {
		if _, err := o.Search(words, vertex); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", words, err)
		}
	}
}

// Arrow keys reach every bag that is drawn: from a bag down and right to its children, and up to the root.
func TestOverviewWalk(t *testing.T) {
	o := overview(500, 9)
	if o.Walk(-1, "ArrowDown") != 0 || o.Walk(o.Walk(7, "End"), "Home") != 0 {
		t.Error("a walk does not begin at the root")
	}
	for b := range 500 {
		at := b
		for range 500 {
			at = o.Walk(at, "ArrowUp")
		}
		if at != 0 {
			t.Fatalf("up from bag %d ends at %d", b, at)
		}
		here := int(o.node[b])
		for _, c := range o.plan.children[here] {
			at := o.Walk(b, "ArrowDown")
			for at != int(o.nodes[c]) && at != o.Walk(at, "ArrowRight") {
				at = o.Walk(at, "ArrowRight")
			}
			if at != int(o.nodes[c]) {
				t.Fatalf("down and right of bag %d never is bag %d", b, o.nodes[c])
			}
		}
	}
}
