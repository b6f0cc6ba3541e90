package lesson_test

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"genussink/core/baseline"
	"genussink/core/job"
	"genussink/core/linop"
	"genussink/core/shortest"
	"genussink/core/transport"
	"genussink/viewer/figure"
	"genussink/viewer/lesson"
	"genussink/viewer/lesson/model"
)

// solved is the core's answer to a problem of the seventh lesson.
func solved(t *testing.T, g *model.Graph, p *model.Transport) *transport.Result {
	t.Helper()
	k, err := baseline.NewDense(context.Background(), core(t, g), p.Epsilon, baseline.Options{})
	if err != nil {
		t.Fatal(err)
	}
	res, err := transport.Solve(context.Background(), transport.Problem{Kernel: k, Source: p.Source, Target: p.Target, Epsilon: p.Epsilon}, transport.Options{Tolerance: 1e-9})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// twin is Sinkhorn's iteration in its plain form, u = a/(K v) and v = b/(K^T u), on the core's distances: the errors of
// rows and columns after each half step, until the columns' is small after one of the rows.
func twin(t *testing.T, g *model.Graph, p *model.Transport, most int) (rows, columns []float64) {
	cg := core(t, g)
	n := g.N
	k := make([][]float64, n)
	for i := range k {
		k[i] = shortest.From(cg, int32(i))
		for j := range k[i] {
			k[i][j] = math.Exp(-k[i][j] / p.Epsilon)
		}
	}
	u, v := make([]float64, n), make([]float64, n)
	for i := range u {
		u[i], v[i] = 1, 1
	}
	for half := 0; half < most; half++ {
		for i := range n {
			sum := 0.0
			for j := range n {
				if half%2 == 0 {
					sum += k[i][j] * v[j]
				} else {
					sum += k[j][i] * u[j]
				}
			}
			if half%2 == 0 {
				u[i] = p.Source[i] / sum
			} else {
				v[i] = p.Target[i] / sum
			}
		}
		var rowOff, colOff float64
		for i := range n {
			row, col := 0.0, 0.0
			for j := range n {
				row += u[i] * k[i][j] * v[j]
				col += u[j] * k[j][i] * v[i]
			}
			rowOff += math.Abs(row - p.Source[i])
			colOff += math.Abs(col - p.Target[i])
		}
		rows, columns = append(rows, rowOff), append(columns, colOff)
		if half%2 == 0 && colOff <= 1e-6 {
			break
		}
	}
	return rows, columns
}

// apart are the lesson's piles: around the ends of a longest way.
func apart(t *testing.T, g *model.Graph) (source, target []float64, far float64) {
	cg := core(t, g)
	d := shortest.From(cg, 0)
	from := slices.Index(d, slices.Max(d))
	d = shortest.From(cg, int32(from))
	to := slices.Index(d, slices.Max(d))
	source, target = model.Piles(g, from, to)
	return source, target, d[to]
}

// partners is the mean, by mass, of the exponential of the entropy of the rows of the core's plan.
func partners(t *testing.T, g *model.Graph, p *model.Transport) (mean, cost float64) {
	res := solved(t, g, p)
	k, err := baseline.NewDense(t.Context(), core(t, g), p.Epsilon, baseline.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range p.Source {
		entropy := 0.0
		d, err := k.Distances(t.Context(), nil, i)
		if err != nil {
			t.Fatal(err)
		}
		for j := range d {
			if x := math.Exp(res.LogU[i]+res.LogV[j]-d[j]/p.Epsilon) / a; x > 0 {
				entropy -= x * math.Log(x)
			}
		}
		mean += a * math.Exp(entropy)
	}
	return mean, res.Cost
}

var _ linop.Kernel = (*baseline.Dense)(nil)

// near compares what two iterations of different tolerance come to.
func (r *reader) near(name string, want, tolerance float64) {
	r.Helper()
	if got := r.reading(name); math.Abs(got-want) > tolerance*max(1, math.Abs(want)) {
		r.Errorf("%d.%d: {%s} is %v, not %v", r.State().Number, r.State().Step, name, got, want)
	}
}

// settled are the readings that other tests of a step have compared, as they stand.
func (r *reader) settled(names ...string) wants {
	w := wants{}
	for _, name := range names {
		w[name] = r.reading(name)
	}
	return w
}

func TestBlurring(t *testing.T) {
	each(t, func(t *testing.T, r *reader, own *model.Graph) {
		g := model.Path(24)
		if own != nil { // numbered along its longest way: see TestOwnAlong
			r.open(7, 1)
			g = r.Own()
		}
		source, target, far := apart(t, g)
		problem := func(share float64) *model.Transport { return model.NewTransport(g, source, target, share*far) }
		sharp, _ := partners(t, g, problem(0.01))
		blur, _ := partners(t, g, problem(1))
		r.open(7, 1)
		r.wrong()
		for _, share := range []float64{1, 0.3, 0.1, 0.03} {
			r.act(lesson.Slide, 0, 0, share)
			mean, cost := partners(t, g, problem(share))
			r.near("partners", mean, 1e-4)
			r.near("cost", cost, 1e-4)
			r.near("want", math.Sqrt(sharp*blur), 1e-4)
			w := r.settled("partners", "cost", "want")
			w["far"], w["epsilon"] = far, share*far
			r.hold(r.view(), w)
		}
		r.act(lesson.Slide, 0, 0, 0.01)
		// The mass begins as the source and arrives as the target. Its mean distance from the source's end grows meanwhile.
		steps, end := r.view().Length, shortest.From(core(t, g), int32(slices.Index(source, slices.Max(source))))
		if steps != int(far) {
			t.Errorf("7.1: %d steps, a way of %g", steps, far)
		}
		gone := -1.0
		for at := range steps + 1 {
			r.Timeline().Seek(float64(at))
			chart := r.view().Figures[1].(*figure.Chart)
			moving, total, mean := chart.Curves[2].Points, 0.0, 0.0
			for v, p := range moving {
				total, mean = total+p[1], mean+p[1]*end[v]
				if want := map[int][]float64{0: source, steps: target}[at]; want != nil && !(math.Abs(p[1]-want[v]) < 1e-4) {
					t.Errorf("7.1: at %d of %d vertex %d has %g, not %g", at, steps, v, p[1], want[v])
				}
			}
			if !(math.Abs(total-1) < 1e-4) || !(mean > gone-0.5) {
				t.Errorf("7.1: at %d of %d there is %g, %g from the source, after %g", at, steps, total, mean, gone)
			}
			gone = mean
		}
		r.Timeline().Seek(0)
		r.right()

		rows, columns := twin(t, g, problem(0.1), 400)
		r.open(7, 2)
		r.act(lesson.Predict, 0, 0, 1)
		r.wrong()
		r.act(lesson.Predict, 0, 0, 0)
		r.reveal()
		for _, half := range []int{1, 2, len(rows)} {
			half = min(half, len(rows))
			r.Timeline().Seek(float64(half))
			r.near("rowError", rows[half-1], 1e-9)
			r.near("colError", columns[half-1], 1e-9)
			w := r.settled("rowError", "colError")
			w["half"], w["steps"] = float64(half), float64(len(rows))
			w["factor"] = math.Inf(1)
			if len(rows) > 2 {
				last := len(rows) - 1
				if last%2 == 1 { // the last step of the rows
					last--
				}
				r.near("factor", columns[last-2]/columns[last], 1e-3)
				w["factor"] = r.reading("factor")
			}
			r.hold(r.view(), w)
		}
		r.right()

		count := func(share float64) float64 {
			rows, _ := twin(t, g, problem(share), 40000)
			return float64((len(rows) + 1) / 2)
		}
		r.open(7, 3)
		tenth := count(0.02)
		for _, guess := range []float64{5 * tenth, tenth / 5} {
			r.act(lesson.Predict, 0, 0, guess)
			r.wrong()
		}
		r.act(lesson.Predict, 0, 0, tenth)
		r.hold(r.reveal(), wants{"epsilon": 0.2 * far, "tenth": 0.02 * far, "base": count(0.2), "halfEpsilon": 0.1 * far, "halved": count(0.1), "count": tenth})
		r.right()

		r.open(7, 4)
		v := r.view()
		r.wrong()
		res := solved(t, g, problem(0.1))
		if err := r.Reveal(); err != nil {
			t.Fatal(err)
		}
		first := r.reading("first")
		for half := 1; half <= v.Length; half++ {
			r.Timeline().Seek(float64(half))
			if small := r.reading("gapShare") <= 0.01; small && float64(half) < first || float64(half) == first && !small && half < v.Length {
				t.Errorf("7.4: after %d half steps the gap is %v, the first is %v", half, r.reading("gapShare"), first)
			}
			// Weak duality: the core's optimum lies between.
			if r.reading("primal") < res.Dual-1e-7 || r.reading("dual") > res.Primal+1e-7 {
				t.Errorf("7.4: %v and %v around %v", r.reading("primal"), r.reading("dual"), res.Primal)
			}
		}
		r.near("primal", res.Primal, 1e-4)
		r.near("dual", res.Dual, 1e-4)
		w := r.settled("primal", "dual", "first")
		w["half"], w["gap"], w["gapShare"] = float64(v.Length), w["primal"]-w["dual"], (w["primal"]-w["dual"])/w["primal"]
		r.hold(r.view(), w)
		if int(first) < v.Length {
			r.wrong()
		}
		r.Timeline().Seek(first)
		r.right()
	})
}

// The eighth lesson on six meshes: what it says is what the engine's answers say, and what they say holds.
func TestMeasuring(t *testing.T) {
	for at, m := range meshes {
		if testing.Short() && at > 0 {
			break
		}
		t.Run(m.Kind, func(t *testing.T) {
			office.open(at)
			r := newReader(t, nil)
			r.open(8, 1)
			r.wrong()
			densities := run(office.mesh, &job.Measure{Preset: "paper"}).(*job.Measured)
			answers := map[string]*job.Solved{}
			want := wants{"goal": 0.001}
			names := []string{"dense", "exact", "certified", "embedded", "sampled"}
			for _, method := range names {
				request := &job.Solve{Source: densities.Source, Target: densities.Target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.1), Method: method}, Patience: 20}
				if job.Bounded(method) {
					request.Delta = job.Fraction(0.01)
				}
				key := string(job.Encode(0, request))
				a, ok := office.answers[key].(*job.Solved)
				if !ok {
					t.Errorf("%s: %v", method, office.answers[key])
					continue
				}
				answers[method] = a
				seconds := 0.0
				for _, x := range append(slices.Clone(a.Setup), a.Timings...) {
					seconds += x.Seconds
				}
				want[method+"Cost"], want[method+"Seconds"], want[method+"Bytes"] = a.Cost, seconds, float64(a.MemoryBytes)
				want[method+"Error"] = math.Abs(a.Cost-answers["dense"].Cost) / answers["dense"].Cost
			}
			r.hold(r.view(), want)
			if want["exactError"] > 1e-5 {
				t.Errorf("exact is off by %v", want["exactError"])
			}
			best, bad := -1, -1
			for i, name := range names {
				if answers[name] == nil {
					continue
				}
				if want[name+"Error"] <= 0.001 && (best < 0 || want[name+"Seconds"] < want[names[best]+"Seconds"]) {
					best = i
				}
				if want[name+"Error"] > 0.001 {
					bad = i
				}
			}
			for i := range names {
				if i != bad && i != best && answers[names[i]] != nil && answers[names[i]].Method == answers[names[best]].Method { // one method by two names
					r.act(lesson.Choose, i, 0, 0)
					r.right()
				} else if i == bad || i != best && answers[names[i]] != nil && want[names[i]+"Seconds"] > want[names[best]+"Seconds"] {
					r.act(lesson.Choose, i, 0, 0)
					r.wrong()
				}
			}
			r.act(lesson.Choose, best, 0, 0)
			r.right()
			// The rows say what the dots show. The more memory, the larger the dot.
			list, dots := r.view().Figures[1].(*figure.Table), r.view().Figures[0].(*figure.Chart).Dots
			least, most := math.Inf(1), 0.0
			for _, a := range answers {
				least, most = min(least, float64(a.MemoryBytes)), max(most, float64(a.MemoryBytes))
			}
			for i, name := range names {
				a := answers[name]
				if a == nil {
					continue
				}
				if w := dots[i].Weight; math.Abs(least*math.Pow(most/least, w)-float64(a.MemoryBytes)) > 1 {
					t.Errorf("8.1: %s has %d bytes of %g to %g, and weighs %v", name, a.MemoryBytes, least, most, w)
				}
				said := name
				if a.Method != name {
					said += " (" + a.Method + ")"
				}
				cells := []string{said, fmt.Sprintf("%.4f", a.Cost), lesson.Reading{Value: want[name+"Error"], Digits: 4}.String(), lesson.Reading{Value: want[name+"Seconds"], Digits: 3}.String(), fmt.Sprintf("%.0f", float64(a.MemoryBytes)/1000)}
				if row := list.Entries[i]; !slices.Equal(row.Cells, cells) || (row.Role == figure.Current) != (i == best) {
					t.Errorf("8: row %d is %v, not %v, and has the role %v", i, row.Cells, cells, row.Role)
				}
				for k, f := range r.view().Figures { // a method's dot and row light each other
					look := figureLook
					look.Lit = figure.Select(figure.Ref{Kind: figure.Point, ID: i}, r.view().Figures...)
					if text := f.SVG("x", look); strings.Count(text, `data-lit="true"`) != 1 || !regexp.MustCompile(fmt.Sprintf(`id="x-point-%d"[^>]*data-lit="true"`, i)).MatchString(text) {
						t.Errorf("8: of %s in figure %d another is lit", name, k)
					}
				}
			}
			r.open(8, 3)
			r.act(lesson.Predict, 0, 0, 1)
			r.wrong()
			r.act(lesson.Predict, 0, 0, 0)
			request := &job.Solve{Source: densities.Source, Target: densities.Target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.1), Method: job.Certified, Delta: job.Fraction(0.1)}, Patience: 20}
			c, e := office.answers[string(job.Encode(0, request))].(*job.Solved), answers["exact"]
			if c.Method != job.Certified || !(c.Bound > 1e-3*c.Cost) {
				t.Errorf("8.3: %s with a bound of %v: nothing is to be seen", c.Method, c.Bound)
			}
			if math.Abs(c.Primal-e.Primal) > c.Bound {
				t.Errorf("certified is off by %v, its bound is %v", math.Abs(c.Primal-e.Primal), c.Bound)
			}
			r.hold(r.reveal(), wants{"bound": c.Bound, "measured": math.Abs(c.Primal - e.Primal)})
			r.right()

			r.open(8, 4)
			r.act(lesson.Predict, 0, 0, 0)
			r.wrong()
			r.act(lesson.Predict, 0, 0, 1)
			d, s := answers["dense"], answers["sampled"]
			if s == nil || s.Status != "converged" { // a sample leaves no two vertices without a path: core/sgfi, TestSampledAnyGraph
				t.Fatalf("sampled comes to %v", s)
			}
			r.hold(r.reveal(), wants{"denseCost": d.Cost, "sampledCost": s.Cost, "sampledError": math.Abs(s.Cost-d.Cost) / d.Cost})
			r.right()
		})
	}
	office.open(0)
}

