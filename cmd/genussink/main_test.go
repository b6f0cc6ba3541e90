package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"genussink/core/separator"
	"genussink/internal/absent"
	"genussink/internal/output"
	"genussink/internal/race"
)

// tool runs the program as a shell would.
func tool(t *testing.T, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(context.Background(), &output.Set{}, args, strings.NewReader(stdin), &out, &errs)
	return code, out.String(), errs.String()
}

// ok runs a call that must succeed, without a word on stderr.
func ok(t *testing.T, args ...string) string {
	t.Helper()
	code, stdout, stderr := tool(t, "", args...)
	if code != 0 || stderr != "" {
		t.Fatalf("genussink %v: exit %d, stderr %q", args, code, stderr)
	}
	return stdout
}

// answer runs a call with -json and returns its one object.
// wrong are arguments that the tool refuses with an exit code, and a part of what it says.
type wrong struct {
	code int
	args []string
	says string
}

// refused holds the tool to refuse each after the arguments before.
func refused(t *testing.T, before []string, all []wrong) {
	t.Helper()
	for _, bad := range all {
		if code, _, stderr := tool(t, "", append(slices.Clone(before), bad.args...)...); code != bad.code || !strings.Contains(stderr, bad.says) {
			t.Errorf("%v: exit %d, %s", bad.args, code, stderr)
		}
	}
}

func answer(t *testing.T, args ...string) map[string]any {
	t.Helper()
	stdout := ok(t, append(args, "-json")...)
	var o map[string]any
	if err := json.Unmarshal([]byte(stdout), &o); err != nil || strings.Count(stdout, "\n") != 1 {
		t.Fatalf("genussink %v -json: %v in %q", args, err, stdout)
	}
	return o
}

// file writes a file of the test's own and returns its path.
func file(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// generated makes a mesh file.
func generated(t *testing.T, name string, args ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	ok(t, append(append([]string{"generate"}, args...), "-out", path)...)
	return path
}

// sharedData is the path of real data that lies beside the repository; where it
// is absent the test is skipped.
func sharedData(t *testing.T, elem ...string) string {
	t.Helper()
	path := filepath.Join(append([]string{"..", "..", "..", "shared", "data"}, elem...)...)
	if _, err := os.Stat(path); err != nil {
		absent.Skip(t, err)
	}
	return path
}

// numbers reads a vector that the tool wrote.
func numbers(t *testing.T, path string) (x []float64) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range strings.Fields(string(data)) {
		v, err := strconv.ParseFloat(word, 64)
		if err != nil {
			t.Fatal(err)
		}
		x = append(x, v)
	}
	return x
}

func lines(x ...float64) string {
	var b strings.Builder
	for _, v := range x {
		fmt.Fprintln(&b, v)
	}
	return b.String()
}

func relative(a, b float64) float64 { return math.Abs(a-b) / max(math.Abs(a), math.Abs(b), 1e-300) }

// Two triangles apart and a vertex alone: sides of 3, 4, 5 and 1, 1, sqrt 2.
const twoTriangles = "v 0 0 0\nv 3 0 0\nv 0 4 0\nv 9 9 9\nv 10 9 9\nv 9 10 9\nv 7 7 7\nf 1 2 3\nf 4 5 6\n"

func TestHelp(t *testing.T) {
	overview := ok(t, "-h")
	for _, cmd := range commands() {
		if !strings.Contains(overview, "\n  "+cmd.name+" ") {
			t.Errorf("the overview lacks %s", cmd.name)
		}
		for _, flag := range []string{"-h", "--help"} {
			help := ok(t, cmd.name, flag)
			for _, want := range []string{"usage: genussink " + cmd.name, "example: genussink " + cmd.name, "flags:\n"} {
				if !strings.Contains(help, want) {
					t.Errorf("%s %s lacks %q:\n%s", cmd.name, flag, want, help)
				}
			}
		}
	}
}

