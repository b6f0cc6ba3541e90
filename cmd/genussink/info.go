package main

import (
	"flag"
	"fmt"
	"strconv"
	"strings"

	"genussink/core/job"
)

func infoCommand() command {
	return command{
		name: "info", args: "INPUT", count: 1,
		summary: "Say what a mesh or a graph (.gr) is: its size, its topology, its defects, and what of the file was left out.\nThe genus is summed over the orientable components. Lengths are in mesh units.",
		example: "info bunny.obj -json",
		setup:   func(*flag.FlagSet) func(*call) error { return info },
	}
}

func info(c *call) error {
	_, loaded, err := c.openMesh(c.args[0])
	if err != nil {
		return err
	}
	r := loaded.Report
	return c.report(infoText(c.args[0], loaded),
		field{"format", loaded.Format},
		field{"vertices", r.Vertices},
		field{"faces", r.Faces},
		field{"edges", r.Edges},
		field{"components", r.Components},
		field{"boundary_loops", r.BoundaryLoops},
		field{"euler", r.Euler},
		field{"genus", r.Genus},
		field{"nonmanifold_edges", r.NonmanifoldEdges},
		field{"nonmanifold_vertices", r.NonmanifoldVertices},
		field{"degenerate_faces", r.DegenerateFaces},
		field{"isolated_vertices", r.IsolatedVertices},
		field{"edge_length", []field{{"min", r.EdgeMin}, {"mean", r.EdgeMean}, {"max", r.EdgeMax}}},
		field{"diagonal", r.Diagonal},
		field{"watertight", r.Watertight},
		field{"oriented", r.Oriented},
		field{"warnings", r.Warnings},
	)
}

// infoText is what a person asks of a mesh, or of a graph, which has no surface.
func infoText(file string, loaded *job.Loaded) []line {
	r := loaded.Report
	size := vertices(r.Vertices) + ", " + count(r.Edges, "edge")
	if r.Faces == 0 {
		lines := []line{
			{"graph", ""}, {"file", file + ", " + loaded.Format}, {"size", size}, {"components", strconv.Itoa(r.Components)},
			{"edge lengths", lengthsText(&r)},
		}
		return append(lines, warningsText(r.Warnings)...)
	}
	is := func(yes bool, word string) string {
		if yes {
			return word
		}
		return "not " + word
	}
	var defects []string
	defect := func(text string, n int) {
		if n > 0 {
			defects = append(defects, text)
		}
	}
	defect(count(r.NonmanifoldEdges, "non-manifold edge"), r.NonmanifoldEdges)
	defect("non-manifold: "+vertices(r.NonmanifoldVertices), r.NonmanifoldVertices)
	defect(count(r.DegenerateFaces, "face")+" without area", r.DegenerateFaces)
	defect("without a face: "+vertices(r.IsolatedVertices), r.IsolatedVertices)
	if defects == nil {
		defects = []string{"nothing found"}
	}
	lines := []line{
		{"mesh", ""}, {"file", file + ", " + loaded.Format}, {"size", size + ", " + count(r.Faces, "face")},
		{"edge lengths", lengthsText(&r)}, {"diagonal", units(r.Diagonal)},
		{"surface", ""}, {"components", strconv.Itoa(r.Components)}, {"boundary", count(r.BoundaryLoops, "loop")},
		{"genus", fmt.Sprintf("%d, Euler characteristic %d", r.Genus, r.Euler)},
		{"kind", is(r.Watertight, "watertight") + ", " + is(r.Oriented, "oriented")},
		{"defects", strings.Join(defects, ", ")},
	}
	return append(lines, warningsText(r.Warnings)...)
}

func lengthsText(r *job.Report) string {
	return fmt.Sprintf("%s to %s, %s in the mean", digits(r.EdgeMin), units(r.EdgeMax), digits(r.EdgeMean))
}

func warningsText(warnings []string) (lines []line) {
	if len(warnings) == 0 {
		return nil
	}
	lines = []line{{"warnings", ""}}
	for _, w := range warnings {
		lines = append(lines, line{"warning", w})
	}
	return lines
}
