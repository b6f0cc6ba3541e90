package main

import (
	"flag"
	"slices"

	"genussink/core/job"
)

func applyCommand() command {
	return command{
		name: "apply", args: "MESH", count: 1,
		summary: "Multiply a vector by the kernel: y = f(D/epsilon) x, where f is exp(-x) unless -kernel says otherwise.\nD has the distances along the mesh's edges.\nVectors are text: one number per line, in vertex order.",
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
	s, loaded, err := m.begin(c, &in)
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
	times := seconds(slices.Concat([]string{job.StageLoad}, job.SetupStages, []string{job.StageApply}), loaded.Timings, applied.Timings)
	lines := append([]line{{"kernel", ""}}, kernelText(&applied.Kernel, m.epsilon.Length)...)
	lines = append(append(lines, boundText(&applied.Kernel)...), noteText(append([]string{applied.Note}, s.notes...)...)...)
	lines = append(lines, fileText(out, count(loaded.Report.Vertices, "number"))...)
	lines = append(lines, line{"effort", ""}, took(times), line{"memory", megabytes(applied.MemoryBytes)})
	fields := append([]field{{"vertices", loaded.Report.Vertices}}, about(&applied.Kernel)...)
	return c.report(lines, append(fields,
		field{"precision", applied.Precision},
		field{"bound", applied.Bound},
		field{"seconds", times},
		field{"memory_bytes", applied.MemoryBytes},
		field{"notes", s.notes},
	)...)
}
