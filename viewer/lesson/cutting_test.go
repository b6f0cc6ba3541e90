package lesson_test

import (
	"math"
	"slices"
	"testing"

	"genussink/core/graph"
	"genussink/core/job"
	"genussink/core/separator"
	"genussink/viewer/lesson"
	"genussink/viewer/lesson/model"
)

// swept is the engine's list for a graph, each cut as its separator, checked by the core.
func swept(t *testing.T, g *model.Graph) (list [][]int) {
	t.Helper()
	d := &lesson.Desk{}
	request := &job.Sweep{}
	d.Ask(g, request)
	errand, _ := d.Take()
	cg := core(t, g)
	for _, c := range office.answer(t, errand).(*job.Swept).Cuts {
		var s separator.Separation
		for v, side := range c.Sides {
			*[]*[]int32{&s.A, &s.S, &s.B}[side] = append(*[]*[]int32{&s.A, &s.S, &s.B}[side], int32(v))
		}
		if err := separator.Verify(cg, s, separator.ParetoBalance); err != nil {
			t.Errorf("%s: %v", g.Name, err)
		}
		list = append(list, ints(s.S))
	}
	return list
}

// fairest is the smallest fair cut of a list.
func fairest(t *testing.T, g *graph.Graph, list [][]int) []int {
	for _, s := range list {
		if a, b, _ := split(t, g, s); a > 0 && b > 0 && 3*max(a, b) <= 2*g.Len() {
			return s
		}
	}
	t.Fatal("no fair cut")
	return nil
}

// The first lesson's cuts.
func TestCutting(t *testing.T) {
	each(t, func(t *testing.T, r *reader, own *model.Graph) {
		g := own
		if g == nil {
			g = model.Vase()
		}
		cg, n := core(t, g), g.N
		list := swept(t, g)
		fair := fairest(t, cg, list)
		a, b, largest := split(t, cg, fair)
		sizes := wants{"n": float64(n), "A": float64(a), "S": float64(len(fair)), "B": float64(b), "balance": same(a, b, n), "largest": float64(largest)}

		r.open(1, 1)
		r.wrong()
		r.toggle(0)
		r.wrong()
		r.toggle(0)
		r.toggle(fair...)
		r.hold(r.view(), sizes)
		r.right()

		r.open(1, 2)
		r.act(lesson.Predict, 0, 0, 1)
		r.wrong()
		more := slices.Clone(fair) // a cut of one vertex more
		for v := range n {
			if x, y, _ := split(t, cg, append(slices.Clone(fair), v)); !slices.Contains(more, v) && len(more) == len(fair) && x > 0 && y > 0 && 3*max(x, y) <= 2*n {
				more = append(more, v)
			}
		}
		r.toggle(more...)
		if len(more) > len(fair) {
			r.check()
			if v := r.Verdict(); v.Pass {
				t.Error("1.2: a larger cut passes")
			}
		}
		r.StartOver()
		r.act(lesson.Predict, 0, 0, 1)
		r.toggle(fair...)
		want := wants{"found": float64(len(fair)), "foundA": float64(a), "foundB": float64(b)}
		for k, x := range sizes {
			want[k] = x
		}
		r.hold(r.reveal(), want)
		r.right()

		r.open(1, 3)
		r.wrong()
		best := 0.0
		for _, s := range list {
			x, y, _ := split(t, cg, s)
			best = max(best, same(x, y, n))
		}
		pick := -1
		for i, s := range list {
			if x, y, _ := split(t, cg, s); same(x, y, n) >= 0.9*best && (pick < 0 || len(s) < len(list[pick])) {
				pick = i
			}
		}
		for i := range list { // the first that will not do
			if x, y, _ := split(t, cg, list[i]); same(x, y, n) < 0.9*best {
				r.act(lesson.Choose, i, 0, 0)
				r.wrong()
				break
			}
		}
		r.act(lesson.Choose, pick, 0, 0)
		x, y, _ := split(t, cg, list[pick])
		r.hold(r.view(), wants{"cuts": float64(len(list)), "want": 0.9 * best, "yourS": float64(len(fair)), "yourBalance": same(a, b, n), "pickS": float64(len(list[pick])), "pickBalance": same(x, y, n)})
		r.right()
	})
}

// Grids of every side, and the torus.
func TestGrowth(t *testing.T) {
	r := newReader(t, nil)
	r.open(1, 4)
	r.act(lesson.Predict, 0, 0, 2)
	r.wrong()
	r.act(lesson.Predict, 0, 0, 1)
	var lx, ly []float64
	sizes := map[int]int{}
	for k := 3; k <= 9; k++ {
		g := model.Grid(k, k)
		sizes[k] = len(fairest(t, core(t, g), swept(t, g)))
		lx, ly = append(lx, math.Log(float64(k*k))), append(ly, math.Log(float64(sizes[k])))
	}
	// The slope by means, rather than by sums.
	mean := func(list []float64) (m float64) {
		for _, x := range list {
			m += x / float64(len(list))
		}
		return m
	}
	mx, my, up, down := mean(lx), mean(ly), 0.0, 0.0
	for i := range lx {
		up += (lx[i] - mx) * (ly[i] - my)
		down += (lx[i] - mx) * (lx[i] - mx)
	}
	r.reveal()
	for k := 3; k <= 9; k++ {
		r.act(lesson.Slide, 0, 0, float64(k))
		r.hold(r.view(), wants{"k": float64(k), "n": float64(k * k), "S": float64(sizes[k]), "planar": math.Sqrt(8 * float64(k*k)), "slope": up / down})
		if float64(sizes[k]) > math.Sqrt(8*float64(k*k)) {
			t.Errorf("the cut of %d x %d is above the bound for planar graphs", k, k)
		}
	}
	r.right()

	for at := range meshes {
		if testing.Short() && at > 0 {
			break
		}
		office.open(at)
		r := newReader(t, nil)
		r.open(1, 5)
		r.act(lesson.Predict, 0, 0, 5)
		grid, torus := model.Grid(8, 8), model.Torus(8)
		gs, ts := len(fairest(t, core(t, grid), swept(t, grid))), len(fairest(t, core(t, torus), swept(t, torus)))
		r.wrong()
		r.act(lesson.Predict, 0, 0, 2)
		want := wants{"n": 64, "gridS": float64(gs), "torusS": float64(ts), "ratio": float64(ts) / float64(gs)}
		v := r.reveal()
		for _, c := range run(office.mesh, &job.Sweep{}).(*job.Swept).Cuts {
			if n := c.A + c.S + c.B; 3*max(c.A, c.B) <= 2*n {
				want["meshN"], want["meshS"], want["meshRoot"] = float64(n), float64(c.S), float64(c.S)/math.Sqrt(float64(n))
				break
			}
		}
		r.hold(v, want)
		r.right()
	}
	office.open(0)
}
