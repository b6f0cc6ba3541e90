package hub

import (
	"context"

	"genussink/core/hub/cover"
	"genussink/core/hub/label"
	"genussink/core/hub/logdomain"
	"genussink/core/hub/loops"
	"genussink/core/hub/tile"
	"genussink/core/internal/buffer"
	"genussink/core/internal/exponential"
	"genussink/core/linop"
)

// Kernel is exp(-d/epsilon) for the distances of a cover: exact with
// tolerance 0 and float64 labels; otherwise no distance is off by more than
// Cover.Bound, so that every entry is within a factor exp(Bound/epsilon) of the
// true one and positive. It is symmetric. One goroutine at a time.
type Kernel struct {
	cover   *cover.Cover
	epsilon float64
	floor   float64
	factors label.Values // exp(-label/epsilon)

	packedFactors *loops.Table // of the packed distances; nil without a tolerance

	momentFactors ordered   // of a patch's ranks and then its attached vertices
	tileFactors   ordered   // without a tolerance: of the columns of each band, and then of each row's hubs
	blockFactors  ordered   // likewise: of separator blocks, hub by hub
	offsetFactors []float64 // likewise: of the offsets of aggregates' vertices

	cover.Cuts

	ctx     context.Context           // of the product under way
	x       []float64                 // by rank
	workers [cover.Lanes]workerVector // by worker
	dst     []float64                 // by vertex: of the product under way
	sums    []float64                 // by hub moment
	tops    []float64                 // by hub moment: the exponent that sums is relative to in a log product; nil until the first
	lanes   [cover.Lanes]lane
	plan    *planProduct // nil until the first
	form    form         // of the product made last, as long as Draw can tell from what is left of it

	// What lanes do side by side, one stage after the other; bound once, so
	// that a product allocates nothing.
	plainStages, logStages [4]func(worker, g int)
}

// lane has the vectors and sums of one lane of a product. A product is cut into lanes, the same ones whatever the number of workers is, so that
// its sums come in the same order. A worker does one lane after the other.
type lane struct {
	x   []float64 // by slot: its worker's
	y   []float64 // by rank; of the batch under way by slot
	z   []float64 // likewise, of a plan's other scaling; nil until the first
	acc []float64 // by hub moment: what arrives at its hub, to be handed out

	// Of the tile or separator block under way: what runs add up, by band; x and y of its rows and columns, in its order.
	starts  tile.Starts
	running []loops.Running
	xs, ys  []float64

	// Of log products: the exponents that y and acc are relative to; nil until the first.
	yTop, accTop []float64
	logs         logdomain.Scratch
	row          cover.MomentRow
}

// workerVector is a worker's x by slot: those of the ranks, and of the aggregates of the batch under way.
type workerVector struct {
	begun bool // in the product under way
	x     []float64
}

var (
	_ linop.Kernel         = (*Kernel)(nil)
	_ linop.PlanMultiplier = (*Kernel)(nil)
	_ linop.Rower          = (*Kernel)(nil)
	_ linop.Drawer         = (*Kernel)(nil)
	_ linop.Scaler         = (*Kernel)(nil)
)

// NewKernel prepares the kernel at epsilon > 0, in the graph's unit. It holds
// one factor for every label, although with a tolerance it uses some of them only, and those of hub moments and, without
// tolerance, of tiles once more (KernelBytes).
func NewKernel(ctx context.Context, t *cover.Cover, epsilon float64) (*Kernel, error) {
	if err := checkEpsilon(epsilon); err != nil {
		return nil, err
	}
	l := t.Labels
	k := &Kernel{
		cover: t, epsilon: epsilon, ctx: context.Background(),
		factors: label.NewValues(l.Tree, l.FactorPrecision(epsilon)),
		x:       make([]float64, l.Len()),
		sums:    make([]float64, len(t.Moments)),
	}
	if t.Tolerance > 0 {
		k.packedFactors = loops.TableOf(t.Step, epsilon)
	}
	// A way through a hub is two labels: never more than twice the reach.
	if l.Reach > 0 { // else all distances are 0, whatever their rounding could be
		k.floor = -(l.Reach + min(t.Delta, l.Reach+label.Rounding(l.Reach))) / epsilon
	}
	k.Cuts = t.Cuts()
	if err := k.fillFactors(ctx); err != nil {
		return nil, err
	}
	if err := k.orderFactors(ctx); err != nil {
		return nil, err
	}
	k.plainStages = [4]func(worker, g int){k.sumUpLane, k.multiplyLane, k.handOutLane, k.collectLane}
	k.logStages = [4]func(worker, g int){k.logSumUpLane, k.logMultiplyLane, k.logHandOutLane, k.logCollectLane}
	if len(k.sums) == 0 { // no hub moment has a sum, nor is one handed out
		for _, stages := range []*[4]func(worker, g int){&k.plainStages, &k.logStages} {
			stages[0], stages[2] = nil, nil
		}
	}
	for g := range k.lanes {
		k.lanes[g] = lane{y: make([]float64, l.Len(), t.Slots), acc: make([]float64, len(t.Moments))}
	}
	return k, nil
}

