package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// petersen is the Petersen graph, of treewidth 4.
const petersen = `p tw 10 15
1 2
2 3
3 4
4 5
1 5
1 6
2 7
3 8
4 9
5 10
6 8
8 10
7 10
7 9
6 9
`

func TestTreedec(t *testing.T) {
	small := file(t, "petersen.gr", petersen)
	mesh := generated(t, "sphere.obj", "sphere", "-frequency", "8")
	inputs := []string{small, mesh}
	if testing.Short() {
		inputs = inputs[:1]
	}
	for _, input := range inputs {
		narrowest := 1000. // of the methods so far
		for _, method := range widthMethods {
			td := filepath.Join(t.TempDir(), "out.td")
			// The sphere's width is not proved in any time.
			o := answer(t, "treedec", input, "-method", method, "-timeout", "2s", "-out", td)
			width, lower := o["width"].(float64), o["lower_bound"].(float64)
			if o["exact"] != (width == lower) || lower > width || lower < 3 || o["seconds"].(float64) > 10 {
				t.Errorf("%s by %s: %v", input, method, o)
			}
			if n, m := 642., 1920.; input == mesh && (o["n"] != n || o["m"] != m) {
				t.Errorf("by %s: %v", method, o)
			}
			if input == small && (o["n"] != 10. || o["m"] != 15. || width < 4 || method == "exact" && (width != 4 || o["exact"] != true)) {
				t.Errorf("by %s: %v", method, o)
			}
			if method == "best" && (width > narrowest || input == mesh && width == narrowest) {
				t.Errorf("best has width %g, another %g", width, narrowest)
			}
			narrowest = min(narrowest, width)
			data, err := os.ReadFile(td)
			if err != nil {
				t.Fatal(err)
			}
			head := strings.Fields(string(data))[:5]
			if head[2] != strconv.Itoa(int(o["bags"].(float64))) || head[3] != strconv.Itoa(int(width)+1) {
				t.Errorf("%s for %v", head, o)
			}
			checked := answer(t, "treedec", "-check", td, input)
			if checked["valid"] != true || checked["width"] != o["width"] || checked["bags"] != o["bags"] || checked["n"] != o["n"] || checked["m"] != o["m"] {
				t.Errorf("%v of %v", checked, o)
			}
		}
	}
	if text := ok(t, "treedec", small); !strings.Contains(text, "  width  4, the least possible\n") {
		t.Errorf("text:\n%s", text)
	}
	// An order that is written makes a decomposition that is no wider, and so does the nice form.
	dir := t.TempDir()
	nice, order, td := filepath.Join(dir, "nice"), filepath.Join(dir, "order"), filepath.Join(dir, "rooted.td")
	o := answer(t, "treedec", mesh, "-method", "min-fill", "-nice", nice, "-order", order, "-out", td)
	width, bags := o["width"].(float64), o["bags"].(float64)
	if again := answer(t, "treedec", mesh, "-from-order", order); again["width"] != width || o["forks"].(float64) < 1 || o["diameter"].(float64) < o["depth"].(float64) || o["mean_bag"].(float64) > width+1 {
		t.Errorf("%v, and by its order %v", o, again)
	}
	data, err := os.ReadFile(nice)
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(string(data), "\n"); !strings.HasPrefix(string(data), "s ntd "+strconv.Itoa(lines-1)+" 642\n") || strings.Count(string(data), "forget ") != 642 {
		t.Errorf("%d lines of a nice decomposition, %d forget", lines, strings.Count(string(data), "forget "))
	}
	if data, err = os.ReadFile(td); err != nil {
		t.Fatal(err)
	}
	seen, edges := map[string]bool{"1": true}, 0
	for line := range strings.Lines(string(data)) {
		if f := strings.Fields(line); len(f) == 2 {
			if edges++; !seen[f[0]] || seen[f[1]] {
				t.Fatalf("edge %q does not name the bag above first", line)
			}
			seen[f[1]] = true
		}
	}
	if edges != int(bags)-1 {
		t.Errorf("%d edges of %g bags", edges, bags)
	}
	if code, text, report := tool(t, "", "treedec", small, "-out", "-", "-method", "min-degree"); code != 0 || !strings.HasPrefix(text, "s td ") || strings.Contains(text, "width") || !strings.Contains(report, "width  4") {
		t.Errorf("exit %d, text:\n%s\nreport:\n%s", code, text, report)
	}
}

