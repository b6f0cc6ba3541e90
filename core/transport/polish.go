package transport

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"genussink/core/graph"
	"genussink/core/internal/parallel"
	"genussink/core/linop"
	"genussink/core/shortest"
)

// PolishOptions of NewPolish.
type PolishOptions struct {
	Least, Most float64 // proved: a distance of the kernel is longer than the true one by at least Least and at most Most; Most may be +Inf
	LowerBound  float64 // no transport costs less on the true distances
	Seed        uint64  // of what is drawn
}

// Polished is the cost of a plan on true distances, in the unit of distance and for the problem's mass, and what
// is known of it: Low <= Cost <= High.
type Polished struct {
	Cost, Low, High float64
	Rows, Of        int  // rows computed, of how many whose difference is not known
	Pairs           int  // pairs drawn beside
	Known           bool // Low and High are apart by rounding, and by what the marginals are off, alone
}

// Enough reports whether the interval is narrower than polishEnough of the cost: there Polish ends.
func (p *Polished) Enough() bool { return p.Known || p.High-p.Low <= polishEnough*p.Cost }

// polishEnough is a tenth of what the cost of a certified plan differs from that of the matrix by.
const polishEnough = 1e-5

// Polish computes the cost <P, d> of a plan r, found with an approximate kernel, on the true distances d, those of
// a graph. It is the kernel's own plan, P_ij = u_i exp(-D_ij/epsilon) v_j with the kernel's distances D: that plan has the
// marginals, to r.MarginalError. Hence the cost is that of a transport between the two densities, and no such costs
// less than the unregularised optimum. (Rows of true distances under the same potentials have not the
// marginals, and may cost less.)
//
// <P, D> is known, so that only sum_ij P_ij (D_ij - d_ij) is computed, row by row: a row of d is one run of Dijkstra's
// algorithm. Rows are drawn one after the other, none twice, in proportion to what is not known of them: the
// difference of row i lies in a_i [Least, Most], and by Gibbs' inequality it is at most
//
//	sum_j P_ij D_ij <= a_i epsilon (log sum_j v_j + log u_i - log a_i).
//
// Where true distances of single pairs are at hand, pairs drawn from the plan tell more in less time: the mean of their
// differences, which lie in [Least, Most], is that of all.
//
// The interval is a confidence sequence, see sequence: it holds the cost in 95 % of cases at least, however much is
// drawn and for whatever reason no more is, without any assumption about how the errors are
// distributed. Rows and pairs have one each, and the narrower one counts. Once all rows are computed it holds the cost for certain. Low is never below
// the LowerBound given. What the marginals are off by is in it too: a plan with exactly the marginals costs no more
// than MarginalError times the longest distance beside this one.
type Polish struct {
	p       Problem
	r       *Result
	g       *graph.Graph
	o       PolishOptions
	order   []int32   // rows to come and gone, as drawn
	widths  []float64 // by vertex: of the interval of the row's difference
	total   float64   // of them
	known   float64   // what the cost is, if every difference is the least possible
	slack   float64   // rounding, and what the marginals are off by
	drawn   int
	past    float64 // of the rows drawn: the sum of the differences above the least, as a share of total
	left    float64 // of the rows not drawn: the share of total
	seen    sequence
	span    float64 // of the pairs: what their differences together can be, Most less Least times the mass
	pairs   sequence
	rng     *rand.Rand
	workers []polisher
}

// polisher is one worker's scratch space.
type polisher struct {
	solver *shortest.Solver
	d, own []float64
}

// NewPolish begins: nothing is drawn yet. The plan must have converged; its kernel must be the one that it was found with.
func NewPolish(p Problem, r *Result, g *graph.Graph, o PolishOptions) (*Polish, error) {
	n, _ := p.Kernel.Dims()
	if g.Len() != n || len(p.Source) != n || len(p.Target) != n || len(r.LogU) != n || len(r.LogV) != n {
		return nil, fmt.Errorf("transport: a plan of %d vertices on a graph of %d", n, g.Len())
	}
	if r.Status != Converged {
		return nil, fmt.Errorf("transport: the plan has not converged: a marginal error of %g", r.MarginalError)
	}
	if !(o.Least <= o.Most) || math.IsInf(o.Least, 0) {
		return nil, fmt.Errorf("transport: distances too long by %g to %g", o.Least, o.Most)
	}
	c := &Polish{p: p, r: r, g: g, o: o, widths: make([]float64, n), known: r.Cost, left: 1, rng: rand.New(rand.NewPCG(o.Seed, 1))}
	mass, reach := sum(p.Source), -p.Kernel.LogFloor()*p.Epsilon
	c.slack = polishRounding*r.Cost + r.MarginalError*mass*reach
	c.span = mass * (o.Most - o.Least)
	all := logSum(r.LogV)
	keys := make([]float64, n)
	for i, a := range p.Source {
		if !(a > 0) {
			continue
		}
		most := min(o.Most, reach, p.Epsilon*(all+r.LogU[i]-math.Log(a)))
		c.known -= a * o.Least
		c.widths[i] = a * max(0, most-o.Least)
		c.total += c.widths[i]
		if c.widths[i] > 0 { // smallest first, these keys draw one after the other by width (Efraimidis and Spirakis 2006)
			c.order = append(c.order, int32(i))
			keys[i] = c.rng.ExpFloat64() / c.widths[i]
		}
	}
	slices.SortFunc(c.order, func(i, j int32) int { return cmp.Or(cmp.Compare(keys[i], keys[j]), cmp.Compare(i, j)) })
	return c, nil
}

