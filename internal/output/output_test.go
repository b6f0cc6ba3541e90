package output

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// holds fails unless the folder has exactly the named files, with that content.
func holds(t *testing.T, dir string, want map[string]string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if _, ok := want[e.Name()]; !ok {
			t.Errorf("%s was left behind", e.Name())
		}
	}
	for name, content := range want {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != content {
			t.Errorf("%s: %q, %v, want %q", name, got, err, content)
		}
	}
}

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a.txt")
	var files Set
	for _, s := range []string{"new", "newer", ""} {
		if err := files.Write(name, text(s)); err != nil {
			t.Fatal(err)
		}
		holds(t, dir, map[string]string{"a.txt": s})
	}
	if err := os.Chmod(name, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := files.Write(name, text("again")); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("permissions %v, %v: want those of the file before", info.Mode(), err)
	}
	if saved := strings.Join(files.Saved(), " "); saved != strings.Repeat(name+" ", 3)+name {
		t.Errorf("saved %q", saved)
	}
}

// A write that fails after any number of bytes leaves the old content, or no
// file, and nothing else.
func TestWriteFails(t *testing.T) {
	fault := errors.New("no more")
	for _, old := range []string{"", "old content"} {
		for bytes := range 40 {
			dir := t.TempDir()
			want := map[string]string{}
			if old != "" {
				want["a.txt"] = old
				if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte(old), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			var files Set
			err := files.Write(filepath.Join(dir, "a.txt"), func(w io.Writer) error {
				if _, err := io.WriteString(w, strings.Repeat("x", bytes)); err != nil {
					return err
				}
				return fault
			})
			if !errors.Is(err, fault) || len(files.Saved()) > 0 {
				t.Errorf("%v, saved %v", err, files.Saved())
			}
			holds(t, dir, want)
		}
	}
}

// A writer that panics leaves nothing behind either.
func TestWritePanics(t *testing.T) {
	dir := t.TempDir()
	func() {
		defer func() { _ = recover() }()
		_ = new(Set).Write(filepath.Join(dir, "a.txt"), func(io.Writer) error { panic("a fault") })
	}()
	holds(t, dir, nil)
}

func TestEnd(t *testing.T) {
	dir := t.TempDir()
	var files Set
	f, err := files.Create(filepath.Join(dir, "a.txt"))
	if err != nil {
		t.Fatal(err)
	}
	files.End()
	holds(t, dir, nil)
	if err := f.Commit(); err == nil {
		t.Error("a file was committed after the end")
	}
	if err := files.Write(filepath.Join(dir, "b.txt"), text("b")); err == nil {
		t.Error("a file was written after the end")
	}
	holds(t, dir, nil)
}

func TestCheck(t *testing.T) {
	dir := t.TempDir()
	var files Set
	name := filepath.Join(dir, "a.txt")
	if err := files.Check(name); err != nil {
		t.Error(err)
	}
	holds(t, dir, nil)
	if err := os.WriteFile(name, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := files.Check(name); err != nil {
		t.Error(err)
	}
	holds(t, dir, map[string]string{"a.txt": "old"})
	for _, bad := range []string{dir, filepath.Join(dir, "none", "a.txt"), filepath.Join(name, "b.txt")} {
		if err := files.Check(bad); err == nil {
			t.Errorf("%s can be written", bad)
		}
	}
}

// A link stays a link: what it leads to is replaced.
func TestWriteLink(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	target, link := filepath.Join(other, "target.txt"), filepath.Join(dir, "link.txt")
	if err := os.WriteFile(target, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, link); err != nil {
		t.Skip(err)
	}
	if err := new(Set).Write(link, text("new")); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is %v, %v", info.Mode(), err)
	}
	holds(t, other, map[string]string{"target.txt": "new"})
	// So it does where that is not there yet, also by a way of several links.
	if err := os.Remove(target); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("link.txt", filepath.Join(dir, "way.txt")); err != nil {
		t.Fatal(err)
	}
	if err := new(Set).Write(filepath.Join(dir, "way.txt"), text("newer")); err != nil {
		t.Fatal(err)
	}
	holds(t, other, map[string]string{"target.txt": "newer"})
	holds(t, dir, map[string]string{"link.txt": "newer", "way.txt": "newer"})
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is %v, %v", info.Mode(), err)
	}
}

// Writers at once: one whole content stays.
func TestWriteTogether(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a.txt")
	var wait sync.WaitGroup
	for k := range byte(8) {
		wait.Go(func() {
			for range 20 {
				if err := WriteFile(name, bytes.Repeat([]byte{'a' + k}, 100_000)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	got, err := os.ReadFile(name)
	if err != nil || len(got) != 100_000 || !bytes.Equal(got, bytes.Repeat(got[:1], len(got))) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	holds(t, dir, map[string]string{"a.txt": string(got)})
}
