package scene

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"genussink/core/job"
	"genussink/core/paint"
	"genussink/viewer/colormap"
	"genussink/viewer/timeline"
)

// The matrix is asked for column by column, sums the plan up between cells, and follows plan and level.
func TestMatrix(t *testing.T) {
	r := ready(t)
	n := r.s.Mesh.Vertices()
	plan := func(i, j int) float64 { return float64((3*i*i+5*j)%7+i/9) / float64(n*n) }
	columns := func(count int) {
		t.Helper()
		for k := range count {
			id, push := one[*job.Push](r)
			if st := r.s.State().Transport.Matrix; st.Done != k || st.Groups != count || st.Shown || push.Transpose {
				t.Fatalf("column %d: %+v", k, st)
			}
			answer := &job.Pushed{Values: make([]float64, n)}
			for j, x := range push.Values {
				for i := range answer.Values {
					answer.Values[i] += plan(i, j) * x
				}
			}
			r.answer(id, answer)
		}
	}
	m := &r.s.Matrix
	r.s.ShowMatrix(true)
	columns(3)
	if st := r.s.State().Transport.Matrix; !st.Shown || st.Level != 0 {
		t.Fatalf("%+v", st)
	}
	names := func() (list []string) {
		for _, g := range m.Groups() {
			list = append(list, fmt.Sprint(g.Path, g.Vertices))
		}
		return list
	}
	if got := names(); !slices.Equal(got, []string{"A31", "B31", "1"}) {
		t.Errorf("groups %v", got)
	}
	if g := m.Groups(); g[0].Want != [2]float64{1, 0} || g[1].Want != [2]float64{0, 1} {
		t.Errorf("wanted: %+v", g)
	}
	if r.s.Tick(0.01); len(r.take()) > 0 {
		t.Error("asks for what it has")
	}
	r.s.Separation.Level(1)
	r.s.Tick(0.01)
	columns(5)
	if got := names(); !slices.Equal(got, []string{"AA15", "AB15", "BA15", "BB15", "3"}) {
		t.Errorf("groups %v", got)
	}
	want := make([]float64, 25)
	for i, a := range m.Of() {
		for j, b := range m.Of() {
			want[5*a+b] += plan(i, j)
		}
	}
	for k, x := range m.Values() {
		if math.Abs(x-want[k]) > 1e-12*want[k] {
			t.Errorf("entry %d is %g, not %g", k, x, want[k])
		}
	}
	rows, cols := m.Sums()
	if got, want := rows[1], want[5]+want[6]+want[7]+want[8]+want[9]; math.Abs(got-want) > 1e-12 {
		t.Errorf("row 1 sums to %g, not %g", got, want)
	}
	if got, want := cols[1], want[1]+want[6]+want[11]+want[16]+want[21]; math.Abs(got-want) > 1e-12 {
		t.Errorf("column 1 sums to %g, not %g", got, want)
	}
	r.s.Drawn()
	before := slices.Clone(r.s.Colors())
	r.s.View.ReducedMotion(true)
	_, ground := colormap.Ground(r.s.View.Theme())
	for _, lit := range [][2]int{{2, -1}, {-1, 1}, {0, 3}, {3, 3}} {
		r.s.PointMatrix(lit[0], lit[1])
		if got := lines(r.s)[LayerDensities]; !slices.Equal(got, []string{"the row’s cell", "the column’s cell"}) {
			t.Errorf("%v: the legend says %v", lit, got)
		}
		far := func(c, from colormap.RGB) (sum float64) {
			for k := range c {
				sum += math.Abs(float64(c[k] - from[k]))
			}
			return sum
		}
		for v, c := range r.s.Colors() {
			g := int(m.Of()[v])
			toward := ground
			switch {
			case g == lit[0] && g == lit[1]:
				toward = colormap.Mix(colormap.Source(), colormap.Target(), 0.5)
			case g == lit[0]:
				toward = colormap.Source()
			case g == lit[1]:
				toward = colormap.Target()
			}
			if was := far(before[v], toward); !(far(c, toward) <= 0.4*was) {
				t.Errorf("%v: vertex %d of group %d has the colour %v, had %v", lit, v, g, c, before[v])
			}
		}
	}
	r.s.PointMatrix(5, 0)
	r.s.PointMatrix(-2, 0)
	if st := r.s.State().Transport.Matrix; st.Row != 3 || st.Column != 3 {
		t.Errorf("a group that is not there is lit: %+v", st)
	}
	// Another plan is on its way: the matrix goes, and comes again with it.
	r.s.Epsilon(0.3)
	r.s.Tick(0.01)
	r.s.Tick(0.01)
	if st := r.s.State().Transport.Matrix; st.Shown || st.Available || !st.Wanted || st.Groups != 0 || st.Row != -1 || st.Column != -1 || !slices.Equal(r.s.Colors(), before) {
		t.Errorf("it outlives its plan: %+v", st)
	}
	r.take()
	r.s.Solve()
	r.run()
	r.s.Tick(0.01)
	columns(5)
	r.s.Solve()
	if r.s.Tick(0.01); r.s.State().Transport.Matrix.Groups != 0 {
		t.Error("a solve is under way, and the old plan is asked")
	}
	// What would be asked in vain is not.
	r.run()
	r.s.Separation.Level(0)
	r.s.Separation.Move((*timeline.Timeline).Toggle)
	if r.s.Tick(0.01); len(r.take()) > 0 {
		t.Error("levels play, and each is asked for")
	}
	r.s.Separation.Move((*timeline.Timeline).Pause)
	r.s.Task(TaskSeparators)
	if r.s.Tick(0.01); len(r.take()) > 0 {
		t.Error("nobody sees the matrix, and it is asked for")
	}
	r.s.Task(TaskTransport)
	r.s.Brush.active, r.s.Brush.stroke = true, &paint.Stroke{}
	if r.s.Tick(0.01); len(r.take()) > 0 {
		t.Error("a stroke is under way, and each of its plans is asked")
	}
	r.s.Brush.active, r.s.Brush.stroke = false, nil
	r.s.Tick(0.01)
	columns(3)
	// What a plan costs on true distances waits for the matrix.
	r.s.Transport.solved.Method = job.Certified
	r.s.askPolish()
	polish, _ := one[*job.Polish](r)
	r.s.Separation.Level(1)
	r.s.Tick(0.01)
	if out := r.take(); len(out) != 2 || out[0].Body.(*job.Cancel).Request != polish {
		t.Fatalf("the polishing goes on: %v", kinds(out))
	} else {
		r.answer(out[1].ID, &job.Pushed{Values: make([]float64, n)})
	}
	r.s.askPolish()
	for range 4 {
		id, _ := one[*job.Push](r)
		r.answer(id, &job.Pushed{Values: make([]float64, n)})
	}
	polish, _ = one[*job.Polish](r)
	r.answer(polish, &job.Polished{Why: "no"})
	// It is stopped half way.
	r.s.Separation.Level(0)
	r.s.Tick(0.01)
	one[*job.Push](r)
	r.s.Cancel()
	if _, c := one[*job.Cancel](r); c.Request == 0 || r.s.State().Transport.Matrix.Wanted || r.s.State().Status != "Cancelled." {
		t.Errorf("stopped: %+v", r.s.State().Transport.Matrix)
	}
	r.s.ShowMatrix(true)
	id, _ := one[*job.Push](r)
	if r.answer(id, &job.Pushed{Values: make([]float64, 3)}); r.s.State().Error == "" {
		t.Error("a column of another mesh is taken")
	}
	r.s.Dismiss()
	r.s.ShowMatrix(false)
	r.s.ShowMatrix(true)
	id, _ = one[*job.Push](r)
	if r.answer(id, &job.Failed{Message: "no"}); r.s.State().Transport.Matrix.Wanted || r.s.State().Error != "Could not show the plan as a matrix: no" {
		t.Errorf("failed: %q, %+v", r.s.State().Error, r.s.State().Transport.Matrix)
	}
}

