package main

import "flag"

func infoCommand() command {
	return command{
		name: "info", args: "INPUT", count: 1,
		summary: "Say what a mesh, or a graph in a .gr file, is: its size, its topology, its defects, and what of the file was left out. The genus is the sum over the orientable components; lengths are in mesh units.",
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
	return c.print(
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
