package core

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// module is the prefix of our own packages.
const module = "genussink/"

// A rule forbids the packages under prefix to depend on what it names, directly
// or through others.
type rule struct {
	prefix string   // import path prefix below the module
	except []string // packages inside it that the rule leaves alone
	bar    []string // import paths that must not be reached; with a stroke at the end, all below them
	why    string
}

var rules = []rule{
	{"core/", []string{"core/internal/shared/"}, []string{"syscall/js", "github.com/hajimehoshi/ebiten/", "net", "net/http", module + "viewer/", module + "wasm/", module + "cmd/"},
		"core is pure computation"},
	{"core/job", nil, []string{module + "core/"}, "both ends of a message link job, the page's end no solver"},
	{"core/paint", nil, []string{module + "core/"}, "the page paints as it shows"},
	{"core/session", nil, []string{module + "core/"}, "the page and the tool read the same sessions"},
	{"core/septree", nil, []string{module + "core/hub/", module + "core/hub", module + "core/linop"}, "a tree knows of cells, not of distances"},
	{"core/hub/label", nil, []string{module + "core/hub", module + "core/hub/tile", module + "core/hub/cover"}, "labels know distances, not who serves which pairs"},
	{"core/hub/tile", nil, []string{module + "core/hub", module + "core/hub/cover"}, "a tile knows rows, columns and hubs, not where they lie"},
	{"core/hub/cluster", nil, []string{module + "core/hub", module + "core/hub/cover"}, "clusters know distances, not who serves which pairs"},
	{"core/hub/cover", nil, []string{module + "core/hub"}, "a cover knows distances and no epsilon: one serves every kernel"},
	{"core/hub/loops", nil, []string{module + "core/hub"}, "loops know slices, not kernels"},
	{"core/hub/squared", nil, []string{module + "core/hub"}, "squared distance has pairs, not factors"},
	{"core/hub/logdomain", nil, []string{module + "core/hub"}, "the log domain knows distances, not factors"},
	{"core/", []string{"core/hub/hubtest"}, []string{module + "core/hub/hubtest"}, "what checks kernels stays in tests"},
	{"core/transport", nil, []string{module + "core/graph", module + "core/mesh", module + "core/shortest", module + "core/transport/"}, "transport solves over any kernel; what needs a graph stands beside it"},
	{"core/kernel", nil, []string{module + "core/graph", module + "core/mesh", module + "core/shortest", module + "core/linop", module + "core/hub/", module + "core/septree", "gonum.org/v1/gonum/mat"},
		"a kernel is a function of numbers and knows no graph; a Worker may link it, and mat is large"},
	{"core/benchmark", nil, []string{"gonum.org/v1/plot/", module + "core/experiment"}, "a Worker of the page links it"},
	{"core/engine", nil, []string{module + "core/benchmark", module + "core/baseline/published"}, "the page's ordinary Worker has no room for the methods of others"},
	{"core/measure", nil, []string{module + "core/graph", module + "core/mesh"}, "densities are numbers; preset makes those of a mesh"},
	{"viewer/", nil, []string{module + "wasm/", module + "cmd/", "gonum.org/", "github.com/qmuntal/", module + "core/"}, "presentation knows the engine by its messages only"},
	{"viewer/", []string{"viewer/app"}, []string{"github.com/hajimehoshi/ebiten/"}, "importing ebiten panics where there is no document"},
	{"wasm/worker", nil, []string{module + "core/benchmark"}, "what few ask for is fetched when they do"},
	{"wasm/published", nil, []string{"github.com/hajimehoshi/ebiten/"}, "a Worker has no document"},
	{"wasm/worker", nil, []string{"github.com/hajimehoshi/ebiten/"}, "a Worker has no document"},
	{"wasm/viewer", nil, []string{"gonum.org/", "github.com/qmuntal/", module + "core/"}, "the page's binary stays small"},
	{"cmd/", nil, []string{"github.com/hajimehoshi/ebiten/", "syscall/js"}, "the tool has no window"},
}

// allowed are the exceptions that every rule grants.
var allowed = []string{module + "core/job", module + "core/paint", module + "core/session"}

type pkg struct {
	ImportPath string
	Imports    []string
	Standard   bool
	Dir        string
	GoFiles    []string
}

// reached are the packages that start imports, itself or through packages that
// are not the standard library's, which may do within as it likes.
func reached(start string, packages map[string]pkg) []string {
	seen := map[string]bool{start: true}
	for queue := []string{start}; len(queue) > 0; queue = queue[1:] {
		p := packages[queue[0]]
		if p.Standard {
			continue
		}
		for _, i := range p.Imports {
			if !seen[i] {
				seen[i] = true
				queue = append(queue, i)
			}
		}
	}
	delete(seen, start)
	return slices.Sorted(maps.Keys(seen))
}

