package experiment

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

// A journal that ends anywhere is read up to its last whole row, and goes on from there.
func TestJournal(t *testing.T) {
	row := Failure("a/one.off", 0.2, errors.New(`a "quoted", and long, reason`))
	row.Method, row.Cost = "exact", 2.5
	var j Journal
	j.Rows = append(j.Rows, row)
	row.Method, row.Cost = "dense", 2.25
	j.Rows = append(j.Rows, row)
	j.Rows = append(j.Rows, Failure("a/two.off", 0.2, errors.New("no faces")))
	var text bytes.Buffer
	if err := j.Write(&text); err != nil {
		t.Fatal(err)
	}
	whole := text.Bytes()
	for end := range len(whole) + 1 {
		read, err := ReadJournal(whole[:end])
		if err != nil {
			t.Fatalf("%d bytes: %v", end, err)
		}
		if want := max(0, bytes.Count(whole[:end], []byte("\n"))-1); len(read.Rows) != want {
			t.Fatalf("%d bytes: %d rows, not %d", end, len(read.Rows), want)
		}
		read.Rows = append(read.Rows, j.Rows[len(read.Rows):]...)
		var again bytes.Buffer
		if err := read.Write(&again); err != nil || !bytes.Equal(again.Bytes(), whole) {
			t.Fatalf("%d bytes: %v, %s", end, err, &again)
		}
	}
	if len(j.Rows) != 3 || !j.Has("a/one.off", 0.1+0.1, "exact") || j.Has("a/one.off", 0.1, "exact") || j.Has("a/one.off", 0.2, "") || !j.Has("a/two.off", 0.2, "") {
		t.Errorf("%v", j.Rows)
	}
	if a, b := j.Reference("a/one.off", 0.2), j.Reference("a/two.off", 0.2); a != 2.25 || b != 0 {
		t.Errorf("references %g and %g", a, b)
	}
	for _, broken := range []string{"x,y\n", strings.Replace(text.String(), "a/one.off,", "", 1), strings.Replace(text.String(), "\n", "\nx\"y\n", 1), strings.Replace(text.String(), ",2.5,", ",2.5x,", 1)} {
		if read, err := ReadJournal([]byte(broken)); err == nil {
			t.Errorf("%d rows of %.80q", len(read.Rows), broken)
		}
	}
}
