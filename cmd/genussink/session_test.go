package main

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"genussink/core/engine"
	"genussink/core/job"
	"genussink/core/session"
	"genussink/internal/race"
)

// keptSession writes a session file of a sphere that was painted on, and its
// parts as the tool reads them without it: the mesh and the two densities.
func keptSession(t *testing.T) (kept string, s *session.Session, mesh, source, target string) {
	t.Helper()
	mesh = generated(t, "sphere.off", "sphere", "-frequency", "6")
	data, err := os.ReadFile(mesh)
	if err != nil {
		t.Fatal(err)
	}
	s = &session.Session{
		File: &job.Load{Name: "sphere.off", Data: data}, Level: -1, Finder: "level-set", Balance: 0.2, Method: "certified", Epsilon: 0.15, Delta: 0.07,
		Painting: &session.Painting{Vertices: 362, First: 1, Now: 3, Steps: []job.Step{
			{Kind: job.StepMeasure, Measure: job.Measure{Preset: "two-spots"}},
			{Kind: job.StrokeSource, Radius: 0.3, Strength: 0.7, Centres: []int32{3, 4, 5}},
			{Kind: job.StrokeErase, Radius: 0.5, Strength: 1, Centres: []int32{100}},
			{Kind: job.StepClear}, // undone
		}},
	}
	kept = filepath.Join(t.TempDir(), "sphere.genussink")
	if err := os.WriteFile(kept, session.Encode(s), 0o644); err != nil {
		t.Fatal(err)
	}
	e := engine.New(engine.Options{})
	var painted *job.Painted
	for i, q := range []job.Body{s.File, s.Painting.Request()} {
		e.Run(context.Background(), job.Request{ID: uint32(i + 1), Body: q}, func(ev job.Event) {
			if p, ok := ev.Body.(*job.Painted); ok {
				painted = p
			}
		})
	}
	lines := func(name string, x []float64) string {
		var b strings.Builder
		for _, x := range x {
			b.WriteString(strconv.FormatFloat(x, 'g', -1, 64) + "\n")
		}
		return file(t, name, b.String())
	}
	now := painted.States[s.Painting.Now-s.Painting.First]
	return kept, s, mesh, lines("source.txt", now.Source), lines("target.txt", now.Target)
}

