//go:build e2e && !js

package e2e

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/chromedp/chromedp"

	"genussink/viewer/lesson/model"
)

func vertices(list []int) (out []string) {
	for _, v := range list {
		out = append(out, target(0, "vertex", v))
	}
	return out
}

// band is a fair cut of a graph that lies across the page: what stands in its middle.
func band(g *model.Graph) (cut []int) {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, p := range g.Places {
		lo, hi = min(lo, p[0]), max(hi, p[0])
	}
	for wide := 0.0; ; wide += 0.1 {
		cut = nil
		for v, p := range g.Places {
			if math.Abs(p[0]-(lo+hi)/2) <= wide {
				cut = append(cut, v)
			}
		}
		if c := model.Separate(g, cut); c.A > 0 && c.B > 0 && 3*max(c.A, c.B) <= 2*g.N {
			return cut
		}
		if wide > hi-lo {
			return nil
		}
	}
}

// degrees are the vertices, those of few neighbours first.
func degrees(g *model.Graph) (order []int) {
	count := make([]int, g.N)
	for _, e := range g.Edges {
		count[e[0]]++
		count[e[1]]++
	}
	for v := range g.N {
		order = append(order, v)
	}
	slices.SortStableFunc(order, func(a, b int) int { return count[a] - count[b] })
	return order
}

// narrow is the narrowest of some orders that take a vertex with the fewest fill edges, ties by chance.
func narrow(g *model.Graph) (best []int) {
	least := g.N
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 1))
		next := make([]map[int]bool, g.N)
		for v := range next {
			next[v] = map[int]bool{}
		}
		for _, e := range g.Edges {
			next[e[0]][e[1]], next[e[1]][e[0]] = true, true
		}
		var order []int
		width := 0
		for len(order) < g.N {
			at, fewest, ties := -1, 0, 0
			for v := range g.N {
				if slices.Contains(order, v) {
					continue
				}
				fill := 0
				for a := range next[v] {
					for b := range next[v] {
						if a < b && !next[a][b] {
							fill++
						}
					}
				}
				if at < 0 || fill < fewest {
					at, fewest, ties = v, fill, 1
				} else if fill == fewest {
					if ties++; random.IntN(ties) == 0 {
						at = v
					}
				}
			}
			width = max(width, len(next[at]))
			for a := range next[at] {
				for b := range next[at] {
					if a != b {
						next[a][b] = true
					}
				}
				delete(next[a], at)
			}
			order = append(order, at)
		}
		if width < least {
			least, best = width, order
		}
	}
	return best
}

