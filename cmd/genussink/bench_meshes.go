package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"genussink/core/experiment"
	"genussink/core/meshio"
)

// benchMeshes measures the methods on all meshes of folders, one row after the other. The file is whole after each; rows that
// are in it already are kept as they are.
func benchMeshes(c *call, o experiment.PublishedOptions, out string) error {
	found, err := meshesIn(c.args[1:])
	if err != nil {
		return err
	}
	data, err := os.ReadFile(out)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w", out, reason(err))
	}
	journal, err := experiment.ReadJournal(data)
	if err != nil {
		return fmt.Errorf("%s: %w", out, err)
	}
	kept, failed := journal.Len(), 0
	add := func(r experiment.PublishedRow) error {
		journal.Add(r)
		if strings.HasPrefix(r.Note, experiment.Refused) {
			failed++
		}
		if err := c.files.Write(out, journal.Write); err != nil {
			return fmt.Errorf("%s: %w", out, reason(err))
		}
		c.progress.clear()
		if !c.json {
			_, _ = fmt.Fprintln(c.stdout, &r)
		}
		return nil
	}
	methods := o.Methods
	if methods == nil {
		methods = experiment.Contenders
	}
	for i, f := range found {
		missing := slices.DeleteFunc(slices.Clone(experiment.Contenders), func(name string) bool {
			return !slices.Contains(methods, name) || journal.Has(f.name, o.Epsilon, name)
		})
		if len(missing) == 0 || journal.Has(f.name, o.Epsilon, "") {
			continue
		}
		var trial experiment.Trial
		data, err := readFile(f.path)
		if err == nil {
			trial.Case, err = benchCase(c, f.path, data)
		}
		trial.Name = f.name
		for k := 0; k < len(missing) && err == nil; k++ {
			o.Methods, o.Reference = missing[k:k+1], journal.Reference(f.name, o.Epsilon)
			o.Progress = func(stage string, fraction float64) {
				c.progress.show(fmt.Sprintf("%s, %d of %d: %s", f.name, i+1, len(found), stage), (float64(k)+fraction)/float64(len(missing)))
			}
			var written error
			err = experiment.Published(c.ctx, []experiment.Trial{trial}, o, func(r experiment.PublishedRow) { written = add(r) })
			if written != nil {
				return written
			}
		}
		if ended := c.ctx.Err(); ended != nil {
			return ended
		}
		if err != nil {
			if err := add(experiment.Failure(f.name, o.Epsilon, err)); err != nil {
				return err
			}
		}
	}
	rows := journal.Len()
	return c.report([]line{{"written", ""}, {"file", out}, {"holds", count(rows, "row")}, {"kept", count(kept, "row")}, {"failed", count(failed, "new row")}},
		field{"rows", rows}, field{"kept", kept}, field{"failed", failed}, field{"out", out})
}

// meshFile is a file and its name in the results: from the folder that was named, the same wherever that lies.
type meshFile struct{ path, name string }

// meshesIn finds the meshes and graphs in folders and the folders inside them, by their extensions, in the order of their names; a file stands for itself.
func meshesIn(roots []string) (found []meshFile, err error) {
	for _, root := range roots {
		whole, err := filepath.Abs(root)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", root, reason(err))
		}
		err = filepath.WalkDir(whole, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			extension := strings.ToLower(strings.TrimPrefix(filepath.Ext(path), "."))
			if d.IsDir() || path != whole && extension != "gr" && !slices.Contains(meshio.Formats(), extension) {
				return nil
			}
			name, err := filepath.Rel(filepath.Dir(whole), path)
			name = filepath.ToSlash(name)
			if k := slices.IndexFunc(found, func(f meshFile) bool { return f.name == name }); k >= 0 {
				return usagef("%s and %s would have the same name in the results, %s", found[k].path, path, name)
			}
			found = append(found, meshFile{path, name})
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", root, reason(err))
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("%s: holds no mesh and no graph", strings.Join(roots, ", "))
	}
	return found, nil
}
