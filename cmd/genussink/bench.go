package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"bytes"

	"genussink/core/engine"
	"genussink/core/experiment"
	"genussink/core/graphio"
	"genussink/core/job"
	"genussink/core/mesh"
	"genussink/core/mesh/generate"
	"genussink/core/meshio"
	"genussink/internal/decimal"
)

func benchCommand() command {
	return command{
		name: "bench", args: "EXPERIMENT MESH|FOLDER...", count: 1, more: true,
		summary: benchHelp,
		example: "bench scaling -out results -subdivide 2 spot.obj",
		setup: func(fs *flag.FlagSet) func(*call) error {
			var o experiment.ScalingOptions
			fs.Float64Var(&o.Epsilon, "epsilon", 0.2, "how much plans are blurred, a fraction of the bounding box's diagonal")
			fs.Func("delta", "certified: fractions of the diagonal with commas between; by default 0.003,0.01,0.03", func(s string) error {
				for _, text := range strings.Split(s, ",") {
					x, ok := decimal.Float([]byte(text))
					if !ok {
						return fmt.Errorf("%q is not a number", text)
					}
					o.Deltas = append(o.Deltas, x)
				}
				return nil
			})
			fs.IntVar(&o.DenseLimit, "dense", 12000, "most vertices up to which the dense kernel is made and embedded is measured")
			fs.IntVar(&o.Rounds, "rounds", 9, "scaling: most rounds for meshes of up to 50,000 vertices; the others: how many")
			var methods []string
			fs.Func("methods", "all but scaling: the methods, with commas between: "+strings.Join(job.Contenders, ", ")+"; by default all", func(s string) error {
				methods = strings.Split(s, ",")
				for _, name := range methods {
					if !slices.Contains(job.Contenders, name) {
						return fmt.Errorf("%q is none of them", name)
					}
				}
				return nil
			})
			subdivide := fs.Int("subdivide", 0, "how many times each mesh is cut finer, too, into 4 times the faces each time; graphs are not")
			largest := fs.Int("largest", 200000, "most vertices of a mesh that is cut finer, of a dumbbell or a pseudo-genus surface, and most points of kernels")
			out := fs.String("out", ".", "folder for the results")
			return func(c *call) error { return bench(c, o, methods, *subdivide, *largest, *out) }
		},
	}
}

const benchHelp = `Measure the methods side by side, in one run, on meshes or graphs (.gr). There are six experiments.
scaling measures dense in float64 and float32, exact, certified at several delta, sampled, embedded, and quantized with 250, 500, 1,000 and
2,000 cells, from set-up to re-solve, on the paper's densities. It measures support and exact on two painted spots of 8 % radius, too.
Kernels are made as solve makes them: where solve would take exact for certified, so does bench.
Above -dense vertices the dense kernel is predicted from 512 of its rows, and embedded is left out.
Meshes of up to 50,000 vertices are measured in 3 to -rounds rounds, and medians given.
-out names a folder for scaling.csv, scaling.md, error.svg and growth.svg. An interrupt keeps what was measured until then.
published measures the methods of others beside ours, with the paper's settings: Greenkhorn, Screenkhorn, a truncated kernel, the heat kernel,
Nystroem's approximation and positive features of the positions. Costs are on true distances. Above -dense vertices dense, Greenkhorn and Screenkhorn are left out.
dumbbell and pseudo-genus do so on the paper's graphs and surfaces of up to -largest vertices, and take no mesh; a dumbbell's epsilon is 0.3 radii.
All three write published.csv, a row for each mesh and method, published.md, error.svg and growth.svg, again after every mesh.
meshes does so on every mesh and graph in folders, and in folders inside them. It writes meshes.csv again after every row. What fails is a row
with the reason, and ends nothing.
An interrupt of these four loses what was being measured. Rows that are there already are not measured again; delete those that should be.
A mesh is known by its file's name. Sessions and road tables are not measured.
kernels takes no mesh. It measures products with f(x_i + y_j) at up to -largest random points, the case of one separating vertex, for a function of each
class: time, steps and how they grow, error, and the sum of exponentials that stands for f. It writes kernels.csv.`

