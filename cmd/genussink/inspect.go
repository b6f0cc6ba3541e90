package main

import (
	"flag"
	"fmt"
	"slices"
	"strconv"

	"genussink/core/inspect"
	"genussink/core/job"
)

func inspectCommand() command {
	return command{
		name: "inspect", args: "INPUT", count: 1,
		summary: "List what is wrong with a mesh, and measure its shape.\nFaces and vertices are numbered from 0. Flipped faces are the fewest whose reversal makes every component agree about its outside.\n" +
			"The aspect ratio of a face is 1 where its edges are equal. An edge's angle is the one between the normals of its two faces. Curvature is that of Meyer et al. (2003).\n-json has every list and every value.",
		example: "inspect bunny.obj -json",
		setup:   func(*flag.FlagSet) func(*call) error { return inspectMesh },
	}
}

func inspectMesh(c *call) error {
	s, loaded, err := c.openMesh(c.args[0])
	if err != nil {
		return err
	}
	r, err := ask[*job.Inspected](s, &job.Inspect{})
	if err != nil {
		return err
	}
	loops := make([][]int32, len(r.BoundaryLoops))
	for i, l := range r.BoundaryLoops {
		loops[i] = l.Vertices
	}
	components := make([][]int32, len(r.SmallComponents))
	for i, x := range r.SmallComponents {
		components[i] = x.Vertices
	}
	return c.report(inspectText(c.args[0], loaded, r),
		field{"boundary_loops", loops},
		field{"nonmanifold_edges", r.NonmanifoldEdges},
		field{"nonmanifold_vertices", r.NonmanifoldVertices},
		field{"degenerate_faces", r.DegenerateFaces},
		field{"flipped_faces", r.FlippedFaces},
		field{"isolated_vertices", r.IsolatedVertices},
		field{"small_components", components},
		field{"edges", r.Edges},
		field{"edge_lengths", r.EdgeLengths},
		field{"aspect_ratios", r.AspectRatios},
		field{"degrees", r.Degrees},
		field{"bent_edges", r.Bent},
		field{"angles", r.Angles},
		field{"mean_curvatures", r.Mean},
		field{"gaussian_curvatures", r.Gaussian},
	)
}

// inspectText counts each defect and says where the first of them are.
func inspectText(file string, loaded *job.Loaded, r *job.Inspected) []line {
	lines := []line{{"defects of " + file, ""}}
	list := func(what, at string, n int, first []int32) {
		value := strconv.Itoa(n)
		if n > 0 {
			value += ": " + at + some(first)
		}
		lines = append(lines, line{what, value})
	}
	if loaded.Report.Faces > 0 {
		var starts []int32 // a vertex of each loop
		for _, l := range r.BoundaryLoops {
			starts = append(starts, l.Vertices[0])
		}
		list("boundary loops", "through vertex ", len(starts), starts)
		list("non-manifold edges", "from vertex ", len(r.NonmanifoldEdges)/2, every(r.NonmanifoldEdges, 2))
		list("non-manifold vertices", "", len(r.NonmanifoldVertices), r.NonmanifoldVertices)
		list("faces without area", "", len(r.DegenerateFaces), r.DegenerateFaces)
		list("flipped faces", "", len(r.FlippedFaces), r.FlippedFaces)
		list("vertices without a face", "", len(r.IsolatedVertices), r.IsolatedVertices)
	} else {
		list("vertices without an edge", "", len(r.IsolatedVertices), r.IsolatedVertices)
	}
	var firsts []int32 // a vertex of each component
	for _, x := range r.SmallComponents {
		firsts = append(firsts, x.Vertices[0])
	}
	list("other components with edges", "from vertex ", len(firsts), firsts)
	lines = append(lines, line{"shape: least, median, greatest", ""})
	spread := func(what, unit string, values []float64) {
		if low, middle, high, ok := spreadOf(values); ok {
			lines = append(lines, line{what, fmt.Sprintf("%s, %s, %s%s", digits(low), digits(middle), digits(high), unit)})
		}
	}
	spread("edge lengths", " mesh units", r.EdgeLengths)
	spread("degrees", " edges a vertex", r.Degrees)
	spread("aspect ratios", "", r.AspectRatios)
	spread("angles at edges", " degrees", r.Angles)
	spread("mean curvature", " per mesh unit", r.Mean)
	spread("Gaussian curvature", " per square mesh unit", r.Gaussian)
	return lines
}

// every is each n-th value of a list, from the first on.
func every(list []int32, n int) (firsts []int32) {
	for i := 0; i < len(list); i += n {
		firsts = append(firsts, list[i])
	}
	return firsts
}

// spreadOf are the least, the middle and the greatest of the finite values.
func spreadOf(values []float64) (low, middle, high float64, ok bool) {
	finite := inspect.Finite(values)
	if len(finite) == 0 {
		return 0, 0, 0, false
	}
	slices.Sort(finite)
	half := len(finite) / 2
	return finite[0], (finite[half] + finite[(len(finite)-1)/2]) / 2, finite[len(finite)-1], true
}