// polishRounding is what share of the cost is lost to rounding at most: factors of float32.
const polishRounding = 0x1p-22

// Estimate is what is known now.
func (c *Polish) Estimate() Polished {
	low, mid, high := c.past, c.past, c.past // above the least, as shares of total
	done := c.drawn == len(c.order)
	if !done {
		low, mid, high = c.seen.interval()
		low, high = max(low, c.past), min(high, c.past+c.left)
	}
	total := c.total
	if l, m, h := c.pairs.interval(); !done && c.pairs.draws > 0 && (h-l)*c.span < (high-low)*c.total {
		low, mid, high, total = l, m, h, c.span
	}
	e := Polished{Rows: c.drawn, Of: len(c.order), Pairs: int(c.pairs.draws), Known: done || c.total <= c.slack}
	e.High = c.known - total*low + c.slack
	e.Low = min(max(c.known-total*high-c.slack, c.o.LowerBound), e.High)
	e.Cost = c.known - total*mid
	if e.Rows == 0 && e.Pairs == 0 {
		e.Cost = c.r.Cost
	}
	e.Cost = min(max(e.Cost, e.Low), e.High)
	return e
}

// Step draws so many more rows, as far as there are any, and returns what is known then. own fills dst with a row of the kernel's distances, from any goroutine. When ctx ends its error is returned, and nothing of the step counts.
func (c *Polish) Step(ctx context.Context, rows int, own func(dst []float64, i int32) []float64) (Polished, error) {
	e := c.Estimate()
	if e.Known {
		return e, nil
	}
	n := c.g.Len()
	workers := parallel.Workers(rows)
	next := c.order[c.drawn:]
	next = next[:min(max(rows, 1), len(next))]
	for len(c.workers) < workers {
		c.workers = append(c.workers, polisher{shortest.NewSolver(c.g), make([]float64, n), make([]float64, n)})
	}
	values := make([]float64, len(next))
	err := parallel.Each(ctx, workers, len(next), func(worker, k int) {
		w, i := &c.workers[worker], next[k]
		w.solver.Under(ctx)
		values[k] = c.difference(i, own(w.own, i), w.solver.Distances(w.d, i))
	})
	if err == nil {
		err = ctx.Err() // what it cut short
	}
	if err != nil {
		return e, err
	}
	for k, i := range next {
		share := c.widths[i] / c.total
		x := min(max((values[k]-c.p.Source[i]*c.o.Least)/c.widths[i], 0), 1)
		c.seen.add(x, c.past, c.left)
		c.past += share * x
		c.left = max(c.left-share, 0)
	}
	c.drawn += len(next)
	return c.Estimate(), nil
}

// StepPairs draws so many pairs from the plan, which is that of the result, and returns what is known then. distance is the true
// one of a pair, but for rounding, from any goroutine. It takes bounds on the differences. When ctx ends its error is returned, and nothing of the step counts.
func (c *Polish) StepPairs(ctx context.Context, count int, plan *Plan, distance func(i, j int32) float64) (Polished, error) {
	e := c.Estimate()
	if math.IsInf(c.span, 1) {
		return e, fmt.Errorf("transport: pairs of distances that may be too long by any amount")
	}
	if e.Known {
		return e, nil
	}
	drawn, err := plan.Sample(ctx, count, c.rng.Uint64())
	if err != nil {
		return e, err
	}
	const piece = 256
	values := make([]float64, len(drawn))
	pieces := (len(drawn) + piece - 1) / piece
	err = parallel.Each(ctx, parallel.Workers(pieces), pieces, func(_, k int) {
		for n := k * piece; n < min((k+1)*piece, len(drawn)); n++ {
			p := drawn[n]
			x := (p.Distance - distance(p.From, p.To) - c.o.Least) / (c.o.Most - c.o.Least)
			values[n] = min(max(x, 0), 1)
		}
	})
	if err != nil {
		return e, err
	}
	c.rng.Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] }) // they came in the order of their sources
	for _, x := range values {
		c.pairs.add(x, 0, 1)
	}
	return c.Estimate(), nil
}

