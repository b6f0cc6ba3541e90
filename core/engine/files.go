package engine

import (
	"bytes"
	"io/fs"
	"path"
	"time"

	"genussink/core/job"
)

// files finds what a mesh refers to: among the files that came with the
// request, by name or, since a page is told no folders, by its last part;
// then wherever else the engine may look.
type files struct {
	came []job.File
	disk fs.FS // may be nil
}

// Files are the files that came with a message, and behind them those of disk,
// which may be nil.
func Files(came []job.File, disk fs.FS) fs.FS { return files{came, disk} }

func (f files) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	for _, same := range []func(string) bool{
		func(s string) bool { return s == name },
		func(s string) bool { return path.Base(s) == path.Base(name) },
	} {
		for _, c := range f.came {
			if same(c.Name) {
				return &openFile{Reader: bytes.NewReader(c.Data), name: path.Base(name)}, nil
			}
		}
	}
	if f.disk != nil {
		return f.disk.Open(name)
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// openFile is a file in memory, and its own description.
type openFile struct {
	*bytes.Reader
	name string
}

func (f *openFile) Stat() (fs.FileInfo, error) { return f, nil }
func (f *openFile) Close() error               { return nil }
func (f *openFile) Name() string               { return f.name }
func (f *openFile) Size() int64                { return f.Reader.Size() }
func (f *openFile) Mode() fs.FileMode          { return 0o444 }
func (f *openFile) ModTime() time.Time         { return time.Time{} }
func (f *openFile) IsDir() bool                { return false }
func (f *openFile) Sys() any                   { return nil }