func bench(c *call, o experiment.ScalingOptions, methods []string, subdivide, largest int, out string) error {
	kind := c.args[0]
	made := kind == "dumbbell" || kind == "pseudo-genus" || kind == "kernels"
	switch {
	case kind != "scaling" && kind != "published" && kind != "meshes" && !made:
		return usagef("%s: the experiments are scaling, published, dumbbell, pseudo-genus, meshes and kernels", kind)
	case made && len(c.args) > 1:
		return usagef("%s makes what it measures and takes no mesh", kind)
	case !made && len(c.args) == 1:
		return usagef("%s needs a mesh or, for meshes, a folder", kind)
	case kind == "kernels" && largest < experiment.LeastPoints:
		return usagef("-largest %d: kernels begins with %d points", largest, experiment.LeastPoints)
	case subdivide < 0 || largest < 0 || o.DenseLimit < 1 || o.Rounds < 1:
		return usagef("-subdivide and -largest must not be negative, -dense and -rounds at least 1")
	}
	without := map[string][]string{ // flags that an experiment does not take
		"scaling": {"methods"}, "published": {"delta"}, "meshes": {"delta", "subdivide", "largest"}, "dumbbell": {"delta", "subdivide"}, "pseudo-genus": {"delta", "subdivide"},
		"kernels": {"epsilon", "delta", "dense", "rounds", "methods", "subdivide"},
	}
	var odd error
	c.flags.Visit(func(f *flag.Flag) {
		if slices.Contains(without[kind], f.Name) {
			odd = usagef("%s takes no -%s", kind, f.Name)
		}
	})
	if odd != nil {
		return odd
	}
	asked := []job.KernelSpec{{Epsilon: job.Fraction(o.Epsilon)}}
	for _, delta := range o.Deltas {
		asked = append(asked, job.KernelSpec{Method: job.Certified, Epsilon: job.Fraction(o.Epsilon), Delta: job.Fraction(delta)})
	}
	for _, k := range asked {
		if _, err := k.Complete(); err != nil {
			return usagef("-%v", err)
		}
	}
	if err := os.MkdirAll(out, 0o777); err != nil {
		return fmt.Errorf("%s: %w", out, reason(err))
	}
	first := "published.csv"
	switch kind {
	case "scaling", "meshes", "kernels":
		first = kind + ".csv"
	}
	if err := c.files.Check(filepath.Join(out, first)); err != nil {
		return fmt.Errorf("%s: %w", out, reason(err))
	}
	o.MemoryLimit, o.Progress = availableMemory(), c.progress.show
	published := experiment.PublishedOptions{
		Epsilon: o.Epsilon, DenseLimit: o.DenseLimit, MemoryLimit: o.MemoryLimit, Rounds: o.Rounds, Methods: methods, Processor: processorSeconds, Progress: o.Progress,
	}
	if kind == "meshes" {
		return benchMeshes(c, published, out, first)
	}
	if kind == "kernels" {
		return benchRows(c, out, func(found func(experiment.KernelRow)) error { return experiment.Kernels(c.ctx, largest, found) },
			func(_ time.Time, rows []experiment.KernelRow) []benchFile {
				return []benchFile{{first, func(w io.Writer) error { return experiment.KernelsCSV(w, rows) }}}
			})
	}
	cases, err := benchCases(c, subdivide, largest)
	if err != nil {
		return err
	}
	if kind != "scaling" {
		return benchPublished(c, kind, cases, published, largest, out)
	}
	return benchRows(c, out, func(found func(experiment.Row)) error { return experiment.Scaling(c.ctx, cases, o, found) },
		func(start time.Time, rows []experiment.Row) []benchFile {
			return []benchFile{
				{"scaling.csv", func(w io.Writer) error { return experiment.CSV(w, rows) }},
				{"scaling.md", benchHeading(c, start, func(w io.Writer) error { return experiment.Markdown(w, rows) })},
				{"error.svg", func(w io.Writer) error { return experiment.ErrorPlot(w, rows) }},
				{"growth.svg", func(w io.Writer) error { return experiment.GrowthPlot(w, rows) }},
			}
		})
}

// benchRows measures, prints each row as it comes, and writes the files. An interrupt keeps the rows that were measured until then.
func benchRows[R any](c *call, out string, measure func(found func(R)) error, files func(start time.Time, rows []R) []benchFile) error {
	var rows []R
	start := time.Now()
	err := measure(func(r R) {
		rows = append(rows, r)
		c.progress.clear()
		if !c.json {
			_, _ = fmt.Fprintln(c.stdout, any(&r))
		}
	})
	if err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	if err := errors.Join(err, benchFiles(c, out, files(start, rows))); err != nil { // interrupted, too
		return err
	}
	return c.report(fileText(out, count(len(rows), "row")), field{"rows", len(rows)}, field{"out", out})
}

