package lesson_test

import (
	"cmp"
	"slices"
	"testing"

	"genussink/core/treedec"
	"genussink/viewer/figure"
	"genussink/viewer/lesson"
	"genussink/viewer/lesson/model"
)

var figureLook = figure.Look{Width: 480, Height: 340}

// The roles that tests look for.
const (
	current   = figure.Current
	out       = figure.Gone
	separates = figure.Separator
	sideB     = figure.SideB
)

func cmpFloat(a, b float64) int { return cmp.Compare(a, b) }

// graphOf is the first graph of a view.
func graphOf(v lesson.View) *figure.Graph {
	for _, f := range v.Figures {
		if g, ok := f.(*figure.Graph); ok {
			return g
		}
	}
	return nil
}

func coverOf(v lesson.View) *figure.Cover {
	for _, f := range v.Figures {
		if c, ok := f.(*figure.Cover); ok {
			return c
		}
	}
	return nil
}

// roles are the vertices of a role in a view's first graph.
func roles(v lesson.View, role figure.Role) (list []int) {
	for x, r := range graphOf(v).Roles {
		if r == role {
			list = append(list, x)
		}
	}
	return list
}

// bagsOf is the tree of a view.
func bagsOf(v lesson.View) *model.Decomposition {
	for _, f := range v.Figures {
		if t, ok := f.(*figure.Tree); ok {
			return &model.Decomposition{Bags: t.Members, Parent: t.Parent}
		}
	}
	return nil
}

func asCore(g *model.Graph, d *model.Decomposition) *treedec.Decomposition {
	c := &treedec.Decomposition{Vertices: g.N}
	for b, bag := range d.Bags {
		c.Bags = append(c.Bags, shorts(bag))
		if d.Parent[b] >= 0 {
			c.Tree = append(c.Tree, [2]int32{int32(b), int32(d.Parent[b])})
		}
	}
	return c
}

// violations are the numbers of broken rules, counted by hand.
func violations(t *testing.T, g *model.Graph, d *model.Decomposition) wants {
	t.Helper()
	w := wants{"loose": 0, "uncovered": 0, "torn": 0, "width": float64(asCore(g, d).Width())}
	holds := func(v int) (bags []int) {
		for b, bag := range d.Bags {
			if slices.Contains(bag, v) {
				bags = append(bags, b)
			}
		}
		return bags
	}
	for v := range g.N {
		bags := holds(v)
		if len(bags) == 0 {
			w["loose"]++
			continue
		}
		links := 0 // a forest of so many bags and links has as many trees as the difference
		for _, b := range bags {
			if up := d.Parent[b]; up >= 0 && slices.Contains(bags, up) {
				links++
			}
		}
		if len(bags)-links > 1 {
			w["torn"]++
		}
	}
	for _, e := range g.Edges {
		if !slices.ContainsFunc(holds(e[0]), func(b int) bool { return slices.Contains(d.Bags[b], e[1]) }) {
			w["uncovered"]++
		}
	}
	if broken := w["loose"]+w["uncovered"]+w["torn"] > 0; broken == (asCore(g, d).Validate(core(t, g)) == nil) {
		t.Errorf("%v broken, the core says %v", w, asCore(g, d).Validate(core(t, g)))
	}
	return w
}

// hangs is how many vertices lie in a bag and below it.
func hangs(d *model.Decomposition, bag int) int {
	in := map[int]bool{}
	for b := range d.Bags {
		for x := b; x >= 0; x = d.Parent[x] {
			if x == bag {
				for _, v := range d.Bags[b] {
					in[v] = true
				}
			}
		}
	}
	return len(in)
}
