package experiment

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"genussink/core/job"
)

// Journal is a table of rows that grows. A later run reads it and goes on where it ends.
type Journal struct{ Rows []PublishedRow }

// ReadJournal reads a file of Journal.Write. An empty file is a journal without rows. A last row that is cut off is left out.
func ReadJournal(data []byte) (*Journal, error) {
	var text bytes.Buffer
	if err := writeCSV(&text, publishedColumns, nil); err != nil {
		return nil, err
	}
	if whole := data[:min(len(data), text.Len())]; !bytes.Equal(whole, text.Bytes()[:len(whole)]) {
		return nil, fmt.Errorf("experiment: the first row is %.60q, not the names of the columns", whole)
	}
	data = data[min(len(data), text.Len()):]
	j, in := &Journal{}, csv.NewReader(bytes.NewReader(data))
	in.FieldsPerRecord = len(publishedColumns)
	for {
		record, err := in.Read()
		var row PublishedRow
		if err == nil {
			row, err = parse(publishedColumns, record)
		}
		switch {
		case errors.Is(err, io.EOF):
			return j, nil
		case in.InputOffset() == int64(len(data)) && (err != nil || data[len(data)-1] != '\n'):
			return j, nil // it was being written
		case err != nil:
			return nil, fmt.Errorf("experiment: row %d: %w", len(j.Rows)+2, err)
		}
		j.Rows = append(j.Rows, row)
	}
}

// Has reports whether there is a row of a mesh, an epsilon (share of the diagonal) and a method. A mesh that could not be measured has the method "".
func (j *Journal) Has(mesh string, epsilon float64, method string) bool {
	return j.find(mesh, epsilon, method) != nil
}

// Reference is the cost of dense or, without it, exact on the mesh, 0 where neither is known.
func (j *Journal) Reference(mesh string, epsilon float64) float64 {
	for _, method := range [...]string{job.Dense, job.Exact} {
		if r := j.find(mesh, epsilon, method); r != nil && !math.IsNaN(r.Cost) {
			return r.Cost
		}
	}
	return 0
}

func (j *Journal) find(mesh string, epsilon float64, method string) *PublishedRow {
	i := slices.IndexFunc(j.Rows, func(r PublishedRow) bool {
		return r.Mesh == mesh && r.Method == method && math.Abs(r.Epsilon-epsilon) <= 1e-12*epsilon
	})
	if i < 0 {
		return nil
	}
	return &j.Rows[i]
}

// Write writes all rows, those that were read as they were. A number that was not measured is an empty cell.
func (j *Journal) Write(w io.Writer) error {
	return writeCSV(w, publishedColumns, j.Rows)
}

// Failure is the row of a mesh that could not be measured.
func Failure(mesh string, epsilon float64, why error) PublishedRow {
	none := repeated(nil)
	return PublishedRow{
		Mesh: mesh, Genus: math.NaN(), Epsilon: epsilon, Cost: math.NaN(), Error: math.NaN(), Bound: math.NaN(), MarginalError: math.NaN(),
		Setup: none, Solve: none, Total: none, Processor: math.NaN(), Peak: math.NaN(), Note: job.Refused + why.Error(),
	}
}
