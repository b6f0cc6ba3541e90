package main

import (
	"flag"
	"fmt"
	"math"
	"slices"
	"strings"

	"genussink/core/job"
	"genussink/core/session"
	"genussink/internal/decimal"
)

func barycentreCommand() command {
	return command{
		name: "barycentre", args: "MESH [DENSITY...]", count: 1, more: true,
		summary: barycentreHelp,
		example: "barycentre bunny.obj a.txt b.txt c.txt -weights 2,1,1 -epsilon 0.05 -out mean.txt",
		outputs: []string{"out"},
		setup: func(fs *flag.FlagSet) func(*call) error {
			var b barycentreFlags
			b.declare(fs)
			fs.Func("weights", "a positive number for each density, with commas between; by default all count the same", b.weigh)
			fs.Float64Var(&b.tolerance, "tolerance", 1e-9, "marginal error (L1, of a total mass of 1) to stop at")
			fs.IntVar(&b.iterations, "iterations", 0, "most iterations; 0: 10000")
			fs.StringVar(&b.out, "out", "", "file for the barycentre: a line per vertex, of total 1")
			return func(c *call) error { return barycentre(c, &b) }
		},
	}
}

const barycentreHelp = `Find the density between several: the weighted sum of the entropic costs of moving them to it is the least.
A density is text, a number per vertex. Without any, the paintings that a session file keeps are taken, with their weights unless -weights
gives others. Each density counts as of total 1; in several components all must have the same shares.
With -kernel squared the cost is the squared distance, and the barycentre is like a mean. Otherwise it is the distance, and the barycentre is
like a median: with more than half of the weight a density is nearly the answer itself, and of two with the same weight many densities between
them are nearly as good; epsilon chooses.
cost_I is the mass times the distance that it takes to move density I, counted from 1.`

// barycentreFlags are the command's.
type barycentreFlags struct {
	method
	weights    []float64
	tolerance  float64
	iterations int
	out        string
}

func (b *barycentreFlags) weigh(list string) error {
	b.weights = nil
	for _, text := range strings.Split(list, ",") {
		w, ok := decimal.Float([]byte(text))
		if !ok || !(w > 0) || math.IsInf(w, 1) {
			return fmt.Errorf("%q is not a positive number", text)
		}
		b.weights = append(b.weights, w)
	}
	return nil
}

func barycentre(c *call, b *barycentreFlags) error {
	files := c.args[1:]
	var kept []session.Kept // where no file is named
	in, err := c.readInput(func(typed map[string]bool, s *session.Session) {
		b.take(typed, s)
		if len(files) > 0 {
			return
		}
		if !typed["kernel"] && !strings.HasPrefix(s.Kernel, "gauss") { // the page's barycentres are of squared distance
			b.Function = "squared"
		}
		if !typed["epsilon"] && s.Epsilon < session.LeastBetween { // likewise
			b.epsilon = length{job.Fraction(session.LeastBetween), true}
		}
		for i, k := range s.Kept {
			if k.Weight > 0 || typed["weights"] {
				kept, files = append(kept, k), append(files, fmt.Sprintf("painting %d", i+1))
			}
			if k.Weight > 0 && !typed["weights"] {
				b.weights = append(b.weights, k.Weight)
			}
		}
	}, func() error {
		switch {
		case len(files) == 0:
			return usagef("needs a DENSITY, or a session file that has kept paintings")
		case b.out == "":
			return usagef("needs -out FILE")
		case b.weights != nil && len(b.weights) != len(files):
			return usagef("-weights has %s for %s", count(len(b.weights), "number"), densityCount(len(files)))
		case !(b.tolerance > 0) || math.IsInf(b.tolerance, 1):
			return usagef("-tolerance %g: must be positive and finite", b.tolerance)
		case b.iterations < 0:
			return usagef("-iterations %d: must not be negative", b.iterations)
		}
		return b.check()
	})
	if err != nil {
		return err
	}
	s, loaded, err := b.begin(c, &in)
	if err != nil {
		return err
	}
	request := &job.Barycentre{KernelSpec: b.KernelSpec, Weights: b.weights, Tolerance: b.tolerance, MaxIterations: b.iterations}
	if b.weights == nil {
		request.Weights = slices.Repeat([]float64{1}, len(files))
	}
	for _, k := range kept {
		painted, err := ask[*job.Painted](s, k.Painting.Request())
		if err != nil {
			return err
		}
		density := painted.States[len(painted.States)-1].Source
		if k.Target {
			density = painted.States[len(painted.States)-1].Target
		}
		request.Densities = append(request.Densities, density...)
	}
	for _, name := range c.args[1:] {
		density, err := c.readDensity(name, loaded.Report.Vertices)
		if err != nil {
			return err
		}
		request.Densities = append(request.Densities, density...)
	}
	found, err := ask[*job.Barycentred](s, request)
	if err != nil {
		return err
	}
	if err := c.writeVectors(b.out, found.Density); err != nil {
		return err
	}
	times := seconds(slices.Concat([]string{job.StageLoad}, job.SetupStages, []string{job.StageSolve}), loaded.Timings, found.Timings)
	status := found.Status
	if status != job.Converged {
		status = "not converged"
	}
	lines := append([]line{{"kernel", ""}}, kernelText(&found.Kernel, b.epsilon.Length)...)
	lines = append(lines, line{"answer", ""},
		line{"status", fmt.Sprintf("%s after %s, marginals wrong by %.1e of the mass", status, count(found.Iterations, "iteration"), found.MarginalError)})
	fields := append([]field{{"vertices", loaded.Report.Vertices}, {"status", found.Status}, {"iterations", found.Iterations}, {"marginal_error", found.MarginalError}}, about(&found.Kernel)...)
	for i, cost := range found.Costs {
		lines = append(lines, line{fmt.Sprintf("cost %d", i+1), fmt.Sprintf("%s from %s", units(cost), files[i])})
		fields = append(fields, field{fmt.Sprintf("cost_%d", i+1), cost})
	}
	lines = append(append(lines, boundText(&found.Kernel)...), noteText(append([]string{found.Note}, s.notes...)...)...)
	lines = append(lines, fileText(b.out, count(len(found.Density), "number"))...)
	lines = append(lines, line{"effort", ""}, took(times), line{"memory", megabytes(found.MemoryBytes)})
	if err := c.report(lines, append(fields, field{"bound", found.Bound}, field{"seconds", times}, field{"memory_bytes", found.MemoryBytes}, field{"notes", s.notes})...); err != nil {
		return err
	}
	return s.convergence(found.Status, found.Iterations, found.MarginalError)
}

func densityCount(n int) string {
	if n == 1 {
		return "1 density"
	}
	return fmt.Sprintf("%d densities", n)
}