// Where a method gives no answer, steps that need it say so.
func TestMeasuringFails(t *testing.T) {
	for method, steps := range map[string][]int{job.Dense: {1, 2, 4}, job.Exact: {2, 3}, job.Certified: {3}, job.Sampled: {4}} {
		for step := 1; step <= 4; step++ {
			r := newReader(t, nil)
			if err := r.Open(8, step); err != nil {
				t.Fatal(err)
			}
			for r.View().Waiting {
				errand, ok := r.desk.Take()
				if !ok {
					t.Fatal("nothing is asked for")
				}
				var answer job.Body = &job.Measured{Source: []float64{1, 0}, Target: []float64{0, 1}}
				if s, ok := errand.Requests[0].(*job.Solve); ok && s.Method == method {
					answer = &job.Forecasted{}
				} else if ok {
					answer = &job.Solved{Kernel: job.Kernel{Method: s.Method, MemoryBytes: 1000}, Solution: job.Solution{Status: job.Converged, Cost: 1}}
				}
				r.desk.Answer(errand.Key, answer)
			}
			if v := r.View(); strings.Contains(v.Failed, "The method "+method) != slices.Contains(steps, step) {
				t.Errorf("without %s step %d says %q", method, step, v.Failed)
			}
		}
	}
}

// A method that has not converged is no truth: steps that need it say so.
func TestUnconverged(t *testing.T) {
	r := newReader(t, nil)
	if err := r.Open(8, 3); err != nil {
		t.Fatal(err)
	}
	for r.View().Waiting {
		errand, _ := r.desk.Take()
		var answer job.Body = &job.Measured{Source: []float64{1, 0}, Target: []float64{0, 1}}
		if s, ok := errand.Requests[0].(*job.Solve); ok {
			answer = &job.Solved{Kernel: job.Kernel{Method: s.Method, MemoryBytes: 1000}, Solution: job.Solution{Status: job.Iterations, Cost: 1}}
		}
		r.desk.Answer(errand.Key, answer)
	}
	if v := r.View(); !strings.Contains(v.Failed, "not converged") {
		t.Errorf("8.3 says %q", v.Failed)
	}
}

