package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"genussink/core/graph"
	"genussink/core/separator"
	"genussink/core/treedec"
)

// widthMethods are the values of -method. The last two are one search until the
// width is proved; best has a time limit of its own.
var widthMethods = []string{"min-degree", "min-fill", "nested-dissection", "best", "exact"}

const bestTimeout = 10 * time.Second

func treedecCommand() command {
	return command{
		name: "treedec", args: "INPUT", count: 1,
		summary: "Find a narrow tree decomposition of a mesh's edges or of a graph (.gr), or check one.\n" +
			"lower_bound is proved: no decomposition is narrower. exact says that the width meets it.\n" +
			"-method best improves what the others find until the width is proved or the time is over; exact has no time limit.\n" +
			"-out writes the decomposition in PACE's .td format. It is rooted: bag 1 is a centroid, and every edge names the bag above first.\n" +
			"-nice writes a nice decomposition: a node per line, children first.\n" +
			"-order writes an elimination order of the same width: a vertex per line.\n" +
			"-from-order takes such an order in place of a search.\n" +
			"-check reads a .td file and names the rule that it breaks, with numbers as in the files.",
		example: "treedec grid.gr -method best -timeout 30s -out grid.td",
		outputs: []string{"out", "nice", "order"},
		setup: func(fs *flag.FlagSet) func(*call) error {
			method := fs.String("method", "best", "how to find it: "+strings.Join(widthMethods, ", "))
			timeout := fs.Duration("timeout", 0, fmt.Sprintf("most time for the search, such as 30s; 0: %v for best, no limit for the others", bestTimeout))
			var to treedecFiles
			fs.StringVar(&to.out, "out", "", "file for the decomposition")
			fs.StringVar(&to.nice, "nice", "", "file for a nice decomposition")
			fs.StringVar(&to.order, "order", "", "file for an elimination order")
			from := fs.String("from-order", "", "file with an elimination order to use")
			check := fs.String("check", "", "a .td file to check; nothing is searched for")
			return func(c *call) error {
				without := []string{"method", "timeout"}
				switch {
				case *check != "":
					if err := refuse(c.flags, "check", append(without, "out", "nice", "order", "from-order")); err != nil {
						return err
					}
					return checkDecomposition(c, *check)
				case *from != "":
					if err := refuse(c.flags, "from-order", without); err != nil {
						return err
					}
				}
				return decompose(c, *method, *timeout, *from, to)
			}
		},
	}
}

// refuse is an error if one of the named flags was given. None of them may be
// used together with the flag other.
func refuse(flags *flag.FlagSet, other string, names []string) (err error) {
	flags.Visit(func(f *flag.Flag) {
		if slices.Contains(names, f.Name) {
			err = usagef("-%s and -%s do not go together", other, f.Name)
		}
	})
	return err
}

// treedecFiles are the files to write, "" for none.
type treedecFiles struct{ out, nice, order string }

// write writes the files that are asked for.
func (to treedecFiles) write(c *call, d *treedec.Decomposition) error {
	if to.out != "" {
		rooted := d
		if len(d.Bags) > 0 {
			root, err := d.Centroid()
			if err != nil {
				return err
			}
			if rooted, err = d.Rooted(root); err != nil {
				return err
			}
		}
		if err := c.writeFile(to.out, rooted.WritePACE); err != nil {
			return err
		}
	}
	if to.nice != "" {
		nice, err := d.Nice()
		if err != nil {
			return err
		}
		if err := c.writeFile(to.nice, nice.Write); err != nil {
			return err
		}
	}
	if to.order != "" {
		order, err := d.Order()
		if err != nil {
			return err
		}
		return c.writeFile(to.order, func(w io.Writer) error { return treedec.WriteOrder(w, order) })
	}
	return nil
}

