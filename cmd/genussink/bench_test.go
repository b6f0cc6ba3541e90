package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"genussink/core/experiment"
	"genussink/core/job"
	"genussink/internal/output"
	"genussink/internal/race"
)

func TestBenchScaling(t *testing.T) {
	race.Alone(t)
	mesh := generated(t, "ball.off", "sphere", "-frequency", "4")
	dir := filepath.Join(t.TempDir(), "results")
	o := answer(t, "bench", "scaling", "-threads", "1", "-subdivide", "1", "-delta", "0.02,0.05", "-dense", "200", "-rounds", "1", "-out", dir, mesh)
	f, err := os.Open(filepath.Join(dir, "scaling.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil || float64(len(records)-1) != o["rows"] || len(records) != 22 {
		t.Errorf("%d records, %v, %v", len(records), o, err)
	}
	table, err := os.ReadFile(filepath.Join(dir, "scaling.md"))
	if err != nil || !strings.Contains(string(table), "-delta 0.02,0.05 -dense 200 -rounds 1 -out results ball.off") || !strings.Contains(string(table), "| ball/2 | 642 | certified 5 % |") {
		t.Errorf("%s, %v", table, err)
	}
	for _, args := range [][]string{
		{"bench", "scaling"},
		{"bench", "published"},
		{"bench", "dumbbell", mesh},
		{"bench", "speed", mesh},
		{"bench", "scaling", mesh, "-delta", "x"},
		{"bench", "scaling", mesh, "-delta", "0"},
		{"bench", "scaling", mesh, "-subdivide", "-1"},
		{"bench", "scaling", mesh, "-epsilon", "0"},
		{"bench", "scaling", mesh, "-rounds", "0"},
		{"bench", "scaling", mesh, "-methods", "dense"},
		{"bench", "published", mesh, "-methods", "dense,guess"},
		{"bench", "meshes"},
		{"bench", "meshes", mesh, mesh},
	} {
		if code, _, stderr := tool(t, "", args...); code != 2 || stderr == "" {
			t.Errorf("%v: exit %d, %q", args, code, stderr)
		}
	}
	if code, _, stderr := tool(t, "", "bench", "scaling", filepath.Join(dir, "none.off")); code != 1 || !strings.Contains(stderr, "none.off") {
		t.Errorf("exit %d, %q", code, stderr)
	}
}

func TestBenchPublished(t *testing.T) {
	race.Alone(t)
	mesh := generated(t, "ball.off", "sphere", "-frequency", "2")
	for _, args := range [][]string{{"published", mesh}, {"dumbbell", "-largest", "650", "-methods", "exact,dense"}, {"pseudo-genus", "-largest", "650", "-methods", "exact,dense"}} {
		dir := filepath.Join(t.TempDir(), args[0])
		o := answer(t, append([]string{"bench", args[0], "-threads", "1", "-rounds", "1", "-dense", "100", "-out", dir}, args[1:]...)...)
		table, err := os.ReadFile(filepath.Join(dir, "published.md"))
		if err != nil || !strings.Contains(string(table), "`genussink bench "+args[0]) || !strings.Contains(string(table), "| exact (float64) |") {
			t.Errorf("%s, %v", table, err)
		}
		rows := float64(len(job.Contenders))
		if args[0] != "published" {
			rows = 2
		}
		if args[0] == "pseudo-genus" {
			rows *= 3
		}
		if lines, err := os.ReadFile(filepath.Join(dir, "published.csv")); err != nil || o["rows"] != rows || strings.Count(string(lines), "\n") != int(rows)+1 {
			t.Errorf("%v, %s, %v", o, lines, err)
		}
		// Again, nothing is left to measure.
		again := answer(t, append([]string{"bench", args[0], "-threads", "1", "-rounds", "1", "-dense", "100", "-out", dir}, args[1:]...)...)
		if again["rows"] != rows || again["kept"] != rows {
			t.Errorf("%v", again)
		}
		for _, name := range []string{"error.svg", "growth.svg"} {
			if figure, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !strings.Contains(string(figure), "</svg>") {
				t.Errorf("%s, %v", figure, err)
			}
		}
	}
}

// Meshes of one name are told apart, and what measures nothing says so and leaves the results.
func TestBenchRefuses(t *testing.T) {
	ball, other := generated(t, "ball.off", "sphere", "-frequency", "2"), generated(t, "ball.off", "sphere", "-frequency", "3")
	dir := t.TempDir()
	ok(t, "bench", "published", ball, "-rounds", "1", "-methods", "exact", "-out", dir)
	before, err := os.ReadFile(filepath.Join(dir, "published.csv"))
	if err != nil {
		t.Fatal(err)
	}
	for want, args := range map[string][]string{
		"would have the same name in the results, ball":        {"published", ball, other},
		"would have the same name":                             {"scaling", ball, other},
		"has rows of another mesh called ball, of 42 vertices": {"published", other},
		"-largest 100: kernels begins with 1000 points":        {"kernels", "-largest", "100"},
		"-largest 100: each dumbbell is larger":                {"dumbbell", "-largest", "100"},
		"-largest 20: each pseudo-genus is larger":             {"pseudo-genus", "-largest", "20"},
		"published takes no -delta":                            {"published", ball, "-delta", "0.5"},
		"kernels takes no -subdivide":                          {"kernels", "-subdivide", "1"},
		"scaling takes no -methods":                            {"scaling", ball, "-methods", "exact"},
	} {
		if code, _, stderr := tool(t, "", append([]string{"bench", "-out", dir}, args...)...); code == 0 || !strings.Contains(stderr, want) {
			t.Errorf("%v: exit %d, %s", args, code, stderr)
		}
	}
	if after, err := os.ReadFile(filepath.Join(dir, "published.csv")); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the results were changed: %v\n%s", err, after)
	}
}

