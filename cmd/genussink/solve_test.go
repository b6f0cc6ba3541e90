package main

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"genussink/internal/output"
	"genussink/internal/race"
)

func TestSolve(t *testing.T) {
	race.Alone(t)
	mesh := generated(t, "sphere.ply", "sphere", "-frequency", "7")
	potentials := filepath.Join(t.TempDir(), "p.txt")
	exact := answer(t, "solve", mesh, "-measures", "paper", "-epsilon", "0.1", "-precision", "float64", "-potentials", potentials, "-threads", "2")
	dense := answer(t, "solve", mesh, "-measures", "paper", "-epsilon", "0.1", "-method", "dense")
	if r := relative(exact["cost"].(float64), dense["cost"].(float64)); r > 1e-10 {
		t.Errorf("cost %v, dense %v", exact["cost"], dense["cost"])
	}
	short := answer(t, "solve", mesh, "-measures", "paper", "-epsilon", "0.1")
	if r := relative(short["cost"].(float64), dense["cost"].(float64)); r > 1e-6 || short["precision"] != "float32" || exact["precision"] != "float64" ||
		!(short["bound"].(float64) > 0) || short["distance_error"].(map[string]any)["within_bound"] != true || exact["bound"] != 0. || exact["distance_error"] != nil ||
		short["cost_polished"] != short["cost"] || !within(short) || !within(exact) || math.Signbit(short["distance_error"].(map[string]any)["least_seen"].(float64)) {
		t.Errorf("%v; with float64 %v", short, exact)
	}
	tree := answer(t, "solve", mesh, "-measures", "paper", "-epsilon", "0.1", "-method", "tree")
	if r := relative(tree["cost"].(float64), dense["cost"].(float64)); r > 1e-10 || tree["method"] != "tree" {
		t.Errorf("cost %v by %v, dense %v", tree["cost"], tree["method"], dense["cost"])
	}
	for _, method := range []string{"tree", "sampled"} {
		if shallow := answer(t, "solve", mesh, "-measures", "paper", "-epsilon", "0.1", "-method", method, "-levels", "1"); shallow["depth"] != 1. || exact["depth"] != nil || !(tree["depth"].(float64) > 1) {
			t.Errorf("%s: depth %v; at will %v, of exact %v", method, shallow["depth"], tree["depth"], exact["depth"])
		}
	}
	ring := generated(t, "ring.ply", "torus", "-minor", "0.2", "-segments", "240", "-sides", "6") // on which a delta of 1 % pays
	matrix := answer(t, "solve", ring, "-measures", "paper", "-epsilon", "0.1", "-method", "dense")
	certified := answer(t, "solve", ring, "-measures", "paper", "-epsilon", "0.1", "-method", "certified", "-delta", "0.01", "-polish", "full")
	if bound := certified["bound"].(float64); !(bound > 0) || certified["delta"] != bound || certified["width"] != nil || exact["delta"] != nil || dense["delta"] != nil || dense["bound"] != 0. ||
		relative(certified["cost_polished"].(float64), matrix["cost"].(float64)) > 1e-4 || !within(certified) || certified["distance_error"].(map[string]any)["within_bound"] != true ||
		math.Abs(certified["dual"].(float64)-matrix["dual"].(float64)) > bound {
		t.Errorf("certified %v, dense %v", certified, matrix)
	}
	embedded := answer(t, "solve", mesh, "-measures", "paper", "-epsilon", "0.1", "-method", "embedded", "-delta", "0.1")
	if bound := embedded["bound"].(float64); !(bound > 0) || !(embedded["width"].(float64) > 0) || embedded["distance_error"].(map[string]any)["within_bound"] != true ||
		!(embedded["dual"].(float64) >= dense["dual"].(float64) && embedded["dual"].(float64) <= dense["dual"].(float64)+bound) {
		t.Errorf("embedded %v, dense %v", embedded, dense)
	}
	// What there is none of is null, and what was seen of sampled's distances is no bound.
	sampled := answer(t, "solve", mesh, "-measures", "paper", "-epsilon", "0.1", "-method", "sampled")
	seen, _ := sampled["distance_error"].(map[string]any)
	for key, value := range map[string]any{
		"bound": sampled["bound"], "delta": sampled["delta"], "width": sampled["width"], "within_bound": seen["within_bound"],
	} {
		if value != nil {
			t.Errorf("sampled: %s is %v, not null", key, value)
		}
	}
	if seen["rows_seen"] != 8. || !(seen["largest_relative_seen"].(float64) > 0) {
		t.Errorf("sampled: %v", seen)
	}
	applied := answer(t, "apply", mesh, "-epsilon", "0.1", "-method", "sampled", "-x", file(t, "x.txt", lines(make([]float64, 492)...)), "-out", filepath.Join(t.TempDir(), "y.txt"))
	if applied["bound"] != nil || applied["delta"] != nil {
		t.Errorf("sampled: a product with %v", applied)
	}
	for _, s := range []map[string]any{exact, dense, short, tree, certified, embedded, sampled} {
		primal, dual, gap := s["primal"].(float64), s["dual"].(float64), s["gap"].(float64)
		if lower := s["lower_bound"].(float64); math.Abs(primal-dual-gap) > 1e-12*primal || !(dual > 0) || !(primal >= s["cost"].(float64)) || !(lower > 0 && lower <= dense["cost"].(float64)) {
			t.Errorf("%s: %v", s["method"], s)
		}
	}
	many := answer(t, "solve", mesh, "-measures", "paper", "-epsilon", "0.1", "-threads", "1000000")
	if int(many["threads"].(float64)) != runtime.NumCPU() {
		t.Errorf("a million threads are %v, there are %d processors", many["threads"], runtime.NumCPU())
	}
	var keys []string
	for _, key := range []string{"vertices", "edges", "epsilon", "delta", "method", "kernel", "status", "iterations", "marginal_error",
		"cost", "cost_polished", "cost_polished_interval", "lower_bound", "primal", "dual", "gap", "bound", "width", "depth", "distance_error", "seconds", "memory_bytes", "peak_bytes", "threads"} {
		if _, there := exact[key]; !there {
			keys = append(keys, key)
		}
	}
	if keys != nil {
		t.Errorf("the answer lacks %v", keys)
	}
	if exact["status"] != "converged" || exact["threads"] != 2. || exact["vertices"] != 492. || !(exact["memory_bytes"].(float64) > 0) ||
		!(exact["peak_bytes"].(float64) > exact["memory_bytes"].(float64)) {
		t.Errorf("%v", exact)
	}
	seconds := exact["seconds"].(map[string]any)
	sum := 0.0
	for _, stage := range []string{"load", "tree", "labels", "tiles", "kernel", "coarse", "solve", "examine", "polish"} {
		sum += seconds[stage].(float64)
	}
	if without := sum - seconds["polish"].(float64); relative(sum, seconds["total"].(float64)) > 1e-9 || relative(without, seconds["total_without_polish"].(float64)) > 1e-9 {
		t.Errorf("the stages take %g s, the whole %v and without polishing %v", sum, seconds["total"], seconds["total_without_polish"])
	}
	if p := numbers(t, potentials); len(p) != 2*492 {
		t.Errorf("%d potentials", len(p))
	}

	// The same densities from files, of another total.
	ones := make([]float64, 492)
	for i := range ones {
		ones[i] = 3
	}
	uniform := file(t, "u.txt", lines(ones...))
	byName := answer(t, "solve", mesh, "-measures", "uniform", "-epsilon", "0.1")
	byFile := answer(t, "solve", mesh, "-source", uniform, "-target", uniform, "-epsilon", "0.1")
	if relative(byName["cost"].(float64), byFile["cost"].(float64)) > 1e-12 {
		t.Errorf("cost by name %v, by file %v", byName["cost"], byFile["cost"])
	}
	if code, text, _ := tool(t, "", "solve", mesh, "-measures", "paper", "-epsilon", "0.1", "-iterations", "2"); code != 3 || !regexp.MustCompile(`\n  status +not converged after 2 iterations`).MatchString(text) {
		t.Errorf("two iterations: exit %d, %s", code, text)
	}
	if text := ok(t, "solve", mesh, "-measures", "paper", "-epsilon", "0.1", "-v"); !regexp.MustCompile(`\nstatus +converged\n`).MatchString(text) || !regexp.MustCompile(`\nseconds.kernel +\d`).MatchString(text) ||
		!regexp.MustCompile(`\nwidth +none\n`).MatchString(text) || !strings.Contains(text, "distance_error.largest_seen") {
		t.Errorf("text:\n%s", text)
	}
}

