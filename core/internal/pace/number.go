// Package pace holds what the readers of PACE files have in common.
package pace

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// Lines reads a text line by line, of whatever length, without a byte order mark at its start.
func Lines(r io.Reader) *bufio.Scanner {
	text := bufio.NewReader(r)
	if mark, _ := text.Peek(3); string(mark) == "\ufeff" {
		_, _ = text.Discard(3)
	}
	lines := bufio.NewScanner(text)
	lines.Buffer(nil, maxLine)
	return lines
}

const maxLine = 1 << 30

// Number parses a decimal of lo to hi.
func Number(text []byte, lo, hi int) (int, error) {
	v, err := strconv.Atoi(string(text))
	if err != nil || text[0] == '+' {
		return 0, fmt.Errorf("%.40q is not a number", text)
	}
	if v < lo || v > hi {
		return 0, fmt.Errorf("%d is not in %d to %d", v, lo, hi)
	}
	return v, nil
}

// LineError is what a bufio.Scanner's error says of the line that it could not
// read.
func LineError(err error) error {
	if errors.Is(err, bufio.ErrTooLong) {
		return errors.New("the line is too long to be read")
	}
	return err
}
