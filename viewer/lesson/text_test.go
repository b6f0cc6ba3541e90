package lesson

import (
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"
)

// texts calls each with every text of the lessons and where it stands. What the reader is asked to do is no statement.
func texts(each func(where, text string)) {
	for i := range lessonTexts {
		l := &lessonTexts[i]
		each(l.Title, l.About)
		for k := range l.Steps {
			s := &l.Steps[k]
			where := l.Title + ": " + s.Title
			each(where+" (say)", s.Say)
			each(where+" (ask)", s.Ask)
			each(where+" (reveal)", s.Reveal)
			each(where+" (why)", s.Why)
			for key, hint := range s.Hints {
				each(where+" ("+key+")", hint)
			}
		}
	}
	for _, c := range Closing {
		for _, s := range c.Says {
			each(c.Title, s)
		}
	}
	for term, line := range Glossary {
		each("glossary: "+term, line)
	}
}

// plainDefinition says whether a sentence defines a word, or asks, and so claims nothing.
func plainDefinition(where, s string) bool {
	return strings.HasPrefix(where, "glossary: ") || strings.HasSuffix(s, "?")
}

// Every sentence that states a number or a theorem names a source there is, and the place in it; what is on the screen is one place.
func TestSources(t *testing.T) {
	used := map[string]bool{}
	texts(func(where, text string) {
		for _, s := range unsourced(text) {
			if !plainDefinition(where, s) {
				t.Errorf("%s: no source for %q", where, s)
			}
		}
		for _, span := range Parse(text) {
			if span.Kind == Cite {
				used[span.Key] = true
				if _, ok := References[span.Key]; !ok {
					t.Errorf("%s: no source is called %q", where, span.Key)
				}
				if (span.Text == "") != (span.Key == "shown") {
					t.Errorf("%s: where in %s? It says %q", where, span.Key, span.Text)
				}
			}
		}
	})
	for key := range References {
		if !used[key] {
			t.Errorf("no sentence names %s", key)
		}
	}
}

// The gate can fail.
func TestUnsourcedFinds(t *testing.T) {
	for _, bad := range []string{
		"A tree has treewidth 1.", "Every planar graph has such a separator, which was proved in the seventies.", "It takes at most half of them.",
		"The sum is linear.", "The finder needs {found}, which is always optimal.", "So $via$.", "It is exact [nobody p. 3].",
	} {
		if len(unsourced(bad)) == 0 {
			t.Errorf("%q passes", bad)
		}
	}
	for _, good := range []string{"A tree has treewidth 1 [B98].", "The finder needs {found}.", "Click a vertex.", "They are apart."} {
		if s := unsourced(good); len(s) > 0 {
			t.Errorf("%q is refused", s)
		}
	}
	if got := sentences("One [a p. 3]. Two is 2.5 here. Three"); len(got) != 3 {
		t.Errorf("sentences: %q", got)
	}
}

// Terms are in the glossary, formulas are there, are XML and have words; nothing is left over.
func TestMarkup(t *testing.T) {
	terms, formulas := map[string]bool{}, map[string]bool{}
	texts(func(where, text string) {
		for _, span := range Parse(text) {
			switch span.Kind {
			case Term:
				terms[span.Key] = true
				if Glossary[span.Key] == "" {
					t.Errorf("%s: %q is not in the glossary", where, span.Key)
				}
			case Math:
				formulas[span.Key] = true
				if Formulas[span.Key].Words == "" {
					t.Errorf("%s: no formula is called %q", where, span.Key)
				}
			case Plain:
				if strings.ContainsAny(span.Text, "{}[]$*|") && !strings.Contains(span.Text, "|S|") {
					t.Errorf("%s: markup is left in %q", where, span.Text)
				}
			}
		}
		for _, word := range []string{"simply", "just ", "obviously", "easy", "easily", "of course", "!"} {
			if strings.Contains(strings.ToLower(text), word) {
				t.Errorf("%s says %q", where, word)
			}
		}
	})
	for key, f := range Formulas {
		if !formulas[key] {
			t.Errorf("no sentence has the formula %s", key)
		}
		for dec := xml.NewDecoder(strings.NewReader(f.MathML)); ; {
			if _, err := dec.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", key, err)
			}
		}
	}
}

// Steps are short, and say what to do; those with a check have words for both outcomes, and a lesson takes three to five minutes.
func TestTexts(t *testing.T) {
	if len(lessonTexts) != len(Lessons()) {
		t.Fatalf("%d texts for %d lessons", len(lessonTexts), len(Lessons()))
	}
	for i, l := range Lessons() {
		if l.Text.Minutes < 3 || l.Text.Minutes > 5 || l.Text.Command == "" || l.Text.About == "" {
			t.Errorf("%s: %d minutes, command %q", l.Text.Title, l.Text.Minutes, l.Text.Command)
		}
		if len(l.Steps) != len(lessonTexts[i].Steps) {
			t.Errorf("%s: %d texts for %d steps", l.Text.Title, len(lessonTexts[i].Steps), len(l.Steps))
		}
		for _, s := range l.Steps {
			if n := len(sentences(s.Text.Say)); n < 1 || n > 4 {
				t.Errorf("%s: %s says %d sentences", l.Text.Title, s.Text.Title, n)
			}
			if s.Text.Do == "" || s.Check != nil && (s.Text.Why == "" || len(s.Text.Hints) == 0) {
				t.Errorf("%s: %s lacks words", l.Text.Title, s.Text.Title)
			}
		}
	}
}

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
