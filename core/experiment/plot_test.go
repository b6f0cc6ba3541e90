package experiment

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"regexp"
	"strings"
	"testing"

	"genussink/core/job"
)

// made are rows of two series that grow as n^1.5 and n^2.
func made() (rows []Row) {
	nan := math.NaN()
	for _, s := range []string{"ball & chain", "cube"} {
		for _, n := range []int{1000, 4000, 16000} {
			x := float64(n)
			rows = append(rows,
				Row{Mesh: s + thousands(n), Series: s, Vertices: n, Method: "dense", Stages: []job.Timing{{Stage: "kernel", Seconds: 1e-8 * x * x}}, Solve: 1e-9 * x * x, Resolve: nan, Query: nan, Product: 1e-9 * x * x,
					Polish: nan, Peak: 16 * int64(n) * int64(n), Solution: job.Solution{Cost: 1}, Error: nan, Polished: nan, PolishedError: nan, Predicted: n > 5000},
				Row{Mesh: s + thousands(n), Series: s, Vertices: n, Method: "certified", Delta: 0.01, Stages: []job.Timing{{Stage: "tree", Seconds: 1e-7 * math.Pow(x, 1.5)}}, Solve: 1e-6 * x, Resolve: 1e-7 * x, Query: 1e-8 * x, Product: 1e-8 * x,
					Polish: 0.1, Peak: 100 * int64(n), Solution: job.Solution{Cost: 1.001}, Error: 1e-3, Polished: 1.00001, PolishedError: 1e-5, Low: 1, High: 1.00002},
				Row{Mesh: s + thousands(n), Series: s, Vertices: n, Method: "exact", Precision: "float64", Solve: nan, Resolve: nan, Query: nan, Product: nan,
					Polish: nan, Solution: job.Solution{Cost: nan}, Error: nan, Polished: nan, PolishedError: nan, Note: "no room"})
		}
	}
	return rows
}

func TestExponents(t *testing.T) {
	want := map[string]float64{"dense set-up": 2, "dense product": 2, "dense peak memory": 2, "certified 1 % set-up": 1.5, "certified 1 % solve": 1, "certified 1 % peak memory": 1}
	found := 0
	for _, f := range Exponents(made()) {
		if p, ok := want[f.Method+" "+f.Quantity]; ok {
			found++
			if math.Abs(f.Power-p) > 1e-6 || f.Meshes != 3 {
				t.Errorf("%+v, not %g", f, p)
			}
		}
	}
	if found != 2*len(want) {
		t.Errorf("%d fits, not %d", found, 2*len(want))
	}
	if fits := Exponents(made()[:6]); fits != nil {
		t.Errorf("two meshes give %v", fits)
	}
}

// disc is a point or the middle of a hollow one.
var disc = regexp.MustCompile(`A3,3 [^"]*Z" style="fill:#`)

func TestPlots(t *testing.T) {
	for name, plot := range map[string]func(io.Writer, []Row) error{"error": ErrorPlot, "growth": GrowthPlot} {
		for _, rows := range [][]Row{made(), made()[:1], nil} {
			var b bytes.Buffer
			if err := plot(&b, rows); err != nil {
				t.Fatal(err)
			}
			for d := xml.NewDecoder(bytes.NewReader(b.Bytes())); ; {
				if _, err := d.Token(); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					t.Fatalf("%s: %v in\n%s", name, err, &b)
				}
			}
			if strings.Contains(b.String(), "NaN") || strings.Contains(b.String(), "Inf") {
				t.Errorf("%s: a number that is none in\n%s", name, &b)
			}
			discs := len(disc.FindAllString(b.String(), -1)) // of points and of the legend
			switch {
			case name == "growth" && len(rows) > 1 && (!strings.Contains(b.String(), "n^1.50") || discs != 2*3*(2*6-1)+2):
				t.Errorf("growth: %d discs in\n%s", discs, &b)
			case name == "error" && len(rows) > 1 && discs != 2*3*2+2+3:
				t.Errorf("error: %d discs in\n%s", discs, &b)
			}
		}
	}
}
