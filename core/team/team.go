// Package team shares the work on one graph between engines. A lead hands parts of its separator tree, its cover and its kernel to members, which
// may be other programs. What a member does not do the lead does. Messages are those of package job.
package team

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"

	"genussink/core/hub"
	"genussink/core/hub/cover"
	"genussink/core/hub/label"
	"genussink/core/internal/buffer"
	"genussink/core/internal/exponential"
	"genussink/core/job"
	"genussink/core/linop"
	"genussink/core/septree"
)

// Members are engines elsewhere, each answering as an engine does, that a lead
// shares its trees and its kernels with. They have the numbers 0 to Size()-1.
type Members interface {
	Size() int
	// Call has a member do a request and returns its final event. A member that
	// cannot be reached is an error; one that failed may be either, an error or
	// Failed. When ctx ends Call returns and tells the member to stop. Safe
	// for concurrent use, also with the same member.
	Call(ctx context.Context, member int, request job.Body) (job.Body, error)
}

// Lead shares its work with members. The zero value has none.
type Lead struct {
	Members Members                          // nil: none
	Logf    func(format string, args ...any) // told what a person need not see; nil: nobody

	covers int // made so far
}

// Helpers is how many members share the work on a graph of n vertices.
func (l *Lead) Helpers(n int) int {
	if l.Members == nil || n < leastVertices {
		return 0
	}
	return l.Members.Size()
}

func (l *Lead) logf(format string, args ...any) {
	if l.Logf != nil {
		l.Logf(format, args...)
	}
}

// leastVertices is the least graph that is shared: below it a tree and a kernel
// take less time than the messages about them.
const leastVertices = 1000

