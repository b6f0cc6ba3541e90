package main

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// treeAndStrip are two graphs without faces, in PACE's format with lengths: a binary tree, and a strip four vertices wide.
func treeAndStrip(t *testing.T) (tree, strip string) {
	t.Helper()
	var b strings.Builder
	const n = 127
	fmt.Fprintf(&b, "p sp %d %d\n", n, 2*(n-1))
	for v := 2; v <= n; v++ {
		fmt.Fprintf(&b, "a %d %d %d\na %d %d %d\n", v/2, v, 10+v%7, v, v/2, 10+v%7)
	}
	tree = file(t, "tree.gr", b.String())
	b.Reset()
	const long, wide = 40, 3
	var edges []string
	join := func(u, v, length int) {
		edges = append(edges, fmt.Sprintf("a %d %d %d\na %d %d %d\n", u+1, v+1, length, v+1, u+1, length))
	}
	for i := range long {
		for j := range wide {
			if i+1 < long {
				join(i*wide+j, (i+1)*wide+j, 10+(3*i+j)%5)
			}
			if j+1 < wide {
				join(i*wide+j, i*wide+j+1, 8+(i+2*j)%3)
			}
		}
	}
	fmt.Fprintf(&b, "p sp %d %d\n%s", long*wide, 2*len(edges), strings.Join(edges, ""))
	return tree, file(t, "strip.gr", b.String())
}

// benched are the rows of a bench by what was asked for, on the paper's densities.
func benched(t *testing.T, input string) map[string]map[string]string {
	t.Helper()
	dir := t.TempDir()
	answer(t, "bench", "scaling", "-threads", "1", "-delta", "0.003,0.1", "-rounds", "1", "-out", dir, input)
	f, err := os.Open(filepath.Join(dir, "scaling.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]map[string]string{}
	for _, record := range records[1:] {
		row := map[string]string{}
		for i, name := range records[0] {
			row[name] = record[i]
		}
		asked := row["requested_method"]
		if asked == "" {
			asked = row["method"]
		}
		if row["spots"] == "false" && row["cells"] == "0" {
			rows[strings.Join([]string{asked, row["precision"], row["delta"]}, " ")] = row
		}
	}
	return rows
}

// Bench measures what solve does: the same method with the same stages, which costs the same, on a tree, a strip and a mesh.
// What solve takes for exact unless told otherwise is among the rows.
func TestBenchAndSolveAgree(t *testing.T) {
	if testing.Short() {
		t.Skip("a bench of three graphs takes a minute")
	}
	tree, strip := treeAndStrip(t)
	for input, narrow := range map[string]bool{tree: true, strip: true, generated(t, "ball.off", "sphere", "-frequency", "5"): false} {
		rows := benched(t, input)
		instead := 0
		for _, c := range []struct {
			row  string
			args []string
		}{
			{"", nil},
			{"exact float64 0", []string{"-precision", "float64"}},
			{"exact float32 0", []string{"-precision", "float32"}},
			{"certified  0.003", []string{"-method", "certified", "-delta", "0.003"}},
			{"certified  0.1", []string{"-method", "certified", "-delta", "0.1"}},
			{"embedded  0.1", []string{"-method", "embedded", "-delta", "0.1"}},
			{"sampled  0", []string{"-method", "sampled"}},
			{"dense float64 0", []string{"-method", "dense"}},
		} {
			solved := answer(t, append([]string{"solve", input, "-threads", "1", "-measures", "paper", "-epsilon", "0.2", "-polish", "off"}, c.args...)...)
			if c.row == "" {
				if width := solved["width"]; (width != nil) != narrow || narrow && solved["precision"] != "float64" {
					t.Errorf("%s: exact in %v by a decomposition of width %v", filepath.Base(input), solved["precision"], width)
				}
				c.row = fmt.Sprintf("exact %v 0", solved["precision"])
			}
			row, ok := rows[c.row]
			if !ok {
				t.Errorf("%s: no row %q among %v", filepath.Base(input), c.row, rows)
				continue
			}
			if row["method"] != solved["method"] || row["requested_method"] != fmt.Sprint(orBlank(solved["requested_method"])) {
				t.Errorf("%s, %s: bench took %q for %q, solve %v for %v", filepath.Base(input), c.row, row["method"], row["requested_method"], solved["method"], solved["requested_method"])
			}
			if solved["requested_method"] != nil {
				instead++
			}
			cost, err := strconv.ParseFloat(row["cost"], 64)
			if want := solved["cost"].(float64); err != nil || !(math.Abs(cost-want) <= 1e-9*want) {
				t.Errorf("%s, %s: cost %s, of solve %.17g", filepath.Base(input), c.row, row["cost"], want)
			}
			for name, value := range solved["seconds"].(map[string]any) {
				measured, known := row[name+"_s"]
				switch name {
				case "load", "examine", "polish", "total", "total_without_polish", "estimate":
					continue // not of the method
				}
				if !known || (measured != "0") != (value.(float64) > 0) {
					t.Errorf("%s, %s: stage %s took bench %q s, solve %v s", filepath.Base(input), c.row, name, measured, value)
				}
			}
		}
		if instead == 0 {
			t.Errorf("%s: exact was never taken in place of certified", filepath.Base(input))
		}
	}
}

func orBlank(x any) any {
	if x == nil {
		return ""
	}
	return x
}
