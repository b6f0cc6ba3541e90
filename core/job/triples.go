package job

import "fmt"

// Flat is triples one after the other, as messages have them.
func Flat[T any](triples [][3]T) []T {
	all := make([]T, 0, 3*len(triples))
	for _, t := range triples {
		all = append(all, t[:]...)
	}
	return all
}

// Triples is the inverse of Flat; nil where there are none.
func Triples[T any](all []T) (triples [][3]T, err error) {
	if len(all)%3 != 0 {
		return nil, fmt.Errorf("%d numbers are not triples", len(all))
	}
	for ; len(all) > 0; all = all[3:] {
		triples = append(triples, [3]T(all))
	}
	return triples, nil
}
