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
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

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
		{[]string{"query", mesh, "-marginals", "-1"}, "numbered from 1"},
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
		{[]string{"query", mesh, "-epsilon", "1", "-measures", "paper", "-row", "1", "-set", "s"}, "needs one of -set FILE, -row"},
		{[]string{"query", mesh, "-epsilon", "1", "-measures", "paper", "-row", "1", "-top", "-1"}, "-top -1"},
		{[]string{"query", mesh, "-epsilon", "1", "-measures", "paper", "-row", "4294967296"}, "not a vertex number"},
		{[]string{"query", mesh, "-epsilon", "1", "-measures", "paper", "-map", "-sample", "3"}, "needs one of"},
		{[]string{"query", mesh, "-epsilon", "1", "-measures", "paper", "-entry", "3"}, "-entry 3"},
		{[]string{"query", mesh, "-epsilon", "1", "-measures", "paper", "-entry", "3,x"}, "-entry 3,x"},
		{[]string{"query", mesh, "-epsilon", "1", "-measures", "paper", "-between", "a"}, "-between a"},
		{[]string{"query", mesh, "-epsilon", "1", "-measures", "paper", "-map", "-transpose"}, "-transpose needs -set"},
		{[]string{"query", mesh, "-epsilon", "1", "-measures", "paper", "-map", "-distances"}, "-distances needs -row or -column"},
		{[]string{"solve", mesh, "-epsilon", "1", "-measures", "paper", "-method", "sampled", "-portals", "all"}, "-portals all"},
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

