package main

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A person reads a dozen figures or so, in groups with a heading each, without internals and without digits that nobody asked for; -v
// prints every figure that -json names.
func TestTextIsForPeople(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute with the race detector, which finds the same in shorter tests")
	}
	mesh := filepath.Join(t.TempDir(), "torus.obj")
	answer(t, "generate", "torus", "-segments", "30", "-sides", "12", "-out", mesh)
	out := filepath.Join(t.TempDir(), "out")
	n := int(answer(t, "info", mesh)["vertices"].(float64))
	x := file(t, "x.txt", strings.Repeat("1\n", n))
	long := regexp.MustCompile(`\b[1-9]\d*\.\d{5,}|\b[1-9]\d{3,}\.\d{2,}|\b0\.0*[1-9]\d{5,}|_`)
	for _, args := range [][]string{
		{"info", mesh},
		{"inspect", mesh},
		{"separate", mesh},
		{"distance", mesh, "0", "100"},
		{"solve", mesh, "-measures", "paper", "-epsilon", "0.1"},
		{"solve", mesh, "-measures", "paper", "-epsilon", "0.1", "-method", "quantized"},
		{"solve", mesh, "-measures", "paper", "-epsilon", "0.1", "-method", "sampled", "-polish", "off"},
		{"query", mesh, "-measures", "paper", "-epsilon", "0.1", "-row", "0", "-top", "3"},
		{"query", mesh, "-measures", "paper", "-epsilon", "0.1", "-column", "0", "-top", "3", "-distances"},
		{"query", mesh, "-measures", "paper", "-epsilon", "0.1", "-entry", "0,5"},
		{"query", mesh, "-measures", "paper", "-epsilon", "0.1", "-map", "-out", out + ".txt"},
		{"apply", mesh, "-epsilon", "0.1", "-x", x, "-out", out + ".txt"},
		{"treedec", mesh, "-method", "min-degree"},
		{"generate", "torus", "-out", out + ".ply"},
		{"export", mesh, "-out", out + ".glb"},
		{"picture", mesh, "-size", "80x60", "-out", out + ".png"},
	} {
		code, text, stderr := tool(t, "", args...)
		if code != 0 {
			t.Fatalf("%v: %d, %s", args, code, stderr)
		}
		text = strings.NewReplacer(mesh, "MESH", out, "OUT").Replace(text)
		figures := 0
		for i, l := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
			figure := regexp.MustCompile(`^  \S.*  \S`).MatchString(l)
			if figure {
				figures++
			}
			if heading := l != "" && l[0] != ' ' && (i == 0 || strings.Contains(text, "\n\n"+l+"\n")); !heading && !figure && l != "" {
				t.Errorf("%s: %q is neither a heading nor a figure", args[0], l)
			}
			if found := long.FindString(l); found != "" || strings.Contains(l, "none") || strings.Contains(l, "NaN") {
				t.Errorf("%s: %q is not for a person: %q", args[0], l, found)
			}
		}
		if figures == 0 || figures > 18 {
			t.Errorf("%s prints %d figures", args[0], figures)
		}
		_, full, _ := tool(t, "", append(args, "-v")...)
		for name := range answer(t, args...) {
			if name != "warnings" && name != "notes" && name != "rows" && !regexp.MustCompile(`(?m)^`+name+`\b`).MatchString(full) { // lists that may be empty, and what is in a file
				t.Errorf("%s -v does not print %s:\n%s", args[0], name, full)
			}
		}
	}
}
