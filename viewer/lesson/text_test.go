package lesson

import (
	"encoding/xml"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// texts calls each with every text of the lessons and where it stands.
func texts(each func(where, text string)) {
	for i := range lessonTexts {
		l := &lessonTexts[i]
		each(l.Title, l.About)
		each(l.Title+" (shown)", l.Shown)
		for k := range l.Steps {
			s := &l.Steps[k]
			where := l.Title + ": " + s.Title
			each(where+" (say)", s.Say)
			each(where+" (do)", s.Do)
			each(where+" (ask)", s.Ask)
			for _, rule := range s.Rules {
				each(where+" (rule)", rule)
			}
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
	for _, words := range figureWords() {
		each("figures", words)
	}
}

// figureWords are the sentences of text.go that belong to no step: descriptions of figures, names of dots, why a step has no numbers. Names of up to three
// words say nothing. What a format is filled with counts as a reading.
func figureWords() (out []string) {
	file, err := parser.ParseFile(token.NewFileSet(), "text.go", nil, 0)
	if err != nil {
		panic(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ValueSpec:
			return !slices.Contains([]string{"References", "Glossary", "Formulas", "Closing", "lessonTexts", "threeRules", "mathHead"}, n.Names[0].Name)
		case *ast.BasicLit:
			if text, _ := strconv.Unquote(n.Value); n.Kind == token.STRING && len(word.FindAllString(text, 4)) > 3 {
				out = append(out, verb.ReplaceAllString(text, "{x}"))
			}
		}
		return true
	})
	return out
}

// claimsNothing says whether a sentence defines a word, asks, or tells the reader to do something. A definition states no theorem.
func claimsNothing(where, s string) bool {
	switch {
	case strings.HasPrefix(where, "glossary: "):
		return !theorem.MatchString(s)
	case strings.HasSuffix(where, "(do)"):
		for _, clause := range regexp.MustCompile(`[:;] `).Split(s, -1) {
			if !task.MatchString(clause) && len(unsourced(clause)) > 0 {
				return false
			}
		}
		return true
	}
	return strings.HasSuffix(s, "?")
}

// onlyShown lists the sentences that hold for more than what is shown, and name that as their only source.
func onlyShown(text string) (out []string) {
	for _, s := range sentences(text) {
		sources, filled := map[string]bool{}, false
		for _, span := range Parse(s) {
			switch span.Kind {
			case Cite:
				sources[span.Key] = true
			case Value:
				filled = true
			}
		}
		if len(sources) == 1 && sources["shown"] && !filled && general.MatchString(s) {
			out = append(out, s)
		}
	}
	return out
}

// Every sentence that states a number or a theorem names a source there is, and the place in it; what is on the screen is one place.
func TestSources(t *testing.T) {
	used := map[string]bool{}
	texts(func(where, text string) {
		for _, s := range unsourced(text) {
			if !claimsNothing(where, s) {
				t.Errorf("%s: no source for %q", where, s)
			}
		}
		for _, s := range onlyShown(text) {
			t.Errorf("%s: what is shown is one case, and the source of %q", where, s)
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
	for where, list := range map[string][]string{
		"a step (do)":   {"The first split is level 0.", "Predict: a quarter more is allowed."},
		"glossary: gap": {"It is never negative.", "A tree has width 1."},
		"figures":       {"What takes at most {x} of them"},
	} {
		for _, s := range list {
			if len(unsourced(s)) == 0 || claimsNothing(where, s) {
				t.Errorf("%s: %q passes", where, s)
			}
		}
	}
	for where, s := range map[string]string{"a step (do)": "Then pick two vertices: move at most half.", "glossary: side": "One of two parts, with less than half of all.", "a step (say)": "Are there two?"} {
		if len(unsourced(s)) == 0 || !claimsNothing(where, s) {
			t.Errorf("%s: %q is refused", where, s)
		}
	}
	for _, bad := range []string{"Every row changes over once [shown].", "It takes at most two [shown].", "A grid is cut along a row [shown]."} {
		if len(onlyShown(bad)) == 0 {
			t.Errorf("%q passes", bad)
		}
	}
	for _, good := range []string{"Every row changes over once [paper Sec. 1].", "It takes at most {k} [shown].", "This grid is cut along a row [shown]."} {
		if len(onlyShown(good)) > 0 {
			t.Errorf("%q is refused", good)
		}
	}
	if n := len(figureWords()); n < 40 {
		t.Errorf("%d sentences of figures", n)
	}
	if got := sentences("One [a p. 3]. Two is 2.5 here. Three"); len(got) != 3 {
		t.Errorf("sentences: %q", got)
	}
}

// Terms are in the glossary, formulas are there, are XML and have words; nothing is left over.
func TestMarkup(t *testing.T) {
	terms, formulas := map[string]bool{}, map[string]bool{}
	check := func(where, text string) {
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
	}
	texts(check)
	for term := range Glossary {
		if !terms[term] {
			t.Errorf("no sentence marks the term %q", term)
		}
	}
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

// A count of one is followed by a noun for one, and any other by a noun for several, in whatever a step says.
func TestNouns(t *testing.T) {
	filled := func(text string, number float64) string {
		v := View{}
		for _, span := range Parse(text) {
			v.value(span.Key, number, 0)
		}
		return Written(Fill(text, &v, nil))
	}
	several := map[string]bool{}
	texts(func(where, text string) {
		for _, span := range Parse(text) {
			if one, many, _ := strings.Cut(span.Text, "|"); span.Kind == Noun {
				several[many] = true
				if said := filled(text, 2); !strings.Contains(said, "2 "+many) || one == many || many == "" {
					t.Errorf("%s has the noun %q, and says %q", where, span.Text, said)
				}
			}
		}
	})
	ofOne := func(text string) string {
		for many := range several {
			if said := "1 " + many; strings.Contains(filled(text, 1), said) {
				return said
			}
		}
		return ""
	}
	texts(func(where, text string) {
		if said := ofOne(text); said != "" {
			t.Errorf("%s says %q", where, said)
		}
	})
	for _, bad := range []string{"A has {A} vertices.", "After {half} half steps", "the {bags} *bags|bag*"} {
		if ofOne(bad) == "" {
			t.Errorf("%q passes", bad)
		}
	}
	for number, want := range map[float64]string{0: "0 vertices", 1: "1 vertex", 2: "2 vertices", 1.4: "1 vertex", 11: "11 vertices", math.NaN(): "– vertices"} {
		if got := filled("{S vertex|vertices}", number); got != want {
			t.Errorf("%v: %q, not %q", number, got, want)
		}
	}
	if got := vertexNoun.of(1) + ", " + vertexNoun.of(3) + ", " + noun("half step|half steps").after("1.0"); got != "1 vertex, 3 vertices, half steps" {
		t.Errorf("%q", got)
	}
}

// All words stand in text.go: elsewhere no string holds two, but for the errors of the Machine, which are for programmers.
func TestOnePlace(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, name := range files {
		if name == "text.go" || strings.HasSuffix(name, "_test.go") {
			continue
		}
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, words := range phrases(t, source) {
			t.Errorf("%s says %q", name, words)
		}
	}
	const bad = "package p; import \"fmt\"; var x, y = \"two words\", fmt.Sprintf(`%d of the %s`, 1, z)"
	if got := phrases(t, []byte(bad)); len(got) != 2 {
		t.Errorf("of two phrases %q are found", got)
	}
	const good = "package p; import \"fmt\"; type t struct { A int `json:\"a b\"` }; var x, y = fmt.Sprintf(\"%s, %d x\", a, 1), fmt.Errorf(\"two words\")"
	if got := phrases(t, []byte(good)); len(got) != 0 {
		t.Errorf("%q are refused", got)
	}
}

// phrases lists the strings of two words and more in a Go file, apart from tags, imports and the texts of errors.
func phrases(t *testing.T, source []byte) (out []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Field:
			n.Tag = nil
		case *ast.CallExpr:
			called := types.ExprString(n.Fun)
			return called != "errors.New" && called != "fmt.Errorf"
		case *ast.BasicLit:
			if text, _ := strconv.Unquote(n.Value); n.Kind == token.STRING && len(word.FindAllString(verb.ReplaceAllString(text, " "), 2)) > 1 {
				out = append(out, text)
			}
		}
		return true
	})
	return out
}

var (
	verb = regexp.MustCompile(`%[-+# 0-9.\[\]]*[a-zA-Z%]`)
	word = regexp.MustCompile(`\pL[\pL-]*`)
)

// Steps are short, and say what to do; those with a check have words for both outcomes, and a lesson takes three to five minutes.
func TestTexts(t *testing.T) {
	if len(lessonTexts) != len(Lessons()) {
		t.Fatalf("%d texts for %d lessons", len(lessonTexts), len(Lessons()))
	}
	for i, l := range Lessons() {
		if l.Text.Minutes < 3 || l.Text.Minutes > 5 || l.Text.Command == "" || l.Text.About == "" {
			t.Errorf("%s: %d minutes, command %q", l.Text.Title, l.Text.Minutes, l.Text.Command)
		}
		if m := minutes(l.Text); m < 2.95 || m > 5.05 || math.Abs(m-float64(l.Text.Minutes)) > 0.55 {
			t.Errorf("%s takes %.1f minutes, and says %d", l.Text.Title, m, l.Text.Minutes)
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
			if len(Citations(s.Text.All()...)) == 0 {
				t.Errorf("%s: %s has no source", l.Text.Title, s.Text.Title)
			}
		}
	}
}

// minutes is how long a lesson takes who reads it aloud: 140 words a minute, and ten seconds for each prediction and each task.
func minutes(l *Text) (m float64) {
	for _, s := range l.Steps {
		text := strings.Join(append([]string{s.Title, s.Say, s.Do, s.Ask, s.Reveal, s.Why}, s.Rules...), " ")
		text = oneNoun.ReplaceAllString(text, "{$1 ") // of two nouns one is said
		m += float64(len(strings.Fields(citation.ReplaceAllString(text, ""))))/140 + 1.0/6
		if s.Ask != "" {
			m += 1.0 / 6
		}
	}
	return m
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
	oneNoun  = regexp.MustCompile(`{(\w+) [^|}]*\|`)
	citation = regexp.MustCompile(` \[[^\]]*\]`)
	claims   = regexp.MustCompile(`(?i)[0-9]|√|\b(two|three|four|five|six|seven|eight|nine|ten|half|halves|third|thirds|quarter|tenth|twice|double|per cent|theorem|prove[sdn]?|proof|always|never|at most|at least|optimal|optimum|is exact|exactly|linear|bounded|grows? like|no narrower|no smaller|cannot)\b`)
	theorem  = regexp.MustCompile(`(?i)[0-9]|√|\b(theorem|prove[sdn]?|proof|always|never|at most|at least|optimal|linear|bounded|grows? like|cannot)\b`)
	task     = regexp.MustCompile(`(?i)^(then )?(check|choose|click|compare|cut|drag|drop|eliminate|fill|find|give|keep|look|make|move|pick|play|point|predict|set|take|try|undo|watch)\b`)
	general  = regexp.MustCompile(`(?i)\b(every|any|always|never|at most|at least|no graph|a (grid|torus|mesh|cycle|clique|tree|graph|plan|matrix))\b`)
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

// Citations name every source once, with every place in it.
func TestCitations(t *testing.T) {
	got := Citations("One [paper Sec. 3.3], two [LT79 p. 177].", "Three [paper Sec. 3.3] and four [paper Theorem 3.3].", "Five [shown].")
	want := []Citation{{"LT79", []string{"p. 177"}}, {"paper", []string{"Sec. 3.3", "Theorem 3.3"}}, {"shown", nil}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v", got)
	}
	if said := got[1].String(); !strings.HasPrefix(said, "[paper] K. Choromanski") || !strings.HasSuffix(said, "2026. Cited: Sec. 3.3; Theorem 3.3.") {
		t.Errorf("read as %q", said)
	}
	if said := got[2].String(); said != "[shown] "+References["shown"].Text {
		t.Errorf("read as %q", said)
	}
}

// All lists every text of a step. Aloud says every formula in words.
func TestAllTexts(t *testing.T) {
	s := StepText{Say: "a $width$", Do: "b", Ask: "c", Reveal: "d", Why: "e", Rules: []string{"f"}, Hints: map[string]string{"y": "h", "x": "g"}}
	if got := strings.Join(s.All(), "; "); got != "a $width$; b; c; d; e; f; g; h" {
		t.Errorf("all texts: %q", got)
	}
	if got := Aloud(append(Parse(s.Say), Parse("and $via$")...)); got != Formulas["width"].Words+" "+Formulas["via"].Words {
		t.Errorf("aloud: %q", got)
	}
}