func decompose(c *call, method string, timeout time.Duration, from string, to treedecFiles) error {
	switch {
	case !slices.Contains(widthMethods, method):
		return usagef("-method %s: must be one of %s", method, strings.Join(widthMethods, ", "))
	case timeout < 0:
		return usagef("-timeout %v: must not be negative", timeout)
	case timeout == 0 && method == "best":
		timeout = bestTimeout
	}
	for i, name := range []string{to.out, to.nice, to.order} {
		if name != "" && slices.Contains([]string{to.out, to.nice, to.order}[:i], name) {
			return usagef("%s: -out, -nice and -order need a file each", name)
		}
	}
	file := c.args[0]
	input, err := c.input(file)
	if err != nil {
		return err
	}
	in, err := readGraph(&input)
	if err != nil {
		return err
	}
	g := in.Graph
	ctx := c.ctx
	if timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, timeout)
		defer cancel()
	}
	start := time.Now()
	var r treedec.Result
	if from == "" {
		r, err = narrow(ctx, g, in.hints, method, timeout, c.progress.show)
	} else if r, err = readOrder(g, from); err != nil {
		return err
	}
	if errors.Is(err, context.DeadlineExceeded) && c.ctx.Err() == nil {
		if err = nil; r.Decomposition == nil {
			err = fmt.Errorf("%v is too short for any decomposition", timeout)
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	spent := time.Since(start).Seconds()
	if err := to.write(c, r.Decomposition); err != nil {
		return err
	}
	shape, err := r.Decomposition.Shape()
	if err != nil {
		return err
	}
	width := fmt.Sprintf("%d, the least possible", r.Decomposition.Width())
	if !r.Exact {
		width = fmt.Sprintf("%d; no decomposition has less than %d", r.Decomposition.Width(), r.Lower)
	}
	text := []line{
		{"graph", ""}, {"size", vertices(g.Len()) + ", " + count(g.Edges(), "edge")},
		{"tree decomposition", ""}, {"width", width}, {"bags", strconv.Itoa(shape.Bags)},
		{"effort", ""}, took([]field{{"total", spent}}),
	}
	return c.report(text,
		field{"n", g.Len()}, field{"m", g.Edges()}, field{"width", r.Decomposition.Width()}, field{"lower_bound", r.Lower},
		field{"exact", r.Exact}, field{"bags", shape.Bags}, field{"seconds", spent},
		field{"mean_bag", shape.Mean}, field{"leaves", shape.Leaves}, field{"forks", shape.Forks},
		field{"diameter", shape.Diameter}, field{"depth", shape.Depth})
}

// readOrder makes the decomposition of the elimination order in a file.
func readOrder(g *graph.Graph, name string) (r treedec.Result, err error) {
	data, err := readFile(name)
	if err != nil {
		return r, err
	}
	order, err := treedec.ReadOrder(bytes.NewReader(data), g.Len())
	if err == nil {
		r, err = ordered(g, order)
	}
	if err != nil {
		return r, fmt.Errorf("%s: %w", name, err)
	}
	return r, nil
}

// narrow looks for a decomposition; what it returns with an error of ctx is
// the best until then.
func narrow(ctx context.Context, g *graph.Graph, so separator.Options, method string, timeout time.Duration, progress func(string, float64)) (r treedec.Result, err error) {
	var order []int32
	switch method {
	case "min-degree":
		order, err = treedec.Order(ctx, g, treedec.MinDegree, 0)
	case "min-fill":
		order, err = treedec.Order(ctx, g, treedec.MinFill, 0)
	case "nested-dissection":
		order, err = separator.Dissect(ctx, g, so)
	default:
		return treedec.Treewidth(ctx, g, treedec.Options{Progress: progress, Begin: func(ctx context.Context) ([]int32, error) {
			if timeout > 0 { // small graphs need a part of it for the search, large ones hardly more than this
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, timeout/4*3)
				defer cancel()
			}
			return separator.Dissect(ctx, g, so)
		}})
	}
	if err != nil {
		return r, err
	}
	return ordered(g, order)
}

// ordered is the decomposition of an elimination order, with a lower bound that takes no search.
func ordered(g *graph.Graph, order []int32) (r treedec.Result, err error) {
	d, err := treedec.FromOrder(g, order)
	if err == nil {
		d, err = d.Clean()
	}
	if err != nil {
		return r, err
	}
	r = treedec.Result{Decomposition: d, Lower: -1}
	if g.Len() > 0 {
		r.Lower = max(treedec.Degeneracy(g), treedec.MinorMinWidth(g))
	}
	r.Exact = r.Lower == d.Width()
	return r, nil
}

func checkDecomposition(c *call, td string) error {
	file := c.args[0]
	from, err := c.input(file)
	if err != nil {
		return err
	}
	in, err := readGraph(&from)
	if err != nil {
		return err
	}
	data, err := readFile(td)
	if err != nil {
		return err
	}
	d, err := treedec.CheckPACE(bytes.NewReader(data), in.Graph)
	if err != nil {
		return fmt.Errorf("%s: %w", td, err)
	}
	text := []line{
		{"the decomposition is valid", ""}, {"graph", vertices(in.Len()) + ", " + count(in.Edges(), "edge")},
		{"width", strconv.Itoa(d.Width())}, {"bags", strconv.Itoa(len(d.Bags))},
	}
	return c.report(text, field{"valid", true}, field{"n", in.Len()}, field{"m", in.Edges()}, field{"width", d.Width()}, field{"bags", len(d.Bags)})
}