func violations(rules []rule, packages map[string]pkg) []string {
	var found []string
	for _, path := range slices.Sorted(maps.Keys(packages)) {
		if !strings.HasPrefix(path, module) {
			continue
		}
		name := strings.TrimPrefix(path, module)
		for _, r := range rules {
			if !under(name, r.prefix) || slices.ContainsFunc(r.except, func(e string) bool { return under(name, e) }) {
				continue
			}
			for _, dep := range reached(path, packages) {
				if !slices.Contains(allowed, dep) && slices.ContainsFunc(r.bar, func(b string) bool { return under(dep, b) }) {
					found = append(found, name+" reaches "+dep+": "+r.why)
				}
			}
		}
	}
	return found
}

// under reports whether path is the package that prefix names or, where that
// ends in a stroke, lies below it.
func under(path, prefix string) bool {
	return path == strings.TrimSuffix(prefix, "/") || strings.HasSuffix(prefix, "/") && strings.HasPrefix(path, prefix)
}

func list(t *testing.T, goos, goarch string) map[string]pkg {
	t.Helper()
	if packages := listed[goos]; packages != nil {
		return packages
	}
	cmd := exec.Command("go", "list", "-deps", "-json=ImportPath,Imports,Standard,Dir,GoFiles", "../...")
	cmd.Env = append(cmd.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, &stderr)
	}
	packages := map[string]pkg{}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pkg
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			listed[goos] = packages
			return packages
		} else if err != nil {
			t.Fatal(err)
		}
		packages[p.ImportPath] = p
	}
}

// listed are the packages of each platform that was asked for.
var listed = map[string]map[string]pkg{}

// What packages may import, for the native build and the page's.
func TestImports(t *testing.T) {
	if runtime.GOOS == "js" {
		t.Skip("go list does not run under js")
	}
	for _, platform := range [][2]string{{"linux", "amd64"}, {"js", "wasm"}} {
		packages := list(t, platform[0], platform[1])
		for _, r := range rules {
			// The page's programs exist for js alone.
			if strings.HasPrefix(r.prefix, "wasm/") && platform[0] != "js" {
				continue
			}
			found := false
			for path := range packages {
				found = found || under(strings.TrimPrefix(path, module), r.prefix)
			}
			if !found {
				t.Errorf("%s/%s: no package under %s: a rule about nothing", platform[0], platform[1], r.prefix)
			}
		}
		for _, v := range violations(rules, packages) {
			t.Errorf("%s/%s: %s", platform[0], platform[1], v)
		}
	}
}

// kernelMakers are the packages that only core/method and core/team make kernels with.
var kernelMakers = []string{"core/hub", "core/hub/cover", "core/treekernel", "core/sgfi", "core/treehost", "core/baseline", "core/quantized"}

// ownWays are the packages among users that make kernels themselves.
func ownWays(users []string, packages map[string]pkg) (found []string) {
	for _, user := range users {
		for _, dep := range packages[module+user].Imports {
			if slices.Contains(kernelMakers, strings.TrimPrefix(dep, module)) {
				found = append(found, user+" imports "+dep)
			}
		}
	}
	return found
}

// There is one way to a kernel: engine, bench and tool all go by core/method.
func TestOneWayToAKernel(t *testing.T) {
	if runtime.GOOS == "js" {
		t.Skip("go list does not run under js")
	}
	users := []string{"core/engine", "core/benchmark", "core/experiment", "cmd/genussink"}
	packages := list(t, "linux", "amd64")
	for _, found := range ownWays(users, packages) {
		t.Errorf("%s: kernels are made by core/method", found)
	}
	for _, user := range users {
		if !slices.Contains(reached(module+user, packages), module+"core/method") {
			t.Errorf("%s does not reach core/method", user)
		}
	}
	if len(ownWays([]string{"core/method"}, packages)) == 0 {
		t.Error("core/method makes no kernels: a rule about nothing")
	}
}

// Nothing in core opens a file itself: formats read from an io.Reader or an
// fs.FS. Only the finder and the reader of the shared test data may look at the
// disk.
func TestNoDisk(t *testing.T) {
	if runtime.GOOS == "js" {
		t.Skip("go list does not run under js")
	}
	for path, p := range list(t, "linux", "amd64") {
		if name := strings.TrimPrefix(path, module); under(name, "core/") && !under(name, "core/internal/shared/") && slices.Contains(p.Imports, "os") {
			t.Errorf("%s imports os", name)
		}
	}
}

