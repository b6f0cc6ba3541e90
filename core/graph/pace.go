package graph

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"

	"genussink/core/internal/pace"
)

// MaxPACEVertices bounds what ReadPACE accepts, because a header of a few
// bytes may announce any number of vertices.
const MaxPACEVertices = 1 << 24

// ReadPACE reads a graph in the PACE challenge's .gr format: a line
// "p tw n m", then m lines "u v" with vertices from 1; lines that begin with c
// are comments. It returns the vertices' number and the edges as the file has
// them, with loops and parallel ones, for New: vertex v of the file is v-1, and
// every edge has length 1. An error names the line.
func ReadPACE(r io.Reader) (n int, edges []Edge, err error) {
	lines := pace.Lines(r)
	m, line := 0, 0
	n = -1
	for lines.Scan() {
		line++
		text := bytes.TrimSpace(lines.Bytes())
		if len(text) == 0 || text[0] == 'c' {
			continue
		}
		fields := bytes.Fields(text)
		if text[0] == 'p' {
			if n >= 0 {
				return 0, nil, fmt.Errorf("line %d: a second problem line", line)
			}
			if len(fields) != 4 || string(fields[0]) != "p" || string(fields[1]) != "tw" {
				return 0, nil, fmt.Errorf("line %d: the problem line is %.40q, want \"p tw vertices edges\"", line, text)
			}
			if n, err = pace.Number(fields[2], 0, MaxPACEVertices); err == nil {
				m, err = pace.Number(fields[3], 0, 1<<30)
			}
			if err != nil {
				return 0, nil, fmt.Errorf("line %d: %w", line, err)
			}
			continue
		}
		if n < 0 {
			return 0, nil, fmt.Errorf("line %d: %.40q comes before the problem line", line, text)
		}
		if len(fields) != 2 {
			return 0, nil, fmt.Errorf("line %d: the edge is %.40q, want two vertices", line, text)
		}
		if len(edges) == m {
			return 0, nil, fmt.Errorf("line %d: more than the %d edges announced", line, m)
		}
		u, err := pace.Number(fields[0], 1, n)
		if err != nil {
			return 0, nil, fmt.Errorf("line %d: %w", line, err)
		}
		v, err := pace.Number(fields[1], 1, n)
		if err != nil {
			return 0, nil, fmt.Errorf("line %d: %w", line, err)
		}
		edges = append(edges, Edge{int32(u - 1), int32(v - 1), 1})
	}
	if err := lines.Err(); err != nil {
		return 0, nil, fmt.Errorf("line %d: %w", line+1, pace.LineError(err))
	}
	if n < 0 {
		return 0, nil, errors.New("the file has no problem line \"p tw vertices edges\"")
	}
	if len(edges) < m {
		return 0, nil, fmt.Errorf("line %d: the file ends after %d of %d edges", line, len(edges), m)
	}
	return n, edges, nil
}

// WritePACE writes the graph in the format of ReadPACE, without its lengths.
func (g *Graph) WritePACE(w io.Writer) error {
	b := bufio.NewWriter(w)
	if _, err := fmt.Fprintf(b, "p tw %d %d\n", g.Len(), g.Edges()); err != nil {
		return err
	}
	var line []byte
	for v := range int32(g.Len()) {
		to, _ := g.Neighbours(v)
		for _, t := range to {
			if t > v {
				line = strconv.AppendInt(line[:0], int64(v)+1, 10)
				line = append(line, ' ')
				line = strconv.AppendInt(line, int64(t)+1, 10)
				if _, err := b.Write(append(line, '\n')); err != nil {
					return err
				}
			}
		}
	}
	return b.Flush()
}
