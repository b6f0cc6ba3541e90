package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"unicode"

	"genussink/core/job"
)

func solveCommand() command {
	return command{
		name: "solve", args: "MESH", count: 1,
		summary: solveHelp,
		example: "solve bunny.obj -measures paper -epsilon 0.2 -json",
		outputs: []string{"potentials"},
		setup: func(fs *flag.FlagSet) func(*call) error {
			var f solveFlags
			f.declare(fs)
			potentials := fs.String("potentials", "", "file for the potentials")
			polish := fs.String("polish", "", "how long to look for the cost on true distances: off, quick or full; without the flag off for quantized, else quick")
			fs.BoolVar(&f.debias, "debias", false, "find the Sinkhorn divergence too, the entropic cost, less the mean of what it is from each density to itself; two more solves")
			minimum := fs.Bool("w1", false, "find the unregularised optimum too; a second for 10,000 vertices, minutes for 100,000")
			return func(c *call) error { return solve(c, &f, *polish, *potentials, *minimum) }
		},
	}
}

const solveHelp = `Transport a source density to a target at the least entropic cost. Both are brought to total 1;
with -reach both are divided by the source's total, and mass may be destroyed and created.
A session file of the page (.genussink) brings its densities and settings; flags overrule them.
-potentials writes epsilon log u and epsilon log v: two columns, a line per vertex, -Inf where there is no mass.
-polish quick takes at most a quarter of the time of set-up and solve. It stops by the clock, so its figures differ from run to run.
-polish full goes on until the interval is 1e-5 of the cost. An interrupt meanwhile, or in -w1, leaves the answer of the solve.

-json and -v name these figures. Lengths and costs are in mesh units; null means that there is no such figure.
cost             <P, D> of the plan P, with the method's own distances D
cost_polished    <P, d> with the true distances d, estimated from some rows of them
cost_polished_interval
                 [low, high]: holds <P, d> in 95 % of cases at least
cost_polished_why
                 why there is no polished cost
estimate         what the exact plan would cost, of quantized with 100 cells or more; estimate_interval holds that in 95 % of cases
w1               the least cost of any plan on true distances, entropic or not, with -w1
above_w1         primal over w1, less 1: the share by which the entropic cost is above it; null of a -kernel other than exp
lower_bound      no plan costs less on true distances, entropic or not
root_mean_square the root of <P, D^2>, of -kernel squared and gauss: W2 where epsilon is small
divergence       OT(a,b) - (OT(a,a) + OT(b,b))/2 with -debias, OT being the entropic cost, primal; wrong by divergence_within at most, null where nothing is proved
reach            rho of unbalanced transport: primal and dual have rho (KL(r | a) + KL(c | b)) more, r and c being the plan's
                 marginals, and a b^T over m in the place of a b^T, m being the geometric mean of the totals of a and b.
                 destroyed and created: mass, of a source of 1. The source less the one with the other is the target
primal           <P, D> + epsilon KL(P | a b^T) of a plan with exactly the marginals a and b;
                 of another -kernel than exp, -epsilon log f(D/epsilon)/f(0) stands in the place of D:
                 D^2/epsilon of squared
dual             epsilon (a.log(u/a) + b.log(v/b)): no plan has a smaller entropic cost
gap              primal less dual
kernel_error     by what share of itself the -kernel may be off, the distance being right, proved; 0 of exp
delta            how wrong a distance was allowed to be, of certified and embedded
bound            how wrong a distance may be, proved, and with -kernel exp the entropic optimum too; null of sampled and quantized
distance_error   how wrong the distances are in some rows that were looked at; not a bound
crosses          how many pairs of sides were multiplied in which way: single (one hub), range (range searching),
                 cover (patch by patch), pairs (one by one); and the leaves
width            of the tree decomposition along which the tree was cut; null without one
notes            how mass was dealt to several components`

// polishing is the request behind each value of -polish.
var polishing = map[string]*job.Polish{"": {}, "off": nil, "quick": {}, "full": {Seconds: math.Inf(1)}}

