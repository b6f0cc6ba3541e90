package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"genussink/core/mesh"
	"genussink/core/meshio"
	"genussink/viewer/colormap"
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
	w, err := v.look(c, needs{cells: true, densities: true, plan: true, moved: true})
	if err != nil {
		return err
	}
	a := &meshio.Attributes{Values: []meshio.Attribute{
		{Name: "source", Size: 1, Values: w.densities.Source},
		{Name: "target", Size: 1, Values: w.densities.Target},
		{Name: "displacement", Size: 3, Values: w.moved},
		{Name: "cell", Size: 1, Values: w.cells()},
	}}
	var write func(io.Writer) error
	switch format {
	case "csv":
		write = func(to io.Writer) error { return writeCSV(to, w, a) }
	case "json":
		write = func(to io.Writer) error { return writeJSON(to, w, a) }
	default:
		if a.Colors, err = w.colors(); err != nil {
			return err
		}
		m := &mesh.Mesh{}
		for i := 0; i+2 < len(w.loaded.Positions); i += 3 {
			m.Positions = append(m.Positions, [3]float64(w.loaded.Positions[i:i+3]))
		}
		for i := 0; i+2 < len(w.loaded.Faces); i += 3 {
			m.Faces = append(m.Faces, [3]int32(w.loaded.Faces[i:i+3]))
		}
		write = func(to io.Writer) error { return meshio.WriteWith(to, format, m, a) }
	}
	if err := c.writeFile(out, write); err != nil {
		return err
	}
	if err := c.report(meshText(out, format, w.vertices(), len(w.loaded.Faces)/3), field{"file", out}, field{"format", format}, field{"vertices", w.vertices()}, field{"faces", len(w.loaded.Faces) / 3}); err != nil {
		return err
	}
	return w.s.convergence(w.solved)
}

// cells is the node of the separator tree that each vertex is in, -1 in a separator.
func (w *view) cells() []float64 {
	cells := make([]float64, w.vertices())
	for v, c := range w.separated.Cells {
		cells[v] = float64(c)
		if n := w.separated.Nodes[c]; n.Left >= 0 || n.Right >= 0 {
			cells[v] = -1
		}
	}
	return cells
}

// colors are those of the picture, without its light.
func (w *view) colors() ([][3]uint8, error) {
	s, err := w.scene()
	if err != nil {
		return nil, err
	}
	colors := slices.Clone(s.Colors())
	if w.flags.what == "split" {
		for v, c := range w.cells() {
			if c < 0 {
				colors[v] = colormap.Separator(s.View.Theme())
			}
		}
	}
	low, high := w.bounds()
	for v, x := range w.field {
		switch {
		case math.IsNaN(x):
			colors[v] = colormap.Clay(s.View.Theme())
		case high > low:
			colors[v] = colormap.Viridis((x - low) / (high - low))
		default:
			colors[v] = colormap.Viridis(0)
		}
	}
	out := make([][3]uint8, len(colors))
	for v, c := range colors {
		for k, x := range c {
			out[v][k] = uint8(x*255 + 0.5)
		}
	}
	return out, nil
}

// column is a number per vertex under a name.
type column struct {
	name string
	at   func(v int) float64
}

// columns are the positions and the attributes, a number each.
func columns(w *view, a *meshio.Attributes) (list []column) {
	add := func(name string, values []float64, size int) {
		if size == 1 {
			list = append(list, column{name, func(v int) float64 { return values[v] }})
			return
		}
		for k, c := range "xyz" {
			list = append(list, column{strings.TrimPrefix(name+"_"+string(c), "_"), func(v int) float64 { return values[3*v+k] }})
		}
	}
	add("", w.loaded.Positions, 3)
	for _, x := range a.Values {
		add(x.Name, x.Values, x.Size)
	}
	return list
}

// writeCSV writes a line of names and a line per vertex.
func writeCSV(to io.Writer, w *view, a *meshio.Attributes) error {
	out := bufio.NewWriter(to)
	list := columns(w, a)
	line := []byte("vertex")
	for _, c := range list {
		line = append(append(line, ','), c.name...)
	}
	for v := range w.vertices() {
		if _, err := out.Write(append(line, '\n')); err != nil {
			return err
		}
		line = strconv.AppendInt(line[:0], int64(v), 10)
		for _, c := range list {
			line = strconv.AppendFloat(append(line, ','), c.at(v), 'g', -1, 64)
		}
	}
	if _, err := out.Write(append(line, '\n')); err != nil {
		return err
	}
	return out.Flush()
}

// writeJSON writes an object with an array per name.
func writeJSON(to io.Writer, w *view, a *meshio.Attributes) error {
	o := object{{"mesh", w.loaded.Name}, {"vertices", w.vertices()}}
	for _, c := range columns(w, a) {
		values := make([]float64, w.vertices())
		for v := range values {
			values[v] = c.at(v)
		}
		o = append(o, field{c.name, values})
	}
	data, err := json.Marshal(o)
	if err != nil {
		return err
	}
	_, err = io.Copy(to, bytes.NewReader(append(data, '\n')))
	return err
}
