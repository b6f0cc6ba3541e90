package experiment

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"genussink/core/job"
	"genussink/core/linop/linoptest"
	"genussink/core/mesh/generate"
)

func TestPublished(t *testing.T) {
	large, err := generate.Make("sphere", map[string]float64{"frequency": 6})
	if err != nil {
		t.Fatal(err)
	}
	small, err := generate.Make("torus", map[string]float64{"segments": 16, "sides": 8})
	if err != nil {
		t.Fatal(err)
	}
	var rows []PublishedRow
	trials := []Trial{{Case: Case{Name: "ball", Mesh: large}}, {Case: Case{Name: "ring", Mesh: small}}}
	err = Published(context.Background(), trials, PublishedOptions{DenseLimit: 200, Rounds: 2}, func(r PublishedRow) { rows = append(rows, r) })
	if err != nil || len(rows) != 2*len(job.Contenders) || rows[0].Mesh != "ring" || rows[len(rows)-1].Mesh != "ball" {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	// At this epsilon almost all entries of the truncated kernel are kept; 64 landmarks or features of some hundred vertices are coarser,
	// and where half of the vertices keep the least scaling the plan is another.
	most := map[string]float64{"dense": 0, "exact": 1e-12, "greenkhorn": 1e-3, "screenkhorn": 0.5, "sparse": 1e-6, "nystroem": 1e-2, "ambient": 0.2, "heat": 1,
		"certified": 1e-3, "embedded": 2e-2, "sampled": 0.1, "tree": 1e-12}
	for i := range rows {
		r := &rows[i]
		genus, bound := map[string]float64{"ball": 0, "ring": 1}[r.Mesh], r.Bound >= 0
		if known := i%len(job.Contenders) < 6 && !strings.HasPrefix(r.Note, job.Refused); r.Method != job.Contenders[i%len(job.Contenders)] || r.Genus != genus || r.Edges != 3*r.Vertices-6+6*int(genus) || bound != known || r.Epsilon != 0.2 {
			t.Errorf("%+v", r)
		}
		if beyond := r.Mesh == "ball" && (r.Method == "dense" || r.Method == "greenkhorn" || r.Method == "screenkhorn"); beyond || r.Method == "heat" && math.IsNaN(r.Cost) {
			if !math.IsNaN(r.Cost) || !math.IsNaN(r.Setup.Median) || r.Rounds != 0 || !strings.HasPrefix(r.Note, job.Refused) {
				t.Errorf("%+v", r)
			}
			continue
		}
		if !(r.Error <= most[r.Method]) || !(r.Cost > 0) || r.Rounds != 2 || r.Note != "" && r.Method != "certified" || r.Iterations == 0 || !(r.MarginalError <= 1e-4 || r.Method == "screenkhorn") ||
			!(0 < r.Setup.Least && r.Setup.Least <= r.Setup.Median && r.Setup.Median <= r.Setup.Most) || !(r.Solve.Median > 0) || !(r.Peak > 0) {
			t.Errorf("%+v", r)
		}
	}
	var table, text bytes.Buffer
	if err := errors.Join((&Journal{rows}).Write(&text), PublishedMarkdown(&table, rows)); err != nil {
		t.Fatal(err)
	}
	records, err := csv.NewReader(&text).ReadAll()
	at := func(name string) int { return slices.Index(records[0], name) }
	if err != nil || len(records) != len(rows)+1 || records[1][at("method")] != "dense" || records[1+len(job.Contenders)][at("cost")] != "" {
		t.Errorf("%d records, %v: %v", len(records), err, records)
	}
	for _, want := range []string{"| ring | 128 | sparse (K >= 0.0001) | ", "| ball | 362 | dense (float64) | - |", "\nball, greenkhorn: refused: "} {
		if !strings.Contains(table.String(), want) {
			t.Errorf("no %q in %s", want, &table)
		}
	}
	// Dense is the reference of errors and has none. No method has three sizes, so that nothing is fitted.
	measured := 0
	for i := range rows {
		if !math.IsNaN(rows[i].Cost) {
			measured++
		}
	}
	for _, c := range []struct {
		plot  func(io.Writer, []PublishedRow) error
		discs int
	}{{PublishedErrorPlot, measured - 1}, {PublishedGrowthPlot, 2 * measured}} {
		var b bytes.Buffer
		if err := c.plot(&b, rows); err != nil {
			t.Fatal(err)
		}
		if n := len(disc.FindAllString(b.String(), -1)); n < c.discs || strings.Contains(b.String(), "NaN") || strings.Contains(b.String(), "n^") {
			t.Errorf("%d discs, not %d, in\n%s", n, c.discs, &b)
		}
	}
	// One method alone is measured against a cost that is known.
	o := PublishedOptions{Rounds: 1, Methods: []string{"nystroem"}, Reference: rows[0].Cost}
	if err := Published(context.Background(), trials[1:], o, func(r PublishedRow) { rows = append(rows, r) }); err != nil || len(rows) != 2*len(job.Contenders)+1 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	nystroem := slices.Index(job.Contenders, "nystroem")
	if again := rows[len(rows)-1]; again.Method != "nystroem" || again.Error != rows[nystroem].Error {
		t.Errorf("%+v", again)
	}
	err = Published(linoptest.NewCountdown(5), trials, PublishedOptions{}, func(r PublishedRow) { t.Errorf("a row after the end: %+v", r) })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// The series are the paper's, and no larger than asked for; the densities lie on their lobes.
func TestPublishedSeries(t *testing.T) {
	for _, c := range []struct {
		make func(int) ([]Trial, error)
		want string
	}{
		{Dumbbells, "dumbbell w=1 r=10,dumbbell w=1 r=18,dumbbell w=2 r=10,dumbbell w=2 r=18,dumbbell w=3 r=10,dumbbell w=3 r=18"},
		{PseudoGenus, "pseudo-genus 1 n=644,pseudo-genus 1 n=2036,pseudo-genus 2 n=644,pseudo-genus 2 n=2036,pseudo-genus 3 n=644,pseudo-genus 3 n=2036"},
	} {
		trials, err := c.make(2100)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, trial := range trials {
			names = append(names, trial.Name)
			if trial.Source == nil {
				continue
			}
			left, right, total := 0.0, 0.0, 0.0
			for v, p := range trial.Mesh.Positions {
				total += trial.Source[v]
				if p[0] < 0 {
					left += trial.Source[v]
				} else {
					right += trial.Target[v]
				}
			}
			if !(left > 0.999 && right > 0.999 && math.Abs(total-1) < 1e-12) || !(trial.Epsilon > 2.9 && trial.Epsilon < 5.5) {
				t.Errorf("%s: %g, %g, %g, epsilon %g", trial.Name, left, right, total, trial.Epsilon)
			}
		}
		if got := strings.Join(names, ","); got != c.want {
			t.Errorf("%s", got)
		}
	}
}
