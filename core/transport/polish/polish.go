// Package polish finds what a plan costs on the true distances of a graph. The plan was found with an approximate kernel.
package polish

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"genussink/core/graph"
	"genussink/core/internal/exponential"
	"genussink/core/internal/parallel"
	"genussink/core/job"
	"genussink/core/linop"
	"genussink/core/measure"
	"genussink/core/shortest"
	"genussink/core/transport"
)

// Options of New.
type Options struct {
	Least, Most float64 // proved: a distance of the kernel is longer than the true one by at least Least and at most Most; Most may be +Inf
	LowerBound  float64 // no transport costs less on the true distances
	Seed        uint64  // of what is drawn
}

// Polished is the cost of a plan on true distances, and what is known of it: Low <= Cost <= High. All are in the unit
// of distance, for the problem's mass.
type Polished job.Estimate

// Enough reports whether the interval is narrower than the share enough of the cost. Polish ends there.
func (p *Polished) Enough() bool { return p.Known || p.High-p.Low <= enough*p.Cost }

// enough is a tenth of what the cost of a certified plan differs from that of the matrix by.
const enough = 1e-5

// Polish computes the cost <P, d> of a plan on the true distances d, those of a graph. The plan was found with an
// approximate kernel, of distances D: P_ij = u_i exp(-D_ij/epsilon) v_j. It has the marginals, to Result.MarginalError.
// So no such cost is below the unregularised optimum. (Rows of true distances under the same potentials have other
// marginals. They may cost less.)
//
// <P, D> is known. Polish draws rows, and computes sum_j P_ij (D_ij - d_ij) of each: one run of Dijkstra's algorithm.
// No row is drawn twice. A row is as likely as its difference is unknown. That lies in a_i [Least, Most]. By Gibbs'
// inequality it is also at most
//
//	sum_j P_ij D_ij <= a_i epsilon (log sum_j v_j + log u_i - log a_i).
//
// Where single true distances are at hand Polish draws pairs from the plan. Their differences lie in [Least, Most].
//
// The interval is a confidence sequence, see sequence. It holds the cost in 95 % of cases at least, whenever the drawing
// stops, however the errors are distributed. Rows and pairs have one each; the narrower one counts. With all rows
// it holds the cost for certain. It allows for what the marginals are off: MarginalError times the longest distance.
// Low is never below LowerBound.
//
// Half of all estimates are below the plan's cost, and where that is nearly optimal they would be below the optimum, too. So a transport is
// improved meanwhile, until it costs no more than the estimate or is the optimum. Then the estimate is raised to it. A draw that ends before
// leaves the estimate as it is: what a transport costs that is not yet the optimum bounds nothing from below.
type Polish struct {
	p         transport.Problem
	r         *transport.Result
	g         *graph.Graph
	o         Options
	order     []int32   // rows to come and gone, as drawn
	widths    []float64 // by vertex: of the interval of the row's difference
	total     float64   // of them
	known     float64   // the cost, if every difference is the least possible
	tolerance float64   // what rounding and the error of the marginals come to
	drawn     int
	past      float64 // of the rows drawn: the sum of the differences above the least, as a share of total
	left      float64 // of the rows not drawn: the share of total
	seen      sequence
	span      float64 // of the pairs: what their differences together can be, Most less Least times the mass
	pairs     sequence
	rng       *rand.Rand
	workers   []polisher
	best      *transshipment // nil: the cost is known well enough without
}

// polisher is one worker's scratch space.
type polisher struct {
	solver *shortest.Solver
	d, own []float64
}

// New begins: nothing is drawn yet. The plan must have converged; its kernel must be the one that it was found with.
func New(p transport.Problem, r *transport.Result, g *graph.Graph, o Options) (*Polish, error) {
	n, _ := p.Kernel.Dims()
	if g.Len() != n || len(p.Source) != n || len(p.Target) != n || len(r.LogU) != n || len(r.LogV) != n {
		return nil, fmt.Errorf("polish: a plan of %d vertices on a graph of %d", n, g.Len())
	}
	if r.Status != transport.Converged {
		return nil, fmt.Errorf("polish: the plan has not converged: a marginal error of %g", r.MarginalError)
	}
	if !(o.Least <= o.Most) || math.IsInf(o.Least, 0) {
		return nil, fmt.Errorf("polish: distances too long by %g to %g", o.Least, o.Most)
	}
	c := &Polish{p: p, r: r, g: g, o: o, widths: make([]float64, n), known: r.Cost, left: 1, rng: rand.New(rand.NewPCG(o.Seed, 1))}
	mass, reach := measure.Total(p.Source), -p.Kernel.LogFloor()*p.Epsilon
	c.tolerance = rounding*r.Cost + r.MarginalError*mass*reach
	c.span = mass * (o.Most - o.Least)
	all := exponential.LogSum(r.LogV)
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
	if c.total > enough*r.Cost {
		prices := make([]float64, n) // the dual's
		_, ku := r.Products()
		for i, x := range ku {
			prices[i] = p.Epsilon * x
		}
		c.best = newTransshipment(g, p.Source, p.Target, prices)
	}
	return c, nil
}

