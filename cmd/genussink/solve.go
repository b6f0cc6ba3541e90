package main

import (
	"flag"
	"fmt"
	"math"
	"reflect"
	"slices"
	"unicode"

	"genussink/core/job"
)

func solveCommand() command {
	return command{
		name: "solve", args: "MESH", count: 1,
		summary: "Transport a source density to a target at the least entropic cost. The densities are brought to total 1. " +
			"A session file of the page (.genussink) brings its densities and settings; flags overrule them. " +
			"cost is <P, D> in mesh units, with the method's own distances; cost_polished is what the same plan costs on true distances, estimated from some rows of them, and cost_polished_interval, [low, high], holds that cost in 95 % of cases at least; both are null with -polish off and where the solve has not converged, and cost_polished_why says so. " +
			"-polish quick takes at most a quarter of what set-up and solve took, -polish full goes on until the interval is 1e-5 of the cost or all rows are computed. " +
			"primal and dual are of the entropic cost <P, D> + epsilon KL(P | a b^T), whose entropy is 0 for the product of the marginals and never negative: no plan's entropic cost is less than dual, which is epsilon (a.log(u/a) + b.log(v/b)), and one with exactly the marginals has primal; gap is their difference. " +
			"lower_bound is what no plan costs less than on true distances, with or without entropy. " +
			"bound is proved: by how much a distance may be wrong, and with it the entropic optimum, in mesh units; of exact in float32 it is that of rounding stored distances; null for sampled. delta is what certified and embedded were allowed, null for others. " +
			"distance_error compares the method's distances with some rows of true ones, in mesh units, where bound is not 0 or there is none: the largest error seen in these rows, not a bound. " +
			"crosses counts how the separators' two sides were multiplied: through a single vertex, by range searching, by a cover of patches, in pairs; and the leaves of exact and certified. width is that of the tree decomposition whose bags were the separators, null without one. " +
			"notes says how mass was dealt to several components, between which it cannot move. " +
			"-potentials writes epsilon log u and epsilon log v, two columns, a line per vertex; -Inf where there is no mass.",
		example: "solve bunny.obj -measures paper -epsilon 0.2 -json",
		outputs: []string{"potentials"},
		setup: func(fs *flag.FlagSet) func(*call) error {
			var f solveFlags
			f.declare(fs)
			potentials := fs.String("potentials", "", "file for the potentials")
			polish := fs.String("polish", "quick", "how long to look for the plan's cost on true distances: off, quick (at most a quarter of set-up and solve) or full")
			return func(c *call) error { return solve(c, &f, *polish, *potentials) }
		},
	}
}

// polishing is the request behind each value of -polish.
var polishing = map[string]*job.Polish{"off": nil, "quick": {}, "full": {Seconds: math.Inf(1)}}

