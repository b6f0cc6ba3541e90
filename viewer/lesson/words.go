package lesson

import "strings"

// Text is what a lesson says. Sentences may hold {a reading}, *a term of
// the glossary*, $a formula$ and, after what they claim, [its source and place].
type Text struct {
	Title   string
	About   string // what the lesson is for, a sentence
	Steps   []StepText
	Command string // of the tool: what repeats the lesson's figures on a file
	Minutes int    // about how long it takes
}

// StepText is what a step says.
type StepText struct {
	Title   string
	Say     string
	Do      string // what the reader is asked to do
	Ask     string // the prediction; "" where there is none
	Choices []string
	Reveal  string            // the answer
	Why     string            // after a check that is passed
	Hints   map[string]string // after one that is not; {what} is the verdict's own sentence
}

// SpanKind is what a part of a sentence is.
type SpanKind uint8

// The parts of sentences.
const (
	Plain SpanKind = iota
	Value          // a reading: Text is its name, then what it says
	Term           // of the glossary: Text is the word, Key the entry
	Math           // a formula: Key is its name
	Cite           // Key is the source, Text the place in it
)

// Span is a part of a sentence.
type Span struct {
	Kind      SpanKind
	Text, Key string
}

// closing is what ends the markup that a character begins; 0 for one that begins none.
func closing(c byte) byte {
	switch c {
	case '{':
		return '}'
	case '[':
		return ']'
	case '*', '$':
		return c
	}
	return 0
}

// Parse splits a text into its parts. A character whose end is missing stands for itself.
func Parse(text string) (out []Span) {
	last := 0
	for i := 0; i < len(text); {
		end := -1
		if c := closing(text[i]); c != 0 {
			end = strings.IndexByte(text[i+1:], c)
		}
		if end <= 0 {
			i++
			continue
		}
		if i > last {
			out = append(out, Span{Kind: Plain, Text: text[last:i]})
		}
		inner := text[i+1 : i+1+end]
		switch text[i] {
		case '{':
			out = append(out, Span{Kind: Value, Text: inner, Key: inner})
		case '*':
			word, entry, ok := strings.Cut(inner, "|")
			if !ok {
				entry = word
			}
			out = append(out, Span{Kind: Term, Text: word, Key: strings.ToLower(entry)})
		case '$':
			out = append(out, Span{Kind: Math, Key: inner})
		default:
			key, place, _ := strings.Cut(inner, " ")
			out = append(out, Span{Kind: Cite, Key: key, Text: place})
		}
		i += end + 2
		last = i
	}
	if last < len(text) {
		out = append(out, Span{Kind: Plain, Text: text[last:]})
	}
	return out
}

// Fill parses a text and puts the readings of a view in their places, with a dash for those that are not there yet.
func Fill(text string, v *View, verdict *Verdict) []Span {
	out := Parse(text)
	for i := range out {
		if out[i].Kind != Value {
			continue
		}
		out[i].Text = "–"
		if r, ok := v.Reading(out[i].Key); ok {
			out[i].Text = r.String()
		} else if out[i].Key == "what" && verdict != nil {
			out[i].Text = verdict.Say
		}
	}
	return out
}

// Reference is where something is said or proved.
type Reference struct {
	Text string
}

// Formula is a formula as MathML, with its sentence in words.
type Formula struct{ MathML, Words string }
