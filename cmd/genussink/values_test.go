package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"genussink/internal/output"
)

// Numbers have one syntax: in flags, in densities and in meshes the same are read and the same refused.
func TestNumbersHaveOneSyntax(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	obj := func(number string) string {
		return "v 0 0 0\nv " + number + " 0 0\nv 0 1 0\nf 1 2 3\n"
	}
	mesh := write("mesh.obj", obj("1"))
	ones := write("ones.txt", "1\n1\n1\n")
	places := map[string]func(number string) []string{
		"a mesh": func(x string) []string { return []string{"info", write("m.obj", obj(x))} },
		"an OFF file": func(x string) []string {
			return []string{"info", write("m.off", "OFF\n3 1 0\n0 0 0\n"+x+" 0 0\n0 1 0\n3 0 1 2\n")}
		},
		"a density": func(x string) []string {
			return []string{"solve", mesh, "-source", write("d.txt", x+"\n1\n1\n"), "-target", ones, "-epsilon", "0.5"}
		},
		"a vector": func(x string) []string {
			return []string{"apply", mesh, "-x", write("x.txt", x+"\n1\n1\n"), "-epsilon", "0.5", "-out", "-"}
		},
		"-epsilon":      func(x string) []string { return []string{"solve", mesh, "-measures", "uniform", "-epsilon", x} },
		"-epsilon in u": func(x string) []string { return []string{"solve", mesh, "-measures", "uniform", "-epsilon", x + "u"} },
		"-tolerance": func(x string) []string {
			return []string{"solve", mesh, "-measures", "uniform", "-epsilon", "0.5", "-tolerance", x}
		},
		"-frequency": func(x string) []string {
			return []string{"generate", "sphere", "-frequency", x, "-out", filepath.Join(dir, "s.obj")}
		},
	}
	for place, call := range places {
		for _, number := range []string{"1", "+1", "1.", "01", "1e0", "1E+0", "10e-1"} {
			if code, _, stderr := tool(t, "", call(number)...); code != 0 {
				t.Errorf("%s: %s is refused: %s", place, number, stderr)
			}
		}
		for _, number := range []string{"1_0", "0x1p0", "0x1", "1p0", "1,0", "one", "1e", "1e999", "nan"} {
			if code, _, stderr := tool(t, "", call(number)...); code == 0 || strings.Count(stderr, "\n") != 1 {
				t.Errorf("%s: %s: exit %d, %q", place, number, code, stderr)
			}
		}
	}
	for _, call := range [][]string{
		{"solve", mesh, "-measures", "uniform", "-epsilon", "0.5", "-iterations"},
		{"separate", generated(t, "sphere.obj", "sphere", "-frequency", "2"), "-levels"}, {"info", mesh, "-threads"}, {"query", mesh, "-measures", "uniform", "-epsilon", "0.5", "-top", "3", "-row"},
		{"solve", mesh, "-measures", "uniform", "-epsilon", "0.5", "-method", "sampled", "-seed"},
	} {
		for _, number := range []string{"0x1", "1_0", "0b1", "1.5", "1e999"} {
			if code, _, stderr := tool(t, "", append(call, number)...); code != 2 || strings.Count(stderr, "\n") != 1 {
				t.Errorf("%v %s: exit %d, %q", call, number, code, stderr)
			}
		}
		if code, _, stderr := tool(t, "", append(call, "0001")...); code != 0 && code != 3 { // one iteration does not do
			t.Errorf("%v 0001: exit %d, %q", call, code, stderr)
		}
	}
	if code, _, stderr := tool(t, "", "query", mesh, "-measures", "uniform", "-epsilon", "0.5", "-row", "010"); code != 1 || !strings.Contains(stderr, "vertex 10 ") {
		t.Errorf("vertex 010 is not ten: exit %d, %q", code, stderr)
	}
}

// Texts may begin with a byte order mark.
func TestByteOrderMarks(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"mesh.obj": "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "mesh.off": "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n",
		"mesh.ply": "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n",
		"mesh.stl": "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid a\n",
		"graph.gr": "p tw 3 2\n1 2\n2 3\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("\ufeff"+text), 0o644); err != nil {
			t.Fatal(err)
		}
		if name == "graph.gr" {
			ok(t, "separate", path)
			continue
		}
		ok(t, "info", path)
		density := filepath.Join(dir, "density.txt")
		if err := os.WriteFile(density, []byte("\ufeff1\n2\n3\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		ok(t, "solve", path, "-source", density, "-target", density, "-epsilon", "0.5")
	}
}

// A file that would take too much memory is refused with the flag that allows more, by every command that reads one.
func TestMemoryFlag(t *testing.T) {
	dir := t.TempDir()
	mesh, graph := filepath.Join(dir, "faces.obj"), filepath.Join(dir, "announced.gr")
	if err := os.WriteFile(mesh, []byte("v 0 0 0\nv 1 0 0\nv 0 1 0\n"+strings.Repeat("f 1 2 3\n", 10_000)), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(graph, []byte("p tw 1000000 0\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, call := range [][]string{
		{"info", mesh}, {"distance", mesh, "0", "1"}, {"separate", mesh}, {"treedec", mesh}, {"solve", mesh, "-measures", "uniform", "-epsilon", "1"},
		{"separate", graph}, {"treedec", graph}, {"bench", "scaling", mesh, "-rounds", "1", "-out", dir},
	} {
		code, _, stderr := tool(t, "", append(call, "-memory", "1MB")...)
		if code != 1 || !strings.Contains(stderr, "1 MB are allowed for this file; -memory 4GB, for example, allows more") || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%v: exit %d, %q", call, code, stderr)
		}
	}
	ok(t, "info", mesh, "-memory", "0.1GB")
	for _, bad := range []string{"-1", "0", "x", "1TB", "0x10MB", "1_0MB", "nanGB", "1e99GB"} {
		if code, _, stderr := tool(t, "", "info", mesh, "-memory", bad); code != 2 || !strings.Contains(stderr, "500MB or 4GB") {
			t.Errorf("-memory %s: exit %d, %q", bad, code, stderr)
		}
	}
}

// full takes no bytes, as a disk that is full.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// Results that cannot be written are an error, whatever they are.
func TestOutputThatIsLost(t *testing.T) {
	mesh := generated(t, "sphere.obj", "sphere", "-frequency", "2")
	other := filepath.Join(t.TempDir(), "other.obj")
	for _, call := range [][]string{
		{"-h"}, {"info", "-h"}, {"info", mesh}, {"info", mesh, "-json"}, {"generate", "sphere", "-out", other}, {"separate", mesh, "-out", "-"},
		{"solve", mesh, "-measures", "uniform", "-epsilon", "0.5"}, {"query", mesh, "-measures", "uniform", "-epsilon", "0.5", "-map"},
	} {
		var stderr bytes.Buffer
		if code := run(t.Context(), &output.Set{}, call, nil, full{}, &stderr); code != 1 || !strings.Contains(stderr.String(), "no space left") || strings.Count(stderr.String(), "\n") != 1 {
			t.Errorf("%v: exit %d, %q", call, code, &stderr)
		}
	}
}