// By -polish: nothing, something in a quarter of the time, or all; and nothing of a solve that has not converged.
func TestSolvePolishes(t *testing.T) {
	race.Alone(t)
	mesh := generated(t, "sphere.ply", "sphere", "-frequency", "12")
	run := func(flags ...string) map[string]any {
		return answer(t, append([]string{"solve", mesh, "-measures", "paper", "-epsilon", "0.1", "-method", "sampled"}, flags...)...)
	}
	width := func(a map[string]any) float64 {
		ends := a["cost_polished_interval"].([]any)
		return ends[1].(float64) - ends[0].(float64)
	}
	off, quick, full := run("-polish", "off"), run(), run("-polish", "full")
	polish := func(a map[string]any) float64 { return a["seconds"].(map[string]any)["polish"].(float64) }
	if off["cost_polished"] != nil || off["cost_polished_interval"] != nil || off["cost_polished_why"] != "-polish off" || polish(off) != 0 {
		t.Errorf("off: %v", off)
	}
	if !within(quick) || !within(full) || width(full) > 1e-5*full["cost_polished"].(float64) || width(quick) < width(full) || full["cost_polished_why"] != nil || !(polish(full) > 0) {
		t.Errorf("quick %v, full %v", quick, full)
	}
	ends := quick["cost_polished_interval"].([]any)
	if truth := full["cost_polished"].(float64); ends[0].(float64) > truth || ends[1].(float64) < truth || truth >= full["cost"].(float64) {
		t.Errorf("quick %v, in full %g of %v", ends, truth, full["cost"])
	}
	code, stdout, stderr := tool(t, "", "solve", mesh, "-measures", "paper", "-epsilon", "0.1", "-iterations", "1", "-json")
	if code != 3 || !strings.Contains(stderr, mesh+": the solve has not converged: after 1 iteration ") || strings.Count(stderr, "\n") != 1 {
		t.Errorf("not converged: exit %d, %q", code, stderr)
	}
	var early map[string]any
	if err := json.Unmarshal([]byte(stdout), &early); err != nil {
		t.Fatal(err)
	}
	if why, _ := early["cost_polished_why"].(string); early["status"] != "iterations" || early["cost_polished"] != nil || early["cost_polished_interval"] != nil || !strings.Contains(why, "before it converged") {
		t.Errorf("not converged: %v", early)
	}
	if code, _, stderr := tool(t, "", "solve", mesh, "-measures", "paper", "-epsilon", "0.1", "-polish", "much"); code != 2 || !strings.Contains(stderr, "-polish much") {
		t.Errorf("exit %d, %s", code, stderr)
	}
}

