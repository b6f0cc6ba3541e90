package experiment

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"math"
	"testing"
)

// Every class's product is right to 1e-9 of the dense one, and takes steps that grow like n and not like n^2. Random features err as they say. Sums of exponentials keep their bounds.
func TestKernels(t *testing.T) {
	var rows []KernelRow
	if err := Kernels(t.Context(), 4000, func(r KernelRow) { rows = append(rows, r) }); err != nil {
		t.Fatal(err)
	}
	if len(rows) != 2*len(KernelNames) {
		t.Fatalf("%d rows of %d functions", len(rows), len(KernelNames))
	}
	for i, r := range rows {
		if r.Kernel != KernelNames[i/2] || r.Points != 1000<<(2*(i%2)) || r.Steps <= 0 || !(r.Product > 0) || !(r.Dense > 0) {
			t.Errorf("%+v", r)
		}
		if random := !math.IsNaN(r.Deviations); random {
			if !(r.Deviations < 2) || !(r.Error > 0) {
				t.Errorf("features: %+v", r)
			}
		} else if !(r.Error <= 1e-9) {
			t.Errorf("%s at %d points errs by %g", r.Kernel, r.Points, r.Error)
		}
		if i%2 == 1 && !(r.Exponent <= 1.2) {
			t.Errorf("%s takes steps of exponent %g", r.Kernel, r.Exponent)
		}
		if r.Terms > 0 && !(r.TermsError <= r.TermsBound && r.TermsBound <= kernelTolerance) {
			t.Errorf("%s: the sum of %d terms errs by %g, bound %g", r.Kernel, r.Terms, r.TermsError, r.TermsBound)
		}
	}
	if half := rows[0].Half; math.Abs(half-math.Ln2) > 1e-9 {
		t.Errorf("exp is a half at %g", half)
	}
	if !math.IsNaN(rows[4].Half) {
		t.Errorf("a rising polynomial is a half at %g", rows[4].Half)
	}
	var b bytes.Buffer
	if err := KernelsCSV(&b, rows); err != nil {
		t.Fatal(err)
	}
	cells, err := csv.NewReader(&b).ReadAll()
	if err != nil || len(cells) != 1+len(rows) || cells[1][5] != "" || cells[2][5] == "" {
		t.Errorf("%v, %d lines", err, len(cells))
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Kernels(gone, 1000, func(KernelRow) {}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
