package engine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"math"
	"strconv"

	"genussink/core/animation"
	"genussink/core/job"
	"genussink/core/mesh"
	"genussink/core/meshio"
	"genussink/core/transport"
)

// export writes a file of the mesh. Only a displacement needs the plan and its kernel.
func (e *Engine) export(r *run, sc *scene, b *job.Export) (job.Body, error) {
	a, err := sc.attributes(b)
	if err != nil {
		return nil, err
	}
	m := &mesh.Mesh{Positions: make([][3]float64, len(sc.Mesh.Positions)), Faces: sc.Mesh.Faces}
	for v, p := range sc.Mesh.Positions {
		for c, x := range p {
			m.Positions[v][c] = sc.Unit.In(x)
		}
	}
	if b.Moved {
		moved := make([]float64, 0, 3*len(m.Positions))
		err := e.ask(r, sc, func(plan *transport.Plan) error {
			centres, err := plan.Barycentres(r.ctx, nil, sc.Mesh.Positions)
			for v, p := range centres {
				for c, x := range p {
					moved = append(moved, sc.Unit.In(x)-m.Positions[v][c])
				}
			}
			return err
		})
		if err != nil {
			return nil, err
		}
		a.Values = append(a.Values, meshio.Attribute{Name: "displacement", Size: 3, Values: moved})
	}
	if len(b.Cells) > 0 {
		cells := make([]float64, len(b.Cells))
		for v, c := range b.Cells {
			cells[v] = float64(c)
		}
		a.Values = append(a.Values, meshio.Attribute{Name: "cell", Size: 1, Values: cells})
	}
	defer r.Begin("write")()
	out := &cancellable{r: r}
	switch b.Format {
	case "csv":
		writeCSV(&out.Buffer, columns(m, a))
	case "json":
		err = writeJSON(&out.Buffer, b.Mesh, columns(m, a))
	case "glb", "ply":
		err = meshio.WriteWith(out, b.Format, m, a)
	default:
		err = fmt.Errorf("the format %q is none of glb, ply, csv and json", b.Format)
	}
	if err == nil {
		err = r.ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	return &job.Exported{Format: b.Format, Data: out.Bytes()}, nil
}

// animate writes a gif.
func animate(r *run, b *job.Animate) (job.Body, error) {
	const most = 1 << 14 // pixels on a side, so that no product overflows
	if b.Width < 1 || b.Height < 1 || b.Width > most || b.Height > most || b.Delay < 0 || b.Delay > math.MaxUint16 {
		return nil, fmt.Errorf("pictures of %d by %d pixels, %d hundredths of a second each", b.Width, b.Height, b.Delay)
	}
	size := 4 * b.Width * b.Height
	if len(b.Frames)%size != 0 {
		return nil, fmt.Errorf("%d bytes are not pictures of %d by %d pixels", len(b.Frames), b.Width, b.Height)
	}
	var frames []*image.RGBA
	for rest := b.Frames; len(rest) > 0; rest = rest[size:] {
		frames = append(frames, &image.RGBA{Pix: rest[:size], Stride: 4 * b.Width, Rect: image.Rect(0, 0, b.Width, b.Height)})
	}
	out := &cancellable{r: r}
	if err := animation.EncodeGIF(r.ctx, out, frames, b.Delay, func(share float64) { r.progress("write", share) }); err != nil {
		return nil, err
	}
	return &job.Exported{Format: "gif", Data: out.Bytes()}, nil
}

// cancellable is a buffer that takes nothing more once its request is cancelled.
type cancellable struct {
	bytes.Buffer
	r *run
}

func (w *cancellable) Write(p []byte) (int, error) {
	if err := w.r.ctx.Err(); err != nil {
		return 0, err
	}
	return w.Buffer.Write(p)
}

// attributes are what the request brings: densities and colours.
func (sc *scene) attributes(b *job.Export) (*meshio.Attributes, error) {
	a := &meshio.Attributes{}
	if len(b.Source)+len(b.Target) > 0 {
		for _, d := range []meshio.Attribute{{Name: "source", Size: 1, Values: b.Source}, {Name: "target", Size: 1, Values: b.Target}} {
			if err := sc.vector(d.Values); err != nil {
				return nil, fmt.Errorf("%s: %w", d.Name, err)
			}
			a.Values = append(a.Values, d)
		}
	}
	n := sc.Graph.Len()
	if len(b.Cells) != 0 && len(b.Cells) != n {
		return nil, fmt.Errorf("%d cells for %d vertices", len(b.Cells), n)
	}
	if len(b.Colors) > 0 {
		colors, err := job.Triples(b.Colors)
		if err != nil || len(colors) != n {
			return nil, fmt.Errorf("%d channels of colours for %d vertices", len(b.Colors), n)
		}
		a.Colors = colors
	}
	return a, nil
}

// column is a number per vertex under a name.
type column struct {
	name   string
	values []float64
}

// columns are the positions, then the attributes; a vector is three.
func columns(m *mesh.Mesh, a *meshio.Attributes) (list []column) {
	add := func(name string, x meshio.Attribute) {
		if x.Size == 1 {
			list = append(list, column{name, x.Values})
			return
		}
		for k, c := range "xyz" {
			part := make([]float64, len(x.Values)/3)
			for v := range part {
				part[v] = x.Values[3*v+k]
			}
			list = append(list, column{name + string(c), part})
		}
	}
	add("", meshio.Attribute{Size: 3, Values: job.Flat(m.Positions)})
	for _, x := range a.Values {
		name := x.Name
		if x.Size == 3 {
			name += "_"
		}
		add(name, x)
	}
	return list
}

// writeCSV writes a line of names and a line per vertex.
func writeCSV(to *bytes.Buffer, list []column) {
	to.WriteString("vertex")
	for _, c := range list {
		to.WriteByte(',')
		to.WriteString(c.name)
	}
	to.WriteByte('\n')
	var line []byte
	for v := range list[0].values {
		line = strconv.AppendInt(line[:0], int64(v), 10)
		for _, c := range list {
			line = strconv.AppendFloat(append(line, ','), c.values[v], 'g', -1, 64)
		}
		to.Write(append(line, '\n'))
	}
}

// writeJSON writes an object with an array per name.
func writeJSON(to *bytes.Buffer, name string, list []column) error {
	put := func(key string, value any) error {
		data, err := json.Marshal(value)
		if err == nil {
			to.WriteString(strconv.Quote(key) + ":")
			to.Write(data)
		}
		return err
	}
	to.WriteByte('{')
	if err := put("mesh", name); err != nil {
		return err
	}
	to.WriteByte(',')
	if err := put("vertices", len(list[0].values)); err != nil {
		return err
	}
	for _, c := range list {
		to.WriteByte(',')
		if err := put(c.name, c.values); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
	}
	to.WriteString("}\n")
	return nil
}
