package main

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"genussink/core/engine"
	"genussink/core/job"
	"genussink/internal/race"
	"genussink/viewer/lesson"
)

// repeat is the line at the foot of a step, for a file: the tool's arguments.
func repeat(t *testing.T, l *lesson.Lesson, step int, file string) []string {
	t.Helper()
	words := strings.Fields(l.Repeats(step))
	at := slices.Index(words, "FILE")
	if at < 2 || words[0] != "genussink" {
		t.Fatalf("%s, step %d: %q", l.Text.Title, step, l.Repeats(step))
	}
	words[at] = file
	return words[1:]
}

// The line at the foot of each step of the page's lessons works on a file.
func TestLessonCommands(t *testing.T) {
	race.Alone(t)
	t.Parallel()
	folder := t.TempDir()
	file := filepath.Join(folder, "torus.off")
	ok(t, "generate", "torus", "-segments", "24", "-sides", "5", "-out", file) // so narrow that treedec proves its width at once
	done := map[string]bool{}
	for _, l := range lesson.Lessons() {
		for step := range l.Steps {
			if line := l.Repeats(step + 1); !done[line] {
				done[line] = true
				args := repeat(t, l, step+1, file)
				if args[0] == "bench" {
					args = append(args, "-out", folder)
				}
				if out := ok(t, args...); strings.Count(out, "\n") < 4 {
					t.Errorf("%s says %q", line, out)
				}
			}
		}
	}
}

// The last lesson's costs and bytes are those of the tool on the same mesh.
func TestLessonMeasuresAsTheTool(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "torus.off")
	ok(t, "generate", "torus", "-segments", "24", "-sides", "10", "-out", file)
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	e := engine.New(engine.Options{})
	ask := func(request job.Body) (last job.Body) {
		e.Run(t.Context(), job.Request{ID: 1, Body: request}, func(ev job.Event) { last = ev.Body })
		return last
	}
	if loaded, is := ask(&job.Load{Name: "torus.off", Data: data}).(*job.Loaded); !is {
		t.Fatalf("the engine opens %v", loaded)
	}
	var desk lesson.Desk
	m := lesson.New(&desk)
	l, number := lesson.Lessons()[7], 8
	readings := func(step int) map[string]float64 {
		if err := m.Open(number, step); err != nil {
			t.Fatal(err)
		}
		if step > 1 {
			if err := errors.Join(m.Act(lesson.Act{Verb: lesson.Predict, X: 1}), m.Reveal()); err != nil {
				t.Fatal(err)
			}
		}
		for v := m.View(); v.Waiting; v = m.View() {
			errand, is := desk.Take()
			if !is || errand.Graph != nil {
				t.Fatalf("step %d waits for %v", step, errand)
			}
			var last job.Body
			for _, request := range errand.Requests {
				last = ask(request)
			}
			desk.Answer(errand.Key, last)
		}
		v, all := m.View(), map[string]float64{}
		for _, r := range v.Readings {
			all[r.Name] = r.Value
		}
		return all
	}
	tool := func(step int) map[string]any { return answer(t, repeat(t, l, step, file)...) }
	methods, bound, promise := readings(1), readings(3), readings(4)
	exact, certified, sampled := tool(2), tool(3), tool(4)
	for _, c := range []struct {
		what       string
		here, with float64
	}{
		{"exact's cost", exact["cost"].(float64), methods["exactCost"]},
		{"exact's kB", exact["memory_bytes"].(float64) / 1000, methods["exactBytes"] / 1000},
		{"certified's value off exact's", math.Abs(certified["primal"].(float64) - exact["primal"].(float64)), bound["measured"]},
		{"certified's bound", certified["bound"].(float64), bound["bound"]},
		{"sampled's cost", sampled["cost"].(float64), promise["sampledCost"]},
	} {
		if !(math.Abs(c.here-c.with) <= 1e-9*math.Abs(c.here)) || c.here <= 0 {
			t.Errorf("%s is %v by the tool, and %v in the lesson", c.what, c.here, c.with)
		}
	}
}

// The graph of a lesson can be had as a file, which has the figure's vertices and edges.
func TestLessonGraphs(t *testing.T) {
	t.Parallel()
	for i, l := range lesson.Lessons() {
		g, file := l.Graph(), filepath.Join(t.TempDir(), "lesson.gr")
		args := []string{"generate", "lesson", "-number", strconv.Itoa(i + 1), "-out", file}
		if g == nil { // the mesh at hand
			if code, _, stderr := tool(t, "", args...); code != 2 || !strings.Contains(stderr, "-number is 8, it must be a whole number from 1 to 7") {
				t.Errorf("lesson %d: exit %d, %s", i+1, code, stderr)
			}
			continue
		}
		ok(t, args...)
		if o := answer(t, "info", file); o["vertices"] != float64(g.N) || o["edges"] != float64(len(g.Edges)) {
			t.Errorf("lesson %d: %v, not %d vertices and %d edges", i+1, o, g.N, len(g.Edges))
		}
	}
	for words, args := range map[string][]string{
		"must be gr": {"-out", "lesson.off"}, "needs -out": nil, "no parameter but -number": {"-side", "3", "-out", "lesson.gr"},
	} {
		if code, _, stderr := tool(t, "", append([]string{"generate", "lesson"}, args...)...); code != 2 || !strings.Contains(stderr, words) {
			t.Errorf("%v: exit %d, %s", args, code, stderr)
		}
	}
}

