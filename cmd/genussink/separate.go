package main

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"genussink/core/engine"
	"genussink/core/graph"
	"genussink/core/graphio"
	"genussink/core/job"
	"genussink/core/mesh"
	"genussink/core/mesh/generate"
	"genussink/core/meshio"
	"genussink/core/separator"
	"genussink/core/septree"
	"genussink/core/session"
)

func separateCommand() command {
	return command{
		name: "separate", args: "INPUT", count: 1,
		summary: "Split a mesh or a graph by a balanced separator, then the sides again, level by level.\n" +
			"A graph is a .gr file of PACE or DIMACS, or road tables.\n" +
			"a, s and b are the sizes of the first separation. It deals components whole to either side, as far as that balances.\n" +
			"The tree splits one component after the other; of each level it says the nodes, the vertices in its separators and the largest separator.\n" +
			"Splitting components takes levels of the tree, without separators. A piece that no separation splits so fairly stays whole.\n" +
			"-pareto lists other separations, from small separators to good balance.\n" +
			"-out writes a line per vertex: the number of its leaf, or S and the level of the tree that its separator is on.",
		example: "separate bunny.obj -finder flow-cutter -levels 3 -out labels.txt",
		outputs: []string{"out"},
		setup: func(fs *flag.FlagSet) func(*call) error {
			var f separateFlags
			fs.StringVar(&f.finder, "finder", "", "how separators are found: "+strings.Join(separator.Names(), ", ")+"; by default the best for its time")
			fs.Float64Var(&f.balance, "balance", 0, fmt.Sprintf("no side has more than 1-`share` of the vertices; up to 0.5; 0: a third, and %g for -pareto", separator.ParetoBalance))
			fs.IntVar(&f.levels, "levels", 0, fmt.Sprintf("most levels of separators, from each component on; 0: until pieces hold two vertices or, of large inputs, a 256th of all, up to %d", septree.DefaultLeaf))
			fs.BoolVar(&f.pareto, "pareto", false, "list separations, from the smallest separator to the best balance")
			fs.StringVar(&f.out, "out", "", "file for the labels")
			return func(c *call) error { return separate(c, f) }
		},
	}
}

type separateFlags struct {
	finder  string
	balance float64
	levels  int
	pareto  bool
	out     string
}

// take is a session's finder and balance where no flag was typed.
func (f *separateFlags) take(typed map[string]bool, s *session.Session) {
	if !typed["finder"] {
		f.finder = s.Finder
	}
	if !typed["balance"] {
		f.balance = s.Balance
	}
}

func separate(c *call, flags separateFlags) error {
	var f separator.Finder
	var seconds []field
	start := time.Now()
	spent := 0.0
	lap := func(stage string) {
		seconds = append(seconds, field{stage, time.Since(start).Seconds()})
		spent += time.Since(start).Seconds()
		start = time.Now()
	}
	file := c.args[0]
	from, err := c.readInput(flags.take, func() (err error) {
		f, err = separator.ByName(flags.finder)
		switch {
		case err != nil:
			return usageError{err.Error()}
		case !(flags.balance >= 0 && flags.balance <= 0.5):
			return usagef("-balance %g: must lie between 0 and 0.5", flags.balance)
		case flags.levels < 0:
			return usagef("-levels %d: must not be negative", flags.levels)
		}
		return nil
	})
	if err != nil {
		return err
	}
	in, err := readGraph(&from)
	if err != nil {
		return err
	}
	lap("load")
	g, o := in.Graph, in.hints
	o.Balance = flags.balance
	whole, err := f.Find(c.ctx, g, o)
	if err == nil {
		err = separator.Verify(g, whole, o.Balance)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", file, separator.Named(err, in.name))
	}
	lap("find")
	to := septree.Options{Finder: flags.finder, Balance: o.Balance, Depth: flags.levels, Positions: o.Positions, Faces: o.Faces, Progress: c.progress.show}
	if flags.levels > 0 {
		to.Leaf = 1 // as many levels as asked for, however small the pieces
	}
	tree, err := septree.Split(c.ctx, g, to)
	if err != nil {
		return fmt.Errorf("%s: %w", file, separator.Named(err, in.name))
	}
	if flags.levels == 0 {
		to.Leaf, to.Progress = septree.FineLeaf(g.Len()), nil
		if tree, err = tree.Refine(c.ctx, to); err != nil {
			return fmt.Errorf("%s: %w", file, separator.Named(err, in.name))
		}
	}
	nodes, cells := tree.Outline()
	lap("tree")
	if flags.out != "" {
		if err := c.writeFile(flags.out, func(w io.Writer) error { return writeLabels(w, nodes, cells) }); err != nil {
			return err
		}
		start = time.Now()
	}
	var list []separator.Separation
	var trade [][]field
	if flags.pareto {
		if o.Balance == 0 {
			o.Balance = separator.ParetoBalance
		}
		list, err = separator.Pareto(c.ctx, g, o)
		for _, s := range list {
			if err == nil {
				err = separator.Verify(g, s, o.Balance)
			}
			trade = append(trade, parts(s))
		}
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		lap("pareto")
	}
	fields := append([]field{{"n", g.Len()}}, parts(whole)...)
	fields = append(fields, field{"finder", f.Name()}, field{"seconds", seconds}, field{"levels", levelFields(nodes)})
	if flags.pareto {
		fields = append(fields, field{"pareto", trade})
	}
	n := g.Len()
	text := []line{
		{"graph", ""}, {"size", vertices(n) + ", " + count(g.Edges(), "edge")},
		{"separation", ""}, {"A, S, B", sizesText(whole)}, {"finder", f.Name()},
	}
	if flags.pareto {
		text = append(text, line{"separations by size", ""})
		for _, s := range list {
			text = append(text, line{"A, S, B", sizesText(s)})
		}
	}
	text = append(text, line{"separator tree", ""})
	for d, l := range levelsOf(nodes) {
		text = append(text, line{fmt.Sprintf("level %d", d), fmt.Sprintf("%s, %s in separators, %d in the largest", count(l.nodes, "node"), vertices(int(l.separator)), l.largest)})
	}
	return c.report(append(text, line{"effort", ""}, took(append(seconds, field{"total", spent}))), fields...)
}

