// Package wording tests what decoders say of bad input: words for a person,
// with the place. It is for tests alone.
package wording

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
)

// foreign are texts of Go's libraries, and what a fault in a format string
// leaves behind.
var foreign = []string{
	"strconv.", "json:", "EOF", "invalid character", "runtime error", "illegal base64", "index out of range",
	"<nil>", "%!", "bufio.", "parse error", "unmarshal", "invalid syntax", "value out of range", "slice bounds",
	"gltf: gltf", "base64.", "reflect", "goroutine", "nil pointer", "invalid URL",
}

var (
	// A place is a line, a byte, a numbered element, a field of the format or, for
	// what is true of the whole, the file itself.
	place = regexp.MustCompile(`line \d+|byte \d+|the file|the document|no faces|[Tt]he (JSON|header|graph)|` +
		`\b(accessor|buffer|buffer view|node|mesh|scene|chunk|element|primitive|vertex|face|triangle|bag|vertices|tristrips)\b|` +
		`\b(asset|extensionsRequired|scenes?|nodes|meshes|accessors|bufferViews|buffers|length|header)\b`)
	word = regexp.MustCompile(`[A-Za-z]{2,}`)
)

// Fault is what is wrong with an error's wording, "" for nothing: it holds
// texts of Go's own, names no place, is not one line or is too short to be a
// sentence.
func Fault(err error) string {
	message := err.Error()
	unquoted := regexp.MustCompile(`"(\\.|[^"\\])*"`).ReplaceAllString(message, "_") // the file's own words may say anything
	for _, f := range foreign {
		if strings.Contains(unquoted, f) {
			return fmt.Sprintf("%q holds %q", message, f)
		}
	}
	switch {
	case strings.ContainsAny(message, "\n\r"):
		return fmt.Sprintf("%q is not one line", message)
	case !place.MatchString(unquoted):
		return fmt.Sprintf("%q names no place", message)
	case len(word.FindAllString(unquoted, -1)) < 3:
		return fmt.Sprintf("%q is no sentence", message)
	case len(message) > 600:
		return fmt.Sprintf("%.100q... has %d bytes", message, len(message))
	}
	return ""
}

// Mutate returns data with one thing wrong, chosen by rng: cut short, bytes
// replaced or left out, a piece repeated, or a word replaced by one that does
// harm elsewhere.
func Mutate(rng *rand.Rand, data []byte) []byte {
	if len(data) == 0 {
		return []byte{byte(rng.IntN(256))}
	}
	at := rng.IntN(len(data))
	end := min(len(data), at+1+rng.IntN(8))
	join := func(parts ...[]byte) []byte {
		var all []byte
		for _, p := range parts {
			all = append(all, p...)
		}
		return all
	}
	switch rng.IntN(6) {
	case 0:
		return join(data[:at])
	case 1:
		return join(data[:at], data[end:])
	case 2:
		return join(data[:end], data[at:])
	case 3:
		noise := make([]byte, end-at)
		for i := range noise {
			noise[i] = byte(rng.IntN(256))
		}
		return join(data[:at], noise, data[end:])
	}
	// A word: of digits, of letters or of one sign.
	word := regexp.MustCompile(`[0-9.+-]+|[A-Za-z_]+|[{}\[\]:,"]`).FindIndex(data[at:])
	if word == nil {
		return join(data[:at])
	}
	harm := []string{
		"1e999", "-1", "1e300", "nan", "\"x\"", "null", "[]", "{}", "true", "0", "99999999999999999999", "4294967295",
		"-0.5", "", " ", "}", "]", "\"", "\\", "\n", "%", "é", "1_0", "0x10", "VEC2", "+",
	}
	return join(data[:at+word[0]], []byte(harm[rng.IntN(len(harm))]), data[at+word[1]:])
}
