package engine

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"

	"genussink/core/hub"
	"genussink/core/hub/label"
	"genussink/core/internal/exponential"
	"genussink/core/job"
	"genussink/core/linop"
	"genussink/core/narrow"
	"genussink/core/septree"
)

// Team is engines elsewhere, each answering as Engine.Run does, that a lead
// shares its trees and its kernels with. They are members 0 to Size()-1.
type Team interface {
	Size() int
	// Call has a member do a request and returns its final event. A member that
	// cannot be reached is an error; one that failed may be either, an error or
	// Failed. When ctx ends Call returns and tells the member to stop. Safe
	// for concurrent use, also with the same member.
	Call(ctx context.Context, member int, request job.Body) (job.Body, error)
}

// teamVertices is the least mesh that is shared: below it a tree and a kernel
// take less time than the messages about them.
const teamVertices = 1000

// call asks a member and expects an answer of one type.
func call[Answer job.Body](ctx context.Context, t Team, member int, request job.Body) (answer Answer, err error) {
	final, err := t.Call(ctx, member, request)
	if err != nil {
		return answer, err
	}
	switch b := final.(type) {
	case Answer:
		return b, nil
	case *job.Failed:
		return answer, fmt.Errorf("%s", b.Message)
	}
	return answer, fmt.Errorf("member %d answers %T with %T", member, request, final)
}

// shared offers the parts of a graph of n vertices to the members.
func (e *Engine) shared(r *run, n int, o septree.Options) septree.Options {
	if e.team == nil || n < teamVertices {
		return o
	}
	o.Helpers = e.team.Size()
	o.Elsewhere = func(member int, p septree.Part) septree.Dissection {
		d, err := call[*job.Dissected](r.ctx, e.team, member, &job.Dissect{
			Offsets: p.Graph.Offsets, Targets: p.Graph.Targets, Weights: p.Graph.Weights, Positions: flat(p.Positions), Faces: flat(p.Faces),
			Finder: o.Finder, Balance: o.Balance, Levels: o.Depth, Depth: p.Depth,
		})
		if err != nil {
			if r.ctx.Err() == nil {
				e.logf("engine: member %d does not separate its part, the lead does: %v", member, err)
			}
			return septree.Dissection{}
		}
		return septree.Dissection(*d)
	}
	return o
}

// delegate offers the labels of a tree to the members.
func (e *Engine) delegate(r *run, t *septree.Tree, o *label.MeasureOptions) {
	if e.team == nil || t.Len() < teamVertices {
		return
	}
	g := t.Graph
	size := e.team.Size()
	survey := make([]func() error, size) // by member: hands it the graph, once
	for m := range survey {
		survey[m] = sync.OnceValue(func() error {
			_, err := call[*job.Surveyed](r.ctx, e.team, m, &job.Survey{Offsets: g.Offsets, Targets: g.Targets, Weights: g.Weights})
			return err
		})
		go func() { _ = survey[m]() }() // at once: rows can be asked of it only then
	}
	runtime.Gosched() // where there is one thread the messages must leave before it is taken
	o.Helpers = size
	o.Elsewhere = func(member int, w label.Work) []float64 {
		err := survey[member]()
		if err == nil {
			var rowed *job.Rowed
			rowed, err = call[*job.Rowed](r.ctx, e.team, member, (*job.Rows)(&w))
			if err == nil {
				return rowed.Distances
			}
		}
		if r.ctx.Err() == nil {
			e.logf("engine: member %d does not compute labels, the lead does: %v", member, err)
		}
		return nil
	}
}

// walk is the tiles of a tree in parts: part 0 is the lead's own, part m+1
// member m's, until that fails and the lead takes it over.
type walk struct {
	e      *Engine
	labels *label.Labels
	delta  float64
	number int          // of this walk among the engine's, so that members know what they hold
	limit  int64        // bytes, of the lead's parts together
	own    []*hub.Tiles // by part: the lead's, nil while it is the member's
	took   job.Timing
}

// members is how many hold a part.
func (w *walk) members() (count int) {
	for _, t := range w.own {
		if t == nil {
			count++
		}
	}
	return count
}

