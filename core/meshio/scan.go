package meshio

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"unicode/utf16"

	"genussink/internal/decimal"
)

// scanner walks the fields of a text file line by line. A '#' starts a comment
// and a backslash before the line's end joins the next line. Lines end in LF,
// CR or CRLF.
type scanner struct {
	data []byte
	pos  int
	line int // lines passed; the current one is line+1
}

// field returns the next field of the line, nil at its end.
func (s *scanner) field() []byte {
	d, i := s.data, s.pos
	for i < len(d) {
		switch c := d[i]; {
		case c == ' ' || c == '\t' || c == '\v' || c == '\f':
			i++
			continue
		case c == '\\' && lineEnd(d, i+1) > 0:
			i += 1 + lineEnd(d, i+1)
			s.line++
			continue
		case c == '\n' || c == '\r' || c == '#':
			s.pos = i
			return nil
		}
		break
	}
	start := i
	for i < len(d) {
		c := d[i]
		if c <= ' ' && (c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\v' || c == '\f') ||
			c == '#' || c == '\\' && lineEnd(d, i+1) > 0 {
			break
		}
		i++
	}
	s.pos = i
	if i == start {
		return nil
	}
	return d[start:i]
}

// lineEnd is the length of the line ending at i, 0 when there is none.
func lineEnd(d []byte, i int) int {
	switch {
	case i >= len(d):
		return 0
	case d[i] == '\n':
		return 1
	case d[i] != '\r':
		return 0
	case i+1 < len(d) && d[i+1] == '\n':
		return 2
	}
	return 1
}

// nextLine passes over the rest of the line, false at the end of the file.
func (s *scanner) nextLine() bool {
	i := s.pos
	for i < len(s.data) && s.data[i] != '\n' && s.data[i] != '\r' {
		i++
	}
	n := lineEnd(s.data, i)
	s.pos = i + n
	if n > 0 {
		s.line++
	}
	return s.pos < len(s.data)
}

// token returns the next field wherever it is, nil at the end of the file.
func (s *scanner) token() []byte {
	for {
		if f := s.field(); f != nil {
			return f
		}
		if !s.nextLine() {
			return nil
		}
	}
}

// left is the number of bytes ahead.
func (s *scanner) left() int { return len(s.data) - s.pos }

// errorf puts the current line before the message.
func (s *scanner) errorf(format string, args ...any) error {
	return fmt.Errorf("line %d: %w", s.line+1, fmt.Errorf(format, args...))
}

// coordinate reads field c of a position.
func (s *scanner) coordinate(c int, field []byte) (float64, error) {
	x, ok := decimal.Float(field)
	if !ok || x-x != 0 {
		if field == nil {
			return 0, s.errorf("coordinate %c is missing", "xyz"[c])
		}
		return 0, s.errorf("coordinate %c = %s is not a finite number", "xyz"[c], quote(field))
	}
	return x, nil
}

// integer reads a whole number from the next token.
func (s *scanner) integer(what string) (int64, error) {
	f := s.token()
	if f == nil {
		return 0, s.errorf("%s: %w", what, errTruncated)
	}
	n, ok := decimal.Int(f)
	if !ok {
		return 0, s.errorf("%s = %s is not a whole number", what, quote(f))
	}
	return n, nil
}

// quote shows a piece of the file, of hostile length and content perhaps.
func quote(b []byte) string {
	if len(b) > 40 {
		return fmt.Sprintf("%q...", b[:40])
	}
	return fmt.Sprintf("%q", b)
}

// decodeText takes a byte order mark off, and turns UTF-16 into UTF-8.
func decodeText(data []byte) []byte {
	var order binary.ByteOrder
	switch {
	case bytes.HasPrefix(data, []byte{0xEF, 0xBB, 0xBF}):
		return data[3:]
	case bytes.HasPrefix(data, []byte{0xFE, 0xFF}):
		order = binary.BigEndian
	case bytes.HasPrefix(data, []byte{0xFF, 0xFE}):
		order = binary.LittleEndian
	default:
		return data
	}
	units := make([]uint16, len(data)/2-1)
	for i := range units {
		units[i] = order.Uint16(data[2*i+2:])
	}
	return []byte(string(utf16.Decode(units)))
}
