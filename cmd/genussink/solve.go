package main

import (
	"flag"
)

func solveCommand() command {
	return command{
		name: "solve", args: "MESH", count: 1,
		summary: "Transport a source density to a target at the least entropic cost. The densities are brought to total 1. " +
			"cost is <P, D> in mesh units, dual is epsilon (a.log u + b.log v). " +
			"-potentials writes epsilon log u and epsilon log v, two columns, a line per vertex; -Inf where there is no mass.",
		example: "solve bunny.obj -measures paper -epsilon 0.2 -json",
		setup: func(fs *flag.FlagSet) func(*call) error {
			var f solveFlags
			f.declare(fs)
			potentials := fs.String("potentials", "", "file for the potentials")
			return func(c *call) error { return solve(c, &f, *potentials) }
		},
	}
}

func solve(c *call, f *solveFlags, potentials string) error {
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
	var polished any = s.Cost
	if s.Bound > 0 {
		polished = nil // the plan's cost on exact distances is not known
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
		field{"dual", s.Dual},
		field{"gap", s.Gap},
		field{"bound", s.Bound},
		field{"seconds", seconds([]string{"load", "tree", "labels", "tiles", "kernel", "solve", "polish"}, loaded.Timings, s.Timings)},
		field{"memory_bytes", s.MemoryBytes},
		field{"threads", s.Threads},
	)
}