// An interrupt while a plan is polished loses nothing: the cost is printed, and files are written. Quantized is polished only when asked.
func TestPolishInterrupted(t *testing.T) {
	mesh := generated(t, "torus.obj", "torus", "-segments", "60", "-sides", "30")
	potentials := filepath.Join(t.TempDir(), "potentials.txt")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() { // the potentials are there before polishing begins
		for ctx.Err() == nil {
			if _, err := os.Stat(potentials); err == nil {
				cancel()
			}
			time.Sleep(time.Millisecond)
		}
	}()
	var stdout, stderr bytes.Buffer
	code := run(ctx, &output.Set{}, []string{"solve", mesh, "-measures", "paper", "-epsilon", "0.1", "-method", "sampled", "-polish", "full", "-w1", "-potentials", potentials, "-json"}, nil, &stdout, &stderr)
	var o map[string]any
	if err := json.Unmarshal(stdout.Bytes(), &o); err != nil || code != 1 || o["cost"] == nil || o["w1"] != nil || !strings.Contains(stderr.String(), "interrupted; saved: "+potentials) {
		t.Errorf("exit %d, %v, stdout %.300q, stderr %q", code, err, &stdout, &stderr)
	}
	mesh = generated(t, "small.obj", "torus", "-segments", "30", "-sides", "15")
	if o := answer(t, "solve", mesh, "-measures", "paper", "-epsilon", "0.1", "-method", "quantized"); o["cost_polished"] != nil || o["estimate"] == nil || !strings.Contains(o["cost_polished_why"].(string), "estimates what the exact plan costs") {
		t.Errorf("quantized: %v", o)
	}
	if o := answer(t, "solve", mesh, "-measures", "paper", "-epsilon", "0.1", "-method", "quantized", "-polish", "quick"); o["cost_polished"] == nil {
		t.Errorf("quantized, polished: %v", o)
	}
}

