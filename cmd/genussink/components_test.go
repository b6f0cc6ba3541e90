package main

import (
	"math"
	"strings"
	"testing"
)

// Presets balance in every component or lie in the largest, and the answer says
// so in words; densities from files that do not balance are refused with the
// component, both masses and the flag that mends them.
func TestSolveSeveralComponents(t *testing.T) {
	mesh := file(t, "two.obj", twoTriangles)
	solve := []string{"solve", mesh, "-epsilon", "0.05"}
	with := func(args ...string) []string { return append(solve[:3:3], append(solve[3:], args...)...) }
	each := answer(t, with("-measures", "paper")...)
	largest := answer(t, with("-measures", "paper", "-components", "largest")...)
	for name, c := range map[string]struct {
		o    map[string]any
		note string
	}{
		"each":    {each, "Each of 2 components has the share of source and target that it has of the vertices. 1 vertex without an edge has no mass."},
		"largest": {largest, "Only the largest of 3 components has mass: 3 of 7 vertices."},
	} {
		if notes := c.o["notes"].([]any); c.o["status"] != "converged" || len(notes) != 1 || notes[0] != c.note {
			t.Errorf("%s: %v, %v", name, c.o["status"], notes)
		}
	}
	sphere := generated(t, "sphere.obj", "sphere", "-frequency", "2")
	if notes := answer(t, "solve", sphere, "-epsilon", "0.2", "-measures", "paper")["notes"].([]any); len(notes) != 0 {
		t.Errorf("of a connected mesh: %v", notes)
	}

	source, target := file(t, "a.txt", lines(3, 0, 0, 1, 0, 0, 1)), file(t, "b.txt", lines(0, 1, 0, 0, 0, 1, 0))
	pair := with("-source", source, "-target", target)
	code, stdout, stderr := tool(t, "", pair...)
	want := mesh + ": measure: source and target differ in 3 of 3 components, most in component 1 (3 vertices, from vertex 3) with source mass 0.2 and target mass 0.5; mass cannot move between components; -balance scales the target"
	if code != 1 || stdout != "" || !strings.Contains(stderr, want) {
		t.Errorf("exit %d, %q, not %q", code, stderr, want)
	}
	balanced := answer(t, append(pair, "-balance")...)
	if notes := balanced["notes"].([]any); balanced["status"] != "converged" || len(notes) != 1 || !strings.Contains(notes[0].(string), "20 % of the source") {
		t.Errorf("%v, %v", balanced["status"], notes)
	}
	if cost, want := balanced["cost"].(float64), 0.75*3+0.25*1; math.Abs(cost-want) > 1e-6*want { // nowhere else to go
		t.Errorf("cost %g, not %g", cost, want)
	}
	code, stdout, stderr = tool(t, "", "query", mesh, "-epsilon", "0.05", "-measures", "paper", "-entry", "0,3")
	if code != 0 || !strings.Contains(stderr, "Each of 2 components") || !strings.Contains(stdout, "from vertex 0 to vertex 3  0\n") {
		t.Errorf("query: exit %d, %q, %q", code, stdout, stderr)
	}
	for says, args := range map[string][]string{
		"-components some":            {"-measures", "paper", "-components", "some"},
		"-components needs -measures": {"-source", source, "-target", target, "-components", "largest"},
		"-balance needs -source":      {"-measures", "paper", "-balance"},
	} {
		if code, _, stderr := tool(t, "", with(args...)...); code != 2 || !strings.Contains(stderr, says) {
			t.Errorf("%v: exit %d, %q", args, code, stderr)
		}
	}
}