// walk finds the tiles, with the team where the mesh is large enough. Epsilon is
// that of the first kernel.
func (e *Engine) walk(r *run, l *label.Labels, delta, epsilon float64, limit int64) (*walk, error) {
	defer r.begin("tiles")()
	parts := 1
	if e.team != nil && l.Len() >= teamVertices {
		parts += e.team.Size()
	}
	e.walks++
	rest := label.Bytes(l.Tree, l.Precision()) + l.FactorBytes(epsilon)
	w := &walk{e: e, labels: l, delta: delta, number: e.walks, limit: max(1, limit-rest), own: make([]*hub.Tiles, parts)}
	errs := make([]error, parts)
	var wait sync.WaitGroup
	if parts > 1 {
		f := l.Snapshot()
		for p := 1; p < parts; p++ {
			wait.Go(func() {
				_, errs[p] = call[*job.Held](r.ctx, e.team, p-1, &job.Hold{
					Order: f.Order, Sizes: f.Sizes, Hubs: f.Hubs, Distances: f.Long, Short: f.Short, Delta: delta, Part: p, Parts: parts, Walk: w.number,
				})
			})
		}
		runtime.Gosched() // as in delegate
	}
	err := w.find(r, 0, r.progress)
	wait.Wait()
	for p := 1; p < parts && err == nil; p++ {
		if errs[p] != nil {
			err = w.take(r, p, errs[p])
		}
	}
	if refused := (*linop.MemoryError)(nil); errors.As(err, &refused) {
		refused.Need, refused.Limit = refused.Need+rest, limit // what the whole would need
	}
	if err != nil {
		return nil, err
	}
	return w, nil
}

// find makes a part the lead's.
func (w *walk) find(r *run, part int, progress func(string, float64)) error {
	held := int64(0)
	for _, t := range w.own {
		if t != nil {
			held += t.Bytes()
		}
	}
	t, err := hub.Walk(r.ctx, w.labels, hub.WalkOptions{
		Delta: w.delta, Part: part, Parts: len(w.own), MemoryLimit: max(1, w.limit-held), Progress: progress,
	})
	w.own[part] = t
	return err
}

// take makes a member's part the lead's.
func (w *walk) take(r *run, part int, why error) error {
	if err := r.ctx.Err(); err != nil {
		return err
	}
	w.e.logf("engine: member %d does not do its part of the kernel, the lead does: %v", part-1, why)
	return w.find(r, part, nil)
}

// crosses is how the walk's kernels multiply, zero where members hold parts.
func (w *walk) crosses() job.Crosses {
	if len(w.own) > 1 {
		return job.Crosses{}
	}
	c := w.own[0].Crosses()
	return job.Crosses{Single: c.Single, Range: c.Range, Walk: c.Walk, Leaves: c.Leaves}
}

// fits is the error of one more kernel that takes more than the limit. What it shares with one at hand
// counts already; nil: there is none.
func (w *walk) fits(epsilon float64, limit int64, other *kernel) error {
	need, shared := int64(0), label.Bytes(w.labels.Tree, w.labels.Precision())
	for _, t := range w.own {
		if t != nil {
			need, shared = need+t.KernelBytes(epsilon), shared+t.Bytes()
		}
	}
	if other != nil {
		if k, ok := other.Kernel.(*teamKernel); ok && k.walk == w {
			shared = 0
		}
	}
	need += shared
	if need > limit {
		return &linop.MemoryError{What: "hub: kernel", Vertices: w.labels.Len(), Need: need, Limit: limit}
	}
	return nil
}

