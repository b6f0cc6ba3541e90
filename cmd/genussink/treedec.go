package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"
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
		summary: "Find a narrow tree decomposition of a mesh's edges, or of a graph such as one in PACE's .gr format, or check one. " +
			"lower_bound is proved: no decomposition is narrower; exact says that the width meets it. " +
			"-method best improves on all others until the width is proved or the time is over; exact takes some minutes for that. " +
			"-out writes the decomposition in PACE's .td format; -check reads one and names the rule that it breaks, numbered as in the files.",
		example: "treedec grid.gr -method best -timeout 30s -out grid.td",
		outputs: []string{"out"},
		setup: func(fs *flag.FlagSet) func(*call) error {
			method := fs.String("method", "best", "how: "+strings.Join(widthMethods, ", "))
			timeout := fs.Duration("timeout", 0, fmt.Sprintf("most time for the search, such as 30s; 0: %v for best, no limit for the others", bestTimeout))
			out := fs.String("out", "", "file for the decomposition")
			with := fs.String("with", "", "the file that belongs to INPUT: the other road table, or coordinates (.co)")
			check := fs.String("check", "", "a .td file to check instead")
			return func(c *call) error {
				if *check == "" {
					return decompose(c, *with, *method, *timeout, *out)
				}
				var err error
				c.flags.Visit(func(f *flag.Flag) {
					if f.Name == "method" || f.Name == "timeout" || f.Name == "out" {
						err = usagef("-check goes without -%s", f.Name)
					}
				})
				if err != nil {
					return err
				}
				return checkDecomposition(c, *with, *check)
			}
		},
	}
}

func decompose(c *call, with, method string, timeout time.Duration, out string) error {
	switch {
	case !slices.Contains(widthMethods, method):
		return usagef("-method %s: there are %s", method, strings.Join(widthMethods, ", "))
	case timeout < 0:
		return usagef("-timeout %v: must not be negative", timeout)
	case timeout == 0 && method == "best":
		timeout = bestTimeout
	}
	file := c.args[0]
	from, err := c.input(file)
	if err != nil {
		return err
	}
	in, err := readGraph(&from, with)
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
	r, err := narrow(ctx, g, in.hints, method, timeout, c.progress.show)
	if errors.Is(err, context.DeadlineExceeded) && c.ctx.Err() == nil {
		if err = nil; r.Decomposition == nil {
			err = fmt.Errorf("%v is too short for any decomposition", timeout)
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	took := time.Since(start).Seconds()
	if out != "" {
		if err := c.writeFile(out, r.Decomposition.WritePACE); err != nil {
			return err
		}
	}
	return c.print(
		field{"n", g.Len()}, field{"m", g.Edges()}, field{"width", r.Decomposition.Width()}, field{"lower_bound", r.Lower},
		field{"exact", r.Exact}, field{"bags", len(r.Decomposition.Bags)}, field{"seconds", took},
	)
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

func checkDecomposition(c *call, with, td string) error {
	file := c.args[0]
	from, err := c.input(file)
	if err != nil {
		return err
	}
	in, err := readGraph(&from, with)
	if err != nil {
		return err
	}
	data, err := readFile(td)
	if err != nil {
		return err
	}
	d, err := treedec.ReadPACE(bytes.NewReader(data))
	if err != nil {
		return fmt.Errorf("%s: %w", td, err)
	}
	err = d.Validate(in.Graph)
	if v := (*treedec.Violation)(nil); errors.As(err, &v) {
		return fmt.Errorf("%s: not valid: %s: %s", td, v.Rule, v.InFile)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", td, err)
	}
	return c.print(field{"valid", true}, field{"n", in.Len()}, field{"m", in.Edges()}, field{"width", d.Width()}, field{"bags", len(d.Bags)})
}
