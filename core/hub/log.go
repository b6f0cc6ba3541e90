package hub

import (
	"context"
	"math"

	"genussink/core/hub/logdomain"
	"genussink/core/linop"
)

// LogMulVec computes dst_i = log sum_j exp(x_j - d_ij/epsilon) on the same
// tiles as MulVec.
func (k *Kernel) LogMulVec(ctx context.Context, dst, x []float64) ([]float64, error) {
	k.begin(ctx)
	defer k.end()
	k.dst = check(dst, x, len(k.x))
	if k.tops == nil {
		k.tops = make([]float64, len(k.sums))
		for g := range k.lanes {
			p := &k.lanes[g]
			p.yTop, p.accTop = make([]float64, len(p.y), cap(p.y)), make([]float64, len(p.acc))
		}
	}
	k.load(x)
	if err := k.run(k.logStages[:]...); err != nil {
		return nil, err
	}
	k.form = logarithmic
	return k.dst, nil
}

func (k *Kernel) logCollectLane(_, g int) {
	from, to := k.laneRanks(g)
	total := logdomain.Exponents{Top: []float64{0}, Sum: []float64{0}}
	for p, v := range k.cover.Labels.Order[from:to] {
		total.Clear()
		for i := range k.lanes {
			total.Add(0, k.lanes[i].yTop[from+p], k.lanes[i].y[from+p])
		}
		k.dst[v] = total.Log(0)
	}
}

func (k *Kernel) logSumUpLane(_, g int) {
	scale := 1 / k.epsilon
	all := logdomain.Exponents{Top: k.tops, Sum: k.sums}
	for m := k.Moments[g]; m < k.Moments[g+1]; m++ {
		o := &k.cover.Moments[m]
		k.tops[m], k.sums[m] = math.Inf(-1), 0
		ranks, dist := k.lanes[g].row.Of(k.cover, &k.cover.Labels.Values, o)
		for i, d := range dist {
			all.Add(m, k.x[ranks[i]]-d*scale, 1)
		}
	}
}

func (k *Kernel) logMultiplyLane(worker, g int) {
	p := &k.lanes[g]
	y, acc := logdomain.Exponents{Top: p.yTop, Sum: p.y}, logdomain.Exponents{Top: p.accTop, Sum: p.acc}
	y.Clear()
	acc.Clear()
	for h := k.Hubs[g]; h < k.Hubs[g+1]; h++ {
		p.logs.Hub(k.cover, h, k.epsilon, k.x, y)
	}
	for _, c := range k.cover.RankOnes[k.RankOnes[g]:k.RankOnes[g+1]] {
		acc.Add(int(c.A), k.tops[c.B]+c.Shift/k.epsilon, k.sums[c.B])
		acc.Add(int(c.B), k.tops[c.A]+c.Shift/k.epsilon, k.sums[c.A])
	}
	for n := k.Staircases[g]; n < k.Staircases[g+1] && !k.over(8*n); n++ {
		p.logs.Staircase(k.cover, &k.cover.Staircases.List[n], k.epsilon, k.x, y)
	}
	p.x = k.workerX(worker)
	for n := k.Batches[g]; n < k.Batches[g+1]; n++ {
		k.logMultiplyBatch(n, p)
	}
}

// logMultiplyBatch is multiplyBatch in logarithms.
func (k *Kernel) logMultiplyBatch(n int, p *lane) {
	b, end := &k.cover.Batches[n], &k.cover.Batches[n+1]
	aggregates := k.cover.Aggregates[b.Aggregate:end.Aggregate]
	size, scale := len(k.x), 1/k.epsilon
	p.x, p.y, p.yTop = p.x[:size], p.y[:size+len(aggregates)], p.yTop[:size+len(aggregates)]
	for _, o := range aggregates {
		p.x = append(p.x, logdomain.AggregateSum(k.cover, o, p.x, scale))
	}
	y := logdomain.Exponents{Top: p.yTop, Sum: p.y}
	logdomain.Exponents{Top: y.Top[size:], Sum: y.Sum[size:]}.Clear()
	for i := b.SeparatorBlock; i < end.SeparatorBlock && !k.over(int(i)); i++ {
		p.logs.SeparatorBlock(k.cover, i, k.epsilon, p.x, y)
	}
	for i := b.Tile; i < end.Tile && !k.over(8*int(i)); i++ {
		p.logs.Tile(k.cover, i, k.epsilon, p.x, y)
	}
	for i, o := range aggregates {
		if sum := y.Sum[size+i]; sum > 0 {
			for j := o.From; j < o.To; j++ {
				y.Add(int(k.cover.Ranks[j]), y.Top[size+i]-k.cover.Offset(j)*scale, sum)
			}
		}
	}
	p.x, p.y, p.yTop = p.x[:size], p.y[:size], p.yTop[:size]
}

func (k *Kernel) logHandOutLane(_, g int) {
	p, scale := &k.lanes[g], 1/k.epsilon
	y := logdomain.Exponents{Top: p.yTop, Sum: p.y}
	for m := k.Moments[g]; m < k.Moments[g+1]; m++ {
		total := logdomain.Exponents{Top: []float64{math.Inf(-1)}, Sum: []float64{0}}
		for q := range k.lanes {
			total.Add(0, k.lanes[q].accTop[m], k.lanes[q].acc[m])
		}
		if total.Top[0] == math.Inf(-1) {
			continue
		}
		ranks, dist := p.row.Of(k.cover, &k.cover.Labels.Values, &k.cover.Moments[m])
		for i, d := range dist {
			y.Add(int(ranks[i]), total.Top[0]-d*scale, total.Sum[0])
		}
	}
}

// PlanCost is sum_ij P_ij D_ij for P_ij = exp(logu_i - D_ij/epsilon + logv_j)
// with the kernel's own distances D.
func (k *Kernel) PlanCost(ctx context.Context, logu, logv []float64) (float64, error) {
	n := k.cover.Labels.Len()
	if len(logu) != n || len(logv) != n {
		panic("hub: PlanCost: a vector has the wrong length")
	}
	u, v := make([]float64, n), make([]float64, n)
	if linop.Scalings(u, v, logu, logv, k.LogFloor()) {
		return k.MulPlan(ctx, nil, nil, u, v)
	}
	for p, w := range k.cover.Labels.Order {
		u[p], v[p] = logu[w], logv[w]
	}
	return logdomain.Cost(ctx, k.cover, &k.Cuts, k.epsilon, u, v)
}
