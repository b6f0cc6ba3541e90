package separator

import (
	"strings"
	"testing"
)

// TestVerifyNamesTheRule gives Verify one wrong separation of a path of six
// vertices for every rule.
func TestVerifyNamesTheRule(t *testing.T) {
	g := build(t, 6, path(6)...)
	cases := []struct {
		s       Separation
		balance float64
		want    string // "" for none
	}{
		{Separation{A: []int32{0, 1, 2}, S: []int32{3}, B: []int32{4, 5}}, 1.0 / 3, ""},
		{Separation{A: []int32{0, 1}, S: []int32{2, 3}, B: []int32{4, 5}}, 0.33, ""},
		{Separation{A: []int32{0, 1, 2}, S: []int32{3}, B: []int32{4, 5}}, 0.5, ""},
		{Separation{A: []int32{0, 1, 2, 3}, S: []int32{4}, B: []int32{5}}, 0.4, "balance: A holds 4 of 6 vertices, more than the share 0.6"},
		{Separation{A: []int32{0, 1, 2, 3}, S: []int32{4, 5}}, 0.1, "balance: B holds 0"},
		{Separation{A: []int32{0, 1, 2, 3, 4, 5}}, 0.1, "balance: A holds 6 of 6 vertices, more than the share 0.9"},
		{Separation{A: []int32{0, 1, 2}, S: []int32{3}, B: []int32{4, 6}}, 0, "range: B[1] is vertex 6"},
		{Separation{A: []int32{0, 1, -2}, S: []int32{3}, B: []int32{4, 5}}, 0, "range: A[2] is vertex -2"},
		{Separation{A: []int32{0, 2, 1}, S: []int32{3}, B: []int32{4, 5}}, 0, "order: A[2] is 1 after 2"},
		{Separation{A: []int32{0, 1, 1}, S: []int32{3}, B: []int32{4, 5}}, 0, "order: A[2] is 1 after 1"},
		{Separation{A: []int32{0, 1, 2}, S: []int32{2, 3}, B: []int32{4, 5}}, 0, "disjointness: vertex 2 lies in A and S"},
		{Separation{A: []int32{0, 1}, S: []int32{3}, B: []int32{4, 5}}, 0, "cover: vertex 2"},
		{Separation{A: []int32{0, 1, 2}, S: []int32{4}, B: []int32{3, 5}}, 0, "separation: edge 2-3 joins A and B"},
		{Separation{A: []int32{0, 1, 2}, S: []int32{3}, B: []int32{4, 5}}, 0.7, "balance 0.7, must lie in"},
	}
	for i, c := range cases {
		err := Verify(g, c.s, c.balance)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("case %d: %v", i, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("case %d: error %v, want one with %q", i, err, c.want)
		}
	}
}