func TestWrongCalls(t *testing.T) {
	mesh := file(t, "two.obj", twoTriangles)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{}, "usage: genussink COMMAND"},
		{[]string{"dance"}, `no command "dance"`},
		{[]string{"info"}, "one argument: INPUT"},
		{[]string{"info", mesh, mesh}, "one argument: INPUT"},
		{[]string{"info", mesh, "-colour"}, "not defined: -colour"},
		{[]string{"info", mesh, "-threads", "-2"}, "must not be negative"},
		{[]string{"info", mesh, "-threads", "two"}, "invalid value"},
		{[]string{"serve", "here"}, "no arguments"},
		{[]string{"distance", mesh}, "2 arguments: MESH I [J]"},
		{[]string{"distance", mesh, "0", "1", "2"}, "one vertex or two"},
		{[]string{"query", mesh, "-marginals", "-1"}, "-marginals -1: must be 1 or more"},
		{[]string{"distance", mesh, "0", "x"}, `"x" is not a vertex number`},
		{[]string{"generate", "sphere"}, "needs -out FILE"},
		{[]string{"generate", "sphere", "-out", "sphere.txt"}, "extension"},
		{[]string{"generate", "cube", "-out", "cube.obj"}, `no kind "cube"`},
		{[]string{"generate", "sphere", "-frequency", "0", "-out", "s.obj"}, "frequency is 0"},
		{[]string{"generate", "sphere", "-genus", "2", "-out", "s.obj"}, `no parameter "genus"`},
		{[]string{"separate", mesh, "-finder", "scissors"}, "scissors"},
		{[]string{"separate", mesh, "-balance", "0.7"}, "-balance 0.7"},
		{[]string{"separate", mesh, "-levels", "-1"}, "-levels -1"},
		{[]string{"apply", mesh, "-x", "x", "-out", "y"}, "needs -epsilon"},
		{[]string{"apply", mesh, "-epsilon", "0", "-x", "x", "-out", "y"}, "must be positive"},
		{[]string{"apply", mesh, "-epsilon", "5m", "-x", "x", "-out", "y"}, "fraction of the diagonal"},
		{[]string{"apply", mesh, "-epsilon", "-1", "-x", "x", "-out", "y"}, "fraction of the diagonal"},
		{[]string{"apply", mesh, "-epsilon", "NaN", "-x", "x", "-out", "y"}, "fraction of the diagonal"},
		{[]string{"apply", mesh, "-epsilon", "1", "-x", "x"}, "needs -x FILE and -out FILE"},
		{[]string{"apply", mesh, "-epsilon", "1", "-method", "fast", "-x", "x", "-out", "y"}, "-method fast"},
		{[]string{"apply", mesh, "-epsilon", "1", "-kernel", "cosine", "-x", "x", "-out", "y"}, "-kernel cosine"},
		{[]string{"apply", mesh, "-epsilon", "1", "-delta", "0.1u", "-x", "x", "-out", "y"}, "-delta 0.1u"},
		{[]string{"solve", mesh, "-epsilon", "1"}, "needs either -source"},
		{[]string{"solve", mesh, "-epsilon", "1", "-source", "a"}, "needs either -source"},
		{[]string{"solve", mesh, "-epsilon", "1", "-source", "a", "-target", "b", "-measures", "paper"}, "needs either -source"},
		{[]string{"solve", mesh, "-epsilon", "1", "-measures", "paper", "-tolerance", "0"}, "-tolerance 0"},
		{[]string{"solve", mesh, "-epsilon", "1", "-measures", "paper", "-tolerance", "inf"}, "positive and finite"},
		{[]string{"solve", mesh, "-epsilon", "1", "-source", "-", "-target", "-"}, "cannot both be standard input"},
		{[]string{"solve", mesh, "-epsilon", "1", "-measures", "paper", "-iterations", "-1"}, "-iterations -1"},
		{[]string{"query", mesh, "-epsilon", "1", "-measures", "paper"}, "needs one of -set FILE, -row"},
		{[]string{"query", mesh, "-epsilon", "1", "-measures", "paper", "-sparse", "0"}, "-sparse 0: a share is above 0 and at most 1"},
		{[]string{"info", mesh, "-threads", "1e3"}, "want a whole number"},
		{[]string{"treedec", mesh, "-timeout", "5"}, "want a number with its unit, such as 30s"},
		{[]string{"serve", "-addr", "127.0.0.1:99999"}, "want an address and a port"},
		{[]string{"serve", "-addr", "8080"}, "want an address and a port"},
		{[]string{"query", mesh, "-epsilon", "1", "-measures", "paper", "-row", "1", "-set", "s"}, "answers one question in a call, not 2"},
		{[]string{"query", mesh, "-epsilon", "1", "-measures", "paper", "-row", "-5"}, "-row -5: must be 0 or more"},
		{[]string{"query", mesh, "-epsilon", "1", "-measures", "paper", "-sample", "-3"}, "-sample -3: must be 1 or more"},
		{[]string{"query", mesh, "-epsilon", "1", "-measures", "paper", "-marginals", "0"}, "-marginals 0: must be 1 or more"},
		{[]string{"query", mesh, "-epsilon", "1", "-measures", "paper", "-block", "-1"}, "-block -1: must be 0 or more"},
		{[]string{"picture", mesh, "-source", "a.txt", "-target", "b.txt", "-out", "a.png"}, "-source and -target are not seen with -what split: take one of source, target, densities"},
		{[]string{"query", mesh, "-epsilon", "1", "-measures", "paper", "-row", "1", "-top", "-1"}, "-top -1"},
		{[]string{"query", mesh, "-epsilon", "1", "-measures", "paper", "-row", "4294967296"}, "not a vertex number"},
		{[]string{"query", mesh, "-epsilon", "1", "-measures", "paper", "-map", "-sample", "3"}, "answers one question in a call, not 2"},
		{[]string{"query", mesh, "-epsilon", "1", "-measures", "paper", "-entry", "3"}, "-entry 3"},
		{[]string{"query", mesh, "-epsilon", "1", "-measures", "paper", "-entry", "3,x"}, "-entry 3,x"},
		{[]string{"query", mesh, "-epsilon", "1", "-measures", "paper", "-between", "a"}, "-between a"},
		{[]string{"query", mesh, "-epsilon", "1", "-measures", "paper", "-map", "-transpose"}, "-transpose needs -set"},
		{[]string{"query", mesh, "-epsilon", "1", "-measures", "paper", "-map", "-distances"}, "-distances needs -row or -column"},
		{[]string{"query", mesh, "-epsilon", "1", "-measures", "paper", "-map", "-top", "3"}, "-top needs -row or -column"},
		{[]string{"query", mesh, "-epsilon", "1", "-measures", "paper", "-row", "1", "-out", "f"}, "-out needs -set, -map, -sample, -sparse, -trace or -marginals"},
		{[]string{"solve", mesh, "-epsilon", "1", "-measures", "paper", "-method", "sampled", "-portals", "all"}, "-portals all"},
		{[]string{"solve", mesh, "-epsilon", "1", "-measures", "paper", "-portals", "farthest"}, "is of the method sampled"},
		{[]string{"solve", mesh, "-epsilon", "1", "-measures", "paper", "-accuracy", "0.01"}, "only the methods quantized and auto"},
		{[]string{"solve", mesh, "-epsilon", "1", "-measures", "paper", "-keep", "3"}, "samples nothing"},
		{[]string{"solve", mesh, "-epsilon", "1", "-measures", "paper", "-method", "sampled", "-levels", "-3"}, "must not be negative"},
	} {
		code, stdout, stderr := tool(t, "", c.args...)
		if code != 2 || stdout != "" || !strings.Contains(stderr, c.want) {
			t.Errorf("genussink %v: exit %d, stdout %q, stderr %q; want 2 and %q", c.args, code, stdout, stderr, c.want)
		}
		if len(c.args) > 0 && strings.Count(stderr, "\n") != 1 {
			t.Errorf("genussink %v: more than a line: %q", c.args, stderr)
		}
	}
}

