package linop

import "fmt"

// MemoryError says that what a kernel is made of would not fit. Every package
// that takes a memory limit refuses with it.
type MemoryError struct {
	What        string // with the package: "hub: labels"
	Vertices    int    // of the graph
	Need, Limit int64  // bytes; where the search for tiles or shortcuts stopped early, what was needed until then
}

func (e *MemoryError) Error() string {
	return fmt.Sprintf("%s of %d vertices need %d bytes or more, the limit is %d", e.What, e.Vertices, e.Need, e.Limit)
}
