package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"genussink/core/separator"
	"genussink/internal/race"
)

// TestSeparateFiles separates real road graphs and PACE's graphs by every
// finder that they fit, with the list of sizes against balance.
func TestSeparateFiles(t *testing.T) {
	race.Alone(t)
	for name, c := range map[string]struct {
		files []string
		n     int
	}{
		"DIMACS, 22 components": {[]string{"roads/rome99/rome99.gr"}, 3353},
		"tables":                {[]string{"roads/manhattan_taxi/edges.csv", "roads/manhattan_taxi/points.csv"}, 4091},
		"PACE, planar":          {[]string{"treewidth/pace2017_exact/ex005.gr"}, 377},
		"PACE, not planar":      {[]string{"treewidth/pace2017_exact/ex023.gr"}, 690},
	} {
		args := []string{"separate", sharedData(t, c.files[0])}
		if len(c.files) > 1 {
			args = append(args, "-with", sharedData(t, c.files[1]))
		}
		o := answer(t, append(args, "-pareto")...)
		entries := o["pareto"].([]any)
		size, balance := -1.0, -1.0
		for i, entry := range entries {
			e := entry.(map[string]any)
			if e["a"].(float64)+e["s"].(float64)+e["b"].(float64) != float64(c.n) || !(e["s"].(float64) > size && e["balance"].(float64) > balance) {
				t.Errorf("%s: entry %d is %v", name, i, e)
			}
			size, balance = e["s"].(float64), e["balance"].(float64)
		}
		if len(entries) < 3 || balance < 0.4 {
			t.Errorf("%s: %d entries up to balance %g", name, len(entries), balance)
		}
		o = nil // of flow-cutter
		for _, finder := range separator.Names() {
			code, stdout, stderr := tool(t, "", append(args, "-finder", finder, "-balance", "0.2", "-json")...)
			if code == 1 && strings.Contains(stderr, "not planar") && !strings.Contains(name, "PACE, planar") {
				continue
			}
			if code != 0 || stderr != "" {
				t.Errorf("%s, %s: exit %d, %s", name, finder, code, stderr)
				continue
			}
			if !strings.Contains(stdout, `"finder":"`+finder+`"`) {
				t.Errorf("%s, %s: %s", name, finder, stdout)
			}
			if finder == "flow-cutter" {
				if err := json.Unmarshal([]byte(stdout), &o); err != nil {
					t.Fatal(err)
				}
			}
		}
		n, s := o["n"].(float64), o["s"].(float64)
		if n != float64(c.n) || min(o["a"].(float64), o["b"].(float64)) < math.Floor(0.2*n) || math.Abs(o["s_over_sqrt_n"].(float64)-s/math.Sqrt(n)) > 1e-12 || s > math.Sqrt(n) {
			t.Errorf("%s: %v", name, o)
		}
	}
}

// TestSeparateSmall sees the levels of a graph that fits on a napkin, with -levels and without.
func TestSeparateSmall(t *testing.T) {
	tree := file(t, "tree.gr", "p tw 7 6\n1 2\n1 3\n2 4\n2 5\n3 6\n3 7\n")
	for flags, levels := range map[string]int{"": 3, "-levels 2": 3, "-levels 1": 2} {
		o := answer(t, append([]string{"separate", tree}, strings.Fields(flags)...)...)
		list := o["levels"].([]any)
		if len(list) != levels {
			t.Fatalf("%q: %d levels: %v", flags, len(list), list)
		}
		for i, want := range []float64{1, 2, 0}[:levels-1] {
			if l := list[i].(map[string]any); l["separator"] != want {
				t.Errorf("%q: level %d is %v, not of %g vertices", flags, i, l, want)
			}
		}
	}
}

