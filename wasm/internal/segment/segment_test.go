package segment

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// program writes a program with a section before its data and one after.
func program(pieces []segment) []byte {
	section := []byte{byte(len(pieces)&0x7f | 0x80), byte(len(pieces) >> 7)}
	for _, p := range pieces {
		section = appendSized(append(appendSigned(append(section, active, constant), p.at), end), p.content)
	}
	out := appendSized(append([]byte(header), 10), []byte("functions"))
	out = appendSized(append(out, data), section)
	return appendSized(append(out, 0), []byte("\x04nameand so on"))
}

// memory runs the data segments of a program.
func memory(t *testing.T, program []byte, size int) (content []byte, segments int) {
	t.Helper()
	content = make([]byte, size)
	rest := program[len(header):]
	for len(rest) > 0 {
		id := rest[0]
		body, after, err := sized(rest[1:])
		if err != nil {
			t.Fatal(err)
		}
		if rest = after; id != data {
			continue
		}
		count, body, err := unsigned(body)
		if err != nil {
			t.Fatal(err)
		}
		for range count {
			var s segment
			if s, body, err = read(body); err != nil {
				t.Fatal(err)
			}
			copy(content[s.at:], s.content)
			segments++
		}
	}
	return content, segments
}

// Merge leaves fewer segments. The memory stays the same, and so do all other sections. The order of the segments does not matter.
func TestMerge(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const size = 200_000
	for round := range 50 {
		var pieces []segment
		for at := int64(r.IntN(9000)); len(pieces) < 300; {
			content := make([]byte, r.IntN(40))
			for i := range content {
				content[i] = byte(r.Uint32())
			}
			pieces = append(pieces, segment{at, content})
			at += int64(len(content) + r.IntN(3*most))
		}
		if round%2 == 1 {
			r.Shuffle(len(pieces), func(i, j int) { pieces[i], pieces[j] = pieces[j], pieces[i] })
		}
		before := program(pieces)
		after, err := Merge(before)
		if err != nil {
			t.Fatal(err)
		}
		want, many := memory(t, before, size)
		got, few := memory(t, after, size)
		if !bytes.Equal(got, want) {
			t.Fatalf("round %d: another memory", round)
		}
		if few > many*9/10 {
			t.Errorf("round %d: %d segments of %d", round, few, many)
		}
		cut := func(b []byte) (before, after []byte) {
			first, rest, _ := bytes.Cut(b, []byte("functions"))
			_, last, _ := bytes.Cut(rest, []byte("name"))
			return first, last
		}
		first, last := cut(before)
		if first2, last2 := cut(after); !bytes.Equal(first, first2) || !bytes.Equal(last, last2) {
			t.Fatalf("round %d: other sections", round)
		}
	}
}

// Addresses above half of the memory are negative numbers in the format.
func TestSigned(t *testing.T) {
	for _, x := range []int64{0, 1, 63, 64, -1, -64, -65, 8191, 8192, 1<<31 - 1, -1 << 31} {
		got, rest, err := signed(append(appendSigned(nil, x), 7))
		if err != nil || got != x || len(rest) != 1 {
			t.Errorf("%d: %d, %v left, %v", x, got, rest, err)
		}
	}
}

// What is no program, or only the start of one, is an error.
func TestBroken(t *testing.T) {
	good := program([]segment{{8, []byte("one")}, {300, []byte("two")}})
	if _, err := Merge(good); err != nil {
		t.Fatal(err)
	}
	whole := map[int]bool{len(header): true} // a program may end after any section
	for at := len(header); at < len(good); {
		body, rest, err := sized(good[at+1:])
		if err != nil || body == nil {
			t.Fatal(err)
		}
		at = len(good) - len(rest)
		whole[at] = true
	}
	for n := range len(good) {
		if _, err := Merge(good[:n]); (err == nil) != whole[n] {
			t.Errorf("the first %d bytes of %d: %v", n, len(good), err)
		}
	}
	passive := bytes.Replace(good, []byte{active, constant}, []byte{1, 3}, 1)
	if _, err := Merge(passive); err == nil {
		t.Error("a segment that is no active one of memory 0 passes")
	}
	if _, err := Merge(program([]segment{{8, []byte("one")}, {10, []byte("two")}})); err == nil {
		t.Error("segments that overlap pass")
	}
}