// longest is the most lines that a package of core has, without its tests: what a reader can take in.
const longest = 2800

// long lists the packages of core that have too many lines, given the lines of each.
func long(lines map[string]int) (found []string) {
	for _, name := range slices.Sorted(maps.Keys(lines)) {
		if lines[name] > longest {
			found = append(found, fmt.Sprintf("%s has %d lines without tests, at most %d are allowed", name, lines[name], longest))
		}
	}
	return found
}

// The map of core has every package that no line of another names, each below those that it imports.
func TestMapIsInOrder(t *testing.T) {
	if runtime.GOOS == "js" {
		t.Skip("go list does not run under js")
	}
	text, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ = bytes.Cut(text, []byte("One line per package"))
	at := map[string]int{}
	for i, line := range strings.Split(string(text), "\n") {
		for _, word := range regexp.MustCompile(`[a-z]+(/[a-z]+)?`).FindAllString(strings.TrimPrefix(line, "//\t"), -1) {
			if _, known := at[word]; !known && strings.HasPrefix(line, "//\t") && (strings.HasPrefix(line, "//\t"+word+" ") || strings.Contains(word, "/")) {
				at[word] = i
			}
		}
	}
	for path, p := range list(t, "linux", "amd64") {
		name := strings.TrimPrefix(path, module+"core/")
		if name == path || strings.HasPrefix(name, "internal/") || strings.HasSuffix(name, "test") {
			continue
		}
		line, known := at[name]
		if !known {
			t.Errorf("core/doc.go has no line of %s", name)
		}
		for _, other := range p.Imports {
			if below := strings.TrimPrefix(other, module+"core/"); below != other && at[below] > line {
				t.Errorf("core/doc.go: %s stands above %s, which it imports", name, below)
			}
		}
	}
	if len(at) < 40 {
		t.Errorf("core/doc.go has lines of %d packages: this is no test of them", len(at))
	}
}

// No package of core is too long.
func TestLength(t *testing.T) {
	if runtime.GOOS == "js" {
		t.Skip("go list does not run under js")
	}
	lines := map[string]int{}
	for path, p := range list(t, "linux", "amd64") {
		name := strings.TrimPrefix(path, module)
		if p.Standard || !under(name, "core/") {
			continue
		}
		for _, f := range p.GoFiles {
			b, err := os.ReadFile(filepath.Join(p.Dir, f))
			if err != nil {
				t.Fatal(err)
			}
			lines[name] += bytes.Count(b, []byte("\n"))
		}
	}
	if len(lines) < 10 {
		t.Fatalf("%d packages: this is no test of them", len(lines))
	}
	for _, l := range long(lines) {
		t.Error(l)
	}
	if found := long(map[string]int{"core/x": longest, "core/y": longest + 1}); len(found) != 1 || !strings.Contains(found[0], "core/y") {
		t.Errorf("of a package at the limit and one beyond: %v", found)
	}
}

// The gate can fail.
func TestImportsFinds(t *testing.T) {
	world := func(path string, imports ...string) map[string]pkg {
		return map[string]pkg{
			path:                 {ImportPath: path, Imports: imports},
			"elsewhere/x":        {ImportPath: "elsewhere/x", Imports: []string{"net/http", "gonum.org/v1/gonum/mat"}},
			"elsewhere/y":        {ImportPath: "elsewhere/y", Imports: []string{module + "core/mesh"}},
			"os":                 {ImportPath: "os", Imports: []string{"syscall/js"}, Standard: true},
			module + "core/mesh": {ImportPath: module + "core/mesh"},
		}
	}
	for path, imports := range map[string][]string{
		module + "core/sgfi":      {"fmt", "syscall/js"},
		module + "core/linop":     {"elsewhere/x"},
		module + "core/transport": {"elsewhere/y"},
		module + "viewer/scene":   {"github.com/hajimehoshi/ebiten/v2"},
		module + "viewer/app":     {module + "core/mesh"},
		module + "core/job":       {module + "core/mesh"},
		module + "core/kernel":    {module + "core/mesh"},
		module + "wasm/viewer":    {module + "core/job", "elsewhere/x"},
	} {
		if len(violations(rules, world(path, imports...))) == 0 {
			t.Errorf("%s with %v passes", path, imports)
		}
	}
	for path, imports := range map[string][]string{
		module + "viewer/app": {"github.com/hajimehoshi/ebiten/v2", module + "core/job"},
		module + "core/sgfi":  {"fmt", "os", "net/url"},
	} {
		if v := violations(rules, world(path, imports...)); len(v) > 0 {
			t.Errorf("allowed imports are refused: %v", v)
		}
	}
}