// TestSeparateUsage lists wrong calls and data without a separation.
func TestSeparateUsage(t *testing.T) {
	mesh := generated(t, "sphere.obj", "sphere", "-frequency", "3")
	triangle := file(t, "triangle.gr", "p tw 3 3\n1 2\n2 3\n1 3\n")
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{mesh, "-with", triangle}, 2, "no other file belongs to"},
		{[]string{mesh, "-finder", "scissors"}, 2, "scissors"},
		{[]string{mesh, "-balance", "0.6"}, 2, "0.6"},
		{[]string{triangle}, 1, "no separation"},
		{[]string{triangle, "-with", filepath.Join(t.TempDir(), "none.co")}, 2, "no other file belongs to a PACE graph"},
		{[]string{file(t, "road.gr", "p sp 2 1\na 1 2 5\n"), "-with", filepath.Join(t.TempDir(), "none.co")}, 1, "none.co"},
		{[]string{file(t, "way.gr", "p sp 2 1\na 1 2 5\n"), "-with", triangle}, 2, "way.gr belongs a file .co"},
		{[]string{file(t, "edges.csv", "1,1,2\n")}, 1, "one table"},
		{[]string{file(t, "some.td", "s td 1 1 1\nb 1 1\n")}, 1, "some.td is a tree decomposition, which is not read here: a mesh or a graph"},
		{[]string{file(t, "some.order", "1\n")}, 1, "an elimination order"},
		{[]string{file(t, "some.gr.xz", "\xfd7zXZ\x00")}, 1, "unxz"},
		{[]string{file(t, "k33.gr", "p tw 7 10\n1 2\n2 5\n2 6\n2 7\n3 5\n3 6\n3 7\n4 5\n4 6\n4 7\n"), "-finder", "lipton-tarjan"}, 1, "7 of the file"},
	} {
		code, _, stderr := tool(t, "", append([]string{"separate"}, c.args...)...)
		if code != c.code || !strings.Contains(stderr, c.says) {
			t.Errorf("%v: exit %d, %s", c.args, code, stderr)
		}
	}
}

// TestInfoOfGraph counts what a graph's file has and the graph has not.
func TestInfoOfGraph(t *testing.T) {
	text := ok(t, "info", file(t, "loops.gr", "p tw 3 4\n1 1\n1 2\n2 1\n2 3\n"))
	for _, want := range []string{"1 of the file's 4 edges lead from a vertex to itself", "1 of the file's 4 edges repeat another", "3 vertices, 2 edges\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("lacks %q:\n%s", want, text)
		}
	}
}

// TestSeparateTables gives the tables in either order and the list as text.
func TestSeparateTables(t *testing.T) {
	points := file(t, "points.csv", "id,lat,lon\n1,40.70,-74.00\n2,40.71,-74.00\n3,40.72,-74.00\n4,40.73,-74.00\n5,40.74,-74.00\n")
	edges := file(t, "edges.csv", "id,from,to\n1,1,2\n2,2,3\n3,3,4\n4,4,5\n")
	for _, args := range [][]string{{points, "-with", edges}, {edges, "-with", points}} {
		labels := filepath.Join(t.TempDir(), "labels.txt")
		text := ok(t, slices.Concat([]string{"separate"}, args, []string{"-pareto", "-levels", "1", "-out", labels})...)
		text = strings.Join(strings.Fields(text), " ")
		if !strings.Contains(text, "separation A, S, B 2, 1 and 2 vertices: |S| is 0.447") || !strings.Contains(text, "separations by size A, S, B 2, 1 and 2 vertices") {
			t.Errorf("%v: %s", args, text)
		}
		data, err := os.ReadFile(labels)
		words := strings.Fields(string(data))
		slices.Sort(words)
		if err != nil || strings.Join(words, " ") != "1 1 2 2 S0" {
			t.Errorf("%v: labels %q, %v", args, data, err)
		}
		o := answer(t, slices.Concat([]string{"solve"}, args, []string{"-measures", "paper", "-epsilon", "1000u", "-tolerance", "1e-6"})...)
		if o["vertices"] != 5. || o["status"] != "converged" {
			t.Errorf("%v: solved %v", args, o)
		}
	}
}
