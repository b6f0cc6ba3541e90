package meshio

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"genussink/core/internal/shared"
	"genussink/core/internal/wording"
)

// corpus is small files of every format, and what a glTF needs beside it.
func corpus(t *testing.T) map[string][]byte {
	files := map[string][]byte{}
	for _, format := range Formats() {
		var buf bytes.Buffer
		if err := Write(&buf, format, grid(2)); err != nil {
			t.Fatal(err)
		}
		files["grid."+format] = buf.Bytes()
	}
	for i, s := range gltfSeeds() {
		files[fmt.Sprintf("seed%d.gltf", i)] = []byte(s)
	}
	files["looks.gltf"] = []byte(looksGLTF(`{"doubleSided":true}`))
	files["text.ply"] = []byte(plyHead("4", "1") + "0 0 0\n4 0 0\n1 1 0\n0 4 0\n4 0 1 2 3\n")
	files["text.stl"] = []byte("solid a\n" + facet("0 0 0", "1 0 0", "0 1 0") + "endsolid a\n")
	files["binary.off"] = []byte("OFF BINARY\n" + string(le([]int32{3, 1, 0}, make([]float32, 9), []int32{3, 0, 1, 2})))
	files["continued.obj"] = []byte("v 0 0 0\nv 1 0 0 # c\nv 1e-1 .5 2. 1\nf 1/2/3 2//1 \\\n -1\n")
	return files
}

// Whatever is wrong with a file, the error is words for a person and names the
// place: true of mutants of every format, and with them of the shared broken
// files.
func TestErrorsAreWords(t *testing.T) {
	const seed = 17
	mutants := 1500
	if testing.Short() {
		mutants = 300
	}
	wrong := 0
	check := func(name string, data []byte, o Options) {
		res, err := Read(name, bytes.NewReader(data), o)
		if err != nil {
			wrong++
			if fault := wording.Fault(err); fault != "" {
				t.Errorf("%s, seed %d: %s", name, seed, fault)
			}
			return
		}
		for _, w := range res.Warnings {
			if fault := wording.Fault(fmt.Errorf("the file: %s", w)); fault != "" {
				t.Errorf("%s, seed %d: a warning: %s", name, seed, fault)
			}
		}
	}
	beside := fstest.MapFS{"b": {Data: make([]byte, 60)}}
	files := corpus(t)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		rng := rand.New(rand.NewPCG(seed, uint64(len(files[name]))))
		for range mutants {
			check(name, wording.Mutate(rng, files[name]), Options{Files: beside})
		}
	}
	if wrong < mutants {
		t.Errorf("only %d mutants were refused", wrong)
	}
	root := shared.Path(t, "broken")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path, ".bin") || strings.HasSuffix(path, ".report.json") {
			return err
		}
		if _, err := readFile(t, path); err != nil {
			if fault := wording.Fault(err); fault != "" {
				t.Errorf("%s: %s", path, fault)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// looksGLTF is a square with every kind of object that geometry does not need,
// each of them as given.
func looksGLTF(object string) string {
	doc := strings.TrimSuffix(quadGLTF(), "}")
	for _, key := range []string{"materials", "textures", "images", "samplers", "animations", "skins", "cameras"} {
		doc += fmt.Sprintf(`,%q:[%s]`, key, object)
	}
	return doc + "}"
}

// What geometry does not need may be as wrong as it likes: the mesh is read,
// and a warning says what was passed over.
func TestLooksDoNotMatter(t *testing.T) {
	good, err := Read("a.gltf", strings.NewReader(quadGLTF()), Options{})
	if err != nil {
		t.Fatal(err)
	}
	read := func(name, doc, want string) {
		t.Helper()
		if !json.Valid([]byte(doc)) {
			t.Fatalf("%s is not JSON: %s", name, doc)
		}
		res, err := Read("a.gltf", strings.NewReader(doc), Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		if !same(good.Mesh, res.Mesh) {
			t.Errorf("%s: another mesh was read", name)
		}
		if all := strings.Join(res.Warnings, "; "); !strings.Contains(all, want) {
			t.Errorf("%s: warnings %q, want %q", name, all, want)
		}
	}
	for _, bad := range []string{`5`, `"x"`, `[1]`, `{"extensions":7}`, `{"name":7}`} {
		for _, key := range []string{"material", "texture", "image", "sampler", "animation", "skin", "camera"} {
			read(bad, looksGLTF(bad), key+" 0: ")
		}
	}
	read("a list that is none", strings.Replace(looksGLTF(`{}`), `"materials":[{}]`, `"materials":"all"`, 1), "materials: the value is a text, want a list")
	for name, c := range map[string]struct{ old, new, want string }{
		"material of a primitive":      {`"indices":1`, `"indices":1,"material":"red"`, "mesh 0: primitives.material is a text, want a whole number"},
		"another attribute":            {`"POSITION":0`, `"POSITION":0,"NORMAL":"up"`, "mesh 0: "},
		"name of a node":               {`"mesh":0`, `"mesh":0,"name":5`, "node 0: name is a number, want a text"},
		"camera of a node":             {`"mesh":0`, `"mesh":0,"camera":[]`, "node 0: camera is a list, want a whole number"},
		"bounds of an accessor":        {`"type":"VEC3"`, `"type":"VEC3","min":"low"`, "accessor 0: min is a text, want a list"},
		"an animation's bad accessor":  {`"type":"SCALAR"}`, `"type":"SCALAR"},{"type":"MAT9","count":0}`, ""},
		"generator that is no text":    {`"version":"2.0"`, `"version":"2.0","generator":1`, ""},
		"target of a view that is odd": {`"byteLength":48`, `"byteLength":48,"target":"vertices"`, "buffer view 0: target is a text, want a whole number"},
	} {
		doc := strings.Replace(quadGLTF(), c.old, c.new, 1)
		if doc == quadGLTF() {
			t.Fatalf("%s: %s is not in %s", name, c.old, doc)
		}
		read(name, doc, c.want)
	}
	// What geometry needs is needed.
	for name, c := range map[string]struct{ old, new, want string }{
		"POSITION":   {`"POSITION":0`, `"POSITION":"zero"`, "mesh 0: primitives.attributes is a text, want a whole number"},
		"count":      {`"count":4`, `"count":"four"`, "accessor 0: count is a text, want a whole number"},
		"kind":       {`"type":"VEC3"`, `"type":"VEC9"`, "accessor 0: unknown accessor's type: VEC9"},
		"a view":     {`"byteLength":48`, `"byteLength":1e300`, "buffer view 0: byteLength is the number 1e300, want a whole number"},
		"a data uri": {`base64,`, `base64,?`, "byte 0 of the data uri's base64"},
		"no list":    {`"nodes":[{"mesh":0}]`, `"nodes":{"mesh":0}`, "nodes: the value is an object, want a list"},
	} {
		doc := strings.Replace(quadGLTF(), c.old, c.new, 1)
		if _, err := Read("a.gltf", strings.NewReader(doc), Options{}); err == nil || !strings.Contains(err.Error(), c.want) || wording.Fault(err) != "" {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
}
