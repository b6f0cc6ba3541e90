package absent

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestSkipCounts(t *testing.T) {
	name := filepath.Join(t.TempDir(), "list")
	t.Setenv(list, name)
	for _, run := range []string{"one", "two"} {
		if !t.Run(run, func(t *testing.T) {
			Skip(t, errors.New("nothing there"))
			t.Error("goes on")
		}) {
			t.Error("a test that is left out fails")
		}
	}
	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	want := folder + " TestSkipCounts/one\n" + folder + " TestSkipCounts/two\n"
	if text, err := os.ReadFile(name); err != nil || string(text) != want {
		t.Errorf("%q, %v", text, err)
	}
}
