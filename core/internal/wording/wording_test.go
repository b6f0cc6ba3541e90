package wording

import (
	"errors"
	"testing"
)

func TestFault(t *testing.T) {
	for message, ok := range map[string]bool{
		`obj: line 3: coordinate x = "abc" is not a finite number`:            true,
		`gltf: line 1, column 2: the JSON has "]" where none is`:              true,
		`off: line 2: "strconv.ParseInt" where OFF is wanted`:                 true, // the file's own words
		`off: line 2: strconv.ParseInt: parsing "x": invalid syntax`:          false,
		`gltf: JSON: invalid character ']' looking for beginning of value`:    false,
		`buffer 0: illegal base64 data at input byte 4`:                       false,
		`line 4: unexpected EOF`:                                              false,
		`the document is inconsistent: runtime error: index out of range [5]`: false,
		"line 1: coordinate x is missing\nline 2: coordinate x is missing":    false,
		`coordinate x is NaN, which it must not be`:                           false,
		`line 7: "x"`:                                        false,
		`line 7: want %!d(string=x) vertices`:                false,
		`line 7: the value is <nil>, want a text of letters`: false,
	} {
		if fault := Fault(errors.New(message)); (fault == "") != ok {
			t.Errorf("%q: %q", message, fault)
		}
	}
}
