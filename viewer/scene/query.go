package scene

import (
	"slices"

	"genussink/core/job"
	"genussink/viewer/colormap"
)

// Query is a question on the plan: where the mass of some vertices goes, or comes from.
type Query struct {
	side     side      // whose mass the vertices have: the source's goes, the target's comes
	set      []float64 // 1 at each of them, 0 elsewhere; nil: nothing is asked
	count    int       // how many they are
	revision int       // of the set
	due      bool      // set or plan are others than the last request's

	answer []float64 // mass at each vertex, nil before it is known
	laid   []float64 // the answer as it is laid over the fill
	top    float64   // the largest
	total  float64   // the sum
	most   int       // the fewest vertices that hold queryShare of it
}

// queryShare is a share of the mass. The panel says how few vertices hold that much.
const queryShare = 0.9

// asking are the sides that the asking tools select.
var asking = map[Tool]side{ToolGoes: sourceSide, ToolComes: targetSide}

// begin asks about no vertex yet, of a mesh of n.
func (q *Query) begin(of side, n int) {
	*q = Query{side: of, set: make([]float64, n), revision: q.revision + 1}
}

// end asks nothing, and says whether something was asked.
func (q *Query) end() bool {
	was := q.set != nil
	*q = Query{revision: q.revision + 1}
	return was
}

// shown says whether the mesh shows it.
func (q *Query) shown() bool { return q.set != nil }

// add selects vertices.
func (q *Query) add(vertices []int32) {
	for _, v := range vertices {
		if q.set[v] == 0 {
			q.set[v] = 1
			q.count++
			q.due = true
		}
	}
	q.revision++
}

// request asks where the mass is, nil where nothing is due.
func (q *Query) request() *job.Push {
	if !q.due || q.count == 0 {
		return nil
	}
	q.due = false
	return &job.Push{Values: slices.Clone(q.set), Transpose: q.side == sourceSide}
}

// vertices are those asked about.
func (q *Query) vertices() (all []int32) {
	for v, x := range q.set {
		if x > 0 {
			all = append(all, int32(v))
		}
	}
	return all
}

// take takes the answer.
func (q *Query) take(values []float64) bool {
	if q.set == nil {
		return true // it has ended meanwhile
	}
	if len(values) != len(q.set) {
		return false
	}
	q.answer, q.top, q.total, q.most = values, 0, 0, 0
	for _, x := range values {
		q.total += x
		q.top = max(q.top, x)
	}
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	for sum := 0.0; q.most < len(sorted) && sum < queryShare*q.total; q.most++ {
		sum += sorted[len(sorted)-1-q.most]
	}
	return true
}

// fill appends every vertex's colour: the selected ones stand out.
func (q *Query) fill(dst []colormap.RGB, theme colormap.Theme) []colormap.RGB {
	for _, x := range q.set {
		if x > 0 {
			dst = append(dst, colormap.Accent())
		} else {
			dst = append(dst, colormap.Clay(theme))
		}
	}
	return dst
}

// cover lays the answer over the fill and, faintly, the density that is selected from. Mass that stays among the selected vertices
// hides less than half of their colour: they can be told apart.
func (q *Query) cover(d *Densities) cover {
	const faint, most = 0.15, 0.3 // of the peak
	over := cover{densities: d.values, perMass: inverse(q.top, 0), through: true}
	if q.answer != nil {
		q.laid = append(q.laid[:0], q.answer...)
		for v, x := range q.set {
			if x > 0 {
				q.laid[v] = min(q.laid[v], most*q.top)
			}
		}
		over.mass = q.laid
	}
	over.per[q.side] = faint * inverse(d.peak(q.side))
	return over
}

// state is what the panel shows, nil where nothing is asked.
func (q *Query) state(d *Densities) *QueryState {
	if q.set == nil {
		return nil
	}
	st := &QueryState{Target: q.side == targetSide, Vertices: q.count, Known: q.answer != nil, Mass: finite(q.total), Most: q.most}
	for v, x := range q.set {
		if x > 0 {
			st.Share += d.values[q.side][v]
		}
	}
	if mass := d.mass(q.side); mass > 0 {
		st.Share /= mass
	}
	return st
}

// selected asks about more vertices.
func (s *Scene) selected(vertices []int32) {
	s.Query.add(vertices)
	s.askQuery()
	s.recolor(false)
	s.changed()
}

// askQuery asks the plan, one request at a time: the latest wish wins.
func (s *Scene) askQuery() {
	if s.Transport.solved == nil || s.flight.has(toQuery, toSolve, toOpen) {
		return
	}
	if q := s.Query.request(); q != nil {
		s.send(toQuery, q)
	}
}

// endQuery lets go of the question.
func (s *Scene) endQuery() {
	s.drop(toQuery)
	if s.Query.end() {
		s.recolor(true)
		s.changed()
	}
}
