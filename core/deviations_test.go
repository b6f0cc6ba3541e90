package core

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	cites = regexp.MustCompile(`(?i)\bpaper\b[^.;]{0,60}?\b(Sec\. \d|Theorem \d|Algorithm \d|Eq\. \d|Appendix)|\b(Sec\. \d|Theorem \d|Appendix)[^.;]{0,40} of the paper`)
	// The heading, and something under it.
	heading = regexp.MustCompile(`(?m)^# Deviations\n\n\S`)
)

// deviators are the packages under core that implement something of the paper.
var deviators = []string{
	"baseline", "baseline/published", "benchmark", "experiment", "graph", "hub", "hub/cover", "hub/squared", "internal/dominance", "kernel", "measure/preset", "mesh/generate", "mixture", "quantized", "separator", "septree", "sgfi", "transport", "treedec", "treehost", "treekernel",
}

// README says that a package which implements something of the paper lists
// under "Deviations" where it leaves it: so does every package that cites a
// part of the paper, and no other.
func TestDeviations(t *testing.T) {
	cited, headed := map[string]bool{}, map[string]bool{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Dir(path) == "." || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		room := filepath.ToSlash(filepath.Dir(path))
		for _, group := range file.Comments {
			if cites.MatchString(strings.Join(strings.Fields(group.Text()), " ")) {
				cited[room] = true
			}
		}
		if heading.MatchString(file.Doc.Text()) {
			headed[room] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for room := range cited {
		if !slices.Contains(deviators, room) {
			t.Errorf("core/%s cites a part of the paper and is not among those that implement it", room)
		}
	}
	for room := range headed {
		if !slices.Contains(deviators, room) {
			t.Errorf("core/%s lists deviations and is not among those that implement something of the paper", room)
		}
	}
	for _, room := range deviators {
		if !cited[room] {
			t.Errorf("core/%s cites no part of the paper", room)
		}
		if !headed[room] {
			t.Errorf("core/%s has no heading \"Deviations\" with something under it", room)
		}
	}
}
