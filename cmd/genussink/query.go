package main

import (
	"flag"
	"math"

	"genussink/core/job"
)

func queryCommand() command {
	return command{
		name: "query", args: "MESH", count: 1,
		summary: "Solve, as solve does, then ask the plan P. With -set it writes, for every vertex, the mass that it sends into a set of vertices: " +
			"P v for the set's indicator v. With -row it lists the vertices that one vertex sends most to.",
		example: "query bunny.obj -measures paper -epsilon 0.2 -row 12 -top 5",
		setup: func(fs *flag.FlagSet) func(*call) error {
			var f solveFlags
			f.declare(fs)
			set := fs.String("set", "", "file of vertex numbers, one per line; - is standard input")
			out := fs.String("out", "-", "file for P v; - is standard output")
			row := fs.Int("row", -1, "vertex whose partners are listed")
			top := fs.Int("top", 10, "how many partners; 0: all with mass")
			return func(c *call) error { return query(c, &f, *set, *out, *row, *top) }
		},
	}
}

func query(c *call, f *solveFlags, set, out string, row, top int) error {
	switch {
	case (set == "") == (row < 0):
		return usagef("needs either -set FILE or -row VERTEX")
	case row > math.MaxInt32:
		return usagef("-row %d: is not a vertex number", row)
	case top < 0:
		return usagef("-top %d: must not be negative", top)
	}
	s, loaded, _, err := f.solve(c)
	if err != nil {
		return err
	}
	if set == "" {
		return queryRow(c, s, row, top)
	}
	indicator, err := c.readSet(set, loaded.Report.Vertices)
	if err != nil {
		return err
	}
	pushed, err := ask[*job.Pushed](s, &job.Push{Values: indicator})
	if err != nil {
		return err
	}
	total := 0.0
	for _, x := range pushed.Values {
		total += x
	}
	if c.json {
		if out != "-" {
			if err := c.writeVectors(out, pushed.Values); err != nil {
				return err
			}
		}
		return c.print(field{"total", total}, field{"values", pushed.Values})
	}
	if err := c.writeVectors(out, pushed.Values); err != nil || out == "-" {
		return err
	}
	return c.print(field{"total", total})
}

func queryRow(c *call, s *session, row, top int) error {
	p, err := ask[*job.Partnered](s, &job.Partners{Vertex: int32(row), Top: top})
	if err != nil {
		return err
	}
	partners := make([][]field, len(p.Vertices))
	for i, v := range p.Vertices {
		partners[i] = []field{{"vertex", v}, {"mass", p.Mass[i]}}
	}
	return c.print(field{"vertex", p.Vertex}, field{"total", p.Total}, field{"partners", partners})
}
