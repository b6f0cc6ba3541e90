package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// checkOutputs makes sure, before anything is read or computed, that the files
// which the named flags ask for can be written and are not among the inputs.
func (c *call) checkOutputs(flags []string) error {
	for _, name := range flags {
		out := c.flags.Lookup(name).Value.String()
		if out == "" || out == "-" {
			continue
		}
		for _, input := range c.typedInputs(flags) {
			if info, err := os.Stat(input); err == nil && sameFile(out, info) {
				return fmt.Errorf("%s: -%s would overwrite the input %s", out, name, input)
			}
		}
		if err := c.files.Check(out); err != nil {
			return fmt.Errorf("%s: %w", out, reason(err))
		}
	}
	return nil
}

// typedInputs are the arguments and the values of flags, each of which may name
// a file, also one of several with commas between.
func (c *call) typedInputs(outputs []string) []string {
	names := append([]string(nil), c.args...)
	c.flags.Visit(func(f *flag.Flag) {
		if !slices.Contains(outputs, f.Name) {
			value := f.Value.String()
			names = append(append(names, value), strings.Split(value, ",")...)
		}
	})
	return names
}

// sameFile says whether a file is there and is that one, under whatever name.
// Only what can be overwritten counts: a pipe or a device may be both.
func sameFile(name string, other os.FileInfo) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular() && os.SameFile(info, other)
}

// writeFile writes a file as a whole, or to stdout for "-". The report then goes to stderr.
func (c *call) writeFile(name string, write func(w io.Writer) error) error {
	if name == "-" {
		c.filled = true
		return write(c.stdout)
	}
	for _, input := range c.read { // what a glTF refers to is known only now
		if sameFile(name, input) {
			return fmt.Errorf("%s: is one of the files that were read, and is not overwritten", name)
		}
	}
	if err := c.files.Write(name, func(w io.Writer) error { return write(cancellable{c.ctx, w}) }); err != nil {
		return fmt.Errorf("%s: %w", name, reason(err))
	}
	return nil
}

// cancellable is a writer that stops when its context ends.
type cancellable struct {
	ctx context.Context
	io.Writer
}

func (w cancellable) Write(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.Writer.Write(p)
}

// beside is the folder of a mesh file, from which it may take other files: only
// regular ones, as a pipe need not end. What is opened counts as read.
type beside struct {
	c   *call
	dir string
}

func (c *call) beside(file string) fs.FS { return beside{c, filepath.Dir(file)} }

func (b beside) Open(name string) (fs.File, error) {
	folder := os.DirFS(b.dir)
	info, err := fs.Stat(folder, name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errors.New("is not a regular file")}
	}
	b.c.read = append(b.c.read, info)
	return folder.Open(name)
}
