package foreign

import (
	"strings"
	"testing"
)

// Files that are something else are told by content first, then by name.
func TestForeign(t *testing.T) {
	model := func(s string) []byte { // a 3D Studio file
		b := []byte("MM\x00\x00\x00\x00" + s)
		b[2] = byte(len(b))
		return b
	}
	for _, c := range []struct {
		name, data, want string // "" for no error
	}{
		{"a.fbx", "Kaydara FBX Binary  \x00\x1a\x00", "a.fbx is an Autodesk FBX scene, which is not read here: open it in Blender, export it as GLB or OBJ"},
		{"a.obj", "; FBX 7.4.0 project file\n", "an Autodesk FBX scene"},
		{"a.FBX", "", "an Autodesk FBX scene"},
		{"a.stp", "ISO-10303-21;\nHEADER;", "a STEP model, which is not read here: let a CAD program"},
		{"a.igs", "", "an IGES model"},
		{"a.usdz", "PK\x03\x04........................model.usdc", "a USDZ scene"},
		{"a.glb", "PXR-USDC\x00", "a USD scene"},
		{"a.usda", "#usda 1.0\n(", "a USD scene"},
		{"a", string(model("abcdef")), "a 3D Studio scene"},
		{"a.3ds", "", "a 3D Studio scene"},
		{"a.zip", "PK\x03\x04...3D/3dmodel.model", "a 3MF package"},
		{"a.drc", "DRACO\x02\x02", "a Draco-compressed mesh, which is not read here: save it without compression"},
		{"a.meshopt", "\xa0", "a meshopt-compressed mesh"},
		{"a.blend", "BLENDER-v405", "a Blender file, which is not read here: export it from Blender"},
		{"a.blend", "\x28\xb5\x2f\xfd", "a Blender file"},
		{"a.dae", "<?xml version=\"1.0\"?>\n<!-- by hand -->\n<COLLADA xmlns=", "a COLLADA scene"},
		{"a.obj", "\xef\xbb\xbf\n<!DOCTYPE html>\n<html>", "a web page, which is not read here: it was saved in place of the file it shows: download the file itself"},
		{"a.glb", "<html lang=en>", "a web page"},
		{"a.stl", "version https://git-lfs.github.com/spec/v1\noid sha256:00", "a Git LFS pointer"},
		{"a.ply", "\x89PNG\r\n\x1a\n", "a picture"},
		{"a.jpg", "\xff\xd8\xff\xe0", "a picture"},
		{"a.svg", "<?xml version='1.0'?><!DOCTYPE svg PUBLIC 'x'><svg>", "a picture"},
		{"a.pdf", "%PDF-1.7", "a document"},
		{"a.bin", "\x00\x01", "a glTF file's buffer, which is not read here: open it together with its .gltf file"},
		{"a.gr.gz", "\x1f\x8b\x08\x00", "packed with gzip: unpack it first (gunzip)"},
		{"a.gr", "\xfd7zXZ\x00\x00", "packed with xz"},
		{"a.csv.zip", "PK\x03\x04", "packed with zip"},
		{"a.osm.bz2", "BZh91AY", "packed with bzip2"},
		{"a.zst", "\x28\xb5\x2f\xfd", "packed with zstd"},
		{"a.7z", "7z\xbc\xaf\x27\x1c", "packed with 7-Zip"},
		{"a.rar", "Rar!\x1a\x07\x00", "packed with RAR"},
		{"a.TD", "", "a.TD is a tree decomposition"},
		{"a.gr", "c made by hand\n\ns td 1 1 1\nb 1 1\n", "a.gr is a tree decomposition, which is not read here: a mesh or a graph"},
		{"a.order", "1\n", "an elimination order"},
		{"a.gr", "p tw 1 0\n", ""},
		{"a.obj", "s td\n", ""},
		{"a.obj", "# Blender 4.2\nmtllib a.mtl\n", ""},
		{"a.obj", "MM", ""},
		{"a.stl", strings.Repeat("\x01", 1<<18), ""},
		{"", "", ""},
	} {
		err := ByContent(c.name, []byte(c.data))
		if err == nil {
			err = ByName(c.name)
		}
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s, %.20q: %v, want %q", c.name, c.data, err, c.want)
		}
	}
}

// Every kind has words, an order to follow, and a way to be told.
func TestKinds(t *testing.T) {
	for _, k := range kinds {
		if !strings.HasPrefix(k.what, "a ") && !strings.HasPrefix(k.what, "an ") || k.advice == "" || k.magic == "" && k.endings == "" {
			t.Errorf("%+v", k)
		}
		if k.magic != string(lower([]byte(k.magic))) || k.endings != strings.ToLower(k.endings) {
			t.Errorf("%q: its beginning and endings are compared in lower case", k.what)
		}
	}
}
