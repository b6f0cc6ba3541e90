package graphio

import (
	"bytes"
	"fmt"
)

// packings are how packed files begin.
var packings = [...]struct{ magic, name, unpack string }{
	{"\x1f\x8b", "gzip", "gunzip"},
	{"\xfd7zXZ\x00", "xz", "unxz"},
	{"BZh", "bzip2", "bunzip2"},
	{"\x28\xb5\x2f\xfd", "zstd", "unzstd"},
	{"PK\x03\x04", "zip", "unzip"},
	{"7z\xbc\xaf\x27\x1c", "7-Zip", "7z x"},
	{"Rar!\x1a\x07", "RAR", "unrar x"},
}

// Unfit is an error for a file that is neither a graph nor a mesh, by its name
// or its first bytes, but known: one that is packed, a tree decomposition, an
// elimination order. nil says nothing.
func Unfit(f File) error {
	for _, p := range packings {
		if bytes.HasPrefix(f.Data, []byte(p.magic)) {
			return fmt.Errorf("graphio: %s is packed with %s: unpack it first (%s)", f.Name, p.name, p.unpack)
		}
	}
	const expected = "a mesh or a graph (.gr, or .csv tables) is expected here"
	if ending(f.Name) == ".order" {
		return fmt.Errorf("graphio: %s is an elimination order: %s", f.Name, expected)
	}
	if ending(f.Name) == ".td" || isDecomposition(f.Data) {
		return fmt.Errorf("graphio: %s is a tree decomposition: %s", f.Name, expected)
	}
	return nil
}

// isDecomposition reports whether the first line that is no comment is that of
// PACE's .td files.
func isDecomposition(data []byte) bool {
	data = data[:min(len(data), 1<<16)] // a binary file may be one line
	for len(data) > 0 {
		var line []byte
		line, data, _ = bytes.Cut(data, []byte("\n"))
		if f := bytes.Fields(line); len(f) > 0 && f[0][0] != 'c' {
			return len(f) == 5 && string(f[0]) == "s" && string(f[1]) == "td"
		}
	}
	return false
}