func TestBadData(t *testing.T) {
	mesh := file(t, "two.obj", twoTriangles)
	short := file(t, "short.txt", lines(1, 0, 0))
	long := file(t, "long.txt", lines(1, 0, 0, 0, 0, 0, 0, 0))
	word := file(t, "word.txt", "1\nmany\n")
	negative := file(t, "negative.txt", lines(-1, 0, 0, 0, 0, 0, 0))
	left, right := file(t, "left.txt", lines(1, 0, 0, 0, 0, 0, 0)), file(t, "right.txt", lines(0, 0, 0, 1, 0, 0, 0))
	set := file(t, "set.txt", lines(3, 7))
	absent := filepath.Join(t.TempDir(), "absent.obj")
	torn := file(t, "torn.obj", "v 0 0 0\nf 1 2 3\n")
	solve := func(args ...string) []string {
		return append([]string{"solve", mesh, "-epsilon", "0.2"}, args...)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"info", absent}, absent + ": no such file"},
		{[]string{"info", t.TempDir()}, "is not a file"},
		{[]string{"info", torn}, torn + ": obj: line 2"},
		{[]string{"distance", mesh, "0", "7"}, mesh + ": vertex 7 does not exist"},
		{[]string{"distance", mesh, "99", "0"}, "vertex 99 does not exist"},
		{[]string{"separate", absent}, absent},
		{[]string{"separate", file(t, "bad.gr", "p tw 2 1\n1 9\n")}, "bad.gr"},
		{solve("-source", short, "-target", left), short + ": 3 numbers, the mesh has 7 vertices"},
		{solve("-source", long, "-target", left), long + ": line 8: more than 7 numbers"},
		{solve("-source", left, "-target", word), word + `: line 2: "many" is not a number`},
		{solve("-source", absent, "-target", left), absent + ": no such file"},
		{solve("-source", negative, "-target", left), "line 1: -1 is not a density"},
		{solve("-source", left, "-target", right), "source mass 1 and target mass 0"},
		{solve("-source", file(t, "nan.txt", "0\n0\nnan\n0\n0\n0\n0\n"), "-target", left), "nan.txt: line 3: NaN is not a finite number"},
		{solve("-source", left, "-target", file(t, "inf.txt", "0\n-inf\n0\n0\n0\n0\n0\n")), "inf.txt: line 2: -Inf is not a finite number"},
		{solve("-source", file(t, "empty.txt", ""), "-target", left), "empty.txt: 0 numbers"},
		{solve("-source", left, "-target", file(t, "zero.txt", lines(0, 0, 0, 0, 0, 0, 0))), "there is no mass"},
		{solve("-source", left, "-target", left, "-epsilon", "1e-320u"), "epsilon is 1e-320 in mesh units: on this mesh the smallest that can be solved"},
		{solve("-source", left, "-target", left, "-epsilon", "1e308"), "give it in mesh units"},
		{[]string{"apply", mesh, "-epsilon", "0.2", "-x", file(t, "huge.txt", strings.Repeat("1e308\n", 7)), "-out", filepath.Join(t.TempDir(), "y.txt")}, "of the product is +Inf"},
		{solve("-measures", "gauss"), "gauss"},
		{solve("-measures", "uniform", "-potentials", filepath.Join(absent, "p.txt")), "p.txt: "},
		{[]string{"query", mesh, "-epsilon", "0.2", "-measures", "uniform", "-row", "7"}, "vertex 7 does not exist"},
		{[]string{"query", mesh, "-epsilon", "0.2", "-measures", "uniform", "-set", set}, set + ": line 2: 7 is not a vertex"},
		{[]string{"generate", "sphere", "-out", filepath.Join(absent, "s.obj")}, "s.obj: "},
		{[]string{"serve", "-dir", absent}, absent + ": no such file"},
		{[]string{"serve", "-dir", t.TempDir()}, "has no index.html"},
	} {
		code, stdout, stderr := tool(t, "", c.args...)
		if code != 1 || stdout != "" || !strings.Contains(stderr, c.want) || !strings.HasPrefix(stderr, "genussink: ") || strings.Count(stderr, "\n") != 1 {
			t.Errorf("genussink %v: exit %d, stdout %q, stderr %q; want 1 and %q", c.args, code, stdout, stderr, c.want)
		}
	}
}

