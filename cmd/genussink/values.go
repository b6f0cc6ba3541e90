package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"genussink/core/job"
	"genussink/core/measure"
	"genussink/internal/decimal"
)

// length is the value of -epsilon and -delta: a fraction of the bounding box's
// diagonal or, with a "u" behind it, a length in mesh units. Lengths are read
// here only.
type length struct {
	job.Length
	set bool
}

func (l *length) String() string {
	if !l.set {
		return ""
	}
	return l.Length.String()
}

func (l *length) Set(s string) error {
	number, units := strings.CutSuffix(s, "u")
	x, ok := decimal.Float([]byte(number))
	if !ok || math.IsNaN(x) || math.IsInf(x, 0) || x < 0 {
		return fmt.Errorf("want a fraction of the diagonal such as 0.2, or mesh units such as 0.5u")
	}
	*l = length{job.Fraction(x), true}
	if units {
		l.Length = job.Units(x)
	}
	return nil
}

// size is the value of -memory: bytes, or MB or GB of them.
type size struct{ bytes int64 } // 0: not set

func (s *size) String() string {
	if s.bytes == 0 {
		return ""
	}
	return fmt.Sprintf("%gMB", float64(s.bytes)/1e6)
}

func (s *size) Set(text string) error {
	unit := 1.0
	number, ok := strings.CutSuffix(text, "GB")
	if ok {
		unit = 1e9
	} else if number, ok = strings.CutSuffix(text, "MB"); ok {
		unit = 1e6
	}
	x, ok := decimal.Float([]byte(number))
	if x *= unit; !ok || !(x >= 1 && x <= 1e15) {
		return errors.New("want a size such as 500MB or 4GB")
	}
	s.bytes = int64(x)
	return nil
}

// most is the size in bytes, 1 GB if it was not set.
func (s *size) most() int64 {
	if s.bytes == 0 {
		return 1e9
	}
	return s.bytes
}

// strictly is a flag's value that takes numbers in the syntax of files only: Go's own flags take 0x10 and 1_0 too.
type strictly struct {
	flag.Value
	wants string // said of a number that is none of the flag's
}

func (s strictly) Set(text string) error {
	if _, ok := decimal.Float([]byte(text)); !ok {
		return errors.New("not a number")
	}
	if n, ok := decimal.Int([]byte(text)); ok {
		text = strconv.FormatInt(n, 10) // 010 is ten
	}
	if s.Value.Set(text) != nil {
		return errors.New(s.wants)
	}
	return nil
}

// timed is the value of a flag that is a time.
type timed struct{ flag.Value }

func (t timed) Set(text string) error {
	if t.Value.Set(text) != nil {
		return errors.New("want a number with its unit, such as 30s or 5m")
	}
	return nil
}

// strict makes a command's flags take numbers in the syntax of files only, and say what they want.
func strict(fs *flag.FlagSet) {
	fs.VisitAll(func(f *flag.Flag) {
		if v, ok := f.Value.(flag.Getter); ok {
			switch v.Get().(type) {
			case int, uint64:
				f.Value = strictly{v, "want a whole number, not too large"}
			case float64:
				f.Value = strictly{v, "too large for a float64"}
			case time.Duration:
				f.Value = timed{v}
			}
		}
	})
}

// open opens a file that a flag or argument names; "-" is stdin.
func (c *call) open(name string) (io.ReadCloser, error) {
	if name == "-" {
		return io.NopCloser(c.stdin), nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, reason(err))
	}
	return f, nil
}

// readNumbers reads a text file of one number per line, at most limit of them.
// check returns an error for a number that is not allowed. Empty lines do not count.
func (c *call) readNumbers(name string, limit int, check func(x float64) error) (numbers []float64, err error) {
	f, err := c.open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	line := 1
	for ; lines.Scan(); line++ {
		text := lines.Text()
		if line == 1 {
			text = strings.TrimPrefix(text, "\ufeff") // a byte order mark
		}
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		if len(numbers) == limit {
			return nil, fmt.Errorf("%s: line %d: more than %d numbers", name, line, limit)
		}
		x, ok := decimal.Float([]byte(text))
		if !ok {
			return nil, fmt.Errorf("%s: line %d: %.40q is not a number", name, line, text)
		}
		if err := check(x); err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", name, line, err)
		}
		numbers = append(numbers, x)
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return nil, fmt.Errorf("%s: line %d: is too long to be a number", name, line)
	} else if err != nil {
		return nil, fmt.Errorf("%s: %w", name, reason(err))
	}
	return numbers, nil
}

// readVector reads a vector of n numbers, in vertex order.
func (c *call) readVector(name string, n int) ([]float64, error) {
	return c.readFinite(name, n, math.Inf(-1))
}

// readDensity reads one: no number is negative.
func (c *call) readDensity(name string, n int) ([]float64, error) {
	x, err := c.readFinite(name, n, 0)
	if err == nil {
		if err = measure.Validate(x, n); err != nil {
			err = fmt.Errorf("%s: %w", name, err)
		}
	}
	return x, err
}