// The last step of lesson 7 moves the densities on the mesh at hand: its numbers are those of the engine, and of the dense matrix. The mesh shows
// the slider's epsilon.
func TestBlurredMesh(t *testing.T) {
	defer office.open(0)
	for at := range meshes {
		if testing.Short() && at > 0 {
			break
		}
		office.open(at)
		r := newReader(t, nil)
		r.open(7, 5) // this opens the mesh
		densities := run(office.mesh, &job.Measure{Preset: "paper"}).(*job.Measured)
		plan := func(method string, epsilon float64) *job.Solved {
			return run(office.mesh, &job.Solve{Source: densities.Source, Target: densities.Target, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(epsilon), Method: method}}).(*job.Solved)
		}
		sharp := plan("exact", 0.02)
		for _, epsilon := range []float64{0.5, 0.2, 0.02} {
			r.act(lesson.Slide, 0, 0, epsilon)
			v, now := r.view(), plan("exact", epsilon)
			r.hold(v, wants{"epsilon": epsilon, "least": 0.02, "allowed": 0.02, "cost": now.Cost, "iterations": float64(now.Iterations), "sharpCost": sharp.Cost,
				"sharpIterations": float64(sharp.Iterations), "excess": now.Cost/sharp.Cost - 1})
			if dense := plan("dense", epsilon).Cost; math.Abs(now.Cost-dense) > 1e-5*dense {
				t.Errorf("at %v the plan costs %v, with the dense matrix %v", epsilon, now.Cost, dense)
			}
			if v.Canvas == nil || v.Canvas.Epsilon != epsilon {
				t.Errorf("the mesh shows %v, not an epsilon of %v", v.Canvas, epsilon)
			}
			if errors := v.Figures[1].(*figure.Chart).Curves[0].Points; len(errors) != now.Iterations || errors[len(errors)-1][1] != now.Trace[now.Iterations-1] {
				t.Errorf("at %v the chart has %d errors of %d", epsilon, len(errors), now.Iterations)
			}
			if now.Cost <= 1.02*sharp.Cost {
				r.right()
			} else {
				r.wrong()
			}
		}
	}
}

