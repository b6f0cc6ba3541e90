// Package meshio decodes and encodes triangle mesh files: OBJ, OFF, PLY, STL, glTF and GLB. A decoder counts before it allocates, so
// that memory stays proportional to the input. Hostile data is an error that names the value and its place.
//
// All formats have these rules:
//
//   - A polygon is split into corners-2 triangles. One of one or two corners is left out, with a warning.
//   - An index out of range is an error. So is a coordinate that is not finite, of a used vertex or not, and a file without faces.
//   - OBJ, OFF and PLY keep their vertices as they are numbered, unused ones too.
//   - STL and glTF repeat a vertex for every face or normal. Their vertices are welded by position and numbered by first appearance;
//     unused ones are left out.
package meshio

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path"
	"strings"

	"genussink/core/internal/foreign"
	"genussink/core/mesh"
)

// Options says how a file is read. The zero value works.
type Options struct {
	// Weld is the distance, in mesh units, within which vertices of STL and
	// glTF files become one. 0, the default, joins equal positions only.
	Weld float64
	// Files holds what a glTF file refers to, rooted at its folder. nil, the
	// default, refuses files with external buffers.
	Files fs.FS
	// MaxBytes bounds the file, and every external buffer, in bytes. 0 means
	// 256 MiB; at most 2 GiB.
	MaxBytes int64
	// MaxMemory bounds what reading the file and examining its mesh takes, in bytes. 0 means 20 times the
	// file, its external buffers included, and 128 MiB, and 1 GB at most. Beyond it a file is refused with a *budget.Error before the memory is taken.
	MaxMemory int64
}

// What a vertex and a face take at most, in bytes, until the mesh's topology and graph are known.
const (
	vertexBytes = 130
	faceBytes   = 165
)

// zeroTail is how many zero bytes at a binary file's end are odd: a disk's sector, as a crash leaves it. Fewer may be data.
const zeroTail = 512

const (
	defaultMaxBytes = 256 << 20
	limitMaxBytes   = 2 << 30 // so that no count of a file's elements leaves int32
)

// Result is a mesh with what its file was.
type Result struct {
	Mesh     *mesh.Mesh
	Format   string   // one of Formats
	Detail   string   // the encoding, such as "binary little-endian"
	Warnings []string // what was left out or passed over, in words
}

// Formats lists the formats of Read and Write, which are also the extensions.
func Formats() []string {
	return []string{"glb", "gltf", "obj", "off", "ply", "stl"}
}

