package transport

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"genussink/core/internal/exponential"
	"genussink/core/linop"
	"genussink/core/measure"
)

// Plan answers questions about P_ij = exp(logu_i - D_ij/epsilon + logv_j)
// without forming it: products cost a product of the kernel, a row or a column
// one row of it. All answers are of one matrix, with the distances D that the kernel
// multiplies with. Like its kernel it serves one goroutine at a time. What the kernel returns as an error, that of
// a context that has ended included, the plan returns too, and no answer. A vertex that there is not is an error; a slice of the wrong length panics.
type Plan struct {
	kernel     linop.Kernel
	epsilon    float64
	entry      func(d float64) float64 // log K_ij by the distance
	logu, logv []float64
	row        []float64
	scaled     bool      // u, v and K all fit float64, so that products need no logarithms
	u, v       []float64 // when scaled
	x, y       []float64
}

// NewPlan is the plan of a Result's potentials, of the kernel it was solved
// with and the same epsilon. Both must have one value per vertex, finite or
// -Inf (no mass).
func NewPlan(kernel linop.Kernel, epsilon float64, logu, logv []float64) (*Plan, error) {
	if err := fits(kernel, epsilon); err != nil {
		return nil, err
	}
	n, _ := kernel.Dims()
	if len(logu) != n || len(logv) != n {
		return nil, fmt.Errorf("transport: %d and %d potentials for a kernel of %d x %d", len(logu), len(logv), n, n)
	}
	p := &Plan{
		kernel: kernel, epsilon: epsilon, entry: linop.LogEntry(kernel, epsilon), logu: logu, logv: logv,
		row: make([]float64, n), x: make([]float64, n), y: make([]float64, n),
	}
	for _, side := range []struct {
		name   string
		values []float64
	}{{"log u", logu}, {"log v", logv}} {
		for i, l := range side.values {
			if math.IsNaN(l) || math.IsInf(l, 1) {
				return nil, fmt.Errorf("transport: %s of vertex %d is %g", side.name, i, l)
			}
		}
	}
	p.u, p.v = make([]float64, n), make([]float64, n)
	p.scaled = linop.Scalings(p.u, p.v, logu, logv, kernel.LogFloor())
	return p, nil
}

// Len is the number of vertices.
func (p *Plan) Len() int { return len(p.row) }

// known is an error where there is no such vertex.
func (p *Plan) known(v int) error {
	if v < 0 || v >= len(p.row) {
		return fmt.Errorf("transport: vertex %d of a plan of %d", v, len(p.row))
	}
	return nil
}

// Entry is P_ij, an entry of the row.
func (p *Plan) Entry(ctx context.Context, i, j int) (float64, error) {
	if err := p.known(j); err != nil {
		return 0, err
	}
	row, err := p.Row(ctx, p.row, i)
	if err != nil {
		return 0, err
	}
	return row[j], nil
}

// mass is exp(l) times the kernel's entry at d; nothing where there is none or no path leads.
func (p *Plan) mass(l, d float64) float64 { return exponential.Exp(l + p.entry(d)) }

// Row fills dst (len n, nil allocates) with what vertex i sends to every
// vertex, P_ij over j. Its sum is what Push says of all.
func (p *Plan) Row(ctx context.Context, dst []float64, i int) ([]float64, error) {
	return p.line(ctx, dst, i, p.logu, p.logv, p.u, p.v)
}

// Distances fills dst (len n, nil allocates) with D_ij over j, those of a row.
func (p *Plan) Distances(ctx context.Context, dst []float64, i int) ([]float64, error) {
	if err := p.known(i); err != nil {
		return nil, err
	}
	return p.kernel.Distances(ctx, p.vector(dst), i)
}

// Column fills dst (len n, nil allocates) with what vertex j receives from
// every vertex, P_ij over i. Its sum is what Pull says of all.
func (p *Plan) Column(ctx context.Context, dst []float64, j int) ([]float64, error) {
	return p.line(ctx, dst, j, p.logv, p.logu, p.v, p.u)
}

func (p *Plan) line(ctx context.Context, dst []float64, i int, own, other, ownScaling, otherScaling []float64) ([]float64, error) {
	dst = p.vector(dst)
	if err := p.known(i); err != nil {
		return nil, err
	}
	switch {
	case own[i] == math.Inf(-1):
		clear(dst)
	case p.scaled:
		if _, err := linop.Row(ctx, p.kernel, p.epsilon, dst, i); err != nil {
			return nil, err
		}
		for j, x := range otherScaling {
			dst[j] *= ownScaling[i] * x
		}
	default:
		if _, err := p.kernel.Distances(ctx, dst, i); err != nil {
			return nil, err
		}
		for j, d := range dst {
			dst[j] = p.mass(own[i]+other[j], d)
		}
	}
	return dst, nil
}

