package team_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"genussink/core/baseline"
	"genussink/core/graph"
	"genussink/core/hub"
	"genussink/core/hub/label"
	"genussink/core/internal/shared"
	"genussink/core/internal/shared/genmesh"
	"genussink/core/job"
	"genussink/core/linop"
	"genussink/core/linop/linoptest"
	"genussink/core/septree"
	"genussink/core/team"
)

const epsilon = 0.4 // of a sphere of radius 1

// crew are members in this process. Messages go through the codec, as they do between Workers.
type crew struct {
	members []*team.Member
	alone   []sync.Mutex // of each member: as in an engine, what is no row goes one by one
	last    atomic.Uint32
	dead    func(member int, request job.Body) bool // nil: none ever is

	mu    sync.Mutex
	asked map[string]int // by type of request
	hold  *job.Hold      // the last request of that kind
}

func newCrew(size int) *crew {
	c := &crew{asked: map[string]int{}, alone: make([]sync.Mutex, size)}
	for range size {
		c.members = append(c.members, &team.Member{MemoryLimit: 1 << 30})
	}
	return c
}

func (c *crew) Size() int { return len(c.members) }

func (c *crew) Call(ctx context.Context, member int, request job.Body) (job.Body, error) {
	c.mu.Lock()
	c.asked[fmt.Sprintf("%T", request)]++
	if h, ok := request.(*job.Hold); ok {
		c.hold = h
	}
	dead := c.dead != nil && c.dead(member, request)
	c.mu.Unlock()
	if dead {
		return nil, errors.New("the member is dead")
	}
	_, body, err := job.Decode(job.Encode(c.last.Add(1), request))
	if err != nil {
		return nil, err
	}
	var answer job.Body
	if row, ok := team.Beside(body); ok {
		answer, err = c.members[member].Row(ctx, row)
	} else {
		c.alone[member].Lock()
		answer, err = c.members[member].Do(ctx, body, func(string, float64) {})
		c.alone[member].Unlock()
	}
	if err != nil {
		return nil, err
	}
	_, answer, err = job.Decode(job.Encode(c.last.Load(), answer))
	return answer, err
}

// sphere is the least mesh that is shared, of 1,002 vertices.
func sphere(t testing.TB) *graph.Graph {
	t.Helper()
	_, g := genmesh.Make(t, "sphere", map[string]float64{"frequency": 10})
	return g
}

// kernelOf is the kernel of a graph that a lead makes, in float64.
func kernelOf(ctx context.Context, l *team.Lead, g *graph.Graph) (linop.Kernel, *team.Cover, error) {
	tree, err := septree.Split(ctx, g, l.Splitting(ctx, g.Len(), septree.Options{}))
	if err != nil {
		return nil, nil, err
	}
	labels, err := label.Measure(ctx, tree, label.MeasureOptions{Precision: label.Float64})
	if err != nil {
		return nil, nil, err
	}
	cover, err := l.Cover(ctx, labels, 0, epsilon, 1<<30, nil)
	if err != nil {
		return nil, nil, err
	}
	k, _, err := cover.Kernel(ctx, epsilon)
	return k, cover, err
}

// products are those of the dense matrices of spheres, by how many vertices these have.
var products = map[int][]float64{}

// nearDense compares a product with that of the dense matrix. The graph is a sphere's.
func nearDense(t *testing.T, k linop.Kernel, g *graph.Graph) {
	t.Helper()
	x := make([]float64, g.Len())
	for i := range x {
		x[i] = 1 + float64(i%7)
	}
	want := products[g.Len()]
	if want == nil {
		dense := linoptest.Value(baseline.NewDense(t.Context(), g, epsilon, baseline.Options{}))(t)
		want = linoptest.Must(t, dense).MulVec(nil, x)
		products[g.Len()] = want
	}
	for i, y := range linoptest.Must(t, k).MulVec(nil, x) {
		if !(math.Abs(y-want[i]) <= 1e-12*want[i]) {
			t.Fatalf("product %d is %v, dense has %v", i, y, want[i])
		}
	}
}

