package main

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestBenchScaling(t *testing.T) {
	mesh := generated(t, "ball.off", "sphere", "-frequency", "4")
	dir := filepath.Join(t.TempDir(), "results")
	o := answer(t, "bench", "scaling", "-subdivide", "1", "-delta", "0.02,0.05", "-dense", "200", "-rounds", "1", "-out", dir, mesh)
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
	mesh := generated(t, "ball.off", "sphere", "-frequency", "4")
	for _, args := range [][]string{{"published", mesh}, {"dumbbell", "-largest", "650"}, {"pseudo-genus", "-largest", "650"}} {
		dir := filepath.Join(t.TempDir(), args[0])
		o := answer(t, append([]string{"bench", args[0], "-rounds", "1", "-dense", "100", "-out", dir}, args[1:]...)...)
		table, err := os.ReadFile(filepath.Join(dir, "published.md"))
		if err != nil || !strings.Contains(string(table), "`genussink bench "+args[0]) || !strings.Contains(string(table), "| exact (float64) |") {
			t.Errorf("%s, %v", table, err)
		}
		rows := 7.
		if args[0] == "pseudo-genus" {
			rows = 21
		}
		if lines, err := os.ReadFile(filepath.Join(dir, "published.csv")); err != nil || o["rows"] != rows || strings.Count(string(lines), "\n") != int(rows)+1 {
			t.Errorf("%v, %s, %v", o, lines, err)
		}
	}
}