// parts are the sizes of a separation.
func parts(s separator.Separation) []field {
	n := len(s.A) + len(s.S) + len(s.B)
	return []field{
		{"a", len(s.A)}, {"s", len(s.S)}, {"b", len(s.B)},
		{"s_over_sqrt_n", float64(len(s.S)) / math.Sqrt(float64(n))},
		{"balance", float64(min(len(s.A), len(s.B))) / float64(n)},
	}
}

// network is a graph from a file, or a mesh's.
type network struct {
	*graph.Graph
	hints separator.Options    // what the file says of positions and faces
	name  func(v int32) string // of a vertex in a graph's file; nil of a mesh
}

// readGraph makes a graph of an input: a graph's, or a mesh's edges.
func readGraph(from *input) (in network, err error) {
	var m *mesh.Mesh
	switch b := from.load().(type) {
	case *job.Generate:
		params := make(map[string]float64, len(b.Params))
		for _, p := range b.Params {
			params[p.Name] = p.Value
		}
		if generate.IsGraph(b.Kind) {
			in.Graph, in.hints.Positions, err = generate.MakeGraph(b.Kind, params)
		} else {
			m, err = generate.Make(b.Kind, params)
		}
		if err != nil {
			return in, fmt.Errorf("%s: %w", from.path, err)
		}
		if m == nil {
			return in, nil
		}
	case *job.Load:
		main := graphio.File{Name: b.Name, Data: b.Data}
		if graphio.Is(b.Name) {
			return readNetwork(from, main, b.Files)
		}
		read, err := meshio.Read(b.Name, bytes.NewBuffer(b.Data), meshio.Options{Weld: b.Weld, MaxMemory: from.c.memory.bytes, Files: engine.Files(b.Files, from.disk())})
		if err != nil {
			return in, fmt.Errorf("%s: %w", from.path, overBudget(err))
		}
		m = read.Mesh
	}
	in.hints.Positions, in.hints.Faces = m.Positions, m.Faces
	if in.Graph, err = graph.FromMesh(m); err != nil {
		return in, fmt.Errorf("%s: %w", from.path, err)
	}
	return in, nil
}

func readNetwork(from *input, main graphio.File, came []job.File) (in network, err error) {
	var others []graphio.File
	for _, f := range came {
		others = append(others, graphio.File(f))
	}
	net, err := graphio.Read(main, others, from.c.memory.bytes)
	if err != nil {
		return in, fmt.Errorf("%s: %w", from.path, overBudget(err))
	}
	in.Graph, in.name = net.Graph, net.Name
	if net.Positions != nil {
		in.hints.Positions = make([][3]float64, len(net.Positions))
		for v, p := range net.Positions {
			in.hints.Positions[v] = [3]float64{p[0], p[1], 0}
		}
	}
	return in, nil
}

func writeLabels(w io.Writer, nodes []septree.Node, cells []int32) error {
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

// level is what the nodes of one depth add up to.
type level struct {
	nodes              int
	separator, largest int32
}

// levelsOf sums the outline up, level by level.
func levelsOf(nodes []septree.Node) (levels []level) {
	for _, n := range nodes {
		for int(n.Depth) >= len(levels) {
			levels = append(levels, level{})
		}
		l := &levels[n.Depth]
		l.nodes++
		l.separator += n.S
		l.largest = max(l.largest, n.S)
	}
	return levels
}

func levelFields(nodes []septree.Node) (fields [][]field) {
	for _, l := range levelsOf(nodes) {
		fields = append(fields, []field{{"nodes", l.nodes}, {"separator", l.separator}, {"largest", l.largest}})
	}
	return fields
}

// sizesText says how large a separation's sides are.
func sizesText(s separator.Separation) string {
	n := len(s.A) + len(s.S) + len(s.B)
	return fmt.Sprintf("%d, %d and %s: |S| is %s sqrt(n), the smaller side %s %% of all", len(s.A), len(s.S), vertices(len(s.B)),
		digits(float64(len(s.S))/math.Sqrt(float64(n))), digits(100*float64(min(len(s.A), len(s.B)))/float64(n)))
}