func solve(c *call, f *solveFlags, polish, potentials string) error {
	request, known := polishing[polish]
	if !known {
		return usagef("-polish %s: there are off, quick and full", polish)
	}
	session, loaded, s, err := f.solve(c)
	if err != nil {
		return err
	}
	polished := &job.Polished{Why: "-polish off"}
	if request != nil {
		if polished, err = ask[*job.Polished](session, request); err != nil {
			return err
		}
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
	var cost, interval any
	if polished.Why == "" {
		cost, interval = polished.Cost, []float64{polished.Low, polished.High}
	}
	times := seconds(slices.Concat([]string{job.StageLoad}, job.SetupStages, []string{job.StageSolve, job.StageEstimate, job.StageExamine}), loaded.Timings, s.Timings)
	total := &times[len(times)-1]
	total.name = "total_without_polish"
	spent := 0.0
	for _, t := range polished.Timings {
		spent += t.Seconds
	}
	times = append(times, field{job.StagePolish, spent}, field{"total", total.value.(float64) + spent})
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
	var representatives, estimate, likely any
	if s.Representatives > 0 {
		representatives, estimate, likely = s.Representatives, s.Estimate.Cost, []float64{s.Estimate.Low, s.Estimate.High}
	}
	results := slices.Concat([]field{{"vertices", s.Vertices}, {"edges", s.Edges}}, about(&s.Kernel), found(&s.Solution), []field{
		{"representatives", representatives},
		{"estimate", estimate},
		{"estimate_interval", likely},
		{"cost_polished", cost},
		{"cost_polished_interval", interval},
		{"lower_bound", s.LowerBound},
		{"precision", s.Precision},
		{"bound", s.Bound},
		{"width", width},
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
	if err := c.report(solved(c.args[0], f, s, polished, times, session.notes), results...); err != nil {
		return err
	}
	return session.convergence(s)
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
func solved(file string, f *solveFlags, s *job.Solved, polished *job.Polished, times []field, notes []string) []line {
	method := s.Method
	for _, x := range []string{s.Host, s.Precision} {
		if x != "" {
			method += ", " + x
		}
	}
	if s.Representatives > 0 {
		method += fmt.Sprintf(", %d representatives", s.Representatives)
	}
	epsilon := digits(s.Epsilon)
	if !f.epsilon.Units {
		epsilon += fmt.Sprintf(", %s %% of the diagonal", digits(100*f.epsilon.Value))
	}
	if !math.IsNaN(s.Delta) {
		epsilon += "; delta " + digits(s.Delta)
	}
	status := s.Status
	if status != job.Converged {
		status = "not converged"
	}
	lines := []line{
		{"mesh", fmt.Sprintf("%s, %d vertices, %d edges", file, s.Vertices, s.Edges)},
		{"method", method},
		{"epsilon", epsilon},
		{"status", fmt.Sprintf("%s after %s, marginals within %.1e", status, iterations(s.Iterations), s.MarginalError)},
		{},
		{"cost", digits(s.Cost) + " mesh units"},
	}
	if s.Representatives > 0 {
		lines = append(lines, line{"exact cost", fmt.Sprintf("%s, estimated; %s to %s", digits(s.Estimate.Cost), digits(s.Estimate.Low), digits(s.Estimate.High))})
	}
	if polished.Why == "" {
		lines = append(lines, line{"on true distances", fmt.Sprintf("%s, between %s and %s", digits(polished.Cost), digits(polished.Low), digits(polished.High))})
	}
	lines = append(lines,
		line{"no plan costs less than", digits(s.LowerBound)},
		line{"entropic cost", fmt.Sprintf("%s, with its dual to %.1e", digits(s.Primal), s.Gap)})
	switch {
	case s.Bound == 0:
		lines = append(lines, line{"distances", "exact"})
	case !math.IsNaN(s.Bound):
		lines = append(lines, line{"distances", fmt.Sprintf("within %.1e, proved", s.Bound)})
	case s.Accuracy.Rows > 0:
		lines = append(lines, line{"distances", fmt.Sprintf("off by %s at most in the %d rows looked at, no bound is proved", digits(s.Accuracy.Most), s.Accuracy.Rows)})
	}
	lines = append(lines,
		line{},
		line{"seconds", together("seconds", times)},
		line{"memory", fmt.Sprintf("%s, at most %s meanwhile; %d threads", megabytes(s.MemoryBytes), megabytes(s.PeakBytes), s.Threads)})
	if s.Note != "" {
		lines = append(lines, line{"note", s.Note})
	}
	for _, n := range notes {
		lines = append(lines, line{"note", n})
	}
	return lines
}

func megabytes(n int64) string { return digits(float64(n)/1e6) + " MB" }

// convergence is an error where the solve stopped before it converged.
func (s *engineSession) convergence(solved *job.Solved) error {
	if solved.Status == job.Converged {
		return nil
	}
	return unconverged{fmt.Sprintf("%s: the solve has not converged: after %s its marginal error is %.2g; more -iterations, a larger -tolerance or a larger -epsilon may help",
		s.file, iterations(solved.Iterations), solved.MarginalError)}
}

func iterations(n int) string {
	if n == 1 {
		return "1 iteration"
	}
	return fmt.Sprintf("%d iterations", n)
}
