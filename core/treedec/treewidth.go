package treedec

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"genussink/core/graph"
)

// Result is what is known of a graph's treewidth.
type Result struct {
	Decomposition *Decomposition // the narrowest found, clean
	Lower         int            // no decomposition is narrower
	Exact         bool           // the decomposition has width Lower, which is proved
}

// Options governs Treewidth. The zero value asks for the defaults.
type Options struct {
	// Begin makes an elimination order that no rule finds, such as by nested
	// dissection, as soon as there is a first bound. If it ends for a limit of its
	// own, with context.DeadlineExceeded, the search goes on without. nil: none.
	Begin    func(ctx context.Context) ([]int32, error)
	Rounds   int    // of improvement and search, each twice as long as the one before; 0: as many as fit before ctx's deadline, 16 without one, some minutes
	Seed     uint64 // of the improvement
	Progress func(stage string, fraction float64)
	Improved func(Result) // told of every better bound when it is found; nil: nobody
}

const (
	defaultRounds = 16
	maxRounds     = 40
	firstSteps    = 1 << 18 // of the first round, some nanoseconds each
	maxExact      = 4096    // vertices of a part whose treewidth is searched for
)

// Treewidth bounds the treewidth from both sides. It goes on until the bounds meet, the rounds are over or ctx ends.
//
// The graph is reduced, and cut into parts where that is safe. Elimination orders bound the parts from above, degeneracy and MMD+ from
// below. Then there are rounds. In a round the orders of the widest parts are made anew around their widest bags, and an exact search
// asks whether a part has a decomposition as narrow as the lower bound.
//
// When ctx ends the best so far is returned, with ctx's error. There is none only if the first elimination order was not finished.
func Treewidth(ctx context.Context, g *graph.Graph, o Options) (Result, error) {
	if o.Progress == nil {
		o.Progress = func(string, float64) {}
	}
	if o.Improved == nil {
		o.Improved = func(Result) {}
	}
	if o.Rounds < 0 || o.Rounds > maxRounds {
		return Result{}, fmt.Errorf("treedec: %d rounds, want 0 to %d", o.Rounds, maxRounds)
	}
	if o.Rounds == 0 {
		o.Rounds = defaultRounds
		if _, limited := ctx.Deadline(); limited {
			o.Rounds = maxRounds
		}
	}
	t := bounds{g: g, root: &piece{Graph: g}, random: rand.New(rand.NewPCG(o.Seed, 2)), progress: o.Progress, improved: o.Improved}
	t.best.Lower = -1
	err := t.run(ctx, o)
	t.settle()
	return t.best, err
}

// bounds is the state of Treewidth.
type bounds struct {
	g        *graph.Graph
	root     *piece
	best     Result
	searched *piece // last
	random   *rand.Rand
	progress func(stage string, fraction float64)
	told     Result
	improved func(Result)
}

func (t *bounds) run(ctx context.Context, o Options) error {
	// The first bounds come before the reductions, which take long on large graphs.
	order, err := Order(ctx, t.g, MinDegree, 0)
	if err == nil {
		if t.g.Len() > 0 {
			t.best.Lower = Degeneracy(t.g)
		}
		err = t.keep(order)
	}
	if err != nil {
		return err
	}
	var begun []int32 // positions in the order to begin with
	if o.Begin != nil {
		t.progress("first orders", 0)
		order, err := o.Begin(ctx)
		switch {
		case errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
		case err != nil:
			return err
		default:
			if err := t.keep(order); err != nil {
				return err
			}
			begun = positions(order)
		}
	}
	t.progress("reductions", 0)
	if t.g.Len() > 0 {
		t.best.Lower = max(t.best.Lower, MinorMinWidth(t.g))
	}
	if err := t.root.grow(ctx, &t.best.Lower, true); err != nil {
		return err
	}
	rules := []Rule{MinDegree, Sweep, MinFill}
	for i, rule := range rules {
		t.progress("elimination orders", float64(i)/float64(len(rules)))
		for _, p := range t.open() {
			order, err := Order(ctx, p.Graph, rule, 0)
			if err == nil {
				err = p.offer(order)
			}
			if err != nil {
				return err
			}
		}
		if err := t.compose(); err != nil {
			return err
		}
	}
	if begun != nil {
		for _, p := range t.open() {
			if err := p.offer(restrict(begun, p.whole)); err != nil {
				return err
			}
		}
	}
	for round := 0; round < o.Rounds && !t.best.Exact; round++ {
		t.progress("improvement and exact search", float64(round)/float64(o.Rounds))
		if err := t.improve(ctx, firstSteps<<round); err != nil {
			return err
		}
		search := firstSteps << round
		if farFrom(t.best.Lower, t.best.Decomposition.Width()) {
			search /= 8
		}
		if err := t.prove(ctx, search); err != nil {
			return err
		}
	}
	return nil
}