// plays are the lessons, each step once wrong and once right.
var plays = [][]func(r *reader, g *model.Graph){
	{
		func(r *reader, g *model.Graph) {
			r.wrong()
			cut := band(g)
			r.pick(vertices(cut[:1])...)
			r.wrong()
			r.pick(vertices(cut[1:])...)
			r.right()
		},
		func(r *reader, g *model.Graph) {
			r.wrong() // no prediction yet
			r.guess(0, "4")
			r.pick(vertices(band(g))...)
			r.pick(target(0, "vertex", 0)) // one more than it takes
			r.wrong()
			smallest := r.marked()
			r.press("Start over")
			r.guess(0, "4")
			r.pick(smallest...)
			r.right()
		},
		func(r *reader, g *model.Graph) {
			r.wrong()
			r.pick(target(0, "point", 0)) // the smallest, and not even enough
			r.wrong()
			r.follow()
		},
		func(r *reader, g *model.Graph) { r.choice(0, 1) },
		func(r *reader, g *model.Graph) { r.predict("0.5", 1) },
	},
	{
		func(r *reader, g *model.Graph) {
			r.wrong()
			for v := range g.N {
				r.pick(target(0, "vertex", v))
				if r.verdict() {
					return
				}
			}
			r.t.Error("no vertex will do")
		},
		func(r *reader, g *model.Graph) {
			r.wrong()
			r.press("Previous step")
			r.at(2, 1)
			full := eval[[]string](r.tab, `[...document.querySelectorAll('#figure-1 [data-kind=bag]')].sort((a, b) => a.dataset.id - b.dataset.id).map((e) => e.dataset.vertices)`)
			r.press("Next step")
			r.at(2, 2)
			const kept = "document.querySelectorAll('#lesson-rules .holds').length"
			if n := eval[int](r.tab, kept); n == 3 {
				r.t.Error("all rules hold before anything is done")
			}
			first := r.hand == pointer
			for b, text := range full {
				has := eval[string](r.tab, fmt.Sprintf("document.querySelector(%q).dataset.vertices ?? ''", target(1, "bag", b)))
				for _, word := range strings.Fields(text) {
					if slices.Contains(strings.Fields(has), word) {
						continue
					}
					v, _ := strconv.Atoi(word)
					if first { // the first is dragged, the others are picked
						from := r.place(target(0, "vertex", v))
						to := eval[spot](r.tab, fmt.Sprintf("(({x, y, width, height}) => ({X: x + width / 2, Y: y + height / 2}))(document.querySelector(%q).getBoundingClientRect())", target(1, "bag", b)))
						r.drag(from, spot{(from.X + to.X) / 2, (from.Y + to.Y) / 2}, to)
						first = false
						continue
					}
					r.pick(target(0, "vertex", v), target(1, "bag", b))
				}
			}
			if n := eval[int](r.tab, kept); n != 3 {
				r.t.Errorf("%d of 3 rules hold", n)
			}
			r.right()
		},
		func(r *reader, g *model.Graph) { r.predict("1", 0) },
		func(r *reader, g *model.Graph) { r.predict("7", 0, 1, 2, 3) },
	},
	{
		func(r *reader, g *model.Graph) {
			r.wrong()
			r.pick(vertices(degrees(g)[g.N-1:])...)
			r.wrong()
			r.press("Undo step")
			r.follow()
		},
		func(r *reader, g *model.Graph) {
			r.pick(target(0, "vertex", 0))
			r.wrong()
			for v := 1; v < g.N; v++ {
				r.pick(target(0, "vertex", v))
			}
			r.right()
		},
		func(r *reader, g *model.Graph) {
			all := degrees(g)
			slices.Reverse(all) // the vertex of most neighbours first: too wide
			r.pick(vertices(all)...)
			r.wrong()
			r.press("Start over")
			r.pick(vertices(narrow(g))...)
			r.right()
		},
		func(r *reader, g *model.Graph) { r.predict("1", 2) },
	},
	{
		func(r *reader, g *model.Graph) { r.predict("12", 0) },
		func(r *reader, g *model.Graph) {
			r.wrong()
			r.pick("#" + eval[string](r.tab, "[...document.querySelectorAll('#figure-1 [data-kind=bag]')].at(-1).id")) // a leaf
			r.wrong()
			r.follow()
		},
		func(r *reader, g *model.Graph) { r.predict("1", 0) },
		func(r *reader, g *model.Graph) { r.wrong(); r.follow() },
	},
	{
		func(r *reader, g *model.Graph) { r.predict("20", 0) },
		func(r *reader, g *model.Graph) { r.predict("20", 0) },
		func(r *reader, g *model.Graph) { r.wrong(); r.follow() },
		func(r *reader, g *model.Graph) {
			r.wrong()
			r.pick(target(0, "vertex", 5), target(0, "vertex", 6)) // of the side that is there
			r.wrong()                                              // this hint names a pair in need
			pair := r.marked()
			r.press("Start over")
			r.pick(pair...)
			r.right()
		},
		func(r *reader, g *model.Graph) { r.predict("30", 0) },
	},
	{
		func(r *reader, g *model.Graph) { r.predict("0", 0) },
		func(r *reader, g *model.Graph) { r.predict("1000", 0) },
		func(r *reader, g *model.Graph) { r.predict("1", 0) },
		func(r *reader, g *model.Graph) { r.predict("10", 0) },
	},
	{
		func(r *reader, g *model.Graph) {
			sharpen(r)
		},
		func(r *reader, g *model.Graph) { r.choice(1, 0) },
		func(r *reader, g *model.Graph) { r.predict("1", 0) },
		func(r *reader, g *model.Graph) {
			r.wrong()
			r.press("Reveal")
			truth := eval[string](r.tab, "document.querySelector('#lesson-reveal b').textContent")
			n, _ := strconv.Atoi(truth)
			r.press("Timeline on")
			for range n - 1 {
				r.press("Timeline on")
			}
			r.right()
		},
		func(r *reader, g *model.Graph) {
			r.until("document.querySelector('#lesson-figures svg')")
			sharpen(r)
			r.wait("s.view.flow && Math.abs(s.transport.epsilon - 0.02) < 1e-6")
		},
	},
	{
		func(r *reader, g *model.Graph) {
			r.wrong()
			r.pick(target(0, "point", 4)) // sampled: its error is far above the goal
			r.wrong()
			r.press("Undo step") // the hint points at the dot that was picked
			r.follow()
		},
		func(r *reader, g *model.Graph) { r.predict("1", 0) },
		func(r *reader, g *model.Graph) { r.choice(1, 0) },
		func(r *reader, g *model.Graph) { r.choice(0, 1) },
	},
}

// sharpen finds epsilon too large, and takes the least.
func sharpen(r *reader) {
	r.t.Helper()
	r.wrong()
	if r.hand == keys {
		r.keyTo("#lesson-x")
	} else {
		eval[bool](r.tab, "document.getElementById('lesson-x').focus(), true")
	}
	r.do(chromedp.KeyEvent(home))
	r.right()
}