func TestTreedecFaults(t *testing.T) {
	path := file(t, "path.gr", "p tw 3 2\n1 2\n2 3\n")
	for td, want := range map[string]string{
		"s td 2 2 3\nb 1 1 2\nb 2 2 3\n1 2\n": "",
		"s td 2 2 3\nb 1 1 2\nb 2 3\n1 2\n":   "not valid: edge: no bag holds both ends of edge 2-3",
		"s td 2 2 3\nb 1 1 2\nb 2 2\n1 2\n":   "not valid: vertex: vertex 3 lies in no bag",
		"s td 2 2 3\nb 1 1 2\nb 2 2 3\n":      "not valid: tree: 0 edges between 2 bags",
		"s td 2 2 4\nb 1 1 2\nb 2 2 3\n1 2\n": "not valid: size: made for 4 vertices, the graph has 3",
		"s td 2 2 3\nb 1 1 2\nb 2 2 4\n1 2\n": "line 3: vertex: 4 is not in 1 to 3",
		"nonsense":                            "line 1 comes before the solution line",
	} {
		name := file(t, "x.td", td)
		code, stdout, stderr := tool(t, "", "treedec", path, "-check", name)
		if want == "" && (code != 0 || !strings.HasPrefix(stdout, "the decomposition is valid\n")) {
			t.Errorf("%q: exit %d, %q, %q", td, code, stdout, stderr)
		}
		if want != "" && (code != 1 || stdout != "" || !strings.HasPrefix(stderr, "genussink: "+name+": ") || !strings.Contains(stderr, want)) {
			t.Errorf("%q: exit %d, %q, %q, want %q", td, code, stdout, stderr, want)
		}
	}
	for _, args := range [][]string{
		{}, {path, "-method", "luck"}, {path, "-timeout", "-1s"}, {path, "-timeout", "soon"},
		{path, "-check", path, "-method", "best"}, {path, "-check", path, "-out", "x.td"}, {path, "-check", path, "-timeout", "1s"},
		{path, "-check", path, "-nice", "x"}, {path, "-from-order", path, "-method", "best"}, {path, "-out", "x", "-order", "x"},
	} {
		if code, _, stderr := tool(t, "", append([]string{"treedec"}, args...)...); code != 2 || stderr == "" {
			t.Errorf("%v: exit %d, %q", args, code, stderr)
		}
	}
	for _, args := range [][]string{
		{"none.gr"}, {path, "-check", "none.td"}, {file(t, "bad.gr", "p tw 2 1\n1 3\n")},
		{path, "-from-order", "none"}, {path, "-from-order", file(t, "twice", "1\n2\n2\n")},
		{generated(t, "sphere.obj", "sphere", "-frequency", "60"), "-timeout", "1us"},
	} {
		if code, stdout, stderr := tool(t, "", append([]string{"treedec"}, args...)...); code != 1 || stdout != "" || !strings.Contains(stderr, filepath.Base(args[len(args)-1])) && !strings.Contains(stderr, "too short") {
			t.Errorf("%v: exit %d, %q, %q", args, code, stdout, stderr)
		}
	}
	// Nothing at all is a graph too.
	if o := answer(t, "treedec", file(t, "empty.gr", "p tw 0 0\n")); o["width"] != -1. || o["exact"] != true || o["bags"] != 0. {
		t.Errorf("no vertices: %v", o)
	}
}
