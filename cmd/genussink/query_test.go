package main

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"genussink/internal/race"
)

// The questions agree with one another; core/engine holds them to the matrix.
func TestQuestionsAgree(t *testing.T) {
	mesh := generated(t, "sphere.off", "sphere", "-frequency", "5")
	const n = 252
	args := func(more ...string) []string {
		return append([]string{"query", mesh, "-epsilon", "0.1", "-measures", "paper", "-precision", "float64"}, more...)
	}
	row := map[int]float64{}
	for _, p := range answer(t, args("-row", "30", "-top", "0")...)["partners"].([]any) {
		o := p.(map[string]any)
		row[int(o["vertex"].(float64))] = o["mass"].(float64)
	}
	entry := answer(t, args("-entry", "30,77")...)["mass"].(float64)
	if entry != row[77] || !(entry > 0) {
		t.Errorf("entry %g, in the row %g", entry, row[77])
	}
	// The plan's own distances are off by at most delta; the true ones are shown beside them.
	apart := 0.0
	for _, p := range answer(t, "query", mesh, "-epsilon", "0.1", "-measures", "paper", "-method", "certified", "-delta", "0.1", "-row", "30", "-top", "0", "-distances")["partners"].([]any) {
		o := p.(map[string]any)
		apart = max(apart, math.Abs(o["distance"].(float64)-o["distance_true"].(float64)))
	}
	if diagonal := 2 * math.Sqrt(3); !(apart > 1e-6 && apart <= 0.1*diagonal) {
		t.Errorf("distances differ by %g from the true ones", apart)
	}
	column := answer(t, args("-column", "77", "-top", "0")...)["partners"].([]any)
	found := false
	for _, p := range column {
		o := p.(map[string]any)
		found = found || o["vertex"] == 30. && relative(o["mass"].(float64), entry) < 1e-9
	}
	if !found {
		t.Errorf("column 77 lacks the mass %g from 30", entry)
	}
	a, b := file(t, "a.txt", lines(30)), file(t, "b.txt", lines(77, 78))
	between := answer(t, args("-between", a+","+b)...)["mass"].(float64)
	if relative(between, row[77]+row[78]) > 1e-9 {
		t.Errorf("between %g, not %g", between, row[77]+row[78])
	}
	received := answer(t, args("-set", a, "-transpose")...)["values"].([]any)
	if len(received) != n || relative(received[77].(float64), entry) > 1e-9 {
		t.Errorf("77 receives %v from 30, not %g", received[77], entry)
	}
	out := filepath.Join(t.TempDir(), "map.txt")
	if o := answer(t, args("-map", "-out", out)...); len(o["rows"].([]any)) != n {
		t.Errorf("%d rows of the map", len(o["rows"].([]any)))
	}
	for i, x := range numbers(t, out) {
		if math.Abs(x) > 1+1e-9 || i >= 3*n {
			t.Errorf("number %d of the map is %g", i, x)
		}
	}
	pairs := ok(t, args("-sample", "50", "-seed", "4")...)
	if got := strings.Count(pairs, "\n"); got != 50 {
		t.Errorf("%d lines of 50 pairs", got)
	}
	for _, line := range strings.Split(strings.TrimSpace(pairs), "\n") {
		var i, j int
		if k, err := fmt.Sscan(line, &i, &j); k != 2 || err != nil || i < 0 || i >= n || j < 0 || j >= n {
			t.Errorf("pair %q", line)
		}
	}
	if pairs != ok(t, args("-sample", "50", "-seed", "4")...) || pairs == ok(t, args("-sample", "50", "-seed", "5")...) {
		t.Error("the seed does not choose the pairs")
	}
	if code, _, stderr := tool(t, "", args("-between", file(t, "a.txt", "1\n")+","+file(t, "b.txt", "252\n"), "-iterations", "0")...); code != 1 || !strings.Contains(stderr, "252 is not a vertex") {
		t.Errorf("a set beyond the last vertex: exit %d, %s", code, stderr)
	}
	if code, _, stderr := tool(t, "", args("-entry", "30,252")...); code != 1 || !strings.Contains(stderr, "252 does not exist") {
		t.Errorf("exit %d, %s", code, stderr)
	}
}