// kernel makes the kernel of the tiles, every part where it is held.
func (w *walk) kernel(r *run, epsilon float64) (*teamKernel, error) {
	k := &teamKernel{walk: w, epsilon: epsilon, own: make([]*hub.Kernel, len(w.own)), r: r}
	errs, bytes := make([]error, len(w.own)), make([]int64, len(w.own))
	var wait sync.WaitGroup
	for p, t := range w.own {
		if t == nil {
			wait.Go(func() {
				tuned, err := call[*job.Tuned](r.ctx, w.e.team, p-1, &job.Tune{Epsilon: epsilon})
				if errs[p] = err; err == nil {
					bytes[p] = tuned.Bytes
				}
			})
		}
	}
	runtime.Gosched() // as in delegate
	var err error
	for p, t := range w.own {
		if t != nil && err == nil {
			k.own[p], err = hub.NewKernel(r.ctx, t, epsilon)
		}
	}
	wait.Wait()
	for p, why := range errs {
		if why != nil && err == nil {
			err = k.take(p, why)
		}
	}
	if err != nil {
		return nil, err
	}
	k.Kernel = k.own[0]
	for p, own := range k.own {
		if own != nil {
			bytes[p] = own.Bytes()
		}
		k.bytes += bytes[p]
	}
	return k, nil
}

// teamKernel is a kernel in parts, whose products are added. It serves one
// request at a time, which it is told by use.
type teamKernel struct {
	linop.Kernel // part 0; dimensions, distances and the floor are the whole one's
	walk         *walk
	epsilon      float64
	own          []*hub.Kernel // by part: the lead's, nil while it is the member's
	mu           sync.Mutex    // of own
	bytes        int64

	r    *run
	err  error // that some part could not be had at all
	last struct {
		product string
		x       []float64
		shares  [][]float64
	} // the product that Draw draws from
}

// parts are the lead's, as they are now.
func (k *teamKernel) parts() []*hub.Kernel {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Clone(k.own)
}

// take makes a member's part the lead's, tiles and kernel.
func (k *teamKernel) take(part int, why error) error {
	if k.walk.own[part] == nil {
		if err := k.walk.take(k.r, part, why); err != nil {
			return err
		}
	}
	own, err := hub.NewKernel(k.r.ctx, k.walk.own[part], k.epsilon)
	k.mu.Lock()
	k.own[part] = own
	k.mu.Unlock()
	return err
}

// products returns every part's share of a product. When the context ends or
// a part cannot be had it returns nil.
func (k *teamKernel) products(name string, x, y []float64, size int, product func(*hub.Kernel) []float64) [][]float64 {
	return k.each(name, x, func(int) []float64 { return y }, func(int) int { return size }, func(_ int, own *hub.Kernel) []float64 { return product(own) })
}

// each is products, of a y and a size for every part.
func (k *teamKernel) each(name string, x []float64, y func(part int) []float64, size func(part int) int, product func(part int, own *hub.Kernel) []float64) [][]float64 {
	k.last.shares = nil
	if k.err != nil {
		return nil
	}
	shares, errs := k.shares(k.r.ctx, name, x, y, size, func(part int, own *hub.Kernel) []float64 {
		own.Under(k.r.ctx)
		return product(part, own)
	})
	for p, why := range errs {
		if why == nil {
			continue
		}
		if err := k.take(p, why); err != nil {
			if k.r.ctx.Err() == nil {
				k.err = err
			}
			return nil
		}
		shares[p] = product(p, k.own[p])
	}
	return shares
}

// shares returns every part's share of a product, or why there is none. A part of which nothing is asked, size 0, has none.
func (k *teamKernel) shares(ctx context.Context, name string, x []float64, y func(part int) []float64, size func(part int) int, product func(part int, own *hub.Kernel) []float64) (shares [][]float64, errs []error) {
	parts := k.parts()
	shares, errs = make([][]float64, len(parts)), make([]error, len(parts))
	var wait sync.WaitGroup
	for p, own := range parts {
		if own == nil && size(p) > 0 {
			wait.Go(func() {
				answer, err := call[*job.Multiplied](ctx, k.walk.e.team, p-1, &job.Multiply{Product: name, Epsilon: k.epsilon, Walk: k.walk.number, X: x, Y: y(p)})
				if err == nil && len(answer.Values) != size(p) {
					err = fmt.Errorf("%d values for %d", len(answer.Values), size(p))
				}
				if errs[p] = err; err == nil {
					shares[p] = answer.Values
				}
			})
		}
	}
	runtime.Gosched() // as in delegate
	for p, own := range parts {
		if own != nil && size(p) > 0 {
			shares[p] = product(p, own)
		}
	}
	wait.Wait()
	return shares, errs
}

