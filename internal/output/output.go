// Package output writes files that are whole or not there. A new file is
// written under a temporary name in the same folder, brought to the disk, and
// renamed into place: whoever looks sees the old content or the new content,
// never a part. Streams (pipes, terminals, devices) are written as they are.
package output

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
)

// Set is the files that one program writes. The zero value is ready. Safe for
// concurrent use.
type Set struct {
	mu    sync.Mutex
	open  map[*File]struct{} // temporary files under way
	saved []string           // names of the files that are in place
	ended bool
}

// File is one file under way: Write, then Commit, or Discard.
type File struct {
	io.Writer
	set    *Set
	name   string   // as it was asked for
	stream *os.File // a pipe, a terminal, a device: written as it is; nil otherwise
	temp   temporary
}

// temporary is a file under a name of its own until replace gives it the name
// that it is meant to have.
type temporary interface {
	io.Writer
	replace() error // syncs, closes and renames
	discard() error // closes and removes; after replace it does nothing
}

var errEnded = errors.New("the program is ending")

// Create begins a file. What stands under the name stays until Commit. A name
// that is a link stands for what it leads to.
func (s *Set) Create(name string) (*File, error) {
	at := name
	switch info, err := os.Stat(name); {
	case err == nil && info.IsDir():
		return nil, &fs.PathError{Op: "create", Path: name, Err: errors.New("is a folder")}
	case err == nil && !info.Mode().IsRegular():
		stream, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return nil, err
		}
		return &File{Writer: stream, set: s, name: name, stream: stream}, nil
	case err == nil:
		if at, err = filepath.EvalSymlinks(name); err != nil {
			return nil, err
		}
		old, err := os.OpenFile(at, os.O_WRONLY, 0) // what may not be written may not be replaced either
		if err != nil {
			return nil, err
		}
		if err := old.Close(); err != nil {
			return nil, err
		}
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	default:
		// A link that leads nowhere yet: the file is made where it leads.
		for link, err := os.Readlink(at); err == nil; link, err = os.Readlink(at) {
			if !filepath.IsAbs(link) {
				link = filepath.Join(filepath.Dir(at), link)
			}
			at = link
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return nil, errEnded
	}
	temp, err := newTemporary(at)
	if err != nil {
		return nil, err
	}
	f := &File{Writer: temp, set: s, name: name, temp: temp}
	if s.open == nil {
		s.open = map[*File]struct{}{}
	}
	s.open[f] = struct{}{}
	return f, nil
}

// Commit puts the file in place.
func (f *File) Commit() error {
	s := f.set
	if f.stream != nil {
		if err := f.stream.Close(); err != nil {
			return err
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.saved = append(s.saved, f.name)
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return errEnded
	}
	delete(s.open, f)
	if err := f.temp.replace(); err != nil {
		return errors.Join(err, f.temp.discard())
	}
	s.saved = append(s.saved, f.name)
	return nil
}

// Discard gives the file up: nothing of it stays. After Commit it does nothing.
func (f *File) Discard() {
	if f.stream != nil {
		_ = f.stream.Close()
		return
	}
	f.set.mu.Lock()
	defer f.set.mu.Unlock()
	if _, ok := f.set.open[f]; ok {
		delete(f.set.open, f)
		_ = f.temp.discard()
	}
}

// Write writes one file as a whole.
func (s *Set) Write(name string, write func(w io.Writer) error) error {
	f, err := s.Create(name)
	if err != nil {
		return err
	}
	defer f.Discard()
	if err := write(f); err != nil {
		return err
	}
	return f.Commit()
}

// Check says whether a file could be written there, and leaves no trace. A
// stream is not opened: that may wait.
func (s *Set) Check(name string) error {
	if info, err := os.Stat(name); err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		return nil
	}
	f, err := s.Create(name)
	if err != nil {
		return err
	}
	f.Discard()
	return nil
}

// Saved names the files that are in place, in the order of their writing.
func (s *Set) Saved() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.saved)
}

// End gives up the files under way, for a program that ends at once. After it
// nothing can be created or committed.
func (s *Set) End() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	for f := range s.open {
		_ = f.temp.discard()
	}
	clear(s.open)
}

// WriteFile writes data to one file as a whole.
func WriteFile(name string, data []byte) error {
	return new(Set).Write(name, func(w io.Writer) error {
		if n, err := w.Write(data); err != nil {
			return fmt.Errorf("%s: byte %d of %d: %w", name, n, len(data), err)
		}
		return nil
	})
}