// The step about memory has two grids. On five other pairs of graphs, too, dense keeps a number for each pair, and exact grows less than dense.
func TestMemoryElsewhere(t *testing.T) {
	for at, pair := range [][2]*model.Graph{
		{model.Grid(14, 14), model.Grid(14, 28)}, {model.Grid(20, 20), model.Grid(20, 40)}, {model.Grid(12, 24), model.Grid(24, 24)},
		{model.Planar(14, 20, 3), model.Planar(28, 20, 3)}, {model.Torus(16), model.Torus(23)},
	} {
		if testing.Short() && at > 0 {
			break
		}
		kept := map[string][]float64{}
		for _, g := range pair {
			one := slices.Repeat([]float64{1}, g.N)
			for _, method := range []string{"dense", "exact"} {
				solved := run(engineOf(t, g), &job.Solve{Source: one, Target: one, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.1), Method: method}}).(*job.Solved)
				if n := int64(g.N); method == "dense" && (solved.MemoryBytes < 8*n*n || solved.MemoryBytes > 8*(n+128)*(n+128)) { // rows are rounded up
					t.Errorf("%s: dense keeps %d pairs in %d bytes", g.Name, n*n, solved.MemoryBytes)
				}
				kept[method] = append(kept[method], float64(solved.MemoryBytes))
			}
		}
		if dense, exact := kept["dense"], kept["exact"]; exact[1]/exact[0] >= dense[1]/dense[0] {
			t.Errorf("%s to %s: exact grows by %.2f, dense by %.2f", pair[0].Name, pair[1].Name, exact[1]/exact[0], dense[1]/dense[0])
		}
	}
}

