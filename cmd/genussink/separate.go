package main

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"genussink/core/graph"
	"genussink/core/hub"
	"genussink/core/mesh"
	"genussink/core/meshio"
	"genussink/core/separator"
	"os"
)

func separateCommand() command {
	return command{
		name: "separate", args: "INPUT", count: 1,
		summary: "Split a mesh, or a graph in PACE's .gr format, by balanced separators, level by level. " +
			"a, s and b are the root's parts; a level counts its nodes, the vertices in its separators and the largest separator. " +
			"-out writes a line per vertex: the number of the leaf that holds it, or S and the level of its separator.",
		example: "separate bunny.obj -finder level-set -levels 3 -out labels.txt",
		setup: func(fs *flag.FlagSet) func(*call) error {
			finder := fs.String("finder", "", "how separators are found: "+strings.Join(separator.Names(), ", ")+"; by default the best for its time")
			balance := fs.Float64("balance", 0, fmt.Sprintf("least share of the vertices on either side, up to 0.5; 0: %g", separator.DefaultBalance))
			levels := fs.Int("levels", 0, "most levels; 0: until the pieces are small")
			out := fs.String("out", "", "file for the labels")
			return func(c *call) error { return separate(c, *finder, *balance, *levels, *out) }
		},
	}
}

func separate(c *call, finder string, balance float64, levels int, out string) error {
	f, err := separator.ByName(finder)
	switch {
	case err != nil:
		return usageError{err.Error()}
	case !(balance >= 0 && balance <= 0.5):
		return usagef("-balance %g: must lie between 0 and 0.5", balance)
	case levels < 0:
		return usagef("-levels %d: must not be negative", levels)
	}
	file := c.args[0]
	o := hub.Options{Finder: finder, Balance: balance, Depth: levels, Progress: c.progress.show}
	g, m, err := readGraph(file)
	if err != nil {
		return err
	}
	if m != nil {
		o.Positions, o.Faces = m.Positions, m.Faces
	}
	start := time.Now()
	tree, err := hub.Split(c.ctx, g, o)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	took := time.Since(start).Seconds()
	nodes, cells := tree.Outline()
	if out != "" {
		if err := c.writeFile(out, func(w io.Writer) error { return writeLabels(w, nodes, cells) }); err != nil {
			return err
		}
	}
	root := nodes[0]
	return c.print(
		field{"n", g.Len()}, field{"a", root.A}, field{"s", root.S}, field{"b", root.B},
		field{"finder", f.Name()}, field{"seconds", took}, field{"levels", levelsOf(nodes)},
	)
}

// readGraph reads a .gr file, or a mesh and its edge graph.
func readGraph(file string) (*graph.Graph, *mesh.Mesh, error) {
	data, err := readFile(file)
	if err != nil {
		return nil, nil, err
	}
	if strings.EqualFold(filepath.Ext(file), ".gr") {
		g, err := graph.ReadPACE(bytes.NewReader(data))
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", file, err)
		}
		return g, nil, nil
	}
	read, err := meshio.Read(filepath.Base(file), bytes.NewReader(data), meshio.Options{Files: os.DirFS(filepath.Dir(file))})
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", file, err)
	}
	g, err := graph.FromMesh(read.Mesh)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", file, err)
	}
	return g, read.Mesh, nil
}

func writeLabels(w io.Writer, nodes []hub.Node, cells []int32) error {
	out := bufio.NewWriter(w)
	for _, cell := range cells {
		if node := nodes[cell]; node.Left < 0 {
			fmt.Fprintf(out, "%d\n", cell)
		} else {
			fmt.Fprintf(out, "S%d\n", node.Depth)
		}
	}
	return out.Flush()
}

// levelsOf sums the outline up, level by level.
func levelsOf(nodes []hub.Node) (levels [][]field) {
	type level struct {
		nodes              int
		separator, largest int32
	}
	var sums []level
	for _, n := range nodes {
		for int(n.Depth) >= len(sums) {
			sums = append(sums, level{})
		}
		l := &sums[n.Depth]
		l.nodes++
		l.separator += n.S
		l.largest = max(l.largest, n.S)
	}
	for _, l := range sums {
		levels = append(levels, []field{{"nodes", l.nodes}, {"separator", l.separator}, {"largest", l.largest}})
	}
	return levels
}
