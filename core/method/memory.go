package method

import (
	"errors"
	"fmt"

	"genussink/core/hub/label"
	"genussink/core/internal/budget"
	"genussink/core/job"
	"genussink/core/linop"
)

// needOf is what a refusal for want of memory asked for, 0 for other errors.
func needOf(err error) (need int64) {
	var m *linop.MemoryError
	if errors.As(err, &m) {
		return m.Need
	}
	return 0
}

// IsMemory says whether an error is a refusal for want of memory.
func IsMemory(err error) bool {
	var m *MemoryError
	var f *budget.Error
	return needOf(err) > 0 || errors.As(err, &m) || errors.As(err, &f)
}

// MemoryError is a refusal in words for a person.
type MemoryError struct{ Message string }

func (e *MemoryError) Error() string { return e.Message }

// advise says of a refusal for want of memory which method would fit.
func (m *Maker) advise(r *Run, p Spec, err error) error {
	need := needOf(err)
	if need == 0 {
		return err
	}
	refusal := fmt.Sprintf("The %s kernel of %d vertices needs %s (%d bytes) or more and %s are allowed; ",
		p.Method, m.Graph.Len(), Gigabytes(need), need, Gigabytes(m.MemoryLimit))
	t, treeErr := m.tree(r)
	if treeErr != nil {
		return treeErr
	}
	labels := 2 * label.Bytes(t, label.Float32) // and the factors
	exactly, _ := m.Outlook(r.Context, p.of(job.Exact))
	switch {
	case labels > m.MemoryLimit:
		return &MemoryError{refusal + fmt.Sprintf("the labels alone need %s, so that no other method fits.", Gigabytes(labels))}
	case p.Method == job.Exact && m.stored(p) == label.Float64 && p.Precision != "":
		return &MemoryError{refusal + "with float32 it needs less, certified needs less still, the less the larger delta is."}
	case p.Method == job.Exact:
		return &MemoryError{refusal + "certified needs less, the less the larger delta is."}
	case p.Method == job.Certified || p.Method == job.Embedded:
		return &MemoryError{refusal + "a larger delta needs less."}
	case p.Method == job.Sampled || exactly.Bytes > m.MemoryLimit:
		return &MemoryError{refusal + fmt.Sprintf("certified may fit: its labels take %s.", Gigabytes(labels))}
	}
	return &MemoryError{refusal + fmt.Sprintf("exact gives the same answer to 7 digits in some %s.", Gigabytes(exactly.Bytes))}
}

// Gigabytes writes so many bytes for a person.
func Gigabytes(bytes int64) string {
	if bytes < 1e8 {
		return fmt.Sprintf("%.3g MB", float64(bytes)/1e6)
	}
	return fmt.Sprintf("%.3g GB", float64(bytes)/1e9)
}
