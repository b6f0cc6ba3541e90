package treedec

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strconv"

	"genussink/core/internal/pace"
)

// ReadOrder reads an elimination order of the given number of vertices: a
// vertex per line, from 1, each once; lines that begin with c are comments. An
// error names the line and what stands there.
func ReadOrder(r io.Reader, vertices int) ([]int32, error) {
	if vertices < 0 {
		panic("treedec: ReadOrder: fewer than 0 vertices")
	}
	lines := pace.Lines(r)
	order := make([]int32, 0, vertices)
	seen := make([]int, vertices) // the line
	line := 0
	for lines.Scan() {
		line++
		fields := bytes.Fields(lines.Bytes())
		if len(fields) > 0 && fields[0][0] == 'c' {
			continue
		}
		if len(fields) != 1 {
			return nil, fmt.Errorf("line %d: %.40q, want one vertex", line, lines.Bytes())
		}
		v, err := pace.Number(fields[0], 1, vertices)
		if err != nil {
			return nil, fmt.Errorf("line %d: vertex: %w", line, err)
		}
		if seen[v-1] > 0 {
			return nil, fmt.Errorf("line %d: vertex %d a second time, after line %d", line, v, seen[v-1])
		}
		seen[v-1] = line
		order = append(order, int32(v-1))
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("line %d: %w", line+1, err)
	}
	for v, at := range seen {
		if at == 0 {
			return nil, fmt.Errorf("line %d: the order ends without vertex %d, after %d of %d", line, v+1, len(order), vertices)
		}
	}
	return order, nil
}

// WriteOrder writes the order in the format of ReadOrder.
func WriteOrder(w io.Writer, order []int32) error {
	b := bufio.NewWriter(w)
	var line []byte
	for _, v := range order {
		line = strconv.AppendInt(line[:0], int64(v)+1, 10)
		if _, err := b.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return b.Flush()
}