// Members share tree, cover and kernel. Their kernel keeps the contract of kernels, cancelled products included, and so
// does the one for rows beside it.
func TestShare(t *testing.T) {
	g, c := sphere(t), newCrew(2)
	k, cover, err := kernelOf(t.Context(), &team.Lead{Members: c}, g)
	if err != nil {
		t.Fatal(err)
	}
	if cover.Members() != 2 || cover.Alone() != nil {
		t.Errorf("%d of 2 members hold a part", cover.Members())
	}
	nearDense(t, k, g)
	linoptest.KernelBut(t, k, epsilon, linoptest.Allowance{Messages: true})
	beside := k.(*team.Kernel).Beside()
	nearDense(t, beside, g)
	t.Run("beside it", func(t *testing.T) {
		shared.Long(t)
		linoptest.KernelBut(t, beside, epsilon, linoptest.Allowance{Messages: true})
	})
	for kind, least := range map[string]int{"*job.Dissect": 1, "*job.Hold": 2, "*job.Tune": 2, "*job.Multiply": 100} {
		if c.asked[kind] < least {
			t.Errorf("members are asked %d times for %s", c.asked[kind], kind)
		}
	}
}

// What a lost member held is the lead's from then on, and the product is the same. Where all are lost the kernel keeps the whole
// contract: a product allocates nothing. Whoever asks for a row beside it hears of the loss.
func TestLoseMembers(t *testing.T) {
	g := sphere(t)
	multiplies := func(r job.Body) bool { _, ok := r.(*job.Multiply); return ok }
	for name, dead := range map[string]func(member int, r job.Body) bool{
		"one from the start":  func(m int, _ job.Body) bool { return m == 1 },
		"one that multiplies": func(m int, r job.Body) bool { return m == 0 && multiplies(r) },
		"all that multiply":   func(_ int, r job.Body) bool { return multiplies(r) },
		"all from the start":  func(int, job.Body) bool { return true },
	} {
		t.Run(name, func(t *testing.T) {
			c := newCrew(2)
			c.dead = dead
			told := 0
			k, cover, err := kernelOf(t.Context(), &team.Lead{Members: c, Logf: func(string, ...any) {
				c.mu.Lock()
				told++
				c.mu.Unlock()
			}}, g)
			if err != nil {
				t.Fatal(err)
			}
			if cover.Members() > 0 && name == "all that multiply" {
				if _, err := linop.Row(t.Context(), k.(*team.Kernel).Beside(), epsilon, nil, 5); !errors.Is(err, team.ErrLost) {
					t.Errorf("a row beside a kernel that lost its members: %v", err)
				}
			}
			nearDense(t, k, g)
			if told == 0 {
				t.Error("nobody is told that a member is lost")
			}
			if name == "all that multiply" {
				if cover.Members() > 0 {
					t.Fatal("a dead member has its part still")
				}
				t.Run("contract", func(t *testing.T) {
					shared.Long(t) // it is a kernel of one process, which core/hub holds to it
					linoptest.Kernel(t, k, epsilon)
				})
			}
		})
	}
}

// A lead that is cancelled at any time returns the context's error, and no kernel.
func TestCancel(t *testing.T) {
	g := sphere(t)
	lead := &team.Lead{Members: newCrew(2)}
	all := linoptest.NewCountdown(-1)
	if _, _, err := kernelOf(all, lead, g); err != nil {
		t.Fatal(err)
	}
	for at := 0; at < all.Asked(); at += 1 + at {
		ctx := linoptest.NewCountdown(at)
		k, _, err := kernelOf(ctx, lead, g)
		if ctx.Asked() > at && (!errors.Is(err, context.Canceled) || k != nil) {
			t.Fatalf("cancelled when it asked for the time %d of %d: %v", at+1, all.Asked(), err)
		}
	}
}

