package experiment

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"math"
	"strings"
	"testing"

	"genussink/core/internal/shared"
	"genussink/core/job"
	"genussink/core/mesh/generate"
)

func cases(t *testing.T, frequencies ...float64) (list []Case) {
	for _, f := range frequencies {
		m, err := generate.Make("sphere", map[string]float64{"frequency": f})
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, Case{Name: "sphere", Series: "sphere", Mesh: m})
	}
	return list
}

func TestScaling(t *testing.T) {
	shared.Long(t)
	shared.OneProcessor(t)
	var rows []Row
	o := ScalingOptions{DenseLimit: 500, Deltas: []float64{0.03}, Cells: []int{100, 120}, Rounds: 2}
	if err := Scaling(context.Background(), cases(t, 14, 6), o, func(r Row) { rows = append(rows, r) }); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range rows {
		name := r.label()
		if r.Predicted {
			name += "*"
		}
		got = append(got, name)
	}
	fast := ",quantized 100,quantized 120,support, spots"
	want := "dense,dense float32,exact float64,exact float64, spots,exact float32,certified 3 % by exact,sampled,embedded 10 %" + fast +
		",exact float64,exact float64, spots,exact float32,certified 3 %,sampled,embedded 10 %" + fast + ",dense*,dense float32*"
	if strings.Join(got, ",") != want {
		t.Errorf("methods %v, not %s", got, want)
	}
	for i := range rows {
		r := &rows[i]
		if r.Note != "" && !r.Predicted { // embedded, of the larger mesh
			if r.Method != job.Embedded || r.Vertices <= o.DenseLimit {
				t.Errorf("%+v", r)
			}
			continue
		}
		if !(r.Total() > 0) || r.Iterations == 0 || !r.Spots && (!(r.Resolve > 0 && r.Product > 0 && r.Query > 0) || r.Again == 0) {
			t.Errorf("%+v", r)
		}
		if r.Predicted {
			continue
		}
		if r.Peak <= 0 || !(r.Cost > 0) {
			t.Errorf("%+v", r)
		}
		most := 1e-12
		switch r.name() {
		case "sampled":
			most = 0.5
			if !(r.PolishedError < r.Error) {
				t.Errorf("polished: %+v", r)
			}
		case "dense float32", "exact float32":
			most = 1e-6
		case "quantized":
			most = 0.05
			exact := rows[0].Cost // of the smaller mesh
			if !(r.EstimateError < 1e-2) || !(r.Low < r.Estimated && r.Estimated < r.High) || !(r.Estimate > 0 && r.Stage("net") > 0 && r.Stage("cells") > 0) ||
				r.Vertices == rows[0].Vertices && (!(r.Low <= exact && exact <= r.High) || math.Abs(math.Abs(r.Estimated/exact-1)-r.EstimateError) > 1e-12) {
				t.Errorf("estimate: %+v", r)
			}
		case "support":
			most = 1e-9
		case "embedded":
			most = 0.1
		case "certified":
			most = 0.05
			if !(r.PolishedError < 1e-3) || !(r.Polish > 0) {
				t.Errorf("polished: %+v", r)
			}
		}
		if !(r.Error <= most) {
			t.Errorf("%s is off by %g", r.label(), r.Error)
		}
	}
	checkOutput(t, rows)
}

func checkOutput(t *testing.T, rows []Row) {
	var text, table bytes.Buffer
	if err := CSV(&text, rows); err != nil {
		t.Fatal(err)
	}
	records, err := csv.NewReader(&text).ReadAll()
	if err != nil || len(records) != len(rows)+1 || records[0][0] != "mesh" {
		t.Errorf("%d records, %v", len(records), err)
	}
	if err := Markdown(&table, rows); err != nil {
		t.Fatal(err)
	}
	if lines := strings.Split(table.String(), "\n| "); len(lines) != len(rows)+1 || !strings.Contains(table.String(), "dense \\*") && !strings.Contains(table.String(), "dense *") {
		t.Errorf("%s", &table)
	}
	if strings.Contains(text.String()+table.String(), "NaN") {
		t.Error("NaN in the output")
	}
}

// What was found before an interrupt stays found.
func TestScalingStops(t *testing.T) {
	for stage, want := range map[string]int{"labels": 2, "": 11} { // dense twice, or all methods in the rounds before
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		found := 0
		o := ScalingOptions{Rounds: 2, Progress: func(s string, _ float64) {
			if s == stage {
				cancel()
			}
		}}
		err := Scaling(ctx, cases(t, 3), o, func(Row) {
			found++
			cancel()
		})
		if !errors.Is(err, context.Canceled) || found != want {
			t.Errorf("%v after %d rows, not %d", err, found, want)
		}
	}
}

func TestMiddle(t *testing.T) {
	stages := func(tree float64) []job.Timing {
		return []job.Timing{{Stage: "tree", Seconds: tree}, {Stage: "kernel", Seconds: 1}}
	}
	r := middle([]Row{{Solve: 3, Stages: stages(1), Peak: 5, Solution: job.Solution{Cost: 7}}, {Solve: 1, Stages: stages(2), Peak: 9, Solution: job.Solution{Cost: 7}}, {Solve: 2, Stages: stages(9), Peak: 6, Solution: job.Solution{Cost: 7}}})
	if r.Solve != 2 || r.Stage("tree") != 2 || r.Setup() != 3 || r.Peak != 6 || r.Cost != 7 {
		t.Errorf("%+v", r)
	}
}

func TestScalingRefuses(t *testing.T) {
	for _, o := range []ScalingOptions{{Epsilon: -1}, {Epsilon: math.NaN()}, {Deltas: []float64{0}}, {Deltas: []float64{math.Inf(1)}}} {
		if err := Scaling(context.Background(), cases(t, 2), o, func(Row) { t.Error("a row") }); err == nil {
			t.Errorf("%+v is taken", o)
		}
	}
	var rows []Row
	if err := Scaling(context.Background(), cases(t, 8), ScalingOptions{MemoryLimit: 1000, Rounds: 1}, func(r Row) { rows = append(rows, r) }); err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if r.Note == "" {
			t.Errorf("%s has room in 1000 bytes: %+v", r.label(), r)
		}
	}
}
