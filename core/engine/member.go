package engine

import (
	"errors"
	"fmt"
	"math"

	"genussink/core/graph"
	"genussink/core/hub"
	"genussink/core/hub/cover"
	"genussink/core/hub/label"
	"genussink/core/job"
	"genussink/core/linop"
	"genussink/core/septree"
)

// lined is the part of the tiles held, which anyone may ask for rows at any time.
type lined struct {
	tiles *cover.Cover
	walk  int
}

// part is what this engine does for a lead.
type part struct {
	worker  *label.Worker // nil: none
	tiles   *cover.Cover  // nil: none
	walk    int           // the lead's number for the tiles
	kernel  *hub.Kernel   // of the tiles, nil: none
	epsilon float64       // of the kernel
}

var errNoPart = errors.New("no part of a kernel is held here")

// assist answers a lead. Like a solve it goes alone, but for rows.
func (e *Engine) assist(r *run, body job.Body) (job.Body, error) {
	if b, ok := body.(*job.Multiply); ok && (b.Product == productRow || b.Product == productDistances) {
		return e.line(r, b)
	}
	if err := e.solving.enter(r); err != nil {
		return nil, err
	}
	defer e.solving.leave()
	switch b := body.(type) {
	case *job.Dissect:
		return e.dissect(r, b)
	case *job.Survey:
		return e.survey(b)
	case *job.Rows:
		return e.rows(r, b)
	case *job.Hold:
		return e.hold(r, b)
	case *job.Tune:
		return e.tune(r, b)
	case *job.Multiply:
		return e.multiply(r, b)
	}
	return nil, fmt.Errorf("%T is not for a member", body)
}

// dissect separates a part of a lead's graph.
func (e *Engine) dissect(r *run, b *job.Dissect) (job.Body, error) {
	g, err := graph.FromRows(b.Offsets, b.Targets, b.Weights)
	if err != nil {
		return nil, err
	}
	p := septree.Part{Graph: g, Depth: b.Depth}
	if p.Positions, err = triples(b.Positions); err != nil {
		return nil, fmt.Errorf("positions: %w", err)
	}
	if p.Faces, err = triples(b.Faces); err != nil {
		return nil, fmt.Errorf("faces: %w", err)
	}
	d, err := septree.Dissect(r.ctx, p, septree.Options{Finder: b.Finder, Balance: b.Balance, Depth: b.Levels})
	if err != nil {
		return nil, err
	}
	return (*job.Dissected)(&d), nil
}

// survey takes the graph that rows are asked of.
func (e *Engine) survey(b *job.Survey) (job.Body, error) {
	g, err := graph.FromRows(b.Offsets, b.Targets, b.Weights)
	if err != nil {
		return nil, err
	}
	e.part = part{worker: label.NewWorker(g)}
	e.lined.Store(nil)
	return &job.Surveyed{}, nil
}

// rows computes labels for a lead.
func (e *Engine) rows(r *run, b *job.Rows) (job.Body, error) {
	if e.part.worker == nil {
		return nil, errors.New("no graph is held here")
	}
	rows, err := e.part.worker.Rows(r.ctx, label.Work(*b))
	if err != nil {
		return nil, err
	}
	return &job.Rowed{Distances: rows}, nil
}

// hold finds a part of a lead's tiles and keeps it.
func (e *Engine) hold(r *run, b *job.Hold) (job.Body, error) {
	e.part = part{}
	e.lined.Store(nil)
	labels, err := label.Snapshot{Order: b.Order, Sizes: b.Sizes, Hubs: b.Hubs, Long: b.Distances, Short: b.Short}.Labels()
	if err != nil {
		return nil, err
	}
	need := 2 * label.Bytes(labels.Tree, labels.Precision()) // and the factors
	if need > e.limit {
		return nil, &linop.MemoryError{What: "hub: labels and factors", Vertices: labels.Len(), Need: need, Limit: e.limit}
	}
	tiles, err := cover.Build(r.ctx, labels, cover.Options{
		Delta: b.Delta, Shard: b.Part, Shards: b.Parts, MemoryLimit: max(1, e.limit-need), Progress: r.progress,
	})
	if err != nil {
		return nil, err
	}
	e.part = part{tiles: tiles, walk: b.Walk}
	e.lined.Store(&lined{tiles, b.Walk})
	return &job.Held{Bytes: need/2 + tiles.Bytes()}, nil
}

// tune makes the kernel of the part held.
func (e *Engine) tune(r *run, b *job.Tune) (job.Body, error) {
	k, err := e.part.tuned(r, b.Epsilon)
	if err != nil {
		return nil, err
	}
	return &job.Tuned{Bytes: k.Bytes()}, nil
}

// tuned is the kernel of the part for epsilon: the one at hand or a new one in its place.
func (p *part) tuned(r *run, epsilon float64) (*hub.Kernel, error) {
	if p.tiles == nil {
		return nil, errNoPart
	}
	if p.kernel == nil || p.epsilon != epsilon {
		k, err := hub.NewKernel(r.ctx, p.tiles, epsilon)
		if err != nil {
			return nil, err
		}
		p.kernel, p.epsilon = k, epsilon
	}
	return p.kernel, nil
}

// multiply multiplies with the part held.
func (e *Engine) multiply(r *run, b *job.Multiply) (job.Body, error) {
	if b.Walk != e.part.walk {
		return nil, fmt.Errorf("the part held is of walk %d, not of %d", e.part.walk, b.Walk)
	}
	k, err := e.part.tuned(r, b.Epsilon)
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
	values, err := product(r.ctx, k, nil, question{name: b.Product, x: b.X, y: b.Y})
	if err != nil {
		return nil, err
	}
	return &job.Multiplied{Values: values}, nil
}

// line is a row of the part held, or of its distances.
func (e *Engine) line(r *run, b *job.Multiply) (body job.Body, err error) {
	held := e.lined.Load()
	switch {
	case held == nil:
		return nil, errNoPart
	case b.Walk != held.walk:
		return nil, fmt.Errorf("the part held is of walk %d, not of %d", held.walk, b.Walk)
	case len(b.X) != 1 || !(b.X[0] >= 0 && b.X[0] < float64(held.tiles.Len())) || !(b.Epsilon > 0):
		return nil, fmt.Errorf("a row of %d numbers at epsilon %g", len(b.X), b.Epsilon)
	}
	var values []float64
	if b.Product == productRow {
		values, err = hub.Row(r.ctx, held.tiles, nil, int(b.X[0]), b.Epsilon)
	} else {
		values, err = held.tiles.Distances(r.ctx, nil, int(b.X[0]))
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
