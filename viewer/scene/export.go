package scene

import (
	"slices"

	"genussink/core/job"
	"genussink/viewer/colormap"
)

// Formats are the files of Export.
var Formats = []string{"glb", "ply", "csv", "json"}

// Export asks for a file of the mesh in one of Formats, with its densities, the displacement of a plan that is up to date,
// the cells of the separator tree at the level shown, and the colours. Another format is ignored.
func (s *Scene) Export(format string) {
	if !s.ready() || s.flight.has(toExport) || !slices.Contains(Formats, format) {
		return
	}
	s.failure = ""
	source, target := s.Densities.Values()
	s.send(toExport, &job.Export{
		Format: format, Mesh: s.Mesh.name, Source: source, Target: target, Moved: s.Transport.solved != nil && !s.Transport.stale,
		Cells: Cells(s.Separation.tree, s.Separation.Shown()), Colors: Channels(s.Painted()),
	})
}

// Animate asks for a gif of pictures, in bytes as job.Animate has them, each for so many hundredths of a second.
func (s *Scene) Animate(width, height, delay int, frames []byte) {
	if !s.flight.has(toExport) {
		s.send(toExport, &job.Animate{Width: width, Height: height, Delay: delay, Frames: frames})
	}
}

// StopExport ends the writing of a file.
func (s *Scene) StopExport() { s.drop(toExport) }

// Exported takes the file that was asked for last, nil where it is not there.
func (s *Scene) Exported() *job.Exported {
	file := s.exported
	s.exported = nil
	return file
}

// Cells are the nodes of a separator tree at a level, one for each vertex; -1 in a separator. They are numbered as if the
// tree ended below the level. Without a tree there are none.
func Cells(t *job.Separated, level int) []int32 {
	if t == nil {
		return nil
	}
	number, count := make([]int32, len(t.Nodes)), int32(0) // of each node, or of the one above it that is the last
	for i, n := range t.Nodes {
		if int(n.Depth) > level+1 {
			number[i] = number[n.Parent]
			continue
		}
		number[i] = count
		count++
		if int(n.Depth) <= level && !isLeaf(n) {
			number[i] = -1
		}
	}
	cells := make([]int32, len(t.Cells))
	for v, c := range t.Cells {
		cells[v] = number[c]
	}
	return cells
}

// Painted is the colour of every vertex as it is shown, discs included, without light.
func (s *Scene) Painted() []colormap.RGB {
	colors := slices.Clone(s.Colors())
	for _, d := range s.Dots(nil) {
		colors[d.Vertex] = d.Color
	}
	return colors
}

// Channels are colours as bytes, three for each.
func Channels(colors []colormap.RGB) []byte {
	out := make([]byte, 0, 3*len(colors))
	for _, c := range colors {
		for _, x := range c {
			out = append(out, uint8(x*255+0.5))
		}
	}
	return out
}