// after is a writer that ends a context with its line number.
type after struct {
	io.Writer
	lines int
	end   func()
}

func (w *after) Write(p []byte) (int, error) {
	if w.lines -= bytes.Count(p, []byte("\n")); w.lines <= 0 {
		w.end()
	}
	return w.Writer.Write(p)
}

// A folder with a broken mesh, one without extent, and others is measured to its end: through an interrupt, a row
// that was half written, and again, when nothing is left to do.
func TestBenchMeshes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "set")
	if err := os.MkdirAll(filepath.Join(dir, "more"), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, args := range map[string][]string{"ball.off": {"sphere", "-frequency", "3"}, "more/ring.OBJ": {"torus", "-segments", "10", "-sides", "6"}} {
		data, err := os.ReadFile(generated(t, strings.ToLower(filepath.Base(name)), args...))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for name, content := range map[string]string{
		"broken.off": "OFF\n3 1 0\n0 0 0\n", "notes.txt": "no mesh", "path.gr": "p tw 3 2\n1 2\n2 3\n", "two.obj": "v 1 1 1\nv 1 1 1\nv 1 1 1\nf 1 2 3\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	out := t.TempDir()
	results := filepath.Join(out, "meshes.csv")
	args := []string{"bench", "meshes", dir, "-rounds", "1", "-methods", "nystroem,dense,exact,greenkhorn", "-out", out}
	read := func() (text string, records [][]string) {
		data, err := os.ReadFile(results)
		if err != nil {
			t.Fatal(err)
		}
		if records, err = csv.NewReader(bytes.NewReader(data)).ReadAll(); err != nil {
			t.Fatal(err)
		}
		return string(data), records
	}
	interrupted := func(lines int) (code int, stdout, stderr string) {
		ctx, end := context.WithCancel(context.Background())
		defer end()
		var o, e bytes.Buffer
		code = run(ctx, &output.Set{}, args, nil, &after{&o, lines, end}, &e)
		return code, o.String(), e.String()
	}
	code, stdout, stderr := interrupted(3)
	first, records := read()
	if code != 1 || stderr != "genussink: interrupted; saved: "+results+"\n" || len(records) != 4 || strings.Count(stdout, "\n") != 3 {
		t.Fatalf("exit %d, %q, %d records", code, stderr, len(records))
	}
	// A row that another program's end has cut.
	if err := os.WriteFile(results, []byte(first[:len(first)-7]), 0o666); err != nil {
		t.Fatal(err)
	}
	o := answer(t, args...)
	text, records := read()
	column := func(r []string, name string) string { return r[slices.Index(records[0], name)] }
	var got []string
	for _, r := range records[1:] {
		got = append(got, column(r, "mesh")+" "+column(r, "method"))
		refused := strings.HasPrefix(column(r, "note"), "refused: ")
		if measured := column(r, "cost") != "" && column(r, "cost_error") != "" && column(r, "setup_s") != ""; measured == refused {
			t.Errorf("%v", r)
		}
	}
	var want []string
	for _, mesh := range []string{"ball.off", "broken.off", "more/ring.OBJ", "path.gr", "two.obj"} {
		if mesh == "broken.off" {
			want = append(want, "set/broken.off ")
			continue
		}
		for _, method := range []string{"dense", "exact", "greenkhorn", "nystroem"} {
			want = append(want, "set/"+mesh+" "+method)
		}
	}
	if !slices.Equal(got, want) || o["rows"] != float64(len(want)) || o["kept"] != 2. || o["failed"] != 5. || !strings.HasPrefix(text, strings.Join(strings.SplitAfter(first, "\n")[:3], "")) {
		t.Errorf("%v\n%q\nnot\n%q", o, got, want)
	}
	if again := answer(t, args...); again["kept"] != float64(len(want)) || again["failed"] != 0. {
		t.Errorf("%v", again)
	}
	if same, _ := read(); same != text {
		t.Errorf("%s\nnot\n%s", same, text)
	}
	if code, _, stderr := tool(t, "", "bench", "meshes", out, "-out", out); code != 1 || !strings.Contains(stderr, "holds no mesh") {
		t.Errorf("exit %d, %q", code, stderr)
	}
	if err := os.WriteFile(results, []byte("name,size\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := tool(t, "", args...); code != 1 || !strings.Contains(stderr, "meshes.csv: experiment: the first row") {
		t.Errorf("exit %d, %q", code, stderr)
	}
}

// The functions of generalised Sinkhorn are measured without a mesh.
func TestBenchKernels(t *testing.T) {
	out := t.TempDir()
	if text := ok(t, "bench", "kernels", "-largest", "1000", "-out", out); strings.Count(text, "dense") != len(experiment.KernelNames) {
		t.Error(text)
	}
	data, err := os.ReadFile(filepath.Join(out, "kernels.csv"))
	if err != nil || bytes.Count(data, []byte("\n")) != 1+len(experiment.KernelNames) {
		t.Errorf("%v:\n%s", err, data)
	}
	if code, _, stderr := tool(t, "", "bench", "kernels", "mesh.off"); code != 2 || !strings.Contains(stderr, "takes no mesh") {
		t.Errorf("exit %d, %s", code, stderr)
	}
}