// The help of a command is that of its -h.
func TestHelpOfACommand(t *testing.T) {
	if a, b := ok(t, "help", "solve"), ok(t, "solve", "-h"); a != b || !strings.HasPrefix(a, "usage: genussink solve MESH") {
		t.Errorf("help solve: %.100q", a)
	}
	if code, _, stderr := tool(t, "", "help", "dance"); code != 2 || !strings.Contains(stderr, `no command "dance"`) {
		t.Errorf("help of no command: exit %d, %s", code, stderr)
	}
}

func TestInterrupted(t *testing.T) {
	mesh := generated(t, "sphere.obj", "sphere")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var stdout, stderr bytes.Buffer
	code := run(ctx, &output.Set{}, []string{"solve", mesh, "-measures", "paper", "-epsilon", "0.2"}, nil, &stdout, &stderr)
	if code != 1 || stdout.Len() > 0 || stderr.String() != "genussink: interrupted; nothing was saved\n" {
		t.Errorf("exit %d, stdout %q, stderr %q", code, &stdout, &stderr)
	}
}

func TestInfo(t *testing.T) {
	mesh := file(t, "two.obj", twoTriangles)
	want := `format                obj
vertices              7
faces                 2
edges                 6
components            2
boundary_loops        2
euler                 2
genus                 0
nonmanifold_edges     0
nonmanifold_vertices  0
degenerate_faces      0
isolated_vertices     1
edge_length.min       1
edge_length.mean      2.569035593728849
edge_length.max       5
diagonal              16.76305461424021
watertight            false
oriented              true
warnings              The mesh has 2 separate pieces; no mass can move between them.
warnings              One vertex belongs to no face; no mass can reach it.
warnings              The surface is open: it has 2 boundary loops.
`
	if got := ok(t, "info", "-v", mesh); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	wantJSON := `{"format":"obj","vertices":7,"faces":2,"edges":6,"components":2,"boundary_loops":2,"euler":2,"genus":0,` +
		`"nonmanifold_edges":0,"nonmanifold_vertices":0,"degenerate_faces":0,"isolated_vertices":1,` +
		`"edge_length":{"min":1,"mean":2.569035593728849,"max":5},"diagonal":16.76305461424021,"watertight":false,"oriented":true,` +
		`"warnings":["The mesh has 2 separate pieces; no mass can move between them.","One vertex belongs to no face; no mass can reach it.",` +
		`"The surface is open: it has 2 boundary loops."]}` + "\n"
	if got := ok(t, "info", "-json", mesh); got != wantJSON {
		t.Errorf("got\n%s\nwant\n%s", got, wantJSON)
	}
}