// Of every row of the plan as few entries are written as hold the share, the greatest, and with a share of 1 all.
func TestSparsePlan(t *testing.T) {
	mesh := generated(t, "sphere.off", "sphere", "-frequency", "3")
	const n, share = 92, 0.9
	args := func(more ...string) []string {
		return append([]string{"query", mesh, "-epsilon", "0.1", "-measures", "paper", "-tolerance", "1e-9"}, more...)
	}
	rows := func(text string) (rows [n]map[int]float64) {
		for line := range strings.Lines(text) {
			var i, j int
			var mass float64
			if k, err := fmt.Sscanf(line, "%d\t%d\t%g\n", &i, &j, &mass); k != 3 || err != nil {
				t.Fatalf("line %q: %v", line, err)
			}
			if rows[i] == nil {
				rows[i] = map[int]float64{}
			}
			rows[i][j] = mass
		}
		return rows
	}
	whole, sparse := rows(ok(t, args("-sparse", "1")...)), rows(ok(t, args("-sparse", fmt.Sprint(share))...))
	for i, row := range whole {
		total, held, least := 0.0, 0.0, math.Inf(1)
		for _, mass := range row {
			total += mass
		}
		for j, mass := range sparse[i] {
			held, least = held+mass, min(least, mass)
			if row[j] != mass {
				t.Errorf("P(%d,%d) is %g, in the whole plan %g", i, j, mass, row[j])
			}
		}
		if len(row) != n || held < share*total || held-least >= share*total*(1+1e-12) {
			t.Errorf("row %d: %g of %g in %d of %d entries, the least %g", i, held, total, len(sparse[i]), len(row), least)
		}
		for j, mass := range row {
			if _, kept := sparse[i][j]; !kept && mass > least {
				t.Errorf("P(%d,%d) is left out, %g; the least kept is %g", i, j, mass, least)
			}
		}
	}
	out := filepath.Join(t.TempDir(), "plan.tsv")
	o := answer(t, args("-sparse", fmt.Sprint(share), "-out", out)...)
	if mass, total := o["mass"].(float64), o["total"].(float64); !(mass >= share*total) || relative(total, 1) > 1e-6 || o["entries"].(float64) != float64(len(numbers(t, out))/3) {
		t.Errorf("answered %v", o)
	}
	for _, bad := range [][]string{{"-sparse", "1.5"}, {"-sparse", "-1"}, {"-sparse", "NaN"}, {"-sparse", "0.5", "-json"}, {"-sparse", "0.5", "-map"}} {
		if code, _, stderr := tool(t, "", args(bad...)...); code != 2 || stderr == "" {
			t.Errorf("%v: exit %d, %s", bad, code, stderr)
		}
	}
}

// How a solve came to its plan: the errors are those of the plans' marginals, and the last is the solve's.
func TestQueryIterations(t *testing.T) {
	race.Alone(t)
	mesh := generated(t, "sphere.off", "sphere", "-frequency", "5")
	const n = 252
	a, b := make([]float64, n), make([]float64, n)
	var sums [2]float64
	for i := range n {
		a[i], b[i] = 1+float64(i%5), 2+float64(i%7)
		sums[0], sums[1] = sums[0]+a[i], sums[1]+b[i]
	}
	common := []string{mesh, "-epsilon", "0.02", "-threads", "1", "-source", file(t, "a.txt", lines(a...)), "-target", file(t, "b.txt", lines(b...))}
	args := func(more ...string) []string { return append(append([]string{"query"}, common...), more...) }
	solved := answer(t, append([]string{"solve"}, common...)...)
	trace := numbers(t, file(t, "trace.txt", ok(t, args("-trace")...)))
	iterations := int(solved["iterations"].(float64))
	if len(trace) != 2*iterations || trace[2*iterations-2] != float64(iterations) || trace[2*iterations-1] != solved["marginal_error"].(float64) || iterations < 3 {
		t.Fatalf("of %d iterations, the last off by %v: %v", iterations, solved["marginal_error"], trace)
	}
	for _, at := range []int{1, 2, iterations} {
		sides := numbers(t, file(t, "marginals.txt", ok(t, args("-marginals", fmt.Sprint(at))...)))
		off := 0.0
		for i := range n {
			off += math.Abs(sides[2*i]-a[i]/sums[0]) + math.Abs(sides[2*i+1]-b[i]/sums[1])
		}
		if want := trace[2*at-1]; len(sides) != 2*n || math.Abs(off-want) > 1e-6 {
			t.Errorf("after iteration %d the marginals are off by %g, said %g", at, off, want)
		}
	}
	if code, _, stderr := tool(t, "", args("-marginals", fmt.Sprint(iterations+1))...); code != 1 || !strings.Contains(stderr, fmt.Sprintf("of %d iterations these are known: 1 2 3", iterations)) {
		t.Errorf("exit %d, %s", code, stderr)
	}
}

