package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"genussink/core/graph"
	"genussink/core/mesh/generate"
	"genussink/core/meshio"
	"genussink/internal/decimal"
	"genussink/viewer/lesson"
)

func generateCommand() command {
	var kinds strings.Builder
	for _, k := range generate.Kinds() {
		fmt.Fprintf(&kinds, "\n\n%s: %s", k.Name, k.Description)
		for _, p := range k.Params {
			fmt.Fprintf(&kinds, "\n  -%s: %s, %g to %g, by default %g", p.Name, p.Unit, p.Min, p.Max, p.Default)
		}
	}
	fmt.Fprintf(&kinds, "\n\n%s: The graph that one of the page's lessons begins with, without faces.\n  -number: of the lesson, 1 to %d, by default 1", lessonKind, len(lesson.Lessons())-1)
	return command{
		name: "generate", args: "KIND", count: 1,
		summary: "Make a mesh or a graph. The extension of -out chooses the format: of a mesh " + strings.Join(meshio.Formats(), ", ") + ", of a graph without faces gr." + kinds.String(),
		example: "generate dumbbell -radius 18 -width 2 -out dumbbell.glb",
		outputs: []string{"out"},
		setup: func(fs *flag.FlagSet) func(*call) error {
			out := fs.String("out", "", "file to write")
			params := map[string]float64{}
			param := func(name, kinds string) {
				fs.Func(name, "parameter of "+kinds, func(s string) error {
					x, ok := decimal.Float([]byte(s))
					if !ok {
						return errors.New("not a number")
					}
					params[name] = x
					return nil
				})
			}
			for _, k := range generate.Kinds() {
				for _, p := range k.Params {
					if fs.Lookup(p.Name) == nil {
						param(p.Name, strings.Join(kindsWith(p.Name), ", "))
					}
				}
			}
			param("number", lessonKind)
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
	switch noFaces := c.args[0] == lessonKind || generate.IsGraph(c.args[0]); {
	case out == "":
		return usagef("needs -out FILE")
	case noFaces && format == "gr":
		return makeGraph(c, params, out)
	case noFaces:
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
	g, err := graphOf(c.args[0], params)
	if err != nil {
		return usageError{err.Error()}
	}
	if err := c.writeFile(out, g.WritePACE); err != nil {
		return err
	}
	what := fmt.Sprintf("a graph as gr: %s, %s", vertices(g.Len()), count(g.Edges(), "edge"))
	return c.report(fileText(out, what), field{"file", out}, field{"format", "gr"}, field{"vertices", g.Len()}, field{"edges", g.Edges()})
}

// lessonKind is a kind that the tool alone makes: the graph of one of the page's lessons.
const lessonKind = "lesson"

// graphOf makes a graph without faces.
func graphOf(kind string, params map[string]float64) (*graph.Graph, error) {
	if kind != lessonKind {
		g, _, err := generate.MakeGraph(kind, params)
		return g, err
	}
	lessons, number := lesson.Lessons(), 1.0
	most := float64(len(lessons) - 1) // the last has the mesh at hand
	for name, x := range params {
		if number = x; name != "number" {
			return nil, errors.New("a lesson has no parameter but -number")
		}
	}
	if !(number >= 1 && number <= most && number == math.Trunc(number)) {
		return nil, fmt.Errorf("-number is %g, it must be a whole number from 1 to %g", number, most)
	}
	n, edges, err := graph.ReadPACE(bytes.NewReader(lessons[int(number)-1].Graph().PACE()))
	if err != nil {
		return nil, err
	}
	return graph.New(n, edges)
}
