// Package budget bounds the memory that opening a file takes, before it is taken.
package budget

import "fmt"

// Most is what a file may take by default, in bytes, however large it is; a small one takes Least or
// Share times its size, whichever is less than Most in all.
const (
	Most  = 1_000_000_000
	Least = 128 << 20
	Share = 20
)

// Budget is the memory that a file may take, in bytes.
type Budget int64

// Of is the budget of a file of that size: limit or, where that is 0, the default's.
func Of(limit int64, size int) Budget {
	if limit > 0 {
		return Budget(limit)
	}
	return Budget(min(Most, Least+Share*int64(size)))
}

// Check is an *Error where what the file holds needs more.
func (b Budget) Check(need int64, what string, args ...any) error {
	if need <= int64(b) {
		return nil
	}
	return &Error{What: fmt.Sprintf(what, args...), Need: need, Limit: int64(b)}
}

// Error says what takes too much memory.
type Error struct {
	What        string // in the plural
	Need, Limit int64  // bytes; what was needed so far
}

// OverBudget is what errors of this kind are known by where this package is out of reach.
func (e *Error) OverBudget() {}

func (e *Error) Error() string {
	return fmt.Sprintf("%s take %s of memory or more to open, %s are allowed for this file", e.What, size(e.Need), size(e.Limit))
}

func size(bytes int64) string {
	if bytes < 1e6 {
		return fmt.Sprintf("%d bytes", bytes)
	}
	return fmt.Sprintf("%d MB", bytes/1e6)
}
