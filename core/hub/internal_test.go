package hub

import (
	"errors"
	"math"
	"testing"

	"genussink/core/graph"
	"genussink/core/hub/cover"
	"genussink/core/hub/label"
	"genussink/core/internal/shared/gengraph"
	"genussink/core/linop"
	"genussink/core/linop/linoptest"
	"genussink/core/septree"
)

// internalCover are the labels and the tiles of a graph, with a delta of a share of the reach.
func internalCover(t *testing.T, g *graph.Graph, o septree.Options, p label.Precision, share float64) (*label.Labels, *cover.Cover) {
	t.Helper()
	tree, err := septree.Split(t.Context(), g, o)
	if err != nil {
		t.Fatal(err)
	}
	l, err := label.Measure(t.Context(), tree, label.MeasureOptions{Precision: p})
	if err != nil {
		t.Fatal(err)
	}
	cov, err := cover.Build(t.Context(), l, cover.Options{Delta: share * l.Reach})
	if err != nil {
		t.Fatal(err)
	}
	return l, cov
}

func kernelAt(t *testing.T, cov *cover.Cover, epsilon float64) *Kernel {
	t.Helper()
	k, err := NewKernel(t.Context(), cov, epsilon)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// Plan costs in logarithms are those of plain factors.
func TestAggregatesCostInLogarithms(t *testing.T) {
	g := gengraph.Grid(t, 34, 30, 0.3, 2)
	l, cov := internalCover(t, g, septree.Options{}, label.Float64, 0.1)
	k := kernelAt(t, cov, l.Reach/5)
	logu, logv := make([]float64, g.Len()), make([]float64, g.Len())
	for i := range logu {
		logu[i], logv[i] = math.Sin(float64(i)), math.Cos(float64(3*i))
	}
	want := linoptest.Must(t, k).PlanCost(logu, logv)
	k.floor = -1e6 // not what plain factors are made for
	if got := linoptest.Must(t, k).PlanCost(logu, logv); math.Abs(got-want) > 1e-12*want {
		t.Errorf("%g, plain %g", got, want)
	}
}

// What Measure, NewKernel and their estimates say is what is held.
func TestBytes(t *testing.T) {
	g := gengraph.Grid(t, 40, 30, 0.3, 11)
	held := func(n *label.Values) (bytes int64) {
		for _, row := range n.Short {
			bytes += 4 * int64(cap(row))
		}
		for _, row := range n.Long {
			bytes += 8 * int64(cap(row))
		}
		return bytes
	}
	type measured struct {
		l   *label.Labels
		cov *cover.Cover
	}
	of := map[label.Precision]measured{}
	for _, p := range []label.Precision{label.Float32, label.Float64} {
		l, cov := internalCover(t, g, septree.Options{Leaf: 8}, p, 0)
		of[p] = measured{l, cov}
	}
	for _, c := range []struct {
		labels, factors label.Precision
		epsilon         float64
	}{{label.Float64, label.Float64, 2}, {label.Float32, label.Float32, 2}, {label.Float32, label.Float64, 0.1}, {label.Float32, label.Float64, 1000}} {
		l, cov := of[c.labels].l, of[c.labels].cov
		k := kernelAt(t, cov, c.epsilon)
		if p := k.factors.Precision(); p != c.factors {
			t.Errorf("%v labels, epsilon %g: factors of %v", c.labels, c.epsilon, p)
		}
		order := int64(4 * (cap(l.Order) + cap(l.Rank) + cap(l.Owner)))
		if got, want := label.Bytes(l.Tree, c.labels), held(&l.Values)+order; got != want {
			t.Errorf("%v labels of %d bytes, %d are held", c.labels, got, want)
		}
		if got, want := l.FactorBytes(c.epsilon), held(&k.factors); got != want {
			t.Errorf("%v factors of %d bytes, %d are held", c.factors, got, want)
		}
		x := make([]float64, g.Len())
		for v := range x {
			x[v] = 1
		}
		once := linoptest.Must(t, k).MulPlan(nil, nil, x, x)
		if k.plan.tileDist.from != nil {
			t.Error("one product of a plan has ordered all distances")
		}
		if again := linoptest.Must(t, k).MulPlan(nil, nil, x, x); again != once { // what it needs counts, too
			t.Errorf("a plan costs %v, %v with distances in order", once, again)
		}
		bytes := int64(0)
		for _, o := range []ordered{k.momentFactors, k.tileFactors, k.plan.tileDist} {
			bytes += int64(8*(cap(o.from)+cap(o.long)) + 4*cap(o.short))
		}
		if got, want := KernelBytes(cov, c.epsilon), l.FactorBytes(c.epsilon)+bytes; got != want {
			t.Errorf("a kernel of %d bytes besides its tiles, %d are held", got, want)
		}
		if got, want := k.Bytes(), label.Bytes(l.Tree, c.labels)+l.FactorBytes(c.epsilon)+cov.Bytes()+bytes; got <= want || got > want+8*4*17*int64(g.Len()+len(cov.Moments)) {
			t.Errorf("a kernel of %d bytes on labels, factors and tiles of %d", got, want)
		}
	}
	tree, err := septree.Split(t.Context(), g, septree.Options{Leaf: 8})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []label.Precision{label.Float32, label.Float64} {
		var refused *linop.MemoryError
		if _, err := label.Measure(t.Context(), tree, label.MeasureOptions{Precision: p, MemoryLimit: label.Bytes(tree, p) - 1}); !errors.As(err, &refused) || refused.Need < label.Bytes(tree, p) {
			t.Errorf("%v, a byte too little: %v", p, err)
		}
	}
}
