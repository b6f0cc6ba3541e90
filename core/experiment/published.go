package experiment

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"genussink/core/benchmark"
	"genussink/core/internal/heap"
	"genussink/core/job"
	"genussink/core/measure"
	"genussink/core/measure/preset"
	"genussink/core/mesh"
	"genussink/core/mesh/generate"
	"genussink/core/method"
)

// Trial is a Case with an epsilon and densities of its own.
type Trial struct {
	Case
	Epsilon        float64   // in mesh units; 0: the options' share of the diagonal
	Source, Target []float64 // nil: the paper's, of preset.Paper
}

// PublishedOptions of Published. The zero value works.
type PublishedOptions struct {
	Epsilon     float64        // share of the diagonal; 0: 0.2
	Tolerance   float64        // marginal error to stop at; 0: the paper's 1e-7. Greenkhorn has its own
	DenseLimit  int            // the most vertices for which the dense kernel is made; 0: 12000
	MemoryLimit int64          // bytes that a kernel may hold; beyond, a method is refused; 0: any number
	Rounds      int            // repeated runs; 0: 3
	Methods     []string       // of job.Contenders; nil: all
	Reference   float64        // of a single trial: the cost of dense, in mesh units, where that is known; 0: it is not
	Processor   func() float64 // seconds of processors that the process has taken; nil: not measured
	Progress    func(stage string, fraction float64)
}

// Measured is the median of repeated runs, and the least and the greatest.
type Measured struct{ Median, Least, Most float64 }

func repeated(values []float64) Measured {
	if len(values) == 0 {
		return Measured{math.NaN(), math.NaN(), math.NaN()}
	}
	return Measured{halfway(values), slices.Min(values), slices.Max(values)}
}

// PublishedRow is one method on one mesh. NaN stands for what was not measured.
type PublishedRow struct {
	Mesh, Series    string
	Vertices, Edges int
	Genus           float64 // of the orientable pieces, added; NaN: a graph without faces
	Epsilon         float64 // share of the diagonal
	Method, Setting string
	Rounds          int

	Cost          float64 // of the plan on true distances, in mesh units per unit of mass
	Error         float64 // |Cost - reference| / reference; the reference is dense or, without it, exact
	Bound         float64 // by how much a distance of the method is wrong at most, in mesh units; +Inf: any length
	MarginalError float64 // L1, share of the mass
	Iterations    int     // of Greenkhorn the updates of a row or a column, of Screenkhorn the evaluations of the dual

	Setup, Solve Measured // seconds; Cost is not among them where a method does not know true distances
	Total        Measured // both together, of each run
	Processor    float64  // seconds of all processors for both, the median: what else the machine does takes none of them
	Peak         float64  // the most bytes of heap above what the graph takes, the median
	Note         string   // why something is missing
}

// Published measures the methods of job.Contenders side by side on every trial, smallest first, with the paper's
// settings, and calls found with a trial's rows once it is done. All but
// Greenkhorn and Screenkhorn solve by the same iteration, from nothing. A round runs every method once, set-up and solve.
func Published(ctx context.Context, trials []Trial, o PublishedOptions, found func(PublishedRow)) error {
	if o.Epsilon == 0 {
		o.Epsilon = 0.2
	}
	if o.DenseLimit == 0 {
		o.DenseLimit = 12000
	}
	if o.Rounds == 0 {
		o.Rounds = 3
	}
	if o.Progress == nil {
		o.Progress = func(string, float64) {}
	}
	trials = slices.Clone(trials)
	slices.SortStableFunc(trials, func(a, b Trial) int { return len(a.Mesh.Positions) - len(b.Mesh.Positions) })
	for _, t := range trials {
		if err := t.run(ctx, o, found); err != nil {
			return fmt.Errorf("%s: %w", t.Name, err)
		}
	}
	return nil
}

// Share is the trial's epsilon as a share of its diagonal: its own or, without one, the options'.
func (t *Trial) Share(epsilon float64) float64 {
	if t.Epsilon > 0 {
		return t.Epsilon / t.Mesh.Diagonal()
	}
	return epsilon
}

