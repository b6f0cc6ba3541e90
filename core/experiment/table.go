package experiment

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// label names a row's method as a reader sees it.
func (r *Row) label() string {
	if r.Delta > 0 {
		return fmt.Sprintf("%s %.3g %%", r.Method, 100*r.Delta)
	}
	return r.Method
}

// columns of the CSV, in order.
var columns = []struct {
	name  string
	value func(r *Row) any
}{
	{"mesh", func(r *Row) any { return r.Mesh }},
	{"series", func(r *Row) any { return r.Series }},
	{"vertices", func(r *Row) any { return r.Vertices }},
	{"method", func(r *Row) any { return r.Method }},
	{"delta", func(r *Row) any { return r.Delta }},
	{"predicted", func(r *Row) any { return r.Predicted }},
	{"tree_s", func(r *Row) any { return r.Tree }},
	{"labels_s", func(r *Row) any { return r.Labels }},
	{"tiles_s", func(r *Row) any { return r.Tiles }},
	{"kernel_s", func(r *Row) any { return r.Kernel }},
	{"setup_s", func(r *Row) any { return r.Setup() }},
	{"solve_s", func(r *Row) any { return r.Solve }},
	{"total_s", func(r *Row) any { return r.Total() }},
	{"iterations", func(r *Row) any { return r.Iterations }},
	{"polish_s", func(r *Row) any { return r.Polish }},
	{"resolve_s", func(r *Row) any { return r.Resolve }},
	{"resolve_share", func(r *Row) any { return r.Share }},
	{"resolve_iterations", func(r *Row) any { return r.Again }},
	{"query_s", func(r *Row) any { return r.Query }},
	{"product_s", func(r *Row) any { return r.Product }},
	{"peak_bytes", func(r *Row) any { return r.Peak }},
	{"cost", func(r *Row) any { return r.Cost }},
	{"cost_error", func(r *Row) any { return r.Error }},
	{"cost_polished", func(r *Row) any { return r.Polished }},
	{"polished_error", func(r *Row) any { return r.PolishedError }},
	{"cost_polished_low", func(r *Row) any { return r.Low }},
	{"cost_polished_high", func(r *Row) any { return r.High }},
	{"note", func(r *Row) any { return r.Note }},
}

