// Package foreign knows files that are neither meshes nor graphs of the kinds
// that are read here, and what their owner can do about it.
package foreign

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"path"
	"strings"
)

// kind is a sort of file that is not read.
type kind struct {
	what    string // with its article
	advice  string // an order
	magic   string // how its files begin, in lower case; "" where they begin in many ways
	endings string // of their names
}

const (
	export   = "export it as GLB, OBJ, PLY or STL from the program that made it, and open that"
	blender  = "open it in Blender, export it as GLB or OBJ, and open that"
	cad      = "let a CAD program (FreeCAD is free) make a mesh of it, export that as STL or OBJ, and open it"
	expected = "a mesh or a graph (.gr, or .csv tables) is expected"
	download = "it was saved in place of the file it shows: download the file itself (on GitHub by the button Raw)"
	plain    = "save it without compression (gltfpack: leave out -c; gltf-transform: use copy) as GLB or OBJ, and open that"
)

var kinds = [...]kind{
	{"an Autodesk FBX scene", blender, "kaydara fbx binary", ".fbx"},
	{"an Autodesk FBX scene", blender, "; fbx", ""},
	{"a STEP model", cad, "iso-10303-21", ".step .stp .p21"},
	{"an IGES model", cad, "", ".iges .igs"},
	{"a USDZ scene", blender, "", ".usdz"}, // a zip: see packed
	{"a USD scene", blender, "pxr-usdc", ".usd .usdc"},
	{"a USD scene", blender, "#usda", ".usda"},
	{"a 3D Studio scene", blender, "", ".3ds"}, // by content: see is3DS
	{"a 3ds Max scene", export, "", ".max"},
	{"a 3MF package", "open it in a slicer or in Blender, export it as STL or OBJ, and open that", "", ".3mf"},
	{"a Draco-compressed mesh", plain, "draco", ".drc"},
	{"a meshopt-compressed mesh", plain, "", ".meshopt"},
	{"a Blender file", "export it from Blender as GLB or OBJ, and open that", "blender", ".blend"},
	{"a COLLADA scene", blender, "<collada", ".dae"},
	{"an X3D scene", blender, "<x3d", ".x3d"},
	{"an AMF model", export, "<amf", ".amf"},
	{"a VRML scene", blender, "#vrml", ".wrl .vrml"},
	{"an Alembic scene", blender, "ogawa", ".abc"},
	{"a Rhino model", export, "3d geometry file format", ".3dm"},
	{"a SketchUp model", export, "", ".skp"},
	{"a drawing", export, "", ".dxf .dwg"},
	{"a Maya scene", export, "", ".ma .mb"},
	{"a Cinema 4D scene", export, "", ".c4d"},
	{"a VTK file", "write its surface as PLY or OBJ (ParaView: Save Data), and open that", "# vtk datafile", ".vtk .vtp .vtu"},
	{"a finite-element mesh", "write its surface as OBJ or OFF, and open that", "$meshformat", ".msh"},
	{"a glTF file's buffer", "open it together with its .gltf file: choose both at once", "", ".bin"},
	{"a list of materials", "open the .obj file that it belongs to", "", ".mtl"},
	{"a picture", expected, "\x89png", ".png"},
	{"a picture", expected, "\xff\xd8\xff", ".jpg .jpeg"},
	{"a picture", expected, "gif8", ".gif"},
	{"a picture", expected, "<svg", ".svg"},
	{"a picture", expected, "ii*\x00", ".tif .tiff"},
	{"a picture", expected, "mm\x00*", ""},
	{"a picture", expected, "\xabktx 20", ".ktx2"},
	{"a picture", expected, "", ".bmp .webp .exr .hdr"},
	{"a picture", expected, "8bps", ".psd"},
	{"a document", expected, "%pdf-", ".pdf"},
	{"a web page", download, "<!doctype html", ".html .htm"},
	{"a web page", download, "<html", ""},
	{"a Git LFS pointer, which stands for a file that was not fetched", "fetch the file itself (git lfs pull), and open that", "version https://git-lfs.github.com", ""},
	{"an elimination order", expected, "", ".order"},
	{"a tree decomposition", expected, "", ".td"}, // by content: see isDecomposition
}

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

// ByContent is an error that says what a file is, by how it begins: one of a
// kind that is not read here, or a packed one. nil says nothing.
func ByContent(name string, data []byte) error {
	for _, p := range packings {
		if !bytes.HasPrefix(data, []byte(p.magic)) {
			continue
		}
		for _, packed := range [...]struct{ ending, holds string }{{".usdz", ".usd"}, {".3mf", "3D/3dmodel.model"}} {
			if p.name == "zip" && bytes.Contains(data[:min(len(data), 1<<16)], []byte(packed.holds)) {
				return of(packed.ending).err(name)
			}
		}
		if ending := path.Ext(name); ending == ".blend" { // which Blender packs by itself
			return of(ending).err(name)
		}
		return fmt.Errorf("%s is packed with %s: unpack it first (%s)", name, p.name, p.unpack)
	}
	switch {
	case isDecomposition(data):
		return of(".td").err(name)
	case is3DS(data):
		return of(".3ds").err(name)
	}
	head := start(data)
	for i, k := range kinds {
		if k.magic != "" && bytes.HasPrefix(head, []byte(k.magic)) {
			return kinds[i].err(name)
		}
	}
	return nil
}

// ByName is the same by the ending of the name, for content that says nothing.
func ByName(name string) error { return of(strings.ToLower(path.Ext(name))).err(name) }

// of is the kind of an ending, nil for none.
func of(ending string) *kind {
	for i, k := range kinds {
		for _, e := range strings.Fields(k.endings) {
			if e == ending {
				return &kinds[i]
			}
		}
	}
	return nil
}

func (k *kind) err(name string) error {
	if k == nil {
		return nil
	}
	return fmt.Errorf("%s is %s, which is not read here: %s", name, k.what, k.advice)
}

// start is how a file begins, in lower case, without a byte order mark, blanks
// and what XML has before its first element.
func start(data []byte) []byte {
	head := lower(bytes.TrimPrefix(data[:min(len(data), 4096)], []byte("\ufeff")))
	for {
		head = bytes.TrimLeft(head, " \t\r\n")
		var end string
		switch {
		case bytes.HasPrefix(head, []byte("<?xml")):
			end = "?>"
		case bytes.HasPrefix(head, []byte("<!--")):
			end = "-->"
		case bytes.HasPrefix(head, []byte("<!doctype")) && !bytes.HasPrefix(head, []byte("<!doctype html")):
			end = ">"
		default:
			return head
		}
		_, rest, ok := bytes.Cut(head, []byte(end))
		if !ok {
			return head
		}
		head = rest
	}
}

// lower is the bytes with ASCII's capitals made small. They need not be text.
func lower(b []byte) []byte {
	b = bytes.Clone(b)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return b
}

// is3DS tells a 3D Studio file: one chunk of kind 0x4D4D as long as the file.
func is3DS(data []byte) bool {
	return len(data) > 6 && data[0] == 'M' && data[1] == 'M' && uint64(binary.LittleEndian.Uint32(data[2:])) == uint64(len(data))
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