// Alone in its process, or with a small graph, a lead uses the kernel without the team.
func TestAlone(t *testing.T) {
	_, small := genmesh.Make(t, "sphere", map[string]float64{"frequency": 4})
	c := newCrew(1)
	for name, lead := range map[string]*team.Lead{"no members": {}, "few vertices": {Members: c}} {
		k, cover, err := kernelOf(t.Context(), lead, small)
		if err != nil {
			t.Fatal(err)
		}
		if _, alone := k.(*hub.Kernel); !alone || cover.Alone() == nil || cover.Members() != 0 {
			t.Errorf("%s: the kernel is a %T", name, k)
		}
		nearDense(t, k, small)
	}
	if len(c.asked) > 0 {
		t.Errorf("a member is asked %v", c.asked)
	}
}

// What a member is sent is checked like a stranger's data.
func TestMemberRefusesNonsense(t *testing.T) {
	do := func(m *team.Member, b job.Body) (job.Body, error) { return m.Do(t.Context(), b, nil) }
	m := &team.Member{MemoryLimit: 1 << 30}
	for _, b := range []job.Body{
		&job.Dissect{}, &job.Dissect{Offsets: []int32{0, 0}, Positions: []float64{0}}, &job.Dissect{Offsets: []int32{0, 0}, Faces: []int32{0, 1}},
		&job.Dissect{Offsets: []int32{0, 0}, Faces: []int32{0, 1, 2}}, &job.Dissect{Offsets: []int32{0, 0}, Finder: "magic"},
		&job.Tune{Epsilon: 1},
		&job.Hold{Order: []int32{0, 0}, Parts: 1}, &job.Hold{Order: []int32{0}, Sizes: []int32{0, 0, 1}, Distances: [][]float64{{0}}, Parts: 1},
		&job.Multiply{Product: "vec"}, &job.Solve{},
	} {
		if answer, err := do(m, b); err == nil {
			t.Errorf("%T: %+v", b, answer)
		}
	}
	// A part it does hold.
	g, c := sphere(t), newCrew(1)
	if _, _, err := kernelOf(t.Context(), &team.Lead{Members: c}, g); err != nil {
		t.Fatal(err)
	}
	hold, x := c.hold, make([]float64, g.Len())
	if held, err := do(m, hold); err != nil || held.(*job.Held).Bytes <= 0 {
		t.Errorf("%+v, %v", held, err)
	}
	refuse := func(m *team.Member, b job.Body, words string) {
		t.Helper()
		if answer, err := do(m, b); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%T: %+v, %v, want %q", b, answer, err, words)
		}
	}
	refuse(m, &job.Multiply{Product: "vec", X: x, Cover: hold.Cover}, "epsilon")
	refuse(m, &job.Multiply{Product: "vec", X: x, Epsilon: 1, Cover: hold.Cover + 1}, "cover")
	refuse(m, &job.Tune{Epsilon: -1}, "epsilon")
	if tuned, err := do(m, &job.Tune{Epsilon: 1}); err != nil || tuned.(*job.Tuned).Bytes <= 0 {
		t.Errorf("%+v, %v", tuned, err)
	}
	for _, product := range []string{"vec", "cost", "plan"} {
		refuse(m, &job.Multiply{Product: product, X: x[1:], Epsilon: 1, Cover: hold.Cover}, "values for a kernel")
	}
	refuse(m, &job.Multiply{Product: "cost", X: x, Epsilon: 1, Cover: hold.Cover}, "values for a kernel")
	refuse(m, &job.Multiply{Product: "plan", X: x, Epsilon: 1, Cover: hold.Cover}, "values for a kernel")
	refuse(m, &job.Multiply{Product: "draw", X: x, Y: []float64{-1, 0}, Epsilon: 1, Cover: hold.Cover}, "to draw with")
	refuse(m, &job.Multiply{Product: "cube", X: x, Epsilon: 1, Cover: hold.Cover}, "cube")
	bad := *hold
	bad.Part = 7
	refuse(m, &bad, "shard 7 of 2")
	refuse(m, &job.Multiply{Product: "vec", X: x}, "no part") // the old part is gone
	_, err := do(&team.Member{MemoryLimit: 1000}, hold)
	if refused := (*linop.MemoryError)(nil); !errors.As(err, &refused) {
		t.Errorf("in 1000 bytes: %v", err)
	}
}
