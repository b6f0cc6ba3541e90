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
		name: "distance", args: "MESH I J", count: 3,
		summary: "Find a shortest path between two vertices along the mesh's edges.\nIts length is in mesh units, and longer than the geodesic of the surface.\nVertices are numbered from 0. Between components the length is infinite (null in JSON).",
		example: "distance bunny.obj 0 1200",
		setup:   func(*flag.FlagSet) func(*call) error { return distance },
	}
}

func distance(c *call) error {
	var ends [2]int32
	for k, arg := range c.args[1:] {
		v, err := strconv.ParseInt(arg, 10, 32)
		if err != nil {
			return usagef("%q is not a vertex number", arg)
		}
		ends[k] = int32(v)
	}
	s, _, err := c.openMesh(c.args[0])
	if err != nil {
		return err
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
	return c.report(lines, field{"length", path.Length}, field{"path", path.Vertices})
}
