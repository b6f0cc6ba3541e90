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
	"genussink/core/job"
	"genussink/core/meshio"
)

// benchJournal is a file of rows that a bench writes again and again, and goes on with.
type benchJournal struct {
	*experiment.Journal
	c            *call
	folder, name string
	beside       []benchFile // written with it
	kept, failed int
}

func openJournal(c *call, folder, name string) (*benchJournal, error) {
	out := filepath.Join(folder, name)
	data, err := os.ReadFile(out)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", out, reason(err))
	}
	journal, err := experiment.ReadJournal(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", out, err)
	}
	return &benchJournal{Journal: journal, c: c, folder: folder, name: name, kept: len(journal.Rows)}, nil
}

// add adds rows, prints them, and writes the files.
func (j *benchJournal) add(rows ...experiment.PublishedRow) error {
	j.Rows = append(j.Rows, rows...)
	j.c.progress.clear()
	for i := range rows {
		if strings.HasPrefix(rows[i].Note, job.Refused) {
			j.failed++
		}
		if !j.c.json {
			_, _ = fmt.Fprintln(j.c.stdout, &rows[i])
		}
	}
	return benchFiles(j.c, j.folder, append([]benchFile{{j.name, j.Write}}, j.beside...))
}

// missing are those of methods (nil: all) that have no row of the mesh.
func (j *benchJournal) missing(mesh string, epsilon float64, methods []string) []string {
	return slices.DeleteFunc(slices.Clone(job.Contenders), func(name string) bool {
		return methods != nil && !slices.Contains(methods, name) || j.Has(mesh, epsilon, name)
	})
}

// same is an error where rows of a mesh's name are of another mesh, by its size.
func (j *benchJournal) same(t experiment.Trial) error {
	for _, r := range j.Rows {
		if n := len(t.Mesh.Positions); r.Mesh == t.Name && r.Method != "" && r.Vertices != n {
			return fmt.Errorf("%s: has rows of another mesh called %s, of %s instead of %d: delete them, or take another folder", filepath.Join(j.folder, j.name), r.Mesh, vertices(r.Vertices), n)
		}
	}
	return nil
}

func (j *benchJournal) report() error {
	out, rows := filepath.Join(j.folder, j.name), len(j.Rows)
	return j.c.report([]line{{"written", ""}, {"file", out}, {"holds", count(rows, "row")}, {"kept", count(j.kept, "row")}, {"failed", count(j.failed, "new row")}},
		field{"rows", rows}, field{"kept", j.kept}, field{"failed", j.failed}, field{"out", out})
}

// benchMeshes measures the methods on all meshes of folders, one row after the other. The file is whole after each.
func benchMeshes(c *call, o experiment.PublishedOptions, folder, name string) error {
	found, err := meshesIn(c.args[1:])
	if err != nil {
		return err
	}
	j, err := openJournal(c, folder, name)
	if err != nil {
		return err
	}
	methods := o.Methods
	for i, f := range found {
		missing := j.missing(f.name, o.Epsilon, methods)
		if len(missing) == 0 || j.Has(f.name, o.Epsilon, "") {
			continue
		}
		var trial experiment.Trial
		data, err := readFile(f.path)
		if err == nil {
			trial.Case, err = benchCase(c, f.path, data)
		}
		if trial.Name = f.name; err == nil {
			if err := j.same(trial); err != nil {
				return err
			}
		}
		for k := 0; k < len(missing) && err == nil; k++ {
			o.Methods, o.Reference = missing[k:k+1], j.Reference(f.name, o.Epsilon)
			o.Progress = func(stage string, fraction float64) {
				c.progress.show(fmt.Sprintf("%s, %d of %d: %s", f.name, i+1, len(found), stage), (float64(k)+fraction)/float64(len(missing)))
			}
			var written error
			err = experiment.Published(c.ctx, []experiment.Trial{trial}, o, func(r experiment.PublishedRow) { written = j.add(r) })
			if written != nil {
				return written
			}
		}
		if ended := c.ctx.Err(); ended != nil {
			return ended
		}
		if err != nil {
			if err := j.add(experiment.Failure(f.name, o.Epsilon, err)); err != nil {
				return err
			}
		}
	}
	return j.report()
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