// rounding is what share of the cost is lost to rounding at most: factors of float32.
const rounding = 0x1p-22

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
	e := Polished{Rows: c.drawn, Of: len(c.order), Pairs: int(c.pairs.draws), Known: done || c.total <= c.tolerance}
	e.High = c.known - total*low + c.tolerance
	e.Low = min(max(c.known-total*high-c.tolerance, c.o.LowerBound), e.High)
	e.Cost = c.known - total*mid
	if e.Rows == 0 && e.Pairs == 0 {
		e.Cost = c.r.Cost
	}
	if !e.Known && c.best != nil && c.best.optimal {
		e.Cost = max(e.Cost, c.best.cost)
	}
	e.Cost = min(max(e.Cost, e.Low), e.High)
	return e
}

// The transport is improved for about as long as drawing takes, in exchanges. One takes some n/500 us.
const (
	rowExchanges  = 64  // for a row, which takes some n/4 us
	pairExchanges = 500 // for n pairs, of a microsecond or two
)

// compare improves the transport as long as the estimate is below its cost, and returns the estimate.
func (c *Polish) compare(exchanges int) Polished {
	e := c.Estimate()
	for ; exchanges > 0 && !e.Known && c.best != nil && e.Cost <= c.best.cost && !c.best.optimal; exchanges -= rowExchanges {
		c.best.improve(rowExchanges)
		e = c.Estimate()
	}
	return e
}

// DrawRows draws so many more rows, as far as there are any, and returns what is known then. own has the distances of the kernel; any
// goroutine may ask it. An error of own or of ctx is returned, and nothing of that draw counts.
func (c *Polish) DrawRows(ctx context.Context, rows int, own linop.Distancer) (Polished, error) {
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
	values, errs := make([]float64, len(next)), make([]error, workers)
	err := parallel.Each(ctx, workers, len(next), func(worker, k int) {
		w, i := &c.workers[worker], next[k]
		row, err := own.Distances(ctx, w.own, int(i))
		if err == nil {
			_, err = w.solver.DistancesContext(ctx, w.d, []int32{i}, nil)
		}
		if err != nil {
			errs[worker] = err
			return
		}
		values[k] = c.difference(i, row, w.d)
	})
	if err == nil {
		err = errors.Join(errs...)
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
	return c.compare(rowExchanges * len(next)), nil
}

// DrawPairs draws so many pairs from the plan, which is that of the result, and returns what is known then. distance is the true one
// of a pair, up to rounding; any goroutine may call it. Most must be finite. When ctx ends its error is returned, and nothing of that
// draw counts.
func (c *Polish) DrawPairs(ctx context.Context, count int, plan *transport.Plan, distance func(i, j int32) float64) (Polished, error) {
	e := c.Estimate()
	if math.IsInf(c.span, 1) {
		return e, fmt.Errorf("polish: pairs of distances that may be too long by any amount")
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
	return c.compare(1 + pairExchanges*len(values)/c.g.Len()), nil
}

// difference is sum_j P_ij (D_ij - d_ij).
func (c *Polish) difference(i int32, own, d []float64) (total float64) {
	u := c.r.LogU[i]
	for j, v := range c.r.LogV {
		if x := own[j]; v > math.Inf(-1) && x < math.Inf(1) {
			total += exponential.Exp(u+v-x/c.p.Epsilon) * (x - d[j])
		}
	}
	return total
}

// sequence is a confidence sequence for the weighted total of values in [0,1]. The weights add up to 1. Values are drawn by
// weight, none twice. It is the predictable plug-in empirical Bernstein sequence (Waudby-Smith and Ramdas 2023, Theorem 2
// and Section 4). Let past be the weighted sum of the values drawn before, and left the weight of the others. The next
// draw's mean is then (total - past)/left. So
//
//	exp(sum_k lambda_k (x_k - (total - past_k)/left_k) - (x_k - m_k)^2 (-log(1-lambda_k) - lambda_k))
//
// is a supermartingale from 1. So it is with the sign of the first term turned. Either exceeds 2/alpha, ever, with probability
// alpha/2 at most. The bets lambda_k and the guesses m_k of x_k may depend on what was drawn before.
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
	// Best for an interval after 4 times as many draws, and nearly so for any number between. Late draws, of few that are left, tell more.
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
