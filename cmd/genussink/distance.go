package main

import (
	"flag"
	"fmt"
	"math"
	"strconv"

	"genussink/core/job"
)

func distanceCommand() command {
	return command{
		name: "distance", args: "MESH I [J]", count: 2, more: true,
		summary: "Find a shortest path between two vertices along the mesh's edges.\nIts length is in mesh units, and longer than the geodesic of the surface.\nVertices are numbered from 0. Between components the length is infinite (null in JSON).\n" +
			"Without J: of every vertex that a path leads to, in the order in which Dijkstra's algorithm settles them, its number,\nits distance from I, and the vertex before it on the path from I.",
		example: "distance bunny.obj 0 1200",
		outputs: []string{"out"},
		setup: func(fs *flag.FlagSet) func(*call) error {
			out := fs.String("out", "-", "without J: file for the lines; - is standard output")
			return func(c *call) error { return distance(c, *out) }
		},
	}
}

func distance(c *call, out string) error {
	if len(c.args) > 3 {
		return usagef("takes one vertex or two")
	}
	var ends [2]int32
	for k, arg := range c.args[1:] {
		v, err := strconv.ParseInt(arg, 10, 32)
		if err != nil {
			return usagef("%q is not a vertex number", arg)
		}
		ends[k] = int32(v)
	}
	if len(c.args) == 3 && out != "-" {
		return usagef("-out %s: the path between two vertices is printed; -json writes it for programs", out)
	}
	s, _, err := c.openMesh(c.args[0])
	if err != nil {
		return err
	}
	if len(c.args) == 2 {
		all, err := ask[*job.Brushed](s, &job.Brush{Center: ends[0], Radius: math.Inf(1), Tree: true})
		if err != nil {
			return err
		}
		columns := [2][]float64{}
		for k, v := range all.Vertices {
			columns[0], columns[1] = append(columns[0], float64(v)), append(columns[1], float64(all.Before[k]))
		}
		s.tell()
		return c.writeLines(out, nil, columns[0], all.Distances, columns[1])
	}
	path, err := ask[*job.Path](s, &job.Distance{From: ends[0], To: ends[1]})
	if err != nil {
		return err
	}
	lines := []line{{fmt.Sprintf("shortest path from vertex %d to %d", ends[0], ends[1]), ""}}
	if math.IsInf(path.Length, 1) {
		lines = append(lines, line{"length", "infinite: the vertices lie in different components"})
	} else {
		lines = append(lines, line{"length", units(path.Length)}, line{"edges", strconv.Itoa(len(path.Vertices) - 1)}, line{"vertices", some(path.Vertices)})
	}
	return c.report(append(lines, noteText(s.notes...)...), field{"length", path.Length}, field{"path", path.Vertices}, field{"notes", s.notes})
}
