package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"genussink/core/engine"
	"genussink/core/job"
)

// What is wrong with a file is said in the same words by the tool and by the
// engine, which is what the page shows: what the file is, where it is wrong, and
// what helps.
func TestErrorsAreWords(t *testing.T) {
	for name, c := range map[string]struct{ data, want string }{
		"a.fbx":  {"Kaydara FBX Binary  \x00", "an Autodesk FBX scene, which is not read here: open it in Blender"},
		"a.obj":  {"<!doctype html><title>404</title>", "a web page, which is not read here"},
		"a.ply":  {"ply\nformat ascii 1.0\nelement vertex many\n", "line 3: element count \"many\""},
		"b.gltf": {`{"asset":{"version":"2.0"},"meshes":[}`, "line 1, column 38: the JSON has \"}\" where its grammar does not allow it"},
		"c.gltf": {`{"asset":{"version":"2.0"},"nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],` +
			`"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],"bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"byteLength":36,"uri":"c.bin"}]}`,
			"the file \"c.bin\", which is missing: choose both files together, c.gltf and c.bin"},
		"d.glb":  {"glTF\x02\x00\x00\x00\x10\x00\x00\x00", "length 16 in the header, the file has 12 bytes"},
		"e.gr":   {"p sp 2 1\na 1 2 1e300\n", "e.gr: line 2: the edge from 1 to 2 is 1e300 long, 1e-100 to 1e+100 can be computed with"},
		"f.csv":  {"1,2,3\n", "f.csv is one table"},
		"g.step": {"ISO-10303-21;\n", "a STEP model, which is not read here: let a CAD program"},
		"h.usdz": {"PK\x03\x04............h.usdc", "a USDZ scene"},
		"i.drc":  {"DRACO\x02", "a Draco-compressed mesh"},
	} {
		path := file(t, name, c.data)
		code, _, stderr := tool(t, "", "info", path)
		if code != 1 || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: exit %d, %s, want %q", name, code, stderr, c.want)
		}
		var failed *job.Failed
		engine.New(engine.Options{Files: os.DirFS(filepath.Dir(path))}).Run(t.Context(), job.Request{ID: 1, Body: &job.Load{Name: name, Data: []byte(c.data)}}, func(e job.Event) {
			if f, ok := e.Body.(*job.Failed); ok {
				failed = f
			}
		})
		if failed == nil || stderr != "genussink: "+path+": "+failed.Message+"\n" {
			t.Errorf("%s: the tool says %q, the engine %+v", name, stderr, failed)
		}
	}
}

// Values are named with their line.
func TestErrorsOfValues(t *testing.T) {
	mesh := generated(t, "sphere.obj", "sphere", "-frequency", "1")
	for data, want := range map[string]string{
		"1\n\nx\n":                         "line 3: \"x\" is not a number",
		"1\nnan\n":                         "line 2: NaN is not a finite number",
		"1\n1e999\n":                       "line 2: +Inf is not a finite number",
		"1\n" + strings.Repeat("1", 1<<17): "line 2: is too long to be a number",
		strings.Repeat("1\n", 13):          "line 13: more than 12 numbers",
		"1\n":                              "1 numbers, the mesh has 12 vertices",
	} {
		path := file(t, "values.txt", data)
		if code, _, stderr := tool(t, "", "apply", mesh, "-epsilon", "0.2", "-x", path, "-out", "-"); code != 1 || !strings.Contains(stderr, path+": "+want) {
			t.Errorf("%.20q: exit %d, %s, want %q", data, code, stderr, want)
		}
	}
	path := file(t, "set.txt", "1\n\n12\n")
	if code, _, stderr := tool(t, "", "query", mesh, "-measures", "paper", "-epsilon", "0.2", "-set", path); code != 1 || !strings.Contains(stderr, "line 3: 12 is not a vertex: they are numbered from 0 to 11") {
		t.Errorf("exit %d, %s", code, stderr)
	}
}

// -host names the graph that embedded solves on, and only embedded has one.
func TestHost(t *testing.T) {
	mesh := generated(t, "sphere.obj", "sphere", "-frequency", "5")
	args := []string{"solve", mesh, "-measures", "paper", "-epsilon", "0.2", "-method", "embedded", "-delta", "0.3"}
	for _, host := range []string{"nested", "emulated"} {
		if got := answer(t, append(args, "-host", host)...); got["host"] != host || got["method"] != "embedded" || got["requested_method"] != nil {
			t.Errorf("-host %s: host %v of %v for %v", host, got["host"], got["method"], got["requested_method"])
		}
	}
	if got := answer(t, "solve", mesh, "-measures", "paper", "-epsilon", "0.2"); got["host"] != nil || got["note"] != nil {
		t.Errorf("exact: host %v, note %v", got["host"], got["note"])
	}
	for says, extra := range map[string][]string{"-host hotel: there are nested and emulated": {"-host", "hotel"}, "only the method embedded has one": {"-method", "certified", "-host", "emulated"}} {
		if code, _, stderr := tool(t, "", append(args, extra...)...); code != 2 || !strings.Contains(stderr, says) {
			t.Errorf("%v: exit %d, %s", extra, code, stderr)
		}
	}
}