// run measures one trial.
func (t *Trial) run(ctx context.Context, o PublishedOptions, found func(PublishedRow)) error {
	m, g, unit, err := t.scaled()
	if err != nil {
		return err
	}
	o.Epsilon = t.Share(o.Epsilon)
	if t.Source == nil {
		if t.Source, t.Target, err = preset.Paper(m, g, unit.From(preset.Floor)); err != nil {
			return err
		}
	}
	meter := heap.Watch()
	defer meter.Stop()
	problem := benchmark.Problem{
		Space: method.NewSpace(m, g, unit), Source: t.Source, Target: t.Target, Epsilon: o.Epsilon, Tolerance: o.Tolerance, DenseLimit: o.DenseLimit, MemoryLimit: o.MemoryLimit,
	}
	all := problem.Contenders()
	if o.Methods != nil {
		all = slices.DeleteFunc(all, func(c benchmark.Contender) bool { return !slices.Contains(o.Methods, c.Method) })
	}
	genus := math.NaN()
	if len(t.Mesh.Faces) > 0 {
		genus = float64(t.Mesh.Topology().Genus)
	}
	rows := make([]PublishedRow, len(all))
	times := make([][5][]float64, len(all)) // set-up, solve, both, of processors, peak
	for round := range o.Rounds {
		for i, c := range all {
			o.Progress(c.Method, (float64(round)+float64(i)/float64(len(all)))/float64(o.Rounds))
			r := &rows[i]
			if round > 0 && r.Rounds == 0 {
				continue // refused
			}
			run, err := c.Run(ctx, benchmark.Meters{Heap: meter, Processor: o.Processor}, round == 0)
			if err != nil {
				return err
			}
			if round == 0 {
				*r = PublishedRow{
					Mesh: t.Name, Series: t.Series, Vertices: g.Len(), Edges: len(g.Targets) / 2, Genus: genus, Epsilon: o.Epsilon, Method: c.Method, Setting: c.Setting,
					Cost: unit.In(run.Cost), Error: math.NaN(), Bound: unit.In(run.Bound), MarginalError: run.MarginalError, Iterations: run.Iterations,
				}
			}
			r.Note = run.Note
			if run.Err != nil {
				r.Cost = math.NaN()
				continue
			}
			r.Rounds++
			for q, x := range [...]float64{run.Setup, run.Solve, run.Setup + run.Solve, run.Processor, run.Peak} {
				times[i][q] = append(times[i][q], x)
			}
		}
	}
	reference := o.Reference
	for _, name := range [...]string{job.Dense, job.Exact} {
		if i := slices.IndexFunc(rows, func(r PublishedRow) bool { return r.Method == name && !math.IsNaN(r.Cost) }); i >= 0 && reference == 0 {
			reference = rows[i].Cost
		}
	}
	for i, r := range rows {
		r.Error = benchmark.Error(r.Cost, reference)
		r.Setup, r.Solve, r.Total = repeated(times[i][0]), repeated(times[i][1]), repeated(times[i][2])
		r.Processor, r.Peak = repeated(times[i][3]).Median, repeated(times[i][4]).Median
		found(r)
	}
	return nil
}

// The sizes of the paper's examples: radii of dumbbells, vertices of pseudo-genus surfaces.
var (
	paperRadii  = [...]int{10, 18, 26, 34, 42, 50, 56}
	paperCounts = [...]int{644, 2036, 4268, 7283, 11090, 15740, 19745}
)

// Dumbbells are the paper's (Appendix, "Details on the pseudo-genus family"), of widths 1, 2 and 3, up to so many vertices: epsilon is 0.3
// radii. The paper says of its densities only that they are mixtures of two Gaussians, the source's on the left lobe and the target's on
// the right. Here their middles are that of the lobe and the point half a radius above (source) or below (target) it, with 0.7 and 0.3, and 0.65 and
// 0.35 of the mass; their standard deviation is a quarter of the radius.
func Dumbbells(largest int) ([]Trial, error) {
	var all []Trial
	for width := 1; width <= 3; width++ {
		for _, radius := range paperRadii {
			g, positions, err := generate.DumbbellGraph(radius, width)
			if err != nil {
				return nil, err
			}
			if g.Len() > largest {
				break
			}
			placed, err := mesh.New(positions, nil)
			if err != nil {
				return nil, err
			}
			series, r := fmt.Sprintf("dumbbell w=%d", width), float64(radius)
			t := Trial{Case: Case{Name: fmt.Sprintf("%s r=%d", series, radius), Series: series, Mesh: placed, Graph: g}, Epsilon: 0.3 * r}
			gaussians := func(x, up, share float64) []float64 {
				both := [2][]float64{make([]float64, g.Len()), make([]float64, g.Len())}
				for v, p := range positions {
					for k, y := range [2]float64{0, up} {
						both[k][v] = math.Exp(-((p[0]-x)*(p[0]-x) + (p[1]-y)*(p[1]-y)) / (2 * r * r / 16))
					}
				}
				measure.Normalise(both[0])
				measure.Normalise(both[1])
				for v := range both[0] {
					both[0][v] = share*both[0][v] + (1-share)*both[1][v]
				}
				return measure.Normalise(both[0])
			}
			middle := (3*r + 1) / 2
			t.Source, t.Target = gaussians(-middle, r/2, 0.7), gaussians(middle, -r/2, 0.65)
			all = append(all, t)
		}
	}
	return all, nil
}