// keep takes an order of the whole graph if it is the best.
func (t *bounds) keep(order []int32) error {
	limit := t.g.Len()
	if t.best.Decomposition != nil {
		limit = t.best.Decomposition.Width() - 1
	}
	d, err := fromOrder(t.g, order, limit)
	if err == nil {
		t.best.Decomposition, err = d.Clean()
	}
	if err != nil && !errors.Is(err, ErrWide) {
		return err
	}
	t.settle()
	return nil
}

// settle tells of bounds that are better than when it last did.
func (t *bounds) settle() {
	if t.best.Decomposition == nil {
		return
	}
	t.best.Exact = t.best.Decomposition.Width() == t.best.Lower
	if t.best != t.told {
		t.told = t.best
		t.improved(t.best)
	}
}

// compose keeps the order that the parts make.
func (t *bounds) compose() error {
	order, err := t.root.elimination()
	if err != nil {
		return err
	}
	return t.keep(order)
}

// open are the parts that keep the bounds from meeting, the widest first.
func (t *bounds) open() (parts []*piece) {
	t.root.leaves(func(p *piece) {
		if p.decomposition == nil || p.width > t.best.Lower {
			parts = append(parts, p)
		}
	})
	slices.SortStableFunc(parts, func(a, b *piece) int { return cmp.Compare(b.width, a.width) })
	return parts
}

// improve spends the steps on the widest parts.
func (t *bounds) improve(ctx context.Context, steps int) error {
	parts := t.open()
	for len(parts) > 0 && parts[len(parts)-1].width < parts[0].width {
		parts = parts[:len(parts)-1]
	}
	for _, p := range parts {
		for left := steps / len(parts); left > 0 && p.width > t.best.Lower; {
			var err error
			if left, err = p.improve(ctx, left, t.random); err != nil {
				return errors.Join(err, t.compose())
			}
			if err := t.compose(); err != nil {
				return err
			}
		}
	}
	return nil
}

// prove spends the steps on the question whether the parts have decompositions
// as narrow as the lower bound, which rises with every no.
func (t *bounds) prove(ctx context.Context, steps int) error {
	parts := t.open()
	if i := slices.Index(parts, t.searched); i > 0 {
		parts[0], parts[i] = parts[i], parts[0] // one search at a time is kept
	}
	for _, p := range parts {
		for p.width > t.best.Lower && !p.full && p.Len() <= maxExact {
			if p.search == nil || p.search.width != t.best.Lower {
				if t.searched != nil {
					t.searched.search = nil
				}
				p.search, t.searched = newSearch(p.Graph, t.best.Lower), p
			}
			d, err := p.search.run(ctx, steps)
			switch {
			case errors.Is(err, errPaused):
				return nil
			case errors.Is(err, errFull):
				p.full, p.search = true, nil
				continue
			case err != nil:
				return err
			}
			p.search = nil
			if d == nil {
				t.best.Lower++
				if t.settle(); t.best.Exact {
					return nil
				}
				continue
			}
			order, err := d.Order()
			if err == nil {
				err = p.offer(order)
			}
			if err == nil {
				err = t.compose()
			}
			if err != nil {
				return err
			}
		}
	}
	// What the higher bound allows now.
	for _, p := range t.open() {
		if err := p.grow(ctx, &t.best.Lower, false); err != nil {
			return err
		}
	}
	return t.compose()
}

