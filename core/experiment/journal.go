package experiment

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"genussink/core/job"
)

// Journal is a table of rows that grows. A later run reads it and goes on where it ends.
type Journal struct{ records [][]string }

// ReadJournal reads a file of PublishedCSV or of Journal.Write. An empty file is a journal without rows. A last row that is cut off is left out.
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
		switch {
		case err == io.EOF:
			return j, nil
		case in.InputOffset() == int64(len(data)) && (err != nil || data[len(data)-1] != '\n'):
			return j, nil // it was being written
		case err != nil:
			return nil, fmt.Errorf("experiment: row %d: %w", len(j.records)+2, err)
		}
		j.records = append(j.records, record)
	}
}

// Len is how many rows there are.
func (j *Journal) Len() int { return len(j.records) }

// Has reports whether there is a row of a mesh, an epsilon (share of the diagonal) and a method. A mesh that could not be measured has the method "".
func (j *Journal) Has(mesh string, epsilon float64, method string) bool {
	return j.find(mesh, epsilon, method) != nil
}

// Reference is the cost of dense or, without it, exact on the mesh, 0 where neither is known.
func (j *Journal) Reference(mesh string, epsilon float64) float64 {
	for _, method := range [...]string{job.Dense, job.Exact} {
		if r := j.find(mesh, epsilon, method); r != nil {
			if cost, err := strconv.ParseFloat(r[at("cost")], 64); err == nil {
				return cost
			}
		}
	}
	return 0
}

func (j *Journal) find(mesh string, epsilon float64, method string) []string {
	i := slices.IndexFunc(j.records, func(r []string) bool {
		x, err := strconv.ParseFloat(r[at("epsilon")], 64)
		return r[at("mesh")] == mesh && r[at("method")] == method && err == nil && math.Abs(x-epsilon) <= 1e-12*epsilon
	})
	if i < 0 {
		return nil
	}
	return j.records[i]
}

// at is the place of a column.
func at(name string) int {
	return slices.IndexFunc(publishedColumns, func(c column[PublishedRow]) bool { return c.name == name })
}

// Add adds a row.
func (j *Journal) Add(r PublishedRow) {
	j.records = append(j.records, record(publishedColumns, &r))
}

// Write writes all rows, those that were read as they were.
func (j *Journal) Write(w io.Writer) error {
	if err := writeCSV(w, publishedColumns, nil); err != nil {
		return err
	}
	out := csv.NewWriter(w)
	return out.WriteAll(j.records)
}

// Failure is the row of a mesh that could not be measured.
func Failure(mesh string, epsilon float64, why error) PublishedRow {
	none := repeated(nil)
	return PublishedRow{
		Mesh: mesh, Genus: math.NaN(), Epsilon: epsilon, Cost: math.NaN(), Error: math.NaN(), Bound: math.NaN(), MarginalError: math.NaN(),
		Setup: none, Solve: none, Peak: math.NaN(), Note: Refused + why.Error(),
	}
}
