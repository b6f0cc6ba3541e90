package main

import (
	"flag"
	"slices"

	"genussink/core/job"
)

func applyCommand() command {
	return command{
		name: "apply", args: "MESH", count: 1,
		summary: "Multiply a vector by the kernel: y = exp(-D/epsilon) x, D being the distances along the mesh's edges. Vectors are text, one number per line, in vertex order.",
		example: "apply bunny.obj -epsilon 0.2 -x x.txt -out y.txt",
		outputs: []string{"out"},
		setup: func(fs *flag.FlagSet) func(*call) error {
			var m method
			m.declare(fs)
			x := fs.String("x", "", "the vector; - is standard input")
			out := fs.String("out", "", "file for the product")
			return func(c *call) error { return apply(c, &m, *x, *out) }
		},
	}
}

func apply(c *call, m *method, x, out string) error {
	in, err := c.readInput(m.take, func() error {
		if x == "" || out == "" {
			return usagef("needs -x FILE and -out FILE")
		}
		return m.check()
	})
	if err != nil {
		return err
	}
	s, loaded, err := c.begin(&in)
	if err != nil {
		return err
	}
	values, err := c.readVector(x, loaded.Report.Vertices)
	if err != nil {
		return err
	}
	applied, err := ask[*job.Applied](s, &job.Apply{KernelSpec: m.KernelSpec, Values: values})
	if err != nil {
		return err
	}
	if err := c.writeVectors(out, applied.Values); err != nil {
		return err
	}
	fields := append([]field{{"vertices", loaded.Report.Vertices}}, about(&applied.Kernel)...)
	return c.print(append(fields,
		field{"precision", applied.Precision},
		field{"bound", applied.Bound},
		field{"seconds", seconds(slices.Concat([]string{job.StageLoad}, job.SetupStages, []string{job.StageApply}), loaded.Timings, applied.Timings)},
		field{"memory_bytes", applied.MemoryBytes},
	)...)
}