func TestGenerate(t *testing.T) {
	for _, extension := range []string{"obj", "off", "ply", "stl", "gltf", "glb"} {
		path := generated(t, "torus."+extension, "torus", "-segments", "20", "-sides", "10")
		o := answer(t, "info", path)
		if o["format"] != extension || o["vertices"] != 200. || o["faces"] != 400. || o["genus"] != 1. || o["watertight"] != true {
			t.Errorf("%s: %v", extension, o)
		}
	}
	path := filepath.Join(t.TempDir(), "d.off")
	o := answer(t, "generate", "-radius", "10", "dumbbell", "-width", "2", "-out", path)
	if o["file"] != path || o["format"] != "off" || !(o["vertices"].(float64) > 600) {
		t.Errorf("generate: %v", o)
	}
	path = filepath.Join(t.TempDir(), "d.gr")
	o = answer(t, "generate", "-radius", "10", "dumbbell-graph", "-out", path)
	if o["file"] != path || o["format"] != "gr" || o["vertices"] != 644. || o["edges"] != 1195. {
		t.Errorf("generate: %v", o)
	}
	if o := answer(t, "info", path); o["vertices"] != 644. || o["edges"] != 1195. {
		t.Errorf("info: %v", o)
	}
	for _, args := range [][]string{{"torus"}, {"dumbbell", "-width", "1.5"}, {"dumbbell", "-width", "0"}, {"dumbbell", "-segments", "9"}, {"grid", "-side", "1"}} {
		if code, _, message := tool(t, "", append(append([]string{"generate"}, args...), "-out", path)...); code != 2 || message == "" {
			t.Errorf("generate %v: exit status %d, %q", args, code, message)
		}
	}
}

// Every kind is written as what it is.
func TestGenerateWritesGraphsAndMeshes(t *testing.T) {
	for args, want := range map[string]string{"dumbbell d.gr": "gr", "grid g.off": "must be gr"} {
		kind, out, _ := strings.Cut(args, " ")
		if code, _, message := tool(t, "", "generate", kind, "-out", filepath.Join(t.TempDir(), out)); code != 2 || !strings.Contains(message, want) {
			t.Errorf("%s: exit status %d, %q", args, code, message)
		}
	}
	path := filepath.Join(t.TempDir(), "grid.gr")
	ok(t, "generate", "grid", "-side", "5", "-out", path)
	if o := answer(t, "treedec", path); o["n"] != 25. || o["m"] != 40. || o["width"] != 5. {
		t.Errorf("treedec: %v", o)
	}
}

func TestDistance(t *testing.T) {
	mesh := file(t, "two.obj", twoTriangles)
	if got, want := ok(t, "distance", mesh, "1", "2"), "shortest path from vertex 1 to 2\n  length    5 mesh units\n  edges     1\n  vertices  1 2\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := ok(t, "distance", mesh, "1", "2", "-json"), `{"length":5,"path":[1,2],"notes":[]}`+"\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := ok(t, "distance", mesh, "1", "6", "-json"), `{"length":null,"path":[],"notes":[]}`+"\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := ok(t, "distance", mesh, "1", "6"); !strings.Contains(got, "infinite") {
		t.Errorf("got %q", got)
	}
}

