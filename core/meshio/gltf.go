package meshio

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"strings"

	"github.com/qmuntal/gltf"

	"genussink/core/internal/weld"
)

// jsonBytes is what parsing a text takes at most, and how many values it has: a structure for every object, a
// number or a text and its place for every other value, and copies of the text. The shortest
// object takes three bytes, the shortest number two, so the size alone would not bound the memory.
func jsonBytes(text []byte) (bytes int64, values int) {
	objects, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			quoted = !quoted
		case quoted && c == '\\':
			i++
		case quoted:
		case c == '{':
			objects++
			values++
		case c == ',' || c == '[':
			values++
		}
	}
	return 400*int64(objects) + 48*int64(values) + 4*int64(len(text)), values
}

// gltfReader reads the triangles of a document. The library parses and checks
// the JSON; buffers, views and accessors are resolved here, against what the
// file really holds.
type gltfReader struct {
	doc     *gltf.Document
	chunk   []byte // the GLB's binary chunk
	buffers map[int][]byte
	opts    Options
	builder *builder          // which counts the bytes of the file and its buffers
	spent   int               // vertices and corners read
	skipped map[string]int    // primitives without triangles, by mode
	morphed int               // primitives with morph targets
	files   map[string][]byte // read so far, since many buffers may name one
	faults  map[string]error  // what could not be parsed, such as "accessor 3", and why
	name    string            // of the file
}

// readGLTF reads glTF 2.0, as JSON or GLB whatever its name says: the
// triangles, strips and fans of the meshes that the scene's nodes show, moved
// by the nodes' transforms and welded. A skinned mesh is read in its bind
// pose, where its node's transform does not count. Of the required extensions
// those are refused that could change a position or a triangle.
func readGLTF(b *builder, data []byte, o Options) (err error) {
	// What a hostile document could still trip over must not end the program.
	defer func() {
		if recover() != nil {
			err = errors.New("the document is inconsistent")
		}
	}()
	r := &gltfReader{doc: new(gltf.Document), buffers: make(map[int][]byte), opts: o, builder: b, skipped: make(map[string]int), files: make(map[string][]byte), faults: make(map[string]error), name: b.name}
	var text []byte
	isJSON := bytes.HasPrefix(bytes.TrimLeft(decodeText(data), " \t\r\n"), []byte("{"))
	if bytes.HasPrefix(data, []byte("glTF")) || b.format == "glb" && !isJSON {
		b.format, b.detail = "glb", "binary"
		if text, r.chunk, err = splitGLB(b, data); err != nil {
			return err
		}
	} else {
		b.format, b.detail = "gltf", "text"
		text = decodeText(data)
	}
	need, values := jsonBytes(text)
	if err := b.budget.Check(need, "the JSON's %d values", values); err != nil {
		return err
	}
	if err := r.parse(b, text); err != nil {
		return err
	}
	for _, name := range r.doc.ExtensionsRequired {
		if !harmless(name) {
			return fmt.Errorf("the file requires the extension %s", unread(name))
		}
	}
	if err := r.scene(b); err != nil {
		var missing *missingFile
		if errors.As(err, &missing) { // which has nothing to do with who asked for it
			return missing
		}
		return err
	}
	for _, mode := range []gltf.PrimitiveMode{gltf.PrimitivePoints, gltf.PrimitiveLines, gltf.PrimitiveLineLoop, gltf.PrimitiveLineStrip} {
		if n := r.skipped[mode.String()]; n > 0 {
			b.warn("%d primitives of mode %s left out", n, mode)
		}
	}
	if r.morphed > 0 {
		b.warn("%d primitives read without their morph targets", r.morphed)
	}
	if len(r.files) > 0 {
		b.detail += ", external buffers"
	}
	b.positions = weld.Join(b.positions, b.faces, o.Weld)
	return nil
}

// supported refuses versions other than 2: the JSON of glTF 1.0 differs from the ground up.
func supported(versions ...string) error {
	for _, v := range versions {
		if v != "" && !strings.HasPrefix(v, "2.") {
			return fmt.Errorf("asset: glTF version %s, only 2.x is supported", quote([]byte(v)))
		}
	}
	return nil
}

