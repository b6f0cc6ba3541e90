// Package shared finds the real meshes, road graphs and treewidth instances
// that stand beside the repository and are not part of it, and says which tests
// are long. Only tests use it.
package shared

import (
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"

	"genussink/internal/absent"
)

// Path returns the path of a file or folder below shared/data, which lies
// beside the repository. Where it is absent the test is skipped, and says so.
func Path(t testing.TB, elem ...string) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		up := filepath.Dir(dir)
		if up == dir {
			t.Fatal("shared: no go.mod above the test")
		}
		dir = up
	}
	path := filepath.Join(append([]string{filepath.Dir(dir), "shared", "data"}, elem...)...)
	if _, err := os.Stat(path); err != nil {
		absent.Skip(t, err)
	}
	return path
}

// Long leaves the test out under -short, as the runs with the race detector and as WebAssembly are: there it would
// take minutes and, after shorter tests of the same code, have nothing more to find.
func Long(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("left out under -short")
	}
}

// OneProcessor gives the rest of the test one processor. Some tests measure the time that one takes. Others solve many small problems, where a second
// processor does not help. Tests of core/internal/parallel check how processors share work.
func OneProcessor(t testing.TB) {
	before := runtime.GOMAXPROCS(1)
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
}

// Draws makes rapid draw so many cases for the rest of the test, a fifth of them under -short, unless RAPID_CHECKS or -rapid.checks
// asks for another number, as `make thorough` does. It is for properties each case of which is dear: how many are drawn is arbitrary.
func Draws(t testing.TB, cases int) {
	t.Helper()
	checks := flag.Lookup("rapid.checks")
	if checks == nil {
		t.Fatal("shared: Draws: no test of this package imports rapid")
	}
	asked := os.Getenv("RAPID_CHECKS") != ""
	flag.Visit(func(f *flag.Flag) { asked = asked || f == checks })
	if asked {
		return
	}
	set := func(value string) {
		if err := checks.Value.Set(value); err != nil {
			t.Fatal(err)
		}
	}
	usual := checks.Value.String()
	set(strconv.Itoa(cases))
	t.Cleanup(func() { set(usual) })
}
