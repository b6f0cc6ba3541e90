package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
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
		summary: "Make a mesh or a graph. The extension of -out chooses the format: of a mesh " + strings.Join(meshio.Formats(), ", ") + ", of a graph without faces gr." + kinds.String(),
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
	switch graph := generate.IsGraph(c.args[0]); {
	case out == "":
		return usagef("needs -out FILE")
	case graph && format == "gr":
		return makeGraph(c, params, out)
	case graph:
		return usagef("-out %s: %s has no faces, its extension must be gr", out, c.args[0])
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

// makeGraph writes a graph without faces.
func makeGraph(c *call, params map[string]float64, out string) error {
	g, _, err := generate.MakeGraph(c.args[0], params)
	if err != nil {
		return usageError{err.Error()}
	}
	if err := c.writeFile(out, g.WritePACE); err != nil {
		return err
	}
	what := fmt.Sprintf("a graph as gr: %s, %s", vertices(g.Len()), count(g.Edges(), "edge"))
	return c.report(fileText(out, what), field{"file", out}, field{"format", "gr"}, field{"vertices", g.Len()}, field{"edges", g.Edges()})
}
