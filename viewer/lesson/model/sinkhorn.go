package model

import (
	"math"
	"slices"
)

// Transport is a small problem: to move Source to Target, whose sums are 1,
// over distances D, at entropic regularisation Epsilon.
type Transport struct {
	D              [][]float64
	Source, Target []float64
	Epsilon        float64
}

// State is where Sinkhorn's iteration stands after a half step: potentials as
// logarithms, and how far the rows and columns are from what they should hold.
type State struct {
	LogU, LogV         []float64
	RowError, ColError float64 // L1
	Cost               float64 // <P, D> of the plan as it stands
	Primal, Dual, Gap  float64 // of <P, D> + epsilon KL(P | a b^T); the primal of the plan made to fit
	Partners           float64 // how many vertices a source vertex sends to, in the mean over the source mass: exp of the entropy of its shares
}

// NewTransport is mass on a graph, by the distances of its edges.
func NewTransport(g *Graph, source, target []float64, epsilon float64) *Transport {
	t := &Transport{Source: normal(source), Target: normal(target), Epsilon: epsilon}
	for v := range g.N {
		t.D = append(t.D, g.Distances(v, nil))
	}
	return t
}

func normal(x []float64) []float64 {
	sum := 0.0
	for _, m := range x {
		sum += m
	}
	out := make([]float64, len(x))
	for i, m := range x {
		out[i] = m / sum
	}
	return out
}

// Piles are two bumps of source and two of target along a way between two ends: source, target, source, target. Mass has
// to choose, or the iteration would be done at once.
func Piles(g *Graph, from, to int) (source, target []float64) {
	way := g.Route(from, to)
	wide := 1 + float64(len(way)-1)/16
	source, target = make([]float64, g.N), make([]float64, g.N)
	bump := func(at int, mass float64, out []float64) {
		for v, d := range g.Distances(at, nil) {
			out[v] += mass * math.Exp(-d*d/(2*wide*wide))
		}
	}
	last := len(way) - 1
	bump(way[0], 0.6, source)
	bump(way[2*last/3], 0.4, source)
	bump(way[last/3], 0.4, target)
	bump(way[last], 0.6, target)
	for v := range source { // some mass everywhere
		source[v], target[v] = source[v]+1e-4, target[v]+1e-4
	}
	return normal(source), normal(target)
}

// start is v = 1 and no u yet.
func (t *Transport) start() (logu, logv []float64) {
	return make([]float64, len(t.Source)), make([]float64, len(t.Target))
}

// rows sets u = a / (K v).
func (t *Transport) rows(logu, logv []float64) {
	for i, a := range t.Source {
		logu[i] = math.Log(a) - lse(len(logv), func(j int) float64 { return logv[j] - t.D[i][j]/t.Epsilon })
	}
}

// columns sets v = b / (K^T u).
func (t *Transport) columns(logu, logv []float64) {
	for j, b := range t.Target {
		logv[j] = math.Log(b) - t.column(j, logu)
	}
}

// column is the logarithm of an entry of K^T u.
func (t *Transport) column(j int, logu []float64) float64 {
	return lse(len(logu), func(i int) float64 { return logu[i] - t.D[i][j]/t.Epsilon })
}

// negligible is the logarithm of a share that is lost in a float64's rounding, whatever number of vertices a plan has.
const negligible = -45

// lse is the logarithm of a sum of exponentials.
func lse(n int, at func(int) float64) float64 {
	most := math.Inf(-1)
	for i := range n {
		most = max(most, at(i))
	}
	if math.IsInf(most, -1) {
		return most
	}
	sum := 0.0
	for i := range n {
		if x := at(i) - most; x > negligible {
			sum += math.Exp(x)
		}
	}
	return most + math.Log(sum)
}

// Plan is P_ij = u_i K_ij v_j (the paper, Sec. 1), row by row.
func (t *Transport) Plan(s State) []float64 {
	out := make([]float64, 0, len(t.Source)*len(t.Target))
	for i := range t.Source {
		for j := range t.Target {
			out = append(out, math.Exp(s.LogU[i]+s.LogV[j]-t.D[i][j]/t.Epsilon))
		}
	}
	return out
}

// sums are those of a matrix's rows and columns.
func sums(p []float64, columns int) (row, col []float64) {
	row, col = make([]float64, len(p)/columns), make([]float64, columns)
	for k, x := range p {
		row[k/columns] += x
		col[k%columns] += x
	}
	return row, col
}