// CSV writes the rows with all digits; what was not measured is empty.
func CSV(w io.Writer, rows []Row) error {
	out := csv.NewWriter(w)
	record := make([]string, len(columns))
	for i, c := range columns {
		record[i] = c.name
	}
	if err := out.Write(record); err != nil {
		return err
	}
	for i := range rows {
		for j, c := range columns {
			record[j] = fmt.Sprint(c.value(&rows[i]))
			if x, ok := c.value(&rows[i]).(float64); ok {
				record[j] = strconv.FormatFloat(x, 'g', -1, 64)
				if math.IsNaN(x) {
					record[j] = ""
				}
			}
		}
		if err := out.Write(record); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// Markdown writes the rows as a table for a person: seconds, and how many
// times less than dense takes.
func Markdown(w io.Writer, rows []Row) error {
	var b strings.Builder
	b.WriteString("| mesh | vertices | method | set-up (tree, labels, tiles, kernel) | solve | total | of dense | re-solve | query | product | peak | error raw | polished (± interval), time |\n")
	b.WriteString("|---|---|---|---|---|---|---|---|---|---|---|---|---|\n")
	for i := range rows {
		r := &rows[i]
		parts := ""
		if r.Tree > 0 {
			parts = fmt.Sprintf(" (%s, %s, %s, %s)", duration(r.Tree), duration(r.Labels), duration(r.Tiles), duration(r.Kernel))
		}
		against := ""
		if d := denseOf(rows, r); d != nil {
			against = ratio(d.Total() / r.Total())
		}
		method := r.label()
		if r.Predicted {
			method += " *"
		}
		polished := ""
		if !math.IsNaN(r.Polished) {
			polished = fmt.Sprintf("%s (%s), %s", share(r.PolishedError), share((r.High-r.Low)/2/r.Polished), duration(r.Polish))
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s%s | %s, %d it. | %s | %s | %s, %s, %d it. | %s | %s | %s | %s | %s |\n",
			r.Mesh, thousands(r.Vertices), method, duration(r.Setup()), parts, duration(r.Solve), r.Iterations, duration(r.Total()),
			against, duration(r.Resolve), ratio(1/r.Share), r.Again, duration(r.Query), duration(r.Product), size(r.Peak), share(r.Error), polished)
	}
	for i := range rows {
		if n := rows[i].Note; n != "" {
			mark := ""
			if rows[i].Predicted {
				mark = "\\* "
			}
			fmt.Fprintf(&b, "\n%s%s, %s: %s.\n", mark, rows[i].Mesh, rows[i].label(), n)
		}
	}
	if fits := Exponents(rows); len(fits) > 0 {
		b.WriteString("\nGrowth with the number of vertices n, fitted to each series of three meshes or more:\n\n| series | method |")
		for _, q := range quantities {
			fmt.Fprintf(&b, " %s |", q.name)
		}
		b.WriteString("\n|---|---|" + strings.Repeat("---|", len(quantities)) + "\n")
		for len(fits) > 0 {
			first := fits[0]
			fmt.Fprintf(&b, "| %s (%d meshes) | %s |", first.Series, first.Meshes, first.Method)
			for _, q := range quantities {
				cell := "-"
				if len(fits) > 0 && fits[0].Series == first.Series && fits[0].Method == first.Method && fits[0].Quantity == q.name {
					cell = fmt.Sprintf("n^%.2f", fits[0].Power)
					fits = fits[1:]
				}
				fmt.Fprintf(&b, " %s |", cell)
			}
			b.WriteString("\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// denseOf is the float64 dense row of the same mesh.
func denseOf(rows []Row, r *Row) *Row {
	for i := range rows {
		if d := &rows[i]; d.Method == "dense" && d.Mesh == r.Mesh {
			return d
		}
	}
	return nil
}

func duration(s float64) string {
	switch {
	case math.IsNaN(s):
		return "-"
	case s < 0.0995:
		return fmt.Sprintf("%.3g ms", 1000*s)
	case s < 100:
		return fmt.Sprintf("%.2f s", s)
	}
	return fmt.Sprintf("%.0f s", s)
}

func share(x float64) string {
	if math.IsNaN(x) {
		return "-"
	}
	return fmt.Sprintf("%.1e", x)
}

func ratio(x float64) string {
	if math.IsNaN(x) {
		return "-"
	}
	return fmt.Sprintf("1/%.3g", x)
}

func size(bytes int64) string {
	if bytes < 1e9 {
		return fmt.Sprintf("%.0f MB", float64(bytes)/1e6)
	}
	return fmt.Sprintf("%.1f GB", float64(bytes)/1e9)
}

func thousands(n int) string {
	if n < 1000 {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("%s,%03d", thousands(n/1000), n%1000)
}

// String is one line on the row, for whoever watches.
func (r *Row) String() string {
	s := fmt.Sprintf("%-24s %8s  %-16s set-up %-8s solve %-8s (%d it.) re-solve %-8s %-6s (%d it.) product %-8s peak %-7s error %s",
		r.Mesh, thousands(r.Vertices), r.label(), duration(r.Setup()), duration(r.Solve), r.Iterations,
		duration(r.Resolve), ratio(1/r.Share), r.Again, duration(r.Product), size(r.Peak), share(r.Error))
	if r.Tree > 0 {
		s += fmt.Sprintf("  [tree %s, labels %s, tiles %s, kernel %s]", duration(r.Tree), duration(r.Labels), duration(r.Tiles), duration(r.Kernel))
	}
	if !math.IsNaN(r.Polished) {
		s += fmt.Sprintf("  polished %s +- %s in %s", share(r.PolishedError), share((r.High-r.Low)/2/r.Polished), duration(r.Polish))
	}
	if r.Note != "" {
		s += "  " + r.Note
	}
	return s
}