func (p *Plan) vector(dst []float64) []float64 {
	if dst == nil {
		return make([]float64, len(p.row))
	}
	if len(dst) != len(p.row) {
		panic("transport: vector of the wrong length")
	}
	return dst
}

// Push computes dst = P x (len n, nil allocates): with the indicator of a set
// of targets, the mass that every vertex sends there (the paper, Sec. 1).
func (p *Plan) Push(ctx context.Context, dst, x []float64) ([]float64, error) {
	return p.product(ctx, dst, x, p.logu, p.logv, p.u, p.v)
}

// Pull computes dst = P^T x: with the indicator of a set of sources, the mass
// that every vertex receives from there.
func (p *Plan) Pull(ctx context.Context, dst, x []float64) ([]float64, error) {
	return p.product(ctx, dst, x, p.logv, p.logu, p.v, p.u)
}

// product is exp(l) . K (exp(r) . x), with l = log left and r = log right. K
// is symmetric. In logarithms x is split by sign.
func (p *Plan) product(ctx context.Context, dst, x, l, r, left, right []float64) ([]float64, error) {
	dst = p.vector(dst)
	if len(x) != len(dst) {
		panic("transport: vector of the wrong length")
	}
	if p.scaled {
		for i := range x {
			p.x[i] = right[i] * x[i]
		}
		if _, err := p.kernel.MulVec(ctx, p.y, p.x); err != nil {
			return nil, err
		}
		for i := range dst {
			dst[i] = left[i] * p.y[i]
		}
		return dst, nil
	}
	copy(p.row, x) // dst may be x
	clear(dst)
	for _, sign := range [2]float64{1, -1} {
		if !slices.ContainsFunc(p.row, func(x float64) bool { return sign*x > 0 }) {
			continue // and p.x is still that of the product before, which Draw asks about
		}
		for i, x := range p.row {
			p.x[i] = math.Inf(-1)
			if sign*x > 0 {
				p.x[i] = r[i] + math.Log(sign*x)
			}
		}
		if _, err := p.kernel.LogMulVec(ctx, p.y, p.x); err != nil {
			return nil, err
		}
		for i, y := range p.y {
			if l[i] > math.Inf(-1) {
				dst[i] += sign * exponential.Exp(l[i]+y)
			}
		}
	}
	return dst, nil
}

// Between is the mass that the vertices of one set send to those of another.
// A vertex named twice counts once.
func (p *Plan) Between(ctx context.Context, from, to []int32) (float64, error) {
	x := make([]float64, len(p.row))
	for _, i := range from {
		if err := p.known(int(i)); err != nil {
			return 0, err
		}
	}
	for _, j := range to {
		if err := p.known(int(j)); err != nil {
			return 0, err
		}
		x[j] = 1
	}
	if _, err := p.Push(ctx, x, x); err != nil {
		return 0, err
	}
	total := 0.0
	for _, i := range from {
		total += x[i]
		x[i] = 0 // a vertex counts once, however often it is listed
	}
	return total, nil
}

// Partner is a vertex and the mass shared with it.
type Partner struct {
	Vertex int32
	Mass   float64
}

// Top returns the k vertices that vertex v sends the most to, or with target
// set receives the most from: most first, of equal masses the smaller vertex
// first, none without mass. k <= 0 means all. total is v's whole mass.
func (p *Plan) Top(ctx context.Context, v int, target bool, k int) (partners []Partner, total float64, err error) {
	var line []float64
	if target {
		line, err = p.Column(ctx, p.row, v)
	} else {
		line, err = p.Row(ctx, p.row, v)
	}
	if err != nil {
		return nil, 0, err
	}
	if k <= 0 || k > len(line) {
		k = len(line)
	}
	least := 0.0 // of equal masses the first stays
	keep := func() {
		slices.SortFunc(partners, func(a, b Partner) int {
			return cmp.Or(cmp.Compare(b.Mass, a.Mass), cmp.Compare(a.Vertex, b.Vertex))
		})
		if len(partners) >= k {
			partners, least = partners[:k], partners[k-1].Mass
		}
	}
	for j, m := range line {
		total += m
		if m > least {
			if partners = append(partners, Partner{int32(j), m}); len(partners) == 2*k {
				keep()
			}
		}
	}
	keep()
	return partners, total, nil
}