// The unregularised optimum is at least the lower bound. Every entropic cost is above it, and comes down to it as epsilon falls.
func TestMinimum(t *testing.T) {
	mesh := generated(t, "torus.obj", "torus", "-segments", "24", "-sides", "12")
	last := math.Inf(1)
	for _, epsilon := range []string{"0.2", "0.02", "0.005"} {
		o := answer(t, "solve", mesh, "-measures", "two-spots", "-epsilon", epsilon, "-w1")
		w1, above := o["w1"].(float64), o["above_w1"].(float64)
		if o["lower_bound"].(float64) > w1*(1+1e-9) || !(above > 0 && above < last) || relative(o["primal"].(float64), w1*(1+above)) > 1e-12 {
			t.Errorf("epsilon %s: lower bound %v, w1 %v, primal %v, %v above", epsilon, o["lower_bound"], w1, o["primal"], above)
		}
		last = above
	}
	if last > 0.05 {
		t.Errorf("at the smallest epsilon the entropic cost is %g above", last)
	}
	if text := ok(t, "solve", mesh, "-measures", "two-spots", "-epsilon", "0.2", "-w1"); !strings.Contains(text, "the least of all plans; the entropic cost is") {
		t.Error(text)
	}
	if o := answer(t, "solve", mesh, "-measures", "two-spots", "-epsilon", "0.2"); o["w1"] != nil || o["above_w1"] != nil {
		t.Errorf("without -w1: %v, %v", o["w1"], o["above_w1"])
	}
}

// With a reach totals may differ, in all and in a component, and what lies alone is destroyed or created.
func TestReach(t *testing.T) {
	mesh := file(t, "two.obj", twoTriangles)
	source, target := file(t, "a.txt", lines(1, 0, 0, 1, 0, 0, 0)), file(t, "b.txt", lines(0, 1, 0, 0, 0, 0, 3))
	args := []string{"solve", mesh, "-source", source, "-target", target, "-epsilon", "1u"}
	if code, _, stderr := tool(t, "", args...); code != 1 || !strings.Contains(stderr, "-reach lets them differ") {
		t.Errorf("balanced: exit %d, %s", code, stderr)
	}
	for _, method := range []string{"exact", "tree", "dense"} {
		o := answer(t, append(args, "-reach", "2u", "-method", method)...)
		// Both masses are 0.5, at a distance of 3. The mass x that moves has 3 + epsilon log(x m/(0.5 0.5)) + 2 reach log(x/0.5) = 0.
		m := math.Sqrt(1 * 2)
		x := math.Exp((-3 - math.Log(4*m) - 4*math.Log(2)) / 5)
		if o["status"] != "converged" || o["reach"] != 2.0 || relative(o["cost"].(float64), 3*x) > 1e-6 || relative(o["destroyed"].(float64), 1-x) > 1e-6 || relative(o["created"].(float64), 2-x) > 1e-6 || o["lower_bound"] != nil || o["cost_polished"] != nil {
			t.Errorf("%s: %v, %g should move", method, o, x)
		}
	}
	if text := ok(t, append(args, "-reach", "2u")...); !strings.Contains(text, "with a reach of 2; of the source's mass") || strings.Contains(text, "lower bound") {
		t.Error(text)
	}
	if o := answer(t, "solve", mesh, "-measures", "uniform", "-epsilon", "1u"); o["reach"] != nil || o["destroyed"] != nil {
		t.Errorf("balanced: %v", o)
	}
	for _, flags := range [][]string{{"-reach", "0"}, {"-reach", "-1"}, {"-reach", "1", "-method", "auto"}, {"-reach", "1", "-balance"}, {"-reach", "1", "-w1"}} {
		if code, _, stderr := tool(t, "", append(args, flags...)...); code != 2 || !strings.Contains(stderr, "reach") {
			t.Errorf("%v: exit %d, %s", flags, code, stderr)
		}
	}
}