// A session file does for the mesh, the densities and the settings; flags
// overrule it.
func TestSessionFile(t *testing.T) {
	race.Alone(t)
	kept, s, mesh, source, target := keptSession(t)
	alike := func(what string, a, b map[string]any, keys ...string) {
		t.Helper()
		for _, key := range keys {
			if !reflect.DeepEqual(a[key], b[key]) || a[key] == nil {
				t.Errorf("%s: %s is %v of the session, %v of its parts", what, key, a[key], b[key])
			}
		}
	}
	parts := []string{"-source", source, "-target", target}
	args := append([]string{"solve", mesh, "-epsilon", "0.15", "-method", "certified", "-delta", "0.07"}, parts...)
	alike("solve", answer(t, "solve", kept), answer(t, args...), "vertices", "epsilon", "method", "bound", "cost", "dual", "iterations")
	args = append([]string{"solve", mesh, "-epsilon", "0.3", "-method", "exact"}, parts...)
	alike("solve, overruled", answer(t, "solve", kept, "-epsilon", "0.3", "-method", "exact"), answer(t, args...), "epsilon", "method", "cost", "iterations")
	alike("solve, other densities", answer(t, "solve", kept, "-measures", "uniform", "-method", "exact"),
		answer(t, "solve", mesh, "-measures", "uniform", "-epsilon", "0.15"), "cost", "epsilon")
	args = append([]string{"query", mesh, "-epsilon", "0.15", "-method", "certified", "-delta", "0.07", "-row", "5", "-top", "3"}, parts...)
	alike("query", answer(t, "query", kept, "-row", "5", "-top", "3"), answer(t, args...), "total", "partners")
	alike("info", answer(t, "info", kept), answer(t, "info", mesh), "vertices", "edges", "genus", "diagonal", "format")
	alike("distance", answer(t, "distance", kept, "3", "40"), answer(t, "distance", mesh, "3", "40"), "length", "path")
	alike("separate", answer(t, "separate", kept), answer(t, "separate", mesh, "-finder", "level-set", "-balance", "0.2"), "a", "s", "b", "finder", "levels")
	alike("separate, overruled", answer(t, "separate", kept, "-finder", "inertial-flow", "-balance", "0.3"), answer(t, "separate", mesh, "-finder", "inertial-flow", "-balance", "0.3"), "a", "s", "b", "finder")
	alike("treedec", answer(t, "treedec", kept, "-method", "min-fill"), answer(t, "treedec", mesh, "-method", "min-fill"), "n", "m", "width")
	x, y, z := source, filepath.Join(t.TempDir(), "y.txt"), filepath.Join(t.TempDir(), "z.txt")
	alike("apply", answer(t, "apply", kept, "-x", x, "-out", y), answer(t, "apply", mesh, "-epsilon", "0.15", "-method", "certified", "-delta", "0.07", "-x", x, "-out", z), "epsilon", "bound")
	if !reflect.DeepEqual(numbers(t, y), numbers(t, z)) {
		t.Error("apply: the products differ")
	}

	// A generator's mesh, with the densities that every mesh begins with.
	write := func(s *session.Session) string { return file(t, "kept.genussink", string(session.Encode(s))) }
	grid := write(&session.Session{Level: -1, Kind: "grid", Params: []job.Param{{Name: "side", Value: 7}}})
	if o := answer(t, "separate", grid); o["n"] != 49. {
		t.Errorf("separate a session's grid: %v", o)
	}
	made := write(&session.Session{Level: -1, Kind: "sphere", Params: []job.Param{{Name: "frequency", Value: 6}}, Epsilon: 0.15})
	alike("generated", answer(t, "solve", made), answer(t, "solve", mesh, "-measures", "paper", "-epsilon", "0.15"), "vertices", "method", "epsilon")
	alike("generated", answer(t, "separate", made), answer(t, "separate", mesh), "n", "s")

	// Its kernel and its reach are taken, unless flags say others.
	with := func(kernel string, reach float64) string {
		return write(&session.Session{Level: -1, Kind: "sphere", Params: []job.Param{{Name: "frequency", Value: 6}}, Epsilon: 0.15, Kernel: kernel, Reach: reach})
	}
	if o := answer(t, "solve", with("squared", 0)); o["kernel"] != "squared" {
		t.Errorf("a session's kernel: %v", o)
	}
	if o := answer(t, "solve", with("squared", 0), "-kernel", "exp"); o["kernel"] != "exp" {
		t.Errorf("a flag's kernel: %v", o)
	}
	alike("reach", answer(t, "solve", with("", 0.3)), answer(t, "solve", mesh, "-measures", "paper", "-epsilon", "0.15", "-reach", "0.3"), "reach", "kernel")

	// So is its wish for the divergence, where the flags leave one.
	debiased := write(&session.Session{Level: -1, Kind: "sphere", Params: []job.Param{{Name: "frequency", Value: 6}}, Epsilon: 0.15, Debias: true})
	alike("debias", answer(t, "solve", debiased), answer(t, "solve", mesh, "-measures", "paper", "-epsilon", "0.15", "-debias"), "method", "kernel")
	for want, flags := range map[bool][]string{true: nil, false: {"-method", "quantized"}} {
		if o := answer(t, append([]string{"solve", debiased}, flags...)...); (o["divergence"] != nil) != want {
			t.Errorf("a session's divergence, %v: %v", flags, o["divergence"])
		}
	}

	// A barycentre lies between its paintings, with their weights: those of the page or others.
	preset := func(name string) *session.Painting {
		return &session.Painting{Vertices: 362, First: 1, Now: 1, Steps: []job.Step{{Kind: job.StepMeasure, Measure: job.Measure{Preset: name}}}}
	}
	between := write(&session.Session{
		Level: -1, Kind: "sphere", Params: []job.Param{{Name: "frequency", Value: 6}}, Epsilon: 0.15, Method: "certified", Delta: 0.01,
		Kept: []session.Kept{{Painting: preset("paper"), Weight: 0.25}, {Painting: preset("two-spots"), Target: true, Weight: 0.75}, {Painting: preset("uniform")}},
	})
	out := filepath.Join(t.TempDir(), "mean.txt")
	first := answer(t, "barycentre", between, "-out", out)
	if first["kernel"] != "squared" || first["method"] == nil || first["cost_3"] != nil || !(first["cost_1"].(float64) > first["cost_2"].(float64)) || len(numbers(t, out)) != 362 {
		t.Errorf("between a session's paintings: %v", first)
	}
	if o := answer(t, "barycentre", between, "-weights", "8,1,1", "-out", out); !(o["cost_1"].(float64) < first["cost_1"].(float64)) || o["cost_3"] == nil {
		t.Errorf("with other weights: %v", o)
	}
	for words, args := range map[string][]string{
		"needs a DENSITY": {"barycentre", made, "-out", out}, "-weights has 2 numbers for 3 densities": {"barycentre", between, "-weights", "1,2", "-out", out},
	} {
		if code, _, stderr := tool(t, "", args...); code != 2 || !strings.Contains(stderr, words) {
			t.Errorf("%v: exit %d, %s", args, code, stderr)
		}
	}

	// What is wrong is said, with the file's name.
	whole := session.Encode(s)
	s.Painting = &session.Painting{Vertices: 7, Now: 1, Steps: []job.Step{{Kind: job.StepClear}}}
	for words, name := range map[string]string{
		"the file ends":      file(t, "short.genussink", string(whole[:len(whole)-1])),
		"not a session file": file(t, "other.genussink", "solid"),
		"does not hold it":   write(&session.Session{Level: -1, Mesh: "cat"}),
		"mesh of 7 vertices": write(s),
		"version 3":          file(t, "later.genussink", string(whole[:9])+"\x03"+string(whole[10:])),
		"no such file":       filepath.Join(t.TempDir(), "gone.genussink"),
		"no kind \"lamp\"":   write(&session.Session{Level: -1, Kind: "lamp", Epsilon: 0.1}),
	} {
		code, _, stderr := tool(t, "", "solve", name, "-epsilon", "0.1", "-method", "exact")
		if code != 1 || !strings.Contains(stderr, words) || !strings.Contains(stderr, filepath.Base(name)) {
			t.Errorf("%s: exit %d, %q", words, code, stderr)
		}
	}
}
