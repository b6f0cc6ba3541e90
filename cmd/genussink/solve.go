package main

import (
	"flag"

	"genussink/core/job"
)

func solveCommand() command {
	return command{
		name: "solve", args: "MESH", count: 1,
		summary: "Transport a source density to a target at the least entropic cost. The densities are brought to total 1. " +
			"cost is <P, D> in mesh units, with the method's own distances; cost_polished estimates from some rows of true distances what the optimal plan costs (certified) or what the plan found costs there (sampled), " +
			"cost_polished_error is its standard error; of exact they are cost and bound, within which true distances cost the same; dual is epsilon (a.log u + b.log v). " +
			"distance_error compares the method's distances with some rows of true ones, in mesh units, where bound is not 0 or there is none. " +
			"crosses counts how the separators' two sides were multiplied: through a single vertex, by range searching, by a walk over patches, in pairs; and the leaves of exact and certified. Its width is that of the tree decomposition, -1 without one. " +
			"-potentials writes epsilon log u and epsilon log v, two columns, a line per vertex; -Inf where there is no mass.",
		example: "solve bunny.obj -measures paper -epsilon 0.2 -json",
		outputs: []string{"potentials"},
		setup: func(fs *flag.FlagSet) func(*call) error {
			var f solveFlags
			f.declare(fs)
			potentials := fs.String("potentials", "", "file for the potentials")
			return func(c *call) error { return solve(c, &f, *potentials) }
		},
	}
}

func solve(c *call, f *solveFlags, potentials string) error {
	f.polish = true
	_, loaded, s, err := f.solve(c)
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
	var polished, uncertainty any = s.Cost, s.Bound // of exact, which is off by no more
	var accuracy any
	if a := s.Accuracy; a.Rows > 0 {
		accuracy = []field{
			{"rows", a.Rows}, {"least", a.Least}, {"most", a.Most}, {"mean", a.Mean},
			{"most_relative", a.MostRelative}, {"mean_relative", a.MeanRelative}, {"holds", a.Holds},
		}
		switch {
		case s.PolishedRows > 0:
			polished, uncertainty = s.Polished, s.PolishedError
		case s.Method != "exact": // the second kernel that it takes had no room
			polished, uncertainty = nil, nil
		}
	}
	var crosses any
	if x := s.Crosses; x != (job.Crosses{}) {
		crosses = []field{{"width", x.Width}, {"single", x.Single}, {"range", x.Range}, {"walk", x.Walk}, {"pairs", x.Pairs}, {"leaves", x.Leaves}}
	}
	return c.print(
		field{"vertices", s.Vertices},
		field{"edges", s.Edges},
		field{"epsilon", s.Epsilon},
		field{"delta", s.Bound},
		field{"method", s.Method},
		field{"kernel", s.Kernel},
		field{"form", s.Form},
		field{"status", s.Status},
		field{"iterations", s.Iterations},
		field{"marginal_error", s.MarginalError},
		field{"cost", s.Cost},
		field{"cost_polished", polished},
		field{"cost_polished_error", uncertainty},
		field{"dual", s.Dual},
		field{"gap", s.Gap},
		field{"precision", s.Precision},
		field{"bound", s.Bound},
		field{"width", s.Width},
		field{"distance_error", accuracy},
		field{"crosses", crosses},
		field{"seconds", seconds([]string{"load", "host", "tree", "labels", "tiles", "kernel", "solve", "examine", "polish"}, loaded.Timings, s.Timings)},
		field{"memory_bytes", s.MemoryBytes},
		field{"peak_bytes", s.PeakBytes},
		field{"threads", s.Threads},
	)
}
