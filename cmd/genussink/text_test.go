package main

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A person reads a dozen lines or so, without internals and without digits that nobody asked for; -v prints every figure that -json names.
func TestTextIsForPeople(t *testing.T) {
	mesh := filepath.Join(t.TempDir(), "torus.obj")
	answer(t, "generate", "torus", "-out", mesh)
	long := regexp.MustCompile(`\b[1-9]\d*\.\d{5,}|\b[1-9]\d{3,}\.\d{2,}|\b0\.0*[1-9]\d{5,}|_`)
	for _, args := range [][]string{
		{"info", mesh},
		{"separate", mesh},
		{"distance", mesh, "0", "100"},
		{"solve", mesh, "-measures", "paper", "-epsilon", "0.1"},
		{"solve", mesh, "-measures", "paper", "-epsilon", "0.1", "-method", "quantized"},
		{"solve", mesh, "-measures", "paper", "-epsilon", "0.1", "-method", "sampled", "-polish", "off"},
		{"query", mesh, "-measures", "paper", "-epsilon", "0.1", "-row", "0", "-top", "3"},
	} {
		code, text, stderr := tool(t, "", args...)
		if code != 0 {
			t.Fatalf("%v: %d, %s", args, code, stderr)
		}
		text = strings.ReplaceAll(text, mesh, "MESH")
		for _, l := range strings.Split(text, "\n") {
			if found := long.FindString(l); found != "" || strings.Contains(l, "none") || strings.Contains(l, "NaN") {
				t.Errorf("%s: %q is not for a person: %q", args[0], l, found)
			}
		}
		if lines := strings.Count(text, "\n"); lines > 18 {
			t.Errorf("%s prints %d lines", args[0], lines)
		}
		_, full, _ := tool(t, "", append(args, "-v")...)
		for name := range answer(t, args...) {
			if name != "warnings" && name != "notes" && !regexp.MustCompile(`(?m)^`+name+`\b`).MatchString(full) { // lists that may be empty
				t.Errorf("%s -v does not print %s:\n%s", args[0], name, full)
			}
		}
	}
}