func TestSeparate(t *testing.T) {
	mesh := generated(t, "sphere.obj", "sphere", "-frequency", "8")
	path := filepath.Join(t.TempDir(), "grid.gr")
	var b strings.Builder
	const side = 20
	fmt.Fprintf(&b, "c a grid\np tw %d %d\n", side*side, 2*side*(side-1))
	for i := range side {
		for j := range side {
			if v := i*side + j + 1; j+1 < side {
				fmt.Fprintln(&b, v, v+1)
			}
			if v := i*side + j + 1; i+1 < side {
				fmt.Fprintln(&b, v, v+side)
			}
		}
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	for input, n := range map[string]int{mesh: 642, path: side * side} {
		labels := filepath.Join(t.TempDir(), "labels.txt")
		o := answer(t, "separate", input, "-finder", "level-set", "-levels", "2", "-out", labels)
		a, s, r := o["a"].(float64), o["s"].(float64), o["b"].(float64)
		if o["n"] != float64(n) || a+s+r != float64(n) || s == 0 || a < float64(n)/5 || r < float64(n)/5 || o["finder"] != "level-set" {
			t.Errorf("%s: %v", input, o)
		}
		levels := o["levels"].([]any)
		data, err := os.ReadFile(labels)
		if err != nil {
			t.Fatal(err)
		}
		words := strings.Fields(string(data))
		count := map[string]int{}
		for _, w := range words {
			count[w]++
		}
		if len(levels) != 3 || len(words) != n || count["S0"] != int(s) {
			t.Errorf("%s: levels %v, %d labels, of them %d S0", input, levels, len(words), count["S0"])
		}
		second := levels[1].(map[string]any)
		if second["nodes"] != 2. || count["S1"] != int(second["separator"].(float64)) {
			t.Errorf("%s: level 1 %v, %d labels S1", input, second, count["S1"])
		}
		if len(count) != 2+4 { // two levels of separators, four leaves
			t.Errorf("%s: labels %v", input, count)
		}
	}
	if got := ok(t, "separate", mesh, "-levels", "1"); !strings.Contains(strings.Join(strings.Fields(got), " "), "level 1 2 nodes, 0 vertices in separators, 0 in the largest") {
		t.Errorf("text: %s", got)
	}

	// Every finder that is offered works on a sphere.
	for _, finder := range separator.Names() {
		o := answer(t, "separate", generated(t, "ball.off", "sphere", "-frequency", "6"), "-finder", finder)
		if o["finder"] != finder || !(o["s"].(float64) > 0) || o["a"].(float64)+o["s"].(float64)+o["b"].(float64) != o["n"].(float64) {
			t.Errorf("%s: %v", finder, o)
		}
	}
}

func TestApply(t *testing.T) {
	mesh := generated(t, "torus.off", "torus", "-segments", "24", "-sides", "12")
	var x []float64
	for i := range 24 * 12 {
		x = append(x, math.Sin(float64(i)))
	}
	in := file(t, "x.txt", lines(x...))
	for _, epsilon := range []string{"0.2", "0.02", "0.5u"} {
		exact, dense := filepath.Join(t.TempDir(), "exact.txt"), filepath.Join(t.TempDir(), "dense.txt")
		o := answer(t, "apply", mesh, "-epsilon", epsilon, "-x", in, "-out", exact, "-precision", "float64")
		ok(t, "apply", mesh, "-epsilon", epsilon, "-x", in, "-out", dense, "-method", "dense")
		scale := 0.0
		want := numbers(t, dense)
		for _, v := range want {
			scale = max(scale, math.Abs(v))
		}
		for i, y := range numbers(t, exact) {
			if math.Abs(y-want[i]) > 1e-12*scale { // x has both signs
				t.Fatalf("epsilon %s: y[%d] is %.15g, dense %.15g", epsilon, i, y, want[i])
			}
		}
		if epsilon == "0.5u" && o["epsilon"] != 0.5 {
			t.Errorf("epsilon %v, want 0.5", o["epsilon"])
		}
		for _, key := range []string{"load", "tree", "labels", "kernel", "apply", "total"} {
			if _, there := o["seconds"].(map[string]any)[key]; !there {
				t.Errorf("seconds lack %s: %v", key, o["seconds"])
			}
		}
	}
	// From stdin, to stdout.
	code, stdout, stderr := tool(t, lines(x...), "apply", mesh, "-epsilon", "0.2", "-x", "-", "-out", "-")
	if code != 0 || len(strings.Split(stdout, "\n")) < len(x) {
		t.Errorf("exit %d, %d bytes, %s", code, len(stdout), stderr)
	}
}

// within reports whether an answer's polished cost lies in its interval.
func within(answer map[string]any) bool {
	ends, _ := answer["cost_polished_interval"].([]any)
	cost, there := answer["cost_polished"].(float64)
	return there && len(ends) == 2 && ends[0].(float64) <= cost && cost <= ends[1].(float64)
}

func TestThreadsAreRestored(t *testing.T) {
	before := runtime.GOMAXPROCS(0)
	ok(t, "info", file(t, "two.obj", twoTriangles), "-threads", "1")
	if after := runtime.GOMAXPROCS(0); after != before {
		t.Errorf("%d processors, before %d", after, before)
	}
}

func TestQuery(t *testing.T) {
	race.Alone(t)
	mesh := generated(t, "sphere.obj", "sphere", "-frequency", "6")
	n := 362
	source, target := make([]float64, n), make([]float64, n)
	source[5], source[9] = 0.25, 0.75
	target[100], target[200], target[300] = 0.5, 0.25, 0.25
	args := []string{"query", mesh, "-epsilon", "0.1", "-source", file(t, "a.txt", lines(source...)), "-target", file(t, "b.txt", lines(target...))}
	set := file(t, "set.txt", lines(200, 300, 1))
	for _, o := range []map[string]any{answer(t, append(args, "-set", set)...), answer(t, append(args, "-set", set, "-method", "dense")...)} {
		values := o["values"].([]any)
		sum := values[5].(float64) + values[9].(float64)
		if len(values) != n || math.Abs(sum-0.5) > 1e-9 || math.Abs(o["total"].(float64)-0.5) > 1e-9 || values[0] != 0. {
			t.Errorf("%d values, of them %v and %v, total %v", len(values), values[5], values[9], o["total"])
		}
	}
	if got := len(strings.Fields(ok(t, append(args, "-set", set)...))); got != n {
		t.Errorf("%d lines on stdout", got)
	}
	out := filepath.Join(t.TempDir(), "pv.txt")
	if text := ok(t, append(args, "-set", set, "-out", out)...); !strings.Contains(text, "\n  sum    0.") || len(numbers(t, out)) != n {
		t.Errorf("text %q, %d numbers", text, len(numbers(t, out)))
	}
	o := answer(t, append(args, "-row", "9", "-top", "2", "-precision", "float64")...)
	partners := o["partners"].([]any)
	first, second := partners[0].(map[string]any), partners[1].(map[string]any)
	if len(partners) != 2 || math.Abs(o["total"].(float64)-0.75) > 1e-9 || first["mass"].(float64) < second["mass"].(float64) {
		t.Errorf("%v", o)
	}
	if v := int(first["vertex"].(float64)); !slices.Contains([]int{100, 200, 300}, v) {
		t.Errorf("most mass goes to vertex %d", v)
	}
	if all := answer(t, append(args, "-row", "9", "-top", "0")...)["partners"].([]any); len(all) != 3 {
		t.Errorf("all partners: %v", all)
	}
	if none := answer(t, append(args, "-row", "0")...); none["total"] != 0. || len(none["partners"].([]any)) != 0 {
		t.Errorf("a vertex without mass: %v", none)
	}
	if code, stdout, stderr := tool(t, "", append(args, "-row", "5", "-iterations", "1")...); code != 3 || !strings.HasPrefix(stdout, "vertex ") || !strings.Contains(stderr, "has not converged: after 1 iteration ") || strings.Count(stderr, "\n") != 1 {
		t.Errorf("stopped early: exit %d, %q, %q", code, stdout, stderr)
	}
}

// Whatever is in a file: a result, or one line that names it and exit 1.
func TestBrokenFiles(t *testing.T) {
	count := map[int]int{}
	err := filepath.WalkDir(sharedData(t, "broken"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !slices.Contains([]string{".obj", ".off", ".ply", ".stl", ".glb", ".gltf"}, strings.ToLower(filepath.Ext(path))) {
			return err
		}
		code, stdout, stderr := tool(t, "", "info", path, "-json")
		count[code]++
		switch code {
		case 0:
			if stderr != "" || !json.Valid([]byte(stdout)) {
				t.Errorf("%s: stdout %q, stderr %q", path, stdout, stderr)
			}
		case 1:
			if stdout != "" || strings.Count(stderr, "\n") != 1 || !strings.HasPrefix(stderr, "genussink: "+path+": ") {
				t.Errorf("%s: stdout %q, stderr %q", path, stdout, stderr)
			}
		default:
			t.Errorf("%s: exit %d", path, code)
		}
		return nil
	})
	if err != nil || count[0] == 0 || count[1] == 0 {
		t.Errorf("%v, exits %v", err, count)
	}
}

func TestSharedMesh(t *testing.T) {
	eight := sharedData(t, "meshes", "cgal__eight.off")
	if o := answer(t, "info", eight); o["vertices"] != 315. || o["edges"] != 951. || o["genus"] != 2. {
		t.Errorf("%v", o)
	}
	exact := answer(t, "solve", eight, "-measures", "paper", "-epsilon", "0.2", "-precision", "float64")
	dense := answer(t, "solve", eight, "-measures", "paper", "-epsilon", "0.2", "-method", "dense")
	if relative(exact["cost"].(float64), dense["cost"].(float64)) > 1e-10 {
		t.Errorf("cost %v, dense %v", exact["cost"], dense["cost"])
	}
	if fox := answer(t, "info", filepath.Join(sharedData(t, "meshes", "draco__Fox"), "Fox.gltf")); fox["vertices"] != 290. {
		t.Errorf("external buffers: %v", fox)
	}
	if o := answer(t, "separate", sharedData(t, "meshes", "libigl__3holes.off"), "-levels", "3"); o["n"] != 3596. || !(o["s"].(float64) < 3*math.Sqrt(3596)) {
		t.Errorf("%v", o)
	}
}

// The barycentre of three vertices on a path, most of whose weight is in the middle, is there; costs are how far the others are.
func TestBarycentre(t *testing.T) {
	mesh := file(t, "path.gr", "p tw 5 4\n1 2\n2 3\n3 4\n4 5\n")
	a, b, c := file(t, "a.txt", lines(1, 0, 0, 0, 0)), file(t, "b.txt", lines(0, 0, 3, 0, 0)), file(t, "c.txt", lines(0, 0, 0, 0, 2))
	out := filepath.Join(t.TempDir(), "mean.txt")
	args := []string{"barycentre", mesh, a, b, c, "-epsilon", "0.05u", "-out", out}
	for _, method := range []string{"exact", "dense", "tree"} {
		o := answer(t, append(args, "-weights", "1,4,1", "-method", method)...)
		for name, want := range map[string]float64{"cost_1": 2, "cost_2": 0, "cost_3": 2} {
			if got := o[name].(float64); math.Abs(got-want) > 1e-3 {
				t.Errorf("%s: %s is %g", method, name, got)
			}
		}
		data, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		sum, numbers := 0.0, strings.Fields(string(data))
		for i, text := range numbers {
			x, err := strconv.ParseFloat(text, 64)
			if err != nil || i == 2 && x < 0.999 {
				t.Errorf("%s: value %d is %s, %v", method, i, text, err)
			}
			sum += x
		}
		if len(numbers) != 5 || math.Abs(sum-1) > 1e-12 {
			t.Errorf("%s: %d numbers of total %g", method, len(numbers), sum)
		}
	}
	if text := ok(t, args...); !strings.Contains(text, "from "+b) || !strings.Contains(text, "converged after") {
		t.Error(text)
	}
	// Of squared distance the barycentre of the path's ends is their mean, of distance any end or vertex between.
	squared := answer(t, "barycentre", mesh, a, c, "-weights", "3,1", "-kernel", "squared", "-epsilon", "0.3u", "-out", out)
	for name, want := range map[string]float64{"cost_1": 1, "cost_2": 3} {
		if got := squared[name].(float64); math.Abs(got-want) > 1e-3 {
			t.Errorf("squared: %s is %g", name, got)
		}
	}
	if mean := numbers(t, out); !(mean[1] > 0.999) {
		t.Errorf("squared: the barycentre is %v", mean)
	}
	refused(t, args, []wrong{
		{2, []string{"-weights", "1,2"}, "-weights has 2 numbers for 3 densities"},
		{2, []string{"-weights", "1,0,1"}, `"0" is not a positive number`},
		{1, []string{"-method", "auto"}, "take exact"},
		{3, []string{"-iterations", "1", "-epsilon", "1u"}, "has not converged"},
	})
}

// What follows -- are arguments, whatever they look like.
func TestArgumentsLikeFlags(t *testing.T) {
	t.Chdir(t.TempDir())
	ok(t, "generate", "torus", "-segments", "6", "-sides", "4", "-out", "mesh.off")
	if err := os.WriteFile("-a.txt", []byte(lines(slices.Repeat([]float64{1}, 24)...)), 0o600); err != nil {
		t.Fatal(err)
	}
	ok(t, "barycentre", "-epsilon", "0.2", "-out", "b.txt", "--", "mesh.off", "-a.txt", "-a.txt")
	if code, _, stderr := tool(t, "", "barycentre", "-out", "b.txt", "mesh.off", "-a.txt"); code != 2 || !strings.Contains(stderr, "not defined: -a.txt") {
		t.Errorf("exit %d, %s", code, stderr)
	}
}