// The divergence is 0 from a density to itself, whatever epsilon is, and less than the entropic cost elsewhere.
func TestDebias(t *testing.T) {
	mesh := generated(t, "torus.obj", "torus", "-segments", "24", "-sides", "12")
	density := make([]float64, 24*12)
	for v := range density {
		density[v] = float64(v % 5)
	}
	path := file(t, "a.txt", lines(density...))
	for _, epsilon := range []string{"0.2", "0.05"} {
		o := answer(t, "solve", mesh, "-source", path, "-target", path, "-epsilon", epsilon, "-debias")
		if primal := o["primal"].(float64); math.Abs(o["divergence"].(float64)) > 1e-7*primal || !(primal > 0) {
			t.Errorf("epsilon %s: %v of %v to itself", epsilon, o["divergence"], primal)
		}
		o = answer(t, "solve", mesh, "-measures", "two-spots", "-epsilon", epsilon, "-debias")
		if d := o["divergence"].(float64); !(d > 0.1*o["primal"].(float64) && d < o["primal"].(float64)) || !(o["divergence_within"].(float64) < 1e-6*d+2*o["bound"].(float64)) {
			t.Errorf("epsilon %s: %v within %v, primal %v", epsilon, d, o["divergence_within"], o["primal"])
		}
	}
	o := answer(t, "solve", mesh, "-source", path, "-target", path, "-epsilon", "0.2", "-debias", "-kernel", "squared")
	if primal := o["primal"].(float64); math.Abs(o["divergence"].(float64)) > 1e-7*primal || !(primal > 0) {
		t.Errorf("squared: %v of %v to itself", o["divergence"], primal)
	}
	if text := ok(t, "solve", mesh, "-measures", "two-spots", "-epsilon", "0.2", "-debias"); !strings.Contains(text, "the entropic cost, debiased") {
		t.Error(text)
	}
	for _, flags := range [][]string{{"-reach", "1"}, {"-method", "quantized"}} {
		if code, _, stderr := tool(t, "", append([]string{"solve", mesh, "-measures", "paper", "-epsilon", "0.2", "-debias"}, flags...)...); code != 2 || !strings.Contains(stderr, "-debias") {
			t.Errorf("%v: exit %d, %s", flags, code, stderr)
		}
	}
}

// Plans of other kernels have the densities as their marginals and cost at least the optimum, exact and certified agree, and what a
// kernel cannot do is refused with its reason.
func TestSolveOtherKernels(t *testing.T) {
	race.Alone(t)
	mesh := filepath.Join(t.TempDir(), "mesh.off")
	ok(t, "generate", "torus", "-segments", "16", "-sides", "8", "-out", mesh)
	args := []string{"solve", mesh, "-measures", "two-spots", "-epsilon", "0.1", "-threads", "1"}
	for _, name := range []string{"inverse", "cauchy:lambda=-0.5,c=2,p=2", "squared"} {
		o := answer(t, append(args, "-kernel", name, "-w1")...)
		cost, w1 := o["cost"].(float64), o["w1"].(float64)
		if o["kernel"] != name || !(o["kernel_error"].(float64) <= 1e-10) || o["status"] != "converged" || !(o["marginal_error"].(float64) <= 1e-6) || !(cost >= w1) {
			t.Errorf("%s: %v", name, o)
		}
		if o["above_w1"] != nil || o["lower_bound"] != nil || o["cost_polished"] != nil {
			t.Errorf("%s has figures that are of exp: %v", name, o)
		}
		root, squared := o["root_mean_square"].(float64)
		if epsilon, primal := o["epsilon"].(float64), o["primal"].(float64); squared != (name == "squared") || squared && !(root >= cost && root*root <= epsilon*primal) {
			t.Errorf("%s: cost %g, the root of the squared one %g, primal %g", name, cost, root, primal)
		}
		near := answer(t, append(args, "-kernel", name, "-method", "certified", "-delta", "0.001")...)
		if c := near["cost"].(float64); !(math.Abs(c-cost) <= 0.01*cost) {
			t.Errorf("%s: certified costs %g, exact %g", name, c, cost)
		}
		entry := answer(t, append([]string{"query"}, append(args[1:], "-kernel", name, "-entry", "30,77")...)...)["mass"].(float64)
		row := answer(t, append([]string{"query"}, append(args[1:], "-kernel", name, "-row", "30", "-top", "0")...)...)["partners"].([]any)
		if !slices.ContainsFunc(row, func(p any) bool { o := p.(map[string]any); return o["vertex"] == 77. && o["mass"] == entry }) {
			t.Errorf("%s: the entry %g is not in the row", name, entry)
		}
		if text := ok(t, append(args, "-kernel", name)...); !strings.Contains(text, name+" of distance over epsilon, wrong by at most") {
			t.Error(text)
		}
	}
	refused(t, args, []wrong{
		{1, []string{"-kernel", "poly:1,-1"}, "kernel poly:1,-1: it is zero or within rounding of it near x = 1"},
		{2, []string{"-kernel", "squared:2"}, "kernel squared takes no parameters"},
		{2, []string{"-kernel", "squared", "-method", "tree"}, "the method tree has exp alone"},
		{2, []string{"-kernel", "inverse", "-method", "quantized"}, "the method quantized has exp alone"},
		{2, []string{"-kernel", "cauchy:c=-1"}, "-kernel cauchy:c=-1"},
		{1, []string{"-kernel", "inverse", "-reach", "0.1"}, "a reach is of exp alone"},
	})
}
