package meshio

import (
	"encoding/binary"
	"fmt"
)

const (
	chunkJSON = 0x4E4F534A // "JSON"
	chunkBIN  = 0x004E4942 // "BIN"
)

// splitGLB takes the JSON and the binary chunk out of a GLB container; the
// latter is nil when there is none. Chunks of other kinds are passed over.
func splitGLB(b *builder, data []byte) (text, bin []byte, err error) {
	le := binary.LittleEndian
	if len(data) < 12 || string(data[:4]) != "glTF" {
		return nil, nil, fmt.Errorf("%s is not the 12 byte header of a GLB file", quote(data[:min(len(data), 12)]))
	}
	if v := le.Uint32(data[4:]); v != 2 {
		return nil, nil, fmt.Errorf("byte 4: GLB version %d (glTF 1.0 is version 1), only 2 is supported", v)
	}
	length := int64(le.Uint32(data[8:]))
	if length > int64(len(data)) {
		return nil, nil, fmt.Errorf("length %d in the header, the file has %d bytes", length, len(data))
	}
	if length < 12 {
		return nil, nil, fmt.Errorf("length %d in the header", length)
	}
	if n := int64(len(data)) - length; n > 0 {
		b.warn("%d bytes after the GLB's end", n)
	}
	rest := data[12:length]
	for n := 0; len(rest) > 0; n++ {
		if len(rest) < 8 {
			return nil, nil, fmt.Errorf("chunk %d: %d bytes are too few for its header", n, len(rest))
		}
		size, kind, word := int64(le.Uint32(rest)), le.Uint32(rest[4:]), quote(rest[4:8])
		if rest = rest[8:]; size > int64(len(rest)) {
			return nil, nil, fmt.Errorf("chunk %d: %d bytes announced, %d follow", n, size, len(rest))
		}
		body := rest[:size:size]
		rest = rest[size:]
		switch {
		case n == 0 && kind != chunkJSON:
			return nil, nil, fmt.Errorf("chunk 0 has type %s, want \"JSON\"", word)
		case n == 0:
			text = body
		case kind == chunkJSON || kind == chunkBIN && bin != nil:
			return nil, nil, fmt.Errorf("chunk %d: a second chunk of type %s", n, word)
		case kind == chunkBIN:
			bin = body
		}
	}
	if text == nil {
		return nil, nil, fmt.Errorf("the file has no JSON chunk")
	}
	return text, bin, nil
}