// A block's runs lie in it, and every pair of a run goes through the run's hub.
func TestQueryBlock(t *testing.T) {
	mesh := generated(t, "sphere.off", "sphere", "-frequency", "5")
	args := func(number string) []string {
		return []string{"query", mesh, "-epsilon", "0.1", "-measures", "paper", "-precision", "float64", "-block", number}
	}
	o := answer(t, args("0")...)
	lists := func(key string) (vertices [][]any) {
		for _, list := range o[key].([]any) {
			vertices = append(vertices, list.([]any))
		}
		return vertices
	}
	apart := func(v, w any) float64 {
		return answer(t, "distance", mesh, fmt.Sprint(v), fmt.Sprint(w))["length"].(float64)
	}
	rows, columns := lists("rows"), lists("columns")
	runs := o["runs"].([]any)
	if len(rows) == 0 || len(columns) == 0 || len(runs) == 0 {
		t.Fatalf("block 0 is %v", o)
	}
	for _, k := range []int{0, len(runs) / 2, len(runs) - 1} {
		run := runs[k].(map[string]any)
		ends := func(key string) (from, to int) {
			pair := run[key].([]any)
			return int(pair[0].(float64)), int(pair[1].(float64))
		}
		r, lastRow := ends("rows")
		c, lastColumn := ends("columns")
		if r < 0 || r >= lastRow || lastRow > len(rows) || c < 0 || c >= lastColumn || lastColumn > len(columns) {
			t.Fatalf("run %v of %d rows and %d columns", run, len(rows), len(columns))
		}
		v, w := rows[r][0], columns[lastColumn-1][0]
		if straight, through := apart(v, w), apart(v, run["hub"])+apart(run["hub"], w); relative(straight, through) > 1e-12 {
			t.Errorf("from %v to %v it is %g, through the hub %v %g", v, w, straight, run["hub"], through)
		}
	}
	if text := ok(t, args("0")...); !strings.Contains(text, fmt.Sprintf("%d: vertices", len(rows))) || !strings.Contains(text, fmt.Sprintf("%d, through", len(runs))) {
		t.Errorf("block 0 is told as %s", text)
	}
	if code, _, stderr := tool(t, "", args("100000")...); code != 1 || !strings.Contains(stderr, "block 100000: the kernel has the blocks 0 to ") {
		t.Errorf("exit %d, %s", code, stderr)
	}
}

// All distances from a vertex are those of pairs, the nearest first, and each path goes on from one that is known.
func TestDistancesFromOneVertex(t *testing.T) {
	mesh := generated(t, "sphere.off", "sphere", "-frequency", "5")
	const n = 252
	all := numbers(t, file(t, "all.txt", ok(t, "distance", mesh, "7")))
	if len(all) != 3*n || all[0] != 7 || all[1] != 0 || all[2] != 7 {
		t.Fatalf("%d numbers, first %v", len(all), all[:3])
	}
	known := map[float64]float64{}
	for k := 0; k < len(all); k += 3 {
		v, d, before := all[k], all[k+1], all[k+2]
		known[v] = d
		if from, seen := known[before]; !seen || k > 0 && !(from < d && all[k-2] <= d) {
			t.Errorf("vertex %g at %g comes after %g", v, d, before)
		}
		if k%60 == 0 {
			if want := answer(t, "distance", mesh, "7", fmt.Sprint(v))["length"]; want != d {
				t.Errorf("vertex %g is at %g, alone %v", v, d, want)
			}
		}
	}
	if rows := answer(t, "distance", mesh, "7")["rows"].([]any); len(rows) != n {
		t.Errorf("%d rows", len(rows))
	}
}