// PseudoGenus are the paper's surfaces (the same Appendix), of orders 1, 2 and 3, up to so many vertices. Their epsilon and
// densities, which the paper does not give, are those of other meshes.
func PseudoGenus(largest int) ([]Trial, error) {
	var all []Trial
	for order := 1; order <= 3; order++ {
		for _, n := range paperCounts {
			if n > largest {
				break
			}
			m, err := generate.Make("pseudo-genus", map[string]float64{"order": float64(order), "vertices": float64(n)})
			if err != nil {
				return nil, err
			}
			series := fmt.Sprintf("pseudo-genus %d", order)
			all = append(all, Trial{Case: Case{Name: fmt.Sprintf("%s n=%d", series, n), Series: series, Mesh: m}})
		}
	}
	return all, nil
}

// publishedColumns point at a row's values: a table is read as it is written.
var publishedColumns = []column[PublishedRow]{
	{"mesh", func(r *PublishedRow) any { return &r.Mesh }},
	{"series", func(r *PublishedRow) any { return &r.Series }},
	{"vertices", func(r *PublishedRow) any { return &r.Vertices }},
	{"edges", func(r *PublishedRow) any { return &r.Edges }},
	{"genus", func(r *PublishedRow) any { return &r.Genus }},
	{"epsilon", func(r *PublishedRow) any { return &r.Epsilon }},
	{"method", func(r *PublishedRow) any { return &r.Method }},
	{"setting", func(r *PublishedRow) any { return &r.Setting }},
	{"rounds", func(r *PublishedRow) any { return &r.Rounds }},
	{"cost", func(r *PublishedRow) any { return &r.Cost }},
	{"cost_error", func(r *PublishedRow) any { return &r.Error }},
	{"bound", func(r *PublishedRow) any { return &r.Bound }},
	{"marginal_error", func(r *PublishedRow) any { return &r.MarginalError }},
	{"iterations", func(r *PublishedRow) any { return &r.Iterations }},
	{"setup_s", func(r *PublishedRow) any { return &r.Setup.Median }},
	{"setup_least_s", func(r *PublishedRow) any { return &r.Setup.Least }},
	{"setup_most_s", func(r *PublishedRow) any { return &r.Setup.Most }},
	{"solve_s", func(r *PublishedRow) any { return &r.Solve.Median }},
	{"solve_least_s", func(r *PublishedRow) any { return &r.Solve.Least }},
	{"solve_most_s", func(r *PublishedRow) any { return &r.Solve.Most }},
	{"total_s", func(r *PublishedRow) any { return &r.Total.Median }},
	{"total_least_s", func(r *PublishedRow) any { return &r.Total.Least }},
	{"total_most_s", func(r *PublishedRow) any { return &r.Total.Most }},
	{"processor_s", func(r *PublishedRow) any { return &r.Processor }},
	{"peak_bytes", func(r *PublishedRow) any { return &r.Peak }},
	{"note", func(r *PublishedRow) any { return &r.Note }},
}

// PublishedMarkdown writes the rows as a table for a person: times are medians, with the least and the greatest of the runs.
func PublishedMarkdown(w io.Writer, rows []PublishedRow) error {
	var b strings.Builder
	b.WriteString("| mesh | vertices | method | cost | relative error of the cost | marginal error | iterations | set-up | solve | together | memory |\n|---|---|---|---|---|---|---|---|---|---|---|\n")
	for i := range rows {
		r := &rows[i]
		fmt.Fprintf(&b, "| %s | %s | %s (%s) | %s | %s | %s | %d | %s | %s | %s | %s |\n", r.Mesh, thousands(r.Vertices), r.Method, r.Setting,
			number(r.Cost), share(r.Error), share(r.MarginalError), r.Iterations, r.Setup, r.Solve, r.Total, memory(r.Peak))
	}
	for i := range rows {
		if r := &rows[i]; r.Note != "" {
			fmt.Fprintf(&b, "\n%s, %s: %s.\n", r.Mesh, r.Method, r.Note)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func number(x float64) string {
	if math.IsNaN(x) {
		return "-"
	}
	return fmt.Sprintf("%.6g", x)
}

func memory(bytes float64) string {
	if math.IsNaN(bytes) {
		return "-"
	}
	return size(int64(bytes))
}

func (m Measured) String() string {
	if math.IsNaN(m.Median) {
		return "-"
	}
	return fmt.Sprintf("%s (%s to %s)", duration(m.Median), duration(m.Least), duration(m.Most))
}

// String is one line on the row, for whoever watches.
func (r *PublishedRow) String() string {
	if r.Method == "" {
		return fmt.Sprintf("%-24s %s", r.Mesh, r.Note)
	}
	s := fmt.Sprintf("%-24s %8s  %-12s cost %-10s error %-8s marginal %-8s it. %-6d set-up %-32s solve %-32s memory %s",
		r.Mesh, thousands(r.Vertices), r.Method, number(r.Cost), share(r.Error), share(r.MarginalError), r.Iterations, r.Setup, r.Solve, memory(r.Peak))
	if r.Note != "" {
		s += "  " + r.Note
	}
	return s
}