// The names of products in job.Multiply.
const (
	productVec  = "vec"
	productLog  = "log"
	productCost = "cost"
	productPlan = "plan" // both products, then the cost

	productRow       = "row"       // of the kernel
	productDistances = "distances" // a row of these
	productDraw      = "draw"      // of a plain product
	productLogDraw   = "logdraw"   // of one in logarithms
)

// mulPlan is productPlan.
func mulPlan(k linop.Kernel, u, v []float64) []float64 {
	n := len(u)
	y := make([]float64, 2*n+1)
	y[2*n] = linop.MulPlan(k, y[:n:n], y[n:2*n:2*n], u, v)
	return y
}

// addUp sets dst to the sum of all shares.
func addUp(dst []float64, shares [][]float64) {
	clear(dst)
	for _, s := range shares {
		for i, v := range s {
			dst[i] += v
		}
	}
}

func (k *teamKernel) MulVec(dst, x []float64) []float64 {
	if dst == nil {
		dst = make([]float64, len(x))
	}
	shares := k.products(productVec, x, nil, len(x), func(p *hub.Kernel) []float64 { return p.MulVec(nil, x) })
	addUp(dst, shares)
	k.last.product, k.last.x, k.last.shares = productDraw, x, shares
	return dst
}

func (k *teamKernel) MulVecT(dst, x []float64) []float64 { return k.MulVec(dst, x) }

func (k *teamKernel) LogMulVec(dst, x []float64) []float64 {
	if dst == nil {
		dst = make([]float64, len(x))
	}
	shares := k.products(productLog, x, nil, len(x), func(p *hub.Kernel) []float64 { return p.LogMulVec(nil, x) })
	k.last.product, k.last.x, k.last.shares = productLogDraw, x, shares
	for i := range dst {
		top, sum := math.Inf(-1), 0.0
		for _, s := range shares {
			top = max(top, s[i])
		}
		if !math.IsInf(top, -1) {
			for _, s := range shares {
				sum += exponential.Exp(s[i] - top)
			}
		}
		dst[i] = top + math.Log(sum)
	}
	return dst
}

func (k *teamKernel) PlanCost(logu, logv []float64) float64 {
	shares := k.products(productCost, logu, logv, 1, func(p *hub.Kernel) []float64 {
		return []float64{p.PlanCost(logu, logv)}
	})
	var cost [1]float64
	addUp(cost[:], shares)
	return cost[0]
}

// MulPlan is linop.MulPlan.
func (k *teamKernel) MulPlan(ku, kv, u, v []float64) float64 {
	n := len(u)
	sum := make([]float64, 2*n+1)
	addUp(sum, k.products(productPlan, u, v, len(sum), func(p *hub.Kernel) []float64 { return mulPlan(p, u, v) }))
	copy(ku, sum[:n])
	copy(kv, sum[n:2*n])
	return sum[2*n]
}

// Row is linop.Row.
func (k *teamKernel) Row(dst []float64, i int) []float64 {
	n, _ := k.Dims()
	return together(productRow, dst, k.products(productRow, []float64{float64(i)}, nil, n, func(p *hub.Kernel) []float64 { return p.Row(nil, i) }), n)
}

// Distances fills dst with a row of the distances that the parts multiply with.
func (k *teamKernel) Distances(dst []float64, i int) []float64 {
	n, _ := k.Dims()
	return together(productDistances, dst, k.products(productDistances, []float64{float64(i)}, nil, n, func(p *hub.Kernel) []float64 { return p.Distances(nil, i) }), n)
}

// together sets dst to a row of which each part has some.
func together(product string, dst []float64, shares [][]float64, n int) []float64 {
	if dst == nil {
		dst = make([]float64, n)
	}
	if product == productRow {
		addUp(dst, shares)
		return dst
	}
	for j := range dst {
		dst[j] = math.Inf(1)
		for _, s := range shares {
			dst[j] = min(dst[j], s[j])
		}
	}
	return dst
}

