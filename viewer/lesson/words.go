package lesson

import (
	"regexp"
	"strings"
)

// LessonText is what a lesson says. Sentences may hold {a reading}, *a term of
// the glossary*, $a formula$ and, after what they claim, [its source and place].
type LessonText struct {
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

var markup = regexp.MustCompile(`\{[a-zA-Z]+\}|\*[^*]+\*|\$[a-z-]+\$|\[[^\]]+\]`)

// Parse splits a text into its parts.
func Parse(text string) (out []Span) {
	last := 0
	for _, at := range markup.FindAllStringIndex(text, -1) {
		if at[0] > last {
			out = append(out, Span{Kind: Plain, Text: text[last:at[0]]})
		}
		last = at[1]
		inner := text[at[0]+1 : at[1]-1]
		switch text[at[0]] {
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

// sentences splits a text; a full stop inside markup or a number ends none.
func sentences(text string) (out []string) {
	depth, start := 0, 0
	for i, r := range text {
		switch r {
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		case '.', '?', '!':
			if depth == 0 && (i+1 == len(text) || text[i+1] == ' ') {
				out = append(out, strings.TrimSpace(text[start:i+1]))
				start = i + 1
			}
		}
	}
	if rest := strings.TrimSpace(text[start:]); rest != "" {
		out = append(out, rest)
	}
	return out
}

var (
	claims = regexp.MustCompile(`(?i)[0-9]|√|\b(two|three|four|five|six|seven|eight|nine|ten|half|halves|third|thirds|quarter|tenth|twice|double|per cent|theorem|prove[sdn]?|proof|always|never|at most|at least|optimal|optimum|is exact|exactly|linear|bounded|grows? like|no narrower|no smaller|cannot)\b`)
	// What is no statement of a number: markup, and a half step, which is the name of a thing.
	marked = regexp.MustCompile(`\{[^}]*\}|\$[^$]*\$|\[[^\]]*\]|[Hh]alf steps?`)
)

// unsourced lists the sentences of a text that state a number or a theorem and name no source. Readings are computed, and need none.
func unsourced(text string) (out []string) {
	for _, s := range sentences(text) {
		cited := false
		for _, span := range Parse(s) {
			if span.Kind == Cite {
				_, cited = References[span.Key]
			}
			if cited {
				break
			}
		}
		if !cited && (claims.MatchString(marked.ReplaceAllString(s, "")) || strings.Contains(s, "$")) {
			out = append(out, s)
		}
	}
	return out
}