// piece is a graph with a way to eliminate it: first some vertices, then part
// after part, of each part all but the clique that it shares with later ones. A
// leaf has an order instead.
type piece struct {
	*graph.Graph
	whole    []int32 // its vertices' numbers in the whole graph, nil: the same
	vertices []int32 // and in the piece above
	clique   []int32
	prefix   []int32
	parts    []*piece
	cut      bool // no leaf

	order         []int32
	decomposition *Decomposition // of the order, bag by bag
	width, wide   int            // of that, and the bags of that width
	search        *search
	full          bool // the search was too large
}

// grow reduces the leaf and, if it is new or the reduction found something,
// cuts what is left.
func (p *piece) grow(ctx context.Context, lower *int, fresh bool) error {
	r, prefix, err := reduce(ctx, p.Graph, lower)
	if err != nil || len(prefix) == 0 && !fresh {
		return err
	}
	list, err := atoms(ctx, r.Graph)
	if err != nil {
		return err
	}
	var parts []*piece
	for _, a := range list {
		part := &piece{Graph: a.Graph, vertices: pick(r.vertices, a.vertices), clique: a.clique}
		part.whole = part.vertices
		if p.whole != nil {
			part.whole = pick(p.whole, part.vertices)
		}
		if p.order != nil {
			if err := part.offer(restrict(positions(p.order), part.vertices)); err != nil {
				return err
			}
		}
		*lower = max(*lower, Degeneracy(part.Graph), MinorMinWidth(part.Graph))
		if len(list) > 1 {
			if err := part.grow(ctx, lower, false); err != nil {
				return err
			}
		}
		parts = append(parts, part)
	}
	p.prefix, p.parts, p.cut = prefix, parts, true
	p.order, p.decomposition, p.search = nil, nil, nil
	return nil
}

func pick(from, positions []int32) []int32 {
	out := make([]int32, len(positions))
	for i, k := range positions {
		out[i] = from[k]
	}
	return out
}

// positions inverts an order.
func positions(order []int32) []int32 {
	position := make([]int32, len(order))
	for i, v := range order {
		position[v] = int32(i)
	}
	return position
}

// restrict is the order of some vertices, numbered as they are listed, in which
// they come in a larger one.
func restrict(position, vertices []int32) []int32 {
	order := make([]int32, len(vertices))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int { return cmp.Compare(position[vertices[a]], position[vertices[b]]) })
	return order
}

func (p *piece) leaves(visit func(*piece)) {
	if !p.cut {
		visit(p)
	}
	for _, part := range p.parts {
		part.leaves(visit)
	}
}

// offer takes an order that is no worse than what the leaf has: narrower, or as
// wide with at most as many of the widest bags.
func (p *piece) offer(order []int32) error {
	limit := p.Len()
	if p.decomposition != nil {
		limit = p.width
	}
	d, err := fromOrder(p.Graph, order, limit)
	if errors.Is(err, ErrWide) {
		return nil
	}
	if err != nil {
		return err
	}
	width, wide := d.widest()
	if p.decomposition == nil || width < p.width || wide <= p.wide {
		p.order, p.decomposition, p.width, p.wide = order, d, width, wide
	}
	return nil
}

// widest returns the width and the number of bags that have it.
func (d *Decomposition) widest() (width, bags int) {
	width = d.Width()
	for _, b := range d.Bags {
		if len(b) == width+1 {
			bags++
		}
	}
	return width, bags
}

// elimination is the order of all vertices.
func (p *piece) elimination() ([]int32, error) {
	if !p.cut {
		return p.order, nil
	}
	order := slices.Clone(p.prefix)
	for _, part := range p.parts {
		of, err := part.elimination()
		if err == nil {
			of, err = endingWith(part.Graph, of, part.clique)
		}
		if err != nil {
			return nil, err
		}
		order = append(order, pick(part.vertices, of)...)
	}
	return order, nil
}

// endingWith turns an order into one as good that would end with the clique,
// and leaves that end away. The bag of the clique's first vertex holds all of
// it, so it is made the root.
func endingWith(g *graph.Graph, order, clique []int32) ([]int32, error) {
	if len(clique) == 0 {
		return order, nil
	}
	position := positions(order)
	root := position[clique[0]]
	for _, v := range clique {
		root = min(root, position[v])
	}
	d, err := FromOrder(g, order)
	if err != nil {
		return nil, err
	}
	if order, err = d.OrderTo(int(root)); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(order, func(v int32) bool { return contains(clique, v) }), nil
}
