package lesson

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"genussink/viewer/figure"
)

// Text is what a lesson says. Sentences may hold {a reading}, {a reading one noun|several nouns}, *a term of
// the glossary*, $a formula$ and, after what they claim, [its source and place].
type Text struct {
	Title   string
	About   string // what the lesson is for, a sentence
	Steps   []StepText
	Shown   string // what the lesson's graph stands for; "" where the steps say so
	Command string // of the tool: what repeats the figures of its steps on a file
	Minutes int    // about how long it takes
}

// StepText is what a step says.
type StepText struct {
	Title   string
	Command string // as a lesson's, where this step has one of its own
	Say     string
	Rules   []string // what has to hold; the view says which of them do
	Do      string   // what the reader is asked to do
	Ask     string   // the prediction; "" where there is none
	Choices []string
	Reveal  string            // the answer
	Why     string            // after a check that is passed
	Hints   map[string]string // after one that is not; {what} is the verdict's own sentence
}

// Repeats is the command of the tool that repeats a step's figures on a file.
func (l *Lesson) Repeats(step int) string {
	if own := l.Steps[step-1].Text.Command; own != "" {
		return own
	}
	return l.Text.Command
}

// unpredicted is the hint of a check before the prediction is made.
const unpredicted = "unpredicted"

// Unpredicted says whether a verdict only waits for the prediction.
func (v *Verdict) Unpredicted() bool { return v.Hint == unpredicted }

// Hint is what a verdict points out.
func (t *StepText) Hint(v *Verdict) string {
	if v.Unpredicted() {
		return predictFirst
	}
	return t.Hints[v.Hint]
}

// All are the texts that a step may show.
func (t *StepText) All() []string {
	texts := append([]string{t.Say, t.Do, t.Ask, t.Reveal, t.Why}, t.Rules...)
	var keys []string
	for key := range t.Hints {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		texts = append(texts, t.Hints[key])
	}
	return texts
}

// SpanKind is what a part of a sentence is.
type SpanKind uint8

// The parts of sentences.
const (
	Plain SpanKind = iota
	Value          // a reading: Text is its name, then what it says
	Noun           // what the reading before counts: Text is the noun for one, a stroke, and that for several
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
			name, counted, some := strings.Cut(inner, " ")
			if out = append(out, Span{Kind: Value, Text: name, Key: name}); some {
				out = append(out, Span{Kind: Noun, Text: counted})
			}
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
		switch out[i].Kind {
		case Noun: // the reading comes first
			out[i] = Span{Kind: Plain, Text: " " + noun(out[i].Text).after(out[i-1].Text)}
			continue
		case Value:
		default:
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

// noun is a noun for one and, after a stroke, for several.
type noun string

// after is the noun that goes with a number as it is written: "1.0 vertices" are several.
func (n noun) after(number string) string {
	one, several, _ := strings.Cut(string(n), "|")
	if number == "1" {
		return one
	}
	return several
}

// of is a count with its noun.
func (n noun) of(count int) string {
	number := strconv.Itoa(count)
	return number + " " + n.after(number)
}

// caption is what a figure says.
type caption struct {
	title, desc string
	x, y        string   // what the axes of a chart count
	names       []string // of a chart's curves, or a table's columns
}

// chart begins a chart with the caption's words.
func (c *caption) chart(x, y figure.Axis) *figure.Chart {
	x.Label, y.Label = c.x, c.y
	return &figure.Chart{Title: c.title, Desc: c.desc, X: x, Y: y}
}

// Citation is a source that texts name, and where in it.
type Citation struct {
	Key    string
	Places []string
}

// String is the citation as it is read.
func (c Citation) String() string {
	said := "[" + c.Key + "] " + References[c.Key].Text
	if len(c.Places) > 0 {
		said += fmt.Sprintf(cited, strings.Join(c.Places, "; "))
	}
	return said
}

// Citations are those of some texts, by key, each with its places in the order of the texts.
func Citations(texts ...string) (out []Citation) {
	for _, text := range texts {
		for _, s := range Parse(text) {
			if s.Kind != Cite {
				continue
			}
			at, known := slices.BinarySearchFunc(out, s.Key, func(c Citation, key string) int { return strings.Compare(c.Key, key) })
			if !known {
				out = append(out, Citation{})
				copy(out[at+1:], out[at:])
				out[at] = Citation{Key: s.Key}
			}
			if s.Text != "" && !slices.Contains(out[at].Places, s.Text) {
				out[at].Places = append(out[at].Places, s.Text)
			}
		}
	}
	return out
}

// Aloud is the formulas of some spans in words.
func Aloud(list []Span) string {
	var words []string
	for _, s := range list {
		if s.Kind == Math {
			words = append(words, Formulas[s.Key].Words)
		}
	}
	return strings.Join(words, " ")
}

// Written is some spans as plain text: formulas in words, sources in brackets.
func Written(list []Span) string {
	var b strings.Builder
	for _, s := range list {
		switch s.Kind {
		case Math:
			fmt.Fprintf(&b, "(%s)", strings.TrimSuffix(Formulas[s.Key].Words, "."))
		case Cite:
			fmt.Fprintf(&b, "[%s]", strings.TrimSpace(s.Key+" "+s.Text))
		default:
			b.WriteString(s.Text)
		}
	}
	return b.String()
}

// Reference is where something is said or proved.
type Reference struct {
	Text string
}

// Formula is a formula as MathML, with its sentence in words.
type Formula struct{ MathML, Words string }