// Memory of two grids, one twice as large. A guess by the matrix's growth is too high; the answer is not told before.
func TestMemoryGrows(t *testing.T) {
	r := newReader(t, nil)
	r.open(8, 2)
	kB := map[string][]float64{}
	for _, g := range []*model.Graph{model.Grid(16, 16), model.Grid(16, 32)} {
		for _, method := range []string{"dense", "exact"} {
			one := slices.Repeat([]float64{1}, g.N)
			solved := run(engineOf(t, g), &job.Solve{Source: one, Target: one, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.1), Method: method}}).(*job.Solved)
			if solved.Method != method {
				t.Errorf("%s on %d vertices is solved by %s", method, g.N, solved.Method)
			}
			if n := int64(g.N); method == "dense" && (solved.MemoryBytes < 8*n*n || solved.MemoryBytes > 16*n*n) { // float64, and rows are rounded up
				t.Errorf("dense keeps %d pairs in %d bytes", n*n, solved.MemoryBytes)
			}
			kB[method] = append(kB[method], float64(solved.MemoryBytes)/1000)
		}
	}
	dense, exact := kB["dense"], kB["exact"]
	chart := r.view().Figures[0].(*figure.Chart)
	if len(chart.Dots) != 3 || len(chart.Curves[1].Points) != 1 || chart.Dots[2].Y != exact[0] {
		t.Errorf("before the answer there are %v", chart.Dots)
	}
	for guess, hint := range map[float64]string{0.74 * exact[1]: "low", 1.26 * exact[1]: "high", exact[0] * dense[1] / dense[0]: "high", exact[0]: "low"} {
		r.act(lesson.Predict, 0, 0, guess)
		if r.wrong(); r.Verdict().Hint != hint {
			t.Errorf("%v of %v: %q", guess, exact[1], r.Verdict().Hint)
		}
	}
	r.act(lesson.Predict, 0, 0, 0.76*exact[1])
	r.hold(r.reveal(), wants{"n": 256, "twice": 512, "denseKB": dense[0], "denseTwiceKB": dense[1], "denseRatio": dense[1] / dense[0], "exactKB": exact[0], "exactTwiceKB": exact[1], "exactRatio": exact[1] / exact[0]})
	r.right()
	if chart := r.view().Figures[0].(*figure.Chart); len(chart.Dots) != 4 || chart.Dots[3].Y != exact[1] {
		t.Errorf("after the answer there are %v", chart.Dots)
	}
}