// readFinite reads n finite numbers, of which none is below least.
func (c *call) readFinite(name string, n int, least float64) ([]float64, error) {
	x, err := c.readNumbers(name, n, func(x float64) error {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("%g is not a finite number", x)
		}
		if x < least {
			return fmt.Errorf("%g is not a density: it is negative", x)
		}
		return nil
	})
	if err == nil && len(x) != n {
		err = fmt.Errorf("%s: %d numbers, the mesh has %d vertices", name, len(x), n)
	}
	return x, err
}

// readVertices reads a set of vertex numbers.
func (c *call) readVertices(name string, n int) ([]int32, error) {
	numbers, err := c.readNumbers(name, n, func(v float64) error {
		if v != math.Trunc(v) || v < 0 || v >= float64(n) {
			return fmt.Errorf("%g is not a vertex: they are numbered from 0 to %d", v, n-1)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	set := make([]int32, len(numbers))
	for i, v := range numbers {
		set[i] = int32(v)
	}
	return set, nil
}

// writeVectors writes one line per vertex, a column per vector.
func (c *call) writeVectors(name string, columns ...[]float64) error {
	return c.writeFile(name, func(w io.Writer) error {
		out := bufio.NewWriter(w)
		var line []byte
		for i := range columns[0] {
			line = line[:0]
			for k, x := range columns {
				if k > 0 {
					line = append(line, '\t')
				}
				line = strconv.AppendFloat(line, x[i], 'g', -1, 64)
			}
			if _, err := out.Write(append(line, '\n')); err != nil {
				return err
			}
		}
		return out.Flush()
	})
}

// field is one result, named as in the JSON object.
type field struct {
	name  string
	value any
}

// report writes results. Without a flag it writes the lines, for a person. With -v it writes all fields in full, one name and value
// per line. With -json it writes the fields as one object, with the same names in the same order.
func (c *call) report(lines []line, fields ...field) error {
	c.progress.clear()
	out := c.stdout
	if c.filled {
		out = c.stderr
	}
	if c.json {
		var b strings.Builder
		for i, f := range fields {
			value, err := json.Marshal(jsonValue(f.value))
			if err != nil {
				return err
			}
			fmt.Fprintf(&b, "%c%q:%s", "{,"[min(i, 1)], f.name, value)
		}
		b.WriteString("}\n")
		_, err := io.WriteString(out, b.String())
		return err
	}
	if !c.verbose {
		return writeText(out, lines)
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, f := range fields {
		printText(w, f.name, f.value)
	}
	return w.Flush()
}

func printText(w io.Writer, name string, value any) {
	switch v := value.(type) {
	case []field:
		for _, f := range v {
			printText(w, name+"."+f.name, f.value)
		}
	case [][]field:
		for i, group := range v { // a list is read as a table, a line each
			fmt.Fprintf(w, "%s[%d]", name, i)
			for _, f := range group {
				fmt.Fprintf(w, "\t%s %v", f.name, f.value)
			}
			fmt.Fprintln(w)
		}
	case []string:
		for _, s := range v {
			fmt.Fprintf(w, "%s\t%s\n", name, s)
		}
	case []int32:
		fmt.Fprintf(w, "%s\t%s\n", name, strings.Trim(fmt.Sprint(v), "[]"))
	case []float64:
		fmt.Fprintf(w, "%s\t%s\n", name, strings.Trim(fmt.Sprint(v), "[]"))
	case float64:
		if math.IsNaN(v) {
			value = "none"
		}
		fmt.Fprintf(w, "%s\t%v\n", name, value)
	case nil:
		fmt.Fprintf(w, "%s\tnone\n", name)
	default:
		fmt.Fprintf(w, "%s\t%v\n", name, value)
	}
}

// jsonValue turns groups of fields into objects, and numbers that JSON does not
// have, such as NaN, into null.
func jsonValue(value any) any {
	switch v := value.(type) {
	case []field:
		m := make(object, len(v))
		for i, f := range v {
			m[i] = field{f.name, jsonValue(f.value)}
		}
		return m
	case [][]field:
		list := make([]any, len(v))
		for i, group := range v {
			list[i] = jsonValue(group)
		}
		return list
	case float64:
		if math.IsInf(v, 0) || math.IsNaN(v) {
			return nil
		}
	case []float64:
		list := make([]any, len(v))
		for i, x := range v {
			list[i] = jsonValue(x)
		}
		return list
	case [][]float64:
		list := make([]any, len(v))
		for i, x := range v {
			list[i] = jsonValue(x)
		}
		return list
	case []int32:
		if v == nil {
			return []int32{}
		}
	case []string:
		if v == nil {
			return []string{}
		}
	}
	return value
}

// object is a JSON object that keeps its order.
type object []field

func (o object) MarshalJSON() ([]byte, error) {
	var b []byte
	for i, f := range o {
		value, err := json.Marshal(f.value)
		if err != nil {
			return nil, err
		}
		b = append(b, "{,"[min(i, 1)])
		b = strconv.AppendQuote(b, f.name)
		b = append(append(b, ':'), value...)
	}
	if len(o) == 0 {
		b = append(b, '{')
	}
	return append(b, '}'), nil
}

// orNil is nil, JSON's null, for an empty text.
func orNil(s string) any {
	if s == "" {
		return nil
	}
	return s
}