func solve(c *call, f *solveFlags, polish, potentials string, minimum bool) error {
	request, known := polishing[polish]
	if !known {
		return usagef("-polish %s: must be off, quick or full", polish)
	}
	if minimum && f.reach.set {
		return usagef("-w1 is of balanced transport, it has no -reach")
	}
	session, loaded, made, err := f.open(c)
	if err != nil {
		return err
	}
	if f.debiased && !f.reach.set && job.Whole(f.Method) { // flags may be such that have none
		f.debias = true
	}
	s, err := f.plan(session, made)
	if err != nil {
		return err
	}
	if potentials != "" {
		for _, log := range [][]float64{s.LogU, s.LogV} {
			for i := range log {
				log[i] *= s.Epsilon
			}
		}
		if err := c.writeVectors(potentials, s.LogU, s.LogV); err != nil {
			return err
		}
	}
	polished := &job.Polished{Why: "-polish off"}
	if polish == "" && s.Method == job.Quantized {
		polished.Why = "quantized estimates what the exact plan costs; -polish quick or full looks for the cost of this one"
	} else if request != nil {
		if polished, err = ask[*job.Polished](session, request); errors.Is(err, context.Canceled) {
			polished = &job.Polished{Why: "interrupted"}
		} else if err != nil {
			return err
		}
	}
	least := &job.Minimised{Cost: math.NaN()}
	if minimum && err == nil {
		if least, err = ask[*job.Minimised](session, &job.Minimum{Source: made.Source, Target: made.Target}); errors.Is(err, context.Canceled) {
			least = &job.Minimised{Cost: math.NaN()}
		} else if err != nil {
			return err
		}
	}
	interrupt := err
	var cost, interval any
	if polished.Why == "" {
		cost, interval = polished.Cost, []float64{polished.Low, polished.High}
	}
	above := s.Primal/least.Cost - 1
	if s.Function != job.Exp {
		above = math.NaN()
	}
	solving := []string{job.StageSolve, job.StageEstimate, job.StageExamine}
	if f.debias {
		solving = []string{job.StageSolve, job.StageDebias, job.StageEstimate, job.StageExamine}
	}
	times := seconds(slices.Concat([]string{job.StageLoad}, job.SetupStages, solving), loaded.Timings, s.Timings)
	total := &times[len(times)-1]
	total.name = "total_without_polish"
	spent := 0.0
	for _, t := range polished.Timings {
		spent += t.Seconds
	}
	times = append(times, field{job.StagePolish, spent})
	for _, t := range least.Timings {
		times = append(times, field{t.Stage, t.Seconds})
		spent += t.Seconds
	}
	times = append(times, field{"total", total.value.(float64) + spent})
	var accuracy any
	if a := s.Accuracy; a.Rows > 0 {
		var within any = math.NaN() // where there is no bound
		if !math.IsNaN(s.Bound) {
			within = a.Holds
		}
		accuracy = []field{
			{"rows_seen", a.Rows}, {"least_seen", a.Least}, {"largest_seen", a.Most}, {"mean_seen", a.Mean},
			{"largest_relative_seen", a.MostRelative}, {"mean_relative_seen", a.MeanRelative}, {"within_bound", within},
		}
	}
	var crosses any
	if x := s.Crosses; x != (job.Crosses{}) {
		crosses = []field{{"single", x.Single}, {"range", x.Range}, {"cover", x.Cover}, {"pairs", x.Pairs}, {"leaves", x.Leaves}}
	}
	var width any = math.NaN()
	if s.Width >= 0 {
		width = s.Width
	}
	var depth any = math.NaN()
	if s.Depth >= 0 {
		depth = s.Depth
	}
	var reach, destroyed, created any
	if s.Reach > 0 {
		reach, destroyed, created = s.Reach, s.Destroyed, s.Created
	}
	var representatives, estimate, likely any
	if s.Representatives > 0 {
		representatives, estimate = s.Representatives, s.Estimate.Cost
		if !math.IsNaN(s.Estimate.Cost) {
			likely = []float64{s.Estimate.Low, s.Estimate.High}
		}
	}
	results := slices.Concat([]field{{"vertices", s.Vertices}, {"edges", s.Edges}}, about(&s.Kernel), found(&s.Solution), []field{
		{"representatives", representatives},
		{"estimate", estimate},
		{"estimate_interval", likely},
		{"cost_polished", cost},
		{"cost_polished_interval", interval},
		{"lower_bound", s.LowerBound},
		{"root_mean_square", s.RootMeanSquare},
		{"divergence", s.Divergence},
		{"divergence_within", s.DivergenceWithin},
		{"reach", reach},
		{"destroyed", destroyed},
		{"created", created},
		{"w1", least.Cost},
		{"above_w1", above},
		{"precision", s.Precision},
		{"bound", s.Bound},
		{"width", width},
		{"depth", depth},
		{"distance_error", accuracy},
		{"crosses", crosses},
		{"seconds", times},
		{"memory_bytes", s.MemoryBytes},
		{"peak_bytes", s.PeakBytes},
		{"threads", s.Threads},
		{"notes", session.notes},
	})
	if polished.Why != "" {
		results = append(results, field{"cost_polished_why", polished.Why})
	}
	if err := c.report(solved(c.args[0], f, s, polished, least.Cost, times, session.notes), results...); err != nil {
		return err
	}
	if interrupt != nil {
		return interrupt
	}
	return session.convergence(s.Status, s.Iterations, s.MarginalError)
}

// found are the figures of a solution under their names in JSON, with underscores as all names here. The trace is left out.
func found(s *job.Solution) (fields []field) {
	v := reflect.ValueOf(*s)
	for i := range v.NumField() {
		if v.Field(i).Kind() == reflect.Slice {
			continue
		}
		name := ""
		for _, c := range v.Type().Field(i).Tag.Get("json") {
			if unicode.IsUpper(c) {
				name += "_"
			}
			name += string(unicode.ToLower(c))
		}
		fields = append(fields, field{name, v.Field(i).Interface()})
	}
	return fields
}

