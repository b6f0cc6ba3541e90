// Package pace holds what the readers of PACE files have in common.
package pace

import (
	"fmt"
	"strconv"
)

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
