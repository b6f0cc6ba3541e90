package scene

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"genussink/core/job"
	"genussink/core/paint"
	"genussink/core/session"
	"genussink/viewer/colormap"
)

// MostPaintings is how many densities a barycentre lies between at most: a square of weights has so many corners.
const MostPaintings = session.MaxKept

// What a barycentre may take. A person looks at it: to see it, less does than a solve's tolerance.
const (
	barycentreTolerance  = 1e-6
	barycentreIterations = 1000
)

// Barycentre is the density between several that a person has kept, with weights.
type Barycentre struct {
	paintings []painting
	removed   []removed  // paintings that were taken out of the list
	at        [2]float64 // where the point of the weights stands: see weightsAt
	asked     wish       // the last
	answered  wish
	found     *job.Barycentred // that answers it; nil: none of these paintings
	peak      float64          // of the density that was found
	coming    []session.Kept   // of a session, that are made anew one after the other
	due       bool             // another than the one under way is wanted
	shown     bool             // the mesh shows it
}

// painting is a density that was kept.
type painting struct {
	number int       // from 1: the least that no other had when it was kept
	values []float64 // n; must not be changed
	kept   session.Kept
}

// removed is a painting that was taken out of the list. It was the i-th of so many. at is where the point of the weights stood then.
type removed struct {
	painting
	i, of int
	at    [2]float64
}

func (b *Barycentre) reset() { *b = Barycentre{at: middle(0)} }

// forget forgets what was found: it is not of these paintings.
func (b *Barycentre) forget() {
	b.found, b.due, b.shown = nil, false, false
	b.at = middle(len(b.paintings))
}

// Corner is where the whole weight is one painting's, of so many: on a segment from left to right, a triangle or a square. x goes right and y up, from 0 to 1; a
// triangle's y goes to its top at 1, whatever its height is in a drawing.
func Corner(i, of int) (x, y float64) {
	switch of {
	case 2:
		return float64(i), 0
	case 3:
		return [3]float64{0, 1, 0.5}[i], [3]float64{0, 0, 1}[i]
	}
	return float64(i % 2), 1 - float64(i/2)
}

// middle is where all weights of so many paintings are the same.
func middle(of int) [2]float64 {
	switch of {
	case 2:
		return [2]float64{0.5, 0}
	case 3:
		return [2]float64{0.5, 1. / 3}
	}
	return [2]float64{0.5, 0.5}
}

// weightsAt are the weights of so many paintings, of total 1, at a place: linear on the segment, barycentric in the triangle, bilinear in the square. A place outside
// is moved in; where to is returned.
func weightsAt(x, y float64, of int) (weights []float64, at [2]float64) {
	x, y = min(max(x, 0), 1), min(max(y, 0), 1)
	switch of {
	case 0, 1:
		return slices.Repeat([]float64{1}, of), middle(of)
	case 2:
		return []float64{1 - x, x}, [2]float64{x, 0}
	case 3:
		weights = []float64{1 - x - y/2, x - y/2, y}
		total := 0.0
		for i := range weights {
			weights[i] = max(weights[i], 0)
			total += weights[i]
		}
		for i := range weights {
			weights[i] /= total
		}
		return weights, [2]float64{weights[1] + weights[2]/2, weights[2]}
	}
	return []float64{(1 - x) * y, x * y, (1 - x) * (1 - y), x * (1 - y)}, [2]float64{x, y}
}

// weigh is the place where painting i of so many has a weight, from 0 to 1, and the others what is left, in the proportions that they have at a place. In the square
// that cannot be: there the place moves along its line to the painting's corner.
func weigh(i int, weight float64, at [2]float64, of int) [2]float64 {
	weight = min(max(weight, 0), 1)
	if of == 4 {
		cx, cy := Corner(i, of)
		p, q := 1-math.Abs(cx-at[0]), 1-math.Abs(cy-at[1]) // how near to the corner: p q is its weight
		if p*q == 0 {
			p, q = math.Sqrt(weight), math.Sqrt(weight)
		} else {
			scale := math.Sqrt(weight / (p * q))
			p, q = p*scale, q*scale
			if p > 1 {
				p, q = 1, weight
			} else if q > 1 {
				p, q = weight, 1
			}
		}
		return [2]float64{math.Abs(cx - (1 - p)), math.Abs(cy - (1 - q))}
	}
	now, _ := weightsAt(at[0], at[1], of)
	rest := 1 - now[i]
	x, y := 0.0, 0.0
	for k, w := range now {
		switch {
		case k == i:
			w = weight
		case rest > 0:
			w *= (1 - weight) / rest
		default:
			w = (1 - weight) / float64(of-1)
		}
		cx, cy := Corner(k, of)
		x, y = x+w*cx, y+w*cy
	}
	return [2]float64{x, y}
}

