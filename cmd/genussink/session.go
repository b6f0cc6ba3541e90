package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"genussink/core/engine"
	"genussink/core/graphio"
	"genussink/core/job"
	"genussink/core/session"
)

// maxFile bounds a file before it is read into memory; readers have limits of
// their own, below this one.
const maxFile = 2 << 30

// moreMemory is what helps where a file would take too much.
const moreMemory = "; -memory 4GB, for example, allows more"

// overBudget adds that to an error that says so.
func overBudget(err error) error {
	var over interface{ OverBudget() }
	if errors.As(err, &over) {
		return fmt.Errorf("%w%s", err, moreMemory)
	}
	return err
}

// engineSession is an engine with a mesh, as the page has one.
type engineSession struct {
	c     *call
	e     *engine.Engine
	file  string
	last  uint32
	notes []string // for a person: what was assumed of a graph, and how mass was dealt to several components
}

// input is what an INPUT or MESH argument names: a file as it is, or, where its
// name says that it is a session's, what the page has written.
type input struct {
	c    *call
	path string
	data []byte           // nil of a session
	kept *session.Session // nil of any other file
	with []job.File       // that belong to it
}

// isSession says whether a name is a session file's.
func isSession(name string) bool {
	return strings.EqualFold(filepath.Ext(name), session.Extension)
}

// input reads a command's input. Unless it is a session it may read further
// files that it refers to from its folder.
func (c *call) input(name string) (in input, err error) {
	in.c, in.path = c, name
	if c.with != "" && !graphio.Is(name) {
		return in, usagef("-with %s: no other file belongs to %s", c.with, name)
	}
	if in.data, err = readFile(name); err != nil {
		return in, err
	}
	if c.with != "" {
		if ending := graphio.Beside(graphio.File{Name: name, Data: in.data}); !strings.EqualFold(filepath.Ext(c.with), ending) {
			if ending == "" {
				return in, usagef("-with %s: no other file belongs to a PACE graph, as %s is one", c.with, name)
			}
			return in, usagef("-with %s: to %s belongs a file %s", c.with, name, ending)
		}
		data, err := readFile(c.with)
		if err != nil {
			return in, err
		}
		in.with = []job.File{{Name: filepath.Base(c.with), Data: data}}
	}
	if !isSession(name) {
		return in, nil
	}
	if in.kept, err = session.Decode(in.data); err != nil {
		return in, fmt.Errorf("%s: %w", name, err)
	}
	if in.kept.File == nil && in.kept.Kind == "" {
		return in, fmt.Errorf("%s: the session does not hold its mesh, only the name %q", name, in.kept.Mesh)
	}
	in.data = nil
	return in, nil
}

// readInput reads a command's first argument, once its flags have been checked.
// What a session says take is given before, with the flags that were typed.
func (c *call) readInput(take func(typed map[string]bool, s *session.Session), check func() error) (in input, err error) {
	if !isSession(c.args[0]) {
		if err = check(); err != nil {
			return in, err
		}
		return c.input(c.args[0])
	}
	if in, err = c.input(c.args[0]); err != nil {
		return in, err
	}
	typed := map[string]bool{}
	c.flags.Visit(func(f *flag.Flag) { typed[f.Name] = true })
	take(typed, in.kept)
	return in, check()
}

// load is the request that opens the input's mesh.
func (in *input) load() job.Body {
	switch s := in.kept; {
	case s == nil:
		return &job.Load{Name: filepath.Base(in.path), Data: in.data, Files: in.with}
	case s.File != nil:
		mended := *s.File
		mended.Repairs = s.Repairs
		return &mended
	default:
		return &job.Generate{Kind: s.Kind, Params: s.Params}
	}
}

// disk is where an input may look for files that it refers to.
func (in *input) disk() fs.FS {
	if in.kept != nil {
		return nil // a session stands alone
	}
	return in.c.beside(in.path)
}

// openMesh reads a mesh, or a session's, and opens it.
func (c *call) openMesh(file string) (*engineSession, *job.Loaded, error) {
	in, err := c.input(file)
	if err != nil {
		return nil, nil, err
	}
	return c.begin(&in)
}

// begin starts an engine and opens a mesh in it.
func (c *call) begin(in *input) (*engineSession, *job.Loaded, error) {
	s := &engineSession{c: c, file: in.path, e: engine.New(engine.Options{MemoryLimit: availableMemory(), FileLimit: in.c.memory.bytes, Files: in.disk(), Uncompared: true})}
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(in.c.memory.most())) // garbage gives way to the mesh
	loaded, err := ask[*job.Loaded](s, in.load())
	if err == nil && graphio.Is(loaded.Name) {
		s.notes = loaded.Report.Warnings // that degrees became metres, that roads go both ways, and of components
	}
	return s, loaded, err
}

// tell writes the notes beside an answer that has no place for them.
func (s *engineSession) tell() {
	s.c.progress.clear()
	for _, note := range s.notes {
		fmt.Fprintf(s.c.stderr, "genussink: %s: %s\n", s.file, note)
	}
}

// readFile opens a file of data. Devices are refused: they need not end.
func readFile(file string) ([]byte, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, reason(err))
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: is not a file", file)
	}
	if info.Size() > maxFile {
		return nil, fmt.Errorf("%s: has %d bytes, at most %d can be read", file, info.Size(), int64(maxFile))
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, reason(err))
	}
	return data, nil
}

// failure is what the engine says of a request that could not be done.
type failure struct {
	file string
	*job.Failed
}

func (f *failure) Error() string { return f.file + ": " + f.Message }

// run runs a request to its end. It shows progress, and returns the last answer.
func (s *engineSession) run(request job.Body) (final job.Body) {
	s.last++
	s.e.Run(s.c.ctx, job.Request{ID: s.last, Body: request}, func(e job.Event) {
		if p, ok := e.Body.(*job.Progress); ok {
			s.c.progress.show(p.Stage, p.Fraction)
		} else {
			final = e.Body
		}
	})
	return final
}

// ask runs a request to its end. An error names the session's file.
func ask[Answer job.Body](s *engineSession, request job.Body) (answer Answer, err error) {
	switch b := s.run(request).(type) {
	case Answer:
		return b, nil
	case *job.Failed:
		if _, load := request.(*job.Load); load && b.Kind == "memory" {
			b.Message += moreMemory
		}
		return answer, &failure{s.file, b}
	case *job.Cancelled:
		return answer, context.Canceled
	}
	return answer, errors.New("the engine gave an answer of another kind")
}

// seconds are the timings as a group of results, and their sum. Stages without
// a name of their own count to the first, which is loading.
func seconds(names []string, timings ...[]job.Timing) []field {
	total := 0.0
	sums := map[string]float64{}
	for _, list := range timings {
		for _, t := range list {
			name := t.Stage
			if !slices.Contains(names, name) {
				name = names[0]
			}
			sums[name] += t.Seconds
			total += t.Seconds
		}
	}
	group := make([]field, 0, len(names)+1)
	for _, name := range names {
		group = append(group, field{name, sums[name]})
	}
	return append(group, field{"total", total})
}