// Pair is a source vertex and a target vertex, and how far apart the kernel has them, D_ij.
type Pair struct {
	From, To int32
	Distance float64
}

// drawn is after how many draws the context is asked again: 10 ms.
const drawn = 1 << 16

// Sample draws count pairs (i,j) with probability P_ij over the total, by
// ascending i; the same seed draws the same pairs. A plan without mass is an
// error. It takes two products where the kernel draws (linop.Draw), otherwise one
// and a row for each distinct i. When ctx ends, its error is returned.
func (p *Plan) Sample(ctx context.Context, count int, seed uint64) ([]Pair, error) {
	if count < 0 || count > math.MaxInt32 {
		return nil, fmt.Errorf("transport: a sample of %d pairs, at most %d", count, math.MaxInt32)
	}
	if count == 0 {
		return nil, nil
	}
	n := len(p.row)
	ones := make([]float64, n)
	for i := range ones {
		ones[i] = 1
	}
	rows, err := p.Push(ctx, nil, ones)
	if err != nil {
		return nil, err
	}
	if s := measure.Total(rows); !(s > 0) || math.IsInf(s, 1) {
		return nil, fmt.Errorf("transport: a sample of a plan with mass %g", s)
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	draws := make([]int, n)
	measure.Accumulate(rows)
	for k := range count {
		if k%drawn == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		draws[measure.Draw(rows, rng.Float64())]++
	}
	sources, u := make([]int32, 0, count), make([]float64, 0, count)
	for i, c := range draws {
		for range c {
			sources, u = append(sources, int32(i)), append(u, rng.Float64())
		}
	}
	targets, dist, err := linop.Draw(ctx, p.kernel, sources, u)
	if err == nil && targets == nil {
		targets, dist, err = p.drawFromRows(ctx, sources, u)
	}
	if err != nil {
		return nil, err
	}
	pairs := make([]Pair, count)
	for k, i := range sources {
		if targets[k] < 0 { // the row's mass lay below what a float64 can add up
			return nil, fmt.Errorf("transport: row %d of the plan has no mass", i)
		}
		pairs[k] = Pair{i, targets[k], dist[k]}
	}
	slices.SortFunc(pairs, func(a, b Pair) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
	})
	return pairs, nil
}

// drawFromRows is linop.Draw by rows of distances, for sources in ascending order.
func (p *Plan) drawFromRows(ctx context.Context, sources []int32, u []float64) (targets []int32, dist []float64, err error) {
	targets, dist = make([]int32, len(sources)), make([]float64, len(sources))
	row := p.x // of distances; p.row has the running sums
	for k, i := range sources {
		if k%drawn == 0 && ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if k == 0 || i != sources[k-1] {
			if _, err := p.kernel.Distances(ctx, row, int(i)); err != nil {
				return nil, nil, err
			}
			for j, d := range row {
				p.row[j] = p.mass(p.logu[i]+p.logv[j], d)
			}
			measure.Accumulate(p.row)
		}
		if targets[k] = -1; p.row[len(p.row)-1] > 0 {
			j := measure.Draw(p.row, u[k])
			targets[k], dist[k] = int32(j), row[j]
		}
	}
	return targets, dist, nil
}

// Barycentres fills dst (len n, nil allocates) with the mean position of what
// every vertex sends, sum_j P_ij x_j / sum_j P_ij; a vertex without mass stays
// where it is.
func (p *Plan) Barycentres(ctx context.Context, dst, positions [][3]float64) ([][3]float64, error) {
	n := len(p.row)
	if len(positions) != n || (dst != nil && len(dst) != n) {
		panic("transport: positions of the wrong length")
	}
	if dst == nil {
		dst = make([][3]float64, n)
	}
	x := make([]float64, n)
	for i := range x {
		x[i] = 1
	}
	total, err := p.Push(ctx, nil, x)
	if err != nil {
		return nil, err
	}
	for c := range 3 {
		for i, q := range positions {
			x[i] = q[c]
		}
		if _, err := p.Push(ctx, x, x); err != nil {
			return nil, err
		}
		for i, m := range total {
			dst[i][c] = positions[i][c]
			if m > 0 {
				dst[i][c] = x[i] / m
			}
		}
	}
	return dst, nil
}