// Place is where the point of the weights stands, and of how many paintings: x goes right and y up, from 0 to 1.
func (b *Barycentre) Place() (at [2]float64, of int) { return b.at, len(b.paintings) }

// weights are the paintings', of total 1.
func (b *Barycentre) weights() []float64 {
	w, _ := weightsAt(b.at[0], b.at[1], len(b.paintings))
	return w
}

// leastWeight is the least share of the weight that counts: a painting with less is left out.
const leastWeight = 1e-6

// wish is a barycentre that the settings ask for.
type wish struct {
	spec    job.KernelSpec
	of      []int     // the paintings that it lies between, by their places in the list
	weights []float64 // theirs
}

// wish is of squared distance, by the page's method where that has such kernels, and at its epsilon but for session.LeastBetween.
func (b *Barycentre) wish(t *Transport) (w wish) {
	method, function := t.usual(), "squared"
	switch method {
	case job.Exact, job.Certified, job.Embedded:
	default:
		method = job.Certified
	}
	if strings.HasPrefix(t.kernel, "gauss") {
		function = t.kernel
	}
	w.spec = t.spec(method)
	w.spec.Function, w.spec.Epsilon = function, job.Fraction(max(t.epsilon, session.LeastBetween))
	for i, x := range b.weights() {
		if x > leastWeight {
			w.of, w.weights = append(w.of, i), append(w.weights, x)
		}
	}
	return w
}

func (w wish) equal(other wish) bool {
	return w.spec == other.spec && slices.Equal(w.of, other.of) && slices.Equal(w.weights, other.weights)
}

// request asks for a wish.
func (b *Barycentre) request(w wish) *job.Barycentre {
	q := &job.Barycentre{KernelSpec: w.spec, Weights: w.weights, Tolerance: barycentreTolerance, MaxIterations: barycentreIterations}
	for _, i := range w.of {
		q.Densities = append(q.Densities, b.paintings[i].values...)
	}
	return q
}

// take takes the answer to what was asked, for a mesh of so many vertices.
func (b *Barycentre) take(e *job.Barycentred, vertices int) bool {
	if len(e.Density) != vertices || len(e.Costs) != len(b.asked.of) || slices.ContainsFunc(e.Density, func(x float64) bool { return !(x >= 0) || math.IsInf(x, 1) }) {
		return false
	}
	b.answered, b.found, b.peak = b.asked, e, 0
	for _, x := range e.Density {
		b.peak = max(b.peak, x)
	}
	return true
}

// cover lays it over the fill.
func (b *Barycentre) cover(none paint.Pair) cover {
	return cover{densities: none, mass: b.found.Density, perMass: inverse(b.peak, 0), tint: colormap.Between()}
}

// visible says whether the mesh shows it.
func (b *Barycentre) visible() bool { return b.shown && b.found != nil }

// BarycentreState is the density between paintings that were kept, by squared distance.
type BarycentreState struct {
	Paintings  []PaintingState `json:"paintings"`
	At         [2]float64      `json:"at"`      // where the point of the weights stands: x to the right and y up, 0 to 1
	Removed    int             `json:"removed"` // paintings that can be brought back
	Computing  bool            `json:"computing"`
	Shown      bool            `json:"shown"` // the mesh shows it
	Known      bool            `json:"known"` // it was found: what follows is of that
	Stale      bool            `json:"stale"` // for other weights or settings
	Status     string          `json:"status"`
	Iterations int             `json:"iterations"`
	Error      float64         `json:"marginalError"`
	Method     string          `json:"method"`
	Kernel     string          `json:"kernel"`
	Epsilon    float64         `json:"epsilon"` // mesh units
	Most       float64         `json:"most"`    // the largest share of its mass on one vertex
	Seconds    float64         `json:"seconds"`
}

// PaintingState is a density that was kept.
type PaintingState struct {
	Number int          `json:"number"` // from 1 to MostPaintings
	Color  colormap.RGB `json:"color"`  // in the list and at the weights; not on the mesh
	Weight float64      `json:"weight"` // of 1 in all
	Cost   Number       `json:"cost"`   // of moving it to the barycentre, <P, D> in mesh units; null where that is not known, or it has no weight
}