// Marginals are what the plan's rows and columns hold.
func (t *Transport) Marginals(s State) (row, col []float64) { return sums(t.Plan(s), len(t.Target)) }

// Moving is where a state's mass is on its way along shortest paths of the graph that the distances are of, at a share of the time from 0
// to 1: all of it arrives at once, and stands at the vertex that is nearest.
func (t *Transport) Moving(g *Graph, s State, share float64) []float64 {
	out, plan, next, n := make([]float64, g.N), t.Plan(s), g.Neighbours(), len(t.Target)
	for j := range n {
		d := g.Distances(j, nil)
		for i := range t.Source {
			v := i
			for range int(math.Round(share * d[i])) {
				v = next[v][slices.IndexFunc(next[v], func(w int) bool { return d[w] == d[v]-1 })]
			}
			out[v] += plan[i*n+j]
		}
	}
	return out
}

// state measures.
func (t *Transport) state(logu, logv []float64) State {
	s := State{LogU: append([]float64(nil), logu...), LogV: append([]float64(nil), logv...)}
	p, n := t.Plan(s), len(t.Target)
	row, col := sums(p, n)
	for i, a := range t.Source {
		s.RowError += math.Abs(row[i] - a)
	}
	for j, b := range t.Target {
		s.ColError += math.Abs(col[j] - b)
	}
	mass := 0.0
	for k, x := range p {
		i, j := k/n, k%n
		s.Cost += x * t.D[i][j]
		mass += x
	}
	for i, r := range row {
		entropy := 0.0
		for j := range col {
			if x := p[i*n+j] / r; x > 0 {
				entropy -= x * math.Log(x)
			}
		}
		s.Partners += t.Source[i] * math.Exp(entropy)
	}
	// The dual of <P,D> + epsilon KL(P | a b^T) at f = epsilon log(u/a), g = epsilon log(v/b).
	for i, a := range t.Source {
		s.Dual += t.Epsilon * a * (s.LogU[i] - math.Log(a))
	}
	for j, b := range t.Target {
		s.Dual += t.Epsilon * b * (s.LogV[j] - math.Log(b))
	}
	s.Dual += t.Epsilon * (1 - mass)
	// A plan that fits: too much is scaled down, what is missing added as a product (Altschuler, Weed and Rigollet 2017).
	fit := append([]float64(nil), p...)
	for k := range fit {
		fit[k] *= min(1, t.Source[k/n]/row[k/n])
	}
	_, col = sums(fit, n)
	for k := range fit {
		fit[k] *= min(1, t.Target[k%n]/col[k%n])
	}
	row, col = sums(fit, n)
	lack := 0.0
	for i, a := range t.Source {
		lack += a - row[i]
	}
	for k := range fit {
		i, j := k/n, k%n
		if lack > 1e-300 {
			fit[k] += (t.Source[i] - row[i]) * (t.Target[j] - col[j]) / lack
		}
		s.Primal += fit[k] * t.D[i][j]
		if fit[k] > 0 {
			s.Primal += t.Epsilon * fit[k] * math.Log(fit[k]/(t.Source[i]*t.Target[j]))
		}
	}
	s.Gap = s.Primal - s.Dual
	return s
}

// Steps are the states of the iteration after each half step, the rows' first,
// until the columns' error after the rows' step is within the tolerance, or a
// number of half steps is over. The first state is the start, before any step.
func (t *Transport) Steps(tolerance float64, most int) []State {
	u, v := t.start()
	out := []State{t.state(u, v)}
	for len(out) <= most {
		if len(out)%2 == 1 {
			t.rows(u, v)
		} else {
			t.columns(u, v)
		}
		s := t.state(u, v)
		out = append(out, s)
		if len(out)%2 == 0 && s.ColError <= tolerance {
			break
		}
	}
	return out
}

// Iterations is how many steps of the rows it takes until the columns' error is
// within the tolerance, or most.
func (t *Transport) Iterations(tolerance float64, most int) (count int, last State) {
	u, v := t.start()
	next := make([]float64, len(v)) // v after the step of the columns
	for {
		t.rows(u, v)
		count++
		off := 0.0
		for j, b := range t.Target {
			held := t.column(j, u)
			off += math.Abs(b - math.Exp(v[j]+held))
			next[j] = math.Log(b) - held
		}
		if off <= tolerance || count >= most {
			return count, t.state(u, v)
		}
		v, next = next, v
	}
}
