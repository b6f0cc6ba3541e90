package team

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync/atomic"

	"genussink/core/graph"
	"genussink/core/hub"
	"genussink/core/hub/cover"
	"genussink/core/hub/label"
	"genussink/core/job"
	"genussink/core/linop"
	"genussink/core/septree"
)

// held is the part of a lead's cover that is held.
type held struct {
	cover  *cover.Cover
	number int // the lead's, of the cover
}

// of refuses a request for another part than the one held.
func (h *held) of(b *job.Multiply) error {
	switch {
	case h == nil:
		return errNoPart
	case b.Cover != h.number:
		return fmt.Errorf("the part held is of cover %d, not of %d", h.number, b.Cover)
	}
	return nil
}

// part is what a member does for a lead.
type part struct {
	held    *held       // nil: none
	kernel  *hub.Kernel // of the cover held, nil: none
	epsilon float64     // of the kernel
}

// Member does its part for a lead. Do is called once at a time.
type Member struct {
	MemoryLimit int64 // bytes that it may hold

	part part
	held atomic.Pointer[held] // that of part, which anyone may ask for rows at any time
}

var errNoPart = errors.New("no part of a kernel is held here")

// Beside says whether a request of a lead may be done beside others, by Row: it asks for a row.
func Beside(body job.Body) (*job.Multiply, bool) {
	b, ok := body.(*job.Multiply)
	return b, ok && (b.Product == productRow || b.Product == productDistances)
}

// Do answers a lead.
func (m *Member) Do(ctx context.Context, body job.Body, progress func(stage string, fraction float64)) (job.Body, error) {
	switch b := body.(type) {
	case *job.Dissect:
		return dissect(ctx, b)
	case *job.Hold:
		return m.hold(ctx, b, progress)
	case *job.Tune:
		return m.tune(ctx, b)
	case *job.Multiply:
		return m.multiply(ctx, b)
	}
	return nil, fmt.Errorf("%T is not for a member", body)
}

// dissect separates a part of a lead's graph.
func dissect(ctx context.Context, b *job.Dissect) (job.Body, error) {
	g, err := graph.FromRows(b.Offsets, b.Targets, b.Weights)
	if err != nil {
		return nil, err
	}
	p := septree.Part{Graph: g, Depth: b.Depth}
	if p.Positions, err = job.Triples(b.Positions); err != nil {
		return nil, fmt.Errorf("positions: %w", err)
	}
	if p.Faces, err = job.Triples(b.Faces); err != nil {
		return nil, fmt.Errorf("faces: %w", err)
	}
	d, err := septree.Dissect(ctx, p, septree.Options{Finder: b.Finder, Balance: b.Balance, Depth: b.Levels})
	if err != nil {
		return nil, err
	}
	return (*job.Dissected)(&d), nil
}

// hold builds a part of a lead's cover and keeps it.
func (m *Member) hold(ctx context.Context, b *job.Hold, progress func(string, float64)) (job.Body, error) {
	m.part = part{}
	m.held.Store(nil)
	labels, err := label.Snapshot{Order: b.Order, Sizes: b.Sizes, Hubs: b.Hubs, Long: b.Distances, Short: b.Short}.Labels()
	if err != nil {
		return nil, err
	}
	if labels.Graph, err = graph.FromRows(b.Offsets, b.Targets, b.Weights); err != nil {
		return nil, err
	}
	if labels.Graph.Len() != labels.Len() {
		return nil, fmt.Errorf("labels of %d vertices for a graph of %d", labels.Len(), labels.Graph.Len())
	}
	need := 2 * label.Bytes(labels.Tree, labels.Precision()) // and the factors
	if need > m.MemoryLimit {
		return nil, &linop.MemoryError{What: "hub: labels and factors", Vertices: labels.Len(), Need: need, Limit: m.MemoryLimit}
	}
	c, err := cover.Build(ctx, labels, cover.Options{
		Delta: b.Delta, Shard: b.Part, Shards: b.Parts, MemoryLimit: max(1, m.MemoryLimit-need), Progress: progress,
	})
	if err != nil {
		return nil, err
	}
	m.part = part{held: &held{c, b.Cover}}
	m.held.Store(m.part.held)
	return &job.Held{Bytes: need/2 + c.Bytes()}, nil
}

// tune makes the kernel of the part held.
func (m *Member) tune(ctx context.Context, b *job.Tune) (job.Body, error) {
	k, err := m.part.tuned(ctx, b.Epsilon)
	if err != nil {
		return nil, err
	}
	return &job.Tuned{Bytes: k.Bytes()}, nil
}

// tuned is the kernel of the part for epsilon: the one at hand or a new one in its place.
func (p *part) tuned(ctx context.Context, epsilon float64) (*hub.Kernel, error) {
	if p.held == nil {
		return nil, errNoPart
	}
	if p.kernel == nil || p.epsilon != epsilon {
		k, err := hub.NewKernel(ctx, p.held.cover, epsilon)
		if err != nil {
			return nil, err
		}
		p.kernel, p.epsilon = k, epsilon
	}
	return p.kernel, nil
}

// multiply multiplies with the part held.
func (m *Member) multiply(ctx context.Context, b *job.Multiply) (job.Body, error) {
	if err := m.part.held.of(b); err != nil {
		return nil, err
	}
	k, err := m.part.tuned(ctx, b.Epsilon)
	if err != nil {
		return nil, err
	}
	n, _ := k.Dims()
	if len(b.X) != n || (b.Product == productCost || b.Product == productPlan) && len(b.Y) != n {
		return nil, fmt.Errorf("vectors of %d and %d values for a kernel of %d vertices", len(b.X), len(b.Y), n)
	}
	draws := b.Product == productDraw || b.Product == productLogDraw
	if draws {
		if err := checkDraws(b.Y, n); err != nil {
			return nil, err
		}
	}
	if draws {
		k.Forget()
	}
	values, err := product(ctx, k, nil, question{name: b.Product, x: b.X, y: b.Y})
	if err != nil {
		return nil, err
	}
	return &job.Multiplied{Values: values}, nil
}

// Row is a row of the part held, or of its distances. Safe for concurrent use.
func (m *Member) Row(ctx context.Context, b *job.Multiply) (body job.Body, err error) {
	h := m.held.Load()
	if err := h.of(b); err != nil {
		return nil, err
	}
	if len(b.X) != 1 || !(b.X[0] >= 0 && b.X[0] < float64(h.cover.Len())) || !(b.Epsilon > 0) {
		return nil, fmt.Errorf("a row of %d numbers at epsilon %g", len(b.X), b.Epsilon)
	}
	var values []float64
	if b.Product == productRow {
		values, err = hub.Row(ctx, h.cover, nil, int(b.X[0]), b.Epsilon)
	} else {
		values, err = h.cover.Distances(ctx, nil, int(b.X[0]))
	}
	if err != nil {
		return nil, err
	}
	return &job.Multiplied{Values: values}, nil
}

// checkDraws refuses what Draw cannot be asked, source and number in turns.
func checkDraws(asked []float64, n int) error {
	for a, v := range asked {
		if a%2 == 0 && !(v >= 0 && v < float64(n) && v == math.Floor(v)) || a%2 == 1 && !(v >= 0 && v < 1) || len(asked)%2 == 1 {
			return fmt.Errorf("number %d of %d to draw with is %g", a, len(asked), v)
		}
	}
	return nil
}