// Of a deep tree as many levels are taken as have few enough cells, and every vertex is in one group.
func TestMatrixLevels(t *testing.T) {
	const n = 4000
	deep := tree(n, 9)
	for level, want := range []struct{ at, groups int }{{0, 3}, {1, 5}, {2, 9}, {3, 17}, {4, 33}, {4, 33}, {4, 33}} {
		at, groups, of := grouped(deep, level)
		counts := make([]int, len(groups))
		for _, g := range of {
			counts[g]++
		}
		for i, g := range groups {
			if counts[i] != g.Vertices || i > 0 && g.Path != "" && g.Path <= groups[i-1].Path {
				t.Errorf("level %d, group %d: %+v, %d vertices", level, i, g, counts[i])
			}
		}
		if at != want.at || len(groups) != want.groups {
			t.Errorf("level %d: %d groups of level %d, want %+v", level, len(groups), at, want)
		}
	}
	if _, groups, _ := grouped(tree(2, 3), 5); len(groups) != 1 || groups[0].Vertices != 2 {
		t.Errorf("a tree of one leaf: %+v", groups)
	}
	// With a reach both masses are in shares of the source's.
	var m Matrix
	m.begin(matrixKey{tree: tree(4, 0), level: 1}, &job.Solve{Source: []float64{1, 1, 0, 0}, Target: []float64{0, 0, 0, 1}, Reach: job.Fraction(1)})
	if g := m.Groups(); g[0].Want != [2]float64{1, 0.5} {
		t.Errorf("with a reach: %+v", g)
	}
}