// call asks a member and expects an answer of one type.
func call[Answer job.Body](ctx context.Context, t Members, member int, request job.Body) (answer Answer, err error) {
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

// Splitting are options under which members split parts of a graph of n vertices.
func (l *Lead) Splitting(ctx context.Context, n int, o septree.Options) septree.Options {
	if o.Helpers = l.Helpers(n); o.Helpers == 0 {
		return o
	}
	o.Elsewhere = func(member int, p septree.Part) septree.Dissection {
		d, err := call[*job.Dissected](ctx, l.Members, member, &job.Dissect{
			Offsets: p.Graph.Offsets, Targets: p.Graph.Targets, Weights: p.Graph.Weights, Positions: job.Flat(p.Positions), Faces: job.Flat(p.Faces),
			Finder: o.Finder, Balance: o.Balance, Levels: o.Depth, Depth: p.Depth,
		})
		if err != nil {
			if ctx.Err() == nil {
				l.logf("team: member %d does not separate its part, the lead does: %v", member, err)
			}
			return septree.Dissection{}
		}
		return septree.Dissection(*d)
	}
	return o
}

// Cover is a cover in parts: part 0 is the lead's own, part m+1
// member m's, until that fails and the lead takes it over.
type Cover struct {
	lead   *Lead
	labels *label.Labels
	delta  float64
	number int            // of this cover among the lead's, so that members know what they hold
	limit  int64          // bytes, of the lead's parts together
	own    []*cover.Cover // by part: the lead's, nil while it is the member's
}

// Of says whether the cover is of these labels, allows this error of a distance, and is in as many parts as the lead would make.
func (w *Cover) Of(l *label.Labels, delta float64, lead *Lead) bool {
	return w.labels == l && w.delta == delta && len(w.own) == 1+lead.Helpers(l.Len())
}

// Bound is by how much a distance of the cover may be wrong, proved.
func (w *Cover) Bound() float64 { return w.own[0].Bound() }

// Alone is the cover where the lead has all of it from the beginning, else nil.
func (w *Cover) Alone() *cover.Cover {
	if len(w.own) > 1 {
		return nil
	}
	return w.own[0]
}

// Mine is a part that the lead holds, nil: it holds none.
func (w *Cover) Mine() *cover.Cover {
	for _, t := range w.own {
		if t != nil {
			return t
		}
	}
	return nil
}

// Members is how many hold a part.
func (w *Cover) Members() (count int) {
	for _, t := range w.own {
		if t == nil {
			count++
		}
	}
	return count
}

// Cover builds a cover, with members where the graph is large enough. It allows a distance an error of delta; epsilon is
// that of the first kernel, for which there must be room below limit, in bytes.
func (l *Lead) Cover(ctx context.Context, labels *label.Labels, delta, epsilon float64, limit int64, progress func(string, float64)) (*Cover, error) {
	parts := 1 + l.Helpers(labels.Len())
	l.covers++
	rest := label.Bytes(labels.Tree, labels.Precision()) + labels.FactorBytes(epsilon)
	w := &Cover{lead: l, labels: labels, delta: delta, number: l.covers, limit: max(1, limit-rest), own: make([]*cover.Cover, parts)}
	errs := make([]error, parts)
	var wait sync.WaitGroup
	if parts > 1 {
		f, g := labels.Snapshot(), labels.Graph
		for p := 1; p < parts; p++ {
			wait.Go(func() {
				_, errs[p] = call[*job.Held](ctx, l.Members, p-1, &job.Hold{
					Order: f.Order, Sizes: f.Sizes, Hubs: f.Hubs, Distances: f.Long, Short: f.Short, Delta: delta, Part: p, Parts: parts, Cover: w.number,
					Offsets: g.Offsets, Targets: g.Targets, Weights: g.Weights,
				})
			})
		}
		runtime.Gosched() // where there is one thread the messages must leave before it is taken
	}
	err := w.find(ctx, 0, progress)
	wait.Wait()
	for p := 1; p < parts && err == nil; p++ {
		if errs[p] != nil {
			err = w.take(ctx, p, errs[p])
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
func (w *Cover) find(ctx context.Context, part int, progress func(string, float64)) error {
	held := int64(0)
	for _, t := range w.own {
		if t != nil {
			held += t.Bytes()
		}
	}
	t, err := cover.Build(ctx, w.labels, cover.Options{
		Delta: w.delta, Shard: part, Shards: len(w.own), MemoryLimit: max(1, w.limit-held), Progress: progress,
	})
	w.own[part] = t
	return err
}

// take makes a member's part the lead's.
func (w *Cover) take(ctx context.Context, part int, why error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	w.lead.logf("team: member %d does not do its part of the kernel, the lead does: %v", part-1, why)
	return w.find(ctx, part, nil)
}

// Crosses is how the cover's kernels multiply, zero where members hold parts.
func (w *Cover) Crosses() job.Crosses {
	if len(w.own) > 1 {
		return job.Crosses{}
	}
	c := w.own[0].Crosses()
	return job.Crosses{Single: c.Single, Range: c.Range, Cover: c.Cover, Leaves: c.Leaves}
}

// Fits is the error of one more kernel that takes more than the limit, in bytes. What it shares with
// another of its kernels that is at hand counts already.
func (w *Cover) Fits(epsilon float64, limit int64, atHand bool) error {
	need, shared := int64(0), label.Bytes(w.labels.Tree, w.labels.Precision())
	for _, t := range w.own {
		if t != nil {
			need, shared = need+hub.KernelBytes(t, epsilon), shared+t.Bytes()
		}
	}
	if atHand {
		shared = 0
	}
	need += shared
	if need > limit {
		return &linop.MemoryError{What: "hub: kernel", Vertices: w.labels.Len(), Need: need, Limit: limit}
	}
	return nil
}

// Kernel makes the kernel of the cover, every part where it is held, and returns the bytes that all take.
func (w *Cover) Kernel(ctx context.Context, epsilon float64) (made linop.Kernel, total int64, err error) {
	if len(w.own) == 1 {
		k, err := hub.NewKernel(ctx, w.own[0], epsilon)
		if err != nil {
			return nil, 0, err
		}
		return k, k.Bytes(), nil
	}
	k := newKernel(w, epsilon)
	errs, bytes := make([]error, len(w.own)), make([]int64, len(w.own))
	var wait sync.WaitGroup
	for p, t := range w.own {
		if t == nil {
			wait.Go(func() {
				tuned, err := call[*job.Tuned](ctx, w.lead.Members, p-1, &job.Tune{Epsilon: epsilon})
				if errs[p] = err; err == nil {
					bytes[p] = tuned.Bytes
				}
			})
		}
	}
	runtime.Gosched() // as in Cover
	for p, t := range w.own {
		if t != nil && err == nil {
			k.own[p], err = hub.NewKernel(ctx, t, epsilon)
		}
	}
	wait.Wait()
	for p, why := range errs {
		if why != nil && err == nil {
			err = k.take(ctx, p, why)
		}
	}
	if err != nil {
		return nil, 0, err
	}
	for p, own := range k.own {
		if own != nil {
			bytes[p] = own.Bytes()
		}
		total += bytes[p]
	}
	return k, total, nil
}

// Kernel is a kernel in parts, whose products are added. One goroutine at a time, but for Beside.
type Kernel struct {
	cover   *Cover
	epsilon float64
	mu      sync.Mutex    // of own, against Beside
	own     []*hub.Kernel // by part: its kernel where the lead has the part, nil where a member has it; part 0 is always the lead's

	room   [][]float64 // by part: for the lead's shares
	shares [][]float64 // by part: of the product under way
	last   struct {
		product string // "": there is none
		x       []float64
	} // the product that Draw draws from, whose shares these are
}

var (
	_ linop.Kernel         = (*Kernel)(nil)
	_ linop.PlanMultiplier = (*Kernel)(nil)
	_ linop.Rower          = (*Kernel)(nil)
	_ linop.Drawer         = (*Kernel)(nil)
)

// newKernel has no parts yet.
func newKernel(w *Cover, epsilon float64) *Kernel {
	parts := len(w.own)
	return &Kernel{cover: w, epsilon: epsilon, own: make([]*hub.Kernel, parts), room: make([][]float64, parts), shares: make([][]float64, parts)}
}

// Dims returns n, n.
func (k *Kernel) Dims() (rows, cols int) { return k.own[0].Dims() }

// LogFloor is that of any part.
func (k *Kernel) LogFloor() float64 { return k.own[0].LogFloor() }

// parts are the lead's, as they are now.
func (k *Kernel) parts() []*hub.Kernel {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Clone(k.own)
}

// take makes a member's part the lead's, cover and kernel.
func (k *Kernel) take(ctx context.Context, part int, why error) error {
	if k.cover.own[part] == nil {
		if err := k.cover.take(ctx, part, why); err != nil {
			return err
		}
	}
	own, err := hub.NewKernel(ctx, k.cover.own[part], k.epsilon)
	if err != nil {
		return err
	}
	k.mu.Lock()
	k.own[part] = own
	k.mu.Unlock()
	return nil
}

// question is what all parts are asked for.
type question struct {
	name string
	x, y []float64
	each [][]float64 // by part: instead of y, its own; a part with none is not asked
	size int         // of an answer; with each as many as are asked
}

// to is the question to a part, and the length of its answer.
func (q question) to(part int) (question, int) {
	if q.each == nil {
		return q, q.size
	}
	q.y = q.each[part]
	return q, len(q.y)
}

// ask returns every part's answer, good until the next question. It is the only thing that changes own: a part that a member does not
// do is the lead's from then on. Where no member is asked it allocates nothing.
func (k *Kernel) ask(ctx context.Context, q question) ([][]float64, error) {
	k.last.product = ""
	clear(k.shares)
	if slices.Contains(k.own, nil) {
		if err := k.askMembers(ctx, q); err != nil {
			return nil, err
		}
		return k.shares, nil
	}
	return k.shares, k.askOwn(ctx, q)
}

// askOwn asks the parts that are the lead's and have not answered yet.
func (k *Kernel) askOwn(ctx context.Context, q question) (err error) {
	for p, own := range k.own {
		part, size := q.to(p)
		if own == nil || size == 0 || k.shares[p] != nil {
			continue
		}
		k.room[p] = buffer.Sized(k.room[p], size)
		if k.shares[p], err = product(ctx, own, k.room[p], part); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// askMembers asks all parts, those of members meanwhile.
func (k *Kernel) askMembers(ctx context.Context, q question) error {
	answers := k.fromMembers(ctx, k.own, q)
	err := k.askOwn(ctx, q)
	shares, errs := answers()
	if err != nil {
		return err
	}
	for p, why := range errs {
		if why != nil {
			if err := k.take(ctx, p, why); err != nil {
				return err
			}
		} else if shares[p] != nil {
			k.shares[p] = shares[p]
		}
	}
	return k.askOwn(ctx, q)
}

// fromMembers asks the members whose parts are not the lead's. What it returns waits for their answers, or why there are none.
func (k *Kernel) fromMembers(ctx context.Context, own []*hub.Kernel, q question) (answers func() (shares [][]float64, errs []error)) {
	shares, errs := make([][]float64, len(own)), make([]error, len(own))
	var wait sync.WaitGroup
	for p, own := range own {
		part, size := q.to(p)
		if own != nil || size == 0 {
			continue
		}
		wait.Go(func() {
			answer, err := call[*job.Multiplied](ctx, k.cover.lead.Members, p-1, &job.Multiply{Product: part.name, Epsilon: k.epsilon, Cover: k.cover.number, X: part.x, Y: part.y})
			if err == nil && len(answer.Values) != size {
				err = fmt.Errorf("%d values for %d", len(answer.Values), size)
			}
			if errs[p] = err; err == nil {
				shares[p] = answer.Values
			}
		})
	}
	runtime.Gosched() // as in Cover
	return func() ([][]float64, []error) {
		wait.Wait()
		return shares, errs
	}
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

// product is a part's answer to a question, in dst where it fits; nil allocates.
func product(ctx context.Context, k *hub.Kernel, dst []float64, q question) ([]float64, error) {
	switch q.name {
	case productVec:
		return k.MulVec(ctx, dst, q.x)
	case productLog:
		return k.LogMulVec(ctx, dst, q.x)
	case productCost:
		dst = buffer.Sized(dst, 1)
		cost, err := k.PlanCost(ctx, q.x, q.y)
		dst[0] = cost
		return dst, err
	case productPlan:
		n := len(q.x)
		dst = buffer.Sized(dst, 2*n+1)
		cost, err := k.MulPlan(ctx, dst[:n:n], dst[n:2*n:2*n], q.x, q.y)
		dst[2*n] = cost
		return dst, err
	case productRow:
		return k.Row(ctx, dst, int(q.x[0]))
	case productDistances:
		return k.Distances(ctx, dst, int(q.x[0]))
	case productDraw, productLogDraw:
		return drawn(ctx, k, q)
	}
	return nil, fmt.Errorf("there is no product %q", q.name)
}

// drawn are a part's answers to Draw, target and distance in turns, for source and number in turns. The product
// is made anew unless it is the part's last.
func drawn(ctx context.Context, k *hub.Kernel, q question) (answers []float64, err error) {
	sources, u := make([]int32, len(q.y)/2), make([]float64, len(q.y)/2)
	for n := range sources {
		sources[n], u[n] = int32(q.y[2*n]), q.y[2*n+1]
	}
	targets, dist, err := k.Draw(ctx, sources, u)
	if err == nil && targets == nil {
		if q.name == productDraw {
			_, err = k.MulVec(ctx, nil, q.x)
		} else {
			_, err = k.LogMulVec(ctx, nil, q.x)
		}
		if err == nil {
			targets, dist, err = k.Draw(ctx, sources, u)
		}
	}
	if err != nil {
		return nil, err
	}
	for n, j := range targets {
		answers = append(answers, float64(j), dist[n])
	}
	return answers, nil
}

// vector is dst of length n, which x must have too; nil allocates.
func vector(dst, x []float64, n int) []float64 {
	if len(x) != n {
		panic("team: a vector has the wrong length")
	}
	return buffer.Vector(dst, n)
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

// MulVec computes dst = K x.
func (k *Kernel) MulVec(ctx context.Context, dst, x []float64) ([]float64, error) {
	n, _ := k.Dims()
	dst = vector(dst, x, n)
	shares, err := k.ask(ctx, question{name: productVec, x: x, size: n})
	if err != nil {
		return nil, err
	}
	addUp(dst, shares)
	k.last.product, k.last.x = productDraw, x
	return dst, nil
}

// LogMulVec computes dst_i = log sum_j exp(x_j - d_ij/epsilon).
func (k *Kernel) LogMulVec(ctx context.Context, dst, x []float64) ([]float64, error) {
	n, _ := k.Dims()
	dst = vector(dst, x, n)
	shares, err := k.ask(ctx, question{name: productLog, x: x, size: n})
	if err != nil {
		return nil, err
	}
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
	k.last.product, k.last.x = productLogDraw, x
	return dst, nil
}

// PlanCost is the sum of the parts' own.
func (k *Kernel) PlanCost(ctx context.Context, logu, logv []float64) (float64, error) {
	n, _ := k.Dims()
	if len(logu) != n || len(logv) != n {
		panic("team: PlanCost: a vector has the wrong length")
	}
	shares, err := k.ask(ctx, question{name: productCost, x: logu, y: logv, size: 1})
	if err != nil {
		return 0, err
	}
	var cost [1]float64
	addUp(cost[:], shares)
	return cost[0], nil
}

// MulPlan is linop.MulPlan.
func (k *Kernel) MulPlan(ctx context.Context, ku, kv, u, v []float64) (cost float64, err error) {
	n, _ := k.Dims()
	ku = vector(ku, u, n)
	if len(v) != n || kv != nil && len(kv) != n {
		panic("team: MulPlan: a vector has the wrong length")
	}
	shares, err := k.ask(ctx, question{name: productPlan, x: u, y: v, size: 2*n + 1})
	if err != nil {
		return 0, err
	}
	clear(ku)
	clear(kv)
	for _, s := range shares {
		for i := range ku {
			ku[i] += s[i]
		}
		for i := range kv {
			kv[i] += s[n+i]
		}
		cost += s[2*n]
	}
	return cost, nil
}

// Row is linop.Row.
func (k *Kernel) Row(ctx context.Context, dst []float64, i int) ([]float64, error) {
	return k.row(ctx, productRow, dst, i)
}

// Distances fills dst with a row of the distances that the parts multiply with.
func (k *Kernel) Distances(ctx context.Context, dst []float64, i int) ([]float64, error) {
	return k.row(ctx, productDistances, dst, i)
}

func (k *Kernel) row(ctx context.Context, name string, dst []float64, i int) ([]float64, error) {
	n, _ := k.Dims()
	dst = buffer.Vector(dst, n)
	shares, err := k.ask(ctx, question{name: name, x: []float64{float64(i)}, size: n})
	if err != nil {
		return nil, err
	}
	together(name, dst, shares)
	return dst, nil
}

// together sets dst to a row of which each part has some.
func together(name string, dst []float64, shares [][]float64) {
	if name == productRow {
		addUp(dst, shares)
		return
	}
	for j := range dst {
		dst[j] = math.Inf(1)
		for _, s := range shares {
			dst[j] = min(dst[j], s[j])
		}
	}
}

// ErrLost is that a part of a kernel could not be had.
var ErrLost = errors.New("a member does not do its part of the kernel")

// line is a row of the kernel or of its distances, beside whatever else the kernel does. A part that cannot be had
// is ErrLost: it is left to those who have the kernel to themselves to make it the lead's.
func (k *Kernel) line(ctx context.Context, name string, dst []float64, i int) ([]float64, error) {
	own := k.parts()
	n, _ := own[0].Dims()
	dst = buffer.Vector(dst, n)
	q := question{name: name, x: []float64{float64(i)}, size: n}
	answers := k.fromMembers(ctx, own, q)
	failed := make([]error, len(own))
	mine := make([][]float64, len(own))
	for p, own := range own {
		if own != nil {
			mine[p], failed[p] = product(ctx, own, nil, q)
		}
	}
	shares, errs := answers()
	if err := errors.Join(append(failed, ctx.Err())...); err != nil {
		return nil, err
	}
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrLost, err)
	}
	for p := range mine {
		if mine[p] != nil {
			shares[p] = mine[p]
		}
	}
	together(name, dst, shares)
	return dst, nil
}

// Draw is linop.Draw: of the parts, each of which brings its share of a row, one is drawn, and that draws the target.
func (k *Kernel) Draw(ctx context.Context, sources []int32, u []float64) (targets []int32, dist []float64, err error) {
	last := k.last
	if last.product == "" {
		return nil, nil, ctx.Err()
	}
	log := last.product == productLogDraw
	asked, numbers := make([][]float64, len(k.shares)), make([][]int, len(k.shares)) // by part
	for n, i := range sources {
		masses, total, top := make([]float64, len(k.shares)), 0.0, math.Inf(-1)
		for p := range masses {
			masses[p] = k.shares[p][i]
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
	answers, err := k.ask(ctx, question{name: last.product, x: last.x, each: asked})
	if err != nil {
		return nil, nil, err
	}
	targets, dist = make([]int32, len(sources)), make([]float64, len(sources))
	for n := range targets {
		targets[n] = -1
	}
	for p, answer := range answers {
		for a, n := range numbers[p] {
			targets[n], dist[n] = int32(answer[2*a]), answer[2*a+1]
		}
	}
	return targets, dist, nil
}

// Beside is the kernel for rows beside its products, whatever else it does meanwhile. Where a part is not to be had the error is
// ErrLost.
func (k *Kernel) Beside() linop.Kernel { return beside{k} }

type beside struct{ *Kernel }

var (
	_ linop.Kernel = beside{}
	_ linop.Rower  = beside{}
)

func (k beside) Distances(ctx context.Context, dst []float64, i int) ([]float64, error) {
	return k.line(ctx, productDistances, dst, i)
}

// Row is linop.Row.
func (k beside) Row(ctx context.Context, dst []float64, i int) ([]float64, error) {
	return k.line(ctx, productRow, dst, i)
}