// The cost of a plan that polishing was interrupted in is printed all the same, and files are written; quantized is polished only when asked.
func TestPolishInterrupted(t *testing.T) {
	mesh := generated(t, "torus.obj", "torus", "-segments", "80", "-sides", "40")
	potentials := filepath.Join(t.TempDir(), "potentials.txt")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() { // the potentials are there before polishing begins
		for ctx.Err() == nil {
			if _, err := os.Stat(potentials); err == nil {
				cancel()
			}
			time.Sleep(time.Millisecond)
		}
	}()
	var stdout, stderr bytes.Buffer
	code := run(ctx, &output.Set{}, []string{"solve", mesh, "-measures", "paper", "-epsilon", "0.1", "-method", "sampled", "-polish", "full", "-w1", "-potentials", potentials, "-json"}, nil, &stdout, &stderr)
	var o map[string]any
	if err := json.Unmarshal(stdout.Bytes(), &o); err != nil || code != 1 || o["cost"] == nil || o["w1"] != nil || !strings.Contains(stderr.String(), "interrupted; saved: "+potentials) {
		t.Errorf("exit %d, %v, stdout %.300q, stderr %q", code, err, &stdout, &stderr)
	}
	if o := answer(t, "solve", mesh, "-measures", "paper", "-epsilon", "0.1", "-method", "quantized"); o["cost_polished"] != nil || o["estimate"] == nil || !strings.Contains(o["cost_polished_why"].(string), "estimates what the exact plan costs") {
		t.Errorf("quantized: %v", o)
	}
	if o := answer(t, "solve", mesh, "-measures", "paper", "-epsilon", "0.1", "-method", "quantized", "-polish", "quick"); o["cost_polished"] == nil {
		t.Errorf("quantized, polished: %v", o)
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
	if got, want := ok(t, "distance", mesh, "1", "2", "-json"), `{"length":5,"path":[1,2]}`+"\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := ok(t, "distance", mesh, "1", "6", "-json"), `{"length":null,"path":[]}`+"\n"; got != want {
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

// By -polish: nothing, something in a quarter of the time, or all; and nothing of a solve that has not converged.
func TestSolvePolishes(t *testing.T) {
	race.Alone(t)
	mesh := generated(t, "sphere.ply", "sphere", "-frequency", "12")
	run := func(flags ...string) map[string]any {
		return answer(t, append([]string{"solve", mesh, "-measures", "paper", "-epsilon", "0.1", "-method", "sampled"}, flags...)...)
	}
	width := func(a map[string]any) float64 {
		ends := a["cost_polished_interval"].([]any)
		return ends[1].(float64) - ends[0].(float64)
	}
	off, quick, full := run("-polish", "off"), run(), run("-polish", "full")
	polish := func(a map[string]any) float64 { return a["seconds"].(map[string]any)["polish"].(float64) }
	if off["cost_polished"] != nil || off["cost_polished_interval"] != nil || off["cost_polished_why"] != "-polish off" || polish(off) != 0 {
		t.Errorf("off: %v", off)
	}
	if !within(quick) || !within(full) || width(full) > 1e-5*full["cost_polished"].(float64) || width(quick) < width(full) || full["cost_polished_why"] != nil || !(polish(full) > 0) {
		t.Errorf("quick %v, full %v", quick, full)
	}
	ends := quick["cost_polished_interval"].([]any)
	if truth := full["cost_polished"].(float64); ends[0].(float64) > truth || ends[1].(float64) < truth || truth >= full["cost"].(float64) {
		t.Errorf("quick %v, in full %g of %v", ends, truth, full["cost"])
	}
	code, stdout, stderr := tool(t, "", "solve", mesh, "-measures", "paper", "-epsilon", "0.1", "-iterations", "1", "-json")
	if code != 3 || !strings.Contains(stderr, mesh+": the solve has not converged: after 1 iteration ") || strings.Count(stderr, "\n") != 1 {
		t.Errorf("not converged: exit %d, %q", code, stderr)
	}
	var early map[string]any
	if err := json.Unmarshal([]byte(stdout), &early); err != nil {
		t.Fatal(err)
	}
	if why, _ := early["cost_polished_why"].(string); early["status"] != "iterations" || early["cost_polished"] != nil || early["cost_polished_interval"] != nil || !strings.Contains(why, "before it converged") {
		t.Errorf("not converged: %v", early)
	}
	if code, _, stderr := tool(t, "", "solve", mesh, "-measures", "paper", "-epsilon", "0.1", "-polish", "much"); code != 2 || !strings.Contains(stderr, "-polish much") {
		t.Errorf("exit %d, %s", code, stderr)
	}
}

func TestSolve(t *testing.T) {
	race.Alone(t)
	mesh := generated(t, "sphere.ply", "sphere", "-frequency", "7")
	potentials := filepath.Join(t.TempDir(), "p.txt")
	exact := answer(t, "solve", mesh, "-measures", "paper", "-epsilon", "0.1", "-precision", "float64", "-potentials", potentials, "-threads", "2")
	dense := answer(t, "solve", mesh, "-measures", "paper", "-epsilon", "0.1", "-method", "dense")
	if r := relative(exact["cost"].(float64), dense["cost"].(float64)); r > 1e-10 {
		t.Errorf("cost %v, dense %v", exact["cost"], dense["cost"])
	}
	short := answer(t, "solve", mesh, "-measures", "paper", "-epsilon", "0.1")
	if r := relative(short["cost"].(float64), dense["cost"].(float64)); r > 1e-6 || short["precision"] != "float32" || exact["precision"] != "float64" ||
		!(short["bound"].(float64) > 0) || short["distance_error"].(map[string]any)["within_bound"] != true || exact["bound"] != 0. || exact["distance_error"] != nil ||
		short["cost_polished"] != short["cost"] || !within(short) || !within(exact) || math.Signbit(short["distance_error"].(map[string]any)["least_seen"].(float64)) {
		t.Errorf("%v; with float64 %v", short, exact)
	}
	tree := answer(t, "solve", mesh, "-measures", "paper", "-epsilon", "0.1", "-method", "tree")
	if r := relative(tree["cost"].(float64), dense["cost"].(float64)); r > 1e-10 || tree["method"] != "tree" {
		t.Errorf("cost %v by %v, dense %v", tree["cost"], tree["method"], dense["cost"])
	}
	for _, method := range []string{"tree", "sampled"} {
		if shallow := answer(t, "solve", mesh, "-measures", "paper", "-epsilon", "0.1", "-method", method, "-levels", "1"); shallow["depth"] != 1. || exact["depth"] != nil || !(tree["depth"].(float64) > 1) {
			t.Errorf("%s: depth %v; at will %v, of exact %v", method, shallow["depth"], tree["depth"], exact["depth"])
		}
	}
	ring := generated(t, "ring.ply", "torus", "-minor", "0.2", "-segments", "240", "-sides", "6") // on which a delta of 1 % pays
	matrix := answer(t, "solve", ring, "-measures", "paper", "-epsilon", "0.1", "-method", "dense")
	certified := answer(t, "solve", ring, "-measures", "paper", "-epsilon", "0.1", "-method", "certified", "-delta", "0.01", "-polish", "full")
	if bound := certified["bound"].(float64); !(bound > 0) || certified["delta"] != bound || certified["width"] != nil || exact["delta"] != nil || dense["delta"] != nil || dense["bound"] != 0. ||
		relative(certified["cost_polished"].(float64), matrix["cost"].(float64)) > 1e-4 || !within(certified) || certified["distance_error"].(map[string]any)["within_bound"] != true ||
		math.Abs(certified["dual"].(float64)-matrix["dual"].(float64)) > bound {
		t.Errorf("certified %v, dense %v", certified, matrix)
	}
	embedded := answer(t, "solve", mesh, "-measures", "paper", "-epsilon", "0.1", "-method", "embedded", "-delta", "0.1")
	if bound := embedded["bound"].(float64); !(bound > 0) || !(embedded["width"].(float64) > 0) || embedded["distance_error"].(map[string]any)["within_bound"] != true ||
		!(embedded["dual"].(float64) >= dense["dual"].(float64) && embedded["dual"].(float64) <= dense["dual"].(float64)+bound) {
		t.Errorf("embedded %v, dense %v", embedded, dense)
	}
	// What there is none of is null, and what was seen of sampled's distances is no bound.
	sampled := answer(t, "solve", mesh, "-measures", "paper", "-epsilon", "0.1", "-method", "sampled")
	seen, _ := sampled["distance_error"].(map[string]any)
	for key, value := range map[string]any{
		"bound": sampled["bound"], "delta": sampled["delta"], "width": sampled["width"], "within_bound": seen["within_bound"],
	} {
		if value != nil {
			t.Errorf("sampled: %s is %v, not null", key, value)
		}
	}
	if seen["rows_seen"] != 8. || !(seen["largest_relative_seen"].(float64) > 0) {
		t.Errorf("sampled: %v", seen)
	}
	applied := answer(t, "apply", mesh, "-epsilon", "0.1", "-method", "sampled", "-x", file(t, "x.txt", lines(make([]float64, 492)...)), "-out", filepath.Join(t.TempDir(), "y.txt"))
	if applied["bound"] != nil || applied["delta"] != nil {
		t.Errorf("sampled: a product with %v", applied)
	}
	for _, s := range []map[string]any{exact, dense, short, tree, certified, embedded, sampled} {
		primal, dual, gap := s["primal"].(float64), s["dual"].(float64), s["gap"].(float64)
		if lower := s["lower_bound"].(float64); math.Abs(primal-dual-gap) > 1e-12*primal || !(dual > 0) || !(primal >= s["cost"].(float64)) || !(lower > 0 && lower <= dense["cost"].(float64)) {
			t.Errorf("%s: %v", s["method"], s)
		}
	}
	many := answer(t, "solve", mesh, "-measures", "paper", "-epsilon", "0.1", "-threads", "1000000")
	if int(many["threads"].(float64)) != runtime.NumCPU() {
		t.Errorf("a million threads are %v, there are %d processors", many["threads"], runtime.NumCPU())
	}
	var keys []string
	for _, key := range []string{"vertices", "edges", "epsilon", "delta", "method", "kernel", "status", "iterations", "marginal_error",
		"cost", "cost_polished", "cost_polished_interval", "lower_bound", "primal", "dual", "gap", "bound", "width", "depth", "distance_error", "seconds", "memory_bytes", "peak_bytes", "threads"} {
		if _, there := exact[key]; !there {
			keys = append(keys, key)
		}
	}
	if keys != nil {
		t.Errorf("the answer lacks %v", keys)
	}
	if exact["status"] != "converged" || exact["threads"] != 2. || exact["vertices"] != 492. || !(exact["memory_bytes"].(float64) > 0) ||
		!(exact["peak_bytes"].(float64) > exact["memory_bytes"].(float64)) {
		t.Errorf("%v", exact)
	}
	seconds := exact["seconds"].(map[string]any)
	sum := 0.0
	for _, stage := range []string{"load", "tree", "labels", "tiles", "kernel", "coarse", "solve", "examine", "polish"} {
		sum += seconds[stage].(float64)
	}
	if without := sum - seconds["polish"].(float64); relative(sum, seconds["total"].(float64)) > 1e-9 || relative(without, seconds["total_without_polish"].(float64)) > 1e-9 {
		t.Errorf("the stages take %g s, the whole %v and without polishing %v", sum, seconds["total"], seconds["total_without_polish"])
	}
	if p := numbers(t, potentials); len(p) != 2*492 {
		t.Errorf("%d potentials", len(p))
	}

	// The same densities from files, of another total.
	ones := make([]float64, 492)
	for i := range ones {
		ones[i] = 3
	}
	uniform := file(t, "u.txt", lines(ones...))
	byName := answer(t, "solve", mesh, "-measures", "uniform", "-epsilon", "0.1")
	byFile := answer(t, "solve", mesh, "-source", uniform, "-target", uniform, "-epsilon", "0.1")
	if relative(byName["cost"].(float64), byFile["cost"].(float64)) > 1e-12 {
		t.Errorf("cost by name %v, by file %v", byName["cost"], byFile["cost"])
	}
	if code, text, _ := tool(t, "", "solve", mesh, "-measures", "paper", "-epsilon", "0.1", "-iterations", "2"); code != 3 || !regexp.MustCompile(`\n  status +not converged after 2 iterations`).MatchString(text) {
		t.Errorf("two iterations: exit %d, %s", code, text)
	}
	if text := ok(t, "solve", mesh, "-measures", "paper", "-epsilon", "0.1", "-v"); !regexp.MustCompile(`\nstatus +converged\n`).MatchString(text) || !regexp.MustCompile(`\nseconds.kernel +\d`).MatchString(text) ||
		!regexp.MustCompile(`\nwidth +none\n`).MatchString(text) || !strings.Contains(text, "distance_error.largest_seen") {
		t.Errorf("text:\n%s", text)
	}
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

// The unregularised optimum lies between the lower bound and every entropic cost, which comes down to it as epsilon does.
func TestMinimum(t *testing.T) {
	mesh := generated(t, "torus.obj", "torus", "-segments", "24", "-sides", "12")
	last := math.Inf(1)
	for _, epsilon := range []string{"0.2", "0.02", "0.005"} {
		o := answer(t, "solve", mesh, "-measures", "two-spots", "-epsilon", epsilon, "-w1")
		w1, above := o["w1"].(float64), o["above_w1"].(float64)
		if o["lower_bound"].(float64) > w1*(1+1e-9) || !(above > 0 && above < last) || relative(o["primal"].(float64), w1*(1+above)) > 1e-12 {
			t.Errorf("epsilon %s: lower bound %v, w1 %v, primal %v, %v above", epsilon, o["lower_bound"], w1, o["primal"], above)
		}
		last = above
	}
	if last > 0.05 {
		t.Errorf("at the smallest epsilon the entropic cost is %g above", last)
	}
	if text := ok(t, "solve", mesh, "-measures", "two-spots", "-epsilon", "0.2", "-w1"); !strings.Contains(text, "the least of all plans; the entropic cost is") {
		t.Error(text)
	}
	if o := answer(t, "solve", mesh, "-measures", "two-spots", "-epsilon", "0.2"); o["w1"] != nil || o["above_w1"] != nil {
		t.Errorf("without -w1: %v, %v", o["w1"], o["above_w1"])
	}
}

// With a reach totals may differ, in all and in a component, and what lies alone is destroyed or created.
func TestReach(t *testing.T) {
	mesh := file(t, "two.obj", twoTriangles)
	source, target := file(t, "a.txt", lines(1, 0, 0, 1, 0, 0, 0)), file(t, "b.txt", lines(0, 1, 0, 0, 0, 0, 3))
	args := []string{"solve", mesh, "-source", source, "-target", target, "-epsilon", "1u"}
	if code, _, stderr := tool(t, "", args...); code != 1 || !strings.Contains(stderr, "-reach lets them differ") {
		t.Errorf("balanced: exit %d, %s", code, stderr)
	}
	for _, method := range []string{"exact", "tree", "dense"} {
		o := answer(t, append(args, "-reach", "2u", "-method", method)...)
		// Of halves at a distance of 3, x moves: 3 + epsilon log(x m/(0.5 0.5)) + 2 reach log(x/0.5) = 0.
		m := math.Sqrt(1 * 2)
		x := math.Exp((-3 - math.Log(4*m) - 4*math.Log(2)) / 5)
		if o["status"] != "converged" || o["reach"] != 2.0 || relative(o["cost"].(float64), 3*x) > 1e-6 || relative(o["destroyed"].(float64), 1-x) > 1e-6 || relative(o["created"].(float64), 2-x) > 1e-6 || o["lower_bound"] != nil || o["cost_polished"] != nil {
			t.Errorf("%s: %v, %g should move", method, o, x)
		}
	}
	if text := ok(t, append(args, "-reach", "2u")...); !strings.Contains(text, "with a reach of 2; of the source's mass") || strings.Contains(text, "lower bound") {
		t.Error(text)
	}
	if o := answer(t, "solve", mesh, "-measures", "uniform", "-epsilon", "1u"); o["reach"] != nil || o["destroyed"] != nil {
		t.Errorf("balanced: %v", o)
	}
	for _, flags := range [][]string{{"-reach", "0"}, {"-reach", "-1"}, {"-reach", "1", "-method", "auto"}, {"-reach", "1", "-balance"}, {"-reach", "1", "-w1"}} {
		if code, _, stderr := tool(t, "", append(args, flags...)...); code != 2 || !strings.Contains(stderr, "reach") {
			t.Errorf("%v: exit %d, %s", flags, code, stderr)
		}
	}
}

// The divergence is 0 from a density to itself, whatever epsilon is, and less than the entropic cost elsewhere.
func TestDebias(t *testing.T) {
	mesh := generated(t, "torus.obj", "torus", "-segments", "24", "-sides", "12")
	density := make([]float64, 24*12)
	for v := range density {
		density[v] = float64(v % 5)
	}
	path := file(t, "a.txt", lines(density...))
	for _, epsilon := range []string{"0.2", "0.05"} {
		o := answer(t, "solve", mesh, "-source", path, "-target", path, "-epsilon", epsilon, "-debias")
		if primal := o["primal"].(float64); math.Abs(o["divergence"].(float64)) > 1e-7*primal || !(primal > 0) {
			t.Errorf("epsilon %s: %v of %v to itself", epsilon, o["divergence"], primal)
		}
		o = answer(t, "solve", mesh, "-measures", "two-spots", "-epsilon", epsilon, "-debias")
		if d := o["divergence"].(float64); !(d > 0.1*o["primal"].(float64) && d < o["primal"].(float64)) || !(o["divergence_within"].(float64) < 1e-6*d) {
			t.Errorf("epsilon %s: %v within %v, primal %v", epsilon, d, o["divergence_within"], o["primal"])
		}
	}
	if text := ok(t, "solve", mesh, "-measures", "two-spots", "-epsilon", "0.2", "-debias"); !strings.Contains(text, "the entropic cost, debiased") {
		t.Error(text)
	}
	for _, flags := range [][]string{{"-reach", "1"}, {"-method", "quantized"}} {
		if code, _, stderr := tool(t, "", append([]string{"solve", mesh, "-measures", "paper", "-epsilon", "0.2", "-debias"}, flags...)...); code != 2 || !strings.Contains(stderr, "-debias") {
			t.Errorf("%v: exit %d, %s", flags, code, stderr)
		}
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

// Plans of other kernels have the densities as their marginals and cost at least the optimum, exact and certified agree, and what a
// kernel cannot do is refused with its reason.
func TestSolveOtherKernels(t *testing.T) {
	mesh := filepath.Join(t.TempDir(), "mesh.off")
	ok(t, "generate", "torus", "-segments", "16", "-sides", "8", "-out", mesh)
	args := []string{"solve", mesh, "-measures", "two-spots", "-epsilon", "0.1"}
	for _, name := range []string{"inverse", "cauchy:lambda=-0.5,c=2,p=2", "squared"} {
		o := answer(t, append(args, "-kernel", name, "-w1")...)
		cost, w1 := o["cost"].(float64), o["w1"].(float64)
		if o["kernel"] != name || !(o["kernel_error"].(float64) <= 1e-10) || o["status"] != "converged" || !(o["marginal_error"].(float64) <= 1e-6) || !(cost >= w1) {
			t.Errorf("%s: %v", name, o)
		}
		if o["above_w1"] != nil || o["lower_bound"] != nil || o["cost_polished"] != nil {
			t.Errorf("%s has figures that are of exp: %v", name, o)
		}
		near := answer(t, append(args, "-kernel", name, "-method", "certified", "-delta", "0.001")...)
		if c := near["cost"].(float64); !(math.Abs(c-cost) <= 0.01*cost) {
			t.Errorf("%s: certified costs %g, exact %g", name, c, cost)
		}
		entry := answer(t, append([]string{"query"}, append(args[1:], "-kernel", name, "-entry", "30,77")...)...)["mass"].(float64)
		row := answer(t, append([]string{"query"}, append(args[1:], "-kernel", name, "-row", "30", "-top", "0")...)...)["partners"].([]any)
		if !slices.ContainsFunc(row, func(p any) bool { o := p.(map[string]any); return o["vertex"] == 77. && o["mass"] == entry }) {
			t.Errorf("%s: the entry %g is not in the row", name, entry)
		}
		if text := ok(t, append(args, "-kernel", name)...); !strings.Contains(text, name+" of distance over epsilon, wrong by at most") {
			t.Error(text)
		}
	}
	refused(t, args, []wrong{
		{1, []string{"-kernel", "poly:1,-1"}, "kernel poly:1,-1: it is zero or within rounding of it near x = 1"},
		{2, []string{"-kernel", "squared:2"}, "kernel squared takes no parameters"},
		{2, []string{"-kernel", "squared", "-method", "tree"}, "the method tree has exp alone"},
		{2, []string{"-kernel", "inverse", "-method", "quantized"}, "the method quantized has exp alone"},
		{2, []string{"-kernel", "cauchy:c=-1"}, "-kernel cauchy:c=-1"},
		{1, []string{"-kernel", "inverse", "-reach", "0.1"}, "a reach and debiasing are of exp alone"},
	})
}
