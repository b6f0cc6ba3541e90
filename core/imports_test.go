package core

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// module is the prefix of our own packages.
const module = "genussink/"

// A rule forbids the packages under room to depend on what it names, directly
// or through others.
type rule struct {
	room   string   // import path prefix below the module
	except []string // rooms inside it that the rule leaves alone
	bar    []string // import path prefixes that must not be reached
	why    string
}

var rules = []rule{
	{"core/", nil, []string{"syscall/js", "github.com/hajimehoshi/ebiten", "net", "net/http", module + "viewer", module + "wasm", module + "cmd"},
		"core is pure computation"},
	{"core/job", nil, []string{module + "core/"}, "both ends of a message link job, the page's end no solver"},
	{"viewer/", nil, []string{module + "wasm", module + "cmd", "gonum.org/", "github.com/qmuntal/", module + "core/"}, "presentation knows the engine by its messages only"},
	{"viewer/", []string{"viewer/app"}, []string{"github.com/hajimehoshi/ebiten"}, "importing ebiten panics where there is no document"},
	{"wasm/worker", nil, []string{"github.com/hajimehoshi/ebiten"}, "a Worker has no document"},
	{"wasm/viewer", nil, []string{"gonum.org/", "github.com/qmuntal/", module + "core/"}, "the page's binary stays small"},
	{"cmd/", nil, []string{"github.com/hajimehoshi/ebiten", "syscall/js"}, "the tool has no window"},
}

// allowed are the exceptions that every rule grants.
var allowed = []string{module + "core/job"}

type pkg struct {
	ImportPath string
	Deps       []string
}

func violations(rules []rule, packages []pkg) []string {
	var found []string
	for _, p := range packages {
		path := strings.TrimPrefix(p.ImportPath, module)
		for _, r := range rules {
			if !under(path, r.room) || slices.ContainsFunc(r.except, func(e string) bool { return under(path, e) }) {
				continue
			}
			for _, dep := range p.Deps {
				if dep == p.ImportPath || slices.Contains(allowed, dep) {
					continue
				}
				if slices.ContainsFunc(r.bar, func(b string) bool { return under(dep, b) }) {
					found = append(found, path+" reaches "+dep+": "+r.why)
				}
			}
		}
	}
	return found
}

// under reports whether path is the package or folder that prefix names, or
// lies below it.
func under(path, prefix string) bool {
	prefix = strings.TrimSuffix(prefix, "/")
	return path == prefix || strings.HasPrefix(path, prefix+"/")
}

func list(t *testing.T, goos, goarch string) []pkg {
	t.Helper()
	cmd := exec.Command("go", "list", "-deps=false", "-json=ImportPath,Deps", "../...")
	cmd.Env = append(cmd.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, &stderr)
	}
	var packages []pkg
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pkg
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return packages
		} else if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
}

// The doors between the rooms, for the native build and the page's.
func TestImports(t *testing.T) {
	if runtime.GOOS == "js" {
		t.Skip("go list does not run under js")
	}
	for _, platform := range [][2]string{{"linux", "amd64"}, {"js", "wasm"}} {
		packages := list(t, platform[0], platform[1])
		for _, r := range rules {
			if !slices.ContainsFunc(packages, func(p pkg) bool { return under(strings.TrimPrefix(p.ImportPath, module), r.room) }) {
				t.Errorf("%s/%s: no package under %s: a rule about nothing", platform[0], platform[1], r.room)
			}
		}
		for _, v := range violations(rules, packages) {
			t.Errorf("%s/%s: %s", platform[0], platform[1], v)
		}
	}
}

// The gate can fail.
func TestImportsFinds(t *testing.T) {
	bad := []pkg{
		{module + "core/mesh", []string{"fmt", "syscall/js"}},
		{module + "viewer/scene", []string{"github.com/hajimehoshi/ebiten/v2"}},
		{module + "core/job", []string{module + "core/graph"}},
		{module + "wasm/viewer", []string{module + "core/job", "gonum.org/v1/gonum/mat"}},
	}
	for _, p := range bad {
		if len(violations(rules, []pkg{p})) == 0 {
			t.Errorf("%s with %v passes", p.ImportPath, p.Deps)
		}
	}
	good := []pkg{
		{module + "viewer/app", []string{"github.com/hajimehoshi/ebiten/v2", module + "core/job"}},
		{module + "core/mesh", []string{"fmt", "math"}},
	}
	if v := violations(rules, good); len(v) > 0 {
		t.Errorf("allowed imports are refused: %v", v)
	}
}
