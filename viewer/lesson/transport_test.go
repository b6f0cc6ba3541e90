package lesson_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"genussink/core/baseline"
	"genussink/core/job"
	"genussink/core/linop"
	"genussink/core/shortest"
	"genussink/core/transport"
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
		g := own
		if g == nil {
			g = model.Path(24)
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
			if len(rows) > 5 {
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
		r.act(lesson.Predict, 0, 0, 5*tenth)
		r.wrong()
		r.act(lesson.Predict, 0, 0, tenth)
		r.hold(r.reveal(), wants{"epsilon": 0.2 * far, "tenth": 0.02 * far, "base": count(0.2), "count": tenth})
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
					t.Logf("%s: %v", method, office.answers[key])
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
				if i == bad || i != best && answers[names[i]] != nil && want[names[i]+"Seconds"] > want[names[best]+"Seconds"] {
					r.act(lesson.Choose, i, 0, 0)
					r.wrong()
				}
			}
			r.act(lesson.Choose, best, 0, 0)
			r.right()

			r.open(8, 2)
			r.act(lesson.Predict, 0, 0, 1)
			r.wrong()
			r.act(lesson.Predict, 0, 0, 0)
			c, e := answers["certified"], answers["exact"]
			if math.Abs(c.Cost-e.Cost) > c.Bound {
				t.Errorf("certified is off by %v, its bound is %v", math.Abs(c.Cost-e.Cost), c.Bound)
			}
			r.hold(r.reveal(), wants{"bound": c.Bound, "measured": math.Abs(c.Cost - e.Cost)})
			r.right()

			r.open(8, 3)
			r.act(lesson.Predict, 0, 0, 0)
			r.wrong()
			r.act(lesson.Predict, 0, 0, 1)
			d, s := answers["dense"], answers["sampled"]
			if s == nil {
				r.hold(r.reveal(), wants{"denseCost": d.Cost, "disconnected": 1})
			} else {
				r.hold(r.reveal(), wants{"denseCost": d.Cost, "sampledCost": s.Cost, "sampledError": math.Abs(s.Cost-d.Cost) / d.Cost})
			}
			r.right()
		})
	}
	office.open(0)
}
