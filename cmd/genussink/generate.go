package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"genussink/core/mesh/generate"
	"genussink/core/meshio"
	"genussink/internal/decimal"
)

func generateCommand() command {
	var kinds strings.Builder
	for _, k := range generate.Kinds() {
		fmt.Fprintf(&kinds, "\n\n%s: %s", k.Name, k.Description)
		for _, p := range k.Params {
			fmt.Fprintf(&kinds, "\n  -%s: %s, %g to %g, by default %g", p.Name, p.Unit, p.Min, p.Max, p.Default)
		}
	}
	return command{
		name: "generate", args: "KIND", count: 1,
		summary: "Make a mesh. The extension of -out chooses the format: " + strings.Join(meshio.Formats(), ", ") + ". " +
			"With .gr it is the paper's own dumbbell, a grid without diagonals: its bridge may be 1 vertex wide." + kinds.String(),
		example: "generate dumbbell -radius 18 -width 2 -out dumbbell.glb",
		outputs: []string{"out"},
		setup: func(fs *flag.FlagSet) func(*call) error {
			out := fs.String("out", "", "file to write")
			params := map[string]float64{}
			for _, k := range generate.Kinds() {
				for _, p := range k.Params {
					if fs.Lookup(p.Name) == nil {
						fs.Func(p.Name, "parameter of "+strings.Join(kindsWith(p.Name), ", "), func(s string) error {
							x, ok := decimal.Float([]byte(s))
							if !ok {
								return errors.New("not a number")
							}
							params[p.Name] = x
							return nil
						})
					}
				}
			}
			return func(c *call) error { return makeMesh(c, params, *out) }
		},
	}
}

// kindsWith names the generators that have a parameter.
func kindsWith(param string) (names []string) {
	for _, k := range generate.Kinds() {
		if slices.ContainsFunc(k.Params, func(p generate.Param) bool { return p.Name == param }) {
			names = append(names, k.Name)
		}
	}
	return names
}

func makeMesh(c *call, params map[string]float64, out string) error {
	format := strings.ToLower(strings.TrimPrefix(filepath.Ext(out), "."))
	switch {
	case out == "":
		return usagef("needs -out FILE")
	case format == "gr":
		return makeGraph(c, params, out)
	case !slices.Contains(meshio.Formats(), format):
		return usagef("-out %s: the extension must be one of %s", out, strings.Join(meshio.Formats(), ", "))
	}
	m, err := generate.Make(c.args[0], params)
	if err != nil {
		return usageError{err.Error()}
	}
	if err := c.writeFile(out, func(w io.Writer) error { return meshio.Write(w, format, m) }); err != nil {
		return err
	}
	return c.report(meshText(out, format, len(m.Positions), len(m.Faces)), field{"file", out}, field{"format", format}, field{"vertices", len(m.Positions)}, field{"faces", len(m.Faces)})
}

// meshText says which mesh was written.
func meshText(file, format string, n, faces int) []line {
	return fileText(file, fmt.Sprintf("a mesh as %s: %s, %s", format, vertices(n), count(faces, "face")))
}

// makeGraph writes the paper's dumbbell as a graph: the radius is 18 and the width 1 where they are not given.
func makeGraph(c *call, params map[string]float64, out string) error {
	if c.args[0] != "dumbbell" {
		return usagef("-out %s: of the kinds only dumbbell is a graph", out)
	}
	size := map[string]float64{"radius": 18, "width": 1}
	for name, x := range params {
		if _, ok := size[name]; !ok || x != math.Trunc(x) || math.Abs(x) > math.MaxInt32 {
			return usagef("-%s %g: a dumbbell has a -radius and a -width, whole numbers", name, x)
		}
		size[name] = x
	}
	g, _, err := generate.DumbbellGraph(int(size["radius"]), int(size["width"]))
	if err != nil {
		return usageError{err.Error()}
	}
	if err := c.writeFile(out, g.WritePACE); err != nil {
		return err
	}
	what := fmt.Sprintf("a graph as gr: %s, %s", vertices(g.Len()), count(g.Edges(), "edge"))
	return c.report(fileText(out, what), field{"file", out}, field{"format", "gr"}, field{"vertices", g.Len()}, field{"edges", g.Edges()})
}
