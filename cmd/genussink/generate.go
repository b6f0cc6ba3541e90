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
		summary: "Make a mesh. The extension of -out chooses the format: " + strings.Join(meshio.Formats(), ", ") + "." + kinds.String(),
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
