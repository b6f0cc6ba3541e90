package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// Every answer about a graph says what was assumed of it.
func TestNotes(t *testing.T) {
	roads := file(t, "places.csv", "id,lon,lat\n1,12.4,41.9\n2,12.5,41.9\n3,12.5,42\n")
	with := file(t, "roads.csv", "from,to\n1,2\n2,3\n")
	path := file(t, "path.gr", "p tw 3 2\n1 2\n2 3\n")
	x, set := file(t, "x.txt", "1\n0\n2\n"), file(t, "set.txt", "0\n")
	out := filepath.Join(t.TempDir(), "out")
	const degrees, drawing = "degrees of longitude and latitude", "a computed drawing"
	plan := []string{"-epsilon", "0.2", "-measures", "uniform"}
	for _, c := range []struct {
		command []string
		drawing bool // says also that a file has no coordinates
	}{
		{[]string{"solve", "", "-epsilon", "0.2", "-measures", "uniform"}, true},
		{[]string{"apply", "", "-epsilon", "0.2", "-x", x, "-out", out + ".txt"}, true},
		{[]string{"barycentre", "", x, "-epsilon", "0.2", "-out", out + ".txt"}, true},
		{[]string{"picture", "", "-what", "transport", "-size", "40x30", "-out", out + ".png"}, true},
		{[]string{"distance", "", "0", "2"}, false},
		{[]string{"distance", "", "0"}, false},
		{append([]string{"query", "", "-map"}, plan...), true},
		{append([]string{"query", "", "-set", set}, plan...), true},
	} {
		args := c.command
		for _, on := range []struct {
			file, want string
			more       []string
		}{{roads, degrees, []string{"-with", with}}, {path, drawing, nil}} {
			if on.want == drawing && !c.drawing {
				continue
			}
			args[1] = on.file
			for _, form := range []string{"-v=false", "-json"} { // in words too
				code, stdout, stderr := tool(t, "", append(append(args[:len(args):len(args)], on.more...), form)...)
				if said := stdout + stderr; code != 0 || strings.Count(said, on.want) < 1 {
					t.Errorf("%v %s: exit %d, %s", args, form, code, said)
				}
			}
		}
	}
	args := []string{"query", path, "-map", "-measures", "uniform", "-epsilon", "1u"}
	if code, _, stderr := tool(t, "", args...); code != 0 || !strings.Contains(stderr, "the map's are those of a computed drawing") {
		t.Errorf("%v: exit %d, %s", args, code, stderr)
	}
}

// What is written to standard output is alone there, and the report is beside it.
func TestReportBesideAFile(t *testing.T) {
	mesh := file(t, "square.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 4 3\n")
	x := file(t, "x.txt", "1\n0\n2\n1\n")
	for _, args := range [][]string{
		{"apply", mesh, "-epsilon", "0.2", "-x", x, "-out", "-"},
		{"barycentre", mesh, x, "-epsilon", "0.2", "-out", "-"},
		{"solve", mesh, "-epsilon", "0.2", "-measures", "uniform", "-potentials", "-"},
		{"separate", mesh, "-out", "-"},
	} {
		for form, want := range map[string]string{"-v=false": "\n  time ", "-json": `"seconds":{`} {
			code, stdout, stderr := tool(t, "", append(args, form)...)
			if code != 0 || strings.Count(stdout, "\n") != 4 || !strings.Contains(stderr, want) {
				t.Errorf("%v %s: exit %d\n%s\n%s", args, form, code, stdout, stderr)
			}
		}
	}
}