// solved is what a person asks of a solve.
func solved(file string, f *solveFlags, s *job.Solved, polished *job.Polished, w1 float64, times []field, notes []string) []line {
	status, cost := s.Status, units(s.Cost)
	if status != job.Converged {
		status, cost = "not converged", cost+", of a plan that misses the densities"
	}
	lines := []line{{"problem", ""}, {"mesh", fmt.Sprintf("%s: %s, %s", file, vertices(s.Vertices), count(s.Edges, "edge"))}}
	lines = append(lines, kernelText(&s.Kernel, f.epsilon.Length)...)
	if s.Representatives > 0 {
		lines = append(lines, line{"cells", strconv.Itoa(s.Representatives)})
	}
	lines = append(lines,
		line{"answer", ""},
		line{"status", fmt.Sprintf("%s after %s, marginals wrong by %.1e of the mass", status, count(s.Iterations, "iteration"), s.MarginalError)},
		line{"cost", cost})
	if !math.IsNaN(s.RootMeanSquare) {
		lines = append(lines, line{"root mean square", units(s.RootMeanSquare) + ": the root of <P, D^2>"})
	}
	if s.Representatives > 0 {
		estimate := "not estimated, with so few cells"
		if !math.IsNaN(s.Estimate.Cost) {
			estimate = units(s.Estimate.Cost) + ", estimated" + inMostCases(s.Estimate.Low, s.Estimate.High)
		}
		lines = append(lines, line{"exact cost", estimate})
	}
	if polished.Why == "" {
		lines = append(lines, line{"true cost", units(polished.Cost) + " on true distances" + inMostCases(polished.Low, polished.High)})
	}
	if s.Reach > 0 {
		lines = append(lines, line{"unbalanced", fmt.Sprintf("with a reach of %s; of the source's mass %.3g %% is destroyed, %.3g %% created", digits(s.Reach), 100*s.Destroyed, 100*s.Created)})
	} else if !math.IsNaN(s.LowerBound) {
		lines = append(lines, line{"lower bound", units(s.LowerBound) + ", for every plan"})
	}
	optimum, w1Says := "entropic cost", "the entropic cost is "+aboveLeast(s.Primal, w1)
	if s.Function != job.Exp {
		optimum, w1Says = "least of kernel", "this one's cost is "+aboveLeast(s.Cost, w1)
	}
	lines = append(lines,
		line{optimum, fmt.Sprintf("%s, optimal to %.1e", units(s.Primal), s.Gap)})
	if !math.IsNaN(s.Divergence) {
		within := ", within an error that nothing bounds"
		if !math.IsNaN(s.DivergenceWithin) {
			within = fmt.Sprintf(", within %.1e", s.DivergenceWithin)
		}
		lines = append(lines, line{"divergence", units(s.Divergence) + within + ": the entropic cost, debiased"})
	}
	if w1 >= 0 {
		lines = append(lines, line{"unregularised", fmt.Sprintf("%s, the least of all plans; %s", units(w1), w1Says)})
	}
	lines = append(lines, boundText(&s.Kernel)...)
	if math.IsNaN(s.Bound) && s.Accuracy.Rows > 0 {
		lines = append(lines, line{"distances", fmt.Sprintf("wrong by at most %s in the %d rows looked at; no bound is proved", units(s.Accuracy.Most), s.Accuracy.Rows)})
	}
	lines = append(lines,
		line{"effort", ""},
		took(times),
		line{"memory", fmt.Sprintf("%s for the kernel, with room for later products; at most %s in use; %d threads", megabytes(s.MemoryBytes), megabytes(s.PeakBytes), s.Threads)})
	return append(lines, noteText(append([]string{s.Note}, notes...)...)...)
}

// inMostCases is an interval in words, nothing where it is a point.
func inMostCases(low, high float64) string {
	if digits(low) == digits(high) {
		return ""
	}
	return fmt.Sprintf("; %s to %s in 95 %% of cases", digits(low), digits(high))
}

// aboveLeast says by how much a cost is above the least of all.
func aboveLeast(cost, least float64) string {
	if !(least > 0) {
		return units(cost) + " above it"
	}
	return fmt.Sprintf("%.3g %% above it", 100*(cost/least-1))
}

// convergence is an error where the solve stopped before it converged.
func (s *engineSession) convergence(status string, iterations int, marginalError float64) error {
	if status == job.Converged {
		return nil
	}
	return unconverged{fmt.Sprintf("%s: the solve has not converged: after %s its marginal error is %.2g; more -iterations, a larger -tolerance or a larger -epsilon may help",
		s.file, count(iterations, "iteration"), marginalError)}
}