func (b *Barycentre) state(t *Transport, computing bool) BarycentreState {
	st := BarycentreState{Paintings: []PaintingState{}, At: b.at, Removed: len(b.removed), Computing: computing, Shown: b.visible(), Known: b.found != nil}
	for i, w := range b.weights() {
		p := PaintingState{Number: b.paintings[i].number, Color: colormap.Path([MostPaintings]int{0, 2, 3, 4}[b.paintings[i].number-1]), Weight: w, Cost: unknown}
		if k := slices.Index(b.answered.of, i); b.found != nil && k >= 0 {
			p.Cost = Number(b.found.Costs[k])
		}
		st.Paintings = append(st.Paintings, p)
	}
	if e := b.found; e != nil {
		st.Status, st.Iterations, st.Error, st.Method, st.Kernel, st.Epsilon = e.Status, e.Iterations, finite(e.MarginalError), e.Method, e.Function, finite(e.Epsilon)
		st.Stale, st.Most = !b.answered.equal(b.wish(t)), b.peak
		for _, t := range e.Timings {
			st.Seconds += finite(t.Seconds)
		}
	}
	return st
}

// KeepPainting keeps the source, or the target, as one of the densities that the barycentre lies between.
func (s *Scene) KeepPainting(target bool) {
	which, name := sourceSide, "source"
	if target {
		which, name = targetSide, "target"
	}
	b := &s.Barycentre
	s.endStroke()
	switch {
	case !s.ready() || len(b.paintings) == MostPaintings:
		return
	case s.Densities.mass(which) <= 0:
		s.Fail("The " + name + " has no mass: paint it first.")
		return
	}
	p := painting{number: b.free(), values: s.Densities.values[which], kept: session.Kept{Painting: s.Densities.painting().Outcome(), Target: target}}
	if len(b.paintings) > 0 {
		both := Densities{pair: pair{values: paint.Pair{b.paintings[0].values, p.values}}}
		if u := both.unequal(&s.Mesh.components); u != nil {
			s.Fail(fmt.Sprintf("The %s and painting %d differ in %d of the %d components, between which no mass moves: component %d has %.3g %% of painting %d and %.3g %% of the %s. Paint the same shares.",
				name, b.paintings[0].number, u.Count, u.Components, u.Component, 100*u.Source, b.paintings[0].number, 100*u.Target, name))
			return
		}
	}
	s.relist(append(slices.Clip(b.paintings), p))
}

// free is the least number that no painting has.
func (b *Barycentre) free() int {
	n := 1
	for slices.ContainsFunc(b.paintings, func(p painting) bool { return p.number == n }) {
		n++
	}
	return n
}

// DropPainting takes the i-th painting out of the list. ReturnPainting puts it back.
func (s *Scene) DropPainting(i int) {
	if b := &s.Barycentre; i >= 0 && i < len(b.paintings) {
		b.removed = append(b.removed, removed{b.paintings[i], i, len(b.paintings), b.at})
		s.relist(slices.Delete(slices.Clone(b.paintings), i, i+1))
	}
}

// ReturnPainting puts the painting that was dropped last back into its place. A full list stays as it is. If the list is as long again as
// it was, the weights of then come back too.
func (s *Scene) ReturnPainting() {
	b := &s.Barycentre
	last := len(b.removed) - 1
	if last < 0 || len(b.paintings) == MostPaintings {
		return
	}
	gone := b.removed[last]
	b.removed = b.removed[:last]
	if slices.ContainsFunc(b.paintings, func(p painting) bool { return p.number == gone.number }) {
		gone.number = b.free()
	}
	s.relist(slices.Insert(slices.Clone(b.paintings), min(gone.i, len(b.paintings)), gone.painting))
	if len(b.paintings) == gone.of {
		b.at = gone.at
	}
}

// relist has the barycentre lie between other paintings, all with the same weight.
func (s *Scene) relist(list []painting) {
	s.failure = ""
	s.drop(toBarycentre)
	s.ShowBarycentre(false)
	s.Barycentre.paintings = list
	s.Barycentre.forget()
	s.changed()
}