// run runs stages one after the other, each for every lane; nil has nothing to do. It returns the error of the product's
// context as soon as it has one: then some lanes were left out, or gave up.
func (k *Kernel) run(stages ...func(worker, g int)) error {
	for _, stage := range stages {
		if stage == nil {
			continue
		}
		if err := cover.EachLane(k.ctx, stage); err != nil {
			return err
		}
	}
	return k.ctx.Err()
}

// begin begins a product, or whatever else run runs, under a context.
func (k *Kernel) begin(ctx context.Context) { k.ctx = ctx }

// end lets go of the context.
func (k *Kernel) end() { k.ctx = context.Background() }

// Bytes is the memory that the kernel holds in bytes, tiles and labels included.
func (k *Kernel) Bytes() int64 {
	l := k.cover.Labels
	vectors, more := int64(len(k.x)+len(k.sums)), int64(0)
	for i := range k.lanes {
		p := &k.lanes[i]
		vectors += int64(cap(p.y) + cap(p.z) + len(p.acc))
	}
	for w := range k.workers {
		vectors += int64(cap(k.workers[w].x))
	}
	if k.plan != nil {
		more = k.plan.bytes()
	}
	if k.cover.Tolerance > 0 {
		vectors += int64(len(k.packedFactors))
	}
	return label.Bytes(l.Tree, l.Precision()) + k.cover.Bytes() + KernelBytes(k.cover, k.epsilon) + 8*vectors + more
}

// over asks the product's context, once every so many calls. A lane that gives up says nothing: run asks again.
func (k *Kernel) over(calls int) bool {
	return calls%128 == 0 && k.ctx.Err() != nil
}

// Cover is what the kernel is made of: its Bound is by how much a distance may be wrong. Other kernels of the same distances can be made of it.
func (k *Kernel) Cover() *cover.Cover { return k.cover }

// Epsilon is the epsilon of K, in the graph's unit.
func (k *Kernel) Epsilon() float64 { return k.epsilon }

// Dims returns n, n.
func (k *Kernel) Dims() (rows, cols int) { return len(k.x), len(k.x) }

func check(dst, x []float64, n int) []float64 {
	if len(x) != n {
		panic("hub: a vector has the wrong length")
	}
	return buffer.Vector(dst, n)
}

// gain is the factor of an entry whose distance is shift less than the way it
// is made of; not beyond float64, where ways have no factors left.
func (k *Kernel) gain(shift float64) float64 { return gain(shift, k.epsilon) }

func gain(shift, epsilon float64) float64 { return exponential.Exp(min(shift/epsilon, linop.MaxLog)) }

// Distances fills dst (len n, nil allocates) with the distances of vertex i that the products are made of. Any number of
// goroutines may call it, and Row, while one multiplies.
func (k *Kernel) Distances(ctx context.Context, dst []float64, i int) ([]float64, error) {
	return k.cover.Distances(ctx, dst, i)
}

// Row fills dst (len n, nil allocates) with row i of K.
func (k *Kernel) Row(ctx context.Context, dst []float64, i int) ([]float64, error) {
	return Row(ctx, k.cover, dst, i, k.epsilon)
}

// LogFloor is a lower bound on the logarithm of an entry between connected vertices.
func (k *Kernel) LogFloor() float64 { return k.floor }
