package experiment

import (
	"bytes"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"genussink/core/internal/growth"
	"genussink/core/job"
)

var update = flag.Bool("update", false, "write the tables of docs/REPRODUCTION.md anew")

// The tables of docs/REPRODUCTION.md are those of docs/reproduction, to the last digit.
func TestReproduction(t *testing.T) {
	var rows []PublishedRow
	for _, kind := range []string{"dumbbell", "pseudo-genus"} {
		data, err := os.ReadFile(filepath.Join("../../docs/reproduction", kind, "published.csv"))
		if err != nil {
			t.Fatal(err)
		}
		j, err := ReadJournal(data)
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, j.Rows...)
	}
	const name = "../../docs/REPRODUCTION.md"
	page, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for what, table := range map[string]string{"bars": bars(rows), "growth": growths(rows), "ours": ours(rows), "methods": others(rows)} {
		begin, end := []byte("<!-- "+what+" -->\n"), []byte("<!-- end -->")
		before, rest, ok := bytes.Cut(page, begin)
		now, after, closed := bytes.Cut(rest, end)
		if !ok || !closed {
			t.Fatalf("no table %q", what)
		}
		if *update {
			page = slices.Concat(before, begin, []byte(table), end, after)
		} else if string(now) != table {
			t.Errorf("%s: -update writes\n%s\nnot\n%s", what, table, now)
		}
	}
	if *update {
		if err := os.WriteFile(name, page, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// pair is dense and exact on one mesh.
type pair struct{ dense, exact *PublishedRow }

func (p pair) time() float64       { return p.dense.Total.Median / p.exact.Total.Median }
func (p pair) processors() float64 { return p.dense.Processor / p.exact.Processor }

// pairs are those of a series or, as a prefix, several, by series and size. No row of theirs may be missing.
func pairs(rows []PublishedRow, series string) (all []pair) {
	var dense []PublishedRow
	for _, of := range bySize(rows) {
		switch {
		case !strings.HasPrefix(of[0].Series, series):
		case of[0].Method == job.Dense:
			dense = of
		case of[0].Method == job.Exact:
			for i := range dense {
				all = append(all, pair{&dense[i], &of[i]})
				if dense[i].Mesh != of[i].Mesh {
					panic("no exact on " + dense[i].Mesh)
				}
			}
		}
	}
	return all
}

func times(x float64) string { return fmt.Sprintf("%.1f", x) }

func ours(rows []PublishedRow) string {
	var b strings.Builder
	b.WriteString("| graph | vertices | runs | error of exact | dense, set-up | solve | exact, set-up | solve | of processors | dense over exact: seconds | of processors | memory, dense | exact |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|\n")
	for _, p := range pairs(rows, "") {
		fmt.Fprintf(&b, "| %s | %s | %d | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", p.exact.Series, thousands(p.exact.Vertices), p.exact.Rounds, share(p.exact.Error),
			duration(p.dense.Setup.Median), duration(p.dense.Solve.Median), duration(p.exact.Setup.Median), duration(p.exact.Solve.Median), duration(p.exact.Processor),
			times(p.time()), times(p.processors()), memory(p.dense.Peak), memory(p.exact.Peak))
	}
	return b.String()
}

// growths are powers of n, and the least size from which on exact takes less than dense, by both clocks.
func growths(rows []PublishedRow) string {
	var b strings.Builder
	b.WriteString("| graph | dense, seconds | of processors | memory | exact, seconds | of processors | memory | exact is faster from |\n|---|---|---|---|---|---|---|---|\n")
	for _, of := range bySize(rows) {
		if of[0].Method != job.Dense {
			continue
		}
		all := pairs(rows, of[0].Series)
		fmt.Fprintf(&b, "| %s |", of[0].Series)
		for _, row := range []func(p pair) *PublishedRow{func(p pair) *PublishedRow { return p.dense }, func(p pair) *PublishedRow { return p.exact }} {
			for _, value := range []func(r *PublishedRow) float64{func(r *PublishedRow) float64 { return r.Total.Median }, func(r *PublishedRow) float64 { return r.Processor }, func(r *PublishedRow) float64 { return r.Peak }} {
				fmt.Fprintf(&b, " n^%.2f |", power(all, func(p pair) float64 { return value(row(p)) }))
			}
		}
		from := len(all)
		for from > 0 && all[from-1].time() > 1 && all[from-1].processors() > 1 {
			from--
		}
		fmt.Fprintf(&b, " %s vertices |\n", thousands(all[from].exact.Vertices))
	}
	return b.String()
}

func power(all []pair, value func(p pair) float64) float64 {
	var n, y []float64
	for _, p := range all {
		n, y = append(n, float64(p.exact.Vertices)), append(y, value(p))
	}
	return growth.Power(n, y)
}

// bars are what was asked for before anything was measured.
func bars(rows []PublishedRow) string {
	var b strings.Builder
	b.WriteString("| asked | measured, seconds | of processors | held |\n|---|---|---|---|\n")
	line := func(asked, seconds, processors string, held bool) {
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", asked, seconds, processors, map[bool]string{true: "yes", false: "no"}[held])
	}
	faster := func(asked string, seconds, processors, least float64, beside string) {
		if math.IsInf(seconds, 1) {
			fmt.Fprintf(&b, "| %s | - | - | not measured |\n", asked)
			return
		}
		line(asked, times(seconds)+beside, times(processors)+beside, min(seconds, processors) > least)
	}
	worst := func(series string, from int) (missed, seconds, processors float64, sizes int) {
		seconds, processors = math.Inf(1), math.Inf(1)
		for _, p := range pairs(rows, series) {
			missed = max(missed, p.exact.Error)
			if p.exact.Vertices >= from {
				seconds, processors, sizes = min(seconds, p.time()), min(processors, p.processors()), sizes+1
			}
		}
		return missed, seconds, processors, sizes
	}
	missed, _, _, sizes := worst("dumbbell", 0)
	line(fmt.Sprintf("dumbbells: the cost of exact within 1e-10 of dense's, %d graphs", sizes), share(missed), "", missed <= 1e-10)
	_, seconds, processors, sizes := worst("dumbbell", 2036)
	faster(fmt.Sprintf("dumbbells of 2,036 vertices or more: exact faster than dense, %d graphs", sizes), seconds, processors, 1, " times or more")
	_, seconds, processors, _ = worst("dumbbell w=1", 19745)
	faster("dumbbell, w=1, 19,745 vertices: at least 20 times faster", seconds, processors, 20, " times")
	all := pairs(rows, "dumbbell w=1")
	wall, cpu := power(all, func(p pair) float64 { return p.exact.Total.Median }), power(all, func(p pair) float64 { return p.exact.Processor })
	line("dumbbell, w=1: exact grows like n^1.2 at most", fmt.Sprintf("n^%.2f", wall), fmt.Sprintf("n^%.2f", cpu), max(wall, cpu) <= 1.2)
	missed, _, _, sizes = worst("pseudo-genus", 0)
	line(fmt.Sprintf("pseudo-genus: the cost of exact within 1e-10 of dense's, %d surfaces", sizes), share(missed), "", missed <= 1e-10)
	_, seconds, processors, sizes = worst("pseudo-genus", 4268)
	faster(fmt.Sprintf("pseudo-genus of 4,268 vertices or more: exact faster than dense, %d surfaces", sizes), seconds, processors, 1, " times or more")
	for order := 1; order <= 3; order++ {
		_, seconds, processors, _ = worst(fmt.Sprintf("pseudo-genus %d", order), 19745)
		faster(fmt.Sprintf("pseudo-genus %d, 19,745 vertices: at least 10 times faster", order), seconds, processors, 10, " times")
	}
	return b.String()
}

// others are all methods on the graphs of the second size, the largest on which every method was measured three times.
func others(rows []PublishedRow) string {
	var b strings.Builder
	b.WriteString("| method | dumbbell, w=1: error | w=2, 3: error | pseudo-genus: error | processor time over dense's | memory over dense's |\n|---|---|---|---|---|---|\n")
	within := func(values []float64, format string) string {
		if len(values) == 0 {
			return "refused"
		}
		low, high := fmt.Sprintf(format, slices.Min(values)), fmt.Sprintf(format, slices.Max(values))
		if low == high {
			return low
		}
		return low + " to " + high
	}
	for _, method := range job.Contenders {
		var missed [3][]float64
		var processors, peaks []float64
		for i := range rows {
			r := &rows[i]
			if r.Method != method || r.Vertices < 2036 || r.Vertices > 2076 || math.IsNaN(r.Cost) {
				continue
			}
			dense := pairs(rows, r.Series)[1].dense
			at := 2
			if strings.HasPrefix(r.Series, "dumbbell") {
				at = min(1, int(r.Series[len(r.Series)-1]-'1'))
			}
			missed[at] = append(missed[at], r.Error)
			processors, peaks = append(processors, r.Processor/dense.Processor), append(peaks, r.Peak/dense.Peak)
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n", method, within(missed[0], "%.0e"), within(missed[1], "%.0e"), within(missed[2], "%.0e"), within(processors, "%.2f"), within(peaks, "%.2f"))
	}
	return b.String()
}