// PlaceWeights moves the point of the weights: x to the right and y up, 0 to 1. A place outside the segment, triangle or square is moved in; NaN is ignored. Once there is a
// barycentre, that of the new weights takes its place.
func (s *Scene) PlaceWeights(x, y float64) {
	b := &s.Barycentre
	if math.IsNaN(x) || math.IsNaN(y) {
		return
	}
	_, at := weightsAt(x, y, len(b.paintings))
	if at == b.at {
		return
	}
	b.at = at
	s.changed()
	if b.found != nil || s.flight.has(toBarycentre) {
		s.findBarycentre()
	}
}

// Weigh gives the i-th painting a weight, a share of all from 0 to 1.
func (s *Scene) Weigh(i int, weight float64) {
	if b := &s.Barycentre; i >= 0 && i < len(b.paintings) && len(b.paintings) > 1 && !math.IsNaN(weight) {
		at := weigh(i, weight, b.at, len(b.paintings))
		s.PlaceWeights(at[0], at[1])
	}
}

// FindBarycentre asks for the barycentre.
func (s *Scene) FindBarycentre() {
	s.failure = ""
	s.flight.retried[toBarycentre] = false
	s.findBarycentre()
}

// findBarycentre asks for it, one request at a time: the latest wish wins.
func (s *Scene) findBarycentre() {
	b := &s.Barycentre
	if len(b.paintings) < 2 || !s.ready() {
		return
	}
	if b.due = s.flight.has(toBarycentre); b.due {
		return
	}
	b.asked = b.wish(&s.Transport)
	s.send(toBarycentre, b.request(b.asked))
	s.stage, s.fraction = "solve", 0
}

// refitBarycentre finds the barycentre anew where it is shown, since the kernel is another.
func (s *Scene) refitBarycentre() {
	if s.Barycentre.visible() || s.flight.has(toBarycentre) {
		s.findBarycentre()
	}
}

// barycentred takes the barycentre, shows it, and goes on to a later wish.
func (s *Scene) barycentred(e *job.Barycentred) bool {
	b := &s.Barycentre
	if !b.take(e, s.Mesh.Vertices()) {
		return false
	}
	s.ShowBarycentre(true)
	s.recolor(true)
	s.status = fmt.Sprintf("Barycentre of %d paintings in %d iterations.", len(b.paintings), e.Iterations)
	if e.Status != job.Converged {
		s.status = fmt.Sprintf("Barycentre: stopped after %d iterations, the marginals wrong by %.2g.", e.Iterations, e.MarginalError)
	}
	if b.due = b.due && !b.answered.equal(b.wish(&s.Transport)); b.due {
		s.findBarycentre()
	}
	return true
}

// ShowBarycentre shows on the mesh the barycentre that was found, and nothing else, or no more.
func (s *Scene) ShowBarycentre(on bool) {
	b := &s.Barycentre
	if on = on && b.found != nil; on == b.shown {
		return
	}
	if on {
		s.uncover()
		s.BrushTool(ToolNone)
		s.Playback.Pause()
	}
	b.shown = on
	s.recolor(true)
	s.changed()
}

// kept are the paintings as a session has them.
func (b *Barycentre) kept() (list []session.Kept) {
	for i, w := range b.weights() {
		k := b.paintings[i].kept
		k.Weight = w
		list = append(list, k)
	}
	return list
}

// remember asks for a session's paintings, one after the other.
func (s *Scene) remember() {
	if b := &s.Barycentre; len(b.coming) > 0 {
		s.send(toRemember, b.coming[0].Painting.Request())
	}
}

// remembered takes the first that is coming. Their weights are those of the session once all are there.
func (s *Scene) remembered(e *job.Painted) bool {
	b := &s.Barycentre
	if len(b.coming) == 0 || len(e.States) == 0 || !s.Densities.fits(&e.States[len(e.States)-1]) {
		b.coming = nil
		return false
	}
	last, k := &e.States[len(e.States)-1], b.coming[0]
	b.coming = b.coming[1:]
	p := painting{number: b.free(), values: last.Source, kept: k}
	if k.Target {
		p.values = last.Target
	}
	if len(b.paintings) < MostPaintings {
		b.paintings = append(b.paintings, p)
	}
	b.at = middle(len(b.paintings))
	if len(b.coming) > 0 {
		s.remember()
		return true
	}
	x, y := 0.0, 0.0
	for i, p := range b.paintings {
		cx, cy := Corner(i, len(b.paintings))
		x, y = x+p.kept.Weight*cx, y+p.kept.Weight*cy
	}
	_, b.at = weightsAt(x, y, len(b.paintings))
	return true
}