// benchPublished measures the methods of others on meshes or, without any, on the paper's, smallest first. The files are whole after each mesh.
func benchPublished(c *call, kind string, cases []experiment.Case, o experiment.PublishedOptions, largest int, out string) error {
	trials := make([]experiment.Trial, len(cases))
	for i := range cases {
		trials[i].Case = cases[i]
	}
	var err error
	switch kind {
	case "dumbbell":
		trials, err = experiment.Dumbbells(largest)
	case "pseudo-genus":
		trials, err = experiment.PseudoGenus(largest)
	}
	if err != nil {
		return err
	}
	if len(trials) == 0 {
		return usagef("-largest %d: each %s is larger", largest, kind)
	}
	slices.SortStableFunc(trials, func(a, b experiment.Trial) int { return len(a.Mesh.Positions) - len(b.Mesh.Positions) })
	j, err := openJournal(c, out, "published.csv")
	if err != nil {
		return err
	}
	start := time.Now()
	j.beside = []benchFile{
		{"published.md", benchHeading(c, start, func(w io.Writer) error { return experiment.PublishedMarkdown(w, j.Rows) })},
		{"error.svg", func(w io.Writer) error { return experiment.PublishedErrorPlot(w, j.Rows) }},
		{"growth.svg", func(w io.Writer) error { return experiment.PublishedGrowthPlot(w, j.Rows) }},
	}
	for _, trial := range trials {
		if err := j.same(trial); err != nil {
			return err
		}
		epsilon, own := trial.Share(o.Epsilon), o
		if own.Methods = j.missing(trial.Name, epsilon, o.Methods); len(own.Methods) == 0 {
			continue
		}
		own.Reference = j.Reference(trial.Name, epsilon)
		var rows []experiment.PublishedRow
		if err := experiment.Published(c.ctx, []experiment.Trial{trial}, own, func(r experiment.PublishedRow) { rows = append(rows, r) }); err != nil {
			return err
		}
		if err := j.add(rows...); err != nil {
			return err
		}
	}
	return j.report()
}

// benchCases reads the meshes and graphs.
func benchCases(c *call, subdivide, largest int) ([]experiment.Case, error) {
	var cases []experiment.Case
	named := map[string]string{}
	for _, file := range c.args[1:] {
		name := benchName(file)
		if other, twice := named[name]; twice {
			return nil, usagef("%s and %s would have the same name in the results, %s", other, file, name)
		}
		named[name] = file
		data, err := readFile(file)
		if err != nil {
			return nil, err
		}
		read, err := benchCase(c, file, data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if read.Graph != nil {
			cases = append(cases, read)
			continue
		}
		family, err := finer(read.Name, read.Mesh, subdivide, largest)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		cases = append(cases, family...)
	}
	return cases, nil
}

// benchName is what a mesh is called in the results.
func benchName(file string) string {
	return strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
}

// benchCase reads a mesh or a graph.
func benchCase(c *call, file string, data []byte) (of experiment.Case, err error) {
	name := benchName(file)
	if graphio.Is(file) {
		net, err := graphio.Read(graphio.File{Name: filepath.Base(file), Data: data}, nil, c.memory.bytes)
		if err != nil {
			return of, overBudget(err)
		}
		placed, err := engine.Placed(c.ctx, net, false, c.progress.show)
		if err != nil {
			return of, overBudget(err)
		}
		return experiment.Case{Name: name, Series: name, Mesh: placed, Graph: net.Graph}, nil
	}
	read, err := meshio.Read(filepath.Base(file), bytes.NewBuffer(data), meshio.Options{MaxMemory: c.memory.bytes, Files: c.beside(file)})
	if err != nil {
		return of, overBudget(err)
	}
	return experiment.Case{Name: name, Series: name, Mesh: read.Mesh}, nil
}

// benchFile is a result.
type benchFile struct {
	name  string
	write func(io.Writer) error
}

// benchFiles writes the results, after an interrupt too.
func benchFiles(c *call, out string, files []benchFile) error {
	for _, f := range files {
		if err := c.files.Write(filepath.Join(out, f.name), f.write); err != nil {
			return fmt.Errorf("%s: %w", filepath.Join(out, f.name), reason(err))
		}
	}
	return nil
}

// benchHeading writes above a table when, where and how it was measured.
func benchHeading(c *call, start time.Time, table func(io.Writer) error) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "%s, %s. `genussink bench %s`\n\n", start.Format(time.DateOnly), experiment.Machine()+processor(), strings.Join(anywhere(c.typed), " "))
		if err != nil {
			return err
		}
		return table(w)
	}
}

// processor is the name of the machine's, where the system says.
func processor() string {
	data, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(data)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return " of " + strings.TrimSpace(value)
		}
	}
	return ""
}

// anywhere leaves out of what was typed the folders of files that exist.
func anywhere(typed []string) []string {
	names := slices.Clone(typed)
	for i, word := range names {
		if _, err := os.Stat(word); err == nil {
			names[i] = filepath.Base(word)
		}
	}
	return names
}

// finer is the mesh and its subdivisions.
func finer(name string, m *mesh.Mesh, times, largest int) ([]experiment.Case, error) {
	cases := []experiment.Case{{Name: name, Series: name, Mesh: m}}
	for k := 1; k <= times; k++ {
		var err error
		if m, err = generate.Subdivide(m, 1); err != nil {
			return nil, err
		}
		if len(m.Positions) > largest {
			break
		}
		cases = append(cases, experiment.Case{Name: fmt.Sprintf("%s/%d", name, 1<<k), Series: name, Mesh: m})
	}
	return cases, nil
}