// Read decodes one mesh file. The format follows the name's extension in any
// case, and the content where the extension says nothing.
func Read(name string, r io.Reader, o Options) (*Result, error) {
	if !(o.Weld >= 0) || math.IsInf(o.Weld, 0) {
		return nil, fmt.Errorf("meshio: weld tolerance %g, want a finite length >= 0", o.Weld)
	}
	if o.MaxBytes < 0 || o.MaxBytes > limitMaxBytes {
		return nil, fmt.Errorf("meshio: limit of %d bytes, want 0 to %d", o.MaxBytes, int64(limitMaxBytes))
	}
	if o.MaxBytes == 0 {
		o.MaxBytes = defaultMaxBytes
	}
	data, err := readCapped(r, o.MaxBytes)
	if err != nil {
		return nil, err
	}
	name = path.Base(strings.ReplaceAll(name, `\`, "/"))
	if !binarySTLSized(data) { // whose header may say anything
		if err := foreign.ByContent(name, data); err != nil {
			return nil, err
		}
	}
	format := strings.ToLower(strings.TrimPrefix(path.Ext(name), "."))
	if _, ok := decoders[format]; !ok {
		if format = sniff(data); format == "" {
			if err := foreign.ByName(name); err != nil {
				return nil, err
			}
			return nil, fmt.Errorf("the file %q is none of %s, neither by name nor by content", name, strings.Join(Formats(), ", "))
		}
	}
	if len(data) == 0 {
		return nil, fmt.Errorf("%s: no faces: the file is empty", format)
	}
	b := &builder{name: name, format: format, limit: o.MaxMemory}
	b.grow(len(data))
	if err := decoders[format](b, data, o); err != nil {
		return nil, fmt.Errorf("%s: %w", b.format, err)
	}
	if n := len(data) - len(bytes.TrimRight(data, "\x00")); n >= zeroTail {
		b.warn("the file ends in %d zero bytes: it may have been cut short, or not written to its end", n)
	}
	res, err := b.result()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", b.format, err)
	}
	return res, nil
}

// decoders fill a builder from a whole file. They are read only.
var decoders = map[string]func(b *builder, data []byte, o Options) error{
	"glb": readGLTF, "gltf": readGLTF, "obj": readOBJ, "off": readOFF, "ply": readPLY, "stl": readSTL,
}

// Write encodes the mesh. OBJ and OFF are text that reads back exactly, PLY is
// binary little-endian with double coordinates; STL (binary), glTF (its buffer
// embedded as base64) and GLB hold float32 coordinates, and a coordinate beyond
// float32 is an error there. A mesh without faces is an error, as it is in
// Read.
func Write(w io.Writer, format string, m *mesh.Mesh) error {
	return WriteWith(w, format, m, nil)
}

// WriteWith encodes the mesh with what is known of its vertices. PLY and GLB can
// hold that; another format with attributes is an error.
func WriteWith(w io.Writer, format string, m *mesh.Mesh, a *Attributes) error {
	if a != nil {
		if format != "ply" && format != "glb" {
			return fmt.Errorf("%s: holds no attributes; ply and glb do", format)
		}
		if err := a.check(len(m.Positions)); err != nil {
			return fmt.Errorf("%s: %w", format, err)
		}
	}
	encode, ok := encoders[format]
	if !ok {
		return fmt.Errorf("meshio: format %q, want one of %s", format, strings.Join(Formats(), ", "))
	}
	if len(m.Faces) == 0 {
		return fmt.Errorf("%s: no faces: %d vertices alone are not written", format, len(m.Positions))
	}
	if _, err := mesh.New(m.Positions, m.Faces); err != nil { // it was made by hand
		return fmt.Errorf("%s: %w", format, err)
	}
	if err := encode(bufio.NewWriterSize(w, 1<<16), m, a); err != nil {
		return fmt.Errorf("%s: %w", format, err)
	}
	return nil
}

// encoders write a mesh with faces, and its attributes where there are any, and
// flush. They are read only. A write error stays in the bufio.Writer, so that the
// flush alone need look for it.
var encoders = map[string]func(w *bufio.Writer, m *mesh.Mesh, a *Attributes) error{
	"glb": writeGLB, "gltf": bare(writeGLTF), "obj": bare(writeOBJ), "off": bare(writeOFF), "ply": writePLY, "stl": bare(writeSTL),
}

// bare is an encoder that holds no attributes.
func bare(encode func(w *bufio.Writer, m *mesh.Mesh) error) func(*bufio.Writer, *mesh.Mesh, *Attributes) error {
	return func(w *bufio.Writer, m *mesh.Mesh, _ *Attributes) error { return encode(w, m) }
}

// sniff guesses the format from the content, "" when nothing fits.
func sniff(data []byte) string {
	head := data[:min(len(data), 4096)]
	text := bytes.TrimLeft(decodeText(head), " \t\r\n")
	word := firstWord(text)
	switch {
	case bytes.HasPrefix(data, []byte("glTF")):
		return "glb"
	case word == "ply":
		return "ply"
	case strings.HasSuffix(word, "off"):
		return "off"
	case word == "solid" || word == "facet" || binarySTLSized(data):
		return "stl"
	case len(text) > 0 && text[0] == '{':
		return "gltf"
	}
	s := scanner{data: text}
	for ok := true; ok; ok = s.nextLine() {
		switch string(s.field()) {
		case "":
		case "v", "vt", "vn", "f", "o", "g", "s", "mtllib", "usemtl":
			return "obj"
		default:
			return ""
		}
	}
	return ""
}

// firstWord is the first field that is not a comment, in lower case.
func firstWord(text []byte) string {
	s := scanner{data: text}
	return strings.ToLower(string(s.token()))
}

// readCapped reads at most limit bytes and fails on a longer stream.
func readCapped(r io.Reader, limit int64) ([]byte, error) {
	if b, ok := r.(*bytes.Buffer); ok && int64(b.Len()) <= limit { // in memory already
		return b.Bytes(), nil
	}
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err != nil {
		return nil, fmt.Errorf("the file cannot be read: %w", reason(err))
	}
	if int64(len(data)) > limit {
		return nil, fmt.Errorf("the file has more than %d bytes, the most that is read", limit)
	}
	return data, nil
}

// reason is what went wrong with a file, without its path and the call.
func reason(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
