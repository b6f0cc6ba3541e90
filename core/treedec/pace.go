package treedec

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"genussink/core/graph"
	"genussink/core/internal/pace"
)

// ReadPACE reads a decomposition in the PACE challenge's .td format: a line
// "s td bags largest vertices", then a line "b number vertices..." for every
// bag and a line "bag bag" for every edge of the tree, all from 1; lines that
// begin with c are comments, and there are no empty lines. The bags must be as
// many, and the largest as large, as announced. An error names the line.
// Whether the decomposition is one is for Validate to say.
func ReadPACE(r io.Reader) (*Decomposition, error) { return read(r, -1) }

// CheckPACE reads a decomposition of g as ReadPACE does, and checks it. The error of one that is none says which rule it breaks, with
// vertices and bags as the file numbers them, and the line where one is to blame.
func CheckPACE(r io.Reader, g *graph.Graph) (*Decomposition, error) {
	d, err := read(r, g.Len())
	if err != nil {
		return nil, err
	}
	err = d.Validate(g)
	if v := (*Violation)(nil); errors.As(err, &v) {
		return nil, fmt.Errorf("not valid: %s: %s", v.Rule, v.InFile)
	}
	return d, err
}

// read is ReadPACE of a graph of n vertices, -1: any.
func read(r io.Reader, n int) (*Decomposition, error) {
	lines := pace.Lines(r)
	count, largest := -1, 0
	d := &Decomposition{}
	type numbered struct {
		number, line int
		bag          []int32
	}
	var bags []numbered
	line := 0
	for lines.Scan() {
		line++
		fields := bytes.Fields(lines.Bytes())
		if len(fields) == 0 {
			return nil, fmt.Errorf("line %d is empty", line)
		}
		if fields[0][0] == 'c' {
			continue
		}
		if string(fields[0]) == "s" {
			if count >= 0 {
				return nil, fmt.Errorf("line %d: a second solution line", line)
			}
			if len(fields) != 5 || string(fields[1]) != "td" {
				return nil, fmt.Errorf("line %d: the solution line is %.40q, want \"s td bags largest vertices\"", line, lines.Bytes())
			}
			var header [3]int
			for i := range header {
				var err error
				if header[i], err = pace.Number(fields[2+i], 0, graph.MaxPACEVertices); err != nil {
					return nil, fmt.Errorf("line %d: %w", line, err)
				}
			}
			count, largest, d.Vertices = header[0], header[1], header[2]
			if n >= 0 && d.Vertices != n {
				return nil, fmt.Errorf("line %d: not valid: size: made for %d vertices, the graph has %d", line, d.Vertices, n)
			}
			continue
		}
		if count < 0 {
			return nil, fmt.Errorf("line %d comes before the solution line", line)
		}
		if string(fields[0]) == "b" {
			if len(fields) < 2 {
				return nil, fmt.Errorf("line %d: a bag without a number", line)
			}
			b, err := pace.Number(fields[1], 1, count)
			if err != nil {
				return nil, fmt.Errorf("line %d: bag: %w", line, err)
			}
			bag := make([]int32, len(fields)-2)
			for i, f := range fields[2:] {
				v, err := pace.Number(f, 1, d.Vertices)
				if err != nil {
					return nil, fmt.Errorf("line %d: vertex: %w", line, err)
				}
				bag[i] = int32(v - 1)
			}
			slices.Sort(bag)
			for i := 1; i < len(bag); i++ {
				if bag[i] == bag[i-1] {
					return nil, fmt.Errorf("line %d: vertex %d is twice in the bag", line, bag[i]+1)
				}
			}
			bags = append(bags, numbered{b, line, bag})
			continue
		}
		if len(fields) != 2 {
			return nil, fmt.Errorf("line %d: want two bags, got %d words", line, len(fields))
		}
		var e [2]int32
		for i := range e {
			b, err := pace.Number(fields[i], 1, count)
			if err != nil {
				return nil, fmt.Errorf("line %d: bag: %w", line, err)
			}
			e[i] = int32(b - 1)
		}
		d.Tree = append(d.Tree, e)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("line %d: %w", line+1, pace.LineError(err))
	}
	if count < 0 {
		return nil, errors.New("the file has no solution line \"s td bags largest vertices\"")
	}
	slices.SortStableFunc(bags, func(a, b numbered) int { return a.number - b.number })
	for i, b := range bags {
		if i > 0 && bags[i-1].number == b.number {
			return nil, fmt.Errorf("line %d: bag %d a second time", b.line, b.number)
		}
		d.Bags = append(d.Bags, b.bag)
	}
	if len(bags) != count {
		return nil, fmt.Errorf("the file announces %d bags and gives %d", count, len(bags))
	}
	if d.Width()+1 != largest {
		return nil, fmt.Errorf("the file announces a largest bag of %d and gives one of %d", largest, d.Width()+1)
	}
	return d, nil
}

// WritePACE writes the decomposition in the format of ReadPACE.
func (d *Decomposition) WritePACE(w io.Writer) error {
	b := bufio.NewWriter(w)
	if _, err := fmt.Fprintf(b, "s td %d %d %d\n", len(d.Bags), d.Width()+1, d.Vertices); err != nil {
		return err
	}
	var line []byte
	for i, bag := range d.Bags {
		line = strconv.AppendInt(append(line[:0], "b "...), int64(i)+1, 10)
		for _, v := range bag {
			line = strconv.AppendInt(append(line, ' '), int64(v)+1, 10)
		}
		if _, err := b.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	for _, e := range d.Tree {
		if _, err := fmt.Fprintf(b, "%d %d\n", e[0]+1, e[1]+1); err != nil {
			return err
		}
	}
	return b.Flush()
}