// Every step of every lesson can be had from the tool: its words with their numbers, and the data of each figure, on the lesson's graph and
// on a part of a file.
func TestLessonNumbers(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("solves every step's plans, which the lessons' own tests do with the race detector")
	}
	file := filepath.Join(t.TempDir(), "torus.off")
	ok(t, "generate", "torus", "-segments", "24", "-sides", "10", "-out", file)
	for i, l := range lesson.Lessons() {
		for step := range l.Steps {
			place := fmt.Sprintf("%d.%d", i+1, step+1)
			var calls [][]string
			if !l.Steps[step].Mesh {
				calls = append(calls, []string{"lesson", place})
			}
			if l.Own > 0 || l.Graph() == nil {
				calls = append(calls, []string{"lesson", place, file})
			}
			for i, args := range calls {
				o := answer(t, args...)
				for _, key := range []string{"says", "answer"} {
					if said, _ := o[key].(string); strings.ContainsAny(said, "{}*$") || strings.Contains(said, "–") {
						t.Errorf("%v: %q", args, said)
					}
				}
				if numbers := o["numbers"].(map[string]any); len(numbers) == 0 {
					t.Errorf("%v has no numbers", args)
				}
				figures := o["figures"].([]any)
				if len(figures) == 0 {
					t.Errorf("%v has no figures", args)
				}
				for _, f := range figures {
					if f := f.(map[string]any); f["title"] == "" || strings.Contains(f["kind"].(string), ".") {
						t.Errorf("%v: a figure %v", args, f["kind"])
					}
				}
				if i > 0 {
					continue // the text is made with the object, and written alike
				}
				if out := ok(t, args...); !strings.Contains(out, o["title"].(string)) || !strings.Contains(out, "figure 1") {
					t.Errorf("%v prints %q", args, out)
				}
			}
		}
	}
}

// What was done in a step is repeated: each elimination with its degree and its fill, as the core counts them.
func TestLessonIsRepeated(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "grid.gr")
	ok(t, "generate", "grid", "-side", "4", "-out", file)
	did := "3.2/"
	for v, want := range []struct{ degree, fill float64 }{{2, 1}, {3, 3}, {3, 5}, {4, 9}} { // counted by hand: a corner, its two neighbours, and the next
		did += fmt.Sprintf("v%d", v)
		o := answer(t, "lesson", did, file, "-around", "0")
		did += "_"
		if of := fmt.Sprint(o["vertices_of_input"].([]any)[:4]); of != "[0 1 4 2]" {
			t.Fatalf("the part begins with %v", of)
		}
		if numbers := o["numbers"].(map[string]any); numbers["degree"] != want.degree || numbers["fill"] != want.fill || numbers["left"] != float64(15-v) {
			t.Errorf("%s: %v, not %v", did, numbers, want)
		}
	}
	rules := answer(t, "lesson", "2.2/")["rules"].([]any) // three bags are empty
	if first := rules[0].(map[string]any); len(rules) != 3 || first["holds"] != false || !strings.Contains(first["rule"].(string), "In none: 3.") {
		t.Errorf("the rules of 2.2 are %v", rules)
	}
	if code, _, stderr := tool(t, "", "lesson", "3.2", file, "-around", "16"); code != 1 || !strings.Contains(stderr, file+": -around 16: vertices are numbered from 0 to 15") {
		t.Errorf("exit %d, %s", code, stderr)
	}
	sources := answer(t, "lesson", "4.3")["sources"].([]any)
	if text := ok(t, "lesson", "4.3"); len(sources) == 0 || !strings.Contains(text, "\nsources\n") {
		t.Errorf("4.3 names the sources %v", sources)
	}
	for words, args := range map[string][]string{
		"there are 8": {"9.1"}, "want a lesson and a step, such as 3.2": {"x"}, "nothing that is done": {"3.2/q"}, "8.1 asks about a mesh": {"8.1"}, "1.5 asks about a mesh": {"1.5"}, "-around needs INPUT": {"3.2", "-around", "2"},
		"one INPUT": {"3.2", file, file}, "has all of INPUT": {"8.1", file, "-around", "2"},
	} {
		if code, _, stderr := tool(t, "", append([]string{"lesson"}, args...)...); code != 2 || !strings.Contains(stderr, words) {
			t.Errorf("%v: exit %d, %s", args, code, stderr)
		}
	}
}