// line is a row of the kernel or of its distances, beside whatever else the kernel does. A part that cannot be had
// is an error: it is left to those who have the kernel to themselves to make it the lead's.
func (k *teamKernel) line(ctx context.Context, product string, dst []float64, i int) ([]float64, error) {
	n, _ := k.Dims()
	shares, errs := k.shares(ctx, product, []float64{float64(i)}, func(int) []float64 { return nil }, func(int) int { return n }, func(_ int, own *hub.Kernel) []float64 {
		if product == productRow {
			return own.Row(nil, i)
		}
		return own.Distances(nil, i)
	})
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return together(product, dst, shares, n), nil
}

// Draw is linop.Draw: of the parts, each of which brings its share of a row, one is drawn, and that draws the target.
func (k *teamKernel) Draw(sources []int32, u []float64) (targets []int32, dist []float64) {
	last := k.last
	if last.shares == nil {
		return nil, nil
	}
	log := last.product == productLogDraw
	asked, numbers := make([][]float64, len(last.shares)), make([][]int, len(last.shares)) // by part
	for n, i := range sources {
		masses, total, top := make([]float64, len(last.shares)), 0.0, math.Inf(-1)
		for p := range masses {
			masses[p] = last.shares[p][i]
			top = max(top, masses[p])
		}
		for p, m := range masses {
			if log {
				if masses[p] = 0; m > math.Inf(-1) {
					masses[p] = exponential.Exp(m - top)
				}
			}
			total += masses[p]
		}
		left, at, share := u[n]*total, -1, 0.0
		for p, m := range masses {
			if m > 0 && left >= 0 {
				at, share = p, left/m
				left -= m
			}
		}
		if at >= 0 {
			asked[at] = append(asked[at], float64(i), min(share, math.Nextafter(1, 0)))
			numbers[at] = append(numbers[at], n)
		}
	}
	answers := k.each(last.product, last.x, func(p int) []float64 { return asked[p] }, func(p int) int { return len(asked[p]) }, func(p int, own *hub.Kernel) []float64 {
		return drawn(own, last.product, last.x, asked[p])
	})
	targets, dist = make([]int32, len(sources)), make([]float64, len(sources))
	for n := range targets {
		targets[n] = -1
	}
	for p, answer := range answers {
		for a, n := range numbers[p] {
			targets[n], dist[n] = int32(answer[2*a]), answer[2*a+1]
		}
	}
	return targets, dist
}

// drawn are a part's answers to Draw, target and distance in turns, for source and number in turns. The product
// is made anew unless it is the part's last.
func drawn(k *hub.Kernel, product string, x, asked []float64) (answers []float64) {
	sources, u := make([]int32, len(asked)/2), make([]float64, len(asked)/2)
	for n := range sources {
		sources[n], u[n] = int32(asked[2*n]), asked[2*n+1]
	}
	targets, dist := k.Draw(sources, u)
	if targets == nil {
		if product == productDraw {
			k.MulVec(nil, x)
		} else {
			k.LogMulVec(nil, x)
		}
		targets, dist = k.Draw(sources, u)
	}
	for n, j := range targets {
		answers = append(answers, float64(j), dist[n])
	}
	return answers
}

// use lends a kernel to a request; the function it returns takes it back, and
// drops the kernel when a part of it is lost.
func (sc *scene) use(r *run, k *kernel) (done func()) {
	if own, ok := k.Kernel.(*narrow.Kernel); ok {
		own.Under(r.ctx)
		return func() { own.Under(context.Background()) }
	}
	shared, ok := k.Kernel.(*teamKernel)
	if !ok {
		return func() {}
	}
	shared.r = r
	return func() {
		if shared.err != nil && sc.held.kernel == k {
			sc.held.kernel = nil
		}
	}
}

// failureOf is why a product of the kernel is missing, if one is.
func failureOf(k *kernel) error {
	if shared, ok := k.Kernel.(*teamKernel); ok {
		return shared.err
	}
	return nil
}
