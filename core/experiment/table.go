package experiment

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"genussink/core/job"
)

// name is the method that was asked for, with the precision of the two that are measured in both.
func (r *Row) name() string {
	switch {
	case r.Requested != "":
		return r.Requested
	case r.Method == job.Exact && r.Precision != "", r.Method == job.Dense && r.Precision == job.Float32:
		return r.Method + " " + r.Precision
	}
	return r.Method
}

// label names a row's method as a reader sees it.
func (r *Row) label() string {
	switch {
	case r.Spots:
		return r.name() + ", spots"
	case r.Cells > 0:
		return fmt.Sprintf("%s %d", r.name(), r.Cells)
	case r.Requested != "":
		return fmt.Sprintf("%s %.3g %% by %s", r.name(), 100*r.Delta, r.Method)
	case r.Delta > 0:
		return fmt.Sprintf("%s %.3g %%", r.name(), 100*r.Delta)
	}
	return r.name()
}

// column is one of a CSV whose rows are R.
type column[R any] struct {
	name  string
	value func(r *R) any
}

// columns of the CSV, in order: what is measured, the stages of the set-up, and what came of it.
var columns = slices.Concat(identity, stages(), outcome)

// stages are the columns of the set-up's stages.
func stages() (of []column[Row]) {
	for _, name := range job.SetupStages {
		of = append(of, column[Row]{name + "_s", func(r *Row) any { return r.Stage(name) }})
	}
	return of
}

var identity = []column[Row]{
	{"mesh", func(r *Row) any { return r.Mesh }},
	{"series", func(r *Row) any { return r.Series }},
	{"vertices", func(r *Row) any { return r.Vertices }},
	{"method", func(r *Row) any { return r.Method }},
	{"requested_method", func(r *Row) any { return r.Requested }},
	{"precision", func(r *Row) any { return r.Precision }},
	{"spots", func(r *Row) any { return r.Spots }},
	{"delta", func(r *Row) any { return r.Delta }},
	{"cells", func(r *Row) any { return r.Cells }},
	{"predicted", func(r *Row) any { return r.Predicted }},
}

var outcome = []column[Row]{
	{"setup_s", func(r *Row) any { return r.Setup() }},
	{"solve_s", func(r *Row) any { return r.Solve }},
	{"total_s", func(r *Row) any { return r.Total() }},
	{"iterations", func(r *Row) any { return r.Iterations }},
	{"polish_s", func(r *Row) any { return r.Polish }},
	{"estimate_s", func(r *Row) any { return r.Estimate }},
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
	{"cost_estimated", func(r *Row) any { return r.Estimated }},
	{"estimate_error", func(r *Row) any { return r.EstimateError }},
	{"low", func(r *Row) any { return r.Low }},
	{"high", func(r *Row) any { return r.High }},
	{"note", func(r *Row) any { return r.Note }},
}

// CSV writes the rows with all digits. A number that was not measured is an empty cell.
func CSV(w io.Writer, rows []Row) error { return writeCSV(w, columns, rows) }

func writeCSV[R any](w io.Writer, columns []column[R], rows []R) error {
	out := csv.NewWriter(w)
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.name
	}
	if err := out.Write(names); err != nil {
		return err
	}
	for i := range rows {
		if err := out.Write(record(columns, &rows[i])); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// record is a row of a CSV.
func record[R any](columns []column[R], r *R) []string {
	cells := make([]string, len(columns))
	for j, c := range columns {
		switch x := c.value(r).(type) {
		case float64:
			cells[j] = digits(x)
		case *float64:
			cells[j] = digits(*x)
		case *int:
			cells[j] = strconv.Itoa(*x)
		case *string:
			cells[j] = *x
		default:
			cells[j] = fmt.Sprint(x)
		}
	}
	return cells
}

// digits are all of a number, none of one that was not measured.
func digits(x float64) string {
	if math.IsNaN(x) {
		return ""
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// parse reads what record wrote. The columns point at the row's values.
func parse[R any](columns []column[R], cells []string) (r R, err error) {
	for j, c := range columns {
		text := cells[j]
		switch x := c.value(&r).(type) {
		case *float64:
			*x = math.NaN()
			if text != "" {
				*x, err = strconv.ParseFloat(text, 64)
			}
		case *int:
			*x, err = strconv.Atoi(text)
		case *string:
			*x = text
		}
		if err != nil {
			return r, fmt.Errorf("%s is %.40q, not a number", c.name, text)
		}
	}
	return r, nil
}

// Markdown writes the rows as a table for a person: seconds, and how many
// times less than dense takes. The plan's error is of its cost with the method's own distances.
func Markdown(w io.Writer, rows []Row) error {
	var b strings.Builder
	b.WriteString("| mesh | vertices | method | set-up, by stage | solve | total | of dense | re-solve | query | product | peak | error of the plan's cost | error of the cost polished or estimated (± interval), time |\n")
	b.WriteString("|---|---|---|---|---|---|---|---|---|---|---|---|---|\n")
	for i := range rows {
		r := &rows[i]
		parts := ""
		if s := r.stages(); s != "" {
			parts = " (" + s + ")"
		}
		against := ""
		if d := denseOf(rows, r); d != nil {
			against = ratio(d.Total() / r.Total())
		}
		method := r.label()
		if r.Predicted {
			method += " *"
		}
		better := ""
		if cost, missed, seconds := r.better(); !math.IsNaN(cost) {
			better = fmt.Sprintf("%s (%s), %s", share(missed), share((r.High-r.Low)/2/cost), duration(seconds))
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s%s | %s, %d it. | %s | %s | %s, %s, %d it. | %s | %s | %s | %s | %s |\n",
			r.Mesh, thousands(r.Vertices), method, duration(r.Setup()), parts, duration(r.Solve), r.Iterations, duration(r.Total()),
			against, duration(r.Resolve), ratio(1/r.Share), r.Again, duration(r.Query), duration(r.Product), size(r.Peak), share(r.Error), better)
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

// stages are those of the set-up, if there are several.
func (r *Row) stages() string {
	var parts []string
	for _, t := range r.Stages {
		parts = append(parts, t.Stage+" "+duration(t.Seconds))
	}
	if len(parts) < 2 {
		return ""
	}
	return strings.Join(parts, ", ")
}

// better is the polished or the estimated cost, how far it is off and what it takes, beside set-up and solve; NaN: there is none.
func (r *Row) better() (cost, missed, seconds float64) {
	if r.Cells > 0 {
		return r.Estimated, r.EstimateError, r.Estimate
	}
	return r.Polished, r.PolishedError, r.Polish
}

// denseOf is the float64 dense row of the same mesh.
func denseOf(rows []Row, r *Row) *Row {
	for i := range rows {
		if d := &rows[i]; d.name() == job.Dense && d.Mesh == r.Mesh && !r.Spots {
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
	if stages := r.stages(); stages != "" {
		s += "  [" + stages + "]"
	}
	if cost, missed, seconds := r.better(); !math.IsNaN(cost) {
		what := "polished"
		if r.Cells > 0 {
			what = "estimated"
		}
		s += fmt.Sprintf("  %s %s +- %s in %s", what, share(missed), share((r.High-r.Low)/2/cost), duration(seconds))
	}
	if r.Note != "" {
		s += "  " + r.Note
	}
	return s
}
