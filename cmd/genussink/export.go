package main

import (
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"genussink/core/job"
	"genussink/viewer/scene"
)

// exports are the formats of export, by their extensions.
var exports = []string{"glb", "ply", "csv", "json"}

func exportCommand() command {
	return command{
		name: "export", args: "MESH", count: 1,
		summary: exportHelp,
		example: "export bunny.obj -what split -level 3 -out bunny.glb",
		outputs: []string{"out"},
		setup: func(fs *flag.FlagSet) func(*call) error {
			var v viewFlags
			v.declare(fs)
			out := fs.String("out", "", "file to write, ."+strings.Join(exports, ", ."))
			return func(c *call) error { return export(c, &v, *out) }
		},
	}
}

const exportHelp = `Write a mesh with what is known of its vertices:
source, target  the densities
displacement    from the vertex to the mean of what it sends, mesh units; 0 where it sends nothing
cell            the vertex's node in the separator tree, down to -level; -1 in a separator
The extension of -out chooses the format.
glb             these as _SOURCE, _TARGET, _DISPLACEMENT and _CELL, the colours of -what as COLOR_0
ply             these as properties, the colours as red, green and blue
csv, json       these and the positions, without faces and colours
Densities are those of solve; the paper's pair where none are named. Epsilon and method are the page's, unless given.`

func export(c *call, v *viewFlags, out string) error {
	format := strings.ToLower(strings.TrimPrefix(filepath.Ext(out), "."))
	switch {
	case out == "":
		return usagef("needs -out FILE")
	case !slices.Contains(exports, format):
		return usagef("-out %s: the extension must be one of %s", out, strings.Join(exports, ", "))
	}
	if err := v.check(); err != nil {
		return err
	}
	w, err := v.look(c, needs{cells: true, densities: true, plan: true, moved: v.needs().moved})
	if err != nil {
		return err
	}
	colours := format == "glb" || format == "ply"
	if len(w.loaded.Faces) == 0 && colours {
		return fmt.Errorf("%s: a graph without faces has no surface to export; a .csv or .json has its vertices", c.args[0])
	}
	request := &job.Export{
		Format: format, Mesh: w.loaded.Name, Source: w.densities.Source, Target: w.densities.Target, Moved: true,
		Cells: scene.Cells(w.separated, v.level),
	}
	faces := 0
	if colours {
		faces = len(w.loaded.Faces) / 3
		if request.Colors, err = w.colors(); err != nil {
			return err
		}
	}
	file, err := ask[*job.Exported](w.s, request)
	if err != nil {
		return err
	}
	if err := c.writeFile(out, func(to io.Writer) error {
		_, err := to.Write(file.Data)
		return err
	}); err != nil {
		return err
	}
	if err := c.report(meshText(out, format, w.vertices(), faces), field{"file", out}, field{"format", format}, field{"vertices", w.vertices()}, field{"faces", faces}); err != nil {
		return err
	}
	return w.s.convergence(w.solved.Status, w.solved.Iterations, w.solved.MarginalError)
}

// colors are those of the picture, without its light: three channels a vertex.
func (w *view) colors() ([]byte, error) {
	s, err := w.scene()
	if err != nil {
		return nil, err
	}
	if _, err := w.color(s); err != nil {
		return nil, err
	}
	return scene.Channels(s.Painted()), nil
}
