package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"genussink/core/engine"
	"genussink/core/job"
)

// maxFile bounds a file before it is read into memory; readers have limits of
// their own, below this one.
const maxFile = 2 << 30

// session is an engine with a mesh, as the page has one.
type session struct {
	c    *call
	e    *engine.Engine
	file string
	last uint32
}

// openMesh starts an engine and opens a mesh file in it.
func (c *call) openMesh(file string) (*session, *job.Loaded, error) {
	data, err := readFile(file)
	if err != nil {
		return nil, nil, err
	}
	s := &session{c: c, file: file, e: engine.New(engine.Options{
		MemoryLimit: availableMemory(),
		Files:       c.beside(file),
	})}
	loaded, err := ask[*job.Loaded](s, &job.Load{Name: filepath.Base(file), Data: data})
	return s, loaded, err
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

// ask runs a request to its end. An error names the session's file.
func ask[Answer job.Body](s *session, request job.Body) (answer Answer, err error) {
	s.last++
	var final job.Body
	s.e.Run(s.c.ctx, job.Request{ID: s.last, Body: request}, func(e job.Event) {
		if p, ok := e.Body.(*job.Progress); ok {
			s.c.progress.show(p.Stage, p.Fraction)
		} else {
			final = e.Body
		}
	})
	switch b := final.(type) {
	case Answer:
		return b, nil
	case *job.Failed:
		return answer, fmt.Errorf("%s: %s", s.file, b.Message)
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