// harmless tells the extensions that change looks only, and quantisation,
// which the accessors here read anyway.
func harmless(extension string) bool {
	for _, prefix := range []string{"KHR_materials_", "KHR_texture_", "EXT_texture_", "KHR_lights_", "EXT_lights_", "KHR_mesh_quantization"} {
		if strings.HasPrefix(extension, prefix) {
			return true
		}
	}
	return false
}

// buffer returns the bytes of a buffer, at least its byteLength of them.
func (r *gltfReader) buffer(i int) ([]byte, error) {
	if i < 0 || i >= len(r.doc.Buffers) || r.doc.Buffers[i] == nil {
		return nil, r.fault("buffer", i, len(r.doc.Buffers))
	}
	if data, ok := r.buffers[i]; ok {
		return data, nil
	}
	buf := r.doc.Buffers[i]
	data, err := r.load(i, buf.URI)
	if err != nil {
		return nil, fmt.Errorf("buffer %d: %w", i, err)
	}
	if buf.ByteLength < 0 || buf.ByteLength > len(data) {
		return nil, fmt.Errorf("buffer %d: byteLength %d, the data has %d bytes", i, buf.ByteLength, len(data))
	}
	data = data[:buf.ByteLength]
	r.buffers[i] = data
	return data, nil
}

func (r *gltfReader) load(i int, uri string) ([]byte, error) {
	if uri == "" {
		if i != 0 || r.chunk == nil {
			return nil, errors.New("no uri and no binary chunk")
		}
		return r.chunk, nil
	}
	if rest, ok := strings.CutPrefix(uri, "data:"); ok {
		kind, payload, ok := strings.Cut(rest, ",")
		if !ok || !strings.HasSuffix(kind, ";base64") {
			return nil, fmt.Errorf("data uri %s is not base64", quote([]byte(uri)))
		}
		// Some writers leave the padding out.
		data, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(payload, "="))
		var at base64.CorruptInputError
		if errors.As(err, &at) {
			return nil, fmt.Errorf("byte %d of the data uri's base64 is not of it", int64(at))
		}
		return data, err
	}
	name, err := url.PathUnescape(uri)
	if err != nil {
		return nil, fmt.Errorf("uri %s is not an address: a %% wants two hexadecimal digits behind it", quote([]byte(uri)))
	}
	name = path.Clean(strings.ReplaceAll(name, `\`, "/"))
	if strings.Contains(uri, "://") || !fs.ValidPath(name) || name == "." {
		return nil, fmt.Errorf("uri %s is not a file beside this one", quote([]byte(uri)))
	}
	missing := &missingFile{fmt.Sprintf("its buffer %d is in the file %s, which is missing: choose both files together, %s and %s (the tool looks in the folder of the first)",
		i, quote([]byte(name)), r.name, path.Base(name))}
	if r.opts.Files == nil {
		return nil, missing
	}
	if data, ok := r.files[name]; ok {
		return data, nil
	}
	f, err := r.opts.Files.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, missing
	}
	if err != nil {
		return nil, fmt.Errorf("file %s cannot be opened: %w", quote([]byte(name)), reason(err))
	}
	defer func() { _ = f.Close() }()
	data, err := readCapped(f, r.opts.MaxBytes)
	if err != nil {
		return nil, fmt.Errorf("file %s: %w", quote([]byte(name)), err)
	}
	r.files[name] = data
	r.builder.grow(len(data))
	return data, nil
}

// unread is the end of an error's sentence, for an extension that is needed and
// that this package cannot read. It says what the person can do.
func unread(extension string) string {
	advice := "export the file without it"
	if strings.HasSuffix(extension, "_compression") {
		advice = "export the file without compression (Blender: leave Compression off; gltfpack: leave out -c), or as OBJ"
	}
	return fmt.Sprintf("%q, which is not read here: %s", extension, advice)
}

// missingFile says which file is missing and what to do.
type missingFile struct{ message string }

func (m *missingFile) Error() string { return m.message }