// difference is sum_j P_ij (D_ij - d_ij).
func (c *Polish) difference(i int32, own, d []float64) (total float64) {
	u := c.r.LogU[i]
	for j, v := range c.r.LogV {
		if x := own[j]; v > math.Inf(-1) && x < math.Inf(1) {
			total += math.Exp(u+v-x/c.p.Epsilon) * (x - d[j])
		}
	}
	return total
}

// sequence is a confidence sequence for the total of values in [0,1], each with a weight, the weights adding up to
// 1, of which one after the other is drawn by weight, none twice: the predictable plug-in empirical Bernstein
// sequence (Waudby-Smith and Ramdas 2023, Theorem 2 and Section 4). A draw's mean, given all before, is (total - past)/left,
// past being the weighted sum of the values drawn before and left the weight of the others. So
//
//	exp(sum_k lambda_k (x_k - (total - past_k)/left_k) - (x_k - m_k)^2 (-log(1-lambda_k) - lambda_k))
//
// is a supermartingale from 1, and so is that with the sign of the first term turned; neither ever exceeds 2/alpha but with
// probability alpha/2. The bets lambda_k and the guesses m_k of x_k may depend on what was drawn before.
type sequence struct {
	draws           float64
	sum, squares    float64 // of the values; of their distances from the guesses
	bets, won, paid float64 // sums over draws of lambda/left, lambda (x + past/left), and the second term
	weight, moment  float64 // sums of 1/left^2, and of that times past + left x, whose mean is the total
}

const (
	sequenceAlpha = 0.025 // how often it may be wrong at most: there are two
	mostBet       = 0.75  // of 1: more would pay for rare values only
)

func (s *sequence) add(x, past, left float64) {
	guess := (s.sum + 0.5) / (s.draws + 1)
	variance := (s.squares + 0.25) / (s.draws + 1)
	s.draws++
	// Best for an interval after 4 times as many draws, and nearly so after any number between them; what is drawn late, of few that are left, tells more.
	bet := min(mostBet, math.Sqrt(math.Log(2/sequenceAlpha)/(2*variance*s.draws))/left)
	off := (x - guess) * (x - guess)
	s.bets += bet / left
	s.won += bet * (x + past/left)
	s.paid += off * (-math.Log1p(-bet) - bet)
	s.sum += x
	s.squares += off
	s.weight += 1 / (left * left)
	s.moment += (past + left*x) / (left * left)
}

// interval holds the total, and mid is the least uncertain mean.
func (s *sequence) interval() (low, mid, high float64) {
	if s.draws == 0 {
		return 0, 0.5, 1
	}
	centre, off := s.won/s.bets, (math.Log(2/sequenceAlpha)+s.paid)/s.bets
	return max(centre-off, 0), s.moment / s.weight, min(centre+off, 1)
}

// productRows returns rows of a kernel's distances by its products with unit vectors: what it multiplies with. Goroutines
// take turns.
func productRows(k linop.Kernel, epsilon float64) func(dst []float64, i int32) []float64 {
	n, _ := k.Dims()
	x, zero := make([]float64, n), 0.0
	plain := k.LogFloor() > -linop.MaxLog // entries fit float64, so that products need no logarithms
	if !plain {
		zero = math.Inf(-1)
	}
	for j := range x {
		x[j] = zero
	}
	var turn sync.Mutex
	return func(dst []float64, i int32) []float64 {
		turn.Lock()
		defer turn.Unlock()
		if plain {
			x[i] = 1
			k.MulVec(dst, x)
			for j, e := range dst {
				dst[j] = math.Log(e)
			}
		} else {
			x[i] = 0
			k.LogMulVec(dst, x)
		}
		x[i] = zero
		for j, e := range dst {
			dst[j] = 0 - epsilon*e // 0, not -0, from a vertex to itself
		}
		return dst
	}
}

// logSum is log sum_j exp(x_j).
func logSum(x []float64) float64 {
	top, total := math.Inf(-1), 0.0
	for _, l := range x {
		top = max(top, l)
	}
	if top == math.Inf(-1) {
		return top
	}
	for _, l := range x {
		total += math.Exp(l - top)
	}
	return top + math.Log(total)
}
