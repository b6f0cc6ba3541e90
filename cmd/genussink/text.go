package main

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"genussink/core/job"
)

// line is a figure as a person reads it, with its unit. Without a text it is the heading of those below it.
type line struct{ label, text string }

// writeText writes lines, the texts in one column.
func writeText(w io.Writer, lines []line) error {
	width := 0
	for _, l := range lines {
		if l.text != "" {
			width = max(width, len(l.label))
		}
	}
	var b strings.Builder
	for i, l := range lines {
		switch {
		case l.text != "":
			fmt.Fprintf(&b, "  %-*s  %s\n", width, l.label, l.text)
		case i > 0:
			fmt.Fprintf(&b, "\n%s\n", l.label)
		default:
			fmt.Fprintln(&b, l.label)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// digits is a number with at most five of them.
func digits(x float64) string { return strconv.FormatFloat(x, 'g', 5, 64) }

// units is a length.
func units(x float64) string { return digits(x) + " mesh units" }

// count is so many of something that has a plural with an s.
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// vertices is count of these.
func vertices(n int) string {
	if n == 1 {
		return "1 vertex"
	}
	return fmt.Sprintf("%d vertices", n)
}

func megabytes(n int64) string { return digits(float64(n)/1e6) + " MB" }

// took is what a call took in all, the last of the times, and in its stages, without those that there were not.
func took(times []field) line {
	var stages []string
	for _, f := range times[:len(times)-1] {
		if x := f.value.(float64); x > 0 && !strings.HasPrefix(f.name, "total") {
			stages = append(stages, f.name+" "+strconv.FormatFloat(x, 'g', 3, 64))
		}
	}
	total := strconv.FormatFloat(times[len(times)-1].value.(float64), 'g', 3, 64) + " s"
	if len(stages) > 1 {
		total += ": " + strings.Join(stages, ", ")
	}
	return line{"time", total}
}

// kernelText says which kernel was made.
func kernelText(k *job.Kernel, epsilon job.Length) []line {
	method := k.Method
	for _, x := range []string{k.Host, k.Precision} {
		if x != "" {
			method += ", " + x
		}
	}
	blur := units(k.Epsilon)
	if !epsilon.Units {
		blur += fmt.Sprintf(", %s %% of the diagonal", digits(100*epsilon.Value))
	}
	lines := []line{{"method", method}, {"epsilon", blur}}
	if k.Function != job.Exp {
		lines = append(lines, line{"kernel", fmt.Sprintf("%s of distance over epsilon, wrong by at most %.1e of itself, proved", k.Function, k.Share)})
	}
	if !math.IsNaN(k.Delta) {
		lines = append(lines, line{"delta", units(k.Delta)})
	}
	if k.Depth >= 0 {
		lines = append(lines, line{"tree depth", count(k.Depth, "level") + " of separators"})
	}
	return lines
}

// boundText says by how much distances may be wrong: nothing where nothing is proved.
func boundText(k *job.Kernel) []line {
	switch {
	case k.Bound == 0:
		return []line{{"distances", "exact"}}
	case !math.IsNaN(k.Bound):
		return []line{{"distances", fmt.Sprintf("wrong by at most %.1e mesh units, proved", k.Bound)}}
	}
	return nil
}

// noteText is why things are other than was asked for.
func noteText(notes ...string) (lines []line) {
	for _, n := range notes {
		if n != "" {
			lines = append(lines, line{"note", n})
		}
	}
	return lines
}

// fileText says what was written.
func fileText(name, what string) []line {
	return []line{{"written", ""}, {"file", name}, {"holds", what}}
}

// some are the first and the last of a long list.
func some(list []int32) string {
	const most = 16
	words := strings.Fields(strings.Trim(fmt.Sprint(list), "[]"))
	if len(words) > most {
		words = append(append(words[:most/2:most/2], "..."), words[len(words)-most/2:]...)
	}
	return strings.Join(words, " ")
}
